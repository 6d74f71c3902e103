//! `cargo bench --bench specialisation`: sites that meet one type, two in turn or many, and every program with
//! specialisation on and off, under every form of dispatch compiled in.

mod common;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rattail::interp::Dispatch;

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
            let code = common::compile(&text, "site.py");
            for &form in Dispatch::COMPILED {
                let id = BenchmarkId::new(spread, form);
                common::bench(&mut group, id, &code, &[], form, true);
            }
        }
        group.finish();
    }
}

fn programs(criterion: &mut Criterion) {
    for program in common::programs() {
        let mut group = criterion.benchmark_group(format!("specialisation/{}", program.name));
        group.sample_size(20);
        for &form in Dispatch::COMPILED {
            for (mode, specialization) in [("on", true), ("off", false)] {
                let id = BenchmarkId::new(mode, form);
                common::bench(
                    &mut group,
                    id,
                    &program.code,
                    &program.argv,
                    form,
                    specialization,
                );
            }
        }
        group.finish();
    }
}

criterion_group!(benches, sites, programs);
criterion_main!(benches);
