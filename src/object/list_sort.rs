//! `list.sort` and `sorted`: keys, direction, the comparison that the keys' types allow, and the list that is empty to
//! everybody meanwhile (`list_sort_impl`). The algorithm is in `timsort.rs`.

use super::call;
use super::float;
use super::header::Kind;
use super::list::{self, ListObject};
use super::owned::{Owned, Raised};
use super::timsort;
use super::types::CompareOp;
use super::vm::Vm;
use super::word::Word;
use super::{protocol, str, tuple};
use std::ptr::NonNull;

/// Sorts a list in place.
pub fn sort(vm: Vm, word: Word, key: Option<Word>, reverse: bool) -> Result<(), Raised> {
    let list = word.cast::<ListObject>();
    // SAFETY: contract of Word. The items are out of the list until `sort_items` is done, whatever happens.
    unsafe {
        let (items, length, capacity) = ((*list).items, (*list).length, (*list).capacity);
        // No allocation has this address: the list has it still only if nobody has touched it.
        let untouched = NonNull::dangling().as_ptr();
        (*list).items = untouched;
        (*list).length = 0;
        (*list).capacity = 0;
        let sorted = if length == 0 {
            Ok(())
        } else {
            sort_items(
                vm,
                std::slice::from_raw_parts_mut(items, length),
                key,
                reverse,
            )
        };
        let modified = (*list).items != untouched;
        if modified {
            list::clear(vm, list);
        }
        (*list).items = items;
        (*list).length = length;
        (*list).capacity = capacity;
        if modified && sorted.is_ok() {
            return Err(vm.value_error("list modified during sort"));
        }
        sorted
    }
}

/// An item with what it is compared by.
#[derive(Clone, Copy)]
struct Keyed {
    key: Word,
    item: Word,
}

/// Sorts slot's words; on an error they are some permutation of what they were.
fn sort_items(vm: Vm, items: &mut [Word], key: Option<Word>, reverse: bool) -> Result<(), Raised> {
    let Some(key) = key else {
        return sort_directed(vm, items, |item| item, reverse);
    };
    let mut entries: Vec<Keyed> = Vec::new();
    let mut keys: Vec<Owned> = Vec::new();
    let bytes = items
        .len()
        .saturating_mul(size_of::<Keyed>() + size_of::<Owned>());
    if !vm.heap.has_room(bytes)
        || entries.try_reserve_exact(items.len()).is_err()
        || keys.try_reserve_exact(items.len()).is_err()
    {
        return Err(vm.no_memory());
    }
    for &item in items.iter() {
        let key = call::call_one(vm, key, item)?;
        entries.push(Keyed {
            key: key.as_word(),
            item,
        });
        keys.push(key);
    }
    let sorted = sort_directed(vm, &mut entries, |entry| entry.key, reverse);
    for (slot, entry) in items.iter_mut().zip(&entries) {
        *slot = entry.item;
    }
    sorted
}

/// Reversing before and after keeps equal items in their order when the result is to fall.
fn sort_directed<T: Copy>(
    vm: Vm,
    items: &mut [T],
    key: impl Fn(T) -> Word + Copy,
    reverse: bool,
) -> Result<(), Raised> {
    if reverse {
        items.reverse();
    }
    let sorted = match comparison(items, key) {
        Comparison::Int => timsort::sort(vm, items, |a, b| Ok(key(a).as_int() < key(b).as_int())),
        Comparison::Float => {
            timsort::sort(vm, items, |a, b| Ok(key(a).as_float() < key(b).as_float()))
        }
        Comparison::Str => {
            timsort::sort(vm, items, |a, b| Ok(str::compare(key(a), key(b)).is_lt()))
        }
        Comparison::General => timsort::sort(vm, items, |a, b| less(vm, key(a), key(b))),
    };
    if reverse {
        items.reverse();
    }
    sorted
}

/// What all keys have in common, checked once so that comparing is cheap (`unsafe_long_compare` and its like).
enum Comparison {
    /// Immediate ints.
    Int,
    /// Immediate floats.
    Float,
    /// Exact strings.
    Str,
    General,
}
fn comparison<T: Copy>(items: &[T], key: impl Fn(T) -> Word) -> Comparison {
    let all = |test: fn(Word) -> bool| items.iter().all(|&item| test(key(item)));
    if all(Word::is_int) {
        Comparison::Int
    } else if all(Word::is_float) {
        Comparison::Float
    } else if all(|key| key.is_exact(Kind::STR)) {
        Comparison::Str
    } else {
        Comparison::General
    }
}

/// `a < b` of any two values, without a detour for the usual types.
fn less(vm: Vm, a: Word, b: Word) -> Result<bool, Raised> {
    if Word::both_int(a, b) {
        return Ok(a.as_int() < b.as_int());
    }
    if a.is_exact(Kind::TUPLE) && b.is_exact(Kind::TUPLE) {
        return tuple_less(vm, a, b);
    }
    if a.is_exact(Kind::STR) && b.is_exact(Kind::STR) {
        return Ok(str::compare(a, b).is_lt());
    }
    if let (Some(a), Some(b)) = (float::exact_value(a), float::exact_value(b)) {
        return Ok(a < b);
    }
    let answer = protocol::rich_compare(vm, a, b, CompareOp::Lt)?;
    protocol::is_true(vm, answer.as_word())
}
/// The first items that differ decide (`unsafe_tuple_compare`).
fn tuple_less(vm: Vm, a: Word, b: Word) -> Result<bool, Raised> {
    vm.check_stack(" in comparison")?;
    // SAFETY: whoever holds the keys keeps the tuples, which do not change.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::testing::TestVm;

    fn text(vm: Vm, word: Word) -> String {
        str::to_string_lossy(protocol::repr(vm, word).unwrap().as_word())
    }

    #[test]
    fn sorts_what_can_be_ordered() {
        let test = TestVm::new();
        let vm = test.vm();
        let float = |value: f64| vm.new_float(value).unwrap();
        let string = |text: &str| vm.new_str(text).unwrap();
        let pair = |a: Owned, b: Owned| vm.tuple_from_owned(vec![a, b]).unwrap();
        let int = Owned::small_int;
        let cases = [
            (vec![int(3), int(-1), int(2)], "[-1, 2, 3]"),
            (
                vec![float(2.5), float(f64::NAN), float(1.0)],
                "[2.5, nan, 1.0]",
            ),
            (
                vec![string("b"), string("a"), string("é"), string("")],
                "['', 'a', 'b', 'é']",
            ),
            (vec![int(2), float(1.5), Owned::TRUE], "[True, 1.5, 2]"),
            (
                vec![pair(int(1), string("b")), pair(int(1), string("a"))],
                "[(1, 'a'), (1, 'b')]",
            ),
        ];
        for (items, expected) in cases {
            let list = vm.list_from_owned(items).unwrap();
            sort(vm, list.as_word(), None, false).unwrap();
            assert_eq!(text(vm, list.as_word()), expected);
        }
    }

    #[test]
    fn what_cannot_be_ordered_stays() {
        let test = TestVm::new();
        let vm = test.vm();
        let items = vec![Owned::small_int(1), vm.new_str("a").unwrap(), Owned::NONE];
        let list = vm.list_from_owned(items).unwrap();
        assert!(sort(vm, list.as_word(), None, true).is_err());
        vm.clear_exception();
        assert_eq!(list::len(list.as_word()), 3);
        // A key that cannot be called is an error for one item too.
        let list = vm.list_from_owned(vec![Owned::NONE]).unwrap();
        assert!(sort(vm, list.as_word(), Some(Word::NONE), false).is_err());
        vm.clear_exception();
        assert_eq!(text(vm, list.as_word()), "[None]");
    }
}
