//! `property`, `staticmethod`, `classmethod` (`descrobject.c`, `funcobject.c`).

use super::args::{self, Signature};
use super::attr;
use super::call;
use super::descr::{GetSetDef, MemberDef, MethodDef, meth};
use super::exc::replace;
use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::type_cache::OwnIndex;
use super::types::{Slots, TypeObject, TypeSpec, type_flag};
use super::vectorcall::Args;
use super::vm::Vm;
use super::word::Word;
use super::{protocol, str};
use std::cell::Cell;
use std::mem::offset_of;

/// `propertyobject`.
#[repr(C)]
pub struct PropertyObject {
    pub header: Header,
    /// Slot's words, absent for None.
    pub get: Cell<Option<Word>>,
    pub set: Cell<Option<Word>>,
    pub delete: Cell<Option<Word>>,
    doc: Cell<Option<Word>>,
    name: Cell<Option<Word>>,
    /// The doc string is the getter's.
    getter_doc: Cell<bool>,
}

/// `staticmethod` and `classmethod`: a callable.
#[repr(C)]
pub struct WrappedFunctionObject {
    pub header: Header,
    /// A slot's word.
    pub callable: Cell<Option<Word>>,
    dict: Cell<Option<Word>>,
}

fn property<'a>(word: Word) -> &'a PropertyObject {
    // SAFETY: contract of Word; all fields are cells.
    unsafe { &*word.cast() }
}
fn wrapped<'a>(word: Word) -> &'a WrappedFunctionObject {
    // SAFETY: as above.
    unsafe { &*word.cast() }
}
fn present(word: Option<Word>) -> Option<Word> {
    word.filter(|word| !word.is_none())
}

fn property_new(vm: Vm, ty: *mut TypeObject, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let object = vm.alloc_instance::<PropertyObject>(ty, size_of::<PropertyObject>())?;
        object
            .cast::<u8>()
            .add(size_of::<Header>())
            .write_bytes(0, size_of::<PropertyObject>() - size_of::<Header>());
        Ok(Owned::from_raw(object))
    }
}
fn property_init(vm: Vm, self_: Word, args: &[Word], kwnames: Option<Word>) -> Result<(), Raised> {
    const SIGNATURE: Signature<4> = Signature::new("property", ["fget", "fset", "fdel", "doc"], 0);
    let [get, set, delete, doc] = SIGNATURE.unpack(vm, args, kwnames)?;
    let object = property(self_);
    replace(&object.get, present(get));
    replace(&object.set, present(set));
    replace(&object.delete, present(delete));
    replace(&object.doc, present(doc));
    replace(&object.name, None);
    object.getter_doc.set(false);
    if object.doc.get().is_none()
        && let Some(get) = object.get.get()
        && let Some(doc) = attr::get_attr_opt(vm, get, vm.names.__doc__)?
        && !doc.as_word().is_none()
    {
        replace(&object.doc, Some(doc.as_word()));
        object.getter_doc.set(true);
    }
    Ok(())
}

/// The name for messages: what `__set_name__` gave, or the getter's.
fn property_name(vm: Vm, self_: Word) -> Result<Option<Owned>, Raised> {
    let object = property(self_);
    if let Some(name) = object.name.get() {
        return Ok(Some(Owned::new_ref(name)));
    }
    match object.get.get() {
        Some(get) => attr::get_attr_opt(vm, get, vm.names.__name__),
        None => Ok(None),
    }
}
#[cold]
fn missing_accessor(vm: Vm, self_: Word, object: Word, what: &str) -> Raised {
    let name = match property_name(vm, self_).and_then(|name| {
        name.map(|name| protocol::repr(vm, name.as_word()))
            .transpose()
    }) {
        Ok(name) => name,
        Err(raised) => return raised,
    };
    // SAFETY: types are live as long as an instance.
    let qualname = str::to_string_lossy(unsafe { (*vm.type_of(object)).qualname.get() });
    let message = match name {
        Some(name) => format!(
            "property {} of '{qualname}' object has no {what}",
            str::to_string_lossy(name.as_word())
        ),
        None => format!("property of '{qualname}' object has no {what}"),
    };
    vm.raise(vm.exc.AttributeError, message)
}
fn property_get(vm: Vm, self_: Word, object: Option<Word>, _: Option<Word>) -> PyResult {
    let Some(object) = object else {
        return Ok(Owned::new_ref(self_));
    };
    match property(self_).get.get().map(Owned::new_ref) {
        Some(get) => call::call_one(vm, get.as_word(), object),
        None => Err(missing_accessor(vm, self_, object, "getter")),
    }
}
fn property_set(vm: Vm, self_: Word, object: Word, value: Option<Word>) -> Result<(), Raised> {
    let own = property(self_);
    let (function, what) = if value.is_some() {
        (&own.set, "setter")
    } else {
        (&own.delete, "deleter")
    };
    let Some(function) = function.get().map(Owned::new_ref) else {
        return Err(missing_accessor(vm, self_, object, what));
    };
    match value {
        Some(value) => call::call(vm, function.as_word(), &[object, value], None).map(drop),
        None => call::call_one(vm, function.as_word(), object).map(drop),
    }
}
/// A copy with one accessor exchanged (`property_copy`).
fn with_accessor(vm: Vm, self_: Word, index: usize, accessor: Word) -> PyResult {
    let own = property(self_);
    let mut parts = [&own.get, &own.set, &own.delete].map(|cell| cell.get().unwrap_or(Word::NONE));
    if !accessor.is_none() {
        parts[index] = accessor;
    }
    // A doc string taken from the old getter is taken from the new one again.
    let doc = if own.getter_doc.get() && parts[0] != Word::NONE {
        Word::NONE
    } else {
        own.doc.get().unwrap_or(Word::NONE)
    };
    // SAFETY: types are live as long as an instance.
    let ty = unsafe { (*vm.type_of(self_)).word() };
    let copy = call::call(vm, ty, &[parts[0], parts[1], parts[2], doc], None)?;
    if copy.as_word().is_instance(Kind::PROPERTY) {
        replace(&property(copy.as_word()).name, own.name.get());
    }
    Ok(copy)
}
fn set_name(vm: Vm, self_: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    args::positional(vm, "__set_name__", args, kwnames, 2, 2)?;
    replace(&property(self_).name, Some(args[1]));
    Ok(Owned::NONE)
}
static PROPERTY_METHODS: &[MethodDef] = &[
    MethodDef::new("getter", meth::O, |vm, p, args, _| {
        with_accessor(vm, p, 0, args[0])
    }),
    MethodDef::new("setter", meth::O, |vm, p, args, _| {
        with_accessor(vm, p, 1, args[0])
    }),
    MethodDef::new("deleter", meth::O, |vm, p, args, _| {
        with_accessor(vm, p, 2, args[0])
    }),
    MethodDef::new("__set_name__", meth::VARARGS, set_name),
];
const fn member(name: &'static str, offset: usize, readonly: bool) -> MemberDef {
    MemberDef {
        name,
        offset: offset as u32,
        readonly,
        required: false,
    }
}
static PROPERTY_MEMBERS: [MemberDef; 4] = [
    member("fget", offset_of!(PropertyObject, get), true),
    member("fset", offset_of!(PropertyObject, set), true),
    member("fdel", offset_of!(PropertyObject, delete), true),
    member("__doc__", offset_of!(PropertyObject, doc), false),
];
static PROPERTY_GETSET: [GetSetDef; 2] = [
    GetSetDef::new(
        "__name__",
        |vm, p| match property_name(vm, p)? {
            Some(name) => Ok(name),
            None => Err(attr::no_attribute(vm, p, vm.names.__name__)),
        },
        Some(|_, p, value| {
            replace(&property(p).name, value);
            Ok(())
        }),
    ),
    GetSetDef::new(
        "__isabstractmethod__",
        |vm, p| {
            for function in [&property(p).get, &property(p).set, &property(p).delete] {
                if let Some(function) = function.get()
                    && is_abstract(vm, function)?
                {
                    return Ok(Owned::TRUE);
                }
            }
            Ok(Owned::FALSE)
        },
        None,
    ),
];
fn is_abstract(vm: Vm, function: Word) -> Result<bool, Raised> {
    match attr::get_attr_opt(vm, function, vm.names.__isabstractmethod__)? {
        Some(answer) => protocol::is_true(vm, answer.as_word()),
        None => Ok(false),
    }
}

unsafe fn property_clear(_: Vm, object: *mut Object) {
    unsafe {
        let property = object as *mut PropertyObject;
        for cell in [
            &(*property).get,
            &(*property).set,
            &(*property).delete,
            &(*property).doc,
            &(*property).name,
        ] {
            replace(cell, None);
        }
    }
}
unsafe fn property_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        property_clear(vm, object);
        vm.free(object);
    }
}
unsafe fn property_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let p = object as *mut PropertyObject;
        [
            (*p).get.get(),
            (*p).set.get(),
            (*p).delete.get(),
            (*p).doc.get(),
            (*p).name.get(),
        ]
        .into_iter()
        .flatten()
        .for_each(visit);
    }
}
pub(super) const fn property_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE,
        methods: PROPERTY_METHODS,
        members: &PROPERTY_MEMBERS,
        getset: &PROPERTY_GETSET,
        ..TypeSpec::new::<PropertyObject>(
            "property",
            Kind::PROPERTY,
            Slots {
                dealloc: property_dealloc,
                traverse: Some(property_traverse),
                clear: Some(property_clear),
                descr_get: Some(property_get),
                descr_set: Some(property_set),
                init: Some(property_init),
                new: Some(property_new),
                ..Slots::EMPTY
            },
        )
    }
}

// ---- staticmethod and classmethod

fn new_wrapped(vm: Vm, ty: *mut TypeObject, callable: Option<Word>) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let object =
            vm.alloc_instance::<WrappedFunctionObject>(ty, size_of::<WrappedFunctionObject>())?;
        (*object).callable = Cell::new(callable.map(|word| Owned::new_ref(word).into_slot()));
        (*object).dict = Cell::new(None);
        Ok(Owned::from_raw(object))
    }
}
/// `PyStaticMethod_New`.
pub fn new_staticmethod(vm: Vm, callable: Word) -> PyResult {
    new_wrapped(vm, vm.types.staticmethod, Some(callable))
}
/// `PyClassMethod_New`.
pub fn new_classmethod(vm: Vm, callable: Word) -> PyResult {
    new_wrapped(vm, vm.types.classmethod, Some(callable))
}
fn wrapped_init(vm: Vm, self_: Word, args: &[Word], kwnames: Option<Word>) -> Result<(), Raised> {
    let name = if self_.kind().base() == Kind::STATICMETHOD {
        "staticmethod"
    } else {
        "classmethod"
    };
    args::positional(vm, name, args, kwnames, 1, 1)?;
    replace(&wrapped(self_).callable, Some(args[0]));
    // The wrapper looks like what it wraps (`functools_wraps`).
    for key in [
        vm.names.__module__,
        vm.names.__name__,
        vm.names.__qualname__,
        vm.names.__doc__,
    ] {
        if let Some(value) = attr::get_attr_opt(vm, args[0], key)? {
            super::instance::set(vm, self_, key, Some(value.as_word()), OwnIndex::UNKNOWN)?;
        }
    }
    Ok(())
}
fn callable_of(vm: Vm, self_: Word) -> PyResult {
    match wrapped(self_).callable.get() {
        Some(callable) => Ok(Owned::new_ref(callable)),
        None => Err(vm.raise(vm.exc.RuntimeError, "uninitialized method object")),
    }
}
fn static_get(vm: Vm, self_: Word, _: Option<Word>, _: Option<Word>) -> PyResult {
    callable_of(vm, self_)
}
fn static_call(vm: Vm, self_: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult {
    let callable = callable_of(vm, self_)?;
    call::call(vm, callable.as_word(), args, kwnames)
}
fn class_get(vm: Vm, self_: Word, object: Option<Word>, ty: Option<Word>) -> PyResult {
    let callable = callable_of(vm, self_)?;
    let ty = match (ty, object) {
        (Some(ty), _) => Owned::new_ref(ty),
        // SAFETY: types are live as long as an instance.
        (None, Some(object)) => Owned::new_ref(unsafe { (*vm.type_of(object)).word() }),
        (None, None) => return Ok(callable),
    };
    vm.new_method(callable.as_word(), ty.as_word())
}
fn wrapped_repr(vm: Vm, self_: Word) -> PyResult {
    let callable = callable_of(vm, self_)?;
    let inner = protocol::repr(vm, callable.as_word())?;
    vm.new_str(&format!(
        "<{}({})>",
        vm.type_name(self_),
        str::to_string_lossy(inner.as_word())
    ))
}
static WRAPPED_GETSET: [GetSetDef; 4] = [
    GetSetDef::member("__func__", callable_of),
    GetSetDef::member("__wrapped__", callable_of),
    GetSetDef::new(
        "__isabstractmethod__",
        |vm, self_| {
            let callable = callable_of(vm, self_)?;
            Ok(Owned::bool(is_abstract(vm, callable.as_word())?))
        },
        None,
    ),
    GetSetDef::new(
        "__dict__",
        |vm, self_| Ok(super::instance::instance_dict(vm, self_)?.unwrap_or(Owned::NONE)),
        None,
    ),
];
unsafe fn wrapped_clear(_: Vm, object: *mut Object) {
    unsafe {
        let wrapped = object as *mut WrappedFunctionObject;
        replace(&(*wrapped).callable, None);
        replace(&(*wrapped).dict, None);
    }
}
unsafe fn wrapped_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        wrapped_clear(vm, object);
        vm.free(object);
    }
}
unsafe fn wrapped_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let wrapped = object as *mut WrappedFunctionObject;
        [(*wrapped).callable.get(), (*wrapped).dict.get()]
            .into_iter()
            .flatten()
            .for_each(visit);
    }
}
const WRAPPED_SLOTS: Slots = Slots {
    dealloc: wrapped_dealloc,
    traverse: Some(wrapped_traverse),
    clear: Some(wrapped_clear),
    repr: Some(wrapped_repr),
    init: Some(wrapped_init),
    new: Some(|vm, ty, _, _| new_wrapped(vm, ty, None)),
    ..Slots::EMPTY
};
pub(super) const fn staticmethod_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE,
        dict_offset: offset_of!(WrappedFunctionObject, dict),
        getset: &WRAPPED_GETSET,
        ..TypeSpec::new::<WrappedFunctionObject>(
            "staticmethod",
            Kind::STATICMETHOD,
            Slots {
                descr_get: Some(static_get),
                call: Some(static_call),
                ..WRAPPED_SLOTS
            },
        )
    }
}
pub(super) const fn classmethod_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE,
        dict_offset: offset_of!(WrappedFunctionObject, dict),
        getset: &WRAPPED_GETSET,
        ..TypeSpec::new::<WrappedFunctionObject>(
            "classmethod",
            Kind::CLASSMETHOD,
            Slots {
                descr_get: Some(class_get),
                ..WRAPPED_SLOTS
            },
        )
    }
}
