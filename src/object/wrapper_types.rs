//! Slot wrappers as Python objects: `int.__add__`, and bound to an instance `(5).__add__` (`descrobject.c`).

use super::call;
use super::descr::GetSetDef;
use super::descr_types::{address, name_of, owner_word, pair_dealloc, pair_traverse};
use super::header::{Header, Kind};
use super::owned::{Owned, PyResult};
use super::slot_defs::{self, SlotDef};
use super::types::{Slots, TypeObject, TypeSpec, type_flag};
use super::vectorcall::Args;
use super::vm::Vm;
use super::word::Word;

/// `PyWrapperDescrObject`: a built-in type's slot as a method.
#[repr(C)]
pub struct WrapperDescriptorObject {
    pub header: Header,
    pub def: &'static SlotDef,
    pub owner: *mut TypeObject,
}

/// `wrapperobject`: a slot wrapper bound to an instance.
#[repr(C)]
pub struct MethodWrapperObject {
    pub header: Header,
    /// A slot's word: the wrapper descriptor.
    pub descriptor: Word,
    pub self_: Word,
}

fn wrapper<'a>(word: Word) -> &'a WrapperDescriptorObject {
    // SAFETY: contract of Word; the fields do not change.
    unsafe { &*word.cast() }
}

impl Vm {
    pub(super) fn new_wrapper_descriptor(
        self,
        def: &'static SlotDef,
        owner: *mut TypeObject,
    ) -> PyResult {
        // SAFETY: the type is laid out so; all fields are written.
        unsafe {
            let descriptor =
                self.alloc::<WrapperDescriptorObject>(self.types.wrapper_descriptor)?;
            (&raw mut (*descriptor).def).write(def);
            (*descriptor).owner = owner;
            Ok(Owned::from_raw(descriptor))
        }
    }
}
fn wrapper_get(vm: Vm, word: Word, object: Option<Word>, _: Option<Word>) -> PyResult {
    let Some(object) = object else {
        return Ok(Owned::new_ref(word));
    };
    call::check_descriptor_self(vm, wrapper(word).def.name, wrapper(word).owner, object)?;
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let bound = vm.alloc::<MethodWrapperObject>(vm.types.method_wrapper)?;
        (*bound).descriptor = Owned::new_ref(word).into_slot();
        (*bound).self_ = Owned::new_ref(object).into_slot();
        Ok(Owned::from_raw(bound))
    }
}
fn wrapper_call(vm: Vm, word: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult {
    let descriptor = wrapper(word);
    let positional = args.len() - super::args::keyword_names(kwnames).len();
    if positional == 0 {
        return Err(vm.type_error(format!(
            "descriptor '{}' of '{}' object needs an argument",
            descriptor.def.name,
            name_of(descriptor.owner)
        )));
    }
    if !vm.is_instance(args[0], descriptor.owner) {
        return Err(vm.type_error(format!(
            "descriptor '{}' requires a '{}' object but received a '{}'",
            descriptor.def.name,
            name_of(descriptor.owner),
            vm.type_name(args[0])
        )));
    }
    slot_defs::call_wrapper(
        vm,
        descriptor.def,
        descriptor.owner,
        args[0],
        &args[1..],
        kwnames,
    )
}
fn wrapper_repr(vm: Vm, word: Word) -> PyResult {
    let descriptor = wrapper(word);
    vm.new_str(&format!(
        "<slot wrapper '{}' of '{}' objects>",
        descriptor.def.name,
        name_of(descriptor.owner)
    ))
}
static WRAPPER_GETSET: [GetSetDef; 4] = [
    GetSetDef::member("__name__", |vm, d| vm.intern_str(wrapper(d).def.name)),
    GetSetDef::new(
        "__qualname__",
        |vm, d| {
            vm.new_str(&format!(
                "{}.{}",
                name_of(wrapper(d).owner),
                wrapper(d).def.name
            ))
        },
        None,
    ),
    GetSetDef::member("__objclass__", |_, d| Ok(owner_word(wrapper(d).owner))),
    GetSetDef::new("__doc__", |_, _| Ok(Owned::NONE), None),
];
fn bound_wrapper<'a>(word: Word) -> &'a MethodWrapperObject {
    // SAFETY: as for the others.
    unsafe { &*word.cast() }
}
fn method_wrapper_call(vm: Vm, word: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult {
    let bound = bound_wrapper(word);
    let descriptor = wrapper(bound.descriptor);
    slot_defs::call_wrapper(
        vm,
        descriptor.def,
        descriptor.owner,
        bound.self_,
        &args,
        kwnames,
    )
}
fn method_wrapper_repr(vm: Vm, word: Word) -> PyResult {
    let bound = bound_wrapper(word);
    vm.new_str(&format!(
        "<method-wrapper '{}' of {} object at {}>",
        wrapper(bound.descriptor).def.name,
        vm.type_name(bound.self_),
        address(bound.self_)
    ))
}
static METHOD_WRAPPER_GETSET: [GetSetDef; 3] = [
    GetSetDef::new(
        "__name__",
        |vm, w| vm.intern_str(wrapper(bound_wrapper(w).descriptor).def.name),
        None,
    ),
    GetSetDef::member("__self__", |_, w| {
        Ok(Owned::new_ref(bound_wrapper(w).self_))
    }),
    GetSetDef::new(
        "__objclass__",
        |_, w| Ok(owner_word(wrapper(bound_wrapper(w).descriptor).owner)),
        None,
    ),
];

pub(super) const fn wrapper_descriptor_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::METHOD_DESCRIPTOR,
        getset: &WRAPPER_GETSET,
        ..TypeSpec::new::<WrapperDescriptorObject>(
            "wrapper_descriptor",
            Kind::WRAPPER_DESCRIPTOR,
            Slots {
                repr: Some(wrapper_repr),
                call: Some(wrapper_call),
                descr_get: Some(wrapper_get),
                ..Slots::EMPTY
            },
        )
    }
}
pub(super) const fn method_wrapper_spec() -> TypeSpec {
    TypeSpec {
        getset: &METHOD_WRAPPER_GETSET,
        ..TypeSpec::new::<MethodWrapperObject>(
            "method-wrapper",
            Kind::METHOD_WRAPPER,
            Slots {
                dealloc: pair_dealloc,
                traverse: Some(pair_traverse),
                repr: Some(method_wrapper_repr),
                call: Some(method_wrapper_call),
                ..Slots::EMPTY
            },
        )
    }
}
