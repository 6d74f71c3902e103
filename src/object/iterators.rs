//! Iterators over lists, tuples, strings and anything with `__getitem__` (`iterobject.c`, `listobject.c`,
//! `tupleobject.c`).

use super::call;
use super::descr::{MethodDef, meth};
use super::exc::replace;
use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, Slots, TypeObject, TypeSpec};
use super::vm::Vm;
use super::word::Word;
use super::{list, number, protocol, sequence, str, tuple};
use std::cell::Cell;

/// An iterator over something by index: `_PyListIterObject`, `_PyTupleIterObject` and the like.
#[repr(C)]
pub struct IndexIterator {
    pub header: Header,
    /// A slot's word; None when it has run out.
    pub sequence: Cell<Option<Word>>,
    pub index: Cell<usize>,
}
const _: () = {
    assert!(
        std::mem::offset_of!(IndexIterator, sequence) == 16
            && std::mem::offset_of!(IndexIterator, index) == 24
    );
};

#[inline(always)]
fn object<'a>(word: Word) -> &'a IndexIterator {
    // SAFETY: contract of Word; all fields are cells.
    unsafe { &*word.cast() }
}

fn new_iterator(vm: Vm, ty: *mut TypeObject, sequence: Word, index: usize) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let iterator = vm.alloc::<IndexIterator>(ty)?;
        (*iterator).sequence = Cell::new(Some(Owned::new_ref(sequence).into_slot()));
        (*iterator).index = Cell::new(index);
        Ok(Owned::from_raw(iterator))
    }
}
pub(super) fn list_iter(vm: Vm, word: Word) -> PyResult {
    new_iterator(vm, vm.types.list_iterator, word, 0)
}
/// `reversed(list)`: the index is one more than that of the next item.
pub(super) fn list_reversed(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    new_iterator(vm, vm.types.list_reverse_iterator, word, list::len(word))
}
pub(super) fn tuple_iter(vm: Vm, word: Word) -> PyResult {
    new_iterator(vm, vm.types.tuple_iterator, word, 0)
}
pub(super) fn str_iter(vm: Vm, word: Word) -> PyResult {
    new_iterator(vm, vm.types.str_iterator, word, 0)
}
/// Over `o[0]`, `o[1]` and so on (`PySeqIter_New`).
pub fn new_seq_iterator(vm: Vm, word: Word) -> PyResult {
    new_iterator(vm, vm.types.seq_iterator, word, 0)
}

/// Ends an iterator: it gives nothing any more, whatever happens to its sequence.
fn finish(iterator: &IndexIterator) -> Result<Option<Owned>, Raised> {
    replace(&iterator.sequence, None);
    Ok(None)
}

/// The next item of a list iterator (`listiter_next`).
#[inline]
pub fn list_next(_: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    let iterator = object(word);
    let Some(list) = iterator.sequence.get() else {
        return Ok(None);
    };
    let index = iterator.index.get();
    // SAFETY: the iterator keeps the list; the slice is not kept.
    match unsafe { list::items(list) }.get(index) {
        Some(&item) => {
            iterator.index.set(index + 1);
            Ok(Some(Owned::new_ref(item)))
        }
        None => finish(iterator),
    }
}
fn list_reverse_next(_: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    let iterator = object(word);
    let Some(list) = iterator.sequence.get() else {
        return Ok(None);
    };
    let index = iterator.index.get();
    // SAFETY: as above.
    match index
        .checked_sub(1)
        .and_then(|index| unsafe { list::items(list) }.get(index))
    {
        Some(&item) => {
            iterator.index.set(index - 1);
            Ok(Some(Owned::new_ref(item)))
        }
        None => finish(iterator),
    }
}
/// The next item of a tuple iterator (`tupleiter_next`).
#[inline]
pub fn tuple_next(_: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    let iterator = object(word);
    let Some(tuple) = iterator.sequence.get() else {
        return Ok(None);
    };
    let index = iterator.index.get();
    // SAFETY: as above.
    match unsafe { tuple::items(tuple) }.get(index) {
        Some(&item) => {
            iterator.index.set(index + 1);
            Ok(Some(Owned::new_ref(item)))
        }
        None => finish(iterator),
    }
}
fn str_next(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    let iterator = object(word);
    let Some(string) = iterator.sequence.get() else {
        return Ok(None);
    };
    let index = iterator.index.get();
    if index >= str::object(string).length {
        return finish(iterator);
    }
    iterator.index.set(index + 1);
    vm.str_from_char(str::chars(string).at(index)).map(Some)
}
fn seq_next(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    let iterator = object(word);
    let Some(sequence) = iterator.sequence.get().map(Owned::new_ref) else {
        return Ok(None);
    };
    let index = vm.new_int_usize(iterator.index.get())?;
    match sequence::get_item(vm, sequence.as_word(), index.as_word()) {
        Ok(item) => {
            iterator.index.set(iterator.index.get() + 1);
            Ok(Some(item))
        }
        Err(raised) => {
            if vm.exception_matches(vm.exc.IndexError) || vm.exception_matches(vm.exc.StopIteration)
            {
                vm.clear_exception();
                return finish(iterator);
            }
            Err(raised)
        }
    }
}

fn remaining(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let iterator = object(word);
    let Some(sequence) = iterator.sequence.get() else {
        return vm.new_int(0);
    };
    let length = sequence::len(vm, sequence)?;
    vm.new_int_usize(length.saturating_sub(iterator.index.get()))
}
fn reverse_remaining(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let iterator = object(word);
    let Some(list) = iterator.sequence.get() else {
        return vm.new_int(0);
    };
    let index = iterator.index.get();
    vm.new_int_usize(if index <= list::len(list) { index } else { 0 })
}
fn set_state(vm: Vm, word: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let index = number::index_isize(vm, args[0])?;
    if object(word).sequence.get().is_some() {
        object(word).index.set(index.max(0) as usize);
    }
    Ok(Owned::NONE)
}
static METHODS: &[MethodDef] = &[
    MethodDef::new("__length_hint__", meth::NOARGS, remaining),
    MethodDef::new("__setstate__", meth::O, set_state),
];
static REVERSE_METHODS: &[MethodDef] = &[
    MethodDef::new("__length_hint__", meth::NOARGS, reverse_remaining),
    MethodDef::new("__setstate__", meth::O, set_state),
];

unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        replace(&(*(object as *mut IndexIterator)).sequence, None);
        vm.free(object);
    }
}
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { (*(object as *mut IndexIterator)).sequence.get() }
        .into_iter()
        .for_each(visit);
}
/// `iter(iterator)`.
pub(super) fn self_iter(_: Vm, word: Word) -> PyResult {
    Ok(Owned::new_ref(word))
}
const fn spec(
    name: &'static str,
    kind: Kind,
    next: super::types::NextFn,
    methods: &'static [MethodDef],
) -> TypeSpec {
    TypeSpec {
        methods,
        ..TypeSpec::new::<IndexIterator>(
            name,
            kind,
            Slots {
                dealloc,
                traverse: Some(traverse),
                iter: Some(self_iter),
                iternext: Some(next),
                ..Slots::EMPTY
            },
        )
    }
}
pub(super) const fn list_iterator_spec() -> TypeSpec {
    spec("list_iterator", Kind::LIST_ITERATOR, list_next, METHODS)
}
pub(super) const fn list_reverse_iterator_spec() -> TypeSpec {
    spec(
        "list_reverseiterator",
        Kind::OTHER,
        list_reverse_next,
        REVERSE_METHODS,
    )
}
pub(super) const fn tuple_iterator_spec() -> TypeSpec {
    spec("tuple_iterator", Kind::TUPLE_ITERATOR, tuple_next, METHODS)
}
pub(super) const fn str_iterator_spec() -> TypeSpec {
    spec("str_ascii_iterator", Kind::STR_ITERATOR, str_next, METHODS)
}
pub(super) const fn seq_iterator_spec() -> TypeSpec {
    spec("iterator", Kind::SEQ_ITERATOR, seq_next, METHODS)
}

/// `iter(callable, sentinel)` (`calliterobject`).
#[repr(C)]
pub struct CallableIterator {
    pub header: Header,
    /// Slot's words; None when it has run out.
    callable: Cell<Option<Word>>,
    sentinel: Cell<Option<Word>>,
}
/// `PyCallIter_New`.
pub fn new_callable_iterator(vm: Vm, callable: Word, sentinel: Word) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let iterator = vm.alloc::<CallableIterator>(vm.types.callable_iterator)?;
        (*iterator).callable = Cell::new(Some(Owned::new_ref(callable).into_slot()));
        (*iterator).sentinel = Cell::new(Some(Owned::new_ref(sentinel).into_slot()));
        Ok(Owned::from_raw(iterator))
    }
}
fn callable_next(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: contract of Word; all fields are cells.
    let iterator = unsafe { &*word.cast::<CallableIterator>() };
    let Some(callable) = iterator.callable.get().map(Owned::new_ref) else {
        return Ok(None);
    };
    let end = |answer| {
        replace(&iterator.callable, None);
        replace(&iterator.sentinel, None);
        answer
    };
    let value = match call::call(vm, callable.as_word(), &[], None) {
        Ok(value) => value,
        Err(_) if vm.exception_matches(vm.exc.StopIteration) => {
            vm.clear_exception();
            return end(Ok(None));
        }
        Err(raised) => return Err(raised),
    };
    let Some(sentinel) = iterator.sentinel.get().map(Owned::new_ref) else {
        return Ok(None);
    };
    if protocol::rich_compare_bool(vm, sentinel.as_word(), value.as_word(), CompareOp::Eq)? {
        return end(Ok(None));
    }
    Ok(Some(value))
}
unsafe fn callable_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let iterator = object as *mut CallableIterator;
        replace(&(*iterator).callable, None);
        replace(&(*iterator).sentinel, None);
        vm.free(object);
    }
}
unsafe fn callable_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let iterator = object as *mut CallableIterator;
        [(*iterator).callable.get(), (*iterator).sentinel.get()]
            .into_iter()
            .flatten()
            .for_each(visit);
    }
}
pub(super) const fn callable_iterator_spec() -> TypeSpec {
    TypeSpec::new::<CallableIterator>(
        "callable_iterator",
        Kind::OTHER,
        Slots {
            dealloc: callable_dealloc,
            traverse: Some(callable_traverse),
            iter: Some(self_iter),
            iternext: Some(callable_next),
            ..Slots::EMPTY
        },
    )
}
