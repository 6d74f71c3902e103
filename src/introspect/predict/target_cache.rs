//! The two-level target cache of Chang, Hao and Patt: the last targets choose among the targets of a branch.

use super::btb::Sets;
use super::history::fold;
use super::{Branch, Predictor};

/// 4096 entries, 4-way, tagged; the history is four bits of each of the last four targets.
pub struct TargetCache {
    sets: Sets,
    history: u64,
    instruction_shift: u32,
}

impl TargetCache {
    pub fn new(instruction_shift: u32) -> TargetCache {
        TargetCache {
            sets: Sets::new(4096),
            history: 0,
            instruction_shift,
        }
    }
}

impl Predictor for TargetCache {
    fn name(&self) -> &'static str {
        "two-level, 4096 tagged"
    }

    fn see(&mut self, branch: &Branch) -> bool {
        if !branch.kind.is_indirect() {
            return true;
        }
        let index = (branch.pc >> self.instruction_shift) ^ self.history;
        let tag = branch.pc << 16 | self.history;
        let hit = self.sets.see(index, tag, branch.target, false);
        // Targets are aligned: their low bits say little, so all of them are folded in.
        self.history = (self.history << 4 | fold(branch.target, 4)) & 0xffff;
        hit
    }
}
