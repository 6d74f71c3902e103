//! Signals of the process: at most one machine has them, and handles them between two instructions
//! (`signalmodule.c`).

use super::frame_object;
use super::thread::Thread;
use crate::object::breaker::event;
use crate::object::{Owned, PyResult, Raised, Vm, Word, call};
use std::cell::{Cell, RefCell};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// One above the highest signal (`Py_NSIG`).
pub const COUNT: usize = 65;

/// Signals that have arrived.
static TRIPPED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
/// The eval breaker of the machine that has the signals.
static OWNER: AtomicPtr<AtomicU64> = AtomicPtr::new(null_mut());
/// Handlers that are at work, in any thread.
static AT_WORK: AtomicUsize = AtomicUsize::new(0);

/// The process's handler: it only leaves word.
extern "C" fn trip(signal: libc::c_int) {
    AT_WORK.fetch_add(1, Ordering::SeqCst);
    if let Some(tripped) = TRIPPED.get(signal as usize) {
        tripped.store(true, Ordering::SeqCst);
    }
    let breaker = OWNER.load(Ordering::SeqCst);
    if !breaker.is_null() {
        // SAFETY: `release` waits for handlers at work before the machine goes.
        unsafe { (*breaker).fetch_or(event::SIGNALS, Ordering::SeqCst) };
    }
    AT_WORK.fetch_sub(1, Ordering::SeqCst);
}

/// What happens at a signal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Default,
    Ignore,
    /// Set by somebody else (`None` for a program).
    Foreign,
    /// A slot's word.
    Call(Word),
}

/// A machine's handlers.
pub struct Signals {
    owns: Cell<bool>,
    /// None until somebody asks: asking the system for all of them would be a third of an empty program's calls to it.
    actions: RefCell<[Option<Action>; COUNT]>,
    /// `signal.default_int_handler`, borrowed, when the module has made it: its work needs no call.
    pub default_int_handler: Cell<Word>,
    /// What the process did before this machine.
    before: RefCell<Vec<(libc::c_int, libc::sigaction)>>,
}

impl Default for Signals {
    fn default() -> Signals {
        Signals {
            owns: Cell::new(false),
            actions: RefCell::new([None; COUNT]),
            default_int_handler: Cell::new(Word::NULL),
            before: RefCell::default(),
        }
    }
}

impl Signals {
    /// Whether this machine has the process's signals.
    pub fn owns(&self) -> bool {
        self.owns.get()
    }
    pub fn action(&self, signal: usize) -> Action {
        if !self.owns() {
            return Action::Foreign;
        }
        match self.actions.borrow_mut().get_mut(signal) {
            Some(action) => *action.get_or_insert_with(|| present(signal as libc::c_int)),
            None => Action::Foreign,
        }
    }
    /// Takes the signals, if no other machine has them: SIGINT raises KeyboardInterrupt from now on.
    ///
    /// # Safety
    /// `release` is called before `ts` goes.
    pub(super) unsafe fn acquire(&self, ts: &Thread) -> Result<bool, Raised> {
        let breaker = (&raw const *ts.heap.eval_breaker.word()).cast_mut();
        let (seq, none) = (Ordering::SeqCst, null_mut());
        if OWNER.compare_exchange(none, breaker, seq, seq).is_err() {
            return Ok(false);
        }
        self.owns.set(true);
        for tripped in &TRIPPED {
            tripped.store(false, seq);
        }
        if self.action(libc::SIGINT as usize) == Action::Default {
            let handler = super::modules::signal::default_int_handler(ts)?;
            // A failure leaves the default, which ends the process: that is what is asked for at least.
            let _ = self.set(ts, libc::SIGINT as usize, Action::Call(handler.into_slot()));
        }
        Ok(true)
    }
    /// Gives the signals back, and every action that was changed.
    pub(super) fn release(&self) {
        if !self.owns.replace(false) {
            return;
        }
        for (signal, action) in self.before.take().into_iter().rev() {
            // SAFETY: an action that the system gave.
            unsafe { libc::sigaction(signal, &action, null_mut()) };
        }
        OWNER.store(null_mut(), Ordering::SeqCst);
        while AT_WORK.load(Ordering::SeqCst) != 0 {
            std::hint::spin_loop();
        }
    }
    /// Changes what happens at a signal; the word of an action that was a call is released later than all of this.
    pub fn set(&self, ts: &Thread, signal: usize, action: Action) -> std::io::Result<()> {
        let handler = match action {
            Action::Ignore => libc::SIG_IGN,
            Action::Default => libc::SIG_DFL,
            _ => trip as *const () as libc::sighandler_t,
        };
        // SAFETY: all zero is a valid action, no flags: calls that wait are to return.
        unsafe {
            let mut new: libc::sigaction = std::mem::zeroed();
            let mut old: libc::sigaction = std::mem::zeroed();
            new.sa_sigaction = handler;
            libc::sigemptyset(&mut new.sa_mask);
            if libc::sigaction(signal as libc::c_int, &new, &mut old) != 0 {
                return Err(std::io::Error::last_os_error());
            }
            self.before.borrow_mut().push((signal as libc::c_int, old));
        }
        let old = self.actions.borrow_mut()[signal].replace(action);
        if let Some(Action::Call(word)) = old {
            let _ = ts;
            // SAFETY: a slot's word, overwritten.
            unsafe { word.release_slot() };
        }
        Ok(())
    }
}

/// What the process does at a signal now.
fn present(signal: libc::c_int) -> Action {
    // SAFETY: asks only.
    unsafe {
        let mut now: libc::sigaction = std::mem::zeroed();
        if signal == 0 || libc::sigaction(signal, std::ptr::null(), &mut now) != 0 {
            return Action::Foreign;
        }
        match now.sa_sigaction {
            libc::SIG_DFL => Action::Default,
            libc::SIG_IGN => Action::Ignore,
            _ => Action::Foreign,
        }
    }
}

/// Calls the handlers of the signals that have arrived (`_PyErr_CheckSignalsTstate`).
pub(super) fn run_handlers(ts: &Thread) -> Result<(), Raised> {
    let vm = ts.vm();
    if !ts.signals.owns() {
        return Ok(());
    }
    for (signal, tripped) in TRIPPED.iter().enumerate() {
        if !tripped.swap(false, Ordering::SeqCst) {
            continue;
        }
        let Action::Call(handler) = ts.signals.action(signal) else {
            continue;
        };
        let called = if handler.is(ts.signals.default_int_handler.get()) {
            Err(vm.raise_with(vm.exc.KeyboardInterrupt, &[]))
        } else {
            let handler = Owned::new_ref(handler);
            current_frame(vm).and_then(|frame| {
                let args = [Word::int_unchecked(signal as i64), frame.as_word()];
                call::call(vm, handler.as_word(), &args, None)
            })
        };
        if let Err(raised) = called {
            // What else has arrived is looked at later.
            ts.heap.eval_breaker.add(event::SIGNALS);
            return Err(raised);
        }
    }
    Ok(())
}

/// The frame that a handler is told of.
fn current_frame(vm: Vm) -> PyResult {
    frame_object::at_depth(Thread::of(vm), 0).unwrap_or(Ok(Owned::NONE))
}

/// Ends the process by SIGINT, as a program does that nothing else has stopped (`exit_sigint`); the status, should it
/// live on.
pub fn die_of_interrupt() -> i32 {
    // SAFETY: the default action, then the signal to the own process.
    unsafe {
        libc::signal(libc::SIGINT, libc::SIG_DFL);
        libc::kill(libc::getpid(), libc::SIGINT);
    }
    libc::SIGINT + 128
}
