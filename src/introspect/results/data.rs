//! Raw data of one machine, as the folder holds them.

use super::beside::{Calls, Startup};
use super::criterion::Bench;
use crate::introspect::counters::Counters;
use crate::introspect::lab_data::Lab;
use crate::introspect::predict::Prediction;
use crate::introspect::race::Race;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What one way of building cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Build {
    pub name: String,
    pub flags: String,
    pub seconds: f64,
    /// Of the binary's machine code, and of the file without debugging information.
    pub text_bytes: u64,
    pub file_bytes: u64,
    #[serde(default)]
    pub commit: String,
}

/// What the audit of a binary said, as far as the tables need it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditedBinary {
    pub arch: String,
    pub forms: Vec<AuditedForm>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuditedForm {
    pub form: String,
    pub functions: usize,
    pub indirect_jumps: usize,
    pub with_frame: usize,
    pub pushes: usize,
    pub spills: usize,
    pub bytes: u64,
    #[serde(default)]
    pub handler: Option<Spread>,
    pub dispatch: Option<Spread>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub min: usize,
    pub median: usize,
    pub max: usize,
}

/// The predicted program that does nothing: what every process executes before its own.
pub const STARTUP: &str = "startup";

/// Everything in one machine's folder.
#[derive(Debug, Default)]
pub struct Folder {
    pub name: String,
    /// Lines `key: value` about the machine.
    pub metadata: BTreeMap<String, String>,
    pub races: Vec<Race>,
    pub predictions: Vec<Prediction>,
    pub lab: Option<Lab>,
    /// The processor's counters, and the kernel's.
    pub counters: Vec<Counters>,
    /// By build: a form alone, or `all`.
    pub criterion: BTreeMap<String, Vec<Bench>>,
    /// The bench `specialisation`.
    pub specialisation: Vec<Bench>,
    pub calls: Option<Calls>,
    pub pyperformance: Option<Calls>,
    pub startup: Option<Startup>,
    /// Races of other builds: name of the build, and its races.
    pub variants: BTreeMap<String, Vec<Race>>,
    pub builds: Vec<Build>,
    pub audit: Option<AuditedBinary>,
    /// Jumps of builds with other flags.
    pub variant_audits: BTreeMap<String, AuditedBinary>,
    /// What the programs did under emulation, one line each.
    pub emulated: Vec<String>,
}

impl Folder {
    /// The folders of `results/`, the oldest first.
    pub fn all(root: &Path) -> Result<Vec<Folder>, String> {
        let mut folders = Vec::new();
        for path in entries(root)?.into_iter().filter(|path| path.is_dir()) {
            folders.push(Folder::read(&path)?);
        }
        folders.sort_by(|a, b| (a.date(), &a.name).cmp(&(b.date(), &b.name)));
        Ok(folders)
    }

    /// The date at the end of its name; empty if there is none.
    fn date(&self) -> &str {
        let tail = self.name.len().saturating_sub(10);
        let date = self.name.get(tail..).unwrap_or_default();
        let is_date = date.chars().all(|c| c.is_ascii_digit() || c == '-');
        if is_date { date } else { "" }
    }

    fn read(path: &Path) -> Result<Folder, String> {
        let mut folder = Folder {
            name: name(path),
            ..Folder::default()
        };
        for file in entries(path)? {
            match name(&file).as_str() {
                "metadata.json" => folder.metadata = json(&file)?,
                "lab.json" => folder.lab = Some(json(&file)?),
                "builds.json" => folder.builds = json(&file)?,
                "audit.json" => folder.audit = Some(json(&file)?),
                "programs.txt" => {
                    folder.emulated = text(&file)?.lines().map(str::to_owned).collect()
                }
                "specialisation.json" => folder.specialisation = json(&file)?,
                "calls.json" => folder.calls = Some(json(&file)?),
                "pyperformance.json" => folder.pyperformance = Some(json(&file)?),
                "startup.json" => folder.startup = Some(json(&file)?),
                "predict" => folder.predictions = all_json(&file)?,
                "criterion" => {
                    for path in entries(&file)?.into_iter().filter(|path| is_json(path)) {
                        let build = name(&path).trim_end_matches(".json").to_owned();
                        folder.criterion.insert(build, json(&path)?);
                    }
                }
                "variants" => {
                    for variant in entries(&file)?.into_iter().filter(|path| path.is_dir()) {
                        let races = entries(&variant)?
                            .into_iter()
                            .filter(|path| name(path) != "audit.json" && is_json(path))
                            .map(|path| json(&path))
                            .collect::<Result<Vec<Race>, String>>()?;
                        let audit = variant.join("audit.json");
                        if audit.exists() {
                            folder.variant_audits.insert(name(&variant), json(&audit)?);
                        }
                        if !races.is_empty() {
                            folder.variants.insert(name(&variant), races);
                        }
                    }
                }
                "counters.json" | "counters-software.json" => folder.counters.push(json(&file)?),
                _ if is_json(&file) && file.is_file() => folder.races.push(json(&file)?),
                _ => {}
            }
        }
        Ok(folder)
    }
}

fn entries(path: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn is_json(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "json")
}

fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    serde_json::from_str(&text(path)?).map_err(|error| format!("{}: {error}", path.display()))
}

fn all_json<T: DeserializeOwned>(folder: &Path) -> Result<Vec<T>, String> {
    let paths = entries(folder)?;
    paths
        .iter()
        .filter(|path| is_json(path))
        .map(|path| json(path))
        .collect()
}
