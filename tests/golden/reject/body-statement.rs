#[inst("a -- a, b")]
fn X() {
    use std::mem;
    #[cold]
    b = quiet(a);
    let c = make(1)?;
    loop {
        break;
    }
    break;
    (a.f)(b);
    return;
}

//~ 3:5: an item in the body of `X` [body-statement]
//~ 4:5: an attribute in the body of `X` [body-statement]
//~ 6:13: `?` in the body of `X` [body-statement]
//~ 10:5: `break` out of it in the body of `X` [body-statement]
//~ 11:5: a call of a value in the body of `X` [body-statement]
//~ 12:5: `return` in the body of `X` [body-statement]
