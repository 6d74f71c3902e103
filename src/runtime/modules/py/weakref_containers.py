"""What `weakref` has beyond the references themselves."""

from _weakref import ref
from collections.abc import MutableMapping, MutableSet


# ---- proxies

class ProxyType:
    """An object that passes everything on to another one, as long as that lives."""

    __slots__ = ("_ref", "__weakref__")

    def __getattribute__(self, name):
        return getattr(_target(self), name)

    def __setattr__(self, name, value):
        setattr(_target(self), name, value)

    def __delattr__(self, name):
        delattr(_target(self), name)

    def __hash__(self):
        raise TypeError(f"unhashable type: '{type(self).__name__}'")

    def __repr__(self):
        target = _ref_of(self)()
        return (
            f"<weakproxy at {hex(id(self))}; to '{type(target).__name__}' at {hex(id(target))}>"
        )


_ref_of = ProxyType._ref.__get__
_set_ref = ProxyType._ref.__set__


def _target(proxy):
    target = _ref_of(proxy)()
    if target is None:
        raise ReferenceError("weakly-referenced object no longer exists")
    return target


def _forward(name, unary_only=False):
    import operator

    def forward(self, *args):
        args = [_target(arg) if isinstance(arg, ProxyType) else arg for arg in args]
        return getattr(type(_target(self)), name)(_target(self), *args)
    forward.__name__ = name
    setattr(ProxyType, name, forward)


for _name in (
    "__str__", "__bool__", "__len__", "__getitem__", "__setitem__", "__delitem__", "__contains__", "__iter__",
    "__next__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__radd__", "__sub__",
    "__rsub__", "__mul__", "__rmul__", "__truediv__", "__rtruediv__", "__floordiv__", "__rfloordiv__", "__mod__",
    "__rmod__", "__divmod__", "__pow__", "__lshift__", "__rshift__", "__and__", "__rand__", "__or__", "__ror__",
    "__xor__", "__rxor__", "__neg__", "__pos__", "__abs__", "__invert__", "__int__", "__float__", "__index__",
    "__iadd__", "__isub__", "__imul__", "__reversed__", "__bytes__", "__matmul__",
):
    _forward(_name)


def _bool(self):
    return bool(_target(self))


ProxyType.__bool__ = _bool


class CallableProxyType(ProxyType):
    """A proxy of something that can be called."""

    __slots__ = ()

    def __call__(self, /, *args, **kwargs):
        return _target(self)(*args, **kwargs)


ProxyTypes = (ProxyType, CallableProxyType)


def proxy(object, callback=None, /):
    """A proxy of an object."""
    cls = CallableProxyType if callable(object) else ProxyType
    result = cls.__new__(cls)
    if callback is None:
        _set_ref(result, ref(object))
    else:
        own = ref(result)

        def gone(_):
            proxy = own()
            if proxy is not None:
                callback(proxy)
        _set_ref(result, ref(object, gone))
    return result


# ---- references to bound methods

class WeakMethod(ref):
    """A weak reference to a bound method: it lives as long as its instance does."""

    __slots__ = ("_func_ref", "_meth_type", "_alive", "__weakref__")

    def __new__(cls, meth, callback=None):
        try:
            obj = meth.__self__
            func = meth.__func__
        except AttributeError:
            raise TypeError(f"argument should be a bound method, not {type(meth)}") from None

        def gone(_):
            self = self_wr()
            if self is not None and self._alive:
                self._alive = False
                if callback is not None:
                    callback(self)
        self = ref.__new__(cls, obj, gone)
        self._func_ref = ref(func, gone)
        self._meth_type = type(meth)
        self._alive = True
        self_wr = ref(self)
        return self

    def __init__(self, meth, callback=None):
        pass

    def __call__(self):
        obj = ref.__call__(self)
        func = self._func_ref()
        if obj is None or func is None:
            return None
        return self._meth_type(func, obj)

    def __eq__(self, other):
        if isinstance(other, WeakMethod):
            if not self._alive or not other._alive:
                return self is other
            return ref.__eq__(self, other) and self._func_ref == other._func_ref
        return NotImplemented

    def __ne__(self, other):
        if isinstance(other, WeakMethod):
            return not self == other
        return NotImplemented

    __hash__ = ref.__hash__


class KeyedRef(ref):
    """A weak reference that knows under which key its referent stands."""

    __slots__ = ("key",)

    def __new__(type, ob, callback, key):
        self = ref.__new__(type, ob, callback)
        self.key = key
        return self

    def __init__(self, ob, callback, key):
        pass


# ---- dicts and sets

class WeakValueDictionary(MutableMapping):
    """A dict whose items go when nobody else has their values."""

    def __init__(self, other=(), /, **kw):
        own = ref(self)

        def remove(wr):
            self = own()
            if self is not None and self.data.get(wr.key) is wr:
                del self.data[wr.key]
        self._remove = remove
        self.data = {}
        self.update(other, **kw)

    def __getitem__(self, key):
        value = self.data[key]()
        if value is None:
            raise KeyError(key)
        return value

    def __delitem__(self, key):
        del self.data[key]

    def __len__(self):
        return len(self.data)

    def __contains__(self, key):
        wr = self.data.get(key)
        return wr is not None and wr() is not None

    def __repr__(self):
        return f"<{self.__class__.__name__} at {id(self):#x}>"

    def __setitem__(self, key, value):
        self.data[key] = KeyedRef(value, self._remove, key)

    def _items(self):
        result = []
        for key, wr in list(self.data.items()):
            value = wr()
            if value is not None:
                result.append((key, value))
        return result

    def copy(self):
        new = WeakValueDictionary()
        for key, value in self._items():
            new[key] = value
        return new

    __copy__ = copy

    def get(self, key, default=None):
        wr = self.data.get(key)
        value = None if wr is None else wr()
        return default if value is None else value

    def items(self):
        return iter(self._items())

    def keys(self):
        return iter([key for key, value in self._items()])

    __iter__ = keys

    def values(self):
        return iter([value for key, value in self._items()])

    def itervaluerefs(self):
        return iter(list(self.data.values()))

    def valuerefs(self):
        return list(self.data.values())

    def popitem(self):
        while True:
            key, wr = self.data.popitem()
            value = wr()
            if value is not None:
                return key, value

    def pop(self, key, *args):
        wr = self.data.pop(key, None)
        value = None if wr is None else wr()
        if value is None:
            if args:
                return args[0]
            raise KeyError(key)
        return value

    def setdefault(self, key, default=None):
        value = self.get(key)
        if value is None:
            self[key] = default
            return default
        return value

    def __ior__(self, other):
        self.update(other)
        return self

    def __or__(self, other):
        new = self.copy()
        new.update(other)
        return new


class WeakKeyDictionary(MutableMapping):
    """A dict whose items go when nobody else has their keys."""

    def __init__(self, dict=None):
        own = ref(self)
        self.data = {}

        def remove(key):
            self = own()
            if self is not None:
                self.data.pop(key, None)
        self._remove = remove
        if dict is not None:
            self.update(dict)

    def __getitem__(self, key):
        return self.data[ref(key)]

    def __delitem__(self, key):
        del self.data[ref(key)]

    def __setitem__(self, key, value):
        self.data[ref(key, self._remove)] = value

    def __len__(self):
        return len(self.data)

    def __repr__(self):
        return f"<{self.__class__.__name__} at {id(self):#x}>"

    def __contains__(self, key):
        try:
            wr = ref(key)
        except TypeError:
            return False
        return wr in self.data

    def _items(self):
        result = []
        for wr, value in list(self.data.items()):
            key = wr()
            if key is not None:
                result.append((key, value))
        return result

    def copy(self):
        new = WeakKeyDictionary()
        for key, value in self._items():
            new[key] = value
        return new

    __copy__ = copy

    def get(self, key, default=None):
        return self.data.get(ref(key), default)

    def items(self):
        return iter(self._items())

    def keys(self):
        return iter([key for key, value in self._items()])

    __iter__ = keys

    def values(self):
        return iter([value for key, value in self._items()])

    def keyrefs(self):
        return list(self.data)

    def popitem(self):
        while True:
            wr, value = self.data.popitem()
            key = wr()
            if key is not None:
                return key, value

    def pop(self, key, *args):
        return self.data.pop(ref(key), *args)

    def setdefault(self, key, default=None):
        return self.data.setdefault(ref(key, self._remove), default)

    def __ior__(self, other):
        self.update(other)
        return self

    def __or__(self, other):
        new = self.copy()
        new.update(other)
        return new


class WeakSet(MutableSet):
    """A set whose elements go when nobody else has them."""

    def __init__(self, data=None):
        own = ref(self)
        self.data = set()

        def remove(item):
            self = own()
            if self is not None:
                self.data.discard(item)
        self._remove = remove
        if data is not None:
            self.update(data)

    def __iter__(self):
        return iter([item for item in [wr() for wr in list(self.data)] if item is not None])

    def __len__(self):
        return len(self.data)

    def __contains__(self, item):
        try:
            wr = ref(item)
        except TypeError:
            return False
        return wr in self.data

    def __repr__(self):
        return repr(self.data)

    def add(self, item):
        self.data.add(ref(item, self._remove))

    def clear(self):
        self.data.clear()

    def copy(self):
        return self.__class__(self)

    def pop(self):
        while True:
            try:
                wr = self.data.pop()
            except KeyError:
                raise KeyError("pop from empty WeakSet") from None
            item = wr()
            if item is not None:
                return item

    def remove(self, item):
        self.data.remove(ref(item))

    def discard(self, item):
        self.data.discard(ref(item))

    def update(self, other):
        for item in other:
            self.add(item)

    def union(self, other):
        result = self.copy()
        result.update(other)
        return result

    def difference(self, other):
        return self - set(other)

    def intersection(self, other):
        return self & set(other)

    def issubset(self, other):
        return set(self) <= set(other)

    def issuperset(self, other):
        return set(self) >= set(other)


# ---- finalize

class finalize:
    """Calls a function when an object goes, at the latest when it is called itself."""

    __slots__ = ()
    _registry = {}

    class _Info:
        __slots__ = ("weakref", "func", "args", "kwargs", "atexit")

    def __init__(self, obj, func, /, *args, **kwargs):
        info = self._Info()
        info.weakref = ref(obj, self)
        info.func = func
        info.args = args
        info.kwargs = kwargs or None
        info.atexit = True
        self._registry[self] = info

    def __call__(self, _=None):
        """Calls the function if that has not been done."""
        info = self._registry.pop(self, None)
        if info:
            return info.func(*info.args, **(info.kwargs or {}))

    def detach(self):
        """Gives up: the function is not called any more."""
        info = self._registry.get(self)
        obj = info and info.weakref()
        if obj is not None and self._registry.pop(self, None):
            return (obj, info.func, info.args, info.kwargs or {})

    def peek(self):
        """The object and what is to be called."""
        info = self._registry.get(self)
        obj = info and info.weakref()
        if obj is not None:
            return (obj, info.func, info.args, info.kwargs or {})

    @property
    def alive(self):
        """Whether the function is still to be called."""
        return self in self._registry

    @property
    def atexit(self):
        info = self._registry.get(self)
        return bool(info) and info.atexit

    @atexit.setter
    def atexit(self, value):
        info = self._registry.get(self)
        if info:
            info.atexit = bool(value)

    def __repr__(self):
        info = self._registry.get(self)
        obj = info and info.weakref()
        if obj is None:
            return f"<{type(self).__name__} object at {id(self):#x}; dead>"
        return f"<{type(self).__name__} object at {id(self):#x}; for {type(obj).__qualname__!r} at {id(obj):#x}>"
