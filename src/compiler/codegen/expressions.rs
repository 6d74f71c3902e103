//! Expressions but calls, comprehensions and strings.

use super::comprehensions::{Kind, Parts};
use super::names::{AttrLoad, Ctx};
use super::unit::ScopeType;
use super::{CompileError, Compiler, Result, STACK_USE_GUIDELINE, intrinsic, literals, resume};
use crate::bytecode::Opcode;
use crate::bytecode::spec::Constant;
use crate::compiler::instr::{Label, Location, NO_LOCATION};
use crate::compiler::names::NameId;
use crate::compiler::symtable::node_key;
use crate::compiler::tree::{generator_range, is_constant};
use ruff_python_ast::{self as ast, BoolOp, CmpOp, Expr, ExprContext, Operator, UnaryOp};

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
                let name = self.names.intern(&e.id);
                let loc = self.loc(e);
                self.name_op(name, e.ctx.into(), loc)
            }
            _ if is_constant(e) => {
                let value = self.constant(e)?;
                let loc = self.loc(e);
                self.load_const(value, loc);
                Ok(())
            }
            _ => super::super::grown(|| self.expr_inner(e)),
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
                let name = self.names.intern(&e.id);
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
    fn compare_chain(&mut self, e: &'a ast::ExprCompare, loc: Location) -> Result {
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
        super::super::grown(|| self.jump_if_inner(e, next, cond))
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

    fn bool_op(&mut self, e: &'a ast::ExprBoolOp, loc: Location) -> Result {
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

    fn if_exp(&mut self, e: &'a ast::ExprIf) -> Result {
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
    fn star_unpack(
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
    fn unpack_into(&mut self, elts: &'a [Expr], loc: Location) -> Result {
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
    fn dict(&mut self, e: &'a ast::ExprDict, loc: Location) -> Result {
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
        self.expr(&e.value)?;
        let ctx = Ctx::from(e.ctx);
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

pub(super) fn pop_jump_if(cond: bool) -> Opcode {
    if cond {
        Opcode::POP_JUMP_IF_TRUE
    } else {
        Opcode::POP_JUMP_IF_FALSE
    }
}

/// `UNPACK_EX`'s operand for a star at `index` of `len` targets, if it fits.
pub(super) fn unpack_ex_oparg(index: usize, len: usize) -> Option<i32> {
    let after = len - index - 1;
    (index < 1 << 8 && after < (i32::MAX >> 8) as usize).then_some((index | after << 8) as i32)
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
