//! Words, objects, types, and what they can do: everything that needs no frame and no bytecode.
//!
//! Start with [`word`] (references and ownership), [`owned`] (the same for native code), [`vm`] (the handle every
//! function takes) and [`protocol`] (what works on any object). One type a file from there on.

mod bootstrap;
mod builtin_types;
pub mod descr;
pub mod dict;
pub mod dict_split;
pub mod exc;
pub mod exc_methods;
pub mod float;
pub mod hash;
pub mod header;
pub mod heap;
pub mod int;
pub mod list;
pub mod module;
pub mod names;
pub mod owned;
pub mod protocol;
pub mod str;
pub mod tuple;
mod type_ready;
pub mod types;
pub mod vm;
pub mod weakref;
pub mod word;
mod word_debug;

pub use exc::ExceptionObject;
pub use header::{Header, Kind, Object};
pub use owned::{Owned, PyResult, Raised};
pub use types::{CompareOp, Slots, TypeObject, TypeSpec};
pub use vm::{Core, Hooks, OutOfMemory, Vm};
pub use word::Word;

#[cfg(test)]
pub(crate) mod testing;
