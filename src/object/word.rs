//! The tagged word: how a Python reference looks in a stack slot, a local, a list item (`_PyStackRef`).
//!
//! | low bits | meaning |
//! |---|---|
//! | `000` | pointer, an *owned temporary*: this word holds one count |
//! | `100` | pointer as a *slot* holds it, or borrowed from a slot |
//! | `x11` | int of 62 bits, `(v << 2) \| 3` |
//! | `010` `101` `001` | float, `rotl(bits, 4) ^ 1`, for the magnitudes that programs use; the rest is boxed |
//! | `110` | a special: NULL, None, False, True, Ellipsis, NotImplemented |
//!
//! A borrowed load is a plain copy of a slot's word; only owned temporaries are released by who consumes them.

use super::header::{Header, Kind, Object};
use super::word_debug as ledger;
use std::num::NonZeroU64;

/// A Python reference or immediate value, eight bytes, `Copy`, without `Drop`.
///
/// # Contract
///
/// The functions of the object layer that are `unsafe` and take or give words rely on, and keep, the following.
///
/// 1. A pointer word's object is live: somebody holds a count of it for as long as the word is used.
/// 2. A word of pattern `000` owns exactly one count; copying such a word does not copy the count, so of all copies
///    one is consumed (`close`, `to_slot`, `steal`, `Owned::from_word`) and the others are views that end before.
/// 3. A word of pattern `100` stored in a *slot* (local, item, attribute, constant, cell, dict entry) owns one count,
///    given up by `release_slot`. Anywhere else it owns nothing and its slot outlives its use.
/// 4. Objects belong to one VM and one thread; no Rust reference to a payload is held across a call that can run
///    Python code or change that payload.
///
/// "Contract of `Word`" at an `unsafe` block or function means these four points.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Word(NonZeroU64);

/// Bit that tells a slot's pointer from an owned temporary.
pub const SLOT_BIT: u64 = 4;

impl Word {
    pub const FALSE: Word = Word::from_bits_const(0x06);
    pub const TRUE: Word = Word::from_bits_const(0x0e);
    pub const NONE: Word = Word::from_bits_const(0x16);
    /// Absence on the stack and in locals (`PyStackRef_NULL`): no Python value.
    pub const NULL: Word = Word::from_bits_const(0x1e);
    pub const ELLIPSIS: Word = Word::from_bits_const(0x26);
    pub const NOT_IMPLEMENTED: Word = Word::from_bits_const(0x2e);

    pub const MAX_SMALL_INT: i64 = (1 << 61) - 1;
    pub const MIN_SMALL_INT: i64 = -(1 << 61);

    const fn from_bits_const(bits: u64) -> Word {
        match NonZeroU64::new(bits) {
            Some(bits) => Word(bits),
            None => panic!("zero is no word"),
        }
    }

    /// # Safety
    /// `bits` is a word's: not zero, and a pointer in it obeys the contract of [`Word`].
    #[inline(always)]
    pub const unsafe fn from_bits(bits: u64) -> Word {
        // SAFETY: not zero by the caller's promise.
        Word(unsafe { NonZeroU64::new_unchecked(bits) })
    }
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0.get()
    }

    // ---- tests

    #[inline(always)]
    pub const fn is_pointer(self) -> bool {
        self.bits() & 3 == 0
    }
    /// A pointer that holds a count of its own.
    #[inline(always)]
    pub const fn is_owned(self) -> bool {
        self.bits() & 7 == 0
    }
    #[inline(always)]
    pub const fn is_int(self) -> bool {
        self.bits() & 3 == 3
    }
    /// An immediate float. One shift by the low five bits, which x86 and AArch64 mask by themselves.
    #[inline(always)]
    pub const fn is_float(self) -> bool {
        0x2626_2626_u32 >> (self.bits() as u32 & 31) & 1 != 0
    }
    #[inline(always)]
    pub const fn is_special(self) -> bool {
        self.bits() & 7 == 6
    }
    #[inline(always)]
    pub const fn is_null(self) -> bool {
        self.bits() == Self::NULL.bits()
    }
    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.bits() == Self::NONE.bits()
    }
    #[inline(always)]
    pub const fn is_bool(self) -> bool {
        self.bits() & !8 == Self::FALSE.bits()
    }
    /// Both immediate ints.
    #[inline(always)]
    pub const fn both_int(a: Word, b: Word) -> bool {
        a.bits() & b.bits() & 3 == 3
    }
    /// Both immediate floats.
    #[inline(always)]
    pub const fn both_float(a: Word, b: Word) -> bool {
        a.is_float() && b.is_float()
    }
    /// Python's `is`: the ownership pattern is no part of identity.
    #[inline(always)]
    pub const fn is(self, other: Word) -> bool {
        let difference = self.bits() ^ other.bits();
        difference == 0 || (difference == SLOT_BIT && self.is_pointer())
    }

    // ---- immediates

    #[inline(always)]
    pub const fn bool(value: bool) -> Word {
        if value { Self::TRUE } else { Self::FALSE }
    }
    /// The immediate int, if `value` has at most 62 bits.
    #[inline(always)]
    pub const fn int(value: i64) -> Option<Word> {
        if (value << 2) >> 2 == value {
            Some(Self::int_unchecked(value))
        } else {
            None
        }
    }
    /// The immediate int; the two top bits of `value` are lost.
    #[inline(always)]
    pub const fn int_unchecked(value: i64) -> Word {
        // SAFETY: bits 3 make it non-zero, and it is no pointer.
        unsafe { Word::from_bits((value as u64) << 2 | 3) }
    }
    /// The value of an immediate int.
    #[inline(always)]
    pub const fn as_int(self) -> i64 {
        self.bits() as i64 >> 2
    }
    /// The immediate float, if `value` has one: 2^-255 <= |x| < 2^257 or |x| < 2^-767.
    #[inline(always)]
    pub const fn try_float(value: f64) -> Option<Word> {
        let bits = value.to_bits().rotate_left(4) ^ 1;
        if 0x2626_2626_u32 >> (bits as u32 & 31) & 1 != 0 {
            // SAFETY: the tag bits make it non-zero, and it is no pointer.
            Some(unsafe { Word::from_bits(bits) })
        } else {
            None
        }
    }
    /// The value of an immediate float.
    #[inline(always)]
    pub const fn as_float(self) -> f64 {
        f64::from_bits((self.bits() ^ 1).rotate_right(4))
    }

    // ---- pointers

    /// The object of a pointer word.
    #[inline(always)]
    pub const fn object(self) -> *mut Object {
        (self.bits() & !SLOT_BIT) as *mut Object
    }
    /// The owned temporary that takes over a count which the caller holds.
    ///
    /// # Safety
    /// Contract of [`Word`]: `object` is live and the count passes to the word.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn from_owned<T>(object: *mut T) -> Word {
        debug_assert!(object as u64 & 7 == 0 && !object.is_null());
        unsafe { Word::from_bits(object as u64) }
    }
    /// The borrowed word of an object that somebody else keeps alive.
    ///
    /// # Safety
    /// Contract of [`Word`].
    #[inline(always)]
    pub unsafe fn from_borrowed<T>(object: *mut T) -> Word {
        debug_assert!(object as u64 & 7 == 0 && !object.is_null());
        unsafe { Word::from_bits(object as u64 | SLOT_BIT) }
    }
    /// The kind of object or immediate. Boxed and immediate ints are both `Kind::INT`, floats likewise.
    #[inline(always)]
    pub fn kind(self) -> Kind {
        if self.is_pointer() {
            // SAFETY: contract of Word, the object is live.
            unsafe { (*self.object()).kind() }
        } else if self.is_int() {
            Kind::INT
        } else if self.is_float() {
            Kind::FLOAT
        } else {
            match self {
                Word::FALSE | Word::TRUE => Kind::BOOL,
                Word::NONE => Kind::NONE,
                Word::ELLIPSIS => Kind::ELLIPSIS,
                Word::NOT_IMPLEMENTED => Kind::NOT_IMPLEMENTED,
                _ => Kind::FREE,
            }
        }
    }
    /// A pointer to an object of exactly this kind (`PyList_CheckExact` and its like for kinds that are never immediate).
    #[inline(always)]
    pub fn is_exact(self, kind: Kind) -> bool {
        // SAFETY: contract of Word, the object is live.
        self.is_pointer() && unsafe { (*self.object()).kind() } == kind
    }
    /// A pointer to an object of this kind or of a subclass (`PyList_Check`).
    #[inline(always)]
    pub fn is_instance(self, kind: Kind) -> bool {
        // SAFETY: contract of Word, the object is live.
        self.is_pointer() && unsafe { (*self.object()).kind() }.base() == kind
    }
    /// The payload behind a pointer word.
    #[inline(always)]
    pub const fn cast<T>(self) -> *mut T {
        self.object() as *mut T
    }

    // ---- ownership: the verbs. Each is unsafe by the contract of `Word`, stated once at the type.

    /// Owned or borrowed temporary to a slot's word, consuming it (`PyStackRef_AsPyObjectSteal`).
    ///
    /// # Safety
    /// Contract of [`Word`].
    #[inline(always)]
    #[track_caller]
    pub unsafe fn to_slot(self) -> Word {
        unsafe {
            if self.is_pointer() {
                ledger::check(self);
                if self.bits() & SLOT_BIT != 0 {
                    (*self.object()).incref();
                }
                Word::from_bits(self.bits() | SLOT_BIT)
            } else {
                self
            }
        }
    }
    /// A new owned temporary of the same value (`PyStackRef_DUP`).
    ///
    /// # Safety
    /// Contract of [`Word`].
    #[inline(always)]
    #[track_caller]
    pub unsafe fn dup(self) -> Word {
        unsafe {
            if self.is_pointer() {
                ledger::check(self);
                (*self.object()).incref();
                Word::from_bits(self.bits() & !SLOT_BIT)
            } else {
                self
            }
        }
    }
    /// The same value without a count (`PyStackRef_Borrow`).
    #[inline(always)]
    pub const fn borrow(self) -> Word {
        if self.is_pointer() {
            // SAFETY: the bits of a pointer word with another pattern are a word's.
            unsafe { Word::from_bits(self.bits() | SLOT_BIT) }
        } else {
            self
        }
    }
    /// Owned temporary or borrowed word to an owned temporary: counts only what was borrowed
    /// (`PyStackRef_MakeHeapSafe`).
    ///
    /// # Safety
    /// Contract of [`Word`].
    #[inline(always)]
    #[track_caller]
    pub unsafe fn steal(self) -> Word {
        unsafe {
            if self.is_pointer() && self.bits() & SLOT_BIT != 0 {
                ledger::check(self);
                (*self.object()).incref();
                Word::from_bits(self.bits() & !SLOT_BIT)
            } else {
                self
            }
        }
    }
    /// The count of a slot's word as an owned temporary; the slot is overwritten or gone.
    ///
    /// # Safety
    /// Contract of [`Word`].
    #[inline(always)]
    #[track_caller]
    pub unsafe fn take_slot(self) -> Word {
        if self.is_pointer() {
            ledger::check(self);
            unsafe { Word::from_bits(self.bits() & !SLOT_BIT) }
        } else {
            self
        }
    }
    /// Ends a stack word: releases an owned temporary, leaves the rest (`PyStackRef_CLOSE`).
    ///
    /// # Safety
    /// Contract of [`Word`]; the word is not used again.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn close(self) {
        if self.is_owned() {
            unsafe {
                ledger::check(self);
                Header::decref(self.object());
            }
        }
    }
    /// Ends a slot's word: releases a pointer (`Py_XDECREF` of what the slot held).
    ///
    /// # Safety
    /// Contract of [`Word`]; the slot is overwritten or gone.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn release_slot(self) {
        if self.is_pointer() {
            unsafe {
                ledger::check(self);
                Header::decref(self.object());
            }
        }
    }
}

impl std::fmt::Debug for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Word::FALSE => f.write_str("False"),
            Word::TRUE => f.write_str("True"),
            Word::NONE => f.write_str("None"),
            Word::NULL => f.write_str("NULL"),
            Word::ELLIPSIS => f.write_str("Ellipsis"),
            Word::NOT_IMPLEMENTED => f.write_str("NotImplemented"),
            w if w.is_int() => write!(f, "{}", w.as_int()),
            w if w.is_float() => write!(f, "{:?}", w.as_float()),
            w if w.is_owned() => write!(f, "owned {:p}", w.object()),
            w => write!(f, "slot {:p}", w.object()),
        }
    }
}

const _: () = assert!(size_of::<Word>() == 8 && size_of::<Option<Word>>() == 8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints_of_62_bits() {
        for v in [0, 1, -1, 42, Word::MAX_SMALL_INT, Word::MIN_SMALL_INT] {
            let w = Word::int(v).unwrap();
            assert!(w.is_int() && !w.is_float() && !w.is_pointer() && !w.is_special());
            assert_eq!(w.as_int(), v);
        }
        assert!(Word::int(Word::MAX_SMALL_INT + 1).is_none());
        assert!(Word::int(Word::MIN_SMALL_INT - 1).is_none());
        assert!(!Word::int_unchecked(0).is(Word::int_unchecked(1)));
    }

    #[test]
    fn floats_in_the_word() {
        let low = 2f64.powi(-255);
        let high = 2f64.powi(257);
        for v in [
            0.0,
            -0.0,
            1.0,
            -1.5,
            1e-76,
            1e77,
            low,
            high.next_down(),
            5e-324,
            2f64.powi(-767).next_down(),
        ] {
            let w = Word::try_float(v).unwrap();
            assert!(
                w.is_float() && !w.is_int() && !w.is_pointer() && !w.is_special(),
                "{v}"
            );
            assert_eq!(w.as_float().to_bits(), v.to_bits());
        }
        for v in [
            f64::NAN,
            f64::INFINITY,
            -f64::INFINITY,
            high,
            low.next_down(),
            2f64.powi(-767),
            1e300,
        ] {
            assert!(Word::try_float(v).is_none(), "{v}");
        }
    }

    #[test]
    fn specials() {
        for w in [
            Word::FALSE,
            Word::TRUE,
            Word::NONE,
            Word::NULL,
            Word::ELLIPSIS,
            Word::NOT_IMPLEMENTED,
        ] {
            assert!(w.is_special() && !w.is_pointer() && !w.is_int() && !w.is_float());
        }
        assert!(Word::TRUE.is_bool() && Word::FALSE.is_bool() && !Word::NONE.is_bool());
    }
}
