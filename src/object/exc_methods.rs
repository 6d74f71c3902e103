//! Construction and methods of exceptions (`exceptions.c`).

use super::descr::{GetSetDef, MethodDef, meth};
use super::exc::{self, ExceptionObject, FIELDS_OFFSET};
use super::header::{Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::str;
use super::types::{Slots, TypeObject, TypeSpec};
use super::vm::Vm;
use super::word::Word;
use super::{attr, dict, list};
use std::cell::Cell;

/// Bytes of an exception with this many own fields.
pub(super) const fn exception_size(fields: usize) -> usize {
    FIELDS_OFFSET + fields * size_of::<Word>()
}

/// A new instance with its `args` and all else absent (`BaseException_new`).
pub(super) fn alloc_exception(vm: Vm, ty: *mut TypeObject, args: &[Word]) -> PyResult {
    let args = vm.new_tuple(args)?;
    // SAFETY: exception types are laid out so; every field is written.
    unsafe {
        let size = (*ty).basic_size as usize;
        let exception = vm.alloc_instance::<ExceptionObject>(ty, size)?;
        (*exception).dict = Cell::new(None);
        (*exception).args = Cell::new(Some(args.into_slot()));
        (*exception).traceback = Cell::new(None);
        (*exception).context = Cell::new(None);
        (*exception).cause = Cell::new(None);
        (*exception).suppress_context = Cell::new(false);
        exception
            .cast::<u8>()
            .add(FIELDS_OFFSET)
            .write_bytes(0, size - FIELDS_OFFSET);
        Ok(Owned::from_raw(exception))
    }
}

/// Where an exception keeps its words, for the functions below.
///
/// # Safety
/// `object` is an exception.
unsafe fn cells(object: *mut Object) -> impl Iterator<Item = *const Cell<Option<Word>>> {
    unsafe {
        let exception = object as *mut ExceptionObject;
        let fields = ((*(*object).ty()).basic_size as usize - FIELDS_OFFSET) / size_of::<Word>();
        [
            &raw const (*exception).dict,
            &raw const (*exception).args,
            &raw const (*exception).traceback,
            &raw const (*exception).context,
            &raw const (*exception).cause,
        ]
        .into_iter()
        .chain((0..fields).map(move |index| &raw const *(*exception).field(index)))
    }
}

/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn exception_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        exception_clear(vm, object);
        vm.free(object);
    }
}

/// # Safety
/// As [`super::types::TraverseFn`].
pub(super) unsafe fn exception_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        cells(object)
            .filter_map(|cell| (*cell).get())
            .for_each(visit)
    }
}

/// # Safety
/// As [`super::types::ClearFn`].
pub(super) unsafe fn exception_clear(_: Vm, object: *mut Object) {
    unsafe {
        for cell in cells(object) {
            if let Some(word) = (*cell).take() {
                word.release_slot();
            }
        }
    }
}

/// The message as Rust text, for tests and hosts.
pub fn message(vm: Vm, exception: Word) -> String {
    debug_assert_eq!(exception.kind().base(), Kind::EXCEPTION);
    match super::protocol::str(vm, exception) {
        Ok(text) => str::to_string_lossy(text.as_word()),
        Err(Raised) => {
            vm.clear_exception();
            String::from("<exception str() failed>")
        }
    }
}

/// `UnicodeEncodeError`, `UnicodeDecodeError` with their five arguments.
#[cold]
pub fn raise_unicode_error(
    vm: Vm,
    ty: *mut TypeObject,
    encoding: &str,
    object: Word,
    (start, end): (usize, usize),
    reason: &str,
) -> Raised {
    let build = || {
        let (encoding, reason) = (vm.new_str(encoding)?, vm.new_str(reason)?);
        let (start, end) = (vm.new_int_usize(start)?, vm.new_int_usize(end)?);
        let args = [
            encoding.as_word(),
            object,
            start.as_word(),
            end.as_word(),
            reason.as_word(),
        ];
        Ok(vm.raise_with(ty, &args))
    };
    build().unwrap_or_else(|raised| raised)
}

/// Adds a note to the current exception (`_PyErr_FormatNote`).
pub fn add_note_to_current(vm: Vm, note: &str) {
    let Some(exception) = vm.take_exception() else {
        return;
    };
    let added = vm
        .new_str(note)
        .and_then(|note| add_note(vm, exception.as_word(), &[note.as_word()], None));
    if added.is_err() {
        vm.clear_exception();
    }
    vm.set_exception(exception);
}
/// `e.add_note(note)`.
fn add_note(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if !str::is_str(args[0]) {
        return Err(vm.type_error(format!(
            "add_note() argument must be str, not {}",
            vm.argument_type(args[0])
        )));
    }
    let notes = match attr::get_attr_opt(vm, self_, vm.names.__notes__)? {
        Some(notes) => notes,
        None => {
            let notes = vm.new_list(&[])?;
            attr::set_attr(vm, self_, vm.names.__notes__, Some(notes.as_word()))?;
            notes
        }
    };
    if !list::is_list(notes.as_word()) {
        return Err(vm.type_error("Cannot add note: __notes__ is not a list"));
    }
    // SAFETY: a list, kept by the handle.
    unsafe { list::append(vm, notes.as_ptr(), args[0].borrow())? };
    Ok(Owned::NONE)
}
fn with_traceback(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    set_traceback(vm, self_, Some(args[0]))?;
    Ok(Owned::new_ref(self_))
}
fn set_state(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if args[0].is_none() {
        return Ok(Owned::NONE);
    }
    if !dict::is_dict(args[0]) {
        return Err(vm.type_error("state is not a dictionary"));
    }
    // SAFETY: contract of Word; items are counted while they are set.
    unsafe {
        let mut position = 0;
        while let Some((key, value, _)) = dict::next(args[0].cast(), &mut position) {
            let (key, value) = (Owned::new_ref(key), Owned::new_ref(value));
            attr::set_attr(vm, self_, key.as_word(), Some(value.as_word()))?;
        }
    }
    Ok(Owned::NONE)
}
static METHODS: &[MethodDef] = &[
    MethodDef::new("__setstate__", meth::O, set_state),
    MethodDef::new("with_traceback", meth::O, with_traceback),
    MethodDef::new("add_note", meth::O, add_note),
];

fn set_traceback(vm: Vm, self_: Word, value: Option<Word>) -> Result<(), Raised> {
    let Some(value) = value else {
        return Err(vm.type_error("__traceback__ may not be deleted"));
    };
    if !value.is_none() && !value.is_exact(Kind::TRACEBACK) {
        return Err(vm.type_error("__traceback__ must be a traceback or None"));
    }
    exc::replace(
        &exc::object(self_).traceback,
        Some(value).filter(|value| !value.is_none()),
    );
    Ok(())
}
fn exception_or_none(vm: Vm, value: Option<Word>, name: &str) -> Result<Option<Word>, Raised> {
    match value {
        None => Err(vm.type_error(format!("{name} may not be deleted"))),
        Some(value) if value.is_none() => Ok(None),
        Some(value) if exc::is_exception(value) => Ok(Some(value)),
        Some(_) => Err(vm.type_error(format!(
            "exception {} must be None or derive from BaseException",
            name.trim_matches('_')
        ))),
    }
}
fn cell_or_none(cell: &Cell<Option<Word>>) -> PyResult {
    Ok(cell.get().map_or(Owned::NONE, Owned::new_ref))
}
static GETSET: [GetSetDef; 6] = [
    GetSetDef::new(
        "args",
        |_, e| cell_or_none(&exc::object(e).args),
        Some(|vm, e, value| {
            let Some(value) = value else {
                return Err(vm.type_error("args may not be deleted"));
            };
            let args = super::tuple_methods::tuple_from_iterable(vm, value)?;
            exc::replace(&exc::object(e).args, Some(args.as_word()));
            Ok(())
        }),
    ),
    GetSetDef::new(
        "__traceback__",
        |_, e| cell_or_none(&exc::object(e).traceback),
        Some(set_traceback),
    ),
    GetSetDef::new(
        "__context__",
        |_, e| cell_or_none(&exc::object(e).context),
        Some(|vm, e, value| {
            exc::replace(
                &exc::object(e).context,
                exception_or_none(vm, value, "__context__")?,
            );
            Ok(())
        }),
    ),
    GetSetDef::new(
        "__cause__",
        |_, e| cell_or_none(&exc::object(e).cause),
        Some(|vm, e, value| {
            exc::replace(
                &exc::object(e).cause,
                exception_or_none(vm, value, "__cause__")?,
            );
            exc::object(e).suppress_context.set(true);
            Ok(())
        }),
    ),
    GetSetDef::new(
        "__suppress_context__",
        |_, e| Ok(Owned::bool(exc::object(e).suppress_context.get())),
        Some(|vm, e, value| match value {
            None => Err(vm.type_error("can't delete numeric/char attribute")),
            Some(value) if value.is_bool() => {
                exc::object(e).suppress_context.set(value == Word::TRUE);
                Ok(())
            }
            Some(_) => Err(vm.type_error("attribute value type must be bool")),
        }),
    ),
    GetSetDef::new(
        "__dict__",
        |vm, e| Ok(super::instance::instance_dict(vm, e)?.unwrap_or(Owned::NONE)),
        Some(|vm, e, value| match value {
            Some(value) if dict::is_dict(value) => {
                exc::replace(&exc::object(e).dict, Some(value));
                Ok(())
            }
            _ => Err(vm.type_error("__dict__ must be a dictionary")),
        }),
    ),
];

/// The slots that all exception types share; the rest comes from `exc_types.rs`.
pub(super) const BASE_SLOTS: Slots = Slots {
    dealloc: exception_dealloc,
    traverse: Some(exception_traverse),
    clear: Some(exception_clear),
    ..Slots::EMPTY
};
/// `BaseException`'s methods and attributes.
pub(super) const fn base_exception_parts(spec: TypeSpec) -> TypeSpec {
    TypeSpec {
        methods: METHODS,
        getset: &GETSET,
        ..spec
    }
}
