//! Where lines begin (`initialize_lines`): the instructions at which a LINE event may happen.

use crate::bytecode::Opcode;
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

/// One instruction as the compiler wrote it, EXTENDED_ARG on its own.
struct Instruction {
    unit: usize,
    op: Opcode,
    oparg: usize,
    /// The unit behind it and its caches.
    end: usize,
}

fn instructions(spec: &CodeSpec, first: usize) -> Vec<Instruction> {
    let (code, mut unit, mut extended) = (&spec.code, first, 0);
    let mut list = Vec::new();
    while 2 * unit + 1 < code.len() {
        let op = Opcode(u16::from(code[2 * unit]));
        let oparg = extended << 8 | usize::from(code[2 * unit + 1]);
        let end = unit + 1 + op.caches();
        extended = if op == Opcode::EXTENDED_ARG { oparg } else { 0 };
        list.push(Instruction {
            unit,
            op,
            oparg,
            end,
        });
        unit = end;
    }
    list
}

/// The unit that an instruction may jump to, as far as a line can begin there.
fn target(instruction: &Instruction) -> Option<usize> {
    let Instruction { oparg, end, .. } = *instruction;
    match instruction.op {
        Opcode::POP_JUMP_IF_FALSE
        | Opcode::POP_JUMP_IF_TRUE
        | Opcode::POP_JUMP_IF_NONE
        | Opcode::POP_JUMP_IF_NOT_NONE
        | Opcode::JUMP_FORWARD => Some(end + oparg),
        // Over END_FOR and END_SEND.
        Opcode::FOR_ITER | Opcode::SEND => Some(end + oparg + 1),
        Opcode::JUMP_BACKWARD | Opcode::JUMP_BACKWARD_NO_INTERRUPT => end.checked_sub(oparg),
        _ => None,
    }
}

/// Control does not pass to the instruction behind.
fn ends(op: Opcode) -> bool {
    matches!(
        op,
        Opcode::JUMP_FORWARD
            | Opcode::JUMP_BACKWARD
            | Opcode::JUMP_BACKWARD_NO_INTERRUPT
            | Opcode::RETURN_VALUE
            | Opcode::RAISE_VARARGS
            | Opcode::RERAISE
    )
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
    let list = instructions(spec, first);
    let mut current = -1;
    for (index, instruction) in list.iter().enumerate() {
        let line = starts[instruction.unit].line;
        match instruction.op {
            // These are jumped over, or must not be hidden.
            Opcode::END_ASYNC_FOR
            | Opcode::END_FOR
            | Opcode::END_SEND
            | Opcode::RESUME
            | Opcode::POP_ITER => {}
            _ => {
                starts[instruction.unit].begins = line >= 0 && line != current;
                current = line;
            }
        }
        match index.checked_sub(1).map(|before| &list[before]) {
            Some(before) if ends(before.op) => {}
            Some(before) if before.op != Opcode::RESUME => {
                let before = starts[before.unit].line;
                starts[instruction.unit].reached_from(before);
            }
            // RESUME never hides behind LINE, so that its own line is told behind it.
            Some(before) => {
                let same = starts[before.unit].line == line;
                starts[instruction.unit].begins_anew = true;
                starts[instruction.unit].behind_resume = same;
            }
            None => starts[instruction.unit].begins_anew = true,
        }
    }
    for instruction in &list {
        let Some(to) = target(instruction).filter(|to| *to < units) else {
            continue;
        };
        let from = starts[instruction.unit].line;
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
