"""Stands in for the module of this name, so that pyperformance's programs run as they are: each benchmark is called
once to warm up, then once more for its time, and prints `name seconds`; with `--check` it prints what it returned.
"""
import sys
from time import perf_counter


class Options:
    """Collects what a program adds to the command line, at its defaults."""

    def __init__(self):
        self.values = {}

    def add_argument(self, *names, **kw):
        long = [name for name in names if name.startswith("--")] or names
        default = kw.get("default")
        if default is None:
            default = {"store_true": False}.get(kw.get("action"), [] if kw.get("nargs") in ("*", "+") else None)
        self.values[kw.get("dest") or long[0].lstrip("-").replace("-", "_")] = default

    def add_argument_group(self, *args, **kw):
        return self

    add_mutually_exclusive_group = add_argument_group


class Values:
    pass


def without_addresses(text):
    first, *rest = text.split(" at 0x")
    return first + "".join(" at ..." + part.lstrip("0123456789abcdef") for part in rest)


class Runner:
    def __init__(self, *args, **kw):
        self.metadata = {}
        self.argparser = Options()
        self.args = None

    def parse_args(self, *args, **kw):
        if self.args is None:
            self.args = Values()
            self.args.__dict__.update(self.argparser.values)
        return self.args

    def measure(self, name, call):
        """`call()` gives seconds and a value."""
        _, value = call()
        if "--check" in sys.argv:
            print(name, without_addresses(repr(value)[:400]))
        else:
            print(name, call()[0])

    def bench_func(self, name, func, *args, **kw):
        def call():
            start = perf_counter()
            value = func(*args)
            return perf_counter() - start, value

        self.measure(name, call)

    def bench_time_func(self, name, func, *args, **kw):
        self.measure(name, lambda: (func(1, *args), None))

    def bench_async_func(self, name, func, *args, **kw):
        import asyncio

        self.bench_func(name, lambda: asyncio.run(func(*args)))
