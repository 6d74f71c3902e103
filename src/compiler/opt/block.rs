//! Peephole rules inside one block (`optimize_basic_block`).

use super::fold;
use super::jumps::jump_thread;
use super::swaps::optimize_swaps;
use crate::bytecode::Opcode;
use crate::compiler::cfg::{BlockId, Cfg, CfgInstr};
use crate::compiler::error::CompileError;
use crate::compiler::instr::{Constants, NO_LOCATION};

/// `INTRINSIC_UNARY_POSITIVE`
const INTRINSIC_UNARY_POSITIVE: i32 = 5;
/// `INTRINSIC_LIST_TO_TUPLE`
const INTRINSIC_LIST_TO_TUPLE: i32 = 6;
/// The bit of `COMPARE_OP` that asks for a bool.
const COMPARE_TO_BOOL: i32 = 16;

/// Rules for the jump at the end of a block, by what stands at its target; true if the block changed and
/// instruction `i` has to be looked at again.
fn thread(cfg: &mut Cfg, b: BlockId, jump: CfgInstr) -> bool {
    use Opcode as Op;
    let Some(target) = jump.target else {
        return false;
    };
    let Some(&first) = cfg[target].instrs.first() else {
        return false;
    };
    match (jump.op, first.op) {
        (
            Op::POP_JUMP_IF_NOT_NONE
            | Op::POP_JUMP_IF_NONE
            | Op::POP_JUMP_IF_FALSE
            | Op::POP_JUMP_IF_TRUE
            | Op::JUMP_IF_FALSE
            | Op::JUMP_IF_TRUE
            | Op::JUMP,
            Op::JUMP,
        )
        | (Op::JUMP_IF_FALSE, Op::JUMP_IF_FALSE)
        | (Op::JUMP_IF_TRUE, Op::JUMP_IF_TRUE)
        | (Op::JUMP | Op::JUMP_NO_INTERRUPT, Op::JUMP_NO_INTERRUPT) => {
            jump_thread(cfg, b, &first, jump.op)
        }
        (Op::JUMP_NO_INTERRUPT, Op::JUMP) => jump_thread(cfg, b, &first, Op::JUMP),
        // The other test fails there, so control goes on after it.
        (Op::JUMP_IF_FALSE, Op::JUMP_IF_TRUE) | (Op::JUMP_IF_TRUE, Op::JUMP_IF_FALSE) => {
            let beyond = cfg[target].next;
            if let (Some(_), Some(jump)) = (beyond, cfg[b].instrs.last_mut()) {
                jump.target = beyond;
                return true;
            }
            false
        }
        _ => false,
    }
}

pub fn optimize_basic_block(
    cfg: &mut Cfg,
    b: BlockId,
    consts: &mut Constants,
) -> Result<(), CompileError> {
    // Jumps that only lead to each other would be followed for ever.
    let mut hops_left = cfg.block_count();
    let mut i = 0;
    while i < cfg[b].instrs.len() {
        let instr = cfg[b].instrs[i];
        if instr.target.is_some() && instr.is_jump() {
            if hops_left > 0 && thread(cfg, b, instr) {
                hops_left -= 1;
            } else {
                i += 1;
            }
            continue;
        }
        peephole(cfg, b, i, consts)?;
        i += 1;
    }
    optimize_swaps(&mut cfg[b]);
    Ok(())
}

fn peephole(
    cfg: &mut Cfg,
    b: BlockId,
    i: usize,
    consts: &mut Constants,
) -> Result<(), CompileError> {
    let block = &mut cfg[b];
    let CfgInstr { op, oparg, loc, .. } = block.instrs[i];
    let next = block.instrs.get(i + 1).copied();
    let next = next.unwrap_or(CfgInstr::new(Opcode::CACHE, 0, NO_LOCATION));
    match (op, next.op) {
        (Opcode::BUILD_TUPLE, Opcode::UNPACK_SEQUENCE)
            if oparg == next.oparg && (1..=3).contains(&oparg) =>
        {
            block.instrs[i].set_nop();
            if oparg == 1 {
                block.instrs[i + 1].set_nop();
            } else {
                block.instrs[i + 1].op = Opcode::SWAP;
            }
        }
        (Opcode::BUILD_TUPLE, _) => fold::fold_tuple(block, i, consts)?,
        (Opcode::BUILD_LIST | Opcode::BUILD_SET, _) => fold::fold_list_or_set(block, i, consts)?,
        // Of two stores to one local on one line the first is a pop.
        (Opcode::STORE_FAST, Opcode::STORE_FAST)
            if oparg == next.oparg && loc.lineno == next.loc.lineno =>
        {
            block.instrs[i].set_op0(Opcode::POP_TOP);
        }
        (Opcode::SWAP, _) if oparg == 1 => block.instrs[i].set_nop(),
        (Opcode::LOAD_GLOBAL, Opcode::PUSH_NULL) if oparg & 1 == 0 => {
            block.instrs[i].oparg = oparg | 1;
            block.instrs[i + 1].set_nop();
        }
        (Opcode::COMPARE_OP, Opcode::TO_BOOL) => {
            block.instrs[i].set_nop();
            block.instrs[i + 1].set_op1(op, oparg | COMPARE_TO_BOOL);
        }
        (Opcode::CONTAINS_OP | Opcode::IS_OP, Opcode::TO_BOOL) => {
            block.instrs[i].set_nop();
            block.instrs[i + 1].set_op1(op, oparg);
        }
        (Opcode::CONTAINS_OP | Opcode::IS_OP, Opcode::UNARY_NOT) => {
            block.instrs[i].set_nop();
            block.instrs[i + 1].set_op1(op, oparg ^ 1);
        }
        (Opcode::TO_BOOL, Opcode::TO_BOOL) => block.instrs[i].set_nop(),
        (Opcode::UNARY_NOT, Opcode::TO_BOOL) => {
            block.instrs[i].set_nop();
            block.instrs[i + 1].set_op0(Opcode::UNARY_NOT);
        }
        (Opcode::UNARY_NOT, Opcode::UNARY_NOT) => {
            block.instrs[i].set_nop();
            block.instrs[i + 1].set_nop();
        }
        (Opcode::UNARY_NOT | Opcode::UNARY_INVERT | Opcode::UNARY_NEGATIVE, _) => {
            fold::fold_unary(block, i, consts)?;
        }
        (Opcode::CALL_INTRINSIC_1, Opcode::GET_ITER) if oparg == INTRINSIC_LIST_TO_TUPLE => {
            block.instrs[i].set_nop();
        }
        (Opcode::CALL_INTRINSIC_1, _) if oparg == INTRINSIC_LIST_TO_TUPLE => {
            fold::fold_list_to_tuple(block, i, consts)?;
        }
        (Opcode::CALL_INTRINSIC_1, _) if oparg == INTRINSIC_UNARY_POSITIVE => {
            fold::fold_unary(block, i, consts)?;
        }
        (Opcode::BINARY_OP, _) => fold::fold_binary(block, i, consts)?,
        _ => {}
    }
    Ok(())
}
