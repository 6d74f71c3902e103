//! Generators, coroutines, asynchronous generators: making, resuming, suspending, delegating.

/// The running frame's words move into a generator, which goes on behind this instruction.
#[inst("-- res")]
fn RETURN_GENERATOR() {
    let generator = return_generator(ts, locals, next_instr!());
    error_if!(generator.is_null());
    ts.leave_frame();
    let base = frame_base(locals);
    *base = generator;
    enter!(return_ip(locals), base.add(1), previous_locals(locals));
}

/// What is yielded goes where a called function's result would.
#[inst("retval -- value")]
fn YIELD_VALUE() {
    let yielded = retval.steal();
    dead!(retval);
    suspend_generator(ts, locals, sp.sub(1), next_instr!(), oparg);
    ts.leave_frame();
    let base = frame_base(locals);
    *base = yielded;
    enter!(return_ip(locals), base.add(1), previous_locals(locals));
}

/// At the end the jump leads to END_FOR, which removes what was returned.
#[op("iter -- iter, next")]
fn _FOR_ITER_GEN() {
    exit_if!(!iter.is_exact(Kind::GENERATOR) || !can_resume(iter));
    cold_if!(!generator_fits(ts, iter, sp), _FOR_ITER_GEN_FAR);
    let behind = next_instr!();
    let callee = push_generator(ts, iter, sp, locals, behind, behind.add(2 * oparg));
    let top = generator_top(iter, callee);
    ts.count_frame();
    *top = Word::NONE;
    enter!(generator_ip(iter), top.add(1), callee);
}

#[cold("iter -- iter, next")]
fn _FOR_ITER_GEN_FAR() {
    exit_if!(ts.has_eval_hook());
    let behind = next_instr!();
    let done = push_generator_far(ts, iter, Word::NONE, sp, locals, behind, behind.add(2 * oparg));
    error_if!(!done);
    reload!();
}

instruction!(FOR_ITER_GEN = unused/1 + _FOR_ITER_GEN);

#[specializing]
#[op("counter/1, receiver, v -- receiver, v")]
fn _SPECIALIZE_SEND() {
    cold_if!(triggers(counter), _SPECIALIZE_SEND_NOW);
    advance(ip, counter);
}

#[cold("receiver, v -- receiver, v")]
fn _SPECIALIZE_SEND_NOW() {
    specialize_send(ts, this_instr!(), receiver);
    redispatch!();
}

/// What comes out takes the place of `v`; when the receiver returns, END_SEND is next.
#[op("receiver, v -- receiver, retval")]
fn _SEND() {
    let behind = next_instr!();
    let outcome = send(ts, receiver, v, locals, behind, behind.add(2 * oparg));
    error_if!(outcome == SEND_RAISED);
    cold_if!(outcome & SEND_ENTERED != 0, _SEND_ENTERED);
    jump_out_if!(outcome & SEND_RETURNED != 0, oparg);
    dead!(v);
    retval = *sp.sub(1);
}

#[cold("receiver, v -- receiver, retval")]
fn _SEND_ENTERED() {
    dead!(v);
    reload!();
}

instruction!(SEND = _SPECIALIZE_SEND + _SEND);

#[op("receiver, v -- receiver, retval")]
fn _SEND_GEN() {
    exit_if!(!is_generator_or_coroutine(receiver) || !can_resume(receiver));
    cold_if!(!generator_fits(ts, receiver, sp), _SEND_GEN_FAR);
    let value = v.steal();
    dead!(v);
    let behind = next_instr!();
    let callee = push_generator(ts, receiver, sp.sub(1), locals, behind, behind.add(2 * oparg));
    let top = generator_top(receiver, callee);
    ts.count_frame();
    *top = value;
    enter!(generator_ip(receiver), top.add(1), callee);
}

#[cold("receiver, v -- receiver, retval")]
fn _SEND_GEN_FAR() {
    exit_if!(ts.has_eval_hook());
    let behind = next_instr!();
    let done = push_generator_far(ts, receiver, v, sp.sub(1), locals, behind, behind.add(2 * oparg));
    error_if!(!done);
    dead!(v);
    reload!();
}

instruction!(SEND_GEN = unused/1 + _SEND_GEN);

family!(SEND / 1 = SEND_GEN);

#[inst("iterable -- iter")]
fn GET_YIELD_FROM_ITER() {
    iter = get_yield_from_iter(ts, locals, iterable);
    error_if!(iter.is_null());
    close!(iterable);
}

#[inst("iterable -- iter")]
fn GET_AWAITABLE() {
    iter = get_awaitable(ts, iterable, oparg);
    error_if!(iter.is_null());
    close!(iterable);
}

#[inst("obj -- iter")]
fn GET_AITER() {
    iter = get_aiter(ts, obj);
    error_if!(iter.is_null());
    close!(obj);
}

#[inst("aiter -- aiter, awaitable")]
fn GET_ANEXT() {
    awaitable = get_anext(ts, aiter);
    error_if!(awaitable.is_null());
}

/// What was thrown into a delegate that returned: the value goes on as the delegation's result.
#[inst("sub_iter, last_sent_val, exc_value -- none, value")]
fn CLEANUP_THROW() {
    let result = cleanup_throw(ts, exc_value);
    error_if!(result.is_null());
    none = Word::NONE;
    value = result;
    close!(sub_iter);
    close!(last_sent_val);
    close!(exc_value);
}

/// StopAsyncIteration ends the loop, any other exception goes on. The jump leads back to where the next item is awaited,
/// for who monitors.
#[inst("awaitable, exc --")]
#[flags(arg, jump)]
fn END_ASYNC_FOR() {
    let ended = end_async_for(ts, exc);
    error_if!(!ended);
    close!(awaitable);
    close!(exc);
}
