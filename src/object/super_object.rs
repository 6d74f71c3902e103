//! `super` (`superobject` of `typeobject.c`).

use super::args;
use super::attr;
use super::descr::GetSetDef;
use super::dict;
use super::exc::replace;
use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::type_object;
use super::types::{Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use std::cell::Cell;

/// `superobject`.
#[repr(C)]
pub struct SuperObject {
    pub header: Header,
    /// Slot's words: the class whose bases are searched, the instance or class bound to, and its class.
    pub class: Cell<Option<Word>>,
    pub object: Cell<Option<Word>>,
    pub object_class: Cell<Option<Word>>,
}
fn super_object<'a>(word: Word) -> &'a SuperObject {
    // SAFETY: contract of Word; all fields are cells.
    unsafe { &*word.cast() }
}

/// The class whose MRO is searched for `super(class, object)` (`supercheck`).
pub fn check(vm: Vm, class: Word, object: Word) -> PyResult {
    let ty = class.cast::<TypeObject>();
    if object.is_instance(Kind::TYPE) && type_object::object(object).is_subtype(ty) {
        return Ok(Owned::new_ref(object));
    }
    if vm.is_instance(object, ty) {
        // SAFETY: types are live as long as an instance.
        return Ok(Owned::new_ref(unsafe { (*vm.type_of(object)).word() }));
    }
    if let Some(own) = attr::get_attr_opt(vm, object, vm.names.__class__)?
        && own.as_word().is_instance(Kind::TYPE)
        && type_object::object(own.as_word()).is_subtype(ty)
    {
        return Ok(own);
    }
    let (kind, name) = if object.is_instance(Kind::TYPE) {
        ("type", type_object::object(object).name_string())
    } else {
        ("instance of", vm.type_name(object))
    };
    Err(vm.type_error(format!(
        "super(type, obj): obj ({kind} {name}) is not an instance or subtype of type ({}).",
        type_object::object(class).name_string()
    )))
}

/// An attribute behind `class` in the MRO of `object_class`, unbound (`_super_lookup_descr`).
pub(crate) fn lookup_descriptor(
    class: *mut TypeObject,
    object_class: Word,
    name: Word,
) -> Option<Owned> {
    let mro = type_object::object(object_class).mro_slice();
    let start = mro.iter().position(|ty| ty.cast() == class)? + 1;
    mro[start..].iter().find_map(|ty| {
        // SAFETY: types of an MRO are live.
        unsafe { dict::get_str(type_object::object(*ty).dict, name) }.map(Owned::new_ref)
    })
}

/// `super(class, object).name` for an object that is an instance or subclass; None if there is no such attribute.
pub(crate) fn lookup(
    vm: Vm,
    class: *mut TypeObject,
    object: Word,
    name: Word,
) -> Result<Option<Owned>, Raised> {
    // SAFETY: the class is live.
    let object_class = check(vm, unsafe { (*class).word() }, object)?;
    let Some(descriptor) = lookup_descriptor(class, object_class.as_word(), name) else {
        return Ok(None);
    };
    // Bound to a class, a function stays a function.
    let instance = Some(object).filter(|object| !object.is(object_class.as_word()));
    attr::bind(vm, descriptor.as_word(), instance, object_class.as_ptr()).map(Some)
}

/// `super().name` as LOAD_SUPER_ATTR does it, without a super object (`_PySuper_Lookup`).
pub fn get_attr(vm: Vm, class: Word, object: Word, name: Word) -> PyResult {
    if !class.is_instance(Kind::TYPE) {
        return Err(vm.type_error(format!(
            "super() argument 1 must be a type, not {}",
            vm.type_name(class)
        )));
    }
    if !name.is(vm.names.__class__)
        && let Some(value) = lookup(vm, class.cast(), object, name)?
    {
        return Ok(value);
    }
    let object = new(vm, class, Some(object))?;
    super_getattro(vm, object.as_word(), name)
}

/// The same for a call: the function of a method comes unbound, and true says that the object is still to be passed.
pub fn get_method(vm: Vm, class: Word, object: Word, name: Word) -> Result<(Owned, bool), Raised> {
    // SAFETY: types are live as long as an instance.
    let (generic, object_is_class) = unsafe {
        let ty = &*vm.type_of(object);
        let plain = attr::generic_get_attr as super::types::BinaryFn;
        let generic = ty.slots.getattro;
        (
            generic.is_some_and(|get| std::ptr::fn_addr_eq(get, plain)),
            object.is_instance(Kind::TYPE),
        )
    };
    if generic && !object_is_class && !name.is(vm.names.__class__) {
        let object_class = check(vm, class, object)?;
        let found = lookup_descriptor(class.cast(), object_class.as_word(), name);
        if let Some(descriptor) = found {
            let ty = vm.type_of(descriptor.as_word());
            // SAFETY: as above.
            if unsafe { (*ty).has_flag(type_flag::METHOD_DESCRIPTOR) } {
                return Ok((descriptor, true));
            }
            let bound = attr::bind(
                vm,
                descriptor.as_word(),
                Some(object),
                object_class.as_ptr(),
            )?;
            return Ok((bound, false));
        }
    }
    get_attr(vm, class, object, name).map(|value| (value, false))
}

/// `super(class, object)`, unbound without an object.
pub fn new(vm: Vm, class: Word, object: Option<Word>) -> PyResult {
    let created = super_new(vm, vm.types.super_, &[], None)?;
    bind(vm, created.as_word(), class, object)?;
    Ok(created)
}
fn bind(vm: Vm, self_: Word, class: Word, object: Option<Word>) -> Result<(), Raised> {
    let object_class = object.map(|object| check(vm, class, object)).transpose()?;
    let own = super_object(self_);
    replace(&own.class, Some(class));
    replace(&own.object, object);
    replace(&own.object_class, object_class.as_ref().map(Owned::as_word));
    Ok(())
}
fn super_new(vm: Vm, ty: *mut TypeObject, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let object = vm.alloc_instance::<SuperObject>(ty, size_of::<SuperObject>())?;
        (*object).class = Cell::new(None);
        (*object).object = Cell::new(None);
        (*object).object_class = Cell::new(None);
        Ok(Owned::from_raw(object))
    }
}
/// `super(type[, obj])`; without arguments the hook finds them in the running frame.
fn super_init(vm: Vm, self_: Word, args: &[Word], kwnames: Option<Word>) -> Result<(), Raised> {
    args::positional(vm, "super", args, kwnames, 0, 2)?;
    if args.is_empty() {
        let (class, object) = (vm.hooks.get().super_arguments)(vm)?;
        return bind(vm, self_, class.as_word(), Some(object.as_word()));
    }
    if !args[0].is_instance(Kind::TYPE) {
        return Err(vm.type_error(format!(
            "super() argument 1 must be a type, not {}",
            vm.type_name(args[0])
        )));
    }
    bind(
        vm,
        self_,
        args[0],
        args.get(1).copied().filter(|object| !object.is_none()),
    )
}
fn super_getattro(vm: Vm, self_: Word, name: Word) -> PyResult {
    let own = super_object(self_);
    if let (Some(class), Some(object), Some(object_class)) =
        (own.class.get(), own.object.get(), own.object_class.get())
        && !name.is(vm.names.__class__)
    {
        let object_class = Owned::new_ref(object_class);
        if let Some(descriptor) = lookup_descriptor(class.cast(), object_class.as_word(), name) {
            let instance = Some(object).filter(|object| !object.is(object_class.as_word()));
            return attr::bind(vm, descriptor.as_word(), instance, object_class.as_ptr());
        }
    }
    attr::generic_get_attr(vm, self_, name)
}
fn super_get(vm: Vm, self_: Word, object: Option<Word>, _: Option<Word>) -> PyResult {
    let own = super_object(self_);
    match (object, own.object.get(), own.class.get()) {
        (Some(object), None, Some(class)) => new(vm, class, Some(object)),
        _ => Ok(Owned::new_ref(self_)),
    }
}
fn super_repr(vm: Vm, self_: Word) -> PyResult {
    let own = super_object(self_);
    let class = own.class.get().map_or_else(
        || "NULL".to_owned(),
        |class| type_object::object(class).name_string(),
    );
    vm.new_str(&match own.object_class.get() {
        Some(ty) => format!(
            "<super: <class '{class}'>, <{} object>>",
            type_object::object(ty).name_string()
        ),
        None => format!("<super: <class '{class}'>, NULL>"),
    })
}
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let own = object as *mut SuperObject;
        for cell in [&(*own).class, &(*own).object, &(*own).object_class] {
            replace(cell, None);
        }
        vm.free(object);
    }
}
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let own = object as *mut SuperObject;
        [
            (*own).class.get(),
            (*own).object.get(),
            (*own).object_class.get(),
        ]
        .into_iter()
        .flatten()
        .for_each(visit);
    }
}
static GETSET: [GetSetDef; 3] = [
    GetSetDef::member("__thisclass__", |_, s| shown(super_object(s).class.get())),
    GetSetDef::member("__self__", |_, s| shown(super_object(s).object.get())),
    GetSetDef::member("__self_class__", |_, s| {
        shown(super_object(s).object_class.get())
    }),
];
fn shown(word: Option<Word>) -> PyResult {
    Ok(word.map_or(Owned::NONE, Owned::new_ref))
}
pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE,
        getset: &GETSET,
        ..TypeSpec::new::<SuperObject>(
            "super",
            Kind::SUPER,
            Slots {
                dealloc,
                traverse: Some(traverse),
                repr: Some(super_repr),
                getattro: Some(super_getattro),
                descr_get: Some(super_get),
                init: Some(super_init),
                new: Some(super_new),
                ..Slots::EMPTY
            },
        )
    }
}
