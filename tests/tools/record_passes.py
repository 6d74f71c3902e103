"""Records what CPython 3.14's optimiser makes of single instruction sequences; run it with CPython 3.14.

Every case is a name, the constants, the number of locals, and instructions one a line: a label (`a:`), or an opcode
with its argument (a label for jumps) and its line (`@3`; none without). The hook this uses, `optimize_cfg`, runs all
passes of `_PyCfg_OptimizeCodeUnit` and the borrowing of loads. Prints tests/vectors/passes-3.14.json.
"""
import _testinternalcapi
import dis
import json

CASES = [
    ("fold binary", 0, "LOAD_CONST 2 @1; LOAD_CONST 3 @1; BINARY_OP 5 @1; RETURN_VALUE @1", [None, "x", 6, 700]),
    ("fold binary small", 0, "LOAD_SMALL_INT 2 @1; LOAD_SMALL_INT 3 @1; BINARY_OP 0 @1; RETURN_VALUE @1", [None]),
    ("fold skips NOPs", 0, "LOAD_SMALL_INT 2 @1; NOP @2; LOAD_SMALL_INT 3 @1; BINARY_OP 10 @1; RETURN_VALUE @1", [None]),
    ("division by zero stays", 0, "LOAD_SMALL_INT 2 @1; LOAD_SMALL_INT 0 @1; BINARY_OP 11 @1; RETURN_VALUE @1", [None]),
    ("large power stays", 0, "LOAD_SMALL_INT 2 @1; LOAD_CONST 1 @1; BINARY_OP 8 @1; RETURN_VALUE @1", [None, 1000]),
    ("power of 128 bits folds", 0, "LOAD_SMALL_INT 2 @1; LOAD_SMALL_INT 64 @1; BINARY_OP 8 @1; RETURN_VALUE @1", [None]),
    ("large shift stays", 0, "LOAD_SMALL_INT 1 @1; LOAD_SMALL_INT 128 @1; BINARY_OP 3 @1; RETURN_VALUE @1", [None]),
    ("long string stays", 0, "LOAD_CONST 0 @1; LOAD_CONST 1 @1; BINARY_OP 5 @1; RETURN_VALUE @1", ["ab", 2049]),
    ("string of 4096 folds", 0, "LOAD_CONST 0 @1; LOAD_CONST 1 @1; BINARY_OP 5 @1; POP_TOP @1; LOAD_CONST 0 @1; RETURN_VALUE @1", ["ab", 2048]),
    ("formatting stays", 0, "LOAD_CONST 0 @1; LOAD_SMALL_INT 3 @1; BINARY_OP 6 @1; RETURN_VALUE @1", ["%d"]),
    ("subscript folds", 0, "LOAD_CONST 0 @1; LOAD_SMALL_INT 1 @1; BINARY_OP 26 @1; RETURN_VALUE @1", ["xyz"]),
    ("subscript out of range stays", 0, "LOAD_CONST 0 @1; LOAD_SMALL_INT 7 @1; BINARY_OP 26 @1; RETURN_VALUE @1", ["xyz"]),
    ("floor and modulo", 0, "LOAD_CONST 0 @1; LOAD_CONST 1 @1; BINARY_OP 2 @1; LOAD_CONST 0 @1; LOAD_CONST 1 @1; BINARY_OP 6 @1; BUILD_TUPLE 2 @1; RETURN_VALUE @1", [-7.5, 2]),
    ("unary", 0, "LOAD_SMALL_INT 2 @1; UNARY_NEGATIVE @1; LOAD_SMALL_INT 2 @1; UNARY_INVERT @1; LOAD_CONST 0 @1; UNARY_NOT @1; LOAD_CONST 1 @1; CALL_INTRINSIC_1 5 @1; BUILD_LIST 4 @1; RETURN_VALUE @1", ["", True]),
    ("inverted bool stays", 0, "LOAD_CONST 0 @1; UNARY_INVERT @1; RETURN_VALUE @1", [True]),
    ("tuple", 0, "LOAD_SMALL_INT 1 @1; LOAD_CONST 0 @2; LOAD_CONST 1 @3; BUILD_TUPLE 3 @4; RETURN_VALUE @4", ["a", None]),
    ("empty tuple", 0, "BUILD_TUPLE 0 @4; RETURN_VALUE @4", [None]),
    ("tuple through list", 0, "BUILD_LIST 0 @1; LOAD_SMALL_INT 1 @1; LIST_APPEND 1 @1; LOAD_CONST 0 @1; LIST_APPEND 1 @1; CALL_INTRINSIC_1 6 @1; RETURN_VALUE @1", ["a"]),
    ("tuple through list with a name stays", 0, "BUILD_LIST 0 @1; LOAD_NAME 1 @1; LIST_APPEND 1 @1; CALL_INTRINSIC_1 6 @1; RETURN_VALUE @1", ["a"]),
    ("list of two stays", 0, "LOAD_SMALL_INT 1 @1; LOAD_SMALL_INT 2 @1; BUILD_LIST 2 @1; RETURN_VALUE @1", [None]),
    ("list of three", 0, "LOAD_SMALL_INT 1 @1; LOAD_SMALL_INT 2 @1; LOAD_SMALL_INT 3 @1; BUILD_LIST 3 @1; RETURN_VALUE @1", [None]),
    ("set of three", 0, "LOAD_SMALL_INT 1 @1; LOAD_SMALL_INT 2 @1; LOAD_SMALL_INT 1 @1; BUILD_SET 3 @1; RETURN_VALUE @1", [None]),
    ("list searched", 0, "LOAD_NAME 0 @1; LOAD_SMALL_INT 1 @1; BUILD_LIST 1 @1; CONTAINS_OP 0 @1; RETURN_VALUE @1", [None]),
    ("set searched", 0, "LOAD_NAME 0 @1; LOAD_SMALL_INT 1 @1; BUILD_SET 1 @1; CONTAINS_OP 1 @1; RETURN_VALUE @1", [None]),
    ("list iterated", 0, "LOAD_NAME 0 @1; BUILD_LIST 1 @1; GET_ITER @1; RETURN_VALUE @1", [None]),
    ("swap for pair", 0, "LOAD_NAME 0 @1; LOAD_NAME 1 @1; BUILD_TUPLE 2 @1; UNPACK_SEQUENCE 2 @1; STORE_NAME 0 @1; STORE_NAME 1 @1; LOAD_CONST 0 @1; RETURN_VALUE @1", [None]),
    ("static swap", 3, "LOAD_NAME 0 @1; LOAD_NAME 1 @1; BUILD_TUPLE 2 @1; UNPACK_SEQUENCE 2 @1; STORE_FAST 0 @1; STORE_FAST 1 @1; LOAD_CONST 0 @1; RETURN_VALUE @1", [None]),
    ("static swap of three", 3, "LOAD_NAME 0 @1; LOAD_NAME 1 @1; LOAD_NAME 2 @1; BUILD_TUPLE 3 @1; UNPACK_SEQUENCE 3 @1; STORE_FAST 0 @1; STORE_FAST 1 @1; STORE_FAST 2 @1; LOAD_CONST 0 @1; RETURN_VALUE @1", [None]),
    ("no static swap to one local", 3, "LOAD_NAME 0 @1; LOAD_NAME 1 @1; SWAP 2 @1; STORE_FAST 0 @1; STORE_FAST 0 @1; LOAD_CONST 0 @1; RETURN_VALUE @1", [None]),
    ("no static swap over lines", 3, "LOAD_NAME 0 @1; LOAD_NAME 1 @1; SWAP 2 @1; STORE_FAST 0 @1; STORE_FAST 1 @2; LOAD_CONST 0 @3; RETURN_VALUE @3", [None]),
    ("run of swaps", 0, "LOAD_NAME 0 @1; LOAD_NAME 1 @1; LOAD_NAME 2 @1; LOAD_NAME 3 @1; SWAP 2 @1; SWAP 4 @1; SWAP 3 @1; SWAP 4 @1; BUILD_TUPLE 4 @1; RETURN_VALUE @1", [None]),
    ("swaps that cancel", 0, "LOAD_NAME 0 @1; LOAD_NAME 1 @1; LOAD_NAME 2 @1; SWAP 3 @1; SWAP 3 @1; BUILD_TUPLE 3 @1; RETURN_VALUE @1", [None]),
    ("constant jump taken", 0, "LOAD_SMALL_INT 1 @1; POP_JUMP_IF_TRUE a @1; LOAD_CONST 0 @2; RETURN_VALUE @2; a:; LOAD_CONST 1 @3; RETURN_VALUE @3", ["p", "q"]),
    ("constant jump not taken", 0, "LOAD_CONST 2 @1; TO_BOOL @1; POP_JUMP_IF_TRUE a @1; LOAD_CONST 0 @2; RETURN_VALUE @2; a:; LOAD_CONST 1 @3; RETURN_VALUE @3", ["p", "q", ""]),
    ("constant kept by a jump", 0, "LOAD_CONST 0 @1; COPY 1 @1; TO_BOOL @1; POP_JUMP_IF_FALSE a @1; POP_TOP @1; LOAD_NAME 0 @1; a:; RETURN_VALUE @1", ["p"]),
    ("is None", 0, "LOAD_NAME 0 @1; LOAD_CONST 0 @1; IS_OP 0 @1; POP_JUMP_IF_FALSE a @1; LOAD_CONST 1 @2; RETURN_VALUE @2; a:; LOAD_CONST 0 @3; RETURN_VALUE @3", [None, "x"]),
    ("is not None, tested", 0, "LOAD_NAME 0 @1; LOAD_CONST 0 @1; IS_OP 1 @1; TO_BOOL @1; POP_JUMP_IF_FALSE a @1; LOAD_CONST 1 @2; RETURN_VALUE @2; a:; LOAD_CONST 0 @3; RETURN_VALUE @3", [None, "x"]),
    ("compare to bool", 0, "LOAD_NAME 0 @1; LOAD_NAME 1 @1; COMPARE_OP 2 @1; TO_BOOL @1; POP_JUMP_IF_FALSE a @1; LOAD_CONST 1 @2; RETURN_VALUE @2; a:; LOAD_CONST 0 @3; RETURN_VALUE @3", [None, "x"]),
    ("not in, inverted", 0, "LOAD_NAME 0 @1; LOAD_NAME 1 @1; CONTAINS_OP 0 @1; UNARY_NOT @1; RETURN_VALUE @1", [None]),
    ("not not", 0, "LOAD_NAME 0 @1; TO_BOOL @1; UNARY_NOT @1; UNARY_NOT @1; RETURN_VALUE @1", [None]),
    ("not, tested", 0, "LOAD_NAME 0 @1; TO_BOOL @1; UNARY_NOT @1; TO_BOOL @1; RETURN_VALUE @1", [None]),
    ("global to be called", 0, "LOAD_GLOBAL 4 @1; PUSH_NULL @1; CALL 0 @1; RETURN_VALUE @1", [None]),
    ("jump to jump", 0, "LOAD_NAME 0 @1; POP_JUMP_IF_TRUE a @1; LOAD_CONST 0 @2; RETURN_VALUE @2; a:; JUMP b @3; c:; LOAD_NAME 2 @5; POP_TOP @5; b:; LOAD_NAME 1 @4; POP_JUMP_IF_TRUE c @4; LOAD_CONST 1 @6; RETURN_VALUE @6", ["p", "q"]),
    ("or of and", 0, "LOAD_NAME 0 @1; JUMP_IF_FALSE a @1; POP_TOP @1; LOAD_NAME 1 @1; a:; JUMP_IF_TRUE b @1; POP_TOP @1; LOAD_NAME 2 @1; b:; RETURN_VALUE @1", [None]),
    ("and of and", 0, "LOAD_NAME 0 @1; JUMP_IF_FALSE a @1; POP_TOP @1; LOAD_NAME 1 @1; a:; JUMP_IF_FALSE b @1; POP_TOP @1; LOAD_NAME 2 @1; b:; RETURN_VALUE @1", [None]),
    ("jump to next", 0, "LOAD_NAME 0 @1; POP_TOP @1; JUMP a @1; a:; LOAD_CONST 0 @2; RETURN_VALUE @2", ["p"]),
    ("jump to next on its own line", 0, "LOAD_NAME 0 @1; POP_TOP @1; JUMP a @2; a:; LOAD_CONST 0 @3; RETURN_VALUE @3", ["p"]),
    ("small exit copied", 0, "LOAD_NAME 0 @1; POP_JUMP_IF_TRUE a @1; LOAD_NAME 1 @2; POP_TOP @2; JUMP b @2; a:; LOAD_NAME 2 @3; POP_TOP @3; JUMP b @3; b:; LOAD_CONST 0 @4; RETURN_VALUE @4", ["p"]),
    ("exit without line copied", 0, "LOAD_NAME 0 @1; POP_JUMP_IF_TRUE a @1; LOAD_NAME 1 @2; POP_TOP @2; a:; LOAD_CONST 0; RETURN_VALUE", ["p"]),
    ("unreachable", 0, "LOAD_CONST 0 @1; RETURN_VALUE @1; LOAD_CONST 1 @2; RETURN_VALUE @2", ["p", "q"]),
    ("NOP for a line", 0, "NOP @1; NOP @2; LOAD_CONST 0 @2; RETURN_VALUE @2", ["p"]),
    ("constant popped", 0, "LOAD_CONST 0 @1; POP_TOP @1; LOAD_CONST 0 @2; RETURN_VALUE @2", ["p"]),
    ("copy popped", 0, "LOAD_NAME 0 @1; COPY 1 @1; POP_TOP @1; RETURN_VALUE @1", ["p"]),
    ("unused constants", 0, "LOAD_CONST 3 @1; LOAD_CONST 1 @1; BINARY_OP 0 @1; POP_TOP @1; LOAD_NAME 0 @1; RETURN_VALUE @1", ["doc", "a", "b", None]),
    ("store twice", 2, "LOAD_NAME 0 @1; COPY 1 @1; STORE_FAST 1 @1; STORE_FAST 1 @1; LOAD_FAST 1 @2; RETURN_VALUE @2", ["p"]),
    ("fused loads", 3, "LOAD_SMALL_INT 1 @1; STORE_FAST 0 @1; LOAD_SMALL_INT 2 @1; STORE_FAST 1 @1; LOAD_FAST 0 @2; LOAD_FAST 1 @2; BINARY_OP 0 @2; STORE_FAST 2 @2; LOAD_FAST 2 @3; LOAD_FAST 0 @3; BUILD_TUPLE 2 @3; RETURN_VALUE @3", ["p"]),
    ("no fused loads over lines", 2, "LOAD_SMALL_INT 1 @1; STORE_FAST 0 @1; LOAD_SMALL_INT 2 @1; STORE_FAST 1 @1; LOAD_FAST 0 @2; LOAD_FAST 1 @3; BINARY_OP 0 @2; RETURN_VALUE @3", ["p"]),
    ("fused stores", 2, "LOAD_NAME 0 @1; UNPACK_SEQUENCE 2 @1; STORE_FAST 0 @1; STORE_FAST 1 @1; LOAD_FAST 1 @1; RETURN_VALUE @1", ["p"]),
    ("checked load", 1, "LOAD_NAME 0 @1; POP_JUMP_IF_TRUE a @1; LOAD_NAME 0 @2; STORE_FAST 0 @2; a:; LOAD_FAST 0 @3; POP_TOP @3; LOAD_FAST 0 @4; RETURN_VALUE @4", ["p"]),
    ("checked load after deletion", 1, "LOAD_NAME 0 @1; STORE_FAST 0 @1; a:; LOAD_FAST 0 @2; POP_JUMP_IF_TRUE b @2; DELETE_FAST 0 @3; JUMP a @3; b:; LOAD_CONST 0 @4; RETURN_VALUE @4", [None]),
    ("checked load past 64", 70, "LOAD_NAME 0 @1; STORE_FAST 69 @1; LOAD_FAST 69 @2; POP_JUMP_IF_TRUE b @2; LOAD_FAST 69 @3; POP_TOP @3; LOAD_FAST 69 @3; POP_TOP @3; b:; LOAD_CONST 0 @4; RETURN_VALUE @4", [None]),
    ("no borrow across a store", 2, "LOAD_NAME 0 @1; STORE_FAST 0 @1; LOAD_FAST 0 @2; LOAD_NAME 0 @2; STORE_FAST 0 @2; RETURN_VALUE @3", [None]),
    ("no borrow into a local", 2, "LOAD_NAME 0 @1; STORE_FAST 0 @1; LOAD_FAST 0 @2; STORE_FAST 1 @2; LOAD_FAST 1 @3; RETURN_VALUE @3", [None]),
    ("no borrow across blocks", 2, "LOAD_NAME 0 @1; STORE_FAST 0 @1; LOAD_FAST 0 @2; LOAD_NAME 1 @2; POP_JUMP_IF_TRUE a @2; NOP @3; a:; RETURN_VALUE @3", [None]),
    ("borrowed receiver", 2, "LOAD_NAME 0 @1; STORE_FAST 0 @1; LOAD_FAST 0 @2; LOAD_ATTR 3 @2; LOAD_FAST 0 @2; CALL 1 @2; RETURN_VALUE @3", [None]),
    ("borrowed and copied", 2, "LOAD_NAME 0 @1; STORE_FAST 0 @1; LOAD_FAST 0 @2; COPY 1 @2; STORE_FAST 1 @2; RETURN_VALUE @3", [None]),
    ("borrowed and swapped", 2, "LOAD_NAME 0 @1; STORE_FAST 0 @1; LOAD_NAME 1 @2; LOAD_FAST 0 @2; SWAP 2 @2; STORE_FAST 1 @2; RETURN_VALUE @3", [None]),
    ("borrowed iterable", 2, "LOAD_NAME 0 @1; STORE_FAST 0 @1; LOAD_FAST 0 @2; GET_ITER @2; a:; FOR_ITER b @2; STORE_FAST 1 @2; LOAD_FAST 1 @3; POP_TOP @3; JUMP a @3; b:; END_FOR @2; POP_ITER @2; LOAD_CONST 0 @4; RETURN_VALUE @4", [None]),
    ("length leaves its operand", 2, "LOAD_NAME 0 @1; STORE_FAST 0 @1; LOAD_FAST 0 @2; GET_LEN @2; BUILD_TUPLE 2 @2; RETURN_VALUE @3", [None]),
    ("cold handler", 1, "SETUP_FINALLY h @1; LOAD_NAME 0 @2; STORE_FAST 0 @2; POP_BLOCK; JUMP e; h:; PUSH_EXC_INFO; POP_TOP @3; POP_EXCEPT @3; JUMP e @3; e:; LOAD_FAST 0 @4; RETURN_VALUE @4", [None]),
    ("cold handler that raises", 1, "SETUP_CLEANUP h @1; LOAD_NAME 0 @2; POP_TOP @2; POP_BLOCK; LOAD_CONST 0 @3; RETURN_VALUE @3; h:; COPY 3; POP_EXCEPT; RERAISE 1", [None]),
]


def sequence(text):
    seq = _testinternalcapi.new_instruction_sequence()
    lines = [line.split() for line in text.split(";")]
    labels = {line[0][:-1]: seq.new_label() for line in lines if line[0].endswith(":")}
    for words in lines:
        if words[0].endswith(":"):
            seq.use_label(labels[words[0][:-1]])
            continue
        where = (int(words.pop()[1:]),) * 2 + (0, 0) if words[-1].startswith("@") else (-1,) * 4
        arg = words[1] if len(words) > 1 else "0"
        seq.addop(dis._all_opmap[words[0]], labels.get(arg) if arg in labels else int(arg), *where)
    return seq


names = {number: name for name, number in dis._all_opmap.items()}
out = []
for name, nlocals, text, consts in CASES:
    before = list(consts)
    result = _testinternalcapi.optimize_cfg(sequence(text), consts, nlocals).get_instructions()
    instructions = [[names[i[0]], i[1], i[2]] for i in result]
    out.append({"name": name, "nlocals": nlocals, "consts": list(map(repr, before)), "instructions": text,
                "result": instructions, "result_consts": list(map(repr, consts))})
print("[\n" + ",\n".join(map(json.dumps, out)) + "\n]")
