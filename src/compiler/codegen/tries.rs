//! try statements: handlers, groups of exceptions, finally.

use super::names::Ctx;
use super::unit::FBlockKind;
use super::{Compiler, Result, intrinsic};
use crate::bytecode::Opcode;
use crate::bytecode::spec::Constant;
use crate::compiler::instr::{Location, NO_LOCATION};
use crate::compiler::names::NameId;
use crate::compiler::tree::block_location;
use ruff_python_ast::{self as ast, ExceptHandler};

impl<'a> Compiler<'a> {
    pub(super) fn try_stmt(&mut self, s: &'a ast::StmtTry) -> Result {
        if s.finalbody.is_empty() {
            self.try_handlers(s)
        } else {
            self.try_finally(s)
        }
    }

    fn try_handlers(&mut self, s: &'a ast::StmtTry) -> Result {
        if s.is_star {
            self.try_star_except(s)
        } else {
            self.try_except(s)
        }
    }

    /// `codegen_pop_except_and_reraise`
    pub(super) fn pop_except_and_reraise(&mut self, loc: Location) {
        self.op_i(Opcode::COPY, 3, loc);
        self.op(Opcode::POP_EXCEPT, loc);
        self.op_i(Opcode::RERAISE, 1, loc);
    }

    /// `codegen_try_finally` and `codegen_try_star_finally`
    fn try_finally(&mut self, s: &'a ast::StmtTry) -> Result {
        let loc = block_location(self.source, s.range);
        let body = self.new_label();
        let end = self.new_label();
        let exit = self.new_label();
        let cleanup = self.new_label();
        self.jump(Opcode::SETUP_FINALLY, end, loc);
        self.use_label(body);
        self.push_fblock(
            FBlockKind::FinallyTry(&s.finalbody),
            Some(body),
            Some(end),
            loc,
        )?;
        if s.handlers.is_empty() {
            self.stmts(&s.body)?;
        } else {
            self.try_handlers(s)?;
        }
        self.op(Opcode::POP_BLOCK, NO_LOCATION);
        self.pop_fblock();
        self.stmts(&s.finalbody)?;
        self.jump(Opcode::JUMP_NO_INTERRUPT, exit, NO_LOCATION);
        self.use_label(end);
        self.jump(Opcode::SETUP_CLEANUP, cleanup, NO_LOCATION);
        self.op(Opcode::PUSH_EXC_INFO, NO_LOCATION);
        self.push_fblock(FBlockKind::FinallyEnd, Some(end), None, NO_LOCATION)?;
        // All warnings about the body have been given.
        let muted = self.warnings.mute(true);
        self.stmts(&s.finalbody)?;
        self.warnings.mute(muted);
        self.pop_fblock();
        self.op_i(Opcode::RERAISE, 0, NO_LOCATION);
        self.use_label(cleanup);
        self.pop_except_and_reraise(NO_LOCATION);
        self.use_label(exit);
        Ok(())
    }

    /// Unbinds a handler's name: `name = None; del name`, on no line.
    fn forget_name(&mut self, name: NameId) -> Result {
        self.load_const(Constant::None, NO_LOCATION);
        self.name_op(name, Ctx::Store, NO_LOCATION)?;
        self.name_op(name, Ctx::Del, NO_LOCATION)
    }

    /// `codegen_try_except`
    fn try_except(&mut self, s: &'a ast::StmtTry) -> Result {
        let loc = block_location(self.source, s.range);
        let body = self.new_label();
        let except = self.new_label();
        let end = self.new_label();
        let cleanup = self.new_label();
        self.jump(Opcode::SETUP_FINALLY, except, loc);
        self.use_label(body);
        self.push_fblock(FBlockKind::TryExcept, Some(body), None, loc)?;
        self.stmts(&s.body)?;
        self.pop_fblock();
        self.op(Opcode::POP_BLOCK, NO_LOCATION);
        self.stmts(&s.orelse)?;
        self.jump(Opcode::JUMP_NO_INTERRUPT, end, NO_LOCATION);
        self.use_label(except);
        self.jump(Opcode::SETUP_CLEANUP, cleanup, NO_LOCATION);
        self.op(Opcode::PUSH_EXC_INFO, NO_LOCATION);
        self.push_fblock(FBlockKind::ExceptionHandler, None, None, loc)?;
        for (i, ExceptHandler::ExceptHandler(handler)) in s.handlers.iter().enumerate() {
            let loc = block_location(self.source, handler.range);
            if handler.type_.is_none() && i + 1 < s.handlers.len() {
                return self.error("default 'except:' must be last", loc);
            }
            let next_except = self.new_label();
            if let Some(kind) = &handler.type_ {
                self.expr(kind)?;
                self.op(Opcode::CHECK_EXC_MATCH, loc);
                self.jump(Opcode::POP_JUMP_IF_FALSE, next_except, loc);
            }
            let name = handler.name.as_ref().map(|n| self.names.intern(n));
            if let Some(name) = name {
                let cleanup_end = self.new_label();
                let cleanup_body = self.new_label();
                self.name_op(name, Ctx::Store, loc)?;
                self.jump(Opcode::SETUP_CLEANUP, cleanup_end, loc);
                self.use_label(cleanup_body);
                let kind = FBlockKind::HandlerCleanup(Some(name));
                self.push_fblock(kind, Some(cleanup_body), None, loc)?;
                self.stmts(&handler.body)?;
                self.pop_fblock();
                self.op(Opcode::POP_BLOCK, NO_LOCATION);
                self.op(Opcode::POP_BLOCK, NO_LOCATION);
                self.op(Opcode::POP_EXCEPT, NO_LOCATION);
                self.forget_name(name)?;
                self.jump(Opcode::JUMP_NO_INTERRUPT, end, NO_LOCATION);
                self.use_label(cleanup_end);
                self.forget_name(name)?;
                self.op_i(Opcode::RERAISE, 1, NO_LOCATION);
            } else {
                let cleanup_body = self.new_label();
                self.op(Opcode::POP_TOP, loc);
                self.use_label(cleanup_body);
                let kind = FBlockKind::HandlerCleanup(None);
                self.push_fblock(kind, Some(cleanup_body), None, loc)?;
                self.stmts(&handler.body)?;
                self.pop_fblock();
                self.op(Opcode::POP_BLOCK, NO_LOCATION);
                self.op(Opcode::POP_EXCEPT, NO_LOCATION);
                self.jump(Opcode::JUMP_NO_INTERRUPT, end, NO_LOCATION);
            }
            self.use_label(next_except);
        }
        self.pop_fblock();
        self.op_i(Opcode::RERAISE, 0, NO_LOCATION);
        self.use_label(cleanup);
        self.pop_except_and_reraise(NO_LOCATION);
        self.use_label(end);
        Ok(())
    }

    /// `codegen_try_star_except`: the stack holds the original group, the list of what handlers raised,
    /// and the part of the group still unmatched.
    fn try_star_except(&mut self, s: &'a ast::StmtTry) -> Result {
        let loc = block_location(self.source, s.range);
        let body = self.new_label();
        let except = self.new_label();
        let orelse = self.new_label();
        let end = self.new_label();
        let cleanup = self.new_label();
        let reraise_star = self.new_label();
        self.jump(Opcode::SETUP_FINALLY, except, loc);
        self.use_label(body);
        self.push_fblock(FBlockKind::TryExcept, Some(body), None, loc)?;
        self.stmts(&s.body)?;
        self.pop_fblock();
        self.op(Opcode::POP_BLOCK, NO_LOCATION);
        self.jump(Opcode::JUMP_NO_INTERRUPT, orelse, NO_LOCATION);
        self.use_label(except);
        self.jump(Opcode::SETUP_CLEANUP, cleanup, NO_LOCATION);
        self.op(Opcode::PUSH_EXC_INFO, NO_LOCATION);
        self.push_fblock(FBlockKind::ExceptionGroupHandler, None, None, loc)?;
        for (i, ExceptHandler::ExceptHandler(handler)) in s.handlers.iter().enumerate() {
            self.star_handler(handler, i == 0)?;
            if i + 1 == s.handlers.len() {
                // What is left unmatched joins the list; it may be None.
                self.op_i(Opcode::LIST_APPEND, 1, NO_LOCATION);
                self.jump(Opcode::JUMP_NO_INTERRUPT, reraise_star, NO_LOCATION);
            }
        }
        self.pop_fblock();
        let reraise = self.new_label();
        self.use_label(reraise_star);
        let prep = intrinsic::PREP_RERAISE_STAR;
        self.op_i(Opcode::CALL_INTRINSIC_2, prep, NO_LOCATION);
        self.op_i(Opcode::COPY, 1, NO_LOCATION);
        self.jump(Opcode::POP_JUMP_IF_NOT_NONE, reraise, NO_LOCATION);
        self.op(Opcode::POP_TOP, NO_LOCATION);
        self.op(Opcode::POP_BLOCK, NO_LOCATION);
        self.op(Opcode::POP_EXCEPT, NO_LOCATION);
        self.jump(Opcode::JUMP_NO_INTERRUPT, end, NO_LOCATION);
        self.use_label(reraise);
        self.op(Opcode::POP_BLOCK, NO_LOCATION);
        self.op_i(Opcode::SWAP, 2, NO_LOCATION);
        self.op(Opcode::POP_EXCEPT, NO_LOCATION);
        self.op_i(Opcode::RERAISE, 0, NO_LOCATION);
        self.use_label(cleanup);
        self.pop_except_and_reraise(NO_LOCATION);
        self.use_label(orelse);
        self.stmts(&s.orelse)?;
        self.use_label(end);
        Ok(())
    }

    fn star_handler(
        &mut self,
        handler: &'a ast::ExceptHandlerExceptHandler,
        is_first: bool,
    ) -> Result {
        let loc = block_location(self.source, handler.range);
        let next_except = self.new_label();
        let except_with_error = self.new_label();
        let no_match = self.new_label();
        if is_first {
            self.op_i(Opcode::BUILD_LIST, 0, loc);
            self.op_i(Opcode::COPY, 2, loc);
        }
        if let Some(kind) = &handler.type_ {
            self.expr(kind)?;
            self.op(Opcode::CHECK_EG_MATCH, loc);
            self.op_i(Opcode::COPY, 1, loc);
            self.jump(Opcode::POP_JUMP_IF_NONE, no_match, loc);
        }
        let cleanup_end = self.new_label();
        let cleanup_body = self.new_label();
        let name = handler.name.as_ref().map(|n| self.names.intern(n));
        match name {
            Some(name) => self.name_op(name, Ctx::Store, loc)?,
            None => self.op(Opcode::POP_TOP, loc),
        }
        self.jump(Opcode::SETUP_CLEANUP, cleanup_end, loc);
        self.use_label(cleanup_body);
        let kind = FBlockKind::HandlerCleanup(name);
        self.push_fblock(kind, Some(cleanup_body), None, loc)?;
        self.stmts(&handler.body)?;
        self.pop_fblock();
        self.op(Opcode::POP_BLOCK, NO_LOCATION);
        if let Some(name) = name {
            self.forget_name(name)?;
        }
        self.jump(Opcode::JUMP_NO_INTERRUPT, next_except, NO_LOCATION);
        self.use_label(cleanup_end);
        if let Some(name) = name {
            self.forget_name(name)?;
        }
        // What the handler raised joins the list; below it lies its instruction's offset.
        self.op_i(Opcode::LIST_APPEND, 3, NO_LOCATION);
        self.op(Opcode::POP_TOP, NO_LOCATION);
        self.jump(Opcode::JUMP_NO_INTERRUPT, except_with_error, NO_LOCATION);
        self.use_label(next_except);
        self.op(Opcode::NOP, NO_LOCATION);
        self.jump(Opcode::JUMP_NO_INTERRUPT, except_with_error, NO_LOCATION);
        self.use_label(no_match);
        self.op(Opcode::POP_TOP, loc);
        self.use_label(except_with_error);
        Ok(())
    }
}
