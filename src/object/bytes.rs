//! `bytes` (`bytesobject.c`): layout, construction, operators, iteration. Methods are in `bytes_methods.rs`.

use super::args::Signature;
use super::descr::{MethodDef, meth};
use super::exc::replace;
use super::hash;
use super::header::{Header, Kind, Object};
use super::int::{self, IntRef};
use super::iterators::self_iter;
use super::owned::{Owned, PyResult, Raised};
use super::str_writer::StrWriter;
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{attr, bytes_methods, call, codecs, number, percent, sequence, slice, str};
use std::cell::Cell;
use std::ptr;

/// `PyBytesObject`; the bytes follow.
#[repr(C)]
pub struct BytesObject {
    pub header: Header,
    pub length: usize,
    /// -1 until computed.
    pub hash: Cell<i64>,
}

/// Offset of the first byte.
pub const DATA_OFFSET: usize = size_of::<BytesObject>();

impl BytesObject {
    fn data(&self) -> *mut u8 {
        (&raw const *self as *mut u8).wrapping_add(DATA_OFFSET)
    }
}

/// Whether a value gives its bytes to whoever asks (`PyObject_CheckBuffer`).
#[inline]
pub fn is_bytes_like(word: Word) -> bool {
    word.is_instance(Kind::BYTES)
        || super::bytearray::is_bytearray(word)
        || super::memoryview::is_contiguous_view(word)
}
/// The bytes of a word known to be bytes-like. Those of a bytearray are gone when it changes.
#[inline]
pub fn contents<'a>(word: Word) -> &'a [u8] {
    debug_assert!(is_bytes_like(word));
    if super::bytearray::is_bytearray(word) {
        return super::bytearray::of(word).contents();
    }
    if super::memoryview::is_memoryview(word) {
        return super::memoryview::contents(word);
    }
    // SAFETY: contract of Word; bytes do not change.
    unsafe {
        let bytes = word.cast::<BytesObject>();
        std::slice::from_raw_parts((*bytes).data(), (*bytes).length)
    }
}

/// `PyBytes_FromStringAndSize`.
pub fn new_bytes(vm: Vm, data: &[u8]) -> PyResult {
    build(vm, data.len(), |to| to.copy_from_slice(data))
}
/// Bytes of this length, zero until `fill` has written them.
pub(super) fn build(vm: Vm, length: usize, fill: impl FnOnce(&mut [u8])) -> PyResult {
    build_of_type(vm, vm.types.bytes, length, fill)
}
fn build_of_type(
    vm: Vm,
    ty: *mut TypeObject,
    length: usize,
    fill: impl FnOnce(&mut [u8]),
) -> PyResult {
    let size = length
        .checked_add(DATA_OFFSET)
        .ok_or_else(|| vm.no_memory())?;
    // SAFETY: the type is laid out so; all fields and bytes are written.
    unsafe {
        let bytes = vm.alloc_instance::<BytesObject>(ty, size)?;
        (*bytes).length = length;
        (*bytes).hash = Cell::new(-1);
        ptr::write_bytes((*bytes).data(), 0, length);
        fill(std::slice::from_raw_parts_mut((*bytes).data(), length));
        Ok(Owned::from_raw(bytes))
    }
}
/// Bytes of pieces one after the other, whose number may be anything a program asks for.
pub(super) fn concat<'a>(vm: Vm, pieces: impl Iterator<Item = &'a [u8]> + Clone) -> PyResult {
    let mut length = 0usize;
    for piece in pieces.clone() {
        length = length
            .checked_add(piece.len())
            .ok_or_else(|| vm.no_memory())?;
    }
    build(vm, length, |mut to| {
        for piece in pieces {
            let (head, tail) = std::mem::take(&mut to).split_at_mut(piece.len());
            head.copy_from_slice(piece);
            to = tail;
        }
    })
}

/// A value from 0 to 255.
pub(super) fn byte(vm: Vm, item: Word, message: &str) -> Result<u8, Raised> {
    let value = number::index(vm, item)?;
    match int::value(value.as_word()).and_then(IntRef::to_i64) {
        Some(value @ 0..=255) => Ok(value as u8),
        _ => Err(vm.value_error(message)),
    }
}

fn buffer(word: Word) -> super::memoryview::Buffer {
    let data = contents(word);
    super::memoryview::Buffer {
        data: data.as_ptr().cast_mut(),
        length: data.len(),
        readonly: true,
        format: b'B',
        item: 1,
        exports: std::ptr::null(),
    }
}

// ---- construction

/// The bytes of something bytes-like, or of an iterable of ints (`PyBytes_FromObject`).
pub fn from_object(vm: Vm, object: Word) -> PyResult {
    if object.is_exact(Kind::BYTES) {
        return Ok(Owned::new_ref(object));
    }
    if is_bytes_like(object) {
        return new_bytes(vm, contents(object));
    }
    let data = from_iterable(vm, object, "bytes must be in range(0, 256)", |vm| {
        format!("cannot convert '{}' object to bytes", vm.type_name(object))
    })?;
    new_bytes(vm, &data)
}
/// The bytes that an iterable of ints gives (`_PyBytes_FromIterator`). `range` is said of other numbers, `message` of
/// what cannot be iterated.
pub(super) fn from_iterable(
    vm: Vm,
    object: Word,
    range: &str,
    message: impl FnOnce(Vm) -> String,
) -> Result<Vec<u8>, Raised> {
    if str::is_str(object) {
        return Err(vm.type_error(message(vm)));
    }
    let iterator = sequence::get_iter_or(vm, object, message)?;
    let mut data: Vec<u8> = Vec::new();
    sequence::exhaust(vm, &iterator, |item| {
        let value = byte(vm, item.as_word(), range)?;
        push(vm, &mut data, value)
    })?;
    Ok(data)
}
/// Appends within the VM's memory limit.
pub(super) fn push(vm: Vm, data: &mut Vec<u8>, value: u8) -> Result<(), Raised> {
    if data.len() == data.capacity() {
        let more = data.len().max(64);
        if !vm.heap.has_room(data.len() + more) || data.try_reserve_exact(more).is_err() {
            return Err(vm.no_memory());
        }
    }
    data.push(value);
    Ok(())
}

/// `bytes(source=b'', encoding, errors)` (`bytes_new_impl`).
fn bytes_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    const SIGNATURE: Signature<3> = Signature::new("bytes", ["source", "encoding", "errors"], 0);
    let [source, encoding, errors] = SIGNATURE.unpack(vm, args, kwnames)?;
    codecs::check_names(vm, "bytes", encoding, errors)?;
    let text = source.filter(|&source| str::is_str(source));
    let bytes = match (source, text) {
        (_, Some(text)) if encoding.is_some() => codecs::encode(vm, text, encoding, errors)?,
        (_, Some(_)) => return Err(vm.type_error("string argument without an encoding")),
        _ if encoding.is_some() => {
            return Err(vm.type_error("encoding without a string argument"));
        }
        _ if errors.is_some() => return Err(vm.type_error("errors without a string argument")),
        (None, _) => new_bytes(vm, b"")?,
        (Some(source), _) => from_source(vm, source)?,
    };
    if ty == vm.types.bytes && bytes.as_word().is_exact(Kind::BYTES) {
        return Ok(bytes);
    }
    let data = contents(bytes.as_word());
    build_of_type(vm, ty, data.len(), |to| to.copy_from_slice(data))
}
/// What `bytes(source)` makes of anything but text: `__bytes__`, a count of zeros, or what `from_object` takes.
fn from_source(vm: Vm, source: Word) -> PyResult {
    if let Some(method) = attr::lookup_bound(vm, source, vm.names.__bytes__)? {
        let answer = call::call(vm, method.as_word(), &[], None)?;
        if answer.as_word().is_instance(Kind::BYTES) {
            return Ok(answer);
        }
        return Err(vm.type_error(format!(
            "__bytes__ returned non-bytes (type {})",
            vm.type_name(answer.as_word())
        )));
    }
    if !number::is_index(vm, source) {
        return from_object(vm, source);
    }
    let count = number::index_isize(vm, source)?;
    match usize::try_from(count) {
        Ok(count) => build(vm, count, |_| ()),
        Err(_) => Err(vm.value_error("negative count")),
    }
}

// ---- operators

/// Writes bytes as a literal (`PyBytes_Repr`).
pub fn push_repr(writer: &mut StrWriter, data: &[u8]) -> Result<(), Raised> {
    let quote = if data.contains(&b'\'') && !data.contains(&b'"') {
        b'"'
    } else {
        b'\''
    };
    writer.reserve(data.len().saturating_add(3))?;
    writer.push(u32::from(b'b'))?;
    writer.push(u32::from(quote))?;
    for &byte in data {
        match byte {
            b'\t' => writer.push_str("\\t")?,
            b'\n' => writer.push_str("\\n")?,
            b'\r' => writer.push_str("\\r")?,
            _ if byte == b'\\' || byte == quote => {
                writer.push(u32::from(b'\\'))?;
                writer.push(u32::from(byte))?;
            }
            0x20..0x7f => writer.push(u32::from(byte))?,
            _ => writer.push_str(&format!("\\x{byte:02x}"))?,
        }
    }
    writer.push(u32::from(quote))
}
fn bytes_repr(vm: Vm, word: Word) -> PyResult {
    let mut writer = StrWriter::new(vm);
    push_repr(&mut writer, contents(word))?;
    writer.finish()
}
fn bytes_hash(vm: Vm, word: Word) -> Result<i64, Raised> {
    // SAFETY: contract of Word.
    let cached = unsafe { &(*word.cast::<BytesObject>()).hash };
    if cached.get() == -1 {
        cached.set(hash::hash_bytes(vm, contents(word)));
    }
    Ok(cached.get())
}
fn richcompare(_: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !is_bytes_like(a) || !is_bytes_like(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    Ok(Owned::bool(op.holds(contents(a).cmp(contents(b)))))
}
fn bytes_len(_: Vm, word: Word) -> Result<usize, Raised> {
    Ok(contents(word).len())
}
/// `b[i]` and `b[a:b:c]` (`bytes_subscript`).
fn bytes_getitem(vm: Vm, word: Word, key: Word) -> PyResult {
    let data = contents(word);
    if number::is_index(vm, key) {
        let index = number::index_for_subscript(vm, key)?;
        return match sequence::wrap_index(index, data.len()) {
            Some(index) => Ok(Owned::small_int(i64::from(data[index]))),
            None => Err(vm.index_error("index out of range")),
        };
    }
    if !slice::is_slice(key) {
        let name = vm.type_name(key);
        return Err(vm.type_error(format!(
            "byte indices must be integers or slices, not {name}"
        )));
    }
    let selection = slice::select(vm, key, data.len())?;
    if selection.step == 1 && selection.count == data.len() && word.is_exact(Kind::BYTES) {
        return Ok(Owned::new_ref(word));
    }
    build(vm, selection.count, |to| {
        for (to, from) in to.iter_mut().zip(selection.indices()) {
            *to = data[from];
        }
    })
}
fn bytes_contains(vm: Vm, word: Word, part: Word) -> Result<bool, Raised> {
    let data = contents(word);
    if number::is_index(vm, part) {
        return Ok(data.contains(&byte(vm, part, "byte must be in range(0, 256)")?));
    }
    Ok(memchr::memmem::find(data, bytes_methods::argument(vm, part)?).is_some())
}
fn bytes_concat(vm: Vm, a: Word, b: Word) -> PyResult {
    if !is_bytes_like(b) {
        return Err(vm.type_error(format!("can't concat {} to bytes", vm.type_name(b))));
    }
    for (empty, other) in [(a, b), (b, a)] {
        if contents(empty).is_empty() && other.is_exact(Kind::BYTES) {
            return Ok(Owned::new_ref(other));
        }
    }
    concat(vm, [contents(a), contents(b)].into_iter())
}
fn bytes_repeat(vm: Vm, word: Word, count: isize) -> PyResult {
    if count == 1 && word.is_exact(Kind::BYTES) {
        return Ok(Owned::new_ref(word));
    }
    let data = contents(word);
    let length = data.len().checked_mul(count.max(0) as usize);
    let length = length.filter(|&length| length <= isize::MAX as usize);
    build(vm, length.ok_or_else(|| vm.no_memory())?, |to| {
        if !data.is_empty() {
            to.chunks_exact_mut(data.len())
                .for_each(|to| to.copy_from_slice(data));
        }
    })
}

/// `bytes % o`.
fn bytes_remainder(vm: Vm, a: Word, b: Word) -> PyResult {
    if !a.is_instance(Kind::BYTES) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    new_bytes(vm, &percent::format_bytes(vm, contents(a), b)?)
}

pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        item_size: 1,
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF,
        methods: bytes_methods::METHODS,
        ..TypeSpec::new::<BytesObject>(
            "bytes",
            Kind::BYTES,
            Slots {
                buffer: Some(buffer),
                repr: Some(bytes_repr),
                hash: Some(bytes_hash),
                richcompare: Some(richcompare),
                iter: Some(iter),
                len: Some(bytes_len),
                getitem: Some(bytes_getitem),
                contains: Some(bytes_contains),
                concat: Some(bytes_concat),
                repeat: Some(bytes_repeat),
                nb: {
                    let mut slots = Slots::EMPTY.nb;
                    slots[number::nb::REMAINDER] = Some(bytes_remainder);
                    slots
                },
                new: Some(bytes_new),
                ..Slots::EMPTY
            },
        )
    }
}

// ---- iteration

/// `striterobject` of bytes.
#[repr(C)]
struct BytesIterator {
    header: Header,
    /// A slot's word; None when it has run out.
    bytes: Cell<Option<Word>>,
    index: Cell<usize>,
}

pub(super) fn iter(vm: Vm, word: Word) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let iterator = vm.alloc::<BytesIterator>(vm.types.bytes_iterator)?;
        (*iterator).bytes = Cell::new(Some(Owned::new_ref(word).into_slot()));
        (*iterator).index = Cell::new(0);
        Ok(Owned::from_raw(iterator))
    }
}
fn iterator<'a>(word: Word) -> &'a BytesIterator {
    // SAFETY: contract of Word; all fields are cells.
    unsafe { &*word.cast::<BytesIterator>() }
}
fn next(_: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    let iterator = iterator(word);
    let Some(bytes) = iterator.bytes.get() else {
        return Ok(None);
    };
    let index = iterator.index.get();
    match contents(bytes).get(index) {
        Some(&value) => {
            iterator.index.set(index + 1);
            Ok(Some(Owned::small_int(i64::from(value))))
        }
        None => {
            replace(&iterator.bytes, None);
            Ok(None)
        }
    }
}
fn length_hint(vm: Vm, word: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let iterator = iterator(word);
    let length = iterator
        .bytes
        .get()
        .map_or(0, |bytes| contents(bytes).len());
    vm.new_int_usize(length.saturating_sub(iterator.index.get()))
}
static ITERATOR_METHODS: &[MethodDef] =
    &[MethodDef::new("__length_hint__", meth::NOARGS, length_hint)];

unsafe fn iterator_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        replace(&(*(object as *mut BytesIterator)).bytes, None);
        vm.free(object);
    }
}
pub(super) const fn iterator_spec() -> TypeSpec {
    TypeSpec {
        methods: ITERATOR_METHODS,
        ..TypeSpec::new::<BytesIterator>(
            "bytes_iterator",
            Kind::OTHER,
            Slots {
                dealloc: iterator_dealloc,
                iter: Some(self_iter),
                iternext: Some(next),
                ..Slots::EMPTY
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::testing::TestVm;

    #[test]
    fn literals() {
        let test = TestVm::new();
        let vm = test.vm();
        for (data, expected) in [
            (&b"abc"[..], "b'abc'"),
            (b"'", "b\"'\""),
            (b"'\"", "b'\\'\"'"),
            (b"\x00\n\t\r\\\x7f\xff", "b'\\x00\\n\\t\\r\\\\\\x7f\\xff'"),
        ] {
            let bytes = new_bytes(vm, data).unwrap();
            let text = bytes_repr(vm, bytes.as_word()).unwrap();
            assert_eq!(str::to_string_lossy(text.as_word()), expected);
        }
    }

    #[test]
    fn pieces_and_repetition() {
        let test = TestVm::new();
        let vm = test.vm();
        let bytes = new_bytes(vm, b"ab").unwrap();
        let more = bytes_repeat(vm, bytes.as_word(), 3).unwrap();
        assert_eq!(contents(more.as_word()), b"ababab");
        assert!(bytes_repeat(vm, bytes.as_word(), isize::MAX).is_err());
        vm.clear_exception();
        let both = bytes_concat(vm, bytes.as_word(), more.as_word()).unwrap();
        assert_eq!(contents(both.as_word()), b"abababab");
        let none = bytes_repeat(vm, bytes.as_word(), -1).unwrap();
        assert_eq!(bytes_hash(vm, none.as_word()), Ok(0));
    }
}
