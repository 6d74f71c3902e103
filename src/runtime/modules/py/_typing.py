"""Type parameters and type aliases, which the compiler makes too (`typevarobject.c`)."""

import sys as _sys

# Classes here are `typing`'s, which takes them over; a program that only uses the syntax does without the rest of it.
__name__ = "typing"


class _NoDefaultType:
    __slots__ = ()

    def __repr__(self):
        return "typing.NoDefault"

    def __reduce__(self):
        return "NoDefault"


NoDefault = _NoDefaultType()


def _convert(arg):
    if arg is None:
        return type(None)
    if isinstance(arg, str):
        import typing
        return typing.ForwardRef(arg)
    return arg


def _union(*parts):
    import typing
    return typing.Union[parts]


class _Lazy:
    """A value given as such, or as a function that is called when somebody asks."""

    __slots__ = ("value", "evaluate")

    def __init__(self, value=None, evaluate=None):
        self.value = value
        self.evaluate = evaluate

    def get(self):
        if self.evaluate is not None:
            self.value = self.evaluate(1)
            self.evaluate = None
        return self.value


class _TypeParameter:
    """What the kinds of type parameters have in common."""

    __module__ = "typing"

    def _set_up(self, name, default, module):
        if not isinstance(name, str):
            raise TypeError(f"{type(self).__name__.lower()}() argument 'name' must be str, not {type(name).__name__}")
        self.__name__ = name
        self._default = _Lazy(default)
        if module is not None:
            self.__module__ = module

    @property
    def __default__(self):
        return self._default.get()

    def has_default(self):
        return self._default.evaluate is not None or self._default.value is not NoDefault

    def __or__(self, other):
        return _union(self, other)

    def __ror__(self, other):
        return _union(other, self)

    def __reduce__(self):
        return self.__name__

    def __mro_entries__(self, bases):
        raise TypeError(f"Cannot subclass an instance of {type(self).__name__}")

    def __typing_prepare_subst__(self, alias, args):
        index = alias.__parameters__.index(self)
        if index < len(args):
            return args
        if index == len(args) and self.has_default():
            return (*args, self.__default__)
        raise TypeError(f"Too few arguments for {alias}; actual {len(args)}, expected at least {index + 1}")


class TypeVar(_TypeParameter):
    """A variable that stands for a type."""

    def __init__(self, name, *constraints, bound=None, default=NoDefault, covariant=False, contravariant=False,
                 infer_variance=False):
        if covariant and contravariant:
            raise ValueError("Bivariant types are not supported.")
        if infer_variance and (covariant or contravariant):
            raise ValueError("Variance cannot be specified with infer_variance.")
        if len(constraints) == 1:
            raise TypeError("A single constraint is not allowed")
        if constraints and bound is not None:
            raise TypeError("Constraints cannot be combined with bound=...")
        self._set_up(name, default, _sys._getframemodulename(1))
        self._constraints = _Lazy(constraints)
        self._bound = _Lazy(_convert(bound) if bound is not None else None)
        self.__covariant__ = bool(covariant)
        self.__contravariant__ = bool(contravariant)
        self.__infer_variance__ = bool(infer_variance)

    @property
    def __bound__(self):
        return self._bound.get()

    @property
    def __constraints__(self):
        return self._constraints.get()

    def __repr__(self):
        sign = "+" if self.__covariant__ else "-" if self.__contravariant__ else "~"
        return ("" if self.__infer_variance__ else sign) + self.__name__

    def __typing_subst__(self, arg):
        return _convert(arg)


class _ParamSpecPart:
    def __init__(self, origin):
        self.__origin__ = origin

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return self.__origin__ == other.__origin__

    def __hash__(self):
        return hash(self.__origin__)

    def __repr__(self):
        return f"{self.__origin__.__name__}.{self._part}"


class ParamSpecArgs(_ParamSpecPart):
    _part = "args"


class ParamSpecKwargs(_ParamSpecPart):
    _part = "kwargs"


class ParamSpec(_TypeParameter):
    """A variable that stands for the parameters of a function."""

    def __init__(self, name, *, bound=None, default=NoDefault, covariant=False, contravariant=False,
                 infer_variance=False):
        self._set_up(name, default, _sys._getframemodulename(1))
        self.__bound__ = _convert(bound) if bound is not None else None
        self.__covariant__ = bool(covariant)
        self.__contravariant__ = bool(contravariant)
        self.__infer_variance__ = bool(infer_variance)

    @property
    def args(self):
        return ParamSpecArgs(self)

    @property
    def kwargs(self):
        return ParamSpecKwargs(self)

    def __repr__(self):
        return TypeVar.__repr__(self)

    def __typing_subst__(self, arg):
        return arg

    def __typing_prepare_subst__(self, alias, args):
        # The only parameter may be given without the brackets of its list.
        if len(alias.__parameters__) == 1 and not (args and isinstance(args[0], (list, tuple))) and args != (...,):
            return (list(args),)
        return super().__typing_prepare_subst__(alias, args)


class TypeVarTuple(_TypeParameter):
    """A variable that stands for several types."""

    def __init__(self, name, *, default=NoDefault):
        self._set_up(name, default, _sys._getframemodulename(1))

    def __repr__(self):
        return self.__name__

    def __iter__(self):
        import typing
        yield typing.Unpack[self]

    def __typing_subst__(self, arg):
        raise TypeError("Substitution of bare TypeVarTuple is not supported")


class TypeAliasType:
    """What a `type` statement makes."""

    __module__ = "typing"

    def __init__(self, name, value, *, type_params=()):
        if not isinstance(type_params, tuple):
            raise TypeError("type_params must be a tuple")
        self._fill(name, _Lazy(value), type_params)
        self.__module__ = _sys._getframemodulename(1)

    def _fill(self, name, value, type_params):
        self.__name__ = name
        self._value = value
        self.__type_params__ = type_params

    @property
    def __value__(self):
        return self._value.get()

    @property
    def __parameters__(self):
        return self.__type_params__

    def __repr__(self):
        return self.__name__

    def __getitem__(self, args):
        if not self.__type_params__:
            raise TypeError("Only generic type aliases are subscriptable")
        return _GenericAlias(self, args)

    __or__ = _TypeParameter.__or__
    __ror__ = _TypeParameter.__ror__
    __reduce__ = _TypeParameter.__reduce__


_GenericAlias = type(list[int])


# ---- what the compiler's intrinsics call

def _typevar(name):
    result = TypeVar(name, infer_variance=True)
    del result.__module__
    return result


def _typevar_with_bound(name, evaluate):
    result = _typevar(name)
    result._bound = _Lazy(None, evaluate)
    return result


def _typevar_with_constraints(name, evaluate):
    result = _typevar(name)
    result._constraints = _Lazy(None, evaluate)
    return result


def _paramspec(name):
    result = ParamSpec(name, infer_variance=True)
    del result.__module__
    return result


def _typevartuple(name):
    result = TypeVarTuple(name)
    del result.__module__
    return result


def _set_typeparam_default(parameter, evaluate):
    parameter._default = _Lazy(None, evaluate)
    return parameter


def _subscript_generic(parameters):
    from typing import Generic, Unpack
    return Generic[tuple([Unpack[p] if isinstance(p, TypeVarTuple) else p for p in parameters])]


def _typealias(parts):
    name, parameters, evaluate = parts
    result = TypeAliasType.__new__(TypeAliasType)
    result._fill(name, _Lazy(None, evaluate), parameters or ())
    result.__module__ = _sys._getframemodulename(1)
    return result
