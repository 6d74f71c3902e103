//! A verifier: whether a code object keeps what the interpreter relies on without looking. Layout (caches,
//! `EXTENDED_ARG`, operands, jump targets, exception table) is checked instruction by instruction; stack depth,
//! NULLs, bound locals and the lifetimes of borrowed references by abstract interpretation over all paths.

use super::Opcode;
use super::instructions::{Decoded, instructions};
use super::spec::{CodeSpec, Constant, code_flags, local_kind};
use super::tables::{ExceptionEntry, read_exception_table, read_locations};
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

const NOWHERE: u32 = u32::MAX;

/// The instructions of a code object, every one of them well-formed by itself.
struct Layout {
    instrs: Vec<Decoded>,
    /// By code unit: the instruction that starts there and may be jumped to, or `NOWHERE`.
    starts: Vec<u32>,
    handlers: Vec<ExceptionEntry>,
    /// By instruction: index of its entry in `handlers`, or `NOWHERE`.
    handler_of: Vec<u32>,
}

impl Layout {
    fn new(code: &CodeSpec) -> Result<Layout, Fault> {
        if code.code.is_empty() || !code.code.len().is_multiple_of(2) {
            return fault(0, "code is empty or ends in half a unit");
        }
        let units = code.code.len() / 2;
        let instrs: Vec<Decoded> = instructions(&code.code).collect();
        let mut starts = vec![NOWHERE; units];
        let mut extended = false;
        for (i, instr) in instrs.iter().enumerate() {
            check_operand(code, instr, extended)?;
            let at = instr.offset;
            if instr.end() > units {
                return fault(at, format!("{:?}: cache reaches past the end", instr.op));
            }
            let cache = &code.code[2 * at + 2..2 * instr.end()];
            if cache.iter().any(|&b| b != 0) {
                return fault(at, format!("{:?}: cache is not empty", instr.op));
            }
            if !extended {
                starts[at] = i as u32;
            }
            extended = instr.op == Opcode::EXTENDED_ARG;
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

    fn instruction_at(&self, unit: i64) -> Option<usize> {
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

/// Every code unit has a location entry, and there are none beyond.
fn check_locations(code: &CodeSpec, units: usize) -> Result<(), Fault> {
    let ranges = read_locations(&code.linetable, code.firstlineno);
    let ranges = ranges.map_err(|e| (0, format!("location table: {e}")))?;
    match ranges.last().map_or(0, |r| r.end as usize) {
        end if end == units => Ok(()),
        end => fault(
            end.min(units),
            "location table has not the length of the code",
        ),
    }
}

fn check_operand(code: &CodeSpec, instr: &Decoded, extended: bool) -> Result<(), Fault> {
    let Decoded { offset, op, oparg } = *instr;
    let real = op != Opcode::CACHE && op.num_popped(0).is_some() && op.deopt() == op;
    if !real && op != Opcode::EXTENDED_ARG {
        return fault(offset, format!("opcode {} ({op:?}) in fresh code", op.0));
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
        Opcode::COPY_FREE_VARS => {
            let free = |kinds: &&u8| **kinds & local_kind::FREE != 0;
            arg == code.localspluskinds.iter().filter(free).count()
        }
        Opcode::COPY => arg >= 1,
        Opcode::SWAP => arg >= 2,
        Opcode::BINARY_OP => arg <= 26,
        Opcode::COMPARE_OP => arg >> 5 < 6,
        Opcode::CALL_INTRINSIC_1 => (1..=11).contains(&arg),
        Opcode::CALL_INTRINSIC_2 => (1..=5).contains(&arg),
        Opcode::CONVERT_VALUE => (1..=3).contains(&arg),
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

/// Whether a word may be NULL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Null {
    Never,
    Maybe,
    Always,
}

/// What keeps a borrowed reference alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Support {
    /// The word owns its object.
    Own,
    Local(u32),
    /// One of several locals, by the path taken.
    Locals,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Word {
    null: Null,
    support: Support,
}

impl Word {
    const OBJECT: Word = Word::new(Null::Never);

    const fn new(null: Null) -> Word {
        let support = Support::Own;
        Word { null, support }
    }
    fn join(self, other: Word) -> Word {
        let null = if self.null == other.null {
            self.null
        } else {
            Null::Maybe
        };
        let support = match (self.support, other.support) {
            (a, b) if a == b => a,
            (Support::Own, borrowed) | (borrowed, Support::Own) => borrowed,
            _ => Support::Locals,
        };
        Word { null, support }
    }
}

/// What is known before an instruction on every path to it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct State {
    stack: Vec<Word>,
    /// Bit i: slot i certainly holds something.
    bound: Vec<u64>,
}

impl State {
    fn is_bound(&self, slot: u32) -> bool {
        self.bound[slot as usize / 64] >> (slot % 64) & 1 != 0
    }
    fn set_bound(&mut self, slot: u32, bound: bool) {
        let bit = 1 << (slot % 64);
        let word = &mut self.bound[slot as usize / 64];
        *word = if bound { *word | bit } else { *word & !bit };
    }
    /// Weakens this state to what also holds in `other`; None if their depths differ.
    fn join(&mut self, other: &State) -> Option<bool> {
        if self.stack.len() != other.stack.len() {
            return None;
        }
        let mut changed = false;
        for (mine, theirs) in self.stack.iter_mut().zip(&other.stack) {
            let joined = mine.join(*theirs);
            changed |= joined != *mine;
            *mine = joined;
        }
        for (mine, theirs) in self.bound.iter_mut().zip(&other.bound) {
            changed |= *mine & !theirs != 0;
            *mine &= theirs;
        }
        Some(changed)
    }
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

/// One instruction at work on a state.
struct Machine<'a> {
    instr: Decoded,
    /// Locals, cells and free variables.
    slots: u32,
    state: &'a mut State,
}

impl Machine<'_> {
    fn fault<T>(&self, what: &str) -> Result<T, Fault> {
        fault(self.instr.offset, format!("{:?}: {what}", self.instr.op))
    }
    fn push(&mut self, null: Null) {
        self.state.stack.push(Word::new(null));
    }
    fn pop_any(&mut self) -> Result<Word, Fault> {
        match self.state.stack.pop() {
            Some(word) => Ok(word),
            None => self.fault("stack is empty"),
        }
    }
    /// Pops an object.
    fn pop(&mut self) -> Result<Word, Fault> {
        let word = self.pop_any()?;
        match word.null {
            Null::Never => Ok(word),
            _ => self.fault("operand may be NULL"),
        }
    }
    fn pop_many(&mut self, count: u32) -> Result<(), Fault> {
        (0..count).try_for_each(|_| self.pop().map(drop))
    }
    /// The word `depth` below the top, counted from 1.
    fn peek(&self, depth: u32) -> Result<usize, Fault> {
        match self.state.stack.len().checked_sub(depth as usize) {
            Some(at) if depth > 0 => Ok(at),
            _ => self.fault("stack is not deep enough"),
        }
    }
    fn kill(&mut self, slot: u32) -> Result<(), Fault> {
        let supported =
            |word: &Word| word.support == Support::Local(slot) || word.support == Support::Locals;
        if self.state.stack.iter().any(supported) {
            return self.fault("a reference borrowed from the local is still on the stack");
        }
        Ok(())
    }
    fn load(&mut self, slot: u32, support: Support) -> Result<(), Fault> {
        if !self.state.is_bound(slot) {
            return self.fault("local may be unbound");
        }
        let null = Null::Never;
        self.state.stack.push(Word { null, support });
        Ok(())
    }
    fn store(&mut self, slot: u32) -> Result<(), Fault> {
        // A comprehension that ran inline gives back what it set aside, which may be nothing.
        let value = self.pop_any()?;
        if value.support != Support::Own {
            return self.fault("a borrowed reference is stored");
        }
        self.kill(slot)?;
        self.state.set_bound(slot, value.null == Null::Never);
        Ok(())
    }
    /// `callable, self or NULL, arguments`
    fn call(&mut self, arguments: u32) -> Result<(), Fault> {
        self.pop_many(arguments)?;
        self.pop_any()?;
        self.pop()?;
        self.push(Null::Never);
        Ok(())
    }

    fn step(&mut self) -> Result<(), Fault> {
        let arg = self.instr.oparg;
        match self.instr.op {
            Opcode::EXTENDED_ARG => {}
            Opcode::PUSH_NULL => self.push(Null::Always),
            Opcode::POP_TOP => drop(self.pop_any()?),
            Opcode::LOAD_FAST => self.load(arg, Support::Own)?,
            Opcode::LOAD_FAST_BORROW => self.load(arg, Support::Local(arg))?,
            Opcode::LOAD_FAST_CHECK => {
                self.state.set_bound(arg, true);
                self.push(Null::Never);
            }
            Opcode::LOAD_FAST_LOAD_FAST => {
                self.load(arg >> 4, Support::Own)?;
                self.load(arg & 15, Support::Own)?;
            }
            Opcode::LOAD_FAST_BORROW_LOAD_FAST_BORROW => {
                self.load(arg >> 4, Support::Local(arg >> 4))?;
                self.load(arg & 15, Support::Local(arg & 15))?;
            }
            Opcode::LOAD_FAST_AND_CLEAR => {
                self.kill(arg)?;
                let bound = self.state.is_bound(arg);
                self.push(if bound { Null::Never } else { Null::Maybe });
                self.state.set_bound(arg, false);
            }
            Opcode::STORE_FAST => self.store(arg)?,
            Opcode::STORE_FAST_LOAD_FAST => {
                self.store(arg >> 4)?;
                self.load(arg & 15, Support::Own)?;
            }
            Opcode::STORE_FAST_STORE_FAST => {
                self.store(arg >> 4)?;
                self.store(arg & 15)?;
            }
            Opcode::DELETE_FAST => {
                self.kill(arg)?;
                self.state.set_bound(arg, false);
            }
            Opcode::MAKE_CELL => {
                self.kill(arg)?;
                self.state.set_bound(arg, true);
            }
            Opcode::COPY_FREE_VARS => {
                // They are the last slots.
                for slot in self.slots - arg..self.slots {
                    self.state.set_bound(slot, true);
                }
            }
            Opcode::COPY => {
                let at = self.peek(arg)?;
                self.state.stack.push(self.state.stack[at]);
            }
            Opcode::SWAP => {
                let (at, top) = (self.peek(arg)?, self.peek(1)?);
                self.state.stack.swap(at, top);
            }
            // These change an object further down.
            Opcode::LIST_APPEND
            | Opcode::SET_ADD
            | Opcode::LIST_EXTEND
            | Opcode::SET_UPDATE
            | Opcode::DICT_UPDATE => {
                self.pop()?;
                self.peek(arg)?;
            }
            // The message of an error names the callable below.
            Opcode::DICT_MERGE => {
                self.pop()?;
                self.peek(arg + 3)?;
            }
            Opcode::MAP_ADD => {
                self.pop_many(2)?;
                self.peek(arg)?;
            }
            // These leave their operands.
            Opcode::GET_LEN
            | Opcode::MATCH_MAPPING
            | Opcode::MATCH_SEQUENCE
            | Opcode::IMPORT_FROM
            | Opcode::GET_ANEXT
            | Opcode::FOR_ITER => {
                self.peek(1)?;
                self.push(Null::Never);
            }
            Opcode::MATCH_KEYS => {
                self.peek(2)?;
                self.push(Null::Never);
            }
            Opcode::WITH_EXCEPT_START => {
                self.peek(5)?;
                self.push(Null::Never);
            }
            Opcode::CHECK_EXC_MATCH => {
                self.pop()?;
                self.peek(1)?;
                self.push(Null::Never);
            }
            Opcode::SEND => {
                self.pop()?;
                self.peek(1)?;
                self.push(Null::Never);
            }
            Opcode::RERAISE => {
                self.pop()?;
                if arg > 0 {
                    self.peek(arg)?;
                }
            }
            Opcode::LOAD_GLOBAL => {
                self.push(Null::Never);
                if arg & 1 != 0 {
                    self.push(Null::Always);
                }
            }
            Opcode::LOAD_ATTR | Opcode::LOAD_SUPER_ATTR => {
                let receiver = self.pop()?;
                if self.instr.op == Opcode::LOAD_SUPER_ATTR {
                    self.pop_many(2)?;
                }
                self.push(Null::Never);
                self.method_self(receiver, arg & 1 != 0);
            }
            Opcode::LOAD_SPECIAL => {
                let receiver = self.pop()?;
                self.push(Null::Never);
                self.method_self(receiver, true);
            }
            Opcode::CALL => self.call(arg)?,
            Opcode::CALL_KW => {
                self.pop()?;
                self.call(arg)?;
            }
            Opcode::CALL_FUNCTION_EX => {
                self.pop_any()?;
                self.call(1)?;
            }
            op => {
                let oparg = arg as i32;
                let counts = (op.num_popped(oparg), op.num_pushed(oparg));
                let (Some(popped), Some(pushed)) = counts else {
                    return self.fault("unknown stack effect");
                };
                self.pop_many(popped as u32)?;
                (0..pushed).for_each(|_| self.push(Null::Never));
            }
        }
        Ok(())
    }

    /// A method's receiver, NULL if what was found is no method.
    fn method_self(&mut self, receiver: Word, pushed: bool) {
        if pushed {
            let null = Null::Maybe;
            self.state.stack.push(Word { null, ..receiver });
        }
    }
}
