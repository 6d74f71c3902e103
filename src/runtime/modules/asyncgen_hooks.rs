//! `sys.get_asyncgen_hooks` and `sys.set_asyncgen_hooks`: what is called with an asynchronous generator at its first use
//! and at its end.

use super::struct_seq::{self, StructSeq, item, struct_seq};
use crate::object::args::Signature;
use crate::object::descr::GetSetDef;
use crate::object::{Owned, PyResult, Raised, TypeObject, Vm, Word, call};
use crate::runtime::thread::Thread;
use std::cell::Cell;
use std::ptr::null_mut;

/// Slots' words; None for no hook.
pub struct Hooks {
    pub firstiter: Cell<Option<Word>>,
    pub finalizer: Cell<Option<Word>>,
    ty: Cell<*mut TypeObject>,
}

impl Default for Hooks {
    fn default() -> Hooks {
        Hooks {
            firstiter: Cell::new(None),
            finalizer: Cell::new(None),
            ty: Cell::new(null_mut()),
        }
    }
}

struct_seq!(AsyncGenHooks, "asyncgen_hooks", 2: firstiter 0 finalizer 1);

pub(super) fn get(vm: Vm, _: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let hooks = &Thread::of(vm).asyncgen_hooks;
    if hooks.ty.get().is_null() {
        hooks.ty.set(struct_seq::make_type::<AsyncGenHooks>(vm)?);
    }
    let items = [&hooks.firstiter, &hooks.finalizer]
        .map(|hook| hook.get().map_or(Owned::NONE, Owned::new_ref));
    // SAFETY: the type has two fields.
    unsafe { struct_seq::instance(vm, hooks.ty.get(), items.into()) }
}

/// A hook that is not given stays, None removes it.
pub(super) fn set(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    const SIGNATURE: Signature<2> =
        Signature::new("set_asyncgen_hooks", ["firstiter", "finalizer"], 0);
    let [firstiter, finalizer] = SIGNATURE.unpack(vm, args, kwnames)?;
    check(vm, "finalizer", finalizer)?;
    check(vm, "firstiter", firstiter)?;
    let hooks = &Thread::of(vm).asyncgen_hooks;
    for (hook, given) in [(&hooks.finalizer, finalizer), (&hooks.firstiter, firstiter)] {
        let Some(given) = given else { continue };
        crate::object::exc::replace(hook, Some(given).filter(|given| !given.is_none()));
    }
    Ok(Owned::NONE)
}

fn check(vm: Vm, name: &str, hook: Option<Word>) -> Result<(), Raised> {
    match hook.filter(|hook| !hook.is_none() && !call::is_callable(vm, *hook)) {
        None => Ok(()),
        Some(hook) => Err(vm.type_error(format!(
            "callable {name} expected, got {}",
            vm.type_name(hook)
        ))),
    }
}
