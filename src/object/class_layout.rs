//! How instances of a class are laid out: the base that decides it, `__slots__`, `__dict__`; and freeing them
//! (`best_base`, `type_new_slots`, `subtype_dealloc` of `typeobject.c`).

use super::dict::{self, DictKeys, DictObject, KeysKind};
use super::dict_split;
use super::header::{Header, Kind, Object, flag};
use super::instance::{self, InstanceObject};
use super::owned::{Owned, PyResult, Raised};
use super::types::{TypeObject, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{sequence, str, tuple, type_object};
use std::cell::{Cell, UnsafeCell};
use std::ptr::null_mut;

/// `SHARED_KEYS_MAX_SIZE`: a table of this size has usable entries for 30 names and some.
const SHARED_KEYS_LOG2_SIZE: u8 = 6;
const SHARED_KEYS_MAX: u32 = 30;

/// What a class adds to its base.
pub(super) struct Layout {
    basic_size: u32,
    extension: u32,
    dict_offset: i32,
    inline_values: bool,
    /// Name and offset from the instance's start of each new slot.
    pub members: Vec<(Owned, u32)>,
    pub adds_dict: bool,
    pub adds_weakref: bool,
}

/// The type along a chain of bases that last changed the layout (`solid_base`).
unsafe fn solid_base(ty: *mut TypeObject) -> *mut TypeObject {
    unsafe {
        let mut ty = ty;
        loop {
            let base = (*ty).base.get();
            if base.is_null() {
                return ty;
            }
            let own_slots =
                (*(*ty).member_offsets.get()).len() > (*(*base).member_offsets.get()).len();
            let native = !(*ty).has_flag(type_flag::HEAPTYPE)
                && ((*ty).basic_size != (*base).basic_size || (*ty).kind != (*base).kind);
            if own_slots || native {
                return ty;
            }
            ty = base;
        }
    }
}

/// Whether methods of `other` may see instances of `ty` (`mro_check`): the class's bases say so, not its MRO.
///
/// # Safety
/// Both are live, and `ty` has its bases.
pub(super) unsafe fn suits(ty: *mut TypeObject, other: *mut TypeObject) -> bool {
    unsafe {
        let solid = solid_base(other);
        let mut base = solid_base(ty);
        while base != solid && !base.is_null() {
            base = (*base).base.get();
        }
        base == solid
    }
}

/// The base whose layout the class extends; an error if two of them do not go together.
///
/// # Safety
/// `bases` is a live tuple.
pub(super) unsafe fn best_base(vm: Vm, bases: Word) -> Result<*mut TypeObject, Raised> {
    let mut best: *mut TypeObject = null_mut();
    let mut winner: *mut TypeObject = null_mut();
    for &base in unsafe { tuple::items(bases) } {
        if !base.is_instance(Kind::TYPE) {
            return Err(vm.type_error("bases must be types"));
        }
        let ty = base.cast::<TypeObject>();
        // SAFETY: the tuple keeps the bases.
        unsafe {
            if !(*ty).has_flag(type_flag::BASETYPE) {
                return Err(vm.type_error(format!(
                    "type '{}' is not an acceptable base type",
                    (*ty).name_string()
                )));
            }
            let candidate = solid_base(ty);
            if winner.is_null() || (candidate != winner && (*candidate).is_subtype(winner)) {
                winner = candidate;
                best = ty;
            } else if !(*winner).is_subtype(candidate) {
                return Err(vm.type_error("multiple bases have instance lay-out conflict"));
            }
        }
    }
    Ok(best)
}

/// Decides the layout by the namespace's `__slots__`.
///
/// # Safety
/// All are live.
pub(super) unsafe fn decide(
    vm: Vm,
    base: *mut TypeObject,
    bases: Word,
    attributes: *mut DictObject,
    class_name: Word,
) -> Result<Layout, Raised> {
    unsafe {
        // A class has its dict and its weak references natively.
        let is_metaclass = (*base).kind.base() == Kind::TYPE;
        let may_add_dict = (*base).dict_offset == 0 && !is_metaclass;
        // A second base may bring a dict that the first has not.
        let bases_have_dict = tuple::items(bases)
            .iter()
            .any(|base| type_object::object(*base).dict_offset != 0);
        let mut names = Vec::new();
        let (mut adds_dict, mut adds_weakref) = (false, false);
        match dict::get_str(attributes, vm.names.__slots__).map(Owned::new_ref) {
            None => {
                adds_dict = may_add_dict;
                adds_weakref = !has_weakref(vm, base) && !is_metaclass;
            }
            Some(slots) => {
                let items = if str::is_str(slots.as_word()) {
                    vec![slots]
                } else {
                    sequence::collect(vm, slots.as_word())?
                };
                let kind = (*base).kind.base();
                let of_any_size = (*base).item_size != 0 && kind != Kind::STR;
                if !items.is_empty() && (of_any_size || matches!(kind, Kind::INT | Kind::TYPE)) {
                    return Err(vm.type_error(format!(
                        "nonempty __slots__ not supported for subtype of '{}'",
                        (*base).name_string()
                    )));
                }
                for item in items {
                    let word = item.as_word();
                    if !str::is_str(word) {
                        return Err(vm.type_error(format!(
                            "__slots__ items must be strings, not '{}'",
                            vm.type_name(word)
                        )));
                    }
                    if !super::str_methods::is_identifier(word) {
                        return Err(vm.type_error("__slots__ must be identifiers"));
                    }
                    if str::equals(word, "__dict__") {
                        if !may_add_dict || adds_dict {
                            return Err(
                                vm.type_error("__dict__ slot disallowed: we already got one")
                            );
                        }
                        adds_dict = true;
                        continue;
                    }
                    if str::equals(word, "__weakref__") {
                        let is_native = (*base).has_flag(type_flag::WEAKREF);
                        if adds_weakref || is_native || has_weakref(vm, base) {
                            return Err(
                                vm.type_error("__weakref__ slot disallowed: we already got one")
                            );
                        }
                        adds_weakref = true;
                        continue;
                    }
                    let name = mangle(vm, class_name, word)?;
                    let in_class_cell =
                        str::equals(word, "__qualname__") || str::equals(word, "__classcell__");
                    if !in_class_cell && dict::get_str(attributes, name.as_word()).is_some() {
                        return Err(vm.value_error(format!(
                            "'{}' in __slots__ conflicts with class variable",
                            str::to_string_lossy(name.as_word())
                        )));
                    }
                    names.push(name);
                }
                names.sort_by(|a, b| str::compare(a.as_word(), b.as_word()));
                names.dedup_by(|a, b| str::equal(a.as_word(), b.as_word()));
                adds_dict |= may_add_dict && bases_have_dict;
            }
        }
        Ok(place(base, names, adds_dict, adds_weakref))
    }
}

fn has_weakref(vm: Vm, ty: *mut TypeObject) -> bool {
    // SAFETY: the type is live.
    unsafe { (*ty).lookup(vm.names.__weakref__).is_some() }
}

unsafe fn place(
    base: *mut TypeObject,
    names: Vec<Owned>,
    adds_dict: bool,
    adds_weakref: bool,
) -> Layout {
    unsafe {
        let mut layout = Layout {
            basic_size: (*base).basic_size,
            extension: (*base).extension,
            dict_offset: (*base).dict_offset,
            inline_values: false,
            members: Vec::new(),
            adds_dict,
            adds_weakref,
        };
        let plain = (*base).kind == Kind::INSTANCE;
        if plain && names.is_empty() && adds_dict && layout.extension == 0 {
            layout.basic_size = size_of::<InstanceObject>() as u32;
            layout.dict_offset = std::mem::offset_of!(InstanceObject, dict) as i32;
            layout.inline_values = true;
            return layout;
        }
        // The values stand behind the extension, whose place is fixed.
        let fixed = (*base).item_size == 0
            && !matches!((*base).kind.base(), Kind::STR | Kind::INT | Kind::TYPE);
        layout.inline_values = fixed && (adds_dict || (*base).has_flag(type_flag::INLINE_VALUES));
        let start = layout.basic_size.next_multiple_of(8);
        for name in names {
            layout.members.push((name, start + layout.extension));
            layout.extension += 8;
        }
        if adds_dict {
            layout.dict_offset = if (*base).item_size != 0 {
                -1 - layout.extension as i32
            } else {
                (start + layout.extension) as i32
            };
            layout.extension += 8;
        }
        layout
    }
}

/// `__name` in a class body is `_Class__name` (`_Py_Mangle`).
pub fn mangle(vm: Vm, class: Word, name: Word) -> PyResult {
    let chars = str::chars(name);
    let starts = chars.len() > 2 && chars.at(0) == 0x5f && chars.at(1) == 0x5f;
    let ends =
        chars.len() > 2 && chars.at(chars.len() - 1) == 0x5f && chars.at(chars.len() - 2) == 0x5f;
    let class = str::chars(class);
    let underscores = class.iter().take_while(|&c| c == 0x5f).count();
    if !starts || ends || underscores == class.len() {
        return vm.intern(name);
    }
    let mut writer = super::str_writer::StrWriter::new(vm);
    writer.push(0x5f)?;
    writer.push_chars(class.slice(underscores, class.len()))?;
    writer.push_chars(chars)?;
    let mangled = writer.finish()?;
    vm.intern(mangled.as_word())
}

/// Keys for the instances' values, the attributes that the class's methods assign among them
/// (`_PyDict_NewKeysForClass`).
unsafe fn shared_keys(vm: Vm, attributes: *mut DictObject) -> Result<*mut DictKeys, Raised> {
    unsafe {
        let static_attributes = vm.intern_str("__static_attributes__")?;
        let keys = dict::new_keys(vm, SHARED_KEYS_LOG2_SIZE, KeysKind::Split)?;
        (*keys).usable.set(SHARED_KEYS_MAX);
        if let Some(names) = dict::get_str(attributes, static_attributes.as_word())
            && names.is_instance(Kind::TUPLE)
        {
            for &name in tuple::items(names) {
                if name.is_exact(Kind::STR) {
                    let hash = str::hash(vm, name);
                    if (*keys).find_str(name, hash).is_none() {
                        dict_split::add_shared_key(vm, keys, name, hash);
                    }
                }
            }
        }
        Ok(keys)
    }
}

/// The type object of a class, with the slots of its base for the time being (`type_new_alloc`).
///
/// # Safety
/// All are live.
#[expect(
    clippy::too_many_arguments,
    reason = "the parts of a class; they have no meaning together elsewhere"
)]
pub(super) unsafe fn alloc_class(
    vm: Vm,
    metatype: *mut TypeObject,
    name: Owned,
    qualname: Owned,
    bases: Owned,
    base: *mut TypeObject,
    dict: Owned,
    layout: &Layout,
) -> PyResult {
    unsafe {
        let keys = if layout.inline_values {
            shared_keys(vm, dict.as_ptr())?
        } else {
            null_mut()
        };
        let class = match vm.alloc_instance::<TypeObject>(metatype, size_of::<TypeObject>()) {
            Ok(class) => class,
            Err(raised) => {
                dict::keys_release(vm, keys);
                return Err(raised);
            }
        };
        let inherited = type_flag::SEQUENCE | type_flag::MAPPING | type_flag::MATCH_SELF;
        let mut flags = type_flag::HEAPTYPE | type_flag::BASETYPE | (*base).flags.get() & inherited;
        if layout.inline_values {
            flags |= type_flag::INLINE_VALUES | type_flag::MANAGED_DICT;
        }
        let mut member_offsets = (*(*base).member_offsets.get()).clone();
        member_offsets.extend(layout.members.iter().map(|member| member.1));
        let kind = (*base).kind.base();
        let header: Header = std::ptr::read(&raw const (*class).header);
        class.write(TypeObject {
            header,
            vm,
            version: Cell::new(0),
            flags: Cell::new(flags),
            kind: if kind == Kind::INSTANCE {
                kind
            } else {
                kind.subclass()
            },
            basic_size: layout.basic_size,
            item_size: (*base).item_size,
            extension: layout.extension,
            dict_offset: layout.dict_offset,
            values_offset: if layout.inline_values {
                layout.basic_size.next_multiple_of(8) + layout.extension
            } else {
                0
            },
            versions_used: Cell::new(0),
            cached_keys: Cell::new(keys),
            spec_init: Cell::new(None),
            spec_getitem: Cell::new(None),
            spec_getitem_version: Cell::new(0),
            slots: (*base).slots,
            dict: dict.into_ptr().cast(),
            mro: Cell::new(None),
            bases: Cell::new(Some(bases.into_slot())),
            base: Cell::new(base),
            static_name: None,
            name: Cell::new(name.into_slot()),
            qualname: Cell::new(qualname.into_slot()),
            subclasses: UnsafeCell::new(Vec::new()),
            member_offsets: UnsafeCell::new(member_offsets),
        });
        Ok(Owned::from_raw(class))
    }
}

/// The built-in type whose layout a class extends.
unsafe fn native_base(ty: *mut TypeObject) -> *mut TypeObject {
    unsafe {
        let mut ty = ty;
        while (*ty).has_flag(type_flag::HEAPTYPE) {
            ty = (*ty).base.get();
        }
        ty
    }
}

/// Calls the finalizer of an object about to be freed; true if it was resurrected
/// (`PyObject_CallFinalizerFromDealloc`).
///
/// # Safety
/// The count is zero.
pub unsafe fn finalize_from_dealloc(vm: Vm, object: *mut Object) -> bool {
    unsafe {
        let Some(finalize) = (*(*object).ty()).slots.finalize else {
            return false;
        };
        if (*object).has_flag(flag::FINALIZED) {
            return false;
        }
        (*object).set_flag(flag::FINALIZED);
        (*object).refcount.set(1);
        finalize(vm, Word::from_borrowed(object));
        let count = (*object).refcount.get() - 1;
        (*object).refcount.set(count);
        count != 0
    }
}

/// An instance with inline values and nothing else to let go: no dict, slots, finalizer or weak references.
unsafe fn is_bare(object: *mut Object) -> bool {
    unsafe {
        let ty = (*object).ty();
        (*object).flags.get() == flag::INLINE_VALUES
            && (*ty).values_offset == instance::INLINE_VALUES_OFFSET as u32
            && (*ty).extension == 0
            && (*ty).slots.finalize.is_none()
    }
}

/// Frees an instance of a class.
///
/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn subtype_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        if is_bare(object) {
            // Nobody can see the object any more, so its values may go one by one.
            (*instance::values_ptr(object)).release();
            return vm.free(object);
        }
        if finalize_from_dealloc(vm, object) {
            return;
        }
        if (*object).has_flag(flag::WEAK_REFERENCED) {
            super::weakref::clear_weakrefs(vm, object);
        }
        instance::release_extension(vm, object);
        let native = native_base((*object).ty());
        ((*native).slots.dealloc)(vm, object);
    }
}
/// # Safety
/// As [`super::types::TraverseFn`].
pub(super) unsafe fn subtype_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        instance::traverse_extension(object, visit);
        if let Some(traverse) = (*native_base((*object).ty())).slots.traverse {
            traverse(object, visit);
        }
    }
}
/// # Safety
/// As [`super::types::ClearFn`].
pub(super) unsafe fn subtype_clear(vm: Vm, object: *mut Object) {
    unsafe {
        instance::release_extension(vm, object);
        if let Some(clear) = (*native_base((*object).ty())).slots.clear {
            clear(vm, object);
        }
    }
}
