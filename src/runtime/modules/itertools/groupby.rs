//! `groupby`: neighbours with the same key, and the iterators over each group.

use super::iterator;
use crate::object::args::Signature;
use crate::object::types::CompareOp;
use crate::object::{
    Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, call, protocol, sequence,
};
use crate::runtime::modules::record::{self, held, place, place_opt, place_ref, put, record, take};
use crate::runtime::thread::Thread;
use std::cell::Cell;

record! {
    GroupBy {
        iterator,
        function,
        /// Key of the group that is being given.
        target,
        /// Key and value of the item read last; the value is given once.
        key,
        value;
        /// Number of the group being given: an older group gives nothing any more.
        group: Cell<usize>
    }
}

static NEW: Signature<2> = Signature::new("groupby", ["iterable", "key"], 1);

pub(super) fn spec() -> TypeSpec {
    iterator::<GroupBy>("itertools.groupby", Some(new), next)
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [iterable, key] = NEW.unpack(vm, args, kwnames)?;
    let iterator = sequence::get_iter(vm, iterable.unwrap_or(Word::NONE))?;
    record::new(vm, ty, |header| GroupBy {
        header,
        iterator: place(iterator),
        function: place_opt(key.filter(|key| !key.is_none())),
        target: Cell::new(None),
        key: Cell::new(None),
        value: Cell::new(None),
        group: Cell::new(0),
    })
}

/// Reads an item and its key; false at the end.
fn step(vm: Vm, this: &GroupBy) -> Result<bool, Raised> {
    let Some(iterator) = held(&this.iterator) else {
        return Ok(false);
    };
    let Some(value) = sequence::iter_next(vm, iterator.as_word())? else {
        return Ok(false);
    };
    let key = match held(&this.function) {
        None => value.clone(),
        Some(function) => call::call_one(vm, function.as_word(), value.as_word())?,
    };
    put(&this.value, value);
    put(&this.key, key);
    Ok(true)
}

fn same(vm: Vm, target: &Owned, key: &Owned) -> Result<bool, Raised> {
    protocol::rich_compare_bool(vm, target.as_word(), key.as_word(), CompareOp::Eq)
}

fn next(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<GroupBy>(word);
    let group = this.group.get().wrapping_add(1);
    this.group.set(group);
    // The rest of the last group is passed over.
    let key = loop {
        if let Some(key) = held(&this.key) {
            match held(&this.target) {
                None => break key,
                Some(target) if !same(vm, &target, &key)? => break key,
                Some(_) => {}
            }
        }
        if !step(vm, this)? {
            return Ok(None);
        }
    };
    put(&this.target, key.clone());
    let grouper = record::new(vm, Thread::of(vm).module_types.grouper.get(), |header| {
        Grouper {
            header,
            parent: place_ref(word),
            target: place(key.clone()),
            group,
        }
    })?;
    vm.tuple_from_owned(vec![key, grouper]).map(Some)
}

record! { Grouper { parent, target; group: usize } }

pub(super) fn grouper_spec() -> TypeSpec {
    iterator::<Grouper>("itertools._grouper", None, next_in_group)
}

fn next_in_group(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Grouper>(this);
    let (Some(parent), Some(target)) = (held(&this.parent), held(&this.target)) else {
        return Ok(None);
    };
    let parent = record::of::<GroupBy>(parent.as_word());
    if parent.group.get() != this.group {
        return Ok(None);
    }
    if parent.value.get().is_none() && !step(vm, parent)? {
        return Ok(None);
    }
    let Some(key) = held(&parent.key) else {
        return Ok(None);
    };
    if !same(vm, &target, &key)? {
        return Ok(None);
    }
    Ok(take(&parent.value))
}
