//! `str`: one, two or four bytes a character, chosen by the largest (PEP 393); lone surrogates are characters.
//! This file has the layout, creation, hashing, interning, comparison and concatenation. Methods are in
//! `str_methods.rs`, searching in `str_search.rs`, building piece by piece in `str_writer.rs`.

pub(super) use super::chars::with_units;
pub use super::chars::{Chars, CodeUnit, width_for};
use super::header::{Header, Kind, Object};
use super::heap::MAX_SMALL;
use super::owned::{Owned, PyResult, Raised};
use super::short::equal_bytes;
pub(super) use super::short::{copy_bytes, copy_chars};
use super::types::CompareOp;
use super::vm::Vm;
use super::word::Word;
use hashbrown::HashTable;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;

/// `PyUnicodeObject`. `header.extra` holds the flags below; characters follow the fixed part.
#[repr(C)]
pub struct StrObject {
    pub header: Header,
    /// In characters.
    pub length: usize,
    /// -1 until computed.
    pub hash: Cell<i64>,
    data: [u32; 0],
}

/// Mask of the width: 0, 1, 2 for 1, 2, 4 bytes a character.
pub const WIDTH: u16 = 3;
/// All characters below 128.
pub const ASCII: u16 = 4;
/// In the intern table, which holds no count.
pub const INTERNED: u16 = 8;

/// Offset of the first character.
pub const DATA_OFFSET: usize = size_of::<StrObject>();
const _: () = assert!(DATA_OFFSET == 32 && std::mem::offset_of!(StrObject, length) == 16);

/// The largest character of all.
pub const MAX_CHAR: u32 = 0x10_ffff;

impl StrObject {
    #[inline(always)]
    pub fn width(&self) -> u16 {
        self.header.extra.get() & WIDTH
    }
    #[inline(always)]
    pub fn is_ascii(&self) -> bool {
        self.header.extra.get() & ASCII != 0
    }
    #[inline(always)]
    pub fn data(&self) -> *mut u8 {
        (&raw const *self as *mut u8).wrapping_add(DATA_OFFSET)
    }
    #[inline(always)]
    pub fn byte_length(&self) -> usize {
        self.length << self.width()
    }
    fn bytes(&self) -> &[u8] {
        // SAFETY: the characters lie behind the fixed part, in the same block.
        unsafe { std::slice::from_raw_parts((*self).data(), self.byte_length()) }
    }
    #[inline]
    pub fn chars(&self) -> Chars<'_> {
        let data = self.data();
        // SAFETY: as for `bytes`; the block is aligned to 16.
        unsafe {
            match self.width() {
                0 => Chars::One(std::slice::from_raw_parts(data, self.length)),
                1 => Chars::Two(std::slice::from_raw_parts(data.cast(), self.length)),
                _ => Chars::Four(std::slice::from_raw_parts(data.cast(), self.length)),
            }
        }
    }
}

/// Whether a value is a `str` or of a subclass.
#[inline(always)]
pub fn is_str(word: Word) -> bool {
    word.is_instance(Kind::STR)
}
/// The object behind a word known to be a string.
#[inline(always)]
pub fn object<'a>(word: Word) -> &'a StrObject {
    debug_assert!(is_str(word));
    // SAFETY: contract of Word; a string's characters never change while anyone else sees it.
    unsafe { &*word.cast::<StrObject>() }
}
/// The characters of a word known to be a string.
#[inline(always)]
pub fn chars<'a>(word: Word) -> Chars<'a> {
    object(word).chars()
}
/// The text of an ASCII string.
#[inline]
pub fn as_ascii<'a>(word: Word) -> Option<&'a str> {
    let string = object(word);
    // SAFETY: ASCII is UTF-8.
    string
        .is_ascii()
        .then(|| unsafe { std::str::from_utf8_unchecked(string.bytes()) })
}
/// The string as Rust text, lone surrogates replaced: for messages.
pub fn to_string_lossy(word: Word) -> String {
    match as_ascii(word) {
        Some(text) => text.to_owned(),
        None => chars(word)
            .iter()
            .map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect(),
    }
}
/// The string as Rust text if it has no lone surrogates.
pub fn to_utf8(word: Word) -> Option<String> {
    match as_ascii(word) {
        Some(text) => Some(text.to_owned()),
        None => chars(word).iter().map(char::from_u32).collect(),
    }
}
/// Whether the string equals this text.
pub fn equals(word: Word, text: &str) -> bool {
    match as_ascii(word) {
        Some(own) => own == text,
        None => chars(word).iter().eq(text.chars().map(u32::from)),
    }
}
#[inline(always)]
pub fn is_interned(word: Word) -> bool {
    object(word).header.extra.get() & INTERNED != 0
}

/// Characters of an ASCII string in a small block.
const MAX_SHORT: usize = MAX_SMALL.saturating_sub(DATA_OFFSET);

/// Bytes of a string's block.
fn block_size(length: usize, width: u16) -> Option<usize> {
    length.checked_mul(1 << width)?.checked_add(DATA_OFFSET)
}

impl Vm {
    /// A string of `length` characters for the caller to fill, wide enough for `max` and so flagged. The caller must
    /// write every character, and one so large that no narrower width would do (`PyUnicode_New`).
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub(super) fn alloc_str(self, length: usize, max: u32) -> Result<*mut StrObject, Raised> {
        if max < 0x80 && length <= MAX_SHORT {
            return self.alloc_ascii(length);
        }
        let width = width_for(max);
        let size = block_size(length, width).ok_or_else(|| self.no_memory())?;
        // SAFETY: str is laid out as StrObject with characters behind.
        unsafe {
            let string = self.alloc_sized::<StrObject>(self.types.str, size)?;
            (*string)
                .header
                .extra
                .set(width | if max < 0x80 { ASCII } else { 0 });
            (*string).length = length;
            (*string).hash = Cell::new(-1);
            Ok(string)
        }
    }
    /// An ASCII string of `length` characters for the caller to fill.
    #[inline]
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub(super) fn alloc_ascii(self, length: usize) -> Result<*mut StrObject, Raised> {
        if length > MAX_SHORT {
            return self.alloc_str(length, 0x7f);
        }
        // SAFETY: as for `alloc_str`.
        unsafe {
            let string = self.alloc_sized::<StrObject>(self.types.str, DATA_OFFSET + length)?;
            (*string).header.extra.set(ASCII);
            (*string).length = length;
            (*string).hash = Cell::new(-1);
            Ok(string)
        }
    }
    /// The characters of a string from `start` to `end` as an exact string (`PyUnicode_Substring`).
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub fn substring(self, word: Word, start: usize, end: usize) -> PyResult {
        let string = object(word);
        if !string.is_ascii() || end - start < 2 {
            return self.str_from_chars(string.chars().slice(start, end));
        }
        debug_assert!(end <= string.length);
        let part = self.alloc_ascii(end - start)?;
        // SAFETY: allocated with room for this part of an ASCII string.
        unsafe {
            copy_bytes(string.data().add(start), (*part).data(), end - start);
            Ok(Owned::from_raw(part))
        }
    }
    /// A string of these characters, narrowed to what they need.
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub fn str_from_chars(self, chars: Chars<'_>) -> PyResult {
        match chars.len() {
            0 => return Ok(self.empty_string()),
            1 => return self.str_from_char(chars.at(0)),
            _ => {}
        }
        let max = chars.max();
        let string = self.alloc_str(chars.len(), max)?;
        // SAFETY: just allocated with room for these characters at this width.
        unsafe {
            copy_chars(chars, (*string).data(), width_for(max));
            Ok(Owned::from_raw(string))
        }
    }
    /// A string of one character, a Latin-1 one shared (`unicode_char`).
    #[inline]
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub fn str_from_char(self, c: u32) -> PyResult {
        if c < 256 {
            return Ok(Owned::new_ref(self.latin1[c as usize]));
        }
        let string = self.alloc_str(1, c)?;
        // SAFETY: just allocated with room for one character.
        unsafe {
            copy_chars(Chars::Four(&[c]), (*string).data(), width_for(c));
            Ok(Owned::from_raw(string))
        }
    }
    /// A string of Rust text.
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub fn new_str(self, text: &str) -> PyResult {
        if text.is_ascii() {
            return self.str_from_chars(Chars::One(text.as_bytes()));
        }
        let mut points = Vec::new();
        points
            .try_reserve_exact(text.len())
            .map_err(|_| self.no_memory())?;
        points.extend(text.chars().map(u32::from));
        self.str_from_chars(Chars::Four(&points))
    }
    /// A string of text in generalised UTF-8, in which a lone surrogate is its three-byte form.
    pub fn str_from_wtf8(self, text: &[u8]) -> PyResult {
        if let Ok(text) = std::str::from_utf8(text) {
            return self.new_str(text);
        }
        let mut points = Vec::new();
        points
            .try_reserve_exact(text.len())
            .map_err(|_| self.no_memory())?;
        let mut rest = text.iter().map(|&b| u32::from(b));
        while let Some(first) = rest.next() {
            let more = match first {
                0..0x80 => 0,
                0x80..0xe0 => 1,
                0xe0..0xf0 => 2,
                _ => 3,
            };
            let mut point = first & (0x7f >> (more + u32::from(more > 0)));
            for _ in 0..more {
                point = point << 6 | (rest.next().unwrap_or(0) & 0x3f);
            }
            points.push(point.min(MAX_CHAR));
        }
        self.str_from_chars(Chars::Four(&points))
    }
    #[inline]
    pub fn empty_string(self) -> Owned {
        Owned::new_ref(self.empty_str)
    }

    /// The interned string equal to this one (`PyUnicode_InternInPlace`). A str subclass is copied first.
    pub fn intern(self, word: Word) -> PyResult {
        let string = if word.is_exact(Kind::STR) {
            Owned::new_ref(word)
        } else {
            self.str_from_chars_exact(chars(word))?
        };
        if is_interned(string.as_word()) {
            return Ok(string);
        }
        let hash = hash(self, string.as_word()) as u64;
        let mut table = self.interned.0.borrow_mut();
        // SAFETY: strings in the table are live: dealloc takes them out.
        let found = table.find(hash, |&other| unsafe {
            (*other).chars_equal(object(string.as_word()))
        });
        if let Some(&found) = found {
            return Ok(unsafe { Owned::from_borrowed(found) });
        }
        if table
            .try_reserve(1, |&other| unsafe { (*other).hash.get() as u64 })
            .is_err()
        {
            return Err(self.no_memory());
        }
        let header = &object(string.as_word()).header;
        header.extra.set(header.extra.get() | INTERNED);
        table.insert_unique(hash, string.as_ptr(), |&other| unsafe {
            (*other).hash.get() as u64
        });
        Ok(string)
    }
    /// The interned string of this text.
    pub fn intern_str(self, text: &str) -> PyResult {
        if text.is_ascii() {
            let hash = super::hash::hash_bytes(self, text.as_bytes());
            // SAFETY: strings in the table are live: dealloc takes them out.
            let found = self
                .interned
                .0
                .borrow()
                .find(hash as u64, |&other| unsafe {
                    (*other).is_ascii() && (*other).bytes() == text.as_bytes()
                })
                .copied();
            if let Some(found) = found {
                return Ok(unsafe { Owned::from_borrowed(found) });
            }
            let string = self.new_str(text)?;
            object(string.as_word()).hash.set(hash);
            return self.intern(string.as_word());
        }
        let string = self.new_str(text)?;
        self.intern(string.as_word())
    }
    pub(super) fn intern_static(self, text: &str) -> Option<Owned> {
        self.intern_str(text).ok()
    }
    /// A new string even of one or no character.
    #[cfg_attr(feature = "stackref-debug", track_caller)]
    pub(super) fn str_from_chars_exact(self, chars: Chars<'_>) -> PyResult {
        let max = chars.max();
        let string = self.alloc_str(chars.len(), max)?;
        // SAFETY: just allocated with room for these characters.
        unsafe {
            copy_chars(chars, (*string).data(), width_for(max));
            Ok(Owned::from_raw(string))
        }
    }
}

impl StrObject {
    #[inline]
    fn chars_equal(&self, other: &StrObject) -> bool {
        // Strings are as narrow as can be, so equal ones have the same width.
        self.length == other.length
            && self.width() == other.width()
            // SAFETY: both have so many bytes.
            && unsafe { equal_bytes(self.data(), other.data(), self.byte_length()) }
    }
}

/// Strings that exist once, found by content (`interp->cached_objects.interned_strings`).
pub(super) struct Interned(RefCell<HashTable<*mut StrObject>>);

impl Interned {
    pub(super) const fn new() -> Interned {
        Interned(RefCell::new(HashTable::new()))
    }
}

/// `hash(s)`, computed once (`unicode_hash`).
#[inline]
pub fn hash(vm: Vm, word: Word) -> i64 {
    let string = object(word);
    let hash = string.hash.get();
    if hash != -1 {
        return hash;
    }
    let hash = super::hash::hash_bytes(vm, string.bytes());
    string.hash.set(hash);
    hash
}

/// `a == b` for two strings (`_PyUnicode_Equal`).
#[inline]
pub fn equal(a: Word, b: Word) -> bool {
    let (a, b) = (object(a), object(b));
    std::ptr::eq(a, b) || a.chars_equal(b)
}

/// Order by code point (`unicode_compare`).
pub fn compare(a: Word, b: Word) -> Ordering {
    match (chars(a), chars(b)) {
        (Chars::One(a), Chars::One(b)) => a.cmp(b),
        (a, b) => a.iter().cmp(b.iter()),
    }
}

pub(super) fn richcompare(_: Vm, a: Word, b: Word, op: CompareOp) -> PyResult {
    if !is_str(a) || !is_str(b) {
        return Ok(Owned::NOT_IMPLEMENTED);
    }
    Ok(Owned::bool(match op {
        CompareOp::Eq => equal(a, b),
        CompareOp::Ne => !equal(a, b),
        _ => op.holds(compare(a, b)),
    }))
}

impl CompareOp {
    /// Whether an ordering answers the question.
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            CompareOp::Lt => ordering.is_lt(),
            CompareOp::Le => ordering.is_le(),
            CompareOp::Eq => ordering.is_eq(),
            CompareOp::Ne => ordering.is_ne(),
            CompareOp::Gt => ordering.is_gt(),
            CompareOp::Ge => ordering.is_ge(),
        }
    }
    /// The question with its operands exchanged (`_Py_SwappedOp`).
    pub fn swapped(self) -> CompareOp {
        match self {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
            other => other,
        }
    }
    /// The operator's text.
    pub fn symbol(self) -> &'static str {
        ["<", "<=", "==", "!=", ">", ">="][self as usize]
    }
}

/// `a + b` of two strings (`PyUnicode_Concat`).
pub fn concat(vm: Vm, a: Word, b: Word) -> PyResult {
    let (left, right) = (object(a), object(b));
    if left.length == 0 && b.is_exact(Kind::STR) {
        return Ok(Owned::new_ref(b));
    }
    if right.length == 0 && a.is_exact(Kind::STR) {
        return Ok(Owned::new_ref(a));
    }
    let length = left
        .length
        .checked_add(right.length)
        .ok_or_else(|| vm.no_memory())?;
    let string = vm.alloc_str(length, flag_max(left).max(flag_max(right)))?;
    // SAFETY: allocated with room for both at the wider width.
    unsafe {
        let width = (*string).width();
        copy_chars(left.chars(), (*string).data(), width);
        copy_chars(
            right.chars(),
            (*string).data().add(left.length << width),
            width,
        );
        Ok(Owned::from_raw(string))
    }
}

/// Strings one after another, made at once (`_PyUnicode_JoinArray` with an empty separator).
pub fn concat_all(vm: Vm, pieces: &[Word]) -> PyResult {
    let mut length = 0usize;
    let mut max = 0;
    for piece in pieces {
        let piece = object(*piece);
        if piece.length != 0 {
            length = length
                .checked_add(piece.length)
                .ok_or_else(|| vm.no_memory())?;
            max = max.max(flag_max(piece));
        }
    }
    if length == 0 {
        return Ok(vm.empty_string());
    }
    let string = vm.alloc_str(length, max)?;
    // SAFETY: allocated with room for all at the widest width.
    unsafe {
        let width = (*string).width();
        let mut to = (*string).data();
        for piece in pieces {
            let piece = object(*piece);
            copy_chars(piece.chars(), to, width);
            to = to.add(piece.length << width);
        }
        Ok(Owned::from_raw(string))
    }
}

/// Some character as large as the flags allow (`PyUnicode_MAX_CHAR_VALUE`).
pub(super) fn flag_max(string: &StrObject) -> u32 {
    match (string.is_ascii(), string.width()) {
        (true, _) => 0x7f,
        (_, 0) => 0xff,
        (_, 1) => 0xffff,
        _ => MAX_CHAR,
    }
}

/// `a += b` where `a` is an owned temporary: in place when nobody else has it (`PyUnicode_Append`).
///
/// # Safety
/// Contract of [`Word`]; consumes `a`, which is an exact str, and borrows `b`, a str.
pub unsafe fn append(vm: Vm, a: Word, b: Word) -> PyResult {
    unsafe {
        let left = a.cast::<StrObject>();
        let right = object(b);
        let flags = (*left).header.extra.get();
        let can_grow = a.is_owned()
            && (*left).header.refcount.get() == 1
            && flags & INTERNED == 0
            && (*left).length != 0
            && right.width() <= (*left).width()
            && (right.is_ascii() || flags & ASCII == 0)
            && !(*left)
                .header
                .has_flag(super::header::flag::WEAK_REFERENCED);
        if !can_grow {
            let sum = concat(vm, a, b);
            a.close();
            return sum;
        }
        let width = (*left).width();
        let (old_length, added) = ((*left).length, right.length);
        let old_size = DATA_OFFSET + (old_length << width);
        let new_size = old_length
            .checked_add(added)
            .and_then(|length| block_size(length, width));
        let grown = new_size.and_then(|size| {
            // Room to spare, so that a loop of appends moves the text now and then only.
            let spare = if size > MAX_SMALL { size / 8 } else { 0 };
            vm.heap
                .realloc_object(left.cast(), old_size, size.saturating_add(spare))
        });
        let Some(grown) = grown else {
            a.close();
            return Err(vm.no_memory());
        };
        let grown = grown.cast::<StrObject>().as_ptr();
        copy_chars(
            right.chars(),
            (*grown).data().add(old_length << width),
            width,
        );
        (*grown).length = old_length + added;
        (*grown).hash.set(-1);
        Ok(Owned::from_raw(grown))
    }
}

/// # Safety
/// As [`super::header::dealloc`].
pub(super) unsafe fn str_dealloc(vm: Vm, object: *mut Object) {
    unsafe {
        let string = object as *mut StrObject;
        if (*string).header.extra.get() & INTERNED != 0 {
            let mut table = vm.interned.0.borrow_mut();
            if let Ok(entry) =
                table.find_entry((*string).hash.get() as u64, |&other| other == string)
            {
                entry.remove();
            }
        }
        vm.free(object);
    }
}

/// An instance of a str subclass with this text.
///
/// # Safety
/// `ty` is a subclass of `str`.
pub(super) unsafe fn new_subclass(
    vm: Vm,
    ty: *mut super::types::TypeObject,
    text: Word,
) -> PyResult {
    let from = object(text);
    unsafe {
        let string = vm.alloc_instance::<StrObject>(ty, DATA_OFFSET + from.byte_length())?;
        (*string)
            .header
            .extra
            .set(from.header.extra.get() & (WIDTH | ASCII));
        (*string).length = from.length;
        (*string).hash = Cell::new(from.hash.get());
        copy_chars(from.chars(), (*string).data(), from.width());
        Ok(Owned::from_raw(string))
    }
}
