//! What each instruction does to the abstract stack and the locals.

use super::sort::{Sort, free_variables, names_in};
use super::state::{Null, Slot, State, Support, Word};
use super::{Fault, fault};
use crate::bytecode::Opcode;
use crate::bytecode::instructions::Decoded;
use crate::bytecode::spec::Constant;

/// One instruction at work on a state.
pub(super) struct Machine<'a> {
    pub(super) instr: Decoded,
    /// Locals, cells and free variables.
    pub(super) slots: u32,
    pub(super) consts: &'a [Constant],
    /// `co_stacksize`
    pub(super) room: u32,
    /// Words of the stack that the instruction has not taken off: what is left of them when it raises.
    pub(super) left: usize,
    pub(super) state: &'a mut State,
}

impl Machine<'_> {
    fn fault<T>(&self, what: &str) -> Result<T, Fault> {
        fault(self.instr.offset, format!("{:?}: {what}", self.instr.op))
    }
    fn push(&mut self, sort: Sort) {
        self.state.stack.push(Word::object(sort));
    }
    fn push_null(&mut self) {
        self.state.stack.push(Word::NULL);
    }
    fn pop_any(&mut self) -> Result<Word, Fault> {
        let Some(word) = self.state.stack.pop() else {
            return self.fault("stack is empty");
        };
        self.left = self.left.min(self.state.stack.len());
        self.finished(word)
    }
    /// Nobody may get hold of a function that has not got its closure.
    fn finished(&self, word: Word) -> Result<Word, Fault> {
        match word.sort.is_unfinished() {
            false => Ok(word),
            true => self.fault("a function without its closure is used"),
        }
    }
    fn object(&self, word: Word) -> Result<Word, Fault> {
        match word.null {
            Null::Never => Ok(word),
            _ => self.fault("operand may be NULL"),
        }
    }
    /// Pops an object.
    fn pop(&mut self) -> Result<Word, Fault> {
        let word = self.pop_any()?;
        self.object(word)
    }
    fn pop_many(&mut self, count: u32) -> Result<(), Fault> {
        (0..count).try_for_each(|_| self.pop().map(drop))
    }
    /// Pops an object that passes a test.
    fn pop_sort(&mut self, wanted: Sort, what: &str) -> Result<Word, Fault> {
        let word = self.pop()?;
        match word.sort.general(self.consts) == wanted {
            true => Ok(word),
            false => self.fault(&format!("operand is not known to be {what}")),
        }
    }
    fn pop_tuple(&mut self) -> Result<Word, Fault> {
        let word = self.pop()?;
        match word.sort.is_tuple(self.consts) {
            true => Ok(word),
            false => self.fault("operand is not known to be a tuple"),
        }
    }
    /// Pops a constant tuple of names, and says how many there are.
    fn pop_names(&mut self) -> Result<usize, Fault> {
        let word = self.pop()?;
        match names_in(word.sort, self.consts) {
            Some(count) => Ok(count),
            None => self.fault("operand is no constant tuple of names"),
        }
    }
    /// The word `depth` below the top, counted from 1.
    fn peek(&self, depth: u32) -> Result<usize, Fault> {
        match self.state.stack.len().checked_sub(depth as usize) {
            Some(at) if depth > 0 => Ok(at),
            _ => self.fault("stack is not deep enough"),
        }
    }
    /// An object that stays where it is, `depth` below the top.
    fn look(&self, depth: u32) -> Result<Word, Fault> {
        let word = self.state.stack[self.peek(depth)?];
        self.object(self.finished(word)?)
    }
    /// A container that is being filled, `depth` below the top.
    fn filling(&self, depth: u32, wanted: Sort) -> Result<(), Fault> {
        match self.look(depth)?.sort == wanted {
            true => Ok(()),
            false => self.fault("what it fills has not been built for that"),
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
        let sort = match self.state.locals.get(slot) {
            Slot::Perhaps => return self.fault("local may be unbound"),
            Slot::Bound => Sort::Any,
            Slot::Cell => Sort::Cell,
        };
        self.state.stack.push(Word {
            support,
            ..Word::object(sort)
        });
        Ok(())
    }
    fn store(&mut self, slot: u32) -> Result<(), Fault> {
        // A comprehension that ran inline gives back what it set aside, which may be nothing.
        let value = self.pop_any()?;
        if value.support != Support::Own {
            return self.fault("a borrowed reference is stored");
        }
        self.kill(slot)?;
        let is = match (value.null, value.sort) {
            (Null::Never, Sort::Cell) => Slot::Cell,
            (Null::Never, _) => Slot::Bound,
            _ => Slot::Perhaps,
        };
        self.state.locals.set(slot, is);
        Ok(())
    }
    fn cell(&self, slot: u32) -> Result<(), Fault> {
        match self.state.locals.get(slot) {
            Slot::Cell => Ok(()),
            _ => self.fault("variable may have no cell"),
        }
    }
    /// `callable, self or NULL, arguments`
    fn call(&mut self, arguments: u32) -> Result<(), Fault> {
        self.pop_many(arguments)?;
        self.pop_any()?;
        self.pop()?;
        self.push(Sort::Any);
        Ok(())
    }

    pub(super) fn step(&mut self) -> Result<(), Fault> {
        let arg = self.instr.oparg;
        match self.instr.op {
            Opcode::EXTENDED_ARG => {}
            Opcode::PUSH_NULL => self.push_null(),
            Opcode::POP_TOP => drop(self.pop_any()?),
            Opcode::LOAD_CONST => self.push(Sort::Constant(arg)),
            Opcode::LOAD_FAST => self.load(arg, Support::Own)?,
            Opcode::LOAD_FAST_BORROW => self.load(arg, Support::Local(arg))?,
            Opcode::LOAD_FAST_CHECK => {
                if self.state.locals.get(arg) == Slot::Perhaps {
                    self.state.locals.set(arg, Slot::Bound);
                }
                self.load(arg, Support::Own)?;
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
                match self.state.locals.get(arg) {
                    Slot::Cell => self.push(Sort::Cell),
                    Slot::Bound => self.push(Sort::Any),
                    Slot::Perhaps => self.state.stack.push(Word {
                        null: Null::Maybe,
                        ..Word::OBJECT
                    }),
                }
                self.state.locals.set(arg, Slot::Perhaps);
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
                self.state.locals.set(arg, Slot::Perhaps);
            }
            Opcode::MAKE_CELL => {
                self.kill(arg)?;
                self.state.locals.set(arg, Slot::Cell);
            }
            Opcode::COPY_FREE_VARS => {
                // They are the last slots.
                for slot in self.slots - arg..self.slots {
                    self.state.locals.set(slot, Slot::Cell);
                }
            }
            Opcode::LOAD_DEREF => {
                self.cell(arg)?;
                self.push(Sort::Any);
            }
            Opcode::STORE_DEREF => {
                self.cell(arg)?;
                self.pop()?;
            }
            Opcode::DELETE_DEREF => self.cell(arg)?,
            Opcode::LOAD_FROM_DICT_OR_DEREF => {
                self.cell(arg)?;
                self.pop()?;
                self.push(Sort::Any);
            }
            Opcode::COPY => {
                let at = self.peek(arg)?;
                let mut word = self.finished(self.state.stack[at])?;
                // Of two references to a new function neither is the only one.
                if let Sort::Function { .. } = word.sort {
                    word.sort = Sort::Any;
                    self.state.stack[at] = word;
                }
                self.state.stack.push(word);
            }
            Opcode::SWAP => {
                let (at, top) = (self.peek(arg)?, self.peek(1)?);
                self.state.stack.swap(at, top);
            }
            _ => return self.step_with_operands(),
        }
        Ok(())
    }

    /// The instructions that do more than move words about.
    fn step_with_operands(&mut self) -> Result<(), Fault> {
        let arg = self.instr.oparg;
        match self.instr.op {
            Opcode::POP_JUMP_IF_TRUE | Opcode::POP_JUMP_IF_FALSE => {
                let condition = self.pop()?.sort.general(self.consts);
                if !matches!(condition, Sort::Bool | Sort::Compared) {
                    return self.fault("operand is not known to be a bool");
                }
            }
            Opcode::UNARY_NOT => {
                self.pop_sort(Sort::Bool, "a bool")?;
                self.push(Sort::Bool);
            }
            // These change an object further down.
            Opcode::LIST_APPEND | Opcode::LIST_EXTEND => {
                self.pop()?;
                self.filling(arg, Sort::List)?;
            }
            Opcode::SET_UPDATE => {
                self.pop()?;
                self.filling(arg, Sort::Set)?;
            }
            // The set may be that of conditional annotations, which is a variable.
            Opcode::SET_ADD => {
                self.pop()?;
                self.look(arg)?;
            }
            Opcode::DICT_UPDATE => {
                self.pop()?;
                self.filling(arg, Sort::Dict)?;
            }
            // The message of an error names the callable below.
            Opcode::DICT_MERGE => {
                self.pop()?;
                self.filling(arg, Sort::Dict)?;
                self.look(arg + 3)?;
            }
            Opcode::MAP_ADD => {
                self.pop_many(2)?;
                self.filling(arg, Sort::Dict)?;
            }
            // These leave their operands.
            Opcode::MATCH_MAPPING | Opcode::MATCH_SEQUENCE => {
                self.look(1)?;
                self.push(Sort::Bool);
            }
            Opcode::GET_LEN | Opcode::IMPORT_FROM | Opcode::GET_ANEXT | Opcode::FOR_ITER => {
                self.look(1)?;
                self.push(Sort::Any);
            }
            Opcode::MATCH_KEYS => {
                if !self.look(1)?.sort.is_tuple(self.consts) {
                    return self.fault("operand is not known to be a tuple");
                }
                self.look(2)?;
                self.push(Sort::Any);
            }
            Opcode::MATCH_CLASS => {
                self.pop_names()?;
                self.pop_many(2)?;
                self.push(Sort::Any);
            }
            Opcode::WITH_EXCEPT_START => {
                self.look(1)?;
                self.look(5)?;
                self.push(Sort::Any);
            }
            Opcode::CHECK_EXC_MATCH => {
                self.pop()?;
                self.look(1)?;
                self.push(Sort::Bool);
            }
            Opcode::SEND => {
                self.pop()?;
                self.look(1)?;
                self.push(Sort::Any);
            }
            // What comes back from a delegate may be borrowed from where it was.
            Opcode::END_SEND => {
                let value = self.pop()?;
                self.pop()?;
                self.state.stack.push(value);
            }
            // What a generator waits for is looked up on its stack.
            Opcode::YIELD_VALUE => {
                self.pop()?;
                if arg == 1 {
                    self.look(1)?;
                }
                self.push(Sort::Any);
            }
            Opcode::RERAISE => {
                self.pop()?;
                if arg > 0 {
                    self.look(arg)?;
                }
            }
            Opcode::LOAD_GLOBAL => {
                self.push(Sort::Any);
                if arg & 1 != 0 {
                    self.push_null();
                }
            }
            Opcode::LOAD_ATTR | Opcode::LOAD_SUPER_ATTR => {
                let receiver = self.pop()?;
                if self.instr.op == Opcode::LOAD_SUPER_ATTR {
                    self.pop_many(2)?;
                }
                self.push(Sort::Any);
                self.method_self(receiver, arg & 1 != 0);
            }
            Opcode::LOAD_SPECIAL => {
                let receiver = self.pop()?;
                self.push(Sort::Any);
                self.method_self(receiver, true);
            }
            Opcode::CALL => self.call(arg)?,
            Opcode::CALL_KW => {
                if self.pop_names()? > arg as usize {
                    return self.fault("more names than arguments");
                }
                self.call(arg)?;
            }
            Opcode::CALL_FUNCTION_EX => {
                let keywords = self.pop_any()?;
                if keywords.null != Null::Always && keywords.sort != Sort::Dict {
                    return self.fault("keyword arguments are not known to be a dict");
                }
                self.pop()?;
                if self.pop_any()?.null != Null::Always {
                    return self.fault("there is something in the place of NULL");
                }
                self.pop()?;
                self.push(Sort::Any);
            }
            Opcode::MAKE_FUNCTION => {
                let code = self.pop()?;
                let Some(wants) = free_variables(code.sort, self.consts) else {
                    return self.fault("operand is no constant that is code");
                };
                self.push(Sort::Function { set: 0, wants });
            }
            Opcode::SET_FUNCTION_ATTRIBUTE => self.set_function_attribute()?,
            Opcode::BUILD_STRING => {
                for _ in 0..arg {
                    self.pop_sort(Sort::Str, "a string")?;
                }
                self.push(Sort::Str);
            }
            Opcode::BUILD_TEMPLATE => {
                self.pop_tuple()?;
                self.pop_tuple()?;
                self.push(Sort::Any);
            }
            Opcode::BUILD_INTERPOLATION => {
                for _ in 0..1 + (arg & 1) {
                    self.pop_sort(Sort::Str, "a string")?;
                }
                self.pop()?;
                self.push(Sort::Any);
            }
            Opcode::BUILD_TUPLE => {
                let mut cells = arg > 0;
                for _ in 0..arg {
                    cells &= self.pop()?.sort == Sort::Cell;
                }
                self.push(if cells { Sort::Cells(arg) } else { Sort::Tuple });
            }
            Opcode::CALL_INTRINSIC_1 if arg == LIST_TO_TUPLE => {
                self.pop_sort(Sort::List, "a list")?;
                self.push(Sort::Tuple);
            }
            op => {
                let oparg = arg as i32;
                let counts = (op.num_popped(oparg), op.num_pushed(oparg));
                let (Some(popped), Some(pushed)) = counts else {
                    return self.fault("unknown stack effect");
                };
                self.pop_many(popped as u32)?;
                if pushed as u32 > self.room {
                    return self.fault("stack is deeper than co_stacksize");
                }
                let sort = result_sort(op, arg);
                (0..pushed).for_each(|_| self.push(sort));
            }
        }
        Ok(())
    }

    /// A method's receiver, NULL if what was found is no method.
    fn method_self(&mut self, receiver: Word, pushed: bool) {
        if pushed {
            let (null, sort) = (Null::Maybe, Sort::Any);
            self.state.stack.push(Word {
                null,
                sort,
                ..receiver
            });
        }
    }

    fn set_function_attribute(&mut self) -> Result<(), Fault> {
        let Some(function) = self.state.stack.pop() else {
            return self.fault("stack is empty");
        };
        let value = self.pop()?;
        let Sort::Function { set, wants } = function.sort else {
            return self.fault("operand is no function that has just been made");
        };
        let which = self.instr.oparg as u8;
        // The defaults of a generic function are arguments of the function that makes it.
        let fits = which != CLOSURE || value.sort == Sort::Cells(wants);
        if !fits || set & which != 0 {
            return self.fault("the function cannot have this attribute");
        }
        let wants = if which == CLOSURE { 0 } else { wants };
        let set = set | which;
        self.push(Sort::Function { set, wants });
        Ok(())
    }
}

/// `MAKE_FUNCTION_CLOSURE`
const CLOSURE: u8 = 8;
/// `INTRINSIC_LIST_TO_TUPLE`
const LIST_TO_TUPLE: u32 = 6;

/// What is known of the result of an instruction that treats its operands alike.
fn result_sort(op: Opcode, oparg: u32) -> Sort {
    match op {
        Opcode::TO_BOOL | Opcode::IS_OP | Opcode::CONTAINS_OP => Sort::Bool,
        // With this bit a comparison's result is made a bool.
        Opcode::COMPARE_OP if oparg & 16 != 0 => Sort::Bool,
        Opcode::COMPARE_OP => Sort::Compared,
        Opcode::CONVERT_VALUE | Opcode::FORMAT_SIMPLE | Opcode::FORMAT_WITH_SPEC => Sort::Str,
        Opcode::BUILD_LIST => Sort::List,
        Opcode::BUILD_SET => Sort::Set,
        Opcode::BUILD_MAP => Sort::Dict,
        _ => Sort::Any,
    }
}
