//! STORE_SUBSCR (`_Py_Specialize_StoreSubscr`).

use super::{Decision, Refusal, python_arguments};
use crate::bytecode::Opcode;
use crate::object::{Kind, Vm, Word, list};

pub fn store(vm: Vm, container: Word, sub: Word) -> Decision {
    match container.kind() {
        Kind::LIST if sub.is_int() && (0..list::len(container) as i64).contains(&sub.as_int()) => {
            Ok(Opcode::STORE_SUBSCR_LIST_INT)
        }
        Kind::LIST if sub.kind() == Kind::INT => Err(Refusal::OutOfRange),
        Kind::LIST if sub.is_exact(Kind::SLICE) => Err(Refusal::StoreListSlice),
        Kind::LIST => Err(Refusal::Other),
        Kind::DICT => Ok(Opcode::STORE_SUBSCR_DICT),
        _ => Err(refused(vm, container, sub)),
    }
}

/// What else is stored into.
#[cold]
fn refused(vm: Vm, container: Word, sub: Word) -> Refusal {
    let index = sub.kind() == Kind::INT;
    // SAFETY: types live as long as an instance, functions as long as the type has them.
    unsafe {
        let ty = &*vm.type_of(container);
        let python = ty.lookup(vm.names.__setitem__);
        if let Some(function) = python.filter(|found| found.is_exact(Kind::FUNCTION)) {
            return match python_arguments(function, 3) {
                Ok(_) | Err(Refusal::WrongArgumentCount) => Refusal::StorePythonSimple,
                Err(_) => Refusal::StorePythonOther,
            };
        }
        let slice = sub.is_exact(Kind::SLICE);
        match (container.kind().base(), ty.name_string().as_str()) {
            (Kind::DICT, _) => Refusal::StoreDictSubclass,
            (Kind::BYTEARRAY, _) | (_, "array.array")
                if index && !(sub.is_int() && sub.as_int() >= 0) =>
            {
                Refusal::OutOfRange
            }
            (Kind::BYTEARRAY, _) if index => Refusal::StoreByteArrayInt,
            (Kind::BYTEARRAY, _) if slice => Refusal::StoreByteArraySlice,
            (_, "array.array") if index => Refusal::StoreArrayInt,
            (_, "array.array") if slice => Refusal::StoreArraySlice,
            _ => Refusal::Other,
        }
    }
}
