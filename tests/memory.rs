//! Memory stays flat: however often a program runs in one machine, as many objects are left, and the heap has as many
//! bytes in use, as after few times; and a million cycles fit a hundred megabytes.
//!
//! `RATTAIL_ITERATIONS` sets how often each program runs, and `--nocapture` shows the table:
//! `RATTAIL_ITERATIONS=1000 cargo test --release --test memory -- --nocapture`.

use rattail::compiler::{self, Mode};
use rattail::interp::{self, Dispatch};
use rattail::object::gc;
use rattail::runtime::vm::{Machine, Options};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Runs before the first measurement: what is made once and kept has been made.
const WARM_UP: usize = 3;

fn iterations() -> usize {
    let given = std::env::var("RATTAIL_ITERATIONS");
    given.map_or(4, |text| {
        text.parse().expect("RATTAIL_ITERATIONS is a number")
    })
}

fn python_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            python_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            found.push(path);
        }
    }
    found.sort();
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct Use {
    objects: usize,
    bytes: usize,
}

fn used(machine: &Machine) -> Use {
    let vm = machine.vm();
    while gc::collect(vm) != 0 {}
    let mut objects = 0;
    vm.heap.for_each_object(|_| objects += 1);
    Use {
        objects,
        bytes: vm.heap.used(),
    }
}

/// A tenth of all runs, if those are many.
fn few() -> usize {
    WARM_UP.max(iterations() / 10)
}

/// What is in use after one run, after a few, and after all.
fn measure(path: &Path, form: Dispatch) -> [Use; 3] {
    let text = fs::read(path).expect("a program");
    let name = path.display().to_string();
    let code = compiler::compile(&text, &name, Mode::Exec, Default::default())
        .unwrap_or_else(|error| panic!("{}", error.render()));
    let machine = Machine::new(Options {
        argv: vec![name.clone()],
        stdin: Box::new(io::empty()),
        stdout: Box::new(io::sink()),
        stderr: Box::new(io::sink()),
        signals: name.contains("signal"),
        compile: Some(rattail::cli::compile),
        ..Options::default()
    })
    .expect("a machine");
    interp::select(machine.thread(), form, false);
    machine.register_source(&name, &text);
    let mut shown = Vec::new();
    for run in 1..=WARM_UP + iterations() {
        machine.run_main(&code);
        // What waits to be collected would have pages of its own.
        let now = used(&machine);
        if [1, few(), WARM_UP + iterations()].contains(&run) {
            shown.push(now);
        }
    }
    [shown[0], shown[1], shown[2]]
}

fn check(folder: &str) {
    let mut files = Vec::new();
    python_files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join(folder),
        &mut files,
    );
    let mut wrong = Vec::new();
    println!(
        "program: objects and bytes after 1, {} and {} runs",
        few(),
        WARM_UP + iterations()
    );
    for path in &files {
        for &form in Dispatch::COMPILED {
            let [first, few, all] = measure(path, form);
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            println!(
                "{name} {form}: {} {} {}, {} {} {}",
                first.objects, few.objects, all.objects, first.bytes, few.bytes, all.bytes
            );
            // Size classes may take a page more each, as blocks fall differently. The ledger keeps freed blocks aside.
            let grown =
                all.bytes > few.bytes + (few.bytes >> 3) && !cfg!(feature = "stackref-debug");
            if all.objects > few.objects || grown {
                wrong.push(format!("{name} under {form}: {few:?} and then {all:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_benchmarks_leave_nothing() {
    check("benches/programs");
}

#[test]
fn the_scripts_leave_nothing() {
    // All of them take a minute in a debug build, so that they run when a number of iterations is asked for.
    if std::env::var_os("RATTAIL_ITERATIONS").is_some() {
        check("tests/scripts");
    } else {
        for topic in ["exceptions", "generators", "match", "with"] {
            check(&format!("tests/scripts/{topic}"));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_million_cycles_fit_100_megabytes() {
    let program = "
class Node: pass
for _ in range(10**6):
    a, b = Node(), [1]
    a.other = b
    b.append(a)
";
    for form in Dispatch::COMPILED {
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_rattail"))
            .args(["run", "--dispatch", form.name(), "-c", program])
            .status()
            .expect("the binary runs");
        assert!(status.success(), "{form}");
    }
    // SAFETY: the structure is plain numbers, filled by the call.
    let kilobytes = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        assert_eq!(libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage), 0);
        usage.ru_maxrss
    };
    println!("a million cycles: {kilobytes} kB at most");
    assert!(kilobytes < 100 << 10, "{kilobytes} kB");
}
