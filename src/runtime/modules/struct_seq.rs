//! Tuples with named fields (`structseq.c`).

use crate::object::descr::GetSetDef;
use crate::object::tuple::{ITEMS_OFFSET, TupleObject};
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Kind, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, protocol, str, tuple,
};
use std::cell::Cell;

pub trait StructSeq: 'static {
    const NAME: &'static str;
    const FIELDS: &'static [&'static str];
    fn getset() -> &'static [GetSetDef];
}

/// Defines one: type name, fields with their places.
macro_rules! struct_seq {
    ($type:ident, $name:literal, $count:literal: $($field:ident $index:literal)*) => {
        struct $type;
        impl StructSeq for $type {
            const NAME: &'static str = $name;
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];
            fn getset() -> &'static [GetSetDef] {
                static GETSET: [GetSetDef; $count] = [$(GetSetDef::new(stringify!($field), item::<$index>, None)),*];
                &GETSET
            }
        }
    };
}
pub(super) use struct_seq;

pub(super) fn item<const INDEX: usize>(_: Vm, this: Word) -> PyResult {
    // SAFETY: the descriptor is called with instances of its type, which have that many items.
    Ok(Owned::new_ref(unsafe { tuple::items(this)[INDEX] }))
}

fn repr<S: StructSeq>(vm: Vm, this: Word) -> PyResult {
    let mut text = String::new();
    // SAFETY: an instance of the type, a tuple.
    for (name, item) in S::FIELDS.iter().zip(unsafe { tuple::items(this) }) {
        let item = protocol::repr(vm, *item)?;
        let separator = if text.is_empty() { "" } else { ", " };
        text += &format!("{separator}{name}={}", str::to_string_lossy(item.as_word()));
    }
    vm.new_str(&format!("{}({text})", S::NAME))
}

/// The type, made for this VM.
pub(super) fn make_type<S: StructSeq>(vm: Vm) -> Result<*mut TypeObject, Raised> {
    // SAFETY: a built-in type lives as long as the VM.
    let slots = Slots {
        repr: Some(repr::<S>),
        new: Some(|vm, _, _, _| {
            Err(vm.type_error(format!("cannot create '{}' instances", S::NAME)))
        }),
        ..unsafe { (*vm.types.tuple).slots }
    };
    let spec = TypeSpec {
        basic_size: size_of::<TupleObject>(),
        item_size: size_of::<Word>(),
        getset: S::getset(),
        flags: type_flag::DISALLOW_INSTANTIATION,
        ..TypeSpec::new::<TupleObject>(S::NAME, Kind::TUPLE.subclass(), slots)
    };
    vm.new_type(&spec, vm.types.tuple)
}

/// An instance with these items.
///
/// # Safety
/// `ty` is of [`make_type`], with as many fields.
pub(super) unsafe fn instance(vm: Vm, ty: *mut TypeObject, items: Vec<Owned>) -> PyResult {
    // SAFETY: a tuple's layout, all fields written.
    unsafe {
        let this =
            vm.alloc_sized::<TupleObject>(ty, ITEMS_OFFSET + items.len() * size_of::<Word>())?;
        (*this).length = items.len();
        (*this).hash = Cell::new(-1);
        for (index, item) in items.into_iter().enumerate() {
            (*this).items_ptr().add(index).write(item.into_slot());
        }
        Ok(Owned::from_raw(this))
    }
}

/// The one instance of a type made for it.
pub(super) fn singleton<S: StructSeq>(vm: Vm, items: Vec<Owned>) -> PyResult {
    assert_eq!(items.len(), S::FIELDS.len(), "fields of {}", S::NAME);
    let ty = make_type::<S>(vm)?;
    // SAFETY: as many items as fields.
    unsafe { instance(vm, ty, items) }
}
