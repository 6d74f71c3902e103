"""Operators as functions."""

from _operator import *
from _operator import (
    __abs__, __add__, __and__, __call__, __concat__, __contains__, __delitem__, __eq__, __floordiv__, __ge__,
    __getitem__, __gt__, __iadd__, __iand__, __iconcat__, __ifloordiv__, __ilshift__, __imatmul__, __imod__,
    __imul__, __index__, __inv__, __invert__, __ior__, __ipow__, __irshift__, __isub__, __itruediv__, __ixor__,
    __le__, __lshift__, __lt__, __matmul__, __mod__, __mul__, __ne__, __neg__, __not__, __or__, __pos__, __pow__,
    __rshift__, __setitem__, __sub__, __truediv__, __xor__,
)
