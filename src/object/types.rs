//! Type objects: layout, slots, version tags, lookup along the MRO with its cache (`PyTypeObject`, `typeobject.c`).
//!
//! Built-in types are made per VM from a [`TypeSpec`]; classes are made by `class.rs`.

use super::descr::{GetSetDef, MemberDef, MethodDef};
use super::dict::{self, DictKeys, DictObject};
use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::str;
use super::tuple::{self, TupleObject};
use super::vectorcall::Args;
use super::vm::Vm;
use super::word::Word;
use std::cell::{Cell, UnsafeCell};
use std::ptr::null_mut;

/// `Py_LT` to `Py_GE`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum CompareOp {
    Lt = 0,
    Le = 1,
    Eq = 2,
    Ne = 3,
    Gt = 4,
    Ge = 5,
}

pub type UnaryFn = fn(Vm, Word) -> PyResult;
pub type BinaryFn = fn(Vm, Word, Word) -> PyResult;
pub type TernaryFn = fn(Vm, Word, Word, Word) -> PyResult;
pub type InquiryFn = fn(Vm, Word) -> Result<bool, Raised>;
pub type LenFn = fn(Vm, Word) -> Result<usize, Raised>;
pub type HashFn = fn(Vm, Word) -> Result<i64, Raised>;
pub type CallFn = fn(Vm, Word, Args<'_>, Option<Word>) -> PyResult;
pub type SetAttrFn = fn(Vm, Word, Word, Option<Word>) -> Result<(), Raised>;
pub type CompareFn = fn(Vm, Word, Word, CompareOp) -> PyResult;
pub type NextFn = fn(Vm, Word) -> Result<Option<Owned>, Raised>;
pub type RepeatFn = fn(Vm, Word, isize) -> PyResult;
pub type ContainsFn = fn(Vm, Word, Word) -> Result<bool, Raised>;
pub type DescrGetFn = fn(Vm, Word, Option<Word>, Option<Word>) -> PyResult;
pub type InitFn = fn(Vm, Word, &[Word], Option<Word>) -> Result<(), Raised>;
pub type NewFn = fn(Vm, *mut TypeObject, &[Word], Option<Word>) -> PyResult;
pub type DeallocFn = unsafe fn(Vm, *mut Object);
pub type TraverseFn = unsafe fn(*mut Object, &mut dyn FnMut(Word));
pub type ClearFn = unsafe fn(Vm, *mut Object);

/// Number of binary number slots: NB_ADD to NB_XOR, then their in-place forms.
pub const NB_SLOTS: usize = 26;

/// What a type can do (`tp_*`, `nb_*`, `sq_*`, `mp_*`). A missing entry is inherited when the type is made ready.
/// Functions take borrowed words and return new references. Comparison and number functions answer NotImplemented
/// for operands that they do not know.
#[derive(Clone, Copy)]
pub struct Slots {
    /// Called with a count of zero; frees the block unless the object was resurrected.
    pub dealloc: DeallocFn,
    /// Visits every counted word the object holds; present exactly for containers.
    pub traverse: Option<TraverseFn>,
    /// Drops what may close a cycle, leaving a valid object.
    pub clear: Option<ClearFn>,
    /// `__del__` (`tp_finalize`).
    pub finalize: Option<fn(Vm, Word)>,
    pub repr: Option<UnaryFn>,
    pub str: Option<UnaryFn>,
    pub hash: Option<HashFn>,
    pub call: Option<CallFn>,
    pub getattro: Option<BinaryFn>,
    pub setattro: Option<SetAttrFn>,
    pub richcompare: Option<CompareFn>,
    pub iter: Option<UnaryFn>,
    pub iternext: Option<NextFn>,
    /// `sq_length` and `mp_length`.
    pub len: Option<LenFn>,
    /// `mp_subscript` (and `sq_item`).
    pub getitem: Option<BinaryFn>,
    /// `mp_ass_subscript`: None deletes.
    pub setitem: Option<SetAttrFn>,
    pub contains: Option<ContainsFn>,
    pub concat: Option<BinaryFn>,
    pub repeat: Option<RepeatFn>,
    pub inplace_concat: Option<BinaryFn>,
    pub inplace_repeat: Option<RepeatFn>,
    /// Binary operations by `NB_*` number, power without a modulus among them; the function sees the operands in
    /// source order whichever of them is of its type.
    pub nb: [Option<BinaryFn>; NB_SLOTS],
    /// `nb_power` with a modulus.
    pub power_mod: Option<TernaryFn>,
    pub divmod: Option<BinaryFn>,
    pub neg: Option<UnaryFn>,
    pub pos: Option<UnaryFn>,
    pub abs: Option<UnaryFn>,
    pub invert: Option<UnaryFn>,
    pub bool: Option<InquiryFn>,
    pub int: Option<UnaryFn>,
    pub float: Option<UnaryFn>,
    pub index: Option<UnaryFn>,
    pub descr_get: Option<DescrGetFn>,
    pub descr_set: Option<SetAttrFn>,
    /// The bytes that a `memoryview` shows (`bf_getbuffer`).
    pub buffer: Option<fn(Word) -> super::memoryview::Buffer>,
    pub init: Option<InitFn>,
    pub new: Option<NewFn>,
}

impl Slots {
    pub const EMPTY: Slots = Slots {
        dealloc: dealloc_plain,
        traverse: None,
        clear: None,
        finalize: None,
        repr: None,
        str: None,
        hash: None,
        call: None,
        getattro: None,
        setattro: None,
        richcompare: None,
        iter: None,
        iternext: None,
        len: None,
        getitem: None,
        setitem: None,
        contains: None,
        concat: None,
        repeat: None,
        inplace_concat: None,
        inplace_repeat: None,
        nb: [None; NB_SLOTS],
        power_mod: None,
        divmod: None,
        neg: None,
        pos: None,
        abs: None,
        invert: None,
        bool: None,
        int: None,
        float: None,
        index: None,
        descr_get: None,
        descr_set: None,
        buffer: None,
        init: None,
        new: None,
    };

    /// Takes over from `base` what `self` does not define (`inherit_slots`). Hash and comparison go together.
    pub(super) fn inherit(&mut self, base: &Slots) {
        macro_rules! inherit {
            ($($slot:ident)*) => { $(if self.$slot.is_none() { self.$slot = base.$slot; })* };
        }
        if self.richcompare.is_none() && self.hash.is_none() {
            self.richcompare = base.richcompare;
            self.hash = base.hash;
        }
        inherit!(finalize repr str call getattro setattro iter iternext len getitem setitem contains concat repeat
            inplace_concat inplace_repeat power_mod divmod neg pos abs invert bool int float index descr_get descr_set buffer init new);
        for (slot, base) in self.nb.iter_mut().zip(&base.nb) {
            if slot.is_none() {
                *slot = *base;
            }
        }
    }
}

/// Frees an object that holds nothing.
///
/// # Safety
/// As [`super::header::dealloc`].
pub unsafe fn dealloc_plain(vm: Vm, object: *mut Object) {
    unsafe { vm.free(object) }
}

/// `Py_TPFLAGS_*`.
pub mod type_flag {
    pub const INLINE_VALUES: u32 = 1 << 2;
    /// Instances of the built-in type can be referred to weakly.
    pub const WEAKREF: u32 = 1 << 3;
    pub const MANAGED_DICT: u32 = 1 << 4;
    pub const SEQUENCE: u32 = 1 << 5;
    pub const MAPPING: u32 = 1 << 6;
    pub const DISALLOW_INSTANTIATION: u32 = 1 << 7;
    pub const IMMUTABLETYPE: u32 = 1 << 8;
    pub const HEAPTYPE: u32 = 1 << 9;
    pub const BASETYPE: u32 = 1 << 10;
    /// The type's descriptors bind like functions: an unbound method is enough for a call.
    pub const METHOD_DESCRIPTOR: u32 = 1 << 17;
    pub const ABSTRACT: u32 = 1 << 20;
    /// `case C(x)` binds the subject itself.
    pub const MATCH_SELF: u32 = 1 << 22;
    pub const ITEMS_AT_END: u32 = 1 << 23;
    /// A built-in type that CPython calls through `tp_vectorcall`: what call sites specialise on.
    pub const VECTORCALL: u32 = 1 << 24;
}

/// Modifications of a class after which it gets no more version tags (`MAX_VERSIONS_PER_CLASS`).
const MAX_VERSIONS_PER_CLASS: u16 = 1000;

/// `PyTypeObject`. Fields that change are written through raw pointers or cells; nobody holds a Rust reference to a
/// type object across a call.
#[repr(C)]
pub struct TypeObject {
    pub header: Header,
    pub vm: Vm,
    /// Zero when attributes of the type changed since it was last asked for (`tp_version_tag`).
    pub version: Cell<u32>,
    pub flags: Cell<u32>,
    /// Kind that instances get.
    pub kind: Kind,
    /// Bytes of the native layout, or of its fixed part (`tp_basicsize` of the built-in base).
    pub basic_size: u32,
    /// Bytes an item of a variable-size layout takes, zero for others.
    pub item_size: u32,
    /// Bytes that Python classes added behind the native layout: `__dict__` and `__slots__`.
    pub extension: u32,
    /// Where an instance keeps its `__dict__`: zero nowhere, positive an offset from its start, negative `-1 - n` for
    /// offset `n` in the extension behind a variable-size layout.
    pub dict_offset: i32,
    /// Where an instance keeps its inline values; zero without the flag `INLINE_VALUES`.
    pub values_offset: u32,
    /// Version tags given so far (`tp_versions_used`).
    pub versions_used: Cell<u16>,
    /// Keys of the instances' inline values (`ht_cached_keys`).
    pub cached_keys: Cell<*mut DictKeys>,
    /// `__init__` as the loop may enter it directly (`_spec_cache.init`), until the type is modified.
    pub spec_init: Cell<Option<Word>>,
    /// `__getitem__` likewise, with the function version it holds for.
    pub spec_getitem: Cell<Option<Word>>,
    pub spec_getitem_version: Cell<u32>,
    pub slots: Slots,
    pub dict: *mut DictObject,
    /// A tuple of types, the type itself first; a slot's word, as are all words here.
    pub mro: Cell<Option<Word>>,
    pub bases: Cell<Option<Word>>,
    pub base: Cell<*mut TypeObject>,
    /// Name in messages of a built-in type; a class has its `__name__` there (`tp_name`).
    pub static_name: Option<&'static str>,
    pub name: Cell<Word>,
    pub qualname: Cell<Word>,
    /// Direct subclasses, without counts: a subclass takes itself out when it goes.
    pub subclasses: UnsafeCell<Vec<*mut TypeObject>>,
    /// Slots of `__slots__` that this class and its bases added: offset of each word, for traverse and dealloc.
    pub member_offsets: UnsafeCell<Vec<u32>>,
}

const _: () = {
    use std::mem::offset_of;
    assert!(offset_of!(TypeObject, vm) == 16 && offset_of!(TypeObject, version) == 24);
    assert!(offset_of!(TypeObject, flags) == 28 && offset_of!(TypeObject, kind) == 32);
};

impl TypeObject {
    #[inline(always)]
    pub fn has_flag(&self, flag: u32) -> bool {
        self.flags.get() & flag != 0
    }
    /// Instances of classes keep their class alive; built-in types live as long as the VM.
    #[inline(always)]
    pub(super) fn count_instance(&self) {
        if self.has_flag(type_flag::HEAPTYPE) {
            self.header.incref();
        }
    }
    /// # Safety
    /// An instance is gone.
    #[inline(always)]
    pub(super) unsafe fn uncount_instance(&self) {
        if self.has_flag(type_flag::HEAPTYPE) {
            unsafe { Header::decref(&raw const *self as *mut Object) }
        }
    }
    /// The version tag, given anew if it was invalid; zero if numbers have run out (`_PyType_AssignVersionTag`).
    #[inline(always)]
    pub fn version(&self) -> u32 {
        let version = self.version.get();
        if version != 0 {
            version
        } else {
            self.assign_version()
        }
    }
    #[cold]
    fn assign_version(&self) -> u32 {
        // A subclass's tag stands for its bases too, so that a change of a base reaches it.
        for base in self.bases_slice() {
            // SAFETY: bases are live types.
            if unsafe { (*base.cast::<TypeObject>()).version() } == 0 {
                return 0;
            }
        }
        let used = self.versions_used.get();
        if used >= MAX_VERSIONS_PER_CLASS {
            return 0;
        }
        self.versions_used.set(used + 1);
        let version = self.vm.new_type_version();
        self.version.set(version);
        version
    }
    pub fn bases_slice(&self) -> &[Word] {
        // SAFETY: the tuple lives as long as the type does, or is replaced together with a version change.
        self.bases
            .get()
            .map_or(&[], |bases| unsafe { tuple::items(bases) })
    }
    /// The types along the MRO, this one first.
    pub fn mro_slice(&self) -> &[Word] {
        // SAFETY: as for bases.
        self.mro
            .get()
            .map_or(&[], |mro| unsafe { tuple::items(mro) })
    }
    /// As a borrowed word.
    pub fn word(&self) -> Word {
        // SAFETY: a type that can be asked is live.
        unsafe { Word::from_borrowed(&raw const *self as *mut TypeObject) }
    }
    /// The name for messages (`tp_name`).
    pub fn name_string(&self) -> String {
        self.static_name
            .map_or_else(|| str::to_string_lossy(self.name.get()), str::to_owned)
    }
    /// `module.qualname`, without the module of builtins (`type_repr`'s text).
    pub fn full_name(&self) -> String {
        if let Some(name) = self.static_name {
            return name.to_owned();
        }
        let qualname = str::to_string_lossy(self.qualname.get());
        // SAFETY: the type is live.
        let module = unsafe { dict::get_str(self.dict, self.vm.names.__module__) };
        match module
            .filter(|&module| str::is_str(module))
            .map(str::to_string_lossy)
        {
            Some(module) if module != "builtins" => format!("{module}.{qualname}"),
            _ => qualname,
        }
    }
    /// The same without the main module's name (`PyType_GetFullyQualifiedName`, `%T`).
    pub fn qualified_name(&self) -> String {
        let name = self.full_name();
        name.strip_prefix("__main__.")
            .map_or_else(|| name.clone(), str::to_owned)
    }
    /// Whether `other` is in the MRO (`PyType_IsSubtype`).
    pub fn is_subtype(&self, other: *const TypeObject) -> bool {
        std::ptr::eq(self, other)
            || self
                .mro_slice()
                .iter()
                .any(|ty| std::ptr::eq(ty.cast(), other))
    }
    /// Invalidates the version tags of this type and all below it (`PyType_Modified`).
    pub fn modified(&self) {
        if self.version.get() == 0 {
            return;
        }
        // SAFETY: no Python code runs meanwhile, so the list stays.
        for &subclass in unsafe { &*self.subclasses.get() } {
            unsafe { (*subclass).modified() };
        }
        (self.vm.hooks.get().type_modified)(self.vm, &raw const *self as *mut TypeObject);
        self.version.set(0);
        self.spec_init.set(None);
        self.spec_getitem.set(None);
    }
}

macro_rules! types {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// The built-in types. Null until [`Vm::bootstrap`] or the upper layer that owns one has made it.
        pub struct Types { $($(#[$doc])* pub $name: *mut TypeObject,)* }
        impl Types {
            pub(super) const NULL: Types = Types { $($name: null_mut(),)* };
        }
    };
}

types! {
    object type_ int bool_ float complex str bytes bytearray none_type ellipsis not_implemented
    tuple list dict set frozenset slice range
    range_iterator longrange_iterator list_iterator list_reverse_iterator tuple_iterator str_iterator str_ascii_iterator
    bytes_iterator seq_iterator callable_iterator
    dict_keys dict_values dict_items dict_key_iterator dict_value_iterator dict_item_iterator
    dict_reverse_key_iterator dict_reverse_value_iterator dict_reverse_item_iterator set_iterator
    builtin_function method_descriptor classmethod_descriptor wrapper_descriptor method_wrapper getset_descriptor member_descriptor
    generic_alias property staticmethod classmethod super_ weakref mapping_proxy memoryview method cell module
    /// Made by the runtime layer, as are the ones below.
    function code frame frame_locals_proxy traceback generator coroutine coroutine_wrapper async_generator async_generator_wrapped_value
    async_generator_asend async_generator_athrow anext_awaitable template template_iterator interpolation
    enumerate zip map filter reversed union
}

/// What a built-in type is made from (`PyType_Spec`).
pub struct TypeSpec {
    /// As `__module__.__qualname__` or the bare name of a builtin.
    pub name: &'static str,
    pub kind: Kind,
    pub basic_size: usize,
    pub item_size: usize,
    /// Offset of a `__dict__` that instances have natively, zero for none.
    pub dict_offset: usize,
    pub flags: u32,
    pub slots: Slots,
    pub methods: &'static [MethodDef],
    pub getset: &'static [GetSetDef],
    pub members: &'static [MemberDef],
    pub doc: Option<&'static str>,
}

impl TypeSpec {
    /// A spec of a type without methods, for struct update syntax.
    pub const fn new<T>(name: &'static str, kind: Kind, slots: Slots) -> TypeSpec {
        TypeSpec {
            name,
            kind,
            basic_size: size_of::<T>(),
            item_size: 0,
            dict_offset: 0,
            flags: 0,
            slots,
            methods: &[],
            getset: &[],
            members: &[],
            doc: None,
        }
    }
}

impl Vm {
    /// Makes a built-in type ready (`PyType_Ready`): its dict filled, slots inherited. `base` null means `object`.
    /// The result lives as long as the VM.
    pub fn new_type(
        self,
        spec: &TypeSpec,
        base: *mut TypeObject,
    ) -> Result<*mut TypeObject, Raised> {
        super::bootstrap::new_static_type(self, spec, base)
    }
    /// Whether a value is an instance of a type or a subclass (`PyObject_TypeCheck`).
    #[inline]
    pub fn is_instance(self, word: Word, ty: *const TypeObject) -> bool {
        // SAFETY: types are live as long as an instance.
        unsafe { (*self.type_of(word)).is_subtype(ty) }
    }
    /// A method or attribute that lives on the type, for implicit calls (`_PyType_Lookup` on `Py_TYPE(o)`).
    pub fn lookup_special(self, word: Word, name: Word) -> Option<Owned> {
        // SAFETY: types are live as long as an instance.
        unsafe { (*self.type_of(word)).lookup(name) }.map(Owned::new_ref)
    }
}

/// Frees a type; only classes are ever freed.
///
/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn type_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let ty = object as *mut TypeObject;
        for base in (*ty).bases_slice() {
            let siblings = &mut *(*base.cast::<TypeObject>()).subclasses.get();
            siblings.retain(|&sibling| sibling != ty);
        }
        drop_payload(ty);
        for slot in [
            (*ty).mro.take(),
            (*ty).bases.take(),
            Some((*ty).name.get()),
            Some((*ty).qualname.get()),
        ]
        .into_iter()
        .flatten()
        {
            slot.release_slot();
        }
        dict::keys_release(vm, (*ty).cached_keys.get());
        Word::from_owned((*ty).dict).close();
        vm.free(object);
    }
}

/// Drops what a type owns outside the VM's heap.
///
/// # Safety
/// The type is not used any more.
pub(super) unsafe fn drop_payload(ty: *mut TypeObject) {
    unsafe {
        std::ptr::drop_in_place((*ty).subclasses.get());
        std::ptr::drop_in_place((*ty).member_offsets.get());
    }
}

/// # Safety
/// As [`TraverseFn`]: the object is a type.
pub(super) unsafe fn type_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let ty = object as *mut TypeObject;
        visit(Word::from_borrowed((*ty).dict));
        [(*ty).mro.get(), (*ty).bases.get()]
            .into_iter()
            .flatten()
            .for_each(visit);
    }
}

const _: () = assert!(align_of::<TupleObject>() <= 16);

/// # Safety
/// As [`ClearFn`]: the object is a type. The bases stay, since instances may still be freed through them.
pub(super) unsafe fn type_clear(vm: Vm, object: *mut Object) {
    unsafe {
        let ty = object as *mut TypeObject;
        (*ty).modified();
        dict::clear(vm, (*ty).dict);
        if let Some(mro) = (*ty).mro.take() {
            mro.release_slot();
        }
    }
}
