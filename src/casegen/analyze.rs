//! Definitions to instructions: parts resolved, families checked, flags derived, numbers given.

use super::diag::{Diag, Pos, Result};
use super::effect::Words;
use super::parse::{Definitions, FamilyDef, Kind, OpDef, Part, PseudoDef};
use super::scan::{BodyFacts, Helpers, scan};
use std::collections::{HashMap, HashSet};

/// Where the numbers of specialised forms begin: one after the pinned number of the entry instruction.
const FIRST_SPECIALIZED: u16 = 129;
const FIRST_PSEUDO: u16 = 256;

#[derive(Clone, Debug)]
pub enum Step {
    /// Index into `Analysis::ops`.
    Op(usize),
    Skip(usize),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    pub arg: bool,
    pub jump: bool,
    pub const_: bool,
    pub local: bool,
    pub name: bool,
    pub free: bool,
    pub deopt: bool,
    pub error: bool,
    pub escapes: bool,
    pub pure: bool,
}

#[derive(Clone, Debug)]
pub struct Instruction {
    pub name: String,
    pub opcode: u16,
    pub steps: Vec<Step>,
    /// Cache units that follow.
    pub caches: usize,
    /// The family head, for heads and members alike.
    pub family: Option<String>,
    pub popped: Words,
    pub pushed: Words,
    pub flags: Flags,
    pub hot: bool,
    /// Does the next instruction's work too, so that its stack effect is not its head's.
    pub skips_next: bool,
    pub pos: Pos,
}

impl Instruction {
    /// A member that is not the head of its family.
    pub fn is_specialized(&self) -> bool {
        self.family.as_ref().is_some_and(|head| *head != self.name)
    }
}

pub struct Analysis {
    pub ops: Vec<OpDef>,
    pub facts: Vec<BodyFacts>,
    /// Ordered by opcode.
    pub instructions: Vec<Instruction>,
    pub families: Vec<FamilyDef>,
    pub pseudos: Vec<(PseudoDef, u16)>,
    /// Indices into `ops`, in order of definition.
    pub labels: Vec<usize>,
    pub by_name: HashMap<String, usize>,
}

impl Analysis {
    pub fn op(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
    pub fn have_argument(&self) -> u16 {
        self.instructions
            .iter()
            .filter(|i| !i.flags.arg && i.opcode < FIRST_SPECIALIZED - 1 && !i.is_specialized())
            .map(|i| i.opcode)
            .max()
            .unwrap_or(0)
    }
}

/// `helpers` tells which functions a body may call, and which of them escape.
pub fn analyze(defs: Definitions, helpers: &Helpers) -> std::result::Result<Analysis, Vec<Diag>> {
    let mut diags = vec![];
    let Definitions {
        ops,
        instructions,
        families,
        pseudos,
        hot,
    } = defs;
    let mut by_name = HashMap::new();
    for (index, op) in ops.iter().enumerate() {
        if by_name.insert(op.name.clone(), index).is_some() {
            diags.push(Diag::new(
                &op.pos,
                "unique-name",
                format!("`{}` is defined twice", op.name),
            ));
        }
    }
    let facts: Vec<BodyFacts> = ops.iter().map(|op| scan(op, helpers, &mut diags)).collect();
    let mut built = vec![];
    for (index, op) in ops.iter().enumerate() {
        if op.kind == Kind::Inst {
            built.push(build(
                op.name.clone(),
                vec![Step::Op(index)],
                op.opcode,
                &op.pos,
                &ops,
                &facts,
            ));
        }
    }
    for def in &instructions {
        if by_name.contains_key(&def.name) {
            diags.push(Diag::new(
                &def.pos,
                "unique-name",
                format!("`{}` is defined twice", def.name),
            ));
            continue;
        }
        match resolve(&def.parts, &by_name, &ops) {
            Ok(steps) => built.push(build(
                def.name.clone(),
                steps,
                def.opcode,
                &def.pos,
                &ops,
                &facts,
            )),
            Err(diag) => diags.push(diag),
        }
    }
    let mut seen = HashSet::new();
    for inst in &built {
        if !seen.insert(inst.name.clone()) {
            diags.push(Diag::new(
                &inst.pos,
                "unique-name",
                format!("`{}` is defined twice", inst.name),
            ));
        }
    }
    check_families(&families, &mut built, &mut diags);
    for (name, pos) in &hot {
        match built.iter_mut().find(|i| i.name == *name) {
            Some(inst) => inst.hot = true,
            None => diags.push(Diag::new(
                pos,
                "known-name",
                format!("hot list names `{name}`, which is no instruction"),
            )),
        }
    }
    let pseudos = check_pseudos(pseudos, &built, &mut diags);
    number(&mut built, &mut diags);
    built.sort_by_key(|i| i.opcode);
    let labels = (0..ops.len())
        .filter(|&i| ops[i].kind == Kind::Label)
        .collect();
    let analysis = Analysis {
        ops,
        facts,
        instructions: built,
        families,
        pseudos,
        labels,
        by_name,
    };
    check_order(&analysis, &mut diags);
    if diags.is_empty() {
        Ok(analysis)
    } else {
        Err(diags)
    }
}

fn resolve(parts: &[Part], by_name: &HashMap<String, usize>, ops: &[OpDef]) -> Result<Vec<Step>> {
    let mut steps = vec![];
    for part in parts {
        match part {
            Part::Skip(units) => steps.push(Step::Skip(*units)),
            Part::Op(name, pos) => match by_name.get(name) {
                Some(&index) if matches!(ops[index].kind, Kind::Op | Kind::Inst) => {
                    steps.push(Step::Op(index))
                }
                Some(_) => {
                    return Err(Diag::new(
                        pos,
                        "known-name",
                        format!("`{name}` cannot be part of an instruction"),
                    ));
                }
                None => {
                    return Err(Diag::new(
                        pos,
                        "known-name",
                        format!("no op is called `{name}`"),
                    ));
                }
            },
        }
    }
    Ok(steps)
}

fn build(
    name: String,
    steps: Vec<Step>,
    opcode: Option<u16>,
    pos: &Pos,
    ops: &[OpDef],
    facts: &[BodyFacts],
) -> Instruction {
    let mut flags = Flags {
        pure: true,
        ..Flags::default()
    };
    let (mut caches, mut skips_next) = (0, false);
    // The deepest reach below the entry stack, and the height reached in the end.
    let (mut popped, mut height) = (Words::default(), Words::default());
    for step in &steps {
        match step {
            Step::Skip(units) => caches += units,
            Step::Op(index) => {
                let (op, fact) = (&ops[*index], &facts[*index]);
                caches += op.effect.cache_units();
                let mut continuations = fact
                    .colds
                    .iter()
                    .filter_map(|(name, _)| ops.iter().position(|o| o.name == *name));
                flags.arg |= fact.uses_oparg
                    || op.flags.iter().any(|f| f == "arg")
                    || continuations.any(|cold| facts[cold].uses_oparg);
                flags.jump |= op.flags.iter().any(|f| f == "jump");
                flags.const_ |= op.flags.iter().any(|f| f == "const_");
                flags.local |= op.flags.iter().any(|f| f == "local");
                flags.name |= op.flags.iter().any(|f| f == "name");
                flags.free |= op.flags.iter().any(|f| f == "free");
                flags.deopt |= fact.guards;
                flags.error |= fact.raises;
                flags.escapes |= fact.escapes;
                flags.pure &= op.pure;
                skips_next |= fact.skips_next;
                let need = op.effect.popped();
                let below = need.minus(&height);
                if !below.terms.is_empty() || below.constant > 0 {
                    popped = popped.plus(&below);
                    height = Words::default();
                } else {
                    height = height.minus(&need);
                }
                height = height.plus(&op.effect.pushed());
            }
        }
    }
    Instruction {
        name,
        opcode: opcode.unwrap_or(u16::MAX),
        steps,
        caches,
        family: None,
        popped,
        pushed: height,
        flags,
        hot: false,
        skips_next,
        pos: pos.clone(),
    }
}

fn check_families(families: &[FamilyDef], built: &mut [Instruction], diags: &mut Vec<Diag>) {
    for family in families {
        let members = std::iter::once((&family.name, &family.pos))
            .chain(family.members.iter().map(|(n, p)| (n, p)));
        let mut head: Option<Words> = None;
        for (name, pos) in members {
            let Some(inst) = built.iter_mut().find(|i| i.name == *name) else {
                diags.push(Diag::new(
                    pos,
                    "known-name",
                    format!("family `{}`: `{name}` is no instruction", family.name),
                ));
                continue;
            };
            if let Some(other) = &inst.family {
                diags.push(Diag::new(
                    pos,
                    "one-family",
                    format!("`{name}` is already in the family `{other}`"),
                ));
            }
            inst.family = Some(family.name.clone());
            if inst.caches != family.size {
                let message = format!(
                    "family `{}` has {} cache units, `{name}` has {}",
                    family.name, family.size, inst.caches
                );
                diags.push(Diag::new(&inst.pos, "family-cache-size", message));
            }
            let net = inst.pushed.minus(&inst.popped);
            match &head {
                None => head = Some(net),
                // A form may be for some opargs only (a method load for odd ones).
                Some(want) if !inst.skips_next && !(0..4).any(|n| want.eval(n) == net.eval(n)) => {
                    let message = format!(
                        "`{name}` changes the stack by {}, its family head `{}` by {}",
                        net, family.name, want
                    );
                    diags.push(Diag::new(&inst.pos, "family-stack-effect", message));
                }
                Some(_) => {}
            }
        }
    }
}

fn check_pseudos(
    pseudos: Vec<PseudoDef>,
    built: &[Instruction],
    diags: &mut Vec<Diag>,
) -> Vec<(PseudoDef, u16)> {
    for pseudo in &pseudos {
        for (target, pos) in &pseudo.targets {
            if !built.iter().any(|i| i.name == *target) {
                let message = format!(
                    "pseudo `{}` stands for `{target}`, which is no instruction",
                    pseudo.name
                );
                diags.push(Diag::new(pos, "known-name", message));
            }
        }
    }
    let mut sorted = pseudos;
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    sorted.into_iter().zip(FIRST_PSEUDO..).collect()
}

/// CPython's rule (`assign_opcodes`): pinned numbers first; specialised forms in alphabetical order behind the entry
/// instruction; the rest in alphabetical order from 1, those without an argument before those with one.
fn number(built: &mut [Instruction], diags: &mut Vec<Diag>) {
    let mut taken: HashMap<u16, String> = HashMap::new();
    for inst in built.iter().filter(|i| i.opcode != u16::MAX) {
        if let Some(other) = taken.insert(inst.opcode, inst.name.clone()) {
            let message = format!(
                "`{}` and `{other}` both have the number {}",
                inst.name, inst.opcode
            );
            diags.push(Diag::new(&inst.pos, "opcode-number", message));
        }
    }
    let mut order: Vec<usize> = (0..built.len())
        .filter(|&i| built[i].opcode == u16::MAX)
        .collect();
    order.sort_by(|&a, &b| {
        let key = |i: usize| {
            (
                built[i].is_specialized(),
                !built[i].is_specialized() && built[i].flags.arg,
                built[i].name.clone(),
            )
        };
        key(a).cmp(&key(b))
    });
    let (mut base, mut special) = (1, FIRST_SPECIALIZED);
    for index in order {
        let next = if built[index].is_specialized() {
            &mut special
        } else {
            &mut base
        };
        while taken.contains_key(next) {
            *next += 1;
        }
        if *next > 255 || (!built[index].is_specialized() && *next >= FIRST_SPECIALIZED - 1) {
            let message = format!("no number is left for `{}`", built[index].name);
            diags.push(Diag::new(&built[index].pos, "opcode-number", message));
            return;
        }
        built[index].opcode = *next;
        taken.insert(*next, built[index].name.clone());
    }
}

/// Rules that hold over the ops of an instruction in their order.
fn check_order(analysis: &Analysis, diags: &mut Vec<Diag>) {
    for inst in &analysis.instructions {
        let mut effect: Option<&str> = None;
        for (at, step) in inst.steps.iter().enumerate() {
            let Step::Op(index) = step else { continue };
            let (op, facts) = (&analysis.ops[*index], &analysis.facts[*index]);
            if op.specializing && at != 0 {
                let message = format!(
                    "`{}` specialises, so it must be the first op of `{}`",
                    op.name, inst.name
                );
                diags.push(Diag::new(&op.pos, "specializing-first", message));
            }
            if facts.guards && !inst.is_specialized() {
                let message = format!(
                    "`{}` has a guard, but `{}` is no specialised form of a family",
                    op.name, inst.name
                );
                diags.push(Diag::new(&op.pos, "guard-needs-family", message));
            }
            if let (Some(earlier), Some(pos)) = (effect, &facts.first_guard) {
                let message = format!(
                    "guard of `{}` after an effect of `{earlier}` in `{}`",
                    op.name, inst.name
                );
                diags.push(Diag::new(pos, "guards-first", message));
            }
            if facts.has_effect {
                effect = Some(&op.name);
            }
            let last = inst.steps[at + 1..]
                .iter()
                .all(|s| matches!(s, Step::Skip(_)));
            if let (Some(pos), false) = (&facts.branch, last) {
                let message = format!(
                    "`{}` branches, so it must be the last op of `{}`",
                    op.name, inst.name
                );
                diags.push(Diag::new(pos, "branch-last", message));
            }
        }
    }
}
