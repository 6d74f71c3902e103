//! Code generation: the tree to instructions, unit by unit (CPython's `codegen.c` and the state in `compile.c`).

mod annotations;
mod calls;
mod checks;
mod classes;
mod comprehensions;
mod conditions;
mod displays;
mod expressions;
mod functions;
mod loops;
mod names;
mod patterns;
mod statements;
mod strings;
mod tries;
mod unit;
mod withs;

use super::assemble::Workspace;
use super::error::{CompileError, ErrorKind};
use super::instr::{Label, Location, NO_LOCATION};
use super::names::{Interner, NameId};
use super::source::Source;
use super::symtable::{Block, BlockKey, SymbolTable};
use super::symtable_visit::Root;
use super::tree::Future;
use super::warnings::Warnings;
use super::{Options, literals};
use crate::bytecode::Opcode;
use crate::bytecode::spec::{CodeSpec, Constant};
use ruff_python_ast::Stmt;
use ruff_text_size::Ranged;
use std::rc::Rc;
use unit::{ScopeType, Unit, UnitArgs};

type Result<T = ()> = std::result::Result<T, CompileError>;

/// `_PY_STACK_USE_GUIDELINE`: displays and calls with more items than this build their container stepwise.
const STACK_USE_GUIDELINE: usize = 30;

/// Operands of `RESUME`.
mod resume {
    pub const AT_FUNC_START: i32 = 0;
    pub const AFTER_YIELD: i32 = 1;
    pub const AFTER_YIELD_FROM: i32 = 2;
    pub const AFTER_AWAIT: i32 = 3;
}
/// Operands of `CALL_INTRINSIC_1` and `CALL_INTRINSIC_2`.
mod intrinsic {
    pub const PRINT: i32 = 1;
    pub const IMPORT_STAR: i32 = 2;
    pub const STOPITERATION_ERROR: i32 = 3;
    pub const ASYNC_GEN_WRAP: i32 = 4;
    pub const UNARY_POSITIVE: i32 = 5;
    pub const LIST_TO_TUPLE: i32 = 6;
    pub const TYPEVAR: i32 = 7;
    pub const PARAMSPEC: i32 = 8;
    pub const TYPEVARTUPLE: i32 = 9;
    pub const SUBSCRIPT_GENERIC: i32 = 10;
    pub const TYPEALIAS: i32 = 11;

    pub const PREP_RERAISE_STAR: i32 = 1;
    pub const TYPEVAR_WITH_BOUND: i32 = 2;
    pub const TYPEVAR_WITH_CONSTRAINTS: i32 = 3;
    pub const SET_FUNCTION_TYPE_PARAMS: i32 = 4;
    pub const SET_TYPEPARAM_DEFAULT: i32 = 5;
}
/// Operands of `LOAD_COMMON_CONSTANT`.
mod common_constant {
    pub const ASSERTION_ERROR: i32 = 0;
    pub const NOT_IMPLEMENTED_ERROR: i32 = 1;
    pub const BUILTIN_TUPLE: i32 = 2;
    pub const BUILTIN_ALL: i32 = 3;
    pub const BUILTIN_ANY: i32 = 4;
}
/// Operands of `SET_FUNCTION_ATTRIBUTE` (`MAKE_FUNCTION_*`).
mod func_attr {
    pub const DEFAULTS: i32 = 1;
    pub const KWDEFAULTS: i32 = 2;
    pub const CLOSURE: i32 = 8;
    pub const ANNOTATE: i32 = 16;
}

pub(super) struct Compiler<'a> {
    source: &'a Source,
    filename: Rc<str>,
    future: &'a Future,
    options: Options,
    interactive: bool,
    table: SymbolTable,
    names: Interner,
    warnings: &'a mut Warnings,
    workspace: Workspace,
    /// The unit being compiled is the last; its enclosing ones precede it.
    units: Vec<Unit<'a>>,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(
        source: &'a Source,
        filename: &str,
        future: &'a Future,
        options: Options,
        table: SymbolTable,
        names: Interner,
        warnings: &'a mut Warnings,
    ) -> Compiler<'a> {
        Compiler {
            source,
            filename: filename.into(),
            future,
            options,
            interactive: false,
            table,
            names,
            warnings,
            workspace: Workspace::default(),
            units: Vec::new(),
        }
    }

    /// Compiles a whole tree (`_PyAST_Compile`).
    pub(super) fn generate(mut self, root: &Root<'a>) -> Result<Rc<CodeSpec>> {
        self.interactive = matches!(root, Root::Interactive(_));
        self.enter_scope(
            super::names::known::ANON_MODULE,
            ScopeType::Module,
            SymbolTable::TOP,
            1,
            None,
            UnitArgs::default(),
        );
        match root {
            Root::Module(body) => self.module(body, false)?,
            Root::Interactive(body) => self.module(body, true)?,
            Root::Expression(expr) => self.expr(expr)?,
        }
        self.finish_unit(!matches!(root, Root::Expression(_)))
            .map(Rc::new)
    }

    fn unit(&self) -> &Unit<'a> {
        &self.units[self.units.len() - 1]
    }
    fn unit_mut(&mut self) -> &mut Unit<'a> {
        let last = self.units.len() - 1;
        &mut self.units[last]
    }
    fn block(&self) -> &Block {
        &self.table[self.unit().block]
    }
    fn lookup(&self, node: usize, key: BlockKey) -> Result<super::symtable::BlockId> {
        self.table
            .lookup(node, key)
            .ok_or_else(|| CompileError::system("unknown symbol table entry"))
    }
    fn loc(&self, node: &impl Ranged) -> Location {
        self.source.location_of(node)
    }
    fn error<T>(&self, message: impl Into<String>, loc: Location) -> Result<T> {
        Err(CompileError::new(ErrorKind::Syntax, message, loc))
    }

    fn op(&mut self, op: Opcode, loc: Location) {
        self.unit_mut().seq.addop_noarg(op, loc);
    }
    fn op_i(&mut self, op: Opcode, oparg: i32, loc: Location) {
        self.unit_mut().seq.addop(op, oparg, loc);
    }
    fn op_len(&mut self, op: Opcode, oparg: usize, loc: Location) {
        self.op_i(op, oparg as i32, loc);
    }
    fn jump(&mut self, op: Opcode, target: Label, loc: Location) {
        self.unit_mut().seq.addop_jump(op, target, loc);
    }
    fn new_label(&mut self) -> Label {
        self.unit_mut().seq.new_label()
    }
    fn use_label(&mut self, label: Label) {
        self.unit_mut().seq.use_label(label);
    }
    fn load_const(&mut self, value: Constant, loc: Location) {
        let index = self.unit_mut().consts.add(value);
        self.op_i(Opcode::LOAD_CONST, index, loc);
    }
    fn load_int(&mut self, value: i64, loc: Location) {
        self.load_const(Constant::Int(value), loc);
    }
    fn load_name_const(&mut self, name: NameId, loc: Location) {
        let text = self.names.wtf8(name);
        self.load_const(Constant::Str(text), loc);
    }

    /// `_PyCodegen_Module`
    fn module(&mut self, body: &'a [Stmt], interactive: bool) -> Result {
        let loc = match body.first() {
            Some(stmt) => self.stmt_location(stmt),
            None => Location {
                lineno: 1,
                end_lineno: 1,
                col_offset: 0,
                end_col_offset: 0,
            },
        };
        if self.block().has_conditional_annotations {
            self.op_i(Opcode::BUILD_SET, 0, loc);
            let name = super::names::known::DUNDER_CONDITIONAL_ANNOTATIONS;
            let index = self.unit_mut().names.add(name);
            self.op_i(Opcode::STORE_NAME, index, loc);
        }
        self.body(loc, body, interactive)
    }

    /// A module's or class's statements (`codegen_body`).
    fn body(&mut self, loc: Location, body: &'a [Stmt], interactive: bool) -> Result {
        if self.future.annotations && self.block().annotations_used {
            self.op(Opcode::SETUP_ANNOTATIONS, loc);
        }
        if body.is_empty() {
            return Ok(());
        }
        let mut rest = body;
        if !interactive && self.block().has_docstring {
            rest = &body[1..];
            if let Some(text) = super::tree::docstring(body) {
                let doc_loc = self.loc(text);
                let doc = literals::clean_doc(&literals::string(self.source, &text.value)?);
                self.load_const(Constant::Str(doc), doc_loc);
                self.name_op(
                    super::names::known::DUNDER_DOC,
                    names::Ctx::Store,
                    NO_LOCATION,
                )?;
            }
        }
        self.stmts_without_docstring(rest, body.len() == rest.len() && !interactive)?;
        if !self.future.annotations {
            self.process_deferred_annotations(loc)?;
        }
        Ok(())
    }

    /// Statements of a body; `-OO` drops the docstring that `fresh` bodies may still start with.
    fn stmts_without_docstring(&mut self, body: &'a [Stmt], fresh: bool) -> Result {
        let mut body = body;
        if fresh && self.options.optimize >= 2 && super::tree::docstring(body).is_some() {
            if let [only] = body {
                let mut loc = self.stmt_location(only);
                loc.end_lineno = loc.lineno;
                loc.end_col_offset = loc.col_offset + "pass".len() as i32;
                self.op(Opcode::NOP, loc);
            }
            body = &body[1..];
        }
        self.stmts(body)
    }
}
