//! Calls from the loop.

use super::{bool_or_null, word_or_null};
use crate::interp::abi::{Ip, Locals};
use crate::object::descr::{BuiltinFunctionObject, MethodDescriptorObject, MethodObject, meth};
use crate::object::types::type_flag;
use crate::object::vectorcall::Args;
use crate::object::{
    self, Header, Kind, PyResult, TypeObject, Word, list, protocol, sequence, str,
};
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
    if object.is_pointer() {
        let length = match object.kind() {
            Kind::LIST => Some(list::len(object)),
            Kind::STR => Some(str::chars(object).len()),
            _ => None,
        };
        if let Some(length) = length {
            return Word::int_unchecked(length as i64);
        }
    }
    match sequence::len(ts.vm(), object) {
        Ok(len) => Word::int_unchecked(len as i64),
        Err(_) => Word::NULL,
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn is_isinstance(ts: &Thread, callable: Word) -> bool {
    callable.is(ts.callables.isinstance.get())
}
/// `isinstance(object, class)`; the class of an object is its type if nothing is overridden.
#[inline(never)]
pub fn is_instance(ts: &Thread, object: Word, class: Word) -> Word {
    bool_or_null(protocol::is_instance(ts.vm(), object, class))
}

// ---- classes

/// The type `str`, `tuple` or `type` itself.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn is_type(callable: Word, ty: *mut TypeObject) -> bool {
    callable.is_pointer() && callable.object() == ty.cast()
}
/// `str(object)`.
#[inline(never)]
pub fn str_of(ts: &Thread, object: Word) -> Word {
    word_or_null(protocol::str(ts.vm(), object))
}
/// `tuple(iterable)`.
#[inline(never)]
pub fn tuple_of(ts: &Thread, iterable: Word) -> Word {
    let vm = ts.vm();
    // SAFETY: the type lives as long as the VM.
    let class = unsafe { (*vm.types.tuple).word() };
    word_or_null(object::call::call_one(vm, class, iterable))
}
/// `type(object)`.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn class_of(ts: &Thread, object: Word) -> Word {
    unsafe { (*ts.vm().type_of(object)).word().dup() }
}
/// A built-in type that is called without an intermediate tuple.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn is_vectorcall_type(callable: Word) -> bool {
    unsafe {
        callable.is_instance(Kind::TYPE)
            && (*callable.cast::<TypeObject>()).has_flag(type_flag::VECTORCALL)
    }
}
/// Neither a Python function nor a bound method.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn is_not_python(callable: Word) -> bool {
    !callable.is_exact(Kind::FUNCTION) && !callable.is_exact(Kind::METHOD)
}
/// As `call`, of what is no Python function: it always gives a result or raises.
#[inline(never)]
pub unsafe fn call_native(ts: &Thread, base: *mut Word, count: usize) -> Word {
    unsafe {
        let bound = usize::from(!(*base.add(1)).is_null());
        // The place in front is empty, or the callable's.
        let args = Args::with_offset(base.add(2 - bound), count + bound);
        let result = object::call::vectorcall(ts.vm(), *base, args, None);
        finish(base, count + 2, result)
    }
}

// ---- CALL_BOUND_METHOD_EXACT_ARGS

#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn method_function(method: Word) -> Word {
    unsafe { (*method.cast::<MethodObject>()).function }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn method_self(method: Word) -> Word {
    unsafe { (*method.cast::<MethodObject>()).self_ }
}
/// An owned word that is its object's last reference.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn is_last_reference(word: Word) -> bool {
    unsafe { word.is_owned() && (*word.object()).refcount.get() == 1 }
}
/// Gives up a stack word that is not its object's last reference.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn uncount(word: Word) {
    unsafe {
        if word.is_owned() {
            let count = &(*word.object()).refcount;
            count.set(count.get() - 1);
        }
    }
}

// ---- CALL_ALLOC_AND_ENTER_INIT

#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn cached_init(class: Word) -> Word {
    unsafe {
        (*class.cast::<TypeObject>())
            .spec_init
            .get()
            .unwrap_unchecked()
    }
}
/// Whether the loop may push a frame for a call with so many arguments by itself.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn takes_exactly(code: *mut CodeObject, count: usize) -> bool {
    unsafe { (*code).exact_argcount as usize == count }
}
/// A new instance of a class whose native part is a bare header; null with MemoryError raised.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn allocate_instance(ts: &Thread, class: Word) -> *mut Header {
    unsafe { object::object_type::allocate(ts.vm(), class.cast()).unwrap_or(std::ptr::null_mut()) }
}
/// The oparg of the instruction that `ip` stands behind, without its extension.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn own_oparg(ip: Ip) -> usize {
    unsafe { *ip.sub(1) as usize }
}
/// The frame of `__init__` above the new instance, which stands in the callable's place: it returns to EXIT_INIT_CHECK.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn push_init_frame(
    args: *mut Word,
    end: *mut Word,
    init: Word,
    instance: *mut Header,
    code: *mut CodeObject,
    caller: Locals,
    return_ip: Ip,
) -> Locals {
    unsafe {
        let header: *mut Frame = args.sub(1).cast();
        let mut from = end;
        while from > args {
            from = from.sub(1);
            from.add(HEADER).write_volatile((*from).to_slot());
        }
        let mut locals = args.add(HEADER - 1);
        // As in `push_exact_args`.
        std::arch::asm!("/* {0} */", inout(reg) locals, options(pure, readonly, nostack, preserves_flags));
        // One count for the result, one for `self`.
        (*instance).refcount.set(2);
        *args.sub(2) = Word::from_bits(instance as u64);
        *locals = Word::from_borrowed(instance);
        (*header).func = init.to_slot();
        (*header).consts = (*code).consts;
        (*header).previous = caller;
        (*header).return_ip = call::init_cleanup();
        (*header).meta = (*code).meta;
        call::set_init_return_ip(header, return_ip);
        let mut free = end.add(HEADER);
        let stack = locals.add((*code).nlocalsplus());
        while free < stack {
            free.write_volatile(Word::NULL);
            free = free.add(1);
        }
        locals
    }
}
/// The same for parameters of any kind; what stands at `base` is consumed.
#[inline(never)]
pub unsafe fn enter_init(ts: &Thread, return_ip: Ip, base: *mut Word, count: usize) -> Word {
    unsafe { call::enter_init(ts, return_ip, base, count) }
}
/// Where the caller of the class goes on: `sp` is above what `__init__` has returned.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn init_return_ip(sp: *mut Word) -> Ip {
    unsafe { call::init_return_ip(sp.sub(1).cast()) }
}
#[inline(never)]
pub unsafe fn raise_init_result(ts: &Thread, result: Word) {
    let vm = ts.vm();
    vm.type_error(format!(
        "__init__() should return None, not '{}'",
        vm.type_name(result)
    ));
}
