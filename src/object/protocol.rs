//! What works on any object (`abstract.c`, `object.c`): hashing, comparison, truth, text, calls, attributes.
//! Numbers are in `number.rs`, sequences and mappings in `sequence.rs`, attribute access in `attr.rs`.

use super::header::Kind;
use super::owned::{Owned, PyResult, Raised};
use super::str;
use super::types::CompareOp;
use super::vm::Vm;
use super::word::Word;

/// `hash(o)` (`PyObject_Hash`).
pub fn hash(vm: Vm, object: Word) -> Result<i64, Raised> {
    if object.is_exact(Kind::STR) {
        return Ok(str::hash(vm, object));
    }
    if object.is_int() {
        return Ok(super::hash::hash_i64(object.as_int()));
    }
    // SAFETY: types are live as long as an instance.
    match unsafe { (*vm.type_of(object)).slots.hash } {
        Some(hash) => hash(vm, object),
        None => Err(unhashable(vm, object)),
    }
}

#[cold]
fn unhashable(vm: Vm, object: Word) -> Raised {
    vm.type_error(format!("unhashable type: '{}'", vm.type_name(object)))
}

/// `a == b` for pairs whose comparison runs no Python code and cannot fail; None for the others.
#[inline]
pub fn equal_without_calls(a: Word, b: Word) -> Option<bool> {
    if a.is_int() && b.is_int() {
        return Some(a == b);
    }
    if a.is_exact(Kind::STR) && b.is_exact(Kind::STR) {
        return Some(str::equal(a, b));
    }
    None
}

/// `a op b` (`PyObject_RichCompare`).
pub fn rich_compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    vm.check_stack(" in comparison")?;
    let (left, right) = (vm.type_of(a), vm.type_of(b));
    // SAFETY: types are live as long as an instance.
    unsafe {
        let mut reflected = false;
        if left != right
            && (*right).is_subtype(left)
            && let Some(compare) = (*right).slots.richcompare
        {
            reflected = true;
            let answer = compare(vm, b, a, op.swapped())?;
            if answer.as_word() != Word::NOT_IMPLEMENTED {
                return Ok(answer);
            }
        }
        if let Some(compare) = (*left).slots.richcompare {
            let answer = compare(vm, a, b, op)?;
            if answer.as_word() != Word::NOT_IMPLEMENTED {
                return Ok(answer);
            }
        }
        if !reflected && let Some(compare) = (*right).slots.richcompare {
            let answer = compare(vm, b, a, op.swapped())?;
            if answer.as_word() != Word::NOT_IMPLEMENTED {
                return Ok(answer);
            }
        }
    }
    match op {
        CompareOp::Eq => Ok(Owned::bool(a.is(b))),
        CompareOp::Ne => Ok(Owned::bool(!a.is(b))),
        _ => Err(vm.type_error(format!(
            "'{}' not supported between instances of '{}' and '{}'",
            op.symbol(),
            vm.type_name(a),
            vm.type_name(b)
        ))),
    }
}

/// The same as a truth value; identity implies equality (`PyObject_RichCompareBool`).
pub fn rich_compare_bool(vm: Vm, a: Word, b: Word, op: CompareOp) -> Result<bool, Raised> {
    if a.is(b) {
        match op {
            CompareOp::Eq => return Ok(true),
            CompareOp::Ne => return Ok(false),
            _ => {}
        }
    }
    let answer = rich_compare(vm, a, b, op)?;
    is_true(vm, answer.as_word())
}

/// `bool(o)` (`PyObject_IsTrue`).
#[inline]
pub fn is_true(vm: Vm, object: Word) -> Result<bool, Raised> {
    match object {
        Word::TRUE => Ok(true),
        Word::FALSE | Word::NONE => Ok(false),
        _ if object.is_int() => Ok(object != Word::int_unchecked(0)),
        _ if object.is_float() => Ok(object.as_float() != 0.0),
        _ => is_true_slow(vm, object),
    }
}
#[inline(never)]
fn is_true_slow(vm: Vm, object: Word) -> Result<bool, Raised> {
    // SAFETY: types are live as long as an instance.
    let slots = unsafe { &raw const (*vm.type_of(object)).slots };
    unsafe {
        if let Some(bool) = (*slots).bool {
            bool(vm, object)
        } else if let Some(len) = (*slots).len {
            Ok(len(vm, object)? != 0)
        } else {
            Ok(true)
        }
    }
}

/// `repr(o)` (`PyObject_Repr`).
pub fn repr(vm: Vm, object: Word) -> PyResult {
    vm.check_stack(" while getting the repr of an object")?;
    // SAFETY: types are live as long as an instance.
    let text = match unsafe { (*vm.type_of(object)).slots.repr } {
        Some(repr) => repr(vm, object)?,
        None => {
            return vm.new_str(&format!(
                "<{} object at {:p}>",
                vm.type_name(object),
                object.object()
            ));
        }
    };
    if str::is_str(text.as_word()) {
        return Ok(text);
    }
    Err(vm.type_error(format!(
        "__repr__ returned non-string (type {})",
        vm.type_name(text.as_word())
    )))
}

/// `str(o)` (`PyObject_Str`).
pub fn str(vm: Vm, object: Word) -> PyResult {
    if object.is_exact(Kind::STR) {
        return Ok(Owned::new_ref(object));
    }
    // SAFETY: types are live as long as an instance.
    let Some(str) = (unsafe { (*vm.type_of(object)).slots.str }) else {
        return repr(vm, object);
    };
    vm.check_stack(" while getting the str of an object")?;
    let text = str(vm, object)?;
    if str::is_str(text.as_word()) {
        return Ok(text);
    }
    Err(vm.type_error(format!(
        "__str__ returned non-string (type {})",
        vm.type_name(text.as_word())
    )))
}

/// `isinstance(o, cls)` (`PyObject_IsInstance`): a class, a tuple of them, or whatever has `__instancecheck__`.
pub fn is_instance(vm: Vm, object: Word, class: Word) -> Result<bool, Raised> {
    // SAFETY: types are live as long as an instance.
    if class.is_instance(Kind::TYPE) && vm.type_of(object) == class.cast() {
        return Ok(true);
    }
    if vm.type_of(class) == vm.types.type_ {
        return real_is_instance(vm, object, class);
    }
    if super::tuple::is_tuple(class) {
        vm.check_stack(" in __instancecheck__")?;
        // SAFETY: the caller keeps the tuple.
        for &item in unsafe { super::tuple::items(class) } {
            if is_instance(vm, object, item)? {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    if let Some(check) = super::attr::lookup_bound(vm, class, vm.names.__instancecheck__)? {
        vm.check_stack(" in __instancecheck__")?;
        let answer = super::call::call_one(vm, check.as_word(), object)?;
        return is_true(vm, answer.as_word());
    }
    real_is_instance(vm, object, class)
}
/// `type.__instancecheck__`: by the object's type, then by its `__class__` (`object_isinstance`).
pub(super) fn real_is_instance(vm: Vm, object: Word, class: Word) -> Result<bool, Raised> {
    if class.is_instance(Kind::TYPE) {
        if vm.is_instance(object, class.cast()) {
            return Ok(true);
        }
        let own = super::attr::get_attr_opt(vm, object, vm.names.__class__)?;
        return Ok(own.is_some_and(|own| {
            own.as_word().is_instance(Kind::TYPE)
                && own.as_word().object() != vm.type_of(object).cast()
                && super::type_object::object(own.as_word()).is_subtype(class.cast())
        }));
    }
    require_class(
        vm,
        class,
        "isinstance() arg 2 must be a type, a tuple of types, or a union",
    )?;
    match super::attr::get_attr_opt(vm, object, vm.names.__class__)? {
        Some(own) => abstract_is_subclass(vm, own.as_word(), class),
        None => Ok(false),
    }
}
/// `issubclass(derived, cls)` (`PyObject_IsSubclass`).
pub fn is_subclass(vm: Vm, derived: Word, class: Word) -> Result<bool, Raised> {
    if vm.type_of(class) == vm.types.type_ {
        return if derived.is(class) {
            Ok(true)
        } else {
            real_is_subclass(vm, derived, class)
        };
    }
    if super::tuple::is_tuple(class) {
        vm.check_stack(" in __subclasscheck__")?;
        // SAFETY: the caller keeps the tuple.
        for &item in unsafe { super::tuple::items(class) } {
            if is_subclass(vm, derived, item)? {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    if let Some(check) = super::attr::lookup_bound(vm, class, vm.names.__subclasscheck__)? {
        vm.check_stack(" in __subclasscheck__")?;
        let answer = super::call::call_one(vm, check.as_word(), derived)?;
        return is_true(vm, answer.as_word());
    }
    real_is_subclass(vm, derived, class)
}
pub(super) fn real_is_subclass(vm: Vm, derived: Word, class: Word) -> Result<bool, Raised> {
    if derived.is_instance(Kind::TYPE) && class.is_instance(Kind::TYPE) {
        return Ok(super::type_object::object(derived).is_subtype(class.cast()));
    }
    require_class(vm, derived, "issubclass() arg 1 must be a class")?;
    require_class(
        vm,
        class,
        "issubclass() arg 2 must be a class, a tuple of classes, or a union",
    )?;
    abstract_is_subclass(vm, derived, class)
}
/// The `__bases__` of something that passes for a class (`abstract_get_bases`).
fn bases_of(vm: Vm, class: Word) -> Result<Option<Owned>, Raised> {
    let bases = super::attr::get_attr_opt(vm, class, vm.names.__bases__)?;
    Ok(bases.filter(|bases| super::tuple::is_tuple(bases.as_word())))
}
fn require_class(vm: Vm, class: Word, message: &str) -> Result<(), Raised> {
    if bases_of(vm, class)?.is_some() {
        Ok(())
    } else {
        Err(vm.type_error(message))
    }
}
fn abstract_is_subclass(vm: Vm, derived: Word, class: Word) -> Result<bool, Raised> {
    if derived.is(class) {
        return Ok(true);
    }
    vm.check_stack(" in __subclasscheck__")?;
    let Some(bases) = bases_of(vm, derived)? else {
        return Ok(false);
    };
    // SAFETY: `bases` keeps the items.
    for &base in unsafe { super::tuple::items(bases.as_word()) } {
        if abstract_is_subclass(vm, base, class)? {
            return Ok(true);
        }
    }
    Ok(false)
}
