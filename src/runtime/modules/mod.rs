//! Modules that the VM brings along, made when they are first imported.
//!
//! Those that CPython has built in come before anything on `sys.path`, as there. The others are found after the path,
//! where CPython has them as files: native ones, and Python source that is compiled when it is imported.

mod abc;
mod array;
mod array_methods;
pub mod asyncgen_hooks;
mod bisect;
mod calendar;
mod collections;
mod functools;
pub mod future;
pub mod garbage;
mod heapq;
mod itertools;
mod library;
pub mod math;
mod math_int;
mod math_special;
mod monitoring;
mod opcodes;
mod operator;
mod operator_get;
mod random;
mod record;
pub mod signal;
pub mod stdlib_names;
pub mod stream;
mod struct_seq;
pub mod sys;
mod sys_info;
mod sys_trace;
pub mod time;
mod traceback_parts;
pub mod unraisable;
mod weakrefs;

pub use garbage::Settings as GcSettings;

use super::thread::Thread;
use crate::object::descr::MethodDef;
use crate::object::{Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, dict, module};
use std::cell::Cell;
use std::ptr::null_mut;

type Make = fn(&Thread) -> PyResult;

/// In order of their names, as `sys.builtin_module_names` lists them.
static TABLE: [(&str, Make); 19] = [
    ("__future__", future::make),
    ("_abc", abc::make),
    ("_bisect", bisect::make),
    ("_collections", collections::make),
    ("_functools", functools::make),
    ("_heapq", heapq::make),
    ("_opcode", opcodes::make),
    ("_opcode_metadata", opcodes::make_metadata),
    ("_operator", operator::make),
    ("_random", random::make),
    ("_signal", signal::make),
    ("_time", calendar::make),
    ("_traceback", traceback_parts::make),
    ("_weakref", weakrefs::make),
    ("array", array::make),
    ("gc", garbage::make),
    ("itertools", itertools::make),
    ("math", math::make),
    ("time", time::make),
];

macro_rules! module_types {
    ($($name:ident)*) => {
        /// Types that native code of the modules makes instances of; null until their module has been made.
        pub struct ModuleTypes { $(pub $name: Cell<*mut TypeObject>,)* }
        impl Default for ModuleTypes {
            fn default() -> ModuleTypes {
                ModuleTypes { $($name: Cell::new(null_mut()),)* }
            }
        }
    };
}

module_types! {
    unraisable_args
    grouper tee tee_node array array_iterator
    partial placeholder cmp_key lru_cache
    deque deque_iterator deque_reverse_iterator defaultdict ordered_dict odict_iterator odict_view tuplegetter
}

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
    match TABLE.iter().find(|(own, _)| *own == name) {
        Some((_, make)) => add(ts, name, *make).map(Some),
        None => Ok(None),
    }
}

/// The same for the modules that are found after the path, submodules among them.
pub fn make_from_library(ts: &Thread, name: &str) -> Result<Option<Owned>, Raised> {
    library::make(ts, name)
}

fn add(ts: &Thread, name: &str, make: Make) -> PyResult {
    let vm = ts.vm();
    let module = make(ts)?;
    let name = vm.intern_str(name)?;
    // SAFETY: `sys.modules` lives as long as the VM.
    unsafe { dict::set_item(vm, vm.modules, name.as_word(), module.as_word())? };
    Ok(module)
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

/// Makes a type, and puts it into its module under its own name.
fn add_type(
    vm: Vm,
    module: Option<&Owned>,
    spec: &TypeSpec,
    base: *mut TypeObject,
) -> Result<*mut TypeObject, Raised> {
    let ty = vm.new_type(spec, base)?;
    if let Some(module) = module {
        let short = spec.name.rsplit('.').next().unwrap_or(spec.name);
        // SAFETY: a type just made lives as long as the VM.
        set(vm, module, short, unsafe { (*ty).word() })?;
    }
    Ok(ty)
}
