//! How deep the stack gets, and how deep it is at the start of every block (`calculate_stackdepth`).

use crate::bytecode::Opcode;
use crate::compiler::cfg::{
    BlockId, Cfg, UNKNOWN_DEPTH, is_block_push, is_scope_exit, is_unconditional_jump,
};
use crate::compiler::error::CompileError;

/// Net effect of an instruction that is no block push (`get_stack_effects`).
fn effect(op: Opcode, oparg: i32) -> Result<i32, CompileError> {
    match (op.num_popped(oparg), op.num_pushed(oparg)) {
        (Some(popped), Some(pushed)) => Ok(pushed - popped),
        _ => Err(CompileError::system(format!(
            "Invalid stack effect for opcode={}, arg={oparg}",
            op.0
        ))),
    }
}

fn push(
    cfg: &mut Cfg,
    work: &mut Vec<BlockId>,
    block: BlockId,
    depth: i32,
) -> Result<(), CompileError> {
    let known = &mut cfg[block].start_depth;
    if *known == UNKNOWN_DEPTH {
        *known = depth;
        work.push(block);
    } else if *known != depth {
        return Err(CompileError::system("Invalid CFG, inconsistent stackdepth"));
    }
    Ok(())
}

pub fn calculate_stack_depth(cfg: &mut Cfg) -> Result<u32, CompileError> {
    let mut work = cfg.traversal();
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        cfg[b].start_depth = UNKNOWN_DEPTH;
        cursor = cfg[b].next;
    }
    let mut max_depth = 0;
    let entry = cfg.entry();
    push(cfg, &mut work, entry, 0)?;
    while let Some(b) = work.pop() {
        let mut depth = cfg[b].start_depth;
        let mut falls_through = true;
        let instrs = std::mem::take(&mut cfg[b].instrs);
        for instr in &instrs {
            // A block push does nothing on the way on.
            let is_push = is_block_push(instr.op);
            let new_depth = match is_push {
                true => depth,
                false => depth + effect(instr.op, instr.oparg)?,
            };
            if new_depth < 0 {
                return Err(CompileError::system("Invalid CFG, stack underflow"));
            }
            max_depth = max_depth.max(depth);
            // The target of END_ASYNC_FOR is for tracing only: it never jumps.
            if let Some(target) = instr.target
                && instr.op != Opcode::END_ASYNC_FOR
            {
                let target_depth = match is_push {
                    true => depth + instr.op.handler_words().unwrap_or(0),
                    false => new_depth,
                };
                push(cfg, &mut work, target, target_depth)?;
            }
            depth = new_depth;
            if is_unconditional_jump(instr.op) || is_scope_exit(instr.op) {
                falls_through = false;
                break;
            }
        }
        cfg[b].instrs = instrs;
        if let (true, Some(next)) = (falls_through, cfg[b].next) {
            push(cfg, &mut work, next, depth)?;
        }
    }
    cfg.recycle(work);
    // A code object has room for one word at least.
    Ok(max_depth.max(1) as u32)
}
