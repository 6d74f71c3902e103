//! `product`: all ways to take one item of each.

use super::{iterator, pool};
use crate::object::{
    Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, args, number, str, tuple,
};
use crate::runtime::modules::record::{self, Numbers, held, place, record};
use std::cell::Cell;

record! {
    Product {
        /// A tuple of tuples.
        pools;
        places: Numbers,
        fresh: Cell<bool>,
        ended: Cell<bool>
    }
    release |this: &Product, vm| this.places.release(vm)
}

pub(super) fn spec() -> TypeSpec {
    iterator::<Product>("itertools.product", Some(new), next)
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let names = args::keyword_names(kwnames);
    let (iterables, values) = args.split_at(args.len() - names.len());
    let mut repeat = 1;
    for (name, value) in names.iter().zip(values) {
        if !str::equals(*name, "repeat") {
            let name = str::to_string_lossy(*name);
            return Err(vm.type_error(format!(
                "product() got an unexpected keyword argument '{name}'"
            )));
        }
        repeat = number::index_isize(vm, *value)?;
    }
    let Ok(repeat) = usize::try_from(repeat) else {
        return Err(vm.value_error("repeat argument cannot be negative"));
    };
    let wanted = if repeat == 0 { 0 } else { iterables.len() };
    let Some(count) = wanted
        .checked_mul(repeat)
        .filter(|count| *count < isize::MAX as usize / 8)
    else {
        return Err(vm.overflow_error("repeat argument too large"));
    };
    if !vm.heap.has_room(count * 16) {
        return Err(vm.no_memory());
    }
    let own: Vec<Owned> = iterables[..wanted]
        .iter()
        .map(|iterable| pool(vm, *iterable))
        .collect::<Result<_, _>>()?;
    // SAFETY: tuples.
    let ended = own
        .iter()
        .any(|pool| unsafe { tuple::items(pool.as_word()) }.is_empty());
    let mut pools = Vec::new();
    pools.try_reserve_exact(count).map_err(|_| vm.no_memory())?;
    for index in 0..count {
        pools.push(own[index % wanted].clone());
    }
    let pools = vm.tuple_from_owned(pools)?;
    let places = Numbers::new(vm, &vec![0; count])?;
    record::new(vm, ty, |header| Product {
        header,
        pools: place(pools),
        places,
        fresh: Cell::new(true),
        ended: Cell::new(ended),
    })
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Product>(this);
    let Some(pools) = held(&this.pools) else {
        return Ok(None);
    };
    if this.ended.get() {
        return Ok(None);
    }
    // SAFETY: tuples that live; the slices are not kept.
    let pools = unsafe { tuple::items(pools.as_word()) };
    let places = this.places.slice();
    if !this.fresh.replace(false) {
        let mut index = places.len();
        loop {
            if index == 0 {
                this.ended.set(true);
                return Ok(None);
            }
            index -= 1;
            places[index] += 1;
            if places[index] < unsafe { tuple::items(pools[index]) }.len() {
                break;
            }
            places[index] = 0;
        }
    }
    if pools.is_empty() {
        return Ok(Some(vm.empty_tuple()));
    }
    // SAFETY: all items are written before anything else happens.
    unsafe {
        let result = vm.alloc_tuple(pools.len())?;
        for (index, pool) in pools.iter().enumerate() {
            let item = Owned::new_ref(tuple::items(*pool)[places[index]]);
            (*result).items_ptr().add(index).write(item.into_slot());
        }
        Ok(Some(Owned::from_raw(result)))
    }
}
