//! `SyntaxWarning`s: source that compiles and is probably not meant so.
//!
//! CPython's tokenizer and parser warn first, then its preprocessor, then its code generator; so the warnings about
//! tokens and about `finally` are here, those about expressions in `codegen::checks`.

use super::error::{CompileError, ErrorKind};
use super::instr::Location;
use super::source::Source;
use super::tokens::char_location;
use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{ExceptHandler, Mod, Stmt, StringFlags};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged, TextSize};

type Result<T = ()> = std::result::Result<T, CompileError>;

/// What becomes of warnings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WarningAction {
    #[default]
    Ignore,
    Collect,
    /// The first one ends the compilation as a SyntaxError.
    Raise,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    pub message: String,
    pub lineno: i32,
}

/// Warnings of one compilation so far.
pub(super) struct Warnings {
    action: WarningAction,
    muted: bool,
    pub list: Vec<Warning>,
}

impl Warnings {
    pub(super) fn new(action: WarningAction) -> Warnings {
        Warnings {
            action,
            muted: false,
            list: Vec::new(),
        }
    }
    pub(super) fn wanted(&self) -> bool {
        self.action != WarningAction::Ignore && !self.muted
    }
    /// Mutes or not; what it was before.
    pub(super) fn mute(&mut self, muted: bool) -> bool {
        std::mem::replace(&mut self.muted, muted)
    }
    pub(super) fn warn(&mut self, message: impl Into<String>, loc: Location) -> Result {
        let (message, lineno) = (message.into(), loc.lineno);
        match self.action {
            _ if !self.wanted() => {}
            WarningAction::Raise => {
                return Err(CompileError::new(ErrorKind::Syntax, message, loc));
            }
            _ => self.list.push(Warning { message, lineno }),
        }
        Ok(())
    }
}

/// Warns as CPython does before it has a tree that it goes on with.
pub(super) fn warn_early(source: &Source, parsed: &Parsed<Mod>, warnings: &mut Warnings) -> Result {
    if !warnings.wanted() {
        return Ok(());
    }
    // A bad source is read as far as its first error.
    let error = parsed.errors().first().map(|error| error.location.start());
    let mut has_finally = false;
    for token in parsed.tokens() {
        if error.is_some_and(|at| token.end() > at) {
            return Ok(());
        }
        match token.kind() {
            TokenKind::String | TokenKind::FStringMiddle | TokenKind::TStringMiddle => {
                warn_escapes(source, *token, warnings)?;
            }
            TokenKind::Int | TokenKind::Float | TokenKind::Complex => {
                warn_number(source, *token, warnings)?;
            }
            TokenKind::Finally => has_finally = true,
            _ => {}
        }
    }
    match parsed.syntax() {
        Mod::Module(module) if has_finally && error.is_none() => {
            ControlFlow { source, warnings }.stmts(&module.body, false)
        }
        _ => Ok(()),
    }
}

/// `1if x`: a number and the keyword that touches it (`verify_end_of_number`).
fn warn_number(source: &Source, token: Token, warnings: &mut Warnings) -> Result {
    let end = token.end().to_usize();
    let next = source.text().as_bytes().get(end);
    if !next.is_some_and(u8::is_ascii_alphabetic) {
        return Ok(());
    }
    let text = source.slice(token.range());
    let what = match text.get(..2) {
        Some("0x" | "0X") => "hexadecimal",
        Some("0o" | "0O") => "octal",
        Some("0b" | "0B") => "binary",
        _ if token.kind() == TokenKind::Complex => "imaginary",
        _ => "decimal",
    };
    let loc = char_location(source, end - 1, end - 1);
    warnings.warn(format!("invalid {what} literal"), loc)
}

/// The first escape of a string, or of a piece of an f-string's text, that means nothing
/// (`warn_invalid_escape_sequence`).
fn warn_escapes(source: &Source, token: Token, warnings: &mut Warnings) -> Result {
    let text = source.slice(token.range());
    let Some(flags) = token.string_flags() else {
        return Ok(());
    };
    if flags.is_raw_string() || memchr::memchr(b'\\', text.as_bytes()).is_none() {
        return Ok(());
    }
    let start = token.start().to_usize();
    if token.kind() == TokenKind::String {
        let opener = flags.opener_len().to_usize();
        let end = text.len() - flags.closer_len().to_usize();
        let body = &text[opener..end.max(opener)];
        let Some(at) = invalid_escape(body, flags.is_byte_string()) else {
            return Ok(());
        };
        let at = start + opener + at;
        return warn_escape(source, at, source.line_of(at), warnings);
    }
    // A doubled brace ends a token of CPython's.
    let mut from = 0;
    while from < text.len() {
        let piece = &text[from..];
        let doubled = [piece.find("{{"), piece.find("}}")]
            .into_iter()
            .flatten()
            .min();
        let len = doubled.map_or(piece.len(), |at| at + 1);
        // A backslash at the end of the token belongs to the brace behind it.
        let rest = &source.text()[start + from..];
        let with_brace = rest.get(..len + 1).unwrap_or(&piece[..len]);
        if let Some(at) = invalid_escape(with_brace, false) {
            // CPython counts from the line on which the token ends.
            let lines_before = piece[..at].matches('\n').count() as i32;
            let line = source.line_of(start + from + len) + lines_before;
            warn_escape(source, start + from + at, line, warnings)?;
        }
        from += doubled.map_or(len, |at| at + 2);
    }
    Ok(())
}

/// Offset of the first backslash that starts no escape.
fn invalid_escape(text: &str, is_bytes: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += memchr::memchr(b'\\', &bytes[at..])?;
        match bytes.get(at + 1)? {
            b'\n' | b'\\' | b'\'' | b'"' | b'0'..=b'3' => {}
            b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'x' => {}
            b'u' | b'U' | b'N' if !is_bytes => {}
            b'4'..=b'7' if !is_large_octal(&bytes[at + 1..]) => {}
            0x80.. => {}
            _ => return Some(at),
        }
        at += 2;
    }
}

/// Three digits that are more than a byte holds.
fn is_large_octal(rest: &[u8]) -> bool {
    matches!(rest, [b'4'..=b'7', b'0'..=b'7', b'0'..=b'7', ..])
}

fn warn_escape(source: &Source, at: usize, line: i32, warnings: &mut Warnings) -> Result {
    let rest = &source.text()[at + 1..];
    let (escape, what) = match is_large_octal(rest.as_bytes()) {
        true => (&rest[..3], "octal escape"),
        false => (&rest[..1], "escape"),
    };
    let future = match warnings.action {
        WarningAction::Raise => "",
        _ => " Such sequences will not work in the future.",
    };
    let message = format!(
        "\"\\{escape}\" is an invalid {what} sequence.{future} Did you mean \"\\\\{escape}\"? \
         A raw string is also an option."
    );
    let mut loc = char_location(source, at, at + 2);
    loc.lineno = line;
    loc.end_lineno = line;
    warnings.warn(message, loc)
}

/// Statements that leave a `finally` block and drop the exception (PEP 765, `control_flow_in_finally_warning`).
struct ControlFlow<'a> {
    source: &'a Source,
    warnings: &'a mut Warnings,
}

impl ControlFlow<'_> {
    fn stmts(&mut self, body: &[Stmt], in_finally: bool) -> Result {
        body.iter().try_for_each(|stmt| self.stmt(stmt, in_finally))
    }
    fn stmt(&mut self, stmt: &Stmt, in_finally: bool) -> Result {
        super::grown(|| self.stmt_inner(stmt, in_finally))
    }
    fn stmt_inner(&mut self, stmt: &Stmt, in_finally: bool) -> Result {
        match stmt {
            Stmt::Return(_) => self.leaves("return", stmt, in_finally),
            Stmt::Break(_) => self.leaves("break", stmt, in_finally),
            Stmt::Continue(_) => self.leaves("continue", stmt, in_finally),
            // Within a function or loop they leave that first.
            Stmt::FunctionDef(s) => self.stmts(&s.body, false),
            Stmt::ClassDef(s) => self.stmts(&s.body, in_finally),
            Stmt::For(s) => {
                self.stmts(&s.body, false)?;
                self.stmts(&s.orelse, in_finally)
            }
            Stmt::While(s) => {
                self.stmts(&s.body, false)?;
                self.stmts(&s.orelse, in_finally)
            }
            Stmt::If(s) => {
                self.stmts(&s.body, in_finally)?;
                let clauses = s.elif_else_clauses.iter();
                clauses
                    .map(|c| &c.body)
                    .try_for_each(|body| self.stmts(body, in_finally))
            }
            Stmt::With(s) => self.stmts(&s.body, in_finally),
            Stmt::Match(s) => {
                let cases = s.cases.iter();
                cases
                    .map(|c| &c.body)
                    .try_for_each(|body| self.stmts(body, in_finally))
            }
            Stmt::Try(s) => {
                self.stmts(&s.body, in_finally)?;
                for ExceptHandler::ExceptHandler(handler) in &s.handlers {
                    self.stmts(&handler.body, in_finally)?;
                }
                self.stmts(&s.orelse, in_finally)?;
                self.stmts(&s.finalbody, true)
            }
            _ => Ok(()),
        }
    }
    fn leaves(&mut self, word: &str, stmt: &Stmt, in_finally: bool) -> Result {
        if !in_finally {
            return Ok(());
        }
        let loc = self.source.location_of(stmt);
        self.warnings
            .warn(format!("'{word}' in a 'finally' block"), loc)
    }
}

impl Source {
    fn line_of(&self, offset: usize) -> i32 {
        self.position(TextSize::new(offset as u32)).0
    }
}
