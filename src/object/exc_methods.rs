//! Construction and methods of exceptions (`exceptions.c`).

use super::descr::MemberDef;
use super::exc::{self, ExceptionObject, FIELDS_OFFSET, field};
use super::header::{Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::str;
use super::types::{Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
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

/// Sets the fields that follow from positional arguments, as each type's `__init__` does.
pub(super) fn init_fields(vm: Vm, exception: Word, args: &[Word]) -> Result<(), Raised> {
    let object = exc::object(exception);
    let set = |index: usize, value: Word| {
        // SAFETY: callers below know the type's fields.
        exc::replace(unsafe { object.field(index) }, Some(value));
    };
    let is = |ty| vm.is_instance(exception, ty);
    if is(vm.exc.StopIteration) {
        set(
            field::STOP_ITERATION_VALUE,
            args.first().copied().unwrap_or(Word::NONE),
        );
    } else if is(vm.exc.SystemExit) {
        match args {
            [] => {}
            [code] => set(field::SYSTEM_EXIT_CODE, *code),
            _ => set(
                field::SYSTEM_EXIT_CODE,
                object.args.get().unwrap_or(Word::NONE),
            ),
        }
    } else if is(vm.exc.ImportError) {
        if let [message] = args {
            set(field::IMPORT_ERROR_MSG, *message);
        }
    }
    Ok(())
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

/// `str(e)`: nothing, the argument, or the tuple of arguments (`BaseException_str`).
pub(super) fn exception_str(vm: Vm, exception: Word) -> PyResult {
    let Some(args) = exc::object(exception).args.get() else {
        return Ok(vm.empty_string());
    };
    // SAFETY: `args` is a tuple and kept by the exception.
    match unsafe { super::tuple::items(args) } {
        [] => Ok(vm.empty_string()),
        [argument] => super::protocol::str(vm, *argument),
        _ => super::protocol::str(vm, args),
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

/// What a built-in exception type is made from.
pub(super) fn exception_spec(
    name: &'static str,
    members: &'static [MemberDef],
    size: usize,
) -> TypeSpec {
    TypeSpec {
        basic_size: size,
        dict_offset: std::mem::offset_of!(ExceptionObject, dict),
        flags: type_flag::BASETYPE,
        members,
        ..TypeSpec::new::<ExceptionObject>(
            name,
            Kind::EXCEPTION,
            Slots {
                dealloc: exception_dealloc,
                traverse: Some(exception_traverse),
                clear: Some(exception_clear),
                str: Some(exception_str),
                ..Slots::EMPTY
            },
        )
    }
}
