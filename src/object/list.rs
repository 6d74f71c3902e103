//! `list`: a growing array of slot's words. Methods are in `list_methods.rs`, sorting in `list_sort.rs`.

use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::vm::Vm;
use super::word::Word;
use std::ptr::null_mut;

/// `PyListObject`.
#[repr(C)]
pub struct ListObject {
    pub header: Header,
    /// Points to nothing if `capacity` is zero.
    pub items: *mut Word,
    pub length: usize,
    pub capacity: usize,
}

const _: () = {
    use std::mem::offset_of;
    assert!(offset_of!(ListObject, items) == 16 && offset_of!(ListObject, length) == 24);
    assert!(offset_of!(ListObject, capacity) == 32 && size_of::<ListObject>() == 40);
};

#[inline(always)]
pub fn is_list(word: Word) -> bool {
    word.is_instance(Kind::LIST)
}

/// The items of a list as they are now; gone when the list changes.
///
/// # Safety
/// `word` is a list, unchanged while the slice is used: contract of [`Word`].
#[inline(always)]
pub unsafe fn items<'a>(word: Word) -> &'a [Word] {
    debug_assert!(is_list(word));
    unsafe { (*word.cast::<ListObject>()).as_slice() }
}
#[inline(always)]
pub fn len(word: Word) -> usize {
    debug_assert!(is_list(word));
    // SAFETY: contract of Word.
    unsafe { (*word.cast::<ListObject>()).length }
}

impl ListObject {
    #[inline(always)]
    pub fn as_slice(&self) -> &[Word] {
        if self.items.is_null() {
            &[]
        } else {
            // SAFETY: `length` items are initialised.
            unsafe { std::slice::from_raw_parts(self.items, self.length) }
        }
    }
}

impl Vm {
    /// An empty list with room for `capacity` items (`PyList_New`, but its length is zero).
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub fn new_list_with_capacity(self, capacity: usize) -> Result<*mut ListObject, Raised> {
        // SAFETY: list is laid out as ListObject.
        unsafe {
            let items = match capacity {
                0 => null_mut(),
                _ => {
                    let size = capacity
                        .checked_mul(size_of::<Word>())
                        .ok_or_else(|| self.no_memory())?;
                    self.alloc_raw(size)?.as_ptr().cast::<Word>()
                }
            };
            match self.alloc::<ListObject>(self.types.list) {
                Ok(list) => {
                    (*list).items = items;
                    (*list).length = 0;
                    (*list).capacity = capacity;
                    Ok(list)
                }
                Err(raised) => {
                    if capacity != 0 {
                        self.heap
                            .free_raw(items.cast(), capacity * size_of::<Word>());
                    }
                    Err(raised)
                }
            }
        }
    }
    /// A list of new references to these values.
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub fn new_list(self, items: &[Word]) -> PyResult {
        let list = self.new_list_with_capacity(items.len())?;
        // SAFETY: room for the items was made.
        unsafe {
            for item in items {
                (*list)
                    .items
                    .add((*list).length)
                    .write(item.borrow().to_slot());
                (*list).length += 1;
            }
            Ok(Owned::from_raw(list))
        }
    }
    /// A list that takes over stack words, also on failure.
    ///
    /// # Safety
    /// Contract of [`Word`]: the words are consumed.
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub unsafe fn list_from_stack(self, items: &[Word]) -> PyResult {
        unsafe {
            match self.new_list_with_capacity(items.len()) {
                Ok(list) => {
                    for (index, item) in items.iter().enumerate() {
                        (*list).items.add(index).write(item.to_slot());
                    }
                    (*list).length = items.len();
                    Ok(Owned::from_raw(list))
                }
                Err(raised) => {
                    items.iter().for_each(|item| item.close());
                    Err(raised)
                }
            }
        }
    }
    /// A list of owned values.
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub fn list_from_owned(self, items: Vec<Owned>) -> PyResult {
        let list = self.new_list_with_capacity(items.len())?;
        // SAFETY: room for the items was made.
        unsafe {
            for item in items {
                (*list).items.add((*list).length).write(item.into_slot());
                (*list).length += 1;
            }
            Ok(Owned::from_raw(list))
        }
    }
}

/// Appends a stack word, owned or borrowed, consuming it also on failure (`_PyList_AppendTakeRef`).
///
/// # Safety
/// Contract of [`Word`]; `list` is live.
#[inline(always)]
pub unsafe fn append(vm: Vm, list: *mut ListObject, item: Word) -> Result<(), Raised> {
    unsafe {
        let length = (*list).length;
        if length < (*list).capacity {
            (*list).items.add(length).write(item.to_slot());
            (*list).length = length + 1;
            return Ok(());
        }
        append_slow(vm, list, item)
    }
}

/// # Safety
/// As [`append`].
#[cold]
#[inline(never)]
unsafe fn append_slow(vm: Vm, list: *mut ListObject, item: Word) -> Result<(), Raised> {
    unsafe {
        let length = (*list).length;
        if let Err(raised) = reserve(vm, list, length + 1) {
            item.close();
            return Err(raised);
        }
        (*list).items.add(length).write(item.to_slot());
        (*list).length = length + 1;
        Ok(())
    }
}

/// Makes room for `length` items, with CPython's growth (`list_resize`).
///
/// # Safety
/// `list` is live; slices of its items are gone afterwards.
pub unsafe fn reserve(vm: Vm, list: *mut ListObject, length: usize) -> Result<(), Raised> {
    unsafe {
        if length <= (*list).capacity {
            return Ok(());
        }
        let mut capacity = length
            .checked_add((length >> 3) + 6)
            .ok_or_else(|| vm.no_memory())?
            & !3;
        if length - (*list).length > capacity - length {
            capacity = length.checked_add(3).ok_or_else(|| vm.no_memory())? & !3;
        }
        set_capacity(vm, list, capacity)
    }
}

/// # Safety
/// `list` is live and its length fits.
unsafe fn set_capacity(vm: Vm, list: *mut ListObject, capacity: usize) -> Result<(), Raised> {
    unsafe {
        let size = capacity
            .checked_mul(size_of::<Word>())
            .ok_or_else(|| vm.no_memory())?;
        let old = (*list).capacity * size_of::<Word>();
        let block = if old == 0 {
            vm.heap.alloc_raw(size)
        } else {
            vm.heap.realloc_raw((*list).items.cast(), old, size)
        };
        (*list).items = block.ok_or_else(|| vm.no_memory())?.as_ptr().cast();
        (*list).capacity = capacity;
        Ok(())
    }
}

/// Gives back room after items were taken out, as `list_resize` does below half.
///
/// # Safety
/// `list` is live; slices of its items are gone afterwards.
pub(super) unsafe fn shrink(vm: Vm, list: *mut ListObject) {
    unsafe {
        let (length, capacity) = ((*list).length, (*list).capacity);
        if length >= capacity / 2 {
            return;
        }
        if length == 0 {
            vm.heap
                .free_raw((*list).items.cast(), capacity * size_of::<Word>());
            (*list).items = null_mut();
            (*list).capacity = 0;
        } else {
            let wanted = (length + (length >> 3) + 6) & !3;
            // A smaller block that cannot be had leaves the larger one.
            if let Some(block) = vm.heap.realloc_raw(
                (*list).items.cast(),
                capacity * size_of::<Word>(),
                wanted * size_of::<Word>(),
            ) {
                (*list).items = block.as_ptr().cast();
                (*list).capacity = wanted;
            }
        }
    }
}

/// Takes all items out before releasing them, since a finalizer may look at the list (`list_clear`).
///
/// # Safety
/// `list` is live.
pub unsafe fn clear(vm: Vm, list: *mut ListObject) {
    unsafe {
        let (items, length, capacity) = ((*list).items, (*list).length, (*list).capacity);
        if capacity == 0 {
            return;
        }
        (*list).items = null_mut();
        (*list).length = 0;
        (*list).capacity = 0;
        for index in (0..length).rev() {
            (*items.add(index)).release_slot();
        }
        vm.heap.free_raw(items.cast(), capacity * size_of::<Word>());
    }
}

/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn list_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        clear(vm, object.cast());
        vm.free(object);
    }
}

/// # Safety
/// As [`super::types::TraverseFn`].
pub(super) unsafe fn list_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { (*(object as *mut ListObject)).as_slice() }
        .iter()
        .copied()
        .for_each(visit);
}

/// # Safety
/// As [`super::types::ClearFn`].
pub(super) unsafe fn list_gc_clear(vm: Vm, object: *mut Object) {
    unsafe { clear(vm, object.cast()) }
}
