//! Where code objects live: one reserved range, so that 32 bits in an inline cache name one.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ptr::NonNull;

/// Address space reserved for one VM's code; pages are taken from the system when first touched.
const RESERVED: usize = 1 << 30;
/// Blocks begin at multiples of this; a version number counts them.
pub const GRANULE: usize = 16;

/// A bump allocator over a reserved range, with freed blocks kept by size.
///
/// A code object's *version* is its distance from the base in granules, never 0. CPython hands out `co_version` from a
/// counter; the place serves as well and leads back to the code without a table.
pub struct CodeArena {
    base: NonNull<u8>,
    used: Cell<usize>,
    free: RefCell<BTreeMap<usize, Vec<u32>>>,
    live: RefCell<BTreeSet<u32>>,
}

impl CodeArena {
    pub fn new() -> io::Result<CodeArena> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a fresh private mapping, no address asked for.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                RESERVED,
                libc::PROT_READ | libc::PROT_WRITE,
                flags,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(base.cast()).expect("a mapping is not at zero");
        // The first granule stays unused, so that no block has version 0.
        Ok(CodeArena {
            base,
            used: Cell::new(GRANULE),
            free: RefCell::default(),
            live: RefCell::default(),
        })
    }
    pub fn base(&self) -> *mut u8 {
        self.base.as_ptr()
    }
    /// A block for `size` bytes; None when the range is full.
    pub fn alloc(&self, size: usize) -> Option<NonNull<u8>> {
        let size = size.next_multiple_of(GRANULE);
        let mut free = self.free.borrow_mut();
        if let Some(list) = free.get_mut(&size)
            && let Some(version) = list.pop()
        {
            self.live.borrow_mut().insert(version);
            return Some(self.at(version));
        }
        let start = self.used.get();
        let end = start.checked_add(size).filter(|end| *end <= RESERVED)?;
        self.used.set(end);
        let version = (start / GRANULE) as u32;
        self.live.borrow_mut().insert(version);
        Some(self.at(version))
    }
    /// Gives a block back.
    ///
    /// # Safety
    /// `block` came from `alloc` with this size, and nothing refers to it any more but versions in inline caches, which
    /// are compared with a live function's before they are followed.
    pub unsafe fn free(&self, block: *mut u8, size: usize) {
        let version = self.version(block);
        self.live.borrow_mut().remove(&version);
        self.free
            .borrow_mut()
            .entry(size.next_multiple_of(GRANULE))
            .or_default()
            .push(version);
    }
    /// The blocks in use.
    pub fn blocks(&self) -> Vec<NonNull<u8>> {
        self.live
            .borrow()
            .iter()
            .map(|version| self.at(*version))
            .collect()
    }
    /// The block in use that begins last at or before `place`.
    pub fn block_before(&self, place: *const u8) -> Option<NonNull<u8>> {
        let distance = (place as usize).checked_sub(self.base.as_ptr() as usize)?;
        let version = u32::try_from(distance / GRANULE).ok()?;
        let live = self.live.borrow();
        live.range(..=version)
            .next_back()
            .map(|found| self.at(*found))
    }
    pub fn version(&self, block: *const u8) -> u32 {
        ((block as usize - self.base.as_ptr() as usize) / GRANULE) as u32
    }
    fn at(&self, version: u32) -> NonNull<u8> {
        // SAFETY: versions come from `alloc`, inside the mapping.
        unsafe { self.base.add(version as usize * GRANULE) }
    }
}

impl Drop for CodeArena {
    fn drop(&mut self) {
        // SAFETY: the mapping of `new`.
        unsafe { libc::munmap(self.base.as_ptr().cast(), RESERVED) };
    }
}
