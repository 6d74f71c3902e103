//! Where lines begin (`initialize_lines`): the instructions at which a LINE event may happen.

use crate::bytecode::Opcode;
use crate::bytecode::instructions::{Decoded, instructions};
use crate::bytecode::spec::CodeSpec;
use crate::bytecode::tables;

/// What is known of the line at a code unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The unit's line; negative for none.
    pub line: i32,
    /// LINE stands here while a tool wants it.
    pub begins: bool,
    /// It may be reached from an instruction of the same line: then that line has not begun anew.
    pub goes_on: bool,
    /// It may be reached from one of another line, or from outside. Elsewhere LINE stands for nothing but that the
    /// instruction below it does not specialise meanwhile.
    pub begins_anew: bool,
    /// It stands behind the RESUME of the same line.
    pub behind_resume: bool,
}

impl Start {
    const NONE: Start = Start {
        line: -1,
        begins: false,
        goes_on: false,
        begins_anew: false,
        behind_resume: false,
    };

    /// Whether the line begins here depends on where the frame has been.
    pub fn is_open(&self) -> bool {
        self.goes_on && self.begins_anew
    }
    fn reached_from(&mut self, line: i32) {
        if self.line == line {
            self.goes_on = true;
        } else {
            self.begins_anew = true;
        }
    }
}

/// The unit that an instruction may jump to, as far as a line can begin there.
fn target(instruction: &Decoded) -> Option<usize> {
    let to = usize::try_from(instruction.jump_target()?).ok()?;
    match instruction.op {
        Opcode::END_ASYNC_FOR => None,
        // Over END_FOR and END_SEND.
        Opcode::FOR_ITER | Opcode::SEND => Some(to + 1),
        _ => Some(to),
    }
}

/// By code unit.
pub fn starts(spec: &CodeSpec, first: usize) -> Box<[Start]> {
    let units = spec.code.len() / 2;
    let mut starts = vec![Start::NONE; units].into_boxed_slice();
    for range in tables::read_lines(&spec.linetable, spec.firstlineno).unwrap_or_default() {
        let (from, to) = (range.start as usize, (range.end as usize).min(units));
        for start in starts.get_mut(from..to).unwrap_or_default() {
            start.line = range.line.unwrap_or(-1);
        }
    }
    let list: Vec<Decoded> = instructions(&spec.code)
        .filter(|instruction| instruction.offset >= first)
        .collect();
    let mut current = -1;
    for (index, instruction) in list.iter().enumerate() {
        let line = starts[instruction.offset].line;
        match instruction.op {
            // These are jumped over, or must not be hidden.
            Opcode::END_ASYNC_FOR
            | Opcode::END_FOR
            | Opcode::END_SEND
            | Opcode::RESUME
            | Opcode::POP_ITER => {}
            _ => {
                starts[instruction.offset].begins = line >= 0 && line != current;
                current = line;
            }
        }
        match index.checked_sub(1).map(|before| &list[before]) {
            Some(before) if !before.falls_through() => {}
            Some(before) if before.op != Opcode::RESUME => {
                let before = starts[before.offset].line;
                starts[instruction.offset].reached_from(before);
            }
            // RESUME never hides behind LINE, so that its own line is told behind it.
            Some(before) => {
                let same = starts[before.offset].line == line;
                starts[instruction.offset].begins_anew = true;
                starts[instruction.offset].behind_resume = same;
            }
            None => starts[instruction.offset].begins_anew = true,
        }
    }
    for instruction in &list {
        let Some(to) = target(instruction).filter(|to| *to < units) else {
            continue;
        };
        let from = starts[instruction.offset].line;
        if starts[to].line >= 0 {
            starts[to].begins = true;
            starts[to].reached_from(from);
        }
    }
    for entry in tables::read_exception_table(&spec.exceptiontable).unwrap_or_default() {
        if let Some(start) = starts.get_mut(entry.target as usize)
            && start.line >= 0
        {
            start.begins = true;
            start.goes_on = true;
            start.begins_anew = true;
        }
    }
    starts
}
