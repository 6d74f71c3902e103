"""Instructions as objects, Bytecode, the tables of opcodes."""
import _opcode
import _opcode_metadata
import dis
import opcode


def f(x, y=2):
    for i in x.items():
        y += i
    return y


for instruction in dis.get_instructions(f):
    print(instruction)
    print(tuple(instruction)[:11], instruction.cache_info)
    print(instruction.oparg, instruction.baseopname, instruction.baseopcode, instruction.cache_offset,
          instruction.end_offset, instruction.jump_target, instruction.is_jump_target)
print([i.line_number for i in dis.get_instructions("a\nb", first_line=10)])
print(list(dis.findlinestarts(f.__code__)), dis.findlabels(f.__code__.co_code))
long = dis.Bytecode("f(" + ", ".join("abc") + ")\n" * 1)
print(len(list(long)), long.first_line, long.current_offset, long.exception_entries, repr(dis.Bytecode("x")))
print(dis.Bytecode("1 / a", first_line=10, current_offset=4).dis())
print(dis.Bytecode(f, show_caches=True, show_offsets=True).dis())
print(dis.Bytecode("try: a\nexcept: b").info())
for entry in dis.Bytecode("try: a\nexcept: b").exception_entries:
    print(tuple(entry), entry)
print(dis.Instruction.make("CALL", 1, 1, "", 4, 4, True, 3))
print(dis.Positions(1), dis.Positions._fields)


def attempt(function, *args, **kwargs):
    try:
        print(function(*args, **kwargs))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


effect = dis.stack_effect
for name in ("NOP", "POP_TOP", "FOR_ITER", "SEND", "SETUP_WITH", "SETUP_CLEANUP", "SETUP_FINALLY", "JUMP_IF_TRUE",
             "LOAD_ATTR", "UNPACK_EX", "CALL", "BUILD_MAP"):
    op = dis.opmap[name]
    print(name, [effect(op, arg) for arg in (0, 1, 3)], effect(op, 0, jump=True), effect(op, 0, jump=False))
attempt(effect, 300)
attempt(effect, -1)
attempt(effect, 129)
attempt(effect, dis.opmap["NOP"], None, jump=3)
attempt(effect, "x")
attempt(effect, 1, "x")
attempt(effect)
attempt(_opcode.get_executor, f.__code__, 0)
attempt(_opcode.get_executor, f, 0)
attempt(_opcode.get_executor, code=f.__code__, offset=0)
print(_opcode.get_specialization_stats(), _opcode.is_valid(17), _opcode.is_valid(300), _opcode.has_exc(264))
print(dis.HAVE_ARGUMENT, dis.EXTENDED_ARG, _opcode_metadata.MIN_INSTRUMENTED_OPCODE, dis.cmp_op)
for name in ("hasarg", "hasconst", "hasname", "hasjump", "hasjrel", "hasjabs", "haslocal", "hasfree", "hasexc", "hascompare"):
    print(name, getattr(dis, name))
print(len(dis.opname), dis.opname)
print(list(dis.opmap.items()))
print(list(_opcode_metadata._specialized_opmap.items()))
print(sorted(_opcode_metadata._specializations.items()))
print(sorted(opcode._cache_format.items()), sorted(opcode._inline_cache_entries.items()))
print(opcode._specializations is _opcode_metadata._specializations, opcode._nb_ops, opcode._intrinsic_1_descs,
      opcode._intrinsic_2_descs, opcode._special_method_names, opcode._common_constants)
print(dis.COMPILER_FLAG_NAMES, dis.pretty_flags(0), dis.pretty_flags(0x1003))
print(sorted(dis.__all__))
