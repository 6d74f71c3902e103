//! `_abc` (`_abc.c`): what pattern matching takes classes for. The rest of abstract base classes is `py/abc.py`.

use super::with_functions;
use crate::object::descr::{MethodDef, meth};
use crate::object::types::type_flag;
use crate::object::{Kind, Owned, PyResult, Raised, TypeObject, Vm, Word, args, number};
use crate::runtime::thread::Thread;

/// A class matches sequence patterns, mapping patterns, or neither.
const COLLECTION_FLAGS: u32 = type_flag::SEQUENCE | type_flag::MAPPING;

static FUNCTIONS: [MethodDef; 2] = [
    MethodDef::new("_set_collection_flag", meth::FASTCALL, |vm, _, args, _| {
        args::check_positional(vm, "_set_collection_flag", args.len(), 2, 2)?;
        let class = class(vm, args[0])?;
        let flag = number::index_isize(vm, args[1])? as u32 & COLLECTION_FLAGS;
        // SAFETY: the argument keeps the class.
        unsafe { set(class, flag) };
        Ok(Owned::NONE)
    }),
    MethodDef::new(
        "_inherit_collection_flag",
        meth::FASTCALL,
        |vm, _, args, _| {
            args::check_positional(vm, "_inherit_collection_flag", args.len(), 2, 2)?;
            let (class, from) = (class(vm, args[0])?, class(vm, args[1])?);
            // SAFETY: the arguments keep the classes.
            unsafe {
                match (*from).flags.get() & COLLECTION_FLAGS {
                    0 => {}
                    flag => set_below(class, flag),
                }
            }
            Ok(Owned::NONE)
        },
    ),
];

fn class(vm: Vm, word: Word) -> Result<*mut TypeObject, Raised> {
    if word.is_instance(Kind::TYPE) {
        return Ok(word.cast());
    }
    Err(vm.type_error(format!("expected a class, got '{}'", vm.type_name(word))))
}

unsafe fn set(class: *mut TypeObject, flag: u32) {
    let flags = unsafe { &(*class).flags };
    flags.set(flags.get() & !COLLECTION_FLAGS | flag);
}

/// `set_collection_flag_recursive`: built-in classes stay as they are. The depth is that of a class hierarchy, which
/// making a class has walked too.
unsafe fn set_below(class: *mut TypeObject, flag: u32) {
    unsafe {
        if (*class).has_flag(type_flag::IMMUTABLETYPE)
            || (*class).flags.get() & COLLECTION_FLAGS == flag
        {
            return;
        }
        set(class, flag);
        for &subclass in &*(*class).subclasses.get() {
            set_below(subclass, flag);
        }
    }
}

pub(super) fn make(ts: &Thread) -> PyResult {
    with_functions(ts.vm(), "_abc", &FUNCTIONS)
}
