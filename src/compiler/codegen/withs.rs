//! with statements, plain and async.

use super::unit::FBlockKind;
use super::{Compiler, Result};
use crate::bytecode::Opcode;
use crate::bytecode::spec::Constant;
use crate::compiler::instr::{Label, Location, NO_LOCATION};
use ruff_python_ast as ast;

/// Operands of `LOAD_SPECIAL`.
const SPECIAL_ENTER: i32 = 0;
const SPECIAL_EXIT: i32 = 1;
const SPECIAL_AENTER: i32 = 2;
const SPECIAL_AEXIT: i32 = 3;

impl<'a> Compiler<'a> {
    /// `codegen_call_exit_with_nones`
    pub(super) fn call_exit_with_nones(&mut self, loc: Location) {
        for _ in 0..3 {
            self.load_const(Constant::None, loc);
        }
        self.op_i(Opcode::CALL, 3, loc);
    }

    fn await_top(&mut self, how: i32, loc: Location) {
        self.op_i(Opcode::GET_AWAITABLE, how, loc);
        self.load_const(Constant::None, loc);
        self.add_yield_from(true, loc);
    }

    /// The item at `pos`, and those after it inside it (`codegen_with_inner`, `codegen_async_with_inner`).
    pub(super) fn with_item(&mut self, s: &'a ast::StmtWith, pos: usize) -> Result {
        crate::compiler::grown(|| self.with_item_inner(s, pos))
    }
    fn with_item_inner(&mut self, s: &'a ast::StmtWith, pos: usize) -> Result {
        let item = &s.items[pos];
        let block = self.new_label();
        let final_ = self.new_label();
        let exit = self.new_label();
        let cleanup = self.new_label();
        self.expr(&item.context_expr)?;
        let loc = self.expr_location(&item.context_expr);
        let (special_exit, special_enter) = if s.is_async {
            (SPECIAL_AEXIT, SPECIAL_AENTER)
        } else {
            (SPECIAL_EXIT, SPECIAL_ENTER)
        };
        self.op_i(Opcode::COPY, 1, loc);
        self.op_i(Opcode::LOAD_SPECIAL, special_exit, loc);
        self.op_i(Opcode::SWAP, 2, loc);
        self.op_i(Opcode::SWAP, 3, loc);
        self.op_i(Opcode::LOAD_SPECIAL, special_enter, loc);
        self.op_i(Opcode::CALL, 0, loc);
        if s.is_async {
            self.await_top(1, loc);
        }
        self.jump(Opcode::SETUP_WITH, final_, loc);
        self.use_label(block);
        let kind = if s.is_async {
            FBlockKind::AsyncWith
        } else {
            FBlockKind::With
        };
        self.push_fblock(kind, Some(block), Some(final_), loc)?;
        match &item.optional_vars {
            Some(target) => self.expr(target)?,
            None => self.op(Opcode::POP_TOP, loc),
        }
        if pos + 1 == s.items.len() {
            self.stmts(&s.body)?;
        } else {
            self.with_item(s, pos + 1)?;
        }
        self.pop_fblock();
        let block_end = if s.is_async { loc } else { NO_LOCATION };
        self.op(Opcode::POP_BLOCK, block_end);
        self.call_exit_with_nones(loc);
        if s.is_async {
            self.await_top(2, loc);
        }
        self.op(Opcode::POP_TOP, loc);
        self.jump(Opcode::JUMP, exit, loc);
        self.use_label(final_);
        self.jump(Opcode::SETUP_CLEANUP, cleanup, loc);
        self.op(Opcode::PUSH_EXC_INFO, loc);
        self.op(Opcode::WITH_EXCEPT_START, loc);
        if s.is_async {
            self.await_top(2, loc);
        }
        self.with_except_finish(cleanup);
        self.use_label(exit);
        Ok(())
    }

    /// `codegen_with_except_finish`
    fn with_except_finish(&mut self, cleanup: Label) {
        let suppress = self.new_label();
        self.op(Opcode::TO_BOOL, NO_LOCATION);
        self.jump(Opcode::POP_JUMP_IF_TRUE, suppress, NO_LOCATION);
        self.op_i(Opcode::RERAISE, 2, NO_LOCATION);
        self.use_label(suppress);
        self.op(Opcode::POP_TOP, NO_LOCATION);
        self.op(Opcode::POP_BLOCK, NO_LOCATION);
        self.op(Opcode::POP_EXCEPT, NO_LOCATION);
        self.op(Opcode::POP_TOP, NO_LOCATION);
        self.op(Opcode::POP_TOP, NO_LOCATION);
        self.op(Opcode::POP_TOP, NO_LOCATION);
        let exit = self.new_label();
        self.jump(Opcode::JUMP_NO_INTERRUPT, exit, NO_LOCATION);
        self.use_label(cleanup);
        self.pop_except_and_reraise(NO_LOCATION);
        self.use_label(exit);
    }
}
