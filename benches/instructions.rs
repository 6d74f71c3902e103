//! `cargo bench --bench instructions`: what every program costs under every form compiled in, counted by callgrind.
//!
//! Instructions, conditional and indirect branches, and the mispredicts of callgrind's simple predictor. Counts repeat
//! and do not depend on what else the machine does. They are of whole processes at small sizes; `startup` is a program
//! that does nothing, to be subtracted. The runner must be of the library's version:
//! `cargo install --version 0.16.1 iai-callgrind-runner`.

use iai_callgrind::{
    Bench, BinaryBenchmark, BinaryBenchmarkConfig, BinaryBenchmarkGroup, Callgrind, Command,
    binary_benchmark_group, main,
};
use rattail::interp::Dispatch;

/// Sizes at which a run executes about a million opcodes.
const PROGRAMS: [(&str, u32); 12] = [
    ("fib", 23),
    ("nbody", 1_000),
    ("fannkuch", 2_000),
    ("spectral_norm", 30),
    ("mandelbrot", 40),
    ("sieve", 40_000),
    ("matmul", 30),
    ("scheduler", 2_000),
    ("binary_trees", 7),
    ("word_count", 200),
    ("string_builder", 400),
    ("queens", 6),
];

fn run(form: Dispatch) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rattail"));
    command.args(["run", "--dispatch", form.name()]);
    command
}

fn programs(group: &mut BinaryBenchmarkGroup) {
    for &form in Dispatch::COMPILED {
        let mut benchmark = BinaryBenchmark::new(form.name());
        let mut bench = Bench::new("startup");
        benchmark.bench(bench.command(run(form).args(["-c", "pass"])));
        for (name, size) in PROGRAMS {
            let path = format!("{}/benches/programs/{name}.py", env!("CARGO_MANIFEST_DIR"));
            let mut bench = Bench::new(name);
            benchmark.bench(bench.command(run(form).args([path, size.to_string()])));
        }
        group.binary_benchmark(benchmark);
    }
}

binary_benchmark_group!(name = forms; benchmarks = |group: &mut BinaryBenchmarkGroup| programs(group));
main!(
    config = BinaryBenchmarkConfig::default()
        .tool(Callgrind::with_args(["--branch-sim=yes", "--cache-sim=no"]));
    binary_benchmark_groups = forms
);
