//! Operators on constants, as Python computes them. None where Python raises, and where CPython declines because
//! the result would be large (`eval_const_binop`, `eval_const_unaryop`).

use super::eval_num::{self, Number};
use super::truth::is_true;
use crate::bytecode::Opcode;
use crate::bytecode::spec::{Constant, Wtf8};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use std::rc::Rc;

// `NB_*`: operands of BINARY_OP.
const ADD: i32 = 0;
const AND: i32 = 1;
const FLOOR_DIVIDE: i32 = 2;
const LSHIFT: i32 = 3;
const MULTIPLY: i32 = 5;
const REMAINDER: i32 = 6;
const OR: i32 = 7;
const POWER: i32 = 8;
const RSHIFT: i32 = 9;
const SUBTRACT: i32 = 10;
const TRUE_DIVIDE: i32 = 11;
const XOR: i32 = 12;
const SUBSCR: i32 = 26;

/// `MAX_INT_SIZE`, in bits.
const MAX_INT_SIZE: u64 = 128;
/// `MAX_COLLECTION_SIZE`, in items.
const MAX_COLLECTION_SIZE: i64 = 256;
/// `MAX_STR_SIZE`, in characters.
const MAX_STR_SIZE: i64 = 4096;
/// `MAX_TOTAL_ITEMS`, nested ones included.
const MAX_TOTAL_ITEMS: i64 = 1024;

pub fn binary(left: &Constant, op: i32, right: &Constant) -> Option<Constant> {
    match op {
        ADD => concatenate(left, right).or_else(|| numeric(left, right, eval_num::add)),
        SUBTRACT => numeric(left, right, eval_num::subtract),
        MULTIPLY => multiply(left, right),
        TRUE_DIVIDE => numeric(left, right, eval_num::true_divide),
        FLOOR_DIVIDE => numeric(left, right, |a, b| eval_num::divmod(a, b).map(|r| r.0)),
        REMAINDER => numeric(left, right, |a, b| eval_num::divmod(a, b).map(|r| r.1)),
        POWER => {
            if let (Some(v), Some(w)) = (int(left), int(right))
                && !v.is_zero()
                && w.is_positive()
                && v.bits() > MAX_INT_SIZE / w.to_u64()?
            {
                return None;
            }
            numeric(left, right, eval_num::power)
        }
        LSHIFT => {
            let (v, w) = (int(left)?, int(right)?);
            if w.is_negative() {
                return None;
            }
            if v.is_zero() {
                return Some(from_int(v));
            }
            let w = w.to_u64()?;
            if w != 0 && (w > MAX_INT_SIZE || v.bits() > MAX_INT_SIZE - w) {
                return None;
            }
            Some(from_int(v << w))
        }
        RSHIFT => {
            let (v, w) = (int(left)?, int(right)?);
            if w.is_negative() {
                return None;
            }
            let sign = if v.is_negative() { -1 } else { 0 };
            let all_out = || BigInt::from(sign);
            let shifted = w.to_u64().filter(|&w| w <= v.bits());
            Some(from_int(shifted.map_or_else(all_out, |w| v >> w)))
        }
        AND => bitwise(left, right, |a, b| a & b, |a, b| a & b),
        OR => bitwise(left, right, |a, b| a | b, |a, b| a | b),
        XOR => bitwise(left, right, |a, b| a ^ b, |a, b| a ^ b),
        SUBSCR => subscript(left, right),
        _ => None,
    }
}

/// Unary operator `op`; any other than the three with an opcode of their own is `+`.
pub fn unary(op: Opcode, operand: &Constant) -> Option<Constant> {
    match op {
        Opcode::UNARY_NOT => Some(from_bool(!is_true(operand))),
        Opcode::UNARY_INVERT => match operand {
            // The operation is deprecated, and the warning is due when it runs.
            Constant::True | Constant::False => None,
            _ => Some(from_int(!int(operand)?)),
        },
        Opcode::UNARY_NEGATIVE => Some(from_number(eval_num::negate(number(operand)?))),
        _ => number(operand).map(from_number),
    }
}

/// `==` between the hashable constants that a set display may hold.
pub fn equal(a: &Constant, b: &Constant) -> bool {
    match (number(a), number(b)) {
        (Some(a), Some(b)) => eval_num::equal(&a, &b),
        (None, None) => match (a, b) {
            (Constant::Tuple(a), Constant::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| equal(x, y))
            }
            _ => a == b,
        },
        _ => false,
    }
}

fn int(value: &Constant) -> Option<BigInt> {
    match value {
        Constant::True => Some(BigInt::from(1)),
        Constant::False => Some(BigInt::from(0)),
        Constant::Int(value) => Some(BigInt::from(*value)),
        Constant::BigInt(value) => Some(value.as_ref().clone()),
        _ => None,
    }
}

fn number(value: &Constant) -> Option<Number> {
    match value {
        Constant::Float(value) => Some(Number::Float(*value)),
        Constant::Complex(real, imag) => Some(Number::Complex(*real, *imag)),
        _ => int(value).map(Number::Int),
    }
}

fn from_bool(value: bool) -> Constant {
    if value {
        Constant::True
    } else {
        Constant::False
    }
}

fn from_int(value: BigInt) -> Constant {
    match value.to_i64() {
        Some(small) => Constant::Int(small),
        None => Constant::BigInt(Rc::new(value)),
    }
}

fn from_number(value: Number) -> Constant {
    match value {
        Number::Int(value) => from_int(value),
        Number::Float(value) => Constant::Float(value),
        Number::Complex(real, imag) => Constant::Complex(real, imag),
    }
}

fn numeric(
    left: &Constant,
    right: &Constant,
    op: impl Fn(Number, Number) -> Option<Number>,
) -> Option<Constant> {
    op(number(left)?, number(right)?).map(from_number)
}

/// Of two bools a bool, else an int.
fn bitwise(
    left: &Constant,
    right: &Constant,
    bools: impl Fn(bool, bool) -> bool,
    ints: impl Fn(BigInt, BigInt) -> BigInt,
) -> Option<Constant> {
    let is_bool = |c: &Constant| matches!(c, Constant::True | Constant::False);
    if is_bool(left) && is_bool(right) {
        return Some(from_bool(bools(is_true(left), is_true(right))));
    }
    Some(from_int(ints(int(left)?, int(right)?)))
}

fn concatenate(left: &Constant, right: &Constant) -> Option<Constant> {
    match (left, right) {
        (Constant::Str(a), Constant::Str(b)) => Some(Constant::Str(join_text(a, b))),
        (Constant::Bytes(a), Constant::Bytes(b)) => {
            Some(Constant::Bytes([a.as_ref(), b.as_ref()].concat().into()))
        }
        (Constant::Tuple(a), Constant::Tuple(b)) => {
            Some(Constant::Tuple(a.iter().chain(b.iter()).cloned().collect()))
        }
        _ => None,
    }
}

/// Python keeps two surrogates apart that stand side by side, so the bytes are only put together.
fn join_text(a: &Wtf8, b: &Wtf8) -> Wtf8 {
    [&*a.0, &*b.0].concat().into()
}

/// `const_folding_safe_multiply`
fn multiply(left: &Constant, right: &Constant) -> Option<Constant> {
    match (int(left), int(right)) {
        (Some(v), Some(w)) => {
            if !v.is_zero() && !w.is_zero() && v.bits() + w.bits() > MAX_INT_SIZE {
                return None;
            }
            Some(from_int(v * w))
        }
        (Some(n), None) => repeat(right, &n, left),
        (None, Some(n)) => repeat(left, &n, right),
        (None, None) => numeric(left, right, eval_num::multiply),
    }
}

fn repeat(sequence: &Constant, times: &BigInt, factor: &Constant) -> Option<Constant> {
    let n = times.to_i64();
    let within = |size: usize, limit: i64| {
        if size == 0 {
            return n.map(|n| n.max(0) as usize);
        }
        let fits = |n: &i64| *n >= 0 && *n <= limit / size as i64;
        n.filter(fits).map(|n| n as usize)
    };
    match sequence {
        Constant::Tuple(items) => {
            let n = within(items.len(), MAX_COLLECTION_SIZE)?;
            if items.is_empty() {
                return Some(sequence.clone());
            }
            if n > 0 {
                check_complexity(items, MAX_TOTAL_ITEMS / n as i64)?;
            }
            let repeated = std::iter::repeat_n(items.iter().cloned(), n).flatten();
            Some(Constant::Tuple(repeated.collect()))
        }
        Constant::Str(text) => {
            let n = within(text_len(text), MAX_STR_SIZE)?;
            Some(Constant::Str(match text.0.is_empty() {
                true => text.clone(),
                false => text.0.repeat(n).into(),
            }))
        }
        Constant::Bytes(bytes) => {
            let n = within(bytes.len(), MAX_STR_SIZE)?;
            Some(Constant::Bytes(match bytes.is_empty() {
                true => bytes.clone(),
                false => bytes.repeat(n).into(),
            }))
        }
        _ => numeric(sequence, factor, eval_num::multiply),
    }
}

/// What is left of `limit` after the items of a nested tuple (`const_folding_check_complexity`).
fn check_complexity(items: &[Constant], limit: i64) -> Option<i64> {
    let mut limit = limit - items.len() as i64;
    for item in items {
        if limit < 0 {
            break;
        }
        if let Constant::Tuple(nested) = item {
            limit = check_complexity(nested, limit)?;
        }
    }
    (limit >= 0).then_some(limit)
}

/// Code points of WTF-8 text: bytes that do not continue one.
fn text_len(text: &Wtf8) -> usize {
    text.0.iter().filter(|&&b| b & 0xc0 != 0x80).count()
}

fn code_points(text: &Wtf8) -> Vec<&[u8]> {
    let starts_one = |b: &u8| b & 0xc0 != 0x80;
    text.0.chunk_by(|_, next| !starts_one(next)).collect()
}

fn subscript(container: &Constant, index: &Constant) -> Option<Constant> {
    if let Constant::Slice(bounds) = index {
        return slice(container, bounds);
    }
    let index = int(index)?.to_i64()?;
    let at = |len: usize| {
        let index = if index < 0 { index + len as i64 } else { index };
        usize::try_from(index).ok().filter(|&i| i < len)
    };
    match container {
        Constant::Tuple(items) => Some(items[at(items.len())?].clone()),
        Constant::Bytes(bytes) => Some(Constant::Int(i64::from(bytes[at(bytes.len())?]))),
        Constant::Str(text) => {
            let points = code_points(text);
            Some(Constant::Str(Wtf8(points[at(points.len())?].into())))
        }
        _ => None,
    }
}

fn slice(container: &Constant, bounds: &[Constant; 3]) -> Option<Constant> {
    match container {
        Constant::Tuple(items) => {
            let picked = slice_indices(bounds, items.len())?;
            Some(Constant::Tuple(picked.map(|i| items[i].clone()).collect()))
        }
        Constant::Bytes(bytes) => {
            let picked = slice_indices(bounds, bytes.len())?;
            Some(Constant::Bytes(picked.map(|i| bytes[i]).collect()))
        }
        Constant::Str(text) => {
            let points = code_points(text);
            let picked = slice_indices(bounds, points.len())?;
            let text = picked.flat_map(|i| points[i].iter().copied()).collect();
            Some(Constant::Str(Wtf8(text)))
        }
        _ => None,
    }
}

/// The indices a slice picks from a sequence of `len` items (`PySlice_Unpack`, `PySlice_AdjustIndices`).
fn slice_indices(bounds: &[Constant; 3], len: usize) -> Option<impl Iterator<Item = usize>> {
    let len = len as i64;
    // None for a missing bound; far ones are cut to what reaches past either end.
    let bound = |c: &Constant| match c {
        Constant::None => Some(None),
        _ => {
            let value = int(c)?;
            let far = if value.is_negative() {
                -i64::MAX
            } else {
                i64::MAX
            };
            Some(Some(value.to_i64().unwrap_or(far)))
        }
    };
    let step = bound(&bounds[2])?.unwrap_or(1).max(-i64::MAX);
    if step == 0 {
        return None;
    }
    let (lowest, highest) = if step < 0 { (-1, len - 1) } else { (0, len) };
    let adjust = |value: i64| {
        let value = if value < 0 {
            value.saturating_add(len)
        } else {
            value
        };
        value.clamp(lowest, highest)
    };
    let (first, last) = if step < 0 {
        (highest, lowest)
    } else {
        (lowest, highest)
    };
    let start = bound(&bounds[0])?.map_or(first, adjust);
    let stop = bound(&bounds[1])?.map_or(last, adjust);
    let mut next = Some(start);
    Some(std::iter::from_fn(move || {
        let at = next?;
        if (step > 0 && at >= stop) || (step < 0 && at <= stop) {
            return None;
        }
        next = at.checked_add(step);
        Some(at as usize)
    }))
}
