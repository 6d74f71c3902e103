//! The adaptive counter of an inline cache (`pycore_backoff.h`): a value that counts down and a backoff exponent.

use super::Opcode;

/// How the 16 bits are shared out, and how long a site waits after each failed attempt.
#[derive(Debug)]
pub struct Layout {
    /// Bits of backoff, below those of value.
    pub backoff_bits: u16,
    /// The counter after a failed attempt, by the backoff that it had.
    restart: fn(u16) -> (u16, u16),
    /// What JUMP_BACKWARD's cache keeps without a second tier.
    jump_backward: (u16, u16),
}

impl Layout {
    /// 12 bits of value over 4 of backoff: the wait doubles, up to the backoff 12.
    pub const V3_14: Layout = Layout {
        backoff_bits: 4,
        restart: double,
        jump_backward: (4095, 12),
    };
    /// 13 bits of value over 3 of backoff: the wait grows fourfold.
    pub const V3_15: Layout = Layout {
        backoff_bits: 3,
        restart: quadruple,
        jump_backward: (4000, 6),
    };

    /// The layout that this build's counters have: the feature `counter-3-15` chooses.
    const CHOSEN: Layout = if cfg!(feature = "counter-3-15") {
        Layout::V3_15
    } else {
        Layout::V3_14
    };

    /// All of the backoff's bits: such a counter never triggers. It is the largest value that the backoff can have.
    const fn unreachable_backoff(&self) -> u16 {
        (1 << self.backoff_bits) - 1
    }
    pub const fn pack(&self, value: u16, backoff: u16) -> u16 {
        value << self.backoff_bits | backoff
    }
    pub const fn value(&self, word: u16) -> u16 {
        word >> self.backoff_bits
    }
    pub const fn backoff(&self, word: u16) -> u16 {
        word & self.unreachable_backoff()
    }
    pub const fn unreachable(&self) -> u16 {
        self.pack(0, self.unreachable_backoff())
    }
    /// The value is zero and the counter is not unreachable: one comparison.
    #[inline(always)]
    pub const fn triggers(&self, word: u16) -> bool {
        word < self.unreachable_backoff()
    }
    /// One execution nearer to triggering; an unreachable counter wraps and stays unreachable.
    #[inline(always)]
    pub const fn advance(&self, word: u16) -> u16 {
        word.wrapping_sub(1 << self.backoff_bits)
    }
    pub fn restart(&self, word: u16) -> u16 {
        let (value, backoff) = (self.restart)(self.backoff(word));
        self.pack(value, backoff)
    }
}

fn double(backoff: u16) -> (u16, u16) {
    let next = (backoff + 1).min(12);
    ((1 << next) - 1, next)
}

fn quadruple(backoff: u16) -> (u16, u16) {
    const STEPS: [(u16, u16); 8] = [
        (1, 1),
        (6, 2),
        (30, 3),
        (126, 4),
        (508, 5),
        (2052, 6),
        (8190, 6),
        (8190, 6),
    ];
    STEPS[usize::from(backoff)]
}

/// 16 bits in the layout of this build.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackoffCounter(pub u16);

const LAYOUT: Layout = Layout::CHOSEN;

impl BackoffCounter {
    pub const fn new(value: u16, backoff: u16) -> BackoffCounter {
        BackoffCounter(LAYOUT.pack(value, backoff))
    }
    /// A fresh cache: two executions to specialise (`adaptive_counter_warmup`).
    pub const WARMUP: BackoffCounter = BackoffCounter::new(1, 1);
    /// After specialising: 53 misses to try again (`adaptive_counter_cooldown`).
    pub const COOLDOWN: BackoffCounter = BackoffCounter::new(52, 0);
    /// Never triggers (`initial_unreachable_backoff_counter`).
    pub const UNREACHABLE: BackoffCounter = BackoffCounter(LAYOUT.unreachable());
    pub const JUMP_BACKWARD: BackoffCounter =
        BackoffCounter::new(LAYOUT.jump_backward.0, LAYOUT.jump_backward.1);

    /// What the first unit of an instruction's cache is before it runs: a counter, or the history of a conditional jump
    /// (`_PyCode_Quicken`).
    pub fn initial(op: Opcode, specialize: bool) -> BackoffCounter {
        match op {
            Opcode::POP_JUMP_IF_FALSE
            | Opcode::POP_JUMP_IF_TRUE
            | Opcode::POP_JUMP_IF_NONE
            | Opcode::POP_JUMP_IF_NOT_NONE => BackoffCounter(0x5555),
            _ if !specialize => BackoffCounter::UNREACHABLE,
            Opcode::JUMP_BACKWARD => BackoffCounter::JUMP_BACKWARD,
            _ => BackoffCounter::WARMUP,
        }
    }

    pub const fn value(self) -> u16 {
        LAYOUT.value(self.0)
    }
    pub const fn backoff(self) -> u16 {
        LAYOUT.backoff(self.0)
    }
    #[inline(always)]
    pub const fn triggers(self) -> bool {
        LAYOUT.triggers(self.0)
    }
    #[inline(always)]
    pub const fn advance(self) -> BackoffCounter {
        BackoffCounter(LAYOUT.advance(self.0))
    }
    /// A counter that the next execution does not find triggering (`pause_backoff_counter`).
    pub const fn paused(self) -> BackoffCounter {
        BackoffCounter(self.0 | 1 << LAYOUT.backoff_bits)
    }
    /// After a failed attempt: a longer wait.
    pub fn restart(self) -> BackoffCounter {
        BackoffCounter(LAYOUT.restart(self.0))
    }
}

/// Value and backoff, as `(52, 0)`.
impl std::fmt::Display for BackoffCounter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.value(), self.backoff())
    }
}

#[cfg(test)]
mod tests {
    use super::{BackoffCounter, Layout};

    /// Every value that 16 bits can have, against the rule written the long way.
    fn every_word(layout: &Layout, unreachable: u16) {
        for word in 0..=u16::MAX {
            let (value, backoff) = (layout.value(word), layout.backoff(word));
            assert_eq!(layout.pack(value, backoff), word);
            assert_eq!(
                layout.triggers(word),
                value == 0 && backoff != unreachable,
                "{word}"
            );
            let advanced = layout.advance(word);
            assert_eq!(layout.backoff(advanced), backoff, "{word}");
            let largest = u16::MAX >> layout.backoff_bits;
            let expected = if value == 0 { largest } else { value - 1 };
            assert_eq!(layout.value(advanced), expected, "{word}");
        }
    }

    #[test]
    fn words_of_3_14() {
        let layout = Layout::V3_14;
        every_word(&layout, 15);
        assert_eq!(layout.unreachable(), 15);
        for word in 0..=u16::MAX {
            assert_eq!(layout.triggers(word), word < 15);
            assert_eq!(layout.advance(word), word.wrapping_sub(16));
            let backoff = layout.backoff(word);
            let expected = match backoff {
                0..12 => ((1 << (backoff + 1)) - 1, backoff + 1),
                _ => (4095, 12),
            };
            let restarted = layout.restart(word);
            assert_eq!(
                (layout.value(restarted), layout.backoff(restarted)),
                expected
            );
        }
        assert_eq!((layout.pack(1, 1), layout.pack(52, 0)), (17, 832));
        assert_eq!(layout.pack(4095, 12), 65532);
    }

    #[test]
    fn words_of_3_15() {
        let layout = Layout::V3_15;
        every_word(&layout, 7);
        let steps = [
            (1, 1),
            (6, 2),
            (30, 3),
            (126, 4),
            (508, 5),
            (2052, 6),
            (8190, 6),
            (8190, 6),
        ];
        for word in 0..=u16::MAX {
            assert_eq!(layout.triggers(word), word < 7);
            assert_eq!(layout.advance(word), word.wrapping_sub(8));
            let restarted = layout.restart(word);
            let expected = steps[usize::from(word & 7)];
            assert_eq!(
                (layout.value(restarted), layout.backoff(restarted)),
                expected
            );
        }
        assert_eq!((layout.pack(1, 1), layout.pack(52, 0)), (9, 416));
    }

    #[test]
    fn an_unreachable_counter_never_triggers() {
        for layout in [Layout::V3_14, Layout::V3_15] {
            let mut word = layout.unreachable();
            for _ in 0..=u16::MAX {
                assert!(!layout.triggers(word));
                word = layout.advance(word);
            }
        }
    }

    #[test]
    fn the_build_has_one_of_them() {
        let layout = Layout::CHOSEN;
        assert_eq!(BackoffCounter::WARMUP.0, layout.pack(1, 1));
        assert_eq!(BackoffCounter::COOLDOWN.0, layout.pack(52, 0));
        assert_eq!(BackoffCounter::UNREACHABLE.0, layout.unreachable());
        assert_eq!(BackoffCounter::COOLDOWN.to_string(), "(52, 0)");
        let restarted = BackoffCounter::WARMUP.restart();
        let expected = if cfg!(feature = "counter-3-15") {
            (6, 2)
        } else {
            (3, 2)
        };
        assert_eq!((restarted.value(), restarted.backoff()), expected);
    }
}
