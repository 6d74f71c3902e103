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


def leaf():
    x = 1
    return x


def works():
    for i in range(2):
        leaf()
    return leaf()


def raising(*args):
    raise RuntimeError("from the callback")


def trail(error):
    tb, names = error.__traceback__, []
    while tb:
        names.append(f"{tb.tb_frame.f_code.co_name}+{tb.tb_lineno - tb.tb_frame.f_code.co_firstlineno}")
        tb = tb.tb_next
    return names[1:]


M.use_tool_id(TOOL, "test")
for name in ("PY_START", "PY_RETURN", "LINE", "CALL", "INSTRUCTION", "JUMP", "BRANCH_LEFT", "BRANCH_RIGHT"):
    M.register_callback(TOOL, getattr(E, name), raising)
    M.set_local_events(TOOL, works.__code__, getattr(E, name))
    try:
        print(name, works())
    except RuntimeError as error:
        print(name, error, trail(error))
    M.set_local_events(TOOL, works.__code__, 0)
    M.register_callback(TOOL, getattr(E, name), None)


def fails():
    try:
        {}["a"]
    except KeyError:
        return "handled"


for name in ("RAISE", "EXCEPTION_HANDLED"):
    M.register_callback(TOOL, getattr(E, name), lambda code, *args: raising() if code.co_name == "fails" else None)
    M.set_events(TOOL, getattr(E, name))
    try:
        print(name, fails())
    except RuntimeError as error:
        M.set_events(TOOL, 0)
        print(name, error, type(error.__context__).__name__)
    M.set_events(TOOL, 0)
M.free_tool_id(TOOL)
