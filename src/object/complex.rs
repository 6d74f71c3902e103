//! `complex` (`complexobject.c`): layout, arithmetic, text.

use super::args::Signature;
use super::descr::{GetSetDef, MethodDef, meth};
use super::float;
use super::float_text;
use super::hash;
use super::header::{Header, Kind};
use super::int;
use super::number::{self, nb};
use super::owned::{Owned, PyResult, Raised};
use super::str;
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;

/// `PyComplexObject`.
#[repr(C)]
pub struct ComplexObject {
    pub header: Header,
    pub real: f64,
    pub imag: f64,
}
type Pair = (f64, f64);

fn value(word: Word) -> Option<Pair> {
    // SAFETY: contract of Word; the kind has this layout.
    word.is_instance(Kind::COMPLEX).then(|| unsafe {
        let complex = word.cast::<ComplexObject>();
        ((*complex).real, (*complex).imag)
    })
}
fn operand(vm: Vm, word: Word) -> Result<Option<Pair>, Raised> {
    if let Some(value) = value(word) {
        return Ok(Some(value));
    }
    if let Some(value) = float::value(word) {
        return Ok(Some((value, 0.0)));
    }
    if int::is_int(word) {
        return Ok(Some((int::to_f64(vm, word)?, 0.0)));
    }
    Ok(None)
}
/// `PyComplex_FromDoubles`.
pub fn new(vm: Vm, real: f64, imag: f64) -> PyResult {
    new_of_type(vm, vm.types.complex, (real, imag))
}
fn new_of_type(vm: Vm, ty: *mut TypeObject, (real, imag): Pair) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let complex = vm.alloc_instance::<ComplexObject>(ty, size_of::<ComplexObject>())?;
        (*complex).real = real;
        (*complex).imag = imag;
        Ok(Owned::from_raw(complex))
    }
}

fn divide(vm: Vm, a: Pair, b: Pair) -> Result<Pair, Raised> {
    // Smith's method: scale by the larger part of the divisor.
    if b.0 == 0.0 && b.1 == 0.0 {
        return Err(vm.raise(vm.exc.ZeroDivisionError, "division by zero"));
    }
    Ok(if b.0.abs() >= b.1.abs() {
        let ratio = b.1 / b.0;
        let denominator = b.0 + b.1 * ratio;
        (
            (a.0 + a.1 * ratio) / denominator,
            (a.1 - a.0 * ratio) / denominator,
        )
    } else {
        let ratio = b.0 / b.1;
        let denominator = b.0 * ratio + b.1;
        (
            (a.0 * ratio + a.1) / denominator,
            (a.1 * ratio - a.0) / denominator,
        )
    })
}
fn multiply(a: Pair, b: Pair) -> Pair {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}
fn powc(vm: Vm, a: Pair, b: Pair) -> Result<Pair, Raised> {
    if b.1 == 0.0 && b.0 == b.0.floor() && b.0.abs() <= 100.0 {
        let (mut result, mut factor, mut exponent) = ((1.0, 0.0), a, b.0.abs() as u32);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = multiply(result, factor);
            }
            factor = multiply(factor, factor);
            exponent >>= 1;
        }
        return if b.0 < 0.0 {
            divide(vm, (1.0, 0.0), result)
        } else {
            Ok(result)
        };
    }
    if a.0 == 0.0 && a.1 == 0.0 {
        if b.1 != 0.0 || b.0 < 0.0 {
            return Err(vm.raise(
                vm.exc.ZeroDivisionError,
                "zero to a negative or complex power",
            ));
        }
        return Ok((0.0, 0.0));
    }
    let magnitude = a.0.hypot(a.1);
    let mut length = magnitude.powf(b.0);
    let angle = a.1.atan2(a.0);
    let mut phase = angle * b.0;
    if b.1 != 0.0 {
        length *= (-angle * b.1).exp();
        phase += b.1 * magnitude.ln();
    }
    let result = (length * phase.cos(), length * phase.sin());
    if result.0.is_infinite() || result.1.is_infinite() {
        return Err(vm.overflow_error("complex exponentiation"));
    }
    Ok(result)
}
/// A negative float to a power that is no integer.
pub(super) fn power_of_negative(vm: Vm, a: f64, b: f64) -> PyResult {
    let (real, imag) = powc(vm, (a, 0.0), (b, 0.0))?;
    new(vm, real, imag)
}

macro_rules! operations {
    ($($name:ident($vm:ident, $a:ident, $b:ident) $body:expr;)*) => {$(
        fn $name($vm: Vm, a: Word, b: Word) -> PyResult {
            let (Some($a), Some($b)) = (operand($vm, a)?, operand($vm, b)?) else { return Ok(Owned::NOT_IMPLEMENTED) };
            let (real, imag) = $body;
            new($vm, real, imag)
        }
    )*};
}
operations! {
    add(vm, a, b) (a.0 + b.0, a.1 + b.1);
    sub(vm, a, b) (a.0 - b.0, a.1 - b.1);
    mul(vm, a, b) multiply(a, b);
    div(vm, a, b) divide(vm, a, b)?;
    pow(vm, a, b) powc(vm, a, b)?;
}
fn parts(word: Word) -> Pair {
    value(word).unwrap_or_default()
}
fn compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let left = parts(a);
    let equal = if let Some(right) = value(b) {
        left == right
    } else if float::value(b).is_some() || int::is_int(b) {
        let real = vm.new_float(left.0)?;
        left.1 == 0.0 && super::protocol::rich_compare_bool(vm, real.as_word(), b, CompareOp::Eq)?
    } else {
        return Ok(Owned::NOT_IMPLEMENTED);
    };
    Ok(Owned::bool(equal == (op == CompareOp::Eq)))
}
fn complex_hash(_: Vm, word: Word) -> Result<i64, Raised> {
    let (real, imag) = parts(word);
    let part = |value: f64| {
        if value.is_nan() {
            hash::hash_pointer(word.object())
        } else {
            hash::hash_f64(value)
        }
    };
    Ok(hash::not_minus_one(
        part(real).wrapping_add(part(imag).wrapping_mul(1_000_003)),
    ))
}
fn part_text(value: f64) -> String {
    let text = float_text::repr(value);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}
fn complex_repr(vm: Vm, word: Word) -> PyResult {
    let (real, imag) = parts(word);
    if real == 0.0 && real.is_sign_positive() {
        return vm.new_str(&format!("{}j", part_text(imag)));
    }
    let sign = if imag.is_sign_negative() && !imag.is_nan() {
        ""
    } else {
        "+"
    };
    vm.new_str(&format!("({}{sign}{}j)", part_text(real), part_text(imag)))
}
fn absolute(vm: Vm, word: Word) -> PyResult {
    let (real, imag) = parts(word);
    let length = real.hypot(imag);
    if length.is_infinite() && real.is_finite() && imag.is_finite() {
        return Err(vm.overflow_error("absolute value too large"));
    }
    vm.new_float(length)
}
fn conjugate(vm: Vm, self_: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let (real, imag) = parts(self_);
    new(vm, real, -imag)
}

/// A literal `a+bj` as `complex()` takes it.
fn parse(text: &str) -> Option<Pair> {
    let text = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'))
        .map_or(text, str::trim);
    let Some(body) = text.strip_suffix(['j', 'J']) else {
        return float_text::parse(text).map(|real| (real, 0.0));
    };
    // The sign that starts the imaginary part: the last that belongs to no exponent.
    let split = body
        .char_indices()
        .rev()
        .find(|&(at, c)| matches!(c, '+' | '-') && (at == 0 || !body[..at].ends_with(['e', 'E'])))
        .map_or(0, |(at, _)| at);
    let (real, imag) = body.split_at(split);
    let imag = match imag {
        "" | "+" => 1.0,
        "-" => -1.0,
        _ => float_text::parse(imag)?,
    };
    let real = if real.is_empty() {
        0.0
    } else {
        float_text::parse(real)?
    };
    Some((real, imag))
}
fn complex_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    const SIGNATURE: Signature<2> = Signature::new("complex", ["real", "imag"], 0);
    let [real, imag] = SIGNATURE.unpack(vm, args, kwnames)?;
    let part = |word: Option<Word>, name: &str| -> Result<Pair, Raised> {
        let Some(word) = word else {
            return Ok((0.0, 0.0));
        };
        if let Some(value) = value(word) {
            return Ok(value);
        }
        if let Some(method) = super::attr::lookup_bound(vm, word, vm.names.__complex__)? {
            let answer = super::call::call(vm, method.as_word(), &[], None)?;
            return value(answer.as_word()).ok_or_else(|| {
                vm.type_error(format!(
                    "{}.__complex__() must return a complex, not {}",
                    vm.type_name(word),
                    vm.type_name(answer.as_word())
                ))
            });
        }
        // SAFETY: types are live as long as an instance.
        let slots = unsafe { &raw const (*vm.type_of(word)).slots };
        if unsafe { (*slots).float.is_none() && (*slots).index.is_none() } {
            return Err(vm.type_error(format!(
                "complex() argument{name} must be a{} number, not {}",
                if name.is_empty() {
                    " string or a"
                } else {
                    " real"
                },
                vm.type_name(word)
            )));
        }
        Ok((number::to_float(vm, word)?, 0.0))
    };
    if let Some(text) = real.filter(|&word| str::is_str(word)) {
        if imag.is_some() {
            return Err(vm.type_error(format!(
                "complex() argument 'real' must be a real number, not {}",
                vm.type_name(text)
            )));
        }
        let pair = parse(&super::int_text::ascii_number(str::chars(text)))
            .ok_or_else(|| vm.value_error("complex() arg is a malformed string"))?;
        return new_of_type(vm, ty, pair);
    }
    let a = part(real, if imag.is_some() { " 'real'" } else { "" })?;
    let b = part(imag, " 'imag'")?;
    new_of_type(vm, ty, (a.0 - b.1, a.1 + b.0))
}
static METHODS: [MethodDef; 2] = [
    MethodDef::new("conjugate", meth::NOARGS, conjugate),
    MethodDef::new("__complex__", meth::NOARGS, |vm, self_, _, _| {
        let (real, imag) = parts(self_);
        new(vm, real, imag)
    }),
];
static GETSET: [GetSetDef; 2] = [
    GetSetDef::new("real", |vm, word| vm.new_float(parts(word).0), None),
    GetSetDef::new("imag", |vm, word| vm.new_float(parts(word).1), None),
];
pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE,
        methods: &METHODS,
        getset: &GETSET,
        ..TypeSpec::new::<ComplexObject>(
            "complex",
            Kind::COMPLEX,
            Slots {
                repr: Some(complex_repr),
                hash: Some(complex_hash),
                richcompare: Some(compare),
                nb: {
                    let mut slots = Slots::EMPTY.nb;
                    slots[nb::ADD] = Some(add);
                    slots[nb::SUBTRACT] = Some(sub);
                    slots[nb::MULTIPLY] = Some(mul);
                    slots[nb::TRUE_DIVIDE] = Some(div);
                    slots[nb::POWER] = Some(pow);
                    slots
                },
                neg: Some(|vm, word| {
                    let (real, imag) = parts(word);
                    new(vm, -real, -imag)
                }),
                pos: Some(|vm, word| {
                    let (real, imag) = parts(word);
                    new(vm, real, imag)
                }),
                abs: Some(absolute),
                bool: Some(|_, word| Ok(parts(word) != (0.0, 0.0))),
                new: Some(complex_new),
                ..Slots::EMPTY
            },
        )
    }
}
