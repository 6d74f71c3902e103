//! `map` (`map_object` of `bltinmodule.c`).

use super::iterators;
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, args, call,
};
use crate::object::{sequence, tuple};
use std::cell::Cell;

#[repr(C)]
struct Map {
    header: Header,
    /// A slot's word, as the other.
    function: Word,
    /// A tuple.
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
        ..TypeSpec::new::<Map>("map", Kind::OTHER, slots)
    }
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let named = args::keyword_names(kwnames).len();
    let (positional, values) = args.split_at(args.len() - named);
    let strict = iterators::strict_keyword(vm, "map", values, kwnames)?;
    let [function, iterables @ ..] = positional else {
        return Err(vm.type_error("map() must have at least two arguments."));
    };
    if iterables.is_empty() {
        return Err(vm.type_error("map() must have at least two arguments."));
    }
    let iterators = iterables
        .iter()
        .map(|iterable| sequence::get_iter(vm, *iterable))
        .collect::<Result<_, _>>()?;
    let iterators = vm.tuple_from_owned(iterators)?;
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let this = vm.alloc_instance::<Map>(ty, size_of::<Map>())?;
        (*this).function = Owned::new_ref(*function).into_slot();
        (*this).iterators = iterators.into_slot();
        (*this).strict = Cell::new(strict);
        Ok(Owned::from_raw(this))
    }
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: the slot is that of this layout; what it holds lives as long as the object, which the caller holds.
    let (function, iterators, strict) = unsafe {
        let this = &*this.cast::<Map>();
        (
            this.function,
            tuple::items(this.iterators),
            this.strict.get(),
        )
    };
    if let [iterator] = iterators {
        return match sequence::iter_next(vm, *iterator)? {
            Some(item) => call::call_one(vm, function, item.as_word()).map(Some),
            None => Ok(None),
        };
    }
    let Some(items) = iterators::advance(vm, "map", iterators, strict)? else {
        return Ok(None);
    };
    let words: Vec<Word> = items.iter().map(Owned::as_word).collect();
    call::call(vm, function, &words, None).map(Some)
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let this = object.cast::<Map>();
        let words = [(*this).function, (*this).iterators];
        vm.free(object);
        words.into_iter().for_each(|word| word.release_slot());
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let this = object.cast::<Map>();
        visit((*this).function);
        visit((*this).iterators);
    }
}
