//! The final numbering of locals, cells and free variables, and the instructions a function starts with
//! (`prepare_localsplus`).

use crate::bytecode::Opcode;
use crate::bytecode::spec::{Wtf8, code_flags};
use crate::compiler::cfg::{Cfg, CfgInstr};
use crate::compiler::error::CompileError;
use crate::compiler::instr::{CodeUnit, Location, NO_LOCATION};
use rustc_hash::FxHashMap;

pub fn is_generator(flags: u32) -> bool {
    flags & (code_flags::GENERATOR | code_flags::COROUTINE | code_flags::ASYNC_GENERATOR) != 0
}

/// For every cell and free variable, in that order, its slot; a cell that is also an argument shares the
/// argument's slot, and the rest close up (`build_cellfixedoffsets`, and the first half of `fix_cell_offsets`).
struct CellSlots {
    /// Before closing up: what the order of `MAKE_CELL` goes by.
    raw: Vec<usize>,
    slots: Vec<usize>,
}

fn cell_slots(unit: &CodeUnit) -> CellSlots {
    let nlocals = unit.varnames.len();
    let count = unit.cellvars.len() + unit.freevars.len();
    let mut raw: Vec<usize> = (nlocals..nlocals + count).collect();
    if !unit.cellvars.is_empty() {
        let index: FxHashMap<&Wtf8, usize> = unit
            .varnames
            .iter()
            .enumerate()
            .map(|(i, n)| (n, i))
            .collect();
        for (slot, name) in raw.iter_mut().zip(&unit.cellvars) {
            if let Some(&arg) = index.get(name) {
                *slot = arg;
            }
        }
    }
    let mut dropped = 0;
    let close_up = |(i, &slot): (usize, &usize)| {
        if slot == i + nlocals {
            slot - dropped
        } else {
            dropped += 1;
            slot
        }
    };
    let slots = raw.iter().enumerate().map(close_up).collect();
    CellSlots { raw, slots }
}

/// `insert_prefix_instructions`; the operands of `MAKE_CELL` are numbered by the caller.
fn prefix(unit: &CodeUnit, raw: &[usize]) -> Vec<CfgInstr> {
    let mut prefix = Vec::new();
    if !unit.freevars.is_empty() {
        let count = unit.freevars.len() as i32;
        prefix.push(CfgInstr::new(Opcode::COPY_FREE_VARS, count, NO_LOCATION));
    }
    let mut cells: Vec<usize> = (0..unit.cellvars.len()).collect();
    cells.sort_by_key(|&i| raw[i]);
    for cell in cells {
        prefix.push(CfgInstr::new(Opcode::MAKE_CELL, cell as i32, NO_LOCATION));
    }
    if is_generator(unit.flags) {
        let loc = Location {
            lineno: unit.firstlineno,
            end_lineno: unit.firstlineno,
            col_offset: -1,
            end_col_offset: -1,
        };
        prefix.push(CfgInstr::new(Opcode::RETURN_GENERATOR, 0, loc));
        prefix.push(CfgInstr::new(Opcode::POP_TOP, 0, loc));
    }
    prefix
}

pub fn prepare_locals_plus(unit: &CodeUnit, cfg: &mut Cfg) -> Result<(), CompileError> {
    let CellSlots { raw, slots } = cell_slots(unit);
    let prefix = prefix(unit, &raw);
    let entry = cfg.entry();
    cfg[entry].insert(0, &prefix);
    if slots.is_empty() {
        return Ok(());
    }
    let mut cursor = Some(entry);
    while let Some(b) = cursor {
        for instr in &mut cfg[b].instrs {
            if let Opcode::MAKE_CELL
            | Opcode::LOAD_CLOSURE
            | Opcode::LOAD_DEREF
            | Opcode::STORE_DEREF
            | Opcode::DELETE_DEREF
            | Opcode::LOAD_FROM_DICT_OR_DEREF = instr.op
            {
                let slot = slots.get(instr.oparg as usize);
                let slot = slot.ok_or_else(|| {
                    CompileError::system(format!("{:?} {}: no such cell", instr.op, instr.oparg))
                })?;
                instr.oparg = *slot as i32;
            }
        }
        cursor = cfg[b].next;
    }
    Ok(())
}
