#[inst("a --")]
fn X() {
    exit_if!();
    error_if!(a is null);
    close!(a.x);
    goto!(1);
}

//~ 3:5: expected `exit_if!(value)` [macro-arguments]
//~ 4:5: expected `error_if!(value)` [macro-arguments]
//~ 5:5: expected `close!(name)` [macro-arguments]
//~ 6:5: expected `goto!(name)` [macro-arguments]
