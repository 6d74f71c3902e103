//! `list.sort`: stable, by `<` alone (`listsort`). Comparisons may raise, and run any code: the list is empty to
//! others meanwhile. The merge sort here compares in another order than CPython's, which no result depends on.

use super::call;
use super::float;
use super::header::Kind;
use super::list::ListObject;
use super::owned::{Owned, Raised};
use super::types::CompareOp;
use super::vm::Vm;
use super::word::Word;
use super::{protocol, str, tuple};
use std::ptr::null_mut;

/// Sorts a list in place.
pub fn sort(vm: Vm, word: Word, key: Option<Word>, reverse: bool) -> Result<(), Raised> {
    // SAFETY: contract of Word. The items are moved out; `put_back` gives them a list again on every path.
    unsafe {
        let list = word.cast::<ListObject>();
        let (items, length, capacity) = ((*list).items, (*list).length, (*list).capacity);
        (*list).items = null_mut();
        (*list).length = 0;
        (*list).capacity = 0;
        let result = if length > 1 {
            sort_items(
                vm,
                std::slice::from_raw_parts_mut(items, length),
                key,
                reverse,
            )
        } else {
            Ok(())
        };
        // What others have put into the list meanwhile goes, and they are told.
        let touched = !(*list).items.is_null();
        let (other, other_length, other_capacity) =
            ((*list).items, (*list).length, (*list).capacity);
        (*list).items = items;
        (*list).length = length;
        (*list).capacity = capacity;
        if touched {
            for index in 0..other_length {
                (*other.add(index)).release_slot();
            }
            vm.heap
                .free_raw(other.cast(), other_capacity * size_of::<Word>());
            if result.is_ok() {
                return Err(vm.value_error("list modified during sort"));
            }
        }
        result
    }
}

/// An item with what it is compared by.
#[derive(Clone, Copy)]
struct Entry {
    key: Word,
    item: Word,
}

fn sort_items(vm: Vm, items: &mut [Word], key: Option<Word>, reverse: bool) -> Result<(), Raised> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut keys: Vec<Owned> = Vec::new();
    let room = vm
        .heap
        .has_room(items.len().saturating_mul(3 * size_of::<Entry>()));
    if !room
        || entries.try_reserve_exact(items.len()).is_err()
        || keys.try_reserve_exact(items.len()).is_err()
    {
        return Err(vm.no_memory());
    }
    for &item in items.iter() {
        let key = match key {
            Some(key) => {
                let value = call::call(vm, key, &[item.borrow()], None)?;
                let word = value.as_word();
                keys.push(value);
                word
            }
            None => item,
        };
        entries.push(Entry { key, item });
    }
    // Sorting the reversed list and reversing it keeps equal items in their order.
    if reverse {
        entries.reverse();
    }
    let result = match comparison(&entries) {
        Comparison::Int => {
            entries.sort_by_key(|entry| entry.key.as_int());
            Ok(())
        }
        Comparison::Float => {
            entries.sort_by(|a, b| {
                a.key
                    .as_float()
                    .partial_cmp(&b.key.as_float())
                    .unwrap_or(std::cmp::Ordering::Equal)
            });
            Ok(())
        }
        Comparison::Str => {
            entries.sort_by(|a, b| str::compare(a.key, b.key));
            Ok(())
        }
        Comparison::Tuple => merge_sort(vm, &mut entries, &mut |a, b| tuple_less(vm, a, b)),
        Comparison::General => merge_sort(vm, &mut entries, &mut |a, b| less(vm, a, b)),
    };
    if reverse {
        entries.reverse();
    }
    for (slot, entry) in items.iter_mut().zip(&entries) {
        *slot = entry.item;
    }
    result
}

/// What all keys have in common, checked once so that comparing is cheap (`listsort`'s `unsafe_*_compare`).
enum Comparison {
    Int,
    /// Immediate floats, which include no NaN.
    Float,
    Str,
    /// Tuples that are not empty.
    Tuple,
    General,
}
fn comparison(entries: &[Entry]) -> Comparison {
    let all = |test: fn(Word) -> bool| entries.iter().all(|entry| test(entry.key));
    if all(Word::is_int) {
        Comparison::Int
    } else if all(Word::is_float) {
        Comparison::Float
    } else if all(|key| key.is_exact(Kind::STR)) {
        Comparison::Str
    } else if all(|key| key.is_exact(Kind::TUPLE)) {
        Comparison::Tuple
    } else {
        Comparison::General
    }
}
fn less(vm: Vm, a: Word, b: Word) -> Result<bool, Raised> {
    if a.is_int() && b.is_int() {
        return Ok(a.as_int() < b.as_int());
    }
    if let (Some(a), Some(b)) = (float::exact_value(a), float::exact_value(b)) {
        return Ok(a < b);
    }
    let answer = protocol::rich_compare(vm, a, b, CompareOp::Lt)?;
    protocol::is_true(vm, answer.as_word())
}
fn tuple_less(vm: Vm, a: Word, b: Word) -> Result<bool, Raised> {
    // SAFETY: entries keep the tuples, which do not change.
    let (left, right) = unsafe { (tuple::items(a), tuple::items(b)) };
    for (&left, &right) in left.iter().zip(right) {
        let equal = match protocol::equal_without_calls(left, right) {
            Some(equal) => equal,
            None => protocol::rich_compare_bool(vm, left, right, CompareOp::Eq)?,
        };
        if !equal {
            return less(vm, left, right);
        }
    }
    Ok(left.len() < right.len())
}

/// Shorter runs are extended to this by insertion.
const RUN: usize = 32;

/// A bottom-up merge sort over natural runs. On an error the entries are some permutation of what they were.
fn merge_sort(
    vm: Vm,
    entries: &mut [Entry],
    less: &mut dyn FnMut(Word, Word) -> Result<bool, Raised>,
) -> Result<(), Raised> {
    let length = entries.len();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    while start < length {
        let mut end = start + 1;
        if end < length {
            let descending = less(entries[end].key, entries[start].key)?;
            end += 1;
            while end < length && less(entries[end].key, entries[end - 1].key)? == descending {
                end += 1;
            }
            if descending {
                entries[start..end].reverse();
            }
        }
        let wanted = (start + RUN).min(length);
        while end < wanted {
            insert(&mut entries[start..=end], less)?;
            end += 1;
        }
        runs.push((start, end));
        start = end;
    }
    let mut buffer = Vec::new();
    if buffer.try_reserve_exact(length / 2 + 1).is_err() {
        return Err(vm.no_memory());
    }
    while runs.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len() / 2 + 1);
        for pair in runs.chunks(2) {
            if let [(start, middle), (_, end)] = *pair {
                merge(&mut entries[start..end], middle - start, &mut buffer, less)?;
                merged.push((start, end));
            } else {
                merged.push(pair[0]);
            }
        }
        runs = merged;
    }
    Ok(())
}
/// Puts the last entry where it belongs among the sorted ones before it.
fn insert(
    entries: &mut [Entry],
    less: &mut dyn FnMut(Word, Word) -> Result<bool, Raised>,
) -> Result<(), Raised> {
    let last = entries.len() - 1;
    let pivot = entries[last];
    let (mut low, mut high) = (0, last);
    while low < high {
        let middle = low + (high - low) / 2;
        if less(pivot.key, entries[middle].key)? {
            high = middle
        } else {
            low = middle + 1
        }
    }
    entries.copy_within(low..last, low + 1);
    entries[low] = pivot;
    Ok(())
}
/// Merges the sorted parts before and behind `middle`, the left one by way of the buffer.
fn merge(
    entries: &mut [Entry],
    middle: usize,
    buffer: &mut Vec<Entry>,
    less: &mut dyn FnMut(Word, Word) -> Result<bool, Raised>,
) -> Result<(), Raised> {
    if !less(entries[middle].key, entries[middle - 1].key)? {
        return Ok(());
    }
    buffer.clear();
    buffer.extend_from_slice(&entries[..middle]);
    let (mut left, mut right, mut to) = (0, middle, 0);
    let mut result = Ok(());
    while left < buffer.len() && right < entries.len() {
        match less(entries[right].key, buffer[left].key) {
            Ok(true) => {
                entries[to] = entries[right];
                right += 1;
            }
            Ok(false) => {
                entries[to] = buffer[left];
                left += 1;
            }
            Err(raised) => {
                result = Err(raised);
                break;
            }
        }
        to += 1;
    }
    entries[to..to + buffer.len() - left].copy_from_slice(&buffer[left..]);
    result
}
