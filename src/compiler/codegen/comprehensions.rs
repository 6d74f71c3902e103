//! Comprehensions, inlined into their unit where PEP 709 says so, and generator expressions.

use super::unit::{FBlockKind, ScopeType, UnitArgs};
use super::{Compiler, Result};
use crate::bytecode::Opcode;
use crate::bytecode::spec::Constant;
use crate::compiler::instr::{Label, Location, NO_LOCATION};
use crate::compiler::names::{NameId, known};
use crate::compiler::symtable::{BlockId, BlockKey, BlockType, Scope, Symbol, def};
use ruff_python_ast::{self as ast, Expr};

/// What a comprehension builds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Generator,
    List,
    Set,
    Dict,
}

/// A comprehension's parts, the same at each of its `for` clauses.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub kind: Kind,
    pub generators: &'a [ast::Comprehension],
    pub elt: &'a Expr,
    pub value: Option<&'a Expr>,
    pub loc: Location,
}

/// What inlining one comprehension changes, to be put back after it (`_PyCompile_InlinedComprehensionState`).
#[derive(Default)]
struct Inlined {
    pushed_locals: Vec<NameId>,
    temp_symbols: Vec<(NameId, Symbol)>,
    fast_hidden: Vec<NameId>,
    cleanup: Option<Label>,
}

impl<'a> Compiler<'a> {
    /// `codegen_comprehension`
    pub(super) fn comprehension(&mut self, node: usize, parts: Parts<'a>) -> Result {
        let block = self.lookup(node, BlockKey::Body)?;
        let loc = parts.loc;
        let Some(outermost) = parts.generators.first() else {
            return Ok(());
        };
        let inlined = self.table[block].comp_inlined;
        let is_async = self.table[block].coroutine;
        let build = match parts.kind {
            Kind::Generator => None,
            Kind::List => Some(Opcode::BUILD_LIST),
            Kind::Set => Some(Opcode::BUILD_SET),
            Kind::Dict => Some(Opcode::BUILD_MAP),
        };
        if inlined {
            self.comprehension_iter(outermost)?;
            let mut state = self.tweak_inlined_scopes(block);
            self.push_inlined_locals(block, &mut state, loc);
            if let Some(build) = build {
                self.op_i(build, 0, loc);
                self.op_i(Opcode::SWAP, 2, loc);
            }
            self.comprehension_generator(parts, 0, 0, true)?;
            self.pop_inlined_locals(&state, loc);
            self.revert_inlined_scopes(state);
            return Ok(());
        }
        let name = match parts.kind {
            Kind::Generator => known::ANON_GENEXPR,
            Kind::List => known::ANON_LISTCOMP,
            Kind::Set => known::ANON_SETCOMP,
            Kind::Dict => known::ANON_DICTCOMP,
        };
        let args = UnitArgs {
            args: 1,
            ..UnitArgs::default()
        };
        let scope = ScopeType::Comprehension;
        self.enter_scope(name, scope, block, loc.lineno, None, args);
        if let Some(build) = build {
            self.op_i(build, 0, loc);
        }
        self.comprehension_generator(parts, 0, 0, false)?;
        if build.is_some() {
            self.op(Opcode::RETURN_VALUE, loc);
        } else {
            self.wrap_in_stopiteration_handler();
        }
        let code = self.finish_unit(true)?;
        self.make_closure(code, 0, loc)?;
        self.comprehension_iter(outermost)?;
        self.op_i(Opcode::CALL, 0, loc);
        if is_async && build.is_some() {
            self.op_i(Opcode::GET_AWAITABLE, 0, loc);
            self.load_const(Constant::None, loc);
            self.add_yield_from(true, loc);
        }
        Ok(())
    }

    fn comprehension_iter(&mut self, comp: &'a ast::Comprehension) -> Result {
        self.expr(&comp.iter)?;
        let loc = self.expr_location(&comp.iter);
        let op = if comp.is_async {
            Opcode::GET_AITER
        } else {
            Opcode::GET_ITER
        };
        self.op(op, loc);
        Ok(())
    }

    fn comprehension_generator(
        &mut self,
        parts: Parts<'a>,
        index: usize,
        depth: i32,
        iter_on_stack: bool,
    ) -> Result {
        let comp = &parts.generators[index];
        crate::compiler::grown(|| {
            if comp.is_async {
                self.async_comprehension_generator(parts, comp, index, depth, iter_on_stack)
            } else {
                self.sync_comprehension_generator(parts, comp, index, depth, iter_on_stack)
            }
        })
    }

    /// `codegen_sync_comprehension_generator`
    fn sync_comprehension_generator(
        &mut self,
        parts: Parts<'a>,
        comp: &'a ast::Comprehension,
        index: usize,
        depth: i32,
        iter_on_stack: bool,
    ) -> Result {
        let start = self.new_label();
        let if_cleanup = self.new_label();
        let anchor = self.new_label();
        // `for y in [f(x)]` only names a value: no loop.
        let mut single = None;
        if !iter_on_stack {
            if index == 0 {
                self.op_i(Opcode::LOAD_FAST, 0, parts.loc);
            } else {
                single = match &comp.iter {
                    Expr::List(list) => only(&list.elts),
                    Expr::Tuple(tuple) => only(&tuple.elts),
                    _ => None,
                };
                match single {
                    Some(elt) => self.expr(elt)?,
                    None => self.comprehension_iter(comp)?,
                }
            }
        }
        let mut depth = depth;
        if single.is_none() {
            depth += 1;
            self.use_label(start);
            let iter_loc = self.expr_location(&comp.iter);
            self.jump(Opcode::FOR_ITER, anchor, iter_loc);
        }
        self.expr(&comp.target)?;
        for test in &comp.ifs {
            self.jump_if(test, if_cleanup, false)?;
        }
        let elt_loc = self.comprehension_rest(parts, index, depth)?;
        self.use_label(if_cleanup);
        if single.is_none() {
            self.jump(Opcode::JUMP, start, elt_loc);
            self.use_label(anchor);
            self.op(Opcode::END_FOR, NO_LOCATION);
            self.op(Opcode::POP_ITER, NO_LOCATION);
        }
        Ok(())
    }

    /// `codegen_async_comprehension_generator`
    fn async_comprehension_generator(
        &mut self,
        parts: Parts<'a>,
        comp: &'a ast::Comprehension,
        index: usize,
        depth: i32,
        iter_on_stack: bool,
    ) -> Result {
        let loc = parts.loc;
        let start = self.new_label();
        let send = self.new_label();
        let except = self.new_label();
        let if_cleanup = self.new_label();
        if !iter_on_stack {
            if index == 0 {
                self.op_i(Opcode::LOAD_FAST, 0, loc);
            } else {
                self.comprehension_iter(comp)?;
            }
        }
        self.use_label(start);
        let kind = FBlockKind::AsyncComprehensionGenerator;
        self.push_fblock(kind, Some(start), None, loc)?;
        self.jump(Opcode::SETUP_FINALLY, except, loc);
        self.op(Opcode::GET_ANEXT, loc);
        self.load_const(Constant::None, loc);
        self.use_label(send);
        self.add_yield_from(true, loc);
        self.op(Opcode::POP_BLOCK, loc);
        self.expr(&comp.target)?;
        for test in &comp.ifs {
            self.jump_if(test, if_cleanup, false)?;
        }
        let elt_loc = self.comprehension_rest(parts, index, depth + 1)?;
        self.use_label(if_cleanup);
        self.jump(Opcode::JUMP, start, elt_loc);
        self.pop_fblock();
        self.use_label(except);
        self.jump(Opcode::END_ASYNC_FOR, send, loc);
        Ok(())
    }

    /// The clauses after this one, or the element; its place.
    fn comprehension_rest(
        &mut self,
        parts: Parts<'a>,
        index: usize,
        depth: i32,
    ) -> Result<Location> {
        let mut loc = self.expr_location(parts.elt);
        if index + 1 < parts.generators.len() {
            self.comprehension_generator(parts, index + 1, depth, false)?;
            return Ok(loc);
        }
        self.expr(parts.elt)?;
        match (parts.kind, parts.value) {
            (Kind::Generator, _) => {
                self.add_yield(loc);
                self.op(Opcode::POP_TOP, loc);
            }
            (Kind::List, _) => self.op_i(Opcode::LIST_APPEND, depth + 1, loc),
            (Kind::Set, _) => self.op_i(Opcode::SET_ADD, depth + 1, loc),
            (Kind::Dict, value) => {
                if let Some(value) = value {
                    self.expr(value)?;
                    let end = self.expr_location(value);
                    loc.end_lineno = end.end_lineno;
                    loc.end_col_offset = end.end_col_offset;
                }
                self.op_i(Opcode::MAP_ADD, depth + 1, loc);
            }
        }
        Ok(loc)
    }

    /// Gives the unit's block the comprehension's view of its names
    /// (`_PyCompile_TweakInlinedComprehensionScopes`).
    fn tweak_inlined_scopes(&mut self, comp: BlockId) -> Inlined {
        let mut state = Inlined::default();
        let outer = self.unit().block;
        let in_class =
            self.table[outer].kind == BlockType::Class && self.unit().in_inlined_comp == 0;
        let function_like = self.table[outer].is_function_like();
        self.unit_mut().in_inlined_comp += 1;
        for index in 0..self.table[comp].symbols.len() {
            let (name, symbol) = self.table[comp].symbols.at(index);
            let outside = self.table[outer].symbol(name);
            let differs = symbol.scope != outside.scope
                && symbol.scope != Scope::Free
                && !(symbol.scope == Scope::Cell && outside.scope == Scope::Free);
            if differs || in_class {
                self.table[outer].symbols.set(name, symbol);
                state.temp_symbols.push((name, outside));
            }
            if is_isolated(symbol, in_class)
                && !function_like
                && !self.unit().fast_hidden.is_on(name)
            {
                self.unit_mut().fast_hidden.set(name, true);
                state.fast_hidden.push(name);
            }
        }
        state
    }

    /// Saves what the comprehension's own names held outside (`codegen_push_inlined_comprehension_locals`).
    fn push_inlined_locals(&mut self, comp: BlockId, state: &mut Inlined, loc: Location) {
        // The scopes are tweaked already, so the unit counts as inside the comprehension.
        let outer = self.unit().block;
        let in_class =
            self.table[outer].kind == BlockType::Class && self.unit().in_inlined_comp == 0;
        for index in 0..self.table[comp].symbols.len() {
            let (name, symbol) = self.table[comp].symbols.at(index);
            if !is_isolated(symbol, in_class) {
                continue;
            }
            let outside = self.table[outer].scope(name);
            self.op_varname(Opcode::LOAD_FAST_AND_CLEAR, name, loc);
            if symbol.scope == Scope::Cell {
                if outside == Scope::Free {
                    self.op_freevar(Opcode::MAKE_CELL, name, loc);
                } else {
                    self.op_cellvar(Opcode::MAKE_CELL, name, loc);
                }
            }
            state.pushed_locals.push(name);
        }
        if !state.pushed_locals.is_empty() {
            self.op_len(Opcode::SWAP, state.pushed_locals.len() + 1, loc);
            let cleanup = self.new_label();
            state.cleanup = Some(cleanup);
            self.jump(Opcode::SETUP_FINALLY, cleanup, loc);
        }
    }

    /// `codegen_pop_inlined_comprehension_locals`
    fn pop_inlined_locals(&mut self, state: &Inlined, loc: Location) {
        let Some(cleanup) = state.cleanup else { return };
        let end = self.new_label();
        self.op(Opcode::POP_BLOCK, NO_LOCATION);
        self.jump(Opcode::JUMP_NO_INTERRUPT, end, NO_LOCATION);
        self.use_label(cleanup);
        self.op_i(Opcode::SWAP, 2, NO_LOCATION);
        self.op(Opcode::POP_TOP, NO_LOCATION);
        self.restore_inlined_locals(state, loc);
        self.op_i(Opcode::RERAISE, 0, NO_LOCATION);
        self.use_label(end);
        self.restore_inlined_locals(state, loc);
    }
    fn restore_inlined_locals(&mut self, state: &Inlined, loc: Location) {
        self.op_len(Opcode::SWAP, state.pushed_locals.len() + 1, loc);
        for &name in state.pushed_locals.iter().rev() {
            self.op_varname(Opcode::STORE_FAST_MAYBE_NULL, name, loc);
        }
    }

    /// `_PyCompile_RevertInlinedComprehensionScopes`
    fn revert_inlined_scopes(&mut self, state: Inlined) {
        let outer = self.unit().block;
        self.unit_mut().in_inlined_comp -= 1;
        for (name, symbol) in state.temp_symbols {
            self.table[outer].symbols.set(name, symbol);
        }
        // Off rather than gone: the names stay hidden locals.
        for name in state.fast_hidden {
            self.unit_mut().fast_hidden.set(name, false);
        }
    }
}

/// A name bound in the comprehension hides the outer one; in a class, every name does.
fn is_isolated(symbol: Symbol, in_class: bool) -> bool {
    (symbol.has(def::LOCAL) && !symbol.has(def::NONLOCAL)) || in_class
}

fn only(elts: &[Expr]) -> Option<&Expr> {
    match elts {
        [elt] if !elt.is_starred_expr() => Some(elt),
        _ => None,
    }
}
