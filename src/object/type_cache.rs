//! What types answer for a name, remembered by version (`type_cache`, `_PyType_Lookup`).

use super::dict::{self, DictKeys};
use super::header::{Kind, Object};
use super::str;
use super::types::{TypeObject, type_flag};
use super::word::Word;
use std::cell::Cell;
use std::ptr::null_mut;

impl TypeObject {
    /// An attribute along the MRO, borrowed from a class's dict (`_PyType_Lookup`). `name` is an interned string.
    #[inline]
    pub fn lookup(&self, name: Word) -> Option<Word> {
        self.lookup_with_own(name).0
    }
    /// The same, and where an instance keeps an attribute of this name of its own.
    #[inline]
    pub(super) fn lookup_with_own(&self, name: Word) -> (Option<Word>, OwnIndex) {
        let version = self.version.get();
        let entry = self.vm.type_cache.entry(version, name).get();
        if entry.version == version && version != 0 && entry.name == name.object() {
            return (entry.value, entry.own);
        }
        self.lookup_slow(name)
    }
    /// Where an instance keeps an attribute, after keys were added to those that `own` was found among; remembered.
    #[cold]
    #[inline(never)]
    pub(super) fn own_index(&self, name: Word) -> Option<usize> {
        let own = OwnIndex::find(self, name);
        let entry = self.vm.type_cache.entry(self.version.get(), name);
        let cached = entry.get();
        if cached.version == self.version.get() && cached.name == name.object() {
            entry.set(CacheEntry { own, ..cached });
        }
        (own.index != OwnIndex::ABSENT).then_some(own.index as usize)
    }
    #[cold]
    #[inline(never)]
    fn lookup_slow(&self, name: Word) -> (Option<Word>, OwnIndex) {
        let value = self.lookup_uncached(name);
        let version = self.version();
        if version == 0 || !str::is_interned(name) {
            return (value, OwnIndex::UNKNOWN);
        }
        let own = OwnIndex::find(self, name);
        let entry = self.vm.type_cache.entry(version, name);
        entry.set(CacheEntry {
            version,
            own,
            name: name.object(),
            value,
        });
        (value, own)
    }
    pub(super) fn lookup_uncached(&self, name: Word) -> Option<Word> {
        self.mro_slice().iter().find_map(|ty| {
            // SAFETY: types of the MRO are live.
            unsafe { dict::get_str((*ty.cast::<TypeObject>()).dict, name) }
        })
    }
}

/// Where among its inline values an instance keeps an attribute, remembered beside what the type holds of that name.
/// Keys are only ever added to the shared ones, so an index stays right, and absence does while their number does.
#[derive(Clone, Copy)]
pub(super) struct OwnIndex {
    /// [`OwnIndex::ABSENT`] or the index.
    index: u16,
    /// How many shared keys there were.
    keys: u16,
}

impl OwnIndex {
    const ABSENT: u16 = u16::MAX;
    /// Of instances without inline values: shared keys are far fewer than this.
    pub(super) const UNKNOWN: OwnIndex = OwnIndex {
        index: Self::ABSENT,
        keys: u16::MAX,
    };

    fn find(ty: &TypeObject, name: Word) -> OwnIndex {
        if !ty.has_flag(type_flag::INLINE_VALUES) || !name.is_exact(Kind::STR) {
            return OwnIndex::UNKNOWN;
        }
        // SAFETY: the type has the flag.
        unsafe {
            let keys = &*ty.cached_keys.get();
            let found = keys.find_str(name, str::hash(ty.vm, name));
            OwnIndex {
                index: found.map_or(Self::ABSENT, |index| index as u16),
                keys: keys.nentries.get() as u16,
            }
        }
    }
    /// The index among the shared keys of an instance's type, `Some(None)` if they lack the name; None if that is not
    /// known any more.
    #[inline(always)]
    pub(super) fn among(self, keys: &DictKeys) -> Option<Option<usize>> {
        if self.index != Self::ABSENT {
            Some(Some(self.index as usize))
        } else if u32::from(self.keys) == keys.nentries.get() {
            Some(None)
        } else {
            None
        }
    }
}

#[derive(Clone, Copy)]
struct CacheEntry {
    version: u32,
    own: OwnIndex,
    name: *mut Object,
    value: Option<Word>,
}
const _: () = assert!(size_of::<CacheEntry>() == 24);

/// Answers of `lookup` by type version and name (`type_cache`). Entries hold no counts: a value lives while the
/// version stands, and names are interned and compared by address together with the version.
pub(super) struct TypeCache(Box<[Cell<CacheEntry>; 1 << TypeCache::BITS]>);

impl TypeCache {
    const BITS: u32 = 11;

    pub(super) fn new() -> TypeCache {
        TypeCache(Box::new(
            [const {
                Cell::new(CacheEntry {
                    version: 0,
                    own: OwnIndex::UNKNOWN,
                    name: null_mut(),
                    value: None,
                })
            }; 1 << TypeCache::BITS],
        ))
    }
    #[inline(always)]
    fn entry(&self, version: u32, name: Word) -> &Cell<CacheEntry> {
        // Names lie side by side and versions count up, so that their bits alone collide by the dozen.
        let mixed = (name.bits() >> 4).wrapping_add(u64::from(version) << 32);
        let index = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - Self::BITS);
        &self.0[index as usize]
    }
}
