"""Classes that are made of their annotations."""

import sys as _sys

__all__ = [
    "dataclass", "field", "Field", "FrozenInstanceError", "InitVar", "KW_ONLY", "MISSING", "fields", "asdict",
    "astuple", "make_dataclass", "replace", "is_dataclass",
]

_mappingproxy = type(type.__dict__)
_GenericAlias = type(list[int])


class FrozenInstanceError(AttributeError):
    pass


class _Named:
    """A value that is its name."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name


class _HAS_DEFAULT_FACTORY_CLASS:
    def __repr__(self):
        return "<factory>"


class _MISSING_TYPE:
    pass


class _KW_ONLY_TYPE:
    pass


_HAS_DEFAULT_FACTORY = _HAS_DEFAULT_FACTORY_CLASS()
MISSING = _MISSING_TYPE()
KW_ONLY = _KW_ONLY_TYPE()
_EMPTY = _mappingproxy({})
_FIELD = _Named("_FIELD")
_FIELD_CLASSVAR = _Named("_FIELD_CLASSVAR")
_FIELD_INITVAR = _Named("_FIELD_INITVAR")
_FIELDS = "__dataclass_fields__"
_PARAMS = "__dataclass_params__"


class InitVar:
    """Marks what `__init__` takes and passes on to `__post_init__`."""

    __slots__ = ("type",)

    def __init__(self, type):
        self.type = type

    def __repr__(self):
        shown = self.type.__name__ if isinstance(self.type, type) else repr(self.type)
        return f"dataclasses.InitVar[{shown}]"

    def __class_getitem__(cls, type):
        return InitVar(type)


class Field:
    """What is known of a field."""

    __slots__ = (
        "name", "type", "default", "default_factory", "repr", "hash", "init", "compare", "metadata", "kw_only", "doc",
        "_field_type",
    )

    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only, doc):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = _EMPTY if metadata is None else _mappingproxy(metadata)
        self.kw_only = kw_only
        self.doc = doc
        self._field_type = None

    def __repr__(self):
        names = ("name", "type", "default", "default_factory", "init", "repr", "hash", "compare", "metadata",
                 "kw_only", "doc", "_field_type")
        return "Field(" + ",".join([f"{name}={getattr(self, name)!r}" for name in names]) + ")"

    def __set_name__(self, owner, name):
        func = getattr(type(self.default), "__set_name__", None)
        if func:
            func(self.default, owner, name)

    __class_getitem__ = classmethod(_GenericAlias)


class _DataclassParams:

    __slots__ = ("init", "repr", "eq", "order", "unsafe_hash", "frozen", "match_args", "kw_only", "slots",
                 "weakref_slot")

    def __init__(self, *values):
        for name, value in zip(self.__slots__, values):
            setattr(self, name, value)

    def __repr__(self):
        return "_DataclassParams(" + ",".join([f"{n}={getattr(self, n)!r}" for n in self.__slots__]) + ")"


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None,
          kw_only=MISSING, doc=None):
    """Says more of a field than its default."""
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only, doc)


# ---- making methods

def _define(cls, name, parameters, body, namespace):
    """A method from the text of its parameters and body, with `namespace` around it."""
    outer = ", ".join(namespace)
    lines = "\n".join([f"  {line}" for line in body]) or "  pass"
    text = f"def __create_fn__({outer}):\n def {name}({', '.join(parameters)}):\n{lines}\n return {name}"
    scope = {}
    globals_of_class = _sys.modules[cls.__module__].__dict__ if cls.__module__ in _sys.modules else {}
    exec(text, globals_of_class, scope)
    function = scope["__create_fn__"](**namespace)
    function.__qualname__ = f"{cls.__qualname__}.{name}"
    return function


def _set_new(cls, name, value):
    """Adds an attribute unless the class has it; whether it had."""
    if name in cls.__dict__:
        return True
    setattr(cls, name, value)
    return False


def _make_init(cls, all_fields, std_fields, kw_only_fields, frozen, has_post_init, slots):
    seen_default = None
    for f in std_fields:
        if f.init:
            if not (f.default is MISSING and f.default_factory is MISSING):
                seen_default = f
            elif seen_default:
                raise TypeError(f"non-default argument {f.name!r} follows default argument {seen_default.name!r}")
    namespace = {
        "__dataclass_HAS_DEFAULT_FACTORY__": _HAS_DEFAULT_FACTORY,
        "__dataclass_builtins_object__": object,
        "__dataclass_MISSING__": MISSING,
    }
    self_name = "__dataclass_self__" if any([f.name == "self" for f in all_fields]) else "self"
    body = []
    annotations = {}
    for f in all_fields:
        if f.init:
            annotations[f.name] = f.type
        default = f"__dataclass_dflt_{f.name}__"
        if f.default_factory is not MISSING:
            namespace[default] = f.default_factory
            if f.init:
                value = f"{default}() if {f.name} is __dataclass_HAS_DEFAULT_FACTORY__ else {f.name}"
            else:
                value = f"{default}()"
        elif f.init:
            if f.default is not MISSING:
                namespace[default] = f.default
            value = f.name
        elif slots and f.default is not MISSING:
            namespace[default] = f.default
            value = default
        else:
            continue
        if f._field_type is _FIELD_INITVAR:
            continue
        if frozen:
            body.append(f"__dataclass_builtins_object__.__setattr__({self_name}, {f.name!r}, {value})")
        else:
            body.append(f"{self_name}.{f.name}={value}")
    if has_post_init:
        params = ",".join([f.name for f in all_fields if f._field_type is _FIELD_INITVAR])
        body.append(f"{self_name}.__post_init__({params})")

    def parameter(f):
        if f.default is MISSING and f.default_factory is MISSING:
            return f.name
        if f.default is not MISSING:
            return f"{f.name}=__dataclass_dflt_{f.name}__"
        return f"{f.name}=__dataclass_HAS_DEFAULT_FACTORY__"

    parameters = [self_name] + [parameter(f) for f in std_fields if f.init]
    keyword = [parameter(f) for f in kw_only_fields if f.init]
    if keyword:
        parameters += ["*"] + keyword
    init = _define(cls, "__init__", parameters, body, namespace)
    annotations["return"] = None
    init.__annotations__ = annotations
    return init


_shown = set()


def _make_repr(shown_fields):
    names = [f.name for f in shown_fields]

    def __repr__(self):
        key = id(self)
        if key in _shown:
            return "..."
        _shown.add(key)
        try:
            parts = [f"{name}={getattr(self, name)!r}" for name in names]
        finally:
            _shown.discard(key)
        return self.__class__.__qualname__ + "(" + ", ".join(parts) + ")"
    return __repr__


def _make_eq(cls, compared):
    terms = [f"self.{f.name}==other.{f.name}" for f in compared]
    return _define(cls, "__eq__", ["self", "other"], [
        "if self is other:", " return True", "if other.__class__ is self.__class__:",
        " return " + (" and ".join(terms) or "True"), "return NotImplemented",
    ], {})


def _make_order(cls, name, op, compared):
    def values(which):
        return "(" + "".join([f"{which}.{f.name}," for f in compared]) + ")"
    return _define(cls, name, ["self", "other"], [
        "if other.__class__ is self.__class__:", f" return {values('self')}{op}{values('other')}",
        "return NotImplemented",
    ], {})


def _make_hash(cls, hashed):
    values = "(" + "".join([f"self.{f.name}," for f in hashed]) + ")"
    return _define(cls, "__hash__", ["self"], [f"return hash({values})"], {})


def _make_frozen(cls, all_fields):
    names = tuple([f.name for f in all_fields])

    def __setattr__(self, name, value):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self, name):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)
    return __setattr__, __delattr__


# ---- finding fields

def _is_classvar(annotation):
    if isinstance(annotation, str):
        text = annotation.strip()
        return text.split("[")[0] in ("ClassVar", "typing.ClassVar", "t.ClassVar")
    typing = _sys.modules.get("typing")
    if typing is None:
        return False
    return annotation is typing.ClassVar or getattr(annotation, "__origin__", None) is typing.ClassVar


def _is_initvar(annotation):
    if isinstance(annotation, str):
        return annotation.strip().split("[")[0] in ("InitVar", "dataclasses.InitVar")
    return annotation is InitVar or type(annotation) is InitVar


def _is_kw_only(annotation):
    if isinstance(annotation, str):
        return annotation.strip() in ("KW_ONLY", "dataclasses.KW_ONLY")
    return annotation is KW_ONLY


def _get_field(cls, name, annotation, default_kw_only):
    default = getattr(cls, name, MISSING)
    if isinstance(default, Field):
        f = default
    else:
        member = cls.__dict__.get(name)
        if type(member).__name__ == "member_descriptor":
            default = MISSING
        f = field(default=default)
    f.name = name
    f.type = annotation
    f._field_type = _FIELD
    if _is_classvar(annotation):
        f._field_type = _FIELD_CLASSVAR
    elif _is_initvar(annotation):
        f._field_type = _FIELD_INITVAR
    if f._field_type in (_FIELD_CLASSVAR, _FIELD_INITVAR):
        if f.default_factory is not MISSING:
            raise TypeError(f"field {f.name} cannot have a default factory")
    if f._field_type in (_FIELD, _FIELD_INITVAR):
        if f.kw_only is MISSING:
            f.kw_only = default_kw_only
    elif f.kw_only is not MISSING:
        raise TypeError(f"field {f.name} is a ClassVar but specifies kw_only")
    if f._field_type is _FIELD and f.default.__class__.__hash__ is None:
        raise ValueError(
            f"mutable default {type(f.default)} for field {f.name} is not allowed: use default_factory"
        )
    return f


def _process_class(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot):
    fields = {}
    any_frozen_base = has_dataclass_bases = False
    all_frozen_bases = None
    for base in cls.__mro__[-1:0:-1]:
        base_fields = getattr(base, _FIELDS, None)
        if base_fields is not None:
            has_dataclass_bases = True
            for f in base_fields.values():
                fields[f.name] = f
            if all_frozen_bases is None:
                all_frozen_bases = True
            current = getattr(base, _PARAMS).frozen
            all_frozen_bases = all_frozen_bases and current
            any_frozen_base = any_frozen_base or current

    annotations = _own_annotations(cls)
    cls_fields = []
    kw_only_seen = False
    for name, annotation in annotations.items():
        if _is_kw_only(annotation):
            if kw_only_seen:
                raise TypeError(f"{name!r} is KW_ONLY, but KW_ONLY has already been specified")
            kw_only_seen = True
            kw_only = True
        else:
            cls_fields.append(_get_field(cls, name, annotation, kw_only))
    for f in cls_fields:
        fields[f.name] = f
        if isinstance(getattr(cls, f.name, None), Field):
            if f.default is MISSING:
                delattr(cls, f.name)
            else:
                setattr(cls, f.name, f.default)
    for name, value in cls.__dict__.items():
        if isinstance(value, Field) and name not in annotations:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    if has_dataclass_bases:
        if any_frozen_base and not frozen:
            raise TypeError("cannot inherit non-frozen dataclass from a frozen one")
        if all_frozen_bases is False and frozen:
            raise TypeError("cannot inherit frozen dataclass from a non-frozen one")

    setattr(cls, _PARAMS, _DataclassParams(
        init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot))
    setattr(cls, _FIELDS, fields)

    class_hash = cls.__dict__.get("__hash__", MISSING)
    has_explicit_hash = not (class_hash is MISSING or (class_hash is None and "__eq__" in cls.__dict__))
    if order and not eq:
        raise ValueError("eq must be true if order is true")

    in_init = [f for f in fields.values() if f._field_type in (_FIELD, _FIELD_INITVAR)]
    std_fields = [f for f in in_init if f.init and not f.kw_only]
    kw_only_fields = [f for f in in_init if f.init and f.kw_only]
    if init:
        has_post_init = hasattr(cls, "__post_init__")
        _set_new(cls, "__init__", _make_init(
            cls, in_init, std_fields, kw_only_fields, frozen, has_post_init, slots))
    _set_new(cls, "__replace__", _replace)

    own = [f for f in fields.values() if f._field_type is _FIELD]
    if repr:
        function = _make_repr([f for f in own if f.repr])
        function.__qualname__ = f"{cls.__qualname__}.__repr__"
        _set_new(cls, "__repr__", function)
    compared = [f for f in own if f.compare]
    if eq:
        _set_new(cls, "__eq__", _make_eq(cls, compared))
    if order:
        for name, op in (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")):
            if _set_new(cls, name, _make_order(cls, name, op, compared)):
                raise TypeError(
                    f"Cannot overwrite attribute {name} in class {cls.__name__}. "
                    "Consider using functools.total_ordering"
                )
    if frozen:
        for function in _make_frozen(cls, own):
            name = function.__name__
            function.__qualname__ = f"{cls.__qualname__}.{name}"
            if _set_new(cls, name, function):
                raise TypeError(f"Cannot overwrite attribute {name} in class {cls.__name__}")

    hashed = [f for f in own if (f.compare if f.hash is None else f.hash)]
    if unsafe_hash:
        if has_explicit_hash:
            raise TypeError(f"Cannot overwrite attribute __hash__ in class {cls.__name__}")
        cls.__hash__ = _make_hash(cls, hashed)
    elif eq and not has_explicit_hash:
        cls.__hash__ = _make_hash(cls, hashed) if frozen else None

    if cls.__dict__.get("__doc__") is None:
        cls.__doc__ = cls.__name__ + _signature(std_fields, kw_only_fields)
    if match_args:
        _set_new(cls, "__match_args__", tuple([f.name for f in std_fields]))
    if weakref_slot and not slots:
        raise TypeError("weakref_slot is True but slots is False")
    if slots:
        cls = _add_slots(cls, frozen, weakref_slot)
    if getattr(cls, "__abstractmethods__", None):
        from abc import update_abstractmethods
        update_abstractmethods(cls)
    return cls


def _own_annotations(cls):
    annotations = cls.__dict__.get("__annotations__")
    if annotations is None:
        try:
            annotations = cls.__annotations__
        except AttributeError:
            return {}
        for base in cls.__mro__[1:]:
            if base.__dict__.get("__annotations__") is annotations:
                return {}
    return annotations


def _text_of(annotation):
    if isinstance(annotation, type) and not isinstance(annotation, _GenericAlias):
        if annotation.__module__ == "builtins":
            return annotation.__qualname__
        return f"{annotation.__module__}.{annotation.__qualname__}"
    return repr(annotation)


def _signature(std_fields, kw_only_fields):
    def shown(f):
        text = f"{f.name}: {_text_of(f.type)}"
        if f.default is not MISSING:
            text += f" = {f.default!r}"
        elif f.default_factory is not MISSING:
            text += " = <factory>"
        return text
    parts = [shown(f) for f in std_fields if f.init]
    keyword = [shown(f) for f in kw_only_fields if f.init]
    if keyword:
        parts += ["*"] + keyword
    return f"({', '.join(parts)})"


def _add_slots(cls, is_frozen, weakref_slot):
    if "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    namespace = dict(cls.__dict__)
    names = tuple([f.name for f in fields(cls)])
    inherited = set()
    for base in cls.__mro__[1:-1]:
        own = base.__dict__.get("__slots__", ())
        inherited.update((own,) if isinstance(own, str) else own)
    slots = [name for name in names if name not in inherited]
    if weakref_slot and "__weakref__" not in inherited:
        slots.append("__weakref__")
    namespace["__slots__"] = tuple(slots)
    for name in names:
        namespace.pop(name, None)
    namespace.pop("__dict__", None)
    namespace.pop("__weakref__", None)
    qualname = getattr(cls, "__qualname__", None)
    new = type(cls)(cls.__name__, cls.__bases__, namespace)
    if qualname is not None:
        new.__qualname__ = qualname
    if is_frozen:
        if "__getstate__" not in namespace:
            new.__getstate__ = _get_state
        if "__setstate__" not in namespace:
            new.__setstate__ = _set_state
    # `__class__` in methods stands for the class that there was.
    for value in namespace.values():
        function = getattr(value, "fget", None) or getattr(value, "__func__", None) or value
        closure = getattr(function, "__closure__", None)
        for name, cell in zip(getattr(getattr(function, "__code__", None), "co_freevars", ()), closure or ()):
            if name == "__class__":
                try:
                    if cell.cell_contents is cls:
                        cell.cell_contents = new
                except ValueError:
                    pass
    return new


def _get_state(self):
    return [getattr(self, f.name) for f in fields(self)]


def _set_state(self, state):
    for f, value in zip(fields(self), state):
        object.__setattr__(self, f.name, value)


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False,
              match_args=True, kw_only=False, slots=False, weakref_slot=False):
    """Adds to a class the methods that follow from its annotated fields."""
    def wrap(cls):
        return _process_class(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots,
                              weakref_slot)
    return wrap if cls is None else wrap(cls)


# ---- questions about dataclasses

def fields(class_or_instance):
    """The fields of a dataclass or an instance."""
    try:
        all_fields = getattr(class_or_instance, _FIELDS)
    except AttributeError:
        raise TypeError("must be called with a dataclass type or instance") from None
    return tuple([f for f in all_fields.values() if f._field_type is _FIELD])


def _is_dataclass_instance(obj):
    return hasattr(type(obj), _FIELDS)


def is_dataclass(obj):
    """Whether something is a dataclass or an instance of one."""
    cls = obj if isinstance(obj, type) else type(obj)
    return hasattr(cls, _FIELDS)


_ATOMIC = frozenset((type(None), bool, int, float, str, complex, bytes, type(Ellipsis), type(NotImplemented)))


def asdict(obj, *, dict_factory=dict):
    """The fields as a dict, and so on inwards."""
    if not _is_dataclass_instance(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _asdict(obj, dict_factory)


def _asdict(obj, dict_factory):
    cls = type(obj)
    if cls in _ATOMIC:
        return obj
    if hasattr(cls, _FIELDS):
        return dict_factory([(f.name, _asdict(getattr(obj, f.name), dict_factory)) for f in fields(obj)])
    if cls is list:
        return [_asdict(value, dict_factory) for value in obj]
    if cls is dict:
        return {_asdict(k, dict_factory): _asdict(v, dict_factory) for k, v in obj.items()}
    if issubclass(cls, tuple):
        if hasattr(obj, "_fields"):
            return cls(*[_asdict(value, dict_factory) for value in obj])
        return cls([_asdict(value, dict_factory) for value in obj])
    if issubclass(cls, dict):
        if hasattr(cls, "default_factory"):
            result = cls(obj.default_factory)
            for k, v in obj.items():
                result[_asdict(k, dict_factory)] = _asdict(v, dict_factory)
            return result
        return cls([(_asdict(k, dict_factory), _asdict(v, dict_factory)) for k, v in obj.items()])
    if issubclass(cls, list):
        return cls([_asdict(value, dict_factory) for value in obj])
    import copy
    return copy.deepcopy(obj)


def astuple(obj, *, tuple_factory=tuple):
    """The fields as a tuple, and so on inwards."""
    if not _is_dataclass_instance(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _astuple(obj, tuple_factory)


def _astuple(obj, tuple_factory):
    cls = type(obj)
    if cls in _ATOMIC:
        return obj
    if hasattr(cls, _FIELDS):
        return tuple_factory([_astuple(getattr(obj, f.name), tuple_factory) for f in fields(obj)])
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return cls(*[_astuple(value, tuple_factory) for value in obj])
    if isinstance(obj, (list, tuple)):
        return cls([_astuple(value, tuple_factory) for value in obj])
    if isinstance(obj, dict):
        items = [(_astuple(k, tuple_factory), _astuple(v, tuple_factory)) for k, v in obj.items()]
        if hasattr(cls, "default_factory"):
            result = cls(obj.default_factory)
            result.update(items)
            return result
        return cls(items)
    import copy
    return copy.deepcopy(obj)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, init=True, repr=True, eq=True, order=False,
                   unsafe_hash=False, frozen=False, match_args=True, kw_only=False, slots=False, weakref_slot=False,
                   module=None, decorator=dataclass):
    """A dataclass of this name with these fields: names, or tuples of name, type and default."""
    namespace = {} if namespace is None else dict(namespace)
    annotations = {}
    for item in fields:
        if isinstance(item, str):
            name, tp = item, "typing.Any"
        elif len(item) == 2:
            name, tp = item
        elif len(item) == 3:
            name, tp, namespace[item[0]] = item
        else:
            raise TypeError(f"Invalid field: {item!r}")
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError(f"Field names must be valid identifiers: {name!r}")
        if name in annotations:
            raise TypeError(f"Field name duplicated: {name!r}")
        annotations[name] = tp
    namespace["__annotations__"] = annotations
    cls = type(cls_name, bases, namespace)
    try:
        cls.__module__ = module or _sys._getframemodulename(1) or "__main__"
    except AttributeError:
        cls.__module__ = module or "__main__"
    return decorator(cls, init=init, repr=repr, eq=eq, order=order, unsafe_hash=unsafe_hash, frozen=frozen,
                     match_args=match_args, kw_only=kw_only, slots=slots, weakref_slot=weakref_slot)


def replace(obj, /, **changes):
    """A new object of the same class with some fields changed."""
    if not _is_dataclass_instance(obj):
        raise TypeError("replace() should be called on dataclass instances")
    return _replace(obj, **changes)


def _replace(self, /, **changes):
    for f in getattr(self, _FIELDS).values():
        if f._field_type is _FIELD_CLASSVAR:
            continue
        if not f.init:
            if f.name in changes:
                raise TypeError(
                    f"field {f.name} is declared with init=False, it cannot be specified with replace()"
                )
            continue
        if f.name not in changes:
            if f._field_type is _FIELD_INITVAR and f.default is MISSING:
                raise TypeError(f"InitVar {f.name!r} must be specified with replace()")
            changes[f.name] = getattr(self, f.name)
    return self.__class__(**changes)
