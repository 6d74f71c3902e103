//! What holds the source tree together: imports go one way, files stay readable, the generator knows no opcode.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use rattail::bytecode::Opcode;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every layer with those that it may import.
const LAYERS: &[(&str, &[&str])] = &[
    ("object", &[]),
    ("bytecode", &["object"]),
    ("compiler", &["object", "bytecode"]),
    ("runtime", &["object", "bytecode"]),
    ("interp", &["object", "bytecode", "runtime"]),
    (
        "introspect",
        &["object", "bytecode", "compiler", "runtime", "interp"],
    ),
    (
        "cli",
        &[
            "object",
            "bytecode",
            "compiler",
            "runtime",
            "interp",
            "introspect",
            "lab",
        ],
    ),
    ("lab", &["introspect"]),
    // Build time only.
    ("casegen", &[]),
];

/// Lines that a file may have, its tests aside.
const CEILING: usize = 600;

/// Files above the ceiling, each with the reason.
const LONG: &[(&str, &str)] = &[
    (
        "src/object/dict.rs",
        "keys, values and probing share their invariants",
    ),
    ("src/object/unicode_tables.rs", "data written by a program"),
    (
        "tests/common/grammar.rs",
        "the grammar of random programs, a function for every rule",
    ),
    (
        "tests/common/runnable.rs",
        "the grammar of programs that run, a function for every rule",
    ),
    (
        "src/object/bytes_methods.rs",
        "every method of one type, each a few lines",
    ),
    (
        "src/object/set.rs",
        "one table and everything that probes it",
    ),
    (
        "src/object/set_methods.rs",
        "every method of two types, each a few lines",
    ),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files in a folder and below, relative to the crate.
fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for path in entries.map(|entry| entry.expect("a readable folder").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(
                    path.strip_prefix(root())
                        .expect("a path in the crate")
                        .to_owned(),
                );
            }
        }
    }
    files.sort();
    files
}

fn text(file: &Path) -> String {
    fs::read_to_string(root().join(file))
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn tokens(file: &Path) -> TokenStream {
    text(file)
        .parse()
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The layer that a file belongs to, and how many `super` lead from it to the crate.
fn place(file: &Path) -> Option<(String, usize)> {
    let inside = file.strip_prefix("src").ok()?;
    let parts: Vec<_> = inside
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let name = parts.last()?.as_str();
    let depth = if name == "mod.rs" {
        parts.len() - 1
    } else {
        parts.len()
    };
    let layer = parts[0].trim_end_matches(".rs").to_owned();
    (!matches!(layer.as_str(), "lib" | "main")).then_some((layer, depth))
}

/// The first segments of paths that start at the crate: `crate::a`, `crate::{a, b::c}`, `super::super::a`.
/// `depth` is the number of `super` that lead there, in the module that `tokens` are directly in.
fn crate_paths(tokens: TokenStream, depth: usize, found: &mut BTreeSet<String>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let word = |at: usize| match trees.get(at) {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    };
    let colons = |at: usize| {
        let colon = |at: usize| matches!(trees.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
        colon(at) && colon(at + 1)
    };
    for (at, tree) in trees.iter().enumerate() {
        if let TokenTree::Group(group) = tree {
            // The body of `mod name { .. }` is one module further in.
            let is_module = at >= 2
                && word(at - 2).as_deref() == Some("mod")
                && group.delimiter() == Delimiter::Brace;
            crate_paths(group.stream(), depth + usize::from(is_module), found);
        }
        let continues = at >= 2 && colons(at - 2);
        let mut after = at;
        if word(at).as_deref() == Some("crate") && colons(at + 1) {
            after = at + 3;
        } else if word(at).as_deref() == Some("super") && !continues {
            let mut supers = 0;
            while word(after).as_deref() == Some("super") && colons(after + 1) {
                supers += 1;
                after += 3;
            }
            if supers < depth {
                continue;
            }
        }
        if after > at {
            first_segments(&trees[after..], found);
        }
    }
}

fn first_segments(rest: &[TokenTree], found: &mut BTreeSet<String>) {
    match rest.first() {
        Some(TokenTree::Ident(ident)) => {
            found.insert(ident.to_string());
        }
        Some(TokenTree::Group(group)) => {
            let trees: Vec<TokenTree> = group.stream().into_iter().collect();
            let is_comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ',');
            for item in trees.split(is_comma) {
                first_segments(item, found);
            }
        }
        _ => {}
    }
}

#[test]
fn imports_go_one_way() {
    let mut wrong = Vec::new();
    for file in rust_files("src") {
        let Some((layer, depth)) = place(&file) else {
            continue;
        };
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == layer) else {
            wrong.push(format!("{}: {layer} is no layer", file.display()));
            continue;
        };
        let mut found = BTreeSet::new();
        crate_paths(tokens(&file), depth, &mut found);
        let other_layers = LAYERS
            .iter()
            .map(|(name, _)| *name)
            .filter(|name| *name != layer);
        for other in other_layers.filter(|name| found.contains(*name) && !allowed.contains(name)) {
            wrong.push(format!("{}: {layer} imports {other}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_finder_of_imports_finds_them() {
    let found = |text: &str, depth: usize| {
        let mut found = BTreeSet::new();
        crate_paths(text.parse().expect("Rust"), depth, &mut found);
        found.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(
        found("use crate::object::Word; fn f() { crate::runtime::g() }", 2),
        ["object", "runtime"]
    );
    assert_eq!(
        found("use crate::{object::{a, b}, bytecode};", 1),
        ["bytecode", "object"]
    );
    assert_eq!(found("use super::super::interp::run;", 2), ["interp"]);
    assert_eq!(
        found("use super::dict::Dict; use super::super::list::List;", 3),
        [""; 0]
    );
    assert_eq!(
        found(
            "mod tests { use super::super::interp::run; use super::x; }",
            1
        ),
        ["interp"]
    );
    assert_eq!(
        found("use ::object::read; pub(crate) fn f() {}", 1),
        [""; 0]
    );
}

#[test]
fn every_module_is_a_layer() {
    let lib = text(Path::new("src/lib.rs"));
    for module in lib
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
    {
        assert!(LAYERS.iter().any(|(name, _)| *name == module), "{module}");
    }
}

#[test]
fn files_stay_below_the_ceiling() {
    let mut wrong = Vec::new();
    let files = ["src", "handlers", "tests", "benches"]
        .into_iter()
        .flat_map(rust_files);
    for file in files.chain([PathBuf::from("build.rs")]) {
        let text = text(&file);
        let lines = text
            .split("\n#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default()
            .lines()
            .count();
        let listed = LONG.iter().any(|(path, _)| Path::new(path) == file);
        if lines > CEILING && !listed {
            wrong.push(format!(
                "{} has {lines} lines, more than {CEILING}",
                file.display()
            ));
        } else if lines <= CEILING && listed {
            wrong.push(format!("{} needs no exception any more", file.display()));
        }
    }
    for (path, _) in LONG.iter().filter(|(path, _)| !root().join(path).exists()) {
        wrong.push(format!("{path} is gone and still an exception"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A case by an opcode's name in the generator would be a property that its definition does not state.
#[test]
fn the_generator_names_no_opcode() {
    let names: BTreeSet<String> = (0..288)
        .map(|number| Opcode(number).name().to_owned())
        .filter(|name| !name.starts_with('<'))
        .collect();
    let mut wrong = Vec::new();
    for file in rust_files("src/casegen") {
        let mut words = BTreeSet::new();
        words_of(tokens(&file), &mut words);
        wrong.extend(
            words
                .intersection(&names)
                .map(|name| format!("{}: {name}", file.display())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Identifiers, and the words in literals; documentation is left out.
fn words_of(tokens: TokenStream, words: &mut BTreeSet<String>) {
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let is_doc =
                    |group: &proc_macro2::Group| group.stream().to_string().starts_with("doc");
                if matches!(trees.peek(), Some(TokenTree::Group(group)) if is_doc(group)) {
                    trees.next();
                }
            }
            TokenTree::Ident(ident) => {
                words.insert(ident.to_string());
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let separates = |c: char| !c.is_ascii_alphanumeric() && c != '_';
                words.extend(text.split(separates).map(str::to_owned));
            }
            TokenTree::Group(group) => words_of(group.stream(), words),
            TokenTree::Punct(_) => {}
        }
    }
}
