#[op("--")]
fn _X() {
    skip_next!();
}

#[op("--")]
fn _Y() {
    jump!(1);
}

#[op("value -- value")]
fn _Z() {
    branch_if!(value.is_null(), oparg);
}

instruction!(X = _X + _BASE);
instruction!(Y = _Y + _BASE);
instruction!(Z = _Z + _BASE);

//~ 3:5: `_X` must be the last op of `X` [last-op]
//~ 7:4: `_Y` must be the last op of `Y` [last-op]
//~ 13:5: `_Z` must be the last op of `Z` [last-op]
