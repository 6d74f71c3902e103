//! Definitions to instructions: parts resolved, families checked, flags derived, numbers given.

use super::diag::{Diag, Pos, settle};
use super::families;
use super::helpers::Helpers;
use super::number::{self, FIRST_SPECIALIZED};
use super::ops;
use super::order;
use super::parse::{Definitions, FamilyDef, InstructionDef, Kind, OpDef, Part, PseudoDef};
use super::rules::Rule;
use super::scan::{BodyFacts, scan};
use super::words::Words;
use std::collections::{HashMap, HashSet};

#[derive(Clone, Debug)]
pub enum Step {
    /// Index into `Analysis::ops`.
    Op(usize),
    /// Cache units that the instruction does not read, and what a head calls them.
    Skip(String, usize),
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
    pub exit: bool,
}

impl Flags {
    /// Sets what `#[flags(..)]` says.
    pub fn declare(&mut self, names: &[String]) {
        let has = |name: &str| names.iter().any(|n| n == name);
        self.arg |= has("arg");
        self.jump |= has("jump");
        self.const_ |= has("const_");
        self.local |= has("local");
        self.name |= has("name");
        self.free |= has("free");
    }
}

#[derive(Clone, Debug)]
pub struct Instruction {
    pub name: String,
    /// `NO_NUMBER` until numbers are given.
    pub opcode: u16,
    pub steps: Vec<Step>,
    /// Cache units that follow.
    pub caches: usize,
    /// The family head, for heads and members alike.
    pub family: Option<String>,
    pub popped: Words,
    pub pushed: Words,
    pub flags: Flags,
    /// How the loops carry it.
    pub placement: Placement,
    /// Does the next instruction's work too, so that its stack effect is not its head's.
    pub skips_next: bool,
    pub pos: Pos,
}

/// Where the loops have an instruction's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    Inline,
    /// Inline, ending in a dispatch of its own in the replicated form.
    Hot,
    /// In a function of its own.
    Outlined,
}

pub const NO_NUMBER: u16 = u16::MAX;

impl Instruction {
    /// A member that is not the head of its family.
    pub fn is_specialized(&self) -> bool {
        self.family.as_ref().is_some_and(|head| *head != self.name)
    }
    pub fn is_head(&self) -> bool {
        self.family.as_ref().is_some_and(|head| *head == self.name)
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
    /// `dis.HAVE_ARGUMENT`: numbers above it have an argument.
    pub fn have_argument(&self) -> u16 {
        self.instructions
            .iter()
            .filter(|i| !i.flags.arg && i.opcode < FIRST_SPECIALIZED - 1 && !i.is_specialized())
            .map(|i| i.opcode)
            .max()
            .unwrap_or(0)
    }
    /// An op and the continuations that can follow it in its place, each once.
    pub fn with_colds(&self, op: usize) -> Vec<usize> {
        reach(op, &self.facts, &self.by_name)
    }
    /// The cache entries of an instruction in order, as it names them, with the op that reads each.
    pub fn cache_entries(&self, inst: &Instruction) -> Vec<(String, usize, Option<usize>)> {
        let mut entries = vec![];
        for step in &inst.steps {
            match step {
                Step::Skip(name, units) => entries.push((name.clone(), *units, None)),
                Step::Op(op) => entries.extend(self.ops[*op].effect.caches.iter().map(|c| {
                    let reader = (!c.is_unused()).then_some(*op);
                    (c.name.clone(), c.size, reader)
                })),
            }
        }
        entries
    }
}

fn reach(op: usize, facts: &[BodyFacts], by_name: &HashMap<String, usize>) -> Vec<usize> {
    let mut found = vec![op];
    let mut next = 0;
    while let Some(&op) = found.get(next) {
        let colds = facts[op].colds.iter();
        for cold in colds.filter_map(|cold| by_name.get(&cold.name)) {
            if !found.contains(cold) {
                found.push(*cold);
            }
        }
        next += 1;
    }
    found
}

/// `helpers` tells which functions a body may call, and which of them escape.
pub fn analyze(defs: Definitions, helpers: &Helpers) -> Result<Analysis, Vec<Diag>> {
    let mut diags = vec![];
    let Definitions {
        ops,
        instructions,
        families,
        pseudos,
        hot,
        outlined,
    } = defs;
    let by_name = names(&ops, &instructions, &pseudos, &mut diags);
    let facts: Vec<BodyFacts> = ops.iter().map(|op| scan(op, helpers, &mut diags)).collect();
    ops::check(&ops, &facts, &by_name, helpers, &mut diags);
    let builder = Builder {
        ops: &ops,
        facts: &facts,
        by_name: &by_name,
    };
    let mut built = builder.all(&instructions, &mut diags);
    unused(&builder, &built, &mut diags);
    families::check(&families, &mut built, &mut diags);
    place("hot", Placement::Hot, &hot, &mut built, &mut diags);
    place(
        "outlined",
        Placement::Outlined,
        &outlined,
        &mut built,
        &mut diags,
    );
    let pseudos = families::pseudos(pseudos, &built, &mut diags);
    number::number(&mut built, &mut diags);
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
    families::caches(&analysis, &mut diags);
    order::check(&analysis, &mut diags);
    settle(analysis, diags)
}

/// The ops by name; every definition has a name of its own.
fn names(
    ops: &[OpDef],
    instructions: &[InstructionDef],
    pseudos: &[PseudoDef],
    diags: &mut Vec<Diag>,
) -> HashMap<String, usize> {
    let mut seen = HashSet::new();
    let all = ops.iter().map(|op| (&op.name, &op.pos));
    let all = all.chain(instructions.iter().map(|inst| (&inst.name, &inst.pos)));
    for (name, pos) in all.chain(pseudos.iter().map(|p| (&p.name, &p.pos))) {
        if !seen.insert(name) {
            let message = format!("`{name}` is defined twice");
            diags.push(Diag::new(pos, Rule::NameTwice, message));
        }
    }
    let indices = ops.iter().enumerate();
    indices.map(|(i, op)| (op.name.clone(), i)).collect()
}

/// An op, continuation or label that nothing can reach is a mistake.
fn unused(builder: &Builder<'_>, built: &[Instruction], diags: &mut Vec<Diag>) {
    let mut used = HashSet::new();
    for step in built.iter().flat_map(|inst| &inst.steps) {
        if let Step::Op(op) = step {
            used.extend(reach(*op, builder.facts, builder.by_name));
        }
    }
    let labels = builder.facts.iter().flat_map(|facts| &facts.labels);
    used.extend(labels.filter_map(|(name, _)| builder.by_name.get(name)));
    for (index, op) in builder.ops.iter().enumerate() {
        if !used.contains(&index) {
            let message = format!("nothing uses `{}`", op.name);
            diags.push(Diag::new(&op.pos, Rule::Unused, message));
        }
    }
}

fn place(
    list: &str,
    placement: Placement,
    listed: &[(String, Pos)],
    built: &mut [Instruction],
    diags: &mut Vec<Diag>,
) {
    for (name, pos) in listed {
        match built.iter_mut().find(|i| i.name == *name) {
            Some(inst) if inst.placement != Placement::Inline => {
                let how = if inst.placement == placement {
                    " twice"
                } else {
                    ", which another list names"
                };
                let message = format!("the {list} list names `{name}`{how}");
                diags.push(Diag::new(pos, Rule::HotTwice, message));
            }
            Some(inst) => inst.placement = placement,
            None => {
                let message = format!("the {list} list names `{name}`, which is no instruction");
                diags.push(Diag::new(pos, Rule::HotUnknown, message));
            }
        }
    }
}

struct Builder<'a> {
    ops: &'a [OpDef],
    facts: &'a [BodyFacts],
    by_name: &'a HashMap<String, usize>,
}

impl Builder<'_> {
    fn all(&self, instructions: &[InstructionDef], diags: &mut Vec<Diag>) -> Vec<Instruction> {
        let mut built = vec![];
        for (index, op) in self.ops.iter().enumerate() {
            if op.kind == Kind::Inst {
                let steps = vec![Step::Op(index)];
                built.push(self.build(&op.name, steps, op.opcode, &op.pos, diags));
            }
        }
        for def in instructions {
            let steps = self.resolve(def, diags);
            built.push(self.build(&def.name, steps, def.opcode, &def.pos, diags));
        }
        built
    }

    fn resolve(&self, def: &InstructionDef, diags: &mut Vec<Diag>) -> Vec<Step> {
        let mut steps = vec![];
        for part in &def.parts {
            match part {
                Part::Skip(name, units) => steps.push(Step::Skip(name.clone(), *units)),
                Part::Op(name, pos) => match self.by_name.get(name) {
                    Some(&op) if matches!(self.ops[op].kind, Kind::Op | Kind::Inst) => {
                        steps.push(Step::Op(op));
                    }
                    _ => {
                        let message = format!("no micro-op is called `{name}`");
                        diags.push(Diag::new(pos, Rule::PartUnknown, message));
                    }
                },
            }
        }
        steps
    }

    fn build(
        &self,
        name: &str,
        steps: Vec<Step>,
        opcode: Option<u16>,
        pos: &Pos,
        diags: &mut Vec<Diag>,
    ) -> Instruction {
        let mut flags = Flags {
            pure: true,
            ..Flags::default()
        };
        let (mut caches, mut skips_next) = (0, false);
        // The deepest reach below the entry stack, and the height reached in the end.
        let (mut popped, mut height) = (Words::default(), Words::default());
        for step in &steps {
            let op = match step {
                Step::Skip(_, units) => {
                    caches += units;
                    continue;
                }
                Step::Op(op) => *op,
            };
            for part in reach(op, self.facts, self.by_name) {
                let fact = &self.facts[part];
                flags.declare(&self.ops[part].flags);
                flags.arg |= fact.uses_oparg;
                flags.jump |= fact.jumps;
                flags.deopt |= fact.deopts;
                flags.exit |= fact.exits;
                flags.error |= fact.raises;
                flags.escapes |= fact.escapes;
                skips_next |= fact.skips_next;
            }
            let op = &self.ops[op];
            caches += op.effect.cache_units();
            flags.pure &= op.pure;
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
        if caches > 255 {
            let message = format!("`{name}` has {caches} cache units, of at most 255");
            diags.push(Diag::new(pos, Rule::CacheTotal, message));
        }
        if opcode.is_some_and(|number| number > 255) {
            let message = format!("`{name}` cannot have a number above 255");
            diags.push(Diag::new(pos, Rule::OpcodeRange, message));
        }
        Instruction {
            name: name.to_string(),
            opcode: opcode.unwrap_or(NO_NUMBER),
            steps,
            caches,
            family: None,
            popped,
            pushed: height,
            flags,
            placement: Placement::Inline,
            skips_next,
            pos: pos.clone(),
        }
    }
}
