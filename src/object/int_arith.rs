//! Arithmetic of ints (`longobject.c`): 64 bits while the result fits, big numbers beyond. Every function answers
//! NotImplemented for operands that are no ints.

use super::int::{IntRef, to_f64, value};
use super::owned::{Owned, PyResult, Raised};
use super::vm::Vm;
use super::word::Word;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Both operands' values, or NotImplemented.
macro_rules! operands {
    ($a:ident, $b:ident) => {
        match (value($a), value($b)) {
            (Some(a), Some(b)) => (a, b),
            _ => return Ok(Owned::NOT_IMPLEMENTED),
        }
    };
}

macro_rules! operation {
    ($(#[$doc:meta])* $name:ident, $checked:ident, $operator:tt) => {
        $(#[$doc])*
        pub fn $name(vm: Vm, a: Word, b: Word) -> PyResult {
            let (a, b) = operands!(a, b);
            if let (IntRef::Small(a), IntRef::Small(b)) = (a, b)
                && let Some(result) = a.$checked(b)
            {
                return vm.new_int(result);
            }
            room_for(vm, a.bits().saturating_add(b.bits()))?;
            vm.new_bigint(match (a, b) {
                (IntRef::Big(a), IntRef::Big(b)) => a $operator b,
                (IntRef::Big(a), IntRef::Small(b)) => a $operator b,
                (IntRef::Small(a), IntRef::Big(b)) => a $operator b,
                (IntRef::Small(a), IntRef::Small(b)) => BigInt::from(a) $operator b,
            })
        }
    };
}
operation!(
    /// `a + b` (`long_add`).
    add, checked_add, +);
operation!(
    /// `a - b` (`long_sub`).
    subtract, checked_sub, -);
operation!(
    /// `a * b` (`long_mul`).
    multiply, checked_mul, *);

macro_rules! bitwise {
    ($(#[$doc:meta])* $name:ident, $operator:tt) => {
        $(#[$doc])*
        pub fn $name(vm: Vm, a: Word, b: Word) -> PyResult {
            if a.is_bool() && b.is_bool() {
                return Ok(Owned::bool((a == Word::TRUE) $operator (b == Word::TRUE)));
            }
            match operands!(a, b) {
                (IntRef::Small(a), IntRef::Small(b)) => vm.new_int(a $operator b),
                (a, b) => vm.new_bigint(a.to_bigint() $operator b.to_bigint()),
            }
        }
    };
}
bitwise!(
    /// `a & b`, a bool of bools (`long_and`, `bool_and`).
    and, &);
bitwise!(
    /// `a | b` (`long_or`).
    or, |);
bitwise!(
    /// `a ^ b` (`long_xor`).
    xor, ^);

/// Fails with MemoryError if a number of this many bits, and work space for it, has no room.
pub fn room_for(vm: Vm, bits: u64) -> Result<(), Raised> {
    let bytes = usize::try_from(bits / 8).unwrap_or(usize::MAX);
    if bytes < 1 << 20 || vm.heap.has_room(bytes.saturating_mul(4)) {
        Ok(())
    } else {
        Err(vm.no_memory())
    }
}

#[cold]
fn zero_division(vm: Vm, message: &str) -> Raised {
    vm.raise(vm.exc.ZeroDivisionError, message)
}

fn floor_divmod(a: IntRef<'_>, b: IntRef<'_>) -> (BigInt, BigInt) {
    match (a, b) {
        (IntRef::Big(a), IntRef::Big(b)) => a.div_mod_floor(b),
        (a, b) => a.to_bigint().div_mod_floor(&b.to_bigint()),
    }
}

/// `a // b` (`long_div`).
pub fn floor_divide(vm: Vm, a: Word, b: Word) -> PyResult {
    let (a, b) = operands!(a, b);
    if b.is_zero() {
        return Err(zero_division(vm, "division by zero"));
    }
    match (a, b) {
        (IntRef::Small(a), IntRef::Small(b)) if !(a == i64::MIN && b == -1) => {
            vm.new_int(Integer::div_floor(&a, &b))
        }
        (a, b) => vm.new_bigint(floor_divmod(a, b).0),
    }
}

/// `a % b` (`long_mod`).
pub fn remainder(vm: Vm, a: Word, b: Word) -> PyResult {
    let (a, b) = operands!(a, b);
    if b.is_zero() {
        return Err(zero_division(vm, "division by zero"));
    }
    match (a, b) {
        (IntRef::Small(a), IntRef::Small(b)) if b != -1 => vm.new_int(Integer::mod_floor(&a, &b)),
        (a, b) => vm.new_bigint(floor_divmod(a, b).1),
    }
}

/// `divmod(a, b)` (`long_divmod`).
pub fn divmod(vm: Vm, a: Word, b: Word) -> PyResult {
    let (a, b) = operands!(a, b);
    if b.is_zero() {
        return Err(zero_division(vm, "division by zero"));
    }
    let (quotient, rest) = floor_divmod(a, b);
    let items = vec![vm.new_bigint(quotient)?, vm.new_bigint(rest)?];
    vm.tuple_from_owned(items)
}

/// `a / b`, the float nearest to the quotient (`long_true_divide`).
pub fn true_divide(vm: Vm, a: Word, b: Word) -> PyResult {
    let (a, b) = operands!(a, b);
    if b.is_zero() {
        return Err(zero_division(vm, "division by zero"));
    }
    if let (IntRef::Small(a), IntRef::Small(b)) = (a, b)
        && a.unsigned_abs() <= 1 << 53
        && b.unsigned_abs() <= 1 << 53
    {
        return vm.new_float(a as f64 / b as f64);
    }
    match nearest_quotient(&a.to_bigint(), &b.to_bigint()) {
        Some(value) => vm.new_float(value),
        None => Err(vm.overflow_error("integer division result too large for a float")),
    }
}

/// The float nearest to a quotient, ties to even; None beyond the largest.
pub(super) fn nearest_quotient(a: &BigInt, b: &BigInt) -> Option<f64> {
    const MIN_EXPONENT: i64 = f64::MIN_EXP as i64;
    const DIGITS: i64 = f64::MANTISSA_DIGITS as i64;
    let negative = (a.sign() == Sign::Minus) != (b.sign() == Sign::Minus);
    let signed = |value: f64| Some(if negative { -value } else { value });
    let (a, b) = (a.magnitude(), b.magnitude());
    if a.is_zero() {
        return signed(0.0);
    }
    let difference = a.bits() as i64 - b.bits() as i64;
    if difference > i64::from(f64::MAX_EXP) {
        return None;
    }
    if difference < MIN_EXPONENT - DIGITS - 1 {
        return signed(0.0);
    }
    // A quotient of two bits more than a float has, and whether anything is left over, decide the rounding.
    let shift = difference.max(MIN_EXPONENT) - DIGITS - 2;
    let (quotient, inexact) = if shift <= 0 {
        let (quotient, rest) = (a << shift.unsigned_abs()).div_rem(b);
        (quotient, !rest.is_zero())
    } else {
        let (quotient, rest) = a.div_rem(&(b << shift.unsigned_abs()));
        (quotient, !rest.is_zero())
    };
    let quotient_bits = quotient.bits() as i64;
    let mut low = quotient.to_u64()? | u64::from(inexact);
    let extra = quotient_bits.max(MIN_EXPONENT - shift) - DIGITS;
    let mask = 1u64 << (extra - 1);
    if low & mask != 0 && low & (3 * mask - 1) != 0 {
        low += mask;
    }
    low &= !(2 * mask - 1);
    let value = scale(low as f64, shift as i32);
    if value.is_infinite() {
        None
    } else {
        signed(value)
    }
}

/// `value * 2**exponent` (C's `ldexp`), exact when the result is.
pub fn scale(value: f64, exponent: i32) -> f64 {
    let mut value = value;
    let mut exponent = exponent.clamp(-2200, 2200);
    while exponent > 1000 {
        value *= 2f64.powi(1000);
        exponent -= 1000;
    }
    // Towards subnormals one rounding only: the last factor brings the value there in one step.
    while exponent < -1000 {
        value *= 2f64.powi(-900);
        exponent += 900;
    }
    if exponent < -900 {
        return value * 2f64.powi(-600) * 2f64.powi(exponent + 600);
    }
    value * 2f64.powi(exponent)
}

/// `a ** b` (`long_pow` without a modulus).
pub fn power(vm: Vm, a: Word, b: Word) -> PyResult {
    let (base, exponent) = operands!(a, b);
    if exponent.is_negative() {
        if base.is_zero() {
            return Err(zero_division(vm, "zero to a negative power"));
        }
        return super::float_arith::power_f64(vm, to_f64(vm, a)?, to_f64(vm, b)?);
    }
    match base {
        IntRef::Small(0) => return vm.new_int(i64::from(exponent.is_zero())),
        IntRef::Small(1) => return vm.new_int(1),
        IntRef::Small(-1) => {
            let odd = match exponent {
                IntRef::Small(exponent) => exponent & 1 == 1,
                IntRef::Big(exponent) => exponent.bit(0),
            };
            return vm.new_int(if odd { -1 } else { 1 });
        }
        _ => {}
    }
    let Some(exponent) = exponent
        .to_i64()
        .and_then(|exponent| u32::try_from(exponent).ok())
    else {
        return Err(vm.no_memory());
    };
    if let IntRef::Small(base) = base
        && let Some(result) = base.checked_pow(exponent)
    {
        return vm.new_int(result);
    }
    room_for(vm, base.bits().saturating_mul(u64::from(exponent)))?;
    vm.new_bigint(base.to_bigint().pow(exponent))
}

/// `pow(a, b, m)` (`long_pow`).
pub fn power_mod(vm: Vm, a: Word, b: Word, modulus: Word) -> PyResult {
    let (base, exponent) = operands!(a, b);
    let Some(modulus) = value(modulus) else {
        return Ok(Owned::NOT_IMPLEMENTED);
    };
    if modulus.is_zero() {
        return Err(vm.value_error("pow() 3rd argument cannot be 0"));
    }
    let (mut base, exponent, modulus) =
        (base.to_bigint(), exponent.to_bigint(), modulus.to_bigint());
    let magnitude = modulus.abs();
    if exponent.is_negative() {
        let Some(inverse) = base.mod_floor(&magnitude).modinv(&magnitude) else {
            return Err(vm.value_error("base is not invertible for the given modulus"));
        };
        base = inverse;
    }
    let result = if magnitude.is_one() {
        BigInt::zero()
    } else {
        base.modpow(&exponent.abs(), &magnitude)
    };
    vm.new_bigint(result.mod_floor(&modulus))
}

#[cold]
fn negative_shift(vm: Vm) -> Raised {
    vm.value_error("negative shift count")
}

/// `a << b` (`long_lshift`).
pub fn left_shift(vm: Vm, a: Word, b: Word) -> PyResult {
    let (a, b) = operands!(a, b);
    if b.is_negative() {
        return Err(negative_shift(vm));
    }
    if a.is_zero() {
        return vm.new_int(0);
    }
    let Some(shift) = b.to_i64() else {
        return Err(vm.overflow_error("too many digits in integer"));
    };
    if let IntRef::Small(a) = a
        && shift < 63
        && (a << shift) >> shift == a
    {
        return vm.new_int(a << shift);
    }
    room_for(vm, a.bits().saturating_add(shift as u64))?;
    vm.new_bigint(a.to_bigint() << shift)
}

/// `a >> b` (`long_rshift`).
pub fn right_shift(vm: Vm, a: Word, b: Word) -> PyResult {
    let (a, b) = operands!(a, b);
    if b.is_negative() {
        return Err(negative_shift(vm));
    }
    let shift = b.to_i64().unwrap_or(i64::MAX);
    match a {
        IntRef::Small(a) => vm.new_int(a >> shift.min(63)),
        IntRef::Big(a) if shift as u64 > a.bits() => {
            vm.new_int(if a.is_negative() { -1 } else { 0 })
        }
        IntRef::Big(a) => vm.new_bigint(a >> shift),
    }
}

/// `-a` (`long_neg`).
pub fn negative(vm: Vm, a: Word) -> PyResult {
    match value(a) {
        Some(IntRef::Small(a)) if a != i64::MIN => vm.new_int(-a),
        Some(a) => vm.new_bigint(-a.to_bigint()),
        None => Ok(Owned::NOT_IMPLEMENTED),
    }
}
/// `abs(a)` (`long_abs`).
pub fn absolute(vm: Vm, a: Word) -> PyResult {
    match value(a) {
        Some(value) if value.is_negative() => negative(vm, a),
        _ => super::int::exact(vm, a),
    }
}
/// `~a` (`long_invert`).
pub fn invert(vm: Vm, a: Word) -> PyResult {
    match value(a) {
        Some(IntRef::Small(a)) => vm.new_int(!a),
        Some(a) => vm.new_bigint(-(a.to_bigint() + 1i32)),
        None => Ok(Owned::NOT_IMPLEMENTED),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_round_once() {
        let big = |text: &str| text.parse::<BigInt>().unwrap();
        assert_eq!(nearest_quotient(&big("1"), &big("3")), Some(1.0 / 3.0));
        assert_eq!(
            nearest_quotient(&big("-9007199254740993"), &big("1")),
            Some(-9007199254740992.0)
        );
        assert_eq!(
            nearest_quotient(&(BigInt::one() << 1100), &(BigInt::one() << 100)),
            Some(2f64.powi(1000))
        );
        assert_eq!(nearest_quotient(&(BigInt::one() << 1100), &big("1")), None);
        assert_eq!(
            nearest_quotient(&big("1"), &(BigInt::one() << 1074)),
            Some(5e-324)
        );
        assert_eq!(
            nearest_quotient(&big("3"), &(BigInt::one() << 1075)),
            Some(1e-323)
        );
        assert_eq!(
            nearest_quotient(&big("1"), &(BigInt::one() << 1075)),
            Some(0.0)
        );
    }
}
