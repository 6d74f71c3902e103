import sys

M = sys.monitoring
E = M.events
TOOL = 3
NAMES = [name for name in dir(E) if name.isupper() and name not in ("NO_EVENTS", "BRANCH")]


def shown(arg):
    if arg is M.MISSING:
        return "MISSING"
    if isinstance(arg, BaseException):
        return f"{type(arg).__name__}({arg})"
    if callable(arg):
        return arg.__qualname__
    return repr(arg)


def callback(name):
    def call(code, *args):
        first = args[0]
        if name == "LINE":
            first -= code.co_firstlineno
        print(f"{code.co_name:10} {name:17}", first, *map(shown, args[1:]))

    return call


def watch(function, *events):
    """Runs the function with these events, which are watched in it and what it calls."""
    M.use_tool_id(TOOL, "test")
    wanted = 0
    for name in events:
        M.register_callback(TOOL, getattr(E, name), callback(name))
        wanted |= getattr(E, name)
    M.set_events(TOOL, wanted)
    try:
        result = function()
    except BaseException as error:
        M.set_events(TOOL, 0)
        print("raised", type(error).__name__, error)
    else:
        M.set_events(TOOL, 0)
        print("result", result)
    M.free_tool_id(TOOL)


import dis


def leaf(n):
    return n


def work(n):
    total = 0
    for i in range(n):
        total += leaf(i)
    return total


def opcodes(function):
    code = function.__code__
    plain = [instr.opname for instr in dis.get_instructions(code)]
    adaptive = [instr.opname for instr in dis.get_instructions(code, adaptive=True)]
    return plain, adaptive


work(50)
print(*opcodes(work)[1], sep=" ")
M.use_tool_id(TOOL, "test")
M.register_callback(TOOL, E.CALL, lambda *args: None)
M.register_callback(TOOL, E.LINE, lambda *args: None)
M.set_events(TOOL, E.CALL | E.PY_START)
work(50)
plain, adaptive = opcodes(work)
print(*adaptive, sep=" ")
M.set_events(TOOL, E.CALL | E.LINE)
work(50)
print(*opcodes(work)[1], sep=" ")
print(plain == opcodes(work)[0])
M.set_events(TOOL, 0)
work(1)
print(*opcodes(work)[1], sep=" ")
work(50)
print(*opcodes(work)[1], sep=" ")
M.free_tool_id(TOOL)
