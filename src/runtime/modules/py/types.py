"""Names for built-in types that are not builtins, and tools to make classes at run time."""

import sys

__all__ = [
    "FunctionType", "LambdaType", "CodeType", "MappingProxyType", "SimpleNamespace", "CellType", "GeneratorType",
    "CoroutineType", "AsyncGeneratorType", "MethodType", "BuiltinFunctionType", "BuiltinMethodType",
    "WrapperDescriptorType", "MethodWrapperType", "MethodDescriptorType", "ClassMethodDescriptorType", "ModuleType",
    "FrameType", "TracebackType", "GetSetDescriptorType", "MemberDescriptorType", "GenericAlias", "EllipsisType", "NoneType",
    "NotImplementedType", "new_class", "resolve_bases", "prepare_class", "get_original_bases", "coroutine",
    "DynamicClassAttribute",
]


def _function():
    yield _function


async def _coroutine():
    pass


async def _async_generator():
    yield


class _Class:
    __slots__ = ("member",)

    def method(self):
        pass


def _cell():
    value = None
    return (lambda: value).__closure__[0]


FunctionType = LambdaType = type(_function)
CodeType = type(_function.__code__)
MappingProxyType = type(type.__dict__)
CellType = type(_cell())
GeneratorType = type(_function())
_c = _coroutine()
CoroutineType = type(_c)
_c.close()
AsyncGeneratorType = type(_async_generator())
MethodType = type(_Class().method)
BuiltinFunctionType = BuiltinMethodType = type(len)
WrapperDescriptorType = type(object.__init__)
MethodWrapperType = type(object().__str__)
MethodDescriptorType = type(str.join)
ClassMethodDescriptorType = type(dict.__dict__["fromkeys"])
ModuleType = type(sys)
GetSetDescriptorType = type(FunctionType.__dict__["__code__"])
MemberDescriptorType = type(_Class.__dict__["member"])
GenericAlias = type(list[int])
EllipsisType = type(Ellipsis)
NoneType = type(None)
NotImplementedType = type(NotImplemented)

try:
    raise TypeError
except TypeError as _error:
    TracebackType = type(_error.__traceback__)
    FrameType = type(_error.__traceback__.tb_frame)

del _function, _coroutine, _async_generator, _Class, _cell, _c


class SimpleNamespace:
    """An object whose attributes are what it is made with."""

    def __init__(self, mapping_or_iterable=(), /, **kwargs):
        namespace = self.__dict__
        for key, value in dict(mapping_or_iterable).items():
            if not isinstance(key, str):
                raise TypeError("keywords must be strings")
            namespace[key] = value
        namespace.update(kwargs)

    def __repr__(self):
        name = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        if id(self) in _shown:
            return f"{name}(...)"
        _shown.add(id(self))
        try:
            return f"{name}({', '.join(f'{key}={value!r}' for key, value in self.__dict__.items())})"
        finally:
            _shown.discard(id(self))

    def __eq__(self, other):
        if isinstance(self, SimpleNamespace) and isinstance(other, SimpleNamespace):
            return self.__dict__ == other.__dict__
        return NotImplemented

    __hash__ = None

    def __replace__(self, /, **kwargs):
        return type(self)(self.__dict__, **kwargs)


# Namespaces whose text is being made, by identity.
_shown = set()


def new_class(name, bases=(), kwds=None, exec_body=None):
    """Makes a class as a `class` statement does, its body a function that fills the namespace."""
    resolved = resolve_bases(bases)
    meta, namespace, kwds = prepare_class(name, resolved, kwds)
    if exec_body is not None:
        exec_body(namespace)
    if resolved is not bases:
        namespace["__orig_bases__"] = bases
    return meta(name, resolved, namespace, **kwds)


def resolve_bases(bases):
    """Replaces what is no class by what its `__mro_entries__` gives (PEP 560)."""
    resolved = []
    changed = False
    for base in bases:
        entries = None if isinstance(base, type) else getattr(base, "__mro_entries__", None)
        if entries is None:
            resolved.append(base)
            continue
        entries = entries(bases)
        if not isinstance(entries, tuple):
            raise TypeError("__mro_entries__ must return a tuple")
        resolved.extend(entries)
        changed = True
    return tuple(resolved) if changed else bases


def prepare_class(name, bases=(), kwds=None):
    """The metaclass, the namespace that it prepares, and the keywords that are left for it."""
    kwds = dict(kwds or {})
    if "metaclass" in kwds:
        meta = kwds.pop("metaclass")
    else:
        meta = type(bases[0]) if bases else type
    if isinstance(meta, type):
        for base in bases:
            kind = type(base)
            if issubclass(meta, kind):
                continue
            if not issubclass(kind, meta):
                raise TypeError(
                    "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the "
                    "metaclasses of all its bases"
                )
            meta = kind
    prepare = getattr(meta, "__prepare__", None)
    return meta, {} if prepare is None else prepare(name, bases, **kwds), kwds


def get_original_bases(cls, /):
    """The bases as the `class` statement has them."""
    try:
        return cls.__dict__.get("__orig_bases__", cls.__bases__)
    except AttributeError:
        raise TypeError(f"Expected an instance of type, not {type(cls).__name__!r}") from None


class DynamicClassAttribute:
    """A property of instances that the class leaves to its metaclass."""

    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        self.fget, self.fset, self.fdel = fget, fset, fdel
        self.__doc__ = doc or fget.__doc__
        self.overwrite_doc = doc is None
        self.__isabstractmethod__ = bool(getattr(fget, "__isabstractmethod__", False))

    def __get__(self, instance, ownerclass=None):
        if instance is None:
            if self.__isabstractmethod__:
                return self
            raise AttributeError()
        if self.fget is None:
            raise AttributeError("unreadable attribute")
        return self.fget(instance)

    def __set__(self, instance, value):
        if self.fset is None:
            raise AttributeError("can't set attribute")
        self.fset(instance, value)

    def __delete__(self, instance):
        if self.fdel is None:
            raise AttributeError("can't delete attribute")
        self.fdel(instance)

    def getter(self, fget):
        return type(self)(fget, self.fset, self.fdel, None if self.overwrite_doc else self.__doc__)

    def setter(self, fset):
        return type(self)(self.fget, fset, self.fdel, self.__doc__)

    def deleter(self, fdel):
        return type(self)(self.fget, self.fset, fdel, self.__doc__)


class _GeneratorWrapper:
    """Makes a generator awaitable."""

    def __init__(self, gen):
        self.__wrapped = gen
        self.__name__ = getattr(gen, "__name__", None)
        self.__qualname__ = getattr(gen, "__qualname__", None)

    def send(self, val):
        return self.__wrapped.send(val)

    def throw(self, *args):
        return self.__wrapped.throw(*args)

    def close(self):
        return self.__wrapped.close()

    @property
    def gi_code(self):
        return self.__wrapped.gi_code

    @property
    def gi_running(self):
        return self.__wrapped.gi_running

    @property
    def gi_yieldfrom(self):
        return self.__wrapped.gi_yieldfrom

    cr_code, cr_running, cr_await = gi_code, gi_running, gi_yieldfrom

    def __next__(self):
        return next(self.__wrapped)

    def __iter__(self):
        return self.__wrapped

    def __await__(self):
        return self.__wrapped


def coroutine(func):
    """Makes what a generator function gives awaitable."""
    if not callable(func):
        raise TypeError("types.coroutine() expects a callable")
    if type(func) is FunctionType:
        flags = func.__code__.co_flags
        if flags & 0x180:
            return func
        if flags & 0x20:
            func.__code__ = func.__code__.replace(co_flags=flags | 0x100)
            return func

    def wrapped(*args, **kwargs):
        result = func(*args, **kwargs)
        if isinstance(result, CoroutineType) or not hasattr(type(result), "send"):
            return result
        return _GeneratorWrapper(result)

    for name in ("__module__", "__name__", "__qualname__", "__doc__"):
        setattr(wrapped, name, getattr(func, name, None))
    wrapped.__wrapped__ = func
    return wrapped
