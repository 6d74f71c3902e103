//! What the forms make of the macros of bodies.

use super::body::{Cold, Emitter, behind, moved};
use crate::casegen::diag::Diag;
use crate::casegen::macros;
use crate::casegen::parse::OpDef;
use crate::casegen::stack::ident;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::visit_mut::VisitMut;

/// Replaces the macros of a statement by what the form makes of them.
pub(super) struct Rewrite<'e, 'a> {
    pub emitter: &'e mut Emitter<'a>,
    pub op: &'e OpDef,
    /// Inputs moved away so far.
    pub stolen: &'e mut Vec<String>,
    /// Words to release at the end of the instruction: name, and whether it is a slot's.
    pub released: Vec<(String, bool)>,
    pub error: Option<Diag>,
}

/// A condition that `if` can stand before: one that holds a struct literal or a range needs parentheses.
pub(super) fn condition(expr: &syn::Expr) -> TokenStream {
    let bare: syn::Result<syn::Expr> = syn::parse2(quote!(if #expr {}));
    match bare {
        Ok(_) => quote!(#expr),
        Err(_) => quote!((#expr)),
    }
}

impl Rewrite<'_, '_> {
    fn expand(&mut self, mac: &syn::Macro) -> Option<TokenStream> {
        let what = macros::find(mac)?;
        let mut args = macros::args(mac, what)?;
        for arg in &mut args {
            self.visit_expr_mut(arg);
        }
        let emitter = &mut *self.emitter;
        let (form, called) = (emitter.form, emitter.called);
        Some(match (what.word, &args[..]) {
            ("exit_if" | "deopt_if", [cond]) => {
                let cond = condition(cond);
                let head = emitter.inst.and_then(|i| i.family.as_deref());
                let head = head.expect("guards are in families only");
                let leave = form.miss(&ident(head), called);
                quote!(if #cond { #leave })
            }
            ("error_if", [cond]) => {
                let cond = condition(cond);
                let stores = self.without_stolen();
                let leave = form.to_label(&ident("error"), called);
                quote!(if #cond { #stores #leave })
            }
            ("cold_if", [cond, name]) => {
                let cond = condition(cond);
                let name = name.to_token_stream().to_string();
                let cold = Cold {
                    instruction: emitter.inst.map(|i| i.name.clone()).unwrap_or_default(),
                    op: emitter.analysis.op(&name).expect("colds are checked"),
                    step: emitter.step,
                    units: emitter.step_units,
                    pristine: emitter.pristine,
                };
                let symbol = ident(&cold.symbol(emitter.analysis));
                if !emitter.colds.contains(&cold) {
                    emitter.colds.push(cold);
                }
                let leave = form.to_cold(&symbol, called);
                quote!(if #cond { #leave })
            }
            ("branch_if", [cond, units]) => {
                emitter.branch = Some((cond.clone(), units.clone()));
                quote!()
            }
            ("jump_out_if", [cond, units]) => {
                let cond = condition(cond);
                let next = form.end_rarely(called);
                let target = moved(emitter.skip(), units);
                quote!(if #cond { ip = #target; #next })
            }
            ("jump", [units]) => {
                let flush = emitter.stack.flush();
                let next = form.end(&emitter.closes, called);
                let from = behind(emitter.skip());
                quote!(#flush ip = #from.offset(2 * (#units)); #next)
            }
            ("release" | "release_temp", [word]) => {
                let word = word.to_token_stream().to_string();
                self.released.push((word, what.word == "release"));
                quote!()
            }
            ("steal", [word]) => {
                self.stolen.push(word.to_token_stream().to_string());
                quote!()
            }
            ("enter", [ip, sp, locals]) => {
                let next = form.end(&[], called);
                quote!((ip, sp, locals) = (#ip, #sp, #locals); #next)
            }
            ("reload", []) => {
                let next = form.end_rarely(called);
                quote!((ip, sp, locals) = ts.registers(); #next)
            }
            ("leave", [value]) => form.leave(value),
            ("redispatch", []) => form.redispatch(called),
            ("dispatch_as", [opcode, arg, at]) => form.dispatch_as(opcode, arg, at, called),
            ("goto", [label]) => {
                let label = ident(&label.to_token_stream().to_string());
                form.to_label(&label, called)
            }
            ("this_instr", []) => quote!(ip.sub(2)),
            ("next_instr", []) => behind(emitter.skip()),
            ("close" | "dead" | "skip_next", _) => quote!(),
            // Rust's own.
            _ => return None,
        })
    }

    /// The unwinder releases what is on the stack: an input that was moved away must not be there.
    fn without_stolen(&self) -> TokenStream {
        let inputs = &self.op.effect.inputs;
        let mut stores = TokenStream::new();
        for (i, input) in inputs.iter().enumerate() {
            if self.stolen.contains(&input.name) {
                let above = inputs[i..].iter();
                let depth = above.fold(super::words(0), |sum, item| sum.minus(&item.size));
                let at = depth.applied_to("sp");
                stores.extend(quote!(*#at = Word::NULL;));
            }
        }
        stores
    }

    /// The expansion as a block; an empty one if it is none, which is then reported.
    fn block(&mut self, tokens: TokenStream) -> syn::Block {
        syn::parse2(quote!({ #tokens })).unwrap_or_else(|e| {
            self.error = Some(super::unprintable(&self.op.pos, &self.op.name, &e));
            syn::parse_quote!({})
        })
    }
}

impl VisitMut for Rewrite<'_, '_> {
    fn visit_stmt_mut(&mut self, stmt: &mut syn::Stmt) {
        let tokens = match stmt {
            syn::Stmt::Macro(m) => self.expand(&m.mac),
            syn::Stmt::Expr(syn::Expr::Macro(m), _) => self.expand(&m.mac),
            _ => None,
        };
        let Some(tokens) = tokens else {
            return syn::visit_mut::visit_stmt_mut(self, stmt);
        };
        let mut block = self.block(tokens);
        *stmt = match (block.stmts.pop(), block.stmts.is_empty()) {
            (Some(one), true) => one,
            (last, _) => {
                block.stmts.extend(last);
                syn::Stmt::Expr(syn::parse_quote!(#block), None)
            }
        };
    }
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        if let syn::Expr::Macro(m) = expr
            && let Some(tokens) = self.expand(&m.mac)
        {
            let mut block = self.block(tokens);
            *expr = match (block.stmts.pop(), block.stmts.is_empty()) {
                (Some(syn::Stmt::Expr(one, None)), true) => one,
                (last, _) => {
                    block.stmts.extend(last);
                    syn::parse_quote!(#block)
                }
            };
            return;
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }
}
