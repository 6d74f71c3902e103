//! Every program in `tests/scripts/TOPIC/` behaves as CPython 3.14 did, under every form of dispatch compiled in:
//! `NAME.out` holds what `NAME.py` printed, to both streams, and a last line `exit N` unless its status was 0.
//!
//! With RATTAIL_SCRIPTS in the environment only programs whose path holds that text run.

use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::runtime::vm::{Machine, Options};
use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
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

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    paths
}

/// All programs, as `TOPIC/NAME.py`.
fn programs() -> Vec<String> {
    let topics = sorted(&folder()).into_iter().filter(|path| path.is_dir());
    let files = topics.flat_map(|topic| sorted(&topic));
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
        .map(|path| {
            let inside = path.strip_prefix(folder()).expect("found below");
            inside.to_string_lossy().into_owned()
        })
        .collect()
}

/// What a program prints, and its status where it is not 0. Tracebacks and warnings show the name `TOPIC/NAME.py`.
fn output(name: &str, form: Dispatch) -> String {
    let text = fs::read(folder().join(name)).expect("a program");
    let kept = Kept::default();
    let options = Options {
        argv: vec![name.to_owned()],
        stdout: Box::new(kept.clone()),
        stderr: Box::new(kept.clone()),
        signals: name.contains("signal"),
        compile: Some(rattail::cli::compile),
        ..Options::default()
    };
    let machine = Machine::new(options).expect("a machine");
    interp::select(machine.thread(), form, false);
    let status = match compiler::compile(&text, name, Mode::Exec, Default::default()) {
        Ok(code) => {
            machine.register_source(name, &text);
            let outcome = machine.run_main(&code);
            let report = outcome.report.unwrap_or_default();
            kept.0.borrow_mut().extend_from_slice(report.as_bytes());
            outcome.status
        }
        Err(error) => {
            kept.0
                .borrow_mut()
                .extend_from_slice(error.render().as_bytes());
            1
        }
    };
    drop(machine);
    let mut output = String::from_utf8(kept.0.take()).expect("UTF-8");
    if status != 0 {
        output.push_str(&format!("exit {status}\n"));
    }
    output
}

/// The first line in which two texts differ.
fn difference(found: &str, expected: &str) -> String {
    let (mut found, mut expected) = (found.lines(), expected.lines());
    for line in 1.. {
        match (found.next(), expected.next()) {
            (None, None) => break,
            (a, b) if a == b => {}
            (a, b) => {
                let shown = |line: Option<&str>| line.unwrap_or("<the end>").to_owned();
                return format!(
                    "line {line}\n   found    {}\n   expected {}",
                    shown(a),
                    shown(b)
                );
            }
        }
    }
    String::from("line ends")
}

#[test]
fn behave_as_recorded() {
    // Where tests run in the background, this signal is ignored, and programs would see that it is.
    // SAFETY: a plain call.
    #[cfg(unix)]
    unsafe {
        libc::signal(libc::SIGINT, libc::SIG_DFL)
    };
    let wanted = std::env::var("RATTAIL_SCRIPTS").unwrap_or_default();
    let mut wrong = String::new();
    for name in programs().iter().filter(|name| name.contains(&wanted)) {
        let recorded = folder().join(name).with_extension("out");
        let expected = fs::read_to_string(&recorded)
            .unwrap_or_else(|error| panic!("{}: {error}", recorded.display()));
        for &form in Dispatch::COMPILED {
            let found = output(name, form);
            if found != expected {
                wrong.push_str(&format!(
                    "\n{name} under {form}: {}\n",
                    difference(&found, &expected)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
