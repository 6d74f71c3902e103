"""Lines of source files by number."""

import _traceback

__all__ = ["getline", "clearcache", "checkcache", "lazycache"]

# Lines that a program has put there itself: size, time, lines, full name.
cache = {}


def getlines(filename, module_globals=None):
    """All lines of a file; none if there is no such file."""
    if filename in cache and len(cache[filename]) != 1:
        return cache[filename][2]
    lines = _traceback.lines(filename)
    if lines is None:
        return []
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return lines


def getline(filename, lineno, module_globals=None):
    """One line with its end, or an empty string."""
    lines = getlines(filename, module_globals)
    return lines[lineno - 1] if 1 <= lineno <= len(lines) else ""


def clearcache():
    cache.clear()


def checkcache(filename=None):
    """Files are read once."""


def lazycache(filename, module_globals):
    return False


def updatecache(filename, module_globals=None):
    return getlines(filename, module_globals)
