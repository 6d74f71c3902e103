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


def leaf(n):
    x = n
    y = x
    return y


def freeing(code, *args):
    print("freeing")
    M.free_tool_id(TOOL)


def turning_off(code, *args):
    print("off", *args)
    M.set_local_events(TOOL, code, 0)


def turning_on(code, *args):
    print("on")
    M.set_local_events(TOOL, code, E.LINE | E.PY_RETURN | E.INSTRUCTION)


count = 0


def steps(code, offset):
    global count
    count += 1
    if count == 3:
        M.set_local_events(TOOL, code, E.PY_RETURN)


M.use_tool_id(TOOL, "test")
M.register_callback(TOOL, E.LINE, freeing)
M.set_local_events(TOOL, leaf.__code__, E.LINE)
print(leaf(1), M.get_tool(TOOL))
M.use_tool_id(TOOL, "test")
M.register_callback(TOOL, E.INSTRUCTION, turning_off)
M.set_local_events(TOOL, leaf.__code__, E.INSTRUCTION)
print(leaf(2))
print(leaf(2))
M.register_callback(TOOL, E.PY_START, turning_on)
M.register_callback(TOOL, E.INSTRUCTION, steps)
M.register_callback(TOOL, E.LINE, lambda code, line: print("line", line - code.co_firstlineno))
M.register_callback(TOOL, E.PY_RETURN, lambda code, offset, value: print("return", value))
M.set_local_events(TOOL, leaf.__code__, E.PY_START)
print(leaf(3))
print(count, M.get_local_events(TOOL, leaf.__code__) == E.PY_RETURN)
M.free_tool_id(TOOL)


def calls_back(code, *args):
    leaf(9)


M.use_tool_id(TOOL, "test")
M.register_callback(TOOL, E.PY_START, calls_back)
M.set_events(TOOL, E.PY_START)
print(leaf(4))
M.set_events(TOOL, 0)
M.free_tool_id(TOOL)
