use std::process::ExitCode;

fn main() -> ExitCode {
    rattail::cli::main(std::env::args_os())
}
