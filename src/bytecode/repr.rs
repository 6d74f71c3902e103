//! What Python's `repr` says of a constant.

use super::printable::is_printable;
use super::spec::{CodeSpec, Constant, Wtf8};
use num_bigint::BigInt;
use std::fmt::Write;
use std::rc::Rc;

/// `repr(value)`. A code object shows the address of its data, as CPython shows the object's.
pub fn repr(value: &Constant) -> String {
    let mut out = String::new();
    write_repr(&mut out, value);
    out
}

fn write_repr(out: &mut String, value: &Constant) {
    match value {
        Constant::None => out.push_str("None"),
        Constant::True => out.push_str("True"),
        Constant::False => out.push_str("False"),
        Constant::Ellipsis => out.push_str("Ellipsis"),
        Constant::Int(value) => _ = write!(out, "{value}"),
        Constant::BigInt(value) => _ = write!(out, "{value}"),
        Constant::Float(value) => out.push_str(&float_repr(*value)),
        Constant::Complex(real, imag) => out.push_str(&complex_repr(*real, *imag)),
        Constant::Str(text) => write_str(out, text),
        Constant::Bytes(bytes) => write_bytes(out, bytes),
        Constant::Tuple(items) => {
            out.push('(');
            write_items(out, items.iter());
            out.push_str(if items.len() == 1 { ",)" } else { ")" });
        }
        Constant::FrozenSet(items) if items.is_empty() => out.push_str("frozenset()"),
        Constant::FrozenSet(items) => {
            out.push_str("frozenset({");
            write_items(out, set_order(items).into_iter());
            out.push_str("})");
        }
        Constant::Slice(bounds) => {
            out.push_str("slice(");
            write_items(out, bounds.iter());
            out.push(')');
        }
        Constant::Code(code) => out.push_str(&code_repr(code)),
        Constant::Given { .. } => out.push_str("<object>"),
    }
}

fn write_items<'a>(out: &mut String, items: impl Iterator<Item = &'a Constant>) {
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write_repr(out, item);
    }
}

/// `code_repr`
pub fn code_repr(code: &Rc<CodeSpec>) -> String {
    let name = code.name.to_string_lossy();
    let line = match code.firstlineno {
        0 => -1,
        line => line,
    };
    let (at, file) = (Rc::as_ptr(code), &code.filename);
    format!("<code object {name} at {at:p}, file \"{file}\", line {line}>")
}

/// The shortest digits that read back as `value`, and the power of ten of the first (`repr` mode of `dtoa`). If
/// two candidates are equally near, Rust takes the larger and Python the even one.
fn shortest_digits(value: f64) -> (String, i32) {
    let value = value.abs();
    let split = |scientific: &str| {
        let (digits, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
        (digits.replace('.', ""), exponent.parse().unwrap_or(0))
    };
    let (digits, exponent) = split(&format!("{value:e}"));
    let nearest = format!("{value:.*e}", digits.len() - 1);
    if nearest.parse() == Ok(value) {
        split(&nearest)
    } else {
        (digits, exponent)
    }
}

/// `PyOS_double_to_string` with format 'r'; `dot_zero` adds ".0" to what would look like an int.
fn format_float(value: f64, dot_zero: bool) -> String {
    if value.is_nan() {
        return "nan".to_string();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}inf");
    }
    let (digits, exponent) = shortest_digits(value);
    if !(-4..16).contains(&exponent) {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let minus = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{first}{point}{rest}e{minus}{:02}", exponent.abs());
    }
    if exponent < 0 {
        let zeros = "0".repeat((-exponent - 1) as usize);
        return format!("{sign}0.{zeros}{digits}");
    }
    let whole = exponent as usize + 1;
    if digits.len() <= whole {
        let zeros = "0".repeat(whole - digits.len());
        let end = if dot_zero { ".0" } else { "" };
        return format!("{sign}{digits}{zeros}{end}");
    }
    let (whole, fraction) = digits.split_at(whole);
    format!("{sign}{whole}.{fraction}")
}

pub fn float_repr(value: f64) -> String {
    format_float(value, true)
}

/// `complex_repr`
pub fn complex_repr(real: f64, imag: f64) -> String {
    let imag_text = format_float(imag, false);
    if real == 0.0 && real.is_sign_positive() {
        return format!("{imag_text}j");
    }
    let plus = if imag_text.starts_with('-') { "" } else { "+" };
    format!("({}{plus}{imag_text}j)", format_float(real, false))
}

/// The next code point of WTF-8 text, surrogates included, and the bytes it takes.
fn decode(bytes: &[u8]) -> (u32, usize) {
    let continued = |first: u8, len: usize| {
        let tail = bytes[1..].iter().take(len - 1);
        let start = u32::from(first) & (0x7f >> len);
        tail.fold((start, 1), |(c, n), &b| {
            (c << 6 | u32::from(b & 0x3f), n + 1)
        })
    };
    match bytes[0] {
        first @ 0xc0..=0xdf => continued(first, 2),
        first @ 0xe0..=0xef => continued(first, 3),
        first @ 0xf0..=0xff => continued(first, 4),
        first => (u32::from(first), 1),
    }
}

/// `unicode_repr`
fn write_str(out: &mut String, text: &Wtf8) {
    let bytes = &*text.0;
    let quote = quote_for(bytes);
    out.push(quote);
    let mut at = 0;
    while at < bytes.len() {
        let (c, len) = decode(&bytes[at..]);
        at += len;
        match char::from_u32(c) {
            Some(c @ ('\\' | '\'' | '"')) if c == quote || c == '\\' => {
                out.push('\\');
                out.push(c);
            }
            Some('\t') => out.push_str("\\t"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some(c) if is_printable(c as u32) => out.push(c),
            _ if c <= 0xff => _ = write!(out, "\\x{c:02x}"),
            _ if c <= 0xffff => _ = write!(out, "\\u{c:04x}"),
            _ => _ = write!(out, "\\U{c:08x}"),
        }
    }
    out.push(quote);
}

/// `bytes_repr`
fn write_bytes(out: &mut String, bytes: &[u8]) {
    let quote = quote_for(bytes);
    out.push('b');
    out.push(quote);
    for &byte in bytes {
        match byte {
            b'\t' => out.push_str("\\t"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\\' => out.push_str("\\\\"),
            _ if char::from(byte) == quote => _ = write!(out, "\\{quote}"),
            0x20..0x7f => out.push(char::from(byte)),
            _ => _ = write!(out, "\\x{byte:02x}"),
        }
    }
    out.push(quote);
}

fn quote_for(bytes: &[u8]) -> char {
    if bytes.contains(&b'\'') && !bytes.contains(&b'"') {
        '"'
    } else {
        '\''
    }
}

/// The order CPython's hash table has the items in, if all hashes are known. Those of strings differ from run to
/// run; then the order is that of the source.
fn set_order(items: &[Constant]) -> Vec<&Constant> {
    let hashes: Option<Vec<u64>> = items.iter().map(known_hash).collect();
    let Some(hashes) = hashes else {
        return items.iter().collect();
    };
    const MIN_SIZE: usize = 8;
    let mut table: Vec<Option<usize>> = vec![None; MIN_SIZE];
    for item in 0..items.len() {
        insert(&mut table, &hashes, item);
        let used = item + 1;
        if used * 5 >= (table.len() - 1) * 3 {
            let mut grown = MIN_SIZE;
            while grown <= used * 4 {
                grown *= 2;
            }
            let old = std::mem::replace(&mut table, vec![None; grown]);
            for item in old.into_iter().flatten() {
                insert(&mut table, &hashes, item);
            }
        }
    }
    table.into_iter().flatten().map(|i| &items[i]).collect()
}

/// `set_add_entry`: a few neighbours first, then a jump.
fn insert(table: &mut [Option<usize>], hashes: &[u64], item: usize) {
    const LINEAR_PROBES: usize = 9;
    const PERTURB_SHIFT: u32 = 5;
    let mask = table.len() - 1;
    let mut perturb = hashes[item];
    let mut i = perturb as usize & mask;
    loop {
        let neighbours = if i + LINEAR_PROBES <= mask {
            LINEAR_PROBES
        } else {
            0
        };
        if let Some(free) = table[i..=i + neighbours].iter().position(Option::is_none) {
            table[i + free] = Some(item);
            return;
        }
        perturb >>= PERTURB_SHIFT;
        i = (i
            .wrapping_mul(5)
            .wrapping_add(1)
            .wrapping_add(perturb as usize))
            & mask;
    }
}

/// The hash, where it depends on nothing but the value.
fn known_hash(value: &Constant) -> Option<u64> {
    /// `_PyHASH_MODULUS`
    const MODULUS: i64 = (1 << 61) - 1;
    let of_int = |value: i64| match value % MODULUS {
        -1 => -2i64 as u64,
        hash => hash as u64,
    };
    match value {
        Constant::True => Some(1),
        Constant::False => Some(0),
        Constant::None => Some(0xfca8_6420),
        Constant::Int(value) => Some(of_int(*value)),
        Constant::BigInt(value) => i64::try_from(value.as_ref() % BigInt::from(MODULUS))
            .ok()
            .map(of_int),
        Constant::Float(value) if value.fract() == 0.0 && value.abs() < 2f64.powi(53) => {
            Some(of_int(*value as i64))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats() {
        let cases = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (123456789012345680.0, "1.2345678901234568e+17"),
            (1e15, "1000000000000000.0"),
            (0.0001, "0.0001"),
            (0.00001234, "1.234e-05"),
            (1e100, "1e+100"),
            (5e-324, "5e-324"),
            (f64::INFINITY, "inf"),
            (-f64::INFINITY, "-inf"),
            (f64::NAN, "nan"),
            (1.5e300, "1.5e+300"),
            (2f64.powi(-25), "2.9802322387695312e-08"),
        ];
        for (value, text) in cases {
            assert_eq!(float_repr(value), text);
        }
        assert_eq!(complex_repr(0.0, 1.0), "1j");
        assert_eq!(complex_repr(-0.0, 1.0), "(-0+1j)");
        assert_eq!(complex_repr(1.5, -2.0), "(1.5-2j)");
        assert_eq!(complex_repr(0.0, f64::NAN), "nanj");
    }

    #[test]
    fn text_and_bytes() {
        let text = |bytes: &[u8]| repr(&Constant::Str(Wtf8(bytes.into())));
        assert_eq!(text(b"it's"), r#""it's""#);
        assert_eq!(text(b"it's \"x\""), r#"'it\'s "x"'"#);
        assert_eq!(
            text("\\\t\n\r\0\u{7f}é\u{a0}\u{2028}😀\u{10ffff}".as_bytes()),
            "'\\\\\\t\\n\\r\\x00\\x7fé\\xa0\\u2028😀\\U0010ffff'"
        );
        assert_eq!(text(b"\xed\xa0\x80"), r"'\ud800'");
        assert_eq!(
            repr(&Constant::Bytes(b"a'\"\\\x00\xff".as_slice().into())),
            r#"b'a\'"\\\x00\xff'"#
        );
    }

    #[test]
    fn containers() {
        let ints = |v: &[i64]| v.iter().map(|&i| Constant::Int(i)).collect::<Rc<[_]>>();
        assert_eq!(repr(&Constant::Tuple(ints(&[]))), "()");
        assert_eq!(repr(&Constant::Tuple(ints(&[1]))), "(1,)");
        assert_eq!(repr(&Constant::FrozenSet(ints(&[]))), "frozenset()");
        assert_eq!(
            repr(&Constant::FrozenSet(ints(&[9, 1, -1, 8]))),
            "frozenset({8, 9, 1, -1})"
        );
    }
}
