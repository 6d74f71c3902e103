//! The compiler as running programs reach it: `compile`, `eval`, `exec`, and modules that are imported.

use super::warnings;
use crate::compiler::{self, ErrorKind, Mode, Options, SyntaxError};
use crate::object::{Owned, PyResult, Raised, Vm, Word};
use crate::runtime::code;
use crate::runtime::thread::Thread;
use std::path::Path;

/// A code object of source text; what `Thread::compile` is to be. No flag changes what is compiled.
pub fn compile(ts: &Thread, source: &[u8], filename: &str, mode: &str, _flags: u32) -> PyResult {
    let mode = match mode {
        "eval" => Mode::Eval,
        "single" => Mode::Single,
        _ => Mode::Exec,
    };
    let options = Options {
        warnings: warnings::action(),
        ..Options::default()
    };
    let (result, list) = compiler::compile_with_warnings(source, filename, mode, options);
    warnings::show(&list, filename);
    match result {
        Ok(spec) => code::new_code(ts, &spec),
        Err(mut error) => {
            if error.parsed && !Path::new(filename).is_file() {
                error.text = None;
            }
            let whole = matches!(mode, Mode::Exec) || source.ends_with(b"\n");
            Err(raise(ts.vm(), &error, whole))
        }
    }
}

/// Raises the exception that CPython's compiler would (`_PyPegen_raise_error`).
#[cold]
fn raise(vm: Vm, error: &SyntaxError, whole: bool) -> Raised {
    let class = match error.kind {
        ErrorKind::Syntax => vm.exc.SyntaxError,
        ErrorKind::Indentation => vm.exc.IndentationError,
        ErrorKind::Tab => vm.exc.TabError,
        ErrorKind::Value => vm.exc.ValueError,
        ErrorKind::Overflow => vm.exc.OverflowError,
        ErrorKind::Recursion => vm.exc.RecursionError,
        ErrorKind::Memory => vm.exc.MemoryError,
        ErrorKind::System => vm.exc.SystemError,
    };
    if !error.kind.has_place() {
        return vm.raise(class, &error.msg);
    }
    match place(vm, error, whole) {
        Ok((message, place)) => vm.raise_with(class, &[message.as_word(), place.as_word()]),
        Err(raised) => raised,
    }
}

/// The exception's arguments: the message; file, line, column, text, end line, end column. The lines of an expression
/// that is not `whole` have no newline.
fn place(vm: Vm, error: &SyntaxError, whole: bool) -> Result<(Owned, Owned), Raised> {
    let number = |value: i32| Word::int_unchecked(i64::from(value));
    let message = vm.new_str(&error.msg)?;
    let filename = vm.new_str(&error.filename)?;
    let text = match &error.text {
        Some(text) if whole => vm.new_str(&format!("{text}\n"))?,
        Some(text) => vm.new_str(text)?,
        None => Owned::NONE,
    };
    let place = vm.new_tuple(&[
        filename.as_word(),
        number(error.lineno),
        number(error.offset),
        text.as_word(),
        number(error.end_lineno),
        number(error.end_offset),
    ])?;
    Ok((message, place))
}
