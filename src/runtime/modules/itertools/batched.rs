//! `batched`: tuples of so many items.

use super::iterator;
use crate::object::args::Signature;
use crate::object::{
    Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, number, protocol, sequence,
};
use crate::runtime::modules::record::{self, empty, held, place, record};

record! { Batched { iterator; size: usize, strict: bool } }

static NEW: Signature<3> =
    Signature::new("batched", ["iterable", "n", "strict"], 2).keyword_only(2);

pub(super) fn spec() -> TypeSpec {
    iterator::<Batched>("itertools.batched", Some(new), next)
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [iterable, size, strict] = NEW.unpack(vm, args, kwnames)?;
    let size = number::index_isize(vm, size.unwrap_or(Word::NONE))?;
    let strict = protocol::is_true(vm, strict.unwrap_or(Word::FALSE))?;
    if size < 1 {
        return Err(vm.value_error("n must be at least one"));
    }
    let iterator = sequence::get_iter(vm, iterable.unwrap_or(Word::NONE))?;
    record::new(vm, ty, |header| Batched {
        header,
        iterator: place(iterator),
        size: size as usize,
        strict,
    })
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Batched>(this);
    let Some(iterator) = held(&this.iterator) else {
        return Ok(None);
    };
    let mut items = Vec::new();
    while items.len() < this.size {
        let Some(item) = sequence::iter_next(vm, iterator.as_word())? else {
            break;
        };
        items.try_reserve(1).map_err(|_| vm.no_memory())?;
        items.push(item);
    }
    if items.len() < this.size {
        empty(&this.iterator);
        if items.is_empty() {
            return Ok(None);
        }
        if this.strict {
            return Err(vm.value_error("batched(): incomplete batch"));
        }
    }
    vm.tuple_from_owned(items).map(Some)
}
