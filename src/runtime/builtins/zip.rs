//! `zip` (`zip_object` of `bltinmodule.c`).

use super::iterators;
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, args,
};
use crate::object::{sequence, tuple};
use std::cell::Cell;

#[repr(C)]
struct Zip {
    header: Header,
    /// A tuple, a slot's word.
    iterators: Word,
    strict: Cell<bool>,
}

pub(super) fn type_spec() -> TypeSpec {
    let slots = Slots {
        dealloc,
        traverse: Some(traverse),
        iter: Some(|_, this| Ok(Owned::new_ref(this))),
        iternext: Some(next),
        new: Some(new),
        ..Slots::EMPTY
    };
    TypeSpec {
        flags: type_flag::BASETYPE,
        ..TypeSpec::new::<Zip>("zip", Kind::OTHER, slots)
    }
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let named = args::keyword_names(kwnames).len();
    let (iterables, values) = args.split_at(args.len() - named);
    let strict = iterators::strict_keyword(vm, "zip", values, kwnames)?;
    let iterators = iterables
        .iter()
        .map(|iterable| sequence::get_iter(vm, *iterable))
        .collect::<Result<_, _>>()?;
    let iterators = vm.tuple_from_owned(iterators)?;
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let this = vm.alloc_instance::<Zip>(ty, size_of::<Zip>())?;
        (*this).iterators = iterators.into_slot();
        (*this).strict = Cell::new(strict);
        Ok(Owned::from_raw(this))
    }
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: the slot is that of this layout; the tuple lives as long as the object, which the caller holds.
    let (strict, iterators) = unsafe {
        let this = &*this.cast::<Zip>();
        (this.strict.get(), tuple::items(this.iterators))
    };
    if iterators.is_empty() {
        return Ok(None);
    }
    match iterators::advance(vm, "zip", iterators, strict)? {
        Some(items) => vm.tuple_from_owned(items).map(Some),
        None => Ok(None),
    }
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let iterators = (*object.cast::<Zip>()).iterators;
        vm.free(object);
        iterators.release_slot();
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { visit((*object.cast::<Zip>()).iterators) }
}
