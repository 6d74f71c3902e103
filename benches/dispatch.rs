//! `cargo bench`: every program under every form of dispatch compiled in.
//!
//! Sizes at which one run takes some tens of milliseconds. For figures to publish use `rattail race`, which interleaves
//! the forms; here each is measured by itself, against its own past. With several forms the ids are
//! `forms/PROGRAM/FORM`; a build of one form alone has `program/PROGRAM`, so that criterion can compare a baseline of
//! one such build with another: `cargo bench --no-default-features --features match -- --save-baseline match`.

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::runtime::vm::{Machine, Options};
use std::io;
use std::path::Path;

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

fn programs(criterion: &mut Criterion) {
    let joint = Dispatch::COMPILED.len() > 1;
    let mut group = criterion.benchmark_group(if joint { "forms" } else { "program" });
    group.sample_size(20);
    for (name, size) in PROGRAMS {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("benches/programs/{name}.py"));
        let text = std::fs::read(&path).expect("a program");
        let code = compiler::compile(
            &text,
            &path.display().to_string(),
            Mode::Exec,
            Default::default(),
        )
        .unwrap_or_else(|error| panic!("{}", error.render()));
        for &form in Dispatch::COMPILED {
            let machine = || {
                let argv = vec![path.display().to_string(), size.to_string()];
                let options = Options {
                    argv,
                    stdout: Box::new(io::sink()),
                    ..Options::default()
                };
                let machine = Machine::new(options).expect("a machine");
                interp::select(machine.thread(), form, false);
                machine
            };
            let id = if joint {
                BenchmarkId::new(name, form.name())
            } else {
                BenchmarkId::from_parameter(name)
            };
            group.bench_function(id, |bencher| {
                bencher.iter_batched(
                    machine,
                    |machine| {
                        let outcome = machine.run_main(&code);
                        assert!(outcome.is_success(), "{name} under {form}: {outcome:?}");
                        machine // dropped outside the time that counts
                    },
                    BatchSize::PerIteration,
                );
            });
        }
    }
    group.finish();
}

criterion_group!(benches, programs);
criterion_main!(benches);
