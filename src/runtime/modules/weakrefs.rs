//! `_weakref` (`_weakref.c`): weak references, and questions about them. Proxies are `py/weakref.py`'s.

use super::{set, with_functions};
use crate::object::descr::{MethodDef, meth};
use crate::object::{Owned, PyResult, weakref};
use crate::runtime::thread::Thread;

static FUNCTIONS: [MethodDef; 2] = [
    MethodDef::new("getweakrefcount", meth::O, |vm, _, args, _| {
        vm.new_int_usize(weakref::all(vm, args[0]).len())
    }),
    MethodDef::new("getweakrefs", meth::O, |vm, _, args, _| {
        vm.list_from_owned(weakref::all(vm, args[0]))
    }),
];

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "_weakref", &FUNCTIONS)?;
    // SAFETY: built-in types live as long as the VM.
    let class = Owned::new_ref(unsafe { (*vm.types.weakref).word() });
    for name in ["ref", "ReferenceType"] {
        set(vm, &module, name, class.as_word())?;
    }
    Ok(module)
}
