//! Neighbouring loads and stores of locals become one instruction (`insert_superinstructions`).

use super::nops::remove_redundant_nops;
use crate::bytecode::Opcode;
use crate::compiler::cfg::Cfg;

pub fn insert_superinstructions(cfg: &mut Cfg) {
    let mut cursor = Some(cfg.entry());
    while let Some(b) = cursor {
        let instrs = &mut cfg[b].instrs;
        for i in 1..instrs.len() {
            let (first, second) = (instrs[i - 1], instrs[i]);
            let fused = match (first.op, second.op) {
                (Opcode::LOAD_FAST, Opcode::LOAD_FAST) => Opcode::LOAD_FAST_LOAD_FAST,
                (Opcode::STORE_FAST, Opcode::LOAD_FAST) => Opcode::STORE_FAST_LOAD_FAST,
                (Opcode::STORE_FAST, Opcode::STORE_FAST) => Opcode::STORE_FAST_STORE_FAST,
                _ => continue,
            };
            let (line1, line2) = (first.loc.lineno, second.loc.lineno);
            let two_lines = line1 >= 0 && line2 >= 0 && line1 != line2;
            if two_lines || first.oparg >= 16 || second.oparg >= 16 {
                continue;
            }
            instrs[i - 1].set_op1(fused, first.oparg << 4 | second.oparg);
            instrs[i].set_nop();
        }
        cursor = cfg[b].next;
    }
    remove_redundant_nops(cfg);
}
