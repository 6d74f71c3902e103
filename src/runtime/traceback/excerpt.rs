//! The source lines below a traceback entry, with carets under what failed (`StackSummary.format_frame_summary`).

use super::anchors::{Anchors, anchors, shows_carets};

/// What of the source an instruction stands for: the lines, and columns in bytes of the first and the last of them.
pub struct Span<'a> {
    pub lines: Vec<&'a str>,
    pub columns: Option<(usize, usize)>,
}

/// The indented lines, each ending in a newline; nothing if the source is blank.
pub fn excerpt(span: &Span) -> String {
    let originals: Vec<&str> = span.lines.iter().map(|line| line.trim_end()).collect();
    if originals.iter().all(|line| line.is_empty()) {
        return String::new();
    }
    match span.columns {
        None => format!("    {}\n", originals[0].trim()),
        Some((start, end)) => marked(&originals, start, end),
    }
}

fn marked(originals: &[&str], start: usize, end: usize) -> String {
    let lines: Vec<Vec<char>> = dedent(originals)
        .iter()
        .map(|line| line.chars().collect())
        .collect();
    let last = lines.len() - 1;
    // Columns are counted in the original lines; what dedenting took off the first is taken off both.
    let dedented = originals[0].chars().count() - lines[0].len();
    let start = char_column(originals[0], start)
        .saturating_sub(dedented)
        .min(lines[0].len());
    let end = char_column(originals[last], end)
        .saturating_sub(dedented)
        .min(lines[last].len());

    let segment = segment(&lines, start, end);
    let found = anchors(&segment).map(|anchors| shift(anchors, start, &lines));
    let carets = shows_carets(start, end, &lines, found.is_some());
    let marks = Marks {
        start: width(&lines[0], start),
        end: width(&lines[last], end),
        anchors: found,
    };

    let mut shown: Vec<usize> = vec![0, last];
    if let Some(anchors) = &marks.anchors {
        for line in [anchors.left.0, anchors.right.0] {
            shown.extend(line.saturating_sub(1)..=(line + 1).min(last));
        }
    }
    shown.sort_unstable();
    shown.dedup();

    let mut out: Vec<String> = Vec::new();
    let mut output = |line: usize| {
        out.push(lines[line].iter().collect());
        if carets {
            out.push(marks.row(&lines[line], line, last));
        }
    };
    let mut gaps = Vec::new();
    for (index, &line) in shown.iter().enumerate() {
        let gap = if index == 0 {
            1
        } else {
            line - shown[index - 1]
        };
        match gap {
            1 => {}
            2 => output(line - 1),
            _ => gaps.push((line, gap - 1)),
        }
        output(line);
    }
    with_gaps(&lines, out, carets, &shown, &gaps)
}

/// Puts the notes on left out lines where they belong, and the indentation before everything.
fn with_gaps(
    lines: &[Vec<char>],
    out: Vec<String>,
    carets: bool,
    shown: &[usize],
    gaps: &[(usize, usize)],
) -> String {
    let per_line = if carets { 2 } else { 1 };
    let mut rows = Vec::new();
    let mut printed = out.chunks(per_line);
    let mut next = 0;
    for &line in shown {
        if let Some((_, count)) = gaps.iter().find(|(before, _)| *before == line) {
            rows.push(format!("...<{count} lines>..."));
            next = line;
        }
        while next <= line {
            rows.extend(printed.next().into_iter().flatten().cloned());
            next += 1;
        }
    }
    debug_assert!(next == lines.len());
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    dedent(&rows)
        .iter()
        .map(|row| format!("    {row}\n"))
        .collect()
}

/// Where the carets go, in columns of the terminal.
struct Marks {
    start: usize,
    end: usize,
    anchors: Option<Anchors>,
}

impl Marks {
    /// The row of carets below a line; tildes outside the anchors.
    fn row(&self, line: &[char], number: usize, last: usize) -> String {
        let blank = line.iter().take_while(|c| c.is_whitespace()).count();
        let count = if number == last {
            self.end
        } else {
            width(line, line.len())
        };
        let mark = |column: usize| {
            let before = column < blank || (number == 0 && column < self.start);
            match &self.anchors {
                _ if before => ' ',
                None => '^',
                Some(anchors)
                    if (number, column) >= anchors.left && (number, column) < anchors.right =>
                {
                    '^'
                }
                Some(_) => '~',
            }
        };
        (0..count).map(mark).collect()
    }
}

/// Anchors found in a segment, as columns of the lines that the segment was cut from.
fn shift(anchors: Anchors, start: usize, lines: &[Vec<char>]) -> Anchors {
    let place = |(line, column): (usize, usize)| {
        let column = if line == 0 { column + start } else { column };
        (line, width(&lines[line], column))
    };
    Anchors {
        left: place(anchors.left),
        right: place(anchors.right),
    }
}

/// The text from `start` in the first line to `end` in the last.
fn segment(lines: &[Vec<char>], start: usize, end: usize) -> String {
    let last = lines.len() - 1;
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        let from = if number == 0 { start } else { 0 };
        let to = if number == last { end } else { line.len() };
        if number > 0 {
            text.push('\n');
        }
        text.extend(&line[from.min(to)..to]);
    }
    text
}

/// Removes the white space that all lines begin with (`textwrap.dedent`).
fn dedent(lines: &[&str]) -> Vec<String> {
    let margin = |line: &&&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let shared = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| &line[..margin(&line)]);
    let common = shared
        .reduce(|a, b| {
            let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
            &a[..same]
        })
        .map_or(0, str::len);
    let strip = |line: &&str| {
        if line.trim().is_empty() {
            String::new()
        } else {
            line[common..].to_string()
        }
    };
    lines.iter().map(strip).collect()
}

fn char_column(line: &str, bytes: usize) -> usize {
    line.bytes()
        .take(bytes)
        .filter(|b| b & 0xc0 != 0x80)
        .count()
}

/// Columns that the first `count` characters take on a terminal (`_display_width`).
pub fn width(line: &[char], count: usize) -> usize {
    if line.iter().all(char::is_ascii) {
        return count;
    }
    line.iter()
        .take(count)
        .map(|c| if is_wide(*c) { 2 } else { 1 })
        .sum()
}

/// `unicodedata.east_asian_width` of `W` or `F`.
fn is_wide(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x115f | 0x231a..=0x231b | 0x2329..=0x232a | 0x23e9..=0x23ec | 0x23f0 | 0x23f3 | 0x25fd..=0x25fe
        | 0x2614..=0x2615 | 0x2648..=0x2653 | 0x267f | 0x2693 | 0x26a1 | 0x26aa..=0x26ab | 0x26bd..=0x26be
        | 0x26c4..=0x26c5 | 0x26ce | 0x26d4 | 0x26ea | 0x26f2..=0x26f3 | 0x26f5 | 0x26fa | 0x26fd | 0x2705
        | 0x270a..=0x270b | 0x2728 | 0x274c | 0x274e | 0x2753..=0x2755 | 0x2757 | 0x2795..=0x2797 | 0x27b0 | 0x27bf
        | 0x2b1b..=0x2b1c | 0x2b50 | 0x2b55 | 0x2e80..=0x303e | 0x3041..=0x33ff | 0x3400..=0x4dbf | 0x4e00..=0xa4c6
        | 0xa960..=0xa97c | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe10..=0xfe19 | 0xfe30..=0xfe6b | 0xff01..=0xff60
        | 0xffe0..=0xffe6 | 0x16fe0..=0x18cff | 0x1aff0..=0x1b2fb | 0x1f004 | 0x1f0cf | 0x1f18e | 0x1f191..=0x1f19a
        | 0x1f200..=0x1f320 | 0x1f32d..=0x1f335 | 0x1f337..=0x1f37c | 0x1f37e..=0x1f393 | 0x1f3a0..=0x1f3ca
        | 0x1f3cf..=0x1f3d3 | 0x1f3e0..=0x1f3f0 | 0x1f3f4 | 0x1f3f8..=0x1f43e | 0x1f440 | 0x1f442..=0x1f4fc
        | 0x1f4ff..=0x1f53d | 0x1f54b..=0x1f54e | 0x1f550..=0x1f567 | 0x1f57a | 0x1f595..=0x1f596 | 0x1f5a4
        | 0x1f5fb..=0x1f64f | 0x1f680..=0x1f6c5 | 0x1f6cc | 0x1f6d0..=0x1f6d2 | 0x1f6d5..=0x1f6d7 | 0x1f6dc..=0x1f6df
        | 0x1f6eb..=0x1f6ec | 0x1f6f4..=0x1f6fc | 0x1f7e0..=0x1f7eb | 0x1f7f0 | 0x1f90c..=0x1f93a | 0x1f93c..=0x1f945
        | 0x1f947..=0x1f9ff | 0x1fa70..=0x1faf8 | 0x20000..=0x2fffd | 0x30000..=0x3fffd)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(source: &str, start: usize, end: usize) -> String {
        excerpt(&Span {
            lines: source.lines().collect(),
            columns: Some((start, end)),
        })
    }

    #[test]
    fn operators_brackets_and_calls_are_anchored() {
        assert_eq!(
            show("    x = 1 + a / 0", 12, 17),
            "    x = 1 + a / 0\n            ~~^~~\n"
        );
        assert_eq!(
            show("y = t[f(1)]", 4, 11),
            "    y = t[f(1)]\n        ~^^^^^^\n"
        );
        assert_eq!(
            show("  print(f(2), g)", 8, 12),
            "    print(f(2), g)\n          ~^^^\n"
        );
        assert_eq!(show("a //b", 0, 5), "    a //b\n    ~~^^~\n");
    }
    #[test]
    fn no_carets_under_a_whole_line_without_anchors() {
        assert_eq!(
            show("    raise ValueError", 4, 20),
            "    raise ValueError\n"
        );
        assert_eq!(show("return f(x)", 0, 11), "    return f(x)\n");
        assert_eq!(show("x = name", 4, 8), "    x = name\n        ^^^^\n");
    }
    #[test]
    fn long_calls_leave_lines_out() {
        let source = "f(\n    1,\n    2,\n    3,\n    4,\n)";
        let shown = "    f(\n    ~^\n        1,\n        ^^\n    ...<2 lines>...\n        4,\n        ^^\n    )\n    ^\n";
        assert_eq!(show(source, 0, 1), shown);
        let shown = "    (1 +\n     ~~~\n     2\n     ~\n     + x)\n     ^~~\n";
        assert_eq!(show("(1 +\n 2\n + x)", 1, 4), shown);
    }
    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(show("日本 + x", 0, 10), "    日本 + x\n    ~~~~~^~~\n");
    }
    #[test]
    fn without_columns_the_first_line_alone() {
        let span = Span {
            lines: vec!["   f(", "   )"],
            columns: None,
        };
        assert_eq!(excerpt(&span), "    f(\n");
    }
}
