//! Deciding what a site becomes (`specialize.c`): one file a family. Handlers do; these decide, and name every refusal.

pub mod attr;
pub mod binary_op;
pub mod call;
pub mod compare;
mod descriptor;
pub mod globals;
pub mod iter;
pub mod refusal;
pub mod subscr;
pub mod truth;

use super::code::CodeObject;
use super::frame::Ip;
use super::function::FunctionObject;
use super::monitoring::code::is_instrumented;
use super::thread::Thread;
use crate::bytecode::Opcode;
use crate::bytecode::backoff::BackoffCounter;
use crate::bytecode::spec::code_flags;
use crate::object::{Kind, Word, bytes, str, tuple};
pub use refusal::Refusal;

/// The code of a Python function with exactly this many parameters, all of them positional (`function_check_args`).
///
/// # Safety
/// `function` is a live function.
unsafe fn python_arguments(function: Word, count: usize) -> Result<*mut CodeObject, Refusal> {
    unsafe {
        let code = (*function.cast::<FunctionObject>()).code.get();
        let complex = code_flags::VARARGS | code_flags::VARKEYWORDS;
        if (*code).flags & complex != 0 || (*code).kwonlyargcount > 0 {
            return Err(Refusal::ComplexParameters);
        }
        if (*code).flags & code_flags::OPTIMIZED == 0 {
            return Err(Refusal::CodeNotOptimized);
        }
        if (*code).argcount as usize != count {
            return Err(Refusal::WrongArgumentCount);
        }
        Ok(code)
    }
}

/// The decision about a site.
pub type Decision = Result<Opcode, Refusal>;

/// The decision, if it may stand while frames are evaluated by a hook: no form that pushes one does.
pub fn unless_hooked(ts: &Thread, decision: Decision) -> Decision {
    let pushes = |form: &Opcode| {
        matches!(
            *form,
            Opcode::CALL_PY_EXACT_ARGS
                | Opcode::CALL_PY_GENERAL
                | Opcode::CALL_BOUND_METHOD_EXACT_ARGS
                | Opcode::CALL_BOUND_METHOD_GENERAL
                | Opcode::CALL_ALLOC_AND_ENTER_INIT
                | Opcode::CALL_KW_PY
                | Opcode::CALL_KW_BOUND_METHOD
                | Opcode::FOR_ITER_GEN
                | Opcode::SEND_GEN
                | Opcode::BINARY_OP_SUBSCR_GETITEM
                | Opcode::LOAD_ATTR_PROPERTY
                | Opcode::LOAD_ATTR_GETATTRIBUTE_OVERRIDDEN
        )
    };
    match decision {
        Ok(form) if ts.has_eval_hook() && pushes(&form) => Err(Refusal::EvalHook),
        decision => decision,
    }
}

/// Writes the decision into the code: the form and a cooldown, or the head again and a longer backoff.
///
/// # Safety
/// `instr` is an instruction with a counter in live code.
pub unsafe fn settle(ts: &Thread, instr: Ip, decision: Decision) {
    unsafe {
        let counter = instr.add(2).cast::<u16>();
        let before = BackoffCounter(counter.read_unaligned());
        let opcode = Opcode(u16::from(*instr));
        let (next, after) = match decision {
            Ok(form) => (form, BackoffCounter::COOLDOWN),
            Err(_) => (opcode.deopt(), before.restart()),
        };
        rewrite(instr, next);
        counter.write_unaligned(after.0);
        ts.settled(instr, opcode, before, decision);
    }
}

/// Writes a form into an instruction, unless tools watch it.
///
/// # Safety
/// `instr` is an instruction in live code, `opcode` of its family.
pub unsafe fn rewrite(instr: Ip, opcode: Opcode) {
    unsafe {
        if !is_instrumented(Opcode(u16::from(*instr))) {
            *instr = opcode.0 as u8;
        }
    }
}

/// Whether CPython would have made the constant immortal: its static objects (the singletons, ints from -5 to 256, '',
/// b'', (), strings of one Latin-1 character) and interned strings. A rule of CPython's objects, not of words.
pub fn is_immortal(constant: Word) -> bool {
    match constant.kind() {
        Kind::INT => constant.is_int() && (-5..=256).contains(&constant.as_int()),
        Kind::STR => {
            let chars = str::chars(constant);
            str::is_interned(constant)
                || chars.is_empty()
                || (chars.len() == 1 && chars.at(0) < 256)
        }
        Kind::BYTES => bytes::contents(constant).len() <= 1,
        // SAFETY: an exact tuple.
        Kind::TUPLE => unsafe { tuple::items(constant) }.is_empty(),
        _ => constant.is_special(),
    }
}
