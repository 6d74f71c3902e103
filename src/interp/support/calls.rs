//! Calls from the loop.

use super::word_or_null;
use crate::interp::abi::{Ip, Locals};
use crate::object::descr::{BuiltinFunctionObject, MethodDescriptorObject, MethodObject, meth};
use crate::object::{Kind, PyResult, Word, sequence};
use crate::runtime::call;
use crate::runtime::code::{self, CodeObject};
use crate::runtime::frame::{Frame, HEADER};
use crate::runtime::function::FunctionObject;
use crate::runtime::thread::Thread;

/// Calling conventions, as guards compare them (`METH_*`).
pub const METHOD_NOARGS: u16 = meth::NOARGS;
pub const METHOD_O: u16 = meth::O;
pub const METHOD_FAST: u16 = meth::FASTCALL;
pub const METHOD_FAST_WITH_KEYWORDS: u16 = meth::FASTCALL | meth::KEYWORDS;

#[inline(never)]
pub unsafe fn call(ts: &Thread, return_ip: Ip, base: *mut Word, count: usize) -> Word {
    unsafe { call::call_stack(ts, return_ip, base, count, Word::NULL) }
}
/// As `call`, the last arguments named by the tuple `kwnames`, which is consumed too.
#[inline(never)]
pub unsafe fn call_kw(
    ts: &Thread,
    return_ip: Ip,
    base: *mut Word,
    count: usize,
    kwnames: Word,
) -> Word {
    unsafe {
        *base.add(2 + count) = Word::NULL;
        let result = call::call_stack(ts, return_ip, base, count, kwnames);
        kwnames.close();
        result
    }
}
/// `func(*callargs, **kwargs)`; the words at the top of the stack are consumed.
#[inline(never)]
pub unsafe fn call_function_ex(
    ts: &Thread,
    return_ip: Ip,
    func: Word,
    callargs: Word,
    kwargs: Word,
) -> Word {
    unsafe { call::call_function_ex(ts, return_ip, func, callargs, kwargs) }
}
/// After a call that gave no result: true if it raised, false if a frame was entered.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub fn entered_or_raised(ts: &Thread) -> bool {
    ts.current_exception.get().is_some()
}
/// As `call`, of a bound method: its function and its instance take the places at `base`.
#[inline(never)]
pub unsafe fn call_bound_method(ts: &Thread, return_ip: Ip, base: *mut Word, count: usize) -> Word {
    unsafe {
        call::unpack_method(base);
        call::call_stack(ts, return_ip, base, count, Word::NULL)
    }
}

// ---- CALL_PY_EXACT_ARGS

/// A function with this version, which is never 0.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn is_function(callable: Word, version: u32) -> bool {
    unsafe {
        callable.is_exact(Kind::FUNCTION)
            && (*callable.cast::<FunctionObject>()).version.get() == version
    }
}
/// A bound method of such a function.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn is_method_of(callable: Word, version: u32) -> bool {
    unsafe {
        callable.is_exact(Kind::METHOD)
            && is_function((*callable.cast::<MethodObject>()).function, version)
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn code_argcount(code: *mut CodeObject) -> usize {
    unsafe { (*code).argcount as usize }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn code_start(code: *mut CodeObject) -> Ip {
    unsafe { code::start(code) }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn frame_stack(locals: Locals, code: *mut CodeObject) -> *mut Word {
    unsafe { locals.add((*code).nlocalsplus()) }
}
/// Builds the frame of a function whose parameters are exactly the arguments. Its header takes the places of callable,
/// self and the first arguments, so the arguments move up, last one first.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn push_exact_args(
    args: *mut Word,
    end: *mut Word,
    callable: Word,
    self_or_null: Word,
    code: *mut CodeObject,
    caller: Locals,
    return_ip: Ip,
) -> Locals {
    unsafe {
        let header: *mut Frame = args.sub(2).cast();
        let bound = !self_or_null.is_null();
        let up = HEADER - 2 + usize::from(bound);
        let mut from = end;
        while from > args {
            from = from.sub(1);
            from.add(up).write_volatile((*from).to_slot());
        }
        let mut locals = args.add(HEADER - 2);
        // Hides that `locals` and `end` have the stack pointer in common: LLVM 22 would keep the distance in a register of
        // its own, and spill it.
        std::arch::asm!("/* {0} */", inout(reg) locals, options(pure, readonly, nostack, preserves_flags));
        if bound {
            *locals = self_or_null.to_slot();
        }
        (*header).func = callable.to_slot();
        (*header).consts = (*code).consts;
        (*header).previous = caller;
        (*header).return_ip = return_ip;
        (*header).meta = (*code).meta;
        let mut free = end.add(up);
        let stack = locals.add((*code).nlocalsplus());
        while free < stack {
            // Volatile, or it becomes a vector loop, which needs more registers than there are.
            free.write_volatile(Word::NULL);
            free = free.add(1);
        }
        locals
    }
}

// ---- native functions

/// The calling convention of an exact builtin function; 0 for anything else.
#[inline(always)]
unsafe fn builtin_convention(callable: Word) -> u16 {
    unsafe {
        match callable.is_exact(Kind::BUILTIN_FUNCTION) {
            true => (*callable.cast::<BuiltinFunctionObject>()).def.flags & meth::CALL_MASK,
            false => 0,
        }
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn is_builtin_o(callable: Word, self_or_null: Word, count: usize) -> bool {
    unsafe {
        builtin_convention(callable) == METHOD_O
            && count + usize::from(!self_or_null.is_null()) == 1
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn is_builtin_fast(callable: Word) -> bool {
    unsafe { builtin_convention(callable) == METHOD_FAST }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn is_builtin_fast_with_keywords(callable: Word) -> bool {
    unsafe { builtin_convention(callable) == METHOD_FAST_WITH_KEYWORDS }
}
/// Consumes the words of a call and gives its result.
#[inline(always)]
unsafe fn finish(base: *mut Word, words: usize, result: PyResult) -> Word {
    unsafe {
        for index in 0..words {
            std::mem::replace(&mut *base.add(index), Word::NULL).close();
        }
        word_or_null(result)
    }
}
/// Calls the builtin function at `base`, whose convention is checked, with what stands above it.
unsafe fn call_builtin(ts: &Thread, base: *mut Word, count: usize) -> Word {
    unsafe {
        let function = (*base).cast::<BuiltinFunctionObject>();
        let bound = usize::from(!(*base.add(1)).is_null());
        let args = std::slice::from_raw_parts(base.add(2 - bound), count + bound);
        let receiver = (*function).self_.unwrap_or(Word::NULL);
        let result = ((*function).def.func)(ts.vm(), receiver, args, None);
        finish(base, count + 2, result)
    }
}
#[inline(never)]
pub unsafe fn call_builtin_o(ts: &Thread, base: *mut Word, count: usize) -> Word {
    unsafe { call_builtin(ts, base, count) }
}
#[inline(never)]
pub unsafe fn call_builtin_fast(ts: &Thread, base: *mut Word, count: usize) -> Word {
    unsafe { call_builtin(ts, base, count) }
}
/// A method descriptor of this convention whose first argument is an instance of its class.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn is_method_descriptor(
    ts: &Thread,
    callable: Word,
    convention: u16,
    args: *mut Word,
    self_or_null: Word,
    count: usize,
) -> bool {
    unsafe {
        if !callable.is_exact(Kind::METHOD_DESCRIPTOR) {
            return false;
        }
        let descriptor = callable.cast::<MethodDescriptorObject>();
        let total = count + usize::from(!self_or_null.is_null());
        let fits = match convention {
            METHOD_NOARGS => total == 1,
            METHOD_O => total == 2,
            _ => total >= 1,
        };
        fits && (*descriptor).def.flags & meth::CALL_MASK == convention
            // Exactly its class, as CPython asks: `Py_IS_TYPE`.
            && ts.vm().type_of(if self_or_null.is_null() { *args } else { self_or_null }) == (*descriptor).owner
    }
}
#[inline(never)]
pub unsafe fn call_method_descriptor(ts: &Thread, base: *mut Word, count: usize) -> Word {
    unsafe {
        let descriptor = (*base).cast::<MethodDescriptorObject>();
        let first = base.add(if (*base.add(1)).is_null() { 2 } else { 1 });
        let args = std::slice::from_raw_parts(
            first.add(1),
            base.add(2 + count).offset_from(first) as usize - 1,
        );
        let result = ((*descriptor).def.func)(ts.vm(), *first, args, None);
        finish(base, count + 2, result)
    }
}

#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn is_len(ts: &Thread, callable: Word) -> bool {
    callable.is(ts.callables.len.get())
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn is_list_append(ts: &Thread, callable: Word) -> bool {
    callable.is(ts.callables.list_append.get())
}
#[inline(never)]
pub fn len_of(ts: &Thread, object: Word) -> Word {
    match sequence::len(ts.vm(), object) {
        Ok(len) => Word::int_unchecked(len as i64),
        Err(_) => Word::NULL,
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn cached_method(descr: u64) -> Word {
    unsafe { Word::from_bits(descr).dup() }
}
