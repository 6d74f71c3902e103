//! `format()` of ints and floats: digits, grouping, padding (`formatter_unicode.c`'s second half).

use super::float_text;
use super::format::{Spec, padding};
use super::int::{self, IntRef};
use super::int_text;
use super::owned::{Owned, PyResult};
use super::str;
use super::str_writer::StrWriter;
use super::vm::Vm;
use super::word::Word;
use std::borrow::Cow;

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
            Cow::Owned(group(number.digits, separator, number.group, least))
        }
        _ => Cow::Borrowed(number.digits),
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
    let total = length.saturating_add(missing);
    if spec.fill < 0x80 && (2..1 << 16).contains(&total) && number.rest.is_ascii() {
        let pieces = [
            (left, sign),
            (0, number.prefix),
            (inner, &*digits),
            (0, number.rest),
            (right, ""),
        ];
        return padded_ascii(vm, total, spec.fill as u8, &pieces);
    }
    let mut writer = StrWriter::new(vm);
    writer.reserve(total)?;
    writer.push_repeated(spec.fill, left)?;
    writer.push_str(sign)?;
    writer.push_str(number.prefix)?;
    writer.push_repeated(spec.fill, inner)?;
    writer.push_str(&digits)?;
    writer.push_str(number.rest)?;
    writer.push_repeated(spec.fill, right)?;
    writer.finish()
}

/// ASCII pieces of `total` bytes in all, each behind so many fill characters.
fn padded_ascii(vm: Vm, total: usize, fill: u8, pieces: &[(usize, &str)]) -> PyResult {
    let string = vm.alloc_ascii(total)?;
    // SAFETY: allocated with room for the total.
    unsafe {
        let mut to = (*string).data();
        for (padding, text) in pieces {
            to.write_bytes(fill, *padding);
            to = to.add(*padding);
            str::copy_bytes(text.as_ptr(), to, text.len());
            to = to.add(text.len());
        }
        debug_assert_eq!(to, (*string).data().add(total));
        Ok(Owned::from_raw(string))
    }
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

/// Digits of a number of 64 bits, written from the end of the buffer.
fn small_digits(buffer: &mut [u8; 64], mut value: u64, base: u32, upper: bool) -> &str {
    let letters = if upper { b'A' } else { b'a' };
    let base = u64::from(base);
    let mut at = buffer.len();
    loop {
        let digit = (value % base) as u8;
        at -= 1;
        buffer[at] = if digit < 10 {
            b'0' + digit
        } else {
            letters + digit - 10
        };
        value /= base;
        if value == 0 {
            // SAFETY: ASCII digits and letters were written from there on.
            return unsafe { std::str::from_utf8_unchecked(&buffer[at..]) };
        }
    }
}

pub(super) fn format_int(vm: Vm, word: Word, spec: &Spec) -> PyResult {
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
        let c = match value.to_i64() {
            Some(c @ 0..=0x10_ffff) => c,
            Some(_) => return Err(vm.overflow_error("%c arg not in range(0x110000)")),
            None => {
                let message = "Python int too large to convert to C long";
                return Err(vm.overflow_error(message));
            }
        };
        let (left, right) = padding(spec, 1);
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
    let mut small = [0; 64];
    let text = match value {
        IntRef::Small(value) => Cow::Borrowed(small_digits(
            &mut small,
            value.unsigned_abs(),
            base,
            code == 'X',
        )),
        IntRef::Big(_) if base == 10 => Cow::Owned(int_text::to_decimal(vm, word)?),
        IntRef::Big(_) if code == 'X' => {
            Cow::Owned(int_text::to_base(word, base, "").to_ascii_uppercase())
        }
        IntRef::Big(_) => Cow::Owned(int_text::to_base(word, base, "")),
    };
    let number = Number {
        negative: value.is_negative(),
        prefix: if spec.alternate { prefix } else { "" },
        digits: text.strip_prefix('-').unwrap_or(&text),
        rest: "",
        group: size,
    };
    write_number(vm, spec, &number)
}

pub(super) fn format_float(vm: Vm, value: f64, spec: &Spec) -> PyResult {
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
