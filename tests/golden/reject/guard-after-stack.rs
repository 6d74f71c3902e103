#[op("a -- b")]
fn _X() {
    b = quiet(a);
    dead!(a);
}

#[op("b -- b")]
fn _Y() {
    exit_if!(b.is_null());
    cold_if!(b.is_null(), _Z);
}

#[cold("b -- b")]
fn _Z() {
    redispatch!();
}

instruction!(X = counter/1 + unused/2 + _BASE);
instruction!(X_QUIET = unused/3 + _X + _Y);
family!(X / 3 = X_QUIET);

//~ 9:5: guard of `_Y` after the stack has changed [guard-after-stack]
