//! Constants: loading small integers without a constant, and dropping the constants nothing loads.

use crate::bytecode::Opcode;
use crate::bytecode::spec::Constant;
use crate::compiler::cfg::{Cfg, CfgInstr};
use crate::compiler::error::CompileError;
use crate::compiler::instr::Constants;

/// `loads_const`
pub fn loads_const(op: Opcode) -> bool {
    matches!(op, Opcode::LOAD_CONST | Opcode::LOAD_SMALL_INT)
}

/// What a constant-loading instruction loads (`get_const_value`).
pub fn const_value(op: Opcode, oparg: i32, consts: &Constants) -> Result<Constant, CompileError> {
    if op == Opcode::LOAD_SMALL_INT {
        return Ok(Constant::Int(i64::from(oparg)));
    }
    consts
        .get(oparg)
        .cloned()
        .ok_or_else(|| CompileError::system("Internal error: failed to get value of a constant"))
}

/// The operand of `LOAD_SMALL_INT`, if `value` has one (`_PY_IS_SMALL_INT`).
pub fn small_int(value: &Constant) -> Option<i32> {
    match value {
        Constant::Int(value @ 0..=255) => Some(*value as i32),
        _ => None,
    }
}

/// Makes `instr` load `value` (`instr_make_load_const`).
pub fn make_load_const(instr: &mut CfgInstr, value: Constant, consts: &mut Constants) {
    match small_int(&value) {
        Some(small) => instr.set_op1(Opcode::LOAD_SMALL_INT, small),
        None => instr.set_op1(Opcode::LOAD_CONST, consts.add(value)),
    }
}

/// Drops unused constants and renumbers the rest. The first may be the docstring and stays
/// (`remove_unused_consts`).
pub fn remove_unused_consts(cfg: &mut Cfg, consts: &mut Constants) -> Result<(), CompileError> {
    if consts.is_empty() {
        return Ok(());
    }
    let mut used = vec![false; consts.len()];
    used[0] = true;
    for b in cfg.iter() {
        for instr in cfg[b].instrs.iter().filter(|i| i.op == Opcode::LOAD_CONST) {
            match used.get_mut(instr.oparg as usize) {
                Some(used) => *used = true,
                None => return Err(CompileError::system("LOAD_CONST of no constant")),
            }
        }
    }
    if used.iter().all(|&u| u) {
        return Ok(());
    }
    let new_index = consts.keep(&used);
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        for instr in &mut cfg[b].instrs {
            if instr.op == Opcode::LOAD_CONST {
                instr.oparg = new_index[instr.oparg as usize];
            }
        }
        cursor = cfg[b].next;
    }
    Ok(())
}
