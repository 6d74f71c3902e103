//! `slice` objects and what they select (`sliceobject.c`).

use super::descr::{MemberDef, MethodDef, meth};
use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::vm::Vm;
use super::word::Word;
use super::{number, protocol, str, types::CompareOp};

/// `PySliceObject`; the fields are slot's words.
#[repr(C)]
pub struct SliceObject {
    pub header: Header,
    pub start: Word,
    pub stop: Word,
    pub step: Word,
}

/// What a slice selects of a sequence: `count` items from `start` on, every `step`-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    pub start: isize,
    pub stop: isize,
    pub step: isize,
    pub count: usize,
}

/// Start, stop and step of a slice that knows no length yet.
pub type Unpacked = (isize, isize, isize);

impl Selection {
    /// Indices of the selected items.
    pub fn indices(self) -> impl Iterator<Item = usize> {
        (0..self.count as isize).map(move |nth| (self.start + nth * self.step) as usize)
    }
}

impl Vm {
    /// `PySlice_New`.
    pub fn new_slice(self, start: Word, stop: Word, step: Word) -> PyResult {
        // SAFETY: the type is laid out so; all fields are written.
        unsafe {
            let slice = self.alloc::<SliceObject>(self.types.slice)?;
            (*slice).start = Owned::new_ref(start).into_slot();
            (*slice).stop = Owned::new_ref(stop).into_slot();
            (*slice).step = Owned::new_ref(step).into_slot();
            Ok(Owned::from_raw(slice))
        }
    }
}

#[inline]
pub fn is_slice(word: Word) -> bool {
    word.is_exact(Kind::SLICE)
}
fn object<'a>(word: Word) -> &'a SliceObject {
    // SAFETY: contract of Word; slices never change.
    unsafe { &*word.cast::<SliceObject>() }
}

fn part(vm: Vm, word: Word, default: isize) -> Result<isize, Raised> {
    if word.is_none() {
        return Ok(default);
    }
    if word.is_int() {
        return Ok(word.as_int() as isize);
    }
    if !number::is_index(vm, word) {
        return Err(
            vm.type_error("slice indices must be integers or None or have an __index__ method")
        );
    }
    number::index_clamped(vm, word)
}

/// Start, stop and step as they were given.
pub fn parts(slice: Word) -> [Word; 3] {
    let slice = object(slice);
    [slice.start, slice.stop, slice.step]
}

/// Start, stop and step as machine integers (`PySlice_Unpack`). This may run Python code: ask for the length after it.
pub fn unpack(vm: Vm, slice: Word) -> Result<Unpacked, Raised> {
    unpack_parts(vm, parts(slice))
}

/// The same for parts that no slice has been made of.
pub fn unpack_parts(vm: Vm, [start, stop, step]: [Word; 3]) -> Result<Unpacked, Raised> {
    let step = part(vm, step, 1)?.max(-isize::MAX);
    if step == 0 {
        return Err(vm.value_error("slice step cannot be zero"));
    }
    let start = part(vm, start, if step < 0 { isize::MAX } else { 0 })?;
    let stop = part(vm, stop, if step < 0 { isize::MIN } else { isize::MAX })?;
    Ok((start, stop, step))
}

/// What unpacked parts select of `length` items (`PySlice_AdjustIndices`).
pub fn adjust((start, stop, step): Unpacked, length: usize) -> Selection {
    let length = length as isize;
    let clamp = |index: isize| {
        if index < 0 {
            let index = index.saturating_add(length);
            if index < 0 {
                if step < 0 { -1 } else { 0 }
            } else {
                index
            }
        } else if index >= length {
            if step < 0 { length - 1 } else { length }
        } else {
            index
        }
    };
    let (start, stop) = (clamp(start), clamp(stop));
    let count = if step < 0 {
        if stop < start {
            (start - stop - 1) / -step + 1
        } else {
            0
        }
    } else if start < stop {
        (stop - start - 1) / step + 1
    } else {
        0
    };
    Selection {
        start,
        stop,
        step,
        count: count as usize,
    }
}

/// What a slice selects of `length` items.
pub fn select(vm: Vm, slice: Word, length: usize) -> Result<Selection, Raised> {
    Ok(adjust(unpack(vm, slice)?, length))
}

pub(super) fn slice_repr(vm: Vm, word: Word) -> PyResult {
    let slice = object(word);
    let mut text = String::from("slice(");
    for (index, part) in [slice.start, slice.stop, slice.step]
        .into_iter()
        .enumerate()
    {
        if index > 0 {
            text.push_str(", ");
        }
        text.push_str(&str::to_string_lossy(protocol::repr(vm, part)?.as_word()));
    }
    text.push(')');
    vm.new_str(&text)
}

pub(super) fn richcompare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !is_slice(a) || !is_slice(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let tuple = |word: Word| {
        let slice = object(word);
        vm.new_tuple(&[slice.start, slice.stop, slice.step])
    };
    protocol::rich_compare(vm, tuple(a)?.as_word(), tuple(b)?.as_word(), op)
}

pub(super) fn slice_hash(vm: Vm, word: Word) -> Result<i64, Raised> {
    vm.check_stack(" while hashing an object")?;
    let slice = object(word);
    let mut hasher = super::hash::TupleHasher::new();
    for part in [slice.start, slice.stop, slice.step] {
        hasher.add(protocol::hash(vm, part)?);
    }
    Ok(hasher.finish_plain())
}

/// `slice(stop)`, `slice(start, stop[, step])`.
pub(super) fn slice_new(
    vm: Vm,
    _: *mut super::types::TypeObject,
    args: &[Word],
    kwnames: Option<Word>,
) -> PyResult {
    super::args::positional(vm, "slice", args, kwnames, 1, 3)?;
    match *args {
        [stop] => vm.new_slice(Word::NONE, stop, Word::NONE),
        [start, stop] => vm.new_slice(start, stop, Word::NONE),
        [start, stop, step] => vm.new_slice(start, stop, step),
        _ => Err(Raised),
    }
}

/// `slice.indices(length)`.
fn slice_indices(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let length = number::index_isize(vm, args[0])?;
    if length < 0 {
        return Err(vm.value_error("length should not be negative"));
    }
    let selection = select(vm, self_, length as usize)?;
    let items = [selection.start, selection.stop, selection.step];
    let items = items
        .into_iter()
        .map(|value| vm.new_int(value as i64))
        .collect::<Result<Vec<_>, _>>()?;
    vm.tuple_from_owned(items)
}

/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn slice_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let slice = object as *mut SliceObject;
        for word in [(*slice).start, (*slice).stop, (*slice).step] {
            word.release_slot();
        }
        vm.free(object);
    }
}
/// # Safety
/// As [`super::types::TraverseFn`].
pub(super) unsafe fn slice_traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe {
        let slice = object as *mut SliceObject;
        [(*slice).start, (*slice).stop, (*slice).step]
            .into_iter()
            .for_each(visit);
    }
}

pub(super) static METHODS: &[MethodDef] = &[MethodDef::new("indices", meth::O, slice_indices)];
const fn member(name: &'static str, offset: usize) -> MemberDef {
    MemberDef {
        name,
        offset: offset as u32,
        readonly: true,
        required: true,
    }
}
pub(super) static MEMBERS: [MemberDef; 3] = [
    member("start", std::mem::offset_of!(SliceObject, start)),
    member("stop", std::mem::offset_of!(SliceObject, stop)),
    member("step", std::mem::offset_of!(SliceObject, step)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections() {
        let count = |parts, length| adjust(parts, length).count;
        assert_eq!(count((0, isize::MAX, 1), 5), 5);
        assert_eq!(count((isize::MAX, isize::MIN, -1), 5), 5);
        assert_eq!(count((-3, -1, 1), 5), 2);
        assert_eq!(count((4, 0, -2), 5), 2);
        assert_eq!(count((3, 1, 1), 5), 0);
        assert_eq!(
            adjust((isize::MAX, isize::MIN, -2), 4)
                .indices()
                .collect::<Vec<_>>(),
            [3, 1]
        );
    }
}
