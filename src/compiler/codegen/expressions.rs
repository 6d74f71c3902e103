//! Expressions but calls, comprehensions and strings.

use super::comprehensions::{Kind, Parts};
use super::names::{AttrLoad, Ctx};
use super::unit::ScopeType;
use super::{CompileError, Compiler, Result, intrinsic, literals, resume};
use crate::bytecode::Opcode;
use crate::bytecode::spec::Constant;
use crate::compiler::instr::{Location, NO_LOCATION};
use crate::compiler::symtable::node_key;
use crate::compiler::tree::{generator_range, is_constant};
use ruff_python_ast::{self as ast, Expr, ExprContext, Operator, UnaryOp};

/// `NB_*`, the operand of `BINARY_OP`.
pub(super) fn binary_oparg(op: Operator, inplace: bool) -> i32 {
    let number = match op {
        Operator::Add => 0,
        Operator::BitAnd => 1,
        Operator::FloorDiv => 2,
        Operator::LShift => 3,
        Operator::MatMult => 4,
        Operator::Mult => 5,
        Operator::Mod => 6,
        Operator::BitOr => 7,
        Operator::Pow => 8,
        Operator::RShift => 9,
        Operator::Sub => 10,
        Operator::Div => 11,
        Operator::BitXor => 12,
    };
    if inplace { number + 13 } else { number }
}
pub(super) const NB_SUBSCR: i32 = 26;

impl<'a> Compiler<'a> {
    pub(super) fn exprs(&mut self, exprs: &'a [Expr]) -> Result {
        exprs.iter().try_for_each(|e| self.expr(e))
    }

    /// The place CPython gives an expression.
    pub(super) fn expr_location(&self, e: &Expr) -> Location {
        match e {
            Expr::Generator(e) => self.source.location(generator_range(self.source, e)),
            _ => self.loc(e),
        }
    }

    /// `codegen_visit_expr`
    pub(super) fn expr(&mut self, e: &'a Expr) -> Result {
        match e {
            Expr::Name(e) if !is_debug(e) => {
                let name = self.names.of(e);
                let loc = self.loc(e);
                self.name_op(name, e.ctx.into(), loc)
            }
            _ if is_constant(e) => {
                let value = self.constant(e)?;
                let loc = self.loc(e);
                self.load_const(value, loc);
                Ok(())
            }
            _ => crate::compiler::grown(|| self.expr_inner(e)),
        }
    }

    /// The value of a `Constant` node.
    pub(super) fn constant(&self, e: &Expr) -> Result<Constant> {
        Ok(match e {
            Expr::Name(_) if self.options.optimize == 0 => Constant::True,
            Expr::Name(_) => Constant::False,
            Expr::StringLiteral(e) => Constant::Str(literals::string(self.source, &e.value)?),
            Expr::BytesLiteral(e) => Constant::Bytes(literals::bytes(self.source, &e.value)?),
            Expr::NumberLiteral(e) => literals::number(self.source, e)?,
            Expr::BooleanLiteral(e) if e.value => Constant::True,
            Expr::BooleanLiteral(_) => Constant::False,
            Expr::NoneLiteral(_) => Constant::None,
            Expr::EllipsisLiteral(_) => Constant::Ellipsis,
            _ => return Err(CompileError::system("constant expected")),
        })
    }

    fn expr_inner(&mut self, expr: &'a Expr) -> Result {
        let loc = self.loc(expr);
        match expr {
            Expr::Named(e) => {
                self.expr(&e.value)?;
                self.op_i(Opcode::COPY, 1, loc);
                self.expr(&e.target)?;
            }
            Expr::BoolOp(e) => self.bool_op(e, loc)?,
            Expr::BinOp(e) => {
                if let Some(parts) = self.percent_format(e)? {
                    return self.percent_formatted(&parts, loc);
                }
                self.expr(&e.left)?;
                self.expr(&e.right)?;
                self.op_i(Opcode::BINARY_OP, binary_oparg(e.op, false), loc);
            }
            Expr::UnaryOp(e) => {
                self.expr(&e.operand)?;
                match e.op {
                    UnaryOp::UAdd => {
                        let positive = intrinsic::UNARY_POSITIVE;
                        self.op_i(Opcode::CALL_INTRINSIC_1, positive, loc);
                    }
                    UnaryOp::Not => {
                        self.op(Opcode::TO_BOOL, loc);
                        self.op(Opcode::UNARY_NOT, loc);
                    }
                    UnaryOp::Invert => self.op(Opcode::UNARY_INVERT, loc),
                    UnaryOp::USub => self.op(Opcode::UNARY_NEGATIVE, loc),
                }
            }
            Expr::Lambda(e) => self.lambda(e)?,
            Expr::If(e) => self.if_exp(e)?,
            Expr::Dict(e) => self.dict(e, loc)?,
            Expr::Set(e) => {
                let ops = (Opcode::BUILD_SET, Opcode::SET_ADD, Opcode::SET_UPDATE);
                self.star_unpack(&e.elts, None, 0, ops, false, loc)?;
            }
            Expr::ListComp(e) => {
                let parts = comp_parts(Kind::List, &e.generators, &e.elt, None, loc);
                self.comprehension(node_key(e), parts)?;
            }
            Expr::SetComp(e) => {
                let parts = comp_parts(Kind::Set, &e.generators, &e.elt, None, loc);
                self.comprehension(node_key(e), parts)?;
            }
            Expr::DictComp(e) => {
                let key = e.key.as_deref().unwrap_or(&e.value);
                let parts = comp_parts(Kind::Dict, &e.generators, key, Some(&e.value), loc);
                self.comprehension(node_key(e), parts)?;
            }
            Expr::Generator(e) => {
                let loc = self.expr_location(expr);
                let parts = comp_parts(Kind::Generator, &e.generators, &e.elt, None, loc);
                self.comprehension(node_key(e), parts)?;
            }
            Expr::Yield(e) => {
                if !self.block().is_function_like() {
                    return self.error("'yield' outside function", loc);
                }
                match &e.value {
                    Some(value) => self.expr(value)?,
                    None => self.load_const(Constant::None, loc),
                }
                self.add_yield(loc);
            }
            Expr::YieldFrom(e) => {
                if !self.block().is_function_like() {
                    return self.error("'yield from' outside function", loc);
                }
                if self.unit().scope_type == ScopeType::AsyncFunction {
                    return self.error("'yield from' inside async function", loc);
                }
                self.expr(&e.value)?;
                self.op(Opcode::GET_YIELD_FROM_ITER, loc);
                self.load_const(Constant::None, loc);
                self.add_yield_from(false, loc);
            }
            Expr::Await(e) => {
                self.expr(&e.value)?;
                self.op_i(Opcode::GET_AWAITABLE, 0, loc);
                self.load_const(Constant::None, loc);
                self.add_yield_from(true, loc);
            }
            Expr::Compare(e) => self.compare_chain(e, loc)?,
            Expr::Call(e) => self.call(e)?,
            Expr::FString(e) => self.joined_str(e)?,
            Expr::TString(e) => self.template_str(e)?,
            Expr::Attribute(e) => self.attribute(e, loc)?,
            Expr::Subscript(e) => self.subscript(e, loc)?,
            Expr::Starred(e) => {
                let message = match e.ctx {
                    ExprContext::Store => "starred assignment target must be in a list or tuple",
                    _ => "can't use starred expression here",
                };
                return self.error(message, loc);
            }
            Expr::Slice(e) => self.slice(e, loc)?,
            Expr::List(e) => match e.ctx {
                ExprContext::Store => self.unpack_into(&e.elts, loc)?,
                ExprContext::Del => self.exprs(&e.elts)?,
                _ => self.build_list_display(&e.elts, None, 0, false, loc)?,
            },
            Expr::Tuple(e) => match e.ctx {
                ExprContext::Store => self.unpack_into(&e.elts, loc)?,
                ExprContext::Del => self.exprs(&e.elts)?,
                _ => self.build_list_display(&e.elts, None, 0, true, loc)?,
            },
            Expr::Name(e) => {
                let name = self.names.of(e);
                self.name_op(name, e.ctx.into(), loc)?;
            }
            _ => {
                let value = self.constant(expr)?;
                self.load_const(value, loc);
            }
        }
        Ok(())
    }

    /// `codegen_addop_yield`
    pub(super) fn add_yield(&mut self, loc: Location) {
        if self.block().generator && self.block().coroutine {
            self.op_i(Opcode::CALL_INTRINSIC_1, intrinsic::ASYNC_GEN_WRAP, loc);
        }
        self.op_i(Opcode::YIELD_VALUE, 0, loc);
        self.op_i(Opcode::RESUME, resume::AFTER_YIELD, loc);
    }

    /// Delegates to the iterator below the value to send (`codegen_add_yield_from`).
    pub(super) fn add_yield_from(&mut self, awaiting: bool, loc: Location) {
        let send = self.new_label();
        let fail = self.new_label();
        let exit = self.new_label();
        self.use_label(send);
        self.jump(Opcode::SEND, exit, loc);
        // A virtual try: `throw` and `close` may raise StopIteration at the yield.
        self.jump(Opcode::SETUP_FINALLY, fail, loc);
        self.op_i(Opcode::YIELD_VALUE, 1, loc);
        self.op(Opcode::POP_BLOCK, NO_LOCATION);
        let after = if awaiting {
            resume::AFTER_AWAIT
        } else {
            resume::AFTER_YIELD_FROM
        };
        self.op_i(Opcode::RESUME, after, loc);
        self.jump(Opcode::JUMP_NO_INTERRUPT, send, loc);
        self.use_label(fail);
        self.op(Opcode::CLEANUP_THROW, loc);
        self.use_label(exit);
        self.op(Opcode::END_SEND, loc);
    }

    fn attribute(&mut self, e: &'a ast::ExprAttribute, loc: Location) -> Result {
        let name = self.names.intern(&e.attr);
        if e.ctx == ExprContext::Load
            && self.can_optimize_super_call(e)
            && let Expr::Call(call) = &*e.value
        {
            self.load_args_for_super(call)?;
            let how = if call.arguments.args.is_empty() {
                AttrLoad::ZeroSuperAttr
            } else {
                AttrLoad::SuperAttr
            };
            self.load_attr(how, name, loc);
            let loc = self.start_at_attr(loc, e);
            self.op(Opcode::NOP, loc);
            return Ok(());
        }
        self.maybe_add_static_attribute(e);
        self.expr(&e.value)?;
        let loc = self.start_at_attr(loc, e);
        match Ctx::from(e.ctx) {
            Ctx::Load => self.load_attr(AttrLoad::Attr, name, loc),
            Ctx::Store => self.op_name(Opcode::STORE_ATTR, name, loc),
            Ctx::Del => self.op_name(Opcode::DELETE_ATTR, name, loc),
        }
        Ok(())
    }

    /// `codegen_subscript`
    fn subscript(&mut self, e: &'a ast::ExprSubscript, loc: Location) -> Result {
        let ctx = Ctx::from(e.ctx);
        if ctx == Ctx::Load {
            self.check_subscript(e)?;
        }
        self.expr(&e.value)?;
        if let Some(slice) = two_part_slice(&e.slice)
            && ctx != Ctx::Del
        {
            self.slice_two_parts(slice)?;
            let op = match ctx {
                Ctx::Load => Opcode::BINARY_SLICE,
                _ => Opcode::STORE_SLICE,
            };
            self.op(op, loc);
            return Ok(());
        }
        self.expr(&e.slice)?;
        match ctx {
            Ctx::Load => self.op_i(Opcode::BINARY_OP, NB_SUBSCR, loc),
            Ctx::Store => self.op(Opcode::STORE_SUBSCR, loc),
            Ctx::Del => self.op(Opcode::DELETE_SUBSCR, loc),
        }
        Ok(())
    }

    /// `codegen_slice_two_parts`
    pub(super) fn slice_two_parts(&mut self, s: &'a ast::ExprSlice) -> Result {
        for part in [&s.lower, &s.upper] {
            match part {
                Some(part) => self.expr(part)?,
                None => {
                    let loc = self.loc(s);
                    self.load_const(Constant::None, loc);
                }
            }
        }
        Ok(())
    }

    /// `codegen_slice`
    fn slice(&mut self, s: &'a ast::ExprSlice, loc: Location) -> Result {
        if is_constant_slice(s) {
            let part = |part: &Option<Box<Expr>>| match part {
                Some(part) => self.constant(part),
                None => Ok(Constant::None),
            };
            let slice = [part(&s.lower)?, part(&s.upper)?, part(&s.step)?];
            self.load_const(Constant::Slice(slice.into()), loc);
            return Ok(());
        }
        self.slice_two_parts(s)?;
        let mut count = 2;
        if let Some(step) = &s.step {
            self.expr(step)?;
            count += 1;
        }
        self.op_i(Opcode::BUILD_SLICE, count, loc);
        Ok(())
    }
}

fn comp_parts<'a>(
    kind: Kind,
    generators: &'a [ast::Comprehension],
    elt: &'a Expr,
    value: Option<&'a Expr>,
    loc: Location,
) -> Parts<'a> {
    Parts {
        kind,
        generators,
        elt,
        value,
        loc,
    }
}

fn is_debug(e: &ast::ExprName) -> bool {
    e.ctx == ExprContext::Load && e.id == "__debug__"
}

fn is_constant_slice(s: &ast::ExprSlice) -> bool {
    [&s.lower, &s.upper, &s.step]
        .into_iter()
        .flatten()
        .all(|part| is_constant(part))
}

/// The slice, if it goes without a slice object (`should_apply_two_element_slice_optimization`).
pub(super) fn two_part_slice(e: &Expr) -> Option<&ast::ExprSlice> {
    match e {
        Expr::Slice(s) if s.step.is_none() && !is_constant_slice(s) => Some(s),
        _ => None,
    }
}
