//! The table of built-in types that the object layer makes at start, in the order in which they need each other.

use super::descr_types as descr;
use super::dict_views as views;
use super::header::Kind;
use super::module::{self, ModuleObject};
use super::slice::{self, SliceObject};
use super::str::{self, StrObject};
use super::types::{Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Core;
use super::{
    attr, bytearray, bytes, complex, dict_methods, float_methods, generic_alias, int_methods,
    iterators, list_methods, mapping_proxy, memoryview, method_types, object_type, percent,
    property, range, set_methods, singletons, str_methods, str_text, super_object, tuple_methods,
    type_object, union, weakref, wrapper_types,
};
use crate::object::number::nb;

pub(super) type Row = (*mut *mut TypeObject, TypeSpec, *mut *mut TypeObject);

const fn str_spec() -> TypeSpec {
    TypeSpec {
        item_size: 1,
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF,
        methods: str_methods::METHODS,
        ..TypeSpec::new::<StrObject>(
            "str",
            Kind::STR,
            Slots {
                dealloc: str::str_dealloc,
                repr: Some(str_text::str_repr),
                str: Some(str_text::str_str),
                hash: Some(str_text::str_hash),
                richcompare: Some(str::richcompare),
                iter: Some(iterators::str_iter),
                len: Some(str_text::str_len),
                getitem: Some(str_text::str_getitem),
                contains: Some(str_text::str_contains),
                concat: Some(str_text::str_concat),
                repeat: Some(str_text::str_repeat),
                nb: {
                    let mut slots = Slots::EMPTY.nb;
                    slots[nb::REMAINDER] = Some(percent::str_remainder);
                    slots
                },
                new: Some(str_text::str_new),
                ..Slots::EMPTY
            },
        )
    }
}
const fn module_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE,
        dict_offset: std::mem::offset_of!(ModuleObject, dict),
        getset: &module::GETSET,
        ..TypeSpec::new::<ModuleObject>(
            "module",
            Kind::MODULE,
            Slots {
                dealloc: module::module_dealloc,
                traverse: Some(module::module_traverse),
                repr: Some(module::module_repr),
                getattro: Some(attr::module_getattro),
                init: Some(module::module_init),
                new: Some(module::module_new),
                ..Slots::EMPTY
            },
        )
    }
}
const fn slice_spec() -> TypeSpec {
    TypeSpec {
        methods: slice::METHODS,
        members: &slice::MEMBERS,
        ..TypeSpec::new::<SliceObject>(
            "slice",
            Kind::SLICE,
            Slots {
                dealloc: slice::slice_dealloc,
                traverse: Some(slice::slice_traverse),
                repr: Some(slice::slice_repr),
                hash: Some(slice::slice_hash),
                richcompare: Some(slice::richcompare),
                new: Some(slice::slice_new),
                ..Slots::EMPTY
            },
        )
    }
}

/// What making any type takes: first as bare blocks, finished when all of them are there.
///
/// # Safety
/// `core` is valid.
pub(super) unsafe fn early_types(core: *mut Core) -> Vec<Row> {
    unsafe {
        let types = &raw mut (*core).types;
        let object = &raw mut (*types).object;
        vec![
            // First, since the others take its MRO over.
            (object, object_type::object_spec(), std::ptr::null_mut()),
            (&raw mut (*types).type_, type_object::type_spec(), object),
            (&raw mut (*types).str, str_spec(), object),
            (&raw mut (*types).tuple, tuple_methods::spec(), object),
            (&raw mut (*types).dict, dict_methods::spec(), object),
            (
                &raw mut (*types).builtin_function,
                descr::builtin_function_spec(),
                object,
            ),
            (
                &raw mut (*types).method_descriptor,
                descr::method_descriptor_spec(),
                object,
            ),
            (
                &raw mut (*types).classmethod_descriptor,
                descr::classmethod_descriptor_spec(),
                object,
            ),
            (
                &raw mut (*types).getset_descriptor,
                descr::getset_descriptor_spec(),
                object,
            ),
            (
                &raw mut (*types).member_descriptor,
                descr::member_descriptor_spec(),
                object,
            ),
            (
                &raw mut (*types).wrapper_descriptor,
                wrapper_types::wrapper_descriptor_spec(),
                object,
            ),
            (
                &raw mut (*types).staticmethod,
                property::staticmethod_spec(),
                object,
            ),
        ]
    }
}

/// All the others, each after its base.
///
/// # Safety
/// `core` is valid.
pub(super) unsafe fn other_types(core: *mut Core) -> Vec<Row> {
    unsafe {
        let types = &raw mut (*core).types;
        let object = &raw mut (*types).object;
        let [keys, values, items] = views::VIEW_SPECS;
        let [
            key_iterator,
            value_iterator,
            item_iterator,
            reverse_key,
            reverse_value,
            reverse_item,
        ] = views::ITERATOR_SPECS;
        vec![
            (
                &raw mut (*types).method_wrapper,
                wrapper_types::method_wrapper_spec(),
                object,
            ),
            (&raw mut (*types).union, union::spec(), object),
            (&raw mut (*types).int, int_methods::int_spec(), object),
            (
                &raw mut (*types).bool_,
                int_methods::bool_spec(),
                &raw mut (*types).int,
            ),
            (&raw mut (*types).float, float_methods::spec(), object),
            (&raw mut (*types).complex, complex::spec(), object),
            (&raw mut (*types).none_type, singletons::none_spec(), object),
            (
                &raw mut (*types).ellipsis,
                singletons::ellipsis_spec(),
                object,
            ),
            (
                &raw mut (*types).not_implemented,
                singletons::not_implemented_spec(),
                object,
            ),
            (&raw mut (*types).bytes, bytes::spec(), object),
            (&raw mut (*types).bytearray, bytearray::spec(), object),
            (&raw mut (*types).list, list_methods::spec(), object),
            (&raw mut (*types).set, set_methods::set_spec(), object),
            (
                &raw mut (*types).frozenset,
                set_methods::frozenset_spec(),
                object,
            ),
            (&raw mut (*types).slice, slice_spec(), object),
            (&raw mut (*types).range, range::spec(), object),
            (
                &raw mut (*types).range_iterator,
                range::iterator_spec(),
                object,
            ),
            (
                &raw mut (*types).longrange_iterator,
                range::long_iterator_spec(),
                object,
            ),
            (
                &raw mut (*types).list_iterator,
                iterators::list_iterator_spec(),
                object,
            ),
            (
                &raw mut (*types).list_reverse_iterator,
                iterators::list_reverse_iterator_spec(),
                object,
            ),
            (
                &raw mut (*types).tuple_iterator,
                iterators::tuple_iterator_spec(),
                object,
            ),
            (
                &raw mut (*types).str_iterator,
                iterators::str_iterator_spec(),
                object,
            ),
            (
                &raw mut (*types).seq_iterator,
                iterators::seq_iterator_spec(),
                object,
            ),
            (
                &raw mut (*types).callable_iterator,
                iterators::callable_iterator_spec(),
                object,
            ),
            (
                &raw mut (*types).bytes_iterator,
                bytes::iterator_spec(),
                object,
            ),
            (
                &raw mut (*types).set_iterator,
                set_methods::iterator_spec(),
                object,
            ),
            (&raw mut (*types).dict_keys, keys, object),
            (&raw mut (*types).dict_values, values, object),
            (&raw mut (*types).dict_items, items, object),
            (&raw mut (*types).dict_key_iterator, key_iterator, object),
            (
                &raw mut (*types).dict_value_iterator,
                value_iterator,
                object,
            ),
            (&raw mut (*types).dict_item_iterator, item_iterator, object),
            (
                &raw mut (*types).dict_reverse_key_iterator,
                reverse_key,
                object,
            ),
            (
                &raw mut (*types).dict_reverse_value_iterator,
                reverse_value,
                object,
            ),
            (
                &raw mut (*types).dict_reverse_item_iterator,
                reverse_item,
                object,
            ),
            (
                &raw mut (*types).generic_alias,
                generic_alias::spec(),
                object,
            ),
            (
                &raw mut (*types).mapping_proxy,
                mapping_proxy::spec(),
                object,
            ),
            (&raw mut (*types).memoryview, memoryview::spec(), object),
            (
                &raw mut (*types).classmethod,
                property::classmethod_spec(),
                object,
            ),
            (
                &raw mut (*types).property,
                property::property_spec(),
                object,
            ),
            (&raw mut (*types).super_, super_object::spec(), object),
            (
                &raw mut (*types).method,
                method_types::method_spec(),
                object,
            ),
            (&raw mut (*types).cell, method_types::cell_spec(), object),
            (&raw mut (*types).module, module_spec(), object),
            (&raw mut (*types).weakref, weakref::spec(), object),
        ]
    }
}
