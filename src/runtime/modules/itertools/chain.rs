//! `chain` and `cycle`: one iterable after the other, and the same one again and again.

use super::{exactly, iterator};
use crate::object::descr::{MethodDef, meth};
use crate::object::generic_alias::CLASS_GETITEM;
use crate::object::list::{self, ListObject};
use crate::object::{Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, args, sequence};
use crate::runtime::modules::record::{self, empty, held, place, put, record};
use std::cell::Cell;

record! {
    Chain {
        /// Of the iterables; nothing once it has ended.
        source,
        active
    }
}

static CHAIN_METHODS: [MethodDef; 2] = [
    MethodDef::new("from_iterable", meth::O | meth::CLASS, from_iterable),
    CLASS_GETITEM,
];

pub(super) fn chain_spec() -> TypeSpec {
    TypeSpec {
        methods: &CHAIN_METHODS,
        ..iterator::<Chain>("itertools.chain", Some(new_chain), next_in_chain)
    }
}

fn chain_of(vm: Vm, ty: *mut TypeObject, iterables: Word) -> PyResult {
    let source = sequence::get_iter(vm, iterables)?;
    record::new(vm, ty, |header| Chain {
        header,
        source: place(source),
        active: Cell::new(None),
    })
}
fn new_chain(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    args::no_keywords(vm, "chain", kwnames)?;
    chain_of(vm, ty, vm.new_tuple(args)?.as_word())
}
fn from_iterable(vm: Vm, class: Word, args: &[Word], _: Option<Word>) -> PyResult {
    chain_of(vm, class.cast(), args[0])
}

fn next_in_chain(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Chain>(this);
    while let Some(source) = held(&this.source) {
        let active = match held(&this.active) {
            Some(active) => active,
            None => {
                let iterable = match sequence::iter_next(vm, source.as_word()) {
                    Ok(Some(iterable)) => iterable,
                    Ok(None) => {
                        empty(&this.source);
                        return Ok(None);
                    }
                    Err(raised) => {
                        empty(&this.source);
                        return Err(raised);
                    }
                };
                match sequence::get_iter(vm, iterable.as_word()) {
                    Ok(active) => {
                        put(&this.active, active.clone());
                        active
                    }
                    Err(raised) => {
                        empty(&this.source);
                        return Err(raised);
                    }
                }
            }
        };
        if let Some(item) = sequence::iter_next(vm, active.as_word())? {
            return Ok(Some(item));
        }
        empty(&this.active);
    }
    Ok(None)
}

record! {
    Cycle {
        /// Nothing once it has ended.
        iterator,
        /// A list of the items so far.
        saved;
        index: Cell<usize>
    }
}

pub(super) fn cycle_spec() -> TypeSpec {
    iterator::<Cycle>("itertools.cycle", Some(new_cycle), next_in_cycle)
}
fn new_cycle(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [iterable] = exactly(vm, "cycle", args, kwnames)?;
    let iterator = sequence::get_iter(vm, iterable)?;
    let saved = vm.new_list(&[])?;
    record::new(vm, ty, |header| Cycle {
        header,
        iterator: place(iterator),
        saved: place(saved),
        index: Cell::new(0),
    })
}
fn next_in_cycle(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Cycle>(this);
    let Some(saved) = held(&this.saved) else {
        return Ok(None);
    };
    if let Some(iterator) = held(&this.iterator) {
        if let Some(item) = sequence::iter_next(vm, iterator.as_word())? {
            // SAFETY: a list that nobody else knows.
            unsafe {
                list::append(vm, saved.as_ptr::<ListObject>(), item.clone().into_word())?;
            }
            return Ok(Some(item));
        }
        empty(&this.iterator);
    }
    // SAFETY: the slice is not kept.
    let items = unsafe { list::items(saved.as_word()) };
    let index = this.index.get();
    let Some(item) = items.get(index) else {
        return Ok(None);
    };
    this.index.set(if index + 1 == items.len() {
        0
    } else {
        index + 1
    });
    Ok(Some(Owned::new_ref(*item)))
}
