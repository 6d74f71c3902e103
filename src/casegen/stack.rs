//! The symbolic stack of one instruction: what is in memory, what in variables, and where the stack pointer stands.

use super::diag::{Diag, Result};
use super::effect::{Shape, StackItem, Words};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

#[derive(Clone, Debug)]
struct Slot {
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
    name: String,
    at: Words,
    in_memory: bool,
}

impl Taken {
    /// Where an input still stands in memory.
    pub fn place_of(&self, name: &str) -> Option<TokenStream> {
        let origin = self
            .origins
            .iter()
            .find(|o| o.name == name && o.in_memory)?;
        Some(origin.at.from_pointer("sp"))
    }
}

/// An op's inputs, taken; its outputs are put back by `push`.
pub struct Taken {
    origins: Vec<Origin>,
}

impl Stack {
    /// True if memory differs from what the stack holds, or the register from where the stack ends.
    pub fn is_dirty(&self) -> bool {
        !self.top.is_zero() || self.slots.iter().any(|s| !s.in_memory)
    }

    /// Binds the inputs of an op to variables of their names.
    pub fn pop(&mut self, inputs: &[StackItem], out: &mut TokenStream) -> Taken {
        let mut origins = vec![];
        let mut bindings = vec![];
        for item in inputs.iter().rev() {
            let name = ident(&item.name);
            self.top = self.top.minus(&item.size);
            let matches = self
                .slots
                .last()
                .is_some_and(|s| s.shape == item.shape && s.size == item.size);
            if matches {
                let slot = self.slots.pop().expect("seen");
                if slot.name != item.name && !item.is_unused() {
                    let from = ident(&slot.name);
                    bindings.push(quote!(let #name = #from;));
                }
                origins.push(Origin {
                    name: item.name.clone(),
                    at: slot.at,
                    in_memory: slot.in_memory,
                });
                continue;
            }
            // Shapes differ (an array over single words): its words must be in memory, which `flush` saw to.
            while self
                .slots
                .last()
                .is_some_and(|s| s.at.minus(&self.top).constant >= 0 && s.in_memory)
            {
                self.slots.pop();
            }
            let at = self.top.from_pointer("sp");
            let size = &item.size;
            bindings.push(match item.shape {
                _ if item.is_unused() => quote!(),
                Shape::Scalar => quote!(let #name = *#at;),
                Shape::Array => quote!(let #name = #at;),
                Shape::Conditional => {
                    let cond = size.as_i32();
                    quote!(let #name = if #cond != 0 { *#at } else { Word::NULL };)
                }
            });
            origins.push(Origin {
                name: item.name.clone(),
                at: self.top.clone(),
                in_memory: true,
            });
        }
        bindings.reverse();
        out.extend(bindings);
        Taken { origins }
    }

    /// Declares the outputs that the body assigns; those that pass an input through need nothing.
    pub fn declare(&mut self, taken: &Taken, outputs: &[StackItem], out: &mut TokenStream) {
        let mut at = self.top.clone();
        for item in outputs {
            let name = ident(&item.name);
            let passed = taken.origins.iter().any(|o| o.name == item.name);
            if !passed && !item.is_unused() {
                if let Some(slot) = self.slots.iter_mut().find(|s| s.name == item.name) {
                    self.renames += 1;
                    let renamed = format!("{}_{}", item.name, self.renames);
                    let new = ident(&renamed);
                    out.extend(quote!(let #new = #name;));
                    slot.name = renamed;
                }
                out.extend(match item.shape {
                    Shape::Array => {
                        let pointer = at.from_pointer("sp");
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
            let origin = taken.origins.iter().find(|o| o.name == item.name);
            let in_memory = match origin {
                Some(o) => o.in_memory && o.at == self.top,
                None => item.shape == Shape::Array || item.is_unused(),
            };
            if item.shape == Shape::Array && !in_memory && !item.size.is_zero() {
                return Err(Diag::new(
                    &item.pos,
                    "array-moved",
                    format!("array `{}` would have to move", item.name),
                ));
            }
            self.slots.push(Slot {
                name: item.name.clone(),
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
                let (at, name) = (slot.at.from_pointer("sp"), ident(&slot.name));
                out.extend(quote!(*#at = #name;));
            }
        }
        if !self.top.is_zero() {
            let top = self.top.from_pointer("sp");
            out.extend(quote!(sp = #top;));
        }
        *self = Stack {
            renames: self.renames,
            ..Stack::default()
        };
        out
    }
}
