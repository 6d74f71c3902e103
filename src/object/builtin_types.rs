//! The table of built-in types that the object layer makes at start, in the order in which they need each other.

use super::descr::{
    BuiltinFunctionObject, CellObject, GetSetDescriptorObject, MemberDescriptorObject,
    MethodDescriptorObject, MethodObject,
};
use super::dict::{self, DictObject};
use super::float::FloatObject;
use super::header::{Header, Kind};
use super::int::{self, IntObject};
use super::list::{self, ListObject};
use super::module::{self, ModuleObject};
use super::str::{self, StrObject};
use super::tuple::{self, TupleObject};
use super::types::{self, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Core;
use super::weakref::{self, WeakrefObject};

type Row = (*mut *mut TypeObject, TypeSpec);

/// `type`, `object`, `str`, `tuple`, `dict`: what making any type takes.
pub(super) const EARLY: [TypeSpec; 5] = [
    TypeSpec {
        flags: type_flag::BASETYPE,
        ..TypeSpec::new::<TypeObject>(
            "type",
            Kind::TYPE,
            Slots {
                dealloc: types::type_dealloc,
                traverse: Some(types::type_traverse),
                ..Slots::EMPTY
            },
        )
    },
    TypeSpec {
        flags: type_flag::BASETYPE,
        ..TypeSpec::new::<Header>("object", Kind::INSTANCE, Slots::EMPTY)
    },
    TypeSpec {
        item_size: 1,
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF,
        ..TypeSpec::new::<StrObject>(
            "str",
            Kind::STR,
            Slots {
                dealloc: str::str_dealloc,
                richcompare: Some(str::richcompare),
                ..Slots::EMPTY
            },
        )
    },
    TypeSpec {
        item_size: 8,
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF | type_flag::SEQUENCE,
        ..TypeSpec::new::<TupleObject>(
            "tuple",
            Kind::TUPLE,
            Slots {
                dealloc: tuple::tuple_dealloc,
                traverse: Some(tuple::tuple_traverse),
                ..Slots::EMPTY
            },
        )
    },
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF | type_flag::MAPPING,
        ..TypeSpec::new::<DictObject>(
            "dict",
            Kind::DICT,
            Slots {
                dealloc: dict::dict_dealloc,
                traverse: Some(dict::dict_traverse),
                clear: Some(dict::dict_gc_clear),
                ..Slots::EMPTY
            },
        )
    },
];

/// What `fill_dict` makes objects of.
pub(super) unsafe fn descriptor_types(core: *mut Core) -> Vec<Row> {
    let types = unsafe { &raw mut (*core).types };
    unsafe {
        vec![
            (
                &raw mut (*types).builtin_function,
                TypeSpec::new::<BuiltinFunctionObject>(
                    "builtin_function_or_method",
                    Kind::BUILTIN_FUNCTION,
                    Slots::EMPTY,
                ),
            ),
            (
                &raw mut (*types).method_descriptor,
                TypeSpec {
                    flags: type_flag::METHOD_DESCRIPTOR,
                    ..TypeSpec::new::<MethodDescriptorObject>(
                        "method_descriptor",
                        Kind::METHOD_DESCRIPTOR,
                        Slots::EMPTY,
                    )
                },
            ),
            (
                &raw mut (*types).classmethod_descriptor,
                TypeSpec::new::<MethodDescriptorObject>(
                    "classmethod_descriptor",
                    Kind::OTHER,
                    Slots::EMPTY,
                ),
            ),
            (
                &raw mut (*types).getset_descriptor,
                TypeSpec::new::<GetSetDescriptorObject>(
                    "getset_descriptor",
                    Kind::GETSET_DESCRIPTOR,
                    Slots::EMPTY,
                ),
            ),
            (
                &raw mut (*types).member_descriptor,
                TypeSpec::new::<MemberDescriptorObject>(
                    "member_descriptor",
                    Kind::MEMBER_DESCRIPTOR,
                    Slots::EMPTY,
                ),
            ),
        ]
    }
}

type RowWithBase = (*mut *mut TypeObject, TypeSpec, *mut *mut TypeObject);

/// All the others, each after its base.
pub(super) unsafe fn other_types(core: *mut Core) -> Vec<RowWithBase> {
    unsafe {
        let types = &raw mut (*core).types;
        let object = &raw mut (*types).object;
        vec![
            (
                &raw mut (*types).int,
                TypeSpec {
                    item_size: 0,
                    flags: type_flag::BASETYPE | type_flag::MATCH_SELF,
                    ..TypeSpec::new::<IntObject>(
                        "int",
                        Kind::INT,
                        Slots {
                            dealloc: int::int_dealloc,
                            ..Slots::EMPTY
                        },
                    )
                },
                object,
            ),
            (
                &raw mut (*types).bool_,
                TypeSpec::new::<Header>("bool", Kind::BOOL, Slots::EMPTY),
                &raw mut (*types).int,
            ),
            (
                &raw mut (*types).float,
                TypeSpec {
                    flags: type_flag::BASETYPE | type_flag::MATCH_SELF,
                    ..TypeSpec::new::<FloatObject>("float", Kind::FLOAT, Slots::EMPTY)
                },
                object,
            ),
            (
                &raw mut (*types).none_type,
                TypeSpec::new::<Header>("NoneType", Kind::NONE, Slots::EMPTY),
                object,
            ),
            (
                &raw mut (*types).ellipsis,
                TypeSpec::new::<Header>("ellipsis", Kind::ELLIPSIS, Slots::EMPTY),
                object,
            ),
            (
                &raw mut (*types).not_implemented,
                TypeSpec::new::<Header>("NotImplementedType", Kind::NOT_IMPLEMENTED, Slots::EMPTY),
                object,
            ),
            (
                &raw mut (*types).list,
                TypeSpec {
                    flags: type_flag::BASETYPE | type_flag::MATCH_SELF | type_flag::SEQUENCE,
                    ..TypeSpec::new::<ListObject>(
                        "list",
                        Kind::LIST,
                        Slots {
                            dealloc: list::list_dealloc,
                            traverse: Some(list::list_traverse),
                            clear: Some(list::list_gc_clear),
                            ..Slots::EMPTY
                        },
                    )
                },
                object,
            ),
            (
                &raw mut (*types).method,
                TypeSpec::new::<MethodObject>("method", Kind::METHOD, Slots::EMPTY),
                object,
            ),
            (
                &raw mut (*types).cell,
                TypeSpec::new::<CellObject>("cell", Kind::CELL, Slots::EMPTY),
                object,
            ),
            (
                &raw mut (*types).module,
                TypeSpec {
                    flags: type_flag::BASETYPE,
                    dict_offset: std::mem::offset_of!(ModuleObject, dict),
                    ..TypeSpec::new::<ModuleObject>(
                        "module",
                        Kind::MODULE,
                        Slots {
                            dealloc: module::module_dealloc,
                            traverse: Some(module::module_traverse),
                            ..Slots::EMPTY
                        },
                    )
                },
                object,
            ),
            (
                &raw mut (*types).weakref,
                TypeSpec {
                    flags: type_flag::BASETYPE,
                    ..TypeSpec::new::<WeakrefObject>(
                        "weakref.ReferenceType",
                        Kind::WEAKREF,
                        Slots {
                            dealloc: weakref::weakref_dealloc,
                            ..Slots::EMPTY
                        },
                    )
                },
                object,
            ),
        ]
    }
}
