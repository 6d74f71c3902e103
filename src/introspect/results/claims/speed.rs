//! Claims about how fast the forms run programs.

use super::{Claim, Evidence, Verdict, none, on, percent_faster};
use crate::introspect::results::noise::{REAL, told};
use crate::introspect::results::sections::ratio;

/// A claim about how fast one form is against another: geometric means over the programs.
fn compared(
    e: &Evidence<'_>,
    form: &str,
    other: &str,
    holds: fn(f64) -> bool,
) -> (String, Verdict) {
    on(e.speed(form, other).map(|s| {
        let doubt = match e.races.and_then(|folder| told(folder, form, other)) {
            None | Some(REAL) => String::new(),
            Some(doubt) => format!(", {doubt}"),
        };
        let ours = format!("{form} {} against {other}{doubt}", percent_faster(s));
        (ours, holds(s))
    }))
}

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "H1",
        said: "tail calls gain at most 5% over correctly replicated dispatch",
        source: "CPython 3.14 notes (3-5%); Elhage 2025",
        judge: |e| compared(e, "tail", "replicated", |s| s <= 1.05),
    },
    Claim {
        id: "H2",
        said: "replicated dispatch gains about 2% over one jump on cores after Haswell",
        source: "Elhage 2025; Rohou et al. 2015",
        judge: |e| compared(e, "replicated", "match", |s| (1.0..=1.05).contains(&s)),
    },
    Claim {
        id: "H5",
        said: "tail calls are slower than a loop on WebAssembly",
        source: "raven 2026: 1.2x to 4.6x",
        judge: |_| none("rattail is built for x86-64 and AArch64"),
    },
    Claim {
        id: "A1",
        said: "tail calls gain 7.4% to 14.7% over computed goto in CPython 3.14",
        source: "python/cpython #128718; withdrawn by its author",
        judge: |e| compared(e, "tail", "replicated", |s| (1.07..=1.15).contains(&s)),
    },
    Claim {
        id: "A9",
        said: "turning computed goto off costs about 1% on Linux",
        source: "faster-cpython/ideas #496 (2022)",
        judge: |e| compared(e, "match", "replicated", |s| (0.97..1.0).contains(&s)),
    },
    Claim {
        id: "A28",
        said: "modern branch predictors need no threaded code: LuaJIT's gain over a switch",
        source: "Pall, several",
        judge: |_| none("no figure was published"),
    },
    Claim {
        id: "A30",
        said: "`become` with preserve-none takes 7.9% less time than the same interpreter without tail calls",
        source: "rust-lang/rust #112788 (2026)",
        judge: |e| {
            on(e.speed("tail", "match").map(|s| {
                let less = (1.0 - 1.0 / s) * 100.0;
                (
                    format!("{less:.1}% less than the match form"),
                    (5.0..=11.0).contains(&less),
                )
            }))
        },
    },
    Claim {
        id: "A32",
        said: "a native switch takes 1.5 times as long as tail calls",
        source: "Wingo 2026",
        judge: |e| {
            on(e.speed("tail", "match")
                .map(|s| (format!("{s:.2} times"), (1.3..=1.7).contains(&s))))
        },
    },
    Claim {
        id: "A33",
        said: "tail calls ended up slower than the loop",
        source: "polkavm #321 (2026), without figures",
        judge: |e| compared(e, "tail", "match", |s| s < 1.0),
    },
    Claim {
        id: "A34",
        said: "match is 1.13 to 1.19 times as fast as tail on some programs, tail 1.03 times on others",
        source: "Pulley, wasmtime #9995 (2025)",
        judge: |e| {
            let figures = || {
                let races = &e.races?.races;
                // Slower beyond doubt: the interval leaves out 1.
                let slower = races
                    .iter()
                    .filter(|race| ratio(race, "tail", "match").is_some_and(|s| s.high < 1.0))
                    .count();
                Some((
                    format!(
                        "tail is slower than match on {slower} of {} programs",
                        races.len()
                    ),
                    slower > 0,
                ))
            };
            on(figures())
        },
    },
];
