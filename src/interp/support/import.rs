//! Imports.

use super::names::name_at;
use super::word_or_null;
use crate::interp::abi::Locals;
use crate::object::{Owned, PyResult, Word, call, dict};
use crate::runtime::frame::{self, Meta};
use crate::runtime::import;
use crate::runtime::thread::Thread;

/// `import name` through the frame's `__import__` (`_PyEval_ImportName`).
#[inline(never)]
pub unsafe fn import_name(
    ts: &Thread,
    locals: Locals,
    level: Word,
    fromlist: Word,
    index: usize,
) -> Word {
    word_or_null(unsafe { import_through_builtins(ts, locals, level, fromlist, index) })
}

unsafe fn import_through_builtins(
    ts: &Thread,
    locals: Locals,
    level: Word,
    fromlist: Word,
    index: usize,
) -> PyResult {
    let vm = ts.vm();
    unsafe {
        let name = name_at(locals, index);
        let function = frame::function(locals);
        let Some(import) = dict::get_item(vm, (*function).builtins.get(), vm.names.__import__)?
        else {
            return Err(vm.raise(vm.exc.ImportError, "__import__ not found"));
        };
        let globals = Word::from_borrowed((*function).globals.get());
        if import.is(ts.callables.import.get()) {
            return import::import_level(ts, name, globals, fromlist, level);
        }
        let header = frame::frame(locals);
        let namespace = if (*header).meta.has(Meta::NAMESPACE) {
            (*header).namespace
        } else {
            Word::NONE
        };
        let import = Owned::new_ref(import);
        call::call(
            vm,
            import.as_word(),
            &[name, globals, namespace, fromlist, level],
            None,
        )
    }
}

#[inline(never)]
pub unsafe fn import_from(ts: &Thread, locals: Locals, from: Word, index: usize) -> Word {
    unsafe { word_or_null(import::import_from(ts, from, name_at(locals, index))) }
}
