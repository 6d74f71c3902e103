#[op("value -- res")]
fn _X() {
    *locals = NULL;
    cold_if!(value.is_null(), _Y);
    res = quiet(value);
    dead!(value);
}

#[cold("value -- res")]
fn _Y() {
    exit_if!(true);
    res = loud(value);
    close!(value);
}

instruction!(X = counter/1 + unused/2 + _BASE);
instruction!(X_QUIET = unused/3 + _X);
family!(X / 3 = X_QUIET);

//~ 4:31: `_Y` is reached after an effect of `_X`, and has a guard [guard-in-cold]
