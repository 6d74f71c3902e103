//! What a change of the definitions changes in everything that is generated from them.

use crate::casegen::{self, Source};
use std::collections::BTreeMap;
use std::path::Path;

/// The Rust files of a folder of the crate.
fn read(folder: &str) -> Result<Vec<Source>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(root.join(folder)).map_err(|error| error.to_string())?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| error.to_string())?.file_name();
        names.push(name.to_string_lossy().into_owned());
    }
    names.retain(|name| name.ends_with(".rs"));
    names.sort();
    let source = |name: &String| {
        let path = format!("{folder}/{name}");
        let text = std::fs::read_to_string(root.join(&path)).map_err(|error| error.to_string())?;
        Ok(Source { path, text })
    };
    names.iter().map(source).collect()
}

/// File name and text of everything that the generator makes, or the rules that the definitions break.
fn generate(handlers: &[Source], support: &[Source]) -> Result<Vec<(String, String)>, String> {
    match casegen::generate(handlers, support, false) {
        Ok(files) => Ok(files
            .into_iter()
            .map(|file| (file.name.to_string(), file.text.to_string()))
            .collect()),
        Err(diags) => Err(diags.iter().map(|diag| format!("{diag}\n")).collect()),
    }
}

/// How many lines one text has more often than the other.
fn more_lines(text: &str, other: &str) -> usize {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for line in text.lines() {
        *counts.entry(line).or_default() += 1;
    }
    for line in other.lines() {
        *counts.entry(line).or_default() -= 1;
    }
    let more = counts.values().filter(|count| **count > 0);
    more.sum::<i64>() as usize
}

/// What the change of `from` into `to` in one file changes in the generated ones.
pub fn report(file: &str, from: &str, to: &str) -> Result<String, String> {
    let (mut handlers, support) = (read("handlers")?, read("src/interp/support")?);
    let before = generate(&handlers, &support)?;
    let changed = handlers.iter_mut().find(|source| source.path == file);
    let changed = changed.ok_or_else(|| format!("{file} has no definitions\n"))?;
    let places = changed.text.matches(from).count();
    if places != 1 {
        return Err(format!("{file} has that text {places} times\n"));
    }
    changed.text = changed.text.replace(from, to);
    let after = generate(&handlers, &support)?;
    let mut text = String::new();
    for ((name, old), (_, new)) in before.iter().zip(&after) {
        let (gone, come) = (more_lines(old, new), more_lines(new, old));
        text += &format!("{name:<18} {gone} gone, {come} new\n");
    }
    Ok(text)
}
