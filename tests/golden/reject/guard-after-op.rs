#[op("--")]
fn _X() {
    *locals = NULL;
}

#[op("value -- value")]
fn _Y() {
    deopt_if!(value.is_null());
}

instruction!(X = counter/1 + _BASE);
instruction!(X_QUIET = unused/1 + _X + _Y);
family!(X / 1 = X_QUIET);

//~ 8:5: guard of `_Y` after an effect of `_X` in `X_QUIET` [guard-after-op]
