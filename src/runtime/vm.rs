//! A Python virtual machine for programs that embed one: made, given code, asked for what came out.

use super::modules::stream::{self, Which};
use super::modules::unraisable::{Hooked, call_excepthook};
use super::pending::Handle;
use super::thread::{CompileFn, Thread};
use super::{
    builtins, code, code_type, entry, frame_object, function_type, generator, import, modules,
    native, pending, templates, traceback, watchers,
};
use crate::bytecode::spec::CodeSpec;
use crate::object::breaker::event;
use crate::object::exc::{self, field};
use crate::object::{Hooks, PyResult, Raised, Vm, Word, dict, int, module};
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::ptr::NonNull;
use std::rc::Rc;
use std::time::Duration;

/// How a [`Machine`] is set up.
pub struct Options {
    /// `sys.argv`.
    pub argv: Vec<String>,
    /// `sys.path`: where `import` looks for files.
    pub path: Vec<PathBuf>,
    pub stdin: Box<dyn BufRead>,
    pub stdout: Box<dyn Write>,
    pub stderr: Box<dyn Write>,
    /// Bytes that objects may take in all; more is a MemoryError.
    pub memory_limit: Option<usize>,
    /// How many calls, turns of loops and handled exceptions the program may have in all; then an exception that nothing
    /// handles ends it.
    pub step_limit: Option<u64>,
    /// Whether code adapts itself to what it meets.
    pub specialization: bool,
    /// Whether the machine takes the process's signals: SIGINT then raises KeyboardInterrupt, and `signal.signal` works.
    /// One machine of a process can have them.
    pub signals: bool,
    /// Compiles source for `import`, `exec` and the like; without it they raise SystemError.
    pub compile: Option<CompileFn>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            argv: vec![String::new()],
            path: vec![],
            stdin: Box::new(io::BufReader::new(io::stdin())),
            stdout: Box::new(io::BufWriter::new(io::stdout())),
            stderr: Box::new(io::stderr()),
            memory_limit: None,
            step_limit: None,
            specialization: true,
            signals: false,
            compile: None,
        }
    }
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The process's exit status.
    pub status: i32,
    /// What CPython would have written to standard error at the end: a traceback, or the text of a SystemExit.
    pub report: Option<String>,
    /// A KeyboardInterrupt that nobody caught: CPython ends the process by SIGINT ([`super::signals::die_of_interrupt`]).
    pub interrupted: bool,
}

impl Outcome {
    const SUCCESS: Outcome = Outcome {
        status: 0,
        report: None,
        interrupted: false,
    };

    pub fn is_success(&self) -> bool {
        self.status == 0
    }
}

/// One virtual machine: a heap, modules, a thread. It belongs to the native thread that made it.
pub struct Machine(NonNull<Thread>);

impl Machine {
    /// A machine with its built-in modules. Before it runs code a form of dispatch must be selected for it.
    pub fn new(options: Options) -> io::Result<Machine> {
        let machine = Machine(Thread::new()?);
        let ts = machine.thread();
        let vm = ts.vm();
        if let Some(limit) = options.memory_limit {
            vm.heap.set_limit(limit);
        }
        ts.stdin.replace(options.stdin);
        ts.stdout.replace(options.stdout);
        ts.stderr.replace(options.stderr);
        ts.argv.replace(options.argv);
        ts.path.replace(options.path);
        ts.specialization.set(options.specialization);
        ts.compile.set(options.compile);
        let out_of_memory = || {
            io::Error::new(
                io::ErrorKind::OutOfMemory,
                "not enough memory to start a VM",
            )
        };
        // SAFETY: a fresh core, set up once.
        unsafe { vm.bootstrap() }.map_err(|_| out_of_memory())?;
        machine.limit_steps(options.step_limit);
        set_up(ts).map_err(|Raised| out_of_memory())?;
        // SAFETY: the drop closes the one and releases the other.
        unsafe {
            ts.pending.open(&ts.heap.eval_breaker);
            if options.signals {
                ts.signals.acquire(ts).map_err(|Raised| out_of_memory())?;
            }
        }
        Ok(machine)
    }

    /// Sets `step_limit` anew.
    pub fn limit_steps(&self, limit: Option<u64>) {
        let ts = self.thread();
        ts.steps_left.set(limit);
        if limit.is_some() {
            ts.heap.eval_breaker.add(event::BUDGET);
        }
    }
    pub fn thread(&self) -> &Thread {
        // SAFETY: made by `Thread::new`, freed by the drop.
        unsafe { self.0.as_ref() }
    }
    pub fn vm(&self) -> Vm {
        self.thread().vm()
    }

    /// A way to this machine from other threads: to interrupt it, to queue calls.
    pub fn handle(&self) -> Handle {
        self.thread().pending.handle()
    }

    /// From now on the program may run that long, or without a limit: then KeyboardInterrupt is raised at every check,
    /// so that a program that catches it does not go on.
    pub fn limit_time(&self, budget: Option<Duration>) -> io::Result<()> {
        self.thread().pending.limit_time(budget)
    }

    /// Makes `text` what tracebacks quote for `filename`: for source that is in no file.
    pub fn register_source(&self, filename: &str, text: &[u8]) {
        self.thread().sources.register(filename, text);
    }

    /// Runs a program as `__main__` to its end.
    pub fn run_main(&self, program: &Rc<CodeSpec>) -> Outcome {
        let ts = self.thread();
        let result = main_module(ts, &program.filename)
            .and_then(|module| {
                let compiled = code::new_code(ts, program)?;
                // SAFETY: a code object just made.
                unsafe { import::run_module(ts, compiled.as_word(), &module) }
            })
            .map(drop);
        self.finish(result)
    }

    /// What a result of native code means for the process; an exception is taken and reported.
    pub fn finish(&self, result: Result<(), Raised>) -> Outcome {
        let ts = self.thread();
        let outcome = match result {
            Ok(()) => Outcome::SUCCESS,
            Err(Raised) => match ts.vm().take_exception() {
                Some(exception) => report(ts, exception.as_word()),
                None => Outcome {
                    status: 1,
                    report: Some("SystemError: an error without an exception set\n".into()),
                    interrupted: false,
                },
            },
        };
        let flushed = stream::flush(ts, Which::Stdout);
        // There is nobody left to tell if that fails.
        let _ = ts.stderr.borrow_mut().flush();
        match flushed {
            Ok(()) => outcome,
            Err(Raised) => unflushed(ts, outcome),
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.thread().signals.release();
        self.thread().pending.close();
        // SAFETY: nobody uses the machine any more; code objects go before the heap that their words point into.
        unsafe {
            code::tear_down(self.0.as_ref());
            drop(Box::from_raw(self.0.as_ptr()));
        }
    }
}

/// Exit status of a program whose output could not be written at its end (`Py_RunMain`).
const UNFLUSHED: i32 = 120;

/// Exit status of a program that SIGINT has ended, as a shell sees it.
const INTERRUPTED: i32 = 128 + libc::SIGINT;

/// The end of a program with output left that nobody takes; the exception is set.
fn unflushed(ts: &Thread, outcome: Outcome) -> Outcome {
    let exception = ts.vm().take_exception();
    let text = exception.map_or_else(String::new, |exception| {
        traceback::format_exception(ts, exception.as_word())
    });
    let said = outcome.report.unwrap_or_default();
    Outcome {
        status: UNFLUSHED,
        report: Some(format!(
            "{said}Exception ignored while flushing sys.stdout:\n{text}"
        )),
        interrupted: false,
    }
}

/// Types, hooks and modules beyond what the object layer makes.
fn set_up(ts: &Thread) -> Result<(), Raised> {
    let vm = ts.vm();
    vm.hooks.set(Hooks {
        call_function: entry::call_function,
        write_unraisable: modules::unraisable::write,
        dict_watcher: watchers::on_change,
        collecting: modules::garbage::on_collecting,
        current_globals: builtins::globals_of_frame,
        super_arguments: builtins::super_arguments,
        check_signals: pending::check_signals,
        ..vm.hooks.get()
    });
    // SAFETY: the VM is being set up; nobody reads the fields yet.
    let types = unsafe { &raw mut (*vm.as_ptr()).types };
    let null = std::ptr::null_mut();
    unsafe {
        (*types).code = vm.new_type(&code_type::type_spec(), null)?;
        (*types).function = vm.new_type(&function_type::type_spec(), null)?;
        (*types).frame = vm.new_type(&frame_object::type_spec(), null)?;
        (*types).frame_locals_proxy =
            vm.new_type(&frame_object::locals_proxy::type_spec(), null)?;
        (*types).traceback = vm.new_type(&traceback::type_spec(), null)?;
    }
    generator::make_types(ts)?;
    native::make_types(ts)?;
    templates::make_types(ts)?;
    ts.stream_type
        .set(vm.new_type(&modules::stream::type_spec(), null)?);
    builtins::make_types(ts)?;
    super::specialize::call::mark_vectorcall_types(ts);
    builtins::make_module(ts)?;
    modules::sys::make(ts)
}

/// `__main__`, made anew.
fn main_module(ts: &Thread, filename: &str) -> PyResult {
    let vm = ts.vm();
    let module = vm.new_module("__main__")?;
    // SAFETY: a module just made; `sys.modules`.
    unsafe {
        let dict = module::dict_of(module.as_word());
        ts.ensure_builtins(dict)?;
        if !filename.starts_with('<') {
            let filename = vm.new_str(filename)?;
            dict::set_str(vm, dict, vm.names.__file__, filename.as_word())?;
        }
        dict::set_item(vm, vm.modules, vm.names.__main__, module.as_word())?;
    }
    Ok(module)
}

/// Exit status and last words of an exception that nobody caught (`handle_system_exit`, `_PyErr_PrintEx`).
fn report(ts: &Thread, exception: Word) -> Outcome {
    let vm = ts.vm();
    if !vm.is_instance(exception, vm.exc.SystemExit) {
        let report = match call_excepthook(ts, exception) {
            Hooked::Usual => Some(traceback::format_exception(ts, exception)),
            Hooked::Done => None,
            Hooked::Failed(_, error) if vm.is_instance(error.as_word(), vm.exc.SystemExit) => {
                return report(ts, error.as_word());
            }
            Hooked::Failed(text, _) => Some(text),
        };
        let interrupted = vm.is_instance(exception, vm.exc.KeyboardInterrupt);
        return Outcome {
            status: if interrupted { INTERRUPTED } else { 1 },
            report,
            interrupted,
        };
    }
    // SAFETY: the type has that field.
    let code = unsafe { exc::object(exception).field(field::SYSTEM_EXIT_CODE) }
        .get()
        .unwrap_or(Word::NONE);
    if code.is_none() {
        return Outcome::SUCCESS;
    }
    if let Some(value) = int::value(code) {
        // As the system cuts it: the low byte, and -1 for what does not fit a C int.
        let status = value
            .to_i64()
            .and_then(|value| i32::try_from(value).ok())
            .unwrap_or(-1);
        return Outcome {
            status: status & 0xff,
            report: None,
            interrupted: false,
        };
    }
    let text = traceback::text_of(vm, code).unwrap_or_default();
    Outcome {
        status: 1,
        report: Some(text + "\n"),
        interrupted: false,
    }
}
