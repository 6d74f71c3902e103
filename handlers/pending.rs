//! Declared, so that numbers, effects and cache sizes are whole; executing one raises SystemError.

#[inst("receiver, value -- receiver")]
#[opcode(234)]
fn INSTRUMENTED_END_FOR() {
    goto!(unsupported);
}

#[inst("iter --")]
#[opcode(235)]
fn INSTRUMENTED_POP_ITER() {
    goto!(unsupported);
}

#[inst("receiver, value -- val")]
#[opcode(236)]
fn INSTRUMENTED_END_SEND() {
    goto!(unsupported);
}

#[inst("iter -- iter, next")]
#[flags(arg, jump)]
#[opcode(237)]
fn INSTRUMENTED_FOR_ITER() {
    goto!(unsupported);
}

#[inst("--")]
#[opcode(238)]
fn INSTRUMENTED_INSTRUCTION() {
    goto!(unsupported);
}

#[inst("--")]
#[flags(arg)]
#[opcode(239)]
fn INSTRUMENTED_JUMP_FORWARD() {
    goto!(unsupported);
}

#[inst("--")]
#[opcode(240)]
fn INSTRUMENTED_NOT_TAKEN() {
    goto!(unsupported);
}

#[inst("cond --")]
#[flags(arg)]
#[opcode(241)]
fn INSTRUMENTED_POP_JUMP_IF_TRUE() {
    goto!(unsupported);
}

#[inst("cond --")]
#[flags(arg)]
#[opcode(242)]
fn INSTRUMENTED_POP_JUMP_IF_FALSE() {
    goto!(unsupported);
}

#[inst("value --")]
#[flags(arg)]
#[opcode(243)]
fn INSTRUMENTED_POP_JUMP_IF_NONE() {
    goto!(unsupported);
}

#[inst("value --")]
#[flags(arg)]
#[opcode(244)]
fn INSTRUMENTED_POP_JUMP_IF_NOT_NONE() {
    goto!(unsupported);
}

#[inst("--")]
#[flags(arg)]
#[opcode(245)]
fn INSTRUMENTED_RESUME() {
    goto!(unsupported);
}

#[inst("retval -- res")]
#[opcode(246)]
fn INSTRUMENTED_RETURN_VALUE() {
    goto!(unsupported);
}

#[inst("retval -- value")]
#[flags(arg)]
#[opcode(247)]
fn INSTRUMENTED_YIELD_VALUE() {
    goto!(unsupported);
}

#[inst("awaitable, exc --")]
#[flags(arg, jump)]
#[opcode(248)]
fn INSTRUMENTED_END_ASYNC_FOR() {
    goto!(unsupported);
}

#[inst("global_super, class, instance -- attr, self_or_null[oparg & 1]")]
#[flags(arg, name)]
#[opcode(249)]
fn INSTRUMENTED_LOAD_SUPER_ATTR() {
    goto!(unsupported);
}

#[inst("callable, self_or_null, args[oparg] -- res")]
#[flags(arg)]
#[opcode(250)]
fn INSTRUMENTED_CALL() {
    goto!(unsupported);
}

#[inst("callable, self_or_null, args[oparg], kwnames -- res")]
#[flags(arg)]
#[opcode(251)]
fn INSTRUMENTED_CALL_KW() {
    goto!(unsupported);
}

#[inst("func, null, callargs, kwargs -- result")]
#[opcode(252)]
fn INSTRUMENTED_CALL_FUNCTION_EX() {
    goto!(unsupported);
}

#[inst("--")]
#[flags(arg)]
#[opcode(253)]
fn INSTRUMENTED_JUMP_BACKWARD() {
    goto!(unsupported);
}

#[inst("--")]
#[opcode(254)]
fn INSTRUMENTED_LINE() {
    goto!(unsupported);
}

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
