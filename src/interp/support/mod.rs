//! Every function that an instruction's body may call. One that may run Python code, or look at the saved registers,
//! *escapes*: the generator saves the registers before it. The others are marked `#[cfg_attr(casegen, non_escaping)]`.
//!
//! Contract of these functions (each `unsafe fn` here cites it by being here): the words that they are given obey the
//! contract of [`Word`], pointers into the stack and the locals are those of the running frame,
//! `ip` and caches are in its code.

pub mod arith;
pub mod attrs;
pub mod calls;
pub mod containers;
pub mod exc;
pub mod format;
pub mod frames;
pub mod generators;
pub mod import;
pub mod intrinsics;
pub mod iter;
pub mod monitor;
pub mod names;
pub mod patterns;
pub mod specialize;
pub mod subscr;
pub mod words;

/// What generated code sees.
pub mod prelude {
    pub use super::arith::*;
    pub use super::attrs::*;
    pub use super::calls::*;
    pub use super::containers::*;
    pub use super::exc::*;
    pub use super::format::*;
    pub use super::frames::*;
    pub use super::generators::*;
    pub use super::import::*;
    pub use super::intrinsics::*;
    pub use super::iter::*;
    pub use super::monitor::*;
    pub use super::names::*;
    pub use super::patterns::*;
    pub use super::specialize::*;
    pub use super::subscr::*;
    pub use super::words::*;
    pub use crate::object::{Kind, Word};
}

use crate::object::{Owned, PyResult, Word};

/// A result as handlers take it: an owned temporary, or NULL with the exception set.
#[inline(always)]
pub(crate) fn word_or_null(result: PyResult) -> Word {
    result.map_or(Word::NULL, Owned::into_word)
}

/// A truth value likewise.
#[inline(always)]
pub(crate) fn bool_or_null(result: Result<bool, crate::object::Raised>) -> Word {
    result.map_or(Word::NULL, Word::bool)
}
