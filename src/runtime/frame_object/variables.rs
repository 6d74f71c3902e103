//! A function's variables by name: what `locals()` copies and `f_locals` reads and writes.

use super::{FrameObject, object};
use crate::bytecode::spec::local_kind;
use crate::object::descr::CellObject;
use crate::object::types::CompareOp;
use crate::object::{Kind, Owned, PyResult, Raised, Vm, Word, dict, list, protocol, str};
use crate::runtime::code::CodeObject;
use crate::runtime::frame::{self, Locals, Meta};
use crate::runtime::thread::Thread;

/// The cell in which a variable lives. An argument stays itself until MAKE_CELL has run.
unsafe fn cell_of<'a>(code: &CodeObject, words: Locals, index: usize) -> Option<&'a CellObject> {
    let in_cell = code.spec.localspluskinds[index] & (local_kind::CELL | local_kind::FREE) != 0;
    unsafe {
        let word = *words.add(index);
        (in_cell && word.is_exact(Kind::CELL)).then(|| &*word.cast::<CellObject>())
    }
}

/// A variable's value, borrowed (`framelocalsproxy_getval`).
unsafe fn value_at(code: &CodeObject, words: Locals, index: usize) -> Option<Word> {
    unsafe {
        match cell_of(code, words, index) {
            Some(cell) => cell.value.get(),
            None => Some(*words.add(index)).filter(|word| !word.is_null()),
        }
    }
}

/// Name and value of each variable that has one. Nothing may run while the iterator is used.
unsafe fn variables<'a>(
    code: &'a CodeObject,
    words: Locals,
) -> impl DoubleEndedIterator<Item = (Word, Word)> + 'a {
    // SAFETY: the caller's promise; kinds and names are as many as words.
    (0..code.nlocalsplus()).filter_map(move |index| {
        let value = unsafe { value_at(code, words, index) }?;
        Some((code.localsplusnames[index], value))
    })
}

/// Whether a variable of an inlined comprehension has a value: then even a module's `locals()` are its variables
/// (`frame_hasHiddenLocals`).
///
/// # Safety
/// The frame is live and has a function.
pub unsafe fn hidden_in_use(locals: Locals) -> bool {
    // SAFETY: the caller's promise.
    unsafe { hidden_in(&*frame::code(locals), locals) }
}

/// The same for words that are a frame's variables.
///
/// # Safety
/// The words are variables of that code.
pub unsafe fn hidden_in(code: &CodeObject, words: Locals) -> bool {
    let kinds = &code.spec.localspluskinds;
    (0..kinds.len()).any(|index| unsafe {
        kinds[index] & local_kind::HIDDEN != 0 && value_at(code, words, index).is_some()
    })
}

/// A new dict of a running frame's variables, and of what `f_locals` was given beside them.
///
/// # Safety
/// As [`hidden_in_use`].
pub unsafe fn snapshot(ts: &Thread, locals: Locals) -> PyResult {
    unsafe {
        let header = frame::frame(locals);
        let frame = if (*header).meta.has(Meta::GENERATOR) {
            (*(*header)
                .namespace
                .cast::<crate::runtime::generator::GeneratorObject>())
            .frame_object
            .get()
        } else {
            ts.frame_objects.get(locals)
        };
        let extra = frame.and_then(|word| object(word).extra.get());
        collect(ts.vm(), &*frame::code(locals), locals, extra)
    }
}

unsafe fn collect(vm: Vm, code: &CodeObject, words: Locals, extra: Option<Word>) -> PyResult {
    unsafe {
        let dict = Owned::from_raw(vm.new_dict()?);
        for (name, value) in variables(code, words) {
            // Names are strings: nothing runs.
            dict::set_item(vm, dict.as_ptr(), name, value)?;
        }
        if let Some(extra) = extra {
            for (key, value) in pairs(extra) {
                dict::set_item(vm, dict.as_ptr(), key.as_word(), value.as_word())?;
            }
        }
        Ok(dict)
    }
}

fn pairs(dict: Word) -> Vec<(Owned, Owned)> {
    let mut pairs = Vec::new();
    let mut position = 0;
    // SAFETY: a dict that the caller's frame holds; nothing changes it meanwhile.
    while let Some((key, value, _)) = unsafe { dict::next(dict.cast(), &mut position) } {
        pairs.push((Owned::new_ref(key), Owned::new_ref(value)));
    }
    pairs
}

fn code(frame: &FrameObject) -> &CodeObject {
    // SAFETY: the object holds a count of it.
    unsafe { &*frame.code() }
}

/// All names and values, the variables first.
pub fn items(ts: &Thread, frame: &FrameObject) -> Vec<(Owned, Owned)> {
    // SAFETY: the words are the frame's; taking counts runs nothing.
    let mut items: Vec<_> = unsafe { variables(code(frame), frame.words(ts)) }
        .map(|(name, value)| (Owned::new_ref(name), Owned::new_ref(value)))
        .collect();
    if let Some(extra) = frame.extra.get() {
        items.extend(pairs(extra));
    }
    items
}

pub fn names_with_values(ts: &Thread, frame: &FrameObject) -> Vec<Owned> {
    // SAFETY: as above.
    unsafe { variables(code(frame), frame.words(ts)) }
        .map(|(name, _)| Owned::new_ref(name))
        .collect()
}

pub fn value_of(ts: &Thread, frame: &FrameObject, name: &str) -> Option<Owned> {
    // SAFETY: as above.
    unsafe { variables(code(frame), frame.words(ts)) }
        .find(|(own, _)| str::equals(*own, name))
        .map(|(_, value)| Owned::new_ref(value))
}

pub fn as_dict(ts: &Thread, frame: &FrameObject) -> PyResult {
    // SAFETY: as above.
    unsafe { collect(ts.vm(), code(frame), frame.words(ts), frame.extra.get()) }
}

/// Which variable a key names (`framelocalsproxy_getkeyindex`): to read, one that has a value; to write, one that is not
/// a comprehension's. Compares with Python code where the key is no string.
fn index_of(
    ts: &Thread,
    frame: &FrameObject,
    key: Word,
    read: bool,
) -> Result<Option<usize>, Raised> {
    let vm = ts.vm();
    let code = code(frame);
    let hash = protocol::hash(vm, key)?;
    for (index, &name) in code.localsplusnames.iter().enumerate() {
        let same = if str::is_str(key) {
            str::equal(name, key)
        } else {
            dict::hash_key(vm, name)? == hash
                && protocol::rich_compare_bool(vm, name, key, CompareOp::Eq)?
        };
        if !same {
            continue;
        }
        let found = if read {
            // SAFETY: the words are the frame's, asked for anew.
            unsafe { value_at(code, frame.words(ts), index).is_some() }
        } else {
            code.spec.localspluskinds[index] & local_kind::HIDDEN == 0
        };
        if found {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// The value that a name or another key has.
pub fn get(ts: &Thread, frame: &FrameObject, key: Word) -> Result<Option<Owned>, Raised> {
    if let Some(index) = index_of(ts, frame, key, true)? {
        // SAFETY: as above.
        let value = unsafe { value_at(code(frame), frame.words(ts), index) };
        if let Some(value) = value {
            return Ok(Some(Owned::new_ref(value)));
        }
    }
    match frame.extra.get().map(Owned::new_ref) {
        // SAFETY: a dict, held here.
        Some(extra) => unsafe { dict::get_item(ts.vm(), extra.as_ptr(), key) }
            .map(|value| value.map(Owned::new_ref)),
        None => Ok(None),
    }
}

/// Whether a key is a variable's name, which cannot be removed.
pub fn is_variable(ts: &Thread, frame: &FrameObject, key: Word) -> Result<bool, Raised> {
    Ok(index_of(ts, frame, key, false)?.is_some())
}

/// Gives a variable or another key a value (`framelocalsproxy_setitem`).
pub fn set(ts: &Thread, frame: &FrameObject, key: Word, value: Word) -> Result<(), Raised> {
    let vm = ts.vm();
    let Some(index) = index_of(ts, frame, key, false)? else {
        let extra = match frame.extra.get() {
            Some(extra) => Owned::new_ref(extra),
            None => {
                // SAFETY: a dict just made.
                let extra = unsafe { Owned::from_raw(vm.new_dict()?) };
                frame.extra.set(Some(extra.clone().into_slot()));
                extra
            }
        };
        // SAFETY: a dict, held here.
        return unsafe { dict::set_item(vm, extra.as_ptr(), key, value) };
    };
    // SAFETY: the words are the frame's; the value replaced is kept where the stack may hold it.
    unsafe {
        let words = frame.words(ts);
        if let Some(cell) = cell_of(code(frame), words, index) {
            let old = cell.value.replace(Some(Owned::new_ref(value).into_slot()));
            if let Some(old) = old {
                old.release_slot();
            }
            return Ok(());
        }
        let old = *words.add(index);
        if old.is(value) {
            return Ok(());
        }
        if old.is_pointer() && !frame.has_ended() {
            keep(vm, frame, old)?;
        }
        *words.add(index) = Owned::new_ref(value).into_slot();
        old.release_slot();
        Ok(())
    }
}

/// Adds a value to those that live as long as the frame.
fn keep(vm: Vm, frame: &FrameObject, value: Word) -> Result<(), Raised> {
    let kept = match frame.replaced.get() {
        Some(kept) => kept,
        None => {
            let kept = vm.new_list(&[])?.into_slot();
            frame.replaced.set(Some(kept));
            kept
        }
    };
    // SAFETY: a list of the frame's own.
    unsafe { list::append(vm, kept.cast(), value) }
}
