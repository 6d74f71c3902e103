//! COMPARE_OP and CONTAINS_OP.

use super::{Decision, Refusal};
use crate::bytecode::Opcode;
use crate::object::{Kind, Word};

/// Number of `==` among the comparisons; `!=` follows.
const EQ: usize = 2;
const NE: usize = 3;

/// `_Py_Specialize_CompareOp`.
pub fn compare_op(left: Word, right: Word, oparg: usize) -> Decision {
    let both = |kind| left.kind() == kind && right.kind() == kind;
    if left.kind() != right.kind() {
        return Err(Refusal::DifferentTypes);
    }
    if both(Kind::FLOAT) {
        return Ok(Opcode::COMPARE_OP_FLOAT);
    }
    if both(Kind::INT) {
        return if Word::both_int(left, right) {
            Ok(Opcode::COMPARE_OP_INT)
        } else {
            Err(Refusal::NotCompactInt)
        };
    }
    if both(Kind::STR) {
        return if matches!(oparg >> 5, EQ | NE) {
            Ok(Opcode::COMPARE_OP_STR)
        } else {
            Err(Refusal::Operator)
        };
    }
    Err(Refusal::Other)
}

/// `_Py_Specialize_ContainsOp`.
pub fn contains_op(container: Word) -> Decision {
    match container.kind() {
        Kind::DICT => Ok(Opcode::CONTAINS_OP_DICT),
        Kind::SET | Kind::FROZENSET => Ok(Opcode::CONTAINS_OP_SET),
        _ => Err(Refusal::Other),
    }
}
