//! Attributes of any object.

use super::names::name_at;
use crate::interp::abi::Locals;
use crate::object::{Owned, Raised, Word, attr};
use crate::runtime::thread::Thread;

/// The attribute and NULL; with the low bit of `oparg`, a method found on the type comes unbound, its instance behind it.
#[inline(never)]
pub unsafe fn load_attr(ts: &Thread, locals: Locals, owner: Word, oparg: usize) -> (Word, Word) {
    let vm = ts.vm();
    let name = unsafe { name_at(locals, oparg >> 1) };
    if oparg & 1 == 0 {
        return (
            super::word_or_null(attr::get_attr(vm, owner, name)),
            Word::NULL,
        );
    }
    match attr::get_method(vm, owner, name) {
        Ok((method, true)) => (method.into_word(), Owned::new_ref(owner).into_word()),
        Ok((value, false)) => (value.into_word(), Word::NULL),
        Err(Raised) => (Word::NULL, Word::NULL),
    }
}

#[inline(never)]
pub unsafe fn store_attr(
    ts: &Thread,
    locals: Locals,
    owner: Word,
    value: Word,
    index: usize,
) -> bool {
    unsafe { attr::set_attr(ts.vm(), owner, name_at(locals, index), Some(value)).is_ok() }
}

#[inline(never)]
pub unsafe fn delete_attr(ts: &Thread, locals: Locals, owner: Word, index: usize) -> bool {
    unsafe { attr::set_attr(ts.vm(), owner, name_at(locals, index), None).is_ok() }
}
