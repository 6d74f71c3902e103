//! `format()` of strings, ints and floats (`formatter_unicode.c`).

use super::float;
use super::float_text;
use super::header::Kind;
use super::int::{self, IntRef};
use super::owned::{PyResult, Raised};
use super::str::{self, Chars};
use super::str_writer::StrWriter;
use super::vm::Vm;
use super::word::Word;
use super::{attr, call, int_text, protocol, str_text};

/// `[[fill]align][sign][z][#][0][width][grouping][.precision[grouping]][type]`.
#[derive(Clone, Copy)]
struct Spec {
    fill: u32,
    align: char,
    align_given: bool,
    sign: Option<char>,
    no_negative_zero: bool,
    alternate: bool,
    width: Option<usize>,
    grouping: Option<char>,
    precision: Option<usize>,
    fraction_grouping: Option<char>,
    code: Option<u32>,
}

/// `format(o, spec)` (`PyObject_Format`).
pub fn format(vm: Vm, object: Word, spec: Word) -> PyResult {
    if !str::is_str(spec) {
        return Err(vm.type_error(format!(
            "format() argument 2 must be str, not {}",
            vm.type_name(spec)
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
    let text = call::call(vm, method.as_word(), &[spec], None)?;
    if str::is_str(text.as_word()) {
        return Ok(text);
    }
    Err(vm.type_error(format!(
        "{}.__format__() must return a str, not {}",
        vm.type_name(object),
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

/// The parsed spec; None for an empty one, which means `str(self)`.
fn dunder_spec(vm: Vm, self_: Word, spec: Word, align: char) -> Result<Option<Spec>, Raised> {
    if !str::is_str(spec) {
        return Err(vm.type_error(format!(
            "__format__() argument must be str, not {}",
            vm.type_name(spec)
        )));
    }
    if str::object(spec).length == 0 {
        return Ok(None);
    }
    parse(vm, str::chars(spec), align, &vm.type_name(self_)).map(Some)
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

fn parse(vm: Vm, text: Chars<'_>, default_align: char, type_name: &str) -> Result<Spec, Raised> {
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
                "Invalid format specifier '{whole}' for object of type '{type_name}'"
            )));
        }
    }
    if let Some(separator) = spec.grouping.or(spec.fraction_grouping) {
        let code = spec.code.and_then(char::from_u32);
        let fits = match code {
            None | Some('d' | 'e' | 'f' | 'g' | 'E' | 'G' | 'F' | '%') => true,
            Some('b' | 'o' | 'x' | 'X') => separator == '_',
            _ => false,
        };
        if !fits {
            let code = spec.code.unwrap_or(0);
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
fn padding(spec: &Spec, length: usize) -> (usize, usize) {
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

/// A number taken apart: what is padded and grouped how.
struct Number<'a> {
    negative: bool,
    prefix: &'a str,
    digits: &'a str,
    /// Point, fraction, exponent, percent sign.
    rest: &'a str,
    group: usize,
}

fn write_number(vm: Vm, spec: &Spec, number: &Number<'_>) -> PyResult {
    let sign = match (number.negative, spec.sign) {
        (true, _) => "-",
        (_, Some('+')) => "+",
        (_, Some(' ')) => " ",
        _ => "",
    };
    let outside = sign.len() + number.prefix.len() + number.rest.len();
    // Zero padding is part of the digits, so that it is grouped with them.
    let zero_padded = spec.fill == 0x30 && spec.align == '=';
    let least = if zero_padded {
        spec.width.unwrap_or(0).saturating_sub(outside)
    } else {
        0
    };
    if least > 1 << 16 && !vm.heap.has_room(least.saturating_mul(2)) {
        return Err(vm.no_memory());
    }
    let digits = match spec.grouping {
        Some(separator) if number.digits.starts_with(|c: char| c.is_ascii_hexdigit()) => {
            group(number.digits, separator, number.group, least)
        }
        _ => number.digits.to_owned(),
    };
    let length = outside + digits.len();
    let missing = spec.width.unwrap_or(0).saturating_sub(length);
    let (left, inner, right) = match spec.align {
        '=' => (0, missing, 0),
        _ => {
            let (left, right) = padding(spec, length);
            (left, 0, right)
        }
    };
    let mut writer = StrWriter::new(vm);
    writer.reserve(length.saturating_add(missing))?;
    writer.push_repeated(spec.fill, left)?;
    writer.push_str(sign)?;
    writer.push_str(number.prefix)?;
    writer.push_repeated(spec.fill, inner)?;
    writer.push_str(&digits)?;
    writer.push_str(number.rest)?;
    writer.push_repeated(spec.fill, right)?;
    writer.finish()
}

/// Digits with separators, extended by zeros to at least `least` characters
/// (`_PyUnicode_InsertThousandsGrouping`).
fn group(digits: &str, separator: char, size: usize, least: usize) -> String {
    let mut reversed: Vec<u8> = Vec::with_capacity(digits.len().max(least) * 4 / 3 + 1);
    let mut left = digits.bytes().rev();
    let (mut remaining, mut wanted) = (digits.len(), least);
    loop {
        let take = size.min(remaining.max(wanted).max(1));
        reversed.extend((0..take).map(|_| left.next().unwrap_or(b'0')));
        remaining = remaining.saturating_sub(take);
        wanted = wanted.saturating_sub(take);
        if remaining == 0 && wanted == 0 {
            break;
        }
        wanted = wanted.saturating_sub(1);
        reversed.push(separator as u8);
    }
    reversed.reverse();
    String::from_utf8(reversed).unwrap_or_default()
}

fn format_int(vm: Vm, word: Word, spec: &Spec) -> PyResult {
    if spec.precision.is_some() {
        return Err(vm.value_error("Precision not allowed in integer format specifier"));
    }
    if spec.no_negative_zero {
        return Err(
            vm.value_error("Negative zero coercion (z) not allowed in integer format specifier")
        );
    }
    let value = int::value(word).unwrap_or(IntRef::Small(0));
    let code = spec.code.and_then(char::from_u32).unwrap_or('d');
    if code == 'c' {
        if spec.sign.is_some() {
            return Err(vm.value_error("Sign not allowed with integer format specifier 'c'"));
        }
        if spec.alternate {
            return Err(
                vm.value_error("Alternate form (#) not allowed with integer format specifier 'c'")
            );
        }
        let Some(c @ 0..=0x10_ffff) = value.to_i64() else {
            return Err(vm.overflow_error("%c arg not in range(0x110000)"));
        };
        let (left, right) = padding(
            &Spec {
                align: if spec.align_given { spec.align } else { '<' },
                ..*spec
            },
            1,
        );
        let mut writer = StrWriter::new(vm);
        writer.push_repeated(spec.fill, left)?;
        writer.push(c as u32)?;
        writer.push_repeated(spec.fill, right)?;
        return writer.finish();
    }
    let (base, prefix, size) = match code {
        'b' => (2, "0b", 4),
        'o' => (8, "0o", 4),
        'x' => (16, "0x", 4),
        'X' => (16, "0X", 4),
        _ => (10, "", 3),
    };
    let text = if base == 10 {
        int_text::to_decimal(vm, word)?
    } else {
        int_text::to_base(word, base, "")
    };
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let digits = if code == 'X' {
        digits.to_ascii_uppercase()
    } else {
        digits.to_owned()
    };
    let number = Number {
        negative: value.is_negative(),
        prefix: if spec.alternate { prefix } else { "" },
        digits: &digits,
        rest: "",
        group: size,
    };
    write_number(vm, spec, &number)
}

fn format_float(vm: Vm, value: f64, spec: &Spec) -> PyResult {
    if spec
        .precision
        .is_some_and(|precision| precision > i32::MAX as usize)
    {
        return Err(vm.value_error("precision too big"));
    }
    let code = spec.code.and_then(char::from_u32);
    let (value, percent) = if code == Some('%') {
        (value * 100.0, "%")
    } else {
        (value, "")
    };
    let magnitude = match (code, spec.precision) {
        (None, None) => {
            let text = float_text::repr(if value.is_nan() { value } else { value.abs() });
            if spec.alternate && value.is_finite() && !text.contains('.') {
                text.replacen('e', ".e", 1)
            } else {
                text
            }
        }
        (None, Some(precision)) => general_with_point(value, precision, spec.alternate),
        (Some('%'), precision) => {
            float_text::format_magnitude(value, 'f', precision.unwrap_or(6), spec.alternate)
        }
        (Some('n'), precision) => {
            float_text::format_magnitude(value, 'g', precision.unwrap_or(6), spec.alternate)
        }
        (Some(code), precision) => {
            float_text::format_magnitude(value, code, precision.unwrap_or(6), spec.alternate)
        }
    };
    let mut negative = value.is_sign_negative() && !value.is_nan();
    if spec.no_negative_zero
        && negative
        && !magnitude.contains(|c: char| ('1'..='9').contains(&c))
        && value.is_finite()
    {
        negative = false;
    }
    let split = magnitude
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(magnitude.len());
    let (digits, tail) = if value.is_finite() {
        magnitude.split_at(split)
    } else {
        (magnitude.as_str(), "")
    };
    let mut rest = tail.to_owned();
    if let Some(separator) = spec.fraction_grouping
        && let Some(fraction) = tail.strip_prefix('.')
    {
        let end = fraction
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(fraction.len());
        rest = String::from(".");
        for (index, c) in fraction[..end].chars().enumerate() {
            if index > 0 && index % 3 == 0 {
                rest.push(separator);
            }
            rest.push(c);
        }
        rest.push_str(&fraction[end..]);
    }
    rest.push_str(percent);
    // "inf" and "nan" take no separators.
    let spec = if value.is_finite() {
        *spec
    } else {
        Spec {
            grouping: None,
            ..*spec
        }
    };
    write_number(
        vm,
        &spec,
        &Number {
            negative,
            prefix: "",
            digits,
            rest: &rest,
            group: 3,
        },
    )
}

/// Format `g` that keeps a digit after the point (`Py_DTSF_ADD_DOT_0`).
fn general_with_point(value: f64, precision: usize, alternate: bool) -> String {
    let text = float_text::format_magnitude(value, 'g', precision, alternate);
    if !value.is_finite() || text.contains('e') {
        return text;
    }
    if text.contains('.') {
        return text;
    }
    // As many digits before the point as the precision: no room for the one after it.
    if text.len() >= precision.max(1) {
        let digits = float_text::format_magnitude(value, 'e', precision.max(1) - 1, alternate);
        let (mantissa, exponent) = digits.split_once('e').unwrap_or((&digits, "+00"));
        let mantissa = if mantissa.contains('.') {
            mantissa.trim_end_matches('0').trim_end_matches('.')
        } else {
            mantissa
        };
        return format!("{mantissa}e{exponent}");
    }
    text + ".0"
}

#[cfg(test)]
mod tests {
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
