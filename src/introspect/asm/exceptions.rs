//! Handlers that may have what the others may not, each with the reason.

use super::check::Expectations;
use crate::bytecode::Opcode;

/// Handlers whose meaning is a call: one push that aligns the stack, and no spill.
const CALLS: &[(&str, &str)] = &[];

/// Handlers that do not end in a dispatch.
const ENDS: &[(&str, &str)] = &[];

impl Expectations<'static> {
    /// What this crate's own code is checked against.
    pub fn of_this_crate() -> Expectations<'static> {
        let real = || Opcode::all().filter(|opcode| !opcode.is_pseudo());
        let everything = option_env!("RATTAIL_REPLICATE") == Some("all");
        Expectations {
            opcodes: real().map(Opcode::name).collect(),
            calls: CALLS,
            ends: ENDS,
            replicated: if everything {
                real().count()
            } else {
                Opcode::hot().len()
            },
        }
    }
}
