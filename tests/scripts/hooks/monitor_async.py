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


class Awaitable:
    def __await__(self):
        got = yield "asked"
        return got


async def inner():
    return await Awaitable()


async def items():
    yield 1
    yield 2


async def main():
    value = await inner()
    seen = []
    async for item in items():
        seen.append(item)
    return value, seen


def run():
    c = main()
    asked = c.send(None)
    try:
        c.send("answer")
    except StopIteration as stop:
        return asked, stop.value


watch(run, "PY_START", "PY_RESUME", "PY_RETURN", "PY_YIELD", "STOP_ITERATION", "BRANCH_LEFT", "BRANCH_RIGHT")
