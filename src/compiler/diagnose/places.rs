//! Mistakes known by the tokens around the one where the parsers got stuck, whatever ruff calls them.

use super::{Diagnosis, Found, found};
use crate::compiler::tokens::Kind;

impl Diagnosis<'_> {
    pub(super) fn by_tokens(&self, at: usize) -> Option<Found> {
        let token = self.token(at);
        let here = |message: &str| found(message, token.start, token.end);
        let line = self.logical_line(at);
        let statement = self.word(line);
        let before = at.checked_sub(1).map_or("", |i| self.word(i));
        match (before, self.word(at)) {
            ("lambda", "(") => {
                let message = "Lambda expression parameters cannot be parenthesized";
                let close = self.closing(at + 1)?;
                found(message, token.start, self.token(close).end)
            }
            ("->", ":") => {
                let arrow = self.token(at - 1);
                found("expected ':'", arrow.start, arrow.end)
            }
            ("as", "_") if statement == "case" => here("cannot use '_' as a target"),
            ("[", "]") if at == line + 3 && matches!(statement, "def" | "class" | "type") => {
                here("Type parameter list cannot be empty")
            }
            ("else", word) if at > line + 1 && statement != "for" => {
                let is_statement =
                    token.kind == Kind::Newline || matches!(word, "pass" | "break" | "continue");
                match is_statement {
                    true => here("expected expression after 'else', but statement is given"),
                    false => None,
                }
            }
            ("=", ")" | ",") => self.missing_value(at, statement),
            ("*", ")") if statement != "def" => here("Invalid star expression"),
            (":", "*") => {
                let open = self.opening(at)?;
                if self.word(open) != "{" || self.in_fstring_field(open) {
                    return None;
                }
                let message = "cannot use a starred expression in a dictionary value";
                found(message, token.start, self.expression_end(at + 1)?)
            }
            (_, ".") => self.attribute_target(at, statement),
            ("case", "-") | ("type", _) if at == line + 1 => Some(self.generic(at + 1)),
            ("raise", _) if self.word(at + 1) == "," => Some(self.generic(at + 1)),
            (_, word) if is_augmented(word) => {
                let start = self.token(line).start;
                let name = self.name_at(start, self.token(at - 1).end)?;
                let message = format!("'{name}' is an illegal expression for augmented assignment");
                found(message, start, self.token(at - 1).end)
            }
            _ => self.import_target(at),
        }
    }

    /// `f(a=)` and `def f(a=)`
    fn missing_value(&self, at: usize, statement: &str) -> Option<Found> {
        let equals = self.token(at - 1);
        let name = self.token(at.checked_sub(2)?);
        let open = self.opening(at)?;
        if self.word(open) != "(" || name.kind != Kind::Name {
            return None;
        }
        if statement == "def" && self.word(open - 2) == "def" {
            return found(
                "expected default value expression",
                equals.start,
                equals.end,
            );
        }
        let is_call = self.is_operand_end(open);
        is_call
            .then(|| found("expected argument value expression", name.start, equals.end))
            .flatten()
    }

    /// A dotted name where `as` binds a plain one.
    fn attribute_target(&self, at: usize, statement: &str) -> Option<Found> {
        let name = at.checked_sub(1)?;
        if name == 0 || self.word(name - 1) != "as" {
            return None;
        }
        let message = match statement {
            "case" => "cannot use attribute as pattern target",
            "except" => "cannot use except statement with attribute",
            _ => return self.import_target(at),
        };
        found(message, self.token(name).start, self.expression_end(name)?)
    }
}

fn is_augmented(word: &str) -> bool {
    matches!(
        word,
        "+=" | "-="
            | "*="
            | "/="
            | "//="
            | "%="
            | "@="
            | "&="
            | "|="
            | "^="
            | ">>="
            | "<<="
            | "**="
    )
}
