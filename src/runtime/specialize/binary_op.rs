//! BINARY_OP (`_Py_Specialize_BinaryOp`).

use super::{Decision, Refusal};
use crate::bytecode::Opcode;
use crate::object::number::nb;
use crate::object::types::type_flag;
use crate::object::{Kind, PyResult, Vm, Word, float};
use crate::runtime::call::fits_headroom;
use crate::runtime::frame::{Ip, Locals};
use crate::runtime::function::FunctionObject;

/// A pair of types with an operation that BINARY_OP_EXTEND knows (`_PyBinaryOpSpecializationDescr`).
pub struct Extension {
    op: usize,
    pub guard: fn(Word, Word) -> bool,
    pub action: fn(Vm, Word, Word) -> PyResult,
}

fn both_ints(a: Word, b: Word) -> bool {
    Word::both_int(a, b)
}
fn float_and_int(a: Word, b: Word) -> bool {
    float::exact_value(a).is_some_and(|x| !x.is_nan()) && b.is_int()
}
fn nonzero_float_and_int(a: Word, b: Word) -> bool {
    float_and_int(a, b) && b.as_int() != 0
}
fn int_and_float(a: Word, b: Word) -> bool {
    a.is_int() && float::exact_value(b).is_some_and(|x| !x.is_nan())
}
fn int_and_nonzero_float(a: Word, b: Word) -> bool {
    int_and_float(a, b) && number(b) != 0.0
}
/// An int or float operand as a float.
fn number(word: Word) -> f64 {
    if word.is_int() {
        word.as_int() as f64
    } else {
        float::exact_value(word).unwrap_or(f64::NAN)
    }
}

macro_rules! extensions {
    ($($op:ident $(+ $inplace:ident)? $guard:ident $action:expr;)*) => {
        &[$(Extension { op: nb::$op $(+ nb::$inplace)?, guard: $guard, action: $action }),*]
    };
}

/// In CPython's order: ints, then a float with an int, then an int with a float.
static EXTENSIONS: &[Extension] = extensions! {
    OR both_ints |vm, a, b| vm.new_int(a.as_int() | b.as_int());
    AND both_ints |vm, a, b| vm.new_int(a.as_int() & b.as_int());
    XOR both_ints |vm, a, b| vm.new_int(a.as_int() ^ b.as_int());
    OR + INPLACE both_ints |vm, a, b| vm.new_int(a.as_int() | b.as_int());
    AND + INPLACE both_ints |vm, a, b| vm.new_int(a.as_int() & b.as_int());
    XOR + INPLACE both_ints |vm, a, b| vm.new_int(a.as_int() ^ b.as_int());
    ADD float_and_int |vm, a, b| vm.new_float(number(a) + number(b));
    SUBTRACT float_and_int |vm, a, b| vm.new_float(number(a) - number(b));
    TRUE_DIVIDE nonzero_float_and_int |vm, a, b| vm.new_float(number(a) / number(b));
    MULTIPLY float_and_int |vm, a, b| vm.new_float(number(a) * number(b));
    ADD int_and_float |vm, a, b| vm.new_float(number(a) + number(b));
    SUBTRACT int_and_float |vm, a, b| vm.new_float(number(a) - number(b));
    TRUE_DIVIDE int_and_nonzero_float |vm, a, b| vm.new_float(number(a) / number(b));
    MULTIPLY int_and_float |vm, a, b| vm.new_float(number(a) * number(b));
};

impl Extension {
    /// The one that a cache names.
    pub fn of(descr: u64) -> Option<&'static Extension> {
        EXTENSIONS.get(descr as usize)
    }
}

/// Decides for the site at `instr`; what BINARY_OP_EXTEND needs goes into its cache.
///
/// # Safety
/// `instr` is a BINARY_OP in live code, `locals` are the running frame's.
pub unsafe fn decide(
    vm: Vm,
    instr: Ip,
    locals: Locals,
    lhs: Word,
    rhs: Word,
    op: usize,
) -> Decision {
    let both = |kind| lhs.kind() == kind && rhs.kind() == kind;
    let plain = if (nb::INPLACE..nb::SUBSCR).contains(&op) {
        op - nb::INPLACE
    } else {
        op
    };
    match plain {
        nb::ADD if both(Kind::STR) => {
            // SAFETY: five cache units follow, then the next instruction.
            let next = unsafe { instr.add(12) };
            let appends = unsafe { next_store_is(next, locals, lhs) };
            return Ok(if appends {
                Opcode::BINARY_OP_INPLACE_ADD_UNICODE
            } else {
                Opcode::BINARY_OP_ADD_UNICODE
            });
        }
        nb::ADD if Word::both_int(lhs, rhs) => {
            return Ok(Opcode::BINARY_OP_ADD_INT);
        }
        nb::ADD if both(Kind::FLOAT) => return Ok(Opcode::BINARY_OP_ADD_FLOAT),
        nb::MULTIPLY if Word::both_int(lhs, rhs) => {
            return Ok(Opcode::BINARY_OP_MULTIPLY_INT);
        }
        nb::MULTIPLY if both(Kind::FLOAT) => {
            return Ok(Opcode::BINARY_OP_MULTIPLY_FLOAT);
        }
        nb::SUBTRACT if Word::both_int(lhs, rhs) => {
            return Ok(Opcode::BINARY_OP_SUBTRACT_INT);
        }
        nb::SUBTRACT if both(Kind::FLOAT) => {
            return Ok(Opcode::BINARY_OP_SUBTRACT_FLOAT);
        }
        nb::SUBSCR => return subscript(vm, lhs, rhs),
        _ => {}
    }
    match EXTENSIONS
        .iter()
        .position(|e| e.op == op && (e.guard)(lhs, rhs))
    {
        Some(index) => {
            // SAFETY: the units behind the counter.
            unsafe { instr.add(4).cast::<u64>().write_unaligned(index as u64) };
            Ok(Opcode::BINARY_OP_EXTEND)
        }
        None => Err(refused(plain, lhs.kind(), rhs.kind())),
    }
}

/// Which operation on what kinds of operands stays generic (`binary_op_fail_kind`).
#[cold]
fn refused(op: usize, left: Kind, right: Kind) -> Refusal {
    let same = left == right;
    let ints = same && left == Kind::INT;
    match op {
        nb::ADD if same => Refusal::AddOther,
        nb::ADD => Refusal::AddDifferentTypes,
        nb::AND if ints => Refusal::AndInt,
        nb::AND if same => Refusal::AndOther,
        nb::AND => Refusal::AndDifferentTypes,
        nb::FLOOR_DIVIDE => Refusal::FloorDivide,
        nb::LSHIFT => Refusal::LShift,
        nb::MATRIX_MULTIPLY => Refusal::MatrixMultiply,
        nb::MULTIPLY if same => Refusal::MultiplyOther,
        nb::MULTIPLY => Refusal::MultiplyDifferentTypes,
        nb::OR if ints => Refusal::OrInt,
        nb::OR if same => Refusal::Or,
        nb::OR => Refusal::OrDifferentTypes,
        nb::POWER => Refusal::Power,
        nb::REMAINDER => Refusal::Remainder,
        nb::RSHIFT => Refusal::RShift,
        nb::SUBTRACT if same => Refusal::SubtractOther,
        nb::SUBTRACT => Refusal::SubtractDifferentTypes,
        nb::TRUE_DIVIDE if !same => Refusal::TrueDivideDifferentTypes,
        nb::TRUE_DIVIDE if left == Kind::FLOAT => Refusal::TrueDivideFloat,
        nb::TRUE_DIVIDE => Refusal::TrueDivideOther,
        nb::XOR if ints => Refusal::XorInt,
        nb::XOR if same => Refusal::Xor,
        nb::XOR => Refusal::XorDifferentTypes,
        _ => Refusal::Other,
    }
}

/// Whether the instruction at `next` stores to the local that holds `left`.
///
/// # Safety
/// `next` is an instruction of the running frame, `locals` are its.
pub unsafe fn next_store_is(next: Ip, locals: Locals, left: Word) -> bool {
    unsafe {
        u16::from(*next) == Opcode::STORE_FAST.0 && (*locals.add(*next.add(1) as usize)).is(left)
    }
}

fn subscript(vm: Vm, container: Word, sub: Word) -> Decision {
    let index = sub.is_int() && sub.as_int() >= 0;
    match container.kind() {
        Kind::LIST if index => Ok(Opcode::BINARY_OP_SUBSCR_LIST_INT),
        Kind::LIST if sub.is_exact(Kind::SLICE) => Ok(Opcode::BINARY_OP_SUBSCR_LIST_SLICE),
        Kind::TUPLE if index => Ok(Opcode::BINARY_OP_SUBSCR_TUPLE_INT),
        Kind::STR if index => Ok(Opcode::BINARY_OP_SUBSCR_STR_INT),
        Kind::DICT => Ok(Opcode::BINARY_OP_SUBSCR_DICT),
        Kind::LIST | Kind::TUPLE | Kind::STR if sub.kind() == Kind::INT => Err(Refusal::OutOfRange),
        _ => getitem(vm, container, sub),
    }
}

/// What else is subscripted, by the type's name.
#[cold]
fn refused_subscript(vm: Vm, container: Word, sub: Word) -> Refusal {
    let slice = sub.is_exact(Kind::SLICE);
    // SAFETY: types live as long as an instance.
    let name = unsafe { (*vm.type_of(container)).name_string() };
    match name.as_str() {
        "tuple" if slice => Refusal::SubscriptTupleSlice,
        "str" if slice => Refusal::SubscriptStringSlice,
        _ if slice => Refusal::SubscriptOtherSlice,
        "mappingproxy" => Refusal::SubscriptMappingProxy,
        "array.array" => Refusal::SubscriptArray,
        "collections.deque" => Refusal::SubscriptDeque,
        "collections.defaultdict" => Refusal::SubscriptDefaultDict,
        "collections.OrderedDict" => Refusal::SubscriptOrderedDict,
        "bytes" => Refusal::SubscriptBytes,
        "range" => Refusal::SubscriptRange,
        _ => Refusal::Subscript,
    }
}

/// A class whose `__getitem__` is a Python function: the type keeps it, until it is modified
/// (`_PyType_CacheGetItemForSpecialization`).
fn getitem(vm: Vm, container: Word, sub: Word) -> Decision {
    // SAFETY: types are live as long as an instance.
    unsafe {
        let ty = &*vm.type_of(container);
        let function = ty.lookup(vm.names.__getitem__);
        let Some(function) = function.filter(|found| found.is_exact(Kind::FUNCTION)) else {
            return Err(refused_subscript(vm, container, sub));
        };
        if !ty.has_flag(type_flag::HEAPTYPE) {
            return Err(Refusal::SubscriptNotHeapType);
        }
        let code = super::python_arguments(function, 2)?;
        if !fits_headroom(&*code) {
            return Err(Refusal::FrameTooLarge);
        }
        let version = (*function.cast::<FunctionObject>()).version.get();
        if version == 0 || ty.version() == 0 {
            return Err(Refusal::OutOfVersions);
        }
        ty.spec_getitem.set(Some(function.borrow()));
        ty.spec_getitem_version.set(version);
        Ok(Opcode::BINARY_OP_SUBSCR_GETITEM)
    }
}
