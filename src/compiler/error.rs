//! What stops a compilation: the exception CPython would raise, its text and its place.

use super::instr::Location;
use std::fmt;

/// The exception class CPython raises for the mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    Syntax,
    Indentation,
    Tab,
    Value,
    Overflow,
    Recursion,
    Memory,
    System,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    pub kind: ErrorKind,
    pub message: String,
    pub loc: Location,
}

impl CompileError {
    pub fn new(kind: ErrorKind, message: impl Into<String>, loc: Location) -> CompileError {
        CompileError {
            kind,
            message: message.into(),
            loc,
        }
    }
    /// A broken invariant of the compiler itself, reported as CPython reports it (`SystemError`).
    pub fn system(message: impl Into<String>) -> CompileError {
        CompileError::new(ErrorKind::System, message, Location::NO_LOCATION)
    }
}

impl ErrorKind {
    /// SyntaxError and its subclasses say where; the others only what.
    pub fn has_place(self) -> bool {
        matches!(
            self,
            ErrorKind::Syntax | ErrorKind::Indentation | ErrorKind::Tab
        )
    }
    pub fn name(self) -> &'static str {
        match self {
            ErrorKind::Syntax => "SyntaxError",
            ErrorKind::Indentation => "IndentationError",
            ErrorKind::Tab => "TabError",
            ErrorKind::Value => "ValueError",
            ErrorKind::Overflow => "OverflowError",
            ErrorKind::Recursion => "RecursionError",
            ErrorKind::Memory => "MemoryError",
            ErrorKind::System => "SystemError",
        }
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.message)?;
        if self.loc.lineno > 0 {
            write!(f, " (line {})", self.loc.lineno)?;
        }
        Ok(())
    }
}

impl std::error::Error for CompileError {}

/// An error as it leaves the compiler: what CPython's exception carries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    pub kind: ErrorKind,
    pub msg: String,
    pub filename: String,
    /// 0 where CPython has None.
    pub lineno: i32,
    /// Counted from 1; 0 is "the line, no column" and marks no character.
    pub offset: i32,
    pub end_lineno: i32,
    pub end_offset: i32,
    /// The line at fault, without its newline.
    pub text: Option<String>,
    /// The source could be parsed: CPython then takes `text` from the file of that name, if there is one.
    pub parsed: bool,
}

impl SyntaxError {
    pub(super) fn new(error: CompileError, filename: &str, text: Option<&str>) -> SyntaxError {
        let loc = error.loc;
        SyntaxError {
            kind: error.kind,
            msg: error.message,
            filename: filename.to_string(),
            lineno: loc.lineno.max(0),
            offset: loc.col_offset + 1,
            end_lineno: loc.end_lineno.max(0),
            end_offset: loc.end_col_offset + 1,
            text: text.map(str::to_string),
            parsed: false,
        }
    }

    /// What `python FILE` prints on standard error (`traceback._format_syntax_error`).
    pub fn render(&self) -> String {
        let message = format!("{}: {}\n", self.kind.name(), self.msg);
        if !self.kind.has_place() {
            return message;
        }
        let mut out = format!("  File \"{}\", line {}\n", self.filename, self.lineno);
        if let Some(text) = &self.text {
            let shown = text.trim_start_matches([' ', '\n', '\x0C']);
            out.push_str(&format!("    {shown}\n"));
            if let Some(marks) = self.marks(text, shown) {
                out.push_str(&format!("    {marks}\n"));
            }
        }
        out + &message
    }

    /// The line of carets below the text, if a column is known.
    fn marks(&self, text: &str, shown: &str) -> Option<String> {
        let len = text.chars().count() as i32;
        let dropped = len - shown.chars().count() as i32;
        let mut offset = self.offset;
        let mut end = match self.end_offset {
            _ if self.lineno != self.end_lineno => len + 1,
            0 => offset,
            end => end,
        };
        // The text CPython compares with still has its newline.
        if offset > len + 1 {
            offset = len + 1;
        }
        if end > len + 1 {
            end = len + 1;
        }
        if offset >= end || end < 0 {
            end = offset + 1;
        }
        let start = usize::try_from(offset - 1 - dropped).ok()?;
        let blanks: String = shown
            .chars()
            .take(start)
            .map(|c| if c.is_whitespace() { c } else { ' ' })
            .collect();
        Some(blanks + &"^".repeat((end - offset) as usize))
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.msg)?;
        if self.kind.has_place() {
            write!(f, " ({}, line {})", self.filename, self.lineno)?;
        }
        Ok(())
    }
}

impl std::error::Error for SyntaxError {}
