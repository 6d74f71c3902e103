//! One opcode's machine code, with what the audit counts marked.

use super::arms::arms;
use super::audit::loop_of;
use super::binary::Binary;
use super::decode::{Decoder, Flow, StackUse};
use super::layout::{Form, Layout};
use super::measure::{Code, Convention, Mark};
use super::{Error, OpcodeNames};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

/// The listing of the opcode `name` in one form: its handler, or its arm of the loop.
pub fn listing(
    path: &Path,
    layout: &Layout,
    form: Form,
    name: &str,
    names: OpcodeNames<'_>,
) -> Result<String, Error> {
    let binary = Binary::open(path)?;
    let decoder = Decoder::new(binary.arch)?;
    let missing = || Error::NotFound(format!("code of {name} in the {form} form"));
    if form == Form::Tail {
        let is_named = |path: &str| layout.handler(path) == Some(name);
        let function = binary
            .functions
            .iter()
            .find(|f| is_named(&f.path))
            .ok_or_else(missing)?;
        let code = Code::of(&binary, &decoder, function, name, Convention::PreserveNone)?;
        let all: Vec<usize> = (0..code.insts.len()).collect();
        return Ok(render(&binary, layout, &code, &all, names));
    }
    let function = loop_of(&binary, layout, form)
        .ok_or_else(|| Error::NotFound(format!("{form} form: it is not compiled in")))?;
    let mut code = Code::of(&binary, &decoder, function, name, Convention::Native)?;
    let arms = arms(&binary, function, &mut code, names);
    let arm = arms
        .iter()
        .find(|&(&opcode, _)| names(opcode).as_deref() == Some(name));
    let (_, arm) = arm.ok_or_else(missing)?;
    Ok(render(&binary, layout, &code, arm, names))
}

/// Marks what is saved (`push`), stored (`spill`) and taken (`frame`) on the native stack, the dispatch, and the ways off
/// the fast path: out of line (`cold`) and to another instruction, such as the head of a family (`leaves`).
fn render(
    binary: &Binary,
    layout: &Layout,
    code: &Code,
    of: &[usize],
    names: OpcodeNames<'_>,
) -> String {
    let row = code.row_of(&code.name, of);
    let mut text = format!(
        "{}: {} bytes, {} instructions, {} indirect jumps, {} pushes, {} spills, dispatch of {}\n",
        row.name,
        row.bytes,
        row.instructions,
        row.indirect_jumps,
        row.pushes,
        row.spills,
        row.dispatch
            .map_or("none".to_owned(), |length| format!("{length} instructions")),
    );
    let marks = code.marks();
    let opcodes: HashSet<String> = (0..256).filter_map(names).collect();
    let mut previous = None;
    for &at in of {
        let inst = &code.insts[at];
        if previous.is_some_and(|previous: usize| previous + 1 != at) {
            text += "          ...\n";
        }
        previous = Some(at);
        let target = match inst.flow {
            Flow::Jump(Some(target)) | Flow::Call(Some(target)) | Flow::Branch(target) => {
                name_at(binary, code, target)
            }
            _ => None,
        };
        let way_off = target.as_deref().and_then(|path| {
            let handler = layout.handler(path);
            match (handler, layout.continuation(path)) {
                (Some(name), _) if opcodes.contains(name) => Some("leaves"),
                (Some(_), _) | (_, Some(_)) => Some("cold"),
                _ => None,
            }
        });
        let mark = match (marks[at], inst.stack) {
            (Mark::Push, _) => "push",
            (Mark::Spill, _) => "spill",
            (Mark::Dispatch, _) => "dispatch",
            (Mark::Plain, StackUse::Grow(_)) => "frame",
            (Mark::Plain, StackUse::Pop) => "pop",
            _ => way_off.unwrap_or_default(),
        };
        let operands = target.unwrap_or_else(|| inst.operands.clone());
        let line = format!(
            "{:>10x}  {mark:<8}  {:<7} {operands}",
            inst.address, inst.mnemonic
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// The function that a jump out of this one leads to.
fn name_at(binary: &Binary, code: &Code, target: u64) -> Option<String> {
    let inside = code.insts.iter().any(|inst| inst.address == target);
    if inside {
        return None;
    }
    binary
        .function_at(target)
        .map(|function| function.path.clone())
}
