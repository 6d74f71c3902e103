//! `filter` (`filter_object` of `bltinmodule.c`).

use crate::object::types::{Slots, type_flag};
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, args, call,
};
use crate::object::{protocol, sequence};

#[repr(C)]
struct Filter {
    header: Header,
    /// None for truth; a slot's word, as the other.
    function: Word,
    iterator: Word,
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
        ..TypeSpec::new::<Filter>("filter", Kind::OTHER, slots)
    }
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    args::positional(vm, "filter", args, kwnames, 2, 2)?;
    let iterator = sequence::get_iter(vm, args[1])?;
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let this = vm.alloc_instance::<Filter>(ty, size_of::<Filter>())?;
        (*this).function = Owned::new_ref(args[0]).into_slot();
        (*this).iterator = iterator.into_slot();
        Ok(Owned::from_raw(this))
    }
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: the slot is that of this layout; what it holds lives as long as the object, which the caller holds.
    let (function, iterator) = unsafe {
        let this = &*this.cast::<Filter>();
        (this.function, this.iterator)
    };
    // SAFETY: a type that lives as long as the VM.
    let by_truth = function.is_none() || function.is(unsafe { (*vm.types.bool_).word() });
    while let Some(item) = sequence::next_unless_interrupted(vm, iterator)? {
        let passes = if by_truth {
            protocol::is_true(vm, item.as_word())?
        } else {
            let answer = call::call_one(vm, function, item.as_word())?;
            protocol::is_true(vm, answer.as_word())?
        };
        if passes {
            return Ok(Some(item));
        }
    }
    Ok(None)
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let this = object.cast::<Filter>();
        let words = [(*this).function, (*this).iterator];
        vm.free(object);
        words.into_iter().for_each(|word| word.release_slot());
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let this = object.cast::<Filter>();
        visit((*this).function);
        visit((*this).iterator);
    }
}
