//! `_heapq` (`_heapqmodule.c`): heaps in lists.

use super::with_functions;
use crate::object::args;
use crate::object::descr::{MethodDef, meth};
use crate::object::list::{self, ListObject};
use crate::object::types::CompareOp;
use crate::object::{Owned, PyResult, Raised, Vm, Word, protocol};
use crate::runtime::thread::Thread;

const O: u16 = meth::O;
const FAST: u16 = meth::FASTCALL;

static FUNCTIONS: [MethodDef; 10] = [
    MethodDef::new("heappush", FAST, |vm, _, args, _| {
        push(vm, "heappush", args, MIN)
    }),
    MethodDef::new("heappop", O, |vm, _, args, _| {
        pop(vm, "heappop", args[0], MIN)
    }),
    MethodDef::new("heapify", O, |vm, _, args, _| heapify(vm, args[0], MIN)),
    MethodDef::new("heapreplace", FAST, |vm, _, args, _| {
        replace(vm, "heapreplace", args, MIN)
    }),
    MethodDef::new("heappushpop", FAST, |vm, _, args, _| {
        push_pop(vm, "heappushpop", args, MIN)
    }),
    MethodDef::new("heappush_max", FAST, |vm, _, args, _| {
        push(vm, "heappush_max", args, MAX)
    }),
    MethodDef::new("heappop_max", O, |vm, _, args, _| {
        pop(vm, "heappop_max", args[0], MAX)
    }),
    MethodDef::new("heapify_max", O, |vm, _, args, _| heapify(vm, args[0], MAX)),
    MethodDef::new("heapreplace_max", FAST, |vm, _, args, _| {
        replace(vm, "heapreplace_max", args, MAX)
    }),
    MethodDef::new("heappushpop_max", FAST, |vm, _, args, _| {
        push_pop(vm, "heappushpop_max", args, MAX)
    }),
];

pub(super) fn make(ts: &Thread) -> PyResult {
    with_functions(ts.vm(), "_heapq", &FUNCTIONS)
}

/// Whether the largest item comes first.
#[derive(Clone, Copy, PartialEq)]
struct Largest(bool);
const MIN: Largest = Largest(false);
const MAX: Largest = Largest(true);

/// Whether `a` belongs nearer to the root than `b`.
#[inline]
fn before(vm: Vm, a: Word, b: Word, largest: Largest) -> Result<bool, Raised> {
    let (a, b) = if largest.0 { (b, a) } else { (a, b) };
    if Word::both_int(a, b) {
        return Ok(a.as_int() < b.as_int());
    }
    if Word::both_float(a, b) {
        return Ok(a.as_float() < b.as_float());
    }
    protocol::rich_compare_bool(vm, a, b, CompareOp::Lt)
}

fn heap(vm: Vm, function: &str, word: Word) -> Result<*mut ListObject, Raised> {
    if list::is_list(word) {
        return Ok(word.cast());
    }
    Err(vm.type_error(format!(
        "{function}() argument 1 must be list, not {}",
        vm.argument_type(word)
    )))
}
/// A heap that is the only argument.
fn lone_heap(vm: Vm, function: &str, word: Word) -> Result<*mut ListObject, Raised> {
    if list::is_list(word) {
        return Ok(word.cast());
    }
    Err(vm.type_error(format!(
        "{function}() argument must be list, not {}",
        vm.argument_type(word)
    )))
}
/// A heap and a value.
fn heap_and_value(
    vm: Vm,
    function: &str,
    args: &[Word],
) -> Result<(*mut ListObject, Word), Raised> {
    args::check_positional(vm, function, args.len(), 2, 2)?;
    Ok((heap(vm, function, args[0])?, args[1]))
}
fn len(heap: *mut ListObject) -> usize {
    // SAFETY: a list that the caller of the function keeps.
    unsafe { (*heap).length }
}
/// The item at an index below the length, counted.
fn item(heap: *mut ListObject, index: usize) -> Owned {
    // SAFETY: as above.
    Owned::new_ref(unsafe { *(*heap).items.add(index) })
}
/// Exchanges two items.
fn swap(heap: *mut ListObject, a: usize, b: usize) {
    debug_assert!(a.max(b) < len(heap));
    // SAFETY: as above; the indices are below the length.
    unsafe { std::ptr::swap((*heap).items.add(a), (*heap).items.add(b)) };
}
fn check_length(vm: Vm, heap: *mut ListObject, length: usize) -> Result<(), Raised> {
    if len(heap) == length {
        return Ok(());
    }
    Err(vm.raise(vm.exc.RuntimeError, "list changed size during iteration"))
}

/// Moves an item towards the root while it belongs before its parent.
fn sift_down(
    vm: Vm,
    heap: *mut ListObject,
    start: usize,
    mut place: usize,
    largest: Largest,
) -> Result<(), Raised> {
    let length = len(heap);
    if place >= length {
        return Err(vm.index_error("index out of range"));
    }
    while place > start {
        let parent = (place - 1) / 2;
        let (own, above) = (item(heap, place), item(heap, parent));
        let moves = before(vm, own.as_word(), above.as_word(), largest)?;
        check_length(vm, heap, length)?;
        if !moves {
            break;
        }
        swap(heap, place, parent);
        place = parent;
    }
    Ok(())
}
/// Moves the smaller children up until a leaf is free for the item, and the item from there to its place.
fn sift_up(vm: Vm, heap: *mut ListObject, start: usize, largest: Largest) -> Result<(), Raised> {
    let length = len(heap);
    if start >= length {
        return Err(vm.index_error("index out of range"));
    }
    let mut place = start;
    while place < length / 2 {
        let mut child = 2 * place + 1;
        if child + 1 < length {
            let (left, right) = (item(heap, child), item(heap, child + 1));
            let first = before(vm, left.as_word(), right.as_word(), largest)?;
            check_length(vm, heap, length)?;
            if !first {
                child += 1;
            }
        }
        swap(heap, place, child);
        place = child;
    }
    sift_down(vm, heap, start, place, largest)
}

fn push(vm: Vm, function: &str, args: &[Word], largest: Largest) -> PyResult {
    let (heap, value) = heap_and_value(vm, function, args)?;
    // SAFETY: a live list.
    unsafe { list::append(vm, heap, Owned::new_ref(value).into_word())? };
    sift_down(vm, heap, 0, len(heap) - 1, largest)?;
    Ok(Owned::NONE)
}
fn pop(vm: Vm, function: &str, word: Word, largest: Largest) -> PyResult {
    let heap = lone_heap(vm, function, word)?;
    let Some(last) = len(heap).checked_sub(1) else {
        return Err(vm.index_error("index out of range"));
    };
    // SAFETY: the last item, taken out of a live list.
    let item = unsafe {
        let item = Owned::from_slot(*(*heap).items.add(last));
        (*heap).length = last;
        item
    };
    if last == 0 {
        return Ok(item);
    }
    let first = put_first(heap, item);
    sift_up(vm, heap, 0, largest)?;
    Ok(first)
}
/// Puts a value in the root's place and returns what was there.
fn put_first(heap: *mut ListObject, value: Owned) -> Owned {
    // SAFETY: the list has a first item, whose count passes to the caller.
    unsafe {
        let place = (*heap).items;
        let first = Owned::from_slot(*place);
        place.write(value.into_slot());
        first
    }
}
fn replace(vm: Vm, function: &str, args: &[Word], largest: Largest) -> PyResult {
    let (heap, value) = heap_and_value(vm, function, args)?;
    if len(heap) == 0 {
        return Err(vm.index_error("index out of range"));
    }
    let first = put_first(heap, Owned::new_ref(value));
    sift_up(vm, heap, 0, largest)?;
    Ok(first)
}
fn push_pop(vm: Vm, function: &str, args: &[Word], largest: Largest) -> PyResult {
    let (heap, value) = heap_and_value(vm, function, args)?;
    if len(heap) == 0 {
        return Ok(Owned::new_ref(value));
    }
    let first = item(heap, 0);
    let stays = before(vm, first.as_word(), value, largest)?;
    if !stays {
        return Ok(Owned::new_ref(value));
    }
    if len(heap) == 0 {
        return Err(vm.index_error("index out of range"));
    }
    let first = put_first(heap, Owned::new_ref(value));
    sift_up(vm, heap, 0, largest)?;
    Ok(first)
}
fn heapify(vm: Vm, word: Word, largest: Largest) -> PyResult {
    let heap = lone_heap(
        vm,
        if largest == MAX {
            "heapify_max"
        } else {
            "heapify"
        },
        word,
    )?;
    for index in (0..len(heap) / 2).rev() {
        sift_up(vm, heap, index, largest)?;
    }
    Ok(Owned::NONE)
}
