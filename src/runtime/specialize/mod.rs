//! Deciding what a site becomes (`specialize.c`): one file a family. Handlers do; these decide, and name every refusal.

pub mod attr;
pub mod binary_op;
pub mod call;
pub mod compare;
pub mod globals;
pub mod iter;
pub mod subscr;
pub mod truth;

use super::frame::Ip;
use crate::bytecode::Opcode;
use crate::bytecode::backoff::BackoffCounter;

/// Why a site stays generic (`SPEC_FAIL_*`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Refusal {
    /// Nothing more particular (`SPEC_FAIL_OTHER`).
    Other,
    DifferentTypes,
    OutOfRange,
    NotCompactInt,
    Subclass,
    Unhashable,
    MetaclassOverridden,
    NotAFunction,
    CodeNotOptimized,
    ComplexParameters,
    WrongArgumentCount,
    OutOfVersions,
    FrameTooLarge,
    MissingKey,
    NotAString,
    ValueTooWide,
    Operator,
}

/// The decision about a site.
pub type Decision = Result<Opcode, Refusal>;

/// Writes the decision into the code: the form and a cooldown, or the head again and a longer backoff.
///
/// # Safety
/// `instr` is an instruction with a counter in live code.
pub unsafe fn settle(instr: Ip, decision: Decision) {
    unsafe {
        let counter = instr.add(2).cast::<u16>();
        let (opcode, next) = match decision {
            Ok(opcode) => (opcode, BackoffCounter::COOLDOWN),
            Err(_) => {
                (Opcode(u16::from(*instr)).deopt(), BackoffCounter(counter.read_unaligned()).restart())
            }
        };
        *instr = opcode.0 as u8;
        counter.write_unaligned(next.0);
    }
}

/// Writes a form into an instruction without a counter.
///
/// # Safety
/// `instr` is an instruction in live code, `opcode` of its family.
pub unsafe fn rewrite(instr: Ip, opcode: Opcode) {
    unsafe { *instr = opcode.0 as u8 }
}
