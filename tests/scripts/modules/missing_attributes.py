class S:
    __slots__ = ('a',)
class P:
    @property
    def x(self): raise AttributeError('no')
class G:
    def __getattr__(self, name): raise AttributeError(name)
print(getattr(S(), 'a', 5), hasattr(S(), 'a'), getattr(P(), 'x', 6), hasattr(P(), 'x'), getattr(G(), 'y', 7), hasattr(G(), 'y'), hasattr(3, 'q'), hasattr(int, 'q'))
class V:
    @property
    def x(self): raise ValueError('v')
try: hasattr(V(), 'x')
except ValueError as e: print(e)
import enum
class M(type):
    def __setattr__(cls, n, v): print('set', n); type.__setattr__(cls, n, v)
class A(metaclass=M): pass
A.x = 1; print(A.__dict__['x'], hash(A) == hash(A), type.__mro__)
for i in range(40): str.__format__('a', '>3')
print(str.__format__('a', '>3'))
