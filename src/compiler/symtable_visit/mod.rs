//! The first pass of the symbol table: a walk over the tree that records raw facts (`symtable_visit_*`).

mod expressions;
mod statements;

use super::error::{CompileError, ErrorKind};
use super::instr::Location;
use super::names::{Interner, NameId, known};
use super::source::Source;
use super::symtable::{
    Block, BlockId, BlockKey, BlockType, Comprehension, Scope, Symbol, SymbolMap, SymbolTable, def,
};
use super::tree::Future;
use super::tree::docstring;
use ruff_python_ast::{self as ast, Expr, ExprContext, Stmt};
use ruff_text_size::Ranged;

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
        self.add_def_ctx(name, flag, || loc, ctx)
    }

    /// The place is worked out for an error only.
    fn add_def_ctx(
        &mut self,
        name: NameId,
        flag: u16,
        loc: impl FnOnce() -> Location,
        ctx: ExprContext,
    ) -> Result {
        if flag & (def::PARAM | def::LOCAL | def::IMPORT) != 0 && name == known::DUNDER_DEBUG {
            return self.check_name(name, loc(), ctx);
        }
        if flag & def::TYPE_PARAM != 0
            && let Some(mangled) = &self.cur().mangled_names
        {
            mangled.borrow_mut().insert(name);
        }
        self.add_def_to(self.cur_id(), name, flag, loc)
    }

    /// `symtable_add_def_helper`
    fn add_def_to(
        &mut self,
        block: BlockId,
        name: NameId,
        flag: u16,
        loc: impl FnOnce() -> Location,
    ) -> Result {
        let mangled = self.mangle(self.cur_id(), name);
        let mut flags = flag;
        if let Some(old) = self.table[block].symbols.get(mangled) {
            if flag & def::PARAM != 0 && old.has(def::PARAM) {
                let name = self.names.get(name);
                let message = format!("duplicate argument '{name}' in function definition");
                return self.error(message, loc());
            }
            if flag & def::TYPE_PARAM != 0 && old.has(def::TYPE_PARAM) {
                let message = format!("duplicate type parameter '{}'", self.names.get(name));
                return self.error(message, loc());
            }
            flags |= old.flags;
        }
        if self.table[block].comp_iter_target {
            if flags & (def::GLOBAL | def::NONLOCAL) != 0 {
                let message = format!(
                    "comprehension inner loop cannot rebind assignment expression target '{}'",
                    self.names.get(name)
                );
                return self.error(message, loc());
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
}
