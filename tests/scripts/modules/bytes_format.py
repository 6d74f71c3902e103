def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
t(lambda: b'%d %s %b %r %a %c %x %5d|%-5d|%05d' % (1, b'ab', b'c', 'é', [1], 65, 255, 3, 4, 5)); t(lambda: b'%(a)s %(b)d' % {b'a': b'x', b'b': 3}); t(lambda: b'%s' % 'a'); t(lambda: b'%s' % (1,)); t(lambda: b'%c' % b'z'); t(lambda: b'%c' % 300); t(lambda: b'%c' % b'zz'); t(lambda: b'%.2f %e' % (1.5, 2)); t(lambda: b'%s %s' % (b'a',)); t(lambda: b'a' % 1); t(lambda: b'%%' % ()); t(lambda: bytearray(b'%s!') % b'x'); t(lambda: b'%5s|%-5s|%.1s' % (b'ab', b'cd', b'xy')); t(lambda: b'%z' % 1)
class B:
    def __bytes__(self): return b'BB'
t(lambda: b'%b' % B()); t(lambda: b'%s' % bytearray(b'q')); t(lambda: b'%*d' % (4, 1)); t(lambda: b'\xff%s' % b'\x80'); t(lambda: b'%d' % 'a'); t(lambda: b'%x' % 1.5)
