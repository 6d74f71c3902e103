#[inst("a, b -- c")]
fn X() {
    if oparg == 0 {
        close!(a);
    }
    let f = || error_if!(true);
    c = quiet(reload!());
    this_instr!();
    dead!(b);
}

//~ 4:9: `close!` is a statement of the body itself [macro-place]
//~ 6:16: `error_if!` is a statement, not in an expression or a closure [macro-place]
//~ 6:16: `error_if!` after `a` was given up in `X` [exit-after-close]
//~ 7:15: `reload!` is a statement, not in an expression or a closure [macro-place]
//~ 7:15: `reload!` after `a` was given up in `X` [exit-after-close]
//~ 8:5: `this_instr!` is a value [macro-place]
