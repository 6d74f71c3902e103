//! Number tokens and what is wrong with them.

use super::{Lexer, Result, char_location};
use crate::compiler::error::{CompileError, ErrorKind};

impl Lexer<'_> {
    /// `tok_decimal_tail`: digits with single underscores between them.
    pub(super) fn digits(&mut self, is_digit: impl Fn(u8) -> bool, what: &str) -> Result {
        loop {
            while is_digit(self.peek(0)) {
                self.at += 1;
            }
            if self.peek(0) != b'_' {
                return Ok(());
            }
            self.at += 1;
            if !is_digit(self.peek(0)) {
                return self.radix_error(what);
            }
        }
    }
    pub(super) fn radix_error(&mut self, what: &str) -> Result {
        let c = self.peek(0);
        if c.is_ascii_digit() && matches!(what, "octal" | "binary") {
            self.at += 1;
            return self.error(format!("invalid digit '{}' in {what} literal", c as char));
        }
        self.error(format!("invalid {what} literal"))
    }

    pub(super) fn number(&mut self) -> Result {
        let start = self.at;
        if self.peek(0) == b'0' {
            let (is_digit, what): (fn(u8) -> bool, _) = match self.peek(1) {
                b'x' | b'X' => (|b| b.is_ascii_hexdigit(), "hexadecimal"),
                b'o' | b'O' => (|b| matches!(b, b'0'..=b'7'), "octal"),
                b'b' | b'B' => (|b| matches!(b, b'0' | b'1'), "binary"),
                _ => (|b| b.is_ascii_digit(), "decimal"),
            };
            if what != "decimal" {
                self.at += 2;
                if self.peek(0) == b'_' {
                    self.at += 1;
                }
                if !is_digit(self.peek(0)) {
                    return self.radix_error(what);
                }
                self.digits(is_digit, what)?;
                if self.peek(0).is_ascii_digit() {
                    return self.radix_error(what);
                }
                return self.verify_end_of_number(what);
            }
        }
        self.digits(|b| b.is_ascii_digit(), "decimal")?;
        let integer = &self.text[start..self.at];
        let zeros = integer
            .iter()
            .take_while(|b| matches!(b, b'0' | b'_'))
            .count();
        let leading_zero = integer.first() == Some(&b'0') && zeros < integer.len();
        let mut what = "decimal";
        let mut is_integer = true;
        if self.peek(0) == b'.' {
            self.at += 1;
            is_integer = false;
            if self.peek(0).is_ascii_digit() {
                self.digits(|b| b.is_ascii_digit(), "decimal")?;
            }
        }
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if self.peek(1 + sign).is_ascii_digit() {
                self.at += 1 + sign;
                is_integer = false;
                self.digits(|b| b.is_ascii_digit(), "decimal")?;
            } else if sign == 1 {
                self.at += 2;
                return self.error("invalid decimal literal");
            }
        }
        if matches!(self.peek(0), b'j' | b'J') {
            self.at += 1;
            is_integer = false;
            what = "imaginary";
        }
        if leading_zero && is_integer {
            let message = "leading zeros in decimal integer literals are not permitted; \
                           use an 0o prefix for octal integers";
            let loc = char_location(self.source, start, start + zeros);
            return Err(CompileError::new(ErrorKind::Syntax, message, loc));
        }
        self.verify_end_of_number(what)
    }

    /// A number may be followed by a keyword, not by another name (`verify_end_of_number`).
    pub(super) fn verify_end_of_number(&self, what: &str) -> Result {
        let c = self.peek(0);
        if !(c.is_ascii_alphanumeric() || c == b'_' || c >= 0x80) {
            return Ok(());
        }
        let rest = &self.text[self.at..];
        let keywords: [&[u8]; 8] = [b"and", b"else", b"for", b"if", b"in", b"is", b"not", b"or"];
        if keywords.iter().any(|k| rest.starts_with(k)) || c >= 0x80 {
            return Ok(());
        }
        self.error(format!("invalid {what} literal"))
    }
}
