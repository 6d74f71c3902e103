//! The header that every object starts with (`PyObject`), the kinds of native layout, and reference counts.

use super::types::TypeObject;
use super::vm::Vm;
use std::cell::Cell;

/// Sixteen bytes at the start of every object.
///
/// The count cannot overflow: a VM has at most 32 GiB and a counted reference takes eight bytes of it.
#[repr(C)]
pub struct Header {
    pub refcount: Cell<u32>,
    pub kind: Cell<Kind>,
    pub flags: Cell<u8>,
    /// Free for the kind: a string's flags, for instance.
    pub extra: Cell<u16>,
    pub ty: Cell<*mut TypeObject>,
}

/// An object of which only the header is known.
pub type Object = Header;

/// Native layout and exactness. An instance of a built-in type has its type's kind; an instance of a Python subclass
/// has the same with [`Kind::SUBCLASS`] set, so that an exact type test is one byte compare.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Kind(pub u8);

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $value:literal,)*) => {
        impl Kind { $($(#[$doc])* pub const $name: Kind = Kind($value);)* }
    };
}

kinds! {
    FREE = 0,
    /// Plain `object` and instances of Python classes that derive from no other built-in.
    INSTANCE = 1,
    TYPE = 2,
    INT = 3,
    FLOAT = 4,
    BOOL = 5,
    NONE = 6,
    ELLIPSIS = 7,
    NOT_IMPLEMENTED = 8,
    STR = 9,
    BYTES = 10,
    TUPLE = 11,
    LIST = 12,
    DICT = 13,
    SET = 14,
    FROZENSET = 15,
    SLICE = 16,
    RANGE = 17,
    RANGE_ITERATOR = 18,
    LIST_ITERATOR = 19,
    TUPLE_ITERATOR = 20,
    STR_ITERATOR = 21,
    SEQ_ITERATOR = 22,
    DICT_ITERATOR = 23,
    DICT_VIEW = 24,
    FUNCTION = 25,
    CODE = 26,
    BUILTIN_FUNCTION = 27,
    METHOD_DESCRIPTOR = 28,
    METHOD = 29,
    MODULE = 30,
    CELL = 31,
    GENERATOR = 32,
    COROUTINE = 33,
    FRAME = 34,
    TRACEBACK = 35,
    EXCEPTION = 36,
    GETSET_DESCRIPTOR = 37,
    MEMBER_DESCRIPTOR = 38,
    WRAPPER_DESCRIPTOR = 39,
    METHOD_WRAPPER = 40,
    PROPERTY = 41,
    STATICMETHOD = 42,
    CLASSMETHOD = 43,
    SUPER = 44,
    WEAKREF = 45,
    MAPPING_PROXY = 46,
    SET_ITERATOR = 47,
    COMPLEX = 48,
    BYTEARRAY = 49,
    /// What a native function that is a closure is bound to.
    NATIVE_CLOSURE = 50,
    MEMORYVIEW = 51,
    /// Asynchronous.
    ASYNC_GENERATOR = 64,
    /// Any other native type: told apart by its type object.
    OTHER = 127,
}

impl Kind {
    pub const SUBCLASS: u8 = 0x80;

    /// The kind without exactness.
    #[inline(always)]
    pub const fn base(self) -> Kind {
        Kind(self.0 & !Self::SUBCLASS)
    }
    #[inline(always)]
    pub const fn subclass(self) -> Kind {
        Kind(self.0 | Self::SUBCLASS)
    }
}

/// `Header::flags`.
pub mod flag {
    /// The block is a large one, registered with the heap by itself.
    pub const LARGE: u8 = 1;
    /// Weak references to the object exist.
    pub const WEAK_REFERENCED: u8 = 2;
    /// The finalizer has run (`_PyGC_FINALIZED`).
    pub const FINALIZED: u8 = 4;
    /// The instance's attributes are its inline values (`PyDictValues::valid`): set where its type has
    /// `Py_TPFLAGS_INLINE_VALUES`, until its dict goes its own way.
    pub const INLINE_VALUES: u8 = 8;
    /// The object's `repr` is being made (`Py_ReprEnter`).
    pub const IN_REPR: u8 = 16;
    /// The cycle collector has found the object unreachable.
    pub const GC_CONDEMNED: u8 = 32;
    /// The object lies outside the heap, as code does in its arena: it is never collected.
    pub const FOREIGN: u8 = 64;
    /// An instance of a type with inline values has a dict object: sharing the values, or in their place.
    pub const DICT_MADE: u8 = 128;
}

impl Header {
    #[inline(always)]
    pub fn kind(&self) -> Kind {
        self.kind.get()
    }
    #[inline(always)]
    pub fn ty(&self) -> *mut TypeObject {
        self.ty.get()
    }
    #[inline(always)]
    pub fn has_flag(&self, flag: u8) -> bool {
        self.flags.get() & flag != 0
    }
    #[inline(always)]
    pub fn set_flag(&self, flag: u8) {
        self.flags.set(self.flags.get() | flag);
    }
    #[inline(always)]
    pub fn clear_flag(&self, flag: u8) {
        self.flags.set(self.flags.get() & !flag);
    }
    #[inline(always)]
    pub fn incref(&self) {
        self.refcount.set(self.refcount.get() + 1);
    }
    /// The VM that the object belongs to.
    ///
    /// # Safety
    /// The object is live: contract of [`Word`](super::Word).
    #[inline(always)]
    pub unsafe fn vm(&self) -> Vm {
        unsafe { (*self.ty()).vm }
    }
    /// Gives up one count, frees the object when it was the last.
    ///
    /// # Safety
    /// Contract of [`Word`](super::Word): the caller holds the count.
    #[inline(always)]
    pub unsafe fn decref(object: *mut Object) {
        unsafe {
            let count = (*object).refcount.get() - 1;
            (*object).refcount.set(count);
            if count == 0 {
                dealloc((*object).vm(), object);
            }
        }
    }
}

/// How many objects may be freed inside each other before the rest waits in a list (`Py_TRASHCAN`).
const TRASHCAN_DEPTH: u32 = 100;

/// Frees an object whose count has reached zero (`_Py_Dealloc`). A chain of a million objects does not deepen the
/// native stack by more than `TRASHCAN_DEPTH` of them.
///
/// # Safety
/// The count is zero and nobody uses the object any more.
#[cold]
#[inline(never)]
pub unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let depth = vm.dealloc_depth.get();
        if depth >= TRASHCAN_DEPTH {
            vm.trash_push(object);
            return;
        }
        vm.dealloc_depth.set(depth + 1);
        ((*(*object).ty()).slots.dealloc)(vm, object);
        vm.dealloc_depth.set(depth);
        if depth == 0 {
            vm.trash_empty();
        }
    }
}

const _: () = assert!(size_of::<Header>() == 16);
const _: () =
    assert!(std::mem::offset_of!(Header, kind) == 4 && std::mem::offset_of!(Header, ty) == 8);
