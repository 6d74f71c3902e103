//! `bytes` (`bytesobject.c`): layout, creation, operators and the usual methods.

use super::args;
use super::descr::{MethodDef, meth};
use super::hash;
use super::header::{Header, Kind, Object};
use super::int::{self, IntRef};
use super::iterators::self_iter;
use super::number;
use super::owned::{Owned, PyResult, Raised};
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{codecs, sequence, slice, str};
use std::cell::Cell;

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

/// `bytes` or `bytearray`, or of a subclass.
pub fn is_bytes_like(word: Word) -> bool {
    word.is_instance(Kind::BYTES)
}
/// The bytes of a word known to be bytes-like.
pub fn contents<'a>(word: Word) -> &'a [u8] {
    debug_assert!(is_bytes_like(word));
    // SAFETY: contract of Word; bytes do not change.
    unsafe {
        let bytes = word.cast::<BytesObject>();
        std::slice::from_raw_parts((bytes as *const u8).add(DATA_OFFSET), (*bytes).length)
    }
}
/// `PyBytes_FromStringAndSize`.
pub fn new_bytes(vm: Vm, data: &[u8]) -> PyResult {
    new_of_type(vm, vm.types.bytes, data)
}
fn new_of_type(vm: Vm, ty: *mut TypeObject, data: &[u8]) -> PyResult {
    // SAFETY: the type is laid out so; all is written.
    unsafe {
        let bytes = vm.alloc_instance::<BytesObject>(ty, DATA_OFFSET.saturating_add(data.len()))?;
        (*bytes).length = data.len();
        (*bytes).hash = Cell::new(-1);
        std::ptr::copy_nonoverlapping(
            data.as_ptr(),
            (bytes as *mut u8).add(DATA_OFFSET),
            data.len(),
        );
        Ok(Owned::from_raw(bytes))
    }
}
/// `bytes(o)` of something bytes-like or an iterable of ints (`PyObject_Bytes`).
pub fn from_object(vm: Vm, object: Word) -> PyResult {
    if object.is_exact(Kind::BYTES) {
        return Ok(Owned::new_ref(object));
    }
    if let Some(method) = super::attr::lookup_bound(vm, object, vm.names.__bytes__)? {
        let answer = super::call::call(vm, method.as_word(), &[], None)?;
        if answer.as_word().is_instance(Kind::BYTES) {
            return Ok(answer);
        }
        return Err(vm.type_error(format!(
            "__bytes__ returned non-bytes (type {})",
            vm.type_name(answer.as_word())
        )));
    }
    if is_bytes_like(object) {
        return new_bytes(vm, contents(object));
    }
    // SAFETY: types are live as long as an instance.
    let iterable = unsafe {
        let slots = &raw const (*vm.type_of(object)).slots;
        (*slots).iter.is_some() || (*slots).getitem.is_some()
    };
    if !iterable || str::is_str(object) {
        return Err(vm.type_error(format!(
            "cannot convert '{}' object to bytes",
            vm.type_name(object)
        )));
    }
    let mut data = Vec::new();
    sequence::for_each(vm, object, |item| {
        data.try_reserve(1).map_err(|_| vm.no_memory())?;
        data.push(byte(vm, item.as_word(), "bytes must be in range(0, 256)")?);
        Ok(())
    })?;
    new_bytes(vm, &data)
}
fn byte(vm: Vm, item: Word, message: &str) -> Result<u8, Raised> {
    let value = number::index(vm, item)?;
    match int::value(value.as_word()).and_then(IntRef::to_i64) {
        Some(value @ 0..=255) => Ok(value as u8),
        _ => Err(vm.value_error(message)),
    }
}
fn bytes_new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    const SIGNATURE: args::Signature<3> =
        args::Signature::new("bytes", ["source", "encoding", "errors"], 0);
    let [source, encoding, errors] = SIGNATURE.unpack(vm, args, kwnames)?;
    let bytes = match source {
        None if encoding.is_some() => {
            return Err(vm.type_error("encoding without a string argument"));
        }
        None if errors.is_some() => return Err(vm.type_error("errors without a string argument")),
        None => new_bytes(vm, b"")?,
        Some(text) if str::is_str(text) => match encoding {
            None if errors.is_some() => {
                return Err(vm.type_error("string argument without an encoding"));
            }
            None => return Err(vm.type_error("string argument without an encoding")),
            Some(_) => codecs::encode(vm, text, encoding, errors)?,
        },
        Some(_) if encoding.is_some() => {
            return Err(vm.type_error("encoding without a string argument"));
        }
        Some(_) if errors.is_some() => {
            return Err(vm.type_error("errors without a string argument"));
        }
        Some(count) if number::is_index(vm, count) => {
            let count = number::index_isize(vm, count)?;
            if count < 0 {
                return Err(vm.value_error("negative count"));
            }
            if !vm.heap.has_room((count as usize).saturating_mul(2)) {
                return Err(vm.no_memory());
            }
            new_bytes(vm, &vec![0; count as usize])?
        }
        Some(object) => from_object(vm, object)?,
    };
    if ty == vm.types.bytes {
        Ok(bytes)
    } else {
        new_of_type(vm, ty, contents(bytes.as_word()))
    }
}

/// Text of bytes as a literal (`PyBytes_Repr`).
pub fn repr_text(data: &[u8]) -> String {
    let quote = if data.contains(&b'\'') && !data.contains(&b'"') {
        '"'
    } else {
        '\''
    };
    let mut text = format!("b{quote}");
    for &b in data {
        match b {
            b'\\' => text.push_str("\\\\"),
            b'\t' => text.push_str("\\t"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            _ if b as char == quote => {
                text.push('\\');
                text.push(quote);
            }
            0x20..0x7f => text.push(b as char),
            _ => text.push_str(&format!("\\x{b:02x}")),
        }
    }
    text.push(quote);
    text
}
fn bytes_repr(vm: Vm, word: Word) -> PyResult {
    let data = contents(word);
    if !vm.heap.has_room(data.len().saturating_mul(8)) {
        return Err(vm.no_memory());
    }
    vm.new_str(&repr_text(data))
}
fn bytes_hash(vm: Vm, word: Word) -> Result<i64, Raised> {
    // SAFETY: contract of Word.
    let cached = unsafe { &(*word.cast::<BytesObject>()).hash };
    if cached.get() == -1 {
        cached.set(hash::hash_bytes(vm, contents(word)));
    }
    Ok(cached.get())
}
fn bytes_compare(_: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !is_bytes_like(a) || !is_bytes_like(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    Ok(Owned::bool(op.holds(contents(a).cmp(contents(b)))))
}
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
        return Err(vm.type_error(format!(
            "byte indices must be integers or slices, not {}",
            vm.type_name(key)
        )));
    }
    let selection = slice::select(vm, key, data.len())?;
    new_bytes(
        vm,
        &selection
            .indices()
            .map(|index| data[index])
            .collect::<Vec<_>>(),
    )
}
fn bytes_contains(vm: Vm, word: Word, part: Word) -> Result<bool, Raised> {
    if is_bytes_like(part) {
        return Ok(memchr::memmem::find(contents(word), contents(part)).is_some());
    }
    if !number::is_index(vm, part) {
        return Err(vm.type_error(format!(
            "a bytes-like object is required, not '{}'",
            vm.type_name(part)
        )));
    }
    Ok(contents(word).contains(&byte(vm, part, "byte must be in range(0, 256)")?))
}
fn bytes_concat(vm: Vm, a: Word, b: Word) -> PyResult {
    if !is_bytes_like(b) {
        return Err(vm.type_error(format!("can't concat {} to bytes", vm.type_name(b))));
    }
    new_bytes(vm, &[contents(a), contents(b)].concat())
}
fn bytes_repeat(vm: Vm, word: Word, count: isize) -> PyResult {
    let data = contents(word);
    let count = count.max(0) as usize;
    let total = data
        .len()
        .checked_mul(count)
        .ok_or_else(|| vm.no_memory())?;
    if !vm.heap.has_room(total.saturating_mul(2)) {
        return Err(vm.no_memory());
    }
    new_bytes(vm, &data.repeat(count))
}
fn decode(vm: Vm, self_: Word, args: &[Word], kwnames: Option<Word>) -> PyResult {
    const SIGNATURE: args::Signature<2> = args::Signature::new("decode", ["encoding", "errors"], 0);
    let [encoding, errors] = SIGNATURE.unpack(vm, args, kwnames)?;
    codecs::decode_object(vm, self_, encoding, errors)
}
fn hex(vm: Vm, self_: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let data = contents(self_);
    vm.new_str(&data.iter().map(|b| format!("{b:02x}")).collect::<String>())
}
fn fromhex(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if !str::is_str(args[0]) {
        return Err(vm.type_error(format!(
            "fromhex() argument must be str, not {}",
            vm.type_name(args[0])
        )));
    }
    let (mut data, mut half) = (Vec::new(), None);
    for (index, c) in str::chars(args[0]).iter().enumerate() {
        match (char::from_u32(c).and_then(|c| c.to_digit(16)), half) {
            (Some(digit), None) => half = Some(digit),
            (Some(digit), Some(high)) => {
                data.push((high << 4 | digit) as u8);
                half = None;
            }
            (None, None) if c < 0x80 && super::unicode::is_space(c) => {}
            _ => {
                return Err(vm.value_error(format!(
                    "non-hexadecimal number found in fromhex() arg at position {index}"
                )));
            }
        }
    }
    if half.is_some() {
        return Err(
            vm.value_error("fromhex() arg must contain an even number of hexadecimal digits")
        );
    }
    new_bytes(vm, &data)
}
fn join(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let mut joined = Vec::new();
    for (index, item) in sequence::collect(vm, args[0])?.iter().enumerate() {
        if !is_bytes_like(item.as_word()) {
            return Err(vm.type_error(format!(
                "sequence item {index}: expected a bytes-like object, {} found",
                vm.type_name(item.as_word())
            )));
        }
        if index > 0 {
            joined.extend_from_slice(contents(self_));
        }
        joined.extend_from_slice(contents(item.as_word()));
    }
    new_bytes(vm, &joined)
}
fn find(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "find", args.len(), 1, 3)?;
    let data = contents(self_);
    let bounds = super::str_methods::bounds(vm, &args[1..], data.len())?;
    let one;
    let part = if is_bytes_like(args[0]) {
        contents(args[0])
    } else {
        one = [byte(vm, args[0], "byte must be in range(0, 256)")?];
        &one
    };
    let found = bounds.and_then(|(start, end)| {
        memchr::memmem::find(&data[start..end], part).map(|at| at + start)
    });
    vm.new_int(found.map_or(-1, |at| at as i64))
}
fn startswith(vm: Vm, self_: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if !is_bytes_like(args[0]) {
        return Err(vm.type_error(format!(
            "startswith first arg must be bytes or a tuple of bytes, not {}",
            vm.type_name(args[0])
        )));
    }
    Ok(Owned::bool(contents(self_).starts_with(contents(args[0]))))
}
static METHODS: &[MethodDef] = &[
    MethodDef::new("decode", meth::FASTCALL | meth::KEYWORDS, decode),
    MethodDef::new("find", meth::FASTCALL, find),
    MethodDef::new("fromhex", meth::O | meth::CLASS, fromhex),
    MethodDef::new("hex", meth::NOARGS, hex),
    MethodDef::new("join", meth::O, join),
    MethodDef::new("startswith", meth::O, startswith),
];

/// `bytes_iterator`.
#[repr(C)]
struct BytesIterator {
    header: Header,
    bytes: Word,
    index: Cell<usize>,
}
fn bytes_iter(vm: Vm, word: Word) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let iterator = vm.alloc::<BytesIterator>(vm.types.bytes_iterator)?;
        (*iterator).bytes = Owned::new_ref(word).into_slot();
        (*iterator).index = Cell::new(0);
        Ok(Owned::from_raw(iterator))
    }
}
fn bytes_next(_: Vm, word: Word) -> Result<Option<Owned>, Raised> {
    // SAFETY: contract of Word.
    let iterator = unsafe { &*word.cast::<BytesIterator>() };
    let index = iterator.index.get();
    Ok(contents(iterator.bytes).get(index).map(|&b| {
        iterator.index.set(index + 1);
        Owned::small_int(i64::from(b))
    }))
}
unsafe fn iterator_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        (*(object as *mut BytesIterator)).bytes.release_slot();
        vm.free(object);
    }
}
pub(super) const fn iterator_spec() -> TypeSpec {
    TypeSpec::new::<BytesIterator>(
        "bytes_iterator",
        Kind::OTHER,
        Slots {
            dealloc: iterator_dealloc,
            iter: Some(self_iter),
            iternext: Some(bytes_next),
            ..Slots::EMPTY
        },
    )
}
pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        item_size: 1,
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF | type_flag::SEQUENCE,
        methods: METHODS,
        ..TypeSpec::new::<BytesObject>(
            "bytes",
            Kind::BYTES,
            Slots {
                repr: Some(bytes_repr),
                hash: Some(bytes_hash),
                richcompare: Some(bytes_compare),
                iter: Some(bytes_iter),
                len: Some(|_, word| Ok(contents(word).len())),
                getitem: Some(bytes_getitem),
                contains: Some(bytes_contains),
                concat: Some(bytes_concat),
                repeat: Some(bytes_repeat),
                new: Some(bytes_new),
                ..Slots::EMPTY
            },
        )
    }
}
