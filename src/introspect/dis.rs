//! Disassembly, as text in the form of `python -m dis` and as JSON.

use crate::bytecode::Opcode;
use crate::bytecode::instructions::{Decoded, instructions};
use crate::bytecode::repr::{code_repr, repr};
use crate::bytecode::spec::{CodeSpec, Constant, Wtf8, local_kind};
use crate::bytecode::tables::{ExceptionEntry, MalformedTable, read_exception_table, read_lines};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

/// What stands in the line column of code that belongs to no line.
const NO_LINENO: &str = "  --";
const OPNAME_WIDTH: usize = 20;
const OPARG_WIDTH: usize = 5;

/// A code object and all code objects in it, each after the one that holds it (`dis.dis`).
pub fn disassemble(code: &CodeSpec) -> Result<String, MalformedTable> {
    let mut out = String::new();
    disassemble_one(&mut out, code)?;
    let mut waiting: Vec<&Rc<CodeSpec>> = nested(code).rev().collect();
    while let Some(code) = waiting.pop() {
        _ = writeln!(out, "\nDisassembly of {}:", code_repr(code));
        disassemble_one(&mut out, code)?;
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

/// `dis.disassemble`
fn disassemble_one(out: &mut String, code: &CodeSpec) -> Result<(), MalformedTable> {
    let handlers = read_exception_table(&code.exceptiontable)?;
    let lines = read_lines(&code.linetable, code.firstlineno)?;
    let line_starts = lines.iter().map(|l| (l.start as usize, l.line)).collect();
    let lineno_width = lineno_width(&line_starts);
    let labels = number_labels(code, &handlers);
    let label_width = 4 + digits(labels.len());

    for instr in instructions(&code.code) {
        let line = line_starts.get(&instr.offset);
        if lineno_width > 0 {
            if line.is_some() && instr.offset > 0 {
                out.push('\n');
            }
            match line {
                Some(Some(line)) => _ = write!(out, "{line:>lineno_width$} "),
                Some(None) => _ = write!(out, "{NO_LINENO:>lineno_width$} "),
                None => _ = write!(out, "{:lineno_width$} ", ""),
            }
        }
        let label = labels.get(&(instr.offset as i64));
        let label = label.map_or(String::new(), |n| format!("L{n}:"));
        let name = instr.op.name();
        _ = write!(out, "{label:>label_width$}     ");
        if !has_arg(instr.op) {
            _ = writeln!(out, "{name}");
            continue;
        }
        // A long name takes room from the argument.
        let width = OPARG_WIDTH.saturating_sub(name.len().saturating_sub(OPNAME_WIDTH));
        _ = write!(out, "{name:OPNAME_WIDTH$} {:>width$}", instr.oparg);
        match arg_repr(code, &instr, &labels) {
            text if text.is_empty() => out.push('\n'),
            text => _ = writeln!(out, " ({text})"),
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

/// `dis._nb_ops`
static BINARY_OPS: [&str; 27] = [
    "+", "&", "//", "<<", "@", "*", "%", "|", "**", ">>", "-", "/", "^", "+=", "&=", "//=", "<<=",
    "@=", "*=", "%=", "|=", "**=", ">>=", "-=", "/=", "^=", "[]",
];
static COMPARISONS: [&str; 6] = ["<", "<=", "==", "!=", ">", ">="];
static INTRINSICS_1: [&str; 12] = [
    "INTRINSIC_1_INVALID",
    "INTRINSIC_PRINT",
    "INTRINSIC_IMPORT_STAR",
    "INTRINSIC_STOPITERATION_ERROR",
    "INTRINSIC_ASYNC_GEN_WRAP",
    "INTRINSIC_UNARY_POSITIVE",
    "INTRINSIC_LIST_TO_TUPLE",
    "INTRINSIC_TYPEVAR",
    "INTRINSIC_PARAMSPEC",
    "INTRINSIC_TYPEVARTUPLE",
    "INTRINSIC_SUBSCRIPT_GENERIC",
    "INTRINSIC_TYPEALIAS",
];
static INTRINSICS_2: [&str; 6] = [
    "INTRINSIC_2_INVALID",
    "INTRINSIC_PREP_RERAISE_STAR",
    "INTRINSIC_TYPEVAR_WITH_BOUND",
    "INTRINSIC_TYPEVAR_WITH_CONSTRAINTS",
    "INTRINSIC_SET_FUNCTION_TYPE_PARAMS",
    "INTRINSIC_SET_TYPEPARAM_DEFAULT",
];
static COMMON_CONSTANTS: [&str; 5] = [
    "AssertionError",
    "NotImplementedError",
    "tuple",
    "<built-in function all>",
    "<built-in function any>",
];
static SPECIAL_METHODS: [&str; 4] = ["__enter__", "__exit__", "__aenter__", "__aexit__"];
static CONVERSIONS: [&str; 4] = ["", "str", "repr", "ascii"];
static FUNCTION_ATTRIBUTES: [&str; 5] = [
    "defaults",
    "kwdefaults",
    "annotations",
    "closure",
    "annotate",
];

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
        Opcode::BINARY_OP => pick(&BINARY_OPS),
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
