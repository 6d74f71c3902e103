//! `int`: immediate up to 62 bits, [`IntObject`] beyond. This file has layout, conversion and arithmetic; text is in
//! `int_text.rs`, methods in `int_methods.rs`.

use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::vm::Vm;
use super::word::Word;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// `PyLongObject`: a value that does not fit a word, or an instance of a subclass with any value.
#[repr(C)]
pub struct IntObject {
    pub header: Header,
    pub value: BigInt,
}

const _: () = assert!(std::mem::offset_of!(IntObject, value) == 16);

/// The value of an int, wherever it is kept.
#[derive(Clone, Copy)]
pub enum IntRef<'a> {
    Small(i64),
    Big(&'a BigInt),
}

/// Whether a value is an int, a bool or an instance of an int subclass (`PyLong_Check`).
#[inline(always)]
pub fn is_int(word: Word) -> bool {
    word.is_int() || word.is_bool() || word.is_instance(Kind::INT)
}

/// The value of an int, bool or instance of an int subclass.
#[inline(always)]
pub fn value<'a>(word: Word) -> Option<IntRef<'a>> {
    if word.is_int() {
        Some(IntRef::Small(word.as_int()))
    } else if word.is_bool() {
        Some(IntRef::Small(i64::from(word == Word::TRUE)))
    } else if word.is_instance(Kind::INT) {
        // SAFETY: contract of Word; ints never change.
        Some(IntRef::Big(unsafe { &(*word.cast::<IntObject>()).value }))
    } else {
        None
    }
}

impl IntRef<'_> {
    pub fn to_bigint(self) -> BigInt {
        match self {
            IntRef::Small(value) => BigInt::from(value),
            IntRef::Big(value) => value.clone(),
        }
    }
    pub fn to_i64(self) -> Option<i64> {
        match self {
            IntRef::Small(value) => Some(value),
            IntRef::Big(value) => value.to_i64(),
        }
    }
    pub fn is_negative(self) -> bool {
        match self {
            IntRef::Small(value) => value < 0,
            IntRef::Big(value) => value.sign() == num_bigint::Sign::Minus,
        }
    }
    pub fn is_zero(self) -> bool {
        match self {
            IntRef::Small(value) => value == 0,
            IntRef::Big(value) => value.sign() == num_bigint::Sign::NoSign,
        }
    }
    /// Bits of the magnitude.
    pub fn bits(self) -> u64 {
        match self {
            IntRef::Small(value) => u64::from(64 - value.unsigned_abs().leading_zeros()),
            IntRef::Big(value) => value.bits(),
        }
    }
}

impl Vm {
    #[inline(always)]
    pub fn new_int(self, value: i64) -> PyResult {
        match Word::int(value) {
            Some(word) => Ok(Owned::from_word(word)),
            None => self.box_int(BigInt::from(value)),
        }
    }
    pub fn new_int_usize(self, value: usize) -> PyResult {
        self.new_bigint(BigInt::from(value))
    }
    /// An int of any size, immediate if it fits.
    pub fn new_bigint(self, value: BigInt) -> PyResult {
        match value.to_i64().and_then(Word::int) {
            Some(word) => Ok(Owned::from_word(word)),
            None => self.box_int(value),
        }
    }
    #[cold]
    fn box_int(self, value: BigInt) -> PyResult {
        self.new_int_object(self.types.int, value)
    }
    /// A boxed int of a type: `int` for values beyond the word, or a subclass.
    pub(super) fn new_int_object(
        self,
        ty: *mut super::types::TypeObject,
        value: BigInt,
    ) -> PyResult {
        // SAFETY: the type is laid out so; all fields are written.
        unsafe {
            let int = self.alloc_instance::<IntObject>(ty, size_of::<IntObject>())?;
            (&raw mut (*int).value).write(value);
            Ok(Owned::from_raw(int))
        }
    }
}

/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn int_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        drop_payload(object);
        vm.free(object);
    }
}

/// Drops what an int owns outside the VM's heap.
///
/// # Safety
/// The object is a boxed int and not used any more.
pub(super) unsafe fn drop_payload(object: *mut Object) {
    unsafe { std::ptr::drop_in_place(&raw mut (*(object as *mut IntObject)).value) }
}

/// The value as an `isize`-like index, clamped if `clamp`, else OverflowError (`PyNumber_AsSsize_t`).
pub fn to_index(vm: Vm, word: Word) -> Result<i64, Raised> {
    match value(word).and_then(IntRef::to_i64) {
        Some(value) => Ok(value),
        None => Err(vm.overflow_error("Python int too large to convert to C ssize_t")),
    }
}
