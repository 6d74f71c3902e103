//! The machine code of the dispatch, read back from the binary itself.
//!
//! What a form of dispatch costs is decided by the compiler, so nothing here is inferred from source: `audit` opens
//! the executable, finds the code of each form by symbol, disassembles it and counts. `listing` prints one
//! handler with what was counted marked.

mod aarch64;
mod arms;
mod audit;
pub(in crate::introspect) mod binary;
mod check;
pub(in crate::introspect) mod decode;
mod dispatch;
pub mod exceptions;
mod layout;
mod listing;
mod measure;
mod sites;
mod x86_64;

pub use audit::{Audit, FormAudit, Spread, audit};
pub use check::{Expectations, Medians, check, check_medians};
pub use layout::{Form, Layout};
pub use listing::listing;
pub use measure::Row;
pub use sites::dispatch_sites;

use std::fmt;
use std::path::PathBuf;

/// The name of an opcode; None for a number that is none.
pub type OpcodeNames<'a> = &'a dyn Fn(u16) -> Option<String>;

/// Why a binary could not be audited.
#[derive(Debug)]
pub enum Error {
    Read(PathBuf, std::io::Error),
    Malformed(String),
    /// Neither x86-64 nor AArch64.
    Architecture(String),
    /// The binary was stripped.
    NoSymbols,
    NotFound(String),
    Disassembler(capstone::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Read(path, error) => write!(f, "{}: {error}", path.display()),
            Error::Malformed(what) => write!(f, "not a readable object file: {what}"),
            Error::Architecture(name) => {
                write!(f, "no disassembly for {name}, only for x86-64 and AArch64")
            }
            Error::NoSymbols => write!(f, "the binary has no symbols: build it without stripping"),
            Error::NotFound(what) => write!(f, "the binary has no {what}"),
            Error::Disassembler(error) => write!(f, "disassembler: {error}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<capstone::Error> for Error {
    fn from(error: capstone::Error) -> Error {
        Error::Disassembler(error)
    }
}
