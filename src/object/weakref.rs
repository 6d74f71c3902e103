//! Weak references (`weakrefobject.c`). Which objects have some, a header flag says; the references of an object are
//! found through a table of the VM, so that objects need no room for them.

use super::header::{Header, Object, flag};
use super::owned::Owned;
use super::vm::Vm;
use super::word::Word;
use hashbrown::HashMap;
use std::cell::{Cell, RefCell};

/// `PyWeakReference`.
#[repr(C)]
pub struct WeakrefObject {
    pub header: Header,
    /// Null once the referent is gone.
    pub referent: Cell<*mut Object>,
    /// A slot's word.
    pub callback: Cell<Option<Word>>,
    /// -1 until computed.
    pub hash: Cell<i64>,
}

/// Weak references by referent, uncounted, oldest first.
pub(super) struct WeakTable(
    pub(super) RefCell<HashMap<*mut Object, Vec<*mut WeakrefObject>, rustc_hash::FxBuildHasher>>,
);

impl WeakTable {
    pub(super) const fn new() -> WeakTable {
        WeakTable(RefCell::new(HashMap::with_hasher(
            rustc_hash::FxBuildHasher,
        )))
    }
}

/// Clears the weak references to an object that is going, and calls their callbacks, youngest first
/// (`PyObject_ClearWeakRefs`).
///
/// # Safety
/// The object's memory is still there.
#[cold]
pub(super) unsafe fn clear_weakrefs(vm: Vm, object: *mut Object) {
    unsafe {
        (*object).clear_flag(flag::WEAK_REFERENCED);
        let Some(references) = vm.weakrefs.0.borrow_mut().remove(&object) else {
            return;
        };
        // Callbacks may free references: hold those that have one.
        let mut calls = Vec::new();
        for &reference in references.iter().rev() {
            (*reference).referent.set(std::ptr::null_mut());
            if let Some(callback) = (*reference).callback.take()
                && (*reference).header.refcount.get() > 0
            {
                calls.push((Owned::from_borrowed(reference), Owned::from_slot(callback)));
            }
        }
        let saved = vm.take_exception();
        for (reference, callback) in calls {
            if (vm.hooks.get().call_function)(vm, callback.as_word(), &[reference.as_word()], None)
                .is_err()
            {
                (vm.hooks.get().write_unraisable)(
                    vm,
                    "Exception ignored while calling weakref callback",
                    callback.as_word(),
                );
            }
        }
        if let Some(saved) = saved {
            vm.set_exception(saved);
        }
    }
}

/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn weakref_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let reference = object as *mut WeakrefObject;
        let referent = (*reference).referent.get();
        if !referent.is_null() {
            let mut table = vm.weakrefs.0.borrow_mut();
            if let Some(references) = table.get_mut(&referent) {
                references.retain(|&other| other != reference);
                if references.is_empty() {
                    table.remove(&referent);
                    (*referent).clear_flag(flag::WEAK_REFERENCED);
                }
            }
        }
        if let Some(callback) = (*reference).callback.take() {
            callback.release_slot();
        }
        vm.free(object);
    }
}
