//! From optimised blocks to a code object (CPython's `assemble.c`).

use super::error::CompileError;
use super::instr::CodeUnit;
use crate::bytecode::spec::CodeSpec;

/// Runs every pass over one unit and packs the result (`_PyCompile_OptimizeAndAssemble`). Nested functions
/// are finished first and sit in the unit's constants.
pub fn optimize_and_assemble(unit: CodeUnit) -> Result<CodeSpec, CompileError> {
    Err(CompileError::system(format!(
        "{:?}: no assembler yet",
        unit.name
    )))
}
