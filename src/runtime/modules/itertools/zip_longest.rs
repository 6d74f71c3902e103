//! `zip_longest`.

use super::iterator;
use crate::object::{
    Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, args, sequence, str, tuple,
};
use crate::runtime::modules::record::{self, Numbers, held, place, place_ref, record};
use std::cell::Cell;

record! {
    ZipLongest {
        iterators,
        fill;
        /// 1 for each iterator that has not ended.
        running: Numbers,
        left: Cell<usize>
    }
    release |this: &ZipLongest, vm| this.running.release(vm)
}

pub(super) fn spec() -> TypeSpec {
    iterator::<ZipLongest>("itertools.zip_longest", Some(new), next)
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let names = args::keyword_names(kwnames);
    let (iterables, values) = args.split_at(args.len() - names.len());
    let mut fill = Word::NONE;
    for (name, value) in names.iter().zip(values) {
        if !str::equals(*name, "fillvalue") {
            return Err(vm.type_error("zip_longest() got an unexpected keyword argument"));
        }
        fill = *value;
    }
    let iterators = iterables
        .iter()
        .map(|iterable| sequence::get_iter(vm, *iterable))
        .collect::<Result<Vec<_>, _>>()?;
    let running = Numbers::new(vm, &vec![1; iterators.len()])?;
    let left = Cell::new(iterators.len());
    let iterators = vm.tuple_from_owned(iterators)?;
    record::new(vm, ty, |header| ZipLongest {
        header,
        iterators: place(iterators),
        fill: place_ref(fill),
        running,
        left,
    })
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<ZipLongest>(this);
    let (Some(iterators), Some(fill)) = (held(&this.iterators), held(&this.fill)) else {
        return Ok(None);
    };
    // SAFETY: a tuple, held.
    let iterators = unsafe { tuple::items(iterators.as_word()) };
    if this.left.get() == 0 {
        return Ok(None);
    }
    let mut items = Vec::with_capacity(iterators.len());
    for (index, iterator) in iterators.iter().enumerate() {
        let item = if this.running.slice()[index] == 0 {
            None
        } else {
            match sequence::iter_next(vm, *iterator) {
                Ok(item) => item,
                Err(raised) => {
                    this.left.set(0);
                    return Err(raised);
                }
            }
        };
        if item.is_none() && std::mem::take(&mut this.running.slice()[index]) == 1 {
            this.left.set(this.left.get().saturating_sub(1));
            if this.left.get() == 0 {
                return Ok(None);
            }
        }
        items.push(item.unwrap_or_else(|| fill.clone()));
    }
    vm.tuple_from_owned(items).map(Some)
}
