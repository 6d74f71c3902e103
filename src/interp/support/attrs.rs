//! Attributes of any object.

use super::names::name_at;
use super::word_or_null;
use crate::interp::abi::{Ip, Locals};
use crate::object::header::flag;
use crate::object::module::ModuleObject;
use crate::object::property::PropertyObject;
use crate::object::{Header, Kind, Owned, PyResult, TypeObject, Word, attr, call, super_object};
use crate::runtime::code::CodeObject;
use crate::runtime::frame::{Frame, HEADER};
use crate::runtime::function::FunctionObject;
use crate::runtime::specialize::attr::entry_at_hint;
use crate::runtime::thread::Thread;
use crate::runtime::{call as calls, watchers};

/// An attribute and NULL, or an unbound method and its instance.
fn pair(result: Result<(Owned, bool), crate::object::Raised>, owner: Word) -> (Word, Word) {
    match result {
        Ok((method, true)) => (method.into_word(), Owned::new_ref(owner).into_word()),
        Ok((value, false)) => (value.into_word(), Word::NULL),
        Err(_) => (Word::NULL, Word::NULL),
    }
}

/// The attribute and NULL; with the low bit of `oparg`, a method found on the type comes unbound, its instance behind it.
#[inline(never)]
pub unsafe fn load_attr(ts: &Thread, locals: Locals, owner: Word, oparg: usize) -> (Word, Word) {
    let vm = ts.vm();
    let name = unsafe { name_at(locals, oparg >> 1) };
    if oparg & 1 == 0 {
        return (word_or_null(attr::get_attr(vm, owner, name)), Word::NULL);
    }
    pair(attr::get_method(vm, owner, name), owner)
}

#[inline(never)]
pub unsafe fn store_attr(
    ts: &Thread,
    locals: Locals,
    owner: Word,
    value: Word,
    index: usize,
) -> bool {
    unsafe { attr::set_attr(ts.vm(), owner, name_at(locals, index), Some(value)).is_ok() }
}

#[inline(never)]
pub unsafe fn delete_attr(ts: &Thread, locals: Locals, owner: Word, index: usize) -> bool {
    unsafe { attr::set_attr(ts.vm(), owner, name_at(locals, index), None).is_ok() }
}

// ---- guards

/// An object, not an immediate value, whose type has this version, which is never 0.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn has_type_version(owner: Word, version: u32) -> bool {
    unsafe { owner.is_pointer() && (*(*owner.object()).ty()).version.get() == version }
}
/// An immediate value whose type has the version in this LOAD_ATTR's cache.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn is_immediate_of_cached_type(ts: &Thread, instr: Ip, owner: Word) -> bool {
    unsafe {
        let version = instr.add(4).cast::<u32>().read_unaligned();
        !owner.is_pointer() && (*ts.vm().type_of_immediate(owner)).version.get() == version
    }
}
/// The type of an immediate value: its `__class__`.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn class_of_immediate(ts: &Thread, owner: Word) -> Word {
    unsafe { (*ts.vm().type_of_immediate(owner)).word() }
}
/// What `descr` of this LOAD_ATTR's cache holds.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn cached_descr(instr: Ip) -> Word {
    unsafe { Word::from_bits(instr.add(12).cast::<u64>().read_unaligned()) }
}
/// The instance's attributes are its inline values.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn has_inline_values(owner: Word) -> bool {
    unsafe { (*owner.object()).has_flag(flag::INLINE_VALUES) }
}
/// The same, and nobody has asked for its dict.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn has_inline_values_only(owner: Word) -> bool {
    let mask = flag::INLINE_VALUES | flag::DICT_MADE;
    unsafe { (*owner.object()).flags.get() & mask == flag::INLINE_VALUES }
}
/// The version of the keys that instances of this one's class share; 0 if there is none now.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn shared_keys_version(owner: Word) -> u32 {
    unsafe { (*(*(*owner.object()).ty()).cached_keys.get()).version.get() }
}
/// A class with this version.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn is_class_of_version(owner: Word, version: u32) -> bool {
    unsafe {
        owner.is_instance(Kind::TYPE) && (*owner.cast::<TypeObject>()).version.get() == version
    }
}
/// A module whose dict has keys of this version.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn is_module_of_version(owner: Word, version: u32) -> bool {
    unsafe {
        owner.is_instance(Kind::MODULE)
            && (*(*owner.cast::<ModuleObject>()).dict).keys().version.get() == version
    }
}
/// The instance's type keeps its dict in a place that is still empty.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn has_no_dict_yet(owner: Word) -> bool {
    unsafe { crate::object::instance::existing_dict(owner.object()).is_null() }
}

// ---- words of an object, by their offset; zero where there is no value

#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn has_word_at(owner: Word, offset: u32) -> bool {
    unsafe {
        *owner
            .object()
            .cast::<u8>()
            .add(offset as usize)
            .cast::<u64>()
            != 0
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn word_at(owner: Word, offset: u32) -> Word {
    unsafe {
        *owner
            .object()
            .cast::<u8>()
            .add(offset as usize)
            .cast::<Word>()
    }
}
/// Puts a slot's word there; the old one, or NULL.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn replace_word_at(owner: Word, offset: u16, value: Word) -> Word {
    unsafe {
        let place = owner
            .object()
            .cast::<u8>()
            .add(usize::from(offset))
            .cast::<Option<Word>>();
        (*place).replace(value).unwrap_or(Word::NULL)
    }
}
/// The same for an inline value, whose key comes into the order if it had none.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn replace_inline_value(owner: Word, offset: u16, value: Word) -> Word {
    unsafe {
        let object = owner.object();
        let place = object
            .cast::<u8>()
            .add(usize::from(offset))
            .cast::<Option<Word>>();
        match (*place).replace(value) {
            Some(old) => old,
            None => {
                let values = crate::object::instance::values_ptr(object);
                (*values).add_place_to_order(place);
                Word::NULL
            }
        }
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
unsafe fn module_value_place(owner: Word, offset: u32) -> *const u64 {
    unsafe {
        let keys = (*(*owner.cast::<ModuleObject>()).dict).keys.get();
        keys.cast::<u8>().add(offset as usize).cast()
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn has_module_value(owner: Word, offset: u32) -> bool {
    unsafe { *module_value_place(owner, offset) != 0 }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn module_value(owner: Word, offset: u32) -> Word {
    unsafe { Word::from_bits(*module_value_place(owner, offset)) }
}

// ---- words in caches

/// A counted copy of what `descr` of a cache holds.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn cached_word_of(descr: u64) -> Word {
    unsafe { Word::from_bits(descr).dup() }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn borrowed_word_of(descr: u64) -> Word {
    unsafe { Word::from_bits(descr) }
}

// ---- the dict of an instance, by a hint where the entry is

/// What the instance's own dict has under the name of this instruction at `hint`, counted; NULL if that is elsewhere.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn value_at_hint(locals: Locals, owner: Word, hint: usize, index: usize) -> Word {
    unsafe {
        let entry = entry_at_hint(owner, hint, name_at(locals, index));
        let value = entry.and_then(|entry| (*entry).value);
        value.map_or(Word::NULL, |value| value.dup())
    }
}
/// Moves a stack word there and gives the old one, a slot's; NULL, and nothing has happened, if the name is elsewhere.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn replace_at_hint(
    ts: &Thread,
    locals: Locals,
    owner: Word,
    hint: usize,
    index: usize,
    value: Word,
) -> Word {
    unsafe {
        let Some(entry) = entry_at_hint(owner, hint, name_at(locals, index)) else {
            return Word::NULL;
        };
        let Some(old) = (*entry).value else {
            return Word::NULL;
        };
        let value = value.to_slot();
        let dict = crate::object::instance::existing_dict(owner.object());
        if !(*dict).watcher.get().is_null() {
            let event = crate::object::dict::DictEvent::Modified;
            watchers::on_change(ts.vm(), dict, event, (*entry).key, Some(value));
        }
        (*entry).value = Some(value);
        old
    }
}

// ---- attributes that are calls of Python functions: a frame takes the operands' place

/// The getter of a cached property; NULL if it has none.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn property_getter(descr: u64) -> Word {
    unsafe {
        let property = Word::from_bits(descr).cast::<PropertyObject>();
        (*property).get.get().unwrap_or(Word::NULL)
    }
}
/// The getter of the property in this LOAD_ATTR's cache is a Python function of one positional parameter.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub unsafe fn has_plain_getter(instr: Ip) -> bool {
    unsafe {
        let getter = property_getter(cached_descr(instr).bits());
        if !getter.is_exact(Kind::FUNCTION) {
            return false;
        }
        let code = &*(*getter.cast::<FunctionObject>()).code.get();
        let complex = crate::bytecode::spec::code_flags::VARARGS
            | crate::bytecode::spec::code_flags::VARKEYWORDS;
        code.flags & complex == 0
            && code.kwonlyargcount == 0
            && code.is_optimized()
            && code.argcount == 1
    }
}
/// Calls the getter of the property in this LOAD_ATTR's cache. Its frame is entered: the result is NULL.
#[inline(never)]
pub unsafe fn call_getter(ts: &Thread, instr: Ip, return_ip: Ip, base: *mut Word) -> Word {
    unsafe {
        let getter = property_getter(cached_descr(instr).bits());
        *base.add(1) = *base;
        *base = getter.dup();
        calls::call_stack(ts, return_ip, base, 0, Word::NULL)
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn function_code(function: Word) -> *mut CodeObject {
    unsafe { (*function.cast::<FunctionObject>()).code.get() }
}
/// A class with a `__getitem__` that the loop may enter.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn has_cached_getitem(container: Word) -> bool {
    unsafe {
        if !container.is_pointer() {
            return false;
        }
        let ty = (*container.object()).ty();
        match (*ty).spec_getitem.get() {
            Some(function) => {
                let version = (*function.cast::<FunctionObject>()).version.get();
                version == (*ty).spec_getitem_version.get()
            }
            None => false,
        }
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn cached_getitem(container: Word) -> Word {
    unsafe {
        (*(*container.object()).ty())
            .spec_getitem
            .get()
            .unwrap_unchecked()
    }
}
/// A function's frame at `base` of the stack, where its first argument stands and the second, if it has one, is given.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn push_attribute_frame(
    base: *mut Word,
    function: Word,
    code: *mut CodeObject,
    first: Word,
    second: Word,
    caller: Locals,
    return_ip: Ip,
) -> Locals {
    unsafe {
        let header: *mut Frame = base.cast();
        let locals = base.add(HEADER);
        *locals = first.to_slot();
        let mut free = locals.add(1);
        if !second.is_null() {
            *free = second.to_slot();
            free = free.add(1);
        }
        (*header).func = function.to_slot();
        (*header).consts = (*code).consts;
        (*header).previous = caller;
        (*header).return_ip = return_ip;
        (*header).meta = (*code).meta;
        let stack = locals.add((*code).nlocalsplus());
        while free < stack {
            // Volatile, as in `push_exact_args`.
            free.write_volatile(Word::NULL);
            free = free.add(1);
        }
        locals
    }
}
/// The name of the attribute that a LOAD_ATTR loads, borrowed.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn attribute_name(locals: Locals, oparg: usize) -> Word {
    unsafe { name_at(locals, oparg >> 1).borrow() }
}

// ---- super

/// `super()` or `super(class, instance)` by what the name `super` stands for, then the attribute.
#[inline(never)]
pub unsafe fn load_super_attr(
    ts: &Thread,
    locals: Locals,
    global_super: Word,
    class: Word,
    instance: Word,
    oparg: usize,
) -> Word {
    let vm = ts.vm();
    let load = || -> PyResult {
        // SAFETY: the words are live; the index is verified.
        unsafe {
            let name = name_at(locals, oparg >> 2);
            // The arguments that the compiler has found are those that the frame would give.
            let args = [class, instance];
            let given = if oparg & 2 != 0 || is_super(ts, global_super) {
                &args[..]
            } else {
                &[]
            };
            let object = call::call(vm, global_super, given, None)?;
            attr::get_attr(vm, object.as_word(), name)
        }
    };
    word_or_null(load())
}
/// The type `super` itself.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn is_super(ts: &Thread, word: Word) -> bool {
    word.is_pointer() && word.object() == ts.types.super_.cast::<Header>()
}
#[inline(never)]
pub unsafe fn super_attr(
    ts: &Thread,
    locals: Locals,
    class: Word,
    instance: Word,
    index: usize,
) -> Word {
    unsafe {
        let name = name_at(locals, index);
        word_or_null(super_object::get_attr(ts.vm(), class, instance, name))
    }
}
/// A method and its instance, or another attribute and NULL.
#[inline(never)]
pub unsafe fn super_method(
    ts: &Thread,
    locals: Locals,
    class: Word,
    instance: Word,
    index: usize,
) -> (Word, Word) {
    unsafe {
        let name = name_at(locals, index);
        pair(
            super_object::get_method(ts.vm(), class, instance, name),
            instance,
        )
    }
}
