//! Case methods of `str` (`unicodeobject.c`'s `case_operation` and what uses it).

use super::owned::{Owned, PyResult, Raised};
use super::str::{self, Chars};
use super::str_writer::StrWriter;
use super::unicode;
use super::vm::Vm;
use super::word::Word;

type Names = Option<Word>;

fn points(chars: Chars<'_>) -> Vec<u32> {
    chars.iter().collect()
}
fn map_ascii(vm: Vm, word: Word, mut map: impl FnMut(u8) -> u8) -> Option<PyResult> {
    let text = str::as_ascii(word)?;
    if text.len() < 2 {
        return Some(text.bytes().next().map_or_else(
            || Ok(vm.empty_string()),
            |b| vm.str_from_char(u32::from(map(b))),
        ));
    }
    Some(vm.alloc_ascii(text.len()).map(|result| {
        // SAFETY: allocated with room for as many bytes.
        unsafe {
            for (index, byte) in text.bytes().enumerate() {
                (*result).data().add(index).write(map(byte));
            }
            Owned::from_raw(result)
        }
    }))
}
pub(super) fn lower(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    if let Some(result) = map_ascii(vm, self_, |b| b.to_ascii_lowercase()) {
        return result;
    }
    let text = points(str::chars(self_));
    build(vm, text.len(), |writer| {
        (0..text.len())
            .try_for_each(|index| unicode::lower_at(&text, index).try_for_each(|c| writer.push(c)))
    })
}
pub(super) fn upper(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    if let Some(result) = map_ascii(vm, self_, |b| b.to_ascii_uppercase()) {
        return result;
    }
    let chars = str::chars(self_);
    build(vm, chars.len(), |writer| {
        chars
            .iter()
            .flat_map(unicode::to_upper)
            .try_for_each(|c| writer.push(c))
    })
}
pub(super) fn casefold(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    if str::object(self_).is_ascii() {
        return lower(vm, self_, args, names);
    }
    let chars = str::chars(self_);
    build(vm, chars.len(), |writer| {
        chars
            .iter()
            .flat_map(unicode::to_folded)
            .try_for_each(|c| writer.push(c))
    })
}
pub(super) fn capitalize(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let mut first = true;
    let ascii = map_ascii(vm, self_, |b| {
        if std::mem::take(&mut first) {
            b.to_ascii_uppercase()
        } else {
            b.to_ascii_lowercase()
        }
    });
    if let Some(result) = ascii {
        return result;
    }
    let text = points(str::chars(self_));
    build(vm, text.len(), |writer| {
        for (index, &c) in text.iter().enumerate() {
            if index == 0 {
                unicode::to_title(c).try_for_each(|c| writer.push(c))?;
            } else {
                unicode::lower_at(&text, index).try_for_each(|c| writer.push(c))?;
            }
        }
        Ok(())
    })
}
pub(super) fn title(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let text = points(str::chars(self_));
    build(vm, text.len(), |writer| {
        let mut inside = false;
        for (index, &c) in text.iter().enumerate() {
            if inside {
                unicode::lower_at(&text, index).try_for_each(|c| writer.push(c))?;
            } else {
                unicode::to_title(c).try_for_each(|c| writer.push(c))?;
            }
            inside = unicode::is_cased(c);
        }
        Ok(())
    })
}
pub(super) fn swapcase(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let text = points(str::chars(self_));
    build(vm, text.len(), |writer| {
        for (index, &c) in text.iter().enumerate() {
            if unicode::is_upper(c) {
                unicode::lower_at(&text, index).try_for_each(|c| writer.push(c))?;
            } else if unicode::is_lower(c) {
                unicode::to_upper(c).try_for_each(|c| writer.push(c))?;
            } else {
                writer.push(c)?;
            }
        }
        Ok(())
    })
}
pub(super) fn build(
    vm: Vm,
    expected: usize,
    fill: impl FnOnce(&mut StrWriter) -> Result<(), Raised>,
) -> PyResult {
    let mut writer = StrWriter::new(vm);
    writer.reserve(expected)?;
    fill(&mut writer)?;
    writer.finish()
}
