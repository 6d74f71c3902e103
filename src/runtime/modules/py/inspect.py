"""What live objects are made of."""

import linecache
import sys
import types
from collections import OrderedDict, namedtuple

CO_OPTIMIZED = 1
CO_NEWLOCALS = 2
CO_VARARGS = 4
CO_VARKEYWORDS = 8
CO_NESTED = 16
CO_GENERATOR = 32
CO_NOFREE = 64
CO_COROUTINE = 128
CO_ITERABLE_COROUTINE = 256
CO_ASYNC_GENERATOR = 512
CO_HAS_DOCSTRING = 0x4000000
CO_METHOD = 0x8000000
TPFLAGS_IS_ABSTRACT = 1 << 20


# ---- kinds of objects


def ismodule(object):
    return isinstance(object, types.ModuleType)


def isclass(object):
    return isinstance(object, type)


def ismethod(object):
    return isinstance(object, types.MethodType)


def isfunction(object):
    return isinstance(object, types.FunctionType)


def isbuiltin(object):
    return isinstance(object, types.BuiltinFunctionType)


def ismethodwrapper(object):
    return isinstance(object, types.MethodWrapperType)


def ismethoddescriptor(object):
    """A descriptor that binds like a method and is neither of Python's own kinds of them."""
    if isclass(object) or ismethod(object) or isfunction(object):
        return False
    kind = type(object)
    return hasattr(kind, "__get__") and not hasattr(kind, "__set__") and not hasattr(kind, "__delete__")


def isdatadescriptor(object):
    if isclass(object) or ismethod(object) or isfunction(object):
        return False
    kind = type(object)
    return hasattr(kind, "__set__") or hasattr(kind, "__delete__")


def ismemberdescriptor(object):
    return isinstance(object, types.MemberDescriptorType)


def isgetsetdescriptor(object):
    return isinstance(object, types.GetSetDescriptorType)


def isroutine(object):
    return isbuiltin(object) or isfunction(object) or ismethod(object) or ismethoddescriptor(object) \
        or ismethodwrapper(object)


def isabstract(object):
    return isinstance(object, type) and bool(getattr(object, "__abstractmethods__", None))


def _has_code_flag(object, flag):
    while ismethod(object) or _is_partial(object):
        object = object.__func__ if ismethod(object) else object.func
    code = getattr(object, "__code__", None)
    return (isfunction(object) or isinstance(code, types.CodeType)) and bool(code.co_flags & flag)


def _is_partial(object):
    functools = sys.modules.get("functools")
    return functools is not None and isinstance(object, functools.partial)


def isgeneratorfunction(obj):
    return _has_code_flag(obj, CO_GENERATOR)


_marker = type("_Marker", (), {"__repr__": lambda self: "<coroutine mark>"})()


def markcoroutinefunction(func):
    (func.__func__ if ismethod(func) else func)._is_coroutine_mark = _marker
    return func


def iscoroutinefunction(obj):
    return _has_code_flag(obj, CO_COROUTINE) or getattr(obj, "_is_coroutine_mark", None) is _marker


def isasyncgenfunction(obj):
    return _has_code_flag(obj, CO_ASYNC_GENERATOR)


def isasyncgen(object):
    return isinstance(object, types.AsyncGeneratorType)


def isgenerator(object):
    return isinstance(object, types.GeneratorType)


def iscoroutine(object):
    return isinstance(object, types.CoroutineType)


def isawaitable(object):
    return iscoroutine(object) or isgenerator(object) and bool(object.gi_code.co_flags & CO_ITERABLE_COROUTINE) \
        or hasattr(type(object), "__await__")


def istraceback(object):
    return isinstance(object, types.TracebackType)


def isframe(object):
    return isinstance(object, types.FrameType)


def iscode(object):
    return isinstance(object, types.CodeType)


# ---- attributes and documentation


def getmembers(object, predicate=None):
    """Names and values of all attributes, sorted by name."""
    members = []
    for name in sorted(set(dir(object))):
        try:
            value = getattr(object, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            members.append((name, value))
    return members


def getmro(cls):
    return cls.__mro__


def unwrap(func, *, stop=None):
    """The function inside of wrappers."""
    seen = {id(func)}
    while hasattr(func, "__wrapped__") and not isinstance(func, type):
        if stop is not None and stop(func):
            break
        func = func.__wrapped__
        if id(func) in seen:
            raise ValueError(f"wrapper loop when unwrapping {func!r}")
        seen.add(id(func))
    return func


def cleandoc(doc):
    """Documentation without its margin."""
    lines = doc.expandtabs().split("\n")
    margin = sys.maxsize
    for line in lines[1:]:
        text = line.lstrip(" ")
        if text:
            margin = min(margin, len(line) - len(text))
    lines[0] = lines[0].lstrip(" ")
    if margin < sys.maxsize:
        lines[1:] = [line[margin:] for line in lines[1:]]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    return "\n".join(lines)


def getdoc(object):
    """Documentation, that of a base class where there is none."""
    doc = getattr(object, "__doc__", None)
    if doc is None and isclass(object):
        for base in object.__mro__:
            if base is not type(None) and base.__doc__ is not None:
                doc = base.__doc__
                break
    return cleandoc(doc) if isinstance(doc, str) else None


_absent = type("_Absent", (), {})()


def getattr_static(obj, attr, default=_absent):
    """An attribute without running descriptors or `__getattr__`."""
    if not isinstance(obj, type):
        for entry in type(obj).__mro__:
            if attr in entry.__dict__ and isdatadescriptor(entry.__dict__[attr]):
                return entry.__dict__[attr]
        try:
            own = object.__getattribute__(obj, "__dict__")
        except AttributeError:
            own = {}
        if attr in own:
            return own[attr]
    for entry in (obj if isinstance(obj, type) else type(obj)).__mro__:
        if attr in entry.__dict__:
            return entry.__dict__[attr]
    if isinstance(obj, type):
        for entry in type(obj).__mro__:
            if attr in entry.__dict__:
                return entry.__dict__[attr]
    if default is not _absent:
        return default
    raise AttributeError(attr)


def getmodule(object, _filename=None):
    if ismodule(object):
        return object
    return sys.modules.get(getattr(object, "__module__", None))


def getmodulename(path):
    name = path.rsplit("/", 1)[-1]
    return name.removesuffix(".py") if name.endswith(".py") else None


def getfile(object):
    """The file that an object was defined in."""
    if ismodule(object):
        if getattr(object, "__file__", None):
            return object.__file__
        raise TypeError(f"{object!r} is a built-in module")
    if isclass(object):
        module = sys.modules.get(object.__module__)
        if getattr(module, "__file__", None):
            return module.__file__
        if object.__module__ == "__main__":
            raise OSError("source code not available")
        raise TypeError(f"{object!r} is a built-in class")
    if ismethod(object):
        object = object.__func__
    if isfunction(object):
        object = object.__code__
    if istraceback(object):
        object = object.tb_frame
    if isframe(object):
        object = object.f_code
    if iscode(object):
        return object.co_filename
    raise TypeError("module, class, method, function, traceback, frame, or code object was expected, got "
                    f"{type(object).__name__}")


getsourcefile = getfile


# ---- frames


def currentframe():
    """The caller's frame."""
    return sys._getframe(1)


_Traceback = namedtuple("Traceback", "filename lineno function code_context index")
_FrameInfo = namedtuple("FrameInfo", ("frame",) + _Traceback._fields)


class Traceback(_Traceback):
    def __new__(cls, filename, lineno, function, code_context, index, *, positions=None):
        instance = super().__new__(cls, filename, lineno, function, code_context, index)
        instance.positions = positions
        return instance


class FrameInfo(_FrameInfo):
    def __new__(cls, frame, filename, lineno, function, code_context, index, *, positions=None):
        instance = super().__new__(cls, frame, filename, lineno, function, code_context, index)
        instance.positions = positions
        return instance


def getframeinfo(frame, context=1):
    """File, line, function and lines around of a frame or a traceback."""
    if istraceback(frame):
        lineno, frame = frame.tb_lineno, frame.tb_frame
    else:
        lineno = frame.f_lineno
    if not isframe(frame):
        raise TypeError(f"{frame!r} is not a frame or traceback object")
    filename = frame.f_code.co_filename
    lines = linecache.getlines(filename) if context > 0 else []
    if lines:
        start = max(0, min(lineno - 1 - context // 2, len(lines) - context))
        lines, index = lines[start : start + context], lineno - 1 - start
    else:
        lines = index = None
    return Traceback(filename, lineno, frame.f_code.co_name, lines, index)


def getlineno(frame):
    return frame.f_lineno


def getouterframes(frame, context=1):
    result = []
    while frame:
        result.append(FrameInfo(frame, *getframeinfo(frame, context)))
        frame = frame.f_back
    return result


def getinnerframes(tb, context=1):
    result = []
    while tb:
        result.append(FrameInfo(tb.tb_frame, *getframeinfo(tb, context)))
        tb = tb.tb_next
    return result


def stack(context=1):
    return getouterframes(sys._getframe(1), context)


def trace(context=1):
    exception = sys.exception()
    return getinnerframes(None if exception is None else exception.__traceback__, context)


ArgInfo = namedtuple("ArgInfo", "args varargs keywords locals")


def getargvalues(frame):
    args, varargs, keywords = getargs(frame.f_code)
    return ArgInfo(args, varargs, keywords, frame.f_locals)


Arguments = namedtuple("Arguments", "args, varargs, varkw")


def getargs(co):
    """The parameters of a code object."""
    count = co.co_argcount + co.co_kwonlyargcount
    names = list(co.co_varnames)
    args, rest = names[:count], names[count:]
    varargs = rest.pop(0) if co.co_flags & CO_VARARGS else None
    varkw = rest.pop(0) if co.co_flags & CO_VARKEYWORDS else None
    return Arguments(args, varargs, varkw)


# ---- states of generators

GEN_CREATED = "GEN_CREATED"
GEN_RUNNING = "GEN_RUNNING"
GEN_SUSPENDED = "GEN_SUSPENDED"
GEN_CLOSED = "GEN_CLOSED"
CORO_CREATED = "CORO_CREATED"
CORO_RUNNING = "CORO_RUNNING"
CORO_SUSPENDED = "CORO_SUSPENDED"
CORO_CLOSED = "CORO_CLOSED"
AGEN_CREATED = "AGEN_CREATED"
AGEN_RUNNING = "AGEN_RUNNING"
AGEN_SUSPENDED = "AGEN_SUSPENDED"
AGEN_CLOSED = "AGEN_CLOSED"


def _state(kind, running, suspended, frame):
    name = "RUNNING" if running else "SUSPENDED" if suspended else "CLOSED" if frame is None else "CREATED"
    return f"{kind}_{name}"


def getgeneratorstate(generator):
    return _state("GEN", generator.gi_running, generator.gi_suspended, generator.gi_frame)


def getcoroutinestate(coroutine):
    return _state("CORO", coroutine.cr_running, coroutine.cr_suspended, coroutine.cr_frame)


def getasyncgenstate(agen):
    return _state("AGEN", agen.ag_running, agen.ag_suspended, agen.ag_frame)


def getgeneratorlocals(generator):
    if not isgenerator(generator):
        raise TypeError(f"{generator!r} is not a Python generator")
    return {} if generator.gi_frame is None else generator.gi_frame.f_locals


def getcoroutinelocals(coroutine):
    return {} if coroutine.cr_frame is None else coroutine.cr_frame.f_locals


def getasyncgenlocals(agen):
    if not isasyncgen(agen):
        raise TypeError(f"{agen!r} is not a Python async generator")
    return {} if agen.ag_frame is None else agen.ag_frame.f_locals


# ---- signatures


class _empty:
    """Marks what is not there."""


class _void:
    pass


class _ParameterKind:
    def __init__(self, value, name, description):
        self.value = value
        self.name = name
        self.description = description

    def __repr__(self):
        return f"<_ParameterKind.{self.name}: {self.value}>"

    def __str__(self):
        return self.name

    def __lt__(self, other):
        return self.value < other.value

    def __gt__(self, other):
        return self.value > other.value

    def __int__(self):
        return self.value

    __index__ = __int__


_POSITIONAL_ONLY = _ParameterKind(0, "POSITIONAL_ONLY", "positional-only")
_POSITIONAL_OR_KEYWORD = _ParameterKind(1, "POSITIONAL_OR_KEYWORD", "positional or keyword")
_VAR_POSITIONAL = _ParameterKind(2, "VAR_POSITIONAL", "variadic positional")
_KEYWORD_ONLY = _ParameterKind(3, "KEYWORD_ONLY", "keyword-only")
_VAR_KEYWORD = _ParameterKind(4, "VAR_KEYWORD", "variadic keyword")


def formatannotation(annotation, base_module=None):
    if isinstance(annotation, types.GenericAlias):
        return str(annotation)
    if isinstance(annotation, type):
        if annotation.__module__ in ("builtins", base_module):
            return annotation.__qualname__
        return f"{annotation.__module__}.{annotation.__qualname__}"
    return repr(annotation).replace("typing.", "") if getattr(annotation, "__module__", None) == "typing" \
        else repr(annotation)


class Parameter:
    """One parameter of a signature."""

    __slots__ = ("_name", "_kind", "_default", "_annotation")

    POSITIONAL_ONLY = _POSITIONAL_ONLY
    POSITIONAL_OR_KEYWORD = _POSITIONAL_OR_KEYWORD
    VAR_POSITIONAL = _VAR_POSITIONAL
    KEYWORD_ONLY = _KEYWORD_ONLY
    VAR_KEYWORD = _VAR_KEYWORD
    empty = _empty

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        if default is not _empty and kind in (_VAR_POSITIONAL, _VAR_KEYWORD):
            raise ValueError(f"{kind.description} parameters cannot have default values")
        if not isinstance(name, str):
            raise TypeError(f"name must be a str, not a {type(name).__name__}")
        if name.startswith(".") and name[1:].isdigit():
            name = f"implicit{name[1:]}"
            kind = _POSITIONAL_ONLY
        elif not name.isidentifier():
            raise ValueError(f"{name!r} is not a valid parameter name")
        self._name, self._kind, self._default, self._annotation = name, kind, default, annotation

    @property
    def name(self):
        return self._name

    @property
    def default(self):
        return self._default

    @property
    def annotation(self):
        return self._annotation

    @property
    def kind(self):
        return self._kind

    def replace(self, *, name=_void, kind=_void, annotation=_void, default=_void):
        return type(self)(
            self._name if name is _void else name,
            self._kind if kind is _void else kind,
            default=self._default if default is _void else default,
            annotation=self._annotation if annotation is _void else annotation,
        )

    def __str__(self):
        text = self._name
        if self._annotation is not _empty:
            text += f": {formatannotation(self._annotation)}"
        if self._default is not _empty:
            text += f" = {self._default!r}" if self._annotation is not _empty else f"={self._default!r}"
        return {_VAR_POSITIONAL: "*", _VAR_KEYWORD: "**"}.get(self._kind, "") + text

    def __repr__(self):
        return f'<{type(self).__name__} "{self}">'

    def __hash__(self):
        return hash((self._name, self._kind.value, self._annotation, self._default))

    def __eq__(self, other):
        if not isinstance(other, Parameter):
            return NotImplemented
        return (self._name, self._kind, self._default, self._annotation) == (
            other._name, other._kind, other._default, other._annotation)


class BoundArguments:
    """Arguments that belong to the parameters of a signature."""

    def __init__(self, signature, arguments):
        self.arguments = arguments
        self._signature = signature

    @property
    def signature(self):
        return self._signature

    @property
    def args(self):
        args = []
        for name, parameter in self._signature.parameters.items():
            if parameter.kind in (_VAR_KEYWORD, _KEYWORD_ONLY) or name not in self.arguments:
                break
            if parameter.kind is _VAR_POSITIONAL:
                args.extend(self.arguments[name])
            else:
                args.append(self.arguments[name])
        return tuple(args)

    @property
    def kwargs(self):
        kwargs = {}
        started = False
        for name, parameter in self._signature.parameters.items():
            if not started:
                if parameter.kind in (_VAR_KEYWORD, _KEYWORD_ONLY):
                    started = True
                elif name not in self.arguments:
                    started = True
                    continue
            if not started or name not in self.arguments:
                continue
            if parameter.kind is _VAR_KEYWORD:
                kwargs.update(self.arguments[name])
            else:
                kwargs[name] = self.arguments[name]
        return kwargs

    def apply_defaults(self):
        arguments = {}
        for name, parameter in self._signature.parameters.items():
            if name in self.arguments:
                arguments[name] = self.arguments[name]
            elif parameter.default is not _empty:
                arguments[name] = parameter.default
            elif parameter.kind is _VAR_POSITIONAL:
                arguments[name] = ()
            elif parameter.kind is _VAR_KEYWORD:
                arguments[name] = {}
        self.arguments = arguments

    def __eq__(self, other):
        if not isinstance(other, BoundArguments):
            return NotImplemented
        return self._signature == other._signature and self.arguments == other.arguments

    def __repr__(self):
        return f"<{type(self).__name__} ({', '.join(f'{name}={value!r}' for name, value in self.arguments.items())})>"


class Signature:
    """The parameters of a callable, in their order."""

    __slots__ = ("_parameters", "_return_annotation")

    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty, __validate_parameters__=True):
        ordered = OrderedDict()
        last, seen_default = _POSITIONAL_ONLY, False
        for parameter in parameters or ():
            if __validate_parameters__:
                if parameter.kind < last:
                    raise ValueError(
                        f"wrong parameter order: {last.description} parameter before "
                        f"{parameter.kind.description} parameter")
                last = parameter.kind
                if parameter.kind in (_POSITIONAL_ONLY, _POSITIONAL_OR_KEYWORD):
                    if parameter.default is not _empty:
                        seen_default = True
                    elif seen_default:
                        raise ValueError("non-default argument follows default argument")
                if parameter.name in ordered:
                    raise ValueError(f"duplicate parameter name: {parameter.name!r}")
            ordered[parameter.name] = parameter
        self._parameters = types.MappingProxyType(ordered)
        self._return_annotation = return_annotation

    @classmethod
    def from_callable(cls, obj, *, follow_wrapped=True, **kwargs):
        return _signature_of(obj, follow_wrapped)

    @property
    def parameters(self):
        return self._parameters

    @property
    def return_annotation(self):
        return self._return_annotation

    def replace(self, *, parameters=_void, return_annotation=_void):
        return type(self)(
            self._parameters.values() if parameters is _void else parameters,
            return_annotation=self._return_annotation if return_annotation is _void else return_annotation)

    def __hash__(self):
        return hash((tuple(self._parameters.values()), self._return_annotation))

    def __eq__(self, other):
        if not isinstance(other, Signature):
            return NotImplemented
        return list(self._parameters.values()) == list(other._parameters.values()) \
            and self._return_annotation == other._return_annotation

    def bind(self, /, *args, **kwargs):
        """The arguments by parameter; TypeError if they do not fit."""
        return self._bind(args, kwargs, False)

    def bind_partial(self, /, *args, **kwargs):
        return self._bind(args, kwargs, True)

    def _bind(self, args, kwargs, partial):
        arguments = {}
        rest = list(args)
        extra = None
        for name, parameter in self._parameters.items():
            kind = parameter.kind
            if kind is _VAR_POSITIONAL:
                if rest:
                    arguments[name] = tuple(rest)
                    rest = []
                continue
            if kind is _VAR_KEYWORD:
                extra = parameter
                continue
            if rest and kind in (_POSITIONAL_ONLY, _POSITIONAL_OR_KEYWORD):
                if name in kwargs and kind is not _POSITIONAL_ONLY:
                    raise TypeError(f"multiple values for argument {name!r}")
                arguments[name] = rest.pop(0)
            elif name in kwargs and kind is not _POSITIONAL_ONLY:
                arguments[name] = kwargs.pop(name)
            elif parameter.default is _empty and not partial:
                collects = any(other.kind is _VAR_KEYWORD for other in self._parameters.values())
                if name in kwargs and not collects:
                    raise TypeError(f"{name!r} parameter is positional only, but was passed as a keyword")
                raise TypeError(f"missing a required argument: {name!r}")
        if rest:
            raise TypeError("too many positional arguments")
        if kwargs:
            if extra is None:
                raise TypeError(f"got an unexpected keyword argument {next(iter(kwargs))!r}")
            arguments[extra.name] = kwargs
        return BoundArguments(self, arguments)

    def __repr__(self):
        return f"<{type(self).__name__} {self}>"

    def __str__(self):
        return self.format()

    def format(self, *, max_width=None, **kwargs):
        parts = []
        positional_only, keyword_mark = False, True
        for parameter in self._parameters.values():
            kind = parameter.kind
            if kind is _POSITIONAL_ONLY:
                positional_only = True
            elif positional_only:
                parts.append("/")
                positional_only = False
            if kind is _VAR_POSITIONAL:
                keyword_mark = False
            elif kind is _KEYWORD_ONLY and keyword_mark:
                parts.append("*")
                keyword_mark = False
            parts.append(str(parameter))
        if positional_only:
            parts.append("/")
        text = f"({', '.join(parts)})"
        if max_width is not None and len(text) > max_width:
            text = "(\n    " + ",\n    ".join(parts) + "\n)"
        if self._return_annotation is not _empty:
            text += f" -> {formatannotation(self._return_annotation)}"
        return text


def signature(obj, *, follow_wrapped=True, **kwargs):
    """The signature of a callable."""
    return _signature_of(obj, follow_wrapped)


def _signature_of(obj, follow_wrapped):
    if not callable(obj):
        raise TypeError(f"{obj!r} is not a callable object")
    if ismethod(obj):
        return _without_first(_signature_of(obj.__func__, follow_wrapped))
    if follow_wrapped:
        obj = unwrap(obj, stop=lambda f: hasattr(f, "__signature__") or ismethod(f))
        if ismethod(obj):
            return _signature_of(obj, follow_wrapped)
    own = getattr(obj, "__signature__", None)
    if own is not None and not isinstance(own, type):
        if not isinstance(own, Signature):
            raise TypeError(f"unexpected object {own!r} in __signature__ attribute")
        return own
    if isfunction(obj):
        return _signature_of_function(obj)
    if _is_partial(obj):
        return _signature_of_partial(obj, follow_wrapped)
    if isinstance(obj, type):
        return _signature_of_class(obj, follow_wrapped)
    call = getattr(type(obj), "__call__", None)
    if isfunction(call):
        return _without_first(_signature_of(call, follow_wrapped))
    raise ValueError(f"no signature found for builtin {obj!r}")


def _signature_of_function(function):
    code = function.__code__
    names = code.co_varnames
    count, keyword = code.co_argcount, code.co_kwonlyargcount
    defaults = function.__defaults__ or ()
    annotations = function.__annotations__
    keyword_defaults = function.__kwdefaults__ or {}
    parameters = []
    for index, name in enumerate(names[:count]):
        default = defaults[index - count + len(defaults)] if index >= count - len(defaults) else _empty
        kind = _POSITIONAL_ONLY if index < code.co_posonlyargcount else _POSITIONAL_OR_KEYWORD
        parameters.append(Parameter(name, kind, default=default, annotation=annotations.get(name, _empty)))
    rest = list(names[count + keyword :])
    if code.co_flags & CO_VARARGS:
        name = rest.pop(0)
        parameters.append(Parameter(name, _VAR_POSITIONAL, annotation=annotations.get(name, _empty)))
    for name in names[count : count + keyword]:
        parameters.append(Parameter(
            name, _KEYWORD_ONLY, default=keyword_defaults.get(name, _empty),
            annotation=annotations.get(name, _empty)))
    if code.co_flags & CO_VARKEYWORDS:
        name = rest.pop(0)
        parameters.append(Parameter(name, _VAR_KEYWORD, annotation=annotations.get(name, _empty)))
    return Signature(
        parameters, return_annotation=annotations.get("return", _empty), __validate_parameters__=False)


def _without_first(inner):
    parameters = list(inner.parameters.values())
    if not parameters or parameters[0].kind in (_VAR_KEYWORD, _KEYWORD_ONLY):
        raise ValueError("invalid method signature")
    if parameters[0].kind is not _VAR_POSITIONAL:
        parameters = parameters[1:]
    return inner.replace(parameters=parameters)


def _signature_of_partial(partial, follow_wrapped):
    inner = _signature_of(partial.func, follow_wrapped)
    try:
        bound = inner.bind_partial(*partial.args, **partial.keywords)
    except TypeError as error:
        raise ValueError(f"partial object {partial!r} has incorrect arguments") from error
    parameters = []
    keyword_only = False
    for name, parameter in inner.parameters.items():
        if name in partial.keywords:
            keyword_only = True
            parameter = parameter.replace(default=partial.keywords[name], kind=_KEYWORD_ONLY)
        elif name in bound.arguments and parameter.kind is not _VAR_POSITIONAL and parameter.kind is not _VAR_KEYWORD:
            continue
        elif keyword_only and parameter.kind is _POSITIONAL_OR_KEYWORD:
            parameter = parameter.replace(kind=_KEYWORD_ONLY)
        elif keyword_only and parameter.kind is _VAR_POSITIONAL:
            continue
        parameters.append(parameter)
    return inner.replace(parameters=parameters)


def _signature_of_class(cls, follow_wrapped):
    call = getattr(type(cls), "__call__", None)
    if isfunction(call):
        return _without_first(_signature_of(call, follow_wrapped))
    for entry in cls.__mro__:
        if entry is object:
            break
        for name in ("__new__", "__init__"):
            found = entry.__dict__.get(name)
            if isinstance(found, staticmethod):
                found = found.__func__
            if isfunction(found):
                return _without_first(_signature_of(found, follow_wrapped))
    if cls.__init__ is object.__init__ and cls.__new__ is object.__new__:
        return Signature()
    raise ValueError(f"no signature found for builtin type {cls!r}")


FullArgSpec = namedtuple("FullArgSpec", "args, varargs, varkw, defaults, kwonlyargs, kwonlydefaults, annotations")


def getfullargspec(func):
    """Names and defaults of a function's parameters."""
    try:
        inner = _signature_of(func.__func__ if ismethod(func) else func, False)
    except Exception as error:
        raise TypeError("unsupported callable") from error
    args, keyword_only, defaults, keyword_defaults, annotations = [], [], (), {}, {}
    varargs = varkw = None
    if inner.return_annotation is not _empty:
        annotations["return"] = inner.return_annotation
    for parameter in inner.parameters.values():
        name, kind = parameter.name, parameter.kind
        if kind in (_POSITIONAL_ONLY, _POSITIONAL_OR_KEYWORD):
            args.append(name)
            if parameter.default is not _empty:
                defaults += (parameter.default,)
        elif kind is _VAR_POSITIONAL:
            varargs = name
        elif kind is _KEYWORD_ONLY:
            keyword_only.append(name)
            if parameter.default is not _empty:
                keyword_defaults[name] = parameter.default
        else:
            varkw = name
        if parameter.annotation is not _empty:
            annotations[name] = parameter.annotation
    return FullArgSpec(args, varargs, varkw, defaults or None, keyword_only, keyword_defaults or None, annotations)


def getcallargs(func, /, *positional, **named):
    """The arguments by parameter, as a call would bind them."""
    bound = signature(func).bind(*positional, **named)
    bound.apply_defaults()
    return bound.arguments
