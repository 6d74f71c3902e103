//! Arithmetic, comparison, containment, truth.

use super::{bool_or_null, word_or_null};
use crate::interp::abi::{Ip, Locals};
use crate::object::types::CompareOp;
use crate::object::{Word, number, protocol, sequence, str};
use crate::runtime::specialize::binary_op::{self, Extension};
use crate::runtime::thread::Thread;
use crate::runtime::warnings;

/// `NB_*` numbers of the operations that have handlers of their own.
const NB_ADD: usize = 0;
const NB_MULTIPLY: usize = 5;
const NB_SUBTRACT: usize = 10;

/// By oparg's number (`cmp_op`).
const COMPARISONS: [CompareOp; 6] = [
    CompareOp::Lt,
    CompareOp::Le,
    CompareOp::Eq,
    CompareOp::Ne,
    CompareOp::Gt,
    CompareOp::Ge,
];

#[inline(never)]
pub fn binary_op(ts: &Thread, op: usize, lhs: Word, rhs: Word) -> Word {
    if let Some(result) = number::immediate(op, lhs, rhs) {
        return result;
    }
    word_or_null(number::number_binary(ts.vm(), op, lhs, rhs))
}
#[inline(never)]
pub fn int_add(ts: &Thread, a: Word, b: Word) -> Word {
    binary_op(ts, NB_ADD, a, b)
}
#[inline(never)]
pub fn int_subtract(ts: &Thread, a: Word, b: Word) -> Word {
    binary_op(ts, NB_SUBTRACT, a, b)
}
#[inline(never)]
pub fn int_multiply(ts: &Thread, a: Word, b: Word) -> Word {
    binary_op(ts, NB_MULTIPLY, a, b)
}
#[inline(never)]
pub fn new_float(ts: &Thread, value: f64) -> Word {
    word_or_null(ts.vm().new_float(value))
}
#[inline(never)]
pub fn number_negative(ts: &Thread, value: Word) -> Word {
    word_or_null(number::negative(ts.vm(), value))
}
#[inline(never)]
pub fn number_invert(ts: &Thread, value: Word) -> Word {
    if value.is_bool() {
        warnings::inverted_bool(ts.vm());
    }
    word_or_null(number::invert(ts.vm(), value))
}
#[inline(never)]
pub fn to_bool(ts: &Thread, value: Word) -> Word {
    bool_or_null(protocol::is_true(ts.vm(), value))
}

/// `oparg`: the comparison above bit 5, bit 4 asks for a bool.
#[inline(never)]
pub fn compare_op(ts: &Thread, oparg: usize, left: Word, right: Word) -> Word {
    let (vm, op) = (ts.vm(), COMPARISONS[oparg >> 5]);
    let result = protocol::rich_compare(vm, left, right, op);
    if oparg & 16 != 0 {
        bool_or_null(result.and_then(|value| protocol::is_true(vm, value.as_word())))
    } else {
        word_or_null(result)
    }
}
#[inline(never)]
pub fn contains_op(ts: &Thread, left: Word, right: Word, invert: usize) -> Word {
    bool_or_null(sequence::contains(ts.vm(), right, left).map(|found| found != (invert != 0)))
}

/// `==` or `!=` of two strings: the mask of the one is 8, that of the other is the three lower bits.
#[inline(never)]
pub fn str_compare(a: Word, b: Word, oparg: usize) -> Word {
    let equal = a.is(b) || str::equal(a, b);
    Word::bool(equal == (oparg & 8 != 0))
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn str_len(word: Word) -> usize {
    str::chars(word).len()
}
#[inline(never)]
pub fn str_concat(ts: &Thread, a: Word, b: Word) -> Word {
    word_or_null(str::concat(ts.vm(), a, b))
}

#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn next_store_is(next: Ip, locals: Locals, left: Word) -> bool {
    unsafe { binary_op::next_store_is(next, locals, left) }
}
/// `left + right` where the local of the store at `next` holds `left` too and gives it up. Consumes `left`.
#[inline(never)]
pub unsafe fn str_append_local(
    ts: &Thread,
    next: Ip,
    locals: Locals,
    left: Word,
    right: Word,
) -> Word {
    unsafe {
        let local = locals.add(*next.add(1) as usize);
        let held = *local;
        *local = Word::NULL;
        // Of the two references the stack's goes first, if it is one; then the local's is the string's to grow.
        left.close();
        let held = super::words::WordExt::unslot(held);
        word_or_null(str::append(ts.vm(), held, right))
    }
}

/// BINARY_OP_EXTEND: `descr` names one of the pairs of types that CPython knows. NotImplemented if the operands are of
/// other types now.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub fn extend(ts: &Thread, descr: u64, left: Word, right: Word) -> Word {
    match Extension::of(descr) {
        Some(extension) if (extension.guard)(left, right) => {
            word_or_null((extension.action)(ts.vm(), left, right))
        }
        _ => Word::NOT_IMPLEMENTED,
    }
}
