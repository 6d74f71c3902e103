//! A jump to a short exit, or to code of no line, is replaced by a copy of it
//! (`inline_small_or_no_lineno_blocks`).

use crate::bytecode::Opcode;
use crate::compiler::cfg::{BlockId, Cfg, is_unconditional_jump};

/// Longest exit that is copied (`MAX_COPY_SIZE`).
const MAX_COPY_SIZE: usize = 4;

fn inline_into(cfg: &mut Cfg, b: BlockId) -> bool {
    let Some(&last) = cfg[b].last() else {
        return false;
    };
    let Some(target) = last.target.filter(|_| is_unconditional_jump(last.op)) else {
        return false;
    };
    let block = &cfg[target];
    let small_exit = block.exits_scope() && block.instrs.len() <= MAX_COPY_SIZE;
    let no_lineno = block.has_no_lineno() && !block.has_fallthrough();
    if !small_exit && !no_lineno {
        return false;
    }
    let copy = block.instrs.clone();
    let block = &mut cfg[b];
    if let Some(jump) = block.instrs.last_mut() {
        jump.set_nop();
    }
    block.append(&copy);
    if no_lineno
        && last.op == Opcode::JUMP
        && let Some(end) = block.instrs.last_mut()
        && is_unconditional_jump(end.op)
    {
        // The jump that went away checked the eval breaker, so this one has to.
        end.op = Opcode::JUMP;
    }
    cfg[target].predecessors = cfg[target].predecessors.saturating_sub(1);
    true
}

pub fn inline_small_or_no_lineno_blocks(cfg: &mut Cfg) {
    // Every change removes a jump, so this ends.
    let mut changed = true;
    while changed {
        changed = false;
        let mut cursor = Some(cfg.entry());
        while let Some(b) = cursor {
            changed |= inline_into(cfg, b);
            cursor = cfg[b].next;
        }
    }
}
