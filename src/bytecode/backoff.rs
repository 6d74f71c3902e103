//! The adaptive counter of an inline cache (`pycore_backoff.h`): a value that counts down and a backoff exponent.

/// 16 bits: CPython 3.14 has 12 of value over 4 of backoff.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackoffCounter(pub u16);

const BITS: u16 = 4;
const MAX_BACKOFF: u16 = 12;
const UNREACHABLE_BACKOFF: u16 = 15;

impl BackoffCounter {
    pub const fn new(value: u16, backoff: u16) -> BackoffCounter {
        BackoffCounter(value << BITS | backoff)
    }
    /// A fresh cache: two executions to specialise (`adaptive_counter_warmup`).
    pub const WARMUP: BackoffCounter = BackoffCounter::new(1, 1);
    /// After specialising: 53 misses to try again (`adaptive_counter_cooldown`).
    pub const COOLDOWN: BackoffCounter = BackoffCounter::new(52, 0);
    /// Never triggers (`initial_unreachable_backoff_counter`).
    pub const UNREACHABLE: BackoffCounter = BackoffCounter::new(0, UNREACHABLE_BACKOFF);
    /// What JUMP_BACKWARD's cache keeps without a second tier.
    pub const JUMP_BACKWARD: BackoffCounter = BackoffCounter::new(4095, MAX_BACKOFF);

    pub const fn value(self) -> u16 {
        self.0 >> BITS
    }
    pub const fn backoff(self) -> u16 {
        self.0 & ((1 << BITS) - 1)
    }
    /// The value is zero and the counter is not unreachable.
    #[inline(always)]
    pub const fn triggers(self) -> bool {
        self.0 < UNREACHABLE_BACKOFF
    }
    /// One execution nearer to triggering; an unreachable counter stays as it is in effect, since it only wraps.
    #[inline(always)]
    pub const fn advance(self) -> BackoffCounter {
        BackoffCounter(self.0.wrapping_sub(1 << BITS))
    }
    /// After a failed attempt: twice as long, up to the maximum.
    pub const fn restart(self) -> BackoffCounter {
        let backoff = self.backoff();
        if backoff < MAX_BACKOFF {
            BackoffCounter::new((1 << (backoff + 1)) - 1, backoff + 1)
        } else {
            BackoffCounter::new((1 << MAX_BACKOFF) - 1, MAX_BACKOFF)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BackoffCounter as Counter;

    #[test]
    fn numbers_of_3_14() {
        assert_eq!(Counter::WARMUP.0, 17);
        assert_eq!(Counter::COOLDOWN.0, 832);
        assert_eq!(Counter::JUMP_BACKWARD.0, 65532);
        assert_eq!(Counter::UNREACHABLE.0, 15);
    }

    #[test]
    fn restart_doubles_up_to_twelve() {
        let mut counter = Counter::WARMUP;
        for backoff in 2..=12 {
            counter = counter.restart();
            assert_eq!(
                (counter.value(), counter.backoff()),
                ((1 << backoff) - 1, backoff)
            );
        }
        assert_eq!(counter.restart(), Counter::new(4095, 12));
    }

    #[test]
    fn triggers_at_zero_only() {
        assert!(Counter::new(0, 0).triggers() && Counter::new(0, 12).triggers());
        assert!(!Counter::new(1, 0).triggers() && !Counter::UNREACHABLE.triggers());
        assert_eq!(Counter::WARMUP.advance(), Counter::new(0, 1));
    }
}
