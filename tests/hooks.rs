//! What an embedding program can do to a running machine: interrupt it, limit it, queue calls, evaluate its frames. All
//! of it under every form of dispatch compiled in.

use rattail::bytecode::Opcode;
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::object::{Raised, Word, attr};
use rattail::runtime::code::CodeObject;
use rattail::runtime::eval_hook::{self, EvalFrame};
use rattail::runtime::function::FunctionObject;
use rattail::runtime::pending::Handle;
use rattail::runtime::vm::{Machine, Options, Outcome};
use std::cell::{Cell, RefCell};
use std::io::{self, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

#[derive(Clone, Default)]
struct Kept(Rc<RefCell<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Test {
    machine: Machine,
    output: Kept,
}

impl Test {
    fn new(form: Dispatch) -> Test {
        let output = Kept::default();
        let options = Options {
            stdout: Box::new(output.clone()),
            stderr: Box::new(output.clone()),
            compile: Some(rattail::cli::compile),
            ..Options::default()
        };
        let machine = Machine::new(options).expect("a machine");
        interp::select(machine.thread(), form, false);
        Test { machine, output }
    }
    fn run(&self, source: &str) -> Outcome {
        let code = compiler::compile(source.as_bytes(), "<test>", Mode::Exec, Default::default());
        self.machine
            .run_main(&code.unwrap_or_else(|e| panic!("{}", e.render())))
    }
    /// Runs a program that ends well; what it printed.
    fn output_of(&self, source: &str) -> String {
        let outcome = self.run(source);
        assert!(outcome.is_success(), "{outcome:?}");
        String::from_utf8(self.output.0.take()).expect("UTF-8")
    }
    /// The opcodes of a function of the program, as they are now.
    fn opcodes(&self, function: &str) -> Vec<Opcode> {
        let vm = self.machine.vm();
        let main = vm.names.__main__;
        // SAFETY: the program's module, a function of it.
        unsafe {
            let main = rattail::object::dict::get_item(vm, vm.modules, main).expect("found");
            let name = vm.intern_str(function).expect("memory");
            let function =
                attr::get_attr(vm, main.expect("a program"), name.as_word()).expect("a function");
            let function: *mut FunctionObject = function.as_word().cast();
            let code: &CodeObject = &*(*function).code.get();
            let mut unit = 0;
            let mut found = vec![];
            while unit < code.units() {
                found.push(Opcode(u16::from(code.adaptive()[2 * unit].get())));
                unit += 1 + code.base_opcode(unit).caches();
            }
            found
        }
    }
    fn has(&self, function: &str, opcode: Opcode) -> bool {
        self.opcodes(function).contains(&opcode)
    }
}

fn in_every_form(test: impl Fn(Dispatch)) {
    Dispatch::COMPILED.iter().for_each(|form| test(*form));
}

// ---- the eval breaker

/// A handle is for other threads.
const _: fn() = || {
    fn sent<T: Send + Sync + Clone + 'static>() {}
    sent::<Handle>();
};

fn report(outcome: &Outcome) -> &str {
    outcome.report.as_deref().unwrap_or_default()
}

/// Endless programs, one of them in every kind of code that can be interrupted.
const ENDLESS: [&str; 9] = [
    "while True: pass",
    "while True:\n    x = 1",
    "def f():\n    while 1:\n        pass\nf()",
    "def f(n):\n    return g(n)\ndef g(n):\n    return n\nwhile f(1): f(2)",
    "sum(range(10**15))",
    "import itertools\nlist(zip(itertools.repeat(1), map(abs, itertools.count()))) if 0 else all(itertools.count(1))",
    "def numbers():\n    while True: yield 1\nfor n in numbers(): pass",
    "def f():\n    try:\n        while True: pass\n    finally:\n        print('cleaned')\nf()",
    "import time\ntime.sleep(1000)",
];

#[test]
fn another_thread_interrupts() {
    in_every_form(|form| {
        for source in ENDLESS {
            let test = Test::new(form);
            let handle = test.machine.handle();
            let interrupter = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(30));
                let at = Instant::now();
                assert!(handle.interrupt());
                at
            });
            let outcome = test.run(source);
            let ended = Instant::now();
            let asked = interrupter.join().expect("no panic");
            assert!(outcome.interrupted, "{form} {source}: {outcome:?}");
            assert_eq!(outcome.status, 130);
            assert!(
                report(&outcome).ends_with("KeyboardInterrupt\n"),
                "{}",
                report(&outcome)
            );
            // A loaded machine may be slow, but not this slow.
            assert!(ended - asked < Duration::from_secs(5), "{form} {source}");
        }
    });
}

#[test]
fn an_interrupt_can_be_caught() {
    in_every_form(|form| {
        let test = Test::new(form);
        let handle = test.machine.handle();
        let interrupter = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            handle.interrupt()
        });
        let output = test.output_of(
            "try:\n    while True: pass\nexcept KeyboardInterrupt as e:\n    print(repr(e))\n",
        );
        assert_eq!(output, "KeyboardInterrupt()\n");
        assert!(interrupter.join().expect("no panic"));
    });
}

#[test]
fn a_handle_outlives_its_machine() {
    let handle = {
        let test = Test::new(Dispatch::COMPILED[0]);
        test.machine.handle()
    };
    assert!(!handle.interrupt());
    assert!(!handle.call(|_| Ok(())));
}

#[test]
fn pending_calls_are_made_in_order_on_the_machines_thread() {
    in_every_form(|form| {
        let test = Test::new(form);
        let handle = test.machine.handle();
        let thread = std::thread::current().id();
        let (sender, receiver) = std::sync::mpsc::channel();
        for number in 0..40 {
            let sender = sender.clone();
            handle.call(move |_| {
                assert_eq!(std::thread::current().id(), thread);
                sender.send(number).expect("a receiver");
                Ok(())
            });
        }
        test.output_of("for i in range(10): pass\n");
        assert_eq!(
            receiver.try_iter().collect::<Vec<_>>(),
            Vec::from_iter(0..40)
        );
        handle.call(|vm| Err(vm.value_error("queued")));
        let outcome = test.run("def f():\n    for i in range(10): pass\nf()\n");
        assert!(
            report(&outcome).ends_with("ValueError: queued\n"),
            "{outcome:?}"
        );
        assert!(test.run("for i in range(10): pass\n").is_success());
    });
}

#[test]
fn time_is_limited() {
    in_every_form(|form| {
        let test = Test::new(form);
        let budget = Some(Duration::from_millis(50));
        test.machine.limit_time(budget).expect("a thread");
        let outcome = test.run(
            "while True:\n    try:\n        while True: pass\n    except KeyboardInterrupt:\n        print('caught')\n",
        );
        // Caught once at most before the next check raises again, outside of the `try`.
        assert!(report(&outcome).ends_with("KeyboardInterrupt: time budget exhausted\n"));
        test.machine.limit_time(None).expect("no thread");
        assert!(test.run("for i in range(100): pass\n").is_success());
        test.machine
            .limit_time(Some(Duration::from_secs(3600)))
            .expect("a thread");
        assert!(test.run("for i in range(100): pass\n").is_success());
    });
}

#[test]
fn instructions_are_limited() {
    in_every_form(|form| {
        let test = Test::new(form);
        interp::limit_instructions(test.machine.thread(), form, Some(100_000));
        let outcome = test.run("n = 0\nwhile True: n += 1\n");
        assert!(report(&outcome).ends_with("KeyboardInterrupt: instruction budget exhausted\n"));
        let executed = test.machine.thread().take_counts().total();
        assert!((100_000..101_000).contains(&executed), "{executed}");
        interp::limit_instructions(test.machine.thread(), form, Some(100_000));
        assert!(test.run("for i in range(100): pass\n").is_success());
        interp::limit_instructions(test.machine.thread(), form, None);
        assert!(test.run("for i in range(200000): pass\n").is_success());
    });
}

#[test]
fn a_collection_is_asked_for_through_the_breaker() {
    in_every_form(|form| {
        let test = Test::new(form);
        let output = test.output_of(
            "import weakref\nclass A: pass\na = A(); a.me = a\nr = weakref.ref(a)\ndel a\nn = 0\n\
             while r() is not None and n < 10**6:\n    b = [n]; b.append(b); n += 1\nprint(r())\n",
        );
        assert_eq!(output, "None\n");
    });
}

// ---- the frame-evaluation hook

const CALLS: &str = "
class C:
    def __init__(self, x):
        self.x = x
    @property
    def p(self):
        return self.x
    def __getitem__(self, i):
        return i
    def m(self, y):
        return self.x + y
def f(x):
    return x
def k(x, *, y=1):
    return x + y
def gen(n):
    for i in range(n):
        yield i
def sites(n):
    t = 0
    for i in range(n):
        c = C(i)
        t += f(i) + c.m(1) + c.p + c[1] + k(i, y=2)
    for i in gen(n):
        t += i
    return t
";

/// Forms that push a frame inline, of the sites above.
const INLINE: [Opcode; 6] = [
    Opcode::CALL_ALLOC_AND_ENTER_INIT,
    Opcode::CALL_PY_EXACT_ARGS,
    Opcode::LOAD_ATTR_PROPERTY,
    Opcode::BINARY_OP_SUBSCR_GETITEM,
    Opcode::CALL_KW_PY,
    Opcode::FOR_ITER_GEN,
];

fn counting_hook(test: &Test, log: Rc<RefCell<Vec<(String, bool)>>>) {
    let hook = move |frame: &EvalFrame<'_>| {
        log.borrow_mut().push((frame.name(), frame.is_throw()));
        frame.evaluate()
    };
    test.machine.thread().set_eval_hook(Some(Rc::new(hook)));
}

#[test]
fn call_sites_lose_and_recover_their_forms() {
    in_every_form(|form| {
        let test = Test::new(form);
        let log = Rc::default();
        let inline = |test: &Test| INLINE.map(|op| test.has("sites", op));
        let expected = test.output_of(&format!("{CALLS}print(sites(200))\n"));
        // `sites` of the program that has just run.
        assert_eq!(
            inline(&test),
            [true; 6],
            "{form} before: {:?}",
            test.opcodes("sites")
        );

        counting_hook(&test, Rc::clone(&log));
        assert!(test.machine.thread().eval_hook().is_some());
        let hooked = test.output_of(&format!("{CALLS}print(sites(200))\n"));
        assert_eq!(hooked, expected);
        // Every frame has been evaluated by the hook, that of a generator when it is made, and at each resumption.
        let seen = log.take();
        let count = |name: &str| seen.iter().filter(|(own, _)| own == name).count();
        assert_eq!(
            [
                count("f"),
                count("C.m"),
                count("C.__init__"),
                count("C.p"),
                count("C.__getitem__")
            ],
            [200; 5]
        );
        assert_eq!((count("k"), count("gen"), count("sites")), (200, 202, 1));
        assert_eq!(
            inline(&test),
            [false; 6],
            "{form} hooked: {:?}",
            test.opcodes("sites")
        );

        test.machine.thread().set_eval_hook(None);
        assert!(test.machine.thread().eval_hook().is_none());
        let cleared = test.output_of(&format!("{CALLS}print(sites(200))\n"));
        assert_eq!((cleared, log.borrow().len()), (expected, 0));
        assert_eq!(inline(&test), [true; 6], "{form} cleared");
    });
}

/// One function through all three states: forms that it has are kept by the sites until their counters run out, miss
/// meanwhile, and hit again.
#[test]
fn a_function_goes_through_hook_and_back() {
    in_every_form(|form| {
        let test = Test::new(form);
        let thread = test.machine.thread();
        let calls = Rc::new(Cell::new(0));
        let own = Rc::clone(&calls);
        let hook: Rc<eval_hook::FrameEval> = Rc::new(move |frame: &EvalFrame<'_>| {
            own.set(own.get() + 1);
            frame.evaluate()
        });
        let kept = Rc::clone(&hook);
        let set = thread.request_code_extra_index();
        assert_eq!(set, Some(0));
        // The program itself asks for the switch, by pending calls, between two calls of `work`.
        let source = "
def leaf(x):
    return x
def work(n):
    for i in range(n):
        leaf(i)
work(100)
";
        assert!(test.run(source).is_success());
        assert!(test.has("work", Opcode::CALL_PY_EXACT_ARGS));
        let call_work = |n: i64| {
            let vm = test.machine.vm();
            // SAFETY: the program's module.
            let main =
                unsafe { rattail::object::dict::get_item(vm, vm.modules, vm.names.__main__) };
            let name = vm.intern_str("work").expect("memory");
            let work = attr::get_attr(vm, main.ok().flatten().expect("main"), name.as_word());
            let work = work.expect("work");
            let args = [Word::int_unchecked(n)];
            let done = rattail::object::call::call(vm, work.as_word(), &args, None);
            assert!(done.is_ok());
        };
        for _ in 0..2 {
            thread.set_eval_hook(Some(Rc::clone(&kept)));
            assert!(Rc::ptr_eq(&thread.eval_hook().expect("set"), &kept));
            call_work(10);
            assert_eq!(calls.replace(0), 11);
            // Ten misses: the form is still there, every call went through the hook.
            assert!(test.has("work", Opcode::CALL_PY_EXACT_ARGS), "{form}");
            call_work(100);
            assert_eq!(calls.replace(0), 101);
            // The counter has run out: the site is generic.
            assert!(
                test.has("work", Opcode::CALL),
                "{form}: {:?}",
                test.opcodes("work")
            );
            thread.set_eval_hook(None);
            call_work(10_000);
            assert_eq!(calls.get(), 0);
            assert!(test.has("work", Opcode::CALL_PY_EXACT_ARGS), "{form}");
        }
    });
}

#[test]
fn a_hook_can_answer_itself_throw_and_be_thrown_at() {
    in_every_form(|form| {
        let test = Test::new(form);
        test.machine
            .thread()
            .set_eval_hook(Some(Rc::new(|frame: &EvalFrame<'_>| {
                match frame.name().as_str() {
                    "answered" => frame.vm().new_int(42),
                    "refused" => Err(frame.vm().value_error("refused by the hook")),
                    "twice" => {
                        drop(frame.evaluate()?);
                        frame.evaluate()
                    }
                    _ => frame.evaluate(),
                }
            })));
        let output = test.output_of(
            "
def answered(a, b=[1]):
    print('not reached')
def refused(): pass
def twice(): return 1
def gen():
    try:
        yield 1
    except KeyError as e:
        yield repr(e)
print(answered([2]))
for f in refused, twice:
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
g = gen()
print(next(g), g.throw(KeyError('k')))
print(sorted([3, 1, 2], key=answered), [answered(i) for i in range(2)])
",
        );
        assert_eq!(
            output,
            "42\nValueError refused by the hook\nRuntimeError the frame has been evaluated\n1 KeyError('k')\n\
             [3, 1, 2] [42, 42]\n"
        );
    });
}

#[test]
fn code_objects_keep_what_hooks_give_them() {
    in_every_form(|form| {
        let test = Test::new(form);
        let thread = test.machine.thread();
        let index = thread.request_code_extra_index().expect("an index");
        let other = thread.request_code_extra_index().expect("another");
        assert_ne!(index, other);
        let dropped = Rc::new(Cell::new(0));
        struct Counter(Cell<u32>, Rc<Cell<u32>>);
        impl Drop for Counter {
            fn drop(&mut self) {
                self.1.set(self.1.get() + 1);
            }
        }
        let own = Rc::clone(&dropped);
        thread.set_eval_hook(Some(Rc::new(move |frame: &EvalFrame<'_>| {
            if frame.extra(index).is_none() {
                frame.set_extra(index, Some(Rc::new(Counter(Cell::new(0), Rc::clone(&own)))));
            }
            assert!(frame.extra(other).is_none());
            let extra = frame.extra(index).expect("just set");
            let count = &extra.downcast_ref::<Counter>().expect("a counter").0;
            count.set(count.get() + 1);
            if frame.name() == "told" {
                return frame.vm().new_int(count.get().into());
            }
            frame.evaluate()
        })));
        let output = test.output_of(
            "
def told(): pass
print(told(), told(), told())
exec('def short(): pass\\nshort()')
del short
",
        );
        assert_eq!(output, "1 2 3\n");
        thread.set_eval_hook(None);
        assert!(
            dropped.get() >= 1,
            "code that is gone has dropped what was kept with it"
        );
        let before = dropped.get();
        drop(test);
        assert!(dropped.get() > before);
    });
}

#[test]
fn a_hook_may_clear_itself() {
    in_every_form(|form| {
        let test = Test::new(form);
        test.machine
            .thread()
            .set_eval_hook(Some(Rc::new(|frame: &EvalFrame<'_>| {
                if frame.name() == "last" {
                    frame.thread().set_eval_hook(None);
                }
                frame.evaluate()
            })));
        let output = test.output_of(
            "def last(n): return n\ndef work():\n    return [last(i) for i in range(40)][-1]\nprint(work())\n",
        );
        assert_eq!(output, "39\n");
        assert!(test.machine.thread().eval_hook().is_none());
    });
}

/// Recursion through the hook is bounded by the native stack: an error, not a crash.
#[test]
fn recursion_through_the_hook_ends_in_an_error() {
    in_every_form(|form| {
        let test = Test::new(form);
        test.machine
            .thread()
            .set_eval_hook(Some(Rc::new(|frame: &EvalFrame<'_>| frame.evaluate())));
        let output = test.output_of(
            "import sys\nsys.setrecursionlimit(10**6)\ndef f(): return f()\n\
             try:\n    f()\nexcept RecursionError:\n    print('RecursionError')\n",
        );
        assert_eq!(output, "RecursionError\n");
    });
}

/// An error of the hook's own making that says nothing.
#[test]
fn a_hook_that_raises_nothing_is_a_system_error() {
    in_every_form(|form| {
        let test = Test::new(form);
        test.machine
            .thread()
            .set_eval_hook(Some(Rc::new(|_: &EvalFrame<'_>| Err(Raised))));
        let outcome = test.run("pass\n");
        assert!(report(&outcome).contains("SystemError"), "{outcome:?}");
    });
}

/// Ctrl-C ends `rattail run` by SIGINT, after the traceback.
#[cfg(unix)]
#[test]
fn the_command_dies_of_ctrl_c() {
    use std::io::Read;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Command, Stdio};
    in_every_form(|form| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rattail"));
        // Where the tests run in the background, the signal is ignored, and a child inherits that.
        // SAFETY: the call is allowed between fork and exec.
        unsafe {
            command.pre_exec(|| {
                libc::signal(libc::SIGINT, libc::SIG_DFL);
                Ok(())
            })
        };
        let mut child = command
            .args(["run", "--dispatch", form.name(), "-c"])
            .arg("print('ready', flush=True)\nwhile True: pass")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command");
        let mut ready = [0; 6];
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut ready).expect("a line");
        // SAFETY: a signal to the child.
        unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
        let output = child.wait_with_output().expect("the end");
        assert_eq!(output.status.signal(), Some(libc::SIGINT));
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(
            text.starts_with("Traceback (most recent call last):\n"),
            "{text}"
        );
        assert!(text.ends_with("KeyboardInterrupt\n"), "{text}");
    });
}
