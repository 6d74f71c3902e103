//! `dict`: an index table and entries in insertion order, as CPython lays them out (`dictobject.c`).
//!
//! [`DictKeys`] holds both. A *combined* dict owns its keys and has the values in the entries; a *split* dict, the
//! `__dict__` of an instance, shares its keys with its class and has the values in the instance (`dict_split.rs`).
//! This file has layout, lookup, insertion, deletion, iteration; Python-visible methods are in `dict_methods.rs`.

use super::dict_split::{self, InlineValues};
use super::header::{Header, Kind, Object};
use super::owned::{Owned, Raised};
use super::protocol;
use super::str;
use super::vm::Vm;
use super::word::Word;
use std::cell::Cell;
use std::ptr::null_mut;

/// `PyDictObject`.
#[repr(C)]
pub struct DictObject {
    pub header: Header,
    /// Number of items.
    pub used: Cell<usize>,
    pub keys: Cell<*mut DictKeys>,
    /// Values of a split dict, null otherwise.
    pub values: Cell<*mut InlineValues>,
    /// Not null: changes are told to `Hooks::dict_watcher` beforehand. What it points to is the watcher's business.
    pub watcher: Cell<*mut ()>,
}

/// `PyDictKeysObject`; the index table and the entries follow.
#[repr(C, align(8))]
pub struct DictKeys {
    /// Dicts and types that share it.
    pub refcount: Cell<u32>,
    /// Zero unless a cache asked since the set of keys last changed (`dk_version`).
    pub version: Cell<u32>,
    pub log2_size: u8,
    pub log2_index_bytes: u8,
    pub kind: Cell<KeysKind>,
    /// Entries that may still be added.
    pub usable: Cell<u32>,
    /// Entries used, deleted ones included.
    pub nentries: Cell<u32>,
    /// No entry before this one has a value: who takes items from the front need not look at all gaps again.
    first: Cell<u32>,
}

/// `DictKeysKind`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum KeysKind {
    General = 0,
    /// All keys are exact strings.
    Unicode = 1,
    /// Likewise, shared by the instances of a class.
    Split = 2,
}

/// `PyDictKeyEntry`, with the hash also for strings. A deleted entry has neither key nor value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DictEntry {
    pub hash: i64,
    pub key: Option<Word>,
    pub value: Option<Word>,
}

/// Offset of the index table.
pub const INDICES_OFFSET: usize = size_of::<DictKeys>();
const _: () = {
    use std::mem::offset_of;
    assert!(
        INDICES_OFFSET == 24 && size_of::<DictEntry>() == 24 && offset_of!(DictEntry, value) == 16
    );
    assert!(offset_of!(DictObject, keys) == 24 && offset_of!(DictObject, values) == 32);
    assert!(offset_of!(DictKeys, version) == 4 && offset_of!(DictKeys, log2_index_bytes) == 9);
};

/// `PyDict_WatchEvent`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DictEvent {
    Added,
    Modified,
    Deleted,
    Cleared,
    Deallocated,
}

const EMPTY: i32 = -1;
const DUMMY: i32 = -2;
const PERTURB_SHIFT: u32 = 5;
const MIN_LOG2_SIZE: u8 = 3;

#[inline(always)]
pub fn is_dict(word: Word) -> bool {
    word.is_instance(Kind::DICT)
}

const fn log2_index_bytes(log2_size: u8) -> u8 {
    match log2_size {
        0..3 => 3,
        3..8 => log2_size,
        8..16 => log2_size + 1,
        _ => log2_size + 2,
    }
}
/// `USABLE_FRACTION`.
const fn usable_fraction(size: usize) -> usize {
    size * 2 / 3
}
/// Smallest table for this many entries (`estimate_log2_keysize`).
pub(super) const fn log2_for(entries: usize) -> u8 {
    log2_of(entries.saturating_mul(3).div_ceil(2))
}
/// The smallest table of at least this size (`calculate_log2_keysize`).
const fn log2_of(size: usize) -> u8 {
    let log2 = usize::BITS - size.saturating_sub(1).leading_zeros();
    if log2 < MIN_LOG2_SIZE as u32 {
        MIN_LOG2_SIZE
    } else {
        log2 as u8
    }
}

impl DictKeys {
    #[inline(always)]
    pub fn entries(&self) -> *mut DictEntry {
        (&raw const *self as *mut u8)
            .wrapping_add(INDICES_OFFSET + (1 << self.log2_index_bytes))
            .cast()
    }
    #[inline(always)]
    fn mask(&self) -> usize {
        (1 << self.log2_size) - 1
    }
    #[inline(always)]
    fn indices(&self) -> *mut u8 {
        (&raw const *self as *mut u8).wrapping_add(INDICES_OFFSET)
    }
    #[inline(always)]
    unsafe fn index(&self, position: usize) -> i32 {
        unsafe {
            if self.log2_size < 8 {
                i32::from(*(self.indices() as *const i8).add(position))
            } else if self.log2_size < 16 {
                i32::from(*(self.indices() as *const i16).add(position))
            } else {
                *(self.indices() as *const i32).add(position)
            }
        }
    }
    #[inline(always)]
    unsafe fn set_index(&self, position: usize, index: i32) {
        unsafe {
            if self.log2_size < 8 {
                *(self.indices() as *mut i8).add(position) = index as i8;
            } else if self.log2_size < 16 {
                *(self.indices() as *mut i16).add(position) = index as i16;
            } else {
                *(self.indices() as *mut i32).add(position) = index;
            }
        }
    }
    /// Bytes of header, table and entries.
    pub fn byte_size(&self) -> usize {
        keys_size(self.log2_size)
    }
    /// Where a key of this hash goes that is not there: the first free position (`find_empty_slot`).
    unsafe fn free_position(&self, hash: i64) -> usize {
        let mask = self.mask();
        let mut perturb = hash as usize;
        let mut position = perturb & mask;
        while unsafe { self.index(position) } >= 0 {
            perturb >>= PERTURB_SHIFT;
            position = position
                .wrapping_mul(5)
                .wrapping_add(perturb)
                .wrapping_add(1)
                & mask;
        }
        position
    }
    /// Position in the index table of the entry with this index (`lookdict_index`).
    unsafe fn position_of(&self, hash: i64, index: i32) -> usize {
        let mask = self.mask();
        let mut perturb = hash as usize;
        let mut position = perturb & mask;
        while unsafe { self.index(position) } != index {
            perturb >>= PERTURB_SHIFT;
            position = position
                .wrapping_mul(5)
                .wrapping_add(perturb)
                .wrapping_add(1)
                & mask;
        }
        position
    }
    /// Index of a string among keys that are strings (`unicodekeys_lookup_unicode`).
    ///
    /// # Safety
    /// The keys are live; `key` is an exact str.
    #[inline]
    pub unsafe fn find_str(&self, key: Word, hash: i64) -> Option<usize> {
        unsafe {
            let mask = self.mask();
            let entries = self.entries();
            let mut perturb = hash as usize;
            let mut position = perturb & mask;
            loop {
                let index = self.index(position);
                if index >= 0 {
                    let entry = &*entries.add(index as usize);
                    let own = entry.key.unwrap_unchecked();
                    if own.object() == key.object() || (entry.hash == hash && str::equal(own, key))
                    {
                        return Some(index as usize);
                    }
                } else if index == EMPTY {
                    return None;
                }
                perturb >>= PERTURB_SHIFT;
                position = position
                    .wrapping_mul(5)
                    .wrapping_add(perturb)
                    .wrapping_add(1)
                    & mask;
            }
        }
    }
    /// Adds an entry that is not there and has room; takes over the words (`insert_to_emptydict` and its like).
    ///
    /// # Safety
    /// `usable` is not zero; contract of [`Word`].
    pub(super) unsafe fn push_entry(&self, hash: i64, key: Word, value: Option<Word>) -> usize {
        unsafe {
            let index = self.nentries.get();
            self.set_index(self.free_position(hash), index as i32);
            self.entries().add(index as usize).write(DictEntry {
                hash,
                key: Some(key),
                value,
            });
            self.nentries.set(index + 1);
            self.usable.set(self.usable.get() - 1);
            index as usize
        }
    }
}

fn keys_size(log2_size: u8) -> usize {
    INDICES_OFFSET
        + (1 << log2_index_bytes(log2_size))
        + usable_fraction(1 << log2_size) * size_of::<DictEntry>()
}

/// Keys with an empty table of this size, counted once (`new_keys_object`).
pub(super) fn new_keys(vm: Vm, log2_size: u8, kind: KeysKind) -> Result<*mut DictKeys, Raised> {
    if log2_size > 31 {
        return Err(vm.no_memory());
    }
    let keys = vm.alloc_raw(keys_size(log2_size))?.as_ptr() as *mut DictKeys;
    let usable = usable_fraction(1 << log2_size) as u32;
    let index_bytes = log2_index_bytes(log2_size);
    // SAFETY: the block has room for header, table and entries; entries are written when used.
    unsafe {
        keys.write(DictKeys {
            refcount: Cell::new(1),
            version: Cell::new(0),
            log2_size,
            log2_index_bytes: index_bytes,
            kind: Cell::new(kind),
            usable: Cell::new(usable),
            nentries: Cell::new(0),
            first: Cell::new(0),
        });
        (*keys).indices().write_bytes(0xff, 1 << index_bytes);
    }
    Ok(keys)
}

/// Gives up one count of keys; the last releases what the entries hold. Null is allowed.
///
/// # Safety
/// The caller holds the count.
pub(super) unsafe fn keys_release(vm: Vm, keys: *mut DictKeys) {
    unsafe {
        if keys.is_null() {
            return;
        }
        let count = (*keys).refcount.get() - 1;
        (*keys).refcount.set(count);
        if count != 0 {
            return;
        }
        for index in 0..(*keys).nentries.get() as usize {
            let entry = *(*keys).entries().add(index);
            if let Some(value) = entry.value {
                value.release_slot();
            }
            if let Some(key) = entry.key {
                key.release_slot();
            }
        }
        vm.heap.free_raw(keys.cast(), (*keys).byte_size());
    }
}

impl DictObject {
    #[inline(always)]
    pub fn keys(&self) -> &DictKeys {
        // SAFETY: a dict always has keys; the reference is not kept across changes (contract of Word, point 4).
        unsafe { &*self.keys.get() }
    }
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.used.get()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    #[inline(always)]
    pub(super) fn is_split(&self) -> bool {
        !self.values.get().is_null()
    }
    /// The value of the entry with this index, in a combined or a split dict.
    ///
    /// # Safety
    /// `index` is below `nentries`.
    #[inline(always)]
    pub unsafe fn value_at(&self, index: usize) -> Option<Word> {
        unsafe {
            let values = self.values.get();
            if values.is_null() {
                (*self.keys().entries().add(index)).value
            } else {
                (*values).get(index)
            }
        }
    }
    #[inline(always)]
    unsafe fn set_value_at(&self, index: usize, value: Word) {
        unsafe {
            let values = self.values.get();
            if values.is_null() {
                (*self.keys().entries().add(index)).value = Some(value);
            } else {
                (*values).set(index, Some(value));
            }
        }
    }
    /// The version of the set of keys, given anew if there is none; zero for general keys or when numbers have run
    /// out (`_PyDictKeys_GetVersionForCurrentState`).
    pub fn keys_version(&self, vm: Vm) -> u32 {
        keys_version(vm, self.keys.get())
    }
    #[inline(always)]
    fn notify(&self, vm: Vm, event: DictEvent, key: Option<Word>, value: Option<Word>) {
        if !self.watcher.get().is_null() {
            (vm.hooks.get().dict_watcher)(
                vm,
                &raw const *self as *mut DictObject,
                event,
                key,
                value,
            );
        }
    }
}

/// See [`DictObject::keys_version`].
pub(crate) fn keys_version(vm: Vm, keys: *mut DictKeys) -> u32 {
    // SAFETY: keys of a live dict or type.
    unsafe {
        if (*keys).kind.get() == KeysKind::General {
            return 0;
        }
        if (*keys).version.get() == 0 {
            (*keys).version.set(vm.new_keys_version());
        }
        (*keys).version.get()
    }
}

impl Vm {
    /// An empty dict (`PyDict_New`).
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub fn new_dict(self) -> Result<*mut DictObject, Raised> {
        // SAFETY: dict is laid out as DictObject.
        unsafe {
            let dict = self.alloc::<DictObject>(self.types.dict)?;
            init_empty(self, dict);
            Ok(dict)
        }
    }
    /// An empty dict for this many items without growing (`_PyDict_NewPresized`).
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub fn new_dict_with_capacity(self, items: usize) -> Result<Owned, Raised> {
        // SAFETY: a dict just made is ours.
        unsafe {
            let dict = Owned::from_raw(self.new_dict()?);
            if items > usable_fraction(1 << MIN_LOG2_SIZE) {
                let keys = new_keys(self, log2_for(items), KeysKind::Unicode)?;
                keys_release(self, (*dict.as_ptr::<DictObject>()).keys.replace(keys));
            }
            Ok(dict)
        }
    }
}

/// Writes the fields of a dict without items behind its header.
///
/// # Safety
/// `dict` is a fresh block of a dict or of a subclass.
pub unsafe fn init_empty(vm: Vm, dict: *mut DictObject) {
    unsafe {
        (*vm.empty_keys)
            .refcount
            .set((*vm.empty_keys).refcount.get() + 1);
        (*dict).used = Cell::new(0);
        (*dict).keys = Cell::new(vm.empty_keys);
        (*dict).values = Cell::new(null_mut());
        (*dict).watcher = Cell::new(null_mut());
    }
}

/// The value of a string key, borrowed from the dict (`_PyDict_GetItemStringWithError` for strings: it cannot fail
/// unless keys are general, and a key of another type that claims to equal a string is not found).
///
/// # Safety
/// `dict` is live; `name` is an exact str.
#[inline]
pub unsafe fn get_str(dict: *mut DictObject, name: Word) -> Option<Word> {
    unsafe {
        let vm = (*dict).header.vm();
        let keys = (*dict).keys();
        let hash = str::hash(vm, name);
        let index = if keys.kind.get() == KeysKind::General {
            find_str_general(keys, name, hash)
        } else {
            keys.find_str(name, hash)
        };
        (*dict).value_at(index?)
    }
}

/// A string among general keys, without calling any `__eq__`.
unsafe fn find_str_general(keys: &DictKeys, name: Word, hash: i64) -> Option<usize> {
    let entries = keys.entries();
    probe(keys, hash, |index| unsafe {
        let entry = *entries.add(index);
        let key = entry.key?;
        (key.is(name) || (entry.hash == hash && key.is_exact(Kind::STR) && str::equal(key, name)))
            .then_some(index)
    })
}

/// Walks the entries that may have this hash until `test` answers.
#[inline(always)]
fn probe<T>(keys: &DictKeys, hash: i64, mut test: impl FnMut(usize) -> Option<T>) -> Option<T> {
    let mask = keys.mask();
    let mut perturb = hash as usize;
    let mut position = perturb & mask;
    loop {
        // SAFETY: positions are masked to the table.
        let index = unsafe { keys.index(position) };
        if index >= 0 {
            if let Some(answer) = test(index as usize) {
                return Some(answer);
            }
        } else if index == EMPTY {
            return None;
        }
        perturb >>= PERTURB_SHIFT;
        position = position
            .wrapping_mul(5)
            .wrapping_add(perturb)
            .wrapping_add(1)
            & mask;
    }
}

/// Index of a key's entry (`_Py_dict_lookup`). May run `__eq__`, which may change the dict: then it starts again.
///
/// # Safety
/// `dict` is live and stays so.
#[inline]
pub(super) unsafe fn find(
    vm: Vm,
    dict: *mut DictObject,
    key: Word,
    hash: i64,
) -> Result<Option<usize>, Raised> {
    unsafe {
        let keys = (*dict).keys();
        if keys.kind.get() != KeysKind::General && key.is_exact(Kind::STR) {
            return Ok(keys.find_str(key, hash));
        }
        find_general(vm, dict, key, hash)
    }
}

#[inline(never)]
unsafe fn find_general(
    vm: Vm,
    dict: *mut DictObject,
    key: Word,
    hash: i64,
) -> Result<Option<usize>, Raised> {
    enum Step {
        Found(usize),
        Again,
        Raised,
    }
    loop {
        // SAFETY: `keys` is looked at again only if the dict still has it.
        let step = unsafe {
            let keys_ptr = (*dict).keys.get();
            let keys = &*keys_ptr;
            let entries = keys.entries();
            probe(keys, hash, |index| {
                let entry = *entries.add(index);
                let own = entry.key?;
                if own.is(key) {
                    return Some(Step::Found(index));
                }
                if entry.hash != hash {
                    return None;
                }
                if let Some(equal) = protocol::equal_without_calls(own, key) {
                    return equal.then_some(Step::Found(index));
                }
                let own = Owned::new_ref(own);
                match protocol::rich_compare_bool(
                    vm,
                    own.as_word(),
                    key,
                    super::types::CompareOp::Eq,
                ) {
                    Err(Raised) => Some(Step::Raised),
                    Ok(equal) => {
                        let unchanged = (*dict).keys.get() == keys_ptr
                            && index < keys.nentries.get() as usize
                            && (*entries.add(index))
                                .key
                                .is_some_and(|key| key.is(own.as_word()));
                        if !unchanged {
                            Some(Step::Again)
                        } else {
                            equal.then_some(Step::Found(index))
                        }
                    }
                }
            })
        };
        match step {
            None => return Ok(None),
            Some(Step::Found(index)) => return Ok(Some(index)),
            Some(Step::Raised) => return Err(Raised),
            Some(Step::Again) => {}
        }
    }
}

/// Hash of a key (`_PyObject_HashFast`).
#[inline(always)]
pub fn hash_key(vm: Vm, key: Word) -> Result<i64, Raised> {
    if key.is_exact(Kind::STR) {
        Ok(str::hash(vm, key))
    } else {
        protocol::hash(vm, key).map_err(|raised| unhashable(vm, key, "a dict key", raised))
    }
}

/// Says of a TypeError what could not be hashed, and what for (`dict_unhashable_type`, `set_unhashable_type`).
#[cold]
pub(super) fn unhashable(vm: Vm, key: Word, role: &str, raised: Raised) -> Raised {
    let Some(error) = vm.take_exception() else {
        return raised;
    };
    if !std::ptr::eq(vm.type_of(error.as_word()), vm.exc.TypeError) {
        vm.set_exception(error);
        return raised;
    }
    let text = super::exc_methods::message(vm, error.as_word());
    // SAFETY: types are live as long as an instance.
    let name = unsafe { (*vm.type_of(key)).qualified_name() };
    vm.type_error(format!("cannot use '{name}' as {role} ({text})"))
}

/// The value of a key, borrowed from the dict (`PyDict_GetItemWithError`).
///
/// # Safety
/// `dict` is live and stays so.
#[inline]
pub unsafe fn get_item(vm: Vm, dict: *mut DictObject, key: Word) -> Result<Option<Word>, Raised> {
    let hash = hash_key(vm, key)?;
    unsafe { get_item_hash(vm, dict, key, hash) }
}
/// The same with the hash at hand (`_PyDict_GetItem_KnownHash`).
///
/// # Safety
/// As [`get_item`].
#[inline]
pub unsafe fn get_item_hash(
    vm: Vm,
    dict: *mut DictObject,
    key: Word,
    hash: i64,
) -> Result<Option<Word>, Raised> {
    unsafe { Ok(find(vm, dict, key, hash)?.and_then(|index| (*dict).value_at(index))) }
}

/// The key that stands in the dict for one that equals it.
///
/// # Safety
/// As [`get_item`].
pub unsafe fn own_key(
    vm: Vm,
    dict: *mut DictObject,
    key: Word,
    hash: i64,
) -> Result<Option<Owned>, Raised> {
    unsafe {
        let index = find(vm, dict, key, hash)?.filter(|index| (*dict).value_at(*index).is_some());
        Ok(index
            .and_then(|index| (*(*dict).keys().entries().add(index)).key)
            .map(Owned::new_ref))
    }
}

/// `dict[key] = value`, with new references (`PyDict_SetItem`).
///
/// # Safety
/// `dict` is live and stays so.
#[inline]
pub unsafe fn set_item(
    vm: Vm,
    dict: *mut DictObject,
    key: Word,
    value: Word,
) -> Result<(), Raised> {
    let hash = hash_key(vm, key)?;
    unsafe { insert(vm, dict, key, hash, Owned::new_ref(value)) }
}

/// The same for an interned string.
///
/// # Safety
/// As [`set_item`].
pub unsafe fn set_str(vm: Vm, dict: *mut DictObject, key: Word, value: Word) -> Result<(), Raised> {
    unsafe { insert(vm, dict, key, str::hash(vm, key), Owned::new_ref(value)) }
}

/// Sets an item whose hash is known (`insertdict`).
///
/// # Safety
/// As [`set_item`].
pub unsafe fn insert(
    vm: Vm,
    dict: *mut DictObject,
    key: Word,
    hash: i64,
    value: Owned,
) -> Result<(), Raised> {
    unsafe {
        if let Some(index) = find(vm, dict, key, hash)? {
            if let Some(old) = (*dict).value_at(index) {
                (*dict).notify(vm, DictEvent::Modified, Some(key), Some(value.as_word()));
                (*dict).set_value_at(index, value.into_slot());
                old.release_slot();
                return Ok(());
            }
            // A shared key this instance has no value for.
            (*dict).notify(vm, DictEvent::Added, Some(key), Some(value.as_word()));
            dict_split::set_new_value(dict, index, value.into_slot());
            return Ok(());
        }
        insert_new(vm, dict, key, hash, value)
    }
}

/// Adds a key that is not there.
#[inline(never)]
unsafe fn insert_new(
    vm: Vm,
    dict: *mut DictObject,
    key: Word,
    hash: i64,
    value: Owned,
) -> Result<(), Raised> {
    unsafe {
        let exact = key.is_exact(Kind::STR);
        if (*dict).is_split() {
            if exact && dict_split::insert_new(vm, dict, key, hash, &value) {
                return Ok(());
            }
            dict_split::combine(vm, dict)?;
        }
        if (*dict).keys().usable.get() == 0 {
            resize(vm, dict, log2_of((*dict).used.get().saturating_mul(3)))?;
        }
        let keys = (*dict).keys();
        if !exact {
            keys.kind.set(KeysKind::General);
        }
        (*dict).notify(vm, DictEvent::Added, Some(key), Some(value.as_word()));
        keys.version.set(0);
        keys.push_entry(
            hash,
            Owned::new_ref(key).into_slot(),
            Some(value.into_slot()),
        );
        (*dict).used.set((*dict).used.get() + 1);
        Ok(())
    }
}

/// Moves a combined dict's entries to a table of another size, without the deleted ones (`dictresize`).
///
/// # Safety
/// `dict` is live and combined.
pub(super) unsafe fn resize(vm: Vm, dict: *mut DictObject, log2_size: u8) -> Result<(), Raised> {
    unsafe {
        let old = (*dict).keys.get();
        let kind = if old == vm.empty_keys {
            KeysKind::Unicode
        } else {
            (*old).kind.get()
        };
        let fresh = new_keys(vm, log2_size, kind)?;
        if (*dict).used.get() > (*fresh).usable.get() as usize {
            keys_release(vm, fresh);
            return Err(vm.no_memory());
        }
        for index in 0..(*old).nentries.get() as usize {
            let entry = *(*old).entries().add(index);
            if let Some(key) = entry.key {
                (*fresh).push_entry(entry.hash, key, entry.value);
            }
        }
        // The words have moved.
        if old != vm.empty_keys {
            (*old).nentries.set(0);
        }
        keys_release(vm, old);
        (*dict).keys.set(fresh);
        Ok(())
    }
}

/// Takes an item out; None if there is none (`PyDict_Pop`).
///
/// # Safety
/// `dict` is live and stays so.
pub unsafe fn remove(
    vm: Vm,
    dict: *mut DictObject,
    key: Word,
    hash: i64,
) -> Result<Option<Owned>, Raised> {
    unsafe {
        match find(vm, dict, key, hash)? {
            Some(index) => remove_at(vm, dict, index, hash),
            None => Ok(None),
        }
    }
}

/// Takes out the entry with this index (`delitem_common`).
///
/// # Safety
/// As [`remove`]; `index` is an entry's.
pub(super) unsafe fn remove_at(
    vm: Vm,
    dict: *mut DictObject,
    index: usize,
    hash: i64,
) -> Result<Option<Owned>, Raised> {
    unsafe {
        let Some(value) = (*dict).value_at(index) else {
            return Ok(None);
        };
        let key = (*(*dict).keys().entries().add(index))
            .key
            .unwrap_unchecked();
        (*dict).notify(vm, DictEvent::Deleted, Some(key), None);
        if (*dict).is_split() {
            dict_split::delete_value(dict, index);
        } else {
            let keys = (*dict).keys();
            keys.set_index(keys.position_of(hash, index as i32), DUMMY);
            *keys.entries().add(index) = DictEntry {
                hash: 0,
                key: None,
                value: None,
            };
            keys.version.set(0);
            (*dict).used.set((*dict).used.get() - 1);
            key.release_slot();
        }
        Ok(Some(Owned::from_slot(value)))
    }
}

/// Removes all items (`PyDict_Clear`).
///
/// # Safety
/// `dict` is live.
pub unsafe fn clear(vm: Vm, dict: *mut DictObject) {
    unsafe {
        if (*dict).keys.get() == vm.empty_keys {
            return;
        }
        (*dict).notify(vm, DictEvent::Cleared, None, None);
        if (*dict).is_split() {
            dict_split::clear(dict);
            return;
        }
        (*vm.empty_keys)
            .refcount
            .set((*vm.empty_keys).refcount.get() + 1);
        let old = (*dict).keys.replace(vm.empty_keys);
        (*dict).used.set(0);
        keys_release(vm, old);
    }
}

/// The next item in insertion order at or after `position`, borrowed; moves `position` behind it (`PyDict_Next`).
///
/// # Safety
/// `dict` is live; words are good until it changes.
#[inline]
pub unsafe fn next(dict: *mut DictObject, position: &mut usize) -> Option<(Word, Word, i64)> {
    unsafe {
        let keys = (*dict).keys();
        let values = (*dict).values.get();
        if !values.is_null() {
            let index = (*values).order(*position)?;
            *position += 1;
            let entry = &*keys.entries().add(index);
            return Some((entry.key?, (*values).get(index)?, entry.hash));
        }
        let count = keys.nentries.get() as usize;
        while *position < count {
            let entry = &*keys.entries().add(*position);
            *position += 1;
            if let (Some(key), Some(value)) = (entry.key, entry.value) {
                return Some((key, value, entry.hash));
            }
        }
        None
    }
}

/// The first item of a combined dict, borrowed, found without looking again at the gaps before it.
///
/// # Safety
/// As [`next`].
pub unsafe fn first(dict: *mut DictObject) -> Option<(Word, Word, i64)> {
    unsafe {
        if (*dict).is_split() {
            return next(dict, &mut 0);
        }
        let keys = (*dict).keys();
        let mut position = keys.first.get() as usize;
        let item = next(dict, &mut position)?;
        keys.first.set(position as u32 - 1);
        Some(item)
    }
}

/// Key, index and hash of the item that came last.
///
/// # Safety
/// `dict` is live; the key is good until it changes.
pub(super) unsafe fn last(dict: *mut DictObject) -> Option<(Word, usize, i64)> {
    unsafe {
        let keys = (*dict).keys();
        let values = (*dict).values.get();
        let index = if values.is_null() {
            (0..keys.nentries.get() as usize)
                .rev()
                .find(|&index| (*keys.entries().add(index)).key.is_some())?
        } else {
            (*values).order((*values).size.get().checked_sub(1)? as usize)?
        };
        let entry = &*keys.entries().add(index);
        Some((entry.key?, index, entry.hash))
    }
}

/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn dict_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let dict = object as *mut DictObject;
        (*dict).notify(vm, DictEvent::Deallocated, None, None);
        keys_release(vm, (*dict).keys.get());
        vm.free(object);
    }
}

/// # Safety
/// As [`super::types::TraverseFn`].
pub(super) unsafe fn dict_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let dict = object as *mut DictObject;
        let mut position = 0;
        while let Some((key, value, _)) = next(dict, &mut position) {
            visit(key);
            visit(value);
        }
    }
}

/// # Safety
/// As [`super::types::ClearFn`].
pub(super) unsafe fn dict_gc_clear(vm: Vm, object: *mut Object) {
    unsafe { clear(vm, object.cast()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::testing::TestVm;

    #[test]
    fn items_come_and_go() {
        let test = TestVm::new();
        let vm = test.vm();
        unsafe {
            let dict = Owned::from_raw(vm.new_dict().unwrap());
            let d = dict.as_ptr::<DictObject>();
            for i in 0..1000 {
                let key = vm.new_str(&format!("k{i}")).unwrap();
                set_item(vm, d, key.as_word(), Word::int_unchecked(i)).unwrap();
            }
            for i in (0..1000).step_by(2) {
                let key = vm.new_str(&format!("k{i}")).unwrap();
                let value = remove(vm, d, key.as_word(), str::hash(vm, key.as_word()))
                    .unwrap()
                    .unwrap();
                assert_eq!(value.as_word().as_int(), i);
            }
            assert_eq!((*d).len(), 500);
            let key = vm.new_str("k501").unwrap();
            assert_eq!(get_str(d, key.as_word()), Word::int(501));
            let key = vm.new_str("k500").unwrap();
            assert_eq!(get_str(d, key.as_word()), None);
            set_item(vm, d, Word::int_unchecked(7), key.as_word()).unwrap();
            assert_eq!((*d).keys().kind.get(), KeysKind::General);
            let (mut position, mut seen) = (0, 0);
            while next(d, &mut position).is_some() {
                seen += 1;
            }
            assert_eq!(seen, 501);
            clear(vm, d);
            assert!((*d).is_empty());
        }
    }
}
