//! Subscripts, length, membership and iteration of any object (`abstract.c`, sequence, mapping and iterator parts).

use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{list, number, protocol, tuple};

/// `o[key]` (`PyObject_GetItem`).
pub fn get_item(vm: Vm, object: Word, key: Word) -> PyResult {
    // SAFETY: types are live as long as an instance.
    if let Some(getitem) = unsafe { (*vm.type_of(object)).slots.getitem } {
        return getitem(vm, object, key);
    }
    if object.is_instance(Kind::TYPE) {
        return super::type_object::class_getitem(vm, object, key);
    }
    Err(vm.type_error(format!(
        "'{}' object is not subscriptable",
        vm.type_name(object)
    )))
}
/// `o[key] = value` (`PyObject_SetItem`).
pub fn set_item(vm: Vm, object: Word, key: Word, value: Word) -> Result<(), Raised> {
    // SAFETY: types are live as long as an instance.
    match unsafe { (*vm.type_of(object)).slots.setitem } {
        Some(setitem) => setitem(vm, object, key, Some(value)),
        None => {
            check_index(vm, object, key)?;
            Err(vm.type_error(format!(
                "'{}' object does not support item assignment",
                vm.type_name(object)
            )))
        }
    }
}
/// Of what CPython takes for a sequence, an index is looked at before it turns out to be of no use. Says whether it is one.
#[cold]
fn check_index(vm: Vm, object: Word, key: Word) -> Result<bool, Raised> {
    // SAFETY: types are live as long as an instance.
    let sequence = unsafe {
        let ty = &*vm.type_of(object);
        ty.slots.contains.is_some() || ty.has_flag(type_flag::HEAPTYPE)
    };
    if sequence && number::is_index(vm, key) {
        number::index_for_subscript(vm, key)?;
        return Ok(true);
    }
    Ok(false)
}
/// `del o[key]` (`PyObject_DelItem`).
pub fn del_item(vm: Vm, object: Word, key: Word) -> Result<(), Raised> {
    // SAFETY: types are live as long as an instance.
    match unsafe { (*vm.type_of(object)).slots.setitem } {
        Some(setitem) => setitem(vm, object, key, None),
        None => {
            let does_not = match check_index(vm, object, key)? {
                true => "doesn't",
                false => "does not",
            };
            Err(vm.type_error(format!(
                "'{}' object {does_not} support item deletion",
                vm.type_name(object)
            )))
        }
    }
}

/// `len(o)` (`PyObject_Size`).
pub fn len(vm: Vm, object: Word) -> Result<usize, Raised> {
    // SAFETY: types are live as long as an instance.
    match unsafe { (*vm.type_of(object)).slots.len } {
        Some(len) => len(vm, object),
        None => Err(vm.type_error(format!(
            "object of type '{}' has no len()",
            vm.type_name(object)
        ))),
    }
}

/// `value in container` (`PySequence_Contains`).
pub fn contains(vm: Vm, container: Word, value: Word) -> Result<bool, Raised> {
    // SAFETY: types are live as long as an instance.
    if let Some(contains) = unsafe { (*vm.type_of(container)).slots.contains } {
        return contains(vm, container, value);
    }
    contains_by_iteration(vm, container, value)
}
/// The same by looking at each item (`_PySequence_IterSearch`).
pub(super) fn contains_by_iteration(vm: Vm, container: Word, value: Word) -> Result<bool, Raised> {
    let iterator = match get_iter(vm, container) {
        Ok(iterator) => iterator,
        Err(raised) => {
            if vm.exception_matches(vm.exc.TypeError) {
                vm.clear_exception();
                return Err(vm.type_error(format!(
                    "argument of type '{}' is not a container or iterable",
                    vm.type_name(container)
                )));
            }
            return Err(raised);
        }
    };
    while let Some(item) = next_unless_interrupted(vm, iterator.as_word())? {
        if protocol::rich_compare_bool(vm, item.as_word(), value, CompareOp::Eq)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// `iter(o)` (`PyObject_GetIter`).
pub fn get_iter(vm: Vm, object: Word) -> PyResult {
    // SAFETY: types are live as long as an instance.
    unsafe {
        let ty = vm.type_of(object);
        let Some(iter) = (*ty).slots.iter else {
            if (*ty).slots.getitem.is_some()
                && !object.is_instance(Kind::DICT)
                && !(*ty).has_flag(type_flag::MAPPING)
            {
                return super::iterators::new_seq_iterator(vm, object);
            }
            return Err(vm.type_error(format!("'{}' object is not iterable", vm.type_name(object))));
        };
        let iterator = iter(vm, object)?;
        if (*vm.type_of(iterator.as_word())).slots.iternext.is_some() {
            return Ok(iterator);
        }
        Err(vm.type_error(format!(
            "iter() returned non-iterator of type '{}'",
            vm.type_name(iterator.as_word())
        )))
    }
}
/// The same with a TypeError of its own for what cannot be iterated.
pub(super) fn get_iter_or(vm: Vm, object: Word, message: impl FnOnce(Vm) -> String) -> PyResult {
    match get_iter(vm, object) {
        Err(Raised) if vm.exception_matches(vm.exc.TypeError) => {
            vm.clear_exception();
            Err(vm.type_error(message(vm)))
        }
        iterator => iterator,
    }
}

/// The next item, None at the end: StopIteration has been cleared (`PyIter_NextItem`).
#[inline]
pub fn iter_next(vm: Vm, iterator: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: types are live as long as an instance.
    let Some(next) = (unsafe { (*vm.type_of(iterator)).slots.iternext }) else {
        return Err(vm.type_error(format!(
            "'{}' object is not an iterator",
            vm.type_name(iterator)
        )));
    };
    // An iterator may stand on a million others.
    vm.check_stack(" while calling a Python object")?;
    match next(vm, iterator) {
        Err(raised) => stop_iteration_ends(vm, raised),
        item => item,
    }
}
#[cold]
fn stop_iteration_ends(vm: Vm, raised: Raised) -> Result<Option<Owned>, Raised> {
    if vm.exception_matches(vm.exc.StopIteration) {
        vm.clear_exception();
        return Ok(None);
    }
    Err(raised)
}

/// The same where native code goes through an iterator that may never end.
#[inline]
pub fn next_unless_interrupted(vm: Vm, iterator: Word) -> Result<Option<Owned>, Raised> {
    vm.check_signals()?;
    iter_next(vm, iterator)
}

/// Calls `each` with every item of an iterable; a list or tuple needs no iterator.
pub fn for_each(
    vm: Vm,
    iterable: Word,
    mut each: impl FnMut(Owned) -> Result<(), Raised>,
) -> Result<(), Raised> {
    if iterable.is_exact(Kind::LIST) || iterable.is_exact(Kind::TUPLE) {
        let mut index = 0;
        // The list may change meanwhile: look again for each item.
        while let Some(item) = item_at(iterable, index) {
            each(item)?;
            index += 1;
        }
        return Ok(());
    }
    let iterator = get_iter(vm, iterable)?;
    exhaust(vm, &iterator, each)
}
/// Calls `each` with every item that an iterator has left.
pub(super) fn exhaust(
    vm: Vm,
    iterator: &Owned,
    mut each: impl FnMut(Owned) -> Result<(), Raised>,
) -> Result<(), Raised> {
    while let Some(item) = next_unless_interrupted(vm, iterator.as_word())? {
        each(item)?;
    }
    Ok(())
}

/// An item of an exact list or tuple, if there is one.
pub(super) fn item_at(object: Word, index: usize) -> Option<Owned> {
    // SAFETY: contract of Word; the slice is not kept.
    let items = unsafe {
        if tuple::is_tuple(object) {
            tuple::items(object)
        } else {
            list::items(object)
        }
    };
    items.get(index).map(|&item| Owned::new_ref(item))
}

/// All items of an iterable (`PySequence_List`, as Rust values).
pub fn collect(vm: Vm, iterable: Word) -> Result<Vec<Owned>, Raised> {
    let mut items: Vec<Owned> = Vec::new();
    let iterator = match iterable.is_exact(Kind::LIST) || iterable.is_exact(Kind::TUPLE) {
        true => None,
        false => Some(get_iter(vm, iterable)?),
    };
    let expected = length_hint(vm, iterable, 0)?;
    let reserve = |items: &mut Vec<Owned>, more: usize| {
        let room = vm.heap.has_room(
            items
                .len()
                .saturating_add(more)
                .saturating_mul(size_of::<Owned>()),
        );
        if room && items.try_reserve_exact(more).is_ok() {
            Ok(())
        } else {
            Err(vm.no_memory())
        }
    };
    reserve(&mut items, expected)?;
    let push = |item| {
        if items.len() == items.capacity() {
            let more = items.len().max(8);
            reserve(&mut items, more)?;
        }
        items.push(item);
        Ok(())
    };
    match &iterator {
        Some(iterator) => exhaust(vm, iterator, push)?,
        None => for_each(vm, iterable, push)?,
    }
    Ok(items)
}

/// How many items to expect (`PyObject_LengthHint`).
pub fn length_hint(vm: Vm, object: Word, default: usize) -> Result<usize, Raised> {
    // SAFETY: types are live as long as an instance.
    if let Some(len) = unsafe { (*vm.type_of(object)).slots.len } {
        match len(vm, object) {
            Ok(len) => return Ok(len),
            Err(raised) if !vm.exception_matches(vm.exc.TypeError) => return Err(raised),
            Err(_) => vm.clear_exception(),
        }
    }
    let Some(hint) = super::attr::lookup_bound(vm, object, vm.names.__length_hint__)? else {
        return Ok(default);
    };
    let answer = match super::call::call(vm, hint.as_word(), &[], None) {
        Ok(answer) => answer,
        Err(raised) => {
            if vm.exception_matches(vm.exc.TypeError) {
                vm.clear_exception();
                return Ok(default);
            }
            return Err(raised);
        }
    };
    if answer.as_word() == Word::NOT_IMPLEMENTED {
        return Ok(default);
    }
    if !super::int::is_int(answer.as_word()) {
        return Err(vm.type_error(format!(
            "__length_hint__ must be an integer, not {}",
            vm.type_name(answer.as_word())
        )));
    }
    let value = number::index_isize(vm, answer.as_word())?;
    usize::try_from(value).map_err(|_| vm.value_error("__length_hint__() should return >= 0"))
}

/// Python's meaning of an index into `length` items; None out of range.
#[inline(always)]
pub fn wrap_index(index: isize, length: usize) -> Option<usize> {
    let index = if index < 0 {
        index + length as isize
    } else {
        index
    };
    (index >= 0 && (index as usize) < length).then_some(index as usize)
}
