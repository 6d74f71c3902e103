//! What both the compiler and the interpreter know of bytecode: opcodes, code units, tables, code in plain data.

pub mod opcode;
pub mod spec;
pub mod tables;

pub use opcode::Opcode;
