#[inst("a -- b, c")]
fn X_MORE() {
    b = quiet(a);
    c = quiet(a);
    dead!(a);
}

#[inst("a, b -- c, b")]
fn X_DEEPER() {
    c = quiet(a);
    dead!(a);
}

#[inst("b -- b")]
fn X() {}

family!(X / 0 = X_MORE, X_DEEPER);

//~ 2:4: `X_MORE` takes 1 and leaves 2, its family head `X` takes 1 and leaves 1 [family-effect]
//~ 9:4: `X_DEEPER` takes 2 and leaves 2, its family head `X` takes 1 and leaves 1 [family-effect]
