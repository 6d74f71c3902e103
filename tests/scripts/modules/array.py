from array import array, typecodes
import array as am
def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
a = array('i', [1, 2, 3]); a.append(4); print(a, len(a), a[0], a[-1], a[1:3], a[::-1], a.typecode, a.itemsize, list(a), 2 in a, a.tolist())
a[0] = 9; a[1:2] = array('i', [7, 7]); print(a); del a[0]; del a[::2]; print(a); a.insert(0, 5); a.extend([1, 2]); print(a, a.pop(), a.pop(0), a.index(7), a.count(7)); a.remove(7); a.reverse(); print(a)
d = array('d', [1.5, 2]); print(d, d * 2, d + d, array('d'), d == array('d', [1.5, 2.0]), d < array('d', [9]), array('f', [0.1])[0], d.tobytes() == bytes(d.tobytes())); d += array('d', [3]); d *= 2; print(d)
print(array('b', b'\x01\xff'), array('B', [255]), array('w', 'héy'), array('w', 'ab').tounicode(), array('q', [2**62]), array('Q', [2**64 - 1]), array('H', [65535]), array('h', (1, 2)), array('i', array('d', [])) , typecodes)
t(array, 'i', [1.5]); t(array, 'x'); t(array, 'ii'); t(array, 'b', [200]); t(array, 'B', [-1]); t(array, 'B', [256]); t(array, 'h', [40000]); t(array, 'H', [-1]); t(array, 'd', ['a']); t(array, 'i', 'abc'); t(lambda: a[99]); t(a.__setitem__, 99, 1); t(lambda: a['x']); t(a.pop, 99); t(array('i').pop); t(a.remove, 99); t(a.index, 99); t(lambda: a + [1]); t(lambda: a + array('d')); t(a.__setitem__, slice(0, 1), [1]); t(hash, a); t(a.extend, array('d')); t(a.append, 'a'); t(array); t(a.fromlist, [1, 'a']); print(a); t(array, 'i', b'abc')
x = array('i', [1, 2]); x.frombytes(array('i', [3]).tobytes()); x.fromlist([4]); print(x, x.buffer_info()[1]); x.byteswap(); print(x[0]); import copy; print(copy.copy(d), copy.deepcopy(d) is d)
class A(array): pass
s = A('i', [1]); s.z = 1; print(s, s.z, type(s[:1]), am.ArrayType is array, array)
for i in array('i', [1, 2]): print(i)
print(max(array('d', [1, 5, 2])), sum(array('i', range(10))), sorted(array('i', [3, 1])), tuple(array('b', [1])))
