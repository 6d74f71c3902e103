#[inst("a --")]
fn X() {
    close!(a);
    dead!(a);
}

//~ 4:5: `a` is given up twice in `X` [given-twice]
