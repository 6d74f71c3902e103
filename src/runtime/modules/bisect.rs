//! `_bisect` (`_bisectmodule.c`): where something belongs in a sorted sequence.

use super::{set, with_functions};
use crate::object::args::Signature;
use crate::object::descr::{MethodDef, meth};
use crate::object::types::CompareOp;
use crate::object::{
    Kind, Owned, PyResult, Raised, Vm, Word, attr, call, number, protocol, sequence,
};
use crate::runtime::thread::Thread;

const FAST_KEYWORDS: u16 = meth::FASTCALL | meth::KEYWORDS;

const fn signature(name: &'static str) -> Signature<5> {
    Signature::new(name, ["a", "x", "lo", "hi", "key"], 2).keyword_only(4)
}
static BISECT_LEFT: Signature<5> = signature("bisect_left");
static BISECT_RIGHT: Signature<5> = signature("bisect_right");
static INSORT_LEFT: Signature<5> = signature("insort_left");
static INSORT_RIGHT: Signature<5> = signature("insort_right");

static FUNCTIONS: [MethodDef; 4] = [
    MethodDef::new("bisect_left", FAST_KEYWORDS, |vm, _, args, names| {
        let place = place(vm, &BISECT_LEFT.unpack(vm, args, names)?, true, false)?;
        vm.new_int_usize(place)
    }),
    MethodDef::new("bisect_right", FAST_KEYWORDS, |vm, _, args, names| {
        let place = place(vm, &BISECT_RIGHT.unpack(vm, args, names)?, false, false)?;
        vm.new_int_usize(place)
    }),
    MethodDef::new("insort_left", FAST_KEYWORDS, |vm, _, args, names| {
        insert(vm, &INSORT_LEFT.unpack(vm, args, names)?, true)
    }),
    MethodDef::new("insort_right", FAST_KEYWORDS, |vm, _, args, names| {
        insert(vm, &INSORT_RIGHT.unpack(vm, args, names)?, false)
    }),
];

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "_bisect", &FUNCTIONS)?;
    for (name, of) in [("bisect", "bisect_right"), ("insort", "insort_right")] {
        let of = vm.intern_str(of)?;
        let function = attr::get_attr(vm, module.as_word(), of.as_word())?;
        set(vm, &module, name, function.as_word())?;
    }
    Ok(module)
}

fn less(vm: Vm, a: Word, b: Word) -> Result<bool, Raised> {
    if Word::both_int(a, b) {
        return Ok(a.as_int() < b.as_int());
    }
    let answer = protocol::rich_compare(vm, a, b, CompareOp::Lt)?;
    protocol::is_true(vm, answer.as_word())
}

/// The place of `x`, before or behind what equals it. For `insort` the key of `x` is taken too.
fn place(
    vm: Vm,
    [a, x, lo, hi, key]: &[Option<Word>; 5],
    left: bool,
    key_of_x: bool,
) -> Result<usize, Raised> {
    let (a, x) = (a.unwrap_or(Word::NONE), x.unwrap_or(Word::NONE));
    let key = key.filter(|key| !key.is_none());
    let low = match lo {
        Some(lo) => number::index_isize(vm, *lo)?,
        None => 0,
    };
    let Ok(mut low) = usize::try_from(low) else {
        return Err(vm.value_error("lo must be non-negative"));
    };
    let mut high = match hi.filter(|hi| !hi.is_none()) {
        Some(hi) => usize::try_from(number::index_isize(vm, hi)?).unwrap_or(0),
        None => sequence::len(vm, a)?,
    };
    let x = match key {
        Some(key) if key_of_x => call::call_one(vm, key, x)?,
        _ => Owned::new_ref(x),
    };
    while low < high {
        let middle = low + (high - low) / 2;
        let mut item = get(vm, a, middle)?;
        if let Some(key) = key {
            item = call::call_one(vm, key, item.as_word())?;
        }
        let goes_right = if left {
            less(vm, item.as_word(), x.as_word())?
        } else {
            !less(vm, x.as_word(), item.as_word())?
        };
        if goes_right {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}
fn get(vm: Vm, a: Word, index: usize) -> PyResult {
    if a.is_exact(Kind::LIST) {
        // SAFETY: a list that the caller keeps; the slice is not kept.
        if let Some(item) = unsafe { crate::object::list::items(a) }.get(index) {
            return Ok(Owned::new_ref(*item));
        }
    }
    let index = vm.new_int_usize(index)?;
    sequence::get_item(vm, a, index.as_word())
}
fn insert(vm: Vm, arguments: &[Option<Word>; 5], left: bool) -> PyResult {
    let index = vm.new_int_usize(place(vm, arguments, left, true)?)?;
    let (a, x) = (arguments[0], arguments[1]);
    let name = vm.intern_str("insert")?;
    let arguments = [index.as_word(), x.unwrap_or(Word::NONE)];
    attr::call_method(vm, a.unwrap_or(Word::NONE), name.as_word(), &arguments).map(|_| Owned::NONE)
}
