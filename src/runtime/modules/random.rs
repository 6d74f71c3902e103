//! `_random` (`_randommodule.c`): the Mersenne Twister, and SHA-512 for seeds that are text.

use super::record::{self, record};
use super::{add_type, with_functions};
use crate::object::descr::{MethodDef, meth};
use crate::object::types::{Slots, type_flag};
use crate::object::{
    Kind, Owned, PyResult, TypeObject, TypeSpec, Vm, Word, args, bytes, int, number, protocol,
    sequence, tuple,
};
use crate::runtime::thread::Thread;
use num_bigint::{BigInt, BigUint, Sign};
use std::cell::{Cell, RefCell};

const SIZE: usize = 624;
const PERIOD: usize = 397;

record! {
    Random { ; state: RefCell<[u32; SIZE]>, index: Cell<usize> }
}

static METHODS: [MethodDef; 5] = [
    MethodDef::new("random", meth::NOARGS, |vm, this, _, _| {
        vm.new_float(record::of::<Random>(this).float())
    }),
    MethodDef::new("seed", meth::FASTCALL, seed),
    MethodDef::new("getstate", meth::NOARGS, get_state),
    MethodDef::new("setstate", meth::O, set_state),
    MethodDef::new("getrandbits", meth::O, get_bits),
];
static FUNCTIONS: [MethodDef; 1] = [MethodDef::new("_sha512", meth::O, |vm, _, args, _| {
    if !bytes::is_bytes_like(args[0]) {
        return Err(vm.type_error("a bytes-like object is required"));
    }
    bytes::new_bytes(vm, &sha512(bytes::contents(args[0])))
})];

pub(super) fn make(ts: &Thread) -> PyResult {
    let vm = ts.vm();
    let module = with_functions(vm, "_random", &FUNCTIONS)?;
    let (dealloc, _, _) = record::memory_slots::<Random>();
    let spec = TypeSpec {
        flags: type_flag::BASETYPE,
        methods: &METHODS,
        ..TypeSpec::new::<Random>(
            "_random.Random",
            Kind::OTHER,
            Slots {
                dealloc,
                new: Some(new),
                init: Some(|vm, this, args, _| seed(vm, this, args, None).map(drop)),
                ..Slots::EMPTY
            },
        )
    };
    add_type(vm, Some(&module), &spec, vm.types.object)?;
    Ok(module)
}

fn new(vm: Vm, ty: *mut TypeObject, _: &[Word], _: Option<Word>) -> PyResult {
    record::new(vm, ty, |header| Random {
        header,
        state: RefCell::new([0; SIZE]),
        index: Cell::new(SIZE),
    })
}

impl Random {
    /// `init_genrand`.
    fn start(&self, seed: u32) {
        let state = &mut *self.state.borrow_mut();
        state[0] = seed;
        for index in 1..SIZE {
            let last = state[index - 1];
            state[index] = 1_812_433_253_u32
                .wrapping_mul(last ^ last >> 30)
                .wrapping_add(index as u32);
        }
        self.index.set(SIZE);
    }
    /// `init_by_array`.
    fn start_by(&self, key: &[u32]) {
        self.start(19_650_218);
        let state = &mut *self.state.borrow_mut();
        let (mut i, mut j) = (1, 0);
        for _ in 0..SIZE.max(key.len()) {
            let last = state[i - 1];
            state[i] = (state[i] ^ (last ^ last >> 30).wrapping_mul(1_664_525))
                .wrapping_add(key[j])
                .wrapping_add(j as u32);
            (i, j) = (i + 1, (j + 1) % key.len());
            if i == SIZE {
                state[0] = state[SIZE - 1];
                i = 1;
            }
        }
        for _ in 0..SIZE - 1 {
            let last = state[i - 1];
            state[i] =
                (state[i] ^ (last ^ last >> 30).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i += 1;
            if i == SIZE {
                state[0] = state[SIZE - 1];
                i = 1;
            }
        }
        state[0] = 0x8000_0000;
    }
    /// The next 32 bits (`genrand_uint32`).
    fn word(&self) -> u32 {
        let state = &mut *self.state.borrow_mut();
        if self.index.get() >= SIZE {
            for index in 0..SIZE {
                let mixed = state[index] & 0x8000_0000 | state[(index + 1) % SIZE] & 0x7fff_ffff;
                let twist = if mixed & 1 == 0 { 0 } else { 0x9908_b0df };
                state[index] = state[(index + PERIOD) % SIZE] ^ mixed >> 1 ^ twist;
            }
            self.index.set(0);
        }
        let mut word = state[self.index.get()];
        self.index.set(self.index.get() + 1);
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }
    fn float(&self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }
}

fn seed(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    args::check_positional(vm, "seed", args.len(), 0, 1)?;
    let own = record::of::<Random>(this);
    let magnitude = match args.first() {
        Some(word) if !word.is_none() => match int::value(*word) {
            Some(value) => value.to_bigint().into_parts().1,
            None => BigUint::from(protocol::hash(vm, *word)? as u64),
        },
        _ => BigUint::new(vec![entropy(), entropy(), entropy(), entropy()]),
    };
    let mut key = magnitude.to_u32_digits();
    if key.is_empty() {
        key.push(0);
    }
    own.start_by(&key);
    Ok(Owned::NONE)
}
/// Something that differs from run to run: the system's own keys for hash tables.
fn entropy() -> u32 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new()
        .build_hasher()
        .finish() as u32
}

fn get_bits(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    let own = record::of::<Random>(this);
    let count = number::index_isize(vm, args[0])?;
    let Ok(count) = usize::try_from(count) else {
        return Err(vm.value_error("Cannot convert negative int"));
    };
    if count == 0 {
        return vm.new_int(0);
    }
    if count <= 32 {
        return vm.new_int(i64::from(own.word() >> (32 - count)));
    }
    crate::object::int_arith::room_for(vm, count as u64)?;
    let mut left = count;
    let mut digits = Vec::with_capacity(count.div_ceil(32));
    while left > 0 {
        let word = own.word();
        digits.push(if left < 32 { word >> (32 - left) } else { word });
        left = left.saturating_sub(32);
    }
    vm.new_bigint(BigInt::from_biguint(Sign::Plus, BigUint::new(digits)))
}

fn get_state(vm: Vm, this: Word, _: &[Word], _: Option<Word>) -> PyResult {
    let own = record::of::<Random>(this);
    let state = *own.state.borrow();
    let mut items = state
        .iter()
        .map(|word| vm.new_int(i64::from(*word)))
        .collect::<Result<Vec<_>, _>>()?;
    items.push(vm.new_int_usize(own.index.get())?);
    vm.tuple_from_owned(items)
}
fn set_state(vm: Vm, this: Word, args: &[Word], _: Option<Word>) -> PyResult {
    if !tuple::is_tuple(args[0]) {
        return Err(vm.type_error("state vector must be a tuple"));
    }
    let items = sequence::collect(vm, args[0])?;
    if items.len() != SIZE + 1 {
        return Err(vm.value_error("state vector is the wrong size"));
    }
    let mut state = [0; SIZE];
    for (to, item) in state.iter_mut().zip(&items) {
        let value = number::index(vm, item.as_word())?;
        let value = int::value(value.as_word()).and_then(|value| value.to_i64());
        *to = value
            .and_then(|value| u32::try_from(value).ok())
            .ok_or_else(|| {
                vm.overflow_error("Python int too large to convert to C unsigned long")
            })?;
    }
    let index = number::index_isize(vm, items[SIZE].as_word())?;
    let Some(index) = usize::try_from(index).ok().filter(|index| *index <= SIZE) else {
        return Err(vm.value_error("invalid state"));
    };
    let own = record::of::<Random>(this);
    *own.state.borrow_mut() = state;
    own.index.set(index);
    Ok(Owned::NONE)
}

/// The 64-bit parts of the cube roots of the first primes, and of their square roots for the start.
fn sha512_constants() -> ([u64; 80], [u64; 8]) {
    let mut primes = (2u64..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    let primes: Vec<u64> = primes.by_ref().take(80).collect();
    let fraction = |root: BigUint| -> u64 {
        let digits = root.to_u64_digits();
        digits.first().copied().unwrap_or(0)
    };
    let cube = |prime: u64| fraction((BigUint::from(prime) << 192u32).cbrt());
    let square = |prime: u64| fraction((BigUint::from(prime) << 128u32).sqrt());
    (
        std::array::from_fn(|index| cube(primes[index])),
        std::array::from_fn(|index| square(primes[index])),
    )
}

/// FIPS 180-4.
fn sha512(text: &[u8]) -> [u8; 64] {
    let (rounds, mut hash) = sha512_constants();
    let mut message = text.to_vec();
    message.push(0x80);
    message.resize((text.len() + 17).next_multiple_of(128) - 16, 0);
    message.extend_from_slice(&(text.len() as u128 * 8).to_be_bytes());
    for block in message.chunks_exact(128) {
        let mut words = [0u64; 80];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(8)) {
            *word = bytes
                .iter()
                .fold(0, |word, byte| word << 8 | u64::from(*byte));
        }
        for index in 16..80 {
            let (early, late) = (words[index - 15], words[index - 2]);
            let s0 = early.rotate_right(1) ^ early.rotate_right(8) ^ early >> 7;
            let s1 = late.rotate_right(19) ^ late.rotate_right(61) ^ late >> 6;
            words[index] = words[index - 16]
                .wrapping_add(s0)
                .wrapping_add(words[index - 7])
                .wrapping_add(s1);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = hash;
        for index in 0..80 {
            let s1 = e.rotate_right(14) ^ e.rotate_right(18) ^ e.rotate_right(41);
            let first = h
                .wrapping_add(s1)
                .wrapping_add(e & f ^ !e & g)
                .wrapping_add(rounds[index])
                .wrapping_add(words[index]);
            let s0 = a.rotate_right(28) ^ a.rotate_right(34) ^ a.rotate_right(39);
            let second = s0.wrapping_add(a & b ^ a & c ^ b & c);
            (h, g, f, e) = (g, f, e, d.wrapping_add(first));
            (d, c, b, a) = (c, b, a, first.wrapping_add(second));
        }
        for (own, new) in hash.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *own = own.wrapping_add(new);
        }
    }
    let mut digest = [0; 64];
    for (to, word) in digest.chunks_exact_mut(8).zip(hash) {
        to.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

#[cfg(test)]
mod tests {
    #[test]
    fn sha512_of_abc() {
        let digest = super::sha512(b"abc");
        assert_eq!(digest[..4], [0xdd, 0xaf, 0x35, 0xa1]);
        assert_eq!(digest[60..], [0xa5, 0x4c, 0xa4, 0x9f]);
    }
}
