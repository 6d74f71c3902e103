//! What can be checked of each instruction and of the tables by themselves.

use super::{Fault, fault};
use crate::bytecode::Opcode;
use crate::bytecode::instructions::{Decoded, instructions};
use crate::bytecode::spec::{CodeSpec, local_kind};
use crate::bytecode::tables::{ExceptionEntry, read_exception_table, read_locations};

pub(super) const NOWHERE: u32 = u32::MAX;

/// The instructions of a code object, every one of them well-formed by itself.
pub(super) struct Layout {
    pub(super) instrs: Vec<Decoded>,
    /// By code unit: the instruction that starts there and may be jumped to, or `NOWHERE`.
    starts: Vec<u32>,
    pub(super) handlers: Vec<ExceptionEntry>,
    /// By instruction: index of its entry in `handlers`, or `NOWHERE`.
    pub(super) handler_of: Vec<u32>,
}

impl Layout {
    pub(super) fn new(code: &CodeSpec) -> Result<Layout, Fault> {
        if code.code.is_empty() || !code.code.len().is_multiple_of(2) {
            return fault(0, "code is empty or ends in half a unit");
        }
        let units = code.code.len() / 2;
        let instrs: Vec<Decoded> = instructions(&code.code).collect();
        let mut starts = vec![NOWHERE; units];
        let mut extended = 0;
        for (i, instr) in instrs.iter().enumerate() {
            check_operand(code, instr, extended > 0)?;
            let at = instr.offset;
            if instr.end() > units {
                return fault(at, format!("{:?}: cache reaches past the end", instr.op));
            }
            let cache = &code.code[2 * at + 2..2 * instr.end()];
            if cache.iter().any(|&b| b != 0) {
                return fault(at, format!("{:?}: cache is not empty", instr.op));
            }
            if extended == 0 {
                starts[at] = i as u32;
            }
            extended = match instr.op {
                Opcode::EXTENDED_ARG => extended + 1,
                _ => 0,
            };
            // An argument has four bytes.
            if extended > 3 {
                return fault(at, "argument is too long");
            }
        }
        let mut layout = Layout {
            handler_of: vec![NOWHERE; instrs.len()],
            instrs,
            starts,
            handlers: read_exception_table(&code.exceptiontable)
                .map_err(|e| (0, format!("exception table: {e}")))?,
        };
        layout.check_handlers(units)?;
        check_locations(code, units)?;
        Ok(layout)
    }

    pub(super) fn instruction_at(&self, unit: i64) -> Option<usize> {
        let start = usize::try_from(unit).ok().and_then(|u| self.starts.get(u));
        start.filter(|&&i| i != NOWHERE).map(|&i| i as usize)
    }

    fn check_handlers(&mut self, units: usize) -> Result<(), Fault> {
        let mut free_from = 0;
        for (number, entry) in self.handlers.iter().enumerate() {
            let at = entry.start as usize;
            if entry.start >= entry.end || entry.end as usize > units || entry.start < free_from {
                return fault(at, "exception table: ranges overlap or are out of order");
            }
            free_from = entry.end;
            let first = self.instruction_at(i64::from(entry.start));
            let whole =
                entry.end as usize == units || self.instruction_at(i64::from(entry.end)).is_some();
            let (Some(first), true) = (first, whole) else {
                return fault(at, "exception table: a range cuts an instruction");
            };
            if self.instruction_at(i64::from(entry.target)).is_none() {
                return fault(at, "exception table: handler is no instruction");
            }
            let covered = self.instrs[first..].iter();
            let covered = covered.take_while(|i| i.offset < entry.end as usize);
            let last = first + covered.count();
            self.handler_of[first..last].fill(number as u32);
        }
        Ok(())
    }
}

/// There is no location beyond the code; what has none belongs to no line.
fn check_locations(code: &CodeSpec, units: usize) -> Result<(), Fault> {
    let ranges = read_locations(&code.linetable, code.firstlineno);
    let ranges = ranges.map_err(|e| (0, format!("location table: {e}")))?;
    match ranges.last().map_or(0, |r| r.end as usize) {
        end if end <= units => Ok(()),
        _ => fault(units, "location table is longer than the code"),
    }
}

/// No stack and no code is that large, and arithmetic on arguments stays within bounds.
const MAX_OPARG: u32 = 1 << 28;

/// Whether code that has not run may hold it: no specialised form, nothing that monitoring, a second tier or the
/// interpreter itself writes.
fn stands_in_code(op: Opcode) -> bool {
    let own = [
        Opcode::CACHE,
        Opcode::RESERVED,
        Opcode::INTERPRETER_EXIT,
        Opcode::EXIT_INIT_CHECK,
    ];
    op.is_defined()
        && op.deopt() == op
        && op < Opcode::MIN_INSTRUMENTED
        && !op.is_private()
        && !own.contains(&op)
}

fn check_operand(code: &CodeSpec, instr: &Decoded, extended: bool) -> Result<(), Fault> {
    let Decoded { offset, op, oparg } = *instr;
    if !stands_in_code(op) {
        return fault(offset, format!("opcode {} ({op:?}) in fresh code", op.0));
    }
    if oparg >= MAX_OPARG {
        return fault(offset, format!("{op:?}: argument {oparg} is out of range"));
    }
    if !op.has_arg() && (oparg != 0 || extended) {
        return fault(offset, format!("{op:?} takes no argument"));
    }
    let arg = oparg as usize;
    let slots = code.localspluskinds.len();
    let cell = |slot: usize| {
        let kinds = code.localspluskinds.get(slot).copied().unwrap_or(0);
        kinds & (local_kind::CELL | local_kind::FREE) != 0
    };
    let valid = match op {
        Opcode::LOAD_CONST => arg < code.consts.len(),
        Opcode::LOAD_SMALL_INT => arg < 256,
        Opcode::LOAD_GLOBAL | Opcode::LOAD_ATTR => arg >> 1 < code.names.len(),
        Opcode::LOAD_SUPER_ATTR => arg >> 2 < code.names.len(),
        Opcode::LOAD_FAST_LOAD_FAST
        | Opcode::LOAD_FAST_BORROW_LOAD_FAST_BORROW
        | Opcode::STORE_FAST_LOAD_FAST
        | Opcode::STORE_FAST_STORE_FAST => arg < 256 && (arg >> 4).max(arg & 15) < slots,
        Opcode::LOAD_DEREF
        | Opcode::STORE_DEREF
        | Opcode::DELETE_DEREF
        | Opcode::LOAD_FROM_DICT_OR_DEREF
        | Opcode::MAKE_CELL => cell(arg),
        Opcode::COPY_FREE_VARS => arg == code.free_count(),
        Opcode::COPY => arg >= 1,
        Opcode::SWAP => arg >= 2,
        Opcode::BINARY_OP => arg <= 26,
        Opcode::COMPARE_OP => arg >> 5 < 6,
        Opcode::CALL_INTRINSIC_1 => (1..=11).contains(&arg),
        Opcode::CALL_INTRINSIC_2 => (1..=5).contains(&arg),
        Opcode::CONVERT_VALUE => (1..=3).contains(&arg),
        Opcode::SET_FUNCTION_ATTRIBUTE => arg.is_power_of_two() && arg <= 16,
        Opcode::RAISE_VARARGS | Opcode::GET_AWAITABLE => arg <= 2,
        Opcode::BUILD_SLICE => arg == 2 || arg == 3,
        Opcode::BUILD_INTERPOLATION => arg >> 2 <= 3,
        Opcode::YIELD_VALUE => arg <= 1,
        Opcode::LOAD_COMMON_CONSTANT => arg <= 4,
        Opcode::LOAD_SPECIAL => arg <= 3,
        Opcode::IS_OP | Opcode::CONTAINS_OP => arg <= 1,
        _ if op.has_name() => arg < code.names.len(),
        _ if op.has_local() || op.has_free() => arg < slots,
        _ => true,
    };
    if valid {
        Ok(())
    } else {
        fault(offset, format!("{op:?}: argument {oparg} is out of range"))
    }
}
