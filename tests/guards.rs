//! Specialisation never changes what a program means: random programs that change classes, instances, functions and
//! globals between the calls of hot functions do the same with it and without, in every form, and the forms agree on
//! what was specialised, missed and refused.
//!
//! `RATTAIL_GUARDS_COUNT` sets how many programs, `RATTAIL_GUARDS_FIRST` the seed of the first;
//! `RATTAIL_GUARDS_DIR` writes them there instead.

#[path = "common/guards_grammar.rs"]
mod grammar;

use grammar::Grammar;
use rattail::bytecode::Opcode;
use rattail::bytecode::spec::CodeSpec;
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::runtime::stats::Statistics;
use rattail::runtime::vm::{Machine, Options};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

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

fn number(name: &str, default: u64) -> u64 {
    let value = std::env::var(name);
    value.map_or(default, |n| {
        n.parse()
            .unwrap_or_else(|_| panic!("{name} is not a number"))
    })
}

/// One way of running programs; the machine runs many, one after another.
struct Runner {
    name: String,
    machine: Machine,
    output: Kept,
    recording: bool,
}

/// What a program did.
struct Run {
    output: String,
    statistics: Option<Statistics>,
}

impl Runner {
    fn new(form: Dispatch, specialization: bool, recording: bool) -> Runner {
        let output = Kept::default();
        let options = Options {
            stdout: Box::new(output.clone()),
            stderr: Box::new(output.clone()),
            specialization,
            compile: Some(rattail::cli::compile),
            ..Options::default()
        };
        let machine = Machine::new(options).expect("a machine");
        interp::select(machine.thread(), form, recording);
        if recording {
            machine.thread().record();
        }
        let name = format!(
            "{form}{}{}",
            if specialization { "" } else { " unspecialised" },
            if recording { " recording" } else { "" },
        );
        Runner {
            name,
            machine,
            output,
            recording,
        }
    }

    fn run(&self, code: &Rc<CodeSpec>) -> Run {
        let outcome = self.machine.run_main(code);
        let statistics = self
            .recording
            .then(|| self.machine.thread().take_statistics().expect("recorded"));
        let mut output = String::from_utf8_lossy(&self.output.0.take()).into_owned();
        output.push_str(&outcome.report.unwrap_or_default());
        Run { output, statistics }
    }
}

/// Programs that a set of machines runs before new ones are made.
const BATCH: u64 = 40;

fn runners() -> Vec<Runner> {
    let mut runners = Vec::new();
    for &form in Dispatch::COMPILED {
        runners.push(Runner::new(form, true, false));
        runners.push(Runner::new(form, false, false));
        // The replicated form counts in the match form's loop: beside others it says nothing new.
        if form != Dispatch::Replicated || Dispatch::COMPILED.len() == 1 {
            runners.push(Runner::new(form, true, true));
        }
    }
    runners
}

fn difference<'a>(a: &'a str, b: &'a str) -> (usize, &'a str, &'a str) {
    let (mut a, mut b) = (a.lines(), b.lines());
    for line in 1.. {
        match (a.next(), b.next()) {
            (Some(a), Some(b)) if a == b => {}
            (a, b) => return (line, a.unwrap_or("<the end>"), b.unwrap_or("<the end>")),
        }
    }
    unreachable!("the texts differ")
}

#[test]
fn guards_hold() {
    let count = number("RATTAIL_GUARDS_COUNT", 200);
    let first = number("RATTAIL_GUARDS_FIRST", 0);
    let directory = std::env::var("RATTAIL_GUARDS_DIR").ok();
    let mut specialised = 0;
    let mut missed = 0;
    let mut set = Vec::new();
    for seed in first..first + count {
        let text = Grammar::new(seed).program();
        if let Some(directory) = &directory {
            let file = format!("{directory}/guards_{seed:06}.py");
            std::fs::write(file, &text).expect("RATTAIL_GUARDS_DIR can be written to");
            continue;
        }
        if seed == first || seed % BATCH == 0 {
            set = runners();
        }
        let code = compiler::compile(text.as_bytes(), "guards.py", Mode::Exec, Default::default())
            .unwrap_or_else(|error| panic!("seed {seed}: {}\n{text}", error.render()));
        let runs: Vec<Run> = set.iter().map(|runner| runner.run(&code)).collect();
        for (runner, run) in set.iter().zip(&runs) {
            if run.output != runs[0].output {
                let (line, one, other) = difference(&runs[0].output, &run.output);
                panic!(
                    "seed {seed}, line {line} of the output: {} has {one}, {} has {other}\n{text}",
                    set[0].name, runner.name
                );
            }
        }
        let mut recorded = set
            .iter()
            .zip(&runs)
            .filter_map(|(runner, run)| Some((&runner.name, run.statistics.as_ref()?)));
        if let Some((name, statistics)) = recorded.next() {
            for (other, found) in recorded {
                assert!(
                    found == statistics,
                    "seed {seed}: {name} and {other} differ in their statistics\n{text}"
                );
            }
            for family in Opcode::families() {
                specialised += statistics.family(family.head).success;
                missed += statistics.misses(family.head);
            }
        }
    }
    if directory.is_none() {
        println!("{count} programs: {specialised} specialisations, {missed} misses");
        assert!(
            specialised > count && missed > count / 2,
            "nothing was put to the test"
        );
    }
}
