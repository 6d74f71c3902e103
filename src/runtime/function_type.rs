//! The type `function` as programs see it (`funcobject.c`).

use super::code::CodeObject;
use super::entry;
use super::function::{self, FunctionObject};
use super::thread::Thread;
use super::warnings;
use crate::bytecode::spec::code_flags;
use crate::object::args::Signature;
use crate::object::descr::GetSetDef;
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Kind, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, dict, instance, str, tuple,
};
use std::cell::Cell;

static GETSET: [GetSetDef; 14] = [
    GetSetDef::new(
        "__annotate__",
        |_, f| Ok(or_none(&of(f).annotate)),
        Some(set_annotate),
    ),
    GetSetDef::new("__annotations__", annotations, Some(set_annotations)),
    GetSetDef::member("__builtins__", |_, f| {
        Ok(unsafe { Owned::from_borrowed(of(f).builtins.get()) })
    }),
    GetSetDef::member("__closure__", |_, f| Ok(or_none(&of(f).closure))),
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
    GetSetDef::member("__globals__", |_, f| {
        Ok(unsafe { Owned::from_borrowed(of(f).globals.get()) })
    }),
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
        call: Some(entry::call_function),
        descr_get: Some(bind),
        new: Some(function_new),
        ..Slots::EMPTY
    };
    TypeSpec {
        flags: type_flag::METHOD_DESCRIPTOR,
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

static NEW: Signature<6> = Signature::new(
    "function",
    [
        "code",
        "globals",
        "name",
        "argdefs",
        "closure",
        "kwdefaults",
    ],
    2,
);

/// `FunctionType(code, globals, ..)` (`func_new_impl`).
fn function_new(vm: Vm, _: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let given = NEW.unpack(vm, args, kwnames)?;
    let (code, globals) = (
        given[0].unwrap_or(Word::NONE),
        given[1].unwrap_or(Word::NONE),
    );
    let [name, defaults, closure, kwdefaults] =
        [2, 3, 4, 5].map(|at: usize| given[at].filter(|word| !word.is_none()));
    let wanted = |what: &str, type_name: &str, word: Word| {
        let got = match word {
            Word::NONE => "None".to_owned(),
            word => vm.type_name(word),
        };
        vm.type_error(format!(
            "function() argument '{what}' must be {type_name}, not {got}"
        ))
    };
    if !code.is_exact(Kind::CODE) {
        return Err(wanted("code", "code", code));
    }
    if !dict::is_dict(globals) {
        return Err(wanted("globals", "dict", globals));
    }
    let checks = [
        (
            name,
            str::is_str as fn(Word) -> bool,
            "arg 3 (name) must be None or string",
        ),
        (
            defaults,
            tuple::is_tuple,
            "arg 4 (defaults) must be None or tuple",
        ),
        (
            kwdefaults,
            dict::is_dict,
            "arg 6 (kwdefaults) must be None or dict",
        ),
    ];
    for (word, test, message) in checks {
        if word.is_some_and(|word| !test(word)) {
            return Err(vm.type_error(message));
        }
    }
    let object = code.cast::<CodeObject>();
    // SAFETY: a live code object.
    let free = unsafe { (*object).free_count() };
    let cells: &[Word] = match closure {
        // SAFETY: a tuple by its kind, kept by the arguments.
        Some(closure) if tuple::is_tuple(closure) => unsafe { tuple::items(closure) },
        None if free == 0 && given[4].is_none_or(Word::is_none) => &[],
        _ => return Err(vm.type_error("arg 5 (closure) must be tuple")),
    };
    if cells.len() != free {
        // SAFETY: as above.
        let name = str::to_string_lossy(unsafe { (*object).name });
        return Err(vm.value_error(format!(
            "{name} requires closure of length {free}, not {}",
            cells.len()
        )));
    }
    if let Some(wrong) = cells.iter().find(|cell| !cell.is_exact(Kind::CELL)) {
        let got = vm.type_name(*wrong);
        return Err(vm.type_error(format!("arg 5 (closure) expected cell, found {got}")));
    }
    let ts = Thread::of(vm);
    // SAFETY: a live code object and a live dict.
    let made = unsafe { function::new_function(ts, object, globals.cast())? };
    let function = of(made.as_word());
    if let Some(name) = name {
        put_word(&function.name, name);
    }
    if !cells.is_empty() {
        put_word(&function.closure, vm.new_tuple(cells)?.as_word());
    }
    for (slot, word) in [
        (&function.defaults, defaults),
        (&function.kwdefaults, kwdefaults),
    ] {
        if let Some(word) = word {
            put_word(slot, word);
        }
    }
    if defaults.is_some() || kwdefaults.is_some() {
        clear_version(function);
    }
    Ok(made)
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
    let suspends = |code: *mut CodeObject| unsafe { (*code).flags } & code_flags::SUSPENDS;
    if suspends(code) != suspends(function.code.get()) {
        warnings::warn(
            vm,
            vm.exc.DeprecationWarning,
            "Assigning a code object of non-matching type is deprecated (e.g., from a generator to a plain function)",
        );
    }
    clear_version(function);
    // Frames of the function go on in the code that they began with, which lives as long as the function.
    // SAFETY: a live code object; the old one's count is the function's.
    let old = unsafe {
        (*code).header.incref();
        Owned::from_raw(function.code.replace(code)).into_slot()
    };
    Thread::of(vm)
        .former_code
        .borrow_mut()
        .entry(std::ptr::from_ref(function) as usize)
        .or_default()
        .push(old);
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
        let made = crate::object::call::call_one(vm, annotate.as_word(), Word::int_unchecked(1))?;
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
