//! Finding strings in strings, and splitting and replacing by it (`stringlib/fastsearch.h`).

use super::owned::{Owned, PyResult};
use super::str::{self, Chars, with_units};
use super::str_writer::StrWriter;
use super::vm::Vm;
use super::word::Word;

/// Index of the first occurrence.
pub fn find(text: Chars<'_>, part: Chars<'_>) -> Option<usize> {
    if part.len() > text.len() {
        return None;
    }
    match (text, part) {
        (_, part) if part.is_empty() => Some(0),
        (Chars::One(text), Chars::One(part)) => match *part {
            [byte] => memchr::memchr(byte, text),
            _ => memchr::memmem::find(text, part),
        },
        // A wider string has a character that a narrower text has not.
        (Chars::One(_), _) | (Chars::Two(_), Chars::Four(_)) => None,
        (text, part) => with_units!(text, text => with_units!(part, part => two_way(text, part))),
    }
}
/// Index of the last occurrence.
pub fn rfind(text: Chars<'_>, part: Chars<'_>) -> Option<usize> {
    if part.len() > text.len() {
        return None;
    }
    match (text, part) {
        (text, part) if part.is_empty() => Some(text.len()),
        (Chars::One(text), Chars::One(part)) => memchr::memmem::rfind(text, part),
        (Chars::One(_), _) | (Chars::Two(_), Chars::Four(_)) => None,
        (text, part) => {
            let reversed = |chars: Chars<'_>| chars.iter().rev().collect::<Vec<u32>>();
            let (reversed_text, reversed_part) = (reversed(text), reversed(part));
            two_way(&reversed_text, &reversed_part).map(|index| text.len() - part.len() - index)
        }
    }
}

/// Search in wide text by Knuth, Morris and Pratt: linear whatever the input.
fn two_way<A: str::CodeUnit, B: str::CodeUnit>(text: &[A], part: &[B]) -> Option<usize> {
    let first: u32 = part[0].into();
    if part.len() == 1 {
        return text.iter().position(|&c| c.into() == first);
    }
    let mut fallback = vec![0usize; part.len()];
    let mut matched = 0;
    for index in 1..part.len() {
        while matched > 0 && part[index] != part[matched] {
            matched = fallback[matched - 1];
        }
        matched += usize::from(part[index] == part[matched]);
        fallback[index] = matched;
    }
    matched = 0;
    for (index, &c) in text.iter().enumerate() {
        while matched > 0 && c.into() != part[matched].into() {
            matched = fallback[matched - 1];
        }
        matched += usize::from(c.into() == part[matched].into());
        if matched == part.len() {
            return Some(index + 1 - part.len());
        }
    }
    None
}

/// Occurrences from the left that do not overlap; an empty part occurs between all characters.
pub fn count(text: Chars<'_>, part: Chars<'_>) -> usize {
    if part.is_empty() {
        return text.len() + 1;
    }
    occurrences(text, part).count()
}

/// Start of each occurrence from the left, not overlapping. `part` is not empty.
pub fn occurrences<'a>(text: Chars<'a>, part: Chars<'a>) -> impl Iterator<Item = usize> + 'a {
    let mut from = 0;
    std::iter::from_fn(move || {
        if from > text.len() {
            return None;
        }
        let index = from + find(text.slice(from, text.len()), part)?;
        from = index + part.len();
        Some(index)
    })
}

/// `s.replace(old, new, count)` (`replace`); negative means all.
pub fn replace(vm: Vm, word: Word, old: Word, new: Word, count: isize) -> PyResult {
    let (text, old, new) = (str::chars(word), str::chars(old), str::chars(new));
    let limit = if count < 0 {
        usize::MAX
    } else {
        count as usize
    };
    let mut writer = StrWriter::new(vm);
    if old.is_empty() {
        let mut done = 0;
        for index in 0..=text.len() {
            if done < limit {
                writer.push_chars(new)?;
                done += 1;
            }
            if index < text.len() {
                writer.push(text.at(index))?;
            }
        }
        return writer.finish();
    }
    let mut from = 0;
    let mut found = false;
    for index in occurrences(text, old).take(limit) {
        writer.push_chars(text.slice(from, index))?;
        writer.push_chars(new)?;
        from = index + old.len();
        found = true;
    }
    if !found {
        return super::str_text::exact(vm, word);
    }
    writer.push_chars(text.slice(from, text.len()))?;
    writer.finish()
}

/// `s.split(sep, maxsplit)` at a separator that is not empty.
pub fn split(vm: Vm, text: Chars<'_>, separator: Chars<'_>, limit: usize) -> PyResult {
    let mut pieces = Vec::new();
    let mut from = 0;
    for index in occurrences(text, separator).take(limit) {
        pieces.push(vm.str_from_chars(text.slice(from, index))?);
        from = index + separator.len();
    }
    pieces.push(vm.str_from_chars(text.slice(from, text.len()))?);
    vm.list_from_owned(pieces)
}
/// `s.rsplit(sep, maxsplit)`.
pub fn rsplit(vm: Vm, text: Chars<'_>, separator: Chars<'_>, limit: usize) -> PyResult {
    let mut pieces = Vec::new();
    let mut end = text.len();
    while pieces.len() < limit
        && let Some(index) = rfind(text.slice(0, end), separator)
    {
        pieces.push(vm.str_from_chars(text.slice(index + separator.len(), end))?);
        end = index;
    }
    pieces.push(vm.str_from_chars(text.slice(0, end))?);
    pieces.reverse();
    vm.list_from_owned(pieces)
}
/// `s.split(None, maxsplit)`: at runs of white space.
pub fn split_whitespace(vm: Vm, text: Chars<'_>, limit: usize) -> PyResult {
    let is_space = super::unicode::is_space;
    let mut pieces: Vec<Owned> = Vec::new();
    let mut at = 0;
    let length = text.len();
    loop {
        while at < length && is_space(text.at(at)) {
            at += 1;
        }
        if at == length {
            break;
        }
        if pieces.len() == limit {
            pieces.push(vm.str_from_chars(text.slice(at, length))?);
            break;
        }
        let start = at;
        while at < length && !is_space(text.at(at)) {
            at += 1;
        }
        pieces.push(vm.str_from_chars(text.slice(start, at))?);
    }
    vm.list_from_owned(pieces)
}
/// `s.rsplit(None, maxsplit)`.
pub fn rsplit_whitespace(vm: Vm, text: Chars<'_>, limit: usize) -> PyResult {
    let is_space = super::unicode::is_space;
    let mut pieces: Vec<Owned> = Vec::new();
    let mut end = text.len();
    loop {
        while end > 0 && is_space(text.at(end - 1)) {
            end -= 1;
        }
        if end == 0 {
            break;
        }
        if pieces.len() == limit {
            pieces.push(vm.str_from_chars(text.slice(0, end))?);
            break;
        }
        let stop = end;
        while end > 0 && !is_space(text.at(end - 1)) {
            end -= 1;
        }
        pieces.push(vm.str_from_chars(text.slice(end, stop))?);
    }
    pieces.reverse();
    vm.list_from_owned(pieces)
}

/// `s.splitlines(keepends)`.
pub fn splitlines(vm: Vm, text: Chars<'_>, keep_ends: bool) -> PyResult {
    let mut lines = Vec::new();
    let (mut at, length) = (0, text.len());
    while at < length {
        let start = at;
        while at < length && !super::unicode::is_linebreak(text.at(at)) {
            at += 1;
        }
        let mut end = at;
        if at < length {
            at += if text.at(at) == 0x0d && at + 1 < length && text.at(at + 1) == 0x0a {
                2
            } else {
                1
            };
            if keep_ends {
                end = at;
            }
        }
        lines.push(vm.str_from_chars(text.slice(start, end))?);
    }
    vm.list_from_owned(lines)
}

/// `sep.join(items)` of strings (`_PyUnicode_JoinArray`).
pub fn join(vm: Vm, separator: Word, items: &[Owned]) -> PyResult {
    if let [only] = items
        && only.as_word().is_exact(super::header::Kind::STR)
    {
        return Ok(only.clone());
    }
    let between = str::object(separator);
    let mut length = between.length.saturating_mul(items.len().saturating_sub(1));
    let mut max = if items.len() > 1 && between.length > 0 {
        str::flag_max(between)
    } else {
        0
    };
    for (index, item) in items.iter().enumerate() {
        if !str::is_str(item.as_word()) {
            return Err(vm.type_error(format!(
                "sequence item {index}: expected str instance, {} found",
                vm.type_name(item.as_word())
            )));
        }
        let item = str::object(item.as_word());
        length = length.saturating_add(item.length);
        if item.length > 0 {
            max = max.max(str::flag_max(item));
        }
    }
    if length == 0 {
        return Ok(vm.empty_string());
    }
    let joined = vm.alloc_str(length, max)?;
    // SAFETY: allocated with room for all pieces at the widest width.
    unsafe {
        let width = (*joined).width();
        let mut at = (*joined).data();
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                str::copy_chars(between.chars(), at, width);
                at = at.add(between.length << width);
            }
            let item = str::object(item.as_word());
            str::copy_chars(item.chars(), at, width);
            at = at.add(item.length << width);
        }
        Ok(Owned::from_raw(joined))
    }
}

/// What `str.partition` gives: before, separator, after.
pub fn partition(vm: Vm, word: Word, separator: Word, from_right: bool) -> PyResult {
    let (text, part) = (str::chars(word), str::chars(separator));
    if part.is_empty() {
        return Err(vm.value_error("empty separator"));
    }
    let found = if from_right {
        rfind(text, part)
    } else {
        find(text, part)
    };
    let items = match found {
        Some(index) => vec![
            vm.str_from_chars(text.slice(0, index))?,
            Owned::new_ref(separator),
            vm.str_from_chars(text.slice(index + part.len(), text.len()))?,
        ],
        None if from_right => vec![
            vm.empty_string(),
            vm.empty_string(),
            super::str_text::exact(vm, word)?,
        ],
        None => vec![
            super::str_text::exact(vm, word)?,
            vm.empty_string(),
            vm.empty_string(),
        ],
    };
    vm.tuple_from_owned(items)
}

/// A bounded search as the `find` family does it: the part of the text that `start` and `end` leave.
pub fn bounded(start: isize, end: isize, length: usize) -> Option<(usize, usize)> {
    let wrap = |index: isize| {
        if index < 0 {
            (index + length as isize).max(0)
        } else {
            index
        }
    };
    let end = wrap(end.min(length as isize)).min(length as isize);
    let start = wrap(start);
    (start <= end).then_some((start as usize, end as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_search() {
        let text: Vec<u32> = "abcabcabd€abcabd".chars().map(u32::from).collect();
        let part: Vec<u32> = "abcabd".chars().map(u32::from).collect();
        assert_eq!(find(Chars::Four(&text), Chars::Four(&part)), Some(3));
        assert_eq!(rfind(Chars::Four(&text), Chars::Four(&part)), Some(10));
        assert_eq!(count(Chars::Four(&text), Chars::Four(&part)), 2);
        assert_eq!(count(Chars::Four(&text), Chars::One(b"")), 17);
        assert_eq!(find(Chars::One(b"abc"), Chars::Two(&[0x20ac])), None);
    }
}
