//! `permutations`.

use super::{iterator, pick, pool};
use crate::object::args::Signature;
use crate::object::{Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, int, number, tuple};
use crate::runtime::modules::record::{self, Numbers, held, place, record};
use std::cell::Cell;

record! {
    Permutations {
        pool;
        /// All places of the pool; the first `length` are the permutation.
        places: Numbers,
        /// How many exchanges are left at each position.
        cycles: Numbers,
        length: usize,
        fresh: Cell<bool>,
        ended: Cell<bool>
    }
    release |this: &Permutations, vm| {
        this.places.release(vm);
        this.cycles.release(vm);
    }
}

static NEW: Signature<2> = Signature::new("permutations", ["iterable", "r"], 1);

pub(super) fn spec() -> TypeSpec {
    iterator::<Permutations>("itertools.permutations", Some(new), next)
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [iterable, length] = NEW.unpack(vm, args, kwnames)?;
    let pool = pool(vm, iterable.unwrap_or(Word::NONE))?;
    // SAFETY: a tuple.
    let items = unsafe { tuple::items(pool.as_word()) }.len();
    let length = match length {
        None => items,
        Some(length) if length.is_none() => items,
        Some(length) => {
            if !int::is_int(length) {
                return Err(vm.type_error("Expected int as r"));
            }
            usize::try_from(number::index_isize(vm, length)?)
                .map_err(|_| vm.value_error("r must be non-negative"))?
        }
    };
    let ended = length > items;
    let places: Vec<usize> = (0..items).collect();
    let cycles: Vec<usize> = (0..if ended { 0 } else { length })
        .map(|index| items - index)
        .collect();
    let places = Numbers::new(vm, &places)?;
    let cycles = match Numbers::new(vm, &cycles) {
        Ok(cycles) => cycles,
        Err(raised) => {
            places.release(vm);
            return Err(raised);
        }
    };
    record::new(vm, ty, |header| Permutations {
        header,
        pool: place(pool),
        places,
        cycles,
        length,
        fresh: Cell::new(true),
        ended: Cell::new(ended),
    })
}

/// Moves to the next permutation; false if this was the last.
fn advance(places: &mut [usize], cycles: &mut [usize]) -> bool {
    let items = places.len();
    for index in (0..cycles.len()).rev() {
        cycles[index] -= 1;
        if cycles[index] == 0 {
            places[index..].rotate_left(1);
            cycles[index] = items - index;
        } else {
            places.swap(index, items - cycles[index]);
            return true;
        }
    }
    false
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Permutations>(this);
    let Some(pool) = held(&this.pool) else {
        return Ok(None);
    };
    if this.ended.get() {
        return Ok(None);
    }
    let places = this.places.slice();
    if !this.fresh.replace(false) && !advance(places, this.cycles.slice()) {
        this.ended.set(true);
        return Ok(None);
    }
    pick(vm, pool.as_word(), &places[..this.length]).map(Some)
}
