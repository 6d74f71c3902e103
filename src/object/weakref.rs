//! Weak references (`weakrefobject.c`). Which objects have some, a header flag says; the references of an object are
//! found through a table of the VM, so that objects need no room for them.

use super::args;
use super::descr::GetSetDef;
use super::descr_types::address;
use super::header::{Header, Kind, Object, flag};
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vectorcall::Args;
use super::vm::Vm;
use super::word::Word;
use super::{protocol, str};
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
            if (vm.hooks.get().call_function)(
                vm,
                callback.as_word(),
                (&[reference.as_word()]).into(),
                None,
            )
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

/// Makes a weak reference end without a call.
///
/// # Safety
/// The object is a live weak reference.
pub(super) unsafe fn drop_callback(reference: *mut Object) {
    unsafe {
        if let Some(callback) = (*(reference as *mut WeakrefObject)).callback.take() {
            callback.release_slot();
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

// ---- as Python objects

fn object<'a>(word: Word) -> &'a WeakrefObject {
    // SAFETY: contract of Word; all fields are cells.
    unsafe { &*word.cast() }
}
/// What a weak reference refers to, if it is still there.
pub fn referent(word: Word) -> Option<Owned> {
    let referent = object(word).referent.get();
    // SAFETY: a referent that goes clears its references first.
    (!referent.is_null()).then(|| unsafe { Owned::from_borrowed(referent) })
}
/// All weak references to an object, the oldest first.
pub fn all(vm: Vm, word: Word) -> Vec<Owned> {
    if !word.is_pointer() {
        return Vec::new();
    }
    let table = vm.weakrefs.0.borrow();
    let references = table.get(&word.object()).map_or(&[][..], Vec::as_slice);
    // SAFETY: references in the table are live.
    references
        .iter()
        .map(|&reference| unsafe { Owned::from_borrowed(reference) })
        .collect()
}
/// The oldest weak reference to an object, for `__weakref__`.
pub(super) fn first(vm: Vm, word: Word) -> Option<Owned> {
    let table = vm.weakrefs.0.borrow();
    let references = table.get(&word.object())?;
    // SAFETY: references in the table are live.
    references
        .first()
        .map(|&reference| unsafe { Owned::from_borrowed(reference) })
}
/// `weakref.ref(o, callback)`, of a type; a plain one without callback is shared (`PyWeakref_NewRef`).
pub(crate) fn new_weakref(
    vm: Vm,
    ty: *mut TypeObject,
    target: Word,
    callback: Option<Word>,
) -> PyResult {
    // SAFETY: types are live as long as an instance.
    let supported = target.is_pointer()
        && unsafe {
            let class = vm.type_of(target);
            (*class).lookup(vm.names.__weakref__).is_some()
                || supports_natively(target)
                || (*class)
                    .mro_slice()
                    .iter()
                    .any(|ty| super::type_object::object(*ty).has_flag(type_flag::WEAKREF))
        };
    if !supported {
        return Err(vm.type_error(format!(
            "cannot create weak reference to '{}' object",
            vm.type_name(target)
        )));
    }
    let callback = callback.filter(|callback| !callback.is_none());
    let plain = callback.is_none() && ty == vm.types.weakref;
    if plain {
        let table = vm.weakrefs.0.borrow();
        let shared = table.get(&target.object()).and_then(|references| {
            // SAFETY: references in the table are live.
            references.iter().find(|&&reference| unsafe {
                (*reference).callback.get().is_none() && (*reference).header.ty() == ty
            })
        });
        if let Some(&shared) = shared {
            // SAFETY: as above.
            return Ok(unsafe { Owned::from_borrowed(shared) });
        }
    }
    // SAFETY: the type is laid out so; all fields are written before the table knows it.
    unsafe {
        let reference = vm.alloc_instance::<WeakrefObject>(ty, size_of::<WeakrefObject>())?;
        (*reference).referent = Cell::new(target.object());
        (*reference).callback =
            Cell::new(callback.map(|callback| Owned::new_ref(callback).into_slot()));
        (*reference).hash = Cell::new(-1);
        vm.weakrefs
            .0
            .borrow_mut()
            .entry(target.object())
            .or_default()
            .push(reference);
        (*target.object()).set_flag(flag::WEAK_REFERENCED);
        Ok(Owned::from_raw(reference))
    }
}
/// Built-in kinds that can be referred to weakly.
fn supports_natively(word: Word) -> bool {
    matches!(
        word.kind().base(),
        Kind::FUNCTION
            | Kind::METHOD
            | Kind::BUILTIN_FUNCTION
            | Kind::TYPE
            | Kind::SET
            | Kind::FROZENSET
            | Kind::MODULE
            | Kind::GENERATOR
            | Kind::COROUTINE
            | Kind::ASYNC_GENERATOR
            | Kind::CODE
    )
}
fn weakref_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let positional = args.len() - args::keyword_names(kwnames).len();
    args::check_positional(vm, "__new__", positional, 1, 2)?;
    new_weakref(
        vm,
        ty,
        args[0],
        args.get(1).copied().filter(|_| positional == 2),
    )
}
fn weakref_call(vm: Vm, word: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult {
    args::no_keywords(vm, "ReferenceType", kwnames)?;
    args::check_positional(vm, "ReferenceType", args.len(), 0, 0)?;
    Ok(referent(word).unwrap_or(Owned::NONE))
}
fn weakref_repr(vm: Vm, word: Word) -> PyResult {
    let own = address(word);
    vm.new_str(&match referent(word) {
        None => format!("<weakref at {own}; dead>"),
        Some(target) => {
            let name = match super::attr::get_attr_opt(vm, target.as_word(), vm.names.__name__)? {
                Some(name) if str::is_str(name.as_word()) => {
                    format!(" ({})", str::to_string_lossy(name.as_word()))
                }
                _ => String::new(),
            };
            format!(
                "<weakref at {own}; to '{}' at {}{name}>",
                vm.type_name(target.as_word()),
                address(target.as_word())
            )
        }
    })
}
/// The hash of the referent, kept when it goes (`weakref_hash`).
fn weakref_hash(vm: Vm, word: Word) -> Result<i64, Raised> {
    let own = object(word);
    if own.hash.get() == -1 {
        let Some(target) = referent(word) else {
            return Err(vm.type_error("weak object has gone away"));
        };
        own.hash.set(protocol::hash(vm, target.as_word())?);
    }
    Ok(own.hash.get())
}
fn weakref_compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !b.is_instance(Kind::WEAKREF) || !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    match (referent(a), referent(b)) {
        (Some(a), Some(b)) => protocol::rich_compare(vm, a.as_word(), b.as_word(), op),
        _ => Ok(Owned::bool(a.is(b) == (op == CompareOp::Eq))),
    }
}
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { (*(object as *mut WeakrefObject)).callback.get() }
        .into_iter()
        .for_each(visit);
}
static GETSET: [GetSetDef; 1] = [GetSetDef::new(
    "__callback__",
    |_, word| {
        Ok(object(word)
            .callback
            .get()
            .map_or(Owned::NONE, Owned::new_ref))
    },
    None,
)];
pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE,
        getset: &GETSET,
        ..TypeSpec::new::<WeakrefObject>(
            "weakref.ReferenceType",
            Kind::WEAKREF,
            Slots {
                dealloc: weakref_dealloc,
                traverse: Some(traverse),
                repr: Some(weakref_repr),
                hash: Some(weakref_hash),
                richcompare: Some(weakref_compare),
                call: Some(weakref_call),
                new: Some(weakref_new),
                init: Some(|_, _, _, _| Ok(())),
                ..Slots::EMPTY
            },
        )
    }
}
