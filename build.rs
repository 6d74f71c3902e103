//! Generates tables and dispatch from `handlers/`, checks that the compiler has the language features that the chosen
//! forms need, and notes compiler and flags for reports.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

#[path = "src/casegen/mod.rs"]
#[allow(dead_code)]
mod casegen;
#[cfg(feature = "lab")]
#[path = "src/casegen/lab_build.rs"]
mod lab_build;

use casegen::Source;

const KNOWN_GOOD: &str = "nightly-2026-05-19 (rustc 1.97.0, LLVM 22.1)";

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/casegen");
    check_target();
    fix_address();
    check_compiler(&out);
    let sources = read(&root, "handlers");
    let support = read(&root, "src/interp/support");
    println!("cargo::rerun-if-env-changed=RATTAIL_REPLICATE");
    let replicate_all = env::var("RATTAIL_REPLICATE").is_ok_and(|v| v == "all");
    #[cfg(feature = "lab")]
    lab_build::build(&out, replicate_all);
    match casegen::generate(&sources, &support, replicate_all) {
        Ok(files) => {
            for file in &files {
                fs::write(out.join(file.name), &file.text).expect("OUT_DIR is writable");
            }
            let definitions = sources
                .iter()
                .map(|source| (source.path.as_str(), root.join(&source.path)));
            let generated = files.iter().map(|file| (file.name, out.join(file.name)));
            let texts = format!(
                "Texts {{ definitions: &[{}], generated: &[{}] }}",
                included(definitions),
                included(generated)
            );
            fs::write(out.join("texts.rs"), texts).expect("OUT_DIR is writable");
        }
        Err(diags) => {
            for diag in diags {
                println!("cargo::error={diag}");
            }
        }
    }
}

/// Pairs of a name and the text of a file, for `rattail expand`.
fn included<'a>(files: impl Iterator<Item = (&'a str, PathBuf)>) -> String {
    files
        .map(|(name, path)| format!("({name:?}, include_str!({path:?})),"))
        .collect()
}

/// Every Rust file of a folder, ordered by name, its path relative to the crate.
fn read(root: &Path, folder: &str) -> Vec<Source> {
    println!("cargo::rerun-if-changed={folder}");
    let mut paths: Vec<_> = fs::read_dir(root.join(folder))
        .unwrap_or_else(|e| panic!("{folder}: {e}"))
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| Source {
            text: fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())),
            path: path
                .strip_prefix(root)
                .expect("inside")
                .display()
                .to_string(),
        })
        .collect()
}

fn feature(name: &str) -> bool {
    env::var(format!("CARGO_FEATURE_{}", name.to_uppercase())).is_ok()
}

/// The tail form needs a calling convention that keeps the interpreter's state in registers.
fn check_target() {
    let arch = env::var("CARGO_CFG_TARGET_ARCH").expect("cargo sets it");
    if feature("tail") && !matches!(arch.as_str(), "x86_64" | "aarch64") {
        println!(
            "cargo::error=the feature `tail` is for x86-64 and AArch64, not {arch}: build with --no-default-features \
             --features match"
        );
    }
    if !feature("tail") && !feature("match") && !feature("replicated") {
        println!(
            "cargo::error=no form of dispatch is chosen: enable `tail`, `match` or `replicated`"
        );
    }
}

/// Links the program to stand at a fixed address: its 100,000 relocations would be a quarter of what an empty program
/// executes, and a third of its memory.
fn fix_address() {
    let os = env::var("CARGO_CFG_TARGET_OS").expect("cargo sets it");
    if os == "linux" {
        println!("cargo::rustc-link-arg-bin=rattail=-no-pie");
    }
}

/// Tries the language features themselves; a version number would refuse compilers that have them.
fn check_compiler(out: &Path) {
    let rustc = env::var("RUSTC").expect("cargo sets it");
    let probes = [
        (
            "tail",
            "explicit_tail_calls and rust_preserve_none_cc",
            "#![feature(explicit_tail_calls, rust_preserve_none_cc)]\n#![allow(incomplete_features)]\n\
             pub extern \"rust-preserve-none\" fn f(n: u64) -> u64 { if n == 0 { return 0 } become f(n - 1) }",
        ),
        (
            "replicated",
            "loop_match",
            "#![feature(loop_match)]\n#![allow(incomplete_features)]\n\
             pub fn f(mut s: u8) { #[loop_match] loop { s = 'next: { match s { \
             0 => { #[const_continue] break 'next 1 } _ => return } } } }",
        ),
    ];
    for (form, what, text) in probes {
        if !feature(form) {
            continue;
        }
        let probe = out.join(format!("probe_{form}.rs"));
        fs::write(&probe, text).expect("OUT_DIR is writable");
        let compiled = Command::new(&rustc)
            .args([
                "--edition=2024",
                "--crate-type=lib",
                "--emit=metadata",
                "-o",
            ])
            .arg(out.join(format!("probe_{form}.rmeta")))
            .arg(&probe)
            .output();
        if !compiled.as_ref().is_ok_and(|o| o.status.success()) {
            println!(
                "cargo::error=the feature `{form}` needs the unstable Rust features {what}, which {rustc} does not \
                 offer; {KNOWN_GOOD} does"
            );
        }
    }
    let version = Command::new(&rustc)
        .arg("-vV")
        .output()
        .map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    let version = version.unwrap_or_default();
    let line = |key: &str| {
        version
            .lines()
            .find_map(|l| l.strip_prefix(key))
            .unwrap_or("unknown")
            .trim()
            .to_string()
    };
    println!(
        "cargo::rustc-env=RATTAIL_RUSTC={}",
        version.lines().next().unwrap_or("unknown")
    );
    println!("cargo::rustc-env=RATTAIL_LLVM={}", line("LLVM version:"));
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS")
        .unwrap_or_default()
        .replace('\x1f', " ");
    println!("cargo::rustc-env=RATTAIL_FLAGS={flags}");
    println!(
        "cargo::rustc-env=RATTAIL_PROFILE={}",
        env::var("PROFILE").unwrap_or_default()
    );
    println!(
        "cargo::rustc-env=RATTAIL_TARGET={}",
        env::var("TARGET").unwrap_or_default()
    );
}
