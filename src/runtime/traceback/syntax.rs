//! The place and text of a SyntaxError (`TracebackException._format_syntax_error`).

use super::report::text_of;
use crate::object::exc::{self, field};
use crate::object::{Vm, Word, int, str};
use crate::runtime::utf8::replace_surrogates as printable;

pub fn format(vm: Vm, exception: Word, class: &str) -> String {
    // SAFETY: a SyntaxError has these fields.
    let get = |index| {
        unsafe { exc::object(exception).field(index) }
            .get()
            .filter(|word| !word.is_none())
    };
    let text = |index| get(index).filter(|word| str::is_str(*word)).map(printable);
    let number = |index| {
        get(index)
            .and_then(int::value)
            .and_then(|value| value.to_i64())
    };

    let mut out = String::new();
    let mut suffix = String::new();
    let filename = text(field::SYNTAX_ERROR_FILENAME);
    match get(field::SYNTAX_ERROR_LINENO) {
        Some(line) => {
            let line = text_of(vm, line).unwrap_or_default();
            out = format!(
                "  File \"{}\", line {line}\n",
                filename.as_deref().unwrap_or("<string>")
            );
        }
        None => {
            suffix = filename
                .map(|name| format!(" ({name})"))
                .unwrap_or_default()
        }
    }
    if let Some(source) = text(field::SYNTAX_ERROR_TEXT) {
        let place = Place {
            one_line: number(field::SYNTAX_ERROR_LINENO) == number(field::SYNTAX_ERROR_END_LINENO),
            offset: number(field::SYNTAX_ERROR_OFFSET),
            end_offset: number(field::SYNTAX_ERROR_END_OFFSET),
        };
        out.push_str(&marked(&source, &place));
    }
    let message = get(field::SYNTAX_ERROR_MSG)
        .and_then(|word| text_of(vm, word))
        .filter(|text| !text.is_empty());
    out + &format!(
        "{class}: {}{suffix}\n",
        message.as_deref().unwrap_or("<no detail available>")
    )
}

/// Columns from 1, as the exception has them.
struct Place {
    one_line: bool,
    offset: Option<i64>,
    end_offset: Option<i64>,
}

/// The stripped line, and carets below it.
fn marked(source: &str, place: &Place) -> String {
    let line = source.trim_end_matches('\n');
    let stripped = line.trim_start_matches([' ', '\n', '\u{c}']);
    let length = line.chars().count() as i64;
    let whole = source.chars().count() as i64;
    let mut out = format!("    {stripped}\n");
    let Some(mut offset) = place.offset else {
        return out;
    };
    let mut end = match place.end_offset {
        _ if !place.one_line => length + 1,
        Some(end) if end != 0 => end,
        _ => offset,
    };
    if whole > 0 && offset > whole {
        offset = length + 1;
    }
    if whole > 0 && end > whole {
        end = length + 1;
    }
    if offset >= end || end < 0 {
        end = offset + 1;
    }
    let spaces = length - stripped.chars().count() as i64;
    if let Ok(column) = usize::try_from(offset - 1 - spaces) {
        // Tabs stay, so that the carets stand below what they mean.
        let before = stripped
            .chars()
            .take(column)
            .map(|c| if c.is_whitespace() { c } else { ' ' });
        let carets = usize::try_from(end - offset).unwrap_or(1);
        out += &format!("    {}{}\n", before.collect::<String>(), "^".repeat(carets));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_below_the_stripped_line() {
        let place = |offset, end_offset| Place {
            one_line: true,
            offset,
            end_offset,
        };
        assert_eq!(
            marked("  x = = 1\n", &place(Some(7), Some(8))),
            "    x = = 1\n        ^\n"
        );
        assert_eq!(
            marked("a b\n", &place(Some(1), Some(4))),
            "    a b\n    ^^^\n"
        );
        assert_eq!(marked("a b", &place(None, None)), "    a b\n");
        assert_eq!(
            marked("\tx y\n", &place(Some(2), Some(0))),
            "    \tx y\n    \t^\n"
        );
    }
}
