//! Pseudo-instructions become real ones.

use super::nops::remove_redundant_nops_and_jumps;
use crate::bytecode::Opcode;
use crate::compiler::cfg::{Cfg, CfgInstr};
use crate::compiler::error::CompileError;

/// `JUMP_IF_x` keeps its operand: it becomes `COPY`, `TO_BOOL` and the popping jump
/// (`convert_pseudo_conditional_jumps`).
pub fn convert_pseudo_conditional_jumps(cfg: &mut Cfg) {
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        let block = &mut cfg[b];
        // A jump is always the last instruction of its block.
        if let Some(&last) = block.last() {
            let real = match last.op {
                Opcode::JUMP_IF_FALSE => Some(Opcode::POP_JUMP_IF_FALSE),
                Opcode::JUMP_IF_TRUE => Some(Opcode::POP_JUMP_IF_TRUE),
                _ => None,
            };
            if let Some(real) = real {
                let with = |op, oparg| CfgInstr {
                    op,
                    oparg,
                    target: None,
                    ..last
                };
                let at = block.instrs.len() - 1;
                block.instrs[at].op = real;
                block.insert(at, &[with(Opcode::COPY, 1), with(Opcode::TO_BOOL, 0)]);
            }
        }
        cursor = cfg[b].next;
    }
}

/// The rest of them (`convert_pseudo_ops`).
pub fn convert_pseudo_ops(cfg: &mut Cfg) -> Result<(), CompileError> {
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        for instr in &mut cfg[b].instrs {
            match instr.op {
                Opcode::SETUP_FINALLY | Opcode::SETUP_WITH | Opcode::SETUP_CLEANUP => {
                    instr.set_nop();
                }
                Opcode::LOAD_CLOSURE => instr.op = Opcode::LOAD_FAST,
                Opcode::STORE_FAST_MAYBE_NULL => instr.op = Opcode::STORE_FAST,
                _ => {}
            }
        }
        cursor = cfg[b].next;
    }
    remove_redundant_nops_and_jumps(cfg)
}
