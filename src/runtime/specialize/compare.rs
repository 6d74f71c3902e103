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
        return Err(match (left.kind(), right.kind()) {
            (Kind::FLOAT, Kind::INT) => Refusal::CompareFloatLong,
            (Kind::INT, Kind::FLOAT) => Refusal::CompareLongFloat,
            _ => Refusal::CompareDifferentTypes,
        });
    }
    if both(Kind::FLOAT) {
        return Ok(Opcode::COMPARE_OP_FLOAT);
    }
    if both(Kind::INT) {
        return if Word::both_int(left, right) {
            Ok(Opcode::COMPARE_OP_INT)
        } else {
            Err(Refusal::CompareBigInt)
        };
    }
    if both(Kind::STR) {
        return if matches!(oparg >> 5, EQ | NE) {
            Ok(Opcode::COMPARE_OP_STR)
        } else {
            Err(Refusal::CompareString)
        };
    }
    Err(match left.kind() {
        Kind::BYTES => Refusal::CompareBytes,
        Kind::TUPLE => Refusal::CompareTuple,
        Kind::LIST => Refusal::CompareList,
        Kind::SET | Kind::FROZENSET => Refusal::CompareSet,
        Kind::BOOL => Refusal::CompareBool,
        Kind::INSTANCE => Refusal::CompareBaseObject,
        _ => Refusal::Other,
    })
}

/// `_Py_Specialize_ContainsOp`.
pub fn contains_op(container: Word) -> Decision {
    match container.kind() {
        Kind::DICT => Ok(Opcode::CONTAINS_OP_DICT),
        Kind::SET | Kind::FROZENSET => Ok(Opcode::CONTAINS_OP_SET),
        Kind::STR => Err(Refusal::ContainsStr),
        Kind::TUPLE => Err(Refusal::ContainsTuple),
        Kind::LIST => Err(Refusal::ContainsList),
        Kind::INSTANCE => Err(Refusal::ContainsUserClass),
        _ => Err(Refusal::Other),
    }
}
