"""What the opcodes are, by name and by number, from the interpreter's own tables."""

__all__ = ["cmp_op", "stack_effect", "hascompare", "opname", "opmap", "HAVE_ARGUMENT", "EXTENDED_ARG", "hasarg",
           "hasconst", "hasname", "hasjump", "hasjrel", "hasjabs", "hasfree", "haslocal", "hasexc"]

import builtins
import _opcode
from _opcode import stack_effect
from _opcode_metadata import (
    _specializations, _specialized_opmap, _cache_format, opmap, HAVE_ARGUMENT, MIN_INSTRUMENTED_OPCODE,
)

EXTENDED_ARG = opmap["EXTENDED_ARG"]

opname = [f"<{number}>" for number in range(max(opmap.values()) + 1)]
for _names in (opmap, _specialized_opmap):
    for _name, _number in _names.items():
        opname[_number] = _name
del _names, _name, _number


def _those(test):
    return [number for number in opmap.values() if test(number)]


cmp_op = ("<", "<=", "==", "!=", ">", ">=")

hasarg = _those(_opcode.has_arg)
hasconst = _those(_opcode.has_const)
hasname = _those(_opcode.has_name)
hasjump = _those(_opcode.has_jump)
hasjrel = hasjump
hasjabs = []
hasfree = _those(_opcode.has_free)
haslocal = _those(_opcode.has_local)
hasexc = _those(_opcode.has_exc)
hascompare = [opmap["COMPARE_OP"]]

_intrinsic_1_descs = _opcode.get_intrinsic1_descs()
_intrinsic_2_descs = _opcode.get_intrinsic2_descs()
_special_method_names = _opcode.get_special_method_names()
_common_constants = [builtins.AssertionError, builtins.NotImplementedError, builtins.tuple, builtins.all, builtins.any]
_nb_ops = _opcode.get_nb_ops()

# Code units of inline cache by name of the instruction.
_inline_cache_entries = {name: sum(entries.values()) for name, entries in _cache_format.items()}
