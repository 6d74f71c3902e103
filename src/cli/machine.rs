//! A virtual machine for one run of a program.

use super::source::{Source, Unusable};
use super::{Failure, hook};
use crate::bytecode::spec::CodeSpec;
use crate::interp::{self, Dispatch};
use crate::runtime::counts::Counts;
use crate::runtime::stats::{Listener, Statistics};
use crate::runtime::vm::{Machine, Options, Outcome};
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A machine that runs in `form`; `counting` makes it count the instructions that it executes.
pub fn machine(options: Options, form: Dispatch, counting: bool) -> Result<Machine, Failure> {
    let machine = Machine::new(Options {
        compile: Some(hook::compile),
        ..options
    })?;
    interp::select(machine.thread(), form, counting);
    Ok(machine)
}

/// One run in a machine of its own.
pub struct Run {
    /// Of the execution alone.
    pub time: Duration,
    pub outcome: Outcome,
    pub output: Vec<u8>,
    /// All zero unless this run counted.
    pub counts: Counts,
}

/// A compiled program and what it finds when it runs.
pub struct Program {
    pub code: Rc<CodeSpec>,
    pub argv: Vec<String>,
    pub path: Vec<PathBuf>,
    /// Whether code adapts itself.
    pub specialization: bool,
}

impl Program {
    pub fn new(source: &Source, argv: Vec<String>) -> Result<Program, Unusable> {
        Ok(Program {
            code: source.compile()?,
            argv,
            path: source.search_path(),
            specialization: true,
        })
    }

    /// The same program in machines that do not specialise.
    pub fn unspecialised(&self) -> Program {
        Program {
            code: self.code.clone(),
            argv: self.argv.clone(),
            path: self.path.clone(),
            specialization: false,
        }
    }
}

impl Run {
    /// The run; an error with its status and last words if the program failed.
    pub fn succeeded(self) -> Result<Run, Failure> {
        if self.outcome.is_success() {
            return Ok(self);
        }
        let report = self.outcome.report.unwrap_or_default();
        Err(Failure(format!(
            "the program failed with status {}\n{}",
            self.outcome.status,
            report.trim_end()
        )))
    }
}

/// Something that looks on while a program executes, and at nothing else.
pub trait Observer {
    fn start(&mut self, machine: &Machine);
    fn stop(&mut self, machine: &Machine);
}

impl Observer for () {
    fn start(&mut self, _: &Machine) {}
    fn stop(&mut self, _: &Machine) {}
}

/// Runs a program whose output is kept.
pub fn run_once(program: &Program, form: Dispatch, counting: bool) -> Result<Run, Failure> {
    run_observed(program, form, counting, &mut ())
}

/// Lets the thread note what is specialised, and takes the notes at the end.
struct Recorder {
    listener: Option<Box<dyn Listener>>,
    statistics: Option<Statistics>,
}

impl Observer for Recorder {
    fn start(&mut self, machine: &Machine) {
        machine.thread().record().listen(self.listener.take());
    }
    fn stop(&mut self, machine: &Machine) {
        self.statistics = machine.thread().take_statistics();
    }
}

/// The same, counting, with what is specialised noted and told to a listener.
pub fn run_recorded(
    program: &Program,
    form: Dispatch,
    listener: Option<Box<dyn Listener>>,
) -> Result<(Run, Statistics), Failure> {
    let mut recorder = Recorder {
        listener,
        statistics: None,
    };
    let run = run_observed(program, form, true, &mut recorder)?;
    let statistics = recorder
        .statistics
        .ok_or_else(|| Failure("nothing was recorded".into()))?;
    Ok((run, statistics))
}

pub fn run_observed(
    program: &Program,
    form: Dispatch,
    counting: bool,
    observer: &mut impl Observer,
) -> Result<Run, Failure> {
    let output = Kept::default();
    let options = Options {
        argv: program.argv.clone(),
        path: program.path.clone(),
        stdin: Box::new(io::empty()),
        stdout: Box::new(output.clone()),
        specialization: program.specialization,
        ..Options::default()
    };
    let machine = machine(options, form, counting)?;
    observer.start(&machine);
    let start = Instant::now();
    let outcome = machine.run_main(&program.code);
    let time = start.elapsed();
    observer.stop(&machine);
    let counts = machine.thread().take_counts();
    drop(machine);
    Ok(Run {
        time,
        outcome,
        output: output.0.take(),
        counts,
    })
}

/// Output in memory, still at hand when the machine that wrote it is gone.
#[derive(Clone, Default)]
struct Kept(Rc<RefCell<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
