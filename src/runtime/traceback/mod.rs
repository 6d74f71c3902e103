//! Tracebacks: the objects that the unwinder makes, and the text that reports an exception (`traceback.c`,
//! `Lib/traceback.py`).

mod anchors;
mod excerpt;
mod hints;
mod report;
pub mod suggest;
mod syntax;

pub use excerpt::{Span, excerpt};
pub use hints::hint;
pub use report::{format_exception, text_of};
pub use syntax::format as syntax_lines;

use super::code::CodeObject;
use super::frame::{self, Locals};
use super::frame_object::{self, FrameObject};
use super::thread::Thread;
use crate::bytecode::Opcode;
use crate::bytecode::tables::Location;
use crate::object::args::Signature;
use crate::object::descr::GetSetDef;
use crate::object::exc;
use crate::object::types::Slots;
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, int, number,
};
use std::cell::Cell;

/// `PyTracebackObject`. Words are slots' words.
#[repr(C)]
pub struct TracebackObject {
    pub header: Header,
    /// The entry of the frame that this one called.
    pub next: Cell<Option<Word>>,
    pub frame: Word,
    /// `tb_lasti`
    lasti: i32,
    /// `tb_lineno`; -1 if it follows from `lasti`.
    lineno: i32,
}

/// Adds the running frame to the current exception's traceback (`PyTraceBack_Here`), unless the instruction raises
/// again what already has been here: then the answer is false.
///
/// # Safety
/// `locals` are the running frame's, `unit` is the index of an instruction of its code.
pub unsafe fn add(ts: &Thread, locals: Locals, unit: usize) -> bool {
    let Some(exception) = ts.current_exception.get() else {
        return true;
    };
    unsafe {
        let code = frame::code(locals);
        if raises_again(ts, code, unit, exception) {
            return false;
        }
        let next = exc::object(exception).traceback.get();
        // Without memory for the entry the exception stays as it is.
        let kept = Owned::new_ref(exception);
        match new_entry(ts, locals, unit, next) {
            Ok(entry) => exc::replace(&exc::object(exception).traceback, Some(entry.as_word())),
            Err(Raised) => ts.vm().set_exception(kept),
        }
        true
    }
}

/// An entry for the running frame, with none behind it (`_PyTraceBack_FromFrame`).
///
/// # Safety
/// As [`add`].
pub unsafe fn here(ts: &Thread, locals: Locals, unit: usize) -> PyResult {
    unsafe { new_entry(ts, locals, unit, None) }
}

unsafe fn raises_again(ts: &Thread, code: *mut CodeObject, unit: usize, exception: Word) -> bool {
    // SAFETY: the caller's promise.
    let code = unsafe { &*code };
    match code.base_opcode(unit) {
        Opcode::RERAISE | Opcode::CLEANUP_THROW | Opcode::END_ASYNC_FOR => true,
        Opcode::RAISE_VARARGS => {
            code.spec.code[2 * unit + 1] == 0
                && ts.vm().topmost_handled().is_some_and(|e| e.is(exception))
        }
        _ => false,
    }
}

unsafe fn new_entry(ts: &Thread, locals: Locals, unit: usize, next: Option<Word>) -> PyResult {
    unsafe {
        let frame = frame_object::object_of(ts, locals)?;
        // A code object is never as long as that.
        let lasti = i32::try_from(2 * unit).unwrap_or(i32::MAX);
        make(ts.vm(), next, frame, lasti, -1)
    }
}

fn make(vm: Vm, next: Option<Word>, frame: Owned, lasti: i32, lineno: i32) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let entry: *mut TracebackObject = vm.alloc(vm.types.traceback)?;
        (&raw mut (*entry).next).write(Cell::new(next.map(|word| word.borrow().to_slot())));
        (&raw mut (*entry).frame).write(frame.into_slot());
        (&raw mut (*entry).lasti).write(lasti);
        (&raw mut (*entry).lineno).write(lineno);
        Ok(Owned::from_raw(entry))
    }
}

/// The entry behind a word known to be a traceback.
pub fn object<'a>(word: Word) -> &'a TracebackObject {
    debug_assert!(word.is_exact(Kind::TRACEBACK));
    // SAFETY: contract of Word; the fields that change are cells.
    unsafe { &*word.cast::<TracebackObject>() }
}

impl TracebackObject {
    pub fn frame(&self) -> &FrameObject {
        frame_object::object(self.frame)
    }
    pub fn code(&self) -> &CodeObject {
        // SAFETY: the frame object holds a count of the code.
        unsafe { &*self.frame().code() }
    }
    /// Where in the source the instruction is; without a line if it has none.
    pub fn location(&self) -> Location {
        self.code()
            .location(usize::try_from(self.lasti / 2).unwrap_or(0))
    }
    /// `tb_lineno`; negative where there is none.
    pub fn line(&self) -> i32 {
        if self.lineno >= 0 {
            self.lineno
        } else {
            self.location().lineno
        }
    }
}

/// The entries from the outermost frame to the innermost.
pub fn entries<'a>(first: Option<Word>) -> impl Iterator<Item = &'a TracebackObject> {
    std::iter::successors(first.map(object), |entry| entry.next.get().map(object))
}

// ---- the type

static GETSET: [GetSetDef; 4] = [
    GetSetDef::new("tb_next", get_next, Some(set_next)),
    GetSetDef::member("tb_frame", |_, tb| Ok(Owned::new_ref(object(tb).frame))),
    GetSetDef::member("tb_lasti", |_, tb| {
        Ok(Owned::small_int(object(tb).lasti.into()))
    }),
    GetSetDef::new("tb_lineno", get_lineno, None),
];

pub(super) fn type_spec() -> TypeSpec {
    let slots = Slots {
        dealloc,
        traverse: Some(traverse),
        clear: Some(clear),
        new: Some(new),
        ..Slots::EMPTY
    };
    TypeSpec {
        getset: &GETSET,
        ..TypeSpec::new::<TracebackObject>("traceback", Kind::TRACEBACK, slots)
    }
}

static NEW: Signature<4> = Signature::new(
    "traceback",
    ["tb_next", "tb_frame", "tb_lasti", "tb_lineno"],
    4,
);

fn new(vm: Vm, _: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [next, frame, lasti, lineno] = NEW
        .unpack(vm, args, kwnames)?
        .map(|word| word.unwrap_or(Word::NONE));
    if !frame.is_exact(Kind::FRAME) {
        return Err(vm.type_error(format!(
            "traceback() argument 'tb_frame' must be frame, not {}",
            vm.argument_type(frame)
        )));
    }
    let (lasti, lineno) = (c_int(vm, lasti)?, c_int(vm, lineno)?);
    let next = match next {
        Word::NONE => None,
        next if next.is_exact(Kind::TRACEBACK) => Some(next),
        other => {
            let name = vm.type_name(other);
            let message = format!("expected traceback object or None, got '{name}'");
            return Err(vm.type_error(message));
        }
    };
    make(vm, next, Owned::new_ref(frame), lasti, lineno)
}

/// An argument that is a C int.
fn c_int(vm: Vm, word: Word) -> Result<i32, Raised> {
    let index = number::index(vm, word)?;
    int::value(index.as_word())
        .and_then(|value| value.to_i64())
        .and_then(|value| i32::try_from(value).ok())
        .ok_or_else(|| vm.overflow_error("Python int too large to convert to C int"))
}

fn get_next(_: Vm, tb: Word) -> PyResult {
    Ok(object(tb).next.get().map_or(Owned::NONE, Owned::new_ref))
}

/// A chain that leads back to the entry itself is refused.
fn set_next(vm: Vm, tb: Word, value: Option<Word>) -> Result<(), Raised> {
    let next = match value {
        None => return Err(vm.type_error("can't delete tb_next attribute")),
        Some(Word::NONE) => None,
        Some(next) if next.is_exact(Kind::TRACEBACK) => Some(next),
        Some(other) => {
            let name = vm.type_name(other);
            return Err(vm.type_error(format!("expected traceback object, got '{name}'")));
        }
    };
    if entries(next).any(|entry| std::ptr::eq(entry, object(tb))) {
        return Err(vm.value_error("traceback loop detected"));
    }
    exc::replace(&object(tb).next, next);
    Ok(())
}

fn get_lineno(vm: Vm, tb: Word) -> PyResult {
    match object(tb).line() {
        line if line >= 0 => vm.new_int(i64::from(line)),
        _ => Ok(Owned::NONE),
    }
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, tb: *mut Object) {
    unsafe {
        let entry = tb.cast::<TracebackObject>();
        let words = [(*entry).next.take(), Some((*entry).frame)];
        vm.free(entry);
        for word in words.into_iter().flatten() {
            word.release_slot();
        }
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(tb: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let entry = &*tb.cast::<TracebackObject>();
        visit(entry.frame);
        entry.next.get().into_iter().for_each(visit);
    }
}

/// # Safety
/// As [`crate::object::types::ClearFn`].
unsafe fn clear(_: Vm, tb: *mut Object) {
    unsafe {
        if let Some(next) = (*tb.cast::<TracebackObject>()).next.take() {
            next.release_slot();
        }
    }
}

/// The innermost entry of an exception's traceback.
fn innermost<'a>(exception: Word) -> Option<&'a TracebackObject> {
    entries(exc::object(exception).traceback.get()).last()
}
