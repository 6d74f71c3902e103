//! `getattr` and its kin.

use crate::object::{Owned, PyResult, Raised, Vm, Word, args, attr};

/// An attribute's name as lookups want it: interned.
fn name(vm: Vm, name: Word) -> PyResult {
    attr::require_name(vm, name)?;
    vm.intern(name)
}

pub fn getattr(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "getattr", args.len(), 2, 3)?;
    let name = name(vm, args[1])?;
    match args.get(2) {
        None => attr::get_attr(vm, args[0], name.as_word()),
        Some(default) => {
            let found = attr::get_attr_opt(vm, args[0], name.as_word())?;
            Ok(found.unwrap_or_else(|| Owned::new_ref(*default)))
        }
    }
}

pub fn hasattr(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "hasattr", args.len(), 2, 2)?;
    let name = name(vm, args[1])?;
    Ok(Owned::bool(
        attr::get_attr_opt(vm, args[0], name.as_word())?.is_some(),
    ))
}

pub fn setattr(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "setattr", args.len(), 3, 3)?;
    store(vm, args[0], args[1], Some(args[2]))
}

pub fn delattr(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "delattr", args.len(), 2, 2)?;
    store(vm, args[0], args[1], None)
}

fn store(vm: Vm, object: Word, key: Word, value: Option<Word>) -> PyResult {
    let name = name(vm, key)?;
    attr::set_attr(vm, object, name.as_word(), value).map(|()| Owned::NONE)
}

/// Calls a special method found on the type; None if there is none.
pub(super) fn call_special(
    vm: Vm,
    object: Word,
    name: Word,
    args: &[Word],
) -> Result<Option<Owned>, Raised> {
    match attr::lookup_bound(vm, object, name)? {
        Some(method) => crate::object::call::call(vm, method.as_word(), args, None).map(Some),
        None => Ok(None),
    }
}
