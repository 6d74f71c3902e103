//! Arguments of a call: words in a row, and whether the one before them may be written (`nargsf` of vectorcall).

use super::word::Word;
use std::marker::PhantomData;
use std::ops::Deref;

/// Marks a count: the word before the arguments is the callee's until the call returns
/// (`PY_VECTORCALL_ARGUMENTS_OFFSET`).
const OFFSET: usize = 1 << (usize::BITS - 1);

/// The arguments of a call; the values of keyword arguments stand last.
#[derive(Clone, Copy)]
pub struct Args<'a> {
    first: *mut Word,
    /// With `OFFSET`, or without.
    count: usize,
    words: PhantomData<&'a [Word]>,
}

impl<'a> Args<'a> {
    /// # Safety
    /// `count` live words stand at `first`, and one word before them that may be written, all of them for the lifetime.
    /// Nobody looks at that one meanwhile.
    #[inline(always)]
    pub unsafe fn with_offset(first: *mut Word, count: usize) -> Args<'a> {
        Args {
            first,
            count: count | OFFSET,
            words: PhantomData,
        }
    }
    /// All but the first of `words`, whose place the callee may use.
    #[inline(always)]
    pub fn behind_first(words: &'a mut [Word]) -> Args<'a> {
        assert!(!words.is_empty());
        // SAFETY: the slice is borrowed exclusively.
        unsafe { Args::with_offset(words.as_mut_ptr().add(1), words.len() - 1) }
    }
    #[inline(always)]
    pub fn words(self) -> &'a [Word] {
        // SAFETY: by what each way to make them promises.
        unsafe { std::slice::from_raw_parts(self.first, self.count & !OFFSET) }
    }
    /// The word before the arguments is the callee's.
    #[inline(always)]
    pub fn has_offset(self) -> bool {
        self.count & OFFSET != 0
    }
    /// Runs `call` with `word` in front of arguments that have the flag; the place has its old word afterwards.
    #[inline]
    pub fn with_front<T>(self, word: Word, call: impl FnOnce(Args<'_>) -> T) -> T {
        assert!(self.has_offset());
        // SAFETY: the flag says that the place is there, and ours.
        let (front, old) = unsafe {
            let front = self.first.sub(1);
            (front, front.replace(word))
        };
        let _restore = Restore(front, old);
        call(Args {
            first: front,
            count: (self.count & !OFFSET) + 1,
            words: PhantomData,
        })
    }
}

/// Puts a word back when it goes, in a panic as well.
struct Restore(*mut Word, Word);

impl Drop for Restore {
    fn drop(&mut self) {
        // SAFETY: made above, of a place that outlives the call.
        unsafe { self.0.write(self.1) };
    }
}

impl Deref for Args<'_> {
    type Target = [Word];
    #[inline(always)]
    fn deref(&self) -> &[Word] {
        self.words()
    }
}

impl<'a> From<&'a [Word]> for Args<'a> {
    #[inline(always)]
    fn from(words: &'a [Word]) -> Args<'a> {
        Args {
            first: words.as_ptr().cast_mut(),
            count: words.len(),
            words: PhantomData,
        }
    }
}
impl<'a, const N: usize> From<&'a [Word; N]> for Args<'a> {
    #[inline(always)]
    fn from(words: &'a [Word; N]) -> Args<'a> {
        Args::from(&words[..])
    }
}
impl<'a> From<&'a Vec<Word>> for Args<'a> {
    #[inline(always)]
    fn from(words: &'a Vec<Word>) -> Args<'a> {
        Args::from(&words[..])
    }
}

#[cfg(test)]
mod tests {
    use super::Args;
    use crate::object::descr::{MethodDef, meth};
    use crate::object::testing::TestVm;
    use crate::object::{Owned, PyResult, Vm, Word, call};
    use std::cell::Cell;

    thread_local! {
        /// Where the arguments of the last call stood.
        static SEEN: Cell<(*const Word, usize)> = const { Cell::new((std::ptr::null(), 0)) };
    }
    fn see(vm: Vm, _: Word, args: &[Word], _: Option<Word>) -> PyResult {
        SEEN.set((args.as_ptr(), args.len()));
        if args.iter().any(|arg| arg.is_none()) {
            return Err(vm.type_error("None"));
        }
        vm.new_tuple(args)
    }
    static SEE: MethodDef = MethodDef::new("see", meth::FASTCALL, see);

    /// `see` bound to each of `selves`, the last of them outermost.
    fn bound(test: &TestVm, selves: &[i64]) -> Owned {
        let vm = test.vm();
        let mut callable = vm.new_builtin_function(&SEE, None, None).unwrap();
        for &value in selves {
            let value = Word::int_unchecked(value);
            callable = vm.new_method(callable.as_word(), value).unwrap();
        }
        callable
    }
    fn words<const N: usize>(values: [i64; N]) -> [Word; N] {
        values.map(Word::int_unchecked)
    }

    #[test]
    fn instance_stands_in_the_room_in_front() {
        let test = TestVm::new();
        let method = bound(&test, &[5]);
        let mut all = words([1, 2, 3]);
        let place = all.as_ptr();
        let args = Args::behind_first(&mut all);
        assert_eq!((args.len(), args.has_offset()), (2, true));
        let made = call::vectorcall(test.vm(), method.as_word(), args, None).unwrap();
        assert_eq!(SEEN.get(), (place, 3));
        assert_eq!(test.show(Ok(made)), "(5, 2, 3)");
        assert!(all == words([1, 2, 3]));
    }

    #[test]
    fn room_has_its_word_again_after_an_error() {
        let test = TestVm::new();
        let method = bound(&test, &[5]);
        let mut all = [Word::int_unchecked(1), Word::NONE];
        let args = Args::behind_first(&mut all);
        assert!(call::vectorcall(test.vm(), method.as_word(), args, None).is_err());
        test.vm().clear_exception();
        assert!(all == [Word::int_unchecked(1), Word::NONE]);
    }

    #[test]
    fn arguments_without_room_are_copied_with_room_for_the_next() {
        let test = TestVm::new();
        for count in [0, 1, 5, 6, 7, 20] {
            let plain: Vec<Word> = (0..count).map(Word::int_unchecked).collect();
            for selves in [&[7][..], &[7, 8], &[7, 8, 9]] {
                let method = bound(&test, selves);
                let made = call::call(test.vm(), method.as_word(), &plain, None).unwrap();
                let numbers = selves.iter().copied().chain(0..count);
                let expected: Vec<Word> = numbers.map(Word::int_unchecked).collect();
                let expected = test.vm().new_tuple(&expected).unwrap();
                assert_eq!(test.show(Ok(made)), test.show(Ok(expected)));
                assert_ne!(SEEN.get().0, plain.as_ptr());
            }
        }
    }

    #[test]
    fn methods_of_methods_use_one_room() {
        let test = TestVm::new();
        let mut all = words([1, 2]);
        let place = all.as_ptr();
        let method = bound(&test, &[7, 8]);
        let made = call::vectorcall(
            test.vm(),
            method.as_word(),
            Args::behind_first(&mut all),
            None,
        );
        assert_eq!(test.show(made), "(7, 8, 2)");
        assert_ne!(SEEN.get().0, place);
        assert!(all == words([1, 2]));
    }

    #[test]
    fn one_argument_has_room() {
        let test = TestVm::new();
        let method = bound(&test, &[5]);
        let made = call::call_one(test.vm(), method.as_word(), Word::int_unchecked(6)).unwrap();
        assert_eq!(test.show(Ok(made)), "(5, 6)");
    }
}
