"""Weak references, and containers that hold their contents weakly."""

from _weakref import ReferenceType, getweakrefcount, getweakrefs, ref

__all__ = [
    "ref", "proxy", "getweakrefcount", "getweakrefs", "WeakKeyDictionary", "ReferenceType", "ProxyType",
    "CallableProxyType", "ProxyTypes", "WeakValueDictionary", "WeakSet", "WeakMethod", "finalize",
]


def __getattr__(name):
    # The containers rest on abstract base classes and are loaded when they are asked for.
    if name in __all__ or name == "KeyedRef":
        import _weakref_containers as containers
        value = getattr(containers, name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'weakref' has no attribute {name!r}")
