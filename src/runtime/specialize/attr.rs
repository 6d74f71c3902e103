//! LOAD_ATTR and STORE_ATTR.

use super::{Decision, Refusal};
use crate::bytecode::Opcode;
use crate::object::{Kind, Word};
use crate::runtime::frame::{self, Ip, Locals};
use crate::runtime::thread::Thread;

/// Decides for a load (`_Py_Specialize_LoadAttr`); version and descriptor go into the cache. The descriptor is
/// borrowed: a type that lets it go changes its version.
///
/// # Safety
/// `instr` is a LOAD_ATTR in live code, `locals` are the running frame's.
pub unsafe fn load(ts: &Thread, instr: Ip, locals: Locals, owner: Word, oparg: usize) -> Decision {
    unsafe {
        let name = (&(*frame::code(locals)).names)[oparg >> 1];
        let ty = &*ts.vm().type_of(owner);
        if oparg & 1 == 0 {
            return Err(Refusal::Other);
        }
        if ty.dict_offset != 0 || ty.has_flag(crate::object::types::type_flag::MANAGED_DICT) {
            return Err(Refusal::Other);
        }
        let Some(descr) = ty.lookup(name) else {
            return Err(Refusal::MissingKey);
        };
        if !descr.is_exact(Kind::METHOD_DESCRIPTOR) && !descr.is_exact(Kind::FUNCTION) {
            return Err(Refusal::Other);
        }
        match ty.version() {
            0 => Err(Refusal::OutOfVersions),
            version => {
                instr.add(4).cast::<u32>().write_unaligned(version);
                instr
                    .add(12)
                    .cast::<u64>()
                    .write_unaligned(descr.borrow().bits());
                Ok(Opcode::LOAD_ATTR_METHOD_NO_DICT)
            }
        }
    }
}
