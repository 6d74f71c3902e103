//! The micro-ops that every instruction is made of (`_PyOpcode_macro_expansion`).

use super::Opcode;

/// A cache entry that a micro-op reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CacheRead {
    pub name: &'static str,
    /// Code units behind the instruction's first unit.
    pub unit: usize,
    pub units: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Uop {
    pub name: &'static str,
    /// For an oparg below this, a second tier has the op `NAME_oparg` (`replicate` in bytecodes.c).
    pub replicas: u8,
    pub reads: &'static [CacheRead],
}

pub struct Expansion {
    pub opcode: Opcode,
    pub uops: &'static [Uop],
}

include!(concat!(env!("OUT_DIR"), "/uops.rs"));

impl Opcode {
    /// Its micro-ops in order; none for a number that no instruction has.
    pub fn uops(self) -> &'static [Uop] {
        let at = EXPANSIONS.binary_search_by_key(&self, |expansion| expansion.opcode);
        at.map_or(&[], |at| EXPANSIONS[at].uops)
    }
}
