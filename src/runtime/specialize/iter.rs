//! FOR_ITER and UNPACK_SEQUENCE.

use super::{Decision, Refusal};
use crate::bytecode::Opcode;
use crate::object::{Kind, Vm, Word, list, tuple};

/// `_Py_Specialize_ForIter`.
pub fn for_iter(vm: Vm, iter: Word) -> Decision {
    match iter.kind() {
        Kind::LIST_ITERATOR => Ok(Opcode::FOR_ITER_LIST),
        Kind::TUPLE_ITERATOR => Ok(Opcode::FOR_ITER_TUPLE),
        Kind::RANGE_ITERATOR => Ok(Opcode::FOR_ITER_RANGE),
        Kind::GENERATOR => Ok(Opcode::FOR_ITER_GEN),
        _ => Err(refused_iterator(vm, iter)),
    }
}

/// What else is iterated over, by the type's name (`_PySpecialization_ClassifyIterator`).
#[cold]
fn refused_iterator(vm: Vm, iter: Word) -> Refusal {
    // SAFETY: types live as long as an instance.
    let name = unsafe { (*vm.type_of(iter)).name_string() };
    match name.as_str() {
        "coroutine" => Refusal::IterCoroutine,
        "async_generator" => Refusal::IterAsyncGenerator,
        "async_generator_asend" => Refusal::IterAsyncGeneratorSend,
        "set_iterator" => Refusal::IterSet,
        "str_iterator" => Refusal::IterString,
        "str_ascii_iterator" => Refusal::IterAsciiString,
        "bytes_iterator" => Refusal::IterBytes,
        "dict_keyiterator" => Refusal::IterDictKeys,
        "dict_itemiterator" => Refusal::IterDictItems,
        "dict_valueiterator" => Refusal::IterDictValues,
        "enumerate" => Refusal::IterEnumerate,
        "map" => Refusal::IterMap,
        "zip" => Refusal::IterZip,
        "iterator" => Refusal::IterSequence,
        "list_reverseiterator" => Refusal::IterReversedList,
        "callable_iterator" => Refusal::IterCallable,
        name if name.starts_with("itertools.") => Refusal::IterItertools,
        _ => Refusal::Other,
    }
}

/// `_Py_Specialize_Send`.
pub fn send(vm: Vm, receiver: Word) -> Decision {
    match receiver.kind() {
        Kind::GENERATOR | Kind::COROUTINE => Ok(Opcode::SEND_GEN),
        Kind::LIST_ITERATOR => Err(Refusal::IterList),
        Kind::TUPLE_ITERATOR => Err(Refusal::IterTuple),
        Kind::RANGE_ITERATOR => Err(Refusal::IterRange),
        _ => Err(refused_iterator(vm, receiver)),
    }
}

/// `_Py_Specialize_UnpackSequence`.
pub fn unpack_sequence(vm: Vm, seq: Word, count: usize) -> Decision {
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
        _ => {
            // SAFETY: types live as long as an instance.
            let slots = unsafe { &(*vm.type_of(seq)).slots };
            Err(match (slots.iternext, slots.getitem) {
                (Some(_), _) => Refusal::UnpackIterator,
                (None, Some(_)) => Refusal::UnpackSequence,
                (None, None) => Refusal::Other,
            })
        }
    }
}
