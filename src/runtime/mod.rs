//! Everything a running program needs that is no instruction: frames, functions, calls, unwinding, the built-in
//! modules, imports and reports. Start with [`vm`], which a program that embeds a VM uses, and [`thread`], the state
//! that instructions work on.

mod arena;
mod bind;
pub mod builtins;
pub mod call;
pub mod code;
mod code_compare;
mod code_make;
mod code_type;
pub mod counts;
pub mod datastack;
pub mod entry;
pub mod errors;
pub mod eval_hook;
pub mod frame;
pub mod frame_object;
pub mod function;
mod function_type;
pub mod generator;
pub mod import;
mod io_error;
pub mod kwargs;
pub mod modules;
pub mod monitoring;
pub mod names;
pub mod native;
pub mod pending;
pub mod signals;
mod sources;
pub mod specialize;
pub mod stats;
pub mod templates;
pub mod thread;
pub mod traceback;
pub mod tracing;
pub mod unwind;
mod utf8;
pub mod vm;
pub mod warnings;
pub mod watchers;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
