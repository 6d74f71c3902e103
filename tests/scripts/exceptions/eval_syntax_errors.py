import traceback
for src in ['1 +', 'x = ', 'if', '(1', "'abc", '1 1', 'a b', 'def f(', ')', '1 = 2', 'f() = 1', 'x = 1 +\n', 'for', 'class', '  1', 'a\n  b', 'return 1', 'yield 1', '\x00', 'é +', '"""abc', 'f(a=1, 2)', 'x ==', '[1, 2', '{1: 2', 'f"{x"', '0777', '1__0', '1.e', '0x', '$', '?', '!', 'a?', 'del 1', 'nonlocal x', 'break', 'import', 'from x import', 'with', 'async', '*a', '**a', 'x: int: 5', 'a, b += 1', 'None = 1', 'True: int', 'not', '\\ x', '"\\N{foo}"', 'b"é"', "'\\xz'"]:
    for kind, g in (('eval', eval),):
        try:
            g(src)
        except SyntaxError as e:
            print(kind, repr(src), type(e).__name__, e.args)
            print(''.join(traceback.format_exception_only(e)))
        except BaseException as e:
            print(kind, repr(src), type(e).__name__, e)
        else:
            print(kind, repr(src), 'ok')
