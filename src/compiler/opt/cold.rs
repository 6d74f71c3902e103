//! Blocks that only exceptions lead to move to the end (`push_cold_blocks_to_end`).

use super::nops::remove_redundant_nops_and_jumps;
use crate::bytecode::Opcode;
use crate::compiler::cfg::{BlockId, Cfg};
use crate::compiler::error::CompileError;
use crate::compiler::instr::NO_LOCATION;

/// What control reaches from `b` without an exception: the next block, then jump targets.
fn successors(cfg: &Cfg, b: BlockId) -> impl Iterator<Item = BlockId> + use<> {
    let block = &cfg[b];
    let next = block.next.filter(|_| block.has_fallthrough());
    // Jumps stand only at the end of a block.
    let target = block.last().filter(|i| i.is_jump()).and_then(|i| i.target);
    next.into_iter().chain(target)
}

fn mark_warm(cfg: &mut Cfg) {
    let mut work = cfg.traversal();
    let entry = cfg.entry();
    cfg.visit(entry, &mut work);
    while let Some(b) = work.pop() {
        cfg[b].warm = true;
        for successor in successors(cfg, b) {
            cfg.visit(successor, &mut work);
        }
    }
    cfg.recycle(work);
}

fn mark_cold(cfg: &mut Cfg) {
    mark_warm(cfg);
    let mut work = cfg.traversal();
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        if cfg[b].except_handler {
            cfg.visit(b, &mut work);
        }
        cursor = cfg[b].next;
    }
    while let Some(b) = work.pop() {
        cfg[b].cold = true;
        for successor in successors(cfg, b) {
            if !cfg[successor].warm {
                cfg.visit(successor, &mut work);
            }
        }
    }
    cfg.recycle(work);
}

pub fn push_cold_blocks_to_end(cfg: &mut Cfg) -> Result<(), CompileError> {
    if cfg[cfg.entry()].next.is_none() {
        return Ok(());
    }
    mark_cold(cfg);
    // A cold block must not lose the warm one it falls into.
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        cursor = cfg[b].next;
        let Some(next) = cfg[b].next else { break };
        if cfg[b].cold && cfg[b].has_fallthrough() && cfg[next].warm {
            let jump = cfg.new_block();
            cfg[next].labelled = true;
            let block = &mut cfg[jump];
            block.add_jump(Opcode::JUMP_NO_INTERRUPT, next, NO_LOCATION);
            block.cold = true;
            block.predecessors = 1;
            block.next = Some(next);
            cfg[b].next = Some(jump);
        }
    }
    // Neither kind changes its order.
    let order: Vec<BlockId> = cfg.iter().collect();
    let is_cold = |b: &&BlockId| cfg[**b].cold;
    if !order.iter().any(|b| cfg[*b].cold) {
        return Ok(());
    }
    let warm = order.iter().filter(|b| !is_cold(b));
    let layout: Vec<BlockId> = warm.chain(order.iter().filter(is_cold)).copied().collect();
    for (i, &b) in layout.iter().enumerate() {
        cfg[b].next = layout.get(i + 1).copied();
    }
    remove_redundant_nops_and_jumps(cfg)
}
