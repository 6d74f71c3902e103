//! What code generation hands to the optimiser: instructions in source order, labels, and one unit's tables
//! (`_PyInstructionSequence` and `_PyCompile_CodeUnitMetadata`).

use crate::bytecode::Opcode;
use crate::bytecode::spec::{CodeSpec, Constant, Wtf8};
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

pub use crate::bytecode::tables::Location;

pub const NO_LOCATION: Location = Location::NO_LOCATION;
pub const NEXT_LOCATION: Location = Location::NEXT_LOCATION;

/// A jump target that may be used before its place is known (`_PyJumpTargetLabel`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label(pub u32);

#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    pub op: Opcode,
    pub oparg: i32,
    pub target: Option<Label>,
    pub loc: Location,
}

/// Instructions in the order of the source, pseudo-instructions included.
#[derive(Default, Debug)]
pub struct InstructionSequence {
    pub(super) instrs: Vec<Instruction>,
    /// Index of the instruction a label stands before; `UNBOUND` until `use_label`.
    pub(super) labels: Vec<u32>,
    /// What `ANNOTATIONS_PLACEHOLDER` stands for.
    pub(super) annotations_code: Option<Box<InstructionSequence>>,
}

/// A label whose place is not known yet.
pub(super) const UNBOUND: u32 = u32::MAX;

impl InstructionSequence {
    pub fn new() -> InstructionSequence {
        InstructionSequence::default()
    }
    pub fn new_label(&mut self) -> Label {
        self.labels.push(UNBOUND);
        Label(self.labels.len() as u32 - 1)
    }
    /// Puts `label` before the next instruction added.
    pub fn use_label(&mut self, label: Label) {
        self.labels[label.0 as usize] = self.instrs.len() as u32;
    }
    pub fn addop(&mut self, op: Opcode, oparg: i32, loc: Location) {
        self.instrs.push(Instruction {
            op,
            oparg,
            target: None,
            loc,
        });
    }
    pub fn addop_noarg(&mut self, op: Opcode, loc: Location) {
        self.addop(op, 0, loc);
    }
    pub fn addop_jump(&mut self, op: Opcode, target: Label, loc: Location) {
        self.instrs.push(Instruction {
            op,
            oparg: 0,
            target: Some(target),
            loc,
        });
    }
    /// Inserts before position `pos`; labels at or after it move along
    /// (`_PyInstructionSequence_InsertInstruction`).
    pub fn insert(&mut self, pos: usize, op: Opcode, oparg: i32, loc: Location) {
        self.instrs.insert(
            pos,
            Instruction {
                op,
                oparg,
                target: None,
                loc,
            },
        );
        for place in &mut self.labels {
            if *place != UNBOUND && *place as usize >= pos {
                *place += 1;
            }
        }
    }
    /// `insert` of a jump.
    pub fn insert_jump(&mut self, pos: usize, op: Opcode, target: Label, loc: Location) {
        self.insert(pos, op, 0, loc);
        self.instrs[pos].target = Some(target);
    }
    pub fn set_annotations_code(&mut self, code: InstructionSequence) {
        self.annotations_code = Some(Box::new(code));
    }
    pub fn len(&self) -> usize {
        self.instrs.len()
    }
    pub fn is_empty(&self) -> bool {
        self.instrs.is_empty()
    }
    pub fn clear(&mut self) {
        self.instrs.clear();
        self.labels.clear();
        self.annotations_code = None;
    }
    pub fn instructions(&self) -> &[Instruction] {
        &self.instrs
    }
    pub fn last(&self) -> Option<&Instruction> {
        self.instrs.last()
    }
}

/// Most constants that are searched one by one.
const SHORT: usize = 8;

/// The constants of one unit in order of first use, each once (`u_consts`, keyed as `_PyCode_ConstantKey`).
#[derive(Default, Clone, Debug)]
pub struct Constants {
    items: Vec<Constant>,
    index: HashTable<u32>,
}

impl Constants {
    pub fn new() -> Constants {
        Constants::default()
    }
    /// Index of `value`, added at the end if it is new (`_PyCompile_DictAddObj`).
    pub fn add(&mut self, value: Constant) -> i32 {
        let items = &self.items;
        let found = match items.len() {
            0..=SHORT => items.iter().position(|item| same_key(item, &value)),
            _ => {
                let same = |&i: &u32| same_key(&items[i as usize], &value);
                let found = self.index.find(key_hash(&value), same);
                found.map(|&i| i as usize)
            }
        };
        found.unwrap_or_else(|| self.push(value)) as i32
    }
    fn push(&mut self, value: Constant) -> usize {
        let new = self.items.len();
        self.items.push(value);
        // A list that has just grown long is hashed as a whole.
        let unhashed = match new {
            0..SHORT => return new,
            SHORT => 0,
            _ => new,
        };
        let items = &self.items;
        for i in unhashed..=new {
            let hash = |&i: &u32| key_hash(&items[i as usize]);
            self.index.insert_unique(hash(&(i as u32)), i as u32, hash);
        }
        new
    }
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    pub fn get(&self, index: i32) -> Option<&Constant> {
        usize::try_from(index).ok().and_then(|i| self.items.get(i))
    }
    /// Keeps the constants marked in `used`; the new index of each of them by its old one.
    pub(super) fn keep(&mut self, used: &[bool]) -> Vec<i32> {
        let mut new_index = vec![-1; used.len()];
        let mut kept = Constants::new();
        for (i, value) in std::mem::take(&mut self.items).into_iter().enumerate() {
            if used[i] {
                new_index[i] = kept.push(value) as i32;
            }
        }
        *self = kept;
        new_index
    }
    pub fn as_slice(&self) -> &[Constant] {
        &self.items
    }
    pub fn into_vec(self) -> Vec<Constant> {
        self.items
    }
}

/// Code objects compare by content: a `finally` body is generated twice, and a function in it becomes one
/// constant (`code_richcompare`). Frozen sets compare without regard to order. A NaN is made anew by every folded
/// operation and equals none.
fn same_key(a: &Constant, b: &Constant) -> bool {
    match (a, b) {
        (Constant::Code(a), Constant::Code(b)) => Rc::ptr_eq(a, b) || same_code(a, b),
        (Constant::FrozenSet(a), Constant::FrozenSet(b)) => {
            a.len() == b.len() && a.iter().all(|x| b.contains(x))
        }
        (Constant::Tuple(a), Constant::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(x, y)| same_key(x, y))
        }
        (Constant::Float(a), Constant::Float(_)) if a.is_nan() => false,
        (Constant::Complex(a, b), Constant::Complex(..)) if a.is_nan() || b.is_nan() => false,
        _ => a == b,
    }
}

fn same_code(a: &CodeSpec, b: &CodeSpec) -> bool {
    a.firstlineno == b.firstlineno
        && a.name == b.name
        && a.argcount == b.argcount
        && a.posonlyargcount == b.posonlyargcount
        && a.kwonlyargcount == b.kwonlyargcount
        && a.flags == b.flags
        && a.code == b.code
        && a.names == b.names
        && a.localsplusnames == b.localsplusnames
        && a.linetable == b.linetable
        && a.exceptiontable == b.exceptiontable
        && a.consts.len() == b.consts.len()
        && a.consts.iter().zip(&b.consts).all(|(x, y)| same_key(x, y))
}

fn key_hash(value: &Constant) -> u64 {
    fn feed(value: &Constant, state: &mut FxHasher) {
        match value {
            Constant::Code(code) => {
                code.name.hash(state);
                code.firstlineno.hash(state);
            }
            Constant::FrozenSet(items) => items.len().hash(state),
            Constant::Tuple(items) => {
                items.len().hash(state);
                for item in items.iter() {
                    feed(item, state);
                }
            }
            _ => value.hash(state),
        }
    }
    let mut state = FxHasher::default();
    feed(value, &mut state);
    state.finish()
}

/// One code object before optimisation (`_PyCompile_CodeUnitMetadata` and its instructions).
#[derive(Debug)]
pub struct CodeUnit {
    pub name: Wtf8,
    pub qualname: Wtf8,
    pub filename: Rc<str>,
    /// `CO_*` flags, final.
    pub flags: u32,
    pub firstlineno: i32,
    /// `co_argcount`: positional-only ones count too.
    pub argcount: u32,
    pub posonlyargcount: u32,
    pub kwonlyargcount: u32,
    pub consts: Constants,
    pub names: Vec<Wtf8>,
    pub varnames: Vec<Wtf8>,
    pub cellvars: Vec<Wtf8>,
    /// `LOAD_DEREF` and its kin number cells first, then these.
    pub freevars: Vec<Wtf8>,
    /// Locals of inlined comprehensions outside functions (`u_fasthidden`).
    pub fast_hidden: Vec<Wtf8>,
    pub seq: InstructionSequence,
}
