//! `list[int]` and its like: a class with type arguments (`genericaliasobject.c`).

use super::attr;
use super::call;
use super::descr::{GetSetDef, MethodDef, meth};
use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vectorcall::Args;
use super::vm::Vm;
use super::word::Word;
use super::{protocol, str, tuple, type_params};

/// `gaobject`; the fields are slot's words.
#[repr(C)]
pub struct GenericAliasObject {
    pub header: Header,
    pub origin: Word,
    /// A tuple.
    pub args: Word,
}

fn alias<'a>(word: Word) -> &'a GenericAliasObject {
    // SAFETY: contract of Word; the fields do not change.
    unsafe { &*word.cast() }
}
fn is_alias(vm: Vm, word: Word) -> bool {
    vm.is_instance(word, vm.types.generic_alias)
}

/// `Py_GenericAlias`: a single argument stands for a tuple of one.
pub fn new(vm: Vm, origin: Word, args: Word) -> PyResult {
    make(vm, vm.types.generic_alias, origin, args)
}
/// The same of a subclass, perhaps.
fn make(vm: Vm, ty: *mut TypeObject, origin: Word, args: Word) -> PyResult {
    let args = if tuple::is_tuple(args) {
        Owned::new_ref(args)
    } else {
        vm.new_tuple(&[args])?
    };
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let alias = vm.alloc_instance::<GenericAliasObject>(ty, size_of::<GenericAliasObject>())?;
        (*alias).origin = Owned::new_ref(origin).into_slot();
        (*alias).args = args.into_slot();
        Ok(Owned::from_raw(alias))
    }
}
/// `__class_getitem__` of built-in classes.
pub fn class_getitem(vm: Vm, class: Word, args: &[Word], _: Option<Word>) -> PyResult {
    new(vm, class, args[0])
}
/// What gives a class `C[...]`.
pub const CLASS_GETITEM: MethodDef =
    MethodDef::new("__class_getitem__", meth::O | meth::CLASS, class_getitem);

fn alias_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    super::args::positional(vm, "GenericAlias", args, kwnames, 2, 2)?;
    make(vm, ty, args[0], args[1])
}

/// How a type argument is shown: classes by name, `...` as dots, lists item by item (`_Py_typing_type_repr`).
pub fn type_text(vm: Vm, word: Word) -> Result<String, Raised> {
    vm.check_stack(" while getting the repr of an object")?;
    if word == Word::ELLIPSIS {
        return Ok("...".to_owned());
    }
    if word.is_instance(Kind::TYPE) {
        return Ok(super::type_object::object(word).full_name());
    }
    if super::list::is_list(word) {
        let items = super::sequence::collect(vm, word)?;
        let texts = items
            .iter()
            .map(|item| type_text(vm, item.as_word()))
            .collect::<Result<Vec<_>, _>>()?;
        return Ok(format!("[{}]", texts.join(", ")));
    }
    Ok(str::to_string_lossy(protocol::repr(vm, word)?.as_word()))
}
fn alias_repr(vm: Vm, word: Word) -> PyResult {
    let own = alias(word);
    let texts = args(word)
        .iter()
        .map(|&arg| type_text(vm, arg))
        .collect::<Result<Vec<_>, _>>()?;
    let texts = if texts.is_empty() {
        "()".to_owned()
    } else {
        texts.join(", ")
    };
    vm.new_str(&format!("{}[{texts}]", type_text(vm, own.origin)?))
}
fn alias_hash(vm: Vm, word: Word) -> Result<i64, Raised> {
    let hash = protocol::hash(vm, alias(word).origin)? ^ protocol::hash(vm, alias(word).args)?;
    Ok(super::hash::not_minus_one(hash))
}
fn alias_compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !is_alias(vm, b) || !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let equal = |a, b| protocol::rich_compare_bool(vm, a, b, CompareOp::Eq);
    let same = equal(alias(a).origin, alias(b).origin)? && equal(alias(a).args, alias(b).args)?;
    Ok(Owned::bool(same == (op == CompareOp::Eq)))
}
/// Making an instance makes one of the class.
fn alias_call(vm: Vm, word: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult {
    call::call(vm, alias(word).origin, args, kwnames)
}
/// Names that the alias does not answer itself are the class's (`ga_getattro`).
fn alias_getattro(vm: Vm, word: Word, name: Word) -> PyResult {
    const OWN: [&str; 10] = [
        "__class__",
        "__origin__",
        "__args__",
        "__parameters__",
        "__mro_entries__",
        "__reduce_ex__",
        "__reduce__",
        "__bases__",
        "__copy__",
        "__deepcopy__",
    ];
    if OWN.iter().any(|own| str::equals(name, own)) {
        return attr::generic_get_attr(vm, word, name);
    }
    attr::get_attr(vm, alias(word).origin, name)
}
fn args<'a>(word: Word) -> &'a [Word] {
    // SAFETY: the alias keeps its arguments.
    unsafe { tuple::items(alias(word).args) }
}
fn alias_getitem(vm: Vm, word: Word, item: Word) -> PyResult {
    let args = type_params::substitute(vm, word, args(word), item)?;
    new(vm, alias(word).origin, args.as_word())
}
fn refuse(vm: Vm, function: &str) -> PyResult {
    Err(vm.type_error(format!(
        "{function}() argument 2 cannot be a parameterized generic"
    )))
}
/// In a class's bases an alias stands for its class.
fn mro_entries(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    vm.new_tuple(&[alias(word).origin])
}
static METHODS: &[MethodDef] = &[
    MethodDef::new("__mro_entries__", meth::O, mro_entries),
    MethodDef::new("__instancecheck__", meth::O, |vm, _, _, _| {
        refuse(vm, "isinstance")
    }),
    MethodDef::new("__subclasscheck__", meth::O, |vm, _, _, _| {
        refuse(vm, "issubclass")
    }),
];
static GETSET: [GetSetDef; 3] = [
    GetSetDef::member("__origin__", |_, word| {
        Ok(Owned::new_ref(alias(word).origin))
    }),
    GetSetDef::member("__args__", |_, word| Ok(Owned::new_ref(alias(word).args))),
    GetSetDef::new(
        "__parameters__",
        |vm, word| type_params::parameters(vm, args(word)),
        None,
    ),
];
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let own = object as *mut GenericAliasObject;
        for word in [(*own).origin, (*own).args] {
            word.release_slot();
        }
        vm.free(object);
    }
}
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let own = object as *mut GenericAliasObject;
        [(*own).origin, (*own).args].into_iter().for_each(visit);
    }
}
pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE,
        methods: METHODS,
        getset: &GETSET,
        ..TypeSpec::new::<GenericAliasObject>(
            "types.GenericAlias",
            Kind::OTHER,
            Slots {
                dealloc,
                traverse: Some(traverse),
                repr: Some(alias_repr),
                hash: Some(alias_hash),
                richcompare: Some(alias_compare),
                call: Some(alias_call),
                getattro: Some(alias_getattro),
                getitem: Some(alias_getitem),
                nb: super::union::OR_SLOT,
                new: Some(alias_new),
                ..Slots::EMPTY
            },
        )
    }
}
