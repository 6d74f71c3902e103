//! Attribute access (`PyObject_GetAttr`, `PyObject_GenericGetAttr` and their kin).

use super::dict::{self, DictObject};
use super::exc::{self, field};
use super::header::Kind;
use super::instance;
use super::owned::{Owned, PyResult, Raised};
use super::str;
use super::types::{TypeObject, type_flag};
use super::vm::Vm;
use super::word::Word;
use std::ptr::fn_addr_eq;

/// `o.name`; `name` is a str, interned if it came from code (`PyObject_GetAttr`).
#[inline]
pub fn get_attr(vm: Vm, object: Word, name: Word) -> PyResult {
    // SAFETY: types are live as long as an instance.
    match unsafe { (*vm.type_of(object)).slots.getattro } {
        Some(getattro) => getattro(vm, object, name),
        None => Err(no_attribute(vm, object, name)),
    }
}
/// The same, None for AttributeError (`PyObject_GetOptionalAttr`).
pub fn get_attr_opt(vm: Vm, object: Word, name: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: types are live as long as an instance.
    let getattro = unsafe { (*vm.type_of(object)).slots.getattro };
    let generic = getattro
        .is_some_and(|getattro| fn_addr_eq(getattro, generic_get_attr as super::types::BinaryFn));
    let found = if generic {
        generic_lookup(vm, object, name)
    } else {
        get_attr(vm, object, name).map(Some)
    };
    match found {
        Ok(value) => Ok(value),
        Err(raised) => {
            if vm.exception_matches(vm.exc.AttributeError) {
                vm.clear_exception();
                Ok(None)
            } else {
                Err(raised)
            }
        }
    }
}
/// `o.name = value`, or `del o.name` without a value (`PyObject_SetAttr`).
pub fn set_attr(vm: Vm, object: Word, name: Word, value: Option<Word>) -> Result<(), Raised> {
    require_name(vm, name)?;
    // SAFETY: types are live as long as an instance.
    unsafe {
        let ty = vm.type_of(object);
        if let Some(setattro) = (*ty).slots.setattro {
            return setattro(vm, object, name, value);
        }
        let kind = if (*ty).slots.getattro.is_some() {
            "only read-only"
        } else {
            "no"
        };
        let verb = if value.is_some() { "assign to" } else { "del" };
        Err(vm.type_error(format!(
            "'{}' object has {kind} attributes ({verb} .{})",
            vm.type_name(object),
            str::to_string_lossy(name)
        )))
    }
}

/// What looks attributes up relies on this: names are strings.
#[inline(always)]
pub fn require_name(vm: Vm, name: Word) -> Result<(), Raised> {
    if name.is_instance(Kind::STR) {
        return Ok(());
    }
    Err(not_a_name(vm, name))
}
#[cold]
fn not_a_name(vm: Vm, name: Word) -> Raised {
    vm.type_error(format!(
        "attribute name must be string, not '{}'",
        vm.type_name(name)
    ))
}

/// Raises AttributeError with a message, the name and the object (`_PyObject_SetAttributeErrorContext`).
#[cold]
pub fn attribute_error(vm: Vm, object: Word, name: Word, message: impl AsRef<str>) -> Raised {
    let raised = vm.raise(vm.exc.AttributeError, message);
    if let Some(exception) = vm.current_exception.get()
        && vm.is_instance(exception, vm.exc.AttributeError)
    {
        // SAFETY: AttributeError has these fields.
        unsafe {
            exc::replace(
                exc::object(exception).field(field::ATTRIBUTE_ERROR_NAME),
                Some(name),
            );
            exc::replace(
                exc::object(exception).field(field::ATTRIBUTE_ERROR_OBJ),
                Some(object),
            );
        }
    }
    raised
}
#[cold]
pub fn no_attribute(vm: Vm, object: Word, name: Word) -> Raised {
    let message = format!(
        "'{}' object has no attribute '{}'",
        vm.type_name(object),
        str::to_string_lossy(name)
    );
    attribute_error(vm, object, name, message)
}

/// Binds what a type's dict holds to an instance, as attribute access does.
#[inline]
pub(crate) fn bind(
    vm: Vm,
    descriptor: Word,
    object: Option<Word>,
    ty: *mut TypeObject,
) -> PyResult {
    // SAFETY: types are live as long as an instance.
    unsafe {
        match (*vm.type_of(descriptor)).slots.descr_get {
            Some(get) => get(vm, descriptor, object, Some((*ty).word())),
            None => Ok(Owned::new_ref(descriptor)),
        }
    }
}

/// `PyObject_GenericGetAttr`.
pub fn generic_get_attr(vm: Vm, object: Word, name: Word) -> PyResult {
    match generic_lookup(vm, object, name)? {
        Some(value) => Ok(value),
        None => Err(no_attribute(vm, object, name)),
    }
}

/// The same without raising: data descriptor, instance, other class attribute, in this order.
pub fn generic_lookup(vm: Vm, object: Word, name: Word) -> Result<Option<Owned>, Raised> {
    require_name(vm, name)?;
    let ty = vm.type_of(object);
    // SAFETY: the type is live as long as the instance; the descriptor is counted across calls.
    unsafe {
        let (descriptor, own) = (*ty).lookup_with_own(name);
        let descriptor = descriptor.map(Owned::new_ref);
        if let Some(descriptor) = &descriptor {
            let slots = &raw const (*vm.type_of(descriptor.as_word())).slots;
            if (*slots).descr_set.is_some()
                && let Some(get) = (*slots).descr_get
            {
                return get(vm, descriptor.as_word(), Some(object), Some((*ty).word())).map(Some);
            }
        }
        if let Some(value) = instance::get(vm, object, name, own)? {
            return Ok(Some(value));
        }
        match descriptor {
            Some(descriptor) => bind(vm, descriptor.as_word(), Some(object), ty).map(Some),
            None => Ok(None),
        }
    }
}

/// `PyObject_GenericSetAttr`.
pub fn generic_set_attr(
    vm: Vm,
    object: Word,
    name: Word,
    value: Option<Word>,
) -> Result<(), Raised> {
    require_name(vm, name)?;
    let ty = vm.type_of(object);
    // SAFETY: as above.
    unsafe {
        let (descriptor, own) = (*ty).lookup_with_own(name);
        let descriptor = descriptor.map(Owned::new_ref);
        if let Some(descriptor) = &descriptor
            && let Some(set) = (*vm.type_of(descriptor.as_word())).slots.descr_set
        {
            return set(vm, descriptor.as_word(), object, value);
        }
        if instance::set(vm, object, name, value, own)? {
            return Ok(());
        }
        let shown = str::to_string_lossy(name);
        let type_name = vm.type_name(object);
        let message = if instance::has_dict(object) {
            return Err(no_attribute(vm, object, name));
        } else if descriptor.is_some() {
            format!("'{type_name}' object attribute '{shown}' is read-only")
        } else if (*ty)
            .slots
            .setattro
            .is_some_and(|set| fn_addr_eq(set, generic_set_attr as super::types::SetAttrFn))
        {
            format!(
                "'{type_name}' object has no attribute '{shown}' and no __dict__ for setting new attributes"
            )
        } else {
            format!("'{type_name}' object has no attribute '{shown}'")
        };
        Err(attribute_error(vm, object, name, message))
    }
}

/// A method for a call: the function and whether the object is still to be passed as first argument
/// (`_PyObject_GetMethod`).
pub fn get_method(vm: Vm, object: Word, name: Word) -> Result<(Owned, bool), Raised> {
    let ty = vm.type_of(object);
    // SAFETY: as above.
    unsafe {
        let generic = (*ty)
            .slots
            .getattro
            .is_some_and(|get| fn_addr_eq(get, generic_get_attr as super::types::BinaryFn));
        if !generic {
            return get_attr(vm, object, name).map(|method| (method, false));
        }
        let (descriptor, own) = (*ty).lookup_with_own(name);
        let Some(descriptor) = descriptor.map(Owned::new_ref) else {
            return match instance::get(vm, object, name, own)? {
                Some(value) => Ok((value, false)),
                None => Err(no_attribute(vm, object, name)),
            };
        };
        let descriptor_type = vm.type_of(descriptor.as_word());
        if !(*descriptor_type).has_flag(type_flag::METHOD_DESCRIPTOR) {
            return generic_get_attr(vm, object, name).map(|method| (method, false));
        }
        match instance::get(vm, object, name, own)? {
            Some(value) => Ok((value, false)),
            None => Ok((descriptor, true)),
        }
    }
}

/// A special method of the type for a call, as [`get_method`] gives them; the instance is not looked at
/// (`_PyObject_LookupSpecialMethod`).
pub fn lookup_method(vm: Vm, object: Word, name: Word) -> Result<Option<(Owned, bool)>, Raised> {
    let ty = vm.type_of(object);
    // SAFETY: types are live as long as an instance.
    unsafe {
        let Some(descriptor) = (*ty).lookup(name).map(Owned::new_ref) else {
            return Ok(None);
        };
        if (*vm.type_of(descriptor.as_word())).has_flag(type_flag::METHOD_DESCRIPTOR) {
            return Ok(Some((descriptor, true)));
        }
        let bound = bind(vm, descriptor.as_word(), Some(object), ty)?;
        Ok(Some((bound, false)))
    }
}

/// A special method of the type, bound; the instance is not looked at (`_PyObject_LookupSpecial`).
pub fn lookup_bound(vm: Vm, object: Word, name: Word) -> Result<Option<Owned>, Raised> {
    let ty = vm.type_of(object);
    // SAFETY: as above.
    match unsafe { (*ty).lookup(name) }.map(Owned::new_ref) {
        Some(descriptor) => bind(vm, descriptor.as_word(), Some(object), ty).map(Some),
        None => Ok(None),
    }
}

/// Calls a method by name (`PyObject_CallMethod`).
pub fn call_method(vm: Vm, object: Word, name: Word, args: &[Word]) -> PyResult {
    let (method, unbound) = get_method(vm, object, name)?;
    if unbound {
        return super::call::call_prepend(vm, method.as_word(), object, args, None);
    }
    super::call::call(vm, method.as_word(), args, None)
}

/// Module attributes: the dict, then `__getattr__` in it (`module_getattro`).
pub(super) fn module_getattro(vm: Vm, object: Word, name: Word) -> PyResult {
    if let Some(value) = generic_lookup(vm, object, name)? {
        return Ok(value);
    }
    // SAFETY: a module has a dict.
    unsafe {
        let dict: *mut DictObject = (*object.cast::<super::module::ModuleObject>()).dict;
        if let Some(getattr) = dict::get_str(dict, vm.names.__getattr__).map(Owned::new_ref) {
            return super::call::call_one(vm, getattr.as_word(), name);
        }
        let shown = str::to_string_lossy(name);
        let message = match dict::get_str(dict, vm.names.__name__) {
            Some(own) if own.kind().base() == Kind::STR => {
                format!(
                    "module '{}' has no attribute '{shown}'",
                    str::to_string_lossy(own)
                )
            }
            _ => format!("module has no attribute '{shown}'"),
        };
        Err(attribute_error(vm, object, name, message))
    }
}
