"""Frame objects: made on demand, one a frame, linked by f_back."""
import sys
import types


def show(text, *values):
    print(text, *values)


def attempt(text, names):
    try:
        try:
            value = eval(text, names)
        except SyntaxError:
            value = exec(text, names)
        print(text, "->", value)
    except Exception as error:
        print(text, "->", type(error).__name__, error)


def shape(frame):
    """A frame's text without its address."""
    text = repr(frame)
    return text[: text.index(" at ")] + text[text.index(",") :]


frame = sys._getframe()
show("type", type(frame), type(frame) is types.FrameType)
show("names", sorted(name for name in dir(frame) if name not in dir(object)))
show("module", frame.f_locals is globals(), frame.f_globals is globals(), frame.f_code.co_name, frame.f_lineno)
names = {"frame": frame, "sys": sys}
for text in [
    "sys._getframe('a')", "sys._getframe(1, 2)", "sys._getframe(depth=1)", "sys._getframe(1000)",
    "frame.clear()", "frame.f_trace", "frame.f_trace_lines", "frame.f_trace_opcodes", "frame.f_generator",
    "type(frame)()", "frame.f_code = 3", "frame.f_locals = 3", "frame.f_trace_lines = 3",
    "frame.f_trace_lines = True", "frame.f_trace_opcodes = 1", "frame.f_trace = 5", "frame.f_trace",
    "del frame.f_trace", "frame.f_trace", "del frame.f_lineno", "del frame.f_trace_lines", "frame.foo",
    "frame.foo = 1", "hash(frame) == hash(frame)", "frame.f_lasti > 0", "class B(type(frame)): pass",
    "sys._getframe(-5) is sys._getframe()", "len(sys._current_frames())",
]:
    attempt(text, names)


def two():
    return sys._getframe(), sys._getframe()


first, second = two()
show("one object", first is second, shape(first), first.f_lasti, first.f_lineno)
show("kept", first.f_back is frame, first.f_locals, first.f_code is two.__code__)


def outer():
    value = "outer"
    return inner()


def inner():
    value = "inner"
    frame = sys._getframe()
    chain = []
    while frame is not None and frame.f_code.co_name != "<module>":
        chain.append((frame.f_code.co_name, frame.f_lineno, frame.f_locals["value"]))
        frame = frame.f_back
    return chain, sys._getframe(1).f_code.co_name, sys._getframe(1) is sys._getframe().f_back


show("chain", outer())


class Made:
    """A frame of __init__, entered by the loop."""

    def __init__(self):
        self.own = sys._getframe()
        self.caller = sys._getframe(1)


for _ in range(20):
    made = Made()
show("init", made.own.f_back is made.caller, made.caller is frame, made.own.f_lineno)


def kept():
    numbers = [1]
    return sys._getframe()


left = kept()
show("left", shape(left), left.f_locals, left.f_lineno, left.f_lasti, left.f_back is frame)
left.f_locals["numbers"] = 9
left.f_locals["more"] = 10
show("left", left.f_locals)
left.clear()
show("cleared", left.f_locals, shape(left), left.f_back is frame)


class Sees:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        seen = sys._getframe(1)
        print("del", self.name, "in", seen.f_code.co_name, seen.f_lineno)


def returns():
    sees = Sees("returns")
    return 1


def raises():
    sees = Sees("raises")
    raise ValueError


def overwrites():
    sees = Sees("overwrites")
    sees = 4
    return 5


def catches():
    try:
        raises()
    except ValueError:
        pass
    return 3


returns()
catches()
overwrites()
print(eval("sys._getframe().f_code.co_name, sys._getframe(1) is frame"))
exec("print(sys._getframe().f_code.co_filename, sys._getframe().f_lineno)")
print((lambda: sys._getframe().f_code.co_qualname)(), [sys._getframe() is frame for _ in [1]])
print([f.f_code.co_name for f in map(lambda x: sys._getframe(), [1])], sorted([3, 1], key=lambda x: sys._getframe(1).f_lineno))
