//! `print` and `input`.

use crate::object::args::{self, Signature};
use crate::object::{Owned, PyResult, Raised, Vm, Word, attr, call, protocol, str};
use crate::runtime::modules::stream;
use crate::runtime::modules::sys;
use crate::runtime::thread::Thread;

static PRINT: Signature<4> =
    Signature::new("print", ["sep", "end", "file", "flush"], 0).keyword_only(0);

/// Where `print` writes: a stream of ours takes text as it is, anything else has its `write` called.
enum Target {
    Stream(stream::Which),
    File(Owned),
}

impl Target {
    fn write(&self, ts: &Thread, text: Word) -> Result<(), Raised> {
        match self {
            Target::Stream(which) => stream::write(ts, *which, text),
            Target::File(file) => {
                let vm = ts.vm();
                let write = attr::get_attr(vm, file.as_word(), vm.names.write)?;
                call::call_one(vm, write.as_word(), text).map(drop)
            }
        }
    }
    fn flush(&self, ts: &Thread) -> Result<(), Raised> {
        match self {
            Target::Stream(which) => stream::flush(ts, *which),
            Target::File(file) => {
                let vm = ts.vm();
                let flush = attr::get_attr(vm, file.as_word(), vm.names.flush)?;
                call::call(vm, flush.as_word(), &[], None).map(drop)
            }
        }
    }
}

pub fn print(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let ts = Thread::of(vm);
    let named = args::keyword_names(kwnames).len();
    let (values, keywords) = args.split_at(args.len() - named);
    let [sep, end, file, flush] = PRINT
        .unpack(vm, keywords, kwnames)?
        .map(|word| word.unwrap_or(Word::NONE));
    let file = if file.is_none() {
        sys::required_attr(ts, vm.names.stdout)?
    } else {
        Owned::new_ref(file)
    };
    // A program without console has None there, and prints into nothing.
    if file.as_word().is_none() {
        return Ok(Owned::NONE);
    }
    for (name, word) in [("sep", sep), ("end", end)] {
        if !word.is_none() && !str::is_str(word) {
            return Err(vm.type_error(format!(
                "{name} must be None or a string, not {}",
                vm.type_name(word)
            )));
        }
    }
    let target = match stream::which(vm, file.as_word()) {
        Some(which) => Target::Stream(which),
        None => Target::File(file),
    };
    let space = vm.str_from_char(u32::from(b' '))?;
    let newline = vm.str_from_char(u32::from(b'\n'))?;
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            target.write(ts, if sep.is_none() { space.as_word() } else { sep })?;
        }
        let text = protocol::str(vm, *value)?;
        target.write(ts, text.as_word())?;
    }
    target.write(
        ts,
        if end.is_none() {
            newline.as_word()
        } else {
            end
        },
    )?;
    if protocol::is_true(vm, flush)? {
        target.flush(ts)?;
    }
    Ok(Owned::NONE)
}

/// A line of standard input, after the prompt if there is one.
pub fn input(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "input", args.len(), 0, 1)?;
    let ts = Thread::of(vm);
    let file = sys::required_attr(ts, vm.names.stdout)?;
    let target = match stream::which(vm, file.as_word()) {
        Some(which) => Target::Stream(which),
        None => Target::File(file),
    };
    if let Some(prompt) = args.first() {
        let text = protocol::str(vm, *prompt)?;
        target.write(ts, text.as_word())?;
    }
    target.flush(ts)?;
    let line = stream::read_line(ts)?;
    if line.is_empty() {
        return Err(vm.raise(vm.exc.EOFError, "EOF when reading a line"));
    }
    let line = line.strip_suffix(b"\n").unwrap_or(&line);
    vm.str_from_wtf8(line)
}
