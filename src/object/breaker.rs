//! The eval breaker (`tstate->eval_breaker`): one word with a bit for each event that waits to be handled and, above
//! these, the version of the instrumentation.
//!
//! The loop looks at the events only. That code is instrumented for the present version is an invariant of its form:
//! `RESUME_CHECK` stands in code that was up to date when it was written, and a new version turns all of them back
//! into `RESUME`, which compares.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bits of the events, as CPython numbers those that both have.
pub mod event {
    /// A signal has arrived (`_PY_SIGNALS_PENDING_BIT`).
    pub const SIGNALS: u64 = 1 << 1;
    /// A pending call has been queued (`_PY_CALLS_TO_DO_BIT`).
    pub const CALLS: u64 = 1 << 2;
    /// Another thread has asked for a KeyboardInterrupt (`_PY_ASYNC_EXCEPTION_BIT`).
    pub const INTERRUPT: u64 = 1 << 3;
    /// A cycle collection is due (`_PY_GC_SCHEDULED_BIT`).
    pub const GC: u64 = 1 << 4;
    /// A budget is used up, or has to be looked at.
    pub const BUDGET: u64 = 1 << 5;
}

const EVENTS: u64 = 0xff;
const VERSION_SHIFT: u32 = 8;

/// Written by signal handlers and other threads too, by atomic operations only.
#[repr(transparent)]
pub struct EvalBreaker(AtomicU64);

impl EvalBreaker {
    pub const fn new() -> EvalBreaker {
        EvalBreaker(AtomicU64::new(0))
    }
    /// Whether anything waits: one compare with memory.
    #[inline(always)]
    pub fn has_events(&self) -> bool {
        let byte = if cfg!(target_endian = "big") { 7 } else { 0 };
        // SAFETY: a byte of a live word. Volatile, as LLVM 22 folds no atomic load into a compare; every access of one
        // byte is atomic on the processors that there are, and nothing else is read because of what it says before
        // `events` has loaded the word in earnest.
        unsafe { self.0.as_ptr().cast::<u8>().add(byte).read_volatile() != 0 }
    }
    pub fn events(&self) -> u64 {
        self.0.load(Ordering::Acquire) & EVENTS
    }
    pub fn add(&self, events: u64) {
        self.0.fetch_or(events & EVENTS, Ordering::Release);
    }
    /// Clears events; true if one of them was there.
    pub fn take(&self, events: u64) -> bool {
        self.0.fetch_and(!(events & EVENTS), Ordering::AcqRel) & events & EVENTS != 0
    }
    /// The version of the instrumentation, 0 until something is monitored.
    pub fn version(&self) -> u64 {
        self.0.load(Ordering::Relaxed) >> VERSION_SHIFT
    }
    pub fn set_version(&self, version: u64) {
        let update = |word| Some(word & EVENTS | version << VERSION_SHIFT);
        // Never fails: the update always gives a word.
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, update);
    }
    /// The word itself, for a signal handler.
    pub fn word(&self) -> &AtomicU64 {
        &self.0
    }
}

impl Default for EvalBreaker {
    fn default() -> EvalBreaker {
        EvalBreaker::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_and_version_share_a_word() {
        let breaker = EvalBreaker::new();
        assert!(!breaker.has_events());
        breaker.set_version(7);
        assert!(!breaker.has_events());
        breaker.add(event::GC | event::CALLS);
        assert!(breaker.has_events());
        assert!(breaker.take(event::GC));
        assert!(!breaker.take(event::GC));
        assert_eq!(breaker.events(), event::CALLS);
        breaker.set_version(8);
        assert_eq!((breaker.version(), breaker.events()), (8, event::CALLS));
    }
}
