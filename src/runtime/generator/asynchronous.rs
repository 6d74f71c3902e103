//! What `asend`, `__anext__`, `athrow` and `aclose` of an asynchronous generator give: awaitables that drive it
//! (`PyAsyncGenASend`, `PyAsyncGenAThrow`).

use super::async_type::unwrap;
use super::drive::{With, resume, stop_iteration, yielded};
use super::throwing::{self, Thrown};
use super::types::{FAST, NOARGS, O};
use super::{GeneratorObject, object};
use crate::object::descr::MethodDef;
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, tuple,
};
use crate::runtime::thread::Thread;
use crate::runtime::warnings;
use std::cell::Cell;

/// `AwaitableState`
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Not awaited yet.
    Init,
    Iter,
    /// Awaited to its end.
    Closed,
}

/// Both kinds of awaitables. Words are slots' words.
#[repr(C)]
struct Awaitable {
    header: Header,
    generator: Word,
    /// `asend`: the value to send first. `athrow`: a tuple of the exception's parts, none for `aclose`.
    argument: Option<Word>,
    state: Cell<State>,
}

fn of<'a>(this: Word) -> &'a Awaitable {
    // SAFETY: contract of Word; the field that changes is a cell.
    unsafe { &*this.cast() }
}

impl Awaitable {
    fn generator(&self) -> &GeneratorObject {
        object(self.generator)
    }
    fn close(&self) {
        self.state.set(State::Closed);
    }
    /// Closed, if there is nothing to give.
    fn settle(&self, result: PyResult) -> PyResult {
        if result.is_err() {
            self.close();
        }
        result
    }
    /// No second awaiting; the first is refused while the generator is being driven by another awaitable.
    fn begin(&self, vm: Vm, name: &str, running: &str) -> Result<bool, Raised> {
        match self.state.get() {
            State::Closed => Err(vm.raise(
                vm.exc.RuntimeError,
                format!("cannot reuse already awaited {name}"),
            )),
            State::Iter => Ok(false),
            State::Init if self.generator().running_async.get() => {
                self.close();
                Err(vm.raise(
                    vm.exc.RuntimeError,
                    format!("{running}(): asynchronous generator is already running"),
                ))
            }
            State::Init => Ok(true),
        }
    }
}

fn new(vm: Vm, ty: *mut TypeObject, generator: Word, argument: Option<Owned>) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let this = vm.alloc::<Awaitable>(ty)?;
        (&raw mut (*this).generator).write(Owned::new_ref(generator).into_slot());
        (&raw mut (*this).argument).write(argument.map(Owned::into_slot));
        (&raw mut (*this).state).write(Cell::new(State::Init));
        Ok(Owned::from_raw(this))
    }
}
pub(super) fn new_asend(vm: Vm, generator: Word, value: Option<Word>) -> PyResult {
    let value = value.map(Owned::new_ref);
    new(vm, vm.types.async_generator_asend, generator, value)
}
pub(super) fn new_athrow(vm: Vm, generator: Word, args: Option<Owned>) -> PyResult {
    new(vm, vm.types.async_generator_athrow, generator, args)
}

/// What an asynchronous generator has given: a yielded value ends the awaiting with that value, anything else is what it
/// awaits itself (`async_gen_unwrap_value`).
fn unwrap_value(vm: Vm, generator: &GeneratorObject, result: PyResult) -> PyResult {
    match result {
        Err(raised) => {
            if vm.exception_matches(vm.exc.StopAsyncIteration)
                || vm.exception_matches(vm.exc.GeneratorExit)
            {
                generator.closed.set(true);
            }
            generator.running_async.set(false);
            Err(raised)
        }
        Ok(value) => match unwrap(vm, value.as_word()) {
            Some(value) => {
                generator.running_async.set(false);
                Err(stop_iteration(vm, value.as_word()))
            }
            None => Ok(value),
        },
    }
}

fn send_to(vm: Vm, generator: Word, value: Option<Word>) -> PyResult {
    let with = value.map_or(With::Nothing, With::Value);
    let sent = resume(Thread::of(vm), generator, with);
    yielded(vm, generator, sent)
}

/// An end as an iterator gives it: StopIteration stays an exception, since it carries a value.
fn next_of(
    vm: Vm,
    this: Word,
    send: fn(Vm, Word, Option<Word>) -> PyResult,
) -> Result<Option<Owned>, Raised> {
    send(vm, this, None).map(Some)
}

/// What `close` makes of a thrown GeneratorExit's outcome.
fn closed(vm: Vm, result: PyResult) -> PyResult {
    if result.is_ok() {
        return Err(vm.raise(vm.exc.RuntimeError, "coroutine ignored GeneratorExit"));
    }
    let ends = [
        vm.exc.StopIteration,
        vm.exc.StopAsyncIteration,
        vm.exc.GeneratorExit,
    ];
    if ends.into_iter().any(|end| vm.exception_matches(end)) {
        vm.clear_exception();
        return Ok(Owned::NONE);
    }
    result
}

/// GeneratorExit as the argument of a `throw`.
fn generator_exit(vm: Vm) -> Word {
    // SAFETY: the type lives as long as the VM.
    unsafe { (*vm.exc.GeneratorExit).word() }
}

// ---- asend

const ASEND: &str = "__anext__()/asend()";

/// `async_gen_asend_send`
fn asend_send(vm: Vm, this: Word, value: Option<Word>) -> PyResult {
    let awaitable = of(this);
    let mut value = value;
    if awaitable.begin(vm, ASEND, "anext")? {
        if value.is_none_or(|value| value.is_none()) {
            value = awaitable.argument;
        }
        awaitable.state.set(State::Iter);
    }
    awaitable.generator().running_async.set(true);
    let result = send_to(vm, awaitable.generator, value);
    awaitable.settle(unwrap_value(vm, awaitable.generator(), result))
}

fn asend_throw(vm: Vm, this: Word, args: &[Word]) -> PyResult {
    let awaitable = of(this);
    if awaitable.begin(vm, ASEND, "anext")? {
        awaitable.state.set(State::Iter);
        awaitable.generator().running_async.set(true);
    }
    let result = throwing::throw_method(vm, awaitable.generator, args, None);
    awaitable.settle(unwrap_value(vm, awaitable.generator(), result))
}

fn asend_close(vm: Vm, this: Word, _: &[Word], _: Option<Word>) -> PyResult {
    if of(this).state.get() == State::Closed {
        return Ok(Owned::NONE);
    }
    let result = asend_throw(vm, this, &[generator_exit(vm)]);
    closed(vm, result)
}

static ASEND_METHODS: [MethodDef; 4] = [
    AWAIT,
    MethodDef::new("send", O, |vm, this, args, _| {
        asend_send(vm, this, Some(args[0]))
    }),
    MethodDef::new("throw", FAST, |vm, this, args, _| {
        asend_throw(vm, this, args)
    }),
    MethodDef::new("close", NOARGS, asend_close),
];
const AWAIT: MethodDef = MethodDef::new("__await__", NOARGS, |_, this, _, _| {
    Ok(Owned::new_ref(this))
});

const SLOTS: Slots = Slots {
    dealloc,
    traverse: Some(traverse),
    finalize: Some(finalize),
    iter: Some(|_, this| Ok(Owned::new_ref(this))),
    ..Slots::EMPTY
};

pub(super) fn asend_spec() -> TypeSpec {
    let slots = Slots {
        iternext: Some(|vm, this| next_of(vm, this, asend_send)),
        ..SLOTS
    };
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        methods: &ASEND_METHODS,
        ..TypeSpec::new::<Awaitable>("async_generator_asend", Kind::OTHER, slots)
    }
}

// ---- athrow and aclose

const ATHROW: &str = "aclose()/athrow()";

fn running_name(awaitable: &Awaitable) -> &'static str {
    if awaitable.argument.is_some() {
        "athrow"
    } else {
        "aclose"
    }
}

/// `async_gen_athrow_send`
fn athrow_send(vm: Vm, this: Word, value: Option<Word>) -> PyResult {
    let awaitable = of(this);
    let generator = awaitable.generator();
    let value = value.unwrap_or(Word::NONE);
    if awaitable.state.get() != State::Closed && generator.is_finished() {
        awaitable.close();
        return Err(vm.raise_with(vm.exc.StopIteration, &[]));
    }
    let begins = awaitable.begin(vm, ATHROW, running_name(awaitable))?;
    if begins {
        if generator.closed.get() {
            awaitable.close();
            return Err(vm.raise_with(vm.exc.StopAsyncIteration, &[]));
        }
        if !value.is_none() {
            return Err(vm.raise(
                vm.exc.RuntimeError,
                "can't send non-None value to a just-started coroutine",
            ));
        }
        awaitable.state.set(State::Iter);
        generator.running_async.set(true);
    }
    match awaitable.argument {
        Some(args) => {
            let result = if begins {
                // SAFETY: the awaitable keeps the tuple.
                let thrown = Thrown::new(unsafe { tuple::items(args) });
                throwing::throw(vm, awaitable.generator, thrown, false)
            } else {
                send_to(vm, awaitable.generator, Some(value))
            };
            let result = unwrap_value(vm, generator, result);
            if begins && result.is_err() {
                generator.running_async.set(false);
                awaitable.close();
            }
            result
        }
        None => {
            let result = if begins {
                generator.closed.set(true);
                let exit = [generator_exit(vm)];
                throwing::throw(vm, awaitable.generator, Thrown::new(&exit), false)
            } else {
                send_to(vm, awaitable.generator, Some(value))
            };
            aclose_result(vm, awaitable, result)
        }
    }
}

/// A generator that is being closed may await, and not yield; its end is that of the awaiting.
fn aclose_result(vm: Vm, awaitable: &Awaitable, result: PyResult) -> PyResult {
    let generator = awaitable.generator();
    match result {
        Ok(value) if unwrap(vm, value.as_word()).is_some() => {
            generator.running_async.set(false);
            awaitable.close();
            Err(vm.raise(vm.exc.RuntimeError, "async generator ignored GeneratorExit"))
        }
        Ok(value) => Ok(value),
        Err(raised) => {
            generator.running_async.set(false);
            awaitable.close();
            Err(end_of_closing(vm, raised))
        }
    }
}

fn end_of_closing(vm: Vm, raised: Raised) -> Raised {
    if vm.exception_matches(vm.exc.StopAsyncIteration) || vm.exception_matches(vm.exc.GeneratorExit)
    {
        vm.clear_exception();
        return vm.raise_with(vm.exc.StopIteration, &[]);
    }
    raised
}

/// `async_gen_athrow_throw`
fn athrow_throw(vm: Vm, this: Word, args: &[Word]) -> PyResult {
    let awaitable = of(this);
    let generator = awaitable.generator();
    if awaitable.begin(vm, ATHROW, running_name(awaitable))? {
        awaitable.state.set(State::Iter);
        generator.running_async.set(true);
    }
    let result = throwing::throw_method(vm, awaitable.generator, args, None);
    if awaitable.argument.is_some() {
        return awaitable.settle(unwrap_value(vm, generator, result));
    }
    match result {
        Err(raised) => {
            awaitable.close();
            Err(end_of_closing(vm, raised))
        }
        yielded => aclose_result(vm, awaitable, yielded),
    }
}

fn athrow_close(vm: Vm, this: Word, _: &[Word], _: Option<Word>) -> PyResult {
    if of(this).state.get() == State::Closed {
        return Ok(Owned::NONE);
    }
    let result = athrow_throw(vm, this, &[generator_exit(vm)]);
    closed(vm, result)
}

static ATHROW_METHODS: [MethodDef; 4] = [
    AWAIT,
    MethodDef::new("send", O, |vm, this, args, _| {
        athrow_send(vm, this, Some(args[0]))
    }),
    MethodDef::new("throw", FAST, |vm, this, args, _| {
        athrow_throw(vm, this, args)
    }),
    MethodDef::new("close", NOARGS, athrow_close),
];

pub(super) fn athrow_spec() -> TypeSpec {
    let slots = Slots {
        iternext: Some(|vm, this| next_of(vm, this, athrow_send)),
        ..SLOTS
    };
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        methods: &ATHROW_METHODS,
        ..TypeSpec::new::<Awaitable>("async_generator_athrow", Kind::OTHER, slots)
    }
}

// ---- both

/// An awaitable that was never awaited is reported (`async_gen_asend_finalize`).
fn finalize(vm: Vm, this: Word) {
    let awaitable = of(this);
    if awaitable.state.get() != State::Init {
        return;
    }
    let method = if vm.type_of(this) == vm.types.async_generator_asend {
        "asend"
    } else {
        running_name(awaitable)
    };
    let saved = vm.take_exception();
    warnings::unawaited_method(vm, method, awaitable.generator().qualname.get());
    if let Some(saved) = saved {
        vm.set_exception(saved);
    }
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        if crate::object::class_layout::finalize_from_dealloc(vm, object) {
            return;
        }
        let this = object.cast::<Awaitable>();
        let (generator, argument) = ((*this).generator, (*this).argument);
        vm.free(object);
        generator.release_slot();
        if let Some(argument) = argument {
            argument.release_slot();
        }
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let this = &*object.cast::<Awaitable>();
        visit(this.generator);
        if let Some(argument) = this.argument.filter(|argument| argument.is_pointer()) {
            visit(argument);
        }
    }
}
