//! `tee`: independent iterators over one. The items read so far hang together in a list of nodes, and each iterator
//! stands at one of them, so that an item lives as long as somebody has still to read it.

use super::iterator;
use crate::object::descr::{MethodDef, meth};
use crate::object::{
    Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, args, number, sequence,
};
use crate::runtime::modules::record::{self, held, place, place_ref, put, record};
use crate::runtime::thread::Thread;
use std::cell::Cell;

record! { Tee { iterator, node } }

record! {
    /// An item and the node behind it, both once they have been read.
    Node { value, next; reading: Cell<bool> }
}

static METHODS: [MethodDef; 1] = [MethodDef::new(
    "__copy__",
    meth::NOARGS,
    |vm, this, _, _| copy(vm, this),
)];

pub(super) fn spec() -> TypeSpec {
    TypeSpec {
        methods: &METHODS,
        ..iterator::<Tee>("itertools._tee", Some(new), next)
    }
}
pub(super) fn node_spec() -> TypeSpec {
    iterator::<Node>("itertools._tee_dataobject", None, |_, _| Ok(None))
}

fn node(vm: Vm) -> PyResult {
    record::new(vm, Thread::of(vm).module_types.tee_node.get(), |header| {
        Node {
            header,
            value: Cell::new(None),
            next: Cell::new(None),
            reading: Cell::new(false),
        }
    })
}

fn is_tee(vm: Vm, word: Word) -> bool {
    vm.is_instance(word, Thread::of(vm).module_types.tee.get())
}

fn copy(vm: Vm, this: Word) -> PyResult {
    let own = record::of::<Tee>(this);
    let (iterator, node) = (held(&own.iterator), held(&own.node));
    let ty = Thread::of(vm).module_types.tee.get();
    record::new(vm, ty, |header| Tee {
        header,
        iterator: Cell::new(iterator.map(Owned::into_slot)),
        node: Cell::new(node.map(Owned::into_slot)),
    })
}

fn over(vm: Vm, ty: *mut TypeObject, iterable: Word) -> PyResult {
    let iterator = sequence::get_iter(vm, iterable)?;
    if is_tee(vm, iterator.as_word()) {
        return copy(vm, iterator.as_word());
    }
    let node = node(vm)?;
    record::new(vm, ty, |header| Tee {
        header,
        iterator: place(iterator),
        node: place(node),
    })
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    args::positional(vm, "_tee", args, kwnames, 1, 1)?;
    over(vm, ty, args[0])
}

/// `tee(iterable, n=2)`.
pub(super) fn tee(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "tee", args.len(), 1, 2)?;
    let count = match args.get(1) {
        Some(count) => number::index_isize(vm, *count)?,
        None => 2,
    };
    let Ok(count) = usize::try_from(count) else {
        return Err(vm.value_error("n must be >= 0"));
    };
    if !vm.heap.has_room(count.saturating_mul(size_of::<Tee>())) {
        return Err(vm.no_memory());
    }
    if count == 0 {
        return Ok(vm.empty_tuple());
    }
    let first = over(vm, Thread::of(vm).module_types.tee.get(), args[0])?;
    let mut all = vec![first];
    for _ in 1..count {
        let another = copy(vm, all[0].as_word())?;
        all.push(another);
    }
    vm.tuple_from_owned(all)
}

fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<Tee>(this);
    let (Some(iterator), Some(at)) = (held(&this.iterator), held(&this.node)) else {
        return Ok(None);
    };
    let own = record::of::<Node>(at.as_word());
    if own.value.get().is_none() {
        if own.reading.replace(true) {
            return Err(vm.raise(vm.exc.RuntimeError, "cannot re-enter the tee iterator"));
        }
        let item = sequence::iter_next(vm, iterator.as_word());
        own.reading.set(false);
        let Some(item) = item? else {
            return Ok(None);
        };
        let behind = node(vm)?;
        put(&own.next, behind);
        put(&own.value, item);
    }
    let (value, behind) = (held(&own.value), held(&own.next));
    if let Some(behind) = &behind {
        let place = place_ref(behind.as_word());
        this.node.swap(&place);
        record::empty(&place);
    }
    Ok(value)
}
