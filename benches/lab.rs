//! `cargo bench --features lab --bench lab`: every form of every machine of the lab, by criterion.
//!
//! Ids are `lab/MACHINE/FORM`, where a machine is opcodes x instructions in a body. `rattail lab` sweeps the entropy of
//! the programs as well, and interleaves the forms.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rattail::lab::{Machine, Spec, draw};

fn machines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lab");
    group.sample_size(20);
    for machine in Machine::all() {
        let program = draw(&Spec::of(machine));
        group.throughput(Throughput::Elements(program.code.len() as u64));
        for variant in machine.variants() {
            let id = BenchmarkId::new(machine.name(), &variant.name);
            group.bench_function(id, |bencher| bencher.iter(|| variant.run(&program, 1)));
        }
    }
    group.finish();
}

criterion_group!(benches, machines);
criterion_main!(benches);
