//! The ledger behind words in builds with `stackref-debug` (`Py_STACKREF_DEBUG`): it knows where every object was made
//! and freed. Freed blocks are kept aside for a while, so that a word that outlived its object is caught at its next
//! use, by line; and what is still counted when a VM ends is listed by the line that made it. Without the feature all
//! of it is empty.

#[cfg(feature = "stackref-debug")]
pub use ledger::{Leak, leaks};
#[cfg(feature = "stackref-debug")]
pub(super) use ledger::{check, created, quarantine, tear_down};
#[cfg(not(feature = "stackref-debug"))]
pub(super) use silent::{check, created, quarantine, tear_down};

#[cfg(not(feature = "stackref-debug"))]
mod silent {
    use crate::object::header::Object;
    use crate::object::heap::Heap;
    use crate::object::vm::Core;
    use crate::object::word::Word;

    #[inline(always)]
    pub fn check(_word: Word) {}
    #[inline(always)]
    pub fn created(_object: *mut Object) {}
    #[inline(always)]
    pub fn quarantine(_heap: &Heap, object: *mut Object) -> Option<*mut Object> {
        Some(object)
    }
    #[inline(always)]
    pub fn tear_down(_core: &mut Core) {}
}

#[cfg(feature = "stackref-debug")]
mod ledger {
    use crate::object::gc;
    use crate::object::header::{Kind, Object};
    use crate::object::heap::Heap;
    use crate::object::vm::{Core, Vm};
    use crate::object::word::Word;
    use std::cell::RefCell;
    use std::collections::{BTreeMap, HashMap, HashSet};
    use std::panic::Location;

    type Place = &'static Location<'static>;

    struct Record {
        created: Place,
        freed: Option<Place>,
    }
    #[derive(Default)]
    struct Ledger {
        records: HashMap<*mut Object, Record>,
    }
    /// Freed blocks that a heap keeps aside.
    const QUARANTINE: usize = 1 << 14;

    thread_local! {
        static LEDGER: RefCell<Ledger> = RefCell::default();
    }

    /// A pointer word is used: its object must not have been freed.
    #[track_caller]
    pub fn check(word: Word) {
        let object = word.object();
        // SAFETY: the block of a freed object stays in the quarantine, then in its page.
        if unsafe { (*object).kind() } != Kind::FREE {
            return;
        }
        let used = Location::caller();
        LEDGER.with_borrow(|ledger| match ledger.records.get(&object) {
            Some(Record {
                created,
                freed: Some(freed),
            }) => {
                panic!("stale word: object made at {created}, freed at {freed}, used at {used}")
            }
            _ => panic!("stale word: used at {used}"),
        });
    }
    #[track_caller]
    pub fn created(object: *mut Object) {
        let created = Location::caller();
        LEDGER.with_borrow_mut(|ledger| {
            ledger.records.insert(
                object,
                Record {
                    created,
                    freed: None,
                },
            )
        });
    }
    /// Takes a freed block in; gives back the one of the same heap that has waited longest, for reuse.
    #[track_caller]
    pub fn quarantine(heap: &Heap, object: *mut Object) -> Option<*mut Object> {
        let freed = Location::caller();
        // SAFETY: the block is ours until it is given back.
        unsafe {
            (*object).kind.set(Kind::FREE);
            (*object).refcount.set(0);
        }
        LEDGER.with_borrow_mut(|ledger| {
            if let Some(record) = ledger.records.get_mut(&object) {
                record.freed = Some(freed);
            }
            let mut waiting = heap.waiting.borrow_mut();
            waiting.push_back(object);
            let oldest = if waiting.len() > QUARANTINE {
                waiting.pop_front()
            } else {
                None
            }?;
            ledger.records.remove(&oldest);
            Some(oldest)
        })
    }
    /// The blocks go with the heap, and so do their records.
    pub fn tear_down(core: &mut Core) {
        LEDGER.with_borrow_mut(|ledger| {
            core.heap
                .for_each_object(|object| drop(ledger.records.remove(&object)));
            ledger.records.retain(|object, _| !core.heap.owns(*object));
        });
    }

    /// Objects made at one line that somebody still counts.
    #[derive(Debug, PartialEq, Eq)]
    pub struct Leak {
        pub created: String,
        pub objects: usize,
    }

    /// What is alive and cannot be reached from `roots` or from the built-in types: counts that were never given up.
    /// To be asked when a VM has ended its work and dropped what it held.
    pub fn leaks(vm: Vm, roots: &[Word]) -> Vec<Leak> {
        gc::collect(vm);
        let mut reached = HashSet::new();
        let mut pending: Vec<*mut Object> = roots
            .iter()
            .filter(|word| word.is_pointer())
            .map(|word| word.object())
            .collect();
        pending.extend(vm.permanent_objects());
        while let Some(object) = pending.pop() {
            if reached.insert(object) {
                // SAFETY: reached objects are live.
                unsafe {
                    pending.push((*object).ty().cast());
                    if let Some(traverse) = (*(*object).ty()).slots.traverse {
                        traverse(object, &mut |word| {
                            if word.is_pointer() {
                                pending.push(word.object());
                            }
                        });
                    }
                }
            }
        }
        let mut by_line: BTreeMap<String, usize> = BTreeMap::new();
        LEDGER.with_borrow(|ledger| {
            vm.heap.for_each_object(|object| {
                if !reached.contains(&object)
                    && let Some(record) = ledger.records.get(&object)
                {
                    *by_line.entry(record.created.to_string()).or_default() += 1;
                }
            });
        });
        by_line
            .into_iter()
            .map(|(created, objects)| Leak { created, objects })
            .collect()
    }
}

#[cfg(all(test, feature = "stackref-debug"))]
mod tests {
    use super::*;
    use crate::object::Owned;
    use crate::object::testing::TestVm;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn a_stale_borrow_is_caught() {
        let t = TestVm::new();
        let list = t.list(&[]);
        let word = list.as_word();
        drop(list);
        // SAFETY: on purpose not: the ledger must notice.
        let panic = catch_unwind(AssertUnwindSafe(|| unsafe { word.dup() })).unwrap_err();
        let text = panic.downcast_ref::<String>().unwrap();
        assert!(
            text.starts_with("stale word: object made at src/object/"),
            "{text}"
        );
        assert!(text.contains("word_debug.rs"), "{text}");
    }

    #[test]
    fn a_leak_is_listed() {
        let t = TestVm::new();
        assert_eq!(leaks(t.vm(), &[]), []);
        let list = t.list(&[]);
        std::mem::forget(list.clone());
        assert_eq!(leaks(t.vm(), &[list.as_word()]), []);
        drop(list);
        let found = leaks(t.vm(), &[]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].objects, 1);
    }

    /// Blocks that one VM has freed serve no other, however many wait.
    #[test]
    fn blocks_wait_in_their_own_heap() {
        let (t, other) = (TestVm::new(), TestVm::new());
        for _ in 0..100 {
            drop(t.list(&[]));
        }
        let lists = |t: &TestVm| (0..1 << 15).map(|_| t.list(&[])).collect::<Vec<_>>();
        drop(lists(&other));
        let again = lists(&other);
        let owns = |list: &Owned| other.vm().heap.owns(list.as_word().object());
        assert!(again.iter().all(owns));
    }
}
