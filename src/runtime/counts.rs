//! What a counted run executed. An untimed round counts through a table (the tail form) or a loop (the others) of its own,
//! so timed rounds pay nothing.

use std::cell::Cell;

/// Why an instruction left its fast path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Departure {
    /// To its continuation out of line.
    Cold,
    /// A guard failed: the head of the family does the work.
    Miss,
    /// A count fell to zero: an object is freed.
    Free,
}

impl Departure {
    pub const ALL: [Departure; 3] = [Departure::Cold, Departure::Miss, Departure::Free];
}

/// Counts by opcode, while they are taken.
pub struct Counters {
    executed: [Cell<u64>; 256],
    departures: [[Cell<u64>; Departure::ALL.len()]; 256],
}

/// Counts by opcode, taken.
#[derive(Clone)]
pub struct Counts {
    pub executed: [u64; 256],
    /// In the order of [`Departure::ALL`]. Only the counting loop that the match and replicated forms share counts them:
    /// they follow from the definitions alone, so they are the tail form's too.
    pub departures: [[u64; Departure::ALL.len()]; 256],
}

impl Counters {
    pub fn new() -> Box<Counters> {
        Box::new(Counters {
            executed: [const { Cell::new(0) }; 256],
            departures: [const { [const { Cell::new(0) }; Departure::ALL.len()] }; 256],
        })
    }

    #[inline(always)]
    pub fn execute(&self, opcode: usize) {
        let count = &self.executed[opcode & 255];
        count.set(count.get() + 1);
    }

    /// States beyond the opcodes are labels, which are off the fast path already.
    pub fn depart(&self, state: usize, why: Departure) {
        if let Some(counts) = self.departures.get(state) {
            let count = &counts[why as usize];
            count.set(count.get() + 1);
        }
    }

    pub fn executed(&self) -> u64 {
        self.executed.iter().map(Cell::get).sum()
    }

    /// The counts since the last call.
    pub fn take(&self) -> Counts {
        Counts {
            executed: std::array::from_fn(|i| self.executed[i].take()),
            departures: std::array::from_fn(|i| {
                std::array::from_fn(|why| self.departures[i][why].take())
            }),
        }
    }
}

impl Counts {
    pub fn total(&self) -> u64 {
        self.executed.iter().sum()
    }

    pub fn departed(&self, why: Departure) -> u64 {
        let counts = self.departures.iter();
        counts.map(|counts| counts[why as usize]).sum()
    }
}
