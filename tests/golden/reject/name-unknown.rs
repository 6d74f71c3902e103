#[inst("a -- a, b")]
fn X() {
    let known = NULL;
    b = quiet(unknown + known);
}

//~ 4:15: nothing is called `unknown` in `X` [name-unknown]
