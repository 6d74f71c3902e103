//! The generator on its own: what it makes of definitions, and what it refuses.

#[path = "../../src/casegen/mod.rs"]
#[allow(dead_code)]
mod casegen;

mod docs;
mod forms;
mod fuzz;
mod rejections;
mod tables;

use casegen::Source;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The files of a folder whose names end in `.rs`, by name.
fn files(folder: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
    let names = entries.map(|e| {
        e.expect("readable")
            .file_name()
            .into_string()
            .expect("UTF-8")
    });
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".rs")).collect();
    names.sort();
    let text = |name: String| {
        let text = read(format!("{folder}/{name}"));
        (name, text)
    };
    names.into_iter().map(text).collect()
}

fn source(path: &str, text: &str) -> Source {
    let (path, text) = (path.to_string(), text.to_string());
    Source { path, text }
}

/// `text` with the prelude of the cases, and their support functions.
fn generate(path: &str, text: &str) -> Result<Vec<casegen::Output>, Vec<String>> {
    let prelude = source("prelude.rs", include_str!("../golden/prelude.rs"));
    let support = source("support.rs", include_str!("../golden/support.rs"));
    let generated = casegen::generate(&[prelude, source(path, text)], &[support], false);
    generated.map_err(|diags| diags.iter().map(ToString::to_string).collect())
}

/// The crate's own definitions and support files.
fn own() -> (Vec<Source>, Vec<Source>) {
    let read = |folder: &str| {
        let files = files(folder).into_iter();
        let sources = files.map(|(name, text)| source(&format!("{folder}/{name}"), &text));
        sources.collect::<Vec<_>>()
    };
    (read("handlers"), read("src/interp/support"))
}
