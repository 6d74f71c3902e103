//! Compiles one Python file again and again: once for every line it reads, answering with the nanoseconds that took.
//! `tests/tools/compile_speed.py` talks to it. With a number behind the file it compiles that many times and says
//! nothing, which is what a profiler wants.

use rattail::compiler::{Mode, Options, WarningAction, compile_with_warnings};
use std::io::{self, BufRead, Write};
use std::time::Instant;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a Python file");
    let source = std::fs::read(&file)?;
    // As a program's file is compiled.
    let options = Options {
        warnings: WarningAction::Collect,
        ..Options::default()
    };
    let once = || {
        let start = Instant::now();
        let (code, _) = compile_with_warnings(&source, &file, Mode::Exec, options);
        let time = start.elapsed();
        if let Err(error) = code {
            eprint!("{}", error.render());
            std::process::exit(1);
        }
        time.as_nanos()
    };
    if let Some(times) = arguments.next() {
        let times: u32 = times.parse().expect("how often to compile");
        for _ in 0..times {
            once();
        }
        return Ok(());
    }
    let mut stdout = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        line?;
        writeln!(stdout, "{}", once())?;
        stdout.flush()?;
    }
    Ok(())
}
