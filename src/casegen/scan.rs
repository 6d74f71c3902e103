//! What a body does, read from its syntax: guards, exits, calls that escape, ownership of its inputs.

use super::diag::{Diag, Pos};
use super::effect::REGISTERS;
use super::helpers::Helpers;
use super::macros::{self, Arg, Form, Place};
use super::parse::{Kind, OpDef};
use super::rules::Rule;
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A continuation that `cold_if!` names.
#[derive(Clone, Debug)]
pub struct ColdUse {
    pub name: String,
    pub pos: Pos,
    /// The op has had an effect by then.
    pub after_effect: bool,
}

#[derive(Clone, Debug, Default)]
pub struct BodyFacts {
    pub uses_oparg: bool,
    /// `deopt_if!` and `exit_if!`, kept apart for a second tier.
    pub deopts: bool,
    pub exits: bool,
    pub first_guard: Option<Pos>,
    pub raises: bool,
    pub escapes: bool,
    /// Makes an ordinary call, so that registers are lost.
    pub calls: bool,
    /// Something that a failed guard could not take back.
    pub has_effect: bool,
    /// Moves the instruction pointer by an amount of its own.
    pub jumps: bool,
    /// Writes through a pointer, or calls a function for its effect.
    pub writes: bool,
    /// Names given to close!, steal!, dead!.
    pub closed: Vec<(String, Pos)>,
    pub stolen: Vec<(String, Pos)>,
    pub dead: Vec<(String, Pos)>,
    pub colds: Vec<ColdUse>,
    /// Labels named by goto! and, silently, error_if!.
    pub labels: Vec<(String, Pos)>,
    /// release! or release_temp!: lets go of a word that is no input.
    pub releases: bool,
    /// branch_if! or skip_next!, or a statement that leaves on every path: nothing may follow the op.
    pub last: Option<Pos>,
    /// Leaves on some path.
    pub leaves: bool,
    /// Leaves on every path.
    pub ends: bool,
    pub skips_next: bool,
    /// For each statement of the body: does it call something that escapes.
    pub escaping_stmts: Vec<bool>,
    /// Names that patterns in the body bind.
    pub bound: HashSet<String>,
}

impl BodyFacts {
    pub fn guards(&self) -> bool {
        self.deopts || self.exits
    }
    pub fn given(&self) -> impl Iterator<Item = &(String, Pos)> {
        self.closed.iter().chain(&self.stolen).chain(&self.dead)
    }
}

struct Scan<'a> {
    op: &'a OpDef,
    helpers: &'a Helpers,
    facts: BodyFacts,
    diags: &'a mut Vec<Diag>,
    /// What the next statement is.
    place: Place,
    /// Loops and closures around this point: places where a save cannot be put in front.
    loops: usize,
    closures: usize,
    in_macro: Option<&'static str>,
    escapes_here: bool,
    used: Vec<(String, Pos)>,
}

pub fn scan(op: &OpDef, helpers: &Helpers, diags: &mut Vec<Diag>) -> BodyFacts {
    let mut scan = Scan {
        op,
        helpers,
        facts: BodyFacts::default(),
        diags,
        place: Place::Statement,
        loops: 0,
        closures: 0,
        in_macro: None,
        escapes_here: false,
        used: vec![],
    };
    let effect = &op.effect;
    let mut items = effect.inputs.iter().chain(&effect.outputs);
    scan.facts.uses_oparg = items.any(|item| item.size.mentions_oparg());
    for stmt in &op.body.stmts {
        if scan.facts.ends {
            let message = format!("`{}` has left before this statement", op.name);
            scan.reject(stmt.span(), Rule::Unreachable, message);
            break;
        }
        (scan.escapes_here, scan.place) = (false, Place::Body);
        scan.visit_stmt(stmt);
        let escapes = scan.escapes_here;
        scan.facts.escaping_stmts.push(escapes);
        scan.facts.ends |= macros::leaves(stmt);
    }
    if let Some(syn::Stmt::Expr(expr, None)) = op.body.stmts.last()
        && !is_block_like(expr)
    {
        let message = format!("`{}` has no value: end the statement with `;`", op.name);
        scan.reject(expr.span(), Rule::BodyValue, message);
    }
    scan.names();
    let mut facts = scan.facts;
    facts.has_effect |= facts.escapes || !facts.closed.is_empty() || !facts.stolen.is_empty();
    if facts.ends {
        facts.last.get_or_insert(op.pos.clone());
    }
    facts
}

fn is_block_like(expr: &syn::Expr) -> bool {
    matches!(
        expr,
        syn::Expr::If(_)
            | syn::Expr::Match(_)
            | syn::Expr::Block(_)
            | syn::Expr::Unsafe(_)
            | syn::Expr::While(_)
            | syn::Expr::Loop(_)
            | syn::Expr::ForLoop(_)
            | syn::Expr::Macro(_)
    )
}

/// Types whose functions are called by path: `i64::from(x)`.
const PRIMITIVES: [&str; 12] = [
    "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "f64", "bool",
];

impl Scan<'_> {
    fn at(&self, span: proc_macro2::Span) -> Pos {
        Pos::new(&self.op.pos.file, span)
    }

    fn reject(&mut self, span: proc_macro2::Span, rule: Rule, message: impl Into<String>) {
        let pos = self.at(span);
        self.diags.push(Diag::new(&pos, rule, message));
    }

    /// Everything that the body names is there.
    fn names(&mut self) {
        let effect: HashSet<&str> = self.op.effect.names().collect();
        for (name, pos) in std::mem::take(&mut self.used) {
            let known = effect.contains(name.as_str())
                || self.facts.bound.contains(&name)
                || REGISTERS[..6].contains(&name.as_str())
                // Constants, variants and types begin with a capital: the compiler knows them.
                || name.starts_with(char::is_uppercase);
            if !known {
                let message = format!("nothing is called `{name}` in `{}`", self.op.name);
                self.diags.push(Diag::new(&pos, Rule::NameUnknown, message));
            }
        }
    }

    fn macro_call(&mut self, mac: &syn::Macro, place: Place) {
        let span = mac.path.span();
        let Some(form) = macros::find(mac) else {
            let word = quote::ToTokens::to_token_stream(&mac.path).to_string();
            let message = format!("`{word}!` is no macro of a body");
            return self.reject(span, Rule::MacroUnknown, message);
        };
        let word = form.word;
        let Some(args) = macros::args(mac, form) else {
            let want = form.args.iter().map(|arg| match arg {
                Arg::Value => "value",
                Arg::Name => "name",
            });
            let want: Vec<_> = want.collect();
            let message = format!("expected `{word}!({})`", want.join(", "));
            return self.reject(span, Rule::MacroArguments, message);
        };
        let fits = match form.place {
            Place::Value => place == Place::Value,
            Place::Statement => place != Place::Value && self.closures == 0,
            Place::Body => place == Place::Body,
        };
        if !fits {
            let want = match form.place {
                Place::Value => "a value",
                Place::Statement => "a statement, not in an expression or a closure",
                Place::Body => "a statement of the body itself",
            };
            self.reject(span, Rule::MacroPlace, format!("`{word}!` is {want}"));
        }
        if form.place == Place::Value {
            self.outside_label(word, span);
            return;
        }
        let outer = self.in_macro.replace(word);
        let uses_oparg = self.facts.uses_oparg;
        for (arg, kind) in args.iter().zip(form.args) {
            if *kind == Arg::Value {
                self.visit_expr(arg);
            }
        }
        self.in_macro = outer;
        // Handing on an oparg as it is does not use it: whether it means anything is for the other opcode to say.
        if word == "dispatch_as" && args.get(1).is_some_and(is_oparg) {
            self.facts.uses_oparg = uses_oparg;
        }
        self.effect_of(form, &args, span);
    }

    fn effect_of(&mut self, form: &Form, args: &[syn::Expr], span: proc_macro2::Span) {
        let (word, pos) = (form.word, self.at(span));
        let name = || args.last().and_then(macros::name).unwrap_or_default();
        match word {
            "exit_if" | "deopt_if" => {
                self.outside_label(word, span);
                self.facts.first_guard.get_or_insert(pos);
                self.facts.exits |= word == "exit_if";
                self.facts.deopts |= word == "deopt_if";
                if self.facts.has_effect {
                    let message = format!("guard after an effect in `{}`", self.op.name);
                    self.reject(span, Rule::GuardAfterEffect, message);
                }
            }
            "error_if" => {
                self.facts.raises = true;
                self.facts.labels.push(("error".to_string(), pos));
                self.exit(word, span);
            }
            "cold_if" => {
                self.outside_label(word, span);
                self.exit(word, span);
                self.facts.colds.push(ColdUse {
                    name: name(),
                    pos: self.at(args[1].span()),
                    after_effect: self.facts.has_effect,
                });
            }
            "jump_out_if" => {
                self.outside_label(word, span);
                self.exit(word, span);
                (self.facts.leaves, self.facts.jumps) = (true, true);
            }
            "branch_if" => {
                self.outside_label(word, span);
                if !self.is_last(span) {
                    let message = format!(
                        "`branch_if!` must be the last statement of `{}`",
                        self.op.name
                    );
                    self.reject(span, Rule::BranchLast, message);
                }
                (self.facts.last, self.facts.jumps) = (Some(pos), true);
            }
            "skip_next" => {
                self.outside_label(word, span);
                (self.facts.last, self.facts.skips_next) = (Some(pos), true);
            }
            "release" | "release_temp" => {
                (self.facts.releases, self.facts.has_effect) = (true, true);
                self.used.push((name(), self.at(args[0].span())));
            }
            "close" => {
                self.facts.closed.push((name(), pos));
                self.facts.has_effect = true;
            }
            "steal" => {
                self.facts.stolen.push((name(), pos));
                self.facts.has_effect = true;
            }
            "dead" => self.facts.dead.push((name(), pos)),
            _ if form.leaves => {
                if word == "jump" {
                    self.outside_label(word, span);
                    self.facts.jumps = true;
                }
                if word == "goto" {
                    self.facts.labels.push((name(), self.at(args[0].span())));
                }
                self.exit(word, span);
                (self.facts.leaves, self.facts.has_effect) = (true, true);
            }
            _ => {}
        }
    }

    fn is_last(&self, span: proc_macro2::Span) -> bool {
        let last = self.op.body.stmts.last();
        last.is_some_and(|stmt| stmt.span().start() == span.start())
    }

    /// What an op has given up is released when its instruction ends; an exit before would lose it.
    fn exit(&mut self, word: &str, span: proc_macro2::Span) {
        let (closed, stolen) = (self.facts.closed.first(), self.facts.stolen.first());
        let given = match closed {
            None if word == "cold_if" => stolen,
            given => given,
        };
        let what = match given {
            Some((name, _)) => format!("`{name}` was given up"),
            None if self.facts.releases => "a word was released".to_string(),
            None => return,
        };
        let message = format!("`{word}!` after {what} in `{}`", self.op.name);
        self.reject(span, Rule::ExitAfterClose, message);
    }

    fn outside_label(&mut self, word: &str, span: proc_macro2::Span) {
        if self.op.kind == Kind::Label {
            let message = format!("`{word}!` means nothing in the label `{}`", self.op.name);
            self.reject(span, Rule::LabelStatement, message);
        }
    }

    fn call(&mut self, name: &str, span: proc_macro2::Span) {
        self.facts.calls |= !self.helpers.is_inlined(name);
        match self.helpers.escapes(name) {
            None => {
                let message = format!("`{name}` is not a function that a body may call");
                self.reject(span, Rule::FunctionUnknown, message);
            }
            Some(false) => {}
            Some(true) => {
                (self.facts.escapes, self.escapes_here) = (true, true);
                self.facts.has_effect = true;
                let place = match self.in_macro {
                    Some(word) => Some(format!("in `{word}!`")),
                    None if self.closures > 0 => Some("in a closure".to_string()),
                    None if self.loops > 0 => Some("in a loop".to_string()),
                    None => None,
                };
                if let Some(place) = place {
                    let message =
                        format!("`{name}` escapes {place}, where the registers are not saved");
                    self.reject(span, Rule::EscapeUnsaved, message);
                }
                if let Some((input, _)) = self.facts.stolen.first() {
                    let message = format!("`{name}` escapes after `{input}` was moved away");
                    self.reject(span, Rule::EscapeAfterSteal, message);
                }
            }
        }
    }

    fn assign(&mut self, left: &syn::Expr) {
        let names = macros::targets(left);
        let plain = match left {
            syn::Expr::Tuple(t) => names.len() == t.elems.len(),
            _ => names.len() == 1,
        };
        if !plain {
            (self.facts.writes, self.facts.has_effect) = (true, true);
        }
        for name in names {
            if REGISTERS[..6].contains(&name.as_str()) {
                let message = format!("the register `{name}` is changed by macros only");
                self.reject(left.span(), Rule::RegisterChanged, message);
            } else if self.op.effect.inputs.iter().any(|i| i.name == name) {
                let message = format!("input `{name}` of `{}` is overwritten", self.op.name);
                self.reject(left.span(), Rule::InputOverwritten, message);
            }
        }
    }

    fn control(&mut self, span: proc_macro2::Span, what: &str) {
        let message = format!("{what} in the body of `{}`", self.op.name);
        self.reject(span, Rule::BodyStatement, message);
    }
}

fn is_oparg(arg: &syn::Expr) -> bool {
    matches!(arg, syn::Expr::Path(path) if path.path.is_ident("oparg"))
}

impl<'ast> Visit<'ast> for Scan<'_> {
    fn visit_stmt(&mut self, stmt: &'ast syn::Stmt) {
        let place = std::mem::replace(&mut self.place, Place::Statement);
        match stmt {
            syn::Stmt::Macro(m) => {
                m.attrs.iter().for_each(|a| self.visit_attribute(a));
                self.macro_call(&m.mac, place);
            }
            syn::Stmt::Expr(syn::Expr::Macro(m), _) => {
                m.attrs.iter().for_each(|a| self.visit_attribute(a));
                self.macro_call(&m.mac, place);
            }
            syn::Stmt::Item(item) => self.control(item.span(), "an item"),
            syn::Stmt::Expr(syn::Expr::Call(_) | syn::Expr::MethodCall(_), Some(_)) => {
                visit::visit_stmt(self, stmt);
                // Called for what it does.
                (self.facts.writes, self.facts.has_effect) = (true, true);
            }
            _ => visit::visit_stmt(self, stmt),
        }
    }
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.macro_call(mac, Place::Value);
    }
    fn visit_attribute(&mut self, attr: &'ast syn::Attribute) {
        self.control(attr.span(), "an attribute");
    }
    fn visit_ident(&mut self, ident: &'ast proc_macro2::Ident) {
        self.facts.uses_oparg |= ident == "oparg";
    }
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        let name = pat.ident.to_string();
        if REGISTERS.contains(&name.as_str()) || name.starts_with("close_") {
            let message = format!("`{name}` is a register's name");
            self.reject(pat.ident.span(), Rule::RegisterBound, message);
        }
        self.facts.bound.insert(name);
        visit::visit_pat_ident(self, pat);
    }
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let Some(ident) = path.path.get_ident() {
            self.used.push((ident.to_string(), self.at(ident.span())));
        }
        visit::visit_expr_path(self, path);
    }
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        call.args.iter().for_each(|arg| self.visit_expr(arg));
        let syn::Expr::Path(path) = &*call.func else {
            return self.control(call.span(), "a call of a value");
        };
        // A bare name is a support function; `Type::function` and methods belong to words and objects and never escape.
        // Variants and tuple structs begin with a capital and are no calls.
        let first = path.path.segments.first().map(|s| s.ident.to_string());
        let first = first.unwrap_or_default();
        let of_type = first.starts_with(char::is_uppercase) || PRIMITIVES.contains(&first.as_str());
        if !of_type {
            let name = quote::ToTokens::to_token_stream(&path.path).to_string();
            self.call(&name.replace(' ', ""), path.span());
        }
    }
    fn visit_expr_assign(&mut self, e: &'ast syn::ExprAssign) {
        self.visit_expr(&e.right);
        self.visit_expr(&e.left);
        self.assign(&e.left);
    }
    fn visit_expr_binary(&mut self, e: &'ast syn::ExprBinary) {
        visit::visit_expr_binary(self, e);
        if is_compound(&e.op) {
            self.assign(&e.left);
        }
    }
    fn visit_expr_loop(&mut self, e: &'ast syn::ExprLoop) {
        self.loops += 1;
        visit::visit_expr_loop(self, e);
        self.loops -= 1;
    }
    fn visit_expr_while(&mut self, e: &'ast syn::ExprWhile) {
        self.loops += 1;
        visit::visit_expr_while(self, e);
        self.loops -= 1;
    }
    fn visit_expr_for_loop(&mut self, e: &'ast syn::ExprForLoop) {
        self.loops += 1;
        visit::visit_expr_for_loop(self, e);
        self.loops -= 1;
    }
    fn visit_expr_closure(&mut self, e: &'ast syn::ExprClosure) {
        self.closures += 1;
        visit::visit_expr_closure(self, e);
        self.closures -= 1;
    }
    fn visit_expr_return(&mut self, e: &'ast syn::ExprReturn) {
        self.control(e.span(), "`return`");
    }
    fn visit_expr_try(&mut self, e: &'ast syn::ExprTry) {
        self.control(e.span(), "`?`");
    }
    fn visit_expr_break(&mut self, e: &'ast syn::ExprBreak) {
        if self.loops == 0 || e.label.is_some() {
            self.control(e.span(), "`break` out of it");
        }
    }
    fn visit_expr_continue(&mut self, e: &'ast syn::ExprContinue) {
        if self.loops == 0 || e.label.is_some() {
            self.control(e.span(), "`continue` out of it");
        }
    }
    fn visit_expr_async(&mut self, e: &'ast syn::ExprAsync) {
        self.control(e.span(), "`async`");
    }
    fn visit_expr_await(&mut self, e: &'ast syn::ExprAwait) {
        self.control(e.span(), "`await`");
    }
}

fn is_compound(op: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}
