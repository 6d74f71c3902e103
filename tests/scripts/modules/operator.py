import operator
from operator import *
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
t(add, 1, 2); t(add, 1); t(sub, 5, 3); t(mul, 'a', 3); t(floordiv, 7, 2); t(truediv, 7, 2); t(mod, 7, 4); t(pow, 2, 10); t(matmul, 1, 2)
t(lshift, 1, 4); t(and_, 6, 3); t(or_, 6, 3); t(xor, 6, 3); t(inv, 5); t(neg, 5); t(pos, -3); t(abs, -3); t(index, True); t(index, 1.0)
t(not_, []); t(truth, []); t(is_, 1, 1); t(is_not, 1, 2); t(concat, [1], [2]); t(concat, 1, 2); t(contains, [1,2], 1); t(countOf, [1,2,1], 1); t(indexOf, [1,2,1], 2); t(indexOf, [1], 5)
t(getitem, [1,2], 0); t(getitem, {}, 'a'); l=[1,2,3]; setitem(l, 0, 9); delitem(l, 1); print(l)
t(itemgetter(1), 'abc'); t(itemgetter(1,2), 'abc'); t(itemgetter(5), 'abc'); t(itemgetter); t(itemgetter('x'), {'x': 5}); t(itemgetter(slice(1,3)), 'abcdef')
t(attrgetter('real'), 3); t(attrgetter('real.imag', 'imag'), 3); t(attrgetter('foo'), 3); t(attrgetter, 1); t(attrgetter)
t(methodcaller('upper'), 'abc'); t(methodcaller('split', ',', maxsplit=1), 'a,b,c'); t(methodcaller); t(methodcaller, 1); t(methodcaller('foo'), 1)
print(itemgetter(1), itemgetter(1, 'a'), attrgetter('a.b', 'c'), methodcaller('f', 1, x=2))
t(iadd, [1], [2]); t(lt, 1, 2); t(eq, 1, 1.0); t(lt, 1, 'a'); t(length_hint, [1,2]); t(length_hint, 1); t(length_hint, 1, 'a'); t(call, len, [1]); t(call)
print(operator.__add__(1, 2), operator.__not__(0), operator.__getitem__([5],0)); t(operator.is_none, None); t(isub, 5, 3)
print(add, itemgetter, add.__name__, add.__module__)
t(itemgetter(1), 'abc', 2); t(itemgetter(1), x=1)
print(sorted([(1,'b'),(2,'a')], key=itemgetter(1)))
