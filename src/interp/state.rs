//! States of the two loops.

#[allow(non_camel_case_types)]
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
