//! `%` formatting of strings (`PyUnicode_Format`) and of bytes, which are taken for Latin-1 (`_PyBytes_FormatEx`).

use super::float_text::format_magnitude;
use super::header::Kind;
use super::int;
use super::owned::{Owned, PyResult, Raised};
use super::str::{self, Chars};
use super::str_writer::StrWriter;
use super::vm::Vm;
use super::word::Word;
use super::{int_text, number, protocol, sequence, str_text, tuple};

struct Arguments {
    vm: Vm,
    /// The right operand.
    whole: Word,
    is_mapping: bool,
    next: usize,
    used_key: bool,
    /// What is formatted is bytes.
    bytes: bool,
}

impl Arguments {
    fn len(&self) -> Option<usize> {
        // SAFETY: the caller keeps the operand.
        tuple::is_tuple(self.whole).then(|| unsafe { tuple::items(self.whole) }.len())
    }
    fn take(&mut self) -> Result<Owned, Raised> {
        let index = self.next;
        self.next += 1;
        match self.len() {
            // SAFETY: as above.
            Some(length) if index < length => {
                Ok(Owned::new_ref(unsafe { tuple::items(self.whole) }[index]))
            }
            None if index == 0 => Ok(Owned::new_ref(self.whole)),
            _ => Err(self.vm.type_error("not enough arguments for format string")),
        }
    }
    fn all_used(&self) -> bool {
        match self.len() {
            Some(length) => self.next >= length,
            None => self.next > 0 || self.is_mapping,
        }
    }
}

#[derive(Default)]
struct Conversion {
    bytes: bool,
    left: bool,
    plus: bool,
    blank: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// `format % arguments`.
pub fn format(vm: Vm, format: Word, arguments: Word) -> PyResult {
    format_chars(vm, str::chars(format), arguments, false)?.finish()
}
/// The same of bytes that no code can change meanwhile.
pub(super) fn format_bytes(vm: Vm, format: &[u8], arguments: Word) -> Result<Vec<u8>, Raised> {
    let writer = format_chars(vm, Chars::One(format), arguments, true)?;
    Ok(writer.chars().iter().map(|c| c as u8).collect())
}
fn format_chars(
    vm: Vm,
    chars: Chars<'_>,
    arguments: Word,
    bytes: bool,
) -> Result<StrWriter, Raised> {
    let mut writer = StrWriter::new(vm);
    let is_text = if bytes {
        super::bytes::is_bytes_like(arguments)
    } else {
        str::is_str(arguments)
    };
    let mut arguments = Arguments {
        vm,
        whole: arguments,
        // SAFETY: types are live as long as an instance.
        is_mapping: unsafe { (*vm.type_of(arguments)).slots.getitem.is_some() }
            && !tuple::is_tuple(arguments)
            && !is_text,
        next: 0,
        used_key: false,
        bytes,
    };
    let mut at = 0;
    while at < chars.len() {
        let start = at;
        while at < chars.len() && chars.at(at) != 0x25 {
            at += 1;
        }
        writer.push_chars(chars.slice(start, at))?;
        if at < chars.len() {
            at += 1;
            one(vm, chars, &mut at, &mut arguments, &mut writer)?;
        }
    }
    if !arguments.all_used() && !arguments.used_key {
        let what = if bytes { "bytes" } else { "string" };
        return Err(vm.type_error(format!(
            "not all arguments converted during {what} formatting"
        )));
    }
    Ok(writer)
}

/// One conversion, behind its percent sign.
fn one(
    vm: Vm,
    chars: Chars<'_>,
    at: &mut usize,
    arguments: &mut Arguments,
    writer: &mut StrWriter,
) -> Result<(), Raised> {
    let incomplete = || vm.value_error("incomplete format");
    let peek = |at: usize| (at < chars.len()).then(|| chars.at(at));
    let mut conversion = Conversion {
        bytes: arguments.bytes,
        ..Conversion::default()
    };
    let begin = *at;
    let mut keyed = None;
    if peek(*at) == Some(0x28) {
        if !arguments.is_mapping {
            return Err(vm.type_error("format requires a mapping"));
        }
        let start = *at + 1;
        let mut depth = 1;
        while depth > 0 {
            *at += 1;
            match peek(*at) {
                None => return Err(vm.value_error("incomplete format key")),
                Some(0x28) => depth += 1,
                Some(0x29) => depth -= 1,
                _ => {}
            }
        }
        let key = chars.slice(start, *at);
        let key = if arguments.bytes {
            let key: Vec<u8> = key.iter().map(|c| c as u8).collect();
            super::bytes::new_bytes(vm, &key)?
        } else {
            vm.str_from_chars(key)?
        };
        *at += 1;
        keyed = Some(sequence::get_item(vm, arguments.whole, key.as_word())?);
        arguments.used_key = true;
    }
    while let Some(c) = peek(*at) {
        match c {
            0x2d => conversion.left = true,
            0x2b => conversion.plus = true,
            0x20 => conversion.blank = true,
            0x23 => conversion.alternate = true,
            0x30 => conversion.zero = true,
            _ => break,
        }
        *at += 1;
    }
    if peek(*at) == Some(0x2a) {
        *at += 1;
        let width = star(vm, arguments, true)?;
        conversion.left |= width < 0;
        conversion.width = width.unsigned_abs() as usize;
    } else {
        conversion.width = digits(vm, chars, at, "width too big")?.unwrap_or(0);
    }
    if peek(*at) == Some(0x2e) {
        *at += 1;
        conversion.precision = Some(if peek(*at) == Some(0x2a) {
            *at += 1;
            star(vm, arguments, false)?.max(0) as usize
        } else {
            digits(vm, chars, at, "precision too big")?.unwrap_or(0)
        });
    }
    if matches!(peek(*at), Some(0x68 | 0x6c | 0x4c)) {
        *at += 1;
    }
    let code = peek(*at).ok_or_else(incomplete)?;
    *at += 1;
    if code == 0x25 && *at == begin + 1 {
        return writer.push(0x25);
    }
    let value = match keyed {
        Some(value) => value,
        None => arguments.take()?,
    };
    convert(vm, code, *at - 1, value.as_word(), &conversion, writer)
}

/// A width is as large as an index, a precision a C int.
fn star(vm: Vm, arguments: &mut Arguments, is_width: bool) -> Result<i64, Raised> {
    let value = arguments.take()?;
    let Some(value) = int::value(value.as_word()) else {
        return Err(vm.type_error("* wants int"));
    };
    let fits = |value: &i64| is_width || i32::try_from(*value).is_ok();
    value.to_i64().filter(fits).ok_or_else(|| {
        let kind = if is_width { "ssize_t" } else { "int" };
        vm.overflow_error(format!("Python int too large to convert to C {kind}"))
    })
}
fn digits(
    vm: Vm,
    chars: Chars<'_>,
    at: &mut usize,
    too_big: &str,
) -> Result<Option<usize>, Raised> {
    let start = *at;
    let mut value = 0usize;
    while *at < chars.len()
        && let c @ 0x30..=0x39 = chars.at(*at)
    {
        value = value.saturating_mul(10).saturating_add((c - 0x30) as usize);
        if value > i32::MAX as usize {
            return Err(vm.value_error(too_big));
        }
        *at += 1;
    }
    Ok((*at > start).then_some(value))
}

fn convert(
    vm: Vm,
    code: u32,
    position: usize,
    value: Word,
    conversion: &Conversion,
    writer: &mut StrWriter,
) -> Result<(), Raised> {
    match char::from_u32(code) {
        Some('s' | 'b') if conversion.bytes => {
            let bytes = bytes_of(vm, value)?;
            let data = super::bytes::contents(bytes.as_word());
            let length = conversion
                .precision
                .map_or(data.len(), |precision| precision.min(data.len()));
            pad_text(conversion, Chars::One(&data[..length]), writer)
        }
        Some('c') if conversion.bytes => {
            let c = byte(vm, value)?;
            pad_text(conversion, Chars::One(&[c]), writer)
        }
        Some(code @ ('s' | 'r' | 'a')) => {
            let text = match code {
                's' => protocol::str(vm, value)?,
                'r' if !conversion.bytes => protocol::repr(vm, value)?,
                _ => {
                    let repr = protocol::repr(vm, value)?;
                    str_text::escape_non_ascii(vm, repr.as_word())?
                }
            };
            let chars = str::chars(text.as_word());
            let length = conversion
                .precision
                .map_or(chars.len(), |precision| precision.min(chars.len()));
            pad_text(conversion, chars.slice(0, length), writer)
        }
        Some('c') => {
            let c = character(vm, value)?;
            pad_text(conversion, Chars::Four(&[c]), writer)
        }
        Some(code @ ('d' | 'i' | 'u' | 'o' | 'x' | 'X')) => {
            let (negative, prefix, digits) = integer(vm, code, value, conversion)?;
            pad_number(conversion, negative, prefix, &digits, writer)
        }
        Some(code @ ('e' | 'E' | 'f' | 'F' | 'g' | 'G')) => {
            let value = number::to_float(vm, value)?;
            let text = format_magnitude(
                value,
                code,
                conversion.precision.unwrap_or(6),
                conversion.alternate,
            );
            pad_number(
                conversion,
                value.is_sign_negative() && !value.is_nan(),
                "",
                &text,
                writer,
            )
        }
        _ => {
            let shown = if (0x20..0x7f).contains(&code) {
                char::from_u32(code).unwrap_or('?')
            } else {
                '?'
            };
            Err(vm.value_error(format!(
                "unsupported format character '{shown}' (0x{code:x}) at index {position}"
            )))
        }
    }
}

/// What `%b` shows: bytes, or the answer of `__bytes__`.
fn bytes_of(vm: Vm, value: Word) -> PyResult {
    if super::bytes::is_bytes_like(value) {
        return super::bytes::new_bytes(vm, super::bytes::contents(value));
    }
    match super::attr::lookup_bound(vm, value, vm.names.__bytes__)? {
        Some(method) => {
            let answer = super::call::call(vm, method.as_word(), &[], None)?;
            if answer.as_word().is_instance(Kind::BYTES) {
                return Ok(answer);
            }
            Err(vm.type_error(format!(
                "__bytes__ returned non-bytes (type {})",
                vm.type_name(answer.as_word())
            )))
        }
        None => Err(vm.type_error(format!(
            "%b requires a bytes-like object, or an object that implements __bytes__, not '{}'",
            vm.type_name(value)
        ))),
    }
}
/// What `%c` shows of bytes.
fn byte(vm: Vm, value: Word) -> Result<u8, Raised> {
    if super::bytes::is_bytes_like(value) {
        if let [byte] = super::bytes::contents(value) {
            return Ok(*byte);
        }
        return Err(vm.type_error(format!(
            "%c requires an integer in range(256) or a single byte, not a {} object of length {}",
            vm.type_name(value),
            super::bytes::contents(value).len()
        )));
    }
    if !number::is_index(vm, value) {
        return Err(vm.type_error(format!(
            "%c requires an integer in range(256) or a single byte, not {}",
            vm.type_name(value)
        )));
    }
    let index = number::index(vm, value)?;
    match int::value(index.as_word()).and_then(int::IntRef::to_i64) {
        Some(c @ 0..=0xff) => Ok(c as u8),
        _ => Err(vm.overflow_error("%c arg not in range(256)")),
    }
}

fn character(vm: Vm, value: Word) -> Result<u32, Raised> {
    if str::is_str(value) {
        let chars = str::chars(value);
        if chars.len() == 1 {
            return Ok(chars.at(0));
        }
        return Err(vm.type_error(format!(
            "%c requires an int or a unicode character, not a string of length {}",
            chars.len()
        )));
    }
    if !number::is_index(vm, value) {
        return Err(vm.type_error(format!(
            "%c requires an int or a unicode character, not {}",
            vm.type_name(value)
        )));
    }
    let index = number::index(vm, value)?;
    match int::value(index.as_word()).and_then(int::IntRef::to_i64) {
        Some(c @ 0..=0x10_ffff) => Ok(c as u32),
        _ => Err(vm.overflow_error("%c arg not in range(0x110000)")),
    }
}

#[cold]
fn required(vm: Vm, code: char, value: Word) -> Raised {
    let what = match code {
        'o' | 'x' | 'X' => "an integer is required",
        _ => "a real number is required",
    };
    vm.clear_exception();
    let given = vm.type_name(value);
    vm.type_error(format!("%{code} format: {what}, not {given}"))
}

/// Sign, prefix and digits at least as many as the precision (`mainformatlong`).
fn integer(
    vm: Vm,
    code: char,
    value: Word,
    conversion: &Conversion,
) -> Result<(bool, &'static str, String), Raised> {
    let hexadecimal = matches!(code, 'o' | 'x' | 'X');
    // SAFETY: types are live as long as an instance.
    let slots = unsafe { &raw const (*vm.type_of(value)).slots };
    let is_real = unsafe {
        (*slots).index.is_some()
            || (!hexadecimal && ((*slots).int.is_some() || (*slots).float.is_some()))
    };
    if !(int::is_int(value) || is_real) {
        return Err(required(vm, code, value));
    }
    let whole = if hexadecimal {
        number::index(vm, value)
    } else {
        number::to_int(vm, value)
    };
    let whole = whole.map_err(|raised| match vm.exception_matches(vm.exc.TypeError) {
        true => required(vm, code, value),
        false => raised,
    })?;
    let text = match code {
        'o' => int_text::to_base(whole.as_word(), 8, ""),
        'x' | 'X' => int_text::to_base(whole.as_word(), 16, ""),
        _ => int_text::to_decimal(vm, whole.as_word())?,
    };
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let wanted = conversion.precision.unwrap_or(0);
    let zeros = wanted.saturating_sub(digits.len());
    if zeros > 1 << 16 && !vm.heap.has_room(zeros) {
        return Err(vm.no_memory());
    }
    let mut padded = "0".repeat(zeros);
    padded.push_str(digits);
    if code == 'X' {
        padded.make_ascii_uppercase();
    }
    let prefix = match (conversion.alternate, code) {
        (true, 'o') => "0o",
        (true, 'x') => "0x",
        (true, 'X') => "0X",
        _ => "",
    };
    Ok((text.starts_with('-'), prefix, padded))
}

fn pad_text(
    conversion: &Conversion,
    chars: Chars<'_>,
    writer: &mut StrWriter,
) -> Result<(), Raised> {
    let missing = conversion.width.saturating_sub(chars.len());
    if !conversion.left {
        writer.push_repeated(0x20, missing)?;
    }
    writer.push_chars(chars)?;
    if conversion.left {
        writer.push_repeated(0x20, missing)
    } else {
        Ok(())
    }
}

fn pad_number(
    conversion: &Conversion,
    negative: bool,
    prefix: &str,
    digits: &str,
    writer: &mut StrWriter,
) -> Result<(), Raised> {
    let sign = match (negative, conversion.plus, conversion.blank) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    };
    let missing = conversion
        .width
        .saturating_sub(sign.len() + prefix.len() + digits.len());
    let zeros = conversion.zero && !conversion.left;
    if !conversion.left && !zeros {
        writer.push_repeated(0x20, missing)?;
    }
    writer.push_str(sign)?;
    writer.push_str(prefix)?;
    if zeros {
        writer.push_repeated(0x30, missing)?;
    }
    writer.push_str(digits)?;
    if conversion.left {
        writer.push_repeated(0x20, missing)
    } else {
        Ok(())
    }
}

/// `str % o` as an operator.
pub(super) fn str_remainder(vm: Vm, a: Word, b: Word) -> PyResult {
    if a.kind().base() != Kind::STR {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    format(vm, a, b)
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
                t.s("%d"),
                "__mod__",
                vec![t.s("a")],
                "TypeError: %d format: a real number is required, not str",
            ),
            (
                t.s("%x"),
                "__mod__",
                vec![t.f(1.5)],
                "TypeError: %x format: an integer is required, not float",
            ),
            (
                t.s("%c"),
                "__mod__",
                vec![t.list(&[])],
                "TypeError: %c requires an int or a unicode character, not list",
            ),
            (
                t.s("%c"),
                "__mod__",
                vec![t.s("ab")],
                "TypeError: %c requires an int or a unicode character, not a string of length 2",
            ),
            (
                t.s("%c"),
                "__mod__",
                vec![t.i(-1)],
                "OverflowError: %c arg not in range(0x110000)",
            ),
            (
                t.s("%y"),
                "__mod__",
                vec![t.i(1)],
                "ValueError: unsupported format character 'y' (0x79) at index 1",
            ),
            (
                t.s("%"),
                "__mod__",
                vec![t.i(1)],
                "ValueError: incomplete format",
            ),
            (
                t.s("%(a"),
                "__mod__",
                vec![t.dict(&[])],
                "ValueError: incomplete format key",
            ),
            (
                t.s("%(a)s"),
                "__mod__",
                vec![t.i(1)],
                "TypeError: format requires a mapping",
            ),
            (
                t.s("%*d"),
                "__mod__",
                vec![t.tuple(&[t.s("a"), t.i(1)])],
                "TypeError: * wants int",
            ),
            (
                t.s("%d"),
                "__mod__",
                vec![t.tuple(&[])],
                "TypeError: not enough arguments for format string",
            ),
            (
                t.s("%s"),
                "__mod__",
                vec![t.tuple(&[t.i(1), t.i(2)])],
                "TypeError: not all arguments converted during string formatting",
            ),
            (
                t.s("%.*f"),
                "__mod__",
                vec![t.tuple(&[t.i(2), t.f(1.5)])],
                "'1.50'",
            ),
            (
                t.s("%5.1f|%-8s|%+d|% d|%05d|%#x|%#o|%e|%g|%r|%a|%%"),
                "__mod__",
                vec![t.tuple(&[
                    t.f(1.25),
                    t.s("ab"),
                    t.i(3),
                    t.i(4),
                    t.i(-5),
                    t.i(255),
                    t.i(8),
                    t.f(10000000000.0),
                    t.f(1e-05),
                    t.s("\u{e9}"),
                    t.s("\u{e9}"),
                ])],
                "\"  1.2|ab      |+3| 4|-0005|0xff|0o10|1.000000e+10|1e-05|'\u{e9}'|'\\\\xe9'|%\"",
            ),
            (t.s("%i"), "__mod__", vec![t.f(3.99)], "'3'"),
            (t.s("%x"), "__mod__", vec![t.i(-255)], "'-ff'"),
            (t.s("%#X"), "__mod__", vec![t.i(255)], "'0XFF'"),
            (t.s("%05.3d"), "__mod__", vec![t.i(7)], "'00007'"),
            (
                t.s("%(a)d %(b)s"),
                "__mod__",
                vec![t.dict(&[(t.s("a"), t.i(1)), (t.s("b"), t.i(2))])],
                "'1 2'",
            ),
            (
                t.s("abc"),
                "__mod__",
                vec![t.i(1)],
                "TypeError: not all arguments converted during string formatting",
            ),
            (t.s("abc"), "__mod__", vec![t.dict(&[])], "'abc'"),
            (t.s("abc"), "__mod__", vec![t.list(&[t.i(1)])], "'abc'"),
            (
                t.s("%f"),
                "__mod__",
                vec![t.s("a")],
                "TypeError: must be real number, not str",
            ),
            (t.s("%.2s"), "__mod__", vec![t.s("abc")], "'ab'"),
            (t.s("%c"), "__mod__", vec![t.i(8364)], "'\u{20ac}'"),
            (t.s("%G"), "__mod__", vec![t.f(1e-10)], "'1E-10'"),
            (t.s("%#g"), "__mod__", vec![t.f(1.5)], "'1.50000'"),
            (t.s("%08.2f"), "__mod__", vec![t.f(-3.14159)], "'-0003.14'"),
            (t.s("%-8.2f|"), "__mod__", vec![t.f(3.14159)], "'3.14    |'"),
            (
                t.s("%+.3e"),
                "__mod__",
                vec![t.f(12345.678)],
                "'+1.235e+04'",
            ),
            (t.s("%s"), "__mod__", vec![t.none()], "'None'"),
            (
                t.s("%5s|%-5s|"),
                "__mod__",
                vec![t.tuple(&[t.s("a"), t.s("b")])],
                "'    a|b    |'",
            ),
            (t.s("%d"), "__mod__", vec![t.b(true)], "'1'"),
            (
                t.s("%d"),
                "__mod__",
                vec![t.big("100000000000000000000")],
                "'100000000000000000000'",
            ),
            (t.s("%o"), "__mod__", vec![t.i(8)], "'10'"),
            (t.s("%.0f"), "__mod__", vec![t.f(0.5)], "'0'"),
            (t.s("%.0f"), "__mod__", vec![t.f(1.5)], "'2'"),
            (
                t.s("%s %s"),
                "__mod__",
                vec![t.tuple(&[t.s("a")])],
                "TypeError: not enough arguments for format string",
            ),
        ] {
            t.check(&object, method, &args, expected);
        }
    }
}
