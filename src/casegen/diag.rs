//! Rejections: each names the place and the rule. They are returned, never printed.

use super::rules::Rule;
use std::fmt;

/// A place in a definition file; lines from 1, columns from 1, in characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Pos {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

impl Pos {
    pub fn new(file: &str, span: proc_macro2::Span) -> Pos {
        let start = span.start();
        Pos {
            file: file.to_string(),
            line: start.line,
            column: start.column + 1,
        }
    }
    pub fn shifted(&self, columns: usize) -> Pos {
        Pos {
            column: self.column + columns,
            ..self.clone()
        }
    }
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One broken rule of the definition language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diag {
    pub pos: Pos,
    pub rule: Rule,
    pub message: String,
}

impl Diag {
    pub fn new(pos: &Pos, rule: Rule, message: impl Into<String>) -> Diag {
        Diag {
            pos: pos.clone(),
            rule,
            message: message.into(),
        }
    }
}

impl fmt::Display for Diag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.pos, self.message, self.rule.name())
    }
}

pub type Result<T> = std::result::Result<T, Diag>;

/// What was found, or every rule that was broken, once each, by place.
pub fn settle<T>(value: T, mut diags: Vec<Diag>) -> std::result::Result<T, Vec<Diag>> {
    if diags.is_empty() {
        return Ok(value);
    }
    diags.sort();
    diags.dedup();
    Err(diags)
}
