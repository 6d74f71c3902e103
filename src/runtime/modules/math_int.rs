//! Functions of ints of any size.

use super::math::small_int;
use crate::object::args::{self, Signature};
use crate::object::number::{self, nb};
use crate::object::{Owned, PyResult, Raised, Vm, Word, int, int_arith, sequence};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The value of an argument that is an int or says by `__index__` which it is.
fn integer(vm: Vm, word: Word) -> Result<BigInt, Raised> {
    let index = number::index(vm, word)?;
    Ok(int::value(index.as_word()).map_or_else(BigInt::zero, |value| value.to_bigint()))
}

/// Mantissa between a half and one, and exponent (`_PyLong_Frexp`).
pub(super) fn split(value: &BigInt) -> (f64, u64) {
    let bits = value.bits();
    let shift = bits.saturating_sub(64);
    let top = (value >> shift).to_u64().unwrap_or(u64::MAX);
    // The bits below make an exact half round up, as they should.
    let sticky = u64::from((value & ((BigInt::one() << shift) - 1u32)).is_positive());
    let mantissa = (top | sticky) as f64;
    (super::math::ldexp(mantissa, -64), bits)
}

pub(super) fn gcd(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if let Some(values) = args
        .iter()
        .map(|word| small_int(*word))
        .collect::<Option<Vec<i64>>>()
    {
        return vm.new_int(values.iter().fold(0i64, |gcd, value| gcd.gcd(value)));
    }
    let mut result = BigInt::zero();
    for word in args {
        result = result.gcd(&integer(vm, *word)?);
    }
    vm.new_bigint(result)
}

pub(super) fn lcm(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let mut result = BigInt::one();
    for word in args {
        let value = integer(vm, *word)?;
        // The others are looked at, but zero stays zero.
        result = if result.is_zero() || value.is_zero() {
            BigInt::zero()
        } else {
            result.lcm(&value)
        };
        int_arith::room_for(vm, result.bits())?;
    }
    vm.new_bigint(result.abs())
}

pub(super) fn isqrt(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let value = integer(vm, args[0])?;
    if value.is_negative() {
        return Err(vm.value_error("isqrt() argument must be nonnegative"));
    }
    vm.new_bigint(value.sqrt())
}

pub(super) fn factorial(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let value = integer(vm, args[0])?;
    if value.is_negative() {
        return Err(vm.value_error("factorial() not defined for negative values"));
    }
    let Some(n) = value.to_u64().filter(|n| *n <= u64::from(u32::MAX >> 1)) else {
        return Err(vm.overflow_error(format!(
            "factorial() argument should not exceed {}",
            i64::MAX
        )));
    };
    // Stirling's bound on the bits, before they are made.
    int_arith::room_for(vm, (n as f64 * (n as f64 + 1.0).log2()) as u64)?;
    vm.new_bigint(product(1, n))
}

/// `(from, to]` multiplied, halves first, so that the factors stay of a size.
fn product(from: u64, to: u64) -> BigInt {
    if to - from.min(to) <= 16 {
        return (from + 1..=to).fold(BigInt::one(), |product, factor| product * factor);
    }
    let middle = from + (to - from) / 2;
    product(from, middle) * product(middle, to)
}

/// `n` and `k` of `comb` and `perm`.
fn choice(vm: Vm, n: Word, k: Word) -> Result<(BigInt, BigInt), Raised> {
    let (n, k) = (integer(vm, n)?, integer(vm, k)?);
    if n.is_negative() {
        return Err(vm.value_error("n must be a non-negative integer"));
    }
    if k.is_negative() {
        return Err(vm.value_error("k must be a non-negative integer"));
    }
    Ok((n, k))
}

fn factors(vm: Vm, function: &str, k: &BigInt, of: &str) -> Result<u64, Raised> {
    k.to_u64().filter(|k| *k <= i64::MAX as u64).ok_or_else(|| {
        vm.overflow_error(format!("{of} must not exceed {} in {function}()", i64::MAX))
    })
}

/// `n * (n - 1) * ...`, `k` factors.
fn falling(n: &BigInt, k: u64) -> BigInt {
    if k <= 16 {
        return (0..k).fold(BigInt::one(), |product, index| product * (n - index));
    }
    falling(n, k / 2) * falling(&(n - k / 2), k - k / 2)
}

pub(super) fn comb(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "comb", args.len(), 2, 2)?;
    let (n, k) = choice(vm, args[0], args[1])?;
    if k > n {
        return Ok(Owned::small_int(0));
    }
    let other = &n - &k;
    let k = factors(vm, "comb", &k.min(other), "min(n - k, k)")?;
    int_arith::room_for(vm, n.bits().saturating_mul(k))?;
    vm.new_bigint(falling(&n, k) / product(0, k))
}

pub(super) fn perm(vm: Vm, this: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    args::check_positional(vm, "perm", args.len(), 1, 2)?;
    let Some(k) = args.get(1).filter(|k| !k.is_none()) else {
        return factorial(vm, this, &args[..1], kwnames);
    };
    let (n, k) = choice(vm, args[0], *k)?;
    if k > n {
        return Ok(Owned::small_int(0));
    }
    let k = factors(vm, "perm", &k, "k")?;
    int_arith::room_for(vm, n.bits().saturating_mul(k))?;
    vm.new_bigint(falling(&n, k))
}

static PROD: Signature<2> = Signature::new("prod", ["iterable", "start"], 1)
    .positional_only(1)
    .keyword_only(1);

pub(super) fn prod(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [iterable, start] = PROD.unpack(vm, args, kwnames)?;
    let mut total = Owned::new_ref(start.unwrap_or(Word::int_unchecked(1)));
    sequence::for_each(vm, iterable.unwrap_or(Word::NONE), |item| {
        let product = number::number_binary(vm, nb::MULTIPLY, total.as_word(), item.as_word())?;
        total = product;
        Ok(())
    })?;
    Ok(total)
}
