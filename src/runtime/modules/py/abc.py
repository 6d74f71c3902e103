"""Abstract base classes."""

from _abc import _inherit_collection_flag, _set_collection_flag
from _weakref import ref as _ref

_counter = 0


class _Data:
    """What an abstract base class knows of other classes. All but the registry is a cache of earlier answers."""

    __slots__ = ("registry", "yes", "no", "version")

    def __init__(self):
        self.registry = []
        self.yes = set()
        self.no = set()
        self.version = _counter

    def answer(self, known, subclass):
        """Remembers a class among the known ones, as long as it lives."""
        known.add(_ref(subclass, known.discard))


def _is_abstract(value):
    return getattr(value, "__isabstractmethod__", False)


def abstractmethod(funcobj):
    """A decorator: the class cannot be instantiated while the method is not overridden."""
    funcobj.__isabstractmethod__ = True
    return funcobj


class abstractclassmethod(classmethod):
    """`@classmethod @abstractmethod` in one."""

    __isabstractmethod__ = True

    def __init__(self, callable):
        callable.__isabstractmethod__ = True
        super().__init__(callable)


class abstractstaticmethod(staticmethod):
    """`@staticmethod @abstractmethod` in one."""

    __isabstractmethod__ = True

    def __init__(self, callable):
        callable.__isabstractmethod__ = True
        super().__init__(callable)


class abstractproperty(property):
    """`@property @abstractmethod` in one."""

    __isabstractmethod__ = True


def get_cache_token():
    """Changes whenever a class is registered somewhere."""
    return _counter


class ABCMeta(type):
    """The metaclass of abstract base classes."""

    def __new__(mcls, name, bases, namespace, /, **kwargs):
        cls = super().__new__(mcls, name, bases, namespace, **kwargs)
        names = set()
        for key, value in list(namespace.items()):
            if _is_abstract(value):
                names.add(key)
        for base in bases:
            for key in getattr(base, "__abstractmethods__", ()):
                if _is_abstract(getattr(cls, key, None)):
                    names.add(key)
        cls.__abstractmethods__ = frozenset(names)
        cls._abc_impl = _Data()
        if "__abc_tpflags__" in namespace:
            _set_collection_flag(cls, cls.__abc_tpflags__)
            del cls.__abc_tpflags__
        return cls

    def register(cls, subclass):
        """Makes `subclass` a virtual subclass; returns it, so that this can be a decorator."""
        global _counter
        if not isinstance(subclass, type):
            raise TypeError("Can only register classes")
        if issubclass(subclass, cls):
            return subclass
        if issubclass(cls, subclass):
            raise RuntimeError("Refusing to create an inheritance cycle")
        registry = cls._abc_impl.registry
        registry.append(_ref(subclass, registry.remove))
        _inherit_collection_flag(subclass, cls)
        _counter += 1
        return subclass

    def __instancecheck__(cls, instance):
        """isinstance(instance, cls)"""
        subclass = instance.__class__
        if _ref(subclass) in cls._abc_impl.yes:
            return True
        subtype = type(instance)
        if subtype is subclass:
            return cls.__subclasscheck__(subclass)
        return cls.__subclasscheck__(subclass) or cls.__subclasscheck__(subtype)

    def __subclasscheck__(cls, subclass):
        """issubclass(subclass, cls)"""
        if not isinstance(subclass, type):
            raise TypeError("issubclass() arg 1 must be a class")
        data = cls._abc_impl
        key = _ref(subclass)
        if key in data.yes:
            return True
        if data.version != _counter:
            data.no = set()
            data.version = _counter
        elif key in data.no:
            return False
        answer = cls.__subclasshook__(subclass)
        if answer is not NotImplemented:
            data.answer(data.yes if answer else data.no, subclass)
            return bool(answer)
        if cls in subclass.__mro__:
            data.answer(data.yes, subclass)
            return True
        for entry in list(data.registry):
            registered = entry()
            if registered is not None and issubclass(subclass, registered):
                data.answer(data.yes, subclass)
                return True
        for derived in cls.__subclasses__():
            if issubclass(subclass, derived):
                data.answer(data.yes, subclass)
                return True
        data.answer(data.no, subclass)
        return False


def update_abstractmethods(cls):
    """Finds anew which methods of a finished class are abstract."""
    if not hasattr(cls, "__abstractmethods__"):
        return cls
    names = set()
    for base in cls.__bases__:
        for key in getattr(base, "__abstractmethods__", ()):
            if _is_abstract(getattr(cls, key, None)):
                names.add(key)
    for key, value in list(cls.__dict__.items()):
        if _is_abstract(value):
            names.add(key)
    cls.__abstractmethods__ = frozenset(names)
    return cls


class ABC(metaclass=ABCMeta):
    """An abstract base class to inherit from, in place of naming the metaclass."""

    __slots__ = ()
