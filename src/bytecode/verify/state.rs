//! What is known before an instruction: of the words on the stack and of the locals.

use super::sort::Sort;
use crate::bytecode::spec::Constant;

/// Whether a word may be NULL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Null {
    Never,
    Maybe,
    Always,
}

/// What keeps a borrowed reference alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Support {
    /// The word owns its object.
    Own,
    Local(u32),
    /// One of several locals, by the path taken.
    Locals,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word {
    pub(super) null: Null,
    pub(super) support: Support,
    pub(super) sort: Sort,
}

impl Word {
    pub(super) const OBJECT: Word = Word::object(Sort::Any);
    pub(super) const NULL: Word = Word {
        null: Null::Always,
        ..Word::OBJECT
    };

    pub(super) const fn object(sort: Sort) -> Word {
        Word {
            null: Null::Never,
            support: Support::Own,
            sort,
        }
    }
    fn join(self, other: Word, consts: &[Constant]) -> Option<Word> {
        let null = if self.null == other.null {
            self.null
        } else {
            Null::Maybe
        };
        let support = match (self.support, other.support) {
            (a, b) if a == b => a,
            (Support::Own, borrowed) | (borrowed, Support::Own) => borrowed,
            _ => Support::Locals,
        };
        // A NULL may stand for an object of any sort.
        let sort = match (self.null, other.null) {
            (Null::Always, _) => other.sort,
            (_, Null::Always) => self.sort,
            _ => self.sort.join(other.sort, consts)?,
        };
        Some(Word {
            null,
            support,
            sort,
        })
    }
}

/// What is known before an instruction on every path to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct State {
    pub(super) stack: Vec<Word>,
    pub(super) locals: Locals,
}

/// One bit a slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Locals {
    /// It certainly holds something.
    bound: Vec<u64>,
    /// It certainly holds a cell.
    cell: Vec<u64>,
}

/// What a slot holds: perhaps nothing, something, a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Perhaps,
    Bound,
    Cell,
}

impl Locals {
    pub(super) fn new(slots: usize) -> Locals {
        let none = vec![0; slots.div_ceil(64)];
        Locals {
            bound: none.clone(),
            cell: none,
        }
    }
    pub(super) fn get(&self, slot: u32) -> Slot {
        let bit = |bits: &[u64]| bits[slot as usize / 64] >> (slot % 64) & 1 != 0;
        match (bit(&self.bound), bit(&self.cell)) {
            (false, _) => Slot::Perhaps,
            (true, false) => Slot::Bound,
            (true, true) => Slot::Cell,
        }
    }
    pub(super) fn set(&mut self, slot: u32, is: Slot) {
        let bit = 1 << (slot % 64);
        for (bits, on) in [
            (&mut self.bound, is != Slot::Perhaps),
            (&mut self.cell, is == Slot::Cell),
        ] {
            let word = &mut bits[slot as usize / 64];
            *word = if on { *word | bit } else { *word & !bit };
        }
    }
    /// Weakens to what also holds in `other`; whether that is less.
    fn join(&mut self, other: &Locals) -> bool {
        let mut changed = false;
        for (mine, theirs) in [
            (&mut self.bound, &other.bound),
            (&mut self.cell, &other.cell),
        ] {
            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                changed |= *mine & !theirs != 0;
                *mine &= theirs;
            }
        }
        changed
    }
}

/// Why two states do not join.
pub(super) enum Apart {
    Depths,
    Words,
}

impl State {
    /// Weakens this state to what also holds in `other`; whether that is less.
    pub(super) fn join(&mut self, other: &State, consts: &[Constant]) -> Result<bool, Apart> {
        if self.stack.len() != other.stack.len() {
            return Err(Apart::Depths);
        }
        let mut changed = false;
        for (mine, theirs) in self.stack.iter_mut().zip(&other.stack) {
            let joined = mine.join(*theirs, consts).ok_or(Apart::Words)?;
            changed |= joined != *mine;
            *mine = joined;
        }
        Ok(changed | self.locals.join(&other.locals))
    }
}
