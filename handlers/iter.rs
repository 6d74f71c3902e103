//! Iteration and unpacking.

#[inst("iterable -- iter")]
fn GET_ITER() {
    iter = get_iter(ts, iterable);
    error_if!(iter.is_null());
    close!(iterable);
}

#[specializing]
#[op("counter/1, iter -- iter")]
fn _SPECIALIZE_FOR_ITER() {
    cold_if!(triggers(counter), _SPECIALIZE_FOR_ITER_NOW);
    advance(ip, counter);
}

#[cold("iter -- iter")]
fn _SPECIALIZE_FOR_ITER_NOW() {
    specialize_for_iter(ts, this_instr!(), iter, oparg);
    redispatch!();
}

/// An exhausted iterator stays on the stack; the jump goes over END_FOR to POP_ITER, which removes it.
#[op("iter -- iter, next")]
fn _FOR_ITER() {
    next = iter_next(ts, iter);
    cold_if!(next.is_null(), _FOR_ITER_ENDED);
}

#[cold("iter -- iter, next")]
fn _FOR_ITER_ENDED() {
    let raised = iteration_raised(ts);
    error_if!(raised);
    jump_out_if!(true, oparg + 1);
    next = Word::NULL;
}

instruction!(FOR_ITER = _SPECIALIZE_FOR_ITER + _FOR_ITER);

#[op("iter -- iter, next")]
fn _FOR_ITER_LIST() {
    exit_if!(!iter.is_exact(Kind::LIST_ITERATOR));
    jump_out_if!(list_iterator_ended(iter), oparg + 1);
    next = list_iterator_take(iter).dup();
}

instruction!(FOR_ITER_LIST = unused/1 + _FOR_ITER_LIST);

#[op("iter -- iter, next")]
fn _FOR_ITER_TUPLE() {
    exit_if!(!iter.is_exact(Kind::TUPLE_ITERATOR));
    jump_out_if!(tuple_iterator_ended(iter), oparg + 1);
    next = tuple_iterator_take(iter).dup();
}

instruction!(FOR_ITER_TUPLE = unused/1 + _FOR_ITER_TUPLE);

#[op("iter -- iter, next")]
fn _FOR_ITER_RANGE() {
    exit_if!(!iter.is_exact(Kind::RANGE_ITERATOR));
    jump_out_if!(range_iterator_ended(iter), oparg + 1);
    next = range_iterator_take(iter);
}

instruction!(FOR_ITER_RANGE = unused/1 + _FOR_ITER_RANGE);

family!(FOR_ITER / 1 = FOR_ITER_LIST, FOR_ITER_TUPLE, FOR_ITER_RANGE, FOR_ITER_GEN);

#[specializing]
#[op("counter/1, seq -- seq")]
fn _SPECIALIZE_UNPACK_SEQUENCE() {
    cold_if!(triggers(counter), _SPECIALIZE_UNPACK_SEQUENCE_NOW);
    advance(ip, counter);
}

#[cold("seq -- seq")]
fn _SPECIALIZE_UNPACK_SEQUENCE_NOW() {
    specialize_unpack_sequence(ts, this_instr!(), seq, oparg);
    redispatch!();
}

/// The first item ends on top.
#[op("seq -- values[oparg]")]
fn _UNPACK_SEQUENCE() {
    let done = unpack_sequence(ts, seq, values, oparg);
    error_if!(!done);
    close!(seq);
}

instruction!(UNPACK_SEQUENCE = _SPECIALIZE_UNPACK_SEQUENCE + _UNPACK_SEQUENCE);

#[op("seq -- values[oparg]")]
fn _UNPACK_SEQUENCE_TWO_TUPLE() {
    exit_if!(!seq.is_exact(Kind::TUPLE) || tuple_len(seq) != 2);
    let (first, second) = tuple_pair(seq);
    *values.add(1) = first.dup();
    *values = second.dup();
    close!(seq);
}

instruction!(UNPACK_SEQUENCE_TWO_TUPLE = unused/1 + _UNPACK_SEQUENCE_TWO_TUPLE);

#[op("seq -- values[oparg]")]
fn _UNPACK_SEQUENCE_TUPLE() {
    exit_if!(!seq.is_exact(Kind::TUPLE) || tuple_len(seq) != oparg);
    unpack_words(tuple_words(seq), values, oparg);
    close!(seq);
}

instruction!(UNPACK_SEQUENCE_TUPLE = unused/1 + _UNPACK_SEQUENCE_TUPLE);

#[op("seq -- values[oparg]")]
fn _UNPACK_SEQUENCE_LIST() {
    exit_if!(!seq.is_exact(Kind::LIST) || list_len(seq) != oparg);
    unpack_words(list_words(seq), values, oparg);
    close!(seq);
}

instruction!(UNPACK_SEQUENCE_LIST = unused/1 + _UNPACK_SEQUENCE_LIST);

family!(UNPACK_SEQUENCE / 1 = UNPACK_SEQUENCE_TWO_TUPLE, UNPACK_SEQUENCE_TUPLE, UNPACK_SEQUENCE_LIST);

#[inst("seq -- left[oparg & 0xFF], rest, right[oparg >> 8]")]
fn UNPACK_EX() {
    // Everything lands in one run of words, from `left` up.
    let done = unpack_ex(ts, seq, left, oparg);
    error_if!(!done);
    rest = *left.add(oparg & 0xFF);
    close!(seq);
}
