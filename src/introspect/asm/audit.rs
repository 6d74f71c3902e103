//! The report over all forms.

use super::arms::arms;
use super::binary::{Binary, Function};
use super::decode::Decoder;
use super::layout::{Form, Layout};
use super::measure::{Code, Convention, Row};
use super::{Error, OpcodeNames};
use crate::introspect::fast_path::FastPath;
use crate::introspect::table::Table;
use serde::Serialize;
use std::collections::HashSet;
use std::fmt;
use std::path::Path;

/// The dispatch code of a binary.
#[derive(Clone, Debug, Serialize)]
pub struct Audit {
    pub arch: &'static str,
    pub forms: Vec<FormAudit>,
    /// What the programs that were run left the fast path for.
    pub programs: Vec<FastPath>,
}

/// Smallest, middle and largest of some counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Spread {
    pub min: usize,
    pub median: usize,
    pub max: usize,
}

impl Spread {
    fn of(mut counts: Vec<usize>) -> Option<Spread> {
        counts.sort_unstable();
        let (min, max) = (*counts.first()?, *counts.last()?);
        Some(Spread {
            min,
            median: counts[counts.len() / 2],
            max,
        })
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.min == self.max {
            return write!(f, "{}", self.min);
        }
        write!(f, "{}..{} (median {})", self.min, self.max, self.median)
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct FormAudit {
    pub form: Form,
    /// Functions of the tail form's opcodes, 1 for a loop.
    pub functions: usize,
    pub indirect_jumps: usize,
    /// Functions that take native stack.
    pub with_frame: usize,
    pub pushes: usize,
    pub spills: usize,
    /// Instructions of a handler, or of an arm.
    pub handler: Option<Spread>,
    /// Lengths of the dispatch sequences.
    pub dispatch: Option<Spread>,
    pub bytes: u64,
    /// What the form continues in off the fast path: cold continuations, labels, what frees objects. The loops share
    /// theirs.
    pub cold_functions: usize,
    pub cold_bytes: u64,
    /// One row a handler; of a loop, the whole first and then the arms that its jump tables lead to.
    pub rows: Vec<Row>,
}

/// Audits the dispatch code of the binary at `path`. A form that is not compiled in is left out; a binary with none is
/// an error.
pub fn audit(path: &Path, layout: &Layout, names: OpcodeNames<'_>) -> Result<Audit, Error> {
    let binary = Binary::open(path)?;
    let decoder = Decoder::new(binary.arch)?;
    let mut forms = Vec::new();
    forms.extend(tail(&binary, &decoder, layout, names)?);
    for form in [Form::Match, Form::Replicated] {
        if let Some(function) = loop_of(&binary, layout, form) {
            forms.push(a_loop(&binary, &decoder, layout, form, function, names)?);
        }
    }
    if forms.is_empty() {
        return Err(Error::NotFound("dispatch code of any form".into()));
    }
    Ok(Audit {
        arch: binary.arch.name(),
        forms,
        programs: vec![],
    })
}

/// The loop of a form. Where the symbols do not tell the plain one from the one that counts, it is the smaller: the
/// other does all that it does and counts.
pub fn loop_of<'a>(binary: &'a Binary, layout: &Layout, form: Form) -> Option<&'a Function> {
    binary
        .functions
        .iter()
        .filter(|f| layout.is_loop(form, &f.path))
        .min_by_key(|f| f.size)
}

fn tail(
    binary: &Binary,
    decoder: &Decoder,
    layout: &Layout,
    names: OpcodeNames<'_>,
) -> Result<Option<FormAudit>, Error> {
    let opcodes: HashSet<String> = (0..256).filter_map(names).collect();
    let mut rows = Vec::new();
    let mut lengths = Vec::new();
    let mut cold = Cold::default();
    for function in &binary.functions {
        let Some(name) = layout.handler(&function.path) else {
            continue;
        };
        if !opcodes.contains(name) {
            cold.add(function);
            continue;
        }
        let code = Code::of(binary, decoder, function, name, Convention::PreserveNone)?;
        lengths.extend(code.jumps().map(|jump| code.sequence(jump).insts.len()));
        rows.push(code.row());
    }
    if rows.is_empty() {
        return Ok(None);
    }
    Ok(Some(FormAudit {
        form: Form::Tail,
        functions: rows.len(),
        indirect_jumps: rows.iter().map(|row| row.indirect_jumps).sum(),
        with_frame: rows.iter().filter(|row| row.frame > 0).count(),
        pushes: rows.iter().map(|row| row.pushes).sum(),
        spills: rows.iter().map(|row| row.spills).sum(),
        handler: Spread::of(rows.iter().map(|row| row.instructions).collect()),
        dispatch: Spread::of(lengths),
        bytes: rows.iter().map(|row| row.bytes).sum(),
        cold_functions: cold.functions,
        cold_bytes: cold.bytes,
        rows,
    }))
}

fn a_loop(
    binary: &Binary,
    decoder: &Decoder,
    layout: &Layout,
    form: Form,
    function: &Function,
    names: OpcodeNames<'_>,
) -> Result<FormAudit, Error> {
    let mut code = Code::of(binary, decoder, function, "(all)", Convention::Native)?;
    let arms = arms(binary, function, &mut code, names);
    let mut cold = Cold::default();
    for function in binary
        .functions
        .iter()
        .filter(|f| layout.continuation(&f.path).is_some())
    {
        cold.add(function);
    }
    let whole = code.row();
    let mut rows = vec![whole.clone()];
    for (&opcode, insts) in &arms {
        if let Some(name) = names(opcode) {
            rows.push(code.row_of(&name, insts));
        }
    }
    Ok(FormAudit {
        form,
        functions: 1,
        indirect_jumps: whole.indirect_jumps,
        with_frame: usize::from(whole.frame > 0),
        pushes: whole.pushes,
        spills: whole.spills,
        handler: Spread::of(rows[1..].iter().map(|row| row.instructions).collect()),
        dispatch: Spread::of(
            code.jumps()
                .map(|jump| code.sequence(jump).insts.len())
                .collect(),
        ),
        bytes: whole.bytes,
        cold_functions: cold.functions,
        cold_bytes: cold.bytes,
        rows,
    })
}

#[derive(Default)]
struct Cold {
    functions: usize,
    bytes: u64,
}

impl Cold {
    fn add(&mut self, function: &Function) {
        self.functions += 1;
        self.bytes += function.size;
    }
}

impl Audit {
    pub fn form(&self, form: Form) -> Option<&FormAudit> {
        self.forms.iter().find(|audit| audit.form == form)
    }

    /// The table of the forms.
    pub fn table(&self) -> Table {
        let mut table = Table::new(&[
            "form",
            "functions",
            "indirect jumps",
            "with frame",
            "pushes",
            "spills",
            "handler",
            "dispatch",
            "bytes",
            "cold bytes",
        ]);
        for form in &self.forms {
            table.row([
                form.form.to_string(),
                form.functions.to_string(),
                form.indirect_jumps.to_string(),
                form.with_frame.to_string(),
                form.pushes.to_string(),
                form.spills.to_string(),
                form.handler
                    .map_or_else(String::new, |spread| spread.to_string()),
                form.dispatch
                    .map_or_else(String::new, |spread| spread.to_string()),
                form.bytes.to_string(),
                if form.form == Form::Tail {
                    form.cold_bytes.to_string()
                } else {
                    String::new()
                },
            ]);
        }
        table
    }
}

impl FormAudit {
    /// The table of the handlers.
    pub fn table(&self) -> Table {
        let mut table = Table::new(&[
            "handler",
            "bytes",
            "instructions",
            "indirect jumps",
            "dispatch",
            "calls",
            "pushes",
            "frame",
            "spills",
        ]);
        for row in &self.rows {
            table.row([
                row.name.clone(),
                row.bytes.to_string(),
                row.instructions.to_string(),
                row.indirect_jumps.to_string(),
                row.dispatch
                    .map_or_else(String::new, |length| length.to_string()),
                row.calls.to_string(),
                row.pushes.to_string(),
                row.frame.to_string(),
                row.spills.to_string(),
            ]);
        }
        table
    }
}
