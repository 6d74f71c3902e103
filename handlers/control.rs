//! Jumps, entry, return, the periodic check.

#[inst("--")]
#[flags(arg)]
#[opcode(128)]
fn RESUME() {
    cold_if!(is_out_of_date(ts, locals), _INSTRUMENT);
    specialize_resume(ts, this_instr!());
    let done = check_periodic_at_resume(ts, oparg);
    error_if!(!done);
}

/// What is monitored has changed since the code ran last.
#[cold("--")]
fn _INSTRUMENT() {
    let done = instrument(ts, locals);
    error_if!(!done);
    redispatch!();
}

/// That the code is up to date needs no compare: a new version turns every RESUME_CHECK back into RESUME.
#[op("--")]
fn _RESUME_CHECK() {
    exit_if!(ts.has_events());
}

instruction!(RESUME_CHECK = _RESUME_CHECK);

family!(RESUME / 0 = RESUME_CHECK);

/// A frame's locals are released one by one; a last reference among them goes on in the cold twin, with its index.
#[inst("retval -- res")]
fn RETURN_VALUE() {
    let value = retval.steal();
    *sp.sub(1) = value;
    cold_if!(!frame_is_plain(locals), _RETURN_SPECIAL);
    let mut index = frame_locals(locals);
    while index != 0 {
        index -= 1;
        let local = *locals.add(index);
        if local.is_pointer() && local.decref() {
            ts.scratch.set(index);
            cold_if!(true, _RETURN_FREEING);
        }
    }
    let function = frame_function(locals);
    cold_if!(function.decref(), _RETURN_FREEING_FUNCTION);
    ts.leave_frame();
    let base = frame_base(locals);
    *base = value;
    enter!(return_ip(locals), base.add(1), previous_locals(locals));
}

#[cold("retval -- res")]
fn _RETURN_FREEING() {
    return_freeing(ts, locals, ts.scratch.get(), *sp.sub(1));
    reload!();
}

#[cold("retval -- res")]
fn _RETURN_FREEING_FUNCTION() {
    return_freeing_function(ts, locals, *sp.sub(1));
    reload!();
}

#[cold("retval -- res")]
fn _RETURN_SPECIAL() {
    return_special(ts, locals, *sp.sub(1));
    reload!();
}

#[inst("retval --")]
fn INTERPRETER_EXIT() {
    steal!(retval);
    let value = interpreter_exit(ts, locals, retval);
    leave!(value);
}

#[inst("--")]
fn JUMP_FORWARD() {
    jump!(oparg as isize);
}

#[op("--")]
fn _CHECK_PERIODIC() {
    cold_if!(ts.has_events(), _CHECK_PERIODIC_NOW);
}

#[cold("--")]
fn _CHECK_PERIODIC_NOW() {
    let done = handle_pending(ts);
    error_if!(!done);
}

#[op("--")]
fn _JUMP_BACKWARD_NO_INTERRUPT() {
    jump!(-(oparg as isize));
}

#[specializing]
#[op("--")]
fn _SPECIALIZE_JUMP_BACKWARD() {
    specialize_jump_backward(ts, this_instr!());
}

instruction!(JUMP_BACKWARD = counter/1 + _SPECIALIZE_JUMP_BACKWARD + _CHECK_PERIODIC + _JUMP_BACKWARD_NO_INTERRUPT);

instruction!(JUMP_BACKWARD_NO_JIT = unused/1 + _CHECK_PERIODIC + _JUMP_BACKWARD_NO_INTERRUPT);

/// There is no second tier: the form exists, and does what JUMP_BACKWARD_NO_JIT does.
instruction!(JUMP_BACKWARD_JIT = unused/1 + _CHECK_PERIODIC + _JUMP_BACKWARD_NO_INTERRUPT);

family!(JUMP_BACKWARD / 1 = JUMP_BACKWARD_NO_JIT, JUMP_BACKWARD_JIT);

instruction!(JUMP_BACKWARD_NO_INTERRUPT = _JUMP_BACKWARD_NO_INTERRUPT);

pseudo!(JUMP("--", arg, jump) = JUMP_FORWARD, JUMP_BACKWARD);

pseudo!(JUMP_NO_INTERRUPT("--", arg, jump) = JUMP_FORWARD, JUMP_BACKWARD_NO_INTERRUPT);

// Conditional jumps shift what they did into their counter: CPython's branch history.

#[op("counter/1, cond --")]
fn _POP_JUMP_IF_FALSE() {
    let taken = cond == Word::FALSE;
    dead!(cond);
    record_branch(ip, counter, taken);
    branch_if!(taken, oparg);
}

instruction!(POP_JUMP_IF_FALSE = _POP_JUMP_IF_FALSE);

#[op("counter/1, cond --")]
fn _POP_JUMP_IF_TRUE() {
    let taken = cond == Word::TRUE;
    dead!(cond);
    record_branch(ip, counter, taken);
    branch_if!(taken, oparg);
}

instruction!(POP_JUMP_IF_TRUE = _POP_JUMP_IF_TRUE);

#[op("counter/1, value --")]
fn _POP_JUMP_IF_NONE() {
    let taken = value.is_none();
    close!(value);
    record_branch(ip, counter, taken);
    branch_if!(taken, oparg);
}

instruction!(POP_JUMP_IF_NONE = _POP_JUMP_IF_NONE);

#[op("counter/1, value --")]
fn _POP_JUMP_IF_NOT_NONE() {
    let taken = !value.is_none();
    close!(value);
    record_branch(ip, counter, taken);
    branch_if!(taken, oparg);
}

instruction!(POP_JUMP_IF_NOT_NONE = _POP_JUMP_IF_NOT_NONE);

pseudo!(JUMP_IF_FALSE("cond -- cond", arg, jump) = POP_JUMP_IF_FALSE);

pseudo!(JUMP_IF_TRUE("cond -- cond", arg, jump) = POP_JUMP_IF_TRUE);

#[inst("--")]
fn EXTENDED_ARG() {
    ts.fetched(ip);
    dispatch_as!(*ip, oparg << 8 | *ip.add(1) as usize, ip.add(2));
}

/// An exception is set: to its handler, or out of the loop.
#[label]
fn error() {
    let found = unwind(ts, ip, sp, locals);
    if found {
        reload!();
    }
    leave!(0);
}

/// An opcode that no code object holds.
#[label]
fn invalid() {
    raise_invalid_opcode(ts, ip);
    goto!(error);
}
