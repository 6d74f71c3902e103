//! `float`: immediate for usual magnitudes, [`FloatObject`] for the rest and for subclasses. This file has layout,
//! conversion and arithmetic; text is in `float_text.rs`, methods in `float_methods.rs`.

use super::header::{Header, Kind};
use super::owned::{Owned, PyResult};
use super::types::TypeObject;
use super::vm::Vm;
use super::word::Word;

/// `PyFloatObject`.
#[repr(C)]
pub struct FloatObject {
    pub header: Header,
    pub value: f64,
}

const _: () =
    assert!(std::mem::offset_of!(FloatObject, value) == 16 && size_of::<FloatObject>() == 24);

/// The value of a float or of an instance of a subclass.
#[inline(always)]
pub fn value(word: Word) -> Option<f64> {
    if word.is_float() {
        Some(word.as_float())
    } else if word.is_instance(Kind::FLOAT) {
        // SAFETY: contract of Word; the kind has this layout.
        Some(unsafe { (*word.cast::<FloatObject>()).value })
    } else {
        None
    }
}

/// The value of an exact float, immediate or boxed.
#[inline(always)]
pub fn exact_value(word: Word) -> Option<f64> {
    if word.is_float() {
        Some(word.as_float())
    } else if word.is_exact(Kind::FLOAT) {
        // SAFETY: as above.
        Some(unsafe { (*word.cast::<FloatObject>()).value })
    } else {
        None
    }
}

impl Vm {
    #[inline(always)]
    pub fn new_float(self, value: f64) -> PyResult {
        match Word::try_float(value) {
            Some(word) => Ok(Owned::from_word(word)),
            None => self.box_float(value),
        }
    }
    #[inline(never)]
    fn box_float(self, value: f64) -> PyResult {
        self.new_float_object(self.types.float, value)
    }
    /// A boxed float of a type: `float` for values beyond the word, or a subclass.
    pub(super) fn new_float_object(self, ty: *mut TypeObject, value: f64) -> PyResult {
        // SAFETY: the type is laid out so; all fields are written.
        unsafe {
            let float = self.alloc_instance::<FloatObject>(ty, size_of::<FloatObject>())?;
            (*float).value = value;
            Ok(Owned::from_raw(float))
        }
    }
}
