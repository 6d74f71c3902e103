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


def one():
    return 1


def two():
    return one() + 1


M.use_tool_id(TOOL, "test")
M.use_tool_id(2, "second")
for tool in (TOOL, 2):
    M.register_callback(tool, E.PY_START, lambda code, offset, tool=tool: print(tool, "start", code.co_name))
    M.register_callback(tool, E.PY_RETURN, lambda code, offset, value, tool=tool: print(tool, "return", code.co_name, value))
M.set_local_events(TOOL, one.__code__, E.PY_START)
M.set_local_events(2, two.__code__, E.PY_START | E.PY_RETURN)
two()
print("everywhere")
M.set_events(2, E.PY_START)
two()
print("freed")
M.free_tool_id(2)
two()
M.use_tool_id(2, "second again")
M.register_callback(2, E.PY_START, lambda *args: print("never"))
two()
print(M.get_local_events(TOOL, one.__code__), M.get_local_events(2, two.__code__))
M.clear_tool_id(TOOL)
two()
print(M.get_tool(TOOL), M.get_local_events(TOOL, one.__code__))
M.free_tool_id(TOOL)
M.free_tool_id(2)
