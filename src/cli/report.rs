//! `rattail report`.

use super::args::Report;
use super::{Failure, Outcome, print};
use crate::introspect::race::{Race, geomean_table};
use crate::introspect::results;
use crate::introspect::table::Table;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

pub fn run(options: &Report) -> Outcome {
    if let [folder] = options.files.as_slice()
        && folder.is_dir()
    {
        return regenerate(folder);
    }
    let races = options
        .files
        .iter()
        .map(|path| read(path))
        .collect::<Result<Vec<_>, _>>()?;
    let show = |table: &Table| {
        if options.markdown {
            table.markdown()
        } else {
            table.to_string()
        }
    };
    let mut text = String::new();
    for race in &races {
        if options.markdown {
            text += &format!("{}\n```text\n{}```\n\n", show(&race.table()), race.notes());
        } else {
            text += &format!("{}{}\n", show(&race.table()), race.notes());
        }
    }
    if races.len() > 1 {
        let table = geomean_table(&races)
            .ok_or_else(|| Failure("the races have different baselines".into()))?;
        text += &show(&table);
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes what the raw data of a folder of results yield; each file whole or not at all.
fn regenerate(folder: &Path) -> Outcome {
    for (name, text) in results::generate(folder)? {
        let path = folder.join(&name);
        if fs::read_to_string(&path).is_ok_and(|there| there == text) {
            continue;
        }
        let new = path.with_extension("new");
        fs::write(&new, text)
            .and_then(|()| fs::rename(&new, &path))
            .map_err(|error| Failure(format!("{}: {error}", path.display())))?;
        print(&format!("{}\n", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Race, Failure> {
    let text = fs::read_to_string(path)
        .map_err(|error| Failure(format!("{}: {error}", path.display())))?;
    Race::from_json(&text)
        .map_err(|error| Failure(format!("{}: not a race: {error}", path.display())))
}
