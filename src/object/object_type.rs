//! `object`: what every type inherits (`object_*` of `typeobject.c`).

use super::args;
use super::attr;
use super::descr::{GetSetDef, MethodDef, meth};
use super::descr_types::address;
use super::dict::{self, DictObject};
use super::header::{Header, Kind, Object};
use super::instance::{self, InstanceObject};
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, InitFn, NewFn, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{protocol, str};
use std::ptr::fn_addr_eq;

fn object_repr(vm: Vm, word: Word) -> PyResult {
    // SAFETY: types are live as long as an instance.
    let name = unsafe { (*vm.type_of(word)).full_name() };
    vm.new_str(&format!("<{name} object at {}>", address(word)))
}
fn object_str(vm: Vm, word: Word) -> PyResult {
    protocol::repr(vm, word)
}
fn object_hash(_: Vm, word: Word) -> Result<i64, Raised> {
    Ok(if word.is_pointer() {
        super::hash::hash_pointer(word.object())
    } else {
        super::hash::not_minus_one((word.bits() >> 3) as i64)
    })
}
fn object_compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    match op {
        CompareOp::Eq => Ok(if a.is(b) {
            Owned::TRUE
        } else {
            Owned::NOT_IMPLEMENTED
        }),
        // The opposite of `==`, which a class may define alone.
        CompareOp::Ne => {
            // SAFETY: types are live as long as an instance.
            let Some(compare) = (unsafe { (*vm.type_of(a)).slots.richcompare }) else {
                return Ok(Owned::NOT_IMPLEMENTED);
            };
            let equal = compare(vm, a, b, CompareOp::Eq)?;
            if equal.as_word() == Word::NOT_IMPLEMENTED {
                return Ok(equal);
            }
            Ok(Owned::bool(!protocol::is_true(vm, equal.as_word())?))
        }
        _ => Ok(Owned::NOT_IMPLEMENTED),
    }
}

/// Whether `__new__` or `__init__` is `object`'s own.
fn has_own_new(ty: *mut TypeObject) -> bool {
    // SAFETY: types are live.
    unsafe {
        !(*ty)
            .slots
            .new
            .is_some_and(|new| fn_addr_eq(new, object_new as NewFn))
    }
}
fn has_own_init(ty: *mut TypeObject) -> bool {
    // SAFETY: types are live.
    unsafe {
        !(*ty)
            .slots
            .init
            .is_some_and(|init| fn_addr_eq(init, object_init as InitFn))
    }
}
pub(super) fn object_init(
    vm: Vm,
    self_: Word,
    args: &[Word],
    _: Option<Word>,
) -> Result<(), Raised> {
    if args.is_empty() {
        return Ok(());
    }
    let ty = vm.type_of(self_);
    if has_own_init(ty) {
        return Err(vm.type_error(
            "object.__init__() takes exactly one argument (the instance to initialize)",
        ));
    }
    if !has_own_new(ty) {
        return Err(vm.type_error(format!(
            "{}.__init__() takes exactly one argument (the instance to initialize)",
            vm.type_name(self_)
        )));
    }
    Ok(())
}
/// `object.__new__` (`object_new`).
pub(crate) fn object_new(vm: Vm, ty: *mut TypeObject, args: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: the type is live.
    unsafe {
        if !args.is_empty() {
            if has_own_new(ty) {
                return Err(vm.type_error(
                    "object.__new__() takes exactly one argument (the type to instantiate)",
                ));
            }
            if !has_own_init(ty) {
                return Err(vm.type_error(format!("{}() takes no arguments", (*ty).name_string())));
            }
        }
        if (*ty).has_flag(type_flag::ABSTRACT) {
            return Err(super::type_object::abstract_error(vm, ty));
        }
        new_plain(vm, ty)
    }
}
/// An instance of a class whose native part is a bare header.
///
/// # Safety
/// Instances of `ty` are laid out so.
pub unsafe fn new_plain(vm: Vm, ty: *mut TypeObject) -> PyResult {
    unsafe { allocate(vm, ty).map(|object| Owned::from_raw(object)) }
}
/// The same, counted once.
///
/// # Safety
/// As [`new_plain`].
#[inline]
pub unsafe fn allocate(vm: Vm, ty: *mut TypeObject) -> Result<*mut Object, Raised> {
    unsafe {
        if (*ty).has_flag(type_flag::INLINE_VALUES) && (*ty).extension == 0 {
            return instance::new_inline(vm, ty);
        }
        let native = (*ty).basic_size as usize;
        let object = vm.alloc_instance::<Header>(ty, native)?;
        if native == size_of::<InstanceObject>() {
            (*object.cast::<InstanceObject>()).dict = std::cell::Cell::new(None);
        }
        Ok(object)
    }
}

unsafe fn object_dealloc(vm: Vm, object: *mut Object) {
    unsafe { vm.free(object) }
}

fn class_get(vm: Vm, word: Word) -> PyResult {
    // SAFETY: types are live as long as an instance.
    Ok(Owned::new_ref(unsafe { (*vm.type_of(word)).word() }))
}
/// `o.__class__ = C`, between classes of the same layout (`object_set_class`).
fn class_set(vm: Vm, word: Word, value: Option<Word>) -> Result<(), Raised> {
    let Some(value) = value else {
        return Err(vm.type_error("can't delete __class__ attribute"));
    };
    if !value.is_instance(Kind::TYPE) {
        return Err(vm.type_error(format!(
            "__class__ must be set to a class, not '{}' object",
            vm.type_name(value)
        )));
    }
    let (old, new) = (vm.type_of(word), value.cast::<TypeObject>());
    // SAFETY: both types are live; layouts are compared before the header changes.
    unsafe {
        if !(*old).has_flag(type_flag::HEAPTYPE) || !(*new).has_flag(type_flag::HEAPTYPE) {
            return Err(vm.type_error(
                "__class__ assignment only supported for mutable types or ModuleType subclasses",
            ));
        }
        let layout = |ty: *mut TypeObject| {
            (
                (*ty).kind,
                (*ty).basic_size,
                (*ty).extension,
                (*ty).dict_offset,
                (*ty).has_flag(type_flag::INLINE_VALUES),
            )
        };
        if layout(old) != layout(new) {
            return Err(vm.type_error(format!(
                "__class__ assignment: '{}' object layout differs from '{}'",
                (*new).name_string(),
                (*old).name_string()
            )));
        }
        if (*old).has_flag(type_flag::INLINE_VALUES) {
            // The values stand under the old class's keys.
            drop(instance::instance_dict(vm, word)?);
            instance::detach(vm, word.object())?;
        }
        let object = word.object();
        (*new).header.incref();
        (*object).ty.set(new);
        Word::from_owned(old).close();
    }
    Ok(())
}
static GETSET: [GetSetDef; 1] = [GetSetDef::new("__class__", class_get, Some(class_set))];

/// `__dict__` of classes' instances.
pub(super) static DICT_GETSET: GetSetDef = GetSetDef::new("__dict__", dict_get, Some(dict_set));
fn dict_get(vm: Vm, word: Word) -> PyResult {
    match instance::instance_dict(vm, word)? {
        Some(dict) => Ok(dict),
        None => Err(attr::no_attribute(vm, word, vm.names.__dict__)),
    }
}
fn dict_set(vm: Vm, word: Word, value: Option<Word>) -> Result<(), Raised> {
    if let Some(value) = value
        && !dict::is_dict(value)
    {
        return Err(vm.type_error(format!(
            "__dict__ must be set to a dictionary, not a '{}'",
            vm.type_name(value)
        )));
    }
    match instance::set_instance_dict(vm, word, value)? {
        Some(()) => Ok(()),
        None => Err(attr::no_attribute(vm, word, vm.names.__dict__)),
    }
}
/// `__weakref__` of classes' instances.
pub(super) static WEAKREF_GETSET: GetSetDef = GetSetDef::new(
    "__weakref__",
    |vm, word| Ok(super::weakref::first(vm, word).unwrap_or(Owned::NONE)),
    None,
);

fn object_format(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if !str::is_str(args[0]) {
        return Err(vm.type_error(format!(
            "__format__() argument must be str, not {}",
            vm.argument_type(args[0])
        )));
    }
    if str::object(args[0]).length == 0 {
        return protocol::str(vm, self_);
    }
    Err(vm.type_error(format!(
        "unsupported format string passed to {}.__format__",
        vm.type_name(self_)
    )))
}
fn object_sizeof(vm: Vm, self_: Word, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: types are live as long as an instance.
    let ty = vm.type_of(self_);
    vm.new_int(i64::from(unsafe { (*ty).basic_size + (*ty).extension }))
}
/// `object.__dir__`: names of the instance's dict and of the classes along the MRO.
fn object_dir(vm: Vm, self_: Word, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: types are live as long as an instance; dicts are counted while they are read.
    unsafe {
        let names = Owned::from_raw(vm.new_dict()?);
        if let Some(dict) = instance::instance_dict(vm, self_)? {
            add_keys(vm, names.as_ptr(), dict.as_ptr())?;
        }
        super::type_object::add_class_names(vm, names.as_ptr(), vm.type_of(self_))?;
        vm.list_from_owned(keys(names.as_ptr()))
    }
}
pub(super) unsafe fn add_keys(
    vm: Vm,
    to: *mut DictObject,
    from: *mut DictObject,
) -> Result<(), Raised> {
    unsafe { keys(from) }
        .into_iter()
        .try_for_each(|key| unsafe { dict::set_item(vm, to, key.as_word(), Word::NONE) })
}
/// The keys of a dict, in order.
///
/// # Safety
/// The dict is live.
pub unsafe fn keys(dict: *mut DictObject) -> Vec<Owned> {
    let (mut keys, mut position) = (Vec::new(), 0);
    while let Some((key, ..)) = unsafe { dict::next(dict, &mut position) } {
        keys.push(Owned::new_ref(key));
    }
    keys
}
fn init_subclass(vm: Vm, self_: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let function = {
        // SAFETY: a class method's self is a class.
        let ty = self_.cast::<TypeObject>();
        format!("{}.__init_subclass__", unsafe { (*ty).name_string() })
    };
    args::no_keywords(vm, &function, kwnames)?;
    if !args.is_empty() {
        return Err(vm.type_error(format!(
            "{function}() takes no arguments ({} given)",
            args.len()
        )));
    }
    Ok(Owned::NONE)
}
fn subclass_hook(_: Vm, _: Word, _: &[Word], _: Option<Word>) -> PyResult {
    Ok(Owned::NOT_IMPLEMENTED)
}
static METHODS: &[MethodDef] = &[
    MethodDef::new(
        "__subclasshook__",
        meth::CLASS | meth::VARARGS,
        subclass_hook,
    ),
    MethodDef::new(
        "__init_subclass__",
        meth::CLASS | meth::VARARGS | meth::KEYWORDS,
        init_subclass,
    ),
    MethodDef::new("__format__", meth::O, object_format),
    MethodDef::new("__sizeof__", meth::NOARGS, object_sizeof),
    MethodDef::new("__dir__", meth::NOARGS, object_dir),
];

pub(super) const fn object_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE,
        methods: METHODS,
        getset: &GETSET,
        ..TypeSpec::new::<Header>(
            "object",
            Kind::INSTANCE,
            Slots {
                dealloc: object_dealloc,
                repr: Some(object_repr),
                str: Some(object_str),
                hash: Some(object_hash),
                richcompare: Some(object_compare),
                getattro: Some(attr::generic_get_attr),
                setattro: Some(attr::generic_set_attr),
                init: Some(object_init),
                new: Some(object_new),
                ..Slots::EMPTY
            },
        )
    }
}
