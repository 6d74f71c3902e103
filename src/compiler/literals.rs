//! Literals: their values from their source text, and values as Python prints them.
//!
//! Strings are decoded here and not taken from the parser, which cannot hold lone surrogates.

use super::error::{CompileError, ErrorKind};
use super::source::Source;
use crate::bytecode::spec::{Constant, Wtf8};
use num_bigint::BigInt;
use num_traits::{Num, ToPrimitive};
use ruff_python_ast::{self as ast, AnyStringFlags};
use ruff_text_size::{Ranged, TextRange};
use std::borrow::Cow;
use std::rc::Rc;

type Result<T = ()> = std::result::Result<T, CompileError>;

/// `sys.get_int_max_str_digits()`
const MAX_STR_DIGITS: usize = 4300;

/// The value of a string literal, its adjacent parts joined.
pub(super) fn string(source: &Source, value: &ast::StringLiteralValue) -> Result<Wtf8> {
    if let [part] = value.as_slice() {
        let text = source.slice(part.content_range());
        if part.flags.prefix().is_raw() || memchr::memchr(b'\\', text.as_bytes()).is_none() {
            return Ok(text.into());
        }
    }
    let mut out = Vec::new();
    for part in value {
        string_part(source, part, &mut out)?;
    }
    Ok(out.into())
}

pub(super) fn string_part(source: &Source, part: &ast::StringLiteral, out: &mut Vec<u8>) -> Result {
    let text = source.slice(part.content_range());
    if part.flags.prefix().is_raw() {
        out.extend_from_slice(text.as_bytes());
    } else {
        decode(text, out, part.range, source)?;
    }
    Ok(())
}

/// Text between the braces of an f-string or t-string, where a doubled brace is one.
pub(super) fn interpolated_text(
    source: &Source,
    range: TextRange,
    flags: AnyStringFlags,
) -> Result<Vec<u8>> {
    let text = source.slice(range).replace("{{", "{").replace("}}", "}");
    if flags.is_raw_string() {
        return Ok(text.into_bytes());
    }
    let mut out = Vec::with_capacity(text.len());
    decode(&text, &mut out, range, source)?;
    Ok(out)
}

pub(super) fn bytes(source: &Source, value: &ast::BytesLiteralValue) -> Result<Rc<[u8]>> {
    let mut out = Vec::new();
    for part in value {
        let text = source.slice(part.content_range());
        if part.flags.prefix().is_raw() {
            out.extend_from_slice(text.as_bytes());
        } else {
            decode_bytes(text, &mut out);
        }
    }
    Ok(out.into())
}

/// Escapes that strings and bytes share: the byte meant, and the characters it takes after the backslash.
fn simple_escape(rest: &[u8]) -> Option<(u32, usize)> {
    let value = match rest.first()? {
        b'\\' => b'\\',
        b'\'' => b'\'',
        b'"' => b'"',
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        b'0'..=b'7' => {
            let digits = rest
                .iter()
                .take(3)
                .take_while(|b| (b'0'..=b'7').contains(b))
                .count();
            let value = rest[..digits]
                .iter()
                .fold(0, |n, b| n * 8 + u32::from(b - b'0'));
            return Some((value, digits));
        }
        b'x' => return hex(rest.get(1..3)?).map(|value| (value, 3)),
        _ => return None,
    };
    Some((u32::from(value), 1))
}

fn hex(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0u32, |n, &b| {
        let digit = (b as char).to_digit(16)?;
        Some(n << 4 | digit)
    })
}

/// Decodes the escapes of a string that is not raw (`_PyUnicode_DecodeUnicodeEscapeInternal2`).
fn decode(text: &str, out: &mut Vec<u8>, range: TextRange, source: &Source) -> Result {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(skip) = memchr::memchr(b'\\', &bytes[at..]) {
        out.extend_from_slice(&bytes[at..at + skip]);
        at += skip + 1;
        let rest = &bytes[at..];
        if rest.first() == Some(&b'\n') {
            at += 1;
            continue;
        }
        if let Some((value, len)) = simple_escape(rest) {
            push_code_point(out, value);
            at += len;
            continue;
        }
        let escape = match rest.first() {
            Some(b'u') => rest.get(1..5).and_then(hex).map(|value| (value, 5)),
            Some(b'U') => rest.get(1..9).and_then(hex).map(|value| (value, 9)),
            Some(b'N') => named(&text[at..]),
            _ => {
                // An unknown escape stands for itself, backslash and all.
                out.push(b'\\');
                continue;
            }
        };
        match escape {
            Some((value, len)) if value <= 0x10_FFFF => {
                push_code_point(out, value);
                at += len;
            }
            _ => {
                let message = "(unicode error) 'unicodeescape' codec can't decode bytes";
                let loc = source.location(range);
                return Err(CompileError::new(ErrorKind::Syntax, message, loc));
            }
        }
    }
    out.extend_from_slice(&bytes[at..]);
    Ok(())
}

/// `N{NAME}` after a backslash.
fn named(text: &str) -> Option<(u32, usize)> {
    let name = text.strip_prefix("N{")?;
    let end = name.find('}')?;
    let c = unicode_names2::character(&name[..end])?;
    Some((c as u32, end + 3))
}

fn push_code_point(out: &mut Vec<u8>, value: u32) {
    match char::from_u32(value) {
        Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        // A lone surrogate takes the three bytes that UTF-8 forbids.
        None => out.extend_from_slice(&[
            0xE0 | (value >> 12) as u8,
            0x80 | (value >> 6 & 0x3F) as u8,
            0x80 | (value & 0x3F) as u8,
        ]),
    }
}

fn decode_bytes(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(skip) = memchr::memchr(b'\\', &bytes[at..]) {
        out.extend_from_slice(&bytes[at..at + skip]);
        at += skip + 1;
        let rest = &bytes[at..];
        if rest.first() == Some(&b'\n') {
            at += 1;
        } else if let Some((value, len)) = simple_escape(rest) {
            out.push(value as u8);
            at += len;
        } else {
            out.push(b'\\');
        }
    }
    out.extend_from_slice(&bytes[at..]);
}

/// The value of a number literal (`parsenumber`).
pub(super) fn number(source: &Source, e: &ast::ExprNumberLiteral) -> Result<Constant> {
    Ok(match &e.value {
        ast::Number::Float(value) => Constant::Float(*value),
        ast::Number::Complex { real, imag } => Constant::Complex(*real, *imag),
        ast::Number::Int(value) => match value.as_i64() {
            Some(value) => Constant::Int(value),
            None => big_int(source, e)?,
        },
    })
}

fn big_int(source: &Source, e: &ast::ExprNumberLiteral) -> Result<Constant> {
    let text = source.slice(e.range()).replace('_', "");
    let (radix, digits) = match text.get(..2) {
        Some("0x" | "0X") => (16, &text[2..]),
        Some("0o" | "0O") => (8, &text[2..]),
        Some("0b" | "0B") => (2, &text[2..]),
        _ => (10, &text[..]),
    };
    let mut loc = source.location_of(e);
    if radix == 10 && digits.len() > MAX_STR_DIGITS {
        loc.col_offset = -1;
        loc.end_col_offset = -1;
        let message = format!(
            "Exceeds the limit ({MAX_STR_DIGITS} digits) for integer string conversion: value has {} digits; \
             use sys.set_int_max_str_digits() to increase the limit - Consider hexadecimal for huge integer \
             literals to avoid decimal conversion limits.",
            digits.len()
        );
        return Err(CompileError::new(ErrorKind::Syntax, message, loc));
    }
    match BigInt::from_str_radix(digits, radix) {
        Ok(value) => Ok(from_big(value)),
        Err(_) => Err(CompileError::new(ErrorKind::Syntax, "invalid syntax", loc)),
    }
}

fn from_big(value: BigInt) -> Constant {
    match value.to_i64() {
        Some(small) => Constant::Int(small),
        None => Constant::BigInt(Rc::new(value)),
    }
}

/// `-value` of a number, as match patterns fold it.
pub(super) fn negative(value: &Constant) -> Option<Constant> {
    Some(match value {
        Constant::Int(i) => from_big(-BigInt::from(*i)),
        Constant::BigInt(i) => from_big(-&**i),
        Constant::Float(f) => Constant::Float(-f),
        Constant::Complex(re, im) => Constant::Complex(-re, -im),
        _ => return None,
    })
}

/// `left + right` or `left - right` where right is imaginary.
pub(super) fn complex_sum(left: &Constant, right: &Constant, subtract: bool) -> Option<Constant> {
    let real = match left {
        Constant::Int(i) => *i as f64,
        Constant::BigInt(i) => i.to_f64()?,
        Constant::Float(f) => *f,
        _ => return None,
    };
    let Constant::Complex(re, im) = right else {
        return None;
    };
    Some(if subtract {
        Constant::Complex(real - re, -im)
    } else {
        Constant::Complex(real + re, *im)
    })
}

/// Equality of Python values, where 1, 1.0 and True are the same.
pub(super) fn equal(a: &Constant, b: &Constant) -> bool {
    let as_complex = |c: &Constant| match c {
        Constant::True => Some((1.0, 0.0)),
        Constant::False => Some((0.0, 0.0)),
        Constant::Int(i) => Some((*i as f64, 0.0)),
        Constant::Float(f) => Some((*f, 0.0)),
        Constant::Complex(re, im) => Some((*re, *im)),
        _ => None,
    };
    match (a, b) {
        (Constant::Int(a), Constant::Int(b)) => a == b,
        _ => match (as_complex(a), as_complex(b)) {
            (Some(a), Some(b)) => a == b,
            _ => a == b,
        },
    }
}

/// A docstring without its common indentation (`_PyCompile_CleanDoc`).
pub(super) fn clean_doc(doc: &Wtf8) -> Wtf8 {
    let doc = match memchr::memchr(b'\t', &doc.0) {
        Some(_) => Cow::Owned(expand_tabs(&doc.0)),
        None => Cow::Borrowed(&*doc.0),
    };
    let indent = |line: &[u8]| line.iter().take_while(|&&b| b == b' ').count();
    let indents = lines(&doc).skip(1).filter_map(|line| {
        let indent = indent(line);
        (indent < line.len()).then_some(indent)
    });
    let margin = indents.min().unwrap_or(0);
    let mut out = Vec::with_capacity(doc.len());
    for (i, line) in lines(&doc).enumerate() {
        if i == 0 {
            out.extend_from_slice(&line[indent(line)..]);
        } else {
            out.push(b'\n');
            out.extend_from_slice(&line[indent(line).min(margin)..]);
        }
    }
    out.into()
}

/// The lines of a text without their newlines; one more than there are newlines.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr::memchr_iter(b'\n', text).chain([text.len()]);
    ends.scan(0, |start, end| {
        Some(&text[std::mem::replace(start, end + 1)..end])
    })
}

/// `str.expandtabs()`
fn expand_tabs(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut column = 0;
    for &byte in text {
        match byte {
            b'\t' => {
                let fill = 8 - column % 8;
                out.resize(out.len() + fill, b' ');
                column += fill;
                continue;
            }
            b'\n' | b'\r' => column = 0,
            // Continuation bytes take no column.
            0x80..=0xBF => {}
            _ => column += 1,
        }
        out.push(byte);
    }
    out
}

/// What is wrong with the escapes of a string token, as the decoder that CPython calls says it.
pub(super) fn escape_error(token: &str) -> Option<String> {
    let quote = token.find(['"', '\''])?;
    let is_bytes = token[..quote].contains(['b', 'B']);
    let body = &token[quote..];
    let width = if body.starts_with("\"\"\"") || body.starts_with("'''") {
        3
    } else {
        1
    };
    let body = body.get(width..body.len().saturating_sub(width))?;
    let bytes = body.as_bytes();
    // Position in what the decoder sees: other characters than ASCII reach it as ten-byte escapes.
    let mut position = 0;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            let c = body[at..].chars().next()?;
            position += if c.is_ascii() { 1 } else { 10 };
            at += c.len_utf8();
            continue;
        }
        let rest = &bytes[at + 1..];
        let escape = match rest.first() {
            Some(b'x') => Some((2, "truncated \\xXX escape")),
            Some(b'u') if !is_bytes => Some((4, "truncated \\uXXXX escape")),
            Some(b'U') if !is_bytes => Some((8, "truncated \\UXXXXXXXX escape")),
            _ => None,
        };
        if let Some((digits, truncated)) = escape {
            let have = rest[1..]
                .iter()
                .take(digits)
                .take_while(|b| b.is_ascii_hexdigit())
                .count();
            if have < digits && is_bytes {
                return Some(format!(
                    "(value error) invalid \\x escape at position {position}"
                ));
            }
            let value = hex(&rest[1..=have]).unwrap_or(0);
            if have < digits || value > 0x10_FFFF {
                let reason = if have < digits {
                    truncated
                } else {
                    "illegal Unicode character"
                };
                return Some(unicode_error(position, 2 + have, reason));
            }
            at += 2 + digits;
            position += 2 + digits;
            continue;
        }
        if rest.first() == Some(&b'N') && !is_bytes {
            let text = &body[at + 1..];
            match (
                text.strip_prefix("N{").and_then(|t| t.find('}')),
                named(text),
            ) {
                (Some(len), None) if len > 0 => {
                    return Some(unicode_error(
                        position,
                        len + 4,
                        "unknown Unicode character name",
                    ));
                }
                (_, Some((_, len))) => {
                    at += len + 1;
                    position += len + 1;
                    continue;
                }
                _ => {
                    let len = 2 + usize::from(text.starts_with("N{"));
                    return Some(unicode_error(
                        position,
                        len,
                        "malformed \\N character escape",
                    ));
                }
            }
        }
        at += 1;
        position += 1;
        if let Some(c) = body[at..].chars().next() {
            position += if c.is_ascii() { 1 } else { 10 };
            at += c.len_utf8();
        }
    }
    None
}

fn unicode_error(position: usize, len: usize, reason: &str) -> String {
    let end = position + len - 1;
    format!(
        "(unicode error) 'unicodeescape' codec can't decode bytes in position {position}-{end}: {reason}"
    )
}

/// `repr` of a string.
pub(super) fn repr(text: &str) -> String {
    crate::bytecode::repr::repr(&Constant::Str(Wtf8::from(text)))
}
