//! Calls: entering the loop from native code, pushing frames, and calling whatever is on the stack.

use super::code::{self, CodeObject};
use super::datastack::{HEADROOM, SLACK};
use super::frame::{self, Frame, HEADER, Ip, Locals, Meta};
use super::function::FunctionObject;
use super::thread::Thread;
use super::{bind, datastack, eval_hook, unwind};
use crate::bytecode::Opcode;
use crate::bytecode::spec::code_flags;
use crate::object::descr::MethodObject;
use crate::object::vectorcall::Args;
use crate::object::{self, Kind, Owned, PyResult, Raised, TypeObject, Vm, Word, object_type};
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
unsafe fn enter_or_call(
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
        let (_, _, caller) = ts.saved_registers();
        if !ts.enter_any_frame() {
            return Err(recursion_error(ts));
        }
        let bound = bind::bind(ts, function, args, count, kwnames);
        let placed = bound.and_then(|words| {
            let place = place(ts, base, (*code).framesize as usize, caller, return_ip)?;
            Ok((words, place))
        });
        let (words, place) = match placed {
            Ok(ready) => ready,
            Err(raised) => {
                ts.leave_frame();
                return Err(raised);
            }
        };
        // The arguments are in `words`; the callable moves to the header.
        let callable = std::mem::replace(&mut *base, Word::NULL);
        let locals = place.header.add(HEADER);
        words.move_to(locals, (*code).nlocalsplus());
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
        Ok(())
    }
}

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
            let mut words = vec![Word::NULL];
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
            let mut names = vec![];
            if !kwargs.is_null() {
                let mut position = 0;
                while let Some((key, value, _)) = object::dict::next(kwargs.cast(), &mut position) {
                    if !object::str::is_str(key) {
                        close_words(words.as_mut_ptr(), words.len());
                        return Err(vm.type_error("keywords must be strings"));
                    }
                    names.push(Owned::new_ref(key));
                    words.push(value.dup());
                }
            }
            let count = words.len() - 1;
            let kwnames = if names.is_empty() {
                None
            } else {
                Some(vm.tuple_from_owned(names)?)
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

/// Where native code may build a frame: above the running frame's stack, or at the start of the data stack.
pub(super) struct Entry {
    saved: (Ip, *mut Word, Locals),
    /// The shim's stack.
    pub(super) shim: Locals,
    chunk: bool,
}

impl Entry {
    /// Pushes a shim with room for `words` on its stack (`_PyEval_Vector`'s entry frame).
    pub(super) unsafe fn push(ts: &Thread, words: usize) -> Result<Entry, Raised> {
        let vm = ts.vm();
        vm.check_stack("")?;
        unsafe {
            let saved = ts.saved_registers();
            let mut base = saved.1;
            let mut chunk = false;
            let end = ts.chunk_limit().wrapping_add(HEADROOM);
            if base.is_null() || base.wrapping_add(HEADER + words + SLACK) > end {
                let (start, limit) = ts
                    .datastack
                    .push_chunk(vm, HEADER + words)
                    .ok_or_else(|| vm.no_memory())?;
                ts.set_stack_limit(limit);
                base = start;
                chunk = true;
            }
            base.cast::<Frame>().write(Frame {
                func: Word::NULL,
                consts: std::ptr::null(),
                previous: saved.2,
                return_ip: saved.0,
                meta: Meta(Meta::SHIM),
                namespace: Word::NULL,
            });
            Ok(Entry {
                saved,
                shim: base.add(HEADER),
                chunk,
            })
        }
    }
    /// Evaluates the frame whose registers are in `ts`, where a call has left them; with `throw` the current exception is
    /// raised in it.
    pub(super) unsafe fn run(&self, ts: &Thread, throw: bool) -> PyResult {
        unsafe {
            let (ip, sp, locals) = ts.registers();
            if ts.has_eval_hook() {
                return eval_hook::run(ts, ip, sp, locals, throw);
            }
            evaluate(ts, ip, sp, locals, throw)
        }
    }
    pub(super) unsafe fn pop(self, ts: &Thread) {
        unsafe {
            if self.chunk {
                ts.set_stack_limit(ts.datastack.pop_chunk(ts.vm()));
            }
            ts.save(self.saved.0, self.saved.1, self.saved.2);
        }
    }
}

/// Runs the loop until the frame is left (`_PyEval_EvalFrameDefault`).
///
/// # Safety
/// The registers are those of a frame on an entry shim.
pub(super) unsafe fn evaluate(
    ts: &Thread,
    ip: Ip,
    sp: *mut Word,
    locals: Locals,
    throw: bool,
) -> PyResult {
    unsafe {
        let (mut ip, mut sp, mut locals) = (ip, sp, locals);
        if throw {
            if !unwind::unwind(ts, ip, sp, locals) {
                return Err(Raised);
            }
            (ip, sp, locals) = ts.registers();
        }
        match (ts.run.get())(ip, sp, locals, ts) {
            0 => Err(Raised),
            bits => Ok(Owned::from_word(Word::from_bits(bits))),
        }
    }
}

/// Calls a Python function from native code; installed as the object layer's hook.
pub fn call_function(vm: Vm, callable: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult {
    let ts = Thread::of(vm);
    // SAFETY: the shim's stack holds the words, and nothing else uses them.
    unsafe {
        let entry = Entry::push(ts, args.len() + 2)?;
        let base = entry.shim;
        *base = callable.dup();
        *base.add(1) = Word::NULL;
        for (index, arg) in args.iter().enumerate() {
            *base.add(2 + index) = arg.dup();
        }
        ts.save(EXIT.ip(), base.add(2 + args.len()), entry.shim);
        let called = enter_or_call(
            ts,
            EXIT.ip(),
            base,
            args.len(),
            kwnames.unwrap_or(Word::NULL),
            true,
        );
        let result = if !called.is_null() {
            Ok(Owned::from_word(called))
        } else if ts.current_exception.get().is_some() {
            Err(Raised)
        } else {
            entry.run(ts, false)
        };
        entry.pop(ts);
        result
    }
}

/// Runs a function of no arguments with `namespace` as its names: the body of a module or class (`PyEval_EvalCode`).
///
/// # Safety
/// `function` is a function whose code has a namespace.
pub unsafe fn run_body(ts: &Thread, function: Word, namespace: Word) -> PyResult {
    unsafe {
        let entry = Entry::push(ts, 2)?;
        let base = entry.shim;
        *base = function.dup();
        *base.add(1) = Word::NULL;
        ts.save(EXIT.ip(), base.add(2), entry.shim);
        let called = enter_or_call(ts, EXIT.ip(), base, 0, Word::NULL, true);
        debug_assert!(called.is_null());
        let result = if ts.current_exception.get().is_some() {
            Err(Raised)
        } else {
            let (_, _, locals) = ts.registers();
            let header = frame::frame(locals);
            if (*header).meta.has(Meta::NAMESPACE) {
                let given = namespace.dup().to_slot();
                std::mem::replace(&mut (*header).namespace, given).release_slot();
            }
            entry.run(ts, false)
        };
        entry.pop(ts);
        result
    }
}

/// Whether a call site may push this code's frame after comparing with the stack limit once.
pub fn fits_headroom(code: &CodeObject) -> bool {
    code.framesize as usize <= datastack::HEADROOM
}
