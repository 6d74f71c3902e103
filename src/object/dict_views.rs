//! Views of dicts and iterators over them (`dictobject.c`'s second half).

use super::descr::{GetSetDef, MethodDef, meth};
use super::dict::{self, DictObject};
use super::exc::replace;
use super::header::{Header, Kind, Object, flag};
use super::iterators::self_iter;
use super::number::nb;
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, NextFn, Slots, TypeObject, TypeSpec};
use super::vm::Vm;
use super::word::Word;
use super::{protocol, sequence, str, tuple};
use std::cell::Cell;

/// `_PyDictViewObject`.
#[repr(C)]
pub struct DictView {
    pub header: Header,
    /// A slot's word.
    pub dict: Word,
}

/// `dictiterobject`.
#[repr(C)]
pub struct DictIterator {
    pub header: Header,
    /// A slot's word; None when it has run out.
    pub dict: Cell<Option<Word>>,
    /// Position of `dict::next`; in reverse, how many entries are still to be looked at.
    pub position: Cell<usize>,
    /// Number of items when it started: another one now is an error.
    pub used: Cell<usize>,
    /// Items still to come, for the length hint.
    pub remaining: Cell<usize>,
}

fn new_view(vm: Vm, ty: *mut TypeObject, dict: Word) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let view = vm.alloc::<DictView>(ty)?;
        (*view).dict = Owned::new_ref(dict).into_slot();
        Ok(Owned::from_raw(view))
    }
}
pub(super) fn keys(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    new_view(vm, vm.types.dict_keys, word)
}
pub(super) fn values(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    new_view(vm, vm.types.dict_values, word)
}
pub(super) fn items(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    new_view(vm, vm.types.dict_items, word)
}
fn dict_of(view: Word) -> Word {
    // SAFETY: contract of Word; the field does not change.
    unsafe { (*view.cast::<DictView>()).dict }
}

fn new_iterator(vm: Vm, ty: *mut TypeObject, dict: Word, reverse: bool) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let source = dict.cast::<DictObject>();
        let iterator = vm.alloc::<DictIterator>(ty)?;
        let position = match (reverse, (*source).values.get()) {
            (false, _) => 0,
            (true, values) if values.is_null() => (*source).keys().nentries.get() as usize,
            (true, _) => (*source).len(),
        };
        (*iterator).dict = Cell::new(Some(Owned::new_ref(dict).into_slot()));
        (*iterator).position = Cell::new(position);
        (*iterator).used = Cell::new((*source).len());
        (*iterator).remaining = Cell::new((*source).len());
        Ok(Owned::from_raw(iterator))
    }
}
/// `iter(dict)`.
pub fn dict_iter(vm: Vm, word: Word) -> PyResult {
    new_iterator(vm, vm.types.dict_key_iterator, word, false)
}
pub(super) fn dict_reversed(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    new_iterator(vm, vm.types.dict_reverse_key_iterator, word, true)
}

/// The next key and value, counted.
fn advance(vm: Vm, word: Word, reverse: bool) -> Result<Option<(Owned, Owned)>, Raised> {
    // SAFETY: contract of Word; the iterator keeps the dict.
    unsafe {
        let iterator = &*word.cast::<DictIterator>();
        let Some(source) = iterator.dict.get() else {
            return Ok(None);
        };
        let dict = source.cast::<DictObject>();
        if iterator.used.get() != (*dict).len() {
            // Sticky, so that the next call fails too.
            iterator.used.set(usize::MAX);
            return Err(vm.raise(
                vm.exc.RuntimeError,
                "dictionary changed size during iteration",
            ));
        }
        let mut position = iterator.position.get();
        let item = if reverse {
            previous(dict, &mut position)
        } else {
            dict::next(dict, &mut position)
        };
        match item {
            Some((key, value, _)) => {
                if iterator.remaining.get() == 0 {
                    replace(&iterator.dict, None);
                    return Err(vm.raise(
                        vm.exc.RuntimeError,
                        "dictionary keys changed during iteration",
                    ));
                }
                let item = (Owned::new_ref(key), Owned::new_ref(value));
                iterator.position.set(position);
                iterator.remaining.set(iterator.remaining.get() - 1);
                Ok(Some(item))
            }
            None => {
                replace(&iterator.dict, None);
                Ok(None)
            }
        }
    }
}
/// The item before `position`.
unsafe fn previous(dict: *mut DictObject, position: &mut usize) -> Option<(Word, Word, i64)> {
    unsafe {
        while *position > 0 {
            *position -= 1;
            let mut forward = *position;
            if (*dict).values.get().is_null() {
                let entry = &*(*dict).keys().entries().add(*position);
                if let (Some(key), Some(value)) = (entry.key, entry.value) {
                    return Some((key, value, entry.hash));
                }
            } else {
                return dict::next(dict, &mut forward);
            }
        }
        None
    }
}
/// The next key of a dict iterator (`dictiter_iternextkey`).
pub fn next_key(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    Ok(advance(vm, word, false)?.map(|item| item.0))
}
/// The next value (`dictiter_iternextvalue`).
pub fn next_value(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    Ok(advance(vm, word, false)?.map(|item| item.1))
}
/// The next pair (`dictiter_iternextitem`).
pub fn next_item(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    pair(vm, advance(vm, word, false)?)
}
fn pair(vm: Vm, item: Option<(Owned, Owned)>) -> Result<Option<Owned>, Raised> {
    let Some((key, value)) = item else {
        return Ok(None);
    };
    // SAFETY: both words are owned temporaries, consumed by the tuple.
    unsafe { vm.tuple_from_stack(&[key.into_word(), value.into_word()]) }.map(Some)
}
fn next_key_reversed(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    Ok(advance(vm, word, true)?.map(|item| item.0))
}
fn next_value_reversed(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    Ok(advance(vm, word, true)?.map(|item| item.1))
}
fn next_item_reversed(vm: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    pair(vm, advance(vm, word, true)?)
}
fn length_hint(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: contract of Word.
    unsafe {
        let iterator = &*word.cast::<DictIterator>();
        let valid = iterator
            .dict
            .get()
            .is_some_and(|dict| (*dict.cast::<DictObject>()).len() == iterator.used.get());
        vm.new_int_usize(if valid { iterator.remaining.get() } else { 0 })
    }
}
static ITERATOR_METHODS: &[MethodDef] =
    &[MethodDef::new("__length_hint__", meth::NOARGS, length_hint)];

unsafe fn iterator_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        replace(&(*(object as *mut DictIterator)).dict, None);
        vm.free(object);
    }
}
unsafe fn iterator_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { (*(object as *mut DictIterator)).dict.get() }
        .into_iter()
        .for_each(visit);
}
const fn iterator_spec(name: &'static str, kind: Kind, next: NextFn) -> TypeSpec {
    TypeSpec {
        methods: ITERATOR_METHODS,
        ..TypeSpec::new::<DictIterator>(
            name,
            kind,
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
pub(super) const ITERATOR_SPECS: [TypeSpec; 6] = [
    iterator_spec("dict_keyiterator", Kind::DICT_ITERATOR, next_key),
    iterator_spec("dict_valueiterator", Kind::DICT_ITERATOR, next_value),
    iterator_spec("dict_itemiterator", Kind::DICT_ITERATOR, next_item),
    iterator_spec("dict_reversekeyiterator", Kind::OTHER, next_key_reversed),
    iterator_spec(
        "dict_reversevalueiterator",
        Kind::OTHER,
        next_value_reversed,
    ),
    iterator_spec("dict_reverseitemiterator", Kind::OTHER, next_item_reversed),
];

// ---- views

fn view_len(_: Vm, view: Word) -> Result<usize, Raised> {
    // SAFETY: contract of Word; the view keeps the dict.
    Ok(unsafe { (*dict_of(view).cast::<DictObject>()).len() })
}
fn view_repr(vm: Vm, view: Word) -> PyResult {
    // SAFETY: contract of Word.
    let header = unsafe { &*view.object() };
    if header.has_flag(flag::IN_REPR) {
        return vm.new_str("...");
    }
    header.set_flag(flag::IN_REPR);
    let text = super::list_methods::list_from_iterable(vm, view)
        .and_then(|items| protocol::repr(vm, items.as_word()));
    header.clear_flag(flag::IN_REPR);
    vm.new_str(&format!(
        "{}({})",
        vm.type_name(view),
        str::to_string_lossy(text?.as_word())
    ))
}
fn keys_contains(vm: Vm, view: Word, key: Word) -> Result<bool, Raised> {
    sequence::contains(vm, dict_of(view), key)
}
fn items_contains(vm: Vm, view: Word, item: Word) -> Result<bool, Raised> {
    if !tuple::is_tuple(item) {
        return Ok(false);
    }
    // SAFETY: contract of Word; the value is counted while it is compared.
    unsafe {
        let [key, value] = *tuple::items(item) else {
            return Ok(false);
        };
        match dict::get_item(vm, dict_of(view).cast(), key)?.map(Owned::new_ref) {
            Some(found) => protocol::rich_compare_bool(vm, found.as_word(), value, CompareOp::Eq),
            None => Ok(false),
        }
    }
}
fn is_set_like(word: Word) -> bool {
    matches!(
        word.kind().base(),
        Kind::SET | Kind::FROZENSET | Kind::DICT_VIEW
    )
}
/// Comparison as sets (`dictview_richcompare`).
fn view_compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !is_set_like(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let (left, right) = (sequence::len(vm, a)?, sequence::len(vm, b)?);
    let all_in = |small: Word, large: Word| {
        let mut all = true;
        sequence::for_each(vm, small, |item| {
            all = all && sequence::contains(vm, large, item.as_word())?;
            Ok(())
        })
        .map(|()| all)
    };
    Ok(Owned::bool(match op {
        CompareOp::Eq => left == right && all_in(a, b)?,
        CompareOp::Ne => left != right || !all_in(a, b)?,
        CompareOp::Lt => left < right && all_in(a, b)?,
        CompareOp::Le => left <= right && all_in(a, b)?,
        CompareOp::Gt => left > right && all_in(b, a)?,
        CompareOp::Ge => left >= right && all_in(b, a)?,
    }))
}
/// A set operation on views, through sets.
fn set_operation(vm: Vm, a: Word, b: Word, name: &str) -> PyResult {
    let set = super::set::new_set(vm, vm.types.set, Some(a))?;
    let name = vm.intern_str(name)?;
    drop(super::attr::call_method(
        vm,
        set.as_word(),
        name.as_word(),
        &[b],
    )?);
    Ok(set)
}
fn view_and(vm: Vm, a: Word, b: Word) -> PyResult {
    if !is_set_like(a) {
        return view_and(vm, b, a);
    }
    set_operation(vm, a, b, "intersection_update")
}
fn view_or(vm: Vm, a: Word, b: Word) -> PyResult {
    set_operation(vm, a, b, "update")
}
fn view_sub(vm: Vm, a: Word, b: Word) -> PyResult {
    set_operation(vm, a, b, "difference_update")
}
fn view_xor(vm: Vm, a: Word, b: Word) -> PyResult {
    set_operation(vm, a, b, "symmetric_difference_update")
}
fn isdisjoint(vm: Vm, view: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let mut disjoint = true;
    sequence::for_each(vm, args[0], |item| {
        disjoint = disjoint && !sequence::contains(vm, view, item.as_word())?;
        Ok(())
    })?;
    Ok(Owned::bool(disjoint))
}
unsafe fn view_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        (*(object as *mut DictView)).dict.release_slot();
        vm.free(object);
    }
}
unsafe fn view_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    visit(unsafe { (*(object as *mut DictView)).dict });
}
static VIEW_GETSET: [GetSetDef; 1] = [GetSetDef::new(
    "mapping",
    |vm, view| super::mapping_proxy::new(vm, dict_of(view)),
    None,
)];
static KEYS_METHODS: &[MethodDef] = &[
    MethodDef::new("isdisjoint", meth::O, isdisjoint),
    MethodDef::new("__reversed__", meth::NOARGS, |vm, view, _, _| {
        new_iterator(vm, vm.types.dict_reverse_key_iterator, dict_of(view), true)
    }),
];
static VALUES_METHODS: &[MethodDef] = &[MethodDef::new(
    "__reversed__",
    meth::NOARGS,
    |vm, view, _, _| {
        new_iterator(
            vm,
            vm.types.dict_reverse_value_iterator,
            dict_of(view),
            true,
        )
    },
)];
static ITEMS_METHODS: &[MethodDef] = &[
    MethodDef::new("isdisjoint", meth::O, isdisjoint),
    MethodDef::new("__reversed__", meth::NOARGS, |vm, view, _, _| {
        new_iterator(vm, vm.types.dict_reverse_item_iterator, dict_of(view), true)
    }),
];
const VIEW: Slots = Slots {
    dealloc: view_dealloc,
    traverse: Some(view_traverse),
    repr: Some(view_repr),
    len: Some(view_len),
    ..Slots::EMPTY
};
const SET_LIKE: Slots = Slots {
    hash: Some(super::generic_slots::unhashable),
    richcompare: Some(view_compare),
    nb: {
        let mut slots = Slots::EMPTY.nb;
        slots[nb::AND] = Some(view_and);
        slots[nb::OR] = Some(view_or);
        slots[nb::XOR] = Some(view_xor);
        slots[nb::SUBTRACT] = Some(view_sub);
        slots
    },
    ..VIEW
};
pub(super) const VIEW_SPECS: [TypeSpec; 3] = [
    TypeSpec {
        getset: &VIEW_GETSET,
        methods: KEYS_METHODS,
        ..TypeSpec::new::<DictView>(
            "dict_keys",
            Kind::DICT_VIEW,
            Slots {
                iter: Some(|vm, view| dict_iter(vm, dict_of(view))),
                contains: Some(keys_contains),
                ..SET_LIKE
            },
        )
    },
    TypeSpec {
        getset: &VIEW_GETSET,
        methods: VALUES_METHODS,
        ..TypeSpec::new::<DictView>(
            "dict_values",
            Kind::OTHER,
            Slots {
                iter: Some(|vm, view| {
                    new_iterator(vm, vm.types.dict_value_iterator, dict_of(view), false)
                }),
                ..VIEW
            },
        )
    },
    TypeSpec {
        getset: &VIEW_GETSET,
        methods: ITEMS_METHODS,
        ..TypeSpec::new::<DictView>(
            "dict_items",
            Kind::DICT_VIEW,
            Slots {
                iter: Some(|vm, view| {
                    new_iterator(vm, vm.types.dict_item_iterator, dict_of(view), false)
                }),
                contains: Some(items_contains),
                ..SET_LIKE
            },
        )
    },
];
