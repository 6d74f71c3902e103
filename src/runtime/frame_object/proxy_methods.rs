//! Methods of `FrameLocalsProxy`.

use super::locals_proxy::{frame_of, getitem, keys, merge, remove};
use super::variables;
use crate::object::args::check_positional;
use crate::object::descr::{MethodDef, meth};
use crate::object::{Owned, PyResult, Vm, Word, list};
use crate::runtime::thread::Thread;

const NOARGS: u16 = meth::NOARGS;
const FAST: u16 = meth::FASTCALL;

pub(super) static METHODS: [MethodDef; 9] = [
    MethodDef::new("__reversed__", NOARGS, |vm, proxy, _, _| {
        let keys = keys(vm, proxy)?;
        // SAFETY: a list just made.
        let items = unsafe { list::items(keys.as_word()) };
        vm.list_from_owned(items.iter().rev().map(|key| Owned::new_ref(*key)).collect())
    }),
    MethodDef::new("copy", NOARGS, |vm, proxy, _, _| {
        variables::as_dict(Thread::of(vm), frame_of(proxy))
    }),
    MethodDef::new("keys", NOARGS, |vm, proxy, _, _| keys(vm, proxy)),
    MethodDef::new("values", NOARGS, |vm, proxy, _, _| {
        let items = variables::items(Thread::of(vm), frame_of(proxy));
        vm.list_from_owned(items.into_iter().map(|(_, value)| value).collect())
    }),
    MethodDef::new("items", NOARGS, items),
    MethodDef::new("update", meth::O, |vm, proxy, args, _| {
        if merge(vm, proxy, args[0])? {
            return Ok(Owned::NONE);
        }
        Err(vm.type_error("update() argument must be dict or another FrameLocalsProxy"))
    }),
    MethodDef::new("get", FAST, get),
    MethodDef::new("pop", FAST, pop),
    MethodDef::new("setdefault", FAST, setdefault),
];

fn items(vm: Vm, proxy: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let pairs = variables::items(Thread::of(vm), frame_of(proxy))
        .into_iter()
        .map(|(key, value)| vm.tuple_from_owned(vec![key, value]));
    vm.list_from_owned(pairs.collect::<Result<_, _>>()?)
}

fn get(vm: Vm, proxy: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if !(1..=2).contains(&args.len()) {
        return Err(vm.type_error("get expected 1 or 2 arguments"));
    }
    let found = variables::get(Thread::of(vm), frame_of(proxy), args[0])?;
    Ok(found.unwrap_or_else(|| {
        args.get(1)
            .map_or(Owned::NONE, |word| Owned::new_ref(*word))
    }))
}

fn pop(vm: Vm, proxy: Word, args: &[Word], _: Option<Word>) -> PyResult {
    check_positional(vm, "pop", args.len(), 1, 2)?;
    match (remove(vm, proxy, args[0])?, args.get(1)) {
        (Some(value), _) => Ok(value),
        (None, Some(default)) => Ok(Owned::new_ref(*default)),
        (None, None) => Err(vm.raise_with(vm.exc.KeyError, &[args[0]])),
    }
}

fn setdefault(vm: Vm, proxy: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if !(1..=2).contains(&args.len()) {
        return Err(vm.type_error("setdefault expected 1 or 2 arguments"));
    }
    let (ts, frame) = (Thread::of(vm), frame_of(proxy));
    if variables::get(ts, frame, args[0])?.is_some() {
        return getitem(vm, proxy, args[0]);
    }
    let default = args.get(1).copied().unwrap_or(Word::NONE);
    variables::set(ts, frame, args[0], default)?;
    Ok(Owned::new_ref(default))
}
