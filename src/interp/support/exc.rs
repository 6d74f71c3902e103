//! Raising, re-raising, and the exception being handled.

use super::word_or_null;
use crate::interp::abi::Locals;
use crate::object::{Kind, Owned, Raised, TypeObject, Word, attr, call, exc, exc_group, tuple};
use crate::runtime::thread::Thread;
use crate::runtime::{traceback, unwind};

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
    match ts.vm().topmost_handled() {
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
    set_again(ts, Owned::from_word(exc));
}

/// Sets what should be an exception; code that a program has put together may have something else there.
pub(super) fn set_again(ts: &Thread, exception: Owned) {
    if exc::is_exception(exception.as_word()) {
        ts.vm().set_exception(exception);
    } else {
        drop(exception);
        ts.vm()
            .raise(ts.exc.SystemError, "what is raised again is no exception");
    }
}

/// `exc` becomes the exception being handled, if it is one; the one before, as an owned temporary.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn push_exc_info(ts: &Thread, exc: Word) -> Word {
    unsafe {
        let handled = exc::is_exception(exc).then(|| Owned::new_ref(exc).into_slot());
        ts.handled_exception
            .replace(handled)
            .map_or(Word::NONE, |previous| previous.take_slot())
    }
}

/// Ends the handling: `exc_value` is handled again, if it is an exception. Consumes it; the slot's word of which a count
/// is to be given up.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn pop_except(ts: &Thread, exc_value: Word) -> Word {
    unsafe {
        if !exc_value.is_none() && !exc::is_exception(exc_value) {
            return exc_value.to_slot();
        }
        let previous = (!exc_value.is_none()).then(|| exc_value.to_slot());
        ts.handled_exception.replace(previous).unwrap_or(Word::NONE)
    }
}

/// Whether `except right` handles `left` (`_PyEval_CheckExceptTypeValid`, `PyErr_GivenExceptionMatches`).
#[inline(never)]
pub unsafe fn check_exc_match(ts: &Thread, left: Word, right: Word) -> Word {
    let vm = ts.vm();
    if !valid_classes(ts, right, is_exception_class) {
        vm.type_error(NOT_EXCEPTIONS);
        return Word::NULL;
    }
    Word::bool(matches(ts, left, right))
}

/// What `except* classes` handles of an exception, and the rest: rest first, both NULL with an error set
/// (`_PyEval_ExceptionGroupMatch`).
#[inline(never)]
pub unsafe fn check_eg_match(ts: &Thread, exception: Word, classes: Word) -> (Word, Word) {
    match eg_match(ts, exception, classes) {
        Ok((rest, matched)) => {
            if exc::is_exception(matched.as_word()) {
                let handled = matched.clone().into_slot();
                if let Some(old) = ts.handled_exception.replace(Some(handled)) {
                    // SAFETY: a slot's word, overwritten.
                    unsafe { old.release_slot() };
                }
            }
            (rest.into_word(), matched.into_word())
        }
        Err(Raised) => (Word::NULL, Word::NULL),
    }
}

fn eg_match(ts: &Thread, exception: Word, classes: Word) -> Result<(Owned, Owned), Raised> {
    let vm = ts.vm();
    if !valid_classes(ts, classes, is_exception_class) {
        return Err(vm.type_error(NOT_EXCEPTIONS));
    }
    if !valid_classes(ts, classes, |ts, class| {
        // SAFETY: a live type, as has been checked.
        !unsafe { (*class.cast::<TypeObject>()).is_subtype(ts.exc.BaseExceptionGroup) }
    }) {
        return Err(vm.type_error(
            "catching ExceptionGroup with except* is not allowed. Use except instead.",
        ));
    }
    if exception.is_none() {
        return Ok((Owned::NONE, Owned::NONE));
    }
    if !exc::is_exception(exception) {
        return Err(vm.raise(vm.exc.SystemError, "what is handled is no exception"));
    }
    if matches(ts, exception, classes) {
        if exc_group::is_group(vm, exception) {
            return Ok((Owned::NONE, Owned::new_ref(exception)));
        }
        let group = exc_group::nameless_group(vm, vm.new_tuple(&[exception])?.as_word())?;
        // SAFETY: the registers are saved: this may run Python code.
        let entry = unsafe {
            let (ip, _, locals) = ts.saved_registers();
            traceback::here(ts, locals, unwind::instruction_at(locals, ip))?
        };
        exc::replace(
            &exc::object(group.as_word()).traceback,
            Some(entry.as_word()),
        );
        return Ok((Owned::NONE, group));
    }
    if !exc_group::is_group(vm, exception) {
        return Ok((Owned::new_ref(exception), Owned::NONE));
    }
    let split = vm.intern_str("split")?;
    let pair = attr::call_method(vm, exception, split.as_word(), &[classes])?;
    if !pair.as_word().is_exact(Kind::TUPLE) {
        return Err(vm.type_error(format!(
            "{}.split must return a tuple, not {}",
            vm.type_name(exception),
            vm.type_name(pair.as_word())
        )));
    }
    // SAFETY: a tuple, kept here.
    match unsafe { tuple::items(pair.as_word()) } {
        [matched, rest, ..] => Ok((Owned::new_ref(*rest), Owned::new_ref(*matched))),
        short => Err(vm.type_error(format!(
            "{}.split must return a 2-tuple, got tuple of size {}",
            vm.type_name(exception),
            short.len()
        ))),
    }
}

const NOT_EXCEPTIONS: &str =
    "catching classes that do not inherit from BaseException is not allowed";

/// Whether one class, or all of a tuple, pass a test.
fn valid_classes(ts: &Thread, classes: Word, test: fn(&Thread, Word) -> bool) -> bool {
    if !tuple::is_tuple(classes) {
        return test(ts, classes);
    }
    // SAFETY: the tuple is on the stack.
    unsafe { tuple::items(classes) }
        .iter()
        .all(|&class| test(ts, class))
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
    if !exc::is_exception(val) {
        vm.raise(vm.exc.SystemError, "what is handled is no exception");
        return Word::NULL;
    }
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

/// Special methods by `LOAD_SPECIAL`'s oparg, and how both protocols call theirs (`_Py_SpecialMethods`).
struct Special {
    name: &'static str,
    protocol: &'static str,
}
const SPECIAL: [Special; 4] = [
    Special {
        name: "__enter__",
        protocol: "context manager protocol",
    },
    Special {
        name: "__exit__",
        protocol: "context manager protocol",
    },
    Special {
        name: "__aenter__",
        protocol: "asynchronous context manager protocol",
    },
    Special {
        name: "__aexit__",
        protocol: "asynchronous context manager protocol",
    },
];

/// A special method of the type and its instance, or what its binding gave and NULL; both NULL if there is none
/// (`_PyObject_LookupSpecialMethod`).
#[inline(never)]
pub unsafe fn load_special(ts: &Thread, owner: Word, which: usize) -> (Word, Word) {
    let (vm, names) = (ts.vm(), &ts.names);
    let all = [
        names.__enter__,
        names.__exit__,
        names.__aenter__,
        names.__aexit__,
    ];
    let Some(&name) = all.get(which) else {
        return (Word::NULL, Word::NULL);
    };
    match attr::lookup_method(vm, owner, name) {
        Ok(Some((method, true))) => (method.into_word(), Owned::new_ref(owner).into_word()),
        Ok(Some((bound, false))) => (bound.into_word(), Word::NULL),
        Ok(None) => {
            no_context_manager(ts, owner, which, &all);
            (Word::NULL, Word::NULL)
        }
        Err(Raised) => (Word::NULL, Word::NULL),
    }
}

#[cold]
fn no_context_manager(ts: &Thread, owner: Word, which: usize, names: &[Word; 4]) {
    let vm = ts.vm();
    let missing = &SPECIAL[which];
    // SAFETY: types are live as long as an instance.
    let name = unsafe { (*vm.type_of(owner)).qualified_name() };
    let mut message = format!(
        "'{name}' object does not support the {} (missed {} method)",
        missing.protocol, missing.name
    );
    // Whoever has both methods of the other protocol is likely to have been meant for it.
    let other = if which < 2 { 2 } else { 0 };
    if names[other..other + 2]
        .iter()
        .all(|&name| vm.lookup_special(owner, name).is_some())
    {
        let statement = if which < 2 { "async with" } else { "with" };
        message.push_str(&format!(
            " but it supports the {}. Did you mean to use '{statement}'?",
            SPECIAL[other].protocol
        ));
    }
    vm.type_error(message);
}
