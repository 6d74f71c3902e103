//! The type `async_generator`, and the wrapper by which the loop tells what such a generator yields from what it awaits.

use super::asynchronous::{new_asend, new_athrow};
use super::types::{
    DEL, FAST, NAME, NOARGS, O, QUALNAME, SLOTS, get_code, get_frame, get_suspended, get_yield_from,
};
use super::{GeneratorObject, object, throwing};
use crate::object::descr::{GetSetDef, MethodDef};
use crate::object::generic_alias::CLASS_GETITEM;
use crate::object::types::{Slots, type_flag};
use crate::object::{Header, Kind, Object, Owned, PyResult, Raised, TypeSpec, Vm, Word, call};
use crate::runtime::thread::Thread;

static GETSET: [GetSetDef; 7] = [
    NAME,
    QUALNAME,
    GetSetDef::new("ag_await", get_yield_from, None),
    GetSetDef::new("ag_code", get_code, None),
    GetSetDef::new("ag_frame", get_frame, None),
    GetSetDef::member("ag_running", |_, this| {
        Ok(Owned::bool(object(this).running_async.get()))
    }),
    GetSetDef::new("ag_suspended", get_suspended, None),
];
static METHODS: [MethodDef; 7] = [
    MethodDef::new("__aiter__", NOARGS, |_, this, _, _| {
        Ok(Owned::new_ref(this))
    }),
    MethodDef::new("__anext__", NOARGS, |vm, this, _, _| anext(vm, this)),
    MethodDef::new("asend", O, |vm, this, args, _| {
        init_hooks(vm, this)?;
        new_asend(vm, this, Some(args[0]))
    }),
    MethodDef::new("athrow", FAST, |vm, this, args, _| {
        throwing::check_throw(vm, "athrow", args)?;
        init_hooks(vm, this)?;
        let args = vm.new_tuple(args)?;
        new_athrow(vm, this, Some(args))
    }),
    MethodDef::new("aclose", NOARGS, |vm, this, _, _| {
        init_hooks(vm, this)?;
        new_athrow(vm, this, None)
    }),
    DEL,
    CLASS_GETITEM,
];

pub(super) fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        methods: &METHODS,
        getset: &GETSET,
        ..TypeSpec::new::<GeneratorObject>("async_generator", Kind::ASYNC_GENERATOR, SLOTS)
    }
}

/// `__anext__()` (`async_gen_anext`).
pub(super) fn anext(vm: Vm, this: Word) -> PyResult {
    init_hooks(vm, this)?;
    new_asend(vm, this, None)
}

/// The first use of a generator calls the hooks of its thread (`async_gen_init_hooks`).
fn init_hooks(vm: Vm, this: Word) -> Result<(), Raised> {
    let (ts, generator) = (Thread::of(vm), object(this));
    if generator.hooks_inited.replace(true) {
        return Ok(());
    }
    let hooks = &ts.asyncgen_hooks;
    let [firstiter, finalizer] =
        [&hooks.firstiter, &hooks.finalizer].map(|hook| hook.get().map(Owned::new_ref));
    generator.finalizer.set(finalizer.map(Owned::into_slot));
    match firstiter {
        Some(hook) => call::call_one(vm, hook.as_word(), this).map(drop),
        None => Ok(()),
    }
}

// ---- async_generator_wrapped_value

#[repr(C)]
struct Wrapped {
    header: Header,
    /// A slot's word.
    value: Word,
}

pub(super) fn wrapped_spec() -> TypeSpec {
    let slots = Slots {
        dealloc: wrapped_dealloc,
        traverse: Some(wrapped_traverse),
        ..Slots::EMPTY
    };
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        ..TypeSpec::new::<Wrapped>("async_generator_wrapped_value", Kind::OTHER, slots)
    }
}

/// `INTRINSIC_ASYNC_GEN_WRAP`
pub fn wrap(vm: Vm, value: Word) -> PyResult {
    // SAFETY: the type is laid out so; the field is written.
    unsafe {
        let wrapped = vm.alloc::<Wrapped>(vm.types.async_generator_wrapped_value)?;
        (&raw mut (*wrapped).value).write(Owned::new_ref(value).into_slot());
        Ok(Owned::from_raw(wrapped))
    }
}

/// What has been wrapped; None if the word is nothing of the kind.
pub(super) fn unwrap(vm: Vm, word: Word) -> Option<Owned> {
    if vm.type_of(word) != vm.types.async_generator_wrapped_value {
        return None;
    }
    // SAFETY: the type has this layout.
    Some(Owned::new_ref(unsafe { (*word.cast::<Wrapped>()).value }))
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn wrapped_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let value = (*object.cast::<Wrapped>()).value;
        vm.free(object);
        value.release_slot();
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn wrapped_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let value = (*object.cast::<Wrapped>()).value;
        if value.is_pointer() {
            visit(value);
        }
    }
}
