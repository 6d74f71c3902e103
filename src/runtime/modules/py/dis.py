"""Bytecode as text and as objects."""

__all__ = ["code_info", "dis", "disassemble", "distb", "disco", "findlinestarts", "findlabels", "show_code",
           "get_instructions", "Instruction", "Bytecode"]

import collections
import io
import sys
import types

from opcode import *
from opcode import (
    __all__ as _opcode_all, _cache_format, _common_constants, _inline_cache_entries, _intrinsic_1_descs,
    _intrinsic_2_descs, _nb_ops, _special_method_names, _specializations, _specialized_opmap,
)
from _opcode import get_executor

__all__ += _opcode_all
del _opcode_all

_have_code = (types.MethodType, types.FunctionType, types.CodeType, classmethod, staticmethod, type)

FUNCTION_ATTR_FLAGS = ("defaults", "kwdefaults", "annotations", "closure", "annotate")

COMPILER_FLAG_NAMES = {
    1: "OPTIMIZED", 2: "NEWLOCALS", 4: "VARARGS", 8: "VARKEYWORDS", 16: "NESTED", 32: "GENERATOR", 64: "NOFREE",
    128: "COROUTINE", 256: "ITERABLE_COROUTINE", 512: "ASYNC_GENERATOR", 0x4000000: "HAS_DOCSTRING",
    0x8000000: "METHOD",
}

# What specialised forms are called, and what they are forms of.
_all_opname = list(opname)
_all_opmap = dict(opmap) | _specialized_opmap
deoptmap = {form: head for head, forms in _specializations.items() for form in forms}
_deopted = {_specialized_opmap[form]: opmap[head] for form, head in deoptmap.items()}

BINARY_OP = opmap["BINARY_OP"]
CACHE = opmap["CACHE"]
CALL_INTRINSIC_1 = opmap["CALL_INTRINSIC_1"]
CALL_INTRINSIC_2 = opmap["CALL_INTRINSIC_2"]
CONTAINS_OP = opmap["CONTAINS_OP"]
CONVERT_VALUE = opmap["CONVERT_VALUE"]
END_ASYNC_FOR = opmap["END_ASYNC_FOR"]
ENTER_EXECUTOR = opmap["ENTER_EXECUTOR"]
FOR_ITER = opmap["FOR_ITER"]
IS_OP = opmap["IS_OP"]
JUMP_BACKWARD = opmap["JUMP_BACKWARD"]
LOAD_ATTR = opmap["LOAD_ATTR"]
LOAD_COMMON_CONSTANT = opmap["LOAD_COMMON_CONSTANT"]
LOAD_FAST_BORROW_LOAD_FAST_BORROW = opmap["LOAD_FAST_BORROW_LOAD_FAST_BORROW"]
LOAD_FAST_LOAD_FAST = opmap["LOAD_FAST_LOAD_FAST"]
LOAD_GLOBAL = opmap["LOAD_GLOBAL"]
LOAD_SMALL_INT = opmap["LOAD_SMALL_INT"]
LOAD_SPECIAL = opmap["LOAD_SPECIAL"]
LOAD_SUPER_ATTR = opmap["LOAD_SUPER_ATTR"]
SEND = opmap["SEND"]
SET_FUNCTION_ATTRIBUTE = opmap["SET_FUNCTION_ATTRIBUTE"]
STORE_FAST_LOAD_FAST = opmap["STORE_FAST_LOAD_FAST"]
STORE_FAST_STORE_FAST = opmap["STORE_FAST_STORE_FAST"]

_pairs_of_locals = frozenset(
    (LOAD_FAST_LOAD_FAST, LOAD_FAST_BORROW_LOAD_FAST_BORROW, STORE_FAST_LOAD_FAST, STORE_FAST_STORE_FAST))
_backward = frozenset(opmap[name] for name in ("JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "END_ASYNC_FOR"))
_with_argument = frozenset(hasarg)

# An argument is a signed number of 32 bits.
_INT_OVERFLOW = 1 << 31

_NO_LINENO = "  --"
_OPNAME_WIDTH = 20
_OPARG_WIDTH = 5


class _Unknown:
    def __repr__(self):
        return "<unknown>"


# What stands for a name or constant where there are no tables to look it up in.
UNKNOWN = _Unknown()


# ---- what can be disassembled

def _try_compile(source, name):
    """An expression if it is one, statements otherwise."""
    try:
        return compile(source, name, "eval")
    except SyntaxError:
        return compile(source, name, "exec")


def _code_of(x):
    """What a function, method, generator, coroutine or asynchronous generator runs; anything else as it is."""
    x = getattr(x, "__func__", x)
    for attribute in ("__code__", "gi_code", "ag_code", "cr_code"):
        if hasattr(x, attribute):
            return getattr(x, attribute)
    return x


def _no_code(x):
    return TypeError(f"don't know how to disassemble {type(x).__name__} objects")


def _get_code_object(x):
    """The code of a function, of source text, or of anything else that has some."""
    x = _code_of(x)
    if isinstance(x, str):
        x = _try_compile(x, "<disassembly>")
    if hasattr(x, "co_code"):
        return x
    raise _no_code(x)


def dis(x=None, *, file=None, depth=None, show_caches=False, adaptive=False, show_offsets=False,
        show_positions=False):
    """Shows the code of classes, methods, functions, generators, source text; of the last traceback without x."""
    shown = dict(show_caches=show_caches, adaptive=adaptive, show_offsets=show_offsets, show_positions=show_positions)
    if x is None:
        distb(file=file, **shown)
        return
    x = _code_of(x)
    if hasattr(x, "__dict__"):
        for name, value in sorted(x.__dict__.items()):
            if isinstance(value, _have_code):
                print(f"Disassembly of {name}:", file=file)
                try:
                    dis(value, file=file, depth=depth, **shown)
                except TypeError as error:
                    print("Sorry:", error, file=file)
                print(file=file)
    elif hasattr(x, "co_code"):
        _disassemble_recursive(x, file=file, depth=depth, **shown)
    elif isinstance(x, (bytes, bytearray)):
        labels = _make_labels_map(x)
        formatter = Formatter(
            file=file, offset_width=_offset_width(x) if show_offsets else 0, label_width=_label_width(labels),
            show_caches=show_caches, show_positions=show_positions)
        print_instructions(_get_instructions_bytes(x, arg_resolver=ArgResolver(labels_map=labels)), (), formatter)
    elif isinstance(x, str):
        _disassemble_str(x, file=file, depth=depth, **shown)
    else:
        raise _no_code(x)


def distb(tb=None, *, file=None, show_caches=False, adaptive=False, show_offsets=False, show_positions=False):
    """Shows the code that a traceback ends in, the failing instruction marked."""
    if tb is None:
        try:
            tb = sys.last_exc.__traceback__ if hasattr(sys, "last_exc") else sys.last_traceback
        except AttributeError:
            raise RuntimeError("no last traceback to disassemble") from None
        while tb.tb_next:
            tb = tb.tb_next
    disassemble(tb.tb_frame.f_code, tb.tb_lasti, file=file, show_caches=show_caches, adaptive=adaptive,
                show_offsets=show_offsets, show_positions=show_positions)


def disassemble(co, lasti=-1, *, file=None, show_caches=False, adaptive=False, show_offsets=False,
                show_positions=False):
    """Shows one code object; the instruction at lasti is marked."""
    listing = _Listing(co, adaptive)
    listing.show(file, lasti, show_caches, show_offsets, show_positions)


disco = disassemble


def _disassemble_recursive(co, *, file=None, depth=None, **shown):
    # Code objects may stand in each other deeper than Python calls go.
    waiting = [(co, depth)]
    first = True
    while waiting:
        co, depth = waiting.pop()
        if not first:
            print(file=file)
            print(f"Disassembly of {co!r}:", file=file)
        first = False
        disassemble(co, file=file, **shown)
        if depth is None or depth > 0:
            below = None if depth is None else depth - 1
            waiting.extend((constant, below) for constant in reversed(co.co_consts) if hasattr(constant, "co_code"))


def _disassemble_str(source, **shown):
    _disassemble_recursive(_try_compile(source, "<dis>"), **shown)


class _Listing:
    """A code object with what its disassembly needs to be laid out."""

    def __init__(self, co, adaptive, line_offset=0):
        self.co = co
        self.array = _get_code_array(co, adaptive)
        self.line_offset = line_offset
        self.line_starts = dict(findlinestarts(co))
        self.exception_entries = _parse_exception_table(co)
        self.labels = _make_labels_map(co.co_code, self.exception_entries)

    def __iter__(self):
        return _instructions_of(self.co, self.array, self.labels, self.line_starts, self.line_offset)

    def show(self, file, lasti, show_caches, show_offsets, show_positions):
        if show_positions:
            lineno_width = _get_positions_width(self.co)
        else:
            lineno_width = _get_lineno_width(self.line_starts)
        formatter = Formatter(
            file=file, lineno_width=lineno_width, offset_width=_offset_width(self.array) if show_offsets else 0,
            label_width=_label_width(self.labels), line_offset=self.line_offset, show_caches=show_caches,
            show_positions=show_positions)
        print_instructions(self, self.exception_entries, formatter, lasti=lasti)


def _label_width(labels):
    return 4 + len(str(len(labels)))


def _offset_width(code):
    return len(str(max(len(code) - 2, 9999)))


def _get_lineno_width(line_starts):
    """Columns for the line number; none if no instruction has a line."""
    lines = [line for line in line_starts.values() if line]
    if not lines:
        return 0
    width = max(3, len(str(max(lines))))
    if None in line_starts.values():
        width = max(width, len(_NO_LINENO))
    return width


def _get_positions_width(code):
    """Columns for `line:column-line:column` and a blank; none if no instruction has a position."""
    known = False
    widest = 0
    for positions in code.co_positions():
        known = known or any(isinstance(part, int) for part in positions)
        widest = max(widest, sum(1 if part is None else len(str(part)) for part in positions))
    return 1 + max(len(_NO_LINENO), 3 + widest) if known else 0


# ---- instructions

Positions = collections.namedtuple(
    "Positions", ["lineno", "end_lineno", "col_offset", "end_col_offset"], defaults=[None] * 4)

_Instruction = collections.namedtuple(
    "_Instruction",
    ["opname", "opcode", "arg", "argval", "argrepr", "offset", "start_offset", "starts_line", "line_number", "label",
     "positions", "cache_info"],
    defaults=[None, None, None])


class Instruction(_Instruction):
    """One instruction:

    opname, opcode - its name and number, those of the specialised form if there is one
    arg - its argument, None if it has none
    argval, argrepr - what the argument stands for, and that as text
    offset, start_offset - where it begins, and where the extensions of its argument do
    starts_line, line_number - whether a line begins here, and which line it is on
    label - its number if something leads to it
    positions - its place in the source
    cache_info - name, code units and bytes of each entry of its cache
    """

    @staticmethod
    def make(opname, arg, argval, argrepr, offset, start_offset, starts_line, line_number, label=None,
             positions=None, cache_info=None):
        return Instruction(opname, _all_opmap[opname], arg, argval, argrepr, offset, start_offset, starts_line,
                           line_number, label, positions, cache_info)

    @property
    def oparg(self):
        """Another name of arg."""
        return self.arg

    @property
    def baseopcode(self):
        """The number of what this is a specialised form of."""
        return _deoptop(self.opcode)

    @property
    def baseopname(self):
        """The name of what this is a specialised form of."""
        return opname[self.baseopcode]

    @property
    def cache_offset(self):
        """Where the cache begins."""
        return self.offset + 2

    @property
    def end_offset(self):
        """Where the cache ends."""
        return self.cache_offset + 2 * _get_cache_size(_all_opname[self.baseopcode])

    @property
    def jump_target(self):
        """Where a jump leads, None for what is no jump."""
        return _get_jump_target(self.opcode, self.arg, self.offset)

    @property
    def is_jump_target(self):
        """Whether something leads here."""
        return self.label is not None

    def __str__(self):
        with io.StringIO() as output:
            Formatter(file=output).print_instruction(self, False)
            return output.getvalue()


def _deoptop(op):
    return _deopted.get(op, op)


def _get_cache_size(name):
    return _inline_cache_entries.get(name, 0)


def _is_backward_jump(op):
    return op in _backward


def _get_jump_target(op, arg, offset):
    """Where the jump with this argument leads that begins at offset; None for what is no jump."""
    op = _deoptop(op)
    if op in hasjrel:
        distance = -arg if op in _backward else arg
        return offset + 2 + 2 * (distance + _get_cache_size(_all_opname[op]))
    return 2 * arg if op in hasjabs else None


def _get_code_array(co, adaptive):
    """The bytes to show: as they were compiled, or as they are now, a second tier's entries undone."""
    if not adaptive:
        return co.co_code
    code = co._co_code_adaptive
    if ENTER_EXECUTOR not in code[::2]:
        return code
    patched = bytearray(code)
    for offset in range(0, len(code), 2):
        if code[offset] == ENTER_EXECUTOR:
            try:
                executor = get_executor(co, offset)
            except (ValueError, RuntimeError):
                continue
            patched[offset:offset + 2] = executor.get_opcode(), executor.get_oparg()
    return bytes(patched)


def _unpack_opargs(code):
    """Offset, offset of the first EXTENDED_ARG, opcode and whole argument of each instruction."""
    offset = first = extended = 0
    while offset < len(code):
        op = code[offset]
        base = _deoptop(op)
        arg = None
        if base in _with_argument:
            arg = code[offset + 1] | extended
        if base == EXTENDED_ARG:
            yield offset, offset, op, arg
            extended = arg << 8
            if extended >= _INT_OVERFLOW:
                extended -= 2 * _INT_OVERFLOW
        else:
            yield offset, first, op, arg
            extended = 0
        offset += 2 + 2 * _get_cache_size(_all_opname[base])
        if base != EXTENDED_ARG:
            first = offset


def _get_instructions_bytes(code, linestarts=None, line_offset=0, co_positions=None, original_code=None,
                            arg_resolver=None):
    """The instructions of bytes; what is specialised in them stands where original_code has the plain ones."""
    positions_of_units = iter(()) if co_positions is None else co_positions
    line = None
    starts_line = False
    # Specialised and instrumented opcodes may hide what there is to walk over.
    for offset, start_offset, op, arg in _unpack_opargs(original_code or code):
        if linestarts is not None:
            starts_line = offset in linestarts
            if starts_line:
                line = linestarts[offset]
        positions = Positions(*next(positions_of_units, ()))
        base = _deoptop(op)
        op = code[offset]
        if arg_resolver:
            argval, argrepr = arg_resolver.get_argval_argrepr(op, arg, offset)
            label = arg_resolver.get_label_for_offset(offset)
        else:
            argval, argrepr, label = arg, repr(arg), None
        cache_info = None
        if _get_cache_size(_all_opname[base]):
            cache_info = []
            at = offset + 2
            for name, units in _cache_format[opname[base]].items():
                cache_info.append((name, units, code[at:at + 2 * units]))
                at += 2 * units
                for _ in range(units):
                    next(positions_of_units, None)
        yield Instruction(_all_opname[op], op, arg, argval, argrepr, offset, start_offset, starts_line,
                          None if line is None else line + line_offset, label, positions, cache_info)


def _instructions_of(co, array, labels, line_starts, line_offset):
    resolver = ArgResolver(co.co_consts, co.co_names, co._varname_from_oparg, labels)
    return _get_instructions_bytes(array, line_starts, line_offset, co.co_positions(), co.co_code, resolver)


def get_instructions(x, *, first_line=None, show_caches=None, adaptive=False):
    """The instructions of a function, method, code object or source text; first_line counts lines anew."""
    co = _get_code_object(x)
    line_offset = 0 if first_line is None else first_line - co.co_firstlineno
    return _instructions_of(co, _get_code_array(co, adaptive), _make_labels_map(co.co_code), dict(findlinestarts(co)),
                            line_offset)


class ArgResolver:
    """What arguments stand for, as far as there are tables to look them up in."""

    def __init__(self, co_consts=None, names=None, varname_from_oparg=None, labels_map=None):
        self.co_consts = co_consts
        self.names = names
        self.varname_from_oparg = varname_from_oparg
        self.labels_map = labels_map or {}

    def offset_from_jump_arg(self, op, arg, offset):
        return _get_jump_target(op, arg, offset)

    def get_label_for_offset(self, offset):
        return self.labels_map.get(offset)

    def get_argval_argrepr(self, op, arg, offset):
        """The value of an argument and its text; the text is empty where the number says all."""
        if arg is None:
            return None, ""
        op = _deoptop(op)
        if op in hasconst:
            value = _get_const_value(op, arg, self.co_consts)
            return value, "" if value is UNKNOWN else repr(value)
        if op in hasname:
            get_name = None if self.names is None else self.names.__getitem__
            shift, suffix = _name_argument.get(op, (0, ""))
            name, text = _get_name_info(arg >> shift, get_name)
            return name, text + suffix if text and shift and arg & 1 else text
        if op in hasjump or op in hasexc:
            target = self.offset_from_jump_arg(op, arg, offset)
            way = "from" if op == END_ASYNC_FOR else "to"
            return target, f"{way} L{self.get_label_for_offset(target)}"
        if op in _pairs_of_locals:
            first, first_text = _get_name_info(arg >> 4, self.varname_from_oparg)
            second, second_text = _get_name_info(arg & 15, self.varname_from_oparg)
            return (first, second), f"{first_text}, {second_text}"
        if op in haslocal or op in hasfree:
            return _get_name_info(arg, self.varname_from_oparg)
        if op in hascompare:
            comparison = cmp_op[arg >> 5]
            return comparison, f"bool({comparison})" if arg & 16 else comparison
        if op == CONVERT_VALUE:
            conversion = (None, str, repr, ascii)[arg]
            return conversion, "" if conversion is None else conversion.__name__
        text = _describe.get(op)
        return arg, "" if text is None else text(arg)


# How far the name's index stands above the flags of the argument, and what its lowest bit adds.
_name_argument = {
    LOAD_GLOBAL: (1, " + NULL"),
    LOAD_ATTR: (1, " + NULL|self"),
    LOAD_SUPER_ATTR: (2, " + NULL|self"),
}


def _constant_text(arg):
    constant = _common_constants[arg]
    return constant.__name__ if isinstance(constant, type) else repr(constant)


_describe = {
    SET_FUNCTION_ATTRIBUTE:
        lambda arg: ", ".join(name for bit, name in enumerate(FUNCTION_ATTR_FLAGS) if arg >> bit & 1),
    BINARY_OP: lambda arg: _nb_ops[arg][1],
    CALL_INTRINSIC_1: _intrinsic_1_descs.__getitem__,
    CALL_INTRINSIC_2: _intrinsic_2_descs.__getitem__,
    LOAD_COMMON_CONSTANT: _constant_text,
    LOAD_SPECIAL: _special_method_names.__getitem__,
    IS_OP: lambda arg: "is not" if arg else "is",
    CONTAINS_OP: lambda arg: "not in" if arg else "in",
}


def _get_const_value(op, arg, co_consts):
    if op == LOAD_SMALL_INT:
        return arg
    return UNKNOWN if co_consts is None else co_consts[arg]


def _get_name_info(index, get_name):
    if get_name is None:
        return UNKNOWN, ""
    name = get_name(index)
    return name, name


# ---- text

class Formatter:
    """Writes instructions to a file, in columns."""

    def __init__(self, file=None, lineno_width=0, offset_width=0, label_width=0, line_offset=0, show_caches=False, *,
                 show_positions=False):
        self.file = file
        self.lineno_width = lineno_width
        self.offset_width = offset_width
        self.label_width = label_width
        self.line_offset = line_offset
        self.show_caches = show_caches
        self.show_positions = show_positions

    def print_instruction(self, instr, mark_as_current=False):
        self.print_instruction_line(instr, mark_as_current)
        if not (self.show_caches and instr.cache_info):
            return
        offset = instr.offset
        for name, units, data in instr.cache_info:
            # The first unit of an entry says what the entry holds.
            text = f"{name}: {int.from_bytes(data, sys.byteorder)}"
            for _ in range(units):
                offset += 2
                self.print_instruction_line(
                    Instruction("CACHE", CACHE, 0, None, text, offset, offset, False, None, None, instr.positions),
                    mark_as_current)
                text = ""

    def print_instruction_line(self, instr, mark_as_current):
        if self.lineno_width and instr.starts_line and instr.offset > 0:
            print(file=self.file)
        columns = [self._place(instr)] if self.lineno_width else []
        label = "" if instr.label is None else f"L{instr.label}:"
        columns.append(f"{label:>{self.label_width}}")
        if self.offset_width:
            columns.append(f"{instr.offset:>{self.offset_width}}  ")
        columns.append("-->" if mark_as_current else "   ")
        columns.append(f"{instr.opname:{_OPNAME_WIDTH}}")
        if instr.arg is not None:
            # A long name takes room from the argument.
            excess = max(0, len(instr.opname) - _OPNAME_WIDTH)
            columns.append(repr(instr.arg).rjust(_OPARG_WIDTH - excess))
            if instr.argrepr:
                columns.append(f"({instr.argrepr})")
        print(" ".join(columns).rstrip(), file=self.file)

    def _place(self, instr):
        width = self.lineno_width
        if self.show_positions:
            if not instr.positions:
                return " " * width
            if all(part is None for part in instr.positions):
                return f"{_NO_LINENO:{width}}"
            line, end_line, column, end_column = ("?" if part is None else part for part in instr.positions)
            return f"{f'{line}:{column}-{end_line}:{end_column}':{width}}"
        if not instr.starts_line:
            return " " * width
        line = _NO_LINENO if instr.line_number is None else str(instr.line_number)
        return f"{line:>{width}}"

    def print_exception_table(self, exception_entries):
        if exception_entries:
            print("ExceptionTable:", file=self.file)
        for entry in exception_entries:
            lasti = " lasti" if entry.lasti else ""
            print(f"  L{entry.start_label} to L{entry.end_label} -> L{entry.target_label} [{entry.depth}]{lasti}",
                  file=self.file)


def print_instructions(instrs, exception_entries, formatter, lasti=-1):
    """Writes instructions and a table of handlers; the one whose bytes include offset lasti is marked."""
    for instr in instrs:
        last = instr.offset + 2 * _get_cache_size(_all_opname[_deoptop(instr.opcode)])
        formatter.print_instruction(instr, instr.offset <= lasti <= last)
    formatter.print_exception_table(exception_entries)


# ---- tables

_ExceptionTableEntryBase = collections.namedtuple("_ExceptionTableEntryBase", "start end target depth lasti")


class _ExceptionTableEntry(_ExceptionTableEntryBase):
    """Offsets in bytes. `_make_labels_map` gives it the labels that stand there."""


def _parse_varint(iterator):
    """A number in groups of six bits, the highest first."""
    value = 0
    more = True
    while more:
        byte = next(iterator)
        value = value << 6 | byte & 63
        more = byte & 64
    return value


def _parse_exception_table(code):
    """The handlers of a code object; a table that ends early ends there."""
    iterator = iter(code.co_exceptiontable)
    entries = []
    try:
        while True:
            start = 2 * _parse_varint(iterator)
            length = 2 * _parse_varint(iterator)
            target = 2 * _parse_varint(iterator)
            depth_and_lasti = _parse_varint(iterator)
            entries.append(_ExceptionTableEntry(start, start + length, target, depth_and_lasti >> 1,
                                                bool(depth_and_lasti & 1)))
    except StopIteration:
        return entries


def findlabels(code):
    """Offsets that jumps lead to, in the order of the jumps."""
    targets = (_get_jump_target(op, arg, offset) for offset, _, op, arg in _unpack_opargs(code) if arg is not None)
    return list(dict.fromkeys(target for target in targets if target is not None))


def _make_labels_map(original_code, exception_entries=()):
    """Numbers for the offsets that jumps and handlers lead to, or that handlers begin and end at."""
    offsets = set(findlabels(original_code))
    for start, end, target, _, _ in exception_entries:
        offsets.update((start, end, target))
    labels = {offset: number for number, offset in enumerate(sorted(offsets), 1)}
    for entry in exception_entries:
        entry.start_label = labels[entry.start]
        entry.end_label = labels[entry.end]
        entry.target_label = labels[entry.target]
    return labels


def findlinestarts(code):
    """Offset and line wherever another line begins; the line is None for code that belongs to none."""
    last = False
    for start, _, line in code.co_lines():
        if line is not last:
            last = line
            yield start, line


# ---- what a code object is

def pretty_flags(flags):
    """The names of flags, unknown ones by number."""
    names = [COMPILER_FLAG_NAMES.get(1 << bit, hex(1 << bit)) for bit in range(32) if flags >> bit & 1]
    if flags >> 32 or not names:
        names.append(hex(flags >> 32 << 32))
    return ", ".join(names)


def code_info(x):
    """A code object's attributes as text."""
    return _format_code_info(_get_code_object(x))


def _format_code_info(co):
    lines = [
        f"Name:              {co.co_name}",
        f"Filename:          {co.co_filename}",
        f"Argument count:    {co.co_argcount}",
        f"Positional-only arguments: {co.co_posonlyargcount}",
        f"Kw-only arguments: {co.co_kwonlyargcount}",
        f"Number of locals:  {co.co_nlocals}",
        f"Stack size:        {co.co_stacksize}",
        f"Flags:             {pretty_flags(co.co_flags)}",
    ]
    tables = [
        ("Constants", map(repr, co.co_consts)),
        ("Names", co.co_names),
        ("Variable names", co.co_varnames),
        ("Free variables", co.co_freevars),
        ("Cell variables", co.co_cellvars),
    ]
    for title, items in tables:
        rows = [f"{index:4d}: {item}" for index, item in enumerate(items)]
        if rows:
            lines += [f"{title}:", *rows]
    return "\n".join(lines)


def show_code(co, *, file=None):
    """Writes what code_info gives."""
    print(code_info(co), file=file)


class Bytecode:
    """The instructions of a function, method, code object or source text: iterate over it, or call dis()."""

    def __init__(self, x, *, first_line=None, current_offset=None, show_caches=False, adaptive=False,
                 show_offsets=False, show_positions=False):
        self.codeobj = co = _get_code_object(x)
        self.first_line = co.co_firstlineno if first_line is None else first_line
        self._listing = _Listing(co, adaptive, self.first_line - co.co_firstlineno)
        self._original_object = x
        self.current_offset = current_offset
        self.exception_entries = self._listing.exception_entries
        self.show_caches = show_caches
        self.adaptive = adaptive
        self.show_offsets = show_offsets
        self.show_positions = show_positions

    def __iter__(self):
        self._listing.array = _get_code_array(self.codeobj, self.adaptive)
        return iter(self._listing)

    def __repr__(self):
        return f"{type(self).__name__}({self._original_object!r})"

    @classmethod
    def from_traceback(cls, tb, *, show_caches=False, adaptive=False):
        """Of the code that a traceback ends in, where it ends."""
        while tb.tb_next:
            tb = tb.tb_next
        return cls(tb.tb_frame.f_code, current_offset=tb.tb_lasti, show_caches=show_caches, adaptive=adaptive)

    def info(self):
        """The code object's attributes as text."""
        return _format_code_info(self.codeobj)

    def dis(self):
        """The disassembly as text."""
        self._listing.array = _get_code_array(self.codeobj, self.adaptive)
        lasti = -1 if self.current_offset is None else self.current_offset
        with io.StringIO() as output:
            self._listing.show(output, lasti, self.show_caches, self.show_offsets, self.show_positions)
            return output.getvalue()
