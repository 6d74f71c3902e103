import gc
def t(f, *a):
    try: r = f(*a)
    except BaseException as e: print(type(e).__name__, e)
    else: print(repr(r))
print(gc.isenabled(), gc.get_threshold())
for bad in [(), (1, 2, 3, 4), (1.5,), ('a',)]:
    t(gc.set_threshold, *bad)
gc.set_threshold(1000, 5, 5); print(gc.get_threshold()); gc.set_threshold(2000, 10, 0)
log = []
class A: pass
def cycles(n):
    for _ in range(n):
        a = A(); a.a = a
gc.collect(); gc.disable(); cycles(10)
gc.callbacks.append(lambda phase, info: log.append((phase, info['generation'], info['collected'], info['uncollectable'])))
print(gc.collect(), log)
log.clear(); print(gc.collect(1), [entry[:2] for entry in log])
gc.callbacks.clear(); gc.enable()
n = 0
class D:
    def __del__(self):
        global n
        n += 1
gc.set_threshold(50)
for _ in range(20000):
    d = D(); d.d = d
d = None
print(n > 1000)
gc.set_threshold(0); gc.collect(); n = 0
for _ in range(20000):
    d = D(); d.d = d
d = None
print(n); gc.collect(); print(n)
gc.set_threshold(2000, 10, 0)
print(gc.is_tracked([]), gc.is_tracked({}), gc.is_tracked(()), gc.is_tracked(1), gc.is_tracked('a'), gc.is_tracked({1: 1}), gc.is_tracked(([],)), gc.is_tracked(A()), gc.is_tracked(A))
gc.collect(); before = gc.get_count()[0]; keep = [[] for _ in range(50)]; print(gc.get_count()[0] - before >= 50)
print(gc.freeze(), gc.get_freeze_count() > 0, gc.unfreeze(), gc.get_freeze_count())
t(gc.collect, 5); t(gc.collect, 'a'); t(gc.get_objects, 7); t(gc.get_objects, -2)
gc.set_debug(gc.DEBUG_SAVEALL); cycles(3); print(gc.collect(), [type(g).__name__ for g in gc.garbage if isinstance(g, A)], gc.get_debug()); gc.set_debug(0); gc.garbage.clear(); print(gc.collect() >= 3)
x = [l := []]; print(any(r is x for r in gc.get_referrers(l)), gc.get_referents(x) == [l], [sorted(s) for s in gc.get_stats()])
