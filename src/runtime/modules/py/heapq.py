"""Heaps in lists."""

__all__ = [
    "heappush", "heappop", "heapify", "heapreplace", "merge", "nlargest", "nsmallest", "heappushpop", "heappush_max",
    "heappop_max", "heapify_max", "heapreplace_max", "heappushpop_max",
]

from _heapq import (
    heapify, heapify_max, heappop, heappop_max, heappush, heappush_max, heappushpop, heappushpop_max, heapreplace,
    heapreplace_max,
)


def merge(*iterables, key=None, reverse=False):
    """The items of sorted inputs as one sorted stream."""
    heap = []
    if reverse:
        fix, drop, replace, direction = heapify_max, heappop_max, heapreplace_max, -1
    else:
        fix, drop, replace, direction = heapify, heappop, heapreplace, 1
    # Equal items come in the order of their inputs: the second part of an entry decides.
    for order, iterator in enumerate(map(iter, iterables)):
        try:
            value = next(iterator)
        except StopIteration:
            continue
        rank = value if key is None else key(value)
        heap.append([rank, order * direction, value, iterator])
    fix(heap)
    while len(heap) > 1:
        try:
            while True:
                entry = heap[0]
                yield entry[2]
                value = next(entry[3])
                entry[2] = value
                entry[0] = value if key is None else key(value)
                replace(heap, entry)
        except StopIteration:
            drop(heap)
    if heap:
        entry = heap[0]
        yield entry[2]
        yield from entry[3]


def nsmallest(n, iterable, key=None):
    """The n smallest items, as `sorted(iterable, key=key)[:n]`."""
    if n == 1:
        missing = object()
        result = min(iterable, default=missing, key=key)
        return [] if result is missing else [result]
    return sorted(iterable, key=key)[:max(n, 0)]


def nlargest(n, iterable, key=None):
    """The n largest items, as `sorted(iterable, key=key, reverse=True)[:n]`."""
    if n == 1:
        missing = object()
        result = max(iterable, default=missing, key=key)
        return [] if result is missing else [result]
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]
