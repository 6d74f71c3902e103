//! Functions of an embedding program, and what a call of Python code costs on the native stack.

use rattail::bytecode::Opcode;
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::runtime::native::{Convention, Exception, Value};
use rattail::runtime::vm::{Machine, Options};
use std::cell::{Cell, RefCell};
use std::hint::black_box;
use std::io::{self, Write};
use std::rc::Rc;

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

struct Program {
    machine: Machine,
    output: Kept,
}

impl Program {
    fn new(form: Dispatch) -> Program {
        let output = Kept::default();
        let machine = Machine::new(Options {
            stdout: Box::new(output.clone()),
            stderr: Box::new(output.clone()),
            compile: Some(rattail::cli::compile),
            ..Options::default()
        })
        .expect("a machine");
        interp::select(machine.thread(), form, false);
        Program { machine, output }
    }
    /// What a program prints, and the report of how it ended.
    fn run(&self, text: &str) -> String {
        let code = compiler::compile(text.as_bytes(), "p.py", Mode::Exec, Default::default())
            .unwrap_or_else(|error| panic!("{}", error.render()));
        let outcome = self.machine.run_main(&code);
        let printed = String::from_utf8(self.output.0.take()).expect("UTF-8");
        printed + &outcome.report.unwrap_or_default()
    }
}

fn add_functions(vm: &Machine) {
    let add = |convention, name| {
        vm.function_as(convention, name, |args| {
            args.ok(args.get::<i64>(0)? + args.get::<i64>(1)?)
        })
        .expect("a function");
    };
    add(Convention::Fast, "add_fast");
    add(Convention::FastKeywords, "add");
    vm.function_as(Convention::VarArgs, "add_varargs", |args| {
        let items: Vec<i64> = args.tuple()?.extract()?;
        args.ok(items.iter().sum::<i64>())
    })
    .expect("a function");
    vm.function_as(Convention::NoArgs, "answer", |args| args.ok(42_i64))
        .expect("a function");
    vm.function_as(Convention::OneArg, "upper", |args| {
        args.ok(args.get::<String>(0)?.to_uppercase())
    })
    .expect("a function");
    vm.function("named", |args| {
        args.expect_names(&["scale", "name"])?;
        let scale: Option<f64> = args.named("scale")?;
        args.ok((args.named::<String>("name")?, scale))
    })
    .expect("a function");
    vm.function("call", |args| {
        let rest = (1..args.len()).filter_map(|index| args.value(index));
        args.get::<Value>(0)?.call(&rest.collect::<Vec<_>>())
    })
    .expect("a function");
    vm.function("boom", |_| panic!("told to"))
        .expect("a function");
    vm.function("refuse", |args| {
        Err(Exception::runtime_error(args, "refused"))
    })
    .expect("a function");
    vm.function("swallow", |args| {
        let outcome = args.get::<Value>(0)?.call(&[]);
        args.ok(outcome.err().map(|exception| exception.to_string()))
    })
    .expect("a function");
}

const CONVERSIONS: &str = r#"
def attempt(text):
    try:
        print(text, "->", eval(text))
    except Exception as error:
        print(text, "->", type(error).__name__, error)
for text in """add(1, 2)
add_fast(2**40, -1)
add_varargs(1, 2, 3)
add_varargs()
answer()
upper('text')
named(scale=2, name='x')
named()
call(lambda *a: a, 1, 'two', None)
call(call, call, answer)
add(1)
add('a', 1)
add(1.5, 1)
add(2**70, 1)
add_fast(1, b=2)
answer(1)
upper()
upper(1)
upper(1, 2)
named(scale='a')
named(name=3)
named(other=3)
call(len, 3)
call(lambda: 1 / 0)
boom()
refuse()
swallow(lambda: 1 / 0)
swallow(answer)
swallow(boom)
sorted([3, 1, 2], key=lambda x: add(x, -2 * x))
answer.__name__, answer.__module__, answer.__self__, repr(answer)""".splitlines():
    attempt(text)
"#;

const CONVERTED: &str = "\
add(1, 2) -> 3
add_fast(2**40, -1) -> 1099511627775
add_varargs(1, 2, 3) -> 6
add_varargs() -> 0
answer() -> 42
upper('text') -> TEXT
named(scale=2, name='x') -> ('x', 2.0)
named() -> (None, None)
call(lambda *a: a, 1, 'two', None) -> (1, 'two', None)
call(call, call, answer) -> 42
add(1) -> TypeError add expected at least 2 arguments, got 1
add('a', 1) -> TypeError 'str' object cannot be interpreted as an integer
add(1.5, 1) -> TypeError 'float' object cannot be interpreted as an integer
add(2**70, 1) -> OverflowError Python int too large to convert to C long
add_fast(1, b=2) -> TypeError add_fast() takes no keyword arguments
answer(1) -> TypeError answer() takes no arguments (1 given)
upper() -> TypeError upper() takes exactly one argument (0 given)
upper(1) -> TypeError upper() argument 1 must be str, not int
upper(1, 2) -> TypeError upper() takes exactly one argument (2 given)
named(scale='a') -> TypeError must be real number, not str
named(name=3) -> TypeError named() argument 'name' must be str, not int
named(other=3) -> TypeError named() got an unexpected keyword argument 'other'
call(len, 3) -> TypeError object of type 'int' has no len()
call(lambda: 1 / 0) -> ZeroDivisionError division by zero
boom() -> RuntimeError native function 'boom' panicked: told to
refuse() -> RuntimeError refused
swallow(lambda: 1 / 0) -> ZeroDivisionError: division by zero
swallow(answer) -> None
swallow(boom) -> RuntimeError: native function 'boom' panicked: told to
sorted([3, 1, 2], key=lambda x: add(x, -2 * x)) -> [3, 2, 1]
answer.__name__, answer.__module__, answer.__self__, repr(answer) -> ('answer', 'builtins', <module 'builtins' (built-in)>, '<built-in function answer>')
";

#[test]
fn arguments_convert() {
    for &form in Dispatch::COMPILED {
        let program = Program::new(form);
        add_functions(&program.machine);
        assert_eq!(program.run(CONVERSIONS), CONVERTED, "{form}");
        // The machine is whole after the panics, and a second program finds the functions.
        assert_eq!(program.run("print(add(20, 22))"), "42\n", "{form}");
    }
}

#[test]
fn sites_specialise_by_convention() {
    let source = "
import sys
def f():
    answer(); upper('a'); add_fast(1, 2); add(1, 2); add_varargs(1, 2)
for _ in range(100):
    f()
code = f.__code__._co_code_adaptive
print(bytes(code[i] for i in range(0, len(code), 2)).hex())
";
    for &form in Dispatch::COMPILED {
        let program = Program::new(form);
        add_functions(&program.machine);
        let hex = program.run(source);
        let hex = hex.trim();
        let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex digits");
        let mut opcodes = vec![];
        let mut at = 0;
        while at < hex.len() {
            let opcode = Opcode(u16::from(byte(at)));
            opcodes.push(opcode);
            at += 2 * (1 + opcode.caches());
        }
        let count = |wanted: Opcode| opcodes.iter().filter(|opcode| **opcode == wanted).count();
        // As in CPython, nothing specialises on a function of no arguments, nor on one that wants a tuple.
        assert_eq!(count(Opcode::CALL_BUILTIN_O), 1, "{form}");
        assert_eq!(count(Opcode::CALL_BUILTIN_FAST), 1, "{form}");
        assert_eq!(count(Opcode::CALL_BUILTIN_FAST_WITH_KEYWORDS), 1, "{form}");
        assert_eq!(count(Opcode::CALL_NON_PY_GENERAL), 2, "{form}");
    }
}

/// A program with `here`, which keeps the address of the native stack at each call.
fn with_stack_probe(form: Dispatch) -> (Program, Rc<RefCell<Vec<usize>>>) {
    let program = Program::new(form);
    let places: Rc<RefCell<Vec<usize>>> = Rc::default();
    let kept = places.clone();
    program
        .machine
        .function_as(Convention::NoArgs, "here", move |args| {
            let local = 0_u8;
            kept.borrow_mut().push(black_box(&raw const local) as usize);
            args.ok(())
        })
        .expect("a function");
    (program, places)
}

#[test]
fn python_calls_take_no_native_stack() {
    // Plain and general calls, methods, `__init__`, keywords, generators: 200 deep, warm and cold.
    let source = "
def plain(n):
    here()
    if n: plain(n - 1)
def general(n, *rest, k=0):
    here()
    if n: general(n - 1, 1, 2, k=n)
class C:
    def __init__(self, n):
        here()
        if n: C(n - 1)
    def method(self, n):
        here()
        if n: self.method(n - 1)
    def __getitem__(self, n):
        here()
        if n: self[n - 1]
def starred(n):
    here()
    if n: starred(*(n - 1,))
def delegates(n):
    here()
    if n: yield from delegates(n - 1)
    yield
async def awaits(n):
    here()
    if n: await awaits(n - 1)
def run():
    plain(200); general(200); c = C(0); c.method(200); starred(200); c[200]
def suspended():
    for _ in delegates(200): pass
for _ in range(6):
    run()
suspended()
C(200)
";
    for &form in Dispatch::COMPILED {
        let (program, places) = with_stack_probe(form);
        assert_eq!(program.run(source), "");
        let places = places.borrow();
        assert!(places.len() > 3 * 6 * 200, "{form}");
        // Once the sites are warm nothing moves. A class that is called where nothing has been specialised, or where its
        // `__init__` does not fit the chunk, goes through `type.__call__`, as in CPython; so does the first call of a
        // generator: these come after the six runs.
        const RUN: usize = 5 * 201 + 1;
        let warm = &places[3 * RUN..6 * RUN];
        let moved = warm.iter().position(|place| *place != warm[0]);
        assert_eq!(
            moved, None,
            "{form}: a warm call has moved the native stack"
        );
        let farthest = places.iter().map(|place| place.abs_diff(warm[0])).max();
        assert!(farthest < Some(32 << 10), "{form}: {farthest:?} bytes away");
        println!("{form}: 0 bytes of native stack per Python call");
    }
}

#[test]
fn native_reentries_are_counted_in_bytes() {
    let source = "
def through_sort(n):
    here()
    if n: sorted([n - 1], key=through_sort)
def through_call(n):
    here()
    if n: call(through_call, n - 1)
def through_init(n):
    here()
    if n: Through(n - 1)
class Meta(type):
    def __call__(cls, n):
        here()
        if n: cls.__new__(cls, n)
class Through(metaclass=Meta):
    def __new__(cls, n):
        return cls(n - 1)
def through_next(n):
    here()
    yield
    if n: next(iter(map(lambda n: next(through_next(n)), [n - 1])))
";
    for &form in Dispatch::COMPILED {
        for kind in ["through_sort", "through_call"] {
            let (program, places) = with_stack_probe(form);
            add_functions(&program.machine);
            assert_eq!(program.run(&format!("{source}\n{kind}(50)\n")), "");
            let places = places.borrow();
            assert_eq!(places.len(), 51);
            let each = (places[0] - places[50]) / 50;
            println!("{form}: {each} bytes of native stack per re-entry {kind}");
            // The recursion limit of 1000 fits the main thread's 8 MiB with room to spare.
            assert!((1..6000).contains(&each), "{form} {kind}: {each}");
        }
    }
}

#[test]
fn endless_reentry_is_a_recursion_error() {
    let source = "
def f(n): return call(f, n + 1)
try:
    f(0)
except RecursionError as error:
    print('RecursionError')
def g():
    for _ in map(lambda _: g(), [1]): pass
try:
    g()
except RecursionError:
    print('RecursionError')
import sys
sys.setrecursionlimit(10**6)
try:
    f(0)
except RecursionError as error:
    print(str(error)[:14])
";
    for &form in Dispatch::COMPILED {
        let program = Program::new(form);
        add_functions(&program.machine);
        let expected = "RecursionError\nRecursionError\nStack overflow\n";
        assert_eq!(program.run(source), expected, "{form}");
    }
}

#[test]
fn a_reserve_keeps_chunks() {
    // A loop whose call straddles the end of a chunk: wherever the end is, some depth meets it.
    let source = "
def leaf(a, b, c, d, e, f, g, h):
    return a
def loop(times):
    for i in range(times):
        leaf(1, 2, 3, 4, 5, 6, 7, 8)
def down(n, times):
    if n:
        down(n - 1, times)
    else:
        loop(times)
for depth in range(0, 260):
    down(depth, 20)
";
    for &form in Dispatch::COMPILED {
        let program = Program::new(form);
        let allocated = Cell::new(0);
        let count = |text: &str| {
            assert_eq!(program.run(text), "");
            let now = program.machine.thread().datastack.allocated.get();
            now - allocated.replace(now)
        };
        // As many as the deepest call needs, and as many again on the way down to it a second time.
        let first = count(source);
        assert!((2..40).contains(&first), "{form}: {first} chunks");
        let straddling = count(&source.replace("(depth, 20)", "(depth, 400)"));
        assert!(
            straddling <= first,
            "{form}: {straddling} chunks for more of the same calls, {first} before"
        );
        // A frame that needs more than a chunk gets one of its own, doubled.
        let names: Vec<String> = (0..5000).map(|i| format!("v{i}=0")).collect();
        let large = format!(
            "def f({}): return v4999\nfor _ in range(50): f()\n",
            names.join(", ")
        );
        let large = count(&large);
        assert!(
            (1..=4).contains(&large),
            "{form}: {large} chunks for a large frame"
        );
        println!("{form}: {first} chunks, then {straddling}, {large} for a large frame");
    }
}

#[test]
fn frames_do_not_add_up() {
    let source = "
import sys, gc
def returned():
    value = [1, 2]
    return sys._getframe()
def raised(n):
    value = [n]
    if n: raised(n - 1)
    raise LookupError
def suspended():
    x = [1]
    yield sys._getframe()
    yield sys._getframe(1)
def cyclic():
    frame = sys._getframe()
    frame.f_locals['extra'] = frame
def kept(frames=[]):
    frames[:] = [sys._getframe()]
def once():
    frame = returned()
    frame.f_locals['value'] = 3
    frame.f_locals['other'] = frame
    frame.clear()
    try:
        raised(5)
    except LookupError as error:
        trace = error.__traceback__
    for frame in suspended():
        frame.f_locals['x'] = [2]
    g = suspended()
    next(g)
    g.gi_frame.f_locals['x'] = g
    g = suspended().gi_frame
    cyclic()
    kept()
    locals()
";
    let form = Dispatch::COMPILED[0];
    let program = Program::new(form);
    let rounds = |count: usize| {
        let calls = format!("{source}\nfor _ in range({count}): once()\ngc.collect()\n");
        assert_eq!(program.run(&calls), "");
        program.machine.vm().heap.used()
    };
    // A page that one object keeps counts as a whole.
    const PAGES: usize = 4 << 16;
    // Blocks that the ledger keeps aside for a while, of 512 bytes at most.
    const ASIDE: usize = if cfg!(feature = "stackref-debug") {
        8 << 20
    } else {
        0
    };
    rounds(100);
    let before = rounds(10);
    let after = rounds(1000);
    assert!(
        after <= before + PAGES + ASIDE,
        "{before} bytes before, {after} after a thousand rounds"
    );
}
