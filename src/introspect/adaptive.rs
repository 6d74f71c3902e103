//! What a run's specialisation came to, arranged as CPython's pystats summary arranges it.

use super::fast_path::percent;
use super::table::Table;
use crate::bytecode::Opcode;
use crate::runtime::stats::{FamilyCounts, Statistics};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Measured times, in nanoseconds: what one execution of an opcode takes, and what a miss of a family takes, the head's
/// work included.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Times {
    #[serde(default)]
    pub opcodes: BTreeMap<String, f64>,
    #[serde(default)]
    pub misses: BTreeMap<String, f64>,
}

/// One family in one run.
pub struct FamilyRow {
    pub head: Opcode,
    pub hits: u64,
    pub misses: u64,
    pub counts: FamilyCounts,
}

/// How many instructions the specialiser has to do with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Effectiveness {
    /// Of no family.
    pub basic: u64,
    /// Heads of families.
    pub not_specialized: u64,
    pub specialized_hits: u64,
    pub specialized_misses: u64,
}

pub struct Summary {
    statistics: Statistics,
    times: Option<Times>,
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Empty where there is nothing to divide by.
fn share(part: u64, whole: u64) -> String {
    ratio(part, whole).map_or_else(String::new, percent)
}

impl FamilyRow {
    /// What pystats takes shares of.
    pub fn total(&self) -> u64 {
        self.hits + self.misses + self.counts.deferred
    }
    pub fn hit_ratio(&self) -> Option<f64> {
        ratio(self.hits, self.total())
    }
    /// Of the executions of specialised forms.
    pub fn miss_ratio(&self) -> Option<f64> {
        ratio(self.misses, self.hits + self.misses)
    }
}

impl Summary {
    pub fn new(statistics: Statistics, times: Option<Times>) -> Summary {
        Summary { statistics, times }
    }

    fn executed(&self, opcode: Opcode) -> u64 {
        self.statistics.executed[usize::from(opcode.0)]
    }
    fn missed(&self, opcode: Opcode) -> u64 {
        self.statistics.missed[usize::from(opcode.0)]
    }

    /// Opcodes that were executed, most first.
    fn opcodes(&self) -> Vec<Opcode> {
        let mut opcodes: Vec<Opcode> = Opcode::all()
            .filter(|opcode| !opcode.is_pseudo() && self.executed(*opcode) > 0)
            .collect();
        opcodes.sort_by_key(|opcode| (std::cmp::Reverse(self.executed(*opcode)), opcode.name()));
        opcodes
    }

    pub fn families(&self) -> Vec<FamilyRow> {
        let heads = Opcode::families().iter().map(|family| family.head);
        let mut rows: Vec<FamilyRow> = heads
            .map(|head| FamilyRow {
                head,
                hits: self.statistics.hits(head),
                misses: self.statistics.misses(head),
                counts: self.statistics.family(head),
            })
            .collect();
        rows.sort_by_key(|row| row.head.name());
        rows
    }

    pub fn effectiveness(&self) -> Effectiveness {
        let mut sum = Effectiveness {
            basic: 0,
            not_specialized: 0,
            specialized_hits: 0,
            specialized_misses: 0,
        };
        for opcode in self.opcodes() {
            let executed = self.executed(opcode);
            let head = opcode.deopt();
            if head.forms().is_empty() {
                sum.basic += executed;
            } else if head == opcode {
                sum.not_specialized += executed;
            } else {
                sum.specialized_hits += executed - self.missed(opcode);
                sum.specialized_misses += self.missed(opcode);
            }
        }
        sum
    }

    /// `Tadaptive`, the mean time of an execution of the family's forms with their misses, and how many times as long
    /// the head takes. None unless everything that was executed was measured.
    pub fn adaptive_time(&self, head: Opcode) -> Option<(f64, Option<f64>)> {
        let times = self.times.as_ref()?;
        let (mut sum, mut count) = (0.0, 0);
        for form in head.forms() {
            let hits = self.executed(*form) - self.missed(*form);
            if hits > 0 {
                sum += times.opcodes.get(form.name())? * hits as f64;
                count += hits;
            }
        }
        let misses = self.statistics.misses(head);
        if misses > 0 {
            sum += times.misses.get(head.name())? * misses as f64;
        }
        let mean = sum / (ratio(count + misses, 1).filter(|all| *all > 0.0)?);
        let base = times.opcodes.get(head.name());
        Some((mean, base.map(|base| base / mean)))
    }

    /// All of it, with at most `top` opcodes and pairs.
    pub fn text(&self, top: usize) -> String {
        let mut out = String::new();
        let mut section = |title: &str, table: Table| {
            let gap = if out.is_empty() { "" } else { "\n" };
            _ = write!(out, "{gap}{title}\n\n{table}");
        };
        section("Execution counts", self.execution_table(top));
        section("Pair counts", self.pair_table(top));
        section("Specialization by family", self.family_table());
        section("Failures by reason", self.refusal_table());
        section("Specialization effectiveness", self.effectiveness_table());
        if self.times.is_some() {
            section("Tadaptive from measured times", self.time_table());
        }
        out
    }

    fn execution_table(&self, top: usize) -> Table {
        let total: u64 = self.statistics.executed.iter().sum();
        let mut table = Table::new(&["opcode", "count", "self", "cumulative", "miss ratio"]);
        let mut sum = 0;
        for opcode in self.opcodes().into_iter().take(top) {
            let count = self.executed(opcode);
            sum += count;
            let missed = match opcode.deopt() == opcode {
                true => String::new(),
                false => share(self.missed(opcode), count),
            };
            table.row([
                opcode.name().into(),
                count.to_string(),
                share(count, total),
                share(sum, total),
                missed,
            ]);
        }
        table
    }

    fn sorted_pairs(&self) -> Vec<(Opcode, Opcode, u64)> {
        let opcode = |number: u8| Opcode(u16::from(number));
        let pairs = self.statistics.pairs.iter();
        let mut pairs: Vec<_> = pairs
            .map(|(&(first, second), &count)| (opcode(first), opcode(second), count))
            .collect();
        pairs.sort_by_key(|&(first, second, count)| {
            (std::cmp::Reverse(count), first.name(), second.name())
        });
        pairs
    }

    fn pair_table(&self, top: usize) -> Table {
        let total: u64 = self.statistics.executed.iter().sum();
        let mut table = Table::new(&["pair", "count", "self", "cumulative"]);
        let mut sum = 0;
        for (first, second, count) in self.sorted_pairs().into_iter().take(top) {
            sum += count;
            table.row([
                format!("{} {}", first.name(), second.name()),
                count.to_string(),
                share(count, total),
                share(sum, total),
            ]);
        }
        table
    }

    fn family_table(&self) -> Table {
        let mut table = Table::new(&[
            "family",
            "deferred",
            "hit",
            "miss",
            "deopt",
            "success",
            "failure",
            "hit ratio",
            "miss ratio",
        ]);
        for row in self.families() {
            let ratio = |ratio: Option<f64>| ratio.map_or_else(String::new, percent);
            table.row([
                row.head.name().into(),
                row.counts.deferred.to_string(),
                row.hits.to_string(),
                row.misses.to_string(),
                row.counts.deopt.to_string(),
                row.counts.success.to_string(),
                row.counts.failure.to_string(),
                ratio(row.hit_ratio()),
                ratio(row.miss_ratio()),
            ]);
        }
        table
    }

    fn refusal_table(&self) -> Table {
        let mut table = Table::new(&["family", "count", "ratio", "reason"]);
        for row in self.families() {
            let mut refusals: Vec<_> = row.counts.refusals.iter().collect();
            refusals.sort_by_key(|(refusal, count)| (std::cmp::Reverse(**count), refusal.name()));
            for (refusal, count) in refusals {
                table.row([
                    row.head.name().into(),
                    count.to_string(),
                    share(*count, row.counts.failure),
                    refusal.words(),
                ]);
            }
        }
        table
    }

    fn effectiveness_table(&self) -> Table {
        let sum = self.effectiveness();
        let rows = [
            ("basic", sum.basic),
            ("not specialized", sum.not_specialized),
            ("specialized hits", sum.specialized_hits),
            ("specialized misses", sum.specialized_misses),
        ];
        let total = rows.iter().map(|(_, count)| count).sum();
        let mut table = Table::new(&["instructions", "count", "ratio"]);
        for (name, count) in rows {
            table.row([name.into(), count.to_string(), share(count, total)]);
        }
        table
    }

    fn time_table(&self) -> Table {
        let mut table = Table::new(&["family", "Tadaptive ns", "Tbase/Tadaptive"]);
        for row in self.families() {
            if let Some((mean, gain)) = self.adaptive_time(row.head) {
                let gain = gain.map_or_else(String::new, |gain| format!("{gain:.2}"));
                table.row([row.head.name().into(), format!("{mean:.2}"), gain]);
            }
        }
        table
    }

    pub fn json(&self) -> Value {
        let executions: Map<String, Value> = self
            .opcodes()
            .into_iter()
            .map(|opcode| {
                let mut entry = json!({ "count": self.executed(opcode) });
                if opcode.deopt() != opcode {
                    entry["misses"] = self.missed(opcode).into();
                }
                (opcode.name().to_owned(), entry)
            })
            .collect();
        let pairs: Vec<Value> = self
            .sorted_pairs()
            .into_iter()
            .map(|(first, second, count)| json!([first.name(), second.name(), count]))
            .collect();
        let families: Map<String, Value> = self
            .families()
            .into_iter()
            .map(|row| {
                let refusals = row.counts.refusals.iter();
                let failures: Map<String, Value> = refusals
                    .map(|(refusal, count)| (refusal.name().to_owned(), (*count).into()))
                    .collect();
                let mut entry = json!({
                    "deferred": row.counts.deferred,
                    "hit": row.hits,
                    "miss": row.misses,
                    "deopt": row.counts.deopt,
                    "success": row.counts.success,
                    "failure": row.counts.failure,
                    "failures": failures,
                    "hit_ratio": row.hit_ratio(),
                    "miss_ratio": row.miss_ratio(),
                });
                if let Some((mean, gain)) = self.adaptive_time(row.head) {
                    entry["adaptive_ns"] = mean.into();
                    entry["base_over_adaptive"] = gain.into();
                }
                (row.head.name().to_owned(), entry)
            })
            .collect();
        json!({
            "executions": executions,
            "pairs": pairs,
            "families": families,
            "effectiveness": self.effectiveness(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::specialize::Refusal;

    fn summary(times: Option<Times>) -> Summary {
        let mut statistics = Statistics {
            executed: [0; 256],
            missed: [0; 256],
            pairs: BTreeMap::new(),
            families: BTreeMap::new(),
        };
        let at = |opcode: Opcode| usize::from(opcode.0);
        statistics.executed[at(Opcode::COMPARE_OP)] = 4;
        statistics.executed[at(Opcode::COMPARE_OP_INT)] = 90;
        statistics.missed[at(Opcode::COMPARE_OP_INT)] = 10;
        statistics.executed[at(Opcode::POP_TOP)] = 6;
        let head = Opcode::COMPARE_OP.0 as u8;
        statistics.pairs.insert((head, head), 3);
        let counts = FamilyCounts {
            success: 1,
            failure: 2,
            deferred: 10,
            deopt: 1,
            refusals: BTreeMap::from([(Refusal::CompareBigInt, 2)]),
        };
        statistics.families.insert(head, counts);
        Summary::new(statistics, times)
    }

    #[test]
    fn shares_are_pystats() {
        let summary = summary(None);
        let families = summary.families();
        let row = families.iter().find(|row| row.head == Opcode::COMPARE_OP);
        let row = row.expect("a family");
        assert_eq!((row.hits, row.misses, row.total()), (80, 10, 100));
        assert_eq!(row.hit_ratio(), Some(0.8));
        assert_eq!(row.miss_ratio(), Some(10.0 / 90.0));
        let expected = Effectiveness {
            basic: 6,
            not_specialized: 4,
            specialized_hits: 80,
            specialized_misses: 10,
        };
        assert_eq!(summary.effectiveness(), expected);
        let text = summary.text(1);
        assert!(text.contains("COMPARE_OP_INT     90  90.00%      90.00%      11.11%"));
        assert!(text.contains("COMPARE_OP      2  100.00%  big int"));
    }

    #[test]
    fn the_adaptive_time_needs_every_time() {
        assert_eq!(summary(None).adaptive_time(Opcode::COMPARE_OP), None);
        let mut times = Times::default();
        times.opcodes.insert("COMPARE_OP_INT".into(), 1.0);
        assert_eq!(
            summary(Some(times.clone())).adaptive_time(Opcode::COMPARE_OP),
            None
        );
        times.misses.insert("COMPARE_OP".into(), 19.0);
        times.opcodes.insert("COMPARE_OP".into(), 6.0);
        assert_eq!(
            summary(Some(times)).adaptive_time(Opcode::COMPARE_OP),
            Some((3.0, Some(2.0)))
        );
    }
}
