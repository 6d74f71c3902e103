//! Branch predictors, fed with the branches that the forms really execute.
//!
//! valgrind's `lackey` names every block that the unmodified binary enters; the disassembly says which branch ended the
//! one before. That sequence goes through models of predictors, from the last-target buffers of the papers to ITTAGE.
//! One of the models is callgrind's own, and must count what callgrind counts for the same run, but for what the C library
//! does with the text of `/proc/self/maps`: valgrind's own mappings stand there, and every tool of valgrind has others.

mod btb;
mod history;
mod image;
mod ittage;
mod target_cache;
pub mod trace;
pub mod valgrind;

pub use btb::{LastTarget, Tagged, TwoBit};
pub use ittage::{Geometry, Ittage};
pub use target_cache::TargetCache;

use super::table::Table;
use serde::{Deserialize, Serialize};

/// A branch as it was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    pub kind: Kind,
    pub pc: u64,
    /// Where control went.
    pub target: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Conditional { taken: bool },
    Jump,
    IndirectJump,
    Call,
    IndirectCall,
    Return,
}

impl Kind {
    /// What the models predict: a jump or a call to a computed address. Returns have a stack of their own.
    pub fn is_indirect(self) -> bool {
        matches!(self, Kind::IndirectJump | Kind::IndirectCall)
    }
}

/// A predictor of indirect branches.
pub trait Predictor {
    fn name(&self) -> &'static str;
    /// Learns a branch. For an indirect one the answer is whether its target was predicted.
    fn see(&mut self, branch: &Branch) -> bool;
}

/// Every model, in the order of the table. Instructions of AArch64 lie four bytes apart.
pub fn models(instruction_shift: u32) -> Vec<Box<dyn Predictor>> {
    vec![
        Box::new(LastTarget::callgrind(instruction_shift)),
        Box::new(Tagged::new(instruction_shift)),
        Box::new(TwoBit::new(instruction_shift)),
        Box::new(TargetCache::new(instruction_shift)),
        Box::new(Ittage::new(&Geometry::SMALL)),
        Box::new(Ittage::new(&Geometry::SEZNEC_64KB)),
    ]
}

/// How one model did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    pub model: String,
    /// Mispredicted indirect branches of the whole run, the C library's included.
    pub mispredicted: u64,
    /// Those at dispatch sites.
    pub dispatches_mispredicted: u64,
}

/// What one form executed, and how every model did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormPrediction {
    pub form: String,
    /// Executed by the program, as the counting loop counts them.
    pub opcodes: u64,
    pub instructions: u64,
    pub conditional: u64,
    /// Jumps and calls to computed addresses, all of them.
    pub indirect: u64,
    /// Executions of the form's dispatch jumps.
    pub dispatches: u64,
    /// Different jumps among them.
    pub sites: usize,
    pub scores: Vec<Score>,
    /// What of this the reading of `/proc/self/maps` is, under the model of callgrind.
    #[serde(default)]
    pub in_reader: Indirect,
    /// What callgrind counted in a run of its own, where it was asked.
    #[serde(default)]
    pub callgrind: Option<Callgrind>,
}

/// Callgrind's totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Callgrind {
    pub instructions: u64,
    pub conditional: u64,
    pub conditional_mispredicted: u64,
    pub indirect: u64,
    pub indirect_mispredicted: u64,
    #[serde(default)]
    pub in_reader: Indirect,
}

/// Indirect branches of a part of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Indirect {
    pub executed: u64,
    pub mispredicted: u64,
}

/// A program under several forms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prediction {
    pub program: String,
    pub machine: super::race::Machine,
    pub forms: Vec<FormPrediction>,
}

impl FormPrediction {
    pub fn score(&self, model: &str) -> Option<&Score> {
        self.scores.iter().find(|score| score.model == model)
    }

    /// Whether the model of callgrind counts what callgrind counted, the reading of the mappings aside; None where it was
    /// not asked. One branch in ten thousand may differ: valgrind takes a jump to a constant that the same block has
    /// loaded for a direct one, which the disassembly does not tell from others.
    pub fn agrees(&self) -> Option<bool> {
        let (counted, own) = (self.callgrind?.outside(), self.outside()?);
        let close = |a: u64, b: u64| a.abs_diff(b) <= a / 10_000;
        Some(
            close(counted.executed, own.executed)
                && counted.mispredicted.abs_diff(own.mispredicted) <= counted.executed / 10_000,
        )
    }

    /// Indirect branches outside the reading of the mappings, under the model of callgrind.
    pub fn outside(&self) -> Option<Indirect> {
        let whole = Indirect {
            executed: self.indirect,
            mispredicted: self.score(LastTarget::CALLGRIND)?.mispredicted,
        };
        Some(whole.without(self.in_reader))
    }
}

impl Callgrind {
    /// Indirect branches outside the reading of the mappings.
    pub fn outside(&self) -> Indirect {
        let whole = Indirect {
            executed: self.indirect,
            mispredicted: self.indirect_mispredicted,
        };
        whole.without(self.in_reader)
    }
}

impl Indirect {
    fn without(self, part: Indirect) -> Indirect {
        Indirect {
            executed: self.executed.saturating_sub(part.executed),
            mispredicted: self.mispredicted.saturating_sub(part.mispredicted),
        }
    }
}

/// `part` in a thousand of `whole`.
pub fn per_thousand(part: u64, whole: u64) -> f64 {
    part as f64 * 1000.0 / whole.max(1) as f64
}

impl Prediction {
    /// Mispredicts at dispatch sites for every 1,000 dispatches, and of all indirect branches for every 1,000
    /// instructions.
    pub fn table(&self) -> Table {
        let mut head = vec!["form".to_owned(), "opcodes".into(), "dispatches".into()];
        head.extend(["sites".into(), "instructions".into(), "per 1,000".into()]);
        let models: Vec<String> = self.forms.first().map_or_else(Vec::new, |form| {
            form.scores
                .iter()
                .map(|score| score.model.clone())
                .collect()
        });
        head.extend(models);
        let mut table = Table::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
        for form in &self.forms {
            let mut row = vec![
                form.form.clone(),
                form.opcodes.to_string(),
                form.dispatches.to_string(),
                form.sites.to_string(),
                form.instructions.to_string(),
                "dispatches".into(),
            ];
            row.extend(form.scores.iter().map(|score| {
                let share = per_thousand(score.dispatches_mispredicted, form.dispatches);
                format!("{share:.1}")
            }));
            table.row(row);
            let mut row = vec![String::new(); 5];
            row.push("instructions".into());
            row.extend(form.scores.iter().map(|score| {
                let share = per_thousand(score.mispredicted, form.instructions);
                format!("{share:.2}")
            }));
            table.row(row);
        }
        table
    }

    /// What callgrind counted beside what its model counts, whole and without the reading of the mappings.
    pub fn validation(&self) -> Option<Table> {
        let mut table = Table::new(&[
            "form",
            "counted by",
            "Ir",
            "Bi",
            "Bim",
            "Bi without maps",
            "Bim without maps",
            "equal",
        ]);
        let mut any = false;
        for form in &self.forms {
            let Some(counted) = form.callgrind else {
                continue;
            };
            any = true;
            table.row([
                form.form.clone(),
                "callgrind".into(),
                counted.instructions.to_string(),
                counted.indirect.to_string(),
                counted.indirect_mispredicted.to_string(),
                counted.outside().executed.to_string(),
                counted.outside().mispredicted.to_string(),
                String::new(),
            ]);
            let outside = form.outside().unwrap_or_default();
            let missed = form
                .score(LastTarget::CALLGRIND)
                .map_or(0, |s| s.mispredicted);
            let equal = match form.agrees() {
                Some(true) if counted.outside() == outside => "yes",
                Some(true) => "but for 1 in 10,000",
                _ => "no",
            };
            table.row([
                String::new(),
                "the model".into(),
                form.instructions.to_string(),
                form.indirect.to_string(),
                missed.to_string(),
                outside.executed.to_string(),
                outside.mispredicted.to_string(),
                equal.into(),
            ]);
        }
        any.then_some(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{Rng, RngExt, SeedableRng};

    fn jump(pc: u64, target: u64) -> Branch {
        Branch {
            kind: Kind::IndirectJump,
            pc,
            target,
        }
    }

    /// Mispredicts of the second half of a sequence of opcodes that repeats, by one shared jump or one for each opcode.
    fn misses(model: &mut dyn Predictor, opcodes: &[u64], rounds: usize, replicated: bool) -> f64 {
        let mut missed = 0;
        let mut counted = 0;
        let mut pc = 0x1000;
        for round in 0..rounds {
            for &opcode in opcodes {
                let target = 0x40_0000 + opcode * 0x70;
                let hit = model.see(&jump(pc, target));
                if round >= rounds / 2 {
                    counted += 1;
                    missed += usize::from(!hit);
                }
                if replicated {
                    pc = target + 0x2b;
                }
            }
        }
        missed as f64 / counted as f64
    }

    /// Most opcodes are followed by the one that usually follows them, as in bytecode.
    fn program(length: usize, opcodes: u64) -> Vec<u64> {
        let mut rng = StdRng::seed_from_u64(7);
        let mut opcode = 0;
        let mut next = || {
            opcode = if rng.random_range(0..10) < 7 {
                (opcode * 5 + 1) % opcodes
            } else {
                rng.random_range(0..opcodes)
            };
            opcode
        };
        (0..length).map(|_| next()).collect()
    }

    /// The order that the papers report: a last target is nearly always wrong at a shared jump and wrong half of the
    /// time at replicated ones; a history of targets repairs that.
    #[test]
    fn the_models_stand_in_the_order_of_the_papers() {
        let program = program(60, 12);
        let shared = misses(&mut LastTarget::callgrind(0), &program, 40, false);
        let replicated = misses(&mut LastTarget::callgrind(0), &program, 40, true);
        let two_level = misses(&mut TargetCache::new(0), &program, 40, false);
        let small = misses(&mut Ittage::new(&Geometry::SMALL), &program, 40, false);
        let large = misses(
            &mut Ittage::new(&Geometry::SEZNEC_64KB),
            &program,
            40,
            false,
        );
        assert!(shared > 0.8, "{shared}");
        assert!((0.3..0.7).contains(&replicated), "{replicated} {shared}");
        assert!(two_level < replicated / 1.5, "{two_level} {replicated}");
        assert!(small < 0.05, "{small}");
        assert!(large < 0.02, "{large}");
    }

    #[test]
    fn long_histories_need_the_large_geometry() {
        // One opcode forty times, then one that only the distance from the last other one foretells.
        let mut program = vec![1; 40];
        program.push(2);
        let large = misses(
            &mut Ittage::new(&Geometry::SEZNEC_64KB),
            &program,
            400,
            false,
        );
        let two_level = misses(&mut TargetCache::new(0), &program, 400, false);
        assert!(large < 0.01, "{large}");
        assert!(two_level >= 1.0 / 41.0, "{two_level}");
    }

    #[test]
    fn nothing_predicts_what_is_random() {
        let mut rng = StdRng::seed_from_u64(3);
        for mut model in models(0) {
            let mut missed = 0;
            for _ in 0..20_000 {
                let target = 0x40_0000 + u64::from(rng.next_u32() % 16) * 0x40;
                missed += u32::from(!model.see(&jump(0x1000, target)));
            }
            let share = f64::from(missed) / 20_000.0;
            assert!((0.88..1.0).contains(&share), "{}: {share}", model.name());
        }
    }

    #[test]
    fn the_table_has_two_rows_a_form() {
        let form = FormPrediction {
            form: "tail".into(),
            opcodes: 1000,
            instructions: 10_000,
            conditional: 0,
            indirect: 1100,
            dispatches: 1000,
            sites: 3,
            scores: vec![Score {
                model: LastTarget::CALLGRIND.into(),
                mispredicted: 520,
                dispatches_mispredicted: 500,
            }],
            in_reader: Indirect {
                executed: 70,
                mispredicted: 3,
            },
            callgrind: Some(Callgrind {
                instructions: 10_000,
                conditional: 0,
                conditional_mispredicted: 0,
                indirect: 1093,
                indirect_mispredicted: 519,
                in_reader: Indirect {
                    executed: 63,
                    mispredicted: 2,
                },
            }),
        };
        assert_eq!(form.agrees(), Some(true));
        let prediction = Prediction {
            program: "x".into(),
            machine: Default::default(),
            forms: vec![form],
        };
        let table = prediction.table().to_string();
        assert!(
            table.contains("500.0") && table.contains("52.00"),
            "{table}"
        );
        let validation = prediction.validation().expect("a table").to_string();
        assert!(validation.contains("yes"), "{validation}");
    }
}
