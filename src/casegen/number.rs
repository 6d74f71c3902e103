//! Numbers of instructions, by CPython's rule (`assign_opcodes` in `Tools/cases_generator/analyzer.py`).

use super::analyze::{Instruction, NO_NUMBER};
use super::diag::Diag;
use super::rules::Rule;
use std::collections::HashMap;

/// Where the numbers of specialised forms begin: one after the pinned number of the entry instruction.
pub const FIRST_SPECIALIZED: u16 = 129;

/// Pinned numbers first; specialised forms in alphabetical order behind the entry instruction; the rest in alphabetical
/// order from 1, those without an argument before those with one.
pub fn number(built: &mut [Instruction], diags: &mut Vec<Diag>) {
    let mut taken: HashMap<u16, String> = HashMap::new();
    for inst in built.iter().filter(|i| i.opcode != NO_NUMBER) {
        if let Some(other) = taken.insert(inst.opcode, inst.name.clone()) {
            let message = format!(
                "`{}` and `{other}` both have the number {}",
                inst.name, inst.opcode
            );
            diags.push(Diag::new(&inst.pos, Rule::OpcodeTaken, message));
        }
    }
    let mut order: Vec<usize> = (0..built.len())
        .filter(|&i| built[i].opcode == NO_NUMBER)
        .collect();
    order.sort_by_key(|&i| {
        let special = built[i].is_specialized();
        (
            special,
            !special && built[i].flags.arg,
            built[i].name.clone(),
        )
    });
    let (mut base, mut special) = (1, FIRST_SPECIALIZED);
    for index in order {
        let (next, end) = match built[index].is_specialized() {
            true => (&mut special, 256),
            false => (&mut base, FIRST_SPECIALIZED - 1),
        };
        while taken.contains_key(next) {
            *next += 1;
        }
        if *next >= end {
            let message = format!("no number is left for `{}`", built[index].name);
            diags.push(Diag::new(&built[index].pos, Rule::OpcodesSpent, message));
            continue;
        }
        built[index].opcode = *next;
        taken.insert(*next, built[index].name.clone());
    }
}
