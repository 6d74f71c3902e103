//! Blocks above the size classes: each from the system's allocator, in a list by which they are enumerated and freed.

use super::header::{Kind, Object};
use super::heap::{Heap, MAX_SMALL};
use std::alloc::{Layout, alloc, dealloc, realloc};
use std::ptr::{NonNull, null_mut};

/// In front of every large block.
#[repr(C, align(16))]
pub(super) struct Large {
    pub prev: *mut Large,
    pub next: *mut Large,
    /// Payload bytes.
    pub size: usize,
    pub is_object: bool,
    pub gc_count: u32,
}

pub(super) const LARGE_HEADER: usize = size_of::<Large>();

pub(super) fn large_layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(LARGE_HEADER)?, 16).ok()
}

impl Heap {
    #[inline(never)]
    pub(super) fn alloc_large(&self, size: usize, is_object: bool) -> Option<NonNull<u8>> {
        let layout = large_layout(size)?;
        self.account(size)?;
        // SAFETY: the layout has a size; the header is written before anything reads it.
        unsafe {
            let large = alloc(layout) as *mut Large;
            if large.is_null() {
                self.used.set(self.used.get() - size);
                return None;
            }
            large.write(Large {
                prev: null_mut(),
                next: null_mut(),
                size,
                is_object,
                gc_count: 0,
            });
            self.link_large(large);
            let block = (large as *mut u8).add(LARGE_HEADER);
            if is_object {
                // Not an object yet: enumeration must not see one.
                (*(block as *mut Object)).kind.set(Kind::FREE);
                if MAX_SMALL == 0 {
                    self.count_carved(1);
                }
            }
            NonNull::new(block)
        }
    }
    unsafe fn link_large(&self, large: *mut Large) {
        unsafe {
            let first = self.large.get();
            (*large).prev = null_mut();
            (*large).next = first;
            if !first.is_null() {
                (*first).prev = large;
            }
            self.large.set(large);
        }
    }
    unsafe fn unlink_large(&self, large: *mut Large) {
        unsafe {
            let (prev, next) = ((*large).prev, (*large).next);
            if prev.is_null() {
                self.large.set(next);
            } else {
                (*prev).next = next;
            }
            if !next.is_null() {
                (*next).prev = prev;
            }
        }
    }
    #[inline(never)]
    pub(super) unsafe fn free_large(&self, block: *mut u8) {
        unsafe {
            let large = block.sub(LARGE_HEADER) as *mut Large;
            self.unlink_large(large);
            let size = (*large).size;
            self.used.set(self.used.get() - size);
            dealloc(large.cast(), large_layout(size).unwrap_unchecked());
        }
    }
    #[inline(never)]
    pub(super) unsafe fn realloc_large(&self, block: *mut u8, new: usize) -> Option<NonNull<u8>> {
        unsafe {
            let large = block.sub(LARGE_HEADER) as *mut Large;
            let old = (*large).size;
            let layout = large_layout(new)?;
            if new > old {
                self.account(new - old)?;
            }
            self.unlink_large(large);
            let moved = realloc(
                large.cast(),
                large_layout(old).unwrap_unchecked(),
                layout.size(),
            ) as *mut Large;
            if moved.is_null() {
                self.link_large(large);
                if new > old {
                    self.used.set(self.used.get() - (new - old));
                }
                return None;
            }
            if new < old {
                self.used.set(self.used.get() - (old - new));
            }
            (*moved).size = new;
            self.link_large(moved);
            NonNull::new((moved as *mut u8).add(LARGE_HEADER))
        }
    }
}
