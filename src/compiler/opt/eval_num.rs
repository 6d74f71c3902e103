//! Python's arithmetic on int, float and complex constants. None stands for the exception Python would raise.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

pub enum Number {
    Int(BigInt),
    Float(f64),
    Complex(f64, f64),
}

use Number::{Complex, Float, Int};

/// A real operand as a float; too large an int overflows (`PyLong_AsDouble`).
fn real(value: &Number) -> Option<f64> {
    match value {
        Int(value) => value.to_f64().filter(|f| f.is_finite()),
        Float(value) => Some(*value),
        Complex(..) => None,
    }
}

pub fn equal(a: &Number, b: &Number) -> bool {
    match (a, b) {
        (Int(a), Int(b)) => a == b,
        (Int(i), Float(f)) | (Float(f), Int(i)) => {
            f.is_finite()
                && f.fract() == 0.0
                && num_traits::FromPrimitive::from_f64(*f) == Some(i.clone())
        }
        (Float(a), Float(b)) => a == b,
        (Complex(ar, ai), Complex(br, bi)) => ar == br && ai == bi,
        (Complex(r, i), other) | (other, Complex(r, i)) => *i == 0.0 && equal(&Float(*r), other),
    }
}

pub fn negate(value: Number) -> Number {
    match value {
        Int(value) => Int(-value),
        Float(value) => Float(-value),
        Complex(real, imag) => Complex(-real, -imag),
    }
}

// Mixed operations do not widen the real operand to complex: signs of zeros and infinities depend on it.

pub fn add(a: Number, b: Number) -> Option<Number> {
    Some(match (a, b) {
        (Int(a), Int(b)) => Int(a + b),
        (Complex(ar, ai), Complex(br, bi)) => Complex(ar + br, ai + bi),
        (Complex(r, i), other) | (other, Complex(r, i)) => Complex(r + real(&other)?, i),
        (a, b) => Float(real(&a)? + real(&b)?),
    })
}

pub fn subtract(a: Number, b: Number) -> Option<Number> {
    Some(match (a, b) {
        (Int(a), Int(b)) => Int(a - b),
        (Complex(ar, ai), Complex(br, bi)) => Complex(ar - br, ai - bi),
        (Complex(r, i), b) => Complex(r - real(&b)?, i),
        (a, Complex(r, i)) => Complex(real(&a)? - r, -i),
        (a, b) => Float(real(&a)? - real(&b)?),
    })
}

pub fn multiply(a: Number, b: Number) -> Option<Number> {
    Some(match (a, b) {
        (Int(a), Int(b)) => Int(a * b),
        (Complex(ar, ai), Complex(br, bi)) => {
            let (r, i) = complex_product((ar, ai), (br, bi));
            Complex(r, i)
        }
        (Complex(r, i), other) | (other, Complex(r, i)) => {
            let factor = real(&other)?;
            Complex(r * factor, i * factor)
        }
        (a, b) => Float(real(&a)? * real(&b)?),
    })
}

pub fn true_divide(a: Number, b: Number) -> Option<Number> {
    Some(match (a, b) {
        (Int(a), Int(b)) => Float(int_true_divide(&a, &b)?),
        (Complex(ar, ai), Complex(br, bi)) => {
            let (r, i) = complex_quotient((ar, ai), (br, bi))?;
            Complex(r, i)
        }
        (Complex(r, i), b) => {
            let divisor = nonzero(real(&b)?)?;
            Complex(r / divisor, i / divisor)
        }
        (a, Complex(br, bi)) => {
            let (r, i) = complex_quotient((real(&a)?, 0.0), (br, bi))?;
            Complex(r, i)
        }
        (a, b) => {
            let (a, b) = (real(&a)?, nonzero(real(&b)?)?);
            Float(a / b)
        }
    })
}

fn nonzero(value: f64) -> Option<f64> {
    (value != 0.0).then_some(value)
}

/// Correctly rounded quotient (`long_true_divide`).
fn int_true_divide(a: &BigInt, b: &BigInt) -> Option<f64> {
    /// Bits of a float's significand.
    const DIGITS: i64 = f64::MANTISSA_DIGITS as i64;
    /// Exponent of the smallest subnormal.
    const TINY: i64 = -1074;
    if b.is_zero() {
        return None;
    }
    let exact = |n: &BigInt| n.bits() <= DIGITS as u64;
    if exact(a) && exact(b) {
        return Some(a.to_f64()? / b.to_f64()?);
    }
    let negative = a.is_negative() != b.is_negative();
    let (a, b) = (a.abs(), b.abs());
    // Scale by 2^shift so that the integer quotient has at least one bit more than the result, and no more than
    // one bit more where the result is subnormal.
    let shift = (DIGITS + 2 + b.bits() as i64 - a.bits() as i64).min(1 - TINY);
    let (a, b) = if shift >= 0 {
        (a << shift, b)
    } else {
        (a, b << -shift)
    };
    let (quotient, rest) = a.div_rem(&b);
    // Round to even by hand: the quotient has up to three bits too many.
    let extra = (quotient.bits() as i64 - DIGITS).max(shift + TINY).max(0) as u64;
    let (mut kept, cut) = (
        &quotient >> extra,
        &quotient - ((&quotient >> extra) << extra),
    );
    let half = BigInt::one() << extra >> 1;
    let above = cut > half || (cut == half && !rest.is_zero());
    let tie = cut == half && rest.is_zero() && extra > 0;
    if (extra > 0 && above) || (tie && kept.is_odd()) {
        kept += 1;
    }
    let value = scale(kept.to_f64()?, extra as i64 - shift);
    let value = Some(value).filter(|v| v.is_finite())?;
    Some(if negative { -value } else { value })
}

/// `value * 2^exponent`, in steps that are exact.
fn scale(value: f64, exponent: i64) -> f64 {
    let (mut value, mut exponent) = (value, exponent);
    while exponent != 0 && value != 0.0 && value.is_finite() {
        let step = exponent.clamp(-1000, 1000);
        value *= 2f64.powi(step as i32);
        exponent -= step;
    }
    value
}

pub fn divmod(a: Number, b: Number) -> Option<(Number, Number)> {
    match (a, b) {
        (Int(a), Int(b)) => {
            if b.is_zero() {
                return None;
            }
            let (quotient, rest) = a.div_mod_floor(&b);
            Some((Int(quotient), Int(rest)))
        }
        (a, b) => {
            let (quotient, rest) = float_divmod(real(&a)?, nonzero(real(&b)?)?);
            Some((Float(quotient), Float(rest)))
        }
    }
}

/// `_float_div_mod`
fn float_divmod(v: f64, w: f64) -> (f64, f64) {
    let mut rest = v % w;
    let mut quotient = (v - rest) / w;
    if rest == 0.0 {
        rest = 0.0f64.copysign(w);
    } else if (w < 0.0) != (rest < 0.0) {
        rest += w;
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return (0.0f64.copysign(v / w), rest);
    }
    let floor = quotient.floor();
    (
        if quotient - floor > 0.5 {
            floor + 1.0
        } else {
            floor
        },
        rest,
    )
}

pub fn power(a: Number, b: Number) -> Option<Number> {
    match (a, b) {
        (Int(a), Int(b)) if !b.is_negative() => {
            if a.is_zero() || a.is_one() {
                return Some(Int(if b.is_zero() { BigInt::one() } else { a }));
            }
            Some(Int(a.pow(b.to_u32()?)))
        }
        (Complex(r, i), b) => complex_power((r, i), as_complex(&b)?),
        (a, Complex(r, i)) => complex_power(as_complex(&a)?, (r, i)),
        (a, b) => float_power(real(&a)?, real(&b)?),
    }
}

/// `float_pow`: the special cases are Python's own, not the C library's.
fn float_power(v: f64, w: f64) -> Option<Number> {
    let is_odd = w.abs() % 2.0 == 1.0;
    if w == 0.0 || v == 1.0 {
        return Some(Float(1.0));
    }
    if v.is_nan() || w.is_nan() {
        return Some(Float(if v.is_nan() { v } else { w }));
    }
    if w.is_infinite() {
        let grows = (w > 0.0) == (v.abs() > 1.0);
        return Some(Float(match (v.abs() == 1.0, grows) {
            (true, _) => 1.0,
            (false, true) => w.abs(),
            (false, false) => 0.0,
        }));
    }
    if v.is_infinite() {
        let size = if w > 0.0 { f64::INFINITY } else { 0.0 };
        return Some(Float(if is_odd { size.copysign(v) } else { size }));
    }
    if v == 0.0 {
        if w < 0.0 {
            return None;
        }
        return Some(Float(if is_odd { v } else { 0.0 }));
    }
    if v < 0.0 && w != w.floor() {
        return complex_power((v, 0.0), (w, 0.0));
    }
    let size = v.abs().powf(w);
    if size.is_infinite() {
        return None;
    }
    Some(Float(if v < 0.0 && is_odd { -size } else { size }))
}

fn as_complex(value: &Number) -> Option<(f64, f64)> {
    match value {
        Complex(real, imag) => Some((*real, *imag)),
        _ => Some((real(value)?, 0.0)),
    }
}

/// `_Py_c_prod`: two NaNs that come from an infinite operand are recovered, as in C's annex G.
fn complex_product((ar, ai): (f64, f64), (br, bi): (f64, f64)) -> (f64, f64) {
    let (real, imag) = (ar * br - ai * bi, ar * bi + ai * br);
    if !real.is_nan() || !imag.is_nan() {
        return (real, imag);
    }
    let boxed = |x: f64| (if x.is_infinite() { 1.0f64 } else { 0.0 }).copysign(x);
    let finite = |x: f64| if x.is_nan() { 0.0f64.copysign(x) } else { x };
    let (mut ar, mut ai, mut br, mut bi) = (ar, ai, br, bi);
    let mut recalculate = false;
    if ar.is_infinite() || ai.is_infinite() {
        (ar, ai, br, bi) = (boxed(ar), boxed(ai), finite(br), finite(bi));
        recalculate = true;
    }
    if br.is_infinite() || bi.is_infinite() {
        (br, bi, ar, ai) = (boxed(br), boxed(bi), finite(ar), finite(ai));
        recalculate = true;
    }
    if !recalculate
        && [ar * br, ai * bi, ar * bi, ai * br]
            .iter()
            .any(|p| p.is_infinite())
    {
        (ar, ai, br, bi) = (finite(ar), finite(ai), finite(br), finite(bi));
        recalculate = true;
    }
    if !recalculate {
        return (real, imag);
    }
    let infinity = f64::INFINITY;
    (
        infinity * (ar * br - ai * bi),
        infinity * (ar * bi + ai * br),
    )
}

/// `_Py_c_quot`: scaled by the larger part of the divisor (Smith's method).
fn complex_quotient((ar, ai): (f64, f64), (br, bi): (f64, f64)) -> Option<(f64, f64)> {
    if br.abs() >= bi.abs() {
        if br == 0.0 {
            return None;
        }
        let ratio = bi / br;
        let denominator = br + bi * ratio;
        Some((
            (ar + ai * ratio) / denominator,
            (ai - ar * ratio) / denominator,
        ))
    } else if bi.abs() >= br.abs() {
        let ratio = br / bi;
        let denominator = br * ratio + bi;
        Some((
            (ar * ratio + ai) / denominator,
            (ai * ratio - ar) / denominator,
        ))
    } else {
        Some((f64::NAN, f64::NAN))
    }
}

/// `complex_pow`
fn complex_power(a: (f64, f64), b: (f64, f64)) -> Option<Number> {
    /// Largest integer exponent that is computed by multiplying.
    const MULTIPLIED: f64 = 100.0;
    let (real, imag) = if b.1 == 0.0 && b.0 == b.0.floor() && b.0.abs() <= MULTIPLIED {
        let size = complex_power_unsigned(a, b.0.abs() as u32);
        if b.0 < 0.0 {
            complex_quotient((1.0, 0.0), size)?
        } else {
            size
        }
    } else if b == (0.0, 0.0) {
        (1.0, 0.0)
    } else if a == (0.0, 0.0) {
        if b.1 != 0.0 || b.0 < 0.0 {
            return None;
        }
        (0.0, 0.0)
    } else {
        let (absolute, angle) = (a.0.hypot(a.1), a.1.atan2(a.0));
        let mut length = absolute.powf(b.0);
        let mut phase = angle * b.0;
        if b.1 != 0.0 {
            length *= (-angle * b.1).exp();
            phase += b.1 * absolute.ln();
        }
        (length * phase.cos(), length * phase.sin())
    };
    let overflows = real.is_infinite() || imag.is_infinite();
    (!overflows).then_some(Complex(real, imag))
}

fn complex_power_unsigned(a: (f64, f64), exponent: u32) -> (f64, f64) {
    let mut result = (1.0, 0.0);
    let mut power = a;
    let mut mask = 1;
    while exponent >= mask {
        if exponent & mask != 0 {
            result = complex_product(result, power);
        }
        mask <<= 1;
        power = complex_product(power, power);
    }
    result
}
