//! Running a binary under valgrind's tools.

use super::image::{Image, READER};
use super::trace::Run;
use super::{Callgrind, FormPrediction, Indirect, models};
use crate::introspect::asm::binary::Arch;
use crate::introspect::asm::{Form, Layout, dispatch_sites};
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, Read};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;

/// Where valgrind finds the writing end of its trace.
const LOG_FD: i32 = 9;

/// A program to be run under every form: the binary of this crate with the arguments of `rattail run`.
pub struct Program<'a> {
    pub binary: &'a Path,
    pub form: Form,
    /// What follows `--dispatch FORM`.
    pub arguments: &'a [OsString],
}

/// A finished run, and what it printed.
pub struct Finished<T> {
    pub value: T,
    pub output: Vec<u8>,
}

impl Program<'_> {
    fn command(&self, options: &[&str]) -> Command {
        let mut command = Command::new("valgrind");
        command
            .args(options)
            .arg(self.binary)
            .args(["run", "--dispatch", self.form.name()])
            .args(self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// The branches of one run through every model.
    pub fn predict(
        &self,
        opcodes: u64,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Finished<FormPrediction>, String> {
        let (reader, writer) = std::io::pipe().map_err(|error| error.to_string())?;
        let writer = OwnedFd::from(writer);
        let fd = writer.as_raw_fd();
        let mut command = self.command(&[
            "--tool=lackey",
            "--basic-counts=no",
            "--trace-superblocks=yes",
            // A block is what the processor would run up to a branch: no jumps followed, no loops unrolled.
            "--vex-guest-chase=no",
            "--vex-iropt-unroll-thresh=0",
            "--log-fd=9",
        ]);
        // SAFETY: dup2 is async-signal-safe, and nothing else happens between fork and exec.
        unsafe {
            command.pre_exec(move || match libc::dup2(fd, LOG_FD) {
                -1 => Err(std::io::Error::last_os_error()),
                _ => Ok(()),
            });
        }
        let child = Running::start(command)?;
        drop(writer);
        let arch = if cfg!(target_arch = "aarch64") {
            Arch::AArch64
        } else {
            Arch::X86_64
        };
        let image = Image::of_process(child.pid(), arch).map_err(|error| error.to_string())?;
        let sites = dispatch_sites(self.binary, &Layout::default(), self.form)
            .map_err(|error| error.to_string())?;
        let shift = if arch == Arch::AArch64 { 2 } else { 0 };
        let mut run = Run::new(
            image,
            self.binary,
            sites.into_iter().collect(),
            models(shift),
        );
        let lines = BufReader::with_capacity(1 << 16, reader);
        let read = run.read(lines, progress);
        let output = child.end()?;
        read.map_err(|error| error.to_string())?;
        let value = run
            .finish(self.form.name(), opcodes)
            .map_err(|error| error.to_string())?;
        Ok(Finished { value, output })
    }

    /// What callgrind counts.
    pub fn callgrind(&self) -> Result<Finished<Callgrind>, String> {
        let file = Temporary::new("callgrind");
        let out = format!("--callgrind-out-file={}", file.0.display());
        let options = [
            "--tool=callgrind",
            "--branch-sim=yes",
            "--compress-strings=no",
            &out,
            "-q",
        ];
        let output = Running::start(self.command(&options))?.end()?;
        let mut text = String::new();
        File::open(&file.0)
            .and_then(|mut file| file.read_to_string(&mut text))
            .map_err(|error| format!("{}: {error}", file.0.display()))?;
        let value = totals(&text).ok_or("callgrind's file has no totals of branches")?;
        Ok(Finished { value, output })
    }
}

/// The totals of a callgrind file.
fn totals(text: &str) -> Option<Callgrind> {
    let line = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    let events: Vec<&str> = line("events:")?.split_whitespace().collect();
    let counts = line("totals:").or_else(|| line("summary:"))?;
    let counts: Vec<u64> = counts
        .split_whitespace()
        .map(|count| count.parse().ok())
        .collect::<Option<_>>()?;
    let index = |name: &str| events.iter().position(|&event| event == name);
    let count = |name: &str| counts.get(index(name)?);
    let mut in_reader = Indirect::default();
    for cost in calls_of(text, READER) {
        // The position, and the counts up to the last that is not 0.
        let cost: Vec<u64> = cost
            .split_whitespace()
            .skip(1)
            .map(|count| count.parse().ok())
            .collect::<Option<_>>()?;
        let of = |name: &str| Some(cost.get(index(name)?).copied().unwrap_or(0));
        in_reader.executed += of("Bi")?;
        in_reader.mispredicted += of("Bim")?;
    }
    Some(Callgrind {
        instructions: *count("Ir")?,
        conditional: *count("Bc")?,
        conditional_mispredicted: *count("Bcm")?,
        indirect: *count("Bi")?,
        indirect_mispredicted: *count("Bim")?,
        in_reader,
    })
}

/// What the calls of a function cost with all that it called. A version may follow its name.
fn calls_of<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let mut called = false;
    let mut lines = text.lines();
    std::iter::from_fn(move || {
        loop {
            let line = lines.next()?;
            if let Some(callee) = line.strip_prefix("cfn=") {
                let rest = callee.strip_prefix(name);
                called = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('@'));
            } else if line.starts_with("calls=") && std::mem::take(&mut called) {
                return lines.next();
            }
        }
    })
}

/// A child that does not outlive its owner, with threads that keep its output flowing.
struct Running {
    child: Child,
    readers: Option<[thread::JoinHandle<Vec<u8>>; 2]>,
}

impl Running {
    fn start(mut command: Command) -> Result<Running, String> {
        let mut child = command.spawn().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                "valgrind is not installed: apt-get install valgrind".to_owned()
            }
            _ => format!("valgrind: {error}"),
        })?;
        let reader = |from: Option<Box<dyn Read + Send>>| {
            thread::spawn(move || {
                let mut bytes = Vec::new();
                if let Some(mut from) = from {
                    let _ = from.read_to_end(&mut bytes);
                }
                bytes
            })
        };
        let stdout = reader(child.stdout.take().map(|from| Box::new(from) as _));
        let stderr = reader(child.stderr.take().map(|from| Box::new(from) as _));
        Ok(Running {
            child,
            readers: Some([stdout, stderr]),
        })
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits, and gives the output of a run that succeeded.
    fn end(mut self) -> Result<Vec<u8>, String> {
        let status = self.child.wait().map_err(|error| error.to_string())?;
        let [stdout, stderr] = self.readers.take().ok_or("already waited for")?;
        let (stdout, stderr) = (joined(stdout), joined(stderr));
        match status.success() {
            true => Ok(stdout),
            false => Err(failure(status, &stdout, &stderr)),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.readers.is_some() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn joined(reader: thread::JoinHandle<Vec<u8>>) -> Vec<u8> {
    reader.join().unwrap_or_default()
}

fn failure(status: ExitStatus, stdout: &[u8], stderr: &[u8]) -> String {
    let (stdout, stderr) = (
        String::from_utf8_lossy(stdout),
        String::from_utf8_lossy(stderr),
    );
    format!("the run under valgrind ended with {status}\n{stdout}{stderr}")
        .trim_end()
        .to_owned()
}

/// The name of a file that is gone when this is.
struct Temporary(PathBuf);

impl Temporary {
    fn new(what: &str) -> Temporary {
        let name = format!("rattail-{}-{what}.out", std::process::id());
        Temporary(std::env::temp_dir().join(name))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_follow_the_order_of_the_events() {
        let text = "version: 1\nevents: Ir Bc Bcm Bi Bim\nfn=(1)\n16 3\nsummary: 1 2 3 4 5\ntotals: 10 20 3 40 5\n";
        assert_eq!(
            totals(text),
            Some(Callgrind {
                instructions: 10,
                conditional: 20,
                conditional_mispredicted: 3,
                indirect: 40,
                indirect_mispredicted: 5,
                in_reader: Indirect::default()
            })
        );
        assert_eq!(totals("events: Ir\ntotals: 3\n"), None);
    }

    #[test]
    fn calls_of_the_reader_are_told_apart() {
        let text = "events: Ir Bc Bcm Bi Bim\nfn=main\n16 3\ncfn=pthread_getattr_np@@GLIBC_2.32\ncalls=1 33\n\
                    16 900 80 7 30 4\ncfn=pthread_getattr_np\ncalls=1 33\n+2 90 8 7 3\ncfn=pthread_getattr_npx\n\
                    calls=1 33\n16 900 80 7 30 4\ntotals: 10000 20 3 40 5\n";
        let counted = totals(text).expect("totals");
        assert_eq!(
            counted.in_reader,
            Indirect {
                executed: 33,
                mispredicted: 4
            }
        );
    }
}
