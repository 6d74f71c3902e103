//! `rattail predict`.

use super::args::Predict;
use super::machine::{Program, Run, run_once};
use super::source::Source;
use super::{Failure, Outcome, print};
use crate::interp::Dispatch;
use crate::introspect::asm::Form;
use crate::introspect::predict::Prediction;
use crate::introspect::predict::valgrind::{self, Finished};
use crate::introspect::race::{Machine, title};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

pub fn run(options: &Predict) -> Outcome {
    let source = Source::read(&options.file)?;
    let mut argv = vec![source.name.clone()];
    argv.extend(
        options
            .arguments
            .iter()
            .map(|argument| argument.to_string_lossy().into_owned()),
    );
    // A run of its own says what to expect: that the program succeeds, its output, and how many opcodes there are.
    let program = Program::new(&source, argv)?;
    let counted = run_once(&program, options.form.0[0], true).and_then(Run::succeeded)?;
    let opcodes = counted.counts.total();
    let binary = match &options.binary {
        Some(path) => path.clone(),
        None => std::env::current_exe()?,
    };
    let binary = binary.canonicalize()?;
    let mut arguments = vec![OsString::from(&options.file)];
    arguments.extend_from_slice(&options.arguments);

    let bar = progress_bar(opcodes);
    let mut prediction = Prediction {
        program: title(&source.name, &options.arguments),
        machine: Machine::here(),
        forms: Vec::new(),
    };
    for &form in &options.form.0 {
        let program = valgrind::Program {
            binary: &binary,
            form: audited(form),
            arguments: &arguments,
        };
        bar.set_message(form.name());
        bar.reset();
        let finished = program.predict(opcodes, &mut |dispatches| bar.set_position(dispatches))?;
        let mut predicted = agreed(form, finished, &counted.output)?;
        if options.check {
            bar.set_message(format!("{form} under callgrind"));
            predicted.callgrind = Some(agreed(form, program.callgrind()?, &counted.output)?);
        }
        prediction.forms.push(predicted);
    }
    bar.finish_and_clear();
    if options.json {
        print(&(serde_json::to_string_pretty(&prediction)? + "\n"))?;
    } else {
        print(&text(&prediction))?;
    }
    let wrong = prediction
        .forms
        .iter()
        .filter(|form| form.agrees() == Some(false));
    match wrong.map(|form| form.form.as_str()).next() {
        None => Ok(ExitCode::SUCCESS),
        Some(form) => Err(Failure(format!(
            "the model of callgrind's predictor and callgrind count differently, first under {form}"
        ))),
    }
}

/// What a run found, if it printed what it should.
fn agreed<T>(form: Dispatch, run: Finished<T>, expected: &[u8]) -> Result<T, Failure> {
    if run.output == expected {
        return Ok(run.value);
    }
    let (printed, expected) = (
        String::from_utf8_lossy(&run.output),
        String::from_utf8_lossy(expected),
    );
    Err(Failure(format!(
        "{form} printed\n{printed}and not\n{}",
        expected.trim_end()
    )))
}

fn audited(form: Dispatch) -> Form {
    match form {
        Dispatch::Tail => Form::Tail,
        Dispatch::Match => Form::Match,
        Dispatch::Replicated => Form::Replicated,
    }
}

fn text(prediction: &Prediction) -> String {
    let mut text = format!(
        "{}: mispredicted indirect branches, in every 1,000 dispatches (at dispatch sites) and in every 1,000 \
         instructions (all of them)\n\n{}",
        prediction.program,
        prediction.table()
    );
    if let Some(table) = prediction.validation() {
        text += &format!("\n{table}");
    }
    text + &format!("\n{}", prediction.machine)
}

fn progress_bar(opcodes: u64) -> ProgressBar {
    let target = if io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{bar:30} {percent}% {msg}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(opcodes), target).with_style(style)
}
