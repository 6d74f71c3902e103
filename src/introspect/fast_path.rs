//! How many of the executed opcodes leave their fast path.
//!
//! Work hidden behind a jump out of line would make handlers look lean in a disassembly and the program no faster, so
//! what takes such jumps is counted as the program runs.

use super::table::Table;
use crate::bytecode::Opcode;
use crate::runtime::counts::{Counts, Departure};
use serde::{Deserialize, Serialize};

/// Of one run of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Departures {
    /// To a continuation out of line.
    pub cold: u64,
    /// Failed guards: the head of the family did the work.
    pub misses: u64,
    /// Objects freed.
    pub frees: u64,
}

impl Departures {
    pub fn of(counts: &Counts) -> Departures {
        Departures {
            cold: counts.departed(Departure::Cold),
            misses: counts.departed(Departure::Miss),
            frees: counts.departed(Departure::Free),
        }
    }

    /// Of `opcodes` executed; none executed, none left.
    pub fn share(self, opcodes: u64) -> f64 {
        (self.cold + self.misses + self.frees) as f64 / opcodes.max(1) as f64
    }
}

/// What one program executed.
#[derive(Clone, Debug, Serialize)]
pub struct FastPath {
    pub program: String,
    pub opcodes: u64,
    pub departures: Departures,
    /// Opcodes by departures, most first, each with its executions and its own departures; at most three.
    pub foremost: Vec<(String, u64, u64)>,
}

impl FastPath {
    pub fn of(program: String, counts: &Counts) -> FastPath {
        let mut foremost: Vec<(String, u64, u64)> = (0u8..=255)
            .map(|number| {
                let departures: u64 = counts.departures[usize::from(number)].iter().sum();
                let name = Opcode(u16::from(number)).name();
                (
                    name.into(),
                    counts.executed[usize::from(number)],
                    departures,
                )
            })
            .filter(|(_, _, departures)| *departures > 0)
            .collect();
        foremost.sort_by_key(|(_, _, departures)| std::cmp::Reverse(*departures));
        foremost.truncate(3);
        FastPath {
            program,
            opcodes: counts.total(),
            departures: Departures::of(counts),
            foremost,
        }
    }

    pub fn share(&self) -> f64 {
        self.departures.share(self.opcodes)
    }
}

/// One row a program.
pub fn table(programs: &[FastPath]) -> Table {
    let mut table = Table::new(&[
        "program",
        "opcodes",
        "cold",
        "guard missed",
        "freed",
        "left fast path",
        "most by",
    ]);
    for program in programs {
        let Departures {
            cold,
            misses,
            frees,
        } = program.departures;
        let foremost = program.foremost.iter().map(|(name, executed, left)| {
            format!(
                "{name} {}",
                percent(*left as f64 / (*executed).max(1) as f64)
            )
        });
        table.row([
            program.program.clone(),
            program.opcodes.to_string(),
            cold.to_string(),
            misses.to_string(),
            frees.to_string(),
            percent(program.share()),
            foremost.collect::<Vec<_>>().join(", "),
        ]);
    }
    table
}

pub fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_opcodes_executed() {
        let mut counts = Counts {
            executed: [0; 256],
            departures: [[0; 3]; 256],
        };
        let add = usize::from(Opcode::BINARY_OP_ADD_INT.0);
        (counts.executed[add], counts.departures[add]) = (200, [3, 1, 0]);
        let program = FastPath::of("x".into(), &counts);
        assert_eq!(program.foremost, [("BINARY_OP_ADD_INT".into(), 200, 4)]);
        assert_eq!(percent(program.share()), "2.00%");
    }

    #[test]
    fn nothing_executed_leaves_nothing() {
        assert_eq!(Departures::default().share(0), 0.0);
    }
}
