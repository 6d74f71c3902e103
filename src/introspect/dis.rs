//! Disassembly, as text in the form of `python -m dis` and as JSON.

use crate::bytecode::Opcode;
use crate::bytecode::backoff::BackoffCounter;
use crate::bytecode::instructions::{Decoded, instructions};
use crate::bytecode::operands::{
    BINARY_OPS, COMMON_CONSTANTS, COMPARISONS, CONVERSIONS, FUNCTION_ATTRIBUTES, INTRINSICS_1,
    INTRINSICS_2, SPECIAL_METHODS,
};
use crate::bytecode::repr::{code_repr, repr};
use crate::bytecode::spec::{CodeSpec, Constant, Wtf8, local_kind};
use crate::bytecode::tables::{
    ExceptionEntry, Location, MalformedTable, read_exception_table, read_lines, read_locations,
};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

/// What stands in the line column of code that belongs to no line.
const NO_LINENO: &str = "  --";
const OPNAME_WIDTH: usize = 20;
const OPARG_WIDTH: usize = 5;

/// What of each instruction is shown beside its name and argument (the options of `python -m dis`).
#[derive(Clone, Copy, Default)]
pub struct Show {
    pub caches: bool,
    pub offsets: bool,
    /// Lines and columns, and not lines alone.
    pub positions: bool,
    /// The code as it begins to run, its counters set, and not as it was compiled.
    pub specialized: bool,
}

/// A code object and all code objects in it, each after the one that holds it (`dis.dis`).
pub fn disassemble(code: &CodeSpec, show: Show) -> Result<String, MalformedTable> {
    let mut out = String::new();
    disassemble_one(&mut out, code, show)?;
    let mut waiting: Vec<&Rc<CodeSpec>> = nested(code).rev().collect();
    while let Some(code) = waiting.pop() {
        _ = writeln!(out, "\nDisassembly of {}:", code_repr(code));
        disassemble_one(&mut out, code, show)?;
        waiting.extend(nested(code).rev());
    }
    Ok(out)
}

fn nested(code: &CodeSpec) -> impl DoubleEndedIterator<Item = &Rc<CodeSpec>> {
    code.consts.iter().filter_map(|c| match c {
        Constant::Code(code) => Some(code),
        _ => None,
    })
}

/// Numbers for the code units that something leads to (`dis._make_labels_map`).
fn number_labels(code: &CodeSpec, handlers: &[ExceptionEntry]) -> BTreeMap<i64, usize> {
    let jumps = instructions(&code.code).filter_map(|i| i.jump_target());
    let borders = handlers
        .iter()
        .flat_map(|e| [i64::from(e.start), i64::from(e.end), i64::from(e.target)]);
    let mut labels: BTreeMap<i64, usize> = jumps.chain(borders).map(|at| (at, 0)).collect();
    for (i, number) in labels.values_mut().enumerate() {
        *number = i + 1;
    }
    labels
}

fn digits(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |n| n as usize + 1)
}

/// `dis._get_lineno_width`
fn lineno_width(line_starts: &BTreeMap<usize, Option<i32>>) -> usize {
    let Some(max) = line_starts.values().flatten().filter(|l| **l != 0).max() else {
        return 0;
    };
    let width = digits(usize::try_from(*max).unwrap_or(0)).max(3);
    if line_starts.values().any(Option::is_none) {
        width.max(NO_LINENO.len())
    } else {
        width
    }
}

/// The columns of one disassembly (`dis.Formatter`).
struct Columns {
    /// Where no line stands there is no column for one.
    place_width: usize,
    label_width: usize,
    offset_width: Option<usize>,
}

/// What stands in a line.
struct Row<'a> {
    place: String,
    label: Option<usize>,
    offset: usize,
    name: &'a str,
    arg: Option<u32>,
    arg_repr: String,
}

impl Columns {
    fn write(&self, out: &mut String, row: Row<'_>) {
        let mut line = String::new();
        if self.place_width > 0 {
            line = row.place + " ";
        }
        let label = row.label.map_or(String::new(), |n| format!("L{n}:"));
        _ = write!(line, "{label:>width$} ", width = self.label_width);
        if let Some(width) = self.offset_width {
            _ = write!(line, "{:>width$}   ", row.offset);
        }
        _ = write!(line, "    {:OPNAME_WIDTH$}", row.name);
        if let Some(arg) = row.arg {
            // A long name takes room from the argument.
            let width = OPARG_WIDTH.saturating_sub(row.name.len().saturating_sub(OPNAME_WIDTH));
            _ = write!(line, " {arg:>width$}");
            if !row.arg_repr.is_empty() {
                _ = write!(line, " ({})", row.arg_repr);
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// Where a code unit is in the source, as `-P` shows it.
fn position(loc: &Location) -> String {
    let parts = [
        loc.lineno,
        loc.col_offset,
        loc.end_lineno,
        loc.end_col_offset,
    ];
    if parts.iter().all(|part| *part < 0) {
        return NO_LINENO.to_string();
    }
    let [line, column, end_line, end_column] = parts.map(|part| match part {
        0.. => part.to_string(),
        _ => "?".to_string(),
    });
    format!("{line}:{column}-{end_line}:{end_column}")
}

/// `dis._get_positions_width`
fn positions_width(locations: &[Location]) -> usize {
    let parts = |loc: &Location| {
        [
            loc.lineno,
            loc.col_offset,
            loc.end_lineno,
            loc.end_col_offset,
        ]
    };
    if !locations.iter().flat_map(parts).any(|part| part >= 0) {
        return 0;
    }
    let width = |part: i32| usize::try_from(part).map_or(1, digits);
    let widths = locations
        .iter()
        .map(|loc| parts(loc).map(width).iter().sum::<usize>());
    1 + NO_LINENO.len().max(3 + widths.max().unwrap_or(0))
}

/// `dis.disassemble`
fn disassemble_one(out: &mut String, code: &CodeSpec, show: Show) -> Result<(), MalformedTable> {
    let handlers = read_exception_table(&code.exceptiontable)?;
    let lines = read_lines(&code.linetable, code.firstlineno)?;
    let line_starts = lines.iter().map(|l| (l.start as usize, l.line)).collect();
    let mut locations = Vec::new();
    for range in read_locations(&code.linetable, code.firstlineno)? {
        locations.resize(range.end as usize, range.loc);
    }
    let labels = number_labels(code, &handlers);
    let columns = Columns {
        place_width: match show.positions {
            true => positions_width(&locations),
            false => lineno_width(&line_starts),
        },
        label_width: 4 + digits(labels.len()),
        offset_width: show
            .offsets
            .then(|| digits(code.code.len().saturating_sub(2).max(9999))),
    };
    let width = columns.place_width;
    let place = |unit: usize, starts: bool| -> String {
        if show.positions {
            let loc = locations.get(unit).unwrap_or(&Location::NO_LOCATION);
            return format!("{:width$}", position(loc));
        }
        match line_starts.get(&unit).filter(|_| starts) {
            Some(Some(line)) => format!("{line:>width$}"),
            Some(None) => format!("{NO_LINENO:>width$}"),
            None => " ".repeat(width),
        }
    };
    for instr in instructions(&code.code) {
        if width > 0 && line_starts.contains_key(&instr.offset) && instr.offset > 0 {
            out.push('\n');
        }
        let arg = has_arg(instr.op).then_some(instr.oparg);
        let row = Row {
            place: place(instr.offset, true),
            label: labels.get(&(instr.offset as i64)).copied(),
            offset: 2 * instr.offset,
            name: instr.op.name(),
            arg,
            arg_repr: arg.map_or(String::new(), |_| arg_repr(code, &instr, &labels)),
        };
        columns.write(out, row);
        if !show.caches {
            continue;
        }
        let mut unit = instr.offset;
        for (entry, units) in instr.op.cache_format() {
            for index in 0..*units {
                unit += 1;
                let counts = show.specialized && unit == instr.offset + 1;
                let value = if counts {
                    BackoffCounter::initial(instr.op, true).0
                } else {
                    0
                };
                let first = index == 0;
                let row = Row {
                    place: place(instr.offset, false),
                    label: None,
                    offset: 2 * unit,
                    name: Opcode::CACHE.name(),
                    arg: Some(0),
                    arg_repr: if first {
                        format!("{entry}: {value}")
                    } else {
                        String::new()
                    },
                };
                columns.write(out, row);
            }
        }
    }
    if !handlers.is_empty() {
        out.push_str("ExceptionTable:\n");
    }
    for entry in &handlers {
        let label = |at: u32| labels.get(&i64::from(at)).copied().unwrap_or(0);
        let (start, end) = (label(entry.start), label(entry.end));
        let (target, depth) = (label(entry.target), entry.depth);
        let lasti = if entry.lasti { " lasti" } else { "" };
        _ = writeln!(out, "  L{start} to L{end} -> L{target} [{depth}]{lasti}");
    }
    Ok(())
}

/// `dis.hasarg`; unlike the compiler's flags it knows specialised forms by number only.
fn has_arg(op: Opcode) -> bool {
    op.deopt().has_arg()
}

fn name(names: &[Wtf8], index: u32) -> Cow<'_, str> {
    names
        .get(index as usize)
        .map_or(Cow::Borrowed("?"), Wtf8::to_string_lossy)
}

/// What the argument means, empty if nothing more than its number
/// (`dis.ArgResolver.get_argval_argrepr`).
fn arg_repr(code: &CodeSpec, instr: &Decoded, labels: &BTreeMap<i64, usize>) -> String {
    let arg = instr.oparg;
    let pick = |table: &[&str]| table.get(arg as usize).copied().unwrap_or("?").to_string();
    let local = |index: u32| name(&code.localsplusnames, index);
    let named = |shift: u32, suffix: &str| {
        let suffix = if arg & 1 != 0 { suffix } else { "" };
        format!("{}{suffix}", name(&code.names, arg >> shift))
    };
    match instr.op.deopt() {
        Opcode::LOAD_CONST => code.consts.get(arg as usize).map_or_else(String::new, repr),
        Opcode::LOAD_GLOBAL => named(1, " + NULL"),
        Opcode::LOAD_ATTR => named(1, " + NULL|self"),
        Opcode::LOAD_SUPER_ATTR => named(2, " + NULL|self"),
        op if op.has_name() => name(&code.names, arg).into_owned(),
        op if op.has_jump() => {
            let target = instr.jump_target().and_then(|t| labels.get(&t));
            let way = if op == Opcode::END_ASYNC_FOR {
                "from"
            } else {
                "to"
            };
            format!("{way} L{}", target.copied().unwrap_or(0))
        }
        Opcode::LOAD_FAST_LOAD_FAST
        | Opcode::LOAD_FAST_BORROW_LOAD_FAST_BORROW
        | Opcode::STORE_FAST_LOAD_FAST
        | Opcode::STORE_FAST_STORE_FAST => format!("{}, {}", local(arg >> 4), local(arg & 15)),
        op if op.has_local() || op.has_free() => local(arg).into_owned(),
        Opcode::COMPARE_OP => {
            let comparison = COMPARISONS.get(arg as usize >> 5).copied().unwrap_or("?");
            if arg & 16 != 0 {
                format!("bool({comparison})")
            } else {
                comparison.to_string()
            }
        }
        Opcode::CONVERT_VALUE => pick(&CONVERSIONS),
        Opcode::SET_FUNCTION_ATTRIBUTE => {
            let attributes = FUNCTION_ATTRIBUTES.iter().enumerate();
            let set = attributes.filter(|(i, _)| arg >> i & 1 != 0);
            set.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
        }
        Opcode::BINARY_OP => {
            let known = BINARY_OPS.get(arg as usize);
            known.map_or("?", |(_, symbol)| symbol).to_string()
        }
        Opcode::CALL_INTRINSIC_1 => pick(&INTRINSICS_1),
        Opcode::CALL_INTRINSIC_2 => pick(&INTRINSICS_2),
        Opcode::LOAD_COMMON_CONSTANT => pick(&COMMON_CONSTANTS),
        Opcode::LOAD_SPECIAL => pick(&SPECIAL_METHODS),
        Opcode::IS_OP => if arg != 0 { "is not" } else { "is" }.to_string(),
        Opcode::CONTAINS_OP => if arg != 0 { "not in" } else { "in" }.to_string(),
        _ => String::new(),
    }
}

/// A code object whose nested ones are being turned into JSON.
struct Open<'a> {
    value: Value,
    /// The nested ones to come, the next last.
    waiting: Vec<&'a CodeSpec>,
    done: Vec<Value>,
}

/// A code object as one JSON object: everything that equal bytecode has in common. Functions may nest deeper than
/// the native stack is, so this keeps a stack of its own.
pub fn to_json(code: &CodeSpec) -> Result<Value, MalformedTable> {
    fn open(code: &CodeSpec) -> Result<Open<'_>, MalformedTable> {
        Ok(Open {
            value: one_to_json(code)?,
            waiting: nested(code).rev().map(Rc::as_ref).collect(),
            done: Vec::new(),
        })
    }
    let mut stack = Vec::new();
    let mut current = open(code)?;
    loop {
        if let Some(code) = current.waiting.pop() {
            stack.push(std::mem::replace(&mut current, open(code)?));
            continue;
        }
        let mut finished = current.value;
        finished["nested"] = Value::Array(current.done);
        match stack.pop() {
            None => return Ok(finished),
            Some(outer) => current = outer,
        }
        current.done.push(finished);
    }
}

/// All of a code object but what is nested in it.
fn one_to_json(code: &CodeSpec) -> Result<Value, MalformedTable> {
    let locals_of = |kind: u8| -> Vec<Cow<'_, str>> {
        let slots = code.localsplusnames.iter().zip(&code.localspluskinds);
        let chosen = slots.filter(|(_, kinds)| **kinds & kind != 0);
        chosen.map(|(name, _)| name.to_string_lossy()).collect()
    };
    let constant = |value: &Constant| match value {
        Constant::Code(code) => code.qualname.to_string_lossy().into_owned(),
        _ => repr(value),
    };
    let instrs = instructions(&code.code).map(|i| {
        let arg = has_arg(i.op).then_some(i.oparg);
        json!([i.op.name(), arg])
    });
    let handlers = read_exception_table(&code.exceptiontable)?;
    // In bytes, like every offset Python shows.
    let handlers = handlers
        .iter()
        .map(|e| json!([2 * e.start, 2 * e.end, 2 * e.target, e.depth, e.lasti]));
    let names: Vec<_> = code.names.iter().map(Wtf8::to_string_lossy).collect();
    Ok(json!({
        "name": code.qualname.to_string_lossy(),
        "argcount": code.argcount,
        "posonly": code.posonlyargcount,
        "kwonly": code.kwonlyargcount,
        "flags": code.flags,
        "stacksize": code.stacksize,
        "names": names,
        "varnames": locals_of(local_kind::LOCAL),
        "cellvars": locals_of(local_kind::CELL),
        "freevars": locals_of(local_kind::FREE),
        "consts": code.consts.iter().map(constant).collect::<Vec<_>>(),
        "instructions": instrs.collect::<Vec<_>>(),
        "exception_table": handlers.collect::<Vec<_>>(),
        "bytes": code.code.len(),
    }))
}
