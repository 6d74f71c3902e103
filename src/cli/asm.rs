//! `rattail asm`.

use super::args::Asm;
use super::{Failure, Outcome, print};
use crate::bytecode::Opcode;
use crate::introspect::asm::{self, Audit, Form, Layout};
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
    text
}

fn check(audit: &Audit) -> Outcome {
    let wrong = asm::check(audit, &asm::Expectations::of_this_crate());
    for sentence in &wrong {
        eprintln!("{sentence}");
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
