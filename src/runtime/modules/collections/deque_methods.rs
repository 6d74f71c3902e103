//! Methods and operators of `deque`.

use super::deque::{self, Deque, is_deque, of};
use crate::object::args::{self, Signature};
use crate::object::descr::{GetSetDef, MethodDef, meth};
use crate::object::generic_alias::CLASS_GETITEM;
use crate::object::header::flag;
use crate::object::types::CompareOp;
use crate::object::{
    Owned, PyResult, Raised, Vm, Word, attr, call, number, protocol, sequence, str_writer,
};
use crate::runtime::thread::Thread;

type Names = Option<Word>;
const O: u16 = meth::O;
const NOARGS: u16 = meth::NOARGS;

pub(super) static METHODS: [MethodDef; 20] = [
    MethodDef::new("append", O, |vm, this, args, _| {
        of(this).append(vm, Owned::new_ref(args[0]))?;
        Ok(Owned::NONE)
    }),
    MethodDef::new("appendleft", O, |vm, this, args, _| {
        of(this).append_left(vm, Owned::new_ref(args[0]))?;
        Ok(Owned::NONE)
    }),
    MethodDef::new("pop", NOARGS, |vm, this, _, _| {
        of(this).pop(vm).ok_or_else(|| empty(vm))
    }),
    MethodDef::new("popleft", NOARGS, |vm, this, _, _| {
        of(this).pop_left(vm).ok_or_else(|| empty(vm))
    }),
    MethodDef::new("extend", O, |vm, this, args, _| {
        of(this).extend(vm, this, args[0], false)?;
        Ok(Owned::NONE)
    }),
    MethodDef::new("extendleft", O, |vm, this, args, _| {
        of(this).extend(vm, this, args[0], true)?;
        Ok(Owned::NONE)
    }),
    MethodDef::new("clear", NOARGS, |vm, this, _, _| {
        of(this).clear(vm);
        Ok(Owned::NONE)
    }),
    MethodDef::new("rotate", meth::FASTCALL, rotate),
    MethodDef::new("reverse", NOARGS, |_, this, _, _| {
        of(this).reverse();
        Ok(Owned::NONE)
    }),
    MethodDef::new("copy", NOARGS, copy),
    MethodDef::new("__copy__", NOARGS, copy),
    MethodDef::new("count", O, count),
    MethodDef::new("index", meth::FASTCALL, index),
    MethodDef::new("insert", meth::FASTCALL, insert),
    MethodDef::new("remove", O, remove),
    MethodDef::new("__reversed__", NOARGS, super::deque_iter::reversed),
    MethodDef::new("__reduce__", NOARGS, reduce),
    MethodDef::new("__add__", O, |vm, this, args, _| concat(vm, this, args[0])),
    MethodDef::new("__sizeof__", NOARGS, |vm, this, _, _| {
        vm.new_int_usize(size_of::<Deque>() + of(this).len() * size_of::<Word>())
    }),
    CLASS_GETITEM,
];
pub(super) static GETSET: [GetSetDef; 1] = [GetSetDef::new(
    "maxlen",
    |vm, this| match of(this).limit.get() {
        usize::MAX => Ok(Owned::NONE),
        limit => vm.new_int_usize(limit),
    },
    None,
)];

#[cold]
fn empty(vm: Vm) -> Raised {
    vm.index_error("pop from an empty deque")
}
#[cold]
fn mutated(vm: Vm) -> Raised {
    vm.raise(vm.exc.RuntimeError, "deque mutated during iteration")
}

static INIT: Signature<2> = Signature::new("deque", ["iterable", "maxlen"], 0);

pub(super) fn init(vm: Vm, this: Word, args: &[Word], kwnames: Names) -> Result<(), Raised> {
    let [iterable, limit] = INIT.unpack(vm, args, kwnames)?;
    let own = of(this);
    let limit = match limit.filter(|limit| !limit.is_none()) {
        None => usize::MAX,
        Some(limit) => {
            if !crate::object::int::is_int(limit) {
                return Err(vm.type_error("an integer is required"));
            }
            usize::try_from(number::index_isize(vm, limit)?)
                .map_err(|_| vm.value_error("maxlen must be non-negative"))?
        }
    };
    own.limit.set(limit);
    own.clear(vm);
    match iterable {
        Some(iterable) => own.extend(vm, this, iterable, false),
        None => Ok(()),
    }
}

fn rotate(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "rotate", args.len(), 0, 1)?;
    let by = match args.first() {
        Some(by) => number::index_isize(vm, *by)?,
        None => 1,
    };
    of(this).rotate(by);
    Ok(Owned::NONE)
}

/// A new one of the same class, limit and items.
fn copy(vm: Vm, this: Word, _: &[Word], _: Names) -> PyResult {
    let own = of(this);
    let ty = vm.type_of(this);
    if ty == Thread::of(vm).module_types.deque.get() {
        let result = deque::new(vm, ty, own.limit.get())?;
        of(result.as_word()).extend(vm, result.as_word(), this, false)?;
        return Ok(result);
    }
    // SAFETY: types are live as long as an instance.
    let class = Owned::new_ref(unsafe { (*ty).word() });
    if own.limit.get() == usize::MAX {
        return call::call_one(vm, class.as_word(), this);
    }
    let limit = vm.new_int_usize(own.limit.get())?;
    call::call(vm, class.as_word(), &[this, limit.as_word()], None)
}

/// Looks for a value between two indices.
fn find(
    vm: Vm,
    this: Word,
    value: Word,
    range: std::ops::Range<usize>,
) -> Result<Option<usize>, Raised> {
    let own = of(this);
    let state = own.state.get();
    for index in range {
        let Some(item) = own.get(index) else {
            break;
        };
        let equal = protocol::rich_compare_bool(vm, item.as_word(), value, CompareOp::Eq)?;
        if equal {
            return Ok(Some(index));
        }
        if own.state.get() != state {
            return Err(mutated(vm));
        }
    }
    Ok(None)
}
pub(super) fn contains(vm: Vm, this: Word, value: Word) -> Result<bool, Raised> {
    Ok(find(vm, this, value, 0..of(this).len())?.is_some())
}
fn count(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    let own = of(this);
    let state = own.state.get();
    let mut count = 0;
    for index in 0..own.len() {
        let Some(item) = own.get(index) else {
            break;
        };
        if protocol::rich_compare_bool(vm, item.as_word(), args[0], CompareOp::Eq)? {
            count += 1;
        }
        if own.state.get() != state {
            return Err(mutated(vm));
        }
    }
    vm.new_int_usize(count)
}
fn index(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "index", args.len(), 1, 3)?;
    let length = of(this).len();
    let bound = |word: Option<&Word>, default: usize| -> Result<usize, Raised> {
        match word {
            None => Ok(default),
            Some(word) => {
                let value = number::index_clamped(vm, *word)?;
                let value = if value < 0 {
                    value.saturating_add(length as isize).max(0)
                } else {
                    value
                };
                Ok((value as usize).min(length))
            }
        }
    };
    let range = bound(args.get(1), 0)?..bound(args.get(2), length)?;
    if let Some(index) = find(vm, this, args[0], range)? {
        return vm.new_int_usize(index);
    }
    Err(vm.value_error("deque.index(x): x not in deque"))
}
fn insert(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "insert", args.len(), 2, 2)?;
    let index = number::index_isize(vm, args[0])?;
    let own = of(this);
    let length = own.len() as isize;
    if own.len() >= own.limit.get() {
        return Err(vm.index_error("deque already at its maximum size"));
    }
    let value = Owned::new_ref(args[1]);
    if index >= length {
        own.append(vm, value)?;
    } else if index <= -length || index == 0 {
        own.append_left(vm, value)?;
    } else {
        own.rotate(-index);
        if index < 0 {
            own.append(vm, value)?;
        } else {
            own.append_left(vm, value)?;
        }
        own.rotate(index);
    }
    Ok(Owned::NONE)
}
fn remove(vm: Vm, this: Word, args: &[Word], _: Names) -> PyResult {
    let own = of(this);
    let state = own.state.get();
    for index in 0..own.len() {
        let Some(item) = own.get(index) else {
            break;
        };
        let equal = protocol::rich_compare_bool(vm, item.as_word(), args[0], CompareOp::Eq)?;
        if own.state.get() != state {
            return Err(vm.index_error("deque mutated during remove()."));
        }
        if equal {
            drop(own.remove(vm, index));
            return Ok(Owned::NONE);
        }
    }
    Err(vm.value_error("deque.remove(x): x not in deque"))
}

/// For `copy` and the like: class, its arguments, state, and an iterator over the items.
fn reduce(vm: Vm, this: Word, _: &[Word], _: Names) -> PyResult {
    // SAFETY: types are live as long as an instance.
    let class = Owned::new_ref(unsafe { (*vm.type_of(this)).word() });
    let arguments = match of(this).limit.get() {
        usize::MAX => vm.empty_tuple(),
        limit => {
            let limit = vm.new_int_usize(limit)?;
            vm.tuple_from_owned(vec![vm.empty_tuple(), limit])?
        }
    };
    let state = attr::get_attr_opt(vm, this, vm.names.__dict__)?.unwrap_or(Owned::NONE);
    let items = sequence::get_iter(vm, this)?;
    vm.tuple_from_owned(vec![class, arguments, state, items])
}

// ---- operators

fn place(vm: Vm, this: Word, key: Word) -> Result<usize, Raised> {
    let index = number::index_for_subscript(vm, key)?;
    sequence::wrap_index(index, of(this).len())
        .ok_or_else(|| vm.index_error("deque index out of range"))
}
fn check_key(vm: Vm, key: Word) -> Result<(), Raised> {
    if number::is_index(vm, key) {
        return Ok(());
    }
    Err(vm.type_error(format!(
        "sequence index must be integer, not '{}'",
        vm.type_name(key)
    )))
}
pub(super) fn get_item(vm: Vm, this: Word, key: Word) -> PyResult {
    check_key(vm, key)?;
    let index = place(vm, this, key)?;
    Ok(Owned::new_ref(of(this).at(index)))
}
pub(super) fn set_item(vm: Vm, this: Word, key: Word, value: Option<Word>) -> Result<(), Raised> {
    check_key(vm, key)?;
    let index = place(vm, this, key)?;
    match value {
        Some(value) => of(this).replace(index, Owned::new_ref(value)),
        None => drop(of(this).remove(vm, index)),
    }
    Ok(())
}

pub(super) fn concat(vm: Vm, this: Word, other: Word) -> PyResult {
    if !is_deque(vm, other) {
        return Err(vm.type_error(format!(
            "can only concatenate deque (not \"{}\") to deque",
            vm.type_name(other)
        )));
    }
    let result = copy(vm, this, &[], None)?;
    of(result.as_word()).extend(vm, result.as_word(), other, false)?;
    Ok(result)
}
pub(super) fn inplace_concat(vm: Vm, this: Word, other: Word) -> PyResult {
    of(this).extend(vm, this, other, false)?;
    Ok(Owned::new_ref(this))
}
pub(super) fn repeat(vm: Vm, this: Word, count: isize) -> PyResult {
    let result = copy(vm, this, &[], None)?;
    inplace_repeat(vm, result.as_word(), count)
}
pub(super) fn inplace_repeat(vm: Vm, this: Word, count: isize) -> PyResult {
    let own = of(this);
    if count <= 0 {
        own.clear(vm);
        return Ok(Owned::new_ref(this));
    }
    let items = own.all();
    if items.is_empty() {
        return Ok(Owned::new_ref(this));
    }
    let limit = own.limit.get();
    let mut times = count as usize - 1;
    // Of what would fall off the left end, only the position matters.
    if limit != usize::MAX {
        times = times.min(limit / items.len() + 1);
    } else {
        let wanted = items.len().saturating_mul(count as usize);
        if !vm.heap.has_room(wanted.saturating_mul(size_of::<Word>())) {
            return Err(vm.no_memory());
        }
    }
    for _ in 0..times {
        for item in &items {
            own.append(vm, item.clone())?;
        }
    }
    Ok(Owned::new_ref(this))
}

pub(super) fn compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !is_deque(vm, a) || !is_deque(vm, b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let (left, right) = (of(a), of(b));
    if left.len() != right.len() && matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::bool(op == CompareOp::Ne));
    }
    let (states, mut index) = ((left.state.get(), right.state.get()), 0);
    loop {
        let (Some(x), Some(y)) = (left.get(index), right.get(index)) else {
            return Ok(Owned::bool(op.holds(left.len().cmp(&right.len()))));
        };
        let equal = protocol::rich_compare_bool(vm, x.as_word(), y.as_word(), CompareOp::Eq)?;
        if (left.state.get(), right.state.get()) != states {
            return Err(mutated(vm));
        }
        if !equal {
            return match op {
                CompareOp::Eq => Ok(Owned::FALSE),
                CompareOp::Ne => Ok(Owned::TRUE),
                _ => protocol::rich_compare(vm, x.as_word(), y.as_word(), op),
            };
        }
        index += 1;
    }
}

pub(super) fn repr(vm: Vm, this: Word) -> PyResult {
    let own = of(this);
    if own.header.has_flag(flag::IN_REPR) {
        return vm.new_str("[...]");
    }
    own.header.set_flag(flag::IN_REPR);
    let text = (|| {
        // SAFETY: types are live as long as an instance.
        let name = unsafe { (*vm.type_of(this)).name_string() };
        let mut writer = str_writer::StrWriter::new(vm);
        writer.push_str(name.rsplit('.').next().unwrap_or_default())?;
        writer.push_str("([")?;
        for (index, item) in own.all().into_iter().enumerate() {
            if index > 0 {
                writer.push_str(", ")?;
            }
            let text = protocol::repr(vm, item.as_word())?;
            writer.push_word(text.as_word())?;
        }
        writer.push(0x5d)?;
        if own.limit.get() != usize::MAX {
            writer.push_str(&format!(", maxlen={}", own.limit.get()))?;
        }
        writer.push(0x29)?;
        writer.finish()
    })();
    own.header.clear_flag(flag::IN_REPR);
    text
}
