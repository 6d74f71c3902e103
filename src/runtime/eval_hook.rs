//! The frame-evaluation hook (PEP 523): a function of the embedding program that runs frames in the loop's place.
//!
//! While a hook is set, `Thread::stack_limit` is null: every call site compares with it before it pushes a frame, so
//! each misses there, without a guard of its own (`_CHECK_PEP_523`), and goes to the head of its family, which calls
//! natively. When the hook is cleared the limit is back, and the sites that kept their form hit again.

use super::code::CodeObject;
use super::entry::evaluate;
use super::frame::{self, Ip, Locals, Meta, Sp};
use super::thread::Thread;
use super::{call, unwind};
use crate::object::{Owned, PyResult, Raised, Vm, Word};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Evaluates a frame (`_PyFrameEvalFunction`): the value that it returns or yields, or an exception raised.
pub type FrameEval = dyn Fn(&EvalFrame<'_>) -> PyResult;

/// How many indices into the extra slots of code objects are given out (`MAX_CO_EXTRA_USERS`).
pub const MAX_EXTRA_USERS: usize = 255;

/// The hook of a thread.
#[derive(Default)]
pub struct EvalHook {
    function: RefCell<Option<Rc<FrameEval>>>,
    extra_users: Cell<usize>,
}

/// A frame that is about to be evaluated.
pub struct EvalFrame<'a> {
    ts: &'a Thread,
    registers: (Ip, Sp, Locals),
    throw: bool,
    evaluated: Cell<bool>,
}

impl EvalFrame<'_> {
    pub fn thread(&self) -> &Thread {
        self.ts
    }
    pub fn vm(&self) -> Vm {
        self.ts.vm()
    }
    /// Whether an exception goes into it: a generator that `throw` was called on. It is the current one.
    pub fn is_throw(&self) -> bool {
        self.throw
    }
    /// Its code object.
    pub fn code(&self) -> Owned {
        // SAFETY: a frame with code, which nobody has left yet.
        Owned::new_ref(unsafe { Word::from_borrowed(frame::code(self.registers.2)) })
    }
    /// Its function.
    pub fn function(&self) -> Owned {
        // SAFETY: as above.
        Owned::new_ref(unsafe { (*frame::frame(self.registers.2)).func })
    }
    /// `co_qualname` of its code.
    pub fn name(&self) -> String {
        // SAFETY: as above.
        let qualname = unsafe { (*frame::code(self.registers.2)).qualname };
        crate::object::str::to_string_lossy(qualname)
    }
    /// What was kept with its code under this index.
    pub fn extra(&self, index: usize) -> Option<Rc<dyn Any>> {
        extra(self.code().as_word(), index)
    }
    pub fn set_extra(&self, index: usize, value: Option<Rc<dyn Any>>) {
        set_extra(self.code().as_word(), index, value);
    }
    /// Evaluates it as if there were no hook for it (`_PyEval_EvalFrameDefault`); frames that it calls have one. A
    /// second time is a RuntimeError.
    pub fn evaluate(&self) -> PyResult {
        if self.evaluated.replace(true) {
            let vm = self.vm();
            return Err(vm.raise(vm.exc.RuntimeError, "the frame has been evaluated"));
        }
        let (ip, sp, locals) = self.registers;
        // SAFETY: the registers of a frame that has not run.
        unsafe { evaluate(self.ts, ip, sp, locals, self.throw) }
    }
}

impl Thread {
    /// Whether a hook is set.
    #[inline(always)]
    pub fn has_eval_hook(&self) -> bool {
        self.stack_limit.get().is_null()
    }
    /// The hook (`_PyInterpreterState_GetEvalFrameFunc`).
    pub fn eval_hook(&self) -> Option<Rc<FrameEval>> {
        self.eval_hook.function.borrow().clone()
    }
    /// Sets or clears the hook (`_PyInterpreterState_SetEvalFrameFunc`).
    pub fn set_eval_hook(&self, hook: Option<Rc<FrameEval>>) {
        let old = self.eval_hook.function.replace(hook);
        self.set_stack_limit(self.chunk_limit());
        drop(old);
    }
    pub(super) fn wants_eval_hook(&self) -> bool {
        self.eval_hook.function.borrow().is_some()
    }
    /// An index into the extra slots of code objects, for one user (`PyUnstable_Eval_RequestCodeExtraIndex`).
    pub fn request_code_extra_index(&self) -> Option<usize> {
        let index = self.eval_hook.extra_users.get();
        (index < MAX_EXTRA_USERS).then(|| {
            self.eval_hook.extra_users.set(index + 1);
            index
        })
    }
}

/// What is kept with a code object under an index (`PyUnstable_Code_GetExtra`).
pub fn extra(code: Word, index: usize) -> Option<Rc<dyn Any>> {
    object(code)?.extra.borrow().get(index).cloned().flatten()
}

/// Keeps something with a code object (`PyUnstable_Code_SetExtra`); false if `code` is none or the index was not given
/// out.
pub fn set_extra(code: Word, index: usize, value: Option<Rc<dyn Any>>) -> bool {
    let Some(code) = object(code).filter(|_| index < MAX_EXTRA_USERS) else {
        return false;
    };
    let mut slots = code.extra.borrow_mut();
    if slots.len() <= index {
        slots.resize(index + 1, None);
    }
    let old = std::mem::replace(&mut slots[index], value);
    drop(slots);
    drop(old);
    true
}

fn object<'a>(code: Word) -> Option<&'a CodeObject> {
    // SAFETY: the caller keeps the object, a code object by its kind.
    code.is_exact(crate::object::Kind::CODE)
        .then(|| unsafe { &*code.cast::<CodeObject>() })
}

/// Has the hook evaluate a frame. One that the hook has not evaluated is left.
///
/// # Safety
/// The registers are those of a frame that stands on an entry shim and has not run.
pub(super) unsafe fn run(ts: &Thread, ip: Ip, sp: Sp, locals: Locals, throw: bool) -> PyResult {
    let Some(hook) = ts.eval_hook() else {
        return unsafe { evaluate(ts, ip, sp, locals, throw) };
    };
    ts.save(ip, sp, locals);
    let own = EvalFrame {
        ts,
        registers: (ip, sp, locals),
        throw,
        evaluated: Cell::new(false),
    };
    let result = hook(&own);
    if !own.evaluated.get() {
        if throw && result.is_ok() {
            ts.vm().clear_exception();
        }
        // SAFETY: the caller's promise; nobody has run the frame.
        unsafe { leave(ts, ip, sp, locals) };
    }
    match result {
        Err(Raised) if ts.current_exception.get().is_none() => {
            let vm = ts.vm();
            Err(vm.raise(vm.exc.SystemError, "the hook has raised no exception"))
        }
        result => result,
    }
}

/// Leaves a frame that nobody has run, and the bridge below it.
unsafe fn leave(ts: &Thread, ip: Ip, mut sp: Sp, locals: Locals) {
    unsafe {
        let stack = locals.add((*frame::frame(locals)).meta.locals());
        while sp > stack {
            sp = sp.sub(1);
            ts.save(ip, sp, locals);
            (*sp).close();
        }
        ts.save(ip, stack, locals);
        let (_, _, previous) = unwind::leave_frame(ts, locals);
        if (*frame::frame(previous)).meta.has(Meta::BRIDGE) {
            call::pop_bridge(ts, previous);
        }
    }
}
