//! `math`: functions of floats (`mathmodule.c`). Those of ints are in `math_int.rs`, sums and gamma in
//! `math_special.rs`.

use super::{math_int, math_special, set, with_functions};
use crate::object::args::{self, Signature};
use crate::object::descr::{MethodDef, meth};
use crate::object::hash::frexp;
use crate::object::{
    Kind, Owned, PyResult, Raised, Vm, Word, attr, call, float, float_text, int, number,
};
use crate::runtime::thread::Thread;

/// The C library's, so that results are CPython's to the last bit on the same system.
mod libm {
    #[link(name = "m")]
    unsafe extern "C" {
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn atanh(x: f64) -> f64;
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn exp2(x: f64) -> f64;
        pub safe fn ldexp(x: f64, exponent: i32) -> f64;
        pub safe fn nextafter(x: f64, y: f64) -> f64;
        pub safe fn remainder(x: f64, y: f64) -> f64;
    }
}
pub(super) use libm::ldexp;

const O: u16 = meth::O;
const FAST: u16 = meth::FASTCALL;
const FAST_KEYWORDS: u16 = meth::FASTCALL | meth::KEYWORDS;

/// What a function says of an argument outside its domain; the argument follows.
const UNIT: &str = "expected a number in range from -1 up to 1, got ";
const OPEN_UNIT: &str = "expected a number between -1 and 1, got ";
const FROM_ONE: &str = "expected argument value not less than 1, got ";
const FINITE: &str = "expected a finite input, got ";
const NONNEGATIVE: &str = "expected a nonnegative input, got ";
const ABOVE_MINUS_ONE: &str = "expected argument value > -1, got ";
const NO_POLE: &str = "expected a noninteger or positive integer, got ";

/// A function of one float that may leave its domain or overflow (`FUNC1`).
macro_rules! unary {
    ($name:literal, $func:expr) => {
        unary!($name, $func, "")
    };
    ($name:literal, $func:expr, $domain:expr) => {
        MethodDef::new($name, O, |vm, _, args, _| one(vm, args[0], $func, $domain))
    };
}

static FUNCTIONS: [MethodDef; 57] = [
    unary!("acos", f64::acos, UNIT),
    unary!("acosh", |x| libm::acosh(x), FROM_ONE),
    unary!("asin", f64::asin, UNIT),
    unary!("asinh", |x| libm::asinh(x)),
    unary!("atan", f64::atan),
    MethodDef::new("atan2", FAST, |vm, _, args, _| {
        let [y, x] = floats(vm, "atan2", args)?;
        vm.new_float(y.atan2(x))
    }),
    unary!("atanh", |x| libm::atanh(x), OPEN_UNIT),
    unary!("cbrt", f64::cbrt),
    MethodDef::new("ceil", O, |vm, _, args, _| {
        whole(vm, args[0], vm.names.__ceil__, f64::ceil)
    }),
    MethodDef::new("comb", FAST, math_int::comb),
    MethodDef::new("copysign", FAST, |vm, _, args, _| {
        let [x, y] = floats(vm, "copysign", args)?;
        vm.new_float(x.copysign(y))
    }),
    unary!("cos", f64::cos, FINITE),
    unary!("cosh", f64::cosh),
    MethodDef::new("degrees", O, |vm, _, args, _| {
        vm.new_float(number_of(vm, args[0])? * (180.0 / std::f64::consts::PI))
    }),
    MethodDef::new("dist", FAST, math_special::dist),
    unary!("erf", |x| libm::erf(x)),
    unary!("erfc", |x| libm::erfc(x)),
    unary!("exp", f64::exp),
    unary!("exp2", |x| libm::exp2(x)),
    unary!("expm1", f64::exp_m1),
    unary!("fabs", f64::abs),
    MethodDef::new("factorial", O, math_int::factorial),
    MethodDef::new("floor", O, |vm, _, args, _| {
        whole(vm, args[0], vm.names.__floor__, f64::floor)
    }),
    MethodDef::new("fma", FAST, fma),
    MethodDef::new("fmod", FAST, fmod),
    MethodDef::new("frexp", O, |vm, _, args, _| {
        let value = number_of(vm, args[0])?;
        let (mantissa, exponent) = if value.is_finite() {
            frexp(value)
        } else {
            (value, 0)
        };
        pair(
            vm,
            vm.new_float(mantissa)?,
            Owned::small_int(i64::from(exponent)),
        )
    }),
    MethodDef::new("fsum", O, math_special::fsum),
    unary!("gamma", math_special::gamma, NO_POLE),
    MethodDef::new("gcd", FAST, math_int::gcd),
    MethodDef::new("hypot", FAST, math_special::hypot),
    MethodDef::new("isclose", FAST_KEYWORDS, isclose),
    MethodDef::new("isfinite", O, |vm, _, args, _| {
        Ok(Owned::bool(number_of(vm, args[0])?.is_finite()))
    }),
    MethodDef::new("isinf", O, |vm, _, args, _| {
        Ok(Owned::bool(number_of(vm, args[0])?.is_infinite()))
    }),
    MethodDef::new("isnan", O, |vm, _, args, _| {
        Ok(Owned::bool(number_of(vm, args[0])?.is_nan()))
    }),
    MethodDef::new("isqrt", O, math_int::isqrt),
    MethodDef::new("lcm", FAST, math_int::lcm),
    MethodDef::new("ldexp", FAST, ldexp_function),
    unary!("lgamma", math_special::lgamma, NO_POLE),
    MethodDef::new("log", FAST, log),
    MethodDef::new("log10", O, |vm, _, args, _| {
        vm.new_float(logarithm(vm, args[0], f64::log10)?)
    }),
    unary!("log1p", f64::ln_1p, ABOVE_MINUS_ONE),
    MethodDef::new("log2", O, |vm, _, args, _| {
        vm.new_float(logarithm(vm, args[0], f64::log2)?)
    }),
    MethodDef::new("modf", O, |vm, _, args, _| {
        let value = number_of(vm, args[0])?;
        let whole = value.trunc();
        let part = if value.is_infinite() {
            0.0_f64.copysign(value)
        } else {
            (value - whole).copysign(value)
        };
        pair(vm, vm.new_float(part)?, vm.new_float(whole)?)
    }),
    MethodDef::new("nextafter", FAST_KEYWORDS, nextafter),
    MethodDef::new("perm", FAST, math_int::perm),
    MethodDef::new("pow", FAST, pow),
    MethodDef::new("prod", FAST_KEYWORDS, math_int::prod),
    MethodDef::new("radians", O, |vm, _, args, _| {
        vm.new_float(number_of(vm, args[0])? * (std::f64::consts::PI / 180.0))
    }),
    MethodDef::new("remainder", FAST, remainder),
    unary!("sin", f64::sin, FINITE),
    unary!("sinh", f64::sinh),
    unary!("sqrt", f64::sqrt, NONNEGATIVE),
    MethodDef::new("sumprod", FAST, math_special::sumprod),
    unary!("tan", f64::tan, FINITE),
    unary!("tanh", f64::tanh),
    MethodDef::new("trunc", O, trunc),
    MethodDef::new("ulp", O, |vm, _, args, _| {
        vm.new_float(ulp(number_of(vm, args[0])?))
    }),
];

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "math", &FUNCTIONS)?;
    let constants = [
        ("pi", std::f64::consts::PI),
        ("e", std::f64::consts::E),
        ("tau", std::f64::consts::TAU),
        ("inf", f64::INFINITY),
        ("nan", f64::NAN),
    ];
    for (name, value) in constants {
        set(vm, &module, name, vm.new_float(value)?.as_word())?;
    }
    Ok(module)
}

/// A float argument (`PyFloat_AsDouble`).
pub(super) fn number_of(vm: Vm, word: Word) -> Result<f64, Raised> {
    match float::exact_value(word) {
        Some(value) => Ok(value),
        None => number::to_float(vm, word),
    }
}

fn floats<const N: usize>(vm: Vm, function: &str, args: &[Word]) -> Result<[f64; N], Raised> {
    args::check_positional(vm, function, args.len(), N, N)?;
    let mut values = [0.0; N];
    for (value, word) in values.iter_mut().zip(args) {
        *value = number_of(vm, *word)?;
    }
    Ok(values)
}

pub(super) fn pair(vm: Vm, first: Owned, second: Owned) -> PyResult {
    vm.tuple_from_owned(vec![first, second])
}

#[cold]
pub(super) fn domain_error(vm: Vm) -> Raised {
    vm.value_error("math domain error")
}
#[cold]
pub(super) fn range_error(vm: Vm) -> Raised {
    vm.overflow_error("math range error")
}

fn one(vm: Vm, word: Word, function: impl Fn(f64) -> f64, domain: &str) -> PyResult {
    let value = number_of(vm, word)?;
    let result = function(value);
    if result.is_nan() && !value.is_nan() {
        return Err(outside(vm, domain, value));
    }
    // An infinity out of a finite number is a pole if the function has a domain, else an overflow.
    if result.is_infinite() && value.is_finite() {
        let pole =
            !domain.is_empty() && (domain != NO_POLE || (value <= 0.0 && value == value.floor()));
        return Err(if pole {
            outside(vm, domain, value)
        } else {
            range_error(vm)
        });
    }
    vm.new_float(result)
}

#[cold]
fn outside(vm: Vm, domain: &str, value: f64) -> Raised {
    if domain.is_empty() {
        return domain_error(vm);
    }
    vm.value_error(format!("{domain}{}", float_text::repr(value)))
}

/// `floor` and `ceil`: the special method, or the float's whole number.
fn whole(vm: Vm, word: Word, special: Word, function: fn(f64) -> f64) -> PyResult {
    if float::exact_value(word).is_none()
        && let Some(method) = attr::lookup_bound(vm, word, special)?
    {
        return call::call(vm, method.as_word(), &[], None);
    }
    crate::object::float_arith::to_int(vm, function(number_of(vm, word)?))
}

fn trunc(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let word = args[0];
    if let Some(value) = float::exact_value(word) {
        return crate::object::float_arith::to_int(vm, value);
    }
    match attr::lookup_bound(vm, word, vm.names.__trunc__)? {
        Some(method) => call::call(vm, method.as_word(), &[], None),
        None => Err(vm.type_error(format!(
            "type {} doesn't define __trunc__ method",
            vm.type_name(word)
        ))),
    }
}

// ---- logarithms: of ints of any size

const POSITIVE: &str = "expected a positive input";

fn logarithm(vm: Vm, word: Word, function: fn(f64) -> f64) -> Result<f64, Raised> {
    if let Some(value) = int::value(word) {
        if value.is_negative() || value.is_zero() {
            return Err(vm.value_error(POSITIVE));
        }
        // Up to 1023 bits a float holds the value, rounded.
        if value.bits() < 1024 {
            return Ok(function(number::to_float(vm, word)?));
        }
        let (mantissa, exponent) = math_int::split(&value.to_bigint());
        return Ok(function(mantissa) + exponent as f64 * function(2.0));
    }
    let value = number_of(vm, word)?;
    if value <= 0.0 {
        return Err(vm.value_error(format!("{POSITIVE}, got {}", float_text::repr(value))));
    }
    Ok(function(value))
}

fn log(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "log", args.len(), 1, 2)?;
    let numerator = vm.new_float(logarithm(vm, args[0], f64::ln)?)?;
    match args.get(1) {
        None => Ok(numerator),
        Some(base) => {
            let denominator = vm.new_float(logarithm(vm, *base, f64::ln)?)?;
            crate::object::float_arith::true_divide(vm, numerator.as_word(), denominator.as_word())
        }
    }
}

// ---- two arguments and more

fn pow(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let [x, y] = floats(vm, "pow", args)?;
    // As C99 says, whatever the C library does.
    let result = match (x, y) {
        _ if x == 1.0 || y == 0.0 => 1.0,
        _ if x == -1.0 && y.is_infinite() => 1.0,
        _ => x.powf(y),
    };
    if x.is_finite() && y.is_finite() {
        if result.is_nan() {
            return Err(domain_error(vm));
        }
        if result.is_infinite() {
            return Err(if x == 0.0 {
                domain_error(vm)
            } else {
                range_error(vm)
            });
        }
    }
    vm.new_float(result)
}

fn fmod(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let [x, y] = floats(vm, "fmod", args)?;
    if y.is_infinite() && x.is_finite() {
        return vm.new_float(x);
    }
    let result = x % y;
    if result.is_nan() && !x.is_nan() && !y.is_nan() {
        return Err(domain_error(vm));
    }
    vm.new_float(result)
}

fn remainder(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let [x, y] = floats(vm, "remainder", args)?;
    let result = libm::remainder(x, y);
    if result.is_nan() && !x.is_nan() && !y.is_nan() {
        return Err(domain_error(vm));
    }
    vm.new_float(result)
}

fn fma(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let [x, y, z] = floats(vm, "fma", args)?;
    let result = x.mul_add(y, z);
    if result.is_nan() && ![x, y, z].iter().any(|value| value.is_nan()) {
        return Err(vm.value_error("invalid operation in fma"));
    }
    if result.is_infinite() && [x, y, z].iter().all(|value| value.is_finite()) {
        return Err(vm.overflow_error("overflow in fma"));
    }
    vm.new_float(result)
}

fn ldexp_function(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "ldexp", args.len(), 2, 2)?;
    let x = number_of(vm, args[0])?;
    let Some(exponent) = int::value(args[1]) else {
        return Err(vm.type_error("Expected an int as second argument to ldexp."));
    };
    let limit = if exponent.is_negative() {
        i64::MIN
    } else {
        i64::MAX
    };
    let exponent = exponent
        .to_i64()
        .unwrap_or(limit)
        .clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    let result = ldexp(x, exponent);
    if result.is_infinite() && x.is_finite() {
        return Err(range_error(vm));
    }
    vm.new_float(result)
}

static NEXTAFTER: Signature<3> = Signature::new("nextafter", ["x", "y", "steps"], 2)
    .positional_only(2)
    .keyword_only(2);

/// `steps` floats from `x` towards `y`, counted in their order as integers.
fn nextafter(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [x, y, steps] = NEXTAFTER.unpack(vm, args, kwnames)?;
    let x = number_of(vm, x.unwrap_or(Word::NONE))?;
    let y = number_of(vm, y.unwrap_or(Word::NONE))?;
    let steps = match steps {
        None | Some(Word::NONE) => return vm.new_float(libm::nextafter(x, y)),
        Some(steps) => number::index(vm, steps)?,
    };
    let steps = int::value(steps.as_word()).unwrap_or(int::IntRef::Small(0));
    if steps.is_negative() {
        return Err(vm.value_error("steps must be a non-negative integer"));
    }
    if x.is_nan() || y.is_nan() {
        return vm.new_float(if x.is_nan() { x } else { y });
    }
    let steps = steps.to_i64().unwrap_or(i64::MAX);
    // Both zeros are one place.
    let place = |value: f64| {
        let bits = value.to_bits() as i64;
        if bits < 0 {
            i64::MIN.wrapping_sub(bits)
        } else {
            bits
        }
    };
    let (from, to) = (place(x), place(y));
    if from == to || (steps == 0 && x != y) {
        return vm.new_float(if from == to { y } else { x });
    }
    let reached = if from < to {
        from.saturating_add(steps).min(to)
    } else {
        from.saturating_sub(steps).max(to)
    };
    let bits = if reached < 0 {
        i64::MIN.wrapping_sub(reached)
    } else {
        reached
    };
    // A zero keeps the sign of the side that it was reached from.
    let value = f64::from_bits(bits as u64);
    vm.new_float(if value == 0.0 && from < 0 {
        -0.0
    } else {
        value
    })
}

fn ulp(value: f64) -> f64 {
    let value = value.abs();
    if !value.is_finite() {
        return value;
    }
    let above = value.next_up();
    if above.is_infinite() {
        value - value.next_down()
    } else {
        above - value
    }
}

static ISCLOSE: Signature<4> =
    Signature::new("isclose", ["a", "b", "rel_tol", "abs_tol"], 2).keyword_only(2);

fn isclose(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [a, b, relative, absolute] = ISCLOSE.unpack(vm, args, kwnames)?;
    let get =
        |word: Option<Word>, default: f64| word.map_or(Ok(default), |word| number_of(vm, word));
    let (a, b) = (get(a, 0.0)?, get(b, 0.0)?);
    let (relative, absolute) = (get(relative, 1e-9)?, get(absolute, 0.0)?);
    if relative < 0.0 || absolute < 0.0 {
        return Err(vm.value_error("tolerances must be non-negative"));
    }
    if a == b {
        return Ok(Owned::TRUE);
    }
    if a.is_infinite() || b.is_infinite() {
        return Ok(Owned::FALSE);
    }
    let difference = (b - a).abs();
    let close = difference <= (relative * b).abs()
        || difference <= (relative * a).abs()
        || difference <= absolute;
    Ok(Owned::bool(close))
}

/// Whether an argument is an exact int or bool, small enough not to need objects.
pub(super) fn small_int(word: Word) -> Option<i64> {
    if word.is_int() || word.kind() == Kind::BOOL {
        int::value(word)?.to_i64()
    } else {
        None
    }
}
