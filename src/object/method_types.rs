//! Bound methods and cells as Python objects (`classobject.c`, `cellobject.c`).

use super::args;
use super::attr;
use super::call;
use super::descr::{CellObject, GetSetDef, MethodObject};
use super::descr_types::{address, pair_dealloc, pair_traverse};
use super::header::{Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, Slots, TypeObject, TypeSpec};
use super::vm::Vm;
use super::word::Word;
use super::{protocol, str};

fn method<'a>(word: Word) -> &'a MethodObject {
    // SAFETY: contract of Word; the fields do not change.
    unsafe { &*word.cast() }
}

fn method_repr(vm: Vm, word: Word) -> PyResult {
    let bound = method(word);
    let mut name = None;
    for attribute in [vm.names.__qualname__, vm.names.__name__] {
        if name.is_none() {
            name = attr::get_attr_opt(vm, bound.function, attribute)?
                .filter(|name| str::is_str(name.as_word()));
        }
    }
    let name = name.map_or_else(
        || "?".to_owned(),
        |name| str::to_string_lossy(name.as_word()),
    );
    let self_ = protocol::repr(vm, bound.self_)?;
    vm.new_str(&format!(
        "<bound method {name} of {}>",
        str::to_string_lossy(self_.as_word())
    ))
}
fn method_compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !b.is_exact(Kind::METHOD) || !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let same = method(a).self_.is(method(b).self_)
        && protocol::rich_compare_bool(vm, method(a).function, method(b).function, CompareOp::Eq)?;
    Ok(Owned::bool(same == (op == CompareOp::Eq)))
}
fn method_hash(vm: Vm, word: Word) -> Result<i64, Raised> {
    let self_ = super::hash::hash_pointer(method(word).self_.object());
    Ok(super::hash::not_minus_one(
        self_ ^ protocol::hash(vm, method(word).function)?,
    ))
}
/// Attributes that the method type lacks are the function's (`method_getattro`).
fn method_getattro(vm: Vm, word: Word, name: Word) -> PyResult {
    // SAFETY: types are live as long as an instance.
    match unsafe { (*vm.types.method).lookup(name) }.map(Owned::new_ref) {
        Some(descriptor) => attr::bind(vm, descriptor.as_word(), Some(word), vm.types.method),
        None => attr::get_attr(vm, method(word).function, name),
    }
}
static METHOD_GETSET: [GetSetDef; 3] = [
    GetSetDef::member("__func__", |_, m| Ok(Owned::new_ref(method(m).function))),
    GetSetDef::member("__self__", |_, m| Ok(Owned::new_ref(method(m).self_))),
    GetSetDef::new(
        "__doc__",
        |vm, m| attr::get_attr(vm, method(m).function, vm.names.__doc__),
        None,
    ),
];
fn method_new(vm: Vm, _: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    super::args::positional(vm, "method", args, kwnames, 2, 2)?;
    if !call::is_callable(vm, args[0]) {
        return Err(vm.type_error("first argument must be callable"));
    }
    if args[1].is_none() {
        return Err(vm.type_error("instance must not be None"));
    }
    vm.new_method(args[0], args[1])
}

unsafe fn cell_clear(_: Vm, object: *mut Object) {
    unsafe {
        if let Some(word) = (*(object as *mut CellObject)).value.take() {
            word.release_slot();
        }
    }
}
unsafe fn cell_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        cell_clear(vm, object);
        vm.free(object);
    }
}
unsafe fn cell_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { (*(object as *mut CellObject)).value.get() }
        .into_iter()
        .for_each(visit);
}
fn cell<'a>(word: Word) -> &'a CellObject {
    // SAFETY: as for the others.
    unsafe { &*word.cast() }
}
fn cell_repr(vm: Vm, word: Word) -> PyResult {
    vm.new_str(&match cell(word).value.get() {
        None => format!("<cell at {}: empty>", address(word)),
        Some(value) => {
            format!(
                "<cell at {}: {} object at {}>",
                address(word),
                vm.type_name(value),
                address(value)
            )
        }
    })
}
static CELL_GETSET: [GetSetDef; 1] = [GetSetDef::new(
    "cell_contents",
    |vm, c| match cell(c).value.get() {
        Some(value) => Ok(Owned::new_ref(value)),
        None => Err(vm.value_error("Cell is empty")),
    },
    Some(|_, c, value| {
        super::exc::replace(&cell(c).value, value);
        Ok(())
    }),
)];

pub(super) const fn method_spec() -> TypeSpec {
    TypeSpec {
        getset: &METHOD_GETSET,
        ..TypeSpec::new::<MethodObject>(
            "method",
            Kind::METHOD,
            Slots {
                dealloc: pair_dealloc,
                traverse: Some(pair_traverse),
                repr: Some(method_repr),
                richcompare: Some(method_compare),
                hash: Some(method_hash),
                call: Some(call::method_call),
                getattro: Some(method_getattro),
                new: Some(method_new),
                ..Slots::EMPTY
            },
        )
    }
}
/// `cell([contents])` (`cell_new_impl`).
fn cell_new(vm: Vm, _: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    args::positional(vm, "cell", args, kwnames, 0, 1)?;
    vm.new_cell(args.first().copied())
}
pub(super) const fn cell_spec() -> TypeSpec {
    TypeSpec {
        getset: &CELL_GETSET,
        ..TypeSpec::new::<CellObject>(
            "cell",
            Kind::CELL,
            Slots {
                dealloc: cell_dealloc,
                traverse: Some(cell_traverse),
                clear: Some(cell_clear),
                repr: Some(cell_repr),
                new: Some(cell_new),
                ..Slots::EMPTY
            },
        )
    }
}
