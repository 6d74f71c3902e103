"""Stack traces as data and as text."""

import sys
from itertools import islice

import _traceback
import linecache

__all__ = [
    "extract_stack", "extract_tb", "format_exception", "format_exception_only", "format_list", "format_stack",
    "format_tb", "print_exc", "format_exc", "print_exception", "print_last", "print_stack", "print_tb", "clear_frames",
    "FrameSummary", "StackSummary", "TracebackException", "walk_stack", "walk_tb", "print_list",
]

_CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n"
# How many equal entries in a row are shown.
_RECURSIVE_CUTOFF = 3


class _Missing:
    def __repr__(self):
        return "<implicit>"


_missing = _Missing()


# ---- functions


def print_list(extracted_list, file=None):
    """Prints what `extract_tb` or `extract_stack` has given."""
    if file is None:
        file = sys.stderr
    for item in StackSummary.from_list(extracted_list).format():
        print(item, file=file, end="")


def format_list(extracted_list):
    """The entries as strings, each ending in a newline."""
    return StackSummary.from_list(extracted_list).format()


def print_tb(tb, limit=None, file=None):
    print_list(extract_tb(tb, limit=limit), file=file)


def format_tb(tb, limit=None):
    return extract_tb(tb, limit=limit).format()


def extract_tb(tb, limit=None):
    """The entries of a traceback, outermost first."""
    return StackSummary._extract(_places_of_tb(tb), limit=limit)


def _value_of(exc, value, tb):
    """The exception and traceback that the old and the new way of calling name."""
    if (value is _missing) != (tb is _missing):
        raise ValueError("Both or neither of value and tb must be given")
    if value is _missing:
        if exc is None:
            return None, None
        if isinstance(exc, BaseException):
            return exc, exc.__traceback__
        raise TypeError(f"Exception expected for value, {type(exc).__name__} found")
    return value, tb


def print_exception(exc, /, value=_missing, tb=_missing, limit=None, file=None, chain=True, **kwargs):
    value, tb = _value_of(exc, value, tb)
    TracebackException(type(value), value, tb, limit=limit, compact=True).print(file=file, chain=chain)


def format_exception(exc, /, value=_missing, tb=_missing, limit=None, chain=True, **kwargs):
    """The lines that `print_exception` prints."""
    value, tb = _value_of(exc, value, tb)
    return list(TracebackException(type(value), value, tb, limit=limit, compact=True).format(chain=chain))


def format_exception_only(exc, /, value=_missing, *, show_group=False, **kwargs):
    """Class and message of an exception, with what belongs to them."""
    if value is _missing:
        value = exc
    return list(TracebackException(type(value), value, None, compact=True).format_exception_only(show_group=show_group))


def print_exc(limit=None, file=None, chain=True):
    """Prints the exception that is being handled."""
    print_exception(sys.exception(), limit=limit, file=file, chain=chain)


def format_exc(limit=None, chain=True):
    return "".join(format_exception(sys.exception(), limit=limit, chain=chain))


def print_last(limit=None, file=None, chain=True):
    """Prints what `sys.last_exc` holds."""
    if not hasattr(sys, "last_exc") and not hasattr(sys, "last_type"):
        raise ValueError("no last exception")
    if hasattr(sys, "last_exc"):
        print_exception(sys.last_exc, limit=limit, file=file, chain=chain)
    else:
        print_exception(sys.last_type, sys.last_value, sys.last_traceback, limit=limit, file=file, chain=chain)


def print_stack(f=None, limit=None, file=None):
    if f is None:
        f = sys._getframe().f_back
    print_list(extract_stack(f, limit=limit), file=file)


def format_stack(f=None, limit=None):
    if f is None:
        f = sys._getframe().f_back
    return format_list(extract_stack(f, limit=limit))


def extract_stack(f=None, limit=None):
    """The entries of the running stack, outermost first."""
    if f is None:
        f = sys._getframe().f_back
    stack = StackSummary.extract(walk_stack(f), limit=limit)
    stack.reverse()
    return stack


def clear_frames(tb):
    """Drops the variables of all frames of a traceback that have ended."""
    while tb is not None:
        try:
            tb.tb_frame.clear()
        except RuntimeError:
            pass
        tb = tb.tb_next


def walk_stack(f):
    """Frames and line numbers from a frame outwards."""
    if f is None:
        f = sys._getframe().f_back

    def walk(frame):
        while frame is not None:
            yield frame, frame.f_lineno
            frame = frame.f_back

    return walk(f)


def walk_tb(tb):
    """Frames and line numbers of a traceback."""
    while tb is not None:
        yield tb.tb_frame, tb.tb_lineno
        tb = tb.tb_next


def _places_of_tb(tb):
    while tb is not None:
        places = _places(tb.tb_frame.f_code, tb.tb_lasti)
        # A line that was given wins over what the code says.
        yield tb.tb_frame, (tb.tb_lineno,) + places[1:] if places[0] is None else places
        tb = tb.tb_next


def _places(code, lasti):
    if lasti < 0:
        return None, None, None, None
    return next(islice(code.co_positions(), lasti // 2, None), (None, None, None, None))


# ---- entries


class FrameSummary:
    """One entry of a traceback or a stack."""

    __slots__ = ("filename", "lineno", "end_lineno", "colno", "end_colno", "name", "_line", "locals", "_code")

    def __init__(self, filename, lineno, name, *, lookup_line=True, locals=None, line=None, end_lineno=None,
                 colno=None, end_colno=None, **kwargs):
        self.filename = filename
        self.lineno = lineno
        self.end_lineno = lineno if end_lineno is None else end_lineno
        self.colno = colno
        self.end_colno = end_colno
        self.name = name
        self._line = line
        self._code = kwargs.get("_code")
        if lookup_line:
            self.line
        self.locals = {key: _safe(value, "local", repr) for key, value in locals.items()} if locals else None

    def __eq__(self, other):
        if isinstance(other, FrameSummary):
            return (self.filename, self.lineno, self.name, self.locals) == (
                other.filename, other.lineno, other.name, other.locals)
        if isinstance(other, tuple):
            return (self.filename, self.lineno, self.name, self.line) == other
        return NotImplemented

    def __getitem__(self, position):
        return (self.filename, self.lineno, self.name, self.line)[position]

    def __iter__(self):
        return iter([self.filename, self.lineno, self.name, self.line])

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"

    def __len__(self):
        return 4

    @property
    def line(self):
        if self._line is None:
            if self.lineno is None:
                return None
            self._line = linecache.getline(self.filename, self.lineno)
        return self._line.strip()

    def _lines(self):
        """All lines that the instruction stands on."""
        if self.lineno is None:
            return []
        lines = linecache.getlines(self.filename)[self.lineno - 1 : self.end_lineno]
        return lines or ([self._line] if self._line else [])


class StackSummary(list):
    """Entries of a traceback or a stack."""

    @classmethod
    def extract(klass, frame_gen, *, limit=None, lookup_lines=True, capture_locals=False):
        """Made of frames and line numbers."""

        def places():
            for frame, lineno in frame_gen:
                yield frame, (lineno, None, None, None)

        return klass._extract(places(), limit=limit, lookup_lines=lookup_lines, capture_locals=capture_locals)

    @classmethod
    def _extract(klass, frames, *, limit=None, lookup_lines=True, capture_locals=False):
        if limit is None:
            limit = getattr(sys, "tracebacklimit", None)
            if limit is not None and limit < 0:
                limit = 0
        if limit is not None:
            frames = islice(frames, limit) if limit >= 0 else list(frames)[limit:]
        result = klass()
        for frame, (lineno, end_lineno, colno, end_colno) in frames:
            code = frame.f_code
            result.append(FrameSummary(
                code.co_filename, lineno, code.co_name, lookup_line=lookup_lines,
                locals=frame.f_locals if capture_locals else None,
                end_lineno=end_lineno, colno=colno, end_colno=end_colno, _code=code))
        return result

    @classmethod
    def from_list(klass, a_list):
        """Made of entries, or of tuples of four."""
        result = StackSummary()
        for frame in a_list:
            if isinstance(frame, FrameSummary):
                result.append(frame)
            else:
                filename, lineno, name, line = frame
                result.append(FrameSummary(filename, lineno, name, line=line))
        return result

    def format_frame_summary(self, frame_summary, **kwargs):
        """An entry's text."""
        entry = frame_summary
        text = f'  File "{entry.filename}", line {entry.lineno}, in {entry.name}\n'
        lines = entry._lines()
        if lines:
            text += _traceback.excerpt(lines, entry.colno, entry.end_colno)
        if entry.locals:
            for name, value in sorted(entry.locals.items()):
                text += f"    {name} = {value}\n"
        return text

    def format(self, **kwargs):
        """All entries' texts, equal ones in a row counted."""
        result = []
        last, count = None, 0

        def repeated():
            if count > _RECURSIVE_CUTOFF:
                more = count - _RECURSIVE_CUTOFF
                result.append(f"  [Previous line repeated {more} more time{'s' if more > 1 else ''}]\n")

        for entry in self:
            text = self.format_frame_summary(entry)
            if text is None:
                continue
            key = entry.filename, entry.lineno, entry.name
            if last is None or key != last:
                repeated()
                last, count = key, 0
            count += 1
            if count > _RECURSIVE_CUTOFF:
                continue
            result.append(text)
        repeated()
        return result


def _safe(value, what, function=str):
    try:
        return function(value)
    except:
        return f"<{what} {function.__name__}() failed>"


# ---- exceptions


class _Context:
    """Where a report is while exception groups nest."""

    def __init__(self):
        self.seen = set()
        self.depth = 0
        self.need_close = False

    def indent(self):
        return " " * (2 * self.depth)

    def emit(self, texts, margin=None):
        prefix = ""
        if self.depth:
            prefix = f"{self.indent()}{'|' if margin is None else margin} "
        for text in [texts] if isinstance(texts, str) else texts:
            if prefix:
                text = "".join(prefix + line for line in text.splitlines(keepends=True))
            yield text


class TracebackException:
    """An exception as it was: what a report needs, and none of the objects behind it."""

    def __init__(self, exc_type, exc_value, exc_traceback, *, limit=None, lookup_lines=True, capture_locals=False,
                 compact=False, max_group_width=15, max_group_depth=10, save_exc_type=True, _seen=None):
        seen = set() if _seen is None else _seen
        options = {
            "limit": limit, "lookup_lines": lookup_lines, "capture_locals": capture_locals,
            "max_group_width": max_group_width, "max_group_depth": max_group_depth, "save_exc_type": save_exc_type,
        }
        self._describe(exc_type, exc_value, exc_traceback, seen, options)
        if exc_value is not None:
            self._related(exc_value, compact, seen, options)

    def _describe(self, exc_type, exc_value, exc_traceback, seen, options):
        """Everything but the exceptions that this one is related to."""
        seen.add(id(exc_value))
        self.max_group_width = options["max_group_width"]
        self.max_group_depth = options["max_group_depth"]
        self.stack = StackSummary._extract(
            _places_of_tb(exc_traceback), limit=options["limit"], lookup_lines=options["lookup_lines"],
            capture_locals=options["capture_locals"])
        self._exc_type = exc_type if options["save_exc_type"] else None
        self._str = _safe(exc_value, "exception")
        self._has_type = exc_type is not None
        self.exc_type_qualname = exc_type.__qualname__ if self._has_type else None
        self.exc_type_module = exc_type.__module__ if self._has_type else None
        try:
            self.__notes__ = getattr(exc_value, "__notes__", None)
        except Exception as error:
            self.__notes__ = [
                f"Ignored error getting __notes__: {_safe(error, '__notes__', repr)}"]
        self._syntax = None
        self._is_syntax_error = False
        if self._has_type and issubclass(exc_type, SyntaxError):
            self._is_syntax_error = True
            self.filename = exc_value.filename
            self.lineno = None if exc_value.lineno is None else str(exc_value.lineno)
            self.end_lineno = None if exc_value.end_lineno is None else str(exc_value.end_lineno)
            self.text = exc_value.text
            self.offset = exc_value.offset
            self.end_offset = exc_value.end_offset
            self.msg = exc_value.msg
            self._syntax = _traceback.syntax(exc_value, self.exc_type_str)
        elif self._has_type:
            self._str += _traceback.hint(exc_value)
        self.__suppress_context__ = exc_value.__suppress_context__ if exc_value is not None else False
        self.__cause__ = self.__context__ = self.exceptions = None

    def _related(self, value, compact, seen, options):
        """Cause, context and members, one after the other: a chain may be long."""
        queue = [(self, value)]
        while queue:
            report, error = queue.pop()
            cause, context = error.__cause__, error.__context__
            if cause is not None and id(cause) not in seen:
                report.__cause__ = made = _bare(cause, seen, options)
                queue.append((made, cause))
            wanted = not compact or (report.__cause__ is None and not error.__suppress_context__)
            if wanted and context is not None and id(context) not in seen:
                report.__context__ = made = _bare(context, seen, options)
                queue.append((made, context))
            if isinstance(error, BaseExceptionGroup):
                report.exceptions = []
                for member in error.exceptions:
                    made = _bare(member, seen, options)
                    report.exceptions.append(made)
                    queue.append((made, member))

    @classmethod
    def from_exception(cls, exc, *args, **kwargs):
        return cls(type(exc), exc, exc.__traceback__, *args, **kwargs)

    @property
    def exc_type(self):
        return self._exc_type

    @property
    def exc_type_str(self):
        if not self._has_type:
            return None
        module = self.exc_type_module
        if module in ("__main__", "builtins"):
            return self.exc_type_qualname
        if not isinstance(module, str):
            module = "<unknown>"
        return f"{module}.{self.exc_type_qualname}"

    def __eq__(self, other):
        if isinstance(other, TracebackException):
            return self.__dict__ == other.__dict__
        return NotImplemented

    def __str__(self):
        return self._str

    def format_exception_only(self, *, show_group=False, _depth=0, **kwargs):
        """Class, message, place of a SyntaxError, notes."""
        indent = 3 * _depth * " "
        if not self._has_type:
            yield indent + _last_line(None, self._str)
            return
        if self._syntax is not None:
            for line in self._syntax.splitlines(keepends=True):
                yield indent + line
        else:
            text = _last_line(self.exc_type_str, self._str)
            if _depth:
                yield from [f"{indent}{line}\n" for line in text[:-1].split("\n")]
            else:
                yield text
        notes = self.__notes__
        if isinstance(notes, (list, tuple)):
            for note in notes:
                note = _safe(note, "note")
                yield from [indent + line + "\n" for line in note.split("\n")]
        elif notes is not None:
            yield f"{indent}{_safe(notes, '__notes__', repr)}\n"
        if self.exceptions and show_group:
            for member in self.exceptions:
                yield from member.format_exception_only(show_group=show_group, _depth=_depth + 1)

    def format(self, *, chain=True, _ctx=None, **kwargs):
        """The whole report, piece by piece."""
        context = _Context() if _ctx is None else _ctx
        output = []
        error = self
        if chain:
            while error is not None:
                if error.__cause__ is not None:
                    output.append((_CAUSE, error))
                    error = error.__cause__
                elif error.__context__ is not None and not error.__suppress_context__:
                    output.append((_CONTEXT, error))
                    error = error.__context__
                else:
                    output.append((None, error))
                    error = None
        else:
            output.append((None, error))
        for link, error in reversed(output):
            if link is not None:
                yield from context.emit(link)
            if error.exceptions is None:
                if error.stack:
                    yield from context.emit("Traceback (most recent call last):\n")
                    yield from context.emit(error.stack.format())
                yield from context.emit(error.format_exception_only())
            elif context.depth > self.max_group_depth:
                yield from context.emit(f"... (max_group_depth is {self.max_group_depth})\n")
            else:
                yield from self._format_group(error, context)

    def _format_group(self, error, context):
        top = context.depth == 0
        if top:
            context.depth = 1
        if error.stack:
            yield from context.emit("Exception Group Traceback (most recent call last):\n", "+" if top else None)
            yield from context.emit(error.stack.format())
        yield from context.emit(error.format_exception_only())
        count = len(error.exceptions)
        shown = count if count <= self.max_group_width else self.max_group_width + 1
        context.need_close = False
        for index in range(shown):
            last = index == shown - 1
            if last:
                context.need_close = True
            truncated = index >= self.max_group_width
            title = "..." if truncated else f"{index + 1}"
            corner = "+-" if index == 0 else "  "
            yield f"{context.indent()}{corner}+---------------- {title} ----------------\n"
            context.depth += 1
            if truncated:
                more = count - self.max_group_width
                yield from context.emit(f"and {more} more exception{'s' if more > 1 else ''}\n")
            else:
                yield from error.exceptions[index].format(_ctx=context)
            if last and context.need_close:
                yield f"{context.indent()}+------------------------------------\n"
                context.need_close = False
            context.depth -= 1
        if top:
            context.depth = 0

    def print(self, *, file=None, chain=True, **kwargs):
        if file is None:
            file = sys.stderr
        for text in self.format(chain=chain):
            print(text, file=file, end="")


def _bare(error, seen, options):
    """The exception without what it is related to, which the caller adds."""
    made = TracebackException.__new__(TracebackException)
    made._describe(type(error), error, error.__traceback__, seen, options)
    return made


def _last_line(name, text):
    if name is None:
        return f"{text}\n"
    return f"{name}: {text}\n" if text else f"{name}\n"
