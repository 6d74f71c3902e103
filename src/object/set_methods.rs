//! Operators and methods of `set` and `frozenset`, and the iterator over both (`setobject.c`).

use super::args;
use super::descr::{MethodDef, meth};
use super::dict::{self, DictObject};
use super::exc::replace;
use super::generic_alias::CLASS_GETITEM;
use super::header::{Header, Kind, Object, flag};
use super::iterators::self_iter;
use super::number::nb;
use super::owned::{Owned, PyResult, Raised};
use super::set::{self, SetObject, is_any_set, len, object};
use super::str_writer::StrWriter;
use super::types::{BinaryFn, CompareOp, NB_SLOTS, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{generic_slots, protocol, sequence};
use std::cell::Cell;

type Names = Option<Word>;

/// `set` or `frozenset`, whichever the type of an operation's result is (`make_new_set_basetype`).
fn base_type(vm: Vm, word: Word) -> *mut TypeObject {
    if word.is_instance(Kind::SET) {
        vm.types.set
    } else {
        vm.types.frozenset
    }
}
/// A set of the operand's base type with the elements of an iterable.
fn copy_of(vm: Vm, like: Word, iterable: Word) -> PyResult {
    set::new_set(vm, base_type(vm, like), Some(iterable))
}
fn empty_like(vm: Vm, like: Word) -> PyResult {
    set::new_set(vm, base_type(vm, like), None)
}

/// Calls `each` with the elements of a set and their hashes, counted. The set may change meanwhile.
fn for_each_hashed(
    set: Word,
    mut each: impl FnMut(Word, i64) -> Result<(), Raised>,
) -> Result<(), Raised> {
    let mut position = 0;
    // SAFETY: contract of Word; the caller keeps the set.
    while let Some((element, hash)) = unsafe { set::next(object(set), &mut position) } {
        let element = Owned::new_ref(element);
        each(element.as_word(), hash)?;
    }
    Ok(())
}
/// The same for a set or an exact dict, whose hashes are at hand; false for anything else.
fn for_each_known(
    other: Word,
    mut each: impl FnMut(Word, i64) -> Result<(), Raised>,
) -> Result<bool, Raised> {
    if is_any_set(other) {
        return for_each_hashed(other, each).map(|()| true);
    }
    if !other.is_exact(Kind::DICT) {
        return Ok(false);
    }
    let mut position = 0;
    // SAFETY: contract of Word; the caller keeps the dict.
    while let Some((key, _, hash)) = unsafe { dict::next(other.cast(), &mut position) } {
        let key = Owned::new_ref(key);
        each(key.as_word(), hash)?;
    }
    Ok(true)
}
fn has(vm: Vm, set: Word, element: Word, hash: i64) -> Result<bool, Raised> {
    // SAFETY: contract of Word; the caller keeps the set.
    unsafe { set::contains_hashed(vm, object(set), element, hash) }
}
fn put(vm: Vm, set: &Owned, element: Word, hash: i64) -> Result<(), Raised> {
    // SAFETY: as above.
    unsafe { set::add_hashed(vm, set.as_ptr(), element, hash) }
}

// ---- set algebra; the results' order of elements is CPython's

/// `set_intersection`: looks up the elements of the smaller one.
fn intersection(vm: Vm, word: Word, other: Word) -> PyResult {
    let result = empty_like(vm, word)?;
    if word.is(other) {
        return copy_of(vm, word, word);
    }
    if is_any_set(other) {
        let (large, small) = if len(other) > len(word) {
            (other, word)
        } else {
            (word, other)
        };
        for_each_hashed(small, |element, hash| {
            if has(vm, large, element, hash)? {
                put(vm, &result, element, hash)
            } else {
                Ok(())
            }
        })?;
        return Ok(result);
    }
    sequence::for_each(vm, other, |element| {
        let hash = protocol::hash(vm, element.as_word())?;
        if has(vm, word, element.as_word(), hash)? {
            put(vm, &result, element.as_word(), hash)?;
        }
        Ok(())
    })?;
    Ok(result)
}
/// `set_difference`: goes through whichever of the two is likely to be shorter.
fn difference(vm: Vm, word: Word, other: Word) -> PyResult {
    let other_len = if is_any_set(other) {
        Some(len(other))
    } else if other.is_exact(Kind::DICT) {
        // SAFETY: contract of Word.
        Some(unsafe { (*other.cast::<DictObject>()).len() })
    } else {
        None
    };
    if other_len.is_none_or(|other_len| len(word) >> 2 > other_len) {
        let result = copy_of(vm, word, word)?;
        remove_all(vm, result.as_word(), other)?;
        return Ok(result);
    }
    let result = empty_like(vm, word)?;
    for_each_hashed(word, |element, hash| {
        let found = if is_any_set(other) {
            has(vm, other, element, hash)?
        } else {
            // SAFETY: contract of Word; the caller keeps the dict.
            unsafe { dict::get_item_hash(vm, other.cast(), element, hash)?.is_some() }
        };
        if found {
            Ok(())
        } else {
            put(vm, &result, element, hash)
        }
    })?;
    Ok(result)
}
/// `set_difference_update_internal`.
fn remove_all(vm: Vm, word: Word, other: Word) -> Result<(), Raised> {
    // SAFETY: contract of Word; the caller keeps both.
    unsafe {
        if word.is(other) {
            set::clear(vm, word);
            return Ok(());
        }
        if is_any_set(other) {
            // Of a much larger set only what is common matters.
            let common = if len(other) >> 3 > len(word) {
                Some(intersection(vm, word, other)?)
            } else {
                None
            };
            for_each_hashed(
                common.as_ref().map_or(other, Owned::as_word),
                |element, hash| set::discard_hashed(vm, object(word), element, hash).map(drop),
            )?;
        } else {
            sequence::for_each(vm, other, |element| {
                let hash = set::hash_element(vm, element.as_word())?;
                set::discard_hashed(vm, object(word), element.as_word(), hash).map(drop)
            })?;
        }
        set::sweep(vm, object(word))
    }
}
/// Elements of `other` leave the set if they are in it and enter it if they are not
/// (`set_symmetric_difference_update_set`).
fn toggle_all(vm: Vm, word: Word, other: Word) -> Result<(), Raised> {
    // SAFETY: contract of Word; the caller keeps both.
    unsafe {
        if word.is(other) {
            set::clear(vm, word);
            return Ok(());
        }
        let toggle = |element: Word, hash: i64| {
            if set::discard_hashed(vm, object(word), element, hash)? {
                return Ok(());
            }
            set::add_hashed(vm, object(word), element, hash)
        };
        if for_each_known(other, toggle)? {
            return Ok(());
        }
        let distinct = copy_of(vm, word, other)?;
        for_each_hashed(distinct.as_word(), toggle)
    }
}
fn union(vm: Vm, word: Word, other: Word) -> PyResult {
    let result = copy_of(vm, word, word)?;
    add_all(vm, result.as_word(), other)?;
    Ok(result)
}
fn add_all(vm: Vm, word: Word, other: Word) -> Result<(), Raised> {
    set::update(vm, word, other)
}
fn symmetric_difference(vm: Vm, word: Word, other: Word) -> PyResult {
    let result = copy_of(vm, word, other)?;
    toggle_all(vm, result.as_word(), word)?;
    Ok(result)
}
fn keep_common(vm: Vm, word: Word, other: Word) -> Result<(), Raised> {
    let common = intersection(vm, word, other)?;
    // SAFETY: contract of Word.
    unsafe { set::swap(object(word), common.as_ptr()) };
    Ok(())
}

fn is_subset(vm: Vm, word: Word, other: Word) -> Result<bool, Raised> {
    if !is_any_set(other) {
        let common = intersection(vm, word, other)?;
        return Ok(len(common.as_word()) == len(word));
    }
    if len(word) > len(other) {
        return Ok(false);
    }
    let mut all = true;
    let mut position = 0;
    // SAFETY: contract of Word; the caller keeps both.
    while all && let Some((element, hash)) = unsafe { set::next(object(word), &mut position) } {
        let element = Owned::new_ref(element);
        all = has(vm, other, element.as_word(), hash)?;
    }
    Ok(all)
}
/// Whether `test` holds for every item of an iterable, which is not looked at beyond the first that fails.
fn all_items(
    vm: Vm,
    iterable: Word,
    mut test: impl FnMut(Word) -> Result<bool, Raised>,
) -> Result<bool, Raised> {
    let iterator = sequence::get_iter(vm, iterable)?;
    while let Some(item) = sequence::next_unless_interrupted(vm, iterator.as_word())? {
        if !test(item.as_word())? {
            return Ok(false);
        }
    }
    Ok(true)
}
fn is_superset(vm: Vm, word: Word, other: Word) -> Result<bool, Raised> {
    if is_any_set(other) {
        return is_subset(vm, other, word);
    }
    all_items(vm, other, |item| {
        let hash = set::hash_element(vm, item)?;
        has(vm, word, item, hash)
    })
}

// ---- operators

macro_rules! operators {
    ($($name:ident $operation:ident;)*) => {$(
        fn $name(vm: Vm, a: Word, b: Word) -> PyResult {
            if !is_any_set(a) || !is_any_set(b) {
                return Ok(Owned::NOT_IMPLEMENTED);
            }
            $operation(vm, a, b)
        }
    )*};
}
operators! {
    set_and intersection;
    set_or union;
    set_xor symmetric_difference;
    set_sub difference;
}
macro_rules! inplace_operators {
    ($($name:ident $operation:ident;)*) => {$(
        fn $name(vm: Vm, a: Word, b: Word) -> PyResult {
            if !is_any_set(b) {
                return Ok(Owned::NOT_IMPLEMENTED);
            }
            $operation(vm, a, b)?;
            Ok(Owned::new_ref(a))
        }
    )*};
}
inplace_operators! {
    set_iand keep_common;
    set_ior add_all;
    set_ixor toggle_all;
    set_isub remove_all;
}

/// Inclusion as order (`set_richcompare`).
fn richcompare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !is_any_set(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let (left, right) = (len(a), len(b));
    Ok(Owned::bool(match op {
        CompareOp::Eq => equal(vm, a, b)?,
        CompareOp::Ne => !equal(vm, a, b)?,
        CompareOp::Le => is_subset(vm, a, b)?,
        CompareOp::Ge => is_subset(vm, b, a)?,
        CompareOp::Lt => left < right && is_subset(vm, a, b)?,
        CompareOp::Gt => left > right && is_subset(vm, b, a)?,
    }))
}
fn equal(vm: Vm, a: Word, b: Word) -> Result<bool, Raised> {
    // SAFETY: contract of Word.
    let (left, right) = unsafe { ((*object(a)).hash.get(), (*object(b)).hash.get()) };
    let hashes_differ = left != -1 && right != -1 && left != right;
    Ok(len(a) == len(b) && !hashes_differ && is_subset(vm, a, b)?)
}
fn frozenset_hash(_: Vm, word: Word) -> Result<i64, Raised> {
    // SAFETY: contract of Word.
    let cached = unsafe { &(*object(word)).hash };
    if cached.get() == -1 {
        cached.set(set::frozen_hash(word));
    }
    Ok(cached.get())
}
fn set_len(_: Vm, word: Word) -> Result<usize, Raised> {
    Ok(len(word))
}
fn set_contains(vm: Vm, word: Word, element: Word) -> Result<bool, Raised> {
    set::contains(vm, word, element)
}

/// `{1, 2}`, `set()`, and with the type's name around it for all but exact sets (`set_repr`).
fn set_repr(vm: Vm, word: Word) -> PyResult {
    let mut writer = StrWriter::new(vm);
    // SAFETY: contract of Word.
    let header = unsafe { &*word.object() };
    let recursive = header.has_flag(flag::IN_REPR);
    if recursive || len(word) == 0 {
        writer.push_str(&vm.type_name(word))?;
        writer.push_str(if recursive { "(...)" } else { "()" })?;
        return writer.finish();
    }
    let elements = sequence::collect(vm, word)?;
    let named = !word.is_exact(Kind::SET);
    if named {
        writer.push_str(&vm.type_name(word))?;
        writer.push_str("(")?;
    }
    writer.push_str("{")?;
    header.set_flag(flag::IN_REPR);
    let written = elements
        .iter()
        .enumerate()
        .try_for_each(|(index, element)| {
            if index > 0 {
                writer.push_str(", ")?;
            }
            let text = protocol::repr(vm, element.as_word())?;
            writer.push_word(text.as_word())
        });
    header.clear_flag(flag::IN_REPR);
    written?;
    writer.push_str(if named { "})" } else { "}" })?;
    writer.finish()
}

// ---- construction

fn set_new(vm: Vm, ty: *mut TypeObject, _: &[Word], _: Names) -> PyResult {
    set::new_set(vm, ty, None)
}
fn set_init(vm: Vm, self_: Word, args: &[Word], kwnames: Names) -> Result<(), Raised> {
    args::positional(vm, "set", args, kwnames, 0, 1)?;
    set::clear(vm, self_);
    args.first()
        .map_or(Ok(()), |&iterable| add_all(vm, self_, iterable))
}
fn frozenset_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Names) -> PyResult {
    // SAFETY: the type is live.
    let inherits_init = unsafe {
        let init = |ty: *mut TypeObject| (*ty).slots.init.map(|init| init as usize);
        ty == vm.types.frozenset || init(ty) == init(vm.types.frozenset)
    };
    if inherits_init {
        args::no_keywords(vm, "frozenset", kwnames)?;
    }
    let given = args.len() - args::keyword_names(kwnames).len();
    // SAFETY: as above.
    let name = unsafe { (*ty).name_string() };
    args::check_positional(vm, &name, given, 0, 1)?;
    match args[..given].first() {
        Some(&iterable) if ty == vm.types.frozenset && iterable.is_exact(Kind::FROZENSET) => {
            Ok(Owned::new_ref(iterable))
        }
        iterable => set::new_set(vm, ty, iterable.copied()),
    }
}

// ---- methods

fn add(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    set::add(vm, self_, args[0]).map(|()| Owned::NONE)
}
fn discard_element(vm: Vm, self_: Word, element: Word) -> Result<bool, Raised> {
    let hash = set::hash_or_frozen(vm, element)?;
    // SAFETY: contract of Word.
    unsafe { set::discard_hashed(vm, object(self_), element, hash) }
}
fn discard(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    discard_element(vm, self_, args[0]).map(|_| Owned::NONE)
}
fn remove(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    if discard_element(vm, self_, args[0])? {
        Ok(Owned::NONE)
    } else {
        Err(vm.key_error(args[0]))
    }
}
fn pop(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    // SAFETY: contract of Word.
    match unsafe { set::take_any(object(self_)) } {
        Some(element) => Ok(element),
        None => Err(vm.raise(vm.exc.KeyError, "pop from an empty set")),
    }
}
fn clear(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    set::clear(vm, self_);
    Ok(Owned::NONE)
}
fn copy(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    copy_of(vm, self_, self_)
}
fn frozenset_copy(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    if self_.is_exact(Kind::FROZENSET) {
        Ok(Owned::new_ref(self_))
    } else {
        copy_of(vm, self_, self_)
    }
}
fn contains(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    Ok(Owned::bool(set_contains(vm, self_, args[0])?))
}

/// Methods that make a new set from `self` and any number of iterables, one after the other.
fn fold(vm: Vm, self_: Word, others: &[Word], operation: BinaryFn) -> PyResult {
    let Some((&first, rest)) = others.split_first() else {
        return copy_of(vm, self_, self_);
    };
    let mut result = operation(vm, self_, first)?;
    for &other in rest {
        result = operation(vm, result.as_word(), other)?;
    }
    Ok(result)
}
fn union_method(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let result = copy_of(vm, self_, self_)?;
    args.iter()
        .filter(|other| !self_.is(**other))
        .try_for_each(|&other| add_all(vm, result.as_word(), other))?;
    Ok(result)
}
fn intersection_method(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    fold(vm, self_, args, intersection)
}
fn difference_method(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let Some((&first, rest)) = args.split_first() else {
        return copy_of(vm, self_, self_);
    };
    let result = difference(vm, self_, first)?;
    rest.iter()
        .try_for_each(|&other| remove_all(vm, result.as_word(), other))?;
    Ok(result)
}
fn symmetric_difference_method(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    symmetric_difference(vm, self_, args[0])
}
fn update_method(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args.iter()
        .try_for_each(|&other| add_all(vm, self_, other))?;
    Ok(Owned::NONE)
}
fn intersection_update(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let common = fold(vm, self_, args, intersection)?;
    // SAFETY: contract of Word.
    unsafe { set::swap(object(self_), common.as_ptr()) };
    Ok(Owned::NONE)
}
fn difference_update(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args.iter()
        .try_for_each(|&other| remove_all(vm, self_, other))?;
    Ok(Owned::NONE)
}
fn symmetric_difference_update(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    toggle_all(vm, self_, args[0])?;
    Ok(Owned::NONE)
}
/// `set_isdisjoint`: of two sets the smaller one is gone through.
fn isdisjoint(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let other = args[0];
    if self_.is(other) {
        return Ok(Owned::bool(len(self_) == 0));
    }
    let (from, to) = if is_any_set(other) && len(other) > len(self_) {
        (self_, other)
    } else {
        (other, self_)
    };
    let disjoint = all_items(vm, from, |item| {
        let hash = set::hash_element(vm, item)?;
        Ok(!has(vm, to, item, hash)?)
    })?;
    Ok(Owned::bool(disjoint))
}
fn issubset(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    Ok(Owned::bool(is_subset(vm, self_, args[0])?))
}
fn issuperset(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    Ok(Owned::bool(is_superset(vm, self_, args[0])?))
}

static SET_METHODS: &[MethodDef] = &[
    MethodDef::new("add", meth::O, add),
    MethodDef::new("clear", meth::NOARGS, clear),
    MethodDef::new("__contains__", meth::O, contains),
    MethodDef::new("copy", meth::NOARGS, copy),
    MethodDef::new("discard", meth::O, discard),
    MethodDef::new("difference", meth::FASTCALL, difference_method),
    MethodDef::new("difference_update", meth::FASTCALL, difference_update),
    MethodDef::new("intersection", meth::FASTCALL, intersection_method),
    MethodDef::new("intersection_update", meth::FASTCALL, intersection_update),
    MethodDef::new("isdisjoint", meth::O, isdisjoint),
    MethodDef::new("issubset", meth::O, issubset),
    MethodDef::new("issuperset", meth::O, issuperset),
    MethodDef::new("pop", meth::NOARGS, pop),
    MethodDef::new("remove", meth::O, remove),
    MethodDef::new("symmetric_difference", meth::O, symmetric_difference_method),
    MethodDef::new(
        "symmetric_difference_update",
        meth::O,
        symmetric_difference_update,
    ),
    MethodDef::new("union", meth::FASTCALL, union_method),
    MethodDef::new("update", meth::FASTCALL, update_method),
    CLASS_GETITEM,
];
static FROZENSET_METHODS: &[MethodDef] = &[
    MethodDef::new("__contains__", meth::O, contains),
    MethodDef::new("copy", meth::NOARGS, frozenset_copy),
    MethodDef::new("difference", meth::FASTCALL, difference_method),
    MethodDef::new("intersection", meth::FASTCALL, intersection_method),
    MethodDef::new("isdisjoint", meth::O, isdisjoint),
    MethodDef::new("issubset", meth::O, issubset),
    MethodDef::new("issuperset", meth::O, issuperset),
    MethodDef::new("symmetric_difference", meth::O, symmetric_difference_method),
    MethodDef::new("union", meth::FASTCALL, union_method),
    CLASS_GETITEM,
];

const fn operators() -> [Option<BinaryFn>; NB_SLOTS] {
    let mut slots = Slots::EMPTY.nb;
    slots[nb::AND] = Some(set_and);
    slots[nb::OR] = Some(set_or);
    slots[nb::XOR] = Some(set_xor);
    slots[nb::SUBTRACT] = Some(set_sub);
    slots
}
const SHARED: Slots = Slots {
    dealloc: set::set_dealloc,
    traverse: Some(set::set_traverse),
    clear: Some(set::set_gc_clear),
    repr: Some(set_repr),
    richcompare: Some(richcompare),
    iter: Some(iter),
    len: Some(set_len),
    contains: Some(set_contains),
    nb: operators(),
    ..Slots::EMPTY
};

pub(super) const fn set_spec() -> TypeSpec {
    let mut slots = SHARED;
    slots.nb[nb::INPLACE + nb::AND] = Some(set_iand);
    slots.nb[nb::INPLACE + nb::OR] = Some(set_ior);
    slots.nb[nb::INPLACE + nb::XOR] = Some(set_ixor);
    slots.nb[nb::INPLACE + nb::SUBTRACT] = Some(set_isub);
    slots.hash = Some(generic_slots::unhashable);
    slots.init = Some(set_init);
    slots.new = Some(set_new);
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF | type_flag::WEAKREF,
        methods: SET_METHODS,
        ..TypeSpec::new::<SetObject>("set", Kind::SET, slots)
    }
}
pub(super) const fn frozenset_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF | type_flag::WEAKREF,
        methods: FROZENSET_METHODS,
        ..TypeSpec::new::<SetObject>(
            "frozenset",
            Kind::FROZENSET,
            Slots {
                hash: Some(frozenset_hash),
                new: Some(frozenset_new),
                ..SHARED
            },
        )
    }
}

// ---- iteration

/// `setiterobject`.
#[repr(C)]
pub struct SetIterator {
    pub header: Header,
    /// A slot's word; None when it has run out.
    set: Cell<Option<Word>>,
    /// Number of elements when it started: another one now is an error.
    used: Cell<usize>,
    position: Cell<usize>,
    remaining: Cell<usize>,
}

/// `iter(set)`.
fn iter(vm: Vm, word: Word) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let iterator = vm.alloc::<SetIterator>(vm.types.set_iterator)?;
        (*iterator).set = Cell::new(Some(Owned::new_ref(word).into_slot()));
        (*iterator).used = Cell::new(len(word));
        (*iterator).position = Cell::new(0);
        (*iterator).remaining = Cell::new(len(word));
        Ok(Owned::from_raw(iterator))
    }
}
/// The next element (`setiter_iternext`).
pub fn next(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: contract of Word; all fields that change are cells.
    let iterator = unsafe { &*word.cast::<SetIterator>() };
    let Some(set) = iterator.set.get() else {
        return Ok(None);
    };
    if iterator.used.get() != len(set) {
        // Sticky, so that the next call fails too.
        iterator.used.set(usize::MAX);
        return Err(vm.raise(vm.exc.RuntimeError, "Set changed size during iteration"));
    }
    let mut position = iterator.position.get();
    // SAFETY: contract of Word; the iterator keeps the set.
    match unsafe { set::next(object(set), &mut position) } {
        Some((element, _)) => {
            let element = Owned::new_ref(element);
            iterator.position.set(position);
            iterator
                .remaining
                .set(iterator.remaining.get().saturating_sub(1));
            Ok(Some(element))
        }
        None => {
            replace(&iterator.set, None);
            Ok(None)
        }
    }
}
fn length_hint(vm: Vm, word: Word, _: &[Word], _: Names) -> PyResult {
    // SAFETY: contract of Word.
    let iterator = unsafe { &*word.cast::<SetIterator>() };
    let valid = iterator
        .set
        .get()
        .is_some_and(|set| len(set) == iterator.used.get());
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
                iternext: Some(next),
                ..Slots::EMPTY
            },
        )
    }
}
