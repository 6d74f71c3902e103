//! Subscripts and slices: loads, stores, deletions.

#[pure]
#[op("left, right -- left, right")]
fn _GUARD_TOS_INT() {
    exit_if!(!right.is_int());
}

#[op("list, sub -- res")]
fn _BINARY_OP_SUBSCR_LIST_INT() {
    exit_if!(!list.is_exact(Kind::LIST));
    exit_if!(!list_has(list, sub));
    res = list_item(list, sub).dup();
    dead!(sub);
    close!(list);
}

instruction!(BINARY_OP_SUBSCR_LIST_INT = unused/5 + _GUARD_TOS_INT + _BINARY_OP_SUBSCR_LIST_INT);

#[op("tuple, sub -- res")]
fn _BINARY_OP_SUBSCR_TUPLE_INT() {
    exit_if!(!tuple.is_exact(Kind::TUPLE));
    exit_if!(!tuple_has(tuple, sub));
    res = tuple_item(tuple, sub).dup();
    dead!(sub);
    close!(tuple);
}

instruction!(BINARY_OP_SUBSCR_TUPLE_INT = unused/5 + _GUARD_TOS_INT + _BINARY_OP_SUBSCR_TUPLE_INT);

/// ASCII only, as in CPython: the result is one of the shared one-character strings.
#[op("str_, sub -- res")]
fn _BINARY_OP_SUBSCR_STR_INT() {
    exit_if!(!str_.is_exact(Kind::STR));
    res = str_ascii_item(ts, str_, sub);
    exit_if!(res == Word::NOT_IMPLEMENTED);
    dead!(sub);
    close!(str_);
}

instruction!(BINARY_OP_SUBSCR_STR_INT = unused/5 + _GUARD_TOS_INT + _BINARY_OP_SUBSCR_STR_INT);

#[op("dict, sub -- res")]
fn _BINARY_OP_SUBSCR_DICT() {
    exit_if!(!dict.is_exact(Kind::DICT));
    res = dict_subscr(ts, dict, sub);
    error_if!(res.is_null());
    close!(dict);
    close!(sub);
}

instruction!(BINARY_OP_SUBSCR_DICT = unused/5 + _BINARY_OP_SUBSCR_DICT);

#[op("list, slice -- res")]
fn _BINARY_OP_SUBSCR_LIST_SLICE() {
    exit_if!(!list.is_exact(Kind::LIST) || !slice.is_exact(Kind::SLICE));
    res = list_slice(ts, list, slice);
    error_if!(res.is_null());
    close!(list);
    close!(slice);
}

instruction!(BINARY_OP_SUBSCR_LIST_SLICE = unused/5 + _BINARY_OP_SUBSCR_LIST_SLICE);

/// `__getitem__` of a class, a Python function: it gets a frame in the operands' place.
#[op("container, sub -- res")]
fn _BINARY_OP_SUBSCR_GETITEM() {
    exit_if!(!has_cached_getitem(container));
    exit_if!(sp > ts.stack_limit.get() || ts.recursion_remaining.get() <= 1);
    let function = cached_getitem(container);
    let code = function_code(function);
    dead!(container);
    dead!(sub);
    let callee = push_attribute_frame(sp.sub(2), function, code, container, sub, locals, next_instr!());
    ts.count_frame();
    enter!(code_start(code), frame_stack(callee, code), callee);
}

instruction!(BINARY_OP_SUBSCR_GETITEM = unused/5 + _BINARY_OP_SUBSCR_GETITEM);

#[specializing]
#[op("counter/1, container, sub -- container, sub")]
fn _SPECIALIZE_STORE_SUBSCR() {
    cold_if!(triggers(counter), _SPECIALIZE_STORE_SUBSCR_NOW);
    advance(ip, counter);
}

#[cold("container, sub -- container, sub")]
fn _SPECIALIZE_STORE_SUBSCR_NOW() {
    specialize_store_subscr(ts, this_instr!(), container, sub);
    redispatch!();
}

#[op("v, container, sub --")]
fn _STORE_SUBSCR() {
    let done = store_subscr(ts, container, sub, v);
    error_if!(!done);
    close!(v);
    close!(container);
    close!(sub);
}

instruction!(STORE_SUBSCR = _SPECIALIZE_STORE_SUBSCR + _STORE_SUBSCR);

#[op("value, list, sub --")]
fn _STORE_SUBSCR_LIST_INT() {
    exit_if!(!sub.is_int() || !list.is_exact(Kind::LIST));
    exit_if!(!list_has(list, sub));
    let old = replace_list_item(list, sub, value.to_slot());
    steal!(value);
    dead!(sub);
    close!(list);
    release!(old);
}

instruction!(STORE_SUBSCR_LIST_INT = unused/1 + _STORE_SUBSCR_LIST_INT);

#[op("value, dict, sub --")]
fn _STORE_SUBSCR_DICT() {
    exit_if!(!dict.is_exact(Kind::DICT));
    let done = dict_store(ts, dict, sub, value);
    error_if!(!done);
    close!(value);
    close!(dict);
    close!(sub);
}

instruction!(STORE_SUBSCR_DICT = unused/1 + _STORE_SUBSCR_DICT);

family!(STORE_SUBSCR / 1 = STORE_SUBSCR_DICT, STORE_SUBSCR_LIST_INT);

#[inst("container, sub --")]
fn DELETE_SUBSCR() {
    let done = delete_subscr(ts, container, sub);
    error_if!(!done);
    close!(container);
    close!(sub);
}

#[inst("container, start, stop -- res")]
fn BINARY_SLICE() {
    res = binary_slice(ts, container, start, stop);
    error_if!(res.is_null());
    close!(container);
    close!(start);
    close!(stop);
}

#[inst("v, container, start, stop --")]
fn STORE_SLICE() {
    let done = store_slice(ts, container, start, stop, v);
    error_if!(!done);
    close!(v);
    close!(container);
    close!(start);
    close!(stop);
}
