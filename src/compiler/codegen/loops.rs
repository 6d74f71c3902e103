//! Loops, and the statements that leave blocks: break, continue, return.

use super::names::Ctx;
use super::unit::{FBlock, FBlockKind};
use super::{Compiler, Result};
use crate::bytecode::Opcode;
use crate::bytecode::spec::Constant;
use crate::compiler::instr::{Label, Location, NO_LOCATION};
use crate::compiler::tree::{block_location, is_constant};
use ruff_python_ast as ast;

impl<'a> Compiler<'a> {
    /// `codegen_for`
    pub(super) fn for_loop(&mut self, s: &'a ast::StmtFor) -> Result {
        let loc = self.loc(s);
        let start = self.new_label();
        let body = self.new_label();
        let cleanup = self.new_label();
        let end = self.new_label();
        self.push_fblock(FBlockKind::ForLoop, Some(start), Some(end), loc)?;
        self.expr(&s.iter)?;
        let iter_loc = self.expr_location(&s.iter);
        self.op(Opcode::GET_ITER, iter_loc);
        self.use_label(start);
        self.jump(Opcode::FOR_ITER, cleanup, iter_loc);
        // A line event for the target, if it stands on its own line.
        let target_loc = self.expr_location(&s.target);
        self.op(Opcode::NOP, target_loc);
        self.use_label(body);
        self.expr(&s.target)?;
        self.stmts(&s.body)?;
        self.jump(Opcode::JUMP, start, NO_LOCATION);
        self.use_label(cleanup);
        self.op(Opcode::END_FOR, NO_LOCATION);
        self.op(Opcode::POP_ITER, NO_LOCATION);
        self.pop_fblock();
        self.stmts(&s.orelse)?;
        self.use_label(end);
        Ok(())
    }

    /// `codegen_async_for`
    pub(super) fn async_for_loop(&mut self, s: &'a ast::StmtFor) -> Result {
        let loc = block_location(self.source, s.range);
        let start = self.new_label();
        let send = self.new_label();
        let except = self.new_label();
        let end = self.new_label();
        self.expr(&s.iter)?;
        let iter_loc = self.expr_location(&s.iter);
        self.op(Opcode::GET_AITER, iter_loc);
        self.use_label(start);
        self.push_fblock(FBlockKind::AsyncForLoop, Some(start), Some(end), loc)?;
        self.jump(Opcode::SETUP_FINALLY, except, loc);
        self.op(Opcode::GET_ANEXT, loc);
        self.load_const(Constant::None, loc);
        self.use_label(send);
        self.add_yield_from(true, loc);
        self.op(Opcode::POP_BLOCK, loc);
        self.op(Opcode::NOT_TAKEN, loc);
        self.expr(&s.target)?;
        self.stmts(&s.body)?;
        self.jump(Opcode::JUMP, start, NO_LOCATION);
        self.pop_fblock();
        self.use_label(except);
        self.jump(Opcode::END_ASYNC_FOR, send, iter_loc);
        self.stmts(&s.orelse)?;
        self.use_label(end);
        Ok(())
    }

    /// `codegen_while`
    pub(super) fn while_loop(&mut self, s: &'a ast::StmtWhile) -> Result {
        let looping = self.new_label();
        let end = self.new_label();
        let anchor = self.new_label();
        self.use_label(looping);
        let loc = self.loc(s);
        self.push_fblock(FBlockKind::WhileLoop, Some(looping), Some(end), loc)?;
        self.jump_if(&s.test, anchor, false)?;
        self.stmts(&s.body)?;
        self.jump(Opcode::JUMP, looping, NO_LOCATION);
        self.pop_fblock();
        self.use_label(anchor);
        self.stmts(&s.orelse)?;
        self.use_label(end);
        Ok(())
    }

    /// `codegen_return`
    pub(super) fn return_stmt(&mut self, s: &'a ast::StmtReturn) -> Result {
        let stmt_loc = self.loc(s);
        let mut loc = stmt_loc;
        let value = s.value.as_deref();
        let block = self.block();
        if !block.is_function_like() {
            return self.error("'return' outside function", loc);
        }
        if value.is_some() && block.coroutine && block.generator {
            return self.error("'return' with value in async generator", loc);
        }
        let preserve_tos = value.is_some_and(|v| !is_constant(v));
        let mut value_line = None;
        if let Some(value) = value {
            let value_loc = self.expr_location(value);
            value_line = Some(value_loc.lineno);
            if preserve_tos {
                self.expr(value)?;
            } else {
                loc = value_loc;
                self.op(Opcode::NOP, loc);
            }
        }
        if value_line != Some(stmt_loc.lineno) {
            loc = stmt_loc;
            self.op(Opcode::NOP, loc);
        }
        self.unwind_fblock_stack(&mut loc, preserve_tos, false)?;
        match value {
            None => self.load_const(Constant::None, loc),
            Some(value) if !preserve_tos => {
                let value = self.constant(value)?;
                self.load_const(value, loc);
            }
            Some(_) => {}
        }
        self.op(Opcode::RETURN_VALUE, loc);
        Ok(())
    }

    /// `codegen_break`
    pub(super) fn break_stmt(&mut self, loc: Location) -> Result {
        let mut at = loc;
        self.op(Opcode::NOP, at);
        let Some(found) = self.unwind_fblock_stack(&mut at, false, true)? else {
            return self.error("'break' outside loop", loc);
        };
        self.unwind_fblock(&mut at, &found, false)?;
        self.jump_to(found.exit, at)
    }

    /// `codegen_continue`
    pub(super) fn continue_stmt(&mut self, loc: Location) -> Result {
        let mut at = loc;
        self.op(Opcode::NOP, at);
        let Some(found) = self.unwind_fblock_stack(&mut at, false, true)? else {
            return self.error("'continue' not properly in loop", loc);
        };
        self.jump_to(found.block, at)
    }

    fn jump_to(&mut self, target: Option<Label>, loc: Location) -> Result {
        match target {
            Some(target) => {
                self.jump(Opcode::JUMP, target, loc);
                Ok(())
            }
            None => Err(super::CompileError::system("a loop without its label")),
        }
    }

    /// Leaves every enclosing block, or those inside the innermost loop, which is the answer
    /// (`codegen_unwind_fblock_stack`).
    fn unwind_fblock_stack(
        &mut self,
        loc: &mut Location,
        preserve_tos: bool,
        to_loop: bool,
    ) -> Result<Option<FBlock<'a>>> {
        let Some(top) = self.top_fblock() else {
            return Ok(None);
        };
        if top.kind == FBlockKind::ExceptionGroupHandler {
            return self.error(
                "'break', 'continue' and 'return' cannot appear in an except* block",
                *loc,
            );
        }
        let is_loop = matches!(
            top.kind,
            FBlockKind::WhileLoop | FBlockKind::ForLoop | FBlockKind::AsyncForLoop
        );
        if to_loop && is_loop {
            return Ok(Some(top));
        }
        self.pop_fblock();
        self.unwind_fblock(loc, &top, preserve_tos)?;
        let found = self.unwind_fblock_stack(loc, preserve_tos, to_loop)?;
        self.restore_fblock(top);
        Ok(found)
    }

    /// `codegen_unwind_fblock`
    fn unwind_fblock(
        &mut self,
        loc: &mut Location,
        info: &FBlock<'a>,
        preserve_tos: bool,
    ) -> Result {
        match info.kind {
            FBlockKind::WhileLoop
            | FBlockKind::ExceptionHandler
            | FBlockKind::ExceptionGroupHandler
            | FBlockKind::AsyncComprehensionGenerator
            | FBlockKind::StopIteration => {}
            FBlockKind::ForLoop | FBlockKind::AsyncForLoop | FBlockKind::PopValue => {
                if preserve_tos {
                    self.op_i(Opcode::SWAP, 2, *loc);
                }
                self.op(Opcode::POP_TOP, *loc);
            }
            FBlockKind::TryExcept => self.op(Opcode::POP_BLOCK, *loc),
            FBlockKind::FinallyTry(body) => {
                self.op(Opcode::POP_BLOCK, *loc);
                if preserve_tos {
                    self.push_fblock(FBlockKind::PopValue, None, None, *loc)?;
                }
                self.stmts(body)?;
                if preserve_tos {
                    self.pop_fblock();
                }
                // What follows happens after the finally block, on no line of its own.
                *loc = NO_LOCATION;
            }
            FBlockKind::FinallyEnd => {
                if preserve_tos {
                    self.op_i(Opcode::SWAP, 2, *loc);
                }
                self.op(Opcode::POP_TOP, *loc);
                if preserve_tos {
                    self.op_i(Opcode::SWAP, 2, *loc);
                }
                self.op(Opcode::POP_BLOCK, *loc);
                self.op(Opcode::POP_EXCEPT, *loc);
            }
            FBlockKind::With | FBlockKind::AsyncWith => {
                *loc = info.loc;
                self.op(Opcode::POP_BLOCK, *loc);
                if preserve_tos {
                    self.op_i(Opcode::SWAP, 3, *loc);
                    self.op_i(Opcode::SWAP, 2, *loc);
                }
                self.call_exit_with_nones(*loc);
                if info.kind == FBlockKind::AsyncWith {
                    self.op_i(Opcode::GET_AWAITABLE, 2, *loc);
                    self.load_const(Constant::None, *loc);
                    self.add_yield_from(true, *loc);
                }
                self.op(Opcode::POP_TOP, *loc);
                *loc = NO_LOCATION;
            }
            FBlockKind::HandlerCleanup(name) => {
                if name.is_some() {
                    self.op(Opcode::POP_BLOCK, *loc);
                }
                if preserve_tos {
                    self.op_i(Opcode::SWAP, 2, *loc);
                }
                self.op(Opcode::POP_BLOCK, *loc);
                self.op(Opcode::POP_EXCEPT, *loc);
                if let Some(name) = name {
                    self.load_const(Constant::None, *loc);
                    self.name_op(name, Ctx::Store, *loc)?;
                    self.name_op(name, Ctx::Del, *loc)?;
                }
            }
        }
        Ok(())
    }
}
