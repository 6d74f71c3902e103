"""Traceback objects: their frames, their chain, and how programs make them."""
import sys
import types


def attempt(text, names):
    try:
        value = repr(eval(text, names))
        print(text, "->", value[: value.index(" at ")] if " at " in value else value)
    except Exception as error:
        print(text, "->", type(error).__name__, error)


def links(tb):
    found = []
    while tb is not None:
        found.append((tb.tb_frame.f_code.co_name, tb.tb_lineno, tb.tb_lasti))
        tb = tb.tb_next
    return found


def deep(n):
    if n == 0:
        local = "here"
        raise ValueError("deep")
    deep(n - 1)


def start():
    deep(4)


try:
    start()
except ValueError as error:
    tb = error.__traceback__
print(len(links(tb)), links(tb))
last = tb
while last.tb_next:
    last = last.tb_next
print(last.tb_frame.f_locals, last.tb_frame.f_back.f_locals, tb.tb_frame is sys._getframe())
print(last.tb_frame.f_back.f_back.f_back.f_back.f_back.f_back is sys._getframe())


def handles():
    try:
        1 / 0
    except ZeroDivisionError as error:
        return error.__traceback__


tb = handles()
print(links(tb), tb.tb_frame.f_lineno, tb.tb_frame.f_back is sys._getframe())


def again():
    try:
        1 / 0
    except ZeroDivisionError:
        raise


try:
    again()
except ZeroDivisionError as error:
    print(links(error.__traceback__))


def with_traceback():
    try:
        start()
    except ValueError as error:
        kept = error.__traceback__
    raise KeyError("new").with_traceback(kept)


try:
    with_traceback()
except KeyError as error:
    print(links(error.__traceback__))
frame = sys._getframe()
names = {"frame": frame, "types": types, "tb": tb}
for text in [
    "types.TracebackType(None, frame, 1, 2)", "types.TracebackType(None, frame, 1, 2).tb_frame is frame",
    "types.TracebackType(3, frame, 1, 2)", "types.TracebackType(None, 3, 1, 2)",
    "types.TracebackType(None, frame, 'a', 2)", "types.TracebackType(None, frame, 1)",
    "types.TracebackType(tb_next=tb, tb_frame=frame, tb_lasti=0, tb_lineno=4).tb_lineno",
    "types.TracebackType(tb, frame, -5, 2).tb_lasti", "types.TracebackType(None, frame, 2**40, 2)",
    "types.TracebackType()", "types.TracebackType(tb, frame, 0, 7).tb_next is tb",
    "sorted(n for n in dir(tb) if not n.startswith('_'))", "Exception().with_traceback(3)",
    "Exception().with_traceback(None).__traceback__",
]:
    attempt(text, names)
try:
    tb.tb_next = types.TracebackType(tb, frame, 0, 7)
except ValueError as error:
    print(error)
try:
    tb.tb_frame = None
except AttributeError as error:
    print(error)


def finishes():
    try:
        deep(0)
    finally:
        print(len(links(sys.exception().__traceback__)), sys.exc_info()[2] is sys.exception().__traceback__)


try:
    finishes()
except ValueError as error:
    print(links(error.__traceback__))


def clears():
    try:
        deep(1)
    except ValueError as error:
        tb = error.__traceback__
    tb.tb_next.tb_frame.clear()
    print(tb.tb_next.tb_frame.f_locals, tb.tb_next.tb_next.tb_frame.f_locals)
    try:
        tb.tb_frame.clear()
    except RuntimeError as error:
        print(error)


clears()
raise SystemError("at the end").with_traceback(types.TracebackType(None, last.tb_frame, last.tb_lasti, last.tb_lineno))
