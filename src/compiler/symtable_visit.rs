//! The first pass of the symbol table: a walk over the tree that records raw facts (`symtable_visit_*`).

use super::Future;
use super::error::{CompileError, ErrorKind};
use super::instr::Location;
use super::names::{Interner, NameId, known};
use super::source::Source;
use super::symtable::{
    Block, BlockId, BlockKey, BlockType, Comprehension, Scope, Symbol, SymbolMap, SymbolTable, def,
    node_key,
};
use super::tree::{self, def_location, docstring, generator_range};
use ruff_python_ast::{self as ast, Expr, ExprContext, Pattern, Stmt, TypeParam};
use ruff_text_size::Ranged;
use std::cell::RefCell;
use std::rc::Rc;

type Result<T = ()> = std::result::Result<T, CompileError>;

pub(super) struct Builder<'a> {
    source: &'a Source,
    pub(super) names: Interner,
    pub(super) table: SymbolTable,
    future: &'a Future,
    optimize: u8,
    stack: Vec<BlockId>,
    private: Option<NameId>,
}

/// What the walk builds a table from.
pub(super) enum Root<'a> {
    Module(&'a [Stmt]),
    Interactive(&'a [Stmt]),
    Expression(&'a Expr),
}

impl<'a> Builder<'a> {
    /// `_PySymtable_Build` without the analysis.
    pub(super) fn build(
        source: &'a Source,
        future: &'a Future,
        optimize: u8,
        root: &Root<'a>,
    ) -> Result<(SymbolTable, Interner)> {
        let mut builder = Builder {
            source,
            names: Interner::default(),
            table: SymbolTable::new(),
            future,
            optimize,
            stack: Vec::new(),
            private: None,
        };
        let nowhere = super::source::point(0, 0);
        builder.enter_block(known::TOP, BlockType::Module, 0, BlockKey::Body, nowhere)?;
        match root {
            Root::Module(body) => {
                builder.cur_mut().has_docstring = optimize < 2 && docstring(body).is_some();
                builder.stmts(body)?;
            }
            Root::Interactive(body) => builder.stmts(body)?,
            Root::Expression(expr) => builder.expr(expr)?,
        }
        builder.exit_block();
        Ok((builder.table, builder.names))
    }

    fn cur_id(&self) -> BlockId {
        self.stack[self.stack.len() - 1]
    }
    fn cur(&self) -> &Block {
        &self.table[self.cur_id()]
    }
    fn cur_mut(&mut self) -> &mut Block {
        let id = self.cur_id();
        &mut self.table[id]
    }
    fn loc(&self, node: &impl Ranged) -> Location {
        self.source.location_of(node)
    }
    fn error<T>(&self, message: impl Into<String>, loc: Location) -> Result<T> {
        Err(CompileError::new(ErrorKind::Syntax, message, loc))
    }

    /// `ste_new`
    fn new_block(
        &mut self,
        name: NameId,
        kind: BlockType,
        node: usize,
        key: BlockKey,
        loc: Location,
    ) -> BlockId {
        let parent = self.stack.last().map(|&id| &self.table[id]);
        let block = Block {
            name,
            kind,
            symbols: SymbolMap::default(),
            varnames: Vec::new(),
            children: Vec::new(),
            directives: Vec::new(),
            mangled_names: None,
            nested: parent.is_some_and(|p| p.nested || p.is_function_like()),
            generator: false,
            coroutine: false,
            comprehension: Comprehension::None,
            varargs: false,
            varkeywords: false,
            needs_class_closure: false,
            needs_classdict: false,
            comp_inlined: false,
            comp_iter_target: false,
            comp_iter_expr: 0,
            can_see_class_scope: false,
            annotations_used: false,
            has_conditional_annotations: false,
            in_conditional_block: false,
            in_unevaluated_annotation: false,
            annotation_block: None,
            has_docstring: false,
            method: kind == BlockType::Function
                && parent.is_some_and(|p| p.kind == BlockType::Class),
            scope_info: "",
            loc,
        };
        self.table.insert(node, key, block)
    }

    /// `symtable_enter_existing_block`
    fn enter_existing_block(&mut self, id: BlockId) {
        let prev = self.stack.last().copied();
        self.stack.push(id);
        let Some(prev) = prev else { return };
        self.table[id].comp_iter_expr = self.table[prev].comp_iter_expr;
        if self.table[id].kind != BlockType::Class && self.table[prev].mangled_names.is_some() {
            self.table[id].mangled_names = self.table[prev].mangled_names.clone();
        }
        // Under `from __future__ import annotations` annotations become strings: their names count nowhere.
        if !(self.future.annotations && self.table[id].kind == BlockType::Annotation) {
            self.table[prev].children.push(id);
        }
    }

    /// `symtable_enter_block`
    fn enter_block(
        &mut self,
        name: NameId,
        kind: BlockType,
        node: usize,
        key: BlockKey,
        loc: Location,
    ) -> Result<BlockId> {
        let id = self.new_block(name, kind, node, key, loc);
        self.enter_existing_block(id);
        if matches!(
            kind,
            BlockType::Annotation | BlockType::TypeVariable | BlockType::TypeAlias
        ) {
            self.add_def(known::DOT_FORMAT, def::PARAM, loc)?;
            self.add_def(known::DOT_FORMAT, def::USE, loc)?;
        }
        Ok(id)
    }
    fn exit_block(&mut self) {
        self.stack.pop();
    }

    fn mangle(&mut self, block: BlockId, name: NameId) -> NameId {
        self.table[block].mangle(&mut self.names, self.private, name)
    }
    /// `symtable_lookup_entry`
    fn lookup(&mut self, block: BlockId, name: NameId) -> Symbol {
        let mangled = self.mangle(block, name);
        self.table[block].symbol(mangled)
    }

    /// `symtable_add_def`
    fn add_def(&mut self, name: NameId, flag: u16, loc: Location) -> Result {
        let ctx = if flag == def::USE {
            ExprContext::Load
        } else {
            ExprContext::Store
        };
        self.add_def_ctx(name, flag, loc, ctx)
    }

    fn add_def_ctx(&mut self, name: NameId, flag: u16, loc: Location, ctx: ExprContext) -> Result {
        if flag & (def::PARAM | def::LOCAL | def::IMPORT) != 0 {
            self.check_name(name, loc, ctx)?;
        }
        if flag & def::TYPE_PARAM != 0
            && let Some(mangled) = &self.cur().mangled_names
        {
            mangled.borrow_mut().insert(name);
        }
        self.add_def_to(self.cur_id(), name, flag, loc)
    }

    /// `symtable_add_def_helper`
    fn add_def_to(&mut self, block: BlockId, name: NameId, flag: u16, loc: Location) -> Result {
        let mangled = self.mangle(self.cur_id(), name);
        let mut flags = flag;
        if let Some(old) = self.table[block].symbols.get(mangled) {
            if flag & def::PARAM != 0 && old.has(def::PARAM) {
                let name = self.names.get(name);
                let message = format!("duplicate argument '{name}' in function definition");
                return self.error(message, loc);
            }
            if flag & def::TYPE_PARAM != 0 && old.has(def::TYPE_PARAM) {
                let message = format!("duplicate type parameter '{}'", self.names.get(name));
                return self.error(message, loc);
            }
            flags |= old.flags;
        }
        if self.table[block].comp_iter_target {
            if flags & (def::GLOBAL | def::NONLOCAL) != 0 {
                let message = format!(
                    "comprehension inner loop cannot rebind assignment expression target '{}'",
                    self.names.get(name)
                );
                return self.error(message, loc);
            }
            flags |= def::COMP_ITER;
        }
        let symbol = |flags| Symbol {
            flags,
            scope: Scope::Unknown,
        };
        self.table[block].symbols.set(mangled, symbol(flags));
        if flag & def::PARAM != 0 {
            self.table[block].varnames.push(mangled);
        } else if flag & def::GLOBAL != 0 {
            let top = &mut self.table[SymbolTable::TOP].symbols;
            let old = top.get(mangled).unwrap_or_default();
            top.set(mangled, symbol(old.flags | flag));
        }
        Ok(())
    }

    fn check_name(&self, name: NameId, loc: Location, ctx: ExprContext) -> Result {
        if name != known::DUNDER_DEBUG {
            return Ok(());
        }
        match ctx {
            ExprContext::Store => self.error("cannot assign to __debug__", loc),
            ExprContext::Del => self.error("cannot delete __debug__", loc),
            _ => Ok(()),
        }
    }
    fn check_keywords(&mut self, keywords: &[ast::Keyword]) -> Result {
        for keyword in keywords {
            if let Some(arg) = &keyword.arg {
                let name = self.names.intern(arg);
                self.check_name(name, self.loc(keyword), ExprContext::Store)?;
            }
        }
        Ok(())
    }
    fn record_directive(&mut self, name: NameId, loc: Location) {
        let mangled = self.mangle(self.cur_id(), name);
        self.cur_mut().directives.push((mangled, loc));
    }

    fn stmts(&mut self, body: &'a [Stmt]) -> Result {
        body.iter().try_for_each(|s| self.stmt(s))
    }

    /// Runs `visit` with annotations counting as conditional.
    fn conditional(&mut self, visit: impl FnOnce(&mut Self) -> Result) -> Result {
        let outer = std::mem::replace(&mut self.cur_mut().in_conditional_block, true);
        visit(self)?;
        self.cur_mut().in_conditional_block = outer;
        Ok(())
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Result {
        match stmt {
            Stmt::FunctionDef(s) => super::grown(|| self.function_def(s)),
            Stmt::ClassDef(s) => super::grown(|| self.class_def(s)),
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

    fn directive(
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

    fn function_def(&mut self, s: &'a ast::StmtFunctionDef) -> Result {
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

    fn class_def(&mut self, s: &'a ast::StmtClassDef) -> Result {
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

    fn type_alias(&mut self, s: &'a ast::StmtTypeAlias) -> Result {
        self.expr(&s.name)?;
        let name = match &*s.name {
            Expr::Name(n) => self.names.intern(&n.id),
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

    fn see_class_scope(&mut self, in_class: bool, loc: Location) -> Result {
        self.cur_mut().can_see_class_scope = in_class;
        if in_class {
            self.add_def(known::DUNDER_CLASSDICT, def::USE, loc)?;
        }
        Ok(())
    }

    /// `kwdefaults` is None for what is no function.
    fn enter_type_param_block(
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

    fn type_params(&mut self, params: &'a ast::TypeParams) -> Result {
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

    fn bound_or_default(
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

    fn ann_assign(&mut self, s: &'a ast::StmtAnnAssign) -> Result {
        self.cur_mut().annotations_used = true;
        if let Expr::Name(target) = &*s.target {
            let name = self.names.intern(&target.id);
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
    fn annotation(&mut self, annotation: &'a Expr) -> Result {
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
    fn annotations(&mut self, s: &'a ast::StmtFunctionDef, loc: Location) -> Result {
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

    fn defaults(&mut self, p: &'a ast::Parameters) -> Result {
        for arg in p.posonlyargs.iter().chain(&p.args).chain(&p.kwonlyargs) {
            self.opt_expr(arg.default.as_deref())?;
        }
        Ok(())
    }

    /// `symtable_visit_arguments`
    fn arguments(&mut self, p: &'a ast::Parameters) -> Result {
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
    fn parameter(&mut self, parameter: &'a ast::Parameter) -> Result {
        let name = self.names.intern(&parameter.name);
        self.add_def(name, def::PARAM, self.loc(parameter))
    }

    fn alias(&mut self, alias: &'a ast::Alias) -> Result {
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

    fn pattern(&mut self, pattern: &'a Pattern) -> Result {
        super::grown(|| self.pattern_inner(pattern))
    }
    fn pattern_inner(&mut self, pattern: &'a Pattern) -> Result {
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

    fn exprs(&mut self, exprs: &'a [Expr]) -> Result {
        exprs.iter().try_for_each(|e| self.expr(e))
    }
    fn opt_expr(&mut self, expr: Option<&'a Expr>) -> Result {
        expr.map_or(Ok(()), |e| self.expr(e))
    }

    fn expr(&mut self, expr: &'a Expr) -> Result {
        match expr {
            Expr::Name(e) => self.name(e),
            e if e.is_literal_expr() => Ok(()),
            _ => super::grown(|| self.expr_inner(expr)),
        }
    }

    fn expr_inner(&mut self, expr: &'a Expr) -> Result {
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

    fn name(&mut self, e: &'a ast::ExprName) -> Result {
        if self.cur().in_unevaluated_annotation {
            return Ok(());
        }
        let name = self.names.intern(&e.id);
        let load = e.ctx == ExprContext::Load;
        // The preprocessor has made it a constant.
        if load && name == known::DUNDER_DEBUG {
            return Ok(());
        }
        let flag = if load { def::USE } else { def::LOCAL };
        let loc = self.loc(e);
        self.add_def_ctx(name, flag, loc, e.ctx)?;
        if load && name == known::SUPER && self.cur().is_function_like() {
            self.add_def(known::DUNDER_CLASS, def::USE, loc)?;
        }
        Ok(())
    }

    fn interpolated(&mut self, element: &'a ast::InterpolatedStringElement) -> Result {
        let ast::InterpolatedStringElement::Interpolation(e) = element else {
            return Ok(());
        };
        self.expr(&e.expression)?;
        match &e.format_spec {
            Some(spec) => spec.elements.iter().try_for_each(|e| self.interpolated(e)),
            None => Ok(()),
        }
    }

    fn named_expr(&mut self, e: &'a ast::ExprNamed) -> Result {
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
    fn extend_named_expr_scope(&mut self, target: &'a ast::ExprName) -> Result {
        let name = self.names.intern(&target.id);
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
                    return self.add_def_to(id, name, def::LOCAL, loc);
                }
                BlockType::Module => {
                    self.add_def(name, def::GLOBAL, loc)?;
                    self.record_directive(name, loc);
                    return self.add_def_to(id, name, def::GLOBAL, loc);
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

    fn in_async_def(&self) -> bool {
        self.cur().kind == BlockType::Function && self.cur().coroutine
    }

    /// `symtable_handle_comprehension`
    fn comprehension(
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
    fn comp_target(&mut self, target: &'a Expr) -> Result {
        self.cur_mut().comp_iter_target = true;
        self.expr(target)?;
        self.cur_mut().comp_iter_target = false;
        Ok(())
    }

    fn raise_if_annotation_block(&self, what: &str, node: &impl Ranged) -> Result {
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
    fn raise_if_comprehension_block(&self, node: &impl Ranged) -> Result {
        let what = match self.cur().comprehension {
            Comprehension::None => return Ok(()),
            Comprehension::List => "list comprehension",
            Comprehension::Set => "set comprehension",
            Comprehension::Dict => "dict comprehension",
            Comprehension::Generator => "generator expression",
        };
        self.error(format!("'yield' inside {what}"), self.loc(node))
    }
    fn raise_if_not_coroutine(&self, message: &str, node: &impl Ranged) -> Result {
        if self.cur().coroutine {
            return Ok(());
        }
        self.error(message, self.loc(node))
    }
}
