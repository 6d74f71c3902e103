//! `sys.stdin`, `sys.stdout`, `sys.stderr`: text in UTF-8 over the VM's sinks (`_io.TextIOWrapper` as programs use it).

use crate::object::descr::{GetSetDef, MethodDef, meth};
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Header, Kind, Owned, PyResult, Raised, TypeSpec, Vm, Word, args, number, sequence, str,
};
use crate::runtime::thread::Thread;
use crate::runtime::{io_error, utf8};
use std::io::{BufRead, ErrorKind, Read, Write};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Stdin,
    Stdout,
    Stderr,
}

#[repr(C)]
struct Stream {
    header: Header,
    which: Which,
}

static METHODS: [MethodDef; 10] = [
    MethodDef::new("write", meth::O, method_write),
    MethodDef::new("writelines", meth::O, writelines),
    MethodDef::new("flush", meth::NOARGS, method_flush),
    MethodDef::new("read", meth::FASTCALL, read),
    MethodDef::new("readline", meth::FASTCALL, readline),
    MethodDef::new("readlines", meth::NOARGS, readlines),
    MethodDef::new("fileno", meth::NOARGS, |_, this, _, _| {
        Ok(Owned::small_int(of(this) as i64))
    }),
    MethodDef::new("isatty", meth::NOARGS, |_, this, _, _| {
        Ok(Owned::bool(is_terminal(of(this))))
    }),
    MethodDef::new("readable", meth::NOARGS, |_, this, _, _| {
        Ok(Owned::bool(of(this) == Which::Stdin))
    }),
    MethodDef::new("writable", meth::NOARGS, |_, this, _, _| {
        Ok(Owned::bool(of(this) != Which::Stdin))
    }),
];

static GETSET: [GetSetDef; 5] = [
    GetSetDef::new("name", |vm, this| vm.new_str(name(of(this))), None),
    GetSetDef::new(
        "mode",
        |vm, this| vm.new_str(if of(this) == Which::Stdin { "r" } else { "w" }),
        None,
    ),
    GetSetDef::new("encoding", |vm, _| vm.new_str("utf-8"), None),
    GetSetDef::new(
        "errors",
        |vm, this| {
            vm.new_str(if of(this) == Which::Stderr {
                "backslashreplace"
            } else {
                "strict"
            })
        },
        None,
    ),
    GetSetDef::new("closed", |_, _| Ok(Owned::FALSE), None),
];

pub(in crate::runtime) fn type_spec() -> TypeSpec {
    let slots = Slots {
        repr: Some(repr),
        iter: Some(|_, this| Ok(Owned::new_ref(this))),
        iternext: Some(next),
        ..Slots::EMPTY
    };
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        methods: &METHODS,
        getset: &GETSET,
        ..TypeSpec::new::<Stream>("_io.TextIOWrapper", Kind::OTHER, slots)
    }
}

pub(super) fn new(ts: &Thread, which: Which) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let stream = ts.vm().alloc::<Stream>(ts.stream_type.get())?;
        (*stream).which = which;
        Ok(Owned::from_raw(stream))
    }
}

/// Which stream a value is, if it is one of ours.
pub fn which(vm: Vm, object: Word) -> Option<Which> {
    (std::ptr::eq(vm.type_of(object), Thread::of(vm).stream_type.get())).then(|| of(object))
}

fn of(stream: Word) -> Which {
    // SAFETY: methods and slots of the type are called with its instances only.
    unsafe { (*stream.cast::<Stream>()).which }
}

fn name(which: Which) -> &'static str {
    match which {
        Which::Stdin => "<stdin>",
        Which::Stdout => "<stdout>",
        Which::Stderr => "<stderr>",
    }
}

fn is_terminal(which: Which) -> bool {
    // SAFETY: asks about a descriptor's number.
    unsafe { libc::isatty(which as i32) == 1 }
}

fn repr(vm: Vm, stream: Word) -> PyResult {
    let mode = if of(stream) == Which::Stdin { "r" } else { "w" };
    vm.new_str(&format!(
        "<_io.TextIOWrapper name='{}' mode='{mode}' encoding='utf-8'>",
        name(of(stream))
    ))
}

// ---- writing

/// Writes a string.
pub fn write(ts: &Thread, which: Which, text: Word) -> Result<(), Raised> {
    let vm = ts.vm();
    let sink = match which {
        Which::Stdout => &ts.stdout,
        Which::Stderr => &ts.stderr,
        Which::Stdin => return Err(unsupported(vm, "not writable")),
    };
    let written = match which {
        Which::Stderr => sink
            .borrow_mut()
            .write_all(utf8::replace_surrogates(text).as_bytes()),
        _ => sink.borrow_mut().write_all(&utf8::encode(vm, text)?),
    };
    written.map_err(|error| io_error::raise(vm, &error, None))
}

pub fn flush(ts: &Thread, which: Which) -> Result<(), Raised> {
    let flushed = match which {
        Which::Stdin => Ok(()),
        Which::Stdout => ts.stdout.borrow_mut().flush(),
        Which::Stderr => ts.stderr.borrow_mut().flush(),
    };
    flushed.map_err(|error| io_error::raise(ts.vm(), &error, None))
}

/// Before the program waits for somebody: what it has written is to be seen.
pub fn flush_all(ts: &Thread) -> Result<(), Raised> {
    flush(ts, Which::Stdout)?;
    flush(ts, Which::Stderr)
}

#[cold]
fn unsupported(vm: Vm, what: &str) -> Raised {
    vm.raise(vm.exc.OSError, what)
}

fn method_write(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if !str::is_str(args[0]) {
        return Err(vm.type_error(format!(
            "write() argument must be str, not {}",
            vm.argument_type(args[0])
        )));
    }
    write(Thread::of(vm), of(this), args[0])?;
    vm.new_int_usize(str::chars(args[0]).len())
}

fn writelines(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    sequence::for_each(vm, args[0], |line| {
        method_write(vm, this, &[line.as_word()], None).map(drop)
    })?;
    Ok(Owned::NONE)
}

fn method_flush(vm: Vm, this: Word, _: &[Word], _: Option<Word>) -> PyResult {
    flush(Thread::of(vm), of(this)).map(|()| Owned::NONE)
}

// ---- reading

/// A line of standard input with its newline; empty at the end.
pub fn read_line(ts: &Thread) -> Result<Vec<u8>, Raised> {
    flush_all(ts)?;
    let mut line = Vec::new();
    loop {
        match read_part(ts, &mut line) {
            Ok(true) => return Ok(line),
            Ok(false) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => ts.vm().check_signals()?,
            Err(error) => return Err(io_error::raise(ts.vm(), &error, None)),
        }
    }
}

/// Reads what there is of a line; true at its end. A signal interrupts it.
fn read_part(ts: &Thread, line: &mut Vec<u8>) -> std::io::Result<bool> {
    let mut stdin = ts.stdin.borrow_mut();
    let ready = stdin.fill_buf()?;
    let end = memchr::memchr(b'\n', ready);
    let taken = end.map_or(ready.len(), |end| end + 1);
    line.extend_from_slice(&ready[..taken]);
    stdin.consume(taken);
    Ok(end.is_some() || taken == 0)
}

fn readable(vm: Vm, this: Word) -> Result<(), Raised> {
    if of(this) == Which::Stdin {
        Ok(())
    } else {
        Err(unsupported(vm, "not readable"))
    }
}

/// How much to read: None for all of it.
fn size(vm: Vm, function: &str, args: &[Word]) -> Result<Option<usize>, Raised> {
    args::check_positional(vm, function, args.len(), 0, 1)?;
    match args.first() {
        None | Some(&Word::NONE) => Ok(None),
        Some(size) => Ok(usize::try_from(number::index_isize(vm, *size)?).ok()),
    }
}

/// `read(n)`: `n` characters, or everything.
fn read(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    readable(vm, this)?;
    let size = size(vm, "read", args)?;
    let ts = Thread::of(vm);
    let mut stdin = ts.stdin.borrow_mut();
    let mut text = Vec::new();
    let read = match size {
        None => stdin.read_to_end(&mut text).map(drop),
        Some(count) => read_characters(&mut **stdin, count, false, &mut text),
    };
    drop(stdin);
    read.map_err(|error| io_error::raise(vm, &error, None))?;
    vm.str_from_wtf8(&text)
}

/// Up to `count` characters, or up to the end of the line.
fn read_characters(
    input: &mut dyn BufRead,
    count: usize,
    line: bool,
    text: &mut Vec<u8>,
) -> std::io::Result<()> {
    let mut characters = 0;
    loop {
        let buffer = input.fill_buf()?;
        let Some(first) = buffer.first().copied() else {
            return Ok(());
        };
        // A continuation byte belongs to the character before it.
        if first & 0xc0 != 0x80 {
            if characters == count {
                return Ok(());
            }
            characters += 1;
        }
        text.push(first);
        input.consume(1);
        if line && first == b'\n' {
            return Ok(());
        }
    }
}

fn readline(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    readable(vm, this)?;
    let limit = size(vm, "readline", args)?.unwrap_or(usize::MAX);
    let ts = Thread::of(vm);
    flush_all(ts)?;
    let mut text = Vec::new();
    let read = read_characters(&mut **ts.stdin.borrow_mut(), limit, true, &mut text);
    read.map_err(|error| io_error::raise(vm, &error, None))?;
    vm.str_from_wtf8(&text)
}

fn readlines(vm: Vm, this: Word, _: &[Word], _: Option<Word>) -> PyResult {
    readable(vm, this)?;
    let mut lines = Vec::new();
    while let Some(line) = next(vm, this)? {
        lines.push(line);
    }
    vm.list_from_owned(lines)
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    readable(vm, this)?;
    let line = read_line(Thread::of(vm))?;
    if line.is_empty() {
        Ok(None)
    } else {
        vm.str_from_wtf8(&line).map(Some)
    }
}
