//! Families and pseudo-instructions: what their members have in common.

use super::analyze::{Analysis, Instruction};
use super::diag::Diag;
use super::effect::UNUSED;
use super::parse::{FamilyDef, PseudoDef};
use super::rules::Rule;
use std::collections::HashSet;

const FIRST_PSEUDO: u16 = 256;

/// Puts members into their families.
pub fn check(families: &[FamilyDef], built: &mut [Instruction], diags: &mut Vec<Diag>) {
    for family in families {
        let head = built.iter().find(|i| i.name == family.name).cloned();
        let members = std::iter::once((&family.name, &family.pos))
            .chain(family.members.iter().map(|(n, p)| (n, p)));
        for (name, pos) in members {
            let Some(inst) = built.iter_mut().find(|i| i.name == *name) else {
                let message = format!("family `{}`: `{name}` is no instruction", family.name);
                diags.push(Diag::new(pos, Rule::FamilyUnknown, message));
                continue;
            };
            if let Some(other) = &inst.family {
                let message = format!("`{name}` is already in the family `{other}`");
                diags.push(Diag::new(pos, Rule::FamilyTwice, message));
                continue;
            }
            inst.family = Some(family.name.clone());
            if inst.caches != family.size {
                let message = format!(
                    "family `{}` has {} cache units, `{name}` has {}",
                    family.name, family.size, inst.caches
                );
                diags.push(Diag::new(&inst.pos, Rule::FamilyCaches, message));
            }
            if let Some(head) = &head {
                form(head, inst, diags);
            }
        }
    }
}

/// What a form may do is what code that holds its head was verified for.
fn form(head: &Instruction, form: &Instruction, diags: &mut Vec<Diag>) {
    if form.flags.arg && !head.flags.arg {
        let message = format!(
            "`{}` uses oparg, its family head `{}` has none",
            form.name, head.name
        );
        diags.push(Diag::new(&form.pos, Rule::FamilyArg, message));
    }
    let net = |inst: &Instruction, n| inst.pushed.eval(n) - inst.popped.eval(n);
    let agrees = |n| {
        let same_net = form.skips_next || net(head, n) == net(form, n);
        same_net && form.popped.eval(n) <= head.popped.eval(n)
    };
    // A form may be for some opargs only: a method load for odd ones, a call for one argument.
    if !(0..4).any(agrees) {
        let message = format!(
            "`{}` takes {} and leaves {}, its family head `{}` takes {} and leaves {}",
            form.name, form.popped, form.pushed, head.name, head.popped, head.pushed
        );
        diags.push(Diag::new(&form.pos, Rule::FamilyEffect, message));
    }
}

/// Cache layouts: the counter first, and every read within the entries that the head names.
pub fn caches(analysis: &Analysis, diags: &mut Vec<Diag>) {
    for inst in &analysis.instructions {
        let entries = analysis.cache_entries(inst);
        if !inst.is_specialized() {
            let first = entries.first();
            if first.is_some_and(|(name, units, _)| (name.as_str(), *units) != ("counter", 1)) {
                let message = format!("the cache of `{}` must begin with `counter/1`", inst.name);
                diags.push(Diag::new(&inst.pos, Rule::CounterFirst, message));
            }
            continue;
        }
        let head = inst.family.as_ref();
        let head = analysis.instructions.iter().find(|i| Some(&i.name) == head);
        let layout = head.map(|head| analysis.cache_entries(head));
        let starts = starts(layout.iter().flatten().map(|(_, units, _)| *units));
        let mut unit = 0;
        for (name, units, reader) in entries {
            if reader.is_none() && name != UNUSED {
                let message = format!(
                    "`{}` is no family head, so it cannot name `{name}/{units}` unread",
                    inst.name
                );
                diags.push(Diag::new(&inst.pos, Rule::CacheNamed, message));
            }
            let whole = starts.contains(&unit) && starts.contains(&(unit + units));
            if let Some(op) = reader
                && !whole
            {
                let message = format!(
                    "`{name}/{units}` of `{}` is at unit {unit} of `{}`, across entries of its head",
                    analysis.ops[op].name, inst.name
                );
                diags.push(Diag::new(&inst.pos, Rule::FamilyLayout, message));
            }
            unit += units;
        }
    }
}

/// Where entries of these sizes begin, and where the last one ends.
fn starts(sizes: impl Iterator<Item = usize>) -> HashSet<usize> {
    let mut at = 0;
    let ends = sizes.map(|units| {
        at += units;
        at
    });
    std::iter::once(0).chain(ends).collect()
}

/// Pseudo-instructions with their numbers, in alphabetical order as CPython gives them.
pub fn pseudos(
    pseudos: Vec<PseudoDef>,
    built: &[Instruction],
    diags: &mut Vec<Diag>,
) -> Vec<(PseudoDef, u16)> {
    for pseudo in &pseudos {
        for (target, pos) in &pseudo.targets {
            if !built.iter().any(|i| i.name == *target) {
                let message = format!(
                    "`{}` stands for `{target}`, which is no instruction",
                    pseudo.name
                );
                diags.push(Diag::new(pos, Rule::PseudoTarget, message));
            }
        }
    }
    let mut sorted = pseudos;
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    sorted.into_iter().zip(FIRST_PSEUDO..u16::MAX).collect()
}
