//! The state that the loop works on (`PyThreadState` and the parts of `PyInterpreterState` that it reads).

use super::arena::CodeArena;
use super::code::CodeObject;
use super::counts::{Counters, Counts};
use super::datastack::DataStack;
use super::frame::{Ip, Locals, Sp};
use super::modules::{GcSettings, ModuleTypes};
use super::sources::Sources;
use super::specialize::Decision;
use super::stats::{Recorder, Statistics};
use super::watchers::Watchers;
use crate::bytecode::Opcode;
use crate::bytecode::backoff::BackoffCounter;
use crate::object::dict::{self, DictObject};
use crate::object::{Core, Raised, TypeObject, Vm, Word};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::io::{BufRead, Write};
use std::ops::Deref;
use std::ptr::{NonNull, null_mut};

/// `sys.getrecursionlimit()` at the start.
pub const RECURSION_LIMIT: i32 = 1000;

/// One VM's thread. `core` comes first: a [`Vm`] points at it and leads back here.
#[repr(C)]
pub struct Thread {
    core: Core,
    /// Registers of the running frame while native code runs: what a call saves, and what it leaves for the loop when
    /// it has changed the frame.
    ip: Cell<Ip>,
    sp: Cell<Sp>,
    locals: Cell<Locals>,
    installed: Cell<(Ip, Sp, Locals)>,
    /// Highest word at which a call site may begin a frame of up to `datastack::HEADROOM` words: null while a
    /// frame-evaluation hook is set.
    pub stack_limit: Cell<*mut Word>,
    /// Where that is in the topmost chunk, hook or not.
    chunk_limit: Cell<*mut Word>,
    /// Code that functions ran before `__code__` was assigned, by the function's address, as slots' words: frames may
    /// still run it.
    pub former_code: RefCell<HashMap<usize, Vec<Word>>>,
    /// Checks and handled exceptions that are left to the program (`vm::Options::step_limit`).
    pub steps_left: Cell<Option<u64>>,
    pub recursion_remaining: Cell<i32>,
    pub recursion_limit: Cell<i32>,
    /// The loop that runs this thread's code, in the form chosen for it.
    pub run: Cell<Run>,
    pub counting: Cell<bool>,
    /// Built-in callables that call sites specialise on (`_PyInterpreterState_GET()->callable_cache`).
    pub callables: Callables,
    /// The dispatch table of the tail form; opaque here.
    table: Cell<*const ()>,
    code_base: *mut u8,
    /// oparg of an instruction that a cold function has suspended for its loop.
    oparg: Cell<usize>,
    exit: Cell<u64>,
    /// An index that a handler leaves for its cold continuation.
    pub scratch: Cell<usize>,
    /// What is executed, while counting.
    counters: Box<Counters>,
    /// What is specialised, where a counting run is to note that too.
    recorder: OnceCell<Box<Recorder>>,
    /// Whether code adapts itself.
    pub specialization: Cell<bool>,
    pub datastack: DataStack,
    pub arena: CodeArena,
    pub watchers: Watchers,
    /// Objects of the frames on the data stack that have one.
    pub frame_objects: super::frame_object::Table,
    /// Functions of the embedding program.
    pub natives: super::native::Natives,
    /// The dicts of the modules `builtins` and `sys`.
    pub builtins: Cell<*mut DictObject>,
    pub sys: Cell<*mut DictObject>,
    /// Type of `sys.stdin` and its like.
    pub stream_type: Cell<*mut TypeObject>,
    pub module_types: ModuleTypes,
    pub gc_settings: GcSettings,
    /// Where `print` and its kin write; tests and `race` put a buffer here.
    pub stdout: RefCell<Box<dyn Write>>,
    pub stderr: RefCell<Box<dyn Write>>,
    pub stdin: RefCell<Box<dyn BufRead>>,
    pub argv: RefCell<Vec<String>>,
    /// Directories that `import` searches, `sys.path`.
    pub path: RefCell<Vec<std::path::PathBuf>>,
    /// Names of the modules whose code is running.
    pub importing: RefCell<Vec<String>>,
    pub sources: Sources,
    pub warnings_shown: RefCell<super::warnings::Shown>,
    pub asyncgen_hooks: super::modules::asyncgen_hooks::Hooks,
    pub pending: super::pending::Pending,
    pub eval_hook: super::eval_hook::EvalHook,
    pub monitoring: super::monitoring::Monitoring,
    pub tracing: super::tracing::Tracing,
    pub signals: super::signals::Signals,
    /// Compiles source for `import`, `exec` and the like; installed by the topmost layer.
    pub compile: Cell<Option<CompileFn>>,
}

/// A run of the loop: from `ip` until the frame that entered leaves. Bits of an owned word, or 0 with an exception set.
pub type Run = unsafe fn(Ip, Sp, Locals, &Thread) -> u64;

unsafe fn no_loop(_: Ip, _: Sp, _: Locals, _: &Thread) -> u64 {
    panic!("no form of dispatch is selected")
}

/// `callable_cache`: borrowed words, NULL until the builtins exist.
pub struct Callables {
    pub len: Cell<Word>,
    pub isinstance: Cell<Word>,
    pub list_append: Cell<Word>,
    pub object_getattribute: Cell<Word>,
    pub all: Cell<Word>,
    pub any: Cell<Word>,
    pub import: Cell<Word>,
}

/// Source, file name, mode ("exec", "eval", "single"), flags: a code object, or an exception raised.
pub type CompileFn = fn(&Thread, &[u8], &str, &str, u32) -> crate::object::PyResult;

impl Deref for Thread {
    type Target = Core;
    #[inline(always)]
    fn deref(&self) -> &Core {
        &self.core
    }
}

impl Thread {
    /// A thread on the heap with an empty core; the caller bootstraps it.
    pub fn new() -> std::io::Result<NonNull<Thread>> {
        let arena = CodeArena::new()?;
        let thread = Box::new(Thread {
            core: Core::new(),
            ip: Cell::new(null_mut()),
            sp: Cell::new(null_mut()),
            locals: Cell::new(null_mut()),
            installed: Cell::new((null_mut(), null_mut(), null_mut())),
            stack_limit: Cell::new(std::ptr::dangling_mut()),
            chunk_limit: Cell::new(null_mut()),
            former_code: RefCell::default(),
            steps_left: Cell::new(None),
            recursion_remaining: Cell::new(RECURSION_LIMIT),
            recursion_limit: Cell::new(RECURSION_LIMIT),
            run: Cell::new(no_loop),
            counting: Cell::new(false),
            callables: Callables {
                len: Cell::new(Word::NULL),
                isinstance: Cell::new(Word::NULL),
                list_append: Cell::new(Word::NULL),
                object_getattribute: Cell::new(Word::NULL),
                all: Cell::new(Word::NULL),
                any: Cell::new(Word::NULL),
                import: Cell::new(Word::NULL),
            },
            table: Cell::new(std::ptr::null()),
            code_base: arena.base(),
            oparg: Cell::new(0),
            exit: Cell::new(0),
            scratch: Cell::new(0),
            counters: Counters::new(),
            recorder: OnceCell::new(),
            specialization: Cell::new(true),
            datastack: DataStack::new(),
            arena,
            watchers: Watchers::default(),
            frame_objects: Default::default(),
            natives: Default::default(),
            builtins: Cell::new(null_mut()),
            sys: Cell::new(null_mut()),
            stream_type: Cell::new(null_mut()),
            module_types: ModuleTypes::default(),
            gc_settings: GcSettings::default(),
            stdout: RefCell::new(Box::new(std::io::stdout())),
            stderr: RefCell::new(Box::new(std::io::stderr())),
            stdin: RefCell::new(Box::new(std::io::BufReader::new(std::io::stdin()))),
            argv: RefCell::new(vec![]),
            path: RefCell::new(vec![]),
            importing: RefCell::new(vec![]),
            sources: Sources::default(),
            warnings_shown: RefCell::default(),
            asyncgen_hooks: Default::default(),
            pending: Default::default(),
            eval_hook: Default::default(),
            monitoring: Default::default(),
            tracing: Default::default(),
            signals: Default::default(),
            compile: Cell::new(None),
        });
        Ok(NonNull::from(Box::leak(thread)))
    }
    #[inline(always)]
    pub fn vm(&self) -> Vm {
        // SAFETY: a Thread is only ever made by `new`, which leaks its box; the reference's address is exposed there.
        unsafe { Vm::from_raw(NonNull::from(self).cast()) }
    }
    /// The thread that a VM's core is part of.
    #[inline(always)]
    pub fn of<'a>(vm: Vm) -> &'a Thread {
        // SAFETY: every core is the first field of a Thread.
        unsafe { &*vm.as_ptr().cast::<Thread>() }
    }

    // ---- registers

    /// Gives the registers to native code that may look at the frame or enter the loop again.
    #[inline(always)]
    pub fn save(&self, ip: Ip, sp: Sp, locals: Locals) {
        self.ip.set(ip);
        self.sp.set(sp);
        self.locals.set(locals);
    }
    /// The loop has its registers again. In debug builds whoever reads the saved stack pointer now is caught.
    #[inline(always)]
    pub fn resume(&self) {
        if cfg!(debug_assertions) {
            self.sp.set(null_mut());
        }
    }
    /// The registers of the running frame, for native code; null before the first frame. In debug builds the stack
    /// pointer is null while the loop holds it.
    pub fn saved_registers(&self) -> (Ip, Sp, Locals) {
        (self.ip.get(), self.sp.get(), self.locals.get())
    }
    /// Puts the loop into another frame, or elsewhere in this one: what `registers` gives it next.
    pub fn install(&self, ip: Ip, sp: Sp, locals: Locals) {
        self.save(ip, sp, locals);
        self.installed.set((ip, sp, locals));
    }
    /// The registers as native code has installed them.
    #[inline(always)]
    pub fn registers(&self) -> (Ip, Sp, Locals) {
        self.installed.get()
    }
    #[inline(always)]
    pub fn suspend(&self, ip: Ip, sp: Sp, locals: Locals, oparg: usize) {
        self.installed.set((ip, sp, locals));
        self.oparg.set(oparg);
    }
    #[inline(always)]
    pub fn suspended(&self) -> (Ip, Sp, Locals, usize) {
        {
            let (ip, sp, locals) = self.installed.get();
            (ip, sp, locals, self.oparg.get())
        }
    }
    pub fn set_exit(&self, value: u64) {
        self.exit.set(value);
    }
    pub fn take_exit(&self) -> u64 {
        self.exit.get()
    }
    /// In debug builds, after each instruction: the stack pointer is inside the running frame.
    ///
    /// # Safety
    /// They are the registers of the running frame.
    #[inline(always)]
    pub unsafe fn check(&self, sp: Sp, locals: Locals) {
        if cfg!(debug_assertions) {
            unsafe { super::frame::check_bounds(sp, locals) };
        }
    }

    // ---- frames

    /// Highest word at which a frame of up to `datastack::HEADROOM` words may begin.
    pub fn chunk_limit(&self) -> *mut Word {
        self.chunk_limit.get()
    }
    pub fn set_stack_limit(&self, limit: *mut Word) {
        self.chunk_limit.set(limit);
        // Null says that there is a hook: before the first chunk every frame is above the limit anyway.
        let shown = match (self.wants_eval_hook(), limit.is_null()) {
            (true, _) => null_mut(),
            (false, true) => std::ptr::dangling_mut(),
            (false, false) => limit,
        };
        self.stack_limit.set(shown);
    }

    /// Counts a Python frame; false at the recursion limit (`_Py_EnterRecursivePy`).
    pub fn enter_any_frame(&self) -> bool {
        let remaining = self.recursion_remaining.get();
        if remaining <= 0 {
            return false;
        }
        self.recursion_remaining.set(remaining - 1);
        true
    }
    /// The same for specialised calls, which leave the last frame to the general path
    /// (`_CHECK_RECURSION_REMAINING`).
    #[inline(always)]
    pub fn enter_frame(&self) -> bool {
        let remaining = self.recursion_remaining.get();
        if remaining <= 1 {
            return false;
        }
        self.recursion_remaining.set(remaining - 1);
        true
    }
    /// Counts a frame that the caller has found to be within the limit.
    #[inline(always)]
    pub fn count_frame(&self) {
        self.recursion_remaining
            .set(self.recursion_remaining.get() - 1);
    }
    #[inline(always)]
    pub fn leave_frame(&self) {
        self.recursion_remaining
            .set(self.recursion_remaining.get() + 1);
    }

    // ---- what waits to be done

    /// Whether something waits to be done at this check.
    #[inline(always)]
    pub fn has_events(&self) -> bool {
        self.heap.eval_breaker.has_events()
    }
    /// Does what the eval breaker asks for (`_Py_HandlePending`).
    pub fn handle_pending(&self) -> Result<(), Raised> {
        super::pending::handle(self)
    }
    /// Counts one step against the limit, if there is one.
    pub fn take_step(&self) -> Result<(), Raised> {
        match self.steps_left.get() {
            None => Ok(()),
            Some(0) => Err(self.vm().raise(self.exc.RuntimeError, "step limit reached")),
            Some(left) => {
                self.steps_left.set(Some(left - 1));
                Ok(())
            }
        }
    }

    // ---- dispatch

    /// Counts an instruction that a cold function has fetched for its loop.
    ///
    /// # Safety
    /// `at` is an instruction in live code.
    #[inline(always)]
    pub unsafe fn fetched(&self, at: Ip) {
        if self.counting.get() {
            unsafe { self.count(at) };
        }
    }

    #[inline(always)]
    pub fn raw_table(&self) -> *const () {
        self.table.get()
    }
    pub fn set_raw_table(&self, table: *const ()) {
        self.table.set(table);
    }
    /// Counts the instruction that is about to be executed.
    ///
    /// # Safety
    /// As [`Thread::fetched`].
    #[inline(always)]
    pub unsafe fn count(&self, at: Ip) {
        self.counters.execute(usize::from(unsafe { *at }));
        if let Some(recorder) = self.recorder.get() {
            unsafe { recorder.fetched(self, at) };
        }
    }
    /// Has runs that count note what is specialised, from now on.
    pub fn record(&self) -> &Recorder {
        self.recorder.get_or_init(Recorder::new)
    }
    /// What has been noted since the last call; nothing unless [`Thread::record`] was called.
    pub fn take_statistics(&self) -> Option<Statistics> {
        self.recorder.get().map(|recorder| recorder.take(self))
    }
    /// Notes a head's decision about the instruction at `at`.
    ///
    /// # Safety
    /// As [`Thread::fetched`].
    #[inline]
    pub unsafe fn settled(
        &self,
        at: Ip,
        opcode: Opcode,
        before: BackoffCounter,
        decision: Decision,
    ) {
        if let Some(recorder) = self.recorder.get() {
            unsafe { recorder.settled(self, at, opcode, before, decision) };
        }
    }
    /// Code is about to be freed: nothing may be left to be found out from it.
    pub fn forget_current(&self) {
        if let Some(recorder) = self.recorder.get() {
            recorder.conclude(self);
        }
    }
    /// Counts that an instruction leaves its fast path, in the loop that counts.
    #[cfg(any(feature = "match", feature = "replicated"))]
    #[cold]
    #[inline(never)]
    pub fn count_departure(&self, state: usize, why: super::counts::Departure) {
        self.counters.depart(state, why);
    }
    /// How many instructions have been executed since the counts were taken last, while they are counted.
    pub fn executed(&self) -> u64 {
        self.counters.executed()
    }
    /// What has been executed since the last call.
    pub fn take_counts(&self) -> Counts {
        self.counters.take()
    }
    /// The code with this version; the caller has compared it with a live function's.
    #[inline(always)]
    pub fn code_of_version(&self, version: u32) -> *mut CodeObject {
        // SAFETY: a version is a place in the arena.
        unsafe {
            self.code_base
                .add(version as usize * super::arena::GRANULE)
                .cast()
        }
    }

    /// Puts `__builtins__` into globals that have none.
    ///
    /// # Safety
    /// `globals` is a live dict.
    pub unsafe fn ensure_builtins(&self, globals: *mut DictObject) -> Result<(), Raised> {
        let (vm, name) = (self.vm(), self.names.__builtins__);
        unsafe {
            if dict::get_str(globals, name).is_none() {
                dict::set_str(vm, globals, name, Word::from_borrowed(self.builtins.get()))?;
            }
        }
        Ok(())
    }
    /// `__builtins__` of a globals dict, or the VM's own (`_PyEval_BuiltinsFromGlobals`).
    ///
    /// # Safety
    /// `globals` is a live dict.
    pub unsafe fn builtins_of(&self, globals: *mut DictObject) -> *mut DictObject {
        unsafe {
            match dict::get_str(globals, self.names.__builtins__) {
                Some(word) if word.is_instance(crate::object::Kind::DICT) => word.cast(),
                Some(word) if word.is_instance(crate::object::Kind::MODULE) => {
                    (*word.cast::<crate::object::module::ModuleObject>()).dict
                }
                _ => self.builtins.get(),
            }
        }
    }
}
