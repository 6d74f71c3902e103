//! `cargo bench --bench specialisation`: sites that meet one type, two in turn or many, and every program with
//! specialisation on and off, under every form of dispatch compiled in.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rattail::bytecode::spec::CodeSpec;
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::runtime::vm::{Machine, Options};
use std::io;
use std::path::Path;
use std::rc::Rc;

/// One site in a loop over things: name, what stands before, the statement with the site.
const SITES: [(&str, &str, &str); 4] = [
    (
        "attribute",
        "class A:\n    def __init__(self): self.x = 1\n\
         class B:\n    __slots__ = ('x',)\n    def __init__(self): self.x = 1\n\
         class C:\n    x = 1\n\
         class D:\n    @property\n    def x(self): return 1\n\
         class E(Exception):\n    x = 1\n\
         kinds = [A(), B(), C(), D(), E()]\n",
        "thing.x",
    ),
    (
        "call",
        "class A:\n    def __init__(self, a): pass\n\
         def f(a): return a\n\
         kinds = [f, abs, A, str, lambda a, b=1: a]\n",
        "thing(1)",
    ),
    (
        "binary_op",
        "kinds = [1, 1.5, 2**70, True, 2**71]\n",
        "thing + thing",
    ),
    // One code object under several globals: the site meets one dict, two or many.
    (
        "global",
        "def f(): return limit\n\
         kinds = [type(f)(f.__code__, {'limit': n}) for n in range(5)]\n",
        "thing()",
    ),
];

const SPREADS: [(&str, usize); 3] = [("monomorphic", 1), ("two_types", 2), ("many_types", 5)];

/// As in the bench `dispatch`.
const PROGRAMS: [(&str, u32); 12] = [
    ("fib", 27),
    ("nbody", 10_000),
    ("fannkuch", 20_000),
    ("spectral_norm", 90),
    ("mandelbrot", 120),
    ("sieve", 400_000),
    ("matmul", 90),
    ("scheduler", 20_000),
    ("binary_trees", 9),
    ("word_count", 2_000),
    ("string_builder", 4_000),
    ("queens", 8),
];

fn compile(text: &str, name: &str) -> Rc<CodeSpec> {
    compiler::compile(text.as_bytes(), name, Mode::Exec, Default::default())
        .unwrap_or_else(|error| panic!("{}", error.render()))
}

/// Runs in a machine of its own for each sample; making the machine and dropping it is not in the time.
fn bench(
    group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>,
    name: &str,
    code: &Rc<CodeSpec>,
    argv: &[String],
    form: Dispatch,
    specialization: bool,
) {
    let machine = || {
        let options = Options {
            argv: argv.to_vec(),
            stdout: Box::new(io::sink()),
            specialization,
            compile: Some(rattail::cli::compile),
            ..Options::default()
        };
        let machine = Machine::new(options).expect("a machine");
        interp::select(machine.thread(), form, false);
        machine
    };
    group.bench_function(name, |bencher| {
        bencher.iter_batched(
            machine,
            |machine| {
                let outcome = machine.run_main(code);
                assert!(outcome.is_success(), "{name}: {outcome:?}");
                machine
            },
            BatchSize::PerIteration,
        );
    });
}

fn sites(criterion: &mut Criterion) {
    for (name, before, site) in SITES {
        let mut group = criterion.benchmark_group(format!("site/{name}"));
        group.sample_size(20);
        for (spread, types) in SPREADS {
            let text = format!(
                "{before}things = [kinds[n % {types}] for n in range(1000)]\n\
                 def run():\n    for thing in things:\n        {site}\n\
                 for _ in range(100): run()\n"
            );
            let code = compile(&text, "site.py");
            for &form in Dispatch::COMPILED {
                let name = format!("{spread}/{form}");
                bench(&mut group, &name, &code, &[], form, true);
            }
        }
        group.finish();
    }
}

fn programs(criterion: &mut Criterion) {
    for (name, size) in PROGRAMS {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("benches/programs/{name}.py"));
        let path = path.display().to_string();
        let code = compile(&std::fs::read_to_string(&path).expect("a program"), &path);
        let argv = [path, size.to_string()];
        let mut group = criterion.benchmark_group(format!("specialisation/{name}"));
        group.sample_size(20);
        for &form in Dispatch::COMPILED {
            for (mode, specialization) in [("on", true), ("off", false)] {
                let name = format!("{mode}/{form}");
                bench(&mut group, &name, &code, &argv, form, specialization);
            }
        }
        group.finish();
    }
}

criterion_group!(benches, sites, programs);
criterion_main!(benches);
