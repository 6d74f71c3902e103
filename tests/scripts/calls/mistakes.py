"""Calls that do not fit what is called: the TypeError of each."""
import functools


def none(): pass
def one(a): pass
def two(a, b): pass
def three(a, b, c): pass
def default(a, b=2): pass
def defaults(a=1, b=2): pass
def star(a, *args): pass
def keyword(*, k): pass
def keywords(a, *, k, l, m): pass
def keyword_default(a, *, k=1, l): pass
def positional(a, b, /): pass
def positional_default(a, b=1, /, c=2): pass
def everything(a, b, /, c, d=4, *args, e, f=6, **kw): pass
def double_star(a, **kw): pass
def long_names(first_parameter, second_parameter, third_parameter, fourth): pass
lam = lambda x: x


def outer():
    def inner(a): pass
    return inner


class C:
    def method(self, a): pass
    def no_self(): pass
    @classmethod
    def cm(cls, a): pass
    @staticmethod
    def sm(a): pass


class Init:
    def __init__(self, a, b): pass


class New:
    def __new__(cls, a): return super().__new__(cls)


class Empty: pass


class Call:
    def __call__(self, a): pass


class Sub(dict): pass


async def coroutine(a): pass
def generator(a): yield


class BadIter:
    def __iter__(self): return 3


class BadKeys:
    def keys(self): return [1]
    def __getitem__(self, key): return key


class Raises:
    def __iter__(self): raise ValueError("from iter")


part = functools.partial(two, 1)
CASES = """none(1)
none(1, 2)
none(a=1)
one()
one(1, 2)
one(1, 2, 3)
one(b=1)
one(1, a=1)
one(1, b=1)
two()
two(1)
two(b=1)
two(1, 2, 3)
three()
three(1)
three(a=1, c=2)
default()
default(1, 2, 3)
default(b=1)
defaults(1, 2, 3)
defaults(c=1)
defaults(aa=1)
star()
star(b=1)
keyword()
keyword(1)
keyword(1, k=1)
keyword(1, 2)
keyword(k=1, l=2)
keyword(kk=1)
keywords(1)
keywords(1, k=1)
keywords(1, k=1, m=1)
keywords()
keyword_default(1)
keyword_default(1, 2, l=2)
keyword_default(1, 2, 3, 4, l=2)
keyword_default()
positional(1, b=2)
positional(a=1, b=2)
positional(1)
positional(1, 2, 3)
positional(1, 2, c=3)
positional_default(1, b=2, c=3)
positional_default(a=1)
positional_default(1, 2, 3, 4)
everything()
everything(1, 2)
everything(1, 2, 3)
everything(1, 2, 3, e=1, a=4, x=1, c=2)
double_star()
double_star(1, 2)
double_star(1, a=2)
double_star(**{1: 2})
long_names()
long_names(1, 2, 3, fourt=4)
long_names(first_parametr=1)
lam()
lam(1, 2)
lam(y=1)
outer()()
outer()(1, b=2)
C().method()
C().method(1, 2)
C.method()
C.method(1)
C().no_self()
C.cm()
C().cm(1, 2)
C.sm()
C().sm(1, 2)
C(1)
C(a=1)
Init()
Init(1)
Init(1, 2, 3)
Init(a=1)
Init(c=1, a=2, b=3)
New()
New(1, 2)
Empty(1)
Empty(a=1)
Call()()
Call()(1, 2)
coroutine()
generator()
generator(1, 2)
one(*1)
one(*None)
one(1, *2)
one(**1)
one(**None)
one(**[1])
one(a=1, **{'a': 2})
one(**{'a': 1}, **{'a': 2})
one(*[1], **{'a': 2})
one(*BadIter())
one(*Raises())
one(**BadKeys())
C().method(**3)
len(*3)
print(**3)
len(**{1: 2})
(lambda v: v())(1)
(lambda v: v())(None)
(lambda v: v())('text')
(1).x()
Empty()()
(lambda v: v(0))([1, 2])
(lambda v: v(1))(...)
len()
len(1)
len([], [])
len(obj=[])
abs()
abs(1, 2)
abs('a')
isinstance(1)
isinstance(1, 2)
isinstance(1, 2, 3)
iter()
iter(1)
iter(1, 2)
next()
next(1)
next(iter([]), 1, 2)
ord()
ord('ab')
ord(1)
chr('a')
chr(-1)
hex(1.5)
pow()
pow(1)
pow(1, 2, 3, 4)
divmod(1)
getattr()
getattr(1)
getattr(1, 2)
setattr(1, 'a')
hasattr(1)
range()
range('a')
range(1, 2, 3, 4)
range(a=1)
sorted()
sorted(1)
sorted([], 1)
sorted([], foo=1)
sum()
sum(1)
sum([], 1, 2)
min()
min(1)
min([])
max([], key=1, foo=2)
map()
map(1)
filter(1)
zip(1)
zip(strict=1, foo=2)
enumerate()
enumerate(1)
enumerate([], 1, 2)
reversed(1)
reversed()
print(sep=1)
print(end=1)
print(foo=1)
int('a', 99)
int([])
int('x')
int(1, 2)
int(x=1)
float([])
float('x')
float(1, 2)
str(1, 2)
str(b'a', 1)
str(1, 2, 3, 4)
bool(1, 2)
bool(x=1)
list(1)
list(1, 2)
list(a=1)
tuple(1)
tuple(1, 2)
dict(1)
dict(1, 2)
dict([1])
dict([(1, 2, 3)])
set(1)
set(1, 2)
frozenset(1, 2)
type()
type(1, 2)
type('A', (), 3)
type('A', 3, {})
type(1, (), {})
object(1)
super(1, 2)
[].append()
[].append(1, 2)
[].append(a=1)
[].insert(1)
[].pop(1, 2)
[].pop('a')
[].pop()
[].index()
[].sort(1)
[].sort(foo=1)
[].extend(1)
{}.get()
{}.get(1, 2, 3)
{}.pop()
{}.pop(1)
{}.update(1, 2)
{}.update([1])
{}.setdefault()
{}.fromkeys()
{}.popitem(1)
''.join()
''.join(1)
''.join([1])
''.split(1)
''.split(foo=1)
''.replace('a')
''.replace(1, 2)
''.startswith(1)
''.startswith()
''.strip(1)
''.encode(1)
''.format(1, a=2).x
'{}'.format()
'{a}'.format()
'abc'.find()
'a'.center()
'a'.center('b')
'a'.zfill()
(1,).index()
(1,).count()
set().add()
set().add([])
set().update(1)
b''.join([1])
b''.decode(1)
str.join()
str.join(1)
str.join('a')
list.append()
list.append(1)
list.append([])
dict.get()
dict.get({})
int.__add__(1)
int.__add__('a', 1)
object.__init__()
object.__new__()
object.__new__(1)
object.__new__(int)
int.from_bytes()
int.from_bytes(1)
(1).to_bytes('a')
(1).bit_length(1)
(1.5).is_integer(1)
float.fromhex()
part()
part(1, 2)
part(2, a=1)
functools.partial()
functools.partial(1)
functools.reduce(1)
functools.reduce(one, [])
Exception(a=1)
ValueError(1, a=2)
BaseException.__new__()
OSError(a=1)
ImportError(foo=1)
AttributeError(foo=1)
property(1, 2, 3, 4, 5)
classmethod()
staticmethod(1, 2)
slice()
slice(1, 2, 3, 4)
slice(a=1)
complex('x')
complex(1, 'a')
complex([])
bytes(1, 2)
bytes('a')
bytes([256])
bytes(-1)
bytearray('a')
compile()
compile(1, 2, 3)
exec()
exec(1)
eval(1)
eval('1', 2)
__import__()
__import__(1)
input(1, 2)
id()
hash()
hash([])
callable()
issubclass(1, 2)
issubclass(int, 2)
vars(1)
dir(1, 2)
round()
round('a')
round(1.5, 'a')
format()
format(1, 2)
format(1, 'zz')
ascii()
repr()
all()
any(1)
bin('a')""".splitlines()

for case in CASES:
    try:
        result = eval(case)
        print(case, "->", type(result).__name__)
        if hasattr(result, "close"):
            result.close()
    except Exception as error:
        print(case, "->", type(error).__name__, error)

# At sites that have specialised, and in each way of calling.


def site(f, *args, **kwargs):
    return f(*args, **kwargs)


def one_argument(f, a):
    return f(a)


def no_argument(f):
    return f()


def named_argument(f, a):
    return f(a=a)


for f, args in [(one, (1,)), (C().method, (1,)), (Init, (1, 2)), (Call(), (1,)), (lam, (1,))]:
    for call in (site, one_argument, no_argument, named_argument):
        for _ in range(60):
            try:
                call(f, *args)
            except TypeError:
                pass
        for wrong in (none, two, Init, Call(), C().method, part, len, "text", keyword, positional, Empty):
            try:
                call(wrong, *args[:1] if call is not no_argument else ())
            except TypeError as error:
                print(call.__name__, type(wrong).__name__, error)
