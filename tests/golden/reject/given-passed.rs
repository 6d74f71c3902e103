#[inst("a -- a")]
fn X() {
    close!(a);
}

//~ 3:5: `a` is given up and also an output of `X` [given-passed]
