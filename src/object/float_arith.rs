//! Arithmetic and comparison of floats (`floatobject.c`). Operands may be ints too; others give NotImplemented.

use super::float;
use super::hash;
use super::int::{self, IntRef};
use super::owned::{Owned, PyResult, Raised};
use super::types::CompareOp;
use super::vm::Vm;
use super::word::Word;
use num_bigint::BigInt;
use num_traits::FromPrimitive;
use std::cmp::Ordering;

/// A float's or an int's value; None for anything else (`CONVERT_TO_DOUBLE`).
#[inline]
fn operand(vm: Vm, word: Word) -> Result<Option<f64>, Raised> {
    match float::value(word) {
        Some(value) => Ok(Some(value)),
        None if int::is_int(word) => int::to_f64(vm, word).map(Some),
        None => Ok(None),
    }
}
macro_rules! operands {
    ($vm:ident, $a:ident, $b:ident) => {
        match (operand($vm, $a)?, operand($vm, $b)?) {
            (Some(a), Some(b)) => (a, b),
            _ => return Ok(Owned::NOT_IMPLEMENTED),
        }
    };
}
macro_rules! operation {
    ($($name:ident $operator:tt;)*) => {$(
        pub fn $name(vm: Vm, a: Word, b: Word) -> PyResult {
            let (a, b) = operands!(vm, a, b);
            vm.new_float(a $operator b)
        }
    )*};
}
operation! {
    add +;
    subtract -;
    multiply *;
}

#[cold]
fn zero_division(vm: Vm, message: &str) -> Raised {
    vm.raise(vm.exc.ZeroDivisionError, message)
}

/// `a / b` (`float_div`).
pub fn true_divide(vm: Vm, a: Word, b: Word) -> PyResult {
    let (a, b) = operands!(vm, a, b);
    if b == 0.0 {
        return Err(zero_division(vm, "division by zero"));
    }
    vm.new_float(a / b)
}

/// Quotient rounded down and the rest with the divisor's sign (`_float_div_mod`).
pub fn floor_divmod(a: f64, b: f64) -> (f64, f64) {
    let mut rest = a % b;
    let mut quotient = (a - rest) / b;
    if rest != 0.0 {
        if (b < 0.0) != (rest < 0.0) {
            rest += b;
            quotient -= 1.0;
        }
    } else {
        rest = 0f64.copysign(b);
    }
    let floored = if quotient != 0.0 {
        let floor = quotient.floor();
        if quotient - floor > 0.5 {
            floor + 1.0
        } else {
            floor
        }
    } else {
        0f64.copysign(a / b)
    };
    (floored, rest)
}

/// `a // b` (`float_floor_div`).
pub fn floor_divide(vm: Vm, a: Word, b: Word) -> PyResult {
    let (a, b) = operands!(vm, a, b);
    if b == 0.0 {
        return Err(zero_division(vm, "division by zero"));
    }
    vm.new_float(floor_divmod(a, b).0)
}
/// `a % b` (`float_rem`).
pub fn remainder(vm: Vm, a: Word, b: Word) -> PyResult {
    let (a, b) = operands!(vm, a, b);
    if b == 0.0 {
        return Err(zero_division(vm, "division by zero"));
    }
    vm.new_float(floor_divmod(a, b).1)
}
/// `divmod(a, b)` (`float_divmod`).
pub fn divmod(vm: Vm, a: Word, b: Word) -> PyResult {
    let (a, b) = operands!(vm, a, b);
    if b == 0.0 {
        return Err(zero_division(vm, "division by zero"));
    }
    let (quotient, rest) = floor_divmod(a, b);
    let items = vec![vm.new_float(quotient)?, vm.new_float(rest)?];
    vm.tuple_from_owned(items)
}
/// `a ** b` (`float_pow`).
pub fn power(vm: Vm, a: Word, b: Word) -> PyResult {
    let (a, b) = operands!(vm, a, b);
    power_f64(vm, a, b)
}
pub(super) fn power_f64(vm: Vm, a: f64, b: f64) -> PyResult {
    if a == 0.0 && b < 0.0 {
        return Err(zero_division(vm, "zero to a negative power"));
    }
    if a < 0.0 && a.is_finite() && b.is_finite() && b != b.floor() {
        return super::complex::power_of_negative(vm, a, b);
    }
    let result = a.powf(b);
    if result.is_infinite() && a.is_finite() && b.is_finite() {
        let (code, text) = (
            vm.new_int(34)?,
            vm.new_str("Numerical result out of range")?,
        );
        return Err(vm.raise_with(vm.exc.OverflowError, &[code.as_word(), text.as_word()]));
    }
    vm.new_float(result)
}
/// `pow(a, b, m)`: always an error when a float is among them.
pub(super) fn power_mod(vm: Vm, a: Word, b: Word, m: Word) -> PyResult {
    if [a, b, m]
        .iter()
        .all(|&operand| float::value(operand).is_some() || int::is_int(operand))
    {
        return Err(
            vm.type_error("pow() 3rd argument not allowed unless all arguments are integers")
        );
    }
    Ok(Owned::NOT_IMPLEMENTED)
}

pub(super) fn negative(vm: Vm, a: Word) -> PyResult {
    vm.new_float(-float::value(a).unwrap_or(0.0))
}
pub(super) fn positive(vm: Vm, a: Word) -> PyResult {
    vm.new_float(float::value(a).unwrap_or(0.0))
}
pub(super) fn absolute(vm: Vm, a: Word) -> PyResult {
    vm.new_float(float::value(a).unwrap_or(0.0).abs())
}
pub(super) fn is_nonzero(_: Vm, a: Word) -> Result<bool, Raised> {
    Ok(float::value(a).unwrap_or(0.0) != 0.0)
}
pub(super) fn float_hash(_: Vm, word: Word) -> Result<i64, Raised> {
    let value = float::value(word).unwrap_or(0.0);
    // NaNs hash by identity, so that a dict can hold many.
    Ok(if value.is_nan() {
        hash::hash_pointer(word.object())
    } else {
        hash::hash_f64(value)
    })
}

/// A float truncated to an int; ValueError or OverflowError for NaN and infinities (`PyLong_FromDouble`).
pub fn to_int(vm: Vm, value: f64) -> PyResult {
    if value.abs() < 2f64.powi(62) {
        return vm.new_int(value as i64);
    }
    match BigInt::from_f64(value.trunc()) {
        Some(value) => vm.new_bigint(value),
        None if value.is_nan() => Err(vm.value_error("cannot convert float NaN to integer")),
        None => Err(vm.overflow_error("cannot convert float infinity to integer")),
    }
}

/// Order of a float and an int, exactly; None for NaN (`float_richcompare`).
pub fn compare_int(a: f64, b: IntRef<'_>) -> Option<Ordering> {
    if let IntRef::Small(b) = b
        && b.unsigned_abs() <= 1 << 53
    {
        return a.partial_cmp(&(b as f64));
    }
    if !a.is_finite() {
        return a.partial_cmp(&0.0);
    }
    let whole = BigInt::from_f64(a.trunc())?;
    // The fraction decides only between equal whole parts.
    Some(
        whole
            .cmp(&b.to_bigint())
            .then_with(|| a.partial_cmp(&a.trunc()).unwrap_or(Ordering::Equal)),
    )
}

pub(super) fn richcompare(_: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    let Some(left) = float::value(a) else {
        return Ok(Owned::NOT_IMPLEMENTED);
    };
    let ordering = match (float::value(b), int::value(b)) {
        (Some(right), _) => left.partial_cmp(&right),
        (_, Some(right)) => compare_int(left, right),
        _ => return Ok(Owned::NOT_IMPLEMENTED),
    };
    Ok(Owned::bool(match ordering {
        Some(ordering) => op.holds(ordering),
        None => op == CompareOp::Ne,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down() {
        assert_eq!(floor_divmod(7.0, -2.0), (-4.0, -1.0));
        assert_eq!(floor_divmod(-7.0, 2.0), (-4.0, 1.0));
        let (quotient, rest) = floor_divmod(-0.0, 3.0);
        assert!(
            quotient == 0.0
                && quotient.is_sign_negative()
                && rest == 0.0
                && rest.is_sign_positive()
        );
    }

    #[test]
    fn floats_against_ints() {
        let big = BigInt::from(1u64 << 53) + 1;
        assert_eq!(
            compare_int(9007199254740992.0, IntRef::Big(&big)),
            Some(Ordering::Less)
        );
        assert_eq!(compare_int(-0.5, IntRef::Small(0)), Some(Ordering::Less));
        assert_eq!(compare_int(f64::NAN, IntRef::Small(0)), None);
        assert_eq!(
            compare_int(f64::INFINITY, IntRef::Big(&big)),
            Some(Ordering::Greater)
        );
    }
}
