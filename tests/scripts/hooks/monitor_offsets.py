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


class Index:
    def __index__(self):
        raise KeyError("index")


class Length:
    def __len__(self):
        raise OSError("length")


def operators():
    for act in (
        lambda: 1 + "a",
        lambda: [1][5],
        lambda: {}.missing,
        lambda: undefined,
        lambda: int("x"),
        lambda: len(Length()),
        lambda: [1][Index()],
        lambda: (1, 2) < (1, "a"),
        lambda: [*1],
        lambda: f"{1:q}",
    ):
        try:
            act()
        except Exception as error:
            print(type(error).__name__)


def unpacks():
    try:
        a, b = 1, 2, 3
        a, b = [1]
    except ValueError:
        return "unpacked"


def first_is_a_call():
    try:
        return operators_missing()
    except NameError:
        pass
    try:
        raise
    except RuntimeError as error:
        return str(error)


def groups():
    try:
        try:
            raise ExceptionGroup("all", [ValueError(1), KeyError(2)])
        except* ValueError:
            x = 1
    except* KeyError:
        x = 2


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, *args):
        return args[0] is KeyError


def withs():
    with Manager():
        raise KeyError("in")
    with Manager():
        raise ValueError("out")


def thrown():
    def gen():
        try:
            yield 1
        except KeyError:
            yield 2
        finally:
            x = 3
        yield 4

    def delegating():
        return (yield from gen())

    for make in (gen, delegating):
        g = make()
        print(next(g), g.throw(KeyError("t")), next(g))
        try:
            g.throw(ValueError("u"))
        except ValueError as error:
            print("out", error)
        g = make()
        next(g)
        g.close()
        g = make()
        try:
            g.throw(OSError("not begun"))
        except OSError as error:
            print("out", error)


EVENTS = "RAISE", "RERAISE", "EXCEPTION_HANDLED", "PY_UNWIND", "PY_THROW"
for function in operators, unpacks, first_is_a_call, groups, withs, thrown:
    watch(function, *EVENTS)
