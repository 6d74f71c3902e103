//! `islice` and `pairwise`.

use super::{exactly, iterator};
use crate::object::{
    Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, args, number, sequence,
};
use crate::runtime::modules::record::{self, empty, held, place, put, record, take};
use std::cell::Cell;

record! {
    Slice {
        /// Nothing once it has ended.
        iterator;
        /// Index of the item to give next, and how many have been read.
        next: Cell<usize>,
        read: Cell<usize>,
        /// `usize::MAX` for none.
        stop: usize,
        step: usize
    }
}

pub(super) fn spec() -> TypeSpec {
    iterator::<Slice>("itertools.islice", Some(new), next)
}

/// An index or step: None for `None`, an error for what is negative or too large.
fn bound(vm: Vm, word: Word) -> Result<Option<usize>, Raised> {
    if word.is_none() {
        return Ok(None);
    }
    if number::is_index(vm, word) {
        match number::index_isize(vm, word) {
            Ok(value) if value >= 0 => return Ok(Some(value as usize)),
            Ok(_) => {}
            Err(_) => vm.clear_exception(),
        }
    }
    Err(Raised)
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    args::positional(vm, "islice", args, kwnames, 2, 4)?;
    const INDICES: &str = "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
    let (start, stop, step) = match *args {
        [_, stop] => (Word::NONE, stop, Word::NONE),
        [_, start, stop] => (start, stop, Word::NONE),
        [_, start, stop, step] => (start, stop, step),
        _ => (Word::NONE, Word::NONE, Word::NONE),
    };
    const STOP: &str =
        "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.";
    let stop = bound(vm, stop).map_err(|_| vm.value_error(STOP))?;
    let start = bound(vm, start).map_err(|_| vm.value_error(INDICES))?;
    let step = match bound(vm, step) {
        Ok(None) => 1,
        Ok(Some(step)) if step > 0 => step,
        _ => {
            return Err(vm.value_error("Step for islice() must be a positive integer or None."));
        }
    };
    let iterator = sequence::get_iter(vm, args[0])?;
    record::new(vm, ty, |header| Slice {
        header,
        iterator: place(iterator),
        next: Cell::new(start.unwrap_or(0)),
        read: Cell::new(0),
        stop: stop.unwrap_or(usize::MAX),
        step,
    })
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Slice>(this);
    let Some(iterator) = held(&this.iterator) else {
        return Ok(None);
    };
    let end = || {
        empty(&this.iterator);
        Ok(None)
    };
    // What lies before the next item is read, up to the stop.
    while this.read.get() < this.next.get().min(this.stop) {
        if sequence::next_unless_interrupted(vm, iterator.as_word())?.is_none() {
            return end();
        }
        this.read.set(this.read.get() + 1);
    }
    if this.read.get() >= this.stop {
        return end();
    }
    let Some(item) = sequence::iter_next(vm, iterator.as_word())? else {
        return end();
    };
    this.read.set(this.read.get() + 1);
    let following = this.next.get().saturating_add(this.step);
    this.next.set(following.min(this.stop));
    Ok(Some(item))
}

record! { Pairwise { iterator, old } }

pub(super) fn pairwise_spec() -> TypeSpec {
    iterator::<Pairwise>("itertools.pairwise", Some(new_pairwise), next_pair)
}
fn new_pairwise(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [iterable] = exactly(vm, "pairwise", args, kwnames)?;
    let iterator = sequence::get_iter(vm, iterable)?;
    record::new(vm, ty, |header| Pairwise {
        header,
        iterator: place(iterator),
        old: Cell::new(None),
    })
}
fn next_pair(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Pairwise>(this);
    let Some(iterator) = held(&this.iterator) else {
        return Ok(None);
    };
    let end = || {
        empty(&this.iterator);
        empty(&this.old);
        Ok(None)
    };
    if this.old.get().is_none() {
        let Some(first) = sequence::iter_next(vm, iterator.as_word())? else {
            return end();
        };
        put(&this.old, first);
        // Reading may have come back here and ended the iterator.
        if this.iterator.get().is_none() {
            return end();
        }
    }
    let Some(old) = take(&this.old) else {
        return end();
    };
    put(&this.old, old.clone());
    let Some(new) = sequence::iter_next(vm, iterator.as_word())? else {
        return end();
    };
    put(&this.old, new.clone());
    vm.tuple_from_owned(vec![old, new]).map(Some)
}
