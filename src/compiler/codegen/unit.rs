//! One code object in the making: its tables, its enclosing blocks, and how units nest (`struct compiler_unit`).

use super::{Compiler, Result, resume};
use crate::bytecode::Opcode;
use crate::bytecode::spec::{CodeSpec, Constant, Wtf8, code_flags};
use crate::compiler::assemble::optimize_and_assemble;
use crate::compiler::instr::{
    CodeUnit, Constants, InstructionSequence, Label, Location, NO_LOCATION,
};
use crate::compiler::names::{NameDict, NameId, known};
use crate::compiler::symtable::{Block, BlockId, Scope, def};
use ruff_python_ast::{self as ast, Stmt};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ScopeType {
    Module,
    Class,
    Function,
    AsyncFunction,
    Lambda,
    Comprehension,
    Annotations,
}

#[derive(Clone, Copy, Default)]
pub(super) struct UnitArgs {
    /// Positional arguments that may also be given by keyword.
    pub args: u32,
    pub posonly: u32,
    pub kwonly: u32,
}

/// What surrounds the statement being compiled (`_PyCompile_FBlockInfo`).
#[derive(Clone, Copy)]
pub(super) struct FBlock<'a> {
    pub kind: FBlockKind<'a>,
    pub block: Option<Label>,
    pub exit: Option<Label>,
    pub loc: Location,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum FBlockKind<'a> {
    WhileLoop,
    ForLoop,
    AsyncForLoop,
    TryExcept,
    FinallyTry(&'a [Stmt]),
    FinallyEnd,
    With,
    AsyncWith,
    HandlerCleanup(Option<NameId>),
    PopValue,
    ExceptionHandler,
    ExceptionGroupHandler,
    AsyncComprehensionGenerator,
    StopIteration,
}

/// `CO_MAXBLOCKS`
const MAX_BLOCKS: usize = 21;

/// A name's state in a unit where inlined comprehensions borrow fast locals (`u_fasthidden`).
#[derive(Default)]
pub(super) struct FastHidden {
    names: Vec<(NameId, bool)>,
}

impl FastHidden {
    pub(super) fn is_on(&self, name: NameId) -> bool {
        self.names.iter().any(|&(n, on)| n == name && on)
    }
    pub(super) fn set(&mut self, name: NameId, on: bool) {
        match self.names.iter_mut().find(|(n, _)| *n == name) {
            Some(entry) => entry.1 = on,
            None => self.names.push((name, on)),
        }
    }
}

pub(super) struct Unit<'a> {
    pub block: BlockId,
    pub scope_type: ScopeType,
    name: NameId,
    pub qualname: String,
    pub private: Option<NameId>,
    pub firstlineno: i32,
    pub args: UnitArgs,
    pub consts: Constants,
    pub names: NameDict,
    pub varnames: NameDict,
    pub cellvars: NameDict,
    /// Indices start after the cells.
    freevars: NameDict,
    pub fast_hidden: FastHidden,
    pub seq: InstructionSequence,
    stashed_seq: Option<InstructionSequence>,
    fblocks: Vec<FBlock<'a>>,
    pub in_inlined_comp: u32,
    pub in_conditional_block: u32,
    /// Annotated names whose annotations wait for `__annotate__`, each with its number if conditional.
    pub deferred_annotations: Vec<(&'a ast::StmtAnnAssign, Option<i64>)>,
    pub next_conditional_annotation: i64,
    /// Attributes that methods set on their first argument.
    pub static_attributes: BTreeSet<Wtf8>,
}

impl Unit<'_> {
    pub(super) fn freevar(&self, name: NameId) -> Option<i32> {
        self.freevars
            .index_of(name)
            .map(|i| i + self.cellvars.len() as i32)
    }
    pub(super) fn add_freevar(&mut self, name: NameId) -> i32 {
        self.freevars.add(name) + self.cellvars.len() as i32
    }
}

impl<'a> Compiler<'a> {
    /// `codegen_enter_scope`
    pub(super) fn enter_scope(
        &mut self,
        name: NameId,
        scope_type: ScopeType,
        block: BlockId,
        lineno: i32,
        private: Option<NameId>,
        args: UnitArgs,
    ) {
        let entry = &self.table[block];
        let mut varnames = NameDict::default();
        for &name in &entry.varnames {
            varnames.add(name);
        }
        let mut cellvars = self.names_by_scope(entry, Scope::Cell, def::COMP_CELL);
        for (needed, name) in [
            (entry.needs_class_closure, known::DUNDER_CLASS),
            (entry.needs_classdict, known::DUNDER_CLASSDICT),
            (
                entry.has_conditional_annotations,
                known::DUNDER_CONDITIONAL_ANNOTATIONS,
            ),
        ] {
            if needed {
                cellvars.add(name);
            }
        }
        let freevars = self.names_by_scope(entry, Scope::Free, def::FREE_CLASS);
        let private = private.or_else(|| self.units.last().and_then(|u| u.private));
        let unit = Unit {
            block,
            scope_type,
            name,
            qualname: String::new(),
            private,
            firstlineno: lineno,
            args,
            consts: Constants::new(),
            names: NameDict::default(),
            varnames,
            cellvars,
            freevars,
            fast_hidden: FastHidden::default(),
            seq: self.workspace.sequence(),
            stashed_seq: None,
            fblocks: Vec::new(),
            in_inlined_comp: 0,
            in_conditional_block: 0,
            deferred_annotations: Vec::new(),
            next_conditional_annotation: 0,
            static_attributes: BTreeSet::new(),
        };
        self.units.push(unit);
        let qualname = self.qualified_name();
        self.unit_mut().qualname = qualname;
        let is_module = scope_type == ScopeType::Module;
        let loc = Location {
            lineno: if is_module { 0 } else { lineno },
            end_lineno: lineno,
            col_offset: 0,
            end_col_offset: 0,
        };
        self.op_i(Opcode::RESUME, resume::AT_FUNC_START, loc);
        if is_module {
            self.op(Opcode::ANNOTATIONS_PLACEHOLDER, loc);
        }
    }

    /// Names of a scope or with a flag, sorted (`dictbytype`).
    fn names_by_scope(&self, entry: &Block, scope: Scope, flag: u16) -> NameDict {
        let mut found: Vec<NameId> = entry
            .symbols
            .iter()
            .filter(|(_, s)| s.scope == scope || s.has(flag))
            .map(|(name, _)| name)
            .collect();
        found.sort_by(|&a, &b| self.names.get(a).cmp(self.names.get(b)));
        let mut dict = NameDict::default();
        for name in found {
            dict.add(name);
        }
        dict
    }

    /// `compiler_set_qualname`
    fn qualified_name(&mut self) -> String {
        let unit = self.unit();
        let name = self.names.get(unit.name).to_string();
        let depth = self.units.len() - 1;
        // The module itself, and what stands directly in it.
        if depth < 2 {
            return name;
        }
        let mut parent = depth - 1;
        if self.units[parent].scope_type == ScopeType::Annotations {
            // A generic's own scope does not count.
            if depth == 2 {
                return name;
            }
            parent -= 1;
        }
        let unit_name = unit.name;
        if matches!(
            unit.scope_type,
            ScopeType::Function | ScopeType::AsyncFunction | ScopeType::Class
        ) {
            let mangled = self.names.mangle(self.units[parent].private, unit_name);
            if self.table[self.units[parent].block].scope(mangled) == Scope::GlobalExplicit {
                return name;
            }
        }
        let parent = &self.units[parent];
        let locals = match parent.scope_type {
            ScopeType::Function | ScopeType::AsyncFunction | ScopeType::Lambda => ".<locals>",
            _ => "",
        };
        format!("{}{locals}.{name}", parent.qualname)
    }

    /// Ends the unit with a return, optimises and packs it (`_PyCompile_OptimizeAndAssemble` and
    /// `_PyCompile_ExitScope`).
    pub(super) fn finish_unit(&mut self, add_none: bool) -> Result<CodeSpec> {
        if add_none {
            self.load_const(Constant::None, NO_LOCATION);
        }
        self.op(Opcode::RETURN_VALUE, NO_LOCATION);
        let flags = self.code_flags();
        let names = &self.names;
        let Some(unit) = self.units.pop() else {
            return Err(super::CompileError::system("no unit to finish"));
        };
        let code = CodeUnit {
            name: names.wtf8(unit.name),
            qualname: Wtf8::from(&*unit.qualname),
            filename: self.filename.clone(),
            flags,
            firstlineno: unit.firstlineno,
            argcount: unit.args.args + unit.args.posonly,
            posonlyargcount: unit.args.posonly,
            kwonlyargcount: unit.args.kwonly,
            consts: unit.consts,
            names: unit.names.to_wtf8(names),
            varnames: unit.varnames.to_wtf8(names),
            cellvars: unit.cellvars.to_wtf8(names),
            freevars: unit.freevars.to_wtf8(names),
            fast_hidden: (unit.fast_hidden.names.iter())
                .map(|&(n, _)| names.wtf8(n))
                .collect(),
            seq: unit.seq,
        };
        optimize_and_assemble(code, &mut self.workspace)
    }

    /// `compute_code_flags`
    fn code_flags(&self) -> u32 {
        let block = self.block();
        let mut flags = 0;
        if block.is_function_like() {
            flags |= code_flags::NEWLOCALS | code_flags::OPTIMIZED;
            for (on, flag) in [
                (block.nested, code_flags::NESTED),
                (block.generator && !block.coroutine, code_flags::GENERATOR),
                (
                    block.generator && block.coroutine,
                    code_flags::ASYNC_GENERATOR,
                ),
                (block.varargs, code_flags::VARARGS),
                (block.varkeywords, code_flags::VARKEYWORDS),
                (block.has_docstring, code_flags::HAS_DOCSTRING),
                (block.method, code_flags::METHOD),
            ] {
                if on {
                    flags |= flag;
                }
            }
        }
        if block.coroutine && !block.generator {
            flags |= code_flags::COROUTINE;
        }
        if self.future.annotations {
            flags |= FUTURE_ANNOTATIONS;
        }
        flags
    }

    /// `_PyCompile_PushFBlock`
    pub(super) fn push_fblock(
        &mut self,
        kind: FBlockKind<'a>,
        block: Option<Label>,
        exit: Option<Label>,
        loc: Location,
    ) -> Result {
        if self.unit().fblocks.len() >= MAX_BLOCKS {
            return self.error("too many statically nested blocks", loc);
        }
        self.unit_mut().fblocks.push(FBlock {
            kind,
            block,
            exit,
            loc,
        });
        Ok(())
    }
    pub(super) fn pop_fblock(&mut self) {
        self.unit_mut().fblocks.pop();
    }
    pub(super) fn top_fblock(&self) -> Option<FBlock<'a>> {
        self.unit().fblocks.last().copied()
    }
    /// Puts back a block that unwinding had taken off.
    pub(super) fn restore_fblock(&mut self, fblock: FBlock<'a>) {
        self.unit_mut().fblocks.push(fblock);
    }

    /// `_PyCompile_StartAnnotationSetup`: what follows runs where the module's placeholder stands.
    pub(super) fn start_annotation_setup(&mut self) {
        let unit = self.unit_mut();
        unit.stashed_seq = Some(std::mem::take(&mut unit.seq));
    }
    pub(super) fn end_annotation_setup(&mut self) {
        let unit = self.unit_mut();
        if let Some(parent) = unit.stashed_seq.take() {
            let annotations = std::mem::replace(&mut unit.seq, parent);
            unit.seq.set_annotations_code(annotations);
        }
    }
}

/// `CO_FUTURE_ANNOTATIONS`
const FUTURE_ANNOTATIONS: u32 = 0x100_0000;
