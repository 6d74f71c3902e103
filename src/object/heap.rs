//! The VM's heap: size classes of 16 bytes in 64 KiB pages with a free list each, larger blocks one by one
//! (`obmalloc`'s pools and arenas). Objects and raw payloads live in separate pages, so that live objects can be
//! enumerated. Everything is fallible and accounted against a limit; dropping the heap frees everything wholesale.

use super::breaker::{EvalBreaker, event};
use super::header::{Kind, Object, flag};
use super::heap_large::{LARGE_HEADER, Large, large_layout};
use std::alloc::{Layout, dealloc};
use std::cell::Cell;
use std::ptr::{self, NonNull, null_mut};

/// Size and alignment of a page; the mask of an address gives its page header.
pub const PAGE_SIZE: usize = 1 << 16;
pub(super) const PAGES_PER_ARENA: usize = 16;
/// The largest size class.
const MAX_CLASS: usize = 512;
/// Blocks of up to this many bytes come from the size classes. With `system-heap` none do that have a size.
pub const MAX_SMALL: usize = if cfg!(feature = "system-heap") {
    0
} else {
    MAX_CLASS
};
const CLASS_SHIFT: usize = 4;
/// Number of size classes; class 0 is not used.
pub const CLASSES: usize = (MAX_CLASS >> CLASS_SHIFT) + 1;
/// Blocks that a fresh page gives to its free list at once.
const CARVE: usize = 32;

/// The size class of a small block.
#[inline(always)]
pub const fn size_class(size: usize) -> usize {
    (size + 15) >> CLASS_SHIFT
}

/// A free small block. The first word is zero, so that a header read there has [`Kind::FREE`].
#[repr(C)]
pub struct FreeBlock {
    zero: u64,
    pub next: *mut FreeBlock,
}

#[repr(C, align(16))]
pub(super) struct Page {
    pub(super) next: *mut Page,
    pub(super) block_size: u32,
    /// Offset of the first byte never handed out.
    pub(super) fresh: u32,
    /// One count a block while the cycle collector runs.
    pub(super) gc_counts: *mut u32,
    /// How many of its blocks are on the free list, while empty pages are looked for.
    pub(super) free: u32,
}

/// See the module's text. Free lists come first: handlers pop them inline.
#[repr(C)]
pub struct Heap {
    pub object_free: [Cell<*mut FreeBlock>; CLASSES],
    pub(super) raw_free: [Cell<*mut FreeBlock>; CLASSES],
    /// The page each class carves fresh blocks from, followed by its full pages; objects, then raw.
    pub(super) pages: [[Cell<*mut Page>; CLASSES]; 2],
    pub(super) arenas: Cell<*mut ArenaLink>,
    pub(super) next_page: Cell<*mut u8>,
    pub(super) pages_left: Cell<usize>,
    /// Pages that the collector has found empty, for any class.
    pub(super) empty_pages: Cell<*mut Page>,
    pub(super) large: Cell<*mut Large>,
    /// Bytes in pages handed to a class and in large blocks.
    pub(super) used: Cell<usize>,
    limit: Cell<usize>,
    /// Where `used` makes the VM ask for a cycle collection.
    pub gc_threshold: Cell<usize>,
    pub gc_requested: Cell<bool>,
    /// Blocks for objects carved since the last collection, and how many of them make the VM ask for one: as many as
    /// `gc.set_threshold` says, [`BY_SIZE`] until it is called, 0 for no collection at all.
    carved: Cell<usize>,
    pub object_threshold: Cell<usize>,
    /// What waits to be done at the next check. It stands here since the heap asks for collections.
    pub eval_breaker: EvalBreaker,
    /// Freed blocks that the ledger does not give back yet, oldest first.
    #[cfg(feature = "stackref-debug")]
    pub(super) waiting: std::cell::RefCell<std::collections::VecDeque<*mut Object>>,
}

pub(super) struct ArenaLink {
    pub(super) next: *mut ArenaLink,
    pub(super) base: *mut u8,
}

/// The most a VM may use: what keeps a 32-bit reference count from overflowing.
pub const MAX_LIMIT: usize = 32 << 30;
/// Collections are asked for by the size of the heap alone.
pub const BY_SIZE: usize = usize::MAX;
/// Growth below which no collection is asked for.
pub const MIN_GC_THRESHOLD: usize = 4 << 20;

pub(super) const ARENA_LAYOUT: Layout =
    match Layout::from_size_align(PAGE_SIZE * PAGES_PER_ARENA, PAGE_SIZE) {
        Ok(layout) => layout,
        Err(_) => panic!("arena layout"),
    };

impl Heap {
    pub const fn new() -> Heap {
        Heap {
            object_free: [const { Cell::new(null_mut()) }; CLASSES],
            raw_free: [const { Cell::new(null_mut()) }; CLASSES],
            pages: [const { [const { Cell::new(null_mut()) }; CLASSES] }; 2],
            arenas: Cell::new(null_mut()),
            next_page: Cell::new(null_mut()),
            pages_left: Cell::new(0),
            empty_pages: Cell::new(null_mut()),
            large: Cell::new(null_mut()),
            used: Cell::new(0),
            limit: Cell::new(MAX_LIMIT),
            gc_threshold: Cell::new(MIN_GC_THRESHOLD),
            gc_requested: Cell::new(false),
            carved: Cell::new(0),
            object_threshold: Cell::new(BY_SIZE),
            eval_breaker: EvalBreaker::new(),
            #[cfg(feature = "stackref-debug")]
            waiting: std::cell::RefCell::new(std::collections::VecDeque::new()),
        }
    }
    /// Bytes taken from the system and handed to a use.
    pub fn used(&self) -> usize {
        self.used.get()
    }
    pub fn limit(&self) -> usize {
        self.limit.get()
    }
    /// Sets the limit, at most [`MAX_LIMIT`]. What is in use already stays.
    pub fn set_limit(&self, bytes: usize) {
        self.limit.set(bytes.min(MAX_LIMIT));
    }
    /// Whether a block of this many bytes could be had at all: asked before work outside this heap of that size.
    pub fn has_room(&self, bytes: usize) -> bool {
        bytes <= self.limit.get().saturating_sub(self.used.get())
    }

    /// A block for an object of `size` bytes; its content is undefined.
    #[inline(always)]
    pub fn alloc_object(&self, size: usize) -> Option<NonNull<Object>> {
        if size <= MAX_SMALL {
            self.alloc_small_object(size)
        } else {
            self.alloc_large(size, true).map(NonNull::cast)
        }
    }
    /// The same for a size known to be small: a free-list pop.
    #[inline(always)]
    pub fn alloc_small_object(&self, size: usize) -> Option<NonNull<Object>> {
        let class = size_class(size);
        let list = &self.object_free[class];
        match NonNull::new(list.get()) {
            Some(block) => {
                // SAFETY: a block on a free list is ours and has a link.
                list.set(unsafe { (*block.as_ptr()).next });
                Some(block.cast())
            }
            None => self.refill(0, class).map(NonNull::cast),
        }
    }
    /// Gives an object's block back.
    ///
    /// # Safety
    /// The block came from `alloc_object` of this heap and is not used again.
    #[inline(always)]
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub unsafe fn free_object(&self, object: *mut Object) {
        unsafe {
            if (*object).has_flag(flag::LARGE) {
                self.free_large(object.cast());
            } else {
                self.push_object(object, page_class(object));
            }
        }
    }
    /// The same for a block whose size is known and small.
    ///
    /// # Safety
    /// As `free_object`.
    #[inline(always)]
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub unsafe fn free_small_object(&self, object: *mut Object, size: usize) {
        unsafe { self.push_object(object, size_class(size)) }
    }
    #[inline(always)]
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    unsafe fn push_object(&self, object: *mut Object, class: usize) {
        let Some(reused) = super::word_debug::quarantine(self, object) else {
            return;
        };
        // Another block than the one given, if the ledger keeps that one for a while.
        let class = if reused == object {
            class
        } else {
            unsafe { page_class(reused) }
        };
        let block = reused as *mut FreeBlock;
        let list = &self.object_free[class];
        unsafe {
            (*block).zero = 0;
            (*block).next = list.get();
        }
        list.set(block);
    }

    /// A block of `size` bytes without a header; its content is undefined.
    #[inline(always)]
    pub fn alloc_raw(&self, size: usize) -> Option<NonNull<u8>> {
        if size > MAX_SMALL {
            return self.alloc_large(size, false);
        }
        let class = size_class(size).max(1);
        let list = &self.raw_free[class];
        match NonNull::new(list.get()) {
            Some(block) => {
                // SAFETY: a block on a free list is ours and has a link.
                list.set(unsafe { (*block.as_ptr()).next });
                Some(block.cast())
            }
            None => self.refill(1, class),
        }
    }
    /// Gives a raw block back.
    ///
    /// # Safety
    /// The block came from `alloc_raw` or `realloc_raw` with this size and is not used again.
    #[inline(always)]
    pub unsafe fn free_raw(&self, block: *mut u8, size: usize) {
        unsafe {
            if size > MAX_SMALL {
                self.free_large(block);
            } else {
                let list = &self.raw_free[size_class(size).max(1)];
                let block = block as *mut FreeBlock;
                (*block).zero = 0;
                (*block).next = list.get();
                list.set(block);
            }
        }
    }
    /// Grows or shrinks a raw block, keeping its content. On None the old block is as it was.
    ///
    /// # Safety
    /// As `free_raw`; the old block is gone when a new one is given.
    pub unsafe fn realloc_raw(
        &self,
        block: *mut u8,
        old: usize,
        new: usize,
    ) -> Option<NonNull<u8>> {
        unsafe {
            if old > MAX_SMALL && new > MAX_SMALL {
                return self.realloc_large(block, new);
            }
            if old <= MAX_SMALL
                && new <= MAX_SMALL
                && size_class(old).max(1) == size_class(new).max(1)
            {
                return NonNull::new(block);
            }
            let fresh = self.alloc_raw(new)?;
            ptr::copy_nonoverlapping(block, fresh.as_ptr(), old.min(new));
            self.free_raw(block, old);
            Some(fresh)
        }
    }
    /// Grows or shrinks an object's block, keeping its content; the object may move. None leaves it as it was.
    ///
    /// # Safety
    /// As `free_object`; nobody else has a reference to the object.
    pub unsafe fn realloc_object(
        &self,
        object: *mut Object,
        old: usize,
        new: usize,
    ) -> Option<NonNull<Object>> {
        unsafe {
            let large = (*object).has_flag(flag::LARGE);
            if large && new > MAX_SMALL {
                return self.realloc_large(object.cast(), new).map(NonNull::cast);
            }
            if !large && new <= MAX_SMALL && size_class(old) == size_class(new) {
                return NonNull::new(object);
            }
            let fresh = self.alloc_object(new)?;
            ptr::copy_nonoverlapping(object as *const u8, fresh.as_ptr() as *mut u8, old.min(new));
            let flags = (*object).flags.get() & !flag::LARGE;
            (*fresh.as_ptr())
                .flags
                .set(flags | if new > MAX_SMALL { flag::LARGE } else { 0 });
            self.free_object(object);
            Some(fresh)
        }
    }

    /// Carves blocks of a class from its current page or a new one; the first is the answer.
    #[cold]
    #[inline(never)]
    fn refill(&self, raw: usize, class: usize) -> Option<NonNull<u8>> {
        let size = class << CLASS_SHIFT;
        let current = &self.pages[raw][class];
        let mut page = current.get();
        // SAFETY: pages of the list are ours and initialised; a page's fresh part holds `count` more blocks.
        unsafe {
            if page.is_null() || (*page).fresh as usize + size > PAGE_SIZE {
                let fresh = self.take_page()? as *mut Page;
                fresh.write(Page {
                    next: page,
                    block_size: size as u32,
                    fresh: FIRST_BLOCK as u32,
                    gc_counts: null_mut(),
                    free: 0,
                });
                current.set(fresh);
                page = fresh;
            }
            let base = (page as *mut u8).add((*page).fresh as usize);
            let count = ((PAGE_SIZE - (*page).fresh as usize) / size).min(CARVE);
            (*page).fresh += (count * size) as u32;
            let mut next = null_mut();
            for index in (1..count).rev() {
                let block = base.add(index * size) as *mut FreeBlock;
                block.write(FreeBlock { zero: 0, next });
                next = block;
            }
            if raw == 0 {
                self.object_free[class].set(next);
                self.count_carved(count);
            } else {
                self.raw_free[class].set(next);
            }
            NonNull::new(base)
        }
    }
    pub(super) fn count_carved(&self, count: usize) {
        let carved = self.carved.get() + count;
        self.carved.set(carved);
        let threshold = self.object_threshold.get();
        if carved > threshold && threshold != 0 && !self.gc_requested.get() {
            self.request_gc();
        }
    }
    pub(super) fn account(&self, bytes: usize) -> Option<()> {
        let used = self.used.get().checked_add(bytes)?;
        if used > self.limit.get() {
            return None;
        }
        self.used.set(used);
        if used > self.gc_threshold.get()
            && !self.gc_requested.get()
            && self.object_threshold.get() != 0
        {
            self.request_gc();
        }
        Some(())
    }

    #[cold]
    fn request_gc(&self) {
        self.gc_requested.set(true);
        self.eval_breaker.add(event::GC);
    }
    /// After a collection: the next one is due when as much again has been allocated, and at least the minimum.
    pub(super) fn collected(&self) {
        let used = self.used.get();
        self.gc_requested.set(false);
        self.carved.set(0);
        self.gc_threshold
            .set(used.saturating_add(used.max(MIN_GC_THRESHOLD)));
    }

    /// Calls `visit` with every live object. The heap must not change meanwhile.
    pub fn for_each_object(&self, mut visit: impl FnMut(*mut Object)) {
        // SAFETY: pages and large blocks are ours; a block in the handed-out part has a header or a free link.
        unsafe {
            for list in &self.pages[0] {
                let mut page = list.get();
                while !page.is_null() {
                    let size = (*page).block_size as usize;
                    let mut offset = FIRST_BLOCK;
                    while offset + size <= (*page).fresh as usize {
                        let object = (page as *mut u8).add(offset) as *mut Object;
                        if (*object).kind() != Kind::FREE {
                            visit(object);
                        }
                        offset += size;
                    }
                    page = (*page).next;
                }
            }
            let mut large = self.large.get();
            while !large.is_null() {
                let next = (*large).next;
                let object = (large as *mut u8).add(LARGE_HEADER) as *mut Object;
                if (*large).is_object && (*object).kind() != Kind::FREE {
                    visit(object);
                }
                large = next;
            }
        }
    }

    /// Whether an address lies in one of the pages.
    #[cfg(feature = "stackref-debug")]
    pub(super) fn owns(&self, object: *mut Object) -> bool {
        let mut arena = self.arenas.get();
        while !arena.is_null() {
            // SAFETY: the links are ours.
            let (base, next) = unsafe { ((*arena).base as usize, (*arena).next) };
            if (base..base + PAGE_SIZE * PAGES_PER_ARENA).contains(&(object as usize)) {
                return true;
            }
            arena = next;
        }
        false
    }
}

/// The size class of a small object, from its page.
#[inline(always)]
unsafe fn page_class(object: *mut Object) -> usize {
    let page = (object as usize & !(PAGE_SIZE - 1)) as *const Page;
    unsafe { (*page).block_size as usize >> CLASS_SHIFT }
}

/// Offset of a page's first block.
pub(super) const FIRST_BLOCK: usize = size_of::<Page>().next_multiple_of(CLASS_ALIGN);
const CLASS_ALIGN: usize = 16;

impl Default for Heap {
    fn default() -> Heap {
        Heap::new()
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        // SAFETY: everything was allocated with these layouts and nothing is used again.
        unsafe {
            let mut large = self.large.get();
            while !large.is_null() {
                let next = (*large).next;
                dealloc(large.cast(), large_layout((*large).size).unwrap_unchecked());
                large = next;
            }
            let mut arena = self.arenas.get();
            while !arena.is_null() {
                let next = (*arena).next;
                dealloc((*arena).base, ARENA_LAYOUT);
                dealloc(arena.cast(), Layout::new::<ArenaLink>());
                arena = next;
            }
        }
    }
}

const _: () = assert!(size_of::<FreeBlock>() == 16 && LARGE_HEADER.is_multiple_of(16));
const _: () = assert!(std::mem::offset_of!(Heap, object_free) == 0);

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(not(feature = "system-heap"))]
    #[test]
    fn blocks_are_reused_and_enumerated() {
        let heap = Heap::new();
        let a = heap.alloc_object(40).unwrap();
        unsafe {
            a.cast::<[u64; 5]>().write([0; 5]);
            (*a.as_ptr()).kind.set(Kind::LIST);
        }
        let mut seen = vec![];
        heap.for_each_object(|o| seen.push(o));
        assert_eq!(seen, [a.as_ptr()]);
        unsafe { heap.free_small_object(a.as_ptr(), 40) };
        let mut count = 0;
        heap.for_each_object(|_| count += 1);
        assert_eq!(count, 0);
    }

    #[cfg(not(feature = "system-heap"))]
    #[test]
    fn limit_is_kept() {
        let heap = Heap::new();
        heap.set_limit(1 << 20);
        assert!(heap.alloc_raw(2 << 20).is_none());
        let mut blocks = 0;
        while heap.alloc_raw(512).is_some() {
            blocks += 1;
        }
        assert!((1500..2048).contains(&blocks));
        assert!(heap.alloc_raw(usize::MAX - 5).is_none());
    }

    #[test]
    fn large_blocks_grow() {
        let heap = Heap::new();
        unsafe {
            let mut block = heap.alloc_raw(16).unwrap().as_ptr();
            block.write(7);
            let mut size = 16;
            while size < 1 << 20 {
                block = heap.realloc_raw(block, size, size * 2).unwrap().as_ptr();
                size *= 2;
            }
            assert_eq!(block.read(), 7);
            heap.free_raw(block, size);
        }
    }
}
