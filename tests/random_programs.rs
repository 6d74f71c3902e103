//! Random programs: whatever a grammar comes up with compiles to code the verifier accepts, and no damage to the
//! source makes the compiler panic or hang. Seeded, so that a failure repeats.
//!
//! `RATTAIL_RANDOM_COUNT` sets how many programs; `RATTAIL_RANDOM_DIR` writes them there, for
//! `tests/tools/compare_dis.py` to compare with CPython.

#[path = "common/grammar.rs"]
mod grammar;

use grammar::Grammar;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rattail::bytecode::verify::verify;
use rattail::compiler::{Mode, Options, compile};
use rattail::introspect::dis::{Show, disassemble, to_json};

fn count() -> u64 {
    let count = std::env::var("RATTAIL_RANDOM_COUNT");
    count.map_or(300, |n| {
        n.parse().expect("RATTAIL_RANDOM_COUNT is a number")
    })
}

/// Whether the source compiles; what compiles must verify and disassemble.
fn check(source: &[u8], what: &str) -> bool {
    let Ok(code) = compile(source, "random.py", Mode::Exec, Options::default()) else {
        return false;
    };
    let shown = String::from_utf8_lossy(source);
    if let Err(error) = verify(&code) {
        panic!("{what}: {error}\n{shown}");
    }
    assert!(
        disassemble(&code, Show::default()).is_ok() && to_json(&code).is_ok(),
        "{what}: {shown}"
    );
    true
}

#[test]
fn grammar_programs_verify() {
    let programs: Vec<String> = (0..count())
        .map(|seed| Grammar::new(seed).program())
        .collect();
    if let Ok(dir) = std::env::var("RATTAIL_RANDOM_DIR") {
        for (seed, source) in programs.iter().enumerate() {
            let file = format!("{dir}/random_{seed:05}.py");
            std::fs::write(file, source).expect("RATTAIL_RANDOM_DIR can be written to");
        }
    }
    let mut compiled = 0;
    for (seed, source) in programs.iter().enumerate() {
        compiled += u64::from(check(source.as_bytes(), &format!("seed {seed}")));
    }
    let count = count();
    assert!(
        compiled * 10 >= count * 9,
        "only {compiled} of {count} programs compile"
    );
}

#[test]
fn damaged_programs_are_refused_or_verify() {
    for seed in 0..count() {
        let mut rng = StdRng::seed_from_u64(seed ^ 0xdead);
        let mut source = Grammar::new(seed).program().into_bytes();
        for _ in 0..rng.random_range(1..4) {
            if source.is_empty() {
                break;
            }
            let at = rng.random_range(0..source.len());
            let end = (at + rng.random_range(0..12)).min(source.len());
            match rng.random_range(0..5) {
                0 => source.truncate(at),
                1 => drop(source.drain(at..end)),
                2 => {
                    let copy = source[at..end].to_vec();
                    let to = rng.random_range(0..source.len());
                    source.splice(to..to, copy);
                }
                3 => source[at] = rng.random_range(0..=255),
                _ => {
                    let tokens = [
                        &b"("[..],
                        b")",
                        b"\n",
                        b":",
                        b"    ",
                        b"'",
                        b"f\"{",
                        b"}",
                        b"*",
                        b"=",
                        b"\\",
                    ];
                    let token = tokens[rng.random_range(0..tokens.len())];
                    source.splice(at..at, token.iter().copied());
                }
            }
        }
        check(&source, &format!("seed {seed}, damaged"));
    }
}

/// Functions in functions: about as many as CPython's parser takes, and more than it takes.
#[test]
fn deep_nesting_compiles_or_is_refused() {
    let nested = |depth: usize| format!("x = {}1", "lambda: ".repeat(depth));
    assert!(check(nested(1000).as_bytes(), "nested lambdas"));
    assert!(!check(nested(100_000).as_bytes(), "nested lambdas"));
}
