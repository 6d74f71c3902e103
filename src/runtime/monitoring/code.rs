//! Code objects under instrumentation: which tools watch which instruction, and the opcodes that say so.

use super::lines::{self, Start};
use super::{LOCAL_EVENTS, TOOLS, event, put_set, set_of};
use crate::bytecode::Opcode;
use crate::bytecode::backoff::BackoffCounter;
use crate::object::Raised;
use crate::runtime::code::CodeObject;
use crate::runtime::thread::Thread;
use std::cell::{Cell, OnceCell};

/// `_PyCoMonitoringData`. It is made when a tool first wants something of the code, and stays.
pub struct CodeMonitoring {
    /// Tools by event, for this code.
    local: [Cell<u8>; LOCAL_EVENTS],
    /// Tools by event that the code is instrumented for.
    active: [Cell<u8>; LOCAL_EVENTS],
    versions: [Cell<u64>; TOOLS],
    /// Tools by code unit, for the one event of an instruction, for LINE, for INSTRUCTION.
    tools: Box<[Cell<u8>]>,
    line_tools: Box<[Cell<u8>]>,
    instruction_tools: Box<[Cell<u8>]>,
    lines: OnceCell<Box<[Start]>>,
    /// Number of places where a tool wants LINE and it depends on the line before whether there is one.
    open_lines: Cell<usize>,
}

impl CodeMonitoring {
    fn new(ts: &Thread, units: usize) -> Result<CodeMonitoring, Raised> {
        let table = || {
            let mut table = Vec::new();
            match table.try_reserve_exact(units) {
                Ok(()) => {
                    table.resize(units, Cell::new(0));
                    Ok(table.into_boxed_slice())
                }
                Err(_) => Err(ts.vm().no_memory()),
            }
        };
        Ok(CodeMonitoring {
            local: Default::default(),
            active: Default::default(),
            versions: std::array::from_fn(|tool| {
                Cell::new(ts.monitoring.tool_versions[tool].get())
            }),
            tools: table()?,
            line_tools: table()?,
            instruction_tools: table()?,
            lines: OnceCell::new(),
            open_lines: Cell::new(0),
        })
    }
    pub(super) fn local_events(&self, tool: usize) -> u32 {
        set_of(&self.local, tool)
    }
    pub(super) fn set_local_events(&self, tool: usize, events: u32) {
        put_set(&self.local, tool, events);
    }
    /// Tools that the code is instrumented for.
    pub fn active(&self, event: usize) -> u8 {
        self.active[event].get()
    }
    fn table(&self, event: usize) -> &[Cell<u8>] {
        match event {
            event::LINE => &self.line_tools,
            event::INSTRUCTION => &self.instruction_tools,
            _ => &self.tools,
        }
    }
    /// Tools that watch the instruction at a unit.
    pub fn tools(&self, unit: usize, event: usize) -> u8 {
        self.table(event)[unit].get()
    }
    /// Takes a tool away from an instruction.
    pub(super) fn disable(&self, code: &CodeObject, unit: usize, event: usize, tool: usize) {
        let tools = &self.table(event)[unit];
        let left = tools.get() & !(1 << tool);
        let last = tools.replace(left) != 0 && left == 0;
        let open = || self.lines(code)[unit].is_open();
        if last && event == event::LINE && open() {
            self.open_lines.set(self.open_lines.get() - 1);
            if self.open_lines.get() == 0 {
                return self.write_all(code);
            }
        }
        self.write(code, unit);
    }
    fn count_open_lines(&self) {
        let lines = self.lines.get().into_iter().flatten();
        let open = lines
            .zip(&self.line_tools)
            .filter(|(start, tools)| start.is_open() && tools.get() != 0);
        self.open_lines.set(open.count());
    }
    /// LINE stands there: a tool wants it, or one wants it elsewhere and must know where the frame has been.
    fn has_line(&self, unit: usize) -> bool {
        let starts = || self.lines.get().map(|lines| &lines[unit]);
        self.line_tools[unit].get() != 0
            || self.open_lines.get() != 0 && starts().is_some_and(|start| start.begins)
    }
    pub fn lines(&self, code: &CodeObject) -> &[Start] {
        self.lines
            .get_or_init(|| lines::starts(&code.spec, code.first_traceable as usize))
    }
    /// The opcode that does the work of an instruction when LINE is done with.
    pub fn below_line(&self, code: &CodeObject, unit: usize) -> Opcode {
        if self.instruction_tools[unit].get() != 0 {
            Opcode::INSTRUMENTED_INSTRUCTION
        } else {
            self.below_instruction(code, unit)
        }
    }
    /// The same when INSTRUCTION is done with too.
    pub fn below_instruction(&self, code: &CodeObject, unit: usize) -> Opcode {
        let base = code.base_opcode(unit);
        if self.tools[unit].get() != 0 {
            instrumented(base).unwrap_or(base)
        } else {
            base
        }
    }
    fn write_all(&self, code: &CodeObject) {
        let mut unit = code.first_traceable as usize;
        while unit < code.units() {
            self.write(code, unit);
            unit += 1 + code.base_opcode(unit).caches();
        }
    }
    /// Writes the opcode that the tables ask for. One that asks for nothing keeps the form that it has taken.
    fn write(&self, code: &CodeObject, unit: usize) {
        let wanted = if self.has_line(unit) {
            Opcode::INSTRUMENTED_LINE
        } else {
            self.below_line(code, unit)
        };
        let byte = &code.adaptive()[2 * unit];
        let now = Opcode(u16::from(byte.get()));
        let base = code.base_opcode(unit);
        if now == wanted || (wanted == base && !is_instrumented(now)) {
            return;
        }
        byte.set(wanted.0 as u8);
        let hides = matches!(
            wanted,
            Opcode::INSTRUMENTED_LINE | Opcode::INSTRUMENTED_INSTRUCTION
        );
        if base.caches() > 0 && !hides {
            let counter = BackoffCounter::WARMUP.0.to_le_bytes();
            code.adaptive()[2 * unit + 2].set(counter[0]);
            code.adaptive()[2 * unit + 3].set(counter[1]);
        }
    }
}

/// Whether an opcode is one of instrumentation: specialising leaves it alone.
#[inline(always)]
pub fn is_instrumented(op: Opcode) -> bool {
    op >= Opcode::INSTRUMENTED_END_FOR && op < Opcode::ENTER_EXECUTOR
}

/// The form of an instruction that calls tools (`INSTRUMENTED_OPCODES`).
fn instrumented(base: Opcode) -> Option<Opcode> {
    Some(match base {
        Opcode::RESUME => Opcode::INSTRUMENTED_RESUME,
        Opcode::RETURN_VALUE => Opcode::INSTRUMENTED_RETURN_VALUE,
        Opcode::YIELD_VALUE => Opcode::INSTRUMENTED_YIELD_VALUE,
        Opcode::CALL => Opcode::INSTRUMENTED_CALL,
        Opcode::CALL_KW => Opcode::INSTRUMENTED_CALL_KW,
        Opcode::CALL_FUNCTION_EX => Opcode::INSTRUMENTED_CALL_FUNCTION_EX,
        Opcode::LOAD_SUPER_ATTR => Opcode::INSTRUMENTED_LOAD_SUPER_ATTR,
        Opcode::JUMP_FORWARD => Opcode::INSTRUMENTED_JUMP_FORWARD,
        Opcode::JUMP_BACKWARD => Opcode::INSTRUMENTED_JUMP_BACKWARD,
        Opcode::POP_JUMP_IF_FALSE => Opcode::INSTRUMENTED_POP_JUMP_IF_FALSE,
        Opcode::POP_JUMP_IF_TRUE => Opcode::INSTRUMENTED_POP_JUMP_IF_TRUE,
        Opcode::POP_JUMP_IF_NONE => Opcode::INSTRUMENTED_POP_JUMP_IF_NONE,
        Opcode::POP_JUMP_IF_NOT_NONE => Opcode::INSTRUMENTED_POP_JUMP_IF_NOT_NONE,
        Opcode::FOR_ITER => Opcode::INSTRUMENTED_FOR_ITER,
        Opcode::POP_ITER => Opcode::INSTRUMENTED_POP_ITER,
        Opcode::NOT_TAKEN => Opcode::INSTRUMENTED_NOT_TAKEN,
        Opcode::END_FOR => Opcode::INSTRUMENTED_END_FOR,
        Opcode::END_SEND => Opcode::INSTRUMENTED_END_SEND,
        Opcode::END_ASYNC_FOR => Opcode::INSTRUMENTED_END_ASYNC_FOR,
        _ => return None,
    })
}

/// The event that happens at an instruction (`EVENT_FOR_OPCODE`).
fn event_of(base: Opcode, oparg: u8) -> Option<usize> {
    Some(match base {
        Opcode::RESUME if oparg == 0 => event::PY_START,
        Opcode::RESUME => event::PY_RESUME,
        Opcode::RETURN_VALUE => event::PY_RETURN,
        Opcode::YIELD_VALUE => event::PY_YIELD,
        Opcode::CALL | Opcode::CALL_KW | Opcode::CALL_FUNCTION_EX | Opcode::LOAD_SUPER_ATTR => {
            event::CALL
        }
        Opcode::JUMP_FORWARD | Opcode::JUMP_BACKWARD => event::JUMP,
        Opcode::FOR_ITER | Opcode::NOT_TAKEN => event::BRANCH_LEFT,
        Opcode::POP_JUMP_IF_FALSE
        | Opcode::POP_JUMP_IF_TRUE
        | Opcode::POP_JUMP_IF_NONE
        | Opcode::POP_JUMP_IF_NOT_NONE
        | Opcode::POP_ITER
        | Opcode::END_ASYNC_FOR => event::BRANCH_RIGHT,
        Opcode::END_FOR | Opcode::END_SEND => event::STOP_ITERATION,
        _ => return None,
    })
}

/// The place of a branch's other way, with its event, where CPython finds it: from the instruction that jumps.
pub(super) fn other_way(code: &CodeObject, unit: usize) -> Option<(usize, usize)> {
    match code.base_opcode(unit) {
        Opcode::NOT_TAKEN | Opcode::POP_ITER => None,
        Opcode::FOR_ITER => {
            let target = unit + 1 + Opcode::FOR_ITER.caches() + oparg_at(code, unit) + 1;
            (code.base_opcode(target) == Opcode::POP_ITER).then_some((target, event::BRANCH_RIGHT))
        }
        jump => {
            let behind = unit + 1 + jump.caches();
            (code.base_opcode(behind) == Opcode::NOT_TAKEN).then_some((behind, event::BRANCH_LEFT))
        }
    }
}

/// An instruction's oparg with those of the EXTENDED_ARG before it.
fn oparg_at(code: &CodeObject, unit: usize) -> usize {
    let bytes = &code.spec.code;
    let mut oparg = usize::from(bytes[2 * unit + 1]);
    let (mut at, mut shift) = (unit, 8);
    while at > code.first_traceable as usize
        && shift < 32
        && code.base_opcode(at - 1) == Opcode::EXTENDED_ARG
    {
        at -= 1;
        oparg |= usize::from(bytes[2 * at + 1]) << shift;
        shift += 8;
    }
    oparg
}

/// The jump that has led to a NOT_TAKEN or POP_ITER: the one before it, or the FOR_ITER that ends there.
pub fn branch_source(code: &CodeObject, unit: usize) -> usize {
    if unit > 0 && code.base_opcode(unit - 1) == Opcode::END_FOR {
        let mut at = 0;
        while at < unit {
            let op = code.base_opcode(at);
            let end = at + 1 + op.caches();
            if op == Opcode::FOR_ITER && end + oparg_at(code, at) == unit - 1 {
                return at;
            }
            at = end;
        }
    }
    code.instruction_ending_at(unit)
}

/// The monitoring data of a code object, made if there is none.
pub(super) fn data<'a>(ts: &Thread, code: &'a CodeObject) -> Result<&'a CodeMonitoring, Raised> {
    if let Some(data) = code.monitoring.get() {
        return Ok(data);
    }
    let data = Box::new(CodeMonitoring::new(ts, code.units())?);
    Ok(code.monitoring.get_or_init(|| data))
}

/// A tool that has been cleared since has no local events any more.
pub(super) fn forget_freed_tools(ts: &Thread, data: &CodeMonitoring) {
    for tool in 0..TOOLS {
        let version = ts.monitoring.tool_versions[tool].get();
        if data.versions[tool].replace(version) != version {
            put_set(&data.local, tool, 0);
        }
    }
}

/// Code of an older version has no RESUME_CHECK: its RESUME compares.
pub(super) fn unquicken_resumes(code: &CodeObject) {
    for &unit in &code.resumes {
        let byte = &code.adaptive()[2 * unit as usize];
        if Opcode(u16::from(byte.get())) == Opcode::RESUME_CHECK {
            byte.set(Opcode::RESUME.0 as u8);
        }
    }
}

/// Brings a code object up to date with what is wanted (`_Py_Instrument`).
pub fn instrument(ts: &Thread, code: &CodeObject) -> Result<(), Raised> {
    let version = ts.heap.eval_breaker.version();
    if code.instrumentation_version.get() == version {
        return Ok(());
    }
    let state = &ts.monitoring;
    let everywhere: [u8; LOCAL_EVENTS] = std::array::from_fn(|event| state.tools(event));
    if code.monitoring.get().is_none() && everywhere == [0; LOCAL_EVENTS] {
        code.instrumentation_version.set(version);
        return Ok(());
    }
    let data = data(ts, code)?;
    forget_freed_tools(ts, data);
    let restarted = code.instrumentation_version.get() < state.last_restart.get();
    let (mut removed, mut new) = ([0; LOCAL_EVENTS], [0; LOCAL_EVENTS]);
    for event in 0..LOCAL_EVENTS {
        let wanted = everywhere[event] | data.local[event].get();
        let active = data.active[event].replace(wanted);
        (removed[event], new[event]) = if restarted {
            (active, wanted)
        } else {
            (active & !wanted, wanted & !active)
        };
    }
    code.instrumentation_version.set(version);
    if removed == [0; LOCAL_EVENTS] && new == [0; LOCAL_EVENTS] {
        return Ok(());
    }
    let change = |tools: &Cell<u8>, event: usize| {
        tools.set(tools.get() & !removed[event] | new[event]);
    };
    let lines = if removed[event::LINE] | new[event::LINE] != 0 {
        data.lines(code)
    } else {
        &[]
    };
    let mut unit = code.first_traceable as usize;
    while unit < code.units() {
        let base = code.base_opcode(unit);
        if let Some(event) = event_of(base, code.spec.code[2 * unit + 1]) {
            change(&data.tools[unit], event);
        }
        if lines.get(unit).is_some_and(|start| start.begins) {
            change(&data.line_tools[unit], event::LINE);
        }
        // What compares versions is never hidden.
        if base != Opcode::RESUME {
            change(&data.instruction_tools[unit], event::INSTRUCTION);
        }
        unit += 1 + base.caches();
    }
    data.count_open_lines();
    data.write_all(code);
    Ok(())
}

/// Keeps an instruction under instrumentation from specialising: its counter does not trigger
/// (`PAUSE_ADAPTIVE_COUNTER`).
///
/// # Safety
/// `instr` is an instruction in live code, `op` its opcode as the compiler wrote it or a form of that.
pub unsafe fn pause_counter(instr: *mut u8, base: Opcode) {
    if base.caches() > 0 {
        // SAFETY: a cache follows, which begins with a counter.
        unsafe {
            let counter = instr.add(2).cast::<u16>();
            counter.write_unaligned(BackoffCounter(counter.read_unaligned()).paused().0);
        }
    }
}

/// The code that a frame runs.
///
/// # Safety
/// `locals` are those of a live frame with code.
pub unsafe fn of_frame<'a>(locals: *mut crate::object::Word) -> &'a CodeObject {
    unsafe { &*crate::runtime::frame::code(locals) }
}
