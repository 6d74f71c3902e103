//! Tables for people: columns as wide as their widest cell, numbers to the right.

use std::fmt;

pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(head: &[&str]) -> Table {
        Table {
            head: head.iter().map(|&cell| cell.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    pub fn row(&mut self, cells: impl Into<Vec<String>>) {
        let cells = cells.into();
        assert_eq!(cells.len(), self.head.len(), "a cell for every column");
        self.rows.push(cells);
    }

    /// The same table as GitHub's Markdown.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule: Vec<String> = (0..self.head.len())
            .map(|n| if n == 0 { "---" } else { "---:" }.to_owned())
            .collect();
        let mut text = line(&self.head) + &line(&rule);
        for row in &self.rows {
            text += &line(row);
        }
        text
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            let cells = self
                .rows
                .iter()
                .map(|row| &row[column])
                .chain([&self.head[column]]);
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        for row in [&self.head].into_iter().chain(&self.rows) {
            let mut line = String::new();
            for (n, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                if n == 0 {
                    line += &format!("{cell:<width$}");
                } else {
                    line += &format!("  {cell:>width$}");
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&["form", "ns"]);
        table.row(["tail".into(), "0.8".into()]);
        table.row(["replicated".into(), "11.25".into()]);
        table
    }

    #[test]
    fn numbers_stand_to_the_right() {
        assert_eq!(
            table().to_string(),
            "form           ns\ntail          0.8\nreplicated  11.25\n"
        );
    }

    #[test]
    fn markdown_has_a_rule() {
        assert_eq!(
            table().markdown(),
            "| form | ns |\n| --- | ---: |\n| tail | 0.8 |\n| replicated | 11.25 |\n"
        );
    }
}
