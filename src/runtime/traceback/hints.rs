//! What follows the message of a NameError, AttributeError or ImportError (`_compute_suggestion_error`).

use super::suggest::closest;
use super::{TracebackObject, innermost};
use crate::object::exc::{self, field};
use crate::object::{Owned, Raised, Vm, Word, attr, dict, str};
use crate::runtime::builtins::dir;
use crate::runtime::frame_object;
use crate::runtime::import;
use crate::runtime::modules::stdlib_names;
use crate::runtime::thread::Thread;

/// `. Did you mean: 'x'?` and its like, or nothing.
pub fn hint(ts: &Thread, exception: Word) -> String {
    let vm = ts.vm();
    let is = |ty| vm.is_instance(exception, ty);
    if is(vm.exc.ImportError) {
        return name_field(exception, field::IMPORT_ERROR_NAME_FROM)
            .and_then(|wrong| module_hint(ts, exception, &wrong))
            .map_or_else(String::new, |name| format!(". Did you mean: '{name}'?"));
    }
    if is(vm.exc.AttributeError) {
        return name_field(exception, field::ATTRIBUTE_ERROR_NAME)
            .and_then(|wrong| attribute_hint(ts, exception, &wrong))
            .map_or_else(String::new, |name| format!(". Did you mean: '{name}'?"));
    }
    if is(vm.exc.NameError)
        && let Some(wrong) = name_field(exception, field::NAME_ERROR_NAME)
    {
        let meant = innermost(exception).and_then(|entry| variable_hint(ts, entry, &wrong));
        let module = stdlib_names::NAMES.binary_search(&wrong.as_str()).is_ok();
        return match (meant, module) {
            (Some(name), true) => {
                format!(". Did you mean: '{name}'? Or did you forget to import '{wrong}'?")
            }
            (Some(name), false) => format!(". Did you mean: '{name}'?"),
            (None, true) => format!(". Did you forget to import '{wrong}'?"),
            (None, false) => String::new(),
        };
    }
    String::new()
}

fn name_field(exception: Word, index: usize) -> Option<String> {
    // SAFETY: the caller knows the type's fields.
    let name = unsafe { exc::object(exception).field(index) }.get()?;
    if str::is_str(name) {
        str::to_utf8(name)
    } else {
        None
    }
}

/// Sorted names of `dir(object)`, private ones only if asked for.
fn attributes(vm: Vm, object: Word, private: bool) -> Option<Vec<String>> {
    let names = match dir::names_of(vm, object) {
        Ok(names) => names,
        Err(Raised) => {
            vm.clear_exception();
            return None;
        }
    };
    let strings = names.iter().filter(|name| str::is_str(name.as_word()));
    let mut names: Vec<String> = strings
        .map(|name| str::to_string_lossy(name.as_word()))
        .collect();
    names.sort();
    names.retain(|name| private || !name.starts_with('_'));
    Some(names)
}

fn attribute_hint(ts: &Thread, exception: Word, wrong: &str) -> Option<String> {
    let vm = ts.vm();
    // SAFETY: an AttributeError has that field.
    let object = unsafe { exc::object(exception).field(field::ATTRIBUTE_ERROR_OBJ) }.get()?;
    let inside = innermost(exception)
        .and_then(|entry| frame_object::variable(ts, entry.frame(), "self"))
        .is_some_and(|instance| instance.as_word().is(object));
    let names = attributes(vm, object, wrong.starts_with('_') || inside)?;
    closest(wrong, &names).map(str::to_string)
}

fn module_hint(ts: &Thread, exception: Word, wrong: &str) -> Option<String> {
    let name = name_field(exception, field::IMPORT_ERROR_NAME)?;
    let module = import::find_loaded(ts, &name)?;
    let names = attributes(ts.vm(), module.as_word(), wrong.starts_with('_'))?;
    closest(wrong, &names).map(str::to_string)
}

/// Among the frame's variables, its globals and the builtins; an attribute of `self` before all of them.
fn variable_hint(ts: &Thread, entry: &TracebackObject, wrong: &str) -> Option<String> {
    let vm = ts.vm();
    let frame = entry.frame();
    if let Some(instance) = frame_object::variable(ts, frame, "self") {
        let name = vm.intern_str(wrong);
        match name.and_then(|name| attr::get_attr_opt(vm, instance.as_word(), name.as_word())) {
            Ok(Some(_)) => return Some(format!("self.{wrong}")),
            Ok(None) => {}
            Err(Raised) => vm.clear_exception(),
        }
    }
    let own = frame_object::variable_names(ts, frame);
    let mut words: Vec<Word> = own.iter().map(Owned::as_word).collect();
    // SAFETY: the dicts are live, and nothing changes them here.
    unsafe {
        for dict in [frame.globals(), ts.builtins_of(frame.globals())] {
            let mut position = 0;
            while let Some((key, _, _)) = dict::next(dict, &mut position) {
                words.push(key);
            }
        }
    }
    let names: Vec<String> = words
        .into_iter()
        .filter(|word| str::is_str(*word))
        .map(str::to_string_lossy)
        .collect();
    closest(wrong, &names).map(str::to_string)
}
