//! `int`: immediate up to 62 bits, [`IntObject`] beyond. This file has layout, conversion and comparison; arithmetic is in
//! `int_arith.rs`, text in `int_text.rs`, methods in `int_methods.rs`.

use super::hash;
use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::types::CompareOp;
use super::vm::Vm;
use super::word::Word;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::cmp::Ordering;

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

/// An int's value as an exact int: itself, or a copy of a subclass instance's or a bool's.
pub fn exact(vm: Vm, word: Word) -> PyResult {
    match value(word) {
        Some(IntRef::Small(value)) => vm.new_int(value),
        Some(IntRef::Big(_)) if word.is_exact(Kind::INT) => Ok(Owned::new_ref(word)),
        Some(IntRef::Big(value)) => vm.new_bigint(value.clone()),
        None => Err(vm.type_error("an integer is required")),
    }
}

/// The nearest float; OverflowError beyond the largest (`PyLong_AsDouble`).
pub fn to_f64(vm: Vm, word: Word) -> Result<f64, Raised> {
    match value(word) {
        Some(IntRef::Small(value)) => Ok(value as f64),
        Some(IntRef::Big(value)) => match value.to_f64() {
            Some(value) if value.is_finite() => Ok(value),
            _ => Err(vm.overflow_error("int too large to convert to float")),
        },
        None => Err(vm.type_error(format!("must be real number, not {}", vm.type_name(word)))),
    }
}

/// `hash(i)` (`long_hash`).
pub(super) fn int_hash(_: Vm, word: Word) -> Result<i64, Raised> {
    Ok(match value(word) {
        Some(IntRef::Big(value)) => {
            let remainder = value.magnitude() % hash::MODULUS;
            let magnitude = remainder.to_i64().unwrap_or(0);
            hash::not_minus_one(if IntRef::Big(value).is_negative() {
                -magnitude
            } else {
                magnitude
            })
        }
        Some(IntRef::Small(value)) => hash::hash_i64(value),
        None => 0,
    })
}

/// Order of two ints.
pub fn compare(a: IntRef<'_>, b: IntRef<'_>) -> Ordering {
    match (a, b) {
        (IntRef::Small(a), IntRef::Small(b)) => a.cmp(&b),
        (IntRef::Big(a), IntRef::Big(b)) => a.cmp(b),
        (IntRef::Small(a), IntRef::Big(b)) => BigInt::from(a).cmp(b),
        (IntRef::Big(a), IntRef::Small(b)) => a.cmp(&BigInt::from(b)),
    }
}

pub(super) fn richcompare(_: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    match (value(a), value(b)) {
        (Some(a), Some(b)) => Ok(Owned::bool(op.holds(compare(a, b)))),
        _ => Ok(Owned::NOT_IMPLEMENTED),
    }
}
