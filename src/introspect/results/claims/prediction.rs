//! Claims about predictors of indirect branches.

use super::{Claim, LARGE, TAGGED, TWO_LEVEL, none, on};
use crate::introspect::predict::{LastTarget, per_thousand};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "H6",
        said: "a 512-entry last-target buffer does far better on threaded code than on a switch, and ITTAGE levels the two",
        source: "Rohou et al. 2015; Casey et al. 2007",
        judge: |e| {
            let figures = || {
                let last = |form| e.missed(form, LastTarget::CALLGRIND);
                let large = |form| e.missed(form, LARGE);
                let (switch, threaded) = (last("match")?.0, last("tail")?.0);
                let (switch_large, threaded_large) = (large("match")?.0, large("tail")?.0);
                Some((
                    format!(
                        "mispredicted dispatches: match {switch:.1}%, tail {threaded:.1}%; with ITTAGE {switch_large:.1}% and \
                         {threaded_large:.1}%"
                    ),
                    switch > 1.5 * threaded && (switch_large - threaded_large).abs() < 2.0,
                ))
            };
            on(figures())
        },
    },
    Claim {
        id: "A12",
        said: "hardware mispredicts: Nehalem 12.8, Sandy Bridge 3.5, Haswell 1.4 in 1,000 instructions",
        source: "Rohou et al. 2015",
        judge: |_| {
            none("those processors are not at hand, and this virtual machine has no counters")
        },
    },
    Claim {
        id: "A22",
        said: "ITTAGE mispredicts less than 0.5 in 1,000 instructions of an interpreter",
        source: "Rohou et al. 2015",
        judge: |e| {
            let shares: Vec<f64> = e
                .executed("match")
                .iter()
                .map(|run| per_thousand(run.missed_by_large, run.instructions))
                .collect();
            let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
            on((!shares.is_empty()).then(|| {
                (
                    format!("{mean:.2} in the match form, mean of the programs, dispatches only"),
                    mean < 0.5,
                )
            }))
        },
    },
    Claim {
        id: "A23",
        said: "3.2% to 13% of an interpreter's instructions are indirect branches",
        source: "Ertl and Gregg 2003",
        judge: |e| {
            let shares: Vec<f64> = e
                .executed("match")
                .iter()
                .map(|run| per_thousand(run.indirect, run.instructions) / 10.0)
                .collect();
            let least = shares.iter().copied().reduce(f64::min);
            let most = shares.iter().copied().reduce(f64::max);
            on(least.zip(most).map(|(least, most)| {
                (
                    format!("{least:.1}% to {most:.1}%, by program"),
                    least >= 3.0 && most <= 13.5,
                )
            }))
        },
    },
    Claim {
        id: "A24a",
        said: "a last-target buffer mispredicts 81-98% of a switch interpreter's dispatches",
        source: "Casey, Ertl and Gregg 2007 (second hand)",
        judge: |e| {
            on(e.missed("match", TAGGED).map(|(mean, least, most)| {
                (
                    format!("{mean:.1}%, from {least:.1}% to {most:.1}%"),
                    (81.0..=98.5).contains(&mean),
                )
            }))
        },
    },
    Claim {
        id: "A24b",
        said: "and 50-63% of a threaded interpreter's",
        source: "the same",
        judge: |e| {
            on(e.missed("tail", TAGGED).map(|(mean, least, most)| {
                (
                    format!("{mean:.1}%, from {least:.1}% to {most:.1}%"),
                    (50.0..=63.0).contains(&mean),
                )
            }))
        },
    },
    Claim {
        id: "A25",
        said: "branch target buffers are right for 2% to 50% of an interpreter's dispatches",
        source: "Ertl and Gregg, PLDI 2003",
        judge: |e| {
            let figures = || {
                let switch = 100.0 - e.missed("match", TAGGED)?.0;
                let threaded = 100.0 - e.missed("tail", TAGGED)?.0;
                let inside = switch >= 1.0 && threaded <= 50.0;
                Some((
                    format!("match {switch:.1}%, tail {threaded:.1}%, means"),
                    inside,
                ))
            };
            on(figures())
        },
    },
    Claim {
        id: "D3",
        said: "a target cache removes 63% to 93% of what a last-target buffer mispredicts",
        source: "Chang, Hao and Patt 1997",
        judge: |e| {
            let figures = || {
                let (last, cache) = (
                    e.missed("match", TAGGED)?.0,
                    e.missed("match", TWO_LEVEL)?.0,
                );
                let removed = (1.0 - cache / last) * 100.0;
                Some((
                    format!("{removed:.1}% in the match form"),
                    (63.0..=94.0).contains(&removed),
                ))
            };
            on(figures())
        },
    },
];
