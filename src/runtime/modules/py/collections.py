"""Containers beyond the built-in ones."""

__all__ = [
    "ChainMap", "Counter", "OrderedDict", "UserDict", "UserList", "UserString", "defaultdict", "deque", "namedtuple",
]

from _collections import OrderedDict, _count_elements, _tuplegetter, defaultdict, deque
from itertools import chain as _chain, repeat as _repeat, starmap as _starmap
from operator import itemgetter as _itemgetter
import sys as _sys


def __getattr__(name):
    # What rests on abstract base classes is loaded when it is asked for.
    if name == "abc":
        import collections.abc
        return collections.abc
    if name in ("ChainMap", "UserDict", "UserList", "UserString"):
        import collections._user as user
        value = getattr(user, name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'collections' has no attribute {name!r}")


# ---- namedtuple

_KEYWORDS = frozenset((
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
))
_new_tuple = tuple.__new__


def _checked_names(typename, names, rename):
    if rename:
        seen = set()
        for index, name in enumerate(names):
            if not name.isidentifier() or name in _KEYWORDS or name.startswith("_") or name in seen:
                names[index] = f"_{index}"
            seen.add(name)
    for name in [typename] + names:
        if type(name) is not str:
            raise TypeError("Type names and field names must be strings")
        if not name.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {name!r}")
        if name in _KEYWORDS:
            raise ValueError(f"Type names and field names cannot be a keyword: {name!r}")
    seen = set()
    for name in names:
        if name.startswith("_") and not rename:
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in seen:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
        seen.add(name)
    return tuple(map(_sys.intern, names))


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    """A subclass of tuple whose items have names."""
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    typename = _sys.intern(str(typename))
    fields = _checked_names(typename, list(map(str, field_names)), rename)
    field_defaults = {}
    if defaults is not None:
        defaults = tuple(defaults)
        if len(defaults) > len(fields):
            raise TypeError("Got more default values than field names")
        if defaults:
            field_defaults = dict(zip(fields[-len(defaults):], defaults))
    count = len(fields)
    shown = "(" + ", ".join([f"{name}=%r" for name in fields]) + ")"
    names = ", ".join(fields)
    values = f"({names},)" if count == 1 else f"({names})"

    namespace = {"_tuple_new": _new_tuple, "__builtins__": {}, "__name__": f"namedtuple_{typename}"}
    __new__ = eval(f"lambda _cls, {names}: _tuple_new(_cls, {values})", namespace)
    __new__.__name__ = "__new__"
    __new__.__doc__ = f"Create new instance of {typename}({names})"
    if defaults is not None:
        __new__.__defaults__ = defaults

    def _make(cls, iterable):
        result = _new_tuple(cls, iterable)
        if len(result) != count:
            raise TypeError(f"Expected {count} arguments, got {len(result)}")
        return result

    def _replace(self, /, **kwds):
        result = self._make(map(kwds.pop, fields, self))
        if kwds:
            raise TypeError(f"Got unexpected field names: {list(kwds)!r}")
        return result

    def __repr__(self):
        """Return a nicely formatted representation string"""
        return self.__class__.__name__ + shown % self

    def _asdict(self):
        """Return a new dict which maps field names to their values."""
        return dict(zip(self._fields, self))

    def __getnewargs__(self):
        """Return self as a plain tuple.  Used by copy and pickle."""
        return tuple(self)

    _make.__doc__ = f"Make a new {typename} object from a sequence or iterable"
    _replace.__doc__ = f"Return a new {typename} object replacing specified fields with new values"
    for method in (__new__, _make, _replace, __repr__, _asdict, __getnewargs__):
        method.__qualname__ = f"{typename}.{method.__name__}"

    members = {
        "__doc__": f"{typename}({names})",
        "__slots__": (),
        "_fields": fields,
        "_field_defaults": field_defaults,
        "__new__": __new__,
        "_make": classmethod(_make),
        "__replace__": _replace,
        "_replace": _replace,
        "__repr__": __repr__,
        "_asdict": _asdict,
        "__getnewargs__": __getnewargs__,
        "__match_args__": fields,
    }
    for index, name in enumerate(fields):
        members[name] = _tuplegetter(index, _sys.intern(f"Alias for field number {index}"))
    result = type(typename, (tuple,), members)
    result.__module__ = _caller_module() if module is None else module
    return result


def _caller_module():
    try:
        return _sys._getframemodulename(2) or "__main__"
    except AttributeError:
        return "__main__"


# ---- Counter

class Counter(dict):
    """A dict of how often each element occurs."""

    def __init__(self, iterable=None, /, **kwds):
        super().__init__()
        self.update(iterable, **kwds)

    def __missing__(self, key):
        """What is not there has been counted 0 times."""
        return 0

    def total(self):
        """The sum of all counts."""
        return sum(self.values())

    def most_common(self, n=None):
        """Elements and counts, the most frequent first."""
        items = sorted(self.items(), key=_itemgetter(1), reverse=True)
        return items if n is None else items[:max(n, 0)]

    def elements(self):
        """Each element as often as it was counted."""
        return _chain.from_iterable(_starmap(_repeat, self.items()))

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError("Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def update(self, iterable=None, /, **kwds):
        """Adds counts, from an iterable of elements or a mapping of counts."""
        if iterable is not None:
            if _is_mapping(iterable):
                if self:
                    get = self.get
                    for element, count in iterable.items():
                        self[element] = count + get(element, 0)
                else:
                    super().update(iterable)
            else:
                _count_elements(self, iterable)
        if kwds:
            self.update(kwds)

    def subtract(self, iterable=None, /, **kwds):
        """Takes counts off; they may become negative."""
        if iterable is not None:
            get = self.get
            if _is_mapping(iterable):
                for element, count in iterable.items():
                    self[element] = get(element, 0) - count
            else:
                for element in iterable:
                    self[element] = get(element, 0) - 1
        if kwds:
            self.subtract(kwds)

    def copy(self):
        """A new one with the same counts."""
        return self.__class__(self)

    def __reduce__(self):
        return (self.__class__, (dict(self),))

    def __delitem__(self, elem):
        """Nothing happens if it is not there."""
        if elem in self:
            super().__delitem__(elem)

    def __repr__(self):
        if not self:
            return f"{self.__class__.__name__}()"
        try:
            shown = dict(self.most_common())
        except TypeError:
            shown = dict(self)
        return f"{self.__class__.__name__}({shown!r})"

    def __eq__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all([self[e] == other[e] for c in (self, other) for e in c])

    def __ne__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return not self == other

    __hash__ = None

    def __le__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all([self[e] <= other[e] for c in (self, other) for e in c])

    def __lt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self <= other and self != other

    def __ge__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all([self[e] >= other[e] for c in (self, other) for e in c])

    def __gt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self >= other and self != other

    def _with(self, other, combine):
        """The positive counts that `combine` makes of both."""
        result = Counter()
        for element, count in self.items():
            count = combine(count, other[element])
            if count > 0:
                result[element] = count
        for element, count in other.items():
            if element not in self:
                count = combine(0, count)
                if count > 0:
                    result[element] = count
        return result

    def __add__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._with(other, lambda a, b: a - b)

    def __or__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._with(other, max)

    def __and__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._with(other, min)

    def __pos__(self):
        return self._with(Counter(), lambda a, b: a)

    def __neg__(self):
        return self._with(Counter(), lambda a, b: -a)

    def _keep_positive(self):
        for element in [element for element, count in self.items() if not count > 0]:
            del self[element]
        return self

    def __iadd__(self, other):
        for element, count in other.items():
            self[element] += count
        return self._keep_positive()

    def __isub__(self, other):
        for element, count in other.items():
            self[element] -= count
        return self._keep_positive()

    def __ior__(self, other):
        for element, count in other.items():
            if count > self[element]:
                self[element] = count
        return self._keep_positive()

    def __iand__(self, other):
        for element, count in self.items():
            if other[element] < count:
                self[element] = other[element]
        return self._keep_positive()


def _is_mapping(value):
    if isinstance(value, dict):
        return True
    if isinstance(value, (list, str, tuple, set, frozenset, deque)):
        return False
    from collections.abc import Mapping
    return isinstance(value, Mapping)
