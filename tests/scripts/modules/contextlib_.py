from contextlib import *
import sys


@contextmanager
def cm(name, swallow=False):
    print("enter", name)
    try:
        yield name.upper()
    except ValueError as e:
        print("caught", e)
        if not swallow:
            raise
    finally:
        print("exit", name)


with cm("a") as a:
    print(a)
with cm("b", True):
    raise ValueError("swallowed")
try:
    with cm("c"):
        raise ValueError("through")
except ValueError as e:
    print("out", e)
try:
    with cm("d"):
        raise KeyError("other")
except KeyError as e:
    print("out", repr(e))


@contextmanager
def never():
    return
    yield


@contextmanager
def twice():
    yield 1
    yield 2


@contextmanager
def catches():
    try:
        yield
    except BaseException:
        pass
    yield


@contextmanager
def replaces():
    try:
        yield
    except ValueError as e:
        raise KeyError("new") from e


for f, body in ((never, None), (twice, None), (catches, ValueError), (replaces, ValueError("old"))):
    try:
        with f():
            if body is not None:
                raise body
    except Exception as e:
        print(type(e).__name__, e, repr(e.__cause__))
try:
    with cm("stop"):
        raise StopIteration("from body")
except StopIteration as e:
    print("stop", e)


@cm("deco")
def decorated(x):
    print("decorated", x)
    return x


print(decorated(1), decorated(2), decorated.__name__, cm.__name__)
with suppress(KeyError, IndexError):
    {}[1]
print("suppressed")
with suppress(ValueError):
    raise ExceptionGroup("g", [ValueError(1), ValueError(2)])
try:
    with suppress(ValueError):
        raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
except* TypeError as e:
    print(repr(e.exceptions))


class C:
    def close(self):
        print("closed")


with closing(C()) as c:
    print(type(c).__name__)
with nullcontext(5) as n:
    print(n)


class File:
    def __init__(self):
        self.parts = []

    def write(self, text):
        self.parts.append(text)

    def flush(self):
        pass


f = File()
with redirect_stdout(f):
    print("hidden")
print(f.parts, sys.stdout is not f)
with redirect_stderr(File()) as err:
    print("also", file=sys.stderr)
print("".join(err.parts))
with ExitStack() as stack:
    for n in "xyz":
        stack.enter_context(cm(n))
    stack.callback(print, "callback", 1, sep="-")
    stack.push(lambda t, v, tb: print("pushed", t))
    print("in")
with ExitStack() as stack:
    stack.enter_context(cm("s", True))
    stack.callback(print, "between")
    raise ValueError("in stack")
try:
    with ExitStack() as stack:
        @stack.callback
        def bad():
            raise KeyError("bad")
        raise ValueError("first")
except KeyError as e:
    print(repr(e), repr(e.__context__))
with ExitStack() as stack:
    stack.callback(print, "moved")
    other = stack.pop_all()
print("left")
other.close()
try:
    ExitStack().enter_context(3)
except TypeError as e:
    print(e)
print(issubclass(C, AbstractContextManager), isinstance(nullcontext(), AbstractContextManager))


def run(c):
    try:
        while True:
            c.send(None)
    except StopIteration as e:
        return e.value


@asynccontextmanager
async def acm(name):
    print("aenter", name)
    try:
        yield name
    except ValueError as e:
        print("acaught", e)
    finally:
        print("aexit", name)


async def main():
    async with acm("p") as p:
        print(p)
    async with acm("q"):
        raise ValueError("async")
    try:
        async with acm("r"):
            raise KeyError("k")
    except KeyError as e:
        print(repr(e))
    async with AsyncExitStack() as st:
        print(await st.enter_async_context(acm("s1")))
        st.enter_context(cm("s2"))

        async def cb(x):
            print("async callback", x)

        st.push_async_callback(cb, 7)
    async with nullcontext(8) as e:
        print(e)

    async def ag():
        try:
            yield 1
        finally:
            print("ag closed")

    async with aclosing(ag()) as a:
        async for x in a:
            break


run(main())
