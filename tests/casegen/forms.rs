//! What the forms make of definitions: `tests/golden/forms/NAME.rs` becomes `NAME.txt`. `BLESS=1` writes what is found,
//! to be read before it is committed.

use super::casegen::{self, Output};
use super::{files, read, root, source};

const FILES: [&str; 4] = ["tail.rs", "match_loop.rs", "replicated.rs", "cold.rs"];

#[test]
fn definitions_become_the_forms_that_are_written_down() {
    for (name, text) in files("tests/golden/forms") {
        let support = source("support.rs", include_str!("../golden/support.rs"));
        let files = casegen::generate(&[source(&name, &text)], &[support], false);
        let files = files.unwrap_or_else(|diags| panic!("{name}: {diags:#?}"));
        let found: String = FILES.map(|file| section(&files, file)).concat();
        let golden = format!("tests/golden/forms/{}.txt", name.trim_end_matches(".rs"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(root().join(&golden), &found).expect("writable");
        }
        assert_eq!(found, read(&golden), "{golden}");
    }
}

/// The code of a form, without what is the same for all definitions.
pub fn section(files: &[Output], name: &str) -> String {
    let file = files
        .iter()
        .find(|file| file.name == name)
        .expect("generated");
    let (_, text) = file.text.split_once("\n\n").expect("a header");
    let code = match name {
        "match_loop.rs" | "replicated.rs" => arms(text),
        _ => text
            .lines()
            .take_while(|line| !line.contains("static TABLE"))
            .map(|line| format!("{line}\n"))
            .collect(),
    };
    format!("// {name}\n\n{}\n\n", code.trim_end())
}

/// The arms of the match on the state, at the left margin.
fn arms(text: &str) -> String {
    let (_, arms) = text
        .rsplit_once("match state {\n")
        .expect("a match on the state");
    let (arms, _) = arms.split_once("State::leave =>").expect("the last arm");
    let margin = arms.len() - arms.trim_start().len();
    let lines = arms
        .lines()
        .map(|line| line.get(margin..).unwrap_or(line.trim_start()));
    lines.collect::<Vec<_>>().join("\n")
}

/// All opcodes replicate on request, each to all others.
#[test]
fn every_arm_can_be_hot() {
    let definitions = read("tests/golden/forms/load.rs");
    let generate = |all| {
        let files = casegen::generate(&[source("load.rs", &definitions)], &[], all);
        section(&files.expect("valid"), "replicated.rs")
    };
    assert_eq!(generate(false).matches("next!()").count(), 1);
    assert_eq!(generate(true).matches("next!()").count(), 2);
}

/// The same definitions give the same text, and the crate's own give every file.
#[test]
fn generation_is_deterministic() {
    let (handlers, support) = super::own();
    let texts = || {
        let files = casegen::generate(&handlers, &support, false).expect("the crate's definitions");
        files
            .into_iter()
            .map(|file| (file.name, file.text))
            .collect::<Vec<_>>()
    };
    let names: Vec<_> = texts().iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        [
            "opcode_tables.rs",
            "uops.rs",
            "states.rs",
            "tail.rs",
            "match_loop.rs",
            "replicated.rs",
            "cold.rs"
        ]
    );
    assert_eq!(texts(), texts());
}
