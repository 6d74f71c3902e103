//! Monitoring (PEP 669, `instrumentation.c`): tools, the events that they want, their callbacks.
//!
//! An event inside a function happens where an instruction stands. While a tool wants it, that instruction's opcode is
//! an INSTRUMENTED_ one ([`code`]); without tools no code differs, and nothing is paid. The opcodes as the compiler
//! wrote them stay in `CodeSpec::code`, with the same places for caches, so that nobody has to remember what was
//! overwritten.

pub mod code;
pub mod events;
mod lines;

pub use code::CodeMonitoring;

use super::code::CodeObject;
use super::frame::{self, Locals, Meta};
use super::frame_object::line_jump::LineJumps;
use super::thread::Thread;
use crate::object::{Owned, Raised, Vm, Word, call};
use std::cell::{Cell, RefCell};

/// Tools that a program can use (`PY_MONITORING_USER_TOOL_IDS`).
pub const USER_TOOLS: usize = 6;
/// The tools behind `sys.setprofile` and `sys.settrace`.
pub const PROFILE: usize = 6;
pub const TRACE: usize = 7;
pub const TOOLS: usize = 8;

/// Events by number (`PY_MONITORING_EVENT_*`).
pub mod event {
    pub const PY_START: usize = 0;
    pub const PY_RESUME: usize = 1;
    pub const PY_RETURN: usize = 2;
    pub const PY_YIELD: usize = 3;
    pub const CALL: usize = 4;
    pub const LINE: usize = 5;
    pub const INSTRUCTION: usize = 6;
    pub const JUMP: usize = 7;
    pub const BRANCH_LEFT: usize = 8;
    pub const BRANCH_RIGHT: usize = 9;
    pub const STOP_ITERATION: usize = 10;
    pub const RAISE: usize = 11;
    pub const EXCEPTION_HANDLED: usize = 12;
    pub const PY_UNWIND: usize = 13;
    pub const PY_THROW: usize = 14;
    pub const RERAISE: usize = 15;
    pub const C_RETURN: usize = 16;
    pub const C_RAISE: usize = 17;
    pub const BRANCH: usize = 18;

    pub const NAMES: [&str; 19] = [
        "PY_START",
        "PY_RESUME",
        "PY_RETURN",
        "PY_YIELD",
        "CALL",
        "LINE",
        "INSTRUCTION",
        "JUMP",
        "BRANCH_LEFT",
        "BRANCH_RIGHT",
        "STOP_ITERATION",
        "RAISE",
        "EXCEPTION_HANDLED",
        "PY_UNWIND",
        "PY_THROW",
        "RERAISE",
        "C_RETURN",
        "C_RAISE",
        "BRANCH",
    ];
}

/// Events below happen at instructions, and can be wanted for one code object.
pub const LOCAL_EVENTS: usize = event::RAISE;
/// Events below have tools of their own; the others come with CALL.
pub const UNGROUPED_EVENTS: usize = event::C_RETURN;
pub const EVENTS: usize = event::NAMES.len();

/// What is done at an event.
#[derive(Clone, Copy)]
pub enum Callback {
    None,
    /// A slot's word.
    Call(Word),
    /// The same, registered for both ways of a branch: with one the other is disabled.
    Branch(Word),
    /// `sys.setprofile` or `sys.settrace`.
    Legacy(super::tracing::Legacy),
}

impl Callback {
    /// What a program has registered, if that is what it is.
    pub fn callable(self) -> Option<Word> {
        match self {
            Callback::Call(word) | Callback::Branch(word) => Some(word),
            _ => None,
        }
    }
}

/// What is monitored, by whom.
pub struct Monitoring {
    /// Tools by event, everywhere.
    tools: [Cell<u8>; UNGROUPED_EVENTS],
    callbacks: RefCell<[[Callback; EVENTS]; TOOLS]>,
    /// Names of tools in use, slots' words.
    names: RefCell<[Option<Word>; USER_TOOLS]>,
    /// Versions since which a tool's local events count.
    pub(super) tool_versions: [Cell<u64>; TOOLS],
    /// Non-zero in a callback: nothing is monitored there (`tstate->tracing`).
    tracing: Cell<u32>,
    pub line_jumps: LineJumps,
    /// Version since which disabled places are enabled again.
    pub(super) last_restart: Cell<u64>,
    /// `sys.monitoring.DISABLE` and `MISSING`, borrowed from slots of the module's making.
    pub disable: Cell<Word>,
    pub missing: Cell<Word>,
}

impl Default for Monitoring {
    fn default() -> Monitoring {
        Monitoring {
            tools: Default::default(),
            callbacks: RefCell::new([[Callback::None; EVENTS]; TOOLS]),
            names: RefCell::new([None; USER_TOOLS]),
            tool_versions: Default::default(),
            tracing: Cell::new(0),
            line_jumps: LineJumps::default(),
            last_restart: Cell::new(0),
            disable: Cell::new(Word::NULL),
            missing: Cell::new(Word::NULL),
        }
    }
}

impl Monitoring {
    /// Tools that want an event everywhere.
    #[inline(always)]
    pub fn tools(&self, event: usize) -> u8 {
        self.tools[event].get()
    }
    /// Whether a callback is running.
    #[inline(always)]
    pub fn is_tracing(&self) -> bool {
        self.tracing.get() != 0
    }
    /// Runs `act` as if no callback were running, or as if one were.
    pub fn with_tracing<T>(&self, tracing: u32, act: impl FnOnce() -> T) -> T {
        let before = self.tracing.replace(tracing);
        let result = act();
        self.tracing.set(before);
        result
    }
    pub fn tracing(&self) -> u32 {
        self.tracing.get()
    }
    pub fn name(&self, tool: usize) -> Option<Word> {
        self.names.borrow()[tool]
    }
    pub fn set_name(&self, tool: usize, name: Option<Word>) {
        let name = name.map(|name| Owned::new_ref(name).into_slot());
        let old = std::mem::replace(&mut self.names.borrow_mut()[tool], name);
        release(old);
    }
    pub fn callback(&self, tool: usize, event: usize) -> Callback {
        self.callbacks.borrow()[tool][event]
    }
    /// Registers a callback; its word is the table's from now on. What was there.
    pub fn set_callback(&self, tool: usize, event: usize, callback: Callback) -> Option<Owned> {
        let old = std::mem::replace(&mut self.callbacks.borrow_mut()[tool][event], callback);
        let word = old.callable()?;
        let owned = Owned::new_ref(word);
        release(Some(word));
        Some(owned)
    }
    /// The set of events that a tool wants everywhere.
    pub fn events(&self, tool: usize) -> u32 {
        set_of(&self.tools, tool)
    }
}

fn release(word: Option<Word>) {
    if let Some(word) = word {
        // SAFETY: a slot's word, overwritten.
        unsafe { word.release_slot() };
    }
}

/// Events of one tool out of a table of tools by event.
pub(super) fn set_of(table: &[Cell<u8>], tool: usize) -> u32 {
    let wants = |(event, tools): (usize, &Cell<u8>)| u32::from(tools.get() >> tool & 1) << event;
    table.iter().enumerate().map(wants).sum()
}

/// The way back: a tool's events into such a table.
pub(super) fn put_set(table: &[Cell<u8>], tool: usize, events: u32) {
    for (event, tools) in table.iter().enumerate() {
        let bit = (events >> event & 1) as u8;
        tools.set(tools.get() & !(1 << tool) | bit << tool);
    }
}

// ---- wanting events

/// Makes `events` what a tool wants everywhere (`_PyMonitoring_SetEvents`).
pub fn set_events(ts: &Thread, tool: usize, events: u32) -> Result<(), Raised> {
    let state = &ts.monitoring;
    if state.events(tool) == events {
        return Ok(());
    }
    put_set(&state.tools, tool, events);
    new_version(ts);
    instrument_executing(ts)
}

/// The same for one code object (`_PyMonitoring_SetLocalEvents`).
pub fn set_local_events(
    ts: &Thread,
    code: &CodeObject,
    tool: usize,
    events: u32,
) -> Result<(), Raised> {
    let data = code::data(ts, code)?;
    code::forget_freed_tools(ts, data);
    if data.local_events(tool) == events {
        return Ok(());
    }
    data.set_local_events(tool, events);
    new_version(ts);
    instrument_executing(ts)
}

pub fn local_events(ts: &Thread, code: &CodeObject, tool: usize) -> u32 {
    match code.monitoring.get() {
        Some(data) => {
            code::forget_freed_tools(ts, data);
            data.local_events(tool)
        }
        None => 0,
    }
}

/// Forgets callbacks and events of a tool, local ones too (`_PyMonitoring_ClearToolId`).
pub fn clear_tool(ts: &Thread, tool: usize) -> Result<(), Raised> {
    let state = &ts.monitoring;
    for event in 0..EVENTS {
        drop(state.set_callback(tool, event, Callback::None));
    }
    put_set(&state.tools, tool, 0);
    new_version(ts);
    state.tool_versions[tool].set(ts.heap.eval_breaker.version());
    instrument_executing(ts)
}

/// Enables again what callbacks have disabled (`sys.monitoring.restart_events`).
pub fn restart_events(ts: &Thread) -> Result<(), Raised> {
    new_version(ts);
    ts.monitoring
        .last_restart
        .set(ts.heap.eval_breaker.version());
    instrument_executing(ts)
}

/// Every code object is out of date: each is instrumented anew when it is entered next.
fn new_version(ts: &Thread) {
    let breaker = &ts.heap.eval_breaker;
    breaker.set_version(breaker.version() + 1);
    for block in ts.arena.blocks() {
        // SAFETY: blocks in use are code objects.
        code::unquicken_resumes(unsafe { block.cast::<CodeObject>().as_ref() });
    }
}

/// Instruments the code that runs already (`instrument_all_executing_code_objects`).
fn instrument_executing(ts: &Thread) -> Result<(), Raised> {
    let (_, _, mut locals) = ts.saved_registers();
    while !locals.is_null() {
        // SAFETY: the frames below a native call are live.
        unsafe {
            let header = frame::frame(locals);
            if !(*header).meta.has(Meta::SHIM | Meta::BRIDGE) {
                code::instrument(ts, &*frame::code(locals))?;
            }
            locals = (*header).previous;
        }
    }
    Ok(())
}

// ---- calling

/// Calls the tools in `tools` at an event of an instruction, the one with the highest number first. A callback that
/// returns DISABLE takes its tool away from the instruction.
///
/// # Safety
/// `locals` are the running frame's, whose registers are saved; `args` are live.
pub(super) unsafe fn call_tools(
    ts: &Thread,
    locals: Locals,
    unit: usize,
    event: usize,
    tools: u8,
    args: &[Word],
) -> Result<(), Raised> {
    let state = &ts.monitoring;
    if tools == 0 || state.is_tracing() {
        return Ok(());
    }
    let call = || unsafe { call_each(ts, locals, unit, event, tools, args) };
    state.line_jumps.telling(event, locals, call)
}

/// # Safety
/// As [`call_tools`].
unsafe fn call_each(
    ts: &Thread,
    locals: Locals,
    unit: usize,
    event: usize,
    tools: u8,
    args: &[Word],
) -> Result<(), Raised> {
    let state = &ts.monitoring;
    let vm = ts.vm();
    // SAFETY: a frame with code. The code lives on, whatever the callbacks do.
    let code = Owned::new_ref(unsafe { Word::from_borrowed(frame::code(locals)) });
    let object = unsafe { &*code.as_word().cast::<CodeObject>() };
    let mut all = [Word::NULL; 4];
    all[0] = code.as_word();
    all[1..=args.len()].copy_from_slice(args);
    let mut left = tools;
    while left != 0 {
        let tool = TOOLS - 1 - left.leading_zeros() as usize;
        left &= !(1 << tool);
        if !call_one(ts, &all[..=args.len()], tool, event)? {
            continue;
        }
        if event >= LOCAL_EVENTS {
            let name = event::NAMES[event];
            drop(state.set_callback(tool, event, Callback::None));
            return Err(vm.value_error(format!("Cannot disable {name} events. Callback removed.")));
        }
        if let Some(data) = object.monitoring.get() {
            data.disable(object, unit, event, tool);
            if let Callback::Branch(_) = state.callback(tool, event)
                && let Some((other, event)) = code::other_way(object, unit)
            {
                data.disable(object, other, event, tool);
            }
        }
    }
    Ok(())
}

/// Calls one tool; true if it wants no more of this place.
fn call_one(ts: &Thread, args: &[Word], tool: usize, event: usize) -> Result<bool, Raised> {
    let state = &ts.monitoring;
    match state.callback(tool, event) {
        Callback::None => Ok(false),
        Callback::Call(callable) | Callback::Branch(callable) => {
            let callable = Owned::new_ref(callable);
            let called = state.with_tracing(state.tracing() + 1, || {
                call::call(ts.vm(), callable.as_word(), args, None)
            });
            Ok(called?.as_word().is(state.disable.get()))
        }
        Callback::Legacy(legacy) => {
            state.with_tracing(state.tracing() + 1, || legacy.call(ts, args))
        }
    }
}

/// Whether a word is a code object.
pub fn is_code(vm: Vm, word: Word) -> bool {
    std::ptr::eq(vm.type_of(word), vm.types.code)
}
