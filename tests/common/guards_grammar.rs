//! A grammar of programs that pull the rug from under specialised code: hot functions with one site each, and between
//! their calls changes to classes, instances, functions, globals and builtins. What is printed names no addresses.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::fmt::Write;

/// What every program begins with.
const PRELUDE: &str = "\
import builtins
def show(v):
    if type(v) in (int, float, str, bool, bytes, tuple, list, dict, range, type(None)):
        return repr(v)
    return '<' + type(v).__name__ + '>'
def run(f, times, *args):
    last = None
    for _ in range(times):
        try:
            now = show(f(*args))
        except Exception as e:
            now = type(e).__name__ + ': ' + e.__str__()
        if ' at 0x' in now:
            now = 'an address'
        if now != last:
            print(f.__name__, now)
            last = now
class Base:
    shared = 1
    def m(self, *a):
        return ('Base.m', len(a))
    def named(self):
        return 'Base.named'
class A(Base):
    k = 10
    def __init__(self, x=1, y=2):
        self.x = x
        self.y = y
    def own(self, n=0):
        return self.x
    def named(self):
        return super().named()
    @property
    def p(self):
        return ('p', self.y)
class B(Base):
    k = 'b'
    x = 'class x'
    def __init__(self, x=3):
        self.y = x
        self.x = x
    def own(self):
        return 'B.own'
class S:
    __slots__ = ('x', 'y')
    k = 5
    def m(self, *a):
        return ('S.m', a)
    def own(self):
        return self.x
class G:
    def __init__(self, d):
        self.d = d
    def __getitem__(self, i):
        return self.d[i]
    def __setitem__(self, i, v):
        self.d[i] = v
class Meta(type):
    pass
class M(metaclass=Meta):
    k = 'meta'
    x = 7
    def m(self=None, *a):
        return 'M.m'
class E(Exception):
    k = 3
    def m(self, *a):
        return 'E.m'
def slotted(x):
    s = S()
    s.x = x
    s.y = x
    return s
def g1(a):
    return ('g1', show(a))
def g2(a, b=2):
    return ('g2', show(a), show(b))
def g3(a, *, c=3):
    return ('g3', show(a), show(c))
def g4(*a, **k):
    return ('g4', len(a), len(k))
def gen(n):
    for i in range(n):
        yield i
module = type(builtins)('module')
module.x = 'mx'
module.k = 'mk'
module.m = lambda *a: 'module.m'
limit = 4
NAME = 'n'
o0 = A()
o1 = A(5, 6)
o2 = B()
o3 = slotted(8)
o4 = M
o5 = A
o6 = module
o7 = E('e')
o8 = A()
o8.__dict__ = {'x': 1, 'y': 2}
fs = [g1, g2, g3, g4, A, len, str, tuple, type, abs, o1.own, o2.m, 'a-b'.split, [].append, S, print.__class__]
gi = G({0: 'zero', 1: 'one'})
";

/// Hot functions: parameters, body; each is compiled anew for every program that has it.
const SITES: &[(&str, &str)] = &[
    ("o", "return o.x"),
    ("o", "return o.k"),
    ("o", "return o.p"),
    ("o", "return o.shared"),
    ("o", "return o.m()"),
    ("o", "return o.m(1)"),
    ("o", "return o.own()"),
    ("o", "return o.named()"),
    ("o", "return o.__class__.__name__"),
    ("o, v", "o.x = v\n    return o.x"),
    ("o, v", "o.y = v\n    return o.y"),
    ("o, v", "o.z = v\n    return o.z"),
    ("", "return limit"),
    ("", "return NAME"),
    ("v", "return len(v)"),
    ("v", "return isinstance(v, int)"),
    ("v", "return abs(v)"),
    ("a, b", "return a + b"),
    ("a, b", "a += b\n    return a"),
    ("a, b", "return a - b"),
    ("n, m", "return n * m"),
    ("n, m", "return n / m"),
    ("n, m", "return n & m"),
    ("n, m", "return n | m"),
    ("a, b", "return a < b"),
    ("a, b", "return a == b"),
    ("a, b", "return a != b"),
    ("a, b", "return a in b"),
    ("v", "return 1 if v else 0"),
    ("v", "return not v"),
    ("v", "a, b = v\n    return (a, b)"),
    ("v", "a, b, c = v\n    return c"),
    ("v", "t = 0\n    for i in v:\n        t = i\n    return t"),
    ("c, i", "return c[i]"),
    ("c, i, v", "c[i] = v\n    return len(c)"),
    ("c", "return c[0:1]"),
    ("f", "return f(1)"),
    ("f", "return f('ab')"),
    ("f", "return f(1, 2)"),
    ("f", "return f()"),
    ("f", "return f(1, b=5)"),
    ("f", "return f(1, c=5)"),
    ("f, v", "return f(v)"),
    ("v", "return str(v)"),
    ("v", "return type(v).__name__"),
    ("v", "return tuple(v)"),
    ("v", "r = []\n    r.append(v)\n    return len(r)"),
    (
        "v",
        "x = v\n    for _ in (1, 2, 3):\n        x = v + 'q'\n    return x",
    ),
    ("v", "return v.__class__.__name__"),
    ("v", "s = 'x'\n    s = s + v\n    return s"),
    ("v", "return 'a b'.split(v)"),
    ("v", "return list(late(v))"),
    ("v", "return g1(v)"),
    ("v", "return g2(v)"),
    ("v", "return A(v).x"),
    ("v", "return B(v).y"),
];

/// Arguments of generic parameters.
const VALUES: &[&str] = &[
    "0",
    "1",
    "-1",
    "3",
    "2**40",
    "2**62",
    "-2**61",
    "2**70",
    "True",
    "False",
    "None",
    "1.5",
    "-0.0",
    "float('inf')",
    "float('nan')",
    "1e300",
    "''",
    "'a'",
    "'ab'",
    "'\\u20ac'",
    "b'x'",
    "()",
    "(1, 2)",
    "('a', 1)",
    "(1, 2, 3)",
    "[]",
    "[1, 2]",
    "[1, 2, 3]",
    "{}",
    "{1: 2, 3: 4}",
    "{'a': 1}",
    "set([1])",
    "frozenset([1, 'a'])",
    "range(2)",
    "range(3)",
    "gen(3)",
    "slice(0, 1)",
    "gi",
    "o0",
    "o2",
    "o3",
    "A",
];
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-3",
    "7",
    "True",
    "2**31",
    "2**61",
    "-2**61",
    "2**70",
    "0.5",
    "-0.0",
    "1e300",
    "float('nan')",
];
const OBJECTS: &[&str] = &["o0", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8"];
const CONTAINERS: &[&str] = &[
    "[1, 2]",
    "[5, 6, 7]",
    "(1, 2)",
    "('p', 'q', 'r')",
    "'xyz'",
    "'\\u20acb'",
    "{0: 'd', 1: 'e'}",
    "{'a': 1, True: 2}",
    "gi",
    "range(5)",
    "b'abc'",
];
const INDEXES: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "True",
    "2**70",
    "'a'",
    "9",
    "slice(0, 1)",
];

/// Changes between calls. `{n}` is a fresh number, `{v}` a value.
const CHANGES: &[&str] = &[
    "A.k = {v}",
    "A.x = {v}",
    "B.x = {v}",
    "del B.x",
    "A.m = lambda self, *a: ('new m', {n})",
    "A.m = {n}",
    "del A.m",
    "Base.m = lambda self, *a: ('new Base.m', {n})",
    "Base.shared = {v}",
    "Base.named = lambda self: {n}",
    "A.own = lambda self, n=0: {n}",
    "B.own = staticmethod(lambda *a: {n})",
    "A.p = property(lambda self: {n})",
    "A.p = {v}",
    "A.x = property(lambda self: {n}, lambda self, v: None)",
    "del A.x",
    "A.__getattr__ = lambda self, name: name + '{n}'",
    "del A.__getattr__",
    "A.__getattribute__ = lambda self, name: (name, {n})",
    "del A.__getattribute__",
    "A.__setattr__ = lambda self, name, v: object.__setattr__(self, name, (v, {n}))",
    "del A.__setattr__",
    "A.__bool__ = lambda self: False",
    "del A.__bool__",
    "A.__len__ = lambda self: {n} % 3",
    "A.__eq__ = lambda self, other: {n}",
    "A.__init__ = lambda self, x=0, y=0: object.__setattr__(self, 'x', {n})",
    "A.__init__.__defaults__ = ({n}, {n})",
    "B.__init__ = A.__init__",
    "S.m = lambda self, *a: {n}",
    "S.k = {v}",
    "del S.k",
    "G.__getitem__ = lambda self, i: ('new', {n}) if i in (0, 1, -1) else [][9]",
    "G.__getitem__.__defaults__ = ({n},)",
    "gi.d = [{n}, {n}, 3]",
    "M.x = {v}",
    "Meta.x = property(lambda cls: {n})",
    "Meta.k = {n}",
    "del Meta.x",
    "M.m = lambda *a: {n}",
    "E.m = lambda self, *a: {n}",
    "o7.m = lambda *a: {n}",
    "o7.k = {n}",
    "module.x = {v}",
    "del module.x",
    "module.new{n} = {n}",
    "module.__getattr__ = lambda name: name + '{n}'",
    "module.m = lambda *a: {n}",
    "o0.x = {v}",
    "del o0.x",
    "del o1.y",
    "o0.own = lambda: {n}",
    "o0.k = {v}",
    "o1.m = lambda *a: {n}",
    "o0.__dict__",
    "vars(o1)['x'] = {v}",
    "o0.__dict__['k'] = {v}",
    "o0.__dict__ = {'x': {n}, 'y': 1}",
    "o1.__dict__ = {'m': g4, 'x': {n}}",
    "o1.__dict__[{n}] = 1",
    "o2.__dict__.clear()",
    "for i in range(40): setattr(o0, 'more%d' % i, i)",
    "o2.extra{n} = 1",
    "del o3.x",
    "del o3.y",
    "del o8.x",
    "o8.k = {v}",
    "o8.__dict__ = {'y': 1, 'x': {n}}",
    "o8.__dict__ = {}",
    "o3.x = {v}",
    "o1.__class__ = B",
    "o2.__class__ = A",
    "o0 = A({n}, {n})",
    "o1 = o2",
    "g1.__code__ = (lambda a: ('code', {n})).__code__",
    "g2.__code__ = (lambda a, b: ('code2', show(b))).__code__",
    "g2.__defaults__ = ({n},)",
    "g2.__defaults__ = None",
    "g3.__kwdefaults__ = {'c': {n}}",
    "g3.__kwdefaults__ = None",
    "g1 = g2",
    "g1 = len",
    "def g1(a): return ('redefined', {n})",
    "fs[0] = lambda *a, **k: {n}",
    "limit = {v}",
    "limit += 1",
    "del limit",
    "NAME = {v}",
    "fresh{n} = 1",
    "globals()['limit'] = {v}",
    "globals()[{n}] = 1",
    "len = lambda v: ('mine', {n})",
    "del len",
    "isinstance = lambda *a: {n}",
    "del isinstance",
    "abs = {n}",
    "del abs",
    "tuple = list",
    "del tuple",
    "str = lambda v: {n}",
    "del str",
    "builtins.NAME = {n}",
    "builtins.late = lambda v: [{n}]",
    "late = lambda v: ({n}, 1)",
    "del late",
    "del NAME",
    "type = lambda v: A",
    "del type",
];

/// Globals that bodies name and changes change.
const GLOBALS: &[&str] = &[
    "limit",
    "NAME",
    "len",
    "isinstance",
    "abs",
    "type",
    "tuple",
    "str",
    "late",
    "g1",
    "g2",
];

/// Whether a change is about what a site with these arguments looks at.
fn concerns(change: &str, arguments: &[&str], body: &str) -> bool {
    let subjects = |argument: &str| -> &[&str] {
        match argument {
            "o0" => &["o0", "A.", "Base."],
            "o1" | "o1.own" => &["o1", "A.", "Base."],
            "o2" | "o2.m" => &["o2", "B.", "Base."],
            "o3" => &["o3", "S."],
            "o4" => &["M.", "Meta."],
            "o5" | "A" | "fs[4]" => &["A."],
            "o6" => &["module"],
            "o7" => &["o7", "E."],
            "o8" => &["o8", "A."],
            "B" => &["B."],
            "gi" => &["gi.", "G."],
            "g1" | "fs[0]" => &["g1", "fs[0]"],
            "g2" | "fs[1]" => &["g2"],
            "g3" | "fs[2]" => &["g3"],
            _ => &[],
        }
    };
    let named = GLOBALS
        .iter()
        .any(|global| body.contains(global) && change.contains(global));
    let mut all = arguments.iter().flat_map(|argument| subjects(argument));
    named || all.any(|subject| change.contains(subject))
}

pub struct Grammar {
    rng: StdRng,
    out: String,
    fresh: u32,
}

impl Grammar {
    pub fn new(seed: u64) -> Grammar {
        Grammar {
            rng: StdRng::seed_from_u64(seed),
            out: String::new(),
            fresh: 0,
        }
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.rng.random_range(0..list.len())]
    }

    fn argument(&mut self, parameter: &str) -> &'static str {
        match parameter {
            "o" => self.pick(OBJECTS),
            "c" => self.pick(CONTAINERS),
            "i" => self.pick(INDEXES),
            "n" | "m" => self.pick(NUMBERS),
            "f" => {
                const CALLABLES: &[&str] = &[
                    "fs[0]", "fs[1]", "fs[2]", "fs[3]", "fs[4]", "fs[5]", "fs[6]", "fs[7]",
                    "fs[8]", "fs[9]", "fs[10]", "fs[11]", "fs[12]", "fs[13]", "fs[14]", "g1", "g2",
                    "g3", "A", "B", "o1.own", "o2.m",
                ];
                self.pick(CALLABLES)
            }
            _ => self.pick(VALUES),
        }
    }

    /// A change; mostly one that concerns what the site looks at.
    fn change(&mut self, arguments: &[&str], body: &str) {
        self.fresh += 1;
        let concerned: Vec<&str> = CHANGES
            .iter()
            .filter(|change| concerns(change, arguments, body))
            .copied()
            .collect();
        let change = match concerned.is_empty() || self.rng.random_range(0..3) == 0 {
            true => self.pick(CHANGES),
            false => self.pick(&concerned),
        };
        let value = self.pick(VALUES);
        let text = change
            .replace("{n}", &self.fresh.to_string())
            .replace("{v}", value);
        _ = writeln!(self.out, "try:\n    {text}\nexcept Exception: pass");
    }

    pub fn program(mut self) -> String {
        self.out.push_str(PRELUDE);
        let count = self.rng.random_range(2..6);
        let sites: Vec<_> = (0..count)
            .map(|_| SITES[self.rng.random_range(0..SITES.len())])
            .collect();
        for (number, (parameters, body)) in sites.iter().enumerate() {
            _ = writeln!(self.out, "def s{number}({parameters}):\n    {body}");
        }
        // What each site is called with mostly, so that it specialises for that.
        let mut favourites: Vec<Vec<&'static str>> = Vec::new();
        for (parameters, _) in &sites {
            let names = parameters.split(", ").filter(|name| !name.is_empty());
            let arguments = names.map(|name| self.argument(name)).collect();
            favourites.push(arguments);
        }
        for _ in 0..self.rng.random_range(8..20) {
            let site = self.rng.random_range(0..sites.len());
            let (parameters, body) = sites[site];
            let names = parameters.split(", ").filter(|name| !name.is_empty());
            let mut arguments = favourites[site].clone();
            if self.rng.random_range(0..3) == 0 {
                arguments = names.map(|name| self.argument(name)).collect();
            }
            let times = match self.rng.random_range(0..8) {
                0 | 1 => 60,
                2 => 1,
                _ => self.rng.random_range(2..6),
            };
            let shown: String = arguments
                .iter()
                .map(|argument| format!(", {argument}"))
                .collect();
            _ = writeln!(
                self.out,
                "try: run(s{site}, {times}{shown})\nexcept Exception as e: print('run', \
                 builtins.type(e).__name__)"
            );
            if self.rng.random_range(0..2) == 0 {
                self.change(&arguments, body);
            }
        }
        self.out
            .push_str("for name in ('NAME', 'late'): vars(builtins).pop(name, None)\n");
        self.out
    }
}
