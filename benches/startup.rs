//! What an empty program costs: time from before the process is made until it has been waited for, and the largest
//! resident set, of rattail and of every other interpreter at hand, turn by turn.
//!
//! `bash benches/dist.sh && cargo bench --bench startup`. RATTAIL is the program to start (the one of `dist.sh` where
//! it is not set), PYTHON the other interpreter (`/usr/bin/python3.11`), ROUNDS the number of turns (200), and OUT a
//! file for the samples.

use serde_json::json;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

struct Contender {
    name: &'static str,
    command: Vec<String>,
    /// Seconds, one of each round.
    times: Vec<f64>,
    resident_kib: Option<u64>,
}

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
    let mut contenders = vec![
        Contender::new("rattail", &[&rattail, "run", &empty.to_string_lossy()]),
        Contender::new("python3.11 -S", &[&python, "-S", "-c", "pass"]),
    ];
    contenders.retain(|contender| {
        let there = Path::new(&contender.command[0]).exists();
        if !there {
            eprintln!("{} is missing: its row is left out", contender.command[0]);
        }
        there
    });
    let result = measure(&mut contenders, rounds);
    let _ = std::fs::remove_file(&empty);
    if let Err(message) = result {
        return fail(&message);
    }
    print(&contenders);
    if let Ok(file) = std::env::var("OUT")
        && let Err(error) = std::fs::write(&file, text(&contenders))
    {
        return fail(&format!("{file}: {error}"));
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

impl Contender {
    fn new(name: &'static str, command: &[&str]) -> Contender {
        let command = command.iter().map(|part| (*part).to_owned()).collect();
        Contender {
            name,
            command,
            times: vec![],
            resident_kib: None,
        }
    }
    fn run(&mut self) -> Result<(), String> {
        let [program, args @ ..] = &self.command[..] else {
            unreachable!("a command has a program")
        };
        let start = Instant::now();
        let status = Command::new(program)
            .args(args)
            .stdin(Stdio::null())
            .status()
            .map_err(|error| format!("{program}: {error}"))?;
        self.times.push(start.elapsed().as_secs_f64());
        if status.success() {
            Ok(())
        } else {
            Err(format!("{program} ended with {status}"))
        }
    }
    fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }
}

fn measure(contenders: &mut [Contender], rounds: usize) -> Result<(), String> {
    for contender in &mut *contenders {
        contender.run()?;
        contender.times.clear();
        contender.resident_kib = resident(&contender.command);
    }
    for _ in 0..rounds {
        for contender in &mut *contenders {
            contender.run()?;
        }
    }
    Ok(())
}

/// The largest resident set in KiB, by GNU time: a child of this process would count what this one holds when it is
/// made.
fn resident(command: &[String]) -> Option<u64> {
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

fn print(contenders: &[Contender]) {
    println!(
        "{:<14} {:>9} {:>9} {:>7} {:>9}",
        "", "median ms", "least ms", "KiB", "of Python"
    );
    let python = contenders.last().map_or(f64::NAN, Contender::median);
    for contender in contenders {
        let least = contender
            .times
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min);
        let resident = contender
            .resident_kib
            .map_or("-".to_owned(), |kib| kib.to_string());
        println!(
            "{:<14} {:>9.2} {:>9.2} {resident:>7} {:>10.0}%",
            contender.name,
            contender.median() * 1e3,
            least * 1e3,
            contender.median() / python * 100.0
        );
    }
}

fn text(contenders: &[Contender]) -> String {
    let rows: Vec<_> = contenders
        .iter()
        .map(|contender| {
            json!({
                "name": contender.name,
                "seconds": contender.times,
                "resident_kib": contender.resident_kib,
            })
        })
        .collect();
    format!("{:#}\n", json!({ "startup": rows }))
}
