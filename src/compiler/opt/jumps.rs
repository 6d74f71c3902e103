//! Jumps to jumps, and the final direction of conditional jumps.

use crate::bytecode::Opcode;
use crate::compiler::cfg::{BlockId, Cfg, CfgInstr};

/// Lets the jump at the end of `b` go where the jump it leads to goes, as `op`; false if that is where it goes
/// already (`jump_thread`).
pub fn jump_thread(cfg: &mut Cfg, b: BlockId, target: &CfgInstr, op: Opcode) -> bool {
    let Some(beyond) = target.target else {
        return false;
    };
    let block = &mut cfg[b];
    let Some(jump) = block.instrs.last_mut() else {
        return false;
    };
    if jump.target == Some(beyond) {
        return false;
    }
    // The NOP keeps the line of the jump, which may be the only instruction on it.
    jump.set_nop();
    block.add_jump(op, beyond, target.loc);
    true
}

fn reversed(op: Opcode) -> Option<Opcode> {
    Some(match op {
        Opcode::POP_JUMP_IF_NOT_NONE => Opcode::POP_JUMP_IF_NONE,
        Opcode::POP_JUMP_IF_NONE => Opcode::POP_JUMP_IF_NOT_NONE,
        Opcode::POP_JUMP_IF_FALSE => Opcode::POP_JUMP_IF_TRUE,
        Opcode::POP_JUMP_IF_TRUE => Opcode::POP_JUMP_IF_FALSE,
        _ => return None,
    })
}

/// Conditional jumps go forward only: one that leads back is reversed and skips an unconditional jump. What
/// follows a conditional jump is `NOT_TAKEN` (`normalize_jumps`).
pub fn normalize_jumps(cfg: &mut Cfg) {
    let work = cfg.traversal();
    cfg.recycle(work);
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        cfg[b].visited = true;
        cursor = cfg[b].next;
        let Some(&last) = cfg[b].last() else { continue };
        let (Some(reversed), Some(target)) = (reversed(last.op), last.target) else {
            continue;
        };
        if !cfg[target].visited {
            cfg[b].add_op(Opcode::NOT_TAKEN, 0, last.loc);
            continue;
        }
        let back = cfg.new_block();
        let (cold, next) = (cfg[b].cold, cfg[b].next);
        let start_depth = cfg[target].start_depth;
        let block = &mut cfg[back];
        block.add_op(Opcode::NOT_TAKEN, 0, last.loc);
        block.add_jump(Opcode::JUMP, target, last.loc);
        block.start_depth = start_depth;
        block.cold = cold;
        block.next = next;
        let block = &mut cfg[b];
        block.next = Some(back);
        if let Some(jump) = block.instrs.last_mut() {
            jump.op = reversed;
            jump.target = next;
        }
        cursor = Some(back);
    }
}
