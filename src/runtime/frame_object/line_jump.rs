//! Jumps between the lines of a frame: what assigning to `f_lineno` does in a trace function (`frame_lineno_set_impl`).
//!
//! The frame whose event is told stands below the callback's frames, so it is not touched while these run: the jump is
//! checked and written down, and made when the callbacks are done.

use super::mark_stacks::{Kind, Stack, mark_lines, mark_stacks};
use super::object;
use crate::bytecode::Opcode;
use crate::object::{Raised, Vm, Word, exc, int};
use crate::runtime::code;
use crate::runtime::frame::{self, Locals};
use crate::runtime::monitoring::{event, events};
use crate::runtime::thread::Thread;
use crate::runtime::warnings;
use std::cell::{Cell, RefCell};

/// A frame goes on at a unit when the callbacks are done, with so much popped, the top first.
struct Jump {
    locals: Locals,
    unit: usize,
    popped: Vec<Kind>,
}

#[derive(Default)]
pub struct LineJumps {
    /// The event that is told, and its frame (`tstate->what_event`).
    telling: Cell<Option<(usize, Locals)>>,
    waiting: RefCell<Vec<Jump>>,
    /// The registers are those of a jump.
    made: Cell<bool>,
    /// Where a frame has arrived: the line does not begin there, unheard by the tools.
    arrived: Cell<Option<(Locals, usize)>>,
}

impl LineJumps {
    /// Runs the callbacks of an event.
    pub fn telling<T>(&self, event: usize, locals: Locals, act: impl FnOnce() -> T) -> T {
        let outer = self.telling.replace(Some((event, locals)));
        let result = act();
        self.telling.set(outer);
        result
    }
    fn take(&self, locals: Locals) -> Option<Jump> {
        let mut waiting = self.waiting.borrow_mut();
        let at = waiting.iter().position(|jump| jump.locals == locals)?;
        Some(waiting.swap_remove(at))
    }
    /// Forgets a jump of a frame whose callbacks have raised after all.
    pub fn forget(&self, locals: Locals) {
        self.take(locals);
    }
    /// Where a frame will go on.
    pub(super) fn unit(&self, locals: Locals) -> Option<usize> {
        let waiting = self.waiting.borrow();
        let jump = waiting.iter().find(|jump| jump.locals == locals);
        jump.map(|jump| jump.unit)
    }
    /// Whether a jump has just been made; asked once.
    pub fn take_made(&self) -> bool {
        self.made.take()
    }
    /// Whether the frame stands where a jump has brought it; asked once.
    pub fn take_arrived(&self, locals: Locals, unit: usize) -> bool {
        let here = self.arrived.get() == Some((locals, unit));
        if here {
            self.arrived.set(None);
        }
        here
    }
}

/// `frame.f_lineno = value`
pub(super) fn set_lineno(vm: Vm, frame: Word, value: Option<Word>) -> Result<(), Raised> {
    let Some(value) = value else {
        return Err(vm.raise(vm.exc.AttributeError, "cannot delete attribute"));
    };
    if !std::ptr::eq(vm.type_of(value), vm.types.int) {
        return Err(vm.value_error("lineno must be an integer"));
    }
    let ts = Thread::of(vm);
    let jumps = &ts.monitoring.line_jumps;
    let Some((event, locals)) = jumps.telling.get() else {
        return Err(vm.value_error("f_lineno can only be set in a trace function"));
    };
    let refused = match event {
        event::LINE | event::JUMP | event::PY_RESUME | event::PY_YIELD => None,
        event::PY_START => Some("can't jump from the 'call' trace event of a new frame"),
        event::CALL | event::C_RETURN => Some("can't jump during a call"),
        _ => Some("can only jump from a 'line' trace event"),
    };
    let own = object(frame);
    // CPython moves any frame, and crashes where that was calling.
    let its_own = own.running(ts).is_some_and(|at| at.locals == locals);
    if let Some(refused) = refused {
        return Err(vm.value_error(refused));
    }
    if !its_own {
        return Err(vm.value_error("can only jump from a 'line' trace event"));
    }
    let wanted = int::value(value).and_then(|line| i32::try_from(line.to_i64()?).ok());
    let Some(wanted) = wanted else {
        return Err(vm.value_error("lineno out of range"));
    };
    // SAFETY: the object holds a count of its code.
    let (spec, first) = unsafe { ((*own.code()).spec.clone(), (*own.code()).first_traceable) };
    if wanted < spec.firstlineno {
        return Err(vm.value_error(format!("line {wanted} comes before the current code block")));
    }
    let lines = mark_lines(&spec, first as usize);
    let Some(line) = lines
        .iter()
        .flatten()
        .copied()
        .filter(|line| *line >= wanted)
        .min()
    else {
        return Err(vm.value_error(format!("line {wanted} comes after the current code block")));
    };
    let stacks = mark_stacks(&spec);
    let start = &stacks[own.unit(ts)];
    let (unit, kept) = target(&lines, line, &stacks, start).map_err(|why| vm.value_error(why))?;
    // SAFETY: the frame is live; its words are variables and, above these, its stack.
    unsafe {
        let words = std::slice::from_raw_parts_mut(locals, spec.localspluskinds.len());
        let unbound = words.iter().filter(|word| word.is_null()).count();
        if unbound > 0 {
            let s = if unbound == 1 { "" } else { "s" };
            let message = format!("assigning None to {unbound} unbound local{s}");
            warnings::warn(vm, vm.exc.RuntimeWarning, &message);
            for word in words.iter_mut().filter(|word| word.is_null()) {
                *word = Word::NONE;
            }
        }
    }
    let Stack::Known(kinds) = start else {
        return Err(vm.value_error(start.explain()));
    };
    let mut popped = jumps.take(locals).map_or(Vec::new(), |jump| jump.popped);
    popped.extend(kinds[kept..].iter().rev());
    jumps.waiting.borrow_mut().push(Jump {
        locals,
        unit,
        popped,
    });
    Ok(())
}

/// Where the line begins with the most on the stack that there is already, and how much that is.
fn target(
    lines: &[Option<i32>],
    line: i32,
    stacks: &[Stack],
    start: &Stack,
) -> Result<(usize, usize), &'static str> {
    let (mut best, mut why) = (None, None);
    for (unit, stack) in stacks.iter().enumerate().take(lines.len()) {
        if lines[unit] != Some(line) {
            continue;
        }
        match stack {
            Stack::Known(kinds) if start.serves_as(stack) => {
                if best.is_none_or(|(_, kept)| kinds.len() > kept) {
                    best = Some((unit, kinds.len()));
                }
            }
            _ => {
                why.get_or_insert(match start {
                    Stack::TooDeep => "stack to deep to analyze",
                    Stack::Unreachable => "can't jump from unreachable code",
                    Stack::Known(_) => stack.explain(),
                });
            }
        }
    }
    best.ok_or(why.unwrap_or("cannot find bytecode for specified line"))
}

/// Makes the jump that callbacks have asked for: the registers in `ts` are those behind it, and `take_made` says so.
///
/// # Safety
/// `locals` are the running frame's, whose registers are saved.
pub unsafe fn make(ts: &Thread, locals: Locals) {
    let jumps = &ts.monitoring.line_jumps;
    let Some(jump) = jumps.take(locals) else {
        return;
    };
    unsafe {
        let (ip, mut sp, _) = ts.saved_registers();
        for kind in &jump.popped {
            sp = sp.sub(1);
            let word = std::mem::replace(&mut *sp, Word::NULL);
            // What is released may run Python code, above this.
            ts.save(ip, sp, locals);
            if *kind == Kind::Handled {
                let previous = exc::is_exception(word).then(|| word.to_slot());
                if let Some(old) = ts.handled_exception.replace(previous) {
                    old.release_slot();
                }
            } else {
                word.close();
            }
        }
        let code = frame::code(locals);
        // What the compiler has proved of borrowed words holds on its own paths only.
        let mut word = locals.add((*code).nlocalsplus());
        while word < sp {
            *word = (*word).steal();
            word = word.add(1);
        }
        events::pass_line(locals, jump.unit);
        let opcode = Opcode(u16::from((*code).adaptive()[2 * jump.unit].get()));
        let arrived = (opcode == Opcode::INSTRUMENTED_LINE).then_some((locals, jump.unit));
        jumps.arrived.set(arrived);
        jumps.made.set(true);
        ts.install(code::start(code).add(2 * jump.unit), sp, locals);
    }
}
