//! CPython 3.14's evaluation loop in Rust, from one set of instruction definitions, with three forms of dispatch.

#![cfg_attr(
    any(feature = "tail", feature = "lab"),
    feature(explicit_tail_calls, rust_preserve_none_cc)
)]
#![cfg_attr(any(feature = "replicated", feature = "lab"), feature(loop_match))]
#![cfg_attr(
    any(feature = "tail", feature = "replicated", feature = "lab"),
    allow(incomplete_features)
)]
// With this feature the largest small block of the heap is the smallest number.
#![cfg_attr(feature = "system-heap", allow(clippy::absurd_extreme_comparisons))]

pub mod bytecode;
pub mod cli;
pub mod compiler;
pub mod interp;
pub mod introspect;
#[cfg(feature = "lab")]
pub mod lab;
pub mod object;
pub mod runtime;
