#[op("value -- res")]
fn _X() {
    *locals = NULL;
    exit_if!(value.is_null());
    res = loud(value);
    deopt_if!(res.is_null());
    close!(value);
}

instruction!(X = counter/1 + _BASE);
instruction!(X_QUIET = unused/1 + _X);
family!(X / 1 = X_QUIET);

//~ 4:5: guard after an effect in `_X` [guard-after-effect]
//~ 6:5: guard after an effect in `_X` [guard-after-effect]
