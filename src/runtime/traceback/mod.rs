//! Tracebacks: the objects that the unwinder makes, and the text that reports an exception (`traceback.c`,
//! `Lib/traceback.py`).

mod anchors;
mod excerpt;
mod hints;
mod report;
pub mod suggest;
mod syntax;

pub use report::{format_exception, text_of};

use super::code::CodeObject;
use super::frame::{self, Locals, Meta};
use super::local_dict::variables;
use super::thread::Thread;
use crate::bytecode::Opcode;
use crate::bytecode::tables::{self, Location};
use crate::object::descr::GetSetDef;
use crate::object::exc;
use crate::object::types::Slots;
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeSpec, Vm, Word, dict, str, tuple,
};
use std::cell::Cell;

/// `PyTracebackObject`. Words are slots' words.
#[repr(C)]
pub struct TracebackObject {
    pub header: Header,
    /// The entry of the frame that this one called.
    pub next: Cell<Option<Word>>,
    pub code: Word,
    pub globals: Word,
    /// The tuple of names that the frame's own variables had, kept where a misspelt one may have to be guessed.
    pub names: Option<Word>,
    /// The value of a local called `self`, kept likewise.
    pub instance: Option<Word>,
    /// Index of the instruction's code unit (`tb_lasti` / 2).
    pub unit: u32,
}

/// Adds the running frame to the current exception's traceback (`PyTraceBack_Here`), unless the instruction raises
/// again what already has been here.
///
/// # Safety
/// `locals` are the running frame's, `unit` is the index of an instruction of its code.
pub unsafe fn add(ts: &Thread, locals: Locals, unit: usize) {
    let Some(exception) = ts.current_exception.get() else {
        return;
    };
    unsafe {
        let code = frame::code(locals);
        if raises_again(ts, code, unit, exception) {
            return;
        }
        let next = exc::object(exception).traceback.get();
        if let Ok(entry) = new_entry(ts, locals, unit, exception, next) {
            exc::replace(&exc::object(exception).traceback, Some(entry.as_word()));
        }
    }
}

/// An entry for the running frame, with none behind it (`_PyTraceBack_FromFrame`).
///
/// # Safety
/// As [`add`].
pub unsafe fn here(ts: &Thread, locals: Locals, unit: usize) -> PyResult {
    // No exception that needs the frame's names to be explained.
    unsafe { new_entry(ts, locals, unit, Word::NONE, None) }
}

unsafe fn raises_again(ts: &Thread, code: *mut CodeObject, unit: usize, exception: Word) -> bool {
    // SAFETY: the caller's promise.
    let bytes = unsafe { &(*code).adaptive()[2 * unit..2 * unit + 2] };
    match Opcode(u16::from(bytes[0].get())).deopt() {
        Opcode::RERAISE | Opcode::CLEANUP_THROW | Opcode::END_ASYNC_FOR => true,
        Opcode::RAISE_VARARGS => {
            bytes[1].get() == 0 && ts.vm().topmost_handled().is_some_and(|e| e.is(exception))
        }
        _ => false,
    }
}

unsafe fn new_entry(
    ts: &Thread,
    locals: Locals,
    unit: usize,
    exception: Word,
    next: Option<Word>,
) -> PyResult {
    let vm = ts.vm();
    unsafe {
        let function = frame::function(locals);
        let (mut names, mut instance) = (None, None);
        if next.is_none() {
            let name_error = vm.is_instance(exception, vm.exc.NameError);
            if name_error || vm.is_instance(exception, vm.exc.AttributeError) {
                instance = local_self(locals);
            }
            if name_error {
                names = Some(vm.tuple_from_owned(variable_names(locals))?.into_slot());
            }
        }
        let entry: *mut TracebackObject = vm.alloc(vm.types.traceback)?;
        let count = |word: Word| word.borrow().to_slot();
        (&raw mut (*entry).next).write(Cell::new(next.map(count)));
        (&raw mut (*entry).code).write(Word::from_borrowed(frame::code(locals)).to_slot());
        (&raw mut (*entry).globals).write(Word::from_borrowed((*function).globals.get()).to_slot());
        (&raw mut (*entry).names).write(names);
        (&raw mut (*entry).instance).write(instance.map(count));
        (&raw mut (*entry).unit).write(unit as u32);
        Ok(Owned::from_raw(entry))
    }
}

unsafe fn local_self(locals: Locals) -> Option<Word> {
    unsafe { variables(locals) }
        .find(|(name, _)| str::equals(*name, "self"))
        .map(|(_, value)| value)
}

/// Names in a frame's `f_locals`.
unsafe fn variable_names(locals: Locals) -> Vec<Owned> {
    unsafe {
        let mut names: Vec<Owned> = variables(locals)
            .map(|(name, _)| Owned::new_ref(name))
            .collect();
        let header = frame::frame(locals);
        if (*header).meta.has(Meta::NAMESPACE) && (*header).namespace.is_exact(Kind::DICT) {
            let mut position = 0;
            while let Some((key, _, _)) = dict::next((*header).namespace.cast(), &mut position) {
                names.push(Owned::new_ref(key));
            }
        }
        names
    }
}

/// The entry behind a word known to be a traceback.
pub fn object<'a>(word: Word) -> &'a TracebackObject {
    debug_assert!(word.is_exact(Kind::TRACEBACK));
    // SAFETY: contract of Word; the fields that change are cells.
    unsafe { &*word.cast::<TracebackObject>() }
}

impl TracebackObject {
    pub fn code(&self) -> &CodeObject {
        // SAFETY: the entry holds a count of the code.
        unsafe { &*self.code.cast::<CodeObject>() }
    }
    /// Where in the source the instruction is; without a line if it has none.
    pub fn location(&self) -> Location {
        let spec = &self.code().spec;
        tables::read_locations(&spec.linetable, spec.firstlineno)
            .ok()
            .and_then(|ranges| {
                ranges
                    .into_iter()
                    .find(|range| (range.start..range.end).contains(&self.unit))
            })
            .map_or(Location::NO_LOCATION, |range| range.loc)
    }
}

/// The entries from the outermost frame to the innermost.
pub fn entries<'a>(first: Option<Word>) -> impl Iterator<Item = &'a TracebackObject> {
    std::iter::successors(first.map(object), |entry| entry.next.get().map(object))
}

// ---- the type

static GETSET: [GetSetDef; 3] = [
    GetSetDef::new("tb_next", get_next, Some(set_next)),
    GetSetDef::new(
        "tb_lasti",
        |_, tb| Ok(Owned::small_int(i64::from(object(tb).unit) * 2)),
        None,
    ),
    GetSetDef::new("tb_lineno", get_lineno, None),
];

pub(super) fn type_spec() -> TypeSpec {
    let slots = Slots {
        dealloc,
        traverse: Some(traverse),
        clear: Some(clear),
        ..Slots::EMPTY
    };
    TypeSpec {
        getset: &GETSET,
        ..TypeSpec::new::<TracebackObject>("traceback", Kind::TRACEBACK, slots)
    }
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
    match object(tb).location().lineno {
        line if line >= 0 => vm.new_int(i64::from(line)),
        _ => Ok(Owned::NONE),
    }
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, tb: *mut Object) {
    unsafe {
        let entry = tb.cast::<TracebackObject>();
        let words = [
            (*entry).next.take(),
            Some((*entry).code),
            Some((*entry).globals),
            (*entry).names,
            (*entry).instance,
        ];
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
        let optional = [entry.next.get(), entry.names, entry.instance];
        [entry.code, entry.globals]
            .into_iter()
            .chain(optional.into_iter().flatten())
            .for_each(visit);
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

/// The names kept at the innermost entry of an exception's traceback.
fn innermost<'a>(exception: Word) -> Option<&'a TracebackObject> {
    entries(exc::object(exception).traceback.get()).last()
}

/// Items of an optional tuple.
fn tuple_items<'a>(word: Option<Word>) -> &'a [Word] {
    // SAFETY: the entry keeps the tuple.
    word.map_or(&[], |word| unsafe { tuple::items(word) })
}
