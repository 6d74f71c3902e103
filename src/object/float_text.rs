//! Floats from and to text (`pystrtod.c`, `dtoa.c`).

use super::float;
use super::owned::{PyResult, Raised};
use super::protocol;
use super::str::{self, Chars};
use super::vm::Vm;
use super::word::Word;

/// The digits that formatting may ask for are exact to the last; more are zeros.
const MAX_EXACT: usize = 1100;

/// `repr(x)`: the shortest text that reads back as the same float.
pub fn repr(value: f64) -> String {
    if !value.is_finite() {
        return special(value, false);
    }
    let (negative, digits, exponent) = shortest(value);
    let mut text = String::new();
    if negative {
        text.push('-');
    }
    if !(-4..16).contains(&exponent) {
        push_scientific(&mut text, &digits, exponent, false, 'e');
    } else {
        push_positional(&mut text, &digits, exponent);
        if exponent + 1 >= digits.len() as i32 {
            text.push_str(".0");
        }
    }
    text
}

/// Sign, digits without trailing zeros, and the exponent of the first digit.
pub(super) fn shortest(value: f64) -> (bool, String, i32) {
    split_scientific(&format!("{value:e}"))
}
fn split_scientific(text: &str) -> (bool, String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let negative = mantissa.starts_with('-');
    let digits = mantissa.chars().filter(char::is_ascii_digit).collect();
    (negative, digits, exponent.parse().unwrap_or(0))
}

pub(super) fn special(value: f64, upper: bool) -> String {
    let text = if value.is_nan() {
        "nan"
    } else if value < 0.0 {
        "-inf"
    } else {
        "inf"
    };
    if upper {
        text.to_ascii_uppercase()
    } else {
        text.to_owned()
    }
}

fn push_scientific(text: &mut String, digits: &str, exponent: i32, keep_point: bool, letter: char) {
    text.push_str(&digits[..1]);
    if digits.len() > 1 || keep_point {
        text.push('.');
        text.push_str(&digits[1..]);
    }
    text.push(letter);
    text.push(if exponent < 0 { '-' } else { '+' });
    text.push_str(&format!("{:02}", exponent.unsigned_abs()));
}
fn push_positional(text: &mut String, digits: &str, exponent: i32) {
    if exponent < 0 {
        text.push_str("0.");
        text.extend(std::iter::repeat_n('0', (-exponent - 1) as usize));
        text.push_str(digits);
    } else {
        let whole = exponent as usize + 1;
        if digits.len() <= whole {
            text.push_str(digits);
            text.extend(std::iter::repeat_n('0', whole - digits.len()));
        } else {
            text.push_str(&digits[..whole]);
            text.push('.');
            text.push_str(&digits[whole..]);
        }
    }
}

/// Text of the magnitude by format `e`, `f`, `g` or their capitals (`PyOS_double_to_string`). `alternate` keeps the
/// point and, for `g`, trailing zeros.
pub fn format_magnitude(value: f64, format: char, precision: usize, alternate: bool) -> String {
    let upper = format.is_ascii_uppercase();
    let value = if value.is_nan() { value } else { value.abs() };
    if !value.is_finite() {
        return special(value, upper);
    }
    let exact = precision.min(MAX_EXACT);
    let zeros = precision - exact;
    let letter = if upper { 'E' } else { 'e' };
    let mut text = String::new();
    match format.to_ascii_lowercase() {
        'f' => {
            text = format!("{value:.exact$}");
            text.extend(std::iter::repeat_n('0', zeros));
            if alternate && precision == 0 {
                text.push('.');
            }
        }
        'e' => {
            let (_, mut digits, exponent) = split_scientific(&format!("{value:.exact$e}"));
            digits.extend(std::iter::repeat_n('0', zeros));
            push_scientific(&mut text, &digits, exponent, alternate, letter);
        }
        _ => {
            let precision = precision.max(1);
            let exact = precision.min(MAX_EXACT) - 1;
            let (_, mut digits, exponent) = split_scientific(&format!("{value:.exact$e}"));
            if alternate {
                digits.extend(std::iter::repeat_n('0', precision - digits.len()));
            } else {
                digits.truncate(digits.trim_end_matches('0').len().max(1));
            }
            if exponent < -4 || exponent >= precision.min(i32::MAX as usize) as i32 {
                push_scientific(&mut text, &digits, exponent, alternate, letter);
            } else {
                push_positional(&mut text, &digits, exponent);
                if alternate && !text.contains('.') {
                    text.push('.');
                }
            }
        }
    }
    text
}

pub(super) fn float_repr(vm: Vm, word: Word) -> PyResult {
    let text = repr(float::value(word).unwrap_or(0.0));
    vm.str_from_chars(Chars::One(text.as_bytes()))
}

/// A float literal as `float()` takes it: no white space; underscores between digits. None if it is not one.
pub fn parse(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let underscores_fine = bytes.iter().enumerate().all(|(index, &b)| {
        b != b'_'
            || (index > 0
                && bytes[index - 1].is_ascii_digit()
                && bytes.get(index + 1).is_some_and(u8::is_ascii_digit))
    });
    if !underscores_fine {
        return None;
    }
    let plain: String = text.chars().filter(|&c| c != '_').collect();
    let unsigned = plain.strip_prefix(['+', '-']).unwrap_or(&plain);
    let lower = unsigned.to_ascii_lowercase();
    if matches!(lower.as_str(), "inf" | "infinity" | "nan") {
        let value = if lower == "nan" {
            f64::NAN
        } else {
            f64::INFINITY
        };
        return Some(if plain.starts_with('-') {
            -value
        } else {
            value
        });
    }
    // Rust's grammar beyond that is the same, once signs and names are out of the way.
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    plain.parse().ok()
}

/// `float(text)` of a str, bytes or bytearray.
pub fn parse_object(vm: Vm, object: Word) -> Result<f64, Raised> {
    let text = if str::is_str(object) {
        super::int_text::ascii_number(str::chars(object))
    } else {
        super::int_text::ascii_number(Chars::One(super::bytes::contents(object)))
    };
    match parse(&text) {
        Some(value) => Ok(value),
        None => {
            let repr = protocol::repr(vm, object)?;
            Err(vm.value_error(format!(
                "could not convert string to float: {}",
                str::to_string_lossy(repr.as_word())
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_text() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (123456789012345680.0, "1.2345678901234568e+17"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e300, "1.5e+300"),
            (5e-324, "5e-324"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(repr(value), text);
        }
    }

    #[test]
    fn formats() {
        for (value, format, precision, alternate, text) in [
            (1234.5678, 'f', 2, false, "1234.57"),
            (0.5, 'f', 0, false, "0"),
            (1.5, 'f', 0, true, "2."),
            (1234.5678, 'e', 3, false, "1.235e+03"),
            (1234.5678, 'g', 6, false, "1234.57"),
            (1234567.0, 'g', 6, false, "1.23457e+06"),
            (1.0, 'g', 6, true, "1.00000"),
            (0.0001, 'G', 3, false, "0.0001"),
            (1e-5, 'G', 3, false, "1E-05"),
            (1e22, 'f', 1, false, "10000000000000000000000.0"),
        ] {
            assert_eq!(format_magnitude(value, format, precision, alternate), text);
        }
        assert_eq!(format_magnitude(0.1, 'f', 5000, false).len(), 5002);
    }

    #[test]
    fn literals() {
        assert_eq!(parse("1_0.5e-1"), Some(1.05));
        assert_eq!(parse("-inf"), Some(f64::NEG_INFINITY));
        for bad in [
            "", "_1", "1__0", "1_", "e5", ".", "0x10", "infin", "+-1", "1e",
        ] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
