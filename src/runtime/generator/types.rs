//! The types `generator` and `coroutine` as programs see them, and `coroutine_wrapper`.

use super::{GeneratorObject, drive, object, state, throwing, yield_from};
use crate::object::descr::{GetSetDef, MethodDef, meth};
use crate::object::generic_alias::CLASS_GETITEM;
use crate::object::types::{Slots, type_flag};
use crate::object::{Header, Kind, Object, Owned, PyResult, Raised, TypeSpec, Vm, Word, str};
use crate::runtime::frame_object;
use crate::runtime::thread::Thread;

pub(super) const NOARGS: u16 = meth::NOARGS;
pub(super) const O: u16 = meth::O;
pub(super) const FAST: u16 = meth::FASTCALL;

/// Makes the types, which the VM keeps.
pub(in crate::runtime) fn make_types(ts: &Thread) -> Result<(), Raised> {
    let vm = ts.vm();
    let null = std::ptr::null_mut();
    // SAFETY: the VM is being set up; nobody reads the fields yet.
    unsafe {
        let types = &raw mut (*vm.as_ptr()).types;
        (*types).generator = vm.new_type(&generator_spec(), null)?;
        (*types).coroutine = vm.new_type(&coroutine_spec(), null)?;
        (*types).coroutine_wrapper = vm.new_type(&wrapper_spec(), null)?;
        (*types).async_generator = vm.new_type(&super::async_type::spec(), null)?;
        (*types).async_generator_wrapped_value =
            vm.new_type(&super::async_type::wrapped_spec(), null)?;
        (*types).async_generator_asend = vm.new_type(&super::asynchronous::asend_spec(), null)?;
        (*types).async_generator_athrow = vm.new_type(&super::asynchronous::athrow_spec(), null)?;
        (*types).anext_awaitable = vm.new_type(&super::await_iter::anext_spec(), null)?;
    }
    Ok(())
}

/// What the three types have in common.
pub(super) const SLOTS: Slots = Slots {
    dealloc: super::dealloc,
    traverse: Some(super::traverse),
    clear: Some(super::clear),
    finalize: Some(throwing::finalize),
    repr: Some(repr),
    ..Slots::EMPTY
};
/// `__name__` and `__qualname__`, which can be assigned.
pub(super) const NAME: GetSetDef = GetSetDef::new(
    "__name__",
    |_, this| Ok(Owned::new_ref(object(this).name.get())),
    Some(|vm, this, value| set_text(vm, &object(this).name, "__name__", value)),
);
pub(super) const QUALNAME: GetSetDef = GetSetDef::new(
    "__qualname__",
    |_, this| Ok(Owned::new_ref(object(this).qualname.get())),
    Some(|vm, this, value| set_text(vm, &object(this).qualname, "__qualname__", value)),
);
pub(super) const DEL: MethodDef = MethodDef::new("__del__", NOARGS, throwing::del_method);

fn set_text(
    vm: Vm,
    slot: &std::cell::Cell<Word>,
    name: &str,
    value: Option<Word>,
) -> Result<(), Raised> {
    let Some(value) = value.filter(|value| str::is_str(*value)) else {
        return Err(vm.type_error(format!("{name} must be set to a string object")));
    };
    let old = slot.replace(Owned::new_ref(value).into_slot());
    // SAFETY: a slot's word, overwritten.
    unsafe { old.release_slot() };
    Ok(())
}

fn repr(vm: Vm, this: Word) -> PyResult {
    let kind = vm.type_name(this);
    let name = str::to_string_lossy(object(this).qualname.get());
    vm.new_str(&format!("<{kind} object {name} at {:p}>", this.object()))
}

pub(super) fn get_code(_: Vm, this: Word) -> PyResult {
    Ok(Owned::new_ref(object(this).code))
}
pub(super) fn get_suspended(_: Vm, this: Word) -> PyResult {
    Ok(Owned::bool(object(this).is_suspended()))
}
pub(super) fn get_yield_from(_: Vm, this: Word) -> PyResult {
    Ok(yield_from(object(this)).unwrap_or(Owned::NONE))
}
fn get_running(_: Vm, this: Word) -> PyResult {
    Ok(Owned::bool(object(this).state() == state::EXECUTING))
}
/// The object of its frame; None once the generator is finished.
pub(super) fn get_frame(vm: Vm, this: Word) -> PyResult {
    if object(this).is_finished() {
        return Ok(Owned::NONE);
    }
    // SAFETY: a live generator that has not ended.
    unsafe { frame_object::of_generator(Thread::of(vm), this.cast()) }
}

static GENERATOR_GETSET: [GetSetDef; 7] = [
    NAME,
    QUALNAME,
    GetSetDef::new("gi_code", get_code, None),
    GetSetDef::new("gi_frame", get_frame, None),
    GetSetDef::new("gi_running", get_running, None),
    GetSetDef::new("gi_suspended", get_suspended, None),
    GetSetDef::new("gi_yieldfrom", get_yield_from, None),
];
static GENERATOR_METHODS: [MethodDef; 5] = [
    MethodDef::new("send", O, drive::send_method),
    MethodDef::new("throw", FAST, throwing::throw_method),
    MethodDef::new("close", NOARGS, throwing::close_method),
    DEL,
    CLASS_GETITEM,
];

fn generator_spec() -> TypeSpec {
    let slots = Slots {
        iter: Some(|_, this| Ok(Owned::new_ref(this))),
        iternext: Some(drive::iternext),
        ..SLOTS
    };
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        methods: &GENERATOR_METHODS,
        getset: &GENERATOR_GETSET,
        ..TypeSpec::new::<GeneratorObject>("generator", Kind::GENERATOR, slots)
    }
}

static COROUTINE_GETSET: [GetSetDef; 8] = [
    NAME,
    QUALNAME,
    GetSetDef::new("cr_await", get_yield_from, None),
    GetSetDef::new("cr_code", get_code, None),
    GetSetDef::new("cr_frame", get_frame, None),
    // Nobody asks for origins to be tracked.
    GetSetDef::member("cr_origin", |_, _| Ok(Owned::NONE)),
    GetSetDef::new("cr_running", get_running, None),
    GetSetDef::new("cr_suspended", get_suspended, None),
];
static COROUTINE_METHODS: [MethodDef; 6] = [
    MethodDef::new("send", O, drive::send_method),
    MethodDef::new("throw", FAST, throwing::throw_method),
    MethodDef::new("close", NOARGS, throwing::close_method),
    MethodDef::new("__await__", NOARGS, new_wrapper),
    DEL,
    CLASS_GETITEM,
];

fn coroutine_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        methods: &COROUTINE_METHODS,
        getset: &COROUTINE_GETSET,
        ..TypeSpec::new::<GeneratorObject>("coroutine", Kind::COROUTINE, SLOTS)
    }
}

// ---- coroutine_wrapper: the iterator that `coroutine.__await__()` gives

#[repr(C)]
struct Wrapper {
    header: Header,
    /// A slot's word.
    coroutine: Word,
}

fn coroutine_of(this: Word) -> Word {
    // SAFETY: contract of Word; the field does not change.
    unsafe { (*this.cast::<Wrapper>()).coroutine }
}

static WRAPPER_METHODS: [MethodDef; 3] = [
    MethodDef::new("send", O, |vm, this, args, names| {
        drive::send_method(vm, coroutine_of(this), args, names)
    }),
    MethodDef::new("throw", FAST, |vm, this, args, names| {
        throwing::throw_method(vm, coroutine_of(this), args, names)
    }),
    MethodDef::new("close", NOARGS, |vm, this, args, names| {
        throwing::close_method(vm, coroutine_of(this), args, names)
    }),
];

fn wrapper_spec() -> TypeSpec {
    let slots = Slots {
        dealloc: wrapper_dealloc,
        traverse: Some(wrapper_traverse),
        iter: Some(|_, this| Ok(Owned::new_ref(this))),
        iternext: Some(|vm, this| drive::iternext(vm, coroutine_of(this))),
        ..Slots::EMPTY
    };
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        methods: &WRAPPER_METHODS,
        ..TypeSpec::new::<Wrapper>("coroutine_wrapper", Kind::OTHER, slots)
    }
}

fn new_wrapper(vm: Vm, coroutine: Word, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: the type is laid out so; the field is written.
    unsafe {
        let wrapper = vm.alloc::<Wrapper>(vm.types.coroutine_wrapper)?;
        (&raw mut (*wrapper).coroutine).write(Owned::new_ref(coroutine).into_slot());
        Ok(Owned::from_raw(wrapper))
    }
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn wrapper_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let coroutine = (*object.cast::<Wrapper>()).coroutine;
        vm.free(object);
        coroutine.release_slot();
    }
}

/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn wrapper_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { visit((*object.cast::<Wrapper>()).coroutine) }
}
