//! What AArch64 instructions do, from capstone's operands.

use super::decode::{Flow, Inst, Load, Reg, StackUse};
use capstone::RegId;
use capstone::arch::DetailsArchInsn;
use capstone::arch::arm64::{Arm64InsnDetail, Arm64Operand, Arm64OperandType};

const FP: Reg = Reg(29);

/// The register that `name` is or is a part of.
pub fn register(name: &str) -> Option<Reg> {
    Some(match name {
        "sp" | "wsp" => Reg::SP,
        "fp" => FP,
        "lr" => Reg(30),
        "xzr" | "wzr" => return None,
        _ => match name
            .strip_prefix(['x', 'w'])
            .and_then(|digits| digits.parse().ok())
        {
            Some(number) => Reg(number),
            None => Reg::OTHER,
        },
    })
}

pub fn classify(
    inst: &mut Inst,
    detail: &Arm64InsnDetail<'_>,
    register: &dyn Fn(RegId) -> Option<Reg>,
) {
    let operands: Vec<Arm64Operand> = detail.operands().collect();
    let reg = |at: usize| match operands.get(at).map(|operand| &operand.op_type) {
        Some(Arm64OperandType::Reg(id)) => register(*id),
        _ => None,
    };
    let imm = |at: usize| match operands.get(at).map(|operand| &operand.op_type) {
        Some(Arm64OperandType::Imm(value)) => Some(*value),
        _ => None,
    };
    let target = || imm(operands.len().saturating_sub(1)).map(|target| target as u64);
    match inst.mnemonic.as_str() {
        "b" => inst.flow = Flow::Jump(target()),
        "br" | "braa" | "brab" => inst.flow = Flow::Indirect,
        "bl" => inst.flow = Flow::Call(target()),
        "blr" => inst.flow = Flow::Call(None),
        "ret" | "retaa" | "retab" => inst.flow = Flow::Return,
        "brk" | "udf" | "hlt" => inst.flow = Flow::Stop,
        "cbz" | "cbnz" | "tbz" | "tbnz" => inst.flow = target().map_or(Flow::Next, Flow::Branch),
        mnemonic if mnemonic.starts_with("b.") => {
            inst.flow = target().map_or(Flow::Next, Flow::Branch)
        }
        "adr" | "adrp" => inst.address_of = imm(1).map(|address| address as u64),
        "sub" | "add" if reg(0) == Some(Reg::SP) => {
            if let Some(by) = imm(2) {
                inst.stack = StackUse::Grow(if inst.mnemonic == "sub" { by } else { -by });
            }
        }
        "mov" | "add" if reg(0) == Some(FP) && reg(1) == Some(Reg::SP) => {
            inst.stack = StackUse::SetFramePointer
        }
        mnemonic if mnemonic.starts_with("ld") => load(inst, detail, &operands, register),
        mnemonic if mnemonic.starts_with("st") => store(inst, detail, &operands, register),
        _ => {}
    }
}

fn load(
    inst: &mut Inst,
    detail: &Arm64InsnDetail<'_>,
    operands: &[Arm64Operand],
    register: &dyn Fn(RegId) -> Option<Reg>,
) {
    let Some(mem) = operands.iter().find_map(|operand| match operand.op_type {
        Arm64OperandType::Mem(mem) => Some(mem),
        _ => None,
    }) else {
        return;
    };
    let base = register(mem.base());
    if base == Some(Reg::SP) && detail.writeback() {
        inst.stack = StackUse::Pop;
        return;
    }
    let name = inst.operands.as_str();
    let size = match inst.mnemonic.as_str() {
        "ldrb" | "ldurb" | "ldrsb" | "ldursb" => 1,
        "ldrh" | "ldurh" | "ldrsh" | "ldursh" => 2,
        "ldrsw" | "ldursw" => 4,
        _ if name.starts_with('w') || name.starts_with('s') => 4,
        _ if name.starts_with('q') => 16,
        _ => 8,
    };
    inst.load = Some(Load {
        base,
        index: register(mem.index()),
        displacement: i64::from(mem.disp()),
        size,
    });
}

fn store(
    inst: &mut Inst,
    detail: &Arm64InsnDetail<'_>,
    operands: &[Arm64Operand],
    register: &dyn Fn(RegId) -> Option<Reg>,
) {
    let mut sources = operands.iter().map_while(|operand| match operand.op_type {
        Arm64OperandType::Reg(id) => Some(register(id)),
        _ => None,
    });
    let source = sources.next().flatten();
    let registers = 1 + sources.count() as u8;
    let Some(mem) = operands.iter().find_map(|operand| match operand.op_type {
        Arm64OperandType::Mem(mem) => Some(mem),
        _ => None,
    }) else {
        return;
    };
    match register(mem.base()) {
        Some(Reg::SP) if detail.writeback() => {
            inst.stack = StackUse::Push {
                registers,
                bytes: mem.disp().unsigned_abs(),
            };
        }
        Some(base @ (Reg::SP | FP)) => {
            inst.stack = StackUse::Store {
                base,
                source,
                registers,
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_register_are_one() {
        assert_eq!(register("w8"), register("x8"));
        assert_eq!(register("fp"), Some(FP));
        assert_eq!(register("x29"), Some(FP));
        assert_eq!(register("lr"), Some(Reg(30)));
        assert_eq!(register("sp"), Some(Reg::SP));
        assert_eq!(register("wzr"), None);
        assert_eq!(register("q0"), Some(Reg::OTHER));
        assert_eq!(register("nzcv"), Some(Reg::OTHER));
    }
}
