//! Pattern matching (`_PyEval_MatchClass`, `_PyEval_MatchKeys`).

use super::word_or_null;
use crate::object::types::type_flag;
use crate::object::{
    Kind, Owned, PyResult, Raised, TypeObject, Vm, Word, attr, call, protocol, set, str, tuple,
};
use crate::runtime::thread::Thread;

fn has_flag(vm: Vm, subject: Word, flag: u32) -> Word {
    // SAFETY: types are live as long as an instance.
    Word::bool(unsafe { (*vm.type_of(subject)).has_flag(flag) })
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn match_mapping(ts: &Thread, subject: Word) -> Word {
    has_flag(ts.vm(), subject, type_flag::MAPPING)
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn match_sequence(ts: &Thread, subject: Word) -> Word {
    has_flag(ts.vm(), subject, type_flag::SEQUENCE)
}

/// A tuple of the values of these keys, None if one is missing.
#[inline(never)]
pub unsafe fn match_keys(ts: &Thread, subject: Word, keys: Word) -> Word {
    // SAFETY: a tuple on the stack.
    word_or_null(values_of(ts.vm(), subject, unsafe { tuple::items(keys) }))
}

fn values_of(vm: Vm, map: Word, keys: &[Word]) -> PyResult {
    if keys.is_empty() {
        return Ok(vm.empty_tuple());
    }
    // `get` does not make a `defaultdict` grow, and tells absence from a value of its own.
    let get = vm.intern_str("get")?;
    let (get, unbound) = attr::get_method(vm, map, get.as_word())?;
    let seen = set::new_set(vm, vm.types.set, None)?;
    // SAFETY: the type lives as long as the VM.
    let absent = call::call(vm, unsafe { (*vm.types.object).word() }, &[], None)?;
    let mut values = Vec::with_capacity(keys.len());
    for &key in keys {
        if !add_new(vm, &seen, key)? {
            let key = repr(vm, key)?;
            return Err(vm.value_error(format!("mapping pattern checks duplicate key ({key})")));
        }
        let args = [map, key, absent.as_word()];
        let first = usize::from(!unbound);
        let value = call::call(vm, get.as_word(), &args[first..], None)?;
        if value.as_word().is(absent.as_word()) {
            return Ok(Owned::NONE);
        }
        values.push(value);
    }
    vm.tuple_from_owned(values)
}

/// Whether a value was not in a set yet; it is now.
fn add_new(vm: Vm, seen: &Owned, value: Word) -> Result<bool, Raised> {
    if set::contains(vm, seen.as_word(), value)? {
        return Ok(false);
    }
    set::add(vm, seen.as_word(), value)?;
    Ok(true)
}
fn repr(vm: Vm, word: Word) -> Result<String, Raised> {
    let text = protocol::repr(vm, word)?;
    Ok(str::to_string_lossy(text.as_word()))
}

/// A tuple of the attributes that `class(p1, .., name=q1, ..)` looks at, of which `positional` are not named; None if the
/// subject does not match.
#[inline(never)]
pub unsafe fn match_class(
    ts: &Thread,
    subject: Word,
    class: Word,
    names: Word,
    positional: usize,
) -> Word {
    // SAFETY: a tuple on the stack.
    let names = unsafe { tuple::items(names) };
    word_or_null(
        attributes(ts.vm(), subject, class, names, positional)
            .map(|found| found.unwrap_or(Owned::NONE)),
    )
}

fn attributes(
    vm: Vm,
    subject: Word,
    class: Word,
    names: &[Word],
    positional: usize,
) -> Result<Option<Owned>, Raised> {
    if !class.is_instance(Kind::TYPE) {
        return Err(vm.type_error("called match pattern must be a class"));
    }
    if !protocol::is_instance(vm, subject, class)? {
        return Ok(None);
    }
    // SAFETY: a live type by its kind, which the stack keeps.
    let ty = unsafe { &*class.cast::<TypeObject>() };
    let mut found = Attributes {
        vm,
        subject,
        ty,
        seen: set::new_set(vm, vm.types.set, None)?,
        values: Vec::new(),
    };
    if positional > 0 && !found.by_position(class, positional)? {
        return Ok(None);
    }
    for &name in names {
        if !found.add(name)? {
            return Ok(None);
        }
    }
    vm.tuple_from_owned(found.values).map(Some)
}

struct Attributes<'a> {
    vm: Vm,
    subject: Word,
    ty: &'a TypeObject,
    /// Names looked at so far.
    seen: Owned,
    values: Vec<Owned>,
}

impl Attributes<'_> {
    /// Looks at one attribute; false if there is none (`match_class_attr`).
    fn add(&mut self, name: Word) -> Result<bool, Raised> {
        if !add_new(self.vm, &self.seen, name)? {
            let class = self.ty.name_string();
            let name = repr(self.vm, name)?;
            return Err(self.vm.type_error(format!(
                "{class}() got multiple sub-patterns for attribute {name}"
            )));
        }
        let value = attr::get_attr_opt(self.vm, self.subject, name)?;
        let is_there = value.is_some();
        self.values.extend(value);
        Ok(is_there)
    }
    /// Those that `__match_args__` names; a class without it may stand for the subject itself.
    fn by_position(&mut self, class: Word, positional: usize) -> Result<bool, Raised> {
        let vm = self.vm;
        let name = vm.intern_str("__match_args__")?;
        let match_args = attr::get_attr_opt(vm, class, name.as_word())?;
        let itself = match_args.is_none() && self.ty.has_flag(type_flag::MATCH_SELF);
        let match_args = match match_args {
            Some(args) if args.as_word().is_exact(Kind::TUPLE) => args,
            Some(args) => {
                return Err(vm.type_error(format!(
                    "{}.__match_args__ must be a tuple (got {})",
                    self.ty.name_string(),
                    vm.type_name(args.as_word())
                )));
            }
            None => vm.empty_tuple(),
        };
        // SAFETY: a tuple, kept here.
        let match_args = unsafe { tuple::items(match_args.as_word()) }
            .iter()
            .map(|&name| Owned::new_ref(name))
            .collect::<Vec<_>>();
        let allowed = if itself { 1 } else { match_args.len() };
        if allowed < positional {
            return Err(vm.type_error(format!(
                "{}() accepts {allowed} positional sub-pattern{} ({positional} given)",
                self.ty.name_string(),
                if allowed == 1 { "" } else { "s" }
            )));
        }
        if itself {
            self.values.push(Owned::new_ref(self.subject));
            return Ok(true);
        }
        for name in &match_args[..positional] {
            if !name.as_word().is_exact(Kind::STR) {
                return Err(vm.type_error(format!(
                    "__match_args__ elements must be strings (got {})",
                    vm.type_name(name.as_word())
                )));
            }
            if !self.add(name.as_word())? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
