//! The passes, one a file, in the order of `_PyCfg_OptimizeCodeUnit` and
//! `_PyCfg_OptimizedCfgToInstructionSequence`.

pub mod exceptions;
pub mod locals_plus;
pub mod nops;
pub mod pseudo;
pub mod stack_depth;

use super::cfg::Cfg;
use super::error::CompileError;
use super::instr::CodeUnit;

/// Everything that may still change which instructions there are (`_PyCfg_OptimizeCodeUnit`).
pub fn optimize_code_unit(cfg: &mut Cfg, _unit: &mut CodeUnit) -> Result<(), CompileError> {
    exceptions::mark_except_handlers(cfg);
    exceptions::label_exception_targets(cfg)?;
    Ok(())
}

/// Pseudo-instructions, prefix and borrowed loads; afterwards the order of blocks and the instructions are final.
/// Returns the stack size (`_PyCfg_OptimizedCfgToInstructionSequence`).
pub fn finish(cfg: &mut Cfg, unit: &CodeUnit) -> Result<u32, CompileError> {
    pseudo::convert_pseudo_conditional_jumps(cfg);
    let stack_size = stack_depth::calculate_stack_depth(cfg)?;
    locals_plus::prepare_locals_plus(unit, cfg)?;
    pseudo::convert_pseudo_ops(cfg)?;
    Ok(stack_size)
}
