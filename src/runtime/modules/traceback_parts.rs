//! `_traceback`: what the module `traceback` has in common with reports of uncaught exceptions.

use super::with_functions;
use crate::object::args;
use crate::object::descr::{MethodDef, meth};
use crate::object::{Owned, PyResult, Raised, Vm, Word, exc, list, number, str};
use crate::runtime::thread::Thread;
use crate::runtime::traceback;

const FAST: u16 = meth::FASTCALL;

static FUNCTIONS: [MethodDef; 4] = [
    MethodDef::new("lines", FAST, lines),
    MethodDef::new("excerpt", FAST, excerpt),
    MethodDef::new("hint", meth::O, hint),
    MethodDef::new("syntax", FAST, syntax),
];

pub(super) fn make(ts: &Thread) -> PyResult {
    with_functions(ts.vm(), "_traceback", &FUNCTIONS)
}

/// `lines(filename)`: the source's lines with their ends, or None.
fn lines(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "lines", args.len(), 1, 1)?;
    if !str::is_str(args[0]) {
        return Ok(Owned::NONE);
    }
    match Thread::of(vm).sources.get(&str::to_string_lossy(args[0])) {
        None => Ok(Owned::NONE),
        Some(text) => {
            let lines = text.split_inclusive('\n').map(|line| vm.new_str(line));
            vm.list_from_owned(lines.collect::<Result<_, _>>()?)
        }
    }
}

/// `excerpt(lines, column, end_column)`: lines as a traceback entry shows them, columns in bytes or None.
fn excerpt(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "excerpt", args.len(), 3, 3)?;
    if !list::is_list(args[0]) {
        return Err(vm.type_error("lines must be a list"));
    }
    // SAFETY: a list that the caller keeps; nothing runs meanwhile.
    let items = unsafe { list::items(args[0]) };
    let texts: Vec<String> = items
        .iter()
        .filter(|line| str::is_str(**line))
        .map(|line| str::to_string_lossy(*line))
        .collect();
    if texts.is_empty() {
        return vm.new_str("");
    }
    let columns = match (column(vm, args[1])?, column(vm, args[2])?) {
        (Some(start), Some(end)) => Some((start, end)),
        _ => None,
    };
    let lines = texts
        .iter()
        .map(|text| text.trim_end_matches('\n'))
        .collect();
    vm.new_str(&traceback::excerpt(&traceback::Span { lines, columns }))
}

fn column(vm: Vm, word: Word) -> Result<Option<usize>, Raised> {
    if word.is_none() {
        return Ok(None);
    }
    Ok(usize::try_from(number::index_isize(vm, word)?).ok())
}

/// `hint(exception)`: what follows its message.
fn hint(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if !exc::is_exception(args[0]) {
        return vm.new_str("");
    }
    vm.new_str(&traceback::hint(Thread::of(vm), args[0]))
}

/// `syntax(exception, name)`: the last lines of a report of a SyntaxError.
fn syntax(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "syntax", args.len(), 2, 2)?;
    if !vm.is_instance(args[0], vm.exc.SyntaxError) || !str::is_str(args[1]) {
        return Err(vm.type_error("a SyntaxError and its name are needed"));
    }
    let name = str::to_string_lossy(args[1]);
    vm.new_str(&traceback::syntax_lines(vm, args[0], &name))
}
