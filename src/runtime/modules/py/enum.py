"""Enumerations: classes whose instances are named constants."""

from functools import reduce as _reduce
from operator import or_ as _or

__all__ = [
    "EnumType", "EnumMeta", "EnumDict", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "auto", "unique",
    "property", "verify", "member", "nonmember", "FlagBoundary", "STRICT", "CONFORM", "EJECT", "KEEP",
    "global_enum", "show_flag_values", "CONTINUOUS", "NAMED_FLAGS", "UNIQUE", "EnumCheck",
]

_builtin_property = property
_mappingproxy = type(type.__dict__)
# Defined further below; while they are missing, the first enumerations are being made.
Enum = Flag = ReprEnum = EJECT = KEEP = None


class nonmember:
    """Marks what is to be a plain attribute."""

    def __init__(self, value):
        self.value = value


class member:
    """Marks what is to be a member though it looks like a method."""

    def __init__(self, value):
        self.value = value


class auto:
    """A value that the enumeration chooses itself."""

    def __init__(self, value=None):
        self.value = _AUTO if value is None else value

    def __repr__(self):
        return "auto(%r)" % (self.value,)


_AUTO = object()


def _is_descriptor(obj):
    return not isinstance(obj, type) and (
        hasattr(obj, "__get__") or hasattr(obj, "__set__") or hasattr(obj, "__delete__")
    )


def _is_dunder(name):
    return len(name) > 4 and name[:2] == name[-2:] == "__" and name[2] != "_" and name[-3] != "_"


def _is_sunder(name):
    return len(name) > 2 and name[0] == name[-1] == "_" and name[1] != "_" and name[-2] != "_"


def _is_private(cls_name, name):
    pattern = f"_{cls_name}__"
    return len(name) > len(pattern) and name.startswith(pattern) and (name[-1] != "_" or name[-2] != "_")


def _is_single_bit(num):
    return num > 0 and num & (num - 1) == 0


def _bits(num):
    """The bits of a number, lowest first."""
    result = []
    while num:
        bit = num & -num
        result.append(bit)
        num ^= bit
    return result


def _to_binary(num, max_bits=None):
    """A number with its sign as a leading bit: `0b0 101`."""
    ceiling = 2 ** num.bit_length()
    if num >= 0:
        shown = bin(num + ceiling).replace("1", "0", 1)
    else:
        shown = bin(~num ^ (ceiling - 1) + ceiling)
    sign, digits = shown[:3], shown[3:]
    if max_bits is not None and len(digits) < max_bits:
        digits = (sign[-1] * max_bits + digits)[-max_bits:]
    return "%s %s" % (sign, digits)


class property(_builtin_property):
    """A property of members that does not stand in the way of a member of the same name."""

    member = None
    _name = None

    def __get__(self, instance, ownerclass=None):
        if instance is None:
            if self.member is not None:
                return self.member
            raise AttributeError("%r has no attribute %r" % (ownerclass, self._name))
        if self.fget is not None:
            return self.fget(instance)
        try:
            return instance.__dict__[self._name]
        except KeyError:
            raise AttributeError("%r member has no attribute %r" % (type(instance), self._name)) from None

    def __set__(self, instance, value):
        if self.fset is not None:
            return self.fset(instance, value)
        raise AttributeError("<enum %r> cannot set attribute %r" % (self.clsname, self._name))

    def __delete__(self, instance):
        if self.fdel is not None:
            return self.fdel(instance)
        raise AttributeError("<enum %r> cannot delete attribute %r" % (self.clsname, self._name))

    def __set_name__(self, ownerclass, name):
        self._name = name
        self.clsname = ownerclass.__name__


class EnumDict(dict):
    """The namespace of an enumeration's body: it notes which names are members."""

    def __init__(self, cls_name=None):
        super().__init__()
        self._member_names = {}
        self._last_values = []
        self._ignore = []
        self._generate = None
        self._cls_name = cls_name

    def __setitem__(self, key, value):
        if self._cls_name is not None and _is_private(self._cls_name, key):
            pass
        elif _is_sunder(key):
            if key not in (
                "_order_", "_generate_next_value_", "_numeric_repr_", "_missing_", "_ignore_", "_iter_member_",
                "_iter_member_by_value_", "_iter_member_by_def_", "_add_alias_", "_add_value_alias_",
                "_use_args_", "_member_type_", "_value_repr_",
            ):
                raise ValueError("_sunder_ names, such as %r, are reserved for future Enum use" % (key,))
            if key == "_generate_next_value_":
                self._generate = value.__func__ if isinstance(value, staticmethod) else value
            elif key == "_ignore_":
                value = value.replace(",", " ").split() if isinstance(value, str) else list(value)
                self._ignore = value
        elif _is_dunder(key):
            if key == "__order__":
                key = "_order_"
        elif key in self._member_names:
            raise TypeError("%r already defined as %r" % (key, self[key]))
        elif key in self._ignore:
            pass
        elif isinstance(value, nonmember):
            value = value.value
        elif _is_descriptor(value) and not isinstance(value, (member, auto)):
            pass
        else:
            if key in self:
                raise TypeError("%r already defined as %r" % (key, self[key]))
            if isinstance(value, member):
                value = value.value
            value = self._filled(key, value)
            self._member_names[key] = None
            self._last_values.append(value)
        super().__setitem__(key, value)

    def _filled(self, key, value):
        """The value with what `auto` asks for."""
        if isinstance(value, auto):
            if value.value is _AUTO:
                value.value = self._generate(key, 1, len(self._member_names), self._last_values[:])
            return value.value
        if type(value) is tuple and any([isinstance(item, auto) for item in value]):
            return tuple([self._filled(key, item) for item in value])
        return value

    @_builtin_property
    def member_names(self):
        return list(self._member_names)

    def update(self, members, *more_members):
        items = members.items() if hasattr(members, "keys") else members
        for name, value in items:
            self[name] = value


class EnumType(type):
    """The metaclass of enumerations."""

    @classmethod
    def __prepare__(metacls, cls, bases, /, **kwds):
        metacls._check_for_existing_members_(cls, bases)
        namespace = EnumDict(cls)
        member_type, first_enum = metacls._get_mixins_(cls, bases)
        if first_enum is not None:
            namespace["_generate_next_value_"] = getattr(first_enum, "_generate_next_value_", None)
        return namespace

    def __new__(metacls, cls, bases, classdict, /, *, boundary=None, _simple=False, **kwds):
        if Enum is None:
            classdict = dict(classdict)
            return super().__new__(metacls, cls, bases, classdict, **kwds)
        names = list(classdict._member_names)
        invalid = set(names) & {"mro", ""}
        if invalid:
            raise ValueError("invalid enum member name(s) %s" % ",".join([repr(n) for n in invalid]))
        order = classdict.pop("_order_", None)
        for name in classdict._ignore:
            classdict.pop(name, None)
        classdict.pop("_ignore_", None)
        generate = classdict.get("_generate_next_value_")
        namespace = {key: value for key, value in classdict.items() if key not in classdict._member_names}
        values = [classdict[name] for name in names]
        if generate is not None and not isinstance(generate, staticmethod):
            namespace["_generate_next_value_"] = staticmethod(generate)
        member_type, first_enum = metacls._get_mixins_(cls, bases)
        new, save_new, use_args = metacls._find_new_(namespace, member_type, first_enum)
        namespace["_new_member_"] = new
        namespace["_use_args_"] = use_args
        namespace["_member_names_"] = []
        namespace["_member_map_"] = {}
        namespace["_value2member_map_"] = {}
        namespace["_unhashable_values_"] = []
        namespace["_member_type_"] = member_type
        if "_value_repr_" not in namespace:
            namespace["_value_repr_"] = metacls._find_data_repr_(cls, bases)
        is_flag = Flag is not None and issubclass(first_enum, Flag)
        if is_flag or Flag is None:
            namespace["_boundary_"] = boundary or getattr(first_enum, "_boundary_", None)
            namespace["_flag_mask_"] = 0
            namespace["_singles_mask_"] = 0
            namespace["_all_bits_"] = 0
            namespace["_inverted_"] = None
        enum_class = super().__new__(metacls, cls, bases, namespace, **kwds)
        for name, value in zip(names, values):
            _add_member(enum_class, name, value)
        if member_type is not object:
            _keep_enum_methods(enum_class, namespace, first_enum, member_type)
        if save_new:
            enum_class.__new_member__ = new
        enum_class.__new__ = Enum.__new__
        if is_flag:
            _finish_flag(enum_class)
        if order is not None:
            if isinstance(order, str):
                order = order.replace(",", " ").split()
            listed = [name for name in enum_class._member_names_]
            if is_flag:
                order = [name for name in order if name in enum_class._member_map_]
            if listed != [name for name in order if name in listed or name not in enum_class._member_map_]:
                raise TypeError("member order does not match _order_:\n  %r\n  %r" % (listed, order))
        return enum_class

    def __bool__(cls):
        return True

    def __call__(cls, value=_AUTO, names=_AUTO, *values, module=None, qualname=None, type=None, start=1,
                 boundary=None):
        if cls._member_map_:
            if names is not _AUTO:
                value = (value, names) + values
            if value is _AUTO:
                raise TypeError(f"{cls.__name__}.__new__() missing 1 required positional argument: 'value'")
            return cls.__new__(cls, value)
        if names is _AUTO and type is None:
            # A class without members knows its values by `_missing_` alone.
            if "_missing_" in cls.__dict__:
                return cls.__new__(cls, value)
            raise TypeError(
                f"{cls} has no members; specify `names=()` if you meant to create a new, empty, enum"
            )
        return cls._create_(value, None if names is _AUTO else names, module=module, qualname=qualname,
                            type=type, start=start, boundary=boundary)

    def __contains__(cls, value):
        if isinstance(value, cls):
            return True
        try:
            cls(value)
            return True
        except ValueError:
            return value in cls._unhashable_values_

    def __delattr__(cls, attr):
        if attr in cls.__dict__.get("_member_map_", {}):
            raise AttributeError("%r cannot delete member %r." % (cls.__name__, attr))
        super().__delattr__(attr)

    def __setattr__(cls, name, value):
        if name in cls.__dict__.get("_member_map_", {}):
            raise AttributeError("cannot reassign member %r" % (name,))
        super().__setattr__(name, value)

    def __dir__(cls):
        return sorted(
            ["__class__", "__contains__", "__doc__", "__getitem__", "__init_subclass__", "__iter__", "__len__",
             "__members__", "__module__", "__name__", "__qualname__"] + cls._member_names_
        )

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __iter__(cls):
        return iter([cls._member_map_[name] for name in cls._member_names_])

    def __reversed__(cls):
        return iter([cls._member_map_[name] for name in reversed(cls._member_names_)])

    def __len__(cls):
        return len(cls._member_names_)

    @_builtin_property
    def __members__(cls):
        return _mappingproxy(cls._member_map_)

    def __repr__(cls):
        if Flag is not None and issubclass(cls, Flag):
            return "<flag %r>" % cls.__name__
        return "<enum %r>" % cls.__name__

    def _create_(cls, class_name, names, *, module=None, qualname=None, type=None, start=1, boundary=None):
        """The functional way to make an enumeration."""
        metacls = cls.__class__
        bases = (cls,) if type is None else (type, cls)
        classdict = metacls.__prepare__(class_name, bases)
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        if isinstance(names, (tuple, list)) and names and isinstance(names[0], str):
            original, names, last = names, [], []
            for count, name in enumerate(original):
                value = cls._generate_next_value_(name, start, count, last[:])
                last.append(value)
                names.append((name, value))
        if names is None:
            names = ()
        for item in names:
            if isinstance(item, str):
                name, value = item, names[item]
            else:
                name, value = item
            classdict[name] = value
        classdict["__module__"] = module or _caller_module()
        if qualname is not None:
            classdict["__qualname__"] = qualname
        return metacls.__new__(metacls, class_name, bases, classdict, boundary=boundary)

    @classmethod
    def _check_for_existing_members_(mcls, class_name, bases):
        for chain in bases:
            for base in chain.__mro__:
                if isinstance(base, EnumType) and base.__dict__.get("_member_names_"):
                    raise TypeError("<enum %r> cannot extend %r" % (class_name, base))

    @classmethod
    def _get_mixins_(mcls, class_name, bases):
        """The type that members are instances of beside, and the enumeration that this one derives from."""
        if not bases:
            return object, Enum
        first_enum = bases[-1]
        if not isinstance(first_enum, EnumType):
            raise TypeError("new enumerations should be created as `EnumName([mixin_type, ...] [data_type,] enum_type)`")
        return mcls._find_data_type_(class_name, bases) or object, first_enum

    @classmethod
    def _find_data_repr_(mcls, class_name, bases):
        for chain in bases:
            for base in chain.__mro__:
                if base is object:
                    continue
                if isinstance(base, EnumType):
                    return base.__dict__.get("_value_repr_") or None
                if "__repr__" in base.__dict__:
                    if "__dataclass_fields__" in base.__dict__ and "__dataclass_params__" in base.__dict__:
                        return _dataclass_repr
                    return base.__dict__["__repr__"]
        return None

    @classmethod
    def _find_data_type_(mcls, class_name, bases):
        found = []
        for chain in bases:
            candidate = None
            for base in chain.__mro__:
                if base is object:
                    continue
                if isinstance(base, EnumType):
                    if base._member_type_ is not object:
                        found.append(base._member_type_)
                        break
                elif "__new__" in base.__dict__ or "__dataclass_fields__" in base.__dict__:
                    found.append(candidate or base)
                    break
                else:
                    candidate = candidate or base
        found = list(dict.fromkeys(found))
        if len(found) > 1:
            raise TypeError("too many data types for %r: %r" % (class_name, set(found)))
        return found[0] if found else None

    @classmethod
    def _find_new_(mcls, classdict, member_type, first_enum):
        """What makes a member, whether it is to be kept, and whether it takes the value's parts."""
        new = classdict.get("__new__", None)
        save_new = first_enum is not None and new is not None
        if isinstance(new, staticmethod):
            new = new.__func__
        if new is None:
            for method in ("__new_member__", "__new__"):
                for possible in (member_type, first_enum):
                    target = getattr(possible, method, None)
                    if target not in (None, None.__new__, object.__new__, Enum.__new__):
                        new = target
                        break
                if new is not None:
                    break
            else:
                new = object.__new__
        use_args = first_enum is not None and new is not object.__new__
        return new, save_new, use_args

    def _add_member_(cls, name, member):
        found = None
        for base in cls.__mro__[1:]:
            attr = base.__dict__.get(name)
            if attr is not None:
                found = attr
                break
        if isinstance(found, property):
            redirect = property()
            redirect.fget, redirect.fset, redirect.fdel = found.fget, found.fset, found.fdel
            redirect.member = member
            redirect.__set_name__(cls, name)
            type.__setattr__(cls, name, redirect)
        else:
            type.__setattr__(cls, name, member)
        cls._member_map_[name] = member


EnumMeta = EnumType


def _caller_module():
    import sys
    try:
        return sys._getframemodulename(3) or "__main__"
    except AttributeError:
        return "__main__"


def _dataclass_repr(self):
    fields = self.__dataclass_fields__
    return ", ".join(["%s=%r" % (k, getattr(self, k)) for k in fields if fields[k].repr])


def _keep_enum_methods(enum_class, namespace, first_enum, member_type):
    """The enumeration's methods count before the mixed-in type's."""
    for name in ("__repr__", "__str__", "__format__", "__reduce_ex__"):
        if name in namespace:
            continue
        enum_method = getattr(first_enum, name)
        if getattr(enum_class, name, None) in (getattr(member_type, name, None), getattr(object, name, None)):
            type.__setattr__(enum_class, name, enum_method)
    if Flag is not None and issubclass(enum_class, Flag):
        for name in ("__or__", "__and__", "__xor__", "__ror__", "__rand__", "__rxor__", "__invert__"):
            if name not in namespace:
                type.__setattr__(enum_class, name, getattr(Flag, name))


def _add_member(enum_class, name, value):
    """Makes the member, or another name of the one that has the value already."""
    args = value if isinstance(value, tuple) else (value,)
    if enum_class._member_type_ is tuple:
        args = (args,)
    new = enum_class._new_member_
    if enum_class._use_args_:
        instance = new(enum_class, *args)
    else:
        instance = new(enum_class)
    if not hasattr(instance, "_value_"):
        member_type = enum_class._member_type_
        if member_type is object:
            instance._value_ = value
        else:
            try:
                instance._value_ = member_type(*args)
            except Exception as exc:
                raise TypeError("_value_ not set in __new__, unable to create it") from exc
    value = instance._value_
    instance._name_ = name
    instance.__objclass__ = enum_class
    instance.__init__(*args)
    instance._sort_order_ = len(enum_class._member_names_)
    is_flag = Flag is not None and issubclass(enum_class, Flag)
    canonical = None
    try:
        canonical = enum_class._value2member_map_.get(value)
        hashable = True
    except TypeError:
        hashable = False
        for other in enum_class._member_map_.values():
            if other._value_ == value:
                canonical = other
                break
    if canonical is not None:
        enum_class._add_member_(name, canonical)
        return
    if not is_flag or (isinstance(value, int) and _is_single_bit(value)):
        enum_class._member_names_.append(name)
    if is_flag and isinstance(value, int):
        enum_class._flag_mask_ |= value
        if _is_single_bit(value):
            enum_class._singles_mask_ |= value
        enum_class._all_bits_ = 2 ** enum_class._flag_mask_.bit_length() - 1
    enum_class._add_member_(name, instance)
    if hashable:
        enum_class._value2member_map_[value] = instance
    else:
        enum_class._unhashable_values_.append(value)


def _finish_flag(enum_class):
    # Iteration goes by value where the definition does not.
    values = [enum_class._member_map_[name]._value_ for name in enum_class._member_names_]
    if values != sorted(values):
        enum_class._iter_member_ = enum_class._iter_member_by_def_


class Enum(metaclass=EnumType):
    """A class to derive enumerations from."""

    def __new__(cls, value):
        if type(value) is cls:
            return value
        try:
            return cls._value2member_map_[value]
        except KeyError:
            pass
        except TypeError:
            for member in cls._member_map_.values():
                if member._value_ == value:
                    return member
        if not cls._member_map_:
            if "_missing_" not in cls.__dict__:
                raise TypeError("%r has no members defined" % cls)
        try:
            exc = None
            result = cls._missing_(value)
        except Exception as e:
            exc = e
            result = None
        try:
            if isinstance(result, cls):
                return result
            if Flag is not None and issubclass(cls, Flag) and cls._boundary_ is EJECT and isinstance(result, int):
                return result
            error = ValueError("%r is not a valid %s" % (value, cls.__qualname__))
            if result is None and exc is None:
                raise error
            if exc is None:
                exc = TypeError(
                    "error in %s._missing_: returned %r instead of None or a valid member" % (cls.__name__, result)
                )
            if not isinstance(exc, ValueError):
                exc.__context__ = error
            raise exc
        finally:
            exc = None
            error = None

    def __init__(self, *args, **kwds):
        pass

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        """The value of `auto`: one more than the largest before."""
        if not last_values:
            return start
        try:
            last_value = sorted(last_values).pop()
        except TypeError:
            raise TypeError("unable to sort non-numeric values") from None
        try:
            return last_value + 1
        except TypeError:
            raise TypeError("unable to increment %r" % (last_value,)) from None

    @classmethod
    def _missing_(cls, value):
        return None

    def _add_alias_(self, name):
        self.__class__._add_member_(name, self)

    def _add_value_alias_(self, value):
        self.__class__._value2member_map_[value] = self

    def __repr__(self):
        show = self.__class__._value_repr_ or repr
        return "<%s.%s: %s>" % (self.__class__.__name__, self._name_, show(self._value_))

    def __str__(self):
        return "%s.%s" % (self.__class__.__name__, self._name_)

    def __dir__(self):
        return ["__class__", "__doc__", "__eq__", "__hash__", "__module__", "name", "value"]

    def __format__(self, format_spec):
        return str.__format__(str(self), format_spec)

    def __hash__(self):
        return hash(self._name_)

    def __reduce_ex__(self, proto):
        return self.__class__, (self._value_,)

    def __deepcopy__(self, memo):
        return self

    def __copy__(self):
        return self

    @property
    def name(self):
        """The name of the member."""
        return self._name_

    @property
    def value(self):
        """The value of the member."""
        return self._value_


def _prepare_base(cls):
    # What `EnumType.__new__` gives every enumeration, for those that it makes first.
    type.__setattr__(cls, "_member_names_", [])
    type.__setattr__(cls, "_member_map_", {})
    type.__setattr__(cls, "_value2member_map_", {})
    type.__setattr__(cls, "_unhashable_values_", [])
    type.__setattr__(cls, "_member_type_", object)
    type.__setattr__(cls, "_value_repr_", None)
    type.__setattr__(cls, "_use_args_", False)


_prepare_base(Enum)


class ReprEnum(Enum):
    """An enumeration whose members are shown as the mixed-in type shows their values, except by `repr`."""


class FlagBoundary(Enum):
    """What becomes of a flag's bits that no member has."""

    STRICT = "strict"
    CONFORM = "conform"
    EJECT = "eject"
    KEEP = "keep"

    def __str__(self):
        return self._value_


STRICT, CONFORM, EJECT, KEEP = FlagBoundary


class IntEnum(int, ReprEnum):
    """An enumeration whose members are ints."""

    __str__ = int.__repr__
    __format__ = int.__format__


class StrEnum(str, ReprEnum):
    """An enumeration whose members are strings."""

    def __new__(cls, *values):
        if len(values) > 3:
            raise TypeError("too many arguments for str(): %r" % (values,))
        if len(values) == 1 and not isinstance(values[0], str):
            raise TypeError("%r is not a string" % (values[0],))
        value = str(*values)
        member = str.__new__(cls, value)
        member._value_ = value
        return member

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    __str__ = str.__str__
    __format__ = str.__format__


class Flag(Enum, boundary=STRICT):
    """An enumeration whose members can be combined bit by bit."""

    _numeric_repr_ = repr

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        """The value of `auto`: the next bit."""
        if not last_values:
            return start if start is not None else 1
        last_value = max(last_values)
        try:
            high_bit = last_value.bit_length() - 1
        except Exception:
            raise TypeError("invalid flag value %r" % last_value) from None
        return 2 ** (high_bit + 1)

    @classmethod
    def _iter_member_by_value_(cls, value):
        return iter([cls._value2member_map_[bit] for bit in _bits(value & cls._flag_mask_)
                     if bit in cls._value2member_map_])

    _iter_member_ = _iter_member_by_value_

    @classmethod
    def _iter_member_by_def_(cls, value):
        return iter(sorted(cls._iter_member_by_value_(value), key=lambda m: m._sort_order_))

    @classmethod
    def _missing_(cls, value):
        """The combination of members with this value."""
        if not isinstance(value, int):
            raise ValueError("%r is not a valid %s" % (value, cls.__qualname__))
        mask, singles, bits = cls._flag_mask_, cls._singles_mask_, cls._all_bits_
        negative = None
        if not ~bits <= value <= bits or value & (bits ^ mask):
            boundary = cls._boundary_
            if boundary is STRICT:
                max_bits = max(value.bit_length(), mask.bit_length())
                raise ValueError(
                    "%r invalid value %r\n    given %s\n  allowed %s"
                    % (cls, value, _to_binary(value, max_bits), _to_binary(mask, max_bits))
                )
            if boundary is CONFORM:
                value = value & mask
            elif boundary is EJECT:
                return value
            elif boundary is KEEP:
                if value < 0:
                    value = max(bits + 1, 2 ** value.bit_length()) + value
        if value < 0:
            negative = value
            value = bits + 1 + value
            if cls._boundary_ is not KEEP:
                value &= mask
            known = cls._value2member_map_.get(value)
            if known is not None:
                return known
        unknown = value & ~mask
        aliases = value & ~singles
        if cls._member_type_ is object:
            pseudo = object.__new__(cls)
        else:
            pseudo = cls._member_type_.__new__(cls, value)
        if not hasattr(pseudo, "_value_"):
            pseudo._value_ = value
        names = []
        if value:
            covered = 0
            for member in cls._iter_member_(value):
                names.append(member._name_)
                covered |= member._value_
            for name, member in cls._member_map_.items():
                if aliases and name not in names and member._value_ and member._value_ & aliases:
                    if member._value_ & value == member._value_ and member._value_ & ~covered:
                        names.append(name)
                        covered |= member._value_
            unknown = value & ~covered
        if value and names:
            pseudo._name_ = "|".join(names)
            if unknown:
                pseudo._name_ += "|%s" % cls._numeric_repr_(unknown)
        elif value and unknown:
            pseudo._name_ = None
        else:
            pseudo._name_ = None
        known = cls._value2member_map_.setdefault(value, pseudo)
        if negative is not None:
            cls._value2member_map_[negative] = known
        return known

    def __contains__(self, other):
        if not isinstance(other, self.__class__):
            raise TypeError(
                "unsupported operand type(s) for 'in': %r and %r"
                % (type(other).__qualname__, self.__class__.__qualname__)
            )
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return self._iter_member_(self._value_)

    def __len__(self):
        return self._value_.bit_count()

    def __repr__(self):
        show = self.__class__._value_repr_ or repr
        if self._name_ is None:
            return "<%s: %s>" % (self.__class__.__name__, show(self._value_))
        return "<%s.%s: %s>" % (self.__class__.__name__, self._name_, show(self._value_))

    def __str__(self):
        if self._name_ is None:
            return "%s(%r)" % (self.__class__.__name__, self._value_)
        return "%s.%s" % (self.__class__.__name__, self._name_)

    def __bool__(self):
        return bool(self._value_)

    def _get_value(self, flag):
        if isinstance(flag, self.__class__):
            return flag._value_
        if self._member_type_ is not object and isinstance(flag, self._member_type_):
            return flag
        return NotImplemented

    def __or__(self, other):
        other = self._get_value(other)
        if other is NotImplemented:
            return NotImplemented
        return self.__class__(self._value_ | other)

    def __and__(self, other):
        other = self._get_value(other)
        if other is NotImplemented:
            return NotImplemented
        return self.__class__(self._value_ & other)

    def __xor__(self, other):
        other = self._get_value(other)
        if other is NotImplemented:
            return NotImplemented
        return self.__class__(self._value_ ^ other)

    def __invert__(self):
        if self._boundary_ in (EJECT, KEEP):
            return self.__class__(~self._value_)
        return self.__class__(self._singles_mask_ & ~self._value_)

    __rand__ = __and__
    __ror__ = __or__
    __rxor__ = __xor__


class IntFlag(int, ReprEnum, Flag, boundary=KEEP):
    """Flags that are ints."""

    __str__ = int.__repr__
    __format__ = int.__format__


def unique(enumeration):
    """A class decorator: no two members may have the same value."""
    duplicates = []
    for name, member in enumeration.__members__.items():
        if name != member.name:
            duplicates.append((name, member.name))
    if duplicates:
        details = ", ".join(["%s -> %s" % pair for pair in duplicates])
        raise ValueError("duplicate values found in %r: %s" % (enumeration, details))
    return enumeration


class EnumCheck(StrEnum):
    """What `verify` can check."""

    CONTINUOUS = "no skipped integer values"
    NAMED_FLAGS = "multi-flag aliases may not contain unnamed flags"
    UNIQUE = "one name per value"


CONTINUOUS, NAMED_FLAGS, UNIQUE = EnumCheck


class verify:
    """A class decorator that checks an enumeration."""

    def __init__(self, *checks):
        self.checks = checks

    def __call__(self, enumeration):
        name = enumeration.__name__
        for check in self.checks:
            if check is UNIQUE:
                duplicates = [(n, m.name) for n, m in enumeration.__members__.items() if n != m.name]
                if duplicates:
                    details = ", ".join(["%s -> %s" % pair for pair in duplicates])
                    raise ValueError("aliases found in %r: %s" % (enumeration, details))
            elif check is CONTINUOUS:
                values = set([m.value for m in enumeration])
                if len(values) < 2:
                    continue
                low, high = min(values), max(values)
                if issubclass(enumeration, Flag):
                    wanted = [2 ** i for i in range(low.bit_length(), high.bit_length() - 1)]
                else:
                    wanted = range(low + 1, high)
                missing = [value for value in wanted if value not in values]
                if missing:
                    shown = ", ".join(map(str, missing))
                    raise ValueError(f"invalid {check.name.lower() and 'enum'} {name!r}: missing values {shown}")
        return enumeration


def global_enum(cls, update_str=False):
    """A class decorator that puts the members into the module too."""
    import sys
    sys.modules[cls.__module__].__dict__.update(cls.__members__)
    return cls


def show_flag_values(value):
    """The bits of a flag's value."""
    return _bits(int(value))
