//! `int` and `bool`: construction, methods, slots (`longobject.c`, `boolobject.c`).

use super::args::{self, Signature};
use super::bytes;
use super::descr::{GetSetDef, MethodDef, meth};
use super::header::{Header, Kind};
use super::int::{self, IntObject, IntRef};
use super::int_arith as arith;
use super::number::{self, nb};
use super::owned::{Owned, PyResult, Raised};
use super::types::{Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{int_text, protocol, str};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;

type Names = Option<Word>;

fn value<'a>(word: Word) -> IntRef<'a> {
    int::value(word).unwrap_or(IntRef::Small(0))
}

/// `int(x)`, `int(x, base)` (`long_new`).
fn int_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Names) -> PyResult {
    const SIGNATURE: Signature<2> = Signature::new("int", ["x", "base"], 0).positional_only(1);
    let result = match (args, kwnames) {
        ([], None) => Owned::small_int(0),
        ([x], None) => number::to_int(vm, *x)?,
        _ => {
            if args.len() > 2 && kwnames.is_none() {
                return Err(vm.type_error(format!(
                    "int expected at most 2 arguments, got {}",
                    args.len()
                )));
            }
            let [x, base] = SIGNATURE.unpack(vm, args, kwnames)?;
            match (x, base) {
                (None, None) => Owned::small_int(0),
                (None, Some(_)) => return Err(vm.type_error("int() missing string argument")),
                (Some(x), None) => number::to_int(vm, x)?,
                (Some(x), Some(base)) => {
                    let base = number::index_clamped(vm, base)?;
                    if base != 0 && !(2..=36).contains(&base) {
                        return Err(vm.value_error("int() base must be >= 2 and <= 36, or 0"));
                    }
                    int_text::int_from_text(vm, x, base as u32)?
                }
            }
        }
    };
    if ty == vm.types.int {
        return Ok(result);
    }
    vm.new_int_object(ty, value(result.as_word()).to_bigint())
}
fn bool_new(vm: Vm, _: *mut TypeObject, args: &[Word], kwnames: Names) -> PyResult {
    args::no_keywords(vm, "bool", kwnames)?;
    args::check_positional(vm, "bool", args.len(), 0, 1)?;
    Ok(Owned::bool(
        args.first()
            .map_or(Ok(false), |&word| protocol::is_true(vm, word))?,
    ))
}
fn bool_repr(vm: Vm, word: Word) -> PyResult {
    vm.intern_str(if word == Word::TRUE { "True" } else { "False" })
}
fn int_bool(_: Vm, word: Word) -> Result<bool, Raised> {
    Ok(!value(word).is_zero())
}
fn exact_unary(vm: Vm, word: Word) -> PyResult {
    int::exact(vm, word)
}
fn to_float(vm: Vm, word: Word) -> PyResult {
    vm.new_float(int::to_f64(vm, word)?)
}

// ---- methods

fn bit_length(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    vm.new_int(value(self_).bits() as i64)
}
fn bit_count(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    vm.new_int(match value(self_) {
        IntRef::Small(value) => i64::from(value.unsigned_abs().count_ones()),
        IntRef::Big(value) => value.magnitude().count_ones() as i64,
    })
}
fn as_integer_ratio(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let items = vec![int::exact(vm, self_)?, Owned::small_int(1)];
    vm.tuple_from_owned(items)
}
fn exact_method(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    int::exact(vm, self_)
}
/// `round(i, ndigits)`: to a power of ten, ties to even (`int___round___impl`).
fn round(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "__round__", args.len(), 0, 1)?;
    let Some(&digits) = args.first().filter(|digits| !digits.is_none()) else {
        return int::exact(vm, self_);
    };
    let digits = number::index(vm, digits)?;
    let digits = value(digits.as_word());
    if !digits.is_negative() {
        return int::exact(vm, self_);
    }
    let places = digits.to_i64().map_or(u64::MAX, i64::unsigned_abs);
    // Ten to more places than there are digits swallows the number.
    if places > value(self_).bits() / 3 + 2 {
        return vm.new_int(0);
    }
    let unit = BigInt::from(10).pow(places as u32);
    let (quotient, rest) = value(self_).to_bigint().div_mod_floor(&unit);
    let twice: BigInt = rest * 2i32;
    let up = match twice.cmp(&unit) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => quotient.is_odd(),
        std::cmp::Ordering::Greater => true,
    };
    vm.new_bigint((if up { quotient + 1i32 } else { quotient }) * unit)
}
/// Whether a `byteorder` argument says little endian.
fn little_endian(vm: Vm, function: &str, order: Option<Word>) -> Result<bool, Raised> {
    let Some(order) = order else { return Ok(false) };
    if !str::is_str(order) {
        return Err(vm.type_error(format!(
            "{function}() argument 'byteorder' must be str, not {}",
            vm.argument_type(order)
        )));
    }
    match str::as_ascii(order) {
        Some("little") => Ok(true),
        Some("big") => Ok(false),
        _ => Err(vm.value_error("byteorder must be either 'little' or 'big'")),
    }
}
fn to_bytes(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    const SIGNATURE: Signature<3> =
        Signature::new("to_bytes", ["length", "byteorder", "signed"], 0).keyword_only(2);
    let [length, order, signed] = SIGNATURE.unpack(vm, args, names)?;
    let length = length.map_or(Ok(1), |length| number::index_isize(vm, length))?;
    let little = little_endian(vm, "to_bytes", order)?;
    let signed = signed.map_or(Ok(false), |signed| protocol::is_true(vm, signed))?;
    if length < 0 {
        return Err(vm.value_error("length argument must be non-negative"));
    }
    let length = length as usize;
    let number = value(self_).to_bigint();
    if number.sign() == Sign::Minus && !signed {
        return Err(vm.overflow_error("can't convert negative int to unsigned"));
    }
    if !vm.heap.has_room(length.saturating_mul(2)) {
        return Err(vm.no_memory());
    }
    let mut raw = if signed {
        number.to_signed_bytes_le()
    } else {
        number.magnitude().to_bytes_le()
    };
    if number.sign() == Sign::NoSign {
        raw.clear();
    }
    if raw.len() > length {
        return Err(vm.overflow_error("int too big to convert"));
    }
    raw.resize(
        length,
        if number.sign() == Sign::Minus {
            0xff
        } else {
            0
        },
    );
    if !little {
        raw.reverse();
    }
    bytes::new_bytes(vm, &raw)
}
fn from_bytes(vm: Vm, class: Word, args: &[Word], names: Names) -> PyResult {
    const SIGNATURE: Signature<3> =
        Signature::new("from_bytes", ["bytes", "byteorder", "signed"], 1).keyword_only(2);
    let [source, order, signed] = SIGNATURE.unpack(vm, args, names)?;
    let little = little_endian(vm, "from_bytes", order)?;
    let signed = signed.map_or(Ok(false), |signed| protocol::is_true(vm, signed))?;
    let source = bytes::from_object(vm, source.unwrap_or(Word::NONE))?;
    let raw = bytes::contents(source.as_word());
    let number = match (little, signed) {
        (true, true) => BigInt::from_signed_bytes_le(raw),
        (false, true) => BigInt::from_signed_bytes_be(raw),
        (true, false) => BigInt::from_bytes_le(Sign::Plus, raw),
        (false, false) => BigInt::from_bytes_be(Sign::Plus, raw),
    };
    let result = vm.new_bigint(number)?;
    if class.object() == vm.types.int.cast() {
        return Ok(result);
    }
    super::call::call_one(vm, class, result.as_word())
}
fn is_integer(_: Vm, _: Word, _: &[Word], _: Names) -> PyResult {
    Ok(Owned::TRUE)
}
fn getnewargs(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let copy = int::exact(vm, self_)?;
    vm.new_tuple(&[copy.as_word()])
}
static METHODS: &[MethodDef] = &[
    MethodDef::new("conjugate", meth::NOARGS, exact_method),
    MethodDef::new("bit_length", meth::NOARGS, bit_length),
    MethodDef::new("bit_count", meth::NOARGS, bit_count),
    MethodDef::new("to_bytes", meth::FASTCALL | meth::KEYWORDS, to_bytes),
    MethodDef::new(
        "from_bytes",
        meth::FASTCALL | meth::KEYWORDS | meth::CLASS,
        from_bytes,
    ),
    MethodDef::new("as_integer_ratio", meth::NOARGS, as_integer_ratio),
    MethodDef::new("is_integer", meth::NOARGS, is_integer),
    MethodDef::new("__trunc__", meth::NOARGS, exact_method),
    MethodDef::new("__floor__", meth::NOARGS, exact_method),
    MethodDef::new("__ceil__", meth::NOARGS, exact_method),
    MethodDef::new("__round__", meth::FASTCALL, round),
    MethodDef::new("__getnewargs__", meth::NOARGS, getnewargs),
    MethodDef::new("__format__", meth::O, super::format::int_dunder_format),
];
static GETSET: [GetSetDef; 4] = [
    GetSetDef::new("real", int::exact, None),
    GetSetDef::new("imag", |_, _| Ok(Owned::small_int(0)), None),
    GetSetDef::new("numerator", int::exact, None),
    GetSetDef::new("denominator", |_, _| Ok(Owned::small_int(1)), None),
];

const NUMBER: [Option<super::types::BinaryFn>; super::types::NB_SLOTS] = {
    let mut slots = Slots::EMPTY.nb;
    slots[nb::ADD] = Some(arith::add);
    slots[nb::SUBTRACT] = Some(arith::subtract);
    slots[nb::MULTIPLY] = Some(arith::multiply);
    slots[nb::REMAINDER] = Some(arith::remainder);
    slots[nb::POWER] = Some(arith::power);
    slots[nb::LSHIFT] = Some(arith::left_shift);
    slots[nb::RSHIFT] = Some(arith::right_shift);
    slots[nb::AND] = Some(arith::and);
    slots[nb::XOR] = Some(arith::xor);
    slots[nb::OR] = Some(arith::or);
    slots[nb::FLOOR_DIVIDE] = Some(arith::floor_divide);
    slots[nb::TRUE_DIVIDE] = Some(arith::true_divide);
    slots
};
pub(super) const fn int_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF,
        methods: METHODS,
        getset: &GETSET,
        ..TypeSpec::new::<IntObject>(
            "int",
            Kind::INT,
            Slots {
                dealloc: int::int_dealloc,
                repr: Some(int_text::int_repr),
                hash: Some(int::int_hash),
                richcompare: Some(int::richcompare),
                nb: NUMBER,
                power_mod: Some(arith::power_mod),
                divmod: Some(arith::divmod),
                neg: Some(arith::negative),
                pos: Some(exact_unary),
                abs: Some(arith::absolute),
                invert: Some(arith::invert),
                bool: Some(int_bool),
                int: Some(exact_unary),
                float: Some(to_float),
                index: Some(exact_unary),
                new: Some(int_new),
                ..Slots::EMPTY
            },
        )
    }
}
pub(super) const fn bool_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::MATCH_SELF,
        ..TypeSpec::new::<Header>(
            "bool",
            Kind::BOOL,
            Slots {
                repr: Some(bool_repr),
                new: Some(bool_new),
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
            (t.i(5), "__add__", vec![t.i(3)], "8"),
            (t.i(5), "__add__", vec![t.s("a")], "NotImplemented"),
            (t.i(7), "__floordiv__", vec![t.i(-2)], "-4"),
            (t.i(-7), "__mod__", vec![t.i(3)], "2"),
            (t.i(7), "__divmod__", vec![t.i(-2)], "(-4, -1)"),
            (t.i(7), "__truediv__", vec![t.i(2)], "3.5"),
            (
                t.i(7),
                "__truediv__",
                vec![t.i(0)],
                "ZeroDivisionError: division by zero",
            ),
            (
                t.i(7),
                "__floordiv__",
                vec![t.i(0)],
                "ZeroDivisionError: division by zero",
            ),
            (
                t.i(7),
                "__mod__",
                vec![t.i(0)],
                "ZeroDivisionError: division by zero",
            ),
            (t.i(2), "__pow__", vec![t.i(10)], "1024"),
            (t.i(2), "__pow__", vec![t.i(-1)], "0.5"),
            (
                t.i(0),
                "__pow__",
                vec![t.i(-1)],
                "ZeroDivisionError: zero to a negative power",
            ),
            (
                t.i(2),
                "__pow__",
                vec![t.i(100)],
                "1267650600228229401496703205376",
            ),
            (t.i(3), "__pow__", vec![t.i(200), t.i(13)], "9"),
            (t.i(3), "__pow__", vec![t.i(-1), t.i(7)], "5"),
            (
                t.i(2),
                "__pow__",
                vec![t.i(-1), t.i(4)],
                "ValueError: base is not invertible for the given modulus",
            ),
            (
                t.i(2),
                "__pow__",
                vec![t.i(3), t.i(0)],
                "ValueError: pow() 3rd argument cannot be 0",
            ),
            (
                t.i(1),
                "__lshift__",
                vec![t.i(100)],
                "1267650600228229401496703205376",
            ),
            (
                t.i(1),
                "__lshift__",
                vec![t.i(-1)],
                "ValueError: negative shift count",
            ),
            (t.i(-5), "__rshift__", vec![t.i(1)], "-3"),
            (t.i(-5), "__rshift__", vec![t.i(1000)], "-1"),
            (t.i(6), "__and__", vec![t.i(3)], "2"),
            (t.i(-6), "__or__", vec![t.i(3)], "-5"),
            (t.i(6), "__xor__", vec![t.i(-3)], "-5"),
            (t.i(-5), "__neg__", vec![], "5"),
            (t.i(5), "__invert__", vec![], "-6"),
            (t.i(-5), "__abs__", vec![], "5"),
            (
                t.big("1000000000000000000000000"),
                "__add__",
                vec![t.i(1)],
                "1000000000000000000000001",
            ),
            (
                t.big("1000000000000000000000000"),
                "__mul__",
                vec![t.big("-1000000000000000000000000")],
                "-1000000000000000000000000000000000000000000000000",
            ),
            (
                t.i(4611686018427387903),
                "__add__",
                vec![t.i(1)],
                "4611686018427387904",
            ),
            (
                t.i(-2305843009213693952),
                "__sub__",
                vec![t.i(1)],
                "-2305843009213693953",
            ),
            (
                t.i(2305843009213693951),
                "__mul__",
                vec![t.i(2305843009213693951)],
                "5316911983139663487003542222693990401",
            ),
            (
                t.big("1000000000000000000000000"),
                "__floordiv__",
                vec![t.i(-7)],
                "-142857142857142857142858",
            ),
            (
                t.big("1000000000000000000000000"),
                "__mod__",
                vec![t.i(-7)],
                "-6",
            ),
            (
                t.big("1000000000000000000000000"),
                "__truediv__",
                vec![t.i(7)],
                "1.4285714285714285e+23",
            ),
            (
                t.big("-1000000000000000000000000"),
                "__rshift__",
                vec![t.i(70)],
                "-848",
            ),
            (
                t.big("1000000000000000000000000"),
                "__and__",
                vec![t.i(-1)],
                "1000000000000000000000000",
            ),
            (t.i(10), "bit_length", vec![], "4"),
            (t.i(-255), "bit_count", vec![], "8"),
            (t.i(5), "to_bytes", vec![], "b'\\x05'"),
            (
                t.i(5),
                "to_bytes",
                vec![t.i(2), t.s("little")],
                "b'\\x05\\x00'",
            ),
            (
                t.i(-5),
                "to_bytes",
                vec![t.i(2)],
                "OverflowError: can't convert negative int to unsigned",
            ),
            (
                t.i(300),
                "to_bytes",
                vec![t.i(1)],
                "OverflowError: int too big to convert",
            ),
            (t.i(5), "as_integer_ratio", vec![], "(5, 1)"),
            (t.i(1234), "__round__", vec![t.i(-2)], "1200"),
            (t.i(1250), "__round__", vec![t.i(-2)], "1200"),
            (t.i(1350), "__round__", vec![t.i(-2)], "1400"),
            (t.i(-1250), "__round__", vec![t.i(-2)], "-1200"),
            (t.i(5), "__round__", vec![t.i(-1)], "0"),
            (t.i(15), "__round__", vec![t.i(-1)], "20"),
            (t.i(5), "__eq__", vec![t.f(5.0)], "NotImplemented"),
            (t.i(5), "__eq__", vec![t.i(5)], "True"),
            (
                t.i(9007199254740993),
                "__float__",
                vec![],
                "9007199254740992.0",
            ),
            (t.i(5), "__lt__", vec![t.s("a")], "NotImplemented"),
            (t.i(5), "conjugate", vec![], "5"),
            (t.i(1), "__bool__", vec![], "True"),
            (t.i(0), "__bool__", vec![], "False"),
            (t.i(5), "__index__", vec![], "5"),
            (t.b(true), "__add__", vec![t.b(true)], "2"),
            (t.b(true), "__and__", vec![t.b(false)], "False"),
            (t.b(true), "__repr__", vec![], "'True'"),
            (t.b(true), "__or__", vec![t.i(2)], "3"),
        ] {
            t.check(&object, method, &args, expected);
        }
    }
}
