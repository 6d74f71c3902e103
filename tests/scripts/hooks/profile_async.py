import sys


def shown(event, arg):
    if event == "exception":
        return arg[0].__name__ + ": " + str(arg[1])
    if callable(arg):
        return arg.__qualname__
    return type(arg).__name__ if isinstance(arg, type((x for x in ()))) else repr(arg).split(" at 0x")[0]


def profiler(frame, event, arg):
    code = frame.f_code
    print(f"{code.co_name:12} {event:10} {frame.f_lineno - code.co_firstlineno:3} {shown(event, arg)}")


def profiled(function, *args):
    sys.setprofile(profiler)
    try:
        result = function(*args)
    except BaseException as error:
        sys.setprofile(None)
        print("raised", type(error).__name__, error)
    else:
        sys.setprofile(None)
        print("result", result)


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


profiled(run)
