//! Unary and binary operations, truth tests, their guards beside them.

#[inst("value -- res")]
fn UNARY_NEGATIVE() {
    cold_if!(!can_negate(value), _UNARY_NEGATIVE_SLOW);
    res = negate(value);
    dead!(value);
}

#[cold("value -- res")]
fn _UNARY_NEGATIVE_SLOW() {
    res = number_negative(ts, value);
    error_if!(res.is_null());
    close!(value);
}

#[inst("value -- res")]
fn UNARY_INVERT() {
    res = number_invert(ts, value);
    error_if!(res.is_null());
    close!(value);
}

/// TO_BOOL or a comparison stands in front, so the value is a bool.
#[pure]
#[inst("value -- res")]
fn UNARY_NOT() {
    res = not(value);
    dead!(value);
}

#[specializing]
#[op("counter/1, value -- value")]
fn _SPECIALIZE_TO_BOOL() {
    cold_if!(triggers(counter), _SPECIALIZE_TO_BOOL_NOW);
    advance(ip, counter);
}

#[cold("value -- value")]
fn _SPECIALIZE_TO_BOOL_NOW() {
    specialize_to_bool(ts, this_instr!(), value);
    redispatch!();
}

#[op("value -- res")]
fn _TO_BOOL() {
    res = to_bool(ts, value);
    error_if!(res.is_null());
    close!(value);
}

instruction!(TO_BOOL = _SPECIALIZE_TO_BOOL + version/2 + _TO_BOOL);

#[pure]
#[op("value -- value")]
fn _GUARD_TOS_BOOL() {
    exit_if!(!value.is_bool());
}

instruction!(TO_BOOL_BOOL = unused/1 + unused/2 + _GUARD_TOS_BOOL);

#[pure]
#[op("value -- res")]
fn _TO_BOOL_INT() {
    cold_if!(!value.is_int(), _TO_BOOL_BIG_INT);
    res = Word::bool(value.bits() != Word::int_unchecked(0).bits());
    dead!(value);
}

/// An int too big for a word is never zero.
#[cold("value -- res")]
fn _TO_BOOL_BIG_INT() {
    exit_if!(!value.is_exact(Kind::INT));
    res = Word::TRUE;
    close!(value);
}

instruction!(TO_BOOL_INT = unused/1 + unused/2 + _TO_BOOL_INT);

#[op("value -- res")]
fn _TO_BOOL_LIST() {
    exit_if!(!value.is_exact(Kind::LIST));
    res = Word::bool(list_len(value) != 0);
    close!(value);
}

instruction!(TO_BOOL_LIST = unused/1 + unused/2 + _TO_BOOL_LIST);

#[pure]
#[op("value -- res")]
fn _TO_BOOL_NONE() {
    exit_if!(!value.is_none());
    res = Word::FALSE;
    dead!(value);
}

instruction!(TO_BOOL_NONE = unused/1 + unused/2 + _TO_BOOL_NONE);

#[op("value -- res")]
fn _TO_BOOL_STR() {
    exit_if!(!value.is_exact(Kind::STR));
    res = Word::bool(str_len(value) != 0);
    close!(value);
}

instruction!(TO_BOOL_STR = unused/1 + unused/2 + _TO_BOOL_STR);

#[op("version/2, value -- res")]
fn _TO_BOOL_ALWAYS_TRUE() {
    exit_if!(type_version(ts, value) != version);
    res = Word::TRUE;
    close!(value);
}

instruction!(TO_BOOL_ALWAYS_TRUE = unused/1 + _TO_BOOL_ALWAYS_TRUE);

family!(TO_BOOL / 3 = TO_BOOL_ALWAYS_TRUE, TO_BOOL_BOOL, TO_BOOL_INT, TO_BOOL_LIST, TO_BOOL_NONE, TO_BOOL_STR);

#[specializing]
#[op("counter/1, lhs, rhs -- lhs, rhs")]
fn _SPECIALIZE_BINARY_OP() {
    cold_if!(triggers(counter), _SPECIALIZE_BINARY_OP_NOW);
    advance(ip, counter);
}

#[cold("lhs, rhs -- lhs, rhs")]
fn _SPECIALIZE_BINARY_OP_NOW() {
    specialize_binary_op(ts, this_instr!(), locals, lhs, rhs, oparg);
    redispatch!();
}

#[op("lhs, rhs -- res")]
fn _BINARY_OP() {
    res = binary_op(ts, oparg, lhs, rhs);
    error_if!(res.is_null());
    close!(lhs);
    close!(rhs);
}

instruction!(BINARY_OP = _SPECIALIZE_BINARY_OP + descr/4 + _BINARY_OP);

// Ints: guard and operation are one op, so that a boxed operand goes to the cold path as a whole. It is a hit there.

#[pure]
#[op("left, right -- res")]
fn _BINARY_OP_ADD_INT() {
    cold_if!(!Word::both_int(left, right), _BINARY_OP_ADD_BIG_INT);
    let (sum, overflow) = add_int(left, right);
    cold_if!(overflow, _BINARY_OP_ADD_BIG_INT);
    res = sum;
    dead!(left);
    dead!(right);
}

#[cold("left, right -- res")]
fn _BINARY_OP_ADD_BIG_INT() {
    exit_if!(!both_exact_int(left, right));
    res = int_add(ts, left, right);
    error_if!(res.is_null());
    close!(left);
    close!(right);
}

instruction!(BINARY_OP_ADD_INT = unused/5 + _BINARY_OP_ADD_INT);

#[pure]
#[op("left, right -- res")]
fn _BINARY_OP_SUBTRACT_INT() {
    cold_if!(!Word::both_int(left, right), _BINARY_OP_SUBTRACT_BIG_INT);
    let (difference, overflow) = subtract_int(left, right);
    cold_if!(overflow, _BINARY_OP_SUBTRACT_BIG_INT);
    res = difference;
    dead!(left);
    dead!(right);
}

#[cold("left, right -- res")]
fn _BINARY_OP_SUBTRACT_BIG_INT() {
    exit_if!(!both_exact_int(left, right));
    res = int_subtract(ts, left, right);
    error_if!(res.is_null());
    close!(left);
    close!(right);
}

instruction!(BINARY_OP_SUBTRACT_INT = unused/5 + _BINARY_OP_SUBTRACT_INT);

#[pure]
#[op("left, right -- res")]
fn _BINARY_OP_MULTIPLY_INT() {
    cold_if!(!Word::both_int(left, right), _BINARY_OP_MULTIPLY_BIG_INT);
    let (product, overflow) = multiply_int(left, right);
    cold_if!(overflow, _BINARY_OP_MULTIPLY_BIG_INT);
    res = product;
    dead!(left);
    dead!(right);
}

#[cold("left, right -- res")]
fn _BINARY_OP_MULTIPLY_BIG_INT() {
    exit_if!(!both_exact_int(left, right));
    res = int_multiply(ts, left, right);
    error_if!(res.is_null());
    close!(left);
    close!(right);
}

instruction!(BINARY_OP_MULTIPLY_INT = unused/5 + _BINARY_OP_MULTIPLY_INT);

// Floats: a result outside the word's range, and a boxed operand, are hits on the cold path.

#[pure]
#[op("left, right -- res")]
fn _BINARY_OP_ADD_FLOAT() {
    cold_if!(!Word::both_float(left, right), _BINARY_OP_ADD_BOXED_FLOAT);
    let sum = float_bits(left.as_float() + right.as_float());
    cold_if!(!is_float_bits(sum), _BINARY_OP_ADD_BOXED_FLOAT);
    res = Word::from_bits(sum);
    dead!(left);
    dead!(right);
}

#[cold("left, right -- res")]
fn _BINARY_OP_ADD_BOXED_FLOAT() {
    exit_if!(!both_exact_float(left, right));
    res = new_float(ts, float_value(left) + float_value(right));
    error_if!(res.is_null());
    close!(left);
    close!(right);
}

instruction!(BINARY_OP_ADD_FLOAT = unused/5 + _BINARY_OP_ADD_FLOAT);

#[pure]
#[op("left, right -- res")]
fn _BINARY_OP_SUBTRACT_FLOAT() {
    cold_if!(!Word::both_float(left, right), _BINARY_OP_SUBTRACT_BOXED_FLOAT);
    let difference = float_bits(left.as_float() - right.as_float());
    cold_if!(!is_float_bits(difference), _BINARY_OP_SUBTRACT_BOXED_FLOAT);
    res = Word::from_bits(difference);
    dead!(left);
    dead!(right);
}

#[cold("left, right -- res")]
fn _BINARY_OP_SUBTRACT_BOXED_FLOAT() {
    exit_if!(!both_exact_float(left, right));
    res = new_float(ts, float_value(left) - float_value(right));
    error_if!(res.is_null());
    close!(left);
    close!(right);
}

instruction!(BINARY_OP_SUBTRACT_FLOAT = unused/5 + _BINARY_OP_SUBTRACT_FLOAT);

#[pure]
#[op("left, right -- res")]
fn _BINARY_OP_MULTIPLY_FLOAT() {
    cold_if!(!Word::both_float(left, right), _BINARY_OP_MULTIPLY_BOXED_FLOAT);
    let product = float_bits(left.as_float() * right.as_float());
    cold_if!(!is_float_bits(product), _BINARY_OP_MULTIPLY_BOXED_FLOAT);
    res = Word::from_bits(product);
    dead!(left);
    dead!(right);
}

#[cold("left, right -- res")]
fn _BINARY_OP_MULTIPLY_BOXED_FLOAT() {
    exit_if!(!both_exact_float(left, right));
    res = new_float(ts, float_value(left) * float_value(right));
    error_if!(res.is_null());
    close!(left);
    close!(right);
}

instruction!(BINARY_OP_MULTIPLY_FLOAT = unused/5 + _BINARY_OP_MULTIPLY_FLOAT);

#[op("left, right -- left, right")]
fn _GUARD_BOTH_UNICODE() {
    exit_if!(!left.is_exact(Kind::STR) || !right.is_exact(Kind::STR));
}

#[op("left, right -- res")]
fn _BINARY_OP_ADD_UNICODE() {
    res = str_concat(ts, left, right);
    error_if!(res.is_null());
    close!(left);
    close!(right);
}

instruction!(BINARY_OP_ADD_UNICODE = unused/5 + _GUARD_BOTH_UNICODE + _BINARY_OP_ADD_UNICODE);

/// `s += t` where the next instruction stores to the local `s`: the local gives up its reference, so that a string
/// that nobody else holds grows in place.
#[op("left, right -- res")]
#[flags(local)]
fn _BINARY_OP_INPLACE_ADD_UNICODE() {
    exit_if!(!next_store_is(next_instr!(), locals, left));
    res = str_append_local(ts, next_instr!(), locals, left, right);
    steal!(left);
    error_if!(res.is_null());
    close!(right);
}

#[opcode(3)]
instruction!(BINARY_OP_INPLACE_ADD_UNICODE = unused/5 + _GUARD_BOTH_UNICODE + _BINARY_OP_INPLACE_ADD_UNICODE);

#[op("descr/4, left, right -- res")]
fn _BINARY_OP_EXTEND() {
    res = extend(ts, descr, left, right);
    exit_if!(res == Word::NOT_IMPLEMENTED);
    error_if!(res.is_null());
    close!(left);
    close!(right);
}

instruction!(BINARY_OP_EXTEND = unused/1 + _BINARY_OP_EXTEND);

family!(BINARY_OP / 5 = BINARY_OP_MULTIPLY_INT, BINARY_OP_ADD_INT, BINARY_OP_SUBTRACT_INT, BINARY_OP_MULTIPLY_FLOAT,
    BINARY_OP_ADD_FLOAT, BINARY_OP_SUBTRACT_FLOAT, BINARY_OP_ADD_UNICODE, BINARY_OP_SUBSCR_LIST_INT,
    BINARY_OP_SUBSCR_LIST_SLICE, BINARY_OP_SUBSCR_TUPLE_INT, BINARY_OP_SUBSCR_STR_INT, BINARY_OP_SUBSCR_DICT,
    BINARY_OP_SUBSCR_GETITEM, BINARY_OP_EXTEND, BINARY_OP_INPLACE_ADD_UNICODE);
