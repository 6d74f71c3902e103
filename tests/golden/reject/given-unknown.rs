#[inst("a --")]
fn X() {
    close!(a);
    dead!(b);
}

//~ 4:5: `b` is no input of `X` [given-unknown]
