//! Code objects that a program makes itself: `CodeType(..)` and `replace` (`code_new_impl`, `code_replace_impl`). They are
//! verified like the compiler's.

use super::code::{self, CodeObject};
use super::code_type::{names_of_kind, of};
use super::thread::Thread;
use crate::bytecode::spec::{CodeSpec, Constant, Wtf8, local_kind};
use crate::object::args;
use crate::object::{
    Kind, Owned, PyResult, Raised, TypeObject, Vm, Word, bytes, int, number, str, tuple,
};
use std::rc::Rc;

/// What can be given, in the order in which `CodeType` takes it; `replace` takes them by these names.
const NAMES: [&str; 18] = [
    "co_argcount",
    "co_posonlyargcount",
    "co_kwonlyargcount",
    "co_nlocals",
    "co_stacksize",
    "co_flags",
    "co_code",
    "co_consts",
    "co_names",
    "co_varnames",
    "co_filename",
    "co_name",
    "co_qualname",
    "co_firstlineno",
    "co_linetable",
    "co_exceptiontable",
    "co_freevars",
    "co_cellvars",
];
const ARGCOUNT: usize = 0;
const POSONLYARGCOUNT: usize = 1;
const KWONLYARGCOUNT: usize = 2;
const NLOCALS: usize = 3;
const STACKSIZE: usize = 4;
const FLAGS: usize = 5;
const CODE: usize = 6;
const CONSTS: usize = 7;
const CO_NAMES: usize = 8;
const VARNAMES: usize = 9;
const FILENAME: usize = 10;
const NAME: usize = 11;
const QUALNAME: usize = 12;
const FIRSTLINENO: usize = 13;
const LINETABLE: usize = 14;
const EXCEPTIONTABLE: usize = 15;
const FREEVARS: usize = 16;
const CELLVARS: usize = 17;

/// The values of all of them, each of its type: ints as ints, the rest as the objects.
struct Given {
    ints: [i32; 18],
    objects: [Word; 18],
}

impl Given {
    /// Takes one value; `said` begins the message that says what it should have been.
    fn take(
        &mut self,
        vm: Vm,
        at: usize,
        value: Word,
        said: impl Fn() -> String,
    ) -> Result<(), Raised> {
        let wanted = match at {
            ARGCOUNT..=FLAGS | FIRSTLINENO => {
                let index = number::index(vm, value)?;
                let small = int::value(index.as_word()).and_then(|value| value.to_i64());
                let small = small.and_then(|value| i32::try_from(value).ok());
                self.ints[at] = small
                    .ok_or_else(|| vm.overflow_error("Python int too large to convert to C int"))?;
                return Ok(());
            }
            CODE | LINETABLE | EXCEPTIONTABLE => ("bytes", value.is_instance(Kind::BYTES)),
            FILENAME | NAME | QUALNAME => ("str", str::is_str(value)),
            _ => ("tuple", tuple::is_tuple(value)),
        };
        self.objects[at] = value;
        match wanted {
            (_, true) => Ok(()),
            (type_name, false) => {
                let got = if value.is_none() {
                    "None".to_owned()
                } else {
                    vm.type_name(value)
                };
                Err(vm.type_error(format!("{} must be {type_name}, not {got}", said())))
            }
        }
    }
    fn items(&self, at: usize) -> &[Word] {
        // SAFETY: a tuple by its type, kept by the caller's arguments or code object.
        unsafe { tuple::items(self.objects[at]) }
    }
    fn bytes(&self, at: usize) -> Vec<u8> {
        bytes::contents(self.objects[at]).to_vec()
    }

    /// `PyCode_NewWithPosOnlyArgs`.
    fn make(&self, vm: Vm) -> PyResult {
        let int = |at: usize| self.ints[at];
        let locals = self.items(VARNAMES).len();
        let negative = [KWONLYARGCOUNT, POSONLYARGCOUNT, NLOCALS, STACKSIZE, FLAGS];
        if negative.iter().any(|at| int(*at) < 0) || int(ARGCOUNT) < int(POSONLYARGCOUNT) {
            return Err(vm.raise(vm.exc.SystemError, "bad argument to internal function"));
        }
        let code = self.bytes(CODE);
        if code.is_empty() || !code.len().is_multiple_of(2) {
            return Err(vm.value_error("code: co_code is malformed"));
        }
        let flags = int(FLAGS) as u32;
        let extra = [0x4, 0x8].iter().filter(|flag| flags & **flag != 0).count();
        let arguments = i64::from(int(ARGCOUNT)) + i64::from(int(KWONLYARGCOUNT)) + extra as i64;
        if arguments > locals as i64 {
            return Err(vm.value_error("code: co_varnames is too small"));
        }
        if int(NLOCALS) as usize != locals {
            return Err(vm.value_error("code: co_nlocals != len(co_varnames)"));
        }
        let mut names = Vec::new();
        for at in [CO_NAMES, VARNAMES, FREEVARS, CELLVARS] {
            if !self.items(at).iter().all(|name| str::is_str(*name)) {
                return Err(vm.raise(vm.exc.SystemError, "non-string found in code slot"));
            }
            names.push(self.items(at).iter().map(|name| text(*name)).collect());
        }
        let [names, varnames, freevars, cellvars]: [Vec<Wtf8>; 4] =
            names.try_into().unwrap_or_default();
        // Words of a frame have to be countable in an int of C, in bytes.
        let words = varnames.len() + freevars.len() + cellvars.len() + int(STACKSIZE) as usize;
        if words > i32::MAX as usize / 16 {
            return Err(vm.overflow_error("code: co_stacksize is too large"));
        }
        let (localsplusnames, localspluskinds) = slots(varnames, cellvars, freevars);
        let consts = self.items(CONSTS);
        let spec = CodeSpec {
            filename: str::to_string_lossy(self.objects[FILENAME]).into(),
            name: text(self.objects[NAME]),
            qualname: text(self.objects[QUALNAME]),
            flags,
            code,
            firstlineno: int(FIRSTLINENO),
            linetable: self.bytes(LINETABLE),
            consts: consts.iter().map(|word| known(*word, 1)).collect(),
            names,
            localsplusnames,
            localspluskinds,
            argcount: int(ARGCOUNT) as u32,
            posonlyargcount: int(POSONLYARGCOUNT) as u32,
            kwonlyargcount: int(KWONLYARGCOUNT) as u32,
            stacksize: int(STACKSIZE) as u32,
            exceptiontable: self.bytes(EXCEPTIONTABLE),
        };
        let consts = consts.iter().map(|word| Owned::new_ref(*word)).collect();
        code::new_code_of(Thread::of(vm), &Rc::new(spec), consts)
    }
}

fn text(word: Word) -> Wtf8 {
    str::chars(word).iter().collect()
}

/// A cell that is a local too has one place, the local's.
fn slots(varnames: Vec<Wtf8>, cellvars: Vec<Wtf8>, freevars: Vec<Wtf8>) -> (Vec<Wtf8>, Vec<u8>) {
    let mut kinds = vec![local_kind::LOCAL; varnames.len()];
    let mut names = varnames;
    let locals = names.len();
    for name in cellvars {
        match names[..locals].iter().position(|local| *local == name) {
            Some(at) => kinds[at] |= local_kind::CELL,
            None => {
                names.push(name);
                kinds.push(local_kind::CELL);
            }
        }
    }
    kinds.resize(names.len() + freevars.len(), local_kind::FREE);
    names.extend(freevars);
    (names, kinds)
}

/// What the verifier has to know of a constant; tuples are looked into once.
fn known(word: Word, depth: u32) -> Constant {
    match word {
        Word::NONE => Constant::None,
        Word::TRUE => Constant::True,
        Word::FALSE => Constant::False,
        _ if word.is_exact(Kind::STR) => Constant::Str(text(word)),
        _ if word.is_exact(Kind::TUPLE) && depth > 0 => {
            // SAFETY: a tuple by its kind.
            let items = unsafe { tuple::items(word) };
            Constant::Tuple(items.iter().map(|item| known(*item, depth - 1)).collect())
        }
        _ => Constant::Given {
            code: word
                .is_exact(Kind::CODE)
                .then(|| of(word).free_count() as u32),
        },
    }
}

/// `CodeType(..)`: positional arguments only, the last two may be missing.
pub(super) fn code_new(
    vm: Vm,
    _: *mut TypeObject,
    args: &[Word],
    kwnames: Option<Word>,
) -> PyResult {
    args::no_keywords(vm, "code", kwnames)?;
    args::check_positional(vm, "code", args.len(), 16, 18)?;
    let empty = vm.empty_tuple();
    let mut given = Given {
        ints: [0; 18],
        objects: [empty.as_word(); 18],
    };
    for (at, value) in args.iter().enumerate() {
        given.take(vm, at, *value, || format!("code() argument {}", at + 1))?;
    }
    for at in [ARGCOUNT, POSONLYARGCOUNT, KWONLYARGCOUNT, NLOCALS] {
        if given.ints[at] < 0 {
            let name = &NAMES[at][3..];
            return Err(vm.value_error(format!("code: {name} must not be negative")));
        }
    }
    for at in [CO_NAMES, VARNAMES, FREEVARS, CELLVARS] {
        if let Some(wrong) = given.items(at).iter().find(|name| !str::is_str(**name)) {
            let got = vm.type_name(*wrong);
            return Err(vm.type_error(format!(
                "name tuples must contain only strings, not '{got}'"
            )));
        }
    }
    given.make(vm)
}

/// `code.replace(..)`: by name only, what is not given stays.
pub(super) fn replace(vm: Vm, self_: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let names = args::keyword_names(kwnames);
    if args.len() > names.len() {
        return Err(vm.type_error("replace() takes no positional arguments"));
    }
    let code: &CodeObject = of(self_);
    let spec = &code.spec;
    let tuple_of = |kind: u8| {
        let wanted = names_of_kind(code, move |kinds| kinds & kind != 0);
        vm.new_tuple(&wanted.collect::<Vec<_>>())
    };
    // What the words of `given` are borrowed from.
    let own = [
        (CODE, bytes::new_bytes(vm, &spec.code)?),
        (CONSTS, vm.new_tuple(code.consts())?),
        (CO_NAMES, vm.new_tuple(&code.names)?),
        (VARNAMES, tuple_of(local_kind::LOCAL)?),
        (FILENAME, Owned::new_ref(code.filename)),
        (NAME, Owned::new_ref(code.name)),
        (QUALNAME, Owned::new_ref(code.qualname)),
        (LINETABLE, bytes::new_bytes(vm, &spec.linetable)?),
        (EXCEPTIONTABLE, bytes::new_bytes(vm, &spec.exceptiontable)?),
        (FREEVARS, tuple_of(local_kind::FREE)?),
        (CELLVARS, tuple_of(local_kind::CELL)?),
    ];
    let mut given = Given {
        ints: [0; 18],
        objects: [Word::NONE; 18],
    };
    for (at, value) in &own {
        given.objects[*at] = value.as_word();
    }
    let locals = given.items(VARNAMES).len();
    let ints = [
        (ARGCOUNT, spec.argcount as i32),
        (POSONLYARGCOUNT, spec.posonlyargcount as i32),
        (KWONLYARGCOUNT, spec.kwonlyargcount as i32),
        (NLOCALS, locals as i32),
        (STACKSIZE, spec.stacksize as i32),
        (FLAGS, spec.flags as i32),
        (FIRSTLINENO, spec.firstlineno),
    ];
    for (at, value) in ints {
        given.ints[at] = value;
    }
    for (name, value) in names.iter().zip(args) {
        let Some(at) = NAMES.iter().position(|own| str::equals(*name, own)) else {
            let name = str::to_string_lossy(*name);
            return Err(vm.type_error(format!(
                "replace() got an unexpected keyword argument '{name}'"
            )));
        };
        given.take(vm, at, *value, || {
            format!("replace() argument '{}'", NAMES[at])
        })?;
        if matches!(at, ARGCOUNT..=FLAGS | FIRSTLINENO) && given.ints[at] < 0 {
            let name = NAMES[at];
            return Err(vm.value_error(format!("{name} must be a positive integer")));
        }
    }
    given.make(vm)
}
