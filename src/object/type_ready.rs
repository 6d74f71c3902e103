//! Filling a built-in type's dict: methods, getsets, members, slot wrappers (`PyType_Ready`'s `type_add_*`).

use super::descr::{MethodDef, meth};
use super::dict;
use super::owned::{Owned, Raised};
use super::types::{TypeObject, TypeSpec};
use super::vm::Vm;
use super::word::Word;

/// Adds what the spec lists.
///
/// # Safety
/// `ty` is a type being made.
pub(super) unsafe fn fill_dict(vm: Vm, ty: *mut TypeObject, spec: &TypeSpec) -> Result<(), Raised> {
    unsafe {
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

unsafe fn method_object(
    vm: Vm,
    ty: *mut TypeObject,
    def: &'static MethodDef,
) -> Result<Owned, Raised> {
    if def.flags & meth::STATIC != 0 {
        // SAFETY: the type is live.
        return vm.new_builtin_function(def, Some(unsafe { (*ty).word() }), None);
    }
    vm.new_method_descriptor(def, ty)
}

unsafe fn add(vm: Vm, ty: *mut TypeObject, name: &str, value: Word) -> Result<(), Raised> {
    let name = vm.intern_str(name)?;
    unsafe { dict::set_str(vm, (*ty).dict, name.as_word(), value) }
}
