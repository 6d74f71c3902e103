"""Names for annotations. Almost nothing here does anything when a program runs."""

import collections.abc as _abc
from abc import ABCMeta, abstractmethod
import sys as _sys
from _typing import (NoDefault, ParamSpec, ParamSpecArgs, ParamSpecKwargs, TypeAliasType, TypeVar, TypeVarTuple,
                     _TypeParameter, _convert)

_GenericAlias = type(list[int])
Union = type(int | str)
_Function = type(lambda: 0)


def _type_repr(obj):
    """How an argument is shown: a class by its name."""
    if isinstance(obj, (tuple, list)):
        return "[" + ", ".join([_type_repr(item) for item in obj]) + "]"
    if obj is ...:
        return "..."
    if isinstance(obj, type) and not isinstance(obj, _GenericAlias):
        if obj.__module__ == "builtins":
            return obj.__qualname__
        return f"{obj.__module__}.{obj.__qualname__}"
    if isinstance(obj, _Function):
        return obj.__name__
    return repr(obj)


class _Special:
    """A name that means something to type checkers only, such as `Any`."""

    def __init__(self, name, subscript=None):
        self._name = name
        self._subscript = subscript

    def __repr__(self):
        return "typing." + self._name

    def __reduce__(self):
        return self._name

    def __call__(self, *args, **kwds):
        raise TypeError(f"Cannot instantiate {self!r}")

    def __getitem__(self, parameters):
        if self._subscript is None:
            raise TypeError(f"{self!r} is not subscriptable")
        return self._subscript(self, parameters)

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))

    def __instancecheck__(self, obj):
        raise TypeError(f"{self!r} cannot be used with isinstance()")

    def __subclasscheck__(self, cls):
        raise TypeError(f"{self!r} cannot be used with issubclass()")

    def __mro_entries__(self, bases):
        raise TypeError(f"Cannot subclass {self!r}")


def _parameters_of(arg):
    """The type parameters in a type argument."""
    if isinstance(arg, type) and not isinstance(arg, _GenericAlias):
        return ()
    if isinstance(arg, _TypeParameter):
        return (arg,)
    if isinstance(arg, (list, tuple)):
        return [p for part in arg for p in _parameters_of(part)]
    return getattr(arg, "__parameters__", ())


def _filled(parameters, args, shown):
    """The arguments for the parameters, defaults among them; as many as there are, or TypeError."""
    for p in parameters:
        prepare = getattr(p, "__typing_prepare_subst__", None)
        if prepare is not None:
            args = prepare(shown, args)
    if len(args) != len(parameters):
        few = "many" if len(args) > len(parameters) else "few"
        raise TypeError(f"Too {few} arguments for {shown}; actual {len(args)}, expected {len(parameters)}")
    return args


def _substitute(alias, args):
    """The type arguments of an alias, with these in the place of its parameters."""
    parameters = alias.__parameters__
    if not parameters:
        raise TypeError(f"{alias!r} is not a generic class")
    if not isinstance(args, tuple):
        args = (args,)
    if any([isinstance(p, TypeVarTuple) for p in parameters]):
        args = _gathered(parameters, args, alias)
    else:
        args = _filled(parameters, args, alias)
    values = dict(zip(parameters, args))

    def replaced(arg):
        if isinstance(arg, _TypeParameter):
            return (arg.__typing_subst__(values[arg]),)
        if getattr(arg, "__origin__", None) is Unpack and isinstance(arg.__args__[0], TypeVarTuple):
            return values[arg.__args__[0]]
        if isinstance(arg, list):
            return ([new for part in arg for new in replaced(part)],)
        own = _parameters_of(arg)
        if own and not (isinstance(arg, type) and not isinstance(arg, _GenericAlias)):
            return (arg[tuple([values[p] for p in own])],)
        return (arg,)
    return tuple([new for arg in alias.__args__ for new in replaced(arg)])


def _gathered(parameters, args, shown):
    """Those that belong to a TypeVarTuple become one tuple."""
    index = [isinstance(p, TypeVarTuple) for p in parameters].index(True)
    behind = len(parameters) - index - 1
    if len(args) < index + behind:
        raise TypeError(f"Too few arguments for {shown}; actual {len(args)}, expected at least {index + behind}")
    end = len(args) - behind
    return (*args[:index], args[index:end], *args[end:])


class _Alias:
    """A subscripted name: `origin` is the class it stands for."""

    def __init__(self, origin, args, name=None):
        self.__origin__ = origin
        self.__args__ = args
        self._name = name
        parameters = []
        for arg in args:
            for p in _parameters_of(arg):
                if p not in parameters:
                    parameters.append(p)
        self.__parameters__ = tuple(parameters)
        self.__module__ = "typing"

    def __repr__(self):
        if self._name is not None:
            shown = "typing." + self._name
        else:
            shown = _type_repr(self.__origin__)
        if self._name == "Callable" and len(self.__args__) > 0:
            *arguments, result = self.__args__
            if arguments == [...]:
                return f"{shown}[..., {_type_repr(result)}]"
            return f"{shown}[[{', '.join(map(_type_repr, arguments))}], {_type_repr(result)}]"
        if self._name == "Optional":
            return f"{shown}[{_type_repr(self.__args__[0])}]"
        return f"{shown}[{', '.join(map(_type_repr, self.__args__)) or '()'}]"

    def __getitem__(self, args):
        return self._with(_substitute(self, args))

    def _with(self, args):
        return _Alias(self.__origin__, args, self._name)

    def __eq__(self, other):
        if not isinstance(other, _Alias):
            return NotImplemented
        return self.__origin__ == other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        return hash((self.__origin__, self.__args__))

    def __call__(self, *args, **kwargs):
        if not callable(self.__origin__):
            raise TypeError(f"Cannot instantiate {self!r}")
        result = self.__origin__(*args, **kwargs)
        try:
            result.__orig_class__ = self
        except Exception:
            pass
        return result

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return getattr(self.__origin__, name)

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))

    def __mro_entries__(self, bases):
        if self.__origin__ is Generic:
            return (Generic,)
        entries = (self.__origin__,)
        if Generic not in bases and not any([isinstance(b, _Alias) and b.__origin__ is Generic for b in bases]):
            if not issubclass(self.__origin__, Generic):
                entries += (Generic,)
        return entries

    def __instancecheck__(self, obj):
        if self._name in ("Literal", "Annotated"):
            raise TypeError(f"typing.{self._name} cannot be used with isinstance()")
        raise TypeError("Subscripted generics cannot be used with class and instance checks")

    def __subclasscheck__(self, cls):
        raise TypeError("Subscripted generics cannot be used with class and instance checks")


class _ClassAlias(_Special):
    """A name for a class that can be subscripted, such as `List`."""

    def __init__(self, name, origin, count):
        super().__init__(name)
        self.__origin__ = origin
        self._count = count
        self.__module__ = "typing"

    def __getitem__(self, params):
        if not isinstance(params, tuple):
            params = (params,)
        if self._name == "Tuple" and params == ((),):
            params = ()
        if self._count >= 0 and len(params) != self._count:
            few = "many" if len(params) > self._count else "few"
            raise TypeError(f"Too {few} arguments for {self!r}; actual {len(params)}, expected {self._count}")
        return _Alias(self.__origin__, tuple(map(_convert, params)), self._name)

    def __call__(self, *args, **kwargs):
        raise TypeError(
            f"Type {self._name} cannot be instantiated; use {self.__origin__.__name__}() instead"
        )

    def __instancecheck__(self, obj):
        return isinstance(obj, self.__origin__)

    def __subclasscheck__(self, cls):
        return issubclass(cls, self.__origin__)

    def __mro_entries__(self, bases):
        if Generic in bases or issubclass(self.__origin__, Generic):
            return (self.__origin__,)
        return (self.__origin__, Generic)

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        return hash(self._name)


class _CallableAlias(_ClassAlias):

    def __getitem__(self, params):
        if not isinstance(params, tuple) or len(params) != 2:
            raise TypeError("Callable must be used as Callable[[arg, ...], result].")
        arguments, result = params
        if isinstance(arguments, list):
            arguments = tuple(map(_convert, arguments))
        else:
            arguments = (arguments,)
        return _Alias(self.__origin__, arguments + (_convert(result),), self._name)


class ForwardRef:
    """The name of something that is defined later."""

    def __init__(self, arg, **kwargs):
        self.__forward_arg__ = arg

    def __repr__(self):
        return f"ForwardRef({self.__forward_arg__!r})"

    def __eq__(self, other):
        if not isinstance(other, ForwardRef):
            return NotImplemented
        return self.__forward_arg__ == other.__forward_arg__

    def __hash__(self):
        return hash(self.__forward_arg__)

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))


class _UnionAlias(_Alias):
    """A union with parts that are no classes."""

    def _with(self, args):
        return _union(args)

    def __repr__(self):
        return " | ".join(["None" if arg is type(None) else _type_repr(arg) for arg in self.__args__])

    def __eq__(self, other):
        if not isinstance(other, (_UnionAlias, Union)):
            return NotImplemented
        return set(self.__args__) == set(other.__args__)

    def __hash__(self):
        return hash(frozenset(self.__args__))

    def __instancecheck__(self, obj):
        return any([isinstance(obj, arg) for arg in self.__args__])


def _union(parameters):
    flat = []
    for p in map(_convert, parameters):
        parts = p.__args__ if isinstance(p, (_UnionAlias, Union)) else (p,)
        flat += [part for part in parts if part not in flat]
    if len(flat) == 1:
        return flat[0]
    if all([isinstance(part, (type, _GenericAlias)) for part in flat]):
        result = flat[0]
        for part in flat[1:]:
            result = result | part
        return result
    return _UnionAlias(Union, tuple(flat))


class _UnionName(_Special):
    def __getitem__(self, parameters):
        if parameters == ():
            raise TypeError("Cannot take a Union of no types.")
        return _union(parameters if isinstance(parameters, tuple) else (parameters,))

    def __repr__(self):
        return "<class 'typing.Union'>"

    def __instancecheck__(self, obj):
        return isinstance(obj, (_UnionAlias, _RealUnion))


_RealUnion = Union


class _LiteralAlias(_Alias):
    def __repr__(self):
        return f"typing.Literal[{', '.join(map(repr, self.__args__))}]"

    def __hash__(self):
        return hash(frozenset(self.__args__))


def _optional(self, parameters):
    if isinstance(parameters, tuple):
        raise TypeError("typing.Optional requires a single type. Got %r." % (parameters,))
    return _union((parameters, type(None)))


def _literal(self, parameters):
    if not isinstance(parameters, tuple):
        parameters = (parameters,)
    flat = []
    for p in parameters:
        for part in p.__args__ if isinstance(p, _LiteralAlias) else (p,):
            if not any([part == other and type(part) is type(other) for other in flat]):
                flat.append(part)
    return _LiteralAlias(Literal, tuple(flat), "Literal")


def _one(self, parameters):
    if isinstance(parameters, tuple):
        raise TypeError(f"{self!r} accepts only single type.")
    return _Alias(self, (_convert(parameters),), self._name)


class _AnnotatedAlias(_Alias):
    def __init__(self, origin, metadata):
        super().__init__(origin, (origin,), "Annotated")
        self.__metadata__ = metadata

    def __repr__(self):
        return "typing.Annotated[" + ", ".join(
            [_type_repr(self.__origin__)] + [repr(item) for item in self.__metadata__]) + "]"


def _annotated(self, parameters):
    if not isinstance(parameters, tuple) or len(parameters) < 2:
        raise TypeError("Annotated[...] should be used with at least two arguments (a type and an annotation).")
    return _AnnotatedAlias(_convert(parameters[0]), parameters[1:])


def _any_number(self, parameters):
    if not isinstance(parameters, tuple):
        parameters = (parameters,)
    return _Alias(self, tuple(map(_convert, parameters)), self._name)


class _AnyMeta(type):
    def __instancecheck__(self, obj):
        if self is Any:
            raise TypeError("typing.Any cannot be used with isinstance()")
        return super().__instancecheck__(obj)

    def __repr__(self):
        if self is Any:
            return "typing.Any"
        return super().__repr__()


class Any(metaclass=_AnyMeta):
    """Anything at all."""

    def __new__(cls, *args, **kwargs):
        if cls is Any:
            raise TypeError("Any cannot be instantiated")
        return super().__new__(cls)


Optional = _Special("Optional", _optional)
Literal = _Special("Literal", _literal)
ClassVar = _Special("ClassVar", _one)
Final = _Special("Final", _one)
Required = _Special("Required", _one)
NotRequired = _Special("NotRequired", _one)
ReadOnly = _Special("ReadOnly", _one)
TypeGuard = _Special("TypeGuard", _one)
TypeIs = _Special("TypeIs", _one)
Unpack = _Special("Unpack", _one)
Concatenate = _Special("Concatenate", _any_number)
Annotated = _Special("Annotated", _annotated)
NoReturn = _Special("NoReturn")
Never = _Special("Never")
Self = _Special("Self")
LiteralString = _Special("LiteralString")
TypeAlias = _Special("TypeAlias")
Union = _UnionName("Union")


class Generic:
    """A base class for classes with type parameters."""

    __slots__ = ()

    def __class_getitem__(cls, params):
        if not isinstance(params, tuple):
            params = (params,)
        params = tuple(map(_convert, params))
        if cls is Generic:
            if not params:
                raise TypeError("Parameter list to Generic[...] cannot be empty")
            if not all([isinstance(p, _TypeParameter) or getattr(p, "__origin__", None) is Unpack for p in params]):
                raise TypeError("Parameters to Generic[...] must all be type variables or parameter specification "
                                "variables.")
            return _Alias(cls, params)
        parameters = cls.__parameters__
        if not parameters:
            raise TypeError(f"{cls!r} is not a generic class")
        if not any([isinstance(p, TypeVarTuple) for p in parameters]):
            if len(parameters) == 1 and isinstance(parameters[0], ParamSpec):
                params = parameters[0].__typing_prepare_subst__(cls, params)
            else:
                params = _filled(parameters, params, cls)
        return _Alias(cls, params)

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        parameters = []
        for base in cls.__dict__.get("__orig_bases__", ()):
            parameters += [p for p in getattr(base, "__parameters__", ()) if p not in parameters]
        cls.__parameters__ = tuple(parameters)


# ---- protocols

_PROTOCOL_NAMES = frozenset((
    "__abstractmethods__", "__annotations__", "__dict__", "__doc__", "__init__", "__module__", "__new__",
    "__slots__", "__subclasshook__", "__weakref__", "__class_getitem__", "__match_args__", "__parameters__",
    "__orig_bases__", "__orig_class__", "_is_protocol", "_is_runtime_protocol", "__protocol_attrs__",
    "__non_callable_proto_members__", "__type_params__", "_abc_impl", "__firstlineno__", "__static_attributes__",
    "__annotate__", "__annotate_func__", "__annotations_cache__", "__qualname__", "__init_subclass__",
))


def _protocol_members(cls):
    members = set()
    for base in cls.__mro__[:-1]:
        if base.__name__ in ("Protocol", "Generic") and base.__module__ == "typing":
            continue
        names = set(base.__dict__)
        annotations = getattr(base, "__annotations__", None)
        if isinstance(annotations, dict):
            names |= set(annotations)
        members |= set([n for n in names if not n.startswith("_abc_") and n not in _PROTOCOL_NAMES])
    return members


class _ProtocolMeta(ABCMeta):

    def __instancecheck__(cls, instance):
        if cls is Protocol or not getattr(cls, "_is_protocol", False):
            return super().__instancecheck__(instance)
        if not getattr(cls, "_is_runtime_protocol", False):
            raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
        # Not through `__subclasscheck__` below, which refuses protocols with other members than methods.
        if ABCMeta.__subclasscheck__(cls, type(instance)):
            return True
        missing = object()
        for name in cls.__protocol_attrs__:
            value = getattr(instance, name, missing)
            if value is missing:
                return False
            if value is None and name not in cls.__non_callable_proto_members__:
                return False
        return True

    def __subclasscheck__(cls, other):
        if cls is Protocol or not getattr(cls, "_is_protocol", False):
            return super().__subclasscheck__(other)
        if not isinstance(other, type):
            raise TypeError("issubclass() arg 1 must be a class")
        if not getattr(cls, "_is_runtime_protocol", False):
            raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
        if cls.__non_callable_proto_members__:
            shown = str(sorted(cls.__non_callable_proto_members__))[1:-1]
            raise TypeError(
                "Protocols with non-method members don't support issubclass()."
                f" Non-method members: {shown}."
            )
        return super().__subclasscheck__(other)


def _protocol_hook(cls, other):
    if not cls.__dict__.get("_is_protocol", False) or cls.__non_callable_proto_members__:
        return NotImplemented
    for name in cls.__protocol_attrs__:
        for base in other.__mro__:
            if name in base.__dict__:
                if base.__dict__[name] is None:
                    return NotImplemented
                break
        else:
            return NotImplemented
    return True


def _no_init(self, *args, **kwargs):
    if type(self)._is_protocol:
        raise TypeError("Protocols cannot be instantiated")


class Protocol(Generic, metaclass=_ProtocolMeta):
    """A base class for classes that say which methods others must have."""

    __slots__ = ()
    _is_protocol = True
    _is_runtime_protocol = False

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        if not cls.__dict__.get("_is_protocol", False):
            cls._is_protocol = any([b is Protocol for b in cls.__bases__])
        if cls._is_protocol:
            cls.__protocol_attrs__ = _protocol_members(cls)
            cls.__non_callable_proto_members__ = set(
                [n for n in cls.__protocol_attrs__ if not callable(getattr(cls, n, None))])
            if "__subclasshook__" not in cls.__dict__:
                cls.__subclasshook__ = classmethod(_protocol_hook)
            if cls.__init__ is object.__init__ or cls.__init__ is Protocol.__init__:
                cls.__init__ = _no_init
        elif cls.__init__ is _no_init:
            cls.__init__ = object.__init__


Protocol.__protocol_attrs__ = set()
Protocol.__non_callable_proto_members__ = set()


def runtime_checkable(cls):
    """A class decorator: `isinstance` looks whether the protocol's members are there."""
    if not (isinstance(cls, type) and getattr(cls, "_is_protocol", False)):
        raise TypeError(f"@runtime_checkable can be only applied to protocol classes, got {cls!r}")
    cls._is_runtime_protocol = True
    return cls


@runtime_checkable
class SupportsInt(Protocol):
    __slots__ = ()

    @abstractmethod
    def __int__(self):
        pass


@runtime_checkable
class SupportsFloat(Protocol):
    __slots__ = ()

    @abstractmethod
    def __float__(self):
        pass


@runtime_checkable
class SupportsComplex(Protocol):
    __slots__ = ()

    @abstractmethod
    def __complex__(self):
        pass


@runtime_checkable
class SupportsBytes(Protocol):
    __slots__ = ()

    @abstractmethod
    def __bytes__(self):
        pass


@runtime_checkable
class SupportsIndex(Protocol):
    __slots__ = ()

    @abstractmethod
    def __index__(self):
        pass


@runtime_checkable
class SupportsAbs(Protocol):
    __slots__ = ()

    @abstractmethod
    def __abs__(self):
        pass


@runtime_checkable
class SupportsRound(Protocol):
    __slots__ = ()

    @abstractmethod
    def __round__(self, ndigits=0):
        pass


# ---- names for classes

T = TypeVar("T")
KT = TypeVar("KT")
VT = TypeVar("VT")
T_co = TypeVar("T_co", covariant=True)
AnyStr = TypeVar("AnyStr", bytes, str)
Text = str
TYPE_CHECKING = False

List = _ClassAlias("List", list, 1)
Dict = _ClassAlias("Dict", dict, 2)
Set = _ClassAlias("Set", set, 1)
FrozenSet = _ClassAlias("FrozenSet", frozenset, 1)
Tuple = _ClassAlias("Tuple", tuple, -1)
Type = _ClassAlias("Type", type, 1)
Callable = _CallableAlias("Callable", _abc.Callable, 2)
Awaitable = _ClassAlias("Awaitable", _abc.Awaitable, 1)
Coroutine = _ClassAlias("Coroutine", _abc.Coroutine, 3)
AsyncIterable = _ClassAlias("AsyncIterable", _abc.AsyncIterable, 1)
AsyncIterator = _ClassAlias("AsyncIterator", _abc.AsyncIterator, 1)
AsyncGenerator = _ClassAlias("AsyncGenerator", _abc.AsyncGenerator, -1)
Iterable = _ClassAlias("Iterable", _abc.Iterable, 1)
Iterator = _ClassAlias("Iterator", _abc.Iterator, 1)
Generator = _ClassAlias("Generator", _abc.Generator, -1)
Reversible = _ClassAlias("Reversible", _abc.Reversible, 1)
Hashable = _ClassAlias("Hashable", _abc.Hashable, 0)
Sized = _ClassAlias("Sized", _abc.Sized, 0)
Container = _ClassAlias("Container", _abc.Container, 1)
Collection = _ClassAlias("Collection", _abc.Collection, 1)
AbstractSet = _ClassAlias("AbstractSet", _abc.Set, 1)
MutableSet = _ClassAlias("MutableSet", _abc.MutableSet, 1)
Mapping = _ClassAlias("Mapping", _abc.Mapping, 2)
MutableMapping = _ClassAlias("MutableMapping", _abc.MutableMapping, 2)
Sequence = _ClassAlias("Sequence", _abc.Sequence, 1)
MutableSequence = _ClassAlias("MutableSequence", _abc.MutableSequence, 1)
MappingView = _ClassAlias("MappingView", _abc.MappingView, 1)
KeysView = _ClassAlias("KeysView", _abc.KeysView, 1)
ItemsView = _ClassAlias("ItemsView", _abc.ItemsView, 2)
ValuesView = _ClassAlias("ValuesView", _abc.ValuesView, 1)


def __getattr__(name):
    # Names for classes of modules that a program may not need.
    if name in ("DefaultDict", "OrderedDict", "Counter", "ChainMap", "Deque"):
        import collections
        origin = {"DefaultDict": "defaultdict", "Deque": "deque"}.get(name, name)
        count = 1 if name in ("Counter", "Deque") else 2
        value = _ClassAlias(name, getattr(collections, origin), count)
    elif name in ("IO", "TextIO", "BinaryIO", "Pattern", "Match"):
        value = _Special(name, _any_number)
    else:
        raise AttributeError(f"module 'typing' has no attribute {name!r}")
    globals()[name] = value
    return value


# ---- functions

def cast(typ, val):
    """The value; a type checker believes the type."""
    return val


def overload(func):
    """Marks one of several signatures of a function."""
    return _overload_dummy


def _overload_dummy(*args, **kwds):
    raise NotImplementedError(
        "You should not call an overloaded function. A series of @overload-decorated functions outside a stub module "
        "should always be followed by an implementation that is not @overload-ed."
    )


def get_overloads(func):
    return []


def clear_overloads():
    pass


def final(f):
    """Marks what is not to be overridden."""
    try:
        f.__final__ = True
    except (AttributeError, TypeError):
        pass
    return f


def override(method, /):
    """Marks what overrides something."""
    try:
        method.__override__ = True
    except (AttributeError, TypeError):
        pass
    return method


def no_type_check(arg):
    """Marks annotations that are no types."""
    try:
        arg.__no_type_check__ = True
    except TypeError:
        pass
    return arg


def dataclass_transform(**kwargs):
    """Marks what makes dataclasses."""
    def decorator(cls_or_fn):
        cls_or_fn.__dataclass_transform__ = kwargs
        return cls_or_fn
    return decorator


def assert_type(val, typ, /):
    return val


def assert_never(arg, /):
    """Fails: a type checker knows that it is not reached."""
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


def reveal_type(obj, /):
    print(f"Runtime type is {type(obj).__name__!r}", file=_sys.stderr)
    return obj


def get_origin(tp):
    """The class of a subscripted name."""
    if isinstance(tp, _AnnotatedAlias):
        return Annotated
    if isinstance(tp, (_UnionAlias, _RealUnion)):
        return Union
    if isinstance(tp, (_Alias, _ClassAlias, _GenericAlias)):
        return tp.__origin__
    if tp is Generic:
        return Generic
    return None


def get_args(tp):
    """The arguments of a subscripted name."""
    if isinstance(tp, _AnnotatedAlias):
        return (tp.__origin__,) + tp.__metadata__
    if isinstance(tp, (_Alias, _GenericAlias, _RealUnion)):
        args = tp.__args__
        if getattr(tp, "__origin__", None) is _abc.Callable and args and args[0] is not ...:
            return (list(args[:-1]), args[-1])
        return args
    return ()


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    """The annotations, with names in text replaced by what they name."""
    def evaluated(value, namespace):
        if value is None:
            return type(None)
        if isinstance(value, ForwardRef):
            value = value.__forward_arg__
        if isinstance(value, str):
            value = eval(value, namespace, localns)
        if isinstance(value, _AnnotatedAlias) and not include_extras:
            value = value.__origin__
        return value

    if isinstance(obj, type):
        hints = {}
        for base in reversed(obj.__mro__):
            namespace = globalns
            if namespace is None:
                namespace = getattr(_sys.modules.get(base.__module__), "__dict__", {})
            own = base.__dict__.get("__annotations__")
            if own is None:
                own = getattr(base, "__annotations__", {}) if "__annotate__" in base.__dict__ or \
                    "__annotate_func__" in base.__dict__ else {}
            for name, value in own.items():
                hints[name] = evaluated(value, namespace)
        return hints
    namespace = globalns if globalns is not None else getattr(obj, "__globals__", {})
    hints = getattr(obj, "__annotations__", None)
    if hints is None:
        raise TypeError(f"{obj!r} is not a module, class, method, or function.")
    return {name: evaluated(value, namespace) for name, value in hints.items()}


def is_typeddict(tp):
    return isinstance(tp, _TypedDictMeta)


def is_protocol(tp, /):
    return isinstance(tp, type) and getattr(tp, "_is_protocol", False) and tp is not Protocol


def get_protocol_members(tp, /):
    if not is_protocol(tp):
        raise TypeError(f"{tp!r} is not a Protocol")
    return frozenset(tp.__protocol_attrs__)


class NewType:
    """A type that is another one to the interpreter."""

    def __init__(self, name, tp):
        self.__qualname__ = name
        self.__name__ = name.rpartition(".")[-1]
        self.__supertype__ = tp
        try:
            self.__module__ = _sys._getframemodulename(1) or "__main__"
        except AttributeError:
            self.__module__ = "__main__"

    def __call__(self, x, /):
        return x

    def __repr__(self):
        return f"{self.__module__}.{self.__qualname__}"

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))


# ---- named tuples and typed dicts

class _NamedTupleMeta(type):

    def __new__(cls, typename, bases, ns):
        from collections import namedtuple
        types = ns.get("__annotations__")
        if types is None:
            annotate = ns.get("__annotate__") or ns.get("__annotate_func__")
            types = annotate(1) if annotate is not None else {}
        defaults = []
        for name in types:
            if name in ns:
                defaults.append(name)
            elif defaults:
                raise TypeError(
                    f"Non-default namedtuple field {name} cannot follow default field"
                    f"{'s' if len(defaults) > 1 else ''} {', '.join(defaults)}"
                )
        result = namedtuple(typename, list(types), defaults=[ns[name] for name in defaults],
                            module=ns["__module__"])
        result.__annotations__ = dict(types)
        result.__new__.__annotations__ = dict(types)
        bases = tuple([tuple if base is _NamedTuple else base for base in bases])
        for key, value in ns.items():
            if key in ("__new__", "__init__", "__slots__", "__getnewargs__", "_fields", "_field_defaults",
                       "_field_types", "_make", "_replace", "_asdict", "_source"):
                raise AttributeError("Cannot overwrite NamedTuple attribute " + key)
            if key not in ("__module__", "__qualname__", "__annotations__", "__annotate__", "__annotate_func__",
                           "__orig_bases__", "__doc__", "__firstlineno__", "__static_attributes__",
                           "__classdictcell__", "__classcell__") and key not in result._fields:
                setattr(result, key, value)
        if ns.get("__doc__"):
            result.__doc__ = ns["__doc__"]
        result.__qualname__ = ns.get("__qualname__", typename)
        return result


def NamedTuple(typename, fields, /):
    """A named tuple with types: a base class, or a function of a name and a list of pairs."""
    from collections import namedtuple
    fields = [(name, _convert(tp)) for name, tp in fields]
    result = namedtuple(typename, [name for name, tp in fields])
    result.__annotations__ = dict(fields)
    return result


_NamedTuple = type.__new__(_NamedTupleMeta, "NamedTuple", (), {})
NamedTuple.__mro_entries__ = lambda bases: (_NamedTuple,)


class _TypedDictMeta(type):

    def __new__(cls, name, bases, ns, total=True, **kwargs):
        annotations = ns.get("__annotations__")
        if annotations is None:
            annotate = ns.get("__annotate__") or ns.get("__annotate_func__")
            annotations = annotate(1) if annotate is not None else {}
        result = type.__new__(cls, name, (dict,), dict(ns))
        merged, required, optional = {}, set(), set()
        for base in bases:
            merged.update(getattr(base, "__typed_annotations__", {}))
            required |= getattr(base, "__required_keys__", set())
            optional |= getattr(base, "__optional_keys__", set())
        merged.update(annotations)
        for key, value in annotations.items():
            origin = getattr(value, "__origin__", None)
            if origin is Required or origin is not NotRequired and total:
                required.add(key)
            else:
                optional.add(key)
        result.__typed_annotations__ = merged
        result.__annotations__ = merged
        result.__required_keys__ = frozenset(required)
        result.__optional_keys__ = frozenset(optional)
        result.__total__ = total
        return result

    def __call__(cls, *args, **kwargs):
        return dict(*args, **kwargs)

    def __instancecheck__(cls, instance):
        raise TypeError("TypedDict does not support instance and class checks")

    def __subclasscheck__(cls, other):
        raise TypeError("TypedDict does not support instance and class checks")


def TypedDict(typename, fields, /, *, total=True):
    """A dict with known keys: a base class, or a function of a name and a dict of types."""
    return _TypedDictMeta(typename, (), {"__annotations__": dict(fields)}, total=total)


_TypedDict = type.__new__(_TypedDictMeta, "TypedDict", (), {})
TypedDict.__mro_entries__ = lambda bases: (_TypedDict,)
