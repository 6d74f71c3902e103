//! The dispatch sequence: which of the instructions before an indirect jump are there for the jump.
//!
//! It is a backward slice from the jump, along the only way to it, down to the load of the opcode, and with it the
//! load of the next oparg and the step of the instruction pointer. What the compiler hoisted out (the address of a
//! table, say) is not paid at a dispatch and is not counted.

use super::decode::{Flow, Inst, Load, Reg};
use std::collections::{HashMap, HashSet};

/// The instructions of one dispatch, as indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// In the order of execution; the last is the indirect jump.
    pub insts: Vec<usize>,
    /// The load of the opcode; None if no load of one leads to the jump, and then it may be no dispatch at all.
    pub opcode: Option<usize>,
    /// Where the only way to the jump begins.
    pub start: usize,
}

/// How control comes to an instruction other than from the one before it.
#[derive(Default)]
pub struct Arrivals {
    jumps: HashMap<u64, Vec<usize>>,
    /// Entries of jump tables.
    entries: HashSet<u64>,
    /// Indexes of the padding between an unconditional jump and the next label, which nothing executes.
    padding: HashSet<usize>,
}

impl Arrivals {
    pub fn of(insts: &[Inst]) -> Arrivals {
        let mut jumps: HashMap<u64, Vec<usize>> = HashMap::new();
        for (at, inst) in insts.iter().enumerate() {
            if let Some(target) = inst.target() {
                jumps.entry(target).or_default().push(at);
            }
        }
        let mut padding = HashSet::new();
        for at in 1..insts.len() {
            let unreached = padding.contains(&(at - 1)) || !insts[at - 1].falls_through();
            if unreached && insts[at].is_nop() && !jumps.contains_key(&insts[at].address) {
                padding.insert(at);
            }
        }
        Arrivals {
            jumps,
            entries: HashSet::new(),
            padding,
        }
    }

    pub fn add_entries(&mut self, entries: impl IntoIterator<Item = u64>) {
        self.entries.extend(entries);
    }

    pub fn is_entry(&self, address: u64) -> bool {
        self.entries.contains(&address)
    }

    /// How many ways lead to this instruction.
    pub fn count(&self, insts: &[Inst], at: usize) -> usize {
        let falls_in = at > 0 && insts[at - 1].falls_through() && !self.padding.contains(&(at - 1));
        let address = insts[at].address;
        let jumps = self.jumps.get(&address).map_or(0, Vec::len);
        usize::from(falls_in) + jumps + usize::from(self.is_entry(address))
    }

    /// The instruction executed before this one, if there is only one way to it.
    fn only_before(&self, insts: &[Inst], at: usize) -> Option<usize> {
        if self.count(insts, at) != 1 || self.is_entry(insts[at].address) {
            return None;
        }
        match self.jumps.get(&insts[at].address) {
            Some(jumps) => jumps.first().copied(),
            None => Some(at - 1),
        }
    }
}

/// The sequence that ends in the indirect jump at `jump`.
pub fn sequence(insts: &[Inst], arrivals: &Arrivals, jump: usize) -> Sequence {
    debug_assert_eq!(insts[jump].flow, Flow::Indirect);
    let way = only_way(insts, arrivals, jump);
    let mut needed: Vec<Reg> = address_registers(&insts[jump]).collect();
    let mut found = HashSet::from([jump]);
    let mut opcode = None;
    let mut through_table = false;
    for &at in way.iter().rev().skip(1) {
        let inst = &insts[at];
        if !inst.writes.iter().any(|reg| needed.contains(reg)) {
            continue;
        }
        found.insert(at);
        needed.retain(|reg| !inst.writes.contains(reg));
        if let Some(load) = inst.load {
            // A table is read with an index; so may an opcode be, after a jump over `oparg` units.
            if load.size <= 2 && (through_table || load.index.is_none()) {
                opcode = Some((at, load));
                break;
            }
            through_table |= load.index.is_some();
        }
        needed.extend(address_registers(inst));
    }
    if let Some((at, load)) = opcode {
        let beside = |other: &Inst| loads_oparg(other, &load) || steps(other, &load);
        found.extend(way.iter().copied().filter(|&other| beside(&insts[other])));
        found.extend(tests_of_opcode(insts, &way, at).flat_map(|test| [test.compare, test.branch]));
    }
    let start = way[0];
    let insts = way.into_iter().filter(|at| found.contains(at)).collect();
    Sequence {
        insts,
        opcode: opcode.map(|(at, _)| at),
        start,
    }
}

/// The instructions that are executed before `at` whenever it is, as far as there is only one way to it.
fn only_way(insts: &[Inst], arrivals: &Arrivals, at: usize) -> Vec<usize> {
    let mut way = vec![at];
    while let Some(before) = arrivals.only_before(insts, way[way.len() - 1])
        && !way.contains(&before)
    {
        way.push(before);
    }
    way.reverse();
    way
}

/// A test for one opcode ahead of the jump through the table: LLVM makes one where it expects that opcode often.
pub struct Test {
    /// The same as `branch` where one instruction does both.
    pub compare: usize,
    pub branch: usize,
}

impl Test {
    /// The opcode tested for, and where it leads.
    pub fn case(&self, insts: &[Inst]) -> Option<(u16, u64)> {
        let (compare, branch) = (&insts[self.compare], &insts[self.branch]);
        let opcode = match compare.mnemonic.as_str() {
            "cmp" => u16::try_from(compare.immediate()?).ok()?,
            "test" | "cbz" | "cbnz" => 0,
            _ => return None,
        };
        match branch.mnemonic.as_str() {
            "je" | "b.eq" | "cbz" => Some((opcode, branch.target()?)),
            "jne" | "b.ne" | "cbnz" => Some((opcode, branch.end())),
            _ => None,
        }
    }
}

/// The tests that stand on the way between the load of the opcode and the jump.
pub fn tests_of_opcode<'a>(
    insts: &'a [Inst],
    way: &'a [usize],
    opcode: usize,
) -> impl Iterator<Item = Test> + 'a {
    let after = way.iter().position(|&at| at == opcode).unwrap_or(0) + 1;
    let reads_opcode = move |at: usize| {
        insts[opcode]
            .writes
            .iter()
            .any(|reg| insts[at].reads.contains(reg))
    };
    (after..way.len()).filter_map(move |n| {
        let branch = way[n];
        if !matches!(insts[branch].flow, Flow::Branch(_)) {
            return None;
        }
        let compare = if reads_opcode(branch) {
            branch
        } else {
            way[n - 1]
        };
        (n > after && reads_opcode(compare) || compare == branch)
            .then_some(Test { compare, branch })
    })
}

fn address_registers(inst: &Inst) -> impl Iterator<Item = Reg> + '_ {
    inst.reads
        .iter()
        .copied()
        .filter(|&reg| reg != Reg::OTHER && reg != Reg::SP)
}

/// Whether this reads the byte beside the opcode.
fn loads_oparg(inst: &Inst, opcode: &Load) -> bool {
    inst.load.is_some_and(|load| {
        let distance = load.displacement.abs_diff(opcode.displacement);
        load.size == 1 && (load.base, load.index) == (opcode.base, opcode.index) && distance == 1
    })
}

/// Whether this computes the next instruction pointer, from the old one and a constant.
fn steps(inst: &Inst, opcode: &Load) -> bool {
    let mut from = address_registers(inst).peekable();
    matches!(inst.mnemonic.as_str(), "add" | "sub" | "lea")
        && inst.load.is_none()
        && inst.operands.contains(|c: char| c.is_ascii_digit())
        && address_registers(inst).any(|reg| Some(reg) == opcode.base)
        && from.all(|reg| Some(reg) == opcode.base || Some(reg) == opcode.index)
}

#[cfg(test)]
mod tests {
    use super::super::binary::Arch;
    use super::super::decode::Decoder;
    use super::*;

    fn decode(arch: Arch, code: &[u8]) -> Vec<Inst> {
        Decoder::new(arch)
            .expect("a disassembler")
            .decode(code, 0x1000)
            .expect("decodable")
    }

    fn only_sequence(insts: &[Inst]) -> Sequence {
        let jump = insts
            .iter()
            .position(|inst| inst.flow == Flow::Indirect)
            .expect("an indirect jump");
        sequence(insts, &Arrivals::of(insts), jump)
    }

    fn mnemonics<'a>(insts: &'a [Inst], of: &[usize]) -> Vec<&'a str> {
        of.iter().map(|&at| insts[at].mnemonic.as_str()).collect()
    }

    #[test]
    fn a_tail_handler_dispatches_in_five_instructions() {
        let insts = decode(
            Arch::X86_64,
            &[
                0x4b, 0x8b, 0x04, 0xf6, // mov rax, [r14 + r14*8]: the body
                0x49, 0x89, 0x45, 0x00, // mov [r13], rax
                0x49, 0x83, 0xc5, 0x08, // add r13, 8: the stack, not the instruction pointer
                0x41, 0x0f, 0xb6, 0x04, 0x24, // movzx eax, byte ptr [r12]
                0x41, 0x0f, 0xb6, 0x74, 0x24, 0x01, // movzx esi, byte ptr [r12 + 1]
                0x48, 0x8b, 0x04, 0xc7, // mov rax, [rdi + rax*8]
                0x49, 0x83, 0xc4, 0x02, // add r12, 2
                0xff, 0xe0, // jmp rax
            ],
        );
        let sequence = only_sequence(&insts);
        assert_eq!(sequence.insts, [3, 4, 5, 6, 7]);
        assert_eq!(sequence.opcode, Some(3));
    }

    #[test]
    fn a_test_for_one_opcode_ahead_of_the_table_belongs_to_the_dispatch() {
        let insts = decode(
            Arch::X86_64,
            &[
                0x44, 0x0f, 0xb6, 0x07, // movzx r8d, byte ptr [rdi]
                0x41, 0x83, 0xf8, 0x05, // cmp r8d, 5
                0x75, 0x06, // jne +6: to the mov
                0x0f, 0x0b, // ud2: where opcode 5 leads
                0x0f, 0x1f, 0x40, 0x00, // nop: padding
                0x45, 0x89, 0xc0, // mov r8d, r8d
                0x4f, 0x63, 0x04, 0x81, // movsxd r8, [r9 + r8*4]
                0x4d, 0x01, 0xc8, // add r8, r9
                0x41, 0xff, 0xe0, // jmp r8
            ],
        );
        let found = only_sequence(&insts);
        assert_eq!(
            mnemonics(&insts, &found.insts),
            ["movzx", "cmp", "jne", "mov", "movsxd", "add", "jmp"]
        );
        let tests: Vec<_> = tests_of_opcode(&insts, &found.insts, 0)
            .filter_map(|test| test.case(&insts))
            .collect();
        assert_eq!(tests, [(5, 0x100a)]);
    }

    #[test]
    fn the_slice_stops_where_another_way_leads_in() {
        let insts = decode(
            Arch::X86_64,
            &[
                0x41, 0x0f, 0xb6, 0x04, 0x24, // movzx eax, byte ptr [r12]
                0x48, 0x8b, 0x04, 0xc7, // mov rax, [rdi + rax*8]: the target of the last jump
                0xff, 0xe0, // jmp rax
                0xeb, 0xf8, // jmp to the second instruction
            ],
        );
        let found = only_sequence(&insts);
        assert_eq!(
            (found.insts.as_slice(), found.opcode),
            ([1usize, 2].as_slice(), None)
        );
    }

    #[test]
    fn aarch64_dispatches_through_br() {
        let insts = decode(
            Arch::AArch64,
            &[
                0x88, 0x02, 0x40, 0x39, // ldrb w8, [x20]
                0x81, 0x06, 0x40, 0x39, // ldrb w1, [x20, #1]
                0x40, 0x78, 0x68, 0xf8, // ldr x0, [x2, x8, lsl #3]
                0x94, 0x0a, 0x00, 0x91, // add x20, x20, #2
                0x00, 0x00, 0x1f, 0xd6, // br x0
            ],
        );
        let found = only_sequence(&insts);
        assert_eq!(
            mnemonics(&insts, &found.insts),
            ["ldrb", "ldrb", "ldr", "add", "br"]
        );
    }

    #[test]
    fn padding_after_a_jump_leads_nowhere() {
        let insts = decode(
            Arch::X86_64,
            &[0xeb, 0x04, 0x0f, 0x1f, 0x40, 0x00, 0xc3, 0x90, 0xc3],
        );
        let arrivals = Arrivals::of(&insts);
        assert_eq!(
            mnemonics(&insts, &[0, 1, 2, 3, 4]),
            ["jmp", "nop", "ret", "nop", "ret"]
        );
        assert_eq!(arrivals.count(&insts, 2), 1);
        assert_eq!(arrivals.count(&insts, 4), 0);
    }
}
