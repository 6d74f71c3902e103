//! `compress`, `dropwhile`, `filterfalse`, `starmap`, `takewhile`: one item in, at most one out.

use super::{exactly, iterator};
use crate::object::args::Signature;
use crate::object::{
    Kind, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, call, protocol, sequence, tuple,
};
use crate::runtime::modules::record::{self, held, place, place_ref, record};
use std::cell::Cell;

record! { Compress { data, selectors } }

static COMPRESS: Signature<2> = Signature::new("compress", ["data", "selectors"], 2);

pub(super) fn compress_spec() -> TypeSpec {
    iterator::<Compress>("itertools.compress", Some(new_compress), next_compressed)
}
fn new_compress(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [data, selectors] = COMPRESS.unpack(vm, args, kwnames)?;
    let data = sequence::get_iter(vm, data.unwrap_or(Word::NONE))?;
    let selectors = sequence::get_iter(vm, selectors.unwrap_or(Word::NONE))?;
    record::new(vm, ty, |header| Compress {
        header,
        data: place(data),
        selectors: place(selectors),
    })
}
fn next_compressed(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Compress>(this);
    let (Some(data), Some(selectors)) = (held(&this.data), held(&this.selectors)) else {
        return Ok(None);
    };
    loop {
        let Some(item) = sequence::iter_next(vm, data.as_word())? else {
            return Ok(None);
        };
        let Some(selector) = sequence::iter_next(vm, selectors.as_word())? else {
            return Ok(None);
        };
        if protocol::is_true(vm, selector.as_word())? {
            return Ok(Some(item));
        }
    }
}

record! {
    /// `started`: of dropwhile, an item has been given; of takewhile, one has not.
    Filter { function, iterator; started: Cell<bool> }
}

pub(super) fn dropwhile_spec() -> TypeSpec {
    iterator::<Filter>(
        "itertools.dropwhile",
        Some(|vm, ty, args, names| new_filter(vm, ty, "dropwhile", args, names)),
        next_after_drop,
    )
}
pub(super) fn takewhile_spec() -> TypeSpec {
    iterator::<Filter>(
        "itertools.takewhile",
        Some(|vm, ty, args, names| new_filter(vm, ty, "takewhile", args, names)),
        next_while,
    )
}
pub(super) fn filterfalse_spec() -> TypeSpec {
    iterator::<Filter>(
        "itertools.filterfalse",
        Some(|vm, ty, args, names| new_filter(vm, ty, "filterfalse", args, names)),
        next_false,
    )
}
pub(super) fn starmap_spec() -> TypeSpec {
    iterator::<Filter>(
        "itertools.starmap",
        Some(|vm, ty, args, names| new_filter(vm, ty, "starmap", args, names)),
        next_of_call,
    )
}

fn new_filter(
    vm: Vm,
    ty: *mut TypeObject,
    name: &str,
    args: &[Word],
    kwnames: Option<Word>,
) -> PyResult {
    let [function, iterable] = exactly(vm, name, args, kwnames)?;
    let iterator = sequence::get_iter(vm, iterable)?;
    record::new(vm, ty, |header| Filter {
        header,
        function: place_ref(function),
        iterator: place(iterator),
        started: Cell::new(false),
    })
}

type Parts<'a> = (&'a Filter, Owned, Owned);

fn parts<'a>(this: Word) -> Option<Parts<'a>> {
    let this = record::of::<Filter>(this);
    Some((this, held(&this.function)?, held(&this.iterator)?))
}
fn holds(vm: Vm, function: &Owned, item: &Owned) -> Result<bool, Raised> {
    let answer = call::call_one(vm, function.as_word(), item.as_word())?;
    protocol::is_true(vm, answer.as_word())
}

fn next_after_drop(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let Some((this, function, iterator)) = parts(this) else {
        return Ok(None);
    };
    loop {
        let Some(item) = sequence::iter_next(vm, iterator.as_word())? else {
            return Ok(None);
        };
        if this.started.get() {
            return Ok(Some(item));
        }
        if !holds(vm, &function, &item)? {
            this.started.set(true);
            return Ok(Some(item));
        }
    }
}
fn next_while(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let Some((this, function, iterator)) = parts(this) else {
        return Ok(None);
    };
    if this.started.get() {
        return Ok(None);
    }
    let Some(item) = sequence::iter_next(vm, iterator.as_word())? else {
        return Ok(None);
    };
    if holds(vm, &function, &item)? {
        return Ok(Some(item));
    }
    this.started.set(true);
    Ok(None)
}
fn next_false(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let Some((_, function, iterator)) = parts(this) else {
        return Ok(None);
    };
    let plain =
        function.as_word().is_none() || function.as_word().object() == vm.types.bool_.cast();
    while let Some(item) = sequence::next_unless_interrupted(vm, iterator.as_word())? {
        let truth = if plain {
            protocol::is_true(vm, item.as_word())?
        } else {
            holds(vm, &function, &item)?
        };
        if !truth {
            return Ok(Some(item));
        }
    }
    Ok(None)
}
fn next_of_call(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let Some((_, function, iterator)) = parts(this) else {
        return Ok(None);
    };
    let Some(arguments) = sequence::iter_next(vm, iterator.as_word())? else {
        return Ok(None);
    };
    let arguments = if arguments.as_word().is_exact(Kind::TUPLE) {
        arguments
    } else {
        vm.tuple_from_owned(sequence::collect(vm, arguments.as_word())?)?
    };
    // SAFETY: a tuple that lives.
    let words = unsafe { tuple::items(arguments.as_word()) };
    call::call(vm, function.as_word(), words, None).map(Some)
}
