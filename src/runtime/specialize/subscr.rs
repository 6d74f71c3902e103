//! STORE_SUBSCR (`_Py_Specialize_StoreSubscr`).

use super::{Decision, Refusal};
use crate::bytecode::Opcode;
use crate::object::{Kind, Word, list};

pub fn store(container: Word, sub: Word) -> Decision {
    match container.kind() {
        Kind::LIST if sub.is_int() && (0..list::len(container) as i64).contains(&sub.as_int()) => {
            Ok(Opcode::STORE_SUBSCR_LIST_INT)
        }
        Kind::LIST if sub.is_int() => Err(Refusal::OutOfRange),
        Kind::DICT => Ok(Opcode::STORE_SUBSCR_DICT),
        _ => Err(Refusal::Other),
    }
}
