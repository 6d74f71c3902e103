//! What the benches by criterion share: the programs, and one way of running them.

use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, BenchmarkId};
use rattail::bytecode::spec::CodeSpec;
use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::runtime::vm::{Machine, Options};
use std::io;
use std::path::Path;
use std::rc::Rc;

/// Sizes at which one run takes some tens of milliseconds.
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

pub struct Program {
    pub name: &'static str,
    pub code: Rc<CodeSpec>,
    pub argv: Vec<String>,
}

pub fn programs() -> impl Iterator<Item = Program> {
    PROGRAMS.into_iter().map(|(name, size)| {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("benches/programs/{name}.py"));
        let text = std::fs::read_to_string(&path).expect("a program");
        let path = path.display().to_string();
        Program {
            name,
            code: compile(&text, &path),
            argv: vec![path, size.to_string()],
        }
    })
}

pub fn compile(text: &str, name: &str) -> Rc<CodeSpec> {
    compiler::compile(text.as_bytes(), name, Mode::Exec, Default::default())
        .unwrap_or_else(|error| panic!("{}", error.render()))
}

/// Runs in a machine of its own for each sample; making the machine and dropping it is not in the time.
pub fn bench(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
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
    group.bench_function(id, |bencher| {
        bencher.iter_batched(
            machine,
            |machine| {
                let outcome = machine.run_main(code);
                assert!(outcome.is_success(), "{form}: {outcome:?}");
                machine // dropped outside the time that counts
            },
            BatchSize::PerIteration,
        );
    });
}
