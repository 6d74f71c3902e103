//! The replicated form: `loop_match`, where the end of a hot arm matches on the next opcode itself and jumps straight
//! to its arm; the other arms share one jump.

use super::body;
use super::form::Form;
use crate::casegen::analyze::{Analysis, Placement};
use crate::casegen::diag::Result;
use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};

pub fn emit(analysis: &Analysis, replicate_all: bool) -> Result<TokenStream> {
    let mut arms = TokenStream::new();
    let mut targets = TokenStream::new();
    let mut sites = 0usize;
    for inst in &analysis.instructions {
        let name = format_ident!("{}", inst.name);
        let number = proc_macro2::Literal::u8_unsuffixed(inst.opcode as u8);
        let form = Form::Replicated {
            hot: inst.placement == Placement::Hot || replicate_all,
        };
        let code = match inst.placement {
            Placement::Outlined => form.call(&super::outlined(inst)),
            _ => body::instruction(analysis, inst, form)?.code,
        };
        sites += dispatches(&code);
        arms.extend(quote!(State::#name => { #code }));
        targets.extend(quote!(#number => { #[const_continue] break 'next State::#name; }));
    }
    for &op in &analysis.labels {
        let name = format_ident!("label_{}", analysis.ops[op].name);
        let code = body::label(analysis, op, Form::Replicated { hot: false })?.code;
        arms.extend(quote!(State::#name => { #code }));
    }
    Ok(quote! {
        /// Dispatches written into the arms; what is left shares one more.
        pub const SITES: usize = #sites;

        /// Runs from `ip` until the frame that entered leaves.
        #[inline(never)]
        pub unsafe fn run(mut ip: Ip, mut sp: Sp, mut locals: Locals, ts: &Thread) -> Exit {
            unsafe {
                let mut state = State::of(*ip);
                let mut oparg = *ip.add(1) as usize;
                ip = ip.add(2);
                #[loop_match]
                loop {
                    state = 'next: {
                        macro_rules! next {
                            () => {{
                                let opcode = *ip;
                                oparg = *ip.add(1) as usize;
                                ip = ip.add(2);
                                match opcode {
                                    #targets
                                    _ => std::hint::unreachable_unchecked(),
                                }
                            }};
                        }
                        macro_rules! shared {
                            () => {{
                                let opcode = *ip;
                                oparg = *ip.add(1) as usize;
                                ip = ip.add(2);
                                break 'next State::of(opcode);
                            }};
                        }
                        match state {
                            #arms
                            State::leave => return ts.take_exit(),
                        }
                    };
                }
            }
        }
    })
}

/// How many times the code of an arm dispatches for itself.
fn dispatches(code: &TokenStream) -> usize {
    let mut tokens = code.clone().into_iter().peekable();
    let mut count = 0;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => count += dispatches(&group.stream()),
            TokenTree::Ident(name) if name == "next" => {
                let called =
                    matches!(tokens.peek(), Some(TokenTree::Punct(mark)) if mark.as_char() == '!');
                count += usize::from(called);
            }
            _ => {}
        }
    }
    count
}
