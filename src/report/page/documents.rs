//! A document of an answer as blocks of a page.

use serde::Serialize;

use crate::report::document::{Align, Block, Document, Row, Table};

use super::views::{CellView, ColumnView, TableView, shorten, shortened};

/// A block of a page.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct BlockView {
    heading: Option<String>,
    lines: Vec<String>,
    table: Option<TableView>,
    code: Option<String>,
}

impl BlockView {
    /// Shortens the texts, also those of code: it shows what the model is, and is not run.
    pub(super) fn shorten(&mut self, most: usize) {
        shorten(&mut self.lines, most);
        self.table.iter_mut().for_each(|table| table.shorten(most));
        for text in self.heading.iter_mut().chain(&mut self.code) {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            shorten(&mut lines, most);
            *text = lines.join("\n");
        }
    }
}

/// The blocks of a document.
pub(super) fn blocks(document: &Document) -> Vec<BlockView> {
    document.blocks.iter().flat_map(block).collect()
}

fn block(block: &Block) -> Vec<BlockView> {
    let view = BlockView::default();
    match block {
        Block::Heading(_, title) => vec![BlockView { heading: Some(shortened(title)), ..view }],
        Block::Lines(lines) => {
            let lines = lines.iter().map(|line| shortened(&line.replace('\n', " "))).collect();
            vec![BlockView { lines, ..view }]
        }
        Block::Gap => Vec::new(),
        Block::Table(table) if table.is_drawing => vec![BlockView { code: Some(table.text()), ..view }],
        Block::Table(table) => vec![BlockView { table: Some(table_view(table)), ..view }],
        Block::Code { lines, .. } => vec![BlockView { code: Some(lines.join("\n")), ..view }],
        Block::Beside { documents, .. } => documents.iter().flat_map(blocks).collect(),
    }
}

/// A table whose numbers are texts: it has no exact values.
fn table_view(table: &Table) -> TableView {
    let columns = table.columns.iter().map(|column| match (column.is_code, column.align) {
        (true, _) => ColumnView::code(&column.name),
        (false, Align::Right) => ColumnView::number(&column.name, ""),
        (false, Align::Left) => ColumnView::word(&column.name),
    });
    let rows = table.rows.iter().map(|row| cells(table, row));
    TableView::new("", "", columns.collect(), rows.collect())
}

/// A cell for each column. One that takes several stands in the first; remarks stand in the last.
fn cells(table: &Table, row: &Row) -> Vec<CellView> {
    let mut texts: Vec<String> = Vec::with_capacity(table.columns.len());
    for cell in &row.cells {
        texts.push(cell.text.split('\n').map(str::trim).collect::<Vec<_>>().join(" "));
        texts.resize((texts.len() + cell.span - 1).min(table.columns.len()), String::new());
    }
    texts.resize(table.columns.len(), String::new());
    if let Some(last) = texts.last_mut() {
        for remark in &row.remarks {
            last.push(' ');
            last.push_str(remark.trim());
        }
    }
    texts.iter().map(|text| CellView::word(text)).collect()
}
