//! The committed results: everything in `results/` that is made from the raw data beside it.
//!
//! A folder a machine. `generate` gives the text of every file that is not raw, and a test compares it with what is
//! committed, so no table can say what the data do not.

mod beside;
mod claims;
mod criterion;
mod data;
mod lab;
mod noise;
mod sections;
mod specialisation;

pub use beside::{Calls, Case, Contender, ONCE, ORDINARY, Startup, TWICE};
pub use data::{AuditedBinary, AuditedForm, Build, Folder};

use std::path::{Path, PathBuf};

/// The files to be found in `results/`, relative to it: the tables, the plots and the claims.
pub fn generate(root: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    let folders = Folder::all(root)?;
    let mut files = Vec::new();
    let mut readme = sections::head();
    for folder in &folders {
        readme += &sections::folder(folder);
        if !folder.races.is_empty() {
            let name = Path::new(&folder.name).join("tables.md");
            files.push((name, sections::tables(&folder.races)));
        }
        for (name, text) in lab::plots(folder)? {
            files.push((Path::new(&folder.name).join(name), text));
        }
    }
    files.push((PathBuf::from("README.md"), readme));
    files.push((PathBuf::from("claims.md"), claims::page(&folders)));
    Ok(files)
}
