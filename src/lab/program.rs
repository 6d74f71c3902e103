//! Programs drawn at random with a chosen entropy per dispatch.

use super::Machine;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// How a program is drawn.
#[derive(Clone, Debug)]
pub struct Spec {
    pub opcodes: usize,
    pub length: usize,
    /// The last so many opcodes settle which one is expected next.
    pub order: u32,
    /// How often another comes instead, from 0 to 1.
    pub surprise: f64,
    /// How uneven the opcodes are: 0 for all alike, 1 for the frequencies of Zipf's law.
    pub skew: f64,
    pub seed: u64,
}

impl Spec {
    pub fn of(machine: Machine) -> Spec {
        Spec {
            opcodes: machine.opcodes(),
            length: 1 << 16,
            order: 1,
            surprise: 0.2,
            skew: 0.5,
            seed: 2014,
        }
    }
}

/// A program, and how many bits each of its dispatches really says.
pub struct Drawn {
    /// Opcodes, and the one that ends a program.
    pub code: Vec<u8>,
    pub entropy: f64,
}

/// Draws a program: a Markov chain in which every context has one opcode that is expected.
pub fn draw(spec: &Spec) -> Drawn {
    let mut rng = StdRng::seed_from_u64(spec.seed);
    let weights: Vec<f64> = (1..=spec.opcodes)
        .map(|rank| (rank as f64).powf(-spec.skew))
        .collect();
    let sum: f64 = weights.iter().sum();
    let share: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
    let pick = |at: f64| {
        let mut left = at;
        let found = share.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        found.unwrap_or(spec.opcodes - 1)
    };
    let mut code = Vec::with_capacity(spec.length + 1);
    let mut bits = 0.0;
    let mut context: u64 = 0;
    // The context as a number of so many opcodes.
    let contexts = (spec.opcodes as u64).saturating_pow(spec.order);
    for _ in 0..spec.length {
        let expected = pick(fraction(mix(context ^ spec.seed)));
        let opcode = if rng.random::<f64>() < spec.surprise {
            pick(rng.random::<f64>())
        } else {
            expected
        };
        let by_surprise = spec.surprise * share[opcode];
        let probability = if opcode == expected {
            1.0 - spec.surprise + by_surprise
        } else {
            by_surprise
        };
        bits -= probability.log2();
        code.push(opcode as u8);
        context = (context * spec.opcodes as u64 + opcode as u64) % contexts.max(1);
    }
    code.push(spec.opcodes as u8);
    Drawn {
        code,
        entropy: bits / spec.length.max(1) as f64,
    }
}

/// Scrambles a number (the finaliser of splitmix64).
fn mix(mut value: u64) -> u64 {
    value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

fn fraction(value: u64) -> f64 {
    (value >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(surprise: f64, skew: f64) -> Spec {
        Spec {
            opcodes: 16,
            length: 50_000,
            order: 1,
            surprise,
            skew,
            seed: 1,
        }
    }

    #[test]
    fn surprise_is_a_dial_for_entropy() {
        let entropy = |surprise, skew| draw(&spec(surprise, skew)).entropy;
        assert_eq!(entropy(0.0, 0.0), 0.0);
        assert!((entropy(1.0, 0.0) - 4.0).abs() < 0.01);
        assert!(entropy(1.0, 1.0) < 3.6);
        let steps: Vec<f64> = [0.0, 0.1, 0.3, 0.6, 1.0]
            .into_iter()
            .map(|surprise| entropy(surprise, 0.0))
            .collect();
        assert!(steps.windows(2).all(|pair| pair[0] < pair[1]), "{steps:?}");
    }

    #[test]
    fn a_program_is_of_its_opcodes_and_ends() {
        let drawn = draw(&spec(0.5, 0.5));
        let (last, rest) = drawn.code.split_last().expect("an end");
        assert_eq!(*last, 16);
        assert!(rest.iter().all(|&opcode| opcode < 16));
        let again = draw(&spec(0.5, 0.5));
        assert_eq!(drawn.code, again.code);
    }
}
