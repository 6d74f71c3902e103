//! `int | str`: a union of types (`unionobject.c`).

use super::attr;
use super::descr::{GetSetDef, MethodDef, meth};
use super::generic_alias;
use super::header::{Header, Kind, Object};
use super::number::nb;
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, Slots, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{protocol, tuple};

/// `unionobject`.
#[repr(C)]
pub struct UnionObject {
    pub header: Header,
    /// A tuple, a slot's word.
    args: Word,
}

fn args<'a>(word: Word) -> &'a [Word] {
    // SAFETY: contract of Word; the tuple does not change.
    unsafe { tuple::items((*word.cast::<UnionObject>()).args) }
}
fn is_union(vm: Vm, word: Word) -> bool {
    vm.type_of(word) == vm.types.union
}
/// Whether a value may be part of a union (`unionable`).
fn is_part(vm: Vm, word: Word) -> bool {
    word.is_none()
        || word.is_instance(Kind::TYPE)
        || vm.type_of(word) == vm.types.generic_alias
        || is_union(vm, word)
}

/// `a | b` of types (`_Py_union_type_or`): flat, without repetitions; one part alone is itself.
pub fn or(vm: Vm, a: Word, b: Word) -> PyResult {
    if !is_part(vm, a) || !is_part(vm, b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let mut parts: Vec<Owned> = Vec::new();
    // SAFETY: built-in types live as long as the VM.
    let none = unsafe { (*vm.types.none_type).word() };
    for side in [a, b] {
        let single = [if side.is_none() { none } else { side }];
        let own = if is_union(vm, side) {
            args(side)
        } else {
            &single
        };
        for &part in own {
            let mut known = false;
            for other in &parts {
                known |= protocol::rich_compare_bool(vm, other.as_word(), part, CompareOp::Eq)?;
            }
            if !known {
                parts.push(Owned::new_ref(part));
            }
        }
    }
    if parts.len() == 1 {
        return Ok(parts.swap_remove(0));
    }
    let parts = vm.tuple_from_owned(parts)?;
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let union = vm.alloc::<UnionObject>(vm.types.union)?;
        (*union).args = parts.into_slot();
        Ok(Owned::from_raw(union))
    }
}

fn repr(vm: Vm, word: Word) -> PyResult {
    let texts = args(word)
        .iter()
        .map(|&part| {
            if part.object() == vm.types.none_type.cast() {
                return Ok("None".to_owned());
            }
            generic_alias::type_text(vm, part)
        })
        .collect::<Result<Vec<_>, Raised>>()?;
    vm.new_str(&texts.join(" | "))
}
/// The same parts in any order have the same hash.
fn hash(vm: Vm, word: Word) -> Result<i64, Raised> {
    let mut hash = 0;
    for &part in args(word) {
        hash ^= protocol::hash(vm, part)?;
    }
    Ok(super::hash::not_minus_one(hash))
}
fn compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !is_union(vm, a) || !is_union(vm, b) || !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let mut same = args(a).len() == args(b).len();
    for &part in args(a) {
        let mut found = false;
        for &other in args(b) {
            found |= protocol::rich_compare_bool(vm, part, other, CompareOp::Eq)?;
        }
        same &= found;
    }
    Ok(Owned::bool(same == (op == CompareOp::Eq)))
}

fn instance_check(vm: Vm, word: Word, arguments: &[Word], _: Option<Word>) -> PyResult {
    for &part in args(word) {
        if protocol::is_instance(vm, arguments[0], part)? {
            return Ok(Owned::TRUE);
        }
    }
    Ok(Owned::FALSE)
}
fn subclass_check(vm: Vm, word: Word, arguments: &[Word], _: Option<Word>) -> PyResult {
    if !arguments[0].is_instance(Kind::TYPE) {
        return Err(vm.type_error("issubclass() arg 1 must be a class"));
    }
    for &part in args(word) {
        if protocol::is_subclass(vm, arguments[0], part)? {
            return Ok(Owned::TRUE);
        }
    }
    Ok(Owned::FALSE)
}
static METHODS: [MethodDef; 2] = [
    MethodDef::new("__instancecheck__", meth::O, instance_check),
    MethodDef::new("__subclasscheck__", meth::O, subclass_check),
];
static GETSET: [GetSetDef; 3] = [
    GetSetDef::member("__args__", |_, word| {
        // SAFETY: contract of Word; the field does not change.
        Ok(Owned::new_ref(unsafe {
            (*word.cast::<UnionObject>()).args
        }))
    }),
    GetSetDef::new(
        "__parameters__",
        |vm, word| super::type_params::parameters(vm, args(word)),
        None,
    ),
    GetSetDef::new(
        "__origin__",
        |vm, word| {
            // SAFETY: types are live as long as an instance.
            Ok(Owned::new_ref(unsafe { (*vm.type_of(word)).word() }))
        },
        None,
    ),
];
/// The union of its parts with arguments for their parameters.
fn getitem(vm: Vm, word: Word, item: Word) -> PyResult {
    let new = super::type_params::substitute(vm, word, args(word), item)?;
    // SAFETY: a tuple that this keeps.
    let parts = unsafe { super::tuple::items(new.as_word()) };
    let mut union = Owned::new_ref(parts[0]);
    for &part in &parts[1..] {
        union = super::number::number_binary(vm, nb::OR, union.as_word(), part)?;
    }
    Ok(union)
}

unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let args = (*(object as *mut UnionObject)).args;
        vm.free(object);
        args.release_slot();
    }
}
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    visit(unsafe { (*(object as *mut UnionObject)).args });
}

pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::DISALLOW_INSTANTIATION,
        methods: &METHODS,
        getset: &GETSET,
        ..TypeSpec::new::<UnionObject>(
            "typing.Union",
            Kind::OTHER,
            Slots {
                dealloc,
                traverse: Some(traverse),
                repr: Some(repr),
                hash: Some(hash),
                richcompare: Some(compare),
                getattro: Some(attr::generic_get_attr),
                getitem: Some(getitem),
                nb: OR_SLOT,
                ..Slots::EMPTY
            },
        )
    }
}

/// Number slots of what can be part of a union.
pub(super) const OR_SLOT: [Option<super::types::BinaryFn>; super::types::NB_SLOTS] = {
    let mut slots = Slots::EMPTY.nb;
    slots[nb::OR] = Some(or);
    slots
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::testing::TestVm;

    #[test]
    fn flat_and_without_repetitions() {
        let t = TestVm::new();
        let vm = t.vm();
        // SAFETY: built-in types live as long as the VM.
        let (int, text) = unsafe { ((*vm.types.int).word(), (*vm.types.str).word()) };
        let both = or(vm, int, text).unwrap();
        let again = or(vm, both.as_word(), int).unwrap();
        assert_eq!(
            t.show(or(vm, again.as_word(), Word::NONE)),
            "int | str | None"
        );
        assert_eq!(t.show(or(vm, int, int)), "<class 'int'>");
        let other_way = or(vm, text, int).unwrap();
        assert_eq!(
            hash(vm, both.as_word()).unwrap(),
            hash(vm, other_way.as_word()).unwrap()
        );
        assert_eq!(
            crate::object::str::to_string_lossy(repr(vm, both.as_word()).unwrap().as_word()),
            "int | str"
        );
    }
}
