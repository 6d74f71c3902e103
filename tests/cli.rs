//! The command line from outside: exit codes, and what goes where.

use std::process::{Command, Output, Stdio};

fn rattail(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rattail"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("UTF-8")
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

#[test]
fn help_and_version_succeed() {
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["help", "asm"],
        &["expand", "--help"],
    ] {
        let output = rattail(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(
            !output.stdout.is_empty() && output.stderr.is_empty(),
            "{arguments:?}"
        );
    }
}

#[test]
fn wrong_usage_is_2_and_says_how() {
    for arguments in [
        &[][..],
        &["asm"],
        &["no-such-command"],
        &["expand", "NOP", "more"],
        &["report"],
    ] {
        let output = rattail(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            output.stdout.is_empty() && stderr(&output).contains("Usage:"),
            "{arguments:?}"
        );
    }
}

#[test]
fn a_failure_is_1_and_one_line() {
    for (arguments, message) in [
        (
            &["expand", "NO_SUCH"][..],
            "rattail: nothing that handlers/ defines is called NO_SUCH\n",
        ),
        (
            &["report", "/nonexistent"],
            "rattail: /nonexistent: No such file or directory (os error 2)\n",
        ),
        (
            &["report", "Cargo.toml"],
            "rattail: Cargo.toml: not a race: expected value at line 1 column 2\n",
        ),
        (
            &["asm", "--audit", "--binary", "Cargo.toml"],
            "rattail: not a readable object file: Unknown file magic\n",
        ),
    ] {
        let output = rattail(arguments);
        assert_eq!(
            (output.status.code(), stderr(&output)),
            (Some(1), message),
            "{arguments:?}"
        );
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn expand_shows_definition_units_and_forms() {
    let output = rattail(&["expand", "TO_BOOL"]);
    assert_eq!(output.status.code(), Some(0));
    for part in [
        "instruction!(TO_BOOL = ",
        "read by\n//   0      0-1     opcode, oparg\n",
        "// tail\n",
        "// match\n",
    ] {
        assert!(stdout(&output).contains(part), "{part}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_it_quietly() {
    let binary = env!("CARGO_BIN_EXE_rattail");
    // More than a pipe holds, so that the write meets the closed end.
    let script =
        format!("for i in 1 2 3 4 5 6 7 8 9; do '{binary}' expand CALL || exit; done | true");
    let output = Command::new("sh")
        .args(["-c", &script])
        .output()
        .expect("a shell");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        stderr(&output)
    );
}

/// A program hears that nobody reads its output; what is left at its end is Python's exit status 120.
#[cfg(target_os = "linux")]
#[test]
fn output_that_nobody_takes_is_an_exception() {
    let binary = env!("CARGO_BIN_EXE_rattail");
    let run = |script: String| {
        let output = Command::new("bash")
            .args(["-c", &script])
            .output()
            .expect("a shell");
        (output.status.code(), stderr(&output).to_owned())
    };
    let (status, said) = run(format!("'{binary}' run -c 'print(1)' > /dev/full"));
    let unflushed = "Exception ignored while flushing sys.stdout:\nOSError: [Errno 28] No space left on device\n";
    assert_eq!((status, said.as_str()), (Some(120), unflushed));
    let (status, said) = run(format!(
        "'{binary}' run -c 'for i in range(10**6): print(i)' | true; exit ${{PIPESTATUS[0]}}"
    ));
    assert_eq!(status, Some(120));
    assert!(
        said.starts_with("Traceback")
            && said.contains("\nBrokenPipeError: [Errno 32] Broken pipe\n"),
        "{said}"
    );
    let (status, said) = run(format!("'{binary}' run -c '1/0' 2> /dev/full"));
    assert_eq!((status, said.as_str()), (Some(1), ""));
}

#[test]
fn imports_come_from_the_listed_folders_too() {
    let folder = std::env::temp_dir().join(format!("rattail-path-{}", std::process::id()));
    let [beside, listed] = ["beside", "listed"].map(|name| folder.join(name));
    for (at, name, text) in [
        (&beside, "main.py", "import one, two\nprint(one.x, two.x)\n"),
        (&beside, "one.py", "x = 1\n"),
        (&listed, "one.py", "x = 3\n"),
        (&listed, "two.py", "x = 2\n"),
    ] {
        std::fs::create_dir_all(at).expect("a folder for temporary files");
        std::fs::write(at.join(name), text).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_rattail"))
        .arg("run")
        .arg(beside.join("main.py"))
        .env("RATTAILPATH", format!(":{}", listed.display()))
        .output()
        .expect("the binary runs");
    assert_eq!(stdout(&output), "1 2\n", "{}", stderr(&output));
    std::fs::remove_dir_all(folder).expect("the folder is there");
}

/// Races recorded as JSON become tables, with the geometric mean below them.
#[test]
fn report_makes_tables_of_races() {
    let folder = std::env::temp_dir().join(format!("rattail-report-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let paths: Vec<String> = [("fib", 0.5), ("sieve", 0.125)]
        .into_iter()
        .map(|(program, tail)| {
            let entry = |form: &str, seconds: f64| {
                format!(r#"{{"form": "{form}", "opcodes": 1000, "warmup_seconds": [], "seconds": [{seconds}]}}"#)
            };
            let race = format!(
                r#"{{"program": "{program}", "baseline": "match", "entries": [{}, {}],
                    "machine": {{"processor": "P", "cores": 2, "kernel": "K", "rustc": "R", "llvm": "L",
                                 "flags": "", "profile": "release", "target": "T"}}}}"#,
                entry("match", 1.0),
                entry("tail", tail),
            );
            let path = folder.join(format!("{program}.json"));
            std::fs::write(&path, race).expect("writable");
            path.display().to_string()
        })
        .collect();
    let output = rattail(&["report", "--markdown", &paths[0], &paths[1]]);
    std::fs::remove_dir_all(&folder).expect("its own folder");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).ends_with(
        "| program | match | tail |\n| --- | ---: | ---: |\n| fib | 1.00 | 2.00 (2.00..2.00) |\n| sieve | 1.00 | 8.00 (8.00..8.00) |\n\
         | geometric mean | 1.00 | 4.00 |\n"
    ));
}

#[test]
fn dis_prints_text_or_json() {
    let output = rattail(&["dis", "-c", "print(1 + x)"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    assert!(stdout(&output).contains("BINARY_OP"), "{}", stdout(&output));
    let json = rattail(&["dis", "--json", "-c", "print(1 + x)"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert!(json.to_string().contains("BINARY_OP"), "{json}");
}

#[test]
fn what_does_not_compile_is_shown_with_its_place() {
    let output = rattail(&["dis", "-c", "x = ("]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("File \"<string>\", line 1"),
        "{}",
        stderr(&output)
    );
    let missing = rattail(&["dis", "/nonexistent.py"]);
    assert_eq!(missing.status.code(), Some(1));
    assert_eq!(
        stderr(&missing),
        "rattail: /nonexistent.py: No such file or directory (os error 2)\n"
    );
}

#[test]
fn stats_and_watch_print_json_and_leave_the_programs_output_aside() {
    let program = "docs/labs/counter.py";
    let output = rattail(&["stats", "--json", program]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).starts_with("cold "));
    let stats: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    let family = &stats["families"]["BINARY_OP"];
    assert!(family["failures"]["BINARY_OP_ADD_OTHER"].as_u64() >= Some(1));
    assert!(stats["executions"]["RESUME_CHECK"]["count"].as_u64() > Some(0));
    let output = rattail(&[
        "watch",
        "--json",
        "--function",
        "add",
        "--limit",
        "3",
        program,
    ]);
    let watch: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    assert_eq!(watch["timeline"].as_array().map(Vec::len), Some(3));
    assert!(watch["left_out"].as_u64() > Some(50));
    assert_eq!(watch["timeline"][1]["from"], "BINARY_OP");
    let counter_after = &watch["timeline"][1]["counter_after"];
    assert_eq!(*counter_after, serde_json::json!([52, 0]));
}

#[test]
fn watch_refuses_what_is_no_family() {
    let program = "docs/labs/counter.py";
    let output = rattail(&["watch", "--family", "LOAD_FAST", program]);
    assert_eq!(
        (output.status.code(), stderr(&output)),
        (
            Some(1),
            "rattail: no family of instructions is called LOAD_FAST\n"
        )
    );
    let output = rattail(&["watch", "--every", "3", program]);
    assert_eq!(output.status.code(), Some(2));
}

/// The model of callgrind's predictor counts what callgrind counts for the same run, where valgrind is installed.
#[test]
fn predict_counts_what_callgrind_counts() {
    let program = std::env::temp_dir().join(format!("rattail-predict-{}.py", std::process::id()));
    std::fs::write(&program, "print(sum(n * n for n in range(50)))\n").expect("a program");
    let path = program.to_str().expect("UTF-8");
    let form = rattail::interp::Dispatch::COMPILED[0].name();
    let output = rattail(&["predict", path, "--form", form, "--check", "--json"]);
    std::fs::remove_file(&program).expect("a file of ours");
    if stderr(&output).contains("apt-get install valgrind") {
        println!("unavailable here: {}", stderr(&output));
        return;
    }
    assert!(
        output.status.success(),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    let value: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
    let form = &value["forms"][0];
    let outside = |counts: &serde_json::Value| {
        let part = counts["in_reader"]["executed"].as_u64();
        Some(counts["indirect"].as_u64()? - part.filter(|&executed| executed > 0)?)
    };
    let counted = outside(&form["callgrind"]).expect("a count");
    let difference = outside(form).expect("a count").abs_diff(counted);
    assert!(difference <= counted / 10_000, "{form}");
    // The dispatch jumps were found; an opcode may also go to the next one directly.
    let count = |what: &str| form[what].as_u64().expect("a count");
    assert!(count("dispatches") * 4 > count("opcodes") * 3, "{form}");
}

#[test]
fn counters_give_counts_or_reasons() {
    for kind in [
        &["counters", "benches/programs/fib.py", "--json"][..],
        &[
            "counters",
            "benches/programs/fib.py",
            "--json",
            "--software",
        ],
    ] {
        let output = rattail(&[kind, &["--", "5"]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let value: serde_json::Value = serde_json::from_str(stdout(&output)).expect("JSON");
        for form in value["forms"].as_array().expect("forms") {
            for reading in form["readings"].as_array().expect("readings") {
                assert_ne!(
                    reading["count"].is_u64(),
                    reading["why"].is_string(),
                    "{reading}"
                );
            }
        }
    }
}
