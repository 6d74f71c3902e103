//! The VM as the object layer sees it: [`Core`] holds the heap, the types, interned strings and the current exception;
//! [`Vm`] is the handle that every function takes first.
//!
//! An upper layer embeds `Core` as the first field of its own `#[repr(C)]` thread state, calls [`Vm::from_raw`] with a
//! pointer to that whole state, and [`Vm::bootstrap`] once.

use super::dict::{DictKeys, DictObject};
use super::dict_split::InlineValues;
use super::exc::Exceptions;
use super::header::{Header, Object, flag};
use super::heap::{Heap, MAX_SMALL};
use super::names::Names;
use super::native_stack;
use super::owned::{Owned, PyResult, Raised};
use super::str::Interned;
use super::type_cache::TypeCache;
use super::types::{TypeObject, Types, type_flag};
use super::vectorcall::Args;
use super::word::Word;
use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::ptr::{NonNull, null_mut};

/// Handle of a VM: a pointer, copied freely, never sent to another thread.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vm(NonNull<Core>);

/// What objects need of their VM. Free lists first, for the handlers that pop them.
#[repr(C)]
pub struct Core {
    pub heap: Heap,
    /// The exception being raised, one count in a slot's word (`tstate->current_exception`).
    pub current_exception: Cell<Option<Word>>,
    /// The exception that the running function or generator handles, not None, one count (`tstate->exc_info->exc_value`).
    /// What is handled anywhere, [`Vm::topmost_handled`] tells.
    pub handled_exception: Cell<Option<Word>>,
    /// What is handled outside of the running generator, level by level (`tstate->exc_info->previous_item`).
    pub handled_outside: Cell<*const HandledItem>,
    /// Lowest address the native stack may reach before RecursionError.
    pub stack_limit: Cell<usize>,
    stack_top: Cell<usize>,
    pub(super) dealloc_depth: Cell<u32>,
    trash: RefCell<Vec<*mut Object>>,
    pub types: Types,
    pub exc: Exceptions,
    pub names: Names,
    pub hooks: Cell<Hooks>,
    pub(super) type_cache: TypeCache,
    pub(super) interned: Interned,
    /// Keys of every empty dict (`Py_EMPTY_KEYS`).
    pub(super) empty_keys: *mut DictKeys,
    pub(super) empty_tuple: Word,
    pub(super) empty_str: Word,
    /// The 256 strings of one Latin-1 character.
    pub(super) latin1: [Word; 256],
    /// Raised when there is no memory to make another.
    pub(super) memory_error: Word,
    /// Whether an exception for [`Vm::no_memory`] is being made.
    pub(super) making_memory_error: Cell<bool>,
    /// `sys.modules`.
    pub modules: *mut DictObject,
    /// Key of string and bytes hashing (`PYTHONHASHSEED`; 0 and 0 unless asked).
    pub hash_key: Cell<(u64, u64)>,
    /// `sys.set_int_max_str_digits`.
    pub int_max_str_digits: Cell<usize>,
    next_type_version: Cell<u32>,
    next_keys_version: Cell<u32>,
    pub(super) weakrefs: super::weakref::WeakTable,
    pub collector: super::gc::Collector,
}

/// One level of exceptions being handled (`_PyErr_StackItem`). It stands in a generator: while that runs, it holds what
/// its resumer handles; while it is suspended, what it handles itself.
#[repr(C)]
pub struct HandledItem {
    /// A slot's word.
    pub exception: Cell<Option<Word>>,
    pub outside: Cell<*const HandledItem>,
}

/// What upper layers install. Until then calls of Python functions raise SystemError.
#[derive(Clone, Copy)]
pub struct Hooks {
    /// Calls a callable that only upper layers know how to call.
    pub call_function: fn(Vm, callable: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult,
    /// Reports an exception that cannot be raised (`PyErr_WriteUnraisable`): it is the current one, to be cleared.
    pub write_unraisable: fn(Vm, message: &str, object: Word),
    /// A watched dict is about to change ([`DictObject::watcher`]).
    pub dict_watcher: fn(
        Vm,
        dict: *mut DictObject,
        event: super::dict::DictEvent,
        key: Option<Word>,
        value: Option<Word>,
    ),
    /// The globals of the running Python function, for a new class's `__module__` (`PyEval_GetGlobals`).
    pub current_globals: fn(Vm) -> Option<Owned>,
    /// Class and object of `super()` without arguments, from the running frame.
    pub super_arguments: fn(Vm) -> Result<(Owned, Owned), Raised>,
    /// Does what cannot wait for the loop: signals, interrupts, budgets (`PyErr_CheckSignals`).
    pub check_signals: fn(Vm) -> Result<(), Raised>,
    /// A cycle collection begins or ends.
    pub collecting: fn(Vm, super::gc::Phase<'_>),
    /// A type is about to lose its version tag.
    pub type_modified: fn(Vm, ty: *mut TypeObject),
}

fn no_call(vm: Vm, _: Word, _: Args<'_>, _: Option<Word>) -> PyResult {
    Err(vm.raise(vm.exc.SystemError, "no interpreter is installed"))
}
fn drop_unraisable(vm: Vm, _: &str, _: Word) {
    vm.clear_exception();
}

impl Deref for Vm {
    type Target = Core;
    #[inline(always)]
    fn deref(&self) -> &Core {
        // SAFETY: the contract of `from_raw`.
        unsafe { self.0.as_ref() }
    }
}

impl Vm {
    /// The handle of a VM whose `Core` stands at `core`.
    ///
    /// # Safety
    /// `core` stays where it is and valid for as long as the handle or any object of the VM is used, on one thread.
    /// The pointer's provenance is handed back by [`Vm::as_ptr`].
    pub const unsafe fn from_raw(core: NonNull<Core>) -> Vm {
        Vm(core)
    }
    #[inline(always)]
    pub const fn as_ptr(self) -> *mut Core {
        self.0.as_ptr()
    }

    /// Fills a fresh [`Core::new`] in place: heap, types, interned names. On `Err` the VM must be dropped.
    ///
    /// # Safety
    /// Called once, before anything else is done with the VM.
    pub unsafe fn bootstrap(self) -> Result<(), OutOfMemory> {
        self.measure_stack();
        unsafe { super::bootstrap::bootstrap(self).ok_or(OutOfMemory) }
    }
    /// Takes the bounds of the native stack from the running thread.
    fn measure_stack(self) {
        let here = &raw const self as usize;
        let (low, top) = native_stack::bounds().unwrap_or((here.saturating_sub(256 << 10), here));
        // Native code below a check needs room too: a sixteenth, at least 64 KiB where the stack has that much.
        let margin = ((top - low) / 16).clamp(32 << 10, 512 << 10);
        self.stack_limit.set(low + margin);
        self.stack_top.set(top);
    }
    /// Fails with RecursionError when the native stack is nearly used up (`Py_EnterRecursiveCall`).
    /// `place` begins with a space: `" while getting the repr of an object"`.
    #[inline(always)]
    pub fn check_stack(self, place: &str) -> Result<(), Raised> {
        let here = 0u8;
        if (&raw const here as usize) < self.stack_limit.get() {
            Err(self.stack_overflow(place))
        } else {
            Ok(())
        }
    }
    #[cold]
    #[inline(never)]
    fn stack_overflow(self, place: &str) -> Raised {
        let used = self
            .stack_top
            .get()
            .saturating_sub(&raw const place as usize)
            >> 10;
        self.raise(
            self.exc.RecursionError,
            format!("Stack overflow (used {used} kB){place}"),
        )
    }

    /// Lets native code that may take long be interrupted (`PyErr_CheckSignals`).
    #[inline(always)]
    pub fn check_signals(self) -> Result<(), Raised> {
        if self.heap.eval_breaker.has_events() {
            self.handle_signals()
        } else {
            Ok(())
        }
    }
    #[cold]
    #[inline(never)]
    fn handle_signals(self) -> Result<(), Raised> {
        (self.hooks.get().check_signals)(self)
    }

    // ---- allocation

    /// A new object of a fixed-size native type, its header written and counted once; the rest is the caller's to
    /// write before anything else happens. MemoryError is raised on failure.
    ///
    /// # Safety
    /// `ty` is a live type of this VM whose instances are laid out as `T`.
    #[inline(always)]
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub unsafe fn alloc<T>(self, ty: *mut TypeObject) -> Result<*mut T, Raised> {
        unsafe { self.alloc_sized(ty, size_of::<T>()) }
    }
    /// The same with a size chosen at run time, at least that of `T`.
    ///
    /// # Safety
    /// As [`Vm::alloc`].
    #[inline(always)]
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub unsafe fn alloc_sized<T>(self, ty: *mut TypeObject, size: usize) -> Result<*mut T, Raised> {
        unsafe {
            match self.heap.alloc_object(size) {
                Some(object) => {
                    let object = object.as_ptr();
                    (*ty).count_instance();
                    object.write(Header {
                        refcount: Cell::new(1),
                        kind: Cell::new((*ty).kind),
                        flags: Cell::new(if size > MAX_SMALL { flag::LARGE } else { 0 }),
                        extra: Cell::new(0),
                        ty: Cell::new(ty),
                    });
                    super::word_debug::created(object);
                    Ok(object.cast())
                }
                None => Err(self.no_memory()),
            }
        }
    }
    /// A new object of a type that may be a Python class: the native part as for [`Vm::alloc_sized`], the extension
    /// behind it cleared.
    ///
    /// # Safety
    /// As [`Vm::alloc`].
    #[inline]
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub unsafe fn alloc_instance<T>(
        self,
        ty: *mut TypeObject,
        native_size: usize,
    ) -> Result<*mut T, Raised> {
        unsafe {
            let extension = (*ty).extension as usize;
            if extension == 0 {
                return self.alloc_sized(ty, native_size);
            }
            let start = native_size
                .checked_next_multiple_of(8)
                .ok_or_else(|| self.no_memory())?;
            let end = start
                .checked_add(extension)
                .ok_or_else(|| self.no_memory())?;
            if !(*ty).has_flag(type_flag::INLINE_VALUES) {
                let object = self.alloc_sized::<T>(ty, end)?;
                object.cast::<u8>().add(start).write_bytes(0, extension);
                return Ok(object);
            }
            debug_assert!(end == (*ty).values_offset as usize);
            let capacity = super::instance::reserve(ty);
            let size = end + InlineValues::byte_size(capacity as usize);
            let object = self.alloc_sized::<T>(ty, size)?;
            object.cast::<u8>().add(start).write_bytes(0, extension);
            InlineValues::init(object.cast(), end as u32, capacity);
            Ok(object)
        }
    }
    /// Objects that live as long as the VM: where a search for leaks starts.
    #[cfg(feature = "stackref-debug")]
    pub(super) fn permanent_objects(self) -> Vec<*mut Object> {
        let mut objects: Vec<*mut Object> = Vec::new();
        let words = [self.empty_tuple, self.empty_str, self.memory_error];
        objects.extend(words.iter().chain(&self.latin1).map(|word| word.object()));
        objects.push(self.modules.cast());
        self.heap.for_each_object(|object| {
            // SAFETY: enumerated objects are live.
            unsafe {
                let is_static_type = (*object).kind().base() == super::header::Kind::TYPE
                    && !(*(object as *mut TypeObject)).has_flag(super::types::type_flag::HEAPTYPE);
                // The intern table holds no counts: an interned string that lives has a holder that it does not show.
                if is_static_type || self.is_interned_string(object) {
                    objects.push(object);
                }
            }
        });
        objects
    }
    #[cfg(feature = "stackref-debug")]
    unsafe fn is_interned_string(self, object: *mut Object) -> bool {
        unsafe {
            (*object).kind() == super::header::Kind::STR
                && (*object).extra.get() & super::str::INTERNED != 0
        }
    }
    /// Frees the block of an object whose payload is gone, and its type's count.
    ///
    /// # Safety
    /// The object's count is zero and nobody uses it any more.
    #[inline(always)]
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub unsafe fn free<T>(self, object: *mut T) {
        unsafe {
            let object = object as *mut Object;
            let ty = (*object).ty();
            if (*object).has_flag(flag::WEAK_REFERENCED) {
                super::weakref::clear_weakrefs(self, object);
            }
            self.heap.free_object(object);
            (*ty).uncount_instance();
        }
    }
    /// A raw block, or MemoryError.
    #[inline(always)]
    pub fn alloc_raw(self, size: usize) -> Result<NonNull<u8>, Raised> {
        self.heap.alloc_raw(size).ok_or_else(|| self.no_memory())
    }
    /// Raises MemoryError without needing memory: a new one if there is enough for it, since what is raised keeps its
    /// traceback, and what that leads to, for as long as it lives.
    #[cold]
    #[inline(never)]
    pub fn no_memory(self) -> Raised {
        if !self.memory_error.is_null() && !self.making_memory_error.replace(true) {
            let made = super::exc_methods::alloc_exception(self, self.exc.MemoryError, &[]);
            self.making_memory_error.set(false);
            if let Ok(exception) = made {
                self.set_exception(exception);
                return Raised;
            }
        }
        self.set_exception(Owned::new_ref(self.memory_error));
        Raised
    }
    pub(super) fn trash_push(self, object: *mut Object) {
        let mut trash = self.trash.borrow_mut();
        // Without memory for the list the object leaks until the VM goes, which is safe.
        if trash.len() < trash.capacity() || trash.try_reserve(64).is_ok() {
            trash.push(object);
        }
    }
    /// # Safety
    /// The objects in the list are dead, as `dealloc` requires.
    pub(super) unsafe fn trash_empty(self) {
        loop {
            let Some(object) = self.trash.borrow_mut().pop() else {
                return;
            };
            self.dealloc_depth.set(1);
            unsafe { ((*(*object).ty()).slots.dealloc)(self, object) };
            self.dealloc_depth.set(0);
        }
    }

    // ---- version numbers: zero when they have run out

    pub(super) fn new_type_version(self) -> u32 {
        next_version(&self.next_type_version)
    }
    pub(super) fn new_keys_version(self) -> u32 {
        next_version(&self.next_keys_version)
    }

    // ---- types

    /// The type of any Python value (`Py_TYPE`).
    #[inline(always)]
    pub fn type_of(self, word: Word) -> *mut TypeObject {
        if word.is_pointer() {
            // SAFETY: contract of Word, the object is live.
            unsafe { (*word.object()).ty() }
        } else {
            self.type_of_immediate(word)
        }
    }
    pub fn type_of_immediate(self, word: Word) -> *mut TypeObject {
        if word.is_int() {
            self.types.int
        } else if word.is_float() {
            self.types.float
        } else {
            match word {
                Word::FALSE | Word::TRUE => self.types.bool_,
                Word::NONE => self.types.none_type,
                Word::ELLIPSIS => self.types.ellipsis,
                _ => self.types.not_implemented,
            }
        }
    }
    /// Name of a value's type, for messages (`Py_TYPE(o)->tp_name`).
    pub fn type_name(self, word: Word) -> String {
        // SAFETY: types are live as long as an instance.
        unsafe { (*self.type_of(word)).name_string() }
    }
    /// The same in a message about an argument, where None is called so (`_PyArg_BadArgument`).
    pub fn argument_type(self, word: Word) -> String {
        if word.is_none() {
            return "None".to_owned();
        }
        self.type_name(word)
    }
}

fn next_version(counter: &Cell<u32>) -> u32 {
    let version = counter.get();
    if version != 0 {
        counter.set(version.wrapping_add(1));
    }
    version
}

/// There was no memory to start a VM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfMemory;

impl std::fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not enough memory to start a VM")
    }
}
impl std::error::Error for OutOfMemory {}

impl Core {
    /// A core without types or heap pages, to be filled by [`Vm::bootstrap`].
    pub fn new() -> Core {
        Core {
            heap: Heap::new(),
            current_exception: Cell::new(None),
            handled_exception: Cell::new(None),
            handled_outside: Cell::new(std::ptr::null()),
            stack_limit: Cell::new(0),
            stack_top: Cell::new(0),
            dealloc_depth: Cell::new(0),
            trash: RefCell::new(Vec::new()),
            types: Types::NULL,
            exc: Exceptions::NULL,
            names: Names::EMPTY,
            hooks: Cell::new(Hooks {
                call_function: no_call,
                write_unraisable: drop_unraisable,
                dict_watcher: |_, _, _, _, _| (),
                current_globals: |_| None,
                super_arguments: |vm| Err(vm.raise(vm.exc.RuntimeError, "super(): no arguments")),
                check_signals: |_| Ok(()),
                collecting: |_, _| (),
                type_modified: |_, _| (),
            }),
            type_cache: TypeCache::new(),
            interned: Interned::new(),
            empty_keys: null_mut(),
            empty_tuple: Word::NULL,
            empty_str: Word::NULL,
            latin1: [Word::NULL; 256],
            memory_error: Word::NULL,
            making_memory_error: Cell::new(false),
            modules: null_mut(),
            hash_key: Cell::new((0, 0)),
            int_max_str_digits: Cell::new(4300),
            next_type_version: Cell::new(1),
            next_keys_version: Cell::new(2),
            weakrefs: super::weakref::WeakTable::new(),
            collector: super::gc::Collector::new(),
        }
    }
}

impl Default for Core {
    fn default() -> Core {
        Core::new()
    }
}

impl Drop for Core {
    /// Frees everything wholesale: objects that own memory outside the heap give it up, the heap does the rest.
    fn drop(&mut self) {
        // SAFETY: no object is used after this.
        unsafe { super::bootstrap::tear_down(self) }
    }
}
