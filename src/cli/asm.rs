//! `rattail asm`.

use super::args::Asm;
use super::machine::{Program, Run, run_once};
use super::source::Source;
use super::{Failure, Outcome, complain, print};
use crate::bytecode::Opcode;
use crate::interp::Dispatch;
use crate::introspect::asm::{self, Audit, Form, Layout};
use crate::introspect::fast_path::{self, FastPath};
use crate::introspect::race::Machine;
use std::path::Path;
use std::process::ExitCode;

pub fn run(options: &Asm) -> Outcome {
    let path = match &options.binary {
        Some(path) => path.clone(),
        None => std::env::current_exe()?,
    };
    let layout = Layout::default();
    if let Some(name) = &options.name {
        let form = options.form.unwrap_or(Form::Tail);
        print(&asm::listing(&path, &layout, form, name, &opcode_name)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut audit = asm::audit(&path, &layout, &opcode_name)?;
    if let Some(form) = options.form {
        audit.forms.retain(|audited| audited.form == form);
        if audit.forms.is_empty() {
            return Err(Failure(format!("the binary does not hold the form {form}")));
        }
    }
    for program in &options.programs {
        audit.programs.push(fast_path(program)?);
    }
    if options.json {
        print(&(serde_json::to_string_pretty(&audit)? + "\n"))?;
    } else if options.audit {
        print(&tables(&audit))?;
    }
    if options.check {
        check(&audit)
    } else {
        Ok(ExitCode::SUCCESS)
    }
}

fn tables(audit: &Audit) -> String {
    let mut text = format!("{}\n{}", audit.arch, audit.table());
    for form in &audit.forms {
        text += &format!("\n{}\n{}", form.form, form.table());
    }
    if !audit.programs.is_empty() {
        text += &format!("\n{}", fast_path::table(&audit.programs));
    }
    text
}

/// Runs a program, given with its arguments in one string, in the loop that counts.
fn fast_path(program: &str) -> Result<FastPath, Failure> {
    let form = [Dispatch::Match, Dispatch::Replicated]
        .into_iter()
        .find(|form| form.is_compiled());
    let Some(form) = form else {
        return Err(Failure(
            "what leaves the fast path is counted by the match form or the replicated form, and this binary holds neither"
                .into(),
        ));
    };
    let argv: Vec<String> = program.split_whitespace().map(String::from).collect();
    let Some(file) = argv.first() else {
        return Err(Failure("--run names no program".into()));
    };
    let source = Source::read(Path::new(file))?;
    let program = Program::new(&source, argv)?;
    let run = run_once(&program, form, true)
        .and_then(Run::succeeded)
        .map_err(|Failure(message)| Failure(format!("{}: {message}", source.name)))?;
    Ok(FastPath::of(source.name, &run.counts))
}

fn check(audit: &Audit) -> Outcome {
    let mut wrong = asm::check(audit, &asm::Expectations::of_this_crate());
    let rustc = Machine::here().rustc;
    let (grown, warning) = asm::check_medians(audit, &rustc, asm::exceptions::MEDIANS);
    wrong.extend(grown);
    if let Some(warning) = warning {
        complain(&format!("warning: {warning}\n"));
    }
    for sentence in &wrong {
        complain(&format!("{sentence}\n"));
    }
    match wrong.len() {
        0 => Ok(ExitCode::SUCCESS),
        1 => Err(Failure(
            "the dispatch code is not what it is meant to be, in one point".into(),
        )),
        n => Err(Failure(format!(
            "the dispatch code is not what it is meant to be, in {n} points"
        ))),
    }
}

/// The name of an opcode that a code object may hold.
pub fn opcode_name(number: u16) -> Option<String> {
    let opcode = Opcode(number);
    (opcode.is_defined() && !opcode.is_pseudo()).then(|| opcode.name().to_owned())
}
