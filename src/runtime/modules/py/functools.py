"""Functions that work on functions."""

__all__ = [
    "update_wrapper", "wraps", "WRAPPER_ASSIGNMENTS", "WRAPPER_UPDATES", "total_ordering", "cache", "cmp_to_key",
    "lru_cache", "reduce", "partial", "partialmethod", "singledispatch", "singledispatchmethod", "cached_property",
    "Placeholder",
]

from _functools import Placeholder, _lru_cache_wrapper, cmp_to_key, partial, reduce

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotate__", "__type_params__")
WRAPPER_UPDATES = ("__dict__",)
_GenericAlias = type(list[int])


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """Makes `wrapper` look like `wrapped`."""
    for name in assigned:
        try:
            value = getattr(wrapped, name)
        except AttributeError:
            continue
        setattr(wrapper, name, value)
    for name in updated:
        getattr(wrapper, name).update(getattr(wrapped, name, {}))
    # Last, since the updates may have brought another one along.
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    """`update_wrapper` as a decorator of the wrapper."""
    return partial(update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)


# ---- total_ordering

def _negated(root):
    """`root` answered the other way round."""
    def method(self, other):
        answer = getattr(type(self), root)(self, other)
        return answer if answer is NotImplemented else not answer
    return method


def _or_equal(root):
    """`root`, or equality."""
    def method(self, other):
        answer = getattr(type(self), root)(self, other)
        return answer if answer is NotImplemented else answer or self == other
    return method


def _and_unequal(root):
    """`root`, without equality."""
    def method(self, other):
        answer = getattr(type(self), root)(self, other)
        return answer if answer is NotImplemented else answer and self != other
    return method


def _neither(root):
    """Neither `root` nor equality."""
    def method(self, other):
        answer = getattr(type(self), root)(self, other)
        return answer if answer is NotImplemented else not answer and self != other
    return method


def _not_or_equal(root):
    """Not `root`, or equality."""
    def method(self, other):
        answer = getattr(type(self), root)(self, other)
        return answer if answer is NotImplemented else not answer or self == other
    return method


# For each method that a class may define, how the others follow from it.
_ORDERINGS = {
    "__lt__": (("__gt__", _neither), ("__le__", _or_equal), ("__ge__", _negated)),
    "__le__": (("__ge__", _not_or_equal), ("__lt__", _and_unequal), ("__gt__", _negated)),
    "__gt__": (("__lt__", _neither), ("__ge__", _or_equal), ("__le__", _negated)),
    "__ge__": (("__le__", _not_or_equal), ("__gt__", _and_unequal), ("__lt__", _negated)),
}


def total_ordering(cls):
    """Adds to a class the comparisons that it does not define."""
    defined = [name for name in _ORDERINGS if getattr(cls, name, None) is not getattr(object, name)]
    if not defined:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    root = max(defined)
    for name, make in _ORDERINGS[root]:
        if name not in defined:
            method = make(root)
            method.__name__ = name
            method.__qualname__ = f"{cls.__qualname__}.{name}"
            setattr(cls, name, method)
    return cls


# ---- caches

_info_type = None


def _cache_info():
    global _info_type
    if _info_type is None:
        from collections import namedtuple
        _info_type = namedtuple("CacheInfo", ["hits", "misses", "maxsize", "currsize"])
    return _info_type


def lru_cache(maxsize=128, typed=False):
    """Keeps the results of the calls made last."""
    if isinstance(maxsize, int):
        if maxsize < 0:
            maxsize = 0
    elif callable(maxsize) and isinstance(typed, bool):
        # Used without parentheses.
        function, maxsize = maxsize, 128
        return _cached(function, maxsize, typed)
    elif maxsize is not None:
        raise TypeError("Expected first argument to be an integer, a callable, or None")

    def decorating_function(user_function):
        return _cached(user_function, maxsize, typed)
    return decorating_function


def _cached(function, maxsize, typed):
    wrapper = _lru_cache_wrapper(function, maxsize, typed, _cache_info())
    wrapper.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
    return update_wrapper(wrapper, function)


def cache(user_function, /):
    """Keeps the results of all calls."""
    return lru_cache(maxsize=None)(user_function)


_MISSING = object()


class cached_property:
    """A property that is computed once and then stands in the instance's dict."""

    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__
        self.__module__ = func.__module__

    def __set_name__(self, owner, name):
        if self.attrname is None:
            self.attrname = name
        elif name != self.attrname:
            raise TypeError(
                "Cannot assign the same cached_property to two different names "
                f"({self.attrname!r} and {name!r})."
            )

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        name = self.attrname
        if name is None:
            raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
        try:
            attributes = instance.__dict__
        except AttributeError:
            raise TypeError(
                f"No '__dict__' attribute on {type(instance).__name__!r} "
                f"instance to cache {name!r} property."
            ) from None
        value = attributes.get(name, _MISSING)
        if value is _MISSING:
            value = self.func(instance)
            try:
                attributes[name] = value
            except TypeError:
                raise TypeError(
                    f"The '__dict__' attribute on {type(instance).__name__!r} instance "
                    f"does not support item assignment for caching {name!r} property."
                ) from None
        return value

    __class_getitem__ = classmethod(_GenericAlias)


# ---- partialmethod

class partialmethod:
    """`partial` for methods: the instance comes before the arguments."""

    def __init__(self, func, /, *args, **keywords):
        if isinstance(func, partialmethod):
            args = func.args + args
            keywords = {**func.keywords, **keywords}
            func = func.func
        elif not callable(func) and getattr(func, "__get__", None) is None:
            raise TypeError(f"the first argument {func!r} must be a callable or a descriptor")
        self.func = func
        self.args = args
        self.keywords = keywords

    def __repr__(self):
        cls = type(self)
        parts = [repr(self.func)]
        parts += map(repr, self.args)
        parts += [f"{key}={value!r}" for key, value in self.keywords.items()]
        return f"{cls.__module__}.{cls.__qualname__}({', '.join(parts)})"

    def _make_unbound_method(self):
        def _method(cls_or_self, /, *args, **keywords):
            return self.func(cls_or_self, *self.args, *args, **{**self.keywords, **keywords})
        _method.__isabstractmethod__ = self.__isabstractmethod__
        _method.__partialmethod__ = self
        return _method

    def __get__(self, obj, cls=None):
        get = getattr(self.func, "__get__", None)
        if get is not None and not isinstance(self.func, partial):
            bound = get(obj, cls)
            if bound is not self.func:
                result = partial(bound, *self.args, **self.keywords)
                try:
                    result.__self__ = bound.__self__
                except AttributeError:
                    pass
                return result
        return self._make_unbound_method().__get__(obj, cls)

    @property
    def __isabstractmethod__(self):
        return getattr(self.func, "__isabstractmethod__", False)

    __class_getitem__ = classmethod(_GenericAlias)


# ---- singledispatch

def _find_implementation(cls, registry):
    """The implementation for the registered class that is nearest to `cls`."""
    mro = cls.__mro__
    matches = []
    for candidate in registry:
        if candidate in mro:
            matches.append(candidate)
            continue
        try:
            if issubclass(cls, candidate):
                matches.append(candidate)
        except TypeError:
            pass
    # A class that another match derives from is further away.
    nearest = []
    for candidate in matches:
        for other in matches:
            if other is not candidate and issubclass(other, candidate):
                break
        else:
            nearest.append(candidate)
    if not nearest:
        return None
    for candidate in mro:
        if candidate in nearest:
            return registry[candidate]
    if len(nearest) > 1:
        raise RuntimeError(f"Ambiguous dispatch: {nearest[0]} or {nearest[1]}")
    return registry[nearest[0]]


_Union = type(int | str)


def _is_union(cls):
    return type(cls) is _Union


def singledispatch(func):
    """Makes a function choose its implementation by the class of its first argument."""
    registry = {}
    cache = {}
    token = None

    def dispatch(cls):
        """The implementation for a class."""
        nonlocal token
        if token is not None:
            from abc import get_cache_token
            current = get_cache_token()
            if current != token:
                cache.clear()
                token = current
        try:
            return cache[cls]
        except KeyError:
            pass
        implementation = registry.get(cls)
        if implementation is None:
            implementation = _find_implementation(cls, registry)
        cache[cls] = implementation
        return implementation

    def is_valid(cls):
        if isinstance(cls, type) and not isinstance(cls, _GenericAlias):
            return True
        return _is_union(cls) and all(map(lambda arg: isinstance(arg, type), cls.__args__))

    def register(cls, func=None):
        """Registers an implementation for a class."""
        nonlocal token
        if is_valid(cls):
            if func is None:
                return lambda f: register(cls, f)
        else:
            if func is not None:
                raise TypeError(
                    f"Invalid first argument to `register()`. {cls!r} is not a class or union type."
                )
            annotations = getattr(cls, "__annotations__", {})
            if not annotations:
                raise TypeError(
                    f"Invalid first argument to `register()`: {cls!r}. "
                    "Use either `@register(some_class)` or plain `@register` on an annotated function."
                )
            func = cls
            name, cls = next(iter(annotations.items()))
            if isinstance(cls, str):
                cls = eval(cls, getattr(func, "__globals__", {}))
            if not is_valid(cls):
                if _is_union(cls):
                    raise TypeError(
                        f"Invalid annotation for {name!r}. {cls!r} not all arguments are classes."
                    )
                raise TypeError(f"Invalid annotation for {name!r}. {cls!r} is not a class.")
        for one in cls.__args__ if _is_union(cls) else (cls,):
            registry[one] = func
            if token is None and hasattr(one, "__abstractmethods__"):
                from abc import get_cache_token
                token = get_cache_token()
        cache.clear()
        return func

    def wrapper(*args, **kw):
        if not args:
            raise TypeError(f"{funcname} requires at least 1 positional argument")
        return dispatch(args[0].__class__)(*args, **kw)

    funcname = getattr(func, "__name__", "singledispatch function")
    registry[object] = func
    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper.registry = type(type.__dict__)(registry)
    wrapper._clear_cache = cache.clear
    update_wrapper(wrapper, func)
    return wrapper


class singledispatchmethod:
    """`singledispatch` for methods, by the class of the argument behind the instance."""

    def __init__(self, func):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, func=method)

    def __get__(self, obj, cls=None):
        dispatch = self.dispatcher.dispatch
        name = getattr(self.func, "__name__", "singledispatchmethod method")

        def _method(*args, **kwargs):
            if not args:
                raise TypeError(f"{name} requires at least 1 positional argument")
            method = dispatch(args[0].__class__)
            if hasattr(method, "__get__"):
                method = method.__get__(obj, cls)
            return method(*args, **kwargs)

        _method.__isabstractmethod__ = self.__isabstractmethod__
        _method.register = self.register
        update_wrapper(_method, self.func)
        return _method

    @property
    def __isabstractmethod__(self):
        return getattr(self.func, "__isabstractmethod__", False)
