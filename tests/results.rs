//! The tables, plots and claims of `results/` are what the raw data beside them yield.

use std::fs;
use std::path::Path;

#[test]
fn every_page_and_plot_is_what_the_raw_data_yield() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let files = rattail::introspect::results::generate(&root).expect("readable results");
    let mut stale = Vec::new();
    for (name, text) in &files {
        if fs::read_to_string(root.join(name)).ok().as_ref() != Some(text) {
            stale.push(name.display().to_string());
        }
    }
    assert!(
        stale.is_empty(),
        "stale, run `rattail report results`: {}",
        stale.join(", ")
    );
}

#[test]
fn enough_claims_are_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let text = fs::read_to_string(root.join("claims.md")).expect("claims");
    for id in ["H1", "H2", "H3", "H4", "H5", "H6", "H7"] {
        assert!(text.contains(&format!("| {id} |")), "{id}");
    }
    let verdicts = text
        .lines()
        .filter(|line| line.ends_with("| reproduced |") || line.ends_with("| refuted |"));
    assert!(verdicts.count() >= 15, "{text}");
}

#[test]
fn a_changed_table_is_noticed() {
    let folder = std::env::temp_dir().join(format!("rattail-results-{}", std::process::id()));
    fs::create_dir_all(folder.join("machine")).expect("a folder");
    fs::write(folder.join("machine/metadata.json"), r#"{"kernel": "6.1"}"#).expect("data");
    let generate = || rattail::introspect::results::generate(&folder).expect("readable");
    let before = generate();
    assert!(before.iter().any(|(_, text)| text.contains("kernel: 6.1")));
    fs::write(folder.join("machine/metadata.json"), r#"{"kernel": "6.2"}"#).expect("data");
    assert_ne!(before, generate());
    fs::write(folder.join("machine/fib.json"), "{").expect("half a file");
    assert!(rattail::introspect::results::generate(&folder).is_err());
    fs::remove_dir_all(&folder).expect("a folder of ours");
}
