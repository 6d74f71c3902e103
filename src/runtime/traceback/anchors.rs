//! Which part of a failing expression to point at: the operator, or the brackets
//! (`traceback._extract_caret_anchors_from_line_segment`).

use ruff_python_ast::{Expr, Stmt};
use ruff_python_parser::parse_module;
use ruff_text_size::Ranged;

/// First and last line and column, in characters, of the part; the end is not part of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Anchors {
    pub left: (usize, usize),
    pub right: (usize, usize),
}

/// In front of a segment, so that an expression of several lines is one.
const PREFIX: &str = "(\n";

pub fn anchors(segment: &str) -> Option<Anchors> {
    let text = format!("{PREFIX}{segment}\n)");
    let parsed = parse_module(&text).ok()?;
    let [Stmt::Expr(statement)] = parsed.syntax().body.as_slice() else {
        return None;
    };
    let cursor = Cursor { text: segment };
    let end_of = |expr: &Expr| expr.end().to_usize().checked_sub(PREFIX.len());
    let (left, right) = match &*statement.value {
        Expr::BinOp(operation) => {
            let left = cursor.find(end_of(&operation.left)?, |c| !c.is_whitespace() && c != ')')?;
            let operand = operation
                .right
                .start()
                .to_usize()
                .checked_sub(PREFIX.len())?;
            let mut rest = segment[left..].chars();
            let mut right = left + rest.next()?.len_utf8();
            // Operators have one or two characters.
            if let Some(second) = rest.next()
                && right < operand
                && !second.is_whitespace()
                && !matches!(second, '\\' | '#')
            {
                right += second.len_utf8();
            }
            (left, right)
        }
        Expr::Subscript(subscript) => (
            cursor.find(end_of(&subscript.value)?, |c| c == '[')?,
            end_of(&statement.value)?,
        ),
        Expr::Call(call) => (
            cursor.find(end_of(&call.func)?, |c| c == '(')?,
            end_of(&statement.value)?,
        ),
        _ => return None,
    };
    Some(Anchors {
        left: cursor.place(left),
        right: cursor.place(right),
    })
}

struct Cursor<'a> {
    text: &'a str,
}

impl Cursor<'_> {
    /// The first character at or after a byte that satisfies `stop`, comments and continued lines passed over.
    fn find(&self, from: usize, stop: impl Fn(char) -> bool) -> Option<usize> {
        let mut passing_line = false;
        for (at, c) in self.text.get(from..)?.char_indices() {
            match c {
                '\n' => passing_line = false,
                _ if passing_line => {}
                '\\' | '#' => passing_line = true,
                c if stop(c) => return Some(from + at),
                _ => {}
            }
        }
        None
    }
    /// Line and column of a byte.
    fn place(&self, at: usize) -> (usize, usize) {
        let before = &self.text[..at];
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (line, before[start..].chars().count())
    }
}

/// Whether carets say anything (`StackSummary._should_show_carets`): not under a call that is the whole statement,
/// and not under a whole line without anchors.
pub fn shows_carets(start: usize, end: usize, lines: &[Vec<char>], anchored: bool) -> bool {
    let last = lines.len() - 1;
    let text = lines
        .iter()
        .map(|line| line.iter().collect())
        .collect::<Vec<String>>()
        .join("\n");
    if let Ok(parsed) = parse_module(&text) {
        let Some(statement) = parsed.syntax().body.first() else {
            return false;
        };
        let call = match statement {
            Stmt::Return(statement) => match statement.value.as_deref() {
                Some(Expr::Call(call)) if call.func.is_name_expr() => Some(call),
                _ => None,
            },
            Stmt::Assign(statement) => statement.value.as_call_expr(),
            _ => None,
        };
        if let Some(call) = call {
            let column = |(line, column): (usize, usize)| {
                lines[line][..column].iter().map(|c| c.len_utf8()).sum()
            };
            let cursor = Cursor { text: &text };
            let (from, to) = (
                cursor.place(call.start().to_usize()),
                cursor.place(call.end().to_usize()),
            );
            let columns: (usize, usize) = (column(from), column(to));
            if from.0 == 0 && to.0 == last && columns == (start, end) {
                return false;
            }
        }
    }
    let blank = |part: &[char]| part.iter().all(|c| c.is_whitespace());
    anchored || !blank(&lines[0][..start]) || !blank(&lines[last][end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_behind_parentheses_and_comments() {
        let place = |left, right| {
            Some(Anchors {
                left: (0, left),
                right: (0, right),
            })
        };
        assert_eq!(anchors("(a) ** b"), place(4, 6));
        assert_eq!(anchors("f(x)[y](z)"), place(7, 10));
        assert_eq!(
            anchors("a # + \n - b"),
            Some(Anchors {
                left: (1, 1),
                right: (1, 2)
            })
        );
        assert_eq!(anchors("a.b"), None);
        assert_eq!(anchors("a if"), None);
    }
}
