//! The cycle collector (`gc.c`): trial deletion over all containers of the heap.
//!
//! Every container starts with its reference count; what containers refer to is taken off. Who has something left is
//! referred to from outside and lives, with everything it leads to. The rest is unreachable: weak references to it are
//! cleared, finalizers run, and what these have not revived is emptied, so that counting frees it.

use super::header::{Kind, Object, flag};
use super::owned::Owned;
use super::types::TraverseFn;
use super::vm::Vm;
use super::weakref;
use super::word::Word;
use std::cell::Cell;

/// Mark of an object found reachable.
const REACHED: u32 = u32::MAX;

/// State of a VM's collector.
pub struct Collector {
    running: Cell<bool>,
    /// `gc.enable`: whether a collection runs by itself when one is due.
    pub enabled: Cell<bool>,
    /// Collections so far, and objects they found unreachable.
    pub collections: Cell<u64>,
    pub collected: Cell<u64>,
    /// Containers that the last collection left.
    survivors: Cell<usize>,
    /// `gc.DEBUG_SAVEALL`: what is unreachable is kept, not freed.
    pub keeps_garbage: Cell<bool>,
}

impl Collector {
    pub(super) const fn new() -> Collector {
        Collector {
            running: Cell::new(false),
            enabled: Cell::new(true),
            collections: Cell::new(0),
            collected: Cell::new(0),
            survivors: Cell::new(0),
            keeps_garbage: Cell::new(false),
        }
    }
}

/// What upper layers hear of a collection; the generation is a name only.
pub enum Phase<'a> {
    Start(u8),
    /// What is unreachable and is to be kept ([`Collector::keeps_garbage`]).
    Keep(&'a [Owned]),
    Stop(u8, usize),
}

/// How an object shows what it refers to, if it is a container.
#[inline]
fn traverse_of(object: *mut Object) -> Option<TraverseFn> {
    // SAFETY: callers pass live objects.
    unsafe { (*(*object).ty()).slots.traverse }
}
/// A live container; one about to be freed takes no part.
#[inline]
fn is_candidate(object: *mut Object) -> bool {
    // SAFETY: as above.
    unsafe {
        (*object).refcount.get() != 0
            && !(*object).has_flag(flag::FOREIGN)
            && traverse_of(object).is_some()
    }
}
/// `gc.is_tracked(o)`: a tuple is as long as an item of it is.
pub fn is_tracked(word: Word) -> bool {
    if word.is_exact(Kind::TUPLE) {
        // SAFETY: the caller keeps the tuple. Tuples that hold nothing but tuples are taken for tracked ones.
        let items = unsafe { super::tuple::items(word) };
        return items
            .iter()
            .any(|item| item.is_pointer() && traverse_of(item.object()).is_some());
    }
    word.is_pointer() && traverse_of(word.object()).is_some()
}

/// Collects if the heap has asked for it and collecting is enabled. Called where any Python code may run.
pub fn collect_if_due(vm: Vm) {
    if vm.heap.gc_requested.get() {
        if vm.collector.enabled.get() {
            collect_generation(vm, 0);
        } else {
            vm.heap.collected();
        }
    }
}

/// Containers that have come since the last collection, less those that have gone.
pub fn new_containers(vm: Vm) -> usize {
    count_containers(vm).saturating_sub(vm.collector.survivors.get())
}
pub fn count_containers(vm: Vm) -> usize {
    let mut count = 0;
    vm.heap
        .for_each_object(|object| count += usize::from(is_candidate(object)));
    count
}

/// A full collection; the number of unreachable objects found (`gc.collect()`). Short of memory it does nothing.
pub fn collect(vm: Vm) -> usize {
    collect_generation(vm, 2)
}
/// The same, called what CPython would call it: there is one generation.
pub fn collect_generation(vm: Vm, generation: u8) -> usize {
    if vm.collector.running.replace(true) {
        return 0;
    }
    let saved = vm.take_exception();
    let tell = vm.hooks.get().collecting;
    tell(vm, Phase::Start(generation));
    // SAFETY: no object is being built: collections run between instructions and in calls of `gc.collect`.
    let found = unsafe { find_and_free(vm) }.unwrap_or(0);
    tell(vm, Phase::Stop(generation, found));
    if let Some(saved) = saved {
        vm.set_exception(saved);
    }
    vm.heap.release_empty_pages();
    vm.heap.collected();
    vm.collector.running.set(false);
    vm.collector
        .collections
        .set(vm.collector.collections.get() + 1);
    vm.collector
        .collected
        .set(vm.collector.collected.get() + found as u64);
    found
}

unsafe fn find_and_free(vm: Vm) -> Option<usize> {
    unsafe {
        let unreachable = find_unreachable(vm)?;
        let found = unreachable.len();
        let mut condemned = unreachable;
        for object in &condemned {
            (*object.as_ptr::<Object>()).set_flag(flag::GC_CONDEMNED);
        }
        clear_weakrefs(vm, &condemned);
        if finalize(vm, &condemned) {
            condemned = drop_revived(vm, condemned)?;
        }
        if vm.collector.keeps_garbage.get() {
            for object in &condemned {
                (*object.as_ptr::<Object>()).clear_flag(flag::GC_CONDEMNED);
            }
            (vm.hooks.get().collecting)(vm, Phase::Keep(&condemned));
            return Some(found);
        }
        for object in &condemned {
            let object = object.as_ptr::<Object>();
            (*object).clear_flag(flag::GC_CONDEMNED);
            if let Some(clear) = (*(*object).ty()).slots.clear {
                clear(vm, object);
            }
        }
        Some(found)
    }
}

/// All unreachable containers, each held by a count.
unsafe fn find_unreachable(vm: Vm) -> Option<Vec<Owned>> {
    let heap = &vm.heap;
    heap.gc_begin()?;
    let mut enough = true;
    let mut unreachable = Vec::new();
    let mut containers = 0;
    // SAFETY: the counts are there until `gc_end`, and nothing is allocated in the heap meanwhile.
    unsafe {
        heap.for_each_object(|object| {
            if is_candidate(object) {
                containers += 1;
                *heap.gc_count(object) = (*object).refcount.get();
            }
        });
        heap.for_each_object(|object| {
            if is_candidate(object)
                && let Some(traverse) = traverse_of(object)
            {
                traverse(object, &mut |word| {
                    if word.is_pointer() && is_candidate(word.object()) {
                        let count = heap.gc_count(word.object());
                        debug_assert!(*count > 0, "more references visited than counted");
                        *count -= 1;
                    }
                });
            }
        });
        let mut pending = Vec::new();
        heap.for_each_object(|object| {
            if enough && is_candidate(object) && !matches!(*heap.gc_count(object), 0 | REACHED) {
                *heap.gc_count(object) = REACHED;
                enough = push(&mut pending, object);
                while enough && let Some(object) = pending.pop() {
                    let Some(traverse) = traverse_of(object) else {
                        continue;
                    };
                    traverse(object, &mut |word| {
                        if word.is_pointer() && is_candidate(word.object()) {
                            let count = heap.gc_count(word.object());
                            if *count != REACHED {
                                *count = REACHED;
                                enough &= push(&mut pending, word.object());
                            }
                        }
                    });
                }
            }
        });
        heap.for_each_object(|object| {
            if enough && is_candidate(object) && *heap.gc_count(object) == 0 {
                enough = unreachable.try_reserve(1).is_ok();
                if enough {
                    unreachable.push(Owned::from_borrowed(object));
                }
            }
        });
    }
    heap.gc_end();
    vm.collector.survivors.set(containers - unreachable.len());
    enough.then_some(unreachable)
}
fn push(pending: &mut Vec<*mut Object>, object: *mut Object) -> bool {
    if pending.try_reserve(1).is_err() {
        return false;
    }
    pending.push(object);
    true
}

/// Clears weak references to what goes. Callbacks of references that go too are not called.
unsafe fn clear_weakrefs(vm: Vm, condemned: &[Owned]) {
    unsafe {
        for object in condemned {
            let object = object.as_ptr::<Object>();
            if (*object).kind().base() == Kind::WEAKREF {
                weakref::drop_callback(object);
            }
        }
        for object in condemned {
            let object = object.as_ptr::<Object>();
            if (*object).has_flag(flag::WEAK_REFERENCED) {
                weakref::clear_weakrefs(vm, object);
            }
        }
    }
}

/// Runs finalizers that have not run; whether there were any.
unsafe fn finalize(vm: Vm, condemned: &[Owned]) -> bool {
    let mut any = false;
    for object in condemned {
        // SAFETY: held by the handle.
        unsafe {
            let header = object.as_ptr::<Object>();
            if let Some(finalize) = (*(*header).ty()).slots.finalize
                && !(*header).has_flag(flag::FINALIZED)
            {
                (*header).set_flag(flag::FINALIZED);
                finalize(vm, object.as_word());
                any = true;
            }
        }
    }
    any
}

/// After finalizers: those that are still referred to from among themselves alone.
unsafe fn drop_revived(vm: Vm, condemned: Vec<Owned>) -> Option<Vec<Owned>> {
    let heap = &vm.heap;
    let is_condemned = |object: *mut Object| {
        // SAFETY: visited objects are live.
        unsafe { (*object).has_flag(flag::GC_CONDEMNED) }
    };
    if heap.gc_begin().is_none() {
        condemned.iter().for_each(|object| unsafe {
            (*object.as_ptr::<Object>()).clear_flag(flag::GC_CONDEMNED)
        });
        return None;
    }
    let mut enough = true;
    // SAFETY: as in `find_unreachable`.
    unsafe {
        for object in &condemned {
            // One count is the handle's.
            *heap.gc_count(object.as_ptr()) = (*object.as_ptr::<Object>()).refcount.get() - 1;
        }
        for object in &condemned {
            if let Some(traverse) = traverse_of(object.as_ptr()) {
                traverse(object.as_ptr(), &mut |word| {
                    if word.is_pointer() && is_condemned(word.object()) {
                        let count = heap.gc_count(word.object());
                        *count = (*count).saturating_sub(1);
                    }
                });
            }
        }
        let mut pending: Vec<*mut Object> = Vec::new();
        for object in &condemned {
            let object = object.as_ptr::<Object>();
            if *heap.gc_count(object) != 0 {
                enough &= push(&mut pending, object);
            }
        }
        while let Some(object) = pending.pop() {
            if !is_condemned(object) {
                continue;
            }
            (*object).clear_flag(flag::GC_CONDEMNED);
            if let Some(traverse) = traverse_of(object) {
                traverse(object, &mut |word| {
                    if word.is_pointer() && is_condemned(word.object()) {
                        enough &= push(&mut pending, word.object());
                    }
                });
            }
        }
    }
    heap.gc_end();
    let (dead, revived): (Vec<Owned>, Vec<Owned>) = condemned
        .into_iter()
        .partition(|object| enough && is_condemned(object.as_ptr()));
    revived
        .iter()
        .for_each(|object| unsafe { (*object.as_ptr::<Object>()).clear_flag(flag::GC_CONDEMNED) });
    Some(dead)
}

/// What these refer to directly (`gc.get_referents`).
pub fn referents(words: &[Word]) -> Vec<Owned> {
    let mut found = Vec::new();
    for word in words.iter().filter(|word| word.is_pointer()) {
        if let Some(traverse) = traverse_of(word.object()) {
            // SAFETY: the caller keeps the objects.
            unsafe { traverse(word.object(), &mut |word| found.push(Owned::new_ref(word))) };
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::testing::TestVm;

    #[test]
    fn cycles_are_found() {
        let t = TestVm::new();
        let vm = t.vm();
        collect(vm);
        let used = vm.heap.used();
        for round in 0..20 {
            for _ in 0..2_000 {
                let a = t.list(&[]);
                let b = t.list(std::slice::from_ref(&a));
                t.call(&a, "append", &[&b]).map(drop).unwrap();
            }
            assert_eq!(collect(vm), 4_000, "round {round}");
        }
        // The ledger keeps freed blocks aside for a while.
        assert!(vm.heap.used() - used < 1 << 20 || cfg!(feature = "stackref-debug"));
        assert_eq!(collect(vm), 0);
    }

    #[test]
    fn what_is_referred_to_lives() {
        let t = TestVm::new();
        let vm = t.vm();
        collect(vm);
        let a = t.list(&[]);
        let inner = t.tuple(&[a.clone(), t.s("text")]);
        t.call(&a, "append", &[&inner]).map(drop).unwrap();
        drop(inner);
        assert_eq!(collect(vm), 0);
        assert_eq!(t.show(Ok(a.clone())), "[([...], 'text')]");
        drop(a);
        assert_eq!(collect(vm), 2);
    }

    #[test]
    fn classes_and_instances_go() {
        let t = TestVm::new();
        let vm = t.vm();
        collect(vm);
        let empty = unsafe { Owned::from_raw(vm.new_dict().unwrap()) };
        let class = t
            .make(vm.types.type_, &[&t.s("C"), &t.tuple(&[]), &empty])
            .unwrap();
        let instance = t.make(class.as_ptr(), &[]).unwrap();
        t.call(&instance, "__setattr__", &[&t.s("me"), &instance])
            .map(drop)
            .unwrap();
        let dict = t
            .call(&instance, "__getattribute__", &[&t.s("__dict__")])
            .unwrap();
        drop(instance);
        assert_eq!(collect(vm), 0, "the dict keeps the instance");
        drop(dict);
        // The instance and its dict.
        assert_eq!(collect(vm), 2);
        drop(class);
        // The class, its dict, MRO, bases and two descriptors.
        assert!(collect(vm) >= 3);
        assert_eq!(collect(vm), 0);
    }
}
