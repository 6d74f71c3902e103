//! Words: ints, floats, comparison masks, inline caches, releasing.

use crate::interp::abi::{Ip, Locals, Sp};
use crate::object::{self, Kind, Word};
use crate::runtime::thread::Thread;

/// What handlers need of words beyond the object layer's verbs.
pub trait WordExt {
    /// Gives up one count; true if it was the last, and the object is the caller's to free.
    ///
    /// # Safety
    /// Contract of [`Word`]: a pointer whose count the caller holds.
    unsafe fn decref(self) -> bool;
    /// A slot's word as an owned temporary: the count moves along.
    fn unslot(self) -> Word;
}

impl WordExt for Word {
    #[inline(always)]
    unsafe fn decref(self) -> bool {
        unsafe {
            let count = &(*self.object()).refcount;
            count.set(count.get() - 1);
            count.get() == 0
        }
    }
    #[inline(always)]
    fn unslot(self) -> Word {
        // SAFETY: the same word with its count's other pattern.
        if self.is_pointer() {
            unsafe { Word::from_bits(self.bits() & !4) }
        } else {
            self
        }
    }
}

/// A second stack word for what a stack word stands for: a borrowed one is copied, an owned one counted.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn copy(word: Word) -> Word {
    unsafe {
        if word.is_owned() {
            (*word.object()).incref();
        }
        word
    }
}

#[inline(always)]
pub unsafe fn read_u16(at: Ip) -> u16 {
    unsafe { at.cast::<u16>().read_unaligned() }
}
#[inline(always)]
pub unsafe fn read_u32(at: Ip) -> u32 {
    unsafe { at.cast::<u32>().read_unaligned() }
}
#[inline(always)]
pub unsafe fn read_u64(at: Ip) -> u64 {
    unsafe { at.cast::<u64>().read_unaligned() }
}
#[inline(always)]
pub unsafe fn write_u16(at: Ip, value: u16) {
    unsafe { at.cast::<u16>().write_unaligned(value) }
}

/// `ADAPTIVE_COUNTER_TRIGGERS`.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn triggers(counter: u16) -> bool {
    crate::bytecode::backoff::BackoffCounter(counter).triggers()
}
/// `ADVANCE_ADAPTIVE_COUNTER`: `cache` is unit 0 of the instruction's cache.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn advance(cache: Ip, counter: u16) {
    unsafe {
        write_u16(
            cache,
            crate::bytecode::backoff::BackoffCounter(counter)
                .advance()
                .0,
        )
    }
}
/// Shifts what a conditional jump did into its cache (`RECORD_BRANCH_TAKEN`).
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn record_branch(cache: Ip, history: u16, taken: bool) {
    unsafe { write_u16(cache, history << 1 | u16::from(taken)) }
}

/// The value in a LOAD_GLOBAL cache: the upper 48 bits, sign-extended.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn cached_word(cached: u64) -> Word {
    unsafe { Word::from_bits((cached as i64 >> 16) as u64) }
}

// ---- ints: the tag of one operand is taken off, so that the sum has one

#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn add_int(a: Word, b: Word) -> (Word, bool) {
    let (sum, overflow) = (a.bits() as i64 - 3).overflowing_add(b.bits() as i64);
    (unsafe { Word::from_bits(sum as u64) }, overflow)
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn subtract_int(a: Word, b: Word) -> (Word, bool) {
    let (difference, overflow) = (a.bits() as i64).overflowing_sub(b.bits() as i64 - 3);
    (unsafe { Word::from_bits(difference as u64) }, overflow)
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn multiply_int(a: Word, b: Word) -> (Word, bool) {
    let (product, overflow) = (a.bits() as i64 - 3).overflowing_mul(b.as_int());
    (unsafe { Word::from_bits(product as u64 | 3) }, overflow)
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn can_negate(value: Word) -> bool {
    value.is_int() && value.as_int() != Word::MIN_SMALL_INT
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn negate(value: Word) -> Word {
    Word::int_unchecked(-value.as_int())
}
/// The other bool.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn not(value: Word) -> Word {
    unsafe { Word::from_bits(value.bits() ^ 8) }
}
/// Both ints, big or small.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub fn both_exact_int(a: Word, b: Word) -> bool {
    (a.is_int() || a.is_exact(Kind::INT)) && (b.is_int() || b.is_exact(Kind::INT))
}
/// `COMPARISON_BIT`: less 2, greater 4, equal 8. Words of ints compare as their values do.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn compare_mask_int(a: Word, b: Word) -> usize {
    let (a, b) = (a.bits() as i64, b.bits() as i64);
    1 << (2 * usize::from(a >= b) + usize::from(a <= b))
}

// ---- floats

/// The word's bits for a float, if they have a float's tag.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn float_bits(value: f64) -> u64 {
    value.to_bits().rotate_left(4) ^ 1
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn is_float_bits(bits: u64) -> bool {
    0x2626_2626_u32 >> (bits as u32 & 31) & 1 != 0
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub fn both_exact_float(a: Word, b: Word) -> bool {
    (a.is_float() || a.is_exact(Kind::FLOAT)) && (b.is_float() || b.is_exact(Kind::FLOAT))
}
/// The value of a float, in the word or boxed.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn float_value(word: Word) -> f64 {
    if word.is_float() {
        word.as_float()
    } else {
        unsafe { (*word.cast::<object::float::FloatObject>()).value }
    }
}
/// As [`compare_mask_int`], and unordered 1.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn compare_mask_float(a: f64, b: f64) -> usize {
    1 << (2 * usize::from(a >= b) + usize::from(a <= b))
}

// ---- types

/// The type's version if it has one; 0 otherwise, which no cache holds.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn type_version(ts: &Thread, word: Word) -> u32 {
    unsafe { (*ts.vm().type_of(word)).version.get() }
}

// ---- releasing

/// Frees an object whose last count a handler has given up, then closes `count` words that stand above the stack
/// pointer.
#[cold]
#[inline(never)]
pub unsafe fn free_object_and_close(
    ts: &Thread,
    object: usize,
    ip: Ip,
    sp: Sp,
    locals: Locals,
    count: usize,
) {
    unsafe {
        ts.save(ip, sp.add(count), locals);
        object::header::dealloc(ts.vm(), object as *mut object::Object);
        for index in 0..count {
            (*sp.add(index)).close();
        }
        ts.resume();
    }
}
/// The same with no such words, for code that goes on by itself.
#[cold]
#[inline(never)]
pub unsafe fn free_now(ts: &Thread, word: Word, ip: Ip, sp: Sp, locals: Locals) {
    unsafe { free_object_and_close(ts, word.object() as usize, ip, sp, locals, 0) }
}
