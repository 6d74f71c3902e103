import heapq, bisect, gc, weakref
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
h = []
for x in [5, 3, 8, 1, 9, 2]: heapq.heappush(h, x)
print(h, heapq.heappop(h), h, heapq.heapreplace(h, 7), heapq.heappushpop(h, 0), h)
l = [9, 8, 7, 6, 5, 4, 3]; heapq.heapify(l); print(l, heapq.nsmallest(3, l), heapq.nlargest(2, l), heapq.nlargest(1, l), heapq.nsmallest(1, []))
m = [1, 5, 2, 8]; heapq.heapify_max(m); print(m, heapq.heappop_max(m), m); heapq.heappush_max(m, 7); print(m, heapq.heapreplace_max(m, 0), heapq.heappushpop_max(m, 99))
t(heapq.heappop, []); t(heapq.heappush, 1, 2); t(heapq.heapreplace, [], 1); t(heapq.heappush, [1], 'a'); t(heapq.heapify, (1,))
class Bad:
    def __init__(self, l): self.l = l
    def __lt__(self, o): self.l.clear(); return True
bad = []; bad += [Bad(bad), Bad(bad), Bad(bad)]; t(heapq.heapify, bad)
a = [1, 2, 2, 3]
print(bisect.bisect(a, 2), bisect.bisect_left(a, 2), bisect.bisect_right(a, 2), bisect.bisect(a, 2, 0, 2), bisect.bisect([(1,'a'),(3,'b')], 2, key=lambda p: p[0]))
bisect.insort(a, 2.5); bisect.insort_left(a, 0); print(a); t(bisect.bisect, a, 1, -1); t(bisect.bisect, a); t(bisect.bisect, 5, 1); t(bisect.bisect, a, 'x')
w = [(3, 'c')]; bisect.insort(w, (1, 'a'), key=lambda p: p[0]); print(w)
print(gc.isenabled(), gc.get_threshold()); gc.disable(); print(gc.isenabled()); gc.enable(); gc.set_threshold(500, 5); print(gc.get_threshold()); gc.collect()
class N: pass
a = N(); a.me = a; r = weakref.ref(a); del a; print(r() is not None, gc.collect() > 0, r()); print(gc.is_tracked([]), gc.is_tracked(1), gc.garbage, gc.callbacks, len(gc.get_referents([1, 'a']))); t(gc.collect, 5); print(len(gc.get_stats()), gc.get_debug(), gc.get_freeze_count())
x = []; y = [x]; print(any(o is y for o in gc.get_referrers(x)) if False else y in gc.get_referrers(x))
class Cell:
    alive = 0
    def __init__(self): Cell.alive += 1; self.pad = [0] * 50; self.me = self
    def __del__(self): Cell.alive -= 1
for i in range(30000): Cell()
print(Cell.alive < 30000)
