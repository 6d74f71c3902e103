//! What both the compiler and the interpreter know of bytecode: opcodes, code units, tables, code in plain data.

pub mod backoff;
pub mod expansion;
pub mod instructions;
pub mod opcode;
pub mod operands;
pub mod printable;
pub mod repr;
pub mod spec;
pub mod tables;
pub mod verify;

pub use opcode::Opcode;
