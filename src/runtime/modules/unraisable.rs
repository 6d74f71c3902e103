//! Exceptions that have nobody to go to: `sys.unraisablehook`, and `sys.excepthook` when the program ends.

use super::stream;
use super::struct_seq::{self, StructSeq, item, struct_seq};
use crate::object::descr::GetSetDef;
use crate::object::{
    Owned, PyResult, Raised, Vm, Word, attr, call, dict, exc, protocol, str, tuple,
};
use crate::runtime::thread::Thread;
use crate::runtime::traceback::format_exception;
use std::io::Write;

struct_seq!(UnraisableHookArgs, "UnraisableHookArgs", 5: exc_type 0 exc_value 1 exc_traceback 2 err_msg 3 object 4);

/// Makes the type of what the hook gets.
pub(super) fn make_type(ts: &Thread) -> Result<(), Raised> {
    let ty = struct_seq::make_type::<UnraisableHookArgs>(ts.vm())?;
    ts.module_types.unraisable_args.set(ty);
    Ok(())
}

/// Writes to `sys.stderr`, whatever that is now; what fails there is left out.
pub(in crate::runtime) fn write_stderr(ts: &Thread, text: &str) {
    let vm = ts.vm();
    let written = (|| {
        let name = vm.intern_str("stderr")?;
        // SAFETY: the dict of `sys` lives as long as the VM.
        let file = unsafe { dict::get_item(vm, ts.sys.get(), name.as_word())? }.map(Owned::new_ref);
        match file {
            Some(file) if file.as_word().is_none() => Ok(()),
            Some(file) if stream::which(vm, file.as_word()).is_none() => {
                let text = vm.new_str(text)?;
                attr::call_method(vm, file.as_word(), vm.names.write, &[text.as_word()]).map(drop)
            }
            _ => {
                // There is nobody left to tell if that fails.
                let _ = ts.stderr.borrow_mut().write_all(text.as_bytes());
                Ok(())
            }
        }
    })();
    if let Err(Raised) = written {
        vm.clear_exception();
    }
}

/// A hook of `sys` that a program has put there; None if it is the one that was there at the start.
fn replaced_hook(ts: &Thread, name: &str) -> Option<Owned> {
    let vm = ts.vm();
    let get = |name: &str| -> Result<Option<Owned>, Raised> {
        let name = vm.intern_str(name)?;
        // SAFETY: the dict of `sys` lives as long as the VM.
        let found = unsafe { dict::get_item(vm, ts.sys.get(), name.as_word())? };
        Ok(found.map(Owned::new_ref))
    };
    let both = get(name).and_then(|hook| Ok((hook, get(&format!("__{name}__"))?)));
    match both {
        Ok((Some(hook), Some(own))) if hook.as_word().is(own.as_word()) => None,
        Ok((Some(hook), _)) if !hook.as_word().is_none() => Some(hook),
        Ok(_) => None,
        Err(Raised) => {
            vm.clear_exception();
            None
        }
    }
}

fn parts(vm: Vm, exception: Word) -> [Word; 3] {
    // SAFETY: types are live as long as an instance.
    let class = unsafe { (*vm.type_of(exception)).word() };
    let traceback = exc::object(exception).traceback.get();
    [class, exception, traceback.unwrap_or(Word::NONE)]
}

/// Reports the current exception, which cannot be raised (`PyErr_FormatUnraisable`).
pub(in crate::runtime) fn write(vm: Vm, message: &str, object: Word) {
    let ts = Thread::of(vm);
    let Some(exception) = vm.take_exception() else {
        return;
    };
    let shown = repr_or(vm, object, "<object repr() failed>");
    let message = format!("{message} {shown}");
    let Some(hook) = replaced_hook(ts, "unraisablehook") else {
        let report = format_exception(ts, exception.as_word());
        write_stderr(ts, &format!("{message}:\n{report}"));
        return;
    };
    let called = arguments(ts, exception.as_word(), &message)
        .and_then(|args| call::call_one(vm, hook.as_word(), args.as_word()));
    if called.is_err()
        && let Some(error) = vm.take_exception()
    {
        let hook = repr_or(vm, hook.as_word(), "<object repr() failed>");
        let report = format_exception(ts, error.as_word());
        let text = format!("Exception ignored in sys.unraisablehook: {hook}\n{report}");
        write_stderr(ts, &text);
    }
}

fn repr_or(vm: Vm, object: Word, otherwise: &str) -> String {
    match protocol::repr(vm, object) {
        Ok(text) => str::to_string_lossy(text.as_word()),
        Err(Raised) => {
            vm.clear_exception();
            otherwise.into()
        }
    }
}

fn arguments(ts: &Thread, exception: Word, message: &str) -> PyResult {
    let vm = ts.vm();
    let mut items: Vec<Owned> = parts(vm, exception)
        .into_iter()
        .map(Owned::new_ref)
        .collect();
    items.push(vm.new_str(message)?);
    items.push(Owned::NONE);
    // SAFETY: the type of these five fields.
    unsafe { struct_seq::instance(vm, ts.module_types.unraisable_args.get(), items) }
}

/// `sys.unraisablehook(args)`
pub(super) fn unraisablehook(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let ts = Thread::of(vm);
    if vm.type_of(args[0]) != ts.module_types.unraisable_args.get() {
        return Err(vm.type_error("sys.unraisablehook argument type must be UnraisableHookArgs"));
    }
    // SAFETY: a tuple that the caller keeps.
    let fields = unsafe { tuple::items(args[0]) };
    let [_, value, _, message, object] = fields else {
        return Ok(Owned::NONE);
    };
    let mut text = match str::is_str(*message) {
        true => str::to_string_lossy(*message),
        false => "Exception ignored in".to_owned(),
    };
    if !object.is_none() {
        text += &format!(": {}", repr_or(vm, *object, "<object repr() failed>"));
    } else {
        text += ":";
    }
    text.push('\n');
    if exc::is_exception(*value) {
        text += &format_exception(ts, *value);
    }
    write_stderr(ts, &text);
    Ok(Owned::NONE)
}

/// How `sys.excepthook` has dealt with an exception at the end of the program.
pub(in crate::runtime) enum Hooked {
    /// There is no hook but the usual one.
    Usual,
    Done,
    /// The hook has raised: what is to be said of both exceptions, and the hook's.
    Failed(String, Owned),
}

/// Gives an exception that nobody caught to `sys.excepthook` (`_PyErr_PrintEx`).
pub(in crate::runtime) fn call_excepthook(ts: &Thread, exception: Word) -> Hooked {
    let vm = ts.vm();
    let Some(hook) = replaced_hook(ts, "excepthook") else {
        return Hooked::Usual;
    };
    match call::call(vm, hook.as_word(), &parts(vm, exception), None) {
        Ok(_) => Hooked::Done,
        Err(Raised) => {
            let error = vm.take_exception().unwrap_or(Owned::NONE);
            let mut text = String::from("Error in sys.excepthook:\n");
            if exc::is_exception(error.as_word()) {
                text += &format_exception(ts, error.as_word());
            }
            text += "\nOriginal exception was:\n";
            text += &format_exception(ts, exception);
            Hooked::Failed(text, error)
        }
    }
}
