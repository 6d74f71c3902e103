//! What CPython says about a source that does not parse.
//!
//! A lexical error anywhere wins over a syntax error, as CPython reads a bad file to its end before it speaks.
//! Otherwise the parser's first error and the tokens around it decide between CPython's special messages (the
//! `invalid_*` rules of its grammar) and a plain "invalid syntax" at the token where its parser got stuck.

mod fields;
mod places;
mod rules;

use super::error::{CompileError, ErrorKind};
use super::instr::Location;
use super::literals;
use super::source::Source;
use super::tokens::{self, Kind, Lexed, Token, char_location};
use super::tree::expr_name;
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Mod, Stmt};
use ruff_python_parser::{LexicalErrorType, ParseErrorType, Parsed, UnsupportedSyntaxErrorKind};
use ruff_text_size::{Ranged, TextRange};

/// A message and the range it marks; no kind means SyntaxError.
struct Found {
    kind: ErrorKind,
    message: String,
    start: usize,
    end: usize,
}

fn found(message: impl Into<String>, start: usize, end: usize) -> Option<Found> {
    Some(Found {
        kind: ErrorKind::Syntax,
        message: message.into(),
        start,
        end,
    })
}

pub(super) fn diagnose(source: &Source, parsed: &Parsed<Mod>) -> CompileError {
    let lexed = tokens::lex(source);
    let diagnosis = Diagnosis::new(source, &lexed, parsed);
    let at = diagnosis.error_token();
    let stuck = diagnosis.token(at);
    // An unexpected indent is the one error that CPython reports without reading on.
    let reads_on = stuck.kind != Kind::Indent || diagnosis.range().0 < stuck.start;
    let (start, _) = diagnosis.range();
    if let Some(error) = &lexed.error
        && reads_on
        && lexed.quiet.is_none_or(|at| start >= at)
    {
        return error.clone();
    }
    let found = diagnosis
        .special(at)
        .or_else(|| diagnosis.by_tokens(at))
        .unwrap_or_else(|| diagnosis.generic(at));
    // A bracket left open on an earlier line than the one the parser had read to is the likelier mistake.
    let reached = diagnosis.line(stuck.start.max(found.start));
    if let Some(open) = lexed.unclosed
        && (reached > diagnosis.line(open) || at + 1 >= lexed.tokens.len())
    {
        let bracket = source.text()[open..].chars().next().unwrap_or('(');
        let mut loc = char_location(source, open, open);
        loc.end_col_offset = -1;
        let message = format!("'{bracket}' was never closed");
        return CompileError::new(ErrorKind::Syntax, message, loc);
    }
    let loc = diagnosis.location(&found);
    CompileError::new(found.kind, found.message, loc)
}

/// Syntax that ruff parses for later versions of Python.
pub(super) fn unsupported(source: &Source, parsed: &Parsed<Mod>) -> Option<CompileError> {
    let error = parsed.unsupported_syntax_errors().first()?;
    let (start, end) = (error.range.start().to_usize(), error.range.end().to_usize());
    let (message, end) = match error.kind {
        UnsupportedSyntaxErrorKind::UnpackingInComprehension(_) => {
            if source.text()[start..].starts_with("**") {
                (
                    "dict unpacking cannot be used in dict comprehension",
                    start + 2,
                )
            } else {
                ("iterable unpacking cannot be used in comprehension", end)
            }
        }
        _ => ("invalid syntax", end),
    };
    let loc = char_location(source, start, end);
    Some(CompileError::new(ErrorKind::Syntax, message, loc))
}

/// Interactive input is one statement, or several on a line (`statement_newline`, `bad_single_statement`).
pub(super) fn several_statements(source: &Source, parsed: &Parsed<Mod>) -> Option<CompileError> {
    let Mod::Module(module) = parsed.syntax() else {
        return None;
    };
    let [first, .., last] = module.body.as_slice() else {
        return None;
    };
    let tokens = parsed.tokens();
    let end = tokens
        .iter()
        .position(|token| token.kind() == TokenKind::Newline && token.end() >= first.end())?;
    if let Stmt::FunctionDef(_)
    | Stmt::ClassDef(_)
    | Stmt::For(_)
    | Stmt::While(_)
    | Stmt::If(_)
    | Stmt::With(_)
    | Stmt::Match(_)
    | Stmt::Try(_) = first
    {
        let next = source.location_of(&module.body[1]);
        // Its first word.
        let next = tokens
            .iter()
            .find(|token| token.start() >= module.body[1].start() && !token.range().is_empty())
            .map_or(next, |token| source.location(token.range()));
        return Some(CompileError::new(ErrorKind::Syntax, "invalid syntax", next));
    }
    if last.start() < tokens[end].end() {
        return None;
    }
    // A comment at the end of the line belongs to its end.
    let start = match end.checked_sub(1).map(|before| &tokens[before]) {
        Some(before) if before.kind() == TokenKind::Comment => before.start(),
        _ => tokens[end].start(),
    };
    let (start, end) = (start.to_usize(), tokens[end].end().to_usize());
    let mut loc = char_location(source, start, start);
    loc.end_col_offset = loc.col_offset + source.text()[start..end].chars().count() as i32;
    let message = "multiple statements found while compiling a single statement";
    Some(CompileError::new(ErrorKind::Syntax, message, loc))
}

struct Diagnosis<'s> {
    source: &'s Source,
    tokens: &'s [Token],
    parsed: &'s Parsed<Mod>,
    exprs: Vec<&'s Expr>,
    stmts: Vec<&'s Stmt>,
}

#[derive(Default)]
struct Collector<'s> {
    exprs: Vec<&'s Expr>,
    stmts: Vec<&'s Stmt>,
}

impl<'s> Visitor<'s> for Collector<'s> {
    fn visit_expr(&mut self, expr: &'s Expr) {
        self.exprs.push(expr);
        super::grown(|| walk_expr(self, expr));
    }
    fn visit_stmt(&mut self, stmt: &'s Stmt) {
        self.stmts.push(stmt);
        super::grown(|| walk_stmt(self, stmt));
    }
}

impl<'s> Diagnosis<'s> {
    fn new(source: &'s Source, lexed: &'s Lexed, parsed: &'s Parsed<Mod>) -> Diagnosis<'s> {
        let mut collector = Collector::default();
        match parsed.syntax() {
            Mod::Module(module) => module.body.iter().for_each(|s| collector.visit_stmt(s)),
            Mod::Expression(e) => collector.visit_expr(&e.body),
        }
        Diagnosis {
            source,
            tokens: &lexed.tokens,
            parsed,
            exprs: collector.exprs,
            stmts: collector.stmts,
        }
    }

    fn token(&self, at: usize) -> Token {
        let end = self.source.text().len();
        let past = Token {
            kind: Kind::EndMarker,
            start: end,
            end,
        };
        self.tokens.get(at).copied().unwrap_or(past)
    }
    fn text(&self, token: Token) -> &'s str {
        &self.source.text()[token.start..token.end]
    }
    fn word(&self, at: usize) -> &'s str {
        self.text(self.token(at))
    }
    fn line(&self, offset: usize) -> i32 {
        self.source
            .position(ruff_text_size::TextSize::new(offset as u32))
            .0
    }
    fn range(&self) -> (usize, usize) {
        let range = (self.parsed.errors().first()).map_or(TextRange::default(), |e| e.location);
        (range.start().to_usize(), range.end().to_usize())
    }

    /// Where CPython puts a range: a newline is one column wide, the end of the file is the end of its last
    /// line, and what has no token of its own has no end.
    fn location(&self, found: &Found) -> Location {
        const NO_END: i32 = -2;
        let text = self.source.text();
        let at_end = text[found.start..].trim_end_matches('\n').is_empty();
        if at_end && found.kind != ErrorKind::Syntax || found.start >= text.len() && found.start > 0
        {
            let end = text.trim_end_matches('\n').len();
            let mut loc = char_location(self.source, end, end);
            loc.end_col_offset = match found.kind {
                ErrorKind::Syntax if !text.ends_with('\n') => loc.col_offset + 1,
                _ => NO_END,
            };
            return loc;
        }
        let mut loc = char_location(self.source, found.start, found.end);
        if found.end > found.start && text.as_bytes()[found.end - 1] == b'\n' {
            let last = char_location(self.source, found.end - 1, found.end - 1);
            loc.end_lineno = last.lineno;
            loc.end_col_offset = last.col_offset + 1;
        }
        if found.start == found.end && found.kind == ErrorKind::Indentation {
            loc.end_col_offset = NO_END;
        }
        loc
    }

    /// The token at which ruff gave up first.
    fn error_token(&self) -> usize {
        let (start, _) = self.range();
        let passed = |t: &Token| match t.kind {
            // The newline that a last line lacks.
            Kind::Newline if t.start == t.end => t.end < start,
            Kind::Dedent => t.start <= start,
            _ => t.end <= start,
        };
        self.tokens
            .iter()
            .position(|t| !passed(t))
            .unwrap_or(self.tokens.len().saturating_sub(1))
    }

    /// "invalid syntax" at a token, or what an unexpected indent is.
    fn generic(&self, at: usize) -> Found {
        let mut token = self.token(at);
        // CPython looks past `not`, for the `in` of an operator.
        if token.kind == Kind::Name && self.text(token) == "not" && self.is_operand_end(at) {
            token = self.token(at + 1);
        }
        match token.kind {
            Kind::Indent => {
                let width = token.end - token.start;
                Found {
                    kind: ErrorKind::Indentation,
                    message: "unexpected indent".into(),
                    start: token.start + width.saturating_sub(1),
                    end: token.start + width.saturating_sub(1),
                }
            }
            _ => Found {
                kind: ErrorKind::Syntax,
                message: "invalid syntax".into(),
                start: token.start,
                end: token.end,
            },
        }
    }

    /// Whether the token before ends an operand.
    fn is_operand_end(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).map(|i| self.token(i)) else {
            return false;
        };
        match before.kind {
            Kind::Name => !is_keyword(self.text(before)),
            Kind::Number | Kind::String | Kind::FStringEnd => true,
            Kind::Op => matches!(self.text(before), ")" | "]" | "}"),
            _ => false,
        }
    }

    fn special(&self, at: usize) -> Option<Found> {
        let error = self.parsed.errors().first()?;
        let (start, end) = self.range();
        let token = self.token(at);
        match &error.error {
            ParseErrorType::InvalidAssignmentTarget => self.invalid_target(start, end),
            ParseErrorType::InvalidAugmentedAssignmentTarget => {
                let name = self.name_at(start, end)?;
                found(
                    format!("'{name}' is an illegal expression for augmented assignment"),
                    start,
                    end,
                )
            }
            ParseErrorType::InvalidAnnotatedAssignmentTarget => {
                found("illegal target for annotation", start, end)
            }
            ParseErrorType::InvalidDeleteTarget => found(
                format!("cannot delete {}", self.name_at(start, end)?),
                start,
                end,
            ),
            ParseErrorType::InvalidNamedAssignmentTarget => found(
                format!(
                    "cannot use assignment expressions with {}",
                    self.name_at(start, end)?
                ),
                start,
                end,
            ),
            ParseErrorType::PositionalAfterKeywordArgument => {
                self.at_closing(at, "positional argument follows keyword argument")
            }
            ParseErrorType::PositionalAfterKeywordUnpacking => {
                self.at_closing(at, "positional argument follows keyword argument unpacking")
            }
            ParseErrorType::InvalidArgumentUnpackingOrder => {
                // From the comma before it on.
                let message = "iterable argument unpacking follows keyword argument unpacking";
                let star = self.tokens.partition_point(|t| t.end <= start);
                found(message, self.token(star.checked_sub(1)?).start, end)
            }
            ParseErrorType::UnparenthesizedGeneratorExpression => {
                if self.stmts.iter().any(|s| {
                    matches!(s, Stmt::ClassDef(c) if c.arguments.as_ref()
                        .is_some_and(|a| a.range.contains_range(error.location)))
                }) {
                    let of = (at..self.tokens.len()).find(|&i| self.word(i) == "for")?;
                    return Some(self.generic(of));
                }
                found("Generator expression must be parenthesized", start, end)
            }
            ParseErrorType::NonDefaultParamAfterDefaultParam => found(
                "parameter without a default follows parameter with a default",
                start,
                end,
            ),
            ParseErrorType::ExpectedKeywordParam => {
                found("named arguments must follow bare *", token.start, token.end)
            }
            ParseErrorType::ParamAfterVarKeywordParam => {
                found("arguments cannot follow var-keyword argument", start, end)
            }
            ParseErrorType::ExpectedImaginaryNumber => found(
                "imaginary number required in complex literal",
                token.start,
                token.end,
            ),
            ParseErrorType::ExpectedRealNumber => found(
                "real number required in complex literal",
                token.start,
                token.end,
            ),
            ParseErrorType::VarParameterWithDefault => self.var_default(at),
            ParseErrorType::EmptyImportNames if token.kind != Kind::Newline => None,
            ParseErrorType::EmptyImportNames => found(
                "Expected one or more names after 'import'",
                token.start,
                token.end,
            ),
            ParseErrorType::SimpleStatementsOnSameLine => self.legacy_statement(at),
            ParseErrorType::ExpectedExpression => self.missing_expression(at),
            ParseErrorType::ExpectedToken { expected, found } => {
                self.expected_token(at, *expected, *found)
            }
            ParseErrorType::FStringError(kind)
            | ParseErrorType::Lexical(LexicalErrorType::FStringError(kind)) => {
                self.interpolated(at, kind, 'f')
            }
            ParseErrorType::TStringError(kind)
            | ParseErrorType::Lexical(LexicalErrorType::TStringError(kind)) => {
                self.interpolated(at, kind, 't')
            }
            ParseErrorType::Lexical(LexicalErrorType::InvalidByteLiteral) => {
                let message = "bytes can only contain ASCII literal characters";
                found(message, token.start, token.end)
            }
            ParseErrorType::Lexical(
                LexicalErrorType::UnicodeError
                | LexicalErrorType::MissingUnicodeLbrace
                | LexicalErrorType::MissingUnicodeRbrace
                | LexicalErrorType::StringError,
            ) => {
                let message = literals::escape_error(self.text(token))?;
                found(message, token.start, token.end)
            }
            ParseErrorType::OtherError(text) => self.other(at, text, start, end),
            _ => None,
        }
    }

    /// CPython's name for the largest expression in a range.
    fn name_at(&self, start: usize, end: usize) -> Option<&'static str> {
        self.expr_at(start, end).map(expr_name)
    }
    fn expr_at(&self, start: usize, end: usize) -> Option<&'s Expr> {
        self.exprs
            .iter()
            .find(|e| e.start().to_usize() == start && e.end().to_usize() == end)
            .copied()
    }

    /// `invalid_assignment`, and `invalid_named_expression` where it comes first.
    fn invalid_target(&self, start: usize, end: usize) -> Option<Found> {
        let target = self.expr_at(start, end)?;
        let name = expr_name(target);
        let assigned = self.stmts.iter().find_map(|s| match s {
            Stmt::Assign(s) if s.targets[0].range() == target.range() => Some(s),
            _ => None,
        });
        let here = assigned.is_some_and(|s| {
            s.targets.len() == 1
                && !matches!(name, "None" | "True" | "False" | "list" | "tuple")
                && !target.is_generator_expr()
                && (is_bitwise_or(target) || target.is_yield_expr() || target.is_yield_from_expr())
        });
        let message = if here {
            format!("cannot assign to {name} here. Maybe you meant '==' instead of '='?")
        } else if name == "yield expression" && !self.is_parenthesized(start) {
            "assignment to yield expression not possible".to_string()
        } else {
            format!("cannot assign to {name}")
        };
        found(message, start, end)
    }

    /// Whether a parenthesis opens right before an offset.
    fn is_parenthesized(&self, offset: usize) -> bool {
        self.source.text()[..offset].trim_end().ends_with('(')
    }

    /// The bracket that closes the one around a token.
    fn closing(&self, at: usize) -> Option<usize> {
        let mut depth = 0;
        for i in at..self.tokens.len() {
            match self.word(i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth == 0 => return Some(i),
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
        }
        None
    }
    fn at_closing(&self, at: usize, message: &str) -> Option<Found> {
        let token = self.token(self.closing(at)?);
        found(message, token.start, token.end)
    }
    /// The bracket that the one around a token opens with.
    fn opening(&self, at: usize) -> Option<usize> {
        let mut depth = 0;
        for i in (0..at).rev() {
            match self.word(i) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth == 0 => return Some(i),
                "(" | "[" | "{" => depth -= 1,
                _ => {}
            }
        }
        None
    }

    fn var_default(&self, at: usize) -> Option<Found> {
        let equals = (at..self.tokens.len()).find(|&i| self.word(i) == "=")?;
        let star = (0..equals).rev().find(|&i| self.word(i).starts_with('*'))?;
        let what = if self.word(star) == "**" {
            "var-keyword"
        } else {
            "var-positional"
        };
        let token = self.token(equals);
        found(
            format!("{what} argument cannot have default value"),
            token.start,
            token.end,
        )
    }
}

/// What the grammar's `bitwise_or` covers: no comparison, test, or what binds looser.
fn is_bitwise_or(e: &Expr) -> bool {
    !matches!(
        e,
        Expr::Compare(_)
            | Expr::BoolOp(_)
            | Expr::If(_)
            | Expr::Lambda(_)
            | Expr::Named(_)
            | Expr::Starred(_)
            | Expr::Yield(_)
            | Expr::YieldFrom(_)
    ) && !matches!(e, Expr::UnaryOp(u) if u.op == ruff_python_ast::UnaryOp::Not)
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "False"
            | "None"
            | "True"
            | "and"
            | "as"
            | "assert"
            | "async"
            | "await"
            | "break"
            | "class"
            | "continue"
            | "def"
            | "del"
            | "elif"
            | "else"
            | "except"
            | "finally"
            | "for"
            | "from"
            | "global"
            | "if"
            | "import"
            | "in"
            | "is"
            | "lambda"
            | "nonlocal"
            | "not"
            | "or"
            | "pass"
            | "raise"
            | "return"
            | "try"
            | "while"
            | "with"
            | "yield"
    )
}
