//! Native objects that are a few words and plain fields: one definition gives layout, freeing and collecting.

use crate::object::types::{ClearFn, DeallocFn, TraverseFn};
use crate::object::{Header, Object, Owned, PyResult, TypeObject, Vm, Word, exc};
use std::cell::Cell;

/// A place of a record for a slot's word, or for nothing.
pub type Place = Cell<Option<Word>>;

/// A native layout of places and plain fields.
///
/// # Safety
/// `#[repr(C)]` with the header first; `each` shows every place.
pub unsafe trait Record: Sized {
    fn each(&self, visit: &mut dyn FnMut(&Place));
    /// Gives back what is no place, when the object is freed.
    fn release(&self, _: Vm) {}
}

/// Defines a record: its places, then its plain fields.
macro_rules! record {
    ($(#[$doc:meta])* $name:ident { $($(#[$place_doc:meta])* $place:ident),* $(; $($(#[$field_doc:meta])* $field:ident: $type:ty),*)? } $(release $release:expr)?) => {
        $(#[$doc])*
        #[repr(C)]
        pub(super) struct $name {
            pub(super) header: $crate::object::Header,
            $($(#[$place_doc])* pub(super) $place: $crate::runtime::modules::record::Place,)*
            $($($(#[$field_doc])* pub(super) $field: $type,)*)?
        }
        // SAFETY: the layout above, and all places of it.
        unsafe impl $crate::runtime::modules::record::Record for $name {
            fn each(&self, visit: &mut dyn FnMut(&$crate::runtime::modules::record::Place)) {
                let _ = &visit;
                $(visit(&self.$place);)*
            }
            $(fn release(&self, vm: $crate::object::Vm) { ($release)(self, vm) })?
        }
    };
}
pub(super) use record;

/// The record behind a word of its type. Its fields are cells or never change.
#[inline]
pub fn of<'a, T: Record>(word: Word) -> &'a T {
    // SAFETY: methods and slots of a type are called with its instances only.
    unsafe { &*word.cast::<T>() }
}

/// A new object of a type that is laid out as `T`; `fill` gives the fields to the header.
pub fn new<T: Record>(vm: Vm, ty: *mut TypeObject, fill: impl FnOnce(Header) -> T) -> PyResult {
    // SAFETY: the caller's type is laid out so; everything is written, the header as it was.
    unsafe {
        let object = vm.alloc_instance::<T>(ty, size_of::<T>())?;
        let header = std::ptr::read(object.cast::<Header>());
        object.write(fill(header));
        Ok(Owned::from_raw(object))
    }
}

/// A place that holds this.
pub fn place(value: Owned) -> Place {
    Cell::new(Some(value.into_slot()))
}
/// A place that holds a new reference.
pub fn place_ref(word: Word) -> Place {
    place(Owned::new_ref(word))
}
/// A place that holds this, or nothing.
pub fn place_opt(word: Option<Word>) -> Place {
    Cell::new(word.map(|word| Owned::new_ref(word).into_slot()))
}
/// What a place holds, counted: the place may change meanwhile.
#[inline]
pub fn held(place: &Place) -> Option<Owned> {
    place.get().map(Owned::new_ref)
}
/// What a place holds; it holds nothing afterwards.
pub fn take(place: &Place) -> Option<Owned> {
    // SAFETY: a slot's word, taken out.
    place.take().map(|word| unsafe { Owned::from_slot(word) })
}
/// Puts a value into a place and releases the one before.
pub fn put(place: &Place, value: Owned) {
    let old = place.replace(Some(value.into_slot()));
    if let Some(old) = old {
        // SAFETY: a slot's word, overwritten.
        unsafe { old.release_slot() }
    }
}
/// Empties a place.
pub fn empty(place: &Place) {
    exc::replace(place, None);
}

/// The slots that free and collect a record.
pub const fn memory_slots<T: Record>() -> (DeallocFn, Option<TraverseFn>, Option<ClearFn>) {
    (dealloc::<T>, Some(traverse::<T>), Some(clear::<T>))
}

/// # Safety
/// As [`crate::object::header::dealloc`].
pub unsafe fn dealloc<T: Record>(vm: Vm, object: *mut Object) {
    unsafe {
        let record = &*object.cast::<T>();
        record.each(&mut empty);
        record.release(vm);
        vm.free(object);
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
pub unsafe fn traverse<T: Record>(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { &*object.cast::<T>() }.each(&mut |place| {
        if let Some(word) = place.get() {
            visit(word);
        }
    });
}

/// # Safety
/// As [`crate::object::types::ClearFn`].
pub unsafe fn clear<T: Record>(_: Vm, object: *mut Object) {
    unsafe { &*object.cast::<T>() }.each(&mut empty);
}

/// Numbers of a record, in a block of the VM's heap.
pub struct Numbers {
    block: *mut usize,
    length: usize,
}

impl Numbers {
    pub fn new(vm: Vm, values: &[usize]) -> Result<Numbers, crate::object::Raised> {
        let block = if values.is_empty() {
            std::ptr::null_mut()
        } else {
            let block = vm.alloc_raw(size_of_val(values))?.as_ptr().cast::<usize>();
            // SAFETY: a block of that size, just made.
            unsafe { block.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
            block
        };
        Ok(Numbers {
            block,
            length: values.len(),
        })
    }
    /// The numbers, for a stretch of code that calls nothing.
    #[expect(
        clippy::mut_from_ref,
        reason = "fields of objects change behind shared references; one slice at a time"
    )]
    pub fn slice(&self) -> &mut [usize] {
        if self.length == 0 {
            return &mut [];
        }
        // SAFETY: the block holds that many numbers; the VM is on one thread, and users keep one slice at a time.
        unsafe { std::slice::from_raw_parts_mut(self.block, self.length) }
    }
    pub fn release(&self, vm: Vm) {
        if self.length != 0 {
            // SAFETY: called once, when the object is freed.
            unsafe {
                vm.heap
                    .free_raw(self.block.cast(), self.length * size_of::<usize>());
            }
        }
    }
}
