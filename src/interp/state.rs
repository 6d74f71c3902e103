//! States of the two loops.

// States are called as opcodes are; only cold code leaves by a state.
#[allow(non_camel_case_types, clippy::upper_case_acronyms, dead_code)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/states.rs"));
}
pub use generated::State;

impl State {
    /// The state of an opcode.
    ///
    /// # Safety
    /// `opcode` is one that has an instruction: code objects are verified.
    #[inline(always)]
    pub unsafe fn of(opcode: u8) -> State {
        // SAFETY: states of instructions have their opcodes' numbers.
        unsafe { std::mem::transmute::<u16, State>(u16::from(opcode)) }
    }
}
