//! `mappingproxy`: a read-only view of a mapping, for `C.__dict__`.

use super::args::Signature;
use super::attr;
use super::descr::{MethodDef, meth};
use super::header::{Header, Kind, Object};
use super::number::nb;
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{protocol, sequence, str};

/// `mappingproxyobject`.
#[repr(C)]
pub struct MappingProxyObject {
    pub header: Header,
    /// A slot's word.
    pub mapping: Word,
}

/// `PyDictProxy_New`.
pub fn new(vm: Vm, mapping: Word) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let proxy = vm.alloc::<MappingProxyObject>(vm.types.mapping_proxy)?;
        (*proxy).mapping = Owned::new_ref(mapping).into_slot();
        Ok(Owned::from_raw(proxy))
    }
}
fn mapping(word: Word) -> Word {
    // SAFETY: contract of Word; the field does not change.
    unsafe { (*word.cast::<MappingProxyObject>()).mapping }
}
/// The same, for what works on it: proxies may stand on each other.
fn deeper(vm: Vm, word: Word) -> Result<Word, Raised> {
    vm.check_stack(" while calling a Python object")?;
    Ok(mapping(word))
}
fn proxy_repr(vm: Vm, word: Word) -> PyResult {
    let inner = protocol::repr(vm, mapping(word))?;
    vm.new_str(&format!(
        "mappingproxy({})",
        str::to_string_lossy(inner.as_word())
    ))
}
fn forward(vm: Vm, word: Word, name: &str, args: &[Word]) -> PyResult {
    let name = vm.intern_str(name)?;
    attr::call_method(vm, deeper(vm, word)?, name.as_word(), args)
}
fn compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    let other = if b.is_exact(Kind::MAPPING_PROXY) {
        mapping(b)
    } else {
        b
    };
    protocol::rich_compare(vm, mapping(a), other, op)
}
static METHODS: &[MethodDef] = &[
    MethodDef::new("get", meth::FASTCALL, |vm, p, args, _| {
        forward(vm, p, "get", args)
    }),
    MethodDef::new("keys", meth::NOARGS, |vm, p, _, _| {
        forward(vm, p, "keys", &[])
    }),
    MethodDef::new("values", meth::NOARGS, |vm, p, _, _| {
        forward(vm, p, "values", &[])
    }),
    MethodDef::new("items", meth::NOARGS, |vm, p, _, _| {
        forward(vm, p, "items", &[])
    }),
    MethodDef::new("copy", meth::NOARGS, |vm, p, _, _| {
        forward(vm, p, "copy", &[])
    }),
    MethodDef::new("__reversed__", meth::NOARGS, |vm, p, _, _| {
        forward(vm, p, "__reversed__", &[])
    }),
    super::generic_alias::CLASS_GETITEM,
];
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        (*(object as *mut MappingProxyObject))
            .mapping
            .release_slot();
        vm.free(object);
    }
}
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    visit(unsafe { (*(object as *mut MappingProxyObject)).mapping });
}
fn getitem(vm: Vm, word: Word, key: Word) -> PyResult {
    sequence::get_item(vm, deeper(vm, word)?, key)
}
fn len(vm: Vm, word: Word) -> Result<usize, Raised> {
    sequence::len(vm, deeper(vm, word)?)
}

fn proxy_new(vm: Vm, _: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [target] = MAPPING.unpack(vm, args, kwnames)?;
    let target = target.unwrap_or(Word::NONE);
    // SAFETY: types are live as long as an instance.
    let is_mapping = unsafe { (*vm.type_of(target)).slots.getitem.is_some() }
        && !super::list::is_list(target)
        && !super::tuple::is_tuple(target);
    if !is_mapping {
        return Err(vm.type_error(format!(
            "mappingproxy() argument must be a mapping, not {}",
            vm.type_name(target)
        )));
    }
    new(vm, target)
}
static MAPPING: Signature<1> = Signature::new("mappingproxy", ["mapping"], 1);
fn or(vm: Vm, a: Word, b: Word) -> PyResult {
    let inner = |word: Word| {
        if word.is_exact(Kind::MAPPING_PROXY) {
            mapping(word)
        } else {
            word
        }
    };
    vm.check_stack(" while calling a Python object")?;
    super::number::number_binary(vm, nb::OR, inner(a), inner(b))
}

pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::MAPPING,
        methods: METHODS,
        ..TypeSpec::new::<MappingProxyObject>(
            "mappingproxy",
            Kind::MAPPING_PROXY,
            Slots {
                dealloc,
                traverse: Some(traverse),
                repr: Some(proxy_repr),
                str: Some(|vm, word| protocol::str(vm, mapping(word))),
                hash: Some(|vm, word| protocol::hash(vm, deeper(vm, word)?)),
                richcompare: Some(compare),
                iter: Some(|vm, word| sequence::get_iter(vm, deeper(vm, word)?)),
                len: Some(len),
                getitem: Some(getitem),
                contains: Some(|vm, word, key| sequence::contains(vm, deeper(vm, word)?, key)),
                nb: {
                    let mut slots = Slots::EMPTY.nb;
                    slots[nb::OR] = Some(or);
                    slots
                },
                new: Some(proxy_new),
                ..Slots::EMPTY
            },
        )
    }
}
