//! `format()` of strings, ints and floats (`formatter_unicode.c`).

use super::complex_arith::Complex;
use super::float;
use super::format_complex::format_complex;
use super::format_number::{format_float, format_int};
use super::header::Kind;
use super::int;
use super::owned::{PyResult, Raised};
use super::str::{self, Chars};
use super::str_writer::StrWriter;
use super::vm::Vm;
use super::word::Word;
use super::{attr, call, int_text, protocol, str_text};

/// `[[fill]align][sign][z][#][0][width][grouping][.precision[grouping]][type]`.
#[derive(Clone, Copy)]
pub(super) struct Spec {
    pub fill: u32,
    pub align: char,
    pub align_given: bool,
    pub sign: Option<char>,
    pub no_negative_zero: bool,
    pub alternate: bool,
    pub width: Option<usize>,
    pub grouping: Option<char>,
    pub precision: Option<usize>,
    pub fraction_grouping: Option<char>,
    pub code: Option<u32>,
}

/// `format(o, spec)` (`PyObject_Format`).
pub fn format(vm: Vm, object: Word, spec: Word) -> PyResult {
    if !str::is_str(spec) {
        return Err(vm.type_error(format!(
            "format() argument 2 must be str, not {}",
            vm.argument_type(spec)
        )));
    }
    if str::object(spec).length == 0
        && (object.is_exact(Kind::STR) || object.is_int() || object.is_float())
    {
        return protocol::str(vm, object);
    }
    let Some(method) = attr::lookup_bound(vm, object, vm.names.__format__)? else {
        return Err(vm.type_error(format!(
            "Type {} doesn't define __format__",
            vm.type_name(object)
        )));
    };
    let text = call::call_one(vm, method.as_word(), spec)?;
    if str::is_str(text.as_word()) {
        return Ok(text);
    }
    Err(vm.type_error(format!(
        "__format__ must return a str, not {}",
        vm.type_name(text.as_word())
    )))
}

pub(super) fn str_dunder_format(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let Some(spec) = dunder_spec(vm, self_, args[0], '<')? else {
        return protocol::str(vm, self_);
    };
    format_str(vm, self_, &spec)
}
pub(super) fn int_dunder_format(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let Some(spec) = dunder_spec(vm, self_, args[0], '>')? else {
        return protocol::str(vm, self_);
    };
    match spec.code.and_then(char::from_u32) {
        None | Some('b' | 'c' | 'd' | 'o' | 'x' | 'X' | 'n') => format_int(vm, self_, &spec),
        Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') => {
            format_float(vm, int::to_f64(vm, self_)?, &spec)
        }
        _ => Err(unknown_code(vm, self_, &spec)),
    }
}
pub(super) fn float_dunder_format(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let Some(spec) = dunder_spec(vm, self_, args[0], '>')? else {
        return protocol::str(vm, self_);
    };
    match spec.code.and_then(char::from_u32) {
        None | Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%' | 'n') => {
            format_float(vm, float::value(self_).unwrap_or(0.0), &spec)
        }
        _ => Err(unknown_code(vm, self_, &spec)),
    }
}

pub(super) fn complex_dunder_format(
    vm: Vm,
    self_: Word,
    args: &[Word],
    _: Option<Word>,
) -> PyResult {
    let Some(spec) = dunder_spec(vm, self_, args[0], '>')? else {
        return protocol::str(vm, self_);
    };
    match spec.code.and_then(char::from_u32) {
        None | Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'n') => {
            let value = super::complex::value(self_);
            format_complex(
                vm,
                value.unwrap_or(Complex {
                    real: 0.0,
                    imag: 0.0,
                }),
                &spec,
            )
        }
        _ => Err(unknown_code(vm, self_, &spec)),
    }
}

/// The parsed spec; None for an empty one, which means `str(self)`.
fn dunder_spec(vm: Vm, self_: Word, spec: Word, align: char) -> Result<Option<Spec>, Raised> {
    if !str::is_str(spec) {
        return Err(vm.type_error(format!(
            "__format__() argument must be str, not {}",
            vm.argument_type(spec)
        )));
    }
    if str::object(spec).length == 0 {
        return Ok(None);
    }
    parse(vm, str::chars(spec), align, self_).map(Some)
}

fn unknown_code(vm: Vm, self_: Word, spec: &Spec) -> Raised {
    let code = spec.code.unwrap_or(0);
    let shown = match char::from_u32(code) {
        Some(c) if (0x21..0x80).contains(&code) => c.to_string(),
        _ => format!("\\x{code:x}"),
    };
    vm.value_error(format!(
        "Unknown format code '{shown}' for object of type '{}'",
        vm.type_name(self_)
    ))
}

fn parse(vm: Vm, text: Chars<'_>, default_align: char, self_: Word) -> Result<Spec, Raised> {
    let mut at = 0;
    let peek = |at: usize| {
        (at < text.len())
            .then(|| text.at(at))
            .and_then(char::from_u32)
    };
    let is_align = |c: Option<char>| matches!(c, Some('<' | '>' | '=' | '^'));
    let mut spec = Spec {
        fill: 0x20,
        align: default_align,
        align_given: false,
        sign: None,
        no_negative_zero: false,
        alternate: false,
        width: None,
        grouping: None,
        precision: None,
        fraction_grouping: None,
        code: None,
    };
    let mut fill_given = false;
    if is_align(peek(1)) {
        spec.fill = text.at(0);
        fill_given = true;
        at = 1;
    }
    if let Some(c) = peek(at)
        && is_align(Some(c))
    {
        spec.align = c;
        spec.align_given = true;
        at += 1;
    }
    if let Some(c @ (' ' | '+' | '-')) = peek(at) {
        spec.sign = Some(c);
        at += 1;
    }
    if peek(at) == Some('z') {
        spec.no_negative_zero = true;
        at += 1;
    }
    if peek(at) == Some('#') {
        spec.alternate = true;
        at += 1;
    }
    if !fill_given && peek(at) == Some('0') {
        spec.fill = 0x30;
        if !spec.align_given && default_align == '>' {
            spec.align = '=';
        }
        at += 1;
    }
    spec.width = number(vm, text, &mut at)?;
    spec.grouping = grouping(vm, text, &mut at)?;
    if peek(at) == Some('.') {
        at += 1;
        spec.precision = number(vm, text, &mut at)?;
        spec.fraction_grouping = grouping(vm, text, &mut at)?;
        if spec.precision.is_none() && spec.fraction_grouping.is_none() {
            return Err(vm.value_error("Format specifier missing precision"));
        }
    }
    match text.len() - at {
        0 => {}
        1 => spec.code = Some(text.at(at)),
        _ => {
            let whole: String = text
                .iter()
                .map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect();
            return Err(vm.value_error(format!(
                "Invalid format specifier '{whole}' for object of type '{}'",
                vm.type_name(self_)
            )));
        }
    }
    if let Some(separator) = spec.grouping.or(spec.fraction_grouping) {
        let code = spec.code.and_then(char::from_u32);
        let fits = match code {
            None => !super::str::is_str(self_),
            Some('d' | 'e' | 'f' | 'g' | 'E' | 'G' | 'F' | '%') => true,
            Some('b' | 'o' | 'x' | 'X') => separator == '_',
            _ => false,
        };
        if !fits {
            let code = spec.code.unwrap_or(u32::from(b's'));
            let shown = match char::from_u32(code) {
                Some(c) if (0x21..0x80).contains(&code) => c.to_string(),
                _ => format!("\\x{code:x}"),
            };
            return Err(vm.value_error(format!("Cannot specify '{separator}' with '{shown}'.")));
        }
    }
    Ok(spec)
}

fn number(vm: Vm, text: Chars<'_>, at: &mut usize) -> Result<Option<usize>, Raised> {
    let start = *at;
    let mut value = 0usize;
    while *at < text.len()
        && let Some(digit) = int_text::decimal_digit(text.at(*at))
    {
        value = value
            .checked_mul(10)
            .and_then(|value| value.checked_add(digit as usize))
            .filter(|&value| value <= isize::MAX as usize)
            .ok_or_else(|| vm.value_error("Too many decimal digits in format string"))?;
        *at += 1;
    }
    Ok((*at > start).then_some(value))
}

fn grouping(vm: Vm, text: Chars<'_>, at: &mut usize) -> Result<Option<char>, Raised> {
    let mut found = None;
    while *at < text.len()
        && let Some(c @ (',' | '_')) = char::from_u32(text.at(*at))
    {
        match found {
            None => found = Some(c),
            // A second one of the same kind is taken for the type code.
            Some(first) if first == c => break,
            Some(_) => return Err(vm.value_error("Cannot specify both ',' and '_'.")),
        }
        *at += 1;
    }
    Ok(found)
}

/// Fill to the left and right for a text of this length.
pub(super) fn padding(spec: &Spec, length: usize) -> (usize, usize) {
    let missing = spec.width.unwrap_or(0).saturating_sub(length);
    match spec.align {
        '<' => (0, missing),
        '^' => (missing / 2, missing - missing / 2),
        _ => (missing, 0),
    }
}

fn format_str(vm: Vm, word: Word, spec: &Spec) -> PyResult {
    if !matches!(spec.code, None | Some(0x73)) {
        return Err(unknown_code(vm, word, spec));
    }
    match spec.sign {
        Some(' ') => return Err(vm.value_error("Space not allowed in string format specifier")),
        Some(_) => return Err(vm.value_error("Sign not allowed in string format specifier")),
        None => {}
    }
    if spec.no_negative_zero {
        return Err(
            vm.value_error("Negative zero coercion (z) not allowed in string format specifier")
        );
    }
    if spec.alternate {
        return Err(vm.value_error("Alternate form (#) not allowed in string format specifier"));
    }
    if spec.align == '=' {
        return Err(vm.value_error("'=' alignment not allowed in string format specifier"));
    }
    let chars = str::chars(word);
    let length = spec
        .precision
        .map_or(chars.len(), |precision| precision.min(chars.len()));
    if length == chars.len() && spec.width.unwrap_or(0) <= length {
        return str_text::exact(vm, word);
    }
    let (left, right) = padding(spec, length);
    let mut writer = StrWriter::new(vm);
    writer.push_repeated(spec.fill, left)?;
    writer.push_chars(chars.slice(0, length))?;
    writer.push_repeated(spec.fill, right)?;
    writer.finish()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::approx_constant, reason = "recorded cases")]
    use crate::object::testing::TestVm;

    /// Answers of CPython 3.14.
    #[test]
    fn recorded() {
        let t = TestVm::new();
        for (object, method, args, expected) in [
            (
                t.i(5),
                "__format__",
                vec![t.s(".2")],
                "ValueError: Precision not allowed in integer format specifier",
            ),
            (t.i(5), "__format__", vec![t.s("c")], "'\\x05'"),
            (
                t.i(5),
                "__format__",
                vec![t.s("+c")],
                "ValueError: Sign not allowed with integer format specifier 'c'",
            ),
            (
                t.i(-1),
                "__format__",
                vec![t.s("c")],
                "OverflowError: %c arg not in range(0x110000)",
            ),
            (
                t.s("a"),
                "__format__",
                vec![t.s("+")],
                "ValueError: Sign not allowed in string format specifier",
            ),
            (
                t.s("a"),
                "__format__",
                vec![t.s("=5")],
                "ValueError: '=' alignment not allowed in string format specifier",
            ),
            (
                t.s("a"),
                "__format__",
                vec![t.s("#")],
                "ValueError: Alternate form (#) not allowed in string format specifier",
            ),
            (
                t.s("a"),
                "__format__",
                vec![t.s(" ")],
                "ValueError: Space not allowed in string format specifier",
            ),
            (
                t.s("a"),
                "__format__",
                vec![t.s("d")],
                "ValueError: Unknown format code 'd' for object of type 'str'",
            ),
            (
                t.i(5),
                "__format__",
                vec![t.s("y")],
                "ValueError: Unknown format code 'y' for object of type 'int'",
            ),
            (
                t.i(5),
                "__format__",
                vec![t.s(",x")],
                "ValueError: Cannot specify ',' with 'x'.",
            ),
            (
                t.i(5),
                "__format__",
                vec![t.s(",_")],
                "ValueError: Cannot specify both ',' and '_'.",
            ),
            (
                t.i(5),
                "__format__",
                vec![t.s("_,")],
                "ValueError: Cannot specify both ',' and '_'.",
            ),
            (
                t.i(5),
                "__format__",
                vec![t.s(",,")],
                "ValueError: Cannot specify ',' with ','.",
            ),
            (
                t.i(5),
                "__format__",
                vec![t.s("zd")],
                "ValueError: Negative zero coercion (z) not allowed in integer format specifier",
            ),
            (
                t.s("a"),
                "__format__",
                vec![t.s("z")],
                "ValueError: Negative zero coercion (z) not allowed in string format specifier",
            ),
            (
                t.f(1.5),
                "__format__",
                vec![t.s("d")],
                "ValueError: Unknown format code 'd' for object of type 'float'",
            ),
            (
                t.f(1234567.891),
                "__format__",
                vec![t.s(",.2f")],
                "'1,234,567.89'",
            ),
            (t.i(1234567), "__format__", vec![t.s("_x")], "'12_d687'"),
            (
                t.i(1234567),
                "__format__",
                vec![t.s("015,")],
                "'000,001,234,567'",
            ),
            (
                t.f(1234.5),
                "__format__",
                vec![t.s("015,")],
                "'0,000,001,234.5'",
            ),
            (t.f(100000.0), "__format__", vec![t.s(".3")], "'1e+05'"),
            (t.f(123.0), "__format__", vec![t.s(".5")], "'123.0'"),
            (t.f(12345.0), "__format__", vec![t.s(".5")], "'1.2345e+04'"),
            (t.f(1.0), "__format__", vec![t.s("")], "'1.0'"),
            (t.b(true), "__format__", vec![t.s("d")], "'1'"),
            (t.b(true), "__format__", vec![t.s("")], "'True'"),
            (t.b(true), "__format__", vec![t.s("5")], "'    1'"),
            (t.i(255), "__format__", vec![t.s("#010x")], "'0x000000ff'"),
            (t.i(255), "__format__", vec![t.s("#b")], "'0b11111111'"),
            (t.f(0.5), "__format__", vec![t.s("%")], "'50.000000%'"),
            (t.f(0.5), "__format__", vec![t.s(".1%")], "'50.0%'"),
            (t.i(3), "__format__", vec![t.s("f")], "'3.000000'"),
            (t.i(3), "__format__", vec![t.s("e")], "'3.000000e+00'"),
            (t.i(10), "__format__", vec![t.s("^10")], "'    10    '"),
            (t.i(10), "__format__", vec![t.s("*^10")], "'****10****'"),
            (
                t.s("abc"),
                "__format__",
                vec![t.s("*^10.2")],
                "'****ab****'",
            ),
            (t.f(-0.0), "__format__", vec![t.s("z.1f")], "'0.0'"),
            (t.f(-0.04), "__format__", vec![t.s("z.1f")], "'0.0'"),
            (t.f(1.5), "__format__", vec![t.s("n")], "'1.5'"),
            (t.i(5), "__format__", vec![t.s("n")], "'5'"),
            (
                t.list(&[]),
                "__format__",
                vec![t.s("5")],
                "TypeError: unsupported format string passed to list.__format__",
            ),
            (
                t.i(5),
                "__format__",
                vec![t.s("5.")],
                "ValueError: Format specifier missing precision",
            ),
            (
                t.i(5),
                "__format__",
                vec![t.s("99999999999999999999")],
                "ValueError: Too many decimal digits in format string",
            ),
            (
                t.f(1.5),
                "__format__",
                vec![t.s(".99999999999999999999")],
                "ValueError: Too many decimal digits in format string",
            ),
            (
                t.f(1234.56789),
                "__format__",
                vec![t.s(",.4_f")],
                "'1,234.567_9'",
            ),
            (
                t.f(1234.123456),
                "__format__",
                vec![t.s(".6,f")],
                "'1234.123,456'",
            ),
            (
                t.f(1234.123456),
                "__format__",
                vec![t.s("._f")],
                "'1234.123_456'",
            ),
            (
                t.i(5),
                "__format__",
                vec![t.s("abc")],
                "ValueError: Invalid format specifier 'abc' for object of type 'int'",
            ),
            (
                t.s("a"),
                "__format__",
                vec![t.s("abcd")],
                "ValueError: Invalid format specifier 'abcd' for object of type 'str'",
            ),
            (t.i(5), "__format__", vec![t.s("<010")], "'5000000000'"),
            (t.i(5), "__format__", vec![t.s("010")], "'0000000005'"),
            (t.s("a"), "__format__", vec![t.s("05")], "'a0000'"),
            (t.s("a"), "__format__", vec![t.s("<05")], "'a0000'"),
            (t.f(0.1), "__format__", vec![t.s("")], "'0.1'"),
            (t.f(1e+22), "__format__", vec![t.s("")], "'1e+22'"),
            (t.f(1e+16), "__format__", vec![t.s("g")], "'1e+16'"),
            (
                t.f(123456789.0),
                "__format__",
                vec![t.s("g")],
                "'1.23457e+08'",
            ),
            (t.f(0.0001), "__format__", vec![t.s("g")], "'0.0001'"),
            (t.f(1e-05), "__format__", vec![t.s(".3g")], "'1e-05'"),
            (t.f(3.0), "__format__", vec![t.s(".0f")], "'3'"),
            (t.f(3.0), "__format__", vec![t.s("#.0f")], "'3.'"),
            (t.f(3.0), "__format__", vec![t.s("#g")], "'3.00000'"),
            (t.f(-3.5), "__format__", vec![t.s("+")], "'-3.5'"),
            (t.f(3.5), "__format__", vec![t.s(" ")], "' 3.5'"),
            (t.f(3.5), "__format__", vec![t.s("+.1f")], "'+3.5'"),
            (t.f(1e+100), "__format__", vec![t.s(".0")], "'1e+100'"),
            (
                t.i(12345678),
                "__format__",
                vec![t.s("e")],
                "'1.234568e+07'",
            ),
            (t.i(-5), "__format__", vec![t.s("=+6")], "'-    5'"),
            (t.i(-5), "__format__", vec![t.s("x=6")], "'-xxxx5'"),
            (
                t.i(5),
                "__format__",
                vec![t.s("\u{20ac}>4")],
                "'\u{20ac}\u{20ac}\u{20ac}5'",
            ),
            (
                t.f(1e+300),
                "__format__",
                vec![t.s(",.0f")],
                "'1,000,000,000,000,000,052,504,760,255,204,420,248,704,468,581,108,159,154,915,854,115,511,802,457,988,908,195,786,371,375,080,447,864,043,704,443,832,883,878,176,942,523,235,360,430,575,644,792,184,786,706,982,848,387,200,926,575,803,737,830,233,794,788,090,059,368,953,234,970,799,945,081,119,038,967,640,880,074,652,742,780,142,494,579,258,788,820,056,842,838,115,669,472,196,386,865,459,400,540,160'",
            ),
            (t.i(0), "__format__", vec![t.s("#x")], "'0x0'"),
            (t.i(-255), "__format__", vec![t.s("#06x")], "'-0x0ff'"),
            (
                t.f(3.14159),
                "__format__",
                vec![t.s(">10.3")],
                "'      3.14'",
            ),
            (t.i(100), "__format__", vec![t.s(".2f")], "'100.00'"),
            (t.f(99999.5), "__format__", vec![t.s(".5")], "'1e+05'"),
            (t.f(9.5), "__format__", vec![t.s(".1")], "'1e+01'"),
            (t.f(0.0), "__format__", vec![t.s(".1")], "'0e+00'"),
            (t.f(0.00012), "__format__", vec![t.s(".1")], "'0.0001'"),
            (
                t.i(123456),
                "__format__",
                vec![t.s(".3")],
                "ValueError: Precision not allowed in integer format specifier",
            ),
        ] {
            t.check(&object, method, &args, expected);
        }
    }
}
