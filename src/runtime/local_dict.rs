//! A function's variables as a dict (`locals()`).

use super::frame::{self, Locals};
use super::thread::Thread;
use crate::bytecode::spec::local_kind;
use crate::object::descr::CellObject;
use crate::object::{Kind, Owned, PyResult, Word, dict};

/// A frame's variables that have a value, looked up in cells where they live in one.
///
/// # Safety
/// The frame is live and has a function.
pub unsafe fn variables(locals: Locals) -> impl Iterator<Item = (Word, Word)> {
    // SAFETY: the caller's promise; kinds and names are as many as locals.
    let code = unsafe { &*frame::code(locals) };
    code.localsplusnames
        .iter()
        .enumerate()
        .filter_map(move |(index, name)| unsafe {
            let local = *locals.add(index);
            if local.is_null() {
                return None;
            }
            // An argument stays itself until MAKE_CELL has run.
            let in_cell =
                code.spec.localspluskinds[index] & (local_kind::CELL | local_kind::FREE) != 0;
            if in_cell && local.is_exact(Kind::CELL) {
                return Some((*name, (*local.cast::<CellObject>()).value.get()?));
            }
            Some((*name, local))
        })
}

/// A new dict of the variables as they are now.
///
/// # Safety
/// As [`variables`].
pub unsafe fn snapshot(ts: &Thread, locals: Locals) -> PyResult {
    let vm = ts.vm();
    unsafe {
        let dict = Owned::from_raw(vm.new_dict()?);
        for (name, value) in variables(locals) {
            dict::set_item(vm, dict.as_ptr(), name, value)?;
        }
        Ok(dict)
    }
}
