//! Operators on any object (`abstract.c`, number part).

use super::owned::{Owned, PyResult, Raised};
use super::types::{BinaryFn, TypeObject, UnaryFn, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{int, sequence, str};
use std::ptr::fn_addr_eq;

/// `NB_*` numbers, the argument of BINARY_OP.
pub mod nb {
    pub const ADD: usize = 0;
    pub const AND: usize = 1;
    pub const FLOOR_DIVIDE: usize = 2;
    pub const LSHIFT: usize = 3;
    pub const MATRIX_MULTIPLY: usize = 4;
    pub const MULTIPLY: usize = 5;
    pub const REMAINDER: usize = 6;
    pub const OR: usize = 7;
    pub const POWER: usize = 8;
    pub const RSHIFT: usize = 9;
    pub const SUBTRACT: usize = 10;
    pub const TRUE_DIVIDE: usize = 11;
    pub const XOR: usize = 12;
    /// The in-place form of an operation is this much higher.
    pub const INPLACE: usize = 13;
    pub const SUBSCR: usize = 26;
}

const SYMBOLS: [&str; 13] = [
    "+",
    "&",
    "//",
    "<<",
    "@",
    "*",
    "%",
    "|",
    "** or pow()",
    ">>",
    "-",
    "/",
    "^",
];

/// `a op b` of two immediate ints where the result is one too, without the slots (the compact paths of `long_mod` and
/// its like). None for what may raise, needs a big number or gives a float.
#[inline]
pub fn immediate(op: usize, a: Word, b: Word) -> Option<Word> {
    if !Word::both_int(a, b) {
        return None;
    }
    let (a, b) = (a.as_int(), b.as_int());
    let base = if op >= nb::INPLACE {
        op - nb::INPLACE
    } else {
        op
    };
    match base {
        nb::ADD => Word::int(a + b),
        nb::SUBTRACT => Word::int(a - b),
        nb::MULTIPLY => a.checked_mul(b).and_then(Word::int),
        // Euclid's division rounds down for a positive divisor, as Python does.
        nb::FLOOR_DIVIDE if b > 0 => Some(Word::int_unchecked(a.div_euclid(b))),
        nb::REMAINDER if b > 0 => Some(Word::int_unchecked(a.rem_euclid(b))),
        nb::AND => Some(Word::int_unchecked(a & b)),
        nb::OR => Some(Word::int_unchecked(a | b)),
        nb::XOR => Some(Word::int_unchecked(a ^ b)),
        nb::RSHIFT if b >= 0 => Some(Word::int_unchecked(a >> b.min(63))),
        nb::LSHIFT if (0..62).contains(&b) => {
            let shifted = a << b;
            (shifted >> b == a).then(|| Word::int(shifted)).flatten()
        }
        _ => None,
    }
}

/// `a op b` by its `NB_*` number, subscript included (`_PyEval_BinaryOps`).
pub fn number_binary(vm: Vm, op: usize, a: Word, b: Word) -> PyResult {
    if op == nb::SUBSCR {
        return sequence::get_item(vm, a, b);
    }
    let (base, inplace) = if op >= nb::INPLACE {
        (op - nb::INPLACE, true)
    } else {
        (op, false)
    };
    if inplace {
        // SAFETY: types are live as long as an instance.
        if let Some(slot) = unsafe { (*vm.type_of(a)).slots.nb[op] } {
            let answer = slot(vm, a, b)?;
            if answer.as_word() != Word::NOT_IMPLEMENTED {
                return Ok(answer);
            }
        }
    }
    let answer = binary_slots(vm, base, a, b)?;
    if answer.as_word() != Word::NOT_IMPLEMENTED {
        return Ok(answer);
    }
    let (left, right) = (vm.type_of(a), vm.type_of(b));
    // SAFETY: as above.
    unsafe {
        match base {
            nb::ADD => {
                let concat = if inplace {
                    (*left).slots.inplace_concat.or((*left).slots.concat)
                } else {
                    (*left).slots.concat
                };
                if let Some(concat) = concat {
                    return concat(vm, a, b);
                }
            }
            nb::MULTIPLY => {
                let repeat = if inplace {
                    (*left).slots.inplace_repeat.or((*left).slots.repeat)
                } else {
                    (*left).slots.repeat
                };
                if let Some(repeat) = repeat {
                    return repeat(vm, a, repeat_count(vm, b)?);
                }
                // In place, only what is no sequence itself gives way to one on the right.
                let sequence = (*left).has_flag(type_flag::HEAPTYPE);
                if let Some(repeat) = (*right).slots.repeat
                    && !(inplace && sequence)
                {
                    return repeat(vm, b, repeat_count(vm, a)?);
                }
            }
            _ => {}
        }
    }
    Err(unsupported(vm, base, inplace, a, b))
}

fn repeat_count(vm: Vm, count: Word) -> Result<isize, Raised> {
    if !is_index(vm, count) {
        return Err(vm.type_error(format!(
            "can't multiply sequence by non-int of type '{}'",
            vm.type_name(count)
        )));
    }
    index_for_repeat(vm, count)
}

#[cold]
fn unsupported(vm: Vm, base: usize, inplace: bool, a: Word, b: Word) -> Raised {
    let symbol = match (base, inplace) {
        (nb::POWER, true) => "**=".to_owned(),
        (_, true) => format!("{}=", SYMBOLS[base]),
        (_, false) => SYMBOLS[base].to_owned(),
    };
    let hint = if base == nb::RSHIFT
        && !inplace
        && super::descr::method_def(a).is_some_and(|def| def.name == "print")
    {
        ". Did you mean \"print(<message>, file=<output_stream>)\"?"
    } else {
        ""
    };
    vm.type_error(format!(
        "unsupported operand type(s) for {symbol}: '{}' and '{}'{hint}",
        vm.type_name(a),
        vm.type_name(b)
    ))
}

/// Tries the operands' own slots: the right one's first if its type is a subclass (`binary_op1`).
fn binary_slots(vm: Vm, op: usize, a: Word, b: Word) -> PyResult {
    let (left, right) = (vm.type_of(a), vm.type_of(b));
    // SAFETY: types are live as long as an instance.
    let (first, second) = unsafe { ((*left).slots.nb[op], (*right).slots.nb[op]) };
    dispatch(vm, left, right, first, second, a, b)
}

fn dispatch(
    vm: Vm,
    left: *mut TypeObject,
    right: *mut TypeObject,
    first: Option<BinaryFn>,
    second: Option<BinaryFn>,
    a: Word,
    b: Word,
) -> PyResult {
    let second = match (first, second) {
        _ if left == right => None,
        (Some(first), Some(second)) if fn_addr_eq(first, second) => None,
        _ => second,
    };
    let mut second = second;
    if let Some(first) = first {
        // SAFETY: types are live as long as an instance.
        if let Some(subclass) = second
            && unsafe { (*right).is_subtype(left) }
        {
            let answer = subclass(vm, a, b)?;
            if answer.as_word() != Word::NOT_IMPLEMENTED {
                return Ok(answer);
            }
            second = None;
        }
        let answer = first(vm, a, b)?;
        if answer.as_word() != Word::NOT_IMPLEMENTED {
            return Ok(answer);
        }
    }
    match second {
        Some(second) => second(vm, a, b),
        None => Ok(Owned::NOT_IMPLEMENTED),
    }
}

/// `divmod(a, b)` (`PyNumber_Divmod`).
pub fn divmod(vm: Vm, a: Word, b: Word) -> PyResult {
    let (left, right) = (vm.type_of(a), vm.type_of(b));
    // SAFETY: types are live as long as an instance.
    let (first, second) = unsafe { ((*left).slots.divmod, (*right).slots.divmod) };
    let answer = dispatch(vm, left, right, first, second, a, b)?;
    if answer.as_word() != Word::NOT_IMPLEMENTED {
        return Ok(answer);
    }
    Err(vm.type_error(format!(
        "unsupported operand type(s) for divmod(): '{}' and '{}'",
        vm.type_name(a),
        vm.type_name(b)
    )))
}

/// `pow(a, b, modulus)`; None as modulus is plain power (`PyNumber_Power`).
pub fn power(vm: Vm, a: Word, b: Word, modulus: Word) -> PyResult {
    if modulus.is_none() {
        return number_binary(vm, nb::POWER, a, b);
    }
    // SAFETY: types are live as long as an instance.
    for operand in [a, b, modulus] {
        if let Some(slot) = unsafe { (*vm.type_of(operand)).slots.power_mod } {
            let answer = slot(vm, a, b, modulus)?;
            if answer.as_word() != Word::NOT_IMPLEMENTED {
                return Ok(answer);
            }
        }
    }
    Err(vm.type_error(format!(
        "unsupported operand type(s) for ** or pow(): '{}', '{}', '{}'",
        vm.type_name(a),
        vm.type_name(b),
        vm.type_name(modulus)
    )))
}

fn unary(vm: Vm, object: Word, slot: Option<UnaryFn>, operator: &str) -> PyResult {
    match slot {
        Some(slot) => slot(vm, object),
        None => Err(vm.type_error(format!(
            "bad operand type for {operator}: '{}'",
            vm.type_name(object)
        ))),
    }
}
/// `-o` (`PyNumber_Negative`).
pub fn negative(vm: Vm, object: Word) -> PyResult {
    // SAFETY: types are live as long as an instance, here and below.
    unary(
        vm,
        object,
        unsafe { (*vm.type_of(object)).slots.neg },
        "unary -",
    )
}
/// `+o` (`PyNumber_Positive`).
pub fn positive(vm: Vm, object: Word) -> PyResult {
    unary(
        vm,
        object,
        unsafe { (*vm.type_of(object)).slots.pos },
        "unary +",
    )
}
/// `~o` (`PyNumber_Invert`).
pub fn invert(vm: Vm, object: Word) -> PyResult {
    unary(
        vm,
        object,
        unsafe { (*vm.type_of(object)).slots.invert },
        "unary ~",
    )
}
/// `abs(o)` (`PyNumber_Absolute`).
pub fn absolute(vm: Vm, object: Word) -> PyResult {
    unary(
        vm,
        object,
        unsafe { (*vm.type_of(object)).slots.abs },
        "abs()",
    )
}

/// Whether a value can be used as an index (`PyIndex_Check`).
pub fn is_index(vm: Vm, object: Word) -> bool {
    // SAFETY: types are live as long as an instance.
    object.is_int() || unsafe { (*vm.type_of(object)).slots.index.is_some() }
}

/// The int that a value stands for as an index: an int, of a subclass perhaps (`_PyNumber_Index`).
pub fn index(vm: Vm, object: Word) -> PyResult {
    if int::is_int(object) {
        return Ok(Owned::new_ref(object));
    }
    // SAFETY: types are live as long as an instance.
    let Some(slot) = (unsafe { (*vm.type_of(object)).slots.index }) else {
        return Err(vm.type_error(format!(
            "'{}' object cannot be interpreted as an integer",
            vm.type_name(object)
        )));
    };
    let answer = slot(vm, object)?;
    if int::is_int(answer.as_word()) {
        return Ok(answer);
    }
    Err(vm.type_error(format!(
        "__index__ returned non-int (type {})",
        vm.type_name(answer.as_word())
    )))
}

/// An argument as a machine integer; OverflowError beyond (`PyLong_AsSsize_t` of an index).
pub fn index_isize(vm: Vm, object: Word) -> Result<isize, Raised> {
    if object.is_int() {
        return Ok(object.as_int() as isize);
    }
    let answer = index(vm, object)?;
    match int::value(answer.as_word()).and_then(int::IntRef::to_i64) {
        Some(value) => Ok(value as isize),
        None => Err(vm.overflow_error("Python int too large to convert to C ssize_t")),
    }
}
/// How often a sequence is to be repeated (`PyNumber_AsSsize_t` with OverflowError).
pub fn index_for_repeat(vm: Vm, object: Word) -> Result<isize, Raised> {
    index_or(vm, object, vm.exc.OverflowError)
}
/// The same, but IndexError when it does not fit, as for subscripts.
pub fn index_for_subscript(vm: Vm, object: Word) -> Result<isize, Raised> {
    index_or(vm, object, vm.exc.IndexError)
}
fn index_or(vm: Vm, object: Word, error: *mut TypeObject) -> Result<isize, Raised> {
    if object.is_int() {
        return Ok(object.as_int() as isize);
    }
    let answer = index(vm, object)?;
    match int::value(answer.as_word()).and_then(int::IntRef::to_i64) {
        Some(value) => Ok(value as isize),
        None => Err(vm.raise(
            error,
            format!(
                "cannot fit '{}' into an index-sized integer",
                vm.type_name(object)
            ),
        )),
    }
}
/// An index clamped to what a machine integer holds, as slices take it (`PyNumber_AsSsize_t` without an error).
pub fn index_clamped(vm: Vm, object: Word) -> Result<isize, Raised> {
    let answer = index(vm, object)?;
    let value = int::value(answer.as_word()).unwrap_or(int::IntRef::Small(0));
    Ok(value.to_i64().unwrap_or(if value.is_negative() {
        i64::MIN
    } else {
        i64::MAX
    }) as isize)
}

/// `float(o)` of something that is no string (`PyNumber_Float`).
pub fn to_float(vm: Vm, object: Word) -> Result<f64, Raised> {
    if let Some(value) = super::float::value(object) {
        return Ok(value);
    }
    // SAFETY: types are live as long as an instance.
    unsafe {
        if let Some(slot) = (*vm.type_of(object)).slots.float {
            let answer = slot(vm, object)?;
            return match super::float::value(answer.as_word()) {
                Some(value) => Ok(value),
                None => Err(vm.type_error(format!(
                    "{}.__float__ returned non-float (type {})",
                    vm.type_name(object),
                    vm.type_name(answer.as_word())
                ))),
            };
        }
        if (*vm.type_of(object)).slots.index.is_some() {
            let answer = index(vm, object)?;
            return int::to_f64(vm, answer.as_word());
        }
    }
    Err(vm.type_error(format!("must be real number, not {}", vm.type_name(object))))
}

/// `int(o)` of one argument (`PyNumber_Long`).
pub fn to_int(vm: Vm, object: Word) -> PyResult {
    if object.is_int() {
        return Ok(Owned::new_ref(object));
    }
    // SAFETY: types are live as long as an instance.
    unsafe {
        let slots = &raw const (*vm.type_of(object)).slots;
        if let Some(slot) = (*slots).int {
            let answer = slot(vm, object)?;
            if int::is_int(answer.as_word()) {
                return int::exact(vm, answer.as_word());
            }
            return Err(vm.type_error(format!(
                "__int__ returned non-int (type {})",
                vm.type_name(answer.as_word())
            )));
        }
        if (*slots).index.is_some() {
            let answer = index(vm, object)?;
            return int::exact(vm, answer.as_word());
        }
    }
    if str::is_str(object) {
        return super::int_text::parse_object(vm, object, 10);
    }
    if super::bytes::is_bytes_like(object) {
        return super::int_text::parse_object(vm, object, 10);
    }
    Err(vm.type_error(format!(
        "int() argument must be a string, a bytes-like object or a real number, not '{}'",
        vm.type_name(object)
    )))
}
