//! The match form: one loop, one `match`.

use super::body;
use super::form::Form;
use crate::casegen::analyze::{Analysis, Placement};
use crate::casegen::diag::Result;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub fn emit(analysis: &Analysis) -> Result<TokenStream> {
    let mut arms = TokenStream::new();
    for inst in &analysis.instructions {
        let name = format_ident!("{}", inst.name);
        let mut code = body::instruction(analysis, inst, Form::Match)?.code;
        if inst.placement == Placement::Outlined {
            let call = Form::Match.call(&super::outlined(inst));
            // The loop that counts needs to see what leaves the fast path.
            code = quote!(if COUNT { #code } else { #call });
        }
        arms.extend(quote!(State::#name => { #code }));
    }
    for &op in &analysis.labels {
        let name = format_ident!("label_{}", analysis.ops[op].name);
        let code = body::label(analysis, op, Form::Match)?.code;
        arms.extend(quote!(State::#name => { #code }));
    }
    Ok(quote! {
        /// Runs from `ip` until the frame that entered leaves. With `COUNT`, counts every instruction fetched.
        #[inline(never)]
        pub unsafe fn run<const COUNT: bool>(mut ip: Ip, mut sp: Sp, mut locals: Locals, ts: &Thread) -> Exit {
            unsafe {
                let mut oparg: usize;
                let mut state: State;
                loop {
                    state = State::of(*ip);
                    oparg = *ip.add(1) as usize;
                    ip = ip.add(2);
                    if COUNT {
                        ts.count(ip.sub(2));
                    }
                    'arm: {
                        'top: loop {
                            match state {
                                #arms
                                State::leave => return ts.take_exit(),
                            }
                        }
                    }
                }
            }
        }
    })
}
