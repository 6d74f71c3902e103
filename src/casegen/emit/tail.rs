//! The tail form: a function for every instruction, label and cold continuation, and the table of the instructions.

use super::body::{self, Cold};
use super::form::Form;
use crate::casegen::analyze::Analysis;
use crate::casegen::diag::Result;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub fn emit(analysis: &Analysis, colds: &[Cold]) -> Result<TokenStream> {
    let mut out = TokenStream::new();
    let mut slots = vec![quote!(Handler(unassigned)); 256];
    for inst in &analysis.instructions {
        let name = format_ident!("{}", inst.name);
        out.extend(function(
            &inst.name,
            &body::instruction(analysis, inst, Form::Tail)?.code,
            false,
        ));
        slots[usize::from(inst.opcode)] = quote!(Handler(#name));
    }
    for &op in &analysis.labels {
        let name = format!("label_{}", analysis.ops[op].name);
        out.extend(function(
            &name,
            &body::label(analysis, op, Form::Tail)?.code,
            true,
        ));
    }
    for cold in colds {
        out.extend(function(
            &cold.symbol(analysis),
            &body::cold(analysis, cold, Form::Tail)?.code,
            true,
        ));
    }
    Ok(quote! {
        #out
        pub(super) static TABLE: [Handler; 256] = [#(#slots),*];
    })
}

fn function(name: &str, code: &TokenStream, cold: bool) -> TokenStream {
    let ident = format_ident!("{name}");
    // The marker keeps handlers of equal code apart (LLVM merges identical functions), so that a profile names each.
    let marker = format!("# {name}");
    // Inlined into a form that falls back on it, a family head would give that form its frame.
    let attributes = if cold {
        quote!(#[cold] #[inline(never)])
    } else {
        quote!(#[inline(never)])
    };
    quote! {
        #attributes
        pub(super) unsafe extern "rust-preserve-none" fn #ident(
            mut ip: Ip, mut sp: Sp, mut locals: Locals, ts: &Thread, table: Table, mut oparg: usize,
        ) -> Exit {
            unsafe {
                std::arch::asm!(#marker, options(nomem, nostack, preserves_flags));
                #code
            }
        }
    }
}
