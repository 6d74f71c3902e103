//! The pieces of f-strings.

use super::word_or_null;
use crate::object::{Kind, Owned, Word, format, protocol, str_text};
use crate::runtime::templates;
use crate::runtime::thread::Thread;

/// `!s`, `!r`, `!a` (`FVC_STR`, `FVC_REPR`, `FVC_ASCII`).
#[inline(never)]
pub unsafe fn convert_value(ts: &Thread, value: Word, conversion: usize) -> Word {
    let vm = ts.vm();
    word_or_null(match conversion {
        1 => protocol::str(vm, value),
        2 => protocol::repr(vm, value),
        _ => protocol::repr(vm, value)
            .and_then(|text| str_text::escape_non_ascii(vm, text.as_word())),
    })
}

#[inline(never)]
pub unsafe fn format_simple(ts: &Thread, value: Word) -> Word {
    if value.is_exact(Kind::STR) {
        return Owned::new_ref(value).into_word();
    }
    word_or_null(format::format(
        ts.vm(),
        value,
        ts.vm().empty_string().as_word(),
    ))
}

#[inline(never)]
pub unsafe fn format_with_spec(ts: &Thread, value: Word, spec: Word) -> Word {
    word_or_null(format::format(ts.vm(), value, spec))
}

#[inline(never)]
pub unsafe fn build_template(ts: &Thread, strings: Word, interpolations: Word) -> Word {
    word_or_null(templates::build(ts.vm(), strings, interpolations))
}

/// Consumes a value, its source and, by the low bit of `oparg`, its format specification, which stand at `base`.
#[inline(never)]
pub unsafe fn build_interpolation(ts: &Thread, base: *mut Word, oparg: usize) -> Word {
    unsafe {
        let format_spec = (oparg & 1 != 0).then(|| *base.add(2));
        let result = templates::interpolate(ts.vm(), *base, *base.add(1), oparg >> 2, format_spec);
        for index in 0..2 + (oparg & 1) {
            std::mem::replace(&mut *base.add(index), Word::NULL).close();
        }
        word_or_null(result)
    }
}
