//! What is refused: `tests/golden/reject/RULE.rs` are definitions that break a rule, followed by what the generator says,
//! written by hand as `//~ line:column: message [rule]`.

use super::casegen::rules::Rule;
use super::casegen::{Source, generate};
use super::{files, read, source};
use std::collections::BTreeMap;

/// Not reached by definitions: a mistake in a support file, and one of the generator itself.
const ELSEWHERE: [Rule; 3] = [Rule::SupportSyntax, Rule::OutputSyntax, Rule::OpcodesSpent];

#[test]
fn every_case_is_refused_as_it_says() {
    let mut wrong = String::new();
    for (name, text) in files("tests/golden/reject") {
        let lines = text.lines().filter_map(|line| line.strip_prefix("//~ "));
        let expected: Vec<_> = lines.map(|line| format!("{name}:{line}")).collect();
        let found = super::generate(&name, &text).err().unwrap_or_default();
        if found != expected {
            wrong += &format!(
                "{name}\n  expected\n    {}\n  found\n    {}\n",
                expected.join("\n    "),
                found.join("\n    ")
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_rule_has_a_case() {
    for rule in Rule::ALL.iter().filter(|rule| !ELSEWHERE.contains(rule)) {
        let text = read(format!("tests/golden/reject/{}.rs", rule.name()));
        let tag = format!("[{}]", rule.name());
        assert!(
            text.lines()
                .any(|line| line.starts_with("//~ ") && line.ends_with(&tag)),
            "{}",
            rule.name()
        );
    }
}

/// With this, the cases show that no check can be removed unnoticed: each is at one place, and each place has a case.
#[test]
fn every_rule_is_checked_at_one_place() {
    let mut sites: BTreeMap<String, usize> = BTreeMap::new();
    let folders = ["src/casegen", "src/casegen/emit"];
    for (_, text) in folders.iter().flat_map(|folder| files(folder)) {
        for after in text.split("Rule::").skip(1) {
            let name = after.split(|c: char| !c.is_alphanumeric()).next();
            *sites
                .entry(name.unwrap_or_default().to_string())
                .or_default() += 1;
        }
    }
    for rule in Rule::ALL {
        assert_eq!(sites.get(&format!("{rule:?}")), Some(&1), "{rule:?}");
    }
}

#[test]
fn a_support_file_that_is_not_rust_is_refused() {
    let support = source("support.rs", "pub fn 3() {}\n");
    let said = said(&[source("a.rs", "")], &[support]);
    assert_eq!(
        said,
        ["support.rs:1:8: not Rust: expected identifier [support-syntax]"]
    );
}

#[test]
fn numbers_run_out() {
    let many: String = (0..200)
        .map(|n| format!("#[inst(\"--\")]\nfn X{n:03}() {{}}\n"))
        .collect();
    let said = said(&[source("a.rs", &many)], &[]);
    // 1 to 127 are for what is neither pinned nor specialised.
    assert_eq!(said.len(), 73);
    assert_eq!(
        said[0],
        "a.rs:256:4: no number is left for `X127` [opcodes-spent]"
    );
}

#[test]
fn every_file_and_item_is_checked_before_any_is_refused() {
    let one = source("a.rs", "#[inst(\"x\")]\nfn X() {}\n\n#[op]\nfn _Y() {}\n");
    let other = source("b.rs", "struct S;\n");
    assert_eq!(
        said(&[one, other], &[]),
        [
            "a.rs:1:9: stack effect \"x\" needs one `--` [effect-dashes]",
            "a.rs:4:3: expected a stack effect in quotes [attribute-value]",
            "b.rs:1:1: only `fn` items and definition macros may stand here [item-kind]",
        ]
    );
}

fn said(sources: &[Source], support: &[Source]) -> Vec<String> {
    let diags = generate(sources, support, false).err().unwrap_or_default();
    diags.iter().map(ToString::to_string).collect()
}
