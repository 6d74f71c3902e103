//! `_opcode` (`_opcode.c`) and `_opcode_metadata`: the generated tables as programs see them.

use super::{set, with_functions};
use crate::bytecode::Opcode;
use crate::bytecode::operands::{BINARY_OPS, INTRINSICS_1, INTRINSICS_2, SPECIAL_METHODS};
use crate::object::args::Signature;
use crate::object::descr::{MethodDef, meth};
use crate::object::{Kind, Owned, PyResult, Raised, Vm, Word, dict, int, number};
use crate::runtime::thread::Thread;

const FAST_KEYWORDS: u16 = meth::FASTCALL | meth::KEYWORDS;
const NOARGS: u16 = meth::NOARGS;

static STACK_EFFECT: Signature<3> = Signature::new("stack_effect", ["opcode", "oparg", "jump"], 1)
    .positional_only(2)
    .keyword_only(2);
static GET_EXECUTOR: Signature<2> = Signature::new("get_executor", ["code", "offset"], 2);

/// A question about one opcode.
macro_rules! question {
    ($name:literal, $test:expr) => {
        MethodDef::new($name, FAST_KEYWORDS, |vm, _, args, names| {
            static SIGNATURE: Signature<1> = Signature::new($name, ["opcode"], 1);
            let test: fn(Opcode) -> bool = $test;
            let [opcode] = SIGNATURE.unpack(vm, args, names)?;
            let opcode = opcode_of(vm, opcode.unwrap_or(Word::NONE))?;
            Ok(Owned::bool(opcode.is_some_and(test)))
        })
    };
}

static FUNCTIONS: [MethodDef; 15] = [
    MethodDef::new("stack_effect", FAST_KEYWORDS, stack_effect),
    question!("is_valid", |_| true),
    question!("has_arg", Opcode::has_arg),
    question!("has_const", Opcode::has_const),
    question!("has_name", Opcode::has_name),
    question!("has_jump", Opcode::has_jump),
    question!("has_free", Opcode::has_free),
    question!("has_local", Opcode::has_local),
    question!("has_exc", |op| op.handler_words().is_some()),
    MethodDef::new("get_nb_ops", NOARGS, |vm, _, _, _| {
        let pairs = BINARY_OPS.iter().map(|(name, symbol)| {
            vm.tuple_from_owned(vec![vm.new_str(name)?, vm.new_str(symbol)?])
        });
        vm.list_from_owned(pairs.collect::<Result<_, _>>()?)
    }),
    MethodDef::new("get_intrinsic1_descs", NOARGS, |vm, _, _, _| {
        strings(vm, &INTRINSICS_1)
    }),
    MethodDef::new("get_intrinsic2_descs", NOARGS, |vm, _, _, _| {
        strings(vm, &INTRINSICS_2)
    }),
    MethodDef::new("get_special_method_names", NOARGS, |vm, _, _, _| {
        strings(vm, &SPECIAL_METHODS)
    }),
    // Only a build of CPython that counts them has any.
    MethodDef::new("get_specialization_stats", NOARGS, |_, _, _, _| {
        Ok(Owned::NONE)
    }),
    MethodDef::new("get_executor", FAST_KEYWORDS, get_executor),
];

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "_opcode", &FUNCTIONS)?;
    set(vm, &module, "ENABLE_SPECIALIZATION", Word::int_unchecked(1))?;
    set(
        vm,
        &module,
        "ENABLE_SPECIALIZATION_FT",
        Word::int_unchecked(0),
    )?;
    Ok(module)
}

fn strings(vm: Vm, list: &[&str]) -> PyResult {
    let items = list.iter().map(|text| vm.new_str(text));
    vm.list_from_owned(items.collect::<Result<_, _>>()?)
}

/// An opcode that exists; None for another number.
fn opcode_of(vm: Vm, word: Word) -> Result<Option<Opcode>, Raised> {
    let number = number::index(vm, word)?;
    let number = int::value(number.as_word()).and_then(|value| value.to_i64());
    let Some(number) = number.and_then(|number| i32::try_from(number).ok()) else {
        return Err(vm.overflow_error("Python int too large to convert to C int"));
    };
    let opcode = u16::try_from(number).ok().map(Opcode);
    Ok(opcode.filter(|op| op.is_defined() && !op.is_private()))
}

fn stack_effect(vm: Vm, _: Word, args: &[Word], names: Option<Word>) -> PyResult {
    let [opcode, oparg, jump] = STACK_EFFECT.unpack(vm, args, names)?;
    let opcode = opcode_of(vm, opcode.unwrap_or(Word::NONE))?;
    let oparg = match oparg {
        None | Some(Word::NONE) => Some(0),
        Some(oparg) => {
            let oparg = number::index(vm, oparg)?;
            let value = int::value(oparg.as_word()).and_then(|value| value.to_i64());
            let Some(value) = value else {
                return Err(vm.overflow_error("Python int too large to convert to C long"));
            };
            i32::try_from(value).ok()
        }
    };
    let jumps = match jump {
        None | Some(Word::NONE | Word::TRUE) => true,
        Some(Word::FALSE) => false,
        Some(_) => return Err(vm.value_error("stack_effect: jump must be False, True or None")),
    };
    let effect = opcode
        .zip(oparg)
        .and_then(|(opcode, oparg)| opcode.stack_effect(oparg, jumps));
    match effect {
        Some(effect) => vm.new_int(effect.into()),
        None => Err(vm.value_error("invalid opcode or oparg")),
    }
}

fn get_executor(vm: Vm, _: Word, args: &[Word], names: Option<Word>) -> PyResult {
    let [code, offset] = GET_EXECUTOR.unpack(vm, args, names)?;
    let (code, offset) = (code.unwrap_or(Word::NONE), offset.unwrap_or(Word::NONE));
    number::index_isize(vm, offset)?;
    if !code.is_exact(Kind::CODE) {
        return Err(vm.type_error(format!(
            "expected a code object, not '{}'",
            vm.type_name(code)
        )));
    }
    Err(vm.raise(
        vm.exc.RuntimeError,
        "Executors are not available in this build",
    ))
}

// ---- _opcode_metadata

/// Names of the opcodes that are no specialised forms, in CPython's order: those with fixed numbers first.
fn plain() -> impl Iterator<Item = Opcode> {
    let first = [
        Opcode::CACHE,
        Opcode::RESERVED,
        Opcode::RESUME,
        Opcode::INSTRUMENTED_LINE,
        Opcode::ENTER_EXECUTOR,
    ];
    let rest = Opcode::all().filter(move |op| !first.contains(op) && op.deopt() == *op);
    first.into_iter().chain(rest).filter(|op| !op.is_private())
}

fn number(op: Opcode) -> Owned {
    Owned::small_int(op.0.into())
}

fn dict_of(vm: Vm, items: impl Iterator<Item = Result<(&'static str, Owned), Raised>>) -> PyResult {
    // SAFETY: a dict just made.
    let made = unsafe { Owned::from_raw(vm.new_dict()?) };
    for item in items {
        let (name, value) = item?;
        let name = vm.intern_str(name)?;
        // SAFETY: as above.
        unsafe { dict::set_str(vm, made.as_ptr(), name.as_word(), value.as_word())? };
    }
    Ok(made)
}

pub(super) fn make_metadata(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = vm.new_module("_opcode_metadata")?;
    let families = Opcode::families();
    let specializations = families.iter().map(|family| {
        let names: Vec<_> = family.members.iter().map(|op| op.name()).collect();
        Ok((family.head.name(), strings(vm, &names)?))
    });
    let mut specialized: Vec<_> = families
        .iter()
        .flat_map(|family| family.members.iter().map(|op| (op.name(), *op)))
        .collect();
    specialized.sort_unstable_by_key(|(name, _)| *name);
    let formats = plain().filter(|op| op.caches() > 0 && *op < Opcode::MIN_INSTRUMENTED);
    let formats = formats.map(|op| {
        let entries = op.cache_format().iter();
        let entries = entries.map(|(name, units)| Ok((*name, Owned::small_int((*units).into()))));
        Ok((op.name(), dict_of(vm, entries)?))
    });
    let opmap = plain().map(|op| Ok((op.name(), number(op))));
    let specialized = specialized
        .into_iter()
        .map(|(name, op)| Ok((name, number(op))));
    let values = [
        ("_specializations", dict_of(vm, specializations)?),
        ("_specialized_opmap", dict_of(vm, specialized)?),
        ("opmap", dict_of(vm, opmap)?),
        (
            "HAVE_ARGUMENT",
            Owned::small_int(Opcode::HAVE_ARGUMENT.into()),
        ),
        ("MIN_INSTRUMENTED_OPCODE", number(Opcode::MIN_INSTRUMENTED)),
        // `opcode` has it from here; CPython's writes it down itself.
        ("_cache_format", dict_of(vm, formats)?),
    ];
    for (name, value) in values {
        set(vm, &module, name, value.as_word())?;
    }
    Ok(module)
}
