//! Looking names up in whatever mapping a namespace is.

use crate::object::{Kind, Owned, Raised, Vm, Word, dict, sequence};

/// The value of a key, None if there is none: KeyError means that (`PyMapping_GetOptionalItem`).
pub fn get_optional_item(vm: Vm, mapping: Word, key: Word) -> Result<Option<Owned>, Raised> {
    if mapping.is_exact(Kind::DICT) {
        // SAFETY: a dict, kept alive by whoever gave the word.
        return Ok(unsafe { dict::get_item(vm, mapping.cast(), key) }?.map(Owned::new_ref));
    }
    match sequence::get_item(vm, mapping, key) {
        Ok(value) => Ok(Some(value)),
        Err(Raised) if vm.exception_matches(vm.exc.KeyError) => {
            vm.clear_exception();
            Ok(None)
        }
        Err(raised) => Err(raised),
    }
}
