//! Comparisons, boolean operators, and jumps on the truth of an expression.

use super::{Compiler, Result};
use crate::bytecode::Opcode;
use crate::compiler::instr::{Label, Location, NO_LOCATION};
use ruff_python_ast::{self as ast, BoolOp, CmpOp, Expr, UnaryOp};

/// `COMPARE_OP`'s operand for an ordering: the comparison's number above, its result mask below.
fn compare_oparg(op: CmpOp) -> Option<i32> {
    const LESS: i32 = 2;
    const GREATER: i32 = 4;
    const EQUAL: i32 = 8;
    const NOT_EQUAL: i32 = 1 | LESS | GREATER;
    let (number, mask) = match op {
        CmpOp::Lt => (0, LESS),
        CmpOp::LtE => (1, LESS | EQUAL),
        CmpOp::Eq => (2, EQUAL),
        CmpOp::NotEq => (3, NOT_EQUAL),
        CmpOp::Gt => (4, GREATER),
        CmpOp::GtE => (5, GREATER | EQUAL),
        CmpOp::Is | CmpOp::IsNot | CmpOp::In | CmpOp::NotIn => return None,
    };
    Some(number << 5 | mask)
}

impl<'a> Compiler<'a> {
    /// `codegen_addcompare`
    pub(super) fn compare(&mut self, op: CmpOp, loc: Location) {
        match (compare_oparg(op), op) {
            (Some(oparg), _) => self.op_i(Opcode::COMPARE_OP, oparg, loc),
            (None, CmpOp::Is) => self.op_i(Opcode::IS_OP, 0, loc),
            (None, CmpOp::IsNot) => self.op_i(Opcode::IS_OP, 1, loc),
            (None, CmpOp::In) => self.op_i(Opcode::CONTAINS_OP, 0, loc),
            (None, _) => self.op_i(Opcode::CONTAINS_OP, 1, loc),
        }
    }

    /// One link of a comparison chain: the right operand stays for the next link.
    fn compare_link(&mut self, comparator: &'a Expr, op: CmpOp, loc: Location) -> Result {
        self.expr(comparator)?;
        self.op_i(Opcode::SWAP, 2, loc);
        self.op_i(Opcode::COPY, 2, loc);
        self.compare(op, loc);
        Ok(())
    }

    /// `codegen_compare`
    pub(super) fn compare_chain(&mut self, e: &'a ast::ExprCompare, loc: Location) -> Result {
        self.check_compare(e)?;
        self.expr(&e.left)?;
        let last = e.comparators.len() - 1;
        if last == 0 {
            self.expr(&e.comparators[0])?;
            self.compare(e.ops[0], loc);
            return Ok(());
        }
        let cleanup = self.new_label();
        for i in 0..last {
            self.compare_link(&e.comparators[i], e.ops[i], loc)?;
            self.op_i(Opcode::COPY, 1, loc);
            self.op(Opcode::TO_BOOL, loc);
            self.jump(Opcode::POP_JUMP_IF_FALSE, cleanup, loc);
            self.op(Opcode::POP_TOP, loc);
        }
        self.expr(&e.comparators[last])?;
        self.compare(e.ops[last], loc);
        let end = self.new_label();
        self.jump(Opcode::JUMP_NO_INTERRUPT, end, NO_LOCATION);
        self.use_label(cleanup);
        self.op_i(Opcode::SWAP, 2, loc);
        self.op(Opcode::POP_TOP, loc);
        self.use_label(end);
        Ok(())
    }

    /// Jumps to `next` if the truth of `e` is `cond` (`codegen_jump_if`).
    pub(super) fn jump_if(&mut self, e: &'a Expr, next: Label, cond: bool) -> Result {
        crate::compiler::grown(|| self.jump_if_inner(e, next, cond))
    }
    fn jump_if_inner(&mut self, e: &'a Expr, next: Label, cond: bool) -> Result {
        match e {
            Expr::UnaryOp(e) if e.op == UnaryOp::Not => {
                return self.jump_if(&e.operand, next, !cond);
            }
            Expr::BoolOp(e) => {
                let cond2 = e.op == BoolOp::Or;
                let next2 = if cond2 == cond {
                    next
                } else {
                    self.new_label()
                };
                if let [init @ .., last] = &e.values[..] {
                    for value in init {
                        self.jump_if(value, next2, cond2)?;
                    }
                    self.jump_if(last, next, cond)?;
                }
                if next2 != next {
                    self.use_label(next2);
                }
                return Ok(());
            }
            Expr::If(e) => {
                let end = self.new_label();
                let next2 = self.new_label();
                self.jump_if(&e.test, next2, false)?;
                self.jump_if(&e.body, next, cond)?;
                self.jump(Opcode::JUMP_NO_INTERRUPT, end, NO_LOCATION);
                self.use_label(next2);
                self.jump_if(&e.orelse, next, cond)?;
                self.use_label(end);
                return Ok(());
            }
            Expr::Compare(e) if e.comparators.len() > 1 => {
                return self.jump_if_compare_chain(e, next, cond);
            }
            _ => {}
        }
        self.expr(e)?;
        let loc = self.expr_location(e);
        self.op(Opcode::TO_BOOL, loc);
        self.jump(pop_jump_if(cond), next, loc);
        Ok(())
    }
    fn jump_if_compare_chain(
        &mut self,
        e: &'a ast::ExprCompare,
        next: Label,
        cond: bool,
    ) -> Result {
        self.check_compare(e)?;
        let loc = self.loc(e);
        let cleanup = self.new_label();
        self.expr(&e.left)?;
        let last = e.comparators.len() - 1;
        for i in 0..last {
            self.compare_link(&e.comparators[i], e.ops[i], loc)?;
            self.op(Opcode::TO_BOOL, loc);
            self.jump(Opcode::POP_JUMP_IF_FALSE, cleanup, loc);
        }
        self.expr(&e.comparators[last])?;
        self.compare(e.ops[last], loc);
        self.op(Opcode::TO_BOOL, loc);
        self.jump(pop_jump_if(cond), next, loc);
        let end = self.new_label();
        self.jump(Opcode::JUMP_NO_INTERRUPT, end, NO_LOCATION);
        self.use_label(cleanup);
        self.op(Opcode::POP_TOP, loc);
        if !cond {
            self.jump(Opcode::JUMP_NO_INTERRUPT, next, NO_LOCATION);
        }
        self.use_label(end);
        Ok(())
    }

    pub(super) fn bool_op(&mut self, e: &'a ast::ExprBoolOp, loc: Location) -> Result {
        let op = match e.op {
            BoolOp::And => Opcode::JUMP_IF_FALSE,
            BoolOp::Or => Opcode::JUMP_IF_TRUE,
        };
        let end = self.new_label();
        if let [init @ .., last] = &e.values[..] {
            for value in init {
                self.expr(value)?;
                self.jump(op, end, loc);
                self.op(Opcode::POP_TOP, loc);
            }
            self.expr(last)?;
        }
        self.use_label(end);
        Ok(())
    }

    pub(super) fn if_exp(&mut self, e: &'a ast::ExprIf) -> Result {
        let end = self.new_label();
        let next = self.new_label();
        self.jump_if(&e.test, next, false)?;
        self.expr(&e.body)?;
        self.jump(Opcode::JUMP_NO_INTERRUPT, end, NO_LOCATION);
        self.use_label(next);
        self.expr(&e.orelse)?;
        self.use_label(end);
        Ok(())
    }
}

fn pop_jump_if(cond: bool) -> Opcode {
    if cond {
        Opcode::POP_JUMP_IF_TRUE
    } else {
        Opcode::POP_JUMP_IF_FALSE
    }
}
