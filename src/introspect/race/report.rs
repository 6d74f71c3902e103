//! A race as a table for people and as JSON for programs.

use super::stats::{Estimate, geometric_mean, speed};
use super::{Entry, Race};
use crate::introspect::fast_path::percent;
use crate::introspect::table::Table;
use serde::Serialize;

/// What is said of one entry; everything here is computed from the raw figures.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    pub form: String,
    pub seconds: Option<Estimate>,
    /// How many times as fast as the baseline.
    pub speed: Option<Estimate>,
    pub ns_per_opcode: Option<f64>,
}

impl Race {
    pub fn summaries(&self) -> Vec<Summary> {
        let baseline = self
            .entry(&self.baseline)
            .map_or(&[][..], |entry| &entry.seconds);
        let summary = |entry: &Entry| {
            let seconds = Estimate::of(&entry.seconds);
            Summary {
                form: entry.form.clone(),
                seconds,
                speed: speed(baseline, &entry.seconds).filter(|_| entry.form != self.baseline),
                ns_per_opcode: seconds
                    .filter(|_| entry.opcodes > 0)
                    .map(|s| s.median * 1e9 / entry.opcodes as f64),
            }
        };
        self.entries.iter().map(summary).collect()
    }

    pub fn table(&self) -> Table {
        let against = format!("vs {}", self.baseline);
        let mut table = Table::new(&[
            "form",
            "median",
            "interval",
            &against,
            "interval",
            "opcodes",
            "ns/opcode",
            "indirect jumps",
            "handler bytes",
        ]);
        for (entry, summary) in self.entries.iter().zip(self.summaries()) {
            table.row([
                summary.form,
                summary
                    .seconds
                    .map_or_else(String::new, |s| duration(s.median)),
                summary.seconds.map_or_else(String::new, |s| {
                    format!("{} .. {}", duration(s.low), duration(s.high))
                }),
                summary
                    .speed
                    .map_or("1".into(), |s| format!("{:.2}x", s.median)),
                summary
                    .speed
                    .map_or_else(String::new, |s| format!("{:.2} .. {:.2}", s.low, s.high)),
                known(entry.opcodes),
                summary
                    .ns_per_opcode
                    .map_or_else(String::new, |ns| format!("{ns:.2}")),
                entry
                    .indirect_jumps
                    .map_or_else(String::new, |n| n.to_string()),
                entry
                    .handler_bytes
                    .map_or_else(String::new, |n| n.to_string()),
            ]);
        }
        table
    }

    /// What the table does not say: how the intervals come about and what the figures were taken on.
    pub fn notes(&self) -> String {
        let rounds = self
            .entries
            .iter()
            .map(|entry| entry.seconds.len())
            .min()
            .unwrap_or(0);
        let warmup = self
            .entries
            .iter()
            .map(|entry| entry.warmup_seconds.len())
            .max()
            .unwrap_or(0);
        let level = self
            .summaries()
            .iter()
            .filter_map(|s| s.seconds)
            .map(|s| s.level)
            .reduce(f64::min);
        let left = self.entries.iter().find_map(|entry| {
            let departures = entry.departures?;
            let of = |count| percent(count as f64 / entry.opcodes.max(1) as f64);
            let (cold, misses, frees) = (departures.cold, departures.misses, departures.frees);
            Some(format!(
                "opcodes that left the fast path: {} (out of line {}, guard missed {}, freed {})\n",
                percent(departures.share(entry.opcodes)),
                of(cold),
                of(misses),
                of(frees)
            ))
        });
        let level = level.map_or(0.0, |level| (level * 1000.0).floor() / 10.0);
        format!(
            "{}: {rounds} interleaved rounds after {warmup} for warm-up; intervals of the median at {level}%; x: times as \
             fast, from the ratios within each round\n{}{}",
            self.program,
            left.unwrap_or_default(),
            self.machine
        )
    }

    /// The raw figures together with what follows from them.
    pub fn to_json(&self) -> serde_json::Result<String> {
        #[derive(Serialize)]
        struct Whole<'a> {
            #[serde(flatten)]
            race: &'a Race,
            summary: Vec<Summary>,
        }
        serde_json::to_string_pretty(&Whole {
            race: self,
            summary: self.summaries(),
        })
    }

    /// Reads what [`Race::to_json`] wrote; what follows from the raw figures is computed anew.
    pub fn from_json(text: &str) -> serde_json::Result<Race> {
        serde_json::from_str(text)
    }
}

/// The speeds of several races against the same baseline with their intervals, one row a program, with the geometric
/// mean below them. Forms
/// that not every race has are left out; None without races, or with different baselines.
pub fn geomean_table(races: &[Race]) -> Option<Table> {
    let first = races.first()?;
    if races.iter().any(|race| race.baseline != first.baseline) {
        return None;
    }
    let in_all = |form: &&str| races.iter().all(|race| race.entry(form).is_some());
    let forms: Vec<&str> = first
        .entries
        .iter()
        .map(|entry| entry.form.as_str())
        .filter(in_all)
        .collect();
    let mut table = Table::new(&[&["program"], forms.as_slice()].concat());
    let mut speeds: Vec<Vec<f64>> = vec![Vec::new(); forms.len()];
    for race in races {
        let summaries = race.summaries();
        let mut row = vec![race.program.clone()];
        for (form, speeds) in forms.iter().zip(&mut speeds) {
            let speed = summaries
                .iter()
                .find(|summary| summary.form == *form)
                .and_then(|summary| summary.speed);
            speeds.push(speed.map_or(1.0, |speed| speed.median));
            row.push(speed.map_or_else(
                || ratio(&1.0),
                |speed| format!("{:.2} ({:.2}..{:.2})", speed.median, speed.low, speed.high),
            ));
        }
        table.row(row);
    }
    let means = speeds
        .iter()
        .filter_map(|speeds| geometric_mean(speeds))
        .map(|mean| ratio(&mean));
    table.row(
        ["geometric mean".to_owned()]
            .into_iter()
            .chain(means)
            .collect::<Vec<_>>(),
    );
    Some(table)
}

/// A count, or nothing where it is not known.
fn known(count: u64) -> String {
    if count == 0 {
        String::new()
    } else {
        count.to_string()
    }
}

fn ratio(speed: &f64) -> String {
    format!("{speed:.2}")
}

/// A time in the unit that suits it, to four digits.
fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s if s >= 1e-6 => (s * 1e6, "us"),
        s => (s * 1e9, "ns"),
    };
    let decimals = match value {
        v if v >= 999.95 => 0,
        v if v >= 99.995 => 1,
        v if v >= 9.9995 => 2,
        _ => 3,
    };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::introspect::race::Machine;

    fn entry(form: &str, seconds: &[f64]) -> Entry {
        Entry {
            opcodes: 1_000_000,
            warmup_seconds: vec![1.0],
            seconds: seconds.to_vec(),
            ..Entry::new(form)
        }
    }

    fn race(program: &str, tail: f64) -> Race {
        let machine = Machine {
            processor: "P".into(),
            cores: 2,
            ..Machine::default()
        };
        let entries = vec![entry("match", &[0.004; 6]), entry("tail", &[tail; 6])];
        Race {
            program: program.into(),
            machine,
            baseline: "match".into(),
            entries,
        }
    }

    #[test]
    fn the_table_compares_with_the_baseline() {
        let mut race = race("fib", 0.002);
        race.entries[0].indirect_jumps = Some(1);
        let table = race.table().to_string();
        let cells = |line: usize| -> Vec<&str> {
            table
                .lines()
                .nth(line)
                .expect("a line")
                .split("  ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .collect()
        };
        assert_eq!(
            cells(1),
            [
                "match",
                "4.000 ms",
                "4.000 ms .. 4.000 ms",
                "1",
                "1000000",
                "4.00",
                "1"
            ]
        );
        assert_eq!(
            cells(2),
            [
                "tail",
                "2.000 ms",
                "2.000 ms .. 2.000 ms",
                "2.00x",
                "2.00 .. 2.00",
                "1000000",
                "2.00"
            ]
        );
        assert!(race.notes().starts_with(
            "fib: 6 interleaved rounds after 1 for warm-up; intervals of the median at 96.8%"
        ));
    }

    #[test]
    fn json_gives_the_race_back() {
        let race = race("fib", 0.002);
        let text = race.to_json().expect("JSON");
        assert_eq!(Race::from_json(&text).expect("the same JSON"), race);
        assert!(
            text.contains("\"summary\"") && text.contains("\"ns_per_opcode\": 2.0"),
            "{text}"
        );
    }

    #[test]
    fn the_geometric_mean_is_over_all_programs() {
        let table = geomean_table(&[race("fib", 0.002), race("nbody", 0.0005)])
            .expect("races")
            .to_string();
        assert_eq!(
            table
                .lines()
                .last()
                .expect("a line")
                .split_whitespace()
                .last(),
            Some("4.00")
        );
        assert!(geomean_table(&[]).is_none());
    }

    #[test]
    fn durations_have_four_digits() {
        let cases = [
            (1.25, "1.250 s"),
            (0.0125, "12.50 ms"),
            (0.9, "900.0 ms"),
            (4e-6, "4.000 us"),
            (5e-9, "5.000 ns"),
        ];
        for (seconds, text) in cases {
            assert_eq!(duration(seconds), text);
        }
    }
}
