//! Methods and operators of `list` (`listobject.c`). Sorting is in `list_sort.rs`.

use super::args::{self, Signature};
use super::descr::{MethodDef, meth};
use super::header::{Kind, flag};
use super::iterators;
use super::list::{self, ListObject};
use super::list_slice::{selected, set_selected, splice};
use super::owned::{Owned, PyResult, Raised};
use super::str_writer::StrWriter;
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{number, protocol, sequence, slice, tuple};
use std::ptr;

type Names = Option<Word>;

/// An item as it is now; the list may change between two calls.
fn at(word: Word, index: usize) -> Option<Owned> {
    // SAFETY: contract of Word; the slice is not kept.
    unsafe { list::items(word) }
        .get(index)
        .map(|&item| Owned::new_ref(item))
}
fn ptr(word: Word) -> *mut ListObject {
    debug_assert!(list::is_list(word));
    word.cast()
}

// ---- operators

/// `repr` of the items in brackets, `[...]` inside itself.
fn list_repr(vm: Vm, word: Word) -> PyResult {
    if list::len(word) == 0 {
        return vm.new_str("[]");
    }
    // SAFETY: contract of Word.
    let header = unsafe { &(*ptr(word)).header };
    if header.has_flag(flag::IN_REPR) {
        return vm.new_str("[...]");
    }
    header.set_flag(flag::IN_REPR);
    let text = (|| {
        let mut writer = StrWriter::new(vm);
        writer.push(0x5b)?;
        let mut index = 0;
        while let Some(item) = at(word, index) {
            if index > 0 {
                writer.push_str(", ")?;
            }
            let text = protocol::repr(vm, item.as_word())?;
            writer.push_word(text.as_word())?;
            index += 1;
        }
        writer.push(0x5d)?;
        writer.finish()
    })();
    header.clear_flag(flag::IN_REPR);
    text
}
/// Lexicographic order (`list_richcompare`).
fn list_compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !list::is_list(a) || !list::is_list(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    if list::len(a) != list::len(b) && matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::bool(op == CompareOp::Ne));
    }
    let mut index = 0;
    while let (Some(left), Some(right)) = (at(a, index), at(b, index)) {
        let (left, right) = (left.as_word(), right.as_word());
        if !left.is(right) && !protocol::rich_compare_bool(vm, left, right, CompareOp::Eq)? {
            return match op {
                CompareOp::Eq => Ok(Owned::FALSE),
                CompareOp::Ne => Ok(Owned::TRUE),
                _ => protocol::rich_compare(vm, left, right, op),
            };
        }
        index += 1;
    }
    Ok(Owned::bool(op.holds(list::len(a).cmp(&list::len(b)))))
}
fn list_len(_: Vm, word: Word) -> Result<usize, Raised> {
    Ok(list::len(word))
}
fn list_contains(vm: Vm, word: Word, value: Word) -> Result<bool, Raised> {
    let mut index = 0;
    while let Some(item) = at(word, index) {
        if protocol::rich_compare_bool(vm, item.as_word(), value, CompareOp::Eq)? {
            return Ok(true);
        }
        index += 1;
    }
    Ok(false)
}
/// `list[i]`, `list[a:b:c]` (`list_subscript`).
pub fn list_getitem(vm: Vm, word: Word, key: Word) -> PyResult {
    if number::is_index(vm, key) {
        let index = number::index_for_subscript(vm, key)?;
        return match sequence::wrap_index(index, list::len(word)).and_then(|index| at(word, index))
        {
            Some(item) => Ok(item),
            None => Err(vm.index_error("list index out of range")),
        };
    }
    if !slice::is_slice(key) {
        return Err(vm.type_error(format!(
            "list indices must be integers or slices, not {}",
            vm.type_name(key)
        )));
    }
    selected(vm, word, slice::parts(key))
}
/// `list[key] = value` and `del list[key]` (`list_ass_subscript`).
pub fn list_setitem(vm: Vm, word: Word, key: Word, value: Option<Word>) -> Result<(), Raised> {
    if number::is_index(vm, key) {
        let index = number::index_for_subscript(vm, key)?;
        let Some(index) = sequence::wrap_index(index, list::len(word)) else {
            return Err(vm.index_error("list assignment index out of range"));
        };
        // SAFETY: the index is in range.
        unsafe {
            match value {
                Some(value) => {
                    let slot = (*ptr(word)).items.add(index);
                    let old = *slot;
                    *slot = Owned::new_ref(value).into_slot();
                    old.release_slot();
                    Ok(())
                }
                None => splice(vm, word, index, index + 1, &[]),
            }
        }
    } else if slice::is_slice(key) {
        set_selected(vm, word, slice::parts(key), value)
    } else {
        Err(vm.type_error(format!(
            "list indices must be integers or slices, not {}",
            vm.type_name(key)
        )))
    }
}
fn list_concat(vm: Vm, a: Word, b: Word) -> PyResult {
    if !list::is_list(b) {
        return Err(vm.type_error(format!(
            "can only concatenate list (not \"{}\") to list",
            vm.type_name(b)
        )));
    }
    let result = vm.new_list_with_capacity(list::len(a) + list::len(b))?;
    // SAFETY: room for the items was made; nothing runs meanwhile.
    unsafe {
        for &item in list::items(a).iter().chain(list::items(b)) {
            (*result)
                .items
                .add((*result).length)
                .write(item.dup().to_slot());
            (*result).length += 1;
        }
        Ok(Owned::from_raw(result))
    }
}
fn list_repeat(vm: Vm, word: Word, count: isize) -> PyResult {
    let result = vm.new_list_with_capacity(repeated_length(vm, word, count)?)?;
    // SAFETY: room for the items was made; nothing runs meanwhile.
    unsafe {
        let items = list::items(word);
        for _ in 0..count.max(0) {
            if items.is_empty() {
                break;
            }
            for &item in items {
                (*result)
                    .items
                    .add((*result).length)
                    .write(item.dup().to_slot());
                (*result).length += 1;
            }
        }
        Ok(Owned::from_raw(result))
    }
}
fn repeated_length(vm: Vm, word: Word, count: isize) -> Result<usize, Raised> {
    list::len(word)
        .checked_mul(count.max(0) as usize)
        .ok_or_else(|| vm.no_memory())
}
fn list_inplace_concat(vm: Vm, a: Word, b: Word) -> PyResult {
    extend_with(vm, a, b)?;
    Ok(Owned::new_ref(a))
}
fn list_inplace_repeat(vm: Vm, word: Word, count: isize) -> PyResult {
    let length = list::len(word);
    let total = repeated_length(vm, word, count)?;
    // SAFETY: contract of Word; room is made first.
    unsafe {
        if total == 0 {
            list::clear(vm, ptr(word));
        } else {
            list::reserve(vm, ptr(word), total)?;
            for index in length..total {
                let item = *(*ptr(word)).items.add(index - length);
                (*ptr(word)).items.add(index).write(item.dup().to_slot());
            }
            (*ptr(word)).length = total;
        }
    }
    Ok(Owned::new_ref(word))
}

// ---- construction

/// `list.__new__`: empty.
fn list_new(vm: Vm, ty: *mut TypeObject, _: &[Word], _: Names) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let list = vm.alloc_instance::<ListObject>(ty, size_of::<ListObject>())?;
        (*list).items = ptr::null_mut();
        (*list).length = 0;
        (*list).capacity = 0;
        Ok(Owned::from_raw(list))
    }
}
fn list_init(vm: Vm, self_: Word, args: &[Word], kwnames: Names) -> Result<(), Raised> {
    if self_.is_exact(Kind::LIST) {
        args::no_keywords(vm, "list", kwnames)?;
    }
    let positional = args.len() - args::keyword_names(kwnames).len();
    args::check_positional(vm, "list", positional, 0, 1)?;
    // SAFETY: contract of Word.
    unsafe { list::clear(vm, ptr(self_)) };
    if positional == 1 {
        extend_with(vm, self_, args[0])
    } else {
        Ok(())
    }
}

/// `list(iterable)` as a new list (`PySequence_List`).
pub fn list_from_iterable(vm: Vm, iterable: Word) -> PyResult {
    // SAFETY: a new list's count passes to the handle.
    let result = unsafe { Owned::from_raw(vm.new_list_with_capacity(0)?) };
    extend_with(vm, result.as_word(), iterable)?;
    Ok(result)
}

/// `list.extend(iterable)` (`list_extend`).
pub fn extend_with(vm: Vm, word: Word, iterable: Word) -> Result<(), Raised> {
    if iterable.is_exact(Kind::LIST) || iterable.is_exact(Kind::TUPLE) {
        // SAFETY: contract of Word. The list may be extended with itself: its items are read anew after it has grown.
        unsafe {
            let list = ptr(word);
            let items = |word| {
                if tuple::is_tuple(word) {
                    tuple::items(word)
                } else {
                    list::items(word)
                }
            };
            let count = items(iterable).len();
            list::reserve(vm, list, (*list).length + count)?;
            for index in 0..count {
                let item = items(iterable)[index];
                (*list)
                    .items
                    .add((*list).length + index)
                    .write(item.dup().to_slot());
            }
            (*list).length += count;
        }
        return Ok(());
    }
    let iterator = sequence::get_iter(vm, iterable)?;
    let expected = sequence::length_hint(vm, iterable, 0)?;
    // SAFETY: contract of Word.
    unsafe {
        let list = ptr(word);
        let wanted = (*list)
            .length
            .checked_add(expected)
            .ok_or_else(|| vm.no_memory())?;
        list::reserve(vm, list, wanted)?;
        while let Some(item) = sequence::next_unless_interrupted(vm, iterator.as_word())? {
            list::append(vm, list, item.into_word())?;
        }
        list::shrink(vm, list);
    }
    Ok(())
}

// ---- methods

fn append(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    // SAFETY: contract of Word.
    unsafe { list::append(vm, ptr(self_), args[0].borrow())? };
    Ok(Owned::NONE)
}
fn extend(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    extend_with(vm, self_, args[0]).map(|()| Owned::NONE)
}
fn insert(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "insert", args.len(), 2, 2)?;
    let index = number::index_isize(vm, args[0])?;
    let length = list::len(self_);
    let index = if index < 0 {
        index.saturating_add(length as isize).max(0) as usize
    } else {
        index as usize
    };
    let index = index.min(length);
    // SAFETY: the argument is the caller's.
    unsafe { splice(vm, self_, index, index, &args[1..])? };
    Ok(Owned::NONE)
}
fn clear(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    // SAFETY: contract of Word.
    unsafe { list::clear(vm, ptr(self_)) };
    Ok(Owned::NONE)
}
fn copy(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    // SAFETY: the slice is read before anything runs.
    vm.new_list(unsafe { list::items(self_) })
}
fn pop(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "pop", args.len(), 0, 1)?;
    let index = args
        .first()
        .map_or(Ok(-1), |&index| number::index_isize(vm, index))?;
    let length = list::len(self_);
    if length == 0 {
        return Err(vm.index_error("pop from empty list"));
    }
    let Some(index) = sequence::wrap_index(index, length) else {
        return Err(vm.index_error("pop index out of range"));
    };
    // SAFETY: the index is in range.
    unsafe {
        let list = ptr(self_);
        let item = Owned::from_slot((*list).items.add(index).read());
        ptr::copy(
            (*list).items.add(index + 1),
            (*list).items.add(index),
            length - index - 1,
        );
        (*list).length = length - 1;
        list::shrink(vm, list);
        Ok(item)
    }
}
fn remove(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    match find(vm, self_, args[0], 0, usize::MAX)? {
        // SAFETY: there are no values.
        Some(index) => unsafe { splice(vm, self_, index, index + 1, &[]) }.map(|()| Owned::NONE),
        None => Err(vm.value_error("list.remove(x): x not in list")),
    }
}
fn find(
    vm: Vm,
    self_: Word,
    value: Word,
    start: usize,
    end: usize,
) -> Result<Option<usize>, Raised> {
    let mut index = start;
    while index < end
        && let Some(item) = at(self_, index)
    {
        if protocol::rich_compare_bool(vm, item.as_word(), value, CompareOp::Eq)? {
            return Ok(Some(index));
        }
        index += 1;
    }
    Ok(None)
}
/// A bound of `index(value, start, stop)` (`_PyEval_SliceIndexNotNone` and what follows it).
pub(super) fn index_bound(
    vm: Vm,
    word: Option<&Word>,
    length: usize,
    default: usize,
) -> Result<usize, Raised> {
    let Some(&word) = word else {
        return Ok(default);
    };
    if !number::is_index(vm, word) {
        return Err(vm.type_error("slice indices must be integers or have an __index__ method"));
    }
    let index = number::index_clamped(vm, word)?;
    Ok(if index < 0 {
        index.saturating_add(length as isize).max(0) as usize
    } else {
        index as usize
    })
}
fn index(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    args::check_positional(vm, "index", args.len(), 1, 3)?;
    let length = list::len(self_);
    let start = index_bound(vm, args.get(1), length, 0)?;
    let end = index_bound(vm, args.get(2), length, usize::MAX)?;
    match find(vm, self_, args[0], start, end)? {
        Some(index) => vm.new_int(index as i64),
        None => Err(vm.value_error("list.index(x): x not in list")),
    }
}
fn count(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    let (mut index, mut count) = (0, 0);
    while let Some(item) = at(self_, index) {
        count += i64::from(protocol::rich_compare_bool(
            vm,
            item.as_word(),
            args[0],
            CompareOp::Eq,
        )?);
        index += 1;
    }
    vm.new_int(count)
}
fn reverse(_: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    // SAFETY: nothing runs meanwhile.
    unsafe {
        let list = ptr(self_);
        if (*list).length > 1 {
            std::slice::from_raw_parts_mut((*list).items, (*list).length).reverse();
        }
    }
    Ok(Owned::NONE)
}
fn sort(vm: Vm, self_: Word, args: &[Word], names: Names) -> PyResult {
    const SIGNATURE: Signature<2> = Signature::new("sort", ["key", "reverse"], 0).keyword_only(0);
    let [key, reverse] = SIGNATURE.unpack(vm, args, names)?;
    let reverse = reverse.map_or(Ok(false), |reverse| protocol::is_true(vm, reverse))?;
    super::list_sort::sort(vm, self_, key.filter(|key| !key.is_none()), reverse)?;
    Ok(Owned::NONE)
}
fn getitem_method(vm: Vm, self_: Word, args: &[Word], _: Names) -> PyResult {
    list_getitem(vm, self_, args[0])
}
fn sizeof(vm: Vm, self_: Word, _: &[Word], _: Names) -> PyResult {
    // SAFETY: contract of Word.
    vm.new_int_usize(
        size_of::<ListObject>() + unsafe { (*ptr(self_)).capacity } * size_of::<Word>(),
    )
}

static METHODS: &[MethodDef] = &[
    MethodDef::new("__getitem__", meth::O, getitem_method),
    MethodDef::new("__reversed__", meth::NOARGS, iterators::list_reversed),
    MethodDef::new("__sizeof__", meth::NOARGS, sizeof),
    MethodDef::new("clear", meth::NOARGS, clear),
    MethodDef::new("copy", meth::NOARGS, copy),
    MethodDef::new("append", meth::O, append),
    MethodDef::new("insert", meth::FASTCALL, insert),
    MethodDef::new("extend", meth::O, extend),
    MethodDef::new("pop", meth::FASTCALL, pop),
    MethodDef::new("remove", meth::O, remove),
    MethodDef::new("index", meth::FASTCALL, index),
    MethodDef::new("count", meth::O, count),
    MethodDef::new("reverse", meth::NOARGS, reverse),
    MethodDef::new("sort", meth::FASTCALL | meth::KEYWORDS, sort),
    super::generic_alias::CLASS_GETITEM,
];

pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF | type_flag::SEQUENCE,
        methods: METHODS,
        ..TypeSpec::new::<ListObject>(
            "list",
            Kind::LIST,
            Slots {
                dealloc: list::list_dealloc,
                traverse: Some(list::list_traverse),
                clear: Some(list::list_gc_clear),
                repr: Some(list_repr),
                hash: Some(super::generic_slots::unhashable),
                richcompare: Some(list_compare),
                iter: Some(iterators::list_iter),
                len: Some(list_len),
                getitem: Some(list_getitem),
                setitem: Some(list_setitem),
                contains: Some(list_contains),
                concat: Some(list_concat),
                repeat: Some(list_repeat),
                inplace_concat: Some(list_inplace_concat),
                inplace_repeat: Some(list_inplace_repeat),
                init: Some(list_init),
                new: Some(list_new),
                ..Slots::EMPTY
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::object::testing::TestVm;

    #[test]
    fn methods() {
        let t = TestVm::new();
        let l = t.list(&[t.i(3), t.i(1), t.i(2)]);
        assert_eq!(t.call_show(&l, "append", &[&t.s("x")]), "None");
        assert_eq!(t.show(Ok(l.clone())), "[3, 1, 2, 'x']");
        assert_eq!(
            t.call_show(&l, "sort", &[]),
            "TypeError: '<' not supported between instances of 'str' and 'int'"
        );
        assert_eq!(t.call_show(&l, "pop", &[]), "'x'");
        assert_eq!(t.call_show(&l, "sort", &[]), "None");
        assert_eq!(t.call_show(&l, "insert", &[&t.i(-1), &t.i(9)]), "None");
        assert_eq!(t.show(Ok(l.clone())), "[1, 2, 9, 3]");
        assert_eq!(
            t.call_show(&l, "index", &[&t.i(7)]),
            "ValueError: list.index(x): x not in list"
        );
        assert_eq!(t.call_show(&l, "remove", &[&t.i(9)]), "None");
        assert_eq!(
            t.call_show(&l, "pop", &[&t.i(5)]),
            "IndexError: pop index out of range"
        );
        assert_eq!(
            t.call_show(&l, "append", &[]),
            "TypeError: list.append() takes exactly one argument (0 given)"
        );
        assert_eq!(t.call_show(&l, "extend", &[&l]), "None");
        assert_eq!(t.show(Ok(l.clone())), "[1, 2, 3, 1, 2, 3]");
        assert_eq!(t.call_show(&l, "append", &[&l]), "None");
        assert_eq!(t.show(Ok(l.clone())), "[1, 2, 3, 1, 2, 3, [...]]");
        assert_eq!(t.call_show(&l, "clear", &[]), "None");
    }

    #[test]
    fn slices() {
        let t = TestVm::new();
        let vm = t.vm();
        let l = t.list(&(0..6).map(|i| t.i(i)).collect::<Vec<_>>());
        let slice = |a: Option<i64>, b: Option<i64>, c: i64| {
            let part = |value: Option<i64>| {
                value.map_or(
                    crate::object::Word::NONE,
                    crate::object::Word::int_unchecked,
                )
            };
            vm.new_slice(part(a), part(b), part(Some(c))).unwrap()
        };
        assert_eq!(
            t.call_show(&l, "__getitem__", &[&slice(None, None, -2)]),
            "[5, 3, 1]"
        );
        assert_eq!(
            t.call_show(&l, "__delitem__", &[&slice(None, None, 2)]),
            "None"
        );
        assert_eq!(t.show(Ok(l.clone())), "[1, 3, 5]");
        assert_eq!(
            t.call_show(
                &l,
                "__setitem__",
                &[&slice(Some(1), Some(2), 1), &t.s("ab")]
            ),
            "None"
        );
        assert_eq!(t.show(Ok(l.clone())), "[1, 'a', 'b', 5]");
        assert_eq!(
            t.call_show(&l, "__setitem__", &[&slice(None, None, 2), &t.s("abc")]),
            "ValueError: attempt to assign sequence of size 3 to extended slice of size 2"
        );
        assert_eq!(
            t.call_show(&l, "__getitem__", &[&t.s("a")]),
            "TypeError: list indices must be integers or slices, not str"
        );
        assert_eq!(
            t.call_show(&l, "__getitem__", &[&t.i(4)]),
            "IndexError: list index out of range"
        );
    }

    #[test]
    fn nested_a_million_deep() {
        let t = TestVm::new();
        let mut l = t.list(&[]);
        for _ in 0..1_000_000 {
            l = t.list(&[l]);
        }
        let text = t.show(crate::object::protocol::repr(t.vm(), l.as_word()));
        assert!(
            text.starts_with("RecursionError: Stack overflow (used "),
            "{text}"
        );
        assert!(
            text.ends_with("kB) while getting the repr of an object"),
            "{text}"
        );
        drop(l);
    }
}
