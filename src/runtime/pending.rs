//! What waits for the eval breaker: signals, calls and interrupts from other threads, collections, budgets
//! (`_Py_HandlePending`).

use super::signals;
use super::thread::Thread;
use crate::object::breaker::{EvalBreaker, event};
use crate::object::{Raised, Vm, gc};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What another thread wants done on the machine's own, between two instructions. An error is raised there.
pub type PendingCall = Box<dyn FnOnce(Vm) -> Result<(), Raised> + Send>;

/// The breaker of a machine that is still there.
struct Breaker(*const EvalBreaker);
// SAFETY: the word behind it is atomic, and the pointer is taken away, under the lock, before the machine goes.
unsafe impl Send for Breaker {}

#[derive(Default)]
struct Mailbox {
    breaker: Option<Breaker>,
    calls: VecDeque<PendingCall>,
    /// The time budget is used up.
    late: bool,
}

/// A way to a machine from other threads: it can be cloned, kept and sent, and outlives the machine.
#[derive(Clone)]
pub struct Handle(Arc<Mutex<Mailbox>>);

impl Handle {
    fn lock(&self) -> MutexGuard<'_, Mailbox> {
        // Whoever panicked has left a whole mailbox behind: nothing is done in two steps.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Sets an event; false if the machine is gone.
    fn notify(mailbox: &Mailbox, events: u64) -> bool {
        let Some(Breaker(breaker)) = &mailbox.breaker else {
            return false;
        };
        // SAFETY: under the lock, the machine is still there.
        unsafe { (**breaker).add(events) };
        true
    }
    /// Raises KeyboardInterrupt in the running program, at its next check; false if the machine is gone. A machine that
    /// runs nothing raises it when it runs next.
    pub fn interrupt(&self) -> bool {
        Self::notify(&self.lock(), event::INTERRUPT)
    }
    /// Queues a call to be made on the machine's own thread, between two instructions (`Py_AddPendingCall`); false if
    /// the machine is gone.
    pub fn call(&self, call: impl FnOnce(Vm) -> Result<(), Raised> + Send + 'static) -> bool {
        let mut mailbox = self.lock();
        mailbox.calls.push_back(Box::new(call));
        Self::notify(&mailbox, event::CALLS)
    }
}

/// A thread that sleeps until a deadline, unless it is told to go.
struct Alarm(Arc<(Mutex<bool>, Condvar)>);

impl Alarm {
    fn new(after: Duration, handle: Handle) -> std::io::Result<Alarm> {
        let shared = Arc::new((Mutex::new(false), Condvar::new()));
        let own = shared.clone();
        let deadline = Instant::now().checked_add(after);
        std::thread::Builder::new()
            .name("rattail-budget".into())
            .spawn(move || {
                let (gone, told) = &*own;
                let mut stop = gone.lock().unwrap_or_else(PoisonError::into_inner);
                loop {
                    if *stop {
                        return;
                    }
                    let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
                    match left {
                        Some(Duration::ZERO) => break,
                        Some(left) => {
                            let waited = told.wait_timeout(stop, left);
                            stop = waited.unwrap_or_else(PoisonError::into_inner).0;
                        }
                        None => stop = told.wait(stop).unwrap_or_else(PoisonError::into_inner),
                    }
                }
                let mut mailbox = handle.lock();
                mailbox.late = true;
                Handle::notify(&mailbox, event::BUDGET);
            })?;
        Ok(Alarm(shared))
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.1.notify_all();
    }
}

/// A machine's own side.
pub struct Pending {
    handle: Handle,
    alarm: RefCell<Option<Alarm>>,
    /// Instructions left, and the count of executed ones when that was written down.
    instructions: Cell<Option<(u64, u64)>>,
}

impl Default for Pending {
    fn default() -> Pending {
        Pending {
            handle: Handle(Arc::default()),
            alarm: RefCell::default(),
            instructions: Cell::new(None),
        }
    }
}

impl Pending {
    /// Lets handles reach a machine's breaker.
    ///
    /// # Safety
    /// `close` is called before the breaker goes.
    pub(super) unsafe fn open(&self, breaker: *const EvalBreaker) {
        self.handle.lock().breaker = Some(Breaker(breaker));
    }
    pub(super) fn close(&self) {
        drop(self.alarm.take());
        let calls = {
            let mut mailbox = self.handle.lock();
            mailbox.breaker = None;
            std::mem::take(&mut mailbox.calls)
        };
        drop(calls);
    }
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }
    /// From now on the program may run that long: then KeyboardInterrupt is raised at every check. None takes the
    /// budget away.
    pub fn limit_time(&self, budget: Option<Duration>) -> std::io::Result<()> {
        drop(self.alarm.take());
        self.handle.lock().late = false;
        if let Some(budget) = budget {
            *self.alarm.borrow_mut() = Some(Alarm::new(budget, self.handle())?);
        }
        Ok(())
    }
    /// The same for a number of instructions. They are counted where the thread counts what it executes; the check is
    /// at jumps backward, function entries and native calls, so that a few more than that may run.
    pub fn limit_instructions(&self, ts: &Thread, budget: Option<u64>) {
        let budget = budget.map(|budget| (budget, ts.executed()));
        self.instructions.set(budget);
        if budget.is_some() {
            ts.heap.eval_breaker.add(event::BUDGET);
        }
    }
}

/// Does everything that waits. An error leaves the rest for the next check.
pub(super) fn handle(ts: &Thread) -> Result<(), Raised> {
    let breaker = &ts.heap.eval_breaker;
    urgent(ts)?;
    if breaker.take(event::CALLS) {
        make_calls(ts)?;
    }
    if breaker.take(event::GC) {
        gc::collect_if_due(ts.vm());
    }
    Ok(())
}

/// Does what long native code lets through: no calls, which could do anything to what it works on.
pub(super) fn check_signals(vm: Vm) -> Result<(), Raised> {
    urgent(Thread::of(vm))
}

fn urgent(ts: &Thread) -> Result<(), Raised> {
    let (vm, breaker) = (ts.vm(), &ts.heap.eval_breaker);
    if breaker.take(event::SIGNALS) {
        signals::run_handlers(ts)?;
    }
    if breaker.take(event::INTERRUPT) {
        return Err(vm.raise_with(vm.exc.KeyboardInterrupt, &[]));
    }
    if breaker.take(event::BUDGET) {
        check_budgets(ts)?;
    }
    Ok(())
}

/// How many calls are made at one check (`MAXPENDINGCALLSLOOP`); more wait for the next.
const CALLS_AT_ONCE: usize = 32;

fn make_calls(ts: &Thread) -> Result<(), Raised> {
    for _ in 0..CALLS_AT_ONCE {
        let call = ts.pending.handle.lock().calls.pop_front();
        let Some(call) = call else { return Ok(()) };
        if let Err(raised) = call(ts.vm()) {
            ts.heap.eval_breaker.add(event::CALLS);
            return Err(raised);
        }
    }
    ts.heap.eval_breaker.add(event::CALLS);
    Ok(())
}

fn check_budgets(ts: &Thread) -> Result<(), Raised> {
    let (vm, pending) = (ts.vm(), &ts.pending);
    if pending.handle.lock().late {
        // A program that catches it is told again.
        ts.heap.eval_breaker.add(event::BUDGET);
        return Err(vm.raise(vm.exc.KeyboardInterrupt, "time budget exhausted"));
    }
    if ts.steps_left.get().is_some() {
        ts.heap.eval_breaker.add(event::BUDGET);
        ts.take_step()?;
    }
    if let Some((left, before)) = pending.instructions.get() {
        ts.heap.eval_breaker.add(event::BUDGET);
        let now = ts.executed();
        // Whoever takes the counts begins again at zero.
        let spent = if now >= before { now - before } else { now };
        let left = left.saturating_sub(spent);
        pending.instructions.set(Some((left, now)));
        if left == 0 {
            return Err(vm.raise(vm.exc.KeyboardInterrupt, "instruction budget exhausted"));
        }
    }
    Ok(())
}
