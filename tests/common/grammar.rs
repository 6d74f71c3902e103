//! A grammar of Python that rolls dice. Programs mostly compile; names are few, so that scopes clash.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Where a statement or expression stands.
#[derive(Clone, Copy, Default)]
struct Place {
    function: bool,
    asynchronous: bool,
    /// An async generator returns no value and has no `yield from`.
    plain: bool,
    in_loop: bool,
    except_star: bool,
    class: bool,
    /// Inside a comprehension, where `yield` is refused.
    comprehension: bool,
    depth: u32,
}

impl Place {
    fn deeper(self) -> Place {
        Place {
            depth: self.depth + 1,
            ..self
        }
    }
}

pub struct Grammar {
    rng: StdRng,
    out: String,
    indent: usize,
    statements_left: u32,
    fresh: u32,
}

const NAMES: [&str; 8] = ["a", "b", "c", "x", "y", "self", "_z", "__p"];
const MAX_DEPTH: u32 = 4;

impl Grammar {
    pub fn new(seed: u64) -> Grammar {
        Grammar {
            rng: StdRng::seed_from_u64(seed),
            out: String::new(),
            indent: 0,
            statements_left: 60,
            fresh: 0,
        }
    }

    pub fn program(mut self) -> String {
        if self.chance(8) {
            self.line("\"\"\"A docstring.\"\"\"");
        }
        if self.chance(10) {
            self.line("from __future__ import annotations");
        }
        self.block(Place::default());
        self.out
    }

    fn roll(&mut self, sides: u32) -> u32 {
        self.rng.random_range(0..sides)
    }
    /// One time in `n`.
    fn chance(&mut self, n: u32) -> bool {
        self.roll(n) == 0
    }
    fn pick(&mut self, choices: &[&str]) -> String {
        choices[self.roll(choices.len() as u32) as usize].to_string()
    }
    fn name(&mut self) -> String {
        self.pick(&NAMES)
    }
    fn fresh(&mut self) -> String {
        self.fresh += 1;
        format!("v{}", self.fresh)
    }
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }
    fn list(&mut self, low: u32, high: u32, mut item: impl FnMut(&mut Self) -> String) -> String {
        let count = self.rng.random_range(low..=high);
        let items: Vec<String> = (0..count).map(|_| item(self)).collect();
        items.join(", ")
    }

    fn block(&mut self, place: Place) {
        let count = 1 + self.roll(4);
        for _ in 0..count {
            self.statement(place);
        }
    }
    /// `head:` and its indented block.
    fn suite(&mut self, head: &str, place: Place) {
        self.line(&format!("{head}:"));
        self.indent += 1;
        self.block(place.deeper());
        self.indent -= 1;
    }

    fn statement(&mut self, place: Place) {
        if self.statements_left == 0 {
            return self.line("pass");
        }
        self.statements_left -= 1;
        let simple = place.depth >= MAX_DEPTH;
        match self.roll(if simple { 20 } else { 36 }) {
            0..=3 => {
                let targets = 1 + u32::from(self.chance(4));
                let targets: Vec<String> = (0..targets).map(|_| self.target(place, 0)).collect();
                let value = self.top_value(place);
                self.line(&format!("{} = {value}", targets.join(" = ")));
            }
            4 => {
                let target = self.single_target(place);
                let ops = [
                    "+", "-", "*", "/", "//", "%", "@", "&", "|", "^", ">>", "<<", "**",
                ];
                let op = self.pick(&ops);
                let value = self.top_value(place);
                self.line(&format!("{target} {op}= {value}"));
            }
            5 => {
                let name = self.fresh();
                let target = match self.roll(5) {
                    0 => format!("{}.attr", self.name()),
                    1 => format!("({name})"),
                    _ => name,
                };
                let annotation = self.expr(
                    Place {
                        plain: true,
                        comprehension: true,
                        ..place
                    },
                    2,
                );
                if self.chance(3) {
                    self.line(&format!("{target}: int"));
                } else {
                    let value = self.top_value(place);
                    let annotation = if place.asynchronous {
                        "int".into()
                    } else {
                        annotation
                    };
                    self.line(&format!("{target}: {annotation} = {value}"));
                }
            }
            6 => {
                let targets = self.list(1, 3, |g| g.single_target(place));
                self.line(&format!("del {targets}"));
            }
            7..=9 => {
                let value = self.top_value(place);
                self.line(&value);
            }
            10 => {
                let (test, message) = (self.expr(place, 1), self.expr(place, 2));
                let message = if self.chance(2) {
                    format!(", {message}")
                } else {
                    String::new()
                };
                self.line(&format!("assert {test}{message}"));
            }
            11 => {
                let choices = [
                    "import os",
                    "import os.path as p, sys",
                    "from os import path as q, sep",
                    "from . import a",
                    "from .x.y import (b, c as d)",
                    "raise",
                    "raise ValueError",
                    "raise ValueError('x') from None",
                    "pass",
                ];
                let text = self.pick(&choices);
                self.line(&text);
            }
            12 | 13 if place.in_loop && !place.except_star => {
                let text = self.pick(&["break", "continue"]);
                self.line(&text);
            }
            14 | 15 if place.function && !place.except_star => {
                if self.chance(4) || place.asynchronous {
                    self.line("return");
                } else {
                    let value = self.top_value(place);
                    self.line(&format!("return {value}"));
                }
            }
            16 if place.function => {
                let value = self.top_value(place);
                let text = match (place.asynchronous, self.roll(3)) {
                    (false, 0) => format!("yield from {}", self.expr(place, 1)),
                    (true, 0) => format!("await {}", self.expr(place, 3)),
                    _ => format!("yield {value}"),
                };
                let text = if self.chance(2) {
                    format!("x = {text}")
                } else {
                    text
                };
                self.line(&text);
            }
            17 => {
                let (name, parameter) = (self.fresh(), self.name());
                let value = self.expr(
                    Place {
                        comprehension: true,
                        asynchronous: false,
                        ..place
                    },
                    2,
                );
                let text = match self.roll(3) {
                    0 => format!("type {name} = {value}"),
                    1 => format!("type {name}[T, *U, **V] = {value}"),
                    _ => format!("type {name}[{parameter}: int = str] = list[{parameter}]"),
                };
                self.line(&if value.contains(":=") {
                    "pass".into()
                } else {
                    text
                });
            }
            18 | 19 => {
                let name = self.fresh();
                let keyword = if place.function && self.chance(8) {
                    "global"
                } else {
                    ""
                };
                match keyword {
                    "" => self.line("pass"),
                    _ => {
                        self.line(&format!("global {name}"));
                        self.line(&format!("{name} = 1"));
                    }
                }
            }
            20..=22 => {
                let test = self.expr(place, 0);
                self.suite(&format!("if {test}"), place);
                while self.chance(3) {
                    let test = self.expr(place, 1);
                    self.suite(&format!("elif {test}"), place);
                }
                if self.chance(2) {
                    self.suite("else", place);
                }
            }
            23 => {
                let test = self.expr(place, 1);
                self.suite(
                    &format!("while {test}"),
                    Place {
                        in_loop: true,
                        except_star: false,
                        ..place
                    },
                );
                if self.chance(3) {
                    self.suite("else", place);
                }
            }
            24..=26 => {
                let (target, iterable) = (self.target(place, 0), self.top_value(place));
                let prefix = if place.asynchronous && self.chance(2) {
                    "async "
                } else {
                    ""
                };
                let head = format!("{prefix}for {target} in {iterable}");
                self.suite(
                    &head,
                    Place {
                        in_loop: true,
                        except_star: false,
                        ..place
                    },
                );
                if self.chance(3) {
                    self.suite("else", place);
                }
            }
            27..=29 => self.try_statement(place),
            30 => {
                let prefix = if place.asynchronous && self.chance(2) {
                    "async "
                } else {
                    ""
                };
                let items = self.list(1, 3, |g| {
                    let context = g.expr(place, 1);
                    match g.roll(3) {
                        0 => format!("{context} as {}", g.single_target(place)),
                        1 => format!("{context} as ({})", g.target(place, 0)),
                        _ => context,
                    }
                });
                self.suite(&format!("{prefix}with {items}"), place);
            }
            31 | 32 => self.match_statement(place),
            33 | 34 => self.function(place),
            _ => self.class(place),
        }
    }

    fn try_statement(&mut self, place: Place) {
        self.suite("try", place);
        let star = self.chance(4);
        let handlers = self.roll(3);
        let inside = Place {
            except_star: star || place.except_star,
            ..place
        };
        for _ in 0..handlers {
            let kind = self.pick(&["ValueError", "(KeyError, IndexError)", "a.Error", "x"]);
            let name = if self.chance(2) {
                format!(" as {}", self.name())
            } else {
                String::new()
            };
            let star = if star { "*" } else { "" };
            self.suite(&format!("except{star} {kind}{name}"), inside);
        }
        if handlers > 0 && !star && self.chance(3) {
            self.suite("except", place);
        }
        if handlers > 0 && self.chance(3) {
            self.suite("else", place);
        }
        if handlers == 0 || self.chance(3) {
            // Leaving a `finally` early draws a warning.
            self.suite(
                "finally",
                Place {
                    in_loop: false,
                    function: place.function,
                    except_star: true,
                    ..place
                },
            );
        }
    }

    fn match_statement(&mut self, place: Place) {
        let subject = self.top_value(Place {
            plain: true,
            ..place
        });
        self.line(&format!("match {subject}:"));
        self.indent += 1;
        for _ in 0..1 + self.roll(3) {
            let pattern = self.pattern(0);
            let guard = if self.chance(3) {
                format!(" if {}", self.expr(place, 1))
            } else {
                String::new()
            };
            self.suite(&format!("case {pattern}{guard}"), place);
        }
        if self.chance(3) {
            self.suite("case _", place);
        }
        self.indent -= 1;
    }

    fn pattern(&mut self, depth: u32) -> String {
        match self.roll(if depth > 2 { 4 } else { 12 }) {
            0 => self.pick(&[
                "1",
                "-2.5",
                "'s'",
                "b'b'",
                "None",
                "True",
                "1 + 2j",
                "-1 - 0.5j",
                "'a' 'b'",
            ]),
            1 => "_".into(),
            2 => self.pick(&["a.b", "x.y.z"]),
            3 if depth > 0 => self.fresh(),
            3 => "0".into(),
            4 | 5 => {
                let before = self.list(0, 2, |g| g.pattern(depth + 1));
                let star = match self.roll(3) {
                    0 => format!("*{}", self.fresh()),
                    1 => "*_".into(),
                    _ => String::new(),
                };
                let after = if star.is_empty() {
                    String::new()
                } else {
                    self.list(0, 2, |g| g.pattern(depth + 1))
                };
                let parts = [before, star, after];
                let parts: Vec<String> = parts.into_iter().filter(|p| !p.is_empty()).collect();
                format!("[{}]", parts.join(", "))
            }
            6 => {
                let mut key = 0;
                let items = self.list(0, 3, |g| {
                    key += 1;
                    format!("'k{key}': {}", g.pattern(depth + 1))
                });
                let rest = if self.chance(3) {
                    format!("**{}", self.fresh())
                } else {
                    String::new()
                };
                let parts = [items, rest].into_iter().filter(|p| !p.is_empty());
                format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
            }
            7 => {
                let positional = self.list(0, 2, |g| g.pattern(depth + 1));
                let keyword = if self.chance(2) {
                    format!("k={}", self.pattern(depth + 1))
                } else {
                    String::new()
                };
                let parts = [positional, keyword].into_iter().filter(|p| !p.is_empty());
                format!("C({})", parts.collect::<Vec<_>>().join(", "))
            }
            8 => self.pick(&[
                "1 | 2",
                "'a' | None | 3",
                "(1 | -1)",
                "[1] | [2, _]",
                "int() | str()",
            ]),
            9 => format!(
                "({} as {})",
                self.pick(&["1 | 2", "[_, _]", "C()", "{'z': 1}"]),
                self.fresh()
            ),
            _ => format!("({})", self.pattern(depth + 1)),
        }
    }

    fn parameters(&mut self, place: Place, annotated: bool) -> String {
        let mut parts: Vec<String> = Vec::new();
        let outer = Place {
            comprehension: true,
            plain: true,
            ..place
        };
        let mut names = vec!["p", "q", "a", "self", "k"].into_iter();
        let mut parameter = |g: &mut Self, default: bool| {
            let mut text = names.next().unwrap_or("last").to_string();
            if annotated && g.chance(3) {
                text += ": int";
            }
            if default {
                text += &format!("={}", g.expr(outer, 3));
            }
            text
        };
        let defaults_from = self.roll(4);
        let positional = self.roll(3);
        for i in 0..positional {
            parts.push(parameter(self, i >= defaults_from));
        }
        if positional > 0 && self.chance(4) {
            parts.insert(1, "/".into());
        }
        match self.roll(4) {
            0 => parts.push("*args".into()),
            1 => {
                parts.push("*".into());
                let default = self.chance(2);
                parts.push(parameter(self, default));
            }
            _ => {}
        }
        if self.chance(4) {
            parts.push("**kwds".into());
        }
        parts.join(", ")
    }

    fn decorators(&mut self, place: Place) {
        while self.chance(4) {
            let decorator = self.expr(
                Place {
                    plain: true,
                    ..place
                },
                2,
            );
            self.line(&format!("@({decorator})"));
        }
    }

    fn type_parameters(&mut self) -> String {
        if self.chance(6) {
            self.pick(&["[T]", "[T: int, *Ts]", "[T: (int, str), **P]"])
        } else {
            String::new()
        }
    }

    fn function(&mut self, place: Place) {
        self.decorators(place);
        let asynchronous = self.chance(4);
        let prefix = if asynchronous { "async " } else { "" };
        let (name, generic) = (self.name(), self.type_parameters());
        let parameters = self.parameters(place, true);
        let result = if self.chance(5) { " -> int" } else { "" };
        let inside = Place {
            function: true,
            asynchronous,
            depth: place.depth,
            ..Place::default()
        };
        self.line(&format!(
            "{prefix}def {name}{generic}({parameters}){result}:"
        ));
        self.indent += 1;
        if self.chance(8) {
            self.line("'docstring'");
        }
        self.block(inside.deeper());
        self.indent -= 1;
    }

    fn class(&mut self, place: Place) {
        self.decorators(place);
        let (name, generic) = (self.name(), self.type_parameters());
        let bases = match self.roll(4) {
            0 => "(a, metaclass=b)".to_string(),
            1 => "(*a, **b)".to_string(),
            2 => "(Base)".to_string(),
            _ => String::new(),
        };
        let inside = Place {
            class: true,
            depth: place.depth,
            ..Place::default()
        };
        self.suite(&format!("class {name}{generic}{bases}"), inside);
    }

    fn single_target(&mut self, place: Place) -> String {
        match self.roll(6) {
            0 => format!("{}.{}", self.name(), self.name()),
            1 => format!("{}[{}]", self.name(), self.expr(place, 2)),
            2 => format!(
                "{}[{}:{}]",
                self.name(),
                self.expr(place, 3),
                self.expr(place, 3)
            ),
            _ => self.name(),
        }
    }

    fn target(&mut self, place: Place, depth: u32) -> String {
        if depth > 1 || self.chance(2) {
            return self.single_target(place);
        }
        let star = self.chance(4);
        let items = self.list(1, 3, |g| g.target(place, depth + 1));
        let star = if star {
            format!("*{}, ", self.single_target(place))
        } else {
            String::new()
        };
        format!("[{star}{items}]")
    }

    /// What may stand right of `=`: also tuples without parentheses.
    fn top_value(&mut self, place: Place) -> String {
        match self.roll(8) {
            0 => {
                let items = self.list(2, 4, |g| g.expr(place, 2));
                if self.chance(3) {
                    format!("{items}, *{}", self.name())
                } else {
                    items
                }
            }
            _ => self.expr(place, 0),
        }
    }

    fn constant(&mut self) -> String {
        self.pick(&[
            "0",
            "1",
            "-1",
            "255",
            "256",
            "-7",
            "10**3",
            "1 << 70",
            "3.5",
            "-0.0",
            "1e300",
            "2j",
            "1 + 2j",
            "None",
            "True",
            "False",
            "...",
            "'s'",
            "''",
            "b'by'",
            "'\\ud800'",
            "(1, 2)",
            "()",
            "'a' * 3",
            "(1,) * 2",
            "2 ** -1",
            "7 // 2",
            "7 % -3",
            "1 / 3",
            "'abc'[1]",
            "'abc'[::-1]",
            "(1, 2, 3)[1:]",
            "~5",
            "(not 1)",
            "__debug__",
        ])
    }

    fn expr(&mut self, place: Place, depth: u32) -> String {
        let deeper = depth + 1;
        if depth > 3 {
            return if self.chance(2) {
                self.name()
            } else {
                self.constant()
            };
        }
        match self.roll(30) {
            0..=4 => self.name(),
            5..=7 => self.constant(),
            8 | 9 => {
                let ops = [
                    "+", "-", "*", "/", "//", "%", "@", "&", "|", "^", ">>", "<<", "**",
                ];
                let op = self.pick(&ops);
                format!(
                    "({} {op} {})",
                    self.expr(place, deeper),
                    self.expr(place, deeper)
                )
            }
            10 => format!(
                "({}{})",
                self.pick(&["-", "+", "~", "not "]),
                self.expr(place, deeper)
            ),
            11 | 12 => {
                let op = self.pick(&[" and ", " or "]);
                let count = 2 + self.roll(2);
                let items: Vec<String> = (0..count).map(|_| self.expr(place, deeper)).collect();
                format!("({})", items.join(&op))
            }
            13 | 14 => {
                let mut text = self.expr(place, deeper);
                for _ in 0..1 + self.roll(2) {
                    let ops = [
                        "<", "<=", "==", "!=", ">", ">=", "is", "is not", "in", "not in",
                    ];
                    let op = self.pick(&ops);
                    text += &format!(" {op} {}", self.expr(place, deeper));
                }
                format!("({text})")
            }
            15 => {
                let (a, b, c) = (
                    self.expr(place, deeper),
                    self.expr(place, deeper),
                    self.expr(place, deeper),
                );
                format!("({a} if {b} else {c})")
            }
            16 => format!("{}.{}", self.name(), self.name()),
            17 => format!("{}[{}]", self.name(), self.subscript(place, deeper)),
            18..=20 => self.call(place, deeper),
            21 | 22 => {
                let (open, close) = [("[", "]"), ("(", ",)"), ("{", "}")][self.roll(3) as usize];
                let items = self.list(1, 5, |g| {
                    if g.chance(8) {
                        format!("*({})", g.expr(place, deeper))
                    } else {
                        g.expr(place, deeper)
                    }
                });
                format!("{open}{items}{close}")
            }
            23 => {
                let items = self.list(0, 4, |g| {
                    if g.chance(6) {
                        format!("**({})", g.expr(place, deeper + 1))
                    } else {
                        format!("{}: {}", g.expr(place, deeper), g.expr(place, deeper))
                    }
                });
                format!("{{{items}}}")
            }
            24 | 25 => self.comprehension(place, deeper),
            26 => {
                let inside = Place {
                    function: true,
                    asynchronous: false,
                    comprehension: false,
                    ..place
                };
                let inside = Place {
                    plain: true,
                    class: false,
                    ..inside
                };
                let parameters = self.parameters(place, false);
                format!("(lambda {parameters}: {})", self.expr(inside, deeper))
            }
            27 => self.formatted(place, deeper),
            28 if !place.comprehension && !place.class => {
                format!("({} := {})", self.fresh(), self.expr(place, deeper))
            }
            29 if place.function && !place.comprehension && !place.plain => {
                if place.asynchronous {
                    format!("(await {})", self.name())
                } else {
                    format!("(yield {})", self.expr(place, deeper))
                }
            }
            _ => self.name(),
        }
    }

    fn subscript(&mut self, place: Place, depth: u32) -> String {
        match self.roll(6) {
            0 => format!("{}:", self.expr(place, depth)),
            1 => format!("{}:{}", self.expr(place, depth), self.expr(place, depth)),
            2 => format!("::{}", self.expr(place, depth)),
            3 => format!("{}, {}:2", self.expr(place, depth), self.expr(place, depth)),
            4 => self.pick(&["1:2", ":", "1", "-1", "::2", "1:None:3", "*a", "'k'"]),
            _ => self.expr(place, depth),
        }
    }

    fn call(&mut self, place: Place, depth: u32) -> String {
        let function = match self.roll(4) {
            0 => format!("{}.{}", self.name(), self.name()),
            1 if place.function => "super().x".into(),
            2 => self.pick(&["len", "print", "tuple", "all", "any"]),
            _ => self.name(),
        };
        if self.chance(6) {
            let all = self.pick(&["tuple", "all", "any", "list", "f"]);
            let element = self.expr(
                Place {
                    comprehension: true,
                    ..place
                },
                depth + 1,
            );
            return format!("{all}({element} for x in {})", self.name());
        }
        let positional = self.list(0, 3, |g| {
            if g.chance(8) {
                format!("*({})", g.expr(place, depth))
            } else {
                g.expr(place, depth)
            }
        });
        let mut key = 0;
        let keywords = self.list(0, 2, |g| {
            key += 1;
            if g.chance(5) {
                format!("**{}", g.name())
            } else {
                format!("k{key}={}", g.expr(place, depth))
            }
        });
        let parts = [positional, keywords].into_iter().filter(|p| !p.is_empty());
        format!("{function}({})", parts.collect::<Vec<_>>().join(", "))
    }

    fn comprehension(&mut self, place: Place, depth: u32) -> String {
        let inside = Place {
            comprehension: true,
            ..place
        };
        let iterable = self.expr(inside, depth + 1);
        let target = self.pick(&["x", "a", "(x, y)", "[a, *b]", "x"]);
        let mut clauses = format!("for {target} in {iterable}");
        while self.chance(3) {
            clauses += &match self.roll(3) {
                0 => format!(" for y in {}", self.expr(inside, depth + 1)),
                _ => format!(" if {}", self.expr(inside, depth)),
            };
        }
        let (element, value) = (self.expr(inside, depth), self.expr(inside, depth + 1));
        match self.roll(4) {
            0 => format!("[{element} {clauses}]"),
            1 => format!("{{{element} {clauses}}}"),
            2 => format!("{{{element}: {value} {clauses}}}"),
            _ => format!("({element} {clauses})"),
        }
    }

    fn formatted(&mut self, place: Place, depth: u32) -> String {
        let mut text = String::new();
        for _ in 0..1 + self.roll(3) {
            text += &match self.roll(5) {
                0 => "literal {{}} ".to_string(),
                1 => format!("{{({})!r}}", self.expr(place, depth + 1)),
                2 => format!(
                    "{{({}):>{{({})}}}}",
                    self.expr(place, depth + 1),
                    self.name()
                ),
                3 => format!("{{{}=}}", self.name()),
                _ => format!("{{({})}}", self.expr(place, depth)),
            };
        }
        let prefix = if self.chance(4) { "t" } else { "f" };
        format!("{prefix}'''{}'''", text)
    }
}
