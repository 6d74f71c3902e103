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


def loop():
    for i in range(3):
        if i == 1:
            x = i
    return x


def counting(code, *args):
    print("seen", *args)
    return M.DISABLE


M.use_tool_id(TOOL, "test")
for event in (E.LINE, E.BRANCH_LEFT, E.BRANCH_RIGHT, E.JUMP, E.PY_START):
    M.register_callback(TOOL, event, lambda code, *args: print("seen", code.co_name, *(a - code.co_firstlineno if len(args) == 1 else a for a in args)) or M.DISABLE)
    M.set_local_events(TOOL, loop.__code__, event)
    loop()
    print("again")
    loop()
    print("restarted")
    M.restart_events()
    loop()
    M.set_local_events(TOOL, loop.__code__, 0)
    loop()
M.register_callback(TOOL, E.BRANCH, lambda code, *args: print("branch", *args) or M.DISABLE)
M.set_local_events(TOOL, loop.__code__, E.BRANCH)
loop()
M.set_local_events(TOOL, loop.__code__, 0)
M.register_callback(TOOL, E.RAISE, counting)
M.set_events(TOOL, E.RAISE)
try:
    {}["a"]
except Exception as error:
    print(type(error).__name__, error)
try:
    {}["b"]
except Exception as error:
    print(type(error).__name__, error)
M.set_events(TOOL, 0)
M.free_tool_id(TOOL)
