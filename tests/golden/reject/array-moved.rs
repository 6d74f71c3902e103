#[inst("a, b[oparg] -- b[oparg]")]
fn X() {
    close!(a);
}

//~ 1:24: array `b` would have to move [array-moved]
