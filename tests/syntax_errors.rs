//! Mistakes, and what CPython 3.14 prints about them (`python3.14 x.py`), recorded in `syntax_errors.json`.

use rattail::compiler::{Mode, Options, compile};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    name: String,
    source: String,
    stderr: String,
}

#[test]
fn messages_equal_cpythons() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("syntax_errors.json")).expect("the cases are JSON");
    let mut wrong = Vec::new();
    for case in &cases {
        let ours = match compile(
            case.source.as_bytes(),
            "x.py",
            Mode::Exec,
            Options::default(),
        ) {
            Ok(_) => String::new(),
            Err(error) => error.render(),
        };
        if ours != case.stderr {
            wrong.push(format!(
                "{}\n--- expected\n{}--- got\n{ours}",
                case.name, case.stderr
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} differ:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}
