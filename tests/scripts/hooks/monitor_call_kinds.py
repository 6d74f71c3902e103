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
    return repr(arg).split(" at 0x")[0]


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


def build():
    class Base:
        x = 1

        def method(self):
            return self.x

    class Derived(Base):
        y = [i for i in range(2)]

        def method(self):
            return super().method() + 1

    return Derived().method(), Derived.y


def star(*args, **kwargs):
    return len(args) + len(kwargs)


def kinds():
    build()
    star(*[1, 2], **{"a": 3})
    print(*[1], **{"sep": ""})
    return star(1, b=2)


watch(kinds, "CALL", "C_RETURN", "C_RAISE", "PY_START")
