#[inst("a, b --")]
fn X() {
    let old = *locals;
    release!(old);
    error_if!(true);
    close!(a);
    jump!(1);
}

#[inst("a, b --")]
fn Y() {
    steal!(a);
    cold_if!(true, _Z);
    close!(b);
}

#[cold("a, b --")]
fn _Z() {
    close!(a);
    close!(b);
}

//~ 5:5: `error_if!` after a word was released in `X` [exit-after-close]
//~ 7:5: `jump!` after `a` was given up in `X` [exit-after-close]
//~ 13:5: `cold_if!` after `a` was given up in `Y` [exit-after-close]
