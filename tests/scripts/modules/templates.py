from string.templatelib import Template, Interpolation
import string.templatelib as tl
def t(f):
    try:
        print(repr(f()))
    except BaseException as e:
        print(type(e).__name__, '|', e)
x=5
a = t'a{x}b{x!r:>{x}}{x=}'
t(lambda: t''); t(lambda: list(t'')); t(lambda: t'' .strings)
t(lambda: Template('a','b',Interpolation(1,'x','s','>3'), Interpolation(2)))
t(lambda: Template(1)); t(lambda: Template(a=1)); t(lambda: Interpolation()); t(lambda: Interpolation(1,'x','q')); t(lambda: Interpolation(1,2)); t(lambda: Interpolation(1,conversion=3)); t(lambda: Interpolation(1,format_spec=3)); t(lambda: Interpolation(value=1, expression='e', conversion='a', format_spec='f')); t(lambda: Interpolation(1,'a','s','b','c'))
i=a.interpolations[0]
t(lambda: (i.value,i.expression,i.conversion,i.format_spec)); t(lambda: Interpolation.__match_args__); t(lambda: Interpolation[int]); t(lambda: Template[int]); t(lambda: hash(a)==hash(a)); t(lambda: a==a); t(lambda: i==i)
t(lambda: t'a'==t'a')
def sv(): i.value=3
t(sv)
def sv(): a.strings=3
t(sv)
t(lambda: type('X',(Template,),{})); t(lambda: Template.__module__+Template.__qualname__)
match i:
    case Interpolation(v, e, c, f): print(v,e,c,f)
t(lambda: tl.convert(3,'r'));  t(lambda: t'a' t'{x}')
t(lambda: 'x' in a); t(lambda: len(a)); t(lambda: a*2)
