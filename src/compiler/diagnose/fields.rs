//! Mistakes in the replacement fields of f-strings and t-strings, and missing values.

use super::{Diagnosis, Found, found};
use crate::compiler::tokens::Kind;
use ruff_python_parser::{InterpolatedStringErrorType, ParseErrorType};

impl Diagnosis<'_> {
    pub(super) fn missing_expression(&self, at: usize) -> Option<Found> {
        let token = self.token(at);
        let before = at.checked_sub(1).map(|i| self.word(i))?;
        if before == "{" && at >= 2 && self.in_fstring_field(at - 1) {
            if matches!(self.word(at), "}" | "!" | ":" | "=") {
                let letter = self.fstring_letter(at);
                return found(
                    format!(
                        "{letter}-string: valid expression required before '{}'",
                        self.word(at)
                    ),
                    token.start,
                    token.end,
                );
            }
            return None;
        }
        if before == ":" && matches!(self.word(at), "}" | ",") {
            let open = self.opening(at - 1)?;
            if self.word(open) == "{" && !self.in_fstring_field(open) {
                let colon = self.token(at - 1);
                let message = "expression expected after dictionary key and ':'";
                return found(message, colon.start, colon.end);
            }
        }
        if let Some(error) = self.lambda_in_fstring() {
            return Some(error);
        }
        None
    }

    /// Whether the brace at `open` is a replacement field's.
    pub(super) fn in_fstring_field(&self, open: usize) -> bool {
        open.checked_sub(1).is_some_and(|i| {
            matches!(self.token(i).kind, Kind::FStringStart | Kind::FStringMiddle)
                || (self.word(i) == "}" && self.fstring_depth(open) > 0)
        })
    }
    pub(super) fn fstring_depth(&self, at: usize) -> usize {
        let count = |kind| self.tokens[..at].iter().filter(|t| t.kind == kind).count();
        count(Kind::FStringStart).saturating_sub(count(Kind::FStringEnd))
    }
    pub(super) fn fstring_letter(&self, at: usize) -> char {
        let start = self.tokens[..at]
            .iter()
            .rev()
            .find(|t| t.kind == Kind::FStringStart);
        match start {
            Some(t) if self.text(*t).contains(['t', 'T']) => 't',
            _ => 'f',
        }
    }

    pub(super) fn lambda_in_fstring(&self) -> Option<Found> {
        let (letter, location) = self.parsed.errors().iter().take(3).find_map(|e| {
            let lambda = InterpolatedStringErrorType::LambdaWithoutParentheses;
            match &e.error {
                ParseErrorType::FStringError(k) if *k == lambda => Some(('f', e.location)),
                ParseErrorType::TStringError(k) if *k == lambda => Some(('t', e.location)),
                _ => None,
            }
        })?;
        let start = location.start().to_usize();
        let first = self.tokens.partition_point(|t| t.end <= start);
        let colon = (first..self.tokens.len()).find(|&i| self.word(i) == ":")?;
        found(
            format!("{letter}-string: lambda expressions are not allowed without parentheses"),
            start,
            self.token(colon).end,
        )
    }

    pub(super) fn interpolated(
        &self,
        at: usize,
        kind: &InterpolatedStringErrorType,
        letter: char,
    ) -> Option<Found> {
        use InterpolatedStringErrorType as E;
        let token = self.token(at);
        match kind {
            E::LambdaWithoutParentheses => self.lambda_in_fstring(),
            E::InvalidConversionFlag if token.kind == Kind::Name => found(
                format!(
                    "{letter}-string: invalid conversion character '{}': expected 's', 'r', or 'a'",
                    self.text(token)
                ),
                token.start,
                token.end,
            ),
            E::InvalidConversionFlag => found(
                format!("{letter}-string: missing conversion character"),
                token.start,
                token.end,
            ),
            E::ConversionFlagNotImmediatelyAfterExclamation => {
                let mark = self.token(at.checked_sub(1)?);
                found(
                    format!(
                        "{letter}-string: conversion type must come right after the exclamation mark"
                    ),
                    mark.start,
                    token.end,
                )
            }
            E::UnclosedLbrace => self.missing_comma(at).or_else(|| {
                found(
                    format!("{letter}-string: expecting '=', or '!', or ':', or '}}'"),
                    token.start,
                    token.end,
                )
            }),
            _ => None,
        }
    }
}
