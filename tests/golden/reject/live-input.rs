#[inst("a, b -- c")]
fn X() {
    c = quiet(a);
    dead!(b);
}

//~ 1:9: input `a` is still live at the end of `X` [live-input]
