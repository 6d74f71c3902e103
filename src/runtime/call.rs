//! Calls: pushing frames, and calling whatever is on the stack.

use super::code::{self, CodeObject};
use super::datastack::HEADROOM;
use super::frame::{self, Frame, HEADER, Ip, Locals, Meta};
use super::function::FunctionObject;
use super::thread::Thread;
use super::{bind, datastack};
use crate::bytecode::Opcode;
use crate::bytecode::spec::code_flags;
use crate::object::descr::MethodObject;
use crate::object::vectorcall::Args;
use crate::object::{self, Kind, Owned, Raised, TypeObject, Word, object_type};
use smallvec::{SmallVec, smallvec};
use std::cell::Cell;

/// Code of entry shims and bridges: never written, never in a code object.
struct Stub([Cell<u8>; 2]);
// SAFETY: nobody writes to it.
unsafe impl Sync for Stub {}
impl Stub {
    const fn new(op: Opcode) -> Stub {
        Stub([Cell::new(op.0 as u8), Cell::new(0)])
    }
    fn ip(&self) -> Ip {
        self.0.as_ptr().cast_mut().cast()
    }
}
static EXIT: Stub = Stub::new(Opcode::INTERPRETER_EXIT);
/// Where a frame entered from native code returns to.
pub(super) fn exit_ip() -> Ip {
    EXIT.ip()
}
static LEAVE_CHUNK: Stub = Stub::new(Opcode::LEAVE_CHUNK);
/// Where `__init__` returns to when the loop has made the instance (`_Py_InitCleanup`). There is no frame for it: the
/// instance stands on the caller's stack below `__init__`'s frame, and that frame's place for a namespace holds where
/// the caller goes on.
static INIT_CLEANUP: Stub = Stub::new(Opcode::EXIT_INIT_CHECK);

/// Where a new frame's header goes, and what it returns to.
pub struct Place {
    pub header: *mut Word,
    pub previous: Locals,
    pub return_ip: Ip,
}

/// Finds room for a frame of `size` words whose header would stand at `base` of the caller's stack; takes a new chunk,
/// with a bridge frame in it, when there is none.
///
/// # Safety
/// `base` is on the stack of the frame with the locals `previous`.
pub unsafe fn place(
    ts: &Thread,
    base: *mut Word,
    size: usize,
    previous: Locals,
    return_ip: Ip,
) -> Result<Place, Raised> {
    unsafe {
        let end = ts.chunk_limit().wrapping_add(HEADROOM);
        if base.wrapping_add(size) <= end {
            return Ok(Place {
                header: base,
                previous,
                return_ip,
            });
        }
        let vm = ts.vm();
        let (start, limit) = ts
            .datastack
            .push_chunk(vm, HEADER + size)
            .ok_or_else(|| vm.no_memory())?;
        let bridge: *mut Frame = start.cast();
        bridge.write(Frame {
            func: Word::NULL,
            // Where the caller's stack ends: the header's constants are not used otherwise.
            consts: base,
            previous,
            return_ip,
            meta: Meta(Meta::BRIDGE),
            namespace: Word::NULL,
        });
        ts.set_stack_limit(limit);
        let locals = start.add(HEADER);
        Ok(Place {
            header: locals,
            previous: locals,
            return_ip: LEAVE_CHUNK.ip(),
        })
    }
}

/// Removes a bridge and its chunk; the registers of the caller below.
///
/// # Safety
/// `locals` are a bridge's, and nothing is above it.
pub unsafe fn pop_bridge(ts: &Thread, locals: Locals) -> (Ip, *mut Word, Locals) {
    unsafe {
        let bridge = frame::frame(locals);
        let registers = (
            (*bridge).return_ip,
            (*bridge).consts.cast_mut(),
            (*bridge).previous,
        );
        ts.set_stack_limit(ts.datastack.pop_chunk(ts.vm()));
        registers
    }
}

/// Calls what stands at `base`: callable, self or NULL, `count` arguments, the last ones named by the tuple `kwnames`
/// if it is not NULL. Everything there is consumed. A Python function's frame is entered: then the result is NULL, no
/// exception is set, and the registers in `ts` are the new frame's. NULL with an exception set is an error.
///
/// # Safety
/// The words are live stack words of the running frame, whose registers are saved in `ts`.
pub unsafe fn call_stack(
    ts: &Thread,
    return_ip: Ip,
    base: *mut Word,
    count: usize,
    kwnames: Word,
) -> Word {
    unsafe { enter_or_call(ts, return_ip, base, count, kwnames, !ts.has_eval_hook()) }
}

/// The same; a Python function's frame is entered or, if not `inline`, called natively like anything else.
pub(super) unsafe fn enter_or_call(
    ts: &Thread,
    return_ip: Ip,
    base: *mut Word,
    count: usize,
    kwnames: Word,
    inline: bool,
) -> Word {
    unsafe {
        if (*base).is_exact(Kind::METHOD) && (*base.add(1)).is_null() {
            unpack_method(base);
        }
        if inline && (*base).is_exact(Kind::FUNCTION) {
            if enter_function(ts, return_ip, base, base.add(1), count, kwnames).is_err() {
                close_words(base, count + 2);
            }
            return Word::NULL;
        }
        let callable = *base;
        let bound = !(*base.add(1)).is_null();
        // The place in front is empty, or the callable's.
        let args = Args::with_offset(base.add(2 - usize::from(bound)), count + usize::from(bound));
        let names = (!kwnames.is_null()).then_some(kwnames);
        let result = object::call::vectorcall(ts.vm(), callable, args, names);
        close_words(base, count + 2);
        result.map_or(Word::NULL, Owned::into_word)
    }
}

/// Where `__init__` returns to.
#[inline(always)]
pub fn init_cleanup() -> Ip {
    INIT_CLEANUP.ip()
}

/// Writes down where the caller of the class goes on after `__init__`.
///
/// # Safety
/// `frame` is the header of `__init__`'s frame, being made.
#[inline(always)]
pub unsafe fn set_init_return_ip(frame: *mut Frame, return_ip: Ip) {
    unsafe { (*frame).namespace = Word::int_unchecked(return_ip as i64) }
}

/// Where that is: while the frame lives, or has just been left.
///
/// # Safety
/// `frame` is the header of such a frame.
#[inline(always)]
pub unsafe fn init_return_ip(frame: *mut Frame) -> Ip {
    unsafe { (*frame).namespace.as_int() as Ip }
}

/// Where the code below goes on when a frame is left, `INIT_CLEANUP` passed over: what says which instruction of it has
/// made the call.
///
/// # Safety
/// `frame` is the header of a live frame.
pub unsafe fn return_ip(frame: *mut Frame) -> Ip {
    unsafe {
        if (*frame).return_ip == init_cleanup() {
            init_return_ip(frame)
        } else {
            (*frame).return_ip
        }
    }
}

/// Makes an instance of the class at `base` and enters its `__init__`, a Python function with any parameters. What
/// stands there is consumed. The result is as [`call_stack`]'s.
///
/// # Safety
/// As [`call_stack`]: a class with `spec_init`, NULL, `count` arguments. There is room for an ordinary frame.
pub unsafe fn enter_init(ts: &Thread, return_ip: Ip, base: *mut Word, count: usize) -> Word {
    let vm = ts.vm();
    unsafe {
        let class: *mut TypeObject = (*base).cast();
        let Some(init) = (*class).spec_init.get() else {
            return call_stack(ts, return_ip, base, count, Word::NULL);
        };
        let function: *mut FunctionObject = init.cast();
        let code = (*function).code.get();
        // The place for a namespace is taken below.
        let ordinary = (*code).is_optimized() && (*code).flags & code_flags::SUSPENDS == 0;
        if !ordinary || !fits_headroom(&*code) {
            return call_stack(ts, return_ip, base, count, Word::NULL);
        }
        if !ts.enter_any_frame() {
            recursion_error(ts);
            close_words(base, count + 2);
            return Word::NULL;
        }
        let init = init.dup();
        let bound = object_type::allocate(vm, class).and_then(|object| {
            let object = Owned::from_raw(object);
            *base.add(1) = object.clone().into_word();
            let words = bind::bind(ts, function, base.add(1), count, Word::NULL)?;
            Ok((object, words))
        });
        let Ok((object, words)) = bound else {
            ts.leave_frame();
            close_words(base, count + 2);
            init.close();
            return Word::NULL;
        };
        close_words(base, count + 2);
        *base = object.into_word();
        let header = base.add(1);
        let (_, _, caller) = ts.saved_registers();
        let locals = header.add(HEADER);
        words.move_to(locals, (*code).nlocalsplus());
        header.cast::<Frame>().write(Frame {
            func: init.to_slot(),
            consts: (*code).consts,
            previous: caller,
            return_ip: init_cleanup(),
            meta: (*code).meta,
            namespace: Word::NULL,
        });
        set_init_return_ip(header.cast(), return_ip);
        ts.install(code::start(code), locals.add((*code).nlocalsplus()), locals);
        Word::NULL
    }
}

/// Replaces a bound method by its function and its instance.
///
/// # Safety
/// `base` holds an exact bound method, `base[1]` NULL.
pub unsafe fn unpack_method(base: *mut Word) {
    unsafe {
        let method = *base;
        let parts = method.cast::<MethodObject>();
        *base = (*parts).function.dup();
        *base.add(1) = (*parts).self_.dup();
        method.close();
    }
}

/// Releases `count` words and leaves NULLs, which the unwinder passes over.
unsafe fn close_words(base: *mut Word, count: usize) {
    unsafe {
        for index in 0..count {
            let word = std::mem::replace(&mut *base.add(index), Word::NULL);
            word.close();
        }
    }
}

/// Binds arguments to the parameters of the function at `base` and enters its frame, whose header goes there. `args`
/// holds self or NULL, then `count` arguments.
unsafe fn enter_function(
    ts: &Thread,
    return_ip: Ip,
    base: *mut Word,
    args: *mut Word,
    count: usize,
    kwnames: Word,
) -> Result<(), Raised> {
    unsafe {
        let function: *mut FunctionObject = (*base).cast();
        let code = (*function).code.get();
        if !ts.enter_any_frame() {
            return Err(recursion_error(ts));
        }
        let first = args.add(usize::from((*args).is_null()));
        let given = count + usize::from(first == args);
        let entered = if kwnames.is_null() && (*code).exact_argcount as usize == given {
            place_for(ts, return_ip, base, code).map(|place| {
                let locals = place.header.add(HEADER);
                take_arguments(first, given, locals, (*code).nlocalsplus());
                enter_placed(ts, base, code, place);
            })
        } else {
            bind_and_enter(ts, return_ip, base, args, count, kwnames)
        };
        entered.inspect_err(|_| ts.leave_frame())
    }
}

/// The general case, out of the way of the other: what is bound is as long as the longest call.
#[inline(never)]
unsafe fn bind_and_enter(
    ts: &Thread,
    return_ip: Ip,
    base: *mut Word,
    args: *mut Word,
    count: usize,
    kwnames: Word,
) -> Result<(), Raised> {
    unsafe {
        let function: *mut FunctionObject = (*base).cast();
        let code = (*function).code.get();
        let words = bind::bind(ts, function, args, count, kwnames)?;
        let place = place_for(ts, return_ip, base, code)?;
        words.move_to(place.header.add(HEADER), (*code).nlocalsplus());
        enter_placed(ts, base, code, place);
        Ok(())
    }
}

#[inline(always)]
unsafe fn place_for(
    ts: &Thread,
    return_ip: Ip,
    base: *mut Word,
    code: *mut CodeObject,
) -> Result<Place, Raised> {
    let (_, _, caller) = ts.saved_registers();
    unsafe { place(ts, base, (*code).framesize as usize, caller, return_ip) }
}

/// Writes the header in front of the locals, which are there: the callable at `base` moves into it.
#[inline(always)]
unsafe fn enter_placed(ts: &Thread, base: *mut Word, code: *mut CodeObject, place: Place) {
    unsafe {
        let callable = std::mem::replace(&mut *base, Word::NULL);
        let locals = place.header.add(HEADER);
        place.header.cast::<Frame>().write(Frame {
            func: callable.to_slot(),
            consts: (*code).consts,
            previous: place.previous,
            return_ip: place.return_ip,
            meta: (*code).meta,
            // A body that a program calls as a function works on the globals.
            namespace: if (*code).is_optimized() {
                Word::NULL
            } else {
                let function = callable.cast::<FunctionObject>();
                Owned::from_borrowed((*function).globals.get()).into_slot()
            },
        });
        ts.install(code::start(code), locals.add((*code).nlocalsplus()), locals);
    }
}

/// Moves arguments that stand as the parameters do to `locals`, which may be further up in the same stack: the last one
/// first. NULL stands in their place and in the rest of the locals.
unsafe fn take_arguments(args: *mut Word, count: usize, locals: Locals, nlocalsplus: usize) {
    unsafe {
        for index in (0..count).rev() {
            let word = std::mem::replace(&mut *args.add(index), Word::NULL);
            *locals.add(index) = word.to_slot();
        }
        for index in count..nlocalsplus {
            *locals.add(index) = Word::NULL;
        }
    }
}

/// So many arguments of a call with stars are gathered on the native stack.
const FEW: usize = 16;

/// `func(*callargs, **kwargs)`. All three are consumed; they are the topmost words of the stack but for a NULL behind
/// the first. The result is as `call_stack`'s.
///
/// # Safety
/// As [`call_stack`]; `callargs` is any iterable, `kwargs` a dict or NULL.
pub unsafe fn call_function_ex(
    ts: &Thread,
    return_ip: Ip,
    func: Word,
    callargs: Word,
    kwargs: Word,
) -> Word {
    let vm = ts.vm();
    unsafe {
        let (_, sp, _) = ts.saved_registers();
        let base = sp.sub(4);
        let entered = (|| {
            let mut words: SmallVec<[Word; FEW]> = smallvec![Word::NULL];
            let items = if callargs.is_exact(Kind::TUPLE) {
                Owned::new_ref(callargs)
            } else {
                super::kwargs::star_args(vm, func, callargs)?
            };
            words.extend(
                object::tuple::items(items.as_word())
                    .iter()
                    .map(|w| w.dup()),
            );
            let mut names: SmallVec<[Word; FEW]> = smallvec![];
            if !kwargs.is_null() {
                let mut position = 0;
                while let Some((key, value, _)) = object::dict::next(kwargs.cast(), &mut position) {
                    if !object::str::is_str(key) {
                        close_words(words.as_mut_ptr(), words.len());
                        return Err(vm.type_error("keywords must be strings"));
                    }
                    names.push(key);
                    words.push(value.dup());
                }
            }
            let count = words.len() - 1;
            let kwnames = match names.is_empty() {
                true => None,
                false => Some(vm.new_tuple(&names).inspect_err(|_| {
                    close_words(words.as_mut_ptr(), words.len());
                })?),
            };
            let names_word = kwnames.as_ref().map_or(Word::NULL, Owned::as_word);
            let result = if func.is_exact(Kind::FUNCTION) && !ts.has_eval_hook() {
                enter_function(ts, return_ip, base, words.as_mut_ptr(), count, names_word)
                    .map(|()| None)
            } else {
                object::call::vectorcall(
                    vm,
                    func,
                    Args::behind_first(&mut words),
                    kwnames.as_ref().map(Owned::as_word),
                )
                .map(Some)
            };
            close_words(words.as_mut_ptr(), count + 1);
            result
        })();
        match entered {
            Ok(None) => {
                // The function is in its frame's header, which may cover the other two.
                callargs.close();
                kwargs.close();
                Word::NULL
            }
            Ok(Some(result)) => {
                close_words(base, 4);
                result.into_word()
            }
            Err(_) => {
                close_words(base, 4);
                Word::NULL
            }
        }
    }
}

#[cold]
#[inline(never)]
pub fn recursion_error(ts: &Thread) -> Raised {
    ts.vm()
        .raise(ts.exc.RecursionError, "maximum recursion depth exceeded")
}

/// Whether a call site may push this code's frame after comparing with the stack limit once.
pub fn fits_headroom(code: &CodeObject) -> bool {
    code.framesize as usize <= datastack::HEADROOM
}
