//! Rules on the ops of an instruction in their order.

use super::analyze::{Analysis, Instruction, Step};
use super::diag::{Diag, Pos};
use super::rules::Rule;
use std::collections::HashMap;

pub fn check(analysis: &Analysis, diags: &mut Vec<Diag>) {
    for inst in &analysis.instructions {
        let mut order = Order {
            analysis,
            inst,
            diags,
            effect: None,
            colds: HashMap::new(),
        };
        for (at, step) in inst.steps.iter().enumerate() {
            if let Step::Op(op) = step {
                order.op(at, *op);
            }
        }
    }
}

struct Order<'a> {
    analysis: &'a Analysis,
    inst: &'a Instruction,
    diags: &'a mut Vec<Diag>,
    /// The last op that had an effect.
    effect: Option<&'a str>,
    /// Continuations by the step that they belong to.
    colds: HashMap<usize, usize>,
}

impl Order<'_> {
    fn reject(&mut self, pos: &Pos, rule: Rule, message: String) {
        self.diags.push(Diag::new(pos, rule, message));
    }

    fn op(&mut self, at: usize, index: usize) {
        let analysis = self.analysis;
        let (op, facts, name) = (
            &analysis.ops[index],
            &analysis.facts[index],
            &self.inst.name,
        );
        let mut before = self.inst.steps[..at].iter();
        if op.specializing && before.any(|step| matches!(step, Step::Op(_))) {
            let message = format!(
                "`{}` specialises, so it must be the first op of `{name}`",
                op.name
            );
            self.reject(&op.pos, Rule::SpecializingFirst, message);
        }
        if op.specializing && !self.inst.is_head() {
            let message = format!("`{}` specialises, but `{name}` heads no family", op.name);
            self.reject(&op.pos, Rule::SpecializingHead, message);
        }
        self.guards(index);
        self.continuations(at, index);
        if facts.has_effect {
            self.effect = Some(&op.name);
        }
        let mut rest = self.inst.steps[at + 1..].iter();
        if rest.any(|step| matches!(step, Step::Op(_)))
            && let Some(pos) = self.last(index)
        {
            let message = format!("`{}` must be the last op of `{name}`", op.name);
            self.reject(&pos, Rule::LastOp, message);
        }
    }

    /// Where an op branches, skips or leaves for good. Its continuations may leave: they only do so when it goes wrong.
    fn last(&self, index: usize) -> Option<Pos> {
        let colds = self.analysis.with_colds(index);
        let skips = colds.iter().map(|&part| &self.analysis.facts[part]);
        let skips = skips.filter(|facts| facts.skips_next);
        let own = self.analysis.facts[index].last.as_ref();
        own.or_else(|| skips.into_iter().next()?.last.as_ref())
            .cloned()
    }

    /// A failed guard starts the family head: nothing may have happened by then.
    fn guards(&mut self, index: usize) {
        let (analysis, name) = (self.analysis, &self.inst.name);
        for part in analysis.with_colds(index) {
            let (op, facts) = (&analysis.ops[part], &analysis.facts[part]);
            let Some(pos) = &facts.first_guard else {
                continue;
            };
            if !self.inst.is_specialized() {
                let message = format!(
                    "`{}` has a guard, but `{name}` is no specialised form of a family",
                    op.name
                );
                self.reject(&op.pos, Rule::GuardFamily, message);
            }
            if let Some(earlier) = self.effect {
                let message = format!(
                    "guard of `{}` after an effect of `{earlier}` in `{name}`",
                    op.name
                );
                self.reject(pos, Rule::GuardAfterOp, message);
            }
        }
        for part in analysis.with_colds(index) {
            for cold in analysis.facts[part].colds.iter().filter(|c| c.after_effect) {
                let reached = analysis.op(&cold.name).map(|op| analysis.with_colds(op));
                let guarded = |&op: &usize| analysis.facts[op].guards();
                if reached.iter().flatten().any(guarded) {
                    let message = format!(
                        "`{}` is reached after an effect of `{}`, and has a guard",
                        cold.name, analysis.ops[part].name
                    );
                    self.reject(&cold.pos, Rule::GuardInCold, message);
                }
            }
        }
    }

    /// A continuation goes on behind its op; of two ops it could not tell which.
    fn continuations(&mut self, at: usize, index: usize) {
        for cold in self.analysis.with_colds(index).into_iter().skip(1) {
            if self.colds.insert(cold, at).is_some_and(|other| other != at) {
                let op = &self.analysis.ops[cold];
                let message = format!(
                    "`{}` is a continuation of two ops of `{}`",
                    op.name, self.inst.name
                );
                self.reject(&op.pos, Rule::ColdTwice, message);
            }
        }
    }
}
