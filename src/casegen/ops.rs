//! Rules on one definition at a time: what becomes of its inputs and outputs, and what its kind promises.

use super::diag::{Diag, Pos};
use super::effect::Shape;
use super::helpers::Helpers;
use super::macros;
use super::parse::{Kind, OpDef};
use super::rules::Rule;
use super::scan::BodyFacts;
use std::collections::HashMap;
use syn::spanned::Spanned;

pub fn check(
    ops: &[OpDef],
    facts: &[BodyFacts],
    by_name: &HashMap<String, usize>,
    helpers: &Helpers,
    diags: &mut Vec<Diag>,
) {
    for (op, facts) in ops.iter().zip(facts) {
        let mut check = Check { op, facts, diags };
        check.reserved(helpers);
        check.given();
        check.live();
        check.outputs();
        check.claims();
        check.labels(ops, by_name);
        check.colds(ops, by_name);
    }
}

struct Check<'a> {
    op: &'a OpDef,
    facts: &'a BodyFacts,
    diags: &'a mut Vec<Diag>,
}

impl Check<'_> {
    fn reject(&mut self, pos: &Pos, rule: Rule, message: String) {
        self.diags.push(Diag::new(pos, rule, message));
    }

    /// A variable of a support function's name would hide it.
    fn reserved(&mut self, helpers: &Helpers) {
        let items = self.op.effect.inputs.iter().chain(&self.op.effect.outputs);
        let items = items.map(|item| (&item.name, &item.pos));
        let caches = self.op.effect.caches.iter().map(|c| (&c.name, &c.pos));
        for (name, pos) in items.chain(caches) {
            if helpers.escapes(name).is_some() {
                let message = format!("`{name}` is a support function's name");
                self.reject(pos, Rule::NameHelper, message);
            }
        }
    }

    /// What is given up is an input, once, and not passed on.
    fn given(&mut self) {
        let (op, facts) = (self.op, self.facts);
        let given: Vec<_> = facts.given().collect();
        for (i, (name, pos)) in given.iter().enumerate() {
            let Some(input) = op.effect.inputs.iter().find(|i| i.name == *name) else {
                let message = format!("`{name}` is no input of `{}`", op.name);
                self.reject(pos, Rule::GivenUnknown, message);
                continue;
            };
            if given[..i].iter().any(|(other, _)| other == name) {
                let message = format!("`{name}` is given up twice in `{}`", op.name);
                self.reject(pos, Rule::GivenTwice, message);
            }
            if op.effect.passes(name) {
                let message = format!("`{name}` is given up and also an output of `{}`", op.name);
                self.reject(pos, Rule::GivenPassed, message);
            }
            let closes = facts.closed.iter().any(|(closed, _)| closed == name);
            if closes && input.shape == Shape::Array {
                let message = format!("`close!` takes one word, and `{name}` is an array");
                self.reject(pos, Rule::CloseArray, message);
            }
        }
    }

    /// Every input is passed on or given up. An op that leaves has seen to its inputs.
    fn live(&mut self) {
        let (op, facts) = (self.op, self.facts);
        if facts.ends {
            return;
        }
        for input in op.effect.inputs.iter().filter(|i| !i.is_unused()) {
            let given = facts.given().any(|(name, _)| *name == input.name);
            if !given && !op.effect.passes(&input.name) {
                let message = format!(
                    "input `{}` is still live at the end of `{}`",
                    input.name, op.name
                );
                self.reject(&input.pos, Rule::LiveInput, message);
            }
        }
    }

    /// Every output that is no input is assigned, once on every path.
    fn outputs(&mut self) {
        let (op, facts) = (self.op, self.facts);
        for output in op.effect.assigned() {
            let mut assigned = false;
            for stmt in &op.body.stmts {
                let here = macros::assigns(stmt, &output.name);
                if here && assigned {
                    let message = format!("output `{}` is assigned twice", output.name);
                    let pos = Pos::new(&op.pos.file, stmt.span());
                    self.reject(&pos, Rule::OutputTwice, message);
                }
                assigned |= here;
            }
            if !assigned && !facts.ends {
                let message = format!(
                    "output `{}` is not assigned on every path of `{}`",
                    output.name, op.name
                );
                self.reject(&output.pos, Rule::OutputUnassigned, message);
            }
        }
    }

    fn claims(&mut self) {
        let (op, facts) = (self.op, self.facts);
        let does = [
            (facts.escapes, "calls what escapes"),
            (facts.raises, "may raise"),
            (facts.leaves, "leaves"),
            (facts.releases, "releases a word that is no input"),
            (
                facts.writes,
                "writes through a pointer or calls for an effect",
            ),
        ];
        if let Some((_, what)) = does.iter().find(|(does, _)| *does && op.pure) {
            let message = format!("`{}` is #[pure], but {what}", op.name);
            self.reject(&op.pos, Rule::PureClaim, message);
        }
        if op.kind == Kind::Label && !facts.ends {
            let message = format!("the label `{}` does not leave on every path", op.name);
            self.reject(&op.pos, Rule::LabelEnds, message);
        }
    }

    fn labels(&mut self, ops: &[OpDef], by_name: &HashMap<String, usize>) {
        let facts = self.facts;
        for (name, pos) in &facts.labels {
            let label = by_name.get(name).map(|&i| &ops[i]);
            if label.is_none_or(|label| label.kind != Kind::Label) {
                let message = format!("no label is called `{name}`");
                self.reject(pos, Rule::LabelUnknown, message);
            }
        }
    }

    fn colds(&mut self, ops: &[OpDef], by_name: &HashMap<String, usize>) {
        let (op, facts) = (self.op, self.facts);
        for cold in &facts.colds {
            let def = by_name.get(&cold.name).map(|&i| &ops[i]);
            let Some(def) = def.filter(|def| def.kind == Kind::Cold) else {
                let message = format!("no continuation is called `{}`", cold.name);
                self.reject(&cold.pos, Rule::ColdUnknown, message);
                continue;
            };
            // The same items in the same places; names are each definition's own.
            let same = |a: &[_], b: &[_]| {
                let pair = |(a, b): (&super::effect::StackItem, _)| a.same_shape(b);
                a.len() == b.len() && a.iter().zip(b).all(pair)
            };
            let effect = &def.effect;
            let fits = same(&effect.inputs, &op.effect.inputs)
                && same(&effect.outputs, &op.effect.outputs)
                && effect.caches.is_empty();
            if !fits {
                let message = format!(
                    "`{}` must have the stack effect of `{}`, which names it, and no cache",
                    cold.name, op.name
                );
                self.reject(&def.pos, Rule::ColdEffect, message);
            }
        }
    }
}
