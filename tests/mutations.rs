//! Damaged code ends in ValueError or in an ordinary result or exception, and in the same under every form of dispatch.
//!
//! RATTAIL_MUTATIONS is how many mutants there are (1500 by default), RATTAIL_MUTATION_SEED the number of the first.
//! With RATTAIL_MUTATION_TRACE in the environment every mutant is written down before it runs: its number, and its code
//! if the value is 2.

#[path = "common/mutate.rs"]
mod mutate;

use mutate::{Random, count};
use rattail::bytecode::spec::CodeSpec;
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::introspect::dis::{Show, disassemble};
use rattail::object::{Owned, PyResult, module};
use rattail::runtime::vm::{Machine, Options};
use rattail::runtime::{code, entry, function};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Instant;

/// A program, and what calls its functions.
struct Case {
    name: String,
    code: Rc<CodeSpec>,
    calls: Vec<(Rc<CodeSpec>, u64)>,
}

fn compiled(source: &str, name: &str) -> Rc<CodeSpec> {
    compiler::compile(source.as_bytes(), name, Mode::Exec, Default::default())
        .unwrap_or_else(|error| panic!("{name}: {}", error.render()))
}

/// The recorded cases: those of the adaptive states with their calls, those of bytecode, and some of what they leave out.
fn cases() -> Vec<Case> {
    let parse = |text| serde_json::from_str::<Vec<Value>>(text).expect("recorded cases");
    let text = |value: &Value, key: &str| value[key].as_str().expect("text").to_owned();
    let mut cases = vec![];
    for recorded in [
        include_str!("vectors/adaptive-3.14.json"),
        include_str!("vectors/adaptive-more-3.14.json"),
        include_str!("vectors/bytecode-3.14.json"),
    ] {
        for case in parse(recorded) {
            let steps = case["steps"].as_array().into_iter().flatten();
            cases.push(Case {
                name: text(&case, "name"),
                code: compiled(&text(&case, "source"), "case"),
                calls: steps
                    .map(|step| {
                        let times = step["times"].as_u64().expect("a number").min(5);
                        (compiled(&text(step, "exec"), "step"), times)
                    })
                    .collect(),
            });
        }
    }
    for (name, source, call) in MORE {
        cases.push(Case {
            name: (*name).to_owned(),
            code: compiled(source, "case"),
            calls: vec![(compiled(call, "step"), 4)],
        });
    }
    cases
}

const MORE: &[(&str, &str, &str)] = &[
    (
        "closures",
        "def g(a, b=1, *, c=2):\n    x = a\n    def h(y):\n        nonlocal x\n        x += y\n        return [x + i for i in range(y)], (lambda: (x, a, c))()\n    return h(b)\n",
        "g(1); g(2, 3, c=4)",
    ),
    (
        "generators",
        "def g(n):\n    try:\n        x = yield n\n        yield from range(n)\n        yield from h(x)\n    finally:\n        n = 0\n    return 1\ndef h(x):\n    for i in (1, x):\n        yield i\n",
        "list(g(2)); i = g(1); next(i); i.close(); i = g(1); next(i)\ntry: i.throw(ValueError)\nexcept ValueError: pass",
    ),
    (
        "exceptions",
        "class C:\n    def __enter__(self): return self\n    def __exit__(self, *a): return a[0] is KeyError\ndef f(e):\n    try:\n        with C() as c:\n            if e: raise e\n    except (ValueError, TypeError) as x:\n        y = x\n        try: raise\n        except* OSError as g: y = g\n        except* ValueError as g: y = 2\n    except IndexError: raise RuntimeError from None\n    else: return 3\n    finally: e = 1\n",
        "for e in (None, KeyError, ValueError, TypeError(1), IndexError, 5):\n    try: f(e)\n    except Exception: pass",
    ),
    (
        "patterns",
        "class P:\n    __match_args__ = ('x', 'y')\n    x = 1; y = 2\ndef f(v):\n    match v:\n        case P(1, y=z): return z\n        case {'k': [a, *b], **c}: return a, b, c\n        case [1, (2 | 3) as d]: return d\n        case str() | None: return not v\n        case _ if v > 1: return f'{v!r:>3}{v}'\n        case _: return {*v, 1}, {**c}\n",
        "for v in (P(), {'k': [1, 2], 'l': 3}, [1, 3], 'a', None, 5, 0):\n    try: f(v)\n    except Exception: pass",
    ),
    (
        "coroutines",
        "class A:\n    def __aiter__(self): return self\n    i = 0\n    async def __anext__(self):\n        self.i += 1\n        if self.i > 2: raise StopAsyncIteration\n        return self.i\n    def __await__(self):\n        yield 1\n        return 2\n    async def __aenter__(self): return await self\n    async def __aexit__(self, *a): pass\nasync def f():\n    async with A() as a:\n        async for i in A(): a += i\n        b = [j async for j in A() if await A()]\n    return a, b\nasync def g():\n    yield 1\n    yield await A()\n",
        "c = f()\ntry:\n    for _ in range(20): c.send(None)\nexcept StopIteration: pass\na = g().__anext__()\ntry: a.send(None)\nexcept StopIteration: pass",
    ),
    (
        "calls",
        "def f(*a, **k): return a, k\ndef g(a, b, /, c=1, *d, e=2, **h):\n    d = f(*a, b, x=c, **{'y': e})\n    del c\n    return f(*d, *a)[0], f(**h), t'{a}{b!s:3}', a if b else not e\n",
        "g([1], 2); g((), 0, 3, 4, e=5, z=6)",
    ),
    (
        "classes",
        "def f(x):\n    class C[T](Base):\n        y: int = x\n        def m(self, a): return super().m(a), __class__, x\n        z = [i + x for i in (1, 2)]\n    return C\nclass Base:\n    def m(self, a): return a\n    def __init_subclass__(cls): pass\n",
        "try: f(1)().m(2)\nexcept Exception: pass",
    ),
];

/// A machine that runs mutants one after another; a new one for every block of them.
struct Bench {
    machine: Machine,
}

impl Bench {
    fn new(form: Dispatch) -> Bench {
        let options = Options {
            stdin: Box::new(std::io::empty()),
            stdout: Box::new(std::io::sink()),
            stderr: Box::new(std::io::sink()),
            memory_limit: Some(64 << 20),
            compile: Some(rattail::cli::compile),
            ..Options::default()
        };
        let machine = Machine::new(options).expect("a machine");
        interp::select(machine.thread(), form, false);
        Bench { machine }
    }

    fn exec(&self, spec: &Rc<CodeSpec>, namespace: &Owned) -> PyResult {
        let ts = self.machine.thread();
        let made = code::new_code(ts, spec)?;
        // SAFETY: a code object and a dict, kept here.
        unsafe {
            let body = function::new_function(ts, made.as_ptr(), namespace.as_ptr())?;
            entry::run_body(ts, body.as_word(), namespace.as_word())
        }
    }

    /// How it ended: the class of what was raised, or nothing.
    fn outcome(&self, result: PyResult) -> String {
        let vm = self.machine.vm();
        match result {
            Ok(_) => String::from("result"),
            Err(_) => {
                let name = match vm.take_exception() {
                    Some(exception) => vm.type_name(exception.as_word()),
                    None => String::from("nothing raised"),
                };
                vm.clear_exception();
                name
            }
        }
    }

    /// Whether the mutant verifies, and how it and its calls end.
    fn run(&self, mutant: &Rc<CodeSpec>, case: &Case) -> Vec<String> {
        let vm = self.machine.vm();
        let ts = self.machine.thread();
        self.machine.limit_steps(Some(3000));
        let module = vm.new_module("case").expect("memory");
        // SAFETY: a module just made.
        let namespace = unsafe {
            let dict = module::dict_of(module.as_word());
            ts.ensure_builtins(dict).expect("memory");
            Owned::from_borrowed(dict)
        };
        let mut outcomes = vec![self.outcome(self.exec(mutant, &namespace))];
        for (call, times) in &case.calls {
            for _ in 0..*times {
                self.machine.limit_steps(Some(3000));
                outcomes.push(self.outcome(self.exec(call, &namespace)));
            }
        }
        self.machine.limit_steps(Some(3000));
        drop(namespace);
        drop(module);
        rattail::object::gc::collect_if_due(vm);
        self.machine.limit_steps(None);
        outcomes
    }
}

fn variable(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a number"))
}

#[test]
fn damaged_code_is_refused_or_runs() {
    const BLOCK: u64 = 100;
    let cases = cases();
    let first = variable("RATTAIL_MUTATION_SEED", 0);
    let last = first + variable("RATTAIL_MUTATIONS", 1500);
    let trace = variable("RATTAIL_MUTATION_TRACE", 0);
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    let mut slowest = (0.0, 0);
    let mut seed = first;
    while seed < last {
        let benches: Vec<Bench> = Dispatch::COMPILED
            .iter()
            .map(|form| Bench::new(*form))
            .collect();
        for seed in seed..(seed + BLOCK).min(last) {
            let mut random = Random(seed);
            let case = &cases[random.below(cases.len())];
            let mut which = random.below(count(&case.code));
            let mutant = mutate::mutate(&case.code, &mut which, &mut random);
            if trace > 0 {
                eprintln!("mutant {seed}");
            }
            if trace > 1 {
                let code = disassemble(&mutant, Show::default());
                eprintln!("{:?}\n{}", case.name, code.unwrap_or_default());
            }
            let begun = Instant::now();
            let found: Vec<_> = benches
                .iter()
                .map(|bench| bench.run(&mutant, case))
                .collect();
            let seconds = begun.elapsed().as_secs_f64();
            if seconds > slowest.0 {
                slowest = (seconds, seed);
            }
            for (form, outcome) in Dispatch::COMPILED.iter().zip(&found) {
                assert_eq!(
                    outcome,
                    &found[0],
                    "mutant {seed} of {:?} under {form} and {}",
                    case.name,
                    Dispatch::COMPILED[0]
                );
            }
            *ends.entry(found[0][0].clone()).or_default() += 1;
        }
        seed += BLOCK;
    }
    println!(
        "{} mutants; slowest {:.3} s, number {}",
        last - first,
        slowest.0,
        slowest.1
    );
    for (end, count) in &ends {
        println!("{count:>8} {end}");
    }
    assert!(ends.contains_key("ValueError") && ends.contains_key("result"));
}
