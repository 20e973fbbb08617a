//! Documents as Markdown: GitHub's tables with numbers at the right, clauses as code.

use std::borrow::Cow;

use super::blocks::{Align, Block, Cell, Column, Document, Level, Row, Table};

impl Document {
    /// The document as Markdown, with an empty line between blocks. Gaps at its ends are empty lines, too, so that
    /// documents can follow each other.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for block in &self.blocks {
            let block = block_text(block);
            let is_apart = text.is_empty() || text == "\n" || text.ends_with("\n\n");
            if !is_apart || text.is_empty() && block.is_empty() {
                text.push('\n');
            }
            text.push_str(&block);
        }
        text
    }
}

/// A block in whole lines; empty for a gap.
fn block_text(block: &Block) -> String {
    match block {
        Block::Heading(Level::Page, title) => format!("# {}\n", escaped(title)),
        Block::Heading(Level::Section, title) => format!("## {}\n", escaped(title)),
        // A backslash at its end keeps a line apart from the next.
        Block::Lines(lines) => lines.iter().map(|line| prose(line)).collect::<Vec<_>>().join("\\\n") + "\n",
        Block::Gap => String::new(),
        Block::Table(table) if table.is_drawing => fenced("", &table.text()),
        Block::Table(table) => pipe_table(table),
        Block::Code { language, lines, .. } => fenced(language, &(lines.join("\n") + "\n")),
        Block::Beside { documents, .. } => {
            documents.iter().map(Document::markdown).collect::<Vec<_>>().join("\n")
        }
    }
}

/// A line of prose; where it breaks for a terminal it may break here, too.
fn prose(line: &str) -> String {
    escaped(line).split('\n').map(|part| line_start(part.trim())).collect::<Vec<_>>().join("\n")
}

/// The line, with a beginning escaped that would make it a list, a heading or a quotation.
fn line_start(line: &str) -> String {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let n_digits = line.len() - rest.len();
    let begins = |marks: &[char]| {
        let after = rest.strip_prefix(marks);
        after.is_some_and(|after| after.is_empty() || after.starts_with([' ', '#', '-', '=']))
    };
    let is_number = n_digits > 0 && begins(&['.', ')']);
    let is_mark = n_digits == 0 && (begins(&['#', '+', '-', '=']) || rest.starts_with('>'));
    if is_number || is_mark { format!("{}\\{rest}", &line[..n_digits]) } else { line.to_owned() }
}

/// The text with Markdown's own signs escaped, except in code between backticks.
fn escaped(text: &str) -> String {
    let mut text = text;
    let mut all = String::with_capacity(text.len());
    while let Some((before, rest)) = text.split_once('`') {
        all.push_str(&escaped_words(before));
        text = match rest.split_once('`') {
            Some((code, after)) if !code.is_empty() && !has_escaped_bar(code) => {
                all.extend(["`", code, "`"]);
                after
            }
            Some(_) | None => {
                all.push_str("\\`");
                rest
            }
        };
    }
    all + &escaped_words(text)
}

/// Words without code. An underscore within a word is none of Markdown's own.
fn escaped_words(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_mark = match character {
            '\\' | '*' | '[' | ']' | '~' | '$' | '&' => true,
            '<' => characters.peek().is_some_and(|next| next.is_alphabetic() || "/!?".contains(*next)),
            '_' => {
                !(before.is_alphanumeric() && characters.peek().is_some_and(|next| next.is_alphanumeric()))
            }
            _ => false,
        };
        if is_mark {
            escaped.push('\\');
        }
        escaped.push(character);
        before = character;
    }
    escaped
}

/// The lines between fences that are longer than any row of backticks in them.
fn fenced(language: &str, lines: &str) -> String {
    let fence = "`".repeat(most_backticks(lines).max(2) + 1);
    format!("{fence}{language}\n{lines}{fence}\n")
}

/// The longest row of backticks.
fn most_backticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn pipe_table(table: &Table) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let titles: Vec<String> = table.columns.iter().map(|column| piped(&escaped(&column.name))).collect();
    let rule = |column: &Column| match column.align {
        Align::Left => "---".to_owned(),
        Align::Right => "---:".to_owned(),
    };
    let rules: Vec<String> = table.columns.iter().map(rule).collect();
    let rows = table.rows.iter().map(|row| line(&row_cells(table, row)));
    line(&titles) + &line(&rules) + &rows.collect::<String>()
}

/// A cell for each column. One that takes several stands in the first; remarks stand in the last.
fn row_cells(table: &Table, row: &Row) -> Vec<String> {
    let mut cells = Vec::with_capacity(table.columns.len());
    for Cell { text, span, .. } in &row.cells {
        let Some(column) = table.columns.get(cells.len()) else { break };
        cells.push(if column.is_code { code_span(text) } else { piped(&escaped(text.trim())) });
        cells.resize(table.columns.len().min(cells.len() + span - 1), String::new());
    }
    cells.resize(table.columns.len(), String::new());
    if let Some(last) = cells.last_mut().filter(|_| !row.remarks.is_empty()) {
        let remarks = row.remarks.iter().map(|remark| piped(&escaped(remark.trim())));
        let parts = std::iter::once(std::mem::take(last)).filter(|text| !text.is_empty()).chain(remarks);
        *last = parts.collect::<Vec<_>>().join("<br>");
    }
    cells
}

/// A clause within a line.
fn code_span(text: &str) -> String {
    let text = text.trim();
    if text.is_empty() || has_escaped_bar(text) {
        return piped(&escaped(text));
    }
    let ticks = "`".repeat(most_backticks(text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    piped(&format!("{ticks}{space}{text}{space}{ticks}"))
}

/// Whether a backslash stands before a bar. Code of a table cannot hold that, as it escapes bars by backslashes itself.
fn has_escaped_bar(code: &str) -> bool {
    code.contains("\\|")
}

/// The text as a cell has it: one line whose bars do not end the cell.
fn piped(text: &str) -> String {
    let text = if text.contains('\n') {
        Cow::Owned(text.split('\n').map(str::trim).collect::<Vec<_>>().join(" "))
    } else {
        Cow::Borrowed(text)
    };
    text.replace('|', "\\|")
}
