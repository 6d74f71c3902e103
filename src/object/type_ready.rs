//! Filling a built-in type's dict: methods, getsets, members, slot wrappers (`PyType_Ready`'s `type_add_*`).

use super::args::keyword_names;
use super::descr::{MethodDef, meth};
use super::dict;
use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::slot_defs::SLOT_DEFS;
use super::types::{TypeObject, TypeSpec};
use super::vm::Vm;
use super::word::Word;
use std::ptr::fn_addr_eq;

/// `__new__` of every built-in type that makes its instances (`tp_new_methoddef`).
pub(super) static NEW: MethodDef =
    MethodDef::new("__new__", meth::VARARGS | meth::KEYWORDS, new_wrapper);

/// `T.__new__(C, ...)`: a new `C`, which must be T or derive from it without another native layout between
/// (`tp_new_wrapper`).
fn new_wrapper(vm: Vm, self_: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let ty = self_.cast::<TypeObject>();
    // SAFETY: the function is bound to a type.
    let name = unsafe { (*ty).name_string() };
    if args.len() == keyword_names(kwnames).len() {
        return Err(vm.type_error(format!("{name}.__new__(): not enough arguments")));
    }
    if !args[0].is_instance(Kind::TYPE) {
        return Err(vm.type_error(format!(
            "{name}.__new__(X): X is not a type object ({})",
            vm.type_name(args[0])
        )));
    }
    let class = args[0].cast::<TypeObject>();
    // SAFETY: the caller keeps the class.
    unsafe {
        let class_name = (*class).name_string();
        if !(*class).is_subtype(ty) {
            return Err(vm.type_error(format!(
                "{name}.__new__({class_name}): {class_name} is not a subtype of {name}"
            )));
        }
        // The most derived built-in base makes the instance, or its native part would be missing.
        let mut native = class;
        while (*native).has_flag(super::types::type_flag::HEAPTYPE) {
            native = (*native).base.get();
        }
        if let (Some(own), Some(needed)) = ((*ty).slots.new, (*native).slots.new) {
            if !fn_addr_eq(own, needed) {
                return Err(vm.type_error(format!(
                    "{name}.__new__({class_name}) is not safe, use {}.__new__()",
                    (*native).name_string()
                )));
            }
            return own(vm, class, &args[1..], kwnames);
        }
    }
    Err(vm.type_error(format!("cannot create '{name}' instances")))
}

/// Adds what the spec lists.
///
/// # Safety
/// `ty` is a type being made, its slots not yet inherited.
pub(super) unsafe fn fill_dict(vm: Vm, ty: *mut TypeObject, spec: &TypeSpec) -> Result<(), Raised> {
    unsafe {
        for def in SLOT_DEFS {
            // `__getattr__` shares its slot with `__getattribute__`, which is what built-in types have.
            if (def.is_set)(&spec.slots)
                && !is_unhashable(def.name, spec)
                && def.name != "__getattr__"
            {
                let name = vm.intern_str(def.name)?;
                if dict::get_str((*ty).dict, name.as_word()).is_none() {
                    let wrapper = vm.new_wrapper_descriptor(def, ty)?;
                    dict::set_str(vm, (*ty).dict, name.as_word(), wrapper.as_word())?;
                }
            }
        }
        if spec
            .slots
            .hash
            .is_some_and(|hash| fn_addr_eq(hash, UNHASHABLE))
        {
            dict::set_str(vm, (*ty).dict, vm.names.__hash__, Word::NONE)?;
        }
        if spec.slots.new.is_some() {
            let new = vm.new_builtin_function(&NEW, Some((*ty).word()), None)?;
            dict::set_str(vm, (*ty).dict, vm.names.__new__, new.as_word())?;
        }
        for def in spec.methods {
            let method = method_object(vm, ty, def)?;
            add(vm, ty, def.name, method.as_word())?;
        }
        for def in spec.getset {
            let descriptor = vm.new_getset_descriptor(def, ty)?;
            add(vm, ty, def.name, descriptor.as_word())?;
        }
        for def in spec.members {
            let name = vm.intern_str(def.name)?;
            let descriptor = vm.new_member_descriptor(
                ty,
                name.as_word(),
                def.offset,
                def.readonly,
                def.required,
            )?;
            add(vm, ty, def.name, descriptor.as_word())?;
        }
        if let Some(doc) = spec.doc {
            let doc = vm.new_str(doc)?;
            dict::set_str(vm, (*ty).dict, vm.names.__doc__, doc.as_word())?;
        }
        Ok(())
    }
}
const UNHASHABLE: super::types::HashFn = super::generic_slots::unhashable;
fn is_unhashable(name: &str, spec: &TypeSpec) -> bool {
    name == "__hash__"
        && spec
            .slots
            .hash
            .is_some_and(|hash| fn_addr_eq(hash, UNHASHABLE))
}

unsafe fn method_object(
    vm: Vm,
    ty: *mut TypeObject,
    def: &'static MethodDef,
) -> Result<Owned, Raised> {
    if def.flags & meth::STATIC != 0 {
        // SAFETY: the type is live.
        let function = vm.new_builtin_function(def, Some(unsafe { (*ty).word() }), None)?;
        return super::property::new_staticmethod(vm, function.as_word());
    }
    vm.new_method_descriptor(def, ty)
}

unsafe fn add(vm: Vm, ty: *mut TypeObject, name: &str, value: Word) -> Result<(), Raised> {
    let name = vm.intern_str(name)?;
    unsafe { dict::set_str(vm, (*ty).dict, name.as_word(), value) }
}
