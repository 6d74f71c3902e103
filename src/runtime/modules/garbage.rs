//! `gc` (`gcmodule.c`).

use super::{set, with_functions};
use crate::object::args::Signature;
use crate::object::descr::{MethodDef, meth};
use crate::object::header::flag;
use crate::object::{
    Owned, PyResult, Raised, Vm, Word, call, dict, exc, gc, int, list, number, sequence,
};
use crate::runtime::thread::Thread;
use std::cell::Cell;

const NOARGS: u16 = meth::NOARGS;
const FAST_KEYWORDS: u16 = meth::FASTCALL | meth::KEYWORDS;

/// What `gc` keeps for programs that ask; the collector itself goes by the size of the heap.
pub struct Settings {
    thresholds: Cell<[i64; 3]>,
    debug: Cell<i64>,
    /// `gc.callbacks` and `gc.garbage`: slots' words.
    callbacks: Cell<Option<Word>>,
    garbage: Cell<Option<Word>>,
    frozen: Cell<usize>,
}
/// `gc.DEBUG_SAVEALL`.
const SAVE_ALL: i64 = 32;
impl Default for Settings {
    fn default() -> Settings {
        Settings {
            thresholds: Cell::new([2000, 10, 0]),
            debug: Cell::new(0),
            callbacks: Cell::new(None),
            garbage: Cell::new(None),
            frozen: Cell::new(0),
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
        let count = gc::new_containers(vm) as i64;
        vm.new_tuple(&[count, 0, 0].map(Word::int_unchecked))
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
        let flags = flags as i64;
        Thread::of(vm).gc_settings.debug.set(flags);
        vm.collector.keeps_garbage.set(flags & SAVE_ALL != 0);
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
    MethodDef::new("freeze", NOARGS, |vm, _, _, _| {
        let frozen = &Thread::of(vm).gc_settings.frozen;
        frozen.set(gc::count_containers(vm));
        Ok(Owned::NONE)
    }),
    MethodDef::new("unfreeze", NOARGS, |vm, _, _, _| {
        Thread::of(vm).gc_settings.frozen.set(0);
        Ok(Owned::NONE)
    }),
    MethodDef::new("get_freeze_count", NOARGS, |vm, _, _, _| {
        vm.new_int_usize(Thread::of(vm).gc_settings.frozen.get())
    }),
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
    let settings = &ts.gc_settings;
    for (name, kept) in [
        ("callbacks", &settings.callbacks),
        ("garbage", &settings.garbage),
    ] {
        let list = vm.new_list(&[])?;
        set(vm, &module, name, list.as_word())?;
        exc::replace(kept, Some(list.as_word()));
    }
    Ok(module)
}

static COLLECT: Signature<1> = Signature::new("collect", ["generation"], 0);

fn collect(vm: Vm, _: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [generation] = COLLECT.unpack(vm, args, kwnames)?;
    let generation = generation.map_or(Ok(2), |generation| number::index_isize(vm, generation))?;
    if !(0..=2).contains(&generation) {
        return Err(vm.value_error("invalid generation"));
    }
    vm.new_int_usize(gc::collect_generation(vm, generation as u8))
}

fn set_threshold(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if !(1..=3).contains(&args.len()) {
        return Err(vm.type_error("gc.set_threshold requires 1 to 3 arguments"));
    }
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
    // The third is there for programs of old.
    thresholds[2] = 0;
    settings.thresholds.set(thresholds);
    vm.heap.object_threshold.set(thresholds[0] as usize);
    Ok(Owned::NONE)
}

/// What `gc.callbacks` and `gc.garbage` get to see of a collection.
pub fn on_collecting(vm: Vm, phase: gc::Phase<'_>) {
    let settings = &Thread::of(vm).gc_settings;
    match phase {
        gc::Phase::Start(generation) => call_back(vm, settings, "start", generation, 0),
        gc::Phase::Stop(generation, found) => call_back(vm, settings, "stop", generation, found),
        gc::Phase::Keep(objects) => {
            let Some(garbage) = settings.garbage.get() else {
                return;
            };
            for object in objects {
                // SAFETY: `settings` keeps the list.
                if unsafe { list::append(vm, garbage.cast(), object.as_word()) }.is_err() {
                    return vm.clear_exception();
                }
            }
        }
    }
}
/// Calls `callback(phase, info)` for each; what they raise is reported, as nobody is there to catch it.
fn call_back(vm: Vm, settings: &Settings, phase: &str, generation: u8, found: usize) {
    let Some(callbacks) = settings.callbacks.get() else {
        return;
    };
    // SAFETY: `settings` keeps the list.
    if unsafe { list::items(callbacks) }.is_empty() {
        return;
    }
    let called = info(vm, generation, found).and_then(|info| {
        let phase = vm.new_str(phase)?;
        for callback in sequence::collect(vm, callbacks)? {
            let args = [phase.as_word(), info.as_word()];
            if call::call(vm, callback.as_word(), &args, None).is_err() {
                (vm.hooks.get().write_unraisable)(
                    vm,
                    "Exception ignored while calling GC callback",
                    callback.as_word(),
                );
            }
        }
        Ok(())
    });
    if called.is_err() {
        vm.clear_exception();
    }
}
fn info(vm: Vm, generation: u8, found: usize) -> PyResult {
    // SAFETY: a dict just made.
    unsafe {
        let info = Owned::from_raw(vm.new_dict()?);
        let values = [i64::from(generation), found as i64, 0];
        for (name, value) in ["generation", "collected", "uncollectable"]
            .iter()
            .zip(values)
        {
            let name = vm.intern_str(name)?;
            let value = vm.new_int(value)?;
            dict::set_str(vm, info.as_ptr(), name.as_word(), value.as_word())?;
        }
        Ok(info)
    }
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
    let [generation] = GET_OBJECTS.unpack(vm, args, kwnames)?;
    if let Some(generation) = generation.filter(|generation| !generation.is_none()) {
        match number::index_isize(vm, generation)? {
            -1..=2 => {}
            ..-1 => return Err(vm.value_error("generation parameter cannot be negative")),
            _ => {
                return Err(vm.value_error(
                    "generation parameter must be less than the number of available generations (3)",
                ));
            }
        }
    }
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
