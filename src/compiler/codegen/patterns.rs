//! match statements (PEP 634).
//!
//! Each pattern consumes the subject on top of the stack and jumps to a failure label if it does not match.
//! Captured values stay on the stack, below what matching still needs, until the whole pattern has matched.

use super::displays::unpack_ex_oparg;
use super::expressions::{NB_SUBSCR, binary_oparg};
use super::names::Ctx;
use super::{Compiler, Result, literals};
use crate::bytecode::Opcode;
use crate::bytecode::repr::repr;
use crate::bytecode::spec::{Constant, Wtf8};
use crate::compiler::instr::{Label, Location, NEXT_LOCATION, NO_LOCATION};
use crate::compiler::names::NameId;
use ruff_python_ast::{self as ast, CmpOp, Expr, Operator, Pattern, Singleton, UnaryOp};

/// `pattern_context`
#[derive(Default)]
struct Context {
    /// Names captured so far, in the order their values lie on the stack.
    stores: Vec<NameId>,
    /// Whether a pattern that always matches may stand here.
    allow_irrefutable: bool,
    /// `fail_pop[i]` pops `i` items.
    fail_pop: Vec<Label>,
    /// Items on top of the stack that captures go beneath.
    on_top: usize,
}

impl<'a> Compiler<'a> {
    /// `codegen_match`
    pub(super) fn match_stmt(&mut self, s: &'a ast::StmtMatch) -> Result {
        self.expr(&s.subject)?;
        let end = self.new_label();
        let has_default = s.cases.len() > 1
            && s.cases
                .last()
                .is_some_and(|case| is_wildcard(&case.pattern));
        let tested = s.cases.len() - usize::from(has_default);
        for (i, case) in s.cases[..tested].iter().enumerate() {
            let loc = self.loc(&case.pattern);
            let is_last = i + 1 == tested;
            if !is_last {
                self.op_i(Opcode::COPY, 1, loc);
            }
            let mut pc = Context {
                allow_irrefutable: case.guard.is_some() || i + 1 == s.cases.len(),
                ..Context::default()
            };
            self.pattern(&case.pattern, &mut pc)?;
            for name in std::mem::take(&mut pc.stores) {
                self.name_op(name, Ctx::Store, loc)?;
            }
            if let Some(guard) = &case.guard {
                self.ensure_fail_pop(&mut pc, 0);
                self.jump_if(guard, pc.fail_pop[0], false)?;
            }
            if !is_last {
                self.op(Opcode::POP_TOP, NEXT_LOCATION);
            }
            self.stmts(&case.body)?;
            self.jump(Opcode::JUMP, end, NO_LOCATION);
            self.emit_and_reset_fail_pop(&mut pc, loc);
        }
        if has_default && let Some(case) = s.cases.last() {
            let loc = self.loc(&case.pattern);
            self.op(Opcode::NOP, loc);
            if let Some(guard) = &case.guard {
                self.jump_if(guard, end, false)?;
            }
            self.stmts(&case.body)?;
        }
        self.use_label(end);
        Ok(())
    }

    fn ensure_fail_pop(&mut self, pc: &mut Context, pops: usize) {
        while pc.fail_pop.len() <= pops {
            let label = self.new_label();
            pc.fail_pop.push(label);
        }
    }
    fn jump_to_fail_pop(&mut self, pc: &mut Context, op: Opcode, loc: Location) {
        let pops = pc.on_top + pc.stores.len();
        self.ensure_fail_pop(pc, pops);
        self.jump(op, pc.fail_pop[pops], loc);
    }
    fn emit_and_reset_fail_pop(&mut self, pc: &mut Context, loc: Location) {
        let labels = std::mem::take(&mut pc.fail_pop);
        for (pops, label) in labels.into_iter().enumerate().rev() {
            self.use_label(label);
            if pops > 0 {
                self.op(Opcode::POP_TOP, loc);
            }
        }
    }

    /// Moves the top item `count - 1` places down.
    fn rotate(&mut self, count: usize, loc: Location) {
        for n in (2..=count).rev() {
            self.op_len(Opcode::SWAP, n, loc);
        }
    }

    fn duplicate_store<T>(&self, name: NameId, loc: Location) -> Result<T> {
        let text = literals::repr(self.names.get(name));
        self.error(
            format!("multiple assignments to name {text} in pattern"),
            loc,
        )
    }

    /// `codegen_pattern_helper_store_name`
    fn store_name(
        &mut self,
        name: Option<&ast::Identifier>,
        pc: &mut Context,
        loc: Location,
    ) -> Result {
        let Some(name) = name else {
            self.op(Opcode::POP_TOP, loc);
            return Ok(());
        };
        let name = self.names.intern(name);
        if pc.stores.contains(&name) {
            return self.duplicate_store(name, loc);
        }
        self.rotate(pc.on_top + pc.stores.len() + 1, loc);
        pc.stores.push(name);
        Ok(())
    }

    fn pattern(&mut self, p: &'a Pattern, pc: &mut Context) -> Result {
        crate::compiler::grown(|| self.pattern_inner(p, pc))
    }
    fn pattern_inner(&mut self, p: &'a Pattern, pc: &mut Context) -> Result {
        let loc = self.loc(p);
        match p {
            Pattern::MatchValue(p) => {
                self.pattern_value(&p.value, loc)?;
                self.compare(CmpOp::Eq, loc);
                self.op(Opcode::TO_BOOL, loc);
                self.jump_to_fail_pop(pc, Opcode::POP_JUMP_IF_FALSE, loc);
                Ok(())
            }
            Pattern::MatchSingleton(p) => {
                let value = match p.value {
                    Singleton::None => Constant::None,
                    Singleton::True => Constant::True,
                    Singleton::False => Constant::False,
                };
                self.load_const(value, loc);
                self.compare(CmpOp::Is, loc);
                self.jump_to_fail_pop(pc, Opcode::POP_JUMP_IF_FALSE, loc);
                Ok(())
            }
            Pattern::MatchSequence(p) => self.pattern_sequence(&p.patterns, pc, loc),
            Pattern::MatchMapping(p) => self.pattern_mapping(p, pc, loc),
            Pattern::MatchClass(p) => self.pattern_class(p, pc, loc),
            Pattern::MatchStar(p) => self.store_name(p.name.as_ref(), pc, loc),
            Pattern::MatchAs(p) => self.pattern_as(p, pc, loc),
            Pattern::MatchOr(p) => self.pattern_or(&p.patterns, pc, loc),
        }
    }

    /// A part of a pattern may always match.
    fn subpattern(&mut self, p: &'a Pattern, pc: &mut Context) -> Result {
        let outer = std::mem::replace(&mut pc.allow_irrefutable, true);
        self.pattern(p, pc)?;
        pc.allow_irrefutable = outer;
        Ok(())
    }

    /// A literal or a dotted name; signs and complex sums are folded (`fold_const_match_patterns`).
    fn pattern_value(&mut self, e: &'a Expr, loc: Location) -> Result {
        match e {
            Expr::UnaryOp(_) | Expr::BinOp(_) => match self.fold_pattern(e)? {
                Some(value) => {
                    let loc = self.loc(e);
                    self.load_const(value, loc);
                    Ok(())
                }
                None => self.error(
                    "patterns may only match literals and attribute lookups",
                    loc,
                ),
            },
            e if e.is_literal_expr() || e.is_attribute_expr() => self.expr(e),
            _ => self.error(
                "patterns may only match literals and attribute lookups",
                loc,
            ),
        }
    }

    fn fold_pattern(&self, e: &Expr) -> Result<Option<Constant>> {
        Ok(match e {
            Expr::NumberLiteral(_) => Some(self.constant(e)?),
            Expr::UnaryOp(e) if e.op == UnaryOp::USub => match &*e.operand {
                Expr::NumberLiteral(_) => literals::negative(&self.constant(&e.operand)?),
                _ => None,
            },
            Expr::BinOp(e) if matches!(e.op, Operator::Add | Operator::Sub) => {
                match (self.fold_pattern(&e.left)?, self.fold_pattern(&e.right)?) {
                    (Some(left), Some(right)) => {
                        literals::complex_sum(&left, &right, e.op == Operator::Sub)
                    }
                    _ => None,
                }
            }
            _ => None,
        })
    }

    /// `codegen_pattern_as`
    fn pattern_as(
        &mut self,
        p: &'a ast::PatternMatchAs,
        pc: &mut Context,
        loc: Location,
    ) -> Result {
        let Some(inner) = &p.pattern else {
            if !pc.allow_irrefutable {
                let what = match &p.name {
                    Some(name) => format!("name capture {}", literals::repr(name)),
                    None => "wildcard".to_string(),
                };
                return self.error(format!("{what} makes remaining patterns unreachable"), loc);
            }
            return self.store_name(p.name.as_ref(), pc, loc);
        };
        pc.on_top += 1;
        self.op_i(Opcode::COPY, 1, loc);
        self.pattern(inner, pc)?;
        pc.on_top -= 1;
        self.store_name(p.name.as_ref(), pc, loc)
    }

    /// `codegen_pattern_sequence`
    fn pattern_sequence(
        &mut self,
        patterns: &'a [Pattern],
        pc: &mut Context,
        loc: Location,
    ) -> Result {
        let size = patterns.len();
        let mut star = None;
        let mut star_wildcard = false;
        let mut only_wildcard = true;
        for (i, pattern) in patterns.iter().enumerate() {
            if let Pattern::MatchStar(starred) = pattern {
                if star.is_some() {
                    return self.error("multiple starred names in sequence pattern", loc);
                }
                star_wildcard = starred.name.is_none();
                only_wildcard &= star_wildcard;
                star = Some(i);
            } else {
                only_wildcard &= is_wildcard(pattern);
            }
        }
        pc.on_top += 1;
        self.op(Opcode::MATCH_SEQUENCE, loc);
        self.jump_to_fail_pop(pc, Opcode::POP_JUMP_IF_FALSE, loc);
        let length_check = match star {
            None => Some((size, CmpOp::Eq)),
            Some(_) if size > 1 => Some((size - 1, CmpOp::GtE)),
            Some(_) => None,
        };
        if let Some((length, op)) = length_check {
            self.op(Opcode::GET_LEN, loc);
            self.load_int(length as i64, loc);
            self.compare(op, loc);
            self.jump_to_fail_pop(pc, Opcode::POP_JUMP_IF_FALSE, loc);
        }
        pc.on_top -= 1;
        match star {
            _ if only_wildcard => {
                self.op(Opcode::POP_TOP, loc);
                Ok(())
            }
            Some(star) if star_wildcard => self.sequence_subscripts(patterns, star, pc, loc),
            _ => self.sequence_unpack(patterns, pc, loc),
        }
    }

    /// `pattern_helper_sequence_unpack`
    fn sequence_unpack(
        &mut self,
        patterns: &'a [Pattern],
        pc: &mut Context,
        loc: Location,
    ) -> Result {
        let size = patterns.len();
        match patterns.iter().position(Pattern::is_match_star) {
            Some(star) => match unpack_ex_oparg(star, size) {
                Some(oparg) => self.op_i(Opcode::UNPACK_EX, oparg, loc),
                None => {
                    let message = "too many expressions in star-unpacking sequence pattern";
                    return self.error(message, loc);
                }
            },
            None => self.op_len(Opcode::UNPACK_SEQUENCE, size, loc),
        }
        pc.on_top += size;
        for pattern in patterns {
            pc.on_top -= 1;
            self.subpattern(pattern, pc)?;
        }
        Ok(())
    }

    /// With a nameless star, items are fetched one by one (`pattern_helper_sequence_subscr`).
    fn sequence_subscripts(
        &mut self,
        patterns: &'a [Pattern],
        star: usize,
        pc: &mut Context,
        loc: Location,
    ) -> Result {
        pc.on_top += 1;
        for (i, pattern) in patterns.iter().enumerate() {
            if i == star || is_wildcard(pattern) {
                continue;
            }
            self.op_i(Opcode::COPY, 1, loc);
            if i < star {
                self.load_int(i as i64, loc);
            } else {
                // The subject need not know negative indices.
                self.op(Opcode::GET_LEN, loc);
                self.load_int((patterns.len() - i) as i64, loc);
                let subtract = binary_oparg(Operator::Sub, false);
                self.op_i(Opcode::BINARY_OP, subtract, loc);
            }
            self.op_i(Opcode::BINARY_OP, NB_SUBSCR, loc);
            self.subpattern(pattern, pc)?;
        }
        pc.on_top -= 1;
        self.op(Opcode::POP_TOP, loc);
        Ok(())
    }

    /// `codegen_pattern_class`
    fn pattern_class(
        &mut self,
        p: &'a ast::PatternMatchClass,
        pc: &mut Context,
        loc: Location,
    ) -> Result {
        let positional = &p.arguments.patterns;
        let keywords = &p.arguments.keywords;
        for (i, keyword) in keywords.iter().enumerate() {
            let again = keywords[i + 1..]
                .iter()
                .find(|k| k.attr.id == keyword.attr.id);
            if let Some(other) = again {
                let message = format!("attribute name repeated in class pattern: {}", keyword.attr);
                return self.error(message, self.loc(&other.pattern));
            }
        }
        self.expr(&p.cls)?;
        let attrs = keywords
            .iter()
            .map(|k| Constant::Str(Wtf8::from(k.attr.as_str())))
            .collect();
        self.load_const(Constant::Tuple(attrs), loc);
        self.op_len(Opcode::MATCH_CLASS, positional.len(), loc);
        self.op_i(Opcode::COPY, 1, loc);
        self.load_const(Constant::None, loc);
        self.op_i(Opcode::IS_OP, 1, loc);
        pc.on_top += 1;
        self.jump_to_fail_pop(pc, Opcode::POP_JUMP_IF_FALSE, loc);
        let count = positional.len() + keywords.len();
        self.op_len(Opcode::UNPACK_SEQUENCE, count, loc);
        pc.on_top = pc.on_top + count - 1;
        for pattern in positional.iter().chain(keywords.iter().map(|k| &k.pattern)) {
            pc.on_top -= 1;
            if is_wildcard(pattern) {
                self.op(Opcode::POP_TOP, loc);
            } else {
                self.subpattern(pattern, pc)?;
            }
        }
        Ok(())
    }

    /// `codegen_pattern_mapping`
    fn pattern_mapping(
        &mut self,
        p: &'a ast::PatternMatchMapping,
        pc: &mut Context,
        loc: Location,
    ) -> Result {
        let size = p.keys.len();
        pc.on_top += 1;
        self.op(Opcode::MATCH_MAPPING, loc);
        self.jump_to_fail_pop(pc, Opcode::POP_JUMP_IF_FALSE, loc);
        if size == 0 && p.rest.is_none() {
            pc.on_top -= 1;
            self.op(Opcode::POP_TOP, loc);
            return Ok(());
        }
        if size > 0 {
            self.op(Opcode::GET_LEN, loc);
            self.load_int(size as i64, loc);
            self.compare(CmpOp::GtE, loc);
            self.jump_to_fail_pop(pc, Opcode::POP_JUMP_IF_FALSE, loc);
        }
        let mut seen = Vec::new();
        for key in &p.keys {
            self.mapping_key(key, &mut seen, loc)?;
        }
        self.op_len(Opcode::BUILD_TUPLE, size, loc);
        self.op(Opcode::MATCH_KEYS, loc);
        // The tuples of keys and of values lie on the subject.
        pc.on_top += 2;
        self.op_i(Opcode::COPY, 1, loc);
        self.load_const(Constant::None, loc);
        self.op_i(Opcode::IS_OP, 1, loc);
        self.jump_to_fail_pop(pc, Opcode::POP_JUMP_IF_FALSE, loc);
        self.op_len(Opcode::UNPACK_SEQUENCE, size, loc);
        pc.on_top = pc.on_top + size - 1;
        for pattern in &p.patterns {
            pc.on_top -= 1;
            self.subpattern(pattern, pc)?;
        }
        pc.on_top -= 2;
        let Some(rest) = &p.rest else {
            self.op(Opcode::POP_TOP, loc);
            self.op(Opcode::POP_TOP, loc);
            return Ok(());
        };
        // A copy of the subject, less the keys matched.
        self.op_i(Opcode::BUILD_MAP, 0, loc);
        self.op_i(Opcode::SWAP, 3, loc);
        self.op_i(Opcode::DICT_UPDATE, 2, loc);
        self.op_len(Opcode::UNPACK_SEQUENCE, size, loc);
        for left in (1..=size).rev() {
            self.op_len(Opcode::COPY, 1 + left, loc);
            self.op_i(Opcode::SWAP, 2, loc);
            self.op(Opcode::DELETE_SUBSCR, loc);
        }
        self.store_name(Some(rest), pc, loc)
    }

    fn mapping_key(&mut self, key: &'a Expr, seen: &mut Vec<Constant>, loc: Location) -> Result {
        let value = match key {
            Expr::Attribute(_) => return self.expr(key),
            Expr::UnaryOp(_) | Expr::BinOp(_) => self.fold_pattern(key)?,
            key if key.is_literal_expr() => Some(self.constant(key)?),
            _ => None,
        };
        let Some(value) = value else {
            let message = "mapping pattern keys may only match literals and attribute lookups";
            return self.error(message, loc);
        };
        if seen.iter().any(|old| literals::equal(old, &value)) {
            let text = repr(&value);
            return self.error(
                format!("mapping pattern checks duplicate key ({text})"),
                loc,
            );
        }
        seen.push(value.clone());
        let key_loc = self.loc(key);
        self.load_const(value, key_loc);
        Ok(())
    }

    /// `codegen_pattern_or`
    fn pattern_or(
        &mut self,
        alternatives: &'a [Pattern],
        pc: &mut Context,
        loc: Location,
    ) -> Result {
        let end = self.new_label();
        // What the first alternative binds; the others must bind the same, and in the end in this order.
        let mut control: Vec<NameId> = Vec::new();
        for (i, alt) in alternatives.iter().enumerate() {
            let alt_loc = self.loc(alt);
            let mut inner = Context {
                allow_irrefutable: i + 1 == alternatives.len() && pc.allow_irrefutable,
                ..Context::default()
            };
            self.op_i(Opcode::COPY, 1, alt_loc);
            self.pattern(alt, &mut inner)?;
            if i == 0 {
                control.clone_from(&inner.stores);
            } else {
                self.reorder_stores(&control, &mut inner.stores, loc, alt_loc)?;
            }
            self.jump(Opcode::JUMP, end, alt_loc);
            self.emit_and_reset_fail_pop(&mut inner, alt_loc);
        }
        // No match: drop the copy of the subject and fail.
        self.op(Opcode::POP_TOP, loc);
        self.jump_to_fail_pop(pc, Opcode::JUMP, loc);
        self.use_label(end);
        let rotations = control.len() + 1 + pc.on_top + pc.stores.len();
        for name in control {
            self.rotate(rotations, loc);
            if pc.stores.contains(&name) {
                return self.duplicate_store(name, loc);
            }
            pc.stores.push(name);
        }
        self.op(Opcode::POP_TOP, loc);
        Ok(())
    }

    fn reorder_stores(
        &mut self,
        control: &[NameId],
        stores: &mut Vec<NameId>,
        loc: Location,
        alt_loc: Location,
    ) -> Result {
        let different = "alternative patterns bind different names";
        if stores.len() != control.len() {
            return self.error(different, loc);
        }
        for (icontrol, name) in control.iter().enumerate().rev() {
            let Some(istores) = stores.iter().position(|n| n == name) else {
                return self.error(different, loc);
            };
            if icontrol == istores {
                continue;
            }
            let rotations = istores + 1;
            let rotated: Vec<NameId> = stores.drain(..rotations).collect();
            let at = icontrol - istores;
            stores.splice(at..at, rotated);
            for _ in 0..rotations {
                self.rotate(icontrol + 1, alt_loc);
            }
        }
        Ok(())
    }
}

fn is_wildcard(p: &Pattern) -> bool {
    matches!(p, Pattern::MatchAs(p) if p.name.is_none() && p.pattern.is_none())
}
