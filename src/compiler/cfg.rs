//! The control-flow graph the passes work on: basic blocks in one arena, linked in the order they will be laid
//! out (`flowgraph.c`, `cfg_builder` and `basicblock`).

use super::error::CompileError;
use super::instr::{InstructionSequence, Label, Location, UNBOUND};
use crate::bytecode::Opcode;
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

/// A block's place in the arena. One is added so that an absent block costs nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockId(NonZeroU32);

impl BlockId {
    fn new(index: usize) -> BlockId {
        let stored = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        BlockId(stored.expect("fewer than 2^32 blocks"))
    }
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// One instruction in a block (`cfg_instr`).
#[derive(Clone, Copy, Debug)]
pub struct CfgInstr {
    pub op: Opcode,
    pub oparg: i32,
    /// Where a jump or a block-push instruction leads.
    pub target: Option<BlockId>,
    /// The handler an exception here goes to.
    pub except: Option<BlockId>,
    pub loc: Location,
}

impl CfgInstr {
    pub fn new(op: Opcode, oparg: i32, loc: Location) -> CfgInstr {
        CfgInstr {
            op,
            oparg,
            target: None,
            except: None,
            loc,
        }
    }
    /// `INSTR_SET_OP0(NOP)`: the location stays, so that the line is still reached.
    pub fn set_nop(&mut self) {
        self.set_op0(Opcode::NOP);
    }
    pub fn set_op0(&mut self, op: Opcode) {
        self.op = op;
        self.oparg = 0;
        self.target = None;
    }
    pub fn set_op1(&mut self, op: Opcode, oparg: i32) {
        self.op = op;
        self.oparg = oparg;
    }
    pub fn is_jump(&self) -> bool {
        self.op.has_jump()
    }
    pub fn is_block_push(&self) -> bool {
        is_block_push(self.op)
    }
}

/// Stack depth of a block that no pass has visited.
pub const UNKNOWN_DEPTH: i32 = i32::MIN;

#[derive(Debug)]
pub struct Block {
    pub instrs: Vec<CfgInstr>,
    /// The block laid out after this one, reached by falling through where the end allows it.
    pub next: Option<BlockId>,
    /// Some jump may lead here (`IS_LABEL(b_label)`).
    pub labelled: bool,
    pub predecessors: u32,
    pub start_depth: i32,
    /// The handler needs the offset of the failing instruction (`b_preserve_lasti`).
    pub preserve_lasti: bool,
    pub except_handler: bool,
    pub visited: bool,
    pub cold: bool,
    pub warm: bool,
    /// Bit i: local i may be unbound on entry (`b_unsafe_locals_mask`).
    pub unsafe_locals: u64,
    /// What it was when the block was last scanned for them.
    pub scanned_locals: Option<u64>,
    /// Handlers of instructions that were cut off the end, the next slot's last. CPython reuses the slot with
    /// the handler that is still in it, and the exception table shows it.
    leftover: Vec<Option<BlockId>>,
}

impl Block {
    /// An empty block in the memory of two lists.
    fn new(mut instrs: Vec<CfgInstr>, mut leftover: Vec<Option<BlockId>>) -> Block {
        instrs.clear();
        leftover.clear();
        Block {
            instrs,
            next: None,
            labelled: false,
            predecessors: 0,
            start_depth: UNKNOWN_DEPTH,
            preserve_lasti: false,
            except_handler: false,
            visited: false,
            cold: false,
            warm: false,
            unsafe_locals: 0,
            scanned_locals: None,
            leftover,
        }
    }
    /// Appends an instruction that has no handler of its own (`basicblock_addop`).
    pub fn add_op(&mut self, op: Opcode, oparg: i32, loc: Location) {
        let mut instr = CfgInstr::new(op, oparg, loc);
        instr.except = self.leftover.pop().flatten();
        self.instrs.push(instr);
    }
    /// Appends a jump (`basicblock_add_jump`).
    pub fn add_jump(&mut self, op: Opcode, target: BlockId, loc: Location) {
        self.add_op(op, 0, loc);
        if let Some(jump) = self.instrs.last_mut() {
            jump.target = Some(target);
        }
    }
    /// Appends whole instructions (`basicblock_append_instructions`).
    pub fn append(&mut self, instrs: &[CfgInstr]) {
        self.drop_leftover(instrs.len());
        self.instrs.extend_from_slice(instrs);
    }
    /// Inserts whole instructions (`basicblock_insert_instruction`).
    pub fn insert(&mut self, at: usize, instrs: &[CfgInstr]) {
        self.drop_leftover(instrs.len());
        self.instrs.splice(at..at, instrs.iter().copied());
    }
    /// Keeps the first `len` instructions.
    pub fn truncate(&mut self, len: usize) {
        let handlers = self.instrs[len..].iter().rev().map(|i| i.except);
        self.leftover.extend(handlers);
        self.instrs.truncate(len);
    }
    fn drop_leftover(&mut self, slots: usize) {
        let kept = self.leftover.len().saturating_sub(slots);
        self.leftover.truncate(kept);
    }
    pub fn last(&self) -> Option<&CfgInstr> {
        self.instrs.last()
    }
    /// `BB_HAS_FALLTHROUGH`; an empty block falls through.
    pub fn has_fallthrough(&self) -> bool {
        self.last()
            .is_none_or(|i| !is_scope_exit(i.op) && !is_unconditional_jump(i.op))
    }
    pub fn exits_scope(&self) -> bool {
        self.last().is_some_and(|i| is_scope_exit(i.op))
    }
    pub fn has_no_lineno(&self) -> bool {
        self.instrs.iter().all(|i| i.loc.lineno < 0)
    }
    /// Opcode of instruction `i`, CACHE past the end.
    pub fn op_at(&self, i: usize) -> Opcode {
        self.instrs.get(i).map_or(Opcode::CACHE, |x| x.op)
    }
}

/// A graph, made again for every unit in the same memory: units are small and many.
#[derive(Debug)]
pub struct Cfg {
    /// The graph's blocks, then those of earlier and larger graphs.
    blocks: Vec<Block>,
    count: usize,
    entry: BlockId,
    /// Whether any instruction pushes a block.
    pub has_handlers: bool,
    /// The memory of a finished work list.
    spare_work: Vec<BlockId>,
    /// For every instruction of the sequence: not a target, a target, or (once its block exists) the block's index.
    places: Vec<u32>,
    jumps: Vec<(BlockId, u32, Label)>,
}

impl Default for Cfg {
    fn default() -> Cfg {
        Cfg {
            blocks: Vec::new(),
            count: 0,
            entry: BlockId::new(0),
            has_handlers: false,
            spare_work: Vec::new(),
            places: Vec::new(),
            jumps: Vec::new(),
        }
    }
}

impl Index<BlockId> for Cfg {
    type Output = Block;
    fn index(&self, b: BlockId) -> &Block {
        &self.blocks[b.index()]
    }
}
impl IndexMut<BlockId> for Cfg {
    fn index_mut(&mut self, b: BlockId) -> &mut Block {
        &mut self.blocks[b.index()]
    }
}

impl Cfg {
    pub fn from_sequence(seq: &InstructionSequence) -> Result<Cfg, CompileError> {
        let mut cfg = Cfg::default();
        cfg.rebuild(seq)?;
        Ok(cfg)
    }

    /// Cuts a sequence into blocks and resolves its labels (`_PyCfg_FromInstructionSequence` and
    /// `translate_jump_labels_to_targets`).
    pub fn rebuild(&mut self, seq: &InstructionSequence) -> Result<(), CompileError> {
        const NOT_A_TARGET: u32 = u32::MAX;
        const TARGET: u32 = u32::MAX - 1;
        let mut places = std::mem::take(&mut self.places);
        let mut jumps = std::mem::take(&mut self.jumps);
        places.clear();
        places.resize(seq.instrs.len(), NOT_A_TARGET);
        jumps.clear();
        let place_of = |label: Label| {
            let place = seq.labels.get(label.0 as usize).copied();
            match place {
                Some(p) if p != UNBOUND && (p as usize) < seq.instrs.len() => Ok(p as usize),
                _ => Err(CompileError::system("jump to a label that stands nowhere")),
            }
        };
        for label in seq.instrs.iter().filter_map(|instr| instr.target) {
            places[place_of(label)?] = TARGET;
        }

        self.count = 0;
        self.has_handlers = false;
        self.entry = self.new_block();
        let mut current = self.entry;
        let mut terminated = false;
        for (at, instr) in seq.instrs.iter().enumerate() {
            if instr.op == Opcode::ANNOTATIONS_PLACEHOLDER {
                let code = seq.annotations_code.iter().flat_map(|code| &code.instrs);
                let instrs = code.map(|i| CfgInstr::new(i.op, i.oparg, i.loc));
                let block = &mut self[current];
                block.instrs.extend(instrs);
                terminated = block.last().is_some_and(|last| is_terminator(last.op));
                continue;
            }
            let is_target = places[at] == TARGET;
            if terminated || is_target {
                let block = &self[current];
                if terminated || !block.instrs.is_empty() || block.labelled {
                    let new = self.new_block();
                    self[current].next = Some(new);
                    current = new;
                }
                if is_target {
                    self[current].labelled = true;
                    places[at] = current.index() as u32;
                }
            }
            let is_push = is_block_push(instr.op);
            let is_jump = instr.op.has_jump();
            let instrs = &mut self[current].instrs;
            match instr.target {
                Some(label) if is_jump || is_push => {
                    jumps.push((current, instrs.len() as u32, label));
                }
                None if !is_jump && !is_push => {}
                _ => return Err(CompileError::system(format!("target of {:?}", instr.op))),
            }
            instrs.push(CfgInstr::new(instr.op, instr.oparg, instr.loc));
            terminated = is_jump || is_scope_exit(instr.op);
            self.has_handlers |= is_push;
        }
        for &(block, i, label) in &jumps {
            match places[place_of(label)?] {
                place if place < TARGET => {
                    self[block].instrs[i as usize].target = Some(BlockId::new(place as usize));
                }
                _ => return Err(CompileError::system("jump to the annotations")),
            }
        }
        (self.places, self.jumps) = (places, jumps);
        Ok(())
    }

    pub fn entry(&self) -> BlockId {
        self.entry
    }
    /// Blocks ever made, unlinked ones included: the size of a table indexed by `BlockId`.
    pub fn block_count(&self) -> usize {
        self.count
    }
    /// A new block, in no list yet.
    pub fn new_block(&mut self) -> BlockId {
        match self.blocks.get_mut(self.count) {
            Some(old) => {
                let instrs = std::mem::take(&mut old.instrs);
                *old = Block::new(instrs, std::mem::take(&mut old.leftover));
            }
            None => self.blocks.push(Block::new(Vec::new(), Vec::new())),
        }
        self.count += 1;
        BlockId::new(self.count - 1)
    }
    /// A copy of `block`'s instructions in a new block, which is in no list yet.
    pub fn copy_block(&mut self, block: BlockId) -> BlockId {
        let copy = self.new_block();
        let mut instrs = std::mem::take(&mut self[copy].instrs);
        instrs.extend_from_slice(&self[block].instrs);
        self[copy].instrs = instrs;
        copy
    }
    /// The blocks in layout order.
    pub fn iter(&self) -> impl Iterator<Item = BlockId> + '_ {
        std::iter::successors(Some(self.entry), |&b| self[b].next)
    }
    /// `block` itself or the first block after it that has an instruction.
    pub fn next_nonempty(&self, block: Option<BlockId>) -> Option<BlockId> {
        let mut block = block;
        while let Some(b) = block {
            if !self[b].instrs.is_empty() {
                break;
            }
            block = self[b].next;
        }
        block
    }
    /// Clears every block's `visited` and returns an empty work list (`make_cfg_traversal_stack`).
    pub fn traversal(&mut self) -> Vec<BlockId> {
        for block in &mut self.blocks[..self.count] {
            block.visited = false;
        }
        std::mem::take(&mut self.spare_work)
    }
    /// Takes back a work list that is done with.
    pub fn recycle(&mut self, work: Vec<BlockId>) {
        debug_assert!(work.is_empty());
        self.spare_work = work;
    }
    /// Marks `block` and puts it on the work list, once.
    pub fn visit(&mut self, block: BlockId, work: &mut Vec<BlockId>) -> bool {
        let new = !std::mem::replace(&mut self[block].visited, true);
        if new {
            work.push(block);
        }
        new
    }
}

/// `IS_BLOCK_PUSH_OPCODE`
pub fn is_block_push(op: Opcode) -> bool {
    op.handler_words().is_some()
}
/// `IS_UNCONDITIONAL_JUMP_OPCODE`
pub fn is_unconditional_jump(op: Opcode) -> bool {
    matches!(
        op,
        Opcode::JUMP
            | Opcode::JUMP_NO_INTERRUPT
            | Opcode::JUMP_FORWARD
            | Opcode::JUMP_BACKWARD
            | Opcode::JUMP_BACKWARD_NO_INTERRUPT
    )
}
/// `IS_SCOPE_EXIT_OPCODE`
pub fn is_scope_exit(op: Opcode) -> bool {
    matches!(
        op,
        Opcode::RETURN_VALUE | Opcode::RAISE_VARARGS | Opcode::RERAISE
    )
}
/// `HAS_TARGET`
pub fn has_target(op: Opcode) -> bool {
    op.has_jump() || is_block_push(op)
}
/// `IS_TERMINATOR_OPCODE`: nothing follows it in a block.
pub fn is_terminator(op: Opcode) -> bool {
    op.has_jump() || is_scope_exit(op)
}
