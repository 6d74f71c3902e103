import json
def t(f, *a, **k):
    try: print(repr(f(*a, **k)))
    except Exception as e: print(type(e).__name__, e, getattr(e, '__notes__', ''))
for v in (None, True, 1, -5, 1.5, 1e100, 'a"b\\\n\tü\U0001f600\x01\x7f', [], {}, [1, [2, {'a': None}]], {'b': 1, 'a': [1, 2]}, (1, 2), {1: 2, 1.5: 3, True: 4, None: 5}, float('nan'), float('inf'), 2**70):
    t(json.dumps, v); t(json.dumps, v, indent=2); t(json.dumps, v, ensure_ascii=False)
t(json.dumps, {'b': 1, 'a': 2}, sort_keys=True); t(json.dumps, [1, {'a': 2}], separators=(',', ':')); t(json.dumps, [1, 2], indent='\t'); t(json.dumps, {'a': []}, indent=1); t(json.dumps, object()); t(json.dumps, {'a': [1, {2}]}); t(json.dumps, {(1,): 2}); t(json.dumps, {(1,): 2, 'a': 1}, skipkeys=True); t(json.dumps, float('nan'), allow_nan=False); t(json.dumps, {1}, default=list); t(json.dumps, 3j, default=lambda o: [o.real])
l = []; l.append(l); t(json.dumps, l); d = {}; d['x'] = d; t(json.dumps, d)
for s in ('null', ' [1, 2.5, -3e2, "a\\u00e9\\ud83d\\ude00\\n", true, false, {"a": {}, "b": []}] ', '1', '"x"', '-0', '-0.0', '1E5', 'NaN', '-Infinity', '123456789012345678901234567890', '[]', '{}', '', ' ', '[1,', '[1', '[1 2]', '{"a"}', '{"a":}', '{"a":1,}', '[1,]', '{a:1}', '{1:1}', 'nul', '01', '1.', '.5', '-', '"abc', '"a\nb"', '"\\x"', '"\\u12"', '[1] x', "{'a': 1}", '\ufeff1', '{"a":1 "b"}', '[', '{', '{"a"', '{"a":1', '"\\', 'tru', '[\n1,\n2,\n x]'):
    t(json.loads, s)
t(json.loads, b'{"a": 1}'); t(json.loads, bytearray(b'[1]')); t(json.loads, 5); t(json.loads, '{"a": 1, "b": [2]}', object_hook=lambda d: sorted(d.items())); t(json.loads, '{"a": 1, "a": 2}', object_pairs_hook=list); t(json.loads, '[1.5, 2]', parse_float=str, parse_int=lambda s: 'i' + s); t(json.loads, '[NaN]', parse_constant=lambda s: s)
try: json.loads('[1,\n 2,}')
except json.JSONDecodeError as e: print(e.msg, e.pos, e.lineno, e.colno, repr(e.doc))
class E(json.JSONEncoder):
    def default(self, o): return {'c': [o.real, o.imag]} if isinstance(o, complex) else super().default(o)
t(json.dumps, [1j], cls=E); t(json.dumps, [{1}], cls=E)
print(list(json.JSONEncoder().iterencode([1])), json.JSONDecoder().raw_decode('[1] x'))
import io
b = io.StringIO(); json.dump({'a': [1, 2]}, b); print(b.getvalue()); b.seek(0); print(json.load(b))
from enum import IntEnum
class I(IntEnum): A = 1
class S(str): pass
class F(float): pass
print(json.dumps([I.A, S('x'), F(1.5), {I.A: 1, S('k'): 2}]))
