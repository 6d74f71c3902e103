//! Lines for instructions that have none. PEP 626: whatever leaves the frame or may be interrupted needs a line,
//! so an exit without one is copied until it has a single predecessor, whose line it takes.

use crate::bytecode::Opcode;
use crate::compiler::cfg::{Block, Cfg};
use crate::compiler::instr::NO_LOCATION;

/// `OPCODE_HAS_EVAL_BREAK`, as far as the compiler emits it.
fn has_eval_break(op: Opcode) -> bool {
    matches!(
        op,
        Opcode::RESUME
            | Opcode::JUMP
            | Opcode::JUMP_BACKWARD
            | Opcode::CALL
            | Opcode::CALL_FUNCTION_EX
    )
}

/// `is_exit_or_eval_check_without_lineno`
fn needs_line(block: &Block) -> bool {
    block.has_no_lineno()
        && (block.exits_scope() || block.instrs.iter().any(|i| has_eval_break(i.op)))
}

/// `duplicate_exits_without_lineno`
fn duplicate_exits_without_lineno(cfg: &mut Cfg) {
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        if let Some(&last) = cfg[b].last()
            && last.is_jump()
            && let Some(target) = cfg.next_nonempty(last.target)
            && cfg[target].predecessors > 1
            && needs_line(&cfg[target])
        {
            let copy = cfg.copy_block(target);
            let next = cfg[target].next;
            let block = &mut cfg[copy];
            block.instrs[0].loc = last.loc;
            block.predecessors = 1;
            block.labelled = true;
            block.next = next;
            cfg[target].predecessors -= 1;
            cfg[target].next = Some(copy);
            if let Some(jump) = cfg[b].instrs.last_mut() {
                jump.target = Some(copy);
            }
        }
        cursor = cfg[b].next;
    }
    // What is left is reached by falling through only, so from one place.
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        let next = cfg[b].next;
        if let (Some(next), Some(&last), true) = (next, cfg[b].last(), cfg[b].has_fallthrough())
            && needs_line(&cfg[next])
        {
            cfg[next].instrs[0].loc = last.loc;
        }
        cursor = next;
    }
}

/// Copies a line forward within a block and into blocks with one predecessor (`propagate_line_numbers`).
fn propagate_line_numbers(cfg: &mut Cfg) {
    let no_line = NO_LOCATION.lineno;
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        let next = cfg[b].next;
        cursor = next;
        let Some(&last) = cfg[b].last() else { continue };
        let mut loc = NO_LOCATION;
        for instr in &mut cfg[b].instrs {
            if instr.loc.lineno == no_line {
                instr.loc = loc;
            } else {
                loc = instr.loc;
            }
        }
        let falls_to = next.filter(|_| cfg[b].has_fallthrough());
        let jumps_to = last.target.filter(|_| last.is_jump());
        for successor in [falls_to, jumps_to].into_iter().flatten() {
            let block = &mut cfg[successor];
            if block.predecessors == 1
                && let Some(first) = block.instrs.first_mut()
                && first.loc.lineno == no_line
            {
                first.loc = loc;
            }
        }
    }
}

pub fn resolve_line_numbers(cfg: &mut Cfg) {
    duplicate_exits_without_lineno(cfg);
    propagate_line_numbers(cfg);
}
