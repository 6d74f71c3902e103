//! Globals, builtins, names of module and class bodies, cells (`_PyEval_LoadName` and its kin).

use super::word_or_null;
use crate::interp::abi::{Ip, Locals};
use crate::object::descr::CellObject;
use crate::object::{Kind, Owned, PyResult, Raised, Word, dict, sequence, tuple};
use crate::runtime::code::CodeObject;
use crate::runtime::errors::{raise_name_error, raise_unbound};
use crate::runtime::frame::{self, Meta};
use crate::runtime::names::get_optional_item;
use crate::runtime::thread::Thread;
use crate::runtime::watchers;

/// `co_names[index]` of the running code.
pub(super) unsafe fn name_at(locals: Locals, index: usize) -> Word {
    // SAFETY: code was verified, so the index is in range.
    unsafe {
        let code = &*frame::code(locals);
        *code.names.get_unchecked(index)
    }
}

/// The frame's namespace, borrowed; SystemError for a frame of fast locals only.
unsafe fn namespace(ts: &Thread, locals: Locals, missing: &str) -> Result<Word, Raised> {
    unsafe {
        let frame = frame::frame(locals);
        if (*frame).meta.has(Meta::NAMESPACE) {
            Ok((*frame).namespace)
        } else {
            Err(ts.vm().raise(ts.exc.SystemError, missing))
        }
    }
}

/// A name's value in globals or builtins (`_PyEval_LoadGlobalStackRef`).
unsafe fn global(ts: &Thread, locals: Locals, name: Word) -> PyResult {
    let vm = ts.vm();
    unsafe {
        let function = frame::function(locals);
        for dict in [(*function).globals.get(), (*function).builtins.get()] {
            if let Some(value) = dict::get_item(vm, dict, name)? {
                return Ok(Owned::new_ref(value));
            }
        }
        Err(raise_name_error(vm, name))
    }
}

/// The LOAD_GLOBAL cache at `cache` holds nothing, so that the site misses.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn global_place_is_empty(cache: Ip) -> bool {
    unsafe { cache.cast::<u64>().read_unaligned() >> 16 == watchers::MISS }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn value_at_global_place(cache: Ip) -> Word {
    unsafe { watchers::value_at_place(cache) }
}

#[inline(never)]
pub unsafe fn load_global(ts: &Thread, locals: Locals, index: usize) -> Word {
    unsafe { word_or_null(global(ts, locals, name_at(locals, index))) }
}

#[inline(never)]
pub unsafe fn store_global(ts: &Thread, locals: Locals, index: usize, value: Word) -> bool {
    unsafe {
        let globals = (*frame::function(locals)).globals.get();
        dict::set_item(ts.vm(), globals, name_at(locals, index), value).is_ok()
    }
}

#[inline(never)]
pub unsafe fn delete_global(ts: &Thread, locals: Locals, index: usize) -> bool {
    let vm = ts.vm();
    unsafe {
        let globals = (*frame::function(locals)).globals.get();
        let name = name_at(locals, index);
        let removed =
            dict::hash_key(vm, name).and_then(|hash| dict::remove(vm, globals, name, hash));
        match removed {
            Ok(Some(_)) => true,
            Ok(None) => {
                raise_name_error(vm, name);
                false
            }
            Err(Raised) => false,
        }
    }
}

#[inline(never)]
pub unsafe fn load_name(ts: &Thread, locals: Locals, index: usize) -> Word {
    unsafe {
        let name = name_at(locals, index);
        let value = namespace(ts, locals, "no locals")
            .and_then(|namespace| get_optional_item(ts.vm(), namespace, name))
            .and_then(|found| found.map_or_else(|| global(ts, locals, name), Ok));
        word_or_null(value)
    }
}

#[inline(never)]
pub unsafe fn store_name(ts: &Thread, locals: Locals, index: usize, value: Word) -> bool {
    let vm = ts.vm();
    unsafe {
        let name = name_at(locals, index);
        let store = |namespace: Word| {
            if namespace.is_exact(Kind::DICT) {
                dict::set_item(vm, namespace.cast(), name, value)
            } else {
                sequence::set_item(vm, namespace, name, value)
            }
        };
        let missing = "no locals found when storing a name";
        namespace(ts, locals, missing).and_then(store).is_ok()
    }
}

/// Whatever goes wrong in the namespace is a NameError.
#[inline(never)]
pub unsafe fn delete_name(ts: &Thread, locals: Locals, index: usize) -> bool {
    let vm = ts.vm();
    unsafe {
        let Ok(namespace) = namespace(ts, locals, "no locals when deleting a name") else {
            return false;
        };
        let name = name_at(locals, index);
        if sequence::del_item(vm, namespace, name).is_ok() {
            return true;
        }
        vm.clear_exception();
        raise_name_error(vm, name);
        false
    }
}

#[inline(never)]
pub unsafe fn load_from_dict_or_globals(
    ts: &Thread,
    locals: Locals,
    mapping: Word,
    index: usize,
) -> Word {
    unsafe {
        let name = name_at(locals, index);
        let value = get_optional_item(ts.vm(), mapping, name)
            .and_then(|found| found.map_or_else(|| global(ts, locals, name), Ok));
        word_or_null(value)
    }
}

#[inline(never)]
pub unsafe fn load_from_dict_or_deref(
    ts: &Thread,
    locals: Locals,
    mapping: Word,
    index: usize,
) -> Word {
    let vm = ts.vm();
    unsafe {
        let code: *mut CodeObject = frame::code(locals);
        let name = (&(*code).localsplusnames)[index];
        let value = get_optional_item(vm, mapping, name).and_then(|found| match found {
            Some(value) => Ok(value),
            None => match cell_value(*locals.add(index)) {
                Word::NULL => Err(raise_unbound(vm, code, index)),
                value => Ok(Owned::new_ref(value)),
            },
        });
        word_or_null(value)
    }
}

#[inline(never)]
pub unsafe fn load_locals(ts: &Thread, locals: Locals) -> Word {
    unsafe { word_or_null(namespace(ts, locals, "no locals").map(Owned::new_ref)) }
}

#[inline(never)]
pub unsafe fn load_build_class(ts: &Thread, locals: Locals) -> Word {
    let vm = ts.vm();
    unsafe {
        let builtins = (*frame::function(locals)).builtins.get();
        let found = dict::get_item(vm, builtins, vm.names.__build_class__);
        word_or_null(found.and_then(|found| {
            found
                .map(Owned::new_ref)
                .ok_or_else(|| vm.raise(vm.exc.NameError, "__build_class__ not found"))
        }))
    }
}

/// Makes `__annotations__` in the namespace unless there is one.
#[inline(never)]
pub unsafe fn setup_annotations(ts: &Thread, locals: Locals) -> bool {
    let vm = ts.vm();
    let set_up = || unsafe {
        let namespace = namespace(ts, locals, "no locals found when setting up annotations")?;
        let name = vm.names.__annotations__;
        if get_optional_item(vm, namespace, name)?.is_none() {
            let annotations = Owned::from_raw(vm.new_dict()?);
            sequence::set_item(vm, namespace, name, annotations.as_word())?;
        }
        Ok::<(), Raised>(())
    };
    set_up().is_ok()
}

/// `CONSTANT_*` of LOAD_COMMON_CONSTANT.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub fn common_constant(ts: &Thread, index: usize) -> Word {
    // SAFETY: types and builtins are live as long as the VM.
    unsafe {
        match index {
            0 => (*ts.exc.AssertionError).word(),
            1 => (*ts.exc.NotImplementedError).word(),
            2 => (*ts.types.tuple).word(),
            3 => ts.callables.all.get(),
            _ => ts.callables.any.get(),
        }
    }
}

// ---- cells

/// Puts the local, if it is bound, into a new cell in its place.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn make_cell(ts: &Thread, locals: Locals, index: usize) -> bool {
    unsafe {
        let local = locals.add(index);
        let initial = *local;
        let Ok(cell) = ts.vm().new_cell((!initial.is_null()).then_some(initial)) else {
            return false;
        };
        *local = cell.into_slot();
        // The cell holds a count of its own, so this one is not the last.
        initial.release_slot();
        true
    }
}

/// The closure's cells, into the last locals. False if the collector has taken the closure from the function, which then
/// cannot be run any more.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn copy_free_vars(ts: &Thread, locals: Locals, count: usize) -> bool {
    unsafe {
        let closure = (*frame::function(locals)).closure.get();
        if closure.is_null() {
            ts.vm()
                .raise(ts.exc.SystemError, "the function has lost its closure");
            return false;
        }
        let first = (*frame::code(locals)).nlocalsplus() - count;
        for (index, cell) in tuple::items(closure).iter().enumerate() {
            *locals.add(first + index) = cell.to_slot();
        }
        true
    }
}

/// What a cell holds, as a slot's word; NULL if it is empty.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn cell_value(cell: Word) -> Word {
    unsafe {
        (*cell.cast::<CellObject>())
            .value
            .get()
            .unwrap_or(Word::NULL)
    }
}

/// Puts a slot's word, or NULL for none, into a cell; the word that was there.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn replace_cell_value(cell: Word, value: Word) -> Word {
    unsafe {
        let value = (!value.is_null()).then_some(value);
        (*cell.cast::<CellObject>())
            .value
            .replace(value)
            .unwrap_or(Word::NULL)
    }
}

#[inline(never)]
pub unsafe fn raise_unbound_local(ts: &Thread, locals: Locals, index: usize) -> Word {
    unsafe { raise_unbound(ts.vm(), frame::code(locals), index) };
    Word::NULL
}

/// As [`raise_unbound_local`], for a cell of this function or of one around it.
#[inline(never)]
pub unsafe fn raise_unbound_cell(ts: &Thread, locals: Locals, index: usize) -> Word {
    unsafe { raise_unbound_local(ts, locals, index) }
}
