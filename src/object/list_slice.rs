//! Slices of lists: read, replaced, deleted (`list_slice_wrap`, `list_ass_subscript`, `list_ass_slice`).

use super::header::Kind;
use super::list::{self, ListObject};
use super::owned::{Owned, PyResult, Raised};
use super::vm::Vm;
use super::word::Word;
use super::{sequence, slice, tuple};
use smallvec::SmallVec;
use std::ptr;

/// A new list of what a slice with these parts selects (`list_slice_wrap`).
pub fn selected(vm: Vm, word: Word, parts: [Word; 3]) -> PyResult {
    let parts = slice::unpack_parts(vm, parts)?;
    let selection = slice::adjust(parts, list::len(word));
    let result = vm.new_list_with_capacity(selection.count)?;
    // SAFETY: room for the items was made; indices are in range and nothing runs meanwhile.
    unsafe {
        let items = (*result).items;
        let mut from = (*word.cast::<ListObject>())
            .items
            .wrapping_offset(selection.start);
        for to in 0..selection.count {
            items.add(to).write((*from).dup().to_slot());
            from = from.wrapping_offset(selection.step);
        }
        (*result).length = selection.count;
        Ok(Owned::from_raw(result))
    }
}
/// Replaces or deletes what a slice with these parts selects (`list_ass_subscript`).
pub fn set_selected(
    vm: Vm,
    word: Word,
    parts: [Word; 3],
    value: Option<Word>,
) -> Result<(), Raised> {
    let parts = slice::unpack_parts(vm, parts)?;
    let collected;
    let values = match value {
        None => &[],
        Some(value) => match stored_items(value) {
            Some(items) if !value.is(word) => items,
            _ => {
                collected = collect_for(vm, value, "must assign iterable to extended slice")?;
                Owned::words(&collected)
            }
        },
    };
    let selection = slice::adjust(parts, list::len(word));
    if selection.step == 1 {
        let start = selection.start as usize;
        // SAFETY: the values are another's.
        return unsafe { splice(vm, word, start, start + selection.count, values) };
    }
    // SAFETY: indices are in range, and old items are released when the list is whole again.
    unsafe {
        let list = word.cast::<ListObject>();
        if value.is_none() {
            let mut removed: Vec<usize> = selection.indices().collect();
            removed.sort_unstable();
            let mut old = Vec::with_capacity(removed.len());
            let (mut to, mut next) = (0, 0);
            for from in 0..(*list).length {
                let item = (*list).items.add(from).read();
                if removed.get(next) == Some(&from) {
                    next += 1;
                    old.push(Owned::from_slot(item));
                } else {
                    (*list).items.add(to).write(item);
                    to += 1;
                }
            }
            (*list).length = to;
            list::shrink(vm, list);
            return Ok(());
        }
        if values.len() != selection.count {
            return Err(vm.value_error(format!(
                "attempt to assign sequence of size {} to extended slice of size {}",
                values.len(),
                selection.count
            )));
        }
        let mut old = Vec::with_capacity(values.len());
        for (index, value) in selection.indices().zip(values) {
            let slot = (*list).items.add(index);
            old.push(Owned::from_slot(slot.replace(value.dup().to_slot())));
        }
        Ok(())
    }
}
fn collect_for(vm: Vm, value: Word, message: &str) -> Result<Vec<Owned>, Raised> {
    // SAFETY: types are live as long as an instance.
    let iterable = unsafe {
        let slots = &raw const (*vm.type_of(value)).slots;
        (*slots).iter.is_some() || (*slots).getitem.is_some()
    };
    if iterable {
        sequence::collect(vm, value)
    } else {
        Err(vm.type_error(message))
    }
}
/// The items of an exact list or tuple, gone when it changes.
fn stored_items<'a>(value: Word) -> Option<&'a [Word]> {
    // SAFETY: contract of Word.
    unsafe {
        if value.is_exact(Kind::LIST) {
            Some(list::items(value))
        } else if value.is_exact(Kind::TUPLE) {
            Some(tuple::items(value))
        } else {
            None
        }
    }
}
/// So many items that are taken out need no room of their own until they are released.
const FEW: usize = 16;
/// Replaces the items from `start` to `end`, or what there is of them, by new references to the values
/// (`list_ass_slice`).
///
/// # Safety
/// The values are not the list's own items.
pub(super) unsafe fn splice(
    vm: Vm,
    word: Word,
    start: usize,
    end: usize,
    values: &[Word],
) -> Result<(), Raised> {
    unsafe {
        let list = word.cast::<ListObject>();
        let length = (*list).length;
        let start = start.min(length);
        let end = end.clamp(start, length);
        // Released when the list is whole again, the last one first.
        let old = list::items(word)[start..end].iter().copied();
        let old: SmallVec<[Word; FEW]> = old.filter(|word| word.is_pointer()).collect();
        list::reserve(vm, list, length - (end - start) + values.len())?;
        let at = (*list).items.wrapping_add(start);
        if values.len() != end - start {
            ptr::copy(
                at.wrapping_add(end - start),
                at.wrapping_add(values.len()),
                length - end,
            );
            (*list).length = length - (end - start) + values.len();
        }
        for (index, value) in values.iter().enumerate() {
            at.add(index).write(value.dup().to_slot());
        }
        list::shrink(vm, list);
        old.into_iter().rev().for_each(|word| word.release_slot());
        Ok(())
    }
}
