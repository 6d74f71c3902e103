//! CPython 3.14's evaluation loop in Rust, from one set of instruction definitions, with three forms of dispatch.

#![cfg_attr(feature = "tail", feature(explicit_tail_calls, rust_preserve_none_cc))]
#![cfg_attr(feature = "replicated", feature(loop_match))]
#![cfg_attr(
    any(feature = "tail", feature = "replicated"),
    allow(incomplete_features)
)]

pub mod bytecode;
pub mod cli;
pub mod compiler;
pub mod interp;
pub mod introspect;
pub mod object;
pub mod runtime;
