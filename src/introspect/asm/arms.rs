//! The arms of a loop: which of its instructions belong to which opcode.
//!
//! A loop is one function, so its parts have no symbols; the jump tables that its dispatches go through say where each
//! opcode begins. An arm is what can be reached from there before the next dispatch, and from no other opcode.

use super::OpcodeNames;
use super::binary::{Arch, Binary, Function};
use super::decode::{Flow, Inst, Load, Reg};
use super::dispatch::{Sequence, tests_of_opcode};
use super::measure::Code;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The most entries of a jump table: an opcode is a byte.
const MOST_ENTRIES: u64 = 256;

/// Where each opcode begins, as indexes of instructions: more than once if dispatches enter it at different points.
type Starts = BTreeMap<u16, BTreeSet<usize>>;

/// The instructions of each opcode's arm, as ascending indexes; empty if no jump table is understood. What the tables
/// lead to is added to the arrivals of `code`.
pub fn arms(
    binary: &Binary,
    function: &Function,
    code: &mut Code,
    names: OpcodeNames<'_>,
) -> BTreeMap<u16, Vec<usize>> {
    let at: HashMap<u64, usize> = code
        .insts
        .iter()
        .enumerate()
        .map(|(n, inst)| (inst.address, n))
        .collect();
    let mut starts = Starts::new();
    let dispatches: Vec<Sequence> = code.jumps().map(|jump| code.sequence(jump)).collect();
    let tables: Vec<Table> = dispatches
        .iter()
        .filter_map(|d| Table::of(binary.arch, &code.insts, d))
        .collect();
    for table in &tables {
        // Tables lie side by side: one ends where the next begins.
        let end = tables
            .iter()
            .map(|t| t.address)
            .filter(|&a| a > table.address)
            .min()
            .unwrap_or(u64::MAX);
        for (opcode, target) in table.targets(binary, end) {
            let Some(&start) = at.get(&target).filter(|_| function.contains(target)) else {
                break;
            };
            // An opcode that cannot come here has a trap for an entry, and past the last opcode something else lies.
            if names(opcode).is_some() && code.insts[start].flow != Flow::Stop {
                starts.entry(opcode).or_default().insert(start);
            }
        }
    }
    code.arrivals.add_entries(
        starts
            .values()
            .flatten()
            .map(|&start| code.insts[start].address),
    );
    // What a test in a dispatch leads to is another opcode's beginning.
    let tests: HashMap<usize, (u16, u64)> =
        dispatches.iter().flat_map(|d| cases(code, d)).collect();
    for (opcode, target) in tests.values() {
        starts.entry(*opcode).or_default().extend(at.get(target));
    }
    exclusive(code, &starts, &at, &tests)
}

/// The tests for an opcode on the way to a dispatch's jump: by the branch, the opcode and where it begins.
fn cases(code: &Code, dispatch: &Sequence) -> Vec<(usize, (u16, u64))> {
    let Some(opcode) = dispatch.opcode else {
        return Vec::new();
    };
    let tests = tests_of_opcode(&code.insts, &dispatch.insts, opcode);
    tests
        .filter_map(|test| Some((test.branch, test.case(&code.insts)?)))
        .collect()
}

struct Table {
    address: u64,
    /// What the entries are relative to, and by how much they are shifted.
    base: u64,
    shift: u32,
    entry_size: u8,
    /// The opcode of the first entry.
    first: u16,
}

impl Table {
    fn of(arch: Arch, insts: &[Inst], dispatch: &Sequence) -> Option<Table> {
        let indexed = |&&at: &&usize| insts[at].load.is_some_and(|load| load.index.is_some());
        let lookup = *dispatch.insts.iter().rev().find(indexed)?;
        let Load { base, size, .. } = insts[lookup].load?;
        let address = constant(insts, lookup, base?)?;
        let after = || {
            dispatch
                .insts
                .iter()
                .copied()
                .skip_while(|&at| at != lookup)
                .skip(1)
        };
        let (base, shift) = match arch {
            Arch::X86_64 => (address, 0),
            // Small entries count instructions from a label; words are relative to the table.
            Arch::AArch64 if size == 4 => (address, 0),
            Arch::AArch64 => {
                let label = after()
                    .find_map(|at| insts[at].address_of.filter(|_| insts[at].mnemonic == "adr"));
                let hoisted = || {
                    after().find_map(|at| {
                        constant(insts, at, added_register(&insts[at], &insts[lookup])?)
                    })
                };
                (label.or_else(hoisted)?, 2)
            }
        };
        let first = dispatch
            .opcode
            .map_or(0, |opcode| bias(insts, opcode, lookup, dispatch));
        Some(Table {
            address,
            base,
            shift,
            entry_size: size,
            first,
        })
    }

    fn targets<'a>(
        &'a self,
        binary: &'a Binary,
        end: u64,
    ) -> impl Iterator<Item = (u16, u64)> + 'a {
        let size = u64::from(self.entry_size);
        (0..MOST_ENTRIES).map_while(move |n| {
            let address = self.address + n * size;
            if address >= end {
                return None;
            }
            let offset = match *binary.bytes(address, size)? {
                [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
                [a, b] => i64::from(u16::from_le_bytes([a, b])),
                [a] => i64::from(a),
                _ => return None,
            };
            Some((
                self.first + n as u16,
                self.base.wrapping_add_signed(offset << self.shift),
            ))
        })
    }
}

/// Instructions reachable from the starts of one opcode, before the next dispatch is over, and from no other opcode.
fn exclusive(
    code: &Code,
    starts: &Starts,
    at: &HashMap<u64, usize>,
    tests: &HashMap<usize, (u16, u64)>,
) -> BTreeMap<u16, Vec<usize>> {
    // Opcodes with the same code are one owner.
    let mut owners: BTreeMap<&BTreeSet<usize>, Vec<u16>> = BTreeMap::new();
    for (&opcode, from) in starts {
        owners.entry(from).or_default().push(opcode);
    }
    let mut reached_by = vec![0u32; code.insts.len()];
    // The way in is no opcode's: the dispatch that it shares with them belongs to none.
    for inst in reachable(code, &BTreeSet::from([0]), at, tests) {
        reached_by[inst] += 1;
    }
    let mut reached = Vec::new();
    for (from, opcodes) in owners {
        let found = reachable(code, from, at, tests);
        for &inst in &found {
            reached_by[inst] += 1;
        }
        reached.push((opcodes, found));
    }
    let mut arms = BTreeMap::new();
    for (opcodes, mut found) in reached {
        found.retain(|&inst| reached_by[inst] == 1);
        found.sort_unstable();
        for opcode in opcodes {
            arms.insert(opcode, found.clone());
        }
    }
    arms
}

fn reachable(
    code: &Code,
    from: &BTreeSet<usize>,
    at: &HashMap<u64, usize>,
    tests: &HashMap<usize, (u16, u64)>,
) -> Vec<usize> {
    let mut seen = HashSet::new();
    let mut todo: Vec<usize> = from.iter().copied().collect();
    while let Some(next) = todo.pop() {
        if next >= code.insts.len() || !seen.insert(next) {
            continue;
        }
        let inst = &code.insts[next];
        let falls_to = inst.falls_through().then_some(inst.end());
        let other_opcode = tests.get(&next).map(|&(_, target)| target);
        let ways = falls_to.into_iter().chain(inst.target());
        todo.extend(
            ways.filter(|&way| Some(way) != other_opcode)
                .filter_map(|way| at.get(&way)),
        );
    }
    seen.into_iter().collect()
}

/// The address that `reg` holds at `before`, from the nearest instruction ahead of it that computes one, or else from
/// the first in the function.
fn constant(insts: &[Inst], before: usize, reg: Reg) -> Option<u64> {
    let value = |at: usize| {
        let inst = &insts[at];
        let address = inst.address_of.filter(|_| inst.writes.contains(&reg))?;
        if inst.mnemonic != "adrp" {
            return Some(address);
        }
        // The page of an `adrp` is completed by the `add` after it.
        let add = insts[at + 1..]
            .iter()
            .find(|next| next.mnemonic == "add" && next.reads.contains(&reg))?;
        Some(address.wrapping_add_signed(add.immediate()?))
    };
    (0..before)
        .rev()
        .find_map(value)
        .or_else(|| (before..insts.len()).find_map(value))
}

/// The register that an `add` adds a table's entry to.
fn added_register(inst: &Inst, lookup: &Inst) -> Option<Reg> {
    let entry = lookup.writes.first()?;
    let other = inst.reads.iter().copied().find(|reg| reg != entry);
    other.filter(|_| inst.mnemonic == "add" && inst.reads.contains(entry))
}

/// What is subtracted from the opcode before the table is indexed by it.
fn bias(insts: &[Inst], opcode: usize, lookup: usize, dispatch: &Sequence) -> u16 {
    let between = dispatch
        .insts
        .iter()
        .copied()
        .skip_while(|&at| at != opcode)
        .skip(1)
        .take_while(|&at| at != lookup);
    let mut bias = 0;
    for inst in between.map(|at| &insts[at]) {
        // Only what works on the opcode itself; the step of the instruction pointer may stand here too.
        if !inst
            .reads
            .iter()
            .any(|reg| insts[opcode].writes.contains(reg))
        {
            continue;
        }
        // A 32-bit subtraction may be written as the addition of a large number.
        let by = inst.immediate().map_or(0, |by| i64::from(by as i32));
        match inst.mnemonic.as_str() {
            "dec" => bias += 1,
            "sub" => bias += by,
            "add" => bias -= by,
            _ => {}
        }
    }
    u16::try_from(bias).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::decode::Decoder;
    use super::super::measure::Convention;
    use super::*;

    fn arms_of(arch: Arch, text: &[u8], table: &[u8]) -> (Code, BTreeMap<u16, Vec<usize>>) {
        let function = Function {
            path: "run".into(),
            address: 0x1000,
            size: text.len() as u64,
        };
        let binary = Binary::from_parts(
            arch,
            vec![function.clone()],
            &[(0x1000, text), (0x2000, table)],
        );
        let decoder = Decoder::new(arch).expect("a disassembler");
        let mut code =
            Code::of(&binary, &decoder, &function, "run", Convention::Native).expect("code");
        let arms = arms(&binary, &function, &mut code, &|opcode| {
            (opcode < 5).then(|| opcode.to_string())
        });
        (code, arms)
    }

    #[test]
    fn an_x86_table_leads_to_the_arms() {
        let text = [
            0x4c, 0x8d, 0x0d, 0xf9, 0x0f, 0x00,
            0x00, // 1000: lea r9, [rip + 0xff9]: the table at 2000
            0x0f, 0xb6, 0x07, // 1007: movzx eax, byte ptr [rdi]
            0x49, 0x63, 0x04, 0x81, // 100a: movsxd rax, [r9 + rax*4]
            0x4c, 0x01, 0xc8, // 100e: add rax, r9
            0xff, 0xe0, // 1011: jmp rax
            0x48, 0xff, 0xc7, // 1013: inc rdi: opcode 0
            0xeb, 0xef, // 1016: jmp 1007
            0x48, 0x83, 0xc7, 0x02, // 1018: add rdi, 2: opcodes 1 and 4
            0xeb, 0xe9, // 101c: jmp 1007
            0xc3, // 101e: ret: opcode 3
            0x0f, 0x0b, // 101f: ud2: opcode 2 cannot come
        ];
        let entries = [0x1013, 0x1018, 0x101f, 0x101e, 0x1018]
            .map(|target: i32| (target - 0x2000).to_le_bytes());
        let (code, arms) = arms_of(Arch::X86_64, &text, entries.as_flattened());
        let expected = [
            (0, vec![5, 6]),
            (1, vec![7, 8]),
            (3, vec![9]),
            (4, vec![7, 8]),
        ];
        assert_eq!(arms, BTreeMap::from(expected));
        let row = code.row_of("NOP", &arms[&0]);
        assert_eq!((row.bytes, row.instructions, row.indirect_jumps), (5, 2, 0));
    }

    #[test]
    fn an_aarch64_table_counts_from_its_label() {
        let words: [u32; 10] = [
            0xb000_0009, // 1000: adrp x9, 2000
            0x9100_0129, // 1004: add x9, x9, #0: the table
            0x3940_0008, // 1008: ldrb w8, [x0]
            0x1000_008a, // 100c: adr x10, 101c
            0x7868_792b, // 1010: ldrh w11, [x9, x8, lsl #1]
            0x8b0b_094a, // 1014: add x10, x10, x11, lsl #2
            0xd61f_0140, // 1018: br x10
            0x9100_0400, // 101c: add x0, x0, #1: opcode 0
            0x17ff_fffa, // 1020: b 1008
            0xd65f_03c0, // 1024: ret: opcode 1
        ];
        let text: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let (_, arms) = arms_of(Arch::AArch64, &text, &[0, 0, 2, 0]);
        assert_eq!(arms, BTreeMap::from([(0, vec![7, 8]), (1, vec![9])]));
    }
}
