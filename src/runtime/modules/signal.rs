//! `_signal` (`signalmodule.c`): what `signal` is made of.

use super::{set, with_functions};
use crate::object::args;
use crate::object::descr::{MethodDef, meth};
use crate::object::{Owned, PyResult, Raised, Vm, Word, call, float, number};
use crate::runtime::io_error;
use crate::runtime::signals::{Action, COUNT};
use crate::runtime::thread::Thread;

static DEFAULT_INT_HANDLER: MethodDef =
    MethodDef::new("default_int_handler", meth::FASTCALL, |vm, _, args, _| {
        args::check_positional(vm, "default_int_handler", args.len(), 2, 2)?;
        Err(vm.raise_with(vm.exc.KeyboardInterrupt, &[]))
    });

static FUNCTIONS: [MethodDef; 8] = [
    MethodDef::new("alarm", meth::O, alarm),
    MethodDef::new("getsignal", meth::O, |vm, _, args, _| {
        let signal = signal_number(vm, args[0])?;
        shown(Thread::of(vm).signals.action(signal))
    }),
    MethodDef::new("raise_signal", meth::O, raise_signal),
    MethodDef::new("setitimer", meth::FASTCALL, setitimer),
    MethodDef::new("getitimer", meth::O, getitimer),
    MethodDef::new("signal", meth::FASTCALL, signal),
    MethodDef::new("strsignal", meth::O, strsignal),
    MethodDef::new("siginterrupt", meth::FASTCALL, |vm, _, args, _| {
        args::check_positional(vm, "siginterrupt", args.len(), 2, 2)?;
        signal_number(vm, args[0])?;
        Ok(Owned::NONE)
    }),
];

/// Names and numbers, in CPython's order on Linux.
const NUMBERS: [(&str, i32); 31] = [
    ("SIGHUP", libc::SIGHUP),
    ("SIGINT", libc::SIGINT),
    ("SIGQUIT", libc::SIGQUIT),
    ("SIGILL", libc::SIGILL),
    ("SIGTRAP", libc::SIGTRAP),
    ("SIGABRT", libc::SIGABRT),
    ("SIGBUS", libc::SIGBUS),
    ("SIGFPE", libc::SIGFPE),
    ("SIGKILL", libc::SIGKILL),
    ("SIGUSR1", libc::SIGUSR1),
    ("SIGSEGV", libc::SIGSEGV),
    ("SIGUSR2", libc::SIGUSR2),
    ("SIGPIPE", libc::SIGPIPE),
    ("SIGALRM", libc::SIGALRM),
    ("SIGTERM", libc::SIGTERM),
    ("SIGCHLD", libc::SIGCHLD),
    ("SIGCONT", libc::SIGCONT),
    ("SIGSTOP", libc::SIGSTOP),
    ("SIGTSTP", libc::SIGTSTP),
    ("SIGTTIN", libc::SIGTTIN),
    ("SIGTTOU", libc::SIGTTOU),
    ("SIGURG", libc::SIGURG),
    ("SIGXCPU", libc::SIGXCPU),
    ("SIGXFSZ", libc::SIGXFSZ),
    ("SIGVTALRM", libc::SIGVTALRM),
    ("SIGPROF", libc::SIGPROF),
    ("SIGWINCH", libc::SIGWINCH),
    ("SIGIO", libc::SIGIO),
    ("SIGSYS", libc::SIGSYS),
    ("ITIMER_REAL", 0),
    ("ITIMER_VIRTUAL", 1),
];

const SIG_DFL: i64 = 0;
const SIG_IGN: i64 = 1;

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "_signal", &FUNCTIONS)?;
    let handler = default_int_handler(ts)?;
    set(vm, &module, "default_int_handler", handler.as_word())?;
    let numbers = NUMBERS
        .iter()
        .map(|(name, number)| (*name, i64::from(*number)))
        .chain([
            ("ITIMER_PROF", 2),
            ("SIG_DFL", SIG_DFL),
            ("SIG_IGN", SIG_IGN),
            ("NSIG", COUNT as i64),
        ]);
    for (name, number) in numbers {
        set(vm, &module, name, Word::int_unchecked(number))?;
    }
    Ok(module)
}

/// `signal.default_int_handler`, the same for the module and for who takes the signals.
pub(in crate::runtime) fn default_int_handler(ts: &Thread) -> PyResult {
    let known = ts.signals.default_int_handler.get();
    if !known.is_null() {
        return Ok(Owned::new_ref(known));
    }
    let name = ts.vm().intern_str("_signal")?;
    let function =
        ts.vm()
            .new_builtin_function(&DEFAULT_INT_HANDLER, None, Some(name.as_word()))?;
    // It lives as long as the VM: this count is never given up.
    ts.signals
        .default_int_handler
        .set(function.clone().into_slot());
    Ok(function)
}

fn signal_number(vm: Vm, word: Word) -> Result<usize, Raised> {
    let number = number::index_isize(vm, word)?;
    match usize::try_from(number) {
        Ok(number) if (1..COUNT).contains(&number) => Ok(number),
        _ => Err(vm.value_error("signal number out of range")),
    }
}

/// An action as a program sees it.
fn shown(action: Action) -> PyResult {
    Ok(match action {
        Action::Default => Owned::small_int(SIG_DFL),
        Action::Ignore => Owned::small_int(SIG_IGN),
        Action::Foreign => Owned::NONE,
        Action::Call(word) => Owned::new_ref(word),
    })
}

fn signal(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "signal", args.len(), 2, 2)?;
    let ts = Thread::of(vm);
    let number = number::index_isize(vm, args[0])?;
    if !ts.signals.owns() {
        return Err(vm.value_error("signal only works in main thread of the main interpreter"));
    }
    if !(1..COUNT as isize).contains(&number) {
        return Err(vm.value_error("signal number out of range"));
    }
    let action = match args[1] {
        word if word.is_int() && word.as_int() == SIG_DFL => Action::Default,
        word if word.is_int() && word.as_int() == SIG_IGN => Action::Ignore,
        word if call::is_callable(vm, word) => Action::Call(Owned::new_ref(word).into_slot()),
        _ => {
            return Err(vm.type_error(
                "signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object",
            ));
        }
    };
    // What has arrived is for the handler that is there now.
    let handled = vm.check_signals();
    let old = handled.and_then(|()| shown(ts.signals.action(number as usize)));
    let done = old.and_then(|old| {
        let set = ts.signals.set(ts, number as usize, action);
        set.map_err(|error| io_error::raise(vm, &error, None))?;
        Ok(old)
    });
    if let (Err(_), Action::Call(word)) = (&done, action) {
        // SAFETY: the count made above.
        unsafe { word.release_slot() };
    }
    done
}

/// What the signal does has been done when this returns.
fn raise_signal(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let number = number::index_isize(vm, args[0])?;
    // SAFETY: sends a signal to this thread.
    let failed = unsafe { libc::raise(number as libc::c_int) } != 0;
    if failed {
        return Err(io_error::raise(vm, &std::io::Error::last_os_error(), None));
    }
    vm.check_signals()?;
    Ok(Owned::NONE)
}

fn alarm(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let seconds = number::index_isize(vm, args[0])?;
    // SAFETY: sets the process's alarm clock.
    vm.new_int(i64::from(unsafe { libc::alarm(seconds as libc::c_uint) }))
}

fn strsignal(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let number = signal_number(vm, args[0])?;
    // SAFETY: a text that the next call may change; it is copied.
    let text = unsafe {
        let text = libc::strsignal(number as libc::c_int);
        if text.is_null() {
            return Ok(Owned::NONE);
        }
        std::ffi::CStr::from_ptr(text)
            .to_string_lossy()
            .into_owned()
    };
    match text.starts_with("Unknown signal") {
        true => Ok(Owned::NONE),
        false => vm.new_str(&text),
    }
}

fn seconds(vm: Vm, word: Word) -> Result<libc::timeval, Raised> {
    let seconds = match float::value(word) {
        Some(seconds) => seconds,
        None => number::index_isize(vm, word)? as f64,
    };
    if !(0.0..=i32::MAX as f64).contains(&seconds) {
        return Err(vm.value_error("timestamp out of range for platform time_t"));
    }
    // Rounded up: no time at all would stop the clock.
    let micros = (seconds * 1e6).ceil() as i64;
    Ok(libc::timeval {
        tv_sec: (micros / 1_000_000) as _,
        tv_usec: (micros % 1_000_000) as _,
    })
}

fn pair(vm: Vm, timer: &libc::itimerval) -> PyResult {
    let float = |time: &libc::timeval| vm.new_float(time.tv_sec as f64 + time.tv_usec as f64 / 1e6);
    vm.tuple_from_owned(vec![float(&timer.it_value)?, float(&timer.it_interval)?])
}

fn setitimer(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "setitimer", args.len(), 2, 3)?;
    let which = number::index_isize(vm, args[0])?;
    let none = libc::timeval {
        tv_sec: 0,
        tv_usec: 0,
    };
    let new = libc::itimerval {
        it_value: seconds(vm, args[1])?,
        it_interval: args.get(2).map_or(Ok(none), |word| seconds(vm, *word))?,
    };
    let mut old = new;
    // SAFETY: valid places for both.
    match unsafe { libc::setitimer(which as _, &new, &mut old) } {
        0 => pair(vm, &old),
        _ => Err(io_error::raise(vm, &std::io::Error::last_os_error(), None)),
    }
}

fn getitimer(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let which = number::index_isize(vm, args[0])?;
    // SAFETY: all zero is a valid timer; a valid place for the answer.
    unsafe {
        let mut now: libc::itimerval = std::mem::zeroed();
        match libc::getitimer(which as _, &mut now) {
            0 => pair(vm, &now),
            _ => Err(io_error::raise(vm, &std::io::Error::last_os_error(), None)),
        }
    }
}
