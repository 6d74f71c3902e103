//! `combinations` and `combinations_with_replacement`.

use super::{iterator, pick, pool};
use crate::object::args::Signature;
use crate::object::types::NextFn;
use crate::object::{Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, number, tuple};
use crate::runtime::modules::record::{self, Numbers, held, place, record};
use std::cell::Cell;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Fresh,
    Running,
    Ended,
}

record! {
    Combinations { pool; places: Numbers, state: Cell<State> }
    release |this: &Combinations, vm| this.places.release(vm)
}

static COMBINATIONS: Signature<2> = Signature::new("combinations", ["iterable", "r"], 2);
static WITH_REPLACEMENT: Signature<2> =
    Signature::new("combinations_with_replacement", ["iterable", "r"], 2);

pub(super) fn combinations_spec() -> TypeSpec {
    let next: NextFn = |vm, this| advance(vm, this, next_combination);
    iterator::<Combinations>("itertools.combinations", Some(new_combinations), next)
}
pub(super) fn with_replacement_spec() -> TypeSpec {
    let next: NextFn = |vm, this| advance(vm, this, next_with_replacement);
    let name = "itertools.combinations_with_replacement";
    iterator::<Combinations>(name, Some(new_with_replacement), next)
}

fn new_combinations(vm: Vm, ty: *mut TypeObject, args: &[Word], names: Option<Word>) -> PyResult {
    let [iterable, length] = COMBINATIONS.unpack(vm, args, names)?;
    let (pool, length) = arguments(vm, iterable, length)?;
    // SAFETY: a tuple.
    let items = unsafe { tuple::items(pool.as_word()) }.len();
    let ended = length > items;
    let places: Vec<usize> = (0..if ended { 0 } else { length }).collect();
    make(vm, ty, pool, &places, ended)
}
fn new_with_replacement(
    vm: Vm,
    ty: *mut TypeObject,
    args: &[Word],
    names: Option<Word>,
) -> PyResult {
    let [iterable, length] = WITH_REPLACEMENT.unpack(vm, args, names)?;
    let (pool, length) = arguments(vm, iterable, length)?;
    // SAFETY: a tuple.
    let ended = length > 0 && unsafe { tuple::items(pool.as_word()) }.is_empty();
    let mut places = Vec::new();
    let size = if ended { 0 } else { length };
    if !vm.heap.has_room(size.saturating_mul(8)) || places.try_reserve_exact(size).is_err() {
        return Err(vm.no_memory());
    }
    places.resize(size, 0);
    make(vm, ty, pool, &places, ended)
}
fn arguments(
    vm: Vm,
    iterable: Option<Word>,
    length: Option<Word>,
) -> Result<(Owned, usize), Raised> {
    let length = number::index_isize(vm, length.unwrap_or(Word::NONE))?;
    let pool = pool(vm, iterable.unwrap_or(Word::NONE))?;
    match usize::try_from(length) {
        Ok(length) => Ok((pool, length)),
        Err(_) => Err(vm.value_error("r must be non-negative")),
    }
}
fn make(vm: Vm, ty: *mut TypeObject, pool: Owned, places: &[usize], ended: bool) -> PyResult {
    let places = Numbers::new(vm, places)?;
    record::new(vm, ty, |header| Combinations {
        header,
        pool: place(pool),
        places,
        state: Cell::new(if ended { State::Ended } else { State::Fresh }),
    })
}

/// Gives the items at the places after `step` has moved them; it answers whether it could.
fn advance(
    vm: Vm,
    this: Word,
    step: fn(&mut [usize], usize) -> bool,
) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Combinations>(this);
    let Some(pool) = held(&this.pool) else {
        return Ok(None);
    };
    // SAFETY: a tuple.
    let items = unsafe { tuple::items(pool.as_word()) }.len();
    let places = this.places.slice();
    match this.state.get() {
        State::Ended => return Ok(None),
        State::Fresh => this.state.set(State::Running),
        State::Running if !step(places, items) => {
            this.state.set(State::Ended);
            return Ok(None);
        }
        State::Running => {}
    }
    pick(vm, pool.as_word(), places).map(Some)
}

/// The last place that can still move does, and those behind it follow at once.
fn next_combination(places: &mut [usize], items: usize) -> bool {
    let length = places.len();
    let Some(moving) = (0..length)
        .rev()
        .find(|&index| places[index] != index + items - length)
    else {
        return false;
    };
    let start = places[moving] + 1;
    for (offset, place) in places[moving..].iter_mut().enumerate() {
        *place = start + offset;
    }
    true
}
fn next_with_replacement(places: &mut [usize], items: usize) -> bool {
    let Some(moving) = places.iter().rposition(|&place| place != items - 1) else {
        return false;
    };
    let value = places[moving] + 1;
    places[moving..].fill(value);
    true
}
