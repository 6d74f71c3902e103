//! Words, objects, types, and what they can do: everything that needs no frame and no bytecode.
//!
//! Start with [`word`] (references and ownership), [`owned`] (the same for native code), [`vm`] (the handle every
//! function takes) and [`protocol`] (what works on any object). One type a file from there on.

pub mod args;
pub mod attr;
mod bootstrap;
pub mod breaker;
mod builtin_types;
pub mod bytearray;
mod bytearray_methods;
pub mod bytes;
mod bytes_hex;
mod bytes_methods;
pub mod call;
mod chars;
pub mod class;
mod class_bases;
pub mod class_layout;
pub mod codecs;
pub mod complex;
mod complex_arith;
pub mod descr;
pub mod descr_types;
pub mod dict;
pub mod dict_methods;
pub mod dict_split;
pub mod dict_views;
pub mod exc;
pub mod exc_group;
pub mod exc_methods;
pub mod exc_types;
pub mod float;
pub mod float_arith;
pub mod float_methods;
pub mod float_text;
pub mod format;
mod format_number;
pub mod gc;
pub mod generic_alias;
pub(crate) mod generic_slots;
pub mod hash;
pub mod header;
pub mod heap;
mod heap_large;
pub mod instance;
pub mod int;
pub mod int_arith;
pub mod int_methods;
pub mod int_text;
pub mod iterators;
pub mod list;
pub mod list_methods;
pub mod list_sort;
pub mod mapping_proxy;
pub mod method_types;
pub mod module;
pub mod names;
pub mod number;
pub mod object_type;
pub mod owned;
pub mod percent;
pub mod property;
pub mod protocol;
pub mod range;
pub mod sequence;
pub mod set;
pub mod set_methods;
mod singletons;
pub mod slice;
mod slot_defs;
pub mod str;
mod str_case;
pub mod str_format;
pub mod str_methods;
mod str_more;
pub mod str_search;
pub mod str_text;
pub mod str_writer;
pub mod super_object;
mod timsort;
pub mod tuple;
pub mod tuple_methods;
pub mod type_object;
mod type_ready;
pub mod types;
pub mod unicode;
pub mod union;
pub mod vm;
pub mod weakref;
pub mod word;
pub mod word_debug;
mod wrapper_types;
#[rustfmt::skip]
mod unicode_tables;

pub use exc::ExceptionObject;
pub use header::{Header, Kind, Object};
pub use owned::{Owned, PyResult, Raised};
pub use types::{CompareOp, Slots, TypeObject, TypeSpec};
pub use vm::{Core, Hooks, OutOfMemory, Vm};
pub use word::Word;

#[cfg(test)]
mod str_tests;
#[cfg(test)]
pub(crate) mod testing;
