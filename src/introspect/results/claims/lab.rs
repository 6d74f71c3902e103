//! Claims about dispatch alone: the lab's forms and its peers in C.

use super::{Claim, on, percent_faster};

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "H4",
        said: "tail calls with the ordinary calling convention lose on x86-64",
        source: "CPython #132138; raven 2026",
        judge: |e| {
            on(e.lab_speed("tail, ordinary ABI", "tail").map(|s| {
                (
                    format!("in the lab {} against preserve-none", percent_faster(s)),
                    s < 0.99,
                )
            }))
        },
    },
    Claim {
        id: "A8",
        said: "musttail without preserve_none is no gain over computed goto (gcc 15)",
        source: "CPython #132138",
        judge: |e| {
            on(e.lab_speed("clang musttail", "clang goto").map(|s| {
                (
                    format!(
                        "in the lab, by clang: {} against computed goto",
                        percent_faster(s)
                    ),
                    s < 1.02,
                )
            }))
        },
    },
    Claim {
        id: "A10a",
        said: "gcc's computed goto is 20% faster than its switch",
        source: "discuss.python.org 27246 (2023)",
        judge: |e| {
            on(e.lab_speed("gcc goto", "gcc switch").map(|s| {
                (
                    format!("in the lab {}", percent_faster(s)),
                    (1.1..1.3).contains(&s),
                )
            }))
        },
    },
    Claim {
        id: "A10b",
        said: "clang's tail calls are 10% faster than its switch",
        source: "discuss.python.org 27246 (2023)",
        judge: |e| {
            on(e.lab_speed("clang preserve_none", "clang switch").map(|s| {
                (
                    format!("in the lab {}", percent_faster(s)),
                    (1.05..1.15).contains(&s),
                )
            }))
        },
    },
    Claim {
        id: "A38a",
        said: "calls from a loop take 1.86 times as long as tail calls in a toy",
        source: "boa #4858 (2026): 2.95 ms and 1.59 ms",
        judge: |e| {
            on(e.lab_speed("tail", "calls from a loop")
                .map(|s| (format!("in the lab {s:.2} times"), (1.5..=2.2).contains(&s))))
        },
    },
    Claim {
        id: "A38b",
        said: "a switch takes 1.55 times as long as tail calls in a toy",
        source: "boa #4858 (2026): 2.47 ms and 1.59 ms",
        judge: |e| {
            on(e.lab_speed("tail", "match")
                .map(|s| (format!("in the lab {s:.2} times"), (1.3..=1.8).contains(&s))))
        },
    },
];
