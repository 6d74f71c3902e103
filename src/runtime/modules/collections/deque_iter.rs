//! Iterators over a deque, forwards and backwards.

use super::deque;
use crate::object::descr::{MethodDef, meth};
use crate::object::types::{NextFn, Slots};
use crate::object::{Kind, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, args, number};
use crate::runtime::modules::record::{self, held, place_ref, record};
use crate::runtime::thread::Thread;
use std::cell::Cell;

record! {
    DequeIterator {
        deque;
        /// Of the next item, from the end where it began.
        index: Cell<usize>,
        /// How many items are left.
        left: Cell<usize>,
        /// The deque's when the iterator was made.
        state: usize
    }
}

static METHODS: [MethodDef; 1] = [MethodDef::new(
    "__length_hint__",
    meth::NOARGS,
    |vm, this, _, _| vm.new_int_usize(record::of::<DequeIterator>(this).left.get()),
)];

fn type_spec(name: &'static str, next: NextFn, reverse: bool) -> TypeSpec {
    let (dealloc, traverse, clear) = record::memory_slots::<DequeIterator>();
    TypeSpec {
        methods: &METHODS,
        ..TypeSpec::new::<DequeIterator>(
            name,
            Kind::OTHER,
            Slots {
                dealloc,
                traverse,
                clear,
                iter: Some(|_, this| Ok(Owned::new_ref(this))),
                iternext: Some(next),
                new: Some(if reverse { new_reverse } else { new }),
                ..Slots::EMPTY
            },
        )
    }
}
pub(super) fn spec() -> TypeSpec {
    type_spec(
        "_collections._deque_iterator",
        |vm, this| next(vm, this, false),
        false,
    )
}
pub(super) fn reverse_spec() -> TypeSpec {
    let next: NextFn = |vm, this| next(vm, this, true);
    type_spec("_collections._deque_reverse_iterator", next, true)
}

fn over(vm: Vm, ty: *mut TypeObject, word: Word) -> PyResult {
    let own = deque::of(word);
    record::new(vm, ty, |header| DequeIterator {
        header,
        deque: place_ref(word),
        index: Cell::new(0),
        left: Cell::new(own.len()),
        state: own.state.get(),
    })
}
pub(super) fn iter(vm: Vm, word: Word) -> PyResult {
    over(vm, Thread::of(vm).module_types.deque_iterator.get(), word)
}
pub(super) fn reversed(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    over(
        vm,
        Thread::of(vm).module_types.deque_reverse_iterator.get(),
        word,
    )
}
/// `type(iter(d))(d, n)`: an iterator that has given `n` items.
fn from_arguments(
    vm: Vm,
    ty: *mut TypeObject,
    args: &[Word],
    names: Option<Word>,
    reverse: bool,
) -> PyResult {
    args::positional(vm, "_deque_iterator", args, names, 1, 2)?;
    if !deque::is_deque(vm, args[0]) {
        return Err(vm.type_error(format!(
            "_deque_iterator() argument 1 must be collections.deque, not {}",
            vm.argument_type(args[0])
        )));
    }
    let skip = match args.get(1) {
        Some(skip) => number::index_isize(vm, *skip)?.max(0),
        None => 0,
    };
    let iterator = over(vm, ty, args[0])?;
    for _ in 0..skip {
        if next(vm, iterator.as_word(), reverse)?.is_none() {
            break;
        }
    }
    Ok(iterator)
}
fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], names: Option<Word>) -> PyResult {
    from_arguments(vm, ty, args, names, false)
}
fn new_reverse(vm: Vm, ty: *mut TypeObject, args: &[Word], names: Option<Word>) -> PyResult {
    from_arguments(vm, ty, args, names, true)
}

fn next(vm: Vm, this: Word, reverse: bool) -> Result<Option<Owned>, Raised> {
    let this = record::of::<DequeIterator>(this);
    let Some(word) = held(&this.deque) else {
        return Ok(None);
    };
    let own = deque::of(word.as_word());
    if own.state.get() != this.state {
        this.left.set(0);
        return Err(vm.raise(vm.exc.RuntimeError, "deque mutated during iteration"));
    }
    let left = this.left.get();
    if left == 0 {
        return Ok(None);
    }
    this.left.set(left - 1);
    let index = this.index.get();
    this.index.set(index + 1);
    let index = if reverse {
        own.len() - 1 - index
    } else {
        index
    };
    Ok(own.get(index))
}
