//! From a triggering counter to the decision about the site.

use crate::bytecode::Opcode;
use crate::interp::abi::{Ip, Locals};
use crate::object::Word;
use crate::runtime::specialize::{self, rewrite, settle, unless_hooked};
use crate::runtime::thread::Thread;

// Deciding reads types and dicts and may give out version numbers; it never runs Python code.

#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_binary_op(
    ts: &Thread,
    instr: Ip,
    locals: Locals,
    lhs: Word,
    rhs: Word,
    oparg: usize,
) {
    unsafe {
        settle(
            ts,
            instr,
            unless_hooked(
                ts,
                specialize::binary_op::decide(ts.vm(), instr, locals, lhs, rhs, oparg),
            ),
        )
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_compare_op(ts: &Thread, instr: Ip, left: Word, right: Word, oparg: usize) {
    unsafe {
        settle(
            ts,
            instr,
            specialize::compare::compare_op(left, right, oparg),
        )
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_contains_op(ts: &Thread, instr: Ip, container: Word) {
    unsafe { settle(ts, instr, specialize::compare::contains_op(container)) }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_to_bool(ts: &Thread, instr: Ip, value: Word) {
    unsafe { settle(ts, instr, specialize::truth::decide(ts.vm(), instr, value)) }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_store_subscr(ts: &Thread, instr: Ip, container: Word, sub: Word) {
    unsafe {
        settle(
            ts,
            instr,
            specialize::subscr::store(ts.vm(), container, sub),
        )
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_for_iter(ts: &Thread, instr: Ip, iter: Word, _oparg: usize) {
    unsafe {
        settle(
            ts,
            instr,
            unless_hooked(ts, specialize::iter::for_iter(ts.vm(), iter)),
        )
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_send(ts: &Thread, instr: Ip, receiver: Word) {
    unsafe {
        settle(
            ts,
            instr,
            unless_hooked(ts, specialize::iter::send(ts.vm(), receiver)),
        )
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_unpack_sequence(ts: &Thread, instr: Ip, seq: Word, oparg: usize) {
    unsafe {
        settle(
            ts,
            instr,
            specialize::iter::unpack_sequence(ts.vm(), seq, oparg),
        )
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_load_global(ts: &Thread, instr: Ip, locals: Locals, oparg: usize) {
    unsafe {
        settle(
            ts,
            instr,
            specialize::globals::decide(ts, instr, locals, oparg),
        )
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_call(
    ts: &Thread,
    instr: Ip,
    callable: Word,
    self_or_null: Word,
    oparg: usize,
) {
    unsafe {
        settle(
            ts,
            instr,
            unless_hooked(
                ts,
                specialize::call::decide(ts, instr, callable, self_or_null, oparg),
            ),
        )
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_call_kw(ts: &Thread, instr: Ip, callable: Word) {
    unsafe {
        settle(
            ts,
            instr,
            unless_hooked(ts, specialize::call::decide_kw(instr, callable)),
        )
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_load_attr(
    ts: &Thread,
    instr: Ip,
    locals: Locals,
    owner: Word,
    oparg: usize,
) {
    unsafe {
        settle(
            ts,
            instr,
            unless_hooked(ts, specialize::attr::load(ts, instr, locals, owner, oparg)),
        )
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_store_attr(
    ts: &Thread,
    instr: Ip,
    locals: Locals,
    owner: Word,
    oparg: usize,
) {
    unsafe {
        settle(
            ts,
            instr,
            specialize::attr::store(ts, instr, locals, owner, oparg),
        )
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_load_super_attr(
    ts: &Thread,
    instr: Ip,
    global_super: Word,
    class: Word,
    oparg: usize,
) {
    unsafe {
        settle(
            ts,
            instr,
            specialize::attr::load_super(ts.vm(), global_super, class, oparg),
        )
    }
}

// ---- the three that specialise at their first execution, without a counter

#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_load_const(ts: &Thread, instr: Ip, value: Word) {
    if !ts.specialization.get() {
        return;
    }
    let immortal = specialize::is_immortal(value);
    unsafe {
        rewrite(
            instr,
            if immortal {
                Opcode::LOAD_CONST_IMMORTAL
            } else {
                Opcode::LOAD_CONST_MORTAL
            },
        )
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_resume(ts: &Thread, instr: Ip) {
    // Not in a callback: there the code may be out of date.
    if ts.specialization.get() && !ts.monitoring.is_tracing() {
        unsafe { rewrite(instr, Opcode::RESUME_CHECK) }
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn specialize_jump_backward(ts: &Thread, instr: Ip) {
    if ts.specialization.get() {
        unsafe { rewrite(instr, Opcode::JUMP_BACKWARD_NO_JIT) }
    }
}
