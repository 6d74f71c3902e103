//! `tuple`: items inline, each a slot's word. Methods and operators are in `tuple_methods.rs`.

use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::vm::Vm;
use super::word::Word;
use std::cell::Cell;

/// `PyTupleObject`; the items follow.
#[repr(C)]
pub struct TupleObject {
    pub header: Header,
    pub length: usize,
    /// -1 until computed.
    pub hash: Cell<i64>,
    items: [Word; 0],
}

/// Offset of the first item.
pub const ITEMS_OFFSET: usize = size_of::<TupleObject>();
const _: () = assert!(ITEMS_OFFSET == 32 && std::mem::offset_of!(TupleObject, length) == 16);

impl TupleObject {
    /// The first item's slot.
    #[inline(always)]
    pub fn items_ptr(&self) -> *mut Word {
        (&raw const *self as *mut u8)
            .wrapping_add(ITEMS_OFFSET)
            .cast()
    }
}

#[inline(always)]
pub fn is_tuple(word: Word) -> bool {
    word.is_instance(Kind::TUPLE)
}

/// The items of a tuple, as slot's words to be borrowed.
///
/// # Safety
/// `word` is a tuple that outlives the slice: contract of [`Word`].
#[inline(always)]
pub unsafe fn items<'a>(word: Word) -> &'a [Word] {
    debug_assert!(is_tuple(word));
    unsafe {
        let tuple = word.cast::<TupleObject>();
        std::slice::from_raw_parts((*tuple).items_ptr(), (*tuple).length)
    }
}

/// Bytes of a tuple's block. A slice of words that exists is small enough not to overflow here.
#[inline(always)]
fn block_size(length: usize) -> usize {
    length
        .saturating_mul(size_of::<Word>())
        .saturating_add(ITEMS_OFFSET)
}

impl Vm {
    #[inline]
    pub fn empty_tuple(self) -> Owned {
        Owned::new_ref(self.empty_tuple)
    }
    /// A tuple of `length` items for the caller to fill, each with a slot's word that it gives up, before anything
    /// else is done (`PyTuple_New`).
    ///
    /// # Safety
    /// All items are written; `length` is not zero.
    #[inline]
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub unsafe fn alloc_tuple(self, length: usize) -> Result<*mut TupleObject, Raised> {
        unsafe {
            let tuple = self.alloc_sized::<TupleObject>(self.types.tuple, block_size(length))?;
            (*tuple).length = length;
            (*tuple).hash = Cell::new(-1);
            Ok(tuple)
        }
    }
    /// A tuple of new references to these values.
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub fn new_tuple(self, items: &[Word]) -> PyResult {
        if items.is_empty() {
            return Ok(self.empty_tuple());
        }
        // SAFETY: all items are written.
        unsafe {
            let tuple = self.alloc_tuple(items.len())?;
            for (index, item) in items.iter().enumerate() {
                (*tuple)
                    .items_ptr()
                    .add(index)
                    .write(item.borrow().to_slot());
            }
            Ok(Owned::from_raw(tuple))
        }
    }
    /// A tuple that takes over stack words, owned or borrowed (`_PyTuple_FromStackRefStealOnSuccess`, and on failure too).
    ///
    /// # Safety
    /// Contract of [`Word`]: the words are consumed.
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub unsafe fn tuple_from_stack(self, items: &[Word]) -> PyResult {
        unsafe {
            if items.is_empty() {
                return Ok(self.empty_tuple());
            }
            match self.alloc_tuple(items.len()) {
                Ok(tuple) => {
                    for (index, item) in items.iter().enumerate() {
                        (*tuple).items_ptr().add(index).write(item.to_slot());
                    }
                    Ok(Owned::from_raw(tuple))
                }
                Err(raised) => {
                    items.iter().for_each(|item| item.close());
                    Err(raised)
                }
            }
        }
    }
    /// A tuple of owned values.
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub fn tuple_from_owned(self, items: Vec<Owned>) -> PyResult {
        if items.is_empty() {
            return Ok(self.empty_tuple());
        }
        // SAFETY: all items are written.
        unsafe {
            let tuple = self.alloc_tuple(items.len())?;
            for (index, item) in items.into_iter().enumerate() {
                (*tuple).items_ptr().add(index).write(item.into_slot());
            }
            Ok(Owned::from_raw(tuple))
        }
    }
}

/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn tuple_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let tuple = object as *mut TupleObject;
        for index in (0..(*tuple).length).rev() {
            (*(*tuple).items_ptr().add(index)).release_slot();
        }
        vm.free(object);
    }
}

/// # Safety
/// As [`super::types::TraverseFn`].
pub(super) unsafe fn tuple_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { items(Word::from_borrowed(object)) }
        .iter()
        .copied()
        .for_each(visit);
}
