//! Histories of thousands of bits, kept folded to the few that a table is indexed by.

/// `value` folded to `bits` bits by exclusive or.
pub fn fold(mut value: u64, bits: u32) -> u64 {
    let mut folded = 0;
    while value != 0 {
        folded ^= value & ((1 << bits) - 1);
        value >>= bits;
    }
    folded
}

/// The newest bits, as far back as any table looks.
pub struct Bits {
    bits: Vec<bool>,
    newest: usize,
}

impl Bits {
    /// `length` is a power of two.
    pub fn new(length: usize) -> Bits {
        debug_assert!(length.is_power_of_two());
        Bits {
            bits: vec![false; length],
            newest: 0,
        }
    }

    pub fn push(&mut self, bit: bool) {
        self.newest = self.newest.wrapping_sub(1) & (self.bits.len() - 1);
        self.bits[self.newest] = bit;
    }

    /// The bit pushed `age` pushes ago; 0 is the newest.
    pub fn at(&self, age: usize) -> bool {
        self.bits[(self.newest + age) & (self.bits.len() - 1)]
    }
}

/// The newest `length` bits, folded to `width`, kept up to date by what enters and what leaves.
#[derive(Clone, Copy)]
pub struct Folded {
    pub value: u32,
    length: usize,
    width: u32,
    leaves_at: u32,
}

impl Folded {
    pub fn new(length: usize, width: u32) -> Folded {
        Folded {
            value: 0,
            length,
            width,
            leaves_at: length as u32 % width,
        }
    }

    /// To be called after each push.
    pub fn update(&mut self, bits: &Bits) {
        if self.length == 0 {
            return;
        }
        self.value = self.value << 1 | u32::from(bits.at(0));
        self.value ^= u32::from(bits.at(self.length)) << self.leaves_at;
        self.value ^= self.value >> self.width;
        self.value &= (1 << self.width) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_keeps_every_bit() {
        assert_eq!(fold(0, 4), 0);
        assert_eq!(fold(0x1234, 4), 4);
        assert_eq!(fold(1 << 60, 4), 1);
    }

    #[test]
    fn a_folded_history_depends_on_the_last_bits_only() {
        let run = |prefix: &[u8]| {
            let mut bits = Bits::new(64);
            let mut folded = Folded::new(13, 5);
            for &bit in prefix
                .iter()
                .chain(&[1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 0, 1])
            {
                bits.push(bit == 1);
                folded.update(&bits);
            }
            folded.value
        };
        assert_eq!(run(&[]), run(&[1, 1, 1, 0, 1]));
        assert_eq!(run(&[0, 1]), run(&[1; 40]));
        assert_ne!(run(&[]), 0);
    }
}
