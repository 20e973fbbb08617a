//! Documents for a terminal of 80 columns.

use std::borrow::Cow;

use super::blocks::{Align, Block, Cell, Column, Document, Level, Table};

impl Document {
    /// The document in whole lines.
    pub fn text(&self) -> String {
        self.blocks.iter().map(block_text).collect()
    }
}

fn block_text(block: &Block) -> String {
    match block {
        Block::Heading(Level::Page, title) => format!("{title}\n"),
        Block::Heading(Level::Section, title) => format!("== {title}\n"),
        Block::Lines(lines) => whole_lines(lines, 0),
        Block::Gap => "\n".to_owned(),
        Block::Table(table) => table.text(),
        Block::Code { indent, lines, .. } => whole_lines(lines, *indent),
        Block::Beside { width, documents } => beside(documents, *width),
    }
}

fn whole_lines(lines: &[String], indent: usize) -> String {
    let whole = |line: &String| match line.as_str() {
        "" => "\n".to_owned(),
        line => format!("{:indent$}{line}\n", ""),
    };
    lines.iter().map(whole).collect()
}

/// The lines of all documents, next to each other.
fn beside(documents: &[Document], width: usize) -> String {
    let texts: Vec<String> = documents.iter().map(Document::text).collect();
    let columns: Vec<Vec<&str>> = texts.iter().map(|text| text.lines().collect()).collect();
    let n_lines = columns.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |column: &Vec<&str>, line: usize| format!("{:<width$}", column.get(line).unwrap_or(&""));
    let line = |line: usize| columns.iter().map(|column| cell(column, line)).collect::<String>();
    (0..n_lines).map(|at| format!("{}\n", line(at).trim_end_matches(' '))).collect()
}

impl Table {
    /// The table in whole lines: titles, if there are any, and rows, each with its remarks below.
    pub(in crate::report) fn text(&self) -> String {
        let mut text = String::new();
        if !self.above.is_empty() {
            text.push_str(&self.line(&self.above));
        }
        if self.columns.iter().any(|column| !column.title.is_empty()) {
            let titles: Vec<Cell> = self.columns.iter().map(|column| column.title.as_str().into()).collect();
            text.push_str(&self.line(&titles));
        }
        for row in &self.rows {
            text.push_str(&self.line(&row.cells));
            text.push_str(&whole_lines(&row.remarks, self.remark_indent));
        }
        text
    }

    /// A line of cells. Where they end it ends: no padding is written after the last text.
    fn line(&self, cells: &[Cell]) -> String {
        let (mut line, mut end) = (String::new(), 0);
        let mut columns = &self.columns[..];
        for Cell { text, span, align } in cells {
            let (taken, rest) = columns.split_at((*span).min(columns.len()));
            columns = rest;
            let Some(first) = taken.first() else { break };
            let width = taken.iter().map(|column| column.gap + column.width).sum::<usize>() - first.gap;
            let text = if *span == 1 { first.fitting(text) } else { text.into() };
            let padding = " ".repeat(width.saturating_sub(text.chars().count()));
            let before = match align.unwrap_or(first.align) {
                Align::Left => "",
                Align::Right => &*padding,
            };
            line.push_str(&" ".repeat(first.gap));
            line.push_str(before);
            line.push_str(&text);
            if !text.is_empty() {
                end = line.len();
            }
            line.push_str(&padding[before.len()..]);
        }
        line.truncate(end);
        line + "\n"
    }
}

impl Column {
    /// A cell's text as far as the column has room.
    fn fitting<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.most {
            Some(most) => shortened(text, most).into(),
            None => text.into(),
        }
    }
}

/// The text, or its beginning where it has `most` characters or more.
pub(in crate::report) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() < most {
        text.to_owned()
    } else {
        text.chars().take(most - 2).chain(['…']).collect()
    }
}
