//! The functions in the slots of classes: each calls the special method that the class, or a base, defines
//! (`slot_*` of `typeobject.c`).

use super::attr;
use super::call;
use super::hash as hashing;
use super::int::{self, IntRef};
use super::number::nb;
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, TypeObject};
use super::vectorcall::Args;
use super::vm::Vm;
use super::word::Word;
use super::{protocol, str};

/// Calls a special method of the type, without making a bound method when that is a function (`vectorcall_maybe`);
/// None if there is no such method.
pub(super) fn call_special_opt(
    vm: Vm,
    self_: Word,
    name: Word,
    args: &[Word],
) -> Result<Option<Owned>, Raised> {
    let ty = vm.type_of(self_);
    // SAFETY: the type is live as long as its instance.
    let Some(method) = (unsafe { (*ty).lookup(name) }).map(Owned::new_ref) else {
        return Ok(None);
    };
    // SAFETY: as above.
    let unbound = unsafe {
        (*vm.type_of(method.as_word())).has_flag(super::types::type_flag::METHOD_DESCRIPTOR)
    };
    if unbound {
        return call::call_prepend(vm, method.as_word(), self_, args, None).map(Some);
    }
    let bound = attr::bind(vm, method.as_word(), Some(self_), ty)?;
    call::call(vm, bound.as_word(), args, None).map(Some)
}
/// The same for a method that must be there (`vectorcall_method`).
pub(super) fn call_special(vm: Vm, self_: Word, name: Word, args: &[Word]) -> PyResult {
    match call_special_opt(vm, self_, name, args)? {
        Some(value) => Ok(value),
        None => Err(attr::attribute_error(
            vm,
            self_,
            name,
            str::to_string_lossy(name),
        )),
    }
}

macro_rules! unary {
    ($($slot:ident $name:ident;)*) => {$(
        pub(super) fn $slot(vm: Vm, self_: Word) -> PyResult {
            call_special(vm, self_, vm.names.$name, &[])
        }
    )*};
}
unary! {
    neg __neg__;
    pos __pos__;
    abs __abs__;
    invert __invert__;
    int __int__;
    float __float__;
    index __index__;
    repr __repr__;
    str __str__;
}

/// `a op b` by the left operand's method or the right one's reflected (`SLOT1BINFULL`).
fn binary(
    vm: Vm,
    a: Word,
    b: Word,
    op: usize,
    own: super::types::BinaryFn,
    name: Word,
    reflected: Word,
) -> PyResult {
    let (left, right) = (vm.type_of(a), vm.type_of(b));
    // SAFETY: types are live as long as an instance.
    unsafe {
        let has = |ty: *mut TypeObject| {
            let slot = if op == DIVMOD {
                (*ty).slots.divmod
            } else {
                (*ty).slots.nb[op]
            };
            slot.is_some_and(|slot| std::ptr::fn_addr_eq(slot, own))
        };
        let mut try_right = left != right && has(right);
        if has(left) {
            if try_right && (*right).is_subtype(left) && overrides(vm, left, right, reflected) {
                if let Some(answer) = call_special_opt(vm, b, reflected, &[a])?
                    && answer.as_word() != Word::NOT_IMPLEMENTED
                {
                    return Ok(answer);
                }
                try_right = false;
            }
            if let Some(answer) = call_special_opt(vm, a, name, &[b])?
                && (answer.as_word() != Word::NOT_IMPLEMENTED || left == right)
            {
                return Ok(answer);
            }
        }
        if try_right {
            return Ok(call_special_opt(vm, b, reflected, &[a])?.unwrap_or(Owned::NOT_IMPLEMENTED));
        }
        Ok(Owned::NOT_IMPLEMENTED)
    }
}
/// Stands for the divmod slot among the operation numbers.
const DIVMOD: usize = usize::MAX;

/// Whether a subclass has another reflected method than its base (`method_is_overloaded`).
unsafe fn overrides(_: Vm, base: *mut TypeObject, subclass: *mut TypeObject, name: Word) -> bool {
    unsafe {
        match ((*subclass).lookup(name), (*base).lookup(name)) {
            (Some(own), Some(inherited)) => !own.is(inherited),
            (Some(_), None) => true,
            (None, _) => false,
        }
    }
}

macro_rules! binaries {
    ($($slot:ident $op:ident $name:ident $reflected:ident;)*) => {$(
        pub(super) fn $slot(vm: Vm, a: Word, b: Word) -> PyResult {
            binary(vm, a, b, nb::$op, $slot, vm.names.$name, vm.names.$reflected)
        }
    )*};
}
binaries! {
    add ADD __add__ __radd__;
    sub SUBTRACT __sub__ __rsub__;
    mul MULTIPLY __mul__ __rmul__;
    remainder REMAINDER __mod__ __rmod__;
    pow POWER __pow__ __rpow__;
    lshift LSHIFT __lshift__ __rlshift__;
    rshift RSHIFT __rshift__ __rrshift__;
    and AND __and__ __rand__;
    xor XOR __xor__ __rxor__;
    or OR __or__ __ror__;
    floordiv FLOOR_DIVIDE __floordiv__ __rfloordiv__;
    truediv TRUE_DIVIDE __truediv__ __rtruediv__;
    matmul MATRIX_MULTIPLY __matmul__ __rmatmul__;
}
pub(super) fn divmod(vm: Vm, a: Word, b: Word) -> PyResult {
    binary(
        vm,
        a,
        b,
        DIVMOD,
        divmod,
        vm.names.__divmod__,
        vm.names.__rdivmod__,
    )
}
/// `pow` with a modulus, of which the exponent is asked only if the base's class leaves it to C (`slot_nb_power`).
pub(super) fn power_mod(vm: Vm, a: Word, b: Word, modulus: Word) -> PyResult {
    let defines = |word| {
        // SAFETY: types are live as long as an instance.
        let slot = unsafe { (*vm.type_of(word)).slots.power_mod };
        slot.is_some_and(|slot| std::ptr::fn_addr_eq(slot, power_mod as super::types::TernaryFn))
    };
    let answer = if defines(a) {
        call_special_opt(vm, a, vm.names.__pow__, &[b, modulus])?
    } else if defines(b) {
        call_special_opt(vm, b, vm.names.__rpow__, &[a, modulus])?
    } else {
        None
    };
    Ok(answer.unwrap_or(Owned::NOT_IMPLEMENTED))
}

macro_rules! inplaces {
    ($($slot:ident $name:ident;)*) => {$(
        pub(super) fn $slot(vm: Vm, a: Word, b: Word) -> PyResult {
            Ok(call_special_opt(vm, a, vm.names.$name, &[b])?.unwrap_or(Owned::NOT_IMPLEMENTED))
        }
    )*};
}
inplaces! {
    inplace_add __iadd__;
    inplace_sub __isub__;
    inplace_mul __imul__;
    inplace_remainder __imod__;
    inplace_pow __ipow__;
    inplace_lshift __ilshift__;
    inplace_rshift __irshift__;
    inplace_and __iand__;
    inplace_xor __ixor__;
    inplace_or __ior__;
    inplace_floordiv __ifloordiv__;
    inplace_truediv __itruediv__;
    inplace_matmul __imatmul__;
}
/// `slot_tp_hash`: an int of any size, folded into 64 bits.
pub(super) fn hash(vm: Vm, self_: Word) -> Result<i64, Raised> {
    let Some(answer) = call_special_opt(vm, self_, vm.names.__hash__, &[])? else {
        return Err(vm.type_error(format!("unhashable type: '{}'", vm.type_name(self_))));
    };
    match int::value(answer.as_word()) {
        Some(IntRef::Small(value)) => Ok(hashing::not_minus_one(value)),
        Some(value) => match value.to_i64() {
            Some(value) => Ok(hashing::not_minus_one(value)),
            None => int::int_hash(vm, answer.as_word()),
        },
        None => Err(vm.type_error("__hash__ method should return an integer")),
    }
}
/// The hash slot of a class with `__hash__ = None` (`PyObject_HashNotImplemented`).
pub(super) fn unhashable(vm: Vm, self_: Word) -> Result<i64, Raised> {
    Err(vm.type_error(format!("unhashable type: '{}'", vm.type_name(self_))))
}

pub(super) fn call(vm: Vm, self_: Word, args: Args<'_>, kwnames: Option<Word>) -> PyResult {
    let ty = vm.type_of(self_);
    // SAFETY: types are live as long as an instance.
    unsafe {
        let Some(method) = (*ty).lookup(vm.names.__call__).map(Owned::new_ref) else {
            return Err(vm.type_error(format!("'{}' object is not callable", vm.type_name(self_))));
        };
        if (*vm.type_of(method.as_word())).has_flag(super::types::type_flag::METHOD_DESCRIPTOR) {
            return call::call_prepend(vm, method.as_word(), self_, args, kwnames);
        }
        let bound = attr::bind(vm, method.as_word(), Some(self_), ty)?;
        call::call(vm, bound.as_word(), args, kwnames)
    }
}

/// `slot_tp_getattr_hook`: `__getattribute__`, then `__getattr__` if that raised AttributeError.
pub(crate) fn getattro(vm: Vm, self_: Word, name: Word) -> PyResult {
    let ty = vm.type_of(self_);
    // SAFETY: types are live as long as an instance.
    unsafe {
        let getattr = (*ty).lookup(vm.names.__getattr__).map(Owned::new_ref);
        let own = (*ty).lookup(vm.names.__getattribute__).map(Owned::new_ref);
        let is_objects = own.as_ref().is_none_or(|own| {
            super::dict::get_str((*vm.types.object).dict, vm.names.__getattribute__)
                .is_some_and(|default| default.is(own.as_word()))
        });
        let Some(getattr) = getattr else {
            if is_objects {
                return attr::generic_get_attr(vm, self_, name);
            }
            return call_special(vm, self_, vm.names.__getattribute__, &[name]);
        };
        if is_objects {
            // The usual case raises nothing for a name that only `__getattr__` knows.
            match attr::generic_lookup(vm, self_, name) {
                Ok(Some(value)) => return Ok(value),
                Ok(None) => {}
                Err(raised) if !vm.exception_matches(vm.exc.AttributeError) => return Err(raised),
                Err(_) => vm.clear_exception(),
            }
        } else {
            match call_special(vm, self_, vm.names.__getattribute__, &[name]) {
                Ok(value) => return Ok(value),
                Err(raised) if !vm.exception_matches(vm.exc.AttributeError) => return Err(raised),
                Err(_) => vm.clear_exception(),
            }
        }
        let bound = attr::bind(vm, getattr.as_word(), Some(self_), ty)?;
        call::call_one(vm, bound.as_word(), name)
    }
}
pub(super) fn setattro(vm: Vm, self_: Word, name: Word, value: Option<Word>) -> Result<(), Raised> {
    match value {
        Some(value) => call_special(vm, self_, vm.names.__setattr__, &[name, value]).map(drop),
        None => call_special(vm, self_, vm.names.__delattr__, &[name]).map(drop),
    }
}
pub(super) fn richcompare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    let names = &vm.names;
    let name = [
        names.__lt__,
        names.__le__,
        names.__eq__,
        names.__ne__,
        names.__gt__,
        names.__ge__,
    ][op as usize];
    Ok(call_special_opt(vm, a, name, &[b])?.unwrap_or(Owned::NOT_IMPLEMENTED))
}

pub(super) fn iter(vm: Vm, self_: Word) -> PyResult {
    // SAFETY: types are live as long as an instance.
    let method = unsafe { (*vm.type_of(self_)).lookup(vm.names.__iter__) };
    match method {
        Some(method) if !method.is_none() => call_special(vm, self_, vm.names.__iter__, &[]),
        Some(_) => Err(vm.type_error(format!("'{}' object is not iterable", vm.type_name(self_)))),
        None => super::iterators::new_seq_iterator(vm, self_),
    }
}
pub(super) fn iternext(vm: Vm, self_: Word) -> Result<Option<Owned>, Raised> {
    call_special(vm, self_, vm.names.__next__, &[]).map(Some)
}

pub(super) fn descr_get(vm: Vm, self_: Word, object: Option<Word>, ty: Option<Word>) -> PyResult {
    let args = [object.unwrap_or(Word::NONE), ty.unwrap_or(Word::NONE)];
    match call_special_opt(vm, self_, vm.names.__get__, &args)? {
        Some(value) => Ok(value),
        None => Ok(Owned::new_ref(self_)),
    }
}
pub(super) fn descr_set(
    vm: Vm,
    self_: Word,
    object: Word,
    value: Option<Word>,
) -> Result<(), Raised> {
    match value {
        Some(value) => call_special(vm, self_, vm.names.__set__, &[object, value]).map(drop),
        None => call_special(vm, self_, vm.names.__delete__, &[object]).map(drop),
    }
}

pub(super) fn init(
    vm: Vm,
    self_: Word,
    args: &[Word],
    kwnames: Option<Word>,
) -> Result<(), Raised> {
    let ty = vm.type_of(self_);
    // SAFETY: types are live as long as an instance.
    let answer = unsafe {
        let Some(method) = (*ty).lookup(vm.names.__init__).map(Owned::new_ref) else {
            return Ok(());
        };
        if (*vm.type_of(method.as_word())).has_flag(super::types::type_flag::METHOD_DESCRIPTOR) {
            call::call_prepend(vm, method.as_word(), self_, args, kwnames)?
        } else {
            let bound = attr::bind(vm, method.as_word(), Some(self_), ty)?;
            call::call(vm, bound.as_word(), args, kwnames)?
        }
    };
    if answer.as_word().is_none() {
        return Ok(());
    }
    Err(vm.type_error(format!(
        "__init__() should return None, not '{}'",
        vm.type_name(answer.as_word())
    )))
}
pub(super) fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    // SAFETY: the type is live.
    let word = unsafe { (*ty).word() };
    let function = attr::get_attr(vm, word, vm.names.__new__)?;
    call::call_prepend(vm, function.as_word(), word, args, kwnames)
}

pub(super) fn len(vm: Vm, self_: Word) -> Result<usize, Raised> {
    let answer = call_special(vm, self_, vm.names.__len__, &[])?;
    let index = super::number::index(vm, answer.as_word())?;
    match int::value(index.as_word()) {
        Some(value) if value.is_negative() => Err(vm.value_error("__len__() should return >= 0")),
        Some(value) => match value.to_i64() {
            Some(value) => Ok(value as usize),
            None => Err(vm.overflow_error("cannot fit 'int' into an index-sized integer")),
        },
        None => Ok(0),
    }
}
pub(super) fn getitem(vm: Vm, self_: Word, key: Word) -> PyResult {
    call_special(vm, self_, vm.names.__getitem__, &[key])
}
pub(super) fn setitem(vm: Vm, self_: Word, key: Word, value: Option<Word>) -> Result<(), Raised> {
    match value {
        Some(value) => call_special(vm, self_, vm.names.__setitem__, &[key, value]).map(drop),
        None => call_special(vm, self_, vm.names.__delitem__, &[key]).map(drop),
    }
}
pub(super) fn contains(vm: Vm, self_: Word, value: Word) -> Result<bool, Raised> {
    // SAFETY: types are live as long as an instance.
    let method = unsafe { (*vm.type_of(self_)).lookup(vm.names.__contains__) };
    if method.is_some_and(Word::is_none) {
        return Err(vm.type_error(format!(
            "'{}' object is not a container",
            vm.type_name(self_)
        )));
    }
    match call_special_opt(vm, self_, vm.names.__contains__, &[value])? {
        Some(answer) => protocol::is_true(vm, answer.as_word()),
        None => super::sequence::contains_by_iteration(vm, self_, value),
    }
}

pub(super) fn bool(vm: Vm, self_: Word) -> Result<bool, Raised> {
    if let Some((method, unbound)) = attr::lookup_method(vm, self_, vm.names.__bool__)? {
        let method = method.as_word();
        if method.is_none() {
            return Err(vm.type_error(format!(
                "'{}' cannot be interpreted as a boolean",
                vm.type_name(self_)
            )));
        }
        let answer = match unbound {
            true => call::call_prepend(vm, method, self_, &[], None)?,
            false => call::call(vm, method, &[], None)?,
        };
        if answer.as_word().is_bool() {
            return Ok(answer.as_word() == Word::TRUE);
        }
        return Err(vm.type_error(format!(
            "__bool__ should return bool, returned {}",
            vm.type_name(answer.as_word())
        )));
    }
    len(vm, self_).map(|length| length != 0)
}

/// `slot_tp_finalize`: `__del__`, whose exception is only reported.
pub(super) fn finalize(vm: Vm, self_: Word) {
    let saved = vm.take_exception();
    // SAFETY: types are live as long as an instance.
    let method = unsafe { (*vm.type_of(self_)).lookup(vm.names.__del__) }.map(Owned::new_ref);
    if let Some(method) = method
        && call_special_opt(vm, self_, vm.names.__del__, &[]).is_err()
    {
        (vm.hooks.get().write_unraisable)(
            vm,
            "Exception ignored while calling deallocator",
            method.as_word(),
        );
        vm.clear_exception();
    }
    if let Some(saved) = saved {
        vm.set_exception(saved);
    }
}
