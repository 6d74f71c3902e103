//! What the numbers in arguments stand for: operators, intrinsics, special methods. What `_opcode` tells programs.

/// `_nb_ops`: names and symbols by BINARY_OP's oparg.
pub static BINARY_OPS: [(&str, &str); 27] = [
    ("NB_ADD", "+"),
    ("NB_AND", "&"),
    ("NB_FLOOR_DIVIDE", "//"),
    ("NB_LSHIFT", "<<"),
    ("NB_MATRIX_MULTIPLY", "@"),
    ("NB_MULTIPLY", "*"),
    ("NB_REMAINDER", "%"),
    ("NB_OR", "|"),
    ("NB_POWER", "**"),
    ("NB_RSHIFT", ">>"),
    ("NB_SUBTRACT", "-"),
    ("NB_TRUE_DIVIDE", "/"),
    ("NB_XOR", "^"),
    ("NB_INPLACE_ADD", "+="),
    ("NB_INPLACE_AND", "&="),
    ("NB_INPLACE_FLOOR_DIVIDE", "//="),
    ("NB_INPLACE_LSHIFT", "<<="),
    ("NB_INPLACE_MATRIX_MULTIPLY", "@="),
    ("NB_INPLACE_MULTIPLY", "*="),
    ("NB_INPLACE_REMAINDER", "%="),
    ("NB_INPLACE_OR", "|="),
    ("NB_INPLACE_POWER", "**="),
    ("NB_INPLACE_RSHIFT", ">>="),
    ("NB_INPLACE_SUBTRACT", "-="),
    ("NB_INPLACE_TRUE_DIVIDE", "/="),
    ("NB_INPLACE_XOR", "^="),
    ("NB_SUBSCR", "[]"),
];
/// By the upper bits of COMPARE_OP's oparg.
pub static COMPARISONS: [&str; 6] = ["<", "<=", "==", "!=", ">", ">="];
pub static INTRINSICS_1: [&str; 12] = [
    "INTRINSIC_1_INVALID",
    "INTRINSIC_PRINT",
    "INTRINSIC_IMPORT_STAR",
    "INTRINSIC_STOPITERATION_ERROR",
    "INTRINSIC_ASYNC_GEN_WRAP",
    "INTRINSIC_UNARY_POSITIVE",
    "INTRINSIC_LIST_TO_TUPLE",
    "INTRINSIC_TYPEVAR",
    "INTRINSIC_PARAMSPEC",
    "INTRINSIC_TYPEVARTUPLE",
    "INTRINSIC_SUBSCRIPT_GENERIC",
    "INTRINSIC_TYPEALIAS",
];
pub static INTRINSICS_2: [&str; 6] = [
    "INTRINSIC_2_INVALID",
    "INTRINSIC_PREP_RERAISE_STAR",
    "INTRINSIC_TYPEVAR_WITH_BOUND",
    "INTRINSIC_TYPEVAR_WITH_CONSTRAINTS",
    "INTRINSIC_SET_FUNCTION_TYPE_PARAMS",
    "INTRINSIC_SET_TYPEPARAM_DEFAULT",
];
/// What LOAD_COMMON_CONSTANT loads, as `repr` or `__name__` shows it.
pub static COMMON_CONSTANTS: [&str; 5] = [
    "AssertionError",
    "NotImplementedError",
    "tuple",
    "<built-in function all>",
    "<built-in function any>",
];
/// By LOAD_SPECIAL's oparg.
pub static SPECIAL_METHODS: [&str; 4] = ["__enter__", "__exit__", "__aenter__", "__aexit__"];
/// By CONVERT_VALUE's oparg.
pub static CONVERSIONS: [&str; 4] = ["", "str", "repr", "ascii"];
/// By the bits of SET_FUNCTION_ATTRIBUTE's oparg.
pub static FUNCTION_ATTRIBUTES: [&str; 5] = [
    "defaults",
    "kwdefaults",
    "annotations",
    "closure",
    "annotate",
];
