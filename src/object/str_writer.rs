//! Building a string piece by piece (`_PyUnicodeWriter`): as narrow as what was written, widened when needed.

use super::owned::{PyResult, Raised};
use super::str::{self, Chars, with_units};
use super::vm::Vm;
use super::word::Word;

enum Buffer {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
}

/// See the module's text. Growth is fallible and within the VM's memory limit.
pub struct StrWriter {
    vm: Vm,
    buffer: Buffer,
}

impl StrWriter {
    pub fn new(vm: Vm) -> StrWriter {
        StrWriter {
            vm,
            buffer: Buffer::One(Vec::new()),
        }
    }
    pub fn vm(&self) -> Vm {
        self.vm
    }
    /// Makes room for this many more characters at the present width.
    pub fn reserve(&mut self, more: usize) -> Result<(), Raised> {
        fn reserve<T>(vm: Vm, buffer: &mut Vec<T>, more: usize) -> bool {
            if buffer.capacity() - buffer.len() >= more {
                return true;
            }
            let wanted = buffer.len().saturating_add(more);
            (wanted < 1 << 16 || vm.heap.has_room(wanted.saturating_mul(size_of::<T>())))
                && buffer.try_reserve(more).is_ok()
        }
        let enough = match &mut self.buffer {
            Buffer::One(buffer) => reserve(self.vm, buffer, more),
            Buffer::Two(buffer) => reserve(self.vm, buffer, more),
            Buffer::Four(buffer) => reserve(self.vm, buffer, more),
        };
        if enough {
            Ok(())
        } else {
            Err(self.vm.no_memory())
        }
    }
    /// Widens the buffer to hold `max` and makes room for `more`.
    fn prepare(&mut self, max: u32, more: usize) -> Result<(), Raised> {
        let width = str::width_for(max);
        let own = match &self.buffer {
            Buffer::One(_) => 0,
            Buffer::Two(_) => 1,
            Buffer::Four(_) => 2,
        };
        if width > own {
            let length = self.len();
            let bytes = (length + more) << width;
            if bytes > 1 << 16 && !self.vm.heap.has_room(bytes) {
                return Err(self.vm.no_memory());
            }
            let no_memory = |_| self.vm.no_memory();
            if width == 1 {
                let mut wide = Vec::new();
                wide.try_reserve(length + more).map_err(no_memory)?;
                with_units!(self.chars(), units => wide.extend(units.iter().map(|&c| u32::from(c) as u16)));
                self.buffer = Buffer::Two(wide);
            } else {
                let mut wide = Vec::new();
                wide.try_reserve(length + more).map_err(no_memory)?;
                with_units!(self.chars(), units => wide.extend(units.iter().map(|&c| u32::from(c))));
                self.buffer = Buffer::Four(wide);
            }
        }
        self.reserve(more)
    }
    pub fn chars(&self) -> Chars<'_> {
        match &self.buffer {
            Buffer::One(buffer) => Chars::One(buffer),
            Buffer::Two(buffer) => Chars::Two(buffer),
            Buffer::Four(buffer) => Chars::Four(buffer),
        }
    }
    pub fn len(&self) -> usize {
        self.chars().len()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    #[inline]
    pub fn push(&mut self, c: u32) -> Result<(), Raised> {
        self.prepare(c, 1)?;
        match &mut self.buffer {
            Buffer::One(buffer) => buffer.push(c as u8),
            Buffer::Two(buffer) => buffer.push(c as u16),
            Buffer::Four(buffer) => buffer.push(c),
        }
        Ok(())
    }
    pub fn push_repeated(&mut self, c: u32, count: usize) -> Result<(), Raised> {
        self.prepare(if count == 0 { 0 } else { c }, count)?;
        match &mut self.buffer {
            Buffer::One(buffer) => buffer.extend(std::iter::repeat_n(c as u8, count)),
            Buffer::Two(buffer) => buffer.extend(std::iter::repeat_n(c as u16, count)),
            Buffer::Four(buffer) => buffer.extend(std::iter::repeat_n(c, count)),
        }
        Ok(())
    }
    pub fn push_chars(&mut self, chars: Chars<'_>) -> Result<(), Raised> {
        self.prepare(
            if let Chars::One(_) = chars {
                0
            } else {
                chars.max()
            },
            chars.len(),
        )?;
        match &mut self.buffer {
            Buffer::One(buffer) => match chars {
                Chars::One(units) => buffer.extend_from_slice(units),
                _ => {
                    with_units!(chars, units => buffer.extend(units.iter().map(|&c| u32::from(c) as u8)))
                }
            },
            Buffer::Two(buffer) => {
                with_units!(chars, units => buffer.extend(units.iter().map(|&c| u32::from(c) as u16)))
            }
            Buffer::Four(buffer) => {
                with_units!(chars, units => buffer.extend(units.iter().map(|&c| u32::from(c))))
            }
        }
        Ok(())
    }
    pub fn push_str(&mut self, text: &str) -> Result<(), Raised> {
        if text.is_ascii() {
            return self.push_chars(Chars::One(text.as_bytes()));
        }
        text.chars().try_for_each(|c| self.push(u32::from(c)))
    }
    /// The characters of a str.
    pub fn push_word(&mut self, word: Word) -> Result<(), Raised> {
        self.push_chars(str::chars(word))
    }
    pub fn finish(self) -> PyResult {
        self.vm.str_from_chars(self.chars())
    }
}
