//! Instructions that do nothing: NOPs that no line needs, pushes that are popped at once, jumps to the next block.

use crate::bytecode::Opcode;
use crate::compiler::cfg::{BlockId, Cfg, CfgInstr, is_unconditional_jump};
use crate::compiler::error::CompileError;

/// Line of the first instruction of `block` that will stay (a NOP without a line will not).
fn first_line(cfg: &Cfg, block: Option<BlockId>) -> i32 {
    let Some(b) = cfg.next_nonempty(block) else {
        return -1;
    };
    let kept = |i: &&CfgInstr| i.op != Opcode::NOP || i.loc.lineno >= 0;
    cfg[b].instrs.iter().find(kept).map_or(-1, |i| i.loc.lineno)
}

/// Drops the NOPs of one block that no line event needs; how many (`basicblock_remove_redundant_nops`).
fn remove_redundant_nops_in(cfg: &mut Cfg, b: BlockId) -> usize {
    let len = cfg[b].instrs.len();
    let Some(first) = cfg[b].instrs.iter().position(|i| i.op == Opcode::NOP) else {
        return 0;
    };
    let mut kept = first;
    let mut prev_line = if first > 0 {
        cfg[b].instrs[first - 1].loc.lineno
    } else {
        -1
    };
    for src in first..len {
        let instr = cfg[b].instrs[src];
        let line = instr.loc.lineno;
        if instr.op == Opcode::NOP {
            if line < 0 || prev_line == line {
                continue;
            }
            if src + 1 < len {
                let next = &mut cfg[b].instrs[src + 1];
                if next.loc.lineno == line {
                    continue;
                }
                if next.loc.lineno < 0 {
                    next.loc = instr.loc;
                    continue;
                }
            } else if first_line(cfg, cfg[b].next) == line {
                continue;
            }
        }
        cfg[b].instrs[kept] = instr;
        kept += 1;
        prev_line = line;
    }
    cfg[b].truncate(kept);
    len - kept
}

pub fn remove_redundant_nops(cfg: &mut Cfg) -> usize {
    let mut removed = 0;
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        removed += remove_redundant_nops_in(cfg, b);
        cursor = cfg[b].next;
    }
    removed
}

/// A jump to what comes next anyway becomes a NOP; how many (`remove_redundant_jumps`).
fn remove_redundant_jumps(cfg: &mut Cfg) -> Result<usize, CompileError> {
    let mut changes = 0;
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        let next = cfg[b].next;
        if let Some(last) = cfg[b].last()
            && is_unconditional_jump(last.op)
        {
            let target = cfg.next_nonempty(last.target);
            if target.is_none() {
                return Err(CompileError::system("jump with NULL target"));
            }
            if target == cfg.next_nonempty(next)
                && let Some(last) = cfg[b].instrs.last_mut()
            {
                last.set_nop();
                changes += 1;
            }
        }
        cursor = next;
    }
    Ok(changes)
}

pub fn remove_redundant_nops_and_jumps(cfg: &mut Cfg) -> Result<(), CompileError> {
    // Each round only ever removes, so this ends.
    while remove_redundant_nops(cfg) + remove_redundant_jumps(cfg)? > 0 {}
    Ok(())
}

/// A constant or copy that is popped at once goes away with the pop (`remove_redundant_nops_and_pairs`).
pub fn remove_redundant_nops_and_pairs(cfg: &mut Cfg) {
    loop {
        let mut done = true;
        // The instruction before, if control can only come from it.
        let mut prev: Option<(BlockId, usize)> = None;
        let mut cursor = Some(cfg.entry());
        while let Some(b) = cursor {
            remove_redundant_nops_in(cfg, b);
            if cfg[b].labelled {
                prev = None;
            }
            for i in 0..cfg[b].instrs.len() {
                if cfg[b].instrs[i].op == Opcode::POP_TOP
                    && let Some((pb, pi)) = prev
                {
                    let before = cfg[pb].instrs[pi];
                    let redundant = match before.op {
                        Opcode::LOAD_CONST | Opcode::LOAD_SMALL_INT => true,
                        Opcode::COPY => before.oparg == 1,
                        _ => false,
                    };
                    if redundant {
                        cfg[pb].instrs[pi].set_nop();
                        cfg[b].instrs[i].set_nop();
                        done = false;
                    }
                }
                prev = Some((b, i));
            }
            let ends_in_jump = prev.is_some_and(|(pb, pi)| cfg[pb].instrs[pi].is_jump());
            if ends_in_jump || !cfg[b].has_fallthrough() {
                prev = None;
            }
            cursor = cfg[b].next;
        }
        if done {
            return;
        }
    }
}
