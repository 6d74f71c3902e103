//! The grammar's `invalid_*` rules, from where ruff's parser stopped and the tokens around it.

use super::{Diagnosis, Found, found, is_bitwise_or, is_keyword};
use crate::compiler::error::ErrorKind;
use crate::compiler::tokens::Kind;
use crate::compiler::tree::expr_name;
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Expr, Mod, Stmt};
use ruff_text_size::{Ranged, TextRange};

impl<'s> Diagnosis<'s> {
    /// `print x` (`invalid_legacy_expression`).
    pub(super) fn legacy_statement(&self, at: usize) -> Option<Found> {
        let before = self.token(at.checked_sub(1)?);
        let word = self.text(before);
        if !matches!(word, "print" | "exec") || before.kind != Kind::Name {
            return None;
        }
        let start = self.token(at).start;
        let value = self
            .stmts
            .iter()
            .find(|s| s.is_expr_stmt() && s.start().to_usize() == start)?;
        found(
            format!("Missing parentheses in call to '{word}'. Did you mean {word}(...)?"),
            before.start,
            value.end().to_usize(),
        )
    }

    pub(super) fn expected_token(
        &self,
        at: usize,
        expected: TokenKind,
        got: TokenKind,
    ) -> Option<Found> {
        let token = self.token(at);
        let here = |message: &str| found(message, token.start, token.end);
        match expected {
            TokenKind::Else => self.missing_else(at),
            TokenKind::Colon if got == TokenKind::Equal => self.equals_for_equality(at),
            TokenKind::Colon if self.word(at) == "}" || self.word(at) == "," => {
                let before = self.token(at.checked_sub(1)?);
                found(
                    "':' expected after dictionary key",
                    before.start,
                    before.end,
                )
            }
            TokenKind::Colon => {
                let first = self.logical_line(at);
                let word = match self.word(first) {
                    "async" => self.word(first + 1),
                    word => word,
                };
                let forced = matches!(word, "def" | "else" | "try" | "finally");
                let header = matches!(
                    word,
                    "if" | "elif"
                        | "while"
                        | "for"
                        | "class"
                        | "with"
                        | "except"
                        | "match"
                        | "case"
                );
                let at_newline = token.kind == Kind::Newline;
                if forced || (header && at_newline) {
                    return here("expected ':'");
                }
                self.missing_comma(at)
            }
            TokenKind::Lpar if self.word(self.logical_line(at)) == "def" => here("expected '('"),
            TokenKind::Rpar if got == TokenKind::Lpar => self.parenthesized_parameter(at),
            TokenKind::Comma | TokenKind::Rpar if got == TokenKind::Equal => {
                self.equals_for_equality(at)
            }
            TokenKind::Rsqb | TokenKind::Rbrace if got == TokenKind::For => {
                self.unparenthesized_target(at)
            }
            _ => self.import_target(at).or_else(|| self.missing_comma(at)),
        }
    }

    /// The first token of the logical line around a token.
    pub(super) fn logical_line(&self, at: usize) -> usize {
        self.tokens[..at]
            .iter()
            .rposition(|t| matches!(t.kind, Kind::Newline | Kind::Indent | Kind::Dedent))
            .map_or(0, |i| i + 1)
    }

    /// The largest expression that ends where the token before `at` does, inside the same brackets.
    pub(super) fn operand_before(&self, at: usize) -> Option<&'s Expr> {
        let end = self.token(at.checked_sub(1)?).end;
        let floor = self.opening(at).map_or(0, |i| self.token(i).end);
        self.exprs
            .iter()
            .filter(|e| {
                e.end().to_usize() == end
                    && e.start().to_usize() >= floor
                    && !matches!(
                        e,
                        Expr::If(_) | Expr::Lambda(_) | Expr::Named(_) | Expr::Starred(_)
                    )
            })
            .max_by_key(|e| e.range().len())
            .copied()
    }
    /// Where an expression that starts at a token ends.
    pub(super) fn expression_end(&self, at: usize) -> Option<usize> {
        let start = self.token(at).start;
        let stop = match self.closing(at) {
            Some(close) => self.token(close).start,
            None => self.tokens[at..]
                .iter()
                .find(|t| t.kind == Kind::Newline)
                .map_or(self.source.text().len(), |t| t.start),
        };
        let range = TextRange::new((start as u32).into(), (stop as u32).into());
        let options = ruff_python_parser::ParseOptions::from(
            ruff_python_parser::Mode::ParenthesizedExpression,
        );
        let parsed = ruff_python_parser::parse_unchecked(self.source.slice(range), options);
        match parsed.syntax() {
            Mod::Expression(e) if !e.body.range().is_empty() => {
                let body = match &*e.body {
                    Expr::Tuple(t) if !t.parenthesized => t.elts.first()?.end(),
                    body => body.end(),
                };
                Some(start + body.to_usize())
            }
            _ => None,
        }
    }

    /// Two expressions side by side in brackets (`invalid_expression`).
    pub(super) fn missing_comma(&self, at: usize) -> Option<Found> {
        self.opening(at)?;
        let token = self.token(at);
        let starts_expr = match token.kind {
            Kind::Name => {
                !is_keyword(self.text(token))
                    || matches!(
                        self.text(token),
                        "None" | "True" | "False" | "lambda" | "await"
                    )
            }
            Kind::Number | Kind::String | Kind::FStringStart => true,
            Kind::Op => matches!(self.text(token), "(" | "[" | "{" | "~" | "..."),
            _ => false,
        };
        if !starts_expr {
            return None;
        }
        let left = self.operand_before(at)?;
        let first = self
            .tokens
            .partition_point(|t| t.end <= left.start().to_usize());
        if first.checked_sub(1).is_some_and(|i| self.word(i) == "for") {
            return found(
                "'in' expected after for-loop variables",
                token.start,
                token.end,
            );
        }
        let soft = matches!(self.word(first), "match" | "case" | "type" | "_");
        let name_string =
            self.token(first).kind == Kind::Name && self.token(first + 1).kind == Kind::String;
        if soft || (name_string && !is_keyword(self.word(first))) {
            return None;
        }
        if matches!(self.word(first), "print" | "exec") && first + 1 == at {
            let word = self.word(first);
            return found(
                format!("Missing parentheses in call to '{word}'. Did you mean {word}(...)?"),
                left.start().to_usize(),
                self.expression_end(at)?,
            );
        }
        found(
            "invalid syntax. Perhaps you forgot a comma?",
            left.start().to_usize(),
            self.expression_end(at)?,
        )
    }

    /// `=` where `==` is meant (`invalid_named_expression`).
    pub(super) fn equals_for_equality(&self, at: usize) -> Option<Found> {
        let open = self.opening(at).unwrap_or(at);
        if (open..at).any(|i| self.word(i) == "for") {
            return None;
        }
        let left = self.operand_before(at)?;
        let start = left.start().to_usize();
        if left.is_name_expr() {
            return found(
                "invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
                start,
                self.expression_end(at + 1)?,
            );
        }
        let name = expr_name(left);
        if matches!(name, "None" | "True" | "False" | "list" | "tuple") || !is_bitwise_or(left) {
            return None;
        }
        found(
            format!("cannot assign to {name} here. Maybe you meant '==' instead of '='?"),
            start,
            left.end().to_usize(),
        )
    }

    pub(super) fn missing_else(&self, at: usize) -> Option<Found> {
        let end = self.token(at.checked_sub(1)?).end;
        let ternary = self.exprs.iter().find_map(|e| match e {
            Expr::If(e) if e.test.end().to_usize() == end => Some(e),
            _ => None,
        })?;
        found(
            "expected 'else' after 'if' expression",
            ternary.body.start().to_usize(),
            end,
        )
    }

    pub(super) fn parenthesized_parameter(&self, at: usize) -> Option<Found> {
        let first = self.logical_line(at);
        let is_def = (first..at).any(|i| self.word(i) == "def");
        if !is_def {
            return None;
        }
        let close = self.closing(at + 1)?;
        found(
            "Function parameters cannot be parenthesized",
            self.token(at).start,
            self.token(close).end,
        )
    }

    /// `[x, y for ...]` (`invalid_comprehension`).
    pub(super) fn unparenthesized_target(&self, at: usize) -> Option<Found> {
        let open = self.opening(at)?;
        if !matches!(self.word(open), "[" | "{") {
            return None;
        }
        let comma = (open..at).any(|i| self.word(i) == ",");
        comma
            .then(|| {
                found(
                    "did you forget parentheses around the comprehension target?",
                    self.token(open + 1).start,
                    self.token(at - 1).end,
                )
            })
            .flatten()
    }

    pub(super) fn import_target(&self, at: usize) -> Option<Found> {
        if !matches!(self.word(self.logical_line(at)), "import" | "from") {
            return None;
        }
        let what = match self.word(at) {
            "." => "attribute",
            "(" => "function call",
            "[" => "subscript",
            _ => return None,
        };
        let name = at.checked_sub(1)?;
        if name == 0 || self.word(name - 1) != "as" {
            return None;
        }
        found(
            format!("cannot use {what} as import target"),
            self.token(name).start,
            self.expression_end(name)?,
        )
    }

    pub(super) fn other(&self, at: usize, text: &str, start: usize, end: usize) -> Option<Found> {
        let token = self.token(at);
        let here = |message: &str| found(message, token.start, token.end);
        if let Some(what) = text.strip_prefix("Expected an indented block after ") {
            return self.indented_block(at, what);
        }
        match text {
            "Only single target (not list) can be annotated" => {
                found("only single target (not list) can be annotated", start, end)
            }
            "Only single target (not tuple) can be annotated" => found(
                "only single target (not tuple) can be annotated",
                start,
                end,
            ),
            "Expected a parameter name" => self.keyword_expression(start, end),
            "Only one '*' parameter allowed" | "Only one '*' separator allowed" => {
                here("* argument may appear only once")
            }
            "Only one '**' parameter allowed" => {
                here("arguments cannot follow var-keyword argument")
            }
            "Position-only parameter separator not allowed as first parameter" => {
                here("at least one argument must precede /")
            }
            "Only one '/' separator allowed" => here("/ may appear only once"),
            "'/' parameter must appear before '*' parameter" => here("/ must be ahead of *"),
            "Trailing comma not allowed" if self.word(self.logical_line(at)) != "from" => {
                Some(self.generic(at + 1))
            }
            "Trailing comma not allowed" => {
                let next = self.token(at + 1);
                let message = "trailing comma not allowed without surrounding parentheses";
                found(message, next.start, next.end)
            }
            "Multiple exception types must be parenthesized when using `as`" => {
                let of = (at..self.tokens.len()).find(|&i| self.word(i) == "as")?;
                let message = "multiple exception types must be parenthesized when using 'as'";
                found(message, start, self.token(of + 1).end)
            }
            "Expected one or more exception types" if self.word(at) == ":" => {
                here("expected one or more exception types")
            }
            "Expected `except` or `finally` after `try` block" => {
                here("expected 'except' or 'finally' block")
            }
            "Cannot have both 'except' and 'except*' on the same 'try'" => {
                let star = self.token(at + 1);
                let last = if self.text(star) == "*" { star } else { token };
                let message = "cannot have both 'except' and 'except*' on the same 'try'";
                found(message, token.start, last.end)
            }
            "Bytes literal cannot be mixed with non-bytes literals" => {
                let after = (at..self.tokens.len()).find(|&i| self.token(i).start >= end)?;
                let next = self.token(after);
                found(
                    "cannot mix bytes and nonbytes literals",
                    next.start,
                    next.end,
                )
            }
            _ if self.word(at) == "elif" && self.follows_else(token.start) => {
                here("'elif' block follows an 'else' block")
            }
            _ => None,
        }
    }

    /// Whether an if statement that has its else clause ends before `offset`.
    pub(super) fn follows_else(&self, offset: usize) -> bool {
        let before = self
            .stmts
            .iter()
            .filter(|s| s.is_if_stmt() && s.end().to_usize() <= offset)
            .max_by_key(|s| s.start());
        matches!(before, Some(Stmt::If(s)) if s.elif_else_clauses.last().is_some_and(|c| c.test.is_none()))
    }

    /// `f(a+b=1)` (`invalid_kwarg`).
    pub(super) fn keyword_expression(&self, start: usize, end: usize) -> Option<Found> {
        let equals = self.tokens.iter().find(|t| t.start >= end)?;
        let message = match &self.source.text()[start..end] {
            name @ ("True" | "False" | "None") => format!("cannot assign to {name}"),
            _ => "expression cannot contain assignment, perhaps you meant \"==\"?".to_string(),
        };
        found(message, start, equals.end)
    }

    pub(super) fn indented_block(&self, at: usize, what: &str) -> Option<Found> {
        let newline = self.tokens[..=at]
            .iter()
            .rposition(|t| t.kind == Kind::Newline)?;
        let mut header = self.logical_line(newline);
        if self.word(header) == "async" && self.word(header + 1) != "def" {
            header += 1;
        }
        let what = match what.split('`').nth(1) {
            _ if what == "function definition" => what.to_string(),
            Some("class") => "class definition".to_string(),
            Some("except") if self.word(header + 1) == "*" => "'except*' statement".to_string(),
            Some(word) => format!("'{word}' statement"),
            None => what.to_string(),
        };
        let token = self.token(at);
        Some(Found {
            kind: ErrorKind::Indentation,
            message: format!(
                "expected an indented block after {what} on line {}",
                self.line(self.token(header).start)
            ),
            start: token.start,
            end: token.end,
        })
    }
}
