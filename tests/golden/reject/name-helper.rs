#[inst("loud --")]
fn X() {
    close!(loud);
}

//~ 1:9: `loud` is a support function's name [name-helper]
