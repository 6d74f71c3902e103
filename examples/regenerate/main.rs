//! Changes a definition, generates everything again and counts the lines that differ, in memory:
//!
//! ```sh
//! cargo run --example regenerate -- handlers/stack.rs 'text there' 'text instead'
//! ```

#[path = "../../src/casegen/mod.rs"]
#[allow(dead_code)]
mod casegen;

mod report;

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, from, to] = arguments.as_slice() else {
        eprintln!("regenerate FILE TEXT TEXT");
        return std::process::ExitCode::from(2);
    };
    match report::report(file, from, to) {
        Ok(text) => {
            print!("{text}");
            std::process::ExitCode::SUCCESS
        }
        Err(message) => {
            eprint!("{message}");
            std::process::ExitCode::FAILURE
        }
    }
}
