//! A load of a local that may be unbound becomes `LOAD_FAST_CHECK`
//! (`add_checks_for_loads_of_uninitialized_variables`).

use crate::bytecode::Opcode;
use crate::compiler::cfg::{BlockId, Cfg};

/// Locals that are followed through the whole graph, one bit each.
const TRACKED: usize = 64;

/// Joins `mask` into the block's and queues it if that says something new (`maybe_push`).
fn maybe_push(cfg: &mut Cfg, b: BlockId, mask: u64, work: &mut Vec<BlockId>) {
    let block = &mut cfg[b];
    let both = block.unsafe_locals | mask;
    if block.unsafe_locals != both {
        block.unsafe_locals = both;
        cfg.visit(b, work);
    }
}

/// `scan_block_for_locals`
fn scan_block(cfg: &mut Cfg, b: BlockId, work: &mut Vec<BlockId>) {
    let mut mask = cfg[b].unsafe_locals;
    // The same locals again would change nothing.
    if cfg[b].scanned_locals.replace(mask) == Some(mask) {
        return;
    }
    // Neighbouring instructions mostly share handler and mask.
    let mut told = None;
    let mut instrs = std::mem::take(&mut cfg[b].instrs);
    for instr in &mut instrs {
        if let Some(handler) = instr.except
            && told != Some((handler, mask))
        {
            maybe_push(cfg, handler, mask, work);
            told = Some((handler, mask));
        }
        // Of an operand that is no tracked local nothing is left.
        let bit = 1u64.checked_shl(instr.oparg as u32).unwrap_or(0);
        match instr.op {
            Opcode::DELETE_FAST | Opcode::LOAD_FAST_AND_CLEAR | Opcode::STORE_FAST_MAYBE_NULL => {
                mask |= bit;
            }
            // A checked load raises if there is nothing, so after it there is something.
            Opcode::STORE_FAST | Opcode::LOAD_FAST_CHECK => mask &= !bit,
            Opcode::LOAD_FAST => {
                if mask & bit != 0 {
                    instr.op = Opcode::LOAD_FAST_CHECK;
                }
                mask &= !bit;
            }
            _ => {}
        }
    }
    cfg[b].instrs = instrs;
    if let (Some(next), true) = (cfg[b].next, cfg[b].has_fallthrough()) {
        maybe_push(cfg, next, mask, work);
    }
    if let Some(&last) = cfg[b].last()
        && last.is_jump()
        && let Some(target) = last.target
    {
        maybe_push(cfg, target, mask, work);
    }
}

/// Locals beyond the first 64 are followed within one block only, so that time stays linear
/// (`fast_scan_many_locals`).
fn scan_many_locals(cfg: &mut Cfg, nlocals: usize) {
    // Number of the block in which the local is known to be bound.
    let mut bound_in = vec![0u32; nlocals - TRACKED];
    let mut number = 0;
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        number += 1;
        for instr in &mut cfg[b].instrs {
            let local = (instr.oparg as usize).checked_sub(TRACKED);
            let Some(state) = local.and_then(|i| bound_in.get_mut(i)) else {
                continue;
            };
            match instr.op {
                Opcode::DELETE_FAST
                | Opcode::LOAD_FAST_AND_CLEAR
                | Opcode::STORE_FAST_MAYBE_NULL => *state = number - 1,
                Opcode::STORE_FAST => *state = number,
                Opcode::LOAD_FAST => {
                    if *state != number {
                        instr.op = Opcode::LOAD_FAST_CHECK;
                    }
                    *state = number;
                }
                _ => {}
            }
        }
        cursor = cfg[b].next;
    }
}

/// Of `nlocals` locals the first `nparams` are bound on entry.
pub fn add_checks_for_unbound_loads(cfg: &mut Cfg, nlocals: usize, nparams: usize) {
    if nlocals == 0 {
        return;
    }
    if nlocals > TRACKED {
        scan_many_locals(cfg, nlocals);
    }
    let mut work = cfg.traversal();
    let start = (nparams..nlocals.min(TRACKED)).fold(0, |mask, i| mask | 1 << i);
    let entry = cfg.entry();
    maybe_push(cfg, entry, start, &mut work);
    // There may be a deletion anywhere, so every block is scanned at least once.
    let mut cursor = Some(entry);
    while let Some(b) = cursor {
        scan_block(cfg, b, &mut work);
        cursor = cfg[b].next;
    }
    while let Some(b) = work.pop() {
        cfg[b].visited = false;
        scan_block(cfg, b, &mut work);
    }
    cfg.recycle(work);
}
