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
