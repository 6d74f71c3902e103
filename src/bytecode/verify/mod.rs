//! A verifier: whether a code object keeps what the interpreter relies on without looking. Layout (caches,
//! `EXTENDED_ARG`, operands, jump targets, exception table) is checked instruction by instruction; stack depth,
//! NULLs, bound locals, cells, the lifetimes of borrowed references, and what else instructions rely on (`sort.rs`) by
//! abstract interpretation over all paths.

mod layout;
mod machine;
mod sort;
mod state;
mod turns;

use super::Opcode;
use super::spec::{CodeSpec, Constant, code_flags};
use super::tables::ExceptionEntry;
use layout::{Layout, NOWHERE};
use machine::Machine;
use state::{Apart, Locals, Slot, State, Word};
use std::fmt;
use std::rc::Rc;

/// What is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// `co_qualname` of the code object.
    pub code: String,
    /// Offset in bytes, as `dis` shows it.
    pub offset: usize,
    pub what: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}: {}", self.code, self.offset, self.what)
    }
}

impl std::error::Error for VerifyError {}

/// Checks `code` and all code objects in it.
pub fn verify(code: &CodeSpec) -> Result<(), VerifyError> {
    let mut waiting = vec![code];
    while let Some(code) = waiting.pop() {
        verify_one(code)?;
        waiting.extend(code.consts.iter().filter_map(|c| match c {
            Constant::Code(code) => Some(Rc::as_ref(code)),
            _ => None,
        }));
    }
    Ok(())
}

/// A fault at a code unit.
type Fault = (usize, String);

/// Checks `code` alone.
pub fn verify_one(code: &CodeSpec) -> Result<(), VerifyError> {
    let check = || -> Result<(), Fault> {
        let layout = Layout::new(code)?;
        Flow::new(code, &layout).run()
    };
    check().map_err(|(unit, what)| VerifyError {
        code: code.qualname.to_string_lossy().into_owned(),
        offset: 2 * unit,
        what,
    })
}

fn fault<T>(unit: usize, what: impl Into<String>) -> Result<T, Fault> {
    Err((unit, what.into()))
}

/// Nothing these do can fail (MAKE_CELL, for want of memory only), so they need no handler. It matters where a
/// comprehension that runs inline sets a local aside and gives it back: the instructions that do so stand in the
/// range of whatever is around.
fn cannot_raise(op: Opcode) -> bool {
    matches!(
        op,
        Opcode::EXTENDED_ARG
            | Opcode::NOP
            | Opcode::NOT_TAKEN
            | Opcode::SWAP
            | Opcode::COPY
            | Opcode::POP_TOP
            | Opcode::POP_ITER
            | Opcode::END_FOR
            | Opcode::PUSH_NULL
            | Opcode::PUSH_EXC_INFO
            | Opcode::POP_EXCEPT
            | Opcode::LOAD_CONST
            | Opcode::LOAD_SMALL_INT
            | Opcode::LOAD_FAST
            | Opcode::LOAD_FAST_BORROW
            | Opcode::LOAD_FAST_LOAD_FAST
            | Opcode::LOAD_FAST_BORROW_LOAD_FAST_BORROW
            | Opcode::LOAD_FAST_AND_CLEAR
            | Opcode::MAKE_CELL
            | Opcode::STORE_FAST
            | Opcode::STORE_FAST_LOAD_FAST
            | Opcode::STORE_FAST_STORE_FAST
            | Opcode::JUMP_FORWARD
            | Opcode::JUMP_BACKWARD_NO_INTERRUPT
            | Opcode::RETURN_VALUE
    )
}

/// The abstract interpreter.
struct Flow<'a> {
    code: &'a CodeSpec,
    layout: &'a Layout,
    /// By instruction: the state before it, kept where paths may meet.
    states: Vec<Option<State>>,
    meets: Vec<bool>,
    /// Something leads to the first instruction.
    enters_again: bool,
    work: Vec<usize>,
}

impl<'a> Flow<'a> {
    fn new(code: &'a CodeSpec, layout: &'a Layout) -> Flow<'a> {
        let mut meets = vec![false; layout.instrs.len()];
        let jumps = layout.instrs.iter().filter_map(|i| i.jump_target());
        let handlers = layout.handlers.iter().map(|e| i64::from(e.target));
        for target in jumps.chain(handlers) {
            if let Some(i) = layout.instruction_at(target) {
                meets[i] = true;
            }
        }
        let enters_again = std::mem::replace(&mut meets[0], true);
        Flow {
            code,
            layout,
            enters_again,
            states: vec![None; layout.instrs.len()],
            meets,
            work: Vec::new(),
        }
    }

    fn run(&mut self) -> Result<(), Fault> {
        let has = |flag: u32| u64::from(self.code.flags & flag != 0);
        let extra = has(code_flags::VARARGS) + has(code_flags::VARKEYWORDS);
        let arguments = u64::from(self.code.argcount) + u64::from(self.code.kwonlyargcount) + extra;
        let slots = self.code.localspluskinds.len();
        if self.code.localsplusnames.len() != slots
            || arguments > slots as u64
            || self.code.posonlyargcount > self.code.argcount
        {
            return fault(0, "names, kinds and arguments do not match");
        }
        self.check_set_up()?;
        let mut entry = State {
            stack: Vec::new(),
            locals: Locals::new(slots),
        };
        for slot in 0..arguments {
            entry.locals.set(slot as u32, Slot::Bound);
        }
        self.flow_into(0, 0, &entry)?;
        while let Some(start) = self.work.pop() {
            self.run_from(start)?;
        }
        let reached = self.states.iter().enumerate();
        let reached = reached.filter_map(|(at, state)| state.is_some().then_some(at));
        turns::check(self.layout, reached)
    }

    /// The cells of the closure and the generator are made once, before anything else, and a generator is made by code
    /// that says so. What yields relies on it.
    fn check_set_up(&self) -> Result<(), Fault> {
        let instrs = &self.layout.instrs;
        let set_up = instrs.iter().take_while(|instr| {
            matches!(
                instr.op,
                Opcode::EXTENDED_ARG
                    | Opcode::NOP
                    | Opcode::COPY_FREE_VARS
                    | Opcode::MAKE_CELL
                    | Opcode::RETURN_GENERATOR
            )
        });
        let set_up = set_up.count();
        let once = |op: Opcode| {
            let mut found = instrs.iter().enumerate().filter(|(_, i)| i.op == op);
            match (found.next(), found.next()) {
                (None, _) => Ok(None),
                (Some((at, _)), None) if at < set_up => Ok(Some(at)),
                (Some((_, instr)), None) | (_, Some((_, instr))) => fault(
                    instr.offset,
                    format!("{op:?} is not where a frame is set up"),
                ),
            }
        };
        let (cells, generator) = (
            once(Opcode::COPY_FREE_VARS)?,
            once(Opcode::RETURN_GENERATOR)?,
        );
        if let Some(at) = cells
            && instrs[..at].iter().any(|i| i.op == Opcode::MAKE_CELL)
        {
            return fault(instrs[at].offset, "COPY_FREE_VARS comes too late");
        }
        let last = cells.max(generator).map_or(0, |at| at + 1);
        if let Some(at) = (1..last).find(|at| self.meets[*at]) {
            return fault(instrs[at].offset, "a jump into what sets up the frame");
        }
        if last > 0 && self.enters_again {
            return fault(0, "a jump into what sets up the frame");
        }
        let suspends = self.code.flags & code_flags::SUSPENDS;
        let optimized = self.code.flags & code_flags::OPTIMIZED != 0;
        let fits = match generator {
            Some(_) => suspends.is_power_of_two() && optimized,
            None => suspends == 0,
        };
        if !fits {
            return fault(0, "co_flags do not say whether the code makes a generator");
        }
        let yields = instrs.iter().find(|i| i.op == Opcode::YIELD_VALUE);
        match (yields, generator) {
            (Some(instr), None) => fault(instr.offset, "YIELD_VALUE outside of a generator"),
            _ => Ok(()),
        }
    }

    /// Control reaches instruction `to` with `state` from unit `from`.
    fn flow_into(&mut self, to: usize, from: usize, state: &State) -> Result<(), Fault> {
        let changed = match &mut self.states[to] {
            Some(known) => match known.join(state, &self.code.consts) {
                Ok(changed) => changed,
                Err(Apart::Depths) => {
                    let (a, b) = (known.stack.len(), state.stack.len());
                    let at = self.layout.instrs[to].offset * 2;
                    return fault(from, format!("stack is {b} deep, but {a} at {at} already"));
                }
                Err(Apart::Words) => {
                    return fault(from, "a function without its closure on one path only");
                }
            },
            unknown => {
                *unknown = Some(state.clone());
                true
            }
        };
        if changed {
            self.work.push(to);
        }
        Ok(())
    }

    /// Follows control from instruction `start` to where paths meet.
    fn run_from(&mut self, start: usize) -> Result<(), Fault> {
        let layout = self.layout;
        let Some(mut state) = self.states[start].clone() else {
            return Ok(());
        };
        let mut i = start;
        loop {
            let instr = layout.instrs[i];
            let before = state.stack.len();
            let locals = self.handler(i).map(|_| state.locals.clone());
            let mut machine = Machine {
                instr,
                slots: self.code.localspluskinds.len() as u32,
                consts: &self.code.consts,
                room: self.code.stacksize,
                left: before,
                state: &mut state,
            };
            machine.step()?;
            let left = match instr.op {
                // What raises here is thrown in when the generator goes on, with what it is sent on its stack.
                Opcode::YIELD_VALUE => state.stack.len(),
                _ => machine.left,
            };
            if let Some(locals) = locals {
                self.flow_into_handler(i, &state.stack[..left], locals)?;
            }
            if state.stack.len().max(before) > self.code.stacksize as usize {
                return fault(instr.offset, "stack is deeper than co_stacksize");
            }
            // The target of END_ASYNC_FOR is for tracing only.
            if let Some(target) = instr.jump_target() {
                let Some(to) = layout.instruction_at(target) else {
                    return fault(instr.offset, format!("jump to {}", 2 * target));
                };
                // An iterator at its end jumps behind the instruction that its target says.
                let behind = &layout.instrs[to];
                if instr.op == Opcode::FOR_ITER && behind.op != Opcode::END_FOR {
                    return fault(instr.offset, "FOR_ITER leads to no END_FOR");
                }
                if instr.op != Opcode::END_ASYNC_FOR {
                    self.flow_into(to, instr.offset, &state)?;
                }
            }
            match instr.op {
                // What it returns is what it pushes.
                Opcode::RETURN_VALUE if state.stack.len() != 1 => {
                    return fault(instr.offset, "words are left on the stack");
                }
                Opcode::RETURN_VALUE
                | Opcode::RAISE_VARARGS
                | Opcode::RERAISE
                | Opcode::JUMP_FORWARD
                | Opcode::JUMP_BACKWARD
                | Opcode::JUMP_BACKWARD_NO_INTERRUPT => return Ok(()),
                _ => {}
            }
            i += 1;
            if i == layout.instrs.len() {
                return fault(instr.offset, "control runs off the end");
            }
            if self.meets[i] {
                return self.flow_into(i, instr.offset, &state);
            }
        }
    }

    /// What handles the exceptions of instruction `i`, if it may raise any.
    fn handler(&self, i: usize) -> Option<ExceptionEntry> {
        let number = self.layout.handler_of[i];
        let handled = number != NOWHERE && !cannot_raise(self.layout.instrs[i].op);
        handled.then(|| self.layout.handlers[number as usize])
    }

    /// Instruction `i` may raise: before it has changed the locals, but when what it takes off the stack is gone.
    fn flow_into_handler(&mut self, i: usize, left: &[Word], locals: Locals) -> Result<(), Fault> {
        let Some(entry) = self.handler(i) else {
            return Ok(());
        };
        let at = self.layout.instrs[i].offset;
        let depth = entry.depth as usize;
        if depth > left.len() {
            let have = left.len();
            return fault(at, format!("handler wants {depth} words, there are {have}"));
        }
        let mut stack = left[..depth].to_vec();
        let pushed = 1 + usize::from(entry.lasti);
        stack.resize(depth + pushed, Word::OBJECT);
        match self.layout.instruction_at(i64::from(entry.target)) {
            Some(to) => self.flow_into(to, at, &State { stack, locals }),
            None => fault(at, "handler is no instruction"),
        }
    }
}
