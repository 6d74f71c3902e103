//! `deque`: a ring of slot's words. Layout, and what adds, takes and moves items; Python-visible methods are in
//! `deque_methods.rs`, iterators in `deque_iter.rs`.

use super::{deque_methods as methods, unhashable};
use crate::object::number::nb;
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, sequence,
};
use crate::runtime::thread::Thread;
use std::cell::Cell;

#[repr(C)]
pub(super) struct Deque {
    pub(super) header: Header,
    /// `capacity` words, a power of two or zero; those of the ring are initialised.
    items: Cell<*mut Word>,
    capacity: Cell<usize>,
    head: Cell<usize>,
    length: Cell<usize>,
    /// Changes whenever items come or go: iterators look at it.
    pub(super) state: Cell<usize>,
    /// `usize::MAX` for none.
    pub(super) limit: Cell<usize>,
}

pub(super) fn spec(vm: Vm) -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::SEQUENCE | type_flag::WEAKREF,
        methods: &methods::METHODS,
        getset: &methods::GETSET,
        ..TypeSpec::new::<Deque>(
            "collections.deque",
            Kind::OTHER,
            Slots {
                dealloc,
                traverse: Some(traverse),
                clear: Some(|vm, object| unsafe { &*object.cast::<Deque>() }.clear(vm)),
                repr: Some(methods::repr),
                hash: unhashable(vm),
                richcompare: Some(methods::compare),
                iter: Some(super::deque_iter::iter),
                len: Some(|_, this| Ok(of(this).len())),
                getitem: Some(methods::get_item),
                setitem: Some(methods::set_item),
                contains: Some(methods::contains),
                concat: Some(methods::concat),
                repeat: Some(methods::repeat),
                inplace_concat: Some(methods::inplace_concat),
                inplace_repeat: Some(methods::inplace_repeat),
                nb: [None; nb::SUBSCR],
                init: Some(methods::init),
                new: Some(new_slot),
                ..Slots::EMPTY
            },
        )
    }
}

/// The deque behind a word known to be one.
pub(super) fn of<'a>(word: Word) -> &'a Deque {
    // SAFETY: methods and slots of the type are called with its instances only; all fields are cells.
    unsafe { &*word.cast::<Deque>() }
}
pub(super) fn is_deque(vm: Vm, word: Word) -> bool {
    vm.is_instance(word, Thread::of(vm).module_types.deque.get())
}

fn new_slot(vm: Vm, ty: *mut TypeObject, _: &[Word], _: Option<Word>) -> PyResult {
    new(vm, ty, usize::MAX)
}
pub(super) fn new(vm: Vm, ty: *mut TypeObject, limit: usize) -> PyResult {
    // SAFETY: the type is laid out so; everything is written, the header as it was.
    unsafe {
        let object = vm.alloc_instance::<Deque>(ty, size_of::<Deque>())?;
        let header = std::ptr::read(object.cast::<Header>());
        object.write(Deque {
            header,
            items: Cell::new(std::ptr::null_mut()),
            capacity: Cell::new(0),
            head: Cell::new(0),
            length: Cell::new(0),
            state: Cell::new(0),
            limit: Cell::new(limit),
        });
        Ok(Owned::from_raw(object))
    }
}

impl Deque {
    pub(super) fn len(&self) -> usize {
        self.length.get()
    }
    fn changed(&self) {
        self.state.set(self.state.get().wrapping_add(1));
    }
    /// Where an item stands.
    fn place(&self, index: usize) -> *mut Word {
        let mask = self.capacity.get() - 1;
        self.items
            .get()
            .wrapping_add(self.head.get().wrapping_add(index) & mask)
    }
    /// The item at an index below the length, borrowed.
    pub(super) fn at(&self, index: usize) -> Word {
        debug_assert!(index < self.len());
        // SAFETY: the items of the ring are initialised.
        unsafe { *self.place(index) }
    }
    pub(super) fn get(&self, index: usize) -> Option<Owned> {
        (index < self.len()).then(|| Owned::new_ref(self.at(index)))
    }
    /// Puts another item in an item's place.
    pub(super) fn replace(&self, index: usize, value: Owned) {
        // SAFETY: an item of the ring; the old one goes last.
        unsafe {
            let place = self.place(index);
            let old = *place;
            place.write(value.into_slot());
            old.release_slot();
        }
    }

    fn set_capacity(&self, vm: Vm, capacity: usize) -> Result<(), Raised> {
        let length = self.len();
        let size = capacity
            .checked_mul(size_of::<Word>())
            .ok_or_else(|| vm.no_memory())?;
        let block = vm.alloc_raw(size)?.as_ptr().cast::<Word>();
        // SAFETY: the new block holds all items; the words move.
        unsafe {
            for index in 0..length {
                block.add(index).write(self.at(index));
            }
        }
        self.free_block(vm);
        self.items.set(block);
        self.capacity.set(capacity);
        self.head.set(0);
        Ok(())
    }
    fn free_block(&self, vm: Vm) {
        if self.capacity.get() != 0 {
            // SAFETY: the block has that size, and nobody has its items any more.
            unsafe {
                vm.heap.free_raw(
                    self.items.get().cast(),
                    self.capacity.get() * size_of::<Word>(),
                );
            }
        }
    }
    fn make_room(&self, vm: Vm) -> Result<(), Raised> {
        if self.len() < self.capacity.get() {
            return Ok(());
        }
        let wanted = self.capacity.get().saturating_mul(2);
        self.set_capacity(vm, wanted.max(8))
    }
    /// Gives room back when most of it is empty. What cannot be had smaller stays.
    fn shrink(&self, vm: Vm) {
        let capacity = self.capacity.get();
        if capacity > 64
            && self.len() < capacity / 8
            && self.set_capacity(vm, capacity / 4).is_err()
        {
            vm.clear_exception();
        }
    }

    /// Adds at the right end; over the limit the leftmost item goes.
    pub(super) fn append(&self, vm: Vm, value: Owned) -> Result<(), Raised> {
        if self.limit.get() == 0 {
            return Ok(());
        }
        self.make_room(vm)?;
        let length = self.len();
        // SAFETY: a free place of the ring.
        unsafe { self.place(length).write(value.into_slot()) };
        self.length.set(length + 1);
        if length + 1 > self.limit.get() {
            drop(self.pop_left(vm));
        } else {
            self.changed();
        }
        Ok(())
    }
    pub(super) fn append_left(&self, vm: Vm, value: Owned) -> Result<(), Raised> {
        if self.limit.get() == 0 {
            return Ok(());
        }
        self.make_room(vm)?;
        self.head
            .set(self.head.get().wrapping_sub(1) & (self.capacity.get() - 1));
        // SAFETY: as above.
        unsafe { self.place(0).write(value.into_slot()) };
        self.length.set(self.len() + 1);
        if self.len() > self.limit.get() {
            drop(self.pop(vm));
        } else {
            self.changed();
        }
        Ok(())
    }
    pub(super) fn pop(&self, vm: Vm) -> Option<Owned> {
        let last = self.len().checked_sub(1)?;
        // SAFETY: an item, taken out.
        let item = unsafe { Owned::from_slot(self.at(last)) };
        self.length.set(last);
        self.changed();
        self.shrink(vm);
        Some(item)
    }
    pub(super) fn pop_left(&self, vm: Vm) -> Option<Owned> {
        if self.len() == 0 {
            return None;
        }
        // SAFETY: an item, taken out.
        let item = unsafe { Owned::from_slot(self.at(0)) };
        self.head
            .set((self.head.get() + 1) & (self.capacity.get() - 1));
        self.length.set(self.len() - 1);
        self.changed();
        self.shrink(vm);
        Some(item)
    }

    /// Moves items from the right end to the left, or the other way round for less than nothing.
    pub(super) fn rotate(&self, by: isize) {
        let length = self.len();
        if length < 2 {
            return;
        }
        let right = by.rem_euclid(length as isize) as usize;
        if right == 0 {
            return;
        }
        let mask = self.capacity.get() - 1;
        // SAFETY: items of the ring move to free places of it, or to where they are.
        unsafe {
            if right <= length / 2 {
                for _ in 0..right {
                    let item = *self.place(length - 1);
                    self.head.set(self.head.get().wrapping_sub(1) & mask);
                    self.place(0).write(item);
                }
            } else {
                for _ in 0..length - right {
                    let item = *self.place(0);
                    self.head.set((self.head.get() + 1) & mask);
                    self.place(length - 1).write(item);
                }
            }
        }
        self.changed();
    }
    pub(super) fn reverse(&self) {
        let length = self.len();
        for index in 0..length / 2 {
            // SAFETY: two items of the ring.
            unsafe { std::ptr::swap(self.place(index), self.place(length - 1 - index)) };
        }
    }
    /// Takes out the item at an index below the length.
    pub(super) fn remove(&self, vm: Vm, index: usize) -> Option<Owned> {
        self.rotate(-(index as isize));
        let item = self.pop_left(vm);
        self.rotate(index as isize);
        item
    }
    /// Takes everything out before releasing it: that may run code which looks here.
    pub(super) fn clear(&self, vm: Vm) {
        let (items, capacity) = (self.items.get(), self.capacity.get());
        let (head, length) = (self.head.get(), self.len());
        if capacity == 0 {
            return;
        }
        self.items.set(std::ptr::null_mut());
        self.capacity.set(0);
        self.head.set(0);
        self.length.set(0);
        self.changed();
        // SAFETY: the items of the old ring, and its block.
        unsafe {
            for index in 0..length {
                (*items.add((head + index) & (capacity - 1))).release_slot();
            }
            vm.heap.free_raw(items.cast(), capacity * size_of::<Word>());
        }
    }

    /// Adds all items of an iterable at the right end, or one by one at the left.
    pub(super) fn extend(
        &self,
        vm: Vm,
        own: Word,
        iterable: Word,
        left: bool,
    ) -> Result<(), Raised> {
        let add = |item: Owned| {
            if left {
                self.append_left(vm, item)
            } else {
                self.append(vm, item)
            }
        };
        if iterable.is(own) {
            return self.all().into_iter().try_for_each(add);
        }
        sequence::for_each(vm, iterable, add)
    }
    /// All items, counted.
    pub(super) fn all(&self) -> Vec<Owned> {
        (0..self.len())
            .filter_map(|index| self.get(index))
            .collect()
    }
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        (*object.cast::<Deque>()).clear(vm);
        vm.free(object);
    }
}
/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    let deque = unsafe { &*object.cast::<Deque>() };
    (0..deque.len()).for_each(|index| visit(deque.at(index)));
}
