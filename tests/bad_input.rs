//! What is wrong with programs, files and streams ends in an exception and a status, CPython's: never in a panic, a
//! signal or a hang. `tests/bad_input.json` holds the programs; `docs/bad-input.md` shows them all as a table, which this
//! compares with what the binary does. `RATTAIL_WRITE_DOCS` in the environment writes the table anew.

use serde::Deserialize;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A build with debug assertions on a busy machine needs a part of this.
const LIMIT: Duration = Duration::from_secs(120);

/// One piece of a program: a text, or a text and how often it stands there.
#[derive(Deserialize)]
#[serde(untagged)]
enum Piece {
    Text(String),
    Repeated(String, usize),
}

#[derive(Deserialize)]
struct Program {
    input: String,
    source: Vec<Piece>,
}

impl Program {
    fn text(&self) -> String {
        self.source
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Repeated(text, count) => text.repeat(*count),
            })
            .collect()
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder that goes when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("rattail-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for temporary files");
        Scratch(folder)
    }
    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).expect("a file");
        path.display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// How a process ended.
struct Ended {
    status: Option<i32>,
    stderr: String,
}

impl Ended {
    /// The last line of what it said, without what differs from one machine to another.
    fn message(&self, scratch: &Scratch) -> String {
        let last = self.stderr.trim_end().lines().last().unwrap_or_default();
        let mut message = last.replace(&format!("{}/", scratch.0.display()), "");
        for (before, after) in [(" at 0x", ">"), ("(used ", " kB)")] {
            if let Some(start) = message.find(before).map(|start| start + before.len())
                && let Some(end) = message[start..].find(after)
            {
                message.replace_range(start..start + end, "...");
            }
        }
        message
    }
}

/// Runs a command whose standard streams are files, to its end or the limit.
fn run(command: &mut Command, scratch: &Scratch) -> Ended {
    let said = scratch.0.join("stderr");
    command.stderr(File::create(&said).expect("a file"));
    let mut child = command.spawn().expect("it starts");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status.code();
        }
        if start.elapsed() > LIMIT {
            child.kill().expect("a child");
            child.wait().expect("a child");
            panic!("{command:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(3));
    };
    let stderr = String::from_utf8_lossy(&fs::read(said).expect("written")).into_owned();
    assert!(!stderr.contains("panicked"), "{command:?}: {stderr}");
    assert!(
        status.is_some(),
        "{command:?} was ended by a signal: {stderr}"
    );
    Ended { status, stderr }
}

fn rattail(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rattail"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    command
}

fn shell(script: &str) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", script]).stdout(Stdio::null());
    command
}

/// Rows of the table: input, status, message.
type Rows = Vec<(String, String, String)>;

/// Files that are no programs, and ways to call the command.
fn calls(scratch: &Scratch, rows: &mut Rows) {
    let file = |name: &str, text: &[u8]| scratch.write(name, text);
    let fine = file("fine.py", b"print(1)\n");
    let folder = scratch.0.display().to_string();
    let missing = format!("{folder}/missing.py");
    for (input, arguments) in [
        ("a file that is missing", vec!["run", &missing]),
        ("a folder", vec!["run", &folder]),
        (
            "a file that is not UTF-8",
            vec!["run", &file("latin1.py", b"x = '\xe9'\n")],
        ),
        (
            "a file with a NUL byte",
            vec!["run", &file("nul.py", b"x = 1\n\0y = 2\n")],
        ),
        (
            "a NUL byte in a string",
            vec!["run", &file("nul_in_string.py", b"x = 'a\0b'\n")],
        ),
        (
            "an unknown encoding",
            vec!["run", &file("encoding.py", b"# coding: rot42\n")],
        ),
        ("an empty file", vec!["run", &file("empty.py", b"")]),
        ("an unknown option", vec!["run", "--fast", &fine]),
        ("an unknown command", vec!["walk"]),
        ("no program", vec!["run"]),
        ("an unknown form", vec!["run", "--dispatch", "goto", &fine]),
        (
            "a memory limit that is no number",
            vec!["run", "--memory-limit", "much", &fine],
        ),
        (
            "more memory than `--memory-limit 64M`",
            vec!["run", "--memory-limit", "64M", "-c", "x = [0] * 10**7"],
        ),
        (
            "a list that outgrows `--memory-limit 64M`",
            vec![
                "run",
                "--memory-limit",
                "64M",
                "-c",
                "x = []\nwhile True: x.append(str(len(x)))",
            ],
        ),
        (
            "a string that outgrows `--memory-limit 64M`",
            vec![
                "run",
                "--memory-limit",
                "64M",
                "-c",
                "x = 'x'\nwhile True: x += x",
            ],
        ),
    ] {
        let ended = run(&mut rattail(&arguments), scratch);
        let message = if ended.stderr.starts_with("error: ") {
            let first = ended.stderr.lines().next().unwrap_or_default();
            first.replace(&format!("{folder}/"), "")
        } else {
            ended.message(scratch).replace(&folder, "folder")
        };
        rows.push((
            input.into(),
            ended.status.expect("no signal").to_string(),
            message,
        ));
    }
}

/// Streams that fail.
#[cfg(target_os = "linux")]
fn streams(scratch: &Scratch, rows: &mut Rows) {
    let binary = env!("CARGO_BIN_EXE_rattail");
    for (input, script) in [
        (
            "output to a full disk",
            format!("'{binary}' run -c 'print(1)' > /dev/full"),
        ),
        (
            "much output to a full disk",
            format!("'{binary}' run -c 'for i in range(10**5): print(i)' > /dev/full"),
        ),
        (
            "errors to a full disk",
            format!("'{binary}' run -c '1/0' 2> /dev/full"),
        ),
        (
            "output to a closed pipe",
            format!(
                "'{binary}' run -c 'for i in range(10**6): print(i)' | true; exit ${{PIPESTATUS[0]}}"
            ),
        ),
        (
            "output to a closed stream",
            format!("'{binary}' run -c 'print(1)' >&-"),
        ),
        (
            "input from a closed stream",
            format!("'{binary}' run -c 'input()' <&-"),
        ),
        (
            "a program from a closed stream",
            format!("'{binary}' run - <&-"),
        ),
        (
            "input that is not UTF-8",
            format!("printf '\\377\\n' | '{binary}' run -c 'input()'"),
        ),
    ] {
        let ended = run(&mut shell(&script), scratch);
        rows.push((
            input.into(),
            ended.status.expect("no signal").to_string(),
            ended.message(scratch),
        ));
    }
}

fn programs(scratch: &Scratch, rows: &mut Rows) {
    let text = fs::read_to_string(root().join("tests/bad_input.json")).expect("the programs");
    let programs: Vec<Program> = serde_json::from_str(&text).expect("their format");
    for program in programs {
        let path = scratch.write("program.py", program.text());
        let ended = run(&mut rattail(&["run", &path]), scratch);
        let message = ended.message(scratch);
        rows.push((
            program.input,
            ended.status.expect("no signal").to_string(),
            message,
        ));
    }
}

fn table(rows: &[(String, String, String)]) -> String {
    let mut text = String::from(
        "# Bad input\n\nWhat is wrong with a program, or with the way it is run, ends as it does in CPython 3.14: in an exception and its\n\
         exit status; never in a panic, an abort, a signal or a hang. `tests/bad_input.rs` runs all of these and compares them\n\
         with this table, which it wrote (`RATTAIL_WRITE_DOCS=1 cargo test --test bad_input`). The message is the last line on\n\
         standard error; the programs are in `tests/bad_input.json`. A status of 3 is a program's own: it has seen what it\n\
         expected, and raised `SystemExit(3)`.\n\n| input | status | message |\n| --- | ---: | --- |\n",
    );
    for (input, status, message) in rows {
        let message = if message.is_empty() {
            String::new()
        } else {
            format!("`{}`", message.replace('|', "\\|"))
        };
        text.push_str(&format!("| {input} | {status} | {message} |\n"));
    }
    text
}

#[cfg(target_os = "linux")]
#[test]
fn every_bad_input_ends_as_the_table_says() {
    let scratch = Scratch::new("bad-input");
    let mut rows = Rows::new();
    calls(&scratch, &mut rows);
    streams(&scratch, &mut rows);
    programs(&scratch, &mut rows);
    let found = table(&rows);
    let path = root().join("docs/bad-input.md");
    if std::env::var_os("RATTAIL_WRITE_DOCS").is_some() {
        fs::write(&path, &found).expect("docs/ can be written to");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let wrong: Vec<String> = found
        .lines()
        .filter(|line| !expected.lines().any(|other| other == *line))
        .map(str::to_owned)
        .collect();
    assert!(
        found == expected,
        "the table says otherwise:\n{}",
        wrong.join("\n")
    );
}
