//! The benchmark programs print what CPython 3.14 printed, under every form of dispatch compiled in.
//!
//! At their small sizes; with RATTAIL_BENCH_SIZES in the environment at their bench sizes, which wants a release build.

use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::runtime::vm::{Machine, Options};
use serde::Deserialize;
use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[derive(Deserialize)]
struct Recorded {
    programs: Vec<Program>,
}

#[derive(Deserialize)]
struct Program {
    name: String,
    small: Sized,
    bench: Sized,
}

#[derive(Deserialize)]
struct Sized {
    size: u64,
    output: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/programs")
}

fn recorded() -> Vec<Program> {
    let text =
        std::fs::read_to_string(folder().join("expected.json")).expect("the recorded output");
    serde_json::from_str::<Recorded>(&text)
        .expect("its format")
        .programs
}

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

/// What a program prints when run as `__main__` with these arguments.
fn output(name: &str, arguments: &[&str], form: Dispatch) -> String {
    let path = folder().join(format!("{name}.py"));
    let text = std::fs::read(&path).expect("a program");
    let code = compiler::compile(
        &text,
        &path.display().to_string(),
        Mode::Exec,
        Default::default(),
    )
    .unwrap_or_else(|error| panic!("{}", error.render()));
    let kept = Kept::default();
    let mut argv = vec![path.display().to_string()];
    argv.extend(arguments.iter().map(|&argument| argument.to_owned()));
    let options = Options {
        argv,
        stdout: Box::new(kept.clone()),
        ..Options::default()
    };
    let machine = Machine::new(options).expect("a machine");
    interp::select(machine.thread(), form, false);
    let outcome = machine.run_main(&code);
    assert!(outcome.is_success(), "{name} under {form}: {outcome:?}");
    drop(machine);
    String::from_utf8(kept.0.take()).expect("UTF-8")
}

#[test]
fn output_is_as_recorded() {
    let bench = std::env::var_os("RATTAIL_BENCH_SIZES").is_some();
    for program in recorded() {
        let expected = if bench {
            &program.bench
        } else {
            &program.small
        };
        for &form in Dispatch::COMPILED {
            let output = output(&program.name, &[&expected.size.to_string()], form);
            assert_eq!(
                output, expected.output,
                "{} {} under {form}",
                program.name, expected.size
            );
        }
    }
}

#[test]
fn without_a_size_it_is_the_small_one() {
    for program in recorded() {
        assert_eq!(
            output(&program.name, &[], Dispatch::COMPILED[0]),
            program.small.output,
            "{}",
            program.name
        );
    }
}

#[test]
fn the_time_is_one_more_line() {
    for program in recorded() {
        let text = output(
            &program.name,
            &[&program.small.size.to_string(), "--time"],
            Dispatch::COMPILED[0],
        );
        let time = text
            .strip_prefix(&program.small.output)
            .expect("the check value first");
        let seconds = time
            .strip_prefix("seconds ")
            .and_then(|seconds| seconds.trim_end().parse::<f64>().ok());
        assert!(
            seconds.is_some_and(|seconds| seconds >= 0.0),
            "{}: {time:?}",
            program.name
        );
    }
}

#[test]
fn every_program_is_recorded() {
    let files = std::fs::read_dir(folder())
        .expect("the folder")
        .map(|entry| entry.expect("readable").path());
    let programs = files.filter(|path| path.extension().is_some_and(|extension| extension == "py"));
    let mut names: Vec<String> = programs
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    let mut recorded: Vec<String> = recorded().into_iter().map(|program| program.name).collect();
    recorded.sort();
    assert_eq!(names, recorded);
}
