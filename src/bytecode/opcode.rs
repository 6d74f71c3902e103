//! Opcode ids and their metadata, CPython 3.14's `opcode_ids.h` and `pycore_opcode_metadata.h`.

use std::fmt;

/// An opcode: real ones fit a byte, pseudo-instructions (compiler only) start at 256.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Opcode(pub u16);

include!("opcode_tables.rs");

const HAS_ARG: u16 = 1;
const HAS_JUMP: u16 = 2;
const HAS_LOCAL: u16 = 8;
const HAS_NAME: u16 = 16;
const HAS_FREE: u16 = 32;

/// One past the last pseudo-instruction, rounded up.
const IDS: usize = 288;

/// A table by opcode number from one that lists numbers; `rest` is what the others have.
const fn by_number<T: Copy>(listed: &[(u16, T)], rest: T) -> [T; IDS] {
    let mut table = [rest; IDS];
    let mut i = 0;
    while i < listed.len() {
        table[listed[i].0 as usize] = listed[i].1;
        i += 1;
    }
    table
}

static NAME_OF: [&str; IDS] = by_number(NAMES, "<unknown>");
static CACHES_OF: [u8; IDS] = by_number(CACHES, 0);
static FLAGS_OF: [u16; IDS] = by_number(FLAGS, 0);
/// 0 (CACHE, which nothing deoptimises to) where the opcode is its own family head.
static DEOPT_OF: [u16; IDS] = by_number(DEOPT, 0);

fn entry<T: Copy>(table: &[T; IDS], op: Opcode) -> Option<T> {
    table.get(op.0 as usize).copied()
}

impl Opcode {
    /// First pseudo-instruction; nothing at or above it reaches a code object.
    pub const MIN_PSEUDO: Opcode = Opcode(256);
    /// Opcodes below this take no argument (`dis.HAVE_ARGUMENT`).
    pub const HAVE_ARGUMENT: u16 = 43;

    pub fn name(self) -> &'static str {
        entry(&NAME_OF, self).unwrap_or("<unknown>")
    }
    pub fn from_name(name: &str) -> Option<Opcode> {
        NAMES.iter().find(|e| e.1 == name).map(|e| Opcode(e.0))
    }
    pub fn is_pseudo(self) -> bool {
        self >= Self::MIN_PSEUDO
    }
    /// Code units of inline cache that follow the instruction.
    pub fn caches(self) -> usize {
        entry(&CACHES_OF, self).unwrap_or(0) as usize
    }
    pub fn has_arg(self) -> bool {
        entry(&FLAGS_OF, self).unwrap_or(0) & HAS_ARG != 0
    }
    pub fn has_jump(self) -> bool {
        entry(&FLAGS_OF, self).unwrap_or(0) & HAS_JUMP != 0
    }
    /// The argument is a slot of locals, cells and free variables.
    pub fn has_local(self) -> bool {
        entry(&FLAGS_OF, self).unwrap_or(0) & (HAS_LOCAL | HAS_FREE) != 0
    }
    /// The argument is an index of `co_names`, perhaps shifted.
    pub fn has_name(self) -> bool {
        entry(&FLAGS_OF, self).unwrap_or(0) & HAS_NAME != 0
    }
    /// The family head of a specialised form; the opcode itself otherwise (`_PyOpcode_Deopt`).
    pub fn deopt(self) -> Opcode {
        match entry(&DEOPT_OF, self) {
            None | Some(0) => self,
            Some(head) => Opcode(head),
        }
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
