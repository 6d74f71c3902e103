//! Methods and operators of `set` and `frozenset` (`setobject.c`).

use super::args;
use super::descr::{MethodDef, meth};
use super::exc::replace;
use super::header::{Header, Kind, Object, flag};
use super::iterators::self_iter;
use super::number::nb;
use super::owned::{Owned, PyResult, Raised};
use super::set::hash_key;
use super::set::{self, SetObject, is_set, object};
use super::str_writer::StrWriter;
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{protocol, sequence};
use std::cell::Cell;

type Names = Option<Word>;

/// Items as they are now, counted, with their hashes.
fn snapshot(set: &SetObject) -> Vec<(Owned, i64)> {
    let (mut items, mut position) = (Vec::with_capacity(set.used.get()), 0);
    while let Some((key, hash)) = set.next(&mut position) {
        items.push((Owned::new_ref(key), hash));
    }
    items
}
/// The base type of a set's: results are of it, not of a subclass.
fn base_type(vm: Vm, word: Word) -> *mut TypeObject {
    if word.kind().base() == Kind::FROZENSET {
        vm.types.frozenset
    } else {
        vm.types.set
    }
}
/// A copy as a set or frozenset like the original.
fn copy_of(vm: Vm, word: Word) -> PyResult {
    set::new_set(vm, base_type(vm, word), Some(word))
}
/// Another iterable as a set.
fn as_set(vm: Vm, word: Word) -> PyResult {
    if is_set(word) {
        Ok(Owned::new_ref(word))
    } else {
        set::new_set(vm, vm.types.set, Some(word))
    }
}

fn set_repr(vm: Vm, word: Word) -> PyResult {
    let own = object(word);
    let name = vm.type_name(word);
    if own.header.has_flag(flag::IN_REPR) {
        return vm.new_str(&format!("{name}(...)"));
    }
    if own.used.get() == 0 {
        return vm.new_str(&format!("{name}()"));
    }
    own.header.set_flag(flag::IN_REPR);
    let text = (|| {
        let mut writer = StrWriter::new(vm);
        let plain = word.is_exact(Kind::SET);
        if !plain {
            writer.push_str(&name)?;
            writer.push(0x28)?;
        }
        writer.push(0x7b)?;
        for (index, (item, _)) in snapshot(own).iter().enumerate() {
            if index > 0 {
                writer.push_str(", ")?;
            }
            let text = protocol::repr(vm, item.as_word())?;
            writer.push_word(text.as_word())?;
        }
        writer.push_str(if plain { "}" } else { "})" })?;
        writer.finish()
    })();
    own.header.clear_flag(flag::IN_REPR);
    text
}
/// Hash of a frozenset: of the items in any order (`frozenset_hash`).
fn frozenset_hash(_: Vm, word: Word) -> Result<i64, Raised> {
    let own = object(word);
    if own.hash.get() != -1 {
        return Ok(own.hash.get());
    }
    let mut hash = 0u64;
    let mut position = 0;
    while let Some((_, item)) = own.next(&mut position) {
        let item = item as u64;
        hash ^= ((item ^ 89_869_747) ^ (item << 16)).wrapping_mul(3_644_798_167);
    }
    hash ^= (own.used.get() as u64 + 1).wrapping_mul(1_927_868_237);
    hash ^= (hash >> 11) ^ (hash >> 25);
    hash = hash.wrapping_mul(69_069).wrapping_add(907_133_923);
    let hash = if hash == u64::MAX {
        590_923_713
    } else {
        hash as i64
    };
    own.hash.set(hash);
    Ok(hash)
}
fn is_subset(vm: Vm, a: Word, b: Word) -> Result<bool, Raised> {
    if object(a).used.get() > object(b).used.get() {
        return Ok(false);
    }
    for (item, hash) in snapshot(object(a)) {
        if !set::contains_hash(vm, b, item.as_word(), hash)? {
            return Ok(false);
        }
    }
    Ok(true)
}
fn set_compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !is_set(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let (left, right) = (object(a).used.get(), object(b).used.get());
    Ok(Owned::bool(match op {
        CompareOp::Eq => left == right && is_subset(vm, a, b)?,
        CompareOp::Ne => left != right || !is_subset(vm, a, b)?,
        CompareOp::Le => is_subset(vm, a, b)?,
        CompareOp::Ge => is_subset(vm, b, a)?,
        CompareOp::Lt => left < right && is_subset(vm, a, b)?,
        CompareOp::Gt => left > right && is_subset(vm, b, a)?,
    }))
}
/// The hash of a key; an unhashable set among the items stands for a frozenset.
fn key_hash(vm: Vm, key: Word) -> Result<(Owned, i64), Raised> {
    if key.kind().base() == Kind::SET {
        let frozen = set::new_set(vm, vm.types.frozenset, Some(key))?;
        let hash = frozenset_hash(vm, frozen.as_word())?;
        return Ok((frozen, hash));
    }
    Ok((Owned::new_ref(key), hash_key(vm, key)?))
}
fn set_contains(vm: Vm, word: Word, key: Word) -> Result<bool, Raised> {
    let (key, hash) = key_hash(vm, key)?;
    set::contains_hash(vm, word, key.as_word(), hash)
}

// ---- set operations, in place on the first operand

fn intersect(vm: Vm, word: Word, other: Word) -> Result<(), Raised> {
    let result = set::new_set(vm, vm.types.set, None)?;
    if is_set(other) {
        // The smaller one is walked.
        let (small, large) = if object(other).used.get() > object(word).used.get() {
            (word, other)
        } else {
            (other, word)
        };
        for (item, hash) in snapshot(object(small)) {
            if set::contains_hash(vm, large, item.as_word(), hash)? {
                set::add_hash(vm, result.as_word(), item.as_word(), hash)?;
            }
        }
    } else {
        sequence::for_each(vm, other, |item| {
            let hash = hash_key(vm, item.as_word())?;
            if set::contains_hash(vm, word, item.as_word(), hash)? {
                set::add_hash(vm, result.as_word(), item.as_word(), hash)?;
            }
            Ok(())
        })?;
    }
    set::swap(object(word), object(result.as_word()));
    Ok(())
}
fn subtract(vm: Vm, word: Word, other: Word) -> Result<(), Raised> {
    if word.is(other) {
        set::clear(vm, object(word));
        return Ok(());
    }
    if is_set(other) {
        for (item, hash) in snapshot(object(other)) {
            set::discard_hash(vm, word, item.as_word(), hash)?;
        }
        return Ok(());
    }
    sequence::for_each(vm, other, |item| {
        let hash = hash_key(vm, item.as_word())?;
        set::discard_hash(vm, word, item.as_word(), hash).map(drop)
    })
}
fn symmetric(vm: Vm, word: Word, other: Word) -> Result<(), Raised> {
    if word.is(other) {
        set::clear(vm, object(word));
        return Ok(());
    }
    let other = as_set(vm, other)?;
    for (item, hash) in snapshot(object(other.as_word())) {
        if set::discard_hash(vm, word, item.as_word(), hash)?.is_none() {
            set::add_hash(vm, word, item.as_word(), hash)?;
        }
    }
    Ok(())
}
/// Items of `word` that are not in `other`, as a new set (`set_difference`).
fn difference_of(vm: Vm, word: Word, other: Word) -> PyResult {
    let other = as_set(vm, other)?;
    let result = set::new_set(vm, base_type(vm, word), None)?;
    for (item, hash) in snapshot(object(word)) {
        if !set::contains_hash(vm, other.as_word(), item.as_word(), hash)? {
            set::add_hash(vm, result.as_word(), item.as_word(), hash)?;
        }
    }
    Ok(result)
}
type InPlace = fn(Vm, Word, Word) -> Result<(), Raised>;
fn operate(vm: Vm, a: Word, b: Word, operation: InPlace) -> PyResult {
    if !is_set(a) || !is_set(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let result = copy_of(vm, a)?;
    operation(vm, result.as_word(), b)?;
    Ok(result)
}
fn operate_in_place(vm: Vm, a: Word, b: Word, operation: InPlace) -> PyResult {
    if !is_set(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    operation(vm, a, b)?;
    Ok(Owned::new_ref(a))
}
fn sub(vm: Vm, a: Word, b: Word) -> PyResult {
    if is_set(a) && is_set(b) {
        difference_of(vm, a, b)
    } else {
        Ok(Owned::NOT_IMPLEMENTED)
    }
}

// ---- methods

fn add(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    set::add(vm, self_, args[0]).map(|_| Owned::NONE)
}
fn discard(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let (key, hash) = key_hash(vm, args[0])?;
    set::discard_hash(vm, self_, key.as_word(), hash).map(|_| Owned::NONE)
}
fn remove(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let (key, hash) = key_hash(vm, args[0])?;
    match set::discard_hash(vm, self_, key.as_word(), hash)? {
        Some(_) => Ok(Owned::NONE),
        None => Err(vm.key_error(args[0])),
    }
}
fn pop(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    match set::take_any(object(self_)) {
        Some(item) => Ok(item),
        None => {
            let message = vm.new_str("pop from an empty set")?;
            Err(vm.key_error(message.as_word()))
        }
    }
}
fn clear(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    set::clear(vm, object(self_));
    Ok(Owned::NONE)
}
fn copy(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    if self_.is_exact(Kind::FROZENSET) {
        Ok(Owned::new_ref(self_))
    } else {
        copy_of(vm, self_)
    }
}
fn update(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args.iter()
        .try_for_each(|&other| set::update(vm, self_, other))?;
    Ok(Owned::NONE)
}
fn union(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let result = copy_of(vm, self_)?;
    args.iter()
        .try_for_each(|&other| set::update(vm, result.as_word(), other))?;
    Ok(result)
}
fn intersection(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let result = copy_of(vm, self_)?;
    args.iter()
        .try_for_each(|&other| intersect(vm, result.as_word(), other))?;
    Ok(result)
}
fn intersection_update(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args.iter()
        .try_for_each(|&other| intersect(vm, self_, other))?;
    Ok(Owned::NONE)
}
fn difference(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let Some((&first, rest)) = args.split_first() else {
        return copy_of(vm, self_);
    };
    let result = difference_of(vm, self_, first)?;
    rest.iter()
        .try_for_each(|&other| subtract(vm, result.as_word(), other))?;
    Ok(result)
}
fn difference_update(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args.iter()
        .try_for_each(|&other| subtract(vm, self_, other))?;
    Ok(Owned::NONE)
}
fn symmetric_difference(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let result = copy_of(vm, self_)?;
    symmetric(vm, result.as_word(), args[0])?;
    Ok(result)
}
fn symmetric_difference_update(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    symmetric(vm, self_, args[0]).map(|()| Owned::NONE)
}
fn isdisjoint(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let mut disjoint = true;
    sequence::for_each(vm, args[0], |item| {
        disjoint = disjoint
            && !set::contains_hash(vm, self_, item.as_word(), hash_key(vm, item.as_word())?)?;
        Ok(())
    })?;
    Ok(Owned::bool(disjoint))
}
fn issubset(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let other = as_set(vm, args[0])?;
    Ok(Owned::bool(is_subset(vm, self_, other.as_word())?))
}
fn issuperset(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let other = as_set(vm, args[0])?;
    Ok(Owned::bool(is_subset(vm, other.as_word(), self_)?))
}
macro_rules! shared {
    ($($more:expr),* $(,)?) => {
        &[
            MethodDef::new("copy", meth::NOARGS, copy),
            MethodDef::new("difference", meth::FASTCALL, difference),
            MethodDef::new("intersection", meth::FASTCALL, intersection),
            MethodDef::new("isdisjoint", meth::O, isdisjoint),
            MethodDef::new("issubset", meth::O, issubset),
            MethodDef::new("issuperset", meth::O, issuperset),
            MethodDef::new("symmetric_difference", meth::O, symmetric_difference),
            MethodDef::new("union", meth::FASTCALL, union),
            super::generic_alias::CLASS_GETITEM,
            $($more,)*
        ]
    };
}
static FROZENSET_METHODS: &[MethodDef] = shared!();
static SET_METHODS: &[MethodDef] = shared!(
    MethodDef::new("add", meth::O, add),
    MethodDef::new("clear", meth::NOARGS, clear),
    MethodDef::new("discard", meth::O, discard),
    MethodDef::new("pop", meth::NOARGS, pop),
    MethodDef::new("remove", meth::O, remove),
    MethodDef::new("update", meth::FASTCALL, update),
    MethodDef::new("difference_update", meth::FASTCALL, difference_update),
    MethodDef::new("intersection_update", meth::FASTCALL, intersection_update),
    MethodDef::new(
        "symmetric_difference_update",
        meth::O,
        symmetric_difference_update
    ),
);

fn set_new(vm: Vm, ty: *mut TypeObject, _: &[Word], _: Names) -> PyResult {
    set::new_set(vm, ty, None)
}
fn set_init(vm: Vm, self_: Word, args: &[Word], kwnames: Names) -> Result<(), Raised> {
    args::positional(vm, "set", args, kwnames, 0, 1)?;
    set::clear(vm, object(self_));
    args.first()
        .map_or(Ok(()), |&iterable| set::update(vm, self_, iterable))
}
fn frozenset_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Names) -> PyResult {
    if ty == vm.types.frozenset {
        args::no_keywords(vm, "frozenset", kwnames)?;
    }
    let positional = args.len() - args::keyword_names(kwnames).len();
    args::check_positional(vm, "frozenset", positional, 0, 1)?;
    let iterable = args.first().copied().filter(|_| positional == 1);
    if ty == vm.types.frozenset
        && let Some(same) = iterable.filter(|word| word.is_exact(Kind::FROZENSET))
    {
        return Ok(Owned::new_ref(same));
    }
    set::new_set(vm, ty, iterable)
}

const COMMON: Slots = Slots {
    dealloc: set::set_dealloc,
    traverse: Some(set::set_traverse),
    clear: Some(set::set_gc_clear),
    repr: Some(set_repr),
    richcompare: Some(set_compare),
    iter: Some(set_iter),
    len: Some(|_, word| Ok(object(word).used.get())),
    contains: Some(set_contains),
    nb: {
        let mut slots = Slots::EMPTY.nb;
        slots[nb::AND] = Some(|vm, a, b| operate(vm, a, b, intersect));
        slots[nb::OR] = Some(|vm, a, b| operate(vm, a, b, set::update));
        slots[nb::XOR] = Some(|vm, a, b| operate(vm, a, b, symmetric));
        slots[nb::SUBTRACT] = Some(sub);
        slots
    },
    ..Slots::EMPTY
};
pub(super) const fn set_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF,
        methods: SET_METHODS,
        ..TypeSpec::new::<SetObject>(
            "set",
            Kind::SET,
            Slots {
                hash: Some(super::generic_slots::unhashable),
                nb: {
                    let mut slots = COMMON.nb;
                    slots[nb::INPLACE + nb::AND] =
                        Some(|vm, a, b| operate_in_place(vm, a, b, intersect));
                    slots[nb::INPLACE + nb::OR] =
                        Some(|vm, a, b| operate_in_place(vm, a, b, set::update));
                    slots[nb::INPLACE + nb::XOR] =
                        Some(|vm, a, b| operate_in_place(vm, a, b, symmetric));
                    slots[nb::INPLACE + nb::SUBTRACT] =
                        Some(|vm, a, b| operate_in_place(vm, a, b, subtract));
                    slots
                },
                init: Some(set_init),
                new: Some(set_new),
                ..COMMON
            },
        )
    }
}
pub(super) const fn frozenset_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF,
        methods: FROZENSET_METHODS,
        ..TypeSpec::new::<SetObject>(
            "frozenset",
            Kind::FROZENSET,
            Slots {
                hash: Some(frozenset_hash),
                new: Some(frozenset_new),
                ..COMMON
            },
        )
    }
}

/// `setiterobject`.
#[repr(C)]
struct SetIterator {
    header: Header,
    /// A slot's word; None when it has run out.
    set: Cell<Option<Word>>,
    position: Cell<usize>,
    used: Cell<usize>,
    remaining: Cell<usize>,
}
fn set_iter(vm: Vm, word: Word) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let iterator = vm.alloc::<SetIterator>(vm.types.set_iterator)?;
        (*iterator).set = Cell::new(Some(Owned::new_ref(word).into_slot()));
        (*iterator).position = Cell::new(0);
        (*iterator).used = Cell::new(object(word).used.get());
        (*iterator).remaining = Cell::new(object(word).used.get());
        Ok(Owned::from_raw(iterator))
    }
}
fn set_next(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: contract of Word; all fields are cells.
    let iterator = unsafe { &*word.cast::<SetIterator>() };
    let Some(source) = iterator.set.get() else {
        return Ok(None);
    };
    if iterator.used.get() != object(source).used.get() {
        iterator.used.set(usize::MAX);
        return Err(vm.raise(vm.exc.RuntimeError, "Set changed size during iteration"));
    }
    let mut position = iterator.position.get();
    match object(source).next(&mut position) {
        Some((key, _)) => {
            let key = Owned::new_ref(key);
            iterator.position.set(position);
            iterator
                .remaining
                .set(iterator.remaining.get().saturating_sub(1));
            Ok(Some(key))
        }
        None => {
            replace(&iterator.set, None);
            Ok(None)
        }
    }
}
fn length_hint(vm: Vm, word: Word, _: &[Word], _: Names) -> PyResult {
    // SAFETY: as above.
    let iterator = unsafe { &*word.cast::<SetIterator>() };
    let valid = iterator
        .set
        .get()
        .is_some_and(|source| object(source).used.get() == iterator.used.get());
    vm.new_int_usize(if valid { iterator.remaining.get() } else { 0 })
}
static ITERATOR_METHODS: &[MethodDef] =
    &[MethodDef::new("__length_hint__", meth::NOARGS, length_hint)];
unsafe fn iterator_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        replace(&(*(object as *mut SetIterator)).set, None);
        vm.free(object);
    }
}
unsafe fn iterator_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { (*(object as *mut SetIterator)).set.get() }
        .into_iter()
        .for_each(visit);
}
pub(super) const fn iterator_spec() -> TypeSpec {
    TypeSpec {
        methods: ITERATOR_METHODS,
        ..TypeSpec::new::<SetIterator>(
            "set_iterator",
            Kind::SET_ITERATOR,
            Slots {
                dealloc: iterator_dealloc,
                traverse: Some(iterator_traverse),
                iter: Some(self_iter),
                iternext: Some(set_next),
                ..Slots::EMPTY
            },
        )
    }
}
