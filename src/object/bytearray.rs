//! `bytearray`: bytes that change (`bytearrayobject.c`). What leaves it as it is, it shares with `bytes`: such a method
//! works on a copy, since its arguments may run code that changes the array. Methods are in `bytearray_methods.rs`.

use super::args::Signature;
use super::bytes::{self, byte};
use super::header::{Header, Kind, Object};
use super::owned::{Owned, PyResult, Raised};
use super::slice::{self, Selection};
use super::str_writer::StrWriter;
use super::types::{CompareOp, Slots, TypeObject, TypeSpec, type_flag};
use super::vm::Vm;
use super::word::Word;
use super::{bytearray_methods as methods, codecs, number, sequence, str};
use std::cell::Cell;
use std::ptr::null_mut;

/// `PyByteArrayObject`.
#[repr(C)]
pub struct ByteArrayObject {
    pub header: Header,
    /// Points to nothing if `capacity` is zero.
    data: Cell<*mut u8>,
    length: Cell<usize>,
    capacity: Cell<usize>,
    /// Views of the bytes, which stay where they are meanwhile.
    exports: Cell<usize>,
}

pub fn is_bytearray(word: Word) -> bool {
    word.is_instance(Kind::BYTEARRAY)
}

/// The array behind a word known to be one.
pub(super) fn of<'a>(word: Word) -> &'a ByteArrayObject {
    debug_assert!(is_bytearray(word));
    // SAFETY: contract of Word; all fields are cells.
    unsafe { &*word.cast::<ByteArrayObject>() }
}

impl ByteArrayObject {
    /// The bytes as they are now; gone when the array changes.
    pub fn contents<'a>(&self) -> &'a [u8] {
        if self.capacity.get() == 0 {
            return &[];
        }
        // SAFETY: `length` bytes are initialised.
        unsafe { std::slice::from_raw_parts(self.data.get(), self.length.get()) }
    }
    /// The same to write to, for a stretch of code that calls nothing.
    pub(super) fn contents_mut<'a>(&self) -> &'a mut [u8] {
        if self.capacity.get() == 0 {
            return &mut [];
        }
        // SAFETY: as above; the VM is on one thread, and users keep one slice at a time.
        unsafe { std::slice::from_raw_parts_mut(self.data.get(), self.length.get()) }
    }
    pub(super) fn len(&self) -> usize {
        self.length.get()
    }
    /// Changes the length; new bytes are zero (`PyByteArray_Resize`).
    pub(super) fn resize(&self, vm: Vm, length: usize) -> Result<(), Raised> {
        let old = self.length.get();
        self.may_resize(vm, length)?;
        let capacity = self.capacity.get();
        if length > capacity || length < capacity / 2 {
            let wanted = if length > capacity && capacity > 0 {
                length.checked_add(length / 8 + 8)
            } else {
                Some(length)
            };
            self.set_capacity(vm, wanted.ok_or_else(|| vm.no_memory())?, length.min(old))?;
        }
        self.length.set(length);
        if length > old {
            self.contents_mut()[old..].fill(0);
        }
        Ok(())
    }
    fn may_resize(&self, vm: Vm, length: usize) -> Result<(), Raised> {
        if self.exports.get() > 0 && length != self.length.get() {
            return Err(vm.raise(
                vm.exc.BufferError,
                "Existing exports of data: object cannot be re-sized",
            ));
        }
        Ok(())
    }
    fn set_capacity(&self, vm: Vm, capacity: usize, keep: usize) -> Result<(), Raised> {
        let fresh = if capacity == 0 {
            null_mut()
        } else {
            vm.alloc_raw(capacity)?.as_ptr()
        };
        // SAFETY: both blocks hold what is kept; the old one is ours.
        unsafe {
            if keep > 0 {
                fresh.copy_from_nonoverlapping(self.data.get(), keep);
            }
            if self.capacity.get() != 0 {
                vm.heap.free_raw(self.data.get(), self.capacity.get());
            }
        }
        self.data.set(fresh);
        self.capacity.set(capacity);
        Ok(())
    }
    /// Puts bytes, which are no part of the array, in the place of others.
    pub(super) fn splice(
        &self,
        vm: Vm,
        start: usize,
        end: usize,
        new: &[u8],
    ) -> Result<(), Raised> {
        let (length, removed) = (self.len(), end - start);
        let grown = (length - removed)
            .checked_add(new.len())
            .ok_or_else(|| vm.no_memory())?;
        self.may_resize(vm, grown)?;
        if grown > length {
            self.resize(vm, grown)?;
            self.contents_mut()
                .copy_within(end..length, start + new.len());
        } else {
            self.contents_mut()
                .copy_within(end..length, start + new.len());
            self.resize(vm, grown)?;
        }
        self.contents_mut()[start..start + new.len()].copy_from_slice(new);
        Ok(())
    }
}

impl Vm {
    /// An array with these bytes (`PyByteArray_FromStringAndSize`).
    pub fn new_bytearray(self, data: &[u8]) -> PyResult {
        let array = alloc(self, self.types.bytearray)?;
        of(array.as_word()).resize(self, data.len())?;
        of(array.as_word()).contents_mut().copy_from_slice(data);
        Ok(array)
    }
}

fn alloc(vm: Vm, ty: *mut TypeObject) -> PyResult {
    // SAFETY: the type is laid out so; all fields are written.
    unsafe {
        let array = vm.alloc_instance::<ByteArrayObject>(ty, size_of::<ByteArrayObject>())?;
        (*array).data = Cell::new(null_mut());
        (*array).length = Cell::new(0);
        (*array).capacity = Cell::new(0);
        (*array).exports = Cell::new(0);
        Ok(Owned::from_raw(array))
    }
}
fn new(vm: Vm, ty: *mut TypeObject, _: &[Word], _: Option<Word>) -> PyResult {
    alloc(vm, ty)
}

static INIT: Signature<3> = Signature::new("bytearray", ["source", "encoding", "errors"], 0);

fn init(vm: Vm, this: Word, args: &[Word], kwnames: Option<Word>) -> Result<(), Raised> {
    let [source, encoding, errors] = INIT.unpack(vm, args, kwnames)?;
    codecs::check_names(vm, "bytearray", encoding, errors)?;
    let own = of(this);
    own.resize(vm, 0)?;
    let Some(source) = source else {
        if encoding.is_some() || errors.is_some() {
            let given = if encoding.is_some() {
                "encoding"
            } else {
                "errors"
            };
            return Err(vm.type_error(format!("{given} without a string argument")));
        }
        return Ok(());
    };
    if str::is_str(source) {
        if encoding.is_none() {
            return Err(vm.type_error("string argument without an encoding"));
        }
        let encoded = codecs::encode(vm, source, encoding, errors)?;
        return own.splice(vm, 0, own.len(), bytes::contents(encoded.as_word()));
    }
    if encoding.is_some() || errors.is_some() {
        let given = if encoding.is_some() {
            "encoding"
        } else {
            "errors"
        };
        return Err(vm.type_error(format!("{given} without a string argument")));
    }
    if number::is_index(vm, source) {
        return match usize::try_from(number::index_isize(vm, source)?) {
            Ok(count) => own.resize(vm, count),
            Err(_) => Err(vm.value_error("negative count")),
        };
    }
    let data = bytes_of(vm, source, |vm| {
        format!(
            "cannot convert '{}' object to bytearray",
            vm.type_name(source)
        )
    })?;
    own.splice(vm, 0, own.len(), &data)
}

/// A copy of something bytes-like, or the bytes that an iterable gives.
pub(super) fn bytes_of(
    vm: Vm,
    source: Word,
    message: impl FnOnce(Vm) -> String,
) -> Result<Vec<u8>, Raised> {
    if bytes::is_bytes_like(source) {
        return copy_of(vm, bytes::contents(source));
    }
    bytes::from_iterable(vm, source, "byte must be in range(0, 256)", message)
}
pub(super) fn copy_of(vm: Vm, data: &[u8]) -> Result<Vec<u8>, Raised> {
    let mut copy = Vec::new();
    if !vm.heap.has_room(data.len()) || copy.try_reserve_exact(data.len()).is_err() {
        return Err(vm.no_memory());
    }
    copy.extend_from_slice(data);
    Ok(copy)
}

// ---- operators

fn repr(vm: Vm, word: Word) -> PyResult {
    // SAFETY: types are live as long as an instance.
    let name = unsafe { (*vm.type_of(word)).name_string() };
    let mut writer = StrWriter::new(vm);
    writer.push_str(&name)?;
    writer.push(0x28)?;
    push_literal(&mut writer, of(word).contents())?;
    writer.push(0x29)?;
    writer.finish()
}
/// As a literal of bytes, but with a backslash before every single quote.
fn push_literal(writer: &mut StrWriter, data: &[u8]) -> Result<(), Raised> {
    let mut start = 0;
    let mut plain = StrWriter::new(writer.vm());
    bytes::push_repr(&mut plain, data)?;
    let chars = plain.chars();
    if chars.at(1) == 0x22 {
        for index in 0..chars.len() {
            if chars.at(index) == 0x27 {
                writer.push_chars(chars.slice(start, index))?;
                writer.push(0x5c)?;
                start = index;
            }
        }
    }
    writer.push_chars(chars.slice(start, chars.len()))
}
fn compare(_: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !bytes::is_bytes_like(a) || !bytes::is_bytes_like(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    Ok(Owned::bool(
        op.holds(bytes::contents(a).cmp(bytes::contents(b))),
    ))
}
fn get_item(vm: Vm, word: Word, key: Word) -> PyResult {
    let own = of(word);
    if number::is_index(vm, key) {
        let index = place(vm, own, key)?;
        return Ok(Owned::small_int(i64::from(own.contents()[index])));
    }
    let selection = select(vm, own, key)?;
    let data = own.contents();
    let picked: Vec<u8> = selection.indices().map(|index| data[index]).collect();
    vm.new_bytearray(&picked)
}
fn place(vm: Vm, own: &ByteArrayObject, key: Word) -> Result<usize, Raised> {
    let index = number::index_for_subscript(vm, key)?;
    sequence::wrap_index(index, own.len())
        .ok_or_else(|| vm.index_error("bytearray index out of range"))
}
fn select(vm: Vm, own: &ByteArrayObject, key: Word) -> Result<Selection, Raised> {
    if !slice::is_slice(key) {
        return Err(vm.type_error(format!(
            "bytearray indices must be integers or slices, not {}",
            vm.type_name(key)
        )));
    }
    // The bounds may run code that changes the length.
    let bounds = slice::unpack(vm, key)?;
    Ok(slice::adjust(bounds, own.len()))
}
fn set_item(vm: Vm, word: Word, key: Word, value: Option<Word>) -> Result<(), Raised> {
    let own = of(word);
    if number::is_index(vm, key) {
        let index = place(vm, own, key)?;
        return match value {
            None => own.splice(vm, index, index + 1, &[]),
            Some(value) => {
                let value = byte(vm, value, "byte must be in range(0, 256)")?;
                let index = place(vm, own, key)?;
                own.contents_mut()[index] = value;
                Ok(())
            }
        };
    }
    if !slice::is_slice(key) {
        select(vm, own, key)?;
    }
    let new = match value {
        None => Vec::new(),
        Some(value) => {
            if number::is_index(vm, value) {
                return Err(vm.type_error(ASSIGNED));
            }
            bytes_of(vm, value, |_| ASSIGNED.to_owned())?
        }
    };
    let selection = select(vm, own, key)?;
    if selection.step == 1 {
        let start = selection.start as usize;
        return own.splice(vm, start, start + selection.count, &new);
    }
    if value.is_some() {
        if new.len() != selection.count {
            return Err(vm.value_error(format!(
                "attempt to assign bytes of size {} to extended slice of size {}",
                new.len(),
                selection.count
            )));
        }
        let data = own.contents_mut();
        for (index, byte) in selection.indices().zip(new) {
            data[index] = byte;
        }
        return Ok(());
    }
    own.may_resize(vm, own.len() - selection.count)?;
    let mut gone: Vec<usize> = selection.indices().collect();
    gone.sort_unstable();
    let data = own.contents_mut();
    let (mut to, mut gaps) = (0, gone.iter().peekable());
    for from in 0..data.len() {
        if gaps.next_if(|gap| **gap == from).is_none() {
            data[to] = data[from];
            to += 1;
        }
    }
    own.resize(vm, to)
}
const ASSIGNED: &str = "can assign only bytes, buffers, or iterables of ints in range(0, 256)";

fn contains(vm: Vm, word: Word, part: Word) -> Result<bool, Raised> {
    if number::is_index(vm, part) {
        let value = byte(vm, part, "byte must be in range(0, 256)")?;
        return Ok(of(word).contents().contains(&value));
    }
    if !bytes::is_bytes_like(part) {
        return Err(vm.type_error(format!(
            "a bytes-like object is required, not '{}'",
            vm.type_name(part)
        )));
    }
    Ok(memchr::memmem::find(of(word).contents(), bytes::contents(part)).is_some())
}
fn concat(vm: Vm, a: Word, b: Word) -> PyResult {
    let result = vm.new_bytearray(of(a).contents())?;
    inplace_concat(vm, result.as_word(), b)
}
fn inplace_concat(vm: Vm, a: Word, b: Word) -> PyResult {
    if !bytes::is_bytes_like(b) {
        return Err(vm.type_error(format!(
            "can't concat {} to {}",
            vm.type_name(b),
            vm.type_name(a)
        )));
    }
    if a.is(b) && of(b).len() > 0 {
        // CPython looks at the operand while the array grows.
        return Err(vm.raise(
            vm.exc.BufferError,
            "Existing exports of data: object cannot be re-sized",
        ));
    }
    let (own, data) = (of(a), copy_of(vm, bytes::contents(b))?);
    own.splice(vm, own.len(), own.len(), &data)?;
    Ok(Owned::new_ref(a))
}
fn repeat(vm: Vm, word: Word, count: isize) -> PyResult {
    let result = vm.new_bytearray(of(word).contents())?;
    inplace_repeat(vm, result.as_word(), count)
}
fn inplace_repeat(vm: Vm, word: Word, count: isize) -> PyResult {
    let own = of(word);
    let once = own.len();
    let length = once
        .checked_mul(count.max(0) as usize)
        .filter(|&length| length <= isize::MAX as usize)
        .ok_or_else(|| vm.no_memory())?;
    own.resize(vm, length)?;
    if once > 0 {
        let data = own.contents_mut();
        for start in (once..length).step_by(once) {
            data.copy_within(..once, start);
        }
    }
    Ok(Owned::new_ref(word))
}

/// `bytearray % o`.
fn remainder(vm: Vm, a: Word, b: Word) -> PyResult {
    if !is_bytearray(a) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let format = copy_of(vm, of(a).contents())?;
    vm.new_bytearray(&super::percent::format_bytes(vm, &format, b)?)
}

fn buffer(word: Word) -> super::memoryview::Buffer {
    let own = of(word);
    super::memoryview::Buffer {
        data: own.data.get(),
        length: own.len(),
        readonly: false,
        format: b'B',
        item: 1,
        exports: &raw const own.exports,
    }
}

/// # Safety
/// As [`super::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let array = &*(object as *mut ByteArrayObject);
        if array.capacity.get() != 0 {
            vm.heap.free_raw(array.data.get(), array.capacity.get());
        }
        vm.free(object);
    }
}

pub(super) const fn spec() -> TypeSpec {
    TypeSpec {
        flags: type_flag::BASETYPE | type_flag::MATCH_SELF,
        methods: methods::METHODS,
        ..TypeSpec::new::<ByteArrayObject>(
            "bytearray",
            Kind::BYTEARRAY,
            Slots {
                dealloc,
                repr: Some(repr),
                hash: Some(super::generic_slots::unhashable),
                richcompare: Some(compare),
                iter: Some(bytes::iter),
                len: Some(|_, word| Ok(of(word).len())),
                getitem: Some(get_item),
                setitem: Some(set_item),
                contains: Some(contains),
                concat: Some(concat),
                repeat: Some(repeat),
                nb: {
                    let mut slots = Slots::EMPTY.nb;
                    slots[number::nb::REMAINDER] = Some(remainder);
                    slots
                },
                inplace_concat: Some(inplace_concat),
                inplace_repeat: Some(inplace_repeat),
                buffer: Some(buffer),
                init: Some(init),
                new: Some(new),
                ..Slots::EMPTY
            },
        )
    }
}
