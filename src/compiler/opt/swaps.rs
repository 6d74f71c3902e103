//! Fewer SWAPs: a run of them becomes the shortest with the same effect, and a SWAP before stores becomes stores
//! in another order.

use crate::bytecode::Opcode;
use crate::compiler::cfg::Block;

/// Replaces the run of SWAPs and NOPs at `start` by the shortest run with its effect, padded in front with NOPs;
/// returns the index of the run's last instruction (`swaptimize`).
fn swaptimize(block: &mut Block, start: usize) -> usize {
    let is_run = |op| matches!(op, Opcode::SWAP | Opcode::NOP);
    let run = block.instrs[start..].iter().take_while(|i| is_run(i.op));
    let len = run.count();
    let run = &mut block.instrs[start..start + len];
    let swaps = run.iter().filter(|i| i.op == Opcode::SWAP);
    let (count, depth) = swaps.fold((0, 0), |(n, depth), i| (n + 1, depth.max(i.oparg)));
    if count < 2 {
        return start;
    }
    // permutation[i]: the item that the run leaves at depth i.
    let mut permutation: Vec<usize> = (0..depth as usize).collect();
    for swap in run.iter().filter(|i| i.op == Opcode::SWAP) {
        permutation.swap(0, swap.oparg as usize - 1);
    }
    // Every cycle of the permutation is undone by swapping its members through the top one by one. Doing so in
    // reverse does the permutation, so the run is filled from its end.
    const DONE: usize = usize::MAX;
    let mut free = len;
    for first in 0..permutation.len() {
        if permutation[first] == DONE || permutation[first] == first {
            continue;
        }
        let mut item = first;
        loop {
            if item != 0 {
                free -= 1;
                run[free].set_op1(Opcode::SWAP, item as i32 + 1);
            }
            let next = std::mem::replace(&mut permutation[item], DONE);
            if next == DONE {
                break;
            }
            item = next;
        }
    }
    for unused in &mut run[..free] {
        unused.set_nop();
    }
    start + len - 1
}

/// Pops the top of the stack and does nothing else that could be noticed (`SWAPPABLE`).
fn is_swappable(op: Opcode) -> bool {
    matches!(
        op,
        Opcode::STORE_FAST | Opcode::STORE_FAST_MAYBE_NULL | Opcode::POP_TOP
    )
}

/// `STORES_TO`
fn stores_to(block: &Block, i: usize) -> Option<i32> {
    let instr = &block.instrs[i];
    matches!(instr.op, Opcode::STORE_FAST | Opcode::STORE_FAST_MAYBE_NULL).then_some(instr.oparg)
}

/// The swappable instruction after `i` with only NOPs between, on `line` if that is given.
fn next_swappable(block: &Block, i: usize, line: Option<i32>) -> Option<usize> {
    for (at, instr) in block.instrs.iter().enumerate().skip(i + 1) {
        // Across lines a debugger would see the names bound in the wrong order.
        if line.is_some_and(|line| instr.loc.lineno != line) {
            return None;
        }
        if instr.op != Opcode::NOP {
            return is_swappable(instr.op).then_some(at);
        }
    }
    None
}

/// Applies the SWAPs that end at `end`, last first, to the instructions after them (`apply_static_swaps`).
fn apply_static_swaps(block: &mut Block, end: usize) {
    for i in (0..=end).rev() {
        let swap = block.instrs[i];
        if swap.op != Opcode::SWAP {
            if swap.op == Opcode::NOP || is_swappable(swap.op) {
                continue;
            }
            return;
        }
        let Some(j) = next_swappable(block, i, None) else {
            return;
        };
        let line = Some(block.instrs[j].loc.lineno).filter(|&line| line >= 0);
        let mut k = j;
        for _ in 1..swap.oparg {
            match next_swappable(block, k, line) {
                Some(next) => k = next,
                None => return,
            }
        }
        // Two stores to one local, or a store between to either's, must stay in order.
        let (store_j, store_k) = (stores_to(block, j), stores_to(block, k));
        if store_j.is_some() || store_k.is_some() {
            if store_j == store_k {
                return;
            }
            let clashes = |at| {
                let store = stores_to(block, at);
                store.is_some() && (store == store_j || store == store_k)
            };
            if (j + 1..k).any(clashes) {
                return;
            }
        }
        block.instrs[i].set_nop();
        block.instrs.swap(j, k);
    }
}

pub fn optimize_swaps(block: &mut Block) {
    let mut i = 0;
    while i < block.instrs.len() {
        if block.instrs[i].op == Opcode::SWAP {
            i = swaptimize(block, i);
            apply_static_swaps(block, i);
        }
        i += 1;
    }
}
