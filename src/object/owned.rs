//! `Owned`: a counted reference for native code, released by `Drop`. Never used in an opcode's fast path.

use super::header::Object;
use super::word::Word;
use std::marker::PhantomData;

/// What a native function returns when it raised: the exception is the VM's current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raised;

/// A new reference, or an exception. One register: zero is `Err`.
pub type PyResult = Result<Owned, Raised>;

/// One counted reference (or an immediate), as an owned temporary.
#[repr(transparent)]
#[must_use]
pub struct Owned(Word, PhantomData<*mut Object>);

impl Owned {
    pub const NONE: Owned = Owned(Word::NONE, PhantomData);
    pub const TRUE: Owned = Owned(Word::TRUE, PhantomData);
    pub const FALSE: Owned = Owned(Word::FALSE, PhantomData);
    pub const NOT_IMPLEMENTED: Owned = Owned(Word::NOT_IMPLEMENTED, PhantomData);

    /// Takes over the count of an owned temporary; counts a borrowed word anew.
    #[inline(always)]
    #[track_caller]
    pub fn from_word(word: Word) -> Owned {
        // SAFETY: contract of Word.
        Owned(unsafe { word.steal() }, PhantomData)
    }
    /// A new reference to what `word` stands for, whatever its pattern (`Py_NewRef`).
    #[inline(always)]
    #[track_caller]
    pub fn new_ref(word: Word) -> Owned {
        // SAFETY: contract of Word.
        Owned(unsafe { word.dup() }, PhantomData)
    }
    /// Takes over a count that the caller holds of `object`.
    ///
    /// # Safety
    /// Contract of [`Word`].
    #[inline(always)]
    #[track_caller]
    pub unsafe fn from_raw<T>(object: *mut T) -> Owned {
        Owned(unsafe { Word::from_owned(object) }, PhantomData)
    }
    /// A new reference to a live object.
    ///
    /// # Safety
    /// Contract of [`Word`].
    #[inline(always)]
    #[track_caller]
    pub unsafe fn from_borrowed<T>(object: *mut T) -> Owned {
        Owned::new_ref(unsafe { Word::from_borrowed(object) })
    }
    /// Takes over the count of a slot's word.
    ///
    /// # Safety
    /// Contract of [`Word`]: the slot is overwritten or gone.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn from_slot(word: Word) -> Owned {
        Owned(unsafe { word.take_slot() }, PhantomData)
    }
    #[inline(always)]
    pub fn bool(value: bool) -> Owned {
        Owned(Word::bool(value), PhantomData)
    }
    /// An immediate int of at most 62 bits.
    #[inline(always)]
    pub fn small_int(value: i64) -> Owned {
        debug_assert!(Word::int(value).is_some());
        Owned(Word::int_unchecked(value), PhantomData)
    }
    /// The owned temporary, which the caller must now consume.
    #[inline(always)]
    pub fn into_word(self) -> Word {
        let word = self.0;
        std::mem::forget(self);
        word
    }
    /// The slot's word, with the count in it.
    #[inline(always)]
    pub fn into_slot(self) -> Word {
        // SAFETY: an owned temporary, consumed here.
        unsafe { self.into_word().to_slot() }
    }
    /// A borrowed word, good while `self` lives.
    /// The words of a row of references.
    #[inline(always)]
    pub fn words(row: &[Owned]) -> &[Word] {
        // SAFETY: `Owned` is a `Word` and nothing else.
        unsafe { std::slice::from_raw_parts(row.as_ptr().cast(), row.len()) }
    }
    #[inline(always)]
    pub fn as_word(&self) -> Word {
        self.0.borrow()
    }
    /// The object of a reference that is no immediate.
    #[inline(always)]
    pub fn as_ptr<T>(&self) -> *mut T {
        debug_assert!(self.0.is_pointer());
        self.0.cast()
    }
    /// The object, whose count the caller takes over.
    #[inline(always)]
    pub fn into_ptr(self) -> *mut Object {
        self.into_word().object()
    }
}

impl Drop for Owned {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: an owned temporary or an immediate, not used again.
        unsafe { self.0.close() }
    }
}

impl Clone for Owned {
    #[inline(always)]
    fn clone(&self) -> Owned {
        Owned::new_ref(self.0)
    }
}

impl std::fmt::Debug for Owned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

const _: () = assert!(size_of::<PyResult>() == 8 && size_of::<Option<Owned>>() == 8);
