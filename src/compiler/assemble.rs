//! From finished blocks to a code object: jump distances, `EXTENDED_ARG`, side tables, the kinds of the locals
//! (CPython's `assemble.c`).

use super::cfg::{BlockId, Cfg, is_terminator};
use super::error::CompileError;
use super::instr::{CodeUnit, InstructionSequence, Location};
use super::opt;
use crate::bytecode::Opcode;
use crate::bytecode::spec::{CodeSpec, Wtf8, code_flags, local_kind};
use crate::bytecode::tables::{ExceptionEntry, LocationWriter, write_exception_entry};
use rustc_hash::FxHashSet;

/// Memory that one unit after the other is optimised and packed in: units are small and many.
#[derive(Default)]
pub struct Workspace {
    cfg: Cfg,
    layout: Layout,
    /// Sequences of units that are done.
    sequences: Vec<InstructionSequence>,
}

impl Workspace {
    /// A sequence to fill, which comes back with its unit.
    pub fn sequence(&mut self) -> InstructionSequence {
        self.sequences.pop().unwrap_or_default()
    }
}

/// Runs every pass over one unit and packs the result (`_PyCompile_OptimizeAndAssemble`). Nested functions
/// are finished first and sit in the unit's constants.
pub fn optimize_and_assemble(
    unit: CodeUnit,
    workspace: &mut Workspace,
) -> Result<CodeSpec, CompileError> {
    let mut unit = unit;
    let Workspace {
        cfg,
        layout,
        sequences,
    } = workspace;
    cfg.rebuild(&unit.seq)?;
    unit.seq.clear();
    sequences.push(std::mem::take(&mut unit.seq));
    opt::optimize_code_unit(cfg, &mut unit)?;
    let stacksize = opt::finish(cfg, &unit)?;

    layout.rebuild(cfg)?;
    layout.resolve_jumps()?;
    layout.resolve_next_locations();
    let (localsplusnames, localspluskinds) = locals_plus(&mut unit);
    Ok(CodeSpec {
        code: layout.emit(),
        linetable: layout.location_table(unit.firstlineno),
        exceptiontable: layout.exception_table(cfg),
        filename: unit.filename,
        name: unit.name,
        qualname: unit.qualname,
        flags: unit.flags,
        firstlineno: unit.firstlineno,
        consts: unit.consts.into_vec(),
        names: unit.names,
        localsplusnames,
        localspluskinds,
        argcount: unit.argcount,
        posonlyargcount: unit.posonlyargcount,
        kwonlyargcount: unit.kwonlyargcount,
        stacksize,
    })
}

/// Units between a `SEND` and the `END_SEND` after its loop (`END_SEND_OFFSET`).
const END_SEND_OFFSET: u32 = 5;

/// An instruction at its place.
struct Placed {
    op: Opcode,
    /// For a jump first the index of its target, then the distance.
    oparg: u32,
    /// Index of the target.
    target: u32,
    /// Code units before it.
    offset: u32,
    caches: u8,
    has_jump: bool,
    except: Option<BlockId>,
    loc: Location,
}

impl Placed {
    fn units(&self) -> u32 {
        extended_args(self.oparg) + 1 + u32::from(self.caches)
    }
}

fn extended_args(oparg: u32) -> u32 {
    u32::from(oparg > 0xff) + u32::from(oparg > 0xffff) + u32::from(oparg > 0xff_ffff)
}

#[derive(Default)]
struct Layout {
    instrs: Vec<Placed>,
    /// For every block the index of its first instruction; an empty block has its successor's.
    starts: Vec<u32>,
    /// The location table in the making.
    locations: Vec<u8>,
}

impl Layout {
    fn rebuild(&mut self, cfg: &Cfg) -> Result<(), CompileError> {
        let Layout { instrs, starts, .. } = self;
        instrs.clear();
        starts.clear();
        starts.resize(cfg.block_count(), u32::MAX);
        let mut count = 0;
        for b in cfg.iter() {
            starts[b.index()] = count;
            count += cfg[b].instrs.len() as u32;
        }
        instrs.reserve(count as usize);
        for b in cfg.iter() {
            for (i, instr) in cfg[b].instrs.iter().enumerate() {
                if instr.op.is_pseudo()
                    && !matches!(instr.op, Opcode::JUMP | Opcode::JUMP_NO_INTERRUPT)
                {
                    return Err(CompileError::system(format!("{:?} left over", instr.op)));
                }
                let mut placed = Placed {
                    op: instr.op,
                    oparg: instr.oparg as u32,
                    target: 0,
                    offset: 0,
                    caches: 0,
                    has_jump: instr.is_jump(),
                    except: instr.except,
                    loc: instr.loc,
                };
                if placed.has_jump {
                    let target = instr.target.map_or(u32::MAX, |t| starts[t.index()]);
                    if target >= count {
                        return Err(CompileError::system("jump with NULL target"));
                    }
                    let here = starts[b.index()] + i as u32;
                    placed.op = direct(instr.op, target > here);
                    placed.target = target;
                    placed.oparg = target;
                }
                placed.caches = placed.op.caches() as u8;
                instrs.push(placed);
            }
        }
        Ok(())
    }

    /// Distances of jumps, which depend on the sizes of jumps (`resolve_jump_offsets`).
    fn resolve_jumps(&mut self) -> Result<(), CompileError> {
        // A jump may shrink in one round and grow in another. CPython has no limit; every known program is done
        // after three rounds.
        const MAX_ROUNDS: usize = 1000;
        for _ in 0..MAX_ROUNDS {
            let mut offset = 0;
            for instr in &mut self.instrs {
                instr.offset = offset;
                offset += instr.units();
            }
            let mut again = false;
            for i in 0..self.instrs.len() {
                let instr = &self.instrs[i];
                if !instr.has_jump {
                    continue;
                }
                let units = instr.units();
                let after = instr.offset + units;
                let target = self.instrs[instr.target as usize].offset;
                let distance = if instr.op == Opcode::END_ASYNC_FOR {
                    // Tracing wants the END_SEND that belongs to the SEND it names.
                    after.wrapping_sub(target + END_SEND_OFFSET)
                } else {
                    after.abs_diff(target)
                };
                let instr = &mut self.instrs[i];
                instr.oparg = distance;
                again |= instr.units() != units;
            }
            if !again {
                return Ok(());
            }
        }
        Err(CompileError::system("jump sizes do not settle"))
    }

    fn resolve_next_locations(&mut self) {
        let mut next = Location::NO_LOCATION;
        for instr in self.instrs.iter_mut().rev() {
            if instr.loc == Location::NEXT_LOCATION {
                instr.loc = if is_terminator(instr.op) {
                    Location::NO_LOCATION
                } else {
                    next
                };
            }
            next = instr.loc;
        }
    }

    /// `assemble_emit`
    fn emit(&self) -> Vec<u8> {
        let size = self.instrs.last().map_or(0, |i| i.offset + i.units());
        let mut code = Vec::with_capacity(2 * size as usize);
        for instr in &self.instrs {
            for i in (1..=extended_args(instr.oparg)).rev() {
                let part = (instr.oparg >> (8 * i)) as u8;
                code.extend_from_slice(&[Opcode::EXTENDED_ARG.0 as u8, part]);
            }
            code.extend_from_slice(&[instr.op.0 as u8, instr.oparg as u8]);
            code.resize(code.len() + 2 * instr.caches as usize, 0);
        }
        code
    }

    /// `assemble_location_info`
    fn location_table(&mut self, firstlineno: i32) -> Vec<u8> {
        let mut writer = LocationWriter::new(firstlineno, std::mem::take(&mut self.locations));
        let mut loc = Location::NO_LOCATION;
        let mut units = 0;
        for instr in &self.instrs {
            if instr.loc != loc {
                writer.write(&loc, units);
                loc = instr.loc;
                units = 0;
            }
            units += instr.units() as usize;
        }
        writer.write(&loc, units);
        self.locations = writer.finish();
        self.locations.clone()
    }

    /// `assemble_exception_table`
    fn exception_table(&self, cfg: &Cfg) -> Vec<u8> {
        let mut table = Vec::new();
        let mut flush = |handler: Option<BlockId>, start: u32, end: u32| {
            let Some(handler) = handler else { return };
            let block = &cfg[handler];
            // What the unwinder pushes itself is no part of the depth it cuts to.
            let pushed = 1 + i32::from(block.preserve_lasti);
            let target = self.starts[handler.index()] as usize;
            let entry = ExceptionEntry {
                start,
                end,
                target: self.instrs[target].offset,
                depth: (block.start_depth - pushed) as u32,
                lasti: block.preserve_lasti,
            };
            write_exception_entry(&mut table, &entry);
        };
        // Two handlers are one if the first of them is empty.
        let place = |h: Option<BlockId>| h.map(|h| self.starts[h.index()]);
        let mut handler = None;
        let mut start = 0;
        let mut end = 0;
        for instr in &self.instrs {
            if place(instr.except) != place(handler) {
                flush(handler, start, instr.offset);
                start = instr.offset;
                handler = instr.except;
            }
            end = instr.offset + instr.units();
        }
        flush(handler, start, end);
        table
    }
}

/// `resolve_unconditional_jumps`
fn direct(op: Opcode, is_forward: bool) -> Opcode {
    match (op, is_forward) {
        (Opcode::JUMP | Opcode::JUMP_NO_INTERRUPT, true) => Opcode::JUMP_FORWARD,
        (Opcode::JUMP, false) => Opcode::JUMP_BACKWARD,
        (Opcode::JUMP_NO_INTERRUPT, false) => Opcode::JUMP_BACKWARD_NO_INTERRUPT,
        _ => op,
    }
}

/// Names and kinds of the slots: locals, cells that are no locals, free variables (`compute_localsplus_info`).
fn locals_plus(unit: &mut CodeUnit) -> (Vec<Wtf8>, Vec<u8>) {
    use local_kind::*;
    let cells: FxHashSet<&Wtf8> = unit.cellvars.iter().collect();
    let hidden: FxHashSet<&Wtf8> = unit.fast_hidden.iter().collect();
    let plain = cells.is_empty() && hidden.is_empty();
    let has = |flag: u32| usize::from(unit.flags & flag != 0);
    let argument_kinds = [
        (unit.posonlyargcount as usize, ARG_POS),
        (
            (unit.argcount - unit.posonlyargcount) as usize,
            ARG_POS | ARG_KW,
        ),
        (unit.kwonlyargcount as usize, ARG_KW),
        (has(code_flags::VARARGS), ARG_VAR | ARG_POS),
        (has(code_flags::VARKEYWORDS), ARG_VAR | ARG_KW),
    ];
    let argument_kinds = argument_kinds
        .into_iter()
        .flat_map(|(n, kind)| std::iter::repeat_n(kind, n));

    let kind_of = |(name, argument_kind): (&Wtf8, u8)| {
        if plain {
            return LOCAL | argument_kind;
        }
        let hidden = if hidden.contains(name) { HIDDEN } else { 0 };
        let cell = if cells.contains(name) { CELL } else { 0 };
        LOCAL | argument_kind | hidden | cell
    };
    let argument_kinds = argument_kinds.chain(std::iter::repeat(0));
    let mut kinds: Vec<u8> = unit
        .varnames
        .iter()
        .zip(argument_kinds)
        .map(kind_of)
        .collect();
    if !cells.is_empty() {
        let locals: FxHashSet<&Wtf8> = unit.varnames.iter().collect();
        let keep: Vec<bool> = unit.cellvars.iter().map(|n| !locals.contains(n)).collect();
        let mut keep = keep.into_iter();
        unit.cellvars.retain(|_| keep.next().unwrap_or(true));
    }
    let mut names = std::mem::take(&mut unit.varnames);
    kinds.resize(kinds.len() + unit.cellvars.len(), CELL);
    names.append(&mut unit.cellvars);
    kinds.resize(kinds.len() + unit.freevars.len(), FREE);
    names.append(&mut unit.freevars);
    (names, kinds)
}
