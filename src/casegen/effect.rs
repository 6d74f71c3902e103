//! Stack effects in CPython's notation: `counter/1, left, args[oparg], null if (oparg & 1) -- res`.

use super::diag::{Diag, Pos, Result};
use quote::{ToTokens, quote};
use std::fmt;

/// A size or an offset in words: a constant plus signed terms in `oparg`.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Words {
    pub constant: i64,
    /// Sorted, so that equal sizes compare equal; (sign, source text of the term).
    pub terms: Vec<(i8, String)>,
}

impl Words {
    pub fn of(constant: i64) -> Words {
        Words {
            constant,
            terms: vec![],
        }
    }
    /// Reads `oparg - 1`, `oparg * 2`, `oparg & 0xFF`: a sum of integers and terms.
    fn from_expr(expr: &syn::Expr) -> Words {
        match expr {
            syn::Expr::Paren(p) => Words::from_expr(&p.expr),
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(n),
                ..
            }) => n
                .base10_parse()
                .map_or_else(|_| Words::term(expr), Words::of),
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
    /// The pointer `base` moved by this many words.
    pub fn from_pointer(&self, base: &str) -> proc_macro2::TokenStream {
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
            text.push_str(&if alone {
                format!("{term} as isize")
            } else {
                format!("{sign}({term} as isize)")
            });
        }
        text.parse().expect("a sum of terms")
    }
    /// The number of words for one oparg; None for a term beyond sums, products, masks and shifts.
    pub fn eval(&self, oparg: i64) -> Option<i64> {
        fn value(expr: &syn::Expr, oparg: i64) -> Option<i64> {
            match expr {
                syn::Expr::Paren(p) => value(&p.expr, oparg),
                syn::Expr::Path(p) if p.path.is_ident("oparg") => Some(oparg),
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Int(n),
                    ..
                }) => n.base10_parse().ok(),
                syn::Expr::Binary(e) => {
                    let (a, b) = (value(&e.left, oparg)?, value(&e.right, oparg)?);
                    Some(match e.op {
                        syn::BinOp::Add(_) => a + b,
                        syn::BinOp::Sub(_) => a - b,
                        syn::BinOp::Mul(_) => a * b,
                        syn::BinOp::BitAnd(_) => a & b,
                        syn::BinOp::Shr(_) => a >> b,
                        _ => return None,
                    })
                }
                _ => None,
            }
        }
        self.terms
            .iter()
            .try_fold(self.constant, |sum, (sign, term)| {
                Some(sum + i64::from(*sign) * value(&syn::parse_str(term).ok()?, oparg)?)
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

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.constant)?;
        for (sign, term) in &self.terms {
            write!(f, " {} {term}", if *sign > 0 { '+' } else { '-' })?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Scalar,
    /// `name[size]`: a pointer to the words, which stay in memory.
    Array,
    /// `name if (cond)`: one word or none.
    Conditional,
}

#[derive(Clone, Debug)]
pub struct StackItem {
    pub name: String,
    pub shape: Shape,
    pub size: Words,
    pub pos: Pos,
}

impl StackItem {
    pub fn is_unused(&self) -> bool {
        self.name.starts_with("unused")
    }
}

#[derive(Clone, Debug)]
pub struct CacheItem {
    pub name: String,
    /// Code units.
    pub size: usize,
    pub pos: Pos,
}

#[derive(Clone, Debug, Default)]
pub struct Effect {
    pub caches: Vec<CacheItem>,
    pub inputs: Vec<StackItem>,
    pub outputs: Vec<StackItem>,
}

const RULE: &str = "effect-syntax";

impl Effect {
    /// `pos` is the place of the first character of `text`.
    pub fn parse(text: &str, pos: &Pos) -> Result<Effect> {
        let Some(middle) = text.find("--") else {
            return Err(Diag::new(
                pos,
                RULE,
                format!("stack effect \"{text}\" has no `--`"),
            ));
        };
        let mut effect = Effect::default();
        for (at, piece) in pieces(&text[..middle], 0) {
            let here = pos.shifted(at);
            if let Some((name, size)) = piece.split_once('/').filter(|(n, _)| is_name(n.trim())) {
                let Ok(size @ (1 | 2 | 4)) = size.trim().parse() else {
                    return Err(Diag::new(
                        &here,
                        RULE,
                        format!("cache entry `{piece}` must be 1, 2 or 4 units"),
                    ));
                };
                if !effect.inputs.is_empty() {
                    return Err(Diag::new(
                        &here,
                        RULE,
                        format!("cache entry `{piece}` stands after a stack input"),
                    ));
                }
                effect.caches.push(CacheItem {
                    name: name.trim().to_string(),
                    size,
                    pos: here,
                });
            } else {
                effect.inputs.push(stack_item(piece, here)?);
            }
        }
        for (at, piece) in pieces(&text[middle + 2..], middle + 2) {
            effect.outputs.push(stack_item(piece, pos.shifted(at))?);
        }
        for list in [&effect.inputs, &effect.outputs] {
            for (i, item) in list.iter().enumerate() {
                if !item.is_unused() && list[..i].iter().any(|other| other.name == item.name) {
                    let message =
                        format!("`{}` stands twice on one side of a stack effect", item.name);
                    return Err(Diag::new(&item.pos, RULE, message));
                }
            }
        }
        Ok(effect)
    }
    pub fn popped(&self) -> Words {
        self.inputs
            .iter()
            .fold(Words::default(), |sum, i| sum.plus(&i.size))
    }
    pub fn pushed(&self) -> Words {
        self.outputs
            .iter()
            .fold(Words::default(), |sum, i| sum.plus(&i.size))
    }
    pub fn cache_units(&self) -> usize {
        self.caches.iter().map(|c| c.size).sum()
    }
}

/// Comma-separated pieces outside brackets, with their byte offsets, trimmed; an empty side gives none.
fn pieces(side: &str, base: usize) -> Vec<(usize, &str)> {
    let mut found = vec![];
    let (mut depth, mut start) = (0, 0);
    let mut push = |from: usize, to: usize| {
        let piece = &side[from..to];
        let lead = piece.len() - piece.trim_start().len();
        found.push((base + from + lead, piece.trim()));
    };
    for (i, c) in side.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                push(start, i);
                start = i + 1;
            }
            _ => {}
        }
    }
    if !side.trim().is_empty() {
        push(start, side.len());
    }
    found
}

fn is_name(text: &str) -> bool {
    syn::parse_str::<syn::Ident>(text).is_ok()
}

fn stack_item(piece: &str, pos: Pos) -> Result<StackItem> {
    let fail = |what: &str| {
        Err(Diag::new(
            &pos,
            RULE,
            format!("{what} in stack item `{piece}`"),
        ))
    };
    let expr = |text: &str| syn::parse_str::<syn::Expr>(text);
    let (name, shape, size) = if let Some((name, rest)) = piece.split_once('[') {
        let Some(Ok(size)) = rest.strip_suffix(']').map(expr) else {
            return fail("bad array size");
        };
        (name.trim(), Shape::Array, Words::from_expr(&size))
    } else if let Some((name, cond)) = piece.split_once(" if ") {
        let Ok(cond) = expr(cond) else {
            return fail("bad condition");
        };
        (name.trim(), Shape::Conditional, Words::from_expr(&cond))
    } else {
        (piece, Shape::Scalar, Words::of(1))
    };
    if !is_name(name) {
        return fail("bad name");
    }
    Ok(StackItem {
        name: name.to_string(),
        shape,
        size,
        pos,
    })
}
