//! Generators: making, resuming, suspending, delegating.

use super::word_or_null;
use crate::interp::abi::{Ip, Locals, Sp};
use crate::object::{Owned, Word, attr, exc};
use crate::runtime::call;
use crate::runtime::frame;
use crate::runtime::generator::{self, GeneratorObject};
use crate::runtime::thread::Thread;

#[inline(always)]
unsafe fn object<'a>(word: Word) -> &'a GeneratorObject {
    unsafe { &*word.cast() }
}

/// A generator that goes on at `ip` with the words of the running frame; NULL without memory, the frame unchanged.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn return_generator(ts: &Thread, locals: Locals, ip: Ip) -> Word {
    unsafe { word_or_null(generator::new(ts, locals, ip)) }
}
/// Gives the running frame's words up to `sp` back to its generator; `delegates` if it waits for another's.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn suspend_generator(ts: &Thread, locals: Locals, sp: Sp, ip: Ip, delegates: usize) {
    unsafe {
        let state = generator::state::SUSPENDED + delegates as u16;
        generator::of_frame(locals).suspend(ts, locals, sp, ip, state);
    }
}

// ---- FOR_ITER_GEN and SEND_GEN

#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn is_generator_or_coroutine(word: Word) -> bool {
    generator::is_generator_or_coroutine(word)
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn can_resume(generator: Word) -> bool {
    unsafe { object(generator).can_resume() }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn generator_fits(ts: &Thread, generator: Word, base: Sp) -> bool {
    unsafe { object(generator).fits(ts, base) }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn push_generator(
    ts: &Thread,
    generator: Word,
    base: Sp,
    caller: Locals,
    yielded_ip: Ip,
    returned_ip: Ip,
) -> Locals {
    unsafe { object(generator).push(ts, base, caller, yielded_ip, returned_ip) }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn generator_top(generator: Word, locals: Locals) -> Sp {
    unsafe { object(generator).top(locals) }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn generator_ip(generator: Word) -> Ip {
    unsafe { object(generator).ip() }
}

/// Enters a generator that can be resumed, in a new chunk if need be; `value` is consumed. The registers are then in
/// `ts`. False without memory.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn push_generator_far(
    ts: &Thread,
    generator: Word,
    value: Word,
    base: Sp,
    caller: Locals,
    yielded_ip: Ip,
    returned_ip: Ip,
) -> bool {
    unsafe {
        let generator = object(generator);
        let Ok(place) = call::place(ts, base, generator.framesize(), caller, yielded_ip) else {
            return false;
        };
        let value = value.steal();
        let locals = generator.push(
            ts,
            place.header,
            place.previous,
            place.return_ip,
            returned_ip,
        );
        ts.count_frame();
        let top = generator.top(locals);
        *top = value;
        ts.install(generator.ip(), top.add(1), locals);
        true
    }
}

// ---- SEND

// Bits, which are tested one by one: compared as numbers they would get a jump table in the loops.
pub const SEND_RAISED: usize = 0;
/// The receiver's frame is entered.
pub const SEND_ENTERED: usize = 1;
pub const SEND_YIELDED: usize = 2;
pub const SEND_RETURNED: usize = 4;

/// Sends `v`, the topmost word of the stack, which is consumed; what comes out takes its place.
#[inline(never)]
pub unsafe fn send(
    ts: &Thread,
    receiver: Word,
    v: Word,
    locals: Locals,
    yielded_ip: Ip,
    returned_ip: Ip,
) -> usize {
    let vm = ts.vm();
    unsafe {
        let (_, sp, _) = ts.saved_registers();
        let place = sp.sub(1);
        if is_generator_or_coroutine(receiver) && can_resume(receiver) && !ts.has_eval_hook() {
            if ts.recursion_remaining.get() <= 0 {
                call::recursion_error(ts);
                return SEND_RAISED;
            }
            let entered =
                push_generator_far(ts, receiver, v, place, locals, yielded_ip, returned_ip);
            return if entered { SEND_ENTERED } else { SEND_RAISED };
        }
        let next = if v.is_none() {
            (*vm.type_of(receiver)).slots.iternext
        } else {
            None
        };
        let result = match next {
            Some(next) => next(vm, receiver),
            None => attr::call_method(vm, receiver, vm.names.send, &[v]).map(Some),
        };
        let (outcome, word) = match result {
            Ok(Some(yielded)) => (SEND_YIELDED, yielded.into_word()),
            Ok(None) => (SEND_RETURNED, Word::NONE),
            Err(_) => {
                if vm.exception_matches(vm.exc.StopIteration) {
                    super::monitor::monitor_returned(ts, locals);
                }
                match generator::take_stop_iteration(vm) {
                    Some(value) => (SEND_RETURNED, value.into_word()),
                    None => return SEND_RAISED,
                }
            }
        };
        *place = word;
        v.close();
        outcome
    }
}

/// The value of a StopIteration, or NULL with the exception raised again.
#[inline(never)]
pub unsafe fn cleanup_throw(ts: &Thread, exception: Word) -> Word {
    let vm = ts.vm();
    if exc::is_exception(exception) && vm.is_instance(exception, vm.exc.StopIteration) {
        return generator::stop_iteration_value(exception).into_word();
    }
    super::exc::set_again(ts, Owned::new_ref(exception));
    Word::NULL
}
/// True for StopAsyncIteration; any other exception is raised again.
#[inline(never)]
pub unsafe fn end_async_for(ts: &Thread, exception: Word) -> bool {
    let vm = ts.vm();
    if vm.is_instance(exception, vm.exc.StopAsyncIteration) {
        return true;
    }
    super::exc::set_again(ts, Owned::new_ref(exception));
    false
}

// ---- what to send to

#[inline(never)]
pub unsafe fn get_yield_from_iter(ts: &Thread, locals: Locals, iterable: Word) -> Word {
    let flags = unsafe { (*frame::code(locals)).flags };
    word_or_null(generator::yield_from_iter(ts.vm(), iterable, flags))
}
#[inline(never)]
pub unsafe fn get_awaitable(ts: &Thread, iterable: Word, after: usize) -> Word {
    word_or_null(generator::awaitable_iter(ts.vm(), iterable, after))
}
#[inline(never)]
pub unsafe fn get_aiter(ts: &Thread, iterable: Word) -> Word {
    word_or_null(generator::get_aiter(ts.vm(), iterable))
}
#[inline(never)]
pub unsafe fn get_anext(ts: &Thread, iterator: Word) -> Word {
    word_or_null(generator::get_anext(ts.vm(), iterator))
}
