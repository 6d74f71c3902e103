//! f-strings, t-strings, and `%` formatting that compiles to the former.

use super::names::AttrLoad;
use super::{Compiler, Result, STACK_USE_GUIDELINE, literals};
use crate::bytecode::Opcode;
use crate::bytecode::spec::{Constant, Wtf8};
use crate::compiler::instr::{Location, NO_LOCATION};
use crate::compiler::names::known;
use crate::compiler::tree::shown_conversion;
use ruff_python_ast::{
    self as ast, AnyStringFlags, ConversionFlag, Expr, FStringPart, InterpolatedStringElement,
    Operator,
};
use ruff_text_size::{Ranged, TextRange, TextSize};
use std::borrow::Cow;

/// An item of a `JoinedStr` or `TemplateStr` node.
pub(super) enum Piece<'a> {
    Text(Vec<u8>, Location),
    /// With the prefix and quotes of its literal, which its format specification shares.
    Value(&'a ast::InterpolatedElement, AnyStringFlags),
}

/// An item of a `%` format.
pub(super) enum Percent<'a> {
    Text(Wtf8),
    Value {
        arg: &'a Expr,
        conversion: i32,
        spec: Option<String>,
    },
}

const FVC_STR: i32 = 1;
const FVC_REPR: i32 = 2;
const FVC_ASCII: i32 = 3;

fn conversion(flag: ConversionFlag) -> Option<i32> {
    match flag {
        ConversionFlag::None => None,
        ConversionFlag::Str => Some(FVC_STR),
        ConversionFlag::Repr => Some(FVC_REPR),
        ConversionFlag::Ascii => Some(FVC_ASCII),
    }
}

impl<'a> Compiler<'a> {
    /// `codegen_joined_str`
    pub(super) fn joined_str(&mut self, e: &'a ast::ExprFString) -> Result {
        let mut pieces = Vec::new();
        for part in &e.value {
            match part {
                FStringPart::Literal(literal) => {
                    let mut text = Vec::new();
                    literals::string_part(self.source, literal, &mut text)?;
                    let loc = self.loc(literal);
                    push_text(&mut pieces, text, loc);
                }
                FStringPart::FString(f) => {
                    self.pieces(&f.elements, f.flags.into(), &mut pieces)?;
                }
            }
        }
        let loc = self.loc(e);
        self.joined_pieces(pieces, loc)
    }

    fn joined_pieces(&mut self, pieces: Vec<Piece<'a>>, loc: Location) -> Result {
        let pieces: Vec<Piece> = pieces.into_iter().filter(|p| !is_empty(p)).collect();
        let count = pieces.len();
        let big = count > STACK_USE_GUIDELINE;
        if big {
            self.load_const(Constant::Str(Wtf8::default()), loc);
            self.load_attr(AttrLoad::Method, known::JOIN, loc);
            self.op_i(Opcode::BUILD_LIST, 0, loc);
        }
        for piece in pieces {
            match piece {
                Piece::Text(text, loc) => self.load_const(Constant::Str(text.into()), loc),
                Piece::Value(value, flags) => self.formatted_value(value, flags)?,
            }
            if big {
                self.op_i(Opcode::LIST_APPEND, 1, loc);
            }
        }
        match count {
            _ if big => self.op_i(Opcode::CALL, 1, loc),
            0 => self.load_const(Constant::Str(Wtf8::default()), loc),
            1 => {}
            _ => self.op_len(Opcode::BUILD_STRING, count, loc),
        }
        Ok(())
    }

    /// The items of one literal; the text of `{x=}` is its own item.
    fn pieces(
        &self,
        elements: &'a [InterpolatedStringElement],
        flags: AnyStringFlags,
        pieces: &mut Vec<Piece<'a>>,
    ) -> Result {
        for element in elements {
            match element {
                InterpolatedStringElement::Literal(literal) => {
                    let text = literals::interpolated_text(self.source, literal.range, flags)?;
                    push_text(pieces, text, self.loc(literal));
                }
                InterpolatedStringElement::Interpolation(value) => {
                    if value.debug_text.is_some() {
                        let (text, loc) = self.debug_text(value);
                        push_text(pieces, text, loc);
                    }
                    pieces.push(Piece::Value(value, flags));
                }
            }
        }
        Ok(())
    }

    /// The source of `{x=}` up to its conversion, format or end.
    fn debug_text(&self, value: &ast::InterpolatedElement) -> (Vec<u8>, Location) {
        let start = value.start() + TextSize::new(1);
        let text = value.debug_text.as_ref().map_or("", |d| d.as_str());
        let end = start + TextSize::new(text.len() as u32);
        let loc = self.source.location(TextRange::new(start, end));
        (without_comments(text).into_owned().into_bytes(), loc)
    }

    /// `codegen_formatted_value`
    fn formatted_value(
        &mut self,
        value: &'a ast::InterpolatedElement,
        flags: AnyStringFlags,
    ) -> Result {
        self.expr(&value.expression)?;
        let loc = self.loc(value);
        let converted = conversion(shown_conversion(value));
        if let Some(converted) = converted {
            self.op_i(Opcode::CONVERT_VALUE, converted, loc);
        }
        if let Some(spec) = &value.format_spec {
            self.format_spec(spec, flags)?;
            self.op(Opcode::FORMAT_WITH_SPEC, loc);
        } else {
            self.op(Opcode::FORMAT_SIMPLE, loc);
        }
        Ok(())
    }

    fn format_spec(
        &mut self,
        spec: &'a ast::InterpolatedStringFormatSpec,
        flags: AnyStringFlags,
    ) -> Result {
        let mut pieces = Vec::new();
        self.pieces(&spec.elements, flags, &mut pieces)?;
        // The colon belongs to the specification.
        let start = spec.start() - TextSize::new(1);
        let loc = self.source.location(TextRange::new(start, spec.end()));
        self.joined_pieces(pieces, loc)
    }

    /// `codegen_template_str`
    pub(super) fn template_str(&mut self, e: &'a ast::ExprTString) -> Result {
        let mut pieces = Vec::new();
        for part in &e.value {
            self.pieces(&part.elements, part.flags.into(), &mut pieces)?;
        }
        let loc = self.loc(e);
        let mut strings = 0;
        let mut values = Vec::new();
        let mut last_was_value = true;
        for piece in pieces {
            match piece {
                Piece::Text(text, _) if text.is_empty() => {}
                Piece::Text(text, loc) => {
                    self.load_const(Constant::Str(text.into()), loc);
                    strings += 1;
                    last_was_value = false;
                }
                Piece::Value(value, flags) => {
                    if last_was_value {
                        self.load_const(Constant::Str(Wtf8::default()), loc);
                        strings += 1;
                    }
                    last_was_value = true;
                    values.push((value, flags));
                }
            }
        }
        if last_was_value {
            self.load_const(Constant::Str(Wtf8::default()), loc);
            strings += 1;
        }
        self.op_i(Opcode::BUILD_TUPLE, strings, loc);
        let count = values.len();
        for (value, flags) in values {
            self.interpolation(value, flags)?;
        }
        self.op_len(Opcode::BUILD_TUPLE, count, loc);
        self.op(Opcode::BUILD_TEMPLATE, loc);
        Ok(())
    }

    /// `codegen_interpolation`
    fn interpolation(
        &mut self,
        value: &'a ast::InterpolatedElement,
        flags: AnyStringFlags,
    ) -> Result {
        let loc = self.loc(value);
        self.expr(&value.expression)?;
        let text = self.interpolation_text(value);
        self.load_const(Constant::Str(text), loc);
        let mut oparg = 2;
        if let Some(spec) = &value.format_spec {
            oparg += 1;
            self.format_spec(spec, flags)?;
        }
        let converted = conversion(shown_conversion(value));
        if let Some(converted) = converted {
            oparg |= converted << 2;
        }
        self.op_i(Opcode::BUILD_INTERPOLATION, oparg, loc);
        Ok(())
    }

    /// The source of an interpolated expression, as `Interpolation.expression` shows it.
    fn interpolation_text(&self, value: &ast::InterpolatedElement) -> Wtf8 {
        let start = value.start() + TextSize::new(1);
        let text = match &value.debug_text {
            Some(debug) => debug.as_str(),
            None => self
                .source
                .slice(TextRange::new(start, self.expression_end(value))),
        };
        let text = without_comments(text);
        let text = text.trim_end_matches(BLANKS);
        match (&value.debug_text, text.strip_suffix('=')) {
            (Some(_), Some(text)) => Wtf8::from(text.trim_end_matches(BLANKS)),
            _ => Wtf8::from(text),
        }
    }

    /// Where the expression's text ends: at the `!`, `:` or `}` after it.
    fn expression_end(&self, value: &ast::InterpolatedElement) -> TextSize {
        if let Some(spec) = &value.format_spec
            && value.conversion == ConversionFlag::None
        {
            return spec.start() - TextSize::new(1);
        }
        let after = self
            .source
            .slice(TextRange::new(value.expression.end(), value.end()));
        let stop: &[char] = match value.conversion {
            ConversionFlag::None => &['}'],
            _ => &['!'],
        };
        match after.find(stop) {
            Some(at) => value.expression.end() + TextSize::new(at as u32),
            None => value.expression.end(),
        }
    }

    /// `'...' % (a, b)` with only `%s`, `%r` and `%a` in it, as the items of a string
    /// (`optimize_format` of `ast_preprocess.c`).
    pub(super) fn percent_format(&self, e: &'a ast::ExprBinOp) -> Result<Option<Vec<Percent<'a>>>> {
        let (Operator::Mod, Expr::StringLiteral(format), Expr::Tuple(tuple)) =
            (e.op, &*e.left, &*e.right)
        else {
            return Ok(None);
        };
        if tuple.elts.iter().any(Expr::is_starred_expr) {
            return Ok(None);
        }
        let format = literals::string(self.source, &format.value)?;
        Ok(parse_percent_format(&format.0, &tuple.elts))
    }

    pub(super) fn percent_formatted(&mut self, pieces: &[Percent<'a>], loc: Location) -> Result {
        let big = pieces.len() > STACK_USE_GUIDELINE;
        if big {
            self.load_const(Constant::Str(Wtf8::default()), loc);
            self.load_attr(AttrLoad::Method, known::JOIN, loc);
            self.op_i(Opcode::BUILD_LIST, 0, loc);
        }
        for piece in pieces {
            match piece {
                Percent::Text(text) => self.load_const(Constant::Str(text.clone()), NO_LOCATION),
                Percent::Value {
                    arg,
                    conversion,
                    spec,
                } => {
                    self.expr(arg)?;
                    let loc = self.expr_location(arg);
                    self.op_i(Opcode::CONVERT_VALUE, *conversion, loc);
                    if let Some(spec) = spec {
                        let spec = Constant::Str(Wtf8::from(&**spec));
                        self.load_const(spec, NO_LOCATION);
                        self.op(Opcode::FORMAT_WITH_SPEC, loc);
                    } else {
                        self.op(Opcode::FORMAT_SIMPLE, loc);
                    }
                }
            }
            if big {
                self.op_i(Opcode::LIST_APPEND, 1, loc);
            }
        }
        match pieces.len() {
            _ if big => self.op_i(Opcode::CALL, 1, loc),
            0 => self.load_const(Constant::Str(Wtf8::default()), loc),
            1 => {}
            count => self.op_len(Opcode::BUILD_STRING, count, loc),
        }
        Ok(())
    }
}

const BLANKS: [char; 4] = [' ', '\t', '\x0C', '\n'];

/// An expression's source less the comments in it (`set_ftstring_expr`).
fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains('#') {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(q)) if c == q => quote = None,
            ('#', None) => {
                if chars.by_ref().any(|c| c == '\n') {
                    out.push('\n');
                }
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    Cow::Owned(out)
}

/// Neighbouring texts are one constant that spans both.
fn push_text(pieces: &mut Vec<Piece<'_>>, text: Vec<u8>, loc: Location) {
    if let Some(Piece::Text(last, last_loc)) = pieces.last_mut() {
        last.extend_from_slice(&text);
        last_loc.end_lineno = loc.end_lineno;
        last_loc.end_col_offset = loc.end_col_offset;
        return;
    }
    pieces.push(Piece::Text(text, loc));
}

fn is_empty(piece: &Piece<'_>) -> bool {
    matches!(piece, Piece::Text(text, _) if text.is_empty())
}

fn parse_percent_format<'a>(format: &[u8], args: &'a [Expr]) -> Option<Vec<Percent<'a>>> {
    let mut pieces = Vec::new();
    let mut args = args.iter();
    let mut at = 0;
    loop {
        let mut text = Vec::new();
        loop {
            match &format[at..] {
                [b'%', b'%', ..] => {
                    text.push(b'%');
                    at += 2;
                }
                [] | [b'%', ..] => break,
                [byte, ..] => {
                    text.push(*byte);
                    at += 1;
                }
            }
        }
        if !text.is_empty() {
            pieces.push(Percent::Text(text.into()));
        }
        if at == format.len() {
            break;
        }
        let arg = args.next()?;
        let (conversion, spec, end) = percent_spec(format, at + 1)?;
        pieces.push(Percent::Value {
            arg,
            conversion,
            spec,
        });
        at = end;
    }
    args.next().is_none().then_some(pieces)
}

/// A conversion after its `%`, its format specification, and where it ends (`simple_format_arg_parse`).
fn percent_spec(format: &[u8], at: usize) -> Option<(i32, Option<String>, usize)> {
    let mut at = at;
    let mut left = false;
    while let b'-' | b'+' | b' ' | b'#' | b'0' = format.get(at)? {
        left |= format[at] == b'-';
        at += 1;
    }
    let width = percent_number(format, &mut at)?;
    let mut precision = None;
    if *format.get(at)? == b'.' {
        at += 1;
        precision = Some(percent_number(format, &mut at)?.unwrap_or(0));
    }
    let conversion = match format.get(at)? {
        b's' => FVC_STR,
        b'r' => FVC_REPR,
        b'a' => FVC_ASCII,
        _ => return None,
    };
    let mut spec = String::new();
    if let Some(width) = width {
        if !left && width > 0 {
            spec.push('>');
        }
        spec.push_str(&width.to_string());
    }
    if let Some(precision) = precision {
        spec.push('.');
        spec.push_str(&precision.to_string());
    }
    Some((conversion, (!spec.is_empty()).then_some(spec), at + 1))
}

/// Up to two digits; three or more are left to the runtime.
fn percent_number(format: &[u8], at: &mut usize) -> Option<Option<u32>> {
    let start = *at;
    let mut number = 0;
    while format.get(*at)?.is_ascii_digit() {
        number = number * 10 + u32::from(format[*at] - b'0');
        *at += 1;
        if *at - start >= 3 {
            return None;
        }
    }
    Some((*at > start).then_some(number))
}
