//! `_operator` (`_operator.c`): the operators as functions. Its classes are in `operator_get.rs`.

use super::operator_get;
use super::{add_type, set, with_functions};
use crate::object::args;
use crate::object::descr::{MethodDef, meth};
use crate::object::number::{self, nb};
use crate::object::types::CompareOp;
use crate::object::{Owned, PyResult, Raised, Vm, Word, call, int, protocol, sequence};
use crate::runtime::thread::Thread;
use crate::runtime::warnings;

const O: u16 = meth::O;
const FAST: u16 = meth::FASTCALL;

/// A function of two arguments.
macro_rules! two {
    ($name:literal, |$vm:ident, $a:ident, $b:ident| $body:expr) => {
        MethodDef::new($name, FAST, |$vm, _, args, _| {
            args::check_positional($vm, $name, args.len(), 2, 2)?;
            let ($a, $b) = (args[0], args[1]);
            $body
        })
    };
}
macro_rules! binary {
    ($name:literal, $op:expr) => {
        two!($name, |vm, a, b| number::number_binary(vm, $op, a, b))
    };
}
macro_rules! compare {
    ($name:literal, $op:ident) => {
        two!($name, |vm, a, b| protocol::rich_compare(
            vm,
            a,
            b,
            CompareOp::$op
        ))
    };
}
macro_rules! one {
    ($name:literal, |$vm:pat_param, $a:ident| $body:expr) => {
        MethodDef::new($name, O, |$vm, _, args, _| {
            let $a = args[0];
            $body
        })
    };
}

static FUNCTIONS: [MethodDef; 52] = [
    binary!("add", nb::ADD),
    binary!("sub", nb::SUBTRACT),
    binary!("mul", nb::MULTIPLY),
    binary!("matmul", nb::MATRIX_MULTIPLY),
    binary!("floordiv", nb::FLOOR_DIVIDE),
    binary!("truediv", nb::TRUE_DIVIDE),
    binary!("mod", nb::REMAINDER),
    two!("pow", |vm, a, b| number::power(vm, a, b, Word::NONE)),
    binary!("lshift", nb::LSHIFT),
    binary!("rshift", nb::RSHIFT),
    binary!("and_", nb::AND),
    binary!("xor", nb::XOR),
    binary!("or_", nb::OR),
    binary!("iadd", nb::INPLACE + nb::ADD),
    binary!("isub", nb::INPLACE + nb::SUBTRACT),
    binary!("imul", nb::INPLACE + nb::MULTIPLY),
    binary!("imatmul", nb::INPLACE + nb::MATRIX_MULTIPLY),
    binary!("ifloordiv", nb::INPLACE + nb::FLOOR_DIVIDE),
    binary!("itruediv", nb::INPLACE + nb::TRUE_DIVIDE),
    binary!("imod", nb::INPLACE + nb::REMAINDER),
    binary!("ipow", nb::INPLACE + nb::POWER),
    binary!("ilshift", nb::INPLACE + nb::LSHIFT),
    binary!("irshift", nb::INPLACE + nb::RSHIFT),
    binary!("iand", nb::INPLACE + nb::AND),
    binary!("ixor", nb::INPLACE + nb::XOR),
    binary!("ior", nb::INPLACE + nb::OR),
    compare!("lt", Lt),
    compare!("le", Le),
    compare!("eq", Eq),
    compare!("ne", Ne),
    compare!("gt", Gt),
    compare!("ge", Ge),
    one!("neg", |vm, a| number::negative(vm, a)),
    one!("pos", |vm, a| number::positive(vm, a)),
    one!("abs", |vm, a| number::absolute(vm, a)),
    one!("inv", |vm, a| invert(vm, a)),
    one!("invert", |vm, a| invert(vm, a)),
    one!("index", |vm, a| {
        let value = number::index(vm, a)?;
        int::exact(vm, value.as_word())
    }),
    one!("not_", |vm, a| Ok(Owned::bool(!protocol::is_true(vm, a)?))),
    one!("truth", |vm, a| Ok(Owned::bool(protocol::is_true(vm, a)?))),
    two!("is_", |vm, a, b| Ok(Owned::bool(a.is(b)))),
    two!("is_not", |vm, a, b| Ok(Owned::bool(!a.is(b)))),
    one!("is_none", |_, a| Ok(Owned::bool(a.is_none()))),
    one!("is_not_none", |_, a| Ok(Owned::bool(!a.is_none()))),
    two!("concat", |vm, a, b| concat(vm, nb::ADD, a, b)),
    two!("iconcat", |vm, a, b| concat(
        vm,
        nb::INPLACE + nb::ADD,
        a,
        b
    )),
    two!("contains", |vm, a, b| Ok(Owned::bool(sequence::contains(
        vm, a, b
    )?))),
    two!("countOf", |vm, a, b| count_of(vm, a, b)),
    two!("indexOf", |vm, a, b| index_of(vm, a, b)),
    two!("getitem", |vm, a, b| sequence::get_item(vm, a, b)),
    two!("delitem", |vm, a, b| sequence::del_item(vm, a, b)
        .map(|()| Owned::NONE)),
    MethodDef::new("setitem", FAST, |vm, _, args, _| {
        args::check_positional(vm, "setitem", args.len(), 3, 3)?;
        sequence::set_item(vm, args[0], args[1], args[2]).map(|()| Owned::NONE)
    }),
];
static MORE: [MethodDef; 2] = [
    MethodDef::new("length_hint", FAST, length_hint),
    MethodDef::new(
        "call",
        meth::FASTCALL | meth::KEYWORDS,
        |vm, _, args, names| {
            let positional = args.len() - args::keyword_names(names).len();
            if positional == 0 {
                return Err(vm.type_error("call expected at least 1 argument, got 0"));
            }
            call::call(vm, args[0], &args[1..], names)
        },
    ),
];

/// The special methods' names, beside those above.
const DUNDERS: [&str; 47] = [
    "add",
    "sub",
    "mul",
    "matmul",
    "floordiv",
    "truediv",
    "mod",
    "pow",
    "lshift",
    "rshift",
    "and_",
    "xor",
    "or_",
    "iadd",
    "isub",
    "imul",
    "imatmul",
    "ifloordiv",
    "itruediv",
    "imod",
    "ipow",
    "ilshift",
    "irshift",
    "iand",
    "ixor",
    "ior",
    "lt",
    "le",
    "eq",
    "ne",
    "gt",
    "ge",
    "neg",
    "pos",
    "abs",
    "inv",
    "invert",
    "index",
    "not_",
    "concat",
    "iconcat",
    "contains",
    "getitem",
    "delitem",
    "setitem",
    "call",
    "truth",
];

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "_operator", &FUNCTIONS)?;
    let name = vm.intern_str("_operator")?;
    for def in &MORE {
        let function = vm.new_builtin_function(def, None, Some(name.as_word()))?;
        set(vm, &module, def.name, function.as_word())?;
    }
    for name in DUNDERS.iter().filter(|name| **name != "truth") {
        let interned = vm.intern_str(name)?;
        let function = crate::object::attr::get_attr(vm, module.as_word(), interned.as_word())?;
        let dunder = format!("__{}__", name.trim_end_matches('_'));
        set(vm, &module, &dunder, function.as_word())?;
    }
    for spec in operator_get::specs() {
        add_type(vm, Some(&module), &spec, vm.types.object)?;
    }
    Ok(module)
}

fn concat(vm: Vm, op: usize, a: Word, b: Word) -> PyResult {
    // SAFETY: types are live as long as an instance.
    let is_sequence = unsafe {
        let slots = &raw const (*vm.type_of(a)).slots;
        (*slots).concat.is_some()
            || ((*slots).getitem.is_some() && !a.is_instance(crate::object::Kind::DICT))
    };
    if !is_sequence {
        return Err(vm.type_error(format!(
            "'{}' object can't be concatenated",
            vm.type_name(a)
        )));
    }
    number::number_binary(vm, op, a, b)
}

fn equal_items(
    vm: Vm,
    iterable: Word,
    value: Word,
    mut each: impl FnMut(usize) -> bool,
) -> Result<(), Raised> {
    let iterator = match sequence::get_iter(vm, iterable) {
        Ok(iterator) => iterator,
        Err(_) if vm.exception_matches(vm.exc.TypeError) => {
            vm.clear_exception();
            return Err(vm.type_error(format!(
                "argument of type '{}' is not iterable",
                vm.type_name(iterable)
            )));
        }
        Err(raised) => return Err(raised),
    };
    let mut index = 0;
    while let Some(item) = sequence::next_unless_interrupted(vm, iterator.as_word())? {
        if protocol::rich_compare_bool(vm, item.as_word(), value, CompareOp::Eq)? && !each(index) {
            break;
        }
        index += 1;
    }
    Ok(())
}

fn count_of(vm: Vm, iterable: Word, value: Word) -> PyResult {
    let mut count = 0;
    equal_items(vm, iterable, value, |_| {
        count += 1;
        true
    })?;
    vm.new_int_usize(count)
}
fn index_of(vm: Vm, iterable: Word, value: Word) -> PyResult {
    let mut found = None;
    equal_items(vm, iterable, value, |index| {
        found = Some(index);
        false
    })?;
    match found {
        Some(index) => vm.new_int_usize(index),
        None => Err(vm.value_error("sequence.index(x): x not in sequence")),
    }
}

fn length_hint(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "length_hint", args.len(), 1, 2)?;
    let default = match args.get(1) {
        None => 0,
        Some(default) if int::is_int(*default) => number::index_isize(vm, *default)?,
        Some(default) => {
            return Err(vm.type_error(format!(
                "'{}' object cannot be interpreted as an integer",
                vm.type_name(*default)
            )));
        }
    };
    let hint = sequence::length_hint(vm, args[0], usize::MAX)?;
    if hint == usize::MAX {
        return vm.new_int(default as i64);
    }
    vm.new_int_usize(hint)
}

fn invert(vm: Vm, value: Word) -> PyResult {
    if value.is_bool() {
        warnings::inverted_bool(vm);
    }
    number::invert(vm, value)
}
