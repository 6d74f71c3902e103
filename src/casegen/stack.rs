//! The symbolic stack of one instruction: what is in memory, what in variables, and where the stack pointer stands.

use super::diag::{Diag, Result};
use super::effect::{Effect, Shape, StackItem};
use super::rules::Rule;
use super::words::Words;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::HashSet;

#[derive(Clone, Debug)]
struct Slot {
    /// The variable that holds the word, or the array's address.
    name: String,
    shape: Shape,
    size: Words,
    /// Words above the stack pointer in its register (negative below).
    at: Words,
    in_memory: bool,
}

/// Everything below the slots is in memory. `top` is relative to the stack pointer in its register.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    slots: Vec<Slot>,
    top: Words,
    renames: usize,
}

pub fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// How an op got one of its inputs: needed to see whether an output of the same name moved.
struct Origin {
    item: StackItem,
    /// The variable that holds it; for an unused item that of an earlier op.
    variable: String,
    at: Words,
    in_memory: bool,
}

/// An op's inputs, taken; its outputs are put back by `push`.
pub struct Taken {
    origins: Vec<Origin>,
}

impl Taken {
    /// Where an input of one word still stands in memory.
    pub fn place_of(&self, name: &str) -> Option<TokenStream> {
        let mut origins = self.origins.iter();
        let origin = origins
            .find(|o| o.item.name == name && o.in_memory && o.item.shape == Shape::Scalar)?;
        Some(origin.at.applied_to("sp"))
    }
}

impl Stack {
    /// True if memory differs from what the stack holds, or the register from where the stack ends.
    pub fn is_dirty(&self) -> bool {
        !self.top.is_zero() || self.slots.iter().any(|s| !s.in_memory)
    }

    /// Whether an op's inputs are slots, or lie below them. If not, the stack must be flushed first.
    pub fn fits(&self, inputs: &[StackItem]) -> bool {
        let slots = self.slots.iter().rev();
        let mut pairs = slots.zip(inputs.iter().rev());
        pairs.all(|(slot, item)| slot.shape == item.shape && slot.size == item.size)
    }

    /// Binds the inputs of an op to variables of their names. `bound` are all names that the op binds: a slot that
    /// stays gives way to them.
    pub fn pop(
        &mut self,
        effect: &Effect,
        bound: &HashSet<String>,
        out: &mut TokenStream,
    ) -> Taken {
        let mut origins = vec![];
        let (mut from, mut to) = (vec![], vec![]);
        let mut loads = vec![];
        for item in effect.inputs.iter().rev() {
            self.top = self.top.minus(&item.size);
            let mut origin = Origin {
                item: item.clone(),
                variable: item.name.clone(),
                at: self.top.clone(),
                in_memory: true,
            };
            if let Some(slot) = self.slots.pop() {
                origin.in_memory = slot.in_memory;
                if item.is_unused() {
                    origin.variable = slot.name;
                } else if slot.name != item.name {
                    from.push(ident(&slot.name));
                    to.push(ident(&item.name));
                }
            } else if !item.is_unused() {
                let (name, at) = (ident(&item.name), self.top.applied_to("sp"));
                loads.push(match item.shape {
                    Shape::Scalar => quote!(let #name = *#at;),
                    Shape::Array => quote!(let #name = #at;),
                    Shape::Conditional => {
                        let cond = item.size.as_i32();
                        quote!(let #name = if #cond != 0 { *#at } else { Word::NULL };)
                    }
                });
            }
            origins.push(origin);
        }
        self.give_way(bound, &mut origins, out);
        match (&from[..], &to[..]) {
            ([], _) => {}
            ([from], [to]) => out.extend(quote!(let #to = #from;)),
            // At once, if one's new name is another's old one.
            _ if to.iter().any(|name| from.contains(name)) => {
                out.extend(quote!(let (#(#to),*) = (#(#from),*);));
            }
            _ => out.extend(quote!(#(let #to = #from;)*)),
        }
        loads.reverse();
        out.extend(loads);
        Taken { origins }
    }

    /// Renames variables of slots, and of unused inputs, that the op is about to hide.
    fn give_way(&mut self, bound: &HashSet<String>, origins: &mut [Origin], out: &mut TokenStream) {
        let slots = self.slots.iter_mut().map(|s| (&mut s.name, s.in_memory));
        let unused = origins.iter_mut().filter(|o| o.item.is_unused());
        let unused = unused.map(|o| (&mut o.variable, o.in_memory));
        for (name, in_memory) in slots.chain(unused) {
            if !in_memory && bound.contains(name.as_str()) {
                self.renames += 1;
                let renamed = format!("{name}_{}", self.renames);
                let (old, new) = (ident(name), ident(&renamed));
                out.extend(quote!(let #new = #old;));
                *name = renamed;
            }
        }
    }

    /// Declares the outputs that the body assigns; those that pass an input through need nothing.
    pub fn declare(&self, effect: &Effect, out: &mut TokenStream) {
        let mut at = self.top.clone();
        for item in &effect.outputs {
            if !effect.passes(&item.name) && !item.is_unused() {
                let name = ident(&item.name);
                out.extend(match item.shape {
                    Shape::Array => {
                        let pointer = at.applied_to("sp");
                        quote!(let #name = #pointer;)
                    }
                    _ => quote!(let #name: Word;),
                });
            }
            at = at.plus(&item.size);
        }
    }

    /// Puts the outputs on the stack.
    pub fn push(&mut self, taken: &Taken, outputs: &[StackItem]) -> Result<()> {
        for item in outputs {
            let origin = taken.origins.iter().find(|o| {
                let same_place = o.at == self.top && o.item.same_shape(item);
                o.item.name == item.name && (same_place || !item.is_unused())
            });
            if item.is_unused() && origin.is_none() {
                let message = "an unused output must be an unused input in its place";
                return Err(Diag::new(&item.pos, Rule::UnusedMoved, message));
            }
            let in_memory = match origin {
                Some(o) => o.in_memory && o.at == self.top,
                None => item.shape == Shape::Array,
            };
            if item.shape == Shape::Array && !in_memory && !item.size.is_zero() {
                let message = format!("array `{}` would have to move", item.name);
                return Err(Diag::new(&item.pos, Rule::ArrayMoved, message));
            }
            self.slots.push(Slot {
                name: origin.map_or(&item.name, |o| &o.variable).clone(),
                shape: item.shape,
                size: item.size.clone(),
                at: self.top.clone(),
                in_memory,
            });
            self.top = self.top.plus(&item.size);
        }
        Ok(())
    }

    /// Writes what is not in memory and moves the stack pointer's register to the top.
    pub fn flush(&mut self) -> TokenStream {
        let mut out = TokenStream::new();
        for slot in &self.slots {
            if !slot.in_memory {
                let (at, name) = (slot.at.applied_to("sp"), ident(&slot.name));
                out.extend(quote!(*#at = #name;));
            }
        }
        if !self.top.is_zero() {
            let top = self.top.applied_to("sp");
            out.extend(quote!(sp = #top;));
        }
        *self = Stack {
            renames: self.renames,
            ..Stack::default()
        };
        out
    }
}
