//! The one emitter of bodies. The forms differ in how a piece of code is entered and how it is left (`Form`).

use super::form::{Close, Form};
use super::macros::{Rewrite, condition};
use crate::casegen::analyze::{Analysis, Instruction, Step};
use crate::casegen::diag::{Diag, Result};
use crate::casegen::effect::Shape;
use crate::casegen::parse::{Kind, OpDef};
use crate::casegen::rules::Rule;
use crate::casegen::scan::BodyFacts;
use crate::casegen::stack::{Stack, ident};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::HashSet;
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

/// The first word is released by the handler, the others by `free_1` to `free_3` of the tail form.
const MAX_CLOSES: usize = 4;

/// Code of one instruction (or label, or cold continuation) in one form.
pub struct Emitted {
    pub code: TokenStream,
    /// Continuations that the code refers to.
    pub colds: Vec<Cold>,
}

pub(super) struct Emitter<'a> {
    pub analysis: &'a Analysis,
    pub form: Form,
    pub inst: Option<&'a Instruction>,
    pub stack: Stack,
    out: TokenStream,
    /// Words to release at the end.
    pub closes: Vec<Close>,
    /// Code units beyond the instruction's own to pass over.
    extra_units: usize,
    /// Cache units read or passed over so far; all of the instruction's are skipped at the end.
    units: usize,
    pub step: usize,
    /// Cache units before the present step.
    pub step_units: usize,
    pub pristine: bool,
    /// An ordinary call has been made, so caller-saved registers are gone.
    pub called: bool,
    pub branch: Option<(syn::Expr, syn::Expr)>,
    pub colds: Vec<Cold>,
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
                Step::Skip(_, units) => self.units += units,
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
        self.end()
    }

    fn op(&mut self, index: usize) -> Result<()> {
        let analysis = self.analysis;
        let (op, facts) = (&analysis.ops[index], &analysis.facts[index]);
        // An exit with the stack in variables would have to write it; so would a call. Both find it in memory.
        // So does an op that takes words as an array which an earlier op left as single words.
        let exits = facts.raises || facts.calls || facts.leaves || !facts.colds.is_empty();
        if exits || !self.stack.fits(&op.effect.inputs) {
            self.settle();
        }
        if let Some(pos) = &facts.first_guard
            && !self.pristine
        {
            let message = format!("guard of `{}` after the stack has changed", op.name);
            return Err(Diag::new(pos, Rule::GuardAfterStack, message));
        }
        let mut bound: HashSet<String> = facts.bound.clone();
        bound.extend(op.effect.names().map(ToString::to_string));
        let taken = self.stack.pop(&op.effect, &bound, &mut self.out);
        self.caches(op);
        self.called |= facts.calls;
        self.stack.declare(&op.effect, &mut self.out);
        self.body(op, facts)?;
        self.stack.push(&taken, &op.effect.outputs)?;
        // Bodies write the words of an array themselves, over the inputs.
        let overwritten =
            op.effect.outputs.iter().any(|o| {
                o.shape == Shape::Array && !op.effect.inputs.iter().any(|i| i.name == o.name)
            });
        for (name, _) in &facts.closed {
            // Read again after a call: kept in a register across it, the word would be spilled.
            match taken.place_of(name).filter(|_| facts.calls && !overwritten) {
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
            if !cache.is_unused() {
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
            let released = match rewrite.error {
                Some(diag) => return Err(diag),
                None => rewrite.released,
            };
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

    pub fn skip(&self) -> usize {
        2 * (self.inst.map_or(0, |i| i.caches) + self.extra_units)
    }

    /// The end of an instruction: the stack in memory, inputs released, on to the next one.
    fn end(&mut self) -> Result<()> {
        if let (Some(inst), true) = (self.inst, self.closes.len() > MAX_CLOSES) {
            let message = format!("`{}` releases more than {MAX_CLOSES} words", inst.name);
            return Err(Diag::new(&inst.pos, Rule::CloseCount, message));
        }
        let flush = self.stack.flush();
        let next = self.form.end(&self.closes, self.called);
        let skip = self.skip();
        let behind = behind(skip);
        let advance = match skip {
            0 => quote!(),
            _ => quote!(ip = #behind;),
        };
        let code = match &self.branch {
            None => quote!(#flush #advance #next),
            Some((cond, units)) => {
                let cond = condition(cond);
                let target = moved(skip, units);
                if self.form.splits_branches() {
                    quote!(#flush if #cond { ip = #target; #next } #advance #next)
                } else {
                    quote!(#flush ip = if #cond { #target } else { #behind }; #next)
                }
            }
        };
        self.out.extend(code);
        Ok(())
    }

    fn finish(self) -> Emitted {
        Emitted {
            code: self.out,
            colds: self.colds,
        }
    }
}

/// The address behind an instruction, `skip` bytes on.
pub(super) fn behind(skip: usize) -> TokenStream {
    let bytes = Literal::usize_unsuffixed(skip);
    match skip {
        0 => quote!(ip),
        _ => quote!(ip.add(#bytes)),
    }
}

/// The address `units` code units behind an instruction.
pub(super) fn moved(skip: usize, units: &syn::Expr) -> TokenStream {
    let bytes = Literal::usize_unsuffixed(skip);
    match skip {
        0 => quote!(ip.add(2 * (#units))),
        _ => quote!(ip.add(#bytes + 2 * (#units))),
    }
}

/// What is left of a macro that only declares something.
fn is_empty_block(stmt: &syn::Stmt) -> bool {
    matches!(stmt, syn::Stmt::Expr(syn::Expr::Block(b), _) if b.block.stmts.is_empty())
}
