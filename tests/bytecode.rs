//! Recorded cases: what CPython 3.14 compiles a source to, this compiler does too, field by field.

use rattail::bytecode::verify::verify;
use rattail::compiler::{Mode, Options, compile};
use rattail::introspect::dis::{Show, disassemble, to_json};
use serde_json::Value;

/// The first place where two values differ, as a path.
fn difference(ours: &Value, theirs: &Value, path: &str) -> Option<String> {
    match (ours, theirs) {
        (Value::Object(a), Value::Object(b)) => b
            .iter()
            .find_map(|(key, theirs)| match a.get(key) {
                Some(ours) => difference(ours, theirs, &format!("{path}.{key}")),
                None => Some(format!("{path}.{key} is missing")),
            })
            .or_else(|| {
                let extra = a.keys().find(|k| !b.contains_key(*k));
                extra.map(|k| format!("{path}.{k} is extra"))
            }),
        (Value::Array(a), Value::Array(b)) => {
            let at = a.iter().zip(b).position(|(x, y)| x != y);
            let at = at.or((a.len() != b.len()).then_some(a.len().min(b.len())))?;
            match (a.get(at), b.get(at)) {
                (Some(x), Some(y)) => difference(x, y, &format!("{path}[{at}]")),
                (x, y) => Some(format!("{path}[{at}] is {x:?} instead of {y:?}")),
            }
        }
        _ => (ours != theirs).then(|| format!("{path} is {ours} instead of {theirs}")),
    }
}

#[test]
fn recorded_cases_are_equal() {
    let recorded = include_str!("vectors/bytecode-3.14.json");
    let cases: Vec<Value> = serde_json::from_str(recorded).expect("the vectors are JSON");
    assert!(cases.len() >= 48);
    let mut failures = Vec::new();
    for case in &cases {
        let name = case["name"].as_str().expect("a case has a name");
        let source = case["source"].as_str().expect("a case has a source");
        let code = match compile(source.as_bytes(), name, Mode::Exec, Options::default()) {
            Ok(code) => code,
            Err(error) => {
                failures.push(format!("{name}: {error}"));
                continue;
            }
        };
        if let Err(error) = verify(&code) {
            failures.push(format!("{name}: {error}"));
        }
        let ours = to_json(&code).expect("tables read back");
        failures.extend(difference(&ours, &case["code"], name));
    }
    let count = failures.len();
    assert!(
        failures.is_empty(),
        "{count} of {} differ:\n{}",
        cases.len(),
        failures.join("\n")
    );
}

/// Addresses differ from run to run.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split(" at 0x");
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        out += " at 0x0";
        out += part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    out
}

#[test]
fn recorded_disassemblies_are_equal() {
    let recorded = include_str!("vectors/dis-3.14.json");
    let cases: Vec<Value> = serde_json::from_str(recorded).expect("the vectors are JSON");
    for case in &cases {
        let text = |key: &str| case[key].as_str().expect("text");
        let code = compile(
            text("source").as_bytes(),
            text("name"),
            Mode::Exec,
            Options::default(),
        );
        let code = code.unwrap_or_else(|e| panic!("{}: {e}", text("name")));
        let ours =
            without_addresses(&disassemble(&code, Show::default()).expect("tables read back"));
        let pairs = ours.lines().zip(text("text").lines());
        for (number, (ours, theirs)) in pairs.enumerate() {
            assert_eq!(ours, theirs, "{}, line {}", text("name"), number + 1);
        }
        assert_eq!(ours.len(), text("text").len(), "{}", text("name"));
    }
}
