//! What follows the load of a constant: jumps that are decided, tests against None, truth of a constant
//! (`optimize_load_const`).

use super::consts::{const_value, loads_const, small_int};
use super::truth::is_true;
use crate::bytecode::Opcode;
use crate::bytecode::spec::Constant;
use crate::compiler::cfg::{BlockId, Cfg};
use crate::compiler::error::CompileError;
use crate::compiler::instr::Constants;

pub fn optimize_load_const(cfg: &mut Cfg, consts: &mut Constants) -> Result<(), CompileError> {
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        optimize_block(cfg, b, consts)?;
        cursor = cfg[b].next;
    }
    Ok(())
}

fn optimize_block(cfg: &mut Cfg, b: BlockId, consts: &mut Constants) -> Result<(), CompileError> {
    let block = &mut cfg[b];
    // The load that decides about what follows; a copy of a constant stands for the load before it.
    let (mut op, mut oparg) = (Opcode::CACHE, 0);
    for i in 0..block.instrs.len() {
        if block.instrs[i].op == Opcode::LOAD_CONST
            && let Some(small) = consts.get(block.instrs[i].oparg).and_then(small_int)
        {
            block.instrs[i].set_op1(Opcode::LOAD_SMALL_INT, small);
        }
        let instr = block.instrs[i];
        if !(op == Opcode::LOAD_CONST && instr.op == Opcode::COPY && instr.oparg == 1) {
            (op, oparg) = (instr.op, instr.oparg);
        }
        if !loads_const(op) {
            continue;
        }
        match block.op_at(i + 1) {
            next @ (Opcode::POP_JUMP_IF_FALSE
            | Opcode::POP_JUMP_IF_TRUE
            | Opcode::JUMP_IF_FALSE
            | Opcode::JUMP_IF_TRUE) => {
                let truth = is_true(&const_value(op, oparg, consts)?);
                if matches!(next, Opcode::POP_JUMP_IF_FALSE | Opcode::POP_JUMP_IF_TRUE) {
                    block.instrs[i].set_nop();
                }
                let jumps_if = matches!(next, Opcode::POP_JUMP_IF_TRUE | Opcode::JUMP_IF_TRUE);
                let jump = &mut block.instrs[i + 1];
                if truth == jumps_if {
                    jump.op = Opcode::JUMP;
                } else {
                    jump.set_nop();
                }
            }
            Opcode::IS_OP => {
                if !matches!(const_value(op, oparg, consts)?, Constant::None) {
                    continue;
                }
                let mut at = i + 2;
                if block.op_at(at) == Opcode::TO_BOOL {
                    block.instrs[at].set_nop();
                    at += 1;
                }
                let invert = block.instrs[i + 1].oparg != 0;
                let not_none = match block.op_at(at) {
                    Opcode::POP_JUMP_IF_TRUE => invert,
                    Opcode::POP_JUMP_IF_FALSE => !invert,
                    _ => continue,
                };
                block.instrs[i].set_nop();
                block.instrs[i + 1].set_nop();
                block.instrs[at].op = if not_none {
                    Opcode::POP_JUMP_IF_NOT_NONE
                } else {
                    Opcode::POP_JUMP_IF_NONE
                };
            }
            Opcode::TO_BOOL => {
                let truth = match is_true(&const_value(op, oparg, consts)?) {
                    true => Constant::True,
                    false => Constant::False,
                };
                let index = consts.add(truth);
                block.instrs[i].set_nop();
                block.instrs[i + 1].set_op1(Opcode::LOAD_CONST, index);
            }
            _ => {}
        }
    }
    Ok(())
}
