//! Stack effects in CPython's notation: `counter/1, left, args[oparg], null if (oparg & 1) -- res`.

use super::diag::{Diag, Pos};
use super::rules::Rule;
use super::words::Words;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Scalar,
    /// `name[size]`: a pointer to the words, which stay in memory.
    Array,
    /// `name if (cond)`: one word or none.
    Conditional,
}

#[derive(Clone, Debug)]
pub struct StackItem {
    pub name: String,
    pub shape: Shape,
    pub size: Words,
    pub pos: Pos,
}

impl StackItem {
    pub fn is_unused(&self) -> bool {
        self.name == UNUSED
    }
    pub fn same_shape(&self, other: &StackItem) -> bool {
        self.shape == other.shape && self.size == other.size
    }
}

#[derive(Clone, Debug)]
pub struct CacheItem {
    pub name: String,
    /// Code units.
    pub size: usize,
    pub pos: Pos,
}

impl CacheItem {
    pub fn is_unused(&self) -> bool {
        self.name == UNUSED
    }
}

/// An item that the body does not look at, in a stack effect or a cache.
pub const UNUSED: &str = "unused";

/// Registers of the forms of dispatch, and what their code calls its own variables.
pub const REGISTERS: [&str; 9] = [
    "ip", "sp", "locals", "ts", "table", "oparg", "state", "opcode", "other",
];

#[derive(Clone, Debug, Default)]
pub struct Effect {
    pub caches: Vec<CacheItem>,
    pub inputs: Vec<StackItem>,
    pub outputs: Vec<StackItem>,
}

impl Effect {
    /// `pos` is the place of the first character of `text`. What is wrong is left out.
    pub fn parse(text: &str, pos: &Pos, diags: &mut Vec<Diag>) -> Effect {
        let mut effect = Effect::default();
        let Some((before, after)) = text.split_once("--").filter(|(_, a)| !a.contains("--")) else {
            let message = format!("stack effect \"{text}\" needs one `--`");
            diags.push(Diag::new(pos, Rule::EffectDashes, message));
            return effect;
        };
        for (at, piece) in pieces(before) {
            let here = pos.shifted(at);
            if let Some((name, size)) = piece.split_once('/').filter(|(n, _)| is_name(n.trim())) {
                effect.cache(piece, name.trim(), size.trim(), here, diags);
            } else {
                effect.inputs.extend(stack_item(piece, here, diags));
            }
        }
        let shift = before.chars().count() + 2;
        for (at, piece) in pieces(after) {
            effect
                .outputs
                .extend(stack_item(piece, pos.shifted(shift + at), diags));
        }
        effect.check(diags);
        effect
    }

    fn cache(&mut self, piece: &str, name: &str, size: &str, pos: Pos, diags: &mut Vec<Diag>) {
        if !self.inputs.is_empty() {
            let message = format!("cache entry `{piece}` stands after a stack input");
            diags.push(Diag::new(&pos, Rule::CacheAfterInput, message));
        }
        if name != UNUSED && self.caches.iter().any(|c| c.name == name) {
            let message = format!("cache entry `{name}` is read twice");
            diags.push(Diag::new(&pos, Rule::CacheTwice, message));
        }
        check_reserved(name, &pos, diags);
        self.caches.push(CacheItem {
            name: name.to_string(),
            size: cache_units(name, size, &pos, diags),
            pos,
        });
    }

    fn check(&self, diags: &mut Vec<Diag>) {
        let caches: Vec<_> = self.caches.iter().filter(|c| !c.is_unused()).collect();
        for list in [&self.inputs, &self.outputs] {
            for (i, item) in list.iter().enumerate().filter(|(_, i)| !i.is_unused()) {
                check_reserved(&item.name, &item.pos, diags);
                let twice = list[..i].iter().any(|other| other.name == item.name)
                    || caches.iter().any(|c| c.name == item.name);
                if twice {
                    let message = format!("`{}` stands twice in a stack effect", item.name);
                    diags.push(Diag::new(&item.pos, Rule::ItemTwice, message));
                }
            }
        }
        for output in self.outputs.iter().filter(|o| !o.is_unused()) {
            let input = self.inputs.iter().find(|i| i.name == output.name);
            if input.is_some_and(|input| !input.same_shape(output)) {
                let message = format!("`{}` is passed on in another shape", output.name);
                diags.push(Diag::new(&output.pos, Rule::PassedShape, message));
            }
        }
    }

    /// Whether an input of this name is an output too.
    pub fn passes(&self, name: &str) -> bool {
        name != UNUSED
            && self.inputs.iter().any(|i| i.name == name)
            && self.outputs.iter().any(|o| o.name == name)
    }
    /// The outputs that the body assigns.
    pub fn assigned(&self) -> impl Iterator<Item = &StackItem> {
        self.outputs
            .iter()
            .filter(|o| o.shape != Shape::Array && !o.is_unused() && !self.passes(&o.name))
    }
    pub fn popped(&self) -> Words {
        sum(&self.inputs)
    }
    pub fn pushed(&self) -> Words {
        sum(&self.outputs)
    }
    pub fn cache_units(&self) -> usize {
        self.caches.iter().map(|c| c.size).sum()
    }
    /// The names that an op of this effect binds.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let caches = self.caches.iter().map(|c| c.name.as_str());
        let items = self.inputs.iter().chain(&self.outputs);
        caches
            .chain(items.map(|i| i.name.as_str()))
            .filter(|name| *name != UNUSED)
    }
}

fn sum(items: &[StackItem]) -> Words {
    items
        .iter()
        .fold(Words::default(), |sum, i| sum.plus(&i.size))
}

/// The units of a cache entry; what nothing reads may have any size.
pub fn cache_units(name: &str, size: &str, pos: &Pos, diags: &mut Vec<Diag>) -> usize {
    match size.parse() {
        Ok(units @ (1 | 2 | 4)) => units,
        Ok(units @ 1..=255) if name == UNUSED => units,
        _ => {
            let message = format!("cache entry `{name}/{size}` must have 1, 2 or 4 units");
            diags.push(Diag::new(pos, Rule::CacheSize, message));
            1
        }
    }
}

fn check_reserved(name: &str, pos: &Pos, diags: &mut Vec<Diag>) {
    if REGISTERS.contains(&name) || name.starts_with("close_") {
        let message = format!("`{name}` is a register's name");
        diags.push(Diag::new(pos, Rule::NameReserved, message));
    }
}

/// Comma-separated pieces outside brackets, trimmed, with their offsets in characters; an empty side gives none.
fn pieces(side: &str) -> Vec<(usize, &str)> {
    let mut found = vec![];
    let (mut depth, mut start) = (0, 0);
    let mut push = |from: usize, to: usize| {
        let piece = &side[from..to];
        let lead = piece.len() - piece.trim_start().len();
        found.push((side[..from + lead].chars().count(), piece.trim()));
    };
    for (i, c) in side.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                push(start, i);
                start = i + 1;
            }
            _ => {}
        }
    }
    if !side.trim().is_empty() {
        push(start, side.len());
    }
    found
}

/// A plain name: what can be an identifier of generated code.
pub fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && syn::parse_str::<syn::Ident>(text).is_ok()
}

fn stack_item(piece: &str, pos: Pos, diags: &mut Vec<Diag>) -> Option<StackItem> {
    let parsed = if let Some((name, rest)) = piece.split_once('[') {
        let size = rest.strip_suffix(']').and_then(Words::parse);
        size.map(|size| (name.trim(), Shape::Array, size))
            .ok_or("bad array size")
    } else if let Some((name, cond)) = piece.split_once(" if ") {
        // A condition is the number of words, so it is 0 or 1.
        Words::parse(cond)
            .filter(|cond| (0..256).all(|n| matches!(cond.eval(n), 0 | 1)))
            .map(|cond| (name.trim(), Shape::Conditional, cond))
            .ok_or("bad condition")
    } else {
        Ok((piece, Shape::Scalar, Words::of(1)))
    };
    let parsed = parsed.and_then(|(name, shape, size)| match is_name(name) {
        true => Ok((name, shape, size)),
        false => Err("bad name"),
    });
    match parsed {
        Ok((name, shape, size)) => Some(StackItem {
            name: name.to_string(),
            shape,
            size,
            pos,
        }),
        Err(what) => {
            let message = format!("{what} in stack item `{piece}`");
            diags.push(Diag::new(&pos, Rule::StackItem, message));
            None
        }
    }
}
