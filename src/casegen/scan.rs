//! What a body does, read from its syntax: guards, exits, calls that escape, ownership of its inputs.

use super::diag::{Diag, Pos};
use super::parse::{Kind, OpDef};
use std::collections::{HashMap, HashSet};
use syn::visit::Visit;

/// The functions that bodies may call, with what the support file declares of each: a function escapes (may run
/// Python code, so the stack pointer must be saved) unless it is marked `#[cfg_attr(casegen, non_escaping)]`.
#[derive(Default)]
pub struct Helpers {
    escaping: HashMap<String, bool>,
    /// Functions marked `#[inline(always)]`: a body's call of one is no call in machine code.
    inlined: HashSet<String>,
}

impl Helpers {
    pub fn parse(path: &str, text: &str) -> Result<Helpers, Diag> {
        let file = syn::parse_file(text).map_err(|e| {
            Diag::new(
                &Pos::new(path, e.span()),
                "definition-syntax",
                format!("not Rust: {e}"),
            )
        })?;
        let mut helpers = Helpers::default();
        for item in file.items {
            if let syn::Item::Fn(item) = item {
                let marked = item.attrs.iter().any(|a| {
                    a.path().is_ident("cfg_attr")
                        && a.parse_args_with(syn::punctuated::Punctuated::<syn::Ident, syn::Token![,]>::parse_terminated)
                            .is_ok_and(|list| list.iter().map(ToString::to_string).eq(["casegen", "non_escaping"]))
                });
                helpers.escaping.insert(item.sig.ident.to_string(), !marked);
            }
        }
        Ok(helpers)
    }
    pub fn merge(&mut self, other: Helpers) {
        self.escaping.extend(other.escaping);
        self.inlined.extend(other.inlined);
    }
}

#[derive(Clone, Debug, Default)]
pub struct BodyFacts {
    pub uses_oparg: bool,
    pub guards: bool,
    pub first_guard: Option<Pos>,
    pub raises: bool,
    pub escapes: bool,
    /// Makes an ordinary call, so that registers are lost.
    pub calls: bool,
    /// Something that a failed guard could not take back.
    pub has_effect: bool,
    pub branch: Option<Pos>,
    /// Leaves by itself (enter!, reload!, leave!, ...) on some path.
    pub leaves: bool,
    /// The last statement always leaves, so that nothing follows this op.
    pub ends: bool,
    /// Names given to close!, steal!, dead!.
    pub closed: Vec<String>,
    pub stolen: Vec<String>,
    pub dead: Vec<String>,
    /// Cold continuations named by cold_if!.
    pub colds: Vec<(String, Pos)>,
    pub labels: Vec<(String, Pos)>,
    /// skip_next!: the instruction after this one is passed over.
    pub skips_next: bool,
    /// release! or release_temp!: lets go of a word that is no input.
    pub releases: bool,
    /// For each top-level statement: does it call something that escapes.
    pub escaping_stmts: Vec<bool>,
}

/// The statement macros of the language. Every other macro is Rust's own.
pub const LEAVING: [&str; 7] = [
    "enter",
    "reload",
    "leave",
    "redispatch",
    "dispatch_as",
    "goto",
    "jump",
];

struct Scan<'a> {
    op: &'a OpDef,
    helpers: &'a Helpers,
    facts: BodyFacts,
    diags: &'a mut Vec<Diag>,
    /// Loops and closures around this point: places where a save cannot be put in front.
    nested: usize,
    in_guard: bool,
    escapes_here: bool,
    last_statement: bool,
}

pub fn scan(op: &OpDef, helpers: &Helpers, diags: &mut Vec<Diag>) -> BodyFacts {
    let mut scan = Scan {
        op,
        helpers,
        facts: BodyFacts::default(),
        diags,
        nested: 0,
        in_guard: false,
        escapes_here: false,
        last_statement: false,
    };
    let mentions =
        |item: &super::effect::StackItem| item.size.terms.iter().any(|(_, t)| t.contains("oparg"));
    scan.facts.uses_oparg = op
        .effect
        .inputs
        .iter()
        .chain(&op.effect.outputs)
        .any(mentions);
    let count = op.body.stmts.len();
    for (i, stmt) in op.body.stmts.iter().enumerate() {
        scan.escapes_here = false;
        scan.last_statement = i + 1 == count;
        scan.visit_stmt(stmt);
        let escapes = scan.escapes_here;
        scan.facts.escaping_stmts.push(escapes);
    }
    scan.facts.ends = op.body.stmts.last().is_some_and(|stmt| match stmt {
        syn::Stmt::Macro(m) => m
            .mac
            .path
            .get_ident()
            .is_some_and(|i| LEAVING.contains(&i.to_string().as_str())),
        _ => false,
    });
    scan.facts.has_effect |=
        scan.facts.escapes || !scan.facts.closed.is_empty() || !scan.facts.stolen.is_empty();
    let facts = scan.facts;
    liveness(op, &facts, diags);
    facts
}

/// Every input is passed on, closed, stolen or declared to need nothing; everything so named is an input.
fn liveness(op: &OpDef, facts: &BodyFacts, diags: &mut Vec<Diag>) {
    let named: HashSet<&String> = facts
        .closed
        .iter()
        .chain(&facts.stolen)
        .chain(&facts.dead)
        .collect();
    for name in &named {
        if !op.effect.inputs.iter().any(|i| i.name == **name) {
            diags.push(Diag::new(
                &op.pos,
                "known-input",
                format!("`{name}` is no input of `{}`", op.name),
            ));
        }
    }
    let mut seen = HashSet::new();
    for name in facts.closed.iter().chain(&facts.stolen).chain(&facts.dead) {
        if !seen.insert(name) {
            diags.push(Diag::new(
                &op.pos,
                "consumed-once",
                format!("`{name}` is given up twice in `{}`", op.name),
            ));
        }
    }
    if facts.ends || op.kind == Kind::Label {
        return;
    }
    for input in &op.effect.inputs {
        let passed = op.effect.outputs.iter().any(|o| o.name == input.name);
        if passed && named.contains(&input.name) {
            let message = format!(
                "`{}` is given up and also an output of `{}`",
                input.name, op.name
            );
            diags.push(Diag::new(&input.pos, "consumed-once", message));
        }
        if !passed && !named.contains(&input.name) {
            let message = format!(
                "input `{}` is still live at the end of `{}`",
                input.name, op.name
            );
            diags.push(Diag::new(&input.pos, "live-input", message));
        }
    }
}

impl Scan<'_> {
    fn at(&self, span: proc_macro2::Span) -> Pos {
        Pos::new(&self.op.pos.file, span)
    }

    fn macro_call(&mut self, mac: &syn::Macro) {
        let Some(ident) = mac.path.get_ident() else {
            return;
        };
        let word = ident.to_string();
        let pos = self.at(ident.span());
        let exprs = mac
            .parse_body_with(
                syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated,
            )
            .map(|list| list.into_iter().collect::<Vec<_>>())
            .unwrap_or_default();
        let first_name = exprs.first().and_then(|e| match e {
            syn::Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
            _ => None,
        });
        match word.as_str() {
            "exit_if" | "deopt_if" => {
                self.facts.guards = true;
                self.facts.first_guard.get_or_insert(pos.clone());
                if self.facts.escapes
                    || !self.facts.closed.is_empty()
                    || !self.facts.stolen.is_empty()
                {
                    let message = format!("guard after an effect in `{}`", self.op.name);
                    self.diags.push(Diag::new(&pos, "guards-first", message));
                }
                self.in_guard = true;
            }
            "error_if" => {
                self.facts.raises = true;
                if let Some(name) = self.facts.closed.first() {
                    let message =
                        format!("error exit after `{name}` was closed in `{}`", self.op.name);
                    self.diags
                        .push(Diag::new(&pos, "error-after-close", message));
                }
            }
            "cold_if" => match exprs.get(1) {
                Some(syn::Expr::Path(p)) if p.path.get_ident().is_some() => {
                    let cold = p.path.get_ident().expect("checked");
                    self.facts
                        .colds
                        .push((cold.to_string(), self.at(cold.span())));
                }
                _ => self.diags.push(Diag::new(
                    &pos,
                    "definition-syntax",
                    "cold_if!(condition, name)",
                )),
            },
            "branch_if" => {
                if !self.last_statement || self.nested > 0 {
                    let message = format!(
                        "branch_if! must be the last statement of `{}`",
                        self.op.name
                    );
                    self.diags.push(Diag::new(&pos, "branch-last", message));
                }
                self.facts.branch = Some(pos.clone());
            }
            "jump_out_if" => self.facts.leaves = true,
            "skip_next" => self.facts.skips_next = true,
            "release" | "release_temp" => {
                self.facts.releases = true;
                self.facts.has_effect = true;
            }
            "close" | "steal" | "dead" => match first_name {
                Some(name) => match word.as_str() {
                    "close" => self.facts.closed.push(name),
                    "steal" => self.facts.stolen.push(name),
                    _ => self.facts.dead.push(name),
                },
                None => self.diags.push(Diag::new(
                    &pos,
                    "definition-syntax",
                    format!("{word}!(name of an input)"),
                )),
            },
            "goto" => match first_name {
                Some(name) => {
                    self.facts.leaves = true;
                    self.facts.labels.push((name, pos.clone()));
                }
                None => self.diags.push(Diag::new(
                    &pos,
                    "definition-syntax",
                    "goto!(name of a label)",
                )),
            },
            _ if LEAVING.contains(&word.as_str()) => {
                self.facts.leaves = true;
                self.facts.has_effect = true;
            }
            _ => {}
        }
        for expr in &exprs {
            self.visit_expr(expr);
        }
        self.in_guard = false;
    }

    fn call(&mut self, name: &str, span: proc_macro2::Span) {
        let pos = self.at(span);
        self.facts.calls |= !self.helpers.inlined.contains(name);
        match self.helpers.escaping.get(name) {
            None => {
                let message = format!("`{name}` is not a function that a body may call");
                self.diags.push(Diag::new(&pos, "known-name", message));
            }
            Some(false) => {}
            Some(true) => {
                self.facts.escapes = true;
                self.escapes_here = true;
                if self.nested > 0 || self.in_guard {
                    let message =
                        format!("`{name}` escapes, and the stack pointer is not saved here");
                    self.diags.push(Diag::new(&pos, "escape-unsaved", message));
                }
            }
        }
    }
}

impl<'ast> Visit<'ast> for Scan<'_> {
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.macro_call(mac);
    }
    fn visit_ident(&mut self, ident: &'ast proc_macro2::Ident) {
        self.facts.uses_oparg |= ident == "oparg";
    }
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(path) = &*call.func {
            // A bare name is a helper; `Type::function` and methods belong to words and objects and never escape.
            if let Some(ident) = path.path.get_ident() {
                // Variants and tuple structs begin with a capital and are no calls.
                let name = ident.to_string();
                if !name.starts_with(char::is_uppercase) {
                    self.call(&name, ident.span());
                }
            }
        }
        syn::visit::visit_expr_call(self, call);
    }
    fn visit_expr_loop(&mut self, e: &'ast syn::ExprLoop) {
        self.nested += 1;
        syn::visit::visit_expr_loop(self, e);
        self.nested -= 1;
    }
    fn visit_expr_while(&mut self, e: &'ast syn::ExprWhile) {
        self.nested += 1;
        syn::visit::visit_expr_while(self, e);
        self.nested -= 1;
    }
    fn visit_expr_for_loop(&mut self, e: &'ast syn::ExprForLoop) {
        self.nested += 1;
        syn::visit::visit_expr_for_loop(self, e);
        self.nested -= 1;
    }
    fn visit_expr_closure(&mut self, e: &'ast syn::ExprClosure) {
        self.nested += 1;
        syn::visit::visit_expr_closure(self, e);
        self.nested -= 1;
    }
}
