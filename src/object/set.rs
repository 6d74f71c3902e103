//! The table behind `set` and `frozenset` (`setobject.c`): open addressing with runs of linear probes, as CPython
//! probes, so that iteration order is CPython's too. Operators and methods are in `set_methods.rs`.

use super::dict::{self, DictObject};
use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, TypeObject};
use super::vm::Vm;
use super::word::Word;
use super::{protocol, sequence, str};
use std::cell::Cell;
use std::ptr;

/// `PySet_MINSIZE`: the table that every set has within itself.
const MIN_SIZE: usize = 8;
const LINEAR_PROBES: usize = 9;
const PERTURB_SHIFT: u32 = 5;
/// Key of a removed entry; its hash is -1, which no key has.
const DUMMY: SetEntry = SetEntry {
    key: Some(Word::NULL),
    hash: -1,
};

/// `setentry`. All zero when never used.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SetEntry {
    /// A slot's word; NULL in a removed entry.
    pub key: Option<Word>,
    pub hash: i64,
}

impl SetEntry {
    const UNUSED: SetEntry = SetEntry { key: None, hash: 0 };

    /// The key of an entry that is in the set.
    #[inline(always)]
    fn active(self) -> Option<Word> {
        self.key.filter(|key| !key.is_null())
    }
}

/// `PySetObject`, of sets and frozensets alike. Read and written through raw pointers, since `__eq__` of an element may
/// change the set at any comparison.
#[repr(C)]
pub struct SetObject {
    pub header: Header,
    /// Entries in use or removed.
    pub fill: usize,
    /// Elements.
    pub used: usize,
    pub mask: usize,
    pub table: *mut SetEntry,
    /// Of a frozenset, -1 until computed.
    pub hash: Cell<i64>,
    /// Where `pop` looks next.
    finger: usize,
    small: [SetEntry; MIN_SIZE],
}

const _: () = {
    use std::mem::offset_of;
    assert!(offset_of!(SetObject, used) == 24 && offset_of!(SetObject, mask) == 32);
    assert!(offset_of!(SetObject, table) == 40 && size_of::<SetEntry>() == 16);
};

/// Whether a value is a set, a frozenset or an instance of a subclass (`PyAnySet_Check`).
#[inline(always)]
pub fn is_any_set(word: Word) -> bool {
    word.is_pointer() && matches!(word.kind().base(), Kind::SET | Kind::FROZENSET)
}
#[inline(always)]
pub(super) fn object(word: Word) -> *mut SetObject {
    debug_assert!(is_any_set(word));
    word.cast()
}
/// Number of elements.
#[inline(always)]
pub fn len(word: Word) -> usize {
    // SAFETY: contract of Word.
    unsafe { (*object(word)).used }
}

/// An empty set of a type.
///
/// # Safety
/// `ty` is `set`, `frozenset` or a subclass.
unsafe fn new_empty(vm: Vm, ty: *mut TypeObject) -> PyResult {
    unsafe {
        let set = vm.alloc_instance::<SetObject>(ty, size_of::<SetObject>())?;
        (*set).finger = 0;
        make_empty(set);
        Ok(Owned::from_raw(set))
    }
}
unsafe fn make_empty(set: *mut SetObject) {
    unsafe {
        (*set).fill = 0;
        (*set).used = 0;
        (*set).mask = MIN_SIZE - 1;
        (*set).table = small_table(set);
        (*set).hash = Cell::new(-1);
        (*set).small = [SetEntry::UNUSED; MIN_SIZE];
    }
}
fn small_table(set: *mut SetObject) -> *mut SetEntry {
    // SAFETY: only the field's address is taken.
    unsafe { (&raw mut (*set).small).cast() }
}

/// A set of a type with the elements of an iterable (`make_new_set`). `ty` is `set`, `frozenset` or a subclass.
pub(crate) fn new_set(vm: Vm, ty: *mut TypeObject, iterable: Option<Word>) -> PyResult {
    // SAFETY: by the caller's choice of type; nobody else has the set yet.
    unsafe {
        let result = new_empty(vm, ty)?;
        if let Some(iterable) = iterable {
            update(vm, result.as_word(), iterable)?;
        }
        Ok(result)
    }
}

/// Hash of a would-be element.
#[inline(always)]
pub fn hash_element(vm: Vm, element: Word) -> Result<i64, Raised> {
    if element.is_exact(Kind::STR) {
        return Ok(str::hash(vm, element));
    }
    protocol::hash(vm, element)
        .map_err(|raised| dict::unhashable(vm, element, "a set element", raised))
}

// ---- the table

/// The entry of a key, or the one where it would go (`set_lookkey`, `set_add_entry`): the removed one passed last,
/// else the unused one that ended the search. A mere lookup (`ADD` false) is always answered by the latter. Comparing
/// may run any code; if that changes the table the search starts again.
#[inline]
#[allow(clippy::never_loop, reason = "the inner loop restarts it")]
unsafe fn locate<const ADD: bool>(
    vm: Vm,
    set: *mut SetObject,
    key: Word,
    hash: i64,
) -> Result<*mut SetEntry, Raised> {
    unsafe {
        'restart: loop {
            let (table, mask) = ((*set).table, (*set).mask);
            let mut perturb = hash as usize;
            let mut index = perturb & mask;
            let mut removed: *mut SetEntry = ptr::null_mut();
            loop {
                let run = if index + LINEAR_PROBES <= mask {
                    LINEAR_PROBES
                } else {
                    0
                };
                for position in index..=index + run {
                    let entry = table.add(position);
                    let Some(own) = (*entry).key else {
                        return Ok(if ADD && !removed.is_null() {
                            removed
                        } else {
                            entry
                        });
                    };
                    if (*entry).hash != hash {
                        if ADD && own.is_null() {
                            removed = entry;
                        }
                        continue;
                    }
                    let equal = own.is(key)
                        || match protocol::equal_without_calls(own, key) {
                            Some(equal) => equal,
                            None => match compare(vm, set, entry, key)? {
                                Some(equal) => equal,
                                None => continue 'restart,
                            },
                        };
                    if equal {
                        return Ok(entry);
                    }
                }
                perturb >>= PERTURB_SHIFT;
                index = index.wrapping_mul(5).wrapping_add(perturb).wrapping_add(1) & mask;
            }
        }
    }
}
/// Compares an entry's key by `==`; None if the entry is no longer what it was.
#[inline(never)]
unsafe fn compare(
    vm: Vm,
    set: *mut SetObject,
    entry: *mut SetEntry,
    key: Word,
) -> Result<Option<bool>, Raised> {
    unsafe {
        let table = (*set).table;
        let Some(own) = (*entry).active() else {
            return Ok(Some(false));
        };
        let own = Owned::new_ref(own);
        let equal = protocol::rich_compare_bool(vm, own.as_word(), key, CompareOp::Eq)?;
        let same =
            (*set).table == table && (*entry).active().is_some_and(|now| now.is(own.as_word()));
        Ok(same.then_some(equal))
    }
}

/// Puts a key that is not there into a table without removed entries (`set_insert_clean`).
unsafe fn insert_clean(table: *mut SetEntry, mask: usize, key: Word, hash: i64) {
    unsafe {
        let mut perturb = hash as usize;
        let mut index = perturb & mask;
        loop {
            let run = if index + LINEAR_PROBES <= mask {
                LINEAR_PROBES
            } else {
                0
            };
            for position in index..=index + run {
                let entry = table.add(position);
                if (*entry).key.is_none() {
                    *entry = SetEntry {
                        key: Some(key),
                        hash,
                    };
                    return;
                }
            }
            perturb >>= PERTURB_SHIFT;
            index = index.wrapping_mul(5).wrapping_add(perturb).wrapping_add(1) & mask;
        }
    }
}

/// What the table grows to once three fifths are filled.
fn growth(used: usize) -> usize {
    if used > 50_000 {
        used.saturating_mul(2)
    } else {
        used.saturating_mul(4)
    }
}

/// Moves the elements to a table for more than `min_used` of them (`set_table_resize`).
#[cold]
#[inline(never)]
unsafe fn resize(vm: Vm, set: *mut SetObject, min_used: usize) -> Result<(), Raised> {
    unsafe {
        let mut size = MIN_SIZE;
        while size <= min_used {
            size = size.checked_mul(2).ok_or_else(|| vm.no_memory())?;
        }
        let (old, old_mask, small) = ((*set).table, (*set).mask, small_table(set));
        let copy = (*set).small;
        let (from, to) = if size > MIN_SIZE {
            let bytes = size
                .checked_mul(size_of::<SetEntry>())
                .ok_or_else(|| vm.no_memory())?;
            (
                old.cast_const(),
                vm.alloc_raw(bytes)?.as_ptr().cast::<SetEntry>(),
            )
        } else if old == small {
            if (*set).fill == (*set).used {
                return Ok(());
            }
            (copy.as_ptr(), small)
        } else {
            (old.cast_const(), small)
        };
        to.write_bytes(0, size);
        (*set).table = to;
        (*set).mask = size - 1;
        (*set).fill = (*set).used;
        for position in 0..=old_mask {
            let entry = *from.add(position);
            if let Some(key) = entry.active() {
                insert_clean(to, size - 1, key, entry.hash);
            }
        }
        free_table(vm, set, old, old_mask);
        Ok(())
    }
}
unsafe fn free_table(vm: Vm, set: *mut SetObject, table: *mut SetEntry, mask: usize) {
    if table != small_table(set) {
        unsafe {
            vm.heap
                .free_raw(table.cast(), (mask + 1) * size_of::<SetEntry>())
        }
    }
}

/// Adds an element, with a new reference (`PySet_Add`).
#[inline]
pub fn add(vm: Vm, set: Word, element: Word) -> Result<(), Raised> {
    let hash = hash_element(vm, element)?;
    // SAFETY: contract of Word.
    unsafe { add_hashed(vm, object(set), element, hash) }
}
/// The same with the hash at hand (`set_add_entry`).
///
/// # Safety
/// `set` is live and stays so; nobody relies on a frozenset's hash yet.
#[inline]
pub(super) unsafe fn add_hashed(
    vm: Vm,
    set: *mut SetObject,
    element: Word,
    hash: i64,
) -> Result<(), Raised> {
    unsafe {
        let entry = locate::<true>(vm, set, element, hash)?;
        if (*entry).active().is_some() {
            return Ok(());
        }
        let reused = (*entry).key.is_some();
        *entry = SetEntry {
            key: Some(element.dup().to_slot()),
            hash,
        };
        (*set).used += 1;
        if reused {
            return Ok(());
        }
        (*set).fill += 1;
        if (*set).fill * 5 < (*set).mask * 3 {
            return Ok(());
        }
        resize(vm, set, growth((*set).used))
    }
}

/// Whether an element is there (`set_contains_entry`).
///
/// # Safety
/// `set` is live and stays so.
#[inline]
pub(super) unsafe fn contains_hashed(
    vm: Vm,
    set: *mut SetObject,
    element: Word,
    hash: i64,
) -> Result<bool, Raised> {
    unsafe { Ok((*locate::<false>(vm, set, element, hash)?).key.is_some()) }
}
/// `element in set`; a set as element stands for the frozenset equal to it (`set_contains`).
#[inline]
pub fn contains(vm: Vm, set: Word, element: Word) -> Result<bool, Raised> {
    let hash = hash_or_frozen(vm, element)?;
    // SAFETY: contract of Word.
    unsafe { contains_hashed(vm, object(set), element, hash) }
}
/// Hash of an element, or of the frozenset that a set is equal to.
#[inline]
pub(super) fn hash_or_frozen(vm: Vm, element: Word) -> Result<i64, Raised> {
    match hash_element(vm, element) {
        Err(raised) => {
            let unhashable_set = element.is_instance(Kind::SET);
            if unhashable_set && vm.exception_matches(vm.exc.TypeError) {
                vm.clear_exception();
                return Ok(frozen_hash(element));
            }
            Err(raised)
        }
        hash => hash,
    }
}

/// Takes an element out; false if it is not there (`set_discard_entry`).
///
/// # Safety
/// `set` is live and stays so.
pub(super) unsafe fn discard_hashed(
    vm: Vm,
    set: *mut SetObject,
    element: Word,
    hash: i64,
) -> Result<bool, Raised> {
    unsafe {
        let entry = locate::<false>(vm, set, element, hash)?;
        let Some(own) = (*entry).key else {
            return Ok(false);
        };
        *entry = DUMMY;
        (*set).used -= 1;
        own.release_slot();
        Ok(true)
    }
}
/// Takes out some element, None from an empty set (`set.pop`).
///
/// # Safety
/// `set` is live.
pub(super) unsafe fn take_any(set: *mut SetObject) -> Option<Owned> {
    unsafe {
        if (*set).used == 0 {
            return None;
        }
        let mut position = (*set).finger & (*set).mask;
        loop {
            let entry = (*set).table.add(position);
            if let Some(key) = (*entry).active() {
                *entry = DUMMY;
                (*set).used -= 1;
                (*set).finger = position + 1;
                return Some(Owned::from_slot(key));
            }
            position = (position + 1) & (*set).mask;
        }
    }
}
/// Rebuilds the table when more than a quarter of it is removed entries.
///
/// # Safety
/// `set` is live.
pub(super) unsafe fn sweep(vm: Vm, set: *mut SetObject) -> Result<(), Raised> {
    unsafe {
        if (*set).fill - (*set).used <= (*set).mask / 4 {
            return Ok(());
        }
        resize(vm, set, growth((*set).used))
    }
}

/// The next element at or after `position` with its hash, borrowed; moves `position` behind it (`set_next`).
///
/// # Safety
/// `set` is live; the word is good until it changes.
#[inline]
pub unsafe fn next(set: *mut SetObject, position: &mut usize) -> Option<(Word, i64)> {
    unsafe {
        while *position <= (*set).mask {
            let entry = *(*set).table.add(*position);
            *position += 1;
            if let Some(key) = entry.active() {
                return Some((key, entry.hash));
            }
        }
        None
    }
}

// ---- whole sets

/// Adds all elements of an iterable (`set_update_internal`).
pub fn update(vm: Vm, set: Word, iterable: Word) -> Result<(), Raised> {
    // SAFETY: contract of Word.
    unsafe {
        if is_any_set(iterable) {
            return merge(vm, object(set), object(iterable));
        }
        if iterable.is_exact(Kind::DICT) {
            return update_from_dict(vm, object(set), iterable.cast());
        }
    }
    sequence::for_each(vm, iterable, |element| add(vm, set, element.as_word()))
}
/// Adds all elements of another set (`set_merge`).
unsafe fn merge(vm: Vm, set: *mut SetObject, other: *mut SetObject) -> Result<(), Raised> {
    unsafe {
        if set == other || (*other).used == 0 {
            return Ok(());
        }
        if ((*set).fill + (*other).used) * 5 >= (*set).mask * 3 {
            resize(vm, set, ((*set).used + (*other).used) * 2)?;
        }
        if (*set).fill != 0 {
            let mut position = 0;
            while let Some((key, hash)) = next(other, &mut position) {
                let key = Owned::new_ref(key);
                add_hashed(vm, set, key.as_word(), hash)?;
            }
            return Ok(());
        }
        // An empty set has no equal element to look for.
        let (table, mask) = ((*set).table, (*set).mask);
        let same_shape = mask == (*other).mask && (*other).fill == (*other).used;
        for position in 0..=(*other).mask {
            let entry = *(*other).table.add(position);
            let Some(key) = entry.active() else { continue };
            let key = key.dup().to_slot();
            if same_shape {
                *table.add(position) = SetEntry {
                    key: Some(key),
                    hash: entry.hash,
                };
            } else {
                insert_clean(table, mask, key, entry.hash);
            }
        }
        (*set).fill = (*other).used;
        (*set).used = (*other).used;
        Ok(())
    }
}
unsafe fn update_from_dict(
    vm: Vm,
    set: *mut SetObject,
    other: *mut DictObject,
) -> Result<(), Raised> {
    unsafe {
        let count = (*other).len();
        if ((*set).fill + count) * 5 >= (*set).mask * 3 {
            resize(vm, set, ((*set).used + count) * 2)?;
        }
        let mut position = 0;
        while let Some((key, _, hash)) = dict::next(other, &mut position) {
            let key = Owned::new_ref(key);
            add_hashed(vm, set, key.as_word(), hash)?;
        }
        Ok(())
    }
}

/// Removes all elements (`set_clear_internal`).
pub fn clear(vm: Vm, set: Word) {
    let set = object(set);
    // SAFETY: contract of Word. Releasing may run code that looks at the set: it is empty already.
    unsafe {
        let (table, mask, mut small) = ((*set).table, (*set).mask, (*set).small);
        let own = table == small_table(set);
        if own && (*set).fill == 0 {
            return;
        }
        make_empty(set);
        let entries = if own { small.as_mut_ptr() } else { table };
        for position in 0..=mask {
            if let Some(key) = (*entries.add(position)).active() {
                key.release_slot();
            }
        }
        free_table(vm, set, table, mask);
    }
}
/// Exchanges the elements of two sets (`set_swap_bodies`).
///
/// # Safety
/// Both are live.
pub(super) unsafe fn swap(a: *mut SetObject, b: *mut SetObject) {
    unsafe {
        let (a_own, b_own) = ((*a).table == small_table(a), (*b).table == small_table(b));
        ptr::swap(&raw mut (*a).fill, &raw mut (*b).fill);
        ptr::swap(&raw mut (*a).used, &raw mut (*b).used);
        ptr::swap(&raw mut (*a).mask, &raw mut (*b).mask);
        ptr::swap(&raw mut (*a).table, &raw mut (*b).table);
        ptr::swap(&raw mut (*a).small, &raw mut (*b).small);
        if b_own {
            (*a).table = small_table(a);
        }
        if a_own {
            (*b).table = small_table(b);
        }
        (*a).hash.set(-1);
        (*b).hash.set(-1);
    }
}

/// The hash of the frozenset with these elements, whatever their order (`frozenset_hash_impl`).
pub(super) fn frozen_hash(word: Word) -> i64 {
    const fn shuffle(hash: u64) -> u64 {
        ((hash ^ 89_869_747) ^ (hash << 16)).wrapping_mul(3_644_798_167)
    }
    let set = object(word);
    let mut hash = 0u64;
    // SAFETY: contract of Word; nothing runs meanwhile.
    unsafe {
        let mut position = 0;
        while let Some((_, own)) = next(set, &mut position) {
            hash ^= shuffle(own as u64);
        }
        hash ^= ((*set).used as u64 + 1).wrapping_mul(1_927_868_237);
    }
    hash ^= (hash >> 11) ^ (hash >> 25);
    hash = hash.wrapping_mul(69_069).wrapping_add(907_133_923);
    if hash == u64::MAX {
        590_923_713
    } else {
        hash as i64
    }
}

/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn set_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let set = object as *mut SetObject;
        let (table, mask, mut left) = ((*set).table, (*set).mask, (*set).used);
        for position in 0..=mask {
            if left == 0 {
                break;
            }
            if let Some(key) = (*table.add(position)).active() {
                left -= 1;
                key.release_slot();
            }
        }
        free_table(vm, set, table, mask);
        vm.free(object);
    }
}
/// # Safety
/// As [`super::types::TraverseFn`].
pub(super) unsafe fn set_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    let mut position = 0;
    while let Some((key, _)) = unsafe { next(object as *mut SetObject, &mut position) } {
        visit(key);
    }
}
/// # Safety
/// As [`super::types::ClearFn`].
pub(super) unsafe fn set_gc_clear(vm: Vm, object: *mut Object) {
    clear(vm, unsafe { Word::from_borrowed(object) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::testing::TestVm;

    fn numbers(set: *mut SetObject) -> Vec<i64> {
        let (mut position, mut seen) = (0, Vec::new());
        while let Some((key, _)) = unsafe { next(set, &mut position) } {
            seen.push(key.as_int());
        }
        seen
    }
    fn set_of(vm: Vm, items: impl IntoIterator<Item = i64>) -> Owned {
        let set = new_set(vm, vm.types.set, None).unwrap();
        for item in items {
            add(vm, set.as_word(), Word::int_unchecked(item)).unwrap();
        }
        set
    }

    #[test]
    fn iterates_in_the_order_of_cpython() {
        let test = TestVm::new();
        let vm = test.vm();
        // list({...}) under CPython 3.14.
        let set = set_of(vm, [100, 8, 0, 16, 5, 24, -3]);
        assert_eq!(numbers(set.as_ptr()), [0, 100, 5, 8, 16, 24, -3]);
        let set = set_of(vm, (0..40).map(|i| i * 37 % 101));
        assert_eq!((numbers(set.as_ptr()).len(), len(set.as_word())), (40, 40));
    }

    #[test]
    fn removed_entries_are_used_again() {
        let test = TestVm::new();
        let vm = test.vm();
        let set = set_of(vm, 0..12);
        for item in [2, 3, 4, 7] {
            // SAFETY: the set is live.
            unsafe { discard_hashed(vm, set.as_ptr(), Word::int_unchecked(item), item).unwrap() };
        }
        for item in [32, 64, 96, 3] {
            add(vm, set.as_word(), Word::int_unchecked(item)).unwrap();
        }
        // The same under CPython 3.14.
        let expected = [0, 1, 96, 64, 5, 6, 32, 8, 9, 10, 11, 3];
        assert_eq!(numbers(set.as_ptr()), expected);
    }

    #[test]
    fn comes_and_goes() {
        let test = TestVm::new();
        let vm = test.vm();
        let set = set_of(vm, 0..1000);
        unsafe {
            let table = set.as_ptr::<SetObject>();
            for item in (0..1000).filter(|item| item % 100 != 1) {
                assert!(discard_hashed(vm, table, Word::int_unchecked(item), item).unwrap());
            }
            assert!(!discard_hashed(vm, table, Word::int_unchecked(4), 4).unwrap());
            assert_eq!(((*table).used, (*table).fill), (10, 1000));
            sweep(vm, table).unwrap();
            assert_eq!((*table).fill, 10);
            assert!(contains(vm, set.as_word(), Word::int_unchecked(501)).unwrap());
            let mut popped = 0;
            while take_any(table).is_some() {
                popped += 1;
            }
            assert_eq!(popped, 10);
            clear(vm, set.as_word());
            assert_eq!((*table).mask, MIN_SIZE - 1);
        }
    }

    #[test]
    fn hash_of_a_frozenset() {
        let test = TestVm::new();
        let vm = test.vm();
        // hash(frozenset()), hash(frozenset([1, 2, 3])) under a 64-bit CPython.
        for (items, hash) in [
            (vec![], 133_146_708_735_736),
            (vec![1, 2, 3], -272_375_401_224_217_160),
            (vec![3, 2, 1], -272_375_401_224_217_160),
        ] {
            assert_eq!(frozen_hash(set_of(vm, items).as_word()), hash);
        }
    }

    #[test]
    fn swapping_keeps_small_tables_inside() {
        let test = TestVm::new();
        let vm = test.vm();
        let (a, b) = (set_of(vm, 0..3), set_of(vm, 10..60));
        unsafe { swap(a.as_ptr(), b.as_ptr()) };
        assert_eq!((len(a.as_word()), numbers(b.as_ptr())), (50, vec![0, 1, 2]));
    }
}
