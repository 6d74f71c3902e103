#[inst("a -- a")]
fn X() {
    let b = private();
    let c = std::mem::take(b);
    let d = i64::from(Word::of(c));
}

//~ 3:13: `private` is not a function that a body may call [function-unknown]
//~ 4:13: `std::mem::take` is not a function that a body may call [function-unknown]
