//! Copying characters, and copying and comparing a few bytes without a call: most strings are short.

use super::chars::{Chars, CodeUnit, with_units};

/// Copies bytes, a few of them without a call: most strings are short.
///
/// # Safety
/// As `copy_nonoverlapping`.
#[inline(always)]
pub(super) unsafe fn copy_bytes(from: *const u8, to: *mut u8, count: usize) {
    /// First and last bytes as a whole each; they overlap in the middle.
    #[inline(always)]
    unsafe fn ends<T>(from: *const u8, to: *mut u8, count: usize) {
        unsafe {
            let last = count - size_of::<T>();
            let (head, tail) = (
                from.cast::<T>().read_unaligned(),
                from.add(last).cast::<T>().read_unaligned(),
            );
            to.cast::<T>().write_unaligned(head);
            to.add(last).cast::<T>().write_unaligned(tail);
        }
    }
    unsafe {
        match count {
            0 => {}
            1 => *to = *from,
            2..4 => ends::<u16>(from, to, count),
            4..8 => ends::<u32>(from, to, count),
            8..=16 => ends::<u64>(from, to, count),
            _ => std::ptr::copy_nonoverlapping(from, to, count),
        }
    }
}

/// Whether two runs of bytes are equal, a few of them without a call.
///
/// # Safety
/// Both have `count` bytes.
#[inline(always)]
pub(super) unsafe fn equal_bytes(a: *const u8, b: *const u8, count: usize) -> bool {
    /// First and last bytes as a whole each, as in [`copy_bytes`].
    #[inline(always)]
    unsafe fn ends<T: Eq>(a: *const u8, b: *const u8, count: usize) -> bool {
        unsafe {
            let last = count - size_of::<T>();
            let at = |from: *const u8, offset| from.add(offset).cast::<T>().read_unaligned();
            at(a, 0) == at(b, 0) && at(a, last) == at(b, last)
        }
    }
    unsafe {
        match count {
            0..4 => (0..count).all(|index| *a.add(index) == *b.add(index)),
            4..8 => ends::<u32>(a, b, count),
            8..=16 => ends::<u64>(a, b, count),
            _ => std::slice::from_raw_parts(a, count) == std::slice::from_raw_parts(b, count),
        }
    }
}

/// Writes characters at a width that holds them.
///
/// # Safety
/// `to` has room for them.
#[inline]
pub(super) unsafe fn copy_chars(chars: Chars<'_>, to: *mut u8, width: u16) {
    unsafe {
        match (chars, width) {
            (Chars::One(from), 0) => copy_bytes(from.as_ptr(), to, from.len()),
            _ => copy_wide(chars, to, width),
        }
    }
}
#[inline(never)]
unsafe fn copy_wide(chars: Chars<'_>, to: *mut u8, width: u16) {
    unsafe fn convert<A: CodeUnit, B: CodeUnit>(from: &[A], to: *mut B) {
        for (index, &unit) in from.iter().enumerate() {
            unsafe { to.add(index).write(B::from_u32(unit.into())) };
        }
    }
    unsafe {
        match (chars, width) {
            (Chars::Two(from), 1) => {
                std::ptr::copy_nonoverlapping(from.as_ptr(), to.cast(), from.len())
            }
            (Chars::Four(from), 2) => {
                std::ptr::copy_nonoverlapping(from.as_ptr(), to.cast(), from.len())
            }
            (chars, 0) => with_units!(chars, from => convert(from, to)),
            (chars, 1) => with_units!(chars, from => convert(from, to.cast::<u16>())),
            (chars, _) => with_units!(chars, from => convert(from, to.cast::<u32>())),
        }
    }
}
