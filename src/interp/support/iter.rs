//! Iterators and unpacking.

use super::word_or_null;
use crate::object::iterators::IndexIterator;
use crate::object::list::ListObject;
use crate::object::range::RangeIterator;
use crate::object::{Owned, Word, list, sequence, tuple};
use crate::runtime::thread::Thread;

#[inline(never)]
pub fn get_iter(ts: &Thread, iterable: Word) -> Word {
    word_or_null(sequence::get_iter(ts.vm(), iterable))
}
/// NULL at the end or when it raised; `iteration_raised` tells.
#[inline(never)]
pub fn iter_next(ts: &Thread, iter: Word) -> Word {
    let vm = ts.vm();
    // SAFETY: types are live as long as an instance.
    let Some(next) = (unsafe { (*vm.type_of(iter)).slots.iternext }) else {
        let _ = sequence::iter_next(vm, iter);
        return Word::NULL;
    };
    match next(vm, iter) {
        Ok(Some(item)) => item.into_word(),
        Ok(None) => Word::NULL,
        Err(_) => {
            if vm.exception_matches(vm.exc.StopIteration) {
                // SAFETY: the loop has saved its registers.
                unsafe { super::monitor::monitor_stop(ts) };
            }
            Word::NULL
        }
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(never)]
pub fn iteration_raised(ts: &Thread) -> bool {
    ts.current_exception.get().is_some()
}

/// The iterator has passed the end of its list, which may shrink meanwhile, or had run out before.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn list_iterator_ended(iter: Word) -> bool {
    unsafe {
        let it = iter.cast::<IndexIterator>();
        match (*it).sequence.get() {
            Some(list) => (*it).index.get() >= (*list.cast::<ListObject>()).length,
            None => true,
        }
    }
}
/// The next item; the iterator has not ended.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn list_iterator_take(iter: Word) -> Word {
    unsafe {
        let it = iter.cast::<IndexIterator>();
        let index = (*it).index.get();
        (*it).index.set(index + 1);
        let list = (*it).sequence.get().unwrap_unchecked();
        *(*list.cast::<ListObject>()).items.add(index)
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn tuple_iterator_ended(iter: Word) -> bool {
    unsafe {
        let it = iter.cast::<IndexIterator>();
        match (*it).sequence.get() {
            Some(tuple) => (*it).index.get() >= tuple_len(tuple),
            None => true,
        }
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn tuple_iterator_take(iter: Word) -> Word {
    unsafe {
        let it = iter.cast::<IndexIterator>();
        let index = (*it).index.get();
        (*it).index.set(index + 1);
        *tuple_words((*it).sequence.get().unwrap_unchecked()).add(index)
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn range_iterator_ended(iter: Word) -> bool {
    unsafe { (*iter.cast::<RangeIterator>()).length.get() <= 0 }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn range_iterator_take(iter: Word) -> Word {
    unsafe {
        let it = iter.cast::<RangeIterator>();
        let value = (*it).start.get();
        (*it).start.set(value.wrapping_add((*it).step));
        (*it).length.set((*it).length.get() - 1);
        Word::int_unchecked(value)
    }
}

#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn tuple_len(word: Word) -> usize {
    unsafe { (*word.cast::<tuple::TupleObject>()).length }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn tuple_words(word: Word) -> *const Word {
    unsafe { (*word.cast::<tuple::TupleObject>()).items_ptr() }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn tuple_pair(word: Word) -> (Word, Word) {
    unsafe {
        let words = tuple_words(word);
        (*words, *words.add(1))
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub fn list_len(word: Word) -> usize {
    list::len(word)
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn list_words(word: Word) -> *const Word {
    unsafe { (*word.cast::<ListObject>()).items }
}
/// Puts `count` items on the stack, the first on top.
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn unpack_words(items: *const Word, values: *mut Word, count: usize) {
    unsafe {
        for index in 0..count {
            // Volatile, or the loop is unrolled and needs more registers than there are.
            values
                .add(count - 1 - index)
                .write_volatile((*items.add(index)).dup());
        }
    }
}

/// Appends without asking for room (`list_has_room`).
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn list_push(list: Word, item: Word) {
    unsafe {
        let list = list.cast::<ListObject>();
        *(*list).items.add((*list).length) = item;
        (*list).length += 1;
    }
}
#[cfg_attr(casegen, non_escaping)]
#[inline(always)]
pub unsafe fn list_has_room(list: Word) -> bool {
    unsafe { (*list.cast::<ListObject>()).length < (*list.cast::<ListObject>()).capacity }
}
#[inline(never)]
pub unsafe fn list_append(ts: &Thread, list: Word, item: Word) -> bool {
    unsafe { list::append(ts.vm(), list.cast(), Owned::new_ref(item).into_word()).is_ok() }
}
