//! `rattail expand`.

use super::args::Expand;
use super::{Failure, Outcome, print};
use crate::introspect::expand::{self, THIS_CRATE};
use std::process::ExitCode;

pub fn run(options: &Expand) -> Outcome {
    if let Some(folder) = &options.all {
        THIS_CRATE
            .write_all(folder)
            .map_err(|error| Failure(format!("{}: {error}", folder.display())))?;
    }
    if let Some(name) = &options.name {
        let text = expand::expand(name);
        print(
            &text.ok_or_else(|| {
                Failure(format!("nothing that handlers/ defines is called {name}"))
            })?,
        )?;
    }
    Ok(ExitCode::SUCCESS)
}
