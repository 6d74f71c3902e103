//! Several iterators side by side, for `zip` and `map`.

use crate::object::args::Signature;
use crate::object::{Owned, Raised, Vm, Word, protocol, sequence};

/// The keyword `strict`, the only one there is.
pub fn strict_keyword(
    vm: Vm,
    function: &'static str,
    values: &[Word],
    kwnames: Option<Word>,
) -> Result<bool, Raised> {
    let signature: Signature<1> = Signature::new(function, ["strict"], 0).keyword_only(0);
    match signature.unpack(vm, values, kwnames)? {
        [Some(strict)] => protocol::is_true(vm, strict),
        [None] => Ok(false),
    }
}

/// One item of each; None once one has ended. If they must be equally long, another length is an error.
pub fn advance(
    vm: Vm,
    function: &str,
    iterators: &[Word],
    strict: bool,
) -> Result<Option<Vec<Owned>>, Raised> {
    let mut items = Vec::with_capacity(iterators.len());
    for iterator in iterators {
        match sequence::iter_next(vm, *iterator)? {
            Some(item) => items.push(item),
            None if !strict => return Ok(None),
            None => return uneven(vm, function, iterators, items.len()),
        }
    }
    Ok(Some(items))
}

/// The iterator with this index has ended, those before it have not.
#[cold]
fn uneven(
    vm: Vm,
    function: &str,
    iterators: &[Word],
    ended: usize,
) -> Result<Option<Vec<Owned>>, Raised> {
    let error = |index: usize, how: &str| {
        let others = if index == 1 {
            "argument 1".to_string()
        } else {
            format!("arguments 1-{index}")
        };
        vm.value_error(format!(
            "{function}() argument {} is {how} than {others}",
            index + 1
        ))
    };
    if ended > 0 {
        return Err(error(ended, "shorter"));
    }
    for (index, iterator) in iterators.iter().enumerate().skip(1) {
        if sequence::iter_next(vm, *iterator)?.is_some() {
            return Err(error(index, "longer"));
        }
    }
    Ok(None)
}
