//! The text of one module: bytes decoded and newlines unified as CPython's tokenizer does, offsets to positions.

use super::error::{CompileError, ErrorKind};
use super::instr::Location;
use ruff_text_size::{Ranged, TextRange, TextSize};
use std::borrow::Cow;
use std::cell::Cell;

pub(super) struct Source {
    text: String,
    /// Byte offset of each line's first character; one more entry than there are newlines.
    line_starts: Vec<u32>,
    /// The line of the last answer: neighbouring nodes lie on neighbouring lines.
    last: Cell<Line>,
}

/// A line's place in the table, where it starts and where the next one does.
#[derive(Clone, Copy)]
struct Line {
    index: u32,
    start: u32,
    end: u32,
}

impl Line {
    fn holds(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }
}

impl Source {
    /// Decodes `bytes`: a byte order mark, a PEP 263 declaration, then UTF-8 or a Latin-1 subset.
    pub(super) fn new(bytes: &[u8]) -> Result<Source, CompileError> {
        let (bytes, marked) = match bytes.strip_prefix(b"\xEF\xBB\xBF") {
            Some(rest) => (rest, true),
            None => (bytes, false),
        };
        let text = decode(bytes, marked)?;
        if text.len() > i32::MAX as usize {
            return Err(CompileError::new(
                ErrorKind::Overflow,
                "source code string is too large",
                Location::NO_LOCATION,
            ));
        }
        if let Some(at) = memchr::memchr(0, text.as_bytes()) {
            let line = memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() as i32 + 1;
            return Err(CompileError::new(
                ErrorKind::Syntax,
                "source code cannot contain null bytes",
                point(line, 0),
            ));
        }
        let text = unify_newlines(text);
        let mut line_starts = Vec::with_capacity(text.len() / 32 + 1);
        line_starts.push(0);
        line_starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at as u32 + 1));
        let first = line(&line_starts, 0);
        Ok(Source {
            text: text.into_owned(),
            line_starts,
            last: Cell::new(first),
        })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
    pub(super) fn slice(&self, range: TextRange) -> &str {
        &self.text[range]
    }
    /// The line with this number, counted from 1, without its newline.
    pub(super) fn line(&self, lineno: i32) -> Option<&str> {
        let index = usize::try_from(lineno).ok()?.checked_sub(1)?;
        let start = *self.line_starts.get(index)? as usize;
        let end = match self.line_starts.get(index + 1) {
            Some(&next) => next as usize - 1,
            None => self.text.len(),
        };
        Some(&self.text[start..end])
    }
    fn line_at(&self, offset: u32) -> Line {
        let last = self.last.get();
        if last.holds(offset) {
            return last;
        }
        let starts = &self.line_starts;
        if last.index as usize + 1 < starts.len() {
            let next = line(starts, last.index as usize + 1);
            if next.holds(offset) {
                return next;
            }
        }
        line(starts, starts.partition_point(|&start| start <= offset) - 1)
    }
    /// Line, counted from 1, and byte column of an offset.
    pub(super) fn position(&self, offset: TextSize) -> (i32, i32) {
        let line = self.line_at(offset.to_u32());
        self.last.set(line);
        position_in(line, offset)
    }
    pub(super) fn location(&self, range: TextRange) -> Location {
        let (start, end) = (range.start(), range.end());
        let first = self.line_at(start.to_u32());
        self.last.set(first);
        // What follows a node of many lines stands in it more often than after it.
        let last = self.line_at(end.to_u32());
        let (lineno, col_offset) = position_in(first, start);
        let (end_lineno, end_col_offset) = position_in(last, end);
        Location {
            lineno,
            end_lineno,
            col_offset,
            end_col_offset,
        }
    }
    pub(super) fn location_of(&self, node: &impl Ranged) -> Location {
        self.location(node.range())
    }
    pub(super) fn lineno(&self, node: &impl Ranged) -> i32 {
        self.position(node.start()).0
    }
}

fn line(starts: &[u32], index: usize) -> Line {
    Line {
        index: index as u32,
        start: starts[index],
        end: starts.get(index + 1).copied().unwrap_or(u32::MAX),
    }
}

fn position_in(line: Line, offset: TextSize) -> (i32, i32) {
    let column = offset.to_u32() - line.start;
    (line.index as i32 + 1, column as i32)
}

pub(super) fn point(lineno: i32, col: i32) -> Location {
    Location {
        lineno,
        end_lineno: lineno,
        col_offset: col,
        end_col_offset: col,
    }
}

fn syntax(message: String, lineno: i32) -> CompileError {
    CompileError::new(ErrorKind::Syntax, message, point(lineno, -1))
}

fn decode(bytes: &[u8], marked: bool) -> Result<Cow<'_, str>, CompileError> {
    let declared = declared_encoding(bytes);
    let encoding = declared.as_deref().unwrap_or("utf-8");
    match normal_encoding(encoding) {
        Encoding::Utf8 => decode_utf8(bytes, declared.is_some()),
        other if marked => {
            let name = match other {
                Encoding::Latin1 => "iso-8859-1",
                _ => encoding,
            };
            Err(syntax(format!("encoding problem: {name} with BOM"), 1))
        }
        Encoding::Ascii | Encoding::Latin1 if bytes.is_ascii() => decode_utf8(bytes, true),
        Encoding::Latin1 => Ok(Cow::Owned(bytes.iter().map(|&b| b as char).collect())),
        Encoding::Ascii => {
            let at = bytes.iter().position(|b| !b.is_ascii()).unwrap_or(0);
            Err(syntax(
                format!(
                    "'ascii' codec can't decode byte 0x{:02x} in position {at}: ordinal not in range(128)",
                    bytes[at]
                ),
                0,
            ))
        }
        Encoding::Unknown => Err(syntax(format!("unknown encoding: {encoding}"), 0)),
    }
}

fn decode_utf8(bytes: &[u8], declared: bool) -> Result<Cow<'_, str>, CompileError> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(Cow::Borrowed(text)),
        Err(error) => error,
    };
    let at = error.valid_up_to();
    let bad = bytes[at];
    let line = memchr::memchr_iter(b'\n', &bytes[..at]).count() as i32 + 1;
    if declared {
        let reason = match (error.error_len(), bad) {
            (None, _) => "unexpected end of data",
            (_, 0x80..=0xC1 | 0xF5..) => "invalid start byte",
            _ => "invalid continuation byte",
        };
        let message = format!(
            "(unicode error) 'utf-8' codec can't decode byte 0x{bad:02x} in position {at}: {reason}"
        );
        return Err(syntax(message, line));
    }
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |i| i + 1);
    let col = String::from_utf8_lossy(&bytes[start..at]).chars().count() as i32;
    Err(CompileError::new(
        ErrorKind::Syntax,
        format!(
            "Non-UTF-8 code starting with '\\x{bad:02x}' on line {line}, but no encoding declared; \
             see https://peps.python.org/pep-0263/ for details"
        ),
        point(line, col),
    ))
}

enum Encoding {
    Utf8,
    Latin1,
    Ascii,
    Unknown,
}

fn normal_encoding(name: &str) -> Encoding {
    let name = name.to_ascii_lowercase().replace('_', "-");
    match name.as_str() {
        "utf-8" | "utf8" | "u8" | "utf" | "cp65001" => Encoding::Utf8,
        n if n.starts_with("utf-8-") => Encoding::Utf8,
        "latin-1" | "latin1" | "latin" | "l1" | "iso-8859-1" | "iso8859-1" | "8859" | "cp819" => {
            Encoding::Latin1
        }
        n if n.starts_with("latin-1-") || n.starts_with("iso-8859-1-") => Encoding::Latin1,
        "ascii" | "us-ascii" | "646" => Encoding::Ascii,
        _ => Encoding::Unknown,
    }
}

/// The encoding that a comment on one of the first two lines names (PEP 263, `get_coding_spec`).
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let mut lines = bytes.split(|&b| b == b'\n' || b == b'\r');
    for line in lines.by_ref().take(2) {
        let blank = line
            .iter()
            .position(|b| !matches!(b, b' ' | b'\t' | 0x0C))
            .unwrap_or(line.len());
        if blank == line.len() {
            continue;
        }
        if line[blank] != b'#' {
            return None;
        }
        if let Some(at) = memchr::memmem::find(line, b"coding") {
            let rest = &line[at + 6..];
            if let [b':' | b'=', rest @ ..] = rest {
                let name: String = rest
                    .iter()
                    .skip_while(|b| matches!(b, b' ' | b'\t'))
                    .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
                    .map(|&b| b as char)
                    .collect();
                if !name.is_empty() {
                    return Some(name);
                }
            }
        }
    }
    None
}

/// `\r\n` and `\r` become `\n` (`translate_newlines`).
fn unify_newlines(text: Cow<'_, str>) -> Cow<'_, str> {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = rest.find('\r') {
        out.push_str(&rest[..at]);
        out.push('\n');
        rest = &rest[at + 1..];
        rest = rest.strip_prefix('\n').unwrap_or(rest);
    }
    out.push_str(rest);
    Cow::Owned(out)
}
