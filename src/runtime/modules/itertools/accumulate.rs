//! `accumulate`: running totals.

use super::iterator;
use crate::object::args::Signature;
use crate::object::number::{self, nb};
use crate::object::{Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, call, sequence};
use crate::runtime::modules::record::{self, held, place, place_opt, put, record, take};
use std::cell::Cell;

record! {
    Accumulate {
        iterator,
        /// None is addition.
        function,
        total,
        initial
    }
}

static NEW: Signature<3> =
    Signature::new("accumulate", ["iterable", "func", "initial"], 1).keyword_only(2);

pub(super) fn spec() -> TypeSpec {
    iterator::<Accumulate>("itertools.accumulate", Some(new), next)
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [iterable, function, initial] = NEW.unpack(vm, args, kwnames)?;
    let given = |word: Option<Word>| word.filter(|word| !word.is_none());
    let iterator = sequence::get_iter(vm, iterable.unwrap_or(Word::NONE))?;
    record::new(vm, ty, |header| Accumulate {
        header,
        iterator: place(iterator),
        function: place_opt(given(function)),
        total: Cell::new(None),
        initial: place_opt(given(initial)),
    })
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Accumulate>(this);
    if let Some(initial) = take(&this.initial) {
        put(&this.total, initial.clone());
        return Ok(Some(initial));
    }
    let Some(iterator) = held(&this.iterator) else {
        return Ok(None);
    };
    let Some(value) = sequence::iter_next(vm, iterator.as_word())? else {
        return Ok(None);
    };
    let total = match held(&this.total) {
        None => value,
        Some(total) => match held(&this.function) {
            None => number::number_binary(vm, nb::ADD, total.as_word(), value.as_word())?,
            Some(function) => call::call(
                vm,
                function.as_word(),
                &[total.as_word(), value.as_word()],
                None,
            )?,
        },
    };
    put(&this.total, total.clone());
    Ok(Some(total))
}
