//! The stack of frames: chunks in a chain, one kept in reserve (`push_chunk`, `_PyThreadState_PushFrame`).

use crate::object::{Vm, Word};
use std::cell::Cell;
use std::ptr::null_mut;

/// Words of an ordinary chunk (`_PY_DATA_STACK_CHUNK_SIZE`, 16 KiB).
pub const CHUNK_WORDS: usize = 2048;
/// Words above the limit that a frame may use without asking: specialised calls compare once and push frames up to this
/// size. Larger frames take the general path, which asks for what they need.
pub const HEADROOM: usize = 256;
/// Words behind a frame's stack that handlers may write before the stack pointer moves (a conditional output, words
/// waiting to be released).
pub const SLACK: usize = 4;

struct Chunk {
    previous: *mut Chunk,
    words: usize,
}
const CHUNK_HEADER: usize = size_of::<Chunk>() / 8;

/// Chunks of one thread. `limit` is in the thread, beside what the handlers compare with it.
pub struct DataStack {
    current: Cell<*mut Chunk>,
    reserve: Cell<*mut Chunk>,
    /// Chunks taken from the heap so far: what the reserve keeps low.
    pub allocated: Cell<u64>,
}

impl DataStack {
    pub const fn new() -> DataStack {
        DataStack {
            current: Cell::new(null_mut()),
            reserve: Cell::new(null_mut()),
            allocated: Cell::new(0),
        }
    }

    /// A new chunk with room for `words` above its headroom; its first free word and its limit. None without memory.
    pub fn push_chunk(&self, vm: Vm, words: usize) -> Option<(*mut Word, *mut Word)> {
        let mut size = CHUNK_WORDS;
        while size < words + HEADROOM + CHUNK_HEADER + SLACK {
            size = size.checked_mul(2)?;
        }
        let reserve = self.reserve.get();
        // SAFETY: chunks in `reserve` and `current` came from below and are live.
        unsafe {
            let chunk = if !reserve.is_null() && (*reserve).words >= size {
                self.reserve.set(null_mut());
                reserve
            } else {
                self.allocated.set(self.allocated.get() + 1);
                let chunk: *mut Chunk = vm.heap.alloc_raw(size * 8)?.as_ptr().cast();
                (*chunk).words = size;
                chunk
            };
            (*chunk).previous = self.current.get();
            self.current.set(chunk);
            let base = chunk.cast::<Word>();
            let words = (*chunk).words;
            Some((base.add(CHUNK_HEADER), base.add(words - HEADROOM - SLACK)))
        }
    }

    /// Leaves the newest chunk, keeps it in reserve, and gives the limit of the one below: null below the first.
    ///
    /// # Safety
    /// No frame is left in the newest chunk.
    pub unsafe fn pop_chunk(&self, vm: Vm) -> *mut Word {
        unsafe {
            let chunk = self.current.get();
            let below = (*chunk).previous;
            self.current.set(below);
            let old = self.reserve.replace(chunk);
            if !old.is_null() {
                vm.heap.free_raw(old.cast(), (*old).words * 8);
            }
            if below.is_null() {
                return null_mut();
            }
            below.cast::<Word>().add((*below).words - HEADROOM - SLACK)
        }
    }
}

impl Default for DataStack {
    fn default() -> DataStack {
        DataStack::new()
    }
}
