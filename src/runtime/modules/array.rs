//! `array` (`arraymodule.c`): numbers of one kind, side by side. Its methods are in `array_methods.rs`.

use super::array_methods as methods;
use super::record::{self, held, place_ref, record};
use super::{add_type, set, with_functions};
use crate::object::memoryview::Buffer;
use crate::object::types::{CompareOp, HashFn, Slots, type_flag};
use crate::object::{
    Header, Kind, Object, Owned, PyResult, Raised, TypeObject, TypeSpec, Vm, Word, bytes, float,
    int, number, protocol, sequence, str,
};
use crate::runtime::thread::Thread;
use num_bigint::BigInt;
use std::cell::Cell;

/// What an item is, by its type code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Code(pub(super) u8);

#[repr(C)]
pub(super) struct Array {
    header: Header,
    pub(super) code: Code,
    data: Cell<*mut u8>,
    /// In items, as `capacity`.
    length: Cell<usize>,
    capacity: Cell<usize>,
    /// Views of the items, which stay where they are meanwhile.
    exports: Cell<usize>,
}

impl Code {
    pub(super) fn of_char(c: u32) -> Option<Code> {
        let code = u8::try_from(c).ok()?;
        b"bBuwhHiIlLqQfd".contains(&code).then_some(Code(code))
    }
    pub(super) fn size(self) -> usize {
        match self.0 {
            b'b' | b'B' => 1,
            b'h' | b'H' => 2,
            b'i' | b'I' | b'f' | b'u' | b'w' => 4,
            _ => 8,
        }
    }
    pub(super) fn is_text(self) -> bool {
        matches!(self.0, b'u' | b'w')
    }
    /// Least and largest value of an integer code, and the name in messages.
    fn range(self) -> Option<(i128, i128, &'static str)> {
        Some(match self.0 {
            b'b' => (i8::MIN as i128, i8::MAX as i128, "signed char"),
            b'B' => (0, u8::MAX as i128, "unsigned byte integer"),
            b'h' => (i16::MIN as i128, i16::MAX as i128, "signed short integer"),
            b'H' => (0, u16::MAX as i128, "unsigned short"),
            b'i' => (i32::MIN as i128, i32::MAX as i128, "signed integer"),
            b'I' => (0, u32::MAX as i128, "unsigned int"),
            b'l' | b'q' => (i64::MIN as i128, i64::MAX as i128, "signed long"),
            b'L' | b'Q' => (0, u64::MAX as i128, "unsigned long"),
            _ => return None,
        })
    }

    /// The bytes of a value, in the first `size` of the answer.
    pub(super) fn encode(self, vm: Vm, value: Word) -> Result<[u8; 8], Raised> {
        let mut bytes = [0; 8];
        match self.0 {
            b'd' => {
                let value = float_of(vm, value)?;
                bytes = value.to_ne_bytes();
            }
            b'f' => {
                let value = float_of(vm, value)? as f32;
                bytes[..4].copy_from_slice(&value.to_ne_bytes());
            }
            b'u' | b'w' => {
                let chars = if str::is_str(value) {
                    str::chars(value)
                } else {
                    return Err(vm.type_error(format!(
                        "array item must be a unicode character, not {}",
                        vm.type_name(value)
                    )));
                };
                if chars.len() != 1 {
                    return Err(vm.type_error(format!(
                        "array item must be a string of length 1, not a string of length {}",
                        chars.len()
                    )));
                }
                bytes[..4].copy_from_slice(&chars.at(0).to_ne_bytes());
            }
            _ => {
                let value = self.integer(vm, value)?;
                let size = self.size();
                bytes[..size].copy_from_slice(&value.to_le_bytes()[..size]);
            }
        }
        Ok(bytes)
    }
    fn integer(self, vm: Vm, word: Word) -> Result<i128, Raised> {
        if float::value(word).is_some() {
            return Err(vm.type_error(format!(
                "'{}' object cannot be interpreted as an integer",
                vm.type_name(word)
            )));
        }
        let value = number::index(vm, word)?;
        let exact = match int::value(value.as_word()) {
            Some(value) => value.to_i64().map(i128::from).or_else(|| {
                let big = value.to_bigint();
                i128::try_from(&big).ok()
            }),
            None => None,
        };
        let Some((low, high, name)) = self.range() else {
            return Ok(0);
        };
        match exact {
            Some(value) if value < low => {
                Err(self.out_of_range(vm, value, name, "less than minimum"))
            }
            Some(value) if value > high => {
                Err(self.out_of_range(vm, value, name, "greater than maximum"))
            }
            Some(value) => Ok(value),
            None => Err(vm.overflow_error("Python int too large to convert to C long")),
        }
    }
    #[cold]
    fn out_of_range(self, vm: Vm, value: i128, name: &str, how: &str) -> Raised {
        let message = match self.0 {
            b'I' | b'L' if value < 0 => "can't convert negative value to unsigned int",
            b'Q' if value < 0 => "can't convert negative int to unsigned",
            b'q' | b'Q' => "int too big to convert",
            b'l' => "Python int too large to convert to C long",
            b'L' => "Python int too large to convert to C unsigned long",
            _ => return vm.overflow_error(format!("{name} is {how}")),
        };
        vm.overflow_error(message)
    }

    /// The value of an item's bytes.
    pub(super) fn decode(self, vm: Vm, bytes: &[u8]) -> PyResult {
        fn take<const N: usize>(bytes: &[u8]) -> [u8; N] {
            let mut own = [0; N];
            own.copy_from_slice(&bytes[..N]);
            own
        }
        match self.0 {
            b'b' => Ok(Owned::small_int(i64::from(bytes[0] as i8))),
            b'B' => Ok(Owned::small_int(i64::from(bytes[0]))),
            b'h' => Ok(Owned::small_int(i16::from_ne_bytes(take(bytes)).into())),
            b'H' => Ok(Owned::small_int(u16::from_ne_bytes(take(bytes)).into())),
            b'i' => Ok(Owned::small_int(i32::from_ne_bytes(take(bytes)).into())),
            b'I' => Ok(Owned::small_int(u32::from_ne_bytes(take(bytes)).into())),
            b'l' | b'q' => vm.new_int(i64::from_ne_bytes(take(bytes))),
            b'L' | b'Q' => vm.new_bigint(BigInt::from(u64::from_ne_bytes(take(bytes)))),
            b'f' => vm.new_float(f32::from_ne_bytes(take(bytes)).into()),
            b'd' => vm.new_float(f64::from_ne_bytes(take(bytes))),
            _ => vm.str_from_char(u32::from_ne_bytes(take(bytes)).min(0x10_ffff)),
        }
    }
}

fn float_of(vm: Vm, word: Word) -> Result<f64, Raised> {
    match float::value(word) {
        Some(value) => Ok(value),
        None if str::is_str(word) => {
            Err(vm.type_error(format!("must be real number, not {}", vm.type_name(word))))
        }
        None => number::to_float(vm, word),
    }
}

/// The array behind a word known to be one.
pub(super) fn of<'a>(word: Word) -> &'a Array {
    // SAFETY: methods and slots of the type are called with its instances only; fields that change are cells.
    unsafe { &*word.cast::<Array>() }
}
pub(super) fn is_array(vm: Vm, word: Word) -> bool {
    vm.is_instance(word, Thread::of(vm).module_types.array.get())
}

impl Array {
    pub(super) fn len(&self) -> usize {
        self.length.get()
    }
    /// All bytes, for a stretch of code that calls nothing.
    #[expect(
        clippy::mut_from_ref,
        reason = "fields of objects change behind shared references; one slice at a time"
    )]
    pub(super) fn bytes(&self) -> &mut [u8] {
        if self.capacity.get() == 0 {
            return &mut [];
        }
        // SAFETY: the items are initialised; the VM is on one thread, and users keep one slice at a time.
        unsafe { std::slice::from_raw_parts_mut(self.data.get(), self.len() * self.code.size()) }
    }
    pub(super) fn get(&self, vm: Vm, index: usize) -> PyResult {
        let size = self.code.size();
        self.code.decode(vm, &self.bytes()[index * size..])
    }
    /// The value of an item, or None behind the end: the array may have shrunk.
    pub(super) fn item(&self, vm: Vm, index: usize) -> Result<Option<Owned>, Raised> {
        if index < self.len() {
            self.get(vm, index).map(Some)
        } else {
            Ok(None)
        }
    }
    pub(super) fn put(&self, index: usize, value: [u8; 8]) {
        let size = self.code.size();
        self.bytes()[index * size..][..size].copy_from_slice(&value[..size]);
    }
    /// Changes the length; new items are zero.
    pub(super) fn resize(&self, vm: Vm, length: usize) -> Result<(), Raised> {
        let (old, capacity, size) = (self.len(), self.capacity.get(), self.code.size());
        self.may_resize(vm, length)?;
        if length > capacity || length < capacity / 4 {
            let wanted = if length > capacity && capacity > 0 {
                length.checked_add(length / 8 + 8)
            } else {
                Some(length)
            };
            let wanted = wanted.ok_or_else(|| vm.no_memory())?;
            let bytes = wanted.checked_mul(size).ok_or_else(|| vm.no_memory())?;
            let fresh = if bytes == 0 {
                std::ptr::null_mut()
            } else {
                vm.alloc_raw(bytes)?.as_ptr()
            };
            // SAFETY: both blocks hold what is kept; the old one is ours.
            unsafe {
                if old.min(length) > 0 {
                    fresh.copy_from_nonoverlapping(self.data.get(), old.min(length) * size);
                }
                self.free_block(vm);
            }
            self.data.set(fresh);
            self.capacity.set(wanted);
        }
        self.length.set(length);
        if length > old {
            self.bytes()[old * size..].fill(0);
        }
        Ok(())
    }
    fn may_resize(&self, vm: Vm, length: usize) -> Result<(), Raised> {
        if self.exports.get() > 0 && length != self.len() {
            return Err(vm.raise(
                vm.exc.BufferError,
                "cannot resize an array that is exporting buffers",
            ));
        }
        Ok(())
    }
    unsafe fn free_block(&self, vm: Vm) {
        if self.capacity.get() != 0 {
            unsafe {
                vm.heap
                    .free_raw(self.data.get(), self.capacity.get() * self.code.size());
            }
        }
    }
    /// Puts bytes, which are no part of the array, in the place of items.
    pub(super) fn splice(
        &self,
        vm: Vm,
        start: usize,
        end: usize,
        new: &[u8],
    ) -> Result<(), Raised> {
        let size = self.code.size();
        let (length, added) = (self.len(), new.len() / size);
        let grown = (length - (end - start))
            .checked_add(added)
            .ok_or_else(|| vm.no_memory())?;
        self.may_resize(vm, grown)?;
        let tail = end * size..length * size;
        if grown > length {
            self.resize(vm, grown)?;
            self.bytes().copy_within(tail, (start + added) * size);
        } else {
            self.bytes().copy_within(tail, (start + added) * size);
            self.resize(vm, grown)?;
        }
        self.bytes()[start * size..][..new.len()].copy_from_slice(new);
        Ok(())
    }
    pub(super) fn append(&self, vm: Vm, value: Word) -> Result<(), Raised> {
        let value = self.code.encode(vm, value)?;
        let length = self.len();
        self.resize(vm, length + 1)?;
        self.put(length, value);
        Ok(())
    }
    /// Adds all items of an iterable.
    pub(super) fn extend(&self, vm: Vm, iterable: Word) -> Result<(), Raised> {
        if is_array(vm, iterable) {
            let other = of(iterable);
            if other.code != self.code {
                return Err(vm.type_error("can only extend with array of same kind"));
            }
            let copy = other.bytes().to_vec();
            return self.splice(vm, self.len(), self.len(), &copy);
        }
        sequence::for_each(vm, iterable, |item| self.append(vm, item.as_word()))
    }
}

pub(super) fn new_of(vm: Vm, ty: *mut TypeObject, code: Code) -> PyResult {
    // SAFETY: the type is laid out so; everything is written, the header as it was.
    unsafe {
        let array = vm.alloc_instance::<Array>(ty, size_of::<Array>())?;
        let header = std::ptr::read(array.cast::<Header>());
        array.write(Array {
            header,
            code,
            data: Cell::new(std::ptr::null_mut()),
            length: Cell::new(0),
            capacity: Cell::new(0),
            exports: Cell::new(0),
        });
        Ok(Owned::from_raw(array))
    }
}

fn new(vm: Vm, ty: *mut TypeObject, args: &[Word], kwnames: Option<Word>) -> PyResult {
    use crate::object::args;
    if ty == Thread::of(vm).module_types.array.get() {
        args::no_keywords(vm, "array.array", kwnames)?;
    }
    let args = &args[..args.len() - args::keyword_names(kwnames).len()];
    if !(1..=2).contains(&args.len()) {
        let bound = if args.is_empty() {
            "least 1 argument"
        } else {
            "most 2 arguments"
        };
        return Err(vm.type_error(format!("array() takes at {bound} ({} given)", args.len())));
    }
    let text = args[0];
    let valid = str::is_str(text) && str::chars(text).len() == 1;
    if !valid {
        let given = if str::is_str(text) {
            format!("a string of length {}", str::chars(text).len())
        } else {
            vm.argument_type(text)
        };
        return Err(vm.type_error(format!(
            "array() argument 1 must be a unicode character, not {given}"
        )));
    }
    let Some(code) = Code::of_char(str::chars(text).at(0)) else {
        return Err(
            vm.value_error("bad typecode (must be b, B, u, w, h, H, i, I, l, L, q, Q, f or d)")
        );
    };
    let array = new_of(vm, ty, code)?;
    let own = of(array.as_word());
    let Some(source) = args.get(1) else {
        return Ok(array);
    };
    if bytes::is_bytes_like(*source) {
        methods::add_bytes(vm, own, bytes::contents(*source).to_vec())?;
    } else if str::is_str(*source) {
        if !code.is_text() {
            return Err(vm.type_error(format!(
                "cannot use a str to initialize an array with typecode '{}'",
                char::from(code.0)
            )));
        }
        own.extend(vm, *source)?;
    } else if is_array(vm, *source) && of(*source).code != code {
        sequence::for_each(vm, *source, |item| own.append(vm, item.as_word()))?;
    } else {
        own.extend(vm, *source)?;
    }
    Ok(array)
}

fn buffer(this: Word) -> Buffer {
    let own = of(this);
    Buffer {
        data: own.data.get(),
        length: own.len() * own.code.size(),
        readonly: false,
        format: own.code.0,
        item: own.code.size(),
        exports: &raw const own.exports,
    }
}

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "array", &[])?;
    // SAFETY: built-in types live as long as the VM.
    let unhashable: Option<HashFn> = unsafe { (*vm.types.list).slots.hash };
    let spec = TypeSpec {
        flags: type_flag::BASETYPE | type_flag::SEQUENCE | type_flag::WEAKREF,
        methods: &methods::METHODS,
        getset: &methods::GETSET,
        ..TypeSpec::new::<Array>(
            "array.array",
            Kind::OTHER,
            Slots {
                dealloc,
                repr: Some(methods::repr),
                hash: unhashable,
                richcompare: Some(compare),
                iter: Some(iter),
                len: Some(|_, this| Ok(of(this).len())),
                getitem: Some(methods::get_item),
                setitem: Some(methods::set_item),
                contains: Some(|vm, this, value| Ok(methods::find(vm, this, value, 0)?.is_some())),
                concat: Some(methods::concat),
                repeat: Some(methods::repeat),
                inplace_concat: Some(methods::inplace_concat),
                inplace_repeat: Some(methods::inplace_repeat),
                buffer: Some(buffer),
                new: Some(new),
                ..Slots::EMPTY
            },
        )
    };
    let types = &ts.module_types;
    types
        .array
        .set(add_type(vm, Some(&module), &spec, vm.types.object)?);
    // SAFETY: a type just made.
    let class = unsafe { (*types.array.get()).word() };
    set(vm, &module, "ArrayType", class)?;
    types
        .array_iterator
        .set(add_type(vm, None, &iterator_spec(), vm.types.object)?);
    let codes = vm.new_str("bBuwhHiIlLqQfd")?;
    set(vm, &module, "typecodes", codes.as_word())?;
    Ok(module)
}

fn compare(vm: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !is_array(vm, a) || !is_array(vm, b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    let (left, right) = (of(a), of(b));
    if left.len() != right.len() && matches!(op, CompareOp::Eq | CompareOp::Ne) {
        return Ok(Owned::bool(op == CompareOp::Ne));
    }
    for index in 0.. {
        let (Some(x), Some(y)) = (left.item(vm, index)?, right.item(vm, index)?) else {
            break;
        };
        if !protocol::rich_compare_bool(vm, x.as_word(), y.as_word(), CompareOp::Eq)? {
            return protocol::rich_compare(vm, x.as_word(), y.as_word(), op);
        }
    }
    Ok(Owned::bool(op.holds(left.len().cmp(&right.len()))))
}

/// # Safety
/// As [`crate::object::header::dealloc`].
unsafe fn dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        (*object.cast::<Array>()).free_block(vm);
        vm.free(object);
    }
}

// ---- iteration

record! { ArrayIterator { array; index: Cell<usize> } }

fn iterator_spec() -> TypeSpec {
    let (dealloc, traverse, clear) = record::memory_slots::<ArrayIterator>();
    TypeSpec::new::<ArrayIterator>(
        "array.arrayiterator",
        Kind::OTHER,
        Slots {
            dealloc,
            traverse,
            clear,
            iter: Some(|_, this| Ok(Owned::new_ref(this))),
            iternext: Some(next),
            ..Slots::EMPTY
        },
    )
}
fn iter(vm: Vm, this: Word) -> PyResult {
    let ty = Thread::of(vm).module_types.array_iterator.get();
    record::new(vm, ty, |header| ArrayIterator {
        header,
        array: place_ref(this),
        index: Cell::new(0),
    })
}
fn next(vm: Vm, this: Word) -> Result<Option<Owned>, Raised> {
    let this = record::of::<ArrayIterator>(this);
    let Some(array) = held(&this.array) else {
        return Ok(None);
    };
    let item = of(array.as_word()).item(vm, this.index.get())?;
    if item.is_none() {
        record::empty(&this.array);
    }
    this.index.set(this.index.get() + 1);
    Ok(item)
}
