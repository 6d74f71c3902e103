//! Values of globals kept inline: which caches hold the value of which key, so that a rebinding rewrites them and a key
//! that comes or goes makes them miss.
//!
//! A cache holds 48 bits above the counter: a value whose word they can hold, positive as a number, or the negative
//! form of the address at which the dict keeps the value. That stands until keys come or go.

use super::code::{CODE_OFFSET, CodeObject};
use super::frame::Ip;
use super::thread::Thread;
use crate::object::dict::{DictEvent, DictObject};
use crate::object::{Kind, Vm, Word};
use std::cell::RefCell;
use std::collections::BTreeMap;

type Dict = *mut DictObject;

/// Word of a cache that misses: no value has these bits.
pub const MISS: u64 = 0;

#[derive(Default)]
struct Registry {
    /// By dict and key (an interned string's address): places of cache unit 0.
    by_key: BTreeMap<(usize, usize), Vec<usize>>,
    /// The way back, ordered by place, so that the caches of a code object are one range.
    by_place: BTreeMap<usize, Vec<(usize, usize)>>,
}

/// All inline caches that hold a global's value.
#[derive(Default)]
pub struct Watchers(RefCell<Registry>);

/// A value in 48 bits above a counter, if it fits.
pub fn pack(value: Word) -> Option<u64> {
    let bits = value.borrow().bits() as i64;
    (bits > 0 && bits << 16 >> 16 == bits).then_some(bits as u64)
}

/// Set in the cache's bits for the address of a value: user addresses have 47 bits.
const PLACE: u64 = 1 << 47;

/// The address at which the dict keeps the key's value, as the cache holds it.
///
/// # Safety
/// `dict` is live, combined, and has the key; `key` is an interned string.
unsafe fn place_of(dict: Dict, key: Word) -> u64 {
    unsafe {
        let keys = (*dict).keys();
        let index = keys.find_str(key, crate::object::str::hash((*dict).header.vm(), key));
        index.map_or(MISS, |index| {
            let value = &raw const (*keys.entries().add(index)).value;
            debug_assert!(value as u64 & PLACE == 0);
            value as u64 | PLACE
        })
    }
}

/// The value at the address in a cache whose bits are negative.
///
/// # Safety
/// `cache` is unit 0 of such a cache in live code.
pub unsafe fn value_at_place(cache: Ip) -> Word {
    unsafe {
        let cached = cache.cast::<u64>().read_unaligned() >> 16;
        let place = (cached & !PLACE) as *const Option<Word>;
        (*place).unwrap_or(Word::NULL)
    }
}

/// Writes the upper three units of a four-unit cache; unit 0 stays the counter.
///
/// # Safety
/// `cache` is unit 0 of a cache of four units in live code.
unsafe fn write(cache: Ip, bits: u64) {
    // SAFETY: caches are code bytes; the alignment is that of units.
    unsafe {
        let counter = cache.cast::<u16>().read_unaligned();
        cache
            .cast::<u64>()
            .write_unaligned(bits << 16 | u64::from(counter));
    }
}

impl Watchers {
    /// Puts `value` into the cache and keeps it right from now on. `guard` is a second dict that must not gain or lose
    /// a key (the module's, for a builtin).
    ///
    /// # Safety
    /// As for `write`; `key` is an interned string; the dicts are live and watched.
    pub unsafe fn watch(&self, cache: Ip, dict: Dict, key: Word, value: Word, guard: Option<Dict>) {
        // SAFETY: the caller's promise.
        let bits = pack(value).unwrap_or_else(|| unsafe { place_of(dict, key) });
        let mut registry = self.0.borrow_mut();
        let place = cache as usize;
        registry.remove(place);
        let mut keys = vec![(dict as usize, key.object() as usize)];
        keys.extend(guard.map(|d| (d as usize, 0)));
        for key in &keys {
            registry.by_key.entry(*key).or_default().push(place);
        }
        registry.by_place.insert(place, keys);
        // SAFETY: the caller's promise.
        unsafe { write(cache, bits) };
    }

    /// `key` of `dict` was bound to another value.
    ///
    /// # Safety
    /// Every registered place is in live code: `forget` is called before code is freed.
    pub unsafe fn rebound(&self, dict: Dict, key: Word, value: Word) {
        let registry = self.0.borrow();
        let Some(places) = registry.by_key.get(&(dict as usize, key.object() as usize)) else {
            return;
        };
        // SAFETY: the caller's promise.
        unsafe {
            let bits = pack(value).unwrap_or_else(|| place_of(dict, key));
            places.iter().for_each(|p| write(*p as Ip, bits));
        }
    }

    /// A key came to or left `dict`, or the dict goes: every cache that depends on it misses once.
    ///
    /// # Safety
    /// As [`Watchers::rebound`].
    pub unsafe fn reshaped(&self, dict: Dict) {
        let mut registry = self.0.borrow_mut();
        let range = (dict as usize, 0)..=(dict as usize, usize::MAX);
        let places: Vec<usize> = registry
            .by_key
            .range(range)
            .flat_map(|(_, places)| places.iter().copied())
            .collect();
        for place in places {
            // SAFETY: the caller's promise.
            unsafe { write(place as Ip, MISS) };
            registry.remove(place);
        }
    }

    /// Drops the caches of a code object of `size` bytes, header included.
    pub fn forget(&self, code: *mut CodeObject, size: usize) {
        let mut registry = self.0.borrow_mut();
        let range = code as usize + CODE_OFFSET..code as usize + size;
        let places: Vec<usize> = registry.by_place.range(range).map(|(p, _)| *p).collect();
        for place in places {
            registry.remove(place);
        }
    }
}

/// What the object layer calls before a watched dict changes.
#[expect(
    clippy::not_unsafe_ptr_arg_deref,
    reason = "the hook's type: it is called with live dicts"
)]
pub fn on_change(vm: Vm, dict: Dict, event: DictEvent, key: Option<Word>, value: Option<Word>) {
    let watchers = &Thread::of(vm).watchers;
    // SAFETY: `code::dealloc` forgets the places in its code.
    unsafe {
        match (event, key, value) {
            (DictEvent::Modified, Some(key), Some(value)) => {
                // Only a string can be a global's name, and caches are listed under the interned one.
                if key.is_exact(Kind::STR) {
                    match vm.intern(key) {
                        Ok(key) => watchers.rebound(dict, key.as_word(), value),
                        Err(_) => {
                            vm.clear_exception();
                            watchers.reshaped(dict);
                        }
                    }
                }
            }
            _ => watchers.reshaped(dict),
        }
    }
}

impl Registry {
    fn remove(&mut self, place: usize) {
        for key in self.by_place.remove(&place).unwrap_or_default() {
            if let Some(places) = self.by_key.get_mut(&key) {
                places.retain(|p| *p != place);
                if places.is_empty() {
                    self.by_key.remove(&key);
                }
            }
        }
    }
}
