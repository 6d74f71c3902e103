//! Equality and hashes of code objects (`code_richcompare`, `code_hash`): by what they do, not by where they stand.

use super::code_type::of;
use crate::object::hash::TupleHasher;
use crate::object::types::CompareOp;
use crate::object::{
    Kind, Owned, PyResult, Raised, Vm, Word, complex, float, protocol, slice, tuple,
};

pub(super) fn compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    let wants_equal = match op {
        CompareOp::Eq => true,
        CompareOp::Ne => false,
        _ => return Ok(Owned::NOT_IMPLEMENTED),
    };
    if !a.is_exact(Kind::CODE) || !b.is_exact(Kind::CODE) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    Ok(Owned::bool(equal(vm, a, b)? == wants_equal))
}

fn equal(vm: Vm, a: Word, b: Word) -> Result<bool, Raised> {
    if a.is(b) {
        return Ok(true);
    }
    let (left, right) = (of(a), of(b));
    let (x, y) = (&left.spec, &right.spec);
    let same = x.name == y.name
        && (x.argcount, x.posonlyargcount, x.kwonlyargcount)
            == (y.argcount, y.posonlyargcount, y.kwonlyargcount)
        && (x.flags, x.firstlineno) == (y.flags, y.firstlineno)
        && x.code == y.code
        && x.names == y.names
        && x.localsplusnames == y.localsplusnames
        && x.linetable == y.linetable
        && x.exceptiontable == y.exceptiontable;
    Ok(same && all_equal(vm, left.consts(), right.consts())?)
}

fn all_equal(vm: Vm, a: &[Word], b: &[Word]) -> Result<bool, Raised> {
    if a.len() != b.len() {
        return Ok(false);
    }
    vm.check_stack(" in comparison")?;
    for (a, b) in a.iter().zip(b) {
        if !same_constant(vm, *a, *b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Equal, and of the same types all through (`_PyCode_ConstantKey`): `0`, `0.0`, `-0.0` and `False` are four constants. What
/// the compiler does not make is equal to itself only.
fn same_constant(vm: Vm, a: Word, b: Word) -> Result<bool, Raised> {
    if a.is(b) {
        return Ok(true);
    }
    if vm.type_of(a) != vm.type_of(b) {
        return Ok(false);
    }
    match a.kind() {
        Kind::CODE => equal(vm, a, b),
        Kind::TUPLE => {
            // SAFETY: tuples by their kind, which their holders keep.
            unsafe { all_equal(vm, tuple::items(a), tuple::items(b)) }
        }
        Kind::SLICE => all_equal(vm, &slice::parts(a), &slice::parts(b)),
        Kind::FLOAT => Ok(float::value(a).map(f64::to_bits) == float::value(b).map(f64::to_bits)),
        Kind::COMPLEX => {
            let bits = |word| complex::value(word).map(|z| (z.real.to_bits(), z.imag.to_bits()));
            Ok(bits(a) == bits(b))
        }
        Kind::INT | Kind::STR | Kind::BYTES | Kind::FROZENSET => {
            protocol::rich_compare_bool(vm, a, b, CompareOp::Eq)
        }
        _ => Ok(false),
    }
}

pub(super) fn hash(vm: Vm, code: Word) -> Result<i64, Raised> {
    vm.check_stack("")?;
    let code = of(code);
    let spec = &code.spec;
    let mut hasher = TupleHasher::default();
    hasher.add(protocol::hash(vm, code.name)?);
    for constant in code.consts() {
        hasher.add(protocol::hash(vm, *constant)?);
    }
    for name in code.names.iter().chain(&code.localsplusnames) {
        hasher.add(protocol::hash(vm, *name)?);
    }
    let numbers = [
        spec.argcount,
        spec.posonlyargcount,
        spec.kwonlyargcount,
        spec.flags,
        spec.firstlineno as u32,
    ];
    numbers
        .iter()
        .for_each(|number| hasher.add(i64::from(*number)));
    for bytes in [&spec.code, &spec.linetable, &spec.exceptiontable] {
        hasher.add(crate::object::hash::hash_bytes(vm, bytes));
    }
    Ok(hasher.finish())
}
