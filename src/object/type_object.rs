//! `type`: attribute access of classes and their methods (`typeobject.c`). Making classes is in `class.rs`.

use super::args;
use super::attr;
use super::call;
use super::descr::{GetSetDef, MethodDef, meth};
use super::dict::{self, DictObject};
use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::types::{self, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{class, protocol, sequence, str};

/// The type object behind a word known to be one.
#[inline]
pub fn object<'a>(word: Word) -> &'a TypeObject {
    debug_assert!(word.is_instance(Kind::TYPE));
    // SAFETY: contract of Word; fields that change are cells.
    unsafe { &*word.cast::<TypeObject>() }
}

fn type_repr(vm: Vm, word: Word) -> PyResult {
    vm.new_str(&format!("<class '{}'>", object(word).full_name()))
}

/// `C.name` (`type_getattro`): data descriptor of the metatype, the class's own MRO, other attribute of the metatype.
pub(super) fn type_getattro(vm: Vm, word: Word, name: Word) -> PyResult {
    match type_lookup(vm, word, name)? {
        Some(value) => Ok(value),
        None => {
            let message = format!(
                "type object '{}' has no attribute '{}'",
                object(word).name_string(),
                str::to_string_lossy(name)
            );
            Err(attr::attribute_error(vm, word, name, message))
        }
    }
}
fn type_lookup(vm: Vm, word: Word, name: Word) -> Result<Option<Owned>, Raised> {
    attr::require_name(vm, name)?;
    let metatype = vm.type_of(word);
    // SAFETY: types are live as long as an instance; values are counted across calls.
    unsafe {
        let meta = (*metatype).lookup(name).map(Owned::new_ref);
        if let Some(meta) = &meta {
            let slots = &raw const (*vm.type_of(meta.as_word())).slots;
            if (*slots).descr_set.is_some()
                && let Some(get) = (*slots).descr_get
            {
                return get(vm, meta.as_word(), Some(word), Some((*metatype).word())).map(Some);
            }
        }
        if let Some(value) = object(word).lookup(name).map(Owned::new_ref) {
            return attr::bind(vm, value.as_word(), None, word.cast()).map(Some);
        }
        match meta {
            Some(meta) => attr::bind(vm, meta.as_word(), Some(word), metatype).map(Some),
            None => Ok(None),
        }
    }
}

/// `C.name = value` (`type_setattro`).
pub(super) fn type_setattro(
    vm: Vm,
    word: Word,
    name: Word,
    value: Option<Word>,
) -> Result<(), Raised> {
    let ty = object(word);
    if ty.has_flag(type_flag::IMMUTABLETYPE) {
        return Err(vm.type_error(format!(
            "cannot set '{}' attribute of immutable type '{}'",
            str::to_string_lossy(name),
            ty.name_string()
        )));
    }
    let name = vm.intern(name)?;
    let name = name.as_word();
    // SAFETY: as above.
    unsafe {
        if let Some(meta) = (*vm.type_of(word)).lookup(name).map(Owned::new_ref)
            && let Some(set) = (*vm.type_of(meta.as_word())).slots.descr_set
        {
            return set(vm, meta.as_word(), word, value);
        }
        // Caches that hold the old value go before it does.
        ty.modified();
        match value {
            Some(value) => dict::set_str(vm, ty.dict, name, value)?,
            None => {
                if dict::remove(vm, ty.dict, name, str::hash(vm, name))?.is_none() {
                    let message = format!(
                        "type object '{}' has no attribute '{}'",
                        ty.name_string(),
                        str::to_string_lossy(name)
                    );
                    return Err(attr::attribute_error(vm, word, name, message));
                }
            }
        }
        if class::is_dunder(name) {
            class::update_slots(word.cast(), Some(name));
        }
        Ok(())
    }
}

/// `C[key]` through `__class_getitem__`; of `type` itself too (`PyObject_GetItem`'s end).
pub(super) fn class_getitem(vm: Vm, word: Word, key: Word) -> PyResult {
    if word.object() == vm.types.type_.cast() {
        return super::generic_alias::new(vm, word, key);
    }
    if let Some(method) = type_lookup(vm, word, vm.names.__class_getitem__)?
        && !method.as_word().is_none()
    {
        return call::call_one(vm, method.as_word(), key);
    }
    Err(vm.type_error(format!(
        "type '{}' is not subscriptable",
        object(word).name_string()
    )))
}

/// "Can't instantiate abstract class".
#[cold]
pub(super) fn abstract_error(vm: Vm, ty: *mut TypeObject) -> Raised {
    // SAFETY: the type is live.
    let (name, methods) = unsafe {
        let key = match vm.intern_str("__abstractmethods__") {
            Ok(key) => key,
            Err(raised) => return raised,
        };
        (
            (*ty).name_string(),
            (*ty).lookup(key.as_word()).map(Owned::new_ref),
        )
    };
    let mut names = match methods.map_or(Ok(Vec::new()), |methods| {
        sequence::collect(vm, methods.as_word())
    }) {
        Ok(names) => names
            .iter()
            .map(|name| str::to_string_lossy(name.as_word()))
            .collect::<Vec<_>>(),
        Err(raised) => return raised,
    };
    names.sort();
    let s = if names.len() == 1 { "" } else { "s" };
    vm.type_error(format!(
        "Can't instantiate abstract class {name} without an implementation for abstract method{s} '{}'",
        names.join("', '")
    ))
}

// ---- attributes of every class

fn get_name(vm: Vm, word: Word) -> PyResult {
    match object(word).static_name {
        Some(name) => vm.intern_str(name.rsplit('.').next().unwrap_or(name)),
        None => Ok(Owned::new_ref(object(word).name.get())),
    }
}
fn check_mutable(vm: Vm, word: Word, value: Option<Word>, name: &str) -> Result<Word, Raised> {
    let ty = object(word);
    if ty.has_flag(type_flag::IMMUTABLETYPE) {
        return Err(vm.type_error(format!(
            "cannot set '{name}' attribute of immutable type '{}'",
            ty.name_string()
        )));
    }
    value.ok_or_else(|| {
        vm.type_error(format!(
            "cannot delete '{name}' attribute of immutable type '{}'",
            ty.name_string()
        ))
    })
}
fn set_name_cell(vm: Vm, word: Word, value: Option<Word>, name: &str) -> Result<Owned, Raised> {
    let value = check_mutable(vm, word, value, name)?;
    if !str::is_str(value) {
        return Err(vm.type_error(format!(
            "can only assign string to {}.{name}, not '{}'",
            object(word).name_string(),
            vm.type_name(value)
        )));
    }
    Ok(Owned::new_ref(value))
}
fn set_name(vm: Vm, word: Word, value: Option<Word>) -> Result<(), Raised> {
    let value = set_name_cell(vm, word, value, "__name__")?;
    if str::chars(value.as_word()).iter().any(|c| c == 0) {
        return Err(vm.value_error("type name must not contain null characters"));
    }
    // SAFETY: a slot's word, overwritten.
    unsafe { object(word).name.replace(value.into_slot()).release_slot() };
    Ok(())
}
fn set_qualname(vm: Vm, word: Word, value: Option<Word>) -> Result<(), Raised> {
    let value = set_name_cell(vm, word, value, "__qualname__")?;
    // SAFETY: a slot's word, overwritten.
    unsafe {
        object(word)
            .qualname
            .replace(value.into_slot())
            .release_slot()
    };
    Ok(())
}
fn get_module(vm: Vm, word: Word) -> PyResult {
    let ty = object(word);
    // SAFETY: the type is live.
    if let Some(module) = unsafe { dict::get_str(ty.dict, vm.names.__module__) } {
        return Ok(Owned::new_ref(module));
    }
    match ty.static_name {
        Some(_) => Ok(Owned::new_ref(vm.names.builtins)),
        None => Err(attr::attribute_error(
            vm,
            word,
            vm.names.__module__,
            "__module__",
        )),
    }
}
fn set_in_dict(
    vm: Vm,
    word: Word,
    name: Word,
    value: Option<Word>,
    shown: &str,
) -> Result<(), Raised> {
    let value = check_mutable(vm, word, value, shown)?;
    object(word).modified();
    // SAFETY: the type is live.
    unsafe { dict::set_str(vm, object(word).dict, name, value) }
}
fn get_doc(vm: Vm, word: Word) -> PyResult {
    // SAFETY: the type is live.
    match unsafe { dict::get_str(object(word).dict, vm.names.__doc__) } {
        Some(doc) => {
            let doc = Owned::new_ref(doc);
            attr::bind(vm, doc.as_word(), None, word.cast())
        }
        None => Ok(Owned::NONE),
    }
}
fn get_mro(_: Vm, word: Word) -> PyResult {
    Ok(object(word).mro.get().map_or(Owned::NONE, Owned::new_ref))
}
fn get_bases(_: Vm, word: Word) -> PyResult {
    Ok(object(word).bases.get().map_or(Owned::NONE, Owned::new_ref))
}
fn set_bases(vm: Vm, word: Word, value: Option<Word>) -> Result<(), Raised> {
    let bases = check_mutable(vm, word, value, "__bases__")?;
    super::class_bases::assign(vm, word, bases)
}
fn get_base(_: Vm, word: Word) -> PyResult {
    let base = object(word).base.get();
    // SAFETY: a base is live as long as the type.
    Ok(if base.is_null() {
        Owned::NONE
    } else {
        unsafe { Owned::from_borrowed(base) }
    })
}
fn get_dict(vm: Vm, word: Word) -> PyResult {
    // SAFETY: the type is live.
    super::mapping_proxy::new(vm, unsafe { Word::from_borrowed(object(word).dict) })
}
fn get_abstract_methods(vm: Vm, word: Word) -> PyResult {
    let key = vm.intern_str("__abstractmethods__")?;
    // SAFETY: the type is live.
    match unsafe { dict::get_str(object(word).dict, key.as_word()) } {
        Some(methods) if word.object() != vm.types.type_.cast() => Ok(Owned::new_ref(methods)),
        _ => Err(attr::attribute_error(
            vm,
            word,
            key.as_word(),
            "__abstractmethods__",
        )),
    }
}
fn set_abstract_methods(vm: Vm, word: Word, value: Option<Word>) -> Result<(), Raised> {
    let key = vm.intern_str("__abstractmethods__")?;
    set_in_dict(vm, word, key.as_word(), value, "__abstractmethods__")?;
    let is_abstract = value.map_or(Ok(false), |value| protocol::is_true(vm, value))?;
    let flags = object(word).flags.get() & !type_flag::ABSTRACT;
    object(word)
        .flags
        .set(flags | if is_abstract { type_flag::ABSTRACT } else { 0 });
    Ok(())
}
fn get_annotations(vm: Vm, word: Word) -> PyResult {
    let ty = object(word);
    // SAFETY: the type is live; the annotate function is counted while it runs.
    unsafe {
        let cached = vm.intern_str("__annotations_cache__")?;
        for key in [vm.names.__annotations__, cached.as_word()] {
            if let Some(annotations) = dict::get_str(ty.dict, key) {
                let annotations = Owned::new_ref(annotations);
                return attr::bind(vm, annotations.as_word(), None, word.cast());
            }
        }
        let function = vm.intern_str("__annotate_func__")?;
        let annotate = [vm.names.__annotate__, function.as_word()]
            .into_iter()
            .find_map(|key| dict::get_str(ty.dict, key))
            .filter(|annotate| !annotate.is_none())
            .map(Owned::new_ref);
        if annotate.is_none() && ty.has_flag(type_flag::IMMUTABLETYPE) {
            let message = format!(
                "type object '{}' has no attribute '__annotations__'",
                ty.name_string()
            );
            return Err(attr::attribute_error(
                vm,
                word,
                vm.names.__annotations__,
                message,
            ));
        }
        let annotations = match annotate {
            Some(annotate) => call::call_one(vm, annotate.as_word(), Word::int_unchecked(1))?,
            None => Owned::from_raw(vm.new_dict()?),
        };
        dict::set_str(vm, ty.dict, cached.as_word(), annotations.as_word())?;
        Ok(annotations)
    }
}
fn get_type_params(vm: Vm, word: Word) -> PyResult {
    // SAFETY: the type is live.
    match unsafe { dict::get_str(object(word).dict, vm.names.__type_params__) } {
        Some(params) => Ok(Owned::new_ref(params)),
        None => Ok(vm.empty_tuple()),
    }
}
static GETSET: &[GetSetDef] = &[
    GetSetDef::new("__name__", get_name, Some(set_name)),
    GetSetDef::new(
        "__qualname__",
        |_, t| Ok(Owned::new_ref(object(t).qualname.get())),
        Some(set_qualname),
    ),
    GetSetDef::new("__bases__", get_bases, Some(set_bases)),
    GetSetDef::new("__base__", get_base, None),
    GetSetDef::new("__mro__", get_mro, None),
    GetSetDef::new(
        "__module__",
        get_module,
        Some(|vm, t, value| set_in_dict(vm, t, vm.names.__module__, value, "__module__")),
    ),
    GetSetDef::new(
        "__abstractmethods__",
        get_abstract_methods,
        Some(set_abstract_methods),
    ),
    GetSetDef::new("__dict__", get_dict, None),
    GetSetDef::new(
        "__doc__",
        get_doc,
        Some(|vm, t, value| set_in_dict(vm, t, vm.names.__doc__, value, "__doc__")),
    ),
    GetSetDef::new(
        "__annotations__",
        get_annotations,
        Some(|vm, t, value| set_in_dict(vm, t, vm.names.__annotations__, value, "__annotations__")),
    ),
    GetSetDef::new(
        "__type_params__",
        get_type_params,
        Some(|vm, t, value| set_in_dict(vm, t, vm.names.__type_params__, value, "__type_params__")),
    ),
    GetSetDef::new(
        "__flags__",
        |vm, t| vm.new_int(i64::from(object(t).flags.get())),
        None,
    ),
    GetSetDef::new(
        "__basicsize__",
        |vm, t| vm.new_int(i64::from(object(t).basic_size + object(t).extension)),
        None,
    ),
    GetSetDef::new(
        "__itemsize__",
        |vm, t| vm.new_int(i64::from(object(t).item_size)),
        None,
    ),
];

// ---- methods

fn subclasses(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: no Python code runs while the list is read; the types in it are live.
    let items = unsafe { &*object(word).subclasses.get() }
        .iter()
        .map(|&ty| unsafe { Owned::from_borrowed(ty) });
    vm.list_from_owned(items.collect())
}
fn mro(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let mro = class::compute_mro(vm, word.cast())?;
    vm.list_from_owned(mro)
}
fn instancecheck(vm: Vm, word: Word, args: &[Word], _: Option<Word>) -> PyResult {
    Ok(Owned::bool(protocol::real_is_instance(vm, args[0], word)?))
}
fn subclasscheck(vm: Vm, word: Word, args: &[Word], _: Option<Word>) -> PyResult {
    Ok(Owned::bool(protocol::real_is_subclass(vm, args[0], word)?))
}
fn prepare(vm: Vm, _: Word, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: a new dict's count passes to the handle.
    vm.new_dict().map(|dict| unsafe { Owned::from_raw(dict) })
}
fn dir(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: the dict is new and ours.
    unsafe {
        let names = Owned::from_raw(vm.new_dict()?);
        add_class_names(vm, names.as_ptr(), word.cast())?;
        vm.list_from_owned(super::object_type::keys(names.as_ptr()))
    }
}
/// Adds the names along a class's MRO to a dict, bases first.
///
/// # Safety
/// `names` and `ty` are live.
pub(super) unsafe fn add_class_names(
    vm: Vm,
    names: *mut DictObject,
    ty: *mut TypeObject,
) -> Result<(), Raised> {
    unsafe {
        for base in (*ty).mro_slice().to_vec().into_iter().rev() {
            super::object_type::add_keys(vm, names, object(base).dict)?;
        }
    }
    Ok(())
}
static METHODS: &[MethodDef] = &[
    MethodDef::new("mro", meth::NOARGS, mro),
    MethodDef::new("__subclasses__", meth::NOARGS, subclasses),
    MethodDef::new(
        "__prepare__",
        meth::CLASS | meth::FASTCALL | meth::KEYWORDS,
        prepare,
    ),
    MethodDef::new("__instancecheck__", meth::O, instancecheck),
    MethodDef::new("__subclasscheck__", meth::O, subclasscheck),
    MethodDef::new("__dir__", meth::NOARGS, dir),
];

/// `type.__init__`: only checks the number of arguments.
fn type_init(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> Result<(), Raised> {
    let positional = args.len() - args::keyword_names(kwnames).len();
    if positional == 1 && args.len() > 1 {
        return Err(vm.type_error("type.__init__() takes no keyword arguments"));
    }
    if positional != 1 && positional != 3 {
        return Err(vm.type_error("type.__init__() takes 1 or 3 arguments"));
    }
    Ok(())
}

pub(super) const fn type_spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE,
        methods: METHODS,
        getset: GETSET,
        ..TypeSpec::new::<TypeObject>(
            "type",
            Kind::TYPE,
            Slots {
                dealloc: types::type_dealloc,
                traverse: Some(types::type_traverse),
                clear: Some(types::type_clear),
                repr: Some(type_repr),
                call: Some(call::type_call),
                getattro: Some(type_getattro),
                setattro: Some(type_setattro),
                init: Some(type_init),
                new: Some(class::type_new),
                nb: super::union::OR_SLOT,
                ..Slots::EMPTY
            },
        )
    }
}
