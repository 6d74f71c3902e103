//! CPython's tokenizer, for what ruff's cannot say: the wording of lexical errors, and tokens to reason about
//! syntax errors with. It runs only on sources that failed to parse or might nest too deeply.

mod numbers;
mod strings;

use super::error::{CompileError, ErrorKind};
use super::instr::Location;
use super::source::Source;
use ruff_text_size::TextSize;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Name,
    Number,
    String,
    FStringStart,
    FStringMiddle,
    FStringEnd,
    Op,
    Newline,
    Indent,
    Dedent,
    EndMarker,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

/// All tokens up to the end or the first lexical error.
pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    pub error: Option<CompileError>,
    /// Offset of an error that counts only if the parser gets there: CPython's tokenizer does not raise it,
    /// and so it does not outdo a syntax error before it.
    pub quiet: Option<usize>,
    /// Offset of the innermost bracket that is still open at the end of the file.
    pub unclosed: Option<usize>,
}

/// `MAXLEVEL` and `MAXINDENT`
const MAX_LEVEL: usize = 200;
const MAX_INDENT: usize = 100;
const TAB_SIZE: usize = 8;
/// An end column that CPython leaves out.
const NO_END: i32 = -2;

/// An f-string or t-string being read.
struct Mode {
    quote: u8,
    triple: bool,
    raw: bool,
    letter: char,
    start: usize,
    /// Brackets open when the string began.
    level: usize,
    fields: Vec<Field>,
}

/// A replacement field: how many brackets are open with its own, and whether its expression is over.
struct Field {
    level: usize,
    in_spec: bool,
}

impl Mode {
    fn in_text(&self) -> bool {
        self.fields.last().is_none_or(|f| f.in_spec)
    }
}

struct Lexer<'s> {
    source: &'s Source,
    text: &'s [u8],
    at: usize,
    tokens: Vec<Token>,
    brackets: Vec<(u8, usize)>,
    /// Columns with tabs of 8, and of 1 (`tok->indstack` and `altstack`).
    indents: Vec<(usize, usize)>,
    modes: Vec<Mode>,
    quiet: Option<usize>,
}

type Result<T = ()> = std::result::Result<T, CompileError>;

pub(super) fn lex(source: &Source) -> Lexed {
    let mut lexer = Lexer {
        source,
        text: source.text().as_bytes(),
        at: 0,
        tokens: Vec::new(),
        brackets: Vec::new(),
        indents: vec![(0, 0)],
        modes: Vec::new(),
        quiet: None,
    };
    let error = lexer.run().err();
    Lexed {
        tokens: lexer.tokens,
        error,
        quiet: lexer.quiet,
        unclosed: lexer.brackets.last().map(|b| b.1),
    }
}

/// A range in characters, as the parser's errors count columns.
pub(super) fn char_location(source: &Source, start: usize, end: usize) -> Location {
    let (lineno, col_offset) = char_position(source, start);
    let (end_lineno, end_col_offset) = char_position(source, end);
    Location {
        lineno,
        end_lineno,
        col_offset,
        end_col_offset,
    }
}
fn char_position(source: &Source, at: usize) -> (i32, i32) {
    let (line, col) = source.position(TextSize::new(at as u32));
    let text = source.line(line).unwrap_or_default();
    let before = text.get(..col as usize).unwrap_or(text);
    (line, before.chars().count() as i32)
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }
    fn is_end(&self) -> bool {
        self.at >= self.text.len()
    }
    fn push(&mut self, kind: Kind, start: usize) {
        let end = self.at;
        self.tokens.push(Token { kind, start, end });
    }
    /// An error at the last character read (`_PyTokenizer_syntaxerror`).
    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        self.error_at(self.at, message)
    }
    fn error_at<T>(&self, cur: usize, message: impl Into<String>) -> Result<T> {
        let mut loc = char_location(self.source, cur, cur);
        loc.col_offset -= 1;
        loc.end_col_offset -= 1;
        Err(CompileError::new(ErrorKind::Syntax, message, loc))
    }
    fn line_of(&self, at: usize) -> i32 {
        self.source.position(TextSize::new(at as u32)).0
    }
    /// The number of the last line there is.
    fn last_line(&self) -> i32 {
        let end = self.text.len();
        let line = self.line_of(end);
        let at_start = end > 0 && self.text[end - 1] == b'\n';
        if at_start { line - 1 } else { line }
    }

    fn run(&mut self) -> Result {
        let mut line_start = true;
        loop {
            if self.modes.last().is_some_and(Mode::in_text) {
                self.fstring_middle()?;
                line_start = false;
                continue;
            }
            if line_start && self.brackets.is_empty() && self.modes.is_empty() {
                line_start = false;
                self.indentation()?;
            }
            while matches!(self.peek(0), b' ' | b'\t' | 0x0C) && !self.is_end() {
                self.at += 1;
            }
            if self.is_end() {
                return self.finish();
            }
            self.quiet = None;
            match self.peek(0) {
                b'#' => self.skip_line(),
                b'\n' => {
                    let start = self.at;
                    self.at += 1;
                    let blank = self.tokens.last().is_none_or(|t| {
                        matches!(t.kind, Kind::Newline | Kind::Indent | Kind::Dedent)
                    });
                    if self.brackets.is_empty() && self.modes.is_empty() {
                        line_start = true;
                        if !blank {
                            self.push(Kind::Newline, start);
                        }
                    }
                }
                b'\\' => self.continuation()?,
                _ => self.token()?,
            }
        }
    }

    fn finish(&mut self) -> Result {
        if let Some(mode) = self.modes.last() {
            let (start, triple, letter) = (mode.start, mode.triple, mode.letter);
            return self.unterminated_fstring(start, triple, letter);
        }
        if self.brackets.is_empty() {
            let start = self.at;
            if self
                .tokens
                .last()
                .is_some_and(|t| !matches!(t.kind, Kind::Newline | Kind::Indent | Kind::Dedent))
            {
                self.push(Kind::Newline, start);
            }
            while self.indents.len() > 1 {
                self.indents.pop();
                self.push(Kind::Dedent, start);
            }
            self.push(Kind::EndMarker, start);
        }
        Ok(())
    }

    fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    fn continuation(&mut self) -> Result {
        self.quiet = Some(self.at);
        self.at += 1;
        let newline = self.peek(0) == b'\n';
        if !newline && !self.is_end() {
            let mut loc = char_location(self.source, self.at, self.at);
            loc.end_col_offset = -1;
            let message = "unexpected character after line continuation character";
            return Err(CompileError::new(ErrorKind::Syntax, message, loc));
        }
        if newline {
            self.at += 1;
        }
        if self.is_end() {
            let end = self.at - usize::from(newline);
            let mut loc = char_location(self.source, end, end);
            loc.end_col_offset = loc.col_offset;
            let message = "unexpected EOF while parsing";
            return Err(CompileError::new(ErrorKind::Syntax, message, loc));
        }
        Ok(())
    }

    /// The blanks that start a line.
    fn indentation(&mut self) -> Result {
        self.quiet = Some(self.at);
        let start = self.at;
        let (mut col, mut alt) = (0, 0);
        loop {
            match self.peek(0) {
                b' ' => (col, alt) = (col + 1, alt + 1),
                b'\t' => (col, alt) = ((col / TAB_SIZE + 1) * TAB_SIZE, alt + 1),
                0x0C if !self.is_end() => (col, alt) = (0, 0),
                b'\\' if self.peek(1) == b'\n' => {
                    self.at += 2;
                    continue;
                }
                _ => break,
            }
            self.at += 1;
        }
        if self.is_end() || matches!(self.peek(0), b'#' | b'\n') {
            return Ok(());
        }
        let (top, top_alt) = self.indents.last().copied().unwrap_or_default();
        let here = self.line_of(self.at);
        let whole_line = |col, end_col| Location {
            lineno: here,
            end_lineno: here,
            col_offset: col,
            end_col_offset: end_col,
        };
        let tab_error = || {
            let message = "inconsistent use of tabs and spaces in indentation";
            Err(CompileError::new(
                ErrorKind::Tab,
                message,
                whole_line(0, -1),
            ))
        };
        if col == top {
            if alt != top_alt {
                return tab_error();
            }
        } else if col > top {
            if self.indents.len() >= MAX_INDENT {
                let message = "too many levels of indentation";
                let loc = whole_line(0, -1);
                return Err(CompileError::new(ErrorKind::Indentation, message, loc));
            }
            if alt <= top_alt {
                return tab_error();
            }
            self.indents.push((col, alt));
            self.push(Kind::Indent, start);
        } else {
            while self.indents.last().is_some_and(|&(c, _)| c > col) {
                self.indents.pop();
                self.push(Kind::Dedent, self.at);
            }
            let (top, top_alt) = self.indents.last().copied().unwrap_or_default();
            if col != top {
                let len = self.source.line(here).map_or(0, |l| l.chars().count());
                let message = "unindent does not match any outer indentation level";
                let loc = whole_line(len as i32, NO_END);
                return Err(CompileError::new(ErrorKind::Indentation, message, loc));
            }
            if alt != top_alt {
                return tab_error();
            }
        }
        Ok(())
    }

    fn token(&mut self) -> Result {
        let start = self.at;
        let c = self.peek(0);
        if c.is_ascii_alphabetic() || c == b'_' || c >= 0x80 {
            return self.name_or_string(start);
        }
        if c.is_ascii_digit() || (c == b'.' && self.peek(1).is_ascii_digit()) {
            self.number()?;
            self.push(Kind::Number, start);
            return Ok(());
        }
        if matches!(c, b'"' | b'\'') {
            return self.string(start);
        }
        self.operator(start)
    }

    fn name_or_string(&mut self, start: usize) -> Result {
        let rest = &self.text[start..];
        let len = rest
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_' || **b >= 0x80)
            .count();
        if let Some(quote @ (b'"' | b'\'')) = rest.get(len) {
            let prefix = rest[..len].to_ascii_lowercase();
            match &prefix[..] {
                b"r" | b"b" | b"u" | b"br" | b"rb" => {
                    self.at += len;
                    return self.string(start);
                }
                b"f" | b"fr" | b"rf" | b"t" | b"tr" | b"rt" => {
                    self.at += len;
                    let letter = if prefix.contains(&b'f') { 'f' } else { 't' };
                    let raw = prefix.contains(&b'r');
                    self.fstring_start(start, *quote, letter, raw);
                    return Ok(());
                }
                _ => {}
            }
        }
        self.at += len;
        self.verify_identifier(start)?;
        self.push(Kind::Name, start);
        Ok(())
    }

    /// `verify_identifier`
    fn verify_identifier(&self, start: usize) -> Result {
        let text = &self.source.text()[start..self.at];
        if text.is_ascii() {
            return Ok(());
        }
        for (i, c) in text.char_indices() {
            let valid = c == '_'
                || if i == 0 {
                    unicode_ident::is_xid_start(c)
                } else {
                    unicode_ident::is_xid_continue(c)
                };
            if !valid {
                let cur = start + i + c.len_utf8();
                let code = c as u32;
                let message = if crate::bytecode::printable::is_printable(code) {
                    format!("invalid character '{c}' (U+{code:04X})")
                } else {
                    format!("invalid non-printable character U+{code:04X}")
                };
                return self.error_at(cur, message);
            }
        }
        Ok(())
    }

    fn open(&mut self, c: u8, start: usize) -> Result {
        if self.brackets.len() >= MAX_LEVEL {
            return self.error("too many nested parentheses");
        }
        self.brackets.push((c, start));
        self.push(Kind::Op, start);
        Ok(())
    }

    fn operator(&mut self, start: usize) -> Result {
        const LONG: [&[u8]; 26] = [
            b"**=", b"//=", b">>=", b"<<=", b"...", b"**", b"//", b">>", b"<<", b"<=", b">=",
            b"==", b"!=", b"<>", b"->", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=",
            b"@=", b":=", b"!",
        ];
        let c = self.peek(0);
        let level = self.brackets.len();
        if let Some(mode) = self.modes.last_mut()
            && let Some(field) = mode.fields.last_mut()
            && field.level == level
        {
            // The field's own bracket is the innermost: it may end here.
            if c == b'}' {
                self.close_field(start);
                return Ok(());
            }
            if c == b':' {
                field.in_spec = true;
                self.at += 1;
                self.push(Kind::Op, start);
                return Ok(());
            }
        }
        match c {
            b'(' | b'[' | b'{' => {
                self.at += 1;
                self.open(c, start)?;
            }
            b')' | b']' | b'}' => {
                self.at += 1;
                self.close(c, start)?;
            }
            _ => {
                let rest = &self.text[start..];
                let len = LONG
                    .iter()
                    .find(|op| rest.starts_with(op))
                    .map_or(1, |op| op.len());
                self.at += len;
                if c < b' ' || c == 0x7F {
                    return self.error(format!("invalid non-printable character U+{c:04X}"));
                }
                self.push(Kind::Op, start);
            }
        }
        Ok(())
    }

    fn close(&mut self, c: u8, start: usize) -> Result {
        let prefix = match self.modes.last() {
            Some(mode) => format!("{}-string: ", mode.letter),
            None => String::new(),
        };
        let floor = self.modes.last().map_or(0, |m| m.level);
        if self.brackets.len() <= floor {
            return self.error(format!("{prefix}unmatched '{}'", c as char));
        }
        let Some((open, at)) = self.brackets.pop() else {
            return Ok(());
        };
        let matching = match open {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        if c != matching {
            let (open_line, line) = (self.line_of(at), self.line_of(start));
            let on_line = if open_line == line {
                String::new()
            } else {
                format!(" on line {open_line}")
            };
            return self.error(format!(
                "{prefix}closing parenthesis '{}' does not match opening parenthesis '{}'{on_line}",
                c as char, open as char
            ));
        }
        self.push(Kind::Op, start);
        Ok(())
    }
}
