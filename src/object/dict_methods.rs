//! Methods and operators of `dict` (`dictobject.c`). Views and iterators are in `dict_views.rs`.

use super::args;
use super::attr;
use super::descr::{MethodDef, meth};
use super::dict::{self, DictKeys, DictObject, KeysKind};
use super::dict_views as views;
use super::header::{Kind, flag};
use super::owned::{Owned, PyResult, Raised};
use super::str_writer::StrWriter;
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{call, number::nb, protocol, sequence};

type Names = Option<Word>;

fn ptr(word: Word) -> *mut DictObject {
    debug_assert!(dict::is_dict(word));
    word.cast()
}

/// A copy as an exact dict (`PyDict_Copy`).
///
/// # Safety
/// `from` is live.
pub(super) unsafe fn copy(vm: Vm, from: *mut DictObject) -> PyResult {
    unsafe {
        let result = vm.new_dict_with_capacity((*from).len())?;
        let to = result.as_ptr::<DictObject>();
        if (*from).is_empty() {
            return Ok(result);
        }
        // Room for all is there unless the source has few items.
        if (*to).keys.get() == vm.empty_keys {
            dict::resize(vm, to, dict::log2_for((*from).len()))?;
        }
        let keys: *mut DictKeys = (*to).keys.get();
        if (*from).keys().kind.get() == KeysKind::General {
            (*keys).kind.set(KeysKind::General);
        }
        let mut position = 0;
        while let Some((key, value, hash)) = dict::next(from, &mut position) {
            (*keys).push_entry(hash, key.dup().to_slot(), Some(value.dup().to_slot()));
        }
        (*to).used.set((*from).len());
        Ok(result)
    }
}

/// `dict.update(other)`: of a dict, something with `keys`, or pairs; `replace` says whether present keys change
/// (`dict_merge`).
///
/// # Safety
/// `to` is live and stays so.
pub unsafe fn merge(vm: Vm, to: *mut DictObject, other: Word, replace: bool) -> Result<(), Raised> {
    unsafe {
        let set = |key: Word, value: Word| {
            let hash = dict::hash_key(vm, key)?;
            if !replace && dict::get_item_hash(vm, to, key, hash)?.is_some() {
                return Ok(());
            }
            dict::insert(vm, to, key, hash, Owned::new_ref(value))
        };
        let plain_iteration = dict::is_dict(other)
            && (*vm.type_of(other)).slots.iter.is_some_and(|iter| {
                std::ptr::fn_addr_eq(iter, views::dict_iter as super::types::UnaryFn)
            });
        if plain_iteration {
            let from = ptr(other);
            if from == to {
                return Ok(());
            }
            let mut position = 0;
            while let Some((key, value, hash)) = dict::next(from, &mut position) {
                let (key, value) = (Owned::new_ref(key), Owned::new_ref(value));
                let count = (*from).len();
                if replace || dict::get_item_hash(vm, to, key.as_word(), hash)?.is_none() {
                    dict::insert(vm, to, key.as_word(), hash, value)?;
                }
                if count != (*from).len() {
                    return Err(vm.raise(vm.exc.RuntimeError, "dict mutated during update"));
                }
            }
            return Ok(());
        }
        for key in keys_of(vm, other)? {
            let value = sequence::get_item(vm, other, key.as_word())?;
            set(key.as_word(), value.as_word())?;
        }
        Ok(())
    }
}
/// What a mapping's `keys` gives (`PyMapping_Keys`).
pub fn keys_of(vm: Vm, mapping: Word) -> Result<Vec<Owned>, Raised> {
    let keys = attr::call_method(vm, mapping, vm.names.keys, &[])?;
    let iterator = sequence::get_iter_or(vm, keys.as_word(), |vm| {
        format!(
            "{}.keys() returned a non-iterable (type {})",
            vm.type_name(mapping),
            vm.type_name(keys.as_word())
        )
    })?;
    sequence::collect(vm, iterator.as_word())
}
/// What merging a mapping came to; an AttributeError says that it is none, in a TypeError with this message.
pub fn merged_mapping(
    vm: Vm,
    merged: Result<(), Raised>,
    message: impl FnOnce() -> Result<String, Raised>,
) -> Result<(), Raised> {
    match merged {
        Err(Raised) if vm.exception_matches(vm.exc.AttributeError) => {
            vm.clear_exception();
            Err(vm.type_error(message()?))
        }
        merged => merged,
    }
}
#[cold]
fn not_a_pair(vm: Vm, index: usize) -> Raised {
    let error = vm.type_error("object is not iterable");
    let Some(exception) = vm.take_exception() else {
        return error;
    };
    let note = format!("Cannot convert dictionary update sequence element #{index} to a sequence");
    let noted = vm
        .new_str(&note)
        .and_then(|note| vm.new_list(&[note.as_word()]))
        .and_then(|notes| {
            let name = vm.names.__notes__;
            attr::set_attr(vm, exception.as_word(), name, Some(notes.as_word()))
        });
    if noted.is_ok() {
        vm.set_exception(exception);
    }
    error
}
/// Updates from an iterable of pairs (`PyDict_MergeFromSeq2`).
unsafe fn merge_pairs(vm: Vm, to: *mut DictObject, pairs: Word) -> Result<(), Raised> {
    let mut index = 0;
    sequence::for_each(vm, pairs, |pair| {
        let items = match sequence::collect(vm, pair.as_word()) {
            Ok(items) => items,
            Err(raised) => {
                if vm.exception_matches(vm.exc.TypeError) {
                    vm.clear_exception();
                    return Err(not_a_pair(vm, index));
                }
                return Err(raised);
            }
        };
        let [key, value] = items.as_slice() else {
            return Err(vm.value_error(format!(
                "dictionary update sequence element #{index} has length {}; 2 is required",
                items.len()
            )));
        };
        index += 1;
        unsafe { dict::set_item(vm, to, key.as_word(), value.as_word()) }
    })
}
fn update_from(
    vm: Vm,
    word: Word,
    name: &str,
    args: &[Word],
    kwnames: Names,
) -> Result<(), Raised> {
    let names = args::keyword_names(kwnames);
    let positional = args.len() - names.len();
    args::check_positional(vm, name, positional, 0, 1)?;
    // SAFETY: contract of Word.
    unsafe {
        if positional == 1 {
            let other = args[0];
            if dict::is_dict(other) || attr::get_attr_opt(vm, other, vm.names.keys)?.is_some() {
                merge(vm, ptr(word), other, true)?;
            } else {
                merge_pairs(vm, ptr(word), other)?;
            }
        }
        for (&name, &value) in names.iter().zip(&args[positional..]) {
            dict::set_item(vm, ptr(word), name, value)?;
        }
    }
    Ok(())
}

// ---- operators

fn dict_repr(vm: Vm, word: Word) -> PyResult {
    // SAFETY: contract of Word; items are counted while they are printed.
    unsafe {
        let dict = ptr(word);
        if (*dict).is_empty() {
            return vm.new_str("{}");
        }
        if (*dict).header.has_flag(flag::IN_REPR) {
            return vm.new_str("{...}");
        }
        (*dict).header.set_flag(flag::IN_REPR);
        let text = (|| {
            let mut writer = StrWriter::new(vm);
            writer.push(0x7b)?;
            let (mut position, mut first) = (0, true);
            while let Some((key, value, _)) = dict::next(dict, &mut position) {
                let (key, value) = (Owned::new_ref(key), Owned::new_ref(value));
                if !first {
                    writer.push_str(", ")?;
                }
                first = false;
                let text = protocol::repr(vm, key.as_word())?;
                writer.push_word(text.as_word())?;
                writer.push_str(": ")?;
                let text = protocol::repr(vm, value.as_word())?;
                writer.push_word(text.as_word())?;
            }
            writer.push(0x7d)?;
            writer.finish()
        })();
        (*dict).header.clear_flag(flag::IN_REPR);
        text
    }
}
fn dict_compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !dict::is_dict(a) || !dict::is_dict(b) || !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    Ok(Owned::bool(equal(vm, a, b)? == (op == CompareOp::Eq)))
}
fn equal(vm: Vm, a: Word, b: Word) -> Result<bool, Raised> {
    // SAFETY: contract of Word; items are counted while they are compared.
    unsafe {
        let (left, right) = (ptr(a), ptr(b));
        if (*left).len() != (*right).len() {
            return Ok(false);
        }
        let mut position = 0;
        while let Some((key, value, hash)) = dict::next(left, &mut position) {
            let (key, value) = (Owned::new_ref(key), Owned::new_ref(value));
            let Some(other) =
                dict::get_item_hash(vm, right, key.as_word(), hash)?.map(Owned::new_ref)
            else {
                return Ok(false);
            };
            if !protocol::rich_compare_bool(vm, value.as_word(), other.as_word(), CompareOp::Eq)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
fn dict_len(_: Vm, word: Word) -> Result<usize, Raised> {
    // SAFETY: contract of Word.
    Ok(unsafe { (*ptr(word)).len() })
}
/// `dict[key]` (`dict_subscript`).
pub fn dict_getitem(vm: Vm, word: Word, key: Word) -> PyResult {
    // SAFETY: contract of Word.
    if let Some(value) = unsafe { dict::get_item(vm, ptr(word), key)? } {
        return Ok(Owned::new_ref(value));
    }
    if !word.is_exact(Kind::DICT)
        && let Some(missing) = attr::lookup_bound(vm, word, vm.names.__missing__)?
    {
        return call::call_one(vm, missing.as_word(), key);
    }
    Err(vm.key_error(key))
}
/// `dict[key] = value`, `del dict[key]` (`dict_ass_sub`).
pub fn dict_setitem(vm: Vm, word: Word, key: Word, value: Option<Word>) -> Result<(), Raised> {
    // SAFETY: contract of Word.
    unsafe {
        match value {
            Some(value) => dict::set_item(vm, ptr(word), key, value),
            None => {
                let hash = dict::hash_key(vm, key)?;
                match dict::remove(vm, ptr(word), key, hash)? {
                    Some(_) => Ok(()),
                    None => Err(vm.key_error(key)),
                }
            }
        }
    }
}
fn dict_contains(vm: Vm, word: Word, key: Word) -> Result<bool, Raised> {
    // SAFETY: contract of Word.
    Ok(unsafe { dict::get_item(vm, ptr(word), key)? }.is_some())
}
fn dict_or(vm: Vm, a: Word, b: Word) -> PyResult {
    if !dict::is_dict(a) || !dict::is_dict(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    // SAFETY: contract of Word.
    unsafe {
        let result = copy(vm, ptr(a))?;
        merge(vm, result.as_ptr(), b, true)?;
        Ok(result)
    }
}
fn dict_inplace_or(vm: Vm, a: Word, b: Word) -> PyResult {
    update_from(vm, a, "update", &[b], None)?;
    Ok(Owned::new_ref(a))
}

// ---- construction

fn dict_new(vm: Vm, ty: *mut TypeObject, _: &[Word], _: Names) -> PyResult {
    // SAFETY: a dict or a subclass is laid out so.
    unsafe {
        let dict = vm.alloc_instance::<DictObject>(ty, size_of::<DictObject>())?;
        dict::init_empty(vm, dict);
        Ok(Owned::from_raw(dict))
    }
}
fn dict_init(vm: Vm, self_: Word, args: &[Word], kwnames: Names) -> Result<(), Raised> {
    update_from(vm, self_, "dict", args, kwnames)
}

// ---- methods

fn get(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "get", args.len(), 1, 2)?;
    // SAFETY: contract of Word.
    let value = unsafe { dict::get_item(vm, ptr(self_), args[0])? };
    Ok(Owned::new_ref(
        value.or(args.get(1).copied()).unwrap_or(Word::NONE),
    ))
}
fn setdefault(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "setdefault", args.len(), 1, 2)?;
    let default = args.get(1).copied().unwrap_or(Word::NONE);
    // SAFETY: contract of Word.
    unsafe {
        let hash = dict::hash_key(vm, args[0])?;
        if let Some(value) = dict::get_item_hash(vm, ptr(self_), args[0], hash)? {
            return Ok(Owned::new_ref(value));
        }
        dict::insert(vm, ptr(self_), args[0], hash, Owned::new_ref(default))?;
    }
    Ok(Owned::new_ref(default))
}
fn pop(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "pop", args.len(), 1, 2)?;
    // SAFETY: contract of Word.
    unsafe {
        let removed = if (*ptr(self_)).is_empty() {
            None
        } else {
            dict::remove(vm, ptr(self_), args[0], dict::hash_key(vm, args[0])?)?
        };
        match (removed, args.get(1)) {
            (Some(value), _) => Ok(value),
            (None, Some(&default)) => Ok(Owned::new_ref(default)),
            (None, None) => Err(vm.key_error(args[0])),
        }
    }
}
fn popitem(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    // SAFETY: contract of Word.
    unsafe {
        let dict = ptr(self_);
        let Some((key, index, hash)) = dict::last(dict) else {
            let message = vm.new_str("popitem(): dictionary is empty")?;
            return Err(vm.key_error(message.as_word()));
        };
        let key = Owned::new_ref(key);
        let value = dict::remove_at(vm, dict, index, hash)?.unwrap_or(Owned::NONE);
        vm.tuple_from_owned(vec![key, value])
    }
}
fn update(vm: Vm, self_: Word, args: &[Word], kwnames: Names) -> PyResult {
    update_from(vm, self_, "update", args, kwnames).map(|()| Owned::NONE)
}
fn clear(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    // SAFETY: contract of Word.
    unsafe { dict::clear(vm, ptr(self_)) };
    Ok(Owned::NONE)
}
fn copy_method(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    // SAFETY: contract of Word.
    unsafe { copy(vm, ptr(self_)) }
}
fn fromkeys(vm: Vm, class: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "fromkeys", args.len(), 1, 2)?;
    let value = args.get(1).copied().unwrap_or(Word::NONE);
    let result = call::call(vm, class, &[], None)?;
    let exact = result.as_word().is_exact(Kind::DICT);
    sequence::for_each(vm, args[0], |key| {
        if exact {
            // SAFETY: the result is a dict.
            return unsafe { dict::set_item(vm, result.as_ptr(), key.as_word(), value) };
        }
        sequence::set_item(vm, result.as_word(), key.as_word(), value)
    })?;
    Ok(result)
}
fn contains_method(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    Ok(Owned::bool(dict_contains(vm, self_, args[0])?))
}
fn getitem_method(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    dict_getitem(vm, self_, args[0])
}
static METHODS: &[MethodDef] = &[
    MethodDef::new("__contains__", meth::O, contains_method),
    MethodDef::new("__getitem__", meth::O, getitem_method),
    MethodDef::new("get", meth::FASTCALL, get),
    MethodDef::new("setdefault", meth::FASTCALL, setdefault),
    MethodDef::new("pop", meth::FASTCALL, pop),
    MethodDef::new("popitem", meth::NOARGS, popitem),
    MethodDef::new("keys", meth::NOARGS, views::keys),
    MethodDef::new("items", meth::NOARGS, views::items),
    MethodDef::new("values", meth::NOARGS, views::values),
    MethodDef::new("update", meth::VARARGS | meth::KEYWORDS, update),
    MethodDef::new("fromkeys", meth::FASTCALL | meth::CLASS, fromkeys),
    MethodDef::new("clear", meth::NOARGS, clear),
    MethodDef::new("copy", meth::NOARGS, copy_method),
    MethodDef::new("__reversed__", meth::NOARGS, views::dict_reversed),
    super::generic_alias::CLASS_GETITEM,
];

pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF | type_flag::MAPPING,
        methods: METHODS,
        ..TypeSpec::new::<DictObject>(
            "dict",
            Kind::DICT,
            Slots {
                dealloc: dict::dict_dealloc,
                traverse: Some(dict::dict_traverse),
                clear: Some(dict::dict_gc_clear),
                repr: Some(dict_repr),
                hash: Some(super::generic_slots::unhashable),
                richcompare: Some(dict_compare),
                iter: Some(views::dict_iter),
                len: Some(dict_len),
                getitem: Some(dict_getitem),
                setitem: Some(dict_setitem),
                contains: Some(dict_contains),
                nb: {
                    let mut slots = Slots::EMPTY.nb;
                    slots[nb::OR] = Some(dict_or);
                    slots[nb::INPLACE + nb::OR] = Some(dict_inplace_or);
                    slots
                },
                init: Some(dict_init),
                new: Some(dict_new),
                ..Slots::EMPTY
            },
        )
    }
}
