//! The characters of a string at whatever width they are kept.

/// A string's characters by width.
#[derive(Clone, Copy)]
pub enum Chars<'a> {
    One(&'a [u8]),
    Two(&'a [u16]),
    Four(&'a [u32]),
}

/// `u8`, `u16` and `u32` as characters.
pub trait CodeUnit: Copy + Ord + Into<u32> + 'static {
    const WIDTH: u16;
    /// Truncates.
    fn from_u32(c: u32) -> Self;
}
macro_rules! code_unit {
    ($ty:ty, $width:literal) => {
        impl CodeUnit for $ty {
            const WIDTH: u16 = $width;
            #[inline(always)]
            fn from_u32(c: u32) -> Self {
                c as $ty
            }
        }
    };
}
code_unit!(u8, 0);
code_unit!(u16, 1);
code_unit!(u32, 2);

/// Runs the body with `$units` bound to the slice of whatever width.
macro_rules! with_units {
    ($chars:expr, $units:ident => $body:expr) => {
        match $chars {
            $crate::object::chars::Chars::One($units) => $body,
            $crate::object::chars::Chars::Two($units) => $body,
            $crate::object::chars::Chars::Four($units) => {
                // One of the widths needs no conversion.
                #[allow(clippy::useless_conversion, clippy::let_and_return)]
                let value = $body;
                value
            }
        }
    };
}
pub(super) use with_units;

impl<'a> Chars<'a> {
    #[inline]
    pub fn len(self) -> usize {
        with_units!(self, units => units.len())
    }
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
    /// The character at an index in range.
    #[inline]
    pub fn at(self, index: usize) -> u32 {
        with_units!(self, units => units[index].into())
    }
    pub fn slice(self, start: usize, end: usize) -> Chars<'a> {
        match self {
            Chars::One(units) => Chars::One(&units[start..end]),
            Chars::Two(units) => Chars::Two(&units[start..end]),
            Chars::Four(units) => Chars::Four(&units[start..end]),
        }
    }
    pub fn iter(self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + 'a {
        (0..self.len()).map(move |index| self.at(index))
    }
    /// The largest character, 0 for none.
    pub fn max(self) -> u32 {
        match self {
            // Sixteen bytes at a time when all are ASCII, which is the usual case.
            Chars::One(units) if units.is_ascii() => {
                if units.is_empty() {
                    0
                } else {
                    0x7f
                }
            }
            _ => with_units!(self, units => units.iter().copied().max().map_or(0, Into::into)),
        }
    }
}

/// Number of a width whose characters reach `max`.
#[inline]
pub const fn width_for(max: u32) -> u16 {
    if max < 0x100 {
        0
    } else if max < 0x1_0000 {
        1
    } else {
        2
    }
}
