//! `sys.settrace` and `sys.setprofile`, on top of monitoring (`legacy_tracing.c`): each is a tool whose callbacks make a
//! call event, a return and so on of what happens, and tell the program's function, with the frame.

use super::code::CodeObject;
use super::frame_object::{self, FrameObject};
use super::monitoring::{self, Callback, PROFILE, TRACE, event};
use super::thread::Thread;
use crate::object::{self, Kind, Owned, PyResult, Raised, Word, exc};
use std::cell::Cell;

/// What a program's function is told to have happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    Call,
    Return,
    Exception,
    Line,
    Opcode,
    NativeCall,
    NativeReturn,
    NativeException,
}

impl What {
    /// Its name, borrowed.
    fn name(self, ts: &Thread) -> Word {
        let names = &ts.names;
        match self {
            What::Call => names.call,
            What::Return => names.r#return,
            What::Exception => names.exception,
            What::Line => names.line,
            What::Opcode => names.opcode,
            What::NativeCall => names.c_call,
            What::NativeReturn => names.c_return,
            What::NativeException => names.c_exception,
        }
    }
}

/// How an event is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Legacy {
    ProfileCall,
    ProfileReturn,
    ProfileUnwind,
    ProfileNative(What),
    TraceCall,
    TraceReturn,
    TraceUnwind,
    TraceException,
    TraceLine,
    TraceJump,
    TraceOpcode,
}
use Legacy::{
    ProfileCall, ProfileNative, ProfileReturn, ProfileUnwind, TraceCall, TraceException, TraceJump,
    TraceLine, TraceOpcode, TraceReturn, TraceUnwind,
};

const PROFILE_EVENTS: [(usize, Legacy); 9] = [
    (event::PY_START, ProfileCall),
    (event::PY_RESUME, ProfileCall),
    (event::PY_THROW, ProfileCall),
    (event::PY_RETURN, ProfileReturn),
    (event::PY_YIELD, ProfileReturn),
    (event::PY_UNWIND, ProfileUnwind),
    (event::CALL, ProfileNative(What::NativeCall)),
    (event::C_RETURN, ProfileNative(What::NativeReturn)),
    (event::C_RAISE, ProfileNative(What::NativeException)),
];
const TRACE_EVENTS: [(usize, Legacy); 10] = [
    (event::PY_START, TraceCall),
    (event::PY_RESUME, TraceCall),
    (event::PY_THROW, TraceCall),
    (event::PY_RETURN, TraceReturn),
    (event::PY_YIELD, TraceReturn),
    (event::PY_UNWIND, TraceUnwind),
    (event::RAISE, TraceException),
    (event::STOP_ITERATION, TraceException),
    (event::LINE, TraceLine),
    (event::JUMP, TraceJump),
];

/// Events below have tools of their own.
fn mask(table: &[(usize, Legacy)]) -> u32 {
    let wanted = table
        .iter()
        .filter(|(event, _)| *event < monitoring::UNGROUPED_EVENTS);
    wanted.map(|(event, _)| 1 << event).sum()
}

/// The functions that a program has set; slots' words.
#[derive(Default)]
pub struct Tracing {
    profile: Cell<Option<Word>>,
    trace: Cell<Option<Word>>,
}

impl Tracing {
    pub fn profile(&self) -> Option<Owned> {
        self.profile.get().map(Owned::new_ref)
    }
    pub fn trace(&self) -> Option<Owned> {
        self.trace.get().map(Owned::new_ref)
    }
}

/// `sys.setprofile` (`_PyEval_SetProfile`).
pub fn set_profile(ts: &Thread, function: Option<Word>) -> Result<(), Raised> {
    register(ts, PROFILE, &PROFILE_EVENTS);
    let events = function.map_or(0, |_| mask(&PROFILE_EVENTS));
    exc::replace(&ts.tracing.profile, function);
    monitoring::set_events(ts, PROFILE, events)
}

/// `sys.settrace` (`_PyEval_SetTrace`).
pub fn set_trace(ts: &Thread, function: Option<Word>) -> Result<(), Raised> {
    register(ts, TRACE, &TRACE_EVENTS);
    let events = function.map_or(0, |_| mask(&TRACE_EVENTS));
    exc::replace(&ts.tracing.trace, function);
    monitoring::set_events(ts, TRACE, events)
}

fn register(ts: &Thread, tool: usize, table: &[(usize, Legacy)]) {
    for (event, legacy) in table {
        ts.monitoring
            .set_callback(tool, *event, Callback::Legacy(*legacy));
    }
}

/// `f_trace_opcodes` has been set or cleared (`_PyEval_SetOpcodeTrace`).
pub fn trace_opcodes(ts: &Thread, code: &CodeObject, enabled: bool) -> Result<(), Raised> {
    register(ts, TRACE, &[(event::INSTRUCTION, TraceOpcode)]);
    let events = monitoring::local_events(ts, code, TRACE);
    let bit = 1 << event::INSTRUCTION;
    let events = if enabled { events | bit } else { events & !bit };
    monitoring::set_local_events(ts, code, TRACE, events)
}

impl Legacy {
    /// Tells the program's function; `args` are a callback's. True if the event is not wanted at this place any more.
    pub fn call(self, ts: &Thread, args: &[Word]) -> Result<bool, Raised> {
        let told = match self {
            ProfileCall => profile(ts, What::Call, Word::NONE),
            ProfileReturn => profile(ts, What::Return, args[2]),
            ProfileUnwind => profile(ts, What::Return, Word::NONE),
            ProfileNative(what) => profile_native(ts, what, args[2], args[3]),
            TraceCall => trace(ts, What::Call, Word::NONE),
            TraceReturn => trace(ts, What::Return, args[2]),
            TraceUnwind => trace(ts, What::Return, Word::NONE),
            TraceException => trace_exception(ts, args[2]),
            TraceLine => trace_line(ts),
            TraceJump => return trace_jump(ts, args),
            TraceOpcode => trace_opcode(ts),
        };
        told.map(|()| false)
    }
}

fn running_frame(ts: &Thread) -> PyResult {
    match frame_object::at_depth(ts, 0) {
        Some(frame) => frame,
        None => {
            let vm = ts.vm();
            Err(vm.raise(
                vm.exc.SystemError,
                "Missing frame when calling trace function.",
            ))
        }
    }
}

fn tell(ts: &Thread, function: &Owned, frame: &Owned, what: What, arg: Word) -> PyResult {
    let args = [frame.as_word(), what.name(ts), arg];
    object::call::call(ts.vm(), function.as_word(), &args, None)
}

/// Turns the function off that has raised; its exception stays the current one.
fn turn_off(ts: &Thread, set: fn(&Thread, Option<Word>) -> Result<(), Raised>) {
    let vm = ts.vm();
    let raised = vm.take_exception();
    if set(ts, None).is_err() {
        vm.clear_exception();
    }
    if let Some(raised) = raised {
        vm.set_exception(raised);
    }
}

fn profile(ts: &Thread, what: What, arg: Word) -> Result<(), Raised> {
    let Some(function) = ts.tracing.profile() else {
        return Ok(());
    };
    let frame = running_frame(ts)?;
    match tell(ts, &function, &frame, what, arg) {
        Ok(_) => Ok(()),
        Err(raised) => {
            turn_off(ts, set_profile);
            Err(raised)
        }
    }
}

/// Only calls of built-in functions are told; a method descriptor is shown bound.
fn profile_native(ts: &Thread, what: What, callable: Word, arg: Word) -> Result<(), Raised> {
    let vm = ts.vm();
    if callable.is_exact(Kind::BUILTIN_FUNCTION) {
        return profile(ts, what, callable);
    }
    let ty = vm.type_of(callable);
    if ty != vm.types.method_descriptor || arg.is(ts.monitoring.missing.get()) {
        return Ok(());
    }
    // SAFETY: types are live as long as an instance.
    let (get, class) = unsafe { ((*ty).slots.descr_get, (*vm.type_of(arg)).word()) };
    let Some(get) = get else { return Ok(()) };
    let bound = get(vm, callable, Some(arg), Some(class))?;
    profile(ts, what, bound.as_word())
}

fn trace(ts: &Thread, what: What, arg: Word) -> Result<(), Raised> {
    if ts.tracing.trace.get().is_none() {
        return Ok(());
    }
    let frame = running_frame(ts)?;
    trace_in(ts, &frame, what, arg)
}

/// A call is told to the thread's function; all else to the frame's, which is what that has returned.
fn trace_in(ts: &Thread, frame: &Owned, what: What, arg: Word) -> Result<(), Raised> {
    let own = frame_object::object(frame.as_word());
    let function = if what == What::Call {
        ts.tracing.trace()
    } else {
        own.trace.get().map(Owned::new_ref)
    };
    let Some(function) = function else {
        return Ok(());
    };
    match tell(ts, &function, frame, what, arg) {
        Ok(result) => {
            if !result.as_word().is_none() {
                exc::replace(&own.trace, Some(result.as_word()));
            }
            Ok(())
        }
        Err(raised) => {
            turn_off(ts, set_trace);
            exc::replace(&own.trace, None);
            Err(raised)
        }
    }
}

fn trace_exception(ts: &Thread, exception: Word) -> Result<(), Raised> {
    let vm = ts.vm();
    // SAFETY: types are live as long as an instance.
    let class = unsafe { (*vm.type_of(exception)).word() };
    let traceback = exc::object(exception).traceback.get().unwrap_or(Word::NONE);
    let triple = vm.new_tuple(&[class, exception, traceback])?;
    trace(ts, What::Exception, triple.as_word())
}

/// The running frame, if it wants to hear of what `wants` says.
fn frame_that(ts: &Thread, wants: fn(&FrameObject) -> bool) -> Result<Option<Owned>, Raised> {
    if ts.tracing.trace.get().is_none() {
        return Ok(None);
    }
    let frame = running_frame(ts)?;
    Ok(wants(frame_object::object(frame.as_word())).then_some(frame))
}

fn trace_line(ts: &Thread) -> Result<(), Raised> {
    match frame_that(ts, |frame| frame.trace_lines.get())? {
        Some(frame) => trace_in(ts, &frame, What::Line, Word::NONE),
        None => Ok(()),
    }
}

fn trace_opcode(ts: &Thread) -> Result<(), Raised> {
    match frame_that(ts, |frame| frame.trace_opcodes.get())? {
        Some(frame) => trace_in(ts, &frame, What::Opcode, Word::NONE),
        None => Ok(()),
    }
}

/// A jump back within one line begins the line again: LINE does not say so.
fn trace_jump(ts: &Thread, args: &[Word]) -> Result<bool, Raised> {
    let (from, to) = (args[1].as_int() as usize / 2, args[2].as_int() as usize / 2);
    if to >= from {
        return Ok(true);
    }
    // SAFETY: a callback's first argument is the code.
    let code = unsafe { &*args[0].cast::<CodeObject>() };
    let Some(data) = code.monitoring.get() else {
        return Ok(true);
    };
    let lines = data.lines(code);
    if lines.get(from).map(|start| start.line) != lines.get(to).map(|start| start.line) {
        return Ok(true);
    }
    trace_line(ts)?;
    Ok(false)
}
