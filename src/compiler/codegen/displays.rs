//! List, tuple, set and dict displays, and unpacking into targets.

use super::names::Ctx;
use super::{Compiler, Result, STACK_USE_GUIDELINE, intrinsic};
use crate::bytecode::Opcode;
use crate::compiler::instr::Location;
use crate::compiler::names::NameId;
use ruff_python_ast::{self as ast, Expr};

impl<'a> Compiler<'a> {
    /// A list or tuple display.
    pub(super) fn build_list_display(
        &mut self,
        elts: &'a [Expr],
        injected: Option<NameId>,
        pushed: usize,
        tuple: bool,
        loc: Location,
    ) -> Result {
        let ops = (Opcode::BUILD_LIST, Opcode::LIST_APPEND, Opcode::LIST_EXTEND);
        self.star_unpack(elts, injected, pushed, ops, tuple, loc)
    }

    /// A display that may hold starred items; `ops` build, add one and add many
    /// (`starunpack_helper_impl`).
    pub(super) fn star_unpack(
        &mut self,
        elts: &'a [Expr],
        injected: Option<NameId>,
        pushed: usize,
        (build, add, extend): (Opcode, Opcode, Opcode),
        tuple: bool,
        loc: Location,
    ) -> Result {
        let count = elts.len() + pushed + usize::from(injected.is_some());
        let big = count > STACK_USE_GUIDELINE;
        if !big && !elts.iter().any(Expr::is_starred_expr) {
            self.exprs(elts)?;
            if let Some(injected) = injected {
                self.name_op(injected, Ctx::Load, loc)?;
            }
            let build = if tuple { Opcode::BUILD_TUPLE } else { build };
            self.op_len(build, count, loc);
            return Ok(());
        }
        let mut built = big;
        if big {
            self.op_len(build, pushed, loc);
        }
        for (i, elt) in elts.iter().enumerate() {
            if let Expr::Starred(starred) = elt {
                if !built {
                    self.op_len(build, i + pushed, loc);
                    built = true;
                }
                self.expr(&starred.value)?;
                self.op_i(extend, 1, loc);
            } else {
                self.expr(elt)?;
                if built {
                    self.op_i(add, 1, loc);
                }
            }
        }
        if let Some(injected) = injected {
            self.name_op(injected, Ctx::Load, loc)?;
            self.op_i(add, 1, loc);
        }
        if tuple {
            self.op_i(Opcode::CALL_INTRINSIC_1, intrinsic::LIST_TO_TUPLE, loc);
        }
        Ok(())
    }

    /// Targets in a list or tuple (`assignment_helper`).
    pub(super) fn unpack_into(&mut self, elts: &'a [Expr], loc: Location) -> Result {
        let mut seen_star = false;
        for (i, elt) in elts.iter().enumerate() {
            if !elt.is_starred_expr() {
                continue;
            }
            if seen_star {
                return self.error("multiple starred expressions in assignment", loc);
            }
            seen_star = true;
            let Some(oparg) = unpack_ex_oparg(i, elts.len()) else {
                return self.error("too many expressions in star-unpacking assignment", loc);
            };
            self.op_i(Opcode::UNPACK_EX, oparg, loc);
        }
        if !seen_star {
            self.op_len(Opcode::UNPACK_SEQUENCE, elts.len(), loc);
        }
        for elt in elts {
            match elt {
                Expr::Starred(starred) => self.expr(&starred.value)?,
                _ => self.expr(elt)?,
            }
        }
        Ok(())
    }

    /// `codegen_dict`
    pub(super) fn dict(&mut self, e: &'a ast::ExprDict, loc: Location) -> Result {
        let mut have_dict = false;
        let mut start = 0;
        for (i, item) in e.items.iter().enumerate() {
            // A `**` entry, or one more pair than the stack should hold, ends a run of pairs.
            let end = match &item.key {
                None => i,
                Some(_) if (i - start) * 2 > STACK_USE_GUIDELINE => i + 1,
                Some(_) => continue,
            };
            if start < end {
                self.dict_run(&e.items[start..end], loc)?;
                if have_dict {
                    self.op_i(Opcode::DICT_UPDATE, 1, loc);
                }
                have_dict = true;
            }
            start = i + 1;
            if item.key.is_none() {
                if !have_dict {
                    self.op_i(Opcode::BUILD_MAP, 0, loc);
                    have_dict = true;
                }
                self.expr(&item.value)?;
                self.op_i(Opcode::DICT_UPDATE, 1, loc);
            }
        }
        if start < e.items.len() {
            self.dict_run(&e.items[start..], loc)?;
            if have_dict {
                self.op_i(Opcode::DICT_UPDATE, 1, loc);
            }
            have_dict = true;
        }
        if !have_dict {
            self.op_i(Opcode::BUILD_MAP, 0, loc);
        }
        Ok(())
    }

    /// `codegen_subdict`
    fn dict_run(&mut self, items: &'a [ast::DictItem], loc: Location) -> Result {
        let big = items.len() * 2 > STACK_USE_GUIDELINE;
        if big {
            self.op_i(Opcode::BUILD_MAP, 0, loc);
        }
        for item in items {
            if let Some(key) = &item.key {
                self.expr(key)?;
            }
            self.expr(&item.value)?;
            if big {
                self.op_i(Opcode::MAP_ADD, 1, loc);
            }
        }
        if !big {
            self.op_len(Opcode::BUILD_MAP, items.len(), loc);
        }
        Ok(())
    }
}

/// `UNPACK_EX`'s operand for a star at `index` of `len` targets, if it fits.
pub(super) fn unpack_ex_oparg(index: usize, len: usize) -> Option<i32> {
    let after = len - index - 1;
    (index < 1 << 8 && after < (i32::MAX >> 8) as usize).then_some((index | after << 8) as i32)
}
