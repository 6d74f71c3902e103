//! FOR_ITER and UNPACK_SEQUENCE.

use super::{Decision, Refusal};
use crate::bytecode::Opcode;
use crate::object::{Kind, Word, list, tuple};

/// `_Py_Specialize_ForIter`.
pub fn for_iter(iter: Word) -> Decision {
    match iter.kind() {
        Kind::LIST_ITERATOR => Ok(Opcode::FOR_ITER_LIST),
        Kind::TUPLE_ITERATOR => Ok(Opcode::FOR_ITER_TUPLE),
        Kind::RANGE_ITERATOR => Ok(Opcode::FOR_ITER_RANGE),
        Kind::GENERATOR => Ok(Opcode::FOR_ITER_GEN),
        _ => Err(Refusal::Other),
    }
}

/// `_Py_Specialize_Send`.
pub fn send(receiver: Word) -> Decision {
    match receiver.kind() {
        Kind::GENERATOR | Kind::COROUTINE => Ok(Opcode::SEND_GEN),
        _ => Err(Refusal::Other),
    }
}

/// `_Py_Specialize_UnpackSequence`.
pub fn unpack_sequence(seq: Word, count: usize) -> Decision {
    match seq.kind() {
        Kind::TUPLE => {
            // SAFETY: an exact tuple.
            let len = unsafe { tuple::items(seq) }.len();
            match len == count {
                true if count == 2 => Ok(Opcode::UNPACK_SEQUENCE_TWO_TUPLE),
                true => Ok(Opcode::UNPACK_SEQUENCE_TUPLE),
                false => Err(Refusal::OutOfRange),
            }
        }
        Kind::LIST if list::len(seq) == count => Ok(Opcode::UNPACK_SEQUENCE_LIST),
        Kind::LIST => Err(Refusal::OutOfRange),
        _ => Err(Refusal::Other),
    }
}
