//! Exceptions into generators: `throw`, `close`, and what happens to one that nobody refers to any more.
//!
//! Generators that delegate to generators form a chain of any length: it is walked in loops, not by recursion.

use super::drive::{With, abandon, resume, take_stop_iteration, yielded};
use super::{GeneratorObject, is_generator_or_coroutine, kind_name, object, state, yield_from};
use crate::bytecode::Opcode;
use crate::bytecode::spec::code_flags;
use crate::object::{
    Kind, Owned, PyResult, Raised, TypeObject, Vm, Word, args, attr, call, exc, tuple,
};
use crate::runtime::monitoring::event;
use crate::runtime::thread::Thread;
use crate::runtime::warnings;

/// Generators suspended in each other, the outermost first: all but the last are marked as running, so that nobody
/// resumes them meanwhile, and go back one by one.
struct Chain {
    links: Vec<Owned>,
    /// What the innermost generator delegates to: no generator.
    end: Option<Owned>,
}

impl Chain {
    fn new(vm: Vm, outermost: Word) -> Result<Chain, Raised> {
        let mut chain = Chain {
            links: vec![],
            end: None,
        };
        let mut next = Owned::new_ref(outermost);
        loop {
            let inner = yield_from(object(next.as_word()));
            if chain.links.try_reserve(1).is_err() {
                chain.links.iter().for_each(unmark);
                return Err(vm.no_memory());
            }
            chain.links.push(next);
            match inner {
                Some(inner) if is_generator_or_coroutine(inner.as_word()) => {
                    if let Some(link) = chain.links.last() {
                        object(link.as_word()).set_state(state::EXECUTING);
                    }
                    next = inner;
                }
                end => {
                    chain.end = end;
                    return Ok(chain);
                }
            }
        }
    }
    /// The next generator outward, resumable again.
    fn pop(&mut self) -> Option<Owned> {
        let link = self.links.pop();
        if let Some(outer) = self.links.last() {
            unmark(outer);
        }
        link
    }
}

fn unmark(link: &Owned) {
    let generator = object(link.as_word());
    if generator.state() == state::EXECUTING {
        generator.set_state(state::SUSPENDED_YIELD_FROM);
    }
}

/// Runs `act` while the generator is marked as running.
fn while_running<T>(generator: &GeneratorObject, act: impl FnOnce() -> T) -> T {
    let state = generator.state();
    generator.set_state(state::EXECUTING);
    let result = act();
    generator.set_state(state);
    result
}

// ---- throw

/// What `throw` was given; the instance is made where it is raised.
#[derive(Clone, Copy)]
pub(super) struct Thrown<'a> {
    pub class: Word,
    pub value: Option<Word>,
    pub traceback: Option<Word>,
    /// As the program wrote them, for delegates.
    pub args: &'a [Word],
}

impl Thrown<'_> {
    pub(super) fn new(args: &[Word]) -> Thrown<'_> {
        Thrown {
            class: args[0],
            value: args.get(1).copied(),
            traceback: args.get(2).copied(),
            args,
        }
    }
    /// Whether it is a class or instance of GeneratorExit.
    fn is_exit(&self, vm: Vm) -> bool {
        if is_exception_class(vm, self.class) {
            // SAFETY: a live type by its kind.
            return unsafe { (*self.class.cast::<TypeObject>()).is_subtype(vm.exc.GeneratorExit) };
        }
        exc::is_exception(self.class) && vm.is_instance(self.class, vm.exc.GeneratorExit)
    }
    /// Makes it the current exception; false if another error has become that.
    fn raise(&self, vm: Vm) -> Result<(), Raised> {
        let traceback = self.traceback.filter(|traceback| !traceback.is_none());
        if traceback.is_some_and(|traceback| !traceback.is_exact(Kind::TRACEBACK)) {
            return Err(vm.type_error("throw() third argument must be a traceback object"));
        }
        let exception = if is_exception_class(vm, self.class) {
            self.instance(vm)?
        } else if exc::is_exception(self.class) {
            if self.value.is_some_and(|value| !value.is_none()) {
                return Err(vm.type_error("instance exception may not have a separate value"));
            }
            Owned::new_ref(self.class)
        } else {
            return Err(vm.type_error(format!(
                "exceptions must be classes or instances deriving from BaseException, not {}",
                vm.type_name(self.class)
            )));
        };
        if traceback.is_some() {
            exc::replace(&exc::object(exception.as_word()).traceback, traceback);
        }
        vm.set_exception(exception);
        Ok(())
    }
    /// `PyErr_NormalizeException`.
    fn instance(&self, vm: Vm) -> PyResult {
        let made = match self.value {
            Some(value) if exc::is_exception(value) && vm.is_instance(value, self.class.cast()) => {
                return Ok(Owned::new_ref(value));
            }
            None | Some(Word::NONE) => call::call(vm, self.class, &[], None)?,
            // SAFETY: the caller keeps the tuple.
            Some(value) if tuple::is_tuple(value) => {
                call::call(vm, self.class, unsafe { tuple::items(value) }, None)?
            }
            Some(value) => call::call_one(vm, self.class, value)?,
        };
        if exc::is_exception(made.as_word()) {
            return Ok(made);
        }
        // SAFETY: a live type by its kind.
        let class = unsafe { (*self.class.cast::<TypeObject>()).name_string() };
        Err(vm.type_error(format!(
            "calling <class '{class}'> should have returned an instance of BaseException, not {}",
            vm.type_name(made.as_word())
        )))
    }
}

fn is_exception_class(vm: Vm, class: Word) -> bool {
    // SAFETY: a live type by its kind.
    class.is_instance(Kind::TYPE)
        && unsafe { (*class.cast::<TypeObject>()).is_subtype(vm.exc.BaseException) }
}

/// `throw` of all three kinds (`_gen_throw`). An asynchronous generator does not close what it awaits.
pub(super) fn throw(vm: Vm, word: Word, thrown: Thrown<'_>, close_on_exit: bool) -> PyResult {
    if close_on_exit
        && thrown.is_exit(vm)
        && let Some(inner) = yield_from(object(word))
    {
        return match while_running(object(word), || close_iterator(vm, inner.as_word())) {
            Ok(()) => throw_here(vm, word, thrown),
            Err(Raised) => resume_with_exception(vm, word),
        };
    }
    let mut chain = Chain::new(vm, word)?;
    let end = chain.end.take();
    let mut result = match chain.links.last() {
        Some(innermost) => throw_innermost(vm, innermost.as_word(), end, thrown),
        None => return Ok(Owned::NONE),
    };
    chain.pop();
    while let Some(outer) = chain.links.last().cloned() {
        if result.is_err() {
            result = resume_with_exception(vm, outer.as_word());
        }
        chain.pop();
    }
    result
}

/// Throws into a generator that delegates to no generator, but perhaps to another iterator with a `throw` of its own.
fn throw_innermost(vm: Vm, word: Word, delegate: Option<Owned>, thrown: Thrown<'_>) -> PyResult {
    let Some(delegate) = delegate else {
        return throw_here(vm, word, thrown);
    };
    let Some(method) = attr::get_attr_opt(vm, delegate.as_word(), vm.names.throw)? else {
        return throw_here(vm, word, thrown);
    };
    let result = while_running(object(word), || {
        call::call(vm, method.as_word(), thrown.args, None)
    });
    match result {
        Err(Raised) => resume_with_exception(vm, word),
        yielded => yielded,
    }
}

fn throw_here(vm: Vm, word: Word, thrown: Thrown<'_>) -> PyResult {
    thrown.raise(vm)?;
    resume_with_exception(vm, word)
}

/// The current exception goes into the generator.
pub(super) fn resume_with_exception(vm: Vm, word: Word) -> PyResult {
    let sent = resume(Thread::of(vm), word, With::Exception { closing: false });
    yielded(vm, word, sent)
}

/// The arguments of a method `throw`: up to three, the form with more than one deprecated.
pub(super) fn check_throw<'a>(vm: Vm, name: &str, args: &'a [Word]) -> Result<Thrown<'a>, Raised> {
    args::check_positional(vm, name, args.len(), 1, 3)?;
    if args.len() > 1 {
        warnings::warn(
            vm,
            vm.exc.DeprecationWarning,
            &format!(
                "the (type, exc, tb) signature of {name}() is deprecated, use the single-arg signature instead."
            ),
        );
    }
    Ok(Thrown::new(args))
}

/// `generator.throw(type, value, traceback)`
pub(super) fn throw_method(vm: Vm, word: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let thrown = check_throw(vm, "throw", args)?;
    throw(vm, word, thrown, true)
}

// ---- close

/// `generator.close()` (`gen_close`).
pub(super) fn close(vm: Vm, word: Word) -> PyResult {
    let mut chain = Chain::new(vm, word)?;
    let mut closed = match (chain.end.take(), chain.links.last()) {
        (Some(delegate), Some(innermost)) => while_running(object(innermost.as_word()), || {
            close_iterator(vm, delegate.as_word())
        }),
        _ => Ok(()),
    };
    let mut result = Ok(Owned::NONE);
    while let Some(generator) = chain.links.last().cloned() {
        result = close_one(vm, generator.as_word(), closed);
        closed = match &result {
            Ok(_) => Ok(()),
            Err(raised) => Err(*raised),
        };
        chain.pop();
    }
    result
}

/// Closes what a generator delegated to (`gen_close_iter`).
fn close_iterator(vm: Vm, iterator: Word) -> Result<(), Raised> {
    if is_generator_or_coroutine(iterator) {
        return close(vm, iterator).map(drop);
    }
    match attr::get_attr_opt(vm, iterator, vm.names.close) {
        Ok(Some(method)) => call::call(vm, method.as_word(), &[], None).map(drop),
        Ok(None) => Ok(()),
        Err(Raised) => {
            (vm.hooks.get().write_unraisable)(
                vm,
                "Exception ignored while closing generator",
                iterator,
            );
            Ok(())
        }
    }
}

/// Closes one generator when what it delegated to is closed, or has raised.
fn close_one(vm: Vm, word: Word, delegate: Result<(), Raised>) -> PyResult {
    let generator = object(word);
    if generator.state() == state::CREATED {
        generator.set_state(state::COMPLETED);
        return Ok(Owned::NONE);
    }
    if generator.is_finished() {
        return Ok(Owned::NONE);
    }
    if delegate.is_ok() {
        // A tool hears of a frame that is left, so that it must be.
        let unheard = Thread::of(vm).monitoring.tools(event::PY_UNWIND) == 0;
        if unheard && generator.is_suspended() && nothing_to_unwind(generator) {
            abandon(vm, generator);
            return Ok(Owned::NONE);
        }
        vm.raise_with(vm.exc.GeneratorExit, &[]);
    }
    let sent = resume(Thread::of(vm), word, With::Exception { closing: true });
    match yielded(vm, word, sent) {
        Ok(_) => Err(vm.raise(
            vm.exc.RuntimeError,
            format!("{} ignored GeneratorExit", kind_name(generator)),
        )),
        Err(Raised) if vm.exception_matches(vm.exc.GeneratorExit) => {
            vm.clear_exception();
            Ok(Owned::NONE)
        }
        Err(raised) => take_stop_iteration(vm).ok_or(raised),
    }
}

/// Whether it stands at a `yield` outside of every `try`: the compiler has marked the RESUME behind it
/// (`RESUME_OPARG_DEPTH1_MASK`).
fn nothing_to_unwind(generator: &GeneratorObject) -> bool {
    const DEPTH1: u8 = 4;
    let code = generator.code();
    let unit = code.unit_at(generator.ip());
    code.base_opcode(unit) == Opcode::RESUME && code.spec.code[2 * unit + 1] & DEPTH1 != 0
}

/// `generator.close()` as a method.
pub(super) fn close_method(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    close(vm, word)
}

// ---- the end

/// What happens to a generator that nobody refers to: it is closed; a coroutine that was never awaited is reported
/// (`_PyGen_Finalize`).
pub fn finalize(vm: Vm, word: Word) {
    let generator = object(word);
    if generator.is_finished() {
        return;
    }
    let saved = vm.take_exception();
    let hook = generator.finalizer.get().map(Owned::new_ref);
    match hook {
        Some(hook) if !generator.closed.get() => {
            if call::call_one(vm, hook.as_word(), word).is_err() {
                unraisable(vm, "Exception ignored while finalizing generator", word);
            }
        }
        _ if generator.state() == state::CREATED
            && generator.code().flags & code_flags::COROUTINE != 0 =>
        {
            warnings::unawaited(vm, generator.qualname.get());
        }
        _ => {
            if close(vm, word).is_err() {
                unraisable(vm, "Exception ignored while closing generator", word);
            }
        }
    }
    if let Some(saved) = saved {
        vm.set_exception(saved);
    }
}

fn unraisable(vm: Vm, message: &str, word: Word) {
    if vm.current_exception.get().is_some() {
        (vm.hooks.get().write_unraisable)(vm, message, word);
    }
}

/// `generator.__del__()`
pub(super) fn del_method(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    finalize(vm, word);
    Ok(Owned::NONE)
}
