//! From an object to what can be sent to: `await`, `async for`, `yield from`, `aiter`, `anext`.

use super::types::{FAST, NOARGS, O};
use super::{async_type, drive, is_awaitable_itself, object, state};
use crate::bytecode::spec::code_flags;
use crate::object::descr::MethodDef;
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeSpec, Vm, Word, args, attr, call, exc,
    sequence,
};

/// Calls a special method of the type without arguments; None if there is none.
fn call_special(vm: Vm, word: Word, name: Word) -> Result<Option<Owned>, Raised> {
    match attr::lookup_bound(vm, word, name)? {
        Some(method) => call::call(vm, method.as_word(), &[], None).map(Some),
        None => Ok(None),
    }
}
fn has_special(vm: Vm, word: Word, name: Word) -> bool {
    vm.lookup_special(word, name).is_some()
}
fn is_iterator(vm: Vm, word: Word) -> bool {
    // SAFETY: types are live as long as an instance.
    unsafe { (*vm.type_of(word)).slots.iternext.is_some() }
}

/// What `await` sends to (`_PyCoro_GetAwaitableIter`).
fn awaitable(vm: Vm, word: Word) -> PyResult {
    if is_awaitable_itself(word) {
        return Ok(Owned::new_ref(word));
    }
    let Some(result) = call_special(vm, word, vm.names.__await__)? else {
        return Err(vm.type_error(format!("'{}' object can't be awaited", vm.type_name(word))));
    };
    if is_awaitable_itself(result.as_word()) {
        return Err(vm.type_error("__await__() returned a coroutine"));
    }
    if !is_iterator(vm, result.as_word()) {
        return Err(vm.type_error(format!(
            "__await__() returned non-iterator of type '{}'",
            vm.type_name(result.as_word())
        )));
    }
    Ok(result)
}

/// `GET_AWAITABLE`; `after` tells `async with`'s two awaits from others.
pub fn awaitable_iter(vm: Vm, word: Word, after: usize) -> PyResult {
    let result = awaitable(vm, word);
    let Ok(iterator) = result else {
        // It can be said better where the object came from.
        if (after == 1 || after == 2)
            && !word.is_exact(Kind::COROUTINE)
            && !has_special(vm, word, vm.names.__await__)
        {
            vm.clear_exception();
            let method = if after == 1 {
                "__aenter__"
            } else {
                "__aexit__"
            };
            return Err(vm.type_error(format!(
                "'async with' received an object from {method} that does not implement __await__: {}",
                vm.type_name(word)
            )));
        }
        return result;
    };
    if iterator.as_word().is_exact(Kind::COROUTINE)
        && object(iterator.as_word()).state() == state::SUSPENDED_YIELD_FROM
    {
        return Err(vm.raise(vm.exc.RuntimeError, "coroutine is being awaited already"));
    }
    Ok(iterator)
}

/// `GET_YIELD_FROM_ITER` in code with these flags.
pub fn yield_from_iter(vm: Vm, word: Word, flags: u32) -> PyResult {
    if word.is_exact(Kind::COROUTINE) {
        if flags & (code_flags::COROUTINE | code_flags::ITERABLE_COROUTINE) == 0 {
            return Err(vm.type_error(
                "cannot 'yield from' a coroutine object in a non-coroutine generator",
            ));
        }
        return Ok(Owned::new_ref(word));
    }
    if word.is_exact(Kind::GENERATOR) {
        return Ok(Owned::new_ref(word));
    }
    sequence::get_iter(vm, word)
}

/// `GET_AITER`
pub fn get_aiter(vm: Vm, word: Word) -> PyResult {
    let Some(iterator) = call_special(vm, word, vm.names.__aiter__)? else {
        return Err(vm.type_error(format!(
            "'async for' requires an object with __aiter__ method, got {}",
            vm.type_name(word)
        )));
    };
    if !has_special(vm, iterator.as_word(), vm.names.__anext__) {
        return Err(vm.type_error(format!(
            "'async for' received an object from __aiter__ that does not implement __anext__: {}",
            vm.type_name(iterator.as_word())
        )));
    }
    Ok(iterator)
}

/// `GET_ANEXT` (`_PyEval_GetANext`).
pub fn get_anext(vm: Vm, word: Word) -> PyResult {
    if word.is_exact(Kind::ASYNC_GENERATOR) {
        return async_type::anext(vm, word);
    }
    let Some(next) = call_special(vm, word, vm.names.__anext__)? else {
        return Err(vm.type_error(format!(
            "'async for' requires an iterator with __anext__ method, got {}",
            vm.type_name(word)
        )));
    };
    awaitable(vm, next.as_word()).map_err(|raised| {
        let Some(cause) = vm.take_exception() else {
            return raised;
        };
        let raised = vm.type_error(format!(
            "'async for' received an invalid object from __anext__: {}",
            vm.type_name(next.as_word())
        ));
        // `_PyErr_FormatFromCause`
        if let Some(error) = vm.current_exception.get() {
            let error = exc::object(error);
            exc::replace(&error.cause, Some(cause.as_word()));
            exc::replace(&error.context, Some(cause.as_word()));
            error.suppress_context.set(true);
        }
        raised
    })
}

/// `aiter(iterable)` (`PyObject_GetAIter`).
pub fn builtin_aiter(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let Some(iterator) = call_special(vm, args[0], vm.names.__aiter__)? else {
        return Err(vm.type_error(format!(
            "'{}' object is not an async iterable",
            vm.type_name(args[0])
        )));
    };
    if !has_special(vm, iterator.as_word(), vm.names.__anext__) {
        return Err(vm.type_error(format!(
            "aiter() returned not an async iterator of type '{}'",
            vm.type_name(iterator.as_word())
        )));
    }
    Ok(iterator)
}

/// `anext(iterator[, default])`
pub fn builtin_anext(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "anext", args.len(), 1, 2)?;
    let Some(next) = call_special(vm, args[0], vm.names.__anext__)? else {
        return Err(vm.type_error(format!(
            "'{}' object is not an async iterator",
            vm.type_name(args[0])
        )));
    };
    match args.get(1) {
        None => Ok(next),
        Some(&default) => new_anext_awaitable(vm, next, default),
    }
}

// ---- anext_awaitable: an awaitable whose StopAsyncIteration is an end with a default

#[repr(C)]
struct AnextAwaitable {
    header: Header,
    /// Slots' words.
    wrapped: Word,
    default: Word,
}

fn of<'a>(this: Word) -> &'a AnextAwaitable {
    // SAFETY: contract of Word; the fields do not change.
    unsafe { &*this.cast() }
}

fn new_anext_awaitable(vm: Vm, wrapped: Owned, default: Word) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let this = vm.alloc::<AnextAwaitable>(vm.types.anext_awaitable)?;
        (&raw mut (*this).wrapped).write(wrapped.into_slot());
        (&raw mut (*this).default).write(Owned::new_ref(default).into_slot());
        Ok(Owned::from_raw(this))
    }
}

/// The iterator behind it (`anextawaitable_getiter`).
fn iterator_of(vm: Vm, this: Word) -> PyResult {
    let iterator = awaitable(vm, of(this).wrapped)?;
    if is_iterator(vm, iterator.as_word()) {
        return Ok(iterator);
    }
    // A coroutine is the only one that is no iterator.
    match call_special(vm, iterator.as_word(), vm.names.__await__)? {
        Some(wrapper) if is_iterator(vm, wrapper.as_word()) => Ok(wrapper),
        _ => Err(vm.type_error(format!(
            "__await__() returned non-iterator of type '{}'",
            vm.type_name(iterator.as_word())
        ))),
    }
}

fn or_default<T>(vm: Vm, this: Word, result: Result<T, Raised>) -> Result<T, Raised> {
    result.map_err(|raised| {
        if !vm.exception_matches(vm.exc.StopAsyncIteration) {
            return raised;
        }
        vm.clear_exception();
        drive::stop_iteration(vm, of(this).default)
    })
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let iterator = iterator_of(vm, this)?;
    // SAFETY: types are live as long as an instance.
    let Some(next) = (unsafe { (*vm.type_of(iterator.as_word())).slots.iternext }) else {
        return Ok(None);
    };
    or_default(vm, this, next(vm, iterator.as_word()))
}

fn proxy(vm: Vm, this: Word, name: Word, args: &[Word]) -> PyResult {
    let iterator = iterator_of(vm, this)?;
    or_default(
        vm,
        this,
        attr::call_method(vm, iterator.as_word(), name, args),
    )
}

static METHODS: [MethodDef; 4] = [
    MethodDef::new("__await__", NOARGS, |_, this, _, _| {
        Ok(Owned::new_ref(this))
    }),
    MethodDef::new("send", O, |vm, this, args, _| {
        proxy(vm, this, vm.names.send, args)
    }),
    MethodDef::new("throw", FAST, |vm, this, args, _| {
        proxy(vm, this, vm.names.throw, args)
    }),
    MethodDef::new("close", NOARGS, |vm, this, args, _| {
        proxy(vm, this, vm.names.close, args)
    }),
];

pub(super) fn anext_spec() -> TypeSpec {
    let slots = Slots {
        dealloc,
        traverse: Some(traverse),
        iter: Some(|_, this| Ok(Owned::new_ref(this))),
        iternext: Some(next),
        ..Slots::EMPTY
    };
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        methods: &METHODS,
        ..TypeSpec::new::<AnextAwaitable>("anext_awaitable", Kind::OTHER, slots)
    }
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let this = object.cast::<AnextAwaitable>();
        let words = [(*this).wrapped, (*this).default];
        vm.free(object);
        words.into_iter().for_each(|word| word.release_slot());
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let this = &*object.cast::<AnextAwaitable>();
        [this.wrapped, this.default]
            .into_iter()
            .filter(|word| word.is_pointer())
            .for_each(visit);
    }
}
