#[inst("a --")]
fn X() {
    println!("{}", loud(a));
    close!(a);
}

//~ 3:5: `println!` is no macro of a body [macro-unknown]
