//! What is known of an object on the stack beyond its being there: as much as instructions rely on without looking.
//!
//! An instruction of the interpreter's own (a name for what the compiler alone emits) may rely on what its operand is, or
//! look. Those that run often rely, and the verifier proves it; the others look, where they are carried out:
//!
//! | relied on, proved here | looked at by the instruction |
//! |---|---|
//! | `POP_JUMP_IF_TRUE`, `_FALSE`, `UNARY_NOT`: a bool | `RERAISE`, `PUSH_EXC_INFO`, `POP_EXCEPT`, `WITH_EXCEPT_START`, `CLEANUP_THROW`, `END_ASYNC_FOR`, `CHECK_EG_MATCH`: an exception |
//! | `LIST_APPEND`, `LIST_EXTEND`, `SET_UPDATE`, `MAP_ADD`, `DICT_UPDATE`, `DICT_MERGE`: what a `BUILD_` has made | `SET_ADD`: a set; `FOR_ITER`, `SEND`, `GET_ANEXT`: any object |
//! | `LOAD_DEREF` and its kin: a cell, which `MAKE_CELL` or `COPY_FREE_VARS` has put there | `LOAD_NAME` and its kin, `SETUP_ANNOTATIONS`, `IMPORT_STAR`: a namespace |
//! | `CALL_KW`, `MATCH_CLASS`: a constant tuple of names; `CALL_FUNCTION_EX`: a dict or nothing | `COPY_FREE_VARS`: the function's closure |
//! | `MAKE_FUNCTION`: a constant that is code; `SET_FUNCTION_ATTRIBUTE`: a function just made, its closure | `SET_FUNCTION_ATTRIBUTE`: defaults; `CALL_INTRINSIC_2`: what its number asks for |
//! | `BUILD_STRING`, `BUILD_INTERPOLATION`: strings; `BUILD_TEMPLATE`, `MATCH_KEYS`: tuples | `BUILD_TEMPLATE`: what is in them |
//! | `YIELD_VALUE`: a generator's frame, so behind `RETURN_GENERATOR` only | |

use crate::bytecode::spec::Constant;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Any,
    Bool,
    /// What a comparison gives that the compiler does not make a bool: of a pattern's length, where it is one, and of the
    /// format that an annotate function is asked for, where a caller may have passed something odd. A jump takes what is
    /// no bool for true, as in CPython.
    Compared,
    Str,
    List,
    Set,
    Dict,
    Tuple,
    Cell,
    /// A tuple of so many cells.
    Cells(u32),
    Constant(u32),
    /// What MAKE_FUNCTION has made and nobody else has seen: the attributes it has got, and how many cells its closure
    /// still has to have.
    Function {
        set: u8,
        wants: u32,
    },
}

impl Sort {
    /// Without which constant it is.
    pub(super) fn general(self, consts: &[Constant]) -> Sort {
        let Sort::Constant(index) = self else {
            return self;
        };
        match consts.get(index as usize) {
            Some(Constant::True | Constant::False) => Sort::Bool,
            Some(Constant::Str(_)) => Sort::Str,
            Some(Constant::Tuple(_)) => Sort::Tuple,
            _ => Sort::Any,
        }
    }
    /// What holds of both; None for a function without its closure and anything else.
    pub(super) fn join(self, other: Sort, consts: &[Constant]) -> Option<Sort> {
        if self == other {
            return Some(self);
        }
        if self.is_unfinished() || other.is_unfinished() {
            return None;
        }
        let tuple = |sort| matches!(sort, Sort::Tuple | Sort::Cells(_));
        let (a, b) = (self.general(consts), other.general(consts));
        Some(match (a, b) {
            (Sort::Function { .. }, _) | (_, Sort::Function { .. }) => Sort::Any,
            _ if a == b => a,
            _ if tuple(a) && tuple(b) => Sort::Tuple,
            _ => Sort::Any,
        })
    }
    /// A function that would run without the cells that its code takes for granted.
    pub(super) fn is_unfinished(self) -> bool {
        matches!(self, Sort::Function { wants: 1.., .. })
    }
    pub(super) fn is_tuple(self, consts: &[Constant]) -> bool {
        matches!(self.general(consts), Sort::Tuple | Sort::Cells(_))
    }
}

/// How many names a constant tuple of names holds.
pub(super) fn names_in(sort: Sort, consts: &[Constant]) -> Option<usize> {
    let Sort::Constant(index) = sort else {
        return None;
    };
    match consts.get(index as usize) {
        Some(Constant::Tuple(items))
            if items.iter().all(|item| matches!(item, Constant::Str(_))) =>
        {
            Some(items.len())
        }
        _ => None,
    }
}

/// How many free variables a constant has that is code.
pub(super) fn free_variables(sort: Sort, consts: &[Constant]) -> Option<u32> {
    let Sort::Constant(index) = sort else {
        return None;
    };
    match consts.get(index as usize)? {
        Constant::Code(code) => Some(code.free_count() as u32),
        Constant::Given { code } => *code,
        _ => None,
    }
}
