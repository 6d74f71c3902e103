//! What was measured beside CPython: the costs of calls, frames, exceptions and hooks, pyperformance's programs, and an
//! empty one.

use super::data::Folder;
use crate::introspect::race::{Estimate, geometric_mean};
use crate::introspect::table::Table;
use serde::{Deserialize, Serialize};

/// The bench `calls`, and what `benches/pyperformance.py` leaves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calls {
    /// Forms of dispatch, and last the other interpreter where it was at hand.
    pub runners: Vec<String>,
    pub cases: Vec<Case>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    pub name: String,
    /// Nanoseconds of one repetition, by runner and round.
    pub ns: Vec<Vec<f64>>,
}

/// The bench `startup`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Startup {
    /// The last is what the others are compared with.
    pub contenders: Vec<Contender>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contender {
    pub name: String,
    /// Of each round.
    pub seconds: Vec<f64>,
    pub resident_kib: Option<u64>,
}

/// The case that the others are multiples of.
pub const ORDINARY: &str = "empty call";
/// Two cases that differ by the second of two calls: only their difference is shown.
pub const ONCE: &str = "_getframe once";
pub const TWICE: &str = "_getframe twice";

fn median(values: &[f64]) -> f64 {
    Estimate::of(values).map_or(f64::NAN, |estimate| estimate.median)
}

impl Calls {
    pub fn table(&self) -> Table {
        let mut head = vec!["ns"];
        for name in &self.runners {
            head.extend([name.as_str(), "x call"]);
        }
        let mut table = Table::new(&head);
        let case = |name| self.cases.iter().find(|case| case.name == name);
        let ordinary = case(ORDINARY);
        for case in self.cases.iter().filter(|case| case.name != TWICE) {
            let mut cells = vec![case.name.clone()];
            for (runner, ns) in case.ns.iter().enumerate() {
                let ordinary = ordinary.map_or(f64::NAN, |case| median(&case.ns[runner]));
                let time = median(ns);
                cells.extend([format!("{time:.1}"), format!("{:.2}", time / ordinary)]);
            }
            table.row(cells);
        }
        if let (Some(once), Some(twice)) = (case(ONCE), case(TWICE)) {
            let mut cells = vec!["second _getframe".to_owned()];
            for (once, twice) in once.ns.iter().zip(&twice.ns) {
                cells.extend([difference(once, twice), String::new()]);
            }
            table.row(cells);
        }
        table
    }
}

/// Programs in milliseconds, and how many times as fast as the last runner each of the others is.
fn programs(of: &Calls) -> Table {
    let Some((peer, own)) = of.runners.split_last() else {
        return Table::new(&[]);
    };
    let against = format!("x {peer}");
    let mut head = vec!["ms".to_owned()];
    for name in own {
        head.extend([name.clone(), against.clone()]);
    }
    head.push(peer.clone());
    let mut table = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    let mut speeds = vec![Vec::new(); own.len()];
    for case in &of.cases {
        let medians: Vec<f64> = case.ns.iter().map(|ns| median(ns)).collect();
        let last = medians.last().copied().unwrap_or(f64::NAN);
        let mut cells = vec![case.name.clone()];
        for (time, speeds) in medians.iter().zip(&mut speeds) {
            cells.extend([format!("{:.1}", time / 1e6), format!("{:.2}", last / time)]);
            speeds.push(last / time);
        }
        cells.push(format!("{:.1}", last / 1e6));
        table.row(cells);
    }
    let mut cells = vec!["geometric mean".to_owned()];
    for speeds in &speeds {
        let mean = geometric_mean(speeds).map_or_else(String::new, |mean| format!("{mean:.2}"));
        cells.extend([String::new(), mean]);
    }
    cells.push(String::new());
    table.row(cells);
    table
}

/// A difference of two noisy figures: the interval of the rounds' differences without their extremes, or nothing where
/// that reaches below zero.
fn difference(once: &[f64], twice: &[f64]) -> String {
    let mut more: Vec<f64> = once.iter().zip(twice).map(|(a, b)| b - a).collect();
    more.sort_by(f64::total_cmp);
    let aside = more.len() / 8;
    match (more.get(aside), more.iter().rev().nth(aside)) {
        (Some(low), Some(high)) if *low > 0.0 => format!("{low:.1} .. {high:.1}"),
        _ => String::new(),
    }
}

impl Startup {
    pub fn table(&self) -> Table {
        let last = self.contenders.last();
        let name = last.map_or("", |last| last.name.as_str());
        let time = format!("of {name}'s time");
        let memory = format!("of {name}'s KiB");
        let mut table = Table::new(&["", "median ms", "least ms", &time, "KiB", &memory]);
        for contender in &self.contenders {
            let least = contender
                .seconds
                .iter()
                .copied()
                .fold(f64::INFINITY, f64::min);
            let seconds = median(&contender.seconds);
            let of_time = last.map_or(f64::NAN, |last| seconds / median(&last.seconds));
            let kib = contender.resident_kib;
            let of_memory = kib.zip(last.and_then(|last| last.resident_kib));
            table.row([
                contender.name.clone(),
                format!("{:.2}", seconds * 1e3),
                format!("{:.2}", least * 1e3),
                format!("{:.0}%", of_time * 100.0),
                kib.map_or_else(String::new, |kib| kib.to_string()),
                of_memory.map_or_else(String::new, |(own, other)| {
                    format!("{:.0}%", own as f64 / other as f64 * 100.0)
                }),
            ]);
        }
        table
    }
}

pub fn section(folder: &Folder) -> String {
    let mut text = String::new();
    if let Some(calls) = &folder.calls {
        text += &format!(
            "\n### Calls, frames, exceptions and hooks\n\nNanoseconds, and multiples of an ordinary call; \
             `cargo bench --bench calls`.\n\n{}",
            calls.table().markdown()
        );
    }
    if let Some(pyperformance) = &folder.pyperformance {
        text += &format!(
            "\n### Programs of pyperformance\n\nUnmodified, timed inside them after one call to warm up; medians of \
             interleaved rounds; `python3 benches/pyperformance.py`.\n\n{}",
            programs(pyperformance).markdown()
        );
    }
    if let Some(startup) = &folder.startup {
        text += &format!(
            "\n### An empty program\n\nFrom before its process is made until it has been waited for, and its largest \
             resident set; `bash benches/dist.sh` and `cargo bench --bench startup`.\n\n{}",
            startup.table().markdown()
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_multiples_of_an_ordinary_one() {
        let case = |name: &str, ns: [f64; 3]| Case {
            name: name.to_owned(),
            ns: vec![ns.to_vec()],
        };
        let calls = Calls {
            runners: vec!["tail".to_owned()],
            cases: vec![
                case(ORDINARY, [10.0, 12.0, 11.0]),
                case(ONCE, [20.0, 20.0, 20.0]),
                case(TWICE, [21.0, 23.0, 22.0]),
            ],
        };
        let text = calls.table().markdown();
        for row in [
            "| empty call | 11.0 | 1.00 |",
            "| second _getframe | 1.0 .. 3.0 |  |",
        ] {
            assert!(text.contains(row), "{text}");
        }
        assert!(!text.contains(TWICE), "{text}");
    }

    #[test]
    fn programs_are_compared_with_the_last_runner() {
        let of = Calls {
            runners: vec!["tail".to_owned(), "python".to_owned()],
            cases: vec![Case {
                name: "nbody".to_owned(),
                ns: vec![vec![2e6], vec![6e6]],
            }],
        };
        let text = programs(&of).markdown();
        for row in [
            "| nbody | 2.0 | 3.00 | 6.0 |",
            "| geometric mean |  | 3.00 |  |",
        ] {
            assert!(text.contains(row), "{text}");
        }
    }

    #[test]
    fn an_empty_program_is_a_part_of_the_others() {
        let contender = |name: &str, seconds: &[f64], resident_kib| Contender {
            name: name.to_owned(),
            seconds: seconds.to_vec(),
            resident_kib,
        };
        let startup = Startup {
            contenders: vec![
                contender("rattail", &[0.002, 0.003, 0.002], Some(300)),
                contender("python", &[0.010], Some(1000)),
            ],
        };
        let text = startup.table().markdown();
        assert!(
            text.contains("| rattail | 2.00 | 2.00 | 20% | 300 | 30% |"),
            "{text}"
        );
    }
}
