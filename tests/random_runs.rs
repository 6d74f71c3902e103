//! Random programs run: the same output, exception and counts of instructions in every form of dispatch, the same output
//! with and without specialisation, and nothing left behind. Seeded, so that a failure repeats.
//!
//! `RATTAIL_RUNS` sets how many programs, `RATTAIL_RUNS_FROM` the first seed. `tests/tools/mutants.py` shows what these
//! tests notice.

#[path = "common/runnable.rs"]
mod runnable;

use rattail::bytecode::spec::CodeSpec;
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::object::gc;
use rattail::runtime::vm::{Machine, Options};
use runnable::Runnable;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// Seeds that found something once.
const FOUND: [u64; 0] = [];

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

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

/// What running a program comes to.
#[derive(PartialEq, Clone)]
struct Run {
    output: String,
    /// Live objects after the last run, beyond those after the run before it.
    left: i64,
    /// Instructions executed, by opcode, if they were counted.
    executed: Option<Vec<u64>>,
}

fn live_objects(machine: &Machine) -> i64 {
    let vm = machine.vm();
    // A finalizer may leave more to find.
    while gc::collect(vm) != 0 {}
    let mut count = 0;
    vm.heap.for_each_object(|_| count += 1);
    count
}

/// Runs a program three times in one machine: what a run leaves behind shows by the third, when all that is made once
/// and kept has been made.
fn run(code: &Rc<CodeSpec>, form: Dispatch, specialization: bool, counting: bool) -> Run {
    let kept = Kept::default();
    let machine = Machine::new(Options {
        stdout: Box::new(kept.clone()),
        stderr: Box::new(kept.clone()),
        specialization,
        // Some multiply a text by what they took for a small number.
        memory_limit: Some(64 << 20),
        compile: Some(rattail::cli::compile),
        ..Options::default()
    })
    .expect("a machine");
    interp::select(machine.thread(), form, counting);
    let mut live = [0; 3];
    let mut executed = None;
    for live in &mut live {
        let outcome = machine.run_main(code);
        let report = outcome.report.unwrap_or_default();
        kept.0.borrow_mut().extend_from_slice(report.as_bytes());
        let counts = machine.thread().take_counts();
        executed = counting.then(|| counts.executed.to_vec());
        *live = live_objects(&machine);
    }
    drop(machine);
    Run {
        output: String::from_utf8_lossy(&kept.0.take()).into_owned(),
        left: live[2] - live[1],
        executed,
    }
}

fn differs(found: &Run, expected: &Run) -> Option<String> {
    if found.left != 0 {
        return Some(format!("{} objects are left behind", found.left));
    }
    if found.output != expected.output {
        let mut lines = found.output.lines().zip(expected.output.lines());
        let first = lines.find(|(a, b)| a != b);
        return Some(format!("the output differs: {first:?}"));
    }
    if let (Some(found), Some(expected)) = (&found.executed, &expected.executed)
        && found != expected
    {
        let opcode = found.iter().zip(expected).position(|(a, b)| a != b);
        return Some(format!("the counts differ, first of opcode {opcode:?}"));
    }
    None
}

/// What is wrong with the runs of a program.
fn check(seed: u64) -> Option<String> {
    let source = Runnable::new(seed).program();
    let code = compiler::compile(
        source.as_bytes(),
        "random.py",
        Mode::Exec,
        Default::default(),
    )
    .unwrap_or_else(|error| panic!("seed {seed}: {}\n{source}", error.render()));
    let first = Dispatch::COMPILED[0];
    let plain = run(&code, first, false, false);
    let counted = run(&code, first, true, true);
    let say = |what: &str, why: String| Some(format!("seed {seed}, {what}: {why}"));
    if let Some(why) = differs(&plain, &plain) {
        return say("unspecialised", why);
    }
    if let Some(why) = differs(&counted, &plain) {
        return say("counted", why);
    }
    for &form in Dispatch::COMPILED {
        if let Some(why) = differs(&run(&code, form, true, false), &plain) {
            return say(form.name(), why);
        }
        if form != first
            && let Some(why) = differs(&run(&code, form, true, true), &counted)
        {
            return say(&format!("{form}, counted"), why);
        }
    }
    None
}

#[test]
fn programs_run_alike_in_every_form() {
    let from = number("RATTAIL_RUNS_FROM", 0);
    let seeds = FOUND
        .into_iter()
        .chain(from..from + number("RATTAIL_RUNS", 40));
    let wrong: Vec<String> = seeds.filter_map(check).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `RATTAIL_RUNS_SHOW` prints the program of a seed, for other interpreters to run.
#[test]
fn the_grammar_repeats() {
    let program = |seed| Runnable::new(seed).program();
    assert!(program(1) == program(1) && program(1) != program(2));
    if let Ok(seed) = std::env::var("RATTAIL_RUNS_SHOW") {
        println!("{}", program(seed.parse().expect("a number")));
    }
}
