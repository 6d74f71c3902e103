"""The module `traceback`, as programs use it."""
import io
import linecache
import sys
import traceback


def fails(n):
    local = n
    if n:
        fails(n - 1)
    raise ValueError("text")


def caught(n=1):
    try:
        fails(n)
    except ValueError as error:
        return error


error = caught()
print(traceback.format_exception_only(error), traceback.format_exception_only(ValueError, ValueError("x")))
for line in traceback.format_exception(error):
    print(repr(line))
print(traceback.format_exception(type(error), error, error.__traceback__) == traceback.format_exception(error))
print(traceback.format_exception(error, limit=1))
print(traceback.format_exception(error, limit=-1))
print(traceback.format_tb(error.__traceback__, 1))
for entry in traceback.extract_tb(error.__traceback__):
    print(entry, entry.filename, entry.lineno, entry.end_lineno, entry.colno, entry.end_colno, entry.name, repr(entry.line))
    print(tuple(entry), len(entry), entry[0], entry[3], entry.locals, entry == tuple(entry), entry == entry)
stack = traceback.extract_tb(error.__traceback__)
print(type(stack).__name__, isinstance(stack, list), len(stack))
print(traceback.format_list(stack) == stack.format(), traceback.format_list([("file", 3, "name", "line of it"), ("f", 1, "n", None)]))
print([(frame.f_code.co_name, line) for frame, line in traceback.walk_tb(error.__traceback__)])
print([(frame.f_code.co_name, line) for frame, line in traceback.walk_stack(sys._getframe())][0])
summary = traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__), capture_locals=True)
print("".join(summary.format()))
summary = traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__), limit=1, lookup_lines=False)
print(len(summary), summary[0].line)
out = io.StringIO()
traceback.print_exception(error, file=out)
traceback.print_tb(error.__traceback__, file=out)
traceback.print_list(stack, file=out)
print(out.getvalue())


def where():
    print("".join(traceback.format_stack(limit=2)), end="")
    print([entry.name for entry in traceback.extract_stack()][-2:])
    traceback.print_stack(limit=1, file=sys.stdout)


where()
print(repr(traceback.format_exc()))
try:
    1 / 0
except ZeroDivisionError:
    text = traceback.format_exc()
    print(text, end="")
    traceback.print_exc(file=sys.stdout, limit=0)
    traceback.print_exc(file=sys.stdout, chain=False)


def chains():
    try:
        try:
            fails(0)
        except ValueError as error:
            raise KeyError("outer") from error
    except KeyError as error:
        return error


chained = chains()
report = traceback.TracebackException.from_exception(chained)
print(report, report.exc_type_str, report.__cause__, report.__context__, report.__suppress_context__)
print("".join(report.format()))
print("".join(report.format(chain=False)))
print(list(report.format_exception_only()), report == report)
print(traceback.format_exception(chained, chain=False)[-1])
report.print(file=sys.stdout)
try:
    compile("a b", "some file", "exec")
except SyntaxError as error:
    report = traceback.TracebackException.from_exception(error)
    print(report.filename, report.lineno, report.offset, repr(report.text), report.msg, report.end_offset)
    print(traceback.format_exception_only(error))
    traceback.print_exc(file=sys.stdout)
group = ExceptionGroup("group", [ValueError("one"), ExceptionGroup("inner", [KeyError("two")])])
group.add_note("noted")
print(traceback.format_exception_only(group), traceback.format_exception_only(group, show_group=True))
print("".join(traceback.format_exception(group)))
report = traceback.TracebackException.from_exception(group, max_group_width=1)
print("".join(report.format()), len(report.exceptions), report.exceptions[0])
for wrong in ["traceback.format_exception(3)", "traceback.format_exception(ValueError, ValueError())", "traceback.print_last()"]:
    try:
        eval(wrong)
    except Exception as error:
        print(type(error).__name__, error)
print(traceback.format_exception(None), traceback.format_exception_only(None), traceback.format_exception_only(None, None))
frame_summary = traceback.FrameSummary("f.py", 3, "name", line="  a line  ", locals={"x": 1})
print(frame_summary, frame_summary.line, frame_summary.locals, list(frame_summary))
error = caught(3)
inner = error.__traceback__.tb_next.tb_next
print(inner.tb_frame.f_locals)
traceback.clear_frames(error.__traceback__)
print(inner.tb_frame.f_locals)
print(repr(linecache.getline(__file__, 1)), repr(linecache.getline(__file__, 10000)), linecache.getlines("nothing.py"))


class BadRepr(ValueError):
    def __repr__(self):
        raise ValueError


def with_bad_local():
    bad = BadRepr()
    raise KeyError("bad")


def caught_bad():
    try:
        with_bad_local()
    except KeyError as error:
        return error


print("".join(traceback.TracebackException.from_exception(caught_bad(), capture_locals=True).format()))
long = None
for i in range(5):
    new = ValueError(i)
    new.__context__ = long
    long = new
print("".join(traceback.format_exception(long)))
sys.tracebacklimit = 1
print("".join(traceback.format_exception(caught(2))))
