//! Methods of `bytearray`: those that change it, and those that it shares with `bytes`.

use super::args;
use super::bytearray::{bytes_of, copy_of, is_bytearray, of};
use super::bytes::{self, byte};
use super::bytes_methods;
use super::descr::{MethodDef, meth};
use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::vm::Vm;
use super::word::Word;
use super::{list, number, sequence, tuple};

const O: u16 = meth::O;
const NOARGS: u16 = meth::NOARGS;
const FAST: u16 = meth::FASTCALL;
const KEYS: u16 = meth::FASTCALL | meth::KEYWORDS;

/// A method of `bytes`, called with a copy of the array.
macro_rules! shared {
    ($name:literal, $flags:expr) => {
        MethodDef::new($name, $flags, |vm, this, args, names| {
            forward(vm, $name, this, args, names)
        })
    };
}

pub(super) static METHODS: &[MethodDef] = &[
    MethodDef::new("append", O, append),
    MethodDef::new("clear", NOARGS, |vm, this, _, _| {
        of(this).resize(vm, 0)?;
        Ok(Owned::NONE)
    }),
    MethodDef::new("copy", NOARGS, |vm, this, _, _| {
        vm.new_bytearray(of(this).contents())
    }),
    MethodDef::new("extend", O, extend),
    MethodDef::new("fromhex", O | meth::CLASS, fromhex),
    MethodDef::new("insert", FAST, insert),
    MethodDef::new("maketrans", FAST | meth::STATIC, |vm, this, args, names| {
        by_name(vm, "maketrans", this, args, names)
    }),
    MethodDef::new("pop", FAST, pop),
    MethodDef::new("remove", O, remove),
    MethodDef::new("resize", O, resize),
    MethodDef::new("reverse", NOARGS, |_, this, _, _| {
        of(this).contents_mut().reverse();
        Ok(Owned::NONE)
    }),
    shared!("capitalize", NOARGS),
    shared!("center", FAST),
    shared!("count", FAST),
    shared!("decode", KEYS),
    shared!("endswith", FAST),
    shared!("expandtabs", KEYS),
    shared!("find", FAST),
    shared!("hex", KEYS),
    shared!("index", FAST),
    shared!("isalnum", NOARGS),
    shared!("isalpha", NOARGS),
    shared!("isascii", NOARGS),
    shared!("isdigit", NOARGS),
    shared!("islower", NOARGS),
    shared!("isspace", NOARGS),
    shared!("istitle", NOARGS),
    shared!("isupper", NOARGS),
    shared!("join", O),
    shared!("ljust", FAST),
    shared!("lower", NOARGS),
    shared!("lstrip", FAST),
    shared!("partition", O),
    shared!("removeprefix", O),
    shared!("removesuffix", O),
    shared!("replace", KEYS),
    shared!("rfind", FAST),
    shared!("rindex", FAST),
    shared!("rjust", FAST),
    shared!("rpartition", O),
    shared!("rsplit", KEYS),
    shared!("rstrip", FAST),
    shared!("split", KEYS),
    shared!("splitlines", KEYS),
    shared!("startswith", FAST),
    shared!("strip", FAST),
    shared!("swapcase", NOARGS),
    shared!("title", NOARGS),
    shared!("translate", KEYS),
    shared!("upper", NOARGS),
    shared!("zfill", O),
];

fn by_name(vm: Vm, name: &str, this: Word, args: &[Word], names: Option<Word>) -> PyResult {
    match bytes_methods::METHODS.iter().find(|def| def.name == name) {
        Some(def) => (def.func)(vm, this, args, names),
        None => Err(vm.raise(vm.exc.SystemError, "bytes lacks a method of bytearray")),
    }
}

fn forward(vm: Vm, name: &str, this: Word, args: &[Word], names: Option<Word>) -> PyResult {
    let frozen = |word: Word| {
        if is_bytearray(word) {
            bytes::new_bytes(vm, of(word).contents())
        } else {
            Ok(Owned::new_ref(word))
        }
    };
    let own = frozen(this)?;
    let held = args
        .iter()
        .map(|arg| frozen(*arg))
        .collect::<Result<Vec<_>, Raised>>()?;
    let words: Vec<Word> = held.iter().map(Owned::as_word).collect();
    let result = by_name(vm, name, own.as_word(), &words, names)?;
    thawed(vm, result)
}
/// Arrays in the place of bytes, in a list or tuple too.
fn thawed(vm: Vm, result: Owned) -> PyResult {
    let word = result.as_word();
    if word.is_exact(Kind::BYTES) {
        return vm.new_bytearray(bytes::contents(word));
    }
    let thaw = |items: &[Word]| {
        items
            .iter()
            .map(|item| thawed(vm, Owned::new_ref(*item)))
            .collect::<Result<Vec<_>, Raised>>()
    };
    // SAFETY: a tuple or list that `result` holds and nobody else knows.
    unsafe {
        if word.is_exact(Kind::TUPLE) {
            return vm.tuple_from_owned(thaw(tuple::items(word))?);
        }
        if word.is_exact(Kind::LIST) {
            return vm.list_from_owned(thaw(list::items(word))?);
        }
    }
    Ok(result)
}

fn fromhex(vm: Vm, class: Word, args: &[Word], names: Option<Word>) -> PyResult {
    // SAFETY: built-in types live as long as the VM.
    let plain = unsafe { (*vm.types.bytes).word() };
    let parsed = by_name(vm, "fromhex", plain, args, names)?;
    super::call::call_one(vm, class, parsed.as_word())
}

const RANGE: &str = "byte must be in range(0, 256)";

fn append(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let value = byte(vm, args[0], RANGE)?;
    let own = of(this);
    own.resize(vm, own.len() + 1)?;
    if let Some(last) = own.contents_mut().last_mut() {
        *last = value;
    }
    Ok(Owned::NONE)
}
fn extend(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let data = if bytes::is_bytes_like(args[0]) {
        copy_of(vm, bytes::contents(args[0]))?
    } else {
        if super::str::is_str(args[0]) {
            return Err(vm.type_error("expected iterable of integers; got: 'str'"));
        }
        bytes_of(vm, args[0], |vm| {
            format!("can't extend bytearray with {}", vm.type_name(args[0]))
        })?
    };
    let own = of(this);
    own.splice(vm, own.len(), own.len(), &data)?;
    Ok(Owned::NONE)
}
fn insert(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "insert", args.len(), 2, 2)?;
    let index = number::index_isize(vm, args[0])?;
    let value = byte(vm, args[1], RANGE)?;
    let own = of(this);
    let length = own.len() as isize;
    let index = if index < 0 {
        (index + length).max(0)
    } else {
        index.min(length)
    };
    own.splice(vm, index as usize, index as usize, &[value])?;
    Ok(Owned::NONE)
}
fn pop(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "pop", args.len(), 0, 1)?;
    let index = match args.first() {
        Some(index) => number::index_isize(vm, *index)?,
        None => -1,
    };
    let own = of(this);
    if own.len() == 0 {
        return Err(vm.index_error("pop from empty bytearray"));
    }
    let Some(index) = sequence::wrap_index(index, own.len()) else {
        return Err(vm.index_error("pop index out of range"));
    };
    let value = own.contents()[index];
    own.splice(vm, index, index + 1, &[])?;
    Ok(Owned::small_int(i64::from(value)))
}
fn remove(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let value = byte(vm, args[0], RANGE)?;
    let own = of(this);
    match own.contents().iter().position(|byte| *byte == value) {
        Some(index) => {
            own.splice(vm, index, index + 1, &[])?;
            Ok(Owned::NONE)
        }
        None => Err(vm.value_error("value not found in bytearray")),
    }
}
fn resize(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let size = number::index_isize(vm, args[0])?;
    match usize::try_from(size) {
        Ok(size) => {
            of(this).resize(vm, size)?;
            Ok(Owned::NONE)
        }
        Err(_) => Err(vm.value_error(format!(
            "bytearray.resize(): new size must be >= 0, got {size}"
        ))),
    }
}
