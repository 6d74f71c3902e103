//! Methods and operators of `tuple` (`tupleobject.c`).

use super::args;
use super::descr::{MethodDef, meth};
use super::hash::TupleHasher;
use super::header::Kind;
use super::iterators;
use super::list_methods::index_bound;
use super::owned::{Owned, PyResult, Raised};
use super::str_writer::StrWriter;
use super::tuple::{self, TupleObject};
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{number, protocol, sequence, slice};

type Names = Option<Word>;

/// The items, which the tuple keeps.
fn items<'a>(word: Word) -> &'a [Word] {
    // SAFETY: contract of Word; tuples do not change, and callers keep theirs.
    unsafe { tuple::items(word) }
}

fn tuple_repr(vm: Vm, word: Word) -> PyResult {
    let items = items(word);
    if items.is_empty() {
        return vm.new_str("()");
    }
    let mut writer = StrWriter::new(vm);
    writer.push(0x28)?;
    for (index, &item) in items.iter().enumerate() {
        if index > 0 {
            writer.push_str(", ")?;
        }
        let text = protocol::repr(vm, item)?;
        writer.push_word(text.as_word())?;
    }
    writer.push_str(if items.len() == 1 { ",)" } else { ")" })?;
    writer.finish()
}
fn tuple_hash(vm: Vm, word: Word) -> Result<i64, Raised> {
    // SAFETY: contract of Word.
    let cached = unsafe { &(*word.cast::<TupleObject>()).hash };
    if cached.get() != -1 {
        return Ok(cached.get());
    }
    vm.check_stack(" while hashing an object")?;
    let mut hasher = TupleHasher::new();
    for &item in items(word) {
        hasher.add(protocol::hash(vm, item)?);
    }
    let hash = hasher.finish();
    cached.set(hash);
    Ok(hash)
}
fn tuple_compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !tuple::is_tuple(a) || !tuple::is_tuple(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let (left, right) = (items(a), items(b));
    for (&a, &b) in left.iter().zip(right) {
        if !a.is(b) && !protocol::rich_compare_bool(vm, a, b, CompareOp::Eq)? {
            return match op {
                CompareOp::Eq => Ok(Owned::FALSE),
                CompareOp::Ne => Ok(Owned::TRUE),
                _ => protocol::rich_compare(vm, a, b, op),
            };
        }
    }
    Ok(Owned::bool(op.holds(left.len().cmp(&right.len()))))
}
fn tuple_len(_: Vm, word: Word) -> Result<usize, Raised> {
    Ok(items(word).len())
}
fn tuple_contains(vm: Vm, word: Word, value: Word) -> Result<bool, Raised> {
    for &item in items(word) {
        if protocol::rich_compare_bool(vm, item, value, CompareOp::Eq)? {
            return Ok(true);
        }
    }
    Ok(false)
}
/// `tuple[i]`, `tuple[a:b:c]` (`tuple_subscript`).
pub fn tuple_getitem(vm: Vm, word: Word, key: Word) -> PyResult {
    let items = items(word);
    if number::is_index(vm, key) {
        let index = number::index_for_subscript(vm, key)?;
        return match sequence::wrap_index(index, items.len()) {
            Some(index) => Ok(Owned::new_ref(items[index])),
            None => Err(vm.index_error("tuple index out of range")),
        };
    }
    if !slice::is_slice(key) {
        return Err(vm.type_error(format!(
            "tuple indices must be integers or slices, not {}",
            vm.type_name(key)
        )));
    }
    let selection = slice::select(vm, key, items.len())?;
    if selection.count == items.len() && selection.step == 1 && word.is_exact(Kind::TUPLE) {
        return Ok(Owned::new_ref(word));
    }
    if selection.count == 0 {
        return Ok(vm.empty_tuple());
    }
    // SAFETY: all items are written.
    unsafe {
        let result = vm.alloc_tuple(selection.count)?;
        for (to, from) in selection.indices().enumerate() {
            (*result)
                .items_ptr()
                .add(to)
                .write(items[from].dup().to_slot());
        }
        Ok(Owned::from_raw(result))
    }
}
fn tuple_concat(vm: Vm, a: Word, b: Word) -> PyResult {
    if !tuple::is_tuple(b) {
        return Err(vm.type_error(format!(
            "can only concatenate tuple (not \"{}\") to tuple",
            vm.type_name(b)
        )));
    }
    for (empty, other) in [(a, b), (b, a)] {
        if items(empty).is_empty() && other.is_exact(Kind::TUPLE) {
            return Ok(Owned::new_ref(other));
        }
    }
    let total = items(a).len() + items(b).len();
    if total == 0 {
        return Ok(vm.empty_tuple());
    }
    // SAFETY: all items are written.
    unsafe {
        let result = vm.alloc_tuple(total)?;
        for (index, item) in items(a).iter().chain(items(b)).enumerate() {
            (*result).items_ptr().add(index).write(item.dup().to_slot());
        }
        Ok(Owned::from_raw(result))
    }
}
fn tuple_repeat(vm: Vm, word: Word, count: isize) -> PyResult {
    let items = items(word);
    if count == 1 && word.is_exact(Kind::TUPLE) {
        return Ok(Owned::new_ref(word));
    }
    let count = count.max(0) as usize;
    let total = items
        .len()
        .checked_mul(count)
        .ok_or_else(|| vm.no_memory())?;
    if total == 0 {
        return Ok(vm.empty_tuple());
    }
    // SAFETY: all items are written.
    unsafe {
        let result = vm.alloc_tuple(total)?;
        for index in 0..total {
            (*result)
                .items_ptr()
                .add(index)
                .write(items[index % items.len()].dup().to_slot());
        }
        Ok(Owned::from_raw(result))
    }
}

/// `tuple(iterable)` (`PySequence_Tuple`).
pub fn tuple_from_iterable(vm: Vm, iterable: Word) -> PyResult {
    if iterable.is_exact(Kind::TUPLE) {
        return Ok(Owned::new_ref(iterable));
    }
    if iterable.is_exact(Kind::LIST) {
        // SAFETY: the slice is read before anything runs.
        return vm.new_tuple(unsafe { super::list::items(iterable) });
    }
    let items = sequence::collect(vm, iterable)?;
    vm.tuple_from_owned(items)
}
fn tuple_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Names) -> PyResult {
    if ty == vm.types.tuple {
        args::no_keywords(vm, "tuple", kwnames)?;
    }
    let positional = args.len() - args::keyword_names(kwnames).len();
    args::check_positional(vm, "tuple", positional, 0, 1)?;
    let tuple = match args.first() {
        Some(&iterable) if positional == 1 => tuple_from_iterable(vm, iterable)?,
        _ => vm.empty_tuple(),
    };
    if ty == vm.types.tuple {
        return Ok(tuple);
    }
    // SAFETY: a subclass is laid out as a tuple with an extension behind; all fields are written.
    unsafe {
        let items = items(tuple.as_word());
        let size = tuple::ITEMS_OFFSET + size_of_val(items);
        let result = vm.alloc_instance::<TupleObject>(ty, size)?;
        (*result).length = items.len();
        (*result).hash = std::cell::Cell::new(-1);
        for (index, item) in items.iter().enumerate() {
            (*result).items_ptr().add(index).write(item.dup().to_slot());
        }
        Ok(Owned::from_raw(result))
    }
}

fn index(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "index", args.len(), 1, 3)?;
    let items = items(self_);
    let start = index_bound(vm, args.get(1), items.len(), 0)?;
    let end = index_bound(vm, args.get(2), items.len(), items.len())?.min(items.len());
    for (index, &item) in items.iter().enumerate().take(end).skip(start) {
        if protocol::rich_compare_bool(vm, item, args[0], CompareOp::Eq)? {
            return vm.new_int(index as i64);
        }
    }
    Err(vm.value_error("tuple.index(x): x not in tuple"))
}
fn count(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let mut count = 0;
    for &item in items(self_) {
        count += i64::from(protocol::rich_compare_bool(
            vm,
            item,
            args[0],
            CompareOp::Eq,
        )?);
    }
    vm.new_int(count)
}
fn getnewargs(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    let copy = vm.new_tuple(items(self_))?;
    vm.new_tuple(&[copy.as_word()])
}
static METHODS: &[MethodDef] = &[
    MethodDef::new("__getnewargs__", meth::NOARGS, getnewargs),
    MethodDef::new("index", meth::FASTCALL, index),
    MethodDef::new("count", meth::O, count),
    super::generic_alias::CLASS_GETITEM,
];

pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        item_size: 8,
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF | type_flag::SEQUENCE,
        methods: METHODS,
        ..TypeSpec::new::<TupleObject>(
            "tuple",
            Kind::TUPLE,
            Slots {
                dealloc: tuple::tuple_dealloc,
                traverse: Some(tuple::tuple_traverse),
                repr: Some(tuple_repr),
                hash: Some(tuple_hash),
                richcompare: Some(tuple_compare),
                iter: Some(iterators::tuple_iter),
                len: Some(tuple_len),
                getitem: Some(tuple_getitem),
                contains: Some(tuple_contains),
                concat: Some(tuple_concat),
                repeat: Some(tuple_repeat),
                new: Some(tuple_new),
                ..Slots::EMPTY
            },
        )
    }
}
