//! `rattail race`.

use super::args::Race as Options;
use super::machine::{Program, Run, run_once};
use super::source::Source;
use super::{Failure, Outcome, print};
use crate::interp::{self, Dispatch};
use crate::introspect::asm::{self, Layout};
use crate::introspect::fast_path::Departures;
use crate::introspect::race::peer::{Peer, TIME_ARGUMENT, split_time};
use crate::introspect::race::{Contestant, Plan, Race, race, title};
use crate::runtime::counts::Counts;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

/// What runs without a file.
const BUILT_IN: (&str, &str, &str) = (
    "nbody.py",
    include_str!("../../benches/programs/nbody.py"),
    "20000",
);

/// The baseline runs twice, the second time under this name: how far the two lie apart is the noise.
const AGAIN: &str = "again";

/// Behind the name of a form that runs with specialisation off.
const UNSPECIALISED: &str = "unspecialised";

pub fn run(options: &Options) -> Outcome {
    let (source, arguments) = program(options)?;
    let plan = Plan {
        rounds: options.rounds as usize,
        warmup: options.warmup as usize,
    };
    let baseline = if Dispatch::Match.is_compiled() {
        Dispatch::Match
    } else {
        Dispatch::COMPILED[0]
    };
    let mut contestants: Vec<Box<dyn Contestant>> = Vec::new();
    let timed_by_itself = !options.peers.is_empty();
    let mut argv = vec![source.name.clone()];
    argv.extend(
        arguments
            .iter()
            .map(|argument| argument.to_string_lossy().into_owned()),
    );
    if timed_by_itself {
        argv.push(TIME_ARGUMENT.into());
    }
    let program = Rc::new(Program::new(&source, argv)?);
    let own = |name: String, form: Dispatch, program: &Rc<Program>| -> Result<_, Failure> {
        let own = Own::new(name, form, program.clone(), timed_by_itself)?;
        Ok(Box::new(own) as Box<dyn Contestant>)
    };
    for &form in Dispatch::COMPILED {
        contestants.push(own(form.name().into(), form, &program)?);
    }
    contestants.push(own(format!("{baseline} {AGAIN}"), baseline, &program)?);
    if options.unspecialised {
        let plain = Rc::new(program.unspecialised());
        for &form in Dispatch::COMPILED {
            contestants.push(own(format!("{form} {UNSPECIALISED}"), form, &plain)?);
        }
    }
    if let Some(file) = &options.file {
        for peer in &options.peers {
            let mut command = vec![OsString::from(file)];
            command.extend_from_slice(&arguments);
            contestants.push(Box::new(Peer::new(peer.clone(), command)));
        }
    }
    let bar = progress_bar(plan.runs(contestants.len()));
    let result = race(
        &title(&source.name, &arguments),
        &mut contestants,
        baseline.name(),
        plan,
        &mut |form| {
            bar.set_message(form.to_owned());
            bar.inc(1);
        },
    );
    bar.finish_and_clear();
    let (mut race, output) = result?;
    let unaudited = audit(&mut race).err();
    show(options, &race, &output, unaudited)?;
    Ok(ExitCode::SUCCESS)
}

fn program(options: &Options) -> Result<(Source, Vec<OsString>), Failure> {
    match &options.file {
        Some(file) => Ok((Source::read(file)?, options.arguments.clone())),
        None => {
            let (name, text, size) = BUILT_IN;
            Ok((
                Source {
                    name: name.into(),
                    text: text.into(),
                },
                vec![size.into()],
            ))
        }
    }
}

fn progress_bar(runs: usize) -> ProgressBar {
    let target = if io::stderr().is_terminal() {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::with_draw_target(Some(runs as u64), target).with_style(style)
}

/// Adds what the machine code of this binary shows.
fn audit(race: &mut Race) -> Result<(), asm::Error> {
    let path: PathBuf =
        std::env::current_exe().map_err(|error| asm::Error::Read("this binary".into(), error))?;
    let audit = asm::audit(&path, &Layout::default(), &super::asm::opcode_name)?;
    for entry in &mut race.entries {
        let form = entry.form.trim_end_matches(AGAIN).trim_end().to_owned();
        if let Some(audited) = audit
            .forms
            .iter()
            .find(|audited| audited.form.name() == form)
        {
            entry.indirect_jumps = Some(audited.indirect_jumps);
            entry.handler_bytes = Some(audited.bytes);
        }
    }
    Ok(())
}

fn show(
    options: &Options,
    race: &Race,
    output: &[u8],
    unaudited: Option<asm::Error>,
) -> Result<(), Failure> {
    if options.json {
        io::stderr().write_all(output)?;
        return print(&(race.to_json()? + "\n"));
    }
    let mut text = format!(
        "{}\n{}\n{}",
        String::from_utf8_lossy(output),
        race.table(),
        race.notes()
    );
    if let Some(error) = unaudited {
        text += &format!("machine code not audited: {error}\n");
    }
    print(&text)
}

/// A form of this binary.
struct Own {
    name: String,
    form: Dispatch,
    program: Rc<Program>,
    timed_by_itself: bool,
    opcodes: u64,
    departures: Option<Departures>,
}

impl Own {
    /// Counts the instructions of one run, which no timed run does.
    fn new(
        name: String,
        form: Dispatch,
        program: Rc<Program>,
        timed_by_itself: bool,
    ) -> Result<Own, Failure> {
        let mut own = Own {
            name,
            form,
            program,
            timed_by_itself,
            opcodes: 0,
            departures: None,
        };
        let (_, _, counts) = own
            .run(true)
            .map_err(|message| Failure(format!("{}: {message}", own.name)))?;
        own.opcodes = counts.total();
        own.departures = interp::counts_departures(form).then(|| Departures::of(&counts));
        Ok(own)
    }

    fn run(&self, counting: bool) -> Result<(Duration, Vec<u8>, Counts), String> {
        let run = run_once(&self.program, self.form, counting)
            .and_then(Run::succeeded)
            .map_err(|Failure(message)| message)?;
        if self.timed_by_itself {
            let (time, output) = split_time(run.output)?;
            return Ok((time, output, run.counts));
        }
        Ok((run.time, run.output, run.counts))
    }
}

impl Contestant for Own {
    fn form(&self) -> &str {
        &self.name
    }

    fn run_once(&mut self) -> Result<(Duration, Vec<u8>), String> {
        self.run(false).map(|(time, output, _)| (time, output))
    }

    fn opcodes(&self) -> u64 {
        self.opcodes
    }

    fn departures(&self) -> Option<Departures> {
        self.departures
    }
}
