//! The examples in `docs/` do what the text around them says.

use super::casegen::rules::Rule;
use super::forms::section;
use super::{casegen, generate, own, read, source};

/// A fenced block: what stands behind the fence, and its text.
struct Block {
    info: String,
    text: String,
}

fn blocks(path: &str) -> Vec<Block> {
    let text = read(path);
    let parts: Vec<&str> = text.split("\n```").collect();
    // Every second part is inside a fence.
    let inside = parts.iter().skip(1).step_by(2).map(|part| {
        let (info, text) = part.split_once('\n').unwrap_or((part, ""));
        Block {
            info: info.to_string(),
            text: format!("{text}\n"),
        }
    });
    inside.collect()
}

fn said(diags: &[String]) -> String {
    match diags {
        [] => "nothing\n".to_string(),
        _ => diags.iter().map(|line| format!("{line}\n")).collect(),
    }
}

/// `definition` blocks go with the prelude of the cases; what follows says what becomes of them.
#[test]
fn the_language_is_as_described() {
    let mut definition = String::new();
    let mut checked = 0;
    for block in blocks("docs/dsl.md") {
        let generated = || generate("example.rs", &definition);
        let form = |file: &str| {
            let files =
                generated().unwrap_or_else(|diags| panic!("{definition}\n{}", said(&diags)));
            section(&files, file)
        };
        let (kind, name) = block.info.split_once(' ').unwrap_or((&block.info, ""));
        let code = match kind {
            "rust,definition" => {
                definition.clone_from(&block.text);
                continue;
            }
            "text,error" => {
                assert_eq!(
                    said(&generated().err().unwrap_or_default()),
                    block.text,
                    "{definition}"
                );
                checked += 1;
                continue;
            }
            "rust,tail" => body(&form("tail.rs"), &format!("fn {name}("), "asm!"),
            "rust,match" => body(&form("match_loop.rs"), &format!("State::{name} =>"), "{"),
            other => panic!("unknown block {other}"),
        };
        assert_eq!(code, block.text, "{name}");
        checked += 1;
    }
    assert!(checked > 5);
}

/// The lines behind the one that holds `behind`, of the item that begins with `start`, at the left margin.
fn body(text: &str, start: &str, behind: &str) -> String {
    let mut lines = text.lines().skip_while(|line| !line.contains(start));
    lines
        .find(|line| line.contains(behind))
        .expect("the code of the item");
    let lines: Vec<&str> = lines.collect();
    let margin = lines[0].len() - lines[0].trim_start().len();
    let inside = |line: &&&str| line.len() - line.trim_start().len() >= margin;
    let inside = lines
        .iter()
        .take_while(inside)
        .map(|line| format!("{}\n", &line[margin..]));
    inside.collect()
}

#[test]
fn every_rule_is_listed() {
    let text = read("docs/dsl.md");
    let (_, table) = text
        .split_once("| rule | |\n|---|---|\n")
        .expect("the table of rules");
    let rows = Rule::ALL
        .iter()
        .map(|rule| format!("| `{}` | {} |\n", rule.name(), rule.text()));
    assert_eq!(table, rows.collect::<String>());
}

/// Each step with the crate's own definitions: `definition` replaces the new file, `more` adds to it, `support` adds to
/// the support functions.
#[test]
fn adding_an_opcode_goes_as_described() {
    let (mut definition, mut functions) = (String::new(), String::new());
    let mut answers = vec![];
    for block in blocks("docs/add-an-opcode.md") {
        match block.info.as_str() {
            "rust,definition" => definition.clone_from(&block.text),
            "rust,more" => definition += &format!("\n{}", block.text),
            "rust,support" => functions += &block.text,
            "text,error" => {
                let (mut handlers, mut support) = own();
                handlers.push(source("handlers/positive.rs", &definition));
                support.push(source("src/interp/support/positive.rs", &functions));
                let generated = casegen::generate(&handlers, &support, false);
                let diags = generated.err().unwrap_or_default();
                let diags: Vec<_> = diags.iter().map(ToString::to_string).collect();
                assert_eq!(said(&diags), block.text, "{definition}");
                answers.push((numbers(&handlers, &support), diags));
            }
            other => panic!("unknown block {other}"),
        }
    }
    // The last step, which stands in the text.
    let fixed = "instruction!(UNARY_POSITIVE_INT = unused/1 + _UNARY_POSITIVE_INT);";
    assert!(read("docs/add-an-opcode.md").contains(fixed));
    let definition = definition.replace(
        "instruction!(UNARY_POSITIVE_INT = _UNARY_POSITIVE_INT);",
        fixed,
    );
    let (mut handlers, mut support) = own();
    let before = numbers(&handlers, &support);
    handlers.push(source("handlers/positive.rs", &definition));
    support.push(source("src/interp/support/positive.rs", &functions));
    let after = numbers(&handlers, &support);
    assert_eq!(after.len(), before.len() + 2);
    assert!(before.iter().all(|line| after.contains(line)));
    // Without a pinned number others move.
    let unpinned = answers
        .iter()
        .find(|(numbers, _)| !numbers.is_empty())
        .expect("a step that builds");
    assert!(!before.iter().all(|line| unpinned.0.contains(line)));
}

/// The constants of the opcodes; none if the definitions are refused.
fn numbers(handlers: &[casegen::Source], support: &[casegen::Source]) -> Vec<String> {
    let files = casegen::generate(handlers, support, false).unwrap_or_default();
    let table = files.iter().find(|file| file.name == "opcode_tables.rs");
    let lines = table.map_or("", |file| &file.text).lines();
    lines
        .filter(|line| line.contains(": Opcode = Opcode("))
        .map(str::to_string)
        .collect()
}
