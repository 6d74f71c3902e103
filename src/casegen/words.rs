//! Sizes and offsets in words: sums of a constant and terms in `oparg`.

use quote::{ToTokens, quote};
use std::fmt;

/// A size or an offset in words: a constant plus signed terms in `oparg`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Words {
    pub constant: i64,
    /// Sorted, so that equal sizes compare equal; (sign, source text of the term).
    pub terms: Vec<(i8, String)>,
}

/// Beyond any real size, and far from where sums overflow.
const MAX_LITERAL: i64 = 0xFFFF;

impl Words {
    pub fn of(constant: i64) -> Words {
        Words {
            constant,
            terms: vec![],
        }
    }
    /// Reads `oparg - 1`, `oparg * 2`, `oparg & 0xFF`: sums of integers and terms, a term being a product, mask or
    /// shift. None for anything else.
    pub fn parse(text: &str) -> Option<Words> {
        let expr = syn::parse_str::<syn::Expr>(text).ok()?;
        // Every oparg of one unit has a value, so that tables and checks can evaluate it.
        (0..256).try_for_each(|n| value(&expr, n).map(drop))?;
        Some(Words::from_expr(&expr))
    }
    fn from_expr(expr: &syn::Expr) -> Words {
        match expr {
            syn::Expr::Paren(p) => Words::from_expr(&p.expr),
            syn::Expr::Lit(_) => value(expr, 0).map_or_else(|| Words::term(expr), Words::of),
            syn::Expr::Binary(syn::ExprBinary {
                left,
                op: syn::BinOp::Add(_),
                right,
                ..
            }) => Words::from_expr(left).plus(&Words::from_expr(right)),
            syn::Expr::Binary(syn::ExprBinary {
                left,
                op: syn::BinOp::Sub(_),
                right,
                ..
            }) => Words::from_expr(left).minus(&Words::from_expr(right)),
            _ => Words::term(expr),
        }
    }
    fn term(expr: &syn::Expr) -> Words {
        let text = expr.to_token_stream().to_string();
        let text = if text == "oparg" {
            text
        } else {
            format!("({text})")
        };
        Words {
            constant: 0,
            terms: vec![(1, text)],
        }
    }
    pub fn plus(&self, other: &Words) -> Words {
        self.combine(other, 1)
    }
    pub fn minus(&self, other: &Words) -> Words {
        self.combine(other, -1)
    }
    fn combine(&self, other: &Words, sign: i8) -> Words {
        let mut terms = self.terms.clone();
        for (s, t) in &other.terms {
            let s = s * sign;
            match terms
                .iter()
                .position(|(have, text)| text == t && *have == -s)
            {
                Some(i) => {
                    terms.remove(i);
                }
                None => terms.push((s, t.clone())),
            }
        }
        terms.sort();
        Words {
            constant: self.constant + i64::from(sign) * other.constant,
            terms,
        }
    }
    pub fn is_zero(&self) -> bool {
        self.constant == 0 && self.terms.is_empty()
    }
    pub fn mentions_oparg(&self) -> bool {
        self.terms.iter().any(|(_, term)| term.contains("oparg"))
    }
    /// The pointer `base` moved by this many words.
    pub fn applied_to(&self, base: &str) -> proc_macro2::TokenStream {
        let base = proc_macro2::Ident::new(base, proc_macro2::Span::call_site());
        if self.terms.is_empty() {
            let n = proc_macro2::Literal::usize_unsuffixed(self.constant.unsigned_abs() as usize);
            return match self.constant {
                0 => quote!(#base),
                c if c > 0 => quote!(#base.add(#n)),
                _ => quote!(#base.sub(#n)),
            };
        }
        let sum = self.as_isize();
        quote!(#base.offset(#sum))
    }
    fn as_isize(&self) -> proc_macro2::TokenStream {
        let mut text = String::new();
        if self.constant != 0 || self.terms.is_empty() {
            text.push_str(&self.constant.to_string());
        }
        for (sign, term) in &self.terms {
            let sign = match (sign, text.is_empty()) {
                (1, true) => "",
                (1, false) => " + ",
                _ => " - ",
            };
            // A lone term needs no parentheses around the cast.
            let alone = sign.is_empty() && self.terms.len() == 1;
            text.push_str(&match alone {
                true => format!("{term} as isize"),
                false => format!("{sign}({term} as isize)"),
            });
        }
        text.parse().expect("a sum of terms")
    }
    /// The number of words for one oparg of one unit.
    pub fn eval(&self, oparg: i64) -> i64 {
        self.terms.iter().fold(self.constant, |sum, (sign, term)| {
            let expr = syn::parse_str(term).ok();
            let term = expr.and_then(|expr| value(&expr, oparg));
            sum + i64::from(*sign) * term.expect("checked when it was read")
        })
    }
    /// As an expression over `oparg: i32`, for the metadata tables.
    pub fn as_i32(&self) -> proc_macro2::TokenStream {
        let mut text = self.constant.to_string();
        for (sign, term) in &self.terms {
            text.push_str(if *sign > 0 { " + " } else { " - " });
            text.push_str(term);
        }
        text.parse().expect("a sum of terms")
    }
}

fn value(expr: &syn::Expr, oparg: i64) -> Option<i64> {
    match expr {
        syn::Expr::Paren(p) => value(&p.expr, oparg),
        syn::Expr::Path(p) if p.path.is_ident("oparg") => Some(oparg),
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) if n.suffix().is_empty() => n.base10_parse().ok().filter(|n| *n <= MAX_LITERAL),
        syn::Expr::Binary(e) => {
            let (a, b) = (value(&e.left, oparg)?, value(&e.right, oparg)?);
            let found = match e.op {
                syn::BinOp::Add(_) => a + b,
                syn::BinOp::Sub(_) => a - b,
                syn::BinOp::Mul(_) => a.checked_mul(b)?,
                syn::BinOp::BitAnd(_) => a & b,
                syn::BinOp::Shr(_) => a.checked_shr(u32::try_from(b).ok()?)?,
                _ => return None,
            };
            (found.abs() <= MAX_LITERAL << 16).then_some(found)
        }
        _ => None,
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        if self.constant != 0 || self.terms.is_empty() {
            write!(f, "{}", self.constant)?;
            first = false;
        }
        for (sign, term) in &self.terms {
            match (first, *sign > 0) {
                (true, true) => write!(f, "{term}")?,
                (true, false) => write!(f, "-{term}")?,
                (false, true) => write!(f, " + {term}")?,
                (false, false) => write!(f, " - {term}")?,
            }
            first = false;
        }
        Ok(())
    }
}
