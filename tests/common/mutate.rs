//! Small damage to code objects, from a seed.

use rattail::bytecode::Opcode;
use rattail::bytecode::spec::{CodeSpec, Constant};
use std::rc::Rc;

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }
}

/// How many code objects there are, nested ones included.
pub fn count(code: &CodeSpec) -> usize {
    let nested = code.consts.iter().map(|constant| match constant {
        Constant::Code(code) => count(code),
        _ => 0,
    });
    1 + nested.sum::<usize>()
}

/// The same code with code object number `which` damaged.
pub fn mutate(code: &CodeSpec, which: &mut usize, random: &mut Random) -> Rc<CodeSpec> {
    let mut copy = code.clone();
    if *which == 0 {
        let times = 1 + usize::from(random.one_in(3)) + usize::from(random.one_in(6));
        for _ in 0..times {
            damage(&mut copy, random);
        }
        *which = usize::MAX;
        return Rc::new(copy);
    }
    *which = which.saturating_sub(1);
    for constant in &mut copy.consts {
        if let Constant::Code(nested) = constant
            && *which < usize::MAX / 2
        {
            *constant = Constant::Code(mutate(nested, which, random));
        }
    }
    Rc::new(copy)
}

/// The byte offsets of instructions.
fn starts(code: &[u8]) -> Vec<usize> {
    rattail::bytecode::instructions::instructions(code)
        .map(|instr| 2 * instr.offset)
        .collect()
}

fn damage(code: &mut CodeSpec, random: &mut Random) {
    let starts = starts(&code.code);
    if starts.is_empty() {
        return;
    }
    let at = starts[random.below(starts.len())];
    let other = starts[random.below(starts.len())];
    match random.below(16) {
        0 => {
            let at = random.below(code.code.len());
            code.code[at] = random.next() as u8;
        }
        1 => {
            let at = random.below(code.code.len());
            code.code[at] ^= 1 << random.below(8);
        }
        // An argument, near or far.
        2 | 3 => {
            code.code[at + 1] = code.code[at + 1]
                .wrapping_add(random.below(5) as u8)
                .wrapping_sub(2)
        }
        4 => code.code[at + 1] = random.below(12) as u8,
        // Another opcode with as many caches, so that the rest stays in step.
        5..=7 => {
            let caches = Opcode(u16::from(code.code[at])).caches();
            let alike: Vec<Opcode> = Opcode::all()
                .filter(|op| !op.is_pseudo() && op.deopt() == *op && op.caches() == caches)
                .collect();
            code.code[at] = alike[random.below(alike.len())].0 as u8;
        }
        8 => {
            for byte in 0..2 {
                code.code.swap(at + byte, other + byte);
            }
        }
        // Inserted and removed instructions: jumps and tables do not follow.
        9 => {
            let op = Opcode::all()
                .nth(random.below(130))
                .map_or(0, |op| op.0 as u8);
            let arg = random.below(5) as u8;
            code.code.splice(at..at, [op, arg]);
        }
        10 => {
            code.code.drain(at..at + 2);
        }
        // One instruction copied over another.
        11 => {
            let unit = [code.code[other], code.code[other + 1]];
            code.code[at..at + 2].copy_from_slice(&unit);
        }
        12 => {
            if !code.exceptiontable.is_empty() {
                let at = random.below(code.exceptiontable.len());
                code.exceptiontable[at] ^= 1 << random.below(7);
            } else {
                code.exceptiontable = vec![
                    0x80 | random.below(20) as u8,
                    1 + random.below(20) as u8,
                    random.below(40) as u8,
                    random.below(6) as u8,
                ];
            }
        }
        13 => match random.below(4) {
            0 => drop(code.consts.pop()),
            1 => drop(code.names.pop()),
            2 => {
                code.localsplusnames.pop();
                code.localspluskinds.pop();
            }
            _ if !code.consts.is_empty() => {
                let last = code.consts.len() - 1;
                code.consts.swap(random.below(last + 1), last);
            }
            _ => {}
        },
        14 => match random.below(6) {
            0 => code.stacksize = random.below(8) as u32,
            1 => code.argcount = random.below(5) as u32,
            2 => code.kwonlyargcount = random.below(3) as u32,
            3 => code.posonlyargcount = random.below(3) as u32,
            4 => code.flags ^= 1 << random.below(10),
            _ => {
                if let Some(kind) = code.localspluskinds.first_mut() {
                    *kind ^= 0x20 << random.below(3);
                }
            }
        },
        _ => {
            if !code.linetable.is_empty() {
                let at = random.below(code.linetable.len());
                code.linetable[at] ^= 1 << random.below(8);
            }
        }
    }
}
