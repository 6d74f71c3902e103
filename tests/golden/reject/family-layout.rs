#[inst("unused/2, key/1, value --")]
fn X_QUIET() {
    exit_if!(key == 0);
    dead!(value);
}

#[inst("counter/1, key/2, value --")]
fn X() {
    close!(value);
}

family!(X / 3 = X_QUIET);

//~ 2:4: `key/1` of `X_QUIET` is at unit 2 of `X_QUIET`, across entries of its head [family-layout]
