for f in (lambda: [].insert(2**100, 1), lambda: [].insert(-2**100, 1), lambda: [1].pop(2**100), lambda: [1][2**100], lambda: [1].insert('a', 1), lambda: [1,2].index(1, -2**100, 2**100), lambda: [1]*2**100, lambda: (1,)*2**100, lambda: 'a'*2**100, lambda: b'a'*2**100):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
