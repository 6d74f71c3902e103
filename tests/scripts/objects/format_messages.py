def t(f):
    try: print(ascii(f()))
    except Exception as e: print(type(e).__name__, e)
for s in ('%5%', '%-%', '%%', '%#%', '%.2%', '%(a)%', '%l%', '%*%', '%0%'):
    for v in (42, (), (1,), {'a': 1}, {}, (1, 2)):
        print(s, v, end=' '); t(lambda: s % v)
        print(s, v, end=' '); t(lambda: s.encode() % v)
for s in (',', '_', ',s', '_s', ',d', '10,', '+', '=', '0', '05', '\0>5', '\0<7', '\0^5'):
    for v in ('x', 1, 1.5, 1j, True): print(ascii(s), repr(v), end=' '); t(lambda: format(v, s))
for s in ('c', '10c', '<4c', '^4c', '04c', '>3c', '=4c', ',c', '.2c', '*^5c'):
    for v in (65, True, -1, 0x110000, 2**70, 0x20ac): print(s, v, end=' '); t(lambda: format(v, s))
