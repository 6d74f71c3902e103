//! The macros of bodies: what each takes, and where it may stand.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In an expression.
    Value,
    /// A statement of the body or of a block in it.
    Statement,
    /// A statement of the body itself: what it declares holds for the whole op.
    Body,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    Value,
    /// A plain name.
    Name,
}

pub struct Form {
    pub word: &'static str,
    pub args: &'static [Arg],
    pub place: Place,
    /// Nothing that follows is executed.
    pub leaves: bool,
}

const fn form(word: &'static str, args: &'static [Arg], place: Place) -> Form {
    let leaves = false;
    Form {
        word,
        args,
        place,
        leaves,
    }
}
const fn leaving(word: &'static str, args: &'static [Arg], place: Place) -> Form {
    let leaves = true;
    Form {
        word,
        args,
        place,
        leaves,
    }
}

use Arg::{Name, Value};

pub const FORMS: [Form; 22] = [
    form("exit_if", &[Value], Place::Statement),
    form("deopt_if", &[Value], Place::Statement),
    form("error_if", &[Value], Place::Statement),
    form("cold_if", &[Value, Name], Place::Statement),
    form("jump_out_if", &[Value, Value], Place::Statement),
    form("branch_if", &[Value, Value], Place::Body),
    form("close", &[Name], Place::Body),
    form("steal", &[Name], Place::Body),
    form("dead", &[Name], Place::Body),
    form("release", &[Name], Place::Body),
    form("release_temp", &[Name], Place::Body),
    form("skip_next", &[], Place::Body),
    form("this_instr", &[], Place::Value),
    form("next_instr", &[], Place::Value),
    leaving("jump", &[Value], Place::Body),
    leaving("enter", &[Value, Value, Value], Place::Statement),
    leaving("reload", &[], Place::Statement),
    leaving("leave", &[Value], Place::Statement),
    leaving("redispatch", &[], Place::Statement),
    leaving("dispatch_as", &[Value, Value, Value], Place::Statement),
    leaving("goto", &[Name], Place::Statement),
    // Rust's own, for what a definition takes for granted.
    form("debug_assert", &[Value], Place::Statement),
];

pub fn find(mac: &syn::Macro) -> Option<&'static Form> {
    let word = mac.path.get_ident()?;
    FORMS.iter().find(|form| word == form.word)
}

/// The arguments, if there are as many as the macro takes and each is of its kind.
pub fn args(mac: &syn::Macro, form: &Form) -> Option<Vec<syn::Expr>> {
    let parse = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
    let args: Vec<_> = mac.parse_body_with(parse).ok()?.into_iter().collect();
    let fits = args.len() == form.args.len()
        && args
            .iter()
            .zip(form.args)
            .all(|(arg, kind)| *kind == Arg::Value || name(arg).is_some());
    fits.then_some(args)
}

pub fn name(expr: &syn::Expr) -> Option<String> {
    match expr {
        syn::Expr::Path(p) => p.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// Whether a statement leaves the op on every path.
pub fn leaves(stmt: &syn::Stmt) -> bool {
    match stmt {
        syn::Stmt::Macro(m) => find(&m.mac).is_some_and(|form| form.leaves),
        syn::Stmt::Expr(expr, _) => expr_leaves(expr),
        _ => false,
    }
}

fn expr_leaves(expr: &syn::Expr) -> bool {
    let block = |block: &syn::Block| block.stmts.iter().any(leaves);
    match expr {
        syn::Expr::Macro(m) => find(&m.mac).is_some_and(|form| form.leaves),
        syn::Expr::Block(b) => block(&b.block),
        syn::Expr::If(e) => {
            let other = e.else_branch.as_ref();
            block(&e.then_branch) && other.is_some_and(|(_, other)| expr_leaves(other))
        }
        syn::Expr::Match(e) => {
            !e.arms.is_empty() && e.arms.iter().all(|arm| expr_leaves(&arm.body))
        }
        _ => false,
    }
}

/// Whether a statement assigns `name` on every path that goes on.
pub fn assigns(stmt: &syn::Stmt, name: &str) -> bool {
    match stmt {
        syn::Stmt::Expr(expr, _) => expr_assigns(expr, name),
        _ => false,
    }
}

fn expr_assigns(expr: &syn::Expr, name: &str) -> bool {
    let block = |block: &syn::Block| block.stmts.iter().any(|s| assigns(s, name) || leaves(s));
    match expr {
        syn::Expr::Assign(e) => targets(&e.left).iter().any(|target| target == name),
        syn::Expr::Block(b) => block(&b.block),
        syn::Expr::If(e) => {
            let other = e.else_branch.as_ref();
            let other = other.is_some_and(|(_, o)| expr_assigns(o, name) || expr_leaves(o));
            block(&e.then_branch) && other
        }
        syn::Expr::Match(e) => {
            let arm = |arm: &syn::Arm| expr_assigns(&arm.body, name) || expr_leaves(&arm.body);
            !e.arms.is_empty() && e.arms.iter().all(arm)
        }
        _ => false,
    }
}

/// The plain names that an assignment's left side gives a value.
pub fn targets(left: &syn::Expr) -> Vec<String> {
    match left {
        syn::Expr::Tuple(t) => t.elems.iter().flat_map(targets).collect(),
        syn::Expr::Paren(p) => targets(&p.expr),
        _ => name(left).into_iter().collect(),
    }
}
