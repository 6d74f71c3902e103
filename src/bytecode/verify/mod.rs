//! A verifier: whether a code object keeps what the interpreter relies on without looking. Layout (caches,
//! `EXTENDED_ARG`, operands, jump targets, exception table) is checked instruction by instruction; stack depth,
//! NULLs, bound locals and the lifetimes of borrowed references by abstract interpretation over all paths.

mod layout;
mod machine;

use super::Opcode;
use super::spec::{CodeSpec, Constant, code_flags};
use layout::{Layout, NOWHERE};
use machine::{Machine, State, Word};
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

fn verify_one(code: &CodeSpec) -> Result<(), VerifyError> {
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
    work: Vec<usize>,
}

impl<'a> Flow<'a> {
    fn new(code: &'a CodeSpec, layout: &'a Layout) -> Flow<'a> {
        let mut meets = vec![false; layout.instrs.len()];
        meets[0] = true;
        let jumps = layout.instrs.iter().filter_map(|i| i.jump_target());
        let handlers = layout.handlers.iter().map(|e| i64::from(e.target));
        for target in jumps.chain(handlers) {
            if let Some(i) = layout.instruction_at(target) {
                meets[i] = true;
            }
        }
        Flow {
            code,
            layout,
            states: vec![None; layout.instrs.len()],
            meets,
            work: Vec::new(),
        }
    }

    fn run(&mut self) -> Result<(), Fault> {
        let has = |flag: u32| u32::from(self.code.flags & flag != 0);
        let extra = has(code_flags::VARARGS) + has(code_flags::VARKEYWORDS);
        let arguments = self.code.argcount + self.code.kwonlyargcount + extra;
        let slots = self.code.localspluskinds.len();
        if self.code.localsplusnames.len() != slots || arguments as usize > slots {
            return fault(0, "names, kinds and arguments do not match");
        }
        let mut entry = State {
            stack: Vec::new(),
            bound: vec![0; slots.div_ceil(64)],
        };
        for slot in 0..arguments {
            entry.set_bound(slot, true);
        }
        self.flow_into(0, 0, &entry)?;
        while let Some(start) = self.work.pop() {
            self.run_from(start)?;
        }
        Ok(())
    }

    /// Control reaches instruction `to` with `state` from unit `from`.
    fn flow_into(&mut self, to: usize, from: usize, state: &State) -> Result<(), Fault> {
        let changed = match &mut self.states[to] {
            Some(known) => match known.join(state) {
                Some(changed) => changed,
                None => {
                    let (a, b) = (known.stack.len(), state.stack.len());
                    let at = self.layout.instrs[to].offset * 2;
                    return fault(from, format!("stack is {b} deep, but {a} at {at} already"));
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
            self.flow_into_handler(i, &state)?;
            let before = state.stack.len();
            let mut machine = Machine {
                instr,
                slots: self.code.localspluskinds.len() as u32,
                state: &mut state,
            };
            machine.step()?;
            if state.stack.len().max(before) > self.code.stacksize as usize {
                return fault(instr.offset, "stack is deeper than co_stacksize");
            }
            // The target of END_ASYNC_FOR is for tracing only.
            if let Some(target) = instr.jump_target() {
                let Some(to) = layout.instruction_at(target) else {
                    return fault(instr.offset, format!("jump to {}", 2 * target));
                };
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

    /// Instruction `i` may raise before it does anything.
    fn flow_into_handler(&mut self, i: usize, state: &State) -> Result<(), Fault> {
        let number = self.layout.handler_of[i];
        if number == NOWHERE || cannot_raise(self.layout.instrs[i].op) {
            return Ok(());
        }
        let entry = self.layout.handlers[number as usize];
        let at = self.layout.instrs[i].offset;
        let depth = entry.depth as usize;
        if depth > state.stack.len() {
            let have = state.stack.len();
            return fault(at, format!("handler wants {depth} words, there are {have}"));
        }
        let mut handled = state.clone();
        handled.stack.truncate(depth);
        let pushed = 1 + usize::from(entry.lasti);
        handled.stack.resize(depth + pushed, Word::OBJECT);
        match self.layout.instruction_at(i64::from(entry.target)) {
            Some(to) => self.flow_into(to, at, &handled),
            None => fault(at, "handler is no instruction"),
        }
    }
}
