//! Statements: the dispatch over them, assignments, imports, and the small ones.

use super::expressions::{NB_SUBSCR, binary_oparg, two_part_slice};
use super::names::{AttrLoad, Ctx};
use super::{Compiler, Result, common_constant, intrinsic};
use crate::bytecode::Opcode;
use crate::bytecode::spec::{Constant, Wtf8};
use crate::compiler::instr::{Location, NO_LOCATION};
use crate::compiler::names::known;
use crate::compiler::tree::{def_location, is_constant};
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::Ranged;

impl<'a> Compiler<'a> {
    pub(super) fn stmts(&mut self, body: &'a [Stmt]) -> Result {
        body.iter().try_for_each(|s| self.stmt(s))
    }

    pub(super) fn stmt_location(&self, stmt: &Stmt) -> Location {
        match stmt {
            Stmt::FunctionDef(s) => def_location(self.source, s.name.range(), s.range, s.is_async),
            Stmt::ClassDef(s) => def_location(self.source, s.name.range(), s.range, false),
            _ => self.loc(stmt),
        }
    }

    /// `codegen_visit_stmt`
    fn stmt(&mut self, stmt: &'a Stmt) -> Result {
        crate::compiler::grown(|| self.stmt_inner(stmt))
    }
    fn stmt_inner(&mut self, stmt: &'a Stmt) -> Result {
        match stmt {
            Stmt::FunctionDef(s) => self.function_def(s),
            Stmt::ClassDef(s) => self.class_def(s),
            Stmt::TypeAlias(s) => self.type_alias(s),
            Stmt::Return(s) => self.return_stmt(s),
            Stmt::Delete(s) => self.exprs(&s.targets),
            Stmt::Assign(s) => self.assign(s),
            Stmt::AugAssign(s) => self.aug_assign(s),
            Stmt::AnnAssign(s) => self.ann_assign(s),
            Stmt::For(s) if s.is_async => self.conditional(|c| c.async_for_loop(s)),
            Stmt::For(s) => self.conditional(|c| c.for_loop(s)),
            Stmt::While(s) => self.conditional(|c| c.while_loop(s)),
            Stmt::If(s) => self.conditional(|c| c.if_stmt(s)),
            Stmt::Match(s) => self.conditional(|c| c.match_stmt(s)),
            Stmt::Try(s) => self.conditional(|c| c.try_stmt(s)),
            Stmt::With(s) => self.conditional(|c| c.with_item(s, 0)),
            Stmt::Raise(s) => self.raise(s),
            Stmt::Assert(s) => self.assert(s),
            Stmt::Import(s) => self.import(s),
            Stmt::ImportFrom(s) => self.import_from(s),
            Stmt::Global(_) | Stmt::Nonlocal(_) => Ok(()),
            Stmt::Expr(s) => self.expr_stmt(s),
            Stmt::Pass(_) => {
                let loc = self.loc(stmt);
                self.op(Opcode::NOP, loc);
                Ok(())
            }
            Stmt::Break(_) => self.break_stmt(self.loc(stmt)),
            Stmt::Continue(_) => self.continue_stmt(self.loc(stmt)),
            Stmt::IpyEscapeCommand(_) => self.error("invalid syntax", self.loc(stmt)),
        }
    }

    /// Compiles with annotations counting as conditional (`CODEGEN_COND_BLOCK`).
    fn conditional(&mut self, compile: impl FnOnce(&mut Self) -> Result) -> Result {
        self.unit_mut().in_conditional_block += 1;
        compile(self)?;
        self.unit_mut().in_conditional_block -= 1;
        Ok(())
    }

    fn assign(&mut self, s: &'a ast::StmtAssign) -> Result {
        self.expr(&s.value)?;
        let loc = self.loc(s);
        for (i, target) in s.targets.iter().enumerate() {
            if i + 1 < s.targets.len() {
                self.op_i(Opcode::COPY, 1, loc);
            }
            self.expr(target)?;
        }
        Ok(())
    }

    /// `codegen_augassign`
    fn aug_assign(&mut self, s: &'a ast::StmtAugAssign) -> Result {
        let target_loc = self.expr_location(&s.target);
        let stmt_loc = self.loc(s);
        let oparg = binary_oparg(s.op, true);
        match &*s.target {
            Expr::Attribute(e) => {
                let name = self.names.intern(&e.attr);
                self.expr(&e.value)?;
                self.op_i(Opcode::COPY, 1, target_loc);
                let loc = self.start_at_attr(target_loc, e);
                self.load_attr(AttrLoad::Attr, name, loc);
                self.expr(&s.value)?;
                self.op_i(Opcode::BINARY_OP, oparg, stmt_loc);
                self.op_i(Opcode::SWAP, 2, loc);
                self.op_name(Opcode::STORE_ATTR, name, loc);
            }
            Expr::Subscript(e) => {
                let loc = target_loc;
                self.expr(&e.value)?;
                if let Some(slice) = two_part_slice(&e.slice) {
                    self.slice_two_parts(slice)?;
                    for _ in 0..3 {
                        self.op_i(Opcode::COPY, 3, loc);
                    }
                    self.op(Opcode::BINARY_SLICE, loc);
                    self.expr(&s.value)?;
                    self.op_i(Opcode::BINARY_OP, oparg, stmt_loc);
                    self.op_i(Opcode::SWAP, 4, loc);
                    self.op_i(Opcode::SWAP, 3, loc);
                    self.op_i(Opcode::SWAP, 2, loc);
                    self.op(Opcode::STORE_SLICE, loc);
                } else {
                    self.expr(&e.slice)?;
                    self.op_i(Opcode::COPY, 2, loc);
                    self.op_i(Opcode::COPY, 2, loc);
                    self.op_i(Opcode::BINARY_OP, NB_SUBSCR, loc);
                    self.expr(&s.value)?;
                    self.op_i(Opcode::BINARY_OP, oparg, stmt_loc);
                    self.op_i(Opcode::SWAP, 3, loc);
                    self.op_i(Opcode::SWAP, 2, loc);
                    self.op(Opcode::STORE_SUBSCR, loc);
                }
            }
            Expr::Name(e) => {
                let name = self.names.of(e);
                self.name_op(name, Ctx::Load, target_loc)?;
                self.expr(&s.value)?;
                self.op_i(Opcode::BINARY_OP, oparg, stmt_loc);
                self.name_op(name, Ctx::Store, target_loc)?;
            }
            _ => {
                let message = "illegal expression for augmented assignment";
                return self.error(message, target_loc);
            }
        }
        Ok(())
    }

    /// `codegen_if`; an `elif` is an if statement inside the else branch.
    fn if_stmt(&mut self, s: &'a ast::StmtIf) -> Result {
        let mut ends = Vec::with_capacity(1);
        let mut test = Some(&*s.test);
        let mut body = &s.body[..];
        let mut clauses = s.elif_else_clauses.iter();
        while let Some(condition) = test {
            let end = self.new_label();
            ends.push(end);
            let clause = clauses.next();
            let next = match clause {
                Some(_) => self.new_label(),
                None => end,
            };
            self.jump_if(condition, next, false)?;
            self.stmts(body)?;
            let Some(clause) = clause else { break };
            self.jump(Opcode::JUMP_NO_INTERRUPT, end, NO_LOCATION);
            self.use_label(next);
            test = clause.test.as_ref();
            body = &clause.body;
            if test.is_none() {
                self.stmts(body)?;
            }
        }
        for end in ends.into_iter().rev() {
            self.use_label(end);
        }
        Ok(())
    }

    fn raise(&mut self, s: &'a ast::StmtRaise) -> Result {
        let mut count = 0;
        for part in [&s.exc, &s.cause].into_iter().flatten() {
            self.expr(part)?;
            count += 1;
        }
        let loc = self.loc(s);
        self.op_i(Opcode::RAISE_VARARGS, count, loc);
        Ok(())
    }

    fn assert(&mut self, s: &'a ast::StmtAssert) -> Result {
        self.check_assert(s)?;
        if self.options.optimize > 0 {
            return Ok(());
        }
        let loc = self.loc(s);
        let end = self.new_label();
        self.jump_if(&s.test, end, true)?;
        let error = common_constant::ASSERTION_ERROR;
        self.op_i(Opcode::LOAD_COMMON_CONSTANT, error, loc);
        if let Some(message) = &s.msg {
            self.expr(message)?;
            self.op_i(Opcode::CALL, 0, loc);
        }
        let test_loc = self.expr_location(&s.test);
        self.op_i(Opcode::RAISE_VARARGS, 1, test_loc);
        self.use_label(end);
        Ok(())
    }

    /// `codegen_stmt_expr`
    fn expr_stmt(&mut self, s: &'a ast::StmtExpr) -> Result {
        let loc = self.loc(s);
        if self.interactive && self.units.len() == 1 {
            self.expr(&s.value)?;
            self.op_i(Opcode::CALL_INTRINSIC_1, intrinsic::PRINT, loc);
        } else if is_constant(&s.value) {
            self.op(Opcode::NOP, loc);
            return Ok(());
        } else {
            self.expr(&s.value)?;
        }
        self.op(Opcode::POP_TOP, NO_LOCATION);
        Ok(())
    }

    /// `codegen_import`
    fn import(&mut self, s: &'a ast::StmtImport) -> Result {
        let loc = self.loc(s);
        for alias in &s.names {
            self.load_int(0, loc);
            self.load_const(Constant::None, loc);
            let name = self.names.intern(&alias.name);
            self.op_name(Opcode::IMPORT_NAME, name, loc);
            let Some(asname) = &alias.asname else {
                let top = alias.name.split('.').next().unwrap_or_default();
                let top = self.names.intern(top);
                self.name_op(top, Ctx::Store, loc)?;
                continue;
            };
            let asname = self.names.intern(asname);
            // `import a.b.c as d` walks down from `a`.
            let mut parts = alias.name.split('.').skip(1).peekable();
            let dotted = parts.peek().is_some();
            while let Some(part) = parts.next() {
                let part = self.names.intern(part);
                let index = self.unit_mut().names.add(part);
                self.op_i(Opcode::IMPORT_FROM, index, loc);
                if parts.peek().is_some() {
                    self.op_i(Opcode::SWAP, 2, loc);
                    self.op(Opcode::POP_TOP, loc);
                }
            }
            self.name_op(asname, Ctx::Store, loc)?;
            if dotted {
                self.op(Opcode::POP_TOP, loc);
            }
        }
        Ok(())
    }

    /// `codegen_from_import`
    fn import_from(&mut self, s: &'a ast::StmtImportFrom) -> Result {
        let loc = self.loc(s);
        self.load_int(i64::from(s.level), loc);
        let names = s
            .names
            .iter()
            .map(|a| Constant::Str(Wtf8::from(a.name.as_str())))
            .collect();
        self.load_const(Constant::Tuple(names), loc);
        let module = match &s.module {
            Some(module) => self.names.intern(module),
            None => known::EMPTY,
        };
        self.op_name(Opcode::IMPORT_NAME, module, loc);
        for alias in &s.names {
            if alias.name.as_str() == "*" {
                self.op_i(Opcode::CALL_INTRINSIC_1, intrinsic::IMPORT_STAR, loc);
                self.op(Opcode::POP_TOP, NO_LOCATION);
                return Ok(());
            }
            let name = self.names.intern(&alias.name);
            self.op_name(Opcode::IMPORT_FROM, name, loc);
            let stored = alias.asname.as_ref().unwrap_or(&alias.name);
            let stored = self.names.intern(stored);
            self.name_op(stored, Ctx::Store, loc)?;
        }
        self.op(Opcode::POP_TOP, loc);
        Ok(())
    }
}
