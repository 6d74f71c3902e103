//! Instructions, reduced to what the audit asks about them and equal for both architectures.

use super::Error;
use super::binary::Arch;
use super::{aarch64, x86_64};
use capstone::prelude::*;

/// A whole register: the parts of one (`eax`, `al`; `w0`) count as it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reg(pub u8);

impl Reg {
    pub const SP: Reg = Reg(200);
    /// The flags, and every register that never carries an address or an index.
    pub const OTHER: Reg = Reg(255);
}

/// Where control goes after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Next,
    /// An unconditional jump; None if it leaves through the linker's table.
    Jump(Option<u64>),
    /// A conditional jump.
    Branch(u64),
    /// A jump to a computed address: what a dispatch ends in.
    Indirect,
    Call(Option<u64>),
    Return,
    /// A trap; nothing follows.
    Stop,
}

/// What an instruction does to the native stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackUse {
    None,
    /// Registers saved while the stack grows by `bytes`.
    Push {
        registers: u8,
        bytes: u32,
    },
    Pop,
    /// The stack pointer moves down by so many bytes, or up if negative.
    Grow(i64),
    /// A store to memory relative to the stack or frame pointer.
    Store {
        base: Reg,
        /// The first register stored, if it is a register.
        source: Option<Reg>,
        registers: u8,
    },
    /// The stack pointer is copied to the frame pointer.
    SetFramePointer,
}

/// A load from memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    pub base: Option<Reg>,
    pub index: Option<Reg>,
    pub displacement: i64,
    /// Bytes read.
    pub size: u8,
}

#[derive(Clone, Debug)]
pub struct Inst {
    pub address: u64,
    pub size: u8,
    pub mnemonic: String,
    pub operands: String,
    pub flow: Flow,
    pub stack: StackUse,
    pub load: Option<Load>,
    /// An address computed from the program counter (`lea reg, [rip + ..]`, `adr`, `adrp`).
    pub address_of: Option<u64>,
    pub reads: Vec<Reg>,
    pub writes: Vec<Reg>,
}

impl Inst {
    pub fn end(&self) -> u64 {
        self.address + u64::from(self.size)
    }

    /// Whether the instruction after this one can be reached from it.
    pub fn falls_through(&self) -> bool {
        matches!(self.flow, Flow::Next | Flow::Branch(_) | Flow::Call(_))
    }

    pub fn is_nop(&self) -> bool {
        self.mnemonic.split(' ').any(|word| word.starts_with("nop"))
    }

    /// The last immediate of the operands.
    pub fn immediate(&self) -> Option<i64> {
        let text = self
            .operands
            .rsplit(',')
            .next()?
            .trim()
            .trim_start_matches('#');
        let (negative, digits) = text
            .strip_prefix('-')
            .map_or((false, text), |digits| (true, digits));
        let value = match digits.strip_prefix("0x") {
            Some(hex) => i64::from_str_radix(hex, 16).ok()?,
            None => digits.parse().ok()?,
        };
        Some(if negative { -value } else { value })
    }

    pub fn target(&self) -> Option<u64> {
        match self.flow {
            Flow::Jump(target) => target,
            Flow::Branch(target) => Some(target),
            _ => None,
        }
    }
}

/// Disassembles for one architecture.
pub struct Decoder {
    arch: Arch,
    capstone: Capstone,
}

impl Decoder {
    pub fn new(arch: Arch) -> Result<Decoder, Error> {
        let mut capstone = match arch {
            Arch::X86_64 => Capstone::new()
                .x86()
                .mode(arch::x86::ArchMode::Mode64)
                .detail(true)
                .build()?,
            Arch::AArch64 => Capstone::new()
                .arm64()
                .mode(arch::arm64::ArchMode::Arm)
                .detail(true)
                .build()?,
        };
        // Jump tables that the compiler put between instructions must not end the listing.
        capstone.set_skipdata(true)?;
        Ok(Decoder { arch, capstone })
    }

    pub fn arch(&self) -> Arch {
        self.arch
    }

    pub fn decode(&self, code: &[u8], address: u64) -> Result<Vec<Inst>, Error> {
        let decoded = self.capstone.disasm_all(code, address)?;
        let mut insts = Vec::with_capacity(decoded.len());
        for insn in decoded.iter() {
            insts.push(self.inst(insn)?);
        }
        Ok(insts)
    }

    fn inst(&self, insn: &capstone::Insn<'_>) -> Result<Inst, Error> {
        let mut inst = Inst {
            address: insn.address(),
            size: insn.len() as u8,
            mnemonic: insn.mnemonic().unwrap_or_default().to_owned(),
            operands: insn.op_str().unwrap_or_default().to_owned(),
            flow: Flow::Next,
            stack: StackUse::None,
            load: None,
            address_of: None,
            reads: Vec::new(),
            writes: Vec::new(),
        };
        // Bytes that are no instruction come back with the id 0 and without detail.
        if insn.id().0 == 0 {
            inst.flow = Flow::Stop;
            return Ok(inst);
        }
        let detail = self.capstone.insn_detail(insn)?;
        let register = |id: RegId| self.register(id);
        for &id in detail.regs_read() {
            inst.reads.extend(register(id));
        }
        for &id in detail.regs_write() {
            inst.writes.extend(register(id));
        }
        match detail.arch_detail() {
            ArchDetail::X86Detail(detail) => x86_64::classify(&mut inst, &detail, &register),
            ArchDetail::Arm64Detail(detail) => aarch64::classify(&mut inst, &detail, &register),
            _ => {}
        }
        Ok(inst)
    }

    fn register(&self, id: RegId) -> Option<Reg> {
        let name = self.capstone.reg_name(id)?;
        match self.arch {
            Arch::X86_64 => x86_64::register(&name),
            Arch::AArch64 => aarch64::register(&name),
        }
    }
}
