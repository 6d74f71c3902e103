//! Ints from and to text (`long_to_decimal_string`, `PyLong_FromString`).

use super::int::{self, IntRef};
use super::owned::{Owned, PyResult, Raised};
use super::str::{self, Chars};
use super::vm::Vm;
use super::word::Word;
use super::{bytes, protocol};
use num_bigint::{BigInt, Sign};

/// `str(i)` (`long_to_decimal_string`): ValueError beyond the digit limit.
pub fn to_decimal(vm: Vm, word: Word) -> Result<String, Raised> {
    match int::value(word) {
        Some(IntRef::Small(value)) => Ok(value.to_string()),
        Some(IntRef::Big(value)) => {
            let limit = vm.int_max_str_digits.get();
            // 10 bits make 3.01 digits: well below the limit no digits need to be counted.
            if limit != 0 && value.bits() / 3 > limit as u64 {
                let too_long = || {
                    vm.value_error(format!(
                        "Exceeds the limit ({limit} digits) for integer string conversion; \
                         use sys.set_int_max_str_digits() to increase the limit"
                    ))
                };
                // Far beyond, the digits are not even made.
                if value.bits() / 4 > limit as u64 {
                    return Err(too_long());
                }
                let text = value.to_string();
                return if text.len() - usize::from(value.sign() == Sign::Minus) > limit {
                    Err(too_long())
                } else {
                    Ok(text)
                };
            }
            Ok(value.to_string())
        }
        None => Ok(String::new()),
    }
}

pub(super) fn int_repr(vm: Vm, word: Word) -> PyResult {
    if word.is_int()
        && let value @ 0..10 = word.as_int()
    {
        return vm.str_from_char(value as u32 + u32::from(b'0'));
    }
    if word.is_int() {
        let mut digits = itoa::Buffer::new();
        let text = digits.format(word.as_int()).as_bytes();
        let string = vm.alloc_ascii(text.len())?;
        // SAFETY: allocated with room for the digits.
        unsafe {
            str::copy_bytes(text.as_ptr(), (*string).data(), text.len());
            return Ok(Owned::from_raw(string));
        }
    }
    let text = to_decimal(vm, word)?;
    vm.str_from_chars(Chars::One(text.as_bytes()))
}

/// A character's value as a decimal digit, of any script.
pub fn decimal_digit(c: u32) -> Option<u32> {
    match c {
        0x30..=0x39 => Some(c - 0x30),
        0..0x80 => None,
        _ => super::unicode::decimal(c),
    }
}

/// The text that numbers are parsed from: white space stripped, digits of any script made ASCII
/// (`_PyUnicode_TransformDecimalAndSpaceToASCII`). A character that is nothing of the kind becomes `?`.
pub(super) fn ascii_number(chars: Chars<'_>) -> String {
    let text: String = chars
        .iter()
        .map(|c| match c {
            0..0x80 => c as u8 as char,
            _ if super::unicode::is_space(c) => ' ',
            _ => decimal_digit(c)
                .and_then(|digit| char::from_digit(digit, 10))
                .unwrap_or('?'),
        })
        .collect();
    text.trim_matches(|c: char| {
        c.is_ascii_whitespace() || c == '\x0b' || ('\x1c'..='\x1f').contains(&c)
    })
    .to_owned()
}

/// `int(text, base)` of a str, bytes or bytearray.
pub fn parse_object(vm: Vm, object: Word, base: u32) -> PyResult {
    let text = if str::is_str(object) {
        ascii_number(str::chars(object))
    } else {
        ascii_number(Chars::One(bytes::contents(object)))
    };
    match parse(vm, &text, base)? {
        Some(value) => vm.new_bigint(value),
        None => {
            let repr = protocol::repr(vm, object)?;
            Err(vm.value_error(format!(
                "invalid literal for int() with base {base}: {}",
                str::to_string_lossy(repr.as_word())
            )))
        }
    }
}

/// A literal with sign, prefix and underscores; base 0 takes it from the prefix. None if it is not one.
pub fn parse(vm: Vm, text: &str, base: u32) -> Result<Option<BigInt>, Raised> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let prefix = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => Some(16),
        [b'0', b'o' | b'O', ..] => Some(8),
        [b'0', b'b' | b'B', ..] => Some(2),
        _ => None,
    };
    let (base, digits, prefixed) = match (base, prefix) {
        (0, Some(prefix)) => (prefix, &digits[2..], true),
        (0, None) => {
            // "0" and "00" are zero, "01" is no literal.
            if digits.starts_with('0') && digits.bytes().any(|b| b != b'0' && b != b'_') {
                return Ok(None);
            }
            (10, digits, false)
        }
        (base, Some(prefix)) if base == prefix => (base, &digits[2..], true),
        (base, _) => (base, digits, false),
    };
    let digits = if prefixed {
        digits.strip_prefix('_').unwrap_or(digits)
    } else {
        digits
    };
    if digits.is_empty()
        || digits.starts_with('_')
        || digits.ends_with('_')
        || digits.contains("__")
    {
        return Ok(None);
    }
    let plain: String = digits.chars().filter(|&c| c != '_').collect();
    if !plain.chars().all(|c| c.is_digit(base)) {
        return Ok(None);
    }
    let limit = vm.int_max_str_digits.get();
    if !base.is_power_of_two() && limit != 0 && plain.len() > limit {
        return Err(vm.value_error(format!(
            "Exceeds the limit ({limit} digits) for integer string conversion: value has {} digits; \
             use sys.set_int_max_str_digits() to increase the limit",
            plain.len()
        )));
    }
    if plain.len() < 18 && base <= 10 {
        let value = i64::from_str_radix(&plain, base).unwrap_or(0);
        return Ok(Some(BigInt::from(if negative { -value } else { value })));
    }
    let value = BigInt::parse_bytes(plain.as_bytes(), base);
    Ok(value.map(|value| if negative { -value } else { value }))
}

/// `bin`, `oct`, `hex` (`_PyLong_Format`).
pub fn to_base(word: Word, base: u32, prefix: &str) -> String {
    let value = int::value(word).unwrap_or(IntRef::Small(0));
    let sign = if value.is_negative() { "-" } else { "" };
    let digits = match value {
        IntRef::Small(value) => match base {
            2 => format!("{:b}", value.unsigned_abs()),
            8 => format!("{:o}", value.unsigned_abs()),
            _ => format!("{:x}", value.unsigned_abs()),
        },
        IntRef::Big(value) => value.magnitude().to_str_radix(base),
    };
    format!("{sign}{prefix}{digits}")
}

/// `int()` of text by an explicit base, which the caller has checked.
pub(super) fn int_from_text(vm: Vm, object: Word, base: u32) -> PyResult {
    if str::is_str(object) || bytes::is_bytes_like(object) {
        return parse_object(vm, object, base);
    }
    Err(vm.type_error("int() can't convert non-string with explicit base"))
}
