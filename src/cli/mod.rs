//! The command line.

mod args;
mod asm;
mod counters;
mod dis;
mod expand;
mod hook;
#[cfg(feature = "lab")]
mod lab;
mod machine;
mod predict;
mod race;
mod report;
mod run;
mod source;
mod stats;
mod warnings;
mod watch;

pub use hook::compile;

use args::{Arguments, Command};
use clap::Parser;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command failed; printed behind the program's name.
struct Failure(String);

impl<E: fmt::Display> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure(error.to_string())
    }
}

type Outcome = Result<ExitCode, Failure>;

/// Runs the command that the arguments ask for: 0 for success, 1 for a failure, 2 for wrong usage.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let command = Arguments::parse_from(args::separate(arguments)).command;
    // A program that runs gets a BrokenPipeError instead.
    if !matches!(command, Command::Run(_)) {
        end_quietly_on_closed_pipe();
    }
    let outcome = match command {
        Command::Run(options) => run::run(&options),
        Command::Race(options) => race::run(&options),
        Command::Asm(options) => asm::run(&options),
        Command::Dis(options) => dis::run(&options),
        Command::Expand(options) => expand::run(&options),
        Command::Predict(options) => predict::run(&options),
        Command::Counters(options) => counters::run(&options),
        #[cfg(feature = "lab")]
        Command::Lab(options) => lab::run(&options),
        Command::Report(options) => report::run(&options),
        Command::Stats(options) => stats::run(&options),
        Command::Watch(options) => watch::run(&options),
    };
    outcome.unwrap_or_else(|Failure(message)| {
        complain(&format!("rattail: {message}\n"));
        ExitCode::FAILURE
    })
}

/// Writing into a pipe that nobody reads any more ends the process by SIGPIPE, as it does other programs; Rust's
/// runtime ignores that signal, and every write would have to be checked for the error.
fn end_quietly_on_closed_pipe() {
    #[cfg(unix)]
    // SAFETY: sets a signal's action to its default before any thread is started.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
}

/// Writes to standard error, if that is possible.
fn complain(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Writes to standard output, all or an error.
fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|error| Failure(format!("standard output: {error}")))
}
