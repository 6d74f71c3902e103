//! Building and filling containers, unpacking.

use super::word_or_null;
use crate::object::{
    Kind, Owned, PyResult, Raised, Word, dict, dict_methods, list_methods, sequence, set, str,
    tuple,
};
use crate::runtime::thread::Thread;

/// The stack words that an instruction consumes.
///
/// # Safety
/// They are the topmost of the running frame's stack.
unsafe fn stack_words<'a>(values: *mut Word, count: usize) -> &'a [Word] {
    unsafe { std::slice::from_raw_parts(values, count) }
}

/// NULLs in place of words whose counts are gone: the unwinder passes over them.
unsafe fn forget(values: *mut Word, count: usize) {
    for index in 0..count {
        unsafe { *values.add(index) = Word::NULL };
    }
}

/// Ends words that were only looked at.
unsafe fn close(values: *mut Word, count: usize) {
    for index in 0..count {
        // The word is off the stack before a finalizer can run.
        unsafe { std::mem::replace(&mut *values.add(index), Word::NULL).close() };
    }
}

unsafe fn consumed(result: PyResult, values: *mut Word, count: usize) -> Word {
    if result.is_err() {
        unsafe { forget(values, count) };
    }
    word_or_null(result)
}

#[inline(never)]
pub unsafe fn build_list(ts: &Thread, values: *mut Word, count: usize) -> Word {
    unsafe {
        consumed(
            ts.vm().list_from_stack(stack_words(values, count)),
            values,
            count,
        )
    }
}

#[inline(never)]
pub unsafe fn build_tuple(ts: &Thread, values: *mut Word, count: usize) -> Word {
    unsafe {
        consumed(
            ts.vm().tuple_from_stack(stack_words(values, count)),
            values,
            count,
        )
    }
}

/// `count` pairs of key and value (`_PyDict_FromItems`).
#[inline(never)]
pub unsafe fn build_map(ts: &Thread, values: *mut Word, count: usize) -> Word {
    let vm = ts.vm();
    unsafe {
        let fill = |map: Owned| {
            for pair in stack_words(values, 2 * count).chunks_exact(2) {
                dict::set_item(vm, map.as_ptr(), pair[0], pair[1])?;
            }
            Ok(map)
        };
        let map = vm.new_dict_with_capacity(count).and_then(fill);
        close(values, 2 * count);
        word_or_null(map)
    }
}

#[inline(never)]
pub unsafe fn build_set(ts: &Thread, values: *mut Word, count: usize) -> Word {
    let vm = ts.vm();
    unsafe {
        let fill = |built: Owned| {
            for value in stack_words(values, count) {
                set::add(vm, built.as_word(), *value)?;
            }
            Ok(built)
        };
        let built = set::new_set(vm, vm.types.set, None).and_then(fill);
        close(values, count);
        word_or_null(built)
    }
}

#[inline(never)]
pub unsafe fn build_slice(ts: &Thread, args: *mut Word, count: usize) -> Word {
    unsafe {
        let step = if count == 3 { *args.add(2) } else { Word::NONE };
        let slice = ts.vm().new_slice(*args, *args.add(1), step);
        close(args, count);
        word_or_null(slice)
    }
}

/// Strings one after another (`_PyUnicode_JoinArray` with an empty separator).
#[inline(never)]
pub unsafe fn build_string(ts: &Thread, pieces: *mut Word, count: usize) -> Word {
    unsafe {
        let joined = str::concat_all(ts.vm(), stack_words(pieces, count));
        close(pieces, count);
        word_or_null(joined)
    }
}

/// `[*iterable]`'s part after the first.
#[inline(never)]
pub unsafe fn list_extend(ts: &Thread, list: Word, iterable: Word) -> bool {
    let vm = ts.vm();
    let extended = list_methods::extend_with(vm, list, iterable);
    if extended.is_err() && vm.exception_matches(vm.exc.TypeError) && !is_iterable(ts, iterable) {
        vm.clear_exception();
        vm.type_error(format!(
            "Value after * must be an iterable, not {}",
            vm.type_name(iterable)
        ));
    }
    extended.is_ok()
}

fn is_iterable(ts: &Thread, object: Word) -> bool {
    // SAFETY: types are live as long as an instance.
    let slots = unsafe { &(*ts.vm().type_of(object)).slots };
    slots.iter.is_some() || slots.getitem.is_some()
}

#[inline(never)]
pub unsafe fn set_add(ts: &Thread, set: Word, value: Word) -> bool {
    // The set of conditional annotations is a variable, which a program may have assigned to.
    if !set.is_exact(Kind::SET) {
        ts.vm()
            .raise(ts.exc.SystemError, "what is added to is no set");
        return false;
    }
    set::add(ts.vm(), set, value).is_ok()
}

#[inline(never)]
pub unsafe fn set_update(ts: &Thread, set: Word, iterable: Word) -> bool {
    set::update(ts.vm(), set, iterable).is_ok()
}

/// `{**update}`: of a mapping only, where `dict.update` would take pairs too.
#[inline(never)]
pub unsafe fn dict_update(ts: &Thread, dict: Word, update: Word) -> bool {
    let vm = ts.vm();
    // SAFETY: the instruction's dict is on the stack.
    let merged = unsafe { dict_methods::merge(vm, dict.cast(), update, true) };
    let message = || {
        Ok(format!(
            "'{}' object is not a mapping",
            vm.type_name(update)
        ))
    };
    dict_methods::merged_mapping(vm, merged, message).is_ok()
}

/// `f(**update)`: a key that is there already is an error (`_PyDict_MergeEx` and `_PyEval_FormatKwargsError`).
#[inline(never)]
pub unsafe fn dict_merge(ts: &Thread, callable: Word, dict: Word, update: Word) -> bool {
    unsafe { crate::runtime::kwargs::merge(ts.vm(), callable, dict, update).is_ok() }
}

// ---- unpacking

/// `count` items into `values`, the first on top; False with a message if there are more or fewer
/// (`_PyEval_UnpackIterableStackRef`).
#[inline(never)]
pub unsafe fn unpack_sequence(
    ts: &Thread,
    iterable: Word,
    values: *mut Word,
    count: usize,
) -> bool {
    unsafe { unpack(ts, iterable, values, count, None).is_ok() }
}

/// `oparg`: items before the starred one in the low byte, items after it above.
#[inline(never)]
pub unsafe fn unpack_ex(ts: &Thread, iterable: Word, values: *mut Word, oparg: usize) -> bool {
    unsafe { unpack(ts, iterable, values, oparg & 0xff, Some(oparg >> 8)).is_ok() }
}

unsafe fn unpack(
    ts: &Thread,
    iterable: Word,
    values: *mut Word,
    before: usize,
    after: Option<usize>,
) -> Result<(), Raised> {
    let vm = ts.vm();
    let wanted = before + after.unwrap_or(0);
    let mut items = if iterable.is_exact(Kind::TUPLE) && after.is_none() {
        // SAFETY: a tuple does not change.
        unsafe { tuple::items(iterable) }
            .iter()
            .map(|item| Owned::new_ref(*item))
            .collect()
    } else {
        gather(ts, iterable, before, after)?
    };
    let got = items.len();
    if got < wanted {
        let at_least = if after.is_some() { "at least " } else { "" };
        return Err(vm.value_error(format!(
            "not enough values to unpack (expected {at_least}{wanted}, got {got})"
        )));
    }
    match after {
        None if got > wanted => return Err(too_many(ts, iterable, wanted)),
        None => {}
        Some(after) => {
            let last = items.split_off(got - after);
            let rest = items.split_off(before);
            items.push(vm.list_from_owned(rest)?);
            items.extend(last);
        }
    }
    for (index, item) in items.into_iter().rev().enumerate() {
        // SAFETY: the instruction's outputs have room for all.
        unsafe { *values.add(index) = item.into_word() };
    }
    Ok(())
}

/// The items, no more than one beyond what is wanted unless all are.
fn gather(
    ts: &Thread,
    iterable: Word,
    before: usize,
    after: Option<usize>,
) -> Result<Vec<Owned>, Raised> {
    let vm = ts.vm();
    let iterator = match sequence::get_iter(vm, iterable) {
        Ok(iterator) => iterator,
        Err(raised) => {
            if vm.exception_matches(vm.exc.TypeError) && !is_iterable(ts, iterable) {
                vm.clear_exception();
                let name = vm.type_name(iterable);
                return Err(vm.type_error(format!("cannot unpack non-iterable {name} object")));
            }
            return Err(raised);
        }
    };
    if after.is_some() {
        return sequence::collect(vm, iterator.as_word());
    }
    let mut items = Vec::with_capacity(before + 1);
    while items.len() <= before
        && let Some(item) = sequence::iter_next(vm, iterator.as_word())?
    {
        items.push(item);
    }
    Ok(items)
}

/// The exact number is said of sequences and dicts only; others may have no end.
#[cold]
fn too_many(ts: &Thread, iterable: Word, wanted: usize) -> Raised {
    let vm = ts.vm();
    if iterable.is_exact(Kind::LIST)
        || iterable.is_exact(Kind::TUPLE)
        || iterable.is_exact(Kind::DICT)
    {
        match sequence::len(vm, iterable) {
            Ok(got) => {
                let message = format!("too many values to unpack (expected {wanted}, got {got})");
                return vm.value_error(message);
            }
            Err(Raised) => vm.clear_exception(),
        }
    }
    vm.value_error(format!("too many values to unpack (expected {wanted})"))
}
