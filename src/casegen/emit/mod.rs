//! Analysed definitions to Rust text, one file of output each.

pub mod body;
mod form;
mod match_loop;
mod replicated;
mod tables;
mod tail;

pub use form::Form;

use super::analyze::Analysis;
use super::diag::{Diag, Result};
use super::effect::Words;
use body::Cold;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

fn words(n: i64) -> Words {
    Words::of(n)
}

/// One generated file.
pub struct Output {
    pub name: &'static str,
    pub text: String,
}

/// Every file that the crate includes. `replicate_all` makes each opcode replicate its dispatch.
pub fn all(
    analysis: &Analysis,
    replicate_all: bool,
    sources: &[&str],
) -> std::result::Result<Vec<Output>, Vec<Diag>> {
    let one = |r: Result<TokenStream>| r.map_err(|d| vec![d]);
    let colds = collect_colds(analysis).map_err(|d| vec![d])?;
    let files = [
        ("opcode_tables.rs", tables::opcodes(analysis)),
        ("uops.rs", tables::uops(analysis)),
        ("states.rs", states(analysis)),
        ("tail.rs", one(tail::emit(analysis, &colds))?),
        ("match_loop.rs", one(match_loop::emit(analysis))?),
        (
            "replicated.rs",
            one(replicated::emit(analysis, replicate_all))?,
        ),
        ("cold.rs", one(cold_calls(analysis, &colds))?),
    ];
    files
        .into_iter()
        .map(|(name, tokens)| {
            Ok(Output {
                name,
                text: print(name, &tokens, sources),
            })
        })
        .collect()
}

/// Pretty-prints one file; `tokens` are items.
pub fn print(name: &str, tokens: &TokenStream, sources: &[&str]) -> String {
    let file: syn::File = match syn::parse2(tokens.clone()) {
        Ok(file) => file,
        Err(e) => panic!("generated {name} does not parse: {e}"),
    };
    format!(
        "// Generated from {} by casegen. Do not edit.\n\n{}",
        sources.join(", "),
        prettyplease::unparse(&file)
    )
}

/// Continuations reachable from any instruction, those of continuations included.
fn collect_colds(analysis: &Analysis) -> Result<Vec<Cold>> {
    let mut found: Vec<Cold> = vec![];
    for inst in &analysis.instructions {
        found.extend(body::instruction(analysis, inst, Form::ColdCall)?.colds);
    }
    let mut next = 0;
    while next < found.len() {
        for cold in body::cold(analysis, &found[next], Form::ColdCall)?.colds {
            if !found.contains(&cold) {
                found.push(cold);
            }
        }
        next += 1;
    }
    Ok(found)
}

/// The states of the loops: every opcode under its number, then labels, then the way out.
fn states(analysis: &Analysis) -> TokenStream {
    let ops = analysis.instructions.iter().map(|i| {
        let (name, number) = (format_ident!("{}", i.name), i.opcode);
        quote!(#name = #number)
    });
    let labels = analysis
        .labels
        .iter()
        .map(|&l| format_ident!("label_{}", analysis.ops[l].name));
    quote! {
        /// What a loop does next: an instruction (under its opcode), a label, or leaving.
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[repr(u16)]
        pub enum State { #(#ops,)* #(#labels,)* leave }
    }
}

fn cold_calls(analysis: &Analysis, colds: &[Cold]) -> Result<TokenStream> {
    let mut functions = TokenStream::new();
    for cold in colds {
        let name = format_ident!("{}", cold.symbol(analysis));
        let code = body::cold(analysis, cold, Form::ColdCall)?.code;
        functions.extend(quote! {
            #[cold]
            #[inline(never)]
            pub unsafe fn #name(mut ip: Ip, mut sp: Sp, mut locals: Locals, ts: &Thread, mut oparg: usize) -> State {
                unsafe { #code }
            }
        });
    }
    Ok(functions)
}
