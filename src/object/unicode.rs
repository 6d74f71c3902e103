//! Properties of characters (`unicodectype.c`). Case mappings come from Rust's own tables, the rest from
//! `unicode_tables.rs`.

use super::unicode_tables::{
    ALPHA, CASE_IGNORABLE, DECIMAL_ZEROS, DIGIT, FOLD_MAP, ID_CONTINUE, ID_START, LOWER, NUMERIC,
    PRINTABLE, SPACE, TITLE, TITLE_MAP, UPPER,
};
use std::cmp::Ordering;

fn contains(ranges: &[(u32, u32)], c: u32) -> bool {
    ranges
        .binary_search_by(|&(first, last)| {
            if last < c {
                Ordering::Less
            } else if first > c {
                Ordering::Greater
            } else {
                Ordering::Equal
            }
        })
        .is_ok()
}

pub fn is_alpha(c: u32) -> bool {
    if c < 0x80 {
        (c as u8).is_ascii_alphabetic()
    } else {
        contains(ALPHA, c)
    }
}
pub fn is_lower(c: u32) -> bool {
    if c < 0x80 {
        (c as u8).is_ascii_lowercase()
    } else {
        contains(LOWER, c)
    }
}
pub fn is_upper(c: u32) -> bool {
    if c < 0x80 {
        (c as u8).is_ascii_uppercase()
    } else {
        contains(UPPER, c)
    }
}
pub fn is_title(c: u32) -> bool {
    c >= 0x80 && contains(TITLE, c)
}
pub fn is_cased(c: u32) -> bool {
    is_lower(c) || is_upper(c) || is_title(c)
}
pub fn is_printable(c: u32) -> bool {
    if c < 0x80 {
        (0x20..0x7f).contains(&c)
    } else {
        contains(PRINTABLE, c)
    }
}
pub fn is_digit(c: u32) -> bool {
    if c < 0x80 {
        (c as u8).is_ascii_digit()
    } else {
        contains(DIGIT, c)
    }
}
pub fn is_numeric(c: u32) -> bool {
    if c < 0x80 {
        (c as u8).is_ascii_digit()
    } else {
        contains(NUMERIC, c)
    }
}
/// The value of a decimal digit of any script.
pub fn decimal(c: u32) -> Option<u32> {
    let index = DECIMAL_ZEROS
        .partition_point(|&(zero, _)| zero <= c)
        .checked_sub(1)?;
    let digit = c - DECIMAL_ZEROS[index].0;
    (digit < 10).then_some(digit)
}
#[inline]
pub fn is_space(c: u32) -> bool {
    match c {
        0..0x80 => matches!(c, 0x09..=0x0d | 0x1c..=0x20),
        _ => contains(SPACE, c),
    }
}
/// A line ends after it (`_PyUnicode_IsLinebreak`).
pub fn is_linebreak(c: u32) -> bool {
    matches!(c, 0x0a..=0x0d | 0x1c..=0x1e | 0x85 | 0x2028 | 0x2029)
}
pub fn is_id_start(c: u32) -> bool {
    if c < 0x80 {
        c == 0x5f || (c as u8).is_ascii_alphabetic()
    } else {
        contains(ID_START, c)
    }
}
pub fn is_id_continue(c: u32) -> bool {
    if c < 0x80 {
        c == 0x5f || (c as u8).is_ascii_alphanumeric()
    } else {
        contains(ID_CONTINUE, c)
    }
}
fn is_case_ignorable(c: u32) -> bool {
    contains(CASE_IGNORABLE, c)
}

/// Upper case of a character, up to three characters.
pub fn to_upper(c: u32) -> impl Iterator<Item = u32> {
    mapped(c, |c| c.to_uppercase().map(u32::from).collect())
}
fn mapped(c: u32, map: impl Fn(char) -> Vec<u32>) -> impl Iterator<Item = u32> {
    char::from_u32(c).map_or_else(|| vec![c], map).into_iter()
}
fn exception(table: &[(u32, &'static str)], c: u32) -> Option<&'static str> {
    table
        .binary_search_by_key(&c, |entry| entry.0)
        .ok()
        .map(|index| table[index].1)
}
/// Title case of a character.
pub fn to_title(c: u32) -> impl Iterator<Item = u32> {
    match exception(TITLE_MAP, c) {
        Some(text) => text.chars().map(u32::from).collect::<Vec<_>>().into_iter(),
        None => to_upper(c).collect::<Vec<_>>().into_iter(),
    }
}
/// Case folding of a character.
pub fn to_folded(c: u32) -> impl Iterator<Item = u32> {
    match exception(FOLD_MAP, c) {
        Some(text) => text.chars().map(u32::from).collect::<Vec<_>>().into_iter(),
        None => mapped(c, |c| c.to_lowercase().map(u32::from).collect())
            .collect::<Vec<_>>()
            .into_iter(),
    }
}
/// Lower case of the character at an index, with the final form of sigma at the end of a word
/// (`handle_capital_sigma`).
pub fn lower_at(text: &[u32], index: usize) -> impl Iterator<Item = u32> {
    let c = text[index];
    if c != 0x3a3 {
        return mapped(c, |c| c.to_lowercase().map(u32::from).collect())
            .collect::<Vec<_>>()
            .into_iter();
    }
    let before = text[..index]
        .iter()
        .rev()
        .find(|&&c| !is_case_ignorable(c))
        .is_some_and(|&c| is_cased(c));
    let after = text[index + 1..]
        .iter()
        .find(|&&c| !is_case_ignorable(c))
        .is_some_and(|&c| is_cased(c));
    vec![if before && !after { 0x3c2 } else { 0x3c3 }].into_iter()
}
