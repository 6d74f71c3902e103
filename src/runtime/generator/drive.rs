//! Resuming a generator from native code: `next`, `send`, and what a resumption ends with.

use super::{GeneratorObject, clear_frame, kind_name, object, state};
use crate::object::exc::{self, field};
use crate::object::{Kind, Owned, PyResult, Raised, Vm, Word};
use crate::runtime::call;
use crate::runtime::entry::Entry;
use crate::runtime::frame::{Ip, Locals};
use crate::runtime::monitoring::{code, event, events};
use crate::runtime::thread::Thread;

/// What a resumption ended with (`PySendResult`).
pub enum Sent {
    Yielded(Owned),
    Returned(Owned),
    Raised,
}

/// What the generator goes on with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum With {
    /// `next()`
    Nothing,
    Value(Word),
    /// The current exception is raised where it stands; a coroutine that has finished is not complained about when it is
    /// only being closed.
    Exception {
        closing: bool,
    },
}

/// Resumes a generator (`gen_send_ex2`).
pub(super) fn resume(ts: &Thread, word: Word, with: With) -> Sent {
    resume_inlined(ts, word, with)
}
#[inline(always)]
fn resume_inlined(ts: &Thread, word: Word, with: With) -> Sent {
    let vm = ts.vm();
    let generator = object(word);
    let sends = matches!(with, With::Value(value) if !value.is_none());
    if generator.state() == state::CREATED && sends {
        let kind = kind_name(generator);
        vm.type_error(format!(
            "can't send non-None value to a just-started {kind}"
        ));
        return Sent::Raised;
    }
    if generator.state() == state::EXECUTING {
        vm.value_error(format!("{} already executing", kind_name(generator)));
        return Sent::Raised;
    }
    if generator.is_finished() {
        let closing = with == With::Exception { closing: true };
        if word.is_exact(Kind::COROUTINE) && !closing {
            vm.raise(
                vm.exc.RuntimeError,
                "cannot reuse already awaited coroutine",
            );
            return Sent::Raised;
        }
        return match with {
            With::Exception { .. } => Sent::Raised,
            _ => Sent::Returned(Owned::NONE),
        };
    }
    // SAFETY: the caller keeps the generator, which can be resumed.
    match unsafe { run(ts, generator, with) } {
        Ok(value) if generator.is_finished() => Sent::Returned(value),
        Ok(value) => Sent::Yielded(value),
        Err(Raised) => Sent::Raised,
    }
}

/// Runs the frame above the running frame's stack, until it yields, returns or raises.
#[inline(always)]
unsafe fn run(ts: &Thread, generator: &GeneratorObject, with: With) -> PyResult {
    unsafe {
        let entered = Entry::push(ts, generator.framesize as usize).and_then(|entry| {
            if ts.enter_any_frame() {
                return Ok(entry);
            }
            entry.pop(ts);
            Err(call::recursion_error(ts))
        });
        let entry = match entered {
            Ok(entry) => entry,
            Err(raised) => {
                // A frame that cannot be entered is left.
                abandon(ts.vm(), generator);
                return Err(raised);
            }
        };
        let exit = call::exit_ip();
        let locals = generator.push(ts, entry.shim, entry.shim, exit, exit);
        let (ip, sp) = (generator.ip(), generator.top(locals));
        // The word that it goes on with is there even if it goes on with an exception: handlers know the depth.
        *sp = match with {
            With::Value(value) => value.dup(),
            _ => Word::NONE,
        };
        let sp = sp.add(1);
        let throw = matches!(with, With::Exception { .. });
        if throw {
            if ts.handled_exception.get().is_some()
                && let Some(exception) = ts.vm().take_exception()
            {
                ts.vm().raise_object(exception);
            }
            // Behind the instruction that it goes on at, which the event names.
            ts.save(ip.add(2), sp, locals);
            throw_event(ts, locals, ip);
        }
        let result = entry.run_at(ts, (ip, sp, locals), throw);
        entry.pop(ts);
        result
    }
}

/// PY_THROW. The generator may not have run since tools have come: its RESUME is passed over.
unsafe fn throw_event(ts: &Thread, locals: Locals, ip: Ip) {
    unsafe {
        let code = code::of_frame(locals);
        let event = event::PY_THROW;
        // What is raised here takes the exception's place.
        let pending = ts.vm().take_exception();
        if code::instrument(ts, code).is_ok()
            && let Some(exception) = pending
        {
            ts.vm().set_exception(exception);
            let _ = events::raised(ts, locals, code.unit_at(ip), event);
        }
    }
}

/// Ends a generator that is not running; the current exception stays.
#[cold]
pub(super) fn abandon(vm: Vm, generator: &GeneratorObject) {
    let pending = vm.take_exception();
    // SAFETY: it is not running: the caller has just looked.
    unsafe { clear_frame(generator) };
    if let Some(exception) = pending {
        vm.set_exception(exception);
    }
}

/// What the methods give: the yielded value; a return raises StopIteration or StopAsyncIteration (`gen_send_ex`).
pub(super) fn yielded(vm: Vm, word: Word, sent: Sent) -> PyResult {
    match sent {
        Sent::Yielded(value) => Ok(value),
        Sent::Raised => Err(Raised),
        Sent::Returned(_) if word.is_exact(Kind::ASYNC_GENERATOR) => {
            Err(vm.raise_with(vm.exc.StopAsyncIteration, &[]))
        }
        Sent::Returned(value) => Err(stop_iteration(vm, value.as_word())),
    }
}

/// Raises StopIteration with this value (`_PyGen_SetStopIterationValue`).
pub fn stop_iteration(vm: Vm, value: Word) -> Raised {
    if value.is_none() {
        vm.raise_with(vm.exc.StopIteration, &[])
    } else {
        vm.raise_with(vm.exc.StopIteration, &[value])
    }
}

/// Takes the value out of a StopIteration that is current, or of no exception at all; None if another one is set
/// (`_PyGen_FetchStopIterationValue`).
pub fn take_stop_iteration(vm: Vm) -> Option<Owned> {
    if vm.current_exception.get().is_none() {
        return Some(Owned::NONE);
    }
    if !vm.exception_matches(vm.exc.StopIteration) {
        return None;
    }
    let exception = vm.take_exception()?;
    Some(stop_iteration_value(exception.as_word()))
}

/// `StopIteration.value`.
pub fn stop_iteration_value(exception: Word) -> Owned {
    // SAFETY: the caller has compared the type, which has that field.
    unsafe { exc::object(exception).field(field::STOP_ITERATION_VALUE) }
        .get()
        .map_or(Owned::NONE, Owned::new_ref)
}

/// `next(generator)` as the slot of the type (`gen_iternext`): what native code calls for each item.
pub(super) fn iternext(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    match resume_inlined(Thread::of(vm), word, With::Nothing) {
        Sent::Yielded(value) => Ok(Some(value)),
        Sent::Returned(value) if value.as_word().is_none() => Ok(None),
        Sent::Returned(value) => Err(stop_iteration(vm, value.as_word())),
        Sent::Raised => Err(Raised),
    }
}

/// `generator.send(value)`
pub(super) fn send_method(vm: Vm, word: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let sent = resume(Thread::of(vm), word, With::Value(args[0]));
    yielded(vm, word, sent)
}
