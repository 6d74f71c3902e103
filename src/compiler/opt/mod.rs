//! The passes, one a file, in the order of `_PyCfg_OptimizeCodeUnit` and
//! `_PyCfg_OptimizedCfgToInstructionSequence`.

pub mod block;
pub mod borrow;
pub mod cold;
pub mod consts;
pub mod eval;
mod eval_num;
pub mod exceptions;
pub mod fold;
pub mod inline;
pub mod jumps;
pub mod lines;
pub mod load_const;
pub mod locals_plus;
pub mod nops;
pub mod pseudo;
pub mod stack_depth;
pub mod super_inst;
pub mod swaps;
pub mod truth;
pub mod unbound;
pub mod unreachable;

use super::cfg::Cfg;
use super::error::CompileError;
use super::instr::{CodeUnit, Constants};
use crate::bytecode::spec::code_flags;

/// Everything that may still change which instructions there are (`_PyCfg_OptimizeCodeUnit`).
pub fn optimize_code_unit(cfg: &mut Cfg, unit: &mut CodeUnit) -> Result<(), CompileError> {
    exceptions::mark_except_handlers(cfg);
    exceptions::label_exception_targets(cfg)?;
    optimize_cfg(cfg, &mut unit.consts)?;
    consts::remove_unused_consts(cfg, &mut unit.consts)?;
    unbound::add_checks_for_unbound_loads(cfg, unit.varnames.len(), parameters(unit));
    super_inst::insert_superinstructions(cfg);
    cold::push_cold_blocks_to_end(cfg)?;
    lines::resolve_line_numbers(cfg);
    Ok(())
}

fn optimize_cfg(cfg: &mut Cfg, consts: &mut Constants) -> Result<(), CompileError> {
    inline::inline_small_or_no_lineno_blocks(cfg);
    unreachable::remove_unreachable(cfg);
    lines::resolve_line_numbers(cfg);
    load_const::optimize_load_const(cfg, consts)?;
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        block::optimize_basic_block(cfg, b, consts)?;
        cursor = cfg[b].next;
    }
    nops::remove_redundant_nops_and_pairs(cfg);
    unreachable::remove_unreachable(cfg);
    nops::remove_redundant_nops_and_jumps(cfg)
}

/// How many locals are bound on entry.
fn parameters(unit: &CodeUnit) -> usize {
    let has = |flag: u32| u32::from(unit.flags & flag != 0);
    let extra = has(code_flags::VARARGS) + has(code_flags::VARKEYWORDS);
    (unit.argcount + unit.kwonlyargcount + extra) as usize
}

/// Pseudo-instructions, prefix and borrowed loads; afterwards the order of blocks and the instructions are final.
/// Returns the stack size (`_PyCfg_OptimizedCfgToInstructionSequence`).
pub fn finish(cfg: &mut Cfg, unit: &CodeUnit) -> Result<u32, CompileError> {
    pseudo::convert_pseudo_conditional_jumps(cfg);
    let stack_size = stack_depth::calculate_stack_depth(cfg)?;
    locals_plus::prepare_locals_plus(unit, cfg)?;
    pseudo::convert_pseudo_ops(cfg)?;
    jumps::normalize_jumps(cfg);
    borrow::optimize_load_fast(cfg);
    Ok(stack_size)
}
