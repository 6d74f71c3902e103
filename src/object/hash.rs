//! Hash functions of CPython on 64 bits: SipHash-1-3 for bytes, the Mersenne prime for numbers, xxHash for tuples.

use super::vm::Vm;

/// `_PyHASH_MODULUS`: numeric hashes are taken modulo 2^61 - 1.
pub const MODULUS: u64 = (1 << 61) - 1;
const BITS: u32 = 61;
/// `hash(math.inf)`.
pub const INFINITY: i64 = 314159;

/// -1 reports an error in C, so no hash is -1.
#[inline]
pub const fn not_minus_one(hash: i64) -> i64 {
    if hash == -1 { -2 } else { hash }
}

/// Hash of a string's or bytes object's memory (`Py_HashBuffer`).
pub fn hash_bytes(vm: Vm, bytes: &[u8]) -> i64 {
    if bytes.is_empty() {
        return 0;
    }
    let (k0, k1) = vm.hash_key.get();
    not_minus_one(siphash13(k0, k1, bytes) as i64)
}

/// SipHash with one round a word and three at the end.
pub fn siphash13(k0: u64, k1: u64, bytes: &[u8]) -> u64 {
    let mut v = [
        k0 ^ 0x736f_6d65_7073_6575,
        k1 ^ 0x646f_7261_6e64_6f6d,
        k0 ^ 0x6c79_6765_6e65_7261,
        k1 ^ 0x7465_6462_7974_6573,
    ];
    #[inline(always)]
    fn round(v: &mut [u64; 4]) {
        v[0] = v[0].wrapping_add(v[1]);
        v[2] = v[2].wrapping_add(v[3]);
        v[1] = v[1].rotate_left(13) ^ v[0];
        v[3] = v[3].rotate_left(16) ^ v[2];
        v[0] = v[0].rotate_left(32);
        v[2] = v[2].wrapping_add(v[1]);
        v[0] = v[0].wrapping_add(v[3]);
        v[1] = v[1].rotate_left(17) ^ v[2];
        v[3] = v[3].rotate_left(21) ^ v[0];
        v[2] = v[2].rotate_left(32);
    }
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        let word = u64::from_le_bytes(*word);
        v[3] ^= word;
        round(&mut v);
        v[0] ^= word;
    }
    let mut last = (bytes.len() as u64) << 56;
    for (index, &byte) in rest.iter().enumerate() {
        last |= u64::from(byte) << (8 * index);
    }
    v[3] ^= last;
    round(&mut v);
    v[0] ^= last;
    v[2] ^= 0xff;
    for _ in 0..3 {
        round(&mut v);
    }
    v[0] ^ v[1] ^ v[2] ^ v[3]
}

/// `hash(i)` of an int that fits 64 bits (`long_hash`).
#[inline]
pub const fn hash_i64(value: i64) -> i64 {
    let magnitude = (value.unsigned_abs() % MODULUS) as i64;
    not_minus_one(if value < 0 { -magnitude } else { magnitude })
}

/// `hash(x)` of a float that is no NaN (`_Py_HashDouble`).
pub fn hash_f64(value: f64) -> i64 {
    if value.is_infinite() {
        return if value > 0.0 { INFINITY } else { -INFINITY };
    }
    let (mut m, mut e) = frexp(value);
    let negative = m < 0.0;
    m = m.abs();
    let mut x = 0u64;
    while m != 0.0 {
        // 28 bits at a time, rotated in: the value modulo the prime.
        x = ((x << 28) & MODULUS) | x >> (BITS - 28);
        m *= 268_435_456.0;
        e -= 28;
        let y = m as u64;
        m -= y as f64;
        x += y;
        if x >= MODULUS {
            x -= MODULUS;
        }
    }
    let e = e.rem_euclid(BITS as i32) as u32;
    x = ((x << e) & MODULUS) | x >> (BITS - e);
    not_minus_one(if negative { -(x as i64) } else { x as i64 })
}

/// The mantissa in [0.5, 1) and the exponent of a finite float (C's `frexp`).
pub fn frexp(value: f64) -> (f64, i32) {
    if value == 0.0 {
        return (value, 0);
    }
    let (bits, bias) = if value.is_subnormal() {
        ((value * 18_014_398_509_481_984.0).to_bits(), 1022 + 54)
    } else {
        (value.to_bits(), 1022)
    };
    let exponent = (bits >> 52 & 0x7ff) as i32 - bias;
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), exponent)
}

/// Accumulator for the hash of a tuple (`tuple_hash`): xxHash's mixing, order matters.
pub struct TupleHasher {
    accumulator: u64,
    length: u64,
}

const PRIME_1: u64 = 11_400_714_785_074_694_791;
const PRIME_2: u64 = 14_029_467_366_897_019_727;
const PRIME_5: u64 = 2_870_177_450_012_600_261;

impl Default for TupleHasher {
    fn default() -> TupleHasher {
        TupleHasher::new()
    }
}

impl TupleHasher {
    pub const fn new() -> TupleHasher {
        TupleHasher {
            accumulator: PRIME_5,
            length: 0,
        }
    }
    pub fn add(&mut self, hash: i64) {
        let mixed = self
            .accumulator
            .wrapping_add((hash as u64).wrapping_mul(PRIME_2));
        self.accumulator = mixed.rotate_left(31).wrapping_mul(PRIME_1);
        self.length += 1;
    }
    /// Without the length mixed in: the hash of a slice.
    pub fn finish_plain(self) -> i64 {
        if self.accumulator == u64::MAX {
            1_546_275_796
        } else {
            self.accumulator as i64
        }
    }
    pub fn finish(self) -> i64 {
        let hash = self
            .accumulator
            .wrapping_add(self.length ^ (PRIME_5 ^ 3_527_539));
        if hash == u64::MAX {
            1_546_275_796
        } else {
            hash as i64
        }
    }
}

/// Hash of an address (`Py_HashPointer`).
pub fn hash_pointer<T>(pointer: *const T) -> i64 {
    not_minus_one((pointer as u64).rotate_right(4) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siphash_of_the_reference() {
        // SipHash-1-3 with a zero key, as CPython hashes with PYTHONHASHSEED=0: hash('a'), hash('abcdefgh').
        assert_eq!(siphash13(0, 0, b"a") as i64, 4644417185603328019);
        assert_eq!(siphash13(0, 0, b"abcdefgh") as i64, 4574395652268504554);
    }

    #[test]
    fn numbers() {
        assert_eq!(hash_i64(-1), -2);
        assert_eq!(hash_i64((1 << 61) - 1), 0);
        assert_eq!(hash_i64(1 << 61), 1);
        assert_eq!(hash_f64(1.5), 1_152_921_504_606_846_977);
        assert_eq!(hash_f64(-2.0), -2);
        assert_eq!(hash_f64(5e-324), 16_777_216);
        assert_eq!(hash_f64(2f64.powi(62)), 2);
    }
}
