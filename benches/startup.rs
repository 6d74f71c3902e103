//! What an empty program costs: time from before the process is made until it has been waited for, and the largest
//! resident set, of rattail and of every other interpreter at hand, turn by turn.
//!
//! `bash benches/dist.sh && cargo bench --bench startup`. RATTAIL is the program to start (the one of `dist.sh` where
//! it is not set), PYTHON the other interpreter (`/usr/bin/python3.11`), ROUNDS the number of turns (200), and OUT a
//! file for the samples.

use rattail::introspect::results::{Contender, Startup};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

fn main() -> ExitCode {
    let rounds: usize = match setting("ROUNDS", "200").parse() {
        Ok(rounds) if rounds > 0 => rounds,
        _ => return fail("ROUNDS is not a positive number"),
    };
    let target = setting(
        "CARGO_TARGET_DIR",
        concat!(env!("CARGO_MANIFEST_DIR"), "/target"),
    );
    let rattail = setting("RATTAIL", &format!("{target}/dist/rattail"));
    if !Path::new(&rattail).exists() {
        return fail(&format!(
            "{rattail} is missing: bash benches/dist.sh makes it"
        ));
    }
    let empty = std::env::temp_dir().join(format!("rattail-empty-{}.py", std::process::id()));
    if let Err(error) = std::fs::write(&empty, "pass\n") {
        return fail(&format!("{}: {error}", empty.display()));
    }
    let python = setting("PYTHON", "/usr/bin/python3.11");
    let empty_name = empty.to_string_lossy();
    let mut commands = vec![
        ("rattail", vec![rattail.as_str(), "run", &*empty_name]),
        ("python3.11 -S", vec![python.as_str(), "-S", "-c", "pass"]),
    ];
    commands.retain(|(_, command)| {
        let there = Path::new(command[0]).exists();
        if !there {
            eprintln!("{} is missing: its row is left out", command[0]);
        }
        there
    });
    let measured = measure(&commands, rounds);
    let _ = std::fs::remove_file(&empty);
    let startup = match measured {
        Ok(startup) => startup,
        Err(message) => return fail(&message),
    };
    print!("{}", startup.table().markdown());
    if let Ok(file) = std::env::var("OUT") {
        let text = serde_json::to_string(&startup).expect("numbers and names");
        if let Err(error) = std::fs::write(&file, text + "\n") {
            return fail(&format!("{file}: {error}"));
        }
    }
    ExitCode::SUCCESS
}

fn setting(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}
fn fail(message: &str) -> ExitCode {
    eprintln!("startup: {message}");
    ExitCode::FAILURE
}

/// Seconds from before the process is made until it has been waited for.
fn run(command: &[&str]) -> Result<f64, String> {
    let start = Instant::now();
    let status = Command::new(command[0])
        .args(&command[1..])
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("{}: {error}", command[0]))?;
    let seconds = start.elapsed().as_secs_f64();
    if status.success() {
        Ok(seconds)
    } else {
        Err(format!("{} ended with {status}", command[0]))
    }
}

fn measure(commands: &[(&str, Vec<&str>)], rounds: usize) -> Result<Startup, String> {
    let mut contenders = Vec::new();
    for (name, command) in commands {
        run(command)?;
        contenders.push(Contender {
            name: (*name).to_owned(),
            seconds: vec![],
            resident_kib: resident(command),
        });
    }
    for _ in 0..rounds {
        for ((_, command), contender) in commands.iter().zip(&mut contenders) {
            contender.seconds.push(run(command)?);
        }
    }
    Ok(Startup { contenders })
}

/// The largest resident set in KiB, by GNU time: a child of this process would count what this one holds when it is
/// made.
fn resident(command: &[&str]) -> Option<u64> {
    let output = Command::new("/usr/bin/time")
        .args(["-f", "%M"])
        .args(command)
        .output();
    match output {
        Ok(output) => String::from_utf8_lossy(&output.stderr)
            .lines()
            .last()?
            .trim()
            .parse()
            .ok(),
        Err(_) => {
            eprintln!("/usr/bin/time is missing, so there are no sizes: apt-get install time");
            None
        }
    }
}
