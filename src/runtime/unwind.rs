//! From an exception to its handler: frames left, stacks cleared, the traceback grown (`exception_unwind`).

use super::call;
use super::code::CodeObject;
use super::frame::{self, HEADER, Ip, Locals, Meta, Sp};
use super::monitoring::{event, events};
use super::thread::Thread;
use super::{code, frame_object, generator, traceback};
use crate::bytecode::{Opcode, tables};
use crate::object::{Owned, Word};

/// Where the code unit of the running instruction is: the one that `ip` stands behind, caches not counted.
///
/// # Safety
/// `locals` are those of a live frame with code, `ip` is in or at the end of that code.
pub unsafe fn instruction_at(locals: Locals, ip: Ip) -> usize {
    unsafe { (*frame::code(locals)).instruction_before(ip) }
}

/// Finds the handler of the current exception, puts the registers of its frame into `ts` and the exception on its stack.
/// False if there is none before the frame that entered the loop; that frame's registers are then in `ts`.
///
/// # Safety
/// The registers are those of the running frame; everything below `sp` is a stack word.
pub unsafe fn unwind(ts: &Thread, mut ip: Ip, mut sp: Sp, mut locals: Locals) -> bool {
    let vm = ts.vm();
    unsafe {
        if ip == call::init_cleanup().add(2) {
            // EXIT_INIT_CHECK has raised: above the stack is what `__init__`'s frame has left.
            ip = call::init_return_ip(sp.sub(1).cast());
        }
        // Whether a frame has been left that the running instruction had entered.
        let mut called = false;
        loop {
            let meta = (*frame::frame(locals)).meta;
            if meta.has(Meta::SHIM) {
                ts.install(ip, locals, locals);
                return false;
            }
            if meta.has(Meta::BRIDGE) {
                (ip, sp, locals) = call::pop_bridge(ts, locals);
                called = false;
                continue;
            }
            let stack = locals.add(meta.locals());
            let code = frame::code(locals);
            let unit = instruction_at(locals, ip);
            ip = shown_ip(code, unit, ip, sp, stack);
            ts.save(ip, sp, locals);
            let event = if traceback::add(ts, locals, unit) {
                event::RAISE
            } else {
                event::RERAISE
            };
            let tell = |event| {
                if ts.monitoring.tools(event) != 0 {
                    // What a callback raises takes the exception's place.
                    let _ = events::raised(ts, locals, told_unit(&*code, unit, called), event);
                }
            };
            tell(event);
            let mut at = unit;
            let table = &(&*code).spec.exceptiontable;
            while let Some(entry) = tables::find_handler(table, at as u32)
                && ts.take_step().is_ok()
            {
                let keep = stack.add(entry.depth as usize);
                close_down_to(ts, ip, sp, keep, locals);
                sp = keep;
                if entry.lasti {
                    *sp = Word::int_unchecked(instruction_at(locals, ip) as i64);
                    sp = sp.add(1);
                }
                let exception = vm.take_exception().map_or(Word::NONE, Owned::into_word);
                *sp = exception;
                sp = sp.add(1);
                let target = code::start(code).add(2 * entry.target as usize);
                ts.save(target.add(2), sp, locals);
                if events::handled(ts, locals, entry.target as usize, exception).is_ok() {
                    ts.install(target, sp, locals);
                    return true;
                }
                // What the callback has raised is raised before the handler, but not for the same handler again.
                let before = (entry.target as usize).saturating_sub(1);
                if before == at {
                    break;
                }
                at = before;
            }
            close_down_to(ts, ip, sp, stack, locals);
            ts.save(ip, stack, locals);
            tell(event::PY_UNWIND);
            let return_ip = call::return_ip(frame::frame(locals));
            (_, sp, locals) = leave_frame(ts, locals);
            ip = return_ip;
            called = true;
        }
    }
}

/// The unit that tools are told: the one before where the evaluation loop goes on, as CPython has it. That is the last
/// cache of an instruction that raises, but a call that a frame has been left for begins again.
fn told_unit(code: &CodeObject, unit: usize, called: bool) -> usize {
    if called {
        unit.saturating_sub(1)
    } else {
        unit + code.base_opcode(unit).caches()
    }
}

/// Where the frame object shows the frame: RERAISE goes back to the instruction that has raised first, if its place is
/// on the stack.
///
/// # Safety
/// `code` is live, as are the stack words from `stack` to `sp`.
unsafe fn shown_ip(code: *mut CodeObject, unit: usize, ip: Ip, sp: Sp, stack: Sp) -> Ip {
    unsafe {
        let depth = usize::from((&*code).spec.code[2 * unit + 1]);
        // Above the words that stay is where the exception was.
        if (*code).base_opcode(unit) != Opcode::RERAISE
            || depth == 0
            || sp.offset_from(stack) <= depth as isize
        {
            return ip;
        }
        let lasti = *sp.sub(depth + 1);
        if !lasti.is_int() {
            return ip;
        }
        match usize::try_from(lasti.as_int()) {
            Ok(lasti) if lasti < (*code).units() => code::start(code).add(2 * (lasti + 1)),
            _ => ip,
        }
    }
}

/// Releases the stack words from `sp` down to `keep`.
unsafe fn close_down_to(ts: &Thread, ip: Ip, mut sp: Sp, keep: Sp, locals: Locals) {
    unsafe {
        while sp > keep {
            sp = sp.sub(1);
            let word = *sp;
            // The word is off the stack before a finalizer can run.
            ts.save(ip, sp, locals);
            let pending = ts.vm().take_exception();
            word.close();
            if let Some(exception) = pending {
                ts.vm().set_exception(exception);
            }
        }
    }
}

/// Releases a frame's locals, namespace and function, and gives the registers of its caller: where it goes on, its
/// stack pointer, its locals (`_PyEval_FrameClearAndPop`).
///
/// # Safety
/// The frame's stack is empty or its words are the caller's concern; `ts` holds its registers.
pub unsafe fn leave_frame(ts: &Thread, locals: Locals) -> (Ip, Sp, Locals) {
    unsafe {
        let frame = frame::frame(locals);
        let meta = (*frame).meta;
        let pending = ts.vm().take_exception();
        let (ip, _, _) = ts.saved_registers();
        // Finalizers see the caller's frame as the innermost; theirs go above this frame's locals.
        let above = locals.add(meta.locals());
        ts.save(call::return_ip(frame), above, (*frame).previous);
        let object = if meta.has(Meta::GENERATOR | Meta::FRAME_OBJECT) {
            frame_object::leave(ts, locals, ip)
        } else {
            None
        };
        frame_object::drop_extra(&object);
        if meta.has(Meta::GENERATOR) {
            generator::finish(ts, locals);
        }
        for index in (0..meta.locals()).rev() {
            let word = std::mem::replace(&mut *locals.add(index), Word::NULL);
            word.release_slot();
        }
        if meta.has(Meta::NAMESPACE) {
            std::mem::replace(&mut (*frame).namespace, Word::NULL).release_slot();
        }
        (*frame).func.release_slot();
        drop(object);
        if let Some(exception) = pending {
            ts.vm().set_exception(exception);
        }
        ts.leave_frame();
        ((*frame).return_ip, locals.sub(HEADER), (*frame).previous)
    }
}
