//! `memoryview` in one dimension (`memoryobject.c`): a view of the bytes of another object, its exporter, which must not
//! move them meanwhile and counts its views for that. What the items look like is in `view_items.rs`.

use super::args::{self, Signature};
use super::descr::{GetSetDef, MethodDef, meth};
use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::slice;
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::view_items as items;
use super::vm::Vm;
use super::word::Word;
use super::{bytes, bytes_hex, iterators, number, protocol, sequence, str};
use std::cell::Cell;
use std::ptr;

/// What an exporter shows of itself (`Py_buffer`).
#[derive(Clone, Copy)]
pub struct Buffer {
    pub data: *mut u8,
    /// In bytes.
    pub length: usize,
    pub readonly: bool,
    pub format: u8,
    pub item: usize,
    /// How many views there are, in the exporter; null where nothing can move the bytes.
    pub exports: *const Cell<usize>,
}

/// `PyMemoryViewObject`.
#[repr(C)]
pub struct MemoryView {
    pub header: Header,
    /// The exporter, a slot's word; None once released.
    base: Cell<Option<Word>>,
    /// The first item.
    data: *mut u8,
    /// In items.
    length: usize,
    /// Bytes from one item to the next.
    stride: isize,
    item: usize,
    format: u8,
    readonly: bool,
    exports: *const Cell<usize>,
}

pub fn is_memoryview(word: Word) -> bool {
    word.is_instance(Kind::MEMORYVIEW)
}
fn of<'a>(word: Word) -> &'a MemoryView {
    // SAFETY: contract of Word; fields that change are cells.
    unsafe { &*word.cast::<MemoryView>() }
}
/// Whether a view's bytes stand side by side and are there.
pub(super) fn is_contiguous_view(word: Word) -> bool {
    is_memoryview(word) && of(word).base.get().is_some() && of(word).is_contiguous()
}
/// The bytes of such a view.
pub(super) fn contents<'a>(word: Word) -> &'a [u8] {
    let view = of(word);
    if view.length == 0 {
        return &[];
    }
    // SAFETY: the exporter keeps that many bytes in place while it is exported.
    unsafe { std::slice::from_raw_parts(view.data, view.length * view.item) }
}

impl MemoryView {
    fn is_contiguous(&self) -> bool {
        self.stride == self.item as isize || self.length <= 1
    }
    fn at(&self, index: usize) -> *mut u8 {
        self.data.wrapping_offset(self.stride * index as isize)
    }
    fn get(&self, vm: Vm, index: usize) -> PyResult {
        // SAFETY: an index within the view, whose exporter is held.
        let bytes = unsafe { std::slice::from_raw_parts(self.at(index), self.item) };
        items::decode(vm, self.format, bytes)
    }
    fn copy(&self, vm: Vm) -> PyResult {
        let length = self.length * self.item;
        bytes::build(vm, length, |to| {
            for (index, to) in to.chunks_exact_mut(self.item).enumerate() {
                // SAFETY: as above.
                unsafe { ptr::copy_nonoverlapping(self.at(index), to.as_mut_ptr(), self.item) };
            }
        })
    }
}

fn view(vm: Vm, word: Word) -> Result<&'static MemoryView, Raised> {
    let view = of(word);
    if view.base.get().is_none() {
        return Err(vm.value_error("operation forbidden on released memoryview object"));
    }
    Ok(view)
}

/// A view with other bounds or items of the same exporter.
fn derive(
    vm: Vm,
    from: &MemoryView,
    shape: (*mut u8, usize, isize),
    item: (u8, usize),
) -> PyResult {
    let base = from.base.get().unwrap_or(Word::NONE);
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let view = vm.alloc::<MemoryView>(vm.types.memoryview)?;
        (*view).base = Cell::new(Some(Owned::new_ref(base).into_slot()));
        ((*view).data, (*view).length, (*view).stride) = shape;
        ((*view).format, (*view).item) = item;
        (*view).readonly = from.readonly;
        (*view).exports = from.exports;
        count(from.exports, 1);
        Ok(Owned::from_raw(view))
    }
}
fn count(exports: *const Cell<usize>, by: isize) {
    if !exports.is_null() {
        // SAFETY: a view holds its exporter, whose cell this is.
        let exports = unsafe { &*exports };
        exports.set(exports.get().wrapping_add_signed(by));
    }
}

static NEW: Signature<1> = Signature::new("memoryview", ["object"], 1);

fn new(vm: Vm, _: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [object] = NEW.unpack(vm, args, kwnames)?;
    let object = object.unwrap_or(Word::NONE);
    if is_memoryview(object) {
        let own = view(vm, object)?;
        return derive(
            vm,
            own,
            (own.data, own.length, own.stride),
            (own.format, own.item),
        );
    }
    // SAFETY: types are live as long as an instance.
    let Some(export) = (unsafe { (*vm.type_of(object)).slots.buffer }) else {
        return Err(vm.type_error(format!(
            "memoryview: a bytes-like object is required, not '{}'",
            vm.type_name(object)
        )));
    };
    let buffer = export(object);
    // SAFETY: as in `derive`.
    unsafe {
        let view = vm.alloc::<MemoryView>(vm.types.memoryview)?;
        (*view).base = Cell::new(Some(Owned::new_ref(object).into_slot()));
        (*view).data = buffer.data;
        (*view).length = buffer.length / buffer.item;
        (*view).stride = buffer.item as isize;
        ((*view).format, (*view).item) = (buffer.format, buffer.item);
        (*view).readonly = buffer.readonly;
        (*view).exports = buffer.exports;
        count(buffer.exports, 1);
        Ok(Owned::from_raw(view))
    }
}

fn release_base(view: &MemoryView) {
    if let Some(base) = view.base.take() {
        count(view.exports, -1);
        // SAFETY: a slot's word, taken out.
        unsafe { base.release_slot() };
    }
}

// ---- items

fn place(vm: Vm, view: &MemoryView, key: Word) -> Result<usize, Raised> {
    let index = number::index_for_subscript(vm, key)?;
    sequence::wrap_index(index, view.length)
        .ok_or_else(|| vm.index_error("index out of bounds on dimension 1"))
}
fn select(vm: Vm, own: &MemoryView, key: Word) -> Result<(*mut u8, usize, isize), Raised> {
    let selection = slice::select(vm, key, own.length)?;
    let start = own.data.wrapping_offset(own.stride * selection.start);
    Ok((start, selection.count, own.stride * selection.step))
}
fn get_item(vm: Vm, word: Word, key: Word) -> PyResult {
    let own = view(vm, word)?;
    if number::is_index(vm, key) {
        let index = place(vm, own, key)?;
        return view(vm, word)?.get(vm, index);
    }
    if slice::is_slice(key) {
        let shape = select(vm, own, key)?;
        return derive(vm, view(vm, word)?, shape, (own.format, own.item));
    }
    Err(vm.type_error("memoryview: invalid slice key"))
}
fn set_item(vm: Vm, word: Word, key: Word, value: Option<Word>) -> Result<(), Raised> {
    let own = view(vm, word)?;
    if own.readonly {
        return Err(vm.type_error("cannot modify read-only memory"));
    }
    let Some(value) = value else {
        return Err(vm.type_error("cannot delete memory"));
    };
    if number::is_index(vm, key) {
        let index = place(vm, own, key)?;
        let encoded = items::encode(vm, own.format, value)?;
        let own = view(vm, word)?;
        // SAFETY: an index within the view, which is not released; its exporter keeps the bytes.
        unsafe { ptr::copy_nonoverlapping(encoded.as_ptr(), own.at(index), own.item) };
        return Ok(());
    }
    if !slice::is_slice(key) {
        return Err(vm.type_error("memoryview: invalid slice key"));
    }
    let (start, length, stride) = select(vm, own, key)?;
    let source = new(vm, vm.types.memoryview, &[value], None)?;
    let (own, source) = (view(vm, word)?, of(source.as_word()));
    if source.format != own.format || source.length != length {
        return Err(
            vm.value_error("memoryview assignment: lvalue and rvalue have different structures")
        );
    }
    // The two may be the same bytes.
    let copy = source.copy(vm)?;
    for (index, item) in bytes::contents(copy.as_word())
        .chunks_exact(own.item)
        .enumerate()
    {
        // SAFETY: as above.
        unsafe {
            let to = start.wrapping_offset(stride * index as isize);
            ptr::copy_nonoverlapping(item.as_ptr(), to, own.item);
        }
    }
    Ok(())
}
fn compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let answer = |equal: bool| Ok(Owned::bool(equal == (op == CompareOp::Eq)));
    if of(a).base.get().is_none() || is_memoryview(b) && of(b).base.get().is_none() {
        return answer(a.is(b));
    }
    // SAFETY: types are live as long as an instance.
    if !is_memoryview(b) && unsafe { (*vm.type_of(b)).slots.buffer.is_none() } {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let (left, right) = (
        new(vm, vm.types.memoryview, &[a], None)?,
        new(vm, vm.types.memoryview, &[b], None)?,
    );
    let (x, y) = (of(left.as_word()), of(right.as_word()));
    if x.length != y.length {
        return answer(false);
    }
    for index in 0..x.length {
        let (x, y) = (x.get(vm, index)?, y.get(vm, index)?);
        let equal = protocol::rich_compare(vm, x.as_word(), y.as_word(), CompareOp::Eq)?;
        if equal.as_word() != Word::TRUE {
            return answer(false);
        }
    }
    answer(true)
}
fn hash(vm: Vm, word: Word) -> Result<i64, Raised> {
    let own = view(vm, word)?;
    if !own.readonly {
        return Err(vm.value_error("cannot hash writable memoryview object"));
    }
    if !matches!(own.format, b'B' | b'b' | b'c') {
        return Err(vm.value_error("memoryview: hashing is restricted to formats 'B', 'b' or 'c'"));
    }
    protocol::hash(vm, own.copy(vm)?.as_word())
}
fn repr(vm: Vm, word: Word) -> PyResult {
    let released = if of(word).base.get().is_none() {
        "released "
    } else {
        ""
    };
    vm.new_str(&format!("<{released}memory at {:p}>", word.object()))
}

// ---- methods

fn to_list(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let own = view(vm, word)?;
    let items = (0..own.length).map(|index| own.get(vm, index));
    vm.list_from_owned(items.collect::<Result<Vec<_>, _>>()?)
}
fn release(_: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    release_base(of(word));
    Ok(Owned::NONE)
}
static CAST: Signature<2> = Signature::new("cast", ["format", "shape"], 1);

fn cast(vm: Vm, word: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let [format, shape] = CAST.unpack(vm, args, kwnames)?;
    let own = view(vm, word)?;
    let Some(text) = format.filter(|&format| str::is_str(format)) else {
        let given = vm.argument_type(format.unwrap_or(Word::NONE));
        return Err(vm.type_error(format!("cast() argument 'format' must be str, not {given}")));
    };
    if shape.is_some() {
        return Err(vm.raise(
            vm.exc.NotImplementedError,
            "memoryview: views have one dimension",
        ));
    }
    if !own.is_contiguous() {
        return Err(vm.type_error("memoryview: casts are restricted to C-contiguous views"));
    }
    let text = str::to_string_lossy(text);
    let format = text.strip_prefix('@').unwrap_or(&text);
    let Some((format, item)) = items::format_of(format) else {
        return Err(vm.value_error(
            "memoryview: destination format must be a native single character format prefixed with an optional '@'",
        ));
    };
    let is_bytes = |format: u8| matches!(format, b'B' | b'b' | b'c');
    if !is_bytes(format) && !is_bytes(own.format) {
        return Err(vm.type_error("memoryview: cannot cast between two non-byte formats"));
    }
    let length = own.length * own.item;
    if !length.is_multiple_of(item) {
        return Err(vm.type_error("memoryview: length is not a multiple of itemsize"));
    }
    derive(
        vm,
        own,
        (own.data, length / item, item as isize),
        (format, item),
    )
}
fn to_readonly(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let own = view(vm, word)?;
    let made = derive(
        vm,
        own,
        (own.data, own.length, own.stride),
        (own.format, own.item),
    )?;
    // SAFETY: a view just made.
    unsafe { (*made.as_ptr::<MemoryView>()).readonly = true };
    Ok(made)
}
fn hex(vm: Vm, word: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    let copy = view(vm, word)?.copy(vm)?;
    bytes_hex::hex(vm, copy.as_word(), args, kwnames)
}
fn matches(vm: Vm, word: Word, value: Word, index: usize) -> Result<bool, Raised> {
    let item = view(vm, word)?.get(vm, index)?;
    protocol::rich_compare_bool(vm, item.as_word(), value, CompareOp::Eq)
}
fn count_of(vm: Vm, word: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let mut count = 0;
    for index in 0..view(vm, word)?.length {
        count += usize::from(matches(vm, word, args[0], index)?);
    }
    vm.new_int_usize(count)
}
fn index_of(vm: Vm, word: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "index", args.len(), 1, 3)?;
    let length = view(vm, word)?.length;
    let bound = |given: Option<&Word>, default: usize| -> Result<usize, Raised> {
        let Some(given) = given else {
            return Ok(default);
        };
        let index = number::index_clamped(vm, *given)?;
        let index = if index < 0 {
            index + length as isize
        } else {
            index
        };
        Ok((index.max(0) as usize).min(length))
    };
    let (start, end) = (bound(args.get(1), 0)?, bound(args.get(2), length)?);
    for index in start..end {
        if matches(vm, word, args[0], index)? {
            return vm.new_int_usize(index);
        }
    }
    Err(vm.value_error("memoryview.index(x): x not found"))
}

static METHODS: &[MethodDef] = &[
    MethodDef::new(
        "tobytes",
        meth::FASTCALL | meth::KEYWORDS,
        |vm, word, _, _| view(vm, word)?.copy(vm),
    ),
    MethodDef::new("tolist", meth::NOARGS, to_list),
    MethodDef::new("hex", meth::FASTCALL | meth::KEYWORDS, hex),
    MethodDef::new("cast", meth::FASTCALL | meth::KEYWORDS, cast),
    MethodDef::new("release", meth::NOARGS, release),
    MethodDef::new("toreadonly", meth::NOARGS, to_readonly),
    MethodDef::new("count", meth::O, count_of),
    MethodDef::new("index", meth::FASTCALL, index_of),
    MethodDef::new("__enter__", meth::NOARGS, |vm, word, _, _| {
        view(vm, word).map(|_| Owned::new_ref(word))
    }),
    MethodDef::new("__exit__", meth::VARARGS, release),
];
static GETSET: &[GetSetDef] = &[
    GetSetDef::new(
        "obj",
        |vm, word| {
            Ok(Owned::new_ref(
                view(vm, word)?.base.get().unwrap_or(Word::NONE),
            ))
        },
        None,
    ),
    GetSetDef::new(
        "nbytes",
        |vm, word| vm.new_int_usize(view(vm, word)?.length * of(word).item),
        None,
    ),
    GetSetDef::new(
        "itemsize",
        |vm, word| vm.new_int_usize(view(vm, word)?.item),
        None,
    ),
    GetSetDef::new(
        "format",
        |vm, word| vm.new_str(&char::from(view(vm, word)?.format).to_string()),
        None,
    ),
    GetSetDef::new(
        "readonly",
        |vm, word| Ok(Owned::bool(view(vm, word)?.readonly)),
        None,
    ),
    GetSetDef::new(
        "ndim",
        |vm, word| view(vm, word).map(|_| Owned::small_int(1)),
        None,
    ),
    GetSetDef::new(
        "shape",
        |vm, word| of_one(vm, view(vm, word)?.length as isize),
        None,
    ),
    GetSetDef::new(
        "strides",
        |vm, word| of_one(vm, view(vm, word)?.stride),
        None,
    ),
    GetSetDef::new(
        "suboffsets",
        |vm, word| view(vm, word).map(|_| vm.empty_tuple()),
        None,
    ),
    GetSetDef::new("contiguous", contiguous, None),
    GetSetDef::new("c_contiguous", contiguous, None),
    GetSetDef::new("f_contiguous", contiguous, None),
];
fn of_one(vm: Vm, value: isize) -> PyResult {
    vm.new_tuple(&[vm.new_int(value as i64)?.as_word()])
}
fn contiguous(vm: Vm, word: Word) -> PyResult {
    Ok(Owned::bool(view(vm, word)?.is_contiguous()))
}

/// # Safety
/// As [`super::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        release_base(&*(object as *mut MemoryView));
        vm.free(object);
    }
}
/// # Safety
/// As [`super::types::TraverseFn`].
unsafe fn traverse(object: *mut Object, visit: &mut dyn FnMut(Word)) {
    unsafe { (*(object as *mut MemoryView)).base.get() }
        .into_iter()
        .for_each(visit);
}

pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::SEQUENCE | type_flag::WEAKREF,
        methods: METHODS,
        getset: GETSET,
        ..TypeSpec::new::<MemoryView>(
            "memoryview",
            Kind::MEMORYVIEW,
            Slots {
                dealloc,
                traverse: Some(traverse),
                clear: Some(|_, object| unsafe { release_base(&*(object as *mut MemoryView)) }),
                repr: Some(repr),
                hash: Some(hash),
                richcompare: Some(compare),
                iter: Some(|vm, word| {
                    view(vm, word)?;
                    iterators::new_seq_iterator(vm, word)
                }),
                len: Some(|vm, word| Ok(view(vm, word)?.length)),
                getitem: Some(get_item),
                setitem: Some(set_item),
                new: Some(new),
                ..Slots::EMPTY
            },
        )
    }
}
