//! `cargo bench`: every program under every form of dispatch compiled in.
//!
//! For figures to publish use `rattail race`, which interleaves the forms; here each is measured by itself, against its
//! own past. With several forms the ids are `forms/PROGRAM/FORM`; a build of one form alone has `program/PROGRAM`, so
//! that criterion can compare a baseline of one such build with another:
//! `cargo bench --no-default-features --features match -- --save-baseline match`.

mod common;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use rattail::interp::Dispatch;

fn programs(criterion: &mut Criterion) {
    let joint = Dispatch::COMPILED.len() > 1;
    let mut group = criterion.benchmark_group(if joint { "forms" } else { "program" });
    group.sample_size(20);
    for program in common::programs() {
        for &form in Dispatch::COMPILED {
            let id = if joint {
                BenchmarkId::new(program.name, form.name())
            } else {
                BenchmarkId::from_parameter(program.name)
            };
            common::bench(&mut group, id, &program.code, &program.argv, form, true);
        }
    }
    group.finish();
}

criterion_group!(benches, programs);
criterion_main!(benches);
