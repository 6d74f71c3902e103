//! The one emitter of bodies. The forms differ in how a piece of code is entered and how it is left (`Form`).

use super::form::{Close, Form};
use crate::casegen::analyze::{Analysis, Instruction, Step};
use crate::casegen::diag::{Diag, Result};
use crate::casegen::parse::{Kind, OpDef};
use crate::casegen::scan::BodyFacts;
use crate::casegen::stack::{Stack, ident};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::VisitMut;

/// A continuation out of line: `instruction` from step `step` on, with the cold op in that step's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cold {
    pub instruction: String,
    pub op: usize,
    pub step: usize,
    /// Cache units before the step.
    pub units: usize,
    /// Whether memory still is as the instruction found it, so that a guard may still fail.
    pub pristine: bool,
}

impl Cold {
    pub fn symbol(&self, analysis: &Analysis) -> String {
        format!("cold_{}_{}", self.instruction, analysis.ops[self.op].name)
    }
}

/// Code of one instruction (or label, or cold continuation) in one form.
pub struct Emitted {
    pub code: TokenStream,
    /// Continuations that the code refers to.
    pub colds: Vec<Cold>,
}

struct Emitter<'a> {
    analysis: &'a Analysis,
    form: Form,
    inst: Option<&'a Instruction>,
    stack: Stack,
    out: TokenStream,
    /// Words to release at the end.
    closes: Vec<Close>,
    /// Code units beyond the instruction's own to pass over.
    extra_units: usize,
    /// Cache units read or passed over so far; all of the instruction's are skipped at the end.
    units: usize,
    step: usize,
    /// Cache units before the present step.
    step_units: usize,
    pristine: bool,
    /// An ordinary call has been made, so caller-saved registers are gone.
    called: bool,
    branch: Option<(syn::Expr, syn::Expr)>,
    colds: Vec<Cold>,
}

pub fn instruction(analysis: &Analysis, inst: &Instruction, form: Form) -> Result<Emitted> {
    let mut emitter = Emitter::new(analysis, form, Some(inst));
    emitter.steps(&inst.steps)?;
    Ok(emitter.finish())
}

pub fn label(analysis: &Analysis, op: usize, form: Form) -> Result<Emitted> {
    let mut emitter = Emitter::new(analysis, form, None);
    emitter.steps(&[Step::Op(op)])?;
    Ok(emitter.finish())
}

pub fn cold(analysis: &Analysis, cold: &Cold, form: Form) -> Result<Emitted> {
    let inst = analysis
        .instructions
        .iter()
        .find(|i| i.name == cold.instruction);
    let inst = inst.expect("a cold continuation belongs to an instruction");
    let mut emitter = Emitter::new(analysis, form, Some(inst));
    (emitter.units, emitter.step_units) = (cold.units, cold.units);
    emitter.step = cold.step;
    emitter.pristine = cold.pristine;
    let mut steps = inst.steps[cold.step..].to_vec();
    let Step::Op(replaced) = steps[0] else {
        unreachable!("a skip names no continuation")
    };
    steps[0] = Step::Op(cold.op);
    // The replaced op's own cache entries are behind the cold op, which reads none.
    emitter.units += analysis.ops[replaced].effect.cache_units();
    emitter.steps(&steps)?;
    Ok(emitter.finish())
}

impl<'a> Emitter<'a> {
    fn new(analysis: &'a Analysis, form: Form, inst: Option<&'a Instruction>) -> Emitter<'a> {
        Emitter {
            analysis,
            form,
            inst,
            stack: Stack::default(),
            out: TokenStream::new(),
            closes: vec![],
            extra_units: 0,
            units: 0,
            step: 0,
            step_units: 0,
            pristine: true,
            called: false,
            branch: None,
            colds: vec![],
        }
    }

    fn steps(&mut self, steps: &[Step]) -> Result<()> {
        for step in steps {
            match step {
                Step::Skip(units) => self.units += units,
                Step::Op(index) => {
                    if self.analysis.ops[*index].kind != Kind::Cold {
                        self.step_units = self.units;
                    }
                    self.op(*index)?;
                    if self.analysis.facts[*index].ends {
                        return Ok(());
                    }
                }
            }
            self.step += 1;
        }
        self.end();
        Ok(())
    }

    fn op(&mut self, index: usize) -> Result<()> {
        let analysis = self.analysis;
        let (op, facts) = (&analysis.ops[index], &analysis.facts[index]);
        // An exit with the stack in variables would have to write it; so would a call. Both find it in memory.
        if facts.raises || facts.calls || facts.leaves || !facts.colds.is_empty() {
            self.settle();
        }
        if facts.guards && !self.pristine {
            let pos = facts.first_guard.as_ref().expect("guards");
            return Err(Diag::new(
                pos,
                "guards-first",
                format!("guard of `{}` after the stack has changed", op.name),
            ));
        }
        let taken = self.stack.pop(&op.effect.inputs, &mut self.out);
        self.caches(op);
        self.stack
            .declare(&taken, &op.effect.outputs, &mut self.out);
        self.body(op, facts)?;
        self.stack.push(&taken, &op.effect.outputs)?;
        for name in &facts.closed {
            // Read again after a call: kept in a register across it, the word would be spilled.
            match taken.place_of(name).filter(|_| facts.calls) {
                Some(place) => self.close_later(quote!(*#place), false),
                None => self.close_later(ident(name).into_token_stream(), false),
            }
        }
        self.extra_units += usize::from(facts.skips_next);
        Ok(())
    }

    /// Brings memory and the register up to date, releasing what earlier ops closed.
    fn settle(&mut self) {
        if self.stack.is_dirty() {
            self.pristine = false;
        }
        let flush = self.stack.flush();
        self.out.extend(flush);
        for close in std::mem::take(&mut self.closes) {
            let close = self.form.close_now(&close);
            self.out.extend(close);
            self.called = true;
        }
    }

    /// Binds the word to a name that later ops cannot shadow, to be released when the instruction ends.
    fn close_later(&mut self, from: TokenStream, slot: bool) {
        let word = format_ident!("close_{}", self.closes.len());
        self.out.extend(quote!(let #word = #from;));
        self.closes.push(Close { word, slot });
    }

    fn caches(&mut self, op: &OpDef) {
        for cache in &op.effect.caches {
            if cache.name != "unused" {
                let name = ident(&cache.name);
                let at = Literal::usize_unsuffixed(self.units * 2);
                let read = ident(
                    ["read_u16", "read_u32", "read_u64"][cache.size.trailing_zeros() as usize],
                );
                self.out.extend(quote!(let #name = #read(ip.add(#at));));
            }
            self.units += cache.size;
        }
    }

    fn body(&mut self, op: &OpDef, facts: &BodyFacts) -> Result<()> {
        let mut stolen = vec![];
        for (stmt, escapes) in op.body.stmts.iter().zip(&facts.escaping_stmts) {
            let mut stmt = stmt.clone();
            if *escapes {
                self.out.extend(quote!(ts.save(ip, sp, locals);));
                self.called = true;
            }
            let mut rewrite = Rewrite {
                emitter: self,
                op,
                stolen: &mut stolen,
                released: vec![],
                error: None,
            };
            rewrite.visit_stmt_mut(&mut stmt);
            if let Some(diag) = rewrite.error {
                return Err(diag);
            }
            let released = rewrite.released;
            if !is_empty_block(&stmt) {
                stmt.to_tokens(&mut self.out);
            }
            for (name, slot) in released {
                self.close_later(ident(&name).into_token_stream(), slot);
            }
            if *escapes {
                self.out.extend(quote!(ts.resume();));
            }
        }
        Ok(())
    }

    fn skip(&self) -> usize {
        2 * (self.inst.map_or(0, |i| i.caches) + self.extra_units)
    }

    /// The end of an instruction: the stack in memory, inputs released, on to the next one.
    fn end(&mut self) {
        let flush = self.stack.flush();
        let skip = Literal::usize_unsuffixed(self.skip());
        let next = self.form.end(&self.closes, self.called);
        let advance = if self.skip() == 0 {
            quote!()
        } else {
            quote!(ip = ip.add(#skip);)
        };
        let code = match &self.branch {
            None => quote!(#flush #advance #next),
            Some((cond, units)) if self.form.splits_branches() => {
                quote!(#flush if #cond { ip = ip.add(#skip + 2 * (#units)); #next } #advance #next)
            }
            Some((cond, units)) => {
                quote!(#flush ip = if #cond { ip.add(#skip + 2 * (#units)) } else { ip.add(#skip) }; #next)
            }
        };
        self.out.extend(code);
    }

    fn finish(self) -> Emitted {
        Emitted {
            code: self.out,
            colds: self.colds,
        }
    }
}

/// What is left of a macro that only declares something.
fn is_empty_block(stmt: &syn::Stmt) -> bool {
    matches!(stmt, syn::Stmt::Expr(syn::Expr::Block(b), _) if b.block.stmts.is_empty())
}

/// Replaces the statement macros of the language by what the form makes of them.
struct Rewrite<'e, 'a> {
    emitter: &'e mut Emitter<'a>,
    op: &'e OpDef,
    stolen: &'e mut Vec<String>,
    released: Vec<(String, bool)>,
    error: Option<Diag>,
}

impl Rewrite<'_, '_> {
    fn expand(&mut self, mac: &syn::Macro) -> Option<TokenStream> {
        let word = mac.path.get_ident()?.to_string();
        let mut args = mac
            .parse_body_with(
                syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated,
            )
            .map(|list| list.into_iter().collect::<Vec<_>>())
            .unwrap_or_default();
        for arg in &mut args {
            self.visit_expr_mut(arg);
        }
        let emitter = &mut *self.emitter;
        let form = emitter.form;
        let called = emitter.called;
        let skip = Literal::usize_unsuffixed(emitter.skip());
        let pos = &self.op.pos;
        let wrong = |n: usize| {
            Diag::new(
                pos,
                "definition-syntax",
                format!("`{word}!` takes {n} arguments"),
            )
        };
        let arity = match word.as_str() {
            "redispatch" | "reload" | "this_instr" | "next_instr" | "skip_next" => 0,
            "exit_if" | "deopt_if" | "error_if" | "close" | "steal" | "dead" | "leave" | "goto"
            | "jump" | "release" | "release_temp" => 1,
            "cold_if" | "branch_if" | "jump_out_if" => 2,
            "enter" | "dispatch_as" => 3,
            _ => return None,
        };
        if args.len() != arity {
            self.error = Some(wrong(arity));
            return None;
        }
        Some(match word.as_str() {
            "exit_if" | "deopt_if" => {
                let cond = &args[0];
                let head = emitter
                    .inst
                    .and_then(|i| i.family.as_deref())
                    .unwrap_or_default();
                let leave = form.to_instruction(&ident(head), called);
                quote!(if #cond { #leave })
            }
            "error_if" => {
                let cond = &args[0];
                let mut stores = TokenStream::new();
                // The unwinder releases what is on the stack: an input that was moved away must not be there.
                for (i, input) in self.op.effect.inputs.iter().enumerate() {
                    if self.stolen.contains(&input.name) {
                        let above = self.op.effect.inputs[i..].iter();
                        let depth = above.fold(super::words(0), |sum, item| sum.minus(&item.size));
                        let at = depth.from_pointer("sp");
                        stores.extend(quote!(*#at = Word::NULL;));
                    }
                }
                let leave = form.to_label(&ident("error"), called);
                quote!(if #cond { #stores #leave })
            }
            "cold_if" => {
                let cond = &args[0];
                let name = args[1].to_token_stream().to_string();
                let Some(op) = emitter.analysis.op(&name) else {
                    self.error = Some(Diag::new(
                        pos,
                        "known-name",
                        format!("no cold op is called `{name}`"),
                    ));
                    return None;
                };
                let def = &emitter.analysis.ops[op];
                let same = def.effect.popped() == self.op.effect.popped()
                    && def.effect.pushed() == self.op.effect.pushed()
                    && def.kind == Kind::Cold;
                if !same {
                    let message = format!(
                        "`{name}` must be #[cold] with the stack effect of `{}`",
                        self.op.name
                    );
                    self.error = Some(Diag::new(&def.pos, "cold-effect", message));
                    return None;
                }
                let cold = Cold {
                    instruction: emitter.inst.map(|i| i.name.clone()).unwrap_or_default(),
                    op,
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
            "branch_if" => {
                emitter.branch = Some((args[0].clone(), args[1].clone()));
                quote!()
            }
            "jump_out_if" => {
                let (cond, units) = (&args[0], &args[1]);
                let next = form.end_rarely(called);
                quote!(if #cond { ip = ip.add(#skip + 2 * (#units)); #next })
            }
            "jump" => {
                let units = &args[0];
                let flush = emitter.stack.flush();
                let next = form.end(&emitter.closes, called);
                quote!(#flush ip = ip.add(#skip).offset(2 * (#units)); #next)
            }
            "close" | "dead" | "skip_next" => quote!(),
            "release" | "release_temp" => {
                self.released
                    .push((args[0].to_token_stream().to_string(), word == "release"));
                quote!()
            }
            "steal" => {
                self.stolen.push(args[0].to_token_stream().to_string());
                quote!()
            }
            "enter" => {
                let (ip, sp, locals) = (&args[0], &args[1], &args[2]);
                let next = form.end(&[], called);
                quote!({ ip = #ip; sp = #sp; locals = #locals; #next })
            }
            "reload" => {
                let next = form.end_rarely(called);
                quote!({ (ip, sp, locals) = ts.registers(); #next })
            }
            "leave" => form.leave(&args[0]),
            "redispatch" => form.redispatch(called),
            "dispatch_as" => form.dispatch_as(&args[0], &args[1], &args[2]),
            "goto" => form.to_label(&ident(&args[0].to_token_stream().to_string()), called),
            "this_instr" => quote!(ip.sub(2)),
            "next_instr" => quote!(ip.add(#skip)),
            _ => return None,
        })
    }
}

impl VisitMut for Rewrite<'_, '_> {
    fn visit_stmt_mut(&mut self, stmt: &mut syn::Stmt) {
        if let syn::Stmt::Macro(m) = stmt
            && let Some(tokens) = self.expand(&m.mac)
        {
            let block: syn::Block =
                syn::parse2(quote!({ #tokens })).expect("an expansion is statements");
            *stmt = match <[syn::Stmt; 1]>::try_from(block.stmts.clone()) {
                Ok([one]) => one,
                Err(_) => syn::Stmt::Expr(
                    syn::Expr::Block(syn::ExprBlock {
                        attrs: vec![],
                        label: None,
                        block,
                    }),
                    None,
                ),
            };
            return;
        }
        syn::visit_mut::visit_stmt_mut(self, stmt);
    }
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        if let syn::Expr::Macro(m) = expr
            && let Some(tokens) = self.expand(&m.mac)
        {
            let block: syn::Block =
                syn::parse2(quote!({ #tokens })).expect("an expansion is statements");
            *expr = match <[syn::Stmt; 1]>::try_from(block.stmts.clone()) {
                Ok([syn::Stmt::Expr(one, None)]) => one,
                _ => syn::Expr::Block(syn::ExprBlock {
                    attrs: vec![],
                    label: None,
                    block,
                }),
            };
            return;
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }
}
