//! CPython 3.14's evaluation loop in Rust, from one set of instruction definitions, with three forms of dispatch.

pub mod bytecode;
pub mod cli;
pub mod compiler;
pub mod introspect;
pub mod object;
pub mod runtime;
