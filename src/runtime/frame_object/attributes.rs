//! The type `frame` as programs see it.

use super::line_jump::set_lineno;
use super::{FrameObject, Place, clear, dealloc, locals_proxy, object, traverse};
use crate::object::descr::{GetSetDef, MethodDef, meth};
use crate::object::types::{Slots, type_flag};
use crate::object::{Kind, Owned, PyResult, Raised, TypeSpec, Vm, Word, protocol, str};
use crate::runtime::generator;
use crate::runtime::thread::Thread;
use crate::runtime::tracing;
use std::cell::Cell;

static GETSET: [GetSetDef; 11] = [
    GetSetDef::new(
        "f_back",
        |vm, frame| {
            let back = object(frame).back(Thread::of(vm))?;
            Ok(back.unwrap_or(Owned::NONE))
        },
        None,
    ),
    GetSetDef::new("f_builtins", get_builtins, None),
    GetSetDef::new(
        "f_code",
        |_, frame| Ok(Owned::new_ref(object(frame).code)),
        None,
    ),
    GetSetDef::new(
        "f_generator",
        |_, frame| {
            let generator = object(frame).generator().map(|generator| generator.word());
            Ok(generator.map_or(Owned::NONE, Owned::new_ref))
        },
        None,
    ),
    GetSetDef::new(
        "f_globals",
        // SAFETY: the function holds its globals.
        |_, frame| Ok(unsafe { Owned::from_borrowed(object(frame).globals()) }),
        None,
    ),
    GetSetDef::new(
        "f_lasti",
        |vm, frame| vm.new_int_usize(2 * object(frame).unit(Thread::of(vm))),
        None,
    ),
    GetSetDef::new("f_lineno", get_lineno, Some(set_lineno)),
    GetSetDef::new("f_locals", get_locals, None),
    GetSetDef::new("f_trace", get_trace, Some(set_trace)),
    GetSetDef::new(
        "f_trace_lines",
        |_, frame| Ok(Owned::bool(object(frame).trace_lines.get())),
        Some(|vm, frame, value| set_flag(vm, &object(frame).trace_lines, value)),
    ),
    GetSetDef::new(
        "f_trace_opcodes",
        |_, frame| Ok(Owned::bool(object(frame).trace_opcodes.get())),
        Some(|vm, frame, value| {
            let own = object(frame);
            set_flag(vm, &own.trace_opcodes, value)?;
            if own.trace_opcodes.get() && own.trace.get().is_none() {
                // They come with the function, if that is set here.
                return Ok(());
            }
            trace_opcodes(vm, own)
        }),
    ),
];
static METHODS: [MethodDef; 1] = [MethodDef::new("clear", meth::NOARGS, clear_method)];

pub(in crate::runtime) fn type_spec() -> TypeSpec {
    let slots = Slots {
        dealloc,
        traverse: Some(traverse),
        clear: Some(clear),
        repr: Some(repr),
        ..Slots::EMPTY
    };
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        methods: &METHODS,
        getset: &GETSET,
        ..TypeSpec::new::<FrameObject>("frame", Kind::FRAME, slots)
    }
}

fn line(ts: &Thread, frame: Word) -> Option<i32> {
    Some(object(frame).location(ts).lineno).filter(|line| *line >= 0)
}

fn repr(vm: Vm, frame: Word) -> PyResult {
    let ts = Thread::of(vm);
    // SAFETY: the object holds a count of its code.
    let code = unsafe { &*object(frame).code() };
    let file = protocol::repr(vm, code.filename)?;
    vm.new_str(&format!(
        "<frame at {:p}, file {}, line {}, code {}>",
        frame.object(),
        str::to_string_lossy(file.as_word()),
        line(ts, frame).unwrap_or(-1),
        str::to_string_lossy(code.name),
    ))
}

fn get_builtins(vm: Vm, frame: Word) -> PyResult {
    let ts = Thread::of(vm);
    // SAFETY: the function holds its globals, and those their builtins.
    Ok(unsafe { Owned::from_borrowed(ts.builtins_of(object(frame).globals())) })
}

fn get_lineno(vm: Vm, frame: Word) -> PyResult {
    match line(Thread::of(vm), frame) {
        Some(line) => vm.new_int(line.into()),
        None => Ok(Owned::NONE),
    }
}

/// A proxy that writes through, or the mapping in which a module or class body runs.
fn get_locals(vm: Vm, frame: Word) -> PyResult {
    let ts = Thread::of(vm);
    let own = object(frame);
    // SAFETY: the object holds a count of its code; the words are its own.
    let variables = unsafe {
        (*own.code()).is_optimized() || super::variables::hidden_in(&*own.code(), own.words(ts))
    };
    if variables {
        return locals_proxy::new(vm, frame);
    }
    match own.namespace() {
        Some(namespace) => Ok(Owned::new_ref(namespace)),
        // SAFETY: a dict just made.
        None => Ok(unsafe { Owned::from_raw(vm.new_dict()?) }),
    }
}

fn get_trace(_: Vm, frame: Word) -> PyResult {
    Ok(object(frame)
        .trace
        .get()
        .map_or(Owned::NONE, Owned::new_ref))
}
fn set_trace(vm: Vm, frame: Word, value: Option<Word>) -> Result<(), Raised> {
    let own = object(frame);
    let value = value
        .filter(|value| !value.is_none())
        .map(|value| Owned::new_ref(value).into_slot());
    let old = own.trace.replace(value);
    let changed = match (old, value) {
        (Some(old), Some(value)) => !old.is(value),
        (old, value) => old.is_some() != value.is_some(),
    };
    if let Some(old) = old {
        // SAFETY: a slot's word, overwritten.
        unsafe { old.release_slot() };
    }
    if changed && value.is_some() && own.trace_opcodes.get() {
        trace_opcodes(vm, own)?;
    }
    Ok(())
}

fn trace_opcodes(vm: Vm, own: &FrameObject) -> Result<(), Raised> {
    // SAFETY: the object holds a count of its code.
    let code = unsafe { &*own.code() };
    tracing::trace_opcodes(Thread::of(vm), code, own.trace_opcodes.get())
}

fn set_flag(vm: Vm, flag: &Cell<bool>, value: Option<Word>) -> Result<(), Raised> {
    match value {
        Some(value) if value.is_bool() => flag.set(value == Word::TRUE),
        Some(_) => return Err(vm.type_error("attribute value type must be bool")),
        None => return Err(vm.type_error("can't delete numeric/char attribute")),
    }
    Ok(())
}

/// Drops the variables of a frame that has ended; a generator that has not begun ends (`frame_clear`).
fn clear_method(vm: Vm, frame: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let own = object(frame);
    let refuse = |what| {
        let message = format!("cannot clear {what} frame");
        Err(vm.raise(vm.exc.RuntimeError, message))
    };
    match own.place.get() {
        Place::Stack => return refuse("an executing"),
        Place::Generator => {
            let Some(generator) = own.generator() else {
                return Ok(Owned::NONE);
            };
            if generator.is_executing() {
                return refuse("an executing");
            }
            if generator.is_suspended() {
                return refuse("a suspended");
            }
            generator::finalize(vm, generator.word());
            return Ok(Owned::NONE);
        }
        Place::Own => {}
    }
    // SAFETY: the frame has ended.
    unsafe { clear(vm, frame.object()) };
    Ok(Owned::NONE)
}

/// `sys._getframe(depth)`.
pub fn getframe(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    crate::object::args::check_positional(vm, "_getframe", args.len(), 0, 1)?;
    let depth = match args.first() {
        Some(depth) => crate::object::number::index_isize(vm, *depth)?,
        None => 0,
    };
    let depth = usize::try_from(depth).unwrap_or(0);
    match super::at_depth(Thread::of(vm), depth) {
        Some(frame) => frame,
        None => Err(vm.value_error("call stack is not deep enough")),
    }
}

/// `sys._current_frames()`: of the one thread there is.
pub fn current_frames(vm: Vm, _: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let ts = Thread::of(vm);
    // SAFETY: a dict just made.
    unsafe {
        let dict = Owned::from_raw(vm.new_dict()?);
        if let Some(frame) = super::at_depth(ts, 0) {
            let thread = vm.new_int_usize(ts as *const Thread as usize)?;
            crate::object::dict::set_item(vm, dict.as_ptr(), thread.as_word(), frame?.as_word())?;
        }
        Ok(dict)
    }
}
