//! Comparison, identity, containment.

#[specializing]
#[op("counter/1, left, right -- left, right")]
fn _SPECIALIZE_COMPARE_OP() {
    cold_if!(triggers(counter), _SPECIALIZE_COMPARE_OP_NOW);
    advance(ip, counter);
}

#[cold("left, right -- left, right")]
fn _SPECIALIZE_COMPARE_OP_NOW() {
    specialize_compare_op(ts, this_instr!(), left, right, oparg);
    redispatch!();
}

#[op("left, right -- res")]
fn _COMPARE_OP() {
    res = compare_op(ts, oparg, left, right);
    error_if!(res.is_null());
    close!(left);
    close!(right);
}

instruction!(COMPARE_OP = _SPECIALIZE_COMPARE_OP + _COMPARE_OP);

/// The low bits of oparg are a mask: unordered 1, less 2, greater 4, equal 8.
#[pure]
#[op("left, right -- res")]
fn _COMPARE_OP_INT() {
    // CPython asks for compact ints, so a boxed int is a miss.
    exit_if!(!Word::both_int(left, right));
    res = Word::bool(compare_mask_int(left, right) & oparg != 0);
    dead!(left);
    dead!(right);
}

instruction!(COMPARE_OP_INT = unused/1 + _COMPARE_OP_INT);

#[pure]
#[op("left, right -- res")]
fn _COMPARE_OP_FLOAT() {
    cold_if!(!Word::both_float(left, right), _COMPARE_OP_BOXED_FLOAT);
    res = Word::bool(compare_mask_float(left.as_float(), right.as_float()) & oparg != 0);
    dead!(left);
    dead!(right);
}

#[cold("left, right -- res")]
fn _COMPARE_OP_BOXED_FLOAT() {
    exit_if!(!both_exact_float(left, right));
    res = Word::bool(compare_mask_float(float_value(left), float_value(right)) & oparg != 0);
    close!(left);
    close!(right);
}

instruction!(COMPARE_OP_FLOAT = unused/1 + _COMPARE_OP_FLOAT);

#[op("left, right -- res")]
fn _COMPARE_OP_STR() {
    res = str_compare(left, right, oparg);
    close!(left);
    close!(right);
}

instruction!(COMPARE_OP_STR = unused/1 + _GUARD_BOTH_UNICODE + _COMPARE_OP_STR);

family!(COMPARE_OP / 1 = COMPARE_OP_FLOAT, COMPARE_OP_INT, COMPARE_OP_STR);

#[inst("left, right -- b")]
fn IS_OP() {
    b = Word::bool(left.is(right) != (oparg != 0));
    close!(left);
    close!(right);
}

#[specializing]
#[op("counter/1, left, right -- left, right")]
fn _SPECIALIZE_CONTAINS_OP() {
    cold_if!(triggers(counter), _SPECIALIZE_CONTAINS_OP_NOW);
    advance(ip, counter);
}

#[cold("left, right -- left, right")]
fn _SPECIALIZE_CONTAINS_OP_NOW() {
    specialize_contains_op(ts, this_instr!(), right);
    redispatch!();
}

#[op("left, right -- b")]
fn _CONTAINS_OP() {
    b = contains_op(ts, left, right, oparg);
    error_if!(b.is_null());
    close!(left);
    close!(right);
}

instruction!(CONTAINS_OP = _SPECIALIZE_CONTAINS_OP + _CONTAINS_OP);

#[op("left, right -- left, right")]
fn _GUARD_TOS_DICT() {
    exit_if!(!right.is_exact(Kind::DICT));
}

#[op("left, right -- b")]
fn _CONTAINS_OP_DICT() {
    b = dict_contains(ts, left, right, oparg);
    error_if!(b.is_null());
    close!(left);
    close!(right);
}

instruction!(CONTAINS_OP_DICT = unused/1 + _GUARD_TOS_DICT + _CONTAINS_OP_DICT);

#[op("left, right -- left, right")]
fn _GUARD_TOS_ANY_SET() {
    exit_if!(!right.is_exact(Kind::SET) && !right.is_exact(Kind::FROZENSET));
}

#[op("left, right -- b")]
fn _CONTAINS_OP_SET() {
    b = set_contains(ts, left, right, oparg);
    error_if!(b.is_null());
    close!(left);
    close!(right);
}

instruction!(CONTAINS_OP_SET = unused/1 + _GUARD_TOS_ANY_SET + _CONTAINS_OP_SET);

family!(CONTAINS_OP / 1 = CONTAINS_OP_SET, CONTAINS_OP_DICT);
