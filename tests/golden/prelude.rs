//! What the cases have in common: a family of two, and where errors go.

#[specializing]
#[op("counter/1, value -- value")]
fn _SPECIALIZE_BASE() {
    cold_if!(counter == 0, _SPECIALIZE_BASE_NOW);
}

#[cold("value -- value")]
fn _SPECIALIZE_BASE_NOW() {
    redispatch!();
}

#[op("value -- res")]
fn _BASE() {
    res = loud(value);
    error_if!(res.is_null());
    close!(value);
}

instruction!(BASE = _SPECIALIZE_BASE + key/2 + _BASE);

#[op("key/2, value -- res")]
fn _BASE_QUIET() {
    exit_if!(key == 0);
    res = quiet(value);
    dead!(value);
}

instruction!(BASE_QUIET = unused/1 + _BASE_QUIET);

family!(BASE / 3 = BASE_QUIET);

#[label]
fn error() {
    leave!(0);
}
