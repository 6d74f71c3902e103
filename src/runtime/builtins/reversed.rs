//! `reversed` (`enumobject.c`): what `__reversed__` gives, or a walk down the indices.

use super::attributes::call_special;
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, args, sequence,
};
use std::cell::Cell;

#[repr(C)]
struct Reversed {
    header: Header,
    /// The index to come; negative at the end.
    index: Cell<i64>,
    /// A slot's word; None at the end.
    sequence: Cell<Option<Word>>,
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
        ..TypeSpec::new::<Reversed>("reversed", Kind::OTHER, slots)
    }
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    args::positional(vm, "reversed", args, kwnames, 1, 1)?;
    let sequence = args[0];
    let not_reversible = || {
        Err(vm.type_error(format!(
            "'{}' object is not reversible",
            vm.type_name(sequence)
        )))
    };
    // SAFETY: types are live as long as an instance.
    let special = unsafe { (*vm.type_of(sequence)).lookup(vm.names.__reversed__) };
    if special.is_some_and(Word::is_none) {
        return not_reversible();
    }
    if let Some(iterator) = call_special(vm, sequence, vm.names.__reversed__, &[])? {
        return Ok(iterator);
    }
    // SAFETY: as above.
    let is_sequence = unsafe { (*vm.type_of(sequence)).slots.getitem.is_some() }
        && !sequence.is_instance(Kind::DICT);
    if !is_sequence {
        return not_reversible();
    }
    let length = sequence::len(vm, sequence)?;
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let this = vm.alloc_instance::<Reversed>(ty, size_of::<Reversed>())?;
        (*this).index = Cell::new(length as i64 - 1);
        (*this).sequence = Cell::new(Some(Owned::new_ref(sequence).into_slot()));
        Ok(Owned::from_raw(this))
    }
}

/// IndexError and StopIteration end the walk.
fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: the slot is that of this layout.
    let this = unsafe { &*this.cast::<Reversed>() };
    let index = this.index.get();
    if index >= 0
        && let Some(sequence) = this.sequence.get()
    {
        let sequence = Owned::new_ref(sequence);
        match sequence::get_item(vm, sequence.as_word(), Word::int_unchecked(index)) {
            Ok(item) => {
                this.index.set(index - 1);
                return Ok(Some(item));
            }
            Err(raised) => {
                if !vm.exception_matches(vm.exc.IndexError)
                    && !vm.exception_matches(vm.exc.StopIteration)
                {
                    return Err(raised);
                }
                vm.clear_exception();
            }
        }
    }
    this.index.set(-1);
    if let Some(sequence) = this.sequence.take() {
        // SAFETY: a slot's word, taken out.
        unsafe { sequence.release_slot() };
    }
    Ok(None)
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let sequence = (*object.cast::<Reversed>()).sequence.take();
        vm.free(object);
        if let Some(sequence) = sequence {
            sequence.release_slot();
        }
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        (*object.cast::<Reversed>())
            .sequence
            .get()
            .into_iter()
            .for_each(visit)
    }
}
