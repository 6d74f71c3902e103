//! Instrumented instructions: they tell the tools, then do what the instruction does.

use crate::bytecode::Opcode;
use crate::interp::abi::{Ip, Locals};
use crate::object::{self, Kind, Owned, Raised, Word};
use crate::runtime::call;
use crate::runtime::frame;
use crate::runtime::frame_object::line_jump;
use crate::runtime::generator;
use crate::runtime::monitoring::{code, event, events};
use crate::runtime::thread::Thread;

/// The code of the running frame is not instrumented for the present version.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn is_out_of_date(ts: &Thread, locals: Locals) -> bool {
    unsafe {
        let version = (*frame::code(locals)).instrumentation_version.get();
        version != ts.heap.eval_breaker.version() && !ts.monitoring.is_tracing()
    }
}
#[inline(never)]
pub unsafe fn instrument(ts: &Thread, locals: Locals) -> bool {
    unsafe { code::instrument(ts, &*frame::code(locals)).is_ok() }
}
/// The opcode as the compiler wrote it.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn base_opcode(locals: Locals, instr: Ip) -> u8 {
    unsafe {
        let code = &*frame::code(locals);
        code.base_opcode(code.unit_at(instr)).0 as u8
    }
}
/// The same, kept from specialising.
unsafe fn paused_base_opcode(locals: Locals, instr: Ip) -> u8 {
    unsafe {
        let opcode = base_opcode(locals, instr);
        code::pause_counter(instr, Opcode(u16::from(opcode)));
        opcode
    }
}

/// A callback has set `f_lineno` of the running frame: the registers in `ts` are where it goes on. Asked once.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub fn line_was_set(ts: &Thread) -> bool {
    ts.monitoring.line_jumps.take_made()
}
/// Makes or forgets the jump that callbacks of the running frame's event have asked for.
unsafe fn told(ts: &Thread, locals: Locals, result: Result<(), Raised>) -> bool {
    match result {
        Ok(()) => unsafe { line_jump::make(ts, locals) },
        Err(Raised) => ts.monitoring.line_jumps.forget(locals),
    }
    result.is_ok()
}

#[inline(never)]
pub unsafe fn monitor_resume(ts: &Thread, locals: Locals, instr: Ip, oparg: usize) -> bool {
    let event = if oparg == 0 {
        event::PY_START
    } else {
        event::PY_RESUME
    };
    unsafe { told(ts, locals, events::at(ts, locals, instr, event, None)) }
}
#[inline(never)]
pub unsafe fn monitor_return(ts: &Thread, locals: Locals, instr: Ip, value: Word) -> bool {
    unsafe { events::at(ts, locals, instr, event::PY_RETURN, Some(value)).is_ok() }
}
#[inline(never)]
pub unsafe fn monitor_yield(ts: &Thread, locals: Locals, instr: Ip, value: Word) -> bool {
    let event = event::PY_YIELD;
    unsafe {
        told(
            ts,
            locals,
            events::at(ts, locals, instr, event, Some(value)),
        )
    }
}
/// An instruction jumps `units` from `behind`.
#[inline(never)]
pub unsafe fn monitor_jump(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    behind: Ip,
    units: isize,
) -> bool {
    unsafe {
        let to = behind.offset(2 * units);
        let result = branch(ts, locals, instr, event::JUMP, instr, to);
        told(ts, locals, result)
    }
}
/// A conditional jump is taken, to `target`, or not.
#[inline(never)]
pub unsafe fn monitor_taken(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    target: Ip,
    taken: bool,
) -> bool {
    let event = event::BRANCH_RIGHT;
    unsafe { !taken || branch(ts, locals, instr, event, instr, target).is_ok() }
}
unsafe fn branch(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    event: usize,
    from: Ip,
    to: Ip,
) -> Result<(), Raised> {
    unsafe {
        let code = &*frame::code(locals);
        let (from, to) = (code.unit_at(from), code.unit_at(to));
        events::jump(ts, locals, instr, event, from, to)
    }
}
/// The jump before this instruction was not taken.
#[inline(never)]
pub unsafe fn monitor_not_taken(ts: &Thread, locals: Locals, instr: Ip) -> bool {
    unsafe { arrived(ts, locals, instr, event::BRANCH_LEFT) }
}
/// A loop has ended.
#[inline(never)]
pub unsafe fn monitor_pop_iter(ts: &Thread, locals: Locals, instr: Ip) -> bool {
    unsafe { arrived(ts, locals, instr, event::BRANCH_RIGHT) }
}
unsafe fn arrived(ts: &Thread, locals: Locals, instr: Ip, event: usize) -> bool {
    unsafe {
        let code = &*frame::code(locals);
        let unit = code.unit_at(instr);
        let from = code::branch_source(code, unit);
        events::jump(ts, locals, instr, event, from, unit + 1).is_ok()
    }
}
#[inline(never)]
pub unsafe fn monitor_end_async_for(ts: &Thread, locals: Locals, instr: Ip, oparg: usize) -> bool {
    unsafe {
        let behind = instr.add(2);
        let from = behind.sub(2 * oparg);
        branch(ts, locals, instr, event::BRANCH_RIGHT, from, behind).is_ok()
    }
}
/// What a generator has returned to a loop or a delegation.
#[inline(never)]
pub unsafe fn monitor_end(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    receiver: Word,
    value: Word,
) -> bool {
    unsafe {
        !generator::is_generator_or_coroutine(receiver)
            || events::stop_iteration(ts, locals, instr, value).is_ok()
    }
}
/// The opcode to go on with, 0 when a callback has raised.
#[inline(never)]
pub unsafe fn monitor_line(ts: &Thread, locals: Locals, instr: Ip) -> u8 {
    unsafe {
        let result = events::line(ts, locals, instr);
        if told(ts, locals, result) {
            below(locals, instr, true)
        } else {
            0
        }
    }
}
#[inline(never)]
pub unsafe fn monitor_instruction(ts: &Thread, locals: Locals, instr: Ip) -> u8 {
    unsafe {
        match events::at(ts, locals, instr, event::INSTRUCTION, None) {
            Ok(()) => below(locals, instr, false),
            Err(Raised) => 0,
        }
    }
}
unsafe fn below(locals: Locals, instr: Ip, line: bool) -> u8 {
    unsafe {
        let code = &*frame::code(locals);
        let unit = code.unit_at(instr);
        let opcode = match code.monitoring.get() {
            Some(data) if line => data.below_line(code, unit),
            Some(data) => data.below_instruction(code, unit),
            None => code.base_opcode(unit),
        };
        code::pause_counter(instr, opcode);
        opcode.0 as u8
    }
}

/// FOR_ITER: the item is pushed, or the loop left; the registers are then in `ts`. False when it raised.
#[inline(never)]
pub unsafe fn for_iter_monitored(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    iter: Word,
    oparg: usize,
) -> bool {
    unsafe {
        let (_, sp, _) = ts.saved_registers();
        let behind = instr.add(2 + 2 * Opcode::FOR_ITER.caches());
        let next = super::iter::iter_next(ts, iter);
        if next.is_null() {
            if ts.current_exception.get().is_some() {
                return false;
            }
            ts.install(behind.add(2 * (oparg + 1)), sp, locals);
            return true;
        }
        let next = Owned::from_word(next);
        if branch(ts, locals, instr, event::BRANCH_LEFT, instr, behind).is_err() {
            return false;
        }
        *sp = next.into_word();
        ts.install(behind, sp.add(1), locals);
        true
    }
}

/// CALL and CALL_KW: what stands at `base` is consumed. A Python function's frame is entered; otherwise the result is
/// pushed. The registers are then in `ts`. False when it raised.
#[inline(never)]
pub unsafe fn call_monitored(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    base: *mut Word,
    count: usize,
    kwnames: Word,
) -> bool {
    unsafe {
        let return_ip = instr.add(2 + 2 * Opcode::CALL.caches());
        if (*base).is_exact(Kind::METHOD) && (*base.add(1)).is_null() {
            call::unpack_method(base);
        }
        let arg = match (*base.add(1)).is_null() {
            false => *base.add(1),
            true if count > 0 => *base.add(2),
            true => Word::NULL,
        };
        if events::call(ts, locals, instr, event::CALL, *base, arg).is_err() {
            return false;
        }
        let native = !(*base).is_exact(Kind::FUNCTION);
        let callable = Owned::new_ref(*base);
        let arg = events::kept(arg);
        if !kwnames.is_null() {
            *base.add(2 + count) = Word::NULL;
        }
        let result = call::call_stack(ts, return_ip, base, count, kwnames);
        if !kwnames.is_null() {
            kwnames.close();
        }
        let arg = arg.as_ref().map_or(Word::NULL, Owned::as_word);
        finish(
            ts,
            locals,
            instr,
            base,
            return_ip,
            result,
            native,
            callable.as_word(),
            arg,
        )
    }
}

/// What an instrumented call ends with.
#[expect(clippy::too_many_arguments, reason = "all that is known of a call")]
unsafe fn finish(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    base: *mut Word,
    return_ip: Ip,
    result: Word,
    native: bool,
    callable: Word,
    arg: Word,
) -> bool {
    unsafe {
        if result.is_null() {
            let raised = ts.current_exception.get().is_some();
            if raised && native {
                events::call_raised(ts, locals, instr, callable, arg);
            }
            return !raised;
        }
        let result = Owned::from_word(result);
        if native && events::call(ts, locals, instr, event::C_RETURN, callable, arg).is_err() {
            return false;
        }
        if ts.has_events() && ts.handle_pending().is_err() {
            return false;
        }
        *base = result.into_word();
        ts.install(return_ip, base.add(1), locals);
        true
    }
}

/// CALL_FUNCTION_EX likewise.
#[inline(never)]
pub unsafe fn call_function_ex_monitored(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    func: Word,
    callargs: Word,
    kwargs: Word,
) -> bool {
    unsafe {
        let return_ip = instr.add(2);
        let (_, sp, _) = ts.saved_registers();
        let base = sp.sub(4);
        // The tuple is made first: the tools see its first item.
        let mut callargs = callargs;
        if !callargs.is_exact(Kind::TUPLE) {
            let Ok(tuple) = crate::runtime::kwargs::star_args(ts.vm(), func, callargs) else {
                return false;
            };
            callargs.close();
            callargs = tuple.into_word();
            *sp.sub(2) = callargs;
        }
        let first = object::tuple::items(callargs).first().copied();
        let arg = events::kept(first.unwrap_or(Word::NULL));
        let word = arg.as_ref().map_or(Word::NULL, Owned::as_word);
        if events::call(ts, locals, instr, event::CALL, func, word).is_err() {
            return false;
        }
        let native = !func.is_exact(Kind::FUNCTION) && !func.is_exact(Kind::METHOD);
        let callable = Owned::new_ref(func);
        let result = call::call_function_ex(ts, return_ip, func, callargs, kwargs);
        finish(
            ts,
            locals,
            instr,
            base,
            return_ip,
            result,
            native,
            callable.as_word(),
            word,
        )
    }
}

/// The call of `super` in LOAD_SUPER_ATTR, as the tools see it; the instruction itself, whose opcode is the answer, makes
/// its own. 0 if something has been raised.
#[inline(never)]
pub unsafe fn monitor_super(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    global_super: Word,
    class: Word,
    instance: Word,
) -> u8 {
    unsafe {
        let explicit = *instr.add(1) & 2 != 0;
        let arg = if explicit { class } else { Word::NULL };
        if events::call(ts, locals, instr, event::CALL, global_super, arg).is_err() {
            return 0;
        }
        if !super::attrs::is_super(ts, global_super) {
            return paused_base_opcode(locals, instr);
        }
        let args = [class, instance];
        match object::call::call(ts.vm(), global_super, &args, None) {
            Ok(_) => match events::call(ts, locals, instr, event::C_RETURN, global_super, arg) {
                Ok(_) => paused_base_opcode(locals, instr),
                Err(Raised) => 0,
            },
            Err(Raised) => {
                events::call_raised(ts, locals, instr, global_super, arg);
                0
            }
        }
    }
}

/// An iterator has raised StopIteration itself: a tool may want to know before it is forgotten. What a callback raises
/// stays.
#[cold]
pub unsafe fn monitor_stop(ts: &Thread) {
    unsafe {
        let (_, _, locals) = ts.saved_registers();
        if monitor_returned(ts, locals) {
            ts.vm().clear_exception();
        }
    }
}
/// The same of what an awaitable returns with: the StopIteration is still the current exception, unless a callback has
/// raised another.
#[cold]
pub unsafe fn monitor_returned(ts: &Thread, locals: Locals) -> bool {
    unsafe {
        let (ip, _, _) = ts.saved_registers();
        let unit = crate::runtime::unwind::instruction_at(locals, ip);
        events::raised(ts, locals, unit, event::RAISE).is_ok()
    }
}
