//! Built-in modules beyond `builtins`, made when they are first imported.

pub mod asyncgen_hooks;
pub mod future;
pub mod math;
mod math_int;
mod math_special;
pub mod stdlib_names;
pub mod stream;
mod struct_seq;
pub mod sys;
mod sys_info;
pub mod time;

use super::thread::Thread;
use crate::object::descr::MethodDef;
use crate::object::{Owned, PyResult, Raised, Vm, Word, dict, module};

type Make = fn(&Thread) -> PyResult;

/// In order of their names, as `sys.builtin_module_names` lists them.
static TABLE: [(&str, Make); 3] = [
    ("__future__", future::make),
    ("math", math::make),
    ("time", time::make),
];

/// Names of all built-in modules.
pub fn names() -> impl Iterator<Item = &'static str> {
    let mut names: Vec<_> = TABLE
        .iter()
        .map(|(name, _)| *name)
        .chain(["builtins", "sys"])
        .collect();
    names.sort_unstable();
    names.into_iter()
}

/// Makes the built-in module of this name and puts it into `sys.modules`; None if there is none.
pub fn make(ts: &Thread, name: &str) -> Result<Option<Owned>, Raised> {
    let Some((_, make)) = TABLE.iter().find(|(own, _)| *own == name) else {
        return Ok(None);
    };
    let vm = ts.vm();
    let module = make(ts)?;
    let name = vm.intern_str(name)?;
    // SAFETY: `sys.modules` lives as long as the VM.
    unsafe { dict::set_item(vm, vm.modules, name.as_word(), module.as_word())? };
    Ok(Some(module))
}

/// A module with these functions.
fn with_functions(vm: Vm, name: &str, functions: &'static [MethodDef]) -> PyResult {
    let module = vm.new_module(name)?;
    let module_name = vm.intern_str(name)?;
    for def in functions {
        let function = vm.new_builtin_function(def, None, Some(module_name.as_word()))?;
        set(vm, &module, def.name, function.as_word())?;
    }
    Ok(module)
}

fn set(vm: Vm, module: &Owned, name: &str, value: Word) -> Result<(), Raised> {
    let name = vm.intern_str(name)?;
    // SAFETY: a live module.
    unsafe { dict::set_str(vm, module::dict_of(module.as_word()), name.as_word(), value) }
}
