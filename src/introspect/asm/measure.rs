//! What is counted in one function.

use super::binary::{Binary, Function};
use super::decode::{Decoder, Flow, Inst, Reg, StackUse};
use super::dispatch::{self, Arrivals, Sequence};
use super::{Error, binary::Arch};
use serde::Serialize;
use std::collections::HashSet;

/// The calling convention, which says what a store of an argument-carrying register to the stack means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// `rust-preserve-none`: nothing but the frame pointer and the link register belongs to the caller.
    PreserveNone,
    Native,
}

/// The counts of one function, or of one arm of a loop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Row {
    pub name: String,
    pub bytes: u64,
    pub instructions: usize,
    pub indirect_jumps: usize,
    /// Instructions of the longest dispatch sequence, the jump included; None without an indirect jump.
    pub dispatch: Option<usize>,
    /// Calls that return here.
    pub calls: usize,
    /// Registers saved on the native stack.
    pub pushes: usize,
    /// Native stack that is taken, in bytes, the saved registers included.
    pub frame: u64,
    /// Stores of values to the native stack.
    pub spills: usize,
}

/// A disassembled function with what the counts rest on.
pub struct Code {
    pub name: String,
    pub insts: Vec<Inst>,
    convention: Convention,
    arch: Arch,
    pub arrivals: Arrivals,
}

/// How an instruction was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Plain,
    Push,
    Spill,
    Dispatch,
}

impl Code {
    pub fn of(
        binary: &Binary,
        decoder: &Decoder,
        function: &Function,
        name: &str,
        convention: Convention,
    ) -> Result<Code, Error> {
        let bytes = binary
            .bytes(function.address, function.size)
            .ok_or_else(|| Error::NotFound(format!("code for {}", function.path)))?;
        Ok(Code::new(
            name,
            decoder.decode(bytes, function.address)?,
            decoder.arch(),
            convention,
        ))
    }

    pub fn new(name: &str, insts: Vec<Inst>, arch: Arch, convention: Convention) -> Code {
        let arrivals = Arrivals::of(&insts);
        Code {
            name: name.to_owned(),
            insts,
            convention,
            arch,
            arrivals,
        }
    }

    /// Marks each instruction.
    pub fn marks(&self) -> Vec<Mark> {
        let mut marks: Vec<Mark> = self.stack_marks();
        for jump in self.jumps() {
            for at in self.sequence(jump).insts {
                marks[at] = Mark::Dispatch;
            }
        }
        marks
    }

    /// Indexes of the indirect jumps.
    pub fn jumps(&self) -> impl Iterator<Item = usize> + '_ {
        self.insts
            .iter()
            .enumerate()
            .filter(|(_, inst)| inst.flow == Flow::Indirect)
            .map(|(at, _)| at)
    }

    pub fn sequence(&self, jump: usize) -> Sequence {
        dispatch::sequence(&self.insts, &self.arrivals, jump)
    }

    /// The counts of the whole function.
    pub fn row(&self) -> Row {
        let all: Vec<usize> = (0..self.insts.len()).collect();
        self.row_of(&self.name, &all)
    }

    /// The counts of some of its instructions.
    pub fn row_of(&self, name: &str, of: &[usize]) -> Row {
        let marks = self.stack_marks();
        let mut row = Row {
            name: name.to_owned(),
            instructions: of.len(),
            ..Row::default()
        };
        for &at in of {
            let inst = &self.insts[at];
            row.bytes += u64::from(inst.size);
            match inst.flow {
                Flow::Indirect => {
                    row.indirect_jumps += 1;
                    row.dispatch = row.dispatch.max(Some(self.sequence(at).insts.len()));
                }
                Flow::Call(_) => row.calls += 1,
                _ => {}
            }
            match inst.stack {
                StackUse::Push { bytes, .. } => row.frame += u64::from(bytes),
                StackUse::Grow(by) => row.frame += by.max(0) as u64,
                _ => {}
            }
            match marks[at] {
                Mark::Push => row.pushes += saved(inst),
                Mark::Spill => row.spills += saved(inst),
                Mark::Plain | Mark::Dispatch => {}
            }
        }
        row
    }

    /// Tells saved registers from spilled values. On AArch64 both are stores; one is a save if the register belongs to
    /// the caller and nothing was written to it before.
    fn stack_marks(&self) -> Vec<Mark> {
        let frame_pointer = self
            .insts
            .iter()
            .any(|inst| inst.stack == StackUse::SetFramePointer);
        let mut written: HashSet<Reg> = HashSet::new();
        let mut marks = Vec::with_capacity(self.insts.len());
        for inst in &self.insts {
            marks.push(match inst.stack {
                StackUse::Push { .. } => Mark::Push,
                StackUse::Store { base, .. } if base != Reg::SP && !frame_pointer => Mark::Plain,
                StackUse::Store {
                    source: Some(source),
                    ..
                } if self.belongs_to_caller(source) && !written.contains(&source) => Mark::Push,
                StackUse::Store { .. } => Mark::Spill,
                _ => Mark::Plain,
            });
            written.extend(&inst.writes);
        }
        marks
    }

    fn belongs_to_caller(&self, reg: Reg) -> bool {
        match (self.arch, self.convention) {
            (Arch::X86_64, _) => false, // saved by push
            (Arch::AArch64, Convention::PreserveNone) => matches!(reg.0, 29 | 30),
            (Arch::AArch64, Convention::Native) => matches!(reg.0, 19..=30),
        }
    }
}

fn saved(inst: &Inst) -> usize {
    match inst.stack {
        StackUse::Push { registers, .. } | StackUse::Store { registers, .. } => {
            usize::from(registers)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(arch: Arch, convention: Convention, code: &[u8]) -> Row {
        let insts = Decoder::new(arch)
            .expect("a disassembler")
            .decode(code, 0x1000)
            .expect("decodable");
        Code::new("it", insts, arch, convention).row()
    }

    #[test]
    fn x86_pushes_frames_and_spills() {
        let row = row(
            Arch::X86_64,
            Convention::Native,
            &[
                0x53, // push rbx
                0x50, // push rax
                0x48, 0x83, 0xec, 0x18, // sub rsp, 24
                0x48, 0x89, 0x7c, 0x24, 0x08, // mov [rsp + 8], rdi: a spill
                0x48, 0x89, 0x7d,
                0x08, // mov [rbp + 8], rdi: an object, for rbp is no frame pointer here
                0xe8, 0x00, 0x00, 0x00, 0x00, // call
                0x48, 0x8b, 0x7c, 0x24, 0x08, // mov rdi, [rsp + 8]
                0x48, 0x83, 0xc4, 0x18, // add rsp, 24
                0x58, // pop rax
                0x5b, // pop rbx
                0xff, 0x25, 0x00, 0x00, 0x00,
                0x00, // jmp [rip]: a tail call through the linker's table
            ],
        );
        let expected = Row {
            name: "it".into(),
            bytes: 37,
            instructions: 11,
            indirect_jumps: 0,
            dispatch: None,
            calls: 1,
            pushes: 2,
            frame: 40,
            spills: 1,
        };
        assert_eq!(row, expected);
    }

    #[test]
    fn a_frame_pointer_makes_stores_through_it_spills() {
        let code = [
            0x55, // push rbp
            0x48, 0x89, 0xe5, // mov rbp, rsp
            0x48, 0x89, 0x7d, 0xf8, // mov [rbp - 8], rdi
            0x5d, // pop rbp
            0xc3, // ret
        ];
        let row = row(Arch::X86_64, Convention::Native, &code);
        assert_eq!((row.pushes, row.frame, row.spills), (1, 8, 1));
    }

    #[test]
    fn aarch64_tells_a_saved_register_from_a_spill_by_the_convention() {
        let code = [
            0xfe, 0x57, 0xbe, 0xa9, // stp x30, x21, [sp, #-32]!: grows the stack
            0xf4, 0x4f, 0x01, 0xa9, // stp x20, x19, [sp, #16]
            0x00, 0x00, 0x00, 0x94, // bl
            0xf4, 0x4f, 0x41, 0xa9, // ldp x20, x19, [sp, #16]
            0xfe, 0x57, 0xc2, 0xa8, // ldp x30, x21, [sp], #32
            0x00, 0x00, 0x1f, 0xd6, // br x0
        ];
        let native = row(Arch::AArch64, Convention::Native, &code);
        assert_eq!(
            (native.pushes, native.frame, native.spills, native.calls),
            (4, 32, 0, 1)
        );
        // In a handler x19 and x20 carry arguments: storing them is spilling them.
        let handler = row(Arch::AArch64, Convention::PreserveNone, &code);
        assert_eq!((handler.pushes, handler.frame, handler.spills), (2, 32, 2));
        assert_eq!(handler.indirect_jumps, 1);
    }

    #[test]
    fn aarch64_moves_of_the_stack_pointer_are_a_frame() {
        let code = [
            0xff, 0x83, 0x00, 0xd1, // sub sp, sp, #32
            0xe8, 0x07, 0x00, 0xf9, // str x8, [sp, #8]
            0xff, 0x83, 0x00, 0x91, // add sp, sp, #32
            0xc0, 0x03, 0x5f, 0xd6, // ret
        ];
        let row = row(Arch::AArch64, Convention::PreserveNone, &code);
        assert_eq!((row.frame, row.spills, row.pushes), (32, 1, 0));
    }
}
