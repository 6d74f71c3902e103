#[op("value -- value")]
fn _X() {
    cold_if!(value.is_null(), _Y);
}

#[cold("value -- value")]
fn _Y() {
    exit_if!(true);
}

instruction!(X = _X + _BASE);

//~ 7:4: `_Y` has a guard, but `X` is no specialised form of a family [guard-family]
