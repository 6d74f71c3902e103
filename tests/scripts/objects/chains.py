# Many iterators, proxies or slices in each other are advanced, measured or hashed by native code alone.
import functools, itertools, types
N = 100_000
def t(name, f):
    try: f()
    except RecursionError: print(name, 'RecursionError')
    else: print(name, 'ok')
def chain(make, end): return functools.reduce(lambda inner, _: make(inner), range(N), end)
for name, make in [('map', lambda i: map(str, i)), ('filter', lambda i: filter(None, i)), ('zip', zip), ('enumerate', enumerate),
                   ('chain', itertools.chain), ('islice', lambda i: itertools.islice(i, 9)), ('takewhile', lambda i: itertools.takewhile(str, i)),
                   ('accumulate', itertools.accumulate), ('cycle', itertools.cycle), ('pairwise', itertools.pairwise)]:
    t(name, lambda: next(chain(make, iter((1, 2)))))
t('proxies', lambda: len(chain(types.MappingProxyType, {})))
t('slices', lambda: hash(chain(slice, 0)))
