//! A program for callgrind, which `tests/tools/hook_cost.sh` runs: does something CASE names N times, with nothing
//! printed, under the first form of dispatch compiled in. Without arguments it lists the cases.

use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::runtime::vm::{Machine, Options};
use std::rc::Rc;

/// What becomes of the frame-evaluation hook before the loop.
#[derive(Clone, Copy)]
enum Hook {
    Never,
    /// Set, used, and cleared again.
    Cleared,
    Set,
}
use Hook::{Cleared, Never, Set};

const CALL: &str = "def f(a): return a";
const TRACER: &str = "import sys\ndef f(a): return a\ndef hook(frame, event, arg): return None";
const LINES: &str = "import sys\ndef f(a): return a\ndef hook(frame, event, arg): return hook";
const MONITOR: &str = "import sys
def f(a): return a
m = sys.monitoring
m.use_tool_id(2, 'cost')
m.register_callback(2, m.events.PY_START, lambda code, offset: None)
m.set_events(2, m.events.PY_START)";
const RAISE: &str = "def f(n):
    if n: f(n - 1)
    else: raise ValueError
def g(n):
    if n: g(n - 1)";

/// Name, what stands before the loop, what is done in it, the hook.
const CASES: &[(&str, &str, &str, Hook)] = &[
    ("loop", CALL, "pass", Never),
    ("call", CALL, "f(i)", Never),
    ("call, hook cleared", CALL, "f(i)", Cleared),
    ("call, hook set", CALL, "f(i)", Set),
    (
        "call, settrace cleared",
        "import sys\ndef f(a): return a\nsys.settrace(lambda *a: None); f(1); sys.settrace(None)",
        "f(i)",
        Never,
    ),
    (
        "call, monitoring cleared",
        "import sys\ndef f(a): return a\nm = sys.monitoring\nm.use_tool_id(2, 'cost')\nm.register_callback(2, 1, lambda *a: None)\nm.set_events(2, 1); f(1); m.set_events(2, 0); m.free_tool_id(2)",
        "f(i)",
        Never,
    ),
    ("call, PY_START watched", MONITOR, "f(i)", Never),
    ("call, profiled", TRACER, "sys.setprofile(hook)@f(i)", Never),
    ("call, traced", TRACER, "sys.settrace(hook)@f(i)", Never),
    (
        "call, traced by line",
        LINES,
        "sys.settrace(hook)@f(i)",
        Never,
    ),
    (
        "try, nothing raised",
        RAISE,
        "@try: g(0)@except ValueError: pass",
        Never,
    ),
    (
        "raise, 1 frame",
        RAISE,
        "@try: f(0)@except ValueError: pass",
        Never,
    ),
    (
        "try, 10 calls",
        RAISE,
        "@try: g(9)@except ValueError: pass",
        Never,
    ),
    (
        "raise, 10 frames",
        RAISE,
        "@try: f(9)@except ValueError: pass",
        Never,
    ),
];

/// `set@line@line`: what is done once before the loop, and the lines of its body.
fn source(before: &str, body: &str, n: u64) -> String {
    let (once, lines) = body.split_once('@').unwrap_or(("pass", body));
    let lines = lines.replace('@', "\n        ");
    let once = if once.is_empty() { "pass" } else { once };
    format!(
        "{before}\ndef run(n):\n    for i in range(n):\n        {lines}\nrun(100)\n{once}\nrun({n})\n"
    )
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [name, n] = &given[..] else {
        CASES.iter().for_each(|(name, ..)| println!("{name}"));
        return;
    };
    let (_, before, body, hook) = CASES
        .iter()
        .find(|(case, ..)| case == name)
        .expect("a case of the list");
    let vm = Machine::new(Options {
        compile: Some(rattail::cli::compile),
        ..Options::default()
    })
    .expect("memory for a VM");
    interp::select(vm.thread(), Dispatch::COMPILED[0], false);
    let run = |text: &str| {
        let code = compiler::compile(text.as_bytes(), "<cost>", Mode::Exec, Default::default());
        let outcome = vm.run_main(&code.unwrap_or_else(|error| panic!("{}", error.render())));
        assert!(outcome.is_success(), "{outcome:?}");
    };
    if !matches!(hook, Never) {
        vm.thread()
            .set_eval_hook(Some(Rc::new(|frame| frame.evaluate())));
        run("def f(a): return a\nfor i in range(100): f(i)");
    }
    if matches!(hook, Cleared) {
        vm.thread().set_eval_hook(None);
    }
    run(&source(before, body, n.parse().expect("a number")));
}
