//! Which handler every instruction has: the block-push and block-pop pseudo-instructions are run once over the
//! graph, and what they leave is a target on each instruction.

use crate::bytecode::Opcode;
use crate::compiler::cfg::{BlockId, Cfg};
use crate::compiler::error::CompileError;

/// `RESUME_AT_FUNC_START`
const RESUME_AT_FUNC_START: i32 = 0;
/// `RESUME_OPARG_DEPTH1_MASK`: the only handler around the yield is the generator's own.
const RESUME_OPARG_DEPTH1_MASK: i32 = 4;

/// Marks the blocks that are entered by an exception (`mark_except_handlers`).
pub fn mark_except_handlers(cfg: &mut Cfg) {
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        let instrs = std::mem::take(&mut cfg[b].instrs);
        for instr in instrs.iter().filter(|i| i.is_block_push()) {
            if let Some(target) = instr.target {
                cfg[target].except_handler = true;
            }
        }
        cfg[b].instrs = instrs;
        cursor = cfg[b].next;
    }
}

/// Gives every instruction its handler and turns `POP_BLOCK` into `NOP` (`label_exception_targets`).
pub fn label_exception_targets(cfg: &mut Cfg) -> Result<(), CompileError> {
    let mut work = cfg.traversal();
    // The handlers around the start of a block that waits on the work list.
    let mut stacks: Vec<Option<Vec<BlockId>>> = vec![None; cfg.block_count()];
    let entry = cfg.entry();
    cfg.visit(entry, &mut work);
    stacks[entry.index()] = Some(Vec::new());
    while let Some(b) = work.pop() {
        let mut stack = stacks[b.index()].take().unwrap_or_default();
        let mut handler = stack.last().copied();
        let mut last_yield_depth = None;
        let mut instrs = std::mem::take(&mut cfg[b].instrs);
        for instr in &mut instrs {
            match (instr.op, instr.target) {
                (op, Some(target)) if instr.is_block_push() => {
                    if cfg.visit(target, &mut work) {
                        stacks[target.index()] = Some(stack.clone());
                    }
                    if op != Opcode::SETUP_FINALLY {
                        cfg[target].preserve_lasti = true;
                    }
                    stack.push(target);
                    handler = Some(target);
                    continue;
                }
                (Opcode::POP_BLOCK, _) => {
                    if stack.pop().is_none() {
                        return Err(CompileError::system("POP_BLOCK without a block"));
                    }
                    handler = stack.last().copied();
                    instr.set_nop();
                    continue;
                }
                (_, Some(target)) => {
                    if cfg.visit(target, &mut work) {
                        stacks[target.index()] = Some(stack.clone());
                    }
                }
                (Opcode::YIELD_VALUE, _) => last_yield_depth = Some(stack.len()),
                (Opcode::RESUME, _)
                    if instr.oparg != RESUME_AT_FUNC_START
                        && last_yield_depth.take() == Some(1) =>
                {
                    instr.oparg |= RESUME_OPARG_DEPTH1_MASK;
                }
                _ => {}
            }
            instr.except = handler;
        }
        cfg[b].instrs = instrs;
        if let (true, Some(next)) = (cfg[b].has_fallthrough(), cfg[b].next)
            && cfg.visit(next, &mut work)
        {
            stacks[next.index()] = Some(stack);
        }
    }
    cfg.recycle(work);
    Ok(())
}
