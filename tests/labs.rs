//! The commands in `docs/specialisation.md` and `docs/labs.md` print what stands below them there. Each is a line that
//! begins with `$ ` in a block marked `console`, run in the crate's folder; addresses of objects are left out. With `RATTAIL_DOCS=write` in the environment
//! the blocks are written anew.

// The counters in the documents have 3.14's layout.
#![cfg(not(feature = "counter-3-15"))]

#[path = "../src/casegen/mod.rs"]
#[allow(dead_code)]
mod casegen;
#[path = "../examples/regenerate/report.rs"]
mod report;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The words of a command line; quotes hold spaces together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut begun) = (vec![], String::new(), false, false);
    for c in line.chars() {
        match c {
            '\'' => (quoted, begun) = (!quoted, true),
            ' ' if !quoted => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            c => {
                word.push(c);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

fn output(line: &str) -> String {
    let words = words(line);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["rattail", arguments @ ..] => {
            let run = Command::new(env!("CARGO_BIN_EXE_rattail"))
                .args(arguments)
                .current_dir(root())
                .stdin(Stdio::null())
                .output()
                .expect("the binary runs");
            let said = String::from_utf8_lossy(&run.stderr);
            assert!(run.status.success(), "{line}: {said}");
            String::from_utf8(run.stdout).expect("UTF-8")
        }
        [
            "cargo",
            "run",
            "-q",
            "--example",
            "regenerate",
            "--",
            file,
            from,
            to,
        ] => match report::report(file, from, to) {
            Ok(text) | Err(text) => text,
        },
        _ => panic!("a command that nothing here runs: {line}"),
    }
}

/// A line with the addresses of objects, which are others each time, left out.
fn without_addresses(line: &str) -> String {
    let mut parts = line.split(" at 0x");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += " at 0x...";
        out += part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    out
}

/// The document with what its commands print.
fn run_commands(text: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        out += line;
        out.push('\n');
        if line != "```console" {
            continue;
        }
        for line in lines.by_ref() {
            if line == "```" {
                out += "```\n";
                break;
            }
            if let Some(command) = line.strip_prefix("$ ") {
                out += line;
                out.push('\n');
                for printed in output(command).lines() {
                    out += &without_addresses(printed.trim_end());
                    out.push('\n');
                }
            }
        }
    }
    out
}

fn check(name: &str) {
    let path = root().join(Path::new("docs").join(name));
    let text = std::fs::read_to_string(&path).expect("a document");
    let expected = run_commands(&text);
    if std::env::var("RATTAIL_DOCS").is_ok_and(|value| value == "write") {
        std::fs::write(&path, &expected).expect("docs/ can be written to");
    }
    let found = std::fs::read_to_string(&path).expect("a document");
    if let Some((found, expected)) = found
        .lines()
        .zip(expected.lines())
        .find(|(found, expected)| found != expected)
    {
        panic!(
            "docs/{name} has\n{found}\nwhere the command prints\n{expected}\n\
             (RATTAIL_DOCS=write cargo test --test labs)"
        );
    }
    assert_eq!(
        found.lines().count(),
        expected.lines().count(),
        "docs/{name}"
    );
}

#[test]
fn specialisation() {
    check("specialisation.md");
}

#[test]
fn labs() {
    check("labs.md");
}
