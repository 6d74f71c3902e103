//! `time`: clocks and `sleep` (`timemodule.c`). The calendar is in `calendar.rs` and in Python.

use super::{calendar, with_functions};
use crate::object::descr::{MethodDef, meth};
use crate::object::{Owned, PyResult, Raised, Vm, Word, float, int, number};
use crate::runtime::thread::Thread;
use std::time::{Duration, Instant};

static FUNCTIONS: [MethodDef; 12] = [
    MethodDef::new("__getattr__", meth::O, calendar::getattr),
    MethodDef::new("monotonic", meth::NOARGS, |vm, _, _, _| {
        seconds(vm, libc::CLOCK_MONOTONIC)
    }),
    MethodDef::new("monotonic_ns", meth::NOARGS, |vm, _, _, _| {
        nanoseconds(vm, libc::CLOCK_MONOTONIC)
    }),
    MethodDef::new("perf_counter", meth::NOARGS, |vm, _, _, _| {
        seconds(vm, libc::CLOCK_MONOTONIC)
    }),
    MethodDef::new("perf_counter_ns", meth::NOARGS, |vm, _, _, _| {
        nanoseconds(vm, libc::CLOCK_MONOTONIC)
    }),
    MethodDef::new("process_time", meth::NOARGS, |vm, _, _, _| {
        seconds(vm, libc::CLOCK_PROCESS_CPUTIME_ID)
    }),
    MethodDef::new("process_time_ns", meth::NOARGS, |vm, _, _, _| {
        nanoseconds(vm, libc::CLOCK_PROCESS_CPUTIME_ID)
    }),
    MethodDef::new("sleep", meth::O, sleep),
    MethodDef::new("thread_time", meth::NOARGS, |vm, _, _, _| {
        seconds(vm, libc::CLOCK_THREAD_CPUTIME_ID)
    }),
    MethodDef::new("thread_time_ns", meth::NOARGS, |vm, _, _, _| {
        nanoseconds(vm, libc::CLOCK_THREAD_CPUTIME_ID)
    }),
    MethodDef::new("time", meth::NOARGS, |vm, _, _, _| {
        seconds(vm, libc::CLOCK_REALTIME)
    }),
    MethodDef::new("time_ns", meth::NOARGS, |vm, _, _, _| {
        nanoseconds(vm, libc::CLOCK_REALTIME)
    }),
];

pub fn make(ts: &Thread) -> PyResult {
    with_functions(ts.vm(), "time", &FUNCTIONS)
}

fn read(vm: Vm, clock: libc::clockid_t) -> Result<libc::timespec, Raised> {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: a valid place for the answer.
    match unsafe { libc::clock_gettime(clock, &mut time) } {
        0 => Ok(time),
        _ => Err(crate::runtime::io_error::raise(
            vm,
            &std::io::Error::last_os_error(),
            None,
        )),
    }
}

fn seconds(vm: Vm, clock: libc::clockid_t) -> PyResult {
    let time = read(vm, clock)?;
    // One rounding, as of the whole number of nanoseconds.
    let nanoseconds = time.tv_sec as i128 * 1_000_000_000 + time.tv_nsec as i128;
    vm.new_float(nanoseconds as f64 / 1e9)
}

fn nanoseconds(vm: Vm, clock: libc::clockid_t) -> PyResult {
    let time = read(vm, clock)?;
    vm.new_int(time.tv_sec * 1_000_000_000 + time.tv_nsec)
}

/// Waits at least that long.
fn sleep(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let word = args[0];
    let seconds = match float::value(word) {
        Some(seconds) if seconds.is_nan() => {
            return Err(vm.value_error("Invalid value NaN (not a number)"));
        }
        Some(seconds) => seconds,
        None => {
            let whole = number::index(vm, word).map_err(|raised| {
                if vm.exception_matches(vm.exc.TypeError) {
                    vm.clear_exception();
                    let name = vm.type_name(word);
                    return vm.type_error(format!(
                        "'{name}' object cannot be interpreted as an integer or float"
                    ));
                }
                raised
            })?;
            int::value(whole.as_word())
                .and_then(|value| value.to_i64())
                .map_or(f64::INFINITY, |value| value as f64)
        }
    };
    if seconds < 0.0 {
        return Err(vm.value_error("sleep length must be non-negative"));
    }
    let Ok(duration) = Duration::try_from_secs_f64(seconds) else {
        return Err(vm.overflow_error("timestamp out of range for platform time_t"));
    };
    let ts = Thread::of(vm);
    super::stream::flush_all(ts)?;
    wait(vm, duration)?;
    Ok(Owned::NONE)
}

/// Waits in short steps, so that signals and interrupts from other threads are seen.
fn wait(vm: Vm, duration: Duration) -> Result<(), Raised> {
    const STEP: Duration = Duration::from_millis(20);
    let start = Instant::now();
    loop {
        vm.check_signals()?;
        let left = duration.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Ok(());
        }
        std::thread::sleep(left.min(STEP));
    }
}
