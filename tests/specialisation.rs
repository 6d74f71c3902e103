//! The statistics and events of specialisation: what they mean, that all forms agree on them, and that a machine with
//! specialisation off has none.

use rattail::bytecode::Opcode;
use rattail::bytecode::backoff::BackoffCounter;
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::runtime::code::CodeObject;
use rattail::runtime::counts::Departure;
use rattail::runtime::specialize::Refusal;
use rattail::runtime::stats::{Event, Happening, Listener, Statistics};
use rattail::runtime::vm::{Machine, Options};
use std::cell::RefCell;
use std::rc::Rc;

fn run(form: Dispatch, source: &str, specialization: bool, prepare: impl FnOnce(&Machine)) -> Run {
    let options = Options {
        stdout: Box::new(std::io::sink()),
        specialization,
        compile: Some(rattail::cli::compile),
        ..Options::default()
    };
    let machine = Machine::new(options).expect("a machine");
    interp::select(machine.thread(), form, true);
    machine.thread().record();
    prepare(&machine);
    let code = compiler::compile(source.as_bytes(), "test.py", Mode::Exec, Default::default())
        .unwrap_or_else(|error| panic!("{}", error.render()));
    let outcome = machine.run_main(&code);
    assert!(outcome.is_success(), "{:?}", outcome.report);
    let statistics = machine.thread().take_statistics().expect("recorded");
    let departed = machine.thread().take_counts().departed(Departure::Miss);
    Run {
        statistics,
        departed,
    }
}

struct Run {
    statistics: Statistics,
    /// Failed guards, as the counting loop counts them.
    departed: u64,
}

fn statistics(source: &str) -> Statistics {
    run(Dispatch::COMPILED[0], source, true, |_| {}).statistics
}

/// A function whose only addition is called as the test says.
const ADD: &str = "def add(a, b): return a + b\n";

#[test]
fn a_site_specialises_and_misses_and_gives_up() {
    // Two ints specialise, one of them as a hit already; 53 pairs of lists miss, at the last of which the head refuses.
    let source = format!(
        "{ADD}for _ in range(10): add(1, 2)\nfor _ in range(53): add([], [])\nfor _ in range(3): add([], [])\n"
    );
    let statistics = statistics(&source);
    let family = statistics.family(Opcode::BINARY_OP);
    assert_eq!(statistics.hits(Opcode::BINARY_OP), 9);
    assert_eq!(statistics.misses(Opcode::BINARY_OP), 53);
    // The instruction that a refusal leaves generic is executed again, which counts (1, 1) down: so the next one refuses
    // too.
    assert_eq!((family.success, family.failure, family.deopt), (1, 2, 1));
    assert_eq!(family.refusals.get(&Refusal::AddOther), Some(&2));
    let head = statistics.executed[usize::from(Opcode::BINARY_OP.0)];
    assert_eq!((head, family.deferred), (7, 5));
}

#[test]
fn pairs_follow_the_execution() {
    let statistics = statistics("for i in range(5): i\n");
    let pairs: u64 = statistics.pairs.values().sum();
    let executed: u64 = statistics.executed.iter().sum();
    assert_eq!(pairs, executed);
    let pair = (
        Opcode::JUMP_BACKWARD.0 as u8,
        Opcode::JUMP_BACKWARD_NO_JIT.0 as u8,
    );
    assert_eq!(statistics.pairs.get(&pair), Some(&1));
}

/// A program with hits, misses, refusals, nested runs and code that is freed.
fn mixed() -> String {
    let mut source = include_str!("../docs/labs/guards.py").to_owned();
    source += include_str!("../docs/labs/changes.py");
    source += "\nfor n in range(30):\n    exec('def g(a): return a + a\\nfor x in 1, 1.5, [], 2: g(x)')\n";
    source += "\nclass K:\n    def __eq__(self, other): return self.x == other.x\n    def __init__(self, x): self.x = x\n";
    source += "for n in range(80): [K(n), K(1.5), K('a')].count(K(n % 3))\n";
    source += "def deep(n): return n if n < 1 else deep(n - 1)\n";
    source += "for n in range(4): sorted([3, 1, 2], key=lambda v: deep(v))\n";
    source
}

#[test]
fn forms_agree() {
    let source = mixed();
    let runs: Vec<Run> = Dispatch::COMPILED
        .iter()
        .map(|&form| run(form, &source, true, |_| {}))
        .collect();
    for (run, form) in runs.iter().zip(Dispatch::COMPILED) {
        assert!(run.statistics == runs[0].statistics, "{form}");
        let missed: u64 = run.statistics.missed.iter().sum();
        assert!(missed > 100, "{missed}");
        if interp::counts_departures(*form) {
            // A guard that fails in a continuation out of line counts as that there.
            assert!(
                (1..=missed).contains(&run.departed),
                "{form}: {} of {missed}",
                run.departed
            );
        }
    }
}

#[test]
fn nothing_specialises_when_off() {
    let is_written_at_once = |head: Opcode| {
        matches!(
            head,
            Opcode::RESUME | Opcode::LOAD_CONST | Opcode::JUMP_BACKWARD
        )
    };
    for &form in Dispatch::COMPILED {
        let statistics = run(form, &mixed(), false, |_| {}).statistics;
        for family in Opcode::families() {
            let counts = statistics.family(family.head);
            assert_eq!(
                (counts.success, counts.failure),
                (0, 0),
                "{:?}",
                family.head
            );
            assert_eq!(statistics.hits(family.head), 0, "{:?}", family.head);
            if !is_written_at_once(family.head) {
                let executed = statistics.executed[usize::from(family.head.0)];
                assert_eq!(counts.deferred, executed, "{:?}", family.head);
            }
        }
    }
}

/// Kinds of what happened to a family, with the counters.
struct Heard(Rc<RefCell<Vec<(Happening, u16, u16)>>>, Opcode);

impl Listener for Heard {
    fn event(&mut self, event: &Event<'_>) {
        let here = event.code.spec.name.to_string_lossy() == "add";
        if let Some((before, after)) = event.counters
            && here
            && event.from.deopt() == self.1
        {
            let heard = (event.happening, before.0, after.0);
            self.0.borrow_mut().push(heard);
        }
    }
    fn begins(&mut self, _: &CodeObject) {}
}

#[test]
fn events_come_in_order_with_their_counters() {
    let source = format!(
        "{ADD}add(1, 2)\nadd(1, 2)\nfor _ in range(53): add('a', 'b')\nfor _ in range(53): add([], [])\n"
    );
    let counter = |value, backoff| BackoffCounter::new(value, backoff).0;
    for &form in Dispatch::COMPILED {
        let heard = Rc::<RefCell<Vec<_>>>::default();
        let listener = Box::new(Heard(heard.clone(), Opcode::BINARY_OP));
        run(form, &source, true, |machine| {
            machine.thread().record().listen(Some(listener));
        });
        let misses =
            || (0..52).map(|n| (Happening::Missed, counter(52 - n, 0), counter(51 - n, 0)));
        let mut expected = vec![(Happening::Specialized, counter(0, 1), counter(52, 0))];
        expected.extend(misses());
        expected.push((Happening::Deoptimized, counter(0, 0), counter(0, 0)));
        expected.push((Happening::Specialized, counter(0, 0), counter(52, 0)));
        expected.extend(misses());
        expected.push((Happening::Deoptimized, counter(0, 0), counter(0, 0)));
        let refused = Happening::Refused(Refusal::AddOther);
        expected.push((refused, counter(0, 0), counter(1, 1)));
        assert_eq!(*heard.borrow(), expected, "{form}");
    }
}
