//! What CPython's tree says and ruff's leaves to be worked out: places, docstrings, constants.

use super::error::{CompileError, ErrorKind};
use super::instr::Location;
use super::source::Source;
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};

/// The string that opens a body, if one does (`_PyAST_GetDocString`).
pub(super) fn docstring(body: &[Stmt]) -> Option<&ast::ExprStringLiteral> {
    match body.first()? {
        Stmt::Expr(s) => s.value.as_string_literal_expr(),
        _ => None,
    }
}

/// A definition's place starts at `def` or `class`, not at a decorator.
pub(super) fn def_location(
    source: &Source,
    name: TextRange,
    whole: TextRange,
    is_async: bool,
) -> Location {
    let mut before = word_before(source.text(), name.start());
    if is_async {
        before = word_before(source.text(), before);
    }
    let start = before.max(whole.start());
    block_location(source, TextRange::new(start, whole.end()))
}

/// A compound statement ends after the semicolon that may follow its last statement.
pub(super) fn block_location(source: &Source, range: TextRange) -> Location {
    let after = &source.text()[range.end().to_usize()..];
    let blanks = after.len() - after.trim_start_matches([' ', '\t', '\x0C']).len();
    let end = match after.as_bytes().get(blanks) {
        Some(b';') => range.end() + TextSize::new(blanks as u32 + 1),
        _ => range.end(),
    };
    source.location(TextRange::new(range.start(), end))
}

/// Start of the word that ends before `at`, over blanks and line continuations.
fn word_before(text: &str, at: TextSize) -> TextSize {
    let head = text[..at.to_usize()].trim_end_matches([' ', '\t', '\x0C', '\\', '\n']);
    let word = head
        .rfind(|c: char| !c.is_ascii_alphabetic())
        .map_or(0, |i| i + 1);
    TextSize::new(word as u32)
}

/// A generator expression that is a call's only argument takes the call's parentheses as its own.
pub(super) fn generator_range(source: &Source, e: &ast::ExprGenerator) -> TextRange {
    if e.parenthesized {
        return e.range;
    }
    let text = source.text();
    let start = text[..e.range.start().to_usize()]
        .rfind('(')
        .unwrap_or(e.range.start().to_usize());
    let end = closing_paren(text, e.range.end().to_usize());
    TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
}

/// Offset after the `)` that follows blanks, a comma and comments at `at`.
fn closing_paren(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut i = at;
    while i < bytes.len() {
        match bytes[i] {
            b')' => return i + 1,
            b'#' => i += memchr::memchr(b'\n', &bytes[i..]).unwrap_or(bytes.len() - i),
            _ => i += 1,
        }
    }
    at
}

pub(super) fn is_future_import(s: &ast::StmtImportFrom) -> bool {
    s.level == 0 && s.module.as_deref() == Some("__future__")
}

/// What the module's `from __future__` imports ask for (`_PyFutureFeatures`).
#[derive(Default)]
pub(super) struct Future {
    pub annotations: bool,
    /// End of the last import that stands where such imports may.
    pub end: TextSize,
}

impl Future {
    /// `_PyFuture_FromAST`
    pub(super) fn scan(source: &Source, body: &[Stmt]) -> Result<Future, CompileError> {
        let mut future = Future::default();
        let skip = usize::from(docstring(body).is_some());
        for stmt in &body[skip..] {
            let Stmt::ImportFrom(import) = stmt else {
                break;
            };
            if !is_future_import(import) {
                break;
            }
            for alias in &import.names {
                let message = match alias.name.as_str() {
                    "nested_scopes" | "generators" | "division" | "absolute_import"
                    | "with_statement" | "print_function" | "unicode_literals"
                    | "barry_as_FLUFL" | "generator_stop" => continue,
                    "annotations" => {
                        future.annotations = true;
                        continue;
                    }
                    "braces" => "not a chance".to_string(),
                    name => format!("future feature {name} is not defined"),
                };
                let loc = source.location_of(alias);
                return Err(CompileError::new(ErrorKind::Syntax, message, loc));
            }
            future.end = import.end();
        }
        Ok(future)
    }
}

/// A `Constant` node of CPython's tree after preprocessing.
pub(super) fn is_constant(e: &Expr) -> bool {
    match e {
        Expr::Name(name) => name.id == "__debug__" && name.ctx == ast::ExprContext::Load,
        _ => e.is_literal_expr(),
    }
}

/// The conversion of an interpolated value; `{x=}` alone shows the repr.
pub(super) fn shown_conversion(value: &ast::InterpolatedElement) -> ast::ConversionFlag {
    match value.conversion {
        ast::ConversionFlag::None if value.debug_text.is_some() && value.format_spec.is_none() => {
            ast::ConversionFlag::Repr
        }
        flag => flag,
    }
}

/// What a message calls an expression (`_PyPegen_get_expr_name`).
pub(super) fn expr_name(e: &Expr) -> &'static str {
    match e {
        Expr::Attribute(_) => "attribute",
        Expr::Subscript(_) => "subscript",
        Expr::Starred(_) => "starred",
        Expr::Name(_) => "name",
        Expr::List(_) => "list",
        Expr::Tuple(_) => "tuple",
        Expr::Lambda(_) => "lambda",
        Expr::Call(_) => "function call",
        Expr::BoolOp(_) | Expr::BinOp(_) | Expr::UnaryOp(_) => "expression",
        Expr::Generator(_) => "generator expression",
        Expr::Yield(_) | Expr::YieldFrom(_) => "yield expression",
        Expr::Await(_) => "await expression",
        Expr::ListComp(_) => "list comprehension",
        Expr::SetComp(_) => "set comprehension",
        Expr::DictComp(_) => "dict comprehension",
        Expr::Dict(_) => "dict literal",
        Expr::Set(_) => "set display",
        Expr::FString(_) => "f-string expression",
        Expr::TString(_) => "t-string expression",
        Expr::NoneLiteral(_) => "None",
        Expr::BooleanLiteral(b) if b.value => "True",
        Expr::BooleanLiteral(_) => "False",
        Expr::EllipsisLiteral(_) => "ellipsis",
        Expr::Compare(_) => "comparison",
        Expr::If(_) => "conditional expression",
        Expr::Named(_) => "named expression",
        _ => "literal",
    }
}
