//! The type `function` as programs see it (`funcobject.c`).

use super::call;
use super::code::CodeObject;
use super::frame;
use super::function::{self, FunctionObject};
use super::thread::Thread;
use crate::object::descr::GetSetDef;
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Header, Kind, Owned, PyResult, Raised, TypeSpec, Vm, Word, dict, instance, str, tuple,
};
use std::cell::Cell;

static GETSET: [GetSetDef; 14] = [
    GetSetDef::new(
        "__annotate__",
        |_, f| Ok(or_none(&of(f).annotate)),
        Some(set_annotate),
    ),
    GetSetDef::new("__annotations__", annotations, Some(set_annotations)),
    GetSetDef::new(
        "__builtins__",
        |_, f| Ok(unsafe { Owned::from_borrowed(of(f).builtins.get()) }),
        None,
    ),
    GetSetDef::new("__closure__", |_, f| Ok(or_none(&of(f).closure)), None),
    GetSetDef::new(
        "__code__",
        |_, f| Ok(unsafe { Owned::from_borrowed(of(f).code.get()) }),
        Some(set_code),
    ),
    GetSetDef::new(
        "__defaults__",
        |_, f| Ok(or_none(&of(f).defaults)),
        Some(set_defaults),
    ),
    GetSetDef::new("__dict__", get_dict, Some(set_dict)),
    GetSetDef::new(
        "__doc__",
        |_, f| Ok(or_none(&of(f).doc)),
        Some(|_, f, value| put(&of(f).doc, value)),
    ),
    GetSetDef::new(
        "__globals__",
        |_, f| Ok(unsafe { Owned::from_borrowed(of(f).globals.get()) }),
        None,
    ),
    GetSetDef::new(
        "__kwdefaults__",
        |_, f| Ok(or_none(&of(f).kwdefaults)),
        Some(set_kwdefaults),
    ),
    GetSetDef::new(
        "__module__",
        |_, f| Ok(or_none(&of(f).module)),
        Some(|_, f, value| put(&of(f).module, value)),
    ),
    GetSetDef::new(
        "__name__",
        |_, f| Ok(or_none(&of(f).name)),
        Some(|vm, f, value| set_text(vm, &of(f).name, "__name__", value)),
    ),
    GetSetDef::new(
        "__qualname__",
        |_, f| Ok(or_none(&of(f).qualname)),
        Some(|vm, f, value| set_text(vm, &of(f).qualname, "__qualname__", value)),
    ),
    GetSetDef::new("__type_params__", type_params, Some(set_type_params)),
];

pub(super) fn type_spec() -> TypeSpec {
    let slots = Slots {
        dealloc: function::dealloc,
        traverse: Some(function::traverse),
        clear: Some(function::clear),
        repr: Some(repr),
        call: Some(call::call_function),
        descr_get: Some(bind),
        ..Slots::EMPTY
    };
    TypeSpec {
        flags: type_flag::METHOD_DESCRIPTOR | type_flag::DISALLOW_INSTANTIATION,
        dict_offset: std::mem::offset_of!(FunctionObject, dict),
        getset: &GETSET,
        ..TypeSpec::new::<FunctionObject>("function", Kind::FUNCTION, slots)
    }
}

fn of<'a>(function: Word) -> &'a FunctionObject {
    debug_assert!(function.is_exact(Kind::FUNCTION));
    // SAFETY: contract of Word; fields that change are cells.
    unsafe { &*function.cast::<FunctionObject>() }
}

fn or_none(slot: &Cell<Word>) -> Owned {
    if slot.get().is_null() {
        Owned::NONE
    } else {
        Owned::new_ref(slot.get())
    }
}

/// Puts a new reference into a slot, None for what is deleted.
fn put(slot: &Cell<Word>, value: Option<Word>) -> Result<(), Raised> {
    put_word(slot, value.unwrap_or(Word::NONE));
    Ok(())
}
fn put_word(slot: &Cell<Word>, value: Word) {
    let value = if value.is_null() {
        value
    } else {
        Owned::new_ref(value).into_slot()
    };
    // SAFETY: a slot's word, overwritten.
    unsafe { slot.replace(value).release_slot() };
}

fn repr(vm: Vm, function: Word) -> PyResult {
    let name = str::to_string_lossy(of(function).qualname.get());
    vm.new_str(&format!("<function {name} at {:p}>", function.object()))
}

/// `func_descr_get`: bound to an instance, but not to None.
fn bind(vm: Vm, function: Word, object: Option<Word>, _: Option<Word>) -> PyResult {
    match object {
        Some(object) if !object.is_none() => vm.new_method(function, object),
        _ => Ok(Owned::new_ref(function)),
    }
}

fn set_text(vm: Vm, slot: &Cell<Word>, name: &str, value: Option<Word>) -> Result<(), Raised> {
    match value {
        Some(value) if str::is_str(value) => put(slot, Some(value)),
        _ => Err(vm.type_error(format!("{name} must be set to a string object"))),
    }
}

/// Call sites that know the function by its version must not any more (`_PyFunction_ClearVersion`).
fn clear_version(function: &FunctionObject) {
    function.version.set(0);
}

/// Whether a frame runs the function: frames find their code through it.
fn is_running(vm: Vm, function: &FunctionObject) -> bool {
    let (_, _, mut locals) = Thread::of(vm).saved_registers();
    // SAFETY: saved locals are those of a live frame, as is each `previous`; shims and bridges have no function.
    unsafe {
        while !locals.is_null() {
            let header = frame::frame(locals);
            if !(*header).func.is_null() && std::ptr::eq((*header).func.cast(), function) {
                return true;
            }
            locals = (*header).previous;
        }
    }
    false
}

fn set_code(vm: Vm, function: Word, value: Option<Word>) -> Result<(), Raised> {
    let Some(value) = value.filter(|value| value.is_exact(Kind::CODE)) else {
        return Err(vm.type_error("__code__ must be set to a code object"));
    };
    let function = of(function);
    let free = |code: *mut CodeObject| unsafe { (*code).free_count() };
    let code = value.cast::<CodeObject>();
    let cells = match function.closure.get() {
        Word::NULL => 0,
        // SAFETY: a closure is a tuple, kept by the function.
        closure => unsafe { tuple::items(closure) }.len(),
    };
    if free(code) != cells {
        let name = str::to_string_lossy(function.name.get());
        return Err(vm.value_error(format!(
            "{name}() requires a code object with {cells} free vars, not {}",
            free(code)
        )));
    }
    if is_running(vm, function) {
        return Err(vm.raise(
            vm.exc.RuntimeError,
            "cannot assign __code__ while the function is running",
        ));
    }
    clear_version(function);
    // SAFETY: a live code object; the old one's count is the function's.
    unsafe {
        (*code).header.incref();
        Header::decref(function.code.replace(code).cast());
    }
    Ok(())
}

/// None and deletion both mean that there are none.
fn set_or_clear(slot: &Cell<Word>, value: Option<Word>) {
    put_word(
        slot,
        value.filter(|value| !value.is_none()).unwrap_or(Word::NULL),
    );
}

fn set_defaults(vm: Vm, function: Word, value: Option<Word>) -> Result<(), Raised> {
    if value.is_some_and(|value| !value.is_none() && !tuple::is_tuple(value)) {
        return Err(vm.type_error("__defaults__ must be set to a tuple object"));
    }
    clear_version(of(function));
    set_or_clear(&of(function).defaults, value);
    Ok(())
}

fn set_kwdefaults(vm: Vm, function: Word, value: Option<Word>) -> Result<(), Raised> {
    if value.is_some_and(|value| !value.is_none() && !dict::is_dict(value)) {
        return Err(vm.type_error("__kwdefaults__ must be set to a dict object"));
    }
    clear_version(of(function));
    set_or_clear(&of(function).kwdefaults, value);
    Ok(())
}

fn get_dict(vm: Vm, function: Word) -> PyResult {
    Ok(instance::instance_dict(vm, function)?.unwrap_or(Owned::NONE))
}

fn set_dict(vm: Vm, function: Word, value: Option<Word>) -> Result<(), Raised> {
    match value {
        Some(value) if dict::is_dict(value) => {
            instance::set_instance_dict(vm, function, Some(value)).map(drop)
        }
        Some(value) => {
            let name = vm.type_name(value);
            Err(vm.type_error(format!(
                "__dict__ must be set to a dictionary, not a '{name}'"
            )))
        }
        None => Err(vm.type_error("cannot delete __dict__")),
    }
}

/// Made by `__annotate__` when they are first asked for (`func_get_annotation_dict`).
fn annotations(vm: Vm, function: Word) -> PyResult {
    let function = of(function);
    let known = function.annotations.get();
    if dict::is_dict(known) {
        return Ok(Owned::new_ref(known));
    }
    let made = if tuple::is_tuple(known) {
        // The compiler's form: names and values in turn.
        let dict = unsafe { Owned::from_raw(vm.new_dict()?) };
        // SAFETY: a tuple kept by the function; a dict just made.
        for pair in unsafe { tuple::items(known) }.chunks_exact(2) {
            unsafe { dict::set_item(vm, dict.as_ptr(), pair[0], pair[1])? };
        }
        dict
    } else if !function.annotate.get().is_null() && !function.annotate.get().is_none() {
        let annotate = Owned::new_ref(function.annotate.get());
        let made =
            crate::object::call::call(vm, annotate.as_word(), &[Word::int_unchecked(1)], None)?;
        if !dict::is_dict(made.as_word()) {
            let name = vm.type_name(made.as_word());
            return Err(vm.type_error(format!("__annotate__() must return a dict, not {name}")));
        }
        made
    } else {
        // SAFETY: a dict just made.
        unsafe { Owned::from_raw(vm.new_dict()?) }
    };
    put_word(&function.annotations, made.as_word());
    Ok(made)
}

fn set_annotations(vm: Vm, function: Word, value: Option<Word>) -> Result<(), Raised> {
    if value.is_some_and(|value| !value.is_none() && !dict::is_dict(value)) {
        return Err(vm.type_error("__annotations__ must be set to a dict object"));
    }
    set_or_clear(&of(function).annotations, value);
    set_or_clear(&of(function).annotate, None);
    Ok(())
}

fn set_annotate(vm: Vm, function: Word, value: Option<Word>) -> Result<(), Raised> {
    match value {
        None => Err(vm.type_error("__annotate__ cannot be deleted")),
        Some(value) if value.is_none() => put(&of(function).annotate, Some(value)),
        Some(value) if crate::object::call::is_callable(vm, value) => {
            set_or_clear(&of(function).annotations, None);
            put(&of(function).annotate, Some(value))
        }
        Some(_) => Err(vm.type_error("__annotate__ must be callable or None")),
    }
}

fn type_params(vm: Vm, function: Word) -> PyResult {
    match of(function).type_params.get() {
        Word::NULL => Ok(vm.empty_tuple()),
        params => Ok(Owned::new_ref(params)),
    }
}

fn set_type_params(vm: Vm, function: Word, value: Option<Word>) -> Result<(), Raised> {
    match value {
        Some(value) if tuple::is_tuple(value) => put(&of(function).type_params, Some(value)),
        _ => Err(vm.type_error("__type_params__ must be set to a tuple")),
    }
}
