//! Analysed definitions to Rust text, one file of output each.

pub mod body;
mod form;
mod macros;
mod match_loop;
mod replicated;
mod tables;
mod tail;

pub use form::Form;

use super::analyze::{Analysis, Instruction, Placement};
use super::diag::{Diag, Pos, Result, settle};
use super::rules::Rule;
use super::words::Words;
use body::Cold;
use proc_macro2::{Ident, TokenStream};
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
    let colds = collect_colds(analysis)?;
    let one = |r: Result<TokenStream>| r.map_err(|d| vec![d]);
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
        ("cold.rs", one(called_functions(analysis, &colds))?),
    ];
    let printed = files
        .into_iter()
        .map(|(name, tokens)| print(name, &tokens, sources));
    printed.collect::<Result<_>>().map_err(|d| vec![d])
}

/// Pretty-prints one file; `tokens` are items.
fn print(name: &'static str, tokens: &TokenStream, sources: &[&str]) -> Result<Output> {
    let file: syn::File =
        syn::parse2(tokens.clone()).map_err(|e| unprintable(&Pos::default(), name, &e))?;
    let text = format!(
        "// Generated from {} by casegen. Do not edit.\n\n{}",
        sources.join(", "),
        prettyplease::unparse(&file)
    );
    Ok(Output { name, text })
}

/// A mistake of the generator, not of a definition; still no reason to panic.
fn unprintable(pos: &Pos, what: &str, e: &syn::Error) -> Diag {
    Diag::new(
        pos,
        Rule::OutputSyntax,
        format!("what `{what}` becomes is not Rust: {e}"),
    )
}

/// Continuations reachable from any instruction, those of continuations included. The other forms' code is the same but
/// for how it is entered and left, so whatever cannot be emitted is found here.
fn collect_colds(analysis: &Analysis) -> std::result::Result<Vec<Cold>, Vec<Diag>> {
    let form = Form::ColdCall;
    let mut found: Vec<Cold> = vec![];
    let mut diags = vec![];
    let mut collect = |emitted: Result<body::Emitted>, found: &mut Vec<Cold>| match emitted {
        Ok(emitted) => {
            for cold in emitted.colds {
                if !found.contains(&cold) {
                    found.push(cold);
                }
            }
        }
        Err(diag) => diags.push(diag),
    };
    for inst in &analysis.instructions {
        collect(body::instruction(analysis, inst, form), &mut found);
    }
    for &label in &analysis.labels {
        collect(body::label(analysis, label, form), &mut found);
    }
    let mut next = 0;
    while let Some(cold) = found.get(next).cloned() {
        collect(body::cold(analysis, &cold, form), &mut found);
        next += 1;
    }
    settle(found, diags)
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

/// The function that the loops call for an instruction.
fn outlined(inst: &Instruction) -> Ident {
    format_ident!("outlined_{}", inst.name)
}

/// Functions that the loops call, each with the state to go on with as its result.
fn called_functions(analysis: &Analysis, colds: &[Cold]) -> Result<TokenStream> {
    let mut functions = TokenStream::new();
    let instructions = analysis.instructions.iter();
    for inst in instructions.filter(|inst| inst.placement == Placement::Outlined) {
        let name = outlined(inst);
        let code = body::instruction(analysis, inst, Form::ColdCall)?.code;
        functions.extend(quote! {
            #[inline(never)]
            pub unsafe fn #name(mut ip: Ip, mut sp: Sp, mut locals: Locals, ts: &Thread, mut oparg: usize) -> State {
                unsafe { #code }
            }
        });
    }
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
