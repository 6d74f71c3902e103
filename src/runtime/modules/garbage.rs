//! `gc` (`gcmodule.c`).

use super::{set, with_functions};
use crate::object::args::{self, Signature};
use crate::object::descr::{MethodDef, meth};
use crate::object::header::flag;
use crate::object::{Owned, PyResult, Raised, Vm, Word, dict, gc, int, number};
use crate::runtime::thread::Thread;
use std::cell::Cell;

const NOARGS: u16 = meth::NOARGS;
const FAST_KEYWORDS: u16 = meth::FASTCALL | meth::KEYWORDS;

/// What `gc` keeps for programs that ask; the collector itself goes by the size of the heap.
pub struct Settings {
    thresholds: Cell<[i64; 3]>,
    debug: Cell<i64>,
}
impl Default for Settings {
    fn default() -> Settings {
        Settings {
            thresholds: Cell::new([2000, 10, 0]),
            debug: Cell::new(0),
        }
    }
}

static FUNCTIONS: [MethodDef; 18] = [
    MethodDef::new("collect", FAST_KEYWORDS, collect),
    MethodDef::new("enable", NOARGS, |vm, _, _, _| {
        vm.collector.enabled.set(true);
        Ok(Owned::NONE)
    }),
    MethodDef::new("disable", NOARGS, |vm, _, _, _| {
        vm.collector.enabled.set(false);
        Ok(Owned::NONE)
    }),
    MethodDef::new("isenabled", NOARGS, |vm, _, _, _| {
        Ok(Owned::bool(vm.collector.enabled.get()))
    }),
    MethodDef::new("get_count", NOARGS, |vm, _, _, _| {
        vm.new_tuple(&[Word::int_unchecked(0); 3])
    }),
    MethodDef::new("get_threshold", NOARGS, |vm, _, _, _| {
        let thresholds = Thread::of(vm).gc_settings.thresholds.get();
        vm.new_tuple(&thresholds.map(Word::int_unchecked))
    }),
    MethodDef::new("set_threshold", meth::FASTCALL, set_threshold),
    MethodDef::new("get_debug", NOARGS, |vm, _, _, _| {
        vm.new_int(Thread::of(vm).gc_settings.debug.get())
    }),
    MethodDef::new("set_debug", meth::O, |vm, _, args, _| {
        let flags = number::index_isize(vm, args[0])?;
        Thread::of(vm).gc_settings.debug.set(flags as i64);
        Ok(Owned::NONE)
    }),
    MethodDef::new("get_objects", FAST_KEYWORDS, get_objects),
    MethodDef::new("get_referents", meth::VARARGS, |vm, _, args, _| {
        vm.list_from_owned(gc::referents(args))
    }),
    MethodDef::new("get_referrers", meth::VARARGS, get_referrers),
    MethodDef::new("is_tracked", meth::O, |_, _, args, _| {
        Ok(Owned::bool(gc::is_tracked(args[0])))
    }),
    MethodDef::new("is_finalized", meth::O, |_, _, args, _| {
        // SAFETY: the caller keeps the object.
        let finalized =
            args[0].is_pointer() && unsafe { (*args[0].object()).has_flag(flag::FINALIZED) };
        Ok(Owned::bool(finalized))
    }),
    MethodDef::new("freeze", NOARGS, |_, _, _, _| Ok(Owned::NONE)),
    MethodDef::new("unfreeze", NOARGS, |_, _, _, _| Ok(Owned::NONE)),
    MethodDef::new("get_freeze_count", NOARGS, |vm, _, _, _| vm.new_int(0)),
    MethodDef::new("get_stats", NOARGS, get_stats),
];

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "gc", &FUNCTIONS)?;
    for (name, value) in [
        ("DEBUG_STATS", 1),
        ("DEBUG_COLLECTABLE", 2),
        ("DEBUG_UNCOLLECTABLE", 4),
        ("DEBUG_SAVEALL", 32),
        ("DEBUG_LEAK", 38),
    ] {
        set(vm, &module, name, Word::int_unchecked(value))?;
    }
    for name in ["callbacks", "garbage"] {
        set(vm, &module, name, vm.new_list(&[])?.as_word())?;
    }
    Ok(module)
}

static COLLECT: Signature<1> = Signature::new("collect", ["generation"], 0);

fn collect(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [generation] = COLLECT.unpack(vm, args, kwnames)?;
    if let Some(generation) = generation {
        let generation = number::index_isize(vm, generation)?;
        if !(0..=2).contains(&generation) {
            return Err(vm.value_error("invalid generation"));
        }
    }
    vm.new_int_usize(gc::collect(vm))
}

fn set_threshold(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "set_threshold", args.len(), 1, 3)?;
    let settings = &Thread::of(vm).gc_settings;
    let mut thresholds = settings.thresholds.get();
    for (threshold, arg) in thresholds.iter_mut().zip(args) {
        if !int::is_int(*arg) {
            return Err(vm.type_error(format!(
                "'{}' object cannot be interpreted as an integer",
                vm.type_name(*arg)
            )));
        }
        *threshold = number::index_isize(vm, *arg)? as i64 & 0x7fff_ffff;
    }
    settings.thresholds.set(thresholds);
    Ok(Owned::NONE)
}

/// All containers that somebody refers to.
fn containers(vm: Vm) -> Result<Vec<Owned>, Raised> {
    let (mut found, mut enough) = (Vec::new(), true);
    vm.heap.for_each_object(|object| {
        // SAFETY: enumerated objects are live; one about to be freed has no count.
        unsafe {
            if (*object).refcount.get() == 0 || (*(*object).ty()).slots.traverse.is_none() {
                return;
            }
            enough = enough && found.try_reserve(1).is_ok();
            if enough {
                found.push(Owned::from_borrowed(object));
            }
        }
    });
    if enough {
        Ok(found)
    } else {
        Err(vm.no_memory())
    }
}

static GET_OBJECTS: Signature<1> = Signature::new("get_objects", ["generation"], 0);

fn get_objects(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    GET_OBJECTS.unpack(vm, args, kwnames)?;
    vm.list_from_owned(containers(vm)?)
}

fn get_referrers(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let mut found = containers(vm)?;
    found.retain(|object| {
        let word = object.as_word();
        // SAFETY: held by the list.
        let traverse = unsafe { (*vm.type_of(word)).slots.traverse };
        let mut refers = false;
        if let Some(traverse) = traverse {
            // SAFETY: as above.
            unsafe {
                traverse(word.object(), &mut |other| {
                    refers |= args.iter().any(|arg| arg.is(other));
                });
            }
        }
        refers
    });
    vm.list_from_owned(found)
}

/// Three dicts as CPython has them, for its three generations; here there is one.
fn get_stats(vm: Vm, _: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let mut generations = Vec::new();
    for generation in 0..3 {
        let own = |count: u64| if generation == 2 { count as i64 } else { 0 };
        // SAFETY: a dict just made.
        unsafe {
            let stats = Owned::from_raw(vm.new_dict()?);
            for (name, value) in [
                ("collections", own(vm.collector.collections.get())),
                ("collected", own(vm.collector.collected.get())),
                ("uncollectable", 0),
            ] {
                let name = vm.intern_str(name)?;
                let value = vm.new_int(value)?;
                dict::set_str(vm, stats.as_ptr(), name.as_word(), value.as_word())?;
            }
            generations.push(stats);
        }
    }
    vm.list_from_owned(generations)
}
