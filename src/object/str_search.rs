//! Finding strings in strings, and splitting and replacing by it (`stringlib/fastsearch.h`).

use super::owned::{Owned, PyResult, Raised};
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
            _ => find_bytes(text, part),
        },
        // A wider string has a character that a narrower text has not.
        (Chars::One(_), _) | (Chars::Two(_), Chars::Four(_)) => None,
        (text, part) => with_units!(text, text => with_units!(part, part => two_way(text, part))),
    }
}
/// Making a searcher costs as much as a few hundred bytes of search, so the first byte's first places are looked at
/// before. Both parts have bytes, and `part` not more.
fn find_bytes(text: &[u8], part: &[u8]) -> Option<usize> {
    let (starts, mut from) = (text.len() - part.len() + 1, 0);
    for _ in 0..8 {
        let at = from + memchr::memchr(part[0], &text[from..starts])?;
        if text[at + 1..].starts_with(&part[1..]) {
            return Some(at);
        }
        from = at + 1;
    }
    memchr::memmem::find(&text[from..], part).map(|at| from + at)
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
    if let (Chars::One(bytes), Chars::One(old), Chars::One(new)) = (text, old, new)
        && !old.is_empty()
        && str::object(word).is_ascii()
        && new.is_ascii()
    {
        return replace_ascii(vm, word, bytes, old, new, limit);
    }
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

/// The same in an ASCII string, by an ASCII string: counted first, so that the result is made at its size.
fn replace_ascii(
    vm: Vm,
    word: Word,
    text: &[u8],
    old: &[u8],
    new: &[u8],
    limit: usize,
) -> PyResult {
    if let [only] = old {
        let places = || memchr::memchr_iter(*only, text).take(limit);
        let found = if limit == usize::MAX {
            memchr::memchr_iter(*only, text).count()
        } else {
            places().count()
        };
        return replace_at(vm, word, text, (1, found), new, places());
    }
    let places = || occurrences(Chars::One(text), Chars::One(old)).take(limit);
    let found = places().count();
    replace_at(vm, word, text, (old.len(), found), new, places())
}
/// The same at places found already: how long each is, and how many there are.
fn replace_at(
    vm: Vm,
    word: Word,
    text: &[u8],
    (size, found): (usize, usize),
    new: &[u8],
    places: impl Iterator<Item = usize>,
) -> PyResult {
    if found == 0 {
        return super::str_text::exact(vm, word);
    }
    let length = found
        .checked_mul(new.len())
        .and_then(|added| (text.len() - found * size).checked_add(added))
        .filter(|&length| length <= isize::MAX as usize)
        .ok_or_else(|| vm.no_memory())?;
    if length == 0 {
        return Ok(vm.empty_string());
    }
    let result = vm.alloc_ascii(length)?;
    // SAFETY: the pieces copied make up `length` bytes.
    unsafe {
        let (mut from, mut to) = (0, (*result).data());
        let mut copy = |piece: &[u8]| {
            str::copy_bytes(piece.as_ptr(), to, piece.len());
            to = to.add(piece.len());
        };
        for at in places {
            copy(&text[from..at]);
            copy(new);
            from = at + size;
        }
        copy(&text[from..]);
        Ok(Owned::from_raw(result))
    }
}

/// `s.split(sep, maxsplit)` at a separator that is not empty.
pub fn split(vm: Vm, word: Word, separator: Chars<'_>, limit: usize) -> PyResult {
    let text = str::chars(word);
    let mut pieces = Vec::new();
    let mut from = 0;
    for index in occurrences(text, separator).take(limit) {
        pieces.push(vm.substring(word, from, index)?);
        from = index + separator.len();
    }
    pieces.push(vm.substring(word, from, text.len())?);
    vm.list_from_owned(pieces)
}
/// `s.rsplit(sep, maxsplit)`.
pub fn rsplit(vm: Vm, word: Word, separator: Chars<'_>, limit: usize) -> PyResult {
    let text = str::chars(word);
    let mut pieces = Vec::new();
    let mut end = text.len();
    while pieces.len() < limit
        && let Some(index) = rfind(text.slice(0, end), separator)
    {
        pieces.push(vm.substring(word, index + separator.len(), end)?);
        end = index;
    }
    pieces.push(vm.substring(word, 0, end)?);
    pieces.reverse();
    vm.list_from_owned(pieces)
}
/// `s.split(None, maxsplit)`: at runs of white space.
pub fn split_whitespace(vm: Vm, word: Word, limit: usize) -> PyResult {
    let pieces = with_units!(str::chars(word), units => whitespace_pieces(vm, word, units, limit))?;
    vm.list_from_owned(pieces)
}
fn whitespace_pieces<T: str::CodeUnit>(
    vm: Vm,
    word: Word,
    text: &[T],
    limit: usize,
) -> Result<Vec<Owned>, Raised> {
    let is_space = |c: T| super::unicode::is_space(c.into());
    let mut pieces: Vec<Owned> = Vec::new();
    let mut at = 0;
    let length = text.len();
    loop {
        while at < length && is_space(text[at]) {
            at += 1;
        }
        if at == length {
            break;
        }
        if pieces.len() == limit {
            pieces.push(vm.substring(word, at, length)?);
            break;
        }
        let start = at;
        while at < length && !is_space(text[at]) {
            at += 1;
        }
        pieces.push(vm.substring(word, start, at)?);
    }
    Ok(pieces)
}
/// `s.rsplit(None, maxsplit)`.
pub fn rsplit_whitespace(vm: Vm, word: Word, limit: usize) -> PyResult {
    let text = str::chars(word);
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
            pieces.push(vm.substring(word, 0, end)?);
            break;
        }
        let stop = end;
        while end > 0 && !is_space(text.at(end - 1)) {
            end -= 1;
        }
        pieces.push(vm.substring(word, end, stop)?);
    }
    pieces.reverse();
    vm.list_from_owned(pieces)
}

/// `s.splitlines(keepends)`.
pub fn splitlines(vm: Vm, word: Word, keep_ends: bool) -> PyResult {
    let text = str::chars(word);
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
        lines.push(vm.substring(word, start, end)?);
    }
    vm.list_from_owned(lines)
}

/// `sep.join(items)` of strings (`_PyUnicode_JoinArray`).
pub fn join(vm: Vm, separator: Word, items: &[Word]) -> PyResult {
    if let [only] = items
        && only.is_exact(super::header::Kind::STR)
    {
        return Ok(Owned::new_ref(*only));
    }
    let between = str::object(separator);
    let mut length = between.length.saturating_mul(items.len().saturating_sub(1));
    let mut max = if items.len() > 1 && between.length > 0 {
        str::flag_max(between)
    } else {
        0
    };
    for (index, item) in items.iter().enumerate() {
        if !str::is_str(*item) {
            return Err(vm.type_error(format!(
                "sequence item {index}: expected str instance, {} found",
                vm.type_name(*item)
            )));
        }
        let item = str::object(*item);
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
        if max < 0x80 {
            let mut at = (*joined).data();
            let mut copy = |piece: &str::StrObject| {
                str::copy_bytes(piece.data(), at, piece.length);
                at = at.add(piece.length);
            };
            copy(str::object(items[0]));
            for item in &items[1..] {
                if between.length > 0 {
                    copy(between);
                }
                copy(str::object(*item));
            }
            return Ok(Owned::from_raw(joined));
        }
        let width = (*joined).width();
        let mut at = (*joined).data();
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                str::copy_chars(between.chars(), at, width);
                at = at.add(between.length << width);
            }
            let item = str::object(*item);
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
            vm.substring(word, 0, index)?,
            Owned::new_ref(separator),
            vm.substring(word, index + part.len(), text.len())?,
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
