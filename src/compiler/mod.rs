//! Source text to code objects, with CPython 3.14's own passes in its order.

pub mod assemble;
pub mod cfg;
pub mod error;
pub mod instr;
pub mod opt;
