//! Subscripts and slices.

use super::{bool_or_null, word_or_null};
use crate::object::list::ListObject;
use crate::object::tuple::TupleObject;
use crate::object::{Kind, Owned, Word, dict, list_slice, sequence, slice, str};
use crate::runtime::thread::Thread;

/// A non-negative int index inside the list: one unsigned comparison.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn list_has(list: Word, index: Word) -> bool {
    unsafe { (index.as_int() as usize) < (*list.cast::<ListObject>()).length }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn list_item(list: Word, index: Word) -> Word {
    unsafe {
        *(*list.cast::<ListObject>())
            .items
            .add(index.as_int() as usize)
    }
}
/// Puts a slot's word into the list, returns the one that was there.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn replace_list_item(list: Word, index: Word, item: Word) -> Word {
    unsafe {
        (*list.cast::<ListObject>())
            .items
            .add(index.as_int() as usize)
            .replace(item)
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn tuple_has(tuple: Word, index: Word) -> bool {
    unsafe { (index.as_int() as usize) < (*tuple.cast::<TupleObject>()).length }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn tuple_item(tuple: Word, index: Word) -> Word {
    unsafe {
        *(*tuple.cast::<TupleObject>())
            .items_ptr()
            .add(index.as_int() as usize)
    }
}
/// The character at an index as a string of its own; NotImplemented if the index is outside or the character not ASCII.
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub fn str_ascii_item(ts: &Thread, word: Word, index: Word) -> Word {
    let (chars, index) = (str::chars(word), index.as_int() as usize);
    if index >= chars.len() || chars.at(index) >= 128 {
        return Word::NOT_IMPLEMENTED;
    }
    word_or_null(ts.vm().str_from_char(chars.at(index)))
}
#[inline(never)]
pub unsafe fn dict_subscr(ts: &Thread, dict: Word, key: Word) -> Word {
    let vm = ts.vm();
    match unsafe { dict::get_item(vm, dict.cast(), key) } {
        Ok(Some(value)) => Owned::new_ref(value).into_word(),
        Ok(None) => {
            vm.key_error(key);
            Word::NULL
        }
        Err(_) => Word::NULL,
    }
}
#[inline(never)]
pub unsafe fn dict_store(ts: &Thread, dict: Word, key: Word, value: Word) -> bool {
    unsafe { dict::set_item(ts.vm(), dict.cast(), key, value).is_ok() }
}
#[inline(never)]
pub unsafe fn dict_contains(ts: &Thread, key: Word, dict: Word, invert: usize) -> Word {
    let found = unsafe { dict::get_item(ts.vm(), dict.cast(), key) };
    bool_or_null(found.map(|value| value.is_some() != (invert != 0)))
}
#[inline(never)]
pub fn set_contains(ts: &Thread, key: Word, set: Word, invert: usize) -> Word {
    super::arith::contains_op(ts, key, set, invert)
}
#[inline(never)]
pub fn list_slice(ts: &Thread, list: Word, slice: Word) -> Word {
    word_or_null(list_slice::selected(ts.vm(), list, slice::parts(slice)))
}
#[inline(never)]
pub fn store_subscr(ts: &Thread, container: Word, sub: Word, value: Word) -> bool {
    sequence::set_item(ts.vm(), container, sub, value).is_ok()
}
#[inline(never)]
pub fn delete_subscr(ts: &Thread, container: Word, sub: Word) -> bool {
    sequence::del_item(ts.vm(), container, sub).is_ok()
}
#[inline(never)]
pub fn binary_slice(ts: &Thread, container: Word, start: Word, stop: Word) -> Word {
    if container.is_exact(Kind::LIST) {
        return word_or_null(list_slice::selected(
            ts.vm(),
            container,
            [start, stop, Word::NONE],
        ));
    }
    let slice = ts.vm().new_slice(start, stop, Word::NONE);
    word_or_null(slice.and_then(|slice| sequence::get_item(ts.vm(), container, slice.as_word())))
}
#[inline(never)]
pub fn store_slice(ts: &Thread, container: Word, start: Word, stop: Word, value: Word) -> bool {
    if container.is_exact(Kind::LIST) {
        let parts = [start, stop, Word::NONE];
        return list_slice::set_selected(ts.vm(), container, parts, Some(value)).is_ok();
    }
    let slice = ts.vm().new_slice(start, stop, Word::NONE);
    slice
        .and_then(|slice| sequence::set_item(ts.vm(), container, slice.as_word(), value))
        .is_ok()
}
