//! Builds the lab's C peers with every compiler that is there, and writes down why the others are not.

use super::casegen::lab::{self, Built, Replicate};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Compilers: the name, the package to install, the commands that it is looked for by. The newest clang comes first:
/// preserve_none is there from 19 on.
const COMPILERS: &[(&str, &str, &[&str])] = &[
    ("gcc", "gcc", &["gcc"]),
    (
        "clang",
        "clang-19",
        &["clang-22", "clang-21", "clang-20", "clang-19", "clang"],
    ),
];

pub fn build(out: &Path, replicate_all: bool) {
    let mut built = Vec::new();
    for &(compiler, package, names) in COMPILERS {
        let found = names.iter().find_map(|&name| Some((name, version(name)?)));
        for &(form, attributes) in lab::C_FORMS {
            let (version, missing) = match &found {
                None => (
                    String::new(),
                    Some(format!(
                        "{compiler} is not installed: apt-get install {package}"
                    )),
                ),
                Some((name, version)) => (
                    version.clone(),
                    compile(out, compiler, name, form, attributes).err(),
                ),
            };
            built.push(Built {
                compiler,
                version,
                form,
                missing,
            });
        }
    }
    let optimised = std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0" && level != "1");
    let replicate = match (replicate_all, optimised) {
        (true, _) => Replicate::All,
        (false, true) => Replicate::Hot,
        (false, false) => Replicate::Few,
    };
    fs::write(out.join("lab.rs"), lab::rust(replicate)).expect("OUT_DIR is writable");
    fs::write(out.join("lab_peers.rs"), lab::peers(&built)).expect("OUT_DIR is writable");
}

/// The first line of what a compiler says of itself.
fn version(name: &str) -> Option<String> {
    let said = Command::new(name).arg("--version").output().ok()?;
    let line = String::from_utf8_lossy(&said.stdout)
        .lines()
        .next()?
        .to_owned();
    said.status.success().then_some(line)
}

fn compile(
    out: &Path,
    compiler: &str,
    command: &str,
    form: &str,
    attributes: &[&str],
) -> Result<(), String> {
    for attribute in attributes {
        let probe = out.join("lab_probe.c");
        let text = format!("#if !__has_attribute({attribute})\n#error none\n#endif\n");
        fs::write(&probe, text).expect("OUT_DIR is writable");
        let status = Command::new(command)
            .args(["-fsyntax-only"])
            .arg(&probe)
            .output();
        if !status.is_ok_and(|output| output.status.success()) {
            return Err(format!("{command} has no {attribute}"));
        }
    }
    let name = format!("lab_{compiler}_{form}");
    let file = out.join(format!("{name}.c"));
    fs::write(&file, lab::c(compiler, form)).expect("OUT_DIR is writable");
    cc::Build::new()
        .compiler(command)
        .opt_level(3)
        .warnings(false)
        .cargo_warnings(false)
        .file(&file)
        .try_compile(&name)
        .map_err(|error| format!("{command} does not compile it: {error}"))
}
