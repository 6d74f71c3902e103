def t(f, *a, **k):
    try: print(f(*a, **k))
    except Exception as e: print(type(e).__name__, e)
b = bytearray(b'hello'); print(b, len(b), b[0], b[-1], b[1:3], b[::-1], b[::2], list(b), 104 in b, b'ell' in b)
b[0] = 72; b[1:3] = b'EEE'; print(b); del b[0]; del b[0:2]; print(b); b.append(33); b.extend(b'xyz'); b.extend([1, 2]); print(b); b.insert(0, 65); b.insert(-1, 66); b.insert(100, 67); print(b, b.pop(), b.pop(0), b); b.remove(33); b.reverse(); print(b)
b += b'123'; b *= 2; print(b, b + b'z', b'z' + b, b * 2, b == bytes(b), b == bytearray(b), b < b'zzz', b != b'')
b[::2] = bytes(len(b[::2])); print(b); del b[::3]; print(b); b.clear(); print(b, bool(b), bytearray(3), bytearray([1,2]), bytearray('ü', 'utf-8'), bytearray(b), bytearray(range(3)))
x = bytearray(b'a,b,c'); print(x.split(b','), x.partition(b','), x.upper(), x.replace(b',', b';'), x.find(b'b'), x.index(b'c'), x.count(b','), x.startswith(b'a'), x.hex(), x.decode(), bytearray(b' ').join([b'1', bytearray(b'2')]), x.title(), x.center(9, b'*'), x.zfill(8), x.translate(None, b','), bytearray.fromhex('0aff'), x.copy(), x.isalpha(), x.strip(b'a'), x.rsplit(b',', 1), x.splitlines())
t(bytearray, 'a'); t(bytearray, -1); t(bytearray, 1.5); t(bytearray, [300]); t(bytearray, ['a']); t(bytearray, b'', 'utf8'); t(lambda: x[10]); t(lambda: x['a']); t(x.__setitem__, 0, 300); t(x.__setitem__, 0, 'a'); t(x.__setitem__, slice(0, 1), 5); t(x.__setitem__, slice(0, 4, 2), b'abc'); t(x.append, 256); t(x.append, 'a'); t(x.pop, 99); t(bytearray().pop); t(x.remove, 0); t(x.extend, 'a'); t(x.extend, 5); t(hash, x); t(lambda: x + 'a'); t(lambda: x + 1); t(x.index, b'zz'); t(lambda: 'a' in x)
class B(bytearray):
    def f(self): return 1
s = B(b'q'); s.a = 1; print(s, s.f(), s.a, s + b'1', type(s + b'1'), type(s[:1]), type(s.upper()))
for c in bytearray(b'ab'): print(c)
y = bytearray(b'abc'); y[1:1] = y; print(y); y[:] = b''; print(y); y.resize(3); print(y)
print(b''.join([bytearray(b'x'), b'y']), b'abc'.find(bytearray(b'c')), bytes(bytearray(b'k')), int(bytearray(b'12')), isinstance(y, bytes), sorted(bytearray(b'cab')), max(bytearray(b'cab')))
print(int.from_bytes(bytearray(b'\x01\x02'), 'big'), b'%d' if 0 else 1, bytearray(b'x') in [b'x'], {b'x': 1}.get(bytes(bytearray(b'x'))))
