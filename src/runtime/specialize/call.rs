//! CALL and CALL_KW (`_Py_Specialize_Call`, `_Py_Specialize_CallKw`).

use super::{Decision, Refusal, python_arguments};
use crate::bytecode::Opcode;
use crate::bytecode::spec::code_flags;
use crate::object::descr::{self, MethodObject, meth};
use crate::object::types::{NewFn, type_flag};
use crate::object::{Kind, TypeObject, Word, object_type};
use crate::runtime::call::fits_headroom;
use crate::runtime::frame::Ip;
use crate::runtime::function::FunctionObject;
use crate::runtime::thread::Thread;
use std::ptr::fn_addr_eq;

unsafe fn cache_version(instr: Ip, version: u32) {
    unsafe { instr.add(4).cast::<u32>().write_unaligned(version) }
}

/// Decides; the version of a function, or of a class, goes into the cache.
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
    unsafe {
        match callable.kind() {
            Kind::FUNCTION => python(
                instr,
                callable,
                total,
                Opcode::CALL_PY_EXACT_ARGS,
                Opcode::CALL_PY_GENERAL,
            ),
            Kind::BUILTIN_FUNCTION => builtin(ts, callable, total, count),
            kind if kind.base() == Kind::TYPE => class(ts, instr, callable, total, count),
            Kind::METHOD_DESCRIPTOR
                if ts.vm().type_of(callable) == ts.vm().types.method_descriptor =>
            {
                method_descriptor(ts, instr, callable, total, count)
            }
            Kind::METHOD => python(
                instr,
                bound_function(callable)?,
                total + 1,
                Opcode::CALL_BOUND_METHOD_EXACT_ARGS,
                Opcode::CALL_BOUND_METHOD_GENERAL,
            ),
            _ => Ok(Opcode::CALL_NON_PY_GENERAL),
        }
    }
}

/// `specialize_py_call`: one form for functions whose parameters are exactly the arguments, one for the others.
unsafe fn python(
    instr: Ip,
    function: Word,
    total: usize,
    exact: Opcode,
    general: Opcode,
) -> Decision {
    unsafe {
        let form = match python_arguments(function, total) {
            Ok(code) if !fits_headroom(&*code) => return Err(Refusal::FrameTooLarge),
            Ok(_) => exact,
            Err(_) => general,
        };
        cache_function(instr, function)?;
        Ok(form)
    }
}

/// Decides for a call with keywords.
///
/// # Safety
/// `instr` is a CALL_KW in live code, the word is live.
pub unsafe fn decide_kw(instr: Ip, callable: Word) -> Decision {
    unsafe {
        match callable.kind() {
            Kind::FUNCTION => {
                cache_function(instr, callable)?;
                Ok(Opcode::CALL_KW_PY)
            }
            Kind::METHOD => {
                cache_function(instr, bound_function(callable)?)?;
                Ok(Opcode::CALL_KW_BOUND_METHOD)
            }
            _ => Ok(Opcode::CALL_KW_NON_PY),
        }
    }
}

unsafe fn bound_function(method: Word) -> Result<Word, Refusal> {
    let function = unsafe { (*method.cast::<MethodObject>()).function };
    if function.is_exact(Kind::FUNCTION) {
        Ok(function)
    } else {
        Err(Refusal::CallBoundMethod)
    }
}

/// Puts the function's version into the cache.
unsafe fn cache_function(instr: Ip, function: Word) -> Result<(), Refusal> {
    unsafe {
        let function = &*function.cast::<FunctionObject>();
        let code = &*function.code.get();
        let complex = code.flags & (code_flags::VARARGS | code_flags::VARKEYWORDS) != 0;
        if !complex && code.kwonlyargcount == 0 && code.flags & code_flags::OPTIMIZED == 0 {
            return Err(Refusal::CodeNotOptimized);
        }
        match function.version.get() {
            0 => Err(Refusal::OutOfVersions),
            version => {
                cache_version(instr, version);
                Ok(())
            }
        }
    }
}

/// `specialize_c_call`.
fn builtin(ts: &Thread, callable: Word, total: usize, count: usize) -> Decision {
    match convention(callable) {
        meth::O if total != 1 => Err(Refusal::WrongArgumentCount),
        meth::O if callable.is(ts.callables.len.get()) => Ok(Opcode::CALL_LEN),
        meth::O => Ok(Opcode::CALL_BUILTIN_O),
        meth::FASTCALL => {
            let is_instance = callable.is(ts.callables.isinstance.get());
            Ok(if is_instance && total == 2 && count == 2 {
                Opcode::CALL_ISINSTANCE
            } else {
                Opcode::CALL_BUILTIN_FAST
            })
        }
        FAST_WITH_KEYWORDS => Ok(Opcode::CALL_BUILTIN_FAST_WITH_KEYWORDS),
        _ => Ok(Opcode::CALL_NON_PY_GENERAL),
    }
}

/// `specialize_method_descriptor`.
unsafe fn method_descriptor(
    ts: &Thread,
    instr: Ip,
    callable: Word,
    total: usize,
    count: usize,
) -> Decision {
    match convention(callable) {
        meth::NOARGS if total != 1 => Err(Refusal::WrongArgumentCount),
        meth::NOARGS => Ok(Opcode::CALL_METHOD_DESCRIPTOR_NOARGS),
        meth::O if total != 2 => Err(Refusal::WrongArgumentCount),
        meth::O => {
            // SAFETY: three cache units, then the next instruction.
            let pops = unsafe { u16::from(*instr.add(8)) } == Opcode::POP_TOP.0;
            let appends = callable.is(ts.callables.list_append.get()) && pops && count == 1;
            Ok(if appends {
                Opcode::CALL_LIST_APPEND
            } else {
                Opcode::CALL_METHOD_DESCRIPTOR_O
            })
        }
        meth::FASTCALL => Ok(Opcode::CALL_METHOD_DESCRIPTOR_FAST),
        FAST_WITH_KEYWORDS => Ok(Opcode::CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS),
        _ => Ok(Opcode::CALL_NON_PY_GENERAL),
    }
}

const FAST_WITH_KEYWORDS: u16 = meth::FASTCALL | meth::KEYWORDS;

fn convention(callable: Word) -> u16 {
    descr::method_def(callable).map_or(0, |def| def.flags & meth::CALL_MASK)
}

/// `specialize_class_call`.
unsafe fn class(ts: &Thread, instr: Ip, callable: Word, total: usize, count: usize) -> Decision {
    unsafe {
        let types = &ts.vm().types;
        let ty: *mut TypeObject = callable.cast();
        if ts.vm().type_of(callable) != types.type_ {
            return Ok(Opcode::CALL_NON_PY_GENERAL);
        }
        if !(*ty).has_flag(type_flag::HEAPTYPE) {
            if total == 1 && count == 1 {
                if ty == types.str {
                    return Ok(Opcode::CALL_STR_1);
                }
                if ty == types.type_ {
                    return Ok(Opcode::CALL_TYPE_1);
                }
                if ty == types.tuple {
                    return Ok(Opcode::CALL_TUPLE_1);
                }
            }
            return Ok(if (*ty).has_flag(type_flag::VECTORCALL) {
                Opcode::CALL_BUILTIN_CLASS
            } else {
                Opcode::CALL_NON_PY_GENERAL
            });
        }
        let object_new = object_type::object_new as NewFn;
        let plain = (*ty)
            .slots
            .new
            .is_some_and(|new| fn_addr_eq(new, object_new));
        if plain
            && !(*ty).has_flag(type_flag::ABSTRACT)
            && let Some(init) = (*ty).lookup(ts.vm().names.__init__)
            && init.is_exact(Kind::FUNCTION)
            && is_simple(init)
        {
            let version = (*ty).version();
            if version != 0 {
                (*ty).spec_init.set(Some(init.borrow()));
                cache_version(instr, version);
                return Ok(Opcode::CALL_ALLOC_AND_ENTER_INIT);
            }
        }
        Ok(Opcode::CALL_NON_PY_GENERAL)
    }
}

unsafe fn is_simple(function: Word) -> bool {
    unsafe {
        let code = (*function.cast::<FunctionObject>()).code.get();
        python_arguments(function, (*code).argcount as usize).is_ok()
    }
}

/// Marks the built-in types that CPython gives a `tp_vectorcall`: what CALL_BUILTIN_CLASS guards on.
pub fn mark_vectorcall_types(ts: &Thread) {
    let types = &ts.types;
    let with_vectorcall = [
        types.type_,
        types.int,
        types.bool_,
        types.float,
        types.str,
        types.tuple,
        types.list,
        types.dict,
        types.set,
        types.frozenset,
        types.range,
        types.super_,
        types.enumerate,
        types.map,
        types.filter,
        types.reversed,
    ];
    let exc = &ts.exc;
    // Exceptions with a layout of their own, and what derives from them, have none.
    let without = [
        exc.OSError,
        exc.BaseExceptionGroup,
        exc.ImportError,
        exc.NameError,
        exc.AttributeError,
        exc.StopIteration,
        exc.SyntaxError,
        exc.SystemExit,
        exc.MemoryError,
        exc.UnicodeEncodeError,
        exc.UnicodeDecodeError,
        exc.UnicodeTranslateError,
    ];
    // SAFETY: the types live as long as the VM.
    let plain = |ty: &*mut TypeObject| unsafe {
        !ty.is_null() && !without.iter().any(|&other| (**ty).is_subtype(other))
    };
    for ty in with_vectorcall.into_iter().chain(exc.all().filter(plain)) {
        // SAFETY: the types live as long as the VM.
        unsafe { (*ty).flags.set((*ty).flags.get() | type_flag::VECTORCALL) };
    }
}
