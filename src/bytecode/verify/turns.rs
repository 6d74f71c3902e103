//! Every loop takes a turn that can be interrupted.

use super::layout::Layout;
use super::{Fault, fault};
use crate::bytecode::Opcode;

/// Jumps that do not look at the eval breaker may lead back only to where the frame is left, or such a jump taken, before
/// they come around again. `reached` are instructions that control reaches.
pub(super) fn check(layout: &Layout, reached: impl Iterator<Item = usize>) -> Result<(), Fault> {
    let backward = Opcode::JUMP_BACKWARD_NO_INTERRUPT;
    if !layout.instrs.iter().any(|instr| instr.op == backward) {
        return Ok(());
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; layout.instrs.len()];
    for root in reached {
        // Instructions that are being followed, each with how many of its ways have been.
        let mut path = vec![(root, 0)];
        while let Some((at, taken)) = path.last_mut() {
            if *taken == 0 && marks[*at] == Mark::Done {
                path.pop();
                continue;
            }
            marks[*at] = Mark::Open;
            let next = ways(layout, *at).into_iter().flatten().nth(*taken);
            *taken += 1;
            match next {
                Some(next) if marks[next] == Mark::Open => {
                    return fault(
                        layout.instrs[*at].offset,
                        "a loop that cannot be interrupted",
                    );
                }
                Some(next) => path.push((next, 0)),
                None => {
                    marks[*at] = Mark::Done;
                    path.pop();
                }
            }
        }
    }
    Ok(())
}

/// Where control may go from an instruction without a chance to interrupt it.
fn ways(layout: &Layout, at: usize) -> [Option<usize>; 2] {
    let instr = layout.instrs[at];
    let jump = || {
        instr
            .jump_target()
            .and_then(|unit| layout.instruction_at(unit))
    };
    let next = (at + 1 < layout.instrs.len()).then_some(at + 1);
    match instr.op {
        Opcode::JUMP_BACKWARD
        | Opcode::YIELD_VALUE
        | Opcode::RETURN_VALUE
        | Opcode::RAISE_VARARGS
        | Opcode::RERAISE => [None, None],
        Opcode::JUMP_FORWARD | Opcode::JUMP_BACKWARD_NO_INTERRUPT => [jump(), None],
        Opcode::END_ASYNC_FOR => [next, None],
        _ => [next, jump()],
    }
}
