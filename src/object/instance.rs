//! Where instances keep attributes: inline values with shared keys, or a dict (`_PyObject_GetDictPtr` and the
//! `_PyObject_*InstanceAttribute` functions); and `object`'s own methods are in `object_type.rs`.
//!
//! An instance of a class that derives from `object` alone is an [`InstanceObject`]: a place for a dict that somebody
//! may ask for, then the values. Other classes with a `__dict__` have its place in the extension behind the native
//! layout, and the values behind the extension if the native layout has one size.

use super::dict::{self, DictObject};
use super::dict_split::{self, InlineValues};
use super::header::{Header, Kind, Object, flag};
use super::owned::{Owned, Raised};
use super::str;
use super::type_cache::OwnIndex;
use super::types::{TypeObject, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{bytes, tuple};
use std::cell::Cell;
use std::ptr::null_mut;

/// An instance with inline values, which follow.
#[repr(C)]
pub struct InstanceObject {
    pub header: Header,
    /// A slot's word: the dict, once asked for.
    pub dict: Cell<Option<Word>>,
    values: [InlineValues; 0],
}

/// Offset of a plain instance's inline values.
pub const INLINE_VALUES_OFFSET: usize = size_of::<InstanceObject>();
const _: () =
    assert!(INLINE_VALUES_OFFSET == 24 && std::mem::offset_of!(InstanceObject, dict) == 16);

/// The inline values of an instance whose class has them, valid or not.
///
/// # Safety
/// The object is live, and its type has the flag `INLINE_VALUES`.
#[inline(always)]
pub unsafe fn values_ptr(object: *mut Object) -> *mut InlineValues {
    unsafe {
        let offset = (*(*object).ty()).values_offset as usize;
        (object as *mut u8).add(offset).cast()
    }
}

/// How many values a new instance reserves. Each instance made narrows what later ones reserve, until keys are added
/// or all room is used.
///
/// # Safety
/// `ty` has the flag `INLINE_VALUES`.
#[inline(always)]
pub(super) unsafe fn reserve(ty: *mut TypeObject) -> u8 {
    unsafe {
        let keys = &*(*ty).cached_keys.get();
        let capacity = keys.nentries.get() + keys.usable.get();
        if keys.usable.get() > 1 {
            keys.usable.set(keys.usable.get() - 1);
        }
        capacity as u8
    }
}

/// A new instance of a plain class with inline values (`_PyObject_InitInlineValues`), counted once.
///
/// # Safety
/// `ty` has the flag `INLINE_VALUES`, and nothing in its extension.
#[inline]
pub unsafe fn new_inline(vm: Vm, ty: *mut TypeObject) -> Result<*mut Object, Raised> {
    unsafe {
        let capacity = reserve(ty);
        let size = INLINE_VALUES_OFFSET + InlineValues::byte_size(capacity as usize);
        let object = vm.alloc_sized::<InstanceObject>(ty, size)?;
        (*object).dict = Cell::new(None);
        InlineValues::init(object.cast(), INLINE_VALUES_OFFSET as u32, capacity);
        Ok(object.cast())
    }
}

/// Bytes of the native part of an object, items included.
unsafe fn native_size(object: *mut Object) -> usize {
    unsafe {
        let word = Word::from_borrowed(object);
        match (*object).kind().base() {
            Kind::TUPLE => tuple::ITEMS_OFFSET + size_of_val(tuple::items(word)),
            Kind::STR => str::DATA_OFFSET + str::object(word).byte_length(),
            Kind::BYTES => bytes::DATA_OFFSET + bytes::contents(word).len(),
            _ => (*(*object).ty()).basic_size as usize,
        }
    }
}
/// Where the extension of an instance of a Python class starts.
pub(super) unsafe fn extension(object: *mut Object) -> *mut u8 {
    unsafe { (object as *mut u8).add(native_size(object).next_multiple_of(8)) }
}

/// The place of an object's `__dict__`; null if it has none.
#[inline]
unsafe fn dict_slot(object: *mut Object) -> *mut Option<Word> {
    unsafe {
        match (*(*object).ty()).dict_offset {
            0 => null_mut(),
            offset @ 1.. => (object as *mut u8).add(offset as usize).cast(),
            offset => extension(object).add((-1 - offset) as usize).cast(),
        }
    }
}

/// Whether instances of the value's type have a `__dict__`.
pub fn has_dict(object: Word) -> bool {
    // SAFETY: contract of Word.
    object.is_pointer() && unsafe { (*(*object.object()).ty()).dict_offset != 0 }
}
/// Inline values that are the instance's attributes.
#[inline(always)]
unsafe fn inline_values(object: *mut Object) -> Option<*mut InlineValues> {
    unsafe {
        (*object)
            .has_flag(flag::INLINE_VALUES)
            .then(|| values_ptr(object))
    }
}
/// The dict an instance has already, null if none.
///
/// # Safety
/// The object is live.
pub unsafe fn existing_dict(object: *mut Object) -> *mut DictObject {
    unsafe {
        let slot = dict_slot(object);
        if slot.is_null() {
            null_mut()
        } else {
            (*slot).map_or(null_mut(), |word| word.cast())
        }
    }
}

/// An instance's own attribute; `own` is what its type's lookup of the name gave.
pub(super) fn get(
    vm: Vm,
    object: Word,
    name: Word,
    own: OwnIndex,
) -> Result<Option<Owned>, Raised> {
    if !object.is_pointer() {
        return Ok(None);
    }
    // SAFETY: contract of Word.
    unsafe {
        let instance = object.object();
        if let Some(values) = inline_values(instance) {
            if name.is_exact(Kind::STR) {
                let keys = &*(*(*instance).ty()).cached_keys.get();
                let index = own
                    .among(keys)
                    .unwrap_or_else(|| (*(*instance).ty()).own_index(name));
                return Ok(index
                    .and_then(|index| (*values).value(index))
                    .map(Owned::new_ref));
            }
            let Some(dict) = instance_dict(vm, object)? else {
                return Ok(None);
            };
            return Ok(dict::get_item(vm, dict.as_ptr(), name)?.map(Owned::new_ref));
        }
        let dict = existing_dict(instance);
        if dict.is_null() {
            return Ok(None);
        }
        let _alive = Owned::from_borrowed(dict);
        Ok(dict::get_item(vm, dict, name)?.map(Owned::new_ref))
    }
}

/// Sets or deletes an instance's own attribute; false if it has no place for it, or nothing to delete. `own` as for
/// [`get`].
pub(super) fn set(
    vm: Vm,
    object: Word,
    name: Word,
    value: Option<Word>,
    own: OwnIndex,
) -> Result<bool, Raised> {
    if !object.is_pointer() {
        return Ok(false);
    }
    // SAFETY: contract of Word.
    unsafe {
        let instance = object.object();
        if let Some(values) = inline_values(instance)
            && name.is_exact(Kind::STR)
            && existing_dict(instance).is_null()
        {
            let keys = (*(*instance).ty()).cached_keys.get();
            let found = own
                .among(&*keys)
                .unwrap_or_else(|| (*(*instance).ty()).own_index(name));
            let index = match (found, value) {
                (None, Some(_)) => dict_split::add_shared_key(vm, keys, name, str::hash(vm, name)),
                (index, _) => index,
            };
            match (index, value) {
                (Some(index), Some(value)) if index < (*values).capacity as usize => {
                    let old = (*values).get(index);
                    (*values).set(index, Some(Owned::new_ref(value).into_slot()));
                    match old {
                        Some(old) => old.release_slot(),
                        None => (*values).add_to_order(index),
                    }
                    return Ok(true);
                }
                (Some(index), None) => return Ok((*values).take(index).is_some()),
                (None, None) => return Ok(false),
                // No room among the shared keys: the instance gets a dict of its own.
                _ => {}
            }
        }
        let Some(dict) = instance_dict(vm, object)? else {
            return Ok(false);
        };
        let hash = dict::hash_key(vm, name)?;
        match value {
            Some(value) => {
                dict::insert(vm, dict.as_ptr(), name, hash, Owned::new_ref(value)).map(|()| true)
            }
            None => Ok(dict::remove(vm, dict.as_ptr(), name, hash)?.is_some()),
        }
    }
}

/// The `__dict__` of an instance, made if need be; None if its type has none (`PyObject_GenericGetDict`).
pub fn instance_dict(vm: Vm, object: Word) -> Result<Option<Owned>, Raised> {
    if !object.is_pointer() {
        return Ok(None);
    }
    // SAFETY: contract of Word; what a slot holds is a dict.
    unsafe {
        let instance = object.object();
        let slot = dict_slot(instance);
        if slot.is_null() {
            return Ok(None);
        }
        if let Some(dict) = *slot {
            return Ok(Some(Owned::new_ref(dict)));
        }
        let dict = Owned::from_raw(vm.new_dict()?);
        if let Some(values) = inline_values(instance) {
            let keys = (*(*instance).ty()).cached_keys.get();
            let split = dict.as_ptr::<DictObject>();
            (*keys).refcount.set((*keys).refcount.get() + 1);
            dict::keys_release(vm, (*split).keys.replace(keys));
            (*split).values.set(values);
            (*split).used.set((*values).size.get() as usize);
        }
        *slot = Some(dict.clone().into_slot());
        (*instance).set_flag(flag::DICT_MADE);
        Ok(Some(dict))
    }
}

/// Replaces or removes an instance's `__dict__` (`_PyObject_SetDict`). None if its type has none.
pub fn set_instance_dict(vm: Vm, object: Word, dict: Option<Word>) -> Result<Option<()>, Raised> {
    // SAFETY: as above.
    unsafe {
        let instance = object.object();
        let slot = dict_slot(instance);
        if slot.is_null() {
            return Ok(None);
        }
        detach(vm, instance)?;
        if dict.is_some() {
            (*instance).set_flag(flag::DICT_MADE);
        } else {
            (*instance).clear_flag(flag::DICT_MADE);
        }
        let old = std::mem::replace(
            &mut *slot,
            dict.map(|dict| Owned::new_ref(dict).into_slot()),
        );
        if let Some(old) = old {
            old.release_slot();
        }
        Ok(Some(()))
    }
}

/// Makes an instance's dict independent of its inline values, which are not used any more.
///
/// # Safety
/// Contract of [`Word`].
pub(super) unsafe fn detach(vm: Vm, instance: *mut Object) -> Result<(), Raised> {
    unsafe {
        let Some(values) = inline_values(instance) else {
            return Ok(());
        };
        let dict = existing_dict(instance);
        if dict.is_null() {
            (*values).invalidate();
            (*values).release();
        } else if (*dict).values.get() == values {
            dict_split::combine(vm, dict)?;
        }
        (*values).invalidate();
        Ok(())
    }
}

/// Releases everything a Python class added to an instance: values, dict, slots (`subtype_dealloc`'s part).
///
/// # Safety
/// The object is going, or being cleared by the collector.
pub(super) unsafe fn release_extension(vm: Vm, object: *mut Object) {
    unsafe {
        let ty = (*object).ty();
        if !(*ty).has_flag(type_flag::HEAPTYPE) {
            return;
        }
        let slot = dict_slot(object);
        if (*object).has_flag(flag::INLINE_VALUES) {
            let values = values_ptr(object);
            if let Some(word) = *slot {
                let dict = word.cast::<DictObject>();
                if (*dict).values.get() == values {
                    if (*dict).header.refcount.get() == 1 {
                        (*dict).values.set(null_mut());
                        (*dict).used.set(0);
                    } else if dict_split::combine(vm, dict).is_err() {
                        // Somebody keeps the dict and there is no memory for it: it loses its items.
                        vm.clear_exception();
                        dict_split::clear(dict);
                        (*dict).values.set(null_mut());
                    }
                }
            }
            if (*object).has_flag(flag::INLINE_VALUES) {
                (*values).release();
            }
        }
        // A native layout with a dict of its own releases that itself.
        let native = (*ty).dict_offset > 0 && ((*ty).dict_offset as u32) < (*ty).basic_size;
        if !slot.is_null()
            && (!native || (*object).kind().base() == Kind::INSTANCE)
            && let Some(dict) = (*slot).take()
        {
            dict.release_slot();
        }
        for &offset in &*(*ty).member_offsets.get() {
            let member = (object as *mut u8).add(offset as usize) as *mut Option<Word>;
            if let Some(value) = (*member).take() {
                value.release_slot();
            }
        }
    }
}

/// Visits what a Python class added to an instance.
///
/// # Safety
/// The object is live.
pub(super) unsafe fn traverse_extension(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let ty = (*object).ty();
        if !(*ty).has_flag(type_flag::HEAPTYPE) {
            return;
        }
        visit((*ty).word());
        let slot = dict_slot(object);
        let mut shared = false;
        // A native layout with a dict of its own shows that itself.
        let native = (*ty).dict_offset > 0 && ((*ty).dict_offset as u32) < (*ty).basic_size;
        if !slot.is_null()
            && (!native || (*object).kind().base() == Kind::INSTANCE)
            && let Some(dict) = *slot
        {
            visit(dict);
            shared = !(*dict.cast::<DictObject>()).values.get().is_null();
        }
        // Values that a dict shares are visited as the dict's.
        if let Some(values) = inline_values(object)
            && !shared
        {
            for index in 0..(*values).capacity as usize {
                if let Some(value) = (*values).get(index) {
                    visit(value);
                }
            }
        }
        for &offset in &*(*ty).member_offsets.get() {
            let member = (object as *mut u8).add(offset as usize) as *const Option<Word>;
            if let Some(value) = *member {
                visit(value);
            }
        }
    }
}
