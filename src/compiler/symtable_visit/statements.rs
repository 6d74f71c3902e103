//! Statements, definitions and patterns.

use super::{Builder, Result};
use crate::compiler::grown;
use crate::compiler::instr::Location;
use crate::compiler::names::{NameId, known};
use crate::compiler::symtable::{BlockKey, BlockType, SymbolTable, def, node_key};
use crate::compiler::tree::{self, def_location, docstring};
use ruff_python_ast::{self as ast, Expr, ExprContext, Pattern, Stmt, TypeParam};
use ruff_text_size::Ranged;
use std::cell::RefCell;
use std::rc::Rc;

impl<'a> Builder<'a> {
    pub(super) fn stmts(&mut self, body: &'a [Stmt]) -> Result {
        body.iter().try_for_each(|s| self.stmt(s))
    }

    /// Runs `visit` with annotations counting as conditional.
    pub(super) fn conditional(&mut self, visit: impl FnOnce(&mut Self) -> Result) -> Result {
        let outer = std::mem::replace(&mut self.cur_mut().in_conditional_block, true);
        visit(self)?;
        self.cur_mut().in_conditional_block = outer;
        Ok(())
    }

    pub(super) fn stmt(&mut self, stmt: &'a Stmt) -> Result {
        match stmt {
            Stmt::FunctionDef(s) => grown(|| self.function_def(s)),
            Stmt::ClassDef(s) => grown(|| self.class_def(s)),
            Stmt::TypeAlias(s) => self.type_alias(s),
            Stmt::Return(s) => self.opt_expr(s.value.as_deref()),
            Stmt::Delete(s) => self.exprs(&s.targets),
            Stmt::Assign(s) => {
                self.exprs(&s.targets)?;
                self.expr(&s.value)
            }
            Stmt::AugAssign(s) => {
                self.expr(&s.target)?;
                self.expr(&s.value)
            }
            Stmt::AnnAssign(s) => self.ann_assign(s),
            Stmt::For(s) => {
                if s.is_async {
                    self.raise_if_not_coroutine("'async for' outside async function", s)?;
                }
                self.expr(&s.target)?;
                self.expr(&s.iter)?;
                self.conditional(|b| {
                    b.stmts(&s.body)?;
                    b.stmts(&s.orelse)
                })
            }
            Stmt::While(s) => {
                self.expr(&s.test)?;
                self.conditional(|b| {
                    b.stmts(&s.body)?;
                    b.stmts(&s.orelse)
                })
            }
            Stmt::If(s) => {
                self.expr(&s.test)?;
                self.conditional(|b| {
                    b.stmts(&s.body)?;
                    for clause in &s.elif_else_clauses {
                        b.opt_expr(clause.test.as_ref())?;
                        b.stmts(&clause.body)?;
                    }
                    Ok(())
                })
            }
            Stmt::With(s) => {
                if s.is_async {
                    self.raise_if_not_coroutine("'async with' outside async function", s)?;
                }
                self.conditional(|b| {
                    for item in &s.items {
                        b.expr(&item.context_expr)?;
                        b.opt_expr(item.optional_vars.as_deref())?;
                    }
                    b.stmts(&s.body)
                })
            }
            Stmt::Match(s) => {
                self.expr(&s.subject)?;
                self.conditional(|b| {
                    for case in &s.cases {
                        b.pattern(&case.pattern)?;
                        b.opt_expr(case.guard.as_deref())?;
                        b.stmts(&case.body)?;
                    }
                    Ok(())
                })
            }
            Stmt::Raise(s) => {
                self.opt_expr(s.exc.as_deref())?;
                self.opt_expr(s.cause.as_deref())
            }
            Stmt::Try(s) => self.conditional(|b| {
                b.stmts(&s.body)?;
                for ast::ExceptHandler::ExceptHandler(handler) in &s.handlers {
                    b.opt_expr(handler.type_.as_deref())?;
                    if let Some(name) = &handler.name {
                        let name = b.names.intern(name);
                        b.add_def(name, def::LOCAL, b.loc(handler))?;
                    }
                    b.stmts(&handler.body)?;
                }
                b.stmts(&s.orelse)?;
                b.stmts(&s.finalbody)
            }),
            Stmt::Assert(s) => {
                self.expr(&s.test)?;
                self.opt_expr(s.msg.as_deref())
            }
            Stmt::Import(s) => s.names.iter().try_for_each(|a| self.alias(a)),
            Stmt::ImportFrom(s) => {
                s.names.iter().try_for_each(|a| self.alias(a))?;
                if tree::is_future_import(s) && s.start() >= self.future.end {
                    return self.error(
                        "from __future__ imports must occur at the beginning of the file",
                        self.loc(s),
                    );
                }
                Ok(())
            }
            Stmt::Global(s) => self.directive(&s.names, def::GLOBAL, "global", self.loc(s)),
            Stmt::Nonlocal(s) => self.directive(&s.names, def::NONLOCAL, "nonlocal", self.loc(s)),
            Stmt::Expr(s) => self.expr(&s.value),
            Stmt::Pass(_) | Stmt::Break(_) | Stmt::Continue(_) | Stmt::IpyEscapeCommand(_) => {
                Ok(())
            }
        }
    }

    pub(super) fn directive(
        &mut self,
        idents: &'a [ast::Identifier],
        flag: u16,
        word: &str,
        loc: Location,
    ) -> Result {
        for ident in idents {
            let name = self.names.intern(ident);
            let old = self.lookup(self.cur_id(), name);
            if old.has(def::PARAM | def::LOCAL | def::USE | def::ANNOT) {
                let message = if old.has(def::PARAM) {
                    format!("name '{ident}' is parameter and {word}")
                } else if old.has(def::USE) {
                    format!("name '{ident}' is used prior to {word} declaration")
                } else if old.has(def::ANNOT) {
                    format!("annotated name '{ident}' can't be {word}")
                } else {
                    format!("name '{ident}' is assigned to before {word} declaration")
                };
                return self.error(message, loc);
            }
            self.add_def(name, flag, loc)?;
            self.record_directive(name, loc);
        }
        Ok(())
    }

    pub(super) fn function_def(&mut self, s: &'a ast::StmtFunctionDef) -> Result {
        let name = self.names.intern(&s.name);
        let loc = def_location(self.source, s.name.range(), s.range, s.is_async);
        self.add_def(name, def::LOCAL, loc)?;
        self.defaults(&s.parameters)?;
        for decorator in &s.decorator_list {
            self.expr(&decorator.expression)?;
        }
        if let Some(params) = &s.type_params {
            let has_kwdefaults = s.parameters.kwonlyargs.iter().any(|a| a.default.is_some());
            self.enter_type_param_block(name, params, Some(has_kwdefaults), false, loc)?;
            self.type_params(params)?;
        }
        let body = self.new_block(name, BlockType::Function, node_key(s), BlockKey::Body, loc);
        self.table[body].has_docstring = self.optimize < 2 && docstring(&s.body).is_some();
        self.annotations(s, loc)?;
        self.enter_existing_block(body);
        self.cur_mut().coroutine = s.is_async;
        self.arguments(&s.parameters)?;
        self.stmts(&s.body)?;
        self.exit_block();
        if s.type_params.is_some() {
            self.exit_block();
        }
        Ok(())
    }

    pub(super) fn class_def(&mut self, s: &'a ast::StmtClassDef) -> Result {
        let name = self.names.intern(&s.name);
        let loc = def_location(self.source, s.name.range(), s.range, false);
        self.add_def(name, def::LOCAL, loc)?;
        for decorator in &s.decorator_list {
            self.expr(&decorator.expression)?;
        }
        let outer_private = self.private;
        if let Some(params) = &s.type_params {
            self.enter_type_param_block(name, params, None, true, loc)?;
            self.private = Some(name);
            self.cur_mut().mangled_names = Some(Rc::new(RefCell::default()));
            self.type_params(params)?;
        }
        if let Some(arguments) = &s.arguments {
            self.exprs(&arguments.args)?;
            self.check_keywords(&arguments.keywords)?;
            for keyword in &arguments.keywords {
                self.expr(&keyword.value)?;
            }
        }
        self.enter_block(name, BlockType::Class, node_key(s), BlockKey::Body, loc)?;
        self.private = Some(name);
        if s.type_params.is_some() {
            self.add_def(known::DUNDER_TYPE_PARAMS, def::LOCAL, loc)?;
            self.add_def(known::DOT_TYPE_PARAMS, def::USE, loc)?;
        }
        self.cur_mut().has_docstring = self.optimize < 2 && docstring(&s.body).is_some();
        self.stmts(&s.body)?;
        self.exit_block();
        if s.type_params.is_some() {
            self.exit_block();
        }
        self.private = outer_private;
        Ok(())
    }

    pub(super) fn type_alias(&mut self, s: &'a ast::StmtTypeAlias) -> Result {
        self.expr(&s.name)?;
        let name = match &*s.name {
            Expr::Name(n) => self.names.of(n),
            _ => known::EMPTY,
        };
        let loc = self.loc(s);
        let in_class = self.cur().kind == BlockType::Class;
        if let Some(params) = &s.type_params {
            self.enter_type_param_block(name, params, None, false, loc)?;
            self.type_params(params)?;
        }
        self.enter_block(name, BlockType::TypeAlias, node_key(s), BlockKey::Body, loc)?;
        self.see_class_scope(in_class, self.loc(&*s.value))?;
        self.expr(&s.value)?;
        self.exit_block();
        if s.type_params.is_some() {
            self.exit_block();
        }
        Ok(())
    }

    pub(super) fn see_class_scope(&mut self, in_class: bool, loc: Location) -> Result {
        self.cur_mut().can_see_class_scope = in_class;
        if in_class {
            self.add_def(known::DUNDER_CLASSDICT, def::USE, loc)?;
        }
        Ok(())
    }

    /// `kwdefaults` is None for what is no function.
    pub(super) fn enter_type_param_block(
        &mut self,
        name: NameId,
        params: &'a ast::TypeParams,
        kwdefaults: Option<bool>,
        is_class_def: bool,
        loc: Location,
    ) -> Result {
        let in_class = self.cur().kind == BlockType::Class;
        self.enter_block(
            name,
            BlockType::TypeParameters,
            node_key(params),
            BlockKey::TypeParams,
            loc,
        )?;
        if in_class {
            self.see_class_scope(true, loc)?;
        }
        if is_class_def {
            for name in [known::DOT_TYPE_PARAMS, known::DOT_GENERIC_BASE] {
                self.add_def(name, def::LOCAL, loc)?;
                self.add_def(name, def::USE, loc)?;
            }
        }
        if let Some(kwdefaults) = kwdefaults {
            // The parser's sequence of defaults is never missing, though it may be empty.
            self.add_def(known::DOT_DEFAULTS, def::PARAM, loc)?;
            if kwdefaults {
                self.add_def(known::DOT_KWDEFAULTS, def::PARAM, loc)?;
            }
        }
        Ok(())
    }

    pub(super) fn type_params(&mut self, params: &'a ast::TypeParams) -> Result {
        for param in &params.type_params {
            let loc = self.loc(param);
            let (ident, bound, default, what) = match param {
                TypeParam::TypeVar(p) => {
                    (&p.name, p.bound.as_deref(), &p.default, "a TypeVar default")
                }
                TypeParam::TypeVarTuple(p) => (&p.name, None, &p.default, "a TypeVarTuple default"),
                TypeParam::ParamSpec(p) => (&p.name, None, &p.default, "a ParamSpec default"),
            };
            let name = self.names.intern(ident);
            self.add_def(name, def::TYPE_PARAM | def::LOCAL, loc)?;
            if name == known::DUNDER_CLASSDICT {
                let message = format!("reserved name '{ident}' cannot be used for type parameter");
                return self.error(message, loc);
            }
            if let Some(bound) = bound {
                let what = match bound {
                    Expr::Tuple(_) => "a TypeVar constraint",
                    _ => "a TypeVar bound",
                };
                self.bound_or_default(bound, name, node_key(param), BlockKey::Bound, what)?;
            }
            if let Some(default) = default {
                self.bound_or_default(default, name, node_key(param), BlockKey::Default, what)?;
            }
        }
        Ok(())
    }

    pub(super) fn bound_or_default(
        &mut self,
        expr: &'a Expr,
        name: NameId,
        node: usize,
        key: BlockKey,
        scope_info: &'static str,
    ) -> Result {
        let in_class = self.cur().can_see_class_scope;
        let loc = self.loc(expr);
        self.enter_block(name, BlockType::TypeVariable, node, key, loc)?;
        self.see_class_scope(in_class, loc)?;
        self.cur_mut().scope_info = scope_info;
        self.expr(expr)?;
        self.exit_block();
        Ok(())
    }

    pub(super) fn ann_assign(&mut self, s: &'a ast::StmtAnnAssign) -> Result {
        self.cur_mut().annotations_used = true;
        if let Expr::Name(target) = &*s.target {
            let name = self.names.of(target);
            let old = self.lookup(self.cur_id(), name);
            if old.has(def::GLOBAL | def::NONLOCAL) && self.cur_id() != SymbolTable::TOP && s.simple
            {
                let word = if old.has(def::GLOBAL) {
                    "global"
                } else {
                    "nonlocal"
                };
                let message = format!("annotated name '{}' can't be {word}", target.id);
                return self.error(message, self.loc(s));
            }
            let loc = self.loc(target);
            if s.simple {
                self.add_def(name, def::ANNOT | def::LOCAL, loc)?;
            } else if s.value.is_some() {
                self.add_def(name, def::LOCAL, loc)?;
            }
        } else {
            self.expr(&s.target)?;
        }
        self.annotation(&s.annotation)?;
        self.opt_expr(s.value.as_deref())
    }

    /// An annotation of a variable (`symtable_visit_annotation`).
    pub(super) fn annotation(&mut self, annotation: &'a Expr) -> Result {
        let parent = self.cur_id();
        let kind = self.cur().kind;
        let unevaluated = kind == BlockType::Function;
        let loc = self.loc(annotation);
        // A module may be left half executed, so its annotations always count as conditional.
        let conditional = match kind {
            BlockType::Class => self.cur().in_conditional_block,
            kind => kind == BlockType::Module,
        };
        if conditional && !self.cur().has_conditional_annotations {
            self.cur_mut().has_conditional_annotations = true;
            self.add_def(known::DUNDER_CONDITIONAL_ANNOTATIONS, def::USE, loc)?;
        }
        match self.cur().annotation_block {
            Some(block) => self.enter_existing_block(block),
            None => {
                let block = self.enter_block(
                    known::DUNDER_ANNOTATE,
                    BlockType::Annotation,
                    parent.0 as usize,
                    BlockKey::Annotations,
                    loc,
                )?;
                self.table[parent].annotation_block = Some(block);
                if kind == BlockType::Class && !self.future.annotations {
                    self.see_class_scope(true, loc)?;
                }
            }
        }
        if unevaluated {
            self.cur_mut().in_unevaluated_annotation = true;
        }
        let result = self.expr(annotation);
        if unevaluated {
            self.cur_mut().in_unevaluated_annotation = false;
        }
        self.exit_block();
        result
    }

    /// The annotations of a function (`symtable_visit_annotations`).
    pub(super) fn annotations(&mut self, s: &'a ast::StmtFunctionDef, loc: Location) -> Result {
        let sees_class = self.cur().can_see_class_scope || self.cur().kind == BlockType::Class;
        let p = &*s.parameters;
        self.enter_block(
            known::DUNDER_ANNOTATE,
            BlockType::Annotation,
            node_key(p),
            BlockKey::Annotations,
            loc,
        )?;
        if sees_class {
            self.see_class_scope(true, loc)?;
        }
        let variadic = [&p.vararg, &p.kwarg];
        let annotations = (p.posonlyargs.iter().chain(&p.args))
            .map(|a| &a.parameter)
            .chain(variadic.into_iter().flatten().map(|a| &**a))
            .chain(p.kwonlyargs.iter().map(|a| &a.parameter))
            .filter_map(|a| a.annotation.as_deref())
            .chain(s.returns.as_deref());
        for annotation in annotations {
            self.cur_mut().annotations_used = true;
            self.expr(annotation)?;
        }
        self.exit_block();
        Ok(())
    }

    pub(super) fn defaults(&mut self, p: &'a ast::Parameters) -> Result {
        for arg in p.posonlyargs.iter().chain(&p.args).chain(&p.kwonlyargs) {
            self.opt_expr(arg.default.as_deref())?;
        }
        Ok(())
    }

    /// `symtable_visit_arguments`
    pub(super) fn arguments(&mut self, p: &'a ast::Parameters) -> Result {
        for arg in p.posonlyargs.iter().chain(&p.args).chain(&p.kwonlyargs) {
            self.parameter(&arg.parameter)?;
        }
        if let Some(vararg) = &p.vararg {
            self.parameter(vararg)?;
            self.cur_mut().varargs = true;
        }
        if let Some(kwarg) = &p.kwarg {
            self.parameter(kwarg)?;
            self.cur_mut().varkeywords = true;
        }
        Ok(())
    }
    pub(super) fn parameter(&mut self, parameter: &'a ast::Parameter) -> Result {
        let name = self.names.intern(&parameter.name);
        self.add_def(name, def::PARAM, self.loc(parameter))
    }

    pub(super) fn alias(&mut self, alias: &'a ast::Alias) -> Result {
        let loc = self.loc(alias);
        let name = alias.asname.as_ref().unwrap_or(&alias.name);
        if name.as_str() == "*" {
            if self.cur().kind != BlockType::Module {
                return self.error("import * only allowed at module level", loc);
            }
            return Ok(());
        }
        let stored = name.split('.').next().unwrap_or_default();
        let stored = self.names.intern(stored);
        self.add_def(stored, def::IMPORT, loc)
    }

    pub(super) fn pattern(&mut self, pattern: &'a Pattern) -> Result {
        grown(|| self.pattern_inner(pattern))
    }
    pub(super) fn pattern_inner(&mut self, pattern: &'a Pattern) -> Result {
        let loc = self.loc(pattern);
        let binds = match pattern {
            Pattern::MatchValue(p) => return self.expr(&p.value),
            Pattern::MatchSingleton(_) => return Ok(()),
            Pattern::MatchSequence(p) => {
                return p.patterns.iter().try_for_each(|p| self.pattern(p));
            }
            Pattern::MatchOr(p) => return p.patterns.iter().try_for_each(|p| self.pattern(p)),
            Pattern::MatchMapping(p) => {
                self.exprs(&p.keys)?;
                p.patterns.iter().try_for_each(|p| self.pattern(p))?;
                &p.rest
            }
            Pattern::MatchClass(p) => {
                self.expr(&p.cls)?;
                let arguments = &p.arguments;
                arguments
                    .patterns
                    .iter()
                    .try_for_each(|p| self.pattern(p))?;
                for keyword in &arguments.keywords {
                    let name = self.names.intern(&keyword.attr);
                    self.check_name(name, self.loc(&keyword.pattern), ExprContext::Store)?;
                }
                for keyword in &arguments.keywords {
                    self.pattern(&keyword.pattern)?;
                }
                return Ok(());
            }
            Pattern::MatchStar(p) => &p.name,
            Pattern::MatchAs(p) => {
                if let Some(inner) = &p.pattern {
                    self.pattern(inner)?;
                }
                &p.name
            }
        };
        if let Some(name) = binds {
            let name = self.names.intern(name);
            self.add_def(name, def::LOCAL, loc)?;
        }
        Ok(())
    }
}
