//! From source to tree: ruff's parser, its errors in CPython's words, and the tree's safe end.

use super::Mode;
use super::error::{CompileError, ErrorKind};
use super::source::Source;
use super::symtable_visit::Root;
use ruff_python_ast::token::{TokenKind, Tokens};
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
        if self.depth < 64 {
            drop(parsed);
        } else {
            stacker::grow(self.depth * DROP_FRAME, || drop(parsed));
        }
    }
}

pub(super) fn parse(source: &Source, mode: Mode) -> Result<Tree, CompileError> {
    let parser_mode = match mode {
        Mode::Exec | Mode::Single => ruff_python_parser::Mode::Module,
        Mode::Eval => ruff_python_parser::Mode::Expression,
    };
    let options = ParseOptions::from(parser_mode).with_target_version(PythonVersion::PY314);
    let parsed = parse_unchecked(source.text(), options);
    let tree = Tree {
        depth: nesting(parsed.tokens()),
        parsed: Some(parsed),
    };
    if let Some(parsed) = &tree.parsed {
        if let Some(error) = parsed.errors().first() {
            return Err(CompileError::new(
                ErrorKind::Syntax,
                format!("invalid syntax ({error})"),
                source.location(error.location),
            ));
        }
    }
    Ok(tree)
}

/// An upper bound of how deep the tree nests: operators chain to the left or the right until a separator.
fn nesting(tokens: &Tokens) -> usize {
    let mut open = Vec::new();
    let (mut base, mut depth, mut deepest) = (0usize, 0usize, 0);
    for token in tokens.iter() {
        match token.kind() {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                open.push((base, depth));
                base = depth + 1;
                depth = base;
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                if let Some((outer_base, outer_depth)) = open.pop() {
                    base = outer_base;
                    depth = outer_depth + 1;
                }
            }
            TokenKind::Comma => depth = base,
            TokenKind::Indent => {
                base += 1;
                depth = base;
            }
            TokenKind::Dedent => {
                base = base.saturating_sub(1);
                depth = base;
            }
            TokenKind::Newline => depth = base,
            _ => depth += 1,
        }
        deepest = deepest.max(depth);
    }
    deepest
}
