//! Programs that run: a second grammar that rolls dice, for what programs do rather than how they look. They end, they
//! print the same whenever they run, and most of what they try succeeds, so that code gets warm before it is disturbed:
//! classes and instances are changed, globals and builtins rebound, values of other kinds arrive.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// What a value is meant to be; one time in [`CONFUSION`] it is something else.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Int,
    Float,
    Str,
    List,
    Dict,
    Tuple,
    Set,
    Bool,
    Object,
}
use Kind::*;

const KINDS: [Kind; 9] = [Int, Float, Str, List, Dict, Tuple, Set, Bool, Object];
const CONFUSION: u32 = 24;
const MAX_DEPTH: u32 = 2;
const CLASSES: u32 = 4;
const FUNCTIONS: u32 = 5;
const GENERATORS: u32 = 2;

/// What all programs begin with. `show` names no address, `state` what an object holds, `flat` keeps containers from
/// growing into each other, `w` keeps values small, `tick` ends what would run for long.
const PRELUDE: &str = "\
import gc
STEPS = 0
DEATHS = 0
GN = None
class Fuel(BaseException): pass
class Oops(Exception): pass
def tick():
    global STEPS
    STEPS += 1
    if STEPS > 400:
        raise Fuel
def show(v, depth=0):
    t = type(v)
    if v is None or t in (int, bool, float, str, bytes, complex): return repr(v)
    if depth > 2: return '...'
    if t in (list, tuple): return t.__name__ + str([show(x, depth + 1) for x in v])
    if t in (set, frozenset): return t.__name__ + str(sorted([show(x, depth + 1) for x in v]))
    if t is dict: return 'dict' + str([(show(k, depth + 1), show(x, depth + 1)) for k, x in v.items()])
    return t.__name__
def state(v):
    found = [list(object.__getattribute__(v, '__dict__'))]
    for n in ('a', 'b', 'c', 'k', 'n'):
        try: found.append(show(object.__getattribute__(v, n)))
        except AttributeError: found.append('-')
    return show(found)
def flat(v):
    return len(v) if type(v) in (list, dict, tuple, set) else v
def w(v):
    t = type(v)
    if t is int: return v if -10**25 < v < 10**25 else v % 1009
    if t is float: return v if -1e100 < v < 1e100 else 0.5
    if t in (str, list, tuple): return v if len(v) < 30 else v[:3]
    if t in (dict, set): return v if len(v) < 30 else t()
    return v
class Root:
    def __hash__(self): return 7
    def __repr__(self): return type(self).__name__ + '()'
";

#[derive(Clone, Default)]
struct Scope {
    names: Vec<(String, u8)>,
    in_loop: bool,
    generator: bool,
    /// Functions of a lower number only may be called.
    functions: u32,
    classes: u32,
    depth: u32,
}

pub struct Runnable {
    rng: StdRng,
    out: String,
    indent: usize,
    fresh: u32,
    budget: u32,
}

impl Runnable {
    pub fn new(seed: u64) -> Runnable {
        Runnable {
            rng: StdRng::seed_from_u64(seed ^ 0x5eed_5eed),
            out: PRELUDE.into(),
            indent: 0,
            fresh: 0,
            budget: 0,
        }
    }

    pub fn program(mut self) -> String {
        for number in 0..CLASSES {
            self.class(number);
        }
        for number in 0..FUNCTIONS {
            self.function(number);
        }
        for number in 0..GENERATORS {
            self.generator(number);
        }
        self.driver();
        self.out
    }

    fn roll(&mut self, sides: u32) -> u32 {
        self.rng.random_range(0..sides)
    }
    fn chance(&mut self, n: u32) -> bool {
        self.roll(n) == 0
    }
    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.roll(choices.len() as u32) as usize]
    }
    fn kind(&mut self) -> Kind {
        KINDS[self.roll(KINDS.len() as u32) as usize]
    }
    fn fresh(&mut self) -> String {
        self.fresh += 1;
        format!("v{}", self.fresh)
    }
    fn line(&mut self, text: &str) {
        self.out.push_str(&"    ".repeat(self.indent));
        self.out.push_str(text);
        self.out.push('\n');
    }
    fn inside(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.line(head);
        self.indent += 1;
        body(self);
        self.indent -= 1;
    }

    fn class(&mut self, number: u32) {
        let base = match number {
            0 => "Root".to_owned(),
            _ if self.chance(2) => format!("C{}", self.roll(number)),
            _ => "Root".to_owned(),
        };
        let scope = Scope {
            classes: number,
            ..Scope::default()
        };
        self.inside(&format!("class C{number}({base}):"), |g| {
            if g.chance(4) {
                g.line("__slots__ = ('a', 'b', 'c')");
            } else {
                for name in ["b", "k"] {
                    if g.chance(2) {
                        // An object of a class that is not there yet is no value.
                        let kind = Some(g.kind()).filter(|kind| *kind != Object);
                        let value = g.literal(kind.unwrap_or(Int));
                        g.line(&format!("{name} = {value}"));
                    }
                }
            }
            g.inside("def __init__(self, x=1):", |g| {
                // Classes keep the same attribute in different places.
                let orders = [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["c", "b", "a"]];
                for name in orders[g.roll(4) as usize] {
                    if !g.chance(4) {
                        let value = g.pick(&["x", "1", "2.5", "'q'", "x", "0", "[1]", "(1, 2)"]);
                        g.line(&format!("self.{name} = {value}"));
                    }
                }
                g.line("pass");
            });
            for name in ["m0", "m1"] {
                if number == 0 || !g.chance(3) {
                    g.method(&format!("def {name}(self, x=2):"), &scope, &[("x", Int)]);
                }
            }
            if g.chance(3) {
                g.line("@property");
                g.method("def p(self):", &scope, &[]);
            }
            if g.chance(6) {
                g.line("def __getattr__(self, name): tick(); return name * 2");
            }
            if g.chance(8) {
                g.line("def __getattribute__(self, name): tick(); return object.__getattribute__(self, name)");
            }
            if g.chance(4) {
                g.method("def __getitem__(self, x):", &scope, &[("x", Int)]);
            }
            if g.chance(4) {
                g.line("def __add__(self, x): return flat(x)");
            }
            if g.chance(4) {
                g.line("def __eq__(self, x): tick(); return show(x) == 'C1'");
                g.line("def __hash__(self): return 5");
            }
            if g.chance(5) {
                g.line("def __bool__(self): return show(self.a) > '2'");
            }
            if g.chance(5) {
                g.line("def __len__(self): return 3");
            }
            if g.chance(5) {
                g.inside("def __iter__(self):", |g| {
                    g.line("yield self.a");
                    g.line("yield from (1, 'two')");
                });
            }
            if g.chance(4) {
                g.inside("def __del__(self):", |g| {
                    g.line("global DEATHS");
                    g.line("DEATHS += 1");
                });
            }
            g.line("def __enter__(self): return self");
            let swallows = g.pick(&["False", "True", "kind is ValueError"]);
            g.line(&format!("def __exit__(self, kind, value, tb): return {swallows}"));
        });
    }

    fn method(&mut self, head: &str, scope: &Scope, parameters: &[(&str, Kind)]) {
        let mut scope = scope.clone();
        scope.names.push(("self".into(), Object as u8));
        for (name, kind) in parameters {
            scope.names.push(((*name).into(), *kind as u8));
        }
        self.body(head, scope);
    }

    fn function(&mut self, number: u32) {
        let (first, second) = (self.kind(), self.kind());
        let scope = Scope {
            names: vec![
                ("x".into(), first as u8),
                ("y".into(), second as u8),
                ("z".into(), Int as u8),
            ],
            functions: number,
            classes: CLASSES,
            ..Scope::default()
        };
        let head = self.pick(&[
            "x, y=3, z=4",
            "x, y='s', *, z=5",
            "x, y=None, *more, z=2.5",
            "x, y, z=0",
        ]);
        self.body(&format!("def f{number}({head}):"), scope);
    }

    fn generator(&mut self, number: u32) {
        let scope = Scope {
            names: vec![("x".into(), Int as u8)],
            functions: FUNCTIONS,
            classes: CLASSES,
            generator: true,
            ..Scope::default()
        };
        self.body(&format!("def g{number}(x=3):"), scope);
    }

    fn body(&mut self, head: &str, mut scope: Scope) {
        self.budget = 9;
        self.inside(head, |g| {
            g.line("tick()");
            if scope.generator {
                g.line("yield x");
            }
            for _ in 0..1 + g.roll(4) {
                g.statement(&mut scope);
            }
            if !scope.generator {
                let kind = g.kind();
                let value = g.expr(kind, &scope, 0);
                g.line(&format!("return w({value})"));
            }
        });
    }

    fn block(&mut self, head: &str, scope: &Scope) {
        let mut scope = Scope {
            depth: scope.depth + 1,
            ..scope.clone()
        };
        self.inside(head, |g| {
            for _ in 0..1 + g.roll(2) {
                g.statement(&mut scope);
            }
        });
    }

    fn statement(&mut self, scope: &mut Scope) {
        if self.budget == 0 {
            return self.line("pass");
        }
        self.budget -= 1;
        let compound = scope.depth < 2;
        match self.roll(if compound { 26 } else { 16 }) {
            0..=2 => {
                let kind = self.kind();
                let (name, value) = (self.fresh(), self.expr(kind, scope, 0));
                self.line(&format!("{name} = w({value})"));
                scope.names.push((name, kind as u8));
            }
            3 => {
                let kind = [Int, Float, Str][self.roll(3) as usize];
                let (name, value) = (self.name(kind, scope), self.expr(kind, scope, 1));
                let op = if kind == Str {
                    "+"
                } else {
                    self.pick(&["+", "-", "*"])
                };
                match name.filter(|name| !name.starts_with('G')) {
                    Some(name) => self.line(&format!("{name} {op}= {value}")),
                    None => self.line("pass"),
                }
            }
            4 | 5 => {
                let (object, name) = (
                    self.expr(Object, scope, 1),
                    self.pick(&["a", "b", "c", "k", "n"]),
                );
                let kind = self.kind();
                let value = self.expr(kind, scope, 1);
                let how = self.roll(8);
                self.line(&match how {
                    0 => format!("setattr({object}, '{name}', flat({value}))"),
                    1 => format!("del {object}.{name}"),
                    2 => format!("{object}.__dict__['{name}'] = flat({value})"),
                    _ => format!("{object}.{name} = flat({value})"),
                });
            }
            6 => {
                let (list, value) = (self.expr(List, scope, 1), self.expr(Int, scope, 1));
                let method = self.pick(&["append", "remove", "extend", "pop", "index"]);
                self.line(&format!("{list}.{method}(flat({value}))"));
            }
            7 => {
                let (container, key) = if self.chance(2) {
                    (self.expr(List, scope, 1), self.expr(Int, scope, 2))
                } else {
                    (self.expr(Dict, scope, 1), self.expr(Str, scope, 2))
                };
                let value = self.expr(Int, scope, 1);
                let text = format!("{container}[{key}] = flat({value})");
                self.line(&text);
            }
            8 => {
                let (a, b) = (self.fresh(), self.fresh());
                let value = self.expr(Tuple, scope, 1);
                let star = if self.chance(3) { "*" } else { "" };
                self.line(&format!("{a}, {star}{b} = {value}"));
                scope.names.push((a, Int as u8));
                scope
                    .names
                    .push((b, if star.is_empty() { Int } else { List } as u8));
            }
            9 => {
                let kind = self.kind();
                let value = self.expr(kind, scope, 1);
                let raised = self.pick(&["ValueError", "Oops", "KeyError", "TypeError"]);
                let condition = self.expr(Bool, scope, 1);
                self.line(&format!("if {condition}: raise {raised}(show({value}))"));
            }
            10 if scope.generator => {
                let kind = self.kind();
                let value = self.expr(kind, scope, 1);
                self.line(&format!("yield {value}"));
            }
            11 if scope.generator => {
                let (name, value) = (self.fresh(), self.expr(List, scope, 1));
                self.line(&format!("{name} = yield from {value}"));
            }
            10 | 11 => {
                let kind = self.kind();
                let (name, value) = (self.fresh(), self.expr(kind, scope, 1));
                let free = self.expr(Int, scope, 1);
                let called = self.expr(kind, scope, 2);
                self.line(&format!(
                    "{name} = (lambda n, m={value}: w(n) if m else {free})({called})"
                ));
                scope.names.push((name, kind as u8));
            }
            12 => {
                let condition = self.expr(Bool, scope, 0);
                self.line(&format!("assert {condition}, 'no'"));
            }
            13 if scope.in_loop => {
                let condition = self.expr(Bool, scope, 1);
                let way = self.pick(&["break", "continue"]);
                self.line(&format!("if {condition}: {way}"));
            }
            14 => {
                let kind = self.kind();
                let value = self.expr(kind, scope, 1);
                self.line(&format!("show({value})"));
            }
            13 | 15 => {
                let name = self.fresh();
                let value = self.expr(Object, scope, 1);
                self.line(&format!("{name} = {value}"));
                scope.names.push((name, Object as u8));
            }
            16..=18 => {
                let condition = self.expr(Bool, scope, 0);
                self.block(&format!("if {condition}:"), scope);
                if self.chance(2) {
                    self.block("else:", scope);
                }
            }
            19..=21 => {
                let name = self.fresh();
                let inner = Scope {
                    in_loop: true,
                    names: [scope.names.clone(), vec![(name.clone(), Int as u8)]].concat(),
                    ..scope.clone()
                };
                let iterable = match self.roll(5) {
                    0 => self.expr(List, scope, 1),
                    1 => self.expr(Tuple, scope, 1),
                    2 => format!("g{}({})", self.roll(GENERATORS), self.roll(5)),
                    3 => format!("enumerate({})", self.expr(Str, scope, 1)),
                    _ => format!("range({})", self.roll(6)),
                };
                self.inside(&format!("for {name} in {iterable}:"), |g| {
                    g.line("tick()");
                    let mut inner = Scope {
                        depth: inner.depth + 1,
                        ..inner
                    };
                    g.statement(&mut inner);
                    g.statement(&mut inner);
                });
            }
            22 | 23 => {
                self.block("try:", scope);
                let caught = self.pick(&[
                    "ValueError",
                    "(TypeError, Oops)",
                    "Exception",
                    "KeyError",
                    "AttributeError",
                ]);
                let name = self.fresh();
                let mut inner = Scope {
                    depth: scope.depth + 1,
                    ..scope.clone()
                };
                self.inside(&format!("except {caught} as {name}:"), |g| {
                    g.line(&format!("show(str({name})[:9])"));
                    // Another exception may be handled while this one is.
                    if g.chance(2) {
                        g.statement(&mut inner);
                    }
                    if g.chance(6) {
                        g.line("raise");
                    }
                });
                if self.chance(3) {
                    self.block(
                        "finally:",
                        &Scope {
                            in_loop: false,
                            ..scope.clone()
                        },
                    );
                }
            }
            24 => {
                let object = self.expr(Object, scope, 1);
                let name = self.fresh();
                let mut inner = scope.clone();
                inner.names.push((name.clone(), Object as u8));
                self.block(&format!("with {object} as {name}:"), &inner);
            }
            _ => {
                let kind = self.kind();
                let value = self.expr(kind, scope, 1);
                self.inside(&format!("match {value}:"), |g| {
                    for pattern in [
                        "int(n)",
                        "[1, *n]",
                        "{'a': n}",
                        "C1(a=n)",
                        "str() | float() as n",
                    ] {
                        if g.chance(2) {
                            g.line(&format!("case {pattern}: show(n)"));
                        }
                    }
                    g.line("case _: pass");
                });
            }
        }
    }

    fn name(&mut self, kind: Kind, scope: &Scope) -> Option<String> {
        let fitting: Vec<&String> = scope
            .names
            .iter()
            .filter(|(_, k)| *k == kind as u8)
            .map(|(name, _)| name)
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let index = self.roll(fitting.len() as u32) as usize;
        Some(fitting[index].clone())
    }

    fn literal(&mut self, kind: Kind) -> String {
        let choices: &[&str] = match kind {
            Int => &[
                "0",
                "1",
                "2",
                "-1",
                "7",
                "300",
                "1 << 31",
                "10**18",
                "4611686018427387904",
            ],
            Float => &["0.0", "1.5", "-2.25", "1e10", "3.0"],
            Str => &["''", "'a'", "'b'", "'abc'", "'\\xe9\\u20ac'"],
            List => &["[]", "[1]", "[1, 2, 3]", "['a', 2.5]"],
            Dict => &["{}", "{'a': 1}", "{'a': 1, 'b': 2.5}", "{1: 'x'}"],
            Tuple => &["()", "(1, 2)", "('a', 1)", "(1, 2, 3)"],
            Set => &["set()", "{1, 2}", "{'a'}"],
            Bool => &["True", "False", "None", "GN", "GN"],
            Object => &["C0()", "C1(2)", "O1", "O2"],
        };
        self.pick(choices).to_owned()
    }

    /// A global that holds this kind, most of the time.
    fn global(kind: Kind) -> String {
        format!("G{}", kind as u8)
    }

    fn expr(&mut self, kind: Kind, scope: &Scope, depth: u32) -> String {
        if self.chance(CONFUSION) {
            // In parentheses: what is wrong here may be a number, say, and an attribute follow.
            let other = self.kind();
            return format!("({})", self.expr(other, scope, depth + 1));
        }
        let deeper = depth + 1;
        if depth >= MAX_DEPTH || self.chance(3) {
            return match self.roll(6) {
                0 => self.literal(kind),
                1 => Self::global(kind),
                _ => self.name(kind, scope).unwrap_or_else(|| self.literal(kind)),
            };
        }
        macro_rules! e {
            ($kind:expr) => {
                self.expr($kind, scope, deeper)
            };
        }
        // What may be of any kind.
        match self.roll(16) {
            0 => {
                return format!(
                    "{}.{}",
                    e!(Object),
                    self.pick(&["a", "b", "c", "k", "p", "a"])
                );
            }
            1 => return format!("{}.{}({})", e!(Object), self.pick(&["m0", "m1"]), e!(Int)),
            2 if scope.functions > 0 => {
                let function = self.roll(scope.functions);
                let arguments = match self.roll(4) {
                    0 => format!("{}, z={}", e!(Int), e!(Int)),
                    1 => format!("*({}, {})", e!(Int), e!(Str)),
                    _ => format!("{}, {}", e!(kind), e!(Int)),
                };
                return format!("f{function}({arguments})");
            }
            3 => {
                let (yes, no) = (e!(kind), e!(kind));
                return format!("({yes} if {} else {no})", e!(Bool));
            }
            4 => return format!("{}[{}]", e!(List), e!(Int)),
            5 => return format!("{}.get({}, {})", e!(Dict), e!(Str), e!(kind)),
            6 => {
                let (a, b) = (e!(kind), e!(kind));
                return format!("({a} {} {b})", self.pick(&["or", "and"]));
            }
            _ => {}
        }
        match kind {
            Int => match self.roll(7) {
                0..=2 => {
                    let (a, b) = (e!(Int), e!(Int));
                    let op = self.pick(&["+", "-", "*", "//", "%", "&", "|", "^", "+", "-"]);
                    format!("({a} {op} {b})")
                }
                3 => {
                    let kind = [Str, List, Dict, Tuple, Set][self.roll(5) as usize];
                    format!("len({})", e!(kind))
                }
                4 => format!("(-{})", e!(Int)),
                5 => format!("{}[{}]", e!(Tuple), e!(Int)),
                _ => format!("{}({}, {})", self.pick(&["min", "max"]), e!(Int), e!(Int)),
            },
            Float => match self.roll(3) {
                0 => format!("float({})", e!(Int)),
                _ => {
                    let (a, b) = (e!(Float), e!(Float));
                    format!("({a} {} {b})", self.pick(&["+", "-", "*", "/"]))
                }
            },
            Str => match self.roll(6) {
                0 => format!("({} + {})", e!(Str), e!(Str)),
                // In parentheses: an expression that begins with a brace would make `{{`, which is a brace itself.
                1 => format!("f'{{({})}}-{{({})!r:>4}}'", e!(Int), e!(Int)),
                2 => format!("str({})", e!(Int)),
                3 => format!("{}.{}()", e!(Str), self.pick(&["upper", "strip", "title"])),
                4 => format!("{}[{}]", e!(Str), e!(Int)),
                _ => format!("{}[1:]", e!(Str)),
            },
            List => match self.roll(6) {
                0 => format!("[{}, {}]", e!(Int), e!(Str)),
                1 => format!("[flat(n) for n in {} if n]", e!(List)),
                2 => format!("list({})", e!(Tuple)),
                3 => format!("({} + {})", e!(List), e!(List)),
                4 => format!("{}[{}:]", e!(List), e!(Int)),
                _ => format!("list(g{}({}))", self.roll(GENERATORS), self.roll(4)),
            },
            Dict => match self.roll(3) {
                0 => format!("{{{}: {}}}", e!(Str), e!(Int)),
                1 => format!("{{n: 1 for n in {}}}", e!(Str)),
                _ => format!("dict({})", e!(Dict)),
            },
            Tuple => match self.roll(3) {
                0 => format!("tuple({})", e!(List)),
                _ => format!("({}, {})", e!(Int), e!(Str)),
            },
            Set => match self.roll(3) {
                0 => format!("set({})", e!(List)),
                1 => format!("({} | {})", e!(Set), e!(Set)),
                _ => format!("{{{}, {}}}", e!(Int), e!(Str)),
            },
            Bool => match self.roll(7) {
                0 | 1 => {
                    let kind = [Int, Float, Str][self.roll(3) as usize];
                    let (a, b) = (e!(kind), e!(kind));
                    let op = self.pick(&["<", "<=", "==", "!=", ">", ">="]);
                    format!("({a} {op} {b})")
                }
                2 => format!("({} in {})", e!(Str), e!(Dict)),
                3 => format!("({} in {})", e!(Int), e!(List)),
                4 => format!("(not {})", e!(kind)),
                5 => format!("isinstance({}, C{})", e!(Object), self.roll(CLASSES)),
                _ => format!("({} is None)", e!(kind)),
            },
            Object => match self.roll(2) {
                0 if scope.classes > 0 => {
                    let class = self.roll(scope.classes);
                    format!("C{class}({})", e!(Int))
                }
                _ => self
                    .name(Object, scope)
                    .unwrap_or_else(|| Self::global(Object)),
            },
        }
    }

    /// The part at module level: calls in a loop, with something changed in between at a certain iteration.
    fn driver(&mut self) {
        for kind in KINDS {
            let value = if kind == Object {
                "C0(3)".into()
            } else {
                self.literal(kind)
            };
            self.line(&format!("{} = {value}", Self::global(kind)));
        }
        self.line("O1 = C1(1)\nO2 = C2()");
        let scope = Scope {
            functions: FUNCTIONS,
            classes: CLASSES,
            ..Scope::default()
        };
        let rounds = 6 + self.roll(50);
        self.inside(&format!("for i in range({rounds}):"), |g| {
            for _ in 0..2 + g.roll(3) {
                g.line("STEPS = 0");
                let argument = [Int, Int, Str, Object, List][g.roll(5) as usize];
                let call = match g.roll(4) {
                    0 => format!("{}.m{}({})", g.expr(Object, &scope, 2), g.roll(2), g.expr(argument, &scope, 2)),
                    1 => format!("list(g{}(i))", g.roll(GENERATORS)),
                    _ => format!(
                        "f{}({}, {})",
                        g.roll(FUNCTIONS),
                        g.expr(argument, &scope, 1),
                        g.pick(&["i", "'s'", "i * 1.5", "z=i", "[i]"])
                    ),
                };
                g.line(&format!("try: print(i, show({call}))"));
                g.line("except Exception as e: print(i, type(e).__name__, e if type(e) is not RecursionError else '')");
                g.line("except Fuel: print(i, 'fuel')");
            }
            for _ in 0..g.roll(4) {
                let round = g.roll(rounds);
                let change = g.change(&scope);
                g.inside(&format!("if i == {round}:"), |g| {
                    g.line(&format!("try: {change}"));
                    g.line("except Exception as e: print(i, type(e).__name__, e)");
                });
            }
        });
        self.line("e = None");
        let shown: Vec<String> = KINDS
            .iter()
            .map(|kind| format!("show({})", Self::global(*kind)))
            .collect();
        self.line(&format!("print({})", shown.join(", ")));
        self.line("print(DEATHS)");
        for object in ["O1", "O2", "G8"] {
            self.line(&format!("try: print(state({object}))"));
            self.line("except AttributeError: print('nothing')");
        }
    }

    /// A change to something that specialised code relies on.
    fn change(&mut self, scope: &Scope) -> String {
        let (class, function) = (self.roll(CLASSES), self.roll(FUNCTIONS));
        let kind = self.kind();
        let value = self.expr(kind, scope, 2);
        match self.roll(18) {
            0 => format!("C{class}.m0 = lambda self, x=1: flat(x)"),
            1 => format!("C{class}.{} = {value}", self.pick(&["a", "b", "k", "m1"])),
            2 => format!("del C{class}.{}", self.pick(&["b", "k", "m0", "m1"])),
            3 => format!("G8.__class__ = C{class}"),
            4 => format!("G8 = C{class}({value})"),
            5 => format!("{} = {value}", Self::global(kind)),
            6 => format!("G8.m0 = lambda x=1: {value}"),
            7 => format!("f{function}.__defaults__ = ({value}, 8)"),
            8 => format!("f{function} = f{}", self.roll(FUNCTIONS)),
            9 | 14 => self
                .pick(&[
                    "len = lambda v: 99",
                    "del len",
                    "min = max",
                    "isinstance = lambda a, b: a",
                ])
                .to_owned(),
            10 => format!("C{class}.p = property(lambda self: {value})"),
            11 => format!("C{class}.__getattr__ = lambda self, name: {value}"),
            12 => "G8.__dict__ = {'a': 1, 'c': 'x'}".to_owned(),
            13 => format!("GN = {value}"),
            15 | 16 => format!("print(i, state({}))", self.pick(&["G8", "O1", "O2"])),
            _ => format!("C{class}.__init__ = lambda self, x=0: setattr(self, 'a', x)"),
        }
    }
}
