//! `str.format` (`unicode_format.h`).

use super::args::keyword_names;
use super::owned::{Owned, PyResult, Raised};
use super::str::{self, Chars};
use super::str_writer::StrWriter;
use super::vm::Vm;
use super::word::Word;
use super::{attr, format, int_text, protocol, sequence, str_text};

/// Where replacement fields get their values.
struct Fields<'a> {
    vm: Vm,
    /// None for `format_map`.
    args: Option<&'a [Word]>,
    names: &'a [Word],
    values: &'a [Word],
    mapping: Option<Word>,
    numbering: Numbering,
}

#[derive(Clone, Copy, PartialEq)]
enum Numbering {
    Unknown,
    Automatic(usize),
    Manual,
}

pub(super) fn str_format(vm: Vm, self_: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let names = keyword_names(kwnames);
    let (positional, values) = args.split_at(args.len() - names.len());
    let mut fields = Fields {
        vm,
        args: Some(positional),
        names,
        values,
        mapping: None,
        numbering: Numbering::Unknown,
    };
    build(vm, str::chars(self_), &mut fields, 2)
}
pub(super) fn str_format_map(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let mut fields = Fields {
        vm,
        args: None,
        names: &[],
        values: &[],
        mapping: Some(args[0]),
        numbering: Numbering::Unknown,
    };
    build(vm, str::chars(self_), &mut fields, 2)
}

fn build(vm: Vm, text: Chars<'_>, fields: &mut Fields<'_>, depth: u32) -> PyResult {
    let mut writer = StrWriter::new(vm);
    write(vm, text, fields, depth, &mut writer)?;
    writer.finish()
}

const OPEN: u32 = 0x7b;
const CLOSE: u32 = 0x7d;

fn write(
    vm: Vm,
    text: Chars<'_>,
    fields: &mut Fields<'_>,
    depth: u32,
    writer: &mut StrWriter,
) -> Result<(), Raised> {
    if depth == 0 {
        return Err(vm.value_error("Max string recursion exceeded"));
    }
    let (mut at, length) = (0, text.len());
    while at < length {
        let start = at;
        while at < length && !matches!(text.at(at), OPEN | CLOSE) {
            at += 1;
        }
        writer.push_chars(text.slice(start, at))?;
        if at == length {
            break;
        }
        let c = text.at(at);
        at += 1;
        if at < length && text.at(at) == c {
            writer.push(c)?;
            at += 1;
            continue;
        }
        if c == CLOSE {
            return Err(vm.value_error("Single '}' encountered in format string"));
        }
        if at == length {
            return Err(vm.value_error("Single '{' encountered in format string"));
        }
        field(vm, text, &mut at, fields, depth, writer)?;
    }
    Ok(())
}

/// One replacement field, behind its brace (`parse_field` and `output_markup`).
fn field(
    vm: Vm,
    text: Chars<'_>,
    at: &mut usize,
    fields: &mut Fields<'_>,
    depth: u32,
    writer: &mut StrWriter,
) -> Result<(), Raised> {
    let length = text.len();
    let start = *at;
    let mut brackets = false;
    let mut end = None;
    while *at < length {
        let c = text.at(*at);
        *at += 1;
        match c {
            OPEN => return Err(vm.value_error("unexpected '{' in field name")),
            0x5b => brackets = true,
            0x5d => brackets = false,
            CLOSE | 0x3a | 0x21 if !brackets => {
                end = Some(c);
                break;
            }
            _ => {}
        }
    }
    let Some(end) = end else {
        return Err(vm.value_error("expected '}' before end of string"));
    };
    let name = text.slice(start, *at - 1);
    let mut conversion = None;
    let mut spec = None;
    if end != CLOSE {
        if end == 0x21 {
            if *at >= length {
                return Err(vm.value_error("end of string while looking for conversion specifier"));
            }
            conversion = Some(text.at(*at));
            *at += 1;
            if *at < length {
                let c = text.at(*at);
                *at += 1;
                if c == CLOSE {
                    return output(vm, name, conversion, Chars::One(b""), fields, depth, writer);
                }
                if c != 0x3a {
                    return Err(vm.value_error("expected ':' after conversion specifier"));
                }
            }
        }
        let start = *at;
        let mut nested = 1;
        while *at < length {
            match text.at(*at) {
                OPEN => nested += 1,
                CLOSE => {
                    nested -= 1;
                    if nested == 0 {
                        spec = Some(text.slice(start, *at));
                        *at += 1;
                        break;
                    }
                }
                _ => {}
            }
            *at += 1;
        }
        if spec.is_none() {
            return Err(vm.value_error("unmatched '{' in format spec"));
        }
    }
    output(
        vm,
        name,
        conversion,
        spec.unwrap_or(Chars::One(b"")),
        fields,
        depth,
        writer,
    )
}

fn output(
    vm: Vm,
    name: Chars<'_>,
    conversion: Option<u32>,
    spec: Chars<'_>,
    fields: &mut Fields<'_>,
    depth: u32,
    writer: &mut StrWriter,
) -> Result<(), Raised> {
    let mut value = fields.get(name)?;
    if let Some(conversion) = conversion {
        value = match char::from_u32(conversion) {
            Some('r') => protocol::repr(vm, value.as_word())?,
            Some('s') => protocol::str(vm, value.as_word())?,
            Some('a') => {
                let repr = protocol::repr(vm, value.as_word())?;
                str_text::escape_non_ascii(vm, repr.as_word())?
            }
            other => {
                let shown = match other {
                    Some(c) if (0x21..0x7f).contains(&conversion) => c.to_string(),
                    _ => format!("\\x{conversion:x}"),
                };
                return Err(vm.value_error(format!("Unknown conversion specifier {shown}")));
            }
        };
    }
    let has_fields = spec.iter().any(|c| matches!(c, OPEN | CLOSE));
    let spec = if has_fields {
        build(vm, spec, fields, depth - 1)?
    } else {
        vm.str_from_chars(spec)?
    };
    let text = format::format(vm, value.as_word(), spec.as_word())?;
    writer.push_word(text.as_word())
}

impl Fields<'_> {
    /// The value of a field name: its first part, then attributes and items (`get_field_object`).
    fn get(&mut self, name: Chars<'_>) -> PyResult {
        let vm = self.vm;
        let length = name.len();
        let is_part = |c: u32| matches!(c, 0x2e | 0x5b);
        let end = name.iter().position(is_part).unwrap_or(length);
        let mut value = self.first(name.slice(0, end))?;
        let mut at = end;
        while at < length {
            let c = name.at(at);
            at += 1;
            let start = at;
            let is_item = c == 0x5b;
            if is_item {
                while at < length && name.at(at) != 0x5d {
                    at += 1;
                }
                if at == length {
                    return Err(vm.value_error("Missing ']' in format string"));
                }
            } else {
                while at < length && !is_part(name.at(at)) {
                    at += 1;
                }
            }
            let part = name.slice(start, at);
            if part.is_empty() {
                return Err(vm.value_error("Empty attribute in format string"));
            }
            if !is_item {
                let attribute = vm.str_from_chars(part)?;
                let attribute = vm.intern(attribute.as_word())?;
                value = attr::get_attr(vm, value.as_word(), attribute.as_word())?;
                continue;
            }
            at += 1;
            if at < length && !is_part(name.at(at)) {
                return Err(
                    vm.value_error("Only '.' or '[' may follow ']' in format field specifier")
                );
            }
            let key = match self.integer(part)? {
                Some(index) => vm.new_int(index as i64)?,
                None => vm.str_from_chars(part)?,
            };
            value = sequence::get_item(vm, value.as_word(), key.as_word())?;
        }
        Ok(value)
    }
    fn integer(&self, text: Chars<'_>) -> Result<Option<usize>, Raised> {
        if text.is_empty() {
            return Ok(None);
        }
        let mut value = 0usize;
        for c in text.iter() {
            let Some(digit) = int_text::decimal_digit(c) else {
                return Ok(None);
            };
            value = value
                .checked_mul(10)
                .and_then(|value| value.checked_add(digit as usize))
                .filter(|&value| value <= isize::MAX as usize)
                .ok_or_else(|| {
                    self.vm
                        .value_error("Too many decimal digits in format string")
                })?;
        }
        Ok(Some(value))
    }
    fn first(&mut self, name: Chars<'_>) -> PyResult {
        let vm = self.vm;
        let index = match (name.is_empty(), self.integer(name)?) {
            (true, _) => {
                let next = match self.numbering {
                    Numbering::Unknown => 0,
                    Numbering::Automatic(next) => next,
                    Numbering::Manual => {
                        return Err(vm.value_error(
                            "cannot switch from manual field specification to automatic field numbering",
                        ));
                    }
                };
                self.numbering = Numbering::Automatic(next + 1);
                Some(next)
            }
            (false, Some(index)) => {
                if let Numbering::Automatic(_) = self.numbering {
                    return Err(vm.value_error(
                        "cannot switch from automatic field numbering to manual field specification",
                    ));
                }
                self.numbering = Numbering::Manual;
                Some(index)
            }
            (false, None) => None,
        };
        if let Some(index) = index {
            let Some(args) = self.args else {
                return Err(vm.value_error("Format string contains positional fields"));
            };
            return match args.get(index) {
                Some(&value) => Ok(Owned::new_ref(value)),
                None => Err(vm.index_error(format!(
                    "Replacement index {index} out of range for positional args tuple"
                ))),
            };
        }
        let key = vm.str_from_chars(name)?;
        if let Some(mapping) = self.mapping {
            return sequence::get_item(vm, mapping, key.as_word());
        }
        match self
            .names
            .iter()
            .position(|&name| str::equal(name, key.as_word()))
        {
            Some(position) => Ok(Owned::new_ref(self.values[position])),
            None => Err(vm.key_error(key.as_word())),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::object::testing::TestVm;

    /// Answers of CPython 3.14.
    #[test]
    fn recorded() {
        let t = TestVm::new();
        for (object, method, args, expected) in [
            (
                t.s("{"),
                "format",
                vec![],
                "ValueError: Single '{' encountered in format string",
            ),
            (
                t.s("}"),
                "format",
                vec![],
                "ValueError: Single '}' encountered in format string",
            ),
            (
                t.s("{}"),
                "format",
                vec![],
                "IndexError: Replacement index 0 out of range for positional args tuple",
            ),
            (
                t.s("{0}{}"),
                "format",
                vec![t.i(1), t.i(2)],
                "ValueError: cannot switch from manual field specification to automatic field numbering",
            ),
            (
                t.s("{}{0}"),
                "format",
                vec![t.i(1), t.i(2)],
                "ValueError: cannot switch from automatic field numbering to manual field specification",
            ),
            (t.s("{a}"), "format", vec![], "KeyError: 'a'"),
            (
                t.s("{!x}"),
                "format",
                vec![t.i(1)],
                "ValueError: Unknown conversion specifier x",
            ),
            (t.s("{!r:>5}"), "format", vec![t.s("a")], "\"  'a'\""),
            (t.s("{0.real}"), "format", vec![t.i(1)], "'1'"),
            (t.s("{0[0]}"), "format", vec![t.list(&[t.i(1)])], "'1'"),
            (
                t.s("{0[a]}"),
                "format",
                vec![t.dict(&[(t.s("a"), t.i(5))])],
                "'5'",
            ),
            (
                t.s("{0[}"),
                "format",
                vec![t.list(&[t.i(1)])],
                "ValueError: expected '}' before end of string",
            ),
            (
                t.s("{0]}"),
                "format",
                vec![t.list(&[t.i(1)])],
                "KeyError: '0]'",
            ),
            (
                t.s("{:{}}"),
                "format",
                vec![t.i(5), t.i(10)],
                "'         5'",
            ),
            (
                t.s("{:{:{}}}"),
                "format",
                vec![t.i(5), t.i(10), t.i(1)],
                "ValueError: Max string recursion exceeded",
            ),
            (
                t.s("{0.}"),
                "format",
                vec![t.i(1)],
                "ValueError: Empty attribute in format string",
            ),
            (
                t.s("{0[0]x}"),
                "format",
                vec![t.list(&[t.i(1)])],
                "ValueError: Only '.' or '[' may follow ']' in format field specifier",
            ),
            (
                t.s("{!}"),
                "format",
                vec![t.i(1)],
                "ValueError: unmatched '{' in format spec",
            ),
            (
                t.s("{!rx}"),
                "format",
                vec![t.i(1)],
                "ValueError: expected ':' after conversion specifier",
            ),
            (t.s("{a b}"), "format", vec![t.i(1)], "KeyError: 'a b'"),
            (t.s("{{}}"), "format", vec![], "'{}'"),
            (t.s("{0!r}"), "format", vec![t.s("x")], "\"'x'\""),
            (
                t.s("{0:"),
                "format",
                vec![t.i(1)],
                "ValueError: unmatched '{' in format spec",
            ),
            (
                t.s("{0!"),
                "format",
                vec![t.i(1)],
                "ValueError: end of string while looking for conversion specifier",
            ),
            (
                t.s("{0"),
                "format",
                vec![t.i(1)],
                "ValueError: expected '}' before end of string",
            ),
            (
                t.s("{0!r"),
                "format",
                vec![t.i(1)],
                "ValueError: unmatched '{' in format spec",
            ),
            (
                t.s("{99999999999999999999}"),
                "format",
                vec![t.i(1)],
                "ValueError: Too many decimal digits in format string",
            ),
            (t.s("{-1}"), "format", vec![t.i(1)], "KeyError: '-1'"),
            (
                t.s("x{:>5}|{:<4}|{:^6}|"),
                "format",
                vec![t.s("a"), t.i(1), t.f(2.5)],
                "'x    a|1   | 2.5  |'",
            ),
            (t.s("{!a}"), "format", vec![t.s("\u{e9}")], "\"'\\\\xe9'\""),
            (
                t.s("{a}-{b}"),
                "format_map",
                vec![t.dict(&[(t.s("a"), t.i(1)), (t.s("b"), t.i(2))])],
                "'1-2'",
            ),
            (
                t.s("{}"),
                "format_map",
                vec![t.dict(&[])],
                "ValueError: Format string contains positional fields",
            ),
        ] {
            t.check(&object, method, &args, expected);
        }
    }
}
