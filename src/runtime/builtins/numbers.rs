//! Arithmetic functions.

use super::attributes::call_special;
use crate::object::args::Signature;
use crate::object::number::{self, nb};
use crate::object::{Kind, Owned, PyResult, Vm, Word, args, float, int, sequence, str};

pub fn abs(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    number::absolute(vm, args[0])
}

pub fn divmod(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "divmod", args.len(), 2, 2)?;
    number::divmod(vm, args[0], args[1])
}

static POW: Signature<3> = Signature::new("pow", ["base", "exp", "mod"], 2);

pub fn pow(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [base, exponent, modulus] = POW
        .unpack(vm, args, kwnames)?
        .map(|word| word.unwrap_or(Word::NONE));
    number::power(vm, base, exponent, modulus)
}

static ROUND: Signature<2> = Signature::new("round", ["number", "ndigits"], 1);

pub fn round(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [number, digits] = ROUND
        .unpack(vm, args, kwnames)?
        .map(|word| word.unwrap_or(Word::NONE));
    let args = [digits];
    let count = usize::from(!digits.is_none());
    match call_special(vm, number, vm.names.__round__, &args[..count])? {
        Some(rounded) => Ok(rounded),
        None => Err(vm.type_error(format!(
            "type {} doesn't define __round__ method",
            vm.type_name(number)
        ))),
    }
}

static SUM: Signature<2> = Signature::new("sum", ["iterable", "start"], 1).positional_only(1);

/// Strings and bytes are refused: adding them up takes quadratic time.
pub fn sum(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [iterable, start] = SUM.unpack(vm, args, kwnames)?;
    let (iterable, start) = (
        iterable.unwrap_or(Word::NONE),
        start.unwrap_or(Word::int_unchecked(0)),
    );
    let refused = if str::is_str(start) {
        Some("strings [use ''.join(seq) instead]")
    } else if start.is_instance(Kind::BYTES) {
        Some("bytes [use b''.join(seq) instead]")
    } else if start.is_instance(Kind::BYTEARRAY) {
        Some("bytearray [use b''.join(seq) instead]")
    } else {
        None
    };
    if let Some(what) = refused {
        return Err(vm.type_error(format!("sum() can't sum {what}")));
    }
    let mut total = match (start.is_int(), float::exact_value(start)) {
        (true, _) => Total::Int(start.as_int()),
        (_, Some(value)) => Total::Float(Compensated {
            high: value,
            low: 0.0,
        }),
        _ => Total::Any(Owned::new_ref(start)),
    };
    sequence::for_each(vm, iterable, |item| {
        let sum = std::mem::replace(&mut total, Total::Int(0)).add(vm, item.as_word())?;
        total = sum;
        Ok(())
    })?;
    total.finish(vm)
}

/// The sum so far: small ints and floats are added without objects, as long as all are of that kind.
enum Total {
    Int(i64),
    Float(Compensated),
    Any(Owned),
}

impl Total {
    fn add(self, vm: Vm, item: Word) -> Result<Total, crate::object::Raised> {
        match &self {
            Total::Int(total) if item.is_int() => {
                if let Some(sum) = total.checked_add(item.as_int()) {
                    return Ok(Total::Int(sum));
                }
            }
            Total::Float(total) => {
                if let Some(value) = float::exact_value(item) {
                    return Ok(Total::Float(total.add(value)));
                }
                if let Some(value) = int::value(item).and_then(|value| value.to_i64()) {
                    return Ok(Total::Float(Compensated {
                        high: total.high + value as f64,
                        low: total.low,
                    }));
                }
            }
            _ => {}
        }
        let known = self.finish(vm)?;
        let sum = number::number_binary(vm, nb::ADD, known.as_word(), item)?;
        Ok(match float::exact_value(sum.as_word()) {
            // From the first float on, the rest of the sum is compensated.
            Some(value) => Total::Float(Compensated {
                high: value,
                low: 0.0,
            }),
            None => Total::Any(sum),
        })
    }
    fn finish(self, vm: Vm) -> PyResult {
        match self {
            Total::Int(total) => vm.new_int(total),
            Total::Float(total) => vm.new_float(total.value()),
            Total::Any(total) => Ok(total),
        }
    }
}

/// A sum of floats with what rounding took off it (`cs_add`, after Neumaier).
struct Compensated {
    high: f64,
    low: f64,
}

impl Compensated {
    fn add(&self, value: f64) -> Compensated {
        let high = self.high + value;
        let lost = if self.high.abs() >= value.abs() {
            self.high - high + value
        } else {
            value - high + self.high
        };
        Compensated {
            high,
            low: self.low + lost,
        }
    }
    fn value(&self) -> f64 {
        // Infinities and NaN have no meaningful remainder.
        if self.low != 0.0 && self.low.is_finite() {
            self.high + self.low
        } else {
            self.high
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Compensated;

    #[test]
    fn sums_of_floats_are_compensated() {
        let sum = [0.1; 10].iter().fold(
            Compensated {
                high: 0.0,
                low: 0.0,
            },
            |sum, value| sum.add(*value),
        );
        assert_eq!(sum.value(), 1.0);
        let sum = [1e100, 1.0, -1e100].iter().fold(
            Compensated {
                high: 0.0,
                low: 0.0,
            },
            |sum, value| sum.add(*value),
        );
        assert_eq!(sum.value(), 1.0);
    }
}
