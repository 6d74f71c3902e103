//! `float`: construction, methods, slots (`floatobject.c`).

use super::args;
use super::descr::{GetSetDef, MethodDef, meth};
use super::float::{self, FloatObject};
use super::float_arith as arith;
use super::float_text;
use super::hash::frexp;
use super::header::Kind;
use super::number::{self, nb};
use super::owned::{Owned, PyResult, Raised};
use super::types::{Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{bytes, call, str};
use num_bigint::BigInt;
use num_traits::FromPrimitive;

type Names = Option<Word>;

fn value(word: Word) -> f64 {
    float::value(word).unwrap_or(0.0)
}

/// `float(x)` (`float_new`).
fn float_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Names) -> PyResult {
    args::no_keywords(vm, "float", kwnames)?;
    args::check_positional(vm, "float", args.len(), 0, 1)?;
    let value = args
        .first()
        .map_or(Ok(0.0), |&word| from_object(vm, word))?;
    if ty == vm.types.float {
        vm.new_float(value)
    } else {
        vm.new_float_object(ty, value)
    }
}
fn from_object(vm: Vm, word: Word) -> Result<f64, Raised> {
    if str::is_str(word) || bytes::is_bytes_like(word) {
        return float_text::parse_object(vm, word);
    }
    // SAFETY: types are live as long as an instance.
    let is_number = unsafe {
        let slots = &raw const (*vm.type_of(word)).slots;
        (*slots).float.is_some() || (*slots).index.is_some()
    };
    if is_number {
        return number::to_float(vm, word);
    }
    Err(vm.type_error(format!(
        "float() argument must be a string or a real number, not '{}'",
        vm.type_name(word)
    )))
}
fn exact(vm: Vm, word: Word) -> PyResult {
    vm.new_float(value(word))
}
fn to_int(vm: Vm, word: Word) -> PyResult {
    arith::to_int(vm, value(word))
}

/// `round(x)` to an int, `round(x, n)` to a float, ties to even (`float___round___impl`).
fn round(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "__round__", args.len(), 0, 1)?;
    let value = value(self_);
    let Some(&digits) = args.first().filter(|digits| !digits.is_none()) else {
        return arith::to_int(vm, value.round_ties_even());
    };
    let digits = number::index_clamped(vm, digits)?;
    if !value.is_finite() || value == 0.0 {
        return vm.new_float(value);
    }
    // Beyond these the number is unchanged, or nothing is left of it.
    if digits > 323 {
        return vm.new_float(value);
    }
    if digits < -308 {
        return vm.new_float(0f64.copysign(value));
    }
    let rounded = if digits >= 0 {
        format!("{value:.*}", digits as usize)
            .parse()
            .unwrap_or(value)
    } else {
        round_to_power(value, digits.unsigned_abs() as u32)
    };
    if f64::is_infinite(rounded) {
        return Err(vm.overflow_error("rounded value too large to represent"));
    }
    vm.new_float(rounded)
}
/// The multiple of ten to `places` nearest to a float, exactly.
fn round_to_power(value: f64, places: u32) -> f64 {
    use num_integer::Integer;
    let (numerator, denominator) = ratio(value);
    let unit = BigInt::from(10).pow(places) * denominator;
    let (quotient, rest) = numerator.div_mod_floor(&unit);
    let twice: BigInt = rest * 2i32;
    let up = twice > unit || (twice == unit && quotient.is_odd());
    let whole: BigInt =
        (if up { quotient + 1i32 } else { quotient }) * BigInt::from(10).pow(places);
    let result =
        super::int_arith::nearest_quotient(&whole, &BigInt::from(1)).unwrap_or(f64::INFINITY);
    result.copysign(value)
}
/// A finite float as a fraction in lowest terms.
fn ratio(value: f64) -> (BigInt, BigInt) {
    let (mantissa, exponent) = frexp(value);
    let whole = BigInt::from_f64(mantissa * 9_007_199_254_740_992.0).unwrap_or_default();
    let exponent = exponent - 53;
    if exponent >= 0 {
        return (whole << exponent, BigInt::from(1));
    }
    let shared = (whole.trailing_zeros().unwrap_or(0) as i32).min(-exponent);
    (whole >> shared, BigInt::from(1) << (-exponent - shared))
}
fn as_integer_ratio(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let value = value(self_);
    if value.is_nan() {
        return Err(vm.value_error("cannot convert NaN to integer ratio"));
    }
    if value.is_infinite() {
        return Err(vm.overflow_error("cannot convert Infinity to integer ratio"));
    }
    let (numerator, denominator) = if value == 0.0 {
        (BigInt::from(0), BigInt::from(1))
    } else {
        ratio(value)
    };
    let items = vec![vm.new_bigint(numerator)?, vm.new_bigint(denominator)?];
    vm.tuple_from_owned(items)
}
fn is_integer(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let value = value(self_);
    Ok(Owned::bool(value.is_finite() && value.fract() == 0.0))
}
fn hex(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let value = value(self_);
    if !value.is_finite() {
        return vm.new_str(&float_text::special(value, false));
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value == 0.0 {
        return vm.new_str(&format!("{sign}0x0.0p+0"));
    }
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let biased = (bits >> 52 & 0x7ff) as i32;
    let (lead, exponent) = if biased == 0 {
        (0, -1022)
    } else {
        (1, biased - 1023)
    };
    vm.new_str(&format!("{sign}0x{lead}.{fraction:013x}p{exponent:+}"))
}
/// `float.from_number(number)`: what has `__float__` or `__index__`, not text.
fn from_number(vm: Vm, class: Word, args: &[Word], _: Names) -> PyResult {
    let number = args[0];
    // SAFETY: types are live as long as an instance.
    let fits = unsafe {
        let slots = &raw const (*vm.type_of(number)).slots;
        (*slots).float.is_some() || (*slots).index.is_some()
    };
    if !fits {
        return Err(vm.type_error(format!("must be real number, not {}", vm.type_name(number))));
    }
    let plain = number.is_exact(Kind::FLOAT) && class.object() == vm.types.float.cast();
    if plain {
        return Ok(Owned::new_ref(number));
    }
    call::call_one(vm, class, number)
}
/// `float.fromhex(text)`.
fn fromhex(vm: Vm, class: Word, args: &[Word], _: Names) -> PyResult {
    if !str::is_str(args[0]) {
        return Err(vm.type_error("bad argument type for built-in operation"));
    }
    let text = super::int_text::ascii_number(str::chars(args[0]));
    let invalid = || vm.value_error("invalid hexadecimal floating-point string");
    let (negative, body) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let lower = body.to_ascii_lowercase();
    let magnitude = match lower.as_str() {
        "inf" | "infinity" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => {
            let digits = lower.strip_prefix("0x").unwrap_or(&lower);
            let (mantissa, exponent) = match digits.split_once('p') {
                Some((mantissa, exponent)) => {
                    (mantissa, exponent.parse::<i64>().map_err(|_| invalid())?)
                }
                None => (digits, 0),
            };
            let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
            let all: String = whole.chars().chain(fraction.chars()).collect();
            if all.is_empty() || !all.chars().all(|c| c.is_ascii_hexdigit()) {
                return Err(invalid());
            }
            let number = BigInt::parse_bytes(all.as_bytes(), 16).ok_or_else(invalid)?;
            let shift = exponent
                .saturating_sub(4 * fraction.len() as i64)
                .clamp(-100_000, 100_000);
            let one = BigInt::from(1);
            let value = if number.sign() == num_bigint::Sign::NoSign {
                Some(0.0)
            } else if shift >= 0 {
                super::int_arith::nearest_quotient(&(number << shift), &one)
            } else {
                super::int_arith::nearest_quotient(&number, &(one << -shift))
            };
            value.ok_or_else(|| {
                vm.overflow_error("hexadecimal value too large to represent as a float")
            })?
        }
    };
    let result = vm.new_float(if negative { -magnitude } else { magnitude })?;
    if class.object() == vm.types.float.cast() {
        return Ok(result);
    }
    super::call::call_one(vm, class, result.as_word())
}
fn floor(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    arith::to_int(vm, value(self_).floor())
}
fn ceil(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    arith::to_int(vm, value(self_).ceil())
}
fn getnewargs(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let copy = exact(vm, self_)?;
    vm.new_tuple(&[copy.as_word()])
}
static METHODS: &[MethodDef] = &[
    MethodDef::new("conjugate", meth::NOARGS, |vm, x, _, _| exact(vm, x)),
    MethodDef::new("__trunc__", meth::NOARGS, |vm, x, _, _| to_int(vm, x)),
    MethodDef::new("__floor__", meth::NOARGS, floor),
    MethodDef::new("__ceil__", meth::NOARGS, ceil),
    MethodDef::new("__round__", meth::FASTCALL, round),
    MethodDef::new("as_integer_ratio", meth::NOARGS, as_integer_ratio),
    MethodDef::new("from_number", meth::O | meth::CLASS, from_number),
    MethodDef::new("fromhex", meth::O | meth::CLASS, fromhex),
    MethodDef::new("hex", meth::NOARGS, hex),
    MethodDef::new("is_integer", meth::NOARGS, is_integer),
    MethodDef::new("__getnewargs__", meth::NOARGS, getnewargs),
    MethodDef::new("__format__", meth::O, super::format::float_dunder_format),
];
static GETSET: [GetSetDef; 2] = [
    GetSetDef::new("real", exact, None),
    GetSetDef::new("imag", |vm, _| vm.new_float(0.0), None),
];

pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF,
        methods: METHODS,
        getset: &GETSET,
        ..TypeSpec::new::<FloatObject>(
            "float",
            Kind::FLOAT,
            Slots {
                repr: Some(float_text::float_repr),
                hash: Some(arith::float_hash),
                richcompare: Some(arith::richcompare),
                nb: {
                    let mut slots = Slots::EMPTY.nb;
                    slots[nb::ADD] = Some(arith::add);
                    slots[nb::SUBTRACT] = Some(arith::subtract);
                    slots[nb::MULTIPLY] = Some(arith::multiply);
                    slots[nb::REMAINDER] = Some(arith::remainder);
                    slots[nb::POWER] = Some(arith::power);
                    slots[nb::FLOOR_DIVIDE] = Some(arith::floor_divide);
                    slots[nb::TRUE_DIVIDE] = Some(arith::true_divide);
                    slots
                },
                power_mod: Some(arith::power_mod),
                divmod: Some(arith::divmod),
                neg: Some(arith::negative),
                pos: Some(arith::positive),
                abs: Some(arith::absolute),
                bool: Some(arith::is_nonzero),
                int: Some(to_int),
                float: Some(exact),
                new: Some(float_new),
                ..Slots::EMPTY
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::object::testing::TestVm;

    /// Answers of CPython 3.14.
    #[test]
    fn recorded() {
        let t = TestVm::new();
        for (object, method, args, expected) in [
            (t.f(1.5), "__add__", vec![t.i(2)], "3.5"),
            (t.f(1.5), "__floordiv__", vec![t.f(0.5)], "3.0"),
            (t.f(-7.5), "__mod__", vec![t.i(2)], "0.5"),
            (t.f(7.5), "__divmod__", vec![t.i(-2)], "(-4.0, -0.5)"),
            (
                t.f(1.5),
                "__truediv__",
                vec![t.i(0)],
                "ZeroDivisionError: division by zero",
            ),
            (
                t.f(1.5),
                "__floordiv__",
                vec![t.i(0)],
                "ZeroDivisionError: division by zero",
            ),
            (t.f(2.0), "__pow__", vec![t.f(0.5)], "1.4142135623730951"),
            (
                t.f(0.0),
                "__pow__",
                vec![t.i(-1)],
                "ZeroDivisionError: zero to a negative power",
            ),
            (t.f(-8.0), "__pow__", vec![t.i(3)], "-512.0"),
            (t.f(2.5), "__round__", vec![], "2"),
            (t.f(3.5), "__round__", vec![], "4"),
            (t.f(2.675), "__round__", vec![t.i(2)], "2.67"),
            (t.f(1234.5), "__round__", vec![t.i(-2)], "1200.0"),
            (t.f(1e+300), "__round__", vec![t.i(-299)], "1e+300"),
            (t.f(1.5), "__eq__", vec![t.i(1)], "False"),
            (
                t.f(9007199254740992.0),
                "__lt__",
                vec![t.i(9007199254740993)],
                "True",
            ),
            (t.f(1.5), "as_integer_ratio", vec![], "(3, 2)"),
            (
                t.f(0.1),
                "as_integer_ratio",
                vec![],
                "(3602879701896397, 36028797018963968)",
            ),
            (t.f(-0.5), "hex", vec![], "'-0x1.0000000000000p-1'"),
            (t.f(0.1), "hex", vec![], "'0x1.999999999999ap-4'"),
            (t.f(5e-324), "hex", vec![], "'0x0.0000000000001p-1022'"),
            (t.f(1.5), "is_integer", vec![], "False"),
            (t.f(2.0), "is_integer", vec![], "True"),
            (t.f(1e+16), "__repr__", vec![], "'1e+16'"),
            (t.f(1e+22), "__repr__", vec![], "'1e+22'"),
            (
                t.f(123456789012345.6),
                "__repr__",
                vec![],
                "'123456789012345.6'",
            ),
            (t.f(1e-05), "__repr__", vec![], "'1e-05'"),
            (t.f(0.0001), "__repr__", vec![], "'0.0001'"),
            (
                t.f(1.7976931348623157e+308),
                "__repr__",
                vec![],
                "'1.7976931348623157e+308'",
            ),
            (t.f(1e+300), "__mul__", vec![t.f(1e+300)], "inf"),
            (
                t.f(1e+308),
                "__int__",
                vec![],
                "100000000000000001097906362944045541740492309677311846336810682903157585404911491537163328978494688899061249669721172515611590283743140088328307009198146046031271664502933027185697489699588559043338384466165001178426897626212945177628091195786707458122783970171784415105291802893207873272974885715430223118336",
            ),
            (t.f(-1.5), "__int__", vec![], "-1"),
            (t.f(-1.5), "__floor__", vec![], "-2"),
            (t.f(1.5), "__ceil__", vec![], "2"),
            (t.f(2.5), "__neg__", vec![], "-2.5"),
            (t.f(-2.5), "__abs__", vec![], "2.5"),
            (t.f(1.5), "__mod__", vec![t.s("a")], "NotImplemented"),
            (t.f(1e+20), "__floor__", vec![], "100000000000000000000"),
            (t.f(0.5), "__bool__", vec![], "True"),
            (
                t.f(3.0),
                "__pow__",
                vec![t.i(2), t.i(5)],
                "TypeError: pow() 3rd argument not allowed unless all arguments are integers",
            ),
        ] {
            t.check(&object, method, &args, expected);
        }
    }
}
