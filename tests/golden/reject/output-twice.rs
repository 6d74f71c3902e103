#[inst("-- a")]
fn X() {
    a = NULL;
    (a, _) = pair();
}

//~ 4:5: output `a` is assigned twice [output-twice]
//~ 4:14: `pair` is not a function that a body may call [function-unknown]
