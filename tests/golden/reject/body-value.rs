#[inst("a -- a")]
fn X() {
    quiet(a)
}

//~ 3:5: `X` has no value: end the statement with `;` [body-value]
