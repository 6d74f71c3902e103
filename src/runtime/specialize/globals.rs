//! LOAD_GLOBAL (`_Py_Specialize_LoadGlobal`): the value itself goes into the cache, watched.

use super::{Decision, Refusal};
use crate::bytecode::Opcode;
use crate::object::Kind;
use crate::object::dict::{self, DictObject};
use crate::runtime::frame::{self, Ip, Locals};
use crate::runtime::thread::Thread;

/// Decides and fills the cache.
///
/// # Safety
/// `instr` is a LOAD_GLOBAL in live code, `locals` are the running frame's.
pub unsafe fn decide(ts: &Thread, instr: Ip, locals: Locals, oparg: usize) -> Decision {
    unsafe {
        let function = frame::function(locals);
        let name = (&(*frame::code(locals)).names)[oparg >> 1];
        let globals = (*function).globals.get();
        let builtins = (*function).builtins.get();
        plain(globals)?;
        let cache = instr.add(2);
        if let Some(value) = dict::get_str(globals, name) {
            watch(globals);
            ts.watchers.watch(cache, globals, name, value, None);
            return Ok(Opcode::LOAD_GLOBAL_MODULE);
        }
        plain(builtins)?;
        let Some(value) = dict::get_str(builtins, name) else {
            return Err(Refusal::OutOfRange);
        };
        watch(globals);
        watch(builtins);
        ts.watchers
            .watch(cache, builtins, name, value, Some(globals));
        Ok(Opcode::LOAD_GLOBAL_BUILTIN)
    }
}

/// All keys are strings and the values are its own.
unsafe fn plain(dict: *mut DictObject) -> Result<(), Refusal> {
    unsafe {
        if (*dict).header.kind() != Kind::DICT {
            return Err(Refusal::GlobalsNotDict);
        }
        if (*dict).keys().kind.get() != dict::KeysKind::Unicode {
            return Err(Refusal::GlobalsNotStrings);
        }
        Ok(())
    }
}

/// Has every change of the dict told to the watchers.
unsafe fn watch(dict: *mut DictObject) {
    unsafe { (*dict).watcher.set(std::ptr::NonNull::dangling().as_ptr()) }
}
