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
    if !cfg.has_handlers {
        return;
    }
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

/// Handlers one inside the other, as lists that share their ends.
#[derive(Clone, Copy)]
struct Handler {
    block: BlockId,
    outer: Option<u32>,
    depth: u32,
}

/// Gives every instruction its handler and turns `POP_BLOCK` into `NOP` (`label_exception_targets`).
pub fn label_exception_targets(cfg: &mut Cfg) -> Result<(), CompileError> {
    if !cfg.has_handlers {
        return Ok(());
    }
    let mut work = cfg.traversal();
    let mut handlers: Vec<Handler> = Vec::new();
    // The innermost handler at the start of a block that has been on the work list.
    let mut around: Vec<Option<u32>> = vec![None; cfg.block_count()];
    let entry = cfg.entry();
    cfg.visit(entry, &mut work);
    while let Some(b) = work.pop() {
        let mut inner = around[b.index()];
        let mut handler = inner.map(|i| handlers[i as usize].block);
        let mut last_yield_depth = None;
        let mut instrs = std::mem::take(&mut cfg[b].instrs);
        for instr in &mut instrs {
            match (instr.op, instr.target) {
                (op, Some(target)) if instr.is_block_push() => {
                    if cfg.visit(target, &mut work) {
                        around[target.index()] = inner;
                    }
                    if op != Opcode::SETUP_FINALLY {
                        cfg[target].preserve_lasti = true;
                    }
                    handlers.push(Handler {
                        block: target,
                        outer: inner,
                        depth: inner.map_or(0, |i| handlers[i as usize].depth) + 1,
                    });
                    inner = Some(handlers.len() as u32 - 1);
                    handler = Some(target);
                    continue;
                }
                (Opcode::POP_BLOCK, _) => {
                    let Some(popped) = inner else {
                        return Err(CompileError::system("POP_BLOCK without a block"));
                    };
                    inner = handlers[popped as usize].outer;
                    handler = inner.map(|i| handlers[i as usize].block);
                    instr.set_nop();
                    continue;
                }
                (_, Some(target)) => {
                    if cfg.visit(target, &mut work) {
                        around[target.index()] = inner;
                    }
                }
                (Opcode::YIELD_VALUE, _) => {
                    last_yield_depth = inner.map(|i| handlers[i as usize].depth);
                }
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
            around[next.index()] = inner;
        }
    }
    cfg.recycle(work);
    Ok(())
}
