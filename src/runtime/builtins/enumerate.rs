//! `enumerate` (`enumobject.c`).

use crate::object::number::{self, nb};
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, args,
};
use crate::object::{sequence, str};
use std::cell::Cell;

#[repr(C)]
struct Enumerate {
    header: Header,
    /// A slot's word, as the others.
    iterator: Word,
    /// The next index.
    index: Cell<Word>,
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
        ..TypeSpec::new::<Enumerate>("enumerate", Kind::OTHER, slots)
    }
}

/// Counts its arguments by itself, with messages of its own (`enumerate_vectorcall`).
fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let names = args::keyword_names(kwnames);
    if args.len() > 2 {
        return Err(vm.type_error(format!(
            "enumerate() takes at most 2 arguments ({} given)",
            args.len()
        )));
    }
    let (mut iterable, mut start) = (None, None);
    let (positional, values) = args.split_at(args.len() - names.len());
    if let [first, rest @ ..] = positional {
        iterable = Some(*first);
        start = rest.first().copied();
    }
    for (name, value) in names.iter().zip(values) {
        let place = if str::equals(*name, "iterable") {
            &mut iterable
        } else {
            &mut start
        };
        let known = str::equals(*name, "iterable") || str::equals(*name, "start");
        if !known || place.is_some() {
            let name = str::to_string_lossy(*name);
            return Err(vm.type_error(format!(
                "'{name}' is an invalid keyword argument for enumerate()"
            )));
        }
        *place = Some(*value);
    }
    let Some(iterable) = iterable else {
        return Err(vm.type_error("enumerate() missing required argument 'iterable'"));
    };
    let index = match start {
        Some(start) => number::index(vm, start)?,
        None => Owned::small_int(0),
    };
    let iterator = sequence::get_iter(vm, iterable)?;
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let this = vm.alloc_instance::<Enumerate>(ty, size_of::<Enumerate>())?;
        (*this).iterator = iterator.into_slot();
        (*this).index = Cell::new(index.into_slot());
        Ok(Owned::from_raw(this))
    }
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: the slot is that of this layout.
    let this = unsafe { &*this.cast::<Enumerate>() };
    let Some(item) = sequence::iter_next(vm, this.iterator)? else {
        return Ok(None);
    };
    let index = Owned::new_ref(this.index.get());
    let one = Word::int_unchecked(1);
    let following = match index.as_word() {
        word if word.is_int() && word.as_int() < Word::MAX_SMALL_INT => {
            Owned::small_int(word.as_int() + 1)
        }
        word => number::number_binary(vm, nb::ADD, word, one)?,
    };
    // SAFETY: a slot's word, overwritten.
    unsafe { this.index.replace(following.into_slot()).release_slot() };
    vm.tuple_from_owned(vec![index, item]).map(Some)
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let this = object.cast::<Enumerate>();
        let words = [(*this).iterator, (*this).index.get()];
        vm.free(object);
        words.into_iter().for_each(|word| word.release_slot());
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { visit((*object.cast::<Enumerate>()).iterator) }
}
