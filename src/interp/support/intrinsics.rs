//! CALL_INTRINSIC_1 and _2, and making functions.

use super::word_or_null;
use crate::bytecode::operands::{INTRINSICS_1, INTRINSICS_2};
use crate::bytecode::spec::code_flags;
use crate::interp::abi::Locals;
use crate::object::{
    Kind, Owned, PyResult, Word, attr, call, dict, exc, exc_group, list, number, tuple,
};
use crate::runtime::frame::{self, Meta};
use crate::runtime::function::{self, FunctionObject};
use crate::runtime::generator;
use crate::runtime::import;
use crate::runtime::modules::sys;
use crate::runtime::thread::Thread;

#[inline(never)]
pub unsafe fn call_intrinsic_1(ts: &Thread, value: Word, which: usize) -> Word {
    word_or_null(unsafe { intrinsic_1(ts, value, which) })
}

/// By `INTRINSIC_*` number.
unsafe fn intrinsic_1(ts: &Thread, value: Word, which: usize) -> PyResult {
    let vm = ts.vm();
    match which {
        1 => sys::display(ts, value),
        2 => unsafe {
            let (_, _, locals) = ts.saved_registers();
            if !(*frame::frame(locals)).meta.has(Meta::NAMESPACE) {
                let message = "no locals found during 'import *'";
                return Err(vm.raise(vm.exc.SystemError, message));
            }
            import::import_star(ts, value, (*frame::frame(locals)).namespace)
        },
        3 => unsafe {
            let (_, _, locals) = ts.saved_registers();
            stop_iteration_error(ts, value, (*frame::code(locals)).flags)
        },
        4 => generator::async_gen_wrap(vm, value),
        5 => number::positive(vm, value),
        // SAFETY: a list that has just been built: verified.
        6 => vm.new_tuple(unsafe { list::items(value) }),
        7 => type_parameter(ts, "_typevar", &[value]),
        8 => type_parameter(ts, "_paramspec", &[value]),
        9 => type_parameter(ts, "_typevartuple", &[value]),
        10 => type_parameter(ts, "_subscript_generic", &[value]),
        11 => type_parameter(ts, "_typealias", &[value]),
        _ => unsupported(ts, &INTRINSICS_1, which),
    }
}

/// What makes type parameters and aliases is Python.
#[cold]
fn type_parameter(ts: &Thread, function: &str, args: &[Word]) -> PyResult {
    let vm = ts.vm();
    let module = import::import_module(ts, "_typing")?;
    let name = vm.intern_str(function)?;
    let function = attr::get_attr(vm, module.as_word(), name.as_word())?;
    call::call(vm, function.as_word(), args, None)
}

#[cold]
fn unsupported(ts: &Thread, names: &[&str], which: usize) -> PyResult {
    let name = names.get(which).unwrap_or(&names[0]);
    Err(ts
        .vm()
        .raise(ts.exc.SystemError, format!("{name} is not supported")))
}

/// An exception that must not leave a generator becomes a RuntimeError that it caused (`stopiteration_error`).
fn stop_iteration_error(ts: &Thread, exception: Word, flags: u32) -> PyResult {
    let vm = ts.vm();
    let asynchronous = flags & code_flags::ASYNC_GENERATOR != 0;
    let message = if vm.is_instance(exception, vm.exc.StopIteration) {
        match flags {
            _ if asynchronous => "async generator raised StopIteration",
            _ if flags & code_flags::COROUTINE != 0 => "coroutine raised StopIteration",
            _ => "generator raised StopIteration",
        }
    } else if asynchronous && vm.is_instance(exception, vm.exc.StopAsyncIteration) {
        "async generator raised StopAsyncIteration"
    } else {
        return Ok(Owned::new_ref(exception));
    };
    let message = vm.new_str(message)?;
    let error = vm.new_exception(vm.exc.RuntimeError, &[message.as_word()])?;
    let object = exc::object(error.as_word());
    exc::replace(&object.cause, Some(exception));
    exc::replace(&object.context, Some(exception));
    object.suppress_context.set(true);
    Ok(error)
}

#[inline(never)]
pub unsafe fn call_intrinsic_2(ts: &Thread, first: Word, second: Word, which: usize) -> Word {
    match which {
        // SAFETY: a list by its kind.
        1 if second.is_exact(Kind::LIST) => {
            word_or_null(exc_group::prepare_reraise_star(ts.vm(), first, unsafe {
                list::items(second)
            }))
        }
        4 if first.is_exact(Kind::FUNCTION) && second.is_exact(Kind::TUPLE) => unsafe {
            let function = first.cast::<FunctionObject>();
            (*function)
                .type_params
                .replace(second.dup().to_slot())
                .release_slot();
            first.dup()
        },
        2 => word_or_null(type_parameter(ts, "_typevar_with_bound", &[first, second])),
        3 => {
            let function = "_typevar_with_constraints";
            word_or_null(type_parameter(ts, function, &[first, second]))
        }
        5 => word_or_null(type_parameter(
            ts,
            "_set_typeparam_default",
            &[first, second],
        )),
        1 | 4 => {
            ts.vm()
                .raise(ts.exc.SystemError, "bad operands of an intrinsic");
            Word::NULL
        }
        _ => word_or_null(unsupported(ts, &INTRINSICS_2, which)),
    }
}

/// A function of the running frame's globals.
#[inline(never)]
pub unsafe fn make_function(ts: &Thread, locals: Locals, codeobj: Word) -> Word {
    unsafe {
        let globals = (*frame::function(locals)).globals.get();
        word_or_null(function::new_function(ts, codeobj.cast(), globals))
    }
}

/// The function takes `attr` over; `which` is one of `MAKE_FUNCTION_*`. False if it is not what calls of the function
/// rely on.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn set_function_attribute(ts: &Thread, func: Word, attr: Word, which: usize) -> bool {
    let function = func.cast::<FunctionObject>();
    unsafe {
        let (slot, fits) = match which {
            1 => (&(*function).defaults, tuple::is_tuple(attr)),
            2 => (&(*function).kwdefaults, dict::is_dict(attr)),
            4 => (&(*function).annotations, true),
            8 => (&(*function).closure, true),
            _ => (&(*function).annotate, true),
        };
        if !fits {
            let message = "a function's defaults are no tuple or dict";
            ts.vm().raise(ts.exc.SystemError, message);
            return false;
        }
        debug_assert!(slot.get().is_null());
        slot.set(attr.to_slot());
        true
    }
}
