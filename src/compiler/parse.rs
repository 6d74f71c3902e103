//! From source to tree: ruff's parser, its errors in CPython's words, and the tree's safe end.

use super::error::{CompileError, ErrorKind};
use super::instr::Location;
use super::source::Source;
use super::symtable_visit::Root;
use super::warnings::{Warnings, warn_early};
use super::{Mode, diagnose, tokens};
use crate::object::native_stack;
use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{Mod, PythonVersion};
use ruff_python_parser::{ParseOptions, Parsed, parse_unchecked};

/// A parsed module. Its nodes nest as deep as the source does, so it is dropped on a stack that holds them.
pub(super) struct Tree {
    parsed: Option<Parsed<Mod>>,
    depth: usize,
}

/// Native stack that dropping one level of nesting takes at most.
const DROP_FRAME: usize = 1024;

impl Tree {
    pub(super) fn root(&self, mode: Mode) -> Root<'_> {
        match self.parsed.as_ref().map(Parsed::syntax) {
            Some(Mod::Module(module)) if mode == Mode::Single => Root::Interactive(&module.body),
            Some(Mod::Module(module)) => Root::Module(&module.body),
            Some(Mod::Expression(e)) => Root::Expression(&e.body),
            None => Root::Module(&[]),
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let parsed = self.parsed.take();
        let stack = (self.depth + 64) * DROP_FRAME;
        native_stack::grown(stack, stack, || drop(parsed));
    }
}

pub(super) fn parse(
    source: &Source,
    mode: Mode,
    warnings: &mut Warnings,
) -> Result<Tree, CompileError> {
    let parser_mode = match mode {
        Mode::Exec | Mode::Single => ruff_python_parser::Mode::Module,
        Mode::Eval => ruff_python_parser::Mode::Expression,
    };
    let options = ParseOptions::from(parser_mode).with_target_version(PythonVersion::PY314);
    let parsed = parse_unchecked(source.text(), options);
    let nesting = Nesting::of(parsed.tokens());
    let tree = Tree {
        depth: nesting.depth,
        parsed: Some(parsed),
    };
    let Some(parsed) = &tree.parsed else {
        return Ok(tree);
    };
    warn_early(source, parsed, warnings)?;
    if parsed.has_invalid_syntax() {
        return Err(super::grown(|| diagnose::diagnose(source, parsed)));
    }
    // ruff knows none of these limits.
    if nesting.prefixes > MAX_PREFIXES {
        let message = "Parser stack overflowed - Python source too complex to parse";
        let loc = Location::NO_LOCATION;
        return Err(CompileError::new(ErrorKind::Memory, message, loc));
    }
    if (nesting.brackets > 200 || nesting.indents >= 100)
        && let Some(error) = tokens::lex(source).error
    {
        return Err(error);
    }
    let several = || match mode {
        Mode::Single => diagnose::several_statements(source, parsed),
        _ => None,
    };
    match diagnose::unsupported(source, parsed).or_else(several) {
        Some(error) => Err(error),
        None => Ok(tree),
    }
}

/// How far operators that nest to the right may chain: about where CPython's parser gives up (`MAXSTACK`).
const MAX_PREFIXES: usize = 4000;

#[derive(Default)]
struct Nesting {
    /// An upper bound of how deep the tree nests.
    depth: usize,
    brackets: usize,
    indents: usize,
    /// The longest run of operators that nest to the right, weighed by CPython's rules for each.
    prefixes: usize,
}

/// Tokens of a logical line that cannot reach any limit and are only counted.
const FEW: usize = 150;

impl Nesting {
    fn of(tokens: &[Token]) -> Nesting {
        let mut deepest = Nesting::default();
        let mut indents = 0usize;
        let mut rest = 0;
        for (i, token) in tokens.iter().enumerate() {
            match token.kind() {
                TokenKind::Indent => {
                    indents += 1;
                    deepest.indents = deepest.indents.max(indents);
                }
                TokenKind::Dedent => indents = indents.saturating_sub(1),
                TokenKind::Newline => {
                    deepest.add_line(&tokens[rest..i], indents);
                    rest = i;
                }
                _ => {}
            }
        }
        deepest.add_line(&tokens[rest..], indents);
        deepest
    }

    /// Operators chain to the left or the right until a separator.
    fn add_line(&mut self, tokens: &[Token], indents: usize) {
        if tokens.len() <= FEW {
            self.depth = self.depth.max(indents + tokens.len());
            return;
        }
        let mut open = Vec::new();
        let (mut base, mut depth) = (indents, indents);
        let mut prefixes = 0;
        let mut after_operand = false;
        for token in tokens {
            let kind = token.kind();
            match kind {
                TokenKind::Minus | TokenKind::Plus | TokenKind::Tilde if !after_operand => {
                    prefixes += 1;
                }
                TokenKind::Not | TokenKind::Else => prefixes += 1,
                TokenKind::Lambda | TokenKind::DoubleStar => prefixes += 2,
                TokenKind::Comma => prefixes = 0,
                _ => {}
            }
            self.prefixes = self.prefixes.max(prefixes);
            after_operand = !(kind.is_operator() || kind.is_keyword())
                || matches!(kind, TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace);
            match kind {
                TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                    open.push((base, depth));
                    base = depth + 1;
                    depth = base;
                    self.brackets = self.brackets.max(open.len());
                }
                TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                    if let Some((outer_base, outer_depth)) = open.pop() {
                        base = outer_base;
                        depth = outer_depth + 1;
                    }
                }
                TokenKind::Comma => depth = base,
                _ => depth += 1,
            }
            self.depth = self.depth.max(depth);
        }
    }
}
