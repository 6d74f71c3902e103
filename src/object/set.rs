//! `set` and `frozenset` (`setobject.c`): an open table probed as CPython probes, so that iteration has its order.
//! Methods are in `set_methods.rs`.

use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::protocol;
use super::types::{CompareOp, TypeObject};
use super::vm::Vm;
use super::word::Word;
use super::{dict, sequence, str};
use std::cell::Cell;

/// `PySetObject`.
#[repr(C)]
pub struct SetObject {
    pub header: Header,
    /// Entries used, deleted ones included.
    pub fill: Cell<usize>,
    pub used: Cell<usize>,
    /// Size of the table less one.
    pub mask: Cell<usize>,
    /// Null until the first item is added.
    table: Cell<*mut SetEntry>,
    /// Of a frozenset, -1 until computed.
    pub hash: Cell<i64>,
    /// Where `pop` looks next.
    pub finger: Cell<usize>,
}

/// `setentry`: free when both are absent, deleted when the hash is -1.
#[derive(Clone, Copy)]
struct SetEntry {
    hash: i64,
    key: Option<Word>,
}
const FREE: SetEntry = SetEntry { hash: 0, key: None };
const DELETED: SetEntry = SetEntry {
    hash: -1,
    key: None,
};

const MIN_SIZE: usize = 8;
const LINEAR_PROBES: usize = 9;
const PERTURB_SHIFT: u32 = 5;

#[inline]
pub fn is_set(word: Word) -> bool {
    matches!(word.kind().base(), Kind::SET | Kind::FROZENSET)
}
/// The set behind a word known to be one.
#[inline]
pub fn object<'a>(word: Word) -> &'a SetObject {
    debug_assert!(is_set(word));
    // SAFETY: contract of Word; all fields that change are cells.
    unsafe { &*word.cast() }
}

impl SetObject {
    /// The entry at a position up to the mask.
    fn entry(&self, position: usize) -> SetEntry {
        let table = self.table.get();
        // SAFETY: positions are within the table.
        if table.is_null() {
            FREE
        } else {
            unsafe { *table.add(position) }
        }
    }
    fn set_entry(&self, position: usize, entry: SetEntry) {
        debug_assert!(!self.table.get().is_null());
        // SAFETY: as above; only called when there is a table.
        unsafe { *self.table.get().add(position) = entry }
    }
    /// Positions in the order in which a hash probes them.
    fn probe<T>(&self, hash: i64, mut visit: impl FnMut(usize, SetEntry) -> Option<T>) -> T {
        let mask = self.mask.get();
        let mut perturb = hash as usize;
        let mut position = perturb & mask;
        loop {
            let probes = if position + LINEAR_PROBES <= mask {
                LINEAR_PROBES
            } else {
                0
            };
            for at in position..=position + probes {
                if let Some(answer) = visit(at, self.entry(at)) {
                    return answer;
                }
            }
            perturb >>= PERTURB_SHIFT;
            position = position
                .wrapping_mul(5)
                .wrapping_add(1)
                .wrapping_add(perturb)
                & mask;
        }
    }
    /// The next item at or after a position, borrowed (`set_next`).
    pub fn next(&self, position: &mut usize) -> Option<(Word, i64)> {
        while *position <= self.mask.get() {
            let entry = self.entry(*position);
            *position += 1;
            if let Some(key) = entry.key {
                return Some((key, entry.hash));
            }
        }
        None
    }
}

/// A set of a type, filled from an iterable (`make_new_set`).
pub(crate) fn new_set(vm: Vm, ty: *mut TypeObject, iterable: Option<Word>) -> PyResult {
    // SAFETY: sets are laid out so; all fields are written.
    let set = unsafe {
        let set = vm.alloc_instance::<SetObject>(ty, size_of::<SetObject>())?;
        (*set).fill = Cell::new(0);
        (*set).used = Cell::new(0);
        (*set).mask = Cell::new(MIN_SIZE - 1);
        (*set).table = Cell::new(std::ptr::null_mut());
        (*set).hash = Cell::new(-1);
        (*set).finger = Cell::new(0);
        Owned::from_raw(set)
    };
    if let Some(iterable) = iterable {
        update(vm, set.as_word(), iterable)?;
    }
    Ok(set)
}

enum Step {
    Found(usize),
    Absent(usize),
    Again,
    Raised,
}
/// Where a key is, or where it would go (`set_lookkey`, `set_add_entry`). Runs `__eq__`.
fn locate(vm: Vm, word: Word, key: Word, hash: i64) -> Result<Result<usize, usize>, Raised> {
    loop {
        let set = object(word);
        let table = set.table.get();
        let step = set.probe(hash, |position, entry| {
            let Some(own) = entry.key else {
                return (entry.hash == 0).then_some(Step::Absent(position));
            };
            if entry.hash != hash {
                return None;
            }
            if own.is(key) {
                return Some(Step::Found(position));
            }
            if let Some(equal) = protocol::equal_without_calls(own, key) {
                return equal.then_some(Step::Found(position));
            }
            let own = Owned::new_ref(own);
            match protocol::rich_compare_bool(vm, own.as_word(), key, CompareOp::Eq) {
                Err(Raised) => Some(Step::Raised),
                Ok(_)
                    if set.table.get() != table
                        || !set
                            .entry(position)
                            .key
                            .is_some_and(|now| now.is(own.as_word())) =>
                {
                    Some(Step::Again)
                }
                Ok(true) => Some(Step::Found(position)),
                Ok(false) => None,
            }
        });
        match step {
            Step::Found(position) => return Ok(Ok(position)),
            Step::Absent(position) => return Ok(Err(position)),
            Step::Raised => return Err(Raised),
            Step::Again => {}
        }
    }
}

/// Hash of an element.
#[inline(always)]
pub fn hash_key(vm: Vm, key: Word) -> Result<i64, Raised> {
    if key.is_exact(Kind::STR) {
        Ok(str::hash(vm, key))
    } else {
        protocol::hash(vm, key)
            .map_err(|raised| super::dict::unhashable(vm, key, "a set element", raised))
    }
}

/// Whether a key is in a set (`set_contains_entry`).
pub fn contains_hash(vm: Vm, word: Word, key: Word, hash: i64) -> Result<bool, Raised> {
    Ok(locate(vm, word, key, hash)?.is_ok())
}
/// Adds a key; true if it was new (`set_add_entry`).
pub fn add_hash(vm: Vm, word: Word, key: Word, hash: i64) -> Result<bool, Raised> {
    let set = object(word);
    if set.table.get().is_null() {
        let table = new_table(vm, MIN_SIZE)?;
        set.table.set(table);
    }
    let Err(position) = locate(vm, word, key, hash)? else {
        return Ok(false);
    };
    set.set_entry(
        position,
        SetEntry {
            hash,
            key: Some(Owned::new_ref(key).into_slot()),
        },
    );
    set.fill.set(set.fill.get() + 1);
    set.used.set(set.used.get() + 1);
    let (fill, mask, used) = (set.fill.get(), set.mask.get(), set.used.get());
    if fill * 5 >= mask * 3 {
        resize(vm, set, if used > 50_000 { used * 2 } else { used * 4 })?;
    }
    Ok(true)
}
/// `set.add(key)` (`PySet_Add`).
pub fn add(vm: Vm, word: Word, key: Word) -> Result<bool, Raised> {
    let hash = hash_key(vm, key)?;
    add_hash(vm, word, key, hash)
}
/// Takes a key out; None if it is not there (`set_discard_entry`).
pub fn discard_hash(vm: Vm, word: Word, key: Word, hash: i64) -> Result<Option<Owned>, Raised> {
    let Ok(position) = locate(vm, word, key, hash)? else {
        return Ok(None);
    };
    Ok(take_at(object(word), position))
}
fn take_at(set: &SetObject, position: usize) -> Option<Owned> {
    let key = set.entry(position).key?;
    set.set_entry(position, DELETED);
    set.used.set(set.used.get() - 1);
    // SAFETY: a slot's word, taken out.
    Some(unsafe { Owned::from_slot(key) })
}
/// Takes some item out (`set_pop`).
pub(super) fn take_any(set: &SetObject) -> Option<Owned> {
    if set.used.get() == 0 {
        return None;
    }
    let mask = set.mask.get();
    let mut position = set.finger.get() & mask;
    while set.entry(position).key.is_none() {
        position = (position + 1) & mask;
    }
    set.finger.set(position + 1);
    take_at(set, position)
}

fn new_table(vm: Vm, size: usize) -> Result<*mut SetEntry, Raised> {
    let bytes = size
        .checked_mul(size_of::<SetEntry>())
        .ok_or_else(|| vm.no_memory())?;
    let table = vm.alloc_raw(bytes)?.as_ptr() as *mut SetEntry;
    // SAFETY: the block has room for all entries.
    (0..size).for_each(|position| unsafe { table.add(position).write(FREE) });
    Ok(table)
}
/// Moves the items to a table larger than `wanted` (`set_table_resize`).
fn resize(vm: Vm, set: &SetObject, wanted: usize) -> Result<(), Raised> {
    let mut size = MIN_SIZE;
    while size <= wanted {
        size = size.checked_mul(2).ok_or_else(|| vm.no_memory())?;
    }
    let fresh = new_table(vm, size)?;
    let (old, old_mask) = (set.table.replace(fresh), set.mask.replace(size - 1));
    set.fill.set(set.used.get());
    if old.is_null() {
        return Ok(());
    }
    // SAFETY: the old table has that many entries; their words move.
    unsafe {
        for position in 0..=old_mask {
            let entry = *old.add(position);
            if entry.key.is_some() {
                let to = set.probe(entry.hash, |at, other| other.key.is_none().then_some(at));
                set.set_entry(to, entry);
            }
        }
        vm.heap
            .free_raw(old.cast(), (old_mask + 1) * size_of::<SetEntry>());
    }
    Ok(())
}

/// Adds all items of an iterable (`set_update_internal`).
pub fn update(vm: Vm, word: Word, iterable: Word) -> Result<(), Raised> {
    if is_set(iterable) {
        return merge(vm, word, iterable);
    }
    if iterable.is_exact(Kind::DICT) {
        // SAFETY: contract of Word; keys are counted while they are compared.
        unsafe {
            let mut position = 0;
            while let Some((key, _, hash)) = dict::next(iterable.cast(), &mut position) {
                let key = Owned::new_ref(key);
                add_hash(vm, word, key.as_word(), hash)?;
            }
        }
        return Ok(());
    }
    sequence::for_each(vm, iterable, |item| add(vm, word, item.as_word()).map(drop))
}
/// Adds the items of another set; into an empty one without comparing (`set_merge_lock_held`).
fn merge(vm: Vm, word: Word, other: Word) -> Result<(), Raised> {
    let (set, from) = (object(word), object(other));
    if word.is(other) || from.used.get() == 0 {
        return Ok(());
    }
    if (set.fill.get() + from.used.get()) * 5 >= set.mask.get() * 3 {
        resize(vm, set, (set.used.get() + from.used.get()) * 2)?;
    }
    if set.table.get().is_null() {
        set.table.set(new_table(vm, set.mask.get() + 1)?);
    }
    let mut position = 0;
    if set.fill.get() == 0 {
        let same_shape = set.mask.get() == from.mask.get() && from.fill.get() == from.used.get();
        while let Some((key, hash)) = from.next(&mut position) {
            let to = if same_shape {
                position - 1
            } else {
                set.probe(hash, |at, other| other.key.is_none().then_some(at))
            };
            set.set_entry(
                to,
                SetEntry {
                    hash,
                    key: Some(Owned::new_ref(key).into_slot()),
                },
            );
        }
        set.fill.set(from.used.get());
        set.used.set(from.used.get());
        return Ok(());
    }
    while let Some((key, hash)) = from.next(&mut position) {
        let key = Owned::new_ref(key);
        add_hash(vm, word, key.as_word(), hash)?;
    }
    Ok(())
}

/// Removes all items (`set_clear_internal`).
pub fn clear(vm: Vm, set: &SetObject) {
    let (table, mask) = (
        set.table.replace(std::ptr::null_mut()),
        set.mask.replace(MIN_SIZE - 1),
    );
    set.fill.set(0);
    set.used.set(0);
    set.finger.set(0);
    if table.is_null() {
        return;
    }
    // SAFETY: the table has that many entries and nobody sees it any more.
    unsafe {
        for position in 0..=mask {
            if let Some(key) = (*table.add(position)).key {
                key.release_slot();
            }
        }
        vm.heap
            .free_raw(table.cast(), (mask + 1) * size_of::<SetEntry>());
    }
}
/// Exchanges the contents of two sets (`set_swap_bodies`).
pub(super) fn swap(a: &SetObject, b: &SetObject) {
    a.fill.swap(&b.fill);
    a.used.swap(&b.used);
    a.mask.swap(&b.mask);
    a.table.swap(&b.table);
    a.finger.swap(&b.finger);
}

/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn set_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        clear(vm, &*(object as *mut SetObject));
        vm.free(object);
    }
}
/// # Safety
/// As [`super::types::TraverseFn`].
pub(super) unsafe fn set_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    let (set, mut position) = (unsafe { &*(object as *mut SetObject) }, 0);
    while let Some((key, _)) = set.next(&mut position) {
        visit(key);
    }
}
/// # Safety
/// As [`super::types::ClearFn`].
pub(super) unsafe fn set_gc_clear(vm: Vm, object: *mut Object) {
    clear(vm, unsafe { &*(object as *mut SetObject) });
}
