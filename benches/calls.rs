//! `cargo bench --bench calls`: what calls, frames, exceptions and hooks cost, under every form of dispatch compiled in
//! and under Debian's python3.11, if it is there.
//!
//! Each case is a Python function `run(n)` that does something n times; what is measured is the time of one call of it,
//! divided by n. The table at the end comes from interleaved rounds of its own: medians, with multiples of an ordinary
//! call. With OUT set, the samples go to that file.

use criterion::Criterion;
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::introspect::results::{self, Calls, ONCE, ORDINARY, TWICE};
use rattail::object::{Owned, Word, attr, call, dict};
use rattail::runtime::vm::{Machine, Options};
use std::cell::RefCell;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Name, what stands before the loop, what is done in it. `{hook}` cases set a hook around the loop.
struct Case {
    name: &'static str,
    before: &'static str,
    body: &'static str,
    set: &'static str,
    clear: &'static str,
}

const fn case(name: &'static str, before: &'static str, body: &'static str) -> Case {
    Case {
        name,
        before,
        body,
        set: "pass",
        clear: "pass",
    }
}

const F: &str = "def f(): pass";

const CASES: [Case; 17] = [
    case("loop alone", "", "pass"),
    case(ORDINARY, F, "f()"),
    case(
        "slot call",
        "class C:\n    def __call__(self): pass\nf = C()",
        "f()",
    ),
    case("vectorcall", "f = abs\nx = 1", "f(x)"),
    case("keyword call", "def f(a, b): pass\nx = 1", "f(a=x, b=x)"),
    case(
        "instance",
        "class C:\n    def __init__(self, a):\n        self.a = a\nx = 1",
        "C(x)",
    ),
    case(ONCE, "g = sys._getframe\ndef f(): g()", "f()"),
    case(
        TWICE,
        "g = sys._getframe\ndef f():\n    g()\n    g()",
        "f()",
    ),
    case(
        "generator item",
        "def items(n):\n    for i in range(n):\n        yield i",
        "pass",
    ),
    case(
        "raise through 1 frame",
        "def f(): raise KeyError",
        "\n            try: f()\n            except KeyError: pass",
    ),
    case(
        "raise through 10 frames",
        "def f(n):\n    if n: f(n - 1)\n    else: raise KeyError",
        "\n            try: f(9)\n            except KeyError: pass",
    ),
    Case {
        name: "call, profiled",
        before: "def f(): pass\ndef hook(frame, event, arg): pass",
        body: "f()",
        set: "sys.setprofile(hook)",
        clear: "sys.setprofile(None)",
    },
    Case {
        name: "call, traced",
        before: "def f(): pass\ndef hook(frame, event, arg): return None",
        body: "f()",
        set: "sys.settrace(hook)",
        clear: "sys.settrace(None)",
    },
    Case {
        name: "call, traced by line",
        before: "def f(): pass\ndef hook(frame, event, arg): return hook",
        body: "f()",
        set: "sys.settrace(hook)",
        clear: "sys.settrace(None)",
    },
    case("10 calls deep", "def f(n):\n    if n: f(n - 1)", "f(9)"),
    case(
        "star call",
        "def f(*args, **kwargs): pass\na = (1, 2)\nk = {'x': 3}",
        "f(*a, **k)",
    ),
    case(
        "method call",
        "class C:\n    def m(self): pass\no = C()",
        "o.m()",
    ),
];

impl Case {
    fn source(&self) -> String {
        let over = match self.name {
            "generator item" => "items(n)",
            _ => "range(n)",
        };
        format!(
            "import sys\n{}\ndef run(n):\n    {}\n    try:\n        for _ in {over}:\n            {}\n    finally:\n        {}\n",
            self.before, self.set, self.body, self.clear
        )
    }
}

/// Something that runs a case.
trait Runner {
    fn name(&self) -> String;
    /// The time that `run(n)` takes.
    fn time(&mut self, n: u64) -> Duration;
}

struct Own {
    form: Dispatch,
    machine: Machine,
    run: Option<Owned>,
}

impl Own {
    fn new(case: &Case, form: Dispatch) -> Own {
        let options = Options {
            stdout: Box::new(io::sink()),
            compile: Some(rattail::cli::compile),
            ..Options::default()
        };
        let machine = Machine::new(options).expect("a machine");
        interp::select(machine.thread(), form, false);
        let source = case.source();
        let code = compiler::compile(source.as_bytes(), "<bench>", Mode::Exec, Default::default());
        let code = code.unwrap_or_else(|error| panic!("{}", error.render()));
        let outcome = machine.run_main(&code);
        assert!(outcome.is_success(), "{}: {outcome:?}", case.name);
        let vm = machine.vm();
        // SAFETY: `sys.modules` lives as long as the machine.
        let main = unsafe { dict::get_item(vm, vm.modules, vm.names.__main__) };
        let name = vm.intern_str("run").expect("memory");
        let main = main.ok().flatten().expect("the program");
        let run = attr::get_attr(vm, main, name.as_word()).expect("a function");
        Own {
            form,
            machine,
            run: Some(run),
        }
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // Before its machine.
        self.run = None;
    }
}

impl Runner for Own {
    fn name(&self) -> String {
        self.form.name().into()
    }
    fn time(&mut self, n: u64) -> Duration {
        let run = self.run.as_ref().expect("there until the drop").as_word();
        let args = [Word::int_unchecked(n as i64)];
        let start = Instant::now();
        let result = call::call(self.machine.vm(), run, &args, None);
        let time = start.elapsed();
        assert!(result.is_ok(), "the case raised");
        time
    }
}

/// A process of the peer, which answers each n with nanoseconds.
struct Peer {
    child: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

const PEER: &str = "/usr/bin/python3.11";

impl Peer {
    /// None, and why, if it cannot be had.
    fn new(case: &Case) -> Result<Peer, String> {
        let program = format!(
            "{}\nimport time\nfor line in sys.stdin:\n    n = int(line)\n    t = time.perf_counter_ns()\n    run(n)\n    \
             print(time.perf_counter_ns() - t, flush=True)\n",
            case.source()
        );
        let mut child = Command::new(PEER)
            .args(["-I", "-c", &program])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{PEER}: {error}"))?;
        let ask = child.stdin.take().ok_or("no pipe")?;
        let answers = BufReader::new(child.stdout.take().ok_or("no pipe")?);
        Ok(Peer {
            child,
            ask,
            answers,
        })
    }
}

impl Runner for Peer {
    fn name(&self) -> String {
        "python3.11".into()
    }
    fn time(&mut self, n: u64) -> Duration {
        writeln!(self.ask, "{n}").expect("the peer listens");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("the peer answers");
        Duration::from_nanos(line.trim().parse().expect("a number"))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn runners(case: &Case) -> Vec<RefCell<Box<dyn Runner>>> {
    let own = Dispatch::COMPILED
        .iter()
        .map(|form| Box::new(Own::new(case, *form)) as Box<dyn Runner>);
    let peer = Peer::new(case)
        .ok()
        .map(|peer| Box::new(peer) as Box<dyn Runner>);
    own.chain(peer).map(RefCell::new).collect()
}

fn benches(criterion: &mut Criterion) {
    for case in &CASES {
        let mut group = criterion.benchmark_group(case.name);
        group.sample_size(20);
        for runner in runners(case) {
            let name = runner.borrow().name();
            group.bench_function(&name, |bencher| {
                bencher.iter_custom(|n| runner.borrow_mut().time(n));
            });
        }
        group.finish();
    }
}

/// Rounds of the table.
const ROUNDS: usize = 15;
/// Repetitions in one measurement.
const REPEAT: u64 = 20_000;

/// Each round goes through all cases and runners.
fn measure() -> Calls {
    let all: Vec<_> = CASES.iter().map(runners).collect();
    let runners = all[0].iter().map(|runner| runner.borrow().name()).collect();
    let mut cases: Vec<_> = CASES
        .iter()
        .zip(&all)
        .map(|(case, runners)| results::Case {
            name: case.name.to_owned(),
            ns: vec![vec![]; runners.len()],
        })
        .collect();
    for round in 0..=ROUNDS {
        for (case, runners) in cases.iter_mut().zip(&all) {
            for (ns, runner) in case.ns.iter_mut().zip(runners) {
                let time = runner.borrow_mut().time(REPEAT).as_nanos() as f64 / REPEAT as f64;
                // The first round is for warming up.
                if round > 0 {
                    ns.push(time);
                }
            }
        }
    }
    Calls { runners, cases }
}

fn table() {
    let calls = measure();
    print!("{}", calls.table().markdown());
    if let Err(why) = Peer::new(&CASES[0]) {
        println!("\nno column for python3.11: {why}");
    }
    if let Ok(file) = std::env::var("OUT") {
        let text = serde_json::to_string(&calls).expect("numbers and names");
        if let Err(error) = std::fs::write(&file, text + "\n") {
            eprintln!("{file}: {error}");
            std::process::exit(1);
        }
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    benches(&mut criterion);
    criterion.final_summary();
    // `cargo test --benches` only tries the cases.
    if std::env::args().any(|argument| argument == "--bench") {
        table();
    }
}
