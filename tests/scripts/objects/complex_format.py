def t(f, *a):
    try: r = f(*a)
    except BaseException as e: print(type(e).__name__, e)
    else: print(repr(r))
for spec in ['', '.2f', '10.3f', '>20', '<20.1e', '^30.4g', '+.2f', ' .1f', '+,.2f', '_', '020', '=20', '.2%', 'd', 'n', 's', '#.0f', 'z.1f', '*^25', '.3', '10', 'G', 'F', 'x', '10000.2f']:
    t(lambda: format(1.5-2.25j, spec) if len(spec)<5 or spec[0] != '1' else len(format(1.5-2.25j, spec)))
for v in [0j, -0j, complex(0, -0.0), complex(float('nan'), float('inf')), 1e100j, 3+0j, complex('-inf-nanj')]:
    print(v, repr(v), format(v), f'{v:.2f}', f'{v:g}', f'{v:>12}')
t(lambda: complex('1+2j ')); t(lambda: complex('1 + 2j')); t(lambda: complex('')); t(lambda: complex('1+2j', 3)); t(lambda: complex(1, '2')); t(lambda: complex([])); t(lambda: complex(real=1, imag=2)); t(lambda: complex.from_number(3))
t(lambda: 1j < 2); t(lambda: int(1j)); t(lambda: float(1j)); t(lambda: 1j // 1); t(lambda: 1j % 1); t(lambda: divmod(1j, 1)); t(lambda: 1j ** 2); t(lambda: 0j ** -1); t(lambda: 1j/0); t(lambda: pow(1j, 2, 3)); t(lambda: abs(complex(1e308,1e308))); t(lambda: (2+3j).conjugate()); t(lambda: (1j).real); t(lambda: hash(1+2j)); t(lambda: hash(3+0j) == hash(3)); t(lambda: '%d' % 1j); t(lambda: '%f' % 1j); t(lambda: round(1j)); t(lambda: (1j).__int__()); t(lambda: -(1j)); t(lambda: +1j); t(lambda: 1j.__bool__()); t(lambda: (1e200+1j)**3); t(lambda: complex(2)**0.5); t(lambda: sum([1j, 2, 3.0])); t(lambda: max([1j]))
class C:
    def __complex__(self): return 3+4j
class D:
    def __float__(self): return 2.5
class E:
    def __index__(self): return 7
class F:
    def __complex__(self): return 1
t(complex, C()); t(complex, D()); t(complex, E()); t(complex, F()); t(complex, C(), C())
class MC(complex): pass
t(MC, 1, 2); t(lambda: MC(1, 2) + 1); t(lambda: type(MC(1,2)*2).__name__)
