//! `rattail stats`.

use super::args::Stats;
use super::machine::{Program, run_recorded};
use super::source::Source;
use super::{Failure, Outcome, complain, print};
use crate::introspect::adaptive::{Summary, Times};
use std::process::ExitCode;

pub fn run(options: &Stats) -> Outcome {
    let times = options
        .times
        .as_ref()
        .map(|path| -> Result<Times, Failure> {
            let shown = path.display();
            let text = std::fs::read(path).map_err(|error| Failure(format!("{shown}: {error}")))?;
            serde_json::from_slice(&text).map_err(|error| Failure(format!("{shown}: {error}")))
        });
    let times = times.transpose()?;
    let source = Source::read(&options.recorded.file)?;
    let program = Program::new(&source, options.recorded.argv())?;
    let (run, statistics) = run_recorded(&program, options.recorded.form(), None)?;
    complain(&String::from_utf8_lossy(&run.output));
    run.succeeded()?;
    let summary = Summary::new(statistics, times);
    if options.json {
        print(&(serde_json::to_string_pretty(&summary.json())? + "\n"))?;
    } else {
        print(&summary.text(options.top))?;
    }
    Ok(ExitCode::SUCCESS)
}
