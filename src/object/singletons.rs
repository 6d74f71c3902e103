//! `None`, `Ellipsis`, `NotImplemented`: immediates with types of their own.

use super::args;
use super::header::{Header, Kind};
use super::owned::{Owned, PyResult};
use super::types::{Slots, TypeObject, TypeSpec};
use super::vm::Vm;
use super::word::Word;

fn no_arguments(
    vm: Vm,
    ty: *mut TypeObject,
    args: &[Word],
    kwnames: Option<Word>,
) -> Result<(), super::owned::Raised> {
    if args.is_empty() && args::keyword_names(kwnames).is_empty() {
        return Ok(());
    }
    // SAFETY: the type is live.
    Err(vm.type_error(format!("{} takes no arguments", unsafe {
        (*ty).name_string()
    })))
}
fn none_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    no_arguments(vm, ty, args, kwnames).map(|()| Owned::NONE)
}
fn ellipsis_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    no_arguments(vm, ty, args, kwnames).map(|()| Owned::from_word(Word::ELLIPSIS))
}
fn not_implemented_new(
    vm: Vm,
    ty: *mut TypeObject,
    args: &[Word],
    kwnames: Option<Word>,
) -> PyResult {
    no_arguments(vm, ty, args, kwnames).map(|()| Owned::NOT_IMPLEMENTED)
}
pub(super) const fn none_spec() -> TypeSpec {
    TypeSpec::new::<Header>(
        "NoneType",
        Kind::NONE,
        Slots {
            repr: Some(|vm, _| vm.intern_str("None")),
            bool: Some(|_, _| Ok(false)),
            new: Some(none_new),
            // The same in every process, unlike an address.
            hash: Some(|_, _| Ok(0xfca8_6420)),
            ..Slots::EMPTY
        },
    )
}
pub(super) const fn ellipsis_spec() -> TypeSpec {
    TypeSpec::new::<Header>(
        "ellipsis",
        Kind::ELLIPSIS,
        Slots {
            repr: Some(|vm, _| vm.intern_str("Ellipsis")),
            new: Some(ellipsis_new),
            ..Slots::EMPTY
        },
    )
}
pub(super) const fn not_implemented_spec() -> TypeSpec {
    TypeSpec::new::<Header>(
        "NotImplementedType",
        Kind::NOT_IMPLEMENTED,
        Slots {
            repr: Some(|vm, _| vm.intern_str("NotImplemented")),
            bool: Some(|vm, _| {
                Err(vm.type_error("NotImplemented should not be used in a boolean context"))
            }),
            new: Some(not_implemented_new),
            ..Slots::EMPTY
        },
    )
}
