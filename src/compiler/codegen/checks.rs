//! Warnings about expressions that cannot do what they seem to be meant for (`codegen_check_*`).

use super::{Compiler, Result};
use crate::compiler::tree::is_constant;
use ruff_python_ast::{self as ast, CmpOp, Expr, Number};

/// The type of what an expression makes, as far as its syntax tells (`infer_type`).
fn type_name(e: &Expr) -> Option<&'static str> {
    Some(match e {
        Expr::Tuple(_) => "tuple",
        Expr::List(_) | Expr::ListComp(_) => "list",
        Expr::Dict(_) | Expr::DictComp(_) => "dict",
        Expr::Set(_) | Expr::SetComp(_) => "set",
        Expr::Generator(_) => "generator",
        Expr::Lambda(_) => "function",
        Expr::TString(_) => "string.templatelib.Template",
        Expr::FString(_) | Expr::StringLiteral(_) => "str",
        Expr::BytesLiteral(_) => "bytes",
        Expr::NoneLiteral(_) => "NoneType",
        Expr::EllipsisLiteral(_) => "ellipsis",
        Expr::NumberLiteral(number) => match number.value {
            Number::Int(_) => "int",
            Number::Float(_) => "float",
            Number::Complex { .. } => "complex",
        },
        _ if is_constant(e) => "bool",
        _ => return None,
    })
}

/// A literal whose identity says nothing (`check_is_arg`).
fn has_no_identity(e: &Expr) -> bool {
    match e {
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_constant),
        Expr::NumberLiteral(_) | Expr::StringLiteral(_) | Expr::BytesLiteral(_) => true,
        _ => false,
    }
}

impl Compiler<'_> {
    /// `x is 1`
    pub(super) fn check_compare(&mut self, e: &ast::ExprCompare) -> Result {
        let mut left = &*e.left;
        for (op, right) in e.ops.iter().zip(&e.comparators) {
            let (word, instead) = match op {
                CmpOp::Is => ("is", "=="),
                CmpOp::IsNot => ("is not", "!="),
                _ => ("", ""),
            };
            let literal = [left, right].into_iter().find(|e| has_no_identity(e));
            if let (false, Some(kind)) = (word.is_empty(), literal.and_then(type_name)) {
                let message =
                    format!("\"{word}\" with '{kind}' literal. Did you mean \"{instead}\"?");
                let loc = self.loc(e);
                return self.warnings.warn(message, loc);
            }
            left = right;
        }
        Ok(())
    }

    /// `(1, 2)(3, 4)`
    pub(super) fn check_caller(&mut self, func: &Expr) -> Result {
        let kind = match func {
            Expr::Lambda(_) => None,
            func => type_name(func),
        };
        let Some(kind) = kind else { return Ok(()) };
        let message = format!("'{kind}' object is not callable; perhaps you missed a comma?");
        let loc = self.expr_location(func);
        self.warnings.warn(message, loc)
    }

    /// `1[0]`, and `[1][2, 3]`
    pub(super) fn check_subscript(&mut self, e: &ast::ExprSubscript) -> Result {
        let Some(kind) = type_name(&e.value) else {
            return Ok(());
        };
        let loc = self.expr_location(&e.value);
        match kind {
            "tuple" | "list" | "str" | "bytes" => {}
            "dict" => return Ok(()),
            _ => {
                let message =
                    format!("'{kind}' object is not subscriptable; perhaps you missed a comma?");
                return self.warnings.warn(message, loc);
            }
        }
        match type_name(&e.slice) {
            None | Some("int" | "bool") => Ok(()),
            Some(index) => self.warnings.warn(
                format!(
                    "{kind} indices must be integers or slices, not {index}; perhaps you missed a comma?"
                ),
                loc,
            ),
        }
    }

    /// `assert (x, "message")`
    pub(super) fn check_assert(&mut self, s: &ast::StmtAssert) -> Result {
        match &*s.test {
            Expr::Tuple(tuple) if !tuple.elts.is_empty() => {
                let loc = self.loc(s);
                let message = "assertion is always true, perhaps remove parentheses?";
                self.warnings.warn(message, loc)
            }
            _ => Ok(()),
        }
    }
}
