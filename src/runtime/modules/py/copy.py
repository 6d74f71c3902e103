"""Copies, shallow and deep."""

__all__ = ["Error", "copy", "deepcopy", "replace"]


class Error(Exception):
    pass


error = Error

# What never changes is its own copy.
_ATOMIC = frozenset((
    type(None), int, float, bool, complex, str, bytes, type, range, slice, property, type(Ellipsis),
    type(NotImplemented), type(len), type(lambda: 0),
))
_SHALLOW = {list: list.copy, dict: dict.copy, set: set.copy, bytearray: bytearray.copy}


def copy(x):
    """A new object with the same contents."""
    cls = type(x)
    if cls in _ATOMIC or cls is tuple or cls is frozenset:
        return x
    copier = _SHALLOW.get(cls)
    if copier is not None:
        return copier(x)
    if issubclass(cls, type):
        return x
    copier = getattr(cls, "__copy__", None)
    if copier is not None:
        return copier(x)
    reduced = _reduce(x, cls)
    if isinstance(reduced, str):
        return x
    return _reconstruct(x, None, *reduced)


def deepcopy(x, memo=None, _nil=[]):
    """A new object with copies of the contents."""
    cls = type(x)
    if cls in _ATOMIC:
        return x
    d = id(x)
    if memo is None:
        memo = {}
    else:
        y = memo.get(d, _nil)
        if y is not _nil:
            return y
    copier = _DEEP.get(cls)
    if copier is not None:
        y = copier(x, memo)
    elif issubclass(cls, type):
        y = x
    else:
        copier = getattr(x, "__deepcopy__", None)
        if copier is not None:
            y = copier(memo)
        else:
            reduced = _reduce(x, cls)
            if isinstance(reduced, str):
                y = x
            else:
                y = _reconstruct(x, memo, *reduced)
    if y is not x:
        memo[d] = y
        _keep_alive(x, memo)
    return y


def _keep_alive(x, memo):
    # A temporary whose address were used again would be taken for the one before.
    try:
        memo[id(memo)].append(x)
    except KeyError:
        memo[id(memo)] = [x]


def _deepcopy_list(x, memo):
    y = []
    memo[id(x)] = y
    append = y.append
    for item in x:
        append(deepcopy(item, memo))
    return y


def _deepcopy_tuple(x, memo):
    y = [deepcopy(item, memo) for item in x]
    # The tuple may be part of one of its items, which has copied it already.
    try:
        return memo[id(x)]
    except KeyError:
        pass
    for old, new in zip(x, y):
        if old is not new:
            return tuple(y)
    return x


def _deepcopy_dict(x, memo):
    y = {}
    memo[id(x)] = y
    for key, value in x.items():
        y[deepcopy(key, memo)] = deepcopy(value, memo)
    return y


def _deepcopy_set(x, memo):
    y = set()
    memo[id(x)] = y
    for item in x:
        y.add(deepcopy(item, memo))
    return y


def _deepcopy_frozenset(x, memo):
    return frozenset([deepcopy(item, memo) for item in x])


class _Probe:
    def method(self):
        pass


_Method = type(_Probe().method)


def _deepcopy_method(x, memo):
    return _Method(x.__func__, deepcopy(x.__self__, memo))


_DEEP = {
    list: _deepcopy_list, tuple: _deepcopy_tuple, dict: _deepcopy_dict, set: _deepcopy_set,
    frozenset: _deepcopy_frozenset, _Method: _deepcopy_method,
    bytearray: lambda x, memo: x.copy(),
}


def _reduce(x, cls):
    """What makes the object anew: a function, its arguments, state, items for a list and for a dict."""
    reduce = getattr(cls, "__reduce_ex__", None)
    if reduce is not None and reduce is not getattr(object, "__reduce_ex__", None):
        return x.__reduce_ex__(4)
    reduce = getattr(cls, "__reduce__", None)
    if reduce is not None and reduce is not getattr(object, "__reduce__", None):
        return x.__reduce__()
    if isinstance(x, BaseException):
        return (cls, x.args, dict(x.__dict__) or None)
    if isinstance(x, dict) and not _can_copy(cls):
        # The built-in dicts beside `dict` itself.
        arguments = (x.default_factory,) if hasattr(cls, "default_factory") else ()
        return (cls, arguments, getattr(x, "__dict__", None) or None, None, iter(x.items()))
    if not _can_copy(cls):
        raise TypeError(f"cannot pickle {cls.__name__!r} object")
    arguments, keywords = (), {}
    if hasattr(cls, "__getnewargs_ex__"):
        arguments, keywords = x.__getnewargs_ex__()
    elif hasattr(cls, "__getnewargs__"):
        arguments = x.__getnewargs__()
    elif isinstance(x, tuple):
        arguments = (tuple(x),)
    elif isinstance(x, (int, float, str, bytes, frozenset, complex)):
        for base in (int, float, str, bytes, frozenset, complex):
            if isinstance(x, base):
                arguments = (base(x),)
    items = iter(x) if isinstance(x, list) else None
    pairs = iter(x.items()) if isinstance(x, dict) else None
    if isinstance(x, set):
        return (_new_set, (cls, list(x)), _state(x, cls))

    def make(cls, *args):
        return cls.__new__(cls, *args, **keywords)
    return (make, (cls, *arguments), _state(x, cls), items, pairs)


def _new_set(cls, items):
    result = cls.__new__(cls)
    set.update(result, items)
    return result


def _can_copy(cls):
    # Instances of classes written in Python; a built-in type says itself how.
    return bool(cls.__flags__ & 1 << 9)


def _state(x, cls):
    if getattr(cls, "__getstate__", None) is not getattr(object, "__getstate__", None):
        return x.__getstate__()
    state = getattr(x, "__dict__", None)
    if state is not None:
        state = dict(state)
    slots = {}
    for base in cls.__mro__:
        names = base.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name in ("__dict__", "__weakref__"):
                continue
            if name.startswith("__") and not name.endswith("__"):
                stripped = base.__name__.lstrip("_")
                if stripped:
                    name = f"_{stripped}{name}"
            try:
                slots[name] = getattr(x, name)
            except AttributeError:
                pass
    if slots:
        return (state, slots)
    return state or None


def _reconstruct(x, memo, func, args, state=None, items=None, pairs=None):
    deep = memo is not None
    if deep and args:
        args = [arg if isinstance(arg, type) else deepcopy(arg, memo) for arg in args]
    y = func(*args)
    if deep:
        memo[id(x)] = y
    if state is not None:
        if deep:
            state = deepcopy(state, memo)
        if hasattr(y, "__setstate__"):
            y.__setstate__(state)
        else:
            slots = None
            if isinstance(state, tuple) and len(state) == 2:
                state, slots = state
            if state is not None:
                y.__dict__.update(state)
            if slots is not None:
                for key, value in slots.items():
                    setattr(y, key, value)
    if items is not None:
        for item in items:
            y.append(deepcopy(item, memo) if deep else item)
    if pairs is not None:
        for key, value in pairs:
            if deep:
                key, value = deepcopy(key, memo), deepcopy(value, memo)
            y[key] = value
    return y


def replace(obj, /, **changes):
    """A copy with some fields changed."""
    cls = obj.__class__
    func = getattr(cls, "__replace__", None)
    if func is None:
        raise TypeError(f"replace() does not support {cls.__name__} objects")
    return func(obj, **changes)
