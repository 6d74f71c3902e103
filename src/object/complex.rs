//! `complex` (`complexobject.c`): layout, construction, operators. The arithmetic is in `complex_arith.rs`.

use super::args::Signature;
use super::complex_arith::{self as arith, Complex};
use super::descr::{GetSetDef, MethodDef, meth};
use super::header::{Header, Kind};
use super::number::{self, nb};
use super::owned::{Owned, PyResult, Raised};
use super::str_writer::StrWriter;
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{attr, call, float, float_text, hash, int, int_text, protocol, str};

/// `PyComplexObject`.
#[repr(C)]
pub struct ComplexObject {
    pub header: Header,
    pub value: Complex,
}

/// The value of a complex or of an instance of a subclass.
pub fn value(word: Word) -> Option<Complex> {
    // SAFETY: contract of Word; the kind has this layout and does not change.
    word.is_instance(Kind::COMPLEX)
        .then(|| unsafe { (*word.cast::<ComplexObject>()).value })
}
/// The value of what is known to be complex.
fn own(word: Word) -> Complex {
    value(word).unwrap_or(Complex::ZERO)
}

/// `PyComplex_FromDoubles`.
pub fn new(vm: Vm, real: f64, imag: f64) -> PyResult {
    new_value(vm, Complex { real, imag })
}
/// `PyComplex_FromCComplex`.
fn new_value(vm: Vm, value: Complex) -> PyResult {
    new_of_type(vm, vm.types.complex, value)
}
fn new_of_type(vm: Vm, ty: *mut TypeObject, value: Complex) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let complex = vm.alloc_instance::<ComplexObject>(ty, size_of::<ComplexObject>())?;
        (*complex).value = value;
        Ok(Owned::from_raw(complex))
    }
}
fn exact(vm: Vm, word: Word) -> PyResult {
    if word.is_exact(Kind::COMPLEX) {
        Ok(Owned::new_ref(word))
    } else {
        new_value(vm, own(word))
    }
}

// ---- arithmetic

/// An operand: a real one has no imaginary part, which is not the same as one of zero.
#[derive(Clone, Copy)]
enum Operand {
    Real(f64),
    Complex(Complex),
}
impl Operand {
    fn to_complex(self) -> Complex {
        match self {
            Operand::Real(real) => Complex { real, imag: 0.0 },
            Operand::Complex(value) => value,
        }
    }
}
fn operand(vm: Vm, word: Word) -> Result<Option<Operand>, Raised> {
    if let Some(value) = value(word) {
        return Ok(Some(Operand::Complex(value)));
    }
    if let Some(value) = float::value(word) {
        return Ok(Some(Operand::Real(value)));
    }
    if int::is_int(word) {
        int::to_f64(vm, word).map(|v| Some(Operand::Real(v)))
    } else {
        Ok(None)
    }
}

macro_rules! operators {
    ($($name:ident($vm:ident, $a:ident, $b:ident) $body:block)*) => {$(
        fn $name($vm: Vm, a: Word, b: Word) -> PyResult {
            let (Some($a), Some($b)) = (operand($vm, a)?, operand($vm, b)?) else {
                return Ok(Owned::NOT_IMPLEMENTED);
            };
            let value: Result<Complex, Raised> = $body;
            new_value($vm, value?)
        }
    )*};
}
operators! {
    add(vm, a, b) {
        Ok(match (a, b) {
            (Operand::Complex(a), Operand::Real(b)) => Complex { real: a.real + b, imag: a.imag },
            (Operand::Real(a), Operand::Complex(b)) => Complex { real: a + b.real, imag: b.imag },
            _ => {
                let (a, b) = (a.to_complex(), b.to_complex());
                Complex { real: a.real + b.real, imag: a.imag + b.imag }
            }
        })
    }
    subtract(vm, a, b) {
        Ok(match (a, b) {
            (Operand::Complex(a), Operand::Real(b)) => Complex { real: a.real - b, imag: a.imag },
            (Operand::Real(a), Operand::Complex(b)) => Complex { real: a - b.real, imag: -b.imag },
            _ => {
                let (a, b) = (a.to_complex(), b.to_complex());
                Complex { real: a.real - b.real, imag: a.imag - b.imag }
            }
        })
    }
    multiply(vm, a, b) {
        Ok(match (a, b) {
            (Operand::Complex(a), Operand::Real(b)) | (Operand::Real(b), Operand::Complex(a)) => {
                Complex { real: a.real * b, imag: a.imag * b }
            }
            _ => arith::multiply(a.to_complex(), b.to_complex()),
        })
    }
    divide(vm, a, b) {
        let quotient = match (a, b) {
            (Operand::Complex(a), Operand::Real(b)) => {
                (b != 0.0).then(|| Complex { real: a.real / b, imag: a.imag / b })
            }
            (Operand::Real(a), Operand::Complex(b)) => arith::divide_real(a, b),
            _ => arith::divide(a.to_complex(), b.to_complex()),
        };
        quotient.ok_or_else(|| vm.raise(vm.exc.ZeroDivisionError, "division by zero"))
    }
    power(vm, a, b) {
        power_checked(vm, a.to_complex(), b.to_complex())
    }
}
fn power_checked(vm: Vm, a: Complex, b: Complex) -> Result<Complex, Raised> {
    match arith::power(a, b) {
        None => Err(vm.raise(
            vm.exc.ZeroDivisionError,
            "zero to a negative or complex power",
        )),
        Some(value) if value.real.is_infinite() || value.imag.is_infinite() => {
            Err(vm.overflow_error("complex exponentiation"))
        }
        Some(value) => Ok(value),
    }
}
/// `a ** b` of floats whose result is complex.
pub(super) fn power_of_negative(vm: Vm, a: f64, b: f64) -> PyResult {
    let [a, b] = [a, b].map(|real| Complex { real, imag: 0.0 });
    new_value(vm, power_checked(vm, a, b)?)
}
fn power_mod(vm: Vm, a: Word, b: Word, _: Word) -> PyResult {
    if operand(vm, a)?.is_none() || operand(vm, b)?.is_none() {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    Err(vm.value_error("complex modulo"))
}
fn negative(vm: Vm, word: Word) -> PyResult {
    let value = own(word);
    new(vm, -value.real, -value.imag)
}
fn positive(vm: Vm, word: Word) -> PyResult {
    exact(vm, word)
}
fn absolute(vm: Vm, word: Word) -> PyResult {
    let Complex { real, imag } = own(word);
    let length = real.hypot(imag);
    if length.is_infinite() && real.is_finite() && imag.is_finite() {
        return Err(vm.overflow_error("absolute value too large"));
    }
    vm.new_float(length)
}
fn is_nonzero(_: Vm, word: Word) -> Result<bool, Raised> {
    let value = own(word);
    Ok(value.real != 0.0 || value.imag != 0.0)
}

/// Equality alone; a real operand is compared with the real part exactly (`complex_richcompare`).
fn richcompare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let left = own(a);
    let equal = if let Some(right) = value(b) {
        left.real == right.real && left.imag == right.imag
    } else if float::value(b).is_some() || int::is_int(b) {
        let real = vm.new_float(left.real)?;
        left.imag == 0.0 && protocol::rich_compare_bool(vm, real.as_word(), b, CompareOp::Eq)?
    } else {
        return Ok(Owned::NOT_IMPLEMENTED);
    };
    Ok(Owned::bool(equal == (op == CompareOp::Eq)))
}
fn complex_hash(_: Vm, word: Word) -> Result<i64, Raised> {
    let value = own(word);
    let part = |part: f64| {
        if part.is_nan() {
            hash::hash_pointer(word.object())
        } else {
            hash::hash_f64(part)
        }
    };
    let imag = part(value.imag).wrapping_mul(1_000_003);
    Ok(hash::not_minus_one(part(value.real).wrapping_add(imag)))
}

// ---- text

/// A part as `repr` writes it, without the `.0` of whole numbers.
fn part_text(value: f64) -> String {
    let mut text = float_text::repr(value);
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}
/// `1j`, or `(1+2j)` if there is a real part, be it a negative zero (`complex_repr`).
fn complex_repr(vm: Vm, word: Word) -> PyResult {
    let Complex { real, imag } = own(word);
    let mut writer = StrWriter::new(vm);
    if real == 0.0 && real.is_sign_positive() {
        writer.push_str(&part_text(imag))?;
        writer.push_str("j")?;
        return writer.finish();
    }
    let imag = part_text(imag);
    writer.push_str("(")?;
    writer.push_str(&part_text(real))?;
    writer.push_str(if imag.starts_with('-') { "" } else { "+" })?;
    writer.push_str(&imag)?;
    writer.push_str("j)")?;
    writer.finish()
}

/// The value of a literal such as `complex()` takes (`complex_from_string_inner`).
fn parse(text: &str) -> Option<Complex> {
    let space = |c: char| matches!(c, ' ' | '\t'..='\r');
    let text = text.trim_matches(space);
    let text = match text.strip_prefix('(') {
        Some(inner) => inner.strip_suffix(')')?.trim_matches(space),
        None => text,
    };
    if text.contains(space) {
        return None;
    }
    let Some(body) = text.strip_suffix(['j', 'J']) else {
        return float_text::parse(text).map(|real| Complex { real, imag: 0.0 });
    };
    // The imaginary part starts at the last sign that belongs to no exponent.
    let start = body
        .char_indices()
        .rev()
        .find(|&(at, c)| matches!(c, '+' | '-') && !body[..at].ends_with(['e', 'E']))
        .map_or(0, |(at, _)| at);
    let (real, imag) = body.split_at(start);
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
    Some(Complex { real, imag })
}
fn from_text(vm: Vm, ty: *mut TypeObject, text: Word) -> PyResult {
    match parse(&int_text::ascii_number(str::chars(text))) {
        Some(value) => new_of_type(vm, ty, value),
        None => Err(vm.value_error("complex() arg is a malformed string")),
    }
}

// ---- construction

/// What `__complex__` answers, if the value is complex or has that method (`try_complex_special_method`).
fn special(vm: Vm, word: Word) -> Result<Option<Complex>, Raised> {
    if let Some(value) = value(word) {
        return Ok(Some(value));
    }
    let Some(method) = attr::lookup_bound(vm, word, vm.names.__complex__)? else {
        return Ok(None);
    };
    let answer = call::call(vm, method.as_word(), &[], None)?;
    match value(answer.as_word()) {
        Some(value) => Ok(Some(value)),
        None => Err(vm.type_error(format!(
            "__complex__ returned non-complex (type {})",
            vm.type_name(answer.as_word())
        ))),
    }
}
fn is_real(vm: Vm, word: Word) -> bool {
    // SAFETY: types are live as long as an instance.
    unsafe {
        let slots = &raw const (*vm.type_of(word)).slots;
        (*slots).float.is_some() || (*slots).index.is_some()
    }
}
/// `complex(real=0, imag=0)`, `complex(string)` (`actual_complex_new`, `complex_new_impl`).
fn complex_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    const SIGNATURE: Signature<2> = Signature::new("complex", ["real", "imag"], 0);
    if let (&[only], None) = (args, kwnames) {
        if str::is_str(only) {
            return from_text(vm, ty, only);
        }
        if ty == vm.types.complex && only.is_exact(Kind::COMPLEX) {
            return Ok(Owned::new_ref(only));
        }
        if let Some(value) = special(vm, only)? {
            return new_of_type(vm, ty, value);
        }
        if !is_real(vm, only) {
            return Err(vm.type_error(format!(
                "complex() argument must be a string or a number, not {}",
                vm.type_name(only)
            )));
        }
        let real = number::to_float(vm, only)?;
        return new_of_type(vm, ty, Complex { real, imag: 0.0 });
    }
    let [real, imag] = SIGNATURE.unpack(vm, args, kwnames)?;
    let part = |word: Option<Word>, name: &str| {
        let Some(word) = word else {
            return Ok(Operand::Real(0.0));
        };
        let found = if name == "real" {
            special(vm, word)?
        } else {
            value(word)
        };
        if let Some(value) = found {
            return Ok(Operand::Complex(value));
        }
        if !is_real(vm, word) {
            return Err(vm.type_error(format!(
                "complex() argument '{name}' must be a real number, not {}",
                vm.type_name(word)
            )));
        }
        number::to_float(vm, word).map(Operand::Real)
    };
    // A part that is real leaves the other part alone, down to the sign of a zero.
    let (first, second) = (part(real, "real")?, part(imag, "imag")?);
    let real = match second {
        Operand::Complex(second) => first.to_complex().real - second.imag,
        Operand::Real(_) => first.to_complex().real,
    };
    let imag = match first {
        Operand::Complex(first) => second.to_complex().real + first.imag,
        Operand::Real(_) => second.to_complex().real,
    };
    new_of_type(vm, ty, Complex { real, imag })
}

/// `complex.from_number(x)`.
fn from_number(vm: Vm, class: Word, args: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: the type is live; only its address is compared.
    let plain = class.is(unsafe { (*vm.types.complex).word() });
    if plain && args[0].is_exact(Kind::COMPLEX) {
        return Ok(Owned::new_ref(args[0]));
    }
    let value = match special(vm, args[0])? {
        Some(value) => value,
        None => Complex {
            real: number::to_float(vm, args[0])?,
            imag: 0.0,
        },
    };
    let value = new_value(vm, value)?;
    if plain {
        Ok(value)
    } else {
        call::call_one(vm, class, value.as_word())
    }
}
fn conjugate(vm: Vm, self_: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let value = own(self_);
    new(vm, value.real, -value.imag)
}
fn dunder_complex(vm: Vm, self_: Word, _: &[Word], _: Option<Word>) -> PyResult {
    exact(vm, self_)
}
fn getnewargs(vm: Vm, self_: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let Complex { real, imag } = own(self_);
    vm.tuple_from_owned(vec![vm.new_float(real)?, vm.new_float(imag)?])
}
fn real(vm: Vm, self_: Word) -> PyResult {
    vm.new_float(own(self_).real)
}
fn imag(vm: Vm, self_: Word) -> PyResult {
    vm.new_float(own(self_).imag)
}

static METHODS: &[MethodDef] = &[
    MethodDef::new("from_number", meth::O | meth::CLASS, from_number),
    MethodDef::new("conjugate", meth::NOARGS, conjugate),
    MethodDef::new("__complex__", meth::NOARGS, dunder_complex),
    MethodDef::new("__format__", meth::O, super::format::complex_dunder_format),
    MethodDef::new("__getnewargs__", meth::NOARGS, getnewargs),
];
static GETSET: &[GetSetDef] = &[
    GetSetDef::member("real", real),
    GetSetDef::member("imag", imag),
];

pub(super) const fn spec() -> TypeSpec {
    let mut slots = Slots::EMPTY;
    slots.nb[nb::ADD] = Some(add);
    slots.nb[nb::SUBTRACT] = Some(subtract);
    slots.nb[nb::MULTIPLY] = Some(multiply);
    slots.nb[nb::TRUE_DIVIDE] = Some(divide);
    slots.nb[nb::POWER] = Some(power);
    TypeSpec {
        flags: type_flag::BASETYPE,
        methods: METHODS,
        getset: GETSET,
        ..TypeSpec::new::<ComplexObject>(
            "complex",
            Kind::COMPLEX,
            Slots {
                repr: Some(complex_repr),
                hash: Some(complex_hash),
                richcompare: Some(richcompare),
                power_mod: Some(power_mod),
                neg: Some(negative),
                pos: Some(positive),
                abs: Some(absolute),
                bool: Some(is_nonzero),
                new: Some(complex_new),
                ..slots
            },
        )
    }
}
