//! The heap's pages: taken from arenas, counted in by the cycle collector, and given to any size class again once it
//! has found them empty. So the bytes in use follow what lives, and the size at which the next collection is due does
//! not grow with garbage.

use super::header::{Object, flag};
use super::heap::{
    ARENA_LAYOUT, ArenaLink, FIRST_BLOCK, FreeBlock, Heap, PAGE_SIZE, PAGES_PER_ARENA, Page,
};
use super::heap_large::{LARGE_HEADER, Large};
use std::alloc::{Layout, alloc, dealloc};
use std::cell::Cell;
use std::ptr::null_mut;

impl Heap {
    pub(super) fn take_page(&self) -> Option<*mut u8> {
        self.account(PAGE_SIZE)?;
        let empty = self.empty_pages.get();
        if !empty.is_null() {
            // SAFETY: pages of the list are ours.
            self.empty_pages.set(unsafe { (*empty).next });
            return Some(empty.cast());
        }
        if self.pages_left.get() == 0 {
            // SAFETY: the layouts have a size.
            let (base, link) = unsafe {
                (
                    alloc(ARENA_LAYOUT),
                    alloc(Layout::new::<ArenaLink>()) as *mut ArenaLink,
                )
            };
            if base.is_null() || link.is_null() {
                // SAFETY: what was allocated just now.
                unsafe {
                    if !base.is_null() {
                        dealloc(base, ARENA_LAYOUT);
                    }
                    if !link.is_null() {
                        dealloc(link.cast(), Layout::new::<ArenaLink>());
                    }
                }
                self.used.set(self.used.get() - PAGE_SIZE);
                return None;
            }
            // SAFETY: allocated for this.
            unsafe {
                link.write(ArenaLink {
                    next: self.arenas.get(),
                    base,
                })
            };
            self.arenas.set(link);
            self.next_page.set(base);
            self.pages_left.set(PAGES_PER_ARENA);
        }
        let page = self.next_page.get();
        self.pages_left.set(self.pages_left.get() - 1);
        self.next_page.set(page.wrapping_add(PAGE_SIZE));
        Some(page)
    }

    /// Takes pages back that hold no block in use. The page that a class carves blocks from stays with it.
    pub(super) fn release_empty_pages(&self) {
        for (pages, free) in self.pages.iter().zip([&self.object_free, &self.raw_free]) {
            for (pages, free) in pages.iter().zip(free) {
                // SAFETY: pages and free lists of one class are ours, and nothing is allocated meanwhile.
                unsafe { self.release_empty_pages_of(pages, free) };
            }
        }
    }
    unsafe fn release_empty_pages_of(&self, pages: &Cell<*mut Page>, free: &Cell<*mut FreeBlock>) {
        unsafe {
            let current = pages.get();
            if current.is_null() || (*current).next.is_null() {
                return;
            }
            let mut page = current;
            while !page.is_null() {
                (*page).free = 0;
                page = (*page).next;
            }
            let mut block = free.get();
            while !block.is_null() {
                (*page_of(block)).free += 1;
                block = (*block).next;
            }
            let is_empty = move |page| page != current && is_all_free(page);
            // Their blocks go first, while the pages still say who is empty.
            let mut link = free.as_ptr();
            let mut block = free.get();
            while !block.is_null() {
                let next = (*block).next;
                if !is_empty(page_of(block)) {
                    *link = block;
                    link = &raw mut (*block).next;
                }
                block = next;
            }
            *link = null_mut();
            let mut link: *mut *mut Page = &raw mut (*current).next;
            let mut page = *link;
            while !page.is_null() {
                let next = (*page).next;
                if is_empty(page) {
                    (*page).next = self.empty_pages.replace(page);
                    self.used.set(self.used.get() - PAGE_SIZE);
                } else {
                    *link = page;
                    link = &raw mut (*page).next;
                }
                page = next;
            }
            *link = null_mut();
        }
    }

    // ---- counts for the cycle collector

    /// Gives every object a count, zero at first. Until `gc_end` nothing may be allocated.
    pub(super) fn gc_begin(&self) -> Option<()> {
        for list in &self.pages[0] {
            let mut page = list.get();
            while !page.is_null() {
                // SAFETY: pages are ours; the layout has a size.
                unsafe {
                    let counts =
                        std::alloc::alloc_zeroed(gc_layout((*page).block_size)) as *mut u32;
                    if counts.is_null() {
                        self.gc_end();
                        return None;
                    }
                    (*page).gc_counts = counts;
                    page = (*page).next;
                }
            }
        }
        let mut large = self.large.get();
        while !large.is_null() {
            // SAFETY: large blocks are ours.
            unsafe {
                (*large).gc_count = 0;
                large = (*large).next;
            }
        }
        Some(())
    }
    pub(super) fn gc_end(&self) {
        for list in &self.pages[0] {
            let mut page = list.get();
            while !page.is_null() {
                // SAFETY: pages are ours; counts were allocated with this layout.
                unsafe {
                    let counts = std::mem::replace(&mut (*page).gc_counts, null_mut());
                    if !counts.is_null() {
                        dealloc(counts.cast(), gc_layout((*page).block_size));
                    }
                    page = (*page).next;
                }
            }
        }
    }
    /// The count of an object, between `gc_begin` and `gc_end`.
    ///
    /// # Safety
    /// The object is a live one of this heap and was so at `gc_begin`.
    #[inline]
    pub(super) unsafe fn gc_count(&self, object: *mut Object) -> *mut u32 {
        unsafe {
            if (*object).has_flag(flag::LARGE) {
                return &raw mut (*((object as *mut u8).sub(LARGE_HEADER) as *mut Large)).gc_count;
            }
            let page = (object as usize & !(PAGE_SIZE - 1)) as *mut Page;
            let offset = (object as usize & (PAGE_SIZE - 1)) as u32 - FIRST_BLOCK as u32;
            (*page)
                .gc_counts
                .add((offset / (*page).block_size) as usize)
        }
    }
}

/// Whether all that a page has handed out is on the free list, by the count taken.
unsafe fn is_all_free(page: *mut Page) -> bool {
    // SAFETY: the caller passes a page of the heap.
    unsafe {
        let handed_out = ((*page).fresh as usize - FIRST_BLOCK) as u32;
        (*page).free == handed_out / (*page).block_size
    }
}
fn page_of(block: *mut FreeBlock) -> *mut Page {
    (block as usize & !(PAGE_SIZE - 1)) as *mut Page
}
fn gc_layout(block_size: u32) -> Layout {
    let blocks = PAGE_SIZE / block_size as usize;
    Layout::array::<u32>(blocks).unwrap_or(Layout::new::<u32>())
}

#[cfg(all(test, not(feature = "system-heap")))]
mod tests {
    use super::*;

    #[test]
    fn empty_pages_serve_another_class() {
        let heap = Heap::new();
        let fill = |size: usize| -> Vec<_> {
            (0..10 * PAGE_SIZE / size)
                .map(|_| heap.alloc_raw(size).expect("memory"))
                .collect()
        };
        let blocks = fill(64);
        let used = heap.used();
        assert!(used >= 10 * PAGE_SIZE);
        heap.release_empty_pages();
        assert_eq!(heap.used(), used, "all are in use");
        let (kept, rest) = blocks.split_at(1);
        // SAFETY: blocks of this heap and size, not used again.
        rest.iter()
            .for_each(|block| unsafe { heap.free_raw(block.as_ptr(), 64) });
        heap.release_empty_pages();
        // The page of the block that is kept and the one carved from.
        assert_eq!(heap.used(), 2 * PAGE_SIZE);
        let others = fill(128);
        assert!(heap.used() <= used + 2 * PAGE_SIZE);
        assert!(!others.contains(&kept[0]));
    }
}
