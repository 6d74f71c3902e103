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


class Manager:
    def __init__(self, swallow):
        self.swallow = swallow

    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        return self.swallow


def use():
    with Manager(True) as m:
        x = 1
    with Manager(True):
        raise KeyError("k")
    try:
        with Manager(False):
            raise IndexError("i")
    except IndexError:
        pass
    return m.swallow


watch(use, "RAISE", "RERAISE", "EXCEPTION_HANDLED", "PY_UNWIND", "LINE")
