//! The running frame: constants, return, exit, the periodic check, unwinding.

use crate::interp::abi::{Ip, Locals};
use crate::object::Word;
use crate::runtime::call;
use crate::runtime::frame::{self, HEADER, Meta};
use crate::runtime::generator;
use crate::runtime::thread::Thread;
use crate::runtime::unwind as unwinding;

#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn const_at(locals: Locals, index: usize) -> Word {
    unsafe { *(*frame::frame(locals)).consts.add(index) }
}

// ---- return

#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn frame_is_plain(locals: Locals) -> bool {
    unsafe { (*frame::frame(locals)).meta.is_plain() }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn frame_locals(locals: Locals) -> usize {
    unsafe { (*frame::frame(locals)).meta.locals() }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn frame_function(locals: Locals) -> Word {
    unsafe { (*frame::frame(locals)).func }
}
/// Where the caller's stack goes on after the return.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn frame_base(locals: Locals) -> *mut Word {
    unsafe { locals.sub(HEADER) }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn return_ip(locals: Locals) -> Ip {
    unsafe { (*frame::frame(locals)).return_ip }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn previous_locals(locals: Locals) -> Locals {
    unsafe { (*frame::frame(locals)).previous }
}

/// Returns `value` from a plain frame whose local `index` has given up its last count.
#[inline(never)]
pub unsafe fn return_freeing(ts: &Thread, locals: Locals, index: usize, value: Word) {
    unsafe {
        let dead = *locals.add(index);
        let (ip, sp, _) = ts.saved_registers();
        // Whoever asks for the running frame now gets the caller's, whose own frames go above this one.
        ts.save(return_ip(locals), sp, previous_locals(locals));
        // What is not released yet stays visible to whatever a finalizer looks at; the rest is gone.
        for done in index..(*frame::frame(locals)).meta.locals() {
            *locals.add(done) = Word::NULL;
        }
        crate::object::header::dealloc(ts.vm(), dead.object());
        ts.save(ip, sp, locals);
        return_special(ts, locals, value);
    }
}
/// Returns `value` from a plain frame whose locals are released and whose function has given up its last count.
#[inline(never)]
pub unsafe fn return_freeing_function(ts: &Thread, locals: Locals, value: Word) {
    unsafe {
        let function = (*frame::frame(locals)).func;
        let (ip, previous) = (return_ip(locals), previous_locals(locals));
        let (_, sp, _) = ts.saved_registers();
        ts.save(ip, sp, previous);
        crate::object::header::dealloc(ts.vm(), function.object());
        ts.leave_frame();
        let base = frame_base(locals);
        *base = value;
        ts.install(ip, base.add(1), previous);
    }
}
/// Returns `value` from any frame.
#[inline(never)]
pub unsafe fn return_special(ts: &Thread, locals: Locals, value: Word) {
    unsafe {
        let returned_ip = (*frame::frame(locals))
            .meta
            .has(Meta::GENERATOR)
            .then(|| generator::of_frame(locals).returned_ip());
        let (mut ip, base, previous) = unwinding::leave_frame(ts, locals);
        *base = value;
        if let Some(returned_ip) = returned_ip {
            // The bridge leads to where the resumer goes on after a yield.
            if (*frame::frame(previous)).meta.has(Meta::BRIDGE) {
                (*frame::frame(previous)).return_ip = returned_ip;
            } else {
                ip = returned_ip;
            }
        }
        ts.install(ip, base.add(1), previous);
    }
}

/// The value with which the loop is left, and the entry shim removed.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn interpreter_exit(_ts: &Thread, locals: Locals, value: Word) -> u64 {
    unsafe {
        debug_assert!((*frame::frame(locals)).meta.has(Meta::SHIM));
        value.bits()
    }
}
/// Goes back from a frame that was first in its chunk: to the caller in the chunk below.
#[inline(never)]
pub unsafe fn leave_chunk(ts: &Thread, locals: Locals, value: Word) {
    unsafe {
        let (ip, base, previous) = call::pop_bridge(ts, locals);
        *base = value;
        ts.install(ip, base.add(1), previous);
    }
}

// ---- the eval breaker

#[inline(never)]
pub fn check_periodic_at_resume(ts: &Thread, oparg: usize) -> bool {
    // Not when resuming inside `yield from` or `await`.
    if !ts.has_events() || oparg & 3 >= 2 {
        true
    } else {
        handle_pending(ts)
    }
}
#[inline(never)]
pub fn handle_pending(ts: &Thread) -> bool {
    ts.handle_pending().is_ok()
}

// ---- errors

/// Finds the handler of the current exception and puts the registers there; false if the loop must be left.
#[inline(never)]
pub unsafe fn unwind(ts: &Thread, ip: Ip, sp: *mut Word, locals: Locals) -> bool {
    unsafe { unwinding::unwind(ts, ip, sp, locals) }
}
#[inline(never)]
pub unsafe fn raise_invalid_opcode(ts: &Thread, ip: Ip) {
    let opcode = unsafe { *ip.sub(2) };
    ts.vm()
        .raise(ts.exc.SystemError, format!("unknown opcode {opcode}"));
}
#[inline(never)]
pub unsafe fn raise_unsupported(ts: &Thread, ip: Ip) {
    let opcode = crate::bytecode::Opcode(u16::from(unsafe { *ip.sub(2) }));
    ts.vm().raise(
        ts.exc.SystemError,
        format!("{} is not supported yet", opcode.name()),
    );
}
