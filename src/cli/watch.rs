//! `rattail watch`.

use super::args::Watch;
use super::machine::{Program, run_recorded};
use super::source::Source;
use super::{Failure, Outcome, complain, print};
use crate::bytecode::Opcode;
use crate::introspect::watch::{Filter, timeline};
use std::process::ExitCode;

pub fn run(options: &Watch) -> Outcome {
    let family = options.family.as_deref().map(|name| {
        Opcode::from_name(name)
            .map(Opcode::deopt)
            .filter(|head| !head.forms().is_empty())
            .ok_or_else(|| Failure(format!("no family of instructions is called {name}")))
    });
    let filter = Filter {
        function: options.function.clone(),
        family: family.transpose()?,
        events: options.events.clone(),
        every: options.every,
        limit: options.limit,
    };
    let source = Source::read(&options.recorded.file)?;
    let program = Program::new(&source, options.recorded.argv())?;
    let (timeline, listener) = timeline(filter);
    let (run, _) = run_recorded(&program, options.recorded.form(), Some(listener))?;
    complain(&String::from_utf8_lossy(&run.output));
    if options.json {
        print(&(serde_json::to_string_pretty(&timeline.json())? + "\n"))?;
    } else {
        print(&timeline.text())?;
    }
    // What was seen until then has been shown.
    run.succeeded()?;
    Ok(ExitCode::SUCCESS)
}
