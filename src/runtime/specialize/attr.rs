//! LOAD_ATTR, STORE_ATTR, LOAD_SUPER_ATTR (`_Py_Specialize_LoadAttr` and its kin).
//!
//! What a cache holds is borrowed: a type that lets an attribute go changes its version.

use super::descriptor::{self, Finding};
use super::{Decision, Refusal, python_arguments};
use crate::bytecode::Opcode;
use crate::object::dict::{self, DictEntry, DictObject, KeysKind};
use crate::object::header::{Header, flag};
use crate::object::instance;
use crate::object::module::ModuleObject;
use crate::object::property::PropertyObject;
use crate::object::types::type_flag;
use crate::object::{Kind, TypeObject, Vm, Word, str};
use crate::runtime::call::fits_headroom;
use crate::runtime::frame::{self, Ip, Locals};
use crate::runtime::function::FunctionObject;
use crate::runtime::thread::Thread;
use std::mem::offset_of;

/// The inline cache of a LOAD_ATTR behind the counter; that of a STORE_ATTR is version and a shorter index.
struct Cache(Ip);

impl Cache {
    unsafe fn version(&self, version: u32) {
        unsafe { self.0.add(4).cast::<u32>().write_unaligned(version) }
    }
    /// `keys_version`, or what a form keeps there.
    unsafe fn second(&self, value: u32) {
        unsafe { self.0.add(8).cast::<u32>().write_unaligned(value) }
    }
    unsafe fn descr(&self, bits: u64) {
        unsafe { self.0.add(12).cast::<u64>().write_unaligned(bits) }
    }
    unsafe fn store_index(&self, index: u16) {
        unsafe { self.0.add(8).cast::<u16>().write_unaligned(index) }
    }
}

unsafe fn name_at(locals: Locals, index: usize) -> Word {
    unsafe { (&(*frame::code(locals)).names)[index] }
}

/// The version tag of a type, given now if need be.
fn version_of(ty: &TypeObject) -> Result<u32, Refusal> {
    match ty.version() {
        0 => Err(Refusal::OutOfVersions),
        version => Ok(version),
    }
}

/// Decides for a load.
///
/// # Safety
/// `instr` is a LOAD_ATTR in live code, `locals` are the running frame's.
pub unsafe fn load(ts: &Thread, instr: Ip, locals: Locals, owner: Word, oparg: usize) -> Decision {
    unsafe {
        let (vm, cache) = (ts.vm(), Cache(instr));
        let name = name_at(locals, oparg >> 1);
        if owner.is_instance(Kind::MODULE) {
            load_from_module(vm, &cache, owner, name)
        } else if owner.is_instance(Kind::TYPE) {
            load_from_class(vm, &cache, &*owner.cast(), name)
        } else {
            load_from_instance(vm, &cache, owner, name, oparg & 1 != 0)
        }
    }
}

/// `specialize_module_load_attr`.
unsafe fn load_from_module(vm: Vm, cache: &Cache, owner: Word, name: Word) -> Decision {
    unsafe {
        let getattro = (*vm.types.module).slots.getattro;
        let own = (*vm.type_of(owner)).slots.getattro;
        let overridden = match (getattro, own) {
            (Some(module), Some(own)) => !std::ptr::fn_addr_eq(module, own),
            _ => true,
        };
        if overridden {
            return Err(Refusal::Overridden);
        }
        let dict = (*owner.cast::<ModuleObject>()).dict;
        if (*dict).keys().kind.get() != KeysKind::Unicode {
            return Err(Refusal::AttributeNotString);
        }
        let keys = (*dict).keys();
        let find = |name| keys.find_str(name, str::hash(vm, name));
        if find(vm.names.__getattr__).is_some() {
            return Err(Refusal::ModuleAttributeNotFound);
        }
        let index = find(name).ok_or(Refusal::ModuleAttributeNotFound)?;
        let version = (*dict).keys_version(vm);
        if version == 0 {
            return Err(Refusal::OutOfVersions);
        }
        // Where the value stands in the keys, which are another object after a resize.
        let value = &raw const (*keys.entries().add(index)).value;
        let offset = value as usize - (*dict).keys.get() as usize;
        cache.version(version);
        cache.second(u32::try_from(offset).map_err(|_| Refusal::OutOfRange)?);
        Ok(Opcode::LOAD_ATTR_MODULE)
    }
}

/// `specialize_class_load_attr`.
unsafe fn load_from_class(vm: Vm, cache: &Cache, class: &TypeObject, name: Word) -> Decision {
    unsafe {
        let metatype = &*vm.type_of(class.word());
        let own = (*vm.types.type_).slots.getattro;
        let overridden = match (own, metatype.slots.getattro) {
            (Some(own), Some(meta)) => !std::ptr::fn_addr_eq(own, meta),
            _ => true,
        };
        if overridden {
            return Err(Refusal::MetaclassOverridden);
        }
        let found = metatype.lookup(name);
        match descriptor::classify(vm, found, name, false) {
            Finding::Method(_)
            | Finding::NonDescriptor(_)
            | Finding::NonOverriding
            | Finding::ClassMethod(_)
            | Finding::Absent => {}
            _ => return Err(Refusal::MetaclassAttribute),
        }
        let attribute = match descriptor::of_load(vm, class, name) {
            Finding::Method(word) | Finding::NonDescriptor(word) => word,
            other => return Err(other.refused_of_class()),
        };
        cache.version(version_of(class)?);
        cache.descr(attribute.borrow().bits());
        if metatype.has_flag(type_flag::HEAPTYPE) {
            cache.second(version_of(metatype)?);
            return Ok(Opcode::LOAD_ATTR_CLASS_WITH_METACLASS_CHECK);
        }
        Ok(Opcode::LOAD_ATTR_CLASS)
    }
}

/// `specialize_instance_load_attr`.
unsafe fn load_from_instance(
    vm: Vm,
    cache: &Cache,
    owner: Word,
    name: Word,
    is_method_load: bool,
) -> Decision {
    unsafe {
        let ty = &*vm.type_of(owner);
        let class = descriptor::of_load(vm, ty, name);
        let (shadowed, keys_version) = shared_key(vm, ty, name);
        let version = version_of(ty)?;
        match class {
            Finding::Method(_) | Finding::NonDescriptor(_) | Finding::Absent if shadowed => {
                let (opcode, place) = own_attribute(vm, ty, owner, name)?;
                match place {
                    Place::Value(offset) => cache.second(offset),
                    Place::Entry(index) => {
                        cache.second(index);
                        cache.descr(name.borrow().bits());
                    }
                }
                cache.version(version);
                Ok(match opcode {
                    Own::Value => Opcode::LOAD_ATTR_INSTANCE_VALUE,
                    Own::Hint => Opcode::LOAD_ATTR_WITH_HINT,
                })
            }
            Finding::Method(word) if is_method_load => {
                class_attribute(cache, ty, owner, word, version, keys_version, true)
            }
            Finding::NonDescriptor(word) if !is_method_load => {
                class_attribute(cache, ty, owner, word, version, keys_version, false)
            }
            // The site waits for a cooldown, as if it had been specialised.
            Finding::Absent => Ok(Opcode::LOAD_ATTR),
            Finding::Property(property) => load_property(cache, property, version, is_method_load),
            Finding::Slot { offset, .. } => {
                cache.version(version);
                cache.second(offset);
                Ok(Opcode::LOAD_ATTR_SLOT)
            }
            Finding::DunderClass => {
                cache.version(version);
                cache.second(offset_of!(Header, ty) as u32);
                Ok(Opcode::LOAD_ATTR_SLOT)
            }
            Finding::GetAttribute(function) => {
                let code = python_arguments(function, 2)?;
                if is_method_load {
                    return Err(Refusal::Method);
                }
                let function_version = (*function.cast::<FunctionObject>()).version.get();
                if function_version == 0 {
                    return Err(Refusal::OutOfVersions);
                }
                if !fits_headroom(&*code) {
                    return Err(Refusal::FrameTooLarge);
                }
                cache.version(version);
                cache.second(function_version);
                cache.descr(function.borrow().bits());
                Ok(Opcode::LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN)
            }
            other => Err(other.refused_of_instance()),
        }
    }
}

/// The property itself is cached, and the version of its getter, which `property.__init__` may exchange. A getter
/// without a version, or with a large frame, takes the cold path: no function has the version kept for it.
unsafe fn load_property(
    cache: &Cache,
    property: Word,
    version: u32,
    is_method_load: bool,
) -> Decision {
    unsafe {
        let getter = (*property.cast::<PropertyObject>()).get.get();
        let getter = getter.ok_or(Refusal::ExpectedError)?;
        if !getter.is_exact(Kind::FUNCTION) {
            return Err(Refusal::PropertyNotPythonFunction);
        }
        let code = python_arguments(getter, 1)?;
        if is_method_load {
            return Err(Refusal::Method);
        }
        let function_version = match (*getter.cast::<FunctionObject>()).version.get() {
            0 => u32::MAX,
            _ if !fits_headroom(&*code) => u32::MAX,
            version => version,
        };
        cache.version(version);
        cache.second(function_version);
        cache.descr(property.borrow().bits());
        Ok(Opcode::LOAD_ATTR_PROPERTY)
    }
}

/// Whether instances of the type share a key of this name, and the version of the keys (`instance_has_key`).
unsafe fn shared_key(vm: Vm, ty: &TypeObject, name: Word) -> (bool, u32) {
    if !ty.has_flag(type_flag::INLINE_VALUES) {
        return (false, 0);
    }
    // SAFETY: a type with the flag has keys.
    unsafe {
        let keys = ty.cached_keys.get();
        let found = (*keys).find_str(name, str::hash(vm, name)).is_some();
        (found, dict::keys_version(vm, keys))
    }
}

/// A method, or another attribute of the class, behind which the instance has none (`specialize_attr_loadclassattr`).
unsafe fn class_attribute(
    cache: &Cache,
    ty: &TypeObject,
    owner: Word,
    attribute: Word,
    version: u32,
    keys_version: u32,
    is_method: bool,
) -> Decision {
    unsafe {
        let opcode = if ty.has_flag(type_flag::INLINE_VALUES) {
            if keys_version == 0 {
                return Err(Refusal::OutOfVersions);
            }
            cache.second(keys_version);
            if is_method {
                Opcode::LOAD_ATTR_METHOD_WITH_VALUES
            } else {
                Opcode::LOAD_ATTR_NONDESCRIPTOR_WITH_VALUES
            }
        } else if !instance::has_dict(owner) {
            if is_method {
                Opcode::LOAD_ATTR_METHOD_NO_DICT
            } else {
                Opcode::LOAD_ATTR_NONDESCRIPTOR_NO_DICT
            }
        } else if !is_method {
            return Err(Refusal::ClassAttributeSimple);
        } else if !instance::existing_dict(owner.object()).is_null() {
            return Err(Refusal::NotManagedDict);
        } else {
            Opcode::LOAD_ATTR_METHOD_LAZY_DICT
        };
        cache.version(version);
        cache.descr(attribute.borrow().bits());
        Ok(opcode)
    }
}

/// Where an instance has an attribute of its own.
enum Place {
    Value(u32),
    Entry(u32),
}
enum Own {
    Value,
    Hint,
}

/// `specialize_dict_access`.
unsafe fn own_attribute(
    vm: Vm,
    ty: &TypeObject,
    owner: Word,
    name: Word,
) -> Result<(Own, Place), Refusal> {
    unsafe {
        if !ty.has_flag(type_flag::INLINE_VALUES) {
            return Err(Refusal::NotManagedDict);
        }
        let object = owner.object();
        let hash = str::hash(vm, name);
        let dict = instance::existing_dict(object);
        if (*object).has_flag(flag::INLINE_VALUES) && dict.is_null() {
            let keys = ty.cached_keys.get();
            let index = (*keys).find_str(name, hash).ok_or(Refusal::NotInKeys)?;
            let value = (*instance::values_ptr(object)).place(index);
            let offset = value as usize - object as usize;
            if offset > usize::from(u16::MAX) {
                return Err(Refusal::OutOfRange);
            }
            return Ok((Own::Value, Place::Value(offset as u32)));
        }
        if dict.is_null() || !Word::from_borrowed(dict).is_exact(Kind::DICT) {
            return Err(Refusal::NoDict);
        }
        if !(*dict).values.get().is_null() {
            return Err(Refusal::SplitDict);
        }
        if (*dict).keys().kind.get() == KeysKind::General {
            return Err(Refusal::AttributeNotString);
        }
        let index = (*dict)
            .keys()
            .find_str(name, hash)
            .ok_or(Refusal::NotInDict)?;
        if index > usize::from(u16::MAX) {
            return Err(Refusal::OutOfRange);
        }
        Ok((Own::Hint, Place::Entry(index as u32)))
    }
}

/// The entry of a dict of its own that an instance has for `name`, if it is the one with this index and has a value.
///
/// # Safety
/// `owner` is an instance of a class whose instances have inline values; `name` is an interned string.
pub unsafe fn entry_at_hint(owner: Word, index: usize, name: Word) -> Option<*mut DictEntry> {
    unsafe {
        let dict: *mut DictObject = instance::existing_dict(owner.object());
        if dict.is_null() || !(*dict).values.get().is_null() {
            return None;
        }
        let keys = (*dict).keys();
        if keys.kind.get() == KeysKind::General || index >= keys.nentries.get() as usize {
            return None;
        }
        let entry = keys.entries().add(index);
        let fits = (*entry).key.is_some_and(|key| key.is(name)) && (*entry).value.is_some();
        fits.then_some(entry)
    }
}

/// Decides for a store (`_Py_Specialize_StoreAttr`).
///
/// # Safety
/// As [`load`], of a STORE_ATTR.
pub unsafe fn store(ts: &Thread, instr: Ip, locals: Locals, owner: Word, oparg: usize) -> Decision {
    unsafe {
        let (vm, cache) = (ts.vm(), Cache(instr));
        let name = name_at(locals, oparg);
        if owner.is_exact(Kind::MODULE) {
            return Err(Refusal::Overridden);
        }
        let ty = &*vm.type_of(owner);
        let class = descriptor::of_store(vm, ty, name);
        let version = version_of(ty)?;
        match class {
            Finding::Slot { readonly: true, .. } => Err(Refusal::ReadOnly),
            Finding::Slot { offset, .. } => {
                let offset = u16::try_from(offset).map_err(|_| Refusal::OutOfRange)?;
                cache.version(version);
                cache.store_index(offset);
                Ok(Opcode::STORE_ATTR_SLOT)
            }
            Finding::Absent => {
                let (own, place) = own_attribute(vm, ty, owner, name)?;
                let (Place::Value(index) | Place::Entry(index)) = place;
                cache.version(version);
                cache.store_index(index as u16);
                Ok(match own {
                    Own::Value => Opcode::STORE_ATTR_INSTANCE_VALUE,
                    Own::Hint => Opcode::STORE_ATTR_WITH_HINT,
                })
            }
            other => Err(other.refused_of_store()),
        }
    }
}

/// Decides for an attribute of `super()` (`_Py_Specialize_LoadSuperAttr`).
pub fn load_super(vm: Vm, global_super: Word, class: Word, oparg: usize) -> Decision {
    // SAFETY: the type lives as long as the VM.
    if !global_super.is(unsafe { (*vm.types.super_).word() }) {
        return Err(Refusal::SuperShadowed);
    }
    if !class.is_instance(Kind::TYPE) {
        return Err(Refusal::SuperBadClass);
    }
    Ok(if oparg & 1 != 0 {
        Opcode::LOAD_SUPER_ATTR_METHOD
    } else {
        Opcode::LOAD_SUPER_ATTR_ATTR
    })
}
