//! `isinstance`, `issubclass`, `callable`.

use crate::object::{Owned, PyResult, Vm, Word, args, call, protocol};

pub fn callable(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    Ok(Owned::bool(call::is_callable(vm, args[0])))
}

pub fn isinstance(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "isinstance", args.len(), 2, 2)?;
    protocol::is_instance(vm, args[0], args[1]).map(Owned::bool)
}

pub fn issubclass(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "issubclass", args.len(), 2, 2)?;
    protocol::is_subclass(vm, args[0], args[1]).map(Owned::bool)
}
