//! `range` and its iterators (`rangeobject.c`).

use super::args;
use super::descr::{MemberDef, MethodDef, meth};
use super::exc::replace;
use super::hash::TupleHasher;
use super::header::{Header, Kind, Object};
use super::int::{self, IntRef};
use super::int_arith as arith;
use super::iterators::self_iter;
use super::number;
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{protocol, sequence, slice, str};
use std::cell::Cell;
use std::mem::offset_of;

/// `rangeobject`: four ints as slot's words.
#[repr(C)]
pub struct RangeObject {
    pub header: Header,
    pub start: Word,
    pub stop: Word,
    pub step: Word,
    pub length: Word,
}

/// `_PyRangeIterObject`: a range whose values are immediate ints.
#[repr(C)]
pub struct RangeIterator {
    pub header: Header,
    /// The next value.
    pub start: Cell<i64>,
    pub step: i64,
    /// Values still to come.
    pub length: Cell<i64>,
}
const _: () = {
    assert!(offset_of!(RangeIterator, start) == 16 && offset_of!(RangeIterator, step) == 24);
    assert!(offset_of!(RangeIterator, length) == 32 && offset_of!(RangeObject, start) == 16);
};

/// `longrangeiterobject`: any range.
#[repr(C)]
struct LongRangeIterator {
    header: Header,
    /// The next value, None at the end.
    next: Cell<Option<Word>>,
    step: Cell<Option<Word>>,
    remaining: Cell<Option<Word>>,
}

fn object<'a>(word: Word) -> &'a RangeObject {
    // SAFETY: contract of Word; ranges do not change.
    unsafe { &*word.cast() }
}

/// A range of three ints, the step not zero.
pub fn new(vm: Vm, start: Word, stop: Word, step: Word) -> PyResult {
    let length = length_of(vm, start, stop, step)?;
    let slot = |word| Owned::new_ref(word).into_slot();
    make(vm, slot(start), slot(stop), slot(step), length.into_slot())
}
/// A range of slot's words, which it takes over.
#[inline(always)]
fn make(vm: Vm, start: Word, stop: Word, step: Word, length: Word) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let range = vm.alloc::<RangeObject>(vm.types.range)?;
        (*range).start = start;
        (*range).stop = stop;
        (*range).step = step;
        (*range).length = length;
        Ok(Owned::from_raw(range))
    }
}
/// `compute_range_length`.
fn length_of(vm: Vm, start: Word, stop: Word, step: Word) -> PyResult {
    if start.is_int() && stop.is_int() && step.is_int() {
        let (start, stop, step) = (start.as_int(), stop.as_int(), step.as_int());
        let (low, high) = if step > 0 {
            (start, stop)
        } else {
            (stop, start)
        };
        let length = if low >= high {
            0
        } else {
            (high - low - 1) / step.abs() + 1
        };
        return vm.new_int(length);
    }
    let descending = int::value(step).is_some_and(IntRef::is_negative);
    let (low, high) = if descending {
        (stop, start)
    } else {
        (start, stop)
    };
    let distance = arith::subtract(vm, high, low)?;
    if int::value(distance.as_word())
        .is_none_or(|distance| distance.is_negative() || distance.is_zero())
    {
        return vm.new_int(0);
    }
    let less = arith::subtract(vm, distance.as_word(), Word::int_unchecked(1))?;
    let magnitude = arith::absolute(vm, step)?;
    let quotient = arith::floor_divide(vm, less.as_word(), magnitude.as_word())?;
    arith::add(vm, quotient.as_word(), Word::int_unchecked(1))
}

fn range_new(vm: Vm, _: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    if let [stop] = *args
        && stop.is_int()
        && kwnames.is_none()
    {
        let (zero, one) = (Word::int_unchecked(0), Word::int_unchecked(1));
        return make(
            vm,
            zero,
            stop,
            one,
            Word::int_unchecked(stop.as_int().max(0)),
        );
    }
    args::positional(vm, "range", args, kwnames, 1, 3)?;
    let integer = |word: Word| {
        let index = number::index(vm, word)?;
        int::exact(vm, index.as_word())
    };
    match *args {
        [stop] => {
            let stop = integer(stop)?;
            new(
                vm,
                Word::int_unchecked(0),
                stop.as_word(),
                Word::int_unchecked(1),
            )
        }
        [start, stop] => {
            let (start, stop) = (integer(start)?, integer(stop)?);
            new(vm, start.as_word(), stop.as_word(), Word::int_unchecked(1))
        }
        [start, stop, step] => {
            let (start, stop, step) = (integer(start)?, integer(stop)?, integer(step)?);
            if step.as_word() == Word::int_unchecked(0) {
                return Err(vm.value_error("range() arg 3 must not be zero"));
            }
            new(vm, start.as_word(), stop.as_word(), step.as_word())
        }
        _ => Err(Raised),
    }
}

fn range_repr(vm: Vm, word: Word) -> PyResult {
    let range = object(word);
    let text =
        |word: Word| protocol::repr(vm, word).map(|text| str::to_string_lossy(text.as_word()));
    let (start, stop) = (text(range.start)?, text(range.stop)?);
    if range.step == Word::int_unchecked(1) {
        return vm.new_str(&format!("range({start}, {stop})"));
    }
    vm.new_str(&format!("range({start}, {stop}, {})", text(range.step)?))
}
fn range_len(vm: Vm, word: Word) -> Result<usize, Raised> {
    match int::value(object(word).length).and_then(IntRef::to_i64) {
        Some(length) => Ok(length as usize),
        None => Err(vm.overflow_error("Python int too large to convert to C ssize_t")),
    }
}
fn range_bool(_: Vm, word: Word) -> Result<bool, Raised> {
    Ok(object(word).length != Word::int_unchecked(0))
}
/// `start + index * step`.
fn item(vm: Vm, range: &RangeObject, index: Word) -> PyResult {
    let offset = arith::multiply(vm, index, range.step)?;
    arith::add(vm, range.start, offset.as_word())
}
fn range_getitem(vm: Vm, word: Word, key: Word) -> PyResult {
    let range = object(word);
    if number::is_index(vm, key) {
        let mut index = number::index(vm, key)?;
        if int::value(index.as_word()).is_some_and(IntRef::is_negative) {
            index = arith::add(vm, index.as_word(), range.length)?;
        }
        let in_range = match (int::value(index.as_word()), int::value(range.length)) {
            (Some(index), Some(length)) => {
                !index.is_negative() && int::compare(index, length).is_lt()
            }
            _ => false,
        };
        if !in_range {
            return Err(vm.index_error("range object index out of range"));
        }
        return item(vm, range, index.as_word());
    }
    if !slice::is_slice(key) {
        return Err(vm.type_error(format!(
            "range indices must be integers or slices, not {}",
            vm.type_name(key)
        )));
    }
    let selection = slice::select(vm, key, range_len(vm, word)?)?;
    let step = arith::multiply(vm, range.step, vm.new_int(selection.step as i64)?.as_word())?;
    let start = item(vm, range, vm.new_int(selection.start as i64)?.as_word())?;
    let stop = item(vm, range, vm.new_int(selection.stop as i64)?.as_word())?;
    new(vm, start.as_word(), stop.as_word(), step.as_word())
}

/// Index of an int among the values, if it is one (`range_contains_long`, `range_index`).
fn position(vm: Vm, range: &RangeObject, value: Word) -> Result<Option<Owned>, Raised> {
    let difference = arith::subtract(vm, value, range.start)?;
    let rest = arith::remainder(vm, difference.as_word(), range.step)?;
    if rest.as_word() != Word::int_unchecked(0) {
        return Ok(None);
    }
    let index = arith::floor_divide(vm, difference.as_word(), range.step)?;
    Ok(
        match (int::value(index.as_word()), int::value(range.length)) {
            (Some(at), Some(length)) if !at.is_negative() && int::compare(at, length).is_lt() => {
                Some(index)
            }
            _ => None,
        },
    )
}
fn is_exact_int(word: Word) -> bool {
    word.is_int() || word.is_bool() || word.is_exact(Kind::INT)
}
fn range_contains(vm: Vm, word: Word, value: Word) -> Result<bool, Raised> {
    if is_exact_int(value) {
        return position(vm, object(word), value).map(|index| index.is_some());
    }
    sequence::contains_by_iteration(vm, word, value)
}
fn index(vm: Vm, word: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if is_exact_int(args[0]) {
        if let Some(index) = position(vm, object(word), args[0])? {
            return Ok(index);
        }
        return Err(vm.value_error("range.index(x): x not in range"));
    }
    let mut at = 0;
    let iterator = range_iter(vm, word)?;
    while let Some(item) = sequence::next_unless_interrupted(vm, iterator.as_word())? {
        if protocol::rich_compare_bool(vm, item.as_word(), args[0], CompareOp::Eq)? {
            return vm.new_int(at);
        }
        at += 1;
    }
    Err(vm.value_error("sequence.index(x): x not in sequence"))
}
fn count(vm: Vm, word: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if is_exact_int(args[0]) {
        return vm.new_int(i64::from(position(vm, object(word), args[0])?.is_some()));
    }
    let mut count = 0;
    let iterator = range_iter(vm, word)?;
    while let Some(item) = sequence::next_unless_interrupted(vm, iterator.as_word())? {
        count += i64::from(protocol::rich_compare_bool(
            vm,
            item.as_word(),
            args[0],
            CompareOp::Eq,
        )?);
    }
    vm.new_int(count)
}

/// Start, step and length of a range as far as they tell it from others (`range_equals`, `range_hash`).
fn essence(range: &RangeObject) -> [Word; 3] {
    if range.length == Word::int_unchecked(0) {
        [range.length, Word::NONE, Word::NONE]
    } else if range.length == Word::int_unchecked(1) {
        [range.length, range.start, Word::NONE]
    } else {
        [range.length, range.start, range.step]
    }
}
fn range_compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !b.is_exact(Kind::RANGE) || !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let mut same = true;
    for (a, b) in essence(object(a)).into_iter().zip(essence(object(b))) {
        same = same && protocol::rich_compare_bool(vm, a, b, CompareOp::Eq)?;
    }
    Ok(Owned::bool(same == (op == CompareOp::Eq)))
}
fn range_hash(vm: Vm, word: Word) -> Result<i64, Raised> {
    let mut hasher = TupleHasher::new();
    for part in essence(object(word)) {
        hasher.add(protocol::hash(vm, part)?);
    }
    Ok(hasher.finish())
}

unsafe fn range_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let range = object as *mut RangeObject;
        for word in [
            (*range).start,
            (*range).stop,
            (*range).step,
            (*range).length,
        ] {
            word.release_slot();
        }
        vm.free(object);
    }
}
const fn member(name: &'static str, offset: usize) -> MemberDef {
    MemberDef {
        name,
        offset: offset as u32,
        readonly: true,
        required: true,
    }
}
static MEMBERS: [MemberDef; 3] = [
    member("start", offset_of!(RangeObject, start)),
    member("stop", offset_of!(RangeObject, stop)),
    member("step", offset_of!(RangeObject, step)),
];
static METHODS: &[MethodDef] = &[
    MethodDef::new("__reversed__", meth::NOARGS, reversed),
    MethodDef::new("count", meth::O, count),
    MethodDef::new("index", meth::O, index),
];
pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::SEQUENCE,
        methods: METHODS,
        members: &MEMBERS,
        ..TypeSpec::new::<RangeObject>(
            "range",
            Kind::RANGE,
            Slots {
                dealloc: range_dealloc,
                repr: Some(range_repr),
                hash: Some(range_hash),
                richcompare: Some(range_compare),
                iter: Some(range_iter),
                len: Some(range_len),
                bool: Some(range_bool),
                getitem: Some(range_getitem),
                contains: Some(range_contains),
                new: Some(range_new),
                ..Slots::EMPTY
            },
        )
    }
}

// ---- iterators

/// `iter(range)`.
pub fn range_iter(vm: Vm, word: Word) -> PyResult {
    let range = object(word);
    iterate(vm, range.start, range.step, range.length)
}
fn reversed(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let range = object(word);
    let last = arith::subtract(vm, range.length, Word::int_unchecked(1))?;
    let start = item(vm, range, last.as_word())?;
    let step = arith::negative(vm, range.step)?;
    iterate(vm, start.as_word(), step.as_word(), range.length)
}
fn iterate(vm: Vm, start: Word, step: Word, length: Word) -> PyResult {
    // One step beyond the last value must fit too, since the iterator computes it.
    let end = || {
        let all = step.as_int().checked_mul(length.as_int())?;
        start.as_int().checked_add(all)
    };
    let fits =
        Word::both_int(start, step) && length.is_int() && end().and_then(Word::int).is_some();
    // SAFETY: the types are laid out so; all fields are written.
    unsafe {
        if fits {
            let iterator = vm.alloc::<RangeIterator>(vm.types.range_iterator)?;
            (*iterator).start = Cell::new(start.as_int());
            (*iterator).step = step.as_int();
            (*iterator).length = Cell::new(length.as_int());
            return Ok(Owned::from_raw(iterator));
        }
        let iterator = vm.alloc::<LongRangeIterator>(vm.types.longrange_iterator)?;
        (*iterator).next = Cell::new(Some(Owned::new_ref(start).into_slot()));
        (*iterator).step = Cell::new(Some(Owned::new_ref(step).into_slot()));
        (*iterator).remaining = Cell::new(Some(Owned::new_ref(length).into_slot()));
        Ok(Owned::from_raw(iterator))
    }
}
/// The next value of a range iterator (`rangeiter_next`).
#[inline]
pub fn range_next(_: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: contract of Word; fields that change are cells.
    let iterator = unsafe { &*word.cast::<RangeIterator>() };
    let length = iterator.length.get();
    if length <= 0 {
        return Ok(None);
    }
    let value = iterator.start.get();
    iterator.start.set(value + iterator.step);
    iterator.length.set(length - 1);
    Ok(Some(Owned::small_int(value)))
}
fn remaining(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: as above.
    vm.new_int(unsafe { (*word.cast::<RangeIterator>()).length.get() })
}
static ITERATOR_METHODS: &[MethodDef] =
    &[MethodDef::new("__length_hint__", meth::NOARGS, remaining)];
pub(super) const fn iterator_spec() -> TypeSpec {
    TypeSpec {
        methods: ITERATOR_METHODS,
        ..TypeSpec::new::<RangeIterator>(
            "range_iterator",
            Kind::RANGE_ITERATOR,
            Slots {
                iter: Some(self_iter),
                iternext: Some(range_next),
                ..Slots::EMPTY
            },
        )
    }
}

fn long<'a>(word: Word) -> &'a LongRangeIterator {
    // SAFETY: as above.
    unsafe { &*word.cast() }
}
fn long_next(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    let iterator = long(word);
    let (Some(next), Some(step), Some(remaining)) = (
        iterator.next.get().map(Owned::new_ref),
        iterator.step.get(),
        iterator.remaining.get(),
    ) else {
        return Ok(None);
    };
    if remaining == Word::int_unchecked(0) {
        return Ok(None);
    }
    let following = arith::add(vm, next.as_word(), step)?;
    let less = arith::subtract(vm, remaining, Word::int_unchecked(1))?;
    replace(&iterator.next, Some(following.as_word()));
    replace(&iterator.remaining, Some(less.as_word()));
    Ok(Some(next))
}
unsafe fn long_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let iterator = object as *mut LongRangeIterator;
        for cell in [&(*iterator).next, &(*iterator).step, &(*iterator).remaining] {
            replace(cell, None);
        }
        vm.free(object);
    }
}
fn long_remaining(_: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    Ok(long(word)
        .remaining
        .get()
        .map_or(Owned::NONE, Owned::new_ref))
}
static LONG_METHODS: &[MethodDef] = &[MethodDef::new(
    "__length_hint__",
    meth::NOARGS,
    long_remaining,
)];
pub(super) const fn long_iterator_spec() -> TypeSpec {
    TypeSpec {
        methods: LONG_METHODS,
        ..TypeSpec::new::<LongRangeIterator>(
            "longrange_iterator",
            Kind::OTHER,
            Slots {
                dealloc: long_dealloc,
                iter: Some(self_iter),
                iternext: Some(long_next),
                ..Slots::EMPTY
            },
        )
    }
}
