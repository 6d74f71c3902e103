//! An instruction's definition beside what the generator makes of it in each form.
//!
//! Works on the texts themselves, which are formatted, so that what is shown is what was compiled.

use super::summary::summary;
use crate::bytecode::Opcode;
use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

/// The definition files and the generated files, each a name and its text.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    pub definitions: &'a [(&'a str, &'a str)],
    pub generated: &'a [(&'a str, &'a str)],
}

/// This crate's own definitions and what was generated from them.
pub const THIS_CRATE: Texts<'static> = include!(concat!(env!("OUT_DIR"), "/texts.rs"));

/// One item of a definition file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item<'a> {
    file: &'a str,
    /// Counted from 1.
    line: usize,
    text: String,
    name: String,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `inst`, `op`, `cold` or `label`.
    Function,
    Instruction,
    Family,
    Pseudo,
}

/// Everything about one instruction, pseudo-instruction or micro-op of this crate; None if nothing has this name.
pub fn expand(name: &str) -> Option<String> {
    let texts = THIS_CRATE.expand(name)?;
    let summary = Opcode::from_name(name).map(|op| summary(op) + "\n");
    Some(summary.unwrap_or_default() + &texts)
}

impl Texts<'_> {
    /// Definitions and code of one instruction or micro-op; None if nothing has this name.
    pub fn expand(&self, name: &str) -> Option<String> {
        let items = self.items();
        let own: Vec<&Item> = items
            .iter()
            .filter(|item| item.name == name && item.kind != Kind::Family)
            .collect();
        let first = own.first()?;
        let parts = parts(first);
        let mut shown = own.clone();
        let mut next = 0;
        shown.extend(
            parts
                .iter()
                .filter_map(|part| function(&items, part))
                .filter(|item| !own.contains(item)),
        );
        // What a part continues in off the fast path, and what that continues in.
        while let Some(item) = shown.get(next) {
            let colds = words(&item.text)
                .filter_map(|word| function(&items, word))
                .filter(|item| item.is_cold());
            let new: Vec<&Item> = colds.filter(|item| !shown.contains(item)).collect();
            shown.extend(new);
            next += 1;
        }
        shown.extend(
            items
                .iter()
                .filter(|item| item.kind == Kind::Family && words(&item.text).any(|w| w == name)),
        );
        let mut out = String::new();
        for item in shown {
            let _ = writeln!(out, "// {}:{}\n{}\n", item.file, item.line, item.text);
        }
        for (title, code) in self.forms(name) {
            let _ = writeln!(out, "// {title}\n{code}\n");
        }
        Some(out.trim_end().to_owned() + "\n")
    }

    /// The generated code of an instruction, each piece with its title.
    fn forms(&self, name: &str) -> Vec<(&'static str, String)> {
        let text = |file: &str| {
            self.generated
                .iter()
                .find(|(generated, _)| *generated == file)
                .map_or("", |(_, text)| text)
        };
        let function = |file: &str, name: &str| {
            block(text(file), |line| line.contains(&format!(" fn {name}(")))
        };
        let arm = |file: &str| {
            block(text(file), |line| {
                line.trim_start()
                    .starts_with(&format!("State::{name} => {{"))
            })
        };
        let colds = |file: &'static str| {
            let prefix = format!("cold_{name}__");
            let names = text(file)
                .lines()
                .filter_map(|line| line.split(" fn ").nth(1)?.split('(').next());
            names
                .filter(move |name| name.starts_with(&prefix))
                .filter_map(move |name| function(file, name))
        };
        let mut found = Vec::new();
        found.extend(function("tail.rs", name).map(|code| ("tail", code)));
        found.extend(colds("tail.rs").map(|code| ("tail, off the fast path", code)));
        found.extend(arm("match_loop.rs").map(|code| ("match", code)));
        found.extend(arm("replicated.rs").map(|code| ("replicated", code)));
        found
            .extend(colds("cold.rs").map(|code| ("match and replicated, off the fast path", code)));
        found
    }

    /// Writes every generated file into a folder, which is made if need be.
    pub fn write_all(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        for (name, text) in self.generated {
            fs::write(folder.join(name), text)?;
        }
        Ok(())
    }

    fn items(&self) -> Vec<Item<'_>> {
        self.definitions
            .iter()
            .flat_map(|(file, text)| items(file, text))
            .collect()
    }
}

impl Item<'_> {
    /// The rest of an op, out of line.
    fn is_cold(&self) -> bool {
        self.text.contains("#[cold(")
    }
}

/// Splits a formatted file into its items, with the attributes and the documentation in front of each.
fn items<'a>(file: &'a str, text: &str) -> Vec<Item<'a>> {
    let mut found = Vec::new();
    let mut pending: Vec<&str> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let only_comments = pending.iter().all(|line| line.starts_with("//"));
        if line.is_empty() && only_comments {
            pending.clear(); // a comment on what follows in general
            continue;
        }
        pending.push(line);
        let at_top = !line.starts_with([' ', '#', '/']);
        if at_top && (line == "}" || line.ends_with("{}") || line.ends_with(");"))
            || line.trim() == ");"
        {
            let text = pending.join("\n");
            let line = number + 2 - pending.len();
            found.extend(named(&text).map(|(name, kind)| Item {
                file,
                line,
                name,
                kind,
                text,
            }));
            pending.clear();
        }
    }
    found
}

fn named(item: &str) -> Option<(String, Kind)> {
    let heads = [
        ("fn ", Kind::Function),
        ("instruction!(", Kind::Instruction),
        ("family!(", Kind::Family),
        ("pseudo!(", Kind::Pseudo),
    ];
    item.lines().find_map(|line| {
        let (rest, kind) = heads
            .iter()
            .find_map(|(head, kind)| Some((line.strip_prefix(head)?, *kind)))?;
        let rest = if rest.is_empty() {
            item.split_once(line)?.1
        } else {
            rest
        };
        let name: String = rest
            .trim_start()
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        Some((name, kind))
    })
}

/// What an instruction is put together from: micro-ops and `unused/n`; a function is its own only part.
fn parts(item: &Item<'_>) -> Vec<String> {
    if item.kind != Kind::Instruction {
        return vec![item.name.clone()];
    }
    let sum = item.text.split_once('=').map_or("", |(_, sum)| sum);
    let part = |text: &str| {
        text.split_whitespace()
            .collect::<String>()
            .trim_end_matches([')', ';'])
            .to_owned()
    };
    sum.split('+').map(part).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

fn function<'i, 'a>(items: &'i [Item<'a>], name: &str) -> Option<&'i Item<'a>> {
    items
        .iter()
        .find(|item| item.kind == Kind::Function && item.name == name)
}

/// The item or arm that begins with the line that `starts` knows, to the line that closes it, less its indentation.
fn block(text: &str, starts: impl Fn(&str) -> bool) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|line| starts(line))?;
    let indent = lines[first].len() - lines[first].trim_start().len();
    let closes = |line: &&str| {
        line.len() > indent
            && line.starts_with(&" ".repeat(indent))
            && line[indent..].starts_with('}')
    };
    let last = if lines[first].trim_end().ends_with('}') {
        first
    } else {
        first + 1 + lines[first + 1..].iter().position(closes)?
    };
    let stripped = lines[first..=last]
        .iter()
        .map(|line| line.get(indent..).unwrap_or("").trim_end());
    Some(stripped.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFINITIONS: &str = r#"//! Truth tests.

// About several of them.

/// Counts down.
#[specializing]
#[op("counter/1, value -- value")]
fn _SPECIALIZE_TO_BOOL() {
    advance(ip, counter);
}

#[op("value -- res")]
fn _TO_BOOL() {
    cold_if!(odd(value), _TO_BOOL_SLOW);
}

#[cold("value -- res")]
fn _TO_BOOL_SLOW() {}

instruction!(TO_BOOL = _SPECIALIZE_TO_BOOL + unused/2 + _TO_BOOL);

family!(TO_BOOL / 3 = TO_BOOL_BOOL);

#[inst("version/2, -- ")]
fn NOP() {}

instruction!(
    LONG = unused/1
        + _TO_BOOL
);
"#;
    const TAIL: &str = "pub unsafe fn TO_BOOL(
    mut ip: Ip,
) -> Exit {
    unsafe { one() }
}
pub unsafe fn cold_TO_BOOL__TO_BOOL_SLOW(ip: Ip) -> Exit {
    two()
}
pub unsafe fn cold_TO_BOOL_INT__TO_BOOL_BIG(ip: Ip) -> Exit {}
pub unsafe fn NOP(ip: Ip) -> Exit {}
";
    const LOOP: &str = "fn run() {
    loop {
        match state {
            State::TO_BOOL => {
                if x {
                    three();
                }
            }
            State::NOP => {}
        }
    }
}
";

    fn texts() -> Texts<'static> {
        Texts {
            definitions: &[("handlers/truth.rs", DEFINITIONS)],
            generated: &[("tail.rs", TAIL), ("match_loop.rs", LOOP)],
        }
    }

    #[test]
    fn an_instruction_is_shown_with_its_parts_and_forms() {
        let expected = r#"// handlers/truth.rs:20
instruction!(TO_BOOL = _SPECIALIZE_TO_BOOL + unused/2 + _TO_BOOL);

// handlers/truth.rs:5
/// Counts down.
#[specializing]
#[op("counter/1, value -- value")]
fn _SPECIALIZE_TO_BOOL() {
    advance(ip, counter);
}

// handlers/truth.rs:12
#[op("value -- res")]
fn _TO_BOOL() {
    cold_if!(odd(value), _TO_BOOL_SLOW);
}

// handlers/truth.rs:17
#[cold("value -- res")]
fn _TO_BOOL_SLOW() {}

// handlers/truth.rs:22
family!(TO_BOOL / 3 = TO_BOOL_BOOL);

// tail
pub unsafe fn TO_BOOL(
    mut ip: Ip,
) -> Exit {
    unsafe { one() }
}

// tail, off the fast path
pub unsafe fn cold_TO_BOOL__TO_BOOL_SLOW(ip: Ip) -> Exit {
    two()
}

// match
State::TO_BOOL => {
    if x {
        three();
    }
}
"#;
        assert_eq!(texts().expand("TO_BOOL").as_deref(), Some(expected));
    }

    #[test]
    fn an_instruction_that_is_one_function_has_forms_too() {
        let text = texts().expand("NOP").expect("defined");
        assert!(text.contains("// match\nState::NOP => {}\n"), "{text}");
    }

    #[test]
    fn a_definition_over_several_lines_is_one_item() {
        let text = texts().expand("LONG").expect("defined");
        assert!(
            text.starts_with("// handlers/truth.rs:27\ninstruction!(\n    LONG = unused/1\n"),
            "{text}"
        );
    }

    #[test]
    fn a_micro_op_has_no_summary_and_an_unknown_name_nothing() {
        let text = expand("_TO_BOOL").expect("defined");
        assert!(text.starts_with("// handlers/arith.rs:"), "{text}");
        let text = expand("TO_BOOL").expect("defined");
        assert!(text.starts_with("// TO_BOOL: opcode "), "{text}");
        assert_eq!(texts().expand("TO_BOO"), None);
    }

    #[test]
    fn all_generated_files_are_written() {
        let folder = std::env::temp_dir().join(format!("rattail-expand-{}", std::process::id()));
        texts()
            .write_all(&folder)
            .expect("a folder for temporary files");
        assert_eq!(
            fs::read_to_string(folder.join("tail.rs")).expect("written"),
            TAIL
        );
        fs::remove_dir_all(&folder).expect("its own folder");
    }
}
