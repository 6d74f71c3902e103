//! Expressions.

use super::{Builder, Result};
use crate::compiler::grown;
use crate::compiler::instr::Location;
use crate::compiler::names::{NameId, known};
use crate::compiler::symtable::{BlockKey, BlockType, Comprehension, def, node_key};
use crate::compiler::tree::generator_range;
use ruff_python_ast::{self as ast, Expr, ExprContext};
use ruff_text_size::Ranged;

impl<'a> Builder<'a> {
    pub(super) fn exprs(&mut self, exprs: &'a [Expr]) -> Result {
        exprs.iter().try_for_each(|e| self.expr(e))
    }
    pub(super) fn opt_expr(&mut self, expr: Option<&'a Expr>) -> Result {
        expr.map_or(Ok(()), |e| self.expr(e))
    }

    pub(super) fn expr(&mut self, expr: &'a Expr) -> Result {
        match expr {
            Expr::Name(e) => self.name(e),
            e if e.is_literal_expr() => Ok(()),
            _ => grown(|| self.expr_inner(expr)),
        }
    }

    pub(super) fn expr_inner(&mut self, expr: &'a Expr) -> Result {
        match expr {
            Expr::Named(e) => self.named_expr(e),
            Expr::BoolOp(e) => self.exprs(&e.values),
            Expr::BinOp(e) => {
                self.expr(&e.left)?;
                self.expr(&e.right)
            }
            Expr::UnaryOp(e) => self.expr(&e.operand),
            Expr::Lambda(e) => {
                if let Some(p) = &e.parameters {
                    self.defaults(p)?;
                }
                let loc = self.loc(e);
                let (name, kind) = (known::LAMBDA, BlockType::Function);
                self.enter_block(name, kind, node_key(e), BlockKey::Body, loc)?;
                if let Some(p) = &e.parameters {
                    self.arguments(p)?;
                }
                self.expr(&e.body)?;
                self.exit_block();
                Ok(())
            }
            Expr::If(e) => {
                self.expr(&e.test)?;
                self.expr(&e.body)?;
                self.expr(&e.orelse)
            }
            Expr::Dict(e) => {
                for item in &e.items {
                    self.opt_expr(item.key.as_ref())?;
                }
                e.items.iter().try_for_each(|item| self.expr(&item.value))
            }
            Expr::Set(e) => self.exprs(&e.elts),
            Expr::ListComp(e) => {
                let loc = self.loc(e);
                let comp = (known::LISTCOMP, Comprehension::List);
                self.comprehension(node_key(e), comp, loc, &e.generators, &e.elt, None)
            }
            Expr::SetComp(e) => {
                let loc = self.loc(e);
                let comp = (known::SETCOMP, Comprehension::Set);
                self.comprehension(node_key(e), comp, loc, &e.generators, &e.elt, None)
            }
            Expr::DictComp(e) => {
                let loc = self.loc(e);
                let comp = (known::DICTCOMP, Comprehension::Dict);
                let key = e.key.as_deref().unwrap_or(&e.value);
                self.comprehension(node_key(e), comp, loc, &e.generators, key, Some(&e.value))
            }
            Expr::Generator(e) => {
                let loc = self.source.location(generator_range(self.source, e));
                let comp = (known::GENEXPR, Comprehension::Generator);
                self.comprehension(node_key(e), comp, loc, &e.generators, &e.elt, None)
            }
            Expr::Yield(e) => {
                self.raise_if_annotation_block("yield expression", e)?;
                self.opt_expr(e.value.as_deref())?;
                self.cur_mut().generator = true;
                self.raise_if_comprehension_block(e)
            }
            Expr::YieldFrom(e) => {
                self.raise_if_annotation_block("yield expression", e)?;
                self.expr(&e.value)?;
                self.cur_mut().generator = true;
                self.raise_if_comprehension_block(e)
            }
            Expr::Await(e) => {
                self.raise_if_annotation_block("await expression", e)?;
                if !self.cur().is_function_like() {
                    return self.error("'await' outside function", self.loc(e));
                }
                if !self.in_async_def() && self.cur().comprehension == Comprehension::None {
                    return self.error("'await' outside async function", self.loc(e));
                }
                self.expr(&e.value)?;
                self.cur_mut().coroutine = true;
                Ok(())
            }
            Expr::Compare(e) => {
                self.expr(&e.left)?;
                self.exprs(&e.comparators)
            }
            Expr::Call(e) => {
                self.expr(&e.func)?;
                self.exprs(&e.arguments.args)?;
                self.check_keywords(&e.arguments.keywords)?;
                (e.arguments.keywords.iter()).try_for_each(|k| self.expr(&k.value))
            }
            Expr::FString(e) => e.value.elements().try_for_each(|e| self.interpolated(e)),
            Expr::TString(e) => e.value.elements().try_for_each(|e| self.interpolated(e)),
            Expr::Attribute(e) => {
                if e.attr.as_str() == "__debug__" {
                    self.check_name(known::DUNDER_DEBUG, self.loc(e), e.ctx)?;
                }
                self.expr(&e.value)
            }
            Expr::Subscript(e) => {
                self.expr(&e.value)?;
                self.expr(&e.slice)
            }
            Expr::Starred(e) => self.expr(&e.value),
            Expr::Slice(e) => {
                self.opt_expr(e.lower.as_deref())?;
                self.opt_expr(e.upper.as_deref())?;
                self.opt_expr(e.step.as_deref())
            }
            Expr::Name(e) => self.name(e),
            Expr::List(e) => self.exprs(&e.elts),
            Expr::Tuple(e) => self.exprs(&e.elts),
            Expr::StringLiteral(_)
            | Expr::BytesLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_)
            | Expr::EllipsisLiteral(_)
            | Expr::IpyEscapeCommand(_) => Ok(()),
        }
    }

    pub(super) fn name(&mut self, e: &'a ast::ExprName) -> Result {
        if self.cur().in_unevaluated_annotation {
            return Ok(());
        }
        let name = self.names.of(e);
        let load = e.ctx == ExprContext::Load;
        // The preprocessor has made it a constant.
        if load && name == known::DUNDER_DEBUG {
            return Ok(());
        }
        let flag = if load { def::USE } else { def::LOCAL };
        let source = self.source;
        self.add_def_ctx(name, flag, || source.location_of(e), e.ctx)?;
        if load && name == known::SUPER && self.cur().is_function_like() {
            self.add_def(known::DUNDER_CLASS, def::USE, self.loc(e))?;
        }
        Ok(())
    }

    pub(super) fn interpolated(&mut self, element: &'a ast::InterpolatedStringElement) -> Result {
        let ast::InterpolatedStringElement::Interpolation(e) = element else {
            return Ok(());
        };
        self.expr(&e.expression)?;
        match &e.format_spec {
            Some(spec) => spec.elements.iter().try_for_each(|e| self.interpolated(e)),
            None => Ok(()),
        }
    }

    pub(super) fn named_expr(&mut self, e: &'a ast::ExprNamed) -> Result {
        self.raise_if_annotation_block("named expression", e)?;
        if self.cur().comp_iter_expr > 0 {
            return self.error(
                "assignment expression cannot be used in a comprehension iterable expression",
                self.loc(e),
            );
        }
        if self.cur().comprehension != Comprehension::None
            && let Expr::Name(target) = &*e.target
        {
            self.extend_named_expr_scope(target)?;
        }
        self.expr(&e.value)?;
        self.expr(&e.target)
    }

    /// A walrus in a comprehension binds in the nearest scope that is none (`symtable_extend_namedexpr_scope`).
    pub(super) fn extend_named_expr_scope(&mut self, target: &'a ast::ExprName) -> Result {
        let name = self.names.of(target);
        let loc = self.loc(target);
        for index in (0..self.stack.len()).rev() {
            let id = self.stack[index];
            let old = self.lookup(id, name);
            if self.table[id].comprehension != Comprehension::None {
                if old.has(def::COMP_ITER) && old.has(def::LOCAL) {
                    let message = format!(
                        "assignment expression cannot rebind comprehension iteration variable '{}'",
                        target.id
                    );
                    return self.error(message, loc);
                }
                continue;
            }
            let message = match self.table[id].kind {
                BlockType::Function => {
                    let flag = if old.has(def::GLOBAL) {
                        def::GLOBAL
                    } else {
                        def::NONLOCAL
                    };
                    self.add_def(name, flag, loc)?;
                    self.record_directive(name, loc);
                    return self.add_def_to(id, name, def::LOCAL, || loc);
                }
                BlockType::Module => {
                    self.add_def(name, def::GLOBAL, loc)?;
                    self.record_directive(name, loc);
                    return self.add_def_to(id, name, def::GLOBAL, || loc);
                }
                BlockType::Class => "cannot be used in a class body",
                BlockType::TypeParameters => "cannot be used within the definition of a generic",
                BlockType::TypeAlias => "cannot be used in a type alias",
                BlockType::TypeVariable => "cannot be used in a TypeVar bound",
                BlockType::Annotation => continue,
            };
            let message = format!("assignment expression within a comprehension {message}");
            return self.error(message, loc);
        }
        Ok(())
    }

    pub(super) fn in_async_def(&self) -> bool {
        self.cur().kind == BlockType::Function && self.cur().coroutine
    }

    /// `symtable_handle_comprehension`
    pub(super) fn comprehension(
        &mut self,
        node: usize,
        (name, kind): (NameId, Comprehension),
        loc: Location,
        generators: &'a [ast::Comprehension],
        elt: &'a Expr,
        value: Option<&'a Expr>,
    ) -> Result {
        let [outermost, rest @ ..] = generators else {
            return Ok(());
        };
        self.cur_mut().comp_iter_expr += 1;
        self.expr(&outermost.iter)?;
        self.cur_mut().comp_iter_expr -= 1;
        self.enter_block(name, BlockType::Function, node, BlockKey::Body, loc)?;
        self.cur_mut().comprehension = kind;
        if outermost.is_async {
            self.cur_mut().coroutine = true;
        }
        self.add_def(known::DOT_0, def::PARAM, loc)?;
        self.comp_target(&outermost.target)?;
        self.exprs(&outermost.ifs)?;
        for comp in rest {
            self.comp_target(&comp.target)?;
            self.cur_mut().comp_iter_expr += 1;
            self.expr(&comp.iter)?;
            self.cur_mut().comp_iter_expr -= 1;
            self.exprs(&comp.ifs)?;
            if comp.is_async {
                self.cur_mut().coroutine = true;
            }
        }
        self.opt_expr(value)?;
        self.expr(elt)?;
        let is_generator = kind == Comprehension::Generator;
        self.cur_mut().generator = is_generator;
        let is_async = self.cur().coroutine && !is_generator;
        self.exit_block();
        if is_async {
            if !self.in_async_def() && self.cur().comprehension == Comprehension::None {
                return self.error(
                    "asynchronous comprehension outside of an asynchronous function",
                    loc,
                );
            }
            self.cur_mut().coroutine = true;
        }
        Ok(())
    }
    pub(super) fn comp_target(&mut self, target: &'a Expr) -> Result {
        self.cur_mut().comp_iter_target = true;
        self.expr(target)?;
        self.cur_mut().comp_iter_target = false;
        Ok(())
    }

    pub(super) fn raise_if_annotation_block(&self, what: &str, node: &impl Ranged) -> Result {
        let place = match self.cur().kind {
            BlockType::Annotation => "an annotation",
            BlockType::TypeVariable => self.cur().scope_info,
            BlockType::TypeAlias => "a type alias",
            BlockType::TypeParameters => "the definition of a generic",
            _ => return Ok(()),
        };
        let message = format!("{what} cannot be used within {place}");
        self.error(message, self.loc(node))
    }
    pub(super) fn raise_if_comprehension_block(&self, node: &impl Ranged) -> Result {
        let what = match self.cur().comprehension {
            Comprehension::None => return Ok(()),
            Comprehension::List => "list comprehension",
            Comprehension::Set => "set comprehension",
            Comprehension::Dict => "dict comprehension",
            Comprehension::Generator => "generator expression",
        };
        self.error(format!("'yield' inside {what}"), self.loc(node))
    }
    pub(super) fn raise_if_not_coroutine(&self, message: &str, node: &impl Ranged) -> Result {
        if self.cur().coroutine {
            return Ok(());
        }
        self.error(message, self.loc(node))
    }
}
