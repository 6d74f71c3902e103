//! Source text to code objects, with CPython 3.14's own passes in its order.
//!
//! `source` and `parse` make a tree, `symtable` says what its names mean, `codegen` emits instructions, and
//! `assemble` optimises and packs them.

pub mod assemble;
pub mod cfg;
mod codegen;
mod diagnose;
pub mod error;
pub mod instr;
mod literals;
mod names;
pub mod opt;
mod parse;
mod source;
mod symtable;
mod symtable_analyze;
mod symtable_visit;
mod tokens;
mod tree;
mod unparse;
mod warnings;

use crate::bytecode::spec::CodeSpec;
use crate::object::native_stack;
pub use error::{CompileError, ErrorKind, SyntaxError};
use instr::Location;
use source::Source;
use std::rc::Rc;
use symtable_visit::Root;
use tree::Future;
use warnings::Warnings;
pub use warnings::{Warning, WarningAction};

/// The start symbol (`compile`'s third argument).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Exec,
    Eval,
    Single,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// 0; 1 drops `assert` and makes `__debug__` false (`-O`); 2 drops docstrings too (`-OO`).
    pub optimize: u8,
    pub warnings: WarningAction,
}

/// Native stack that a recursive walk keeps in reserve, and the size of the segments it grows by. Nesting in
/// the source is thereby bounded by memory, not by the thread that compiles.
const STACK_RED_ZONE: usize = 128 * 1024;
const STACK_SEGMENT: usize = 4 * 1024 * 1024;

/// Calls `f` with stack to spare.
fn grown<R>(f: impl FnOnce() -> R) -> R {
    native_stack::grown(STACK_RED_ZONE, STACK_SEGMENT, f)
}

/// Compiles one module, expression or interactive statement.
pub fn compile(
    source: &[u8],
    filename: &str,
    mode: Mode,
    options: Options,
) -> Result<Rc<CodeSpec>, SyntaxError> {
    compile_with_warnings(source, filename, mode, options).0
}

/// `compile`, and the warnings up to its end; `options` says whether there are any.
pub fn compile_with_warnings(
    source: &[u8],
    filename: &str,
    mode: Mode,
    options: Options,
) -> (Result<Rc<CodeSpec>, SyntaxError>, Vec<Warning>) {
    let mut warnings = Warnings::new(options.warnings);
    let result = compile_bytes(source, filename, mode, options, &mut warnings);
    (result, warnings.list)
}

fn compile_bytes(
    bytes: &[u8],
    filename: &str,
    mode: Mode,
    options: Options,
    warnings: &mut Warnings,
) -> Result<Rc<CodeSpec>, SyntaxError> {
    let source = Source::new(bytes).map_err(|e| {
        let line = usize::try_from(e.loc.lineno - 1).ok();
        let text = line.and_then(|n| bytes.split(|&b| b == b'\n').nth(n));
        SyntaxError::new(e, filename, text.map(String::from_utf8_lossy).as_deref())
    })?;
    let fail = |error: CompileError, parsed| {
        let text = source.line(error.loc.lineno);
        let mut error = SyntaxError::new(error, filename, text);
        error.parsed = parsed;
        error
    };
    let tree = parse::parse(&source, mode, warnings).map_err(|mut error| {
        if mode == Mode::Eval {
            error.loc = place_in_expression(&source, &error);
        }
        fail(error, false)
    })?;
    compile_tree(&source, &tree, filename, mode, options, warnings).map_err(|e| fail(e, true))
}

/// An expression's text gets no newline, so that a mistake behind its end has no column.
fn place_in_expression(source: &Source, error: &CompileError) -> Location {
    let mut loc = error.loc;
    if source.text().is_empty() {
        (loc.lineno, loc.end_lineno) = (0, 0);
        (loc.col_offset, loc.end_col_offset) = (-1, -1);
        return loc;
    }
    let rest = source.line(loc.lineno + 1);
    let width = source.line(loc.lineno).map(|text| text.chars().count());
    if error.message == "invalid syntax"
        && rest.is_none_or(str::is_empty)
        && !source.text().ends_with('\n')
        && width.is_some_and(|width| width as i32 == loc.col_offset)
    {
        (loc.col_offset, loc.end_col_offset) = (-1, -1);
    }
    loc
}

fn compile_tree(
    source: &Source,
    tree: &parse::Tree,
    filename: &str,
    mode: Mode,
    options: Options,
    warnings: &mut Warnings,
) -> Result<Rc<CodeSpec>, CompileError> {
    let root = tree.root(mode);
    let future = match &root {
        Root::Module(body) | Root::Interactive(body) => Future::scan(source, body)?,
        Root::Expression(_) => Future::default(),
    };
    let (mut table, names) =
        symtable_visit::Builder::build(source, &future, options.optimize, &root)?;
    symtable_analyze::analyze(&mut table, &names)?;
    let compiler =
        codegen::Compiler::new(source, filename, &future, options, table, names, warnings);
    compiler.generate(&root)
}
