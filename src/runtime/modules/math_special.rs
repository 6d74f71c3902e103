//! Sums without loss, norms, the gamma function.
#![allow(
    clippy::excessive_precision,
    reason = "the coefficients as they were published"
)]

use super::math::{ldexp, number_of};
use crate::object::hash::frexp;
use crate::object::number::{self, nb};
use crate::object::{Kind, Owned, PyResult, Raised, Vm, Word, args, float, int, sequence};
use std::f64::consts::PI;

// ---- fsum

/// The exact sum, rounded once (Shewchuk; `math_fsum`).
pub(super) fn fsum(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let mut partials: Vec<f64> = Vec::new();
    let (mut infinities, mut specials) = (0.0, 0.0);
    sequence::for_each(vm, args[0], |item| {
        let value = number_of(vm, item.as_word())?;
        let mut x = value;
        let mut kept = 0;
        for index in 0..partials.len() {
            let mut y = partials[index];
            if x.abs() < y.abs() {
                std::mem::swap(&mut x, &mut y);
            }
            let high = x + y;
            let low = y - (high - x);
            if low != 0.0 {
                partials[kept] = low;
                kept += 1;
            }
            x = high;
        }
        partials.truncate(kept);
        if x != 0.0 {
            if x.is_finite() {
                partials.push(x);
            } else {
                if value.is_finite() {
                    return Err(vm.overflow_error("intermediate overflow in fsum"));
                }
                if value.is_infinite() {
                    infinities += value;
                }
                specials += value;
                partials.clear();
            }
        }
        Ok(())
    })?;
    if specials != 0.0 {
        if f64::is_nan(infinities) {
            return Err(vm.value_error("-inf + inf in fsum"));
        }
        return vm.new_float(specials);
    }
    vm.new_float(round_partials(&partials))
}

/// The partial sums do not overlap and grow; from the top, until something is lost.
fn round_partials(partials: &[f64]) -> f64 {
    let mut rest = partials.iter().rev();
    let mut high = rest.next().copied().unwrap_or(0.0);
    let mut low = 0.0;
    for &next in rest.by_ref() {
        let x = high;
        high = x + next;
        low = next - (high - x);
        if low != 0.0 {
            break;
        }
    }
    // Half-way cases go by what is below.
    if let Some(&next) = rest.next()
        && low != 0.0
        && (low < 0.0) == (next < 0.0)
    {
        let twice = low * 2.0;
        let rounded = high + twice;
        if twice == rounded - high {
            high = rounded;
        }
    }
    high
}

// ---- norms

/// Euclid's norm with less than one unit of error (`vector_norm`).
fn norm(values: &mut [f64], largest: f64, has_nan: bool) -> f64 {
    if largest.is_infinite() {
        return largest;
    }
    if has_nan {
        return f64::NAN;
    }
    if largest == 0.0 || values.len() <= 1 {
        return largest;
    }
    let (_, exponent) = frexp(largest);
    if exponent < -1023 {
        // The scale would overflow: lift subnormals first.
        values
            .iter_mut()
            .for_each(|value| *value /= f64::MIN_POSITIVE);
        return f64::MIN_POSITIVE * norm(values, largest / f64::MIN_POSITIVE, has_nan);
    }
    let scale = ldexp(1.0, -exponent);
    let mut sum = SumOfSquares {
        high: 1.0,
        lost_squares: 0.0,
        lost_sums: 0.0,
    };
    for value in values {
        let scaled = *value * scale;
        sum.add(scaled, scaled);
    }
    let root = sum.excess().sqrt();
    sum.add(-root, root);
    // One step of Newton's with what the squares and sums lost.
    (root + sum.excess() / (2.0 * root)) / scale
}

/// Begins at one, so that a sum never loses its lower part's place.
struct SumOfSquares {
    high: f64,
    lost_squares: f64,
    lost_sums: f64,
}

impl SumOfSquares {
    fn add(&mut self, a: f64, b: f64) {
        let product = a * b;
        let lost_product = a.mul_add(b, -product);
        let sum = self.high + product;
        self.lost_squares += lost_product;
        self.lost_sums += self.high - sum + product;
        self.high = sum;
    }
    fn excess(&self) -> f64 {
        self.high - 1.0 + (self.lost_squares + self.lost_sums)
    }
}

fn norm_of(vm: Vm, mut values: Vec<f64>) -> PyResult {
    values.iter_mut().for_each(|value| *value = value.abs());
    let has_nan = values.iter().any(|value| value.is_nan());
    let largest = values.iter().copied().fold(0.0, f64::max);
    vm.new_float(norm(&mut values, largest, has_nan))
}

pub(super) fn hypot(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let values = args
        .iter()
        .map(|word| number_of(vm, *word))
        .collect::<Result<_, _>>()?;
    norm_of(vm, values)
}

pub(super) fn dist(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "dist", args.len(), 2, 2)?;
    let (p, q) = (
        sequence::collect(vm, args[0])?,
        sequence::collect(vm, args[1])?,
    );
    if p.len() != q.len() {
        return Err(vm.value_error("both points must have the same number of dimensions"));
    }
    let differences = p
        .iter()
        .zip(&q)
        .map(|(p, q)| Ok(number_of(vm, p.as_word())? - number_of(vm, q.as_word())?));
    norm_of(vm, differences.collect::<Result<_, Raised>>()?)
}

// ---- sumprod

/// The sum of products; of floats as if in three times their precision (`math_sumprod`).
pub(super) fn sumprod(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "sumprod", args.len(), 2, 2)?;
    let (p, q) = (
        sequence::collect(vm, args[0])?,
        sequence::collect(vm, args[1])?,
    );
    if p.len() != q.len() {
        return Err(vm.value_error("Inputs are not the same length"));
    }
    let mut total = Owned::small_int(0);
    let mut floats: Option<Triple> = None;
    for (p, q) in p.iter().zip(&q) {
        let (p, q) = (p.as_word(), q.as_word());
        if let Some((a, b)) = float_pair(vm, p, q)? {
            let sum = floats.take().unwrap_or_default().add_product(a, b);
            if sum.value().is_finite() {
                floats = Some(sum);
                continue;
            }
            floats = Some(sum);
        }
        if let Some(sum) = floats.take() {
            total = add(vm, &total, &vm.new_float(sum.value())?)?;
            if float_pair(vm, p, q)?.is_some() {
                continue;
            }
        }
        let product = number::number_binary(vm, nb::MULTIPLY, p, q)?;
        total = add(vm, &total, &product)?;
    }
    match floats {
        Some(sum) => add(vm, &total, &vm.new_float(sum.value())?),
        None => Ok(total),
    }
}

fn add(vm: Vm, a: &Owned, b: &Owned) -> PyResult {
    number::number_binary(vm, nb::ADD, a.as_word(), b.as_word())
}

/// Two floats, or a float and an int or bool.
fn float_pair(vm: Vm, a: Word, b: Word) -> Result<Option<(f64, f64)>, Raised> {
    let is_float = |word| float::exact_value(word).is_some();
    let is_int = |word: Word| word.is_int() || word.is_exact(Kind::INT) || word.is_bool();
    if (is_float(a) && (is_float(b) || is_int(b))) || (is_int(a) && is_float(b)) {
        debug_assert!(is_float(a) || int::value(a).is_some());
        return Ok(Some((number_of(vm, a)?, number_of(vm, b)?)));
    }
    Ok(None)
}

/// `TripleLength`: a sum and what it lost, and what that lost.
#[derive(Default)]
struct Triple {
    high: f64,
    low: f64,
    tiny: f64,
}

impl Triple {
    fn add_product(self, a: f64, b: f64) -> Triple {
        let product = a * b;
        let lost = a.mul_add(b, -product);
        let (high, low) = two_sum(product, self.high);
        let (low_sum, tiny) = two_sum(lost, self.low);
        let (low, tiny_more) = two_sum(low, low_sum);
        Triple {
            high,
            low,
            tiny: self.tiny + tiny + tiny_more,
        }
    }
    fn value(&self) -> f64 {
        let (high, low) = two_sum(self.high, self.low);
        if high.is_finite() {
            high + (low + self.tiny)
        } else {
            self.high
        }
    }
}

/// A sum and its exact error (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

// ---- gamma, by Lanczos's sum with these thirteen terms

const LANCZOS_G: f64 = 6.02468004077673;
const LANCZOS_NUMERATOR: [f64; 13] = [
    23531376880.41076,
    42919803642.6491,
    35711959237.35567,
    17921034426.03721,
    6039542586.352028,
    1439720407.3117216,
    248874557.86205417,
    31426415.585400194,
    2876370.6289353725,
    186056.26539522348,
    8071.672002365816,
    210.82427775157936,
    2.5066282746310002,
];
const LANCZOS_DENOMINATOR: [f64; 13] = [
    0.0,
    39916800.0,
    120543840.0,
    150917976.0,
    105258076.0,
    45995730.0,
    13339535.0,
    2637558.0,
    357423.0,
    32670.0,
    1925.0,
    66.0,
    1.0,
];

fn lanczos_sum(x: f64) -> f64 {
    let (mut numerator, mut denominator) = (0.0, 0.0);
    if x < 5.0 {
        for (n, d) in LANCZOS_NUMERATOR.iter().zip(&LANCZOS_DENOMINATOR).rev() {
            numerator = numerator * x + n;
            denominator = denominator * x + d;
        }
    } else {
        for (n, d) in LANCZOS_NUMERATOR.iter().zip(&LANCZOS_DENOMINATOR) {
            numerator = numerator / x + n;
            denominator = denominator / x + d;
        }
    }
    numerator / denominator
}

/// `sin(pi x)`, exact where it can be (`m_sinpi`).
fn sin_pi(x: f64) -> f64 {
    let y = x.abs() % 2.0;
    let sine: f64 = match (2.0 * y).round() as i64 {
        0 => (PI * y).sin(),
        1 => (PI * (y - 0.5)).cos(),
        2 => (PI * (1.0 - y)).sin(),
        3 => -(PI * (y - 1.5)).cos(),
        _ => (PI * (y - 2.0)).sin(),
    };
    1.0_f64.copysign(x) * sine
}

/// `math.gamma` (`m_tgamma`): NaN outside the domain, infinity beyond the range.
pub(super) fn gamma(x: f64) -> f64 {
    if !x.is_finite() {
        return if x == f64::NEG_INFINITY { f64::NAN } else { x };
    }
    if x == 0.0 {
        return 1.0 / x;
    }
    if x == x.floor() {
        if x < 0.0 {
            return f64::NAN;
        }
        // Factorials that a float holds exactly.
        if x <= 23.0 {
            return (2..x as u64).fold(1.0, |product, factor| product * factor as f64);
        }
    }
    let size = x.abs();
    if size < 1e-20 {
        return 1.0 / x;
    }
    if size > 200.0 {
        return if x < 0.0 {
            0.0 / sin_pi(x)
        } else {
            f64::INFINITY
        };
    }
    let y = size + (LANCZOS_G - 0.5);
    // What the sum lost, for a correction at the end.
    let error = if size > LANCZOS_G - 0.5 {
        let q = y - size;
        q - (LANCZOS_G - 0.5)
    } else {
        let q = y - (LANCZOS_G - 0.5);
        q - size
    } * LANCZOS_G
        / y;
    if x < 0.0 {
        let mut result = -PI / sin_pi(size) / size * y.exp() / lanczos_sum(size);
        result -= error * result;
        if size < 140.0 {
            result / y.powf(size - 0.5)
        } else {
            square_root_twice(result, y, size, |r, s| r / s)
        }
    } else {
        let mut result = lanczos_sum(size) / y.exp();
        result += error * result;
        if size < 140.0 {
            result * y.powf(size - 0.5)
        } else {
            square_root_twice(result, y, size, |r, s| r * s)
        }
    }
}

/// The power would overflow where the result does not: half of it, twice.
fn square_root_twice(result: f64, y: f64, size: f64, apply: fn(f64, f64) -> f64) -> f64 {
    let root = y.powf(size / 2.0 - 0.25);
    apply(apply(result, root), root)
}

/// `math.lgamma` (`m_lgamma`).
pub(super) fn lgamma(x: f64) -> f64 {
    if !x.is_finite() {
        return if x.is_nan() { x } else { f64::INFINITY };
    }
    if x == x.floor() && x <= 2.0 {
        return if x <= 0.0 { f64::INFINITY } else { 0.0 };
    }
    let size = x.abs();
    if size < 1e-20 {
        return -size.ln();
    }
    let mut result = lanczos_sum(size).ln() - LANCZOS_G;
    result += (size - 0.5) * ((size + LANCZOS_G - 0.5).ln() - 1.0);
    if x < 0.0 {
        result = PI.ln() - sin_pi(size).abs().ln() - size.ln() - result;
    }
    if result.is_infinite() {
        f64::INFINITY
    } else {
        result
    }
}
