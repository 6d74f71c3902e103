//! Branch target buffers: the target that an indirect branch had the last time.

use super::{Branch, Predictor};

/// Direct-mapped and untagged: branches whose addresses are equal in the low bits share an entry.
pub struct LastTarget {
    entries: Vec<u64>,
    instruction_shift: u32,
}

impl LastTarget {
    pub const CALLGRIND: &str = "last target, 512 untagged";

    /// What `callgrind --branch-sim=yes` simulates.
    pub fn callgrind(instruction_shift: u32) -> LastTarget {
        LastTarget {
            entries: vec![0; 512],
            instruction_shift,
        }
    }
}

impl Predictor for LastTarget {
    fn name(&self) -> &'static str {
        LastTarget::CALLGRIND
    }

    fn see(&mut self, branch: &Branch) -> bool {
        if !branch.kind.is_indirect() {
            return true;
        }
        let index = (branch.pc >> self.instruction_shift) as usize & (self.entries.len() - 1);
        let hit = self.entries[index] == branch.target;
        self.entries[index] = branch.target;
        hit
    }
}

#[derive(Clone, Copy, Default)]
struct Way {
    tag: u64,
    target: u64,
    /// The last prediction was wrong.
    missed: bool,
    /// When the entry was last used; 0 for never.
    used: u64,
}

/// Entries with whole tags in sets of four, the least recently used replaced.
pub(super) struct Sets {
    ways: Vec<[Way; 4]>,
    clock: u64,
}

impl Sets {
    pub fn new(entries: usize) -> Sets {
        Sets {
            ways: vec![[Way::default(); 4]; entries / 4],
            clock: 0,
        }
    }

    /// Whether the entry found held the target. With `hysteresis` an entry changes after two misses in a row.
    pub fn see(&mut self, index: u64, tag: u64, target: u64, hysteresis: bool) -> bool {
        self.clock += 1;
        let set = index as usize & (self.ways.len() - 1);
        let set = &mut self.ways[set];
        let found = set.iter_mut().find(|way| way.used > 0 && way.tag == tag);
        if let Some(way) = found {
            way.used = self.clock;
            let hit = way.target == target;
            if !hit && (!hysteresis || way.missed) {
                way.target = target;
                way.missed = false;
            } else {
                way.missed = !hit;
            }
            return hit;
        }
        let oldest = set.iter_mut().min_by_key(|way| way.used);
        *oldest.expect("four ways") = Way {
            tag,
            target,
            missed: false,
            used: self.clock,
        };
        false
    }
}

/// 4096 entries, 4-way, tagged: no aliases.
pub struct Tagged {
    sets: Sets,
    instruction_shift: u32,
}

impl Tagged {
    pub fn new(instruction_shift: u32) -> Tagged {
        Tagged {
            sets: Sets::new(4096),
            instruction_shift,
        }
    }
}

impl Predictor for Tagged {
    fn name(&self) -> &'static str {
        "last target, 4096 tagged"
    }

    fn see(&mut self, branch: &Branch) -> bool {
        let index = branch.pc >> self.instruction_shift;
        !branch.kind.is_indirect() || self.sets.see(index, branch.pc, branch.target, false)
    }
}

/// The same, replacing a target after two misses in a row.
pub struct TwoBit {
    sets: Sets,
    instruction_shift: u32,
}

impl TwoBit {
    pub fn new(instruction_shift: u32) -> TwoBit {
        TwoBit {
            sets: Sets::new(4096),
            instruction_shift,
        }
    }
}

impl Predictor for TwoBit {
    fn name(&self) -> &'static str {
        "two-bit, 4096 tagged"
    }

    fn see(&mut self, branch: &Branch) -> bool {
        let index = branch.pc >> self.instruction_shift;
        !branch.kind.is_indirect() || self.sets.see(index, branch.pc, branch.target, true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    fn hits(model: &mut dyn Predictor, branches: &[(u64, u64)]) -> Vec<bool> {
        let see = |&(pc, target): &(u64, u64)| {
            model.see(&Branch {
                kind: Kind::IndirectJump,
                pc,
                target,
            })
        };
        branches.iter().map(see).collect()
    }

    #[test]
    fn untagged_entries_are_shared_by_low_bits() {
        let mut model = LastTarget::callgrind(0);
        assert_eq!(
            hits(
                &mut model,
                &[
                    (0x1000, 7),
                    (0x1000, 7),
                    (0x1200, 7),
                    (0x1200, 8),
                    (0x1000, 7)
                ]
            ),
            [false, true, true, false, false]
        );
        let mut model = LastTarget::callgrind(2);
        assert_eq!(
            hits(&mut model, &[(0x1000, 7), (0x1003, 7), (0x1200, 7)]),
            [false, true, false]
        );
    }

    #[test]
    fn tags_keep_branches_apart_until_a_set_is_full() {
        let mut model = Tagged::new(0);
        let same_set: Vec<_> = (0..4).map(|n| (0x1000 + n * 1024, n + 1)).collect();
        assert_eq!(hits(&mut model, &same_set), [false; 4]);
        assert_eq!(hits(&mut model, &same_set), [true; 4]);
        assert_eq!(
            hits(&mut model, &[(0x1000 + 4 * 1024, 9), (0x1000, 1)]),
            [false, false]
        );
    }

    #[test]
    fn hysteresis_survives_one_miss() {
        let run = [(1, 7), (1, 7), (1, 8), (1, 7), (1, 8), (1, 8), (1, 8)];
        assert_eq!(
            hits(&mut TwoBit::new(0), &run),
            [false, true, false, true, false, false, true]
        );
        assert_eq!(
            hits(&mut Tagged::new(0), &run),
            [false, true, false, false, false, true, true]
        );
    }
}
