def t(f):
    try: print(repr(f()))
    except BaseException as e: print(type(e).__name__, e)
import sys
t(lambda: str(1, 2)); t(lambda: str(b'a', 2)); t(lambda: str(b'a', 'ascii', 3)); t(lambda: str(1, 'ascii')); t(lambda: str('a', 'ascii'))
t(lambda: str(1,2,3,4)); t(lambda: str(x=1)); t(lambda: str(object=1)); t(lambda: str(encoding='ascii')); t(lambda: str(b'a', errors='strict'))
t(lambda: type(1, b=5)); t(lambda: type(1, 2)); t(lambda: type()); t(lambda: type(1,2,3)); t(lambda: type('a',2,3)); t(lambda: type('a',(),3)); t(lambda: type('a',(1,),{})); t(lambda: type('a', (), {}, x=1)); t(lambda: type(x=1)); t(lambda: type(1,2,3,4))
t(lambda: (1,2)[2**70]); t(lambda: [1][2**70]); t(lambda: 'a'[2**70]); t(lambda: b'a'[2**70]); t(lambda: range(3)[2**70]); t(lambda: bytearray(b'a')[-2**70])
def s(o, i, v):
    try: o[i] = v; print(o)
    except BaseException as e: print(type(e).__name__, e)
    try: del o[i]; print(o)
    except BaseException as e: print(type(e).__name__, e)
for o in ((1,2), [1], 'a', b'a', bytearray(b'a'), range(3), {1:2}, {1}, 5, None, len):
    for i in (2**70, 'x', 1.5, slice(0, 1), None, 0):
        s(o, i, 5)
