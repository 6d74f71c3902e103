//! `defaultdict`: a dict with a function that makes what is missing.

use crate::object::descr::{MemberDef, MethodDef, meth};
use crate::object::dict::{self, DictObject};
use crate::object::generic_alias::CLASS_GETITEM;
use crate::object::header::flag;
use crate::object::number::nb;
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Kind, Object, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, args, call,
    dict_methods, exc, protocol, str,
};
use crate::runtime::modules::record::{Place, held};

#[repr(C)]
struct DefaultDict {
    dict: DictObject,
    factory: Place,
}

static METHODS: [MethodDef; 4] = [
    MethodDef::new("__missing__", meth::O, missing),
    MethodDef::new("copy", meth::NOARGS, |vm, this, _, _| copy(vm, this)),
    MethodDef::new("__copy__", meth::NOARGS, |vm, this, _, _| copy(vm, this)),
    CLASS_GETITEM,
];
static MEMBERS: [MemberDef; 1] = [MemberDef {
    name: "default_factory",
    offset: std::mem::offset_of!(DefaultDict, factory) as u32,
    readonly: false,
    required: false,
}];

pub(super) fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF | type_flag::MAPPING,
        methods: &METHODS,
        members: &MEMBERS,
        ..TypeSpec::new::<DefaultDict>(
            "collections.defaultdict",
            Kind::DICT.subclass(),
            Slots {
                dealloc,
                traverse: Some(traverse),
                clear: Some(clear),
                repr: Some(repr),
                nb: {
                    let mut slots = Slots::EMPTY.nb;
                    slots[nb::OR] = Some(or);
                    slots
                },
                init: Some(init),
                new: Some(new),
                ..Slots::EMPTY
            },
        )
    }
}

fn of<'a>(word: Word) -> &'a DefaultDict {
    // SAFETY: methods and slots of the type are called with its instances only.
    unsafe { &*word.cast::<DefaultDict>() }
}
fn base(vm: Vm) -> &'static Slots {
    // SAFETY: built-in types live as long as the VM, and their slots do not change.
    unsafe { &(*vm.types.dict).slots }
}

fn new(vm: Vm, ty: *mut TypeObject, _: &[Word], _: Option<Word>) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let object = vm.alloc_instance::<DefaultDict>(ty, size_of::<DefaultDict>())?;
        dict::init_empty(vm, object.cast());
        (*object).factory = Place::new(None);
        Ok(Owned::from_raw(object))
    }
}
fn init(vm: Vm, this: Word, args: &[Word], kwnames: Option<Word>) -> Result<(), Raised> {
    let positional = args.len() - args::keyword_names(kwnames).len();
    let (factory, rest) = match args {
        [factory, rest @ ..] if positional > 0 => (Some(*factory), rest),
        _ => (None, args),
    };
    if let Some(factory) = factory
        && !factory.is_none()
        && !call::is_callable(vm, factory)
    {
        return Err(vm.type_error("first argument must be callable or None"));
    }
    exc::replace(&of(this).factory, factory);
    match base(vm).init {
        Some(init) => init(vm, this, rest, kwnames),
        None => Ok(()),
    }
}

fn missing(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let key = args[0];
    let Some(factory) = held(&of(this).factory).filter(|factory| !factory.as_word().is_none())
    else {
        return Err(vm.key_error(key));
    };
    let value = call::call(vm, factory.as_word(), &[], None)?;
    crate::object::sequence::set_item(vm, this, key, value.as_word())?;
    Ok(value)
}

/// A new one of the same class, with the same function and items.
fn copy(vm: Vm, this: Word) -> PyResult {
    let factory = held(&of(this).factory).unwrap_or(Owned::NONE);
    // SAFETY: types are live as long as an instance.
    let class = unsafe { (*vm.type_of(this)).word() };
    call::call(vm, class, &[factory.as_word(), this], None)
}
fn or(vm: Vm, a: Word, b: Word) -> PyResult {
    let ty = crate::runtime::thread::Thread::of(vm)
        .module_types
        .defaultdict
        .get();
    if !dict::is_dict(a) || !dict::is_dict(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let own = if vm.is_instance(a, ty) { a } else { b };
    let result = copy_of(vm, own, a)?;
    if !dict::is_dict(result.as_word()) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    // SAFETY: a dict just made.
    unsafe { dict_methods::merge(vm, result.as_ptr(), b, true)? };
    Ok(result)
}
fn copy_of(vm: Vm, own: Word, items: Word) -> PyResult {
    let factory = held(&of(own).factory).unwrap_or(Owned::NONE);
    // SAFETY: types are live as long as an instance.
    let class = unsafe { (*vm.type_of(own)).word() };
    call::call(vm, class, &[factory.as_word(), items], None)
}

fn repr_of(vm: Vm, value: &Owned) -> Result<String, Raised> {
    let text = protocol::repr(vm, value.as_word())?;
    Ok(str::to_string_lossy(text.as_word()))
}
fn repr(vm: Vm, this: Word) -> PyResult {
    let Some(base_repr) = base(vm).repr else {
        return vm.new_str("defaultdict");
    };
    let items = base_repr(vm, this)?;
    let factory = match held(&of(this).factory) {
        None => "None".to_owned(),
        // An object or none: the attribute takes anything.
        Some(factory) if !factory.as_word().is_pointer() => repr_of(vm, &factory)?,
        Some(factory) => {
            // SAFETY: an object that `factory` holds.
            let header = unsafe { &*factory.as_ptr::<Object>() };
            // A factory that shows this dict, whose text is being made.
            if header.has_flag(flag::IN_REPR) {
                "...".to_owned()
            } else {
                header.set_flag(flag::IN_REPR);
                let text = repr_of(vm, &factory);
                header.clear_flag(flag::IN_REPR);
                text?
            }
        }
    };
    // SAFETY: types are live as long as an instance.
    let name = unsafe { (*vm.type_of(this)).name_string() };
    let name = name.rsplit('.').next().unwrap_or_default();
    vm.new_str(&format!(
        "{name}({factory}, {})",
        str::to_string_lossy(items.as_word())
    ))
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        exc::replace(&(*object.cast::<DefaultDict>()).factory, None);
        (base(vm).dealloc)(vm, object);
    }
}
/// # Safety
/// As [`crate::object::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        if let Some(factory) = (*object.cast::<DefaultDict>()).factory.get() {
            visit(factory);
        }
        if let Some(traverse) = base((*object).vm()).traverse {
            traverse(object, visit);
        }
    }
}
/// # Safety
/// As [`crate::object::types::ClearFn`].
unsafe fn clear(vm: Vm, object: *mut Object) {
    unsafe {
        exc::replace(&(*object.cast::<DefaultDict>()).factory, None);
        if let Some(clear) = base(vm).clear {
            clear(vm, object);
        }
    }
}
