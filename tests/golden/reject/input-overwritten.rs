#[inst("a, b -- b")]
fn X() {
    a = quiet(b);
    b = quiet(a);
    close!(a);
}

//~ 3:5: input `a` of `X` is overwritten [input-overwritten]
//~ 4:5: input `b` of `X` is overwritten [input-overwritten]
