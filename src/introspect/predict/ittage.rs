//! ITTAGE: tables indexed by ever longer histories; the longest that knows the branch predicts.
//!
//! After Seznec's predictor for the third championship of branch prediction, from its published geometry. Targets are
//! stored whole: the region table that abbreviates them there costs nothing where all code lies in a few megabytes.

use super::history::{Bits, Folded, fold};
use super::{Branch, Kind, Predictor};

/// Sizes and histories.
pub struct Geometry {
    pub name: &'static str,
    pub base_entries: usize,
    pub groups: &'static [Group],
    /// Bits that a branch adds to the history.
    pub indirect_bits: u32,
    pub call_bits: u32,
    pub conditional_bits: u32,
}

/// Logical tables that share the entries of one physical table.
pub struct Group {
    pub entries: usize,
    pub tag_bits: u32,
    pub histories: &'static [usize],
}

impl Geometry {
    /// Seznec's 64 KB: a tagless table and fifteen tagged ones in three physical tables.
    pub const SEZNEC_64KB: Geometry = Geometry {
        name: "ITTAGE 64 KB",
        base_entries: 4096,
        groups: &[
            Group {
                entries: 4096,
                tag_bits: 9,
                histories: &[0, 10],
            },
            Group {
                entries: 4096,
                tag_bits: 13,
                histories: &[16, 27, 44, 60, 96, 109, 219, 449],
            },
            Group {
                entries: 2048,
                tag_bits: 15,
                histories: &[487, 714, 1313, 2146, 3881],
            },
        ],
        indirect_bits: 10,
        call_bits: 5,
        conditional_bits: 0,
    };

    /// About 6 KB, with the five tables of XiangShan. Conditional branches enter its short histories too.
    pub const SMALL: Geometry = Geometry {
        name: "ITTAGE 6 KB",
        base_entries: 256,
        groups: &[
            Group {
                entries: 256,
                tag_bits: 9,
                histories: &[4],
            },
            Group {
                entries: 256,
                tag_bits: 9,
                histories: &[8],
            },
            Group {
                entries: 512,
                tag_bits: 9,
                histories: &[13],
            },
            Group {
                entries: 512,
                tag_bits: 9,
                histories: &[16],
            },
            Group {
                entries: 512,
                tag_bits: 9,
                histories: &[32],
            },
        ],
        indirect_bits: 2,
        call_bits: 0,
        conditional_bits: 1,
    };
}

const CONFIDENT: u8 = 3;
/// Entries taken for one mispredict.
const ALLOCATIONS: usize = 3;
/// Failed allocations after which every entry counts as useless again.
const TICKS: i32 = 64;

#[derive(Clone, Copy, Default)]
struct Entry {
    target: u64,
    tag: u32,
    confidence: u8,
    useful: bool,
}

struct Logical {
    group: usize,
    /// The bank of the group that it uses, before the address turns it.
    bank: usize,
    index: Folded,
    tags: [Folded; 2],
}

pub struct Ittage {
    name: &'static str,
    bits: Bits,
    base: Vec<Entry>,
    groups: Vec<Vec<Entry>>,
    tag_bits: Vec<u32>,
    /// Of each group, and how many bits choose an entry in one.
    banks: Vec<(usize, u32)>,
    tables: Vec<Logical>,
    indirect_bits: u32,
    call_bits: u32,
    conditional_bits: u32,
    /// Non-negative: a new entry is trusted less than what stands behind it.
    use_alternative: i8,
    ticks: i32,
    random: u32,
}

impl Ittage {
    pub fn new(geometry: &Geometry) -> Ittage {
        let mut tables = Vec::new();
        let mut banks = Vec::new();
        for (group, shape) in geometry.groups.iter().enumerate() {
            let count = shape.histories.len().next_power_of_two();
            let width = (shape.entries / count).ilog2();
            banks.push((count, width));
            for (bank, &history) in shape.histories.iter().enumerate() {
                tables.push(Logical {
                    group,
                    bank,
                    index: Folded::new(history, width),
                    tags: [
                        Folded::new(history, shape.tag_bits),
                        Folded::new(history, shape.tag_bits - 1),
                    ],
                });
            }
        }
        let longest = geometry.groups.iter().flat_map(|group| group.histories);
        let longest = longest.copied().max().unwrap_or(0);
        Ittage {
            name: geometry.name,
            bits: Bits::new((longest + 1).next_power_of_two()),
            base: vec![Entry::default(); geometry.base_entries],
            groups: geometry
                .groups
                .iter()
                .map(|group| vec![Entry::default(); group.entries])
                .collect(),
            tag_bits: geometry.groups.iter().map(|group| group.tag_bits).collect(),
            banks,
            tables,
            indirect_bits: geometry.indirect_bits,
            call_bits: geometry.call_bits,
            conditional_bits: geometry.conditional_bits,
            use_alternative: 0,
            ticks: 0,
            random: 0x2545_f491,
        }
    }

    fn push(&mut self, value: u64, bits: u32) {
        for bit in 0..bits {
            self.bits.push(value >> bit & 1 == 1);
            for table in &mut self.tables {
                table.index.update(&self.bits);
                table.tags[0].update(&self.bits);
                table.tags[1].update(&self.bits);
            }
        }
    }

    /// Where a table keeps this branch with the present history: the entry and its tag.
    fn place(&self, table: &Logical, pc: u64) -> (usize, u32) {
        let (banks, width) = self.banks[table.group];
        let mask = (1u64 << width) - 1;
        let index = (pc ^ pc >> width ^ u64::from(table.index.value)) & mask;
        // The bank turns with the address, so that one short history does not fill one bank alone.
        let bank = (table.bank + fold(pc, 3) as usize) & (banks - 1);
        let tag_mask = (1u32 << self.tag_bits[table.group]) - 1;
        let folded = table.tags[0].value ^ table.tags[1].value << 1;
        let tag = (pc as u32 ^ (pc >> 13) as u32 ^ folded) & tag_mask;
        ((bank << width) + index as usize, tag)
    }

    fn random(&mut self) -> u32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        self.random
    }

    fn learn(entry: &mut Entry, target: u64) {
        if entry.target == target {
            entry.confidence = (entry.confidence + 1).min(CONFIDENT);
        } else if entry.confidence > 0 {
            entry.confidence -= 1;
        } else {
            entry.target = target;
        }
    }

    fn indirect(&mut self, pc: u64, target: u64) -> bool {
        let places: Vec<(usize, u32)> = self
            .tables
            .iter()
            .map(|table| self.place(table, pc))
            .collect();
        let knows = |n: &usize| {
            let (index, tag) = places[*n];
            let entry = &self.groups[self.tables[*n].group][index];
            entry.tag == tag && entry.target != 0
        };
        let mut knowing = (0..self.tables.len()).rev().filter(knows);
        let provider = knowing.next();
        let alternative = knowing.next();
        let base = (pc ^ pc >> 12) as usize & (self.base.len() - 1);
        let entry_of = |n: Option<usize>| match n {
            Some(n) => self.groups[self.tables[n].group][places[n].0],
            None => self.base[base],
        };
        let (first, second) = (entry_of(provider), entry_of(alternative));
        let fresh = provider.is_some() && first.confidence == 0;
        let predicted = if fresh && self.use_alternative >= 0 {
            second.target
        } else {
            first.target
        };
        let hit = predicted == target;

        if fresh && first.target != second.target {
            let step = match (first.target == target, second.target == target) {
                (true, false) => -1,
                (false, true) => 1,
                _ => 0,
            };
            self.use_alternative = (self.use_alternative + step).clamp(-8, 7);
        }
        if !hit {
            self.allocate(&places, provider, target);
        }
        match provider {
            Some(n) => {
                let entry = &mut self.groups[self.tables[n].group][places[n].0];
                Self::learn(entry, target);
                if first.target != second.target {
                    entry.useful = first.target == target;
                }
                if fresh {
                    match alternative {
                        Some(n) => {
                            let group = self.tables[n].group;
                            Self::learn(&mut self.groups[group][places[n].0], target);
                        }
                        None => Self::learn(&mut self.base[base], target),
                    }
                }
            }
            None => Self::learn(&mut self.base[base], target),
        }
        hit
    }

    /// Gives a mispredicted branch entries in tables with longer histories than the one that predicted.
    fn allocate(&mut self, places: &[(usize, u32)], provider: Option<usize>, target: u64) {
        let mut from = provider.map_or(0, |n| n + 1);
        // Not always the next longer table: branches that miss together would go on sharing it.
        if self.random().is_multiple_of(4) {
            from += 1;
        }
        let mut left = ALLOCATIONS;
        let mut n = from;
        while n < places.len() && left > 0 {
            let (index, tag) = places[n];
            let entry = &mut self.groups[self.tables[n].group][index];
            if entry.useful {
                self.ticks += 1;
                n += 1;
                continue;
            }
            *entry = Entry {
                target,
                tag,
                confidence: 0,
                useful: false,
            };
            self.ticks = (self.ticks - 1).max(0);
            left -= 1;
            n += 2;
        }
        if self.ticks >= TICKS {
            self.ticks = 0;
            for entry in self.groups.iter_mut().flatten() {
                entry.useful = false;
            }
        }
    }
}

impl Predictor for Ittage {
    fn name(&self) -> &'static str {
        self.name
    }

    fn see(&mut self, branch: &Branch) -> bool {
        let Branch { kind, pc, target } = *branch;
        let hit = !kind.is_indirect() || self.indirect(pc, target);
        match kind {
            Kind::IndirectJump | Kind::IndirectCall => {
                let mixed = fold(target, self.indirect_bits) ^ fold(pc >> 2, self.indirect_bits);
                self.push(mixed, self.indirect_bits);
            }
            Kind::Call if self.call_bits > 0 => {
                let mixed = fold(target, self.call_bits) ^ fold(pc >> 2, self.call_bits);
                self.push(mixed, self.call_bits);
            }
            Kind::Conditional { taken } if self.conditional_bits > 0 => {
                self.push(u64::from(taken), self.conditional_bits)
            }
            _ => {}
        }
        hit
    }
}
