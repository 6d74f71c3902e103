//! The special methods behind each slot (`slotdefs` of `typeobject.c`): how a built-in type's slot is called from
//! Python through a slot wrapper, and which generic function stands in the slot of a class that defines the method.

use super::args;
use super::attr;
use super::generic_slots as generic;
use super::number::{self, nb};
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, Slots, TypeObject};
use super::vm::Vm;
use super::word::Word;

/// Calls the slot of `owner` with `self` and the other arguments, whose number has been checked.
pub type WrapFn = fn(Vm, &Slots, Word, &[Word], Option<Word>) -> PyResult;

/// One special method. Several may share a slot: they are neighbours in the table.
pub struct SlotDef {
    pub name: &'static str,
    /// Equal for those that share a slot.
    pub group: &'static str,
    /// Least and most positional arguments behind `self`; None for any, with keywords.
    pub arity: Option<(usize, usize)>,
    pub is_set: fn(&Slots) -> bool,
    pub wrap: WrapFn,
    /// Puts the generic function into the slot, or nothing where another slot takes a class's method.
    pub set_generic: fn(&mut Slots),
    /// Takes the slot over from another type.
    pub copy: fn(&mut Slots, &Slots),
    /// Empties the slot.
    pub clear: fn(&mut Slots),
}

#[cold]
fn missing(vm: Vm) -> Raised {
    vm.raise(
        vm.exc.SystemError,
        "slot wrapper of a type without the slot",
    )
}

macro_rules! slot {
    ($name:literal, $slot:ident, $arity:expr, $generic:expr, |$vm:ident, $f:ident, $s:ident, $a:ident, $k:ident| $call:expr) => {
        SlotDef {
            name: $name,
            group: stringify!($slot),
            arity: $arity,
            is_set: |slots| slots.$slot.is_some(),
            wrap: |$vm, slots, $s, $a, $k| {
                let _ = (&$a, &$k);
                let $f = slots.$slot.ok_or_else(|| missing($vm))?;
                $call
            },
            set_generic: |slots| slots.$slot = $generic,
            copy: |slots, from| slots.$slot = from.$slot,
            clear: |slots| slots.$slot = None,
        }
    };
}
macro_rules! unary {
    ($name:literal, $slot:ident, $generic:expr) => {
        slot!(
            $name,
            $slot,
            Some((0, 0)),
            Some($generic),
            |vm, f, s, a, k| f(vm, s)
        )
    };
}
macro_rules! binary {
    ($name:literal, $op:expr, $generic:ident) => {
        number_slot!($name, $op, $generic, |vm, f, s, a| f(vm, s, a[0]))
    };
}
macro_rules! reflected {
    ($name:literal, $op:expr, $generic:ident) => {
        number_slot!($name, $op, $generic, |vm, f, s, a| f(vm, a[0], s))
    };
}
macro_rules! number_slot {
    ($name:literal, $op:expr, $generic:ident, |$vm:ident, $f:ident, $s:ident, $a:ident| $call:expr) => {
        SlotDef {
            name: $name,
            group: stringify!($op),
            arity: Some((1, if $op == nb::POWER { 2 } else { 1 })),
            is_set: |slots| slots.nb[$op].is_some(),
            wrap: |$vm, slots, $s, $a, _| {
                if let [other, modulus] = *$a {
                    return number::power($vm, $s, other, modulus);
                }
                let $f = slots.nb[$op].ok_or_else(|| missing($vm))?;
                $call
            },
            set_generic: |slots| slots.nb[$op] = Some(generic::$generic),
            copy: |slots, from| slots.nb[$op] = from.nb[$op],
            clear: |slots| slots.nb[$op] = None,
        }
    };
}
macro_rules! compare {
    ($name:literal, $op:ident) => {
        slot!(
            $name,
            richcompare,
            Some((1, 1)),
            Some(generic::richcompare),
            |vm, f, s, a, k| f(vm, s, a[0], CompareOp::$op)
        )
    };
}
fn none(result: Result<(), Raised>) -> PyResult {
    result.map(|()| Owned::NONE)
}

pub static SLOT_DEFS: &[SlotDef] = &[
    slot!(
        "__getattribute__",
        getattro,
        Some((1, 1)),
        Some(generic::getattro),
        |vm, f, s, a, k| {
            attr::require_name(vm, a[0])?;
            f(vm, s, a[0])
        }
    ),
    slot!(
        "__getattr__",
        getattro,
        Some((1, 1)),
        Some(generic::getattro),
        |vm, f, s, a, k| {
            attr::require_name(vm, a[0])?;
            f(vm, s, a[0])
        }
    ),
    slot!(
        "__setattr__",
        setattro,
        Some((2, 2)),
        Some(generic::setattro),
        |vm, f, s, a, k| {
            attr::require_name(vm, a[0])?;
            none(f(vm, s, a[0], Some(a[1])))
        }
    ),
    slot!(
        "__delattr__",
        setattro,
        Some((1, 1)),
        Some(generic::setattro),
        |vm, f, s, a, k| {
            attr::require_name(vm, a[0])?;
            none(f(vm, s, a[0], None))
        }
    ),
    unary!("__repr__", repr, generic::repr),
    slot!(
        "__hash__",
        hash,
        Some((0, 0)),
        Some(generic::hash),
        |vm, f, s, a, k| vm.new_int(f(vm, s)?)
    ),
    slot!(
        "__call__",
        call,
        None,
        Some(generic::call),
        |vm, f, s, a, k| f(vm, s, a.into(), k)
    ),
    unary!("__str__", str, generic::str),
    compare!("__lt__", Lt),
    compare!("__le__", Le),
    compare!("__eq__", Eq),
    compare!("__ne__", Ne),
    compare!("__gt__", Gt),
    compare!("__ge__", Ge),
    unary!("__iter__", iter, generic::iter),
    slot!(
        "__next__",
        iternext,
        Some((0, 0)),
        Some(generic::iternext),
        |vm, f, s, a, k| match f(vm, s)? {
            Some(item) => Ok(item),
            None => Err(vm.raise_with(vm.exc.StopIteration, &[])),
        }
    ),
    slot!(
        "__get__",
        descr_get,
        Some((1, 2)),
        Some(generic::descr_get),
        |vm, f, s, a, k| {
            let object = Some(a[0]).filter(|object| !object.is_none());
            let ty = a.get(1).copied().filter(|ty| !ty.is_none());
            if object.is_none() && ty.is_none() {
                return Err(vm.type_error("__get__(None, None) is invalid"));
            }
            f(vm, s, object, ty)
        }
    ),
    slot!(
        "__set__",
        descr_set,
        Some((2, 2)),
        Some(generic::descr_set),
        |vm, f, s, a, k| none(f(vm, s, a[0], Some(a[1])))
    ),
    slot!(
        "__delete__",
        descr_set,
        Some((1, 1)),
        Some(generic::descr_set),
        |vm, f, s, a, k| none(f(vm, s, a[0], None))
    ),
    slot!(
        "__init__",
        init,
        None,
        Some(generic::init),
        |vm, f, s, a, k| none(f(vm, s, a, k))
    ),
    slot!(
        "__len__",
        len,
        Some((0, 0)),
        Some(generic::len),
        |vm, f, s, a, k| vm.new_int_usize(f(vm, s)?)
    ),
    slot!(
        "__getitem__",
        getitem,
        Some((1, 1)),
        Some(generic::getitem),
        |vm, f, s, a, k| f(vm, s, a[0])
    ),
    slot!(
        "__setitem__",
        setitem,
        Some((2, 2)),
        Some(generic::setitem),
        |vm, f, s, a, k| none(f(vm, s, a[0], Some(a[1])))
    ),
    slot!(
        "__delitem__",
        setitem,
        Some((1, 1)),
        Some(generic::setitem),
        |vm, f, s, a, k| none(f(vm, s, a[0], None))
    ),
    slot!(
        "__contains__",
        contains,
        Some((1, 1)),
        Some(generic::contains),
        |vm, f, s, a, k| Ok(Owned::bool(f(vm, s, a[0])?))
    ),
    binary!("__add__", nb::ADD, add),
    reflected!("__radd__", nb::ADD, add),
    // A sequence's own forms of + and *: a class's methods fill the numbers' slots instead.
    slot!("__add__", concat, Some((1, 1)), None, |vm, f, s, a, k| f(
        vm, s, a[0]
    )),
    binary!("__sub__", nb::SUBTRACT, sub),
    reflected!("__rsub__", nb::SUBTRACT, sub),
    binary!("__mul__", nb::MULTIPLY, mul),
    reflected!("__rmul__", nb::MULTIPLY, mul),
    slot!("__mul__", repeat, Some((1, 1)), None, |vm, f, s, a, k| f(
        vm,
        s,
        number::index_for_repeat(vm, a[0])?
    )),
    slot!("__rmul__", repeat, Some((1, 1)), None, |vm, f, s, a, k| f(
        vm,
        s,
        number::index_for_repeat(vm, a[0])?
    )),
    binary!("__mod__", nb::REMAINDER, remainder),
    reflected!("__rmod__", nb::REMAINDER, remainder),
    slot!(
        "__divmod__",
        divmod,
        Some((1, 1)),
        Some(generic::divmod),
        |vm, f, s, a, k| f(vm, s, a[0])
    ),
    slot!(
        "__rdivmod__",
        divmod,
        Some((1, 1)),
        Some(generic::divmod),
        |vm, f, s, a, k| f(vm, a[0], s)
    ),
    binary!("__pow__", nb::POWER, pow),
    reflected!("__rpow__", nb::POWER, pow),
    unary!("__neg__", neg, generic::neg),
    unary!("__pos__", pos, generic::pos),
    unary!("__abs__", abs, generic::abs),
    slot!(
        "__bool__",
        bool,
        Some((0, 0)),
        Some(generic::bool),
        |vm, f, s, a, k| Ok(Owned::bool(f(vm, s)?))
    ),
    unary!("__invert__", invert, generic::invert),
    binary!("__lshift__", nb::LSHIFT, lshift),
    reflected!("__rlshift__", nb::LSHIFT, lshift),
    binary!("__rshift__", nb::RSHIFT, rshift),
    reflected!("__rrshift__", nb::RSHIFT, rshift),
    binary!("__and__", nb::AND, and),
    reflected!("__rand__", nb::AND, and),
    binary!("__xor__", nb::XOR, xor),
    reflected!("__rxor__", nb::XOR, xor),
    binary!("__or__", nb::OR, or),
    reflected!("__ror__", nb::OR, or),
    unary!("__int__", int, generic::int),
    unary!("__float__", float, generic::float),
    binary!("__iadd__", nb::INPLACE + nb::ADD, inplace_add),
    slot!(
        "__iadd__",
        inplace_concat,
        Some((1, 1)),
        None,
        |vm, f, s, a, k| f(vm, s, a[0])
    ),
    binary!("__isub__", nb::INPLACE + nb::SUBTRACT, inplace_sub),
    binary!("__imul__", nb::INPLACE + nb::MULTIPLY, inplace_mul),
    slot!(
        "__imul__",
        inplace_repeat,
        Some((1, 1)),
        None,
        |vm, f, s, a, k| f(vm, s, number::index_for_repeat(vm, a[0])?)
    ),
    binary!("__imod__", nb::INPLACE + nb::REMAINDER, inplace_remainder),
    binary!("__ipow__", nb::INPLACE + nb::POWER, inplace_pow),
    binary!("__ilshift__", nb::INPLACE + nb::LSHIFT, inplace_lshift),
    binary!("__irshift__", nb::INPLACE + nb::RSHIFT, inplace_rshift),
    binary!("__iand__", nb::INPLACE + nb::AND, inplace_and),
    binary!("__ixor__", nb::INPLACE + nb::XOR, inplace_xor),
    binary!("__ior__", nb::INPLACE + nb::OR, inplace_or),
    binary!("__floordiv__", nb::FLOOR_DIVIDE, floordiv),
    reflected!("__rfloordiv__", nb::FLOOR_DIVIDE, floordiv),
    binary!("__truediv__", nb::TRUE_DIVIDE, truediv),
    reflected!("__rtruediv__", nb::TRUE_DIVIDE, truediv),
    binary!(
        "__ifloordiv__",
        nb::INPLACE + nb::FLOOR_DIVIDE,
        inplace_floordiv
    ),
    binary!(
        "__itruediv__",
        nb::INPLACE + nb::TRUE_DIVIDE,
        inplace_truediv
    ),
    unary!("__index__", index, generic::index),
    binary!("__matmul__", nb::MATRIX_MULTIPLY, matmul),
    reflected!("__rmatmul__", nb::MATRIX_MULTIPLY, matmul),
    binary!(
        "__imatmul__",
        nb::INPLACE + nb::MATRIX_MULTIPLY,
        inplace_matmul
    ),
];

/// CPython's wrappers count in three ways: most by themselves, those of a few names as other native functions do.
fn wrong_count(name: &str, min: usize, max: usize, given: usize) -> String {
    let of = match name {
        "__get__" | "__set__" | "__setattr__" | "__setitem__" => format!("{name} expected"),
        _ => "expected".to_owned(),
    };
    if min == max {
        let s = if min == 1 { "" } else { "s" };
        return format!("{of} {min} argument{s}, got {given}");
    }
    if name.ends_with("pow__") {
        return format!("{of} {min} or {max} arguments, got {given}");
    }
    let (bound, limit) = if given < min {
        ("at least", min)
    } else {
        ("at most", max)
    };
    let s = if limit == 1 { "" } else { "s" };
    format!("{of} {bound} {limit} argument{s}, got {given}")
}

/// Calls a slot wrapper's slot on `self`, its arguments checked (`wrap_*`).
pub(super) fn call_wrapper(
    vm: Vm,
    def: &SlotDef,
    owner: *mut TypeObject,
    self_: Word,
    args: &[Word],
    kwnames: Option<Word>,
) -> PyResult {
    if let Some((min, max)) = def.arity {
        let given = args.len() - args::keyword_names(kwnames).len();
        if given != args.len() {
            return Err(vm.type_error(format!("wrapper {}() takes no keyword arguments", def.name)));
        }
        if given < min || given > max {
            return Err(vm.type_error(wrong_count(def.name, min, max, given)));
        }
    }
    // SAFETY: types outlive their wrappers; slots are copied so that a change of the type meanwhile does no harm.
    let slots = unsafe { (*owner).slots };
    (def.wrap)(vm, &slots, self_, args, kwnames)
}
