//! What stands on a function's stack before each instruction, as far as a jump between lines must know it
//! (`mark_stacks`): a jump pops what is too much, and is refused where something would be missing.
//!
//! CPython tells five kinds of words apart and trusts that all objects are alike. Instructions rely on more
//! (`src/bytecode/verify/sort.rs`), so that a jump between two expressions could crash it; here a word that they rely on
//! is of a kind of its own.

use crate::bytecode::Opcode;
use crate::bytecode::instructions::{Decoded, instructions};
use crate::bytecode::spec::{CodeSpec, local_kind};
use crate::bytecode::tables;

/// What a word of the stack is to a jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Of a `for` loop.
    Iterator,
    /// The exception handled before, which POP_EXCEPT makes the handled one again.
    Handled,
    Object,
    /// An object, or none.
    Null,
    /// What an instruction has made, with its argument: others may rely on that.
    Made(Opcode, usize),
    /// Of an `async for` loop.
    AsyncIterator,
    /// Where a re-raised exception came from.
    Lasti,
    /// The exception that a handler has been entered with.
    Raised,
}

impl Kind {
    /// Whether this may stand where `wanted` is expected.
    fn serves_as(self, wanted: Kind) -> bool {
        match wanted {
            Kind::Object => self != Kind::Null,
            Kind::Null => true,
            // POP_EXCEPT and the tests of a handler look at what they get.
            Kind::Handled | Kind::Raised => matches!(self, Kind::Handled | Kind::Raised),
            wanted => self == wanted,
        }
    }
}

/// A stack deeper than this is not analysed (`MAX_STACK_ENTRIES`).
const DEEPEST: usize = 21;

/// A stack, the top last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stack {
    Known(Vec<Kind>),
    TooDeep,
    /// Before an instruction that no path leads to.
    Unreachable,
}

impl Stack {
    /// Why a frame cannot go on at an instruction with this stack, although it has another
    /// (`explain_incompatible_stack`).
    pub fn explain(&self) -> &'static str {
        match self {
            Stack::TooDeep => "stack is too deep to analyze",
            Stack::Unreachable => {
                "can't jump into an exception handler, or code may be unreachable"
            }
            Stack::Known(kinds) => match kinds.last() {
                Some(Kind::Handled | Kind::Raised) => {
                    "can't jump into an 'except' block as there's no exception"
                }
                Some(Kind::Lasti) => "can't jump into a re-raising block as there's no location",
                Some(Kind::Iterator | Kind::AsyncIterator) => {
                    "can't jump into the body of a for loop"
                }
                Some(Kind::Object | Kind::Null | Kind::Made(..)) | None => "incompatible stacks",
            },
        }
    }
    /// Whether popping makes this stack one that serves as `wanted` (`compatible_stack`).
    pub fn serves_as(&self, wanted: &Stack) -> bool {
        let (Stack::Known(have), Stack::Known(wanted)) = (self, wanted) else {
            return false;
        };
        wanted.len() <= have.len()
            && have
                .iter()
                .zip(wanted)
                .all(|(have, wanted)| have.serves_as(*wanted))
    }
    fn edit(&self, change: impl FnOnce(&mut Vec<Kind>)) -> Stack {
        let Stack::Known(kinds) = self else {
            return self.clone();
        };
        let mut kinds = kinds.clone();
        change(&mut kinds);
        if kinds.len() > DEEPEST {
            return Stack::TooDeep;
        }
        Stack::Known(kinds)
    }
    fn pop(&self, words: usize) -> Stack {
        self.edit(|kinds| kinds.truncate(kinds.len().saturating_sub(words)))
    }
    fn push(&self, kind: Kind) -> Stack {
        self.edit(|kinds| kinds.push(kind))
    }
}

/// Instructions rely on what these make.
fn makes(spec: &CodeSpec, op: Opcode, oparg: usize) -> bool {
    let in_cell = |index: usize| {
        let kind = spec.localspluskinds.get(index).copied().unwrap_or(0);
        kind & (local_kind::CELL | local_kind::FREE) != 0
    };
    match op {
        Opcode::LOAD_FAST | Opcode::LOAD_FAST_BORROW | Opcode::LOAD_FAST_CHECK => in_cell(oparg),
        Opcode::LOAD_FAST_LOAD_FAST | Opcode::LOAD_FAST_BORROW_LOAD_FAST_BORROW => {
            in_cell(oparg >> 4) || in_cell(oparg & 15)
        }
        op => matches!(
            op,
            Opcode::BUILD_LIST
                | Opcode::BUILD_SET
                | Opcode::BUILD_MAP
                | Opcode::BUILD_TUPLE
                | Opcode::BUILD_STRING
                | Opcode::BUILD_INTERPOLATION
                | Opcode::BUILD_TEMPLATE
                | Opcode::CALL_INTRINSIC_1
                | Opcode::CHECK_EXC_MATCH
                | Opcode::COMPARE_OP
                | Opcode::CONTAINS_OP
                | Opcode::CONVERT_VALUE
                | Opcode::FORMAT_SIMPLE
                | Opcode::FORMAT_WITH_SPEC
                | Opcode::IS_OP
                | Opcode::LOAD_COMMON_CONSTANT
                | Opcode::LOAD_CONST
                | Opcode::LOAD_SMALL_INT
                | Opcode::MAKE_FUNCTION
                | Opcode::MATCH_CLASS
                | Opcode::MATCH_KEYS
                | Opcode::MATCH_MAPPING
                | Opcode::MATCH_SEQUENCE
                | Opcode::SET_FUNCTION_ATTRIBUTE
                | Opcode::TO_BOOL
                | Opcode::UNARY_NOT
        ),
    }
}

/// What is below the result, or below what is taken away, stays what it was.
fn keeps_inputs(op: Opcode) -> bool {
    matches!(
        op,
        Opcode::CHECK_EXC_MATCH
            | Opcode::DICT_MERGE
            | Opcode::DICT_UPDATE
            | Opcode::END_FOR
            | Opcode::FOR_ITER
            | Opcode::GET_ANEXT
            | Opcode::GET_LEN
            | Opcode::IMPORT_FROM
            | Opcode::LIST_APPEND
            | Opcode::LIST_EXTEND
            | Opcode::MAP_ADD
            | Opcode::MATCH_KEYS
            | Opcode::MATCH_MAPPING
            | Opcode::MATCH_SEQUENCE
            | Opcode::SEND
            | Opcode::SET_ADD
            | Opcode::SET_UPDATE
            | Opcode::WITH_EXCEPT_START
    )
}

/// The stack behind an instruction; where it may jump, on both ways unless [`jump`] says otherwise.
fn behind(spec: &CodeSpec, op: Opcode, oparg: usize, stack: &Stack) -> Stack {
    let with_null = |stack: Stack| match oparg & 1 {
        0 => stack,
        _ => stack.push(Kind::Null),
    };
    let made = match makes(spec, op, oparg) {
        true => Kind::Made(op, oparg),
        false => Kind::Object,
    };
    let push = |stack: Stack, count| (0..count).fold(stack, |stack, _| stack.push(made));
    match op {
        Opcode::GET_ITER => stack.pop(1).push(Kind::Iterator),
        Opcode::GET_AITER => stack.pop(1).push(Kind::AsyncIterator),
        Opcode::PUSH_EXC_INFO => stack.pop(1).push(Kind::Handled).push(Kind::Raised),
        Opcode::PUSH_NULL | Opcode::LOAD_FAST_AND_CLEAR => stack.push(Kind::Null),
        Opcode::LOAD_GLOBAL => with_null(stack.push(Kind::Object)),
        Opcode::LOAD_ATTR => with_null(stack.pop(1).push(Kind::Object)),
        Opcode::LOAD_SUPER_ATTR => with_null(stack.pop(3).push(Kind::Object)),
        // The rest of an exception takes its place.
        Opcode::CHECK_EG_MATCH => stack.pop(1).push(Kind::Object),
        Opcode::LOAD_SPECIAL => stack.pop(1).push(Kind::Object).push(Kind::Null),
        Opcode::SWAP => stack.edit(|kinds| {
            if let (Some(below), Some(top)) =
                (kinds.len().checked_sub(oparg), kinds.len().checked_sub(1))
            {
                kinds.swap(below.min(top), top);
            }
        }),
        Opcode::COPY => stack.edit(|kinds| {
            let copied = kinds.len().checked_sub(oparg).and_then(|at| kinds.get(at));
            kinds.extend(copied.copied());
        }),
        op if keeps_inputs(op) => match op.stack_effect(oparg as i32, false).unwrap_or(0) {
            pushed @ 0.. => push(stack.clone(), pushed),
            popped => stack.pop(popped.unsigned_abs() as usize),
        },
        _ => {
            let popped = op.num_popped(oparg as i32).unwrap_or(0).max(0);
            let pushed = op.num_pushed(oparg as i32).unwrap_or(0).max(0);
            push(stack.pop(popped as usize), pushed)
        }
    }
}

/// The unit that an instruction may jump to, and the stack there.
fn jump(at: &Decoded, before: &Stack, behind: &Stack) -> Option<(usize, Stack)> {
    let stack = match at.op {
        Opcode::POP_JUMP_IF_FALSE
        | Opcode::POP_JUMP_IF_TRUE
        | Opcode::POP_JUMP_IF_NONE
        | Opcode::POP_JUMP_IF_NOT_NONE => behind.clone(),
        Opcode::JUMP_FORWARD
        | Opcode::SEND
        | Opcode::JUMP_BACKWARD
        | Opcode::JUMP_BACKWARD_NO_INTERRUPT => before.clone(),
        // END_FOR takes an item away that is not there.
        Opcode::FOR_ITER => before.push(Kind::Object),
        _ => return None,
    };
    Some((usize::try_from(at.jump_target()?).ok()?, stack))
}

/// The stack before each instruction, by code unit.
pub fn mark_stacks(spec: &CodeSpec) -> Vec<Stack> {
    let list: Vec<Decoded> = instructions(&spec.code).collect();
    let handlers = tables::read_exception_table(&spec.exceptiontable).unwrap_or_default();
    let mut stacks = vec![Stack::Unreachable; spec.code.len() / 2 + 1];
    // What the first instruction of a generator leaves for the second is there when it is resumed first.
    stacks[0] = Stack::Known(Vec::new());
    let mut changed = true;
    while changed {
        changed = false;
        let mut reach = |stacks: &mut [Stack], unit: usize, stack: Stack| {
            if let Some(old @ Stack::Unreachable) = stacks.get_mut(unit) {
                *old = stack;
                changed = true;
            }
        };
        for at in &list {
            let before = stacks[at.offset].clone();
            if before == Stack::Unreachable {
                continue;
            }
            let behind = behind(spec, at.op, at.oparg as usize, &before);
            if let Some((to, stack)) = jump(at, &before, &behind) {
                reach(&mut stacks, to, stack);
            }
            if at.falls_through() {
                reach(&mut stacks, at.end(), behind);
            }
        }
        for entry in &handlers {
            let Some(from @ Stack::Known(kinds)) = stacks.get(entry.start as usize) else {
                continue;
            };
            let kept = from.pop(kinds.len().saturating_sub(entry.depth as usize));
            let kept = if entry.lasti {
                kept.push(Kind::Lasti)
            } else {
                kept
            };
            reach(&mut stacks, entry.target as usize, kept.push(Kind::Raised));
        }
    }
    stacks
}

/// By code unit: the line that begins there (`marklines`). What makes cells or a generator, before the unit `first`, is
/// done once.
pub fn mark_lines(spec: &CodeSpec, first: usize) -> Vec<Option<i32>> {
    let mut lines = vec![None; spec.code.len() / 2];
    let mut last = None;
    for range in tables::read_lines(&spec.linetable, spec.firstlineno).unwrap_or_default() {
        let start = first.max(range.start as usize);
        if range.line.is_some() && range.line != last && start < range.end as usize {
            last = range.line;
            if let Some(place) = lines.get_mut(start) {
                *place = range.line;
            }
        }
    }
    lines
}
