//! Another interpreter in the race: a program run as a process of its own.
//!
//! What a process takes to start is no part of the comparison, so the program measures itself: with the argument
//! `--time` it ends its output with a line `seconds 1.25`. In a race with peers every contestant is timed in that way.

use super::Contestant;
use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The argument that makes a program report its time.
pub const TIME_ARGUMENT: &str = "--time";

pub struct Peer {
    name: String,
    interpreter: OsString,
    arguments: Vec<OsString>,
}

impl Peer {
    /// `interpreter` running a program: its file and the arguments of the program.
    pub fn new(interpreter: OsString, arguments: Vec<OsString>) -> Peer {
        let name = interpreter.to_string_lossy();
        let name = name.rsplit('/').next().unwrap_or_default().to_owned();
        Peer {
            name,
            interpreter,
            arguments,
        }
    }
}

impl Contestant for Peer {
    fn form(&self) -> &str {
        &self.name
    }

    fn run_once(&mut self) -> Result<(Duration, Vec<u8>), String> {
        let run = Command::new(&self.interpreter)
            .args(&self.arguments)
            .arg(TIME_ARGUMENT)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{}: {error}", self.interpreter.to_string_lossy()))?;
        if !run.status.success() {
            return Err(format!(
                "{}\n{}",
                run.status,
                String::from_utf8_lossy(&run.stderr).trim_end()
            ));
        }
        split_time(run.stdout)
    }

    /// Not known of another interpreter.
    fn opcodes(&self) -> u64 {
        0
    }
}

/// Takes the line with the time off the end of what a program printed.
pub fn split_time(mut output: Vec<u8>) -> Result<(Duration, Vec<u8>), String> {
    let text = output.trim_ascii_end();
    let start = text
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |newline| newline + 1);
    let seconds = std::str::from_utf8(&text[start..])
        .ok()
        .and_then(|line| line.strip_prefix("seconds "));
    let time = seconds.and_then(|seconds| seconds.trim().parse().ok());
    let time = time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let time = time.ok_or_else(|| {
        format!("the program does not report its time when called with {TIME_ARGUMENT}")
    })?;
    output.truncate(start);
    Ok((time, output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_taken_off_the_output() {
        let split = |text: &str| split_time(text.as_bytes().to_vec());
        assert_eq!(
            split("42\nseconds 1.5\n"),
            Ok((Duration::from_millis(1500), b"42\n".to_vec()))
        );
        assert_eq!(
            split("seconds 2e-3"),
            Ok((Duration::from_millis(2), Vec::new()))
        );
        for wrong in [
            "",
            "42\n",
            "seconds\n",
            "seconds -1\n",
            "seconds nan\n",
            "seconds 1\n42\n",
        ] {
            assert!(split(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_peer_is_named_by_its_file_and_timed_by_itself() {
        let script = "echo $1; echo seconds 0.25";
        let mut peer = Peer::new("/bin/sh".into(), ["-c".into(), script.into()].to_vec());
        assert_eq!(peer.form(), "sh");
        assert_eq!(
            peer.run_once(),
            Ok((Duration::from_millis(250), b"\n".to_vec()))
        );
        let mut failing = Peer::new(
            "/bin/sh".into(),
            ["-c".into(), "echo no >&2; exit 3".into()].to_vec(),
        );
        assert_eq!(failing.run_once(), Err("exit status: 3\nno".into()));
        let mut missing = Peer::new("/nonexistent/python".into(), Vec::new());
        assert!(
            missing
                .run_once()
                .is_err_and(|error| error.starts_with("/nonexistent/python: "))
        );
    }
}
