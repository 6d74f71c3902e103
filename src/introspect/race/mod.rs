//! The race: one program under every form of dispatch, side by side.
//!
//! Every round runs every contestant once, so whatever changes over the seconds (frequency, other load) meets them
//! alike, and ratios are taken within a round. The first rounds warm up and are kept apart.

mod machine;
pub mod peer;
mod report;
mod stats;

pub use machine::Machine;
pub use report::{Summary, geomean_table};
pub use stats::{Estimate, geometric_mean, speed};

use super::fast_path::Departures;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// One entry of a race.
pub trait Contestant {
    /// Its name in the table.
    fn form(&self) -> &str;
    /// Runs the program once: the time that it took and what it printed.
    fn run_once(&mut self) -> Result<(Duration, Vec<u8>), String>;
    /// How many opcodes one run executes.
    fn opcodes(&self) -> u64;
    /// How many of them leave their fast path, where that was counted.
    fn departures(&self) -> Option<Departures> {
        None
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Rounds that count.
    pub rounds: usize,
    /// Rounds before them.
    pub warmup: usize,
}

impl Plan {
    pub fn runs(self, contestants: usize) -> usize {
        (self.rounds + self.warmup) * contestants
    }
}

/// Every time that was taken, and what it was taken of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Race {
    pub program: String,
    pub machine: Machine,
    /// The entry that the others are compared with.
    pub baseline: String,
    pub entries: Vec<Entry>,
}

/// The raw figures of one contestant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub form: String,
    pub opcodes: u64,
    #[serde(default)]
    pub departures: Option<Departures>,
    /// Of the machine code, where the binary could be audited.
    pub indirect_jumps: Option<usize>,
    pub handler_bytes: Option<u64>,
    pub warmup_seconds: Vec<f64>,
    /// One a round, in the order of the rounds.
    pub seconds: Vec<f64>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Error {
    /// There is nothing to compare with.
    NoBaseline(String),
    Failed {
        form: String,
        message: String,
    },
    /// Two forms printed different things.
    Disagree {
        form: String,
        other: String,
        line: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoBaseline(name) => write!(f, "no contestant is called {name}"),
            Error::Failed { form, message } => write!(f, "{form}: {message}"),
            Error::Disagree { form, other, line } => {
                write!(
                    f,
                    "{form} and {other} print different output, first in line {line}"
                )
            }
        }
    }
}

impl std::error::Error for Error {}

/// Runs the race. `progress` hears who runs next. The result is the race and the output, which is the same in all
/// runs or an error.
pub fn race(
    program: &str,
    contestants: &mut [Box<dyn Contestant + '_>],
    baseline: &str,
    plan: Plan,
    progress: &mut dyn FnMut(&str),
) -> Result<(Race, Vec<u8>), Error> {
    if !contestants
        .iter()
        .any(|contestant| contestant.form() == baseline)
    {
        return Err(Error::NoBaseline(baseline.into()));
    }
    let mut entries: Vec<Entry> = contestants
        .iter()
        .map(|contestant| Entry::new(contestant.form()))
        .collect();
    let mut reference: Option<(String, Vec<u8>)> = None;
    for round in 0..plan.warmup + plan.rounds {
        for n in order(round, contestants.len()) {
            let contestant = &mut contestants[n];
            progress(contestant.form());
            let form = contestant.form().to_owned();
            let (time, output) = contestant.run_once().map_err(|message| Error::Failed {
                form: form.clone(),
                message,
            })?;
            match &reference {
                None => reference = Some((form, output)),
                Some((other, expected)) => {
                    if let Some(line) = first_difference(expected, &output) {
                        return Err(Error::Disagree {
                            form,
                            other: other.clone(),
                            line,
                        });
                    }
                }
            }
            let entry = &mut entries[n];
            // A clock of coarse steps may say zero; a ratio to zero says nothing.
            let seconds = time.as_secs_f64().max(1e-9);
            if round < plan.warmup {
                &mut entry.warmup_seconds
            } else {
                &mut entry.seconds
            }
            .push(seconds);
        }
    }
    for (entry, contestant) in entries.iter_mut().zip(contestants.iter()) {
        entry.opcodes = contestant.opcodes();
        entry.departures = contestant.departures();
    }
    let race = Race {
        program: program.into(),
        machine: Machine::here(),
        baseline: baseline.into(),
        entries,
    };
    Ok((race, reference.map_or_else(Vec::new, |(_, output)| output)))
}

/// The order of a round: it starts with another contestant each time and changes direction, so that nobody always
/// runs after the same other.
fn order(round: usize, contestants: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..contestants)
        .map(|n| (n + round / 2) % contestants)
        .collect();
    if round % 2 == 1 {
        order.reverse();
    }
    order
}

/// The line, counted from 1, in which two outputs begin to differ.
fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    if a == b {
        return None;
    }
    let same = a.iter().zip(b).take_while(|(a, b)| a == b);
    Some(1 + same.filter(|(byte, _)| **byte == b'\n').count())
}

impl Entry {
    pub(in crate::introspect) fn new(form: &str) -> Entry {
        Entry {
            form: form.into(),
            opcodes: 0,
            departures: None,
            indirect_jumps: None,
            handler_bytes: None,
            warmup_seconds: Vec::new(),
            seconds: Vec::new(),
        }
    }
}

impl Race {
    pub fn entry(&self, form: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.form == form)
    }
}

/// The name of a run: the program's and its arguments.
pub fn title(name: &str, arguments: &[OsString]) -> String {
    let stem = Path::new(name)
        .file_stem()
        .map_or_else(|| name.into(), |stem| stem.to_string_lossy());
    let arguments = arguments
        .iter()
        .map(|argument| format!(" {}", argument.to_string_lossy()));
    [stem.into_owned()].into_iter().chain(arguments).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    struct Fake<'a> {
        form: &'static str,
        times: Vec<u64>,
        output: &'static [u8],
        log: &'a RefCell<Vec<&'static str>>,
    }

    impl Contestant for Fake<'_> {
        fn form(&self) -> &str {
            self.form
        }
        fn run_once(&mut self) -> Result<(Duration, Vec<u8>), String> {
            self.log.borrow_mut().push(self.form);
            match self.times.pop() {
                Some(millis) => Ok((Duration::from_millis(millis), self.output.to_vec())),
                None => Err("out of breath".into()),
            }
        }
        fn opcodes(&self) -> u64 {
            1_000_000
        }
    }

    fn fake<'a>(
        form: &'static str,
        times: &[u64],
        output: &'static [u8],
        log: &'a RefCell<Vec<&'static str>>,
    ) -> Box<dyn Contestant + 'a> {
        let times = times.iter().rev().copied().collect();
        Box::new(Fake {
            form,
            times,
            output,
            log,
        })
    }

    const PLAN: Plan = Plan {
        rounds: 3,
        warmup: 1,
    };

    #[test]
    fn rounds_are_interleaved_and_the_first_are_kept_apart() {
        let log = RefCell::default();
        let mut both = [
            fake("match", &[9, 4, 4, 6], b"1\n", &log),
            fake("tail", &[9, 2, 2, 3], b"1\n", &log),
        ];
        let mut heard = 0;
        let (race, output) =
            race("fib", &mut both, "match", PLAN, &mut |_| heard += 1).expect("a race");
        assert_eq!((heard, PLAN.runs(2)), (8, 8));
        assert_eq!(output, b"1\n");
        let tail = race.entry("tail").expect("an entry");
        assert_eq!(tail.warmup_seconds, [0.009]);
        assert_eq!(tail.seconds, [0.002, 0.002, 0.003]);
        assert_eq!(tail.opcodes, 1_000_000);
        for pair in log.borrow().chunks(2) {
            assert_ne!(pair[0], pair[1], "both run in every round");
        }
    }

    #[test]
    fn every_contestant_starts_and_ends_rounds() {
        for contestants in 1..5 {
            let rounds: Vec<_> = (0..2 * contestants)
                .map(|round| order(round, contestants))
                .collect();
            for n in 0..contestants {
                assert!(rounds.iter().any(|round| round.first() == Some(&n)));
                assert!(rounds.iter().any(|round| round.last() == Some(&n)));
                assert!(rounds.iter().all(|round| round.contains(&n)));
            }
        }
    }

    #[test]
    fn different_output_is_an_error() {
        let log = RefCell::default();
        let mut both = [
            fake("match", &[1; 4], b"1\n2\n", &log),
            fake("tail", &[1; 4], b"1\n3\n", &log),
        ];
        let error = race("x", &mut both, "match", PLAN, &mut |_| ()).expect_err("they differ");
        assert_eq!(
            error,
            Error::Disagree {
                form: "tail".into(),
                other: "match".into(),
                line: 2
            }
        );
        assert_eq!(
            error.to_string(),
            "tail and match print different output, first in line 2"
        );
    }

    #[test]
    fn output_that_stops_early_differs_too() {
        assert_eq!(first_difference(b"1\n", b"1\n2\n"), Some(2));
        assert_eq!(first_difference(b"", b"\n"), Some(1));
        assert_eq!(first_difference(b"a", b"a"), None);
    }

    #[test]
    fn a_failure_names_its_form() {
        let log = RefCell::default();
        let mut both = [
            fake("match", &[1; 4], b"", &log),
            fake("tail", &[1], b"", &log),
        ];
        let error = race("x", &mut both, "match", PLAN, &mut |_| ()).expect_err("it fails");
        assert_eq!(error.to_string(), "tail: out of breath");
    }

    #[test]
    fn the_baseline_must_run() {
        let log = RefCell::default();
        let mut one = [fake("tail", &[1; 4], b"", &log)];
        assert!(matches!(
            race("x", &mut one, "match", PLAN, &mut |_| ()),
            Err(Error::NoBaseline(_))
        ));
        assert!(log.borrow().is_empty());
    }
}
