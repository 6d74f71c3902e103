//! Warnings that the interpreter itself gives, as the default filters show them (`_warnings.c`).

use super::code::{self, CodeObject};
use super::frame::{self, Meta};
use super::thread::Thread;
use super::unwind::instruction_at;
use crate::bytecode::tables;
use crate::object::{TypeObject, Vm, Word, dict, str};
use std::collections::HashSet;

/// What has been shown, which is not shown again: file, line, category and text.
pub type Shown = HashSet<(String, i32, String, String)>;

/// Where the running code is: file name, line, and whether it belongs to `__main__`.
fn place(ts: &Thread) -> (String, i32, bool) {
    let (mut ip, _, mut locals) = ts.saved_registers();
    // SAFETY: saved locals are those of a live frame, as is each `previous`; shims and bridges have no code.
    unsafe {
        let code: &CodeObject = loop {
            if locals.is_null() {
                return ("sys".into(), 1, false);
            }
            let header = frame::frame(locals);
            if (*header).meta.has(Meta::SHIM | Meta::BRIDGE) {
                ip = (*header).return_ip;
            } else {
                let code = &*frame::code(locals);
                let start = code::start(frame::code(locals));
                if (start..=start.add(2 * code.units())).contains(&ip) {
                    break code;
                }
                // The frame is being left: `ip` is where its caller goes on.
            }
            locals = (*header).previous;
        };
        let unit = instruction_at(locals, ip) as u32;
        let line = tables::read_locations(&code.spec.linetable, code.spec.firstlineno)
            .ok()
            .and_then(|ranges| {
                ranges
                    .into_iter()
                    .find(|range| (range.start..range.end).contains(&unit))
            })
            .map_or(1, |range| range.loc.lineno);
        let globals = (*frame::function(locals)).globals.get();
        let main = dict::get_str(globals, ts.vm().names.__name__)
            .is_some_and(|name| str::is_str(name) && str::equals(name, "__main__"));
        (code.spec.filename.to_string(), line, main)
    }
}

/// Shows a warning about the running line, once (`PyErr_WarnEx` with a stack level of 1).
#[cold]
pub(in crate::runtime) fn warn(vm: Vm, category: *mut TypeObject, message: &str) {
    let ts = Thread::of(vm);
    let (file, line, main) = place(ts);
    if category == vm.exc.DeprecationWarning && !main {
        return;
    }
    // SAFETY: built-in types live as long as the VM.
    let name = unsafe { (*category).name_string() };
    let key = (file, line, name, message.to_owned());
    if ts.warnings_shown.borrow().contains(&key) {
        return;
    }
    let (file, line, name, _) = &key;
    let mut text = format!("{file}:{line}: {name}: {message}\n");
    if let Some(source) = ts.sources.get(file)
        && let Some(quoted) = source.lines().nth((*line as usize).saturating_sub(1))
        && !quoted.trim().is_empty()
    {
        text.push_str(&format!("  {}\n", quoted.trim()));
    }
    if message.ends_with(UNAWAITED) {
        text.push_str(&format!("{name}: {TRACEMALLOC}\n"));
    }
    ts.warnings_shown.borrow_mut().insert(key);
    // There is nobody left to tell if that fails.
    let _ = ts.stderr.borrow_mut().write_all(text.as_bytes());
}

const UNAWAITED: &str = "was never awaited";
const TRACEMALLOC: &str = "Enable tracemalloc to get the object allocation traceback";

/// A coroutine that goes without having begun (`_PyErr_WarnUnawaitedCoroutine`).
pub fn unawaited(vm: Vm, qualname: Word) {
    let name = str::to_string_lossy(qualname);
    warn(
        vm,
        vm.exc.RuntimeWarning,
        &format!("coroutine '{name}' {UNAWAITED}"),
    );
}

/// Likewise what a method of an asynchronous generator gave (`_PyErr_WarnUnawaitedAgenMethod`).
pub fn unawaited_method(vm: Vm, method: &str, qualname: Word) {
    let name = str::to_string_lossy(qualname);
    warn(
        vm,
        vm.exc.RuntimeWarning,
        &format!("coroutine method '{method}' of '{name}' {UNAWAITED}"),
    );
}

/// `~True` (`bool_invert`).
pub fn inverted_bool(vm: Vm) {
    let message = "Bitwise inversion '~' on bool is deprecated and will be removed in Python 3.16. This returns the \
                   bitwise inversion of the underlying int object and is usually not what you expect from negating a \
                   bool. Use the 'not' operator for boolean negation or ~int(x) if you really want the bitwise \
                   inversion of the underlying int.";
    warn(vm, vm.exc.DeprecationWarning, message);
}
