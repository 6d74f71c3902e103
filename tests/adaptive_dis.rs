//! The recorded adaptive states, asked for as `tests/tools/record_adaptive.py` asks CPython: by a program that looks at its
//! own functions with `dis.get_instructions(f, adaptive=True)` and `cache_info`. And what `dis` writes beside what
//! `rattail dis` does.

use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::introspect::dis::{Show, disassemble};
use rattail::runtime::vm::{Machine, Options};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

#[derive(Clone, Default)]
struct Kept(Rc<RefCell<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a program prints under a form of dispatch; it reads `input`.
fn output(program: &str, input: &str, form: Dispatch) -> String {
    let kept = Kept::default();
    let options = Options {
        stdin: Box::new(io::Cursor::new(input.to_owned())),
        stdout: Box::new(kept.clone()),
        stderr: Box::new(kept.clone()),
        compile: Some(rattail::cli::compile),
        ..Options::default()
    };
    let machine = Machine::new(options).expect("a machine");
    interp::select(machine.thread(), form, false);
    let code = compiler::compile(
        program.as_bytes(),
        "replay.py",
        Mode::Exec,
        Default::default(),
    );
    let outcome = machine.run_main(&code.expect("a program"));
    drop(machine);
    let printed = String::from_utf8(kept.0.take()).expect("UTF-8");
    printed + &outcome.report.unwrap_or_default()
}

/// The recorder's functions, and a loop that compares what they find now with what they found under CPython.
fn program() -> String {
    let recorder = include_str!("tools/record_adaptive.py");
    let (start, end) = (
        recorder
            .find("def snapshot")
            .expect("the recorder's functions"),
        recorder.find("print(\"[\")").expect("the recorder's end"),
    );
    format!(
        "import dis\nimport json\nimport sys\n\n{}\n{}",
        &recorder[start..end],
        "\
count = 0
for case in json.loads(sys.stdin.read()):
    count += 1
    steps = [(step['exec'], step['times']) for step in case['steps']]
    found = record(case['name'], case['source'], steps)
    if found != case:
        print(case['name'], 'is different:', found)
print(count, 'cases')
"
    )
}

fn check(recorded: &str, count: usize) {
    let program = program();
    for &form in Dispatch::COMPILED {
        // What a case prints itself comes before.
        let printed = output(&program, recorded, form);
        assert_eq!(printed.trim(), format!("{count} cases"), "{form}");
    }
}

fn count(recorded: &str) -> usize {
    let cases: Vec<serde_json::Value> = serde_json::from_str(recorded).expect("recorded cases");
    cases.len()
}

#[test]
fn programs_see_cpythons_states() {
    let recorded = include_str!("vectors/adaptive-3.14.json");
    assert_eq!(count(recorded), 44);
    check(recorded, 44);
}

#[test]
fn programs_see_cpythons_states_of_more_cases() {
    let recorded = include_str!("vectors/adaptive-more-3.14.json");
    check(recorded, count(recorded));
}

/// Text with the addresses of code objects taken out.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split(" at 0x");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(" at ");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    out
}

#[test]
fn programs_and_the_command_line_agree() {
    let recorded = include_str!("vectors/bytecode-3.14.json");
    let program = "\
import dis
import json
import sys
for case in json.loads(sys.stdin.read()):
    code = compile(case['source'], 'x.py', 'exec')
    for bits in range(16):
        dis.dis(code, show_caches=bool(bits & 1), show_offsets=bool(bits & 2), show_positions=bool(bits & 4),
                adaptive=bool(bits & 8))
        print('----')
";
    let by_program = output(program, recorded, Dispatch::COMPILED[0]);
    let mut by_command = String::new();
    let cases: Vec<serde_json::Value> = serde_json::from_str(recorded).expect("recorded cases");
    for case in &cases {
        let source = case["source"].as_str().expect("text");
        let code = compiler::compile(source.as_bytes(), "x.py", Mode::Exec, Default::default());
        let code = code.expect("compiles");
        for bits in 0..16 {
            let show = Show {
                caches: bits & 1 != 0,
                offsets: bits & 2 != 0,
                positions: bits & 4 != 0,
                specialized: bits & 8 != 0,
            };
            by_command += &disassemble(&code, show).expect("tables read back");
            by_command += "----\n";
        }
    }
    let (found, expected) = (
        without_addresses(&by_program),
        without_addresses(&by_command),
    );
    for (number, (a, b)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(a, b, "line {}", number + 1);
    }
    assert_eq!(found.len(), expected.len());
}
