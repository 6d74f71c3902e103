//! Events as they happen. Each function is told the running frame, whose registers are saved, and the instruction.

use super::{LOCAL_EVENTS, call_tools, code, event};
use crate::object::{Owned, Raised, Word};
use crate::runtime::frame::{self, Ip, Locals, Meta};
use crate::runtime::generator::GeneratorObject;
use crate::runtime::thread::Thread;

/// The unit of the instruction at `instr`.
unsafe fn unit_of(locals: Locals, instr: Ip) -> usize {
    unsafe { code::of_frame(locals).unit_at(instr) }
}

/// Tools that watch the event of an instruction.
unsafe fn tools_at(locals: Locals, unit: usize, event: usize) -> u8 {
    unsafe {
        let data = code::of_frame(locals).monitoring.get();
        data.map_or(0, |data| data.tools(unit, event))
    }
}

fn offset(unit: usize) -> Word {
    Word::int_unchecked(2 * unit as i64)
}

/// An event without or with one argument: starts, returns, yields.
///
/// # Safety
/// The module's: `locals` and `instr` are the running frame's, whose registers are saved.
pub unsafe fn at(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    event: usize,
    arg: Option<Word>,
) -> Result<(), Raised> {
    unsafe {
        let unit = unit_of(locals, instr);
        let tools = tools_at(locals, unit, event);
        match arg {
            None => call_tools(ts, locals, unit, event, tools, &[offset(unit)]),
            Some(arg) => call_tools(ts, locals, unit, event, tools, &[offset(unit), arg]),
        }
    }
}

/// CALL and what a native call ended with; `arg` is NULL for a call without arguments.
///
/// # Safety
/// As [`at`].
pub unsafe fn call(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    event: usize,
    callable: Word,
    arg: Word,
) -> Result<(), Raised> {
    unsafe {
        let unit = unit_of(locals, instr);
        let tools = tools_at(locals, unit, event::CALL);
        let arg = if arg.is_null() {
            ts.monitoring.missing.get()
        } else {
            arg
        };
        call_tools(
            ts,
            locals,
            unit,
            event,
            tools,
            &[offset(unit), callable, arg],
        )
    }
}

/// A jump or branch from the unit `from` to the unit `to`, told by the instruction at `instr`.
///
/// # Safety
/// As [`at`].
pub unsafe fn jump(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    event: usize,
    from: usize,
    to: usize,
) -> Result<(), Raised> {
    unsafe {
        let unit = unit_of(locals, instr);
        let tools = tools_at(locals, unit, event);
        call_tools(ts, locals, unit, event, tools, &[offset(from), offset(to)])
    }
}

/// LINE, unless the frame has come from another instruction of the same line.
///
/// CPython compares with the line of the instruction executed before. That is not written down here; what is, is the
/// place of the last LINE that the frame has passed, in the header's `meta`, and a generator keeps it while it does
/// not run. Where an instruction's line may have begun before or not, `Start::goes_on` says so; while a tool asks at
/// such a place, LINE stays at all places ([`code`]), also where no tool wants it any more.
///
/// # Safety
/// As [`at`].
pub unsafe fn line(ts: &Thread, locals: Locals, instr: Ip) -> Result<(), Raised> {
    unsafe {
        if ts.monitoring.is_tracing() {
            return Ok(());
        }
        let unit = unit_of(locals, instr);
        let code = code::of_frame(locals);
        let Some(data) = code.monitoring.get() else {
            return Ok(());
        };
        let lines = data.lines(code);
        let start = lines[unit];
        let arrived = ts.monitoring.line_jumps.take_arrived(locals, unit);
        if !start.begins_anew {
            return Ok(());
        }
        let before = pass_line(locals, unit);
        if arrived {
            return Ok(());
        }
        let again = before.and_then(|unit| lines.get(unit));
        if start.goes_on && again.is_some_and(|before| before.line == start.line) {
            return Ok(());
        }
        // The line of a RESUME that no tool watches has begun there, unheard.
        let entered = start.behind_resume && before.is_none();
        if entered && data.tools(unit - 1, event::PY_START) == 0 {
            return Ok(());
        }
        let tools = data.tools(unit, event::LINE);
        let line = Word::int_unchecked(start.line.into());
        call_tools(ts, locals, unit, event::LINE, tools, &[line])
    }
}

/// Writes down that the frame passes the LINE at a unit; the one before.
///
/// # Safety
/// The frame is live.
pub unsafe fn pass_line(locals: Locals, unit: usize) -> Option<usize> {
    unsafe {
        let meta = &mut (*frame::frame(locals)).meta;
        let before = meta.replace_line_unit(unit);
        if meta.has(Meta::GENERATOR) {
            GeneratorObject::keep_line_unit((*frame::frame(locals)).namespace, unit);
        }
        before
    }
}

/// An event of the current exception, which stays that unless a callback raises another.
unsafe fn exception(
    ts: &Thread,
    locals: Locals,
    unit: usize,
    event: usize,
    tools: u8,
) -> Result<(), Raised> {
    let vm = ts.vm();
    if tools == 0 || ts.monitoring.is_tracing() {
        return Ok(());
    }
    let Some(exception) = vm.take_exception() else {
        return Ok(());
    };
    unsafe {
        let args = [offset(unit), exception.as_word()];
        call_tools(ts, locals, unit, event, tools, &args)?;
    }
    vm.set_exception(exception);
    Ok(())
}

/// RAISE, RERAISE, PY_UNWIND, PY_THROW, which happen everywhere or nowhere.
///
/// # Safety
/// As [`at`]; an exception is set.
pub unsafe fn raised(ts: &Thread, locals: Locals, unit: usize, event: usize) -> Result<(), Raised> {
    debug_assert!(event >= LOCAL_EVENTS);
    unsafe { exception(ts, locals, unit, event, ts.monitoring.tools(event)) }
}

/// EXCEPTION_HANDLED: `handler` is the unit of the handler's first instruction.
///
/// # Safety
/// As [`at`].
pub unsafe fn handled(
    ts: &Thread,
    locals: Locals,
    handler: usize,
    exception: Word,
) -> Result<(), Raised> {
    let event = event::EXCEPTION_HANDLED;
    let tools = ts.monitoring.tools(event);
    unsafe {
        call_tools(
            ts,
            locals,
            handler,
            event,
            tools,
            &[offset(handler), exception],
        )
    }
}

/// STOP_ITERATION: a generator has ended in a loop or delegation, with `value`, and no exception was needed for that.
///
/// # Safety
/// As [`at`].
pub unsafe fn stop_iteration(
    ts: &Thread,
    locals: Locals,
    instr: Ip,
    value: Word,
) -> Result<(), Raised> {
    let vm = ts.vm();
    unsafe {
        let unit = unit_of(locals, instr);
        let tools = tools_at(locals, unit, event::STOP_ITERATION);
        if tools == 0 || ts.monitoring.is_tracing() {
            return Ok(());
        }
        if value.is_none() {
            vm.raise_with(vm.exc.StopIteration, &[]);
        } else {
            vm.raise_with(vm.exc.StopIteration, &[value]);
        }
        exception(ts, locals, unit, event::STOP_ITERATION, tools)?;
        vm.clear_exception();
    }
    Ok(())
}

/// C_RAISE with the exception that a native call has left; another one if the callback raises.
///
/// # Safety
/// As [`at`].
pub unsafe fn call_raised(ts: &Thread, locals: Locals, instr: Ip, callable: Word, arg: Word) {
    let vm = ts.vm();
    let Some(exception) = vm.take_exception() else {
        return;
    };
    // SAFETY: the caller's promise.
    if unsafe { call(ts, locals, instr, event::C_RAISE, callable, arg) }.is_ok() {
        vm.set_exception(exception);
    }
}

/// A word that callbacks cannot take away meanwhile.
pub fn kept(word: Word) -> Option<Owned> {
    (!word.is_null()).then(|| Owned::new_ref(word))
}
