//! `rattail run`.

use super::args::Run;
use super::machine::machine;
use super::source::{Source, Unusable};
use super::{Outcome, complain, warnings};
use crate::interp::Dispatch;
use crate::runtime::signals;
use crate::runtime::vm::Options;
use std::path::Path;
use std::process::ExitCode;

/// Exit status for a program that cannot be read, CPython's.
const UNREADABLE: u8 = 2;

pub fn run(options: &Run) -> Outcome {
    warnings::choose(&options.warnings);
    let argument = |argument: &std::ffi::OsString| argument.to_string_lossy().into_owned();
    let mut argv: Vec<String> = options.program.iter().map(argument).collect();
    let source = match &options.code {
        Some(code) => {
            argv.insert(0, "-c".into());
            Ok(Source::from_code(code))
        }
        None => Source::read(Path::new(&options.program[0])),
    };
    let compiled = source.and_then(|source| Ok((source.compile()?, source)));
    let (code, source) = match compiled {
        Ok(compiled) => compiled,
        Err(Unusable::Unreadable(message)) => {
            complain(&format!("rattail: {message}\n"));
            return Ok(ExitCode::from(UNREADABLE));
        }
        Err(Unusable::SyntaxError(text)) => {
            complain(&text);
            return Ok(ExitCode::FAILURE);
        }
    };
    let form = options.dispatch.unwrap_or(Dispatch::COMPILED[0]);
    let machine = machine(
        Options {
            argv,
            path: source.search_path(),
            specialization: !options.no_specialise,
            signals: true,
            memory_limit: options.memory_limit,
            ..Options::default()
        },
        form,
        false,
    )?;
    if source.name.starts_with('<') {
        machine.register_source(&source.name, &source.text);
    }
    let outcome = machine.run_main(&code);
    if let Some(report) = outcome.report {
        complain(&report);
    }
    if outcome.interrupted {
        drop(machine);
        return Ok(ExitCode::from(signals::die_of_interrupt() as u8));
    }
    // What the system keeps of a status.
    Ok(ExitCode::from((outcome.status & 0xff) as u8))
}
