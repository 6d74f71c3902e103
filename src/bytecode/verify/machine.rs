//! What each instruction does to the abstract stack and the locals.

use super::{Fault, fault};
use crate::bytecode::Opcode;
use crate::bytecode::instructions::Decoded;

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
    null: Null,
    support: Support,
}

impl Word {
    pub(super) const OBJECT: Word = Word::new(Null::Never);

    const fn new(null: Null) -> Word {
        let support = Support::Own;
        Word { null, support }
    }
    fn join(self, other: Word) -> Word {
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
        Word { null, support }
    }
}

/// What is known before an instruction on every path to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct State {
    pub(super) stack: Vec<Word>,
    /// Bit i: slot i certainly holds something.
    pub(super) bound: Vec<u64>,
}

impl State {
    fn is_bound(&self, slot: u32) -> bool {
        self.bound[slot as usize / 64] >> (slot % 64) & 1 != 0
    }
    pub(super) fn set_bound(&mut self, slot: u32, bound: bool) {
        let bit = 1 << (slot % 64);
        let word = &mut self.bound[slot as usize / 64];
        *word = if bound { *word | bit } else { *word & !bit };
    }
    /// Weakens this state to what also holds in `other`; None if their depths differ.
    pub(super) fn join(&mut self, other: &State) -> Option<bool> {
        if self.stack.len() != other.stack.len() {
            return None;
        }
        let mut changed = false;
        for (mine, theirs) in self.stack.iter_mut().zip(&other.stack) {
            let joined = mine.join(*theirs);
            changed |= joined != *mine;
            *mine = joined;
        }
        for (mine, theirs) in self.bound.iter_mut().zip(&other.bound) {
            changed |= *mine & !theirs != 0;
            *mine &= theirs;
        }
        Some(changed)
    }
}

/// One instruction at work on a state.
pub(super) struct Machine<'a> {
    pub(super) instr: Decoded,
    /// Locals, cells and free variables.
    pub(super) slots: u32,
    pub(super) state: &'a mut State,
}

impl Machine<'_> {
    fn fault<T>(&self, what: &str) -> Result<T, Fault> {
        fault(self.instr.offset, format!("{:?}: {what}", self.instr.op))
    }
    fn push(&mut self, null: Null) {
        self.state.stack.push(Word::new(null));
    }
    fn pop_any(&mut self) -> Result<Word, Fault> {
        match self.state.stack.pop() {
            Some(word) => Ok(word),
            None => self.fault("stack is empty"),
        }
    }
    /// Pops an object.
    fn pop(&mut self) -> Result<Word, Fault> {
        let word = self.pop_any()?;
        match word.null {
            Null::Never => Ok(word),
            _ => self.fault("operand may be NULL"),
        }
    }
    fn pop_many(&mut self, count: u32) -> Result<(), Fault> {
        (0..count).try_for_each(|_| self.pop().map(drop))
    }
    /// The word `depth` below the top, counted from 1.
    fn peek(&self, depth: u32) -> Result<usize, Fault> {
        match self.state.stack.len().checked_sub(depth as usize) {
            Some(at) if depth > 0 => Ok(at),
            _ => self.fault("stack is not deep enough"),
        }
    }
    fn kill(&mut self, slot: u32) -> Result<(), Fault> {
        let supported =
            |word: &Word| word.support == Support::Local(slot) || word.support == Support::Locals;
        if self.state.stack.iter().any(supported) {
            return self.fault("a reference borrowed from the local is still on the stack");
        }
        Ok(())
    }
    fn load(&mut self, slot: u32, support: Support) -> Result<(), Fault> {
        if !self.state.is_bound(slot) {
            return self.fault("local may be unbound");
        }
        let null = Null::Never;
        self.state.stack.push(Word { null, support });
        Ok(())
    }
    fn store(&mut self, slot: u32) -> Result<(), Fault> {
        // A comprehension that ran inline gives back what it set aside, which may be nothing.
        let value = self.pop_any()?;
        if value.support != Support::Own {
            return self.fault("a borrowed reference is stored");
        }
        self.kill(slot)?;
        self.state.set_bound(slot, value.null == Null::Never);
        Ok(())
    }
    /// `callable, self or NULL, arguments`
    fn call(&mut self, arguments: u32) -> Result<(), Fault> {
        self.pop_many(arguments)?;
        self.pop_any()?;
        self.pop()?;
        self.push(Null::Never);
        Ok(())
    }

    pub(super) fn step(&mut self) -> Result<(), Fault> {
        let arg = self.instr.oparg;
        match self.instr.op {
            Opcode::EXTENDED_ARG => {}
            Opcode::PUSH_NULL => self.push(Null::Always),
            Opcode::POP_TOP => drop(self.pop_any()?),
            Opcode::LOAD_FAST => self.load(arg, Support::Own)?,
            Opcode::LOAD_FAST_BORROW => self.load(arg, Support::Local(arg))?,
            Opcode::LOAD_FAST_CHECK => {
                self.state.set_bound(arg, true);
                self.push(Null::Never);
            }
            Opcode::LOAD_FAST_LOAD_FAST => {
                self.load(arg >> 4, Support::Own)?;
                self.load(arg & 15, Support::Own)?;
            }
            Opcode::LOAD_FAST_BORROW_LOAD_FAST_BORROW => {
                self.load(arg >> 4, Support::Local(arg >> 4))?;
                self.load(arg & 15, Support::Local(arg & 15))?;
            }
            Opcode::LOAD_FAST_AND_CLEAR => {
                self.kill(arg)?;
                let bound = self.state.is_bound(arg);
                self.push(if bound { Null::Never } else { Null::Maybe });
                self.state.set_bound(arg, false);
            }
            Opcode::STORE_FAST => self.store(arg)?,
            Opcode::STORE_FAST_LOAD_FAST => {
                self.store(arg >> 4)?;
                self.load(arg & 15, Support::Own)?;
            }
            Opcode::STORE_FAST_STORE_FAST => {
                self.store(arg >> 4)?;
                self.store(arg & 15)?;
            }
            Opcode::DELETE_FAST => {
                self.kill(arg)?;
                self.state.set_bound(arg, false);
            }
            Opcode::MAKE_CELL => {
                self.kill(arg)?;
                self.state.set_bound(arg, true);
            }
            Opcode::COPY_FREE_VARS => {
                // They are the last slots.
                for slot in self.slots - arg..self.slots {
                    self.state.set_bound(slot, true);
                }
            }
            Opcode::COPY => {
                let at = self.peek(arg)?;
                self.state.stack.push(self.state.stack[at]);
            }
            Opcode::SWAP => {
                let (at, top) = (self.peek(arg)?, self.peek(1)?);
                self.state.stack.swap(at, top);
            }
            // These change an object further down.
            Opcode::LIST_APPEND
            | Opcode::SET_ADD
            | Opcode::LIST_EXTEND
            | Opcode::SET_UPDATE
            | Opcode::DICT_UPDATE => {
                self.pop()?;
                self.peek(arg)?;
            }
            // The message of an error names the callable below.
            Opcode::DICT_MERGE => {
                self.pop()?;
                self.peek(arg + 3)?;
            }
            Opcode::MAP_ADD => {
                self.pop_many(2)?;
                self.peek(arg)?;
            }
            // These leave their operands.
            Opcode::GET_LEN
            | Opcode::MATCH_MAPPING
            | Opcode::MATCH_SEQUENCE
            | Opcode::IMPORT_FROM
            | Opcode::GET_ANEXT
            | Opcode::FOR_ITER => {
                self.peek(1)?;
                self.push(Null::Never);
            }
            Opcode::MATCH_KEYS => {
                self.peek(2)?;
                self.push(Null::Never);
            }
            Opcode::WITH_EXCEPT_START => {
                self.peek(5)?;
                self.push(Null::Never);
            }
            Opcode::CHECK_EXC_MATCH => {
                self.pop()?;
                self.peek(1)?;
                self.push(Null::Never);
            }
            Opcode::SEND => {
                self.pop()?;
                self.peek(1)?;
                self.push(Null::Never);
            }
            Opcode::RERAISE => {
                self.pop()?;
                if arg > 0 {
                    self.peek(arg)?;
                }
            }
            Opcode::LOAD_GLOBAL => {
                self.push(Null::Never);
                if arg & 1 != 0 {
                    self.push(Null::Always);
                }
            }
            Opcode::LOAD_ATTR | Opcode::LOAD_SUPER_ATTR => {
                let receiver = self.pop()?;
                if self.instr.op == Opcode::LOAD_SUPER_ATTR {
                    self.pop_many(2)?;
                }
                self.push(Null::Never);
                self.method_self(receiver, arg & 1 != 0);
            }
            Opcode::LOAD_SPECIAL => {
                let receiver = self.pop()?;
                self.push(Null::Never);
                self.method_self(receiver, true);
            }
            Opcode::CALL => self.call(arg)?,
            Opcode::CALL_KW => {
                self.pop()?;
                self.call(arg)?;
            }
            Opcode::CALL_FUNCTION_EX => {
                self.pop_any()?;
                self.call(1)?;
            }
            op => {
                let oparg = arg as i32;
                let counts = (op.num_popped(oparg), op.num_pushed(oparg));
                let (Some(popped), Some(pushed)) = counts else {
                    return self.fault("unknown stack effect");
                };
                self.pop_many(popped as u32)?;
                (0..pushed).for_each(|_| self.push(Null::Never));
            }
        }
        Ok(())
    }

    /// A method's receiver, NULL if what was found is no method.
    fn method_self(&mut self, receiver: Word, pushed: bool) {
        if pushed {
            let null = Null::Maybe;
            self.state.stack.push(Word { null, ..receiver });
        }
    }
}
