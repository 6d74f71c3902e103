//! Copying and comparing a few bytes without a call: most strings are short.

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
