//! `itertools` (`itertoolsmodule.c`): iterators over iterators. One subject a file.

mod accumulate;
mod batched;
mod chain;
mod combine;
mod count;
mod filter;
mod groupby;
mod islice;
mod permute;
mod product;
mod repeat;
mod tee;
mod zip_longest;

use super::record::{self, Record};
use super::{add_type, with_functions};
use crate::object::descr::{MethodDef, meth};
use crate::object::types::{NewFn, NextFn, Slots, type_flag};
use crate::object::{Kind, Owned, PyResult, Raised, TypeSpec, Vm, Word, args, sequence};
use crate::runtime::thread::Thread;

static FUNCTIONS: [MethodDef; 1] = [MethodDef::new("tee", meth::FASTCALL, tee::tee)];

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "itertools", &FUNCTIONS)?;
    let object = vm.types.object;
    for spec in [
        accumulate::spec(),
        batched::spec(),
        chain::chain_spec(),
        chain::cycle_spec(),
        combine::combinations_spec(),
        combine::with_replacement_spec(),
        count::spec(),
        filter::compress_spec(),
        filter::dropwhile_spec(),
        filter::filterfalse_spec(),
        filter::starmap_spec(),
        filter::takewhile_spec(),
        groupby::spec(),
        islice::spec(),
        islice::pairwise_spec(),
        permute::spec(),
        product::spec(),
        repeat::spec(),
        zip_longest::spec(),
    ] {
        add_type(vm, Some(&module), &spec, object)?;
    }
    let types = &ts.module_types;
    for (place, spec) in [
        (&types.grouper, groupby::grouper_spec()),
        (&types.tee, tee::spec()),
        (&types.tee_node, tee::node_spec()),
    ] {
        let shown = spec.name == "itertools._tee" || spec.name == "itertools._grouper";
        place.set(add_type(vm, shown.then_some(&module), &spec, object)?);
    }
    Ok(module)
}

/// The spec of an iterator that is a record.
fn iterator<T: Record>(name: &'static str, new: Option<NewFn>, next: NextFn) -> TypeSpec {
    let (dealloc, traverse, clear) = record::memory_slots::<T>();
    let slots = Slots {
        dealloc,
        traverse,
        clear,
        iter: Some(|_, this| Ok(Owned::new_ref(this))),
        iternext: Some(next),
        new,
        ..Slots::EMPTY
    };
    TypeSpec {
        flags: if new.is_some() {
            type_flag::BASETYPE
        } else {
            type_flag::DISALLOW_INSTANTIATION
        },
        ..TypeSpec::new::<T>(name, Kind::OTHER, slots)
    }
}

/// Exactly `N` positional arguments.
fn exactly<const N: usize>(
    vm: Vm,
    name: &str,
    args: &[Word],
    kwnames: Option<Word>,
) -> Result<[Word; N], Raised> {
    args::positional(vm, name, args, kwnames, N, N)?;
    let mut values = [Word::NULL; N];
    values.copy_from_slice(args);
    Ok(values)
}

/// All items of an iterable, as a tuple that the iterator keeps.
fn pool(vm: Vm, iterable: Word) -> PyResult {
    if iterable.is_exact(Kind::TUPLE) {
        return Ok(Owned::new_ref(iterable));
    }
    vm.tuple_from_owned(sequence::collect(vm, iterable)?)
}

/// The tuple of a pool's items at these places.
fn pick(vm: Vm, pool: Word, places: &[usize]) -> PyResult {
    if places.is_empty() {
        return Ok(vm.empty_tuple());
    }
    // SAFETY: the pool is a tuple that lives; all items of the new one are written before anything else happens.
    unsafe {
        let items = crate::object::tuple::items(pool);
        let result = vm.alloc_tuple(places.len())?;
        for (to, &from) in places.iter().enumerate() {
            let item = Owned::new_ref(items[from]);
            (*result).items_ptr().add(to).write(item.into_slot());
        }
        Ok(Owned::from_raw(result))
    }
}
