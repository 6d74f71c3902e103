//! Damaged definitions: whatever a file holds, the generator answers, with text or with rules, and never panics.

use super::{casegen, files, read, source};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use std::panic::catch_unwind;

/// Unless `CASEGEN_ROUNDS` says otherwise.
const ROUNDS: u64 = 2000;

/// Every definition of the other tests, as pieces to cut and splice. The forms stand alone, the cases need the prelude.
fn corpus() -> Vec<String> {
    let prelude = read("tests/golden/prelude.rs");
    let forms = files("tests/golden/forms")
        .into_iter()
        .map(|(_, text)| text);
    let cases = files("tests/golden/reject").into_iter();
    let cases = cases.map(|(_, text)| format!("{prelude}\n{text}"));
    // As many of those that are right as of those that are wrong.
    forms.cycle().take(cases.len()).chain(cases).collect()
}

fn generate(text: &str) -> Result<(), Vec<String>> {
    let support = source("support.rs", include_str!("../golden/support.rs"));
    let generated = casegen::generate(&[source("case.rs", text)], &[support], false);
    generated
        .map(drop)
        .map_err(|diags| diags.iter().map(ToString::to_string).collect())
}

#[test]
fn no_definition_makes_the_generator_panic() {
    let rounds = std::env::var("CASEGEN_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok());
    let rounds = rounds.unwrap_or(ROUNDS);
    let corpus = corpus();
    let tokens: Vec<Vec<&str>> = corpus.iter().map(|text| tokens(text)).collect();
    let all: Vec<&str> = tokens.iter().flatten().copied().collect();
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..rounds {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut text: Vec<&str> = tokens.choose(&mut rng).expect("a corpus").clone();
        for _ in 0..rng.random_range(0..4) {
            mutate(&mut text, &all, &mut rng);
        }
        let text = text.concat();
        let answer = catch_unwind(|| generate(&text));
        match answer.unwrap_or_else(|_| panic!("seed {seed} panics:\n{text}")) {
            Ok(_) => accepted += 1,
            Err(said) => {
                assert!(
                    !said.is_empty(),
                    "seed {seed}: refused without a reason\n{text}"
                );
                assert!(
                    !said.iter().any(|line| line.contains("[output-syntax]")),
                    "seed {seed}: {said:?}\n{text}"
                );
                refused += 1;
            }
        }
    }
    // Damage must not be all that is seen, or nothing beyond the parser would be.
    assert!(
        accepted > rounds / 8 && refused > rounds / 8,
        "{accepted} {refused}"
    );
}

/// Names, numbers, spaces, and single characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let len = match word(first) {
            true => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(len);
        found.push(token);
        rest = behind;
    }
    found
}

fn mutate<'a>(text: &mut Vec<&'a str>, all: &[&'a str], rng: &mut StdRng) {
    const ODD: [&str; 12] = [
        "é",
        "\"",
        "r#fn",
        "99999999999999999999",
        "--",
        "-1",
        "/",
        "oparg",
        "0",
        "{",
        "'a",
        "''",
    ];
    if text.is_empty() {
        return;
    }
    let at = rng.random_range(0..text.len());
    match rng.random_range(0..7) {
        0 => drop(text.remove(at)),
        1 => text.insert(at, text[at]),
        2 => text[at] = all.choose(rng).expect("tokens"),
        3 => text.insert(at, ODD.choose(rng).expect("odd")),
        4 => text.insert(at, all.choose(rng).expect("tokens")),
        5 => {
            let other = rng.random_range(0..text.len());
            text.swap(at, other);
        }
        // A piece of another definition in the place of a piece of this one.
        _ => {
            let end = (at + rng.random_range(0..12)).min(text.len());
            let from = rng.random_range(0..all.len());
            let piece = all[from..].iter().take(rng.random_range(0..12)).copied();
            text.splice(at..end, piece);
        }
    }
}
