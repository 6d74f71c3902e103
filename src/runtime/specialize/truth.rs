//! TO_BOOL (`_Py_Specialize_ToBool`).

use super::{Decision, Refusal};
use crate::bytecode::Opcode;
use crate::object::types::type_flag;
use crate::object::{Kind, TypeObject, Vm, Word};
use crate::runtime::frame::Ip;

/// Decides; the type's version goes into the cache of TO_BOOL_ALWAYS_TRUE.
///
/// # Safety
/// `instr` is a TO_BOOL in live code.
pub unsafe fn decide(vm: Vm, instr: Ip, value: Word) -> Decision {
    match value.kind() {
        Kind::BOOL => Ok(Opcode::TO_BOOL_BOOL),
        Kind::INT => Ok(Opcode::TO_BOOL_INT),
        Kind::LIST => Ok(Opcode::TO_BOOL_LIST),
        Kind::NONE => Ok(Opcode::TO_BOOL_NONE),
        Kind::STR => Ok(Opcode::TO_BOOL_STR),
        _ => {
            // SAFETY: types live as long as an instance.
            let ty = unsafe { &*vm.type_of(value) };
            if ty.slots.bool.is_some() || ty.slots.len.is_some() {
                return Err(refused(ty, value));
            }
            if !ty.has_flag(type_flag::HEAPTYPE) {
                return Err(Refusal::Other);
            }
            match ty.version() {
                0 => Err(Refusal::OutOfVersions),
                version => {
                    // SAFETY: the units behind the counter.
                    unsafe { instr.add(4).cast::<u32>().write_unaligned(version) };
                    Ok(Opcode::TO_BOOL_ALWAYS_TRUE)
                }
            }
        }
    }
}

/// What else has a truth value of its own.
#[cold]
fn refused(ty: &TypeObject, value: Word) -> Refusal {
    match value.kind() {
        Kind::BYTEARRAY => Refusal::BoolByteArray,
        Kind::BYTES => Refusal::BoolBytes,
        Kind::DICT => Refusal::BoolDict,
        Kind::FLOAT => Refusal::BoolFloat,
        Kind::SET | Kind::FROZENSET => Refusal::BoolSet,
        Kind::TUPLE => Refusal::BoolTuple,
        _ if ty.slots.bool.is_some() => Refusal::BoolNumber,
        _ if ty.has_flag(type_flag::MAPPING) => Refusal::BoolMapping,
        _ => Refusal::BoolSequence,
    }
}
