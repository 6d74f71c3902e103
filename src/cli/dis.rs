//! `rattail dis`.

use super::args::Dis;
use super::source::Source;
use super::{Outcome, print};
use crate::introspect::dis::{Show, disassemble, to_json};
use std::process::ExitCode;

pub fn run(options: &Dis) -> Outcome {
    let source = match (&options.code, &options.file) {
        (Some(code), _) => Source::from_code(code),
        (None, Some(file)) => Source::read(file)?,
        (None, None) => unreachable!("one of them is required"),
    };
    let code = source.compile()?;
    if options.json {
        print(&(serde_json::to_string_pretty(&to_json(&code)?)? + "\n"))?;
    } else {
        let show = Show {
            caches: options.show_caches,
            offsets: options.show_offsets,
            positions: options.show_positions,
            specialized: options.specialized,
        };
        print(&disassemble(&code, show)?)?;
    }
    Ok(ExitCode::SUCCESS)
}
