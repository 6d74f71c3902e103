//! Loads of locals that need not own what they load (`optimize_load_fast`).
//!
//! `LOAD_FAST_BORROW` pushes a reference without counting it, which is sound only while the local keeps the
//! object alive. The interpreter promises two lifetimes:
//!
//! 1. A borrowed reference on the stack lives until the end of the instruction that consumes it. Where it would
//!    get into the heap (a frame object, a generator, a container) the instruction makes an owned one of it.
//! 2. A local lives until an instruction kills it (a store, a deletion, a clearing load) or its frame is unwound.
//!    A write through `f_locals` keeps the old value alive in the frame object.
//!
//! Locals never hold borrowed references, except arguments; returning and yielding make owned references.
//!
//! A load may therefore borrow if what it pushes is consumed before its local is killed, is not itself stored in
//! a local, and does not outlast its basic block. Blocks are interpreted one by one on a stack of abstract
//! references, each of which knows its load and its local; whatever breaks a rule marks the load, and the
//! unmarked loads borrow. Values that come from other blocks are unknown.

use crate::bytecode::Opcode;
use crate::compiler::cfg::{BlockId, Cfg, has_target, is_block_push};

/// A word on the abstract stack.
#[derive(Clone, Copy)]
struct Ref {
    /// The instruction of this block that pushed it.
    instr: Option<u32>,
    /// The local it was loaded from.
    local: Option<i32>,
}

const UNKNOWN: Ref = Ref {
    instr: None,
    local: None,
};

/// One block under interpretation.
struct Interpreter {
    stack: Vec<Ref>,
    /// By instruction: the reference it pushed must be an owned one.
    owned: Vec<bool>,
}

impl Interpreter {
    fn push(&mut self, instr: usize, local: Option<i32>) {
        let instr = Some(instr as u32);
        self.stack.push(Ref { instr, local });
    }
    fn pop(&mut self) -> Ref {
        self.stack.pop().unwrap_or(UNKNOWN)
    }
    fn pop_many(&mut self, count: i32) {
        let len = self.stack.len().saturating_sub(count as usize);
        self.stack.truncate(len);
    }
    fn own(&mut self, reference: Ref) {
        if let Some(instr) = reference.instr {
            self.owned[instr as usize] = true;
        }
    }
    fn kill_local(&mut self, local: i32) {
        for i in 0..self.stack.len() {
            if self.stack[i].local == Some(local) {
                self.own(self.stack[i]);
            }
        }
    }
    fn store_local(&mut self, local: i32) {
        let value = self.pop();
        self.kill_local(local);
        self.own(value);
    }
    /// The element `depth` below the top, counted from 1.
    fn index(&self, depth: i32) -> Option<usize> {
        self.stack.len().checked_sub(depth as usize)
    }
}

/// Pops and pushes of an instruction whose kind has been checked before.
fn counts(op: Opcode, oparg: i32) -> (i32, i32) {
    let popped = op.num_popped(oparg).unwrap_or(0);
    (popped, op.num_pushed(oparg).unwrap_or(0))
}

/// Interprets instruction `i`; what it does on the way to its jump target is the caller's business.
fn step(state: &mut Interpreter, i: usize, op: Opcode, oparg: i32) {
    match op {
        Opcode::LOAD_FAST => state.push(i, Some(oparg)),
        Opcode::LOAD_FAST_AND_CLEAR => {
            state.kill_local(oparg);
            state.push(i, Some(oparg));
        }
        Opcode::LOAD_FAST_LOAD_FAST => {
            state.push(i, Some(oparg >> 4));
            state.push(i, Some(oparg & 15));
        }
        Opcode::STORE_FAST => state.store_local(oparg),
        Opcode::STORE_FAST_LOAD_FAST => {
            state.store_local(oparg >> 4);
            state.push(i, Some(oparg & 15));
        }
        Opcode::STORE_FAST_STORE_FAST => {
            state.store_local(oparg >> 4);
            state.store_local(oparg & 15);
        }
        Opcode::DELETE_FAST => state.kill_local(oparg),
        Opcode::COPY => {
            let copied = state.index(oparg).map_or(UNKNOWN, |at| state.stack[at]);
            state.stack.push(copied);
        }
        Opcode::SWAP => {
            if let (Some(at), Some(top)) = (state.index(oparg), state.index(1)) {
                state.stack.swap(at, top);
            }
        }
        // These leave their inputs on the stack, or may push them back.
        Opcode::FORMAT_SIMPLE
        | Opcode::GET_ANEXT
        | Opcode::GET_LEN
        | Opcode::GET_YIELD_FROM_ITER
        | Opcode::IMPORT_FROM
        | Opcode::MATCH_KEYS
        | Opcode::MATCH_MAPPING
        | Opcode::MATCH_SEQUENCE
        | Opcode::WITH_EXCEPT_START => {
            // CPython counts what is pushed with the variable that numbers the instructions, so the words pass for
            // the block's first instructions' and make those own what they load.
            let (popped, pushed) = counts(op, oparg);
            for n in 0..pushed - popped {
                state.push(n as usize, None);
            }
        }
        Opcode::DICT_MERGE
        | Opcode::DICT_UPDATE
        | Opcode::LIST_APPEND
        | Opcode::LIST_EXTEND
        | Opcode::MAP_ADD
        | Opcode::RERAISE
        | Opcode::SET_ADD
        | Opcode::SET_UPDATE => {
            let (popped, pushed) = counts(op, oparg);
            state.pop_many(popped - pushed);
        }
        Opcode::END_SEND | Opcode::SET_FUNCTION_ATTRIBUTE => {
            let top = state.pop();
            state.pop();
            state.stack.push(top);
        }
        Opcode::CHECK_EXC_MATCH => {
            state.pop();
            state.push(i, None);
        }
        Opcode::FOR_ITER => state.push(i, None),
        Opcode::LOAD_ATTR | Opcode::LOAD_SUPER_ATTR => {
            let receiver = state.pop();
            if op == Opcode::LOAD_SUPER_ATTR {
                state.pop_many(2);
            }
            state.push(i, None);
            // A method call may push the receiver back.
            if oparg & 1 != 0 {
                state.stack.push(receiver);
            }
        }
        Opcode::LOAD_SPECIAL | Opcode::PUSH_EXC_INFO => {
            let top = state.pop();
            state.push(i, None);
            state.stack.push(top);
        }
        Opcode::SEND => {
            state.pop();
            state.push(i, None);
        }
        // On the way on, a block-push instruction does nothing.
        _ if is_block_push(op) => {}
        _ => {
            let (popped, pushed) = counts(op, oparg);
            state.pop_many(popped);
            for _ in 0..pushed {
                state.push(i, None);
            }
        }
    }
}

fn optimize_block(cfg: &mut Cfg, b: BlockId, state: &mut Interpreter, work: &mut Vec<BlockId>) {
    state.owned.clear();
    state.owned.resize(cfg[b].instrs.len(), false);
    state.stack.clear();
    let depth = cfg[b].start_depth.max(0) as usize;
    state.stack.resize(depth, UNKNOWN);
    let mut instrs = std::mem::take(&mut cfg[b].instrs);
    for (i, instr) in instrs.iter().enumerate() {
        if let (Some(target), true) = (instr.target, has_target(instr.op)) {
            cfg.visit(target, work);
        }
        step(state, i, instr.op, instr.oparg);
    }
    for i in 0..state.stack.len() {
        state.own(state.stack[i]);
    }
    for (instr, &owned) in instrs.iter_mut().zip(&state.owned) {
        if !owned {
            instr.op = match instr.op {
                Opcode::LOAD_FAST => Opcode::LOAD_FAST_BORROW,
                Opcode::LOAD_FAST_LOAD_FAST => Opcode::LOAD_FAST_BORROW_LOAD_FAST_BORROW,
                op => op,
            };
        }
    }
    cfg[b].instrs = instrs;
    // An empty block is not looked through: what only it leads to keeps owning loads.
    if let (Some(next), true) = (cfg[b].next, cfg[b].has_fallthrough())
        && !cfg[b].instrs.is_empty()
    {
        cfg.visit(next, work);
    }
}

pub fn optimize_load_fast(cfg: &mut Cfg) {
    let mut work = cfg.traversal();
    let entry = cfg.entry();
    cfg[entry].start_depth = 0;
    cfg.visit(entry, &mut work);
    let mut state = Interpreter {
        stack: Vec::new(),
        owned: Vec::new(),
    };
    while let Some(b) = work.pop() {
        optimize_block(cfg, b, &mut state, &mut work);
    }
    cfg.recycle(work);
}
