//! Split dicts: values that an instance keeps inline, under keys that its class shares (`PyDictValues`).

use super::dict::{self, DictObject, KeysKind};
use super::header::{Object, flag};
use super::owned::{Owned, Raised};
use super::vm::Vm;
use super::word::Word;
use std::cell::Cell;
use std::ptr::null_mut;

/// `PyDictValues`: part of an instance. The values follow, by index into the shared keys, then one byte each with the
/// order in which they were set.
#[repr(C)]
pub struct InlineValues {
    pub capacity: u8,
    /// How many values are set.
    pub size: Cell<u8>,
    reserved: [u8; 2],
    /// Bytes from the start of the instance.
    distance: u32,
    values: [Cell<Option<Word>>; 0],
}

/// Offset of the first value.
pub const VALUES_OFFSET: usize = size_of::<InlineValues>();
const _: () = assert!(VALUES_OFFSET == 8);

impl InlineValues {
    /// Bytes for this many values and their order.
    pub const fn byte_size(capacity: usize) -> usize {
        (VALUES_OFFSET + capacity * size_of::<Word>() + capacity).next_multiple_of(8)
    }
    /// Writes the header and no values, and marks the instance.
    ///
    /// # Safety
    /// The instance has a header, and `byte_size(capacity)` bytes at this distance from its start.
    #[inline]
    pub unsafe fn init(instance: *mut Object, distance: u32, capacity: u8) {
        unsafe {
            (*instance).set_flag(flag::INLINE_VALUES);
            let this = (instance as *mut u8).add(distance as usize) as *mut InlineValues;
            this.write(InlineValues {
                capacity,
                size: Cell::new(0),
                reserved: [0; 2],
                distance,
                values: [],
            });
            this.cast::<u8>()
                .add(VALUES_OFFSET)
                .write_bytes(0, capacity as usize * size_of::<Word>());
        }
    }
    /// The instance that the values are part of.
    fn instance(&self) -> *mut Object {
        (&raw const *self as *mut u8)
            .wrapping_sub(self.distance as usize)
            .cast()
    }
    /// The values are not the instance's attributes any more.
    ///
    /// # Safety
    /// The instance is live.
    pub unsafe fn invalidate(&self) {
        unsafe { (*self.instance()).clear_flag(flag::INLINE_VALUES) }
    }
    #[inline(always)]
    fn slot(&self, index: usize) -> *mut Option<Word> {
        (&raw const *self as *mut u8)
            .wrapping_add(VALUES_OFFSET + index * size_of::<Word>())
            .cast()
    }
    /// Where the value of the key with this index stands.
    pub fn place(&self, index: usize) -> *mut Option<Word> {
        self.slot(index)
    }
    #[inline(always)]
    fn order_ptr(&self) -> *mut u8 {
        self.slot(self.capacity as usize).cast()
    }
    /// # Safety
    /// `index` is below the capacity.
    #[inline(always)]
    pub unsafe fn get(&self, index: usize) -> Option<Word> {
        debug_assert!(index < self.capacity as usize);
        unsafe { *self.slot(index) }
    }
    /// The value of a shared key, also of one that came after this instance and has no place in it.
    ///
    /// # Safety
    /// The instance is live.
    #[inline(always)]
    pub unsafe fn value(&self, index: usize) -> Option<Word> {
        if index < self.capacity as usize {
            unsafe { self.get(index) }
        } else {
            None
        }
    }
    /// Overwrites a value without releasing the old one.
    ///
    /// # Safety
    /// `index` is below the capacity; contract of [`Word`].
    #[inline(always)]
    pub unsafe fn set(&self, index: usize, value: Option<Word>) {
        debug_assert!(index < self.capacity as usize);
        unsafe { *self.slot(index) = value }
    }
    /// Index of the value that was set as number `position`.
    #[inline(always)]
    pub fn order(&self, position: usize) -> Option<usize> {
        // SAFETY: the order bytes of set values are written.
        (position < self.size.get() as usize)
            .then(|| unsafe { *self.order_ptr().add(position) } as usize)
    }
    /// Notes that a value is set now (`_PyDictValues_AddToInsertionOrder`).
    ///
    /// # Safety
    /// The value was absent before.
    #[inline(always)]
    pub unsafe fn add_to_order(&self, index: usize) {
        let size = self.size.get();
        unsafe { *self.order_ptr().add(size as usize) = index as u8 };
        self.size.set(size + 1);
    }
    /// The same, by where the value stands.
    ///
    /// # Safety
    /// `place` is one of the values', absent before.
    #[inline(always)]
    pub unsafe fn add_place_to_order(&self, place: *const Option<Word>) {
        unsafe {
            let first: *const Option<Word> = self.slot(0);
            self.add_to_order(place.offset_from_unsigned(first));
        }
    }
    unsafe fn remove_from_order(&self, index: usize) {
        unsafe {
            let size = self.size.get() as usize;
            let order = std::slice::from_raw_parts_mut(self.order_ptr(), size);
            if let Some(position) = order.iter().position(|&other| other as usize == index) {
                order.copy_within(position + 1.., position);
                self.size.set(size as u8 - 1);
            }
        }
    }
    /// Takes the value of a shared key out; None if it is not set.
    ///
    /// # Safety
    /// The instance is live.
    pub unsafe fn take(&self, index: usize) -> Option<Owned> {
        unsafe {
            let value = self.value(index)?;
            self.set(index, None);
            self.remove_from_order(index);
            Some(Owned::from_slot(value))
        }
    }
    /// Releases all values; the instance is going or is being cleared.
    ///
    /// # Safety
    /// Nobody uses the values meanwhile, except that finalizers may read them.
    pub unsafe fn release(&self) {
        unsafe {
            self.size.set(0);
            for index in 0..self.capacity as usize {
                if let Some(value) = self.get(index) {
                    self.set(index, None);
                    value.release_slot();
                }
            }
        }
    }
}

/// Sets the value of a shared key for which the instance had none.
///
/// # Safety
/// `dict` is split; contract of [`Word`].
pub(super) unsafe fn set_new_value(dict: *mut DictObject, index: usize, value: Word) {
    unsafe {
        let values = (*dict).values.get();
        (*values).set(index, Some(value));
        (*values).add_to_order(index);
        (*dict).used.set((*dict).used.get() + 1);
    }
}

/// Adds a key to the shared ones if there is room, with its value in this instance (`insert_split_key`).
///
/// # Safety
/// `dict` is split and has no such key.
pub(super) unsafe fn insert_new(
    vm: Vm,
    dict: *mut DictObject,
    key: Word,
    hash: i64,
    value: &Owned,
) -> bool {
    unsafe {
        let Some(index) = add_shared_key(vm, (*dict).keys.get(), key, hash) else {
            return false;
        };
        if index >= (*(*dict).values.get()).capacity as usize {
            return false;
        }
        if !(*dict).watcher.get().is_null() {
            (vm.hooks.get().dict_watcher)(
                vm,
                dict,
                dict::DictEvent::Added,
                Some(key),
                Some(value.as_word()),
            );
        }
        set_new_value(dict, index, value.clone().into_slot());
        true
    }
}

/// Adds a key to shared keys with room; its index.
///
/// # Safety
/// `keys` is live and of kind `Split`; `key` is an exact str that is not there.
pub(super) unsafe fn add_shared_key(
    vm: Vm,
    keys: *mut dict::DictKeys,
    key: Word,
    hash: i64,
) -> Option<usize> {
    unsafe {
        if (*keys).kind.get() != KeysKind::Split || (*keys).usable.get() == 0 {
            return None;
        }
        // Interned, so that lookups find it by address.
        let Ok(key) = vm.intern(key) else {
            vm.clear_exception();
            return None;
        };
        (*keys).version.set(0);
        Some((*keys).push_entry(hash, key.into_slot(), None))
    }
}

/// Makes a split dict combined, with the values moved into keys of its own (`make_dict_from_instance_attributes`).
///
/// # Safety
/// `dict` is split.
pub(super) unsafe fn combine(vm: Vm, dict: *mut DictObject) -> Result<(), Raised> {
    unsafe {
        let used = (*dict).used.get();
        let fresh = dict::new_keys(vm, dict::log2_for(used + 1), KeysKind::Unicode)?;
        let mut position = 0;
        while let Some((key, value, hash)) = dict::next(dict, &mut position) {
            (*fresh).push_entry(hash, Owned::new_ref(key).into_slot(), Some(value));
        }
        let values = (*dict).values.replace(null_mut());
        (*values).invalidate();
        (*values).size.set(0);
        for index in 0..(*values).capacity as usize {
            (*values).set(index, None);
        }
        dict::keys_release(vm, (*dict).keys.replace(fresh));
        Ok(())
    }
}

/// Removes the value with this index; the caller has taken over its count.
///
/// # Safety
/// `dict` is split and the value set.
pub(super) unsafe fn delete_value(dict: *mut DictObject, index: usize) {
    unsafe {
        let values = (*dict).values.get();
        (*values).set(index, None);
        (*values).remove_from_order(index);
        (*dict).used.set((*dict).used.get() - 1);
    }
}

/// # Safety
/// `dict` is split.
pub(super) unsafe fn clear(dict: *mut DictObject) {
    unsafe {
        (*dict).used.set(0);
        (*(*dict).values.get()).release();
    }
}
