//! `repr` of strings, subscripts, repetition, and other operators (`unicodeobject.c`).

use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::str::{self, Chars, with_units};
use super::str_writer::StrWriter;
use super::vm::Vm;
use super::word::Word;
use super::{number, sequence, slice, unicode};

pub(super) fn str_repr(vm: Vm, word: Word) -> PyResult {
    let mut writer = StrWriter::new(vm);
    push_repr(&mut writer, str::chars(word))?;
    writer.finish()
}

/// Writes characters as a literal (`unicode_repr`).
pub fn push_repr(writer: &mut StrWriter, chars: Chars<'_>) -> Result<(), Raised> {
    let has = |wanted: u32| chars.iter().any(|c| c == wanted);
    let quote = if has(0x27) && !has(0x22) { 0x22 } else { 0x27 };
    writer.reserve(chars.len().saturating_add(2))?;
    writer.push(quote)?;
    for c in chars.iter() {
        match c {
            0x5c => writer.push_str("\\\\")?,
            0x0a => writer.push_str("\\n")?,
            0x0d => writer.push_str("\\r")?,
            0x09 => writer.push_str("\\t")?,
            _ if c == quote => {
                writer.push(0x5c)?;
                writer.push(c)?;
            }
            _ if unicode::is_printable(c) => writer.push(c)?,
            _ => push_escape(writer, c)?,
        }
    }
    writer.push(quote)
}
/// `\x..`, `\u....` or `\U........`.
pub(super) fn push_escape(writer: &mut StrWriter, c: u32) -> Result<(), Raised> {
    writer.push_str(&match c {
        0..0x100 => format!("\\x{c:02x}"),
        0x100..0x1_0000 => format!("\\u{c:04x}"),
        _ => format!("\\U{c:08x}"),
    })
}

/// `ascii(o)` of a string's repr: what is not ASCII escaped (`PyObject_ASCII`).
pub fn escape_non_ascii(vm: Vm, word: Word) -> PyResult {
    if str::as_ascii(word).is_some() {
        return Ok(Owned::new_ref(word));
    }
    let mut writer = StrWriter::new(vm);
    for c in str::chars(word).iter() {
        if c < 0x80 {
            writer.push(c)?
        } else {
            push_escape(&mut writer, c)?
        }
    }
    writer.finish()
}

pub(super) fn str_str(vm: Vm, word: Word) -> PyResult {
    exact(vm, word)
}
/// An exact str of the same text.
pub(super) fn exact(vm: Vm, word: Word) -> PyResult {
    if word.is_exact(Kind::STR) {
        Ok(Owned::new_ref(word))
    } else {
        vm.str_from_chars(str::chars(word))
    }
}
pub(super) fn str_hash(vm: Vm, word: Word) -> Result<i64, Raised> {
    Ok(str::hash(vm, word))
}
pub(super) fn str_len(_: Vm, word: Word) -> Result<usize, Raised> {
    Ok(str::object(word).length)
}

/// `s[i]` and `s[a:b:c]` (`unicode_subscript`).
pub(super) fn str_getitem(vm: Vm, word: Word, key: Word) -> PyResult {
    let length = str::object(word).length;
    if number::is_index(vm, key) {
        let index = number::index_for_subscript(vm, key)?;
        return match sequence::wrap_index(index, length) {
            Some(index) => vm.str_from_char(str::chars(word).at(index)),
            None => Err(vm.index_error("string index out of range")),
        };
    }
    if !slice::is_slice(key) {
        return Err(vm.type_error(format!(
            "string indices must be integers, not '{}'",
            vm.type_name(key)
        )));
    }
    let selection = slice::select(vm, key, length)?;
    let chars = str::chars(word);
    if selection.step == 1 {
        if selection.count == length {
            return exact(vm, word);
        }
        let start = selection.start as usize;
        return vm.substring(word, start, start + selection.count);
    }
    with_units!(chars, units => {
        let mut picked = Vec::new();
        picked.try_reserve_exact(selection.count).map_err(|_| vm.no_memory())?;
        picked.extend(selection.indices().map(|index| u32::from(units[index])));
        vm.str_from_chars(Chars::Four(&picked))
    })
}

/// `a + b` (`PyUnicode_Concat`).
pub(super) fn str_concat(vm: Vm, a: Word, b: Word) -> PyResult {
    if !str::is_str(b) {
        return Err(vm.type_error(format!(
            "can only concatenate str (not \"{}\") to str",
            vm.type_name(b)
        )));
    }
    str::concat(vm, a, b)
}

/// `s * n` (`unicode_repeat`).
pub(super) fn str_repeat(vm: Vm, word: Word, count: isize) -> PyResult {
    let count = count.max(0) as usize;
    if count == 1 {
        return exact(vm, word);
    }
    let string = str::object(word);
    if count == 0 || string.length == 0 {
        return Ok(vm.empty_string());
    }
    let length = string
        .length
        .checked_mul(count)
        .filter(|&length| length <= isize::MAX as usize);
    let length = length.ok_or_else(|| vm.no_memory())?;
    let result = vm.alloc_str(length, str::flag_max(string))?;
    // SAFETY: allocated with room for all copies; what is copied from has been written.
    unsafe {
        let (data, piece) = ((*result).data(), string.byte_length());
        std::ptr::copy_nonoverlapping(string.data(), data, piece);
        let (mut done, total) = (piece, piece * count);
        while done < total {
            let more = done.min(total - done);
            std::ptr::copy_nonoverlapping(data, data.add(done), more);
            done += more;
        }
        Ok(Owned::from_raw(result))
    }
}

/// `a in s` (`PyUnicode_Contains`).
pub(super) fn str_contains(vm: Vm, word: Word, part: Word) -> Result<bool, Raised> {
    if !str::is_str(part) {
        return Err(vm.type_error(format!(
            "'in <string>' requires string as left operand, not {}",
            vm.type_name(part)
        )));
    }
    Ok(super::str_search::find(str::chars(word), str::chars(part)).is_some())
}

/// `str(object='', encoding, errors)` (`unicode_new`).
pub(super) fn str_new(
    vm: Vm,
    ty: *mut super::types::TypeObject,
    args: &[Word],
    kwnames: Option<Word>,
) -> PyResult {
    const SIGNATURE: super::args::Signature<3> =
        super::args::Signature::new("str", ["object", "encoding", "errors"], 0);
    let [object, encoding, errors] = match (args, kwnames) {
        ([object], None) => [Some(*object), None, None],
        (_, None) if args.len() > 3 => {
            super::args::check_positional(vm, "str", args.len(), 0, 3)?;
            [None; 3]
        }
        _ => SIGNATURE.unpack(vm, args, kwnames)?,
    };
    let text = match object {
        None => vm.empty_string(),
        Some(object) if encoding.is_none() && errors.is_none() => super::protocol::str(vm, object)?,
        Some(object) => {
            super::codecs::check_names(vm, "str", encoding, errors)?;
            super::codecs::decode_object(vm, object, encoding, errors)?
        }
    };
    if ty == vm.types.str {
        return Ok(text);
    }
    // SAFETY: a subclass of str is laid out as StrObject with characters and extension behind.
    unsafe { str::new_subclass(vm, ty, text.as_word()) }
}
