//! Reading bytecode back.

use super::Opcode;

/// One instruction of a code string; `EXTENDED_ARG` is an instruction of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decoded {
    /// Code unit at which it stands.
    pub offset: usize,
    pub op: Opcode,
    /// With what the `EXTENDED_ARG`s before it add.
    pub oparg: u32,
}

impl Decoded {
    /// Code unit after the instruction and its inline cache.
    pub fn end(&self) -> usize {
        self.offset + 1 + self.op.deopt().caches()
    }
    /// Control may pass to the instruction behind.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self.op.deopt(),
            Opcode::JUMP_FORWARD
                | Opcode::JUMP_BACKWARD
                | Opcode::JUMP_BACKWARD_NO_INTERRUPT
                | Opcode::RETURN_VALUE
                | Opcode::RAISE_VARARGS
                | Opcode::RERAISE
                | Opcode::INTERPRETER_EXIT
        )
    }
    /// Code unit that a jump leads to (`dis._get_jump_target`); `END_ASYNC_FOR` only names one.
    pub fn jump_target(&self) -> Option<i64> {
        let op = self.op.deopt();
        if !op.has_jump() {
            return None;
        }
        let distance = i64::from(self.oparg);
        let backward = matches!(
            op,
            Opcode::JUMP_BACKWARD | Opcode::JUMP_BACKWARD_NO_INTERRUPT | Opcode::END_ASYNC_FOR
        );
        let end = self.end() as i64;
        Some(if backward {
            end - distance
        } else {
            end + distance
        })
    }
}

/// The instructions of `code`, two bytes a unit; a half unit at the end is left out (`dis._unpack_opargs`).
pub fn instructions(code: &[u8]) -> impl Iterator<Item = Decoded> + '_ {
    let mut offset = 0;
    let mut extended = 0;
    std::iter::from_fn(move || {
        let unit = code.get(2 * offset..2 * offset + 2)?;
        let decoded = Decoded {
            offset,
            op: Opcode(u16::from(unit[0])),
            oparg: u32::from(unit[1]) | extended,
        };
        extended = match decoded.op {
            Opcode::EXTENDED_ARG => decoded.oparg << 8,
            _ => 0,
        };
        offset = decoded.end();
        Some(decoded)
    })
}
