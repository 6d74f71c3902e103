//! CALL and CALL_KW (`_Py_Specialize_Call`).

use super::{Decision, Refusal};
use crate::bytecode::Opcode;
use crate::bytecode::spec::code_flags;
use crate::object::descr::{self, MethodObject, meth};
use crate::object::{Kind, Word};
use crate::runtime::call::fits_headroom;
use crate::runtime::frame::Ip;
use crate::runtime::function::FunctionObject;
use crate::runtime::thread::Thread;

/// Decides; the function's version goes into the cache.
///
/// # Safety
/// `instr` is a CALL in live code, the words are live.
pub unsafe fn decide(
    ts: &Thread,
    instr: Ip,
    callable: Word,
    self_or_null: Word,
    count: usize,
) -> Decision {
    let total = count + usize::from(!self_or_null.is_null());
    match callable.kind() {
        Kind::FUNCTION => unsafe { python(instr, callable, total, Opcode::CALL_PY_EXACT_ARGS) },
        Kind::METHOD if self_or_null.is_null() => unsafe {
            let function = (*callable.cast::<MethodObject>()).function;
            if !function.is_exact(Kind::FUNCTION) {
                return Err(Refusal::NotAFunction);
            }
            python(
                instr,
                function,
                total + 1,
                Opcode::CALL_BOUND_METHOD_EXACT_ARGS,
            )
        },
        Kind::BUILTIN_FUNCTION => match convention(callable) {
            meth::O if total != 1 => Err(Refusal::WrongArgumentCount),
            meth::O if callable.is(ts.callables.len.get()) => Ok(Opcode::CALL_LEN),
            meth::O => Ok(Opcode::CALL_BUILTIN_O),
            meth::FASTCALL => Ok(Opcode::CALL_BUILTIN_FAST),
            FAST_WITH_KEYWORDS => Ok(Opcode::CALL_BUILTIN_FAST_WITH_KEYWORDS),
            _ => Err(Refusal::Other),
        },
        Kind::METHOD_DESCRIPTOR => match convention(callable) {
            meth::NOARGS if total != 1 => Err(Refusal::WrongArgumentCount),
            meth::NOARGS => Ok(Opcode::CALL_METHOD_DESCRIPTOR_NOARGS),
            meth::O if total != 2 => Err(Refusal::WrongArgumentCount),
            meth::O => {
                // SAFETY: three cache units, then the next instruction.
                let pops = unsafe { u16::from(*instr.add(8)) } == Opcode::POP_TOP.0;
                let appends = callable.is(ts.callables.list_append.get()) && pops && count == 1;
                if appends && self_or_null.is_exact(Kind::LIST) {
                    return Ok(Opcode::CALL_LIST_APPEND);
                }
                Ok(Opcode::CALL_METHOD_DESCRIPTOR_O)
            }
            meth::FASTCALL => Ok(Opcode::CALL_METHOD_DESCRIPTOR_FAST),
            FAST_WITH_KEYWORDS => Ok(Opcode::CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS),
            _ => Err(Refusal::Other),
        },
        _ => Err(Refusal::Other),
    }
}

const FAST_WITH_KEYWORDS: u16 = meth::FASTCALL | meth::KEYWORDS;

fn convention(callable: Word) -> u16 {
    descr::method_def(callable).map_or(0, |def| def.flags & meth::CALL_MASK)
}

/// `specialize_py_call`.
unsafe fn python(instr: Ip, function: Word, total: usize, exact: Opcode) -> Decision {
    unsafe {
        let function = &*function.cast::<FunctionObject>();
        let code = &*function.code.get();
        let simple = code_flags::OPTIMIZED | code_flags::NEWLOCALS;
        let complex = code_flags::VARARGS | code_flags::VARKEYWORDS;
        if code.flags & (simple | complex) != simple || code.kwonlyargcount > 0 {
            return Err(Refusal::ComplexParameters);
        }
        if code.argcount as usize != total {
            return Err(Refusal::WrongArgumentCount);
        }
        if function.version.get() == 0 {
            return Err(Refusal::OutOfVersions);
        }
        if !fits_headroom(code) {
            return Err(Refusal::FrameTooLarge);
        }
        instr
            .add(4)
            .cast::<u32>()
            .write_unaligned(function.version.get());
        Ok(exact)
    }
}
