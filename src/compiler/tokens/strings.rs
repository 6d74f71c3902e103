//! String tokens, and the parts that f-strings and t-strings fall into.

use super::{Field, Kind, Lexer, Mode, Result};

impl Lexer<'_> {
    pub(super) fn string(&mut self, start: usize) -> Result {
        let quote = self.peek(0);
        let triple = self.peek(1) == quote && self.peek(2) == quote;
        if !triple && self.peek(1) == quote {
            self.at += 2;
            self.push(Kind::String, start);
            return Ok(());
        }
        self.at += if triple { 3 } else { 1 };
        let mut escaped_quote = false;
        loop {
            if self.is_end() || (!triple && self.peek(0) == b'\n') {
                return self.unterminated_string(start, quote, triple, escaped_quote);
            }
            match self.peek(0) {
                b'\\' => {
                    escaped_quote |= self.peek(1) == quote;
                    self.at += 2;
                }
                c if c == quote => {
                    let closing = !triple || (self.peek(1) == quote && self.peek(2) == quote);
                    self.at += if triple && closing { 3 } else { 1 };
                    if closing {
                        break;
                    }
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.text.len());
        self.push(Kind::String, start);
        Ok(())
    }

    pub(super) fn unterminated_string(
        &mut self,
        start: usize,
        quote: u8,
        triple: bool,
        escaped_quote: bool,
    ) -> Result {
        if let Some(mode) = self.modes.last()
            && mode.quote == quote
            && mode.triple == triple
        {
            let message = format!("{}-string: expecting '}}'", mode.letter);
            return self.error_at(start + 1, message);
        }
        let what = if triple {
            "triple-quoted string"
        } else {
            "string"
        };
        let line = if self.at >= self.text.len() {
            self.last_line()
        } else {
            self.line_of(self.at)
        };
        let hint = if escaped_quote && !triple {
            "; perhaps you escaped the end quote"
        } else {
            ""
        };
        self.error_at(
            start + 1,
            format!("unterminated {what} literal (detected at line {line}){hint}"),
        )
    }

    pub(super) fn fstring_start(&mut self, start: usize, quote: u8, letter: char, raw: bool) {
        let triple = self.peek(1) == quote && self.peek(2) == quote;
        self.at += if triple { 3 } else { 1 };
        self.push(Kind::FStringStart, start);
        self.modes.push(Mode {
            quote,
            triple,
            raw,
            letter,
            start,
            level: self.brackets.len(),
            fields: Vec::new(),
        });
    }

    pub(super) fn unterminated_fstring(
        &mut self,
        start: usize,
        triple: bool,
        letter: char,
    ) -> Result {
        let what = if triple { "triple-quoted " } else { "" };
        let line = if self.at >= self.text.len() {
            self.last_line()
        } else {
            self.line_of(self.at)
        };
        let message =
            format!("unterminated {what}{letter}-string literal (detected at line {line})");
        self.error_at(start + 1, message)
    }

    /// Text of an f-string up to a brace, the end of a format specification, or the closing quote.
    pub(super) fn fstring_middle(&mut self) -> Result {
        let begin = self.at;
        let Some(mode) = self.modes.last() else {
            return Ok(());
        };
        let (quote, triple, raw, letter, start) =
            (mode.quote, mode.triple, mode.raw, mode.letter, mode.start);
        let in_spec = !mode.fields.is_empty();
        loop {
            let c = self.peek(0);
            if self.is_end() || (c == b'\n' && !triple && !in_spec) {
                return self.unterminated_fstring(start, triple, letter);
            }
            if c == b'\n' && !triple {
                self.at += 1;
                return self.error(format!(
                    "{letter}-string: newlines are not allowed in format specifiers for single quoted {letter}-strings"
                ));
            }
            let closing =
                c == quote && (!triple || (self.peek(1) == quote && self.peek(2) == quote));
            match c {
                _ if closing => break,
                b'{' | b'}' if self.peek(1) == c && !in_spec => self.at += 2,
                b'{' => break,
                b'}' if in_spec => break,
                b'}' => {
                    self.at += 1;
                    return self.error(format!("{letter}-string: single '}}' is not allowed"));
                }
                b'\\' if !raw && self.peek(1) == b'N' && self.peek(2) == b'{' => {
                    let rest = &self.text[self.at..];
                    self.at += memchr::memchr(b'}', rest).map_or(rest.len(), |i| i + 1);
                }
                b'\\' if matches!(self.peek(1), b'{' | b'}') => self.at += 1,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.text.len());
        if self.at > begin {
            self.push(Kind::FStringMiddle, begin);
        }
        let at = self.at;
        match self.peek(0) {
            b'{' => {
                self.at += 1;
                self.open(b'{', at)?;
                let level = self.brackets.len();
                if let Some(mode) = self.modes.last_mut() {
                    let in_spec = false;
                    mode.fields.push(Field { level, in_spec });
                }
            }
            b'}' => self.close_field(at),
            _ if in_spec => {
                return self.error_at(at + 1, format!("{letter}-string: expecting '}}'"));
            }
            _ => {
                self.at += if triple { 3 } else { 1 };
                self.push(Kind::FStringEnd, at);
                self.modes.pop();
            }
        }
        Ok(())
    }

    pub(super) fn close_field(&mut self, start: usize) {
        self.at += 1;
        self.brackets.pop();
        self.push(Kind::Op, start);
        if let Some(mode) = self.modes.last_mut() {
            mode.fields.pop();
        }
    }
}
