//! Instructions that tools watch (`sys.monitoring`, `sys.settrace`): they tell of what happens, then go on as the
//! instruction that the compiler wrote. Each stands where that one stood, with its caches behind it, which CPython's
//! tables, and so these definitions, do not count.

/// A callback has set `f_lineno`: the frame goes on there.
#[cold("--")]
fn _LINE_SET() {
    reload!();
}

#[cold("retval -- value")]
fn _LINE_SET_AT_YIELD() {
    reload!();
}

#[inst("receiver, value -- receiver")]
#[opcode(234)]
fn INSTRUMENTED_END_FOR() {
    let done = monitor_end(ts, locals, this_instr!(), receiver, value);
    error_if!(!done);
    dead!(value);
    dispatch_as!(base_opcode(locals, this_instr!()), oparg, ip);
}

#[inst("iter --")]
#[opcode(235)]
fn INSTRUMENTED_POP_ITER() {
    let done = monitor_pop_iter(ts, locals, this_instr!());
    error_if!(!done);
    dead!(iter);
    dispatch_as!(base_opcode(locals, this_instr!()), oparg, ip);
}

#[inst("receiver, value -- val")]
#[opcode(236)]
fn INSTRUMENTED_END_SEND() {
    let done = monitor_end(ts, locals, this_instr!(), receiver, value);
    error_if!(!done);
    dead!(receiver);
    dead!(value);
    dispatch_as!(base_opcode(locals, this_instr!()), oparg, ip);
}

#[inst("iter -- iter, next")]
#[flags(arg, jump)]
#[opcode(237)]
fn INSTRUMENTED_FOR_ITER() {
    let done = for_iter_monitored(ts, locals, this_instr!(), iter, oparg);
    error_if!(!done);
    reload!();
}

#[inst("--")]
#[opcode(238)]
fn INSTRUMENTED_INSTRUCTION() {
    let next = monitor_instruction(ts, locals, this_instr!());
    error_if!(next == 0);
    dispatch_as!(next, oparg, ip);
}

#[inst("--")]
#[flags(arg)]
#[opcode(239)]
fn INSTRUMENTED_JUMP_FORWARD() {
    let done = monitor_jump(ts, locals, this_instr!(), ip, oparg as isize);
    error_if!(!done);
    cold_if!(line_was_set(ts), _LINE_SET);
    dispatch_as!(base_opcode(locals, this_instr!()), oparg, ip);
}

#[inst("--")]
#[opcode(240)]
fn INSTRUMENTED_NOT_TAKEN() {
    let done = monitor_not_taken(ts, locals, this_instr!());
    error_if!(!done);
}

#[inst("cond --")]
#[flags(arg)]
#[opcode(241)]
fn INSTRUMENTED_POP_JUMP_IF_TRUE() {
    let done = monitor_taken(ts, locals, this_instr!(), ip.add(2 + 2 * oparg), cond == Word::TRUE);
    error_if!(!done);
    dead!(cond);
    dispatch_as!(base_opcode(locals, this_instr!()), oparg, ip);
}

#[inst("cond --")]
#[flags(arg)]
#[opcode(242)]
fn INSTRUMENTED_POP_JUMP_IF_FALSE() {
    let done = monitor_taken(ts, locals, this_instr!(), ip.add(2 + 2 * oparg), cond == Word::FALSE);
    error_if!(!done);
    dead!(cond);
    dispatch_as!(base_opcode(locals, this_instr!()), oparg, ip);
}

#[inst("value --")]
#[flags(arg)]
#[opcode(243)]
fn INSTRUMENTED_POP_JUMP_IF_NONE() {
    let done = monitor_taken(ts, locals, this_instr!(), ip.add(2 + 2 * oparg), value.is_none());
    error_if!(!done);
    dead!(value);
    dispatch_as!(base_opcode(locals, this_instr!()), oparg, ip);
}

#[inst("value --")]
#[flags(arg)]
#[opcode(244)]
fn INSTRUMENTED_POP_JUMP_IF_NOT_NONE() {
    let done = monitor_taken(ts, locals, this_instr!(), ip.add(2 + 2 * oparg), !value.is_none());
    error_if!(!done);
    dead!(value);
    dispatch_as!(base_opcode(locals, this_instr!()), oparg, ip);
}

#[inst("--")]
#[flags(arg)]
#[opcode(245)]
fn INSTRUMENTED_RESUME() {
    cold_if!(is_out_of_date(ts, locals), _INSTRUMENT);
    let checked = check_periodic_at_resume(ts, oparg);
    error_if!(!checked);
    let done = monitor_resume(ts, locals, this_instr!(), oparg);
    error_if!(!done);
    cold_if!(line_was_set(ts), _LINE_SET);
}

#[inst("retval -- res")]
#[opcode(246)]
fn INSTRUMENTED_RETURN_VALUE() {
    let done = monitor_return(ts, locals, this_instr!(), retval);
    error_if!(!done);
    dead!(retval);
    dispatch_as!(base_opcode(locals, this_instr!()), oparg, ip);
}

#[inst("retval -- value")]
#[flags(arg)]
#[opcode(247)]
fn INSTRUMENTED_YIELD_VALUE() {
    let done = monitor_yield(ts, locals, this_instr!(), retval);
    error_if!(!done);
    cold_if!(line_was_set(ts), _LINE_SET_AT_YIELD);
    dead!(retval);
    dispatch_as!(base_opcode(locals, this_instr!()), oparg, ip);
}

#[inst("awaitable, exc --")]
#[flags(arg, jump)]
#[opcode(248)]
fn INSTRUMENTED_END_ASYNC_FOR() {
    let done = monitor_end_async_for(ts, locals, this_instr!(), oparg);
    error_if!(!done);
    dead!(awaitable);
    dead!(exc);
    dispatch_as!(base_opcode(locals, this_instr!()), oparg, ip);
}

#[inst("global_super, class, instance -- attr, self_or_null[oparg & 1]")]
#[flags(arg, name)]
#[opcode(249)]
fn INSTRUMENTED_LOAD_SUPER_ATTR() {
    let next = monitor_super(ts, locals, this_instr!(), global_super, class, instance);
    error_if!(next == 0);
    dead!(global_super);
    dead!(class);
    dead!(instance);
    dispatch_as!(next, oparg, ip);
}

#[inst("callable, self_or_null, args[oparg] -- res")]
#[flags(arg)]
#[opcode(250)]
fn INSTRUMENTED_CALL() {
    let done = call_monitored(ts, locals, this_instr!(), args.sub(2), oparg, Word::NULL);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    error_if!(!done);
    reload!();
}

#[inst("callable, self_or_null, args[oparg], kwnames -- res")]
#[flags(arg)]
#[opcode(251)]
fn INSTRUMENTED_CALL_KW() {
    let done = call_monitored(ts, locals, this_instr!(), args.sub(2), oparg, kwnames);
    dead!(callable);
    dead!(self_or_null);
    dead!(args);
    dead!(kwnames);
    error_if!(!done);
    reload!();
}

#[inst("func, null, callargs, kwargs -- result")]
#[opcode(252)]
fn INSTRUMENTED_CALL_FUNCTION_EX() {
    let done = call_function_ex_monitored(ts, locals, this_instr!(), func, callargs, kwargs);
    dead!(func);
    dead!(null);
    dead!(callargs);
    dead!(kwargs);
    error_if!(!done);
    reload!();
}

#[inst("--")]
#[flags(arg)]
#[opcode(253)]
fn INSTRUMENTED_JUMP_BACKWARD() {
    let done = monitor_jump(ts, locals, this_instr!(), ip.add(2), -(oparg as isize));
    error_if!(!done);
    cold_if!(line_was_set(ts), _LINE_SET);
    dispatch_as!(base_opcode(locals, this_instr!()), oparg, ip);
}

#[inst("--")]
#[opcode(254)]
fn INSTRUMENTED_LINE() {
    let next = monitor_line(ts, locals, this_instr!());
    error_if!(next == 0);
    cold_if!(line_was_set(ts), _LINE_SET);
    dispatch_as!(next, oparg, ip);
}

/// Declared, so that numbers are whole: there is no second tier.
#[inst("--")]
#[flags(arg)]
#[opcode(255)]
fn ENTER_EXECUTOR() {
    goto!(unsupported);
}

/// An instruction that is only declared.
#[label]
fn unsupported() {
    raise_unsupported(ts, ip);
    goto!(error);
}
