//! Running the lab's three sweeps: entropy, number of opcodes, size of the body.

use super::{Machine, Spec, compilers, draw};
use crate::introspect::lab_data::{Lab, Point, Series, Sweep};
use crate::introspect::race::Machine as Host;
use std::time::Instant;

/// The programs of a sweep. The axes cross at 16 opcodes with bodies of 4.
fn specs(sweep: Sweep, length: usize) -> Vec<(Machine, Spec)> {
    let spec = |opcodes, body, surprise| {
        let machine = Machine::with(opcodes, body)?;
        let spec = Spec {
            length,
            surprise,
            ..Spec::of(machine)
        };
        Some((machine, spec))
    };
    let specs = match sweep {
        Sweep::Entropy => [0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0]
            .map(|surprise| spec(16, 4, surprise))
            .to_vec(),
        Sweep::Opcodes => [4, 16, 64, 200]
            .map(|opcodes| spec(opcodes, 4, 0.1))
            .to_vec(),
        Sweep::Body => [1, 4, 16, 64].map(|body| spec(16, body, 0.1)).to_vec(),
    };
    specs.into_iter().flatten().collect()
}

/// Runs the sweeps: every form in every round, in an order that turns. `progress` hears how many points of how many
/// are done. Forms that disagree are an error.
pub fn measure(
    rounds: usize,
    length: usize,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Lab, String> {
    let (missing, compilers) = compilers();
    let mut lab = Lab {
        machine: Host::here(),
        compilers,
        missing,
        length,
        points: Vec::new(),
    };
    let specs: Vec<_> = Sweep::ALL
        .into_iter()
        .flat_map(|sweep| {
            specs(sweep, length)
                .into_iter()
                .map(move |spec| (sweep, spec))
        })
        .collect();
    let all = specs.len();
    for (done, (sweep, (machine, spec))) in specs.into_iter().enumerate() {
        progress(done, all);
        lab.points.push(point(sweep, machine, &spec, rounds)?);
    }
    Ok(lab)
}

fn point(sweep: Sweep, machine: Machine, spec: &Spec, rounds: usize) -> Result<Point, String> {
    let program = draw(spec);
    let variants = machine.variants();
    let dispatches = program.code.len() as u64;
    let mut point = Point {
        sweep,
        opcodes: spec.opcodes,
        body: machine.body(),
        surprise: spec.surprise,
        entropy: program.entropy,
        dispatches,
        series: variants
            .iter()
            .map(|variant| Series {
                form: variant.name.clone(),
                ns: Vec::new(),
            })
            .collect(),
    };
    let expected = variants[0].run(&program, 1);
    for round in 0..=rounds {
        for n in 0..variants.len() {
            let n = (n + round) % variants.len();
            let start = Instant::now();
            let result = variants[n].run(&program, 1);
            let ns = start.elapsed().as_nanos() as f64 / dispatches as f64;
            if result != expected {
                return Err(format!(
                    "{} and {} disagree on the machine {}",
                    variants[n].name,
                    variants[0].name,
                    machine.name()
                ));
            }
            // The first round warms up.
            if round > 0 {
                point.series[n].ns.push(ns);
            }
        }
    }
    Ok(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_measurement_has_every_point() {
        let mut heard = 0;
        let lab = measure(1, 500, &mut |_, _| heard += 1).expect("agreement");
        assert_eq!((heard, lab.points.len()), (16, 16));
        let text = serde_json::to_string(&lab).expect("JSON");
        assert_eq!(Lab::from_json(&text).expect("the same").points.len(), 16);
        assert!(lab.table(Sweep::Body).to_string().lines().count() == 5);
        for point in &lab.points {
            assert!(point.series.iter().all(|series| series.ns.len() == 1));
        }
    }
}
