//! Handlers that may have what the others may not, each with the reason.

use super::check::{Expectations, Medians};
use super::layout::Form;
use crate::bytecode::Opcode;
use crate::interp;

/// Handlers whose meaning is a call: one push that aligns the stack, and no spill.
const CALLS: &[(&str, &str)] = &[
    ("BINARY_OP", "works on any object"),
    ("BINARY_OP_ADD_UNICODE", "makes a string"),
    ("BINARY_OP_EXTEND", "works on any object"),
    ("BINARY_OP_INPLACE_ADD_UNICODE", "makes a string"),
    ("BINARY_OP_SUBSCR_DICT", "looks up a hash table"),
    ("BINARY_OP_SUBSCR_LIST_SLICE", "works on any object"),
    (
        "BINARY_OP_SUBSCR_STR_INT",
        "reads the characters of a string",
    ),
    ("BINARY_SLICE", "works on any object"),
    ("BUILD_INTERPOLATION", "allocates"),
    ("BUILD_LIST", "allocates"),
    ("BUILD_MAP", "allocates"),
    ("BUILD_SET", "allocates"),
    ("BUILD_SLICE", "allocates"),
    ("BUILD_STRING", "allocates"),
    ("BUILD_TEMPLATE", "allocates"),
    ("BUILD_TUPLE", "allocates"),
    ("CALL", "calls a native function"),
    ("CALL_ALLOC_AND_ENTER_INIT", "allocates"),
    ("CALL_BOUND_METHOD_GENERAL", "binds arguments"),
    ("CALL_BUILTIN_CLASS", "calls a native function"),
    ("CALL_BUILTIN_FAST", "calls a native function"),
    ("CALL_BUILTIN_FAST_WITH_KEYWORDS", "calls a native function"),
    ("CALL_BUILTIN_O", "calls a native function"),
    ("CALL_FUNCTION_EX", "calls a native function"),
    ("CALL_INTRINSIC_1", "calls a native function"),
    ("CALL_INTRINSIC_2", "calls a native function"),
    ("CALL_ISINSTANCE", "works on any object"),
    ("CALL_KW", "calls a native function"),
    ("CALL_KW_BOUND_METHOD", "binds arguments"),
    ("CALL_KW_NON_PY", "calls a native function"),
    ("CALL_KW_PY", "binds arguments"),
    ("CALL_LEN", "calls a native function"),
    ("CALL_METHOD_DESCRIPTOR_FAST", "calls a native function"),
    (
        "CALL_METHOD_DESCRIPTOR_FAST_WITH_KEYWORDS",
        "calls a native function",
    ),
    ("CALL_METHOD_DESCRIPTOR_NOARGS", "calls a native function"),
    ("CALL_METHOD_DESCRIPTOR_O", "calls a native function"),
    ("CALL_NON_PY_GENERAL", "calls a native function"),
    (
        "CALL_PY_EXACT_ARGS",
        "pushes a frame: one register more than are free",
    ),
    ("CALL_PY_GENERAL", "binds arguments"),
    ("CALL_STR_1", "makes a string"),
    ("CALL_TUPLE_1", "allocates"),
    ("CHECK_EG_MATCH", "works on exceptions"),
    ("CHECK_EXC_MATCH", "works on exceptions"),
    ("CLEANUP_THROW", "works on exceptions"),
    ("COMPARE_OP", "works on any object"),
    ("COMPARE_OP_STR", "reads the characters of a string"),
    ("CONTAINS_OP", "works on any object"),
    ("CONTAINS_OP_DICT", "looks up a hash table"),
    ("CONTAINS_OP_SET", "looks up a hash table"),
    ("CONVERT_VALUE", "makes a string"),
    (
        "COPY_FREE_VARS",
        "is no part of a loop, and its code is shared",
    ),
    ("DELETE_ATTR", "works on any object"),
    ("DELETE_GLOBAL", "looks up a hash table"),
    ("DELETE_NAME", "looks up a hash table"),
    ("DELETE_SUBSCR", "works on any object"),
    ("DICT_MERGE", "allocates"),
    ("DICT_UPDATE", "allocates"),
    ("END_ASYNC_FOR", "works on exceptions"),
    (
        "EXTENDED_ARG",
        "tells a recorder what it fetches, while counting",
    ),
    ("FORMAT_SIMPLE", "makes a string"),
    ("FORMAT_WITH_SPEC", "makes a string"),
    ("FOR_ITER", "works on any object"),
    ("GET_AITER", "works on any object"),
    ("GET_ANEXT", "works on any object"),
    ("GET_AWAITABLE", "works on any object"),
    ("GET_ITER", "works on any object"),
    ("GET_LEN", "works on any object"),
    ("GET_YIELD_FROM_ITER", "works on any object"),
    ("IMPORT_FROM", "imports"),
    ("IMPORT_NAME", "imports"),
    ("INSTRUMENTED_CALL", "tells the tools"),
    ("INSTRUMENTED_CALL_FUNCTION_EX", "tells the tools"),
    ("INSTRUMENTED_CALL_KW", "tells the tools"),
    ("INSTRUMENTED_END_ASYNC_FOR", "tells the tools"),
    ("INSTRUMENTED_END_FOR", "tells the tools"),
    ("INSTRUMENTED_END_SEND", "tells the tools"),
    ("INSTRUMENTED_FOR_ITER", "tells the tools"),
    ("INSTRUMENTED_INSTRUCTION", "tells the tools"),
    ("INSTRUMENTED_JUMP_BACKWARD", "tells the tools"),
    ("INSTRUMENTED_JUMP_FORWARD", "tells the tools"),
    ("INSTRUMENTED_LINE", "tells the tools"),
    ("INSTRUMENTED_LOAD_SUPER_ATTR", "tells the tools"),
    ("INSTRUMENTED_NOT_TAKEN", "tells the tools"),
    ("INSTRUMENTED_POP_ITER", "tells the tools"),
    ("INSTRUMENTED_POP_JUMP_IF_FALSE", "tells the tools"),
    ("INSTRUMENTED_POP_JUMP_IF_NONE", "tells the tools"),
    ("INSTRUMENTED_POP_JUMP_IF_NOT_NONE", "tells the tools"),
    ("INSTRUMENTED_POP_JUMP_IF_TRUE", "tells the tools"),
    ("INSTRUMENTED_RESUME", "tells the tools"),
    ("INSTRUMENTED_RETURN_VALUE", "tells the tools"),
    ("INSTRUMENTED_YIELD_VALUE", "tells the tools"),
    (
        "JUMP_BACKWARD",
        "is executed once per site, to specialise it",
    ),
    (
        "LEAVE_CHUNK",
        "is no part of a loop, and its code is shared",
    ),
    ("LIST_EXTEND", "allocates"),
    ("LOAD_ATTR", "works on any object"),
    (
        "LOAD_ATTR_METHOD_LAZY_DICT",
        "finds out where a dict would be",
    ),
    ("LOAD_ATTR_WITH_HINT", "looks into a hash table"),
    ("LOAD_BUILD_CLASS", "looks up a hash table"),
    (
        "LOAD_COMMON_CONSTANT",
        "is no part of a loop, and its code is shared",
    ),
    ("LOAD_CONST", "is executed once per site, to specialise it"),
    ("LOAD_FROM_DICT_OR_DEREF", "looks up a hash table"),
    ("LOAD_FROM_DICT_OR_GLOBALS", "looks up a hash table"),
    ("LOAD_GLOBAL", "looks up a hash table"),
    ("LOAD_LOCALS", "looks up a hash table"),
    ("LOAD_NAME", "looks up a hash table"),
    ("LOAD_SPECIAL", "works on any object"),
    ("LOAD_SUPER_ATTR", "works on any object"),
    ("LOAD_SUPER_ATTR_ATTR", "looks up a hash table"),
    ("LOAD_SUPER_ATTR_METHOD", "looks up a hash table"),
    ("MAKE_CELL", "allocates"),
    ("MAKE_FUNCTION", "allocates"),
    ("MAP_ADD", "allocates"),
    ("MATCH_CLASS", "works on any object"),
    ("MATCH_KEYS", "works on any object"),
    ("MATCH_MAPPING", "works on any object"),
    ("MATCH_SEQUENCE", "works on any object"),
    ("POP_EXCEPT", "works on exceptions"),
    ("PUSH_EXC_INFO", "works on exceptions"),
    ("RAISE_VARARGS", "works on exceptions"),
    ("RERAISE", "works on exceptions"),
    ("RESUME", "is executed once per site, to specialise it"),
    ("RETURN_GENERATOR", "allocates"),
    ("SEND", "works on any object"),
    ("SETUP_ANNOTATIONS", "looks up a hash table"),
    ("SET_ADD", "allocates"),
    (
        "SET_FUNCTION_ATTRIBUTE",
        "is no part of a loop, and its code is shared",
    ),
    ("SET_UPDATE", "allocates"),
    ("STORE_ATTR", "works on any object"),
    ("STORE_ATTR_WITH_HINT", "looks into a hash table"),
    ("STORE_GLOBAL", "looks up a hash table"),
    ("STORE_NAME", "looks up a hash table"),
    ("STORE_SLICE", "works on any object"),
    ("STORE_SUBSCR", "works on any object"),
    ("STORE_SUBSCR_DICT", "looks up a hash table"),
    ("TO_BOOL", "works on any object"),
    ("UNARY_INVERT", "works on any object"),
    ("UNPACK_EX", "works on any object"),
    ("UNPACK_SEQUENCE", "works on any object"),
    (
        "UNPACK_SEQUENCE_LIST",
        "is no part of a loop, and its code is shared",
    ),
    ("WITH_EXCEPT_START", "works on exceptions"),
];

/// Handlers that do not end in a dispatch.
const ENDS: &[(&str, &str)] = &[
    ("CACHE", "is in no code"),
    ("RESERVED", "is in no code"),
    ("INTERPRETER_EXIT", "leaves the loop"),
    ("RAISE_VARARGS", "goes to the unwinder"),
    ("RERAISE", "goes to the unwinder"),
    ("ENTER_EXECUTOR", "is only declared, and raises SystemError"),
];

/// Processors, each with the compiler that builds for it here.
const X86_64: (&str, &str) = ("x86_64", "rustc 1.97.");
const AARCH64: (&str, &str) = ("aarch64", "rustc 1.96.");

/// What the middle handler and the middle dispatch of each form come to. Another compiler is warned about and not judged;
/// change these together with what moves them.
pub const MEDIANS: &[Medians] = &[
    medians(X86_64, Form::Tail, 30, 5),
    medians(X86_64, Form::Match, 16, 5),
    medians(X86_64, Form::Replicated, 20, 7),
    medians(AARCH64, Form::Tail, 33, 5),
];

const fn medians(
    (arch, rustc): (&'static str, &'static str),
    form: Form,
    handler: usize,
    dispatch: usize,
) -> Medians {
    Medians {
        rustc,
        arch,
        form,
        handler,
        dispatch,
    }
}

impl Expectations<'static> {
    /// What this crate's own code is checked against.
    pub fn of_this_crate() -> Expectations<'static> {
        let real = || Opcode::all().filter(|opcode| !opcode.is_pseudo());
        Expectations {
            opcodes: real().map(Opcode::name).collect(),
            calls: CALLS,
            ends: ENDS,
            departures: 0.1,
            replicated: interp::replicated_sites(),
        }
    }
}

/// Whether an instruction is only declared: it has numbers and effects, and executing it raises SystemError.
pub fn is_declared_only(opcode: &str) -> bool {
    ENDS.iter()
        .any(|(name, reason)| *name == opcode && reason.starts_with("is only declared"))
}
