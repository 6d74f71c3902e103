//! What a type says of an attribute (`analyze_descriptor_load`, `analyze_descriptor_store`, `classify_descriptor`).

use super::Refusal;
use crate::object::descr::MemberDescriptorObject;
use crate::object::types::{BinaryFn, SetAttrFn, type_flag};
use crate::object::{Kind, TypeObject, Vm, Word, attr, generic_slots};
use std::ptr::fn_addr_eq;

/// `DescriptorClassification`, with what the decision needs of the descriptor.
#[derive(Clone, Copy)]
pub enum Finding {
    /// A data descriptor of no other class.
    Overriding,
    /// Binds like a function.
    Method(Word),
    Property(Word),
    /// A word at this offset of the instance.
    Slot {
        offset: u32,
        readonly: bool,
    },
    /// The member stands for None when absent.
    OtherSlot,
    /// `object`'s own `__class__`.
    DunderClass,
    /// An instance of a Python class, which may become a descriptor at any time.
    Mutable,
    /// Attribute access itself is overridden.
    Overridden,
    /// A Python function is `__getattribute__`.
    GetAttribute(Word),
    ClassMethod(ClassMethodKind),
    NonOverriding,
    NonDescriptor(Word),
    Absent,
}

impl Finding {
    /// Why a load from an instance stays generic.
    pub fn refused_of_instance(self) -> Refusal {
        match self {
            Finding::OtherSlot => Refusal::NonObjectSlot,
            Finding::ClassMethod(kind) => kind.as_loaded(),
            Finding::NonOverriding => Refusal::NonOverridingDescriptor,
            Finding::NonDescriptor(_) => Refusal::NotDescriptor,
            other => other.refused_of_class(),
        }
    }

    /// Why a load from a class does (`load_attr_fail_kind`).
    pub fn refused_of_class(self) -> Refusal {
        match self {
            Finding::Overriding => Refusal::OverridingDescriptor,
            Finding::Method(_) => Refusal::Method,
            Finding::Property(_) => Refusal::Property,
            Finding::Slot { .. } => Refusal::ObjectSlot,
            Finding::DunderClass => Refusal::Other,
            Finding::OtherSlot => Refusal::NonObjectSlot,
            Finding::Mutable => Refusal::MutableClass,
            Finding::Overridden | Finding::GetAttribute(_) => Refusal::Overridden,
            Finding::ClassMethod(kind) => kind.as_loaded(),
            Finding::NonOverriding => Refusal::NonOverridingDescriptor,
            Finding::NonDescriptor(_) => Refusal::NotDescriptor,
            Finding::Absent => Refusal::ExpectedError,
        }
    }

    /// Why a store does.
    pub fn refused_of_store(self) -> Refusal {
        match self {
            Finding::Slot { .. } | Finding::DunderClass => Refusal::NonObjectSlot,
            Finding::ClassMethod(ClassMethodKind::Builtin) => Refusal::BuiltinClassMethodObject,
            Finding::NonOverriding => Refusal::ClassAttributeDescriptor,
            Finding::NonDescriptor(_) => Refusal::ClassAttributeSimple,
            other => other.refused_of_class(),
        }
    }
}

/// Of which type a class method is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ClassMethodKind {
    Builtin,
    Python,
}

impl ClassMethodKind {
    fn as_loaded(self) -> Refusal {
        match self {
            ClassMethodKind::Builtin => Refusal::BuiltinClassMethod,
            ClassMethodKind::Python => Refusal::ClassMethodObject,
        }
    }
}

/// Whether attribute loads of the type's instances are `object`'s.
pub fn is_generic_load(ty: &TypeObject) -> bool {
    let generic = attr::generic_get_attr as BinaryFn;
    ty.slots
        .getattro
        .is_some_and(|get| fn_addr_eq(get, generic))
}

/// Classifies what a load of `name` from an instance finds on its type.
pub fn of_load(vm: Vm, ty: &TypeObject, name: Word) -> Finding {
    let mut has_getattr = false;
    if !is_generic_load(ty) {
        let hook = generic_slots::getattro as BinaryFn;
        if !ty.slots.getattro.is_some_and(|get| fn_addr_eq(get, hook)) {
            return Finding::Overridden;
        }
        has_getattr = ty.lookup(vm.names.__getattr__).is_some();
        let getattribute = ty.lookup(vm.names.__getattribute__);
        // SAFETY: `object` lives as long as the VM.
        let own = unsafe { (*vm.types.object).lookup(vm.names.__getattribute__) };
        if let Some(getattribute) = getattribute
            && !own.is_some_and(|own| own.is(getattribute))
        {
            return if !has_getattr && getattribute.is_exact(Kind::FUNCTION) {
                Finding::GetAttribute(getattribute)
            } else {
                Finding::Overridden
            };
        }
    }
    classify(vm, ty.lookup(name), name, has_getattr)
}

/// The same for a store.
pub fn of_store(vm: Vm, ty: &TypeObject, name: Word) -> Finding {
    let generic = attr::generic_set_attr as SetAttrFn;
    if !ty
        .slots
        .setattro
        .is_some_and(|set| fn_addr_eq(set, generic))
    {
        return Finding::Overridden;
    }
    classify(vm, ty.lookup(name), name, false)
}

/// Classifies what a type's dict holds. A type with `__getattr__` calls it when a property's getter fails.
pub fn classify(vm: Vm, descriptor: Option<Word>, name: Word, has_getattr: bool) -> Finding {
    let Some(descriptor) = descriptor else {
        return Finding::Absent;
    };
    // SAFETY: types are live as long as an instance; the kinds have their layouts.
    unsafe {
        let ty = &*vm.type_of(descriptor);
        if ty.has_flag(type_flag::HEAPTYPE) {
            return Finding::Mutable;
        }
        if ty.slots.descr_set.is_some() {
            if descriptor.is_exact(Kind::MEMBER_DESCRIPTOR) {
                let member = &*descriptor.cast::<MemberDescriptorObject>();
                return if member.required {
                    Finding::Slot {
                        offset: member.offset,
                        readonly: member.readonly,
                    }
                } else {
                    Finding::OtherSlot
                };
            }
            if descriptor.is_exact(Kind::PROPERTY) {
                return if has_getattr {
                    Finding::Overridden
                } else {
                    Finding::Property(descriptor)
                };
            }
            let own = (*vm.types.object).lookup(name);
            if name.is(vm.names.__class__) && own.is_some_and(|own| own.is(descriptor)) {
                return Finding::DunderClass;
            }
            return Finding::Overriding;
        }
        if ty.slots.descr_get.is_none() {
            return Finding::NonDescriptor(descriptor);
        }
        if ty.has_flag(type_flag::METHOD_DESCRIPTOR) {
            return Finding::Method(descriptor);
        }
        let own = vm.type_of(descriptor);
        if own == vm.types.classmethod_descriptor {
            return Finding::ClassMethod(ClassMethodKind::Builtin);
        }
        if own == vm.types.classmethod {
            return Finding::ClassMethod(ClassMethodKind::Python);
        }
        Finding::NonOverriding
    }
}
