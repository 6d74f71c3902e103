//! Opcode ids and their metadata, CPython 3.14's `opcode_ids.h` and `pycore_opcode_metadata.h`.

use std::fmt;

/// An opcode: real ones fit a byte, pseudo-instructions (compiler only) start at 256.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opcode(pub u16);

include!("opcode_tables.rs");

const HAS_ARG: u16 = 1;
const HAS_JUMP: u16 = 2;

fn lookup<T: Copy>(table: &[(u16, T)], op: Opcode) -> Option<T> {
    table.iter().find(|e| e.0 == op.0).map(|e| e.1)
}

impl Opcode {
    /// First pseudo-instruction; nothing at or above it reaches a code object.
    pub const MIN_PSEUDO: Opcode = Opcode(256);
    /// Opcodes below this take no argument (`dis.HAVE_ARGUMENT`).
    pub const HAVE_ARGUMENT: u16 = 43;

    pub fn name(self) -> &'static str {
        lookup(NAMES, self).unwrap_or("<unknown>")
    }
    pub fn from_name(name: &str) -> Option<Opcode> {
        NAMES.iter().find(|e| e.1 == name).map(|e| Opcode(e.0))
    }
    pub fn is_pseudo(self) -> bool {
        self >= Self::MIN_PSEUDO
    }
    /// Code units of inline cache that follow the instruction.
    pub fn caches(self) -> usize {
        lookup(CACHES, self).unwrap_or(0) as usize
    }
    pub fn has_arg(self) -> bool {
        lookup(FLAGS, self).unwrap_or(0) & HAS_ARG != 0
    }
    pub fn has_jump(self) -> bool {
        lookup(FLAGS, self).unwrap_or(0) & HAS_JUMP != 0
    }
    /// The family head of a specialised form; the opcode itself otherwise (`_PyOpcode_Deopt`).
    pub fn deopt(self) -> Opcode {
        lookup(DEOPT, self).map_or(self, Opcode)
    }
    /// Words taken off the stack (`_PyOpcode_num_popped`); None for a number that is no opcode.
    pub fn num_popped(self, oparg: i32) -> Option<i32> {
        popped(self, oparg)
    }
    /// Words put on the stack (`_PyOpcode_num_pushed`).
    pub fn num_pushed(self, oparg: i32) -> Option<i32> {
        pushed(self, oparg)
    }
}

impl fmt::Debug for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
