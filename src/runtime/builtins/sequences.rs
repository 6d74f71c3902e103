//! Functions over iterables.

use crate::object::args::Signature;
use crate::object::types::CompareOp;
use crate::object::{
    Owned, PyResult, Raised, Vm, Word, args, call, iterators, list_sort, protocol, sequence, str,
};

pub fn len(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    vm.new_int_usize(sequence::len(vm, args[0])?)
}

pub fn all(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    Ok(Owned::bool(!finds(vm, args[0], false)?))
}
pub fn any(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    Ok(Owned::bool(finds(vm, args[0], true)?))
}

/// Whether an item has this truth value; what follows it is left in the iterator.
fn finds(vm: Vm, iterable: Word, truth: bool) -> Result<bool, Raised> {
    let iterator = sequence::get_iter(vm, iterable)?;
    while let Some(item) = sequence::next_unless_interrupted(vm, iterator.as_word())? {
        if protocol::is_true(vm, item.as_word())? == truth {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `iter(iterable)`, or `iter(callable, sentinel)`.
pub fn iter(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "iter", args.len(), 1, 2)?;
    match args {
        [callable, sentinel] if call::is_callable(vm, *callable) => {
            iterators::new_callable_iterator(vm, *callable, *sentinel)
        }
        [_, _] => Err(vm.type_error("iter(v, w): v must be callable")),
        _ => sequence::get_iter(vm, args[0]),
    }
}

pub fn next(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "next", args.len(), 1, 2)?;
    // SAFETY: types are live as long as an instance.
    let Some(next) = (unsafe { (*vm.type_of(args[0])).slots.iternext }) else {
        return Err(vm.type_error(format!(
            "'{}' object is not an iterator",
            vm.type_name(args[0])
        )));
    };
    match (next(vm, args[0]), args.get(1)) {
        (Ok(Some(item)), _) => Ok(item),
        (Ok(None), Some(default)) => Ok(Owned::new_ref(*default)),
        (Ok(None), None) => Err(vm.raise_with(vm.exc.StopIteration, &[])),
        (Err(raised), default) => match default {
            Some(default) if vm.exception_matches(vm.exc.StopIteration) => {
                vm.clear_exception();
                Ok(Owned::new_ref(*default))
            }
            _ => Err(raised),
        },
    }
}

static SORT: Signature<2> = Signature::new("sort", ["key", "reverse"], 0).keyword_only(0);

/// `sorted(iterable, /, *, key, reverse)`: what is wrong with the keywords is said in the name of `list.sort`.
pub fn sorted(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let named = args::keyword_names(kwnames).len();
    args::check_positional(vm, "sorted", args.len() - named, 1, 1)?;
    let list = vm.list_from_owned(sequence::collect(vm, args[0])?)?;
    let [key, reverse] = SORT.unpack(vm, &args[1..], kwnames)?;
    let reverse = reverse.map_or(Ok(false), |reverse| protocol::is_true(vm, reverse))?;
    list_sort::sort(
        vm,
        list.as_word(),
        key.filter(|key| !key.is_none()),
        reverse,
    )?;
    Ok(list)
}

pub fn max(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    extreme(vm, "max", args, kwnames, CompareOp::Gt)
}
pub fn min(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    extreme(vm, "min", args, kwnames, CompareOp::Lt)
}

/// `max` and `min` (`min_max`): the first of the items that none compares better than.
fn extreme(
    vm: Vm,
    function: &str,
    args: &[Word],
    kwnames: Option<Word>,
    better: CompareOp,
) -> PyResult {
    let names = args::keyword_names(kwnames);
    let (positional, values) = args.split_at(args.len() - names.len());
    if positional.is_empty() {
        return Err(vm.type_error(format!("{function} expected at least 1 argument, got 0")));
    }
    let (mut key, mut default) = (None, None);
    for (name, value) in names.iter().zip(values) {
        match () {
            () if str::equals(*name, "key") => key = Some(*value).filter(|key| !key.is_none()),
            () if str::equals(*name, "default") => default = Some(*value),
            () => {
                let name = str::to_string_lossy(*name);
                return Err(vm.type_error(format!(
                    "{function}() got an unexpected keyword argument '{name}'"
                )));
            }
        }
    }
    if positional.len() > 1 && default.is_some() {
        return Err(vm.type_error(format!(
            "Cannot specify a default for {function}() with multiple positional arguments"
        )));
    }
    let mut best: Option<(Owned, Owned)> = None;
    let consider = |item: Owned| {
        let value = match key {
            Some(key) => call::call_one(vm, key, item.as_word())?,
            None => item.clone(),
        };
        let wins = match &best {
            Some((_, known)) => {
                protocol::rich_compare_bool(vm, value.as_word(), known.as_word(), better)?
            }
            None => true,
        };
        if wins {
            best = Some((item, value));
        }
        Ok(())
    };
    match positional {
        [iterable] => sequence::for_each(vm, *iterable, consider)?,
        items => items
            .iter()
            .map(|item| Owned::new_ref(*item))
            .try_for_each(consider)?,
    }
    match (best, default) {
        (Some((item, _)), _) => Ok(item),
        (None, Some(default)) => Ok(Owned::new_ref(default)),
        (None, None) => Err(vm.value_error(format!("{function}() iterable argument is empty"))),
    }
}
