//! `sys.settrace`, `sys.setprofile` and their kin.

use super::set;
use crate::object::args;
use crate::object::descr::{MethodDef, meth};
use crate::object::{Kind, Owned, PyResult, Raised, Vm, Word, call, tuple};
use crate::runtime::thread::Thread;
use crate::runtime::tracing;

static FUNCTIONS: [MethodDef; 7] = [
    MethodDef::new("_setprofileallthreads", meth::O, setprofile),
    MethodDef::new("_settraceallthreads", meth::O, settrace),
    MethodDef::new("call_tracing", meth::FASTCALL, call_tracing),
    MethodDef::new("getprofile", meth::NOARGS, |vm, _, _, _| {
        let function = Thread::of(vm).tracing.profile();
        Ok(function.unwrap_or(Owned::NONE))
    }),
    MethodDef::new("gettrace", meth::NOARGS, |vm, _, _, _| {
        let function = Thread::of(vm).tracing.trace();
        Ok(function.unwrap_or(Owned::NONE))
    }),
    MethodDef::new("setprofile", meth::O, setprofile),
    MethodDef::new("settrace", meth::O, settrace),
];

pub(super) fn fill(vm: Vm, module: &Owned) -> Result<(), Raised> {
    for def in &FUNCTIONS {
        let function = vm.new_builtin_function(def, None, Some(vm.names.sys))?;
        set(vm, module, def.name, function.as_word())?;
    }
    Ok(())
}

fn unless_none(word: Word) -> Option<Word> {
    Some(word).filter(|word| !word.is_none())
}

fn settrace(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    tracing::set_trace(Thread::of(vm), unless_none(args[0]))?;
    Ok(Owned::NONE)
}

fn setprofile(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    tracing::set_profile(Thread::of(vm), unless_none(args[0]))?;
    Ok(Owned::NONE)
}

/// Calls a function as if no trace function were running.
fn call_tracing(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "call_tracing", args.len(), 2, 2)?;
    if !args[1].is_instance(Kind::TUPLE) {
        return Err(vm.type_error(format!(
            "call_tracing() argument 2 must be tuple, not {}",
            vm.argument_type(args[1])
        )));
    }
    // SAFETY: a tuple that the caller keeps.
    let items = unsafe { tuple::items(args[1]) };
    let state = &Thread::of(vm).monitoring;
    state.with_tracing(0, || call::call(vm, args[0], items, None))
}
