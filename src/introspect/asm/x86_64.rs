//! What x86-64 instructions do, from capstone's operands.

use super::decode::{Flow, Inst, Load, Reg, StackUse};
use capstone::RegId;
use capstone::arch::DetailsArchInsn;
use capstone::arch::x86::{X86InsnDetail, X86OpMem, X86Operand, X86OperandType};

const RIP: Reg = Reg(100);
const RBP: Reg = Reg(5);
const NAMED: [&str; 8] = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"];

/// The register that `name` is or is a part of.
pub fn register(name: &str) -> Option<Reg> {
    if matches!(name, "rip" | "eip") {
        return Some(RIP);
    }
    if let Some(rest) = name.strip_prefix('r')
        && rest.starts_with(|c: char| c.is_ascii_digit())
    {
        let digits = rest.trim_end_matches(['d', 'w', 'b']);
        return digits.parse().ok().map(Reg);
    }
    // rax, eax, ax, al, ah; rsi, esi, si, sil.
    let short = name.strip_prefix(['r', 'e']).unwrap_or(name);
    let short = match short.len() {
        3 => short.strip_suffix('l').unwrap_or(short),
        _ => short,
    };
    let number = NAMED.iter().position(|&full| full == short).or_else(|| {
        let letter = short.strip_suffix(['l', 'h'])?;
        ["a", "c", "d", "b"].iter().position(|&full| full == letter)
    });
    Some(match number {
        Some(4) => Reg::SP,
        Some(number) => Reg(number as u8),
        None => Reg::OTHER,
    })
}

pub fn classify(
    inst: &mut Inst,
    detail: &X86InsnDetail<'_>,
    register: &dyn Fn(RegId) -> Option<Reg>,
) {
    let operands: Vec<X86Operand> = detail.operands().collect();
    let first = operands.first().map(|operand| &operand.op_type);
    let on_rip =
        |mem: &X86OpMem| register(mem.base()) == Some(RIP) && register(mem.index()).is_none();
    match inst.mnemonic.as_str() {
        "jmp" | "notrack jmp" | "bnd jmp" => {
            inst.flow = match first {
                Some(X86OperandType::Imm(target)) => Flow::Jump(Some(*target as u64)),
                // `jmp [rip + ..]` is a tail call of an imported function, not a dispatch.
                Some(X86OperandType::Mem(mem)) if on_rip(mem) => Flow::Jump(None),
                _ => Flow::Indirect,
            }
        }
        "call" | "notrack call" => {
            inst.flow = Flow::Call(match first {
                Some(X86OperandType::Imm(target)) => Some(*target as u64),
                _ => None,
            });
            return;
        }
        "ret" => inst.flow = Flow::Return,
        "ud2" | "int3" | "hlt" => inst.flow = Flow::Stop,
        mnemonic if mnemonic.starts_with('j') => {
            if let Some(X86OperandType::Imm(target)) = first {
                inst.flow = Flow::Branch(*target as u64);
            }
        }
        "push" => {
            inst.stack = StackUse::Push {
                registers: 1,
                bytes: 8,
            }
        }
        "pop" => inst.stack = StackUse::Pop,
        "sub" | "add" if is_register(first, Reg::SP, register) => {
            if let Some(X86OperandType::Imm(by)) = operands.get(1).map(|operand| &operand.op_type) {
                inst.stack = StackUse::Grow(if inst.mnemonic == "sub" { *by } else { -*by });
            }
        }
        "mov" if is_register(first, RBP, register) && inst.reads.contains(&Reg::SP) => {
            if matches!(
                operands.get(1).map(|operand| &operand.op_type),
                Some(X86OperandType::Reg(_))
            ) {
                inst.stack = StackUse::SetFramePointer;
            }
        }
        "lea" => {
            if let Some(X86OperandType::Mem(mem)) = operands.get(1).map(|operand| &operand.op_type)
            {
                if on_rip(mem) {
                    inst.address_of = Some(inst.end().wrapping_add_signed(mem.disp()));
                } else if is_register(first, Reg::SP, register)
                    && register(mem.base()) == Some(Reg::SP)
                {
                    inst.stack = StackUse::Grow(-mem.disp());
                }
            }
            return; // computes an address, touches no memory
        }
        _ => {}
    }
    if inst.stack != StackUse::None || inst.is_nop() || inst.mnemonic.starts_with("prefetch") {
        return;
    }
    for operand in &operands {
        let X86OperandType::Mem(mem) = &operand.op_type else {
            continue;
        };
        let (base, index) = (register(mem.base()), register(mem.index()));
        let access = operand.access;
        if access.is_none_or(|access| access.is_readable()) {
            inst.load = Some(Load {
                base,
                index,
                displacement: mem.disp(),
                size: operand.size,
            });
        }
        if let Some(base @ (Reg::SP | RBP)) = base
            && access.is_some_and(|access| access.is_writable())
        {
            let source = operands
                .iter()
                .skip(1)
                .find_map(|operand| match operand.op_type {
                    X86OperandType::Reg(id) => register(id),
                    _ => None,
                });
            inst.stack = StackUse::Store {
                base,
                source,
                registers: 1,
            };
        }
    }
}

fn is_register(
    operand: Option<&X86OperandType>,
    wanted: Reg,
    register: &dyn Fn(RegId) -> Option<Reg>,
) -> bool {
    matches!(operand, Some(X86OperandType::Reg(id)) if register(*id) == Some(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_register_are_one() {
        let same = |names: &[&str]| {
            let whole = register(names[0]);
            assert!(whole.is_some_and(|reg| reg != Reg::OTHER), "{}", names[0]);
            assert!(
                names.iter().all(|name| register(name) == whole),
                "{names:?}"
            );
        };
        same(&["rax", "eax", "ax", "al", "ah"]);
        same(&["rbx", "ebx", "bx", "bl", "bh"]);
        same(&["rsi", "esi", "si", "sil"]);
        same(&["rsp", "esp", "sp", "spl"]);
        same(&["rbp", "ebp", "bp", "bpl"]);
        same(&["r8", "r8d", "r8w", "r8b"]);
        same(&["r15", "r15d", "r15w", "r15b"]);
        assert_eq!(register("xmm3"), Some(Reg::OTHER));
        assert_eq!(register("rflags"), Some(Reg::OTHER));
        assert_ne!(register("rax"), register("rcx"));
        assert_eq!(register("rsp"), Some(Reg::SP));
    }
}
