//! A family: specialisation in the head, guards and a continuation in the form, caches between.

#[specializing]
#[op("counter/1, left, right -- left, right")]
fn _SPECIALIZE_ADD() {
    cold_if!(counter == 0, _SPECIALIZE_ADD_NOW);
}

#[cold("left, right -- left, right")]
fn _SPECIALIZE_ADD_NOW() {
    quiet(this_instr!());
    redispatch!();
}

#[op("left, right -- res")]
fn _ADD() {
    res = loud(left);
    error_if!(res.is_null());
    close!(left);
    close!(right);
}

instruction!(ADD = _SPECIALIZE_ADD + key/2 + _ADD);

#[op("key/2, left, right -- left, right")]
fn _GUARD_KEY() {
    exit_if!(key == 0);
    deopt_if!(left.is_null());
}

#[op("left, right -- res")]
fn _ADD_QUIET() {
    cold_if!(right.is_null(), _ADD_NULL);
    res = quiet(left);
    dead!(left);
    dead!(right);
}

#[cold("left, right -- res")]
fn _ADD_NULL() {
    exit_if!(Pair { left, right } == NONE);
    res = loud(left);
    close!(left);
    dead!(right);
}

instruction!(ADD_QUIET = unused/1 + _GUARD_KEY + _ADD_QUIET);

family!(ADD / 3 = ADD_QUIET);

#[label]
fn error() {
    leave!(0);
}
