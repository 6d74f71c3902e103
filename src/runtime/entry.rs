//! Entering the loop from native code (`_PyEval_Vector`, `_PyEval_EvalFrameDefault`).

use super::call::{enter_or_call, exit_ip};
use super::datastack::{HEADROOM, SLACK};
use super::frame::{self, Frame, HEADER, Ip, Locals, Meta};
use super::thread::Thread;
use super::{eval_hook, unwind};
use crate::object::vectorcall::Args;
use crate::object::{Owned, PyResult, Raised, Vm, Word};

/// Where native code may build a frame: above the running frame's stack, or at the start of the data stack.
pub(super) struct Entry {
    saved: (Ip, *mut Word, Locals),
    /// The shim's stack.
    pub(super) shim: Locals,
    chunk: bool,
}

impl Entry {
    /// Pushes a shim with room for `words` on its stack (`_PyEval_Vector`'s entry frame).
    #[inline]
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
        unsafe { self.run_at(ts, ts.registers(), throw) }
    }
    /// The same with the registers at hand.
    #[inline]
    pub(super) unsafe fn run_at(
        &self,
        ts: &Thread,
        (ip, sp, locals): (Ip, *mut Word, Locals),
        throw: bool,
    ) -> PyResult {
        unsafe {
            if ts.has_eval_hook() {
                return eval_hook::run(ts, ip, sp, locals, throw);
            }
            evaluate(ts, ip, sp, locals, throw)
        }
    }
    #[inline]
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
#[inline]
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
        ts.save(exit_ip(), base.add(2 + args.len()), entry.shim);
        let called = enter_or_call(
            ts,
            exit_ip(),
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
        ts.save(exit_ip(), base.add(2), entry.shim);
        let called = enter_or_call(ts, exit_ip(), base, 0, Word::NULL, true);
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
