//! Expressions back to text, as `from __future__ import annotations` keeps annotations (`ast_unparse.c`).

use super::error::CompileError;
use super::source::Source;
use super::{literals, tree};
use crate::bytecode::repr::repr;
use crate::bytecode::spec::Constant;
use ruff_python_ast::{
    self as ast, BoolOp, Expr, FStringPart, InterpolatedStringElement, Operator, UnaryOp,
};
use ruff_text_size::Ranged;

type Result<T = ()> = std::result::Result<T, CompileError>;

/// What binds tighter comes later (`PR_*`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Tuple,
    Test,
    Or,
    And,
    Not,
    Cmp,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Arith,
    Term,
    Factor,
    Power,
    Await,
    Atom,
}
use Level::*;

impl Level {
    fn next(self) -> Level {
        const ALL: [Level; 16] = [
            Tuple, Test, Or, And, Not, Cmp, BitOr, BitXor, BitAnd, Shift, Arith, Term, Factor,
            Power, Await, Atom,
        ];
        ALL[(self as usize + 1).min(ALL.len() - 1)]
    }
}

/// `_PyAST_ExprAsUnicode`
pub(super) fn expr_text(source: &Source, e: &Expr) -> Result<Vec<u8>> {
    let mut out = Unparser {
        source,
        out: Vec::new(),
    };
    out.expr(e, Test)?;
    Ok(out.out)
}

struct Unparser<'s> {
    source: &'s Source,
    out: Vec<u8>,
}

impl Unparser<'_> {
    fn push(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }
    fn parens(&mut self, needed: bool, inner: impl FnOnce(&mut Self) -> Result) -> Result {
        if needed {
            self.push("(");
        }
        inner(self)?;
        if needed {
            self.push(")");
        }
        Ok(())
    }
    fn list(&mut self, elts: &[Expr]) -> Result {
        for (i, elt) in elts.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.expr(elt, Test)?;
        }
        Ok(())
    }

    fn expr(&mut self, e: &Expr, level: Level) -> Result {
        super::grown(|| self.expr_inner(e, level))
    }
    fn expr_inner(&mut self, e: &Expr, level: Level) -> Result {
        match e {
            Expr::BoolOp(e) => {
                let (word, own) = match e.op {
                    BoolOp::And => (" and ", And),
                    BoolOp::Or => (" or ", Or),
                };
                self.parens(level > own, |u| {
                    for (i, value) in e.values.iter().enumerate() {
                        if i > 0 {
                            u.push(word);
                        }
                        u.expr(value, own.next())?;
                    }
                    Ok(())
                })
            }
            Expr::BinOp(e) => self.bin_op(e, level),
            Expr::UnaryOp(e) => {
                let (sign, own) = match e.op {
                    UnaryOp::Invert => ("~", Factor),
                    UnaryOp::Not => ("not ", Not),
                    UnaryOp::UAdd => ("+", Factor),
                    UnaryOp::USub => ("-", Factor),
                };
                self.parens(level > own, |u| {
                    u.push(sign);
                    u.expr(&e.operand, own)
                })
            }
            Expr::Lambda(e) => self.parens(level > Test, |u| {
                u.push("lambda");
                if let Some(p) = &e.parameters
                    && !p.is_empty()
                {
                    u.push(" ");
                    u.parameters(p)?;
                }
                u.push(": ");
                u.expr(&e.body, Test)
            }),
            Expr::If(e) => self.parens(level > Test, |u| {
                u.expr(&e.body, Test.next())?;
                u.push(" if ");
                u.expr(&e.test, Test.next())?;
                u.push(" else ");
                u.expr(&e.orelse, Test)
            }),
            Expr::Dict(e) => {
                self.push("{");
                for (i, item) in e.items.iter().enumerate() {
                    if i > 0 {
                        self.push(", ");
                    }
                    match &item.key {
                        Some(key) => {
                            self.expr(key, Test)?;
                            self.push(": ");
                            self.expr(&item.value, Test)?;
                        }
                        None => {
                            self.push("**");
                            self.expr(&item.value, BitOr)?;
                        }
                    }
                }
                self.push("}");
                Ok(())
            }
            Expr::Set(e) => {
                self.push("{");
                self.list(&e.elts)?;
                self.push("}");
                Ok(())
            }
            Expr::ListComp(e) => self.comp("[", &e.elt, None, &e.generators, "]"),
            Expr::SetComp(e) => self.comp("{", &e.elt, None, &e.generators, "}"),
            Expr::Generator(e) => self.comp("(", &e.elt, None, &e.generators, ")"),
            Expr::DictComp(e) => {
                let key = e.key.as_deref().unwrap_or(&e.value);
                self.comp("{", key, Some(&e.value), &e.generators, "}")
            }
            Expr::Yield(e) => {
                self.push("(yield");
                if let Some(value) = &e.value {
                    self.push(" ");
                    self.expr(value, Tuple)?;
                }
                self.push(")");
                Ok(())
            }
            Expr::YieldFrom(e) => {
                self.push("(yield from ");
                self.expr(&e.value, Test)?;
                self.push(")");
                Ok(())
            }
            Expr::Await(e) => self.parens(level > Await, |u| {
                u.push("await ");
                u.expr(&e.value, Atom)
            }),
            Expr::Compare(e) => self.parens(level > Cmp, |u| {
                u.expr(&e.left, Cmp.next())?;
                for (op, comparator) in e.ops.iter().zip(&e.comparators) {
                    u.push(" ");
                    u.push(op.as_str());
                    u.push(" ");
                    u.expr(comparator, Cmp.next())?;
                }
                Ok(())
            }),
            Expr::Call(e) => self.call(e),
            Expr::FString(e) => self.joined(e),
            Expr::TString(e) => {
                let text = self.source.slice(e.range());
                self.out.extend_from_slice(text.as_bytes());
                Ok(())
            }
            Expr::Attribute(e) => {
                self.expr(&e.value, Atom)?;
                // `1 .real`: a dot after digits would be a decimal point.
                if matches!(&*e.value, Expr::NumberLiteral(n) if matches!(n.value, ast::Number::Int(_)))
                {
                    self.push(" ");
                }
                self.push(".");
                self.push(&e.attr);
                Ok(())
            }
            Expr::Subscript(e) => {
                self.expr(&e.value, Atom)?;
                self.push("[");
                self.expr(&e.slice, Tuple)?;
                self.push("]");
                Ok(())
            }
            Expr::Starred(e) => {
                self.push("*");
                self.expr(&e.value, BitOr)
            }
            Expr::Slice(e) => {
                if let Some(lower) = &e.lower {
                    self.expr(lower, Test)?;
                }
                self.push(":");
                if let Some(upper) = &e.upper {
                    self.expr(upper, Test)?;
                }
                if let Some(step) = &e.step {
                    self.push(":");
                    self.expr(step, Test)?;
                }
                Ok(())
            }
            Expr::Name(e) => {
                self.push(&e.id);
                Ok(())
            }
            Expr::List(e) => {
                self.push("[");
                self.list(&e.elts)?;
                self.push("]");
                Ok(())
            }
            Expr::Tuple(e) => {
                if e.elts.is_empty() {
                    self.push("()");
                    return Ok(());
                }
                self.parens(level > Tuple, |u| {
                    u.list(&e.elts)?;
                    if e.elts.len() == 1 {
                        u.push(",");
                    }
                    Ok(())
                })
            }
            Expr::Named(e) => {
                self.push("(");
                self.expr(&e.target, Atom)?;
                self.push(" := ");
                self.expr(&e.value, Atom)?;
                self.push(")");
                Ok(())
            }
            _ => self.constant(e),
        }
    }

    fn constant(&mut self, e: &Expr) -> Result {
        let value = match e {
            Expr::StringLiteral(e) => {
                if e.value.is_unicode() {
                    self.push("u");
                }
                Constant::Str(literals::string(self.source, &e.value)?)
            }
            Expr::BytesLiteral(e) => Constant::Bytes(literals::bytes(self.source, &e.value)?),
            Expr::NumberLiteral(e) => literals::number(self.source, e)?,
            Expr::EllipsisLiteral(_) => {
                self.push("...");
                return Ok(());
            }
            Expr::BooleanLiteral(e) if e.value => Constant::True,
            Expr::BooleanLiteral(_) => Constant::False,
            _ => Constant::None,
        };
        // An infinite literal reads back from a number too large.
        let text = repr(&value).replace("inf", "1e309");
        match value {
            Constant::Float(_) | Constant::Complex(..) => self.push(&text),
            _ => self.push(&repr(&value)),
        }
        Ok(())
    }

    fn bin_op(&mut self, e: &ast::ExprBinOp, level: Level) -> Result {
        let (own, right_assoc) = match e.op {
            Operator::Add | Operator::Sub => (Arith, false),
            Operator::Mult
            | Operator::MatMult
            | Operator::Div
            | Operator::Mod
            | Operator::FloorDiv => (Term, false),
            Operator::LShift | Operator::RShift => (Shift, false),
            Operator::BitOr => (BitOr, false),
            Operator::BitXor => (BitXor, false),
            Operator::BitAnd => (BitAnd, false),
            Operator::Pow => (Power, true),
        };
        self.parens(level > own, |u| {
            u.expr(&e.left, if right_assoc { own.next() } else { own })?;
            u.push(" ");
            u.push(e.op.as_str());
            u.push(" ");
            u.expr(&e.right, if right_assoc { own } else { own.next() })
        })
    }

    fn parameters(&mut self, p: &ast::Parameters) -> Result {
        let mut first = true;
        let mut comma = |u: &mut Self| {
            if !std::mem::take(&mut first) {
                u.push(", ");
            }
        };
        let positional = p.posonlyargs.len();
        for (i, arg) in p.posonlyargs.iter().chain(&p.args).enumerate() {
            comma(self);
            self.push(&arg.parameter.name);
            if let Some(default) = &arg.default {
                self.push("=");
                self.expr(default, Test)?;
            }
            if i + 1 == positional {
                self.push(", /");
            }
        }
        if p.vararg.is_some() || !p.kwonlyargs.is_empty() {
            comma(self);
            self.push("*");
            if let Some(vararg) = &p.vararg {
                self.push(&vararg.name);
            }
        }
        for arg in &p.kwonlyargs {
            comma(self);
            self.push(&arg.parameter.name);
            if let Some(default) = &arg.default {
                self.push("=");
                self.expr(default, Test)?;
            }
        }
        if let Some(kwarg) = &p.kwarg {
            comma(self);
            self.push("**");
            self.push(&kwarg.name);
        }
        Ok(())
    }

    fn comp(
        &mut self,
        open: &str,
        elt: &Expr,
        value: Option<&Expr>,
        generators: &[ast::Comprehension],
        close: &str,
    ) -> Result {
        self.push(open);
        self.expr(elt, Test)?;
        if let Some(value) = value {
            self.push(": ");
            self.expr(value, Test)?;
        }
        for comp in generators {
            self.push(if comp.is_async {
                " async for "
            } else {
                " for "
            });
            self.expr(&comp.target, Tuple)?;
            self.push(" in ");
            self.expr(&comp.iter, Test.next())?;
            for test in &comp.ifs {
                self.push(" if ");
                self.expr(test, Test.next())?;
            }
        }
        self.push(close);
        Ok(())
    }

    fn call(&mut self, e: &ast::ExprCall) -> Result {
        self.expr(&e.func, Atom)?;
        let arguments = &e.arguments;
        if let [only @ Expr::Generator(_)] = &arguments.args[..]
            && arguments.keywords.is_empty()
        {
            return self.expr(only, Test);
        }
        self.push("(");
        self.list(&arguments.args)?;
        for (i, keyword) in arguments.keywords.iter().enumerate() {
            if i > 0 || !arguments.args.is_empty() {
                self.push(", ");
            }
            match &keyword.arg {
                Some(arg) => {
                    self.push(arg);
                    self.push("=");
                }
                None => self.push("**"),
            }
            self.expr(&keyword.value, Test)?;
        }
        self.push(")");
        Ok(())
    }

    /// The body is built first, then quoted as one string.
    fn joined(&mut self, e: &ast::ExprFString) -> Result {
        let mut body = Unparser {
            source: self.source,
            out: Vec::new(),
        };
        for part in &e.value {
            match part {
                FStringPart::Literal(literal) => {
                    let mut text = Vec::new();
                    literals::string_part(self.source, literal, &mut text)?;
                    body.braced_text(&text);
                }
                FStringPart::FString(f) => body.elements(&f.elements, f.flags.into())?,
            }
        }
        let text = Constant::Str(body.out.into());
        self.push("f");
        self.push(&repr(&text));
        Ok(())
    }

    fn braced_text(&mut self, text: &[u8]) {
        for &byte in text {
            self.out.push(byte);
            if matches!(byte, b'{' | b'}') {
                self.out.push(byte);
            }
        }
    }

    fn elements(
        &mut self,
        elements: &[InterpolatedStringElement],
        flags: ast::AnyStringFlags,
    ) -> Result {
        for element in elements {
            match element {
                InterpolatedStringElement::Literal(literal) => {
                    let text = literals::interpolated_text(self.source, literal.range(), flags)?;
                    self.braced_text(&text);
                }
                InterpolatedStringElement::Interpolation(value) => {
                    if let Some(debug) = &value.debug_text {
                        self.braced_text(debug.as_str().as_bytes());
                    }
                    self.push("{");
                    let text = expr_text_at(self.source, &value.expression)?;
                    // `{{` would be a brace.
                    if text.first() == Some(&b'{') {
                        self.push(" ");
                    }
                    self.out.extend_from_slice(&text);
                    let shown = tree::shown_conversion(value);
                    if let Some(conversion) = shown.to_char() {
                        self.push("!");
                        self.push(conversion.encode_utf8(&mut [0; 4]));
                    }
                    if let Some(spec) = &value.format_spec {
                        self.push(":");
                        self.elements(&spec.elements, flags)?;
                    }
                    self.push("}");
                }
            }
        }
        Ok(())
    }
}

fn expr_text_at(source: &Source, e: &Expr) -> Result<Vec<u8>> {
    let mut out = Unparser {
        source,
        out: Vec::new(),
    };
    out.expr(e, Test.next())?;
    Ok(out.out)
}
