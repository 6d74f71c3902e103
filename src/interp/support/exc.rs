//! Raising, re-raising, and the exception being handled.

use super::word_or_null;
use crate::interp::abi::Locals;
use crate::object::{Kind, Owned, Raised, TypeObject, Word, call, exc, tuple};
use crate::runtime::thread::Thread;

/// `raise`, `raise exception`, `raise exception from cause`: the exception is set in any case (`do_raise`).
#[inline(never)]
pub unsafe fn raise_varargs(ts: &Thread, args: *mut Word, count: usize) {
    unsafe {
        match count {
            0 => reraise_handled(ts),
            _ => raise(ts, *args, (count == 2).then(|| *args.add(1))),
        };
        for index in 0..count {
            let word = std::mem::replace(&mut *args.add(index), Word::NULL);
            let pending = ts.vm().take_exception();
            word.close();
            if let Some(exception) = pending {
                ts.vm().set_exception(exception);
            }
        }
    }
}

fn reraise_handled(ts: &Thread) -> Raised {
    match ts.handled_exception.get() {
        Some(handled) => ts.vm().set_exception(Owned::new_ref(handled)),
        None => {
            ts.vm()
                .raise(ts.exc.RuntimeError, "No active exception to reraise");
        }
    }
    Raised
}

fn raise(ts: &Thread, exception: Word, cause: Option<Word>) -> Raised {
    let vm = ts.vm();
    let prepared = instance(ts, exception, "exceptions must derive from BaseException").and_then(
        |exception| {
            let Some(cause) = cause else {
                return Ok(exception);
            };
            let wrong = "exception causes must derive from BaseException";
            let cause = if cause.is_none() {
                None
            } else {
                Some(instance(ts, cause, wrong)?)
            };
            let object = exc::object(exception.as_word());
            object.suppress_context.set(true);
            exc::replace(&object.cause, cause.as_ref().map(Owned::as_word));
            Ok(exception)
        },
    );
    match prepared {
        Ok(exception) => vm.raise_object(exception),
        Err(raised) => raised,
    }
}

/// The exception itself, or the instance that calling an exception class gives.
fn instance(ts: &Thread, exception: Word, wrong: &str) -> Result<Owned, Raised> {
    let vm = ts.vm();
    if is_exception_class(ts, exception) {
        let made = call::call(vm, exception, &[], None)?;
        if exc::is_exception(made.as_word()) {
            return Ok(made);
        }
        let class = crate::object::protocol::repr(vm, exception)?;
        let class = crate::object::str::to_string_lossy(class.as_word());
        // SAFETY: types are live as long as an instance.
        let got =
            crate::object::protocol::repr(vm, unsafe { (*vm.type_of(made.as_word())).word() })?;
        let got = crate::object::str::to_string_lossy(got.as_word());
        let message =
            format!("calling {class} should have returned an instance of BaseException, not {got}");
        return Err(vm.type_error(message));
    }
    if exc::is_exception(exception) {
        return Ok(Owned::new_ref(exception));
    }
    Err(vm.type_error(wrong))
}

/// `PyExceptionClass_Check`.
fn is_exception_class(ts: &Thread, class: Word) -> bool {
    // SAFETY: a live type by its kind.
    class.is_instance(Kind::TYPE)
        && unsafe { (*class.cast::<TypeObject>()).is_subtype(ts.exc.BaseException) }
}

/// Sets a handled exception again, without a further traceback entry; consumes it. With `oparg` the words below hold
/// where it was first raised, which only frame objects show.
#[inline(never)]
pub unsafe fn reraise(ts: &Thread, _locals: Locals, _values: *mut Word, exc: Word, _oparg: usize) {
    ts.vm().set_exception(Owned::from_word(exc));
}

/// `exc` becomes the exception being handled; the one before, as an owned temporary.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn push_exc_info(ts: &Thread, exc: Word) -> Word {
    unsafe {
        let handled = Owned::new_ref(exc).into_slot();
        ts.handled_exception
            .replace(Some(handled))
            .map_or(Word::NONE, |previous| previous.take_slot())
    }
}

/// Ends the handling: `exc_value` is handled again, if it is an exception. Consumes it; the slot's word that was there.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn pop_except(ts: &Thread, exc_value: Word) -> Word {
    unsafe {
        let previous = (!exc_value.is_none()).then(|| exc_value.to_slot());
        ts.handled_exception.replace(previous).unwrap_or(Word::NONE)
    }
}

/// Whether `except right` handles `left` (`_PyEval_CheckExceptTypeValid`, `PyErr_GivenExceptionMatches`).
#[inline(never)]
pub unsafe fn check_exc_match(ts: &Thread, left: Word, right: Word) -> Word {
    let vm = ts.vm();
    let valid = if tuple::is_tuple(right) {
        // SAFETY: the tuple is on the stack.
        unsafe { tuple::items(right) }
            .iter()
            .all(|class| is_exception_class(ts, *class))
    } else {
        is_exception_class(ts, right)
    };
    if !valid {
        vm.type_error("catching classes that do not inherit from BaseException is not allowed");
        return Word::NULL;
    }
    Word::bool(matches(ts, left, right))
}

fn matches(ts: &Thread, exception: Word, classes: Word) -> bool {
    if tuple::is_tuple(classes) {
        // SAFETY: the tuple is on the stack, and holds classes: checked.
        return unsafe { tuple::items(classes) }
            .iter()
            .any(|class| matches(ts, exception, *class));
    }
    ts.vm().is_instance(exception, classes.cast())
}

/// Calls `__exit__` with the exception's type, the exception, its traceback.
#[inline(never)]
pub unsafe fn with_except_start(ts: &Thread, exit_func: Word, exit_self: Word, val: Word) -> Word {
    let vm = ts.vm();
    // SAFETY: types are live as long as an instance.
    let class = unsafe { (*vm.type_of(val)).word() };
    let traceback = exc::object(val)
        .traceback
        .get()
        .map_or(Owned::NONE, Owned::new_ref);
    let args = [exit_self, class, val, traceback.as_word()];
    let first = usize::from(exit_self.is_null());
    word_or_null(call::call(vm, exit_func, &args[first..], None))
}
