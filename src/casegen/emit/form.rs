//! What the forms of dispatch do differently: how code is left. Entry is each form's own file.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Expr;

/// A word to release.
#[derive(Clone, Debug)]
pub struct Close {
    pub word: Ident,
    /// A slot's word, which always holds a count if it is a pointer; otherwise a stack word, which does if it is owned.
    pub slot: bool,
}

impl Close {
    /// True when the word held the last count of an object.
    fn test(&self) -> TokenStream {
        let word = &self.word;
        let holds = if self.slot {
            quote!(is_pointer)
        } else {
            quote!(is_owned)
        };
        quote!(#word.#holds() && #word.decref())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Every opcode a function, left by `become`.
    Tail,
    /// One loop, one `match`: an arm falls out of `'arm` to the shared fetch.
    Match,
    /// A loop whose hot arms (`true`) fetch and dispatch for themselves.
    Replicated { hot: bool },
    /// A cold continuation as an ordinary function, called by the two loops; it returns the state to go on with.
    ColdCall,
}

impl Form {
    /// A branch that picks the next instruction: jumps where each arm dispatches for itself, a select where one fetch
    /// is shared.
    pub fn splits_branches(self) -> bool {
        matches!(self, Form::Tail | Form::Replicated { hot: true })
    }

    /// On to the next instruction at `ip`. Releasing comes last, and what it frees goes out of line.
    pub fn end(self, closes: &[Close], called: bool) -> TokenStream {
        match self {
            Form::Tail => {
                let table = table(called);
                let mut out = TokenStream::new();
                for (i, close) in closes.iter().enumerate() {
                    // The rest stands above the stack pointer, as stack words, for the free handler to close.
                    let rest = closes[i + 1..].iter().enumerate().map(|(at, close)| {
                        let (at, word) = (Literal::usize_unsuffixed(at), &close.word);
                        let unslot = if close.slot {
                            quote!(.unslot())
                        } else {
                            quote!()
                        };
                        quote!(*sp.add(#at) = #word #unslot;)
                    });
                    let free = format_ident!("free_{}", closes.len() - i - 1);
                    let (test, word) = (close.test(), &close.word);
                    out.extend(quote! {
                        if #test {
                            #(#rest)*
                            become #free(ip, sp, locals, ts, #table, #word.object() as usize)
                        }
                    });
                }
                quote!(#out ts.check(sp, locals); dispatch!(ip, sp, locals, ts, #table))
            }
            // Behind a free LLVM would repeat the arm's own jump, with a table of its own: such paths take the shared one.
            Form::Replicated { hot: true } => {
                let shared = self.end_rarely(called);
                let frees = closes.iter().enumerate().map(|(i, close)| {
                    let (test, word) = (close.test(), &close.word);
                    let rest = closes[i + 1..].iter().map(|close| self.close_now(close));
                    quote! {
                        if #test {
                            free_now(ts, #word, ip, sp, locals);
                            #(#rest)*
                            #shared
                        }
                    }
                });
                quote!(#(#frees)* ts.check(sp, locals); next!())
            }
            _ => {
                let frees = closes.iter().map(|close| self.close_now(close));
                let next = match self {
                    Form::Match => quote!(break 'arm;),
                    Form::Replicated { hot: false } => quote!(shared!()),
                    _ => quote!(return super::fetch(ip, sp, locals, ts);),
                };
                quote!(#(#frees)* ts.check(sp, locals); #next)
            }
        }
    }

    /// On to the next instruction from a place that few executions reach: a hot arm keeps its own jump for the others,
    /// since every copy of it costs the compiler a table.
    pub fn end_rarely(self, called: bool) -> TokenStream {
        let form = match self {
            Form::Replicated { .. } => Form::Replicated { hot: false },
            form => form,
        };
        form.end(&[], called)
    }

    /// Releases a word where other code still follows.
    pub fn close_now(self, close: &Close) -> TokenStream {
        let (test, word) = (close.test(), &close.word);
        let departure = self.departure("Free");
        quote! {
            if #test {
                #departure
                free_now(ts, #word, ip, sp, locals);
            }
        }
    }

    /// Counts that an instruction leaves its fast path, in the loop that counts. Which do, and why, is a matter of the
    /// definitions, the same in every form.
    fn departure(self, why: &str) -> TokenStream {
        let why = format_ident!("{why}");
        match self {
            Form::Match => {
                quote!(if COUNT { ts.count_departure(state as usize, Departure::#why); })
            }
            _ => quote!(),
        }
    }

    /// A failed guard: to the head of the family.
    pub fn miss(self, head: &Ident, called: bool) -> TokenStream {
        let departure = self.departure("Miss");
        let leave = self.to_instruction(head, called);
        quote!(#departure #leave)
    }

    /// To another instruction with the same oparg, `ip` behind its first unit: a failed guard to its family head.
    pub fn to_instruction(self, target: &Ident, called: bool) -> TokenStream {
        match self {
            Form::Tail => {
                let table = table(called);
                quote!(become #target(ip, sp, locals, ts, #table, oparg))
            }
            _ => self.to_state(quote!(State::#target)),
        }
    }

    pub fn to_label(self, label: &Ident, called: bool) -> TokenStream {
        self.to_instruction(&format_ident!("label_{label}"), called)
    }

    fn to_state(self, state: TokenStream) -> TokenStream {
        match self {
            Form::Tail => unreachable!("the tail form has no states"),
            Form::Match => quote!(state = #state; continue 'top;),
            Form::Replicated { .. } => quote!(#[const_continue] break 'next #state;),
            Form::ColdCall => quote!(return super::suspend(ip, sp, locals, ts, oparg, #state);),
        }
    }

    pub fn to_cold(self, symbol: &Ident, called: bool) -> TokenStream {
        let departure = self.departure("Cold");
        match self {
            Form::Tail => {
                let table = table(called);
                quote!(become #symbol(ip, sp, locals, ts, #table, oparg))
            }
            Form::Match | Form::Replicated { .. } => {
                let call = self.call(symbol);
                quote!(#departure #call)
            }
            Form::ColdCall => quote!(return #symbol(ip, sp, locals, ts, oparg);),
        }
    }

    /// To a function with the loop's registers, and on from what it leaves.
    pub fn call(self, symbol: &Ident) -> TokenStream {
        match self {
            Form::Match => quote! {
                state = cold::#symbol(ip, sp, locals, ts, oparg);
                (ip, sp, locals, oparg) = ts.suspended();
                continue 'top;
            },
            Form::Replicated { .. } => quote! {
                let other = cold::#symbol(ip, sp, locals, ts, oparg);
                (ip, sp, locals, oparg) = ts.suspended();
                break 'next other;
            },
            _ => unreachable!("the loops call"),
        }
    }

    /// The instruction just fetched again: its opcode has been rewritten.
    pub fn redispatch(self, called: bool) -> TokenStream {
        match self {
            Form::Tail => {
                let table = table(called);
                quote!(become (TABLE[*ip.sub(2) as usize].0)(ip, sp, locals, ts, #table, oparg))
            }
            Form::Match => quote!(state = State::of(*ip.sub(2)); continue 'top;),
            Form::Replicated { .. } => quote!(break 'next State::of(*ip.sub(2));),
            Form::ColdCall => {
                quote!(return super::suspend(ip, sp, locals, ts, oparg, State::of(*ip.sub(2)));)
            }
        }
    }

    /// The opcode given, with the oparg and ip given, uncounted: the second half of an instruction.
    pub fn dispatch_as(self, opcode: &Expr, arg: &Expr, at: &Expr, called: bool) -> TokenStream {
        let table = table(called);
        match self {
            Form::Tail => quote! {
                let opcode = #opcode;
                let arg = #arg;
                become (TABLE[opcode as usize].0)(#at, sp, locals, ts, #table, arg)
            },
            Form::Match => {
                quote!((state, oparg, ip) = (State::of(#opcode), #arg, #at); continue 'top;)
            }
            Form::Replicated { .. } => quote! {
                let opcode = #opcode;
                (oparg, ip) = (#arg, #at);
                break 'next State::of(opcode);
            },
            Form::ColdCall => {
                quote!(return super::suspend(#at, sp, locals, ts, #arg, State::of(#opcode));)
            }
        }
    }

    /// Out of the loop, with a result.
    pub fn leave(self, value: &Expr) -> TokenStream {
        match self {
            Form::ColdCall => {
                quote!(ts.set_exit(#value); return super::suspend(ip, sp, locals, ts, oparg, State::leave);)
            }
            _ => quote!(return #value;),
        }
    }
}

/// The table's register does not survive an ordinary call; the thread has it too.
fn table(called: bool) -> TokenStream {
    if called {
        quote!(ts.table())
    } else {
        quote!(table)
    }
}
