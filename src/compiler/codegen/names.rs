//! Loading, storing and deleting names, and the operand tables they fill.

use super::unit::ScopeType;
use super::{CompileError, Compiler, Result};
use crate::bytecode::Opcode;
use crate::compiler::instr::Location;
use crate::compiler::names::{NameId, known};
use crate::compiler::symtable::{BlockType, Scope};
use ruff_python_ast::ExprContext;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ctx {
    Load,
    Store,
    Del,
}

impl From<ExprContext> for Ctx {
    fn from(ctx: ExprContext) -> Ctx {
        match ctx {
            ExprContext::Load | ExprContext::Invalid => Ctx::Load,
            ExprContext::Store => Ctx::Store,
            ExprContext::Del => Ctx::Del,
        }
    }
}

/// How an attribute is fetched: the bits below the name index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AttrLoad {
    Attr,
    Method,
    SuperAttr,
    SuperMethod,
    ZeroSuperAttr,
    ZeroSuperMethod,
}

impl Compiler<'_> {
    pub(super) fn maybe_mangle(&mut self, name: NameId) -> NameId {
        let unit = &self.units[self.units.len() - 1];
        self.table[unit.block].mangle(&mut self.names, unit.private, name)
    }

    /// Index of an attribute's or import's name in `co_names`.
    pub(super) fn name_index(&mut self, name: NameId) -> i32 {
        let mangled = self.maybe_mangle(name);
        self.unit_mut().names.add(mangled)
    }
    /// An instruction on a name of `co_names` (`ADDOP_NAME`).
    pub(super) fn op_name(&mut self, op: Opcode, name: NameId, loc: Location) {
        let index = self.name_index(name);
        self.op_i(op, index, loc);
    }
    pub(super) fn load_attr(&mut self, how: AttrLoad, name: NameId, loc: Location) {
        let index = self.name_index(name);
        let (op, oparg) = match how {
            AttrLoad::Attr => (Opcode::LOAD_ATTR, index << 1),
            AttrLoad::Method => (Opcode::LOAD_ATTR, index << 1 | 1),
            AttrLoad::ZeroSuperAttr => (Opcode::LOAD_SUPER_ATTR, index << 2),
            AttrLoad::ZeroSuperMethod => (Opcode::LOAD_SUPER_ATTR, index << 2 | 1),
            AttrLoad::SuperAttr => (Opcode::LOAD_SUPER_ATTR, index << 2 | 2),
            AttrLoad::SuperMethod => (Opcode::LOAD_SUPER_ATTR, index << 2 | 3),
        };
        self.op_i(op, oparg, loc);
    }
    /// An instruction on a name of `co_varnames`.
    pub(super) fn op_varname(&mut self, op: Opcode, name: NameId, loc: Location) {
        let index = self.unit_mut().varnames.add(name);
        self.op_i(op, index, loc);
    }
    pub(super) fn op_cellvar(&mut self, op: Opcode, name: NameId, loc: Location) {
        let index = self.unit_mut().cellvars.add(name);
        self.op_i(op, index, loc);
    }
    pub(super) fn op_freevar(&mut self, op: Opcode, name: NameId, loc: Location) {
        let index = self.unit_mut().add_freevar(name);
        self.op_i(op, index, loc);
    }

    /// `codegen_nameop`
    pub(super) fn name_op(&mut self, name: NameId, ctx: Ctx, loc: Location) -> Result {
        let mangled = self.maybe_mangle(name);
        let block = self.block();
        let scope = block.scope(mangled);
        let is_class = block.kind == BlockType::Class;
        let function_like = block.is_function_like();
        let sees_class = block.can_see_class_scope;
        let inlined = self.unit().in_inlined_comp > 0;
        let fast =
            scope == Scope::Local && (function_like || self.unit().fast_hidden.is_on(mangled));
        if fast {
            let op = match ctx {
                Ctx::Load => Opcode::LOAD_FAST,
                Ctx::Store => Opcode::STORE_FAST,
                Ctx::Del => Opcode::DELETE_FAST,
            };
            self.op_varname(op, mangled, loc);
            return Ok(());
        }
        let deref = matches!(scope, Scope::Free | Scope::Cell);
        let global =
            scope == Scope::GlobalExplicit || (scope == Scope::GlobalImplicit && function_like);
        // The name's index is taken before a class namespace's is.
        let index = match scope {
            Scope::Free => self.unit_mut().add_freevar(mangled),
            Scope::Cell => self.unit_mut().cellvars.add(mangled),
            _ => self.unit_mut().names.add(mangled),
        };
        let op = match (ctx, deref, global) {
            (Ctx::Load, true, _) if is_class && !inlined => {
                self.op(Opcode::LOAD_LOCALS, loc);
                Opcode::LOAD_FROM_DICT_OR_DEREF
            }
            (Ctx::Load, true, _) if sees_class => {
                self.load_classdict(loc);
                Opcode::LOAD_FROM_DICT_OR_DEREF
            }
            (Ctx::Load, true, _) => Opcode::LOAD_DEREF,
            (Ctx::Store, true, _) => Opcode::STORE_DEREF,
            (Ctx::Del, true, _) => Opcode::DELETE_DEREF,
            (Ctx::Load, _, true) if sees_class && scope == Scope::GlobalImplicit => {
                self.load_classdict(loc);
                Opcode::LOAD_FROM_DICT_OR_GLOBALS
            }
            (Ctx::Load, _, true) => Opcode::LOAD_GLOBAL,
            (Ctx::Store, _, true) => Opcode::STORE_GLOBAL,
            (Ctx::Del, _, true) => Opcode::DELETE_GLOBAL,
            (Ctx::Load, _, _) if is_class && inlined => Opcode::LOAD_GLOBAL,
            (Ctx::Load, _, _) => Opcode::LOAD_NAME,
            (Ctx::Store, _, _) => Opcode::STORE_NAME,
            (Ctx::Del, _, _) => Opcode::DELETE_NAME,
        };
        let oparg = if op == Opcode::LOAD_GLOBAL {
            index << 1
        } else {
            index
        };
        self.op_i(op, oparg, loc);
        Ok(())
    }

    fn load_classdict(&mut self, loc: Location) {
        self.op_freevar(Opcode::LOAD_DEREF, known::DUNDER_CLASSDICT, loc);
    }

    /// `_PyCompile_GetRefType`
    pub(super) fn ref_type(&self, name: NameId) -> Scope {
        if self.unit().scope_type == ScopeType::Class
            && matches!(
                name,
                known::DUNDER_CLASS
                    | known::DUNDER_CLASSDICT
                    | known::DUNDER_CONDITIONAL_ANNOTATIONS
            )
        {
            return Scope::Cell;
        }
        self.block().scope(name)
    }

    /// Where the current unit keeps a name that is free in a function made here (`_PyCompile_LookupArg`).
    pub(super) fn closure_index(&self, name: NameId) -> Result<i32> {
        let index = match self.ref_type(name) {
            Scope::Cell => self.unit().cellvars.index_of(name),
            _ => self.unit().freevar(name),
        };
        index.ok_or_else(|| {
            CompileError::system(format!(
                "free variable {:?} has no home in {}",
                self.names.get(name),
                self.unit().qualname
            ))
        })
    }
}
